//! `setjmp` called for an interpreter, `longjmp` called by anyone below its run.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use core::hint::black_box;
use mir_host::SystemAllocator;
use mir_nostd::ir::Type;
use mir_nostd::target::{Argument, Entry, GateRegisters, Guard, Incoming, Plan, Signature, Value};
use target_all::NATIVE;

unsafe extern "C" {
    fn _setjmp(buffer: *mut u128) -> i32;
    fn longjmp(buffer: *mut u128, value: i32) -> !;
    fn qsort(base: *mut u64, count: usize, size: usize, compare: usize);
}

/// A run of a very small interpreter: its steps are numbered, and `longjmp` sets the number back.
struct Run {
    guard: Guard,
    buffer: [u128; 64],
    step: usize,
    trace: Vec<usize>,
    compare: usize,
}

impl Run {
    fn new() -> Run {
        Run {
            guard: Guard::new(),
            buffer: [0; 64],
            step: 0,
            trace: Vec::new(),
            compare: 0,
        }
    }

    /// Runs the steps to their end, resuming after every `longjmp`.
    fn go(&mut self) {
        let run: *mut Run = self;
        // SAFETY: the guard lies in the run, which stays where it is; the frames that `longjmp`
        // drops own nothing.
        while unsafe { NATIVE.guarded(&raw mut (*run).guard, steps, run.cast()) } {
            assert_eq!(self.guard.words[1..], [0xABCD, usize::MAX]);
            self.step = self.guard.words[0];
            self.trace.push(self.guard.value);
        }
    }
}

/// Overwrites the stack where a former call's frame was.
#[inline(never)]
fn scribble(depth: usize) -> usize {
    let mut bytes = [black_box(0xEE_u8); 512];
    bytes[depth] = 1;
    if depth == 0 {
        return usize::from(black_box(bytes)[1]);
    }
    scribble(depth - 1) + usize::from(black_box(bytes)[2])
}

unsafe extern "C-unwind" fn steps(run: *mut ()) {
    // SAFETY: `go` passes its run.
    let run = unsafe { &mut *run.cast::<Run>() };
    loop {
        match run.step {
            0 => {
                let words = [1, 0xABCD, usize::MAX];
                let buffer = run.buffer.as_mut_ptr() as usize;
                let set = _setjmp as *const () as usize;
                // SAFETY: below `guarded`, with a buffer that lives as long as the run.
                let first = unsafe { NATIVE.set_jump(&raw mut run.guard, set, [buffer, 0], words) };
                run.trace.push(first as usize);
            }
            1 => _ = scribble(20),
            2 if run.trace.len() < 4 => jump(run),
            2 if run.trace.len() < 6 => jump_from_callback(run),
            2 => {}
            _ => return,
        }
        run.step += 1;
    }
}

/// Calls a C function as the interpreter does.
fn call(function: usize, cells: &[Value]) {
    let arguments = vec![Argument::scalar(Type::I64); cells.len()];
    let signature = Signature {
        results: &[],
        arguments: &arguments,
        variadic: None,
    };
    let plan = Plan::new(NATIVE.target(), &signature, &SystemAllocator);
    // A frame that is dropped by `longjmp` may not own anything.
    drop(arguments);
    let plan = Box::leak(Box::new(plan.expect("a plan")));
    // SAFETY: all functions called here take words and return none.
    unsafe { plan.call(NATIVE, function, cells, &mut []) };
}

/// Calls `longjmp` as an interpreted call of it does.
fn jump(run: &mut Run) {
    let value = run.trace.len() as u64 + 10;
    let buffer = Value::from_address(run.buffer.as_ptr());
    call(
        longjmp as *const () as usize,
        &[buffer, Value::from_u64(value)],
    );
}

/// Calls `longjmp` from a function that the C library calls through a static gate.
fn jump_from_callback(run: &mut Run) {
    let numbers = [3_u64, 2, 1];
    let words = [numbers.as_ptr() as u64, 3, 8, run.compare as u64];
    call(qsort as *const () as usize, &words.map(Value::from_u64));
}

unsafe extern "C-unwind" fn compare(entry: &Entry, _: Option<&mut Incoming>) {
    // SAFETY: the entry is bound to the run.
    jump(unsafe { &mut *entry.context().cast::<Run>() });
}

#[test]
fn longjmp_comes_back_to_the_run() {
    let gate = NATIVE.gates().claim();
    let (entry, function) = gate.expect("a gate is free");
    let mut run = Run::new();
    run.compare = function;
    // SAFETY: the gate is ours, and the handler takes this.
    unsafe {
        entry.bind(
            NATIVE,
            compare,
            (&raw mut run).cast(),
            GateRegisters::General,
        );
    };
    let live: Vec<_> = (0..24)
        .map(|n| f64::from(black_box(n)) * 0.5 + 1.0)
        .collect();
    let mut sum = 0.0;
    for number in &live {
        run.step = 0;
        run.trace.clear();
        run.go();
        sum += number;
        assert_eq!(run.trace, [0, 11, 12, 13, 14, 15]);
    }
    assert_eq!(sum, 162.0);
    // SAFETY: claimed here, and nothing calls it any more.
    unsafe { entry.release() };
}
