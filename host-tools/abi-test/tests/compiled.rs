//! Compiled code calls C and is called by C, with the same random signatures as the gates.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "not all of it is needed here")]
mod common;

use abi_signatures::{Returned, Signature};
use common::{Case, c, cases, check};
use core::fmt::Write as _;
use mir_host::{HostPages, SystemAllocator};
use mir_nostd::codegen::Backend;
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::Value;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use target_all::{HOST, NATIVE};

/// Returns the type of a variable that holds a value of this type, and the instruction that moves
/// it.
fn class(ty: &abi_signatures::Type) -> (&'static str, &'static str) {
    match ty.ir {
        "f" => ("f", "fmov"),
        "d" => ("d", "dmov"),
        "ld" => ("ld", "ldmov"),
        _ => ("i64", "mov"),
    }
}

fn is_block(ty: &abi_signatures::Type) -> bool {
    ty.ir.contains("blk")
}

/// Returns the results and named arguments of a signature as declarations, the arguments named
/// `a0`, `a1` and so on.
fn declaration(signature: &Signature) -> String {
    let mut words: Vec<String> = signature.results.iter().map(|r| r.ir.to_owned()).collect();
    let named = signature.variadic.unwrap_or(usize::MAX);
    for (number, argument) in signature.arguments.iter().enumerate().take(named) {
        words.push(if is_block(argument) {
            format!("{}:{}(a{number})", argument.ir, argument.size)
        } else {
            format!("{}:a{number}", argument.ir)
        });
    }
    if signature.variadic.is_some() {
        words.push("...".to_owned());
    }
    words.join(", ")
}

/// Writes a list of local variables with one name per type.
fn locals(text: &mut String, name: char, types: &[abi_signatures::Type]) {
    for (number, ty) in types.iter().enumerate() {
        _ = writeln!(text, " local {}:{name}{number}", class(ty).0);
    }
}

/// Writes a function that calls C with the arguments in cells and stores the results in cells.
fn caller(text: &mut String, case: &Case) {
    let (number, signature) = (case.number, &case.signature);
    _ = writeln!(text, "p{number}: proto {}", declaration(signature));
    _ = writeln!(
        text,
        " export caller{number}\ncaller{number}: func i64:function, i64:args, i64:results"
    );
    locals(text, 'a', &signature.arguments);
    locals(text, 'r', &signature.results);
    let mut words = vec![format!(" call p{number}, function")];
    words.extend((0..signature.results.len()).map(|result| format!("r{result}")));
    for (index, argument) in signature.arguments.iter().enumerate() {
        let (ty, mov) = class(argument);
        _ = writeln!(text, " {mov} a{index}, {ty}:{}(args)", 16 * index);
        words.push(if is_block(argument) {
            format!("{}:{}(a{index})", argument.ir, argument.size)
        } else {
            format!("a{index}")
        });
    }
    _ = writeln!(text, "{}", words.join(", "));
    for (index, result) in signature.results.iter().enumerate() {
        let (ty, mov) = class(result);
        _ = writeln!(text, " {mov} {ty}:{}(results), r{index}", 16 * index);
    }
    text.push_str(" ret\n endfunc\n");
}

/// The memory in which called functions log their arguments, and that of their results.
struct Buffers {
    log: Vec<Value>,
    given: Vec<Value>,
}

/// Writes a function that logs its arguments from C, at the offsets of the signature, and returns
/// the results.
fn callee(text: &mut String, case: &Case, buffers: &Buffers) {
    let (number, signature) = (case.number, &case.signature);
    let named = signature.variadic.unwrap_or(usize::MAX);
    _ = writeln!(text, " export callee{number}");
    let declared = declaration(signature);
    _ = writeln!(text, "callee{number}: func {declared}");
    text.push_str(" local i64:log, i64:given, i64:list, i64:at\n");
    locals(text, 'r', &signature.results);
    _ = writeln!(text, " mov log, {}", buffers.log.as_ptr().addr());
    _ = writeln!(text, " mov given, {}", buffers.given.as_ptr().addr());
    if signature.variadic.is_some() {
        text.push_str(" alloca list, 32\n va_start list\n");
    }
    let offsets = signature.offsets();
    for (index, argument) in signature.arguments.iter().enumerate() {
        let (offset, size) = (offsets[index], argument.size);
        let (ty, mov) = class(argument);
        match argument.ir {
            "rblk" => (0..size).for_each(|byte| {
                _ = writeln!(text, " mov u8:{byte}(a{index}), u8:{byte}(given)");
            }),
            block if is_block(argument) && index >= named => {
                let class = block.trim_start_matches("blk");
                _ = writeln!(text, " add at, log, {offset}");
                _ = writeln!(text, " va_block_arg at, list, {size}, {class}");
            }
            _ if is_block(argument) => (0..size).for_each(|byte| {
                let to = offset + byte;
                _ = writeln!(text, " mov u8:{to}(log), u8:{byte}(a{index})");
            }),
            _ if index >= named => {
                _ = writeln!(text, " va_arg at, list, {ty}:0");
                _ = writeln!(text, " {mov} {ty}:{offset}(log), {ty}:(at)");
            }
            _ => _ = writeln!(text, " {mov} {ty}:{offset}(log), a{index}"),
        }
    }
    let mut words = Vec::new();
    for (index, result) in signature.results.iter().enumerate() {
        let (ty, mov) = class(result);
        _ = writeln!(text, " {mov} r{index}, {ty}:{}(given)", 16 * index);
        words.push(format!("r{index}"));
    }
    _ = writeln!(text, " ret {}\n endfunc", words.join(", "));
}

/// Returns a context with the functions of `source`.
fn linked(source: &str) -> Context<'static> {
    static ENGINE: Engine = Engine::new();
    static PAGES: HostPages = HostPages;
    let target = NATIVE.target();
    let mut report = |error| panic!("{error}");
    let modules = text::parse(
        source.as_bytes(),
        &SystemAllocator,
        target.long_double,
        &mut report,
    );
    let module = modules.expect("parses").pop().expect("one module");
    let mut options = ContextOptions::new(&SystemAllocator, target, &ENGINE);
    options.native = Some(NATIVE);
    options.pages = Some(&PAGES);
    let context = Context::new(options);
    let mut sink = |violation: mir_nostd::verify::Violation| {
        assert!(violation.is_warning, "{}", violation.error);
    };
    let verified = Verified::new(module, target, &mut sink).ok();
    // SAFETY: the functions keep to the buffers of the test.
    unsafe { context.load(verified.expect("verified")) }.expect("loaded");
    context.link(&mut |_| None).expect("linked");
    context
}

/// Compiles all functions; none may be left out.
fn compile<'c>(
    context: &'c Context<'static>,
    isa: &'static dyn Backend,
    level: u8,
) -> Jit<'c, 'static> {
    static PAGES: HostPages = HostPages;
    let options = Options {
        codegen: mir_nostd::codegen::Options {
            level,
            check_allocation: true,
            ..Default::default()
        },
        ..Options::default()
    };
    let jit = Jit::new(context, isa, NATIVE, &PAGES, options).expect("memory");
    let module = context.module(0).expect("a module");
    jit.compile_module(module, &mut |func, error| panic!("{func:?}: {error}"))
        .expect("memory");
    jit
}

/// Returns the log without the padding of long doubles.
fn without_padding(case: &Case, mut log: Vec<u8>) -> Vec<u8> {
    let offsets = case.signature.offsets();
    for (argument, at) in case.arguments().iter().zip(offsets) {
        if argument.ty == mir_nostd::ir::Type::Ld {
            log[at + common::significant(argument.ty)..at + 16].fill(0);
        }
    }
    log
}

const LEVELS: [u8; 3] = [0, 1, 2];

#[test]
fn compiled_code_calls_c() {
    let isa = HOST;
    let mut source = "m: module\n".to_owned();
    cases().for_each(|case| caller(&mut source, &case));
    source.push_str(" endmodule\n");
    for level in LEVELS {
        let context = linked(&source);
        let jit = compile(&context, isa, level);
        for case in cases() {
            let name = format!("caller{}", case.number);
            let function = context.find_func(name.as_bytes()).expect("a function");
            let cells = case.cells();
            let mut results = vec![Value::ZERO; case.results.len()];
            let arguments = [
                Value::from_u64(c::callee(case.number) as u64),
                Value::from_address(cells.as_ptr()),
                Value::from_address(results.as_mut_ptr()),
            ];
            c::set_results(&case.returned_bytes());
            // SAFETY: the C function was made for this signature.
            let called = unsafe { jit.call(function, &arguments, &mut []) };
            assert_eq!(called, Ok(()));
            check(&case, "arguments", &case.expected_log(), &c::log(&case));
            check(
                &case,
                "results",
                &case.result_bytes(&case.results),
                &case.result_bytes(&results),
            );
            if case.signature.returned == Returned::Memory {
                let expected = case.returned_bytes();
                check(&case, "large result", &expected, &case.large_result());
            }
        }
    }
}

#[test]
fn c_calls_compiled_code() {
    let isa = HOST;
    let mut buffers = Buffers {
        log: vec![Value::ZERO; 512],
        given: vec![Value::ZERO; 64],
    };
    let mut source = "m: module\n".to_owned();
    cases().for_each(|case| callee(&mut source, &case, &buffers));
    source.push_str(" endmodule\n");
    for level in LEVELS {
        let context = linked(&source);
        let jit = compile(&context, isa, level);
        for case in cases() {
            let name = format!("callee{}", case.number);
            let function = context.find_func(name.as_bytes()).expect("a function");
            let given = common::cells_of(&padded(&case.returned_bytes()), usize::MAX);
            buffers.log.fill(Value::ZERO);
            buffers.given[..given.len()].copy_from_slice(&given);
            let results = c::call(&case, function.address());
            let expected = case.expected_log();
            let bytes = buffers.log.iter().flat_map(|cell| cell.to_bytes());
            let noted: Vec<u8> = bytes.take(expected.len()).collect();
            let noted = without_padding(&case, noted);
            check(&case, "arguments", &expected, &noted);
            if case.signature.returned == Returned::Memory {
                let expected = case.returned_bytes();
                check(&case, "large result", &expected, &results[..expected.len()]);
            } else {
                let cells = common::cells_of(&results, case.results.len());
                check(
                    &case,
                    "results",
                    &case.result_bytes(&case.results),
                    &case.result_bytes(&cells),
                );
            }
        }
        drop(jit);
    }
}

/// Returns the bytes, padded to a multiple of 16.
fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(16), 0);
    padded
}

/// Tests branches of every kind across more code than their short forms reach: some 40 KiB, and
/// more than 1 MiB.
#[test]
fn branches_go_far() {
    let isa = HOST;
    /// An addition of this constant takes 20 bytes where immediates have 16 bits.
    const TERM: u64 = 0x1234_5678_9ABC_DEF1;
    for additions in [2_500_u64, 55_000] {
        let mut source = "m: module\nexport far\nfar: func i64, i64:n, d:x\n".to_owned();
        source.push_str(" local i64:r, i64:bit, i64:at\n mov r, 0\n laddr at, last\n");
        source.push_str("again: and bit, n, 4\n bt last, bit\n blt last, n, 0\n beq last, n, 9\n");
        source.push_str(" dbgt last, x, 2.5\n");
        (0..additions).for_each(|_| _ = writeln!(source, " add r, r, {TERM}"));
        source.push_str(" add n, n, 1\n blt again, n, 3\n jmpi at\n add r, r, 1\n");
        source.push_str(
            "last: dadd x, x, 0.1\n dmul x, x, 10.0\n d2i at, x\n add r, r, at\n ret r\n",
        );
        source.push_str(" endfunc\n endmodule\n");
        let context = linked(&source);
        let jit = compile(&context, isa, 0);
        let function = context.find_func(b"far").expect("a function");
        let call = |n: i64, x: f64| {
            let arguments = [Value::from_i64(n), Value::from_f64_bits(x.to_bits())];
            let mut results = [Value::ZERO];
            // SAFETY: the function touches no memory.
            let called = unsafe { jit.call(function, &arguments, &mut results) };
            assert_eq!(called, Ok(()));
            results[0].u64()
        };
        for (n, x, passes) in [
            (1, 0.5, 2),
            (2, 0.5, 1),
            (4, 0.5, 0),
            (-8, 0.5, 0),
            (9, 0.5, 0),
            (1, 4.5, 0),
        ] {
            let tenth = ((x + 0.1) * 10.0) as u64;
            let sum = TERM.wrapping_mul(additions * passes).wrapping_add(tenth);
            assert_eq!(call(n, x), sum, "{additions} {n} {x}");
        }
    }
}
