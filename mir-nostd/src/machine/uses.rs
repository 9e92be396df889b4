//! Use-def chains: the instructions that write and read each virtual register.

use super::{Function, InsnId, VReg};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// The definitions and uses of the virtual registers of a function at one moment: one array of
/// instructions, in which each register's definitions and then its uses lie together, in the order
/// of the layout. An instruction occurs once for each operand that writes or reads the register.
///
/// They are found in one walk over the function and a counting sort, in time and memory in
/// proportion to its operands and registers.
///
/// ```
/// use mir_nostd::machine::{
///     Bank, ClassId, Function, Generic, LowType, Operand, OperandFlags, UseDefs, VRegInfo,
/// };
/// # fn main() -> Result<(), mir_nostd::machine::InsertError> {
/// # let system = testkit::SystemAllocator;
/// let mut function = Function::new(&system);
/// let (bank, class) = (Bank::General, ClassId(0));
/// let info = VRegInfo { ty: LowType::S64, bank, class };
/// let (a, b) = (function.add_vreg(info)?, function.add_vreg(info)?);
/// let block = function.add_block()?;
/// function.layout.push(block)?;
/// let def = |vreg| Operand::from(vreg).with(OperandFlags::DEF);
///
/// let seven = [def(a), Operand::imm(7)];
/// let seven = function.append(block, Generic::Constant, LowType::S64, &seven)?;
/// let square = [def(b), a.into(), a.into()];
/// let square = function.append(block, Generic::Mul, LowType::S64, &square)?;
///
/// let chains = UseDefs::new(&function, &system)?;
/// assert_eq!(chains.definition(a), Some(seven));
/// assert_eq!(chains.uses(a), [square, square]);
/// assert_eq!(chains.definitions(b), [square]);
/// assert!(chains.uses(b).is_empty());
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct UseDefs<'m> {
    /// The start of the definitions of each register, and after each of these the start of its
    /// uses; at last the end.
    starts: Vec<'m, u32>,
    insns: Vec<'m, InsnId>,
}

impl<'m> UseDefs<'m> {
    /// Computes the chains of all virtual registers.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn new(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<UseDefs<'m>, OutOfMemory> {
        UseDefs::of(function, allocator, |_| true)
    }

    /// Computes the chains of the registers for which `is_wanted` holds; the others seem to be
    /// neither written nor read.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn of(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
        is_wanted: impl Fn(VReg) -> bool,
    ) -> Result<UseDefs<'m>, OutOfMemory> {
        let mut starts = Vec::new(allocator);
        starts.resize(2 * function.vreg_count() + 2, 0_u32)?;
        // The instructions, each with the list that it belongs to.
        let mut found = Vec::new(allocator);
        for &block in &function.layout {
            for (insn, row) in function.rows(block) {
                for operand in function.operands_of(row) {
                    if let Some(vreg) = operand.vreg().filter(|&vreg| is_wanted(vreg)) {
                        let list = 2 * vreg.number() + u32::from(!operand.is_def());
                        starts[list as usize + 2] += 1;
                        found.push((list, insn))?;
                    }
                }
            }
        }
        let mut start = 0;
        for place in starts.iter_mut() {
            start += *place;
            *place = start;
        }
        let mut insns = Vec::new(allocator);
        insns.resize(found.len(), InsnId::new(0))?;
        for &(list, insn) in &found {
            let place = &mut starts[list as usize + 1];
            insns[*place as usize] = insn;
            *place += 1;
        }
        Ok(UseDefs { starts, insns })
    }

    /// Returns whether the register existed when the chains were computed.
    #[must_use]
    pub fn knows(&self, vreg: VReg) -> bool {
        2 * vreg.index() + 2 < self.starts.len()
    }

    fn list(&self, vreg: VReg, number: usize) -> &[InsnId] {
        let at = 2 * vreg.index() + number;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&end)) => &self.insns[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Returns the instructions that write a register; none for a register made later.
    #[must_use]
    pub fn definitions(&self, vreg: VReg) -> &[InsnId] {
        self.list(vreg, 0)
    }

    /// Returns the instruction that writes a register, if there is exactly one.
    #[must_use]
    pub fn definition(&self, vreg: VReg) -> Option<InsnId> {
        match *self.definitions(vreg) {
            [insn] => Some(insn),
            _ => None,
        }
    }

    /// Returns the instructions that read a register; none for a register made later.
    #[must_use]
    pub fn uses(&self, vreg: VReg) -> &[InsnId] {
        self.list(vreg, 1)
    }
}
