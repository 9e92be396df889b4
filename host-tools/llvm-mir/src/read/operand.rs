//! Reads operands other than registers.

use super::body::{Parser, parse_hex, parse_integer};
use super::error::{Result, fault, lossy};
use super::lexer::Kind;
use crate::model::{
    Cfi, Element, Float, FloatFormat, FloatPredicate, Frame, Global, IntPredicate, Integer, Lanes,
    LowType, Metadata, Operand, OperandKind,
};
use crate::target::Opcode;

impl Parser<'_, '_> {
    /// Reads an operand with its target flags.
    pub(super) fn operand(&mut self, opcode: Opcode) -> Result<Operand> {
        let mut target_flags = 0;
        if self.word() == b"target-flags" {
            target_flags = self.target_flags()?;
        }
        let at = self.token.start;
        let kind = match self.token.kind {
            Kind::Virtual(_) | Kind::NamedVirtual | Kind::Physical if target_flags != 0 => {
                return fault(at, "register operands can't have target flags");
            }
            Kind::Integer => self.immediate()?,
            Kind::Word => self.word_operand(opcode)?,
            _ => self.reference()?,
        };
        Ok(Operand { kind, target_flags })
    }

    fn target_flags(&mut self) -> Result<u32> {
        self.bump()?;
        self.expect(b'(')?;
        let name = |parser: &Self| {
            if parser.token.kind == Kind::Word {
                Ok(parser.word())
            } else {
                parser.fail("expected the name of the target flag")
            }
        };
        let target = self.state.target;
        let first = name(self)?;
        let Some(mut flags) = target.direct_flag(first).or_else(|| target.bit_flag(first)) else {
            return self.fail(format!("use of undefined target flag '{}'", lossy(first)));
        };
        self.bump()?;
        while self.take(b',')? {
            let word = name(self)?;
            let Some(bit) = target.bit_flag(word) else {
                return self.fail(format!("use of undefined target flag '{}'", lossy(word)));
            };
            flags |= bit;
            self.bump()?;
        }
        self.expect(b')')?;
        Ok(flags)
    }

    fn immediate(&mut self) -> Result<OperandKind> {
        let value = parse_integer(self.raw(self.token));
        let Some(value) = value.and_then(|value| i64::try_from(value).ok()) else {
            return self.fail("integer literal is too large to be an immediate operand");
        };
        self.bump()?;
        Ok(OperandKind::Immediate(value))
    }

    fn reference(&mut self) -> Result<OperandKind> {
        let token = self.token;
        match token.kind {
            Kind::Block(_) => Ok(OperandKind::Block(self.block_reference()?)),
            Kind::Stack(_) | Kind::FixedStack(_) => Ok(OperandKind::Frame(self.frame()?)),
            Kind::Constant(number) => {
                if !self.state.constants.contains(&number) {
                    return self.fail(format!("use of undefined constant '%const.{number}'"));
                }
                self.bump()?;
                Ok(OperandKind::Constant(number, self.offset()?))
            }
            Kind::JumpTable(number) => {
                let Some(&index) = self.state.jump_tables.get(&number) else {
                    let message = format!("use of undefined jump table '%jump-table.{number}'");
                    return self.fail(message);
                };
                self.bump()?;
                Ok(OperandKind::JumpTable(index))
            }
            Kind::Global(_) | Kind::NamedGlobal => {
                let global = Box::new(self.global()?);
                Ok(OperandKind::Global(global, self.offset()?))
            }
            Kind::External => {
                self.bump()?;
                let name = self.text(token).into();
                Ok(OperandKind::External(name, self.offset()?))
            }
            Kind::SubIndex => {
                let name = self.raw(token);
                let Some(sub) = self.state.target.sub_index(name) else {
                    return self.fail(format!("unknown subregister index '{}'", lossy(name)));
                };
                self.bump()?;
                Ok(OperandKind::Immediate(sub.0.into()))
            }
            Kind::Symbol => {
                self.bump()?;
                Ok(OperandKind::Symbol(self.text(token).into()))
            }
            Kind::Punctuation(b'!') => Ok(OperandKind::Metadata(self.metadata()?)),
            _ => self.fail("expected a machine operand"),
        }
    }

    /// Reads `%stack.N` or `%fixed-stack.N`.
    pub(super) fn frame(&mut self) -> Result<Frame> {
        let token = self.token;
        let frame = match token.kind {
            Kind::FixedStack(number) => match self.state.fixed_stack.get(&number) {
                Some(&index) => Frame::Fixed(index),
                None => {
                    let message =
                        format!("use of undefined fixed stack object '%fixed-stack.{number}'");
                    return self.fail(message);
                }
            },
            Kind::Stack(number) => {
                let Some(&index) = self.state.stack.get(&number) else {
                    return self.fail(format!("use of undefined stack object '%stack.{number}'"));
                };
                let object = self.state.function.stack.get(index as usize);
                let known = object.map_or(&b""[..], |object| object.name.as_bytes());
                let name = self.raw(token);
                if !name.is_empty() && name != known {
                    let message = format!(
                        "the name of the stack object '%stack.{number}' isn't '{}'",
                        lossy(name)
                    );
                    return self.fail(message);
                }
                Frame::Stack(index)
            }
            _ => return self.fail("expected a stack object"),
        };
        self.bump()?;
        Ok(frame)
    }

    /// Reads ` + N` or ` - N`, or nothing.
    pub(super) fn offset(&mut self) -> Result<i64> {
        let negative = match self.token.kind {
            Kind::Punctuation(b'+') => false,
            Kind::Punctuation(b'-') => true,
            _ => return Ok(0),
        };
        let sign = if negative { '-' } else { '+' };
        self.bump()?;
        if self.token.kind != Kind::Integer {
            return self.fail(format!("expected an integer literal after '{sign}'"));
        }
        let value = parse_integer(self.raw(self.token)).unwrap_or(i128::MAX);
        let value = if negative {
            value.checked_neg()
        } else {
            Some(value)
        };
        let Some(value) = value.and_then(|value| i64::try_from(value).ok()) else {
            return self.fail("expected 64-bit integer (too large)");
        };
        self.bump()?;
        Ok(value)
    }

    fn word_operand(&mut self, opcode: Opcode) -> Result<OperandKind> {
        let word = self.word();
        if Some(opcode) == self.state.words.cfi
            && let Some(cfi) = self.cfi()?
        {
            return Ok(OperandKind::Cfi(Box::new(cfi)));
        }
        if let Some(bits) = integer_type(word) {
            return self.typed_integer(bits);
        }
        if let Some(row) = FloatFormat::TABLE
            .iter()
            .find(|row| row.1.as_bytes() == word)
        {
            return self.float(row.0);
        }
        match word {
            b"intpred" => self.int_predicate(),
            b"floatpred" => self.float_predicate(),
            b"intrinsic" => self.intrinsic(),
            b"blockaddress" => self.block_address(),
            b"target-index" => self.target_index(),
            b"shufflemask" => self.shuffle_mask(),
            b"liveout" => {
                let registers = self.register_list("liveout")?;
                Ok(OperandKind::LiveOut(registers))
            }
            b"CustomRegMask" => {
                let registers = self.register_list("CustomRegMask")?;
                Ok(OperandKind::CustomMask(registers))
            }
            b"dbg-instr-ref" => self.debug_reference(),
            _ => match self.state.target.mask(word) {
                Some(mask) => {
                    self.bump()?;
                    Ok(OperandKind::Mask(mask))
                }
                None => self.fail("expected a machine operand"),
            },
        }
    }

    fn typed_integer(&mut self, bits: u32) -> Result<OperandKind> {
        self.bump()?;
        let value = match (self.token.kind, self.word()) {
            (_, b"true") if bits == 1 => Some(Integer::new(1, 1)),
            (_, b"false") if bits == 1 => Some(Integer::new(1, 0)),
            (Kind::Integer, _) => Integer::parse(bits, self.raw(self.token)),
            _ => return self.fail("expected an integer literal"),
        };
        let Some(value) = value else {
            return self.fail("value too large for type");
        };
        self.bump()?;
        Ok(OperandKind::Integer(Box::new(value)))
    }

    fn float(&mut self, format: FloatFormat) -> Result<OperandKind> {
        self.bump()?;
        let text = self.raw(self.token);
        let float = match self.token.kind {
            Kind::Float | Kind::Hexadecimal | Kind::Integer => parse_float(format, text),
            _ => return self.fail("expected a floating point literal"),
        };
        let Some(float) = float else {
            return self.fail("floating point constant invalid for type");
        };
        self.bump()?;
        Ok(OperandKind::Float(Box::new(float)))
    }

    fn int_predicate(&mut self) -> Result<OperandKind> {
        let word = self.argument("expected syntax intpred(whatever) or floatpred(whatever")?;
        match IntPredicate::TABLE
            .iter()
            .find(|row| row.1.as_bytes() == word)
        {
            Some(row) => Ok(OperandKind::IntPredicate(row.0)),
            None => self.fail("invalid integer predicate"),
        }
    }

    fn float_predicate(&mut self) -> Result<OperandKind> {
        let word = self.argument("expected syntax intpred(whatever) or floatpred(whatever")?;
        match FloatPredicate::TABLE
            .iter()
            .find(|row| row.1.as_bytes() == word)
        {
            Some(row) => Ok(OperandKind::FloatPredicate(row.0)),
            None => self.fail("invalid floating-point predicate"),
        }
    }

    /// Reads the word in parentheses after the current word.
    fn argument(&mut self, message: &str) -> Result<Vec<u8>> {
        self.bump()?;
        let opened = self.take(b'(')?;
        let at = self.token.start;
        if !opened || self.token.kind != Kind::Word {
            return fault(at, message);
        }
        let word = self.word().to_vec();
        self.bump()?;
        if !self.take(b')')? {
            return fault(at, message);
        }
        Ok(word)
    }

    fn intrinsic(&mut self) -> Result<OperandKind> {
        self.bump()?;
        let message = "expected syntax intrinsic(@llvm.whatever)";
        if !self.take(b'(')? || self.token.kind != Kind::NamedGlobal {
            return self.fail(message);
        }
        let name = self.text(self.token);
        if !name.starts_with(b"llvm.") {
            return self.fail("unknown intrinsic name");
        }
        self.bump()?;
        if !self.take(b')')? {
            return self.fail(message);
        }
        Ok(OperandKind::Intrinsic(without_types(&name).into()))
    }

    fn block_address(&mut self) -> Result<OperandKind> {
        self.bump()?;
        self.expect(b'(')?;
        if !matches!(self.token.kind, Kind::Global(_) | Kind::NamedGlobal) {
            return self.fail("expected a global value");
        }
        let at = self.token.start;
        let function = self.global()?;
        self.expect(b',')?;
        let known = match &function {
            Global::Named(name) => self.state.names.function(name.as_bytes()),
            Global::Number(number) => self.state.names.function(number.to_string().as_bytes()),
        };
        let Some(known) = known else {
            return fault(at, "expected an IR function reference");
        };
        let token = self.token;
        let block = self.ir_block()?;
        if !known.may_have(&block) {
            let shown = lossy(&self.lexer.input[token.start..token.end]);
            return fault(token.start, format!("use of undefined IR block '{shown}'"));
        }
        self.expect(b')')?;
        Ok(OperandKind::BlockAddress(
            Box::new((function, block)),
            self.offset()?,
        ))
    }

    fn target_index(&mut self) -> Result<OperandKind> {
        self.bump()?;
        self.expect(b'(')?;
        if self.token.kind != Kind::Word {
            return self.fail("expected the name of the target index");
        }
        let name = self.word();
        let Some(number) = self.state.target.target_index(name) else {
            return self.fail(format!("use of undefined target index '{}'", lossy(name)));
        };
        self.bump()?;
        self.expect(b')')?;
        Ok(OperandKind::TargetIndex(number, self.offset()?))
    }

    fn shuffle_mask(&mut self) -> Result<OperandKind> {
        self.bump()?;
        let message = "expected syntax shufflemask(<integer or undef>, ...)";
        if !self.take(b'(')? {
            return self.fail(message);
        }
        let mut lanes = Vec::new();
        loop {
            if self.take_word(b"undef")? {
                lanes.push(None);
            } else {
                let lane = self.lane()?;
                lanes.push(Some(lane).filter(|lane| *lane != -1));
            }
            if !self.take(b',')? {
                break;
            }
        }
        if !self.take(b')')? {
            return self.fail("shufflemask should be terminated by ')'.");
        }
        if lanes.len() < 2 {
            return self.fail("shufflemask should have > 1 element");
        }
        Ok(OperandKind::ShuffleMask(lanes.into()))
    }

    fn lane(&mut self) -> Result<i32> {
        let value = match self.token.kind {
            Kind::Integer => parse_integer(self.raw(self.token)),
            _ => return self.fail("expected integer constant"),
        };
        let Some(value) = value.and_then(|value| i32::try_from(value).ok()) else {
            return self.fail("expected integer constant");
        };
        self.bump()?;
        Ok(value)
    }

    /// Reads registers in parentheses, in ascending order and each once.
    fn register_list(&mut self, word: &str) -> Result<Box<[u16]>> {
        self.bump()?;
        if !self.take(b'(')? {
            return self.fail(format!("expected syntax {word}(<register>, ...)"));
        }
        let mut registers = Vec::new();
        while !self.is(b')') {
            if self.token.kind != Kind::Physical {
                return self.fail("expected a named register");
            }
            let register = self.register()?;
            registers.extend(register.number());
            if !self.take(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        registers.sort_unstable();
        registers.dedup();
        Ok(registers.into())
    }

    fn debug_reference(&mut self) -> Result<OperandKind> {
        self.bump()?;
        self.expect(b'(')?;
        let insn = self.unsigned("expected unsigned integer for instruction index")?;
        self.expect(b',')?;
        let operand = self.unsigned("expected unsigned integer for operand index")?;
        self.expect(b')')?;
        Ok(OperandKind::DebugReference(insn, operand))
    }

    /// Reads a directive of call frame information, if the current word is one.
    fn cfi(&mut self) -> Result<Option<Cfi>> {
        let rest: fn(&mut Self) -> Result<Cfi> = match self.word() {
            b"same_value" => |it| Ok(Cfi::SameValue(it.cfi_register()?)),
            b"offset" => |it| Ok(Cfi::Offset(it.cfi_register_comma()?, it.cfi_offset()?)),
            b"rel_offset" => |it| Ok(Cfi::RelOffset(it.cfi_register_comma()?, it.cfi_offset()?)),
            b"def_cfa_register" => |it| Ok(Cfi::DefCfaRegister(it.cfi_register()?)),
            b"def_cfa_offset" => |it| Ok(Cfi::DefCfaOffset(it.cfi_offset()?)),
            b"adjust_cfa_offset" => |it| Ok(Cfi::AdjustCfaOffset(it.cfi_offset()?)),
            b"def_cfa" => |it| Ok(Cfi::DefCfa(it.cfi_register_comma()?, it.cfi_offset()?)),
            b"llvm_def_aspace_cfa" => |it| {
                let register = it.cfi_register_comma()?;
                let offset = it.cfi_offset()?;
                it.expect(b',')?;
                let space = it.unsigned("expected a cfi address space literal")?;
                Ok(Cfi::LlvmDefAspaceCfa(register, offset, space))
            },
            b"restore" => |it| Ok(Cfi::Restore(it.cfi_register()?)),
            b"undefined" => |it| Ok(Cfi::Undefined(it.cfi_register()?)),
            b"register" => |it| Ok(Cfi::Register(it.cfi_register_comma()?, it.cfi_register()?)),
            b"escape" => Self::cfi_escape,
            b"remember_state" => |_| Ok(Cfi::RememberState),
            b"restore_state" => |_| Ok(Cfi::RestoreState),
            b"window_save" => |_| Ok(Cfi::WindowSave),
            b"negate_ra_sign_state" => |_| Ok(Cfi::NegateRaSignState),
            b"negate_ra_sign_state_with_pc" => |_| Ok(Cfi::NegateRaSignStateWithPc),
            _ => return Ok(None),
        };
        self.bump()?;
        rest(self).map(Some)
    }

    fn cfi_register(&mut self) -> Result<u16> {
        if self.token.kind != Kind::Physical {
            return self.fail("expected a cfi register");
        }
        let at = self.token.start;
        let register = self.register()?.number();
        match register.filter(|number| self.state.target.dwarf_number(*number).is_some()) {
            Some(number) => Ok(number),
            None => fault(at, "invalid DWARF register"),
        }
    }

    fn cfi_register_comma(&mut self) -> Result<u16> {
        let register = self.cfi_register()?;
        self.expect(b',')?;
        Ok(register)
    }

    fn cfi_offset(&mut self) -> Result<i64> {
        if self.token.kind != Kind::Integer {
            return self.fail("expected a cfi offset");
        }
        let value = parse_integer(self.raw(self.token));
        let Some(value) = value.and_then(|value| i32::try_from(value).ok()) else {
            return self.fail("expected a 32 bit integer (the cfi offset is too large)");
        };
        self.bump()?;
        Ok(value.into())
    }

    fn cfi_escape(&mut self) -> Result<Cfi> {
        let mut bytes = Vec::new();
        loop {
            if self.token.kind != Kind::Hexadecimal {
                return self.fail("expected a hexadecimal literal");
            }
            let value = parse_hex(self.raw(self.token)).and_then(|value| u8::try_from(value).ok());
            let Some(value) = value else {
                return self.fail("expected a 8-bit integer (too large)");
            };
            bytes.push(value);
            self.bump()?;
            if !self.take(b',')? {
                break;
            }
        }
        Ok(Cfi::Escape(bytes.into()))
    }

    /// Reads a low level type.
    pub(super) fn low_type(&mut self) -> Result<LowType> {
        let message = "expected sN, pA, <M x sN>, <M x pA>, <vscale x M x sN>, or <vscale x M x pA> for GlobalISel type";
        if self.token.kind == Kind::Word {
            let element = self.element(message)?;
            return Ok(LowType {
                element,
                lanes: None,
            });
        }
        if !self.take(b'<')? {
            return self.fail(message);
        }
        let mut is_scalable = false;
        if self.take_word(b"vscale")? {
            is_scalable = true;
            if !self.take_word(b"x")? {
                return self.fail("expected <vscale x M x sN> or <vscale x M x pA>");
            }
        }
        let message = if is_scalable {
            "expected <vscale x M x sN> or <vscale x M x pA>"
        } else {
            "expected <M x sN> or <M x pA> for vector type"
        };
        if self.token.kind != Kind::Integer {
            return self.fail(message);
        }
        let at = self.token.start;
        let count = self.unsigned(message)?;
        if count == 0 || count > 0xFFFF {
            return fault(at, "invalid number of vector elements");
        }
        if !self.take_word(b"x")? || self.token.kind != Kind::Word {
            return self.fail(message);
        }
        let element = self.element(message)?;
        if !self.take(b'>')? {
            return self.fail(message);
        }
        Ok(LowType {
            element,
            lanes: Some(Lanes { count, is_scalable }),
        })
    }

    fn element(&mut self, message: &str) -> Result<Element> {
        let Some((&first, digits)) = self.word().split_first() else {
            return self.fail(message);
        };
        if !b"sp".contains(&first) || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return self.fail(message);
        }
        let number = str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse::<u32>().ok());
        let element = match (first, number) {
            (b's', Some(bits @ 1..=0xFFFF)) => Element::Scalar(bits),
            (b's', _) => return self.fail("invalid size for scalar type"),
            (_, Some(space @ 0..=0xFF_FFFF)) => Element::Pointer(space),
            _ => return self.fail("invalid address space number"),
        };
        self.bump()?;
        Ok(element)
    }

    /// Reads a reference to metadata that must be a number.
    pub(super) fn metadata_node(&mut self) -> Result<Metadata> {
        if !self.is(b'!') {
            return self.fail("expected a metadata node");
        }
        self.metadata()
    }
}

/// Returns the width of the type `iN`.
fn integer_type(word: &[u8]) -> Option<u32> {
    let digits = word
        .strip_prefix(b"i")
        .filter(|digits| !digits.is_empty())?;
    let bits = str::from_utf8(digits).ok()?.parse::<u32>().ok()?;
    (1..1 << 23).contains(&bits).then_some(bits)
}

/// Returns a floating constant as LLVM reads it.
fn parse_float(format: FloatFormat, text: &[u8]) -> Option<Float> {
    let text = str::from_utf8(text).ok()?;
    let row = FloatFormat::TABLE.iter().find(|row| row.0 == format)?;
    if let Some(digits) = text.strip_prefix("0x") {
        let digits = match row.2 {
            0 => digits,
            letter => digits.strip_prefix(char::from(letter))?,
        };
        let image = u128::from_str_radix(digits, 16).ok()?;
        if format == FloatFormat::Single {
            let value = f64::from_bits(u64::try_from(image).ok()?);
            let narrow = value as f32;
            if !value.is_nan() && f64::from(narrow).to_bits() != value.to_bits() {
                return None;
            }
        }
        return (image >> (row.3 * 4).min(127) <= 1).then_some(Float { format, image });
    }
    let value: f64 = text.parse().ok()?;
    match format {
        FloatFormat::Double => Some(Float::double(value)),
        FloatFormat::Single => {
            let narrow = value as f32;
            (f64::from(narrow).to_bits() == value.to_bits()).then(|| Float::single(narrow))
        }
        FloatFormat::Half => Some(Float {
            format,
            image: narrowed(value, 5, 10)?.into(),
        }),
        FloatFormat::Bfloat => Some(Float {
            format,
            image: narrowed(value, 8, 7)?.into(),
        }),
        _ => None,
    }
}

/// Returns the image of a double in a 16-bit format, if it is representable.
fn narrowed(value: f64, exponent_bits: u32, fraction_bits: u32) -> Option<u16> {
    let bits = value.to_bits();
    let sign = (bits >> 63 << (exponent_bits + fraction_bits)) as u16;
    if value == 0.0 {
        return Some(sign);
    }
    let bias = (1_i64 << (exponent_bits - 1)) - 1;
    let exponent = (bits >> 52 & 0x7FF).cast_signed() - 1023;
    let fraction = bits & ((1 << 52) - 1) | 1 << 52;
    // Subnormal results have fewer bits of fraction.
    let shift = 52 - i64::from(fraction_bits) + (1 - bias - exponent).max(0);
    if exponent > bias || shift > 52 || fraction & ((1 << shift) - 1) != 0 {
        return None;
    }
    let significand = fraction >> shift;
    let biased = if exponent < 1 - bias {
        0
    } else {
        (exponent + bias).cast_unsigned()
    };
    let kept = significand & ((1 << fraction_bits) - 1);
    Some(sign | (biased << fraction_bits) as u16 | kept as u16)
}

/// Beginnings of intrinsics whose last words look like types but belong to the name.
const WHOLE_NAMES: [&[u8]; 4] = [
    b"llvm.ppc.",
    b"llvm.x86.",
    b"llvm.eh.return.",
    b"llvm.riscv.nds.vfwcvt.s.",
];

/// Returns the name of an intrinsic without the types that it is overloaded for.
fn without_types(name: &[u8]) -> &[u8] {
    if WHOLE_NAMES.iter().any(|start| name.starts_with(start)) {
        return name;
    }
    let mut rest = name;
    while let Some(dot) = rest.iter().rposition(|&byte| byte == b'.')
        && is_type(&rest[dot + 1..])
    {
        rest = &rest[..dot];
    }
    rest
}

/// Returns whether a word of an intrinsic's name is a type: `i32`, `f64`, `bf16`, `p0`, `v4i32`,
/// `nxv2f64`.
fn is_type(word: &[u8]) -> bool {
    let vector = word.strip_prefix(b"nx").unwrap_or(word).strip_prefix(b"v");
    let element = match vector {
        Some(vector) => {
            let digits = vector.iter().take_while(|byte| byte.is_ascii_digit());
            &vector[digits.count()..]
        }
        None => word,
    };
    let number = match element {
        b"bf16" | b"ppcf128" => return true,
        [b'i' | b'f' | b'p', number @ ..] => number,
        _ => return false,
    };
    !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_exact_or_refused() {
        let half = |text: &str| parse_float(FloatFormat::Half, text.as_bytes()).map(|f| f.image);
        assert_eq!(half("1.0"), Some(0x3C00));
        assert_eq!(half("-2.5"), Some(0xC100));
        assert_eq!(half("65504.0"), Some(0x7BFF));
        assert_eq!(half("0.000000059604644775390625"), Some(1));
        assert_eq!(half("0.1"), None);
        assert_eq!(half("0xH7C00"), Some(0x7C00));
        let bfloat =
            |text: &str| parse_float(FloatFormat::Bfloat, text.as_bytes()).map(|f| f.image);
        assert_eq!(bfloat("1.0"), Some(0x3F80));
    }
}
