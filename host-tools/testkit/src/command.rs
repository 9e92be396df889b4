//! The `mir` command under test.

use std::sync::OnceLock;

/// Returns the words that run the command: `built`, the program that cargo built for the tests, or
/// those that `MIR_TEST_COMMAND` has, one a line, when the command was built for another ISA than
/// the tests: an emulator, its options, the program.
pub fn words(built: &str) -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| match std::env::var("MIR_TEST_COMMAND") {
        Ok(words) => words.lines().map(str::to_owned).collect(),
        Err(_) => vec![built.to_owned()],
    })
}

/// True if the command under test was built for this machine.
pub fn is_native() -> bool {
    isa() == target_all::HOST.target().name
}

/// Returns the name of the ISA that the command under test was built for: that in `MIR_TEST_ISA`,
/// or this machine's.
pub fn isa() -> &'static str {
    static ISA: OnceLock<String> = OnceLock::new();
    ISA.get_or_init(|| {
        let given = std::env::var("MIR_TEST_ISA");
        given.unwrap_or_else(|_| target_all::HOST.target().name.to_owned())
    })
}
