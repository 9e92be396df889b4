//! The parser: statements, and the modules that they make (docs/reference/text.md).
//!
//! A mistake in a statement is a [`Fault`]; it is reported, and reading continues with the next
//! line. [`Stop`] ends reading: there are too many errors, or memory is exhausted.

use super::lexer::{Fault, Lexer, Token};
use super::report::{Reporter, Stop};
use super::symbols::{Directive, Symbol, Symbols, Word};
use crate::ir::{
    ArgSpec, Error, ErrorKind, FuncId, ItemId, Label, Module, Name, Problem, Result, Type,
};
use crate::mem::{Allocator, Vec};
use crate::num::LongDoubleFormat;

/// The approximate number of bytes of a statement in compiled programs.
const BYTES_OF_STATEMENT: usize = 24;
/// The approximate number of bytes in compiled programs for each different name.
const BYTES_FOR_NAME: usize = 56;

/// Reads all modules of a text.
///
/// `long_double` is the format of the target that the program is for. Every error is passed to
/// `report`, in the order in which they are found; reading continues after an error to find more,
/// up to [`super::MAX_ERRORS`]. So is every warning, which [`Problem::is_warning`] tells from
/// errors. Labels are numbered from 1 through all modules.
///
/// # Errors
///
/// The first error that was reported; there are no modules then.
///
/// ```
/// use mir_nostd::{ir::Problem, num::LongDoubleFormat, text};
/// # let system = testkit::SystemAllocator;
/// let source = b"m: module\nf: func i64, i64:a\n ret b\n endfunc\n endmodule\n";
/// let mut errors = Vec::new();
/// let read = text::parse(source, &system, LongDoubleFormat::X87, &mut |error| {
///     errors.push(error.to_string());
/// });
/// assert_eq!(read.unwrap_err().problem, Problem::UndeclaredName);
/// assert_eq!(errors, ["3:6: undeclared name"]);
/// ```
pub fn parse<'m>(
    source: &[u8],
    allocator: &'m dyn Allocator,
    long_double: LongDoubleFormat,
    report: &mut dyn FnMut(Error),
) -> Result<Vec<'m, Module<'m>>> {
    let parsed = parse_partly(source, allocator, long_double, report);
    parsed.error.map_or(Ok(parsed.modules), Err)
}

/// The result of [`parse_partly`].
#[derive(Debug)]
pub struct Parsed<'m> {
    /// The modules with all that could be read of them.
    pub modules: Vec<'m, Module<'m>>,
    /// The first error; the modules are for diagnostics alone if there is one.
    pub error: Option<Error>,
}

/// Reads a text as [`parse`] does, and returns what could be read of it also after errors, so that
/// the verifier can look at that too. There are no modules if reading stopped before the end.
///
/// Statements with an error are missing in their functions. What is declared in one counts as
/// declared, as a `forward` or a register of some type.
///
/// ```
/// use mir_nostd::{num::LongDoubleFormat, text};
/// # let system = testkit::SystemAllocator;
/// let source = b"m: module\nf: func\n wrong\n endfunc\ng: func\n ret\n endfunc\n endmodule\n";
/// let parsed = text::parse_partly(source, &system, LongDoubleFormat::X87, &mut |_| {});
/// assert!(parsed.error.is_some());
/// assert_eq!(parsed.modules[0].funcs().count(), 2);
/// ```
pub fn parse_partly<'m>(
    source: &[u8],
    allocator: &'m dyn Allocator,
    long_double: LongDoubleFormat,
    report: &mut dyn FnMut(Error),
) -> Parsed<'m> {
    let mut reporter = Reporter::new(source, report);
    let symbols = match u32::try_from(source.len()) {
        Ok(_) => {
            Symbols::new(allocator, source.len() / BYTES_FOR_NAME).map_err(|_| Problem::OutOfMemory)
        }
        Err(_) => Err(Problem::TooLarge),
    };
    let symbols = match symbols {
        Ok(symbols) => symbols,
        Err(problem) => {
            reporter.stop(problem);
            return Parsed {
                modules: Vec::new(allocator),
                error: Some(problem.into()),
            };
        }
    };
    let mut parser = Parser {
        lexer: Lexer::new(source, symbols, Vec::new(allocator)),
        token: Token::Newline,
        allocator,
        long_double,
        reporter,
        labels: Vec::new(allocator),
        pending: Vec::new(allocator),
        pending_in: Vec::new(allocator),
        lref_labels: Vec::new(allocator),
        results: Vec::new(allocator),
        args: Vec::new(allocator),
        arg_symbols: Vec::new(allocator),
        hard_regs: Vec::new(allocator),
        data: Vec::new(allocator),
        statements: source.len() / BYTES_OF_STATEMENT,
        end_is_told: false,
    };
    let modules = parser.modules();
    let (first, is_full) = (parser.reporter.first, parser.reporter.is_full());
    match modules {
        Ok(modules) if !is_full => Parsed {
            modules,
            error: first,
        },
        _ => Parsed {
            modules: Vec::new(allocator),
            error: Some(first.unwrap_or(Error::new(Problem::OutOfMemory))),
        },
    }
}

/// An occurrence of a name in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub(super) symbol: Symbol,
    pub(super) start: u32,
}

/// The first word of a statement, after its labels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) word: Word,
    pub(super) mention: Mention,
}

pub(super) struct Parser<'p, 's, 'm> {
    pub(super) lexer: Lexer<'s, 'm>,
    /// The current token.
    pub(super) token: Token,
    pub(super) allocator: &'m dyn Allocator,
    pub(super) long_double: LongDoubleFormat,
    pub(super) reporter: Reporter<'p>,
    /// The names with a colon that stand before the current statement.
    pub(super) labels: Vec<'m, Mention>,
    /// The labels that the current function branches to and that were not placed when it did.
    pub(super) pending: Vec<'m, (Label, Mention)>,
    /// For each label, the last function in which it was pending.
    pub(super) pending_in: Vec<'m, Option<FuncId>>,
    /// The labels that `lref` items of the current module mention.
    pub(super) lref_labels: Vec<'m, (Label, Mention)>,
    pub(super) results: Vec<'m, Type>,
    pub(super) args: Vec<'m, ArgSpec<'s>>,
    pub(super) arg_symbols: Vec<'m, Mention>,
    /// For each name, the last function in which it was a hard register, and the type of the
    /// variables tied to it there.
    pub(super) hard_regs: Vec<'m, Option<(FuncId, Type)>>,
    /// The elements of the current data item.
    pub(super) data: Vec<'m, u8>,
    /// The approximate number of statements of the text; 0 once the first module has made room for
    /// them.
    statements: usize,
    /// True if nothing is told of a missing end of the function or module: it was told, or the
    /// statement before begins with an unknown word, which was probably meant to be that.
    pub(super) end_is_told: bool,
}

impl<'s, 'm> Parser<'_, 's, 'm> {
    // ---- tokens

    /// Advances to the next token.
    pub(super) fn bump(&mut self) {
        self.token = self.lexer.next();
    }

    /// Advances to the next token, which is a name in most texts.
    #[inline(always)]
    pub(super) fn bump_to_name(&mut self) {
        self.token = self.lexer.next_name();
    }

    /// Advances to the next token, which is a comma, a colon or the end of a list in most texts.
    #[inline(always)]
    pub(super) fn bump_to_punctuation(&mut self) {
        self.token = self.lexer.next_punctuation();
    }

    /// Returns an error about the current token, which is not the expected one.
    #[cold]
    pub(super) fn unexpected<T>(&self, problem: Problem) -> Result<T, Fault> {
        Err(self.lexer.fault(self.token, problem))
    }

    #[cold]
    pub(super) fn fault_at(&self, mention: Mention, problem: Problem) -> Fault {
        Fault {
            problem,
            start: mention.start,
            len: self.text(mention).len() as u32,
        }
    }

    /// Attaches an error of the module to the name that it is about.
    pub(super) fn about<T>(&self, mention: Mention, result: Result<T>) -> Result<T, Fault> {
        result.map_err(|error| self.fault_at(mention, error.problem))
    }

    pub(super) fn expect(&mut self, token: Token, problem: Problem) -> Result<(), Fault> {
        if self.token != token {
            return self.unexpected(problem);
        }
        self.bump();
        Ok(())
    }

    /// Takes the name that is required here.
    #[inline(always)]
    pub(super) fn take_name(&mut self, problem: Problem) -> Result<Mention, Fault> {
        let Token::Name(symbol) = self.token else {
            return self.unexpected(problem);
        };
        let start = self.lexer.start();
        self.bump_to_punctuation();
        Ok(Mention { symbol, start })
    }

    pub(super) fn take_int(&mut self, problem: Problem) -> Result<i64, Fault> {
        if self.token != Token::Int {
            return self.unexpected(problem);
        }
        let value = self.lexer.int();
        self.bump_to_punctuation();
        Ok(value)
    }

    pub(super) fn text(&self, mention: Mention) -> &'s [u8] {
        self.lexer.symbols.text(mention.symbol)
    }

    pub(super) fn at_statement_end(&self) -> bool {
        matches!(self.token, Token::Newline | Token::Semicolon | Token::End)
    }

    /// Returns whether another element of a list follows. A comma may stand after the last.
    #[inline(always)]
    pub(super) fn more(&mut self) -> Result<bool, Fault> {
        if self.token == Token::Comma {
            self.bump_to_name();
            return Ok(!self.at_statement_end());
        }
        if self.at_statement_end() {
            return Ok(false);
        }
        self.unexpected(Problem::ExpectedComma)
    }

    /// Ends a statement that can have nothing more.
    pub(super) fn end_statement(&mut self) -> Result<(), Fault> {
        match self.token {
            Token::Newline | Token::End => Ok(()),
            Token::Semicolon => {
                self.bump();
                Ok(())
            }
            _ => self.unexpected(Problem::ExpectedEnd),
        }
    }

    /// Reports the fault of a statement and skips the rest of the statement.
    #[inline(always)]
    pub(super) fn settle<T>(&mut self, result: Result<T, Fault>) -> Result<Option<T>, Stop> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(fault) => self.settle_fault(fault).map(|()| None),
        }
    }

    #[cold]
    fn settle_fault(&mut self, fault: Fault) -> Result<(), Stop> {
        self.reporter.report(fault)?;
        self.skip_statement();
        Ok(())
    }

    /// Skips the rest of the statement; of the line, if something there is no token. The current
    /// token is a newline then, even in place of `;`.
    pub(super) fn skip_statement(&mut self) {
        while !self.at_statement_end() {
            if self.token == Token::Bad {
                self.lexer.skip_line();
                break;
            }
            self.bump();
        }
        self.token = Token::Newline;
    }

    /// Reports the fault of a part of a list, and skips to the comma after it or the end of the
    /// statement; returns false then. The next fault stops reading if this was one too many.
    ///
    /// # Errors
    ///
    /// Out of memory.
    #[inline(always)]
    pub(super) fn settle_part(&mut self, result: Result<(), Fault>) -> Result<bool, Fault> {
        match result {
            Ok(()) => Ok(true),
            Err(fault) => self.settle_fault_of_part(fault).map(|()| false),
        }
    }

    #[cold]
    fn settle_fault_of_part(&mut self, fault: Fault) -> Result<(), Fault> {
        if fault.problem.kind() == ErrorKind::Alloc {
            return Err(fault);
        }
        let _ = self.reporter.report(fault);
        while self.token != Token::Comma && !self.at_statement_end() {
            if self.token == Token::Bad {
                self.lexer.skip_line();
                self.token = Token::Newline;
                break;
            }
            self.bump();
        }
        Ok(())
    }

    // ---- statements

    /// Returns the first word of the next statement; `None` at the end of the text.
    #[inline(never)]
    pub(super) fn next_head(&mut self) -> Result<Option<Head>, Stop> {
        loop {
            let head = self.head();
            if let Some(head) = self.settle(head)? {
                return Ok(head);
            }
        }
    }

    #[inline(always)]
    pub(super) fn head(&mut self) -> Result<Option<Head>, Fault> {
        self.labels.clear();
        if let Some(fault) = self.lexer.warning.take() {
            self.reporter.warn(fault);
        }
        loop {
            while self.token == Token::Newline {
                self.bump_to_name();
            }
            let Token::Name(symbol) = self.token else {
                return match self.token {
                    Token::End if self.labels.is_empty() => Ok(None),
                    _ => self.unexpected(Problem::ExpectedStatement),
                };
            };
            let start = self.lexer.start();
            let mention = Mention { symbol, start };
            self.bump_to_name();
            if self.token != Token::Colon {
                let word = self.lexer.symbols.word(symbol);
                return Ok(Some(Head { word, mention }));
            }
            self.labels.push(mention)?;
            self.bump();
        }
    }

    pub(super) fn no_label(&self, head: Head) -> Result<(), Fault> {
        match &self.labels[..] {
            [] => Ok(()),
            _ => Err(self.fault_at(head.mention, Problem::LabelNotAllowed)),
        }
    }

    pub(super) fn one_label(&self, head: Head) -> Result<Mention, Fault> {
        match &self.labels[..] {
            [label] => Ok(*label),
            _ => Err(self.fault_at(head.mention, Problem::OneLabel)),
        }
    }

    pub(super) fn optional_label(&self, head: Head) -> Result<Option<Mention>, Fault> {
        match &self.labels[..] {
            [] => Ok(None),
            _ => self.one_label(head).map(Some),
        }
    }

    // ---- modules

    fn modules(&mut self) -> Result<Vec<'m, Module<'m>>, Stop> {
        let mut modules = Vec::new(self.allocator);
        let mut first_label = 1_u32;
        let mut head = self.next_head()?;
        while let Some(start) = head {
            if start.word != Word::Directive(Directive::Module) {
                let problem = match start.word {
                    Word::Other if !self.labels.is_empty() => Problem::UnknownStatement,
                    _ => Problem::OutsideModule,
                };
                let outside = self.fault_at(start.mention, problem);
                self.settle::<()>(Err(outside))?;
                head = self.next_module()?;
                continue;
            }
            let mut module = self.begin_module(start)?;
            module.set_first_label_number(first_label);
            head = self.items(&mut module)?;
            first_label = first_label.wrapping_add(module.label_count() as u32);
            module.end_bulk();
            modules
                .push(module)
                .map_err(|_| self.reporter.stop(Problem::OutOfMemory))?;
        }
        Ok(modules)
    }

    /// Skips to the next `module`, and returns its head. What stands outside of modules was
    /// reported.
    fn next_module(&mut self) -> Result<Option<Head>, Stop> {
        loop {
            match self.quiet_head()? {
                Some(head) if head.word != Word::Directive(Directive::Module) => {
                    self.skip_statement();
                }
                head => return Ok(head),
            }
        }
    }

    /// Returns the first word of the next statement that has one, and reports nothing.
    #[inline(never)]
    pub(super) fn quiet_head(&mut self) -> Result<Option<Head>, Stop> {
        loop {
            match self.head() {
                Ok(head) => return Ok(head),
                Err(fault) if fault.problem.kind() == ErrorKind::Alloc => {
                    return Err(self.reporter.stop(fault.problem));
                }
                Err(_) => self.skip_statement(),
            }
        }
    }

    /// Begins a module. One whose name cannot be read has none, and is read all the same.
    fn begin_module(&mut self, head: Head) -> Result<Module<'m>, Stop> {
        let name = self.one_label(head);
        let name = self.settle(name)?;
        self.lexer.symbols.begin_module();
        self.pending_in.clear();
        self.lref_labels.clear();
        let text = name.map_or(&b""[..], |name| self.text(name));
        let module = Module::new(self.allocator, text, self.long_double);
        let mut module = module.map_err(|error| self.reporter.stop(error.problem))?;
        let statements = core::mem::take(&mut self.statements);
        // The numbers are guesses: if there is no memory for them, there may be enough for the
        // actual contents.
        let _ = module.reserve(statements / 5, statements);
        module.begin_bulk();
        self.hard_regs.clear();
        self.end_is_told = false;
        let ended = self.end_statement();
        self.settle(ended)?;
        Ok(module)
    }

    /// Reads the items of a module up to its `endmodule`; returns the head of the next statement.
    fn items(&mut self, module: &mut Module<'m>) -> Result<Option<Head>, Stop> {
        let mut next = self.next_head()?;
        loop {
            let Some(head) = next else {
                let fault = self.lexer.here(Problem::MissingEndmodule);
                self.report_missing(fault)?;
                return Ok(None);
            };
            match head.word {
                Word::Directive(Directive::Endmodule) => {
                    self.check_lref_labels(module)?;
                    let ended = self.no_label(head).and_then(|()| self.end_statement());
                    self.settle(ended)?;
                    return self.next_head();
                }
                Word::Directive(Directive::Module) => {
                    let fault = self.fault_at(head.mention, Problem::NestedModule);
                    self.report_missing(fault)?;
                    return Ok(Some(head));
                }
                Word::Directive(Directive::Func) => next = self.function(module, head)?,
                _ => next = self.whole_item(module, head)?,
            }
        }
    }

    /// Reports the lack of the end of a function or module, once.
    pub(super) fn report_missing(&mut self, fault: Fault) -> Result<(), Stop> {
        if core::mem::replace(&mut self.end_is_told, true) {
            return Ok(());
        }
        self.reporter.report(fault)
    }

    /// Checks that the labels of `lref` items are placed. It reports nothing after other errors,
    /// which may be why labels are missing.
    fn check_lref_labels(&mut self, module: &Module<'m>) -> Result<(), Stop> {
        for index in 0..self.lref_labels.len() {
            let (label, mention) = self.lref_labels[index];
            if self.reporter.count == 0 && module.label_func(label).is_none() {
                let fault = self.fault_at(mention, Problem::LabelUndefined);
                self.reporter.report(fault)?;
            }
        }
        Ok(())
    }

    // ---- names

    /// Returns the module's number of a name.
    pub(super) fn name(
        &mut self,
        module: &mut Module<'m>,
        mention: Mention,
    ) -> Result<Name, Fault> {
        if let Some(name) = self.lexer.symbols.name(mention.symbol) {
            return Ok(name);
        }
        let name = self.about(mention, module.add_name(self.text(mention)))?;
        self.lexer.symbols.set_name(mention.symbol, name);
        Ok(name)
    }

    /// Returns the item that a name denotes.
    pub(super) fn find_item(&mut self, module: &Module<'m>, mention: Mention) -> Option<ItemId> {
        let name = match self.lexer.symbols.name(mention.symbol) {
            Some(name) => name,
            None => {
                let name = module.find_name(self.text(mention))?;
                self.lexer.symbols.set_name(mention.symbol, name);
                name
            }
        };
        module.item_named(name)
    }

    /// Returns the label of a name; it is made at its first mention.
    pub(super) fn label(
        &mut self,
        module: &mut Module<'m>,
        mention: Mention,
    ) -> Result<Label, Fault> {
        if let Some(label) = self.lexer.symbols.label(mention.symbol) {
            return Ok(label);
        }
        let label = self.about(mention, module.new_label())?;
        self.pending_in.push(None)?;
        self.lexer.symbols.set_label(mention.symbol, label);
        Ok(label)
    }
}
