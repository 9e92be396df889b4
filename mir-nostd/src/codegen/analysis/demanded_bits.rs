//! Demanded bits: which instructions are needed, and how many of the low bits of each register are
//! read. On functions in SSA form.
//!
//! A backward data-flow analysis, as in LLVM, that counts low bits in place of keeping a mask: what
//! an operation reads of its sources follows from what is read of its result, as the low bits of
//! sums, products and bitwise operations depend on no higher bits of their sources. The analysis is
//! optimistic: it starts from the instructions that have effects, so that values that go around a
//! loop are not demanded by themselves (the marking of Cytron et al., "Efficiently computing static
//! single assignment form and the control dependence graph", 1991, without the control
//! dependences). Numbers are 0, 8, 16, 32 or 64 and only grow, each at most four times: the work is
//! proportional to the operands of the function.

use crate::codegen::analysis::properties::is_removable;
use crate::machine::{Function, Generic, Insn, InsnId, LowType, Operand, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The instructions that are needed, and the numbers of low bits that they read of registers.
pub(crate) struct DemandedBits<'m> {
    demands: Vec<'m, Demand>,
    needed: Vec<'m, bool>,
    /// The instructions that may read more than was noted of them.
    changed: Vec<'m, InsnId>,
}

/// The facts that are known of a register.
#[derive(Clone, Copy, Default)]
struct Demand {
    /// How many low bits are read, as far as is known.
    bits: u8,
    /// The instruction that defines it, if that has no effect and was visited.
    definition: Option<InsnId>,
}

impl<'m> DemandedBits<'m> {
    /// Finds the instructions that are needed, and the bits that they read.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub(crate) fn of(function: &Function<'m>) -> Result<DemandedBits<'m>, OutOfMemory> {
        let allocator = function.allocator();
        let mut demanded = DemandedBits {
            demands: Vec::new(allocator),
            needed: Vec::new(allocator),
            changed: Vec::new(allocator),
        };
        demanded
            .demands
            .resize(function.vreg_count(), Demand::default())?;
        demanded.needed.resize(function.insn_count(), false)?;
        // Most readers are visited before what they read.
        for &block in function.layout.iter().rev() {
            let mut cursor = function.cursor_at_end(block);
            while let Some(insn) = cursor.previous(function) {
                demanded.visit(function, insn)?;
            }
        }
        while let Some(insn) = demanded.changed.pop() {
            demanded.note(function, insn)?;
        }
        Ok(demanded)
    }

    /// Returns how many low bits are read of a register: 0, 8, 16, 32 or 64.
    pub(crate) fn bits(&self, vreg: VReg) -> u8 {
        self.demands[vreg.index()].bits
    }

    /// Returns the instruction that defines a register, if that has no effect.
    pub(crate) fn definition(&self, vreg: VReg) -> Option<InsnId> {
        self.demands[vreg.index()].definition
    }

    /// Returns whether an instruction has an effect, or computes something that is read.
    pub(crate) fn is_needed(&self, insn: InsnId) -> bool {
        self.needed[insn.index()]
    }

    /// Notes what an instruction reads, if it is known to be needed.
    fn visit(&mut self, function: &Function<'m>, insn: InsnId) -> Result<(), OutOfMemory> {
        let row = function.insn(insn);
        let operands = function.operands_of(row);
        if has_effect(row, operands) {
            return self.note(function, insn);
        }
        let mut is_read = false;
        for to in operands.iter().take_while(|operand| operand.is_def()) {
            if let Some(to) = to.vreg() {
                let demand = &mut self.demands[to.index()];
                demand.definition = Some(insn);
                is_read |= demand.bits > 0;
            }
        }
        if is_read {
            self.note(function, insn)?;
        }
        Ok(())
    }

    /// Notes what a needed instruction reads.
    fn note(&mut self, function: &Function<'m>, insn: InsnId) -> Result<(), OutOfMemory> {
        self.needed[insn.index()] = true;
        let row = function.insn(insn);
        let operands = function.operands_of(row);
        let result = operands.first().filter(|first| first.is_def());
        let of_result = result
            .and_then(|to| to.vreg())
            .map_or(64, |to| self.bits(to));
        for (number, operand) in operands.iter().enumerate() {
            let Some(vreg) = operand.read_vreg() else {
                continue;
            };
            let demand = &mut self.demands[vreg.index()];
            if demand.bits == 64 {
                continue;
            }
            let bits = bits_read(row, operands, number, of_result);
            if demand.bits < bits {
                demand.bits = bits;
                if let Some(definition) = demand.definition {
                    self.changed.push(definition)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns whether an instruction does more than compute virtual registers.
fn has_effect(row: &Insn, operands: &[Operand]) -> bool {
    let generic = row.opcode.generic();
    if !generic.is_some_and(|generic| is_removable(generic, row.ty)) {
        return true;
    }
    let computes = operands.first().is_some_and(|first| first.is_def());
    let is_other = |operand: &Operand| operand.is_def() && operand.vreg().is_none();
    !computes || operands.iter().any(is_other)
}

/// Returns how many low bits an instruction reads of the register that an operand is, if so many
/// are read of its result.
fn bits_read(row: &Insn, operands: &[Operand], number: usize, of_result: u8) -> u8 {
    let Some(generic) = row.opcode.generic() else {
        return 64;
    };
    let width = if row.ty == LowType::S32 { 32 } else { 64 };
    match generic {
        Generic::Phi | Generic::Copy => of_result,
        Generic::SextInreg | Generic::ZextInreg => of_result.min(immediate(operands, 2)),
        // The value, not the address.
        Generic::Store if number == 0 => row.ty.bits().min(64) as u8,
        Generic::Add | Generic::Sub | Generic::Mul | Generic::Or | Generic::Xor => {
            of_result.min(width)
        }
        Generic::And => of_result.min(width).min(bits_of_mask(operands)),
        Generic::Shl if number == 1 => of_result.min(width),
        // The values that it chooses between.
        Generic::Select if number >= 4 => of_result,
        Generic::Shl | Generic::Lshr | Generic::Ashr | Generic::Rotl => width,
        Generic::Icmp | Generic::BrIcmp | Generic::Select => width,
        _ => 64,
    }
}

/// Returns the number of bits that an operand states.
fn immediate(operands: &[Operand], number: usize) -> u8 {
    let bits = operands.get(number).and_then(|bits| bits.small());
    bits.and_then(|bits| u8::try_from(bits).ok()).unwrap_or(64)
}

/// Returns the number of low bits that hold all that the mask of an `And` keeps.
fn bits_of_mask(operands: &[Operand]) -> u8 {
    match operands.get(2).and_then(|mask| mask.small()) {
        Some(0..=0xff) => 8,
        Some(0..=0xffff) => 16,
        Some(0..) => 32,
        _ => 64,
    }
}
