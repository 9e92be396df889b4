//! The command `run`: output and status of programs, linking, calls, faults, fuel, times, other
//! ISAs.

use super::{HELLO, directory, example, number, words};
use std::process::Command;
use testkit::command::isa;

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
    // The first command of the README says nothing but what the program says.
    assert_eq!(ran.err, "");
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
    assert_eq!(mir!(program, "run", "-l", "m").status, 1);
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

/// A stack without a limit gets one, so that recursion without end does not use up the machine. An
/// emulator may give the stack another size.
#[test]
fn recursion_without_end_ends_where_the_stack_has_no_limit() {
    let program = "m: module
p: proto i64, i64:n
main: func i64
 local i64:r
 call p, main, r, 1
 add r, r, 1
 ret r
 endfunc
 endmodule
";
    let file = directory("no-stack-limit").join("deep.mir");
    std::fs::write(&file, program).unwrap();
    let ways: [&[&str]; 4] = [&["--jit", "-O0"], &["--jit"], &["--lazy"], &["--lazy-bb"]];
    for way in ways {
        let mut shell = Command::new("sh");
        // The limit stays as it is if the system refuses this.
        shell.args(["-c", "ulimit -s unlimited; exec \"$0\" \"$@\""]);
        let output = shell
            .args(words())
            .arg("run")
            .args(way)
            .arg(&file)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{way:?}: {error}");
        assert!(
            error.contains("the program has used up its stack"),
            "{way:?}: {error}"
        );
    }
}

#[test]
fn fuel_ends_a_run() {
    let program = "m: module\nmain: func\nl: jmp l\n endfunc\n endmodule\n";
    let ran = mir!(program, "run", "--fuel", "1000000");
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("fuel"), "{}", ran.err);
    assert_eq!(mir!(HELLO, "run", "--fuel", "100").status, 42);
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

/// A signal ends the program as it would without the command.
#[cfg(target_os = "linux")]
#[test]
fn a_wrong_access_is_told_and_ends_the_program_by_its_signal() {
    use std::os::unix::process::ExitStatusExt;
    let program = "m: module
f: func i64, i64:p
 ret i64:16(p)
 endfunc
p: proto i64, i64:p
main: func i64
 local i64:a
 call p, f, a, 0
 ret a
 endfunc
 endmodule
";
    let file = directory("access").join("x.mir");
    std::fs::write(&file, program).unwrap();
    let words = super::words();
    for engine in ["--interp", "--jit", "--lazy-bb"] {
        let mut command = std::process::Command::new(&words[0]);
        command.args(&words[1..]).args(["run", engine]).arg(&file);
        let output = command.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let (_, address) = told
            .split_once("address 0x")
            .unwrap_or_else(|| panic!("{told}"));
        let digits = address.split(|c: char| !c.is_ascii_hexdigit()).next();
        let address = u64::from_str_radix(digits.unwrap(), 16).unwrap();
        // Any byte of the access may be what the system tells; s390x only tells the page.
        let is_page = isa() == "s390x" && address == 0;
        assert!((16..24).contains(&address) || is_page, "{engine}: {told}");
        assert!(told.contains("[E0128]"), "{engine}: {told}");
        if words.len() == 1 {
            assert_eq!(output.status.signal(), Some(11), "{engine}");
        }
        let has_place = cfg!(target_arch = "x86_64") && engine != "--interp";
        assert!(!has_place || told.contains("x.mir:"), "{engine}: {told}");
    }
}

/// Returns a program of functions each of which calls the one before it; the first one accesses
/// memory that a confined program does not have.
fn chain() -> String {
    let mut program = String::from("m: module\np: proto i64, i64:n\n");
    program += "f0: func i64, i64:n\n ret i64:(n)\n endfunc\n";
    for number in 1..100 {
        program += &format!("f{number}: func i64, i64:n\n local i64:a\n");
        for step in 0..200 {
            program += &format!(" xor n, n, {}\n", step % 2);
        }
        let callee = number - 1;
        program += &format!(" call p, f{callee}, a, n\n add a, a, n\n ret a\n endfunc\n");
    }
    program + "main: func i64\n local i64:a\n call p, f99, a, -9\n ret a\n endfunc\n endmodule\n"
}

#[test]
fn any_number_of_threads_compiles_a_program_to_the_same() {
    let program = chain();
    for level in ["-O0", "-O3"] {
        let run = |threads| {
            let ran = mir!(
                program,
                "run",
                "--confined",
                "--jit",
                level,
                "--threads",
                threads
            );
            (ran.status, ran.err)
        };
        let alone = run("1");
        // The calls that led there are found by what is noted of the code of each function.
        for number in [1, 2, 14] {
            let name = format!("f{number}");
            assert!(alone.1.contains(&name), "{level}: {}", alone.1);
        }
        assert_eq!(run("3"), alone, "{level}");
        let object = |threads| mir!(program, "obj", level, "--threads", threads).out;
        assert!(object("3") == object("1"), "{level}");
    }
}
