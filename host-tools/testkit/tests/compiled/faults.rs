//! Calls between the engines, and faults that pass through both.

use crate::laziness::Idle;
use crate::prelude::*;
use mir_nostd::link::FunctionError;
use mir_nostd::target::{Argument, Body, Gates, Guard, Native, Outgoing, Plan, Signature, Target};
use std::sync::mpsc;

#[test]
fn functions_of_both_engines_call_each_other() {
    let backend = testkit::host_backend();
    let interpreted = {
        let context = linked(MIXED, &SystemAllocator).unwrap();
        let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
        let mut results = [Value::ZERO];
        let arguments = [Value::from_i64(12)];
        let a = function(&context, "a");
        interpreter.run(a, &arguments, &mut results).unwrap();
        results[0].i64()
    };
    for chosen in 0..8_u32 {
        for way in GRANULARITIES {
            let context = linked(MIXED, &SystemAllocator).unwrap();
            let jit = jit(&context, backend, Options::default());
            let mut which = |func: FuncId| chosen & 1 << func.number() != 0;
            jit.defer(context.module(0).unwrap(), way, &mut which)
                .unwrap();
            let a = function(&context, "a");
            for _ in 0..2 {
                assert_eq!(call(&jit, a, &[12]), Ok(interpreted));
                let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
                let mut results = [Value::ZERO];
                let arguments = [Value::from_i64(12)];
                interpreter.run(a, &arguments, &mut results).unwrap();
                assert_eq!(results[0].i64(), interpreted);
            }
            // Once the interpreter has called them, the chosen functions of the module are
            // compiled.
            assert_eq!(jit.compiled().functions, chosen.count_ones());
        }
    }
}

/// `outer` calls `middle` calls `inner`, which divides, or calls a closure that fails.
const FAULTS: &str = "m: module
    import closure
    p: proto i64, i64:n
    inner: func i64, i64:n
        local i64:r
        beq closed, n, 100
        div r, 100, n
        ret r
    closed: call p, closure, r, n
        ret r
    endfunc
    middle: func i64, i64:n
        local i64:r
        call p, inner, r, n
        add r, r, 1
        ret r
    endfunc
    outer: func i64, i64:n
        local i64:r
        call p, middle, r, n
        add r, r, 1
        ret r
    endfunc
endmodule\n";

#[test]
fn faults_reach_the_caller_through_both_engines() {
    let fails = |_: &[Value], _: &mut [Value]| Err(HostError(77));
    let backend = testkit::host_backend();
    for chosen in 0..8_u32 {
        for way in GRANULARITIES {
            let context = with_closure(FAULTS, &fails, &SystemAllocator).unwrap();
            let jit = jit(&context, backend, Options::default());
            let mut which = |func: FuncId| chosen & 1 << func.number() != 0;
            jit.defer(context.module(0).unwrap(), way, &mut which)
                .unwrap();
            let (inner, outer) = (function(&context, "inner"), function(&context, "outer"));
            for _ in 0..3 {
                assert_eq!(call(&jit, outer, &[5]), Ok(22));
                let Err(CallError::Fault(fault)) = call(&jit, outer, &[0]) else {
                    panic!("no fault");
                };
                assert_eq!(fault.reason(), Reason::Division);
                assert!(fault.is_in(inner), "chosen {chosen}");
                assert_eq!(fault.instruction(), Some(1));
                let closed = reason(call(&jit, outer, &[100]));
                assert_eq!(closed, Reason::Host(HostError(77)), "chosen {chosen}");
                let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
                let mut run = |n| {
                    let arguments = [Value::from_i64(n)];
                    let mut results = [Value::ZERO];
                    let ran = interpreter.run(outer, &arguments, &mut results);
                    let place = |at: Frame<'_, '_>| String::from_utf8_lossy(at.name()).into_owned();
                    ran.map_err(|stop| (stop.reason, stop.at.map(place)))
                };
                assert_eq!(run(0), Err((Reason::Division, Some("inner".into()))));
                assert_eq!(run(100).unwrap_err().0, Reason::Host(HostError(77)));
                assert_eq!(run(5), Ok(()));
            }
        }
    }
}

/// `called` calls a closure of an integer by a prototype of a double, and `outer` calls that.
const OTHER_SIGNATURE: &str = "m: module
    import closure
p: proto i64, d:x
q: proto i64
called: func i64
    local i64:r
    call p, closure, r, 1.0
    ret r
endfunc
outer: func i64
    local i64:r
    call q, called, r
    ret r
endfunc
endmodule
";

#[test]
fn a_closure_is_not_called_by_another_signature_at_any_level() {
    let closure = |_: &[Value], _: &mut [Value]| panic!("the closure is called");
    for (level, can_free) in [(0, false), (1, true), (2, true), (2, false), (3, false)] {
        let context = with_closure(OTHER_SIGNATURE, &closure, &SystemAllocator).unwrap();
        let mut options = Options {
            can_free,
            ..Options::default()
        };
        options.codegen.level = level;
        let jit = jit(&context, target_all::HOST, options);
        let linked = context.module(0).unwrap();
        let compiled = jit.compile_module(linked, &mut |_, error| panic!("{error}"));
        let rest = linked.module().funcs().len() as u64 - 2;
        let compiled = u64::from(compiled.unwrap().functions);
        assert_eq!(
            compiled, rest,
            "the engine has the call, and what could inline it"
        );
        let mut results = [Value::ZERO];
        let outer = function(&context, "outer");
        // SAFETY: the function touches no memory.
        let called = unsafe { jit.call(outer, &[], &mut results) };
        let Err(CallError::Fault(fault)) = called else {
            panic!("level {level}: {called:?}");
        };
        assert_eq!(fault.reason(), Reason::Signature);
        assert!(fault.is_in(function(&context, "called")));
    }
}

/// A call with another number of arguments or results than the function's is not made.
#[test]
fn calls_that_do_not_fit_are_refused() {
    let context = linked(&chain(1), &SystemAllocator).unwrap();
    let jit = jit(&context, testkit::host_backend(), Options::default());
    let f = function(&context, "f0");
    assert_eq!(call(&jit, f, &[5]), Ok(6));
    let refused = |error: FunctionError| Err(CallError::Function(error));
    let of_arguments = |wanted, given| refused(FunctionError::Arguments { wanted, given });
    assert_eq!(call(&jit, f, &[]), of_arguments(1, 0).map(|()| 0));
    assert_eq!(call(&jit, f, &[5, 6]), of_arguments(1, 2).map(|()| 0));
    // SAFETY: nothing is called.
    let called = unsafe { jit.call(f, &[Value::ZERO], &mut []) };
    let (wanted, given) = (1, 0);
    assert_eq!(called, refused(FunctionError::Results { wanted, given }));
}

/// This machine, but where a thread that is halted says so and goes to sleep.
struct Sleeping(Mutex<mpsc::Sender<Option<Reason>>>);

impl Sleeping {
    fn say(&self, reason: Option<Reason>) {
        let _ = self.0.lock().map(|sender| sender.send(reason));
    }
}

// SAFETY: the gates are the machine's.
unsafe impl Native for Sleeping {
    fn target(&self) -> &'static Target {
        target_all::NATIVE.target()
    }

    unsafe fn call(&self, outgoing: *mut Outgoing) {
        // SAFETY: by the caller's word.
        unsafe { target_all::NATIVE.call(outgoing) };
    }

    unsafe fn guarded(&self, guard: *mut Guard, body: Body, argument: *mut ()) -> bool {
        // SAFETY: by the caller's word.
        unsafe { target_all::NATIVE.guarded(guard, body, argument) }
    }

    unsafe fn set_jump(
        &self,
        guard: *mut Guard,
        function: usize,
        arguments: [usize; 2],
        words: [usize; 3],
    ) -> i32 {
        // SAFETY: by the caller's word.
        unsafe { target_all::NATIVE.set_jump(guard, function, arguments, words) }
    }

    fn halt(&self) -> ! {
        self.say(None);
        loop {
            std::thread::park();
        }
    }

    fn entry(&self) -> usize {
        target_all::NATIVE.entry()
    }

    fn resolver(&self) -> usize {
        target_all::NATIVE.resolver()
    }

    fn gates(&self) -> Gates {
        target_all::NATIVE.gates()
    }

    unsafe fn flush_instruction_cache(&self, start: *const u8, length: usize) {
        // SAFETY: by the caller's word.
        unsafe { target_all::NATIVE.flush_instruction_cache(start, length) };
    }
}

impl Watch for Sleeping {
    fn faulted(&self, fault: &Fault) {
        self.say(Some(fault.reason()));
    }
}

/// Code that is called by its address, as C would, has nobody to return a fault to: whoever watches
/// is told, and the machine is halted.
#[test]
fn a_fault_that_nobody_awaits_halts_the_machine() {
    for listens in [true, false] {
        let (sender, told) = mpsc::channel();
        let native: &Sleeping = Box::leak(Box::new(Sleeping(Mutex::new(sender))));
        let fails = Box::leak(Box::new(|_: &[Value], _: &mut [Value]| Err(HostError(77))));
        std::thread::spawn(move || {
            let context = Box::leak(Box::new(
                with_closure(FAULTS, fails, &SystemAllocator).unwrap(),
            ));
            let watch: &dyn Watch = if listens { native } else { &Idle };
            let options = Options {
                watch: Some(watch),
                ..Options::default()
            };
            let jit = Jit::new(context, testkit::host_backend(), native, &PAGES, options);
            let jit = jit.unwrap();
            let outer = function(context, "outer");
            jit.compile_module(context.module(0).unwrap(), &mut |_, error| {
                panic!("{error}")
            })
            .unwrap();
            let signature = Signature {
                results: &[Type::I64],
                arguments: &[Argument::scalar(Type::I64)],
                variadic: None,
            };
            let plan = Plan::new(context.target(), &signature, &SystemAllocator).unwrap();
            let mut results = [Value::ZERO];
            let mut run = |n| {
                let arguments = [Value::from_i64(n)];
                // SAFETY: the function is one of the signature; the stack is that of a thread.
                unsafe { plan.call(native, outer.address(), &arguments, &mut results) };
                results[0].i64()
            };
            assert_eq!(run(5), 22);
            run(0);
            panic!("a fault is no result");
        });
        let told = || told.recv_timeout(core::time::Duration::from_secs(60));
        if listens {
            assert_eq!(told(), Ok(Some(Reason::Division)));
        }
        assert_eq!(told(), Ok(None));
    }
}
