//! The routines of ours that code in objects calls: Medium IR, compiled like the program, so that
//! no library is needed to link. There is one text for all targets, and one for each with the parts
//! that depend on its `va_list` and long double.

use super::symbols::{Scope, SymbolOffset, new_symbol};
use super::{Result, Writer};
use crate::failure::Refusal;
use crate::isa::llvm_isa;
use crate::memory::MEMORY;
use llvm_mir::target::Isa;
use mir_image::Word;
use mir_nostd::codegen::{Compiler, Fuel, Helper, Limits};
use mir_nostd::confined::WORDS_BYTES;
use mir_nostd::ir::{FunctionList, Item, ItemKind, Module, Phase, Type};
use mir_nostd::mem::Entity;
use mir_nostd::target::Target;
use mir_nostd::verify::Verified;
use object::write::SymbolId;
use object::{SymbolKind, SymbolScope};

const FAULT: &str = include_str!("support/fault.mir");
const CONFINED: &str = include_str!("support/confined.mir");
const X86_64: &str = include_str!("support/x86_64.mir");
const AARCH64: &str = include_str!("support/aarch64.mir");
const RISCV64: &str = include_str!("support/riscv64.mir");
const PPC64LE: &str = include_str!("support/ppc64le.mir");
const S390X: &str = include_str!("support/s390x.mir");
const QUAD: &str = include_str!("support/quad.mir");

/// The name of a routine in the texts.
pub(crate) fn name(number: u8) -> &'static str {
    match Helper::ALL.get(usize::from(number)) {
        Some(Helper::Fault) => "fault",
        Some(Helper::FaultWith) => "fault_with",
        Some(Helper::OutOfFuel) => "out_of_fuel",
        Some(Helper::Window) => "window",
        Some(Helper::VaStart) => "va_start",
        Some(Helper::VaArg) => "va_arg",
        Some(Helper::VaBlockArg) => "va_block_arg",
        Some(Helper::LdAdd) => "ld_add",
        Some(Helper::LdSub) => "ld_sub",
        Some(Helper::LdMul) => "ld_mul",
        Some(Helper::LdDiv) => "ld_div",
        Some(Helper::LdNeg) => "ld_neg",
        Some(Helper::LdCompare) => "ld_compare",
        Some(Helper::LdFromInt) => "ld_from_int",
        Some(Helper::LdFromUnsigned) => "ld_from_unsigned",
        Some(Helper::LdToInt) => "ld_to_int",
        Some(Helper::LdFromFloat) => "ld_from_float",
        Some(Helper::LdFromDouble) => "ld_from_double",
        Some(Helper::LdToFloat) => "ld_to_float",
        Some(Helper::LdToDouble) => "ld_to_double",
        Some(Helper::FmaFloat) => "fma_float",
        Some(Helper::FmaDouble) => "fma_double",
        _ => "?",
    }
}

/// The consequence of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ends {
    /// The program's [`FAULT_HANDLER`] is told, if there is one, and code stops.
    #[default]
    Told,
    /// Control goes back to whoever runs the confined program.
    Confined,
}

/// Returns the text of a target's routines.
fn text(target: &Target, ends: Ends) -> String {
    let own: &[&str] = match llvm_isa(target) {
        Isa::X86_64 => &[X86_64],
        Isa::Aarch64 => &[AARCH64, QUAD],
        Isa::Ppc64le => &[PPC64LE],
        Isa::Riscv64 => &[RISCV64, QUAD],
        Isa::S390x => &[S390X],
    };
    let faults = match ends {
        Ends::Told => FAULT,
        Ends::Confined => CONFINED,
    };
    let text = format!("{faults}{}endmodule\n", own.concat());
    let (high, low) = if target.big_endian { (0, 8) } else { (8, 0) };
    // The numbers that types have as arguments of routines, places of floats in the image of
    // registers, and of the halves of a quad, distances of words before the memory of a program.
    let words = [
        ("I16", Type::I16 as u32),
        ("I32", Type::I32 as u32),
        ("I64", Type::I64 as u32),
        ("F", Type::F as u32),
        ("D", Type::D as u32),
        ("LD", Type::Ld as u32),
        ("INTS", target.abi.image.ints),
        ("FLOATS", target.abi.image.floats),
        ("HIGH", high),
        ("LOW", low),
        ("KIND", Word::Kind.distance() as u32),
        ("FUNCTION", Word::Function.distance() as u32),
        ("INSTRUCTION", Word::Instruction.distance() as u32),
        ("VALUE", Word::Value.distance() as u32),
        ("LEAVE", Word::Leave.distance() as u32),
        ("FRAME", Word::Frame.distance() as u32),
        ("NO_FAULT", mir_image::NO_FAULT as u32),
        ("WINDOWS", WINDOWS_DISTANCE as u32),
        ("WINDOWS_BYTES", WINDOWS_BYTES as u32),
    ];
    (words.iter()).fold(text, |text, &(word, number)| {
        text.replace(&format!("{{{word}}}"), &number.to_string())
    })
}

/// The function that a program may define to be told of faults.
pub(crate) const FAULT_HANDLER: &[u8] = b"mir_fault";

/// The variables by which a program keeps limits: the fuel that is left, and the lowest address
/// that its stack may reach.
pub(crate) const FUEL_WORD: &str = "mir_fuel";
pub(crate) const STACK_WORD: &str = "mir_stack_limit";

/// Returns a module with the variables for these limits.
pub(crate) fn words(target: &'static Target, limits: Limits) -> Result<Verified<'static>> {
    let fuel = (limits.fuel != Fuel::Free).then_some(FUEL_WORD);
    let stack = limits.stack.then_some(STACK_WORD);
    let words = fuel.into_iter().chain(stack);
    let words = words.map(|name| format!("\texport\t{name}\n{name}:\tbss\t8\n"));
    own_module(
        target,
        &format!("mir:\tmodule\n{}\tendmodule\n", words.collect::<String>()),
    )
}

/// The table of windows before the memory of a confined program: its name, its bytes, and their
/// distance from the memory.
pub(crate) const WINDOWS: &str = "mir_windows";
pub(crate) const WINDOWS_BYTES: usize = 256;
pub(crate) const WINDOWS_DISTANCE: usize = Word::Fuel.distance() + WINDOWS_BYTES;

/// Returns a module with the memory of a confined program, so many bytes, and what is before it.
pub(crate) fn memory(
    target: &'static Target,
    bytes: usize,
    windows: bool,
) -> Result<Verified<'static>> {
    let table = windows.then_some((WINDOWS, WINDOWS_BYTES));
    let before = [
        (FUEL_WORD, 8),
        (STACK_WORD, 8),
        ("mir_words", WORDS_BYTES as usize),
    ];
    let all = { table.into_iter() }
        .chain(before)
        .chain([("mir_memory", bytes)]);
    let items = all.map(|(name, bytes)| format!("\texport\t{name}\n{name}:\tbss\t{bytes}\n"));
    own_module(
        target,
        &format!("mir:\tmodule\n{}\tendmodule\n", items.collect::<String>()),
    )
}

/// Returns the routines of a target, read and checked.
pub(crate) fn routines(target: &'static Target, ends: Ends) -> Result<Verified<'static>> {
    own_module(target, &text(target, ends))
}

/// Returns a module of ours, read and checked.
pub(super) fn own_module(target: &'static Target, text: &str) -> Result<Verified<'static>> {
    let mut problem = String::new();
    let mut report = |error: mir_nostd::ir::Error| problem = error.to_string();
    let modules = mir_nostd::text::parse(text.as_bytes(), &MEMORY, target.long_double, &mut report);
    let Some(module) = modules.ok().and_then(|mut modules| modules.pop()) else {
        return Err(format!("routines of ours: {problem}"));
    };
    let mut sink = |violation: mir_nostd::verify::Violation| {
        problem = violation.error.to_string();
    };
    let verified = Verified::new(module, target, &mut sink);
    verified.map_err(|_| format!("routines of ours: {problem}"))
}

/// The routines for what `mir import` makes of inline assembly, as machine code of `x86_64`.
///
/// `mir_cpuid` keeps `rbx`, moves the leaf and its part to `eax` and `ecx`, and stores the four
/// registers at its third argument; `mir_rdtsc` joins the halves of the counter.
const MACHINE_ROUTINES: [(&[u8], &[u8]); 2] = [
    (
        b"mir_cpuid",
        &[
            0x53, // push rbx
            0x49, 0x89, 0xd0, // mov r8, rdx
            0x89, 0xf8, // mov eax, edi
            0x89, 0xf1, // mov ecx, esi
            0x0f, 0xa2, // cpuid
            0x41, 0x89, 0x00, // mov [r8], eax
            0x41, 0x89, 0x58, 0x04, // mov [r8 + 4], ebx
            0x41, 0x89, 0x48, 0x08, // mov [r8 + 8], ecx
            0x41, 0x89, 0x50, 0x0c, // mov [r8 + 12], edx
            0x5b, // pop rbx
            0xc3, // ret
        ],
    ),
    (
        b"mir_rdtsc",
        &[
            0x0f, 0x31, // rdtsc
            0x48, 0xc1, 0xe2, 0x20, // shl rdx, 32
            0x48, 0x09, 0xd0, // or rax, rdx
            0xc3, // ret
        ],
    ),
];

impl Writer {
    /// Adds the routines in machine code that the program imports and no module defines.
    pub(super) fn add_machine_routines(&mut self) {
        if llvm_isa(self.isa.target()) != Isa::X86_64 {
            return;
        }
        for (name, code) in MACHINE_ROUTINES {
            let Some(&symbol) = self.globals.get(name) else {
                continue;
            };
            if !self.object.symbol(symbol).is_undefined() {
                continue;
            }
            let at = self.append_code(self.routines, code, 1);
            let size = code.len() as u64;
            let its = self.object.symbol_mut(symbol);
            (its.scope, its.kind) = (SymbolScope::Compilation, SymbolKind::Text);
            (self.object).set_symbol_data(symbol, self.routines, at, size);
        }
    }

    /// Adds the routines that code calls.
    pub(super) fn add_routines(&mut self, compiler: &mut Compiler<'static>) -> Result<(), Refusal> {
        if self.used.is_empty() {
            return Ok(());
        }
        let verified = routines(self.isa.target(), self.ends)?;
        let module = verified.module();
        let mut scope = self.declare_own(module);
        // Routines do not call each other, so none is added to this list.
        let used = core::mem::take(&mut self.used);
        for (number, symbol) in used {
            let func = routine(module, number)?;
            scope.items[module.func(func).item.index()] = Some(symbol);
            self.add_function(&mut scope, func, self.routines, compiler)?;
        }
        Ok(())
    }

    /// Makes symbols for the imports of a module of ours.
    fn declare_own<'a, 'm>(&mut self, module: &'a Module<'m>) -> Scope<'a, 'm> {
        let mut scope = Scope::new(module);
        let trap = self.append_code(self.routines, self.elf.trap, 1);
        let mut symbol = new_symbol(b"mir.trap", SymbolKind::Text, SymbolScope::Compilation);
        symbol.section = object::write::SymbolSection::Section(self.routines);
        symbol.value = trap;
        let trap = self.object.add_symbol(symbol);
        scope.own.insert(b"mir.trap".to_vec(), trap);
        scope
    }

    /// Adds a function that evaluates all `expr` data before any constructor runs.
    pub(super) fn add_initialisers(
        &mut self,
        scopes: &[Scope<'_, '_>],
        compiler: &mut Compiler<'static>,
    ) -> Result<(), Refusal> {
        let (text, own) = self.initialisers(scopes)?;
        if own.is_empty() {
            return Ok(());
        }
        let verified = own_module(self.isa.target(), &text)?;
        let module = verified.module();
        let mut scope = Scope::new(module);
        scope.own.extend(own);
        let func = func_named(module, "init").ok_or("no initialiser")?;
        let name = new_symbol(b"mir.init", SymbolKind::Text, SymbolScope::Compilation);
        let symbol = self.object.add_symbol(name);
        scope.items[module.func(func).item.index()] = Some(symbol);
        self.add_function(&mut scope, func, self.routines, compiler)?;
        // Constructors of the program may use the data.
        let array = self.list_section(FunctionList {
            phase: Phase::Start,
            priority: 0,
        });
        let at = (self.object).append_section_data(array, &[0; 8], 8);
        let to = SymbolOffset { symbol, addend: 0 };
        Ok(self.relocate(array, at, self.elf.address, to, 0)?)
    }

    /// Returns the text of a module whose function `init` evaluates all `expr` data, and the
    /// symbols of what it imports.
    fn initialisers(&mut self, scopes: &[Scope<'_, '_>]) -> Result<(String, Vec<OwnSymbol>)> {
        let mut text = String::from("mir:\tmodule\n");
        let mut body = String::from("init:\tfunc\n");
        let mut own = Vec::new();
        let items = scopes.iter().flat_map(|scope| {
            scope
                .module
                .items()
                .map(move |(id, item)| (scope, id, item))
        });
        for (scope, id, item) in items {
            let (ItemKind::Expr { func }, Some(&at)) = (item.kind, scope.places.get(&id)) else {
                continue;
            };
            let number = own.len();
            let ty = result_of(scope.module, scope.module.item(scope.module.resolve(func)))
                .ok_or("an expression has no function")?;
            let symbol = self
                .defined(scope, func)
                .ok_or("an expression has no function")?;
            let place = self.label(self.data, at);
            own.push((format!("function{number}").into_bytes(), symbol));
            own.push((format!("place{number}").into_bytes(), place.symbol));
            let (word, variable) = (ty.name(), ty.class().ty().name());
            text += &format!("\timport\tfunction{number}, place{number}\n");
            text += &format!("proto{number}:\tproto\t{word}\n");
            let code = match ty {
                Type::F => "fmov",
                Type::D => "dmov",
                Type::Ld => "ldmov",
                _ => "mov",
            };
            body += &format!("\tlocal\t{variable}:v{number}, i64:p{number}\n");
            body += &format!("\tcall\tproto{number}, function{number}, v{number}\n");
            body += &format!("\tmov\tp{number}, place{number}\n");
            body += &format!("\t{code}\t{word}:(p{number}), v{number}\n");
        }
        Ok((format!("{text}{body}\tret\n\tendfunc\n\tendmodule\n"), own))
    }
}

/// A name of a module of ours and its symbol.
type OwnSymbol = (Vec<u8>, SymbolId);

/// Returns the routine of this number in the module of routines.
pub(crate) fn routine(module: &Module<'_>, number: u8) -> Result<mir_nostd::ir::FuncId> {
    let found = func_named(module, name(number));
    found.ok_or_else(|| format!("no routine {}", name(number)))
}

fn func_named(module: &Module<'_>, name: &str) -> Option<mir_nostd::ir::FuncId> {
    let item = module.item_named(module.find_name(name.as_bytes())?)?;
    match module.item(item).kind {
        ItemKind::Func(func) => Some(func),
        _ => None,
    }
}

/// Returns the type of the first result of a function.
fn result_of(module: &Module<'_>, item: &Item) -> Option<Type> {
    let ItemKind::Func(func) = item.kind else {
        return None;
    };
    let results = module.results(&module.func(func).signature);
    Some(results.first().copied().unwrap_or(Type::I64))
}
