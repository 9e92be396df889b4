//! The five ISAs and further processors as words of the command line.

use crate::failure::{Failure, Result};
use clap::builder::PossibleValue;
use mir_nostd::codegen::Backend;
use mir_nostd::target::{Description, Target};
use std::sync::LazyLock;
use target_all::Processor;

/// One of the five ISAs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Isa(&'static dyn Backend);

impl Isa {
    /// Returns all five, in the order in which results are shown.
    pub(crate) fn all() -> impl Iterator<Item = Isa> {
        target_all::ISAS.iter().copied().map(Isa)
    }

    /// Returns the ISA of the machine that this runs on.
    pub(crate) fn host() -> Isa {
        Isa(target_all::HOST)
    }

    pub(crate) fn is_host(self) -> bool {
        self.name() == Isa::host().name()
    }

    pub(crate) fn target(self) -> &'static Target {
        self.0.target()
    }

    pub(crate) fn description(self) -> &'static Description {
        self.0.description()
    }

    /// Returns the backend for the base of the ISA.
    pub(crate) fn backend(self) -> &'static dyn Backend {
        self.0
    }

    pub(crate) fn name(self) -> &'static str {
        self.target().name
    }
}

/// Returns the ISA in terms of LLVM's tables.
pub(crate) fn llvm_isa(target: &Target) -> llvm_mir::target::Isa {
    let mut all = llvm_mir::target::Isa::ALL.into_iter();
    let found = all.find(|isa| isa.name() == target.name);
    found.unwrap_or_else(|| unreachable!("LLVM's tables have all five ISAs"))
}

/// `--target`, for commands that read programs.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct TargetArg {
    /// The ISA that the program is for: decides long double and hard registers [default: this
    /// machine's]
    #[arg(long, value_name = "ISA")]
    target: Option<Isa>,
}

impl TargetArg {
    pub(crate) fn isa(self) -> Isa {
        self.target.unwrap_or_else(Isa::host)
    }
}

/// A processor with instructions beyond the base of its ISA.
#[derive(Clone, Copy)]
struct Cpu(&'static Processor);

/// `--cpu`, for commands that generate code.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct CpuArg {
    /// The processor that the code is for, where it may use more than all of the ISA have
    #[arg(long, value_name = "CPU")]
    cpu: Option<Cpu>,
}

impl CpuArg {
    /// Returns the backend for the processor, or for the base of the ISA if none is named.
    pub(crate) fn backend(self, isa: Isa) -> Result<&'static dyn Backend> {
        let Some(Cpu(processor)) = self.cpu else {
            return Ok(isa.backend());
        };
        let of = processor.backend.target().name;
        if of == isa.name() {
            return Ok(processor.backend);
        }
        let problem = format!(
            "--cpu {} is a processor of {of}, not of {}",
            processor.name,
            isa.name()
        );
        Err(Failure::Usage(problem))
    }

    /// Returns the backend for the processor, which must be this machine's.
    pub(crate) fn host_backend(self) -> Result<&'static dyn Backend> {
        let backend = self.backend(Isa::host())?;
        match self.name() {
            Some(name) if !is_this_machine(name) => {
                let problem = format!("--cpu {name}: this machine has no such processor");
                Err(Failure::Usage(problem))
            }
            _ => Ok(backend),
        }
    }

    /// Returns the name that was given.
    pub(crate) fn name(self) -> Option<&'static str> {
        self.cpu.map(|Cpu(processor)| processor.name)
    }
}

/// True if this machine has the instructions of a processor of its ISA.
fn is_this_machine(cpu: &str) -> bool {
    /// The bit for the Large System Extensions of aarch64 in the kernel's word of capabilities.
    const LSE: u64 = 0x100;
    /// The bit for version 3.1 of the Power ISA in the kernel's second word of capabilities.
    const ARCH_3_1: u64 = 0x0004_0000;
    let (word, bit) = match cpu {
        "neoverse-n1" => (libc::AT_HWCAP, LSE),
        "power10" => (libc::AT_HWCAP2, ARCH_3_1),
        _ => return false,
    };
    // SAFETY: reads a number that the kernel gave this process.
    let capabilities = unsafe { libc::getauxval(word) };
    capabilities & bit != 0
}

impl clap::ValueEnum for Cpu {
    fn value_variants<'a>() -> &'a [Cpu] {
        static ALL: LazyLock<Vec<Cpu>> =
            LazyLock::new(|| target_all::PROCESSORS.iter().map(Cpu).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name).help(self.0.description))
    }
}

impl clap::ValueEnum for Isa {
    fn value_variants<'a>() -> &'a [Isa] {
        static ALL: LazyLock<Vec<Isa>> = LazyLock::new(|| Isa::all().collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}
