//! Calls to C and from C through gates with random signatures, and variable argument lists shared
//! by both.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod common;

use abi_signatures::{Returned, Signature};
use common::{Case, c, cases, check};
use mir_host::SystemAllocator;
use mir_nostd::ir::Type;
use mir_nostd::target::{self, Argument, Entry, Incoming, Plan, Value, VariableArguments};
use std::sync::Mutex;
use target_all::NATIVE;

/// The lock under which the tests claim gates one after the other, as one of them claims all.
static POOL: Mutex<()> = Mutex::new(());

#[test]
fn we_call_c() {
    for case in cases() {
        let plan = case.plan();
        let mut results = vec![Value::ZERO; case.results.len()];
        c::set_results(&case.returned_bytes());
        // SAFETY: the C function was made for this signature.
        unsafe {
            plan.call(NATIVE, c::callee(case.number), &case.cells(), &mut results);
        }
        check(&case, "arguments", &case.expected_log(), &c::log(&case));
        check(
            &case,
            "results",
            &case.result_bytes(&case.results),
            &case.result_bytes(&results),
        );
        if case.signature.returned == Returned::Memory {
            check(
                &case,
                "large result",
                &case.returned_bytes(),
                &case.large_result(),
            );
        }
    }
}

/// The state of the handler of calls from C.
struct Called<'a> {
    case: &'a Case,
    plan: &'a Plan<'a>,
    noted: Vec<u8>,
}

/// Logs the arguments and returns the case's results.
unsafe extern "C-unwind" fn called(entry: &Entry, incoming: Option<&mut Incoming>) {
    let Some(incoming) = incoming else {
        return;
    };
    // SAFETY: the tests bind entries to a `Called` that lives while C is called.
    let called = unsafe { &mut *entry.context().cast::<Called<'_>>() };
    let (case, plan) = (called.case, called.plan);
    let mut cells = vec![Value::ZERO; case.arguments().len()];
    let mut scratch = vec![Value::ZERO; plan.scratch_bytes() / 16];
    // SAFETY: C calls with the case's signature; the cells and the scratch memory are large enough,
    // and a large result is an address of the right size.
    unsafe {
        let received = plan.receive(incoming, &mut cells, scratch.as_mut_ptr().cast());
        if case.signature.returned == Returned::Memory {
            let bytes = case.returned_bytes();
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), cells[0].address(), bytes.len());
        }
        called.noted = case.log_of_named(&cells);
        if let Some(named) = case.signature.variadic {
            let mut list = [0_u64; 4];
            let list = list.as_mut_ptr().cast();
            (NATIVE.target().abi.va_list.start)(list, &received.variable);
            read_list(case, list, named, &mut called.noted);
        }
        plan.give(incoming, &received, &case.results);
    }
}

/// Logs the variable arguments, from number `first` on, that the target's `va_arg` reads from a
/// list.
unsafe fn read_list(case: &Case, list: *mut u8, first: usize, noted: &mut [u8]) {
    let operations = &NATIVE.target().abi.va_list;
    let offsets = case.signature.offsets();
    for (index, &argument) in case.arguments().iter().enumerate().skip(first) {
        let place = &mut noted[offsets[index]..offsets[index + 1]];
        // SAFETY: the list holds the arguments of the case, and a place is as large as its
        // argument.
        unsafe {
            if argument.is_copied() {
                (operations.block)(place.as_mut_ptr(), list, argument);
            } else {
                let at = (operations.argument)(list, argument.ty);
                let size = common::significant(argument.ty);
                core::ptr::copy_nonoverlapping(at, place.as_mut_ptr(), size);
            }
        }
    }
}

/// Makes C call `function` with the arguments of the case, which must arrive, and checks the
/// results that C receives.
fn called_through(case: &Case, entry: &Entry, function: usize) {
    let plan = case.plan_of_named();
    let mut state = Called {
        case,
        plan: &plan,
        noted: Vec::new(),
    };
    let context = (&raw mut state).cast();
    // SAFETY: the gate is ours, and the handler takes this.
    unsafe { entry.bind(NATIVE, called, context, plan.registers()) };
    let results = c::call(case, function);
    check(case, "arguments", &case.expected_log(), &state.noted);
    if case.signature.returned == Returned::Memory {
        let expected = case.returned_bytes();
        check(case, "large result", &expected, &results[..expected.len()]);
    } else {
        let cells = common::cells_of(&results, case.results.len());
        check(
            case,
            "results",
            &case.result_bytes(&case.results),
            &case.result_bytes(&cells),
        );
    }
}

#[test]
fn c_calls_us_through_static_gates() {
    let _pool = POOL.lock();
    let (entry, function) = NATIVE.gates().claim().expect("a gate is free");
    for case in cases() {
        called_through(&case, entry, function);
    }
    // SAFETY: claimed here, and nothing calls it any more.
    unsafe { entry.release() };
}

#[test]
fn every_static_gate_has_its_entry() {
    let _pool = POOL.lock();
    let gates = NATIVE.gates();
    let claimed: Vec<_> = core::iter::from_fn(|| gates.claim()).collect();
    assert_eq!(claimed.len(), gates.entries.len());
    let case = cases().next().expect("there are cases");
    for index in [1, 15, 16, 17, gates.entries.len() - 1] {
        let gate = gates.start + index * gates.stride;
        called_through(&case, &gates.entries[index], gate);
    }
    for (entry, _) in claimed {
        // SAFETY: claimed here, and nothing calls it any more.
        unsafe { entry.release() };
    }
}

#[test]
fn c_calls_us_through_thunks_written_now() {
    let target = NATIVE.target();
    let mut pages = common::CodePages::new();
    let entry = Entry::new();
    let address = (&raw const entry) as u64;
    for number in 0..4 {
        let code = &mut pages.bytes()[number * target.thunk.bytes..];
        assert!((target.thunk.write)(code, address));
    }
    assert!(!(target.thunk.write)(
        &mut vec![0; target.thunk.bytes - 1],
        address
    ));
    let start = pages.make_executable();
    for (number, case) in cases().enumerate() {
        called_through(&case, &entry, start + number % 4 * target.thunk.bytes);
    }
}

#[test]
fn c_reads_the_lists_that_we_make() {
    for case in cases().filter(|case| case.signature.variadic.is_some()) {
        let target = NATIVE.target();
        let arguments = case.arguments();
        let plan = Plan::variable(target, &case.target_signature(&arguments), &SystemAllocator)
            .expect("a plan");
        let mut area = vec![Value::ZERO; plan.variable_bytes() / 16];
        let mut list = [0_u64; 4];
        let list = list.as_mut_ptr().cast();
        // SAFETY: the area is as large as the plan says, and C reads what the signature has.
        unsafe {
            let variable = plan.write_variable(area.as_mut_ptr().cast(), &case.cells());
            (target.abi.va_list.start)(list, &variable);
            c::read_list(&case, list);
        }
        check(&case, "by C", &case.expected_variable(), &c::log(&case));
        let mut noted = vec![0; case.expected_log().len()];
        // SAFETY: as above; the list is initialised again, as C may have changed the first.
        unsafe {
            let variable: VariableArguments =
                plan.write_variable(area.as_mut_ptr().cast(), &case.cells());
            (target.abi.va_list.start)(list, &variable);
            read_list(
                &case,
                list,
                case.signature.variadic.unwrap_or(0),
                &mut noted,
            );
        }
        check(&case, "by us", &case.expected_variable(), &noted);
    }
}

thread_local! {
    static READ: core::cell::RefCell<Option<(Case, Vec<u8>)>> = const { core::cell::RefCell::new(None) };
}

extern "C" fn read_here(list: *mut u8) {
    READ.with_borrow_mut(|read| {
        let (case, noted) = read.as_mut().expect("a case is set");
        let first = case.signature.variadic.unwrap_or(0);
        // SAFETY: C made this list for the case.
        unsafe { read_list(case, list, first, noted) };
    });
}

#[test]
fn we_read_the_lists_that_c_makes() {
    for case in cases().filter(|case| case.signature.variadic.is_some()) {
        let hidden = usize::from(case.signature.returned == Returned::Memory);
        let mut arguments = vec![Argument::scalar(Type::P)];
        arguments.extend_from_slice(&case.arguments()[hidden..]);
        let signature = target::Signature {
            results: &[],
            arguments: &arguments,
            variadic: case.signature.variadic.map(|named| named + 1 - hidden),
        };
        let plan = Plan::new(NATIVE.target(), &signature, &SystemAllocator).expect("a plan");
        let mut cells = vec![Value::from_u64(read_here as *const () as u64)];
        cells.extend_from_slice(&case.cells()[hidden..]);
        let noted = vec![0; case.expected_log().len()];
        READ.set(Some((case.clone(), noted)));
        // SAFETY: the C function was made for this signature.
        unsafe { plan.call(NATIVE, c::list_maker(case.number), &cells, &mut []) };
        let (case, noted) = READ.take().expect("it was set");
        check(&case, "list", &case.expected_variable(), &noted);
    }
}

/// Passes blocks of many pages, on the stack or by address, between two gates without C.
#[test]
fn large_blocks_pass() {
    let _pool = POOL.lock();
    let (entry, function) = NATIVE.gates().claim().expect("a gate is free");
    for (number, size) in [4000, 4096, 12_000, 100_000].into_iter().enumerate() {
        let block = |size| abi_signatures::Type {
            ir: "blk0",
            c: String::new(),
            size,
        };
        let arguments = vec![
            common::scalar("i64"),
            block(size),
            common::scalar("ld"),
            block(size - 1),
            common::scalar("u8"),
        ];
        let case = Case::of(
            number,
            Signature {
                arguments,
                results: vec![common::scalar("d")],
                returned: Returned::Nothing,
                variadic: None,
            },
        );
        called_by_us(&case, entry, function);
    }
    // SAFETY: claimed here, and nothing calls it any more.
    unsafe { entry.release() };
}

/// Calls a function of the case's signature through a gate, without C on either side.
fn called_by_us(case: &Case, entry: &Entry, function: usize) {
    let plan = case.plan();
    let mut state = Called {
        case,
        plan: &plan,
        noted: Vec::new(),
    };
    let context = (&raw mut state).cast();
    // SAFETY: the gate is ours, and the handler takes this.
    unsafe { entry.bind(NATIVE, called, context, plan.registers()) };
    let mut results = vec![Value::ZERO; case.results.len()];
    // SAFETY: the gate leads to `called`, which returns the results of the case.
    unsafe { plan.call(NATIVE, function, &case.cells(), &mut results) };
    check(case, "arguments", &case.expected_log(), &state.noted);
    check(
        case,
        "results",
        &case.result_bytes(&case.results),
        &case.result_bytes(&results),
    );
}

/// Returns results that C cannot, between two gates without C.
#[test]
fn any_results_come_back() {
    let _pool = POOL.lock();
    let mut random = fastrand::Rng::with_seed(7);
    let (entry, function) = NATIVE.gates().claim().expect("a gate is free");
    for number in 0..200 {
        let names = ["i64", "u8", "i16", "u32", "f", "d", "ld"];
        let ty = |random: &mut fastrand::Rng| names[random.usize(..names.len())];
        let results: Vec<_> = (0..random.usize(..30)).map(|_| ty(&mut random)).collect();
        let arguments: Vec<_> = (0..random.usize(..20)).map(|_| ty(&mut random)).collect();
        let case = Case::of(
            number,
            Signature {
                arguments: arguments.into_iter().map(common::scalar).collect(),
                results: results.into_iter().map(common::scalar).collect(),
                returned: Returned::Nothing,
                variadic: None,
            },
        );
        called_by_us(&case, entry, function);
    }
    // SAFETY: claimed here, and nothing calls it any more.
    unsafe { entry.release() };
}
