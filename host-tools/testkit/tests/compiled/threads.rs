//! Modules that several threads compile together: the code is the same, whatever their number.

use crate::prelude::*;
use mir_nostd::codegen::{Compiler, Offsets};
use mir_nostd::run::Threads;
use testkit::Failure;

/// Calls the work at the same time on so many threads.
struct Several(usize);

impl Threads for Several {
    fn share(&self, most: usize, work: &(dyn Fn() + Sync)) {
        assert!(most > 1);
        std::thread::scope(|scope| {
            for _ in 1..self.0 {
                scope.spawn(work);
            }
            work();
        });
    }
}

/// Calls the work on no thread at all.
struct Idle;

impl Threads for Idle {
    fn share(&self, _: usize, _: &(dyn Fn() + Sync)) {}
}

/// The code of a function: its number, the distance from the first and the length of what was
/// placed, the bytes before that, and the number of addresses in them.
type Placed = (usize, usize, usize, (Vec<u8>, usize));

/// Notes the code of each function before it has an address, and then where it lies.
#[derive(Default)]
struct Notes {
    code: Mutex<HashMap<usize, (Vec<u8>, usize)>>,
    placed: Mutex<Vec<(usize, usize, usize)>>,
    left: Mutex<Vec<usize>>,
}

impl Notes {
    fn number(callable: &Callable<'_>) -> usize {
        callable.func().unwrap().1.index()
    }

    /// Returns the functions in the order of their code: each with its distance from the first, its
    /// length, and its bytes.
    fn layout(&self) -> Vec<Placed> {
        let mut placed = self.placed.lock().unwrap().clone();
        placed.sort_by_key(|&(_, address, _)| address);
        let code = self.code.lock().unwrap();
        let first = placed[0].1;
        { placed.iter() }
            .map(|&(number, address, bytes)| {
                (number, address - first, bytes, code[&number].clone())
            })
            .collect()
    }
}

impl Watch for Notes {
    fn encoded(&self, callable: &Callable<'_>, compiler: &Compiler<'_>, _: &Offsets<'_>) {
        let code = &compiler.output.code;
        let noted = (code.bytes.to_vec(), code.relocations.len());
        let before = { self.code.lock().unwrap() }.insert(Notes::number(callable), noted);
        assert!(before.is_none());
    }

    fn made(&self, callable: &Callable<'_>, address: usize, bytes: usize, _: Option<u32>) {
        let placed = (Notes::number(callable), address, bytes);
        self.placed.lock().unwrap().push(placed);
    }

    fn left(&self, callable: &Callable<'_>, _: codegen::Error) {
        self.left.lock().unwrap().push(Notes::number(callable));
    }
}

/// The functions of [`calling`], and the rounds of each.
const FUNCTIONS: i64 = 120;
const ROUNDS: i64 = 24;

/// Returns a module of functions of different sizes that call each other: some only earlier ones,
/// some each other as long as a counter lasts.
fn calling() -> String {
    let mut source = String::from("m: module\np: proto i64, i64:n, i64:left\n");
    for number in 0..FUNCTIONS {
        source += &format!("forward f{number}\n");
    }
    for number in 0..FUNCTIONS {
        source += &format!("f{number}: func i64, i64:n, i64:left\nlocal i64:a, i64:b\n");
        source += &format!("mov a, n\nmov b, 0\nble end{number}, left, 0\nsub left, left, 1\n");
        let rounds = ROUNDS + number * 7 % 31;
        for round in 0..rounds {
            source += &format!(
                "add a, a, {}\nxor b, b, a\nmul a, a, {}\n",
                round + number,
                2 * round + 3
            );
        }
        for callee in callees(number) {
            source += &format!("call p, f{callee}, a, a, left\nadd b, b, a\n");
        }
        source += &format!("end{number}: add a, a, b\nret a\nendfunc\n");
    }
    source + "endmodule\n"
}

/// Returns the functions that one calls: most call two before them, every seventh one after it.
fn callees(number: i64) -> Vec<i64> {
    let earlier = [number - 1 - number % 5, number / 2];
    let mut callees: Vec<i64> = { earlier.into_iter() }
        .filter(|&callee| (0..number).contains(&callee))
        .collect();
    if number % 7 == 3 && number + 4 < FUNCTIONS {
        callees.push(number + 4);
    }
    callees
}

/// Returns what a function of [`calling`] returns.
fn result_of(number: i64, n: i64, left: i64) -> i64 {
    let (mut a, mut b) = (n, 0_i64);
    if left > 0 {
        for round in 0..ROUNDS + number * 7 % 31 {
            a = a.wrapping_add(round + number);
            b ^= a;
            a = a.wrapping_mul(2 * round + 3);
        }
        for callee in callees(number) {
            a = result_of(callee, a, left - 1);
            b = b.wrapping_add(a);
        }
    }
    a.wrapping_add(b)
}

/// Compiles the module with a number of threads, 0 for none that helps; returns its layout, and
/// checks what functions return.
fn layout_with(threads: Option<&dyn Threads>, level: u8) -> Vec<Placed> {
    let notes = Notes::default();
    let context = linked(&calling(), &SystemAllocator).unwrap();
    let options = Options {
        watch: Some(&notes),
        threads,
        codegen: codegen::Options {
            level,
            ..Default::default()
        },
        ..Options::default()
    };
    let jit = jit(&context, testkit::host_backend(), options);
    let module = context.module(0).unwrap();
    let compiled = jit.compile_module(module, &mut |func, error| panic!("{func:?}: {error}"));
    assert_eq!(i64::from(compiled.unwrap().functions), FUNCTIONS);
    for (number, n, left) in [(0, 1, 1), (47, 3, 5), (119, -2, 6), (66, 9, 4)] {
        let callable = function(&context, &format!("f{number}"));
        assert_eq!(
            call(&jit, callable, &[n, left]),
            Ok(result_of(number, n, left))
        );
    }
    notes.layout()
}

#[test]
fn the_code_is_the_same_with_any_number_of_threads() {
    for level in 0..=3 {
        let alone = layout_with(None, level);
        let counts: &[usize] = if IS_QUICK { &[1, 2, 7] } else { &[3] };
        for &count in counts {
            let together = layout_with(Some(&Several(count)), level);
            assert!(alone == together, "level {level}, {count} threads");
        }
        assert!(
            alone == layout_with(Some(&Idle), level),
            "level {level}, idle"
        );
    }
}

/// Without memory nothing is compiled, or the threads that have some compile all.
#[test]
fn threads_without_memory_leave_all_to_the_interpreter() {
    let source = calling();
    let mut failed = 0;
    for failure in [Failure::Once, Failure::FromThenOn] {
        let mut request = 0;
        loop {
            let allocator = FailingAllocator::new();
            {
                let context = linked(&source, &allocator).unwrap();
                let options = Options {
                    threads: Some(&Several(3)),
                    ..Options::default()
                };
                let jit = jit(&context, testkit::host_backend(), options);
                allocator.refuse(request, failure);
                let compiled = jit.compile_module(context.module(0).unwrap(), &mut |_, _| {});
                allocator.grant();
                let functions = jit.compiled().functions;
                match compiled {
                    Ok(_) => assert_eq!(i64::from(functions), FUNCTIONS),
                    Err(OutOfMemory) => assert_eq!(functions, 0),
                }
                failed += usize::from(compiled.is_err());
                let callable = function(&context, "f47");
                assert_eq!(
                    call(&jit, callable, &[3, 5]),
                    Ok(result_of(47, 3, 5)),
                    "request {request}"
                );
            }
            assert_eq!(allocator.live_bytes(), 0, "request {request}");
            // All requests of the beginning, and some of those after it.
            request += 1 + request / 3;
            if request > 20_000 {
                break;
            }
        }
    }
    assert!(failed > 20, "{failed}");
}
