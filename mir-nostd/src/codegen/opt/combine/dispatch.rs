//! Tables, made when the program is compiled, that find the rules for an opcode and the shapes of
//! operands.

use super::rule::{OperandRule, Pattern, Rule};
use super::rules::{OF_INSNS, OF_OPERANDS};
use super::values::{Shape, ShapeNumber};
use crate::machine::Generic;

/// A set of rules: the bit of each number.
pub(super) type Candidates = u32;

/// The rules for instructions, in the order in which they are tried.
pub(super) static INSN_RULES: [&Rule; count(&OF_INSNS)] = joined(&OF_INSNS);

/// The rules for operands, in the order in which they are tried.
pub(super) static OPERAND_RULES: [&OperandRule; count(&OF_OPERANDS)] = joined(&OF_OPERANDS);

/// The names of all rules: those for operands, then those for instructions.
pub(crate) static RULES: &[&str] = &{
    let mut names = [""; OPERAND_RULES.len() + INSN_RULES.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = match number.checked_sub(OPERAND_RULES.len()) {
            Some(number) => INSN_RULES[number].name,
            None => OPERAND_RULES[number].name,
        };
        number += 1;
    }
    names
};

/// The rules by opcode, and by the shape of each of `N` operands.
pub(super) struct Dispatch<const N: usize> {
    by_opcode: [Candidates; Generic::ALL.len()],
    /// The shapes of each operand that some rule for the opcode is for.
    shapes: [[Shape; N]; Generic::ALL.len()],
    by_shape: [[Candidates; ShapeNumber::COUNT]; N],
}

/// Only virtual registers of which something is known are tried with rules for operands.
const _: () = {
    let others = Shape::UNKNOWN.union(Shape::IMMEDIATE);
    let mut number = 0;
    while number < OPERAND_RULES.len() {
        assert!(!OPERAND_RULES[number].operands[0].intersects(others));
        number += 1;
    }
};

pub(super) static INSNS: Dispatch<2> = Dispatch::new(&INSN_RULES);
pub(super) static OPERANDS: Dispatch<1> = Dispatch::new(&OPERAND_RULES);

impl<const N: usize> Dispatch<N> {
    const fn new<F>(rules: &[&Pattern<N, F>]) -> Dispatch<N> {
        let mut tables = Dispatch {
            by_opcode: [0; Generic::ALL.len()],
            shapes: [[Shape::empty(); N]; Generic::ALL.len()],
            by_shape: [[0; ShapeNumber::COUNT]; N],
        };
        let mut number = 0;
        while number < rules.len() {
            let (rule, bit) = (rules[number], 1 << number);
            let mut opcode = 0;
            while opcode < Generic::ALL.len() {
                if rule.opcodes.contain(Generic::ALL[opcode]) {
                    tables.by_opcode[opcode] |= bit;
                    let mut operand = 0;
                    while operand < N {
                        let shapes = tables.shapes[opcode][operand];
                        tables.shapes[opcode][operand] = shapes.union(rule.operands[operand]);
                        operand += 1;
                    }
                }
                opcode += 1;
            }
            let mut cell = 0;
            while cell < N * ShapeNumber::COUNT {
                let (operand, shape) = (cell / ShapeNumber::COUNT, cell % ShapeNumber::COUNT);
                if rule.operands[operand].has(ShapeNumber::new(shape)) {
                    tables.by_shape[operand][shape] |= bit;
                }
                cell += 1;
            }
            number += 1;
        }
        tables
    }

    /// Returns the rules for an opcode.
    pub(super) const fn of(&self, generic: Generic) -> Candidates {
        self.by_opcode[generic as usize]
    }

    /// Returns the shapes of an operand that some rule for an opcode is for.
    pub(super) const fn shapes(&self, generic: Generic, operand: usize) -> Shape {
        self.shapes[generic as usize][operand]
    }

    /// Returns the rules for a shape of an operand.
    pub(super) const fn with(&self, operand: usize, shape: ShapeNumber) -> Candidates {
        self.by_shape[operand][shape.index()]
    }
}

/// Returns the number of rules in lists.
const fn count<T>(lists: &[&[T]]) -> usize {
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

/// Returns the rules of all lists in one.
const fn joined<T, const N: usize>(lists: &[&'static [T]]) -> [&'static T; N] {
    let mut rules = [&lists[0][0]; N];
    let (mut next, mut list) = (0, 0);
    while list < lists.len() {
        let mut place = 0;
        while place < lists[list].len() {
            rules[next] = &lists[list][place];
            next += 1;
            place += 1;
        }
        list += 1;
    }
    rules
}
