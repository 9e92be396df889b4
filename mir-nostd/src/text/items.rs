//! The items of a module other than functions. `docs/reference/items.md` describes them.

use super::lexer::{Fault, Token};
use super::parser::{Head, Mention, Parser};
use super::report::Stop;
use super::symbols::{Directive, Word};
use crate::ir::{ArgSpec, ItemId, ItemKind, Label, Module, Problem, Result, SignatureSpec, Type};

impl<'s, 'm> Parser<'_, 's, 'm> {
    /// Reads an item, or reports what is wrong with it; returns the head of the next statement. The
    /// names of a wrong item count as declared.
    pub(super) fn whole_item(
        &mut self,
        module: &mut Module<'m>,
        head: Head,
    ) -> Result<Option<Head>, Stop> {
        let item = self.item(module, head);
        let Err(fault) = item else {
            self.end_is_told = false;
            return self.next_head();
        };
        for index in 0..self.labels.len() {
            // It may fail, if something else has the name.
            let _ = module.forward(self.text(self.labels[index]));
        }
        let is_unknown = fault.problem == Problem::UnknownStatement;
        self.settle::<()>(Err(fault))?;
        self.end_is_told = is_unknown;
        if is_unknown && !self.labels.is_empty() {
            return self.skip_body();
        }
        self.next_head()
    }

    /// Skips the body of a function whose `func` is perhaps the unknown word that was reported:
    /// instructions and variables, up to an `endfunc`.
    fn skip_body(&mut self) -> Result<Option<Head>, Stop> {
        loop {
            let head = self.next_head()?;
            match head.map(|head| head.word) {
                Some(Word::Insn(_) | Word::Directive(Directive::Local | Directive::Global)) => {
                    self.end_is_told = false;
                }
                Some(Word::Directive(Directive::Endfunc)) => {
                    self.end_is_told = false;
                    self.skip_statement();
                    return self.next_head();
                }
                _ => return Ok(head),
            }
            self.skip_statement();
        }
    }

    pub(super) fn item(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
        match head.word {
            Word::Directive(directive) => self.directive(module, head, directive)?,
            Word::Type(ty) => self.data(module, head, ty)?,
            Word::Insn(_) => return Err(self.fault_at(head.mention, Problem::OutsideFunction)),
            Word::Other => return Err(self.fault_at(head.mention, Problem::UnknownStatement)),
        }
        self.end_statement()
    }

    fn directive(
        &mut self,
        module: &mut Module<'m>,
        head: Head,
        directive: Directive,
    ) -> Result<(), Fault> {
        match directive {
            Directive::Import => self.declarations(module, head, Module::import),
            Directive::Export => self.declarations(module, head, Module::export),
            Directive::Forward => self.declarations(module, head, Module::forward),
            Directive::Proto => self.proto(module, head),
            Directive::Bss => self.bss(module, head),
            Directive::Ref => self.ref_data(module, head),
            Directive::Lref => self.lref(module, head),
            Directive::Expr => self.expr(module, head),
            Directive::String => self.string(module, head),
            Directive::Endfunc => Err(self.fault_at(head.mention, Problem::NoFunction)),
            // Modules and functions begin and end elsewhere.
            _ => Err(self.fault_at(head.mention, Problem::OutsideFunction)),
        }
    }

    fn declarations(
        &mut self,
        module: &mut Module<'m>,
        head: Head,
        declare: fn(&mut Module<'m>, &[u8]) -> Result<ItemId>,
    ) -> Result<(), Fault> {
        self.no_label(head)?;
        if self.at_statement_end() {
            return Ok(());
        }
        loop {
            let name = self.take_name(Problem::ExpectedName);
            let declared = name.and_then(|name| self.about(name, declare(module, self.text(name))));
            self.settle_part(declared.map(|_| ()))?;
            if !self.more()? {
                return Ok(());
            }
        }
    }

    fn proto(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
        let name = self.one_label(head)?;
        let vararg = self.signature()?;
        let spec = SignatureSpec {
            results: &self.results,
            args: &self.args,
            vararg,
        };
        let added = module.proto(self.text(name), spec);
        self.about(name, added).map(|_| ())
    }

    /// Reads results, arguments and `...`; returns whether there was the last.
    pub(super) fn signature(&mut self) -> Result<bool, Fault> {
        self.results.clear();
        self.args.clear();
        self.arg_symbols.clear();
        if self.at_statement_end() {
            return Ok(false);
        }
        loop {
            if self.token == Token::Int {
                self.reversed_block(self.lexer.int())?;
            } else {
                let word = self.take_name(Problem::ExpectedType)?;
                match self.lexer.symbols.word(word.symbol) {
                    Word::Type(ty) => self.signature_part(word, ty)?,
                    _ if self.text(word) == b"..." => {
                        return match self.more()? {
                            false => Ok(true),
                            true => self.unexpected(Problem::DotsLast),
                        };
                    }
                    _ => {
                        // It counts as the most usual type.
                        let fault = self.fault_at(word, Problem::UnknownType);
                        let _ = self.reporter.report(fault);
                        self.signature_part(word, Type::I64)?;
                    }
                }
            }
            if !self.more()? {
                return Ok(false);
            }
        }
    }

    fn signature_part(&mut self, word: Mention, ty: Type) -> Result<(), Fault> {
        if self.token != Token::Colon {
            if !self.args.is_empty() {
                return Err(self.fault_at(word, Problem::ResultAfterArg));
            }
            if ty.is_block() {
                return Err(self.fault_at(word, Problem::ResultType));
            }
            return Ok(self.results.push(ty)?);
        }
        self.bump();
        if !ty.is_block() {
            let name = self.take_name(Problem::ExpectedName)?;
            return self.arg(ty, 0, name);
        }
        if self.token != Token::Int {
            return self.unexpected(Problem::BlockArg);
        }
        let Ok(size) = u32::try_from(self.lexer.int()) else {
            return self.unexpected(Problem::BlockSize);
        };
        self.bump();
        self.block_arg(ty, size)
    }

    /// Reads the name of a block argument, in parentheses.
    fn block_arg(&mut self, ty: Type, size: u32) -> Result<(), Fault> {
        self.expect(Token::Open, Problem::BlockArg)?;
        let name = self.take_name(Problem::ExpectedName)?;
        self.expect(Token::Close, Problem::ExpectedClose)?;
        self.arg(ty, size, name)
    }

    /// Reads `16:blk(a)`, the reversed order that the language's own document once has. Its meaning
    /// is clear, so reading the function continues with it.
    fn reversed_block(&mut self, size: i64) -> Result<(), Fault> {
        let fault = self.lexer.here(Problem::BlockArg);
        self.bump();
        let ty = match (self.token, u32::try_from(size)) {
            (Token::Colon, Ok(size)) => {
                self.bump();
                let word = self.take_name(Problem::ExpectedType)?;
                match self.lexer.symbols.word(word.symbol) {
                    Word::Type(ty) if ty.is_block() => Some((ty, size)),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((ty, size)) = ty else {
            return Err(fault);
        };
        self.block_arg(ty, size)?;
        // The caller's next statement stops reading if this was one error too many.
        let _ = self.reporter.report(fault);
        Ok(())
    }

    fn arg(&mut self, ty: Type, size: u32, name: Mention) -> Result<(), Fault> {
        let text = self.text(name);
        self.args.push(ArgSpec {
            name: text,
            ty,
            size: size.into(),
        })?;
        Ok(self.arg_symbols.push(name)?)
    }

    fn bss(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
        let name = self.optional_label(head)?;
        let (Token::Int, Ok(len)) = (self.token, u64::try_from(self.lexer.int())) else {
            return self.unexpected(Problem::BssLength);
        };
        self.bump();
        let added = module.bss(self.item_name(name), len);
        self.added(head, name, added)
    }

    fn item_name(&self, name: Option<Mention>) -> Option<&'s [u8]> {
        name.map(|name| self.text(name))
    }

    /// Attaches an item's error to its name, if it has one.
    fn added(&self, head: Head, name: Option<Mention>, added: Result<ItemId>) -> Result<(), Fault> {
        self.about(name.unwrap_or(head.mention), added).map(|_| ())
    }

    fn ref_data(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
        let name = self.optional_label(head)?;
        let target = self.take_name(Problem::ExpectedName)?;
        let item = self
            .find_item(module, target)
            .ok_or_else(|| self.fault_at(target, Problem::UndeclaredName))?;
        let disp = match self.more()? {
            true => self.take_int(Problem::ExpectedInt)?,
            false => 0,
        };
        let added = module.ref_data(self.item_name(name), item, disp);
        self.added(head, name, added)
    }

    fn lref(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
        let name = self.optional_label(head)?;
        let label = self.lref_label(module)?;
        let (mut label2, mut disp) = (None, 0);
        let mut more = self.more()?;
        if more && matches!(self.token, Token::Name(_)) {
            label2 = Some(self.lref_label(module)?);
            more = self.more()?;
        }
        if more {
            disp = self.take_int(Problem::ExpectedInt)?;
        }
        let added = module.lref_data(self.item_name(name), label, label2, disp);
        self.added(head, name, added)
    }

    fn lref_label(&mut self, module: &mut Module<'m>) -> Result<Label, Fault> {
        let mention = self.take_name(Problem::ExpectedLabel)?;
        let label = self.label(module, mention)?;
        self.lref_labels.push((label, mention))?;
        Ok(label)
    }

    fn expr(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
        let name = self.optional_label(head)?;
        let target = self.take_name(Problem::ExpectedName)?;
        let func = self
            .find_item(module, target)
            .ok_or_else(|| self.fault_at(target, Problem::UndeclaredName))?;
        if !matches!(module.item(func).kind, ItemKind::Func(_)) {
            return Err(self.fault_at(target, Problem::ExprFunction));
        }
        let added = module.expr_data(self.item_name(name), func);
        self.added(head, name, added)
    }

    fn string(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
        let name = self.optional_label(head)?;
        if self.token != Token::Str {
            return self.unexpected(Problem::ExpectedString);
        }
        let added = module.string_data(self.item_name(name), self.lexer.string());
        self.bump();
        self.added(head, name, added)
    }

    fn data(&mut self, module: &mut Module<'m>, head: Head, ty: Type) -> Result<(), Fault> {
        let name = self.optional_label(head)?;
        if ty.is_block() {
            return Err(self.fault_at(head.mention, Problem::DataType));
        }
        self.data.clear();
        let mut more = !self.at_statement_end();
        while more {
            self.data_value(ty)?;
            more = self.more()?;
        }
        let added = module.data(self.item_name(name), ty, &self.data);
        self.added(head, name, added)
    }
}
