//! Parses functions: headers, blocks, the names of values.

use super::Parser;
use super::lexer::Token;
use super::module::Head;
use crate::ast::{Block, BlockId, Body, DebugRecord, DebugValue, Function, Insn, LocalId, Param};
use crate::error::{Error, Result, SourcePosition};
use crate::numbers::Numbers;
use crate::types::TypeId;
use std::collections::HashMap;

/// The calling conventions that are not C's on any ISA, and their numbers.
const FOREIGN: [(&str, u64); 9] = [
    ("ghccc", 10),
    ("hipecc", 11),
    ("anyregcc", 13),
    ("win64cc", 79),
    ("x86_vectorcallcc", 80),
    ("x86_intrcc", 83),
    ("x86_regcallcc", 92),
    ("aarch64_vector_pcs", 97),
    ("aarch64_sve_vector_pcs", 98),
];

/// The names of a function that is being read.
#[derive(Default)]
pub(super) struct Names {
    pub(super) body: Body,
    locals: Numbers,
    blocks: Numbers,
    /// The position of the first use of each value that is not defined yet.
    uses: HashMap<LocalId, SourcePosition>,
    defined_blocks: Vec<bool>,
    block_uses: Vec<SourcePosition>,
    next_number: u32,
}

impl Names {
    /// Returns the value of a name, which its first mention creates.
    pub(super) fn local(&mut self, name: &str, place: SourcePosition) -> LocalId {
        let id = self.local_named(name);
        if self.body.local_types[id.0 as usize].is_none() {
            self.uses.entry(id).or_insert(place);
        }
        id
    }

    fn local_named(&mut self, name: &str) -> LocalId {
        let (number, is_new) = self.locals.number(&self.body.local_names, name);
        if is_new {
            self.body.local_names.push(name.into());
            self.body.local_types.push(None);
        }
        LocalId(number)
    }

    /// Defines a value; without a name it gets the next number.
    pub(super) fn define(
        &mut self,
        name: Option<String>,
        ty: TypeId,
        place: SourcePosition,
    ) -> Result<LocalId> {
        let name = self.name_or_number(name);
        let id = self.local_named(&name);
        let defined = &mut self.body.local_types[id.0 as usize];
        if defined.replace(ty).is_some() {
            return Err(place.error(format!("%{name} is defined twice")));
        }
        self.uses.remove(&id);
        Ok(id)
    }

    fn name_or_number(&mut self, name: Option<String>) -> String {
        let name = name.unwrap_or_else(|| self.next_number.to_string());
        if let Ok(number) = name.parse::<u32>() {
            self.next_number = number.saturating_add(1);
        }
        name
    }

    pub(super) fn block(&mut self, name: &str, place: SourcePosition) -> BlockId {
        let (number, is_new) = self.blocks.number(&self.body.block_names, name);
        if is_new {
            self.body.blocks.push(Block::default());
            self.body.block_names.push(name.into());
            self.defined_blocks.push(false);
            self.block_uses.push(place);
        }
        BlockId(number)
    }

    fn begin_block(&mut self, name: Option<String>, place: SourcePosition) -> Result<BlockId> {
        let name = self.name_or_number(name);
        let id = self.block(&name, place);
        let defined = &mut self.defined_blocks[id.0 as usize];
        if core::mem::replace(defined, true) {
            return Err(place.error(format!("the block %{name} is defined twice")));
        }
        self.body.order.push(id);
        Ok(id)
    }

    /// Returns what a debug record says: `#dbg_value(i32 %7, !30, !DIExpression(), !33)`. It gives
    /// no known value where an expression computes it.
    fn record(&self, line: u32, text: &[u8]) -> Option<DebugRecord> {
        let text = core::str::from_utf8(text).ok()?.trim_end();
        let text = text.strip_prefix("#dbg_value(")?.strip_suffix(')')?;
        let (before, location) = text.rsplit_once(", !")?;
        let (before, expression) = before.split_once(", !DIExpression(")?;
        let (value, variable) = before.rsplit_once(", !")?;
        let (ty, word) = value.rsplit_once(' ')?;
        let value = match word.strip_prefix('%').filter(|_| expression == ")") {
            Some(name) => (self.locals.known(&self.body.local_names, name))
                .map(|local| DebugValue::Local(LocalId(local))),
            None if expression == ")" => bits_of_constant(ty, word).map(DebugValue::Int),
            None => None,
        };
        Some(DebugRecord {
            line,
            variable: variable.parse().ok()?,
            location: location.parse().ok()?,
            value: value.unwrap_or(DebugValue::Unknown),
        })
    }

    /// Checks that every name that is used is defined.
    fn finish(self) -> Result<Body> {
        if let Some((id, place)) = self.uses.iter().min_by_key(|(id, _)| id.0) {
            let name = &self.body.local_names[id.0 as usize];
            return Err(place.error(format!("%{name} is not defined")));
        }
        if let Some(block) = self.defined_blocks.iter().position(|defined| !defined) {
            let name = &self.body.block_names[block];
            return Err(self.block_uses[block].error(format!("the block %{name} is not defined")));
        }
        Ok(self.body)
    }
}

impl Parser<'_> {
    pub(super) fn declare(&mut self) -> Result<Function> {
        while matches!(self.token(), Token::Metadata(_)) {
            self.advance()?;
            self.metadata()?;
        }
        let mut names = Names::default();
        let function = self.header(&mut names)?;
        // The line may have attributes and more after the arguments.
        self.skip_line()?;
        Ok(function)
    }

    /// Reads a function with its blocks. A function that cannot be read or expressed has none.
    pub(super) fn define(&mut self, skipped: &mut Vec<Error>) -> Result<Function> {
        let mut names = Names::default();
        let mut function = self.header(&mut names)?;
        while !self.is_punctuation(b'{') {
            if *self.token() == Token::End {
                return self.error("expected `{`");
            }
            if self.is_word("prefix") || self.is_word("prologue") {
                return self.error("data before a function cannot be expressed in Medium IR");
            }
            self.advance()?;
        }
        self.lexer.records.clear();
        self.advance()?;
        match self.blocks(&mut names) {
            Ok(()) => match self.with_records(names).finish() {
                Ok(body) => function.body = Some(body),
                Err(error) => skipped.push(in_function(error, &function.name)),
            },
            Err(error) => {
                skipped.push(in_function(error, &function.name));
                self.skip_function()?;
            }
        }
        Ok(function)
    }

    /// Returns the names with the debug records of the function that was read.
    fn with_records(&mut self, mut names: Names) -> Names {
        let records = core::mem::take(&mut self.lexer.records);
        let records = records.into_iter();
        names.body.records = records
            .filter_map(|(line, text)| names.record(line, text))
            .collect();
        names
    }

    fn header(&mut self, names: &mut Names) -> Result<Function> {
        let Head {
            linkage, weakness, ..
        } = self.linkage()?;
        let (is_fast, foreign) = self.calling_convention()?;
        let result_attributes = self.attributes()?;
        let result = self.result_type()?;
        let place = self.place();
        let Token::Global(name) = self.advance()? else {
            return Err(place.error("expected the function's name"));
        };
        self.expect(b'(')?;
        let (mut params, mut vararg) = (Vec::new(), false);
        while !self.accept(b')')? {
            if self.accept(b'.')? {
                vararg = true;
            } else {
                params.push(self.param(names)?);
            }
            if !self.is_punctuation(b')') {
                self.expect(b',')?;
            }
        }
        Ok(Function {
            place,
            name,
            linkage,
            weakness,
            result,
            result_attributes,
            params,
            vararg,
            is_fast,
            behind: None,
            foreign,
            body: None,
        })
    }

    /// Reads `fastcc` or `cc 10`, on which caller and callee agree; returns whether it is `fastcc`,
    /// and the name of one that is not C's.
    pub(super) fn calling_convention(&mut self) -> Result<(bool, Option<&'static str>)> {
        let is_fast = self.is_word("fastcc");
        let mut foreign = None;
        if self.accept_word("cc")? {
            let number = self.unsigned()?;
            let known = FOREIGN.iter().find(|&&(_, other)| other == number);
            foreign = known.map(|&(name, _)| name);
        } else if let Token::Word(word) = self.token()
            && (word.ends_with("cc") || word.ends_with("_pcs"))
        {
            let known = FOREIGN.iter().find(|(name, _)| name == word);
            foreign = known.map(|&(name, _)| name);
            self.advance()?;
        }
        Ok((is_fast, foreign))
    }

    fn param(&mut self, names: &mut Names) -> Result<Param> {
        let ty = self.ty()?;
        let attributes = self.attributes()?;
        let place = self.place();
        let name = if let Token::Local(name) = self.token() {
            let name = name.clone();
            self.advance()?;
            Some(name)
        } else {
            None
        };
        let local = Some(names.define(name, ty, place)?);
        Ok(Param {
            ty,
            attributes,
            local,
        })
    }

    fn blocks(&mut self, names: &mut Names) -> Result<()> {
        loop {
            let place = self.place();
            let label = if let Token::Label(name) = self.token() {
                let name = name.clone();
                self.advance()?;
                Some(name)
            } else {
                None
            };
            let block = names.begin_block(label, place)?;
            self.block(block, names)?;
            while self.is_word("uselistorder") || self.is_word("uselistorder_bb") {
                self.advance()?;
                self.skip_line()?;
            }
            if self.accept(b'}')? {
                return Ok(());
            }
        }
    }

    /// Reads instructions up to the terminator of the block.
    fn block(&mut self, block: BlockId, names: &mut Names) -> Result<()> {
        loop {
            let place = self.place();
            let name = if let Token::Local(name) = self.token() {
                let name = name.clone();
                self.advance()?;
                self.expect(b'=')?;
                Some(name)
            } else {
                None
            };
            let is_invoke = self.is_word("invoke");
            self.promises_no_wrap = false;
            let (mut op, ty) = self.insn(names)?;
            let end = is_invoke.then(|| self.invoked(&mut op, names));
            let end = end.transpose()?;
            self.trailing()?;
            let result = match ty {
                Some(ty) => Some(names.define(name, ty, place)?),
                None if name.is_some() => return Err(place.error("the instruction has no result")),
                None => None,
            };
            if let Some(result) = result.filter(|_| self.promises_no_wrap) {
                names.body.no_signed_wrap.insert(result);
            }
            let ends = op.is_terminator() || is_invoke;
            let insns = &mut names.body.blocks[block.0 as usize].insns;
            insns.push(Insn { place, result, op });
            insns.extend(end.map(|op| Insn {
                place,
                result: None,
                op,
            }));
            if ends {
                return Ok(());
            }
        }
    }
}

/// Returns the bits of a constant of a type; `None` for what is no number.
fn bits_of_constant(ty: &str, word: &str) -> Option<i64> {
    let float = || match word.strip_prefix("0x") {
        Some(bits) => u64::from_str_radix(bits, 16).ok().map(f64::from_bits),
        None => word.parse().ok(),
    };
    match (ty, word) {
        (_, "null" | "false") => Some(0),
        (_, "true") => Some(1),
        ("float", _) => float().map(|value| i64::from((value as f32).to_bits())),
        ("double", _) => float().map(|value| value.to_bits().cast_signed()),
        _ => word.parse().ok(),
    }
}

fn in_function(mut error: Error, function: &str) -> Error {
    error.function = Some(function.into());
    error
}
