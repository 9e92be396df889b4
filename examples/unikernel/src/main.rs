//! An application of the unikernel ArceOS that compiles programs in MIR. One that it vouches for
//! runs on two processors at the same time; one that nobody trusts faults, and all else goes on.
#![no_std]
#![no_main]

mod memory;

use arceos_api::modules::axhal::percpu::this_cpu_id;
use arceos_api::task::{AxCpuMask, ax_set_current_affinity};
use arceos_api::time::ax_monotonic_time;
use axstd::boxed::Box;
use axstd::{println, thread};
use core::fmt::Display;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use memory::{Code, HEAP, Lent};
use mir_nostd::confined::{Program, Space};
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::mem::Vec;
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::Value;
use mir_nostd::text;
use mir_nostd::verify::Verified;
#[cfg(target_arch = "aarch64")]
use target_aarch64 as target;
#[cfg(target_arch = "riscv64")]
use target_riscv64 as target;
#[cfg(target_arch = "x86_64")]
use target_x86_64 as target;

/// The number of processors.
const PROCESSORS: usize = 2;
/// The bytes of memory of the confined program, and of the native stack that its code may take.
const MEMORY: usize = 64 << 10;
const STACK: usize = 32 << 10;
/// The numbers of processors that are about to run the program, and that are in the middle of it.
static READY: AtomicUsize = AtomicUsize::new(0);
static HALFWAY: AtomicUsize = AtomicUsize::new(0);

/// Returns what a step made; if it failed, the application ends with the reason.
fn done<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// Counts a processor, and waits for all.
fn meet(count: &AtomicUsize, wait: fn()) {
    count.fetch_add(1, Ordering::Relaxed);
    while count.load(Ordering::Relaxed) < PROCESSORS {
        wait();
    }
}

/// An import of the program: waits until it is this far on every processor. It lets no other thread
/// run, so that they meet only if all run at the same time.
fn halfway(_found: i64) {
    meet(&HALFWAY, core::hint::spin_loop);
}

/// Returns the number of the running thread.
fn thread_number() -> usize {
    thread::current().id().as_u64().get() as usize
}

fn context_options(engine: &Engine) -> ContextOptions<'_> {
    let mut options = ContextOptions::new(&HEAP, &target::TARGET, engine);
    options.native = Some(&target::NATIVE);
    options.pages = Some(&Code);
    options.thread = Some(thread_number);
    options.hash_seed = Some(ax_monotonic_time().as_nanos() as u64);
    options
}

/// Reads the one module of a text and checks it.
fn read(text: &str) -> Verified<'static> {
    let (text, long_double) = (text.as_bytes(), target::TARGET.long_double);
    let mut modules = done(text::parse(text, &HEAP, long_double, &mut |_| {}));
    let module = modules.pop().unwrap_or_else(|| panic!("no module"));
    done(Verified::new(module, &target::TARGET, &mut |_| {}))
}

fn jit<'c, 'm>(context: &'c Context<'m>, options: Options<'m>) -> Jit<'c, 'm> {
    let (isa, native) = (&target::ISA, &target::NATIVE);
    done(Jit::new(context, isa, native, &Code, options))
}

/// Runs the program on every processor at the same time, by threads of ArceOS.
fn run_everywhere() {
    let engine = Box::leak(Box::new(Engine::new()));
    let context = Box::leak(Box::new(Context::new(context_options(engine))));
    done(context.define("halfway", &halfway));
    // SAFETY: the program touches its own memory alone.
    done(unsafe { context.load(read(include_str!("../programs/primes.mir"))) });
    done(context.link(&mut |_| None));
    let jit = Box::leak(Box::new(jit(context, Options::default())));
    let compiled = done(jit.compile_all(&mut |_, _, error| panic!("{error}")));
    println!("primes: {} functions compiled", compiled.functions);
    let jit: &'static Jit<'_, '_> = jit;
    let threads: [_; PROCESSORS] = core::array::from_fn(|processor| {
        thread::spawn(move || {
            done(ax_set_current_affinity(AxCpuMask::one_shot(processor)));
            memory::fetch_anew();
            meet(&READY, thread::yield_now);
            let count = done(jit.get::<i64, i64>("count"));
            (done(count.call(10_000)), this_cpu_id())
        })
    });
    for thread in threads {
        let (found, processor) = done(thread.join());
        println!("processor {processor}: {found} primes");
    }
    println!("{} processors met halfway", HALFWAY.load(Ordering::Relaxed));
}

/// Runs the program that nobody trusts.
fn run_confined() {
    let fuel = AtomicU64::new(1_000_000);
    let lowest = AtomicUsize::new((&raw const fuel).addr() - STACK);
    let mut memory = Vec::new(&HEAP);
    done(memory.resize(MEMORY, 0));
    let space = done(Space::new(&HEAP, &mut memory, Default::default()));
    let engine = Engine::with_fuel();
    let context = Context::new(context_options(&engine));
    let mut program = done(Program::new(&context, &space));
    done(program.load(read(include_str!("../programs/hostile.mir"))));
    done(program.link());
    let options = Options {
        fuel: Some(&fuel),
        stack_limit: Some(&lowest),
        ..Options::default()
    };
    let jit = jit(&context, options);
    done(program.compile(&jit, &mut |_, error| panic!("{error}")));
    let mut sum = [Value::ZERO];
    match program.run(&jit, b"sum", &[Value::from_u64(4096)], &mut sum) {
        Ok(()) => println!("hostile: ran to its end"),
        Err(fault) => println!("hostile: stopped: {}", fault.describe(&program)),
    }
    println!("with hostile: {}", Lent::now());
}

#[unsafe(no_mangle)]
fn main() {
    println!("at the start: {}", Lent::now());
    run_everywhere();
    let before = Lent::now();
    println!("with primes: {before}");
    run_confined();
    println!("hostile gave everything back: {}", Lent::now() == before);
    println!("the unikernel goes on");
}
