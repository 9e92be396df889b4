//! Diagnostics in the forms that were asked for, and `explain`. What is said of wrong programs is
//! in `tests/diagnostics`.

use super::{HELLO, directory};

const WARNED: &str = "m: module\nmain: func i64\n mov i64:(0), 99999999999999999999\n";

/// A program with a warning: `next` is not placed at the end.
const WITH_WARNING: &str = "m: module
 export nothing
main: func
 ret
 endfunc
 endmodule
";

#[test]
fn a_file_that_is_missing_is_named_in_every_form() {
    let missing = directory("missing").join("nothing.mir");
    let name = missing.display().to_string();
    let told = mir!("", "check", missing);
    assert_eq!(told.status, 2);
    assert!(
        told.err.starts_with(&format!("mir: {name}: ")),
        "{}",
        told.err
    );
    let told = mir!("", "--json", "check", missing);
    let object: serde_json::Value = serde_json::from_str(&told.err).unwrap();
    assert_eq!((told.status, &object["file"]), (2, &name.as_str().into()));
    assert_eq!(object["code"], "E0131");
}

#[test]
fn warnings_are_errors_where_they_are_denied() {
    let allowed = mir!(WITH_WARNING, "check");
    assert_eq!(allowed.status, 0);
    assert!(allowed.err.contains("warning: ") && allowed.err.contains("[W0003]"));
    let text = directory("denied").join("x.bmir");
    for command in [
        &["check"][..],
        &["run"],
        &["asm", "-o", text.to_str().unwrap()],
    ] {
        let words = [&["--deny-warnings"], command].concat();
        let words: Vec<&dyn AsRef<std::ffi::OsStr>> = words
            .iter()
            .map(|word| word as &dyn AsRef<std::ffi::OsStr>)
            .collect();
        let denied = crate::mir_with(WITH_WARNING.as_bytes(), &words, None);
        assert_eq!(denied.status, 1, "{command:?}: {}", denied.err);
        assert!(denied.err.contains("error: ") && denied.err.contains("[W0003]"));
    }
    assert!(!text.exists());
    assert_eq!(mir!(HELLO, "check", "--deny-warnings").status, 0);
}

#[test]
fn sarif_is_one_log_with_rules_places_and_fixes() {
    let program = "m: module
main: func i64
 local i64:count
 mov \"\u{e9}\", coutn
l: mov count, 1
l: ret count
 endfunc
 endmodule
";
    let told = mir!(program, "check", "--format", "sarif");
    assert_eq!(told.status, 1);
    let log: serde_json::Value = serde_json::from_str(&told.err).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules: Vec<_> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    assert_eq!(rules[0]["id"], "E0049");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    assert_eq!(results[0]["ruleId"], "E0049");
    assert_eq!(results[0]["level"], "error");
    // Columns count characters: the string before has one of two bytes.
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    let expected = serde_json::json!({"startLine": 4, "startColumn": 11, "endColumn": 16});
    assert_eq!(region, &expected);
    let fix = &results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(fix["insertedContent"]["text"], "count");
    assert_eq!(fix["deletedRegion"], expected);
    let related = &results[1]["relatedLocations"][0];
    assert_eq!(related["message"]["text"], "first defined here");
    assert_eq!(related["physicalLocation"]["region"]["startLine"], 5);
    // Nothing is wrong: a log without results.
    let told = mir!(HELLO, "check", "--format=sarif");
    let log: serde_json::Value = serde_json::from_str(&told.err).unwrap();
    assert_eq!(
        (told.status, &log["runs"][0]["results"]),
        (0, &serde_json::json!([]))
    );
    // One that is run ends by `exit`.
    let told = mir!(HELLO, "run", "--format=sarif");
    assert!(
        serde_json::from_str::<serde_json::Value>(&told.err).is_ok(),
        "{}",
        told.err
    );
}

#[test]
fn codes_are_explained() {
    let told = mir!("", "explain", "E0012");
    assert_eq!(told.status, 0);
    for part in ["E0012: ", "    main: func", "did you mean `mov`?"] {
        assert!(told.text().contains(part), "{part}: {}", told.text());
    }
    assert_eq!(
        mir!("", "explain", "w3")
            .text()
            .lines()
            .next()
            .unwrap()
            .split(':')
            .next(),
        Some("W0003")
    );
    let both = mir!("", "explain", "3");
    let heads = both.text().lines().filter_map(|line| line.get(..6));
    let heads: Vec<&str> = heads.filter(|it| it.ends_with("0003:")).collect();
    assert_eq!(heads, ["E0003:", "W0003:"]);
    for wrong in ["", "E", "EW3", "E-3", "x3", "é3", "E99999999999"] {
        assert_eq!(mir!("", "explain", wrong).status, 2, "{wrong}");
    }
    let all = mir!("", "explain");
    assert!(all.text().lines().count() > 130);
    let unknown = mir!("", "explain", "E9999");
    assert_eq!((unknown.status, unknown.text()), (2, ""));
    assert!(unknown.err.contains("E9999"));
}

#[test]
fn files_of_other_formats_are_told_by_their_first_bytes() {
    let of = |bytes: &[u8]| mir!(bytes, "check").err;
    assert!(of(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0").contains("ELF object file"));
    assert!(of(b"BC\xC0\xDE\x35\x14").contains("llvm-dis"));
    assert!(of(b"\xCF\xFA\xED\xFE\x07\0").contains("Mach-O"));
    let bitcode = mir!(b"BC\xC0\xDE\x35\x14", "import");
    assert_eq!(bitcode.status, 1);
    assert!(bitcode.err.contains("LLVM bitcode"), "{}", bitcode.err);
    let this = std::env::current_exe().unwrap();
    let told = mir!("", "run", this);
    assert_eq!(
        (told.status, told.err.lines().count()),
        (1, 1),
        "{}",
        told.err
    );
    assert!(told.err.contains("[E0122]"), "{}", told.err);
}

#[test]
fn excerpts_show_all_places() {
    let shown = mir!(
        format!("{WARNED} endmodule\n"),
        "check",
        "--color",
        "always"
    );
    for part in ["W0001", "E0047", "begins here", "main: func i64"] {
        assert!(shown.err.contains(part), "{part}: {}", shown.err);
    }
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
