//! Imports operations on integers of at most 64 bits, and casts.

use super::function::{Lower, move_code};
use super::parts::Kind;
use super::values::Held;
use crate::ast::{Binary, Cast, IntPredicate, LocalId, Op, Typed, Value};
use crate::error::Result;
use crate::types::TypeId;
use mir_nostd::ir::{Code, Label, Mem, Operand, Reg, Type as MediumType};

/// Returns the 64-bit and the 32-bit instruction for an operation.
const fn binary_codes(op: Binary) -> Option<[Code; 2]> {
    Some(match op {
        Binary::Add => [Code::Add, Code::Adds],
        Binary::Sub => [Code::Sub, Code::Subs],
        Binary::Mul => [Code::Mul, Code::Muls],
        Binary::Udiv => [Code::Udiv, Code::Udivs],
        Binary::Sdiv => [Code::Div, Code::Divs],
        Binary::Urem => [Code::Umod, Code::Umods],
        Binary::Srem => [Code::Mod, Code::Mods],
        Binary::Shl => [Code::Lsh, Code::Lshs],
        Binary::Lshr => [Code::Ursh, Code::Urshs],
        Binary::Ashr => [Code::Rsh, Code::Rshs],
        Binary::And => [Code::And, Code::Ands],
        Binary::Or => [Code::Or, Code::Ors],
        Binary::Xor => [Code::Xor, Code::Xors],
        _ => return None,
    })
}

/// Returns the instructions of a comparison, each for 64 and 32 bits: the one that returns 0 or 1,
/// and the one that branches.
const fn comparison_codes(predicate: IntPredicate) -> [[Code; 2]; 2] {
    use IntPredicate as P;
    match predicate {
        P::Eq => [[Code::Eq, Code::Eqs], [Code::Beq, Code::Beqs]],
        P::Ne => [[Code::Ne, Code::Nes], [Code::Bne, Code::Bnes]],
        P::Ugt => [[Code::Ugt, Code::Ugts], [Code::Ubgt, Code::Ubgts]],
        P::Uge => [[Code::Uge, Code::Uges], [Code::Ubge, Code::Ubges]],
        P::Ult => [[Code::Ult, Code::Ults], [Code::Ublt, Code::Ublts]],
        P::Ule => [[Code::Ule, Code::Ules], [Code::Uble, Code::Ubles]],
        P::Sgt => [[Code::Gt, Code::Gts], [Code::Bgt, Code::Bgts]],
        P::Sge => [[Code::Ge, Code::Ges], [Code::Bge, Code::Bges]],
        P::Slt => [[Code::Lt, Code::Lts], [Code::Blt, Code::Blts]],
        P::Sle => [[Code::Le, Code::Les], [Code::Ble, Code::Bles]],
    }
}

pub(super) const fn is_signed(predicate: IntPredicate) -> bool {
    use IntPredicate as P;
    matches!(predicate, P::Sgt | P::Sge | P::Slt | P::Sle)
}

/// The destination of a comparison's outcome.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    /// A register that becomes 0 or 1.
    Register(Reg),
    /// A label to branch to if the comparison holds.
    Branch(Label),
}

impl Lower<'_, '_, '_> {
    pub(super) fn binary(
        &mut self,
        result: LocalId,
        op: Binary,
        ty: TypeId,
        a: &Value,
        b: &Value,
    ) -> Result<()> {
        let Some(codes) = binary_codes(op) else {
            return self.float_binary(result, op, ty, a, b);
        };
        let width = self.importer.source.types.int_width(ty);
        let (a, b) = (self.value(ty, a)?, self.value(ty, b)?);
        match (width, a.as_slice(), b.as_slice()) {
            (Some(1), &[a], &[b]) => self.bit_binary(result, op, a, b),
            (Some(width), &[a], &[b]) => self.narrow_binary(result, op, codes, width, a, b),
            (Some(width), &[a_low, a_high], &[b_low, b_high]) => {
                self.wide_binary(result, op, width, [a_low, a_high], [b_low, b_high])
            }
            (Some(width), a, b) if a.len() > 2 && a.len() == b.len() => {
                self.long_binary(result, op, width, a, b)
            }
            _ => {
                let name = self.importer.source.types.name(ty);
                self.unsupported(format!("an operation on {name}"))
            }
        }
    }

    /// Emits an operation on values of one bit, which are 0 or 1.
    fn bit_binary(&mut self, result: LocalId, op: Binary, a: Held, b: Held) -> Result<()> {
        let code = match op {
            Binary::Add | Binary::Sub | Binary::Xor => Code::Xor,
            Binary::Mul | Binary::And => Code::And,
            Binary::Or => Code::Or,
            // Division by 0 and shifts by 1 are undefined for one bit.
            Binary::Urem | Binary::Srem => return self.define(result, vec![Held::Int(0)]),
            _ => return self.define(result, vec![a]),
        };
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let reg = self.one_result(result)?;
        self.emit(code, (reg, a, b))?;
        self.zero_above.insert(reg, 1);
        Ok(())
    }

    fn narrow_binary(
        &mut self,
        result: LocalId,
        op: Binary,
        [wide, short]: [Code; 2],
        width: u32,
        a: Held,
        b: Held,
    ) -> Result<()> {
        let exact = matches!(width, 32 | 64);
        let (a, b) = match op {
            Binary::Sdiv | Binary::Srem if !exact => {
                (self.sign_extended(a, width)?, self.sign_extended(b, width)?)
            }
            Binary::Udiv | Binary::Urem if !exact => {
                (self.zero_extended(a, width)?, self.zero_extended(b, width)?)
            }
            Binary::Ashr if !exact => {
                (self.sign_extended(a, width)?, self.zero_extended(b, width)?)
            }
            Binary::Lshr if !exact => {
                (self.zero_extended(a, width)?, self.zero_extended(b, width)?)
            }
            Binary::Shl if !exact => (self.operand(a)?, self.zero_extended(b, width)?),
            _ => (self.operand(a)?, self.operand(b)?),
        };
        let reg = self.one_result(result)?;
        let mask = self.known_mask(op, width, a, b);
        let code = if width > 32 || mask.is_some() || self.kept_signed.contains(&result) {
            wide
        } else {
            short
        };
        self.emit(code, (reg, a, b))?;
        if let Some(bits) = mask {
            self.zero_above.insert(reg, bits);
        }
        Ok(())
    }

    /// Returns the number of bits that an `and` leaves, if an operand is known to have no more.
    fn known_mask(&self, op: Binary, width: u32, a: Operand, b: Operand) -> Option<u32> {
        if op != Binary::And || width > 32 {
            return None;
        }
        let bits = |operand| match operand {
            Operand::Int(value) if value >= 0 => Some(64 - value.leading_zeros()),
            Operand::Reg(reg) => self.zero_above.get(&reg).copied(),
            _ => None,
        };
        match (bits(a), bits(b)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Returns the only register of a value.
    pub(super) fn one_result(&mut self, result: LocalId) -> Result<Reg> {
        match self.result_regs(result)?.as_slice() {
            [reg] => Ok(*reg),
            _ => self.unsupported("a value of several parts here"),
        }
    }

    // ---- comparisons

    pub(super) fn comparison(&mut self, result: LocalId, op: &Op) -> Result<()> {
        let reg = self.one_result(result)?;
        self.compare(op, Outcome::Register(reg))?;
        self.zero_above.insert(reg, 1);
        Ok(())
    }

    /// Emits a comparison and writes or branches on its outcome.
    pub(super) fn compare(&mut self, op: &Op, outcome: Outcome) -> Result<()> {
        match op {
            Op::Icmp(predicate, ty, a, b) => {
                let width = self.importer.source.types.int_width(*ty).unwrap_or(64);
                let (a, b) = (self.value(*ty, a)?, self.value(*ty, b)?);
                match (a.as_slice(), b.as_slice()) {
                    (&[a], &[b]) => self.compare_ints(*predicate, width, a, b, outcome),
                    (&[a_low, a_high], &[b_low, b_high]) if width > 64 => self.compare_wide(
                        *predicate,
                        width,
                        [a_low, a_high],
                        [b_low, b_high],
                        outcome,
                    ),
                    (a, b) if width > 128 => self.compare_long(*predicate, width, a, b, outcome),
                    _ => self.unsupported("a comparison of such values"),
                }
            }
            Op::Fcmp(predicate, ty, a, b) => self.compare_floats(*predicate, *ty, a, b, outcome),
            _ => self.unsupported("this comparison"),
        }
    }

    pub(super) fn compare_ints(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        a: Held,
        b: Held,
        outcome: Outcome,
    ) -> Result<()> {
        let [value, branch] = comparison_codes(predicate);
        let (short, a, b) = match width {
            32 if self.are_signed(a, b) => (0, self.operand(a)?, self.operand(b)?),
            32 => (1, self.operand(a)?, self.operand(b)?),
            64 => (0, self.operand(a)?, self.operand(b)?),
            _ => {
                let signed = is_signed(predicate);
                (
                    0,
                    self.extended(a, width, signed)?,
                    self.extended(b, width, signed)?,
                )
            }
        };
        match outcome {
            Outcome::Register(reg) => self.emit(value[short], (reg, a, b)),
            Outcome::Branch(label) => self.emit(branch[short], (label, a, b)),
        }
    }

    /// Returns whether two values of 32 bits are sign-extended, and not both constants: they
    /// compare as those of 64 bits do.
    fn are_signed(&self, a: Held, b: Held) -> bool {
        let is_signed = |held| match held {
            Held::Reg(reg) => (self.sign_above.get(&reg)).is_some_and(|&above| above <= 32),
            Held::Int(_) => true,
            _ => false,
        };
        is_signed(a) && is_signed(b) && matches!((a, b), (Held::Reg(_), _) | (_, Held::Reg(_)))
    }

    // ---- casts

    /// Makes a value of what may be poison: one that is kept sign-extended may have overflowed.
    pub(super) fn freeze(&mut self, result: LocalId, (ty, value): &Typed) -> Result<()> {
        let held = self.value(*ty, value)?;
        let is_kept = matches!(value, Value::Local(local) if self.kept_signed.contains(local));
        let &[Held::Reg(from)] = held.as_slice() else {
            return self.define(result, held);
        };
        if !is_kept {
            return self.define(result, held);
        }
        let reg = self.temp(Kind::Int(64))?;
        self.emit(Code::Ext32, (reg, from))?;
        self.sign_above.insert(reg, 32);
        self.define(result, vec![Held::Reg(reg)])
    }

    pub(super) fn cast(
        &mut self,
        result: LocalId,
        cast: Cast,
        (from, value): &Typed,
        to: TypeId,
    ) -> Result<()> {
        let types = &self.importer.source.types;
        let widths = (types.int_width(*from), types.int_width(to));
        self.importer.parts(to, self.place)?;
        match (cast, widths) {
            (Cast::Trunc, (Some(_), Some(width))) => self.truncate(result, *from, value, width),
            (Cast::Zext | Cast::Sext, (Some(narrow), Some(wide))) => {
                self.extend(result, *from, value, [narrow, wide], cast == Cast::Sext)
            }
            (Cast::Bits, _) => self.reinterpret(result, *from, value, to),
            (Cast::Trunc | Cast::Zext | Cast::Sext, _) => {
                let name = self.importer.source.types.name(to);
                self.unsupported(format!("a conversion to {name}"))
            }
            _ => self.float_cast(result, cast, *from, value, to),
        }
    }

    fn truncate(&mut self, result: LocalId, from: TypeId, value: &Value, width: u32) -> Result<()> {
        let mut held = self.value(from, value)?;
        if width > 64 {
            held.truncate(width.div_ceil(64) as usize);
            return self.define(result, held);
        }
        let Some(&low) = held.first() else {
            return self.unsupported("this truncation");
        };
        if width > 1 {
            return self.define(result, vec![low]);
        }
        let operand = self.operand(low)?;
        let reg = self.one_result(result)?;
        self.emit(Code::And, (reg, operand, 1))?;
        self.zero_above.insert(reg, 1);
        Ok(())
    }

    fn extend(
        &mut self,
        result: LocalId,
        from: TypeId,
        value: &Value,
        [narrow, wide]: [u32; 2],
        signed: bool,
    ) -> Result<()> {
        let mut held = self.value(from, value)?;
        let Some(last) = held.pop() else {
            return self.unsupported("this extension");
        };
        let top = narrow.saturating_sub(64 * held.len() as u32);
        let last = held_of(self.extended(last, top, signed)?);
        held.push(last);
        if wide > 64 {
            let above = if signed {
                self.sign_of(last)?
            } else {
                Held::Int(0)
            };
            held.resize(wide.div_ceil(64) as usize, above);
        }
        self.define(result, held)
    }

    /// Returns 0 or -1, the sign of a 64-bit integer.
    pub(super) fn sign_of(&mut self, low: Held) -> Result<Held> {
        if let Held::Int(value) = low {
            return Ok(Held::Int(value >> 63));
        }
        let operand = self.operand(low)?;
        let reg = self.temp(Kind::Int(64))?;
        self.emit(Code::Rsh, (reg, operand, 63))?;
        Ok(Held::Reg(reg))
    }

    /// Reinterprets the bits as another type.
    fn reinterpret(
        &mut self,
        result: LocalId,
        from: TypeId,
        value: &Value,
        to: TypeId,
    ) -> Result<()> {
        let (from_parts, to_parts) = (
            self.importer.parts(from, self.place)?,
            self.importer.parts(to, self.place)?,
        );
        let held = self.value(from, value)?;
        let ints = |parts: &[super::parts::Part]| {
            parts.iter().all(|part| matches!(part.kind, Kind::Int(_)))
        };
        if from_parts == to_parts
            || (ints(&from_parts) && ints(&to_parts) && from_parts.len() == to_parts.len())
        {
            let types = &self.importer.source.types;
            // An integer of fewer than 64 bits is zero-extended to an address.
            let narrow = types
                .int_width(from)
                .filter(|&width| width < 64 && types.int_width(to).is_none());
            if let (Some(width), &[low]) = (narrow, held.as_slice()) {
                let address = held_of(self.zero_extended(low, width)?);
                return self.define(result, vec![address]);
            }
            return self.define(result, held);
        }
        let place = self.scratch()?;
        for (part, held) in from_parts.iter().zip(held) {
            self.store_part(*part, Held::Reg(place), held)?;
        }
        let mut parts = Vec::new();
        for part in to_parts.iter() {
            parts.push(Held::Reg(self.load_part(*part, Held::Reg(place))?));
        }
        self.define(result, parts)
    }

    // ---- selections

    pub(super) fn select(
        &mut self,
        result: LocalId,
        condition: &Value,
        ty: TypeId,
        a: &Value,
        b: &Value,
    ) -> Result<()> {
        let (a, b) = (self.value(ty, a)?, self.value(ty, b)?);
        let parts = self.importer.parts(ty, self.place)?;
        let (a, b) = (self.operands(&a)?, self.operands(&b)?);
        let regs = self.result_regs(result)?;
        let done = self.new_label()?;
        // A register that is also a source is not written before the branch.
        for ((part, &reg), a) in parts.iter().zip(&regs).zip(a) {
            self.emit(move_code(part.kind), (reg, a))?;
        }
        self.branch_if(condition, true, done)?;
        for ((part, &reg), b) in parts.iter().zip(&regs).zip(b) {
            self.emit(move_code(part.kind), (reg, b))?;
        }
        self.place_label(done)
    }

    pub(super) fn operands(&mut self, held: &[Held]) -> Result<Vec<Operand>> {
        held.iter().map(|&held| self.operand(held)).collect()
    }

    /// Converts between a floating value and the integer of its bits through memory.
    pub(super) fn through_memory(
        &mut self,
        from: (MediumType, Code, Operand),
        to: (MediumType, Code, Reg),
    ) -> Result<()> {
        let place = self.scratch()?;
        self.emit(from.1, (Operand::Mem(Mem::new(from.0, 0, place)), from.2))?;
        self.emit(to.1, (to.2, Mem::new(to.0, 0, place)))
    }
}

/// Returns a part from an operand that is an integer.
pub(super) const fn held_of(operand: Operand) -> Held {
    match operand {
        Operand::Reg(reg) => Held::Reg(reg),
        Operand::Int(value) => Held::Int(value),
        Operand::Item(item) => Held::Item(item, 0),
        other => Held::Constant(other),
    }
}
