//! Limits of compiled code: fuel, stack, the budget of the compiler.

use crate::prelude::*;

/// Loops, calls, also tail calls, a switch, property and overflow branches, labels that nothing
/// refers to. The interpreter charges for the paths that control takes when every property is 0.
const METERED: &str = "m: module
    p: proto i64, i64:n
    small: func i64, i64:n
        add n, n, 1
    unused: beq zero, n, 5
        mul n, n, 3
    zero: ret n
    endfunc
    turns: func i64, i64:n
        local i64:r
        ble done, n, 0
        sub n, n, 1
        and r, n, 1
        bt apart, r
        call p, turns, r, n
        ret r
    apart: call p, turns, r, n
        mov n, r
    done: ret n
    endfunc
    main: func i64, i64:n
        local i64:s, i64:k, i64:x
        mov s, 0
    again: ble out, n, 0
        mod k, n, 3
        switch k, first, second, third
    first: call p, small, s, s
        jmp next
    second: call p, turns, x, n
        add s, s, x
        add s, s, 2
    third: prbeq third_more, s, 0
        add s, s, 1000
    third_more: prset s, 1
        prbeq marked, s, 1
        jmp times
    marked: mov k, 0
        mov k, 0
    times: mulo x, s, s
        bo next
        sub s, s, 1
    next: sub n, n, 1
        jmp again
    out: ret s
    endfunc
endmodule\n";

/// Compiled code takes the interpreter's fuel, at every level and in all modes, and stops at the
/// same places.
#[test]
fn fuel_is_taken_block_by_block() {
    static COUNTING: Engine = Engine::with_fuel();
    const PLENTY: u64 = 1 << 40;
    let backend = testkit::host_backend();
    let mut options = ContextOptions::new(&SystemAllocator, target_all::NATIVE.target(), &COUNTING);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    let context = Context::new(options);
    load(&context, METERED).unwrap();
    context.link(&mut |_| None).unwrap();
    let main = function(&context, "main");
    let interpreted = |fuel: u64| {
        let limits = mir_nostd::interp::Options {
            fuel,
            ..Default::default()
        };
        let mut interpreter = Interpreter::new(&context, limits).unwrap();
        let mut results = [Value::ZERO];
        let ran = interpreter.run(main, &[Value::from_i64(7)], &mut results);
        let place = |at: Frame<'_, '_>| (at.func, at.insn);
        let ran = ran.map_err(|stop| (stop.reason, stop.at.map(place)));
        (ran.map(|()| results[0].i64()), interpreter.fuel())
    };
    let (result, left) = interpreted(PLENTY);
    let cost = PLENTY - left;
    for level in 0..=3 {
        for granularity in [None, Some(Granularity::Function), Some(Granularity::Block)] {
            let fuel = AtomicU64::new(0);
            let context = linked(METERED, &SystemAllocator).unwrap();
            let main = function(&context, "main");
            let options = Options {
                fuel: Some(&fuel),
                codegen: proven(level),
                ..Options::default()
            };
            let jit = jit(&context, backend, options);
            let module = context.module(0).unwrap();
            match granularity {
                Some(granularity) => jit.defer(module, granularity, &mut |_| true).unwrap(),
                None => {
                    jit.compile_module(module, &mut |_, error| panic!("{error}"))
                        .unwrap();
                }
            }
            for given in (0..=cost).chain([PLENTY]) {
                fuel.store(given, Ordering::Relaxed);
                let called = call(&jit, main, &[7]);
                let (expected, left) = interpreted(given);
                assert_eq!(
                    fuel.load(Ordering::Relaxed),
                    left,
                    "{level} {granularity:?} {given}"
                );
                match (called, expected) {
                    (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                    (Err(CallError::Fault(fault)), Err((reason, _))) => {
                        assert_eq!((fault.reason(), reason), (Reason::OutOfFuel, reason));
                    }
                    other => panic!("{level} {granularity:?} {given}: {other:?}"),
                }
            }
            assert_eq!(call(&jit, main, &[7]).ok(), result.as_ref().ok().copied());
        }
    }
}

/// A fuel handler that grants fuel a few times.
struct Granting {
    fuel: &'static AtomicU64,
    left: AtomicUsize,
}

impl Refuel for Granting {
    fn grants(&self, needed: u64) -> bool {
        let grants = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
        if grants.is_ok() {
            self.fuel.fetch_add(needed, Ordering::Relaxed);
        }
        grants.is_ok()
    }
}

#[test]
fn fuel_is_granted_on_the_way() {
    static FUEL: AtomicU64 = AtomicU64::new(0);
    let backend = testkit::host_backend();
    for level in 0..=3 {
        for granularity in GRANULARITIES {
            let granting = Granting {
                fuel: &FUEL,
                left: AtomicUsize::new(1000),
            };
            let context = linked(METERED, &SystemAllocator).unwrap();
            let options = Options {
                fuel: Some(&FUEL),
                refuel: Some(&granting),
                codegen: proven(level),
                ..Options::default()
            };
            let jit = jit(&context, backend, options);
            jit.defer(context.module(0).unwrap(), granularity, &mut |_| true)
                .unwrap();
            let main = function(&context, "main");
            let result = call(&jit, main, &[7]).unwrap();
            assert_eq!(FUEL.load(Ordering::Relaxed), 0, "{level} {granularity:?}");
            let left = granting.left.load(Ordering::Relaxed);
            assert!(left < 990, "{level} {granularity:?}");
            granting.left.store(5, Ordering::Relaxed);
            assert_eq!(reason(call(&jit, main, &[7])), Reason::OutOfFuel);
            FUEL.store(1 << 20, Ordering::Relaxed);
            assert_eq!(call(&jit, main, &[7]), Ok(result));
            // Without grants on the granularity the same is left as with them.
            let cost = (1 << 20) - FUEL.swap(0, Ordering::Relaxed);
            granting.left.store(1000, Ordering::Relaxed);
            FUEL.store(cost, Ordering::Relaxed);
            assert_eq!(call(&jit, main, &[7]), Ok(result));
            let nothing = (
                FUEL.load(Ordering::Relaxed),
                granting.left.load(Ordering::Relaxed),
            );
            assert_eq!(nothing, (0, 1000), "{level} {granularity:?}");
        }
    }
}

#[test]
fn the_stack_ends_where_it_is_said() {
    let source = "m: module
        p: proto i64, i64:n
        deep: func i64, i64:n
            local i64:r
            ble end, n, 0
            sub n, n, 1
            call p, deep, r, n
            sub r, r, -1
            ret r
        end: ret 0
        endfunc
        last: func i64, i64:n
            local i64:r
            ble over, n, 0
            sub n, n, 1
            call p, last, r, n
            ret r
        over: ret 7
        endfunc
        added: func i64, i64:n
            local i64:r
            beq none, n, -1
            add n, n, 1
            call p, added, r, n
            add r, r, 1
            ret r
        none: ret 0
        endfunc
        wide: func i64, i64:n
            local i64:m
            alloca m, 100000
            mov i64:(m, n), n
            ret i64:(m, n)
        endfunc
    endmodule\n";
    let limit = AtomicUsize::new(0);
    let backend = testkit::host_backend();
    for level in 0..=3 {
        for granularity in GRANULARITIES {
            let counter = Counter::default();
            let context = linked(source, &SystemAllocator).unwrap();
            let options = Options {
                stack_limit: Some(&limit),
                watch: Some(&counter),
                codegen: mir_nostd::codegen::Options {
                    level,
                    ..Default::default()
                },
                ..Options::default()
            };
            let jit = jit(&context, backend, options);
            jit.defer(context.module(0).unwrap(), granularity, &mut |_| true)
                .unwrap();
            let deep = function(&context, "deep");
            let here = 0_u8;
            let here = (&raw const here).addr();
            limit.store(here - (256 << 10), Ordering::Relaxed);
            for _ in 0..3 {
                assert_eq!(call(&jit, deep, &[100]), Ok(100));
                let Err(CallError::Fault(fault)) = call(&jit, deep, &[1_000_000]) else {
                    panic!("no fault");
                };
                assert_eq!(fault.reason(), Reason::Stack);
                assert!(fault.is_in(deep));
            }
            if level >= 2 {
                // The call is a jump.
                let last = function(&context, "last");
                assert_eq!(call(&jit, last, &[1_000_000]), Ok(7));
            }
            // Recursion without end is no loop without end.
            let added = function(&context, "added");
            assert_eq!(reason(call(&jit, added, &[1])), Reason::Stack);
            // A function whose frame is too large to be checked is left to the interpreter.
            assert_eq!(call(&jit, function(&context, "wide"), &[9]), Ok(9));
            assert_eq!(counter.left.load(Ordering::Relaxed), 1);
        }
    }
}

/// Returns a function of `count` instructions: sums, a loop around them, many labels.
fn long(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a, i64:b, i64:c\n");
    source += "mov a, 1\nmov b, 2\nmov c, 3\nagain: mov c, n\n";
    for number in 0..(count - 9) / 4 {
        source += &format!(
            "add a, a, b\nxor b, b, {number}\nl{number}: sub c, c, a\nbgt l{number}, c, 0\n"
        );
    }
    source + "sub n, n, 1\nbgt again, n, 0\nadd a, a, c\nret a\nendfunc\nendmodule\n"
}

#[test]
fn what_takes_more_than_the_budget_is_interpreted() {
    let backend = testkit::host_backend();
    let memory = Limited::new(&SystemAllocator, 128 << 10);
    let budgets = [
        (
            Budget {
                insns: 600,
                memory: None,
            },
            1,
        ),
        (
            Budget {
                insns: usize::MAX,
                memory: Some(&memory),
            },
            1,
        ),
        (
            Budget {
                insns: 100_000,
                memory: None,
            },
            0,
        ),
    ];
    let levels: &[u8] = if IS_QUICK { &[0, 2] } else { &[0] };
    for &level in levels {
        for (budget, left) in budgets {
            for granularity in [None, Some(Granularity::Function), Some(Granularity::Block)] {
                let counter = Counter::default();
                let context = linked(&(long(2000) + &chain(3)), &SystemAllocator).unwrap();
                let options = Options {
                    watch: Some(&counter),
                    codegen: mir_nostd::codegen::Options {
                        level,
                        budget,
                        ..Default::default()
                    },
                    ..Options::default()
                };
                let jit = jit(&context, backend, options);
                for number in 0..2 {
                    let module = context.module(number).unwrap();
                    match granularity {
                        Some(granularity) => jit.defer(module, granularity, &mut |_| true).unwrap(),
                        None => drop(jit.compile_module(module, &mut |_, _| {}).unwrap()),
                    }
                }
                let main = context.module(1).unwrap().callable(FuncId::new(0));
                let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
                let mut results = [Value::ZERO];
                interpreter
                    .run(main, &[Value::from_i64(3)], &mut results)
                    .unwrap();
                assert_eq!(call(&jit, main, &[3]), Ok(results[0].i64()));
                let f0 = context.module(0).unwrap().callable(FuncId::new(2));
                assert_eq!(call(&jit, f0, &[1]), Ok(4));
                let found = counter.left.load(Ordering::Relaxed);
                assert_eq!(found, left, "{level} {granularity:?} {}", budget.insns);
            }
            assert!(!memory.was_reached());
        }
    }
    assert_eq!(memory.left(), 128 << 10);
}
