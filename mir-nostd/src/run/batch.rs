//! Functions compiled one after the other, before their code has an address.

use super::helpers;
use super::shared::Shared;
use super::unit::Unit;
use crate::codegen::{Compiler, Error, Helper};
use crate::ir::{FuncId, ItemId, ItemKind};
use crate::link::LinkedModule;
use crate::machine::Symbol;
use crate::mem::{Allocator, OutOfMemory, Vec, sort_by_key};
use core::sync::atomic::{AtomicU64, AtomicUsize};

/// Functions compiled one after the other, before their code has an address.
pub(super) struct Batch<'m> {
    pub(super) code: Vec<'m, u8>,
    /// The functions, sorted before they are looked for; where each begins and where its code ends.
    pub(super) functions: Vec<'m, (FuncId, u32, u32)>,
    references: Vec<'m, Reference>,
    lrefs: Vec<'m, LabelReference>,
}

/// Eight bytes of code that hold an address.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    pub(super) at: u32,
    pub(super) symbol: Symbol,
    pub(super) addend: i64,
}

/// Eight bytes of data that hold a label's address or the difference of two.
#[derive(Clone, Copy)]
pub(super) struct LabelReference {
    pub(super) address: usize,
    pub(super) label: i64,
    pub(super) label2: Option<i64>,
    pub(super) disp: i64,
}

impl LabelReference {
    /// Stores the value, the labels being counted from `base`.
    pub(super) fn store(&self, base: usize) {
        let value = match self.label2 {
            Some(other) => self.label.wrapping_sub(other),
            None => (base as i64).wrapping_add(self.label),
        };
        let value = value.wrapping_add(self.disp);
        let place = core::ptr::with_exposed_provenance_mut::<i64>(self.address);
        // SAFETY: the address of an `lref` item, eight bytes of the module's data that nobody reads before the
        // function first ran.
        unsafe { place.write_unaligned(value) };
    }
}

impl<'m> Batch<'m> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Batch<'m> {
        Batch {
            code: Vec::new(allocator),
            functions: Vec::new(allocator),
            references: Vec::new(allocator),
            lrefs: Vec::new(allocator),
        }
    }

    pub(super) fn clear(&mut self) {
        self.code.clear();
        self.functions.clear();
        self.references.clear();
        self.lrefs.clear();
    }

    /// Compiles a function and adds its code.
    pub(super) fn add(
        &mut self,
        compiler: &mut Compiler<'m>,
        linked: &LinkedModule<'m>,
        func: FuncId,
    ) -> Result<(), Error> {
        let offsets = compiler.compile(linked.module(), func)?;
        let filler = self.code.len();
        let start = filler.next_multiple_of(compiler.isa().description().code_align as usize);
        let first = u32::try_from(start).map_err(|_| Error::TooLarge)?;
        let compiled = &compiler.code;
        self.code.resize(start, 0)?;
        if let Some(gap) = self.code.get_mut(filler..) {
            compiler.isa().pad(gap);
        }
        self.code.extend_from_slice(&compiled.bytes)?;
        for relocation in &compiled.relocations {
            self.references.push(Reference {
                at: first + relocation.at,
                symbol: compiler.function.symbol(relocation.symbol),
                addend: relocation.addend,
            })?;
        }
        let place = |label| {
            let offset = offsets.label(compiler.labels.address(label)?);
            Some(i64::from(first) + i64::from(offset))
        };
        if linked.module().has_lrefs() {
            for lref in linked.lrefs(func) {
                self.lrefs.push(LabelReference {
                    address: lref.address,
                    label: place(lref.label).unwrap_or(0),
                    label2: lref.label2.and_then(place),
                    disp: lref.disp,
                })?;
            }
        }
        let end = u32::try_from(self.code.len()).map_err(|_| Error::TooLarge)?;
        Ok(self.functions.push((func, first, end))?)
    }

    /// Puts the functions in ascending order, when all are there.
    pub(super) fn sort(&mut self) {
        sort_by_key(&mut self.functions, |&(func, ..)| func);
    }

    /// Where the code of a function of the batch begins.
    fn start(&self, func: FuncId) -> Option<u32> {
        let place = self
            .functions
            .binary_search_by_key(&func, |&(func, ..)| func);
        let (_, start, _) = self.functions.get(place.ok()?)?;
        Some(*start)
    }

    /// Puts the code into executable memory; gives the piece.
    pub(super) fn place(
        &mut self,
        shared: &Shared<'m>,
        linked: &LinkedModule<'m>,
    ) -> Result<super::memory::Piece, OutOfMemory> {
        let memory = &mut shared.state.lock().memory;
        let piece = memory.take(self.code.len())?;
        let base = piece.run;
        let mut code = core::mem::replace(&mut self.code, Vec::new(shared.allocator));
        for reference in &self.references {
            let own = |func| self.start(func).map(|start| base + start as usize);
            shared.refer(&mut code, reference, linked, own);
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

impl<'m> Shared<'m> {
    /// Writes the address that a reference stands for. `own` are functions with code at the side.
    pub(super) fn refer(
        &self,
        code: &mut [u8],
        reference: &Reference,
        linked: &LinkedModule<'m>,
        own: impl Fn(FuncId) -> Option<usize>,
    ) {
        let address = match reference.symbol {
            Symbol::Item(item) => linked.item_address(item),
            Symbol::Callee(item) => self.callee(linked, item, own),
            Symbol::Str(string) => linked.str_address(string),
            Symbol::Helper(number) => self.helper(number),
            Symbol::Callable(func) => {
                core::ptr::from_ref(linked.callable(func)).expose_provenance()
            }
            Symbol::Runtime => core::ptr::from_ref(&self.runtime).expose_provenance(),
        };
        let address = address.wrapping_add_signed(reference.addend as isize);
        let bytes = if self.isa.target().big_endian {
            address.to_be_bytes()
        } else {
            address.to_le_bytes()
        };
        let place = code.get_mut(reference.at as usize..);
        if let Some(place) = place.and_then(|rest| rest.get_mut(..8)) {
            place.copy_from_slice(&bytes);
        }
    }

    /// The address of a routine, or of a word of the embedder's.
    fn helper(&self, number: u8) -> usize {
        let options = &self.options;
        let fuel = |fuel| core::ptr::from_ref::<AtomicU64>(fuel).expose_provenance();
        let stack = |limit| core::ptr::from_ref::<AtomicUsize>(limit).expose_provenance();
        match Helper::ALL.get(usize::from(number)) {
            Some(Helper::FuelWord) => options.fuel.map_or(0, fuel),
            Some(Helper::StackWord) => options.stack_limit.map_or(0, stack),
            _ => helpers::address(number),
        }
    }

    /// Where a call of an item goes: to code directly where that stays, else through the function's address.
    fn callee(
        &self,
        linked: &LinkedModule<'m>,
        item: ItemId,
        own: impl Fn(FuncId) -> Option<usize>,
    ) -> usize {
        let ItemKind::Func(func) = linked.module().item(item).kind else {
            return linked.item_address(item);
        };
        let stays = || {
            let unit = linked.callable(func).unit().cast::<Unit<'m>>();
            // SAFETY: units live as long as they have their callables.
            let unit = unsafe { unit.as_ref() }?;
            let code = unit.code();
            (!self.options.can_free && code != 0 && unit.is_of(self)).then_some(code)
        };
        let code = own(func).or_else(stays);
        code.unwrap_or_else(|| linked.item_address(item))
    }
}
