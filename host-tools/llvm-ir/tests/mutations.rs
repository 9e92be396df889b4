//! Tests with malformed texts: each yields a module or errors with positions, never a panic, and
//! within the test's time.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use core::time::Duration;
use fastrand::Rng;
use std::time::Instant;
use testkit::readers::alter;

/// Imports a text for each ISA and verifies the module. An error needs a reason, and nothing may
/// panic.
fn import(text: &[u8]) {
    let isas = ["x86_64", "s390x"].map(|name| target_all::backend(name).unwrap().description());
    testkit::readers::llvm_ir(text, &isas);
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = testkit::seeds::llvm_ir();
    let generic = testkit::llvm::files().iter();
    let generic = generic.filter(|(path, _)| path.contains(".gisel-irtranslator."));
    let generic = generic.map(|(_, text)| text.clone());
    seeds.extend(generic.filter(|text| text.len() < 20_000));
    assert!(seeds.len() > 40, "{} texts", seeds.len());
    seeds
}

#[test]
fn changed_texts() {
    let seeds = seeds();
    let mut random = Rng::with_seed(1);
    let (start, mut rounds) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(1) || rounds < 50 {
        let mut text = seeds[random.usize(..seeds.len())].clone();
        for _ in 0..=random.usize(..3) {
            let other = &seeds[random.usize(..seeds.len())];
            alter(&mut text, other, &mut random);
        }
        import(&text);
        rounds += 1;
    }
}

#[test]
fn texts_that_ask_for_too_much() {
    let depth = 100_000;
    let deep_type = format!(
        "@a = global {}i8{} zeroinitializer",
        "[1 x ".repeat(depth),
        "]".repeat(depth)
    );
    let mut chain = String::new();
    for number in 0..20_000 {
        chain += &format!("%t{number} = type {{ %t{}, i8 }}\n", number + 1);
    }
    chain += "%t20000 = type { i8 }\n@x = global %t0 zeroinitializer\ndefine %t0 @f(%t0 %a) {\n  ret %t0 %a\n}\n";
    let mut wide = String::from("%t0 = type { i8 }\n");
    for number in 1..80 {
        wide += &format!("%t{number} = type {{ %t{0}, %t{0} }}\n", number - 1);
    }
    wide +=
        "@x = global %t79 zeroinitializer\n@y = global %t20 { %t19 zeroinitializer, %t19 undef }\n";
    let large = "@x = global [1099511627776 x i8] zeroinitializer\n\
        @y = global { [1073741824 x i8], i8 } { [1073741824 x i8] zeroinitializer, i8 1 }\n";
    let values =
        "define [1000000000 x {}] @f([1000000000 x {}] %a) {\n  ret [1000000000 x {}] %a\n}\n";
    for text in [&deep_type, &chain, &wide, large, values] {
        import(text.as_bytes());
    }
}
