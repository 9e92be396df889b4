//! Conversion of branches to addresses and through tables.
//!
//! Addresses of blocks are data of the function, as LLVM has `G_BLOCK_ADDR` for one ISA only. For
//! `x86_64`, where LLVM has no indirect branches before selection, tables are data too, and such
//! branches are machine instructions.

use super::{GenericConverter, Result, used};
use crate::machine_ir::convert::Contents;
use llvm_mir::model::{LowType, Operand, OperandKind, Register};
use llvm_mir::target::Isa as LlvmIsa;
use mir_nostd::machine;
use mir_nostd::mem::Entity;

impl GenericConverter<'_, '_, '_> {
    pub(super) fn table_branch(&mut self, operands: &[machine::Operand]) -> Result<()> {
        let index = self.source(operands[0], 64)?;
        let table = operands[1].as_table().ok_or("a branch without table")?;
        if self.target.isa() == LlvmIsa::X86_64 {
            let blocks = self.from.table(table).iter().map(|block| block.number());
            let blocks: Vec<u32> = blocks.collect();
            let start = self.data_address("table", table.number(), &Contents::Blocks(&blocks))?;
            let eight = self.constant(64, 8)?;
            let offset = vec![used(index), used(eight)];
            let offset = self.value("G_MUL", LowType::scalar(64), offset)?;
            let address = self.moved(start, offset)?;
            let target = self.load("G_LOAD", 64, address, 64)?;
            return self.jump(target);
        }
        let table = || Operand::from(OperandKind::JumpTable(table.number()));
        let address = self.value("G_JUMP_TABLE", LowType::pointer(0), vec![table()])?;
        self.plain("G_BRJT", vec![used(address), table(), used(index)])
    }

    pub(super) fn indirect_branch(&mut self, to: machine::Operand) -> Result<()> {
        let to = self.source(to, 64)?;
        self.jump(to)
    }

    fn jump(&mut self, to: Register) -> Result<()> {
        let to = self.value("G_INTTOPTR", LowType::pointer(0), vec![used(to)])?;
        if self.target.isa() == LlvmIsa::X86_64 {
            let to = self.in_class(to, "gr64")?;
            return self.plain("JMP64r", vec![used(to)]);
        }
        self.plain("G_BRINDIRECT", vec![used(to)])
    }

    /// Converts the address of a block.
    pub(super) fn block_address(&mut self, operands: &[machine::Operand]) -> Result<()> {
        let block = operands[1].as_block().ok_or("the address of no block")?;
        let number = block.number();
        let data = self.data_address("block", number, &Contents::Blocks(&[number]))?;
        let value = self.load("G_LOAD", 64, data, 64)?;
        self.set(operands[0], value)
    }
}

/// Returns a block by its number here, until the positions of all blocks are known.
pub(super) fn block(operand: machine::Operand) -> Result<Operand> {
    let block = operand.as_block().ok_or("a branch to nowhere")?;
    Ok(Operand::block(block.number()))
}
