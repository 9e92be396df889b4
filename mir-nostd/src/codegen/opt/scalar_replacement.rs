//! Scalar replacement: parts of frame objects that only loads and stores reach, and no pointer,
//! become virtual registers (Muchnick, "Advanced Compiler Design and Implementation", 12.2). In SSA
//! form.
//!
//! An access at a constant offset covers the bytes that it names, one with an index whose range is
//! known all bytes that it may reach, and any other the whole object. Sorting the accesses of
//! private objects by offset finds the groups that overlap. A group in which every access covers
//! exactly the same bytes is a variable like any other: its stores
//! become copies to a new register and its loads copies or extensions of it. SSA construction for
//! the new registers then inserts PHIs.
//!
//! Structures are copied as integers, whatever their parts are. An integer that is only loaded from
//! and stored to memory, to or from a part that is accessed as a double elsewhere, is loaded and
//! stored as a double too, so that all accesses to the part agree.
//!
//! An access of the other bank reads or writes the register by its bits: programs look at the
//! exponent of a double, or keep one in an integer.
//!
//! A group of which some accesses cover others is split at their bounds (`words`).
//!
//! The invariant: every access to the bytes of a replaced part is rewritten. The cost is that of
//! sorting, with bounds on the number of accesses and parts.

mod words;

use self::words::Bounds;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::frame_escape::{address_place, private_frames};
use crate::codegen::analysis::phis::{definitions, is_phi};
use crate::codegen::analysis::ranges::Range;
use crate::codegen::ssa::construction;
use crate::machine::{
    Bank, FrameId, FrameKind, Function, Generic, InsnId, LowType, Operand, OperandFlags, VRegInfo,
};
use crate::mem::{Entity, OutOfMemory, Vec, sort_by_key};
use crate::target::Isa;
use crate::target::error::{Error, Phase};

/// The most parts of all objects that become registers.
const MOST_PARTS: usize = 256;
/// The most accesses that are examined.
const MOST_ACCESSES: usize = 1 << 12;
/// The most copies from structure to structure, one after another, that become copies of doubles.
const MOST_COPIES: usize = 8;

/// Replaces the parts that can be. `ranges` are the known ranges of virtual registers. Returns
/// false if the PHIs of the new registers would be too many: the function is in SSA form but for
/// those then.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn promote(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    ranges: &[Option<Range>],
    isa: &dyn Isa,
) -> Result<bool, Error> {
    if !(function.frame.iter()).any(|(_, object)| object.kind == FrameKind::Local) {
        return Ok(true);
    }
    let mut accesses = find_accesses(function, ranges)?;
    if accesses.is_empty() || accesses.len() > MOST_ACCESSES {
        return Ok(true);
    }
    let is_big_endian = isa.target().big_endian;
    let moves_floats = isa.description().has(Generic::Bitcast);
    let first = function.vreg_count();
    let mut stores = Vec::new(function.allocator());
    sort_by_key(&mut accesses, |access| {
        (access.frame, access.start, access.end, access.insn)
    });
    copy_as_doubles(function, &accesses)?;
    let (mut from, mut parts) = (0, 0);
    while from < accesses.len() && parts < MOST_PARTS {
        let end = overlapping(&accesses, from);
        let group = accesses.get(from..end).unwrap_or(&[]);
        from = end;
        if let Some(info) = kind_of(function, group, moves_floats) {
            replace(function, group, info, &mut stores)?;
            parts += 1;
        } else if let Some(bounds) = Bounds::of(function, group, moves_floats) {
            parts += bounds.split(function, group, is_big_endian, &mut stores)?;
        }
    }
    if parts == 0 {
        return Ok(true);
    }
    let registers = first..function.vreg_count();
    let is_ssa = construction::rename(function, flow, first)?;
    if is_ssa {
        write_narrow(function, &stores)?;
        define_unwritten(function, registers)?;
    }
    shrink_unused(function)?;
    Ok(is_ssa)
}

/// Has instructions read the constant zero where nothing wrote a part before. Any value would do,
/// but a register that is read has to be written: structures have padding, and bit fields are read
/// before they are written.
fn define_unwritten(
    function: &mut Function<'_>,
    registers: core::ops::Range<usize>,
) -> Result<(), Error> {
    let mut written = Vec::new(function.allocator());
    written.resize(function.vreg_count(), false)?;
    for &block in &function.layout {
        for (_, row) in function.rows(block) {
            let defs = function.operands_of(row).iter().filter(|o| o.is_def());
            for vreg in defs.filter_map(|operand| operand.vreg()) {
                written[vreg.index()] = true;
            }
        }
    }
    let is_unwritten = |operand: &Operand| {
        let vreg = operand.vreg().filter(|_| !operand.is_def());
        vreg.is_some_and(|vreg| registers.contains(&vreg.index()) && !written[vreg.index()])
    };
    let mut reads = Vec::new(function.allocator());
    for &block in &function.layout {
        for insn in function
            .insns(block)
            .filter(|&insn| !is_phi(function, insn))
        {
            for (number, operand) in function.operands(insn).iter().enumerate() {
                if is_unwritten(operand) {
                    reads.push((insn, number))?;
                }
            }
        }
    }
    for &(insn, number) in &reads {
        read_zero(function, insn, number)?;
    }
    Ok(())
}

/// Has an operand read the constant zero.
fn read_zero(function: &mut Function<'_>, insn: InsnId, number: usize) -> Result<(), Error> {
    let operand = function.operands(insn).get(number);
    let Some(vreg) = operand.and_then(|operand| operand.vreg()) else {
        return Ok(());
    };
    let info = function.vreg(vreg);
    let (generic, ty) = match info.bank {
        Bank::General => (Generic::Constant, LowType::S64),
        Bank::Floating if info.ty.is_long_double() => return Ok(()),
        Bank::Floating => (Generic::FConstant, info.ty),
    };
    let zero = Operand::from(function.add_vreg(info)?);
    let operands = [zero.with(OperandFlags::DEF), Operand::imm(0)];
    let block = function.insn(insn).block();
    function.insert(block, Some(insn), generic.into(), ty, &operands)?;
    if let Some(operand) = function.operands_mut(insn).get_mut(number) {
        *operand = zero;
    }
    Ok(())
}

/// Has frame objects that nothing mentions any more take next to no room.
fn shrink_unused(function: &mut Function<'_>) -> Result<(), OutOfMemory> {
    let mut used = Vec::new(function.allocator());
    used.resize(function.frame.len(), false)?;
    for &block in &function.layout {
        for insn in function.insns(block) {
            let frames = function.operands(insn).iter().filter_map(|o| o.as_frame());
            for frame in frames {
                used[frame.index()] = true;
            }
        }
    }
    for (object, used) in function.frame.values_mut().iter_mut().zip(&used) {
        if object.kind == FrameKind::Local && !used {
            (object.bytes, object.align) = (1, 1);
        }
    }
    Ok(())
}

/// A load or store of a frame object.
#[derive(Clone, Copy)]
struct Access {
    insn: InsnId,
    frame: u32,
    /// The bytes that it may cover.
    start: i64,
    end: i64,
    /// True if it certainly covers all of them.
    is_exact: bool,
}

fn find_accesses<'m>(
    function: &Function<'m>,
    ranges: &[Option<Range>],
) -> Result<Vec<'m, Access>, OutOfMemory> {
    let private = private_frames(function)?;
    let mut accesses = Vec::new(function.allocator());
    if !private.contains(&true) {
        return Ok(accesses);
    }
    for &block in &function.layout {
        for (insn, row) in function.rows(block) {
            let base = function.operands_of(row).get(1);
            let base = base.and_then(|base| base.as_frame());
            if let Some(frame) = base
                && address_place(function, insn).is_some()
                && private.get(frame.index()) == Some(&true)
            {
                accesses.push(access(function, insn, frame, ranges))?;
            }
        }
    }
    Ok(accesses)
}

fn access(
    function: &Function<'_>,
    insn: InsnId,
    frame: FrameId,
    ranges: &[Option<Range>],
) -> Access {
    let ty = function.insn(insn).ty;
    let bytes = function.frame.get(frame).map_or(0, |object| object.bytes);
    let all = Access {
        insn,
        frame: frame.number(),
        start: i64::MIN,
        end: i64::MAX,
        is_exact: false,
    };
    let &[_, _, index, scale, disp] = function.operands(insn) else {
        return all;
    };
    let (Some(scale), Some(disp)) = (scale.small(), disp.small()) else {
        return all;
    };
    let (scale, disp) = (i64::from(scale), i64::from(disp));
    let range = match index.vreg() {
        None if index == Operand::NO_REG => Some((0, 0)),
        None => None,
        Some(vreg) => ranges.get(vreg.index()).copied().flatten(),
    };
    // Ranges are within 32 bits, and so are scales.
    let Some((low, high)) = range.filter(|_| scale > 0 && !ty.is_long_double()) else {
        return all;
    };
    let start = low * scale + disp;
    let end = high * scale + disp + i64::from(ty.bytes());
    Access {
        start,
        end,
        is_exact: index == Operand::NO_REG && start >= 0 && end <= i64::from(bytes),
        ..all
    }
}

/// Returns the end of the group of accesses that overlap the one at `from`, directly or through
/// others.
fn overlapping(accesses: &[Access], from: usize) -> usize {
    let (mut number, mut reach) = (from, i64::MIN);
    while let (Some(first), Some(access)) = (accesses.get(from), accesses.get(number))
        && first.frame == access.frame
        && (number == from || access.start < reach)
    {
        reach = reach.max(access.end);
        number += 1;
    }
    number
}

/// Has values that are copied to and from parts that are doubles be copied as doubles.
fn copy_as_doubles(function: &mut Function<'_>, accesses: &[Access]) -> Result<(), OutOfMemory> {
    let is_double = |info: VRegInfo| info.bank == Bank::Floating && info.ty == LowType::S64;
    let value = |function: &Function<'_>, access: &Access| {
        let value = function.operands(access.insn).first()?.vreg()?;
        Some((value, function.vreg(value)))
    };
    let mut infos = accesses.iter().filter_map(|access| value(function, access));
    let Some((_, double)) = infos.find(|&(_, info)| is_double(info)) else {
        return Ok(());
    };
    let copied = copied_words(function)?;
    for _ in 0..MOST_COPIES {
        let (mut from, mut changed) = (0, false);
        while from < accesses.len() {
            let end = overlapping(accesses, from);
            let group = accesses.get(from..end).unwrap_or(&[]);
            from = end;
            let mut values = group.iter().filter_map(|access| value(function, access));
            if !values.any(|(_, info)| is_double(info)) {
                continue;
            }
            for access in group {
                if let Some((vreg, info)) = value(function, access)
                    && info.bank == Bank::General
                    && copied.get(vreg.index()) == Some(&true)
                {
                    function.set_vreg(vreg, double);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Returns the virtual registers that are loaded and stored as 64 bits, and not used in any other
/// way.
fn copied_words<'m>(function: &Function<'m>) -> Result<Vec<'m, bool>, OutOfMemory> {
    let (mut copied, mut others) = (
        Vec::new(function.allocator()),
        Vec::new(function.allocator()),
    );
    copied.resize(function.vreg_count(), false)?;
    others.resize(function.vreg_count(), false)?;
    for &block in &function.layout {
        for insn in function.insns(block) {
            let row = function.insn(insn);
            let is_word = row.ty == LowType::S64
                && matches!(row.opcode.generic(), Some(Generic::Load | Generic::Store));
            for (number, operand) in function.operands(insn).iter().enumerate() {
                if let Some(vreg) = operand.vreg() {
                    copied[vreg.index()] |= operand.is_def();
                    others[vreg.index()] |= !is_word || number != 0;
                }
            }
        }
    }
    for (copied, &other) in copied.iter_mut().zip(others.iter()) {
        *copied &= !other;
    }
    Ok(copied)
}

/// Returns the kind of register that can replace the bytes of all these accesses: of the bank of
/// most, as the others move bits from one bank to the other, if the target does that for floats.
fn kind_of(function: &Function<'_>, group: &[Access], moves_floats: bool) -> Option<VRegInfo> {
    let first = group.first()?;
    let mut kinds: [Option<VRegInfo>; 2] = [None, None];
    let mut counts = [0, 0];
    for access in group {
        if !access.is_exact || (access.start, access.end) != (first.start, first.end) {
            return None;
        }
        let value = *function.operands(access.insn).first()?;
        let Some(vreg) = value.vreg() else {
            function.immediate(value)?;
            continue;
        };
        let info = function.vreg(vreg);
        let bank = usize::from(info.bank == Bank::Floating);
        if kinds[bank].is_some_and(|kind| kind != info) {
            return None;
        }
        kinds[bank] = Some(info);
        counts[bank] += 1;
    }
    match kinds {
        [Some(_), Some(floating)] if !has_bits(floating, moves_floats) => None,
        [Some(general), Some(_)] if counts[0] > counts[1] => Some(general),
        [general, floating] => floating.or(general),
    }
}

/// Returns whether the bits of a floating register can be moved to a general one.
fn has_bits(floating: VRegInfo, moves_floats: bool) -> bool {
    match floating.ty {
        LowType::S64 => true,
        LowType::S32 => moves_floats,
        _ => false,
    }
}

/// Has stores of extended values copy the values before the extension: the new register is read by
/// its low bits only.
fn write_narrow(function: &mut Function<'_>, stores: &[(InsnId, u32)]) -> Result<(), Error> {
    if stores.is_empty() {
        return Ok(());
    }
    let definitions = definitions(function)?;
    for &(store, bits) in stores {
        let &[to, value] = function.operands(store) else {
            continue;
        };
        let definition = value.vreg().and_then(|vreg| definitions.get(vreg.index()));
        let Some(&Some(extension)) = definition else {
            continue;
        };
        let generic = function.insn(extension).opcode.generic();
        if matches!(generic, Some(Generic::SextInreg | Generic::ZextInreg))
            && let &[_, from, kept] = function.operands(extension)
            && from.vreg().is_some()
            && kept
                .small()
                .is_some_and(|kept| kept.cast_unsigned() >= bits)
        {
            function.set_operands(store, &[to, from])?;
        }
    }
    Ok(())
}

/// Replaces a part of the frame by a register. Adds the instructions that write less than a whole
/// register to `narrow`.
fn replace(
    function: &mut Function<'_>,
    group: &[Access],
    info: VRegInfo,
    narrow: &mut Vec<'_, (InsnId, u32)>,
) -> Result<(), Error> {
    let part = Operand::from(function.add_vreg(info)?);
    for access in group {
        rewrite(function, access.insn, part, info, narrow)?;
    }
    Ok(())
}

/// Makes a load or store of a part a copy from or to its register, or of its bits if they are of
/// different banks.
fn rewrite(
    function: &mut Function<'_>,
    insn: InsnId,
    part: Operand,
    info: VRegInfo,
    narrow: &mut Vec<'_, (InsnId, u32)>,
) -> Result<(), Error> {
    let written = part.with(OperandFlags::DEF);
    let row = *function.insn(insn);
    let value = *function
        .operands(insn)
        .first()
        .ok_or(Phase::Optimisation.internal(Some(insn)))?;
    let its = value.vreg().map(|vreg| function.vreg(vreg));
    let other = its.filter(|its| its.bank != info.bank);
    let part = match (row.opcode.generic(), other) {
        (Some(Generic::SextLoad | Generic::ZextLoad), Some(general)) => {
            bits_of(function, insn, part, general)?
        }
        _ => part,
    };
    let bits = Operand::imm(row.ty.bits() as i32);
    let (generic, ty, operands): (_, _, &[Operand]) = match row.opcode.generic() {
        Some(Generic::Store) if its.is_none() => match info.bank {
            Bank::General => (Generic::Constant, LowType::S64, &[written, value]),
            Bank::Floating => (Generic::FConstant, info.ty, &[written, value]),
        },
        Some(Generic::Store) if other.is_some() => (Generic::Bitcast, row.ty, &[written, value]),
        Some(Generic::Store) => {
            if row.ty.bits() < 64 && info.bank == Bank::General {
                narrow.push((insn, row.ty.bits()))?;
            }
            (Generic::Copy, LowType::S64, &[written, value])
        }
        Some(Generic::SextLoad) => (Generic::SextInreg, LowType::S64, &[value, part, bits]),
        Some(Generic::ZextLoad) => (Generic::ZextInreg, LowType::S64, &[value, part, bits]),
        _ if other.is_some() => (Generic::Bitcast, row.ty, &[value, part]),
        _ => (Generic::Copy, LowType::S64, &[value, part]),
    };
    function.replace(insn, generic, ty, operands)?;
    Ok(())
}

/// Returns a general register with the bits of a floating one. They have the type of an access,
/// before which they are moved.
fn bits_of(
    function: &mut Function<'_>,
    access: InsnId,
    floating: Operand,
    general: VRegInfo,
) -> Result<Operand, Error> {
    let row = *function.insn(access);
    let bits = Operand::from(function.add_vreg(general)?);
    let operands = [bits.with(OperandFlags::DEF), floating];
    let (block, before) = (row.block(), Some(access));
    function.insert(block, before, Generic::Bitcast.into(), row.ty, &operands)?;
    Ok(bits)
}
