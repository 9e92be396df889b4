//! Measures confined programs beside WebAssembly: the same C, compiled by clang to wasm32 and to
//! LLVM IR that is imported, in `wasmi` and `wasmtime` and in our interpreter and compiler. All
//! check each access by code and take fuel; the C library is the same code (`wasm/libc.c`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{cpu_seconds, geometric_mean};
use crate::{Bench, Figure};

/// The options of clang for all programs.
const FLAGS: [&str; 9] = [
    "-O2",
    "-w",
    "-nostdinc",
    "-fno-builtin",
    "-fsigned-char",
    "-ffp-contract=off",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-o",
];

/// The program whose output depends on the bits of `long`, which are 32 in wasm32.
const NOT_WASM: &str = "methods";

/// The memory of a confined program.
const MEMORY: &str = "--confined=128M";

/// Measures each engine with each program, loading and compiling included.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let (programs, mir, runs) = (bench.programs()?, bench.mir()?, bench.runs);
    let peers = build_peers(&bench.root)?;
    let scratch = bench.root.join("benches/target/wasm");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let made = Made {
        root: &bench.root,
        scratch: &scratch,
        mir,
    };
    let library = made.imported("libc", &bench.root.join("benches/wasm/libc.c"))?;
    let mut rows = Vec::new();
    for program in programs.iter().filter(|program| program.name != NOT_WASM) {
        let source = bench.root.join(format!("corpus/c/{}.c", program.name));
        let wasm = made.wasm(&program.name, &source)?;
        let module = made.imported(&program.name, &source)?;
        let peer = |engine: &str| {
            let mut command = Command::new(&peers);
            cpu_seconds(command.arg(engine).arg(&wasm), &program.expected, runs)
        };
        let own = |options: &[&str]| {
            let mut command = Command::new(mir);
            command.args(["run", MEMORY]).args(options);
            cpu_seconds(command.args([&module, &library]), &program.expected, runs)
        };
        let seconds = [
            own(&["--interp"])?,
            peer("wasmi")?,
            own(&["--jit", "-O3"])?,
            peer("wasmtime")?,
        ];
        let shown = seconds.map(|seconds| format!("{seconds:8.2}")).concat();
        eprintln!(
            "{:10} interpreter, wasmi, level 3, wasmtime, s: {shown}",
            program.name
        );
        rows.push(seconds);
    }
    let mean =
        |own: usize, peer: usize| geometric_mean(rows.iter().map(|row| row[own] / row[peer]));
    Ok(vec![
        Figure::most("confined interpreter, times wasmi", mean(0, 1), 1.0, 1.0),
        Figure::most("confined level 3, times wasmtime", mean(2, 3), 1.0, 1.0),
    ])
}

/// Builds the command that runs WebAssembly.
fn build_peers(root: &Path) -> Result<PathBuf, String> {
    let directory = root.join("benches");
    let arguments = ["build", "--quiet", "--release", "--package", "bench-wasm"];
    succeed(
        Command::new("cargo")
            .current_dir(&directory)
            .args(arguments),
    )?;
    Ok(directory.join("target/release/bench-wasm"))
}

/// The places of what is made.
struct Made<'a> {
    root: &'a Path,
    scratch: &'a Path,
    mir: &'a Path,
}

impl Made<'_> {
    /// Compiles C to a file for a target.
    fn compiled(
        &self,
        target: &str,
        options: &[&str],
        from: &Path,
        to: &Path,
    ) -> Result<(), String> {
        let mut clang = Command::new("clang-22");
        let resources = Command::new("clang-22").arg("-print-resource-dir").output();
        let resources = resources
            .map_err(|error| format!("clang-22: {error}"))?
            .stdout;
        let resources = String::from_utf8_lossy(&resources).trim().to_string();
        clang.arg(format!("--target={target}")).args(options);
        clang
            .arg("-isystem")
            .arg(Path::new(&resources).join("include"));
        clang.arg("-I").arg(self.root.join("benches/wasm/include"));
        succeed(clang.args(FLAGS).arg(to).arg(from))
    }

    /// Returns a program as WebAssembly, with the library.
    fn wasm(&self, name: &str, source: &Path) -> Result<PathBuf, String> {
        let [object, library, linked] = ["o", "libc.o", "wasm"]
            .map(|extension| self.scratch.join(format!("{name}.{extension}")));
        // The library calls it by this name.
        let options = ["-c", "-Dmain=program"];
        self.compiled("wasm32", &options, source, &object)?;
        let libc = self.root.join("benches/wasm/libc.c");
        self.compiled("wasm32", &options, &libc, &library)?;
        let mut link = Command::new("wasm-ld-22");
        link.args([
            "--no-entry",
            "--allow-undefined",
            "-z",
            "stack-size=1048576",
        ]);
        succeed(link.args([&object, &library]).arg("-o").arg(&linked))?;
        Ok(linked)
    }

    /// Returns a program as Medium IR.
    fn imported(&self, name: &str, source: &Path) -> Result<PathBuf, String> {
        let text = self.scratch.join(format!("{name}.ll"));
        let module = self.scratch.join(format!("{name}.bmir"));
        let options = ["-S", "-emit-llvm"];
        self.compiled("x86_64-linux-gnu", &options, source, &text)?;
        let mut import = Command::new(self.mir);
        import.args(["import", "--target", "x86_64"]);
        succeed(import.arg(&text).arg("-o").arg(&module))?;
        Ok(module)
    }
}

fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
