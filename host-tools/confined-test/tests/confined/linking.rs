//! Loading and linking: data, addresses and values in it; what cannot be confined is refused.

use crate::prelude::*;
use mir_nostd::ir::{Place as At, Problem};

const HANDLES: i64 = 1 << 40;
const LABELS: i64 = 1 << 41;

#[test]
fn data_holds_values_of_the_program() {
    let text = "m: module
export at
import change
forward get
words: i64 5, -6
refs: ref words, 8
 ref get, 0
 ref words, -100000
 ref change, 3
one: func i64
 local i64:r
 mov r, 6
 mul r, r, 7
 ret r
endfunc
name: func i64
 ret words
endfunc
own: func i64
 ret get
endfunc
value: expr one
 expr name
 expr own
get: func i64
 local i64:a
 laddr a, l2
l1: ret 1
l2: ret 2
endfunc
labels: lref l2
 lref l1
 lref l2, l1
 lref l2, l1, 3
at: func i64, i64:n, i64:k
 local i64:a
 switch n, r, v, l, w
r: mov a, refs
 ret i64:(a, k, 8)
v: mov a, value
 ret i64:(a, k, 8)
l: mov a, labels
 ret i64:(a, k, 8)
w: ret words
endfunc
endmodule
";
    // The words are what comes first; `change` and `fail` are functions 0 and 1, `get` is the
    // fourth of the module.
    let get = HANDLES + 16 * 5;
    let cases = vec![
        ("at", vec![3, 0], Ok(FIRST)),
        ("at", vec![0, 0], Ok(FIRST + 8)),
        ("at", vec![0, 1], Ok(get)),
        ("at", vec![0, 2], Ok(FIRST - 100_000)),
        ("at", vec![0, 3], Ok(HANDLES + 3)),
        ("at", vec![1, 0], Ok(42)),
        ("at", vec![1, 1], Ok(FIRST)),
        ("at", vec![1, 2], Ok(get)),
        ("at", vec![2, 0], Ok(LABELS)),
        ("at", vec![2, 1], Ok(LABELS + 16)),
        ("at", vec![2, 2], Ok(-16)),
        ("at", vec![2, 3], Ok(-13)),
    ];
    check_text(text, &cases);
}

/// Returns the error of linking a text with so many bytes of memory.
fn refused(text: &str, bytes: usize) -> Error {
    let setup = Setup {
        text,
        bytes,
        ..Setup::default()
    };
    on_large_stack(|| setup.run(Way::Interpreted)).unwrap_err()
}

#[test]
fn what_cannot_be_confined_is_refused_with_its_place() {
    let text = "m: module\nexport main\np: proto\nf: func\nret\nendfunc\nmain: func i64\nlocal i64:a\n\
                mov a, 1\njcall p, f\nendfunc\nendmodule\n";
    let error = refused(text, 8192);
    assert_eq!(error.problem, Problem::ConfinedInsn);
    assert!(matches!(error.place, At::Insn { .. }), "{error}");

    let text = "m: module\nexport main\nmain: func i64, i64:a\njret a\nendfunc\nendmodule\n";
    let text = text.replace("func i64, i64:a", "func i64:a");
    let error = refused(&text, 8192);
    assert_eq!(error.problem, Problem::ConfinedInsn);
    assert!(matches!(error.place, At::Insn { .. }), "{error}");

    let import = "m: module\nimport away\nexport main\np: proto\nmain: func i64\ncall p, away\nret 1\n\
                  endfunc\nendmodule\n";
    assert_eq!(refused(import, 8192).problem, Problem::UnresolvedImport);
    let import = "m: module\nimport away\nr: ref away, 0\nendmodule\n";
    let error = refused(import, 8192);
    assert_eq!(error.problem, Problem::UnresolvedImport);
    assert!(matches!(error.place, At::Item(_)), "{error}");

    let twice =
        "m: module\nexport a\na: bss 8\nendmodule\nn: module\nexport a\na: bss 8\nendmodule\n";
    assert_eq!(refused(twice, 8192).problem, Problem::RedefinedExport);
    let import = "m: module\nexport change\nchange: bss 8\nendmodule\n";
    assert_eq!(refused(import, 8192).problem, Problem::RedefinedExport);
}

#[test]
fn hard_registers_are_refused() {
    let register = match target_all::NATIVE.target().name {
        "x86_64" => "r12",
        "aarch64" => "r27",
        "ppc64le" => "r18",
        "riscv64" => "r18",
        _ => "r7",
    };
    let text = format!(
        "m: module\nexport main\nmain: func i64\nglobal i64:g:{register}\nmov g, 1\nret g\nendfunc\nendmodule\n"
    );
    assert_eq!(refused(&text, 8192).problem, Problem::ConfinedHardRegister);
}

#[test]
fn data_has_to_fit() {
    // A quarter of the memory is the stack.
    for (size, bytes) in [
        (6145, 8192),
        (8192, 8192),
        (1 << 40, 8192),
        (i64::MAX, 8192),
    ] {
        let text = format!("m: module\nb: bss {size}\nendmodule\n");
        let error = refused(&text, bytes);
        assert_eq!(error.problem, Problem::ConfinedData, "{size}");
    }
    let text = "m: module\nexport main\nb: bss 6144\nmain: func i64\nret b\nendfunc\nendmodule\n";
    let setup = Setup {
        text,
        ..Setup::default()
    };
    let outcome = check(setup, &[("main", vec![], Ok(FIRST))]);
    assert_eq!(outcome.memory[..6144], [0; 6144]);
    assert_eq!(outcome.memory[6144..], pattern(8192)[6144..]);
}

#[test]
fn sizes_of_memory_have_limits() {
    for bytes in [0, 1, 4095] {
        let mut memory = vec![0; bytes];
        let space = Space::new(&SystemAllocator, &mut memory, confined::Options::default());
        assert_eq!(space.unwrap_err().problem, Problem::ConfinedSize);
    }
    let both = confined::Options {
        windows: true,
        masks: true,
        stack: None,
    };
    let mut memory = vec![0; 4096];
    let space = Space::new(&SystemAllocator, &mut memory, both);
    assert_eq!(space.unwrap_err().problem, Problem::ConfinedWindow);
}

#[test]
fn a_program_is_linked_once() {
    let text = "m: module\nexport main\nmain: func i64\nret 1\nendfunc\nendmodule\n";
    let mut memory = vec![0; 4096];
    let space = Space::new(&SystemAllocator, &mut memory, confined::Options::default()).unwrap();
    let context = context();
    let mut program = Program::new(&context, &space).unwrap();
    let mut all = modules(text).unwrap();
    all.extend(modules(text).unwrap());
    program.load(all.pop().unwrap()).unwrap();
    program.link().unwrap();
    let linked = Problem::ConfinedLinked;
    assert_eq!(
        program.load(all.pop().unwrap()).unwrap_err().problem,
        linked
    );
    assert_eq!(program.link().unwrap_err().problem, linked);
    assert_eq!(define(&mut program).unwrap_err().problem, linked);
    let mut results = [Value::ZERO];
    program.interpret(b"main", &[], &mut results, FUEL).unwrap();
    assert_eq!(results[0].u64(), 1);
}

#[test]
fn of_a_library_only_what_is_referred_to_is_linked() {
    let text = "m: module
import used
export own
export main
export through
p: proto i64, i64:n
own: func i64, i64:n
 add n, n, 1
 ret n
endfunc
main: func i64, i64:n
 local i64:r
 call p, used, r, n
 call p, own, r, r
 ret r
endfunc
through: func i64, i64:value
 local i64:r
 call p, value, r, 5
 ret r
endfunc
endmodule
";
    // A function that is left out may need what nothing defines. The program has `own` already.
    let library = "l: module
import missing
export used
export unused
export own
p: proto i64, i64:n
inner: func i64, i64:n
 mul n, n, 10
 ret n
endfunc
forward own
used: func i64, i64:n
 local i64:r
 call p, inner, r, n
 call p, own, n, n
 add r, r, n
 ret r
endfunc
unused: func i64, i64:n
 local i64:r
 call p, missing, r, n
 ret r
endfunc
own: func i64, i64:n
 ret 2000
endfunc
endmodule
";
    // Two imports are defined before the functions of the modules.
    let value = |number: i64| (1 << 40) + 16 * number;
    let (used, unused) = (value(6), value(7));
    let setup = Setup {
        text,
        library,
        calls: vec![
            ("main", vec![4]),
            ("through", vec![used]),
            ("through", vec![unused]),
        ],
        ..Setup::default()
    };
    let outcome = on_large_stack(|| setup.outcome());
    let results: Vec<_> = { outcome.calls.iter() }
        .map(|(result, _)| result.as_ref().map_err(|place| place.0).copied())
        .collect();
    assert_eq!(results, [Ok(2041), Ok(2050), Err(Reason::Signature)]);
    let outside = Setup {
        calls: vec![("unused", vec![1])],
        ..setup.clone()
    };
    for way in [Way::Interpreted, Way::Lazily(2, run::Granularity::Function)] {
        let ran = on_large_stack(|| outside.run(way)).unwrap();
        let (result, _) = &ran.calls[0];
        assert_eq!(result.as_ref().unwrap_err().0, Reason::NotLinked);
    }
    // Loaded as a module of the program's own it cannot be linked.
    let own = Setup {
        text: &format!("{text}{library}"),
        library: "",
        ..setup
    };
    assert_eq!(
        own.run(Way::Interpreted).unwrap_err().problem,
        Problem::RedefinedExport
    );
}
