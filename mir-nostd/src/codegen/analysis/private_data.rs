//! The data of a module that no pointer leads to: every access to it names it.
//!
//! An item of data is private unless it is exported, the address of it is in `ref` data, or a
//! function does something else with the address than to add something to it, to subtract something
//! from it, and to access memory by it. A
//! variable of a function that such an address may be in is followed without regard to the order of
//! instructions: it leaks what it holds if it is used in another way, or if it is added up or moved
//! into one that leaks.
//!
//! The distance between pieces of data is unspecified. So an address that was computed
//! from that of a private piece leads to no other one: that would take the distance, and the
//! address of a private piece is subtracted from nothing. Nor does an address lead to a private
//! piece that was not computed from that of the piece. The cost is linear.

use crate::ir::{Code, FuncId, Item, ItemId, ItemKind, Mode, Module, Operand, Type};
use crate::machine::Symbol;
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// How often the instructions of a function are looked at before all its variables leak.
const MOST_PASSES: usize = 4;
/// The most unnamed items after a named one that are counted as its piece.
const MOST_PARTS: usize = 16;

/// The private data of a module.
#[derive(Debug)]
pub(crate) struct PrivateData<'m> {
    /// True for the items that are private. Declarations stand for themselves.
    private: Vec<'m, bool>,
}

impl<'m> PrivateData<'m> {
    /// Finds the private data of a module; confined programs have none, as any number is an address
    /// there.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub(crate) fn new(
        module: &Module<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<PrivateData<'m>, OutOfMemory> {
        let mut private = Vec::new(allocator);
        if module.confinement().is_some() {
            return Ok(PrivateData { private });
        }
        for (id, item) in module.items() {
            let is_named = item.name.is_some() && module.resolve(id) == id;
            private.push(is_named && item.kind.is_memory() && !module.is_exported(id))?;
        }
        let mut data = PrivateData { private };
        for (_, item) in module.items() {
            if let ItemKind::Ref { item, .. } = item.kind {
                data.leak(module, item);
            }
        }
        let mut leaks = Vec::new(allocator);
        if data.private.contains(&true) {
            for (func, _) in module.funcs() {
                data.follow(module, func, &mut leaks)?;
            }
        }
        Ok(data)
    }

    /// Returns a copy.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub(crate) fn try_clone(&self) -> Result<PrivateData<'m>, OutOfMemory> {
        let private = Vec::from_slice(self.private.allocator(), &self.private)?;
        Ok(PrivateData { private })
    }

    /// Returns whether an item is private data.
    pub(crate) fn contains(&self, item: ItemId) -> bool {
        self.private.get(item.index()) == Some(&true)
    }

    fn leak(&mut self, module: &Module<'_>, item: ItemId) {
        if let Some(private) = self.private.get_mut(module.resolve(item).index()) {
            *private = false;
        }
    }

    /// Finds what a function does with addresses of data.
    fn follow(
        &mut self,
        module: &Module<'_>,
        func: FuncId,
        leaks: &mut Vec<'m, bool>,
    ) -> Result<(), OutOfMemory> {
        leaks.clear();
        for register in module.func(func).registers() {
            leaks.push(register.hard_reg.is_some())?;
        }
        let mut passes = 0;
        while self.pass(module, func, leaks) {
            passes += 1;
            if passes == MOST_PASSES {
                leaks.fill(true);
            }
        }
        Ok(())
    }

    /// Notes the variables and items that leak, from the last instruction to the first. Returns
    /// whether there were more variables than before.
    fn pass(&mut self, module: &Module<'_>, func: FuncId, leaks: &mut [bool]) -> bool {
        let mut changed = false;
        let mut last = module.func(func).last();
        while let Some(insn) = last {
            last = module.previous(insn);
            let code = module.code(insn);
            let leaks_to = match code {
                Code::Mov | Code::Add | Code::Sub => match module.operand(insn, 0) {
                    Some(Operand::Reg(to)) => leaks.get(to.index()) == Some(&true),
                    _ => true,
                },
                _ => !code.modes().contains(&Mode::Label),
            };
            for (number, operand) in module.operands(insn).enumerate() {
                let is_output = code.mode(number).is_output();
                // A difference of addresses leads from one to the other.
                let leaks_to = leaks_to || (code, number) == (Code::Sub, 2);
                match operand {
                    Operand::Reg(reg) if leaks_to && !is_output => {
                        if let Some(leak) = leaks.get_mut(reg.index()) {
                            changed |= !core::mem::replace(leak, true);
                        }
                    }
                    Operand::Item(item) if leaks_to => self.leak(module, item),
                    // Blocks are passed as arguments, and lists of arguments are read, by address.
                    Operand::Mem(mem) if is_by_address(code, mem.ty) => {
                        for reg in [mem.base, mem.index].into_iter().flatten() {
                            if let Some(leak) = leaks.get_mut(reg.index()) {
                                changed |= !core::mem::replace(leak, true);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        changed
    }
}

/// Returns whether an instruction uses the address of a memory operand for more than an access.
fn is_by_address(code: Code, ty: Type) -> bool {
    ty.is_block() || code.modes().contains(&Mode::Memory)
}

/// Data of a module: an item that other names of it stand for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Data(ItemId);

/// The facts on the data of the module that a function is of.
#[derive(Clone, Copy, Default)]
pub(crate) struct DataFacts<'a> {
    /// The module, unless any number may be an address of its data.
    pub(crate) module: Option<&'a Module<'a>>,
    /// The data that no pointer leads to, if known.
    pub(crate) private: Option<&'a PrivateData<'a>>,
}

impl DataFacts<'_> {
    /// Returns the data that a symbol names; `None` if it may be reached without its name.
    pub(crate) fn of(&self, symbol: Symbol) -> Option<Data> {
        match symbol {
            Symbol::Item(item) => self.module.map(|module| Data(module.resolve(item))),
            _ => None,
        }
    }

    /// Returns whether no pointer leads to the data.
    pub(crate) fn is_private(&self, data: Data) -> bool {
        self.private.is_some_and(|private| private.contains(data.0))
    }

    /// Returns the number of bytes from the data on that certainly belong to its piece.
    pub(crate) fn bytes_from(&self, data: Data) -> Option<u64> {
        self.module.map(|module| bytes_from(module, data.0))
    }
}

/// Returns the number of bytes from an item of data on that certainly belong to its piece; 0 if it
/// is none.
fn bytes_from(module: &Module<'_>, item: ItemId) -> u64 {
    let (first, count) = (item.index(), module.items().len());
    let mut bytes = 0_u64;
    for number in first..count.min(first.saturating_add(MOST_PARTS)) {
        let part = module.item(ItemId::new(number as u32));
        let is_first = number == first;
        if !part.kind.is_memory() || is_first != part.name.is_some() {
            break;
        }
        bytes = bytes.saturating_add(size(module, part));
    }
    bytes
}

/// Returns the number of bytes of an item of data that are known.
fn size(module: &Module<'_>, item: &Item) -> u64 {
    match item.kind {
        ItemKind::Data(data) => module.data_bytes(&data).len() as u64,
        ItemKind::Bss { len } => len,
        ItemKind::Ref { .. } | ItemKind::Lref { .. } => 8,
        _ => 0,
    }
}
