//! The options for build systems: `--depfile`, and words of the command line from a file.

use crate::failure::{Failure, Result};
use crate::input::Source;
use crate::output::{OutputArg, to_file};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// `--depfile`.
#[derive(clap::Args)]
pub(crate) struct DepfileArg {
    /// Write to a file, in the form of make and ninja, which files the output was made from
    #[arg(long, value_name = "FILE", requires = "output")]
    depfile: Option<PathBuf>,
}

impl DepfileArg {
    /// Writes the file, if one is asked for: a rule without a recipe. Standard input is no file.
    pub(crate) fn write<'a>(
        &self,
        output: &OutputArg,
        sources: impl Iterator<Item = &'a Source>,
    ) -> Result<()> {
        let Some(file) = &self.depfile else {
            return Ok(());
        };
        let Some(target) = output.path() else {
            let message = "--depfile needs the name of the output: -o OUT";
            return Err(Failure::Usage(message.into()));
        };
        let mut rule = escaped(target.as_os_str().as_bytes());
        rule.push(b':');
        for source in sources.filter(|source| !source.is_standard_input()) {
            rule.push(b' ');
            rule.extend(escaped(source.name.as_bytes()));
        }
        rule.push(b'\n');
        to_file(file, &rule)
    }
}

/// Returns a name as make reads it in a rule.
fn escaped(name: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b' ' | b'#' => bytes.push(b'\\'),
            b'$' => bytes.push(b'$'),
            _ => {}
        }
        bytes.push(byte);
    }
    bytes
}

/// Returns the words of the command line with those of a file, in the quotes of a shell, in the
/// place of each `@FILE`, up to `--`. A word that names no file that can be read stays.
pub(crate) fn with_words_of_files(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let (mut all, mut is_over) = (Vec::new(), false);
    for word in words {
        is_over |= word == "--";
        match of_file(&word).filter(|_| !is_over) {
            Some(words) => all.extend(words.into_iter().map(OsString::from_vec)),
            None => all.push(word),
        }
    }
    all
}

/// Returns the words of the file that a word names.
fn of_file(word: &OsString) -> Option<Vec<Vec<u8>>> {
    let file = word.as_bytes().strip_prefix(b"@")?;
    let bytes = std::fs::read(OsString::from_vec(file.to_vec())).ok()?;
    shlex::bytes::split(&bytes)
}
