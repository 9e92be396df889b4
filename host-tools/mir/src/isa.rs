//! The five ISAs: their descriptions, and the machine that this runs on.

use crate::failure::Failure;
use clap::builder::PossibleValue;
use mir_nostd::target::{Native, Target};

#[cfg(target_arch = "aarch64")]
use target_aarch64 as host;
#[cfg(target_arch = "powerpc64")]
use target_ppc64le as host;
#[cfg(target_arch = "riscv64")]
use target_riscv64 as host;
#[cfg(target_arch = "s390x")]
use target_s390x as host;
#[cfg(target_arch = "x86_64")]
use target_x86_64 as host;

/// One of the five ISAs: its description, and its backend of the code generator, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Isa(
    &'static Target,
    Option<&'static dyn mir_nostd::codegen::Backend>,
);

static ALL: [Isa; 5] = [
    Isa(&target_x86_64::TARGET, Some(&target_x86_64::ISA)),
    Isa(&target_aarch64::TARGET, Some(&target_aarch64::ISA)),
    Isa(&target_ppc64le::TARGET, Some(&target_ppc64le::ISA)),
    Isa(&target_riscv64::TARGET, Some(&target_riscv64::ISA)),
    Isa(&target_s390x::TARGET, Some(&target_s390x::ISA)),
];

impl Isa {
    /// Returns all five, in the order in which results are shown.
    pub(crate) fn all() -> impl Iterator<Item = Isa> {
        ALL.iter().copied()
    }

    /// Returns the ISA of the machine that this runs on.
    pub(crate) fn host() -> Isa {
        let mut all = Isa::all();
        all.find(|isa| isa.name() == host::TARGET.name)
            .unwrap_or(Isa(&host::TARGET, None))
    }

    pub(crate) fn is_host(self) -> bool {
        self.name() == Isa::host().name()
    }

    pub(crate) const fn target(self) -> &'static Target {
        self.0
    }

    /// Returns the backend of the code generator.
    pub(crate) fn backend(self) -> Result<&'static dyn mir_nostd::codegen::Backend, Failure> {
        self.1
            .ok_or_else(|| Failure::Usage(format!("nothing is compiled for {} yet", self.name())))
    }

    pub(crate) const fn name(self) -> &'static str {
        self.0.name
    }
}

/// Returns the gates of the machine that this runs on.
pub(crate) const fn native() -> &'static dyn Native {
    &host::NATIVE
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
struct Cpu {
    name: &'static str,
    isa: &'static str,
    backend: &'static dyn mir_nostd::codegen::Backend,
}

static CPUS: [Cpu; 1] = [Cpu {
    name: "power10",
    isa: "ppc64le",
    backend: &target_ppc64le::POWER10,
}];

/// `--cpu`, for commands that generate code.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct CpuArg {
    /// The processor that the code is for, where it may use more than all of the ISA have
    #[arg(long, value_name = "CPU")]
    cpu: Option<Cpu>,
}

impl CpuArg {
    /// Returns the backend for the processor, or for the base of the ISA if none is named.
    pub(crate) fn backend(
        self,
        isa: Isa,
    ) -> Result<&'static dyn mir_nostd::codegen::Backend, Failure> {
        match self.cpu {
            None => isa.backend(),
            Some(cpu) if cpu.isa == isa.name() => Ok(cpu.backend),
            Some(Cpu {
                name, isa: other, ..
            }) => {
                let isa = isa.name();
                let problem = format!("--cpu {name} is a processor of {other}, not of {isa}");
                Err(Failure::Usage(problem))
            }
        }
    }

    /// Returns the backend for the processor, which must be this machine's.
    pub(crate) fn host_backend(self) -> Result<&'static dyn mir_nostd::codegen::Backend, Failure> {
        let backend = self.backend(Isa::host())?;
        if self.cpu.is_some() && !is_power10() {
            let problem = "--cpu power10: this machine has no such processor";
            return Err(Failure::Usage(problem.into()));
        }
        Ok(backend)
    }

    /// Returns the name that was given.
    pub(crate) fn name(self) -> Option<&'static str> {
        self.cpu.map(|cpu| cpu.name)
    }
}

/// True if this machine has the instructions of POWER10.
fn is_power10() -> bool {
    /// The bit for version 3.1 of the Power ISA in the kernel's second word of capabilities.
    const ARCH_3_1: u64 = 0x0004_0000;
    // SAFETY: reads a number that the kernel gave this process.
    let capabilities = unsafe { libc::getauxval(libc::AT_HWCAP2) };
    cfg!(target_arch = "powerpc64") && capabilities & ARCH_3_1 != 0
}

impl clap::ValueEnum for Cpu {
    fn value_variants<'a>() -> &'a [Cpu] {
        &CPUS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = "ppc64le with instructions that have prefixes";
        Some(PossibleValue::new(self.name).help(help))
    }
}

impl clap::ValueEnum for Isa {
    fn value_variants<'a>() -> &'a [Isa] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}
