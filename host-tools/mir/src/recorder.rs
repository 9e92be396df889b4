//! Notes what the compiler does while the program runs: how long, how much, and what it leaves to
//! the interpreter.

use crate::codes::Code;
use crate::compiled::name;
use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::INTERNAL_ERROR;
use crate::jitdump::JitDump;
use crate::lines::{LineFinder, Lines};
use crate::profile::{self, Facts, Function, PerfMap};
use crate::program::Program;
use crate::unwind::Unwinding;
use crate::variables::Variables;
use core::cell::Cell;
use core::ops::Range;
use core::time::Duration;
use mir_host::{HostPages, PrivatePages};
use mir_nostd::codegen::{Compiler, Error, Offsets};
use mir_nostd::ir::{FuncId, Module};
use mir_nostd::link::Callable;
use mir_nostd::run::{Compiled, Fault, Watch};
use mir_nostd::target::Pages;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Instant;

/// Notes what the compiler does.
#[derive(Debug)]
pub(crate) struct Recorder {
    diagnostics: Diagnostics,
    program: &'static Program,
    /// The addresses of all linked modules.
    modules: Vec<usize>,
    made: Mutex<Made>,
    /// The code made so far.
    pieces: Mutex<Vec<Piece>>,
    listeners: Listeners,
    /// The facts on functions that have no address yet, by callable.
    facts: Mutex<HashMap<usize, Facts>>,
    /// The finders of lines, by the number of the module.
    finders: Mutex<HashMap<usize, Option<LineFinder>>>,
}

/// The debuggers and profilers that are told of compiled functions.
#[derive(Debug, Default)]
pub(crate) struct Listeners {
    pub(crate) perf_map: Option<PerfMap>,
    pub(crate) jitdump: Option<JitDump>,
    /// True if GDB is told.
    pub(crate) gdb: bool,
    /// True if the unwinder is told, as the program may throw.
    pub(crate) unwinder: bool,
}

impl Listeners {
    /// True if any wants the lines of functions.
    fn want_lines(&self) -> bool {
        self.gdb || self.jitdump.is_some()
    }

    /// True if any wants more than a name.
    fn want_facts(&self) -> bool {
        self.want_lines() || self.unwinder
    }

    fn add(&self, function: &Function<'_>) {
        if let Some(map) = &self.perf_map {
            map.add(function.name, function.address, function.bytes);
        }
        if let Some(dump) = &self.jitdump {
            dump.add(function);
        }
        if self.gdb {
            profile::register(function);
        }
        if self.unwinder
            && let Some(unwinding) = &function.facts.unwinding
        {
            unwinding.register(function.address);
        }
    }
}

/// The code made so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Made {
    pub(crate) compiled: Compiled,
    /// The time that it took, over all threads.
    pub(crate) time: Duration,
}

/// Code of a function.
#[derive(Clone, Debug)]
struct Piece {
    addresses: Range<usize>,
    /// The address of the function's module.
    module: usize,
    func: FuncId,
}

thread_local! {
    /// When this thread began with a function or block.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
}

static RECORDER: OnceLock<Recorder> = OnceLock::new();

impl Recorder {
    /// The one of this process.
    pub(crate) fn start(
        diagnostics: &Diagnostics,
        program: &'static Program,
        modules: Vec<usize>,
        listeners: Listeners,
    ) -> &'static Recorder {
        RECORDER.get_or_init(|| Recorder {
            diagnostics: diagnostics.clone(),
            program,
            modules,
            made: Mutex::default(),
            pieces: Mutex::default(),
            listeners,
            facts: Mutex::default(),
            finders: Mutex::default(),
        })
    }

    /// The code made so far; the interpreter makes none.
    pub(crate) fn made() -> Made {
        RECORDER
            .get()
            .map_or(Made::default(), |recorder| *recorder.lock())
    }

    /// Returns whether code is made: the program is not only interpreted.
    pub(crate) fn is_started() -> bool {
        RECORDER.get().is_some()
    }

    /// Returns the function whose code an address is in, and the number of its module. It does not
    /// wait: the thread that asks may have been interrupted while it made code.
    pub(crate) fn function_at(address: usize) -> Option<(usize, FuncId)> {
        let recorder = RECORDER.get()?;
        let pieces = recorder.pieces.try_lock().ok()?;
        let piece = pieces
            .iter()
            .find(|piece| piece.addresses.contains(&address))?;
        let mut modules = recorder.modules.iter();
        let number = modules.position(|&module| module == piece.module)?;
        Some((number, piece.func))
    }

    fn lock(&self) -> MutexGuard<'_, Made> {
        unbroken(&self.made)
    }

    /// Returns the file of a function that was compiled last, its lines there, and its variables;
    /// `None` if it has no lines that are known.
    fn lines_of(
        &self,
        callable: &Callable<'_>,
        compiler: &Compiler<'_>,
    ) -> Option<(String, Lines, Variables)> {
        // The modules of confined programs are rewritten: their instructions are no longer those
        // of the text.
        let (linked, func) = callable
            .func()
            .filter(|(linked, _)| !linked.is_confined())?;
        let module = linked.module();
        let address = core::ptr::from_ref(module).addr();
        let number = self.modules.iter().position(|&module| module == address)?;
        let (source, in_file) = self.program.source_of(number)?;
        let mut finders = unbroken(&self.finders);
        let path = std::path::absolute(&source.name)
            .ok()?
            .display()
            .to_string();
        let find = || LineFinder::new(source, in_file, &path);
        let finder = finders.entry(number).or_insert_with(find);
        let finder = finder.as_mut()?;
        let lines = finder.lines(module, func, compiler);
        let variables = finder.variables(module, func, compiler);
        Some((path, lines, variables))
    }

    /// Ends the process because of an error of the compiler itself, such as a register allocation
    /// that was proven wrong. The interpreter could run the function, but would hide the error.
    fn end_of_internal(&self, module: &Module<'_>, func: FuncId, error: Error) -> ! {
        crate::host::flush_streams();
        let address = core::ptr::from_ref(module).addr();
        let number = self.modules.iter().position(|&module| module == address);
        let message = format!("{}: {error}", name(module, func));
        let code = Code::INTERNAL;
        let place = (number, module);
        (self.program).report_function(place, func, (code, message), &self.diagnostics);
        crate::host::end(INTERNAL_ERROR.into())
    }

    /// Returns the executable pages for compiled code: such as GDB can put breakpoints into, if it
    /// is told of the code.
    pub(crate) fn pages(&self) -> &'static dyn Pages {
        match self.listeners.gdb {
            false => &HostPages,
            true => &PrivatePages,
        }
    }

    /// Adds what compiling at once took.
    pub(crate) fn took(&self, time: Duration) {
        self.lock().time += time;
    }
}

/// Locks what is whole even if a thread panicked meanwhile.
fn unbroken<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

impl Watch for Recorder {
    fn wants_lines(&self) -> bool {
        self.listeners.want_facts()
    }

    fn wants_variables(&self) -> bool {
        self.listeners.gdb
    }

    fn encoded(&self, callable: &Callable<'_>, compiler: &Compiler<'_>, offsets: &Offsets<'_>) {
        if !self.listeners.want_facts() {
            return;
        }
        let facts = Facts {
            lines: (self.listeners.want_lines())
                .then(|| self.lines_of(callable, compiler))
                .flatten(),
            unwinding: Unwinding::of(compiler, offsets, compiler.output.code.len()),
        };
        let of = core::ptr::from_ref(callable).addr();
        unbroken(&self.facts).insert(of, facts);
    }

    fn made(&self, callable: &Callable<'_>, address: usize, bytes: usize, block: Option<u32>) {
        let is_told = self.listeners.perf_map.is_some() || self.listeners.want_facts();
        if let Some((linked, func)) = callable.func().filter(|_| is_told) {
            let mut name = name(linked.module(), func);
            if let Some(block) = block.filter(|&block| block != 0) {
                name += &format!(".{block}");
            }
            let facts = unbroken(&self.facts).remove(&core::ptr::from_ref(callable).addr());
            self.listeners.add(&Function {
                name: &name,
                address,
                bytes,
                facts: facts.unwrap_or_default(),
            });
        }
        if let Some((linked, func)) = callable.func() {
            let piece = Piece {
                addresses: address..address + bytes,
                module: core::ptr::from_ref(linked.module()).addr(),
                func,
            };
            let pieces = self.pieces.lock();
            pieces
                .unwrap_or_else(|broken| broken.into_inner())
                .push(piece);
        }
        let compiled = &mut self.lock().compiled;
        compiled.functions += u32::from(block.is_none_or(|block| block == 0));
        compiled.blocks += u32::from(block.is_some());
        compiled.bytes += bytes as u64;
    }

    fn left(&self, callable: &Callable<'_>, error: Error) {
        self.lock().compiled.left += 1;
        let Some((linked, func)) = callable.func() else {
            return;
        };
        if error.is_internal() {
            self.end_of_internal(linked.module(), func, error);
        }
        let message = format!("{} is interpreted: {error}", name(linked.module(), func));
        self.diagnostics
            .report("mir", b"", &Finding::warning(Code::INTERPRETED, message));
        if self.diagnostics.has_denied() {
            crate::host::flush_streams();
            crate::host::end(1)
        }
    }

    /// C called a compiled function on a thread of its own.
    fn faulted(&self, fault: &Fault) {
        crate::host::flush_streams();
        let finding = Finding::error(Code::FAULT, fault.to_string());
        self.diagnostics.report("mir", b"", &finding);
        crate::host::end(1)
    }

    fn begins(&self, _: &Callable<'_>) {
        BEGUN.set(Some(Instant::now()));
    }

    fn ends(&self, _: &Callable<'_>) {
        if let Some(begun) = BEGUN.take() {
            self.took(begun.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Listeners, Recorder};
    use crate::diagnostics::Diagnostics;
    use crate::failure::INTERNAL_ERROR;
    use crate::isa::Isa;
    use crate::program::Program;
    use crate::times::{Format, Times};
    use mir_nostd::codegen::Error;
    use mir_nostd::machine::InsnId;
    use mir_nostd::mem::Entity;
    use std::process::Command;

    /// The test that runs again in a process of its own, which the variable marks.
    const TEST: &str = "recorder::tests::a_wrong_allocation_ends_the_process_and_is_told";
    const IS_CHILD: &str = "MIR_TEST_RECORDER";

    #[test]
    fn a_wrong_allocation_ends_the_process_and_is_told() {
        if std::env::var_os(IS_CHILD).is_some() {
            return end_by_wrong_allocation();
        }
        let this = std::env::current_exe().expect("the test program");
        let mut child = Command::new(this);
        child
            .args(["--exact", TEST, "--nocapture"])
            .env(IS_CHILD, "1");
        let ended = child.output().expect("the test program runs");
        assert_eq!(ended.status.code(), Some(INTERNAL_ERROR.into()));
        let told = String::from_utf8_lossy(&ended.stderr);
        // The line of the function.
        assert!(told.contains("block-arguments.mir:"), "{told}");
        assert!(told.contains("error: "), "{told}");
    }

    fn end_by_wrong_allocation() {
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../examples/block-arguments.mir"
        );
        let diagnostics = Diagnostics::default();
        let mut times = Times::new(Format::Text);
        let read = Program::read(&[file.into()], Isa::host(), &diagnostics, &mut times);
        let (program, modules) = read.expect("the example");
        let module = &modules[0][0];
        let (func, _) = module.funcs().next().expect("a function");
        let program = Box::leak(Box::new(program));
        let numbers = vec![core::ptr::from_ref(module).addr()];
        let recorder = Recorder::start(&diagnostics, program, numbers, Listeners::default());
        let insn = InsnId::new(0);
        recorder.end_of_internal(module, func, Error::WrongAllocation { insn, operand: 1 });
    }
}
