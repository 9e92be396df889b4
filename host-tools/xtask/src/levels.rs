//! The code generator without its upper levels: the remaining levels compile to the same bytes as
//! in the whole build.

use core::time::Duration;
use std::fs;

use crate::command;
use crate::isa::Isa;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(15 * 60);

/// The arguments that leave levels out of `mir`, and the highest level that is left.
const BUILDS: [(&[&str], u8); 2] = [
    (&["--no-default-features"], 0),
    (&["--no-default-features", "--features", "level-2"], 2),
];
const PROGRAMS: [&str; 2] = ["examples/sieve.mir", "corpus/csmith/1002.bmir"];

/// Compiles programs for all ISAs at level 3 by each of the builds, and at the highest level of
/// each by the whole `mir`; returns how many were the same and how many not, and the messages.
pub(crate) fn run() -> (usize, usize, String) {
    objects_of_builds().unwrap_or_else(|message| (0, 1, message))
}

fn objects_of_builds() -> Result<(usize, usize, String), String> {
    let mut asked = Vec::new();
    for (features, level) in BUILDS {
        for isa in Isa::all() {
            for program in PROGRAMS {
                asked.push((isa, program, level, object(features, 3, isa, program)?));
            }
        }
    }
    let mut details = String::new();
    let mut failed = 0;
    for (isa, program, level, given) in &asked {
        if *given != object(&[], *level, *isa, program)? {
            failed += 1;
            let isa = isa.name();
            details += &format!("    {program}, {isa}: other code than that of level {level}\n");
        }
    }
    Ok((asked.len() - failed, failed, details))
}

/// Returns the object that the `mir` built with these arguments writes for a program at a level.
fn object(features: &[&str], level: u8, isa: Isa, program: &str) -> Result<Vec<u8>, String> {
    let target = workspace::target();
    let made = target.join("levels.o");
    let mut cargo = workspace::cargo();
    cargo
        .args(["run", "--quiet", "--package", "mir-cli"])
        .args(features);
    if !features.is_empty() {
        // Other suites use the whole command, which lies in the directory of this name.
        cargo.arg("--target-dir").arg(target.join("levels"));
    }
    cargo.args(["--", "obj", "--target", isa.name(), &format!("-O{level}")]);
    let outcome = command::run(cargo.arg(program).arg("-o").arg(&made), LIMIT);
    if !outcome.success {
        return Err(outcome.stderr);
    }
    fs::read(&made).map_err(|error| error.to_string())
}
