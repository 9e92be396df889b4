//! The command as users call it: standard output, standard error, exit status.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::words;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What came of a call.
#[derive(Debug)]
struct Outcome {
    status: i32,
    out: Vec<u8>,
    err: String,
}

impl Outcome {
    fn text(&self) -> &str {
        core::str::from_utf8(&self.out).unwrap()
    }
}

/// Calls the command with this standard input.
fn mir_with(input: &[u8], arguments: &[&dyn AsRef<OsStr>], runners: Option<&Path>) -> Outcome {
    let mut command = Command::new(&words()[0]);
    command.args(&words()[1..]);
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    command
        .env("MIR_TEST", "from the environment")
        .env_remove("MIR_RUNNERS");
    if let Some(runners) = runners {
        command.env("MIR_RUNNERS", runners);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that reads no input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Outcome {
        status: output.status.code().unwrap(),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Calls the command; the first argument is standard input.
macro_rules! mir {
    ($input:expr $(, $argument:expr)*) => {
        mir_with($input.as_ref(), &[$(&$argument),*], None)
    };
}

/// A directory of its own for a test.
fn directory(name: &str) -> PathBuf {
    let path =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}

const HELLO: &str = "m: module
 import printf
p: proto i32, p:format, ...
main: func i32
 local i64:r
 call p, printf, r, \"hello %d\\n\", 7
 ret 42
 endfunc
 endmodule
";

/// Has an error in line 3, and two in line 4.
const WRONG: &str = "m: module
f: func i64, d:x
 add x, 1, 2
 mov 5, i64:(x)
 ret 0
 endfunc
 endmodule
";

#[test]
fn run_gives_the_output_and_status_of_the_program() {
    let ran = mir!(HELLO, "run");
    assert_eq!(
        (ran.status, ran.text(), ran.err.as_str()),
        (42, "hello 7\n", "")
    );
    let ran = mir!(HELLO, "run", "--interp", "-");
    assert_eq!((ran.status, ran.text()), (42, "hello 7\n"));
}

#[test]
fn the_examples_of_the_language_run() {
    // Once instead of a hundred times: this build of the interpreter may be slow.
    let sieve = std::fs::read_to_string(example("sieve.mir")).unwrap();
    let ran = mir!(sieve.replace("sieve, r, 100", "sieve, r, 1"), "run");
    assert_eq!(
        (ran.status, ran.text()),
        (0, "sieve (10) = 123814\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("warning") && ran.err.contains("ex100"));
    let ran = mir!("", "run", example("block-arguments.mir"));
    assert_eq!((ran.status, ran.err.as_str()), (66, ""));
}

#[test]
fn main_is_given_arguments_and_environment() {
    let program = "m: module
 import puts, getenv
p: proto i32, p:s
g: proto p, p:s
main: func i32, i32:argc, p:argv, p:envp
 local i64:r, i64:s
 call p, puts, r, i64:8(argv)
 call p, puts, r, i64:16(argv)
 call g, getenv, s, \"MIR_TEST\"
 call p, puts, r, s
 bf none, i64:(envp)
 ret argc
none: ret 99
 endfunc
 endmodule
";
    let ran = mir!(program, "run", "-", "--", "--first", "second word");
    let out = "--first\nsecond word\nfrom the environment\n";
    assert_eq!((ran.status, ran.text()), (3, out));
}

#[test]
fn files_link_together_and_the_last_main_counts() {
    let directory = directory("link");
    let (first, second) = (directory.join("a.mir"), directory.join("b.bmir"));
    let library = "l: module\n export answer\nanswer: func i64\n ret 41\n endfunc\nmain: func i32\n ret 1\n endfunc\n endmodule\n";
    let user = "u: module\n import answer\np: proto i64\nmain: func i32\n local i64:r\n call p, answer, r\n add r, r, 1\n\
 ret r\n endfunc\n endmodule\n";
    std::fs::write(&first, library).unwrap();
    assert_eq!(mir!(user, "asm", "-", "-o", second).status, 0);
    assert_eq!(mir!("", "run", first, second).status, 42);
    assert_eq!(mir!("", "run", second, first).status, 1);
}

#[test]
fn mathematics_and_named_libraries_are_found() {
    let program = "m: module
 import cos, atexit
p: proto d, d:x
main: func i32
 local d:r, i64:i
 call p, cos, r, 0.0
 d2i i, r
 bt fine, atexit
 ret 2
fine: ret i
 endfunc
 endmodule
";
    assert_eq!(mir!(program, "run").status, 1);
    assert_eq!(mir!(program, "run", "-l", "m.so.6").status, 2);
    assert_eq!(mir!(program, "run", "-l", "libm.so.6").status, 1);
}

/// C calls functions of the program, also when the process exits, and jumps back over them.
const CALLED_BACK: &str = r#"m: module
 import qsort, printf, atexit, puts, setjmp, longjmp
p_q: proto p:base, i64:n, i64:size, p:compare
p_a: proto i32, p:f
p_p: proto i32, p:format, ...
p_s: proto i32, p:s
p_set: proto i32, p:buf
p_long: proto p:buf, i32:v
data: i32 5, -3, 9, 1
buf: bss 512
compare: func i32, p:a, p:b
 local i64:r
 sub r, i32:(a), i32:(b)
 ret r
 endfunc
bye: func
 local i64:r
 call p_s, puts, r, "bye"
 endfunc
deep: func i64:n
 call p_long, longjmp, buf, n
 endfunc
p_deep: proto i64:n
main: func i32
 local i64:r, i64:d
 call p_a, atexit, r, bye
 mov d, data
 call p_q, qsort, d, 4, 4, compare
 call p_p, printf, r, "%d %d %d %d\n", i32:(d), i32:4(d), i32:8(d), i32:12(d)
 call p_set, setjmp, r, buf
 bt again, r
 call p_deep, deep, 7
again: call p_p, printf, d, "%d\n", r
 ret 0
 endfunc
 endmodule
"#;

#[test]
fn c_calls_functions_of_the_program_back() {
    let ran = mir!(CALLED_BACK, "run");
    let out = "-3 1 5 9\n7\nbye\n";
    assert_eq!((ran.status, ran.text(), ran.err.as_str()), (0, out, ""));
}

/// Jumps back three times out of frames and blocks; what was counted before each jump still counts.
const JUMPS_BACK: &str = r#"m: module
 import _setjmp, longjmp, printf
 export main
p_s: proto i32, p:b
p_l: proto p:b, i32:v
p_p: proto i32, p:f, ...
p_d: proto i64:n
buf: bss 512
down: func i64:n
 local i64:m
 bf out, n
 alloca m, 3000
 mov i64:(m), n
 sub n, n, 1
 call p_d, down, n
 ret
out: mov m, buf
 call p_l, longjmp, m, 42
 ret
 endfunc
main: func i32
 local i64:r, i64:b, i64:k
 mov b, buf
 mov k, 0
again: call p_s, _setjmp, r, b
 call p_p, printf, r, "setjmp gave %d\n", r
 add k, k, 1
 bgt done, k, 3
 call p_d, down, 20
done: ret k
 endfunc
 endmodule
"#;

#[test]
fn jumps_back_from_deep_inside_keep_what_was_counted() {
    let out = "setjmp gave 0\nsetjmp gave 42\nsetjmp gave 42\nsetjmp gave 42\n";
    for engine in ["--interp", "-O0", "-O1", "-O2", "-O3", "--lazy-bb"] {
        let ran = mir!(JUMPS_BACK, "run", engine);
        let found = (ran.status, ran.text(), ran.err.as_str());
        assert_eq!(found, (4, out, ""), "{engine}");
    }
}

#[test]
fn what_cannot_be_linked_is_named() {
    let program = "m: module\n import puts, never_1, never_2\nmain: func\n endfunc\n endmodule\n";
    let ran = mir!(program, "run");
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("standard input:2:15: error:") && ran.err.contains("never_1"));
    assert!(ran.err.contains("standard input:2:24: error:") && ran.err.contains("never_2"));
    let without = mir!("m: module\n endmodule\n", "run");
    assert_eq!(without.status, 1);
    assert!(without.err.contains("main"));
    let twice = "a: module\n export f\nf: func\n endfunc\n endmodule\nb: module\n export f\nf: func\n endfunc\n endmodule\n";
    let ran = mir!(twice, "run");
    assert_eq!(
        (ran.status, ran.err.contains("standard input:8:1: error:")),
        (1, true),
        "{}",
        ran.err
    );
}

#[test]
fn many_missing_names_are_told_in_linear_time() {
    let names = |number| format!("never_{number}");
    let list: Vec<String> = (0..100_000).map(names).collect();
    let program = format!(
        "m: module\n import {}\nmain: func\n endfunc\n endmodule\n",
        list.join(", ")
    );
    let ran = mir!(program, "run");
    assert_eq!((ran.status, ran.err.lines().count()), (1, 100_000));
}

#[test]
fn messages_that_nobody_can_be_told_change_no_status() {
    let status = |arguments: &[&str]| {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = Command::new(&words()[0]);
        command.args(&words()[1..]).args(arguments);
        command.stdin(Stdio::null()).stderr(full.unwrap());
        command.status().unwrap().code()
    };
    assert_eq!(status(&["check", "no such file"]), Some(2));
    assert_eq!(status(&["--json", "check", "no such file"]), Some(2));
    assert_eq!(status(&["run"]), Some(1));
    let program = example("block-arguments.mir");
    assert_eq!(
        status(&["run", "--time", program.to_str().unwrap()]),
        Some(66)
    );
}

#[test]
fn a_fault_names_the_place_and_the_way_there() {
    let program = "m: module
 import puts
p: proto i32, p:s
q: proto i64, i64:n
deep: func i64, i64:n
 div n, 1, n
 ret n
 endfunc
main: func i32
 local i64:r
 call p, puts, r, \"before\"
 call q, deep, r, 0
 ret 0
 endfunc
 endmodule
";
    let compiled = mir!(program, "run");
    assert_eq!((compiled.status, compiled.text()), (1, "before\n"));
    let place = "standard input:6:2: error: division by zero";
    assert!(compiled.err.contains(place), "{}", compiled.err);
    let ran = mir!(program, "run", "--interp");
    assert_eq!((ran.status, ran.text()), (1, "before\n"));
    assert!(
        ran.err
            .contains("standard input:6:2: error: division by zero"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("main") && ran.err.contains("12"),
        "{}",
        ran.err
    );
}

#[test]
fn recursion_without_end_is_a_fault_that_shows_both_ends_of_the_way() {
    let program = "m: module
p: proto
main: func
 call p, down
 endfunc
down: func
 call p, down
 endfunc
 endmodule
";
    let program = program.replace("p: proto\n", "p: proto\n forward down\n");
    let compiled = mir!(program, "run");
    let used_up = "the program has used up its stack";
    assert!(
        compiled.status == 1 && compiled.err.contains(used_up),
        "{}",
        compiled.err
    );
    let ran = mir!(program, "run", "--interp");
    assert_eq!((ran.status, ran.err.lines().count()), (1, 1));
    let ends = [
        "too many calls",
        "down (line 8)",
        " more, ",
        "main (line 5)",
    ];
    assert!(ends.iter().all(|end| ran.err.contains(end)), "{}", ran.err);
}

#[test]
fn fuel_ends_a_run() {
    let program = "m: module\nmain: func\nl: jmp l\n endfunc\n endmodule\n";
    let ran = mir!(program, "run", "--fuel", "1000000");
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("fuel"), "{}", ran.err);
    assert_eq!(mir!(HELLO, "run", "--fuel", "100").status, 42);
}

/// The number behind `"key":`.
fn number(json: &str, key: &str) -> f64 {
    let (_, rest) = json.split_once(&format!("\"{key}\":")).unwrap();
    rest.split([',', '}']).next().unwrap().parse().unwrap()
}

#[test]
fn times_are_one_json_object_however_the_program_ends() {
    let exits = HELLO
        .replace("ret 42", "call p, exit, r, 3\n ret 0")
        .replace("printf\n", "printf, exit\n");
    for (program, status, insns) in [(HELLO, 42, 2.0), (exits.as_str(), 3, 3.0)] {
        let ran = mir!(program, "run", "--time=json");
        assert_eq!(
            (ran.status, ran.text(), ran.err.lines().count()),
            (status, "hello 7\n", 1)
        );
        let object = ran.err.trim_end();
        assert!(object.starts_with('{') && object.ends_with('}'));
        for key in [
            "read_us",
            "verify_us",
            "link_us",
            "run_us",
            "bytes",
            "peak_bytes",
        ] {
            assert!(number(object, key) > 0.0, "{key}");
        }
        assert_eq!(
            (number(object, "functions"), number(object, "insns")),
            (1.0, insns)
        );
    }
    assert!(mir!(HELLO, "run", "--time").err.contains("link"));
}

#[test]
fn check_reports_everything_that_is_wrong() {
    let checked = mir!(WRONG, "check");
    assert_eq!((checked.status, checked.text()), (1, ""));
    let lines: Vec<&str> = checked.err.lines().collect();
    let starts = [
        "standard input:3:6: error:",
        "standard input:4:6: error:",
        "standard input:4:9: error:",
    ];
    assert_eq!(lines.len(), starts.len(), "{}", checked.err);
    assert!(
        lines
            .iter()
            .zip(starts)
            .all(|(line, start)| line.starts_with(start)),
        "{}",
        checked.err
    );
    assert_eq!(mir!(HELLO, "check").status, 0);
}

#[test]
fn binary_is_checked_with_function_and_instruction() {
    let wrong_on_x86_64 = "m: module\nf: func\n global i64:g:rsp\n endfunc\n endmodule\n";
    let assembled = mir!(
        wrong_on_x86_64.replace("rsp", "r3"),
        "asm",
        "--target",
        "ppc64le"
    );
    assert_eq!(assembled.status, 0, "{}", assembled.err);
    let checked = mir!(assembled.out, "check", "--target", "x86_64");
    assert_eq!(checked.status, 1);
    assert!(
        checked.err.contains("in module m, function f"),
        "{}",
        checked.err
    );
    let mut altered = assembled.out;
    altered[6] ^= 1;
    let checked = mir!(altered, "check", "--target", "ppc64le");
    assert_eq!((checked.status, checked.err.is_empty()), (1, false));
}

#[test]
fn diagnostics_are_json_for_tools_and_excerpts_for_people() {
    let checked = mir!(WRONG, "--json", "check");
    let first = checked.err.lines().next().unwrap();
    assert!(
        first.starts_with("{\"severity\":\"error\",\"kind\":\"OpMode\",\"message\":"),
        "{first}"
    );
    assert!(
        first.contains("\"line\":3,\"column\":6,\"length\":1,\"module\":\"m\",\"function\":\"f\""),
        "{first}"
    );
    let shown = mir!(WRONG, "check", "--color", "always");
    assert!(shown.err.contains("\u{1b}[") && shown.err.contains("add x, 1, 2"));
}

#[test]
fn text_and_binary_turn_into_each_other() {
    let directory = directory("convert");
    let (binary, text) = (directory.join("x"), directory.join("y"));
    assert_eq!(mir!(HELLO, "asm", "-", "-o", binary).status, 0);
    assert!(std::fs::read(&binary).unwrap().starts_with(b"MIR"));
    assert_eq!(mir!("", "dis", binary, "-o", text).status, 0);
    let printed = mir!(std::fs::read(&binary).unwrap(), "dis");
    assert_eq!(printed.out, std::fs::read(&text).unwrap());
    assert!(printed.text().starts_with("m:\tmodule\n"));
    assert_eq!(
        mir!(printed.out, "asm").out,
        std::fs::read(&binary).unwrap()
    );
    let refused = mir!(WRONG, "asm", "-", "-o", text.with_extension("none"));
    assert_eq!(
        (refused.status, text.with_extension("none").exists()),
        (1, false)
    );
}

#[test]
fn fmt_keeps_comments_and_says_what_differs() {
    let directory = directory("fmt");
    let file = directory.join("x.mir");
    std::fs::write(&file, "m: module # why\nf: func;ret;endfunc\n endmodule").unwrap();
    let wanted = "m:\tmodule # why\nf:\tfunc\n\tret\n\tendfunc\n\tendmodule\n";
    assert_eq!(mir!("", "fmt", file).text(), wanted);
    let differs = mir!("", "fmt", "--check", file);
    assert_eq!(
        (differs.status, differs.text()),
        (1, format!("{}\n", file.display()).as_str())
    );
    assert_eq!(mir!("", "fmt", "--write", file).status, 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), wanted);
    assert_eq!(mir!("", "fmt", "--check", file).status, 0);
    assert_eq!(mir!("m: module\n bad\n", "fmt").status, 1);
}

#[test]
fn the_wrong_command_line_is_status_2() {
    assert_eq!(mir!("", "check", "/does/not/exist").status, 2);
    assert_eq!(mir!("", "check", "--no-such-option").status, 2);
    assert_eq!(mir!("", "run", "-l", "no-such-library", "-").status, 2);
    assert_eq!(mir!(HELLO, "asm", "-", "-o", "/does/not/exist").status, 2);
    assert_eq!(mir!("").status, 2);
}

#[test]
fn files_are_embedded_as_arrays() {
    let rust = mir!("MI\n", "embed", "--name", "x");
    assert!(
        rust.text()
            .contains("pub static X: [u8; 3] = [\n    77, 73, 10,\n];"),
        "{}",
        rust.text()
    );
    let c = mir!("MI\n", "embed", "--lang", "c");
    assert!(
        c.text().contains("program[] = {\n    77, 73, 10,\n};\n"),
        "{}",
        c.text()
    );
    assert!(c.text().contains("program_len = 3;"));
    let binary = mir!(HELLO, "embed", "--binary");
    assert!(binary.text().contains("[\n    77, 73, 82, "));
    assert_eq!(mir!("", "embed", "--name", "1x").status, 2);
}

#[test]
fn stats_count() {
    let counted = mir!(HELLO, "--json", "stats");
    for (key, count) in [
        ("modules", 1.0),
        ("functions", 1.0),
        ("imports", 1.0),
        ("instructions", 2.0),
        ("calls", 1.0),
    ] {
        assert_eq!(number(counted.text(), key), count, "{key}");
    }
    assert!(mir!(HELLO, "stats").text().starts_with("standard input\n"));
}

#[test]
fn shells_get_completions_and_people_help() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            mir!("", "completions", shell).text().contains("check"),
            "{shell}"
        );
    }
    for command in [
        "run",
        "check",
        "asm",
        "dis",
        "fmt",
        "stats",
        "embed",
        "completions",
    ] {
        assert!(
            mir!("", command, "--help").text().contains("Example"),
            "{command}"
        );
    }
}

/// The name of an ISA that is not this machine's.
fn other_isa() -> &'static str {
    if cfg!(target_arch = "s390x") {
        "riscv64"
    } else {
        "s390x"
    }
}

#[test]
fn another_isa_runs_by_its_runner() {
    let directory = directory("runners");
    let runner = directory.join("runners").join(other_isa());
    std::fs::create_dir_all(&runner).unwrap();
    std::fs::write(runner.join("command"), "echo\nas another\n").unwrap();
    let arguments: [&dyn AsRef<OsStr>; 9] = [
        &"run",
        &"--on",
        &other_isa(),
        &"--fuel",
        &"9",
        &"--time=json",
        &"x.mir",
        &"--",
        &"a b",
    ];
    let ran = mir_with(b"", &arguments, Some(&directory));
    assert_eq!(
        (ran.status, ran.text()),
        (0, "as another run --fuel 9 --time=json x.mir -- a b\n"),
        "{}",
        ran.err
    );
    let missing = mir_with(b"", &arguments, Some(Path::new("/does/not/exist")));
    assert_eq!((missing.status, missing.err.lines().count()), (2, 1));
    assert!(
        missing.err.contains("cargo xtask runners"),
        "{}",
        missing.err
    );
}

#[test]
fn all_isas_are_compared() {
    if words().len() > 1 {
        // Emulated, the command cannot start itself.
        return;
    }
    let directory = directory("all");
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let runner = directory.join("runners").join(isa);
        std::fs::create_dir_all(&runner).unwrap();
        // Prints the program that it is given instead of running it.
        let script = if isa == other_isa() {
            "cat; echo surprise"
        } else {
            "cat; exit 0"
        };
        std::fs::write(runner.join("command"), format!("sh\n-c\n{script}\n")).unwrap();
    }
    let program = HELLO.replace("hello %d\\n", "m").replace("ret 42", "ret 0");
    let ran = mir_with(
        program.as_bytes(),
        &[&"run", &"--on", &"all"],
        Some(&directory),
    );
    assert_eq!((ran.status, ran.text()), (1, "m"), "{}", ran.err);
    assert_eq!(
        ran.err
            .lines()
            .filter(|line| line.contains("DIFFERS"))
            .count(),
        4,
        "{}",
        ran.err
    );
    assert_eq!(
        ran.err
            .lines()
            .filter(|line| line.contains("agrees"))
            .count(),
        1,
        "{}",
        ran.err
    );
}

const AHEAD: &str = "m: module
import ext
export f
p_e: proto i64, i64:x
f: func i64, i64:a, i64:b
local i64:r
add r, a, b
call p_e, ext, r, r
ret r
endfunc
endmodule
";

#[test]
fn code_is_listed_beside_its_machine_ir() {
    for (target, lines) in [
        (
            "x86_64",
            [
                "     4  48 8d 3c 37                    lea rdi, [rdi + rsi]",
                "     e  c3                             ret",
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

#[test]
fn generic_machine_ir_is_printed_as_llvm_s_global_isel_takes_it() {
    for (target, call) in [
        ("aarch64", "    BL @ext, csr_aarch64_aapcs, "),
        (
            "riscv64",
            "    PseudoCALL target-flags(riscv-call) @ext, csr_ilp32d_lp64d, ",
        ),
        ("x86_64", "    CALL64pcrel32 @ext, csr_64, "),
    ] {
        let stop = "--stop-after=translate";
        let printed = mir!(
            AHEAD,
            "machine",
            "-O1",
            "--generic",
            "--target",
            target,
            stop
        );
        assert_eq!((printed.status, printed.err.as_str()), (0, ""));
        let text = printed.text();
        assert!(text.lines().any(|line| line.starts_with(call)), "{text}");
        assert!(text.contains(":_(s64) = G_ADD %"), "{text}");
        let verified = mir!(printed.out, "llvm", "verify");
        assert_eq!((verified.status, verified.err.as_str()), (0, ""));
    }
    let elsewhere = mir!(
        AHEAD,
        "machine",
        "--generic",
        "--target=s390x",
        "--stop-after=translate"
    );
    assert_eq!(elsewhere.status, 1);
}

/// Labels as data, a long double, variable arguments; and data that only an expression gives.
const GENERIC: &str = "m:\tmodule
\tforward\twhere
\texport\tf
f:\tfunc\tld, i64:n, ...
\tlocal\ti64:a, i64:list, ld:x
\talloca\tlist, 64
\tva_start\tlist
\tmov\ta, where
\tmov\ta, i64:(a)
\tjmpi\ta
one:
\tldadd\tx, 1.5l, 2.5l
\tret\tx
two:
\tldneg\tx, 3.0l
\tret\tx
\tendfunc
where:\tlref\tone
apart:\tlref\ttwo, one, 4
seven:\tfunc\ti64
\tret\t7
\tendfunc
given:\texpr\tseven
\tendmodule
";

#[test]
fn generic_machine_ir_leaves_out_what_has_no_form_only_if_told() {
    for target in ["aarch64", "riscv64", "x86_64"] {
        let args = [
            "machine",
            "--generic",
            "--target",
            target,
            "--stop-after=translate",
        ];
        let refused = mir!(GENERIC, args[0], args[1], args[2], args[3], args[4]);
        assert_eq!(refused.status, 1);
        assert!(refused.err.contains(":23:"), "{}", refused.err);
        assert!(
            refused.err.contains("given: data that an expression gives"),
            "{}",
            refused.err
        );
        let printed = mir!(
            GENERIC,
            args[0],
            args[1],
            args[2],
            args[3],
            args[4],
            "--skip-unsupported"
        );
        assert_eq!(printed.status, 0);
        assert!(printed.err.contains("warning: "), "{}", printed.err);
        let text = printed.text();
        for part in [
            "getelementptr (i8, ptr blockaddress(@f, %b",
            "i64 sub (i64 ptrtoint (ptr blockaddress(@f, %b",
            "(ir-block-address-taken %ir-block.b",
            "define internal void @mir.va_start()",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let verified = mir!(printed.out, "llvm", "verify");
        assert_eq!((verified.status, verified.err.as_str()), (0, ""));
    }
}

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
        "    liveins: $rbp, $rdi, $rsi",
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

/// Memory of the frame, of an argument and of neither.
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
    // The second of a name; one that the level does not have; one that files are not read for.
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
    let wrong = mir!("name: f", "machine", "--run-pass=emit");
    assert_eq!(wrong.status, 1);
}

const ISAS: [&str; 5] = ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"];

/// Files that LLVM marked (`llc -run-pass=livevars`), of one program on each ISA. What marks a file comes with does not matter.
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

/// Areas of any size, frames out of reach, stack arguments, long double, blocks by value, registers that are saved. All
/// hosts make the same; emulated ones need not do so again.
#[cfg(target_arch = "x86_64")]
#[test]
fn stages_of_whole_programs_go_on_from_a_file() {
    // What the functions refer to is declared in another order.
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

/// The number at a place of a little-endian ELF file.
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
        // Only the call refers to anything outside its section, and so unwinding does.
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

/// Whatever is reached through a register begins with a landing pad, and nothing else does: the entry, the labels of a
/// switch, the label that is known by address.
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
            // The line behind a block's name.
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

/// Control comes back to behind a call of `setjmp` through a register, and an object says that it has landing pads: in a note
/// of 32 bytes, the property of the ISA with its lowest bit.
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

/// The compiler's own words on standard error, in every way of compiling; the program is none the wiser.
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

/// The loop's variable is live from its first value on, through the loop, to its last reader; from files as well.
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
            "\n0B\tbb.0:\n16B\t  %0",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Some register has a value of its own at the begin of the loop, and is written in it.
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

/// Instructions with prefixes are made for who asks for them, and for no other ISA than theirs.
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
    for command in ["obj", "disasm", "machine"] {
        for target in ["x86_64", "aarch64", "riscv64", "s390x"] {
            let refused = mir!(program, command, "--target", target, "--cpu", "power10");
            let message =
                format!("mir: --cpu power10 is a processor of ppc64le, not of {target}\n");
            assert_eq!((refused.status, refused.err), (2, message));
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
