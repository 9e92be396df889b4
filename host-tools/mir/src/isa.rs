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

/// One of the five ISAs: its description, and the code generator's backend for it, if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Isa(&'static Target, Option<&'static dyn mir_nostd::target::Isa>);

static ALL: [Isa; 5] = [
    Isa(&target_x86_64::TARGET, Some(&target_x86_64::ISA)),
    Isa(&target_aarch64::TARGET, Some(&target_aarch64::ISA)),
    Isa(&target_ppc64le::TARGET, Some(&target_ppc64le::ISA)),
    Isa(&target_riscv64::TARGET, Some(&target_riscv64::ISA)),
    Isa(&target_s390x::TARGET, Some(&target_s390x::ISA)),
];

impl Isa {
    /// All five, in the order in which results are shown.
    pub(crate) fn all() -> impl Iterator<Item = Isa> {
        ALL.iter().copied()
    }

    /// The machine that this runs on.
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

    /// The code generator's backend.
    pub(crate) fn backend(self) -> Result<&'static dyn mir_nostd::target::Isa, Failure> {
        self.1
            .ok_or_else(|| Failure::Usage(format!("nothing is compiled for {} yet", self.name())))
    }

    pub(crate) const fn name(self) -> &'static str {
        self.0.name
    }
}

/// The gates of the machine that this runs on.
pub(crate) const fn native() -> &'static dyn Native {
    &host::NATIVE
}

/// `--target`, for commands that read programs.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct TargetArg {
    /// The ISA that the program is for: decides long double and hard registers [default: this machine's]
    #[arg(long, value_name = "ISA")]
    target: Option<Isa>,
}

impl TargetArg {
    pub(crate) fn isa(self) -> Isa {
        self.target.unwrap_or_else(Isa::host)
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
