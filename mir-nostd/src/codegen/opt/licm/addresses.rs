//! Reassociation of addresses: the two parts of the address of a load or store that are
//! loop-invariant become one register, which is computed before the loop. In SSA form.
//!
//! `base + (x + i) * scale` with `base` and `x` invariant becomes `t + i * scale` with
//! `t = base + x * scale`, and `(x + i) + index * scale` with `x` and `index` invariant becomes
//! `t + i`: the sum is computed no more in each iteration. Addresses wrap around, so that the order
//! of additions does not matter. It is done where nothing but such addresses reads the sum, and as
//! long as registers are free all through the loop.

use crate::codegen::analysis::loops::{Loops, registers_for};
use crate::codegen::analysis::phis::first_terminator;
use crate::machine::{
    Bank, BlockId, Function, Generic, InsnId, LowType, Operand, OperandFlags, VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::error::{Error, Phase};
use crate::target::{AddressForm, Isa};

/// How often sums of sums are taken apart.
const MOST_ROUNDS: usize = 3;
/// The most registers for invariant parts of addresses in a loop.
const MOST_PARTS: usize = 16;

/// The registers of a function whose addresses are taken apart.
pub(super) struct Addresses<'m> {
    /// How often each register is read in the function; empty until somebody asks.
    totals: Vec<'m, u32>,
    /// How often the addresses that were found in a loop read each register as their sum.
    found: Vec<'m, u32>,
    /// The loads and stores that were found, and the sum that each reads.
    accesses: Vec<'m, (InsnId, VReg)>,
    /// The registers of invariant parts in a loop.
    parts: Vec<'m, (Invariant, VReg)>,
}

/// The invariant part of an address: a register, and another times a power of two.
#[derive(Clone, Copy, PartialEq)]
struct Invariant {
    base: VReg,
    scaled: VReg,
    scale: i32,
}

/// An address that consists of an invariant register and a sum that is computed in the loop.
struct Split {
    invariant: Invariant,
    /// The invariant register of the address.
    whole: VReg,
    /// The other one, and the instruction that adds its summands.
    sum: VReg,
    fixed: VReg,
    variable: VReg,
    /// The register that is read instead of the sum, and its factor.
    index: VReg,
    scale: i32,
}

impl Split {
    fn new(
        loops: &Loops<'_>,
        function: &Function<'_>,
        isa: &dyn Isa,
        header: BlockId,
        access: InsnId,
    ) -> Option<Split> {
        use Generic as G;
        let generic = function.insn(access).opcode.generic()?;
        if !matches!(generic, G::Load | G::SextLoad | G::ZextLoad | G::Store) {
            return None;
        }
        let &[_, base, index, scale, disp] = function.operands(access) else {
            return None;
        };
        let (base, index, scale) = (base.vreg()?, index.vreg()?, scale.small()?);
        let displacement = function.immediate(disp)?;
        let is_fixed = |vreg: VReg| loops.is_fixed(function, header, vreg.into());
        let (whole, sum) = match [base, index].map(is_fixed) {
            [true, false] => (base, index),
            [false, true] => (index, base),
            _ => return None,
        };
        let [fixed, variable] = summands(loops, function, sum)?;
        let [fixed, variable] = match [fixed, variable].map(is_fixed) {
            [true, false] => [fixed, variable],
            [false, true] => [variable, fixed],
            _ => return None,
        };
        let (base, scaled, rest) = match sum == index {
            true => (base, fixed, scale),
            false => (fixed, index, 1),
        };
        let takes = |scale| {
            let form = AddressForm {
                has_frame: false,
                has_index: true,
                scale,
                displacement,
            };
            isa.takes_address(function.insn(access).ty, &form)
        };
        let (index, rest) = match unscaled(loops, function, variable) {
            Some((of, factor)) if rest * factor <= 8 && takes(rest * factor) => (of, rest * factor),
            _ => (variable, rest),
        };
        (scale.count_ones() == 1).then_some(Split {
            invariant: Invariant {
                base,
                scaled,
                scale,
            },
            whole,
            sum,
            fixed,
            variable,
            index,
            scale: rest,
        })
    }

    /// Returns the number of registers that the loop needs no more without the sum and the
    /// invariant register of the address.
    fn frees(&self, loops: &Loops<'_>) -> usize {
        let is_last = |vreg: VReg| usize::from(loops.reads(vreg) == 1);
        match loops.reads(self.sum) {
            1 => is_last(self.whole) + is_last(self.fixed),
            _ => is_last(self.whole),
        }
    }
}

/// Returns the registers whose sum another one is.
fn summands(loops: &Loops<'_>, function: &Function<'_>, sum: VReg) -> Option<[VReg; 2]> {
    let add = loops.definitions.get(sum.index()).copied().flatten()?;
    let row = function.insn(add);
    let is_sum = row.opcode.generic() == Some(Generic::Add) && row.ty == LowType::S64;
    match function.operands(add) {
        &[_, a, b] if is_sum => Some([a.vreg()?, b.vreg()?]),
        _ => None,
    }
}

/// Returns the register of which another one is a multiple, and the factor, up to 8.
fn unscaled(loops: &Loops<'_>, function: &Function<'_>, vreg: VReg) -> Option<(VReg, i32)> {
    let shift = loops.definitions.get(vreg.index()).copied().flatten()?;
    let row = function.insn(shift);
    let is_shift = row.opcode.generic() == Some(Generic::Shl) && row.ty == LowType::S64;
    let &[_, of, by] = function.operands(shift) else {
        return None;
    };
    let by = by.small().filter(|by| is_shift && (1..=3).contains(by))?;
    Some((of.vreg()?, 1 << by))
}

impl<'m> Addresses<'m> {
    pub(super) fn new(function: &Function<'m>) -> Addresses<'m> {
        let allocator = function.allocator();
        Addresses {
            totals: Vec::new(allocator),
            found: Vec::new(allocator),
            accesses: Vec::new(allocator),
            parts: Vec::new(allocator),
        }
    }

    /// Takes the addresses in a loop apart: their invariant parts are computed in the block that
    /// the loop is entered from. Returns whether there were any.
    pub(super) fn split(
        &mut self,
        loops: &mut Loops<'m>,
        function: &mut Function<'m>,
        isa: &dyn Isa,
        [header, outside]: [BlockId; 2],
    ) -> Result<bool, Error> {
        self.parts.clear();
        let mut changed = false;
        for _ in 0..MOST_ROUNDS {
            self.find(loops, function, isa, header)?;
            if self.accesses.is_empty() {
                break;
            }
            let has_call = loops.has_call(function, header);
            let [wanted, _] = loops.pressure(function, header);
            let room = registers_for(isa, Bank::General, has_call).saturating_sub(wanted);
            if !self.replace_all(loops, function, isa, [header, outside], room)? {
                break;
            }
            changed = true;
        }
        Ok(changed)
    }

    /// Finds the addresses in a loop that may be taken apart.
    fn find(
        &mut self,
        loops: &Loops<'m>,
        function: &Function<'m>,
        isa: &dyn Isa,
        header: BlockId,
    ) -> Result<(), Error> {
        for &(_, sum) in &self.accesses {
            self.found[sum.index()] = 0;
        }
        self.accesses.clear();
        for &member in loops.members(header) {
            for access in function.insns(member) {
                if let Some(split) = Split::new(loops, function, isa, header, access) {
                    self.accesses.push((access, split.sum))?;
                }
            }
        }
        if !self.accesses.is_empty() && self.totals.is_empty() {
            self.count_reads(function)?;
        }
        for &(_, sum) in &self.accesses {
            self.found[sum.index()] += 1;
        }
        Ok(())
    }

    /// Counts how often each register of the function is read.
    fn count_reads(&mut self, function: &Function<'m>) -> Result<(), Error> {
        self.totals.resize(function.vreg_count(), 0)?;
        self.found.resize(function.vreg_count(), 0)?;
        for &block in &function.layout {
            for insn in function.insns(block) {
                let read = function.operands(insn).iter().filter_map(|o| o.read_vreg());
                for vreg in read {
                    self.totals[vreg.index()] += 1;
                }
            }
        }
        Ok(())
    }

    /// Takes the addresses apart that were found, as far as there is room for registers. Returns
    /// whether there was.
    fn replace_all(
        &mut self,
        loops: &mut Loops<'m>,
        function: &mut Function<'m>,
        isa: &dyn Isa,
        [header, outside]: [BlockId; 2],
        mut room: usize,
    ) -> Result<bool, Error> {
        let mut changed = false;
        for number in 0..self.accesses.len() {
            let Some(&(access, sum)) = self.accesses.get(number) else {
                break;
            };
            if self.totals[sum.index()] != self.found[sum.index()] {
                continue;
            }
            let Some(split) = Split::new(loops, function, isa, header, access) else {
                continue;
            };
            let mut parts = self.parts.iter();
            let known = parts.find(|(invariant, _)| *invariant == split.invariant);
            let part = match known {
                Some(&(_, part)) => part,
                None if self.parts.len() == MOST_PARTS => break,
                None => {
                    let freed = split.frees(loops);
                    if room + freed == 0 {
                        continue;
                    }
                    room = room + freed - 1;
                    self.add_part(loops, function, split.invariant, outside)?
                }
            };
            self.replace(loops, function, access, part, &split);
            changed = true;
        }
        Ok(changed)
    }

    /// Computes the invariant part of an address before a loop.
    fn add_part(
        &mut self,
        loops: &mut Loops<'m>,
        function: &mut Function<'m>,
        invariant: Invariant,
        outside: BlockId,
    ) -> Result<VReg, Error> {
        let Invariant {
            base,
            scaled,
            scale,
        } = invariant;
        let mut summand = scaled;
        if scale > 1 {
            let shift = Operand::imm(scale.trailing_zeros() as i32);
            let shift = (Generic::Shl, [scaled.into(), shift]);
            summand = self.compute(loops, function, outside, shift)?;
        }
        let sum = (Generic::Add, [base.into(), summand.into()]);
        let part = self.compute(loops, function, outside, sum)?;
        self.parts.push((invariant, part))?;
        Ok(part)
    }

    /// Adds an instruction at the end of a block. Returns its result.
    fn compute(
        &mut self,
        loops: &mut Loops<'m>,
        function: &mut Function<'m>,
        block: BlockId,
        (generic, [a, b]): (Generic, [Operand; 2]),
    ) -> Result<VReg, Error> {
        let info = match a.vreg() {
            Some(vreg) => function.vreg(vreg),
            None => return Err(Phase::Optimisation.internal(None)),
        };
        let to = function.add_vreg(info)?;
        let operands = [Operand::from(to).with(OperandFlags::DEF), a, b];
        let before = first_terminator(function, block);
        let insn = function.insert(block, before, generic.into(), LowType::S64, &operands)?;
        let count = function.vreg_count();
        loops.add_registers(count)?;
        loops.definitions[to.index()] = Some(insn);
        self.totals.resize(count, 0)?;
        self.found.resize(count, 0)?;
        for vreg in [a, b].into_iter().filter_map(Operand::vreg) {
            self.totals[vreg.index()] += 1;
        }
        Ok(to)
    }

    /// Replaces the address of an access by the register of its invariant part and the variable
    /// summand, and removes the sum if nothing reads it any more.
    fn replace(
        &mut self,
        loops: &mut Loops<'m>,
        function: &mut Function<'m>,
        access: InsnId,
        part: VReg,
        split: &Split,
    ) {
        loops.forget_read(split.whole);
        loops.forget_read(split.sum);
        let address = function.operands_mut(access).get_mut(1..4);
        if let Some([base, index, scale]) = address {
            *base = part.into();
            *index = split.index.into();
            *scale = Operand::imm(split.scale);
        }
        self.totals[split.whole.index()] -= 1;
        self.totals[split.index.index()] += 1;
        self.totals[part.index()] += 1;
        self.totals[split.sum.index()] -= 1;
        self.found[split.sum.index()] -= 1;
        self.remove_unread(loops, function, split.sum);
        self.remove_unread(loops, function, split.variable);
    }

    /// Removes the computation of a register that nothing reads.
    fn remove_unread(&mut self, loops: &mut Loops<'m>, function: &mut Function<'m>, vreg: VReg) {
        let definition = loops.definitions.get_mut(vreg.index());
        let insn = match definition {
            Some(definition) if self.totals[vreg.index()] == 0 => definition.take(),
            _ => None,
        };
        if let Some(insn) = insn {
            loops.leave(function, insn);
            for read in function.operands(insn).iter().filter_map(|o| o.read_vreg()) {
                self.totals[read.index()] -= 1;
            }
            function.remove(insn);
        }
    }
}
