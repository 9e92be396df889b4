//! Instructions with their operands, and the values of data (docs/reference/text.md).

use super::lexer::{Fault, Suffix, Token};
use super::parser::{Mention, Parser};
use super::symbols::Word;
use crate::ir::{Code, FuncId, Mem, Mode, Module, Operand, Problem, Reg, Type};
use crate::mem::Entity;
use crate::num::{Category, LongDouble, LongDoubleFormat, parse_f32, parse_f64, parse_long_double};

impl<'m> Parser<'_, '_, 'm> {
    /// Reads the operands of an instruction and adds it to its function. `word` is its name.
    pub(super) fn insn(
        &mut self,
        module: &mut Module<'m>,
        func: FuncId,
        code: Code,
        word: Mention,
    ) -> Result<(), Fault> {
        let mark = module.operand_mark();
        let mut index = 0;
        let mut more = !self.at_statement_end();
        while more {
            match code.mode(index) {
                Mode::Label => self.target(module, func)?,
                _ => self.operand(module, code)?,
            }
            index += 1;
            more = self.more()?;
        }
        self.about(word, module.append_pushed(func, code, mark))
            .map(|_| ())
    }

    /// Reads a label that an instruction of `func` mentions; it must be in that function.
    fn target(&mut self, module: &mut Module<'m>, func: FuncId) -> Result<(), Fault> {
        let mention = self.take_name(Problem::ExpectedLabel)?;
        let label = self.label(module, mention)?;
        match module.label_func(label) {
            Some(its) if its == func => {}
            Some(_) => return Err(self.fault_at(mention, Problem::LabelOfOtherFunction)),
            None => {
                if let Some(pending_in) = self.pending_in.get_mut(label.index())
                    && *pending_in != Some(func)
                {
                    *pending_in = Some(func);
                    self.pending.push((label, mention))?;
                }
            }
        }
        self.push(module, Operand::Label(label))
    }

    #[inline(never)]
    fn push(&self, module: &mut Module<'m>, operand: Operand) -> Result<(), Fault> {
        self.push_inlined(module, operand)
    }

    /// Adds an operand as `push` does, where its form is known.
    #[inline(always)]
    fn push_inlined(&self, module: &mut Module<'m>, operand: Operand) -> Result<(), Fault> {
        let pushed = module.push_operand(operand);
        pushed.map_err(|error| self.lexer.here(error.problem))
    }

    fn operand(&mut self, module: &mut Module<'m>, code: Code) -> Result<(), Fault> {
        match self.token {
            Token::Name(symbol) => {
                let start = self.lexer.start();
                let mention = Mention { symbol, start };
                self.bump_to_punctuation();
                if self.token == Token::Colon {
                    return self.memory(module, mention, code);
                }
                match self.lexer.symbols.reg(symbol) {
                    Some(reg) => self.push_inlined(module, Operand::Reg(reg)),
                    None => self.item_operand(module, mention),
                }
            }
            Token::Int => {
                let value = self.lexer.int();
                self.bump_to_punctuation();
                self.push_inlined(module, Operand::Int(value))
            }
            _ => self.other_operand(module),
        }
    }

    /// Reads an operand that begins neither with a name nor with an integer.
    fn other_operand(&mut self, module: &mut Module<'m>) -> Result<(), Fault> {
        let operand = match self.token {
            Token::Str => {
                let string = module.add_str(self.lexer.string());
                Operand::Str(string.map_err(|error| self.lexer.here(error.problem))?)
            }
            Token::Real(suffix) => self.real(suffix)?,
            Token::SignedName(..) => {
                let value = self.special()?;
                return self.push(module, value);
            }
            _ => return self.unexpected(Problem::ExpectedOperand),
        };
        self.bump();
        self.push(module, operand)
    }

    /// Adds an operand for a name that is no register: an item, or one of the words for infinity
    /// and NaN.
    fn item_operand(&mut self, module: &mut Module<'m>, mention: Mention) -> Result<(), Fault> {
        if let Some(item) = self.find_item(module, mention) {
            return self.push(module, Operand::Item(item));
        }
        match self.special_value(mention, false)? {
            Some(value) => self.push(module, value),
            None => Err(self.fault_at(mention, Problem::UndeclaredName)),
        }
    }

    // ---- floating values

    fn real(&mut self, suffix: Suffix) -> Result<Operand, Fault> {
        let long_double = self.long_double;
        let text = self.lexer.real_text()?;
        let value = match suffix {
            Suffix::Float => parse_f32(text).map(Operand::Float),
            Suffix::Double => parse_f64(text).map(Operand::Double),
            Suffix::LongDouble => parse_long_double(long_double, text)
                .map(|LongDouble(bits)| Operand::LongDouble(bits)),
        };
        match value {
            Some(value) => Ok(value),
            None => self.unexpected(Problem::ExpectedOperand),
        }
    }

    /// Reads a sign and a word for infinity or NaN.
    fn special(&mut self) -> Result<Operand, Fault> {
        let Token::SignedName(negative, symbol) = self.token else {
            return self.unexpected(Problem::ExpectedOperand);
        };
        let fault = self.lexer.here(Problem::NumberAfterSign);
        let start = self.lexer.start();
        self.bump();
        self.special_value(Mention { symbol, start }, negative)?
            .ok_or(fault)
    }

    /// Returns the value of a word for infinity or NaN: those that the reference implementation
    /// prints, and `nan(0xBITS)`.
    fn special_value(
        &mut self,
        mention: Mention,
        negative: bool,
    ) -> Result<Option<Operand>, Fault> {
        let (text, suffix) = match self.text(mention) {
            [text @ .., b'f'] if text != b"in" => (text, Suffix::Float),
            [text @ .., b'l' | b'L'] => (text, Suffix::LongDouble),
            text => (text, Suffix::Double),
        };
        let long_double = self.long_double;
        let value = match text {
            b"nan" if self.token == Token::Open => return self.nan(mention).map(Some),
            b"nan" => special(long_double, suffix, f64::NAN, negative),
            b"inf" => special(long_double, suffix, f64::INFINITY, negative),
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Reads `nan(0xBITS)` with its suffix, from the parenthesis on: all bits of the value, the
    /// sign included.
    fn nan(&mut self, mention: Mention) -> Result<Operand, Fault> {
        let (bits, suffix) = self.lexer.nan_bits()?;
        let long_double = self.long_double;
        let value = match suffix {
            Suffix::Float => u32::try_from(bits)
                .ok()
                .map(f32::from_bits)
                .filter(|value| value.is_nan())
                .map(Operand::Float),
            Suffix::Double => u64::try_from(bits)
                .ok()
                .map(f64::from_bits)
                .filter(|value| value.is_nan())
                .map(Operand::Double),
            Suffix::LongDouble => (long_double.category(LongDouble(bits)) == Category::Nan)
                .then_some(Operand::LongDouble(bits)),
        };
        let value = value.ok_or_else(|| self.fault_at(mention, Problem::NanBits))?;
        self.bump();
        Ok(value)
    }

    // ---- memory

    /// Reads a memory operand after its type, which is a name with a colon.
    fn memory(&mut self, module: &mut Module<'m>, word: Mention, code: Code) -> Result<(), Fault> {
        let Word::Type(ty) = self.lexer.symbols.word(word.symbol) else {
            return Err(self.fault_at(word, Problem::UnknownType));
        };
        if ty.is_block() && !code.is_call() {
            return Err(self.fault_at(word, Problem::BlockOutsideCall));
        }
        self.bump();
        let null = Mem::at(ty, 0, None);
        let (mut mem, mut has_address) = (null, true);
        match self.token {
            Token::Int => {
                mem.disp = self.lexer.int();
                self.bump();
            }
            Token::Open => {}
            Token::Name(_) => {
                self.lexer.warn(Problem::NameAsDisplacement);
                self.bump();
                has_address = false;
            }
            _ => return self.unexpected(Problem::ExpectedAddress),
        }
        if self.token == Token::Open {
            self.bump_to_name();
            self.address(&mut mem)?;
        }
        if !has_address {
            // The base of a name is left out with it: no access of such an operand may succeed.
            mem = null;
        }
        if self.token == Token::Colon {
            self.aliases(module, &mut mem)?;
        }
        self.push(module, Operand::Mem(mem))
    }

    /// Reads `[BASE] [, INDEX [, SCALE]])`.
    fn address(&mut self, mem: &mut Mem) -> Result<(), Fault> {
        if let Token::Name(_) = self.token {
            mem.base = Some(self.register()?);
        }
        if self.token == Token::Comma {
            self.bump();
            mem.index = Some(self.register()?);
            if self.token == Token::Comma {
                self.bump();
                let (Token::Int, Ok(scale)) = (self.token, u8::try_from(self.lexer.int())) else {
                    return self.unexpected(Problem::Scale);
                };
                mem.scale = scale;
                self.bump();
            }
        }
        if self.token != Token::Close {
            return self.unexpected(Problem::ExpectedClose);
        }
        self.bump_to_punctuation();
        Ok(())
    }

    fn register(&mut self) -> Result<Reg, Fault> {
        let mention = self.take_name(Problem::ExpectedRegister)?;
        let reg = self.lexer.symbols.reg(mention.symbol);
        reg.ok_or_else(|| self.fault_at(mention, Problem::UndeclaredReg))
    }

    /// Reads `:ALIAS`, `:ALIAS:NONALIAS` or `::NONALIAS`.
    fn aliases(&mut self, module: &mut Module<'m>, mem: &mut Mem) -> Result<(), Fault> {
        self.bump();
        if self.token != Token::Colon {
            let alias = self.take_name(Problem::ExpectedAlias)?;
            mem.alias = Some(self.name(module, alias)?);
        }
        if self.token == Token::Colon {
            self.bump();
            let nonalias = self.take_name(Problem::ExpectedAlias)?;
            mem.nonalias = Some(self.name(module, nonalias)?);
        }
        Ok(())
    }

    // ---- data

    /// Reads one element of a data item of type `ty`.
    pub(super) fn data_value(&mut self, ty: Type) -> Result<(), Fault> {
        let start = self.lexer.start();
        let fault = |parser: &Self| Fault {
            problem: Problem::DataValue,
            start,
            len: parser.lexer.end_of_previous() - start,
        };
        let value = match self.token {
            Token::Int => {
                let value = self.lexer.int();
                self.bump_to_punctuation();
                Operand::Int(value)
            }
            Token::Real(suffix) => {
                let value = self.real(suffix)?;
                self.bump();
                value
            }
            Token::SignedName(..) => self.special()?,
            Token::Name(symbol) => {
                self.bump();
                let value = self.special_value(Mention { symbol, start }, false)?;
                value.ok_or_else(|| fault(self))?
            }
            _ => return self.unexpected(Problem::DataValue),
        };
        match self.push_element(ty, value)? {
            true => Ok(()),
            false => Err(fault(self)),
        }
    }

    /// Adds an element in little-endian order; returns whether the value is of the type.
    fn push_element(&mut self, ty: Type, value: Operand) -> Result<bool, Fault> {
        let long_is_double = self.long_double == LongDoubleFormat::Double;
        match (ty, value) {
            (Type::F, Operand::Float(value)) => self.data.extend_from_slice(&value.to_le_bytes()),
            (Type::D, Operand::Double(value)) => self.data.extend_from_slice(&value.to_le_bytes()),
            (Type::D, Operand::LongDouble(bits)) if long_is_double => {
                self.data.extend_from_slice(&(bits as u64).to_le_bytes())
            }
            (Type::Ld, Operand::LongDouble(bits)) => {
                self.data.extend_from_slice(&bits.to_le_bytes())
            }
            (Type::Ld, Operand::Double(value)) if long_is_double => {
                let bits = u128::from(value.to_bits());
                self.data.extend_from_slice(&bits.to_le_bytes())
            }
            (_, Operand::Int(value)) if ty.is_int() => {
                let bytes = value.to_le_bytes();
                self.data.extend_from_first(&bytes, ty.size() as usize)
            }
            _ => return Ok(false),
        }?;
        Ok(true)
    }
}

/// Returns an infinity or NaN of the type that a suffix denotes. The sign is set last, as
/// conversions need not keep that of a NaN.
fn special(long_double: LongDoubleFormat, suffix: Suffix, value: f64, negative: bool) -> Operand {
    let single = if negative {
        -(value as f32)
    } else {
        value as f32
    };
    let value = if negative { -value } else { value };
    match suffix {
        Suffix::Float => Operand::Float(single),
        Suffix::Double => Operand::Double(value),
        Suffix::LongDouble => Operand::LongDouble(long_double.from_f64(value).0),
    }
}
