//! Values on edges: a PHI that is a constant on an edge on which a test found a register to hold it
//! reads the register. In SSA form.
//!
//! After `if (flag) flag = call();` the flag is 0 on the path past the call, and constant
//! propagation says so: the path would write 0 to a register that is 0 already. Where the PHI reads
//! the tested register, both become one, and the path is empty (GCC's pass "uncprop" undoes the
//! propagation of constants likewise).
//!
//! That is so where the PHI and the register are values of one variable: where other PHIs connect
//! them. Elsewhere the register would stay live for a copy that costs as much as the constant.
//!
//! The invariant: a test of 32 bits says nothing of the upper half, so nothing may read that of the
//! PHI. The cost is constant for each source of a PHI, for which one test is looked at: the one
//! that ends the block of the edge, or the block before if that one has nothing but constants.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::demanded_bits::DemandedBits;
use crate::codegen::analysis::phis::{first_terminator, is_phi};
use crate::machine::{BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The most constants of a block that a path is followed through.
const MOST_CONSTANTS: usize = 8;

/// The sets of registers that PHIs connect: the name of each register's set, which is one of its
/// registers (Galler and Fischer, "An improved equivalence algorithm", 1964).
struct Webs<'m>(Vec<'m, VReg>);

impl<'m> Webs<'m> {
    /// Finds the registers that the PHIs of a function connect.
    fn of(function: &Function<'m>) -> Result<Webs<'m>, OutOfMemory> {
        let mut webs = Webs(Vec::new(function.allocator()));
        webs.0.reserve(function.vreg_count())?;
        for number in 0..function.vreg_count() {
            webs.0.push(VReg::new(number as u32))?;
        }
        for &block in &function.layout {
            for insn in function
                .insns(block)
                .take_while(|&insn| is_phi(function, insn))
            {
                let mut registers = function.operands(insn).iter().filter_map(|o| o.vreg());
                if let Some(to) = registers.next() {
                    registers.for_each(|from| webs.connect(to, from));
                }
            }
        }
        for number in 0..webs.0.len() {
            webs.0[number] = webs.shorten(VReg::new(number as u32));
        }
        Ok(webs)
    }

    fn connect(&mut self, a: VReg, b: VReg) {
        let (a, b) = (self.shorten(a), self.shorten(b));
        self.0[b.index()] = a;
    }

    /// Returns the name of a register's set, and halves the path to it.
    fn shorten(&mut self, mut register: VReg) -> VReg {
        loop {
            let above = self.0[register.index()];
            if above == register {
                return register;
            }
            let next = self.0[above.index()];
            self.0[register.index()] = next;
            register = next;
        }
    }

    /// Returns whether PHIs connect two registers.
    fn are_connected(&self, a: VReg, b: VReg) -> bool {
        self.0.get(a.index()) == self.0.get(b.index())
    }
}

/// A source of a PHI, by the number of its operand, that is a constant, and the register that holds
/// it.
pub(super) struct Tested {
    phi: InsnId,
    number: usize,
    register: VReg,
}

/// Makes sources of PHIs read the registers that hold them, where PHIs connect these.
///
/// # Errors
///
/// Out of memory.
pub(super) fn read_tested(function: &mut Function<'_>, all: &[Tested]) -> Result<(), OutOfMemory> {
    if all.is_empty() {
        return Ok(());
    }
    let webs = Webs::of(function)?;
    for tested in all {
        let operands = function.operands_mut(tested.phi);
        if let Some(to) = operands.first().and_then(|to| to.vreg())
            && webs.are_connected(tested.register, to)
        {
            operands[tested.number] = Operand::from(tested.register);
        }
    }
    Ok(())
}

/// Finds the sources of a PHI that are constants which registers hold.
///
/// # Errors
///
/// Out of memory.
pub(super) fn find_tested(
    function: &Function<'_>,
    phi: InsnId,
    flow: &Flow<'_>,
    demanded: &DemandedBits<'_>,
    all: &mut Vec<'_, Tested>,
) -> Result<(), OutOfMemory> {
    let Some(to) = function.operands(phi).first().and_then(|to| to.vreg()) else {
        return Ok(());
    };
    let block = function.insn(phi).block();
    let mut number = 1;
    while let Some(&[value, from]) = function.operands(phi).get(number..number + 2) {
        let tested = from.as_block().and_then(|from| {
            let constant = constant(function, demanded, value)?;
            let edge = Edge::before(function, flow, from, block)?;
            edge.holder(function, flow, demanded, constant)
        });
        if let Some((register, bits)) = tested
            && demanded.bits(to) <= bits
        {
            all.push(Tested {
                phi,
                number,
                register,
            })?;
        }
        number += 2;
    }
    Ok(())
}

/// Returns the value of an operand that is a constant.
fn constant(function: &Function<'_>, demanded: &DemandedBits<'_>, operand: Operand) -> Option<i64> {
    let Some(vreg) = operand.vreg() else {
        return function.immediate(operand);
    };
    let definition = demanded.definition(vreg)?;
    let is_constant = function.insn(definition).opcode.generic() == Some(Generic::Constant);
    let value = *function.operands(definition).get(1)?;
    is_constant.then(|| function.immediate(value))?
}

/// An edge from a block with a test.
struct Edge {
    from: BlockId,
    to: BlockId,
}

impl Edge {
    /// Returns the edge into a block, or that into the block before if nothing happens there.
    fn before(
        function: &Function<'_>,
        flow: &Flow<'_>,
        from: BlockId,
        to: BlockId,
    ) -> Option<Edge> {
        let first = first_terminator(function, from);
        let is_test = |insn| function.insn(insn).opcode.generic() == Some(Generic::BrIcmp);
        if first.is_some_and(is_test) {
            return Some(Edge { from, to });
        }
        let is_constant =
            |insn: InsnId| function.insn(insn).opcode.generic() == Some(Generic::Constant);
        let mut before = function.insns(from).take_while(|&insn| Some(insn) != first);
        let is_empty = before.by_ref().take(MOST_CONSTANTS).all(is_constant);
        match flow.edges.predecessors(from) {
            &[before_it] if is_empty && before.next().is_none() => Some(Edge {
                from: before_it,
                to: from,
            }),
            _ => None,
        }
    }

    /// Returns a register that holds a constant on the edge, and how many bits of it do.
    fn holder(
        &self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        demanded: &DemandedBits<'_>,
        value: i64,
    ) -> Option<(VReg, u8)> {
        let test = first_terminator(function, self.from)?;
        let row = function.insn(test);
        if row.opcode.generic() != Some(Generic::BrIcmp) {
            return None;
        }
        let &[predicate, register, other, target] = function.operands(test) else {
            return None;
        };
        let is_taken = target.as_block()? == self.to;
        let is_equal = match predicate.as_int_predicate()? {
            IntPredicate::Eq => is_taken,
            IntPredicate::Ne => !is_taken,
            _ => false,
        };
        let successors = flow.edges.successors(self.from).iter();
        let is_only_edge = successors.filter(|&&block| block == self.to).count() == 1;
        let other = constant(function, demanded, other)?;
        let bits = if row.ty == LowType::S32 { 32 } else { 64 };
        let is_same = other == value || bits == 32 && other as i32 == value as i32;
        (is_equal && is_only_edge && is_same).then_some((register.vreg()?, bits))
    }
}
