//! The bytes of an image.

use super::Settings;
use super::link::{Linked, Linker, Result};
use super::signatures::Signatures;
use mir_image::{Header, Machine, Place};
use std::collections::HashMap;

/// The multiple of bytes at which the program's memory begins where no distance is asked for, if
/// the image does: that of the largest pages that systems for these machines have.
const PAGE: usize = 1 << 16;

/// The names and signatures of an image, each once, with a NUL after it.
struct Names {
    bytes: Vec<u8>,
    offsets: HashMap<Vec<u8>, u32>,
}

impl Names {
    fn new() -> Names {
        Names {
            bytes: vec![0],
            offsets: HashMap::from([(Vec::new(), 0)]),
        }
    }

    fn add(&mut self, name: &[u8]) -> u32 {
        let bytes = &mut self.bytes;
        *self.offsets.entry(name.to_vec()).or_insert_with(|| {
            let at = bytes.len() as u32;
            bytes.extend_from_slice(name);
            bytes.push(0);
            at
        })
    }
}

/// Appends numbers.
fn put(bytes: &mut Vec<u8>, numbers: &[u32]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// Returns the tables after the header.
fn tables(linked: &Linked, signatures: &Signatures) -> (Vec<u8>, u32) {
    let (mut bytes, mut names) = (Vec::new(), Names::new());
    for import in &linked.imports {
        let name = names.add(&import.name);
        let signature = names.add(signatures.of_import(&import.symbol).as_bytes());
        put(&mut bytes, &[name, signature, import.kind as u32]);
    }
    for (name, export) in &linked.exports {
        let (kind, at) = match export.place {
            Place::Code(at) => (0, at),
            Place::Ram(at) => (1, at),
        };
        let signature = names.add(signatures.of_export(&export.symbol).as_bytes());
        put(&mut bytes, &[names.add(name), signature, kind, at]);
    }
    for fixup in &linked.fixups {
        put(&mut bytes, &[fixup.at, fixup.to]);
    }
    put(&mut bytes, &linked.initialisers);
    put(&mut bytes, &linked.finalisers);
    bytes.extend_from_slice(&names.bytes);
    (bytes, names.bytes.len() as u32)
}

/// The offsets in an image of what is after its tables.
struct Layout {
    code: usize,
    data: usize,
    size: usize,
}

impl Layout {
    fn of(tables: &[u8], linked: &Linked) -> Layout {
        let code = (Header::SIZE + tables.len()).next_multiple_of(linked.code_align as usize);
        let data = (code + linked.code.len()).next_multiple_of(8);
        Layout {
            code,
            data,
            size: data + linked.data.len(),
        }
    }

    /// Returns the distance from the code to the program's memory, which lies so many bytes after
    /// the start of the image, a multiple of its alignment; without a number at the first page
    /// after its end.
    fn distance(&self, from_image: Option<i64>, align: i64) -> Result<i64> {
        let from_image = from_image.unwrap_or(self.size.next_multiple_of(PAGE) as i64);
        let distance = from_image.checked_sub(self.code as i64);
        let distance = distance.filter(|_| from_image % align == 0);
        distance.ok_or_else(|| format!("the distance is no multiple of {align}"))
    }
}

/// Returns the image of what a linker has put together.
pub(super) fn image(
    machine: Machine,
    mut linker: Linker<'_>,
    signatures: &Signatures,
    settings: Settings,
) -> Result<Vec<u8>> {
    // The size of an image does not depend on the distance.
    let linked = linker.link(0)?;
    let layout = Layout::of(&tables(&linked, signatures).0, &linked);
    let distance = layout.distance(settings.distance, linker.ram_align())?;
    let linked = linker.link(distance)?;
    let (tables, names_size) = tables(&linked, signatures);
    let Layout { code, data, size } = Layout::of(&tables, &linked);
    let count = |length: usize| u32::try_from(length).map_err(|_| "the image is too large");
    let mut header = Header {
        hash: 0,
        machine: machine.number(),
        limits: settings.limits,
        size: count(size)?,
        code_align: linked.code_align,
        code: count(code)?,
        code_size: count(linked.code.len())?,
        data: count(data)?,
        data_size: count(linked.data.len())?,
        ram_size: linked.ram_size,
        distance,
        imports: count(linked.imports.len())?,
        exports: count(linked.exports.len())?,
        fixups: count(linked.fixups.len())?,
        initialisers: count(linked.initialisers.len())?,
        finalisers: count(linked.finalisers.len())?,
        names_size,
        memory: linked.memory,
        functions: linked.functions[0],
        function_count: linked.functions[1],
    };
    let mut bytes = header.to_bytes().to_vec();
    bytes.extend_from_slice(&tables);
    bytes.resize(code, 0);
    bytes.extend_from_slice(&linked.code);
    bytes.resize(data, 0);
    bytes.extend_from_slice(&linked.data);
    header.hash = mir_image::hash(&bytes);
    bytes[..Header::SIZE].copy_from_slice(&header.to_bytes());
    Ok(bytes)
}
