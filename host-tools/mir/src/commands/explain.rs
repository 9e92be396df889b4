//! `mir explain`: what the code of a diagnostic means.

use crate::codes::{Code, sections};
use crate::failure::{Failure, Result};
use crate::output::to_standard_output;

/// Explain the code of an error or warning, with an example
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir explain E0012
  mir explain")]
pub(crate) struct Args {
    /// The code, as in the brackets after a diagnostic; all codes are listed if none is given
    code: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let text = match &args.code {
        Some(code) => explanation(code)?,
        None => sections()
            .map(|section| format!("{}: {}\n", section.code, section.title))
            .collect(),
    };
    to_standard_output(text.as_bytes())
}

/// Returns the section on a code as plain text: examples are indented.
fn explanation(code: &str) -> Result<String> {
    let section = Code::from_text(code).and_then(Code::section);
    let unknown = || {
        let problem = "there is no such code; `mir explain` lists all";
        Failure::Usage(format!("{code}: {problem}"))
    };
    let section = section.ok_or_else(unknown)?;
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
    Ok(text)
}
