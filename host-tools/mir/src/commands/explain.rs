//! `mir explain`: what the code of a diagnostic means.

use crate::codes::{Code, Section, sections};
use crate::failure::{Failure, Result};
use crate::output::to_standard_output;

/// Explain the code of an error or warning, with an example
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir explain E0012
  mir explain")]
pub(crate) struct Args {
    /// The code, as in the brackets after a diagnostic, or its number; all are listed if none is
    /// given
    code: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let text = match &args.code {
        Some(code) => explanations(code)?,
        None => sections()
            .map(|section| format!("{}: {}\n", section.code, section.title))
            .collect(),
    };
    to_standard_output(text.as_bytes())
}

/// Returns the sections on the codes that a word stands for: a number alone is that of an error and
/// of a warning.
fn explanations(word: &str) -> Result<String> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let codes = match is_number {
        true => vec![format!("E{word}"), format!("W{word}")],
        false => vec![word.to_owned()],
    };
    let found: Vec<String> = (codes.iter())
        .filter_map(|code| Code::from_text(code)?.section().map(explanation))
        .collect();
    if found.is_empty() {
        let problem = "there is no such code; `mir explain` lists all";
        return Err(Failure::Usage(format!("{word}: {problem}")));
    }
    Ok(found.join("\n"))
}

/// Returns a section as plain text: examples are indented.
fn explanation(section: Section) -> String {
    let mut text = format!("{}: {}\n\n", section.code, section.title);
    let mut is_example = false;
    for line in section.text.lines() {
        if line.starts_with("```") {
            is_example = !is_example;
        } else if is_example {
            text += &format!("    {line}\n");
        } else {
            text += &format!("{line}\n");
        }
    }
    text
}
