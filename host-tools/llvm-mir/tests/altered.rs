//! Runs the body of the fuzz target for a second, over altered files of the corpus.

use core::time::Duration;
use fastrand::Rng;
use std::time::Instant;
use testkit::readers::{alter, machine_ir};

#[test]
fn altered_files_give_a_result_or_an_error() {
    let small = testkit::llvm::files()
        .iter()
        .filter(|(name, text)| name.ends_with(".mir") && text.len() < 12_000);
    let seeds: Vec<&Vec<u8>> = small.map(|(_, text)| text).collect();
    assert!(seeds.len() > 50);
    let mut random = Rng::with_seed(1);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        let mut bytes = seeds[random.usize(..seeds.len())].clone();
        alter(&mut bytes, seeds[random.usize(..seeds.len())], &mut random);
        machine_ir(&bytes);
    }
}

#[test]
fn a_block_within_a_comment_is_no_block() {
    let text = "---\nname: f\nbody: |\n  bb.0:\n    $rax = LEA64r $rip, 1, $noreg, %bb.1, $noreg\n    \
                RET64 /* a comment\n\n  bb.1:\n    RET64 */\n...\n";
    let open = text.replace("*/", "");
    for text in [text, &open] {
        let text = format!(
            "--- |\n  target triple = \"x86_64-unknown-linux-gnu\"\n  define void @f() {{\n    unreachable\n  }}\n...\n{text}"
        );
        let read = llvm_mir::read(text.as_bytes(), &llvm_mir::ReadOptions::default());
        let error = read.err().unwrap();
        assert!(error.message.contains("within a comment"), "{error:?}");
    }
}
