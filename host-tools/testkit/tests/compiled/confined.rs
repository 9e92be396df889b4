//! The internal instructions of confined programs: both engines do the same at every level.

use crate::prelude::*;
use mir_nostd::ir::{Code, FaultKind, InsnId, Mem, Module, Operand, Position, Problem, Reg, Type};
use mir_nostd::link::{Access, Window, Windows};

static FREE: Engine = Engine::new();
static COUNTING: Engine = Engine::with_fuel();

const PLENTY: u64 = 1 << 40;
const LOWEST: i64 = 4096;
const WINDOW: i64 = 1 << 33;

/// The result, or the reason with the place: function and number of the instruction.
type Outcome = Result<i64, (Reason, &'static str, u32)>;

/// A program, and what to insert before its instructions.
struct Program<'a> {
    source: &'a str,
    rewrite: &'a dyn Fn(&mut Module<'_>),
    /// The functions that may fault.
    names: &'a [&'static str],
}

/// Returns a function's number and its instructions.
fn insns(module: &Module<'_>, name: &str) -> (FuncId, Vec<InsnId>) {
    let found = module.funcs().find(|&(func, _)| {
        let name_of = module.item(module.func(func).item).name;
        name_of.is_some_and(|own| module.name_bytes(own) == name.as_bytes())
    });
    let func = found.unwrap().0;
    (func, module.insns(func).collect())
}

impl Program<'_> {
    fn context<'m>(&self, engine: &'static Engine) -> Context<'m> {
        let target = target_all::NATIVE.target();
        let mut options = ContextOptions::new(&SystemAllocator, target, engine);
        options.native = Some(target_all::NATIVE);
        options.pages = Some(&PAGES);
        let context = Context::new(options);
        let mut report = |error: Error| panic!("{error}");
        let text = self.source.as_bytes();
        let modules = text::parse(text, &SystemAllocator, target.long_double, &mut report);
        let mut module = modules.unwrap().pop().unwrap();
        (self.rewrite)(&mut module);
        // SAFETY: the programs here access the memory that they are given alone.
        unsafe { context.load(Verified::rewritten(module, target)) }.unwrap();
        context.link(&mut |_| None).unwrap();
        context
    }

    /// Interprets a call; returns also the fuel that it took.
    fn interpret(&self, context: &Context<'_>, arguments: &[i64]) -> (Outcome, u64) {
        let limits = mir_nostd::interp::Options {
            fuel: PLENTY,
            ..Default::default()
        };
        let arguments: Vec<Value> = arguments.iter().map(|&n| Value::from_i64(n)).collect();
        let mut interpreter = Interpreter::new(context, limits).unwrap();
        let mut results = [Value::ZERO];
        let ran = interpreter.run(function(context, "main"), &arguments, &mut results);
        let outcome = ran.map(|()| results[0].i64()).map_err(|stop| {
            let at = stop.at.unwrap();
            let mut names = self.names.iter();
            let name = names.find(|name| name.as_bytes() == at.name()).unwrap();
            let number = insns(at.module, name)
                .1
                .iter()
                .position(|&insn| Some(insn) == at.insn);
            (stop.reason, *name, number.unwrap() as u32)
        });
        (outcome, PLENTY - interpreter.fuel())
    }

    fn called(&self, context: &Context<'_>, called: Result<i64, CallError>) -> Outcome {
        called.map_err(|error| {
            let CallError::Fault(fault) = error else {
                panic!("{error:?}");
            };
            let mut names = self.names.iter();
            let name = names
                .find(|name| fault.is_in(function(context, name)))
                .unwrap();
            (fault.reason(), *name, fault.instruction().unwrap())
        })
    }

    /// Checks that `main` does for each list of arguments what is expected, and takes the same fuel
    /// everywhere.
    fn check(&self, cases: &[(Vec<i64>, Outcome)]) {
        let (free, counting) = (self.context(&FREE), self.context(&COUNTING));
        let mut costs = Vec::new();
        for (arguments, expected) in cases {
            assert_eq!(
                self.interpret(&free, arguments).0,
                *expected,
                "{arguments:x?}"
            );
            let (outcome, cost) = self.interpret(&counting, arguments);
            assert_eq!(outcome, *expected, "{arguments:x?}");
            costs.push(cost);
        }
        for level in 0..=3 {
            for granularity in [None, Some(Granularity::Function), Some(Granularity::Block)] {
                self.check_compiled(level, granularity, None, cases, &costs);
                let fuel = AtomicU64::new(0);
                self.check_compiled(level, granularity, Some(&fuel), cases, &costs);
            }
        }
    }

    fn check_compiled(
        &self,
        level: u8,
        granularity: Option<Granularity>,
        fuel: Option<&AtomicU64>,
        cases: &[(Vec<i64>, Outcome)],
        costs: &[u64],
    ) {
        let context = self.context(&FREE);
        let options = Options {
            fuel,
            codegen: mir_nostd::codegen::Options {
                level,
                check_allocation: true,
                check_confinement: true,
                ..Default::default()
            },
            ..Options::default()
        };
        let jit = jit(&context, testkit::host_backend(), options);
        let module = context.module(0).unwrap();
        match granularity {
            Some(granularity) => jit.defer(module, granularity, &mut |_| true).unwrap(),
            None => {
                jit.compile_module(module, &mut |_, error| panic!("{error}"))
                    .unwrap();
            }
        }
        for ((arguments, expected), &cost) in cases.iter().zip(costs) {
            if let Some(fuel) = fuel {
                fuel.store(PLENTY, Ordering::Relaxed);
            }
            let called = call(&jit, function(&context, "main"), arguments);
            let outcome = self.called(&context, called);
            assert_eq!(outcome, *expected, "{level} {granularity:?} {arguments:x?}");
            if let Some(fuel) = fuel {
                let left = fuel.load(Ordering::Relaxed);
                assert_eq!(
                    left,
                    PLENTY - cost,
                    "{level} {granularity:?} {arguments:x?}"
                );
            }
        }
    }
}

fn int(value: i64) -> Operand {
    Operand::Int(value)
}

/// Returns the memory operand whose address a register holds.
fn pointed(number: u32) -> Operand {
    Operand::Mem(Mem {
        ty: Type::U8,
        disp: 0,
        base: Some(Reg::new(number)),
        index: None,
        scale: 1,
        alias: None,
        nonalias: None,
    })
}

fn reg(number: u32) -> Operand {
    Operand::Reg(Reg::new(number))
}

/// Returns addresses around both ends of an access of `bytes` bytes to memory of `size` bytes, and
/// true for those that are inside.
fn addresses(size: i64, bytes: i64) -> Vec<(i64, bool)> {
    let end = LOWEST + size - bytes;
    let inside = [LOWEST, LOWEST + 1, end - 1, end];
    let outside = [
        0,
        1,
        LOWEST - 1,
        end + 1,
        LOWEST + size,
        -1,
        -8,
        i64::MIN,
        i64::MAX,
        WINDOW,
    ];
    let inside = inside.map(|address| (address, true));
    let outside = outside.map(|address| (address, false));
    inside.into_iter().chain(outside).collect()
}

/// The bytes of the memory that programs are lent, with bytes of their neighbours around them.
const SIZE: usize = 64;

/// Returns memory in which each byte is different.
fn memory() -> Vec<u8> {
    (0..SIZE as u8)
        .map(|number| number.wrapping_mul(37))
        .collect()
}

/// Returns the address of memory that stays.
fn lent(memory: &mut [u8]) -> i64 {
    memory.as_mut_ptr().expose_provenance() as i64
}

#[test]
fn a_value_is_ensured_to_be_below_a_limit() {
    let source = "m: module
main: func i64, i64:v, i64:l, i64:r
 add v, v, 1
 ret v
endfunc
endmodule
";
    let values = [0, 1, 9, 10, 11, -1, i64::MIN, i64::MAX];
    let kinds = [
        FaultKind::Stack,
        FaultKind::BadLabel,
        FaultKind::BadAddress,
        FaultKind::BadFunction,
        FaultKind::Signature,
    ];
    let far = 1 << 40;
    for kind in kinds {
        for limit in [None, Some(0), Some(10), Some(far), Some(-1)] {
            let rewrite = |module: &mut Module<'_>| {
                let (func, insns) = insns(module, "main");
                let limit = limit.map_or(reg(1), int);
                let operands = [reg(0), limit, int(kind as i64), reg(2)];
                let at = Position::Before(insns[0]);
                module
                    .insert_internal(func, at, Code::Ensure, operands)
                    .unwrap();
            };
            let program = Program {
                source,
                rewrite: &rewrite,
                names: &["main"],
            };
            let mut cases = Vec::new();
            for value in values {
                let limit = limit.unwrap_or(10);
                let reason = match kind {
                    FaultKind::Stack => Reason::Stack,
                    FaultKind::BadLabel => Reason::BadLabel,
                    FaultKind::BadAddress => Reason::BadAddress(0xABCD_EF01_2345),
                    FaultKind::BadFunction => Reason::BadFunction(0xABCD_EF01_2345),
                    _ => Reason::Signature,
                };
                let fits = (value as u64) < limit as u64;
                let expected = fits
                    .then(|| value.wrapping_add(1))
                    .ok_or((reason, "main", 0));
                cases.push((vec![value, 10, 0xABCD_EF01_2345], expected));
            }
            program.check(&cases);
        }
    }
}

/// The variable that each `reach` writes.
const REACHED: u32 = 4;

/// Instructions that use `d`, before each of which it is reached, the bytes that they access, and
/// the result for memory, an offset in it and the value `v`.
type Use = (&'static str, i64, fn(&[u8], usize, i64) -> i64);

fn word(memory: &[u8], at: usize) -> i64 {
    i64::from_ne_bytes(memory[at..at + 8].try_into().unwrap())
}

/// The uses that store nothing, so that they find the memory as it was.
const READS: [Use; 8] = [
    ("mov r, i64:(d)", 8, |memory, at, _| word(memory, at)),
    ("mov r, u8:(d)", 1, |memory, at, _| memory[at].into()),
    ("mov r, u8:3(d)", 4, |memory, at, _| memory[at + 3].into()),
    ("add r, v, i64:(d)", 8, |memory, at, v| {
        word(memory, at).wrapping_add(v)
    }),
    ("mul r, i64:(d), i64:(d)", 8, |memory, at, _| {
        word(memory, at).wrapping_mul(word(memory, at))
    }),
    ("sub r, d, b", 1, |_, at, _| at as i64),
    ("mov r, i64:(z, d)", 8, |memory, at, _| word(memory, at)),
    ("mov r, i64:(d, z)", 8, |memory, at, _| word(memory, at)),
];

/// The uses that store, and load only what they stored.
const WRITES: [Use; 3] = [
    ("mov i64:(d), v\n mov r, i64:(d)", 8, |_, _, v| v),
    (
        "mov i64:(d), v\n add i64:(d), i64:(d), i64:(d)\n mov r, i64:(d)",
        8,
        |_, _, v| v.wrapping_mul(2),
    ),
    ("mov u8:(d), v\n mov r, i8:(d)", 1, |_, _, v| {
        i64::from(v as i8)
    }),
];

/// Returns a program with these instructions.
fn program_of(uses: &str) -> String {
    format!(
        "m: module
main: func i64, i64:a, i64:b, i64:l, i64:v
 local i64:d, i64:r, i64:z
 mov z, 0
 {uses}
 ret r
endfunc
endmodule
"
    )
}

/// Inserts a `reach` before each instruction that uses `d`.
fn reach_all(module: &mut Module<'_>, base: Operand, limit: Operand, access: i64, windows: i64) {
    let d = Reg::new(REACHED);
    let (func, insns) = insns(module, "main");
    for insn in insns {
        let uses = module.operands(insn).any(|operand| match operand {
            Operand::Reg(reg) => reg == d,
            Operand::Mem(mem) => [mem.base, mem.index].contains(&Some(d)),
            _ => false,
        });
        if uses {
            let operands = [
                reg(REACHED),
                pointed(0),
                base,
                limit,
                int(access),
                int(windows),
            ];
            let at = Position::Before(insn);
            module
                .insert_internal(func, at, Code::Reach, operands)
                .unwrap();
        }
    }
}

#[test]
fn memory_is_reached_within_its_bounds() {
    for (uses, bytes, result) in READS.into_iter().chain(WRITES) {
        let mut memory = memory();
        let host = lent(&mut memory);
        let source = program_of(uses);
        let limit = SIZE as i64 - bytes + 1;
        let before = self::memory();
        let mut cases = Vec::new();
        for (address, is_inside) in addresses(SIZE as i64, bytes) {
            let value = address ^ 0x1234_5678_9ABC_DEF0;
            let at = address.wrapping_sub(LOWEST) as usize;
            let expected = match is_inside {
                true => Ok(result(&before, at, value)),
                false => Err((Reason::BadAddress(address as u64), "main", 1)),
            };
            cases.push((vec![address, host, limit, value], expected));
        }
        for (base, limit) in [
            (reg(1), reg(2)),
            (int(host), int(limit)),
            (reg(1), int(limit)),
        ] {
            let program = Program {
                source: &source,
                rewrite: &|module| reach_all(module, base, limit, 2 * bytes, 0),
                names: &["main"],
            };
            program.check(&cases);
        }
    }
}

#[test]
fn windows_are_reached_besides() {
    for (uses, bytes, result) in READS.into_iter().chain(WRITES) {
        if uses.contains("sub") {
            continue;
        }
        let (mut memory, mut window) = (memory(), memory());
        window.truncate(24);
        let (host, before) = (lent(&mut memory), self::memory());
        let is_store = uses.contains(", v\n");
        let mut windows = Windows::new();
        for (start, access) in [(WINDOW, Access::Read), (WINDOW + 100, Access::Write)] {
            let opened = windows.open(Window {
                start: start as u64,
                bytes: 24,
                host: lent(&mut window) as usize,
                access,
            });
            opened.unwrap();
        }
        let table = core::ptr::from_ref(&windows).expose_provenance() as i64;
        let limit = SIZE as i64 - bytes + 1;
        let mut cases = Vec::new();
        for (address, at) in [
            (LOWEST + 3, Some(3)),
            (WINDOW, (!is_store).then_some(0)),
            (WINDOW + 24 - bytes, (!is_store).then_some(24 - bytes)),
            (WINDOW + 25 - bytes, None),
            (WINDOW - 1, None),
            (WINDOW + 100, Some(0)),
            (WINDOW + 124 - bytes, Some(24 - bytes)),
            (WINDOW + 125 - bytes, None),
            (LOWEST - 1, None),
            (-1, None),
        ] {
            let value = address ^ 0x1234_5678_9ABC_DEF0;
            let expected = match at {
                Some(at) => Ok(result(&before, at as usize, value)),
                None => Err((Reason::BadAddress(address as u64), "main", 1)),
            };
            cases.push((vec![address, host, limit, value], expected));
        }
        let access = 2 * bytes + i64::from(is_store);
        for (base, limit) in [(reg(1), reg(2)), (int(host), int(limit))] {
            let program = Program {
                source: &program_of(uses),
                rewrite: &|module| reach_all(module, base, limit, access, table),
                names: &["main"],
            };
            program.check(&cases);
        }
    }
}

/// A loop over the whole memory, and a function in it that is inlined from level 2 on.
const SUMS: &str = "m: module
p: proto i64, i64:a, i64:b
get: func i64, i64:a, i64:b
 local i64:x, i64:d
 mov x, u8:(d)
 mul x, x, 3
 ret x
endfunc
main: func i64, i64:a, i64:b, i64:n
 local i64:s, i64:x, i64:y
 mov s, 0
 again: ble done, n, 0
 inline p, get, x, a, b
 call p, get, y, a, b
 add s, s, x
 sub s, s, y
 add s, s, y
 add a, a, 1
 sub n, n, 1
 jmp again
done: ret s
endfunc
endmodule
";

#[test]
fn faults_of_inlined_functions_have_their_places() {
    let mut memory = memory();
    let host = lent(&mut memory);
    let rewrite = |module: &mut Module<'_>| {
        let (func, insns) = insns(module, "get");
        let at = Position::Before(insns[0]);
        let operands = [reg(3), pointed(0), reg(1), int(SIZE as i64), int(2), int(0)];
        module
            .insert_internal(func, at, Code::Reach, operands)
            .unwrap();
        // The value is at most 3 * 255.
        let operands = [reg(2), int(200), int(FaultKind::BadFunction as i64), reg(2)];
        let at = Position::Before(insns[1]);
        module
            .insert_internal(func, at, Code::Ensure, operands)
            .unwrap();
    };
    let program = Program {
        source: SUMS,
        rewrite: &rewrite,
        names: &["main", "get"],
    };
    let mut cases = Vec::new();
    for (first, count) in [(0, 0), (0, 5), (0, 6), (7, 3), (60, 4), (60, 5), (-1, 1)] {
        let mut expected = Ok(0);
        for at in first..first + count {
            let byte = usize::try_from(at)
                .ok()
                .and_then(|at| memory.get(at))
                .copied();
            expected = match (expected, byte) {
                (Ok(sum), Some(byte)) if byte < 200 => Ok(sum + 3 * i64::from(byte)),
                (Ok(_), Some(byte)) => Err((Reason::BadFunction(byte.into()), "get", 2)),
                (Ok(_), None) => Err((Reason::BadAddress((LOWEST + at) as u64), "get", 0)),
                (stopped, _) => stopped,
            };
        }
        cases.push((vec![LOWEST + first, host, count], expected));
    }
    assert!(
        cases
            .iter()
            .any(|(_, outcome)| matches!(outcome, Err((Reason::BadFunction(_), ..))))
    );
    program.check(&cases);
}

#[test]
fn the_verifier_refuses_them() {
    let target = target_all::NATIVE.target();
    let mut report = |error: Error| panic!("{error}");
    let text = program_of("mov r, i64:(d)");
    let modules = text::parse(
        text.as_bytes(),
        &SystemAllocator,
        target.long_double,
        &mut report,
    );
    let mut module = modules.unwrap().pop().unwrap();
    let (func, _) = insns(&module, "main");
    let wrong_count = module.insert_internal(func, Position::End, Code::Ensure, [int(0)]);
    assert_eq!(wrong_count.unwrap_err().problem, Problem::OperandCount);
    for code in [Code::Add, Code::Use, Code::Label] {
        let refused = module.insert_internal(func, Position::End, code, [int(0); 3]);
        assert_eq!(refused.unwrap_err().problem, Problem::InternalInsn);
    }
    let refused = module.append(func, Code::Ensure, [int(0), int(1), int(4), int(0)]);
    assert_eq!(refused.unwrap_err().problem, Problem::InternalInsn);
    reach_all(&mut module, int(0), int(0), 0, 0);
    let rejected = Verified::new(module, target, &mut |_| {}).unwrap_err();
    assert_eq!(rejected.error.problem, Problem::InternalInsn);
}
