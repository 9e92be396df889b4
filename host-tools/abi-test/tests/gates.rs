//! The pool of static gates as a whole, and calls through gates in real use.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use core::sync::atomic::{AtomicUsize, Ordering};
use mir_nostd::ir::Type;
use mir_nostd::target::{
    Argument, Entry, GateRegisters, Incoming, Plan, PlanError, Signature, Value,
};
use std::sync::Mutex;
use target_all::NATIVE;
use testkit::{SystemAllocator, sweep};

unsafe extern "C" {
    fn qsort(base: *mut u64, count: usize, size: usize, compare: usize);
}

/// The lock under which the tests claim gates one after the other.
static POOL: Mutex<()> = Mutex::new(());

fn signature<'a>(results: &'a [Type], arguments: &'a [Argument]) -> Signature<'a> {
    Signature {
        results,
        arguments,
        variadic: None,
    }
}

#[test]
fn the_pool_gives_each_gate_once() {
    let _pool = POOL.lock();
    let gates = NATIVE.gates();
    let mut claimed = Vec::new();
    while let Some(gate) = gates.claim() {
        claimed.push(gate);
    }
    assert_eq!(claimed.len(), gates.entries.len());
    let mut addresses: Vec<_> = claimed.iter().map(|(_, address)| *address).collect();
    addresses.dedup();
    assert_eq!(addresses.len(), claimed.len());
    for (_, address) in &claimed {
        let pad: &[u8] = match NATIVE.target().name {
            "x86_64" => &[0xF3, 0x0F, 0x1E, 0xFA],
            "aarch64" => &[0x5F, 0x24, 0x03, 0xD5],
            _ => &[],
        };
        let gate = core::ptr::with_exposed_provenance::<u8>(*address);
        // SAFETY: a gate is code, which can be read.
        let begin = unsafe { core::slice::from_raw_parts(gate, pad.len()) };
        assert_eq!(begin, pad);
    }
    // SAFETY: claimed here, and nothing calls it any more.
    unsafe { claimed[7].0.release() };
    let (_, again) = gates.claim().expect("one is free");
    assert_eq!(again, claimed[7].1);
    for (entry, _) in claimed {
        // SAFETY: claimed here, and nothing calls it any more.
        unsafe { entry.release() };
    }
}

static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// Compares two numbers by address, as an interpreted function would.
unsafe extern "C-unwind" fn compare(_: &Entry, incoming: Option<&mut Incoming>) {
    let Some(incoming) = incoming else {
        return;
    };
    COMPARED.fetch_add(1, Ordering::Relaxed);
    let arguments = [Argument::scalar(Type::P); 2];
    let signature = signature(&[Type::I32], &arguments);
    let plan = Plan::new(NATIVE.target(), &signature, &SystemAllocator).expect("a plan");
    let mut cells = [Value::ZERO; 2];
    // SAFETY: `qsort` calls with two addresses of numbers.
    unsafe {
        let received = plan.receive(incoming, &mut cells, core::ptr::null_mut());
        let [left, right] = cells.map(|cell| *cell.address::<u64>());
        let order = left.cmp(&right) as i8;
        plan.give(incoming, &received, &[Value::from_i64(i64::from(order))]);
    }
}

#[test]
fn qsort_calls_back() {
    let _pool = POOL.lock();
    let (entry, function) = NATIVE.gates().claim().expect("a gate is free");
    // SAFETY: the gate is ours, and the handler takes this.
    unsafe {
        entry.bind(
            NATIVE,
            compare,
            core::ptr::null_mut(),
            GateRegisters::General,
        );
    };
    let mut random = fastrand::Rng::with_seed(3);
    let mut numbers: Vec<_> = (0..500).map(|_| random.u64(..)).collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let arguments = [Type::P, Type::U64, Type::U64, Type::P].map(Argument::scalar);
    let plan = Plan::new(
        NATIVE.target(),
        &signature(&[], &arguments),
        &SystemAllocator,
    )
    .expect("a plan");
    let cells = [
        Value::from_address(numbers.as_mut_ptr()),
        Value::from_u64(500),
        Value::from_u64(8),
        Value::from_u64(function as u64),
    ];
    // SAFETY: sorts 500 numbers of 8 bytes.
    unsafe { plan.call(NATIVE, qsort as *const () as usize, &cells, &mut []) };
    assert_eq!(numbers, sorted);
    assert!(COMPARED.load(Ordering::Relaxed) > 500);
    // SAFETY: claimed here, and nothing calls it any more.
    unsafe { entry.release() };
}

#[test]
fn plans_survive_a_lack_of_memory() {
    let arguments: Vec<_> = (0..40)
        .map(|index| match index % 4 {
            0 => Argument::block(Type::Blk0, index),
            1 => Argument::scalar(Type::Ld),
            2 => Argument::scalar(Type::D),
            _ => Argument::scalar(Type::I8),
        })
        .collect();
    let results = [Type::I64, Type::Ld, Type::F, Type::D, Type::Ld, Type::U8];
    let refused = sweep(
        |allocator| {
            let signature = signature(&results, &arguments);
            Plan::new(NATIVE.target(), &signature, allocator).map(drop)
        },
        |error| *error == PlanError::OutOfMemory,
    );
    assert!(refused > 1);
}

#[test]
fn arguments_without_bound_are_refused() {
    for size in [(1 << 24) + 1, 1 << 32, u64::MAX - 8, u64::MAX] {
        for ty in [Type::Blk0, Type::Blk1, Type::Blk4] {
            let arguments = [Argument::scalar(Type::I8), Argument::block(ty, size)];
            let plan = Plan::new(
                NATIVE.target(),
                &signature(&[], &arguments),
                &SystemAllocator,
            );
            assert_eq!(plan.err(), Some(PlanError::TooLarge));
        }
    }
}

/// Returns a weighted sum of all arguments; [`found`] resolves calls to it.
extern "C" fn weighed(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, x: f64, y: f64) -> f64 {
    let whole = a + 10 * b + 100 * c + 1000 * d + 10_000 * e + 100_000 * f;
    whole as f64 + x + y / 8.0
}

static FOUND: AtomicUsize = AtomicUsize::new(0);

/// Resolves a call, after clobbering the registers that a resolver may change.
unsafe extern "C-unwind" fn found(entry: &Entry, incoming: Option<&mut Incoming>) {
    assert!(incoming.is_none());
    FOUND.fetch_add(1, Ordering::Relaxed);
    let numbers: Vec<f64> = (0..40_u8).map(f64::from).collect();
    let sum = core::hint::black_box(&numbers).iter().sum::<f64>();
    assert!(sum > 700.0);
    if entry.context().is_null() {
        // SAFETY: a function of the signature with which the gate is called.
        unsafe { entry.redirect(weighed as *const () as usize) };
    }
}

/// A resolved call has all arguments in their registers, each time until the entry bypasses the
/// resolver.
#[test]
fn what_resolves_keeps_registers() {
    let _pool = POOL.lock();
    let (entry, function) = NATIVE.gates().claim().expect("a gate is free");
    // SAFETY: the gate is ours, and the handler says where control goes on.
    unsafe {
        entry.resolve(
            NATIVE,
            found,
            core::ptr::null_mut(),
            GateRegisters::Floating,
        );
    };
    let mut arguments = [Argument::scalar(Type::U64); 8];
    arguments[6..].fill(Argument::scalar(Type::D));
    let plan = Plan::new(
        NATIVE.target(),
        &signature(&[Type::D], &arguments),
        &SystemAllocator,
    );
    let plan = plan.expect("a plan");
    let mut values = [1, 2, 3, 4, 5, 6, 0, 0].map(Value::from_u64);
    values[6] = Value::from_f64_bits(0.5_f64.to_bits());
    values[7] = Value::from_f64_bits(2.0_f64.to_bits());
    for _ in 0..2 {
        let mut results = [Value::ZERO];
        // SAFETY: the entry leads to a function of this signature.
        unsafe { plan.call(NATIVE, function, &values, &mut results) };
        assert_eq!(f64::from_bits(results[0].f64_bits()), 654_321.75);
        assert_eq!(FOUND.load(Ordering::Relaxed), 1);
    }
    // SAFETY: claimed here, and nothing calls it any more.
    unsafe { entry.release() };
}
