//! Confined programs: definition of imports, loading, linking.

use super::fault::Fault;
use super::layout::{Free, Meaning, Placed, Role, at_item, write};
use super::linkage::{Definition, ImportRow, Linkage, Row, Source, handle};
use super::needed::needed;
use super::rewrite::{Environment, Rewritten, global_name, rewrite};
use super::space::{ConfinedFn, Space};
use super::typed::ImportFn;
use crate::interp::Interpreter;
use crate::ir::{
    ItemId, ItemKind, Module, Phase, Problem, Result, SignatureSpec, Type, by_priority,
};
use crate::link::{Access, Context, Typed, Window, with_signature};
use crate::mem::{Allocator, Vec};
use crate::verify::Verified;
use core::fmt;
use core::ops::Range;
use core::sync::atomic::Ordering;

/// A linked module of a program.
pub(super) struct Part<'m> {
    /// The number of the module in its context.
    pub(super) number: usize,
    /// For each instruction the number in its function of the one that it was made for.
    pub(super) origins: Vec<'m, u32>,
}

/// A confined program: its modules, its imports and its memory. See the
/// [module's page](crate::confined).
pub struct Program<'c, 'm> {
    pub(super) context: &'c Context<'m>,
    pub(super) space: &'m Space<'m>,
    /// The number of the program in its context.
    pub(super) number: u32,
    pub(super) linkage: Linkage<'m>,
    imports: Vec<'m, ImportRow<'m>>,
    loaded: Vec<'m, (Module<'m>, Role)>,
    pub(super) parts: Vec<'m, Part<'m>>,
    /// The rows of the table of functions: the number of the signature, the address in the host.
    pub(super) functions: Vec<'m, [u64; 2]>,
    /// The values of the functions that run before `main` and after it, in their orders.
    pub(super) constructors: Vec<'m, u64>,
    pub(super) destructors: Vec<'m, u64>,
    /// The addresses of the program that neither data nor stack take.
    pub(super) heap: Range<u64>,
    pub(super) is_linked: bool,
    pub(super) interpreter: Interpreter<'c, 'm>,
    /// The fault that the last run ended with.
    pub(super) fault: Option<Fault>,
}

impl<'c, 'm> Program<'c, 'm> {
    /// Returns a program without modules, whose memory is that of the space.
    ///
    /// # Errors
    ///
    /// The context's engine does not count fuel; the space is another program's; out of memory.
    pub fn new(context: &'c Context<'m>, space: &'m Space<'m>) -> Result<Program<'c, 'm>> {
        if !context.counts_fuel() {
            return Err(Problem::ConfinedFuel.into());
        }
        let allocator = context.allocator();
        let options = crate::interp::Options {
            stack: usize::MAX,
            depth: usize::MAX,
            fuel: 0,
        };
        let interpreter = Interpreter::new(context, options)?;
        if !space.take() {
            return Err(Problem::ConfinedSpace.into());
        }
        Ok(Program {
            context,
            space,
            number: context.next_program(),
            linkage: Linkage::new(allocator),
            imports: Vec::new(allocator),
            loaded: Vec::new(allocator),
            parts: Vec::new(allocator),
            functions: Vec::new(allocator),
            constructors: Vec::new(allocator),
            destructors: Vec::new(allocator),
            heap: 0..0,
            is_linked: false,
            interpreter,
            fault: None,
        })
    }

    /// Defines an import: a closure with its signature, without blocks and variable arguments.
    ///
    /// # Errors
    ///
    /// The name is taken; the program is linked; the signature has blocks or variable arguments;
    /// out of memory.
    pub fn define(
        &mut self,
        name: &[u8],
        signature: SignatureSpec<'_>,
        function: &'m dyn ConfinedFn,
    ) -> Result<()> {
        let allocator = self.context.allocator();
        let mut arguments = Vec::new(allocator);
        for arg in signature.args {
            arguments.push(arg.ty)?;
        }
        if signature.vararg || arguments.iter().any(|ty| ty.is_block()) {
            return Err(Problem::ConfinedImport.into());
        }
        if self.is_linked {
            return Err(Problem::ConfinedLinked.into());
        }
        if self.linkage.find(name).is_some() {
            return Err(Problem::RedefinedExport.into());
        }
        let results = Vec::from_slice(allocator, signature.results)?;
        let global = global_name(allocator, self.number, name)?;
        let host = self.space.import(function)?;
        self.context.add_host_fn(&global, signature, host)?;
        let kind = self.linkage.signatures.number_of(&results, &arguments)?;
        let source = Source::Import(self.imports.len() as u32);
        self.imports.push(ImportRow { results, arguments })?;
        let row = Row {
            signature: kind,
            source,
        };
        let number = self.linkage.add(row)?;
        self.linkage.define(name, Definition::Function(number))?;
        Ok(())
    }

    /// Defines an import: a closure that takes the program's memory and up to eight numbers, and
    /// returns nothing, one number, or a `Result` of either. Its signature follows from its types:
    /// `i64`, `u64`, `i32`, `u32`, `f32` and `f64`; pointers are `u64`.
    ///
    /// ```
    /// # use mir_nostd::confined::{Memory, Options, Program, Space};
    /// # use mir_nostd::interp::Engine;
    /// # use mir_nostd::ir::Error;
    /// # use mir_nostd::link::{Context, ContextOptions, HostError};
    /// # use mir_nostd::target::Value;
    /// # use mir_nostd::verify::Verified;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = testkit::SystemAllocator;
    /// # let target = &target_x86_64::TARGET;
    /// let text = b"m: module
    /// import scale
    /// export main
    /// p: proto d, p:at, u64:count, d:by
    /// main: func d, p:at
    ///  local d:sum
    ///  call p, scale, sum, at, 2, 0.5
    ///  ret sum
    /// endfunc
    /// endmodule
    /// ";
    /// # let module = mir_nostd::text::parse(text, &system, target.long_double, &mut |_| {});
    /// # let module = module?.pop().ok_or("no module")?;
    /// // Scales bytes of the program's, and returns their sum.
    /// let scale = |memory: &mut Memory<'_>, at: u64, count: u64, by: f64| {
    ///     let bytes = memory.slice_mut(at, count)?;
    ///     for byte in &mut *bytes {
    ///         *byte = (f64::from(*byte) * by) as u8;
    ///     }
    ///     Ok::<f64, HostError>(bytes.iter().copied().map(f64::from).sum())
    /// };
    /// let mut memory = [8; 4096];
    /// let space = Space::new(&system, &mut memory, Options::default())?;
    /// let engine = Engine::with_fuel();
    /// let context = Context::new(ContextOptions::new(&system, target, &engine));
    /// let mut program = Program::new(&context, &space)?;
    /// program.define_fn(b"scale", &scale)?;
    /// program.load(Verified::new(module, target, &mut |_| {}).map_err(Error::from)?)?;
    /// program.link()?;
    /// let mut results = [Value::ZERO];
    /// program.interpret(b"main", &[Value::from_u64(5000)], &mut results, 1000)?;
    /// assert_eq!(f64::from_bits(results[0].f64_bits()), 8.0);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Program::define`].
    pub fn define_fn<F, Arguments>(&mut self, name: &[u8], closure: &'m F) -> Result<()>
    where
        F: ImportFn<Arguments>,
        Arguments: 'm,
    {
        with_signature(F::RESULTS, F::ARGUMENTS, |signature| {
            self.define(name, signature, Typed::<F, Arguments>::of(closure))
        })
    }

    /// Takes in a module.
    ///
    /// # Errors
    ///
    /// The program is linked; the module was checked for another target; out of memory.
    pub fn load(&mut self, module: Verified<'m>) -> Result<()> {
        self.load_as(module, Role::Own)
    }

    /// Takes in a module as a library: functions that the rest of the program does not refer to,
    /// directly or through others, are left out. They cannot be called by the embedder either. Of
    /// two exports of one name that of the module which was loaded first counts. Level 3 inlines as
    /// little in a library as level 2.
    ///
    /// # Errors
    ///
    /// As [`Program::load`].
    pub fn load_library(&mut self, module: Verified<'m>) -> Result<()> {
        self.load_as(module, Role::Library)
    }

    fn load_as(&mut self, module: Verified<'m>, role: Role) -> Result<()> {
        if self.is_linked {
            return Err(Problem::ConfinedLinked.into());
        }
        if !core::ptr::eq(module.target(), self.context.target()) {
            return Err(Problem::OtherTarget.into());
        }
        Ok(self.loaded.push((module.into_module(), role))?)
    }

    /// Lays out the data of all modules in the program's memory, rewrites their functions, and
    /// links them. It is called once, after all modules were loaded.
    ///
    /// # Errors
    ///
    /// The program is linked already or runs; an import that nothing defines; two exports of one
    /// name; an instruction that cannot be confined; data that does not fit in the memory; out of
    /// memory. The program cannot be linked again then.
    pub fn link(&mut self) -> Result<()> {
        let (placed, needed) = self.lay_out()?;
        let rewritten = self.rewrite(&placed, &needed, self.environment())?;
        self.link_rewritten(rewritten, &needed)
    }

    /// Lays out the data of all modules in the program's memory; tells which functions are needed,
    /// by number.
    pub(super) fn lay_out(&mut self) -> Result<(Vec<'m, Placed<'m>>, Vec<'m, bool>)> {
        if core::mem::replace(&mut self.is_linked, true) {
            return Err(Problem::ConfinedLinked.into());
        }
        let placed = self.place()?;
        let big_endian = self.context.target().big_endian;
        let filled = self.space.with_memory(|memory| {
            let mut placed = placed.iter();
            placed.try_for_each(|placed| placed.fill(&self.linkage, memory, big_endian))
        });
        filled.ok_or(Problem::ConfinedSpace)??;
        let allocator = self.context.allocator();
        let needed = needed(&placed, &self.linkage, allocator)?;
        self.constructors = listed(&placed, &self.linkage, Phase::Start, allocator)?;
        self.destructors = listed(&placed, &self.linkage, Phase::End, allocator)?;
        self.destructors.reverse();
        Ok((placed, needed))
    }

    /// Rewrites the functions of all modules.
    pub(super) fn rewrite(
        &mut self,
        placed: &[Placed<'m>],
        needed: &[bool],
        environment: Environment,
    ) -> Result<Vec<'m, Rewritten<'m>>> {
        let mut rewritten = Vec::new(self.context.allocator());
        for (number, placed) in placed.iter().enumerate() {
            rewritten.push(rewrite(
                placed,
                number,
                environment,
                needed,
                &mut self.linkage,
                &self.imports,
            )?)?;
        }
        Ok(rewritten)
    }

    /// Gives all modules their places in the program.
    fn place(&mut self) -> Result<Vec<'m, Placed<'m>>> {
        let allocator = self.context.allocator();
        let end = self.space.bytes() - self.space.stack_bytes();
        let mut free = Free {
            offset: 0,
            end: end & !15,
            labels: 0,
        };
        let mut loaded = core::mem::replace(&mut self.loaded, Vec::new(allocator));
        let mut placed: Vec<'m, Placed<'m>> = Vec::with_capacity(allocator, loaded.len())?;
        // They come in the order of loading.
        loaded.reverse();
        while let Some(module) = loaded.pop() {
            let first = self.linkage.rows.len() as u32;
            let number = placed.len() as u32;
            let one = Placed::new(module, first, &mut free)?;
            one.enter(number, &mut self.linkage)?;
            placed.push(one)?;
        }
        let first = super::FIRST_ADDRESS;
        let start = free.offset.next_multiple_of(16).min(free.end);
        self.heap = first + start..first + free.end;
        Ok(placed)
    }

    pub(super) fn environment(&self) -> Environment {
        let space = self.space;
        Environment {
            target: self.context.target(),
            base: space.base(),
            bytes: space.bytes(),
            words: space.words_address(),
            windows: space.windows_address(),
            stack_low: space.stack_top() - space.stack_bytes(),
            masks: space.options.masks,
            program: self.number,
            #[cfg(feature = "ahead")]
            is_ahead: false,
        }
    }

    /// Links rewritten modules in the context, and makes the table of functions.
    pub(super) fn link_rewritten(
        &mut self,
        mut rewritten: Vec<'m, Rewritten<'m>>,
        needed: &[bool],
    ) -> Result<()> {
        let allocator = self.context.allocator();
        rewritten.reverse();
        let mut exprs = Vec::new(allocator);
        let mut names = Vec::new(allocator);
        while let Some(Rewritten {
            module,
            origins,
            exprs: of_module,
        }) = rewritten.pop()
        {
            names.push(Vec::from_slice(
                allocator,
                module.name_bytes(module.name()),
            )?)?;
            exprs.push(of_module)?;
            self.parts.push(Part { number: 0, origins })?;
            self.load_rewritten(module)?;
        }
        self.context.link(&mut |_| None)?;
        let mut number = self.context.linked_modules();
        for (part, name) in self.parts.iter_mut().zip(&names).rev() {
            // Other programs may have been linked at the same time.
            while let Some(before) = number.checked_sub(1) {
                number = before;
                let is_it = |linked: &crate::link::LinkedModule<'m>| {
                    let module = linked.module();
                    linked.is_confined() && module.name_bytes(module.name()) == &name[..]
                };
                if self.context.module(number).is_some_and(is_it) {
                    break;
                }
            }
            part.number = number;
        }
        self.make_table(needed)?;
        self.copy_exprs(&exprs)
    }

    #[expect(
        unsafe_code,
        reason = "the module was rewritten so that it is confined"
    )]
    fn load_rewritten(&self, module: Module<'m>) -> Result<()> {
        // SAFETY: the module was made of one that was verified, by `rewrite`: it accesses the
        // space, which is borrowed as long as the context lives, and calls what is its own.
        unsafe {
            let rewritten = Verified::rewritten(module, self.context.target());
            self.context.load_confined(rewritten, self.space.trace())
        }
    }

    /// Makes the table that values of functions are looked up in. Those that are not needed have no
    /// signature there.
    fn make_table(&mut self, needed: &[bool]) -> Result<()> {
        for number in 0..self.linkage.rows.len() as u32 {
            let Some(row) = self.linkage.row(number) else {
                break;
            };
            let address = match row.source {
                Source::Module { module, func } => {
                    let part = &self.parts[module as usize];
                    let linked = self.context.module(part.number);
                    linked.map_or(0, |linked| linked.callable(func).address())
                }
                Source::Import(_) => 0,
            };
            let is_callable = match row.source {
                Source::Module { .. } => needed.get(number as usize) == Some(&true),
                Source::Import(_) => true,
            };
            let signature = match is_callable {
                true => u64::from(row.signature),
                false => u64::MAX,
            };
            self.functions.push([signature, address as u64])?;
        }
        self.enter_imports()?;
        let words = self.space.words();
        let start = self.functions.as_ptr().expose_provenance() as u64;
        words.functions.store(start, Ordering::Relaxed);
        let bytes = size_of::<[u64; 2]>() * self.functions.len();
        words.functions_bytes.store(bytes as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Enters the addresses of imports into the table of functions.
    fn enter_imports(&mut self) -> Result<()> {
        let allocator = self.context.allocator();
        let context = self.context;
        let number = self.number;
        let functions = &mut self.functions;
        self.linkage.each_function(|name, function| {
            let global = global_name(allocator, number, name)?;
            let row = functions.get_mut(function as usize);
            if let (Some(row), Some(address)) = (row, context.find_confined(&global))
                && row[1] == 0
            {
                row[1] = address as u64;
            }
            Ok(())
        })
    }

    /// Copies the values of `expr` items to the program's memory.
    #[expect(unsafe_code, reason = "the values are in memory that linking made")]
    fn copy_exprs(&self, exprs: &[Vec<'m, (ItemId, u64, Type)>]) -> Result<()> {
        let is_swapped = self.context.target().big_endian != cfg!(target_endian = "big");
        let copied = self.space.with_memory(|memory| {
            for (part, exprs) in self.parts.iter().zip(exprs) {
                let Some(linked) = self.context.module(part.number) else {
                    continue;
                };
                for &(item, address, ty) in exprs {
                    let from = linked.item_address(item);
                    let place = core::ptr::with_exposed_provenance::<u8>(from);
                    // SAFETY: the item has memory for a value of its type, which linking wrote.
                    let value = unsafe { core::slice::from_raw_parts(place, ty.size() as usize) };
                    write(memory, address, value, ty, is_swapped);
                }
            }
        });
        copied.ok_or(Problem::ConfinedSpace.into())
    }

    /// Returns the addresses of the program that neither its data nor its stack take, once it is
    /// linked.
    #[must_use]
    pub const fn heap(&self) -> Range<u64> {
        self.heap.start..self.heap.end
    }

    /// Returns the address in the program of data that one of its modules exports.
    #[must_use]
    pub fn address(&self, name: &[u8]) -> Option<u64> {
        match self.linkage.find(name)? {
            Definition::Data(address) => Some(address),
            Definition::Function(_) => None,
        }
    }

    /// Calls `body` with the program's memory.
    pub fn with_memory<T>(&mut self, body: impl FnOnce(&mut [u8]) -> T) -> Option<T> {
        self.space.with_memory(body)
    }

    /// Returns a hash of the program's memory, the same on every machine: FNV-1a over its words,
    /// those of pages of zeros left out. `None` if the program runs.
    pub fn memory_hash(&mut self) -> Option<u64> {
        self.with_memory(|memory| hash(memory))
    }

    /// Grants a window for good: `memory` is at `address` of the program.
    ///
    /// # Errors
    ///
    /// The space was made without windows; the address is below
    /// [`FIRST_WINDOW`](super::FIRST_WINDOW); there are too many.
    pub fn grant(&mut self, address: u64, memory: &'m mut [u8], access: Access) -> Result<()> {
        self.space.add_window(Window {
            start: address,
            bytes: memory.len() as u64,
            host: memory.as_mut_ptr().expose_provenance(),
            access,
        })
    }

    /// Takes the windows at an address of the program back; returns whether there were any.
    pub fn revoke(&mut self, address: u64) -> bool {
        self.space.remove_windows(address)
    }

    /// Grants a window for as long as `body` runs, which gets the program. Windows that were
    /// granted at the same address before come first, and stay.
    ///
    /// # Errors
    ///
    /// As [`Program::grant`].
    pub fn lend<T>(
        &mut self,
        address: u64,
        memory: &mut [u8],
        access: Access,
        body: impl FnOnce(&mut Self) -> T,
    ) -> Result<T> {
        let window = Window {
            start: address,
            bytes: memory.len() as u64,
            host: memory.as_mut_ptr().expose_provenance(),
            access,
        };
        self.space.add_window(window)?;
        let lent = Lent {
            space: self.space,
            window,
        };
        let result = body(self);
        drop(lent);
        Ok(result)
    }
}

/// Returns the values of the functions in the lists of a phase, by ascending priority.
fn listed<'m>(
    placed: &[Placed<'m>],
    linkage: &Linkage<'m>,
    phase: Phase,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, u64>> {
    let mut found = Vec::new(allocator);
    for placed in placed {
        for (list, entry) in placed.module.function_lists() {
            if list.phase != phase {
                continue;
            }
            let wrong = at_item(Problem::ListEntry.into(), entry);
            let ItemKind::Ref { item, disp: 0 } = placed.module.item(entry).kind else {
                return Err(wrong);
            };
            let Meaning::Function(number) = placed.meaning(linkage, item)? else {
                return Err(wrong);
            };
            let value = handle(number).cast_unsigned();
            found.push((list.priority, value))?;
        }
    }
    by_priority(&found)
}

/// A window that is taken back when this is dropped.
struct Lent<'s> {
    space: &'s Space<'s>,
    window: Window,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.space.remove_window(&self.window);
    }
}

impl fmt::Debug for Program<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("space", self.space)
            .field("modules", &self.parts.len())
            .finish_non_exhaustive()
    }
}

impl Drop for Program<'_, '_> {
    /// The table of functions goes: no code of the program can run any more.
    fn drop(&mut self) {
        self.space
            .words()
            .functions_bytes
            .store(0, Ordering::Relaxed);
    }
}

/// Returns the hash of a program's memory.
fn hash(memory: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x100_0000_01B3);
    for (number, page) in (0..).zip(memory.chunks(4096)) {
        if page.iter().any(|&byte| byte != 0) {
            add(number);
            for word in page.chunks(8) {
                let mut bytes = [0; 8];
                bytes[..word.len()].copy_from_slice(word);
                add(u64::from_le_bytes(bytes));
            }
        }
    }
    hash
}
