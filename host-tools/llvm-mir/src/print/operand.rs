//! Prints operands.

use super::body::{ir_block, push_global};
use super::{push_name, push_number, vector};
use crate::inline_asm;
use crate::model::{
    Cfi, Element, Float, FloatFormat, FloatPredicate, Frame, Function, Instruction, IntPredicate,
    LowType, Metadata, Operand, OperandFlags, OperandKind, Register, RegisterKind, RegisterOperand,
};
use crate::target::{Opcode, Signature, SubIndex, Target};

/// The target and function that names are looked up in.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) target: &'static Target,
    pub(super) function: &'a Function,
}

/// Context for printing a function's instructions.
pub(super) struct Context<'a> {
    pub(super) names: Names<'a>,
    /// True for each virtual register that has a definition.
    defined: Vec<bool>,
    special: SpecialOpcodes,
}

/// Opcodes whose operands have a syntax of their own.
struct SpecialOpcodes {
    extract_subreg: Option<Opcode>,
    insert_subreg: Option<Opcode>,
    subreg_to_reg: Option<Opcode>,
    reg_sequence: Option<Opcode>,
    inline_asm: [Option<Opcode>; 2],
}

impl SpecialOpcodes {
    fn new(target: &Target) -> SpecialOpcodes {
        let opcode = |name: &str| target.opcode(name.as_bytes());
        SpecialOpcodes {
            extract_subreg: opcode("EXTRACT_SUBREG"),
            insert_subreg: opcode("INSERT_SUBREG"),
            subreg_to_reg: opcode("SUBREG_TO_REG"),
            reg_sequence: opcode("REG_SEQUENCE"),
            inline_asm: [opcode("INLINEASM"), opcode("INLINEASM_BR")],
        }
    }

    /// Returns whether an immediate at this place is a sub-register index.
    fn is_sub_index(&self, opcode: Opcode, at: usize) -> bool {
        let opcode = Some(opcode);
        match at {
            2 if opcode == self.extract_subreg => true,
            3 if opcode == self.insert_subreg || opcode == self.subreg_to_reg => true,
            _ => opcode == self.reg_sequence && at > 1 && at.is_multiple_of(2),
        }
    }

    fn is_inline_asm(&self, opcode: Opcode) -> bool {
        self.inline_asm.contains(&Some(opcode))
    }
}

impl<'a> Context<'a> {
    pub(super) fn new(names: Names<'a>) -> Context<'a> {
        let mut defined = vec![false; names.function.registers.len()];
        for operand in names
            .function
            .instructions()
            .flat_map(|insn| &insn.operands)
        {
            if let OperandKind::Register(register) = &operand.kind
                && register.is_def()
                && let Some(index) = register.register.virtual_index()
                && let Some(defined) = defined.get_mut(index)
            {
                *defined = true;
            }
        }
        Context {
            names,
            defined,
            special: SpecialOpcodes::new(names.target),
        }
    }
}

/// Adds a register: `$rax`, `%3`, `%name`.
pub(super) fn push_register(out: &mut Vec<u8>, names: &Names<'_>, register: Register) {
    let Some(index) = register.virtual_index() else {
        out.push(b'$');
        let name = names.target.register_name(register.number().unwrap_or(0));
        out.extend_from_slice(name.as_bytes());
        return;
    };
    out.push(b'%');
    let name = names
        .function
        .registers
        .get(index)
        .and_then(|register| register.name.as_ref());
    match name {
        Some(name) => out.extend_from_slice(name.as_bytes()),
        None => push_number(out, index as u64),
    }
}

/// Adds a frame object.
pub(super) fn push_frame(out: &mut Vec<u8>, names: &Names<'_>, frame: Frame) {
    match frame {
        Frame::Fixed(number) => {
            out.extend_from_slice(b"%fixed-stack.");
            push_number(out, number);
        }
        Frame::Stack(number) => {
            out.extend_from_slice(b"%stack.");
            push_number(out, number);
            let object = names.function.stack.get(number as usize);
            if let Some(object) = object.filter(|object| !object.name.is_empty()) {
                out.push(b'.');
                out.extend_from_slice(object.name.as_bytes());
            }
        }
    }
}

/// Adds ` + N` or ` - N`, nothing for 0.
pub(super) fn push_offset(out: &mut Vec<u8>, offset: i64) {
    if offset != 0 {
        out.extend_from_slice(if offset < 0 { b" - " } else { b" + " });
        push_number(out, offset.unsigned_abs());
    }
}

/// Adds a low level type.
pub(super) fn push_type(out: &mut Vec<u8>, ty: &LowType) {
    if let Some(lanes) = ty.lanes {
        out.extend_from_slice(if lanes.is_scalable {
            b"<vscale x "
        } else {
            b"<"
        });
        push_number(out, lanes.count);
        out.extend_from_slice(b" x ");
    }
    match ty.element {
        Element::Scalar(bits) => {
            out.push(b's');
            push_number(out, bits);
        }
        Element::Pointer(space) => {
            out.push(b'p');
            push_number(out, space);
        }
    }
    if ty.is_vector() {
        out.push(b'>');
    }
}

/// Adds a reference to metadata.
pub(super) fn push_metadata(out: &mut Vec<u8>, metadata: &Metadata) {
    match metadata {
        Metadata::Node(number) => {
            out.push(b'!');
            push_number(out, *number);
        }
        Metadata::Inline(text) => out.extend_from_slice(text.as_bytes()),
    }
}

/// Adds an operand. `right` says that it is after the `=`; `types` are the type indices that have
/// been printed.
#[expect(
    clippy::too_many_arguments,
    reason = "what LLVM's rules for one operand depend on"
)]
pub(super) fn push_operand(
    out: &mut Vec<u8>,
    context: &Context<'_>,
    insn: &Instruction,
    signature: &Signature,
    at: usize,
    operand: &Operand,
    right: bool,
    tie: Option<u16>,
    types: &mut Vec<u16>,
) {
    let names = &context.names;
    if let OperandKind::Register(register) = &operand.kind {
        push_register_operand(out, context, register, right, tie);
        push_register_type(out, names, signature, at, register, types);
        return;
    }
    push_target_flags(out, names.target, operand.target_flags);
    match &operand.kind {
        OperandKind::Immediate(value) if context.special.is_sub_index(insn.opcode, at) => {
            push_sub_index(out, names.target, *value);
        }
        kind => push_kind(out, names, kind),
    }
    if let OperandKind::Immediate(value) = operand.kind {
        if context.special.is_inline_asm(insn.opcode) {
            inline_asm::push_comment(out, names.target, insn, at, value);
        } else {
            vector::push_comment(out, names.target, signature, at, value);
        }
    }
}

fn push_target_flags(out: &mut Vec<u8>, target: &Target, flags: u32) {
    if flags != 0 {
        let names = target.flag_names(flags).join(", ");
        let names = if names.is_empty() {
            "<unknown target flag>"
        } else {
            &names
        };
        out.extend_from_slice(format!("target-flags({names}) ").as_bytes());
    }
}

fn push_sub_index(out: &mut Vec<u8>, target: &Target, value: i64) {
    let name = u16::try_from(value)
        .ok()
        .and_then(|index| target.sub_index_name(SubIndex(index)));
    match name {
        Some(name) => out.extend_from_slice(format!("%subreg.{name}").as_bytes()),
        None => push_number(out, value),
    }
}

fn push_register_operand(
    out: &mut Vec<u8>,
    context: &Context<'_>,
    operand: &RegisterOperand,
    right: bool,
    tie: Option<u16>,
) {
    let names = &context.names;
    if operand.is_implicit() {
        out.extend_from_slice(if operand.is_def() {
            b"implicit-def "
        } else {
            b"implicit "
        });
    } else if operand.is_def() && right {
        out.extend_from_slice(b"def ");
    }
    let quiet = OperandFlags::DEF
        .with(OperandFlags::IMPLICIT)
        .with(OperandFlags::DEBUG_USE);
    let flags = operand.flags.without(quiet);
    if flags != OperandFlags::NONE {
        for (flag, word) in OperandFlags::TABLE {
            let shown = *flag != OperandFlags::RENAMABLE || operand.register.number().is_some();
            if flags.contains(*flag) && shown {
                out.extend_from_slice(word.as_bytes());
                out.push(b' ');
            }
        }
    }
    push_register(out, names, operand.register);
    if operand.sub != SubIndex::WHOLE {
        out.push(b'.');
        let name = names.target.sub_index_name(operand.sub).unwrap_or("");
        out.extend_from_slice(name.as_bytes());
    }
    if let Some(index) = operand.register.virtual_index() {
        let is_defined = context.defined.get(index).copied().unwrap_or(false);
        if !right || !is_defined {
            push_class(out, names, index);
        }
    }
    if let Some(tie) = tie {
        out.extend_from_slice(format!("(tied-def {tie})").as_bytes());
    }
}

fn push_class(out: &mut Vec<u8>, names: &Names<'_>, index: usize) {
    let Some(register) = names.function.registers.get(index) else {
        return;
    };
    out.push(b':');
    let name = match register.kind {
        RegisterKind::Generic => "_",
        RegisterKind::Bank(bank) => names.target.bank_name(bank),
        RegisterKind::Class(class) => names.target.class_name(class),
    };
    out.extend_from_slice(name.as_bytes());
}

/// Adds a register's type: once per type index, and always where there is no index.
fn push_register_type(
    out: &mut Vec<u8>,
    names: &Names<'_>,
    signature: &Signature,
    at: usize,
    operand: &RegisterOperand,
    types: &mut Vec<u16>,
) {
    let index = operand.register.virtual_index();
    let Some(ty) = index.and_then(|index| names.function.registers.get(index)?.ty) else {
        return;
    };
    if !signature.properties().is_variadic()
        && !operand.is_implicit()
        && let Some(index) = signature.operand(at).and_then(|info| info.type_index())
    {
        if types.contains(&index) {
            return;
        }
        types.push(index);
    }
    out.push(b'(');
    push_type(out, &ty);
    out.push(b')');
}

fn push_kind(out: &mut Vec<u8>, names: &Names<'_>, kind: &OperandKind) {
    let target = names.target;
    match kind {
        OperandKind::Register(register) => push_register(out, names, register.register),
        OperandKind::Immediate(value) => push_number(out, *value),
        OperandKind::Integer(integer) => {
            out.push(b'i');
            push_number(out, integer.bits());
            out.push(b' ');
            match (integer.bits(), integer.value()) {
                (1, Some(0)) => out.extend_from_slice(b"false"),
                (1, _) => out.extend_from_slice(b"true"),
                (_, Some(value)) => push_number(out, value),
                _ => out.extend_from_slice(integer.digits().as_bytes()),
            }
        }
        OperandKind::Float(float) => push_float(out, float),
        OperandKind::Block(number) => push_numbered(out, "%bb.", *number, 0),
        OperandKind::Frame(frame) => push_frame(out, names, *frame),
        OperandKind::Constant(number, offset) => push_numbered(out, "%const.", *number, *offset),
        OperandKind::JumpTable(number) => push_numbered(out, "%jump-table.", *number, 0),
        OperandKind::TargetIndex(number, offset) => {
            let name = target.target_index_name(*number).unwrap_or("<unknown>");
            out.extend_from_slice(format!("target-index({name})").as_bytes());
            push_offset(out, *offset);
        }
        OperandKind::Global(global, offset) => {
            push_global(out, global);
            push_offset(out, *offset);
        }
        OperandKind::External(name, offset) => {
            out.push(b'&');
            push_name(out, name.as_bytes());
            push_offset(out, *offset);
        }
        OperandKind::BlockAddress(place, offset) => {
            out.extend_from_slice(b"blockaddress(");
            push_global(out, &place.0);
            out.extend_from_slice(b", ");
            out.extend(ir_block(&place.1));
            out.push(b')');
            push_offset(out, *offset);
        }
        OperandKind::Symbol(name) => {
            out.extend_from_slice(b"<mcsymbol ");
            out.extend_from_slice(name.as_bytes());
            out.push(b'>');
        }
        _ => push_rare_kind(out, names, kind),
    }
}

fn push_numbered(out: &mut Vec<u8>, word: &str, number: u32, offset: i64) {
    out.extend_from_slice(word.as_bytes());
    push_number(out, number);
    push_offset(out, offset);
}

fn push_rare_kind(out: &mut Vec<u8>, names: &Names<'_>, kind: &OperandKind) {
    let target = names.target;
    match kind {
        OperandKind::Mask(mask) => out.extend_from_slice(target.mask_name(*mask).as_bytes()),
        OperandKind::CustomMask(registers) => {
            push_registers(out, names, "CustomRegMask(", registers, ",");
        }
        OperandKind::LiveOut(registers) => push_registers(out, names, "liveout(", registers, ", "),
        OperandKind::IntPredicate(predicate) => {
            let row = IntPredicate::TABLE.iter().find(|row| row.0 == *predicate);
            out.extend_from_slice(format!("intpred({})", row.map_or("", |row| row.1)).as_bytes());
        }
        OperandKind::FloatPredicate(predicate) => {
            let row = FloatPredicate::TABLE.iter().find(|row| row.0 == *predicate);
            out.extend_from_slice(format!("floatpred({})", row.map_or("", |row| row.1)).as_bytes());
        }
        OperandKind::Intrinsic(name) => {
            out.extend_from_slice(b"intrinsic(@");
            out.extend_from_slice(name.as_bytes());
            out.push(b')');
        }
        OperandKind::ShuffleMask(lanes) => {
            let words = lanes
                .iter()
                .map(|lane| lane.map_or("undef".into(), |lane: i32| lane.to_string()));
            let words: Vec<String> = words.collect();
            out.extend_from_slice(format!("shufflemask({})", words.join(", ")).as_bytes());
        }
        OperandKind::DebugReference(insn, operand) => {
            out.extend_from_slice(format!("dbg-instr-ref({insn}, {operand})").as_bytes());
        }
        OperandKind::Cfi(cfi) => push_cfi(out, target, cfi),
        OperandKind::Metadata(metadata) => push_metadata(out, metadata),
        _ => {}
    }
}

fn push_registers(
    out: &mut Vec<u8>,
    names: &Names<'_>,
    open: &str,
    registers: &[u16],
    between: &str,
) {
    out.extend_from_slice(open.as_bytes());
    for (at, register) in registers.iter().enumerate() {
        if at != 0 {
            out.extend_from_slice(between.as_bytes());
        }
        push_register(out, names, Register::physical(*register));
    }
    out.push(b')');
}

fn push_cfi(out: &mut Vec<u8>, target: &Target, cfi: &Cfi) {
    // LLVM prints the register of the DWARF number, which several registers may share.
    let name = |register: &u16| {
        let dwarf = target.dwarf_number(*register);
        let shown = dwarf
            .and_then(|number| target.register_of_dwarf(number))
            .unwrap_or(*register);
        target.register_name(shown)
    };
    let text = match cfi {
        Cfi::SameValue(r) => format!("same_value ${}", name(r)),
        Cfi::Offset(r, n) => format!("offset ${}, {n}", name(r)),
        Cfi::RelOffset(r, n) => format!("rel_offset ${}, {n}", name(r)),
        Cfi::DefCfaRegister(r) => format!("def_cfa_register ${}", name(r)),
        Cfi::DefCfaOffset(n) => format!("def_cfa_offset {n}"),
        Cfi::AdjustCfaOffset(n) => format!("adjust_cfa_offset {n}"),
        Cfi::DefCfa(r, n) => format!("def_cfa ${}, {n}", name(r)),
        Cfi::LlvmDefAspaceCfa(r, n, space) => {
            format!("llvm_def_aspace_cfa ${}, {n}, {space}", name(r))
        }
        Cfi::Restore(r) => format!("restore ${}", name(r)),
        Cfi::Undefined(r) => format!("undefined ${}", name(r)),
        Cfi::Register(r, other) => format!("register ${}, ${}", name(r), name(other)),
        Cfi::Escape(bytes) => {
            let bytes = bytes.as_bytes().iter().map(|byte| format!("0x{byte:02x}"));
            format!("escape {}", bytes.collect::<Vec<_>>().join(", "))
        }
        Cfi::RememberState => "remember_state ".into(),
        Cfi::RestoreState => "restore_state ".into(),
        Cfi::WindowSave => "window_save ".into(),
        Cfi::NegateRaSignState => "negate_ra_sign_state ".into(),
        Cfi::NegateRaSignStateWithPc => "negate_ra_sign_state_with_pc ".into(),
    };
    out.extend_from_slice(text.as_bytes());
}

fn push_float(out: &mut Vec<u8>, float: &Float) {
    let row = FloatFormat::TABLE.iter().find(|row| row.0 == float.format);
    let Some((format, word, letter, digits)) = row else {
        return;
    };
    out.extend_from_slice(word.as_bytes());
    out.push(b' ');
    if matches!(format, FloatFormat::Single | FloatFormat::Double) {
        let value = f64::from_bits(float.image as u64);
        if let Some(text) = decimal(value) {
            out.extend_from_slice(text.as_bytes());
            return;
        }
    }
    out.extend_from_slice(b"0x");
    if *letter != 0 {
        out.push(*letter);
    }
    // Only the images that follow a letter have all their digits.
    let digits = if *letter == 0 { 0 } else { *digits };
    out.extend_from_slice(format!("{:0digits$X}", float.image).as_bytes());
}

/// Returns six significant digits, if they identify the value; a seventh, 0, is printed after them.
fn decimal(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let (digits, exponent) = decimal_digits(value.abs());
    let digits = format!("{digits:06}");
    let exponent = exponent + 5;
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    let (whole, fraction) = digits.split_at(1);
    let text = format!(
        "{sign}{whole}.{fraction}0e{exponent_sign}{:02}",
        exponent.abs()
    );
    let same = text.parse::<f64>().ok()?.to_bits() == value.to_bits();
    same.then_some(text)
}

/// Returns six digits of a value and the power of ten that they are multiplied by.
///
/// They are LLVM's: digits beyond about seven are cut off first, so that what is left is rounded
/// only if a seventh is there. 0.7, a little less in binary, becomes 0.699999.
fn decimal_digits(value: f64) -> (u64, i32) {
    if value == 0.0 {
        return (0, -5);
    }
    let bits = value.to_bits();
    let biased = (bits >> 52) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (significand, exponent) = match biased {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, biased - 1075),
    };
    let zeros = significand.trailing_zeros();
    let exponent = exponent + zeros.cast_signed();
    let mut number = Natural::new(significand >> zeros);
    let mut power = 0;
    for _ in 0..exponent.unsigned_abs() {
        number.multiply(if exponent > 0 { 2 } else { 5 });
    }
    if exponent < 0 {
        power = exponent;
    }
    // 196 / 59 is a little more than the bits of a decimal digit.
    const WANTED_BITS: u32 = (6_u32 * 196).div_ceil(59);
    let removable = number.bits().saturating_sub(WANTED_BITS) * 59 / 196;
    for _ in 0..removable {
        number.divide(10);
    }
    power += removable.cast_signed();
    let mut digits = number.low();
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        power += 1;
    }
    if digits > 999_999 {
        let excess = digits.ilog10() - 5;
        let unit = 10_u64.pow(excess);
        digits = (digits + unit / 2) / unit;
        power += excess.cast_signed();
    }
    while digits < 100_000 {
        digits *= 10;
        power -= 1;
    }
    if digits > 999_999 {
        return (digits / 10, power + 1);
    }
    (digits, power)
}

/// A natural number of any size, lowest word first.
struct Natural(Vec<u32>);

impl Natural {
    fn new(value: u64) -> Natural {
        Natural(vec![value as u32, (value >> 32) as u32])
    }

    fn multiply(&mut self, by: u32) {
        let mut carry = 0;
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(by);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn divide(&mut self, by: u32) {
        let mut rest = 0;
        for word in self.0.iter_mut().rev() {
            rest = rest << 32 | u64::from(*word);
            *word = (rest / u64::from(by)) as u32;
            rest %= u64::from(by);
        }
    }

    fn bits(&self) -> u32 {
        let top = self.0.iter().rposition(|word| *word != 0);
        top.map_or(0, |at| at as u32 * 32 + 32 - self.0[at].leading_zeros())
    }

    /// Returns the lowest 64 bits.
    fn low(&self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1]) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_decimal_where_six_digits_suffice() {
        let text = |float| {
            let mut out = Vec::new();
            push_float(&mut out, &float);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(Float::double(0.1)), "double 1.000000e-01");
        assert_eq!(text(Float::single(0.1)), "float 0x3FB99999A0000000");
        assert_eq!(text(Float::double(-0.0)), "double -0.000000e+00");
        assert_eq!(text(Float::double(f64::NAN)), "double 0x7FF8000000000000");
        assert_eq!(text(Float::double(1e300)), "double 1.000000e+300");
        assert_eq!(text(Float::double(5e-324)), "double 4.940660e-324");
        assert_eq!(
            text(Float::single(-16_777_220.0)),
            "float 0xC170000040000000"
        );
    }
}
