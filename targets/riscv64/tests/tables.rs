//! Compares the instruction table with LLVM 22's facts about the same opcodes (`llvm.tsv`), and
//! every row's encoding with the bytes of LLVM's assembler, with and without compressed
//! instructions (`encodings.tsv`).
//!
//! Columns of `llvm.tsv`: opcode, number of definitions, flags, operands (class), registers written
//! and registers read beside them. Columns of `encodings.tsv`: opcode, operands, assembly text,
//! bytes with compressed instructions and without.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]
//! Columns of `accesses.tsv`: opcode and the bytes of one access to memory, according to the memory
//! operands of code that clang and llc 22 made.

use mir_nostd::codegen::{Code, FixupTarget};
use mir_nostd::machine::{BlockId, ConstantId, Function, LowType, Operand, SubIndex};
use mir_nostd::mem::Entity;
use mir_nostd::target::{Encoder, InsnFlags, Isa};
use target_riscv64::{Backend, ISA, ISA_UNCOMPRESSED};
use testkit::{Rows, SystemAllocator, hex};

const ROWS: Rows = Rows(&ISA);

/// Opcodes that LLVM's emitter expands by itself; here they are instructions like any other.
const EXPANDED_LAST: [&str; 6] = [
    "PseudoCALL",
    "PseudoBR",
    "PseudoBRIND",
    "PseudoCALLIndirect",
    "PseudoTAILIndirect",
    "PseudoRET",
];

#[test]
fn rows_are_as_llvm_has_them() {
    let words = [
        ("any", "imm"),
        ("op17", "imm"),
        ("op18", "imm"),
        ("op43", "imm"),
        ("op76", "imm"),
        ("op79", "imm"),
        ("op86", "imm"),
        ("op87", "imm"),
        ("op88", "imm"),
    ];
    // A fence accesses memory here, and has other effects in LLVM.
    let barrier = InsnFlags::LOAD.union(InsnFlags::STORE);
    let fence = [("FENCE", barrier), ("FENCE_TSO", barrier)];
    let expanded = EXPANDED_LAST.map(|name| (name, InsnFlags::PSEUDO));
    let others = [&fence[..], &expanded].concat();
    ROWS.check_facts(include_str!("llvm.tsv"), &words, &others, &[]);
}

#[test]
fn rows_access_as_much_memory_as_llvm_says() {
    // The number of bytes touched depends on the number allocated; a fence orders the accesses of
    // others, and loops are expanded.
    let others = [
        "PROBED_STACKALLOC_DYN",
        "FENCE",
        "FENCE_TSO",
        "PseudoCmpXchg32",
        "PseudoCmpXchg64",
        "PseudoMaskedCmpXchg32",
    ];
    ROWS.check_accesses(include_str!("accesses.tsv"), &others);
}

#[test]
fn every_row_is_selected() {
    ROWS.check_selected(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
}

#[test]
fn every_row_is_encoded_as_the_assembler_does() {
    // A call refers to a symbol, so a fixup completes its bytes.
    let backends = [ROWS, Rows(&ISA_UNCOMPRESSED)];
    Rows::check_encodings(&backends, include_str!("encodings.tsv"), &["PseudoCALL"]);
}

#[test]
fn immediates_that_do_not_fit_are_refused() {
    for (name, operands) in [
        ("ADDI", "$x5 $x6 2048"),
        ("LD", "$x5 $x6 -2049"),
        ("SD", "$x5 $x6 4000"),
        ("LUI", "$x5 1048576"),
        ("SLLI", "$x5 $x6 64"),
    ] {
        let found = ROWS.encoded(name, operands);
        assert!(found.contains("encod"), "{name} {operands}: {found}");
    }
}

/// Encodes some instructions and patches their fixups to refer to this offset.
fn linked(insns: &[(&str, &[Operand])], target: i64) -> Result<String, FixupTarget> {
    let mut function = Function::new(&SystemAllocator);
    let block = function.add_block().expect("memory");
    let mut code = Code::new(&SystemAllocator);
    for (name, operands) in insns {
        let (opcode, _) = ROWS.row_of(name);
        let insn = function
            .insert(block, None, opcode, LowType::S64, operands)
            .expect("memory");
        let isa: &dyn Isa = &ISA;
        isa.encode(&mut code, &function, insn).expect("encodes");
    }
    for fixup in &code.fixups {
        let bytes = code.bytes.get_mut(fixup.at as usize..).expect("within");
        if !ISA.patch(bytes, fixup.kind, fixup.at, target) {
            return Err(fixup.target);
        }
    }
    Ok(hex(&code.bytes))
}

#[test]
fn places_in_the_code_are_patched() {
    let block = Operand::block(BlockId::new(0));
    let constant = Operand::constant(ConstantId::new(0));
    let [a, b] = ["x10", "x11"].map(|name| Operand::reg(ROWS.register(name)));
    let pair: [(&str, &[Operand]); 2] = [("AUIPC", &[a, constant]), ("LD", &[a, a, constant])];
    // auipc a0, 1; ld a0, -2000(a0)
    assert_eq!(linked(&pair, 2096).as_deref(), Ok("1715000003350583"));
    assert_eq!(linked(&pair, -1).as_deref(), Ok("170500000335f5ff"));
    // bne a0, a1, +8; j +96
    let branch: [(&str, &[Operand]); 1] = [("BEQ", &[a, b, block])];
    assert_eq!(linked(&branch, 100).as_deref(), Ok("6314b5006f000006"));
    let jump: [(&str, &[Operand]); 1] = [("PseudoBR", &[block])];
    assert_eq!(linked(&jump, -4).as_deref(), Ok("6ff0dfff"));
    assert_eq!(
        linked(&jump, 1 << 20),
        Err(FixupTarget::Block(BlockId::new(0)))
    );
}

/// Returns the forms of a branch that `ISA` offers, as bytes patched to go back by 16 from their
/// own start.
fn forms(isa: &Backend, name: &str, operands: &[Operand]) -> Vec<String> {
    let mut function = Function::new(&SystemAllocator);
    let block = function.add_block().expect("memory");
    let (opcode, _) = ROWS.row_of(name);
    let insn = function
        .insert(block, None, opcode, LowType::S64, operands)
        .expect("memory");
    let mut code = Code::new(&SystemAllocator);
    let isa: &dyn Isa = isa;
    isa.encode(&mut code, &function, insn).expect("encodes");
    let fixup = code.fixups[0];
    let forms =
        (0..).map_while(|number| isa.short_branch(fixup.kind, number, &code.bytes, fixup.at));
    let patched = forms.map(|mut short| {
        let place = short.place as usize;
        let bytes = short.bytes.get_mut(place..).expect("within");
        assert!(isa.patch(bytes, short.kind, short.place, -16));
        hex(short.form())
    });
    patched.collect()
}

#[test]
fn branches_have_shorter_forms() {
    let block = Operand::block(BlockId::new(0));
    let [zero, near, far] = ["x0", "x8", "x20"].map(|name| Operand::reg(ROWS.register(name)));
    // c.beqz s0; beqz s0 / bne s4, zero / c.j: as the assembler encodes them.
    assert_eq!(
        forms(&ISA, "BEQ", &[near, zero, block]),
        ["65d8", "e30804fe"]
    );
    assert_eq!(forms(&ISA, "BNE", &[far, zero, block]), ["e3180afe"]);
    assert_eq!(forms(&ISA, "PseudoBR", &[block]), ["c5bf"]);
    assert_eq!(
        forms(&ISA_UNCOMPRESSED, "BEQ", &[near, zero, block]),
        ["e30804fe"]
    );
    assert!(forms(&ISA_UNCOMPRESSED, "PseudoBR", &[block]).is_empty());
}

#[test]
fn registers_have_their_parts() {
    let registers = ISA.registers();
    for (whole, part) in [("f0_d", "f0_f"), ("f31_d", "f31_f")] {
        ROWS.check_part(whole, SubIndex(1), part);
    }
    ROWS.check_names(|name| match name.strip_prefix('r') {
        Some(number) => format!("x{number}"),
        None => format!("{name}_d"),
    });
    ROWS.check_classes(None);
    // The registers that calls preserve according to the ABI: ra stands for the caller's own.
    let saved = |name: &str| {
        registers
            .saved
            .contains(registers.units(ROWS.register(name)))
    };
    for number in 0..32 {
        let preserved = matches!(number, 8 | 9 | 18..=27);
        assert_eq!(saved(&format!("f{number}_d")), preserved, "f{number}");
        if !matches!(number, 0..=4 | 8) {
            assert_eq!(saved(&format!("x{number}")), preserved, "x{number}");
        }
    }
}

#[test]
fn padding_is_nops() {
    for len in (0..20).step_by(2) {
        let mut bytes = vec![0; len];
        ISA.pad(&mut bytes);
        let short = if len % 4 == 2 { "0100" } else { "" };
        assert_eq!(hex(&bytes), short.to_owned() + &"13000000".repeat(len / 4));
    }
}
