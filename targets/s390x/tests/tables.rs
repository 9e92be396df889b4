//! Compares the instruction table with LLVM 22's facts about the same opcodes (`llvm.tsv`), and
//! every row's encoding with the bytes of LLVM's encoder and, for places in the code, of the GNU
//! assembler (`encodings.tsv`).
//!
//! Columns of `llvm.tsv`: opcode, number of definitions, flags, operands (class; `=tN` tied to
//! operand N), registers written and registers read beside them. Columns of `encodings.tsv`:
//! opcode, operands, assembly text, bytes. Columns of `accesses.tsv`: opcode and the bytes of one
//! access to memory, according to the memory operands of code that clang and llc 22 made.

use mir_nostd::codegen::Code;
use mir_nostd::machine::{Function, LowType, Operand, Reg};
use mir_nostd::mem::Entity;
use mir_nostd::target::{Encoder, InsnFlags, Isa};
use target_s390x::ISA;
use testkit::{Rows, SystemAllocator, hex};

const ROWS: Rows = Rows(&ISA);

/// Opcodes that LLVM marks as pseudos but encodes as they are.
const ENCODED_PSEUDOS: [&str; 13] = [
    "IILF64",
    "NILL64",
    "NILF64",
    "NIHF64",
    "OILL64",
    "OILF64",
    "OIHF64",
    "XILF64",
    "XIHF64",
    "CallBASR",
    "CallBRASL",
    "CallBR",
    "Return",
];

#[test]
fn rows_are_as_llvm_has_them() {
    let words = [("mem", "imm")];
    // A barrier accesses memory here, and has other effects in LLVM, which expands the loop before
    // registers are allocated.
    let accesses = InsnFlags::LOAD.union(InsnFlags::STORE);
    let barriers = [
        ("Serialize", InsnFlags::PSEUDO.union(accesses)),
        ("MEMBARRIER", accesses),
    ];
    let encoded = ENCODED_PSEUDOS.map(|name| (name, InsnFlags::PSEUDO));
    let others = [&barriers[..], &encoded].concat();
    let own = ["ATOMIC_CMP_SWAPW"];
    ROWS.check_facts(include_str!("llvm.tsv"), &words, &others, &own);
}

#[test]
fn rows_access_as_much_memory_as_llvm_says() {
    // The number of bytes depends on the operands; barriers order the accesses of others, loops are
    // expanded.
    let others = ["LMG", "STMG", "Serialize", "MEMBARRIER", "ATOMIC_CMP_SWAPW"];
    ROWS.check_accesses(include_str!("accesses.tsv"), &others);
}

#[test]
fn every_row_is_selected() {
    ROWS.check_selected(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
}

#[test]
fn every_row_is_encoded_as_the_assembler_does() {
    Rows::check_encodings(&[ROWS], include_str!("encodings.tsv"), &[]);
}

#[test]
fn places_in_the_code_are_patched() {
    use mir_nostd::codegen::FixupTarget;
    use mir_nostd::machine::{BlockId, ConstantId};
    let mut function = Function::new(&SystemAllocator);
    let block = function.add_block().expect("memory");
    let constant = Operand::constant(ConstantId::new(0));
    let target = Operand::block(BlockId::new(0));
    let [r2, r3] = ["r2d", "r3d"].map(|name| Operand::reg(ROWS.register(name)));
    let [w2, w3] = ["r2l", "r3l"].map(|name| Operand::reg(ROWS.register(name)));
    let [all, low] = [Operand::imm(14), Operand::imm(4)];
    let mut code = Code::new(&SystemAllocator);
    // The long form, and its short form if the target proves to be near; the target is at 100 in
    // each.
    let cases: [(&str, &[Operand], &str, &str); 12] = [
        ("LARL", &[r2, constant], "c02000000032", ""),
        ("LGRL", &[r2, constant], "c42800000032", ""),
        ("JG", &[target], "c0f400000032", "a7f40032"),
        ("BRCL", &[all, low, target], "c04400000032", "a7440032"),
        (
            "CGRJ",
            &[r2, r3, low, target],
            "b9200023c04400000030",
            "ec2300324064",
        ),
        (
            "CLGRJ",
            &[r2, r3, low, target],
            "b9210023c04400000030",
            "ec2300324065",
        ),
        (
            "CRJ",
            &[w2, w3, low, target],
            "1923c04400000031",
            "ec2300324076",
        ),
        (
            "CLRJ",
            &[w2, w3, low, target],
            "1523c04400000031",
            "ec2300324077",
        ),
        (
            "CGIJ",
            &[r2, Operand::imm(-5), low, target],
            "a72ffffbc04400000030",
            "ec240032fb7c",
        ),
        (
            "CIJ",
            &[w2, Operand::imm(127), low, target],
            "a72e007fc04400000030",
            "ec2400327f7e",
        ),
        (
            "CLGIJ",
            &[r2, Operand::imm(255), low, target],
            "c22e000000ffc0440000002f",
            "ec240032ff7d",
        ),
        (
            "CLIJ",
            &[w2, Operand::imm(3), low, target],
            "c22f00000003c0440000002f",
            "ec240032037f",
        ),
    ];
    for (name, operands, long, short) in cases {
        let (opcode, _) = ROWS.row_of(name);
        let insn = function
            .insert(block, None, opcode, LowType::S64, operands)
            .expect("memory");
        code.clear();
        let isa: &dyn Isa = &ISA;
        isa.encode(&mut code, &function, insn).expect("encodes");
        let fixup = code.fixups[0];
        let form = ISA.short_branch(fixup.kind, 0, &code.bytes, fixup.at);
        let is_branch = fixup.target == FixupTarget::Block(BlockId::new(0));
        assert_eq!(form.is_some(), is_branch, "{name}");
        let bytes = code.bytes.get_mut(fixup.at as usize..).expect("within");
        assert!(ISA.patch(bytes, fixup.kind, fixup.at, 100));
        assert!(!ISA.patch(bytes, fixup.kind, fixup.at, 101), "odd");
        assert!(
            ISA.patch(bytes, fixup.kind, fixup.at, 0x8000_0000),
            "in reach"
        );
        assert!(ISA.patch(bytes, fixup.kind, fixup.at, 100));
        assert_eq!(hex(&code.bytes), long, "{name}");
        let Some(form) = form else {
            continue;
        };
        assert_eq!(fixup.at - form.before, 0);
        assert_eq!(form.before + form.behind, code.len());
        let mut bytes = form.form().to_vec();
        let place = bytes.get_mut(form.place as usize..).expect("within");
        assert!(
            !ISA.patch(place, form.kind, form.place, 0x1_0000),
            "out of reach"
        );
        assert!(ISA.patch(place, form.kind, form.place, 0xFFFE), "in reach");
        assert!(ISA.patch(place, form.kind, form.place, 100));
        assert_eq!(hex(&bytes), short, "{name}");
    }
}

#[test]
fn registers_have_their_parts() {
    let registers = ISA.registers();
    for (whole, sub, part) in [
        ("r2d", "subreg_l32", "r2l"),
        ("r15d", "subreg_l32", "r15l"),
        ("f9d", "subreg_h32", "f9s"),
        ("r0q", "subreg_h64", "r0d"),
        ("r0q", "subreg_l64", "r1d"),
        ("f4q", "subreg_h64", "f4d"),
        ("f4q", "subreg_l64", "f6d"),
        ("f13q", "subreg_l64", "f15d"),
    ] {
        let number = registers.parts.iter().position(|name| *name == sub);
        let sub = mir_nostd::machine::SubIndex(number.expect("a part") as u8);
        assert_eq!(
            registers.part(ROWS.register(whole), sub),
            ROWS.register(part)
        );
        let units = registers.units(ROWS.register(whole));
        assert!(units.contains(registers.units(ROWS.register(part))));
    }
    ROWS.check_names(|name| format!("{name}d"));
    for (hard, &row) in ISA.target().registers.iter().zip(registers.hard) {
        let is_saved = registers
            .saved
            .contains(registers.units(Reg::physical(row)));
        let number: u8 = hard.name[1..].parse().expect("a number");
        let is_kept = if hard.name.starts_with('r') {
            (6..14).contains(&number)
        } else {
            number >= 8
        };
        assert!(
            is_saved == is_kept || matches!(hard.name, "r11" | "r15"),
            "{}",
            hard.name
        );
    }
    ROWS.check_classes(None);
}

#[test]
fn padding_is_nops() {
    for len in (0..40).step_by(2) {
        let mut bytes = vec![0; len];
        ISA.pad(&mut bytes);
        assert!(bytes.chunks(2).all(|pair| pair == [0x07, 0x07]));
    }
}
