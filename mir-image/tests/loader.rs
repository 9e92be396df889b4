//! The loader: what it accepts, what it refuses, and what is in the memory of a loaded program. The
//! sample image is written by hand after `docs/images.md`.

use mir_image::{Addresses, Error, Header, Image, Limits, Loaded, Machine, Place};
use testkit::images::{self, CODE_AT, DISTANCE};

const AT: Addresses = Addresses {
    code: CODE_AT,
    ram: CODE_AT + DISTANCE as u64,
};

/// The bytes before those that are hashed and signed.
const UNSIGNED: usize = 80;

/// Returns the words of memory, in the byte order of a machine.
fn words(machine: Machine, ram: &[u8]) -> Vec<u64> {
    let (words, rest) = ram.as_chunks::<8>();
    assert!(rest.is_empty());
    let word = |bytes: &[u8; 8]| match machine.is_big_endian() {
        true => u64::from_be_bytes(*bytes),
        false => u64::from_le_bytes(*bytes),
    };
    words.iter().map(word).collect()
}

#[test]
fn a_program_is_loaded_on_every_machine() {
    for machine in Machine::ALL {
        let bytes = images::sample(machine);
        let image = Image::parse(&bytes, machine).expect("an image");
        let mut ram = [0xFF; 64];
        let mut asked = Vec::new();
        let loaded = image.load(&mut ram, AT, &mut |import| {
            asked.push((import.name, import.signature, import.is_optional));
            (import.name == b"putchar").then_some(0x7000)
        });
        let loaded = loaded.expect("it is loaded");
        let expected: [(&[u8], &[u8], bool); 2] = [
            (b"mir_fault", b"(p,i64,i64)", true),
            (b"putchar", b"i32(i32)", false),
        ];
        assert_eq!(asked, expected);
        let words = words(machine, &ram);
        let data = [CODE_AT + 4, AT.ram + 40, 0x7001, 0x0102_0304_0506_0708];
        assert_eq!(words, [&[0, 0x7000][..], &data, &[0, 0]].concat());
        assert_eq!(loaded.address(b"main"), Some(CODE_AT + 4));
        assert_eq!(loaded.address(b"table"), Some(AT.ram + 40));
        assert_eq!(loaded.address(b"mai"), None);
        let main = loaded.export(b"main").expect("an export");
        assert_eq!(
            (main.signature, main.place),
            (&b"i32(i32,p)"[..], Place::Code(4))
        );
        assert!(loaded.initialisers().eq([CODE_AT + 8]));
        assert!(loaded.finalisers().eq([CODE_AT + 12]));
        assert_eq!(image.code(), [0xAA; 32]);
        assert_eq!(image.signed(), &bytes[UNSIGNED..]);
    }
}

#[test]
fn a_confined_program_is_not_loaded_as_another() {
    for machine in Machine::ALL {
        let bytes = images::confined_sample(machine);
        let image = Image::parse(&bytes, machine).expect("an image");
        let kinds = image
            .imports()
            .map(|import| (import.is_optional, import.is_routine));
        assert!(kinds.eq([(false, true), (false, false)]));
        let mut ram = vec![0xFF; image.header().ram_size as usize];
        let refused = image.load(&mut ram, AT, &mut |_| Some(1)).err();
        assert_eq!(refused, Some(Error::Confined));
        assert!(ram.iter().all(|&byte| byte == 0xFF));
        images::check(&bytes);
    }
}

#[test]
fn a_confined_image_has_memory_and_all_limits() {
    let whole = images::confined_sample(Machine::Riscv64);
    let with = |at: usize, number: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        images::make_whole(&mut bytes);
        Image::parse(&bytes, Machine::Riscv64).err()
    };
    let (limits, ram_size, memory) = (88, 116, 152);
    assert_eq!(with(memory, 160), None);
    // Neither a limit less, nor the words before the memory among those of imports, nor a place
    // that is no multiple of 16, after what is copied or where less than 4096 bytes are left.
    assert_eq!(with(limits, 5), Some(Error::Malformed));
    assert_eq!(with(limits, 6), Some(Error::Malformed));
    assert_eq!(with(limits, 3), Some(Error::Malformed));
    for place in [0, 16, 128, 152, 176, u32::MAX - 15] {
        assert_eq!(with(memory, place), Some(Error::Malformed), "{place}");
    }
    assert_eq!(with(ram_size, 160 + 4095), Some(Error::Malformed));
    assert_eq!(with(Header::SIZE + 8, 3), Some(Error::Malformed));
    // The table of functions is between the words of imports and those before the memory, with 17
    // bytes for each.
    let (functions, count) = (156, 160);
    for place in [0, 8, 20, 40, u32::MAX - 7] {
        assert_eq!(with(functions, place), Some(Error::Malformed), "{place}");
    }
    assert_eq!(with(functions, 32), None);
    assert_eq!(with(count, 1), Some(Error::Malformed));
    assert_eq!(with(count, u32::MAX), Some(Error::Malformed));
    // A table of windows takes 256 bytes.
    assert_eq!(with(limits, 15), Some(Error::Malformed));
}

/// A program with windows: the table is right before the other words.
#[test]
fn windows_and_functions_have_room_before_the_memory() {
    let whole = images::windows_sample(Machine::Aarch64);
    images::check(&whole);
    assert!(Image::parse(&whole, Machine::Aarch64).is_ok());
    let with = |memory: u32, windows: u32, count: u32| {
        let mut bytes = whole.clone();
        for (at, number) in [(88, 7 + windows), (152, memory), (160, count)] {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        images::make_whole(&mut bytes);
        images::check(&bytes);
        Image::parse(&bytes, Machine::Aarch64).err()
    };
    // Words of imports end at 16; 384 bytes are before the memory.
    assert_eq!(with(400, 8, 0), None);
    assert_eq!(with(384, 8, 0), Some(Error::Malformed));
    assert_eq!(with(400, 8, 1), Some(Error::Malformed));
    assert_eq!(with(432, 8, 1), None);
    assert_eq!(with(416, 8, 1), Some(Error::Malformed));
    assert_eq!(with(160, 0, 0), None);
    assert_eq!(with(176, 0, 1), None);
    assert_eq!(with(160, 0, 1), Some(Error::Malformed));
}

/// Data of the image do not become windows.
#[cfg(feature = "confined")]
#[test]
fn a_loaded_program_has_no_windows() {
    let mut bytes = images::windows_sample(Machine::Riscv64);
    // Code without an alignment.
    bytes[96..100].copy_from_slice(&1_u32.to_le_bytes());
    let number = |bytes: &[u8], at: usize| {
        let word = bytes[at..].first_chunk().expect("four bytes");
        u32::from_le_bytes(*word) as usize
    };
    // Data begin after the words of two imports; the table is 384 bytes before the memory.
    let table = number(&bytes, 108) + number(&bytes, 152) - 384 - 16;
    for (place, word) in [1_u64 << 33, 8, 0x1000, 1].into_iter().enumerate() {
        bytes[table + 8 * place..][..8].copy_from_slice(&word.to_le_bytes());
    }
    images::make_whole(&mut bytes);
    let image = Image::parse(&bytes, Machine::Riscv64).expect("an image");
    let mut words = vec![0_u64; image.header().ram_size as usize / 8 + 1];
    let start = words.as_mut_ptr().cast::<u8>();
    // SAFETY: the words are there, and used as bytes alone.
    let ram = unsafe { core::slice::from_raw_parts_mut(start, 8 * words.len()) };
    let address = ram.as_ptr().expose_provenance() as u64;
    let code = address.wrapping_add_signed(-images::DISTANCE);
    let loaded = image.load_confined(ram, code, &mut |_| Some(1));
    let memory = loaded.expect("it is loaded").memory();
    // SAFETY: the program does not run.
    assert_eq!(unsafe { memory.slice(1 << 33, 8) }, None);
}

/// The loader accesses the words before the memory, which only aligned memory can have.
#[cfg(feature = "confined")]
#[test]
fn a_confined_program_has_aligned_memory() {
    let mut bytes = images::confined_sample(Machine::Riscv64);
    // Code without an alignment.
    bytes[96..100].copy_from_slice(&1_u32.to_le_bytes());
    images::make_whole(&mut bytes);
    let image = Image::parse(&bytes, Machine::Riscv64).expect("an image");
    let ram_size = image.header().ram_size as usize;
    let mut memory = vec![0; ram_size + 7];
    for start in 0..8 {
        let ram = &mut memory[start..start + ram_size];
        let address = ram.as_ptr().expose_provenance() as u64;
        let code = address.wrapping_add_signed(-images::DISTANCE);
        let loaded = image.load_confined(ram, code, &mut |_| Some(1));
        let wanted = (!address.is_multiple_of(8)).then_some(Error::RamAddress);
        assert_eq!(loaded.err(), wanted, "{address:#x}");
    }
}

#[test]
fn a_missing_import_leaves_nothing_loaded() {
    let bytes = images::sample(Machine::Riscv64);
    let image = Image::parse(&bytes, Machine::Riscv64).expect("an image");
    let mut ram = [0xFF; 64];
    let refused = image.load(&mut ram, AT, &mut |import| {
        (import.is_optional).then_some(5)
    });
    assert_eq!(refused.err(), Some(Error::Import(1)));
    assert_eq!((&ram[..16], &ram[16..]), (&[0; 16][..], &[0xFF; 48][..]));
}

#[test]
fn a_program_runs_nowhere_but_where_it_was_made_for() {
    let bytes = images::sample(Machine::Aarch64);
    let image = Image::parse(&bytes, Machine::Aarch64).expect("an image");
    let mut ram = [0; 64];
    let mut load = |code: u64, ram_at: u64, size: usize| {
        let at = Addresses { code, ram: ram_at };
        image.load(&mut ram[..size], at, &mut |_| Some(1)).err()
    };
    assert_eq!(load(AT.code + 8, AT.ram + 8, 64), Some(Error::CodeAddress));
    assert_eq!(load(AT.code, AT.ram + 16, 64), Some(Error::RamAddress));
    assert_eq!(load(AT.code, AT.ram, 63), Some(Error::RamSize));
    assert_eq!(load(AT.code, AT.ram, 64), None);
}

#[test]
fn every_truncation_is_refused() {
    for machine in Machine::ALL {
        let bytes = images::sample(machine);
        for length in 0..bytes.len() {
            let refused = Image::parse(&bytes[..length], machine).err();
            let expected = match length {
                0..8 => Error::NotAnImage,
                _ => Error::Truncated,
            };
            assert_eq!(refused, Some(expected), "{length} bytes");
        }
        let longer = [&bytes[..], &[1; 100]].concat();
        assert!(Image::parse(&longer, machine).is_ok());
    }
}

#[test]
fn every_damaged_byte_is_noticed() {
    for machine in Machine::ALL {
        let whole = images::sample(machine);
        for at in 0..whole.len() {
            for change in [1, 0x80, 0xFF] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                let parsed = Image::parse(&bytes, machine);
                // The signature is the embedder's to check.
                assert_eq!(parsed.is_ok(), (16..UNSIGNED).contains(&at), "byte {at}");
            }
        }
    }
}

#[test]
fn every_contradiction_is_refused_or_harmless() {
    let whole = images::sample(Machine::S390x);
    for at in UNSIGNED..whole.len() {
        for byte in (0..=255).step_by(5) {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            images::make_whole(&mut bytes);
            images::check(&bytes);
        }
    }
}

/// Returns the error of the sample after a change of its header.
fn changed(change: impl FnOnce(&mut [u8])) -> Option<Error> {
    let mut bytes = images::sample(Machine::Riscv64);
    change(&mut bytes);
    images::make_whole(&mut bytes);
    Image::parse(&bytes, Machine::Riscv64).err()
}

/// Returns the error of the sample with another number at an offset.
fn with(at: usize, number: u32) -> Option<Error> {
    changed(|bytes| bytes[at..at + 4].copy_from_slice(&number.to_le_bytes()))
}

#[test]
fn numbers_that_lead_elsewhere_are_refused() {
    assert_eq!(changed(|_| {}), None);
    assert_eq!(with(80, 1), Some(Error::Version));
    assert_eq!(with(84, 62), Some(Error::Machine));
    assert_eq!(with(88, 16), Some(Error::Version));
    // A confined program has all limits, and memory.
    assert_eq!(with(88, 4), Some(Error::Malformed));
    assert_eq!(with(88, 7), Some(Error::Malformed));
    // Nor has another one windows.
    assert_eq!(with(88, 8), Some(Error::Malformed));
    assert_eq!(with(88, (Limits::FUEL.0) | Limits::STACK.0), None);
    let contradictions = [
        (96, 0), // alignments are powers of two
        (96, 24),
        (100, 8),        // the code is in the tables
        (104, u32::MAX), // the code ends nowhere
        (108, 16),       // the data are in the tables
        (112, 33),       // the data go beyond the end
        (116, 47),       // the memory has no room for the data
        (128, u32::MAX), // counts
        (128, 0x1000_0000),
        (132, u32::MAX),
        (136, u32::MAX),
        (140, u32::MAX),
        (144, u32::MAX),
        (148, 0),  // names without bytes
        (148, 61), // the last name does not end
        (152, 16), // memory of a program that is not confined
        (156, 16), // functions of one
        (160, 1),
        (164, 62), // a name after the others
        (168, 62),
        (172, 2),  // an import that is neither needed nor optional
        (196, 2),  // an export that is neither code nor memory
        (200, 32), // an export after the code
        (216, 65), // an export after the memory
        (220, 8),  // an address among those of imports
        (220, 41), // an address after the data
        (240, 4),  // the address of an import that is not there
        (244, 32), // functions after the code
        (248, 32),
    ];
    for (at, number) in contradictions {
        assert_eq!(with(at, number), Some(Error::Malformed), "{number} at {at}");
    }
}

/// With a walk over the names for each export this would take 10^11 steps.
#[test]
fn many_exports_with_long_names_are_checked_in_proportion() {
    let (exports, names_size) = (100_000_u32, 1 << 20);
    let tables = 16 * exports + names_size;
    let code = (Header::SIZE as u32 + tables).next_multiple_of(16);
    let header = Header {
        hash: 0,
        machine: Machine::Riscv64.number(),
        limits: Limits::default(),
        size: code + 16,
        code_align: 16,
        code,
        code_size: 16,
        data: code + 16,
        data_size: 0,
        ram_size: 0,
        distance: DISTANCE,
        imports: 0,
        exports,
        fixups: 0,
        initialisers: 0,
        finalisers: 0,
        names_size,
        memory: 0,
        functions: 0,
        function_count: 0,
    };
    let mut bytes = header.to_bytes().to_vec();
    // Each has the first name, which is as long as all names together.
    bytes.resize(Header::SIZE + 16 * exports as usize, 0);
    bytes.resize(Header::SIZE + tables as usize - 1, b'n');
    bytes.resize(code as usize + 16, 0);
    images::make_whole(&mut bytes);
    let image = Image::parse(&bytes, Machine::Riscv64).expect("an image");
    let first = image.exports().next().expect("an export");
    assert_eq!(
        (first.name.len(), first.place),
        (names_size as usize - 1, Place::Code(0))
    );
}

#[test]
fn the_signature_is_over_what_runs() {
    let mut bytes = images::sample(Machine::X86_64);
    let image = Image::parse(&bytes, Machine::X86_64).expect("an image");
    assert_eq!(image.signature(), &[0; 64]);
    let signed = image.signed().to_vec();
    bytes[16..80].copy_from_slice(&[7; 64]);
    let image = Image::parse(&bytes, Machine::X86_64).expect("an image");
    assert_eq!((image.signature(), image.signed()), (&[7; 64], &signed[..]));
}

#[test]
fn the_loader_needs_little_memory() {
    assert!(size_of::<Image<'_>>() + size_of::<Loaded<'_>>() <= 512);
    #[cfg(feature = "confined")]
    assert!(size_of::<Image<'_>>() + size_of::<mir_image::Confined<'_>>() <= 512);
    assert_eq!(Header::SIZE, 164);
}
