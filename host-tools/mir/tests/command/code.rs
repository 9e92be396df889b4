//! `obj`, `disasm`: machine code in files and in listings, landing pads, processors, and the
//! compiler's debug output.

use super::{AHEAD, mir_with};
use std::ffi::OsStr;

#[test]
fn code_is_listed_beside_its_machine_ir() {
    for (target, lines) in [
        (
            "x86_64",
            [
                "     4  48 01 f7                       add rdi, rsi",
                "    10  c3                             ret",
            ],
        ),
        (
            "aarch64",
            [
                "     8  00 00 01 8b                    add x0, x0, x1",
                "    14  c0 03 5f d6                    ret",
            ],
        ),
    ] {
        let listed = mir!(AHEAD, "disasm", "--target", target);
        assert_eq!((listed.status, listed.err.as_str()), (0, ""));
        assert!(listed.text().starts_with("f:\n"), "{}", listed.text());
        for line in lines {
            let found = listed.text().lines().find(|found| found.starts_with(line));
            assert!(found.is_some_and(|found| found.contains("; ")), "{line}");
        }
        assert!(listed.text().contains(" -> ext\n"), "{}", listed.text());
    }
}

/// Returns the number at an offset of a little-endian ELF file.
fn elf_number(file: &[u8], at: usize, bytes: usize) -> usize {
    let bytes = file[at..at + bytes].iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | usize::from(byte))
}

#[test]
fn objects_are_position_independent_elf_files() {
    for (target, machine, call) in [("x86_64", 62, 4), ("aarch64", 183, 283)] {
        let object = mir!(AHEAD, "obj", "--target", target);
        assert_eq!((object.status, object.err.as_str()), (0, ""));
        let file = &object.out;
        assert_eq!(&file[..4], b"\x7FELF");
        // Relocatable, of this machine.
        assert_eq!(
            (elf_number(file, 16, 2), elf_number(file, 18, 2)),
            (1, machine)
        );
        let (sections, size) = (elf_number(file, 40, 8), elf_number(file, 58, 2));
        let relocated = (0..elf_number(file, 60, 2)).map(|section| sections + section * size);
        let relocated: Vec<usize> = relocated
            .filter(|&section| elf_number(file, section + 4, 4) == 4)
            .map(|section| elf_number(file, section + 24, 8))
            .collect();
        // Only the call refers to anything outside its section; so do the unwind tables.
        assert!(
            relocated
                .iter()
                .any(|&at| elf_number(file, at + 8, 4) == call),
            "{target}"
        );
    }
    let wrong = mir!("m: module", "obj");
    assert_eq!(wrong.status, 1);
}

/// `--drop-inlined` drops private functions whose calls were all inlined; it keeps those that are
/// still called, whose address data or code holds, that nothing mentions, or that are exported. The
/// listing has the same functions as the object.
#[test]
fn objects_leave_out_functions_that_were_inlined_on_request() {
    let small = |name: &str| format!("{name}: func i64, i64:n\nadd n, n, 7\nret n\nendfunc\n");
    let functions: String = ["once", "both", "held", "taken", "lone", "open"]
        .map(small)
        .concat();
    let program = format!(
        "m: module\nexport main, open\nimport ext\np: proto i64, i64:n\n{functions}\
         deep: func i64, i64:n\nlocal i64:r\ncall p, both, r, n\ncall p, once, r, r\nret r\nendfunc\n\
         again: func i64, i64:n\nlocal i64:r\nble e, n, 0\nsub n, n, 1\ncall p, again, r, n\nmul r, r, 3\nret r\n\
         e: ret n\nendfunc\n\
         words: ref held\n\
         main: func i64, i64:n\nlocal i64:r, i64:f\ncall p, deep, r, n\ncall p, both, r, r\ncall p, held, r, r\n\
         call p, again, r, r\ncall p, open, r, r\nmov f, taken\ncall p, ext, r, f\nret r\nendfunc\nendmodule\n"
    );
    for target in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let all_replaced = &["once", "both", "deep"][..];
        for (options, gone) in [
            (["-O3", "--color=auto"], &[][..]),
            (["-O1", "--drop-inlined"], &[]),
            (["-O3", "--drop-inlined"], all_replaced),
        ] {
            let [level, request] = options;
            let listed = mir!(program, "disasm", "--target", target, level, request);
            assert_eq!((listed.status, listed.err.as_str()), (0, ""));
            let object = mir!(program, "obj", "--target", target, level, request);
            assert_eq!((object.status, object.err.as_str()), (0, ""));
            let machine = mir!(program, "machine", "--target", target, level, request);
            for name in [
                "once", "both", "deep", "held", "taken", "lone", "open", "again", "main",
            ] {
                let is_kept = !gone.contains(&name);
                let symbol = format!("\0{name}\0").into_bytes();
                let has = object.out.windows(symbol.len()).any(|part| part == symbol);
                assert_eq!(has, is_kept, "{target} {level} {name}");
                let line = format!("{name}:");
                assert_eq!(listed.text().lines().any(|found| found == line), is_kept);
                let line = format!("name:            {name}");
                assert_eq!(machine.text().lines().any(|found| found == line), is_kept);
            }
        }
    }
}

/// Targets of indirect branches begin with a landing pad, and nothing else does: the entry, the
/// labels of a switch, the label whose address is taken.
#[test]
fn landing_pads_are_where_control_comes_to() {
    let program = "m: module\nf: func i64, i64:n\nlocal i64:at\nbgt d, n, 9\nswitch n, a, b\na: ret 5\n\
                   b: laddr at, c\njmpi at\nc: ret 9\nd: ret 11\nendfunc\nendmodule\n";
    for (target, pad) in [("x86_64", "endbr64"), ("aarch64", "bti"), ("riscv64", "")] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let arguments = ["--target", target, level];
            let [plain, padded] = [None, Some("--landing-pads")].map(|option| {
                let [one, two, three] = arguments;
                let outcome = match option {
                    None => mir!(program, "disasm", one, two, three),
                    Some(option) => mir!(program, "disasm", one, two, three, option),
                };
                assert_eq!(outcome.status, 0, "{}", outcome.err);
                outcome.text().to_owned()
            });
            if pad.is_empty() {
                assert_eq!(plain, padded);
                continue;
            }
            assert!(!plain.contains(pad));
            // The line after a block's name.
            let lines: Vec<&str> = padded.lines().collect();
            let first = lines.windows(2).filter(|pair| pair[0].starts_with("bb."));
            let begun = first.filter(|pair| pair[1].contains(pad)).count();
            assert_eq!(
                padded.matches(&format!(" {pad}")).count(),
                begun,
                "{padded}"
            );
            assert_eq!(begun, 4, "{target} {level}:\n{padded}");
        }
    }
}

/// Control returns from `setjmp` through a register, and an object says that it has landing pads:
/// in a note of 32 bytes, the property of the ISA with its lowest bit.
#[test]
fn landing_pads_are_behind_setjmp_and_noted_in_objects() {
    let program = "m: module\nimport _setjmp\np: proto i32, p:b\nf: func i64, p:b\nlocal i64:r\n\
                   call p, _setjmp, r, b\nret r\nendfunc\nendmodule\n";
    let targets = [
        ("x86_64", "endbr64", "call", Some(0xC000_0002)),
        ("aarch64", "bti", "bl", Some(0xC000_0000)),
        ("s390x", "none", "none", None),
    ];
    for (target, pad, call, property) in targets {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let arguments = ["--target", target, level, "--landing-pads"];
            let [a, b, c, d] = arguments;
            let object = mir!(program, "obj", a, b, c, d);
            assert_eq!((object.status, object.err.as_str()), (0, ""));
            let note = |property: u32| {
                let words = [4, 16, 5, u32::from_le_bytes(*b"GNU\0"), property, 4, 1, 0];
                words.map(u32::to_le_bytes).concat()
            };
            let name = &b".note.gnu.property"[..];
            let has = |bytes: &[u8]| object.out.windows(bytes.len()).any(|part| part == bytes);
            let Some(property) = property else {
                assert!(!has(name));
                continue;
            };
            assert!(has(name) && has(&note(property)), "{target} {level}");
            let plain = mir!(program, "obj", a, b, c);
            assert!(!plain.out.windows(name.len()).any(|part| part == name));
            let text = mir!(program, "disasm", a, b, c, d);
            let lines: Vec<&str> = text.text().lines().collect();
            let is_call = |line: &str| line.split_whitespace().any(|word| word.starts_with(call));
            let calls = lines.windows(2).filter(|pair| is_call(pair[0]));
            let mut padded = calls.map(|pair| pair[1].contains(pad));
            assert!(
                padded.next() == Some(true) && padded.all(|is| is),
                "{}",
                text.text()
            );
        }
    }
}

/// The compiler reports on standard error in every mode of compiling; the program's output is the
/// same.
#[test]
fn the_compiler_says_what_it_does() {
    let program = "m: module\nf: func i64, i64:n\nadd n, n, 1\nret n\nendfunc\np: proto i64, i64:n\n\
                   main: func i64\nlocal i64:r\ncall p, f, r, 4\nret r\nendfunc\nexport main\nendmodule\n";
    for way in ["--jit", "--lazy", "--lazy-bb"] {
        let ran = mir!(program, "run", way, "-O1", "--debug");
        assert_eq!(ran.status, 5);
        for name in ["f: level 1: ", "main: level 1: "] {
            assert!(ran.err.contains(name), "{way}: {}", ran.err);
        }
        assert_eq!(ran.err.contains("main: block 0: "), way == "--lazy-bb");
    }
    let object = mir!(program, "obj", "-O1", "--debug=code");
    assert_eq!(object.status, 0);
    for part in ["f: select: 1 blocks, ", "f: emit: 1 blocks, ", "bb.0:"] {
        assert!(object.err.contains(part), "{}", object.err);
    }
    assert_eq!(object.out, mir!(program, "obj", "-O1").out);
}

/// An atomic update is one instruction of aarch64 on request, and a loop else.
#[test]
fn atomic_updates_are_single_instructions_on_request() {
    let program = "m: module\nf: func i64, i64:p\nlocal i64:x\natomic_add x, i64:(p), 1, 5\n\
                   ret x\nendfunc\nendmodule\n";
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let on = |cpu: &[&str]| {
            let arguments = [&["disasm", "--target", "aarch64", level], cpu].concat();
            let arguments: Vec<&dyn AsRef<OsStr>> = arguments
                .iter()
                .map(|word| word as &dyn AsRef<OsStr>)
                .collect();
            let outcome = mir_with(program.as_bytes(), &arguments, None);
            assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
            ["LDADDALX", "LDAXRX", "STLXRX"].map(|name| outcome.text().contains(name))
        };
        assert_eq!(
            on(&["--cpu", "neoverse-n1"]),
            [true, false, false],
            "{level}"
        );
        assert_eq!(on(&[]), [false, true, true], "{level}");
    }
}

/// Prefixed instructions are generated on request only, and for no other ISA than theirs.
#[test]
fn code_for_a_processor_is_made_on_request() {
    let program = "m: module\nimport far\nf: func i64, i64:p\nlocal i64:x\nadd x, p, 0x123456789\n\
                   add x, x, i64:100001(p)\nmov p, far\nadd x, x, i64:(p)\nret x\nendfunc\nendmodule\n";
    let cpu = ["--cpu", "power10"];
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let [with, without] = [&cpu[..], &[]].map(|options| {
            let mut arguments: Vec<&dyn AsRef<OsStr>> =
                vec![&"machine", &"--target", &"ppc64le", &level];
            arguments.extend(options.iter().map(|word| word as &dyn AsRef<OsStr>));
            let outcome = mir_with(program.as_bytes(), &arguments, None);
            assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
            outcome.text().to_owned()
        });
        for name in [
            "= PADDI8 ",
            "= PLD 100001, ",
            "= PLDpc target-flags(ppc-got-pcrel) @far, 0",
        ] {
            assert!(
                with.contains(name) && !without.contains(name),
                "{level}:\n{with}"
            );
        }
        assert!(
            with.contains("alignment:       64\n") && without.contains("alignment:       16\n")
        );
    }
    for (cpu, of) in [("power10", "ppc64le"), ("neoverse-n1", "aarch64")] {
        let targets = ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"];
        for target in targets.into_iter().filter(|&target| target != of) {
            for command in ["obj", "disasm", "machine"] {
                let refused = mir!(program, command, "--target", target, "--cpu", cpu);
                let message = format!("mir: --cpu {cpu} is a processor of {of}, not of {target}\n");
                assert_eq!((refused.status, refused.err), (2, message));
            }
        }
    }
    assert_eq!(mir!(program, "obj", "--cpu", "power11").status, 2);
    let all = mir!(program, "run", "--on", "all", "--cpu", "power10");
    assert_eq!(all.status, 2);
    assert!(
        all.err.contains("--cpu power10 is a processor of ppc64le"),
        "{}",
        all.err
    );
}
