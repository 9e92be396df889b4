//! The instruction table against what LLVM 22 says of the same opcodes (`llvm.tsv`), and every row's encoding against
//! the bytes that the GNU assembler makes (`encodings.tsv`).
//!
//! Columns of `llvm.tsv`: opcode, number of definitions, flags, operands (class; `=tN` tied to operand N), registers
//! written and registers read beside them. Columns of `encodings.tsv`: opcode, operands, assembly text, bytes.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use mir_nostd::codegen::Code;
use mir_nostd::machine::{Function, LowType, Opcode, Operand, Reg};
use mir_nostd::mem::Entity;
use mir_nostd::target::{InsnFlags, InsnRow, Isa, OperandRow};
use target_x86_64::ISA;
use testkit::SystemAllocator;

fn row_of(name: &str) -> (Opcode, &'static InsnRow) {
    let number = ISA.insns().iter().position(|row| row.name == name);
    let number = number.unwrap_or_else(|| panic!("no row {name}"));
    (Opcode::target(number as u16), &ISA.insns()[number])
}

fn register(name: &str) -> Reg {
    if name == "noreg" {
        return Reg::NONE;
    }
    let rows = ISA.registers().registers;
    let number = rows.iter().position(|row| row.name == name);
    Reg::physical(number.unwrap_or_else(|| panic!("no register {name}")) as u16)
}

/// The operands of a row as LLVM's table writes them.
fn described(row: &InsnRow) -> String {
    let class = |class| ISA.registers().class(class).name;
    let mut words = Vec::new();
    let mut number = 0;
    while let Some(kind) = row.operands.get(number) {
        number += 1;
        words.push(match kind {
            OperandRow::Def(id) | OperandRow::Use(id) => class(*id).to_owned(),
            OperandRow::EarlyDef(id) => format!("{}!", class(*id)),
            OperandRow::Tied(id, to) => format!("{}=t{to}", class(*id)),
            OperandRow::Immediate => "imm".to_owned(),
            OperandRow::Label => "pcrel@".to_owned(),
            OperandRow::Address(_) => {
                let kinds = row
                    .operands
                    .get(number - 1..number + 4)
                    .expect("five operands");
                assert!(matches!(
                    kinds,
                    [
                        OperandRow::Address(_),
                        OperandRow::Immediate,
                        OperandRow::Address(_),
                        OperandRow::Immediate,
                        OperandRow::Address(_)
                    ]
                ));
                number += 4;
                "memory".to_owned()
            }
        });
    }
    words.join(" ")
}

#[test]
fn rows_are_as_llvm_has_them() {
    let facts = include_str!("llvm.tsv");
    let mut described_rows = 0;
    for line in facts.lines() {
        let [name, defs, flags, operands, written, read] = line
            .split('\t')
            .collect::<Vec<_>>()
            .try_into()
            .expect("six columns");
        let (_, row) = row_of(name);
        described_rows += 1;
        let operands = operands
            .replace("hw:gr64 mem hw:gr64_nosp mem segment_reg", "memory")
            .replace("gr64 any gr64_nosp any segment_reg", "memory")
            .replace("hw:", "")
            .replace("op14", "imm")
            .replace("pcrel@", "pcrel")
            .replace("pcrel", "pcrel@");
        assert_eq!(described(row), operands, "{name}");
        let is_def =
            |kind: &&OperandRow| matches!(kind, OperandRow::Def(_) | OperandRow::EarlyDef(_));
        assert_eq!(
            row.operands.iter().filter(is_def).count().to_string(),
            defs,
            "{name}"
        );
        let names = |regs: &[Reg]| {
            let names = regs.iter().map(|&reg| ISA.registers().row(reg).name);
            names.collect::<Vec<_>>().join(",")
        };
        assert_eq!(names(row.implicit_defs), written, "{name}");
        assert_eq!(names(row.implicit_uses), read, "{name}");
        let has = |word: &str| flags.split(',').any(|flag| flag == word);
        for (flag, word) in [
            (InsnFlags::TERMINATOR, "terminator"),
            (InsnFlags::BRANCH, "branch"),
            (InsnFlags::BARRIER, "barrier"),
            (InsnFlags::INDIRECT, "indirect"),
            (InsnFlags::RETURN, "return"),
            (InsnFlags::LOAD, "load"),
            (InsnFlags::STORE, "store"),
            (InsnFlags::PSEUDO, "pseudo"),
        ] {
            // A trap loads nothing; LLVM expands the pseudo by a way of its own.
            if !(name == "TRAP" || name == "PROBED_ALLOCA_64") {
                assert_eq!(row.flags.contains(flag), has(word), "{name}: {word}");
            }
        }
        // A tail jump has no mask.
        assert_eq!(
            row.flags.contains(InsnFlags::CALL),
            has("call") && !has("return"),
            "{name}"
        );
    }
    assert_eq!(described_rows, ISA.insns().len(), "every row is described");
}

fn operand(function: &mut Function<'_>, text: &str) -> Operand {
    match text.strip_prefix('$') {
        Some(name) => Operand::reg(register(name)),
        None => function
            .int(text.parse().expect("a number"))
            .expect("memory"),
    }
}

fn encoded(name: &str, operands: &str) -> String {
    let mut function = Function::new(&SystemAllocator);
    let block = function.add_block().expect("memory");
    let texts: Vec<&str> = operands
        .split(' ')
        .filter(|text| !text.is_empty())
        .collect();
    let operands: Vec<Operand> = texts
        .iter()
        .map(|text| operand(&mut function, text))
        .collect();
    let (opcode, _) = row_of(name);
    let insn = function
        .insert(block, None, opcode, LowType::S64, &operands)
        .expect("memory");
    let mut code = Code::new(&SystemAllocator);
    match ISA.encode(&mut code, &function, insn) {
        Ok(()) => hex(&code.bytes),
        Err(error) => error.to_string(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_row_is_encoded_as_the_assembler_does() {
    let mut wrong = Vec::new();
    let mut seen = vec![false; ISA.insns().len()];
    for line in include_str!("encodings.tsv").lines() {
        let [name, operands, text, bytes] = line
            .split('\t')
            .collect::<Vec<_>>()
            .try_into()
            .expect("four columns");
        let number = ISA.insns().iter().position(|row| row.name == name);
        seen[number.expect("a row")] = true;
        let found = encoded(name, operands);
        if found != bytes {
            wrong.push(format!("{name} {operands} ({text}): {found}, not {bytes}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    for (row, seen) in ISA.insns().iter().zip(seen) {
        let is_pseudo = row.flags.contains(InsnFlags::PSEUDO);
        assert_ne!(is_pseudo, seen, "{}: pseudos alone have no bytes", row.name);
    }
}

#[test]
fn places_in_the_code_are_patched() {
    use mir_nostd::codegen::FixupTarget;
    use mir_nostd::machine::{BlockId, ConstantId};
    let mut function = Function::new(&SystemAllocator);
    let block = function.add_block().expect("memory");
    let constant = Operand::constant(ConstantId::new(0));
    let (none, one) = (Operand::NO_REG, Operand::imm(1));
    let rip = Operand::reg(register("rip"));
    let mut code = Code::new(&SystemAllocator);
    let cases: [(&str, &[Operand], &str); 4] = [
        // lea r9, [rip + 93]; jmp +95; jne +89; jne +87 from byte 20
        (
            "LEA64r",
            &[Operand::reg(register("r9")), rip, one, none, constant, none],
            "4c8d0d5d000000",
        ),
        ("JMP_4", &[Operand::block(BlockId::new(0))], "e958000000"),
        (
            "JCC_4",
            &[Operand::block(BlockId::new(0)), Operand::imm(5)],
            "0f8552000000",
        ),
        (
            "JCC_1",
            &[Operand::block(BlockId::new(0)), Operand::imm(5)],
            "7550",
        ),
    ];
    let mut expected = String::new();
    for (name, operands, bytes) in cases {
        let (opcode, _) = row_of(name);
        let insn = function
            .insert(block, None, opcode, LowType::S64, operands)
            .expect("memory");
        ISA.encode(&mut code, &function, insn).expect("encodes");
        expected += bytes;
    }
    assert_eq!(
        code.fixups[0].target,
        FixupTarget::Constant(ConstantId::new(0))
    );
    for fixup in &code.fixups {
        let bytes = code.bytes.get_mut(fixup.at as usize..).expect("within");
        assert!(ISA.patch(bytes, fixup.kind, fixup.at, 100));
    }
    assert_eq!(hex(&code.bytes), expected);
    let near = code.fixups[3];
    let bytes = code.bytes.get_mut(near.at as usize..).expect("within");
    assert!(!ISA.patch(bytes, near.kind, near.at, 1000), "out of reach");
}

#[test]
fn registers_have_their_parts() {
    let registers = ISA.registers();
    for (whole, parts) in [
        ("rax", ["al", "ax", "eax"]),
        ("r13", ["r13b", "r13w", "r13d"]),
        ("rsi", ["sil", "si", "esi"]),
    ] {
        for (sub, part) in (1..).zip(parts) {
            let sub = mir_nostd::machine::SubIndex(sub);
            assert_eq!(registers.part(register(whole), sub), register(part));
            assert_eq!(
                registers.units(register(part)),
                registers.units(register(whole))
            );
        }
    }
    for (hard, &row) in ISA.target().registers.iter().zip(registers.hard) {
        assert_eq!(registers.row(Reg::physical(row)).name, hard.name);
    }
    for class in registers.classes {
        for &row in class.order {
            let units = registers.units(Reg::physical(row));
            assert!(
                !units.is_empty(),
                "{} allocates what has no unit",
                class.name
            );
            for &scratch in registers
                .scratch_general
                .iter()
                .chain(registers.scratch_floating)
            {
                assert!(!registers.units(scratch).overlaps(units));
            }
        }
    }
}

#[test]
fn padding_is_nops() {
    for len in 0..40 {
        let mut bytes = vec![0; len];
        ISA.pad(&mut bytes);
        let mut rest = &bytes[..];
        while let Some((&first, _)) = rest.split_first() {
            let len = match (first, rest.get(1), rest.get(2)) {
                (0x90, ..) => 1,
                (0x66, Some(0x90), _) => 2,
                (0x66 | 0x2E, ..) => 1,
                (0x0F, Some(0x1F), Some(0x00)) => 3,
                (0x0F, Some(0x1F), Some(0x40)) => 4,
                (0x0F, Some(0x1F), Some(0x44)) => 5,
                (0x0F, Some(0x1F), Some(0x80)) => 7,
                (0x0F, Some(0x1F), Some(0x84)) => 8,
                _ => panic!("no NOP: {}", hex(&bytes)),
            };
            rest = &rest[len..];
        }
    }
}
