//! The real gdb and perf at work on compiled programs.

mod frames;
mod values;

use super::{ISAS, directory, words};
use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program whose lines are known: the head of `work` is line 4, that of `main` line 12.
const COUNT: &str = "m: module
p: proto i64, i64:n
  export main
work: func i64, i64:n
  local i64:s
  mov s, 0
l: add s, s, n
  sub n, n, 1
  bgt l, n, 0
  ret s
  endfunc
main: func i64
  local i64:r
  call p, work, r, 300000000
  ret 0
  endfunc
  endmodule
";

/// A program with a function that calls itself by its address, so that it is not inlined; its head
/// is line 4.
const TREE: &str = "m: module
p: proto i64, i64:n, i64:k
  export main
tree: func i64, i64:n, i64:k
  local i64:a, i64:b, i64:c, i64:t
  mov t, tree; mul c, n, k
  ble done, n, 1
  sub n, n, 1
  call p, t, a, n, k
  add c, c, a
  call p, t, b, n, k
  add c, c, b
done: ret c
  endfunc
main: func i64
  local i64:r, i64:t
  mov t, tree; call p, t, r, 3, 5
  ret 0
  endfunc
  endmodule
";

/// A program with variables of all types, whose values after line 12 are known.
const MIXED: &str = "m: module
p: proto i64, i64:n, p:k, f:q, i8:w, ld:z
  export main
mixed: func i64, i64:n, p:k, f:q, i8:w, ld:z
  local i64:a, i64:b, i64:c, d:x, ld:y
  dmov x, 1.5
  d2ld y, 0.25
  mov a, 4294967296
  sub b, n, 1
  mov c, 7
  add c, c, b
  add c, c, n
  add c, c, 1
  d2i b, x
  add c, c, b
  ret c
  endfunc
main: func i64
  local i64:r, ld:l
  ldmov l, 6.75l
  call p, mixed, r, 3, \"hello\", 2.5f, 255, l
  ret r
  endfunc
  endmodule
";

/// A program with arguments that nothing changes, beside loops, calls, more values than there are
/// registers, and a call that becomes a jump to the beginning with other arguments.
const KEPT: &str = "m: module
p: proto i64, i64:d, i64:n, p:k, d:x, i64:s
q: proto i64, i64:n, i64:k, i64:s
h: proto i64, i64:n
  export main
half: func i64, i64:n
  local i64:r
  mov r, n
  ble done, n, 1
  div r, n, 2
  call h, half, r, r
  add r, r, 1
done: ret r
  endfunc
steady: func i64, i64:d, i64:n, p:k, d:x, i64:s
  local i64:a, i64:i, i64:m, i64:t, i64:u, i64:v, i64:w, i64:y, d:z
  mov m, n
  mov a, 0
  mov i, 0
  mul t, d, 3
  mul u, t, d
  add v, u, n
  xor w, v, s
  or y, w, t
l: add a, a, n
  mul t, t, y
  xor y, y, w
  call h, half, v, a
  add a, a, v
  add i, i, 1
  blt l, i, 3
  ble end, d, 0
  sub i, d, 1
  call p, steady, i, i, n, k, x, s
  add a, a, i
end: dadd z, x, x
  d2i v, z
  add a, a, t
  add a, a, u
  add a, a, w
  add a, a, y
  add a, a, v
  add a, a, s
  ret a
  endfunc
onward: func i64, i64:n, i64:k, i64:s
  local i64:m, i64:j, i64:r
  mov j, k
  ble over, n, 0
  sub m, n, 1
  add j, k, n
  call q, onward, r, m, j, s
  ret r
over: add r, k, s
  ret r
  endfunc
main: func i64
  local i64:r
  call q, onward, r, 3, 5, 7
  call p, steady, r, 1, 11, 4096, 2.5, 13
  ret 0
  endfunc
  endmodule
";

/// A function with more arguments than registers, narrow ones too, all of which it needs after
/// calls. It calls itself, so that it stays a function, and `half` is called by its address for the
/// same.
const SPILLED: &str = "m: module
p: proto i64, i32:m, u32:o, i16:v, u16:w, i64:a, i64:b, i64:c, i64:d, i64:e, i64:f, i64:g, i64:h, i64:j, i32:k, d:x, d:y, i16:l
q: proto i64, i64:n
half: func i64, i64:n
  local i64:r, i64:to
  mov r, n
  ble done, n, 1
  div r, n, 2
  mov to, half; call q, to, r, r
  add r, r, 1
done: ret r
  endfunc
many: func i64, i32:m, u32:o, i16:v, u16:w, i64:a, i64:b, i64:c, i64:d, i64:e, i64:f, i64:g, i64:h, i64:j, i32:k, d:x, d:y, i16:l
  local i64:s, i64:i, i64:t, i64:u, i64:to, d:z
  mov s, 0
  mov i, 0
  mul t, a, b
  xor u, t, c
next: add s, s, t
  mov to, half; call q, to, t, s
  add s, s, t
  xor u, u, s
  add i, i, 1
  blt next, i, 3
  bgt sum, a, 0
  call p, many, s, m, o, v, w, a, b, c, d, e, f, g, h, j, k, x, y, l
sum: add s, s, a
  xor s, s, b
  add s, s, c
  xor s, s, d
  add s, s, e
  xor s, s, f
  add s, s, g
  xor s, s, h
  add s, s, j
  xor s, s, k
  add s, s, l
  xor s, s, m
  add s, s, o
  xor s, s, v
  add s, s, w
  xor s, s, u
  dadd z, x, y
  d2i t, z
  add s, s, t
  ret s
  endfunc
  export main
main: func i64
  local i64:r
  call p, many, r, -5, 4000000000, -300, 65000, 11, 12, 13, 14, 15, 16, 17, 18, 19, -20, 1.5, 2.5, -21
  ret 0
  endfunc
  endmodule
";

/// The arguments of `many` in it, as debuggers show them.
const SPILLED_VALUES: &str = "m=-5, o=4000000000, v=-300, w=65000, a=11, b=12, c=13, d=14, e=15, f=16, g=17, h=18, j=19, \
     k=-20, x=1.5, y=2.5, l=-21";

/// Commands for gdb that show the callers of `half` at two calls and in the middle of the second.
const SPILLED_COMMANDS: [&str; 8] = [
    "break half",
    "run",
    "bt",
    "finish",
    "continue",
    "stepi",
    "stepi",
    "bt",
];

/// Checks that gdb showed every argument of `many` in each of its frames, and at least twice. On
/// s390x gdb does not restore the floating registers of callers, in code of gcc neither: it shows
/// only those that are in the frame.
fn check_spilled(text: &str, case: &str) {
    let floats = |text: &str| match case.contains("s390x") {
        true => text
            .replace("1.5", "<optimized out>")
            .replace("2.5", "<optimized out>"),
        false => text.to_owned(),
    };
    let frames = text.lines().filter(|line| line.contains(" many ("));
    let frames: Vec<&str> = frames.collect();
    assert!(frames.len() >= 2, "{case}: {text}");
    for frame in frames {
        assert!(
            floats(frame).contains(&floats(SPILLED_VALUES)),
            "{case}: {frame}\n{text}"
        );
    }
}

/// The arguments of its functions, of which debuggers show no other value; those without one here
/// have several.
const KEPT_VALUES: [(&str, &str, &str); 8] = [
    ("onward", "n", ""),
    ("onward", "k", ""),
    ("onward", "s", "7"),
    ("steady", "d", ""),
    ("steady", "n", "11"),
    ("steady", "k", "0x1000"),
    ("steady", "x", "2.5"),
    ("steady", "s", "13"),
];

/// Commands for gdb that show the frames at every instruction of a run of its functions, and then
/// callers at a few calls.
const KEPT_STEPS: &str = "delete
set $step = 0
while $step < 400
  stepi
  bt 4
  set $step = $step + 1
end
break half
set $step = 0
while $step < 4
  continue
  bt 4
  set $step = $step + 1
end
";

/// Checks what gdb showed of the arguments of its functions in all frames, and returns how often it
/// showed the value of each.
fn check_kept(text: &str, case: &str) -> Vec<usize> {
    let mut shown = vec![0; KEPT_VALUES.len()];
    for (index, (function, argument, value)) in KEPT_VALUES.into_iter().enumerate() {
        let call = format!(" {function} (");
        for (_, rest) in text.lines().filter_map(|line| line.split_once(&call)) {
            let arguments = rest.split_once(')').unwrap().0.split(", ");
            let mut pairs = arguments.filter_map(|pair| pair.split_once('='));
            let (_, told) = pairs.find(|(name, _)| *name == argument).unwrap();
            if told != "<optimized out>" && !value.is_empty() {
                assert_eq!(told, value, "{case}: {argument} of {function}\n{text}");
                shown[index] += 1;
            }
        }
    }
    shown
}

/// A program in C, and the same in LLVM IR with its lines; `DIRECTORY` stands for where the C file
/// is.
const SUM_C: &str = "static long half(long n) {
  return n / 2;
}
long sum(long n, long by) {
  long s = 0;
  while (n > 0) {
    s += half(n);
    n -= 1;
  }
  return s / by;
}
int main(int count, char **words) {
  return sum(9, count - 1) != 0;
}
";
const SUM_LL: &str = r#"define i64 @sum(i64 %n, i64 %by) !dbg !2 {
  br label %test, !dbg !3
test:
  %i = phi i64 [ %n, %0 ], [ %i.next, %body ]
  %s = phi i64 [ 0, %0 ], [ %s.next, %body ]
  %more = icmp sgt i64 %i, 0, !dbg !3
  br i1 %more, label %body, label %end, !dbg !3
body:
  %half = sdiv i64 %i, 2, !dbg !5
  %s.next = add i64 %s, %half, !dbg !7
  %i.next = add i64 %i, -1, !dbg !8
  br label %test, !dbg !3, !llvm.loop !14
end:
  %mean = sdiv i64 %s, %by, !dbg !9
  ret i64 %mean, !dbg !9
}
define i32 @main(i32 %count, ptr %words) !dbg !10 {
  %less = add i32 %count, -1, !dbg !11
  %by = sext i32 %less to i64, !dbg !11
  %sum = call i64 @sum(i64 9, i64 %by), !dbg !11
  %some = icmp ne i64 %sum, 0, !dbg !11
  %status = zext i1 %some to i32, !dbg !11
  ret i32 %status, !dbg !11
}
!1 = !DIFile(filename: "sum.c", directory: "DIRECTORY")
!2 = distinct !DISubprogram(name: "sum", scope: !1, file: !1, line: 4, scopeLine: 4)
!3 = !DILocation(line: 6, column: 3, scope: !4)
!4 = distinct !DILexicalBlock(scope: !2, line: 4, column: 26)
!5 = !DILocation(line: 2, column: 12, scope: !6, inlinedAt: !7)
!6 = distinct !DISubprogram(name: "half", scope: !1, file: !1, line: 1)
!7 = distinct !DILocation(line: 7, column: 7, scope: !4)
!8 = !DILocation(line: 8, column: 7, scope: !4)
!9 = !DILocation(line: 10, column: 12, scope: !2)
!10 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 12)
!11 = !DILocation(line: 13, column: 10, scope: !10)
!14 = distinct !{!14}
"#;

/// A program with variables of several types in C, and as clang 22 writes it in LLVM IR without
/// optimisation.
const POINTS_C: &str = include_str!("debuggers/points.c");
const POINTS_LL: &str = include_str!("debuggers/points.ll");

/// The commands for gdb about the variables of `weigh` in it, and the values that it shows.
const POINTS_COMMANDS: [&str; 6] = [
    "break weigh",
    "run",
    "next 3",
    "info args",
    "info locals",
    "set var total = 100",
];
const POINTS_VALUES: [&str; 4] = ["n = 6", "total = 6", "squares = {1, 4, 9}", "c = BLUE"];

/// Writes a program, and returns the file in LLVM IR, and the one in C.
fn write_c(directory_name: &str, name: &str, [c, llvm]: [&str; 2]) -> (PathBuf, PathBuf) {
    let directory = directory(directory_name).canonicalize().unwrap();
    let path = |extension: &str| directory.join(name).with_extension(extension);
    std::fs::write(path("c"), c).unwrap();
    let llvm = llvm.replace("DIRECTORY", directory.to_str().unwrap());
    std::fs::write(path("ll"), llvm).unwrap();
    (path("ll"), path("c"))
}

fn write_sum(directory_name: &str) -> (PathBuf, PathBuf) {
    write_c(directory_name, "sum", [SUM_C, SUM_LL])
}

/// Returns whether the program is there and the command runs on this machine's own ISA, under no
/// emulator: a debugger or profiler would see that.
fn can_run(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    let is_native = words().len() == 1;
    if !is_there || !is_native {
        eprintln!("not run: {program} is missing, or this is an emulator");
    }
    is_there && is_native
}

/// Returns the path of `mir` without all symbols but those that gdb looks for in a process that
/// compiles: reading a hundred thousand others is most of what gdb does.
fn with_few_symbols() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let whole = PathBuf::from(&words()[0]);
        let made = directory("gdb-few-symbols").join("mir");
        let mut strip = Command::new("strip");
        strip.args([
            "-K",
            "__jit_debug_register_code",
            "-K",
            "__jit_debug_descriptor",
        ]);
        strip.arg("-o").arg(&made).arg(&whole);
        let is_made = strip.status().is_ok_and(|status| status.success());
        if is_made { made } else { whole }
    })
}

/// Returns what gdb prints when it runs a program with these commands; `None` if there is none.
fn gdb(file: &Path, options: &[&str], commands: &[&str]) -> Option<String> {
    if !can_run("gdb") {
        return None;
    }
    let mut gdb = Command::new("timeout");
    gdb.args(["120", "gdb", "-nx", "-q", "-batch"]);
    gdb.args(["-ex", "set breakpoint pending on", "-ex", "set width 0"]);
    for command in commands {
        gdb.args(["-ex", command]);
    }
    gdb.arg("--args")
        .arg(with_few_symbols())
        .args(["run", "--gdb"]);
    let output = gdb.args(options).arg(file).output().unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    if text.contains("ptrace: Operation not permitted") {
        eprintln!("not run: this system lets no program be debugged");
        return None;
    }
    Some(text)
}

/// Returns the numbers of the lines of source that gdb shows where it stops, in order.
fn stops(text: &str) -> Vec<u32> {
    let numbers = text.lines().filter_map(|line| line.split_once('\t'));
    numbers
        .filter_map(|(number, _)| number.parse().ok())
        .collect()
}

#[test]
fn gdb_stops_by_name_and_steps_by_line() {
    let file = directory("gdb").join("count.mir");
    std::fs::write(&file, COUNT).unwrap();
    for options in [["--jit", "-O0"], ["--jit", "-O1"], ["--lazy", "-O1"]] {
        let steps = ["next", "next", "next", "next", "next"];
        let commands = [&["break work", "run", "bt 2"][..], &steps].concat();
        let Some(text) = gdb(&file, &options, &commands) else {
            return;
        };
        // The first statement, then the loop once and its begin again, by the lines of the text.
        assert_eq!(stops(&text), [6, 7, 8, 9, 7, 8], "{options:?}\n{text}");
        let argument = match options[1] {
            "-O0" => "300000000",
            _ => "<optimized out>",
        };
        let stop = format!("Breakpoint 1, work (n={argument}) at ");
        assert!(text.contains(&stop), "{text}");
        let caller = format!(" in main () at {}:14", file.display());
        assert!(
            text.lines()
                .any(|line| line.starts_with("#1 ") && line.ends_with(&caller)),
            "{text}"
        );
    }
}

/// The commands for gdb about the variables of `mixed`, and the values that it shows then, which
/// the text states.
const MIXED_COMMANDS: [&str; 7] = [
    "break mixed",
    "run",
    "next 7",
    "info args",
    "info locals",
    "set var c = 100",
    "set var x = -1.5",
];
const MIXED_VALUES: [&str; 12] = [
    "n = 3",
    "q = 2.5",
    "w = -1",
    "z = 6.75",
    "a = 4294967296",
    "b = 2",
    "c = 12",
    "x = 1.5",
    "y = 0.25",
    "$1 = 5368709120",
    "$2 = 101",
    "$3 = \"hello\"",
];

#[test]
fn gdb_shows_and_changes_variables() {
    let file = directory("gdb-variables").join("mixed.mir");
    std::fs::write(&file, MIXED).unwrap();
    let further = [
        "print a + (1 << 30)",
        "next",
        "print c",
        "print *(char (*)[6]) k",
        "continue",
    ];
    let commands = [&MIXED_COMMANDS[..], &further].concat();
    for way in ["--jit", "--lazy"] {
        let Some(text) = gdb(&file, &[way, "-O0"], &commands) else {
            return;
        };
        for value in MIXED_VALUES {
            assert!(text.lines().any(|line| line == value), "{value}\n{text}");
        }
        // 101 and the -1 that x becomes, as the status of the process: 100.
        assert!(text.contains("exited with code 0144]"), "{text}");
        let commands = ["break mixed", "run", "info locals", "next 4", "info locals"];
        let Some(text) = gdb(&file, &[way, "-O1"], &commands) else {
            return;
        };
        // They have values when they are assigned.
        for value in ["a = <optimized out>", "a = 4294967296", "c = 12"] {
            assert!(text.lines().any(|line| line == value), "{value}\n{text}");
        }
    }
}

#[test]
fn gdb_shows_no_wrong_argument_at_any_instruction() {
    let directory = directory("gdb-kept").canonicalize().unwrap();
    let (file, steps) = (directory.join("kept.mir"), directory.join("steps.gdb"));
    std::fs::write(&file, KEPT).unwrap();
    std::fs::write(&steps, KEPT_STEPS).unwrap();
    let source = format!("source {}", steps.display());
    for level in ["-O1", "-O2", "-O3"] {
        for function in ["onward", "steady"] {
            let commands = [&format!("break {function}"), "run", "bt 3", &source];
            let Some(text) = gdb(&file, &["--jit", level], &commands) else {
                return;
            };
            check_kept(&text, level);
            // A value that comes in a register is shown where the function begins.
            let values = KEPT_VALUES
                .iter()
                .filter(|(of, _, value)| *of == function && !value.is_empty());
            for (_, argument, value) in values {
                let first = text.lines().find(|line| line.starts_with("Breakpoint 1, "));
                let told = format!("{argument}={value}");
                assert!(first.unwrap().contains(&told), "{level} {told}: {text}");
            }
        }
    }
}

#[test]
fn gdb_shows_arguments_that_are_spilled_or_came_on_the_stack() {
    let file = directory("gdb-spilled").join("spilled.mir");
    std::fs::write(&file, SPILLED).unwrap();
    for level in ["-O1", "-O2", "-O3"] {
        let Some(text) = gdb(&file, &["--jit", level], &SPILLED_COMMANDS) else {
            return;
        };
        check_spilled(&text, level);
    }
}

#[test]
fn gdb_stops_by_line_and_lists_the_text() {
    let file = directory("gdb-list").join("tree.mir");
    std::fs::write(&file, TREE).unwrap();
    for options in [
        ["--jit", "-O0"],
        ["--jit", "-O1"],
        ["--jit", "-O2"],
        ["--jit", "-O3"],
    ] {
        let commands = ["break tree.mir:10", "run", "bt 3", "list 9,10", "finish"];
        let Some(text) = gdb(&file, &options, &commands) else {
            return;
        };
        assert_eq!(stops(&text)[..3], [10, 9, 10], "{options:?}\n{text}");
        assert!(
            text.contains("\n9\t  call p, t, a, n, k\n10\t  add c, c, a\n"),
            "{text}"
        );
        // The call of n = 1 has returned to that of n = 2, which n = 3 made, which main did.
        let frames: Vec<_> = { text.lines() }
            .filter(|line| line.starts_with('#'))
            .filter_map(|line| line.rsplit_once(' ').map(|(_, place)| place))
            .collect();
        let place = |line| format!("{}:{line}", file.display());
        assert_eq!(
            frames,
            [place(10), place(9), place(17)],
            "{options:?}\n{text}"
        );
    }
}

#[test]
fn gdb_shows_the_lines_of_c_that_llvm_ir_came_from() {
    let (file, c) = write_sum("gdb-c");
    for options in [["--jit", "-O0"], ["--jit", "-O1"]] {
        let commands = [
            "break sum.c:7",
            "run",
            "bt",
            "next",
            "next",
            "next",
            "list 4,5",
        ];
        let Some(text) = gdb(&file, &options, &commands) else {
            return;
        };
        assert_eq!(stops(&text)[..4], [7, 8, 6, 2], "{options:?}\n{text}");
        let place = |line| format!("{}:{line}\n", c.display());
        for shown in [
            &format!("Breakpoint 1, sum () at {}", place(7)),
            &format!(" in main () at {}", place(13)),
            "7\t    s += half(n);\n",
            "2\t  return n / 2;\n",
            "\n4\tlong sum(long n, long by) {\n5\t  long s = 0;\n",
        ] {
            assert!(text.contains(shown), "{options:?} {shown}\n{text}");
        }
    }
}

#[test]
fn gdb_shows_and_changes_the_variables_of_c() {
    let (file, _) = write_c("gdb-c-variables", "points", [POINTS_C, POINTS_LL]);
    let further = [
        "print *p",
        "print p->next->y",
        "print squares[1] + total",
        "print sizeof(struct point)",
        "set var total = 100",
        "continue",
    ];
    let commands = [&POINTS_COMMANDS[..5], &further].concat();
    let Some(text) = gdb(&file, &["--jit", "-O0"], &commands) else {
        return;
    };
    for value in POINTS_VALUES
        .iter()
        .chain(&["$2 = 2.5", "$3 = 10", "$4 = 24"])
    {
        assert!(text.lines().any(|line| line == *value), "{value}\n{text}");
    }
    assert!(text.contains("Breakpoint 1, weigh (n=6, p=0x"), "{text}");
    assert!(text.contains("\n$1 = {x = 5, y = 2.5, next = 0x"), "{text}");
    // 100 + 9 - 5 + 7.
    assert!(text.contains("exited with code 0157]"), "{text}");
    for level in ["-O1", "-O2"] {
        let optimised = ["break weigh", "run", "print p->y", "next", "info locals"];
        let Some(text) = gdb(&file, &["--jit", level], &optimised) else {
            return;
        };
        check_optimised(&text, level);
    }
}

/// Checks what gdb showed of an optimised `weigh` where it begins, and after the next line.
fn check_optimised(text: &str, case: &str) {
    assert!(text.contains("1, weigh (n=6, p=0x"), "{case}: {text}");
    for value in ["$1 = 2.5", "c = BLUE"] {
        assert!(
            text.lines().any(|line| line == value),
            "{case}: {value}\n{text}"
        );
    }
}

/// An ISA whose programs QEMU runs, with GNU's and QEMU's names of it.
const EMULATED: [(&str, &str, &str); 4] = [
    ("aarch64", "aarch64-linux-gnu", "aarch64"),
    ("ppc64le", "powerpc64le-linux-gnu", "ppc64le"),
    ("riscv64", "riscv64-linux-gnu", "riscv64"),
    ("s390x", "s390x-linux-gnu", "s390x"),
];

/// Returns what gdb prints when it runs a program that was linked of objects of another ISA, under
/// QEMU, with these commands; `None` if anything for that is missing.
fn gdb_emulated(
    (isa, gnu, qemu): (&str, &str, &str),
    (level, file): (&str, &Path),
    commands: &[&str],
) -> Option<String> {
    let (gcc, qemu) = (format!("{gnu}-gcc"), format!("qemu-{qemu}-static"));
    if ![&gcc, &qemu, "gdb-multiarch"]
        .iter()
        .all(|name| can_run(name))
    {
        return None;
    }
    let path = |extension| file.with_extension(format!("{isa}.{extension}"));
    let (object, program, socket) = (path("o"), path("run"), path("gdb"));
    let made = mir!("", "obj", "-g", level, "--target", isa, file, "-o", object);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    let mut linker = Command::new(gcc);
    linker.arg(&object).arg("-o").arg(&program).arg("-lm");
    assert!(linker.status().unwrap().success());
    let root = format!("/usr/{gnu}");
    let mut emulator = Command::new("timeout");
    emulator
        .args(["120", &qemu, "-L", &root, "-g"])
        .arg(&socket);
    let mut emulator = emulator.arg(&program).spawn().unwrap();
    while !socket.exists() && emulator.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut gdb = Command::new("timeout");
    gdb.args(["120", "gdb-multiarch", "-nx", "-q", "-batch"]);
    gdb.args(["-ex", "set width 0", "-ex", &format!("set sysroot {root}")]);
    gdb.args(["-ex", &format!("target remote {}", socket.display())]);
    for command in commands {
        gdb.args([
            "-ex",
            if *command == "run" {
                "continue"
            } else {
                command
            },
        ]);
    }
    let output = gdb.arg(&program).output().unwrap();
    let _ = emulator.wait();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    Some(text)
}

#[test]
fn gdb_shows_no_wrong_argument_on_any_isa() {
    let directory = directory("gdb-kept-isas").canonicalize().unwrap();
    let (file, steps) = (directory.join("kept.mir"), directory.join("steps.gdb"));
    std::fs::write(&file, KEPT).unwrap();
    std::fs::write(&steps, KEPT_STEPS).unwrap();
    let source = format!("source {}", steps.display());
    for isa in EMULATED {
        for level in ["-O1", "-O3"] {
            let commands = ["break steady", "run", &source];
            let Some(text) = gdb_emulated(isa, (level, &file), &commands) else {
                return;
            };
            let shown = check_kept(&text, &format!("{isa:?} {level}"));
            assert!(
                shown[4..].iter().filter(|&&times| times > 10).count() >= 3,
                "{isa:?} {level} {shown:?}: {text}"
            );
        }
    }
}

#[test]
fn gdb_shows_arguments_in_the_frames_of_each_isa() {
    let file = directory("gdb-spilled-isas").canonicalize().unwrap();
    let file = file.join("spilled.mir");
    std::fs::write(&file, SPILLED).unwrap();
    for isa in EMULATED {
        for level in ["-O1", "-O3"] {
            let Some(text) = gdb_emulated(isa, (level, &file), &SPILLED_COMMANDS) else {
                return;
            };
            check_spilled(&text, &format!("{isa:?} {level}"));
        }
    }
}

#[test]
fn llvm_reads_where_arguments_are_in_objects_of_each_isa() {
    let file = directory("kept-objects").join("kept.mir");
    std::fs::write(&file, KEPT).unwrap();
    let (object, plain) = (file.with_extension("o"), file.with_extension("plain.o"));
    for isa in ISAS {
        for level in ["-O1", "-O2", "-O3"] {
            let made = mir!("", "obj", "-g", level, "--target", isa, file, "-o", object);
            assert_eq!((made.status, made.err.as_str()), (0, ""));
            let made = mir!("", "obj", level, "--target", isa, file, "-o", plain);
            assert_eq!((made.status, made.err.as_str()), (0, ""));
            assert_eq!(code(&object), code(&plain), "{isa} {level}");
            let Some(info) = verified_dump(&object, "--debug-info") else {
                return;
            };
            // Four arguments that nothing changes and a copy of one, and one of the other function.
            let lists = info.matches("DW_AT_location\t(0x").count();
            assert!(lists >= 6, "{isa} {level}: {lists}\n{info}");
        }
    }
}

/// Returns the bytes of the code in an object.
fn code(object: &Path) -> Vec<u8> {
    use object::{Object, ObjectSection};
    let bytes = std::fs::read(object).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let text = file.section_by_name(".text").unwrap();
    text.data().unwrap().to_vec()
}

#[test]
fn gdb_shows_and_changes_variables_of_each_isa() {
    let directory = directory("gdb-isas").canonicalize().unwrap();
    let file = directory.join("mixed.mir");
    std::fs::write(&file, MIXED).unwrap();
    let commands = [&MIXED_COMMANDS[..], &["continue"]].concat();
    for isa in EMULATED {
        let Some(text) = gdb_emulated(isa, ("-O0", &file), &commands) else {
            return;
        };
        for value in &MIXED_VALUES[..9] {
            assert!(
                text.lines().any(|line| line == *value),
                "{isa:?}: {value}\n{text}"
            );
        }
        assert!(text.contains("exited with code 0144]"), "{isa:?}: {text}");
    }
    let (file, _) = write_c("gdb-isas-c", "points", [POINTS_C, POINTS_LL]);
    let commands = [&POINTS_COMMANDS[..], &["continue"]].concat();
    for isa in EMULATED {
        let Some(text) = gdb_emulated(isa, ("-O0", &file), &commands) else {
            return;
        };
        for value in POINTS_VALUES {
            assert!(
                text.lines().any(|line| line == value),
                "{isa:?}: {value}\n{text}"
            );
        }
        let stop = "Breakpoint 1, weigh (n=6, p=0x";
        assert!(text.contains(stop), "{isa:?}: {text}");
        assert!(text.contains("exited with code 0157]"), "{isa:?}: {text}");
        let optimised = ["break weigh", "run", "print p->y", "next", "info locals"];
        let Some(text) = gdb_emulated(isa, ("-O2", &file), &optimised) else {
            return;
        };
        check_optimised(&text, &format!("{isa:?}"));
    }
}

/// Returns the output of `llvm-dwarfdump` for an object with an option, after it found no errors
/// there; `None` if it is missing, which is said.
///
/// # Panics
///
/// If there are errors.
fn verified_dump(object: &Path, option: &str) -> Option<String> {
    let dump = |option: &str| {
        let mut dump = Command::new("llvm-dwarfdump-22");
        let output = dump.arg(option).arg(object).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Ok(verdict) = dump("--verify") else {
        eprintln!("not run: llvm-dwarfdump-22 is missing");
        return None;
    };
    assert!(
        verdict.ends_with("No errors.\n"),
        "{}: {verdict}",
        object.display()
    );
    dump(option).ok()
}

#[test]
fn llvm_reads_the_variables_of_c_in_objects_of_each_isa() {
    let (file, _) = write_c("variables-c", "points", [POINTS_C, POINTS_LL]);
    let object = file.with_extension("o");
    for isa in ISAS {
        let made = mir!("", "obj", "-g", "-O0", "--target", isa, file, "-o", object);
        assert_eq!((made.status, made.err.as_str()), (0, ""));
        let Some(info) = verified_dump(&object, "--debug-info") else {
            return;
        };
        for (name, ty) in [
            ("n", "int"),
            ("p", "point *"),
            ("total", "short"),
            ("squares", "int[3]"),
            ("c", "colour"),
            ("p", "point"),
        ] {
            let (name, ty) = (format!("(\"{name}\")"), format!(" \"{ty}\")"));
            let mut entries = info.split("\n\n");
            let found = entries.any(|entry| {
                entry.contains(&name)
                    && entry.contains(&ty)
                    && entry.contains("DW_AT_location\t(DW_OP_fbreg ")
            });
            assert!(found, "{isa}: {name} {ty}: {info}");
        }
    }
}

/// A fault is told with the line of C, and the calls with theirs, in every engine alike.
#[test]
fn faults_tell_the_lines_of_c_that_llvm_ir_came_from() {
    let (file, c) = write_sum("fault-c");
    let place = format!("function sum at {}:10: ", c.display());
    for engine in ["--interp", "--confined"] {
        let ran = mir!("", "run", engine, file);
        assert_eq!(ran.status, 1, "{}", ran.err);
        assert!(ran.err.contains(&place), "{engine}: {}", ran.err);
        assert!(
            ran.err.contains("from main (line 13)"),
            "{engine}: {}",
            ran.err
        );
        let json = mir!("", "run", "--json", engine, file);
        let object: serde_json::Value =
            serde_json::from_str(json.err.lines().next().unwrap()).unwrap();
        assert_eq!(object["source"], c.to_str().unwrap());
        assert_eq!(object["line"], 10);
    }
    let compiled = mir!("", "run", "--jit", "-O2", file);
    assert!(compiled.err.contains(&place), "{}", compiled.err);
    // Without locations the lines are those of the text itself.
    let bare: Vec<&str> = SUM_LL
        .lines()
        .filter(|line| !line.starts_with('!'))
        .collect();
    let bare: Vec<&str> = bare
        .iter()
        .map(|line| line.split(", !").next().unwrap())
        .collect();
    let bare = bare
        .join("\n")
        .replace(" !dbg !2 {", " {")
        .replace(" !dbg !10 {", " {");
    std::fs::write(&file, bare).unwrap();
    let ran = mir!("", "run", "--interp", file);
    assert!(ran.err.contains("sum.ll:14: div "), "{}", ran.err);
}

/// Returns the lines of the rows of a table of lines, as LLVM shows it, without repetitions.
fn rows(table: &str) -> Vec<u32> {
    let rows = table.lines().filter(|line| line.starts_with("0x"));
    let lines = rows.filter_map(|row| row.split_whitespace().nth(1)?.parse().ok());
    let mut lines: Vec<u32> = lines.collect();
    lines.dedup();
    lines
}

#[test]
fn llvm_reads_the_lines_of_objects_of_each_isa() {
    let dump = |option: &str, object: &Path| {
        let dump = Command::new("llvm-dwarfdump-22")
            .arg(option)
            .arg(object)
            .output();
        dump.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let directory = directory("lines");
    let (file, object) = (directory.join("count.mir"), directory.join("count.o"));
    std::fs::write(&file, COUNT).unwrap();
    for isa in ISAS {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let options: [&dyn AsRef<std::ffi::OsStr>; 5] =
                [&"obj", &"-g", &"--target", &isa, &level];
            let options = [&options[..], &[&file, &"-o", &object]].concat();
            let made = super::mir_with(b"", &options, None);
            assert_eq!((made.status, made.err.as_str()), (0, ""));
            let Ok(verified) = dump("--verify", &object) else {
                eprintln!("not run: llvm-dwarfdump-22 is missing");
                return;
            };
            assert!(
                verified.ends_with("No errors.\n"),
                "{isa} {level}: {verified}"
            );
            let table = dump("--debug-line", &object).unwrap();
            let lines = rows(&table);
            let info = dump("--debug-info", &object).unwrap();
            let (variables, places) = (
                info.matches("DW_TAG_formal_parameter").count()
                    + info.matches("DW_TAG_variable").count(),
                info.matches("DW_AT_location\t(DW_OP_fbreg ").count(),
            );
            let expected = if level == "-O0" { 3 } else { 0 };
            assert_eq!((variables, places), (3, expected), "{isa} {level}: {info}");
            if level < "-O2" {
                // A leaf begins with its first statement: it needs no frame, unless that has its
                // variables.
                let (work, main) = lines.split_at(lines.len() - 3);
                let work = &work[usize::from(level == "-O0")..];
                assert_eq!(work, [6, 7, 8, 9, 10], "{isa} {level}: {table}");
                assert_eq!(main, [12, 14, 15], "{isa} {level}: {table}");
            }
            assert!(
                lines.contains(&7) && lines.contains(&15),
                "{isa} {level}: {table}"
            );
        }
    }
}

#[test]
fn llvm_reads_the_lines_of_c_in_objects_of_each_isa() {
    let (file, c) = write_sum("lines-c");
    let object = file.with_extension("o");
    for isa in ISAS {
        let made = mir!("", "obj", "-g", "-O0", "--target", isa, file, "-o", object);
        assert_eq!((made.status, made.err.as_str()), (0, ""));
        let Some(table) = verified_dump(&object, "--debug-line") else {
            return;
        };
        assert!(
            table.contains(&format!("name: \"{}\"", c.display())),
            "{table}"
        );
        let lines = rows(&table);
        for line in [2, 6, 7, 8, 10, 13] {
            assert!(lines.contains(&line), "{isa}: no line {line}: {table}");
        }
    }
}

#[test]
fn gdb_stops_in_a_program_that_was_linked() {
    let directory = directory("linked");
    let file = directory.join("tree.mir");
    let (object, program) = (directory.join("tree.o"), directory.join("tree"));
    std::fs::write(&file, TREE).unwrap();
    let made = mir!("", "obj", "-g", "-O1", file, "-o", object);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    if !can_run("gdb") {
        return;
    }
    let linker = Command::new("cc")
        .arg(&object)
        .arg("-o")
        .arg(&program)
        .status();
    assert!(linker.unwrap().success());
    let mut gdb = Command::new("timeout");
    gdb.args([
        "120",
        "gdb",
        "-nx",
        "-q",
        "-batch",
        "-ex",
        "break tree.mir:10",
    ]);
    gdb.args(["-ex", "run", "-ex", "bt", "-ex", "next"])
        .arg(&program);
    let text = String::from_utf8_lossy(&gdb.output().unwrap().stdout).into_owned();
    assert_eq!(stops(&text), [10, 11], "{text}");
    for frame in [
        "#0  tree (n=1, k=5) at ",
        "in tree (n=2, k=5) at ",
        "in main () at ",
    ] {
        assert!(text.contains(frame), "{text}");
    }
}

#[test]
fn perf_names_compiled_functions() {
    if !can_run("perf") {
        return;
    }
    let directory = directory("perf");
    let (file, data) = (directory.join("count.mir"), directory.join("data"));
    std::fs::write(&file, COUNT).unwrap();
    if !perf_record(&["--perf-map"], &data, &file) {
        return;
    }
    let text = perf(&["report", "--stdio", "-F", "overhead,symbol", "-i"], &data);
    // The loop takes most of the time; the rest is the start of this build, which may be slow.
    let share = text.lines().find(|line| line.ends_with("[.] work"));
    let share = share.and_then(|line| line.trim().split_once('%')?.0.parse::<f64>().ok());
    assert!(share.is_some_and(|share| share > 30.0), "{text}");
}

#[test]
fn perf_annotates_instructions_with_lines() {
    if !can_run("perf") {
        return;
    }
    let directory = directory("jitdump");
    let (file, data) = (directory.join("count.mir"), directory.join("data"));
    std::fs::write(&file, COUNT).unwrap();
    if !perf_record(&["--jitdump"], &data, &file) {
        return;
    }
    let injected = directory.join("injected");
    let inject = Command::new("perf")
        .args(["inject", "--jit", "-i"])
        .arg(&data)
        .arg("-o")
        .arg(&injected)
        .output();
    assert!(inject.unwrap().status.success());
    let text = perf(&["annotate", "--stdio", "-s", "work", "-i"], &injected);
    // The text of the loop stands between the instructions, in its order.
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(at("add s, s, n") < at("sub n, n, 1"), "{text}");
    assert!(at("sub n, n, 1") < at("bgt l, n, 0"), "{text}");
}

/// Records a run with perf, in the folder of the file; returns whether there are perf events.
fn perf_record(options: &[&str], data: &Path, file: &Path) -> bool {
    let mut record = Command::new("perf");
    record.args(["record", "-q", "-k", "mono", "-e", "cpu-clock:u", "-o"]);
    record.arg(data).arg("--").args(words());
    record.args(["run", "--jit", "-O1"]).args(options).arg(file);
    let recorded = record.current_dir(file.parent().unwrap()).output().unwrap();
    if !recorded.status.success() {
        let reason = String::from_utf8_lossy(&recorded.stderr);
        eprintln!("not run: no perf events are to be had: {reason}");
    }
    recorded.status.success()
}

/// Returns what perf prints of recorded data.
fn perf(arguments: &[&str], data: &Path) -> String {
    let output = Command::new("perf").args(arguments).arg(data).output();
    String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
}
