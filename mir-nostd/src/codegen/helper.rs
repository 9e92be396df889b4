//! Routines of the runtime that compiled code calls.

use crate::machine::{CallSite, Function, Generic, HelperId, InsnId, Symbol};

macro_rules! helpers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        /// A routine that compiled code calls with integers only. The first argument is the address
        /// of the runtime; position-independent code does not know it and passes only the others.
        /// Addresses of long doubles are of 16 bytes in the target's memory form.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Helper {
            $($(#[$doc])* $name,)*
        }

        impl Helper {
            /// All helpers, in the order of their numbers.
            pub const ALL: &[Helper] = &[$(Helper::$name),*];

            /// Returns the helper as Machine IR refers to it.
            #[must_use]
            pub const fn id(self) -> HelperId {
                HelperId::new(self as u8)
            }

            /// Returns the helper that Machine IR refers to; `None` if there is none.
            #[must_use]
            pub fn of(id: HelperId) -> Option<Helper> {
                Helper::ALL.get(usize::from(id.number())).copied()
            }
        }
    };
}

/// Returns the routine that an instruction calls, if it is one of the runtime's.
pub(crate) fn helper_of(function: &Function<'_>, insn: InsnId) -> Option<Helper> {
    if function.insn(insn).opcode.generic() != Some(Generic::Call) {
        return None;
    }
    let symbol = function.operands(insn).first()?.as_symbol()?;
    match function.symbol(symbol) {
        Symbol::Helper(id) => Helper::of(id),
        _ => None,
    }
}

/// Returns whether an instruction ends the run: it calls a routine that does not return.
pub(crate) fn ends_run(function: &Function<'_>, insn: InsnId) -> bool {
    matches!(
        helper_of(function, insn),
        Some(
            Helper::Fault
                | Helper::FaultWith
                | Helper::FaultAt
                | Helper::OutOfFuel
                | Helper::OutOfFuelAt
        )
    )
}

helpers! {
    /// `(callable, kind, instruction)`: the function faults, the kind being a
    /// [`FaultKind`](crate::ir::FaultKind); does not return. In position-independent code the first
    /// argument is the address of the function's name, ending in NUL.
    Fault;
    /// `(callable, instruction)`: there is too little fuel for a block; does not return.
    OutOfFuel;
    /// `(callable, instruction, cost)`: there is too little fuel for a block; returns when there is
    /// more.
    AskForFuel;
    /// `(callable, kind, instruction, value)`: the function faults, with a number to report; does
    /// not return.
    FaultWith;
    /// `(callable, place, value, stack pointer)`: does as [`Helper::FaultWith`] for the function
    /// that is compiled, and notes the calls under way. For `place` see `Place`.
    FaultAt;
    /// `(callable, place, cost, stack pointer)`: there is too little fuel for a block; returns when
    /// there is more, else notes the calls under way.
    FuelAt;
    /// `(callable, place, cost, stack pointer)`: does as [`Helper::FuelAt`] where no more may be
    /// asked for; does not return.
    OutOfFuelAt;
    /// `(callable, place, address, windows)`: the host's address for an access through a table of
    /// windows; the function faults if there is none. `place` is the number of the instruction and,
    /// in the high half, what the access is: twice its bytes, plus 1 if it writes. In
    /// position-independent code the routine knows where the table is, and is not told.
    Window;
    /// No routine: the word that holds the fuel.
    FuelWord;
    /// No routine: the word that holds the lowest address that the stack may reach.
    StackWord;
    /// `(to, from, bytes)`: copies a block; in position-independent code `memmove`.
    CopyBlock;
    /// `(list, image, stack, used)`: `va_start`. `used` packs the resources of the named arguments:
    /// integer registers in bits 0..8, floating-point ones in 8..16, arguments in 16..32, stack
    /// bytes in 32..64.
    VaStart;
    /// `(list, type)`: the address of the next argument.
    VaArg;
    /// `(to, list, bytes, class)`: copies the next argument, a block.
    VaBlockArg;
    /// `(d, a, b)`: d = a + b.
    LdAdd;
    /// `(d, a, b)`: d = a - b.
    LdSub;
    /// `(d, a, b)`: d = a * b.
    LdMul;
    /// `(d, a, b)`: d = a / b.
    LdDiv;
    /// `(d, a)`: d = -a.
    LdNeg;
    /// `(a, b)`: bit 0 if a < b, bit 1 if equal, bit 2 if a > b, bit 3 if unordered.
    LdCompare;
    /// `(d, integer)`: from signed.
    LdFromInt;
    /// `(d, integer)`: from unsigned.
    LdFromUnsigned;
    /// `(a)`: to signed, toward zero, saturating.
    LdToInt;
    /// `(d, address of a float)`.
    LdFromFloat;
    /// `(d, address of a double)`.
    LdFromDouble;
    /// `(address of a float, a)`.
    LdToFloat;
    /// `(address of a double, a)`.
    LdToDouble;
    /// `(address of three floats a, b, c)`: a = a * b + c, rounded once.
    FmaFloat;
    /// `(address of three doubles a, b, c)`: a = a * b + c, rounded once.
    FmaDouble;
}

/// The place of a fault in a function of which backtraces are made, and its kind: one number in
/// compiled code, small where nothing is inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The place.
    pub(crate) site: CallSite,
    /// The number of the [`FaultKind`](crate::ir::FaultKind), if it is one.
    pub(crate) kind: u8,
}

impl Place {
    /// Returns the number of the place; functions have less than 2^28 instructions.
    pub(crate) fn to_number(self) -> i64 {
        let low = i64::from(self.site.number) << 8 | i64::from(self.kind);
        i64::from(self.site.inlined) << 36 | low & ((1 << 36) - 1)
    }

    /// Returns the place of a number.
    pub(crate) const fn of(number: u64) -> Place {
        let site = CallSite {
            inlined: (number >> 36) as u32,
            number: (number >> 8) as u32 & ((1 << 28) - 1),
        };
        let kind = number as u8;
        Place { site, kind }
    }
}
