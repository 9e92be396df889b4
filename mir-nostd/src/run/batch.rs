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

/// Functions compiled one after the other, before their code has an address.
pub(super) struct Batch<'m> {
    pub(super) code: Vec<'m, u8>,
    /// The functions, sorted before they are looked for; where each begins and where its code ends.
    pub(super) functions: Vec<'m, (FuncId, u32, u32)>,
    references: Vec<'m, Reference>,
    lrefs: Vec<'m, LabelReference>,
    /// The functions of confined programs, as they are noted for backtraces.
    pub(super) noted: Vec<'m, Noted<'m>>,
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
        let filler = self.code.len();
        let compiled = &compiler.output.code;
        let align = compiled.align.max(compiler.isa().description().code_align);
        let start = filler.next_multiple_of(align as usize);
        let first = u32::try_from(start).map_err(|_| Error::TooLarge)?;
        self.code.resize(start, 0)?;
        if let Some(gap) = self.code.get_mut(filler..) {
            compiler.isa().pad(gap);
        }
        self.code.extend_from_slice(&compiled.bytes)?;
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
        Ok(self.functions.push((func, first, end))?)
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
        sort_by_key(&mut self.functions, |&(func, ..)| func);
    }

    /// Returns the offset of the code of a function of the batch.
    fn start(&self, func: FuncId) -> Option<u32> {
        let place = self
            .functions
            .binary_search_by_key(&func, |&(func, ..)| func);
        let (_, start, _) = self.functions.get(place.ok()?)?;
        Some(*start)
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
