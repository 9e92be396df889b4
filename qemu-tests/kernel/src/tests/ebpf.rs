//! Tests of a front end: the packet filter of `examples/ebpf`, interpreted and compiled.

use crate::memory::heap;
use crate::pages::pages;
use crate::report::Report;
use crate::run::{self, Failure};
use crate::{arch, arch::NATIVE};
use example_ebpf::run::Program;
use example_ebpf::{Helpers, translate};
use mir_nostd::ir::{Error, Problem};
use mir_nostd::link::HostError;
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::Value;

#[cfg(target_endian = "little")]
static FILTER: &[u8] = include_bytes!("../../../../examples/ebpf/filter/filter.bpfel");
#[cfg(target_endian = "big")]
static FILTER: &[u8] = include_bytes!("../../../../examples/ebpf/filter/filter.bpfeb");

/// The helper that the filter tells what it drops.
const REPORT: u32 = 1;

/// The helper ends the run for packets of the protocol 0.
static REFUSE: fn(&[Value], &mut [Value]) -> Result<(), HostError> = |arguments, results| {
    results[0] = Value::ZERO;
    match arguments[1].u64() {
        0 => Err(HostError(7)),
        _ => Ok(()),
    }
};

/// Runs the filter in each engine.
pub fn ebpf(report: &mut Report) {
    let used = (heap().used(), pages().used());
    for backend in [None, arch::BACKEND] {
        let engine = backend.map_or("interpreted", |_| "compiled");
        let verdicts = verdicts(backend);
        let good = matches!(verdicts, Ok([Some(1), Some(0), None]));
        let clean = used == (heap().used(), pages().used());
        report.test(
            format_args!("eBPF {engine}"),
            good && clean,
            format_args!("{:?}", verdicts.ok()),
        );
    }
}

/// Returns what the filter says of ARP, of a damaged packet, and of a protocol for which the helper
/// ends the run.
fn verdicts(
    backend: Option<&'static dyn mir_nostd::codegen::Backend>,
) -> Result<[Option<u64>; 3], Failure> {
    let context = run::context_with_pages(heap())?;
    let module = translate(FILTER, Helpers(&[REPORT]), &arch::TARGET, heap());
    let module = module.map_err(|_| Error::new(Problem::OutOfMemory))?;
    // SAFETY: the filter keeps to the packet that it is given.
    let mut program = unsafe { Program::load(&context, module, &[(REPORT, &REFUSE)])? };
    if let Some(backend) = backend {
        let jit = Jit::new(&context, backend, &NATIVE, pages(), Options::default());
        let compiled = jit.and_then(|jit| program.compile(jit));
        compiled.map_err(|_| Failure::Uncompiled(1))?;
    }
    Ok([[8, 6], [8, 0], [0, 0]].map(|protocol| {
        let mut packet = [0x45; 60];
        packet[12..14].copy_from_slice(&protocol);
        program.run(&mut packet).ok()
    }))
}
