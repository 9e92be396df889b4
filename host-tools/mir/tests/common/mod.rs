//! Helpers that the tests of the command share.

use std::process::Command;
use std::sync::OnceLock;

/// Returns the words that run the command: itself, or the emulator before it where the system
/// cannot run it.
pub(crate) fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mir = env!("CARGO_BIN_EXE_mir").to_owned();
        let version = Command::new(&mir).arg("--version").output();
        if version.is_ok_and(|version| version.status.success()) {
            return vec![mir];
        }
        let (qemu, gnu) = match std::env::consts::ARCH {
            "powerpc64" => ("ppc64le", "powerpc64le"),
            arch => (arch, arch),
        };
        let root = format!("/usr/{gnu}-linux-gnu");
        vec![format!("qemu-{qemu}-static"), "-L".into(), root, mir]
    })
}
