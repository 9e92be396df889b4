//! The real gdb and perf at work on compiled programs.

use super::{ISAS, directory, words};
use std::path::Path;
use std::process::Command;

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

/// A program with a function that calls itself, which is not inlined; its head is line 4.
const TREE: &str = "m: module
p: proto i64, i64:n, i64:k
  export main
tree: func i64, i64:n, i64:k
  local i64:a, i64:b, i64:c
  mul c, n, k
  ble done, n, 1
  sub n, n, 1
  call p, tree, a, n, k
  add c, c, a
  call p, tree, b, n, k
  add c, c, b
done: ret c
  endfunc
main: func i64
  local i64:r
  call p, tree, r, 3, 5
  ret 0
  endfunc
  endmodule
";

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
    gdb.arg("--args").args(words()).args(["run", "--gdb"]);
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
        assert!(text.contains("Breakpoint 1, work () at "), "{text}");
        let caller = format!(" in main () at {}:14", file.display());
        assert!(
            text.lines()
                .any(|line| line.starts_with("#1 ") && line.ends_with(&caller)),
            "{text}"
        );
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
            text.contains("\n9\t  call p, tree, a, n, k\n10\t  add c, c, a\n"),
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
            if level < "-O2" {
                // A leaf needs no frame, so it begins with its first statement.
                let (work, main) = lines.split_at(5);
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
    for frame in ["#0  tree () at ", "in tree () at ", "in main () at "] {
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
