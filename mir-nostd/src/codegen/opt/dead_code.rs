//! Bit-tracking dead code elimination: removes computations on which no effect depends, induction
//! variables that only count themselves included, and computes in 32 bits what nothing reads in 64.
//! In SSA form.
//!
//! The analysis of [`demanded_bits`](crate::codegen::analysis::demanded_bits) finds what is needed,
//! and how many bits of it; the name and the idea to do both at once are LLVM's.
//!
//! Narrowing undoes what [`widen_induction`](super::widen_induction) does to values that no address
//! reads in the end. Instructions of 32 bits are shorter on `x86_64` and s390x, extend their result
//! on riscv64, and set the flags that comparisons of 32 bits ask for. The cost is linear.

mod edge_values;

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::demanded_bits::DemandedBits;
use crate::codegen::analysis::phis::is_phi;
use crate::machine::{Function, Generic, InsnId, LayoutCursor, LowType, Operand};
use crate::mem::{OutOfMemory, Vec};
use crate::target::error::Error;
use edge_values::{find_tested, read_tested};

/// Removes the instructions that no instruction with an effect depends on.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn remove_dead(function: &mut Function<'_>) -> Result<(), Error> {
    sweep(function, |_, _, _| Ok(()))
}

/// Removes the instructions that no instruction with an effect depends on, makes operations of 64
/// bits whose upper half nothing reads operations of 32, and has PHIs read what tests found to be
/// constants.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn remove_dead_bits(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
    let mut tested = Vec::new(function.allocator());
    sweep(function, |function, insn, demanded| {
        if is_phi(function, insn) {
            return find_tested(function, insn, flow, demanded, &mut tested);
        }
        let to = function.operands(insn).first().filter(|to| to.is_def());
        let to = to.and_then(|to| to.vreg());
        if to.is_some_and(|to| demanded.bits(to) <= 32) {
            narrow(function, insn, demanded);
        }
        Ok(())
    })?;
    Ok(read_tested(function, &tested)?)
}

/// Removes what is not needed, and does something to all else.
fn sweep(
    function: &mut Function<'_>,
    mut keep: impl FnMut(&mut Function<'_>, InsnId, &DemandedBits<'_>) -> Result<(), OutOfMemory>,
) -> Result<(), Error> {
    let demanded = DemandedBits::of(function)?;
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if demanded.is_needed(insn) {
                keep(function, insn, &demanded)?;
            } else {
                function.remove(insn);
            }
        }
    }
    Ok(())
}

/// Narrows an instruction of whose result the low half is read alone, if it can be.
fn narrow(function: &mut Function<'_>, insn: InsnId, demanded: &DemandedBits<'_>) {
    let row = *function.insn(insn);
    match row.opcode.generic() {
        Some(Generic::SextLoad | Generic::ZextLoad) if row.ty == LowType::S32 => {
            function.set_opcode(insn, Generic::Load.into());
        }
        Some(generic)
            if row.ty == LowType::S64 && has_narrow(function, insn, generic, demanded) =>
        {
            function.set_type(insn, LowType::S32);
            for number in 1..function.operands(insn).len() {
                shorten(function, insn, number);
            }
        }
        _ => {}
    }
}

/// Returns whether an operation of 32 bits computes the low half of the result of one of 64, and is
/// no worse.
fn has_narrow(
    function: &Function<'_>,
    insn: InsnId,
    generic: Generic,
    demanded: &DemandedBits<'_>,
) -> bool {
    // Instructions that shift a source on the way shift as many bits as they compute.
    let is_shifted = |operand: &Operand| {
        let definition = operand.read_vreg().and_then(|of| demanded.definition(of));
        definition.is_some_and(|shift| {
            let row = function.insn(shift);
            let generic = row.opcode.generic();
            row.ty == LowType::S64 && matches!(generic, Some(Generic::Lshr | Generic::Ashr))
        })
    };
    let operands = function.operands(insn);
    match generic {
        Generic::Add | Generic::Sub | Generic::And | Generic::Or | Generic::Xor => {
            !operands.iter().any(is_shifted)
        }
        Generic::Mul => true,
        Generic::Shl => {
            let by = operands.get(2).and_then(|by| by.small());
            by.is_some_and(|by| (0..32).contains(&by))
        }
        _ => false,
    }
}

/// Cuts an immediate that has more than 32 bits.
fn shorten(function: &mut Function<'_>, insn: InsnId, number: usize) {
    let operand = function.operands(insn)[number];
    if let Some(value) = function.immediate(operand) {
        function.operands_mut(insn)[number] = Operand::imm(value as i32);
    }
}
