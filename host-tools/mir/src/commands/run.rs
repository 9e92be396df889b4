//! `mir run`: runs a program.

use super::on::{On, option, run_on, run_on_all};
use crate::codes::Code;
use crate::compiled::{self, When};
use crate::confined;
use crate::counts;
use crate::crash;
use crate::debug::DebugArg;
use crate::diagnostics::{Diagnostics, Finding, Suggestion};
use crate::execution::Execution;
use crate::failure::{Failure, Result};
use crate::host::{self, MainArguments};
use crate::image;
use crate::interpret;
use crate::isa::{CpuArg, Isa};
use crate::jitdump::JitDump;
use crate::memory::MEMORY;
use crate::profile::PerfMap;
use crate::program::Program;
use crate::recorder::{Listeners, Recorder};
use crate::suggest::similar;
use crate::times::{self, Format, Times};
use core::sync::atomic::{AtomicU64, Ordering};
use mir_host::{HostPages, HostThreads, Symbols};
use mir_nostd::ir::{ItemKind, Module};
use mir_nostd::link::{Callable, Context, ContextOptions};
use mir_nostd::run::{Granularity, Jit, Options};
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::Instant;

/// Run a program
///
/// Reads, checks and links the files together, calls their constructors, `main` with argc, argv and
/// envp, and their destructors. Functions
/// are compiled when they are first called, where that is possible, else interpreted. Imports are
/// looked for in the C library, the mathematical library and what `-l` names. The exit status is
/// what `main` returns, 0 if it returns nothing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir run program.mir -- first second
  mir run --time main.mir library.bmir
  mir run --on all program.mir")]
pub(crate) struct Args {
    /// The files to link and run; standard input if there is none, or where one is `-`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Interpret
    #[arg(long, group = "engine")]
    interp: bool,
    /// Compile everything, then run
    #[arg(long, group = "engine")]
    jit: bool,
    /// Compile each function when it is first called: the default where programs can be compiled
    #[arg(long, group = "engine")]
    lazy: bool,
    /// Compile each block of instructions when it is first reached, in a version for each set of
    /// properties
    #[arg(long, group = "engine")]
    lazy_bb: bool,
    /// How much is done for the speed of compiled code, 0 to 3
    #[arg(short = 'O', value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=3))]
    level: Option<u8>,
    /// Compile everything with so many threads instead of as many as there are processors. The code
    /// is the same
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    cpu: CpuArg,
    /// Prove every register allocation right
    #[arg(long)]
    check_allocation: bool,
    /// Prove that what is made of the confined program accesses only what it may
    #[arg(long, requires = "confined")]
    check_confinement: bool,
    /// Write a map of compiled functions for `perf`
    #[arg(long)]
    perf_map: bool,
    /// Write the code of compiled functions to `jit-PID.dump` here, for `perf inject --jit`
    #[arg(long)]
    jitdump: bool,
    /// Tell GDB of compiled functions, and of their lines in a program in Medium IR as text
    #[arg(long)]
    gdb: bool,
    /// Count how often the blocks of the program run, for `mir view --profile`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["confined", "gdb", "jitdump", "on"])]
    profile: Option<PathBuf>,
    /// Begin what is reached through registers or memory with ENDBR64 or BTI, where the ISA has it
    #[arg(long)]
    landing_pads: bool,
    #[command(flatten)]
    debug: DebugArg,
    /// Stop after so many instructions, counted by blocks as they are entered; linking may take as
    /// many
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    /// Run the program confined: it reads and writes so many bytes of memory and nothing else (64
    /// MiB if none are said, `K`, `M` and `G` count), and can only write to standard output and
    /// error, read standard input, end, and ask for the time
    #[arg(long, value_name = "SIZE", num_args = 0..=1, require_equals = true, default_missing_value = "64M", value_parser = size)]
    pub(crate) confined: Option<usize>,
    /// Print a hash of the confined program's memory at the end
    #[arg(long, requires = "confined")]
    pub(crate) memory_hash: bool,
    /// Say on standard error what the steps took
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    time: Option<Format>,
    /// A library to find imports in: a file, or NAME of libNAME.so or libNAME.so.VERSION
    #[arg(short, long = "library", value_name = "LIB")]
    libraries: Vec<String>,
    /// Run as another ISA, by its runner (docs/runners.md), or as all of them
    #[arg(long, value_name = "ISA")]
    on: Option<On>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<OsString>,
}

pub(crate) fn run(args: Args, diagnostics: &Diagnostics) -> Result<()> {
    match args.on {
        None => here(args, diagnostics),
        Some(On::One(isa)) if isa.is_host() => here(args, diagnostics),
        Some(On::One(isa)) => {
            args.cpu.backend(isa)?;
            run_on(isa, &args.forwarded(diagnostics))
        }
        Some(On::All) => {
            for isa in Isa::all() {
                args.cpu.backend(isa)?;
            }
            host::exit(run_on_all(&args.forwarded(diagnostics))?)
        }
    }
}

impl Args {
    /// The arguments for a runner: the same but `--on`.
    fn forwarded(&self, diagnostics: &Diagnostics) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["run".into()];
        words.extend(diagnostics.options());
        words.extend(self.interp.then(|| "--interp".into()));
        words.extend(self.jit.then(|| "--jit".into()));
        words.extend(self.lazy.then(|| "--lazy".into()));
        words.extend(self.lazy_bb.then(|| "--lazy-bb".into()));
        words.extend(self.level.map(|level| format!("-O{level}").into()));
        words.extend(
            self.threads
                .into_iter()
                .flat_map(|threads| option("--threads", threads.to_string())),
        );
        words.extend(
            self.cpu
                .name()
                .into_iter()
                .flat_map(|cpu| option("--cpu", cpu)),
        );
        words.extend(self.check_allocation.then(|| "--check-allocation".into()));
        words.extend(self.check_confinement.then(|| "--check-confinement".into()));
        words.extend(self.landing_pads.then(|| "--landing-pads".into()));
        words.extend(self.debug.word().map(OsString::from));
        words.extend(
            self.fuel
                .into_iter()
                .flat_map(|fuel| option("--fuel", fuel.to_string())),
        );
        words.extend(
            self.confined
                .map(|bytes| format!("--confined={bytes}").into()),
        );
        words.extend(self.memory_hash.then(|| "--memory-hash".into()));
        words.extend(self.time.map(|format| match format {
            Format::Text => "--time".into(),
            Format::Json => "--time=json".into(),
        }));
        words.extend(
            self.libraries
                .iter()
                .flat_map(|library| option("-l", library)),
        );
        words.extend(self.files.iter().map(OsString::from));
        words.push("--".into());
        words.extend(self.arguments.iter().cloned());
        words
    }

    /// When functions are compiled, if they are.
    pub(crate) fn when(&self) -> Option<When> {
        let lazily = |granularity| Some(When::Lazily(granularity));
        match self {
            Args { jit: true, .. } => Some(When::Before),
            Args { lazy: true, .. } => lazily(Granularity::Function),
            Args { lazy_bb: true, .. } => lazily(Granularity::Block),
            Args { interp: true, .. } => None,
            _ if compiled::is_possible() => lazily(Granularity::Function),
            _ => None,
        }
    }

    /// Returns the most threads that compile; 0 for as many as there are processors.
    fn threads(&self) -> usize {
        self.threads.unwrap_or(0).into()
    }

    /// Returns the fuel, as good as endless if none is said.
    pub(crate) fn fuel_or_all(&self) -> u64 {
        self.fuel.unwrap_or(i64::MAX as u64)
    }

    /// Returns the words that a program gets as its arguments, its name first.
    pub(crate) fn words(&self) -> Vec<Vec<u8>> {
        let program = self
            .files
            .first()
            .map_or("-".into(), |file| file.clone().into_os_string());
        let words = core::iter::once(program).chain(self.arguments.iter().cloned());
        words.map(OsString::into_vec).collect()
    }

    fn main_arguments(self) -> MainArguments {
        let program = self.files.into_iter().next().unwrap_or_else(|| "-".into());
        let words = core::iter::once(program.into_os_string()).chain(self.arguments);
        // The system gave them without NUL.
        MainArguments::new(
            words
                .filter_map(|word| CString::new(word.into_vec()).ok())
                .collect(),
        )
    }
}

/// Runs the program in this process.
fn here(args: Args, diagnostics: &Diagnostics) -> Result<()> {
    let isa = Isa::host();
    args.cpu.backend(isa)?;
    let mut symbols =
        Symbols::open(&args.libraries).map_err(|error| Failure::Usage(error.to_string()))?;
    if let [file] = &args.files[..]
        && let Some(bytes) = image::run::read(file)
    {
        return run_image(args, bytes, &mut symbols, diagnostics);
    }
    let mut times = Times::new(args.time.unwrap_or(Format::Text));
    let (program, mut modules) = Program::read(&args.files, isa, diagnostics, &mut times)?;
    // Compiling on the way has it at hand as long as the process lives.
    let program: &'static Program = Box::leak(Box::new(program));
    if let Some(file) = &args.profile {
        counts::count(&mut modules, file.clone(), diagnostics)?;
    }
    let modules = match args.confined {
        Some(_) => confined::with_main(modules),
        None => modules,
    };
    let modules = program.verify(modules, isa, diagnostics, &mut times)?;
    if args.confined.is_some() {
        let args: &'static Args = Box::leak(Box::new(args));
        return confined::run(args, program, modules, diagnostics.clone());
    }
    let context: &'static Context<'static> = Box::leak(Box::new(context(args.fuel)));
    program.link(context, modules, &mut symbols, diagnostics, &mut times)?;
    let Some(main) = last_main(context) else {
        program.report(&no_main(context), diagnostics);
        return Err(Failure::Program);
    };
    times.linked_bytes = MEMORY.live_bytes();
    crash::watch(program, diagnostics);
    let jit = match args.when() {
        Some(when) => Some(compile(&args, program, context, &|_| when, diagnostics)?),
        None => None,
    };
    let execution = Execution::new(program, context, jit, args.fuel, diagnostics)?;
    let execution: &'static Execution = Box::leak(Box::new(execution));
    if args.time.is_some() {
        times.started = Some(Instant::now());
        times::show_at_exit(times);
    }
    host::exit(execution.run(main, &args.main_arguments()))
}

/// Runs an image, whose code is made already.
fn run_image(
    args: Args,
    bytes: Vec<u8>,
    symbols: &mut Symbols,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let settles_code = args.interp || args.jit || args.lazy || args.lazy_bb;
    let asks_for_code = args.level.is_some() || args.landing_pads || args.check_allocation;
    if settles_code || asks_for_code || args.confined.is_some() {
        let message = "an image is compiled already: its code is what mir image made";
        return Err(Failure::Usage(message.into()));
    }
    let name = args
        .files
        .first()
        .map_or(String::new(), |file| file.display().to_string());
    let fuel = args.fuel;
    let arguments = args.main_arguments();
    let status = image::run::run(&name, bytes, symbols, &arguments, fuel, diagnostics)?;
    host::exit(status)
}

/// Returns the number of bytes that a word says.
pub(crate) fn size(word: &str) -> core::result::Result<usize, String> {
    let (digits, shift) = match word.as_bytes().last() {
        Some(b'K' | b'k') => (&word[..word.len() - 1], 10),
        Some(b'M' | b'm') => (&word[..word.len() - 1], 20),
        Some(b'G' | b'g') => (&word[..word.len() - 1], 30),
        _ => (word, 0),
    };
    let bytes: usize = digits
        .parse()
        .map_err(|_| "a number of bytes is wanted".to_string())?;
    let bytes = bytes
        .checked_mul(1 << shift)
        .filter(|&bytes| (4096..=1 << 32).contains(&bytes));
    bytes.ok_or_else(|| "the size is 4096 to 4G".into())
}

/// The level where none is asked for.
const DEFAULT_LEVEL: u8 = 2;

/// The fuel of compiled code.
static FUEL: AtomicU64 = AtomicU64::new(0);

/// Compiles everything that is linked, now or later.
pub(crate) fn compile<'c>(
    args: &Args,
    program: &'static Program,
    context: &'c Context<'static>,
    when: &dyn Fn(usize) -> When,
    diagnostics: &Diagnostics,
) -> Result<Jit<'c, 'static>> {
    let linked = (0..).map_while(|number| context.module(number));
    let mut listeners = listeners(args)?;
    listeners.unwinder = { linked.clone() }.any(|linked| may_throw(linked.module()));
    // Code of single blocks has no frames that can be unwound.
    let in_whole = listeners.unwinder;
    let when = |number| match when(number) {
        When::Lazily(_) if in_whole => When::Lazily(Granularity::Function),
        when => when,
    };
    crash::watch(program, diagnostics);
    let modules = linked.map(|linked| core::ptr::from_ref(linked.module()).addr());
    let recorder = Recorder::start(diagnostics, program, modules.collect(), listeners);
    let options = Options {
        fuel: (args.fuel.or(args.confined.map(|_| args.fuel_or_all()))).map(|fuel| {
            FUEL.store(fuel, Ordering::Relaxed);
            &FUEL
        }),
        stack_limit: args.confined.map(|_| &confined::STACK_LIMIT),
        watch: Some(recorder),
        threads: Some(Box::leak(Box::new(HostThreads::at_most(args.threads())))),
        codegen: mir_nostd::codegen::Options {
            level: args.level.unwrap_or(DEFAULT_LEVEL),
            check_allocation: args.check_allocation,
            check_confinement: args.check_confinement,
            landing_pads: args.landing_pads,
            debug: args.debug.output(),
            ..Default::default()
        },
        ..Options::default()
    };
    let backend = args.cpu.host_backend()?;
    compiled::compile(context, backend, options, &when, recorder)
}

/// Returns whether exceptions may come through functions of a module: it imports something of the
/// unwinder's or the runtime's of C++.
fn may_throw(module: &Module<'_>) -> bool {
    let mut items = module.items();
    items.any(|(_, item)| {
        let name = item.name.filter(|_| item.kind == ItemKind::Import);
        name.is_some_and(|name| {
            let name = module.name_bytes(name);
            let starts = [b"mir_try".as_slice(), b"_Unwind_", b"__cxa_"];
            starts.iter().any(|start| name.starts_with(start))
        })
    })
}

/// Makes the files of the debuggers and profilers that are to be told of compiled functions.
fn listeners(args: &Args) -> Result<Listeners> {
    let map = args
        .perf_map
        .then(|| PerfMap::create().map_err(|error| Failure::file(&PerfMap::path(), &error)));
    let dump = args
        .jitdump
        .then(|| JitDump::create().map_err(|error| Failure::file(&JitDump::path(), &error)));
    Ok(Listeners {
        perf_map: map.transpose()?,
        jitdump: dump.transpose()?,
        gdb: args.gdb,
        unwinder: false,
    })
}

pub(crate) fn context(fuel: Option<u64>) -> Context<'static> {
    static PAGES: HostPages = HostPages;
    let mut options = ContextOptions::new(
        &MEMORY,
        Isa::host().target(),
        interpret::engine(fuel.is_some()),
    );
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    options.thread = Some(host::thread);
    if let Some(fuel) = fuel {
        options.link_fuel = fuel;
    }
    Context::new(options)
}

/// Says that no function is named `main`, and which is nearly.
fn no_main(context: &Context<'static>) -> Finding {
    let modules = (0..).map_while(|number| context.module(number));
    let names = modules.flat_map(|linked| {
        let module = linked.module();
        module.funcs().map(|(func, _)| compiled::name(module, func))
    });
    let names: Vec<String> = names.collect();
    let near = similar("main", names.iter().map(String::as_str));
    Finding {
        suggestion: near.map(|name| Suggestion {
            text: format!("did you mean `{name}` to be it?"),
            replacement: None,
        }),
        ..Finding::error(Code::NO_MAIN, "no function is named main")
    }
}

/// The last function named `main`, exported or not.
fn last_main<'c>(context: &'c Context<'static>) -> Option<&'c Callable<'static>> {
    let numbers = (0..context.linked_modules()).rev();
    numbers
        .filter_map(|number| context.module(number))
        .find_map(|linked| {
            let module = linked.module();
            let name = module.find_name(b"main")?;
            match module.item(module.item_named(name)?).kind {
                ItemKind::Func(func) => Some(linked.callable(func)),
                _ => None,
            }
        })
}
