//! Any damage to a file is an error.

use super::{READ, example, read, write};
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::ir::{Module, Place, Problem};
use mir_nostd::num::LongDoubleFormat;
use testkit::{SystemAllocator, container};

#[test]
fn every_cut_is_noticed() {
    let file = example::file();
    for len in 0..file.len() {
        let error = read(&file[..len]).unwrap_err();
        assert_eq!(error.problem, Problem::CutShort);
        assert_eq!(error.place, Place::Byte(len as u64));
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let mut file = example::file();
    for bit in 0..8 * file.len() {
        file[bit / 8] ^= 1 << (bit % 8);
        let error = read(&file).unwrap_err();
        assert!(matches!(error.place, Place::Byte(_)), "bit {bit}: {error}");
        file[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn every_missing_added_or_repeated_byte_is_noticed() {
    let file = example::file();
    for at in 0..file.len() {
        let (before, behind) = file.split_at(at);
        assert!(read(&[before, &behind[1..]].concat()).is_err(), "byte {at}");
        for byte in [0, 1, 0x3E, 0x80, 0xFF, file[at]] {
            assert!(
                read(&[before, &[byte], behind].concat()).is_err(),
                "byte {at}"
            );
        }
    }
    assert_eq!(
        read(&[&file[..], &[0]].concat()).unwrap_err().problem,
        Problem::AfterEnd
    );
}

/// Returns the problem of a file that consists of these elements.
fn problem(elements: &[u8]) -> Problem {
    let file = [b"MIR", elements, &[0; 32]].concat();
    read(&file).unwrap_err().problem
}

#[test]
fn elements_are_checked_before_they_are_followed() {
    let long_run = [0xE0, 0x48, 0x00];
    assert_eq!(problem(&long_run), Problem::WrongLiteralCount);
    assert_eq!(problem(&[0xE0, 0x08]), Problem::WrongContainerNumber);
    assert_eq!(problem(&[0x21, b'a', 0x80]), Problem::WrongDistance);
    assert_eq!(problem(&[0x21, b'a', 0x82]), Problem::WrongDistance);
    assert_eq!(problem(&[0x21, b'a', 0x81]), Problem::WrongMatchLength);
    // Five bytes, then a match of six bytes back.
    assert_eq!(
        problem(&[0xA3, 1, 2, 3, 4, 5, 0x85]),
        Problem::WrongMatchLength
    );
    // A match of 2^28 + 2 bytes.
    assert_eq!(
        problem(&[0x3F, b'a', 0x1F, 0xFF, 0xFF, 0xFF, 0x81]),
        Problem::WrongMatchLength
    );
    assert_eq!(
        read(b"MUR\xE0\x80").unwrap_err().problem,
        Problem::WrongMagic
    );
}

/// A block ends where it is full: one more byte in a run, or in a match, is an error.
#[test]
fn elements_do_not_leave_their_block() {
    let run = |len: usize| {
        let mut run = vec![0xE0, 0x40 | (len >> 8) as u8, len as u8];
        run.extend(core::iter::repeat_n(7, len));
        run
    };
    let nearly_full = run(1024).repeat(255);
    assert_eq!(
        problem(&[&nearly_full[..], &run(1025)].concat()),
        Problem::WrongLiteralCount
    );
    let three_left = [&nearly_full[..], &run(1021)].concat();
    assert_eq!(
        problem(&[&three_left[..], &[0x01, 0x84]].concat()),
        Problem::WrongMatchLength
    );
    // A block cannot refer to the one before it.
    assert_eq!(
        problem(&[&nearly_full[..], &run(1024), &[0x01, 0x84]].concat()),
        Problem::WrongDistance
    );
}

fn module_of_contents(len: usize) -> Vec<u8> {
    // The version, two strings, `module m`, `data u8` of zeros, `endmodule`, end of file.
    let start = b"\x81\x84\x87module\0\x82m\0\x85data\0\x8Aendmodule\0\x18\x00\x18\x01\x18\x02\x2C";
    let end = b"\x3D\x18\x03\x3E";
    let mut contents = start.to_vec();
    contents.resize(len - end.len(), 0x80);
    contents.extend_from_slice(end);
    contents
}

#[test]
fn contents_may_fill_whole_blocks() {
    for len in [1 << 18, (1 << 18) + 1, 1 << 19, (1 << 19) - 1] {
        let modules = read(&container::pack(&module_of_contents(len))).unwrap();
        assert_eq!(modules[0].items().len(), 1);
        let written = write(&modules);
        assert_eq!(written, write(&read(&written).unwrap()));
    }
}

/// Blocks end in elements of every kind. Guards against a short element that took the next block's
/// first element with it.
#[test]
fn files_of_many_blocks() {
    let mut text = String::from("m:\tmodule\nf:\tfunc\ti64\n\tlocal\ti64:a, i64:b\n");
    for number in 0..60_000 {
        text += &format!("\tadd\ta, a, {}\n\txor\tb, b, a\n", number % 1024);
    }
    text += "\tret\ta\n\tendfunc\n\tendmodule\n";
    let written = write(&super::parse(&text));
    assert_eq!(write(&read(&written).unwrap()), written);
}

#[test]
fn the_limit_holds() {
    let contents = module_of_contents(100_000);
    let read_within = |limit| {
        let options = ReadOptions { limit, ..READ };
        binary::read(&container::pack(&contents), &SystemAllocator, &options).map(|_| ())
    };
    assert_eq!(read_within(100_000), Ok(()));
    let error = read_within(99_999).unwrap_err();
    assert_eq!(error.problem, Problem::OverLimit);
}

#[test]
fn altered_files_of_the_corpus_are_errors() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/bmir/x86_64");
    let mut random = fastrand::Rng::with_seed(5);
    for name in ["crc32", "f_labels", "f_longdouble", "lists"] {
        let file = std::fs::read(folder.join(name).with_extension("bmir")).unwrap();
        assert!(read(&file).is_ok());
        // Emulated machines are slow.
        for _ in 0..if cfg!(target_arch = "x86_64") {
            300
        } else {
            30
        } {
            let mut altered = file.clone();
            testkit::readers::alter(&mut altered, &file, &mut random);
            assert!(altered == file || read(&altered).is_err(), "{name}");
        }
    }
}

/// Damage is reported before errors in the contents.
#[test]
fn damage_outweighs_what_the_contents_seem_to_be() {
    let mut module = Module::new(&SystemAllocator, b"m", LongDoubleFormat::X87).unwrap();
    module.import(b"x").unwrap();
    let mut contents = container::unpack(&{
        let options = binary::WriteOptions {
            pack: false,
            ..binary::WriteOptions::new(false)
        };
        binary::write(&[module], &SystemAllocator, &options).unwrap()
    })
    .unwrap();
    *contents.last_mut().unwrap() = 0;
    let mut file = container::pack(&contents);
    let error = read(&file).unwrap_err();
    let at = contents.len() as u64 - 1;
    assert_eq!(
        (error.problem, error.place),
        (Problem::WrongToken, Place::Unpacked(at))
    );
    *file.last_mut().unwrap() ^= 1;
    assert_eq!(read(&file).unwrap_err().problem, Problem::WrongCheck);
}
