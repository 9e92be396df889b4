//! The programs of the repository compile for every ISA, whatever machine this is: each allocation
//! is proven, and nothing is left out.

use mir_nostd::codegen::Backend;
use mir_nostd::codegen::{Compiler, Error, Fuel, Limits};
use mir_nostd::ir::Module;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use testkit::{SystemAllocator, seeds};

/// Compiles a module's functions at a level; with `extras` with all that is optional.
fn compile(
    module: &Module<'_>,
    isa: &dyn Backend,
    level: u8,
    extras: bool,
) -> Result<usize, String> {
    let mut compiler = Compiler::new(isa, &SystemAllocator);
    compiler.options.level = level;
    compiler.options.check_allocation = true;
    compiler.execution.limits = Limits {
        fuel: match extras {
            true => Fuel::Granted,
            false => Fuel::Free,
        },
        stack: extras,
    };
    compiler.options.landing_pads = extras;
    compiler.execution.position_independent = !extras;
    for (func, _) in module.funcs() {
        match compiler.compile(module, func) {
            Ok(_) => {}
            // Frames have a limit if the stack has one.
            Err(Error::TooLarge) if extras => {}
            Err(error) => return Err(format!("{func:?}: {error}")),
        }
    }
    Ok(module.funcs().count())
}

/// Compiles the texts for an ISA, each at two levels, one of them with all that is optional.
fn compile_all(isa: &dyn Backend) {
    let target = isa.target();
    let mut functions = 0;
    for (number, source) in (0..).zip(seeds::texts()) {
        let parsed = text::parse(&source, &SystemAllocator, target.long_double, &mut |_| {});
        let Ok(mut modules) = parsed else { continue };
        while let Some(module) = modules.pop() {
            // Some are wrong, or for another ISA, by intent.
            let Ok(verified) = Verified::new(module, target, &mut |_| {}) else {
                continue;
            };
            for (level, extras) in [(number % 2, number % 4 < 2), (2 + number % 2, false)] {
                let compiled = compile(verified.module(), isa, level, extras);
                let failed =
                    |error| panic!("{}, text {number}, level {level}: {error}", target.name);
                functions += compiled.unwrap_or_else(failed);
            }
        }
    }
    assert!(functions > 1000, "{functions}");
}

macro_rules! tests {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            let backend = target_all::backend(name);
            // Names of processors have hyphens.
            let backend = backend.or_else(|| target_all::backend(&name.replace('_', "-")));
            compile_all(backend.unwrap());
        }
    )*};
}
tests! { x86_64 aarch64 neoverse_n1 ppc64le power10 riscv64 s390x }
