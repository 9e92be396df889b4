//! The page that `mir view` writes: a program, what each stage of the compiler makes of it, and the
//! machine code, in one file that needs nothing else.
//!
//! The data is computed here and written as JSON into the page ([`Program::data`]); `page.js` draws
//! what is looked at. An instruction is followed by its number, and between source, stages and
//! machine code by the line that it comes from.

mod frame;
mod function;
mod graph;
mod registers;
mod stages;

use crate::compiled;
use crate::diagnostics::Diagnostics;
use crate::disassembly::Disassembler;
use crate::failure::{Failure, Refusal, Result};
use crate::input::{Source, lossy};
use crate::isa::Isa;
use crate::lines::LineFinder;
use crate::machine_ir::Names;
use crate::object::Options;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use mir_nostd::ir::{Code, FuncId, Module};
use mir_nostd::verify::Verified;
use serde_json::{Value, json};
use stages::Recorder;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;

/// The page without data.
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The most bytes of data that a page has as they are. More is compressed, to about a quarter.
const MOST_PLAIN: usize = 1 << 20;

/// A target and level that the program is shown for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Build {
    pub(crate) isa: Isa,
    pub(crate) options: Options,
}

/// How often instructions ran: for each function, by the number of the instruction, labels counted.
pub(crate) type Profile = BTreeMap<String, BTreeMap<usize, u64>>;

/// A program that is shown.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub(crate) source: &'a Source,
    pub(crate) builds: &'a [Build],
    /// The names of the functions that are shown; all if there is none.
    pub(crate) only: &'a [String],
    pub(crate) profile: Option<&'a Profile>,
    /// True if the page begins with the builds beside each other.
    pub(crate) compares: bool,
}

/// The text that is shown as source, and the finders of lines in it.
struct Text {
    source: Source,
    language: &'static str,
}

/// The functions of a program in the order in which they were met, each with all builds.
#[derive(Default)]
struct Functions {
    /// The place of each, by module and name.
    places: HashMap<(usize, String), usize>,
    shown: Vec<Value>,
}

impl Program<'_> {
    /// Returns the page.
    pub(crate) fn page(&self, diagnostics: &Diagnostics) -> Result<Vec<u8>> {
        let data = self.data(diagnostics)?.to_string();
        let (kind, data) = match data.len() > MOST_PLAIN {
            true => ("application/gzip", compressed(data.as_bytes())),
            // Data in a script ends at what looks like a tag, whatever it is in.
            false => ("application/json", data.replace('<', "\\u003c")),
        };
        let page = PAGE.replace("/*type*/", kind);
        let page = page.replace("/*style*/", STYLE);
        let page = page.replace("<!--title-->", &escaped(&self.source.name));
        let (before, after) = page.split_once("/*data*/").unwrap_or((&page, ""));
        let after = after.replace("/*script*/", SCRIPT);
        Ok([before, &data, &after].concat().into_bytes())
    }

    /// Returns all that the page shows.
    pub(crate) fn data(&self, diagnostics: &Diagnostics) -> Result<Value> {
        let mut functions = Functions::default();
        let mut text = None;
        for (number, build) in self.builds.iter().enumerate() {
            let verified = self.source.verified(build.isa, diagnostics)?;
            let text = text.get_or_insert_with(|| self.text(&verified));
            self.add_build(
                (number, build),
                &verified,
                text,
                &mut functions,
                diagnostics,
            )?;
        }
        if functions.shown.is_empty() {
            return Err(Failure::Usage(self.nothing_to_show()));
        }
        let text = text.map(|text| {
            let lines = lossy(&text.source.bytes);
            let lines: Vec<&str> = lines.lines().collect();
            json!({ "language": text.language, "lines": lines })
        });
        let builds: Vec<_> = { self.builds.iter() }
            .map(|build| json!({ "isa": build.isa.name(), "level": build.options.codegen.level }))
            .collect();
        Ok(json!({
            "name": self.source.name,
            "version": env!("CARGO_PKG_VERSION"),
            "source": text,
            "builds": builds,
            "compares": self.compares,
            "functions": functions.shown,
        }))
    }

    fn nothing_to_show(&self) -> String {
        match self.only {
            [] => format!("{} has no functions", self.source.name),
            only => format!("no function is named {}", only.join(" or ")),
        }
    }

    /// Returns the text that is shown: the file, or what a binary file is as text.
    fn text(&self, verified: &[Verified<'static>]) -> Text {
        if self.source.is_binary() {
            let modules = verified
                .iter()
                .map(|verified| text_of_one(verified.module()));
            let bytes = modules.collect::<Vec<_>>().concat();
            return Text {
                source: Source::new(self.source.name.clone(), bytes),
                language: "Medium IR",
            };
        }
        let language = match self.source.is_text() {
            true => "Medium IR",
            false => "LLVM IR",
        };
        Text {
            source: self.source.again(),
            language,
        }
    }

    /// Adds one build of all functions.
    fn add_build(
        &self,
        (build_number, build): (usize, &Build),
        verified: &[Verified<'static>],
        text: &Text,
        functions: &mut Functions,
        diagnostics: &Diagnostics,
    ) -> Result<()> {
        let disassembler = Disassembler::new(build.isa.target())?;
        let mut names = Names::default();
        for (number, module) in verified.iter().enumerate() {
            names.declare(number, module.module());
        }
        for (number, verified) in verified.iter().enumerate() {
            let module = verified.module();
            let finder = LineFinder::new(&text.source, number, "");
            let mut finder = finder.map(LineFinder::of_text);
            let (mut funcs, mut places) = (Vec::new(), Vec::new());
            for (func, _) in module.funcs() {
                let name = compiled::name(module, func);
                if !self.only.is_empty() && !self.only.contains(&name) {
                    continue;
                }
                let key = (number, name);
                let next = functions.shown.len();
                let place = functions.places.get(&key).copied().unwrap_or(next);
                if place == next {
                    let shown = self.function((module, func), &key.1, finder.as_mut());
                    functions.shown.push(shown);
                    functions.places.insert(key, place);
                }
                places.push(place);
                funcs.push(func);
            }
            let stages = build.options.backend.stages(build.options.codegen.level);
            let recorder = Recorder::new(stages, (number, module), names, finder);
            let made = function::functions(recorder, &funcs, &build.options, &disassembler);
            let (made, again) = made.map_err(Failure::Usage)?;
            names = again;
            for ((&func, place), made) in funcs.iter().zip(places).zip(made) {
                let name = compiled::name(module, func);
                let made = made.or_else(|error| self.refused(&name, error, diagnostics))?;
                functions.shown[place]["builds"][build_number] = made;
            }
        }
        Ok(())
    }

    /// Returns what is shown in place of a function that cannot be compiled. An error of the
    /// compiler itself ends the command.
    fn refused(
        &self,
        name: &str,
        error: mir_nostd::codegen::Error,
        diagnostics: &Diagnostics,
    ) -> Result<Value> {
        let refusal = Refusal::from(error).about(name);
        if refusal.is_internal() {
            return Err(self.source.refuse(refusal, diagnostics));
        }
        Ok(json!({ "error": refusal.message }))
    }

    /// Returns a function without its builds: its name, the lines of its text, and how often they
    /// ran.
    fn function(
        &self,
        (module, func): (&Module<'_>, FuncId),
        name: &str,
        finder: Option<&mut LineFinder>,
    ) -> Value {
        let counts = self.profile.and_then(|profile| profile.get(name));
        let (mut head, mut last) = (0, 0);
        let mut ran: BTreeMap<u32, u64> = BTreeMap::new();
        if let Some(finder) = finder {
            head = finder.head(module, func).number;
            let mut current = None;
            for (number, insn) in module.insns(func).enumerate() {
                // An instruction without a count runs as often as the one before it.
                current = counts.and_then(|counts| counts.get(&number)).or(current);
                let Some(line) = finder.line(module, func, number) else {
                    continue;
                };
                last = last.max(line.number);
                if let (Some(&count), true) = (current, module.code(insn) != Code::Label) {
                    let most = ran.entry(line.number).or_default();
                    *most = count.max(*most);
                }
            }
        }
        let builds = vec![Value::Null; self.builds.len()];
        let ran = counts.map(|_| ran.into_iter().collect::<Vec<_>>());
        json!({ "name": name, "line": head, "end": last, "ran": ran, "builds": builds })
    }
}

/// Returns the text of a module.
fn text_of_one(module: &Module<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = mir_nostd::text::print(module, &mut |piece| {
        bytes.extend_from_slice(piece);
        Ok(())
    });
    bytes
}

/// Returns bytes as gzip has them, in base64.
fn compressed(bytes: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Nothing fails where memory is written to.
    let _ = encoder.write_all(bytes);
    BASE64.encode(encoder.finish().unwrap_or_default())
}

/// Returns text as HTML has it.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;")
}
