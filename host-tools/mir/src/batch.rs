//! Commands that make one file of each that they are given.

use crate::dependencies::DepfileArg;
use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Result};
use crate::input::{InputArgs, Source};
use crate::output::{OutputArg, to_file};
use crate::threads::{ThreadsArg, in_order};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The files that a command reads, and those that it makes of them.
#[derive(clap::Args)]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    output: OutputArg,
    /// Write to a directory, for each file one of its name with the suffix of what is made
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    out_dir: Option<PathBuf>,
    #[command(flatten)]
    depfile: DepfileArg,
    #[command(flatten)]
    threads: ThreadsArg,
}

/// The form of what is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Text, which a terminal may show.
    Text,
    /// Binary, and the suffix of its files.
    Binary(&'static str),
}

impl Form {
    const fn suffix(self) -> &'static str {
        match self {
            Form::Text => "mir",
            Form::Binary(suffix) => suffix,
        }
    }
}

impl BatchArgs {
    /// True if the output's name is one of text.
    pub(crate) fn is_text(&self) -> bool {
        self.output.is_text()
    }

    /// Writes what `make` returns for each file; it is told the number of threads that it may use.
    /// If a program is wrong, nothing is written, and all that is wrong is reported.
    pub(crate) fn run(
        &self,
        form: Form,
        diagnostics: &Diagnostics,
        make: impl Fn(&Source, usize, &Diagnostics) -> Result<Vec<u8>> + Sync,
    ) -> Result<()> {
        self.run_on(
            self.sources()?,
            self.threads.count(),
            form,
            diagnostics,
            make,
        )
    }

    /// Reads the files.
    pub(crate) fn sources(&self) -> Result<Vec<Source>> {
        self.input.sources().collect()
    }

    /// Does the same for what was read by [`BatchArgs::sources`], on a number of threads: on one in
    /// the order of the files.
    pub(crate) fn run_on(
        &self,
        sources: Vec<Source>,
        threads: usize,
        form: Form,
        diagnostics: &Diagnostics,
        make: impl Fn(&Source, usize, &Diagnostics) -> Result<Vec<u8>> + Sync,
    ) -> Result<()> {
        let targets = self.targets(form.suffix())?;
        let within_each = if sources.len() > 1 { 1 } else { threads };
        let work = |source: Source| {
            let made = Diagnostics::kept(|kept| make(&source, within_each, kept));
            (source, made)
        };
        let (mut all, mut failed) = (Vec::new(), Ok(()));
        in_order(threads, sources, work, |(source, (made, findings))| {
            for finding in &findings {
                diagnostics.report(&source.name, &source.bytes, finding);
            }
            match made {
                Ok(bytes) => all.push((source, bytes)),
                Err(failure) => failed = core::mem::replace(&mut failed, Ok(())).and(Err(failure)),
            }
            Ok(())
        })?;
        failed?;
        if diagnostics.has_denied() {
            return Err(Failure::Program);
        }
        self.write(form, &targets, all)
    }

    /// Returns the names of the files to write; `None` for standard output.
    fn targets(&self, suffix: &str) -> Result<Vec<Option<PathBuf>>> {
        let files = &self.input.files;
        let Some(directory) = &self.out_dir else {
            if files.len() > 1 {
                let message = "of several files several are made; say where with --out-dir DIR";
                return Err(Failure::Usage(message.into()));
            }
            self.depfile.check(self.output.path())?;
            return Ok(vec![self.output.path().map(Path::to_path_buf)]);
        };
        let mut known = HashSet::new();
        let target = |file: &PathBuf| {
            let stem = file.file_stem().filter(|_| file != Path::new("-"));
            let stem = stem.ok_or_else(|| {
                Failure::Usage("--out-dir needs files with names: name the output by -o OUT".into())
            })?;
            let mut name = stem.to_os_string();
            name.push(".");
            name.push(suffix);
            let target = directory.join(name);
            if !known.insert(target.clone()) {
                let target = target.display();
                let message = format!("two of the files would both be made to {target}");
                return Err(Failure::Usage(message));
            }
            Ok(Some(target))
        };
        match files[..] {
            [] => [PathBuf::from("-")].iter().map(target).collect(),
            _ => files.iter().map(target).collect(),
        }
    }

    fn write(
        &self,
        form: Form,
        targets: &[Option<PathBuf>],
        made: Vec<(Source, Vec<u8>)>,
    ) -> Result<()> {
        for (target, (_, bytes)) in targets.iter().zip(&made) {
            match (target, form) {
                (Some(target), _) => to_file(target, bytes)?,
                (None, Form::Text) => self.output.write(bytes)?,
                (None, Form::Binary(_)) => self.output.write_binary(bytes)?,
            }
        }
        let sources: Vec<Source> = made.into_iter().map(|(source, _)| source).collect();
        let rules = targets.iter().zip(sources.chunks(1));
        let rules: Vec<_> = rules
            .map(|(target, source)| (target.as_deref(), source))
            .collect();
        self.depfile.write(&rules)
    }
}
