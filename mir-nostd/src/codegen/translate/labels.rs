//! Labels whose addresses are taken, and jumps to them.
//!
//! A `jmpi` goes to a label of its function or faults, so its target is checked, never trusted. The
//! form of a label's address makes that cheap:
//! - In code of whole functions it is the address of the function's jump table plus the label's
//!   number. A jump subtracts, compares, and goes through the table.
//! - In functions that `jcall` returns to, and in objects, it is that of the label's code, as the
//!   code that returns knows no table. A jump compares it with those of all labels; in objects it
//!   is trusted.
//! - In lazily compiled blocks it is that of a thunk. All thunks of a function are contiguous and
//!   of one size, so that a jump finds the label's number as for a table.

use super::Translator;
use super::values::def;
use crate::ir::{Code, FaultKind, ItemKind, Label, Operand as IrOperand};
use crate::machine::{Bank, BlockId, Generic, IntPredicate, LowType, Operand, TableId};
use crate::mem::{Allocator, Entity, Vec};
use crate::target::Target;
use crate::target::error::Error;

/// Memory that translations of one module share.
#[derive(Debug)]
pub struct Labels<'m> {
    pub(super) blocks: Vec<'m, BlockId>,
    /// The numbers of the labels with their addresses taken. Those of other functions' or modules'
    /// labels may remain here: only labels with their addresses taken are looked up.
    numbers: Vec<'m, u32>,
    /// Their blocks by number.
    taken: Vec<'m, BlockId>,
    table: Option<TableId>,
}

/// The address of a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelAddress {
    /// The address of a block.
    Block(BlockId),
    /// The given number of bytes after the start of a jump table.
    Entry(TableId, u32),
}

/// The form of the addresses of labels in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Addresses {
    /// Addresses of code.
    Code,
    /// Entries of a jump table.
    Entries(TableId),
    /// Addresses of thunks.
    Thunks,
}

/// The number of a label without its address taken, and of one that is about to get its number.
const UNNUMBERED: u32 = u32::MAX;
const TAKEN: u32 = u32::MAX - 1;

/// The most edges from jumps to labels by their addresses: `MOST_WAYS` per instruction of the
/// function, and `FEW_WAYS` in any.
const MOST_WAYS: usize = 32;
const FEW_WAYS: usize = 1 << 16;

impl<'m> Labels<'m> {
    /// Returns the memory, for any module; allocates nothing.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator) -> Labels<'m> {
        Labels {
            blocks: Vec::new(allocator),
            numbers: Vec::new(allocator),
            taken: Vec::new(allocator),
            table: None,
        }
    }

    /// Returns the block that a label of the function translated last begins.
    #[must_use]
    pub fn block(&self, label: Label) -> Option<BlockId> {
        self.blocks.get(label.index()).copied()
    }

    /// Returns the address of a label of the function translated last, if it is taken.
    #[must_use]
    pub fn address(&self, label: Label) -> Option<LabelAddress> {
        let number = self.number(label)?;
        match self.table {
            Some(table) => Some(LabelAddress::Entry(table, number)),
            None => (self.taken.get(number as usize)).map(|&block| LabelAddress::Block(block)),
        }
    }

    fn number(&self, label: Label) -> Option<u32> {
        let number = self.numbers.get(label.index()).copied();
        number.filter(|&number| number < TAKEN)
    }

    /// Forgets the addresses of another function's labels.
    pub(super) fn forget(&mut self) {
        self.taken.truncate(0);
        self.table = None;
    }
}

/// Returns the logarithm of the distance between the thunks of labels, for lazily compiled blocks.
pub(crate) const fn thunk_shift(target: &Target) -> u32 {
    target.thunk.bytes.next_power_of_two().trailing_zeros()
}

impl Translator<'_, '_, '_, '_> {
    pub(super) fn label(&self, label: Label) -> BlockId {
        let entry = BlockId::new(0);
        self.labels.block(label).unwrap_or(entry)
    }

    /// Numbers the labels with their addresses taken, by instructions or `lref` items, and decides
    /// the form of the addresses.
    pub(super) fn mark_labels(&mut self) -> Result<(), Error> {
        let module = self.module;
        let mut is_any_taken = self.has_laddr;
        let looked_at = if self.has_laddr { usize::MAX } else { 0 };
        for insn in module.insns(self.func).take(looked_at) {
            if let (Code::Laddr, Some(IrOperand::Label(label))) =
                (module.code(insn), module.operand(insn, 1))
            {
                self.mark_label(label)?;
            }
        }
        for item in module.lrefs(self.func) {
            if let ItemKind::Lref { label, label2, .. } = module.item(item).kind {
                is_any_taken = true;
                for label in [Some(label), label2].into_iter().flatten() {
                    self.mark_label(label)?;
                }
            }
        }
        if !is_any_taken {
            return Ok(());
        }
        if let Err(error) = self.number_labels() {
            // No mark may remain when the next function is translated.
            self.labels.numbers.truncate(0);
            return Err(error);
        }
        self.choose_addresses()
    }

    fn mark_label(&mut self, label: Label) -> Result<(), Error> {
        let count = self.module.label_count();
        if self.labels.numbers.len() < count {
            self.labels.numbers.resize(count, UNNUMBERED)?;
        }
        if let Some(number) = self.labels.numbers.get_mut(label.index()) {
            *number = TAKEN;
        }
        Ok(())
    }

    /// Numbers the marked labels in order; those at one place have one number.
    fn number_labels(&mut self) -> Result<(), Error> {
        let module = self.module;
        let mut here = None;
        for insn in module.insns(self.func) {
            let Some(label) = module.label_of(insn) else {
                here = None;
                continue;
            };
            let block = self.label(label);
            let Some(number) = self.labels.numbers.get_mut(label.index()) else {
                continue;
            };
            if *number != TAKEN {
                continue;
            }
            *number = match here {
                Some(number) => number,
                None => {
                    self.labels.taken.push(block)?;
                    self.labels.taken.len() as u32 - 1
                }
            };
            here = Some(*number);
        }
        Ok(())
    }

    fn choose_addresses(&mut self) -> Result<(), Error> {
        let is_whole = !self.settings.is_by_block() && !self.function.is_position_independent;
        if is_whole && self.indirect_jumps > 0 && self.jump_calls == 0 {
            let table = self.function.add_table(&self.labels.taken)?;
            self.labels.table = Some(table);
            self.addresses = Addresses::Entries(table);
            return Ok(());
        }
        if self.settings.is_by_block() {
            self.addresses = Addresses::Thunks;
        }
        for &block in &self.labels.taken {
            self.function.block_mut(block).address_taken = true;
        }
        Ok(())
    }

    /// Has one block make all jumps to labels by their addresses, if the edges from each to each
    /// would be too many. Calls that return to labels have no such block.
    pub(super) fn gather_jumps(&mut self) -> Result<(), Error> {
        let most = MOST_WAYS * self.module.func(self.func).insn_count() + FEW_WAYS;
        let taken = self.labels.taken.len();
        let ways = |jumps: usize| jumps.saturating_mul(taken);
        let compares = self.compares_addresses() && ways(self.indirect_jumps) > most;
        if compares || ways(self.jump_calls) > most {
            return Err(Error::TooLarge);
        }
        if ways(self.indirect_jumps) > most {
            let to = self.vreg(Bank::General, LowType::S64)?;
            self.dispatch = Some((self.function.add_block()?, to));
        }
        Ok(())
    }

    /// Returns whether a jump compares its target with the addresses of all labels.
    fn compares_addresses(&self) -> bool {
        self.addresses == Addresses::Code && !self.function.is_position_independent
    }

    /// Computes the address of a label.
    pub(super) fn label_address(&mut self, to: Operand, label: Label) -> Result<(), Error> {
        let number = self.labels.number(label).ok_or(self.internal())?;
        if let Addresses::Entries(_) = self.addresses {
            let start = self.first_address()?;
            let number = self.function.int(i64::from(number))?;
            return self.emit(Generic::Add, LowType::S64, &[def(to), start, number]);
        }
        let block = self.taken(number)?;
        self.emit(Generic::BlockAddr, LowType::S64, &[def(to), block])
    }

    fn taken(&self, number: u32) -> Result<Operand, Error> {
        let block = self.labels.taken.get(number as usize);
        block
            .map(|&block| Operand::block(block))
            .ok_or(self.internal())
    }

    /// Returns the address of the first label, that of number 0.
    fn first_address(&mut self) -> Result<Operand, Error> {
        let what = match self.addresses {
            Addresses::Entries(table) => Operand::table(table),
            _ => self.taken(0)?,
        };
        let address = self.temp()?;
        self.emit(Generic::BlockAddr, LowType::S64, &[def(address), what])?;
        Ok(address)
    }

    /// Jumps to the label that has this address; faults if none has it.
    pub(super) fn jump_to(&mut self, to: Operand) -> Result<(), Error> {
        let count = self.labels.taken.len();
        if count == 0 && !self.function.is_position_independent {
            let fault = self.fault_block(FaultKind::BadLabel)?;
            return self.branch(fault);
        }
        let to = match self.addresses {
            Addresses::Code if self.function.is_position_independent => to,
            Addresses::Code => return self.compare_addresses(to),
            Addresses::Entries(_) => {
                let number = self.distance_from_first(to)?;
                self.check_number(number, count)?;
                number
            }
            Addresses::Thunks => {
                let distance = self.distance_from_first(to)?;
                let number = self.thunk_number(distance)?;
                self.check_number(number, count)?;
                to
            }
        };
        let Some((block, register)) = self.dispatch else {
            return self.go_to_label(to);
        };
        self.copy(register.into(), to)?;
        self.branch(block)
    }

    fn distance_from_first(&mut self, to: Operand) -> Result<Operand, Error> {
        let first = self.first_address()?;
        let distance = self.temp()?;
        self.emit(Generic::Sub, LowType::S64, &[def(distance), to, first])?;
        Ok(distance)
    }

    /// Returns the distance divided by that between thunks; a large number if it is no multiple of
    /// that.
    fn thunk_number(&mut self, distance: Operand) -> Result<Operand, Error> {
        let shift = thunk_shift(self.isa.target()).cast_signed();
        let [high, low, number] = [self.temp()?, self.temp()?, self.temp()?];
        let left = [def(high), distance, Operand::imm(64 - shift)];
        self.emit(Generic::Shl, LowType::S64, &left)?;
        let right = [def(low), distance, Operand::imm(shift)];
        self.emit(Generic::Lshr, LowType::S64, &right)?;
        self.emit(Generic::Or, LowType::S64, &[def(number), high, low])?;
        Ok(number)
    }

    fn check_number(&mut self, number: Operand, count: usize) -> Result<(), Error> {
        let count = self.function.int(count as i64)?;
        let fault = self.fault_block(FaultKind::BadLabel)?;
        self.branch_if(IntPredicate::Uge, LowType::S64, number, count, fault)
    }

    fn compare_addresses(&mut self, to: Operand) -> Result<(), Error> {
        for number in 0..self.labels.taken.len() as u32 {
            let block = self.taken(number)?;
            let address = self.temp()?;
            self.emit(Generic::BlockAddr, LowType::S64, &[def(address), block])?;
            let target = block.as_block().ok_or(self.internal())?;
            self.branch_if(IntPredicate::Eq, LowType::S64, to, address, target)?;
        }
        let fault = self.fault_block(FaultKind::BadLabel)?;
        self.branch(fault)
    }

    /// Jumps to the label with this number in the function's table, or with this address.
    fn go_to_label(&mut self, to: Operand) -> Result<(), Error> {
        self.is_open = false;
        match self.addresses {
            Addresses::Entries(table) => {
                let operands = [to, Operand::table(table)];
                self.emit(Generic::Brjt, LowType::S64, &operands)
            }
            _ => self.emit(Generic::Brindirect, LowType::S64, &[to]),
        }
    }

    /// Emits the block that makes the jumps, after all others.
    pub(super) fn dispatch(&mut self) -> Result<(), Error> {
        let Some((block, register)) = self.dispatch else {
            return Ok(());
        };
        self.start(block)?;
        self.go_to_label(register.into())
    }
}
