//! The properties that build systems rely on: the same bytes from any place, time, environment and
//! number of threads, several files in one call, and what is refused there.

use super::{HELLO, directory, example, words};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs that are built: text, binary with many functions, and LLVM IR.
const PROGRAMS: [&str; 4] = [
    "examples/sieve.mir",
    "corpus/bmir/x86_64/f_structs.bmir",
    "corpus/bmir/x86_64/vm.bmir",
    "examples/import/words.ll",
];

/// The commands, each with the suffix of what it makes.
const COMMANDS: [(&[&str], &str); 5] = [
    (&["asm"], "bmir"),
    (&["obj", "-O0"], "o"),
    (&["obj", "-O2"], "o"),
    (&["obj", "-O3"], "o"),
    (&["image", "-O2"], "mimg"),
];

/// A place to build in.
struct Place {
    directory: PathBuf,
    /// The start of the names of all files.
    prefix: &'static str,
    environment: &'static [(&'static str, &'static str)],
    threads: &'static str,
}

impl Place {
    /// Writes the programs.
    fn new(
        directory: PathBuf,
        prefix: &'static str,
        environment: &'static [(&'static str, &'static str)],
        threads: &'static str,
    ) -> Place {
        fs::create_dir_all(&directory).unwrap();
        for program in PROGRAMS {
            let from = example("..").join(program);
            let name = Path::new(program).file_name().unwrap().to_str().unwrap();
            fs::copy(from, directory.join(format!("{prefix}{name}"))).unwrap();
        }
        Place {
            directory,
            prefix,
            environment,
            threads,
        }
    }

    /// Runs the command here; it must succeed and say nothing.
    fn mir(&self, arguments: &[&str]) {
        let mut command = Command::new(&words()[0]);
        command.args(&words()[1..]).args(arguments);
        command.args(["--target", "x86_64", "--threads", self.threads]);
        command.current_dir(&self.directory);
        command.envs(self.environment.iter().copied());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{said}");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.directory.join(format!("{}{name}", self.prefix))).unwrap()
    }

    /// Makes everything, each file by itself and all in one call; returns all bytes.
    fn build(&self) -> Vec<Vec<u8>> {
        let mut made = Vec::new();
        let files = PROGRAMS.map(|program| Path::new(program).file_name().unwrap());
        let files = files.map(|file| file.to_str().unwrap());
        for (command, suffix) in COMMANDS {
            for file in files {
                let out = format!("{file}.{suffix}");
                let [from, to] = [file, &out].map(|name| format!("{}{name}", self.prefix));
                self.mir(&[command, &[&from, "-o", &to]].concat());
                made.push(self.read(&out));
            }
        }
        // Objects with lines name the file as the command line does.
        let debugged = self.directory.join("debugged.mir");
        fs::write(&debugged, self.read("sieve.mir")).unwrap();
        self.mir(&["obj", "-g", "debugged.mir", "-o", "debugged.o"]);
        made.push(fs::read(debugged.with_extension("o")).unwrap());
        let words = format!("{}words.ll", self.prefix);
        let text = format!("{}words.mir", self.prefix);
        self.mir(&["import", &words, "-o", &text]);
        made.push(self.read("words.mir"));
        let all = files.map(|file| format!("{}{file}", self.prefix));
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        self.mir(&[&["obj", "--out-dir", "."], &all[..]].concat());
        made.extend(files.map(|file| {
            let (stem, _) = file.split_once('.').unwrap();
            self.read(&format!("{stem}.o"))
        }));
        made
    }
}

#[test]
fn the_same_bytes_are_made_in_any_place_at_any_time_by_any_number_of_threads() {
    let here = Place::new(directory("here"), "", &[("HOME", "/root")], "1");
    let environment = &[("HOME", "/"), ("TZ", "Asia/Tokyo"), ("LANG", "C")];
    let there = Place::new(
        directory("there").join("deep inside"),
        "other ",
        environment,
        "5",
    );
    let (here, there) = (here.build(), there.build());
    assert_eq!(here.len(), 6 * PROGRAMS.len() + 2);
    for (number, (here, there)) in here.iter().zip(&there).enumerate() {
        assert!(!here.is_empty() && here == there, "output {number} differs");
    }
    // One call for all makes the same as a call for each.
    let together = &here[here.len() - PROGRAMS.len()..];
    assert_eq!(together, &here[2 * PROGRAMS.len()..3 * PROGRAMS.len()]);
}

#[test]
fn several_files_are_made_in_one_call_or_none_is() {
    let place = directory("several");
    let [good, wrong, other] = ["good.mir", "wrong.mir", "other.mir"].map(|name| place.join(name));
    fs::write(&good, HELLO).unwrap();
    fs::write(&other, HELLO).unwrap();
    fs::write(&wrong, "m: module\n bad\n endmodule\n").unwrap();
    let rule = place.join("all.d");
    let made = mir!(
        "",
        "asm",
        "--threads",
        "3",
        "--out-dir",
        place,
        "--depfile",
        rule,
        good,
        other
    );
    assert_eq!((made.status, &made.err[..]), (0, ""));
    let name = |stem: &str, suffix: &str| place.join(stem).with_extension(suffix);
    let line = |stem: &str| {
        let [to, from] = ["bmir", "mir"].map(|suffix| name(stem, suffix).display().to_string());
        format!("{to}: {from}\n")
    };
    assert_eq!(
        fs::read_to_string(&rule).unwrap(),
        line("good") + &line("other")
    );
    assert_eq!(
        fs::read(name("good", "bmir")).unwrap(),
        mir!(HELLO, "asm").out
    );
    for threads in ["1", "2", "0"] {
        let failed = mir!(
            "",
            "obj",
            "--threads",
            threads,
            "--out-dir",
            place,
            wrong,
            good,
            wrong
        );
        assert_eq!(failed.status, 2, "{}", failed.err);
        assert!(failed.err.contains("wrong.o"), "{}", failed.err);
        let failed = mir!(
            "",
            "obj",
            "--threads",
            threads,
            "--out-dir",
            place,
            good,
            wrong
        );
        assert_eq!(failed.status, 1, "{}", failed.err);
        assert_eq!(failed.err.matches("wrong.mir:2:").count(), 1);
        assert!(!name("good", "o").exists());
    }
}

#[test]
fn what_has_no_name_is_refused() {
    let place = directory("no-names");
    let program = place.join("program.mir");
    fs::write(&program, HELLO).unwrap();
    for (refused, told) in [
        (mir!(HELLO, "obj", "--out-dir", place), "-o OUT"),
        (
            mir!(HELLO, "obj", "--out-dir", place, program, "-"),
            "-o OUT",
        ),
        (mir!("", "obj", program, program), "--out-dir DIR"),
        (mir!("", "obj", "--threads", "1025", program), "1025"),
        (
            mir!("", "image", program, "--depfile", place.join("x.d")),
            "-o OUT",
        ),
    ] {
        assert_eq!((refused.status, refused.out.len()), (2, 0));
        assert!(refused.err.contains(told), "{}", refused.err);
    }
}

#[test]
fn denied_warnings_leave_no_file() {
    let place = directory("denied");
    let program = example("../filetests/import/errors/functions.ll");
    for (option, status) in [("--deny-warnings", 1), ("--color=never", 0)] {
        let text = place.join("functions.mir");
        let made = mir!(
            "",
            option,
            "import",
            "--skip-unsupported",
            "--target=x86_64",
            "--text",
            "--out-dir",
            place,
            program
        );
        assert_eq!(made.status, status, "{}", made.err);
        assert_eq!(made.err.contains(" warning: "), status == 0, "{}", made.err);
        assert_eq!(text.exists(), status == 0);
    }
}
