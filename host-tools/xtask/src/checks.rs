//! Checks of the source: format, lints, documentation, and builds where there is no standard
//! library.

use core::time::Duration;

use crate::command;
use crate::isa::Isa;
use crate::report::{Counts, add, shortened, verdict};
use crate::setup;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Checks the format of the workspace and of the kernels, which are a workspace of their own.
pub(crate) fn format() -> Counts {
    let check = ["fmt", "--all", "--check"];
    add(cargo(&check, ""), cargo(&check, "qemu-tests"))
}

/// Runs clippy on the workspace and on the kernels; a warning is a failure.
pub(crate) fn lints() -> Counts {
    let all = [
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    let target = setup::BARE_TARGETS[0].triple;
    let kernels = [
        "clippy",
        "--quiet",
        "--release",
        "--target",
        target,
        "--",
        "-D",
        "warnings",
    ];
    add(cargo(&all, ""), cargo(&kernels, "qemu-tests"))
}

/// Builds the documentation of the workspace; a warning is a failure.
pub(crate) fn docs() -> Counts {
    cargo(&["doc", "--quiet", "--workspace", "--no-deps"], "")
}

/// The crates that others need, each after those that it needs itself.
const PUBLISHED: [&str; 13] = [
    "mir-nostd",
    "mir-image",
    "target-x86_64",
    "target-aarch64",
    "target-ppc64le",
    "target-riscv64",
    "target-s390x",
    "target-all",
    "mir-host",
    "llvm-mir",
    "mir-llvm-ir",
    "mir-libc",
    "mir-cli",
];

/// Packages the crates that others need, together: as they are not on the registry yet, each finds
/// those before it among the packages.
pub(crate) fn packages() -> Counts {
    let mut arguments = vec!["package", "--quiet", "--allow-dirty", "--no-verify"];
    arguments.extend(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    cargo(&arguments, "")
}

/// Runs cargo in a folder of the project.
fn cargo(arguments: &[&str], folder: &str) -> Counts {
    let mut cargo = workspace::cargo();
    cargo.current_dir(workspace::root().join(folder));
    cargo.args(arguments).env("RUSTDOCFLAGS", "-D warnings");
    verdict(&command::run(&mut cargo, LIMIT))
}

/// Checks that the runtime crates compile for targets without a standard library, and without
/// floating-point registers.
pub(crate) fn bare_builds() -> Counts {
    let mut counts = (0, 0, String::new());
    for setup::BareTarget {
        triple,
        isas,
        features,
    } in &setup::BARE_TARGETS
    {
        for features in *features {
            let mut cargo = workspace::cargo();
            cargo
                .args(["check", "--quiet", "--target", triple])
                .args(*features);
            cargo.args(["--package", "mir-nostd", "--package", "mir-image"]);
            for isa in Isa::all().filter(|isa| isas.is_empty() || isas.contains(&isa.name())) {
                cargo.arg("--package").arg(format!("target-{}", isa.name()));
            }
            let outcome = command::run(&mut cargo, LIMIT);
            let is_good = usize::from(outcome.success);
            let said = if outcome.success {
                String::new()
            } else {
                shortened(&outcome)
            };
            counts = add(counts, (is_good, 1 - is_good, said));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::PUBLISHED;
    use crate::workspace;
    use std::collections::BTreeSet;

    /// A crate that is not meant for others says so, so that none is published by mistake.
    #[test]
    fn only_crates_that_others_need_can_be_published() {
        let mut manifests = workspace::tests::files(&workspace::root());
        manifests.retain(|path| path.ends_with("Cargo.toml"));
        assert!(manifests.len() > 30, "{manifests:?}");
        let mut published = BTreeSet::new();
        for manifest in manifests {
            let text = std::fs::read_to_string(manifest).expect("a manifest");
            let line = |start: &str| text.lines().find(|line| line.starts_with(start));
            if line("[package]").is_some() && line("publish = false").is_none() {
                let name = line("name = ")
                    .expect("a name")
                    .trim_start_matches("name = ");
                published.insert(name.trim_matches('"').to_owned());
            }
        }
        assert_eq!(published, PUBLISHED.map(String::from).into());
    }
}
