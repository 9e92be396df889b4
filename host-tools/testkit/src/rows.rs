//! Checks of a backend's instruction table: rows and registers by name, encodings compared with
//! those of an assembler.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use crate::SystemAllocator;
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::Code;
use mir_nostd::machine::{Function, LowType, Opcode, Operand, Reg, SubIndex};
use mir_nostd::target::{InsnFlags, InsnRow, Isa, OperandRow};
use std::collections::HashSet;
use std::path::Path;

/// The tables of a backend. Names that are looked up must exist.
#[derive(Clone, Copy, Debug)]
pub struct Rows(pub &'static dyn Backend);

impl Rows {
    /// Returns the row of an instruction.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn row_of(self, name: &str) -> (Opcode, &'static InsnRow) {
        let number = self
            .0
            .insns()
            .iter()
            .position(|row| row.name.text() == name);
        let number = number.unwrap_or_else(|| panic!("no row {name}"));
        (Opcode::target(number as u16), &self.0.insns()[number])
    }

    /// Returns a register, or `noreg`.
    ///
    /// # Panics
    ///
    /// If there is no such register.
    #[must_use]
    pub fn register(self, name: &str) -> Reg {
        if name == "noreg" {
            return Reg::NONE;
        }
        let rows = self.0.registers().registers;
        let number = rows.iter().position(|row| row.name.text() == name);
        Reg::physical(number.unwrap_or_else(|| panic!("no register {name}")) as u16)
    }

    /// Returns the bytes of an instruction in hexadecimal digits, or the reason why it has none.
    /// Operands are registers after `$` and numbers.
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
        let isa: &dyn Isa = self.0;
        match isa.encode(&mut code, &function, insn) {
            Ok(()) => {
                code.settle(isa, 0, &mut []).expect("memory");
                hex(&code.bytes)
            }
            Err(error) => error.to_string(),
        }
    }

    /// Checks rows against LLVM's facts: lines of opcode, number of definitions, flags, operands
    /// (class; `=tN` tied to operand N), implicit definitions and implicit uses, separated by tabs.
    /// `words` are pairs of operand names, of which the second is used for both; `others` names
    /// rows with flags that differ from LLVM's, `own` pseudo instructions without a line: LLVM
    /// expands those of their names at another stage, so they have other operands.
    ///
    /// # Panics
    ///
    /// If anything differs, or another row has no line.
    pub fn check_facts(
        self,
        facts: &str,
        words: &[(&str, &str)],
        others: &[(&str, InsnFlags)],
        own: &[&str],
    ) {
        let in_words = |operands: String| {
            let replace = |text: String, &(from, to): &(&str, &str)| text.replace(from, to);
            words.iter().fold(operands, replace)
        };
        for line in facts.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let [name, defs, flags, operands, written, read] = columns[..] else {
                panic!("not six columns: {line}");
            };
            let (_, row) = self.row_of(name);
            let operands = operands.replace("hw:", "");
            assert_eq!(in_words(self.described(row)), in_words(operands), "{name}");
            let is_def =
                |kind: &&OperandRow| matches!(kind, OperandRow::Def(_) | OperandRow::EarlyDef(_));
            let count = row.operands.iter().filter(is_def).count();
            assert_eq!(count.to_string(), defs, "{name}");
            assert_eq!(self.names(row.implicit_defs()), written, "{name}");
            assert_eq!(self.names(row.implicit_uses()), read, "{name}");
            let other = others.iter().find(|other| other.0 == name);
            let other = other.map_or(InsnFlags::empty(), |other| other.1);
            assert_eq!(known(row.flags) ^ other, of_words(flags), "{name}: {flags}");
        }
        for name in own {
            let (_, row) = self.row_of(name);
            assert!(row.flags.contains(InsnFlags::PSEUDO), "{name}");
        }
        assert_eq!(
            facts.lines().count() + own.len(),
            self.0.insns().len(),
            "every row is described"
        );
    }

    /// Checks the size of memory accesses: lines of opcode and bytes, separated by tabs. An
    /// instruction that accesses memory and has no line must state its size too, except `others`.
    ///
    /// # Panics
    ///
    /// If anything differs.
    pub fn check_accesses(self, table: &str, others: &[&str]) {
        for line in table.lines() {
            let (name, bytes) = line.split_once('\t').expect("two columns");
            assert_eq!(self.row_of(name).1.bytes.to_string(), bytes, "{name}");
        }
        for row in self.0.insns() {
            let name = row.name.text();
            let accesses = row.flags.intersects(InsnFlags::LOAD | InsnFlags::STORE);
            assert_eq!(
                row.bytes != 0,
                accesses && !others.contains(&name),
                "{name}"
            );
        }
    }

    /// Checks that a register has another one as a part, with the same units.
    ///
    /// # Panics
    ///
    /// If that is not so.
    pub fn check_part(self, whole: &str, sub: SubIndex, part: &str) {
        let registers = self.0.registers();
        let (whole, part) = (self.register(whole), self.register(part));
        assert_eq!(registers.part(whole, sub), part);
        assert_eq!(registers.units(part), registers.units(whole));
    }

    /// Checks that each register that programs may name is the one that has this name in the
    /// register file.
    ///
    /// # Panics
    ///
    /// If one is not.
    pub fn check_names(self, name: impl Fn(&str) -> String) {
        let registers = self.0.registers();
        for (hard, &row) in self.0.target().registers.iter().zip(registers.hard) {
            let row = registers.row(Reg::physical(row));
            assert_eq!(row.name.text(), name(hard.name));
        }
    }

    /// Checks that the registers of all classes but `other` are of units, none of which a scratch
    /// register has.
    ///
    /// # Panics
    ///
    /// If one is not.
    pub fn check_classes(self, other: Option<&str>) {
        let registers = self.0.registers();
        let scratch = [registers.scratch_general, registers.scratch_floating].concat();
        for class in registers.classes {
            let name = class.name.text();
            for &row in class.order.iter().filter(|_| Some(name) != other) {
                let units = registers.units(Reg::physical(row));
                assert!(!units.is_empty(), "{name} allocates what has no unit");
                for &scratch in &scratch {
                    assert!(!registers.units(scratch).overlaps(units), "{name}");
                }
            }
        }
    }

    /// Checks that the code of a backend, in this folder, names every row outside of the table:
    /// something selects it.
    ///
    /// # Panics
    ///
    /// If it does not, or the folder cannot be read.
    pub fn check_selected(self, folder: &str) {
        let mut code = String::new();
        read_code(Path::new(folder), &mut code);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words: HashSet<&str> = code.split(|c| !is_word(c)).collect();
        for row in self.0.insns() {
            assert!(
                words.contains(row.name.text()),
                "{} is unused",
                row.name.text()
            );
        }
    }

    /// Returns the operands of a row as LLVM's table writes them.
    fn described(self, row: &InsnRow) -> String {
        let class = |class| self.0.registers().class(class).name.text();
        let words = row.operands.iter().map(|kind| match *kind {
            OperandRow::Def(id) | OperandRow::Use(id) | OperandRow::Address(id) => {
                class(id).to_owned()
            }
            OperandRow::EarlyDef(id) => format!("{}!", class(id)),
            OperandRow::Tied(id, to) => format!("{}=t{to}", class(id)),
            OperandRow::Immediate => "imm".to_owned(),
            OperandRow::Label => "pcrel".to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn names(self, regs: impl Iterator<Item = Reg>) -> String {
        let names = regs.map(|reg| self.0.registers().row(reg).name.text());
        names.collect::<Vec<_>>().join(",")
    }

    /// Checks encodings: lines of opcode, operands, assembly text and bytes, separated by tabs.
    /// With several backends each has a column of bytes, in their order. Every row must have a line
    /// except pseudo instructions and `others`.
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
            let number = insns.iter().position(|row| row.name.text() == *name);
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
            let is_without =
                row.flags.contains(InsnFlags::PSEUDO) || others.contains(&row.name.text());
            assert_ne!(
                is_without,
                seen,
                "{}: pseudos alone have no bytes",
                row.name.text()
            );
        }
    }
}

/// Appends the code of a folder, without the instruction table and without comments.
fn read_code(folder: &Path, code: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_code(&path, code);
        } else if !path.ends_with("insns.rs") {
            let text = std::fs::read_to_string(&path).expect("a file");
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            lines.for_each(|line| code.extend([line, "\n"]));
        }
    }
}

/// The flags that LLVM has too, and its words for them.
const FLAGS: [(InsnFlags, &str); 9] = [
    (InsnFlags::TERMINATOR, "terminator"),
    (InsnFlags::BRANCH, "branch"),
    (InsnFlags::BARRIER, "barrier"),
    (InsnFlags::INDIRECT, "indirect"),
    (InsnFlags::RETURN, "return"),
    (InsnFlags::LOAD, "load"),
    (InsnFlags::STORE, "store"),
    (InsnFlags::PSEUDO, "pseudo"),
    (InsnFlags::CALL, "call"),
];

/// Returns the flags among these that LLVM has too.
fn known(flags: InsnFlags) -> InsnFlags {
    let all = FLAGS
        .iter()
        .fold(InsnFlags::empty(), |all, known| all | known.0);
    flags & all
}

/// Returns the flags that these words of LLVM, separated by commas, name.
fn of_words(words: &str) -> InsnFlags {
    let named = |word| FLAGS.iter().find(|known| known.1 == word);
    let flags = words.split(',').filter_map(named);
    let flags = flags.fold(InsnFlags::empty(), |flags, known| flags | known.0);
    // LLVM describes a tail jump as a call that returns; here a call continues after it.
    if flags.contains(InsnFlags::RETURN) {
        flags - InsnFlags::CALL
    } else {
        flags
    }
}

/// Returns bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
