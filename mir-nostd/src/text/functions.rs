//! The functions of a text: head, variables, instructions, end. `docs/reference/text.md` has the
//! grammar.

use super::lexer::{Fault, Token};
use super::parser::{Head, Mention, Parser};
use super::report::Stop;
use super::symbols::{Directive, Word};
use crate::ir::{FuncId, Module, Name, Position, Problem, Register, SignatureSpec, Type};
use crate::mem::Entity;

impl<'m> Parser<'_, '_, 'm> {
    /// Reads a function from its head to its `endfunc`, and returns the head of the next statement.
    pub(super) fn function(
        &mut self,
        module: &mut Module<'m>,
        head: Head,
    ) -> Result<Option<Head>, Stop> {
        let begun = self.begin_func(module, head);
        let Some(func) = self.settle(begun)? else {
            return self.skip_function();
        };
        self.pending.clear();
        self.end_is_told = false;
        let next = loop {
            let head = self.head();
            let is_wrong = head.is_err();
            let head = self.settle(head)?;
            if is_wrong {
                self.place_labels(module, func)?;
                continue;
            }
            let Some(Some(head)) = head else {
                break None;
            };
            match head.word {
                Word::Insn(code) => {
                    self.place_labels(module, func)?;
                    let done = self.insn(module, func, code, head.mention);
                    let done = done.and_then(|()| self.end_statement());
                    self.settle(done)?;
                    self.end_is_told = false;
                }
                Word::Directive(Directive::Local | Directive::Global) => {
                    let done = self.variables(module, func, head);
                    self.settle(done)?;
                    self.end_is_told = false;
                }
                Word::Directive(
                    Directive::Endfunc | Directive::Endmodule | Directive::Module | Directive::Func,
                ) => break Some(head),
                Word::Other => {
                    self.place_labels(module, func)?;
                    self.unknown_statement(head)?;
                }
                _ => self.foreign_statement(module, head)?,
            }
        };
        self.end_func(module, func, next)
    }

    fn begin_func(&mut self, module: &mut Module<'m>, head: Head) -> Result<FuncId, Fault> {
        let name = self.one_label(head)?;
        self.lexer.symbols.begin_func();
        let signature = self
            .signature()
            .and_then(|vararg| self.arg_registers().map(|()| vararg));
        let added = match signature {
            Ok(vararg) => {
                let spec = SignatureSpec {
                    results: &self.results,
                    args: &self.args,
                    vararg,
                };
                self.about(name, module.add_func(self.text(name), spec))
            }
            Err(fault) => Err(fault),
        };
        let added = added.and_then(|func| self.end_statement().map(|()| func));
        if added.is_err() {
            // A forward declaration avoids errors in the statements that refer to the function. It
            // may fail, if something else has the name.
            let _ = module.forward(self.text(name));
        }
        added
    }

    /// Makes the arguments that were just read the first registers of a function.
    fn arg_registers(&mut self) -> Result<(), Fault> {
        for index in 0..self.arg_symbols.len() {
            let arg = self.arg_symbols[index];
            self.check_new(arg)?;
            let reg = Entity::new(index as u32);
            self.lexer.symbols.set_reg(arg.symbol, reg);
        }
        Ok(())
    }

    /// Checks that no register of the function has this name yet.
    fn check_new(&self, name: Mention) -> Result<(), Fault> {
        match self.lexer.symbols.reg(name.symbol) {
            None => Ok(()),
            Some(_) => Err(self.fault_at(name, Problem::RepeatedReg)),
        }
    }

    /// Skips a function whose head could not be read.
    fn skip_function(&mut self) -> Result<Option<Head>, Stop> {
        loop {
            let head = self.quiet_head()?;
            match head.map(|head| head.word) {
                Some(Word::Directive(Directive::Endfunc)) => {
                    self.skip_statement();
                    return self.next_head();
                }
                None
                | Some(Word::Directive(
                    Directive::Endmodule | Directive::Module | Directive::Func,
                )) => return Ok(head),
                _ => self.skip_statement(),
            }
        }
    }

    /// Reports a statement that begins with an unknown word.
    fn unknown_statement(&mut self, head: Head) -> Result<(), Stop> {
        let problem = match self.text(head.mention) {
            b"va_stack_arg" => Problem::VaStackArg,
            _ => Problem::UnknownStatement,
        };
        let fault = self.fault_at(head.mention, problem);
        self.settle::<()>(Err(fault))?;
        self.end_is_told = true;
        Ok(())
    }

    /// Reports an item in a function. It is read all the same, for the statements that refer to it.
    fn foreign_statement(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Stop> {
        let fault = self.fault_at(head.mention, Problem::ItemInFunction);
        self.report_missing(fault)?;
        let item = self.item(module, head);
        self.settle(item)?;
        Ok(())
    }

    /// Ends a function at its `endfunc`, or where that is missing.
    fn end_func(
        &mut self,
        module: &mut Module<'m>,
        func: FuncId,
        head: Option<Head>,
    ) -> Result<Option<Head>, Stop> {
        let is_labelled = !self.labels.is_empty();
        if head.is_some_and(|head| head.word == Word::Directive(Directive::Endfunc)) {
            self.place_labels(module, func)?;
        }
        self.check_pending(module, func)?;
        self.lexer.symbols.begin_func();
        if let Err(error) = module.finish_func(func) {
            return Err(self.reporter.stop(error.problem));
        }
        match head {
            Some(head) if head.word == Word::Directive(Directive::Endfunc) => {
                let ended = match is_labelled {
                    false => self.end_statement(),
                    true => Err(self.fault_at(head.mention, Problem::LabelAtEnd)),
                };
                self.settle(ended)?;
                self.end_is_told = false;
                self.next_head()
            }
            _ => {
                let fault = match head {
                    Some(head) => self.fault_at(head.mention, Problem::MissingEndfunc),
                    None => self.lexer.here(Problem::MissingEndfunc),
                };
                self.report_missing(fault)?;
                self.end_is_told = false;
                Ok(head)
            }
        }
    }

    /// Checks that labels that were branched to are placed in the function by its end.
    fn check_pending(&mut self, module: &Module<'m>, func: FuncId) -> Result<(), Stop> {
        for index in 0..self.pending.len() {
            let (label, mention) = self.pending[index];
            if module.label_func(label) != Some(func) {
                let fault = self.fault_at(mention, Problem::LabelUndefined);
                self.reporter.report(fault)?;
            }
        }
        Ok(())
    }

    /// Places the labels before the current statement.
    #[inline(always)]
    fn place_labels(&mut self, module: &mut Module<'m>, func: FuncId) -> Result<(), Stop> {
        for index in 0..self.labels.len() {
            let placed = self.place_label(module, func, self.labels[index]);
            if let Err(fault) = placed {
                self.reporter.report(fault)?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn place_label(
        &mut self,
        module: &mut Module<'m>,
        func: FuncId,
        mention: Mention,
    ) -> Result<(), Fault> {
        let label = self.label(module, mention)?;
        let placed = module.insert_label(func, Position::End, label);
        self.about(mention, placed).map(|_| ())
    }

    /// Reads `local` and `global`: `TYPE:NAME` or `TYPE:NAME:HARDREG`.
    fn variables(
        &mut self,
        module: &mut Module<'m>,
        func: FuncId,
        head: Head,
    ) -> Result<(), Fault> {
        self.no_label(head)?;
        let is_global = head.word == Word::Directive(Directive::Global);
        let mut more = !self.at_statement_end();
        while more {
            let mut declared = None;
            let added = self.variable(module, func, is_global, &mut declared);
            if !self.settle_part(added)?
                && let Some(mention) = declared
                && self.lexer.symbols.reg(mention.symbol).is_none()
            {
                // It counts as some register: the function is never used.
                self.lexer.symbols.set_reg(mention.symbol, Entity::new(0));
            }
            more = self.more()?;
        }
        self.end_statement()
    }

    /// Reads one variable. `declared` becomes its name as soon as that is known.
    fn variable(
        &mut self,
        module: &mut Module<'m>,
        func: FuncId,
        is_global: bool,
        declared: &mut Option<Mention>,
    ) -> Result<(), Fault> {
        let ty = match self.variable_type() {
            Ok(ty) => ty,
            Err(fault) => {
                *declared = self.name_after_colon();
                return Err(fault);
            }
        };
        if let (Token::Name(symbol), start) = (self.token, self.lexer.start()) {
            *declared = Some(Mention { symbol, start });
        }
        if self.token != Token::Colon {
            return self.unexpected(Problem::ExpectedColon);
        }
        self.bump_to_name();
        let mention = self.take_name(Problem::ExpectedName)?;
        *declared = Some(mention);
        self.check_new(mention)?;
        let mut hard_reg = None;
        if is_global || self.token == Token::Colon {
            hard_reg = Some(self.hard_reg(module, func, ty)?);
        }
        let name = self.name(module, mention)?;
        let added = module.add_register(func, Register { name, ty, hard_reg });
        let reg = self.about(mention, added)?;
        self.lexer.symbols.set_reg(mention.symbol, reg);
        Ok(())
    }

    fn variable_type(&mut self) -> Result<Type, Fault> {
        let word = self.take_name(Problem::ExpectedType)?;
        match self.lexer.symbols.word(word.symbol) {
            Word::Type(ty) => Ok(ty),
            _ => Err(self.fault_at(word, Problem::UnknownType)),
        }
    }

    /// Skips to the colon of this part of a list, and takes the name after it.
    fn name_after_colon(&mut self) -> Option<Mention> {
        while !matches!(self.token, Token::Colon | Token::Comma | Token::Bad) {
            if self.at_statement_end() {
                return None;
            }
            self.bump();
        }
        self.expect(Token::Colon, Problem::ExpectedColon).ok()?;
        self.take_name(Problem::ExpectedName).ok()
    }

    /// Reads `:HARDREG` after a variable of type `ty`. Variables on one hard register share it, so
    /// they have one type.
    fn hard_reg(&mut self, module: &mut Module<'m>, func: FuncId, ty: Type) -> Result<Name, Fault> {
        self.expect(Token::Colon, Problem::ExpectedHardReg)?;
        let mention = self.take_name(Problem::ExpectedHardReg)?;
        let name = self.name(module, mention)?;
        if self.hard_regs.len() <= name.index() {
            self.hard_regs.resize(module.str_count(), None)?;
        }
        match self.hard_regs.get_mut(name.index()) {
            Some(Some((its, other))) if *its == func && *other != ty => {
                Err(self.fault_at(mention, Problem::HardRegTypes))
            }
            Some(row) => {
                *row = Some((func, ty));
                Ok(name)
            }
            None => Ok(name),
        }
    }
}
