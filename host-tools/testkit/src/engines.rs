//! The promises of reading, linking, running and compiling for arbitrary programs: bodies of fuzz
//! targets, also run for a second as tests.

use crate::{SystemAllocator, container, harmless};
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::{Budget, Compiler, Error, Execution, Fuel, Granularity, Limits};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::ir::Module;
use mir_nostd::link::{Callable, Context, ContextOptions};
use mir_nostd::mem::{Allocator, Limited};
use mir_nostd::target::{Target, Value};
use mir_nostd::verify::Verified;

/// The most memory that one input may take.
const MEMORY: usize = 64 << 20;

/// The most bytes that a file may unpack to.
const CONTENTS: u64 = 1 << 20;

/// The fuel of one call, and the times that it is given again.
const FUEL: (u64, usize) = (20_000, 2);

/// The most functions that are called or compiled.
const FUNCTIONS: usize = 32;

static ENGINE: Engine = Engine::with_fuel();

/// Returns the verified modules of a file that unpacks to `contents`.
pub(crate) fn verified<'m>(
    contents: &[u8],
    target: &'static Target,
    allocator: &'m dyn Allocator,
    change: impl Fn(&mut Module<'m>) -> bool,
) -> Vec<Verified<'m>> {
    let options = ReadOptions {
        limit: CONTENTS,
        ..ReadOptions::new(target.long_double, target.big_endian)
    };
    let Ok(mut modules) = binary::read(&container::pack(contents), allocator, &options) else {
        return Vec::new();
    };
    let verify = |module| Verified::new(module, target, &mut |_| ()).ok();
    let mut verified = Vec::new();
    while let Some(module) = modules.pop() {
        let Some(first) = verify(module) else {
            continue;
        };
        let mut module = first.into_module();
        if change(&mut module) {
            let again = verify(module);
            assert!(
                again.is_some() || was_reached(allocator),
                "a harmless module does not verify"
            );
            verified.extend(again);
        }
    }
    verified
}

/// True if the allocator has come to its end: it lends next to nothing.
fn was_reached(allocator: &dyn Allocator) -> bool {
    let layout = core::alloc::Layout::new::<[u64; 1 << 17]>();
    let Ok(block) = allocator.allocate(layout) else {
        return true;
    };
    // SAFETY: the block is the allocator's, with this layout.
    unsafe { allocator.deallocate(block, layout) };
    false
}

/// Reads a file that unpacks to `contents`, makes its programs harmless, links them and calls their
/// functions.
///
/// # Panics
///
/// If a promise is broken.
pub fn interpret(contents: &[u8], target: &'static Target) {
    let limited = Limited::new(&SystemAllocator, MEMORY);
    let make = |module: &mut Module<'_>| harmless::make(module, true).is_some();
    let modules = verified(contents, target, &limited, make);
    let context = Context::new(ContextOptions::new(&limited, target, &ENGINE));
    for module in modules {
        // SAFETY: the module is harmless: it uses memory of its own, and calls its own functions
        // alone.
        if unsafe { context.load(module) }.is_err() {
            return;
        }
    }
    // No imported function is called, and no imported memory accessed: any address will do.
    if context.link(&mut |_| Some(0x1000)).is_err() {
        return;
    }
    let modules = (0..context.linked_modules()).filter_map(|number| context.module(number));
    let callables = modules.flat_map(|linked| linked.callables().iter());
    for callable in callables.take(FUNCTIONS) {
        call(&context, callable);
    }
}

/// Calls a function, unless it takes blocks, with values of all kinds.
fn call<'m>(context: &Context<'m>, callable: &Callable<'m>) {
    let Some((linked, func)) = callable.func() else {
        return;
    };
    let module = linked.module();
    let signature = module.func(func).signature;
    let (args, results) = (module.args(&signature), module.results(&signature));
    if args.iter().any(|arg| arg.ty.is_block()) {
        return;
    }
    let values = [0, u64::MAX, 1 << 63, 7];
    let arguments: Vec<Value> = (0..args.len())
        .map(|number| Value::from_u64(values[number % values.len()]))
        .collect();
    let mut results = vec![Value::ZERO; results.len()];
    let options = Options {
        stack: 1 << 20,
        depth: 1000,
        fuel: FUEL.0,
    };
    let Ok(mut interpreter) = Interpreter::new(context, options) else {
        return;
    };
    let mut stopped = interpreter.run(callable, &arguments, &mut results);
    for _ in 0..FUEL.1 {
        match &stopped {
            Err(stop) if stop.reason.can_resume() => {
                interpreter.backtrace(|frame| frame.insn.is_some());
                interpreter.set_fuel(FUEL.0);
                stopped = interpreter.resume(&mut results);
            }
            _ => return,
        }
    }
}

/// Returns whether variables of a module are tied to registers: too few may be left then.
#[must_use]
pub fn ties_registers(module: &Module<'_>) -> bool {
    let mut registers = module.funcs().flat_map(|(_, func)| func.registers());
    registers.any(|register| register.hard_reg.is_some())
}

/// The options of compiling that the first bytes of an input stand for.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    isa: usize,
    level: u8,
    flags: u8,
}

impl Setting {
    /// Takes a setting off the start of an input.
    #[must_use]
    pub fn take(input: &[u8]) -> Option<(Setting, &[u8])> {
        let (&[isa, flags], rest) = input.split_first_chunk()?;
        let setting = Setting {
            isa: usize::from(isa >> 2),
            level: isa & 3,
            flags,
        };
        Some((setting, rest))
    }

    fn has(self, bit: u8) -> bool {
        self.flags & (1 << bit) != 0
    }
}

/// Reads a file that unpacks to what follows a [`Setting`], and compiles its functions for one of
/// `isas` as the setting says, with the proof of register allocations.
///
/// # Panics
///
/// If a promise is broken: a proof fails, or what passed the verifier cannot be compiled for other
/// reasons than its size.
pub fn compile(input: &[u8], isas: &[&'static dyn Backend]) {
    let Some((setting, contents)) = Setting::take(input) else {
        return;
    };
    let isa = isas[setting.isa % isas.len()];
    let limited = Limited::new(&SystemAllocator, MEMORY);
    for verified in verified(contents, isa.target(), &limited, |_| true) {
        compile_module(verified.module(), isa, setting, &limited);
    }
}

fn compile_module<'m>(
    module: &Module<'m>,
    isa: &'m dyn Backend,
    setting: Setting,
    limited: &'m Limited<'m>,
) {
    let mut compiler = Compiler::new(isa, limited);
    compiler.options.level = setting.level;
    compiler.options.check_allocation = true;
    compiler.execution = Execution {
        granularity: match setting.has(0) {
            true => Granularity::Block,
            false => Granularity::Function,
        },
        limits: Limits {
            fuel: match setting.has(1) {
                true => Fuel::Final,
                false => Fuel::Free,
            },
            stack: setting.has(2),
        },
        position_independent: setting.has(3),
        traces: false,
        lines: setting.has(4),
        variables: setting.has(4),
    };
    compiler.options.landing_pads = setting.has(4);
    compiler.options.budget = Budget {
        insns: 100_000,
        memory: Some(limited),
    };
    for (func, function) in module.funcs().take(FUNCTIONS) {
        // Blocks are encoded one at a time by whoever runs them.
        let compiled = match compiler.execution.granularity {
            Granularity::Block => compiler.prepare(module, func),
            Granularity::Function => compiler.compile(module, func).map(|_| ()),
        };
        match compiled {
            Ok(()) => {}
            Err(Error::OutOfMemory | Error::TooLarge | Error::Budget) => {}
            Err(Error::Unsupported) if ties_registers(module) => {}
            Err(error) => {
                let name = module.item(function.item).name;
                let name = name.map_or(&b""[..], |name| module.name_bytes(name));
                let name = String::from_utf8_lossy(name);
                panic!("{} at {setting:?}, {name}: {error}", isa.target().name);
            }
        }
    }
}
