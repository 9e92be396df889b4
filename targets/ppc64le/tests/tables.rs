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
use target_ppc64le::ISA;
use testkit::{Rows, SystemAllocator, hex};

const ROWS: Rows = Rows(&ISA);

/// The loops that LLVM expands before registers are allocated.
const LOOPS: [&str; 4] = [
    "ATOMIC_CMP_SWAP_I8",
    "ATOMIC_CMP_SWAP_I16",
    "ATOMIC_CMP_SWAP_I32",
    "ATOMIC_CMP_SWAP_I64",
];

#[test]
fn rows_are_as_llvm_has_them() {
    let words = [
        ("mem", "imm"),
        ("any g8rc_nox0", "imm g8rc_nox0"),
        ("any any", "imm imm"),
        ("any crrc pcrel", "imm crrc pcrel"),
        ("g8rc any", "g8rc crrc"),
    ];
    // LLVM expands the allocation by a mechanism of its own. What nothing moves across accesses
    // memory here, and has other effects there.
    let others = [
        ("DYNALLOC8", InsnFlags::PSEUDO),
        ("MEMBARRIER", InsnFlags::LOAD.union(InsnFlags::STORE)),
    ];
    ROWS.check_facts(include_str!("llvm.tsv"), &words, &others, &LOOPS);
}

#[test]
fn rows_access_as_much_memory_as_llvm_says() {
    let others = [&["SYNC", "MEMBARRIER"], &LOOPS[..]].concat();
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
    let [to, base] = [ROWS.register("x9"), ROWS.register("x30")].map(Operand::reg);
    let (label, field) = (
        Operand::block(BlockId::new(0)),
        Operand::reg(ROWS.register("cr0")),
    );
    let mut code = Code::new(&SystemAllocator);
    // The target is 0x29abc bytes from the start of the code.
    let cases: [(&str, &[Operand], &str); 8] = [
        // addis r9, r30, 3; ld r9, -0x6544(r30); addi r9, r30, -0x6544
        ("ADDIS8", &[to, base, constant], "03003e3d"),
        ("LD", &[to, constant, base], "bc9a3ee9"),
        ("ADDI8", &[to, base, constant], "bc9a3e39"),
        // b .+0x29ab0; bge .+8, b .+0x29aa8
        ("B", &[label], "b09a0248"),
        ("BCC", &[Operand::imm(12), field, label], "08008040a89a0248"),
        // lfd f1, -0x6544(r30)
        (
            "LFD",
            &[Operand::reg(ROWS.register("f1")), constant, base],
            "bc9a3ec8",
        ),
        // bdz .+8, b .+0x29a9c; bdnz .+8, b .+0x29a94
        ("BDNZ8", &[label], "080040429c9a0248"),
        ("BDZ8", &[label], "08000042949a0248"),
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
        assert!(ISA.patch(bytes, fixup.kind, fixup.at, 0x29ABC));
    }
    assert_eq!(hex(&code.bytes), expected);
    let over = code.fixups[4];
    let short = ISA.short_branch(over.kind, 0, &code.bytes, over.at);
    let mut short = short.expect("a short form");
    assert!(ISA.patch(&mut short.bytes, short.kind, 16, 16 + 0x7FFC));
    assert_eq!(hex(short.form()), "fc7f8041", "blt .+0x7ffc");
    assert!(!ISA.patch(&mut short.bytes, short.kind, 16, 16 + 0x8000));
    for (fixup, form) in [(6, "fc7f0042"), (7, "fc7f4042")] {
        let over = code.fixups[fixup];
        let short = ISA.short_branch(over.kind, 0, &code.bytes, over.at);
        let mut short = short.expect("a short form");
        assert!(ISA.patch(&mut short.bytes, short.kind, 16, 16 + 0x7FFC));
        assert_eq!(hex(short.form()), form, "bdnz .+0x7ffc, bdz .+0x7ffc");
    }
    let mut far = [0; 4];
    assert!(ISA.patch(&mut far, over.kind, 1 << 26, 1 << 25));
    assert!(!ISA.patch(&mut far, over.kind, 0, 1 << 25), "out of reach");
}

/// Checks that distances of prefixed instructions count from themselves, and that a distance that
/// does not fit is neither encoded nor patched.
#[test]
fn places_are_34_bits_away() {
    use mir_nostd::machine::ConstantId;
    let mut function = Function::new(&SystemAllocator);
    let block = function.add_block().expect("memory");
    let constant = Operand::constant(ConstantId::new(0));
    let [x9, f1] = ["x9", "f1"].map(|name| Operand::reg(ROWS.register(name)));
    let zero = Operand::imm(0);
    // paddi r9, 0, -0x12345, 1 at 0 and so on, each 8 bytes farther away than the one before.
    let cases: [(&str, &[Operand], &str); 3] = [
        ("PADDI8pc", &[x9, zero, constant], "feff1306bbdc2039"),
        ("PLDpc", &[x9, constant, zero], "feff1304b3dc20e5"),
        ("PLFDpc", &[f1, constant, zero], "feff1306abdc20c8"),
    ];
    let mut code = Code::new(&SystemAllocator);
    for (name, operands, _) in cases {
        let (opcode, _) = ROWS.row_of(name);
        let insn = function
            .insert(block, None, opcode, LowType::S64, operands)
            .expect("memory");
        let isa: &dyn Isa = &ISA;
        isa.encode(&mut code, &function, insn).expect("encodes");
    }
    code.settle(&ISA, 0, &mut []).expect("memory");
    for fixup in &code.fixups {
        let bytes = code.bytes.get_mut(fixup.at as usize..).expect("within");
        assert!(ISA.patch(bytes, fixup.kind, fixup.at, -0x12345));
    }
    assert_eq!(hex(&code.bytes), cases.map(|(.., bytes)| bytes).concat());
    let kind = code.fixups[0].kind;
    let mut bytes = [0; 8];
    assert!(ISA.patch(&mut bytes, kind, 8, 8 + (1 << 33) - 1));
    assert!(!ISA.patch(&mut bytes, kind, 8, 8 + (1 << 33)));
    assert!(!ISA.patch(&mut bytes[..7], kind, 0, 0));
    let refused = |name, operands| assert!(ROWS.encoded(name, operands).contains(' '));
    refused("PLI8", "$x3 8589934592");
    refused("PLD", "$x3 -8589934593 $x4");
    refused("PLDpc", "$x3 0 8");
}

#[test]
fn registers_have_their_parts() {
    for (whole, first, parts) in [
        ("x3", 1, &["r3"][..]),
        ("x31", 1, &["r31"]),
        ("cr0", 2, &["cr0lt", "cr0gt", "cr0eq", "cr0un"]),
        ("cr7", 2, &["cr7lt", "cr7gt", "cr7eq", "cr7un"]),
    ] {
        for (sub, &part) in (first..).zip(parts) {
            ROWS.check_part(whole, SubIndex(sub), part);
        }
    }
    ROWS.check_names(|name| match name {
        "lr" => "lr8".to_owned(),
        name => match name.strip_prefix('r') {
            Some(number) => format!("x{number}"),
            None => name.to_owned(),
        },
    });
    ROWS.check_classes(None);
}

#[test]
fn padding_is_nops() {
    let mut bytes = [0; 12];
    ISA.pad(&mut bytes);
    assert_eq!(hex(&bytes), "000000600000006000000060");
}
