//! Tests of a front end: the packet filter of `examples/ebpf`, interpreted and compiled.

use crate::arch;
use crate::confined::{self, Import, Limits, Way};
use crate::memory::heap;
use crate::pages::pages;
use crate::report::Report;
use crate::run::Failure;
use example_ebpf::run::{OPTIONS, Program};
use example_ebpf::{Helpers, translate};
use mir_nostd::confined::{LEAST_BYTES, Space};
use mir_nostd::ir::{Error, Problem};
use mir_nostd::link::{HostError, Reason};
use mir_nostd::target::Value;

#[cfg(target_endian = "little")]
static FILTER: &[u8] = include_bytes!("../../../../examples/ebpf/filter/filter.bpfel");
#[cfg(target_endian = "big")]
static FILTER: &[u8] = include_bytes!("../../../../examples/ebpf/filter/filter.bpfeb");

/// The helper that the filter tells what it drops.
const REPORT: u32 = 1;

/// The helper ends the run for packets of the protocol 0.
static REFUSE: Import = |_, arguments, results| {
    results[0] = Value::ZERO;
    match arguments[1].u64() {
        0 => Err(HostError(7)),
        _ => Ok(()),
    }
};

/// Runs the filter in each engine.
pub fn ebpf(report: &mut Report) {
    let used = (heap().used(), pages().used());
    for way in Way::all() {
        let verdicts = verdicts(way);
        let refused = Err(Reason::Host(HostError(7)));
        let good = matches!(&verdicts, Ok(found) if *found == ([Ok(1), Ok(0), refused], 2));
        let clean = used == (heap().used(), pages().used());
        report.test(
            format_args!("eBPF {way}"),
            good && clean,
            format_args!("{:?}", verdicts.ok()),
        );
    }
}

/// Returns what the filter says of ARP, of a damaged packet, and of a protocol for which the helper
/// ends the run; and how many packets it has counted as dropped.
fn verdicts(way: Way) -> Result<([Result<u64, Reason>; 3], u64), Failure> {
    let limits = Limits::new();
    let mut memory = [0; LEAST_BYTES];
    let space = Space::new(heap(), &mut memory, OPTIONS)?;
    let context = confined::context();
    let module = translate(FILTER, Helpers(&[REPORT]), &arch::TARGET, heap());
    let module = module.map_err(|_| Error::new(Problem::OutOfMemory))?;
    let mut program = Program::load(&context, &space, module, &[(REPORT, &REFUSE)])?;
    if let Some(jit) = way.compiler(&context, &limits)? {
        let compiled = program.compile(jit, &limits.fuel);
        compiled.map_err(|_| Failure::Uncompiled(1))?;
    }
    let mut counts = [23_u64.to_ne_bytes(), [0; 8]];
    let verdicts = [[8, 6], [8, 0], [0, 0]].map(|protocol| {
        let mut packet = [0x45; 60];
        packet[12..14].copy_from_slice(&protocol);
        let verdict = program.run(&mut packet, counts.as_flattened_mut(), 1000);
        verdict.map_err(|fault| fault.reason)
    });
    Ok((verdicts, u64::from_ne_bytes(counts[1])))
}
