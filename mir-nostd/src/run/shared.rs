//! What one compiler's functions have in common.

use super::batch::Batch;
use super::helpers::Runtime;
use super::jit::{Compiled, Options};
use super::memory::CodeMemory;
use super::unit::Adopted;
use crate::codegen::Backend;
use crate::codegen::{Compiler, Error, FuncName, Limits};
use crate::link::{Callable, Context, Leftover};
use crate::mem::{Allocator, Box, OutOfMemory, Vec};
use crate::target::{Native, Pages};
use core::ptr::NonNull;
use spin::Mutex;

/// What one compiler's functions have in common; it stays at its place as long as there is code.
#[repr(C)]
pub(super) struct Shared<'m> {
    /// The first field, by which the context frees the whole.
    pub(super) leftover: Leftover,
    pub(super) runtime: Runtime<'m>,
    pub(super) allocator: &'m dyn Allocator,
    pub(super) isa: &'m dyn Backend,
    pub(super) options: Options<'m>,
    pub(super) state: Mutex<State<'m>>,
}

/// What one thread at a time uses.
pub(super) struct State<'m> {
    pub(super) memory: CodeMemory<'m>,
    pub(super) modules: Adopted<'m>,
    /// Those that do not work.
    workers: Vec<'m, Box<'m, Worker<'m>>>,
    pub(super) compiled: Compiled,
}

/// What compiling takes: one per thread that compiles.
pub(super) struct Worker<'m> {
    pub(super) compiler: Compiler<'m>,
    pub(super) batch: Batch<'m>,
}

/// Frees what a compiler left to its context.
///
/// # Safety
///
/// It is the head of a [`Shared`] that was taken out of its box; nobody is in its code, or uses its units.
unsafe fn free(leftover: *mut Leftover) {
    let Some(shared) = NonNull::new(leftover.cast::<Shared<'_>>()) else {
        return;
    };
    // SAFETY: by the caller's word; the head is the first field, and the pointer that to the whole.
    unsafe {
        let allocator = (*shared.as_ptr()).allocator;
        drop(Box::from_raw(allocator, shared));
    }
}

impl<'m> Shared<'m> {
    pub(super) fn new(
        context: &Context<'m>,
        isa: &'m dyn Backend,
        native: &'m dyn Native,
        pages: &'m dyn Pages,
        options: Options<'m>,
    ) -> Result<Shared<'m>, OutOfMemory> {
        let allocator = context.allocator();
        Ok(Shared {
            leftover: Leftover::new(free),
            runtime: Runtime::new(context.anchor()?, native, options.watch),
            allocator,
            isa,
            options,
            state: Mutex::new(State {
                memory: CodeMemory::new(pages, allocator, isa.description().code_align as usize),
                modules: Adopted::new(allocator),
                workers: Vec::new(allocator),
                compiled: Compiled::default(),
            }),
        })
    }

    pub(super) fn native(&self) -> &'m dyn Native {
        self.runtime.native()
    }

    /// Has `work` done by a worker that nobody else uses meanwhile.
    pub(super) fn with_worker<R, E: From<OutOfMemory>>(
        &self,
        work: impl FnOnce(&mut Worker<'m>) -> Result<R, E>,
    ) -> Result<R, E> {
        let mut worker = self.take_worker()?;
        let done = work(&mut worker);
        // Without memory the worker is given up.
        let _: Result<(), OutOfMemory> = self.state.lock().workers.push(worker);
        done
    }

    #[inline(never)]
    fn take_worker(&self) -> Result<Box<'m, Worker<'m>>, OutOfMemory> {
        let idle = self.state.lock().workers.pop();
        let mut worker = match idle {
            Some(worker) => worker,
            None => self.new_worker()?,
        };
        worker.compiler.callees = None;
        worker.compiler.level = self.options.level;
        worker.compiler.stages = self.options.stages.map(|stages| stages.0);
        worker.compiler.check_allocation = self.options.check_allocation;
        worker.compiler.landing_pads = self.options.landing_pads;
        worker.compiler.debug = self.options.debug;
        worker.compiler.budget = self.options.budget;
        worker.compiler.limits = Limits {
            fuel: self.options.fuel.is_some(),
            stack: self.options.stack_limit.is_some(),
        };
        worker.batch.clear();
        Ok(worker)
    }

    fn new_worker(&self) -> Result<Box<'m, Worker<'m>>, OutOfMemory> {
        let compiler = match self.options.budget.memory {
            Some(memory) => Compiler::new(self.isa, memory),
            None => Compiler::new(self.isa, self.allocator),
        };
        let batch = Batch::new(self.allocator);
        Box::new(self.allocator, Worker { compiler, batch })
    }

    /// Counts what was made, and tells whoever watches. `bytes` are of code that runs at `address`.
    pub(super) fn made(
        &self,
        callable: &Callable<'m>,
        address: usize,
        bytes: usize,
        block: Option<u32>,
    ) {
        {
            let compiled = &mut self.state.lock().compiled;
            compiled.functions += u32::from(block.is_none_or(|block| block == 0));
            compiled.blocks += u32::from(block.is_some());
            compiled.bytes += bytes as u64;
        }
        let debug = self.options.debug.filter(|_| cfg!(feature = "listing"));
        if let (Some(debug), Some(block)) = (debug, block) {
            let name = FuncName(
                callable
                    .func()
                    .map(|(linked, func)| (linked.module(), func)),
            );
            let message = format_args!("{name}: block {block}: {bytes} bytes\n");
            debug.sink.say(message);
        }
        if let Some(watch) = self.options.watch {
            watch.made(callable, address, bytes, block);
        }
    }

    /// As [`Shared::made`], of a function that is left to the context's engine.
    pub(super) fn left(&self, callable: &Callable<'m>, error: Error) {
        self.state.lock().compiled.left += 1;
        if let Some(watch) = self.options.watch {
            watch.left(callable, error);
        }
    }
}
