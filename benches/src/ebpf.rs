//! eBPF through `examples/ebpf` beside the compilers for x86_64 of the crates `rbpf` and
//! `solana-sbpf`: the same programs, in one process. `rbpf` compiles without any checks; code of
//! `solana-sbpf` checks each access and counts instructions, as ours does.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::Arc;
use std::time::Instant;

use example_ebpf::run::{OPTIONS, Program};
use example_ebpf::{Helpers, translate};
use mir_host::{HostPages, SystemAllocator};
use mir_nostd::confined::Space;
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::run::{Jit, Options};
use rbpf::EbpfVmRaw;
use solana_sbpf::aligned_memory::AlignedMemory;
use solana_sbpf::ebpf::{HOST_ALIGN, MM_INPUT_START, MM_STACK_START};
use solana_sbpf::elf::Executable;
use solana_sbpf::memory_region::{MemoryMapping, MemoryRegion};
use solana_sbpf::program::{BuiltinProgram, FunctionRegistry, SBPFVersion};
use solana_sbpf::verifier::RequisiteVerifier;
use solana_sbpf::vm::{ContextObject, EbpfVm, ExecutionMode};
use target_x86_64::{ISA, NATIVE, TARGET};

use crate::programs::geometric_mean;
use crate::{Bench, Figure};

/// The programs: `ebpf/programs.c`, compiled by clang.
const PROGRAMS: [(&str, &[u8]); 5] = [
    ("checksum", include_bytes!("../ebpf/checksum.bpf")),
    ("hash", include_bytes!("../ebpf/hash.bpf")),
    ("count", include_bytes!("../ebpf/count.bpf")),
    ("sieve", include_bytes!("../ebpf/sieve.bpf")),
    ("divide", include_bytes!("../ebpf/divide.bpf")),
];

/// The bytes that a program works on.
const LENGTH: usize = 64 << 10;

/// The times that each program is compiled and run, for each of `runs`.
const REPETITIONS: usize = 20;

/// The microseconds for compiling and for running a program, and its result.
struct Cost {
    compile: f64,
    run: f64,
    result: u64,
}

/// A compiler: compiles a program and runs it on memory.
type Compiler = fn(&[u8], &mut [u8]) -> Result<Cost, String>;

const LEVELS: [Compiler; 4] = [at_level::<0>, at_level::<1>, at_level::<2>, at_level::<3>];
const OTHERS: [Compiler; 2] = [through_rbpf, through_solana];

/// The names of figures for each level: run time, then compile time, each against the others.
const FIGURES: [[&str; 4]; 4] = [
    [
        "eBPF level 0, times rbpf",
        "eBPF level 0, times solana-sbpf",
        "eBPF compile at 0, times rbpf",
        "eBPF compile at 0, times solana-sbpf",
    ],
    [
        "eBPF level 1, times rbpf",
        "eBPF level 1, times solana-sbpf",
        "eBPF compile at 1, times rbpf",
        "eBPF compile at 1, times solana-sbpf",
    ],
    [
        "eBPF level 2, times rbpf",
        "eBPF level 2, times solana-sbpf",
        "eBPF compile at 2, times rbpf",
        "eBPF compile at 2, times solana-sbpf",
    ],
    [
        "eBPF level 3, times rbpf",
        "eBPF level 3, times solana-sbpf",
        "eBPF compile at 3, times rbpf",
        "eBPF compile at 3, times solana-sbpf",
    ],
];

/// Measures compile time and run time of the programs at each level against both crates.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let mut rows = Vec::new();
    for (name, program) in PROGRAMS {
        let least = |compiler: &Compiler| least(*compiler, program, bench.runs);
        let ours = LEVELS.iter().map(least).collect::<Result<Vec<_>, _>>()?;
        let others = OTHERS.iter().map(least).collect::<Result<Vec<_>, _>>()?;
        let all: Vec<&Cost> = ours.iter().chain(&others).collect();
        if all.iter().any(|cost| cost.result != ours[0].result) {
            return Err(format!("{name}: the results differ"));
        }
        let shown = all
            .iter()
            .map(|cost| format!("{:8.1}{:8.1}", cost.compile, cost.run));
        let shown: String = shown.collect();
        eprintln!("{name:10} level 0 to 3, rbpf, solana-sbpf, us to compile and run: {shown}");
        rows.push((ours, others));
    }
    let mut figures = Vec::new();
    for (level, names) in FIGURES.into_iter().enumerate() {
        for (number, what) in names.into_iter().enumerate() {
            let ratios = rows.iter().map(|(ours, others)| {
                let (ours, other) = (&ours[level], &others[number % OTHERS.len()]);
                match number / OTHERS.len() {
                    0 => ours.run / other.run,
                    _ => ours.compile / other.compile,
                }
            });
            figures.push(Figure::other(what, geometric_mean(ratios)));
        }
    }
    Ok(figures)
}

/// Returns the least times of several compilations and runs.
fn least(compiler: Compiler, program: &[u8], runs: usize) -> Result<Cost, String> {
    let mut input = (LENGTH as u64).to_ne_bytes().to_vec();
    let mut state = 1_u32;
    input.extend((0..LENGTH).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    let mut least = compiler(program, &mut input.clone())?;
    for _ in 1..runs * REPETITIONS {
        let cost = compiler(program, &mut input.clone())?;
        least.compile = least.compile.min(cost.compile);
        least.run = least.run.min(cost.run);
    }
    Ok(least)
}

fn micros(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e6
}

/// Translates, loads and compiles a program at a level, and runs it.
fn at_level<const LEVEL: u8>(program: &[u8], memory: &mut [u8]) -> Result<Cost, String> {
    let mut own = vec![0; 64 << 10];
    let start = Instant::now();
    let space = Space::new(&SystemAllocator, &mut own, OPTIONS);
    let space = space.map_err(|error| error.to_string())?;
    let (fuel, stack) = (
        AtomicU64::new(0),
        AtomicUsize::new((&raw const space).addr() - (1 << 20)),
    );
    let engine = Engine::with_fuel();
    let context = Context::new(ContextOptions {
        native: Some(&NATIVE),
        pages: Some(&HostPages),
        ..ContextOptions::new(&SystemAllocator, &TARGET, &engine)
    });
    let module = translate(program, Helpers(&[]), &TARGET, &SystemAllocator);
    let module = module.map_err(|error| error.to_string())?;
    let loaded = Program::load(&context, &space, module, &[]);
    let mut loaded = loaded.map_err(|error| error.to_string())?;
    let mut options = Options::default();
    (options.fuel, options.stack_limit) = (Some(&fuel), Some(&stack));
    options.codegen.level = LEVEL;
    let jit = Jit::new(&context, &ISA, &NATIVE, &HostPages, options);
    let compiled = jit.and_then(|jit| loaded.compile(jit, &fuel));
    compiled.map_err(|error| error.to_string())?;
    let compile = micros(start);
    let start = Instant::now();
    let result = loaded.run(memory, &mut [], 1 << 40);
    let result = result.map_err(|fault| fault.to_string())?;
    Ok(Cost {
        compile,
        run: micros(start),
        result,
    })
}

fn through_rbpf(program: &[u8], memory: &mut [u8]) -> Result<Cost, String> {
    let start = Instant::now();
    let mut machine = EbpfVmRaw::new(Some(program)).map_err(|error| error.to_string())?;
    machine.jit_compile().map_err(|error| error.to_string())?;
    let compile = micros(start);
    // SAFETY: the memory lives longer than the machine, which alone uses it meanwhile.
    let memory = unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr(), memory.len()) };
    let start = Instant::now();
    // SAFETY: the programs keep to the memory that they are given.
    let result = unsafe { machine.execute_program_jit(memory) };
    let run = micros(start);
    Ok(Cost {
        compile,
        run,
        result: result.map_err(|error| error.to_string())?,
    })
}

/// The fuel and the memory of a machine of `solana-sbpf`.
struct Meter {
    left: u64,
    mapping: MemoryMapping,
}

impl ContextObject for Meter {
    fn consume(&mut self, amount: u64) {
        self.left = self.left.saturating_sub(amount);
    }

    fn get_remaining(&self) -> u64 {
        self.left
    }

    fn active_mapping_ptr(&mut self) -> NonNull<MemoryMapping> {
        NonNull::from(&mut self.mapping)
    }
}

fn through_solana(program: &[u8], memory: &mut [u8]) -> Result<Cost, String> {
    let start = Instant::now();
    let loader = Arc::new(BuiltinProgram::<Meter>::new_mock());
    let registry = FunctionRegistry::default();
    let version = SBPFVersion::V0;
    let executable = Executable::from_text_bytes(program, loader.clone(), version, registry);
    let executable = executable.map_err(|error| error.to_string())?;
    let verified = executable.verify::<RequisiteVerifier>();
    let compiled = verified.and_then(|()| executable.jit_compile());
    compiled.map_err(|error| error.to_string())?;
    let compile = micros(start);
    let mut stack = AlignedMemory::<HOST_ALIGN>::zero_filled(executable.get_config().stack_size());
    let length = stack.len();
    let regions = vec![
        executable.get_ro_region(),
        MemoryRegion::new(&mut stack, MM_STACK_START),
        MemoryRegion::new(&raw mut *memory, MM_INPUT_START),
    ];
    // SAFETY: the regions live longer than the machine.
    let mapping = unsafe { MemoryMapping::new(regions, executable.get_config(), version) };
    let mapping = mapping.map_err(|error| error.to_string())?;
    let left = 1 << 40;
    let mut meter = Meter { left, mapping };
    let mut machine = EbpfVm::new(loader, version, &mut meter, length);
    machine.registers[1] = MM_INPUT_START;
    let start = Instant::now();
    let (_, result) = machine.execute_program(&executable, &mut ExecutionMode::Jit, &mut []);
    let run = micros(start);
    let result = Result::from(result).map_err(|error| error.to_string())?;
    Ok(Cost {
        compile,
        run,
        result,
    })
}
