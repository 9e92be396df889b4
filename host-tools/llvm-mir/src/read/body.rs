//! Reads the blocks of a function's body.

use super::error::{Result, fault, lossy};
use super::lexer::{Kind, Lexer, Token};
use super::state::State;
use crate::model::{Block, BlockAttributes, IrBlock, Register, Section, Successor};

/// A parser over the tokens of one function.
pub(super) struct Parser<'a, 's> {
    pub(super) state: &'s mut State<'a>,
    pub(super) lexer: Lexer<'a>,
    pub(super) token: Token,
}

impl<'a, 's> Parser<'a, 's> {
    /// Returns a parser at the first token of the range `start..end` of the input.
    pub(super) fn new(
        state: &'s mut State<'a>,
        input: &'a [u8],
        start: usize,
        end: usize,
    ) -> Result<Parser<'a, 's>> {
        let lexer = Lexer {
            input,
            at: start,
            end,
        };
        let mut parser = Parser {
            state,
            lexer,
            token: Token::none(start),
        };
        parser.bump()?;
        Ok(parser)
    }

    /// Advances to the next token; returns the one before.
    pub(super) fn bump(&mut self) -> Result<Token> {
        let token = self.token;
        self.token = self.lexer.next()?;
        Ok(token)
    }

    pub(super) fn raw(&self, token: Token) -> &'a [u8] {
        token.raw(self.lexer.input)
    }

    pub(super) fn text(&self, token: Token) -> Vec<u8> {
        token.name(self.lexer.input)
    }

    pub(super) fn is(&self, punctuation: u8) -> bool {
        self.token.kind == Kind::Punctuation(punctuation)
    }

    /// Takes a punctuation mark if it is there.
    pub(super) fn take(&mut self, punctuation: u8) -> Result<bool> {
        let there = self.is(punctuation);
        if there {
            self.bump()?;
        }
        Ok(there)
    }

    pub(super) fn expect(&mut self, punctuation: u8) -> Result<()> {
        if self.take(punctuation)? {
            return Ok(());
        }
        fault(
            self.token.start,
            format!("expected '{}'", char::from(punctuation)),
        )
    }

    /// Returns the current word, or nothing if the token is no word.
    pub(super) fn word(&self) -> &'a [u8] {
        if self.token.kind == Kind::Word {
            self.raw(self.token)
        } else {
            b""
        }
    }

    /// Takes a word if it is there.
    pub(super) fn take_word(&mut self, word: &[u8]) -> Result<bool> {
        let there = self.token.kind == Kind::Word && self.word() == word;
        if there {
            self.bump()?;
        }
        Ok(there)
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        fault(self.token.start, message)
    }

    /// Reads an unsigned number of 32 bits.
    pub(super) fn unsigned(&mut self, what: &str) -> Result<u32> {
        let number = match self.token.kind {
            Kind::Integer => parse_integer(self.raw(self.token)),
            Kind::Hexadecimal => parse_hex(self.raw(self.token)),
            _ => return self.fail(what),
        };
        let Some(number) = number.and_then(|number| u32::try_from(number).ok()) else {
            return self.fail("expected 32-bit integer (too large)");
        };
        self.bump()?;
        Ok(number)
    }

    /// Reads an unsigned number of 64 bits.
    pub(super) fn unsigned64(&mut self, what: &str) -> Result<u64> {
        let number = match self.token.kind {
            Kind::Integer => parse_integer(self.raw(self.token)),
            Kind::Hexadecimal => parse_hex(self.raw(self.token)),
            _ => return self.fail(what),
        };
        let Some(number) = number.and_then(|number| u64::try_from(number).ok()) else {
            return self.fail("expected 64-bit integer (too large)");
        };
        self.bump()?;
        Ok(number)
    }

    fn skip_newlines(&mut self) -> Result<()> {
        while self.token.kind == Kind::Newline {
            self.bump()?;
        }
        Ok(())
    }

    /// Assigns the blocks their indices, in the order of the text.
    pub(super) fn find_blocks(&mut self, start: usize, end: usize) -> Result<()> {
        let input = self.lexer.input;
        let mut at = start;
        for line in input[start..end].split_inclusive(|&byte| byte == b'\n') {
            let blanks = line.iter().take_while(|byte| b" \t".contains(byte)).count();
            if line[blanks..].starts_with(b"bb.") {
                let mut lexer = Lexer {
                    input,
                    at: at + blanks,
                    end,
                };
                let token = lexer.next()?;
                if let Kind::Label(number) = token.kind {
                    let index = self.state.blocks.len() as u32;
                    if self.state.blocks.insert(number, index).is_some() {
                        let message =
                            format!("redefinition of machine basic block with id #{number}");
                        return fault(token.start, message);
                    }
                    self.state.block_names.push(self.raw(token));
                }
            }
            at += line.len();
        }
        Ok(())
    }

    /// Reads all blocks.
    pub(super) fn blocks(&mut self) -> Result<()> {
        self.skip_newlines()?;
        if self.token.kind == Kind::End {
            return Ok(());
        }
        if !matches!(self.token.kind, Kind::Label(_)) {
            return self.fail("expected a basic block definition before instructions");
        }
        let mut has_list = Vec::with_capacity(self.state.blocks.len());
        while self.token.kind != Kind::End {
            let (block, explicit) = self.block()?;
            self.state.function.blocks.push(block);
            has_list.push(explicit);
        }
        // Labels are found line by line, also in comments.
        if self.state.function.blocks.len() < self.state.blocks.len() {
            return self.fail("the label of a machine basic block is within a comment");
        }
        for (number, explicit) in (0_u32..).zip(has_list) {
            if !explicit {
                let guess = self
                    .state
                    .function
                    .guessed_successors(number, self.state.target);
                if let Some(block) = self.state.function.blocks.get_mut(number as usize) {
                    block.set_even_successors(&guess);
                }
            }
        }
        Ok(())
    }

    /// Reads a block; the second result is whether its successors are written.
    fn block(&mut self) -> Result<(Block, bool)> {
        let mut block = Block::default();
        block.attributes.alignment = 1;
        self.label(&mut block)?;
        let mut explicit = false;
        loop {
            self.skip_newlines()?;
            if self.word() == b"successors" {
                explicit = true;
                self.successors(&mut block)?;
            } else if self.word() == b"liveins" {
                self.live_ins(&mut block)?;
            } else {
                break;
            }
        }
        self.instructions(&mut block)?;
        Ok((block, explicit))
    }

    fn instructions(&mut self, block: &mut Block) -> Result<()> {
        let (mut in_bundle, mut after_header) = (false, false);
        loop {
            match self.token.kind {
                Kind::Newline => {
                    self.bump()?;
                }
                Kind::End | Kind::Label(_) if in_bundle => return self.fail("expected '}'"),
                Kind::End | Kind::Label(_) => return Ok(()),
                Kind::Punctuation(b'}') if in_bundle => {
                    self.bump()?;
                    (in_bundle, after_header) = (false, false);
                    self.end_of_line()?;
                }
                Kind::Punctuation(b'}') => return self.fail("extraneous closing brace ('}')"),
                _ => {
                    let mut insn = self.instruction()?;
                    insn.in_bundle = after_header;
                    block.instructions.push(insn);
                    after_header = in_bundle;
                    if self.is(b'{') {
                        if in_bundle {
                            return self.fail("nested instruction bundles are not allowed");
                        }
                        self.bump()?;
                        (in_bundle, after_header) = (true, true);
                    }
                    self.end_of_line()?;
                }
            }
        }
    }

    fn end_of_line(&mut self) -> Result<()> {
        match self.token.kind {
            Kind::Newline | Kind::End => Ok(()),
            _ => self.fail("expected newline at the end of the machine instruction"),
        }
    }

    fn label(&mut self, block: &mut Block) -> Result<()> {
        let token = self.bump()?;
        let name = self.raw(token);
        if !name.is_empty() {
            if !self.state.ir.is_some_and(|ir| ir.has_block(name)) {
                let message = format!(
                    "basic block '{}' is not defined in the function '{}'",
                    lossy(name),
                    self.state.function.name
                );
                return fault(token.start, message);
            }
            block.ir = Some(IrBlock::Named(name.into()));
        }
        if self.take(b'(')? {
            loop {
                self.attribute(block)?;
                if !self.take(b',')? {
                    break;
                }
            }
            self.expect(b')')?;
        }
        self.expect(b':')
    }

    fn attribute(&mut self, block: &mut Block) -> Result<()> {
        let attributes: &mut BlockAttributes = &mut block.attributes;
        if matches!(self.token.kind, Kind::IrBlock(_) | Kind::NamedIrBlock) {
            block.ir = Some(self.ir_block()?);
            return Ok(());
        }
        match self.word() {
            b"machine-block-address-taken" => attributes.machine_address_taken = true,
            b"landing-pad" => attributes.is_landing_pad = true,
            b"inlineasm-br-indirect-target" => attributes.is_inline_asm_target = true,
            b"ehfunclet-entry" => attributes.is_funclet_entry = true,
            b"ehscope-entry" => attributes.is_scope_entry = true,
            b"ir-block-address-taken" => {
                self.bump()?;
                attributes.ir_address_taken = Some(self.ir_block()?);
                return Ok(());
            }
            b"align" => {
                self.bump()?;
                attributes.alignment = self.power_of_two("align")?;
                return Ok(());
            }
            b"bbsections" => {
                self.bump()?;
                attributes.section = self.section()?;
                return Ok(());
            }
            b"bb_id" => {
                self.bump()?;
                self.unsigned("expected an integer")?;
                if self.token.kind == Kind::Integer {
                    self.bump()?;
                }
                return Ok(());
            }
            b"call-frame-size" => {
                self.bump()?;
                attributes.call_frame_size = self.unsigned("expected call frame size")?;
                return Ok(());
            }
            _ => return Ok(()),
        }
        self.bump()?;
        Ok(())
    }

    fn section(&mut self) -> Result<Section> {
        let section = match self.word() {
            b"Exception" => Section::Exception,
            b"Cold" => Section::Cold,
            _ => return Ok(Section::Number(self.unsigned("expected Section ID")?)),
        };
        self.bump()?;
        Ok(section)
    }

    /// Reads the number after `align` and the like.
    pub(super) fn power_of_two(&mut self, word: &str) -> Result<u64> {
        let at = self.token.start;
        let value = match self.token.kind {
            Kind::Integer if !self.raw(self.token).starts_with(b"-") => {
                self.unsigned64("expected an integer literal")?
            }
            _ => return fault(at, format!("expected an integer literal after '{word}'")),
        };
        if !value.is_power_of_two() {
            return fault(at, format!("expected a power-of-2 literal after '{word}'"));
        }
        Ok(value)
    }

    /// Reads a reference to a block of the IR function: `%ir-block.…`.
    pub(super) fn ir_block(&mut self) -> Result<IrBlock> {
        let token = self.token;
        let block = match token.kind {
            Kind::IrBlock(number) => IrBlock::Number(number),
            Kind::NamedIrBlock => IrBlock::Named(self.text(token).into()),
            _ => return self.fail("expected an IR block reference"),
        };
        self.bump()?;
        Ok(block)
    }

    /// Reads the index of a block that is referred to.
    pub(super) fn block_reference(&mut self) -> Result<u32> {
        let token = self.token;
        let Kind::Block(number) = token.kind else {
            return self.fail("expected a machine basic block reference");
        };
        let Some(&index) = self.state.blocks.get(&number) else {
            return self.fail(format!("use of undefined machine basic block #{number}"));
        };
        let name = self.raw(token);
        let known = self
            .state
            .block_names
            .get(index as usize)
            .copied()
            .unwrap_or(b"");
        if !name.is_empty() && name != known {
            let name = lossy(name);
            let message = format!("the name of machine basic block #{number} isn't '{name}'");
            return self.fail(message);
        }
        self.bump()?;
        Ok(index)
    }

    /// Reads a list of successors. Each list is scaled with those before it, as LLVM does.
    fn successors(&mut self, into: &mut Block) -> Result<()> {
        let known = into.successors.iter();
        let mut weights: Vec<(u32, Option<u32>)> = known
            .map(|successor| (successor.block, Some(successor.probability)))
            .collect();
        self.bump()?;
        self.expect(b':')?;
        if self.token.kind == Kind::Newline {
            return Ok(());
        }
        loop {
            let block = self.block_reference()?;
            let mut weight = None;
            if self.take(b'(')? {
                weight = Some(self.unsigned("expected an integer literal after '('")?);
                self.expect(b')')?;
            }
            weights.push((block, weight));
            if !self.take(b',')? {
                break;
            }
        }
        into.successors = scaled(&weights);
        self.list_end("basic block successors")
    }

    fn list_end(&mut self, what: &str) -> Result<()> {
        match self.token.kind {
            Kind::Newline | Kind::End => Ok(()),
            _ => self.fail(format!(
                "expected line break at the end of a list of {what}"
            )),
        }
    }

    fn live_ins(&mut self, block: &mut Block) -> Result<()> {
        self.bump()?;
        self.expect(b':')?;
        if self.token.kind == Kind::Newline {
            return Ok(());
        }
        loop {
            if self.token.kind != Kind::Physical {
                return self.fail("expected a named register");
            }
            let token = self.token;
            let register = self.state.physical(self.raw(token), token.start)?;
            self.bump()?;
            let mut lanes = Block::ALL_LANES;
            if self.take(b':')? {
                if !matches!(self.token.kind, Kind::Integer | Kind::Hexadecimal) {
                    return self.fail("expected a lane mask");
                }
                lanes = self.unsigned64("expected a lane mask")?;
            }
            if register != Register::NONE {
                block.live_ins.push((register, lanes));
            }
            if !self.take(b',')? {
                break;
            }
        }
        self.list_end("liveins")
    }
}

/// Returns the probabilities that weights stand for: numerators over 2³¹.
fn scaled(weights: &[(u32, Option<u32>)]) -> Vec<Successor> {
    let sum: u64 = weights
        .iter()
        .map(|(_, weight)| u64::from(weight.unwrap_or(0)))
        .sum();
    let count = (weights.len() as u64).max(1);
    let scale = |weight: Option<u32>| {
        let weight = u128::from(weight.unwrap_or(0));
        if sum == 0 {
            ((1_u64 << 31) + count / 2) / count
        } else {
            (((weight << 31) + u128::from(sum / 2)) / u128::from(sum)) as u64
        }
    };
    let successor = |&(block, weight): &(u32, Option<u32>)| Successor {
        block,
        probability: scale(weight) as u32,
    };
    weights.iter().map(successor).collect()
}

/// Returns the value of an integer token.
pub(super) fn parse_integer(text: &[u8]) -> Option<i128> {
    str::from_utf8(text).ok()?.parse().ok()
}

/// Returns the value of a hexadecimal token.
pub(super) fn parse_hex(text: &[u8]) -> Option<i128> {
    let digits = str::from_utf8(text.get(2..)?).ok()?;
    i128::from_str_radix(digits, 16).ok()
}
