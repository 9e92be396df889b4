//! Compares the instruction table with LLVM 22's facts about the same opcodes (`llvm.tsv`), and
//! every row's encoding with the bytes of the GNU assembler (`encodings.tsv`).
//!
//! Columns of `llvm.tsv`: opcode, number of definitions, flags, operands (class; `=tN` tied to
//! operand N), registers written and registers read beside them. Columns of `encodings.tsv`:
//! opcode, operands, assembly text, bytes. Columns of `accesses.tsv`: opcode and the bytes of one
//! access to memory, according to the memory operands of code that clang and llc 22 made.

use mir_nostd::codegen::Code;
use mir_nostd::machine::{Function, LowType, Operand, SubIndex};
use mir_nostd::mem::Entity;
use mir_nostd::target::{Encoder, InsnFlags, Isa};
use target_x86_64::ISA;
use testkit::{Rows, SystemAllocator, hex};

const ROWS: Rows = Rows(&ISA);

#[test]
fn rows_are_as_llvm_has_them() {
    let words = [
        ("mem", "imm"),
        ("any", "imm"),
        ("op14", "imm"),
        ("pcrel@", "pcrel"),
    ];
    // LLVM expands the allocation by a mechanism of its own. What nothing moves across accesses
    // memory here, and has other effects there.
    let others = [
        ("PROBED_ALLOCA_64", InsnFlags::PSEUDO),
        ("MEMBARRIER", InsnFlags::LOAD.union(InsnFlags::STORE)),
    ];
    ROWS.check_facts(include_str!("llvm.tsv"), &words, &others, &[]);
}

#[test]
fn rows_access_as_much_memory_as_llvm_says() {
    ROWS.check_accesses(include_str!("accesses.tsv"), &["MFENCE", "MEMBARRIER"]);
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
    let (none, one) = (Operand::NO_REG, Operand::imm(1));
    let rip = Operand::reg(ROWS.register("rip"));
    let mut code = Code::new(&SystemAllocator);
    let cases: [(&str, &[Operand], &str); 4] = [
        // lea r9, [rip + 93]; jmp +95; jne +89; jne +87 from byte 20
        (
            "LEA64r",
            &[
                Operand::reg(ROWS.register("r9")),
                rip,
                one,
                none,
                constant,
                none,
            ],
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
        let (opcode, _) = ROWS.row_of(name);
        let insn = function
            .insert(block, None, opcode, LowType::S64, operands)
            .expect("memory");
        let isa: &dyn Isa = &ISA;
        isa.encode(&mut code, &function, insn).expect("encodes");
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
    for (whole, parts) in [
        ("rax", ["al", "ax", "eax"]),
        ("r13", ["r13b", "r13w", "r13d"]),
        ("rsi", ["sil", "si", "esi"]),
    ] {
        for (sub, part) in (1..).zip(parts) {
            ROWS.check_part(whole, SubIndex(sub), part);
        }
    }
    ROWS.check_names(str::to_owned);
    ROWS.check_classes(None);
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
