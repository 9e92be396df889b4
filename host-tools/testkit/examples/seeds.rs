//! Writes the inputs that a fuzz target begins with into a directory: `seeds TARGET DIRECTORY MIR`,
//! where MIR is the `mir` command.
#![expect(clippy::unwrap_used, reason = "what fails here is a tool for tests")]

use std::fs;
use std::path::Path;
use std::process::Command;
use target_all::ISAS;
use testkit::seeds;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [target, directory, mir] = &words[..] else {
        panic!("seeds TARGET DIRECTORY MIR");
    };
    let seeds = match target.as_str() {
        "text" => seeds::texts(),
        "binary" => seeds::binaries(),
        "contents" | "interpret" => seeds::contents(),
        "compile" => seeds::settings(ISAS.len()),
        "confined" => seeds::confined(),
        "image" => [seeds::images(), images(mir)].concat(),
        "llvm_ir" => [seeds::llvm_ir(), llvm_files(".gisel-irtranslator.")].concat(),
        "machine_ir" => llvm_files(".mir"),
        "stages" => stages(mir),
        other => panic!("there are no seeds for {other}"),
    };
    fs::create_dir_all(directory).unwrap();
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(Path::new(directory).join(format!("seed-{number}")), seed).unwrap();
    }
    println!("{} seeds", seeds.len());
}

/// Returns the short files of LLVM's Machine IR with this in their names.
fn llvm_files(name: &str) -> Vec<Vec<u8>> {
    let files = testkit::llvm::files().iter();
    let files = files.filter(|(path, text)| path.contains(name) && text.len() < 20_000);
    files.map(|(_, text)| text.clone()).collect()
}

/// Returns images of short programs of the corpus, for each machine at one of the levels, every
/// second one confined.
fn images(mir: &str) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, program) in seeds::paths(&["corpus/handwritten"], "mir")
        .iter()
        .enumerate()
    {
        let isa = ISAS[number % ISAS.len()];
        let mut command = Command::new(mir);
        command.args(["image", "--target", isa.target().name]);
        command.arg(format!("-O{}", number % 4));
        if number % 2 == 0 {
            command.arg("--confined=64K");
        }
        let output = command.arg(program).args(["-o", "-"]).output().unwrap();
        if output.status.success() && output.stdout.len() < 30_000 {
            seeds.push(output.stdout);
        }
    }
    seeds
}

/// Returns the output of `mir machine` for short programs after selection, after the bytes that say
/// how to go on.
fn stages(mir: &str) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for program in seeds::paths(&["filetests/run", "corpus/handwritten"], "mir") {
        for (number, isa) in (0..).zip(ISAS) {
            let level = seeds.len() as u8 % 4;
            let output = Command::new(mir)
                .args([
                    "machine",
                    "--stop-after=select",
                    "--target",
                    isa.target().name,
                ])
                .arg(format!("-O{level}"))
                .arg(&program)
                .output()
                .unwrap();
            if output.status.success() && output.stdout.len() < 30_000 {
                seeds.push([&[4 * number + level, 0][..], &output.stdout].concat());
            }
        }
    }
    seeds
}
