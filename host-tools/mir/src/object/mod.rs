//! Objects: modules compiled ahead of time, as ELF files for a linker.
//!
//! - `.text` has the functions of the modules that are kept ([`kept`]) and nothing else, in the
//!   order of the file, and `.text.mir` the runtime routines that they call: compiled from Medium
//!   IR as well ([`support`]), only those that are used.
//! - `.data` and `.bss` have the items, `.rodata` constants and jump tables, `.init_array` and
//!   `.fini_array` the lists of constructors and destructors, `.init_array.00000` a function that
//!   evaluates `expr` data, `.eh_frame` the unwind tables, `.note.gnu.property` the mark of landing
//!   pads, if there are any.
//! - `.debug_line` and sections that belong to it say which lines code comes from, if asked for.
//! - Exports are global symbols, private items local ones, imports undefined ones. Everything is
//!   position-independent.
//!
//! The same modules produce the same bytes on every host.

mod code;
mod data;
mod effects;
mod exceptions;
pub(crate) mod kept;
mod lines;
mod relocated;
pub(crate) mod support;
mod symbols;
mod unwind;

use crate::failure::Refusal;
use crate::input::Source;
use crate::isa::{CpuArg, Isa, TargetArg};
use crate::memory::MEMORY;
use crate::progress::Progress;
use crate::threads::{in_order, locked};
use code::Pending;
use effects::Effects;
use kept::Kept;
use lines::FileLines;
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::stage::HIGHEST_LEVEL;
use mir_nostd::codegen::{self, Callees, Compiler};
use mir_nostd::ir::{FuncId, FunctionList, Module};
use mir_nostd::target::Elf;
use object::write::{Object, SectionId, SymbolId};
use object::{Architecture, BinaryFormat, Endianness, FileFlags, SectionKind};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;
use support::Ends;
use symbols::Scope;

/// The default optimisation level of code that is compiled ahead of time or listed.
const DEFAULT_LEVEL: u8 = 2;

/// `-O`, and the treatment of functions that it leaves without a call.
#[derive(clap::Args, Clone, Copy)]
struct LevelArg {
    /// How much is done for the speed of the code
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = DEFAULT_LEVEL)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    level: u8,
    /// Leave out private functions whose calls were all replaced by their bodies, as happens from
    /// level 2 on
    #[arg(long)]
    drop_inlined: bool,
}

impl LevelArg {
    /// Returns the level, at most the highest that exists.
    fn get(self) -> u8 {
        self.level.min(HIGHEST_LEVEL)
    }
}

/// The target and the settings of code, for commands that make an object or show its code.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct CodeArg {
    #[command(flatten)]
    target: TargetArg,
    #[command(flatten)]
    cpu: CpuArg,
    #[command(flatten)]
    level: LevelArg,
    /// Begin what is reached through registers or memory with ENDBR64 or BTI, where the ISA has it
    #[arg(long)]
    landing_pads: bool,
}

impl CodeArg {
    pub(crate) fn isa(self) -> Isa {
        self.target.isa()
    }

    /// Returns the options for making objects.
    pub(crate) fn options(self) -> crate::failure::Result<Options> {
        let mut options = Options::of(self.isa(), self.level.get());
        options.backend = self.cpu.backend(self.isa())?;
        options.codegen.landing_pads = self.landing_pads;
        options.drop_inlined = self.level.drop_inlined;
        Ok(options)
    }
}

/// The options for making objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) backend: &'static dyn Backend,
    /// The settings of the code generator.
    pub(crate) codegen: codegen::Options<'static>,
    /// True if functions are left out that nothing refers to any longer ([`kept`]).
    pub(crate) drop_inlined: bool,
    /// True if the object says which lines of the text its code comes from.
    pub(crate) lines: bool,
    /// The limits that functions keep, by words that another object has ([`support::words`]).
    pub(crate) limits: codegen::Limits,
    /// The consequence of a fault. Of modules of confined programs functions are left out that are
    /// neither exported nor mentioned.
    pub(crate) ends: Ends,
}

/// A result, or the reason why there is no object.
pub(crate) type Result<T, E = String> = core::result::Result<T, E>;

/// Returns an object with these modules, which passed the verifier for the target, and are those of
/// the source; so many threads compile it.
pub(crate) fn make(
    modules: &[&Module<'_>],
    source: &Source,
    options: Options,
    threads: usize,
) -> Result<Vec<u8>, Refusal> {
    let _progress = Progress::of(format!("compiling {}", source.name));
    let mut writer = Writer::new(options)?;
    writer.lines = options.lines.then(|| FileLines::new(source));
    writer.weak = source.weak().iter().cloned().collect();
    let (mut scopes, mut kept) = (Vec::new(), Vec::new());
    for module in modules {
        let funcs = options.kept(module);
        scopes.push(writer.declare(module, &funcs)?);
        kept.push(funcs);
    }
    for (number, (scope, kept)) in scopes.iter_mut().zip(&kept).enumerate() {
        writer.lay_out(scope)?;
        writer.enter_module(source, Some(number));
        writer.add_functions((scope, kept), options, threads)?;
    }
    let mut compiler = options.compiler();
    // Routines of ours run where there is nothing left.
    compiler.execution.limits = codegen::Limits::default();
    writer.enter_module(source, None);
    writer.add_initialisers(&scopes, &mut compiler)?;
    writer.add_routines(&mut compiler)?;
    writer.add_machine_routines();
    writer.add_try(&mut compiler)?;
    Ok(writer.finish()?)
}

impl Options {
    /// Returns the options that are usual for an ISA, with code of this level.
    pub(crate) fn of(isa: Isa, level: u8) -> Options {
        Options {
            backend: isa.backend(),
            codegen: codegen::Options {
                level,
                ..Default::default()
            },
            drop_inlined: false,
            lines: false,
            limits: codegen::Limits::default(),
            ends: Ends::Told,
        }
    }

    /// Returns a compiler of code for objects.
    pub(crate) fn compiler(&self) -> Compiler<'static> {
        let mut compiler = Compiler::new(self.backend, &MEMORY);
        compiler.options = self.codegen;
        compiler.execution.position_independent = true;
        compiler.execution.limits = self.limits;
        compiler.execution.lines = self.lines;
        compiler.execution.variables = self.lines;
        compiler.output.code.notes_places = true;
        compiler
    }
}

impl Options {
    /// Returns the table of the facts on a module's functions as callees, at the levels that use
    /// them; nothing is known yet.
    pub(crate) fn callees<'m>(&self, module: &Module<'_>) -> Result<Option<Callees<'m>>> {
        if self.codegen.level < Callees::FROM_LEVEL {
            return Ok(None);
        }
        let callees = Callees::new(module, &MEMORY).map_err(|error| error.to_string())?;
        Ok(Some(callees))
    }

    /// Returns the same table with all facts known; functions that cannot be compiled stay unknown.
    pub(crate) fn known_callees<'m>(&self, module: &Module<'_>) -> Result<Option<Callees<'m>>> {
        let mut compiler = self.compiler();
        compiler.callees = self.callees(module)?;
        compiler.options.debug = None;
        for func in order(&compiler) {
            let _ = compiler.compile(module, func);
        }
        Ok(compiler.callees)
    }
}

/// Returns the functions in the order in which they are compiled, if that is not the order of the
/// file.
fn order(compiler: &Compiler<'_>) -> Vec<FuncId> {
    let callees = compiler.callees.as_ref();
    callees.map_or(Vec::new(), |callees| callees.order().to_vec())
}

/// An object being made.
struct Writer {
    object: Object<'static>,
    isa: &'static dyn Backend,
    elf: &'static Elf,
    /// True if everything that needs one has a landing pad.
    landing_pads: bool,
    text: SectionId,
    /// The section of the runtime routines.
    routines: SectionId,
    ends: Ends,
    data: SectionId,
    bss: SectionId,
    constants: SectionId,
    /// The sections of lists of constructors and destructors.
    lists: HashMap<FunctionList, SectionId>,
    /// Global symbols, defined or not, by name.
    globals: HashMap<Vec<u8>, SymbolId>,
    /// The names of weak definitions and imports.
    weak: HashSet<Vec<u8>>,
    /// The routines that are called, by number.
    used: BTreeMap<u8, SymbolId>,
    /// The unwind tables of functions.
    frames: unwind::Frames,
    /// The frame of `mir_try`, if the program calls it.
    try_frame: Option<exceptions::TryFrame>,
    /// The lines of functions, if they are wanted.
    lines: Option<FileLines>,
    /// The references that are resolved or left to the linker when all functions have their places.
    pending: Vec<Pending>,
}

impl Writer {
    fn new(options: Options) -> Result<Writer> {
        let isa = options.backend;
        let name = isa.target().name;
        let elf = isa
            .description()
            .elf
            .ok_or_else(|| format!("no objects are made for {name} yet"))?;
        let architecture = match elf.machine {
            object::elf::EM_AARCH64 => Architecture::Aarch64,
            object::elf::EM_PPC64 => Architecture::PowerPc64,
            object::elf::EM_RISCV => Architecture::Riscv64,
            object::elf::EM_S390 => Architecture::S390x,
            _ => Architecture::X86_64,
        };
        let endianness = match isa.target().big_endian {
            true => Endianness::Big,
            false => Endianness::Little,
        };
        let mut object = Object::new(BinaryFormat::Elf, architecture, endianness);
        object.flags = FileFlags::Elf {
            os_abi: 0,
            abi_version: 0,
            e_flags: elf.flags,
        };
        let mut section = |name: &[u8], kind, align| {
            let section = object.add_section(Vec::new(), name.to_vec(), kind);
            if kind != SectionKind::UninitializedData {
                object.append_section_data(section, &[], align);
            }
            section
        };
        let align = u64::from(isa.description().code_align);
        let text = section(b".text", SectionKind::Text, align);
        let routines = section(b".text.mir", SectionKind::Text, align);
        let data = section(b".data", SectionKind::Data, 16);
        let bss = section(b".bss", SectionKind::UninitializedData, 16);
        let constants = section(b".rodata", SectionKind::ReadOnlyData, 16);
        section(b".note.GNU-stack", SectionKind::Other, 1);
        Ok(Writer {
            object,
            isa,
            elf,
            landing_pads: options.codegen.landing_pads,
            text,
            routines,
            ends: options.ends,
            data,
            bss,
            constants,
            lists: HashMap::new(),
            globals: HashMap::new(),
            weak: HashSet::new(),
            used: BTreeMap::new(),
            frames: unwind::Frames::default(),
            try_frame: None,
            lines: None,
            pending: Vec::new(),
        })
    }

    /// Adds the functions of a module that are kept, in its order. If they are compiled in another
    /// order, functions that are early wait with their compilers, which are reused. Several are
    /// compiled at a time.
    fn add_functions(
        &mut self,
        (scope, kept): (&mut Scope<'_, '_>, &Kept),
        options: Options,
        threads: usize,
    ) -> Result<(), Refusal> {
        let (module, spare) = (scope.module, Mutex::new(Vec::new()));
        let funcs = module.funcs().map(|(func, _)| func);
        let funcs: Vec<FuncId> = funcs.filter(|&func| kept.has(func)).collect();
        let effects = Effects::new(options.callees(module)?);
        // Reports come in the order of the functions.
        let threads = options.codegen.debug.map_or(threads, |_| 1);
        let work = |func| {
            let found = locked(&spare).pop();
            let mut compiler = found.unwrap_or_else(|| options.compiler());
            let offsets = effects.compile(module, func, &mut compiler);
            (func, compiler, offsets)
        };
        let (mut next, mut early) = (funcs.iter().peekable(), BTreeMap::new());
        let order = effects.order(funcs.clone());
        in_order(threads, order, work, |(func, compiler, offsets)| {
            early.insert(func, (compiler, offsets?));
            while let Some((func, (compiler, offsets))) =
                { next.peek() }.and_then(|func| early.remove_entry(func))
            {
                next.next();
                self.add_compiled(scope, func, self.text, (&compiler, &offsets))?;
                locked(&spare).push(compiler);
            }
            Ok(())
        })
    }

    /// Appends bytes to a section, at a multiple of `align` and of what all code is aligned to;
    /// returns their offset.
    fn append_code(&mut self, section: SectionId, bytes: &[u8], align: u32) -> u64 {
        let align = u64::from(align.max(self.isa.description().code_align));
        let end = self.object.section(section).data().len();
        let start = end.next_multiple_of(align as usize);
        let mut padding = vec![0; start - end];
        self.isa.pad(&mut padding);
        self.object.append_section_data(section, &padding, 1);
        self.object.append_section_data(section, bytes, align)
    }

    /// Marks the object as having landing pads, so that the system can enforce them in a program
    /// linked of such objects alone.
    fn write_note(&mut self) {
        const NT_GNU_PROPERTY_TYPE_0: u32 = 5;
        let Some((property, bits)) = self.elf.landing_pads.filter(|_| self.landing_pads) else {
            return;
        };
        // A note's name and contents have the lengths in the first two words; the property's value
        // is padded to 8 bytes.
        let name = u32::from_le_bytes(*b"GNU\0");
        let note = [4, 16, NT_GNU_PROPERTY_TYPE_0, name, property, 4, bits, 0];
        // Both ISAs that have such a property are little-endian.
        let bytes: Vec<u8> = note.into_iter().flat_map(u32::to_le_bytes).collect();
        let name = b".note.gnu.property".to_vec();
        let section = (self.object).add_section(Vec::new(), name, SectionKind::Note);
        self.object.append_section_data(section, &bytes, 8);
        self.object.section_mut(section).flags = object::SectionFlags::Elf {
            sh_flags: u64::from(object::elf::SHF_ALLOC),
        };
    }

    fn finish(mut self) -> Result<Vec<u8>> {
        self.place_pending()?;
        self.write_unwinding()?;
        self.write_lines()?;
        self.write_note();
        self.object.write().map_err(|error| error.to_string())
    }
}

/// Returns the name of an item or function for messages.
fn name_of(module: &Module<'_>, name: Option<mir_nostd::ir::Name>) -> String {
    let bytes = name.map_or(&b"?"[..], |name| module.name_bytes(name));
    String::from_utf8_lossy(bytes).into_owned()
}
