//! Errors of the reader of text in words: with the word that is wrong, what was probably meant, and
//! the other places that matter.

use crate::codes::Code;
use crate::diagnostics::{Finding, Label, Suggestion};
use crate::outline::{Entry, Outline};
use crate::suggest::{self, Scope, similar};
use core::ops::Range;
use mir_nostd::ir::{self, Error, Place, Problem, Type};

/// Returns the finding for an error of the reader of this text.
pub(crate) fn finding_of_text(outline: &Outline<'_>, error: Error) -> Finding {
    let problem = error.problem;
    let Place::Text { line, column, len } = error.place else {
        return Finding::error(Code::of(problem), problem.text());
    };
    let start = outline.offset(line, column);
    let range = start..start + len as usize;
    let mistake = Mistake {
        outline,
        problem,
        word: shortened(&outline.words(&range)),
        entry: outline.at(start),
        range,
    };
    Finding {
        is_warning: problem.is_warning(),
        kind: Some(error.kind()),
        span: Some(outline.span(&mistake.range)),
        suggestion: mistake.suggestion(),
        labels: mistake.labels(),
        ..Finding::error(Code::of(problem), mistake.message())
    }
}

/// Returns the first part of a long text.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(MOST).collect();
    if cut.len() < text.len() {
        cut + "..."
    } else {
        cut
    }
}

/// Returns a number of things.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// An error and what is there in the text.
struct Mistake<'o, 't> {
    outline: &'o Outline<'t>,
    problem: Problem,
    range: Range<usize>,
    /// The text of the range.
    word: String,
    /// The statement.
    entry: Option<&'o Entry>,
}

impl<'o> Mistake<'o, '_> {
    fn message(&self) -> String {
        use Problem as P;
        let (word, text) = (&self.word, self.problem.text());
        match self.problem {
            P::UnknownByte => format!("{} cannot begin a word, a number or a string", self.byte()),
            P::OctalDigit | P::HexDigits | P::HexReal | P::ExponentDigits | P::IntegerSuffix => {
                format!("`{word}` is not a number: {text}")
            }
            P::NumberEnd => format!("`{word}` is not a number: letters follow its digits"),
            P::IntegerTooLarge => {
                format!("`{word}` does not fit in 64 bits: its value here is -1")
            }
            P::UnknownStatement => format!("there is no directive or instruction `{word}`"),
            P::UnknownType => format!("`{word}` is not a type"),
            P::ExpectedStatement
            | P::ExpectedName
            | P::ExpectedInt
            | P::ExpectedString
            | P::ExpectedType
            | P::ExpectedColon
            | P::ExpectedComma
            | P::ExpectedClose
            | P::ExpectedEnd
            | P::ExpectedLabel
            | P::ExpectedOperand
            | P::ExpectedAddress
            | P::ExpectedRegister
            | P::ExpectedAlias
            | P::ExpectedHardReg
            | P::BssLength
            | P::BlockSize
            | P::Scale => match word.as_str() {
                "" => format!("{text}, but the statement ends here"),
                word => format!("{text}, not `{word}`"),
            },
            P::DotsLast => format!("{text}, but `{word}` follows"),
            P::ResultAfterArg => {
                format!("`{word}` without a name is a result, but {text}")
            }
            P::NanBits => "these are not the bits of a NaN of this type: all of them are written, \
                 as in `nan(0x7ff8000000000000)` for a double"
                .into(),
            P::NameAsDisplacement => format!(
                "`{word}` is no displacement, and the access is to null: registers stand in \
                 parentheses"
            ),
            P::DataValue => format!("`{word}` is not a value of {}", self.data_type()),
            _ => self.message_of_names(),
        }
    }

    /// Returns the message for statements out of place, and for names.
    fn message_of_names(&self) -> String {
        use Problem as P;
        let (word, text) = (&self.word, self.problem.text());
        match self.problem {
            P::LabelNotAllowed => format!("no label can stand before `{word}`"),
            P::OneLabel => {
                format!("one name must stand before `{word}`, as in `NAME: {word}`")
            }
            P::LabelAtEnd => format!("an instruction must follow the label before `{word}`"),
            P::OutsideModule => format!("`{word}` must be in a module"),
            P::OutsideFunction => format!("`{word}` must be in a function"),
            P::ItemInFunction => {
                format!("`{word}` cannot be in a function: `endfunc` is missing before it")
            }
            P::NestedModule => format!("`endmodule` is missing before this `{word}`"),
            P::NoFunction => format!("there is no function for this `{word}` to end"),
            P::MissingEndfunc if word.is_empty() => "`endfunc` is missing at the end".into(),
            P::MissingEndfunc => format!("`endfunc` is missing before this `{word}`"),
            P::UndeclaredName => format!("`{word}` is not declared"),
            P::UndeclaredReg => format!("the function has no register `{word}`"),
            P::RepeatedItem => format!("`{word}` is already the name of another item"),
            P::AlreadyProto => format!("`{word}` is already the name of a prototype"),
            P::RepeatedReg => format!("the function already has a register `{word}`"),
            P::LabelDefinedTwice => format!("the label `{word}` is defined twice"),
            P::ImportOfDefinition => {
                format!("`{word}` cannot be imported: this module defines or exports it")
            }
            P::AlreadyImported => format!("`{word}` is already imported"),
            P::ReservedRegName => format!(
                "`{word}` is reserved: register names cannot begin with `.lc`, or be `hr` and digits"
            ),
            P::RegisterType => format!("`{word}` cannot have this type: {text}"),
            P::HardRegTypes => {
                format!("two variables of different types are tied to the hard register `{word}`")
            }
            P::ResultType => format!("`{word}` is a block, which cannot be a result"),
            P::DataType => format!("data elements cannot be of type `{word}`"),
            P::VarargWithoutFixed => {
                format!("`{word}` has variable arguments, so it needs a fixed argument before them")
            }
            P::LabelUndefined => format!("the label `{word}` is not placed in this function"),
            P::LabelOfOtherFunction => format!("the label `{word}` belongs to another function"),
            P::OperandCount => self.operand_count().unwrap_or_else(|| text.into()),
            P::InternalInsn => format!("`{word}` is for internal use: programs cannot have it"),
            P::ExprFunction => format!("`{word}` cannot give the value of an expr: {text}"),
            P::BlockOutsideCall => format!("`{word}` is a block: {text}"),
            _ => text.into(),
        }
    }

    fn byte(&self) -> String {
        match self.outline.bytes(&self.range) {
            [byte @ b'!'..=b'~'] => format!("`{}`", char::from(*byte)),
            [byte] => format!("the byte 0x{byte:02X}"),
            _ => "this".into(),
        }
    }

    /// Returns the type of the data whose values the statement lists.
    fn data_type(&self) -> String {
        let word = self.entry.map(|entry| self.outline.word_of(entry));
        let word = String::from_utf8_lossy(word.unwrap_or_default());
        format!("type `{word}`")
    }

    /// Returns how many operands an instruction takes, and how many it was given.
    fn operand_count(&self) -> Option<String> {
        let code = ir::Code::from_name(self.word.as_bytes())?;
        let given = self.entry?.statement.operands.len();
        let takes = match code {
            _ if code.is_call() => "a prototype and a function, and what that asks for".into(),
            ir::Code::Switch => "an index and one label or more".into(),
            _ => count(code.modes().len(), "operand"),
        };
        let are = if given == 1 { "is" } else { "are" };
        let given = match given {
            0 => "none".into(),
            given => given.to_string(),
        };
        Some(format!(
            "`{}` takes {takes}, but {given} {are} given",
            self.word
        ))
    }

    // ---- what was probably meant

    fn suggestion(&self) -> Option<Suggestion> {
        use Problem as P;
        let word = self.word.as_str();
        match self.problem {
            P::UnknownByte => advice(byte_advice(self.outline.bytes(&self.range))?),
            P::OctalDigit => self.write(word.trim_start_matches('0')),
            P::IntegerSuffix => {
                let (digits, suffix) = word.split_at_checked(word.len().checked_sub(1)?)?;
                let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
                is_number.then(|| self.write(&format!("{digits}.0{suffix}")))?
            }
            P::NumberEnd => {
                let digits = word.bytes().take_while(u8::is_ascii_digit).count();
                self.write(&word[..digits])
            }
            P::UnknownStatement if self.is_assignment() => advice("write `mov TO, FROM`"),
            P::UnknownStatement => self.mean(suggest::statement(word, self.scope())?),
            P::UnknownType => self.write(self.type_for(suggest::type_named(word)?).name()),
            P::RegisterType => advice(&format!("write `{}:{word}`", self.type_of_register()?)),
            P::UndeclaredName => self.name_meant(),
            P::UndeclaredReg => self.register_meant(),
            P::LabelUndefined => {
                let labels = self.names(self.outline.labels(self.entry?));
                self.mean(similar(word, labels.iter().map(String::as_str))?)
            }
            P::NameAsDisplacement => self.write(&format!("({word})")),
            P::ResultAfterArg => advice(&format!("write `{word}:NAME` if it is an argument")),
            P::BlockArg => self.block_meant(),
            _ => None,
        }
    }

    /// Suggests to write this text in place of the word.
    fn write(&self, text: &str) -> Option<Suggestion> {
        self.replacement(format!("write `{text}`"), text)
    }

    /// Suggests that this word was meant.
    fn mean(&self, word: &str) -> Option<Suggestion> {
        self.replacement(format!("did you mean `{word}`?"), word)
    }

    fn replacement(&self, text: String, by: &str) -> Option<Suggestion> {
        let span = self.outline.span(&self.range);
        let replacement = Some((span, by.to_owned()));
        (!by.is_empty()).then_some(Suggestion { text, replacement })
    }

    /// True if the word is followed by `=`.
    fn is_assignment(&self) -> bool {
        let end = self.entry.map_or(self.range.end, |entry| entry.range.end);
        let rest = self
            .outline
            .bytes(&(self.range.end..end.max(self.range.end)));
        rest.trim_ascii_start().starts_with(b"=")
    }

    fn scope(&self) -> Scope {
        match self.entry {
            Some(entry) if entry.func.is_some() => Scope::Function,
            Some(entry) if entry.module.is_some() => Scope::Module,
            _ => Scope::File,
        }
    }

    /// Returns the type that a variable has for one of this type, which memory may have.
    fn type_for(&self, ty: Type) -> Type {
        let word = self.entry.map(|entry| self.outline.word_of(entry));
        match word {
            Some(b"local" | b"global") => ty.class().ty(),
            _ => ty,
        }
    }

    /// Returns the type that a variable must have whose type is one of memory.
    fn type_of_register(&self) -> Option<&'static str> {
        let mut operands = self.entry?.statement.operands.iter();
        let operand = operands.find(|operand| operand.contains(&self.range.start))?;
        let words = self.outline.words(operand);
        let ty = suggest::type_exactly(words.split(':').next()?.trim())?;
        Some(ty.class().ty().name())
    }

    fn names(&self, ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<String> {
        ranges
            .into_iter()
            .map(|range| self.outline.words(&range))
            .collect()
    }

    fn name_meant(&self) -> Option<Suggestion> {
        let entry = self.entry?;
        // Names may begin with a point.
        if self.word.starts_with('.') && self.word[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return self.write(&format!("0{}", self.word));
        }
        let registers = self.outline.registers(entry);
        let names = self.names(registers.into_iter().chain(self.outline.items(entry)));
        if let Some(name) = similar(&self.word, names.iter().map(String::as_str)) {
            return self.mean(name);
        }
        let word = &self.word;
        let labels = self.names(self.outline.labels(entry));
        if labels.contains(word) {
            return advice(&format!("`{word}` is a label: `laddr` takes its address"));
        }
        match entry.func {
            Some(_) => advice(&format!(
                "declare it: `local i64:{word}` if it is a variable, `import {word}` in the module \
                 if it is from elsewhere"
            )),
            None => advice(&format!(
                "define it before this, or declare it: `forward {word}`, `import {word}`"
            )),
        }
    }

    fn register_meant(&self) -> Option<Suggestion> {
        let entry = self.entry?;
        let word = &self.word;
        let registers = self.names(self.outline.registers(entry));
        if let Some(name) = similar(word, registers.iter().map(String::as_str)) {
            return self.mean(name);
        }
        if self.names(self.outline.items(entry)).contains(word) {
            return advice(&format!(
                "`{word}` is an item: put its address into a register first, by `mov REGISTER, {word}`"
            ));
        }
        advice(&format!("declare it: `local i64:{word}`"))
    }

    /// Suggests the right order for `16:blk(a)`.
    fn block_meant(&self) -> Option<Suggestion> {
        let mut operands = self.entry?.statement.operands.iter();
        let operand = operands.find(|operand| operand.start == self.range.start)?;
        let words = self.outline.words(operand);
        let (size, rest) = words.split_once(':')?;
        let (ty, name) = rest.split_once('(')?;
        let text = format!("{ty}:{size}({name}");
        Some(Suggestion {
            text: format!("write `{text}`"),
            replacement: Some((self.outline.span(operand), text)),
        })
    }

    // ---- the other places

    fn labels(&self) -> Vec<Label> {
        use Problem as P;
        let label = match self.problem {
            P::RepeatedReg => self.first_of(self.entry.map(|entry| self.outline.registers(entry))),
            P::RepeatedItem | P::AlreadyProto | P::ImportOfDefinition | P::AlreadyImported => {
                self.first_of(self.entry.map(|entry| self.outline.items(entry)))
            }
            P::LabelDefinedTwice => self.first_label("first defined here"),
            P::LabelOfOtherFunction => self.first_label("it is placed here"),
            P::MissingEndfunc | P::ItemInFunction => self.begin_of(b"func", ""),
            P::NestedModule | P::MissingEndmodule => self.begin_of(b"module", "module "),
            _ => None,
        };
        label.into_iter().collect()
    }

    /// Returns the first of these places where the word stands.
    fn first_of(&self, ranges: Option<Vec<Range<usize>>>) -> Option<Label> {
        let same = ranges?.into_iter().filter(|range| self.is_same_word(range));
        let first = same.min_by_key(|range| range.start)?;
        Some(self.label(&first, "first defined here".into()))
    }

    fn is_same_word(&self, range: &Range<usize>) -> bool {
        range.start != self.range.start
            && self.outline.bytes(range) == self.outline.bytes(&self.range)
    }

    /// Returns where the label of this name is placed in a function of the module.
    fn first_label(&self, text: &str) -> Option<Label> {
        let module = self.entry?.module;
        let entries = self.outline.entries().iter();
        let in_functions = entries.filter(|entry| {
            let is_head = self.outline.word_of(entry) == b"func";
            entry.module == module && entry.func.is_some() && !is_head
        });
        let mut labels = in_functions.flat_map(|entry| &entry.labels);
        let first = labels.find(|label| self.is_same_word(label))?;
        Some(self.label(first, text.into()))
    }

    /// Returns where the last function or module before this begins.
    fn begin_of(&self, word: &[u8], kind: &str) -> Option<Label> {
        let before = self.outline.entries().iter().rev().filter(|entry| {
            let at = &entry.statement.word;
            // At the end of the text, the mistake is after the last statement.
            at.end <= self.range.start
        });
        let mut begins = before.filter(|entry| self.outline.word_of(entry) == word);
        let begin = begins.next()?;
        let name = begin.labels.first().unwrap_or(&begin.statement.word);
        let text = format!("{kind}`{}` begins here", self.outline.words(name));
        Some(self.label(name, text))
    }

    fn label(&self, range: &Range<usize>, text: String) -> Label {
        let span = self.outline.span(range);
        Label { span, text }
    }
}

fn advice(text: &str) -> Option<Suggestion> {
    Some(Suggestion {
        text: text.to_owned(),
        replacement: None,
    })
}

/// Says what to write where other languages have this character.
fn byte_advice(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        b"=" => "a value is assigned by `mov TO, FROM`",
        b"/" | b"*" => "comments begin with `#`; `div` divides and `mul` multiplies",
        b"{" | b"}" => "a function begins with `NAME: func` and ends with `endfunc`",
        b"[" | b"]" => "memory is written `TYPE:DISPLACEMENT(BASE, INDEX, SCALE)`",
        b"'" => "characters are written as numbers, strings in double quotes",
        b"@" | b"!" | b"&" | b"~" | b"\\" => {
            "names are of letters, digits, `_`, `$`, `%` and `.`, and do not begin with a digit"
        }
        _ => return None,
    })
}
