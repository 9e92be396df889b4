//! `cargo xtask install-capi`: the C library with its header, and what pkg-config and CMake need to
//! find it.

use std::path::{Path, PathBuf};

use crate::{capi, tool};

/// `cargo xtask install-capi`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The directory that gets `include` and `lib`
    #[arg(long)]
    prefix: PathBuf,
    /// Rust's target triple, bare ones included; without it this machine's
    #[arg(long)]
    target: Option<String>,
    /// Leave the library's default features out: an interpreter that reads binary
    #[arg(long)]
    no_default_features: bool,
    /// The library's features, of those in capi/Cargo.toml
    #[arg(long, value_delimiter = ',')]
    features: Vec<String>,
}

/// Builds the library and installs it.
///
/// # Errors
/// Says what does not build or cannot be written.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let triple = match &args.target {
        Some(triple) => triple.clone(),
        None => capi::host_triple(),
    };
    let mut cargo = capi::build(&triple);
    cargo.args(args.no_default_features.then_some("--no-default-features"));
    cargo.args(["--features", &args.features.join(",")]);
    tool::succeed(&mut cargo)?;
    install(&args.prefix, &capi::library(&triple))?;
    println!("installed in {}", args.prefix.display());
    Ok(())
}

/// Installs a library that is built.
///
/// # Errors
/// Says what cannot be read or written.
pub(crate) fn install(prefix: &Path, library: &Path) -> Result<(), String> {
    let header = capi::directory().join("include/mir_nostd.h");
    copy(&header, &prefix.join("include/mir_nostd.h"))?;
    copy(library, &prefix.join("lib/libmir_nostd.a"))?;
    let package = prefix.join("lib/cmake/mir-nostd");
    for (template, path) in [
        ("mir-nostd.pc.in", prefix.join("lib/pkgconfig/mir-nostd.pc")),
        (
            "mir-nostd-config.cmake.in",
            package.join("mir-nostd-config.cmake"),
        ),
        (
            "mir-nostd-config-version.cmake.in",
            package.join("mir-nostd-config-version.cmake"),
        ),
    ] {
        let template = capi::directory().join("install").join(template);
        let text = std::fs::read_to_string(&template);
        let text = text.map_err(|error| format!("{}: {error}", template.display()))?;
        write(&path, text.replace("@VERSION@", &version()?).as_bytes())?;
    }
    Ok(())
}

/// Returns the version of the interface.
fn version() -> Result<String, String> {
    let manifest = capi::directory().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap_or_default();
    let mut lines = text.lines();
    let version = lines.find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    version
        .map(String::from)
        .ok_or_else(|| format!("{}: no version", manifest.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let bytes = std::fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    write(to, &bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let directory = path.parent().unwrap_or(path);
    let made = std::fs::create_dir_all(directory);
    made.and_then(|()| std::fs::write(path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}
