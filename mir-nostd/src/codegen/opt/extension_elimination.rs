//! Extension elimination: removes extensions of values that are extended already, and those whose
//! upper bits are read by nothing, both through PHIs. In SSA form.
//!
//! A value that a loop keeps, such as the last byte of a match, is extended where it is read
//! although each load that it comes from has extended it. A PHI is extended if all values are that
//! come to it and to the PHIs among them: these are assumed to be, which holds for a cycle if it
//! holds for all that enters it (optimistic, as in Wegman and Zadeck's propagation of constants).
//!
//! [`combine`](super::combine) reads the source of an extension where an instruction reads the low
//! bits alone, but not where a PHI is between: in `while (b) { t = a % b; a = b; b = t; }` all
//! values are 32-bit, and go around extended only because a call might once have read them. The
//! analysis of [`demanded_bits`](crate::codegen::analysis::demanded_bits) finds how many low bits
//! are read of each register. An extension of as many bits as are read of its result changes
//! nothing that is read, even within a cycle of PHIs, as all are judged before the first goes. If
//! other instructions read the upper bits of the extension, it stays, but a PHI that does not read
//! them and that gets its own value extended has one value nevertheless.
//!
//! A load that extends in one way what is extended in the other way extends in the latter, if
//! nothing reads the bits in which they differ. The cost is linear.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::demanded_bits::DemandedBits;
use crate::codegen::analysis::phis::{have_phis, is_phi};
use crate::codegen::analysis::ranges::Ranges;
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
    let extensions = all_extensions(function, flow)?;
    if extensions.is_empty() {
        return Ok(());
    }
    // These come first: what they leave to be extended at the end may have been extended in a loop.
    eliminate_unread(function, flow, &extensions)?;
    eliminate_repeated(function, flow, &extensions)?;
    extend_loads(function, &extensions)
}

/// Has loads extend what they load as the extensions of it do, which go.
fn extend_loads(function: &mut Function<'_>, extensions: &[Extension]) -> Result<(), Error> {
    let mut loads = Vec::new(function.allocator());
    loads.resize(function.vreg_count(), None)?;
    for &block in &function.layout {
        for (insn, row) in function.rows(block) {
            if matches!(
                row.opcode.generic(),
                Some(Generic::SextLoad | Generic::ZextLoad)
            ) && let Some(to) = function.operands_of(row).first().and_then(|to| to.vreg())
            {
                loads[to.index()] = Some(insn);
            }
        }
    }
    let load_of = |function: &Function<'_>, extension: &Extension, loads: &[Option<InsnId>]| {
        let insn = loads[extension.from.vreg()?.index()]?;
        let row = function.insn(insn);
        let is_signed = row.opcode.generic() == Some(Generic::SextLoad);
        let is_other =
            row.ty.bits() == u32::from(extension.bits) && is_signed != extension.is_signed;
        is_other.then_some(insn)
    };
    let mut left = Vec::new(function.allocator());
    for &extension in extensions {
        let extension = still(function, &extension);
        if let Some(extension) = extension.filter(|it| load_of(function, it, &loads).is_some()) {
            left.push(extension)?;
        }
    }
    if left.is_empty() {
        return Ok(());
    }
    let demanded = DemandedBits::of(function)?;
    let mut values = Values(Vec::new(function.allocator()));
    // Each of them may add a register.
    values.0.resize(function.vreg_count() + left.len(), None)?;
    for extension in &left {
        if let Some(load) = load_of(function, extension, &loads)
            && let Some(from) = extension.from.vreg()
            && demanded.bits(from) <= extension.bits
        {
            values.0[from.index()] = Some(Reg::virt(extend_load(function, load, from, extension)?));
            // The load stays as it is for the next extension of it.
            loads[from.index()] = None;
            values.0[extension.to.index()] = Some(extension.from);
            function.remove(extension.insn);
        }
    }
    values.replace(function);
    Ok(())
}

/// Replaces a load by one that extends as an extension does. Returns its result: another register,
/// as debuggers must not take it for the variable that had the old one.
fn extend_load(
    function: &mut Function<'_>,
    load: InsnId,
    from: VReg,
    extension: &Extension,
) -> Result<VReg, Error> {
    let generic = match extension.is_signed {
        true => Generic::SextLoad,
        false => Generic::ZextLoad,
    };
    let row = *function.insn(load);
    let &[to, base, index, scale, displacement] = function.operands(load) else {
        return Err(Error::TooLarge);
    };
    let new = function.add_vreg(function.vreg(from))?;
    let operands = [to.on(Reg::virt(new)), base, index, scale, displacement];
    function.insert(row.block(), Some(load), generic.into(), row.ty, &operands)?;
    function.remove(load);
    Ok(new)
}

/// Returns an extension as it is now, if it is still there: some are gone, and others extend
/// another register.
fn still(function: &Function<'_>, extension: &Extension) -> Option<Extension> {
    let is_left = function.is_in_block(extension.insn);
    is_left.then(|| Extension::of(function, extension.insn))?
}

/// Removes the extensions of which nothing reads the upper bits, and the PHIs that have one value
/// then.
fn eliminate_unread(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    extensions: &[Extension],
) -> Result<(), Error> {
    let is_merged = find_merged(function, flow)?;
    let is_merged = |extension: &Extension| is_merged[extension.to.index()];
    if !extensions.iter().any(is_merged) {
        return Ok(());
    }
    let demanded = DemandedBits::of(function)?;
    let mut values = Values(Vec::new(function.allocator()));
    values.0.resize(function.vreg_count(), None)?;
    let mut read = Vec::new(function.allocator());
    read.resize(function.vreg_count(), None)?;
    let mut are_any = false;
    for extension in extensions {
        if is_merged(extension) && demanded.bits(extension.to) <= extension.bits {
            values.0[extension.to.index()] = Some(extension.from);
            function.remove(extension.insn);
            are_any = true;
        } else {
            read[extension.to.index()] = Some(*extension);
        }
    }
    // An extension of the PHI is as good as the PHI if no more bits of it are read.
    let is_kept = |values: &Values<'_>, phi: VReg, source: Reg| {
        let extension = source.vreg().and_then(|vreg| read[vreg.index()]);
        source.vreg() == Some(phi)
            || extension.is_some_and(|extension: Extension| {
                demanded.bits(phi) <= extension.bits
                    && values.of(extension.from).vreg() == Some(phi)
            })
    };
    are_any |= remove_trivial_phis(function, flow, &mut values, is_kept);
    if are_any {
        values.replace(function);
    }
    Ok(())
}

/// An extension of the low bits of a register.
#[derive(Clone, Copy)]
struct Extension {
    insn: InsnId,
    to: VReg,
    from: Reg,
    bits: u8,
    is_signed: bool,
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
            is_signed: function.insn(insn).opcode.generic() == Some(Generic::SextInreg),
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

/// Returns all extensions of registers.
fn all_extensions<'m>(
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
    Ok(extensions)
}

/// Finds the registers that PHIs read.
fn find_merged<'m>(function: &Function<'m>, flow: &Flow<'_>) -> Result<Vec<'m, bool>, OutOfMemory> {
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
    Ok(is_merged)
}

/// The most PHIs that are looked through for one extension.
const MOST_PHIS: usize = 32;

/// Removes the extensions of PHIs of which all values are extended already.
fn eliminate_repeated(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    extensions: &[Extension],
) -> Result<(), Error> {
    let mut phis = Vec::new(function.allocator());
    phis.resize(function.vreg_count(), None)?;
    for &block in &flow.order {
        let insns = function.insns(block);
        for phi in insns.take_while(|&insn| is_phi(function, insn)) {
            if let Some(to) = function.operands(phi).first().and_then(|to| to.vreg()) {
                phis[to.index()] = Some(phi);
            }
        }
    }
    let phi_of = |reg: Reg| phis[reg.vreg()?.index()];
    let of_phi = |extension: Extension| phi_of(extension.from).is_some();
    if !(extensions.iter()).any(|extension| still(function, extension).is_some_and(of_phi)) {
        return Ok(());
    }
    let ranges = Ranges::new(function)?;
    let mut values = Values(Vec::new(function.allocator()));
    values.0.resize(function.vreg_count(), None)?;
    let mut are_any = false;
    for extension in extensions {
        if let Some(extension) = still(function, extension)
            && let Some(phi) = phi_of(extension.from)
            && all_are_extended(function, &extension, phi, &ranges, phi_of)
        {
            values.0[extension.to.index()] = Some(extension.from);
            function.remove(extension.insn);
            are_any = true;
        }
    }
    if are_any {
        values.replace(function);
    }
    Ok(())
}

/// Returns whether all values that come to a PHI, also through others, are extended as an
/// extension would.
fn all_are_extended(
    function: &Function<'_>,
    extension: &Extension,
    phi: InsnId,
    ranges: &Ranges<'_>,
    phi_of: impl Fn(Reg) -> Option<InsnId>,
) -> bool {
    let mut phis = heapless::Vec::<InsnId, MOST_PHIS>::from_iter([phi]);
    let mut done = 0;
    while let Some(&phi) = phis.get(done) {
        for &value in function.operands(phi).iter().skip(1) {
            if value.as_block().is_some() {
                continue;
            }
            match value.as_reg().and_then(&phi_of) {
                Some(other) if phis.contains(&other) => {}
                Some(other) => {
                    if phis.push(other).is_err() {
                        return false;
                    }
                }
                None => {
                    let (bits, is_signed) = (u32::from(extension.bits), extension.is_signed);
                    if !ranges.fits(function, value, bits, is_signed) {
                        return false;
                    }
                }
            }
        }
        done += 1;
    }
    true
}

/// Removes the PHIs of one value, or of that and their own, as those are whose value a loop only
/// extended anew; `is_kept` says if a source is the PHI's own value. Returns true if there were
/// any.
///
/// Inner loops come first, so that what they keep can be kept by the loops around them.
fn remove_trivial_phis(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    values: &mut Values<'_>,
    is_kept: impl Fn(&Values<'_>, VReg, Reg) -> bool,
) -> bool {
    let mut are_any = false;
    for &block in flow.order.iter().rev() {
        let mut cursor = function.cursor(block);
        while let Some(phi) = cursor.next_if(function, is_phi) {
            if let Some((to, value)) = only_value(function, phi, values, &is_kept) {
                values.0[to.index()] = Some(value);
                function.remove(phi);
                are_any = true;
            }
        }
    }
    are_any
}

/// Returns the register that a PHI defines and its only value beside its own, if it has one.
fn only_value(
    function: &Function<'_>,
    phi: InsnId,
    values: &Values<'_>,
    is_kept: impl Fn(&Values<'_>, VReg, Reg) -> bool,
) -> Option<(VReg, Reg)> {
    let [to, sources @ ..] = function.operands(phi) else {
        return None;
    };
    let to = to.vreg()?;
    let sources = sources.iter().filter_map(|source| source.as_reg());
    let mut others =
        { sources.map(|source| values.of(source)) }.filter(|&source| !is_kept(values, to, source));
    let first = others.next()?;
    others.all(|other| other == first).then_some((to, first))
}
