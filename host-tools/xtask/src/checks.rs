//! Checks of the source: format, lints, documentation, and builds where there is no standard
//! library.

use core::time::Duration;
use std::fs;
use std::path::Path;

use crate::command;
use crate::isa::Isa;
use crate::report::{Counts, add, shortened, verdict};
use crate::setup;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// The most characters of a line that is a comment, which rustfmt leaves as it is.
const LONGEST_COMMENT: usize = 100;

/// Checks the format of the workspace and of the kernels, which are a workspace of their own, and
/// the length of their comments.
pub(crate) fn format() -> Counts {
    let check = ["fmt", "--all", "--check"];
    let formatted = add(cargo(&check, ""), cargo(&check, "qemu-tests"));
    let mut long = Vec::new();
    for folder in ["mir-nostd", "targets", "host-tools", "qemu-tests"] {
        if let Err(error) = find_long_comments(&workspace::root().join(folder), &mut long) {
            long.push(format!("    {folder}: {error}\n"));
        }
    }
    let is_good = usize::from(long.is_empty());
    add(formatted, (is_good, long.len(), long.concat()))
}

/// Lists the comments with too long lines in the sources below a folder.
fn find_long_comments(folder: &Path, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                find_long_comments(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let lines = fs::read_to_string(&path)?;
            let long = (1..)
                .zip(lines.lines())
                .filter(|(_, line)| is_long_comment(line));
            found.extend(long.map(|(number, _)| {
                format!(
                    "    {}:{number}: a line of a comment is too long\n",
                    path.display()
                )
            }));
        }
    }
    Ok(())
}

fn is_long_comment(line: &str) -> bool {
    line.trim_start().starts_with("//") && line.chars().count() > LONGEST_COMMENT
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
    let target = setup::BARE_TARGETS[0].0;
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

/// Runs cargo in a folder of the project.
fn cargo(arguments: &[&str], folder: &str) -> Counts {
    let mut cargo = workspace::cargo();
    cargo.current_dir(workspace::root().join(folder));
    cargo.args(arguments).env("RUSTDOCFLAGS", "-D warnings");
    verdict(&command::run(&mut cargo, LIMIT))
}

/// Checks that the runtime crates compile for targets without a standard library, and without
/// floating-point registers, with and without their default features.
pub(crate) fn bare_builds() -> Counts {
    let mut counts = (0, 0, String::new());
    for (triple, isas) in setup::BARE_TARGETS {
        for features in [&[][..], &["--no-default-features"]] {
            let mut cargo = workspace::cargo();
            cargo
                .args(["check", "--quiet", "--target", triple])
                .args(features);
            cargo.args(["--package", "mir-nostd"]);
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
    use super::is_long_comment;

    #[test]
    fn comments_are_at_most_a_hundred_characters_wide() {
        assert!(!is_long_comment(&format!("    // {}", "x".repeat(93))));
        assert!(is_long_comment(&format!("    // {}", "x".repeat(94))));
        assert!(!is_long_comment(&format!(
            "let text = \"{}\";",
            "x".repeat(94)
        )));
    }
}
