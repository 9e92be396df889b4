//! Helpers that the tests of the command share.

use std::sync::OnceLock;

/// Returns the words that run the command under test. `MIR_TEST_COMMAND` has them, one a line, when
/// the command was built for another ISA than these tests: an emulator, its options, the program.
pub(crate) fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| match std::env::var("MIR_TEST_COMMAND") {
        Ok(words) => words.lines().map(str::to_owned).collect(),
        Err(_) => vec![env!("CARGO_BIN_EXE_mir").to_owned()],
    })
}

/// Returns the name of the ISA that the command under test was built for: that in `MIR_TEST_ISA`,
/// or this machine's.
#[allow(dead_code, reason = "each test program has a copy of this module")]
pub(crate) fn isa() -> &'static str {
    static ISA: OnceLock<String> = OnceLock::new();
    ISA.get_or_init(|| match std::env::var("MIR_TEST_ISA") {
        Ok(isa) => isa,
        Err(_) if cfg!(target_arch = "powerpc64") => "ppc64le".to_owned(),
        Err(_) => std::env::consts::ARCH.to_owned(),
    })
}
