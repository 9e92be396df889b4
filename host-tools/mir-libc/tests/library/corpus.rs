//! Every program of `corpus/` for this ISA prints exactly its output.

use std::fs;
use std::path::{Path, PathBuf};

use crate::runner::{Caller, Library, function, linked, of_binary, output};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn check(file: &Path) {
    let isa = target_all::HOST.target().name;
    let stem = file.file_stem().unwrap().to_string_lossy();
    let expected = corpus().join("expected");
    let wanted = fs::read(expected.join(isa).join(format!("{stem}.txt")))
        .or_else(|_| fs::read(expected.join(format!("{stem}.txt"))))
        .unwrap();
    let bytes = fs::read(file).unwrap();
    for compiled in [false, true] {
        let context = linked(of_binary(&bytes), Library::Ours);
        let mut caller = match compiled {
            false => Caller::interpreter(&context),
            true => Caller::compiled(&context),
        };
        let status = caller.call(function(&context, "main"), &[]);
        let printed = output();
        let way = if compiled { "compiled" } else { "interpreted" };
        assert!(
            printed == wanted,
            "{stem}, {way}: {}",
            String::from_utf8_lossy(&printed)
        );
        assert_eq!(status.unwrap().i64(), 0, "{stem}, {way}");
    }
}

#[test]
fn programs_print_their_output() {
    let directory = corpus().join("bmir").join(target_all::HOST.target().name);
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let file = entry.unwrap().path();
        if file
            .extension()
            .is_some_and(|extension| extension == "bmir")
        {
            check(&file);
            count += 1;
        }
    }
    assert!(count >= 35, "{count} programs");
}
