//! Compiling what is linked, and calling it.

use super::helpers::{self, Fault, Run, Runtime};
use super::memory::CodeMemory;
use crate::codegen::{Compiler, Error};
use crate::ir::{FuncId, ItemKind};
use crate::link::{Callable, Context, LinkedModule};
use crate::machine::Symbol;
use crate::mem::{Box, Entity, OutOfMemory, Vec};
use crate::target::{Argument, Isa, Native, Pages, Plan, PlanError, Signature, Value};
use core::fmt;
use spin::Mutex;

/// Compiles functions of a context and calls them.
///
/// Dropping it gives the code back, so nothing may call it any more.
pub struct Jit<'c, 'm> {
    context: &'c Context<'m>,
    runtime: Box<'m, Runtime<'m>>,
    state: Mutex<State<'m>>,
}

/// What one thread at a time uses.
struct State<'m> {
    compiler: Compiler<'m>,
    memory: CodeMemory<'m>,
    batch: Batch<'m>,
}

/// How functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How much is done for the code's speed: 0, 1, or 2 and more for small functions inlined.
    pub level: u8,
    /// Whether every register allocation is proven right; a function whose allocation is not is left uncompiled.
    pub check_allocation: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            level: 1,
            check_allocation: false,
        }
    }
}

/// Functions compiled one after the other, before their code has an address.
struct Batch<'m> {
    code: Vec<'m, u8>,
    /// Where each function of the module begins; `u32::MAX` for those not compiled.
    starts: Vec<'m, u32>,
    references: Vec<'m, Reference>,
    lrefs: Vec<'m, LabelReference>,
}

/// Eight bytes of code that hold an address.
#[derive(Clone, Copy)]
struct Reference {
    at: u32,
    symbol: Symbol,
    addend: i64,
}

/// Eight bytes of data that hold a label's address or the difference of two.
#[derive(Clone, Copy)]
struct LabelReference {
    address: usize,
    label: u32,
    label2: Option<u32>,
    disp: i64,
}

/// What compiling a module gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compiled {
    /// Functions that are compiled.
    pub functions: u32,
    /// Functions that stay with the context's engine.
    pub left: u32,
    /// Bytes of code, constants and tables included.
    pub bytes: u64,
}

/// Why a call of compiled code gave no results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallError {
    /// The code faulted.
    Fault(Fault),
    /// No memory for making the call.
    OutOfMemory,
    /// The numbers of arguments or results are not those of the function, or it is no linked function.
    Signature,
    /// The arguments take too much stack.
    TooLarge,
}

impl From<OutOfMemory> for CallError {
    fn from(_: OutOfMemory) -> CallError {
        CallError::OutOfMemory
    }
}

impl From<PlanError> for CallError {
    fn from(error: PlanError) -> CallError {
        match error {
            PlanError::OutOfMemory => CallError::OutOfMemory,
            PlanError::TooLarge => CallError::TooLarge,
        }
    }
}

impl fmt::Debug for Jit<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jit")
            .field("runtime", &*self.runtime)
            .finish_non_exhaustive()
    }
}

impl<'c, 'm> Jit<'c, 'm> {
    /// A compiler for functions of `context`, whose target must be that of `isa`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn new(
        context: &'c Context<'m>,
        isa: &'m dyn Isa,
        native: &'m dyn Native,
        pages: &'m dyn Pages,
        options: Options,
    ) -> Result<Jit<'c, 'm>, OutOfMemory> {
        let allocator = context.allocator();
        let mut compiler = Compiler::new(isa, allocator);
        compiler.level = options.level;
        compiler.check_allocation = options.check_allocation;
        let runtime = Runtime::new(native);
        Ok(Jit {
            context,
            runtime: Box::new(allocator, runtime)?,
            state: Mutex::new(State {
                compiler,
                memory: CodeMemory::new(pages, allocator),
                batch: Batch {
                    code: Vec::new(allocator),
                    starts: Vec::new(allocator),
                    references: Vec::new(allocator),
                    lrefs: Vec::new(allocator),
                },
            }),
        })
    }

    /// Compiles all functions of a linked module; calls of them go to the code from then on. Functions that cannot be
    /// compiled stay as they are, and `left` is told why.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; nothing is changed then.
    pub fn compile_module(
        &self,
        module: &LinkedModule<'m>,
        left: &mut dyn FnMut(FuncId, Error),
    ) -> Result<Compiled, OutOfMemory> {
        let state = &mut *self.state.lock();
        state.batch.clear();
        let mut compiled = Compiled::default();
        for (func, _) in module.module().funcs() {
            match state.compile(module, func) {
                Ok(()) => compiled.functions += 1,
                Err(Error::OutOfMemory) => return Err(OutOfMemory),
                Err(error) => {
                    left(func, error);
                    state.batch.starts.push(u32::MAX)?;
                    compiled.left += 1;
                }
            }
        }
        compiled.bytes = state.batch.code.len() as u64;
        if compiled.functions > 0 {
            self.publish(state, module)?;
        }
        Ok(compiled)
    }

    /// Puts the batch into pages and leads the functions' entries there.
    fn publish(&self, state: &mut State<'m>, module: &LinkedModule<'m>) -> Result<(), OutOfMemory> {
        let Batch {
            code,
            starts,
            references,
            lrefs,
        } = &mut state.batch;
        let resolve =
            |reference: &Reference, base: usize| self.resolve(module, reference, starts, base);
        let big_endian = self.context.target().big_endian;
        let base = state.memory.add(code, |code, base| {
            for reference in references.iter() {
                let address =
                    resolve(reference, base).wrapping_add_signed(reference.addend as isize);
                let bytes = if big_endian {
                    address.to_be_bytes()
                } else {
                    address.to_le_bytes()
                };
                if let Some(place) = code
                    .get_mut(reference.at as usize..)
                    .and_then(|rest| rest.get_mut(..8))
                {
                    place.copy_from_slice(&bytes);
                }
            }
        })?;
        for reference in lrefs.iter() {
            let value = match reference.label2 {
                Some(other) => i64::from(reference.label) - i64::from(other),
                None => (base as i64).wrapping_add(i64::from(reference.label)),
            };
            let value = value.wrapping_add(reference.disp);
            let place = core::ptr::with_exposed_provenance_mut::<i64>(reference.address);
            // SAFETY: the address of an `lref` item, eight bytes of the module's data that nobody reads before the
            // function first ran.
            unsafe { place.write_unaligned(value) };
        }
        for (number, &start) in starts.iter().enumerate() {
            if start != u32::MAX {
                let callable = module.callable(FuncId::new(number as u32));
                callable.redirect(base + start as usize);
            }
        }
        Ok(())
    }

    /// The address that a reference stands for.
    fn resolve(
        &self,
        module: &LinkedModule<'m>,
        reference: &Reference,
        starts: &[u32],
        base: usize,
    ) -> usize {
        match reference.symbol {
            Symbol::Item(item) => module.item_address(item),
            Symbol::Callee(item) => {
                if let ItemKind::Func(func) = module.module().item(item).kind
                    && let Some(&start) = starts.get(func.index())
                    && start != u32::MAX
                {
                    return base + start as usize;
                }
                module.item_address(item)
            }
            Symbol::Str(string) => module.str_address(string),
            Symbol::Helper(number) => helpers::address(number),
            Symbol::Callable(func) => core::ptr::from_ref(module.callable(func)).addr(),
            Symbol::Runtime => core::ptr::from_ref(&*self.runtime).expose_provenance(),
        }
    }

    /// Calls a function by its address with one value per argument, and stores one per result.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    ///
    /// # Safety
    ///
    /// The function keeps to memory that is its own, as any native code must; arguments that are blocks or addresses
    /// are good for what it does with them.
    pub unsafe fn call(
        &self,
        callable: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), CallError> {
        let (module, func) = callable.func().ok_or(CallError::Signature)?;
        let module = module.module();
        let signature = &module.func(func).signature;
        let allocator = self.context.allocator();
        let mut types = Vec::new(allocator);
        for arg in module.args(signature) {
            types.push(Argument {
                ty: arg.ty,
                size: u64::from(arg.size),
            })?;
        }
        if types.len() != arguments.len() || module.results(signature).len() != results.len() {
            return Err(CallError::Signature);
        }
        let planned = Signature {
            results: module.results(signature),
            arguments: &types,
            variadic: signature.is_vararg().then_some(types.len()),
        };
        let plan = Plan::new(self.context.target(), &planned, allocator)?;
        let mut call = Call {
            plan: &plan,
            native: self.runtime.native(),
            address: callable.address(),
            arguments,
            results,
        };
        let mut run = Run::new();
        let run = &raw mut run;
        // SAFETY: the run stays here until it is removed; `perform` takes the call; the function is one of the plan's
        // signature, and the caller vouches for what it does.
        unsafe {
            self.runtime.add(run);
            let native = self.runtime.native();
            let jumped = native.guarded(&raw mut (*run).guard, perform, (&raw mut call).cast());
            self.runtime.remove(run);
            if jumped {
                return Err(CallError::Fault((*run).fault()));
            }
        }
        Ok(())
    }
}

/// A call about to be made.
struct Call<'a> {
    plan: &'a Plan<'a>,
    native: &'a dyn Native,
    address: usize,
    arguments: &'a [Value],
    results: &'a mut [Value],
}

/// # Safety
///
/// `call` is a [`Call`] of a function that may be called so.
unsafe extern "C" fn perform(call: *mut ()) {
    // SAFETY: by the caller's word.
    unsafe {
        let call = &mut *call.cast::<Call<'_>>();
        call.plan
            .call(call.native, call.address, call.arguments, call.results);
    }
}

impl<'m> State<'m> {
    /// Compiles a function and adds its code to the batch.
    fn compile(&mut self, module: &LinkedModule<'m>, func: FuncId) -> Result<(), Error> {
        let offsets = self.compiler.compile(module.module(), func)?;
        let Batch {
            code,
            starts,
            references,
            lrefs,
        } = &mut self.batch;
        let start = code.len().next_multiple_of(16);
        let first = u32::try_from(start).map_err(|_| Error::TooLarge)?;
        let compiled = &self.compiler.code;
        let filler = code.len();
        code.resize(start, 0)?;
        if let Some(gap) = code.get_mut(filler..) {
            self.compiler.isa().pad(gap);
        }
        code.extend_from_slice(&compiled.bytes)?;
        for relocation in &compiled.relocations {
            references.push(Reference {
                at: first + relocation.at,
                symbol: self.compiler.function.symbol(relocation.symbol),
                addend: relocation.addend,
            })?;
        }
        let place = |label| {
            let block = self.compiler.labels.block(label)?;
            Some(first + offsets.blocks.get(block.index())?)
        };
        if module.module().has_lrefs() {
            for lref in module.lrefs(func) {
                lrefs.push(LabelReference {
                    address: lref.address,
                    label: place(lref.label).unwrap_or(0),
                    label2: lref.label2.and_then(place),
                    disp: lref.disp,
                })?;
            }
        }
        starts.push(first)?;
        Ok(())
    }
}

impl Batch<'_> {
    fn clear(&mut self) {
        self.code.clear();
        self.starts.clear();
        self.references.clear();
        self.lrefs.clear();
    }
}
