//! All that firmware needs to run a binary program, and nothing else: its size is that of the
//! library.
#![no_std]
#![no_main]

use core::alloc::Layout;
use core::cell::UnsafeCell;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};

use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::ir::Result;
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::mem::{Allocator, OutOfMemory};
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;
#[cfg(target_arch = "riscv64")]
use target_riscv64::TARGET;
#[cfg(target_arch = "x86_64")]
use target_x86_64::TARGET;

/// Memory that is handed out once.
struct Pool {
    memory: UnsafeCell<[u8; 1 << 16]>,
    used: AtomicUsize,
}

// SAFETY: each part of the memory is handed out once.
unsafe impl Sync for Pool {}

// SAFETY: blocks lie one after another and stay where they are.
unsafe impl Allocator for Pool {
    fn allocate(&self, layout: Layout) -> core::result::Result<NonNull<u8>, OutOfMemory> {
        let start = self
            .used
            .load(Ordering::Relaxed)
            .next_multiple_of(layout.align());
        let end = start
            .checked_add(layout.size())
            .filter(|end| *end <= 1 << 16)
            .ok_or(OutOfMemory)?;
        self.used.store(end, Ordering::Relaxed);
        // SAFETY: the offset is within the memory.
        NonNull::new(unsafe { self.memory.get().cast::<u8>().add(start) }).ok_or(OutOfMemory)
    }

    unsafe fn deallocate(&self, _: NonNull<u8>, _: Layout) {}
}

static POOL: Pool = Pool {
    memory: UnsafeCell::new([0; 1 << 16]),
    used: AtomicUsize::new(0),
};
static ENGINE: Engine = Engine::new();

/// Runs the function `main` of the program, and gives its result.
#[unsafe(no_mangle)]
extern "C" fn _start(program: *const u8, len: usize) -> i64 {
    // SAFETY: nobody calls this; whoever did would give a program.
    let program = unsafe { core::slice::from_raw_parts(program, len) };
    run(program).unwrap_or(-1)
}

fn run(program: &[u8]) -> Result<i64> {
    let context = Context::new(ContextOptions::new(&POOL, &TARGET, &ENGINE));
    let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
    let mut modules = binary::read(program, &POOL, &options)?;
    while let Some(module) = modules.pop() {
        let verified =
            Verified::new(module, &TARGET, &mut |_| ()).map_err(|rejected| rejected.error)?;
        // SAFETY: the program touches its own memory only.
        unsafe { context.load(verified)? };
    }
    context.link(&mut |_| None)?;
    #[cfg(feature = "jit")]
    jit::compile(&context)?;
    let mut interpreter = Interpreter::new(&context, Options::default())?;
    let mut results = [Value::ZERO];
    let ended = context
        .find_func(b"main")
        .map(|main| interpreter.run(main, &[], &mut results).is_ok());
    Ok(if ended == Some(true) {
        results[0].i64()
    } else {
        -1
    })
}

/// Compiles all that is linked.
#[cfg(feature = "jit")]
mod jit {
    use mir_nostd::ir::Result;
    use mir_nostd::link::Context;
    use mir_nostd::mem::OutOfMemory;
    use mir_nostd::run::{Jit, Options};
    use mir_nostd::target::{Pages, Region};
    use target_x86_64::{ISA, NATIVE};

    /// There are none: the program never runs.
    struct NoPages;

    // SAFETY: lends nothing.
    unsafe impl Pages for NoPages {
        fn granule(&self) -> usize {
            4096
        }

        fn reserve(&self, _: usize, _: Option<usize>) -> core::result::Result<Region, OutOfMemory> {
            Err(OutOfMemory)
        }

        unsafe fn make_writable(
            &self,
            _: &Region,
            _: usize,
            _: usize,
        ) -> core::result::Result<(), OutOfMemory> {
            Err(OutOfMemory)
        }

        unsafe fn make_executable(
            &self,
            _: &Region,
            _: usize,
            _: usize,
        ) -> core::result::Result<(), OutOfMemory> {
            Err(OutOfMemory)
        }

        unsafe fn release(&self, _: Region) {}
    }

    pub(super) fn compile(context: &Context<'_>) -> Result<()> {
        let level = context.linked_modules() as u8;
        let options = Options {
            codegen: mir_nostd::codegen::Options {
                level,
                ..Default::default()
            },
            ..Options::default()
        };
        let jit = Jit::new(context, &ISA, &NATIVE, &NoPages, options).map_err(|_| OutOfMemory)?;
        if let Some(module) = context.module(0) {
            jit.compile_module(module, &mut |_, _| ())?;
        }
        Ok(())
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
