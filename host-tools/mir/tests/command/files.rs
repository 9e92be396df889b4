//! `check`, `asm`, `dis`, `fmt`, `embed`, `stats`, `completions`: the commands on files besides
//! running them.

use super::words;
use super::{HELLO, Outcome, directory, example, number};
use std::process::{Command, Stdio};

/// A program with an error in line 3, and two in line 4.
const WRONG: &str = "m: module
f: func i64, d:x
 add x, 1, 2
 mov 5, i64:(x)
 ret 0
 endfunc
 endmodule
";

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
fn blocks_of_any_size_are_read_and_refused_with_function_limit_and_size() {
    let source = "m: module\nf: func blk:300(a)\nendfunc\nendmodule\n";
    let contents = testkit::readers::contents_of_text(source.as_bytes()).unwrap();
    let at = contents.windows(3).position(|token| token == [2, 44, 1]);
    let at = at.unwrap();
    for size in [1 << 32, u64::MAX] {
        let size_token = [&[8][..], &size.to_le_bytes()].concat();
        let contents = [&contents[..at], &size_token, &contents[at + 3..]].concat();
        let file = testkit::container::pack(&contents);
        let checked = mir!(file, "check");
        assert_eq!(checked.status, 1);
        let told = format!("take more than 16 MiB: f, a block of {size} bytes");
        assert!(checked.err.contains(&told), "{}", checked.err);
        let printed = mir!(file, "dis");
        let whole = format!("blk0:{size}(a)");
        assert!(printed.text().contains(&whole), "{}", printed.text());
    }
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
fn files_are_embedded_as_arrays() {
    let rust = mir!("MI\n", "embed", "--text", "--name", "x");
    assert!(
        rust.text()
            .contains("pub static X: [u8; 3] = [\n    77, 73, 10,\n];"),
        "{}",
        rust.text()
    );
    let c = mir!("MI\n", "embed", "--text", "--lang", "c");
    assert!(
        c.text().contains("program[] = {\n    77, 73, 10,\n};\n"),
        "{}",
        c.text()
    );
    assert!(c.text().contains("program_len = 3;"));
    // The first bytes of a binary file are "MIR".
    let binary = mir!(HELLO, "embed");
    assert!(binary.text().contains("[\n    77, 73, 82, "));
    assert_eq!(mir!("MI\n", "embed").status, 1);
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
fn the_wrong_command_line_is_status_2() {
    assert_eq!(mir!("", "check", "/does/not/exist").status, 2);
    assert_eq!(mir!("", "check", "--no-such-option").status, 2);
    assert_eq!(mir!("", "run", "-l", "no-such-library", "-").status, 2);
    assert_eq!(mir!(HELLO, "asm", "-", "-o", "/does/not/exist").status, 2);
    assert_eq!(mir!("").status, 2);
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
        "lsp",
        "man",
    ] {
        assert!(
            mir!("", command, "--help").text().contains("Example"),
            "{command}"
        );
    }
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let directory = directory("man").join("man1");
    let written = mir!("", "man", directory);
    assert_eq!((written.status, written.text()), (0, ""), "{}", written.err);
    let help = mir!("", "--help");
    let (_, commands) = help.text().split_once("Commands:").unwrap();
    let (commands, _) = commands.split_once("Options:").unwrap();
    let names = commands
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let mut names: Vec<String> = names
        .filter(|&name| name != "help")
        .map(|name| format!("mir-{name}.1"))
        .chain(["mir.1".into()])
        .collect();
    let pages = std::fs::read_dir(&directory).unwrap();
    let mut pages: Vec<String> = pages
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    pages.sort();
    assert_eq!(pages, names);
    let page = std::fs::read(directory.join("mir-run.1")).unwrap();
    assert!(String::from_utf8_lossy(&page).contains(".TH mir-run 1"));
    assert_eq!(
        mir!("", "man").out,
        std::fs::read(directory.join("mir.1")).unwrap()
    );
    let refused = mir!("", "man", "/dev/null/man1");
    assert_eq!((refused.status, refused.err.lines().count()), (2, 1));
}

/// Calls by another prototype are told with both signatures, in one module, from module to module
/// and from file to file.
#[test]
fn check_warns_of_calls_by_another_prototype() {
    let directory = directory("other-prototypes");
    let caller = "m: module
 import far
old: proto i32, ...
same: proto i32, u32:x
 forward near
main: func i32
 local i64:r
 call old, near, r, 3
 call same, near, r, 3
 call old, far, r, 3
 call same, far, r, 3
 ret r
 endfunc
near: func i32, u32:z
 ret z
 endfunc
 endmodule
";
    let callee = "n: module
 export far
far: func i32, u32:y
 ret y
 endfunc
 endmodule
";
    let text = "the function has another signature than the call's prototype";
    let [near, far] = [(8, "near (i32, u32:z)"), (10, "far (i32, u32:y)")].map(|(line, called)| {
        (
            format!(":{line}:"),
            format!("{text}: {called}, old (i32, ...)"),
        )
    });
    let expect = |outcome: &Outcome, wanted: &[&(String, String)]| {
        let is_warning = |line: &&str| line.contains(" warning: ");
        let lines: Vec<&str> = outcome.err.lines().filter(is_warning).collect();
        assert_eq!(
            (outcome.status, lines.len()),
            (0, wanted.len()),
            "{lines:?}"
        );
        for ((place, message), line) in wanted.iter().zip(lines) {
            assert!(
                line.contains(place.as_str()) && line.contains(message.as_str()),
                "{line}"
            );
        }
    };
    expect(&mir!(caller, "check"), &[&near]);
    expect(&mir!(caller.to_owned() + callee, "check"), &[&near, &far]);
    let files = [("caller.mir", caller), ("callee.mir", callee)].map(|(name, text)| {
        let file = directory.join(name);
        std::fs::write(&file, text).unwrap();
        file
    });
    expect(&mir!("", "check", files[0], files[1]), &[&near, &far]);
    expect(&mir!("", "check", files[1]), &[]);
}

#[test]
fn build_systems_are_told_what_a_file_was_made_from() {
    let place = directory("depfile");
    let [program, other] = ["a program.mir", "other$.mir"].map(|name| place.join(name));
    std::fs::write(&program, HELLO).unwrap();
    std::fs::write(&other, "other: module\n endmodule\n").unwrap();
    let name = |path: &std::path::Path| path.display().to_string();
    // The rules of make: a space has a backslash before it, a dollar another one.
    let [from, and] = [
        name(&program).replace(' ', "\\ "),
        name(&other).replace('$', "$$"),
    ];
    let (out, rule) = (place.join("out"), place.join("out.d"));
    for command in ["asm", "obj", "image"] {
        let made = mir!("", command, program, "-o", out, "--depfile", rule);
        assert_eq!((made.status, &made.err[..]), (0, ""), "{command}");
        let said = std::fs::read_to_string(&rule).unwrap();
        assert_eq!(said, format!("{}: {from}\n", name(&out)), "{command}");
    }
    let made = mir!("", "image", program, other, "-o", out, "--depfile", rule);
    assert_eq!((made.status, &made.err[..]), (0, ""));
    let said = std::fs::read_to_string(&rule).unwrap();
    assert_eq!(said, format!("{}: {from} {and}\n", name(&out)));
    let made = mir!(HELLO, "asm", "-o", out, "--depfile", rule);
    assert_eq!((made.status, &made.err[..]), (0, ""));
    assert_eq!(
        std::fs::read_to_string(&rule).unwrap(),
        format!("{}:\n", name(&out))
    );
    assert_eq!(mir!(HELLO, "asm", "--depfile", rule).status, 2);
    let to_output = mir!(HELLO, "asm", "-o", "-", "--depfile", rule);
    assert_eq!(
        (to_output.status, to_output.err.contains("-o OUT")),
        (2, true)
    );
    let wrong = mir!(
        "",
        "import",
        example("import/words.ll"),
        "--target",
        "x86_64",
        "-o",
        out,
        "--depfile",
        rule
    );
    assert_eq!(wrong.status, 0, "{}", wrong.err);
    let said = std::fs::read_to_string(&rule).unwrap();
    assert!(said.ends_with("words.ll\n"), "{said}");
}

#[test]
fn words_of_the_command_line_may_be_in_a_file() {
    let place = directory("words");
    let (program, words) = (place.join("a program.mir"), place.join("words"));
    std::fs::write(&program, HELLO).unwrap();
    let text = format!("asm \n'{}'  --target s390x\n", program.display());
    std::fs::write(&words, text).unwrap();
    let at = format!("@{}", words.display());
    let made = mir!("", at);
    assert_eq!((made.status, &made.err[..]), (0, ""));
    assert_eq!(made.out, mir!(HELLO, "asm", "--target", "s390x").out);
    let missing = mir!("", "asm", "@missing");
    assert_eq!(
        (missing.status, missing.err.contains("@missing")),
        (2, true)
    );
    let behind = mir!("", "run", "--", at);
    assert_eq!(
        behind.status, 1,
        "the words of a program are its own: {}",
        behind.err
    );
}
