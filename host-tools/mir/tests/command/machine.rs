//! `machine`: Machine IR as LLVM reads and prints it, from any stage to any other.

use super::words;
use super::{AHEAD, ISAS, Outcome, mir_with};
use std::ffi::OsStr;
use std::path::Path;

#[test]
fn machine_ir_is_printed_as_llvm_reads_it() {
    let printed = mir!(AHEAD, "machine", "--target", "x86_64", "--stop-after=frame");
    assert_eq!((printed.status, printed.err.as_str()), (0, ""));
    for line in [
        "  declare void @ext()",
        "  define void @f() {",
        "name:            f",
        "alignment:       16",
        "tracksRegLiveness: true",
        "    liveins: $rdi, $rsi",
        "    CALL64pcrel32 target-flags(x86-plt) @ext, csr_64, implicit killed $rdi, implicit-def $rax, implicit $rsp, implicit $ssp",
    ] {
        assert!(printed.text().lines().any(|found| found == line), "{line}");
    }
    let before = mir!(
        AHEAD,
        "machine",
        "--target",
        "x86_64",
        "--stop-before=select"
    );
    assert!(before.text().contains("G_ADD"), "{}", before.text());
    let first = mir!(AHEAD, "machine", "--stop-before=translate");
    assert_eq!(first.status, 2);
}

/// Accesses to memory of the frame, of an argument and of neither.
const ACCESSES: &str = "m: module
p_g: proto p:q, i64:x
import g
export f
f: func d, p:a, i64:b, d:c
local i64:x, i64:q
alloca q, 64
mov i64:8(q), b
mov i32:(a, b, 4), b
mov x, i16:6(a)
mov u8:(q, b), x
add x, x, i64:16(q)
dadd d:24(q), c, 2.5
call p_g, g, q, x
ret d:24(q)
endfunc
endmodule
";

#[test]
fn accesses_to_memory_say_how_much_and_where() {
    let of_frame = [
        ":: (store (s64) into %stack.0 + 8, basealign 16)",
        ":: (load (s64) from %stack.0 + 16, align 16)",
        ":: (store (s64) into %stack.0 + 24, basealign 16)",
    ];
    for target in ISAS {
        let stop = "--stop-after=select";
        let printed = mir!(ACCESSES, "machine", "-O1", "--target", target, stop);
        assert_eq!((printed.status, printed.err.as_str()), (0, ""));
        let text = printed.text();
        let others = [":: (store (s32))", ":: (load (s16))", ":: (store (s8))"];
        for operand in of_frame.iter().chain(&others) {
            assert!(text.contains(operand), "{target}: {operand} in {text}");
        }
        let verified = mir!(printed.out, "llvm", "verify");
        assert_eq!((verified.status, verified.err.as_str()), (0, ""));
    }
    for target in ["aarch64", "riscv64", "x86_64"] {
        let stop = "--stop-after=translate";
        let args = ["-O1", "--generic", "--target", target, stop];
        let printed = mir!(
            ACCESSES, "machine", args[0], args[1], args[2], args[3], args[4]
        );
        assert_eq!((printed.status, printed.err.as_str()), (0, ""));
        for operand in of_frame {
            assert!(printed.text().contains(operand), "{target}: {operand}");
        }
    }
}

#[test]
fn stages_go_on_from_a_file() {
    for target in ISAS {
        let whole = mir!(AHEAD, "machine", "-O1", "--target", target);
        assert_eq!((whole.status, whole.err.as_str()), (0, ""));
        for stage in ["select", "allocate", "frame"] {
            let stop = format!("--stop-after={stage}");
            let start = format!("--start-after={stage}");
            let part = mir!(AHEAD, "machine", "-O1", "--target", target, stop);
            let rest = mir!(part.text(), "machine", "-O1", "--target", target, start);
            assert_eq!(
                (rest.status, rest.err.as_str()),
                (0, ""),
                "{target} {stage}"
            );
            assert_eq!(rest.text(), whole.text(), "{target} {stage}");
        }
        let selected = mir!(
            AHEAD,
            "machine",
            "-O1",
            "--target",
            target,
            "--stop-before=allocate"
        );
        let framed = mir!(
            AHEAD,
            "machine",
            "-O1",
            "--target",
            target,
            "--stop-after=frame"
        );
        let passes = mir!(
            selected.text(),
            "machine",
            "--target",
            target,
            "--run-pass=allocate,frame"
        );
        assert_eq!(passes.text(), framed.text(), "{target}");
    }
    // The second stage of a name; one that the level does not have; one that does not read files.
    let division = "m: module\nf: func i64, i64:x\ndiv x, x, 7\nret x\nendfunc\nendmodule\n";
    let [first, second] = ["combine", "combine,2"]
        .map(|name| mir!(division, "machine", "-O3", format!("--stop-after={name}")));
    assert!(first.status == 0 && second.status == 0 && first.text() != second.text());
    let wrong = [
        "--stop-after=merge",
        "--stop-after=emit,2",
        "--start-after=translate",
        "--run-pass=combine",
        "--stop-after=nothing",
    ];
    for wrong in wrong {
        assert_eq!(
            mir!("name: f", "machine", "-O1", wrong).status,
            2,
            "{wrong}"
        );
    }
    let unknown = "name: f\nbody: |\n  bb.0:\n    NOTHING\n";
    let wrong = mir!(unknown, "machine", "--run-pass=emit");
    assert_eq!(wrong.status, 1);
}

/// Private names that other modules export or import, that are LLVM's own, or those of generated
/// data; an exported one of LLVM's own.
const CLASHES: &str = "m1: module
 export llvm.out
p: proto i64, i64:x
f: func i64, i64:x
 switch x, a, b, c, d
a: ret 1
b: ret 2
c: ret 3
d: ret 4
 endfunc
f.3.table.0: i64 5
f.3: i64 6
llvm.used: i64 7
free: func i64, i64:x
 div x, 7, x
 ret x
 endfunc
free.2.name: i64 8
llvm.out: func i64, i64:x
 local i64:r, i64:s
 call p, f, r, x
 call p, free, r, r
 mov s, f.3.table.0
 add r, r, i64:(s)
 mov s, f.3
 add r, r, i64:(s)
 mov s, llvm.used
 add r, r, i64:(s)
 mov s, free.2.name
 add r, r, i64:(s)
 ret r
 endfunc
 endmodule
m2: module
 import free, llvm.out
 export f, f.2
p: proto i64, i64:x
f: func i64, i64:x
 local i64:r
 call p, free, r, x
 call p, llvm.out, x, r
 ret x
 endfunc
f.2: func i64, i64:x
 ret x
 endfunc
 endmodule
";

#[test]
fn names_in_files_of_machine_ir_are_of_one_thing_each() {
    for target in ISAS {
        let run = |input: &str, options: &[&'static str]| {
            let mut arguments: Vec<&dyn AsRef<OsStr>> = vec![&"machine", &"--target", &target];
            arguments.extend(options.iter().map(|option| option as &dyn AsRef<OsStr>));
            let printed = mir_with(input.as_bytes(), &arguments, None);
            assert_eq!((printed.status, printed.err.as_str()), (0, ""), "{target}");
            printed.text().to_owned()
        };
        let whole = run(CLASHES, &["-O1"]);
        let mut names: Vec<_> = whole.lines().filter_map(defined).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{target}: {whole}");
        let expected = [
            "f",
            "f.2",
            "f.3",
            "f.3.2",
            "f.3.table.0",
            "f.3.table.0.2",
            "free",
            "free.2",
            "free.2.name",
            "free.2.name.2",
            "\"\\01llvm.out\"",
            "\"\\01llvm.used\"",
        ];
        for name in expected {
            assert!(names.contains(&name), "{target}: {name} in {names:?}");
        }
        let part = run(CLASHES, &["-O1", "--stop-after=frame"]);
        let rest = run(&part, &["-O1", "--start-after=frame"]);
        let functions = |text: &str| text.split_once("...").map(|parts| parts.1.to_owned());
        assert_eq!(functions(&rest), functions(&whole), "{target}");
        let mut again: Vec<_> = rest.lines().filter_map(defined).collect();
        again.sort_unstable();
        assert_eq!(again, names, "{target}");
    }
}

/// A global variable in a callee-saved register; a function that `setjmp` returns into again, with
/// a path that needs no frame.
const BESIDE_CODE: &str = "m: module
 import setjmp, ext
p: proto i64, i64:x
count: func i64, i64:x
 global i64:g:REG
 add g, g, x
 ret g
 endfunc
again: func i64, i64:x
 local i64:r, i64:area
 bf none, x
 alloca area, 512
 call p, setjmp, r, area
 add r, r, x
 ret r
none:
 ret 7
 endfunc
early: func i64, i64:x, i64:y
 local i64:r
 bf other, x
 call p, ext, r, y
 add r, r, x
 call p, ext, r, r
 add r, r, x
other:
 ret x
 endfunc
 endmodule
";

#[test]
fn stages_go_on_with_all_that_is_known_of_a_function() {
    let registers = ["r12", "r20", "r20", "r18", "r8"];
    for (target, register) in ISAS.into_iter().zip(registers) {
        let program = BESIDE_CODE.replace("REG", register);
        let functions = |outcome: &Outcome| {
            assert_eq!((outcome.status, outcome.err.as_str()), (0, ""), "{target}");
            outcome.text().split_once("...").unwrap().1.to_owned()
        };
        for level in ["-O1", "-O2"] {
            let whole = functions(&mir!(program, "machine", level, "--target", target));
            for stage in ["select", "allocate", "frame"] {
                let [stop, start] = ["stop", "start"].map(|end| format!("--{end}-after={stage}"));
                let part = mir!(program, "machine", level, "--target", target, stop);
                let rest = mir!(part.out, "machine", level, "--target", target, start);
                assert_eq!(functions(&rest), whole, "{target} {level} {stage}");
            }
        }
    }
    let part = mir!(AHEAD, "machine", "--target=s390x", "--stop-after=select");
    let other = mir!(
        part.out,
        "machine",
        "--target=riscv64",
        "--start-after=select"
    );
    assert_eq!(other.status, 1);
    assert!(
        other
            .err
            .ends_with("for another ISA: --target s390x [E0124]\n"),
        "{}",
        other.err
    );
    let text = mir!(AHEAD, "machine", "--start-after=select");
    assert!(
        text.err.starts_with("standard input:2:11: error: "),
        "{}",
        text.err
    );
}

/// Returns the name that a line of a module defines or declares.
fn defined(line: &str) -> Option<&str> {
    let line = line.strip_prefix("  ")?;
    let is_one = ["@", "define ", "declare "]
        .iter()
        .any(|start| line.starts_with(start));
    let (_, name) = line.split_once('@').filter(|_| is_one)?;
    let end = name.find([' ', '(']);
    end.map(|end| &name[..end])
}

/// The files are LLVM's (`llc -run-pass=livevars`), of one program on each ISA. Marks in the input
/// do not matter.
#[test]
fn last_uses_are_marked_as_llvm_marks_them() {
    let instructions = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.starts_with("body:"));
        lines.map(|line| line.trim().to_string()).collect()
    };
    for target in ISAS {
        let file = format!(
            "{}/tests/last_uses/{target}.mir",
            env!("CARGO_MANIFEST_DIR")
        );
        let marked = std::fs::read_to_string(file).unwrap();
        let bare = marked.replace("killed ", "").replace("dead ", "");
        let wrong = bare.replace("COPY ", "COPY killed ");
        let wanted = instructions(&marked);
        assert!(wanted.len() > 20 && wanted != instructions(&bare));
        for text in [&marked, &bare, &wrong] {
            let (start, stop) = ("--start-after=select", "--stop-after=select");
            let again = mir!(text, "machine", "--target", target, start, stop);
            assert_eq!((again.status, again.err.as_str()), (0, ""), "{target}");
            assert_eq!(instructions(again.text()), wanted, "{target}");
        }
        let allocated = [&marked, &wrong].map(|text| {
            let outcome = mir!(
                text,
                "machine",
                "--target",
                target,
                "--run-pass=allocate,frame"
            );
            assert_eq!((outcome.status, outcome.err.as_str()), (0, ""), "{target}");
            outcome.out
        });
        assert!(allocated[0] == allocated[1], "{target}");
    }
}

/// Areas of any size, frames out of reach, stack arguments, long double, blocks by value, saved
/// registers. All hosts produce the same output, so emulated ones need not repeat this.
#[test]
fn stages_of_whole_programs_go_on_from_a_file() {
    if words().len() > 1 {
        return;
    }
    // The declarations of the names that functions refer to have another order.
    let functions = |printed: &Outcome| {
        let text = printed.text();
        let from = text.find("\n---\nname:");
        String::from(&text[from.unwrap()..])
    };
    let programs = [
        ("f_alloca", "allocate"),
        ("f_bigframe", "allocate"),
        ("f_structs", "allocate"),
        ("f_alloca", "frame"),
        ("f_longdouble", "frame"),
        ("f_manyargs", "frame"),
    ];
    for target in ISAS {
        for (program, stage) in programs {
            let source = format!("../../corpus/mir/{target}/{program}.mir");
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
            let source = std::fs::read(source).unwrap();
            let whole = mir!(source, "machine", "-O1", "--target", target);
            let stop = format!("--stop-after={stage}");
            let start = format!("--start-after={stage}");
            let part = mir!(source, "machine", "-O1", "--target", target, stop);
            let rest = mir!(part.text(), "machine", "-O1", "--target", target, start);
            let what = format!("{target} {program} {stage}");
            assert_eq!((rest.status, rest.err.as_str()), (0, ""), "{what}");
            assert!(functions(&rest) == functions(&whole), "{what}");
        }
    }
}

/// The loop's variable is live from its first value on, through the loop, to its last reader; also
/// after reading from a file.
#[test]
fn machine_shows_where_registers_are_live() {
    let program = "m: module\nf: func i64, i64:n\nlocal i64:s\nmov s, 1\na: add s, s, s\nsub n, n, 1\nbgt a, n, 0\nret s\n\
                   endfunc\nendmodule\n";
    for target in ISAS {
        let live = mir!(
            program,
            "machine",
            "-O1",
            "--target",
            target,
            "--stop-after=select",
            "--print-live"
        );
        assert_eq!((live.status, live.err.as_str()), (0, ""));
        let text = live.text();
        for part in [
            "function: f:",
            "INTERVALS",
            "RegMasks:",
            "\n0B\tbb.0:\n16B\t  %",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Some register has a value of its own at the start of the loop, and is written in it.
        let is_in_loop = |line: &str| line.starts_with('%') && line.contains("B-phi");
        assert!(text.lines().any(is_in_loop), "{text}");
        let select = mir!(
            program,
            "machine",
            "-O1",
            "--target",
            target,
            "--stop-after=select"
        );
        let from_file = |last: &str, pass: &str| {
            mir!(
                select.text(),
                "machine",
                "-O1",
                "--target",
                target,
                pass,
                last,
                "--print-live"
            )
        };
        let allocated = from_file("--stop-after=allocate", "--start-after=select");
        assert_eq!((allocated.status, allocated.err.as_str()), (0, ""));
        assert!(!allocated.text().contains("%0"), "{}", allocated.text());
        let whole = mir!(
            program,
            "machine",
            "-O1",
            "--target",
            target,
            "--stop-after=allocate",
            "--print-live"
        );
        assert_eq!(allocated.text(), whole.text());
    }
    let early = mir!(program, "machine", "--stop-after=combine", "--print-live");
    assert_ne!(early.status, 0);
    let generic = [
        "machine",
        "-O1",
        "--target",
        "aarch64",
        "--generic",
        "--stop-after=translate",
    ];
    let [a, b, c, d, e, f] = generic;
    let generic = mir!(program, a, b, c, d, e, f, "--print-live");
    assert!(generic.text().contains("%0 [16r,"), "{}", generic.err);
}
