//! The ways in which a program is run: one row each.

/// The part of the project that runs the imported program.
#[derive(Clone, Copy)]
pub(super) enum Engine {
    /// `mir run` with these options.
    Run(&'static [&'static str]),
    /// Objects of `mir obj` at this level, linked by the ISA's gcc.
    Objects(&'static str),
}

/// A way of running.
pub(super) struct Way {
    pub(super) name: &'static str,
    pub(super) engine: Engine,
}

impl Way {
    /// True if the ISA's `mir` runs the program; objects run without one.
    pub(super) fn needs_runner(&self) -> bool {
        matches!(self.engine, Engine::Run(_))
    }
}

const fn run(name: &'static str, options: &'static [&'static str]) -> Way {
    Way {
        name,
        engine: Engine::Run(options),
    }
}

const fn objects(name: &'static str, level: &'static str) -> Way {
    Way {
        name,
        engine: Engine::Objects(level),
    }
}

/// Every way, in the order of the table's columns.
pub(super) static WAYS: [Way; 9] = [
    run("interp", &["--interp"]),
    run("O0", &["--jit", "-O0"]),
    run("O2", &["--jit", "-O2"]),
    run("O3", &["--jit", "-O3"]),
    run("lazy", &["--lazy", "-O2"]),
    run("blocks", &["--lazy-bb", "-O2"]),
    objects("obj-O0", "-O0"),
    objects("obj-O2", "-O2"),
    objects("obj-O3", "-O3"),
];
