//! Extension elimination: removes extensions whose upper bits are read by nothing, through PHIs. In
//! SSA form.
//!
//! [`combine`](super::combine) reads the source of an extension where an instruction reads the low
//! bits alone, but not where a PHI is between: in `while (b) { t = a % b; a = b; b = t; }` all
//! values are 32-bit, and go around extended only because a call might once have read them. This
//! pass finds how many low bits are read of each PHI (demanded bits analysis, as in LLVM, on PHIs
//! alone): at first as many as the instructions read that are no PHIs, then at least as many as are
//! read of the PHIs that it flows into. An extension of as many bits as are read of its result
//! changes nothing that is read, even within a cycle of PHIs, as all are judged before the first
//! goes. A number grows at most four times, so that the work is proportional to the operands of
//! PHIs and to their readers.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{chains_of_phis, have_phis, is_phi};
use crate::machine::{Facts, Function, Generic, InsnId, LowType, Operand, Reg, UseDefs, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;

/// Removes the extensions.
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
    let chains = chains_of_phis(function)?;
    let demanded = demanded_bits(function, flow, &chains)?;
    let is_unread = |extension: &Extension| {
        let mut readers = chains.uses(extension.to).iter();
        readers.all(|&insn| bits_read(function, insn, extension.to, &demanded) <= extension.bits)
    };
    let mut unread = Vec::new(function.allocator());
    for extension in extensions.iter().filter(|extension| is_unread(extension)) {
        unread.push(*extension)?;
    }
    // In the order of the blocks, so that the source is the one that remains.
    for extension in &unread {
        extension.remove(function, &chains);
    }
    if unread.is_empty() {
        return Ok(());
    }
    remove_trivial_phis(function, flow)
}

/// Removes the PHIs of one value, or of that and their own, as those are of which a loop extended
/// the value anew: what reads them reads the value.
fn remove_trivial_phis(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
    let mut values = Vec::new(function.allocator());
    for &block in &flow.order {
        let mut cursor = function.cursor(block);
        while let Some(phi) = cursor.next_if(function, is_phi) {
            let Some((vreg, value)) = only_value(function, phi) else {
                continue;
            };
            if values.is_empty() {
                values.resize(function.vreg_count(), None)?;
            }
            // Never a chain that ends where it begins.
            let value = final_value(&values, value);
            if value.vreg() == Some(vreg) {
                continue;
            }
            values[vreg.index()] = Some(value);
            function.remove(phi);
        }
    }
    if values.is_empty() {
        return Ok(());
    }
    for &block in &flow.order {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            for operand in function.operands_mut(insn) {
                if operand.read_vreg().is_some()
                    && let Some(reg) = operand.as_reg()
                {
                    *operand = operand.on(final_value(&values, reg));
                }
            }
        }
    }
    Ok(())
}

/// Returns the register that remains of one, where PHIs that are gone have values.
fn final_value(values: &[Option<Reg>], mut reg: Reg) -> Reg {
    while let Some(value) = reg.vreg().and_then(|vreg| values[vreg.index()]) {
        reg = value;
    }
    reg
}

/// Returns the register that a PHI defines and its only value beside itself, if it has one.
fn only_value(function: &Function<'_>, phi: InsnId) -> Option<(VReg, Reg)> {
    let [to, values @ ..] = function.operands(phi) else {
        return None;
    };
    let to = to.vreg()?;
    let values = values.iter().filter_map(|value| value.as_reg());
    let mut others = values.filter(|value| value.vreg() != Some(to));
    let first = others.next()?;
    others.all(|other| other == first).then_some((to, first))
}

/// Returns the extensions whose results PHIs read, in the order of the blocks.
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

/// An extension of the low bits of a register.
#[derive(Clone, Copy)]
struct Extension {
    insn: InsnId,
    to: VReg,
    bits: u8,
}

impl Extension {
    fn of(function: &Function<'_>, insn: InsnId) -> Option<Extension> {
        let bits = extended_bits(function, insn)?;
        let to = function.operands(insn).first()?.vreg()?;
        Some(Extension { insn, to, bits })
    }

    /// Has all that reads the result read the source.
    fn remove(&self, function: &mut Function<'_>, chains: &UseDefs<'_>) {
        let Some(source) = function.operands(self.insn).get(1).and_then(|o| o.as_reg()) else {
            return;
        };
        for &insn in chains.uses(self.to) {
            for operand in function.operands_mut(insn) {
                if operand.read_vreg() == Some(self.to) {
                    *operand = operand.on(source);
                }
            }
        }
        function.remove(self.insn);
    }
}

/// Returns how many low bits an extension keeps, if this is one.
fn extended_bits(function: &Function<'_>, insn: InsnId) -> Option<u8> {
    let generic = function.insn(insn).opcode.generic()?;
    if !matches!(generic, Generic::SextInreg | Generic::ZextInreg) {
        return None;
    }
    let bits = function.operands(insn).get(2)?.small()?;
    u8::try_from(bits).ok()
}

/// Returns how many low bits are read of each register that a PHI defines, 0 for the others.
fn demanded_bits<'m>(
    function: &Function<'m>,
    flow: &Flow<'_>,
    chains: &UseDefs<'_>,
) -> Result<Vec<'m, u8>, OutOfMemory> {
    let mut demanded = Vec::new(function.allocator());
    demanded.resize(function.vreg_count(), 0)?;
    let mut changed = Vec::new(function.allocator());
    for &block in &flow.order {
        let insns = function.insns(block);
        for phi in insns.take_while(|&insn| is_phi(function, insn)) {
            let Some(to) = function.operands(phi).first().and_then(|o| o.vreg()) else {
                continue;
            };
            // PHIs still read nothing.
            let readers = chains
                .uses(to)
                .iter()
                .filter(|&&insn| !is_phi(function, insn));
            let read = readers.map(|&insn| bits_read(function, insn, to, &demanded));
            demanded[to.index()] = read.max().unwrap_or(0);
            changed.push(phi)?;
        }
    }
    while let Some(phi) = changed.pop() {
        let [to, values @ ..] = function.operands(phi) else {
            continue;
        };
        let bits = to.vreg().map_or(0, |to| demanded[to.index()]);
        for value in values.iter().filter_map(|value| value.read_vreg()) {
            let source = chains
                .definition(value)
                .filter(|&insn| is_phi(function, insn));
            if let Some(source) = source.filter(|_| demanded[value.index()] < bits) {
                demanded[value.index()] = bits;
                changed.push(source)?;
            }
        }
    }
    Ok(demanded)
}

/// Returns how many low bits of a register an instruction reads, given those of the PHIs.
fn bits_read(function: &Function<'_>, insn: InsnId, vreg: VReg, demanded: &[u8]) -> u8 {
    let (row, operands) = (function.insn(insn), function.operands(insn));
    let Some(generic) = row.opcode.generic() else {
        return 64;
    };
    let is_short = row.ty == LowType::S32;
    let reads = |operand: &Operand| operand.read_vreg() == Some(vreg);
    match generic {
        Generic::Phi => {
            let to = operands.first().and_then(|to| to.vreg());
            to.and_then(|to| demanded.get(to.index()).copied())
                .unwrap_or(64)
        }
        Generic::SextInreg | Generic::ZextInreg => extended_bits(function, insn).unwrap_or(64),
        // The value, not the address.
        Generic::Store if !operands.iter().skip(1).any(reads) => row.ty.bits().min(64) as u8,
        Generic::Icmp | Generic::BrIcmp | Generic::Rotl if is_short => 32,
        generic if is_short && generic.facts().contains(Facts::COMPUTED) => 32,
        _ => 64,
    }
}
