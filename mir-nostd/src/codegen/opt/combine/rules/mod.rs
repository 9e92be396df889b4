//! The rules, by subject. Rules of one opcode are tried in the order of this list, and of the lists
//! in it.

mod addresses;
mod arithmetic;
mod bits;
mod comparisons;
mod constants;
mod extensions;
mod operands;

use super::rule::{OperandRule, Rule};

/// The rules for operands, tried in this order on each operand that is read.
pub(super) const OF_OPERANDS: [&[OperandRule]; 1] = [operands::RULES];

/// The rules for instructions.
pub(super) const OF_INSNS: [&[Rule]; 6] = [
    addresses::RULES,
    comparisons::RULES,
    constants::RULES,
    arithmetic::RULES,
    extensions::RULES,
    bits::RULES,
];
