//! Compiling in little memory, and memory in proportion to the function.

use crate::prelude::*;

/// A function that calls one that calls a closure.
const DOUBLED: &str = "m: module
    import closure
    p: proto i64, i64:n
    inner: func i64, i64:n
        call p, closure, n, n
        ret n
    endfunc
    outer: func i64, i64:n
        bgt more, n, 50
        ret n
    more: call p, inner, n, n
        add n, n, 2
        ret n
    endfunc
endmodule\n";

#[test]
fn without_memory_calls_fail_or_are_interpreted() {
    let doubles = |arguments: &[Value], results: &mut [Value]| {
        results[0] = Value::from_i64(2 * arguments[0].i64());
        Ok(())
    };
    let backend = testkit::host_backend();
    let ways = if IS_QUICK {
        &GRANULARITIES[..]
    } else {
        &GRANULARITIES[1..]
    };
    for &way in ways {
        let requests = sweep(
            |allocator| {
                let context = with_closure(DOUBLED, &doubles, allocator)?;
                let options = Options {
                    codegen: mir_nostd::codegen::Options {
                        level: 0,
                        ..Default::default()
                    },
                    ..Options::default()
                };
                let jit = Jit::new(&context, backend, target_all::NATIVE, &PAGES, options)
                    .map_err(|_| OutOfMemory)?;
                jit.defer(context.module(0).unwrap(), way, &mut |_| true)?;
                let outer = function(&context, "outer");
                match call(&jit, outer, &[100]) {
                    Ok(found) => assert_eq!(found, 202),
                    Err(CallError::OutOfMemory) => return Err(OutOfMemory.into()),
                    Err(CallError::Fault(fault)) => {
                        assert_eq!(fault.reason(), Reason::OutOfMemory);
                        return Err(OutOfMemory.into());
                    }
                    Err(error) => panic!("{error:?}"),
                }
                Ok::<_, Error>(())
            },
            |error| error.kind() == ErrorKind::Alloc,
        );
        assert!(requests > 100, "{requests}");
    }
}

/// Returns a function of `count` nested loops: each has a counter of its own, which is live through
/// all loops inside.
fn nested(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, 0\n");
    for number in 0..count {
        // A few run twice, all others once.
        let turns = if number % (count / 4) == 1 { 2 } else { 1 };
        source += &format!("local i64:c{number}\nmov c{number}, {turns}\n");
        source += &format!("l{number}: mul a, a, 3\nadd a, a, c{number}\nadd a, a, n\n");
    }
    for number in (0..count).rev() {
        source += &format!("sub c{number}, c{number}, 1\nbgt l{number}, c{number}, 0\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// Returns a function of `count` pieces of code, each of which jumps to any of them through a table
/// of their addresses.
fn threaded(count: usize) -> String {
    let mut source = String::from(
        "m: module\nmain: func i64, i64:n\nlocal i64:a, i64:to, i64:t\nmov a, n\nmov n, 50\n",
    );
    source += &format!("alloca t, {}\n", 8 * count);
    for number in 0..count {
        source += &format!("laddr to, l{number}\nmov i64:{}(t), to\n", 8 * number);
    }
    for number in 0..count {
        source += &format!(
            "l{number}: mul a, a, 5\nadd a, a, {number}\numod to, a, {count}\n\
             ble done, n, 0\nsub n, n, 1\nmov to, i64:(t, to, 8)\njmpi to\n"
        );
    }
    source + "done: ret a\nendfunc\nendmodule\n"
}

/// Returns a function of `count` variables, each of which counts down in a loop of its own and is
/// live through all others.
fn one_by_one(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, n\n");
    for number in 0..count {
        source += &format!("local i64:c{number}\nadd c{number}, n, {}\n", number % 5);
    }
    for number in 0..count {
        source += &format!("l{number}: sub c{number}, c{number}, 1\nbgt l{number}, c{number}, 3\n");
        source += &format!("mul a, a, 3\nadd a, a, c{}\n", number * 7 % count);
    }
    for number in 0..count {
        source += &format!("add a, a, c{number}\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// Returns a function with two parallel paths and edges from each to the other, so that only the
/// entry dominates: a variable is written in some steps, and all are read at the end, except some
/// that are read at once.
fn crossing(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, n\n");
    for number in 0..count {
        source += &format!("local i64:c{number}\nmov c{number}, {number}\n");
    }
    source += "bgt r0, n, 5\njmp l0\n";
    for number in 0..count {
        let (next, other) = (number + 1, number * 7 % count);
        let early = if number % 2 == 0 { number } else { other };
        source += &format!(
            "l{number}: add c{number}, a, 1\nmul a, a, 3\nbgt r{next}, a, 100\njmp l{next}\n"
        );
        source += &format!(
            "r{number}: add a, a, c{early}\nmov c{other}, a\nand a, a, 1023\nbgt l{next}, a, 500\njmp r{next}\n"
        );
    }
    source += &format!("l{count}: add a, a, 1\nr{count}: add a, a, 1\n");
    for number in (0..count).step_by(3) {
        source += &format!("mul a, a, 5\nadd a, a, c{number}\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// Returns a function that swaps two variables in each of `count` branches.
fn exchanged(count: usize) -> String {
    let mut source = String::from(
        "m: module\nmain: func i64, i64:n\nlocal i64:a, i64:t\nmov a, 1\nadd n, n, 2\n",
    );
    for number in 0..count {
        source += &format!(
            "blt l{number}, n, {number}\nmov t, n\nmov n, a\nmov a, t\nl{number}: add n, n, 1\n"
        );
    }
    source + "sub a, a, n\nret a\nendfunc\nendmodule\n"
}

/// Returns a function of `count` branches past blocks, with 200 variables that are live through all
/// of them.
fn branchy(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, n\n");
    for number in 0..200 {
        source += &format!("local i64:c{number}\nmul c{number}, n, {number}\n");
    }
    for number in 0..count {
        let (to, from) = (number * 7 % 200, number * 13 % 200);
        source +=
            &format!("bgt l{number}, c{from}, {number}\nadd c{to}, c{to}, c{from}\nl{number}:\n");
    }
    for number in 0..200 {
        source += &format!("add a, a, c{number}\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// A function that would take memory or time beyond all proportion is compiled in a simpler way,
/// and its result is the interpreter's.
#[test]
fn what_lives_through_everything_is_compiled() {
    // The counts of loops from which level 0, and the other levels, limit the blocks that they
    // visit.
    let (many, some) = if IS_QUICK { (1400, 650) } else { (650, 650) };
    let programs = [
        (nested(many), &[0][..]),
        (nested(some), &[1, 2, 3][..]),
        (threaded(420), &[0, 1, 2, 3][..]),
        // The count from which level 2 uses another method to find the places of PHIs.
        (one_by_one(1300), &[0, 1, 2, 3][..]),
        (crossing(600), &[0, 1, 2, 3][..]),
        (exchanged(2000), &[0, 1, 2, 3][..]),
    ];
    let backend = testkit::host_backend();
    for (source, levels) in &programs {
        let context = linked(source, &SystemAllocator).unwrap();
        let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
        let mut results = [Value::ZERO];
        let arguments = [Value::from_i64(7)];
        interpreter
            .run(function(&context, "main"), &arguments, &mut results)
            .unwrap();
        for &level in *levels {
            let context = linked(source, &SystemAllocator).unwrap();
            let options = Options {
                codegen: mir_nostd::codegen::Options {
                    level,
                    ..Default::default()
                },
                ..Options::default()
            };
            let jit = jit(&context, backend, options);
            jit.compile(function(&context, "main")).unwrap();
            let called = call(&jit, function(&context, "main"), &[7]);
            assert_eq!(called, Ok(results[0].i64()), "level {level}");
        }
    }
}

/// Returns the peak of memory in use while the first function is compiled.
fn peak_of_compiling(backend: &dyn Backend, level: u8, source: &str) -> usize {
    let context = linked(source, &SystemAllocator).unwrap();
    let allocator = FailingAllocator::new();
    let mut compiler = codegen::Compiler::new(backend, &allocator);
    compiler.options.level = level;
    let module = context.module(0).unwrap().module();
    compiler.compile(module, FuncId::new(0)).unwrap();
    allocator.peak_bytes()
}

/// A value that is live through a block but not mentioned there takes no memory for the block.
#[test]
fn blocks_cost_nothing_for_what_only_lives_through_them() {
    let backend = testkit::host_backend();
    for level in 0..=3 {
        let bytes = peak_of_compiling(backend, level, &branchy(3000)) / 6000;
        assert!(bytes < 2500, "level {level}: {bytes} bytes a block");
    }
}

/// Compiling takes memory in proportion to the function, whatever the live ranges and the control
/// flow.
#[test]
fn memory_is_in_proportion() {
    let backend = testkit::host_backend();
    type Shape = fn(usize) -> String;
    let shapes: [(Shape, usize); 6] = [
        (nested, 500),
        (threaded, 500),
        (one_by_one, 250),
        (crossing, 150),
        (exchanged, 500),
        (branchy, 300),
    ];
    for (shape, count) in shapes {
        for level in 0..=3 {
            let peak = |count| peak_of_compiling(backend, level, &shape(count));
            // A function four times as large takes about four times as much; the square would
            // be sixteen times.
            let (small, large) = (peak(count), peak(4 * count));
            assert!(large < 8 * small, "level {level}: {small}, {large}");
        }
    }
}

/// Returns a function that computes with 16 variables: nine instructions and labels per unit.
fn computing(count: usize) -> String {
    let variables: Vec<String> = (0..16).map(|number| format!("i64:v{number}")).collect();
    let variables = variables.join(", ");
    let mut source = format!("m: module\nmain: func i64, i64:n\nlocal {variables}, i64:t\n");
    for number in 0..16 {
        source += &format!("add v{number}, n, {number}\n");
    }
    for number in 0..count {
        let (a, b, c) = (number % 16, (5 * number + 3) % 16, (11 * number + 7) % 16);
        source += &format!(
            "and t, v{a}, {}\nbeq e{number}, t, 0\nadd v{b}, v{b}, v{c}\nxor v{c}, v{c}, v{a}\n\
             jmp j{number}\ne{number}:\nsub v{b}, v{b}, {number}\nor v{a}, v{a}, 1\nj{number}:\n",
            number % 61 + 1
        );
    }
    source + "ret v0\nendfunc\nendmodule\n"
}

/// At level 0 a large function takes few bytes per instruction, though an array that grows or
/// shrinks is in memory twice at that moment.
#[test]
fn level_0_takes_few_bytes_per_instruction() {
    let count = 2000;
    for backend in target_all::ISAS {
        let bytes = peak_of_compiling(*backend, 0, &computing(count)) / (9 * count);
        let name = backend.target().name;
        assert!(bytes < 140, "{name}: {bytes} bytes");
    }
}

/// Code of more than 1 MiB, the reach of some instructions of aarch64, finds its constants and
/// data at level 0, which selects instructions before it knows how large a function becomes.
#[test]
fn constants_of_large_functions_are_found_at_level_0() {
    const FACTOR: i64 = 0x0123_4567_89AB_CDEF;
    let count = 60_000;
    let mut source = String::from(
        "m: module\nseven: i64 7\nmain: func i64, i64:n\nlocal i64:a, i64:p, d:x, i64:i\n\
         mov p, seven\nadd a, n, i64:(p)\ndmov x, 0.7\ndadd x, x, 40.4\n",
    );
    for _ in 0..count {
        source += &format!("mul a, a, {FACTOR}\n");
    }
    source += "dadd x, x, 1.3\nd2i i, x\nmov p, seven\nadd i, i, i64:(p)\nadd a, a, i\n\
               ret a\nendfunc\nendmodule\n";
    let product = (0..count).fold(5 + 7_i64, |a, _| a.wrapping_mul(FACTOR));
    let context = linked(&source, &SystemAllocator).unwrap();
    let options = Options {
        codegen: mir_nostd::codegen::Options {
            level: 0,
            ..Default::default()
        },
        ..Options::default()
    };
    let jit = jit(&context, testkit::host_backend(), options);
    let main = function(&context, "main");
    jit.compile(main).unwrap();
    // 0.7 + 40.4 + 1.3 is 42.4, and with the 7 of the data 49.
    assert_eq!(call(&jit, main, &[5]), Ok(product.wrapping_add(49)));
}
