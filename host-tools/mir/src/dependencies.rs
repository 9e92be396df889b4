//! The options for build systems: `--depfile`, and words of the command line from a file.

use crate::failure::{Failure, Result};
use crate::input::Source;
use crate::output::to_file;
use crate::request;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// `--depfile`.
#[derive(clap::Args)]
pub(crate) struct DepfileArg {
    /// Write to a file, in the form of make and ninja, which files the output was made from
    #[arg(long, value_name = "FILE")]
    depfile: Option<PathBuf>,
}

impl DepfileArg {
    /// Makes sure that an output that is to have a rule has a name.
    pub(crate) fn check(&self, output: Option<&Path>) -> Result<()> {
        if self.depfile.is_some() && output.is_none() {
            let message = "--depfile needs the name of the output: -o OUT";
            return Err(Failure::Usage(message.into()));
        }
        Ok(())
    }

    /// Writes the file, if one is asked for: for each output a rule without a recipe. Standard
    /// input is no file.
    pub(crate) fn write(&self, rules: &[(Option<&Path>, &[Source])]) -> Result<()> {
        let Some(file) = &self.depfile else {
            return Ok(());
        };
        let mut text = Vec::new();
        for (target, sources) in rules {
            let target = target.unwrap_or(Path::new("-"));
            text.extend(escaped(target.as_os_str().as_bytes()));
            text.push(b':');
            for source in sources.iter().filter(|source| !source.is_standard_input()) {
                text.push(b' ');
                text.extend(escaped(source.name.as_bytes()));
            }
            text.push(b'\n');
        }
        to_file(file, &text)
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
    let file = PathBuf::from(OsString::from_vec(file.to_vec()));
    let bytes = std::fs::read(request::path(&file)).ok()?;
    shlex::bytes::split(&bytes)
}
