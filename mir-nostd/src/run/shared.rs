//! The data that one compiler's functions share.

use super::batch::Batch;
use super::helpers::{self, Runtime};
use super::memory::{CodeMemory, Piece};
use super::options::{Compiled, Options};
use super::trace::Noted;
use crate::codegen::Backend;
use crate::codegen::{Compiler, Error, Execution, FuncName, Helper, Limits};
use crate::ir::{FuncId, ItemId, ItemKind};
use crate::link::{Callable, Context, LinkedModule, TracedCode, TracedFunction, TracedPiece};
use crate::machine::{HelperId, Symbol};
use crate::mem::{Allocator, Box, OutOfMemory, Vec};
use crate::target::{Native, Pages};
use core::sync::atomic::{AtomicU64, AtomicUsize};
use spin::Mutex;

/// The data that one compiler's functions share; it stays at its place as long as there is code.
pub(super) struct Shared<'m> {
    pub(super) runtime: Runtime<'m>,
    pub(super) allocator: &'m dyn Allocator,
    pub(super) isa: &'m dyn Backend,
    pub(super) options: Options<'m>,
    /// Finds the code of a function that stays as long as the compiler does.
    code_of: CodeOf<'m>,
    pub(super) state: Mutex<LockedState<'m>>,
}

/// A function that returns where the code of another begins that stays as long as the compiler
/// does.
pub(super) type CodeOf<'m> = fn(&Shared<'m>, &Callable<'m>) -> Option<usize>;

/// The part that one thread at a time uses.
pub(super) struct LockedState<'m> {
    pub(super) memory: CodeMemory<'m>,
    /// The workers that are idle.
    workers: Vec<'m, Box<'m, Worker<'m>>>,
    pub(super) compiled: Compiled,
}

/// The memory that compiling takes: one per thread that compiles.
pub(super) struct Worker<'m> {
    pub(super) compiler: Compiler<'m>,
    pub(super) batch: Batch<'m>,
}

impl<'m> Shared<'m> {
    /// True if code takes fuel and keeps to a limit of the stack.
    pub(super) fn has_limits(&self) -> bool {
        self.options.fuel.is_some() && self.options.stack_limit.is_some()
    }

    pub(super) fn new(
        context: &Context<'m>,
        isa: &'m dyn Backend,
        native: &'m dyn Native,
        pages: &'m dyn Pages,
        options: Options<'m>,
        code_of: CodeOf<'m>,
    ) -> Result<Shared<'m>, OutOfMemory> {
        let allocator = context.allocator();
        let description = isa.description();
        let align = match options.codegen.built_level() {
            ..2 => description.code_align,
            _ => description.code_align.max(description.line_bytes),
        };
        Ok(Shared {
            runtime: Runtime::new(context.anchor()?, native, &options),
            allocator,
            isa,
            options,
            code_of,
            state: Mutex::new(LockedState {
                memory: CodeMemory::new(pages, allocator, align as usize),
                workers: Vec::new(allocator),
                compiled: Compiled::default(),
            }),
        })
    }

    /// Puts the code of a batch into executable memory; returns the piece.
    pub(super) fn place(
        &self,
        batch: &mut Batch<'m>,
        linked: &LinkedModule<'m>,
    ) -> Result<Piece, OutOfMemory> {
        let is_big_endian = self.isa.target().big_endian;
        let memory = &mut self.state.lock().memory;
        let piece = batch.place(memory, is_big_endian, |symbol, own| {
            self.address(symbol, linked, own)
        })?;
        match self.note_code(&mut batch.noted, piece.run) {
            Ok(()) => Ok(piece),
            Err(error) => {
                memory.give_back(piece);
                Err(error)
            }
        }
    }

    /// Returns the compiled code of the confined programs of the context.
    pub(super) fn traced(&self) -> &Mutex<TracedCode<'m>> {
        self.runtime.traced()
    }

    /// Returns the number by which the compiler is known where its code is noted.
    pub(super) fn number(&self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    /// Notes functions and their code, which runs from `base` on.
    pub(super) fn note_code(
        &self,
        noted: &mut Vec<'m, Noted<'m>>,
        base: usize,
    ) -> Result<(), OutOfMemory> {
        if noted.is_empty() {
            return Ok(());
        }
        let mut traced = self.traced().lock();
        while let Some((function, mut piece)) = noted.pop() {
            self.note_function(&mut traced, function)?;
            (piece.start, piece.end) = (piece.start + base, piece.end + base);
            self.note_piece(&mut traced, piece)?;
        }
        Ok(())
    }

    pub(super) fn note_function(
        &self,
        traced: &mut TracedCode<'m>,
        function: TracedFunction<'m>,
    ) -> Result<(), OutOfMemory> {
        let compiler = self.number();
        traced.add_function(TracedFunction {
            compiler,
            ..function
        })
    }

    pub(super) fn note_piece(
        &self,
        traced: &mut TracedCode<'m>,
        piece: TracedPiece<'m>,
    ) -> Result<(), OutOfMemory> {
        let compiler = self.number();
        traced.add_piece(TracedPiece { compiler, ..piece })
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
        worker.compiler.options = self.options.codegen;
        worker.compiler.stages = self.options.stages.map(|stages| stages.0);
        worker.compiler.execution = Execution {
            limits: Limits {
                fuel: self.options.charged(),
                stack: self.options.stack_limit.is_some(),
            },
            lines: self.options.watch.is_some_and(|watch| watch.wants_lines()),
            ..Execution::DEFAULT
        };
        worker.batch.clear();
        Ok(worker)
    }

    fn new_worker(&self) -> Result<Box<'m, Worker<'m>>, OutOfMemory> {
        let compiler = match self.options.codegen.budget.memory {
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
        let debug = self
            .options
            .codegen
            .debug
            .filter(|_| cfg!(feature = "listing"));
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

    /// Does as [`Shared::made`] for a function that is left to the context's engine.
    pub(super) fn left(&self, callable: &Callable<'m>, error: Error) {
        self.state.lock().compiled.left += 1;
        if let Some(watch) = self.options.watch {
            watch.left(callable, error);
        }
    }

    /// Returns the address that a symbol stands for. `own` finds code that is made together with
    /// what refers to it.
    pub(super) fn address(
        &self,
        symbol: Symbol,
        linked: &LinkedModule<'m>,
        own: impl Fn(FuncId) -> Option<usize>,
    ) -> usize {
        match symbol {
            Symbol::Item(item) => linked.item_address(item),
            Symbol::Callee(item) => self.callee(linked, item, own),
            Symbol::Str(string) => linked.str_address(string),
            Symbol::Helper(helper) => self.helper(helper),
            Symbol::Callable(func) => {
                core::ptr::from_ref(linked.callable(func)).expose_provenance()
            }
            Symbol::Runtime => core::ptr::from_ref(&self.runtime).expose_provenance(),
        }
    }

    /// Returns the address of a routine, or of a word of the embedder's.
    fn helper(&self, helper: HelperId) -> usize {
        let options = &self.options;
        let fuel = |fuel| core::ptr::from_ref::<AtomicU64>(fuel).expose_provenance();
        let stack = |limit| core::ptr::from_ref::<AtomicUsize>(limit).expose_provenance();
        match Helper::of(helper) {
            Some(Helper::FuelWord) => options.fuel.map_or(0, fuel),
            Some(Helper::StackWord) => options.stack_limit.map_or(0, stack),
            _ => helpers::address(helper.number()),
        }
    }

    /// Returns the place that a call of an item goes to: code directly where that stays, else the
    /// function's address.
    fn callee(
        &self,
        linked: &LinkedModule<'m>,
        item: ItemId,
        own: impl Fn(FuncId) -> Option<usize>,
    ) -> usize {
        let code = match linked.module().item(item).kind {
            ItemKind::Func(func) => {
                own(func).or_else(|| (self.code_of)(self, linked.callable(func)))
            }
            _ => None,
        };
        code.unwrap_or_else(|| linked.item_address(item))
    }
}
