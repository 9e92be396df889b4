//! The pool of static gates as a whole, and what passes through gates in real use.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use abi_test::machine;
use core::sync::atomic::{AtomicUsize, Ordering};
use mir_nostd::ir::Type;
use mir_nostd::target::{Argument, Entry, Incoming, Plan, PlanError, Signature, Value};
use std::sync::Mutex;
use testkit::{SystemAllocator, sweep};

unsafe extern "C" {
    fn qsort(base: *mut u64, count: usize, size: usize, compare: usize);
}

/// The tests here claim gates one after the other.
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
    let gates = machine().gates();
    let mut claimed = Vec::new();
    while let Some(gate) = gates.claim() {
        claimed.push(gate);
    }
    assert_eq!(claimed.len(), gates.entries.len());
    let mut addresses: Vec<_> = claimed.iter().map(|(_, address)| *address).collect();
    addresses.dedup();
    assert_eq!(addresses.len(), claimed.len());
    claimed[7].0.release();
    let (_, again) = gates.claim().expect("one is free");
    assert_eq!(again, claimed[7].1);
    for (entry, _) in claimed {
        entry.release();
    }
}

static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// The comparison of two numbers by address, as an interpreted function.
unsafe extern "C" fn compare(_: &Entry, incoming: &mut Incoming) {
    COMPARED.fetch_add(1, Ordering::Relaxed);
    let arguments = [Argument::scalar(Type::P); 2];
    let signature = signature(&[Type::I32], &arguments);
    let plan = Plan::new(machine().target(), &signature, &SystemAllocator).expect("a plan");
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
    let (entry, function) = machine().gates().claim().expect("a gate is free");
    entry.bind(machine(), compare, core::ptr::null_mut(), false);
    let mut random = abi_test::generator::Random(3);
    let mut numbers: Vec<_> = (0..500).map(|_| random.number()).collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let arguments = [Type::P, Type::U64, Type::U64, Type::P].map(Argument::scalar);
    let plan = Plan::new(
        machine().target(),
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
    unsafe { plan.call(machine(), qsort as *const () as usize, &cells, &mut []) };
    assert_eq!(numbers, sorted);
    assert!(COMPARED.load(Ordering::Relaxed) > 500);
    entry.release();
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
            Plan::new(machine().target(), &signature, allocator).map(drop)
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
                machine().target(),
                &signature(&[], &arguments),
                &SystemAllocator,
            );
            assert_eq!(plan.err(), Some(PlanError::TooLarge));
        }
    }
}
