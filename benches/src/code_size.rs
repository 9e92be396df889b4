//! The size of the machine code of the sixteen programs compared with `gcc -O2`, as objects, on the
//! five ISAs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::instructions::{names, run};
use crate::programs::geometric_mean;
use crate::{Bench, Figure};

struct Isa {
    name: &'static str,
    gcc: &'static str,
    /// The figures of levels 2 and 3.
    figures: [&'static str; 2],
}

const ISAS: [Isa; 5] = [
    Isa {
        name: "x86_64",
        gcc: "gcc",
        figures: [
            "machine code, level 2, times gcc -O2",
            "machine code, level 3, times gcc -O2",
        ],
    },
    Isa {
        name: "aarch64",
        gcc: "aarch64-linux-gnu-gcc",
        figures: ["aarch64, the same, level 2", "aarch64, level 3"],
    },
    Isa {
        name: "ppc64le",
        gcc: "powerpc64le-linux-gnu-gcc",
        figures: ["ppc64le, level 2", "ppc64le, level 3"],
    },
    Isa {
        name: "riscv64",
        gcc: "riscv64-linux-gnu-gcc",
        figures: ["riscv64, level 2", "riscv64, level 3"],
    },
    Isa {
        name: "s390x",
        gcc: "s390x-linux-gnu-gcc",
        figures: ["s390x, level 2", "s390x, level 3"],
    },
];

/// Returns the ratio of code sizes to gcc's at levels 2 and 3, for each ISA whose gcc is installed;
/// both leave out private functions that were inlined.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let scratch = bench.root.join("benches/target/size-of-code");
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let mir = bench.mir()?;
    let mut figures = Vec::new();
    for isa in &ISAS {
        let sizes = isa.sizes(&bench.root, mir, &scratch);
        let ratios = sizes.unwrap_or_else(|error| {
            eprintln!("{}: not measured: {error}", isa.name);
            [None; 2]
        });
        for (what, ratio) in isa.figures.into_iter().zip(ratios) {
            figures.push(Figure::most(what, ratio, 1.25, 1.0));
        }
    }
    Ok(figures)
}

impl Isa {
    /// Returns the geometric means at levels 2 and 3.
    fn sizes(&self, root: &Path, mir: &Path, scratch: &Path) -> Result<[Option<f64>; 2], String> {
        let object = scratch.join(format!("{}.o", self.name));
        let mut ratios = [Vec::new(), Vec::new()];
        let mut line = format!("{}, levels 2 and 3:", self.name);
        for name in names(root, self.name)? {
            let source = root.join(format!("corpus/c/{name}.c"));
            let mut gcc = Command::new(self.gcc);
            gcc.args(["-O2", "-w", "-DSMALL", "-c"]).arg(source);
            run(gcc.arg("-o").arg(&object))?;
            let theirs = text_bytes(&object)?;
            line += &format!(" {name}");
            for (level, ratios) in ["-O2", "-O3"].into_iter().zip(&mut ratios) {
                let mut compiled = Command::new(mir);
                compiled.args(["obj", level, "--drop-inlined", "--target", self.name]);
                compiled.arg(self.module(root, &name));
                run(compiled.arg("-o").arg(&object))?;
                let ratio = text_bytes(&object)? / theirs;
                line += &format!(" {ratio:.2}");
                ratios.push(ratio);
            }
        }
        eprintln!("{line}");
        Ok(ratios.map(geometric_mean))
    }

    fn module(&self, root: &Path, name: &str) -> PathBuf {
        root.join(format!("corpus/bmir/{}/{name}.bmir", self.name))
    }
}

/// Returns the length of an object's code, as binutils measure it.
fn text_bytes(object: &Path) -> Result<f64, String> {
    let output = Command::new("size").arg("-A").arg(object).output();
    let output = output.map_err(|error| error.to_string())?.stdout;
    let output = String::from_utf8_lossy(&output).into_owned();
    let sections = output.lines().filter(|line| line.starts_with(".text"));
    let sizes = sections.filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    Ok(sizes.sum())
}
