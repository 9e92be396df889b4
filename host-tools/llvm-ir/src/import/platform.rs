//! The rules by which clang lowers calls to LLVM IR, as far as they differ between platforms.

use super::signature::{Form, Passed};
use crate::types::Type;
use mir_nostd::ir::Type as MediumType;
use mir_nostd::target::{LongDoubleResult, Results, Target};

/// The rules of one platform.
#[derive(Debug)]
pub(super) struct Platform {
    /// The name of the target.
    name: &'static str,
    /// True if the architecture of a triple is this one.
    pub(super) is_architecture: fn(&str) -> bool,
    /// The argument before one that is aligned to 16 bytes on the stack, where those are aligned.
    pub(super) filler: Option<Passed>,
    pub(super) pairs: Pairs,
    pub(super) arrays: Arrays,
    /// True if two floats (`<2 x float>`) are passed in the low half of a vector register, which
    /// is a floating register.
    pub(super) float_pairs: bool,
    /// The way in which a `half` is passed, and a `bfloat`; `None` where the C compiler has none.
    pub(super) shorts: [Option<Short>; 2],
    /// The registers that LLVM returns values in: more than C has a use for, and on ppc64le fewer
    /// integer ones.
    pub(super) returned: Results,
    /// The number of words that LLVM returns in registers of all kinds together.
    pub(super) most_returned: u32,
}

/// The way in which an integer of two words is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pairs {
    /// Each word goes to the next place for a word.
    Apart,
    /// Both words are in registers, or both in aligned memory.
    Whole,
    /// The first register has an even number.
    Even,
    /// The first register of a variable argument has an even number.
    EvenIfVariable,
    /// The caller passes the address of a copy, and for a result that of memory for it.
    ByAddress,
}

/// The bits of a `float` in which a floating value of 16 bits is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Short {
    /// The lower ones; the others are undefined.
    Low,
    /// The lower ones; the others are ones, as a register holds a narrower value.
    Boxed,
    /// The upper ones; the others are undefined.
    High,
}

/// The way in which the elements of an array are passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrays {
    /// One by one.
    Apart,
    /// All in registers or none, if they are of one kind.
    Together,
    /// Floats share words, and arrays of integers of two words are aligned.
    Words,
}

const fn results(ints: u8, floats: u8, long_double: LongDoubleResult) -> Results {
    Results {
        ints,
        floats,
        long_double,
    }
}

const WORD: Option<Passed> = Some(Passed::scalar(MediumType::I64, Form::Filler));

static PLATFORMS: [Platform; 5] = [
    Platform {
        name: "x86_64",
        is_architecture: |arch| arch == "x86_64",
        // A block is always on the stack.
        filler: Some(Passed::block(8, Form::Filler)),
        pairs: Pairs::Whole,
        arrays: Arrays::Apart,
        float_pairs: true,
        shorts: [Some(Short::Low); 2],
        returned: results(3, 4, LongDoubleResult::X87(2)),
        most_returned: u32::MAX,
    },
    Platform {
        name: "aarch64",
        is_architecture: |arch| matches!(arch, "aarch64" | "arm64"),
        filler: WORD,
        pairs: Pairs::Even,
        arrays: Arrays::Together,
        float_pairs: true,
        shorts: [Some(Short::Low); 2],
        returned: results(8, 8, LongDoubleResult::Float),
        most_returned: u32::MAX,
    },
    Platform {
        name: "ppc64le",
        is_architecture: |arch| matches!(arch, "powerpc64le" | "ppc64le"),
        filler: WORD,
        pairs: Pairs::Apart,
        arrays: Arrays::Words,
        float_pairs: false,
        shorts: [None; 2],
        returned: results(4, 8, LongDoubleResult::FloatPair),
        most_returned: u32::MAX,
    },
    Platform {
        name: "riscv64",
        is_architecture: |arch| arch.starts_with("riscv64"),
        filler: WORD,
        pairs: Pairs::EvenIfVariable,
        arrays: Arrays::Apart,
        float_pairs: false,
        shorts: [Some(Short::Boxed); 2],
        returned: results(2, 2, LongDoubleResult::IntPair),
        most_returned: 2,
    },
    Platform {
        name: "s390x",
        is_architecture: |arch| matches!(arch, "s390x" | "systemz"),
        filler: None,
        pairs: Pairs::ByAddress,
        arrays: Arrays::Apart,
        float_pairs: false,
        shorts: [Some(Short::High), None],
        returned: results(4, 4, LongDoubleResult::Memory),
        most_returned: u32::MAX,
    },
];

impl Platform {
    /// Returns how the C compiler passes a floating value of 16 bits, if it has such a type.
    pub(super) const fn short(&self, ty: &Type) -> Option<Short> {
        match ty {
            Type::Half => self.shorts[0],
            Type::BFloat => self.shorts[1],
            _ => None,
        }
    }

    /// Returns the platform of a target, if its rules are known.
    pub(super) fn of(target: &Target) -> Option<&'static Platform> {
        PLATFORMS
            .iter()
            .find(|platform| platform.name == target.name)
    }
}
