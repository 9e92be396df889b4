//! `mir embed`: a program as an array in the source of another that carries it.

use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::{InputArg, binary_of};
use crate::isa::TargetArg;
use crate::output::OutputArg;
use clap::ValueEnum;
use core::fmt::Write;
use mir_nostd::verify::Verified;

/// Write a program as an array in Rust or C
///
/// Text and LLVM IR are checked and turned into binary, which loads without the feature `text`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir embed program.mir -o program.rs
  mir embed --lang c --name firmware program.bmir -o firmware.c
  mir embed --text program.mir -o program.rs")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    /// The language of the array
    #[arg(long, value_enum, default_value = "rust")]
    lang: Language,
    /// The name of the array
    #[arg(long, default_value = "program", value_parser = identifier)]
    name: String,
    /// Keep text as it is: the bytes are those of the file
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    target: TargetArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum Language {
    /// `pub static PROGRAM: [u8; N]`
    Rust,
    /// `const unsigned char program[]` and `const unsigned long program_len`
    C,
}

fn identifier(name: &str) -> core::result::Result<String, String> {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(in_word) && name.starts_with(|c: char| !c.is_ascii_digit()) {
        Ok(name.into())
    } else {
        Err("a name is letters, digits and `_`, and does not begin with a digit".into())
    }
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let source = args.input.source()?;
    let bytes = if args.text || source.is_binary() {
        source.bytes
    } else {
        let isa = args.target.isa();
        let verified = source.verified(isa, diagnostics)?;
        let modules: Vec<_> = verified.into_iter().map(Verified::into_module).collect();
        binary_of(&modules, isa)?
    };
    args.output
        .write(array(args.lang, &args.name, &bytes).as_bytes())
}

fn array(lang: Language, name: &str, bytes: &[u8]) -> String {
    let rows = bytes.chunks(20).map(|row| {
        let values: Vec<_> = row.iter().map(u8::to_string).collect();
        format!("    {},\n", values.join(", "))
    });
    let rows: String = rows.collect();
    let (count, mut text) = (bytes.len(), String::new());
    let _ = match lang {
        Language::Rust => {
            let name = name.to_uppercase();
            write!(
                text,
                "/// A program in Medium IR.\n#[rustfmt::skip]\npub static {name}: [u8; {count}] = [\n{rows}];\n"
            )
        }
        // An array in C has at least one element.
        Language::C => write!(
            text,
            "/* A program in Medium IR. */\nextern const unsigned char {name}[];\nextern const unsigned long {name}_len;\n\
const unsigned char {name}[] = {{\n{rows}{}}};\nconst unsigned long {name}_len = {count};\n",
            if count == 0 { "    0\n" } else { "" }
        ),
    };
    text
}
