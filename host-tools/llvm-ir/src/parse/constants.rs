//! Parses constants.

use super::Parser;
use super::lexer::Token;
use crate::ast::{Binary, Cast, Const, Expression};
use crate::error::{Result, SourcePosition};
use crate::import::Format;
use crate::types::{LONGEST, Type, TypeId};

/// Returns whether a word begins a constant.
pub(super) fn begins_constant(word: &str) -> bool {
    const WORDS: [&str; 18] = [
        "true",
        "false",
        "null",
        "none",
        "undef",
        "poison",
        "zeroinitializer",
        "getelementptr",
        "blockaddress",
        "dso_local_equivalent",
        "no_cfi",
        "splat",
        "asm",
        "ptrauth",
        "metadata",
        "icmp",
        "fcmp",
        "select",
    ];
    WORDS.contains(&word)
        || Binary::from_name(word).is_some()
        || Cast::from_name(word).is_some()
        || word.starts_with("u0x")
        || word.starts_with("s0x")
}

/// Returns the bits of an integer literal.
pub(super) fn integer(digits: &str) -> Option<u128> {
    match digits.strip_prefix('-') {
        Some(digits) => digits.parse::<u128>().ok().map(u128::wrapping_neg),
        None => digits.trim_start_matches('+').parse().ok(),
    }
}

/// Returns the words of `u0x12` or `s0x80` in this width, the least significant first. The highest
/// bit that is set in a number with `s` is its sign, as LLVM reads it.
fn hexadecimal(word: &str, width: u32) -> Option<Vec<u64>> {
    let digits = word.strip_prefix("s0x").or(word.strip_prefix("u0x"))?;
    if digits.is_empty() {
        return None;
    }
    let mut words = vec![0_u64; width.div_ceil(64).min(LONGEST / 64) as usize];
    for digit in digits.chars() {
        let mut carry = u64::from(digit.to_digit(16)?);
        for word in &mut words {
            (*word, carry) = (*word << 4 | carry, *word >> 60);
        }
    }
    if let Some(used) = words
        .iter()
        .rposition(|&word| word != 0)
        .filter(|_| word.starts_with('s'))
    {
        let sign = words[used].leading_zeros();
        words[used] |= u64::MAX.checked_shl(64 - sign).unwrap_or(0);
        words[used + 1..].fill(u64::MAX);
    }
    Some(words)
}

/// Returns the words of an integer literal of this width, the least significant first.
fn words(digits: &str, width: u32) -> Vec<u64> {
    let mut words = vec![0_u64; width.div_ceil(64) as usize];
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            carry += u128::from(*word) * 10;
            *word = carry as u64;
            carry >>= 64;
        }
    }
    if digits.starts_with('-') {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    words
}

impl Parser<'_> {
    pub(super) fn typed_constant(&mut self) -> Result<(TypeId, Const)> {
        let ty = self.ty()?;
        Ok((ty, self.constant(ty)?))
    }

    /// Reads a constant of a type.
    pub(super) fn constant(&mut self, ty: TypeId) -> Result<Const> {
        self.nested(|parser| parser.constant_inside(ty))
    }

    fn constant_inside(&mut self, ty: TypeId) -> Result<Const> {
        let place = self.place();
        match self.advance()? {
            Token::Integer(digits) => match self.types.get(ty) {
                &Type::Int(width @ 129..=LONGEST) => Ok(Const::Long(words(&digits, width))),
                Type::Int(_) => integer(&digits)
                    .map(Const::Int)
                    .ok_or_else(|| place.error("an integer of too many bits")),
                _ => Err(place.error(format!("an integer cannot be a {}", self.types.name(ty)))),
            },
            Token::Float(text) => self.float(ty, &text, place),
            Token::Global(name) => Ok(Const::Global(name)),
            Token::Bytes(bytes) => Ok(Const::Bytes(bytes)),
            Token::Punctuation(b'[') => self.elements(b']'),
            Token::Punctuation(b'{') => self.elements(b'}'),
            Token::Punctuation(b'<') if self.accept(b'{')? => {
                let aggregate = self.elements(b'}')?;
                self.expect(b'>')?;
                Ok(aggregate)
            }
            Token::Punctuation(b'<') => self.elements(b'>'),
            Token::Word(word) => self.constant_word(&word, ty, place),
            _ => Err(place.error(format!(
                "expected a constant of type {}",
                self.types.name(ty)
            ))),
        }
    }

    fn constant_word(&mut self, word: &str, ty: TypeId, place: SourcePosition) -> Result<Const> {
        match word {
            "true" => return Ok(Const::Int(1)),
            "false" => return Ok(Const::Int(0)),
            "null" | "none" | "undef" | "poison" | "zeroinitializer" => return Ok(Const::Zero),
            "getelementptr" => return self.constant_address(ty),
            "blockaddress" => return self.block_address(),
            "dso_local_equivalent" | "no_cfi" => return self.constant_inside(ty),
            "splat" => return self.splat(ty),
            _ => {}
        }
        if let Some(width) = self.types.int_width(ty)
            && let Some(words) = hexadecimal(word, width)
        {
            return Ok(match width {
                129.. => Const::Long(words),
                _ => Const::Int(
                    words
                        .iter()
                        .rev()
                        .fold(0, |value, &word| value << 64 | u128::from(word)),
                ),
            });
        }
        let expression = if let Some(cast) = Cast::from_name(word) {
            while self.accept_word("nsw")? || self.accept_word("nuw")? {}
            self.expect(b'(')?;
            let from = self.typed_constant()?;
            self.expect_word("to")?;
            let to = self.ty()?;
            self.expect(b')')?;
            Expression::Cast { cast, from, to }
        } else if let Some(op) = Binary::from_name(word) {
            while self.is_word("nsw") || self.is_word("nuw") || self.is_word("exact") {
                self.advance()?;
            }
            self.expect(b'(')?;
            let (ty, a) = self.typed_constant()?;
            self.expect(b',')?;
            let (_, b) = self.typed_constant()?;
            self.expect(b')')?;
            Expression::Binary { op, ty, a, b }
        } else if word == "icmp" || word == "fcmp" {
            self.constant_comparison(word == "icmp")?
        } else if word == "select" {
            self.constant_selection()?
        } else {
            return Err(place.error(format!("`{word}` is no constant that can be expressed")));
        };
        Ok(Const::Expression(Box::new(expression)))
    }

    fn constant_comparison(&mut self, is_int: bool) -> Result<Expression> {
        let predicate = self.predicate(is_int)?;
        self.expect(b'(')?;
        let (ty, a) = self.typed_constant()?;
        self.expect(b',')?;
        let (_, b) = self.typed_constant()?;
        self.expect(b')')?;
        let bit = self.types.add(Type::Int(1));
        Ok(Expression::Compare {
            predicate,
            bit,
            ty,
            a,
            b,
        })
    }

    fn constant_selection(&mut self) -> Result<Expression> {
        self.expect(b'(')?;
        let (bit, condition) = self.typed_constant()?;
        self.expect(b',')?;
        let (ty, a) = self.typed_constant()?;
        self.expect(b',')?;
        let (_, b) = self.typed_constant()?;
        self.expect(b')')?;
        Ok(Expression::Select {
            condition,
            bit,
            ty,
            a,
            b,
        })
    }

    fn splat(&mut self, ty: TypeId) -> Result<Const> {
        let place = self.place();
        self.expect(b'(')?;
        let element = self.typed_constant()?;
        self.expect(b')')?;
        match self.types.count(ty).filter(|&count| count <= 1 << 10) {
            Some(count) => Ok(Const::Aggregate(vec![element; count as usize])),
            None => Err(place.error("a splat of this type cannot be expressed in Medium IR")),
        }
    }

    fn elements(&mut self, end: u8) -> Result<Const> {
        let mut elements = Vec::new();
        while !self.accept(end)? {
            elements.push(self.typed_constant()?);
            if !self.is_punctuation(end) {
                self.expect(b',')?;
            }
        }
        Ok(Const::Aggregate(elements))
    }

    fn constant_address(&mut self, ty: TypeId) -> Result<Const> {
        self.address_flags()?;
        self.expect(b'(')?;
        let element = self.ty()?;
        let mut operands = Vec::new();
        while self.accept(b',')? {
            self.accept_word("inrange")?;
            operands.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        Ok(Const::Expression(Box::new(Expression::Address {
            ty,
            element,
            operands,
        })))
    }

    /// Skips `inbounds`, `nuw`, `inrange(-8, 16)`: promises that change no result.
    pub(super) fn address_flags(&mut self) -> Result<()> {
        while self.is_word("inbounds")
            || self.is_word("nuw")
            || self.is_word("nusw")
            || self.is_word("inrange")
        {
            let has_range = self.is_word("inrange");
            self.advance()?;
            if has_range {
                self.skip_group()?;
            }
        }
        Ok(())
    }

    fn block_address(&mut self) -> Result<Const> {
        self.expect(b'(')?;
        let place = self.place();
        let Token::Global(function) = self.advance()? else {
            return Err(place.error("expected a function"));
        };
        self.expect(b',')?;
        let place = self.place();
        let Token::Local(block) = self.advance()? else {
            return Err(place.error("expected a block"));
        };
        self.expect(b')')?;
        Ok(Const::BlockAddress(function, block))
    }

    fn float(&self, ty: TypeId, text: &str, place: SourcePosition) -> Result<Const> {
        let wrong = || match self.types.get(ty) {
            Type::Other(name) => place.error(format!(
                "the type {name} cannot be expressed in Medium IR: `{text}`"
            )),
            _ => place.error(format!("`{text}` is no {}", self.types.name(ty))),
        };
        let bits = |digits: &str| u128::from_str_radix(digits, 16).map_err(|_| wrong());
        match (self.types.get(ty), text.strip_prefix("0x")) {
            (Type::Float | Type::Double, None) => {
                let value: f64 = text.parse().map_err(|_| wrong())?;
                Ok(Const::Double(value.to_bits()))
            }
            (Type::Float | Type::Double, Some(digits)) => u64::try_from(bits(digits)?)
                .map(Const::Double)
                .map_err(|_| wrong()),
            (short @ (Type::Half | Type::BFloat), None) => {
                let format = Format::of(short).ok_or_else(wrong)?;
                let value: f64 = text.parse().map_err(|_| wrong())?;
                Ok(Const::Int(format.rounded(value.to_bits()).into()))
            }
            (Type::Half, Some(digits)) => {
                let digits = digits.strip_prefix('H').ok_or_else(wrong)?;
                Ok(Const::Int(bits(digits)? & 0xffff))
            }
            (Type::BFloat, Some(digits)) => {
                let digits = digits.strip_prefix('R').ok_or_else(wrong)?;
                Ok(Const::Int(bits(digits)? & 0xffff))
            }
            (Type::X86Fp80, Some(digits)) => {
                let digits = digits.strip_prefix('K').ok_or_else(wrong)?;
                Ok(Const::LongDouble(bits(digits)?))
            }
            // Both halves are written most significant digit first, but the low half comes first.
            (Type::Fp128, Some(digits)) => {
                let digits = digits.strip_prefix('L').ok_or_else(wrong)?;
                Ok(Const::LongDouble(bits(digits)?.rotate_left(64)))
            }
            (Type::PpcFp128, Some(digits)) => {
                let digits = digits.strip_prefix('M').ok_or_else(wrong)?;
                Ok(Const::LongDouble(bits(digits)?.rotate_left(64)))
            }
            _ => Err(wrong()),
        }
    }
}
