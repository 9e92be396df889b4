//! The functions of a text: head, variables, instructions, end. `docs/reference/text.md` has the
//! grammar.

use super::lexer::{Fault, Token};
use super::parser::{Head, Mention, Parser};
use super::report::Stop;
use super::symbols::{Directive, Word};
use crate::ir::{
    Code, ErrorKind, FuncId, Module, Name, Position, Problem, Register, SignatureSpec, Type,
};
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
        let next = loop {
            let Some(head) = self.next_head()? else {
                break None;
            };
            match head.word {
                Word::Insn(code) => {
                    let done = self.insn_statement(module, func, code, head.mention);
                    self.settle(done)?;
                }
                Word::Directive(Directive::Local | Directive::Global) => {
                    let done = self.variables(module, func, head);
                    self.settle(done)?;
                }
                Word::Directive(
                    Directive::Endfunc | Directive::Endmodule | Directive::Module | Directive::Func,
                ) => break Some(head),
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
            let head = match self.head() {
                Ok(head) => head,
                Err(fault) if fault.problem.kind() == ErrorKind::Alloc => {
                    return Err(self.reporter.stop(fault.problem));
                }
                Err(_) => {
                    self.skip_statement();
                    continue;
                }
            };
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

    /// Reports a statement in a function that belongs outside, or nowhere.
    fn foreign_statement(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Stop> {
        let problem = match head.word {
            Word::Other if self.text(head.mention) == b"va_stack_arg" => Problem::VaStackArg,
            Word::Other => Problem::UnknownStatement,
            _ => {
                // It is read as an item all the same, for the statements that refer to it.
                let fault = self.fault_at(head.mention, Problem::ItemInFunction);
                self.reporter.report(fault)?;
                let item = self.item(module, head);
                self.settle(item)?;
                return Ok(());
            }
        };
        let fault = self.fault_at(head.mention, problem);
        self.settle::<()>(Err(fault)).map(|_| ())
    }

    /// Ends a function at its `endfunc`, or where that is missing.
    fn end_func(
        &mut self,
        module: &mut Module<'m>,
        func: FuncId,
        head: Option<Head>,
    ) -> Result<Option<Head>, Stop> {
        self.check_pending(module, func)?;
        self.lexer.symbols.begin_func();
        if let Err(error) = module.finish_func(func) {
            return Err(self.reporter.stop(error.problem));
        }
        match head {
            Some(head) if head.word == Word::Directive(Directive::Endfunc) => {
                let ended = match self.labels.is_empty() {
                    true => self.end_statement(),
                    false => Err(self.fault_at(head.mention, Problem::LabelAtEnd)),
                };
                self.settle(ended)?;
                self.next_head()
            }
            _ => {
                let fault = match head {
                    Some(head) => self.fault_at(head.mention, Problem::MissingEndfunc),
                    None => self.lexer.here(Problem::MissingEndfunc),
                };
                self.reporter.report(fault)?;
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

    fn insn_statement(
        &mut self,
        module: &mut Module<'m>,
        func: FuncId,
        code: Code,
        word: Mention,
    ) -> Result<(), Fault> {
        for index in 0..self.labels.len() {
            let mention = self.labels[index];
            let label = self.label(module, mention)?;
            let placed = module.insert_label(func, Position::End, label);
            self.about(mention, placed)?;
        }
        self.insn(module, func, code, word)?;
        self.end_statement()
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
            let word = self.take_name(Problem::ExpectedType)?;
            let Word::Type(ty) = self.lexer.symbols.word(word.symbol) else {
                return Err(self.fault_at(word, Problem::UnknownType));
            };
            self.expect(Token::Colon, Problem::ExpectedColon)?;
            let mention = self.take_name(Problem::ExpectedName)?;
            self.check_new(mention)?;
            let mut hard_reg = None;
            if is_global || self.token == Token::Colon {
                hard_reg = Some(self.hard_reg(module, func, ty)?);
            }
            let name = self.name(module, mention)?;
            let added = module.add_register(func, Register { name, ty, hard_reg });
            let reg = self.about(mention, added)?;
            self.lexer.symbols.set_reg(mention.symbol, reg);
            more = self.more()?;
        }
        self.end_statement()
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
