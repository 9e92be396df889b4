//! Compares the instruction table with LLVM 22's facts about the same opcodes (`llvm.tsv`), and
//! every row's encoding with LLVM's encoding (`encodings.tsv`).
//!
//! Columns of `llvm.tsv`: opcode, number of definitions, flags, operands (class; `=tN` tied to
//! operand N), registers written and registers read beside them. Columns of `encodings.tsv`:
//! opcode, operands, assembly text, bytes. Columns of `accesses.tsv`: opcode and the bytes of one
//! access to memory, according to the memory operands of code that clang and llc 22 made.

use mir_nostd::codegen::Code;
use mir_nostd::machine::{BlockId, ConstantId, Function, LowType, Operand, SubIndex};
use mir_nostd::mem::Entity;
use mir_nostd::target::{Encoder, InsnFlags, Isa};
use target_aarch64::ISA;
use testkit::{Rows, SystemAllocator, hex};

const ROWS: Rows = Rows(&ISA);

#[test]
fn rows_are_as_llvm_has_them() {
    let words = [
        ("op15", "imm"),
        ("op16", "imm"),
        ("any", "imm"),
        ("pcrel", "imm"),
    ];
    // LLVM expands the tail jump at the very end. Here the allocation stores only once it is
    // expanded, and what nothing moves across accesses memory.
    let others = [
        ("TCRETURNri", InsnFlags::PSEUDO),
        ("PROBED_STACKALLOC_DYN", InsnFlags::STORE),
        ("MEMBARRIER", InsnFlags::LOAD.union(InsnFlags::STORE)),
    ];
    // They write the flags when they are expanded, which LLVM says of each use.
    let own = ["CMP_SWAP_8", "CMP_SWAP_16", "CMP_SWAP_32", "CMP_SWAP_64"];
    ROWS.check_facts(include_str!("llvm.tsv"), &words, &others, &own);
}

#[test]
fn rows_access_as_much_memory_as_llvm_says() {
    // A hint only keeps its place, barriers order the accesses of others, and a loop is expanded.
    let others = [
        "HINT",
        "DMB",
        "MEMBARRIER",
        "CMP_SWAP_8",
        "CMP_SWAP_16",
        "CMP_SWAP_32",
        "CMP_SWAP_64",
    ];
    ROWS.check_accesses(include_str!("accesses.tsv"), &others);
}

#[test]
fn every_row_is_selected() {
    ROWS.check_selected(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
}

#[test]
fn every_row_is_encoded_as_llvm_does() {
    Rows::check_encodings(&[ROWS], include_str!("encodings.tsv"), &[]);
}

/// The first operands of each pair are the last that a field holds, the second the first that it
/// does not, according to the manual.
#[test]
fn operands_that_no_field_holds_are_refused() {
    for (name, fits, is_too_much) in [
        // Unsigned: 12 bits, which may be shifted by 12; a pattern; 16 bits at multiples of 16.
        ("ADDXri", "$x1 $x2 4095 12", "$x1 $x2 4096 0"),
        ("ADDXri", "$x1 $x2 0 0", "$x1 $x2 -1 0"),
        ("ADDXri", "$x1 $x2 1 12", "$x1 $x2 1 11"),
        ("ANDXri", "$x1 $x2 8191", "$x1 $x2 8192"),
        ("MOVZXi", "$x1 65535 48", "$x1 65536 0"),
        ("MOVZXi", "$x1 1 32", "$x1 1 8"),
        // Signed: offsets of accesses and pairs, distances in words.
        ("LDURXi", "$x1 $x2 255", "$x1 $x2 256"),
        ("LDURXi", "$x1 $x2 -256", "$x1 $x2 -257"),
        ("LDPXi", "$x1 $x2 $x3 63", "$x1 $x2 $x3 64"),
        ("LDPXi", "$x1 $x2 $x3 -64", "$x1 $x2 $x3 -65"),
        ("B", "33554431", "33554432"),
        ("Bcc", "1 -262144", "1 -262145"),
        ("TBZX", "$x1 63 8191", "$x1 64 8191"),
        ("TBZX", "$x1 63 -8192", "$x1 63 8192"),
        ("ADR", "$x1 1048575", "$x1 1048576"),
        ("ADR", "$x1 -1048576", "$x1 4294967296"),
        // A shift of any kind by 63, an extension shifted by 4, an index that is scaled.
        ("ADDXrs", "$x1 $x2 $x3 255", "$x1 $x2 $x3 256"),
        ("ADDXrx", "$x1 $x2 $w3 60", "$x1 $x2 $w3 61"),
        ("ADDXrx", "$x1 $x2 $w3 0", "$x1 $x2 $w3 64"),
        ("LDRXroX", "$x1 $x2 $x3 1 1", "$x1 $x2 $x3 2 0"),
        // A number is no register, nor the other way round; all fields need an operand.
        ("ADDXrs", "$x1 $x2 $x3 0", "$x1 $x2 3 0"),
        ("ADDXri", "$x1 $x2 3 0", "$x1 $x2 $x3 0"),
        ("ADDXri", "$x1 $x2 3 0", "$x1 $x2 3"),
    ] {
        let encoded = ROWS.encoded(name, fits);
        assert_eq!(encoded.len(), 8, "{name} {fits}: {encoded}");
        let refused = ROWS.encoded(name, is_too_much);
        assert!(
            refused.starts_with("no encoding of"),
            "{name} {is_too_much}: {refused}"
        );
    }
    // It stands for several instructions.
    let pseudo = ROWS.encoded("MOVaddr", "$x1 0 0");
    assert!(pseudo.starts_with("no encoding of"), "{pseudo}");
}

/// Checks the distances that instructions hold, forward and backward; the expected values were
/// computed by hand from the manual.
#[test]
fn places_in_the_code_are_patched() {
    let mut function = Function::new(&SystemAllocator);
    let block = function.add_block().expect("memory");
    let constant = Operand::constant(ConstantId::new(0));
    let label = Operand::block(BlockId::new(0));
    let reg = |name| Operand::reg(ROWS.register(name));
    let (zero, none) = (Operand::imm(0), Operand::imm(16));
    let mut code = Code::new(&SystemAllocator);
    let cases: [(&str, &[Operand]); 8] = [
        ("ADR", &[reg("x9"), constant]),
        ("B", &[label]),
        ("LDRDl", &[reg("d3"), constant]),
        ("Bcc", &[Operand::imm(1), label]),
        ("CBZX", &[reg("x2"), label]),
        ("TBNZX", &[reg("x2"), Operand::imm(63), label]),
        ("MOVZWi", &[reg("w16"), constant, zero]),
        ("MOVKWi", &[reg("w16"), reg("w16"), constant, none]),
    ];
    for (name, operands) in cases {
        let (opcode, _) = ROWS.row_of(name);
        let insn = function
            .insert(block, None, opcode, LowType::S64, operands)
            .expect("memory");
        let isa: &dyn Isa = &ISA;
        isa.encode(&mut code, &function, insn).expect("encodes");
    }
    let words = |code: &Code<'_>| -> Vec<u32> {
        let words = code.bytes.chunks_exact(4);
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        words.map(word).collect()
    };
    for fixup in &code.fixups {
        let bytes = code.bytes.get_mut(fixup.at as usize..).expect("within");
        assert!(ISA.patch(bytes, fixup.kind, fixup.at, 0x123_0000 >> 8));
    }
    assert_eq!(
        words(&code),
        [
            0x1009_1809, // adr x9, +0x12300
            0x1400_48BF, // b +0x122fc
            0x5C09_17C3, // ldr d3, +0x122f8
            0x5400_0040, // b.eq +8
            0x1400_48BC, // b +0x122f0
            0xB500_0042, // cbnz x2, +8
            0x1400_48BA, // b +0x122e8
            0xB6F8_0042, // tbz x2, #63, +8
            0x1400_48B8, // b +0x122e0
            0x5284_5C10, // movz w16, #0x22e0: from the instruction before
            0x72A0_0030, // movk w16, #1, lsl #16
        ]
    );
    let long = code.fixups[4];
    let short = ISA.short_branch(long.kind, 0, &code.bytes, long.at);
    let short = short.expect("has one");
    assert_eq!(short.form(), 0xB400_0002_u32.to_le_bytes(), "cbz x2");
    let mut bytes = 0xB400_0002_u32.to_le_bytes();
    assert!(ISA.patch(&mut bytes, short.kind, 0x20_0000, 0x10_0000));
    assert_eq!(u32::from_le_bytes(bytes), 0xB480_0002, "cbz x2, -0x100000");
    assert!(
        !ISA.patch(&mut bytes, short.kind, 0x20_0000, 0xF_FFFC),
        "out of reach"
    );
}

#[test]
fn registers_have_their_parts() {
    for (whole, parts) in [
        ("x0", ["w0", "x0", "x0"]),
        ("fp", ["w29", "fp", "fp"]),
        ("xzr", ["wzr", "xzr", "xzr"]),
        ("d7", ["d7", "s7", "d7"]),
        ("q9", ["q9", "s9", "d9"]),
    ] {
        for (sub, part) in (1..).zip(parts) {
            ROWS.check_part(whole, SubIndex(sub), part);
        }
    }
    ROWS.check_names(|name| match name {
        "r29" => "fp".to_owned(),
        "r30" => "lr".to_owned(),
        name => name.replace('r', "x").replace('v', "d"),
    });
    // The class holds the registers that tail jumps go through; nothing else is allocated to it.
    ROWS.check_classes(Some("tcgpr64"));
}

#[test]
fn padding_is_nops() {
    let mut bytes = [1; 12];
    ISA.pad(&mut bytes);
    assert_eq!(hex(&bytes), "1f2003d5".repeat(3));
}
