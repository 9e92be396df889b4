//! Target triples and data layouts.

use super::Isa;

/// A target triple as it is written, and the target that it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Triple {
    /// The text; if it has several parts, all four.
    pub text: String,
    /// The target.
    pub isa: Isa,
}

impl Triple {
    /// Returns the triple of this text, if it is for one of the five targets.
    #[must_use]
    pub fn parse(text: &str) -> Option<Triple> {
        let arch = text.split('-').next().unwrap_or("");
        let isa = match arch {
            "x86_64" | "amd64" => Isa::X86_64,
            "aarch64" | "arm64" => Isa::Aarch64,
            "powerpc64le" | "ppc64le" => Isa::Ppc64le,
            "riscv64" => Isa::Riscv64,
            "s390x" | "systemz" => Isa::S390x,
            _ => return None,
        };
        Some(Triple {
            text: normalised(text),
            isa,
        })
    }

    /// Returns the triple of an ISA on Linux.
    #[must_use]
    pub fn of(isa: Isa) -> Triple {
        let text = match isa {
            Isa::X86_64 => "x86_64-unknown-linux-gnu",
            Isa::Aarch64 => "aarch64-unknown-linux-gnu",
            Isa::Ppc64le => "powerpc64le-unknown-linux-gnu",
            Isa::Riscv64 => "riscv64-unknown-linux-gnu",
            Isa::S390x => "s390x-unknown-linux-gnu",
        };
        Triple {
            text: text.into(),
            isa,
        }
    }
}

impl Isa {
    /// Returns the target of the machine that this runs on, if it is one of the five.
    #[must_use]
    pub fn host() -> Option<Isa> {
        match std::env::consts::ARCH {
            "x86_64" => Some(Isa::X86_64),
            "aarch64" => Some(Isa::Aarch64),
            "powerpc64" if cfg!(target_endian = "little") => Some(Isa::Ppc64le),
            "riscv64" => Some(Isa::Riscv64),
            "s390x" => Some(Isa::S390x),
            _ => None,
        }
    }

    /// Returns the target that LLVM's `-march` names.
    #[must_use]
    pub fn of_llvm(name: &str) -> Option<Isa> {
        match name {
            "x86-64" => Some(Isa::X86_64),
            "aarch64" | "arm64" => Some(Isa::Aarch64),
            "ppc64le" => Some(Isa::Ppc64le),
            "riscv64" => Some(Isa::Riscv64),
            "systemz" => Some(Isa::S390x),
            _ => None,
        }
    }
}

/// Adds the vendor if it is missing between architecture and system.
fn normalised(text: &str) -> String {
    let parts: Vec<&str> = text.split('-').collect();
    match parts[..] {
        [arch, system @ ("linux" | "none"), environment] => {
            format!("{arch}-unknown-{system}-{environment}")
        }
        [arch, system] if system == "linux" => format!("{arch}-unknown-{system}"),
        _ => text.into(),
    }
}

/// Returns LLVM's data layout of a target on Linux.
#[must_use]
pub fn data_layout(isa: Isa) -> &'static str {
    match isa {
        Isa::X86_64 => {
            "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
        }
        Isa::Aarch64 => {
            "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
        }
        Isa::Ppc64le => "e-m:e-Fn32-i64:64-i128:128-n32:64-S128-v256:256:256-v512:512:512",
        Isa::Riscv64 => "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
        Isa::S390x => "E-m:e-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triples_get_the_vendor_that_they_lack() {
        for (given, normal) in [
            ("x86_64-linux-gnu", "x86_64-unknown-linux-gnu"),
            ("aarch64-none-elf", "aarch64-unknown-none-elf"),
            ("s390x-ibm-linux", "s390x-ibm-linux"),
            ("riscv64", "riscv64"),
        ] {
            assert_eq!(
                Triple::parse(given).map(|triple| triple.text).as_deref(),
                Some(normal)
            );
        }
        assert_eq!(Triple::parse("sparc-linux-gnu"), None);
    }
}
