//! Functions compiled one after the other, before their code has an address.

use super::memory::{CodeMemory, Piece};
use super::options::Watch;
use super::references::{LabelReference, Reference};
use super::trace::{Noted, function_of, piece_of, record_of};
use crate::codegen::{Compiler, Error, Phase};
use crate::ir::FuncId;
use crate::link::{Callable, LinkedModule};
use crate::machine::Symbol;
use crate::mem::{Allocator, OutOfMemory, Vec, sort_by_key};
use crate::target::Isa;

/// Functions compiled one after the other, before their code has an address.
pub(super) struct Batch<'m> {
    pub(super) code: Vec<'m, u8>,
    /// The functions, sorted before they are looked for.
    pub(super) functions: Vec<'m, Placed>,
    references: Vec<'m, Reference>,
    lrefs: Vec<'m, LabelReference>,
    /// The functions of confined programs, as they are noted for backtraces.
    pub(super) noted: Vec<'m, Noted<'m>>,
}

/// A function of a batch.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) func: FuncId,
    /// The offsets at which its code begins and ends.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The offset at which the copy begins in another batch, once there is one.
    copy: u32,
    /// The multiple at which its code begins.
    align: u32,
    /// The first of its references and of its references to labels, which end where those of the
    /// next function begin.
    references: u32,
    lrefs: u32,
}

impl<'m> Batch<'m> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Batch<'m> {
        Batch {
            code: Vec::new(allocator),
            functions: Vec::new(allocator),
            references: Vec::new(allocator),
            lrefs: Vec::new(allocator),
            noted: Vec::new(allocator),
        }
    }

    pub(super) fn clear(&mut self) {
        self.code.clear();
        self.functions.clear();
        self.references.clear();
        self.lrefs.clear();
        self.noted.clear();
    }

    /// Compiles a function and adds its code.
    pub(super) fn add(
        &mut self,
        compiler: &mut Compiler<'m>,
        linked: &LinkedModule<'m>,
        func: FuncId,
        watch: Option<&dyn Watch>,
    ) -> Result<(), Error> {
        let is_confined = linked.is_confined();
        compiler.execution.traces = is_confined;
        // The variables of confined programs are no longer those of the source.
        let wants_variables = watch.is_some_and(|watch| watch.wants_variables());
        compiler.execution.variables = wants_variables && !is_confined;
        let offsets = compiler.compile(linked.module(), func)?;
        if let Some(watch) = watch {
            watch.encoded(linked.callable(func), compiler, &offsets);
        }
        let isa = compiler.isa();
        let compiled = &mut compiler.output.code;
        let align = compiled.align.max(isa.description().code_align);
        let (references, lrefs) = (self.references.len() as u32, self.lrefs.len() as u32);
        let first = self.pad(align, isa)?;
        let start = first as usize;
        if self.code.is_empty() {
            // Code of a large function is in memory once.
            core::mem::swap(&mut self.code, &mut compiled.bytes);
        } else {
            self.code.extend_from_slice(&compiled.bytes)?;
        }
        for relocation in &compiled.relocations {
            let symbol = compiler.function.symbol(relocation.symbol);
            let (at, length) = (first + relocation.at, self.code.len());
            let reference = Reference::new(at, symbol, relocation.addend, length)?;
            self.references.push(reference)?;
        }
        let place = |label| {
            let address = compiler.output.labels.address(label);
            let offset = address.and_then(|address| offsets.label(address));
            let offset = offset.ok_or(Phase::Placement.internal(None))?;
            Ok::<_, Error>(i64::from(first) + i64::from(offset))
        };
        if linked.module().has_lrefs() {
            for lref in linked.lrefs(func) {
                self.lrefs.push(LabelReference {
                    address: lref.address,
                    label: place(lref.label)?,
                    label2: lref.label2.map(place).transpose()?,
                    disp: lref.disp,
                })?;
            }
        }
        let end = u32::try_from(self.code.len()).map_err(|_| Error::TooLarge)?;
        if linked.is_confined() {
            self.note(compiler, linked.callable(func), (start, self.code.len()))?;
        }
        Ok(self.functions.push(Placed {
            func,
            start: first,
            end,
            copy: first,
            align,
            references,
            lrefs,
        })?)
    }

    /// Fills the code up to a multiple of `align`; returns the number of its bytes then.
    fn pad(&mut self, align: u32, isa: &dyn Isa) -> Result<u32, Error> {
        let filler = self.code.len();
        let start = filler.next_multiple_of(align as usize);
        let first = u32::try_from(start).map_err(|_| Error::TooLarge)?;
        self.code.resize(start, 0)?;
        if let Some(gap) = self.code.get_mut(filler..) {
            isa.pad(gap);
        }
        Ok(first)
    }

    /// Adds the code of a function of another batch, by its number there, as if it were compiled
    /// now. What is noted of it for backtraces stays behind; see [`Batch::take_noted`].
    pub(super) fn add_copy(
        &mut self,
        other: &mut Batch<'m>,
        number: usize,
        isa: &dyn Isa,
    ) -> Result<(), Error> {
        let missing = || Phase::Placement.internal(None);
        let next = other.functions.get(number + 1).copied();
        let function = other.functions.get_mut(number).ok_or_else(missing)?;
        let start = self.pad(function.align, isa)?;
        let mut copy = *function;
        (copy.references, copy.lrefs) = (self.references.len() as u32, self.lrefs.len() as u32);
        let code = function.start as usize..function.end as usize;
        self.code
            .extend_from_slice(other.code.get(code).ok_or_else(missing)?)?;
        (copy.start, copy.end) = (start, self.code.len() as u32);
        let end = next.map_or(other.references.len(), |next| next.references as usize);
        let references = other.references.get(function.references as usize..end);
        for reference in references.ok_or_else(missing)? {
            self.references
                .push(reference.moved(function.start, start))?;
        }
        let end = next.map_or(other.lrefs.len(), |next| next.lrefs as usize);
        let lrefs = other.lrefs.get(function.lrefs as usize..end);
        for lref in lrefs.ok_or_else(missing)? {
            self.lrefs.push(lref.moved(function.start, start))?;
        }
        function.copy = start;
        Ok(self.functions.push(copy)?)
    }

    /// Takes what another batch noted for backtraces, all of whose functions were copied.
    pub(super) fn take_noted(&mut self, mut other: Batch<'m>) -> Result<(), OutOfMemory> {
        // Each function is noted, or none.
        while let (Some((function, mut piece)), Some(placed)) =
            (other.noted.pop(), other.functions.pop())
        {
            let moved = |at: usize| at - placed.start as usize + placed.copy as usize;
            (piece.start, piece.end) = (moved(piece.start), moved(piece.end));
            self.noted.push((function, piece))?;
        }
        Ok(())
    }

    /// Notes how the frames of a function that was just compiled are found.
    fn note(
        &mut self,
        compiler: &Compiler<'m>,
        callable: &Callable<'m>,
        addresses: (usize, usize),
    ) -> Result<(), OutOfMemory> {
        let allocator = self.noted.allocator();
        let (inlined, record) = (&compiler.function.inlined, record_of(compiler));
        let function = function_of(allocator, callable, inlined, record)?;
        let sites = &compiler.output.code.sites;
        let piece = piece_of(allocator, callable, addresses, sites)?;
        self.noted.push((function, piece))
    }

    /// Puts the functions in ascending order, when all are there.
    pub(super) fn sort(&mut self) {
        sort_by_key(&mut self.functions, |placed| placed.func);
    }

    /// Returns the offset of the code of a function of the batch.
    fn start(&self, func: FuncId) -> Option<u32> {
        let place = self
            .functions
            .binary_search_by_key(&func, |placed| placed.func);
        Some(self.functions.get(place.ok()?)?.start)
    }

    /// Puts the code into executable memory; returns the piece. `address` is told symbols, and the
    /// code of the batch's own functions.
    pub(super) fn place(
        &mut self,
        memory: &mut CodeMemory<'m>,
        is_big_endian: bool,
        address: impl Fn(Symbol, &dyn Fn(FuncId) -> Option<usize>) -> usize,
    ) -> Result<Piece, OutOfMemory> {
        let piece = memory.take(self.code.len())?;
        let base = piece.run;
        let mut code = core::mem::replace(&mut self.code, Vec::new(self.references.allocator()));
        for reference in &self.references {
            let own = |func| self.start(func).map(|start| base + start as usize);
            reference.store(&mut code, address(reference.symbol(), &own), is_big_endian);
        }
        let written = memory.write(piece, &code);
        self.code = code;
        if let Err(error) = written {
            memory.give_back(piece);
            return Err(error);
        }
        self.lrefs.iter().for_each(|lref| lref.store(base));
        Ok(piece)
    }
}
