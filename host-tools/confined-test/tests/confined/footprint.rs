//! The memory that a small program takes, all in.

use crate::prelude::*;
use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::mem::Allocator;
use testkit::FailingAllocator;

/// The most bytes of the lent allocator that are in use at a time.
const MOST: usize = 32 << 10;

/// Returns a binary file whose only function has a hundred instructions.
fn hundred_instructions() -> Vec<u8> {
    let middle = " add r, r, a\n mul a, a, 3\n".repeat(49);
    let source = format!(
        "m: module\nexport f\nf: func i64, i64:a\n local i64:r\n bf end, a\n{middle}\
         end: ret a\nendfunc\nendmodule\n"
    );
    let target = target_all::NATIVE.target();
    let modules = text::parse(
        source.as_bytes(),
        &SystemAllocator,
        target.long_double,
        &mut |_| (),
    );
    let options = WriteOptions::new(target.big_endian);
    let file = binary::write(&modules.unwrap(), &SystemAllocator, &options);
    file.unwrap().to_vec()
}

/// Does everything from the bytes of a file to the result of its function.
fn run_all(file: &[u8], allocator: &dyn Allocator, way: Way) {
    let mut memory = [0; confined::LEAST_BYTES];
    let space = Space::new(allocator, &mut memory, confined::Options::default()).unwrap();
    let (fuel, stack) = (AtomicU64::new(FUEL), AtomicUsize::new(0));
    let target = target_all::NATIVE.target();
    let mut options = ContextOptions::new(allocator, target, &ENGINE);
    if way != Way::Interpreted {
        options.native = Some(target_all::NATIVE);
        options.pages = Some(&PAGES);
    }
    let context = Context::new(options);
    let mut program = Program::new(&context, &space).unwrap();
    let options = ReadOptions::new(target.long_double, target.big_endian);
    let mut modules = binary::read(file, allocator, &options).unwrap();
    let module = modules.pop().unwrap();
    drop(modules);
    program
        .load(Verified::new(module, target, &mut |_| ()).unwrap())
        .unwrap();
    program.link().unwrap();
    let (arguments, mut results) = ([Value::from_i64(0)], [Value::ZERO]);
    let ran = match way {
        Way::Compiled(level) => {
            let mut options = run::Options::default();
            (options.fuel, options.stack_limit) = (Some(&fuel), Some(&stack));
            options.codegen.level = level;
            let backend = testkit::host_backend();
            let jit = Jit::new(&context, backend, target_all::NATIVE, &PAGES, options).unwrap();
            let mut left = |_, error| panic!("a function is not compiled: {error}");
            program.compile(&jit, &mut left).unwrap();
            program.run(&jit, b"f", &arguments, &mut results)
        }
        _ => program.interpret(b"f", &arguments, &mut results, FUEL),
    };
    ran.unwrap();
}

#[test]
fn a_program_of_a_hundred_instructions_takes_little_memory() {
    let file = hundred_instructions();
    let ways = { 0..=3 }.map(Way::Compiled);
    for way in [Way::Interpreted].into_iter().chain(ways) {
        let allocator = FailingAllocator::new();
        run_all(&file, &allocator, way);
        let peak = allocator.peak_bytes();
        println!("{way:?}: {peak} bytes");
        assert!(peak <= MOST, "{way:?}: {peak} bytes");
        assert_eq!(allocator.live_bytes(), 0, "{way:?}");
    }
}
