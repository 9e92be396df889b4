//! Loading and linking: names across modules, data, failure (docs/reference/items.md).
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use mir_nostd::ir::{
    ArgSpec, Code, Error, ErrorKind, FuncId, Module, Operand, Position, Problem, Result,
    SignatureSpec, Type,
};
use mir_nostd::link::{Callable, Context, ContextOptions, Engine, Exprs, HostError};
use mir_nostd::mem::Allocator;
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{Entry, GateRegisters, Value};
use mir_nostd::verify::Verified;
use testkit::SystemAllocator;

/// An engine that runs nothing; expression functions all return 0x1122 or fail.
struct Still {
    evaluates: bool,
}

static STILL: Still = Still { evaluates: true };
static FAILING: Still = Still { evaluates: false };

// SAFETY: nothing is run.
unsafe impl Engine for Still {
    unsafe fn bind(&self, _: &Context<'_>, _: &Callable<'_>, _: &Entry, _: GateRegisters) {}

    fn evaluate(&self, exprs: &mut Exprs<'_, '_>) -> Result<()> {
        while exprs.next_func().is_some() {
            if !self.evaluates {
                return Err(Error::new(Problem::OutOfMemory));
            }
            exprs.give(Value::from_u64(0x1122));
        }
        Ok(())
    }

    unsafe fn release(&self, _: &Context<'_>, _: *mut ()) {}
}

fn context<'m>(allocator: &'m dyn Allocator) -> Context<'m> {
    Context::new(ContextOptions::new(
        allocator,
        &target_x86_64::TARGET,
        &STILL,
    ))
}

/// Verifies and loads a module.
fn load<'m>(context: &Context<'m>, module: Module<'m>) -> Result<()> {
    let verified = Verified::new(module, context.target(), &mut |_| {})?;
    // SAFETY: nothing is run here.
    unsafe { context.load(verified) }
}

fn module<'m>(allocator: &'m dyn Allocator, name: &str) -> Module<'m> {
    Module::new(allocator, name.as_bytes(), LongDoubleFormat::X87).unwrap()
}

/// Adds the exported function `name: func i64; ret N`.
fn add_constant(module: &mut Module<'_>, name: &str, value: i64) -> FuncId {
    let spec = SignatureSpec {
        results: &[Type::I64],
        ..SignatureSpec::default()
    };
    let mut func = module.build_func(name, spec).unwrap();
    func.emit(Code::Ret, (value,)).unwrap();
    let func = func.finish().unwrap();
    module.export(name.as_bytes()).unwrap();
    func
}

/// Resolves no import, as an embedder that provides nothing.
fn nothing(_: &[u8]) -> Option<usize> {
    None
}

fn bytes_at<const N: usize>(address: usize) -> [u8; N] {
    let place = core::ptr::with_exposed_provenance::<[u8; N]>(address);
    // SAFETY: the tests pass addresses of items that are at least `N` bytes long, in contexts that
    // live.
    unsafe { place.read_unaligned() }
}

#[test]
fn adjacent_anonymous_data_is_one_section_without_gaps() {
    let context = context(&SystemAllocator);
    let mut m = module(&SystemAllocator, "m");
    let first = m.data(Some(b"bytes"), Type::I8, &[1]).unwrap();
    let pair = m.data(None, Type::I8, &[2, 3]).unwrap();
    let zeros = m.bss(None, 5).unwrap();
    let pointer = m.ref_data(None, first, 2).unwrap();
    let words = m
        .data(Some(b"words"), Type::U16, &[0x34, 0x12, 0x78, 0x56])
        .unwrap();
    load(&context, m).unwrap();
    context.link(&mut nothing).unwrap();
    let m = context.module(0).unwrap();
    let start = m.item_address(first);
    assert_eq!(start % 16, 0);
    let offsets = [pair, zeros, pointer].map(|item| m.item_address(item) - start);
    assert_eq!(offsets, [1, 3, 8]);
    assert_eq!(bytes_at::<8>(start), [1, 2, 3, 0, 0, 0, 0, 0]);
    assert_eq!(usize::from_ne_bytes(bytes_at(start + 8)), start + 2);
    assert_eq!(
        bytes_at::<4>(m.item_address(words)),
        [0x34, 0x12, 0x78, 0x56]
    );
}

#[test]
fn data_is_laid_out_in_the_order_of_a_big_endian_target() {
    let context = Context::new(ContextOptions::new(
        &SystemAllocator,
        &target_s390x::TARGET,
        &STILL,
    ));
    let mut m = Module::new(&SystemAllocator, b"m", LongDoubleFormat::Quad).unwrap();
    let words = m
        .data(Some(b"words"), Type::U16, &[0x34, 0x12, 0x78, 0x56])
        .unwrap();
    let double = m
        .data(Some(b"double"), Type::D, &1.5_f64.to_le_bytes())
        .unwrap();
    load(&context, m).unwrap();
    context.link(&mut nothing).unwrap();
    let m = context.module(0).unwrap();
    assert_eq!(
        bytes_at::<4>(m.item_address(words)),
        [0x12, 0x34, 0x56, 0x78]
    );
    assert_eq!(bytes_at::<8>(m.item_address(double)), 1.5_f64.to_be_bytes());
}

#[test]
fn imports_find_exports_then_definitions_then_the_resolver_once() {
    let context = context(&SystemAllocator);
    let mut user = module(&SystemAllocator, "user");
    let imports = [b"f", b"e", b"r"].map(|name| user.import(name).unwrap());
    load(&context, user).unwrap();
    let mut definer = module(&SystemAllocator, "definer");
    let f = add_constant(&mut definer, "f", 7);
    load(&context, definer).unwrap();
    context.add_external(b"e", 0x5000).unwrap();
    let mut asked = vec![];
    context
        .link(&mut |name| {
            asked.push(name.to_vec());
            Some(0x6000)
        })
        .unwrap();
    let (user, definer) = (context.module(0).unwrap(), context.module(1).unwrap());
    assert_eq!(user.item_address(imports[0]), definer.callable(f).address());
    assert_eq!(
        imports[1..]
            .iter()
            .map(|&item| user.item_address(item))
            .collect::<Vec<_>>(),
        [0x5000, 0x6000]
    );
    assert_eq!(asked, [b"r"]);

    let mut again = module(&SystemAllocator, "again");
    let r = again.import(b"r").unwrap();
    load(&context, again).unwrap();
    context.link(&mut nothing).unwrap();
    assert_eq!(context.module(2).unwrap().item_address(r), 0x6000);
    let func = context.find_func(b"f").unwrap();
    assert_eq!(func.func().map(|(_, func)| func), Some(f));
    assert!(context.callable_at(0x5000).is_none());
}

#[test]
fn a_missing_import_fails_and_linking_can_be_tried_again() {
    let context = context(&SystemAllocator);
    let mut m = module(&SystemAllocator, "m");
    let import = m.import(b"absent").unwrap();
    load(&context, m).unwrap();
    let error = context.link(&mut nothing).unwrap_err();
    assert_eq!(
        (error.problem, error.kind()),
        (Problem::UnresolvedImport, ErrorKind::UndeclaredOpRef)
    );
    assert_eq!(context.linked_modules(), 0);
    assert!(context.module(0).is_none());
    context.link(&mut |_| Some(0x7000)).unwrap();
    assert_eq!(context.module(0).unwrap().item_address(import), 0x7000);
}

#[test]
fn exported_functions_may_not_be_redefined_but_data_may() {
    let context = context(&SystemAllocator);
    let exporter = |value: u8| {
        let mut m = module(&SystemAllocator, "m");
        m.data(Some(b"shared"), Type::U8, &[value]).unwrap();
        m.export(b"shared").unwrap();
        m
    };
    load(&context, exporter(1)).unwrap();
    load(&context, exporter(2)).unwrap();
    assert_eq!(bytes_at::<1>(context.find(b"shared").unwrap()), [2]);

    let with_func = || {
        let mut m = module(&SystemAllocator, "m");
        add_constant(&mut m, "f", 1);
        m
    };
    load(&context, with_func()).unwrap();
    let error = load(&context, with_func()).unwrap_err();
    assert_eq!(
        (error.problem, error.kind()),
        (Problem::RedefinedExport, ErrorKind::RepeatedDecl)
    );
    let options = ContextOptions::new(&SystemAllocator, &target_x86_64::TARGET, &STILL);
    let lenient = Context::new(ContextOptions {
        allow_redefinition: true,
        ..options
    });
    load(&lenient, with_func()).unwrap();
    let first = lenient.find(b"f");
    load(&lenient, with_func()).unwrap();
    assert_ne!(lenient.find(b"f"), first);
}

#[test]
fn expressions_are_evaluated_and_their_failure_is_one_of_linking() {
    let with_expr = || {
        let mut m = module(&SystemAllocator, "m");
        let spec = SignatureSpec {
            results: &[Type::U16],
            ..SignatureSpec::default()
        };
        let mut func = m.build_func("answer", spec).unwrap();
        func.emit(Code::Ret, (42,)).unwrap();
        func.finish().unwrap();
        let func = m
            .find_name(b"answer")
            .and_then(|name| m.item_named(name))
            .unwrap();
        let expr = m.expr_data(Some(b"x"), func).unwrap();
        m.data(None, Type::U8, &[9]).unwrap();
        (m, expr)
    };
    let context = context(&SystemAllocator);
    let (m, expr) = with_expr();
    load(&context, m).unwrap();
    context.link(&mut nothing).unwrap();
    let address = context.module(0).unwrap().item_address(expr);
    assert_eq!(
        bytes_at::<3>(address),
        if cfg!(target_endian = "big") {
            [0x11, 0x22, 9]
        } else {
            [0x22, 0x11, 9]
        }
    );

    let failing = Context::new(ContextOptions::new(
        &SystemAllocator,
        &target_x86_64::TARGET,
        &FAILING,
    ));
    load(&failing, with_expr().0).unwrap();
    assert_eq!(
        failing.link(&mut nothing).unwrap_err().kind(),
        ErrorKind::Alloc
    );
    assert_eq!(failing.linked_modules(), 0);
}

#[test]
fn strings_of_instructions_get_memory_once_each() {
    let context = context(&SystemAllocator);
    let mut m = module(&SystemAllocator, "m");
    let (hello, empty) = (m.add_str(b"hello\0").unwrap(), m.add_str(b"").unwrap());
    let spec = SignatureSpec {
        results: &[Type::I64, Type::I64],
        ..SignatureSpec::default()
    };
    let func = m.add_func(b"f", spec).unwrap();
    m.insert(
        func,
        Position::End,
        Code::Ret,
        [Operand::Str(hello), Operand::Str(empty)],
    )
    .unwrap();
    m.append(func, Code::Ret, [Operand::Str(hello), Operand::Str(hello)])
        .unwrap();
    load(&context, m).unwrap();
    context.link(&mut nothing).unwrap();
    let m = context.module(0).unwrap();
    assert_eq!(&bytes_at::<6>(m.str_address(hello)), b"hello\0");
    assert_ne!(m.str_address(empty), m.str_address(hello));
}

#[test]
fn closures_have_addresses_and_signatures() {
    let double = |arguments: &[Value], results: &mut [Value]| -> Result<(), HostError> {
        results[0] = Value::from_i64(arguments[0].i64() * 2);
        Ok(())
    };
    let context = context(&SystemAllocator);
    let args = [ArgSpec::new(Type::I64, "n")];
    let signature = SignatureSpec {
        results: &[Type::I64],
        args: &args,
        vararg: false,
    };
    context.add_host_fn(b"double", signature, &double).unwrap();
    let callable = context.find_func(b"double").unwrap();
    let host = callable.host().unwrap();
    let mut results = [Value::ZERO];
    host.call(&[Value::from_i64(21)], &mut results).unwrap();
    assert_eq!(
        (results[0].i64(), host.results(), host.arguments().len()),
        (42, &[Type::I64][..], 1)
    );
    assert_eq!(callable.address(), context.find(b"double").unwrap());
}

/// Each allocation of loading and linking fails once; everything allocated is freed, and another
/// attempt succeeds.
#[test]
fn every_allocation_may_fail() {
    let load_and_link = |allocator: &testkit::FailingAllocator| -> Result<()> {
        let context = context(allocator);
        let mut m = Module::new(allocator, b"m", LongDoubleFormat::X87)?;
        let data = m.data(Some(b"data"), Type::I64, &[0; 800])?;
        m.ref_data(None, data, 8)?;
        m.import(b"puts")?;
        let text = m.add_str(b"text\0")?;
        let spec = SignatureSpec {
            results: &[Type::I64],
            ..SignatureSpec::default()
        };
        for name in ["f", "g", "h"] {
            let mut func = m.build_func(name, spec)?;
            func.emit(Code::Ret, (text,))?;
            func.finish()?;
            m.export(name.as_bytes())?;
        }
        load(&context, m)?;
        context.add_external(b"printf", 0x1234)?;
        context.link(&mut |_| Some(0x4000))
    };
    assert!(testkit::sweep(load_and_link, |error| error.problem == Problem::OutOfMemory) > 10);
}

/// Returns the names of functions, one letter each, in their order.
fn letters(callables: &[&Callable<'_>]) -> String {
    let names = callables.iter().map(|callable| {
        let (linked, func) = callable.func().unwrap();
        let module = linked.module();
        let name = module.item(module.func(func).item).name.unwrap();
        char::from(module.name_bytes(name)[0])
    });
    names.collect()
}

/// Constructors run by ascending priority, those of one priority in the order of modules and items,
/// destructors in the reverse order.
#[test]
fn constructors_and_destructors_are_in_order() {
    let allocator = SystemAllocator;
    let context = context(&allocator);
    for letters in ["abc", "defg"] {
        let mut module = module(&allocator, letters);
        for letter in letters.chars() {
            add_constant(&mut module, &letter.to_string(), 0);
            let priority = match letter {
                'a' | 'd' => ".00300",
                'b' | 'f' => ".00001",
                'e' => ".00256",
                'g' => ".00000",
                _ => "",
            };
            let name = module.find_name(letter.to_string().as_bytes()).unwrap();
            let function = module.item_named(name).unwrap();
            for list in [".init_array", ".fini_array"] {
                let list = format!("{list}{priority}");
                module.ref_data(Some(list.as_bytes()), function, 0).unwrap();
            }
        }
        load(&context, module).unwrap();
    }
    context.link(&mut |_| None).unwrap();
    assert_eq!(letters(&context.constructors().unwrap()), "gbfeadc");
    assert_eq!(letters(&context.destructors().unwrap()), "cdaefbg");
}
