//! The `mir` command: runs, checks and converts programs in Medium IR.
//!
//! Exit status: the program's own for `run`; 1 if a program is wrong; 2 if the command line is, or
//! a file cannot be read or written.
#![cfg_attr(
    not(feature = "tools"),
    expect(dead_code, reason = "only tools call it")
)]

mod arguments;
mod batch;
mod codes;
mod commands;
mod compiled;
mod confined;
mod counts;
mod crash;
mod debug;
mod dependencies;
mod diagnostics;
#[cfg(feature = "tools")]
mod disassembly;
mod execution;
mod failure;
mod findings;
mod formats;
mod host;
mod image;
mod input;
mod interpret;
mod isa;
mod jitdump;
mod layout;
mod lines;
#[cfg(feature = "tools")]
mod lsp;
mod machine_ir;
mod memory;
mod object;
mod outline;
mod output;
mod partial;
mod profile;
mod program;
mod progress;
mod recorder;
mod records;
mod request;
mod sarif;
mod signals;
mod signatures;
mod source_map;
mod stop;
mod suggest;
mod threads;
mod times;
mod unwind;
mod variables;
#[cfg(feature = "tools")]
mod view;
mod violations;
mod wording;
mod worker;

pub use image::{Confinable, Declaration, Mapping, confined_image, runtime_reason};
pub use machine_ir::continue_stages;

use clap::{Args, ColorChoice, FromArgMatches, Parser, Subcommand};
use diagnostics::{Diagnostics, Format, Warnings};
use failure::Failure;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs, checks and converts programs in MIR (Medium IR), as text or binary.
///
/// Files are told apart by their content. Where a file is asked for, `-` or nothing means standard
/// input; `@FILE` stands for the words in a file.
#[derive(Parser)]
#[command(name = "mir", version, propagate_version = true, after_help = EXIT_STATUS)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

// The options of all commands. (A documentation comment would become part of the help.)
#[derive(Args)]
struct Options {
    /// The same as --format json
    #[arg(long, global = true, conflicts_with = "format")]
    json: bool,
    /// The form of diagnostics (docs/command.md)
    #[arg(long, global = true, value_name = "FORM", default_value = "text")]
    format: Format,
    /// Refuse programs that have warnings
    #[arg(long, global = true)]
    deny_warnings: bool,
    /// Colour in diagnostics
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// Serve a build system: read requests from standard input, each with the words of a command,
    /// as Bazel sends them (JSON); the words beside this option begin each command
    #[arg(long = "persistent_worker")]
    _persistent_worker: bool,
}

const EXIT_STATUS: &str = "Exit status: the program's own for `run`; 1 if a program is wrong; 2 if the command line is, \
or a file cannot be read or written; 3 if the compiler itself is.";

/// Defines the commands, each by the module that has its arguments and its name.
macro_rules! commands {
    ($($(#[$attribute:meta])* $variant:ident $module:ident;)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])* $variant(commands::$module::Args),)*
        }

        /// Adds the commands, each of which gets its arguments when it is named.
        fn add_commands(mut cli: clap::Command) -> clap::Command {
            $(
                $(#[$attribute])*
                {
                    let command = clap::Command::new(stringify!($module));
                    cli = cli.subcommand(command.defer(commands::$module::Args::augment_args));
                }
            )*
            cli
        }
    };
}

commands! {
    Run run;
    Check check;
    Asm asm;
    Dis dis;
    Fmt fmt;
    #[cfg(feature = "tools")]
    Lsp lsp;
    Stats stats;
    Embed embed;
    Import import;
    Machine machine;
    Llvm llvm;
    Obj obj;
    Image image;
    #[cfg(feature = "tools")]
    Disasm disasm;
    Explain explain;
    Completions completions;
    #[cfg(feature = "tools")]
    Man man;
    #[cfg(feature = "tools")]
    View view;
}

impl Cli {
    /// Parses a command line. Where it is right, only the command that it names is defined, which
    /// makes a short run take a fifth less time; help and errors are those of all commands.
    fn parse_words(words: &[OsString]) -> Result<Cli, clap::Error> {
        let cli = clap::Command::new("mir")
            .version(env!("CARGO_PKG_VERSION"))
            .propagate_version(true);
        let cli = add_commands(Options::augment_args(cli));
        let matches = cli.try_get_matches_from(words);
        let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
        parsed.or_else(|_| Cli::try_parse_from(words))
    }

    /// True if one log at the end of the process says all that there is to say.
    fn is_sarif(&self) -> bool {
        self.options.format == Format::Sarif
    }

    fn diagnostics(&self) -> Diagnostics {
        let format = match self.options.json {
            true => Format::Json,
            false => self.options.format,
        };
        let warnings = match self.options.deny_warnings {
            true => Warnings::Denied,
            false => Warnings::Allowed,
        };
        Diagnostics::new(format, self.options.color, warnings)
    }
}

/// Shows help, the version, or what is wrong with the command line.
fn show(answer: &clap::Error) -> failure::Result<()> {
    let shown = match request::say(&answer.render().to_string()) {
        true => Ok(()),
        false => answer.print().and_then(|()| std::io::stdout().flush()),
    };
    match shown {
        // Those who cannot be told what is wrong with the command line still get the exit status.
        _ if answer.use_stderr() => Err(Failure::CommandLine),
        shown => shown.map_err(|error| Failure::standard_output(&error)),
    }
}

/// Runs the command: its words are this process's.
pub fn main() -> ExitCode {
    host::die_of_broken_pipes();
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(words) = worker::words_of_each(&words) {
        return worker::serve(&words);
    }
    let status = obey(words, |_| Ok(()));
    sarif::finish();
    ExitCode::from(status)
}

/// Obeys a command line, if it passes a check; returns the exit status.
fn obey(words: Vec<OsString>, check: impl FnOnce(&Cli) -> failure::Result<()>) -> u8 {
    let words = dependencies::with_words_of_files(words.into_iter());
    let words = commands::llvm::with_two_dashes(words.into_iter());
    let words: Vec<OsString> = words.into_iter().collect();
    match Cli::parse_words(&words) {
        Ok(cli) => match check(&cli) {
            Ok(()) => {
                let diagnostics = cli.diagnostics();
                status(run(cli.command, &diagnostics), &diagnostics)
            }
            refused => status(refused, &Diagnostics::default()),
        },
        Err(answer) => status(show(&answer), &Diagnostics::default()),
    }
}

fn run(command: Command, diagnostics: &Diagnostics) -> failure::Result<()> {
    match command {
        Command::Run(args) => commands::run::run(args, diagnostics),
        Command::Check(args) => commands::check::run(&args, diagnostics),
        Command::Asm(args) => commands::asm::run(&args, diagnostics),
        Command::Dis(args) => commands::dis::run(&args, diagnostics),
        Command::Fmt(args) => commands::fmt::run(&args, diagnostics),
        #[cfg(feature = "tools")]
        Command::Lsp(args) => commands::lsp::run(&args),
        Command::Stats(args) => commands::stats::run(&args, diagnostics),
        Command::Embed(args) => commands::embed::run(&args, diagnostics),
        Command::Import(args) => commands::import::run(&args, diagnostics),
        Command::Machine(args) => commands::machine::run(&args, diagnostics),
        Command::Llvm(args) => commands::llvm::run(&args, diagnostics),
        #[cfg(feature = "tools")]
        Command::Disasm(args) => commands::disasm::run(&args, diagnostics),
        Command::Obj(args) => commands::obj::run(&args, diagnostics),
        Command::Image(args) => commands::image::run(&args, diagnostics),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        #[cfg(feature = "tools")]
        Command::Man(args) => commands::man::run(&args),
        #[cfg(feature = "tools")]
        Command::View(args) => commands::view::run(&args, diagnostics),
    }
}

/// Returns the exit status, after saying why a command failed if nothing has said so yet.
fn status(done: failure::Result<()>, diagnostics: &Diagnostics) -> u8 {
    match done {
        Ok(()) => 0,
        Err(Failure::Program) => 1,
        Err(Failure::Internal) => failure::INTERNAL_ERROR,
        Err(Failure::Usage(message)) => {
            diagnostics.usage(&message);
            failure::WRONG_COMMAND
        }
        Err(Failure::File { name, problem }) => {
            diagnostics.file(&name, &problem);
            failure::WRONG_COMMAND
        }
        Err(Failure::CommandLine) => failure::WRONG_COMMAND,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Source;
    use crate::isa::Isa;
    use mir_nostd::verify::Verified;

    /// A program for `x86_64`, which names a register that aarch64 does not have.
    const PROGRAM: &str = "m:\tmodule\n\texport\tf\nf:\tfunc\ti64\n\tglobal\ti64:a:rbx\n\tret\ta\n\tendfunc\n\tendmodule\n";

    #[test]
    fn commands_have_the_same_names_before_they_are_named() {
        let names = |cli: &clap::Command| -> Vec<String> {
            let commands = cli.get_subcommands();
            commands.map(|one| one.get_name().to_owned()).collect()
        };
        let few = add_commands(clap::Command::new("mir"));
        assert_eq!(
            names(&few),
            names(&<Cli as clap::CommandFactory>::command())
        );
    }

    /// Ends a command that works for aarch64 on code that was verified for `x86_64`: the compiler
    /// meets what cannot be.
    fn end(command: &[&str]) -> failure::Result<()> {
        let diagnostics = Diagnostics::default();
        let source = Source::new("program", PROGRAM.into());
        let mut isas = Isa::all();
        let isa = isas.find(|isa| isa.name() == "x86_64").expect("an ISA");
        let verified: Vec<Verified<'static>> =
            source.verified(isa, &diagnostics).expect("the program");
        let words = [&["mir", "--json"], command, &["--target=aarch64"]].concat();
        match Cli::parse_from(words).command {
            Command::Obj(args) => {
                commands::obj::make(&args, &source, &verified, 2, &diagnostics).map(drop)
            }
            #[cfg(feature = "tools")]
            Command::Disasm(args) => {
                commands::disasm::list(&args, &source, &verified, &diagnostics)
            }
            Command::Machine(args) => {
                commands::machine::print(&args, &source, &verified, &diagnostics)
            }
            _ => Ok(()),
        }
    }

    #[test]
    fn errors_of_the_compiler_itself_have_a_status_of_their_own() {
        let commands: &[&[&str]] = &[
            &["obj"],
            #[cfg(feature = "tools")]
            &["disasm", "-O0"],
            &["machine"],
            // Nothing leaves out what is wrong in the compiler.
            &[
                "machine",
                "--generic",
                "--skip-unsupported",
                "--stop-after=translate",
            ],
            &["obj", "-O3"],
        ];
        for &command in commands {
            let ended = end(command);
            assert!(
                matches!(ended, Err(Failure::Internal)),
                "{command:?}: {ended:?}"
            );
        }
        let diagnostics = Diagnostics::default();
        let status = status(Err(Failure::Internal), &diagnostics);
        assert_eq!(status, 3);
    }
}
