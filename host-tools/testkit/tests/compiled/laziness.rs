//! Code that is made on the way, by threads at once, given back and made again.

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

/// A listener that has another thread call a function while it is being made.
struct Interrupting {
    begun: Barrier,
    made: AtomicUsize,
}

impl Watch for Interrupting {
    fn begins(&self, _: &Callable<'_>) {
        self.begun.wait();
        // The other thread now comes to the function, unless it is very slow.
        std::thread::sleep(core::time::Duration::from_millis(20));
    }

    fn made(&self, _: &Callable<'_>, _: usize, _: usize, _: Option<u32>) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_thread_waits_for_the_function_that_another_makes() {
    let watch = Interrupting {
        begun: Barrier::new(2),
        made: AtomicUsize::new(0),
    };
    let context = linked(&chain(1), &SystemAllocator).unwrap();
    let options = Options {
        watch: Some(&watch),
        ..Options::default()
    };
    let jit = jit(&context, testkit::host_backend(), options);
    let module = context.module(0).unwrap();
    jit.defer(module, Granularity::Function, &mut |_| true)
        .unwrap();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| call(&jit, function(&context, "f0"), &[5]));
        watch.begun.wait();
        assert_eq!(call(&jit, function(&context, "f0"), &[6]), Ok(7));
        assert_eq!(first.join().unwrap(), Ok(6));
    });
    assert_eq!(watch.made.load(Ordering::Relaxed), 1);
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
    give_back_and_make_again(backend, &mir_host::PrivatePages);
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
pub(crate) struct Idle;

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

/// Functions go through the stages that the embedder chooses, whichever way they are compiled.
#[test]
fn code_is_made_by_the_stages_of_the_embedder() {
    let backend = testkit::host_backend();
    let count = AtomicUsize::new(0);
    let run = |_: &mut codegen::Work<'_, '_>| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let mut stages = backend.stages(1).to_vec();
    let translated = codegen::Stage::new("count", codegen::Form::Generic, &run);
    stages.insert(1, translated);
    let context = linked(&chain(3), &SystemAllocator).unwrap();
    let options = Options {
        // SAFETY: the further stage changes nothing.
        stages: Some(unsafe { Stages::new(&stages) }),
        ..Options::default()
    };
    let jit = jit(&context, backend, options);
    let module = context.module(0).unwrap();
    jit.defer(module, Granularity::Function, &mut |_| true)
        .unwrap();
    assert_eq!(call(&jit, function(&context, "f1"), &[5]), Ok(7));
    assert_eq!(count.load(Ordering::Relaxed), 2);
    jit.compile_module(module, &mut |_, error| panic!("{error}"))
        .unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 3);
}

/// Frames have a limit where the stack has one. The others of the module are compiled all the same.
#[test]
fn a_function_that_is_too_large_is_left_to_the_engine() {
    let limit = AtomicUsize::new(0);
    let source = "m: module\nf: func i64, i64:n\nlocal i64:a\nalloca a, 1000000\n\
                  mov i64:(a, n), n\nret i64:(a, n)\nendfunc\n\
                  g: func i64, i64:n\nret n\nendfunc\nendmodule\n";
    for (can_free, level) in [(false, 0), (true, 0), (false, 3), (true, 3)] {
        let context = linked(source, &SystemAllocator).unwrap();
        let options = Options {
            codegen: proven(level),
            can_free,
            watch: Some(&Idle),
            stack_limit: Some(&limit),
            ..Options::default()
        };
        let jit = jit(&context, testkit::host_backend(), options);
        let mut left = Vec::new();
        let module = context.module(0).unwrap();
        let compiled = jit.compile_module(module, &mut |_, error| left.push(error));
        let compiled = compiled.unwrap();
        assert_eq!((compiled.functions, compiled.left), (1, 1));
        assert_eq!(left, [codegen::Error::TooLarge]);
        assert_eq!(call(&jit, function(&context, "f"), &[5]), Ok(5));
        assert_eq!(call(&jit, function(&context, "g"), &[6]), Ok(6));
    }
}

/// Control that comes to a block with yet another set of properties takes the version that assumes
/// nothing of them.
#[test]
fn a_block_has_no_more_versions_than_it_may() {
    let mut source = String::from(
        "m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, n\nswitch n, l0, l1, l2, l3, l4\n",
    );
    for number in 0..5 {
        source += &format!("l{number}: prset a, {}\njmp end\n", number + 1);
    }
    source += "end: prbeq last, a, 5\nret 1\nlast: ret 2\nendfunc\nendmodule\n";
    for (versions, order, expected) in [
        // The property of the last way is 5.
        (5, [0, 1, 2, 3, 4], [1, 1, 1, 1, 2]),
        (2, [0, 1, 2, 3, 4], [1, 1, 1, 1, 1]),
        (2, [4, 3, 2, 1, 0], [2, 1, 1, 1, 1]),
    ] {
        let counter = Counter::default();
        let context = linked(&source, &SystemAllocator).unwrap();
        let options = Options {
            versions,
            watch: Some(&counter),
            ..Options::default()
        };
        let jit = jit(&context, testkit::host_backend(), options);
        let module = context.module(0).unwrap();
        jit.defer(module, Granularity::Block, &mut |_| true)
            .unwrap();
        let found = order.map(|n| call(&jit, function(&context, "main"), &[n]).unwrap());
        assert_eq!(found, expected, "{versions}, {order:?}");
        let made = counter.made.lock().unwrap();
        let most = made.values().max().copied();
        assert_eq!(most, Some(versions as usize + usize::from(versions < 5)));
    }
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
