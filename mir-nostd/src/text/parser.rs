//! Statements: modules, items, functions (text-format 3).
//!
//! What a statement gets wrong is a [`Fault`]; it is reported, and reading goes on with the next line. [`Stop`] ends
//! everything: too many errors, or no memory.

use super::lexer::{Fault, Lexer, Token};
use super::symbols::{Directive, Symbol, Symbols, Word};
use crate::ir::{
    ArgSpec, Code, Error, ErrorKind, FuncId, ItemId, ItemKind, Label, Module, Name, Place,
    Position, Problem, Register, Result, SignatureSpec, Type,
};
use crate::mem::{Allocator, Entity, Vec};
use crate::num::LongDoubleFormat;

/// After this many errors reading stops.
pub const MAX_ERRORS: usize = 20;

/// What a statement of compiled programs takes, about.
const BYTES_OF_STATEMENT: usize = 24;
/// What there is for each different name of compiled programs, about.
const BYTES_FOR_NAME: usize = 56;

/// Reads all modules of a text.
///
/// `long_double` is the format of the target that the program is for. Every error is given to `report`, in the order in
/// which they are found; reading goes on after an error to find more, up to [`MAX_ERRORS`]. Labels are numbered from 1
/// through all modules.
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
/// let read = text::parse(source, &system, LongDoubleFormat::X87, &mut |error| errors.push(error.to_string()));
/// assert_eq!(read.unwrap_err().problem, Problem::UndeclaredName);
/// assert_eq!(errors, ["3:6: undeclared name"]);
/// ```
pub fn parse<'m>(
    source: &[u8],
    allocator: &'m dyn Allocator,
    long_double: LongDoubleFormat,
    report: &mut dyn FnMut(Error),
) -> Result<Vec<'m, Module<'m>>> {
    let mut reporter = Reporter {
        source,
        report,
        first: None,
        count: 0,
        line: 1,
        line_start: 0,
    };
    let seed = source.as_ptr() as u64;
    let symbols = match u32::try_from(source.len()) {
        Ok(_) => Symbols::new(allocator, seed, source.len() / BYTES_FOR_NAME)
            .map_err(|_| Problem::OutOfMemory),
        Err(_) => Err(Problem::TooLarge),
    };
    let symbols = match symbols {
        Ok(symbols) => symbols,
        Err(problem) => {
            reporter.stop(problem);
            return Err(problem.into());
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
    };
    let modules = parser.modules();
    match (parser.reporter.first, modules) {
        (None, Ok(modules)) => Ok(modules),
        (first, _) => Err(first.unwrap_or(Error::new(Problem::OutOfMemory))),
    }
}

/// Reading cannot go on.
#[derive(Debug)]
pub(super) struct Stop;

/// Gives errors to the caller, with line and column.
pub(super) struct Reporter<'p> {
    source: &'p [u8],
    report: &'p mut dyn FnMut(Error),
    first: Option<Error>,
    count: usize,
    /// A line that was looked up, and where it starts: mostly errors go forward.
    line: u32,
    line_start: usize,
}

impl Reporter<'_> {
    fn report(&mut self, fault: Fault) -> Result<(), Stop> {
        if self.count >= MAX_ERRORS {
            return Err(Stop);
        }
        let place = self.place(fault.start as usize, fault.len);
        let error = Error::at(fault.problem, place);
        (self.report)(error);
        self.first.get_or_insert(error);
        self.count += 1;
        if self.count >= MAX_ERRORS || fault.problem.kind() == ErrorKind::Alloc {
            return Err(Stop);
        }
        Ok(())
    }

    /// Reports what makes reading impossible.
    fn stop(&mut self, problem: Problem) -> Stop {
        let fault = Fault {
            problem,
            start: 0,
            len: 0,
        };
        let _ = self.report(fault);
        Stop
    }

    fn place(&mut self, start: usize, len: u32) -> Place {
        if start < self.line_start {
            (self.line, self.line_start) = (1, 0);
        }
        let before = self.source.get(self.line_start..start).unwrap_or_default();
        self.line += before.iter().filter(|&&byte| byte == b'\n').count() as u32;
        if let Some(last) = before.iter().rposition(|&byte| byte == b'\n') {
            self.line_start += last + 1;
        }
        Place::Text {
            line: self.line,
            column: (start - self.line_start) as u32 + 1,
            len,
        }
    }
}

/// A name in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub(super) symbol: Symbol,
    pub(super) start: u32,
}

/// The first word of a statement, behind its labels.
#[derive(Clone, Copy, Debug)]
struct Head {
    word: Word,
    mention: Mention,
}

pub(super) struct Parser<'p, 's, 'm> {
    pub(super) lexer: Lexer<'s, 'm>,
    /// The token to be looked at next.
    pub(super) token: Token,
    pub(super) allocator: &'m dyn Allocator,
    pub(super) long_double: LongDoubleFormat,
    reporter: Reporter<'p>,
    /// The names with a colon that stand before the current statement.
    labels: Vec<'m, Mention>,
    /// The labels that the current function branches to, not placed when first mentioned there.
    pub(super) pending: Vec<'m, (Label, Mention)>,
    /// For each label the last function that it was pending in.
    pub(super) pending_in: Vec<'m, Option<FuncId>>,
    /// The labels that `lref` items of the current module mention.
    lref_labels: Vec<'m, (Label, Mention)>,
    results: Vec<'m, Type>,
    args: Vec<'m, ArgSpec<'s>>,
    arg_symbols: Vec<'m, Mention>,
    /// For each name the function in which it was last a hard register, and the type of the variables tied to it there.
    hard_regs: Vec<'m, Option<(FuncId, Type)>>,
    /// The elements of the current data item.
    pub(super) data: Vec<'m, u8>,
    /// About how many statements the text has; 0 once the first module has made room for them.
    statements: usize,
}

impl<'s, 'm> Parser<'_, 's, 'm> {
    // ---- tokens

    /// Goes to the next token.
    #[inline]
    pub(super) fn bump(&mut self) {
        self.token = self.lexer.next();
    }

    /// The current token is not what should be there.
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

    /// Gives an error of the module a place: the name that it is about.
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

    /// Takes the name that must be here.
    pub(super) fn take_name(&mut self, problem: Problem) -> Result<Mention, Fault> {
        let Token::Name(symbol) = self.token else {
            return self.unexpected(problem);
        };
        let start = self.lexer.start();
        self.bump();
        Ok(Mention { symbol, start })
    }

    pub(super) fn take_int(&mut self, problem: Problem) -> Result<i64, Fault> {
        if self.token != Token::Int {
            return self.unexpected(problem);
        }
        let value = self.lexer.int();
        self.bump();
        Ok(value)
    }

    pub(super) fn text(&self, mention: Mention) -> &'s [u8] {
        self.lexer.symbols.text(mention.symbol)
    }

    #[inline]
    pub(super) fn at_statement_end(&self) -> bool {
        matches!(self.token, Token::Newline | Token::Semicolon | Token::End)
    }

    /// After an element of a list: whether another one follows. A comma may stand behind the last.
    #[inline]
    pub(super) fn more(&mut self) -> Result<bool, Fault> {
        if self.token == Token::Comma {
            self.bump();
            return Ok(!self.at_statement_end());
        }
        if self.at_statement_end() {
            return Ok(false);
        }
        self.unexpected(Problem::ExpectedComma)
    }

    /// Ends a statement that can have nothing more.
    #[inline]
    fn end_statement(&mut self) -> Result<(), Fault> {
        match self.token {
            Token::Newline | Token::End => Ok(()),
            Token::Semicolon => {
                self.bump();
                Ok(())
            }
            _ => self.unexpected(Problem::ExpectedEnd),
        }
    }

    /// Reports what is wrong with a statement and goes to the next line.
    fn settle<T>(&mut self, result: Result<T, Fault>) -> Result<Option<T>, Stop> {
        let fault = match result {
            Ok(value) => return Ok(Some(value)),
            Err(fault) => fault,
        };
        self.reporter.report(fault)?;
        self.skip_statement();
        Ok(None)
    }

    /// Leaves a newline as the current token: that of this line, or one in the place of `;`.
    fn skip_statement(&mut self) {
        if !self.at_statement_end() {
            self.lexer.skip_line();
        }
        self.token = Token::Newline;
    }

    // ---- statements

    /// The first word of the next statement; `None` at the end of the text.
    fn next_head(&mut self) -> Result<Option<Head>, Stop> {
        loop {
            let head = self.head();
            if let Some(head) = self.settle(head)? {
                return Ok(head);
            }
        }
    }

    #[inline]
    fn head(&mut self) -> Result<Option<Head>, Fault> {
        self.labels.clear();
        loop {
            while self.token == Token::Newline {
                self.bump();
            }
            let Token::Name(symbol) = self.token else {
                return match self.token {
                    Token::End if self.labels.is_empty() => Ok(None),
                    _ => self.unexpected(Problem::ExpectedStatement),
                };
            };
            let start = self.lexer.start();
            let mention = Mention { symbol, start };
            self.bump();
            if self.token != Token::Colon {
                let word = self.lexer.symbols.word(symbol);
                return Ok(Some(Head { word, mention }));
            }
            self.labels.push(mention)?;
            self.bump();
        }
    }

    fn no_label(&self, head: Head) -> Result<(), Fault> {
        match &self.labels[..] {
            [] => Ok(()),
            _ => Err(self.fault_at(head.mention, Problem::LabelNotAllowed)),
        }
    }

    fn one_label(&self, head: Head) -> Result<Mention, Fault> {
        match &self.labels[..] {
            [label] => Ok(*label),
            _ => Err(self.fault_at(head.mention, Problem::OneLabel)),
        }
    }

    fn optional_label(&self, head: Head) -> Result<Option<Mention>, Fault> {
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
                let outside = self.fault_at(start.mention, Problem::OutsideModule);
                self.settle::<()>(Err(outside))?;
                head = self.next_head()?;
                continue;
            }
            let begun = self.begin_module(start);
            let Some(mut module) = self.settle(begun)? else {
                head = self.next_head()?;
                continue;
            };
            module.set_first_label_number(first_label);
            head = self.items(&mut module)?;
            first_label = first_label.wrapping_add(module.label_count() as u32);
            module.end_reading();
            modules
                .push(module)
                .map_err(|_| self.reporter.stop(Problem::OutOfMemory))?;
        }
        Ok(modules)
    }

    fn begin_module(&mut self, head: Head) -> Result<Module<'m>, Fault> {
        let name = self.one_label(head)?;
        self.lexer.symbols.begin_module();
        self.pending_in.clear();
        self.lref_labels.clear();
        let module = Module::new(self.allocator, self.text(name), self.long_double);
        let mut module = self.about(name, module)?;
        let statements = core::mem::take(&mut self.statements);
        // Only a guess: without room for all that there may be room for what there is.
        let _ = module.reserve(statements / 5, statements);
        module.begin_reading();
        self.hard_regs.clear();
        self.end_statement()?;
        Ok(module)
    }

    /// The items of a module up to its `endmodule`; gives the head behind that.
    fn items(&mut self, module: &mut Module<'m>) -> Result<Option<Head>, Stop> {
        let mut next = self.next_head()?;
        loop {
            let Some(head) = next else {
                let fault = self.lexer.here(Problem::MissingEndmodule);
                self.reporter.report(fault)?;
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
                    self.reporter.report(fault)?;
                    return Ok(Some(head));
                }
                Word::Directive(Directive::Func) => next = self.function(module, head)?,
                _ => {
                    let item = self.item(module, head);
                    self.settle(item)?;
                    next = self.next_head()?;
                }
            }
        }
    }

    /// Whatever errors were reported, some of them may be why labels are missing.
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

    fn item(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Fault> {
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

    // ---- items

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
            let name = self.take_name(Problem::ExpectedName)?;
            self.about(name, declare(module, self.text(name)))?;
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

    /// Reads results, arguments and `...`; says whether there was the last.
    fn signature(&mut self) -> Result<bool, Fault> {
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
                    _ => return Err(self.fault_at(word, Problem::UnknownType)),
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

    /// The name of a block argument, in parentheses.
    fn block_arg(&mut self, ty: Type, size: u32) -> Result<(), Fault> {
        self.expect(Token::Open, Problem::BlockArg)?;
        let name = self.take_name(Problem::ExpectedName)?;
        self.expect(Token::Close, Problem::ExpectedClose)?;
        self.arg(ty, size, name)
    }

    /// `16:blk(a)`: the order in which the language's document has it once. What is meant is clear, so the function is
    /// read on with it.
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
        // The caller's next statement stops if this was one error too many.
        let _ = self.reporter.report(fault);
        Ok(())
    }

    fn arg(&mut self, ty: Type, size: u32, name: Mention) -> Result<(), Fault> {
        let text = self.text(name);
        self.args.push(ArgSpec {
            name: text,
            ty,
            size,
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

    /// An item's error is about its name, if it has one.
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

    // ---- functions

    /// A function from its head to its `endfunc`; gives the head behind that.
    fn function(&mut self, module: &mut Module<'m>, head: Head) -> Result<Option<Head>, Stop> {
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
            // What refers to the function shall not be wrong too. If this fails, something else has the name.
            let _ = module.forward(self.text(name));
        }
        added
    }

    /// The arguments just read are the first registers of a function.
    fn arg_registers(&mut self) -> Result<(), Fault> {
        for index in 0..self.arg_symbols.len() {
            let arg = self.arg_symbols[index];
            self.check_new(arg)?;
            let reg = Entity::new(index as u32);
            self.lexer.symbols.set_reg(arg.symbol, reg);
        }
        Ok(())
    }

    /// No register of the function may have this name yet.
    fn check_new(&self, name: Mention) -> Result<(), Fault> {
        match self.lexer.symbols.reg(name.symbol) {
            None => Ok(()),
            Some(_) => Err(self.fault_at(name, Problem::RepeatedReg)),
        }
    }

    /// Passes over a function whose head could not be read.
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

    /// A statement in a function that belongs outside, or nowhere.
    fn foreign_statement(&mut self, module: &mut Module<'m>, head: Head) -> Result<(), Stop> {
        let problem = match head.word {
            Word::Other if self.text(head.mention) == b"va_stack_arg" => Problem::VaStackArg,
            Word::Other => Problem::UnknownStatement,
            _ => {
                // It is read as an item all the same, for what refers to it.
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

    /// Ends a function at its `endfunc`, or where it is missing.
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

    /// Labels that were branched to must be in the function by its end.
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

    #[inline]
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

    /// `local` and `global`: `TYPE:NAME` or `TYPE:NAME:HARDREG`.
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

    /// `:HARDREG` behind a variable of type `ty`. Variables on one hard register share it, so they are of one type.
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

    // ---- names

    /// The module's number of a name.
    #[inline]
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

    /// The item that a name stands for.
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

    /// The label of a name, made at its first mention.
    #[inline]
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
