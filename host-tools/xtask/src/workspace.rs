//! The paths of the project: its root and cargo's target directory.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::isa::Isa;

/// The profile of programs that suites run: quick to build, quick to run.
pub(crate) const SUITE_PROFILE: &str = "suite";

/// The selection of what suites build. It is the same everywhere: which packages are selected
/// decides with which features their dependencies are built, and other features are another build.
pub(crate) const MEMBERS: [&str; 5] = [
    "--workspace",
    "--exclude",
    "xtask",
    "--features",
    "mir-image/ed25519",
];

/// The features of the workspace without the subcommands of `mir` that look at programs: the
/// libraries that those need take longer to build than to show on each emulated ISA.
const WITHOUT_TOOLS: [&str; 3] = [
    "--no-default-features",
    "--features",
    "mir-nostd/default,mir-cli/level-3",
];

/// Returns cargo's arguments for the features that suites build for an ISA. They are the same in
/// all suites, as the packages are.
pub(crate) fn features(isa: Isa) -> &'static [&'static str] {
    if isa.is_host() { &[] } else { &WITHOUT_TOOLS }
}

/// The settings of cargo for a build that is neither optimised nor has lines for a debugger.
const UNOPTIMISED: [&str; 7] = [
    "profile.dev.debug=false",
    "profile.dev.package.mir-nostd.opt-level=0",
    "profile.dev.package.target-x86_64.opt-level=0",
    "profile.dev.package.target-aarch64.opt-level=0",
    "profile.dev.package.target-ppc64le.opt-level=0",
    "profile.dev.package.target-riscv64.opt-level=0",
    "profile.dev.package.target-s390x.opt-level=0",
];

/// Has cargo build what is compiled in the profile `dev` without optimisation: what runs for a few
/// seconds does not pay for it.
pub(crate) fn unoptimised(cargo: &mut Command) {
    for setting in UNOPTIMISED {
        cargo.args(["--config", setting]);
    }
}

/// Returns the project's root directory.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest
        .ancestors()
        .nth(2)
        .unwrap_or(manifest)
        .to_path_buf()
}

/// Returns cargo's target directory: this program was built into it.
pub(crate) fn target() -> PathBuf {
    let built_in = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.parent()?.to_path_buf()));
    built_in.unwrap_or_else(|| root().join("target"))
}

/// Returns a cargo command that works in the project's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns the files in a folder, but for what cargo builds.
    pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let found = entries.map(|entry| entry.path()).flat_map(|path| {
            let name = path.file_name().unwrap_or_default();
            let is_other = name == "target" || name.as_encoded_bytes().starts_with(b".");
            match path.is_dir() && !path.is_symlink() {
                true if is_other => Vec::new(),
                true => files(&path),
                false => vec![path],
            }
        });
        found.collect()
    }

    /// Crates that need one file depend on a crate that has it.
    #[test]
    fn no_file_is_a_module_of_two_crates() {
        let attribute = ["#[", "path"].concat();
        let mut sources = files(&super::root());
        sources.retain(|path| path.extension().is_some_and(|it| it == "rs"));
        assert!(sources.len() > 500, "{}", sources.len());
        let text = |file: &Path| fs::read_to_string(file).expect("a file in UTF-8");
        let shared = sources.iter().find(|file| text(file).contains(&attribute));
        assert_eq!(shared, None);
    }
}
