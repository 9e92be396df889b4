//! Extension elimination: removes extensions whose upper bits are read by nothing, through PHIs. In
//! SSA form.
//!
//! [`combine`](super::combine) reads the source of an extension where an instruction reads the low
//! bits alone, but not where a PHI is between: in `while (b) { t = a % b; a = b; b = t; }` all
//! values are 32-bit, and go around extended only because a call might once have read them. The
//! analysis of [`demanded_bits`](crate::codegen::analysis::demanded_bits) finds how many low bits
//! are read of each register. An extension of as many bits as are read of its result changes
//! nothing that is read, even within a cycle of PHIs, as all are judged before the first goes. The
//! cost is linear.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::demanded_bits::DemandedBits;
use crate::codegen::analysis::phis::{have_phis, is_phi};
use crate::machine::{Function, Generic, InsnId, Reg, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;

/// Removes the extensions, and the PHIs that have one value then.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn eliminate_extensions(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
) -> Result<(), Error> {
    if !have_phis(function, &flow.order) {
        return Ok(());
    }
    let extensions = merged_extensions(function, flow)?;
    if extensions.is_empty() {
        return Ok(());
    }
    let demanded = DemandedBits::of(function)?;
    let is_unread = |extension: &&Extension| demanded.bits(extension.to) <= extension.bits;
    let mut unread = extensions.iter().filter(is_unread).peekable();
    if unread.peek().is_none() {
        return Ok(());
    }
    let mut values = Values(Vec::new(function.allocator()));
    values.0.resize(function.vreg_count(), None)?;
    for extension in unread {
        values.0[extension.to.index()] = Some(extension.from);
        function.remove(extension.insn);
    }
    remove_trivial_phis(function, flow, &mut values);
    values.replace(function);
    Ok(())
}

/// An extension of the low bits of a register.
#[derive(Clone, Copy)]
struct Extension {
    insn: InsnId,
    to: VReg,
    from: Reg,
    bits: u8,
}

impl Extension {
    fn of(function: &Function<'_>, insn: InsnId) -> Option<Extension> {
        let &[to, from, bits] = function.operands(insn) else {
            return None;
        };
        Some(Extension {
            insn,
            to: to.vreg()?,
            from: from.as_reg()?,
            bits: u8::try_from(bits.small()?).ok()?,
        })
    }
}

/// The register that takes the place of each virtual one, if another does. No chain of these ends
/// where it begins.
struct Values<'m>(Vec<'m, Option<Reg>>);

impl Values<'_> {
    /// Returns the register that takes the place of one in the end.
    fn of(&self, mut reg: Reg) -> Reg {
        while let Some(value) = reg.vreg().and_then(|vreg| self.0[vreg.index()]) {
            reg = value;
        }
        reg
    }

    /// Has all instructions read what takes the place of registers.
    fn replace(&self, function: &mut Function<'_>) {
        for place in 0..function.layout.len() {
            let Some(&block) = function.layout.get(place) else {
                break;
            };
            let mut cursor = function.cursor(block);
            while let Some(insn) = cursor.next(function) {
                for operand in function.operands_mut(insn) {
                    if let Some(vreg) = operand.read_vreg()
                        && let Some(value) = self.0[vreg.index()]
                    {
                        *operand = operand.on(self.of(value));
                    }
                }
            }
        }
    }
}

/// Returns the extensions whose results PHIs read.
fn merged_extensions<'m>(
    function: &Function<'m>,
    flow: &Flow<'_>,
) -> Result<Vec<'m, Extension>, OutOfMemory> {
    let mut extensions = Vec::new(function.allocator());
    for &block in &flow.order {
        for (insn, row) in function.rows(block) {
            let generic = row.opcode.generic();
            if matches!(generic, Some(Generic::SextInreg | Generic::ZextInreg))
                && let Some(extension) = Extension::of(function, insn)
            {
                extensions.push(extension)?;
            }
        }
    }
    if extensions.is_empty() {
        return Ok(extensions);
    }
    let mut is_merged = Vec::new(function.allocator());
    is_merged.resize(function.vreg_count(), false)?;
    for &block in &flow.order {
        let insns = function.insns(block);
        for phi in insns.take_while(|&insn| is_phi(function, insn)) {
            let values = function.operands(phi).iter();
            for vreg in values.filter_map(|value| value.read_vreg()) {
                is_merged[vreg.index()] = true;
            }
        }
    }
    extensions.retain(|extension| is_merged[extension.to.index()]);
    Ok(extensions)
}

/// Removes the PHIs of one value, or of that and their own, as those are whose value a loop only
/// extended anew.
fn remove_trivial_phis(function: &mut Function<'_>, flow: &Flow<'_>, values: &mut Values<'_>) {
    for &block in &flow.order {
        let mut cursor = function.cursor(block);
        while let Some(phi) = cursor.next_if(function, is_phi) {
            if let Some((to, value)) = only_value(function, phi, values) {
                values.0[to.index()] = Some(value);
                function.remove(phi);
            }
        }
    }
}

/// Returns the register that a PHI defines and its only value beside itself, if it has one.
fn only_value(function: &Function<'_>, phi: InsnId, values: &Values<'_>) -> Option<(VReg, Reg)> {
    let [to, sources @ ..] = function.operands(phi) else {
        return None;
    };
    let to = to.vreg()?;
    let sources = sources.iter().filter_map(|source| source.as_reg());
    let mut others =
        { sources.map(|source| values.of(source)) }.filter(|source| source.vreg() != Some(to));
    let first = others.next()?;
    others.all(|other| other == first).then_some((to, first))
}
