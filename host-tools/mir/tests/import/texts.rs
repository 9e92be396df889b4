//! The importer writes or refuses texts: the same ones, whichever ISA runs it.

use super::{GENERIC_FILES, Generic, files, generic_files, lines_after, mir, root};
use std::fs;
use std::path::Path;
use testkit::command::is_native;

#[test]
fn errors_have_their_places() {
    for file in files(&root().join("filetests/import/errors"), ".ll") {
        let text = fs::read_to_string(&file).unwrap();
        let wanted = lines_after(&text, "; error: ");
        let output = mir(&["import", "--target", "x86_64", "-o", "-"], &file);
        assert_eq!(output.status.code(), Some(1), "{}", file.display());
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        let found: Vec<_> = messages.lines().collect();
        assert_eq!(found.len(), wanted.len(), "{messages}");
        for (found, wanted) in found.iter().zip(wanted) {
            let plain = found.replacen("error: ", "", 1);
            assert!(plain.contains(wanted), "{}: {found}", file.display());
        }
    }
}

#[test]
fn what_cannot_be_expressed_is_left_out_on_request() {
    let file = root().join("filetests/import/errors/functions.ll");
    let output = mir(
        &[
            "import",
            "--target",
            "x86_64",
            "--skip-unsupported",
            "-o",
            "-",
        ],
        &file,
    );
    assert!(output.status.success());
    let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        warnings.matches("warning: in function @").count(),
        6,
        "{warnings}"
    );
}

/// Returns how often `filetests/import/volatile.ll`, imported for an ISA, has each of these words.
fn words_of_volatile(isa: &str, options: &[&str], words: [&str; 2]) -> [usize; 2] {
    let file = root().join("filetests/import/volatile.ll");
    let import = ["import", "--text", "--target", isa, "-o", "-"];
    let output = mir(&[&import, options].concat(), &file);
    assert!(output.status.success(), "{isa}");
    let text = String::from_utf8(output.stdout).unwrap();
    words.map(|word| text.matches(word).count())
}

#[test]
fn volatile_accesses_are_made_each_once_and_as_a_whole() {
    // Five loads and a store are made in pieces: loads of 4 and 8 bytes and the store of 8 byte by
    // byte, as they are not aligned, and loads of a vector, of 128 bits and of 24 in two. One load
    // more is atomic. Copies of 9 and 5 bytes are made in two and five pieces, as they are aligned,
    // and 7 bytes are filled in three.
    let text = fs::read_to_string(root().join("filetests/import/volatile.ll")).unwrap();
    let [loads, stores] = ["load volatile ", "store volatile "].map(|what| {
        let code = text.lines().filter(|line| !line.starts_with(';'));
        code.filter(|line| line.contains(what)).count()
    });
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let words = ["\tatomic_load\t", "\tatomic_store\t"];
        let found = words_of_volatile(isa, &[], words);
        assert_eq!(
            found,
            [loads - 5 + 18 + 1 + 7, stores - 1 + 8 + 10],
            "{isa}"
        );
        let portable = words_of_volatile(isa, &["--portable"], words);
        assert_eq!(portable, [1, 0], "{isa}");
    }
}

#[test]
fn conditions_are_branches_and_no_values() {
    let file = root().join("filetests/import/conditions.ll");
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.mir");
    let output = mir(&["import", "-o", program.to_str().unwrap()], &file);
    assert!(output.status.success());
    let text = fs::read_to_string(program).unwrap();
    let of = |name: &str| {
        let lines = text
            .lines()
            .skip_while(|line| !line.starts_with(&format!("{name}:\tfunc")));
        let lines = lines.skip(1).take_while(|line| line.trim() != "endfunc");
        let words = lines.filter_map(|line| line.split_whitespace().next());
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let makes_value = |word: &String| ["mov", "and", "or", "bt", "bf"].contains(&word.as_str());
    for name in [
        "both", "either", "and", "or", "nested", "inner", "outer", "not_oge", "or_ult",
    ] {
        let words = of(name);
        assert!(words.iter().any(|word| word == "ret"), "{name}");
        assert!(!words.iter().any(makes_value), "{name}: {words:?}");
    }
    // A condition that is used twice is a value, and so is one that lies too deep.
    for name in ["twice", "deep"] {
        assert!(of(name).iter().any(makes_value), "{name}");
    }
}

#[test]
fn generic_machine_ir_comes_through_for_its_isa() {
    let files = generic_files();
    assert_eq!(files.len(), GENERIC_FILES);
    // Under an emulator some show that the byte order is no matter.
    let step = if is_native() { 1 } else { 8 };
    for Generic { file, isa, .. } in files.iter().step_by(step) {
        let output = mir(&["import", "--target", isa, "-o", "-"], file);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {messages}", file.display());
    }
}

#[test]
fn lists_of_constructors_have_functions_only() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.mir");
    let text = "m: module\n.init_array: i64 1\nmain: func\n endfunc\n endmodule\n";
    fs::write(&program, text).unwrap();
    let ways: [&[&str]; 3] = [&["run"], &["run", "--confined"], &["obj", "-o", "-"]];
    for way in ways {
        let output = mir(way, &program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(
            messages.contains("addresses of the program's functions only"),
            "{messages}"
        );
        assert_eq!(output.status.code(), Some(1), "{way:?}");
    }
}

/// Three functions: one that is converted, one that `GlobalISel` gave up, one with a vector; line 1
/// begins the file.
const PARTLY: &str = r#"--- |
  target triple = "aarch64-unknown-linux-gnu"

  define i64 @good(i64 %a) {
    ret i64 %a
  }
  define i64 @given_up(i64 %a) {
    ret i64 %a
  }
  define i64 @vector(i64 %a) {
    ret i64 %a
  }
...
---
name:            good
body:             |
  bb.0:
    liveins: $x0
    %0:_(s64) = COPY $x0
    $x0 = COPY %0(s64)
    RET_ReallyLR implicit $x0
...
---
name:            given_up
failedISel:      true
body:             |
  bb.0:
    RET_ReallyLR
...
---
name:            vector
body:             |
  bb.0:
    liveins: $x0
    %0:_(s64) = COPY $x0
    %1:_(<2 x s32>) = G_BITCAST %0(s64)
    %2:_(<2 x s32>) = G_ADD %1, %1
    %3:_(s64) = G_BITCAST %2(<2 x s32>)
    $x0 = COPY %3(s64)
    RET_ReallyLR implicit $x0
...
"#;

#[test]
fn what_does_not_come_through_of_generic_machine_ir_is_told_with_its_line() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("partly.mir");
    fs::write(&file, PARTLY).unwrap();
    let refused = mir(&["import", "--target", "aarch64", "-o", "-"], &file);
    assert_eq!(refused.status.code(), Some(1));
    let messages = String::from_utf8(refused.stderr).unwrap();
    for place in [
        "partly.mir:24:18: error: in function @given_up: ",
        "partly.mir:37:5: error: in function @vector: ",
    ] {
        assert!(messages.contains(place), "{place}: {messages}");
    }
    let options = [
        "import",
        "--target",
        "aarch64",
        "--text",
        "--skip-unsupported",
    ];
    let imported = mir(&[&options[..], &["-o", "-"]].concat(), &file);
    let messages = String::from_utf8_lossy(&imported.stderr);
    assert!(imported.status.success(), "{messages}");
    assert_eq!(messages.matches("warning: in function @").count(), 2);
    let text = String::from_utf8(imported.stdout).unwrap();
    assert!(text.contains("good:\tfunc"), "{text}");
    assert!(!text.contains("vector:\tfunc"), "{text}");
    let broken = PARTLY.replacen("define i64 @good(i64 %a)", "define i64 @good(i64 !)", 1);
    fs::write(&file, broken).unwrap();
    let refused = mir(&["import", "--target", "aarch64", "-o", "-"], &file);
    let messages = String::from_utf8(refused.stderr).unwrap();
    assert!(messages.contains("partly.mir:4:"), "{messages}");
}

/// LLVM returns three words in registers on `x86_64`; Medium IR, as C, does not. More are in memory
/// for both.
#[test]
fn results_in_registers_that_c_does_not_use_are_refused() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("words.ll");
    let functions = (2..=5).map(|words| {
        let ty = format!("[{words} x i64]");
        let call = |callee: &str| {
            format!(
                "  %r = call {ty} {callee}()\n  %s = extractvalue {ty} %r, 1\n  ret i64 %s\n}}\n"
            )
        };
        let (direct, indirect) = (call(&format!("@other{words}")), call("%p"));
        format!(
            "declare {ty} @other{words}()\ndefine i64 @direct{words}() {{\n{direct}\
             define i64 @indirect{words}(ptr %p) {{\n{indirect}"
        )
    });
    fs::write(&file, functions.collect::<String>()).unwrap();
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
        let messages = String::from_utf8_lossy(&imported.stderr);
        for words in 2..=5 {
            let is_refused = isa == "x86_64" && words == 3;
            for told in [
                format!("in function @direct{words}: the call of @other{words}, a function of"),
                format!("in function @indirect{words}: an indirect call of a function that"),
            ] {
                assert_eq!(messages.contains(&told), is_refused, "{isa}: {messages}");
            }
        }
        assert_eq!(imported.status.success(), isa != "x86_64", "{messages}");
    }
}

/// Native code that is given the address of a function would look for its result where LLVM returns
/// it. Within the module such functions are called, by an alias as well.
#[test]
fn addresses_of_functions_that_return_more_in_registers_than_c_are_refused() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("addresses.ll");
    let called = "define i64 @caller(i64 %a) {
  %r = call [3 x i64] @three(i64 %a)
  %s = extractvalue [3 x i64] %r, 2
  ret i64 %s
}
";
    let three = "define [3 x i64] @three(i64 %a) {
  %r = insertvalue [3 x i64] zeroinitializer, i64 %a, 2
  ret [3 x i64] %r
}
";
    let refused = "the address of @three, a function that returns more in registers than C can, \
                   cannot be expressed in Medium IR";
    let uses = [
        ("", ""),
        (
            "@table = global [1 x ptr] [ptr @three]\n",
            "addresses.ll:10:1: error: @table: ",
        ),
        (
            "@other = alias [3 x i64] (i64), ptr @three\n",
            "addresses.ll:10:1: error: @other: ",
        ),
        (
            "define ptr @pointer() {\n  ret ptr @three\n}\n",
            "addresses.ll:11:3: error: in function @pointer: ",
        ),
        (
            "declare void @take(ptr)\ndefine void @giver() {\n  call void @take(ptr @three)\n  \
             ret void\n}\n",
            "addresses.ll:12:3: error: in function @giver: ",
        ),
    ];
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        for (text, place) in uses {
            fs::write(&file, format!("{called}{three}{text}")).unwrap();
            let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
            let messages = String::from_utf8_lossy(&imported.stderr);
            let is_refused = isa == "x86_64" && !text.is_empty();
            assert_eq!(imported.status.success(), !is_refused, "{isa}: {messages}");
            let told = format!("{place}{refused}");
            assert_eq!(messages.contains(&told), is_refused, "{isa}: {messages}");
        }
    }
}

/// In an array each two floats take one word of ppc64le's arguments (ELFv2): after three and two of
/// them, `%x` is the third word, `%y` the fifth, `%z` the seventh. So the third float of the first
/// array takes a word of its own, and all keep their order.
#[test]
fn arguments_behind_arrays_of_floats_have_their_places_on_ppc64le() {
    let parameters = "[3 x float] %s, i64 %x, double %d, i64 %y, [2 x float] %t, i32 signext %z";
    let text = format!(
        "target triple = \"powerpc64le-unknown-linux-gnu\"\n\
         declare i64 @far([3 x float], i64, double, i64, [2 x float], i32 signext)\n\
         define i64 @near({parameters}) {{\n  %r = call i64 @far({parameters})\n  ret i64 %r\n}}\n"
    );
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("arrays-of-floats.ll");
    fs::write(&file, text).unwrap();
    let arguments = ["import", "--target", "ppc64le", "--text", "-o", "-"];
    let imported = mir(&arguments, &file);
    let text = String::from_utf8(imported.stdout).unwrap();
    for line in [
        ":\tproto\ti64, f:a0, f:a1, i64:a2, f:a3, i64:a4, d:a5, i32:a6, f:a7, f:a8\n",
        "near:\tfunc\ti64, f:%s, f:%s$1, i64:%x, f:%s$2, i64:%y, d:%d, i32:%z, f:%t, f:%t$1\n",
        "far, $1, %s, %s$1, %x, %s$2, %y, %d, %z, %t, %t$1\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

/// Medium IR has no registers for vectors: native functions neither find nor pass one. Within the
/// module such functions are called, by their addresses as well.
#[test]
fn addresses_of_functions_that_take_vectors_are_not_given_to_native_code() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vectors.ll");
    let own = "declare void @take(ptr, i64)
declare i32 @other(<4 x i32>)
@table = global [1 x ptr] [ptr @own]
define i32 @own(<4 x i32> %x) {
  ret i32 1
}
define i32 @through(ptr %f, <4 x i32> %x) {
  %y = call i32 %f(<4 x i32> %x)
  ret i32 %y
}
define i32 @caller(<4 x i32> %x) {
  %y = call i32 @through(ptr @own, <4 x i32> %x)
  ret i32 %y
}
";
    let given = "the address of @own, a function that takes or returns vectors or half floats, for \
                 a function of another module, cannot be expressed in Medium IR";
    let foreign = "the address of @other, a function of another module that takes or returns \
                   vectors or half floats, cannot be expressed in Medium IR";
    let uses = [
        ("", String::new()),
        (
            "define void @giver() {\n  call void @take(ptr @own, i64 1)\n  ret void\n}\n",
            format!("vectors.ll:16:3: error: in function @giver: {given}"),
        ),
        (
            "define ptr @pointer() {\n  ret ptr @other\n}\n",
            format!("vectors.ll:16:3: error: in function @pointer: {foreign}"),
        ),
        (
            "define i32 @giver(<4 x i32> %x) {\n  \
             %y = call i32 @through(ptr @other, <4 x i32> %x)\n  ret i32 %y\n}\n",
            format!("vectors.ll:16:3: error: in function @giver: {foreign}"),
        ),
        (
            "@entry = global ptr @other\n",
            format!("vectors.ll:15:1: error: @entry: {foreign}"),
        ),
    ];
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        for (text, told) in &uses {
            fs::write(&file, format!("{own}{text}")).unwrap();
            let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
            let messages = String::from_utf8_lossy(&imported.stderr);
            assert_eq!(
                imported.status.success(),
                told.is_empty(),
                "{isa}: {messages}"
            );
            assert!(messages.contains(told), "{isa}: {messages}");
        }
    }
}

/// The number of aliases, of which each step of a search that starts anew would be too many.
const ALIASES: usize = 100_000;

/// Each alias is one of the next, so that the last line defines what all of them are.
#[test]
fn chains_of_aliases_may_be_long_and_in_any_order() {
    let directory = tempfile::tempdir().unwrap();
    let (file, imported) = (
        directory.path().join("a.ll"),
        directory.path().join("a.mir"),
    );
    let kinds = [
        ("", "@end = global i64 7\n"),
        (
            "define i32 @take(<2 x i64> %x) {\n  ret i32 1\n}\n",
            "@end = internal alias i32 (<2 x i64>), ptr @take\n",
        ),
    ];
    for (before, end) in kinds {
        let mut text = format!(
            "{before}define ptr @first() {{\n  ret ptr @a0\n}}\n@a0 = internal alias i64, ptr @a1\n"
        );
        for number in 1..ALIASES {
            let next = number + 1;
            let line = format!("@a{number} = internal alias i64, ptr @a{next}\n");
            text.push_str(&line);
        }
        text.push_str(&format!(
            "@a{ALIASES} = internal alias i64, ptr @end\n{end}"
        ));
        fs::write(&file, text).unwrap();
        let to = imported.to_string_lossy();
        let output = mir(&["import", "--target", "x86_64", "-o", &to], &file);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{messages}");
        let found = fs::read_to_string(&imported).unwrap();
        let returned = if before.is_empty() {
            "end"
        } else {
            "take$gate"
        };
        assert!(found.contains(&format!("ret\t{returned}\n")), "{found}");
    }
}

/// A function is a gate because it was made as one, not by its name.
#[test]
fn functions_may_be_named_as_gates() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("gates.ll");
    let three = "define { i64, i64, i64 } @\"f$gate\"(i64 %x) {\n  ret { i64, i64, i64 } zeroinitializer\n}\n";
    let address = "@place = global ptr @\"f$gate\"\n";
    let vector = "define i32 @f(<4 x i32> %x) {\n  ret i32 1\n}\n@own = global ptr @f\n";
    for (text, told) in [
        (
            format!("{three}{address}"),
            Some("the address of @f$gate, a function that returns more in registers than C can"),
        ),
        (format!("{three}{vector}"), None),
        (three.to_owned(), None),
    ] {
        fs::write(&file, &text).unwrap();
        let output = mir(&["import", "--target", "x86_64", "-o", "-"], &file);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.success(),
            told.is_none(),
            "{text}: {messages}"
        );
        assert!(
            told.is_none_or(|told| messages.contains(told)),
            "{messages}"
        );
    }
}

#[test]
fn aliases_of_aliases_of_a_function_are_exported() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let text = "@outer = alias i32 (i32), ptr @inner\n@inner = alias i32 (i32), ptr @f\n\
                define internal i32 @f(i32 %x) {\n  %y = add i32 %x, 2\n  ret i32 %y\n}\n";
    let user = "declare i32 @outer(i32)\ndefine i32 @main() {\n  \
                %x = call i32 @outer(i32 40)\n  ret i32 %x\n}\n";
    fs::write(path("aliases.ll"), text).unwrap();
    fs::write(path("user.ll"), user).unwrap();
    let aliases = path("aliases.ll").to_string_lossy().into_owned();
    let output = mir(&["run", &aliases], &path("user.ll"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(42), "{messages}");
}
