//! A farm on one machine: a remote execution service (`BuildGrid`) with two workers builds programs
//! by `mir obj`. All that it needs is installed into a directory of the build's.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build_systems::{PROGRAMS, host_mir, write_programs};
use crate::{command, tool, workspace};

const LIMIT: Duration = Duration::from_secs(10 * 60);

/// The service, and its way to its database.
const PACKAGES: [&str; 2] = ["buildgrid==0.4.4", "psycopg2-binary"];

/// Debian's packages of the database.
const DATABASE: [&str; 2] = ["postgresql-15", "libpq5"];

/// Builds the command, installs what is missing, and runs the farm.
///
/// # Errors
/// Says what could not be installed, or that the farm did not do what it must.
pub(crate) fn run() -> Result<(), String> {
    let mir = host_mir()?;
    let home = workspace::target().join("remote");
    fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    let python = service(&home)?;
    let database = database(&home)?;
    // Names of sockets are short, and another user than root makes the database in there.
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let [place, programs] = ["farm", "programs"].map(|name| scratch.path().join(name));
    for directory in [&place, &programs] {
        fs::create_dir(directory).map_err(|error| error.to_string())?;
    }
    open_to_all(scratch.path())?;
    open_to_all(&place)?;
    write_programs(&programs, PROGRAMS)?;
    let script = workspace::root().join("host-tools/xtask/remote/farm.py");
    let mut farm = Command::new(python);
    tool::succeed(farm.arg(script).args([&mir, &programs, &place, &database]))
}

/// Lets every user of the machine make files in a directory.
fn open_to_all(directory: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let all = fs::Permissions::from_mode(0o777);
    fs::set_permissions(directory, all).map_err(|error| error.to_string())
}

/// Installs the service; returns the Python that has it.
fn service(home: &Path) -> Result<PathBuf, String> {
    let place = home.join("python");
    let python = place.join("bin/python");
    if !place.join("bin/bgd").exists() {
        let mut make = Command::new("python3");
        command::succeed(make.args(["-m", "venv"]).arg(&place), LIMIT)?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet"]).args(PACKAGES);
        command::succeed(&mut pip, LIMIT)?;
    }
    Ok(python)
}

/// Unpacks the database; returns the directory of its commands.
fn database(home: &Path) -> Result<PathBuf, String> {
    let place = home.join("postgresql");
    let commands = place.join("usr/lib/postgresql/15/bin");
    if !commands.join("initdb").exists() {
        let mut get = Command::new("apt-get");
        get.arg("download").args(DATABASE).current_dir(home);
        command::succeed(&mut get, LIMIT)?;
        let files = fs::read_dir(home).map_err(|error| error.to_string())?;
        let files = files.flatten().map(|file| file.path());
        for package in files.filter(|file| file.extension().is_some_and(|it| it == "deb")) {
            let mut unpack = Command::new("dpkg-deb");
            command::succeed(unpack.arg("-x").args([&package, &place]), LIMIT)?;
        }
    }
    Ok(commands)
}
