//! Code that is made on the way, by threads at once, given back and made again.

use crate::pages::OneAddress;
use crate::prelude::*;

#[test]
fn threads_make_each_function_once() {
    let backend = testkit::host_backend();
    for granularity in GRANULARITIES {
        let counter = Counter::default();
        let context = linked(&chain(200), &SystemAllocator).unwrap();
        let options = Options {
            watch: Some(&counter),
            ..Options::default()
        };
        let jit = jit(&context, backend, options);
        jit.defer(context.module(0).unwrap(), granularity, &mut |_| true)
            .unwrap();
        let start = Barrier::new(8);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (jit, context, start) = (&jit, &context, &start);
                scope.spawn(move || {
                    start.wait();
                    for first in [thread * 25, 0] {
                        let first = function(context, &format!("f{first}"));
                        let number = call(jit, first, &[5]).unwrap();
                        assert!((5..=205).contains(&number));
                    }
                    assert_eq!(call(jit, function(context, "f0"), &[5]), Ok(205));
                    assert_eq!(call(jit, function(context, "f0"), &[2_000_000]), Ok(-1));
                });
            }
        });
        let made = counter.made.lock().unwrap();
        assert!(made.values().all(|&times| times == 1));
        assert_eq!(jit.compiled().functions, 200);
        assert_eq!(counter.left.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn code_is_made_while_other_code_runs() {
    let backend = testkit::host_backend();
    let source = "m: module
            wait: func i64, p:go
                local i64:n
                mov n, 0
            again: add n, n, 1
                beq again, i64:(go), 0
                bgt yes, n, 0
                ret 0
            yes: ret 1
            endfunc
        endmodule\n";
    let waiting = linked(source, &SystemAllocator).unwrap();
    for granularity in GRANULARITIES {
        let go = AtomicU64::new(0);
        let context = linked(&chain(100), &SystemAllocator).unwrap();
        // Each context has a compiler of its own; code of the first runs while the second
        // compiles.
        let both = jit(&waiting, backend, Options::default());
        both.defer(waiting.module(0).unwrap(), granularity, &mut |_| true)
            .unwrap();
        let jit = jit(&context, backend, Options::default());
        jit.defer(context.module(0).unwrap(), granularity, &mut |_| true)
            .unwrap();
        std::thread::scope(|scope| {
            let (both, waiting, go) = (&both, &waiting, &go);
            let address = go.as_ptr().expose_provenance() as i64;
            let waits = scope.spawn(move || call(both, function(waiting, "wait"), &[address]));
            assert_eq!(call(&jit, function(&context, "f0"), &[1]), Ok(101));
            go.store(1, Ordering::Relaxed);
            assert_eq!(waits.join().unwrap(), Ok(1));
        });
    }
}

#[test]
fn code_is_given_back_and_made_again() {
    let backend = testkit::host_backend();
    give_back_and_make_again(backend, &OneAddress::default());
    // QEMU before version 8.1 does not notice that code is changed through another mapping,
    // even if it is told to flush.
    if IS_QUICK {
        give_back_and_make_again(backend, &PAGES);
    }
}

fn give_back_and_make_again(backend: &'static dyn Backend, pages: &dyn Pages) {
    let allocator = FailingAllocator::new();
    {
        let context = linked(&chain(20), &allocator).unwrap();
        let options = Options {
            can_free: true,
            ..Options::default()
        };
        let jit = Jit::new(&context, backend, target_all::NATIVE, pages, options).unwrap();
        let module = context.module(0).unwrap();
        jit.compile_module(module, &mut |_, error| panic!("{error}"))
            .unwrap();
        let mut kept = None;
        let rounds = if IS_QUICK { 2000 } else { 240 };
        for round in 0..rounds {
            // One function in the middle is freed and compiled again, so that its callers and
            // callees meet it either way.
            let one = function(&context, &format!("f{}", round % 20));
            // SAFETY: nothing runs.
            assert!(unsafe { jit.free(one) });
            // SAFETY: as above.
            assert!(!unsafe { jit.free(one) });
            assert!(!one.is_native());
            if round % 40 < 20 {
                assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(27));
            }
            match round % 3 {
                0 => jit.compile(one).unwrap(),
                1 => jit
                    .defer(module, Granularity::Function, &mut |_| true)
                    .unwrap(),
                _ => jit
                    .defer(module, Granularity::Block, &mut |_| true)
                    .unwrap(),
            }
            assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(27));
            if round % 60 == 59 {
                let now = (allocator.live_bytes(), jit.reserved_bytes());
                let kept = *kept.get_or_insert(now);
                assert!(now.0 <= kept.0 && now.1 == kept.1, "{now:?} after {kept:?}");
            }
        }
    }
    assert_eq!(allocator.live_bytes(), 0);
}

/// Pages in which no code is left are given back, but for one region for what is made next.
#[test]
fn pages_in_which_no_code_is_left_are_given_back() {
    let context = linked(&chain(1200), &SystemAllocator).unwrap();
    let options = Options {
        can_free: true,
        ..Options::default()
    };
    let jit = jit(&context, testkit::host_backend(), options);
    let module = context.module(0).unwrap();
    for number in 0..1200 {
        jit.compile(function(&context, &format!("f{number}")))
            .unwrap();
    }
    let most = jit.reserved_bytes();
    for number in 0..1200 {
        // SAFETY: nothing runs.
        assert!(unsafe { jit.free(function(&context, &format!("f{number}"))) });
    }
    let left = jit.reserved_bytes();
    assert!(0 < left && 2 * left <= most, "{left} of {most}");
    jit.compile_module(module, &mut |_, error| panic!("{error}"))
        .unwrap();
    let first = function(&context, "f0");
    assert_eq!(call(&jit, first, &[5]), Ok(1205));
}

/// A listener that listens to nothing, and grants no fuel.
struct Idle;

impl Watch for Idle {}

impl Refuel for Idle {
    fn grants(&self, _: u64) -> bool {
        false
    }
}

#[test]
fn a_listener_may_ignore_everything() {
    let fuel = AtomicU64::new(100);
    let context = linked(&chain(3), &SystemAllocator).unwrap();
    let options = Options {
        watch: Some(&Idle),
        fuel: Some(&fuel),
        refuel: Some(&Idle),
        ..Options::default()
    };
    let shown = format!("{options:?}");
    assert!(shown.contains("watch: Some(Watch)") && shown.contains("refuel: Some(Refuel)"));
    let jit = jit(&context, testkit::host_backend(), options);
    assert!(format!("{jit:?}").contains(target_all::NATIVE.target().name));
    let module = context.module(0).unwrap();
    jit.defer(module, Granularity::Function, &mut |_| true)
        .unwrap();
    assert_eq!(call(&jit, function(&context, "f0"), &[5]), Ok(8));
}

/// Frames have a limit where the stack has one.
#[test]
fn a_function_that_is_too_large_is_left_to_the_engine() {
    let limit = AtomicUsize::new(0);
    let source = "m: module\nf: func i64, i64:n\nlocal i64:a\nalloca a, 1000000\n\
                  mov i64:(a), n\nret i64:(a)\nendfunc\nendmodule\n";
    let context = linked(source, &SystemAllocator).unwrap();
    let options = Options {
        watch: Some(&Idle),
        stack_limit: Some(&limit),
        ..Options::default()
    };
    let jit = jit(&context, testkit::host_backend(), options);
    let mut left = Vec::new();
    let module = context.module(0).unwrap();
    let compiled = jit.compile_module(module, &mut |_, error| left.push(error));
    let compiled = compiled.unwrap();
    assert_eq!((compiled.functions, compiled.left), (0, 1));
    assert_eq!(left, [codegen::Error::TooLarge]);
    assert_eq!(call(&jit, function(&context, "f"), &[5]), Ok(5));
}

/// Returns a program with a block that refers to `count` items of data and then goes to one of
/// `count` blocks, under `count` sets of properties.
fn with_many_parts(count: usize) -> String {
    let mut source = String::from("m: module\n");
    for number in 0..count {
        source += &format!("d{number}: i64 {number}\n");
    }
    source += "main: func i64, i64:n\nlocal i64:a, i64:p\nmov a, 0\n";
    for number in 0..count {
        source += &format!("mov p, d{number}\nadd a, a, i64:(p)\n");
    }
    let labels: Vec<_> = (0..count).map(|number| format!("l{number}")).collect();
    source += &format!("switch n, {}\n", labels.join(", "));
    for number in 0..count {
        source += &format!("l{number}: prset a, {number}\nmul a, a, {number}\njmp end\n");
    }
    source + "end: ret a\nendfunc\nendmodule\n"
}

/// The parts of a block are told apart, be they few or many.
#[test]
fn blocks_may_have_many_exits_constants_and_properties() {
    let backend = testkit::host_backend();
    for count in [3, 8, 9, 10, 40] {
        let context = linked(&with_many_parts(count), &SystemAllocator).unwrap();
        let jit = jit(&context, backend, Options::default());
        let module = context.module(0).unwrap();
        jit.defer(module, Granularity::Block, &mut |_| true)
            .unwrap();
        let sum = (0..count as i64).sum::<i64>();
        for number in (0..count as i64).rev() {
            let called = call(&jit, function(&context, "main"), &[number]);
            assert_eq!(called, Ok(sum * number));
        }
    }
}
