//! A worked example of the format (docs/reference/binary.md), byte for byte.

use super::{READ, read, write};
use mir_nostd::binary::{self, ByteSource, WriteOptions};
use mir_nostd::ir::Problem;
use testkit::SystemAllocator;

#[cfg(feature = "text")]
const TEXT: &str = "\
w:\tmodule
	export	f
	import	g
pg:	proto	i64, i64:a, ...
k:	d	1.5
	i16	-2, 300
tab:	ref	k, 8
f:	func	i64, i64:n, blk:16(b)
	local	i64:r, d:x
	mov	r, 0
L:	add	r, r, i32:4(b, n, 4):A
	dmov	x, d:(b)
	call	pg, g, r, n, \"hi\", x
	blt	L, r, 1000
	ret	r
	endfunc
	endmodule
";

#[rustfmt::skip] // the rows of the description
const CONTENTS: &str = "
    81 99
    87 6D 6F 64 75 6C 65 00
    82 77 00  87 65 78 70 6F 72 74 00  82 66 00  87 69 6D 70 6F 72 74 00  82 67 00
    86 70 72 6F 74 6F 00  83 70 67 00  82 61 00  86 6E 64 61 74 61 00  82 6B 00  85 64 61 74 61 00
    85 6E 72 65 66 00  84 74 61 62 00  85 66 75 6E 63 00  82 6E 00  82 62 00  86 6C 6F 63 61 6C 00  82 72 00  82 78 00
    82 41 00  81 00  83 68 69 00
    88 65 6E 64 66 75 6E 63 00  8A 65 6E 64 6D 6F 64 75 6C 65 00
    18 00 18 01
    18 02 18 03 18 04 18 05
    18 06 18 07 81 81 31 31 18 08 3D
    18 09 18 0A 34 12 00 00 00 00 00 00 F8 3F 3D
    18 0B 2D 10 FE FF FF FF FF FF FF FF 0A 2C 01 3D
    18 0C 18 0D 18 0A 09 08
    18 0E 18 03 80 81 31 31 18 0F 37 18 10 90 3D
    18 11 31 18 12 34 18 13 3D
    80 14 12 09 00
    20 01
    A2 14 12 14 12 45 2F 09 04 14 10 14 0F 84 18 14 18 15
    82 14 13 25 34 14 10
    01 A7 18 07 18 05 14 12 14 0F 1C 16 14 13 3D
    01 85 20 01 14 12 0A E8 03
    01 AB 14 12 3D
    18 17 18 18 3E";

/// The bytes before the literals of each element, the literals as a range of the contents, and the
/// bytes after.
const ELEMENTS: [(&[u8], core::ops::Range<usize>, &[u8]); 6] = [
    (&[0xE3, 0x9B], 0..27, &[0x8B]),
    (&[0xE2, 0x9B], 33..60, &[0x89]),
    (&[0xE2, 0xB1], 65..114, &[0xA5]),
    (&[0x84], 119..123, &[0xEB]),
    (&[0xE1, 0xC3], 130..197, &[0xB2]),
    (&[0xE0, 0xD1], 201..282, &[]),
];
const CHECK: [u8; 8] = [0xF3, 0xC6, 0x29, 0xF4, 0xA8, 0x3F, 0x17, 0x9B];

pub(super) fn file() -> Vec<u8> {
    let bytes = CONTENTS.split_whitespace();
    let contents: Vec<u8> = bytes
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect();
    assert_eq!(contents.len(), 282);
    let mut file = b"MIR".to_vec();
    for (before, literals, behind) in ELEMENTS {
        file.extend_from_slice(before);
        file.extend_from_slice(&contents[literals]);
        file.extend_from_slice(behind);
    }
    file.push(0);
    file.extend_from_slice(&CHECK);
    assert_eq!(file.len(), 283);
    file
}

#[cfg(feature = "text")]
#[test]
fn its_text_gives_its_bytes() {
    assert_eq!(write(&super::parse(TEXT)), file());
}

#[cfg(feature = "text")]
#[test]
fn its_bytes_give_its_text() {
    let printed = super::print(&read(&file()).unwrap());
    assert!(printed.contains("\tadd\tr, r, i32:4(b, n, 4):A\n"));
    assert_eq!(printed, super::print(&super::parse(TEXT)));
}

#[test]
fn it_is_read_and_written_through_functions() {
    let file = file();
    let mut bytes = file.iter().copied();
    let source = ByteSource::new(|| bytes.next());
    let modules = binary::read_from(source, &SystemAllocator, &READ).unwrap();
    let mut written = Vec::new();
    let mut sink = |bytes: &[u8]| {
        written.extend_from_slice(bytes);
        true
    };
    let options = WriteOptions::new(false);
    binary::write_to(&modules, &mut sink, &SystemAllocator, &options).unwrap();
    assert_eq!(written, file);
    let refused = binary::write_to(&modules, &mut |_: &[u8]| false, &SystemAllocator, &options);
    assert_eq!(refused.unwrap_err().problem, Problem::OutputRefused);
}

#[test]
fn literals_alone_are_read_like_the_packed_file() {
    let modules = read(&file()).unwrap();
    let options = WriteOptions {
        pack: false,
        ..WriteOptions::new(false)
    };
    let literals = binary::write(&modules, &SystemAllocator, &options).unwrap();
    // Magic, the tag and length of one run, the contents, the end and the check value.
    assert_eq!(literals.len(), 3 + 3 + 282 + 9);
    assert_eq!(write(&read(&literals).unwrap()), file());
}
