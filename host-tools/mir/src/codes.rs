//! The codes of diagnostics, and what `mir explain` says of them: the page `docs/errors.md`.
//!
//! A code keeps its number for ever: a problem that is new gets a new one.

use core::fmt;
use mir_nostd::ir::Problem;

/// The code of a diagnostic: `E` and a number for errors, `W` and a number for warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Code {
    letter: char,
    number: u16,
}

const fn error(number: u16) -> Code {
    Code {
        letter: 'E',
        number,
    }
}

const fn warning(number: u16) -> Code {
    Code {
        letter: 'W',
        number,
    }
}

impl Code {
    /// The file is of another format.
    pub(crate) const OTHER_FORMAT: Code = error(122);
    /// LLVM IR that Medium IR cannot express, or that is wrong.
    pub(crate) const LLVM_IR: Code = error(123);
    /// LLVM's Machine IR that is wrong, or that cannot be gone on with.
    pub(crate) const MACHINE_IR: Code = error(124);
    pub(crate) const NO_MAIN: Code = error(125);
    /// A run ended in a fault.
    pub(crate) const FAULT: Code = error(126);
    pub(crate) const STACK_USED_UP: Code = error(127);
    /// The program accessed memory that is not the process's.
    pub(crate) const REFUSED_ACCESS: Code = error(128);
    /// The program, or a part of it, cannot be compiled.
    pub(crate) const NOT_COMPILED: Code = error(129);
    /// The compiler itself is wrong.
    pub(crate) const INTERNAL: Code = error(130);
    /// A file cannot be read or written.
    pub(crate) const FILE: Code = error(131);
    /// The command line is wrong.
    pub(crate) const COMMAND_LINE: Code = error(132);
    /// A function is interpreted that should be compiled.
    pub(crate) const INTERPRETED: Code = warning(5);
    /// A function is left out that cannot be expressed.
    pub(crate) const LEFT_OUT: Code = warning(6);
    /// An instruction that the C implementation does not have.
    pub(crate) const EXTENSION: Code = warning(7);

    /// Returns the code of a problem.
    pub(crate) const fn of(problem: Problem) -> Code {
        match problem {
            Problem::IntegerTooLarge => warning(1),
            Problem::RunsOffEnd => warning(2),
            Problem::OtherSignature => warning(4),
            Problem::NameAsDisplacement => warning(8),
            _ => error(number(problem)),
        }
    }

    /// Returns the code of a problem that is only a warning in this place.
    pub(crate) const fn of_warning(problem: Problem) -> Code {
        match problem {
            Problem::NeverDefined => warning(3),
            _ => Code::of(problem),
        }
    }

    /// Returns the code that is written so, in capitals or not, with or without leading zeros.
    pub(crate) fn from_text(text: &str) -> Option<Code> {
        let (letter, digits) = text.split_at_checked(1)?;
        let number = digits.parse().ok()?;
        match letter {
            "E" | "e" => Some(error(number)),
            "W" | "w" => Some(warning(number)),
            _ => None,
        }
    }

    /// Returns the code's section of the page.
    pub(crate) fn section(self) -> Option<Section> {
        sections().find(|section| section.code == self)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:04}", self.letter, self.number)
    }
}

/// Returns the number of the code of a problem that may be an error.
const fn number(problem: Problem) -> u16 {
    use Problem as P;
    match problem {
        P::UnknownByte => 1,
        P::NulByte => 2,
        P::UnfinishedString => 3,
        P::HexEscape => 4,
        P::NumberAfterSign => 5,
        P::OctalDigit => 6,
        P::HexDigits => 7,
        P::HexReal => 8,
        P::ExponentDigits => 9,
        P::IntegerSuffix => 10,
        P::NumberEnd => 11,
        P::UnknownStatement => 12,
        P::NanBits => 13,
        P::ExpectedStatement => 14,
        P::ExpectedName => 15,
        P::ExpectedInt => 16,
        P::ExpectedString => 17,
        P::ExpectedType => 18,
        P::ExpectedColon => 19,
        P::ExpectedComma => 20,
        P::ExpectedClose => 21,
        P::ExpectedEnd => 22,
        P::ExpectedLabel => 23,
        P::ExpectedOperand => 24,
        P::ExpectedAddress => 25,
        P::ExpectedRegister => 26,
        P::ExpectedAlias => 27,
        P::ExpectedHardReg => 28,
        P::UnknownType => 29,
        P::VaStackArg => 30,
        P::BlockArg => 31,
        P::BlockSize => 32,
        P::ResultAfterArg => 33,
        P::DotsLast => 34,
        P::Scale => 36,
        P::BssLength => 37,
        P::DataValue => 38,
        P::LabelNotAllowed => 39,
        P::OneLabel => 40,
        P::LabelAtEnd => 41,
        P::OutsideModule => 42,
        P::OutsideFunction => 43,
        P::ItemInFunction => 44,
        P::NestedModule => 45,
        P::NoFunction => 46,
        P::MissingEndfunc => 47,
        P::MissingEndmodule => 48,

        P::UndeclaredName => 49,
        P::UndeclaredReg => 50,
        P::RepeatedItem => 51,
        P::AlreadyProto => 52,
        P::RepeatedReg => 53,
        P::LabelDefinedTwice => 54,
        P::ImportOfDefinition => 55,
        P::AlreadyImported => 56,
        P::ReservedRegName => 57,
        P::RegisterType => 58,
        P::HardRegTypes => 59,
        P::ResultType => 60,
        P::DataType => 61,
        P::VarargWithoutFixed => 62,
        P::NeverDefined => 63,
        P::LabelUndefined => 64,
        P::LabelOfOtherFunction => 65,
        P::LrefUndefined => 66,
        P::LrefFunctions => 67,
        P::ExprFunction => 68,

        P::OperandCount => 69,
        P::TooManyOperands => 70,
        P::InternalInsn => 71,
        P::NotAssignable => 72,
        P::NotInteger => 73,
        P::NotFloat => 74,
        P::NotDouble => 75,
        P::NotLongDouble => 76,
        P::NotLabel => 77,
        P::NotRegister => 78,
        P::NotMemory => 79,
        P::NotConstant => 80,
        P::NotVariable => 81,
        P::AddressRegister => 82,
        P::BlockOutsideCall => 83,
        P::RetCount => 84,
        P::JretWithResults => 85,
        P::JretWithRet => 86,
        P::OverflowBranch => 87,
        P::VaStartWithoutVararg => 88,

        P::NotPrototype => 89,
        P::NotCallable => 90,
        P::CallOperandCount => 91,
        P::CallTooLarge => 92,
        P::BlockWanted => 93,
        P::BlockNotWanted => 94,
        P::BlockForm => 95,
        P::FloatVariadic => 96,
        P::RblkVariadic => 97,
        P::LabelArgument => 98,
        P::JcallOfSetjmp => 99,

        P::UnknownHardReg => 100,
        P::ReservedHardReg => 101,
        P::HardRegClass => 102,
        P::HardRegAddress => 103,
        P::LongDoubleOfTarget | P::LongDoubleForeign => 104,
        P::FloatRefused => 105,
        // These are always warnings.
        P::IntegerTooLarge | P::RunsOffEnd | P::OtherSignature | P::NameAsDisplacement => 0,

        P::UnresolvedImport => 106,
        P::RedefinedExport => 107,
        P::OtherTarget
        | P::LinkUnderWay
        | P::NotAFunction
        | P::NotInFunction
        | P::ConfinedSize
        | P::ConfinedSpace
        | P::ConfinedFuel
        | P::ConfinedLinked
        | P::ConfinedWindow => 108,
        P::ExprStopped => 109,
        P::LinkFuel => 110,
        P::ConfinedImport => 111,
        P::ConfinedData => 112,
        P::ConfinedHardRegister => 113,
        P::ConfinedInsn => 114,
        P::OutOfMemory => 115,
        P::TooLarge | P::OverLimit => 116,

        P::WrongMagic
        | P::CutShort
        | P::WrongContainerNumber
        | P::WrongLiteralCount
        | P::WrongDistance
        | P::WrongMatchLength
        | P::WrongCheck
        | P::AfterEnd
        | P::Unfinished => 117,
        P::NewVersion => 118,
        P::WrongToken
        | P::NotUnsigned
        | P::NotSigned
        | P::NotReg
        | P::NotName
        | P::NotType
        | P::NotDataElement
        | P::StringNumber
        | P::WrongScale
        | P::HardRegCount
        | P::LabelNumber
        | P::NamelessItem
        | P::NameEnd
        | P::WordUnknown
        | P::WrongInsnCode
        | P::OperandMissing
        | P::LabelsBeforeDirective => 119,
        P::ItemOutsideModule
        | P::InsnOutsideFunc
        | P::ModuleInModule
        | P::FuncInFunc
        | P::EndOfNoModule
        | P::EndOfNoFunc
        | P::ModuleNotEnded
        | P::FuncNotEnded => 120,
        P::OutputRefused => 121,
        P::ListEntry => 133,
        P::NotAtomic => 134,
        P::NotOrder => 135,
    }
}

/// The page that explains the codes.
const PAGE: &str = include_str!("../errors.md");

/// The section of the page on a code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) code: Code,
    pub(crate) title: &'static str,
    /// Everything below the heading.
    pub(crate) text: &'static str,
}

impl Section {
    /// Returns the explanation in words, without the example.
    pub(crate) fn explanation(&self) -> String {
        let words = self.text.split("```").next().unwrap_or_default();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Returns the sections of the page, in order.
pub(crate) fn sections() -> impl Iterator<Item = Section> {
    PAGE.split("\n### ").skip(1).filter_map(|part| {
        let (heading, text) = part.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        // The heading of the next group ends a section too.
        let text = text.split("\n## ").next().unwrap_or(text).trim();
        let code = Code::from_text(code)?;
        Some(Section { code, title, text })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        for text in ["E0012", "W0003"] {
            let code = Code::from_text(text).expect("a code");
            assert_eq!(code.to_string(), text);
        }
        assert_eq!(
            Code::from_text("e12"),
            Some(Code::of(Problem::UnknownStatement))
        );
        for text in ["", "12", "X1", "E", "\u{e9}1"] {
            assert_eq!(Code::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn every_code_is_explained_once() {
        let explained: Vec<_> = sections().map(|section| section.code.to_string()).collect();
        // The number 35 is free: that error became a warning, and codes are not used again.
        let errors = (1..=135).filter(|&number| number != 35).map(error);
        let warnings = (1..=8).map(warning);
        let expected: Vec<_> = errors
            .chain(warnings)
            .map(|code| code.to_string())
            .collect();
        assert_eq!(explained, expected);
        for section in sections() {
            assert!(section.explanation().len() > 40, "{}", section.code);
        }
    }
}
