//! Images for the loader (`mir-image`): one made by hand, and what must hold for arbitrary bytes.

use mir_image::{Addresses, Confined, Error, Header, Image, Limits, Machine, Window};

/// The address at which code is said to lie.
pub const CODE_AT: u64 = 0x4000_0000;

/// The distance of the sample's memory.
pub const DISTANCE: i64 = 0x1_0000;

/// The names of the sample, at offsets 1, 9, 18, 28, 40, 45 and 56.
const NAMES: &[u8] = b"\0putchar\0i32(i32)\0mir_fault\0(p,i64,i64)\0main\0i32(i32,p)\0table\0";

/// Appends little-endian numbers.
fn put(bytes: &mut Vec<u8>, numbers: &[u32]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// Returns an image with something in every table: two imports, of which one is optional, two
/// exports, a word for each kind of address, a function to call first and one to call last.
#[must_use]
pub fn sample(machine: Machine) -> Vec<u8> {
    let mut tables = Vec::new();
    put(&mut tables, &[18, 28, 1, 1, 9, 0]);
    put(&mut tables, &[40, 45, 0, 4, 56, 0, 1, 40]);
    put(&mut tables, &[16, 0, 24, 1, 32, 3]);
    put(&mut tables, &[8, 12]);
    tables.extend_from_slice(NAMES);
    let code = (Header::SIZE + tables.len()).next_multiple_of(16);
    let mut header = Header {
        hash: 0,
        machine: machine.number(),
        limits: Limits::default(),
        size: code as u32 + 32 + 32,
        code_align: 16,
        code: code as u32,
        code_size: 32,
        data: code as u32 + 32,
        data_size: 32,
        ram_size: 64,
        distance: DISTANCE,
        imports: 2,
        exports: 2,
        fixups: 3,
        initialisers: 1,
        finalisers: 1,
        names_size: NAMES.len() as u32,
        memory: 0,
        functions: 0,
        function_count: 0,
    };
    let mut bytes = header.to_bytes().to_vec();
    bytes.extend_from_slice(&tables);
    bytes.resize(code, 0);
    bytes.extend_from_slice(&[0xAA; 32]);
    for word in [4_u64, 40, 1, 0x0102_0304_0506_0708] {
        bytes.extend_from_slice(&match machine.is_big_endian() {
            true => word.to_be_bytes(),
            false => word.to_le_bytes(),
        });
    }
    header.hash = mir_image::hash(&bytes);
    bytes[..Header::SIZE].copy_from_slice(&header.to_bytes());
    bytes
}

/// The offset in the memory of [`confined_sample`] of that which it is confined to.
const CONFINED_TO: u32 = 160;

/// Returns the sample as the image of a program that is confined to 4096 bytes; `mir_fault` is a
/// routine there.
#[must_use]
pub fn confined_sample(machine: Machine) -> Vec<u8> {
    let mut bytes = sample(machine);
    let mut set = |at: usize, number: u32| {
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    };
    set(88, 7);
    // The data end where the memory begins; the words of imports come before them.
    set(112, CONFINED_TO - 16);
    set(116, CONFINED_TO + 4096);
    set(152, CONFINED_TO);
    set(156, 16);
    set(Header::SIZE + 8, 2);
    bytes.resize(bytes.len() + CONFINED_TO as usize - 16 - 32, 0);
    make_whole(&mut bytes);
    bytes
}

/// Returns that sample with a table of windows and one function in the table of those.
#[must_use]
pub fn windows_sample(machine: Machine) -> Vec<u8> {
    let mut bytes = confined_sample(machine);
    // 17 bytes for the function, and 256 for the windows.
    let more = 288;
    let mut set = |at: usize, number: u32| {
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    };
    set(88, 15);
    set(112, CONFINED_TO - 16 + more);
    set(116, CONFINED_TO + 4096 + more);
    set(152, CONFINED_TO + more);
    set(160, 1);
    bytes.resize(bytes.len() + more as usize, 0);
    make_whole(&mut bytes);
    bytes
}

/// Gives bytes the size and hash of a whole image, so that what comes after those is checked.
pub fn make_whole(bytes: &mut [u8]) {
    if bytes.len() < Header::SIZE {
        return;
    }
    let size = bytes.len() as u32;
    bytes[92..96].copy_from_slice(&size.to_le_bytes());
    let hash = mir_image::hash(bytes);
    bytes[8..16].copy_from_slice(&hash.to_le_bytes());
}

/// Reads `bytes` as an image, as it is and with the right hash. What is accepted has tables that
/// can be walked, and is loaded into the memory that it asks for and no more.
///
/// # Panics
///
/// If a promise is broken.
pub fn check(bytes: &[u8]) {
    let mut whole = bytes.to_vec();
    make_whole(&mut whole);
    for machine in Machine::ALL {
        for bytes in [bytes, &whole] {
            if let Ok(image) = Image::parse(bytes, machine) {
                holds(&image);
            }
        }
    }
}

/// The most memory that is lent to a program.
const MOST: usize = 1 << 20;

/// The byte that memory has before a program is loaded.
const CANARY: u8 = 0xC5;

fn holds(image: &Image<'_>) {
    let header = image.header();
    for import in image.imports() {
        assert!(!import.name.contains(&0) && !import.signature.contains(&0));
    }
    let size = header.ram_size as usize;
    if size > MOST {
        return;
    }
    assert_eq!(image.code().len(), header.code_size as usize);
    let align = u64::from(header.code_align);
    let code = CODE_AT.next_multiple_of(align);
    let at = Addresses {
        code,
        ram: code.wrapping_add_signed(header.distance),
    };
    let mut ram = vec![CANARY; size + 16];
    if header.limits.has(Limits::CONFINED) {
        let refused = image.load(&mut ram, at, &mut |_| Some(0x1000));
        assert_eq!(refused.err(), Some(Error::Confined));
        assert!(ram.iter().all(|&byte| byte == CANARY));
        return holds_confined(image, &mut ram);
    }
    let refused = image.load_confined(&mut ram, code, &mut |_| Some(0x1000));
    assert_eq!(refused.err(), Some(Error::NotConfined));
    let needs = image.imports().position(|import| !import.is_optional);
    let refused = image.load(&mut ram, at, &mut |_| None);
    match (refused, needs) {
        (Err(Error::Import(number)), Some(first)) => {
            assert_eq!(number as usize, first);
            let words = 8 * header.imports as usize;
            assert!(ram[..words].iter().all(|&byte| byte == 0));
            assert!(ram[words..].iter().all(|&byte| byte == CANARY));
        }
        (Ok(_), None) => {}
        (refused, needs) => panic!("{refused:?} for {needs:?}"),
    }
    let loaded = image.load(&mut ram, at, &mut |_| Some(0x1000));
    let Ok(loaded) = loaded else {
        panic!("everything is there, but: {loaded:?}");
    };
    assert!(ram[size..].iter().all(|&byte| byte == CANARY));
    let in_code = |address: u64| address.wrapping_sub(code) < u64::from(header.code_size);
    assert!(
        loaded
            .initialisers()
            .chain(loaded.finalisers())
            .all(in_code)
    );
    for export in image.exports() {
        let address = loaded.address(export.name);
        let is_there = |place: u64| in_code(place) || place.wrapping_sub(at.ram) <= size as u64;
        assert!(address.is_some_and(is_there), "{address:?}");
    }
}

/// Checks that an image of a confined program is loaded into the memory that it asks for, whose
/// last part is the program's.
fn holds_confined(image: &Image<'_>, ram: &mut [u8]) {
    let header = image.header();
    let (size, memory) = (header.ram_size as usize, header.memory as usize);
    let at = ram.as_ptr().expose_provenance() as u64;
    let code = at.wrapping_add_signed(header.distance.wrapping_neg());
    let before = ram.to_vec();
    let loaded = image.load_confined(ram, code, &mut |_| Some(0x1000));
    if code % u64::from(header.code_align) != 0 {
        assert_eq!(loaded.err(), Some(Error::CodeAddress));
        assert_eq!(ram, before);
        return;
    }
    let Ok(mut loaded) = loaded else {
        panic!("everything is there, but: {loaded:?}");
    };
    let bytes = loaded.bytes();
    let place = bytes.as_ptr().expose_provenance() as u64;
    assert_eq!((place, bytes.len()), (at + memory as u64, size - memory));
    assert!(memory >= 128 + 8 * header.imports as usize && bytes.len() >= 4096);
    holds_windows(&mut loaded, header.limits.has(Limits::WINDOWS));
    assert!(ram[size..].iter().all(|&byte| byte == CANARY));
}

/// Checks that a program sees the windows that it may have, and no others.
fn holds_windows(program: &mut Confined<'_>, may_have: bool) {
    let (start, mut bytes) = (1 << 33, [1, 2, 3]);
    let seen = |program: &mut Confined<'_>| {
        let memory = program.memory();
        // SAFETY: the program does not run, and nobody else uses the bytes.
        let (all, more) = unsafe { (memory.slice(start, 3), memory.slice(start, 4)) };
        assert_eq!(more, None);
        all.map(<[u8]>::to_vec)
    };
    let lent = program.lend(start, Window::Write(&mut bytes), seen);
    match may_have {
        true => assert_eq!(lent, Ok(Some(vec![1, 2, 3]))),
        false => assert_eq!(lent, Err(Error::Window)),
    }
    assert_eq!(seen(program), None);
}
