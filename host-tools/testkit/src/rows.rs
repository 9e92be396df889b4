//! A backend's instruction table in tests: rows and registers by name, encodings beside those of an assembler.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use crate::SystemAllocator;
use mir_nostd::codegen::Code;
use mir_nostd::machine::{Function, LowType, Opcode, Operand, Reg};
use mir_nostd::target::{InsnFlags, InsnRow, Isa};

/// The tables of a backend. What is asked for must be there.
#[derive(Clone, Copy, Debug)]
pub struct Rows(pub &'static dyn Isa);

impl Rows {
    /// The row of an instruction.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn row_of(self, name: &str) -> (Opcode, &'static InsnRow) {
        let number = self.0.insns().iter().position(|row| row.name == name);
        let number = number.unwrap_or_else(|| panic!("no row {name}"));
        (Opcode::target(number as u16), &self.0.insns()[number])
    }

    /// A register, or `noreg`.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn register(self, name: &str) -> Reg {
        if name == "noreg" {
            return Reg::NONE;
        }
        let rows = self.0.registers().registers;
        let number = rows.iter().position(|row| row.name == name);
        Reg::physical(number.unwrap_or_else(|| panic!("no register {name}")) as u16)
    }

    /// The bytes of an instruction in hexadecimal digits, or why it has none. Operands are registers behind `$` and numbers.
    ///
    /// # Panics
    ///
    /// If there is no such row, register or number.
    #[must_use]
    pub fn encoded(self, name: &str, operands: &str) -> String {
        let mut function = Function::new(&SystemAllocator);
        let block = function.add_block().expect("memory");
        let words = operands.split_whitespace();
        let operands: Vec<Operand> = words
            .map(|word| match word.strip_prefix('$') {
                Some(name) => Operand::reg(self.register(name)),
                None => function
                    .int(word.parse().expect("a number"))
                    .expect("memory"),
            })
            .collect();
        let (opcode, _) = self.row_of(name);
        let insn = function
            .insert(block, None, opcode, LowType::S64, &operands)
            .expect("memory");
        let mut code = Code::new(&SystemAllocator);
        match self.0.encode(&mut code, &function, insn) {
            Ok(()) => hex(&code.bytes),
            Err(error) => error.to_string(),
        }
    }

    /// Checks encodings: lines of opcode, operands, assembly text and bytes between tabs. With several backends each has a
    /// column of bytes, in their order. Every row but pseudos, and those of `others`, must be there.
    ///
    /// # Panics
    ///
    /// If bytes differ, or a row has none.
    pub fn check_encodings(backends: &[Rows], table: &str, others: &[&str]) {
        let insns = backends.first().expect("a backend").0.insns();
        let mut wrong = Vec::new();
        let mut seen = vec![false; insns.len()];
        for line in table.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let [name, operands, text, bytes @ ..] = &columns[..] else {
                panic!("too few columns: {line}");
            };
            assert_eq!(bytes.len(), backends.len(), "{line}");
            let number = insns.iter().position(|row| row.name == *name);
            seen[number.expect("a row")] = true;
            for (rows, bytes) in backends.iter().zip(bytes) {
                let found = rows.encoded(name, operands);
                if found != *bytes {
                    wrong.push(format!("{name} {operands} ({text}): {found}, not {bytes}"));
                }
            }
        }
        let count = wrong.len();
        assert!(wrong.is_empty(), "{count} differ:\n{}", wrong.join("\n"));
        for (row, seen) in insns.iter().zip(seen) {
            let is_without = row.flags.contains(InsnFlags::PSEUDO) || others.contains(&row.name);
            assert_ne!(
                is_without, seen,
                "{}: pseudos alone have no bytes",
                row.name
            );
        }
    }
}

/// Bytes in hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
