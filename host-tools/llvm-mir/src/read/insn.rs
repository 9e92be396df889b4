//! Reads instructions.

use super::body::Parser;
use super::constant;
use super::error::{Result, fault, lossy};
use super::lexer::{Kind, Token};
use crate::model::{
    Global, InsnFlags, Instruction, Metadata, Operand, OperandFlags, OperandKind, Position,
    Register, RegisterKind, RegisterOperand, SubIndex, Trailers,
};
use crate::target::Opcode;
use std::collections::HashSet;

/// Words that begin the parts after the operands.
const TRAILERS: [&[u8]; 9] = [
    b"pre-instr-symbol",
    b"post-instr-symbol",
    b"heap-alloc-marker",
    b"pcsections",
    b"cfi-type",
    b"deactivation-symbol",
    b"debug-instr-number",
    b"debug-location",
    b"mmra",
];

/// A register operand with its position and tie as written.
struct Written {
    operand: Operand,
    /// The tie that is written.
    tie: Option<u32>,
    start: usize,
    end: usize,
}

impl Parser<'_, '_> {
    /// Reads an instruction up to the end of its line or an opening brace.
    pub(super) fn instruction(&mut self) -> Result<Instruction> {
        let position = Position::of(self.token.start);
        let mut written: Vec<Written> = Vec::new();
        if self.is_register_start() {
            loop {
                let operand = self.register_operand(true)?;
                written.push(operand);
                if !self.take(b',')? {
                    break;
                }
            }
            if !self.is(b'=') {
                return self.fail("expected '='");
            }
            self.bump()?;
        }
        let mut flags = InsnFlags::default();
        while let Some(flag) = self.state.words.insn_flags.get(self.word()) {
            flags = flags.with(*flag);
            self.bump()?;
        }
        let opcode = self.opcode()?;
        self.operands(opcode, &mut written)?;
        let mut insn = Instruction::new(opcode);
        insn.position = position;
        insn.flags = flags;
        insn.trailers = self.trailers()?;
        if self.token.kind == Kind::DoubleColon {
            self.bump()?;
            loop {
                let memory = self.memory_operand()?;
                insn.memory.push(memory);
                if !self.take(b',')? {
                    break;
                }
            }
        }
        self.check_implicit(opcode, &written)?;
        self.tie(&mut written)?;
        insn.operands = written.into_iter().map(|written| written.operand).collect();
        insn.tie_operands(self.state.target);
        Ok(insn)
    }

    fn is_register_start(&self) -> bool {
        match self.token.kind {
            Kind::Virtual(_) | Kind::NamedVirtual | Kind::Physical => true,
            Kind::Word => self.state.words.operand_flags.contains_key(self.word()),
            _ => false,
        }
    }

    fn opcode(&mut self) -> Result<Opcode> {
        if self.token.kind != Kind::Word {
            return self.fail("expected a machine instruction");
        }
        let name = self.word();
        let Some(opcode) = self.state.target.opcode(name) else {
            return self.fail(format!(
                "unknown machine instruction name '{}'",
                lossy(name)
            ));
        };
        self.bump()?;
        Ok(opcode)
    }

    fn operands(&mut self, opcode: Opcode, written: &mut Vec<Written>) -> Result<()> {
        let ends = |parser: &Self| match parser.token.kind {
            Kind::Newline | Kind::End | Kind::DoubleColon | Kind::Punctuation(b'{') => true,
            Kind::Word => TRAILERS.contains(&parser.word()),
            _ => false,
        };
        while !ends(self) {
            let start = self.token.start;
            let operand = if self.is_register_start() {
                self.register_operand(false)?
            } else {
                let operand = self.operand(opcode)?;
                Written {
                    operand,
                    tie: None,
                    start,
                    end: self.token.start,
                }
            };
            written.push(operand);
            if matches!(
                self.token.kind,
                Kind::Newline | Kind::End | Kind::DoubleColon | Kind::Punctuation(b'{')
            ) {
                break;
            }
            if !self.take(b',')? {
                return self.fail("expected ',' before the next machine operand");
            }
        }
        Ok(())
    }

    /// Reads the flags before a register.
    fn register_flags(&mut self, is_def: bool) -> Result<OperandFlags> {
        let mut flags = if is_def {
            OperandFlags::DEF
        } else {
            OperandFlags::NONE
        };
        while let Some(&flag) = self.state.words.operand_flags.get(self.word()) {
            if flags.contains(flag) {
                let word = lossy(self.word());
                return self.fail(format!("duplicate '{word}' register flag"));
            }
            flags = flags.with(flag);
            self.bump()?;
        }
        Ok(flags)
    }

    fn register_operand(&mut self, is_def: bool) -> Result<Written> {
        let start = self.token.start;
        let flags = self.register_flags(is_def)?;
        if !matches!(
            self.token.kind,
            Kind::Virtual(_) | Kind::NamedVirtual | Kind::Physical
        ) {
            return self.fail("expected a register after register flags");
        }
        let register = self.register()?;
        let mut operand = RegisterOperand {
            register,
            flags,
            sub: SubIndex::WHOLE,
            tied: None,
        };
        if self.is(b'.') {
            operand.sub = self.sub_index(register)?;
        }
        if self.is(b':') {
            if register.virtual_index().is_none() {
                return self.fail("register class specification expects a virtual register");
            }
            self.bump()?;
            self.class_or_bank(register)?;
        }
        let mut tie = None;
        if !operand.is_def() && self.is(b'(') {
            tie = self.tie_or_type(register)?;
        } else if self.is(b'(') {
            if register.virtual_index().is_none() {
                return self.fail("unexpected type on physical register");
            }
            self.bump()?;
            self.register_type(register)?;
        } else if operand.is_def() {
            self.require_type(register)?;
        }
        let flags = operand.flags;
        if flags.contains(OperandFlags::DEF) && flags.contains(OperandFlags::KILLED) {
            return self.fail("cannot have a killed def operand");
        }
        if !flags.contains(OperandFlags::DEF) && flags.contains(OperandFlags::DEAD) {
            return self.fail("cannot have a dead use operand");
        }
        let operand = OperandKind::Register(operand).into();
        Ok(Written {
            operand,
            tie,
            start,
            end: self.token.start,
        })
    }

    /// Reads a register of any kind.
    pub(super) fn register(&mut self) -> Result<Register> {
        let token = self.token;
        let register = match token.kind {
            Kind::Virtual(number) => self.state.register(number),
            Kind::NamedVirtual => self.state.named_register(self.raw(token)),
            Kind::Physical => self.state.physical(self.raw(token), token.start)?,
            _ => return self.fail("expected a register"),
        };
        self.bump()?;
        Ok(register)
    }

    fn sub_index(&mut self, register: Register) -> Result<SubIndex> {
        self.bump()?;
        if self.token.kind != Kind::Word {
            return self.fail("expected a subregister index after '.'");
        }
        let name = self.word();
        let Some(sub) = self.state.target.sub_index(name) else {
            return self.fail(format!(
                "use of unknown subregister index '{}'",
                lossy(name)
            ));
        };
        self.bump()?;
        if register.virtual_index().is_none() {
            return self.fail("subregister index expects a virtual register");
        }
        Ok(sub)
    }

    fn class_or_bank(&mut self, register: Register) -> Result<()> {
        let at = self.token.start;
        let name = match self.token.kind {
            Kind::Word => self.word(),
            Kind::Physical if self.raw(self.token) == b"_" || self.is_underscore() => b"_",
            _ => return self.fail("expected '_', register class, or register bank name"),
        };
        let Some(kind) = self.state.kind(name) else {
            let message = "expected '_', register class, or register bank name";
            return fault(at, message);
        };
        self.bump()?;
        let target = self.state.target;
        let Some((info, settled)) = self.state.info(register) else {
            return Ok(());
        };
        let conflict = *settled && info.kind != kind;
        match (kind, info.kind) {
            _ if !conflict => {}
            (RegisterKind::Class(_), RegisterKind::Class(known)) => {
                let known = target.class_name(known);
                return fault(
                    at,
                    format!("conflicting register classes, previously: {known}"),
                );
            }
            (RegisterKind::Class(_), _) => {
                return fault(at, "register class specification on generic register");
            }
            (_, RegisterKind::Class(_)) => {
                return fault(at, "register bank specification on normal register");
            }
            (_, RegisterKind::Generic) if !matches!(kind, RegisterKind::Generic) => {}
            _ => return fault(at, "conflicting generic register banks"),
        }
        info.kind = kind;
        *settled = true;
        Ok(())
    }

    fn is_underscore(&self) -> bool {
        self.lexer.input.get(self.token.start..self.token.end) == Some(b"_")
    }

    /// Reads `tied-def N` or a type after the opening parenthesis.
    fn tie_or_type(&mut self, register: Register) -> Result<Option<u32>> {
        self.bump()?;
        if !self.take_word(b"tied-def")? {
            self.register_type(register)?;
            return Ok(None);
        }
        if self.token.kind != Kind::Integer {
            return self.fail("expected an integer literal after 'tied-def'");
        }
        let tie = self.unsigned("expected an integer literal after 'tied-def'")?;
        self.expect(b')')?;
        if self.take(b'(')? {
            self.register_type(register)?;
        }
        Ok(Some(tie))
    }

    /// Reads a type and the closing parenthesis. LLVM ignores the type of a physical register that
    /// is read.
    fn register_type(&mut self, register: Register) -> Result<()> {
        let ty = self.low_type()?;
        self.expect(b')')?;
        let at = self.token.start;
        if let Some((info, settled)) = self.state.info(register) {
            if info.ty.is_some_and(|known| known != ty) {
                return fault(at, "inconsistent type for generic virtual register");
            }
            info.ty = Some(ty);
            // A type makes the register generic.
            *settled = true;
        }
        Ok(())
    }

    fn require_type(&mut self, register: Register) -> Result<()> {
        let at = self.token.start;
        if let Some((info, settled)) = self.state.info(register) {
            let generic = *settled && !matches!(info.kind, RegisterKind::Class(_));
            if generic && info.ty.is_none() {
                return fault(at, "generic virtual registers must have a type");
            }
        }
        Ok(())
    }

    /// Checks that every implicit operand of the description is written.
    fn check_implicit(&self, opcode: Opcode, written: &[Written]) -> Result<()> {
        let target = self.state.target;
        let signature = target.signature(opcode);
        let properties = signature.properties();
        if properties.is_call() || properties.is_variadic() {
            return Ok(());
        }
        let has = |number: u16, is_def: bool| {
            written
                .iter()
                .filter_map(|written| written.operand.register())
                .any(|operand| {
                    operand.register == Register::physical(number) && operand.is_def() == is_def
                })
        };
        let missing = |number: u16, word: &str| {
            let at = written
                .last()
                .map_or(self.token.start, |written| written.end);
            let name = target.register_name(number);
            fault(
                at,
                format!("missing implicit register operand '{word} ${name}'"),
            )
        };
        for number in signature.implicit_defs() {
            if !has(number, true) {
                return missing(number, "implicit-def");
            }
        }
        for number in signature.implicit_uses() {
            if !has(number, false) {
                return missing(number, "implicit");
            }
        }
        Ok(())
    }

    /// Sets the ties that are written.
    fn tie(&self, written: &mut [Written]) -> Result<()> {
        let mut seen = HashSet::new();
        for at in 0..written.len() {
            let Some(tie) = written[at].tie else {
                continue;
            };
            let place = written[at].start;
            let Some(def) = written.get(tie as usize) else {
                let message = format!(
                    "use of invalid tied-def operand index '{tie}'; instruction has only {} operands",
                    written.len()
                );
                return fault(place, message);
            };
            if !def.operand.register().is_some_and(RegisterOperand::is_def) {
                let message = format!(
                    "use of invalid tied-def operand index '{tie}'; the operand #{tie} isn't a defined register"
                );
                return fault(place, message);
            }
            if !seen.insert(tie) {
                let message = format!(
                    "the tied-def operand #{tie} is already tied with another register operand"
                );
                return fault(place, message);
            }
            if let OperandKind::Register(operand) = &mut written[at].operand.kind {
                operand.tied = u16::try_from(tie).ok();
            }
        }
        Ok(())
    }

    fn trailers(&mut self) -> Result<Option<Box<Trailers>>> {
        let mut trailers: Option<Box<Trailers>> = None;
        while TRAILERS.contains(&self.word()) {
            let word = self.word();
            let made = trailers.get_or_insert_default();
            self.bump()?;
            match word {
                b"pre-instr-symbol" => made.pre_symbol = Some(self.symbol()?),
                b"post-instr-symbol" => made.post_symbol = Some(self.symbol()?),
                b"heap-alloc-marker" => made.heap_alloc_marker = Some(self.metadata()?),
                b"pcsections" => made.pc_sections = Some(self.metadata()?),
                b"cfi-type" => made.cfi_type = self.unsigned("expected an integer literal")?,
                b"deactivation-symbol" => made.deactivation_symbol = Some(self.global()?),
                b"debug-instr-number" => {
                    made.debug_number =
                        self.unsigned("expected an integer literal after 'debug-instr-number'")?;
                }
                b"debug-location" => made.debug_location = Some(self.debug_location()?),
                _ => return self.fail("expected a machine operand"),
            }
            if !self.take(b',')? {
                break;
            }
        }
        Ok(trailers)
    }

    fn symbol(&mut self) -> Result<crate::model::Text> {
        if self.token.kind != Kind::Symbol {
            return self.fail("expected a symbol after 'pre-instr-symbol'");
        }
        let token = self.bump()?;
        Ok(self.text(token).into())
    }

    /// Reads a global value, `@…`.
    pub(super) fn global(&mut self) -> Result<Global> {
        let token = self.token;
        let global = match token.kind {
            Kind::Global(number) => {
                if !self.state.names.has_unnamed_global(number) {
                    return self.fail(format!("use of undefined global value '@{number}'"));
                }
                Global::Number(number)
            }
            Kind::NamedGlobal => {
                let name = self.text(token);
                if !self.state.names.has_global(&name) {
                    let name = lossy(self.lexer.input.get(token.start..token.end).unwrap_or(b""));
                    return self.fail(format!("use of undefined global value '{name}'"));
                }
                Global::Named(name.into())
            }
            _ => return self.fail("expected a global value"),
        };
        self.bump()?;
        Ok(global)
    }

    /// Reads `!N` or an inline node.
    pub(super) fn metadata(&mut self) -> Result<Metadata> {
        let start = self.token;
        if !self.take(b'!')? {
            return self.fail("expected a metadata node");
        }
        if self.token.kind == Kind::Integer {
            let at = self.token.start;
            let number = self.unsigned("expected metadata id after '!'")?;
            if !self.state.names.metadata().contains(number)
                && !self.state.metadata.contains(&number)
            {
                return fault(at, format!("use of undefined metadata '!{number}'"));
            }
            return Ok(Metadata::Node(number));
        }
        if !matches!(self.word(), b"DIExpression" | b"DILocation") {
            return self.fail("expected metadata id after '!'");
        }
        self.inline_node(start)
    }

    /// Reads the text of a node with its parentheses.
    fn inline_node(&mut self, start: Token) -> Result<Metadata> {
        self.bump()?;
        let mut depth = 0_usize;
        let end = loop {
            match self.token.kind {
                Kind::Newline | Kind::End => return self.fail("expected ')'"),
                Kind::Punctuation(b'(') => depth += 1,
                Kind::Punctuation(b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            let token = self.bump()?;
            if depth == 0 {
                break token.end;
            }
        };
        let text = constant::spaced(&self.lexer.input[start.start..end]);
        Ok(Metadata::Inline(text.as_slice().into()))
    }

    fn debug_location(&mut self) -> Result<Metadata> {
        if !self.is(b'!') {
            return self.fail("expected a metadata node after 'debug-location'");
        }
        let metadata = self.metadata()?;
        let class = match &metadata {
            Metadata::Node(number) => self.state.names.metadata().class(*number),
            Metadata::Inline(_) => None,
        };
        if class.is_some_and(|class| class != b"DILocation") {
            return self.fail("referenced metadata is not a DILocation");
        }
        Ok(metadata)
    }
}
