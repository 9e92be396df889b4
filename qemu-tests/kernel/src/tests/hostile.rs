//! Tests that hostile programs run beside the kernel, in its address space, and touch nothing but
//! their own memory: interpreted, and compiled at each level.

use crate::arch::{self, TARGET};
use crate::confined::{self, Import, Limits, Way};
use crate::layout;
use crate::memory::heap;
use crate::pages::{self, pages};
use crate::report::Report;
use crate::run::{self, Failure};
use crate::say;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use mir_nostd::confined::{BAD_ADDRESS, FIRST_ADDRESS, Fault, Options, Program, Space};
use mir_nostd::ir::{ArgSpec, Error, Problem, SignatureSpec, Type};
use mir_nostd::link::{HostError, Reason};
use mir_nostd::mem::Vec;
use mir_nostd::run::Jit;
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;

/// The hostile program, and one that counts how often it ran.
const HOSTILE: &[u8] = include_bytes!("hostile.mir");
const GOOD: &[u8] = b"good: module
export count
runs: i64 0
count: func i64, i64:a, i64:b
 mov a, runs
 add i64:(a), i64:(a), 1
 ret i64:(a)
endfunc
endmodule
";

/// The bytes of a program's memory, and of its stack, which is at the end.
const BYTES: usize = 16 << 10;
const STACK: u64 = 4 << 10;

/// The addresses of the hostile program's memory.
const OWN: Range<u64> = FIRST_ADDRESS..FIRST_ADDRESS + BYTES as u64;

/// The fuel of each run.
const FUEL: u64 = 20_000;

/// The values of functions and labels; function 0 is the import.
const HANDLES: u64 = 1 << 40;
const LABELS: u64 = 1 << 41;

/// Bytes that nobody may touch.
const CANARY: [u8; 4096] = [0xA5; 4096];

/// A word of the kernel's.
static WORD: AtomicU64 = AtomicU64::new(0x5AFE);

/// Memory of both programs, and canaries around it.
struct Arena {
    before: [u8; CANARY.len()],
    hostile: [u8; BYTES],
    between: [u8; CANARY.len()],
    good: [u8; BYTES],
    after: [u8; CANARY.len()],
}

/// The import: fills bytes of the program's.
static FILL: Import = |memory, arguments, results| {
    let bytes = memory.slice_mut(arguments[0].u64(), arguments[1].u64())?;
    bytes.fill(0xFF);
    results[0] = Value::from_u64(1);
    Ok(())
};

/// A call: the function, its arguments, and the expected result or fault.
type Case = (&'static str, [u64; 2], Result<u64, Reason>);

/// Returns the result 1, or the fault of an access to so many bytes at an address.
fn access(address: u64, bytes: u64) -> Result<u64, Reason> {
    match OWN.contains(&address) && OWN.end - address >= bytes {
        true => Ok(1),
        false => Err(Reason::BadAddress(address)),
    }
}

/// Calls `each` with all cases.
fn each_case(each: &mut dyn FnMut(Case)) {
    for address in addresses() {
        each(("load", [address, 0], access(address, 8)));
        each(("store", [address, u64::MAX], access(address, 8)));
        // The address is a sum that wraps around.
        for index in [1, 1 << 61 | 1, u64::MAX] {
            let base = address.wrapping_sub((index << 3).wrapping_sub(8));
            each(("index", [base, index], access(address, 8)));
        }
        each(("pass", [address, 0], access(address, 100)));
        each(("list", [address, 0], access(address, 100)));
        each(("fetch", [address.wrapping_sub(16), 0], access(address, 8)));
        let refused = Reason::Host(HostError(BAD_ADDRESS));
        let asked = access(address, 64).map_err(|_| refused);
        each(("ask", [address, 64], asked));
        if !OWN.contains(&address) {
            each(("call", [address, 0], Err(Reason::BadFunction(address))));
            each(("jump", [address, 0], Err(Reason::BadLabel)));
            // The function's areas begin at the end of the memory.
            let is_begin = address == OWN.end;
            let given = if is_begin { Ok(1) } else { Err(Reason::Stack) };
            each(("give_back", [address, 0], given));
        }
    }
    CASES.into_iter().for_each(each);
}

/// Further cases.
#[rustfmt::skip] // one row, one line
const CASES: [Case; 17] = [
    ("sweep", [OWN.start, 8], Err(Reason::BadAddress(OWN.end))),
    ("sweep", [OWN.end - 8, 0_u64.wrapping_sub(8)], Err(Reason::BadAddress(OWN.start - 8))),
    ("sweep", [OWN.start, 1 << 12], Err(Reason::BadAddress(OWN.end))),
    ("sweep", [OWN.start, 1 << 63], Err(Reason::BadAddress(1 << 63 | OWN.start))),
    ("call", [HANDLES, 0], Err(Reason::Signature)),
    ("call", [HANDLES + 1, 0], Err(Reason::BadFunction(HANDLES + 1))),
    ("call", [HANDLES + 16 * 1000, 0], Err(Reason::BadFunction(HANDLES + 16 * 1000))),
    ("jump", [LABELS, 0], Ok(1)),
    ("jump", [LABELS + 16, 0], Err(Reason::BadLabel)),
    ("loop", [0, 0], Err(Reason::OutOfFuel)),
    ("recurse", [0, 0], Err(Reason::Stack)),
    ("area", [64, 0], Ok(1)),
    ("area", [STACK + 1, 0], Err(Reason::Stack)),
    ("area", [i64::MAX as u64, 0], Err(Reason::Stack)),
    ("ask", [OWN.start, u64::MAX], Err(Reason::Host(HostError(BAD_ADDRESS)))),
    ("ask", [0, 0], Err(Reason::Host(HostError(BAD_ADDRESS)))),
    ("misuse", [OWN.start, 0], Err(Reason::Signature)),
];

/// Returns addresses at the ends of the program's memory, of the kernel, and far away.
fn addresses() -> impl Iterator<Item = u64> {
    let own = [0, 8, OWN.start - 1, OWN.start, OWN.end - 100, OWN.end - 99];
    let end = [OWN.end - 8, OWN.end - 7, OWN.end - 1, OWN.end];
    let kernel = [
        WORD.as_ptr().addr(),
        layout::text().start,
        layout::constants().start,
        layout::data().start,
        layout::HEAP.get().addr(),
        layout::lowest_of_stack(),
        pages::written().start,
        pages::written().start + layout::RUN_ALIAS,
        arch::PROGRAMS,
    ];
    let kernel = kernel.map(|address| address as u64);
    let far = (14..64).step_by(7).map(|bit| 1 << bit);
    let last = [u64::MAX - 99, u64::MAX - 7, u64::MAX];
    let all = own.into_iter().chain(end).chain(kernel).chain(far);
    all.chain(last)
}

/// Runs the hostile program in each way.
pub fn hostile(report: &mut Report) {
    let used = (heap().used(), pages().used());
    {
        let mut known = Vec::new(heap());
        for way in Way::all() {
            let mut arena = Arena {
                before: CANARY,
                hostile: [0xFF; BYTES],
                between: CANARY,
                good: [0; BYTES],
                after: CANARY,
            };
            match runs(way, &mut arena, &mut known) {
                Ok((good, bad)) => report.test(
                    format_args!("hostile programs {way}"),
                    good > 300 && bad == 0,
                    format_args!("{good} runs, {bad} wrong"),
                ),
                Err(failure) => report.test(
                    format_args!("hostile programs {way}"),
                    false,
                    format_args!("{failure}"),
                ),
            }
        }
    }
    let refused = refused();
    report.test(
        format_args!("an import that was not given"),
        matches!(refused, Err(Failure::Refused(error)) if error.problem == Problem::UnresolvedImport),
        format_args!("is refused"),
    );
    report.test(
        format_args!("memory of confined programs is given back"),
        used == (heap().used(), pages().used()),
        format_args!("{} bytes used", used.0),
    );
}

/// A result or fault, and the fuel that is left.
type Outcome = (Result<u64, Fault>, u64);

/// Makes all calls in a way, each followed by one of the good program. The outcomes are those that
/// are known from the way before, if there was one. Returns how many were right and wrong.
fn runs(
    way: Way,
    arena: &mut Arena,
    known: &mut Vec<'_, Outcome>,
) -> Result<(usize, usize), Failure> {
    let limits = Limits::new();
    let options = Options {
        stack: Some(STACK),
        ..Options::default()
    };
    let canaries = [&arena.before, &arena.between, &arena.after];
    let spaces = [
        Space::new(heap(), &mut arena.hostile, options)?,
        Space::new(heap(), &mut arena.good, options)?,
    ];
    let context = confined::context();
    let mut hostile = Program::new(&context, &spaces[0])?;
    define(&mut hostile)?;
    load(&mut hostile, HOSTILE)?;
    let mut good = Program::new(&context, &spaces[1])?;
    load(&mut good, GOOD)?;
    let jit = way.compiler(&context, &limits)?;
    if let Some(jit) = &jit {
        let mut left = 0;
        for program in [&hostile, &good] {
            program
                .compile(jit, &mut |_, _| left += 1)
                .map_err(Error::from)?;
        }
        if left > 0 {
            return Err(Failure::Uncompiled(left));
        }
    }
    let (mut right, mut wrong, mut failed) = (0, 0, Ok(()));
    each_case(&mut |(name, arguments, expected)| {
        let outcome = call(&mut hostile, jit.as_ref(), &limits, name, arguments);
        let number = right + wrong;
        if way == Way::INTERPRETED {
            failed = failed.and(known.push(outcome));
        }
        let count = call(&mut good, jit.as_ref(), &limits, "count", [0; 2]).0;
        let is_untouched = |canary| core::hint::black_box(canary) == &CANARY;
        if outcome.0.map_err(|fault| fault.reason) == expected
            && known.get(number) == Some(&outcome)
            && count == Ok(number as u64 + 1)
            && canaries.into_iter().all(is_untouched)
            && WORD.load(Ordering::Relaxed) == 0x5AFE
        {
            right += 1;
        } else {
            wrong += 1;
            say!("{name} {arguments:x?}: {expected:x?} is expected, not {outcome:x?}, {count:?}");
        }
    });
    failed.map_err(Error::from)?;
    Ok((right, wrong))
}

/// Calls a function of a program.
fn call<'c, 'm>(
    program: &mut Program<'c, 'm>,
    jit: Option<&Jit<'c, 'm>>,
    limits: &Limits,
    name: &str,
    arguments: [u64; 2],
) -> Outcome {
    let (name, arguments) = (name.as_bytes(), arguments.map(Value::from_u64));
    let mut results = [Value::ZERO];
    let (ran, left) = match jit {
        None => {
            let ran = program.interpret(name, &arguments, &mut results, FUEL);
            (ran, program.fuel())
        }
        Some(jit) => {
            limits.fuel.store(FUEL, Ordering::Relaxed);
            let ran = program.run(jit, name, &arguments, &mut results);
            (ran, limits.fuel.load(Ordering::Relaxed))
        }
    };
    (ran.map(|()| results[0].u64()), left)
}

/// Gives a program its import.
fn define(program: &mut Program<'_, '_>) -> Result<(), Error> {
    let arguments = ["at", "bytes"].map(|name| ArgSpec::new(Type::I64, name));
    let signature = SignatureSpec {
        results: &[Type::I64],
        args: &arguments,
        vararg: false,
    };
    program.define(b"fill", signature, &FILL)
}

/// Loads and links a program.
fn load(program: &mut Program<'_, '_>, text: &[u8]) -> Result<(), Error> {
    let mut modules = run::read(heap(), text)?;
    while let Some(module) = modules.pop() {
        program.load(Verified::new(module, &TARGET, &mut |_| {})?)?;
    }
    program.link()
}

/// Loads a program that imports what the kernel lends other programs.
fn refused() -> Result<(), Failure> {
    let mut memory = [0; BYTES];
    let space = Space::new(heap(), &mut memory, Options::default())?;
    let context = confined::context();
    let text = b"thief: module\nimport putchar\np: proto i32:c\nmain: func\ncall p, putchar, 1\nret\nendfunc\nendmodule\n";
    Ok(load(&mut Program::new(&context, &space)?, text)?)
}
