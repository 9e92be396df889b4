//! Packs `tables/*.txt` into one file per target that `src/target` reads in place.

use std::collections::HashMap;
use std::path::Path;
use std::{env, fs};

const TARGETS: [&str; 5] = ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"];

/// Properties of opcodes, in the order of their bits.
const PROPERTIES: [&str; 22] = [
    "variadic",
    "optdef",
    "pseudo",
    "meta",
    "return",
    "call",
    "barrier",
    "terminator",
    "branch",
    "indirect",
    "compare",
    "moveimm",
    "preisel",
    "load",
    "store",
    "sideeffects",
    "commutable",
    "convergent",
    "auth",
    "fpexc",
    "variadicdefs",
    "common",
];

type Result<T> = core::result::Result<T, Box<dyn core::error::Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=tables");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let common = fs::read_to_string("tables/common.txt")?;
    for target in TARGETS {
        let own = fs::read_to_string(format!("tables/{target}.txt"))?;
        let packed = Packer::new(&own)?.pack(&own, &common)?;
        fs::write(Path::new(&out).join(format!("{target}.bin")), packed)?;
    }
    Ok(())
}

/// Returns the lines of a section.
fn section<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let head = format!("[{name}]");
    text.lines()
        .skip_while(move |line| *line != head)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
}

fn number(text: &str) -> Result<u32> {
    Ok(text
        .parse::<i32>()
        .map_err(|error| format!("{text}: {error}"))?
        .cast_unsigned())
}

fn word(value: usize) -> Result<u32> {
    Ok(u32::try_from(value)?)
}

/// Returns the numbers of a list of ranges.
fn ranges(text: &str) -> Result<Vec<u32>> {
    let mut all = Vec::new();
    for range in text.split(',').filter(|range| *range != "-") {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        all.extend(number(first)?..=number(last)?);
    }
    Ok(all)
}

/// Returns the hash that `src/target/packed.rs` computes too.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}

struct Packer {
    registers: HashMap<String, u32>,
    classes: HashMap<String, u32>,
    names: Vec<u8>,
    sections: Vec<Vec<u32>>,
}

impl Packer {
    fn new(own: &str) -> Result<Packer> {
        let numbered = |name: &str, first: u32| -> HashMap<String, u32> {
            let names = section(own, name).map(|line| line.split([' ', '!']).next().unwrap_or(""));
            names
                .zip(first..)
                .map(|(name, n)| (name.to_lowercase(), n))
                .collect()
        };
        Ok(Packer {
            registers: numbered("registers", 1),
            classes: numbered("classes", 0),
            names: Vec::new(),
            sections: Vec::new(),
        })
    }

    /// Packs the sections in the order of `Section` in `src/target/packed.rs`.
    fn pack(mut self, own: &str, common: &str) -> Result<Vec<u8>> {
        self.opcodes(own, common)?;
        self.registers(own)?;
        self.classes(own)?;
        self.masks(own)?;
        self.values(own, "banks")?;
        for name in [
            "direct-flags",
            "bit-flags",
            "memory-flags",
            "target-indices",
            "dwarf-names",
        ] {
            self.values(own, name)?;
        }
        self.bytes()
    }

    fn bytes(self) -> Result<Vec<u8>> {
        let header = 4 * (2 * self.sections.len() + 2);
        let mut words = Vec::new();
        let mut start = header;
        for section in &self.sections {
            words.extend([word(start)?, word(section.len())?]);
            start += 4 * section.len();
        }
        words.extend([word(start)?, word(self.names.len())?]);
        words.extend(self.sections.iter().flatten());
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(self.names);
        Ok(bytes)
    }

    /// Stores a name; returns its offset and length in one word.
    fn name(&mut self, name: &str) -> Result<u32> {
        let at = word(self.names.len())?;
        self.names.extend(name.bytes());
        Ok(at | word(name.len())? << 24)
    }

    /// Writes a hash table over names, which are compared without regard to case. A slot holds a
    /// row's number + 1; the table is open-addressed, its size is a power of two, and at least half
    /// of the slots are free.
    fn index(&mut self, names: &[String]) -> Result<()> {
        let size = (names.len() * 2).next_power_of_two();
        let mut slots = vec![0; size];
        for (name, row) in names.iter().zip(1..) {
            let mut slot = hash(name) as usize % size;
            while slots[slot] != 0 {
                slot = (slot + 1) % size;
            }
            slots[slot] = row;
        }
        self.sections.push(slots);
        Ok(())
    }

    fn bitset(&self, members: &[u32]) -> Vec<u32> {
        let mut words = vec![0; self.registers.len() / 32 + 1];
        for member in members {
            words[(member / 32) as usize] |= 1 << (member % 32);
        }
        words
    }

    fn opcodes(&mut self, own: &str, common: &str) -> Result<()> {
        let (mut signatures, mut kinds, mut implicit) = (Vec::new(), Vec::new(), Vec::new());
        let mut opcodes = Vec::new();
        let shared = section(common, "opcodes").map(|line| (line, true));
        for (line, is_shared) in shared.chain(section(own, "opcodes").map(|line| (line, false))) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [defs, operands, flags, kind, idefs, iuses, names] = columns[..] else {
                return Err(format!("columns: {line}").into());
            };
            let list = |text: &'static str| move |item: &&str| *item != text;
            let kinds_at = word(kinds.len())?;
            for kind in kind.split(' ').filter(list("-")) {
                kinds.push(self.kind(kind)?);
            }
            let implicit_at = word(implicit.len())?;
            for names in [idefs, iuses] {
                for name in names.split(',').filter(list("-")) {
                    implicit.push(*self.registers.get(name).ok_or(name)?);
                }
            }
            let idefs = idefs.split(',').filter(list("-")).count();
            let iuses = iuses.split(',').filter(list("-")).count();
            let mut bits = u32::from(is_shared) << (PROPERTIES.len() - 1);
            for flag in flags.split(',').filter(list("-")) {
                bits |= 1
                    << PROPERTIES
                        .iter()
                        .position(|known| *known == flag)
                        .ok_or(flag)?;
            }
            let signature = word(signatures.len() / 4)?;
            let counts =
                number(defs)? | number(operands)? << 8 | word(idefs)? << 16 | word(iuses)? << 24;
            let mut last = String::new();
            for name in names.split(' ') {
                let shared = usize::try_from(u32::from_str_radix(&name[..1], 36)?)?;
                last = format!("{}{}", &last[..shared], &name[1..]);
                opcodes.push((last.clone(), signature));
            }
            signatures.extend([counts, bits, kinds_at, implicit_at]);
        }
        opcodes.sort();
        let mut rows = Vec::new();
        for (name, signature) in &opcodes {
            rows.extend([self.name(name)?, *signature]);
        }
        self.sections.push(rows);
        let names: Vec<String> = opcodes.into_iter().map(|(name, _)| name).collect();
        self.index(&names)?;
        self.sections.extend([signatures, kinds, implicit]);
        Ok(())
    }

    /// Packs an operand kind into one word, as `Kind` of `src/target/opcode.rs` unpacks it.
    fn kind(&self, text: &str) -> Result<u32> {
        let (text, mut bits) = match text.strip_prefix("hw:") {
            Some(text) => (text, 1 << 20),
            None => (text, 0),
        };
        let end = text.find(['=', '!', '?', '^', '@']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        while let Some(mark) = rest.chars().next() {
            rest = &rest[1..];
            match mark {
                '=' => {
                    let digits = rest.len()
                        - rest[1..]
                            .trim_start_matches(|c: char| c.is_ascii_digit())
                            .len();
                    bits |= (number(&rest[1..digits])? + 1) << 25;
                    rest = &rest[digits..];
                }
                '!' => bits |= 1 << 21,
                '?' => bits |= 1 << 22,
                '^' => bits |= 1 << 23,
                _ => bits |= 1 << 24,
            }
        }
        if let Some(class) = self.classes.get(name) {
            return Ok(bits | class);
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let value = number(&name[stem.len()..]).unwrap_or(0);
        let tags = [
            "", "imm", "mem", "pcrel", "any", "op", "type", "uimm", "reg",
        ];
        let tag = tags.iter().position(|tag| *tag == stem).ok_or(name)?;
        Ok(bits | word(tag)? << 16 | value)
    }

    fn registers(&mut self, own: &str) -> Result<()> {
        let mut indices = Vec::new();
        for line in section(own, "subregs") {
            let [name, offset, bits] = line.split(' ').collect::<Vec<_>>()[..] else {
                return Err(line.into());
            };
            indices.extend([self.name(name)?, number(offset)? << 16 | number(bits)?]);
        }
        let shapes: Vec<&str> = section(own, "shapes").collect();
        let (mut rows, mut parts, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for line in section(own, "registers") {
            let columns: Vec<&str> = line.split(' ').collect();
            let start = word(parts.len())?;
            if let [_, _, _, shape, registers] = columns[..] {
                let shape = shapes[number(shape)? as usize].split(',');
                for (index, register) in shape.zip(registers.split(',')) {
                    parts.push(number(index)? << 16 | number(register)?);
                }
            }
            names.push(columns[0].to_string());
            rows.extend([
                self.name(columns[0])?,
                number(columns[1])?,
                number(columns[2])?,
            ]);
            rows.push(start | (word(parts.len())? - start) << 24);
        }
        self.sections.extend([indices, rows]);
        self.index(&names)?;
        self.sections.push(parts);
        let reserved = section(own, "reserved").next().unwrap_or("-");
        let reserved = self.bitset(&ranges(reserved)?);
        self.sections.push(reserved);
        Ok(())
    }

    fn classes(&mut self, own: &str) -> Result<()> {
        let (mut rows, mut sets, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for line in section(own, "classes") {
            let [name, bits, members] = line.split(' ').collect::<Vec<_>>()[..] else {
                return Err(line.into());
            };
            let only_physical = u32::from(name.ends_with('!'));
            let name = name.trim_end_matches('!');
            names.push(name.to_string());
            rows.extend([self.name(name)?, number(bits)? | only_physical << 31]);
            rows.push(self.name(&name.to_lowercase())?);
            sets.extend(self.bitset(&ranges(members)?));
        }
        self.sections.push(rows);
        self.index(&names)?;
        self.sections.push(sets);
        Ok(())
    }

    fn masks(&mut self, own: &str) -> Result<()> {
        let (mut rows, mut sets, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for line in section(own, "masks") {
            let (name, members) = line.split_once(' ').ok_or(line)?;
            names.push(name.to_string());
            rows.push(self.name(name)?);
            sets.extend(self.bitset(&ranges(members)?));
        }
        self.sections.push(rows);
        self.index(&names)?;
        self.sections.push(sets);
        Ok(())
    }

    /// Packs names with a value, or with their number.
    fn values(&mut self, own: &str, name: &str) -> Result<()> {
        let mut rows = Vec::new();
        for (line, row) in section(own, name).zip(0..) {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            let value = if value.is_empty() {
                row
            } else {
                number(value)?
            };
            rows.extend([self.name(name)?, value]);
        }
        self.sections.push(rows);
        Ok(())
    }
}
