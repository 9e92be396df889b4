//! The `mir` command: see the library, which holds all of it.

fn main() -> std::process::ExitCode {
    mir::main()
}
