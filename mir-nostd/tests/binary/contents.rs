//! Errors in the contents of a whole file, and forms that the reference writes but does not read.

use super::{read, write};
use mir_nostd::binary::{self, WriteOptions};
use mir_nostd::ir::{Code, Item, ItemKind, Module, Operand, Place, Problem};
use mir_nostd::mem::Entity;
use mir_nostd::num::LongDoubleFormat;
use testkit::{SystemAllocator, container};

/// File contents under construction; strings are numbered in order of first use.
#[derive(Clone, Default)]
struct Contents {
    strings: Vec<Vec<u8>>,
    tokens: Vec<u8>,
}

const EOI: u8 = 0x3D;
const EOFILE: u8 = 0x3E;
const I64: u8 = 0x31;
const D: u8 = 0x34;
const P: u8 = 0x36;
const BLK: u8 = 0x37;

impl Contents {
    fn string(&mut self, tag: u8, bytes: &[u8]) -> &mut Self {
        let known = self.strings.iter().position(|string| string == bytes);
        let number = known.unwrap_or(self.strings.len());
        if known.is_none() {
            self.strings.push(bytes.to_vec());
        }
        self.raw(&[tag, number as u8])
    }

    /// Adds NAME tokens of words and names.
    fn names(&mut self, names: &[&str]) -> &mut Self {
        for name in names {
            self.string(0x18, format!("{name}\0").as_bytes());
        }
        self
    }

    fn reg(&mut self, name: &str) -> &mut Self {
        self.string(0x14, format!("{name}\0").as_bytes())
    }

    /// Adds tokens unchanged; small unsigned integers are their value + 0x80.
    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.tokens.extend_from_slice(bytes);
        self
    }

    fn code(&mut self, code: u8) -> &mut Self {
        self.raw(&[0x01, code])
    }

    /// Starts `module m` and `func f` without results and arguments.
    fn func() -> Contents {
        let mut contents = Contents::default();
        contents
            .names(&["module", "m", "func", "f"])
            .raw(&[0x80, 0x80, EOI]);
        contents
    }

    fn module() -> Contents {
        let mut contents = Contents::default();
        contents.names(&["module", "m"]);
        contents
    }

    /// Returns a file whose contents end with these words.
    fn file(&mut self, ends: &[&str]) -> Vec<u8> {
        self.names(ends).raw(&[EOFILE]);
        let mut contents = vec![0x81, 0x80 + self.strings.len() as u8];
        for string in &self.strings {
            contents.push(0x80 + string.len() as u8);
            contents.extend_from_slice(string);
        }
        contents.extend_from_slice(&self.tokens);
        container::pack(&contents)
    }

    /// Checks that the contents, ended like this, fail with a problem.
    #[track_caller]
    fn fails(&mut self, ends: &[&str], problem: Problem) {
        let error = read(&self.file(ends)).map(|_| ()).unwrap_err();
        assert_eq!(error.problem, problem);
        assert!(matches!(error.place, Place::Unpacked(_)));
    }
}

const ENDS: [&str; 2] = ["endfunc", "endmodule"];

#[test]
fn headers() {
    let problem = |contents: &[u8]| read(&container::pack(contents)).unwrap_err().problem;
    assert_eq!(problem(&[0x83, 0x80, EOFILE]), Problem::NewVersion);
    assert_eq!(problem(&[0x09, 0x01, 0x80, EOFILE]), Problem::NotUnsigned);
    assert_eq!(problem(&[0x81]), Problem::Unfinished);
    assert_eq!(problem(&[]), Problem::Unfinished);
    assert_eq!(problem(&[0x81, 0x80]), Problem::Unfinished);
    let huge = [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
    let many_strings = [&[0x81][..], &huge, &[0x81, 0x00]].concat();
    assert_eq!(problem(&many_strings), Problem::Unfinished);
    let long_string = [&[0x81, 0x81][..], &huge, b"abc"].concat();
    assert_eq!(problem(&long_string), Problem::Unfinished);
    for version in [0x80, 0x81, 0x82] {
        assert!(
            read(&container::pack(&[version, 0x80, EOFILE]))
                .unwrap()
                .is_empty()
        );
    }
    // Bytes after the end are ignored.
    assert!(read(&container::pack(&[0x81, 0x80, EOFILE, 0x00, 0xFF])).is_ok());
}

#[test]
fn nesting() {
    use Problem::*;
    Contents::default().fails(&["import", "x"], ItemOutsideModule);
    Contents::default().fails(&["endmodule"], EndOfNoModule);
    Contents::default().fails(&["endfunc"], EndOfNoFunc);
    Contents::default().raw(&[0x80]).fails(&[], InsnOutsideFunc);
    Contents::module().fails(&[], ModuleNotEnded);
    Contents::module().fails(&["module", "n"], ModuleInModule);
    Contents::module().fails(&["endfunc"], EndOfNoFunc);
    Contents::module().fails(&["local"], InsnOutsideFunc);
    Contents::module()
        .raw(&[0x20, 1])
        .fails(&[], InsnOutsideFunc);
    Contents::module().raw(&[EOI]).fails(&[], WrongToken);
    Contents::module().fails(&["nonsense"], WordUnknown);
    Contents::module().fails(&[""], WordUnknown);
    Contents::func().fails(&[], FuncNotEnded);
    Contents::func().fails(&["endmodule"], FuncNotEnded);
    Contents::func().fails(&["func", "g"], FuncInFunc);
    Contents::func().fails(&["module", "n"], ModuleInModule);
    Contents::func()
        .raw(&[0x20, 1])
        .fails(&["local"], LabelsBeforeDirective);
}

#[test]
fn strings_and_names() {
    Contents::module()
        .names(&["import"])
        .raw(&[0x18, 0x70])
        .fails(&[], Problem::StringNumber);
    Contents::module()
        .raw(&[0x1B, 0xFF, 0xFF, 0xFF, 0xFF])
        .fails(&[], Problem::StringNumber);
    let mut unterminated = Contents::module();
    unterminated.names(&["import"]).string(0x18, b"x");
    unterminated.fails(&["endmodule"], Problem::NameEnd);
    let mut terminated_twice = Contents::module();
    terminated_twice.names(&["import", "a\0b"]);
    terminated_twice.fails(&["endmodule"], Problem::NameEnd);
    let mut empty = Contents::module();
    empty.names(&["import"]).string(0x18, b"");
    empty.fails(&["endmodule"], Problem::NameEnd);
    let mut register = Contents::func();
    register.names(&["local"]).raw(&[I64]).string(0x18, b"r");
    register.raw(&[EOI]).fails(&ENDS, Problem::NameEnd);
}

#[test]
fn items() {
    use Problem::*;
    Contents::module()
        .names(&["ref", "x"])
        .raw(&[0x09, 0])
        .fails(&[], UndeclaredName);
    Contents::module()
        .names(&["import", "x", "ref", "x"])
        .raw(&[0x80])
        .fails(&[], NotSigned);
    Contents::module()
        .names(&["expr", "x"])
        .fails(&[], UndeclaredName);
    Contents::module()
        .names(&["import", "x", "expr", "x"])
        .fails(&[], NotAFunction);
    Contents::module()
        .names(&["bss"])
        .raw(&[0x09, 0])
        .fails(&[], NotUnsigned);
    Contents::module()
        .names(&["import"])
        .raw(&[0x14, 0])
        .fails(&[], NotName);
    Contents::module()
        .names(&["import", "x", "nbss", "x"])
        .raw(&[0x81])
        .fails(&[], AlreadyImported);
    Contents::module()
        .names(&["data"])
        .raw(&[BLK, EOI])
        .fails(&[], DataType);
    Contents::module()
        .names(&["data"])
        .raw(&[0x81])
        .fails(&[], NotType);
    Contents::module()
        .names(&["data"])
        .raw(&[I64, 0x81])
        .fails(&[], NotDataElement);
    Contents::module()
        .names(&["data"])
        .raw(&[P, 0x09, 1])
        .fails(&[], NotDataElement);
    Contents::module()
        .names(&["data"])
        .raw(&[D, 0x11, 0, 0, 0, 0])
        .fails(&[], NotDataElement);
    let huge = [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
    Contents::module()
        .names(&["proto", "p"])
        .raw(&[0x80])
        .raw(&huge)
        .fails(&[], NotType);
    Contents::module()
        .names(&["proto", "p"])
        .raw(&[0x80, 0x81, BLK, EOI])
        .fails(&[], ResultType);
    let mut large_block = Contents::module();
    large_block
        .names(&["proto", "p"])
        .raw(&[0x80, 0x80, BLK])
        .names(&["b"])
        .raw(&huge);
    // It is for the verifier to say which function it is of.
    let read_block = read(&large_block.raw(&[EOI]).file(&["endmodule"]));
    assert!(read_block.is_ok());
    Contents::module()
        .names(&["lref"])
        .raw(&[0x10])
        .raw(&[0xFE; 8])
        .fails(&[], LabelNumber);
}

#[test]
fn variables() {
    let locals = |name: &str| {
        let mut contents = Contents::func();
        contents
            .names(&["local"])
            .raw(&[I64])
            .names(&["r"])
            .raw(&[D])
            .names(&[name]);
        contents.raw(&[EOI]).clone()
    };
    assert!(read(&locals("s").file(&ENDS)).is_ok());
    locals("r").fails(&ENDS, Problem::RepeatedReg);
    locals("hr1").fails(&ENDS, Problem::ReservedRegName);
    let mut narrow = Contents::func();
    narrow
        .names(&["local"])
        .raw(&[0x2B])
        .names(&["r"])
        .raw(&[EOI]);
    narrow.fails(&ENDS, Problem::RegisterType);
    let mut argument_again = Contents::module();
    argument_again
        .names(&["func", "f"])
        .raw(&[0x80, 0x80, I64])
        .names(&["r"])
        .raw(&[EOI]);
    argument_again
        .names(&["local"])
        .raw(&[I64])
        .names(&["r"])
        .raw(&[EOI]);
    argument_again.fails(&ENDS, Problem::RepeatedReg);
    // The registers of one function are not known in the next.
    let mut other = Contents::func();
    other
        .names(&["local"])
        .raw(&[I64])
        .names(&["r"])
        .raw(&[EOI])
        .names(&["endfunc"]);
    other
        .names(&["func", "g"])
        .raw(&[0x80, 0x80, EOI])
        .raw(&[0x80])
        .reg("r");
    other.raw(&[0x09, 0]).fails(&ENDS, Problem::UndeclaredReg);
    let mut tied = Contents::func();
    tied.names(&["global"])
        .raw(&[I64])
        .names(&["a", "rbx"])
        .raw(&[D])
        .names(&["b", "rbx"]);
    tied.raw(&[EOI]).fails(&ENDS, Problem::HardRegTypes);
}

#[test]
fn instructions() {
    use Problem::*;
    for code in [180, 181, 185, 186, 187, 188, 200, 201, 241, 242, 243, 255] {
        Contents::func().code(code).fails(&ENDS, WrongInsnCode);
    }
    let huge = [0x08, 0, 0, 0, 0, 0, 0, 0, 1];
    Contents::func().raw(&huge).fails(&ENDS, WrongInsnCode);
    Contents::func()
        .raw(&[0x80])
        .reg("r")
        .fails(&ENDS, UndeclaredReg);
    Contents::func()
        .raw(&[0x80, 0x09, 0, EOI])
        .fails(&ENDS, OperandMissing);
    Contents::func()
        .code(167)
        .raw(&[0x09, 0, EOI])
        .fails(&ENDS, OperandCount);
    Contents::func()
        .code(170)
        .raw(&[EOI])
        .fails(&ENDS, OperandCount);
    for token in [0x00, 0x46, 0x7F, I64, EOFILE] {
        Contents::func()
            .raw(&[0x80, token])
            .fails(&ENDS, WrongToken);
    }
    // A `mov` to memory: displacement, base, scale, alias.
    Contents::func()
        .raw(&[0x80, 0x24, I64, 0x81])
        .fails(&ENDS, NotSigned);
    Contents::func()
        .raw(&[0x80, 0x24, 0x81])
        .fails(&ENDS, NotType);
    Contents::func()
        .raw(&[0x80, 0x25, I64, 0x09, 0])
        .fails(&ENDS, NotReg);
    let mut scale = Contents::func();
    scale
        .names(&["local"])
        .raw(&[I64])
        .names(&["r"])
        .raw(&[EOI]);
    scale
        .raw(&[0x80, 0x26, I64])
        .reg("r")
        .raw(&[0x02, 0x00, 0x01]);
    scale.fails(&ENDS, WrongScale);
}

/// Reads property instructions, labels at the end and data of type `p`, which the reference does
/// not read.
#[test]
fn what_the_reference_does_not_read() {
    let mut contents = Contents::module();
    contents.names(&["data"]).raw(&[P, 0x85, EOI]);
    contents.names(&["func", "f"]).raw(&[0x80, 0x80, EOI]);
    contents
        .names(&["local"])
        .raw(&[I64])
        .names(&["r"])
        .raw(&[EOI]);
    contents.code(182).reg("r").raw(&[0x09, 1]);
    contents.code(183).raw(&[0x20, 9]).reg("r").raw(&[0x09, 1]);
    contents.code(171).raw(&[EOI]);
    contents.raw(&[0x20, 9]);
    let modules = read(&contents.file(&ENDS)).unwrap();
    let (id, func) = modules[0].funcs().next().unwrap();
    let codes: Vec<_> = modules[0]
        .insns(id)
        .map(|insn| modules[0].code(insn))
        .collect();
    assert_eq!(codes, [Code::Prset, Code::Prbeq, Code::Ret, Code::Label]);
    assert_eq!(
        modules[0]
            .label_of(func.last().unwrap())
            .map(Entity::number),
        Some(0)
    );
    // The writer adds an instruction after the label.
    let again = read(&write(&modules)).unwrap();
    let (id, func) = again[0].funcs().next().unwrap();
    assert_eq!(again[0].insns(id).len(), 5);
    assert_eq!(again[0].code(func.last().unwrap()), Code::Ret);
}

/// Returns a file of functions that each have `jmp L; L:` with these label numbers, each followed
/// by an `lref` to its label.
fn jumps(numbers: &[u32]) -> Vec<u8> {
    let mut contents = Contents::module();
    for (index, number) in numbers.iter().enumerate() {
        let bytes = number.to_le_bytes();
        let label = [0x23, bytes[0], bytes[1], bytes[2], bytes[3]];
        contents
            .names(&["func", &format!("f{index}")])
            .raw(&[0x80, 0x80, EOI]);
        contents
            .raw(&[0x80 + 118])
            .raw(&label)
            .raw(&label)
            .code(171)
            .raw(&[EOI]);
        contents
            .names(&["endfunc", "lref"])
            .raw(&[0x0C])
            .raw(&bytes);
        contents.raw(&[0x10]).raw(&[0xFF; 8]).raw(&[0x09, 0]);
    }
    contents.file(&["endmodule"])
}

/// Returns the numbers of the labels of each function; the `lref` after it must refer to the same
/// label.
fn labels(file: &[u8]) -> Vec<u32> {
    let modules = read(file).unwrap();
    let module = &modules[0];
    let mut labels = Vec::new();
    for (_, Item { kind, .. }) in module.items() {
        match *kind {
            ItemKind::Func(func) => {
                let jump = module.func(func).first().unwrap();
                let Some(Operand::Label(label)) = module.operand(jump, 0) else {
                    panic!("no label");
                };
                assert_eq!(module.label_func(label), Some(func));
                labels.push(label);
            }
            ItemKind::Lref { label, .. } => assert_eq!(labels.last(), Some(&label)),
            _ => {}
        }
    }
    labels
        .iter()
        .map(|&label| module.label_number(label))
        .collect()
}

#[test]
fn labels_keep_their_numbers() {
    assert_eq!(labels(&jumps(&[7, 3, 4])), [7, 3, 4]);
    let sparse = [1 << 30, 5, 1 << 20, (1 << 20) + 1, 77, 1 << 29, 3 << 28];
    assert_eq!(labels(&jumps(&sparse)), sparse);
}

#[test]
fn numbers_that_come_again_are_other_labels() {
    assert_eq!(labels(&jumps(&[1, 1, 2, 1])), [1, 2, 3, 4]);
    let distinct = |numbers: &[u32]| {
        let mut found = labels(&jumps(numbers));
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), numbers.len());
    };
    distinct(&[u32::MAX, u32::MAX - 1, u32::MAX, 0, 1, 0]);
    distinct(&[9, 9, 10, 11, 9]);
}

#[test]
fn an_lref_may_come_before_its_function() {
    let mut contents = Contents::module();
    contents
        .names(&["lref"])
        .raw(&[0x09, 4, 0x10])
        .raw(&[0xFF; 8])
        .raw(&[0x09, 0]);
    contents.names(&["func", "f"]).raw(&[0x80, 0x80, EOI]);
    contents.raw(&[0x20, 4]).code(171).raw(&[EOI]);
    let modules = read(&contents.file(&ENDS)).unwrap();
    let (_, item) = modules[0].items().next().unwrap();
    let ItemKind::Lref { label, .. } = item.kind else {
        panic!("no lref");
    };
    assert!(modules[0].label_func(label).is_some());
}

#[test]
fn a_label_is_placed_once() {
    let mut contents = Contents::func();
    contents.raw(&[0x20, 1, 0x20, 1]).code(171).raw(&[EOI]);
    contents.fails(&ENDS, Problem::LabelDefinedTwice);
}

/// Longer encodings than needed are read; strings that are in the table twice are the same.
#[test]
fn unusual_forms() {
    let mut contents = Contents::module();
    contents.names(&["bss"]).raw(&[0x03, 5, 0, 0]);
    contents.names(&["import", "x"]);
    contents.names(&["export"]);
    let second_x = contents.strings.len() as u8;
    contents.strings.push(b"x\0".to_vec());
    contents.raw(&[0x1A, second_x, 0, 0]);
    contents.fails(&["endmodule"], Problem::AlreadyImported);
}

/// A string table may hold a name twice: both are the same register.
#[test]
fn registers_whose_name_is_there_twice() {
    let mut contents = Contents::func();
    contents.names(&["local"]).raw(&[I64]).names(&["r"]);
    let second_r = contents.strings.len() as u8;
    contents.strings.push(b"r\0".to_vec());
    let mut used = contents.clone();
    used.raw(&[EOI, 0x80, 0x14, second_r, 0x14, second_r - 1]);
    let modules = read(&used.file(&ENDS)).unwrap();
    let (_, func) = modules[0].funcs().next().unwrap();
    let insn = func.first().unwrap();
    assert_eq!(modules[0].operand(insn, 0), modules[0].operand(insn, 1));
    let mut declared_again = contents;
    declared_again.raw(&[I64, 0x18, second_r, EOI]);
    declared_again.fails(&ENDS, Problem::RepeatedReg);
}

/// The writer fails on modules that files cannot express.
#[test]
fn modules_that_no_file_can_hold() {
    let module = || Module::new(&SystemAllocator, b"m", LongDoubleFormat::X87).unwrap();
    let problem = |module| {
        let options = WriteOptions::new(false);
        let written = binary::write(&[module], &SystemAllocator, &options);
        written.map(|_| ()).unwrap_err().problem
    };
    let mut nameless = module();
    let item = nameless.bss(None, 8).unwrap();
    nameless.ref_data(None, item, 0).unwrap();
    assert_eq!(problem(nameless), Problem::NamelessItem);
    let mut nul = module();
    nul.import(b"a\0b").unwrap();
    assert_eq!(problem(nul), Problem::NameEnd);
}
