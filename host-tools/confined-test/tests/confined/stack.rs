//! The stack of a program is in its memory, and ends there.

use crate::prelude::*;

const TEXT: &str = "m: module
export room
export loop
export deep
export back
export slot
export taken
export fine
p_deep: proto i64, i64:a
room: func i64, i64:n
 local i64:a
 alloca a, n
 mov u8:(a), 1
 ret 1
endfunc
loop: func i64
 local i64:a
again: alloca a, 16
 mov u8:(a), 7
 jmp again
endfunc
deep: func i64, i64:a
 local i64:r
 add a, a, 1
 call p_deep, deep, r, a
 ret r
endfunc
back: func i64, i64:offset
 local i64:a, i64:s
 bstart s
 alloca a, 64
 add s, s, offset
 bend s
 ret 3
endfunc
slot: func i64, i64:offset
 local i64:a, i64:s, i64:p
 addr p, s
 bstart s
 alloca a, 64
 add i64:(p), i64:(p), offset
 bend s
 ret 3
endfunc
taken: func i64, i64:to
 local i64:a, i64:s
 alloca a, 64
 bend to
 ret 4
endfunc
fine: func i64
 local i64:v, i64:a
 mov v, 5
 addr a, v
 add i64:(a), i64:(a), 1
 ret v
endfunc
endmodule
";

fn setup() -> Setup<'static> {
    Setup {
        text: TEXT,
        bytes: 16384,
        options: confined::Options {
            stack: Some(4096),
            ..confined::Options::default()
        },
        ..Setup::default()
    }
}

#[test]
fn areas_keep_to_the_stack() {
    let full = Err((Reason::Stack, 0));
    let mut cases = vec![("fine", vec![], Ok(6))];
    for bytes in [0, 1, -1, 16, 4000, 4080, i64::MIN] {
        cases.push(("room", vec![bytes], Ok(1)));
    }
    for bytes in [
        4097,
        8192,
        1 << 31,
        1 << 32,
        1 << 62,
        i64::MAX - 15,
        i64::MAX,
    ] {
        cases.push(("room", vec![bytes], full));
        cases.push(("fine", vec![], Ok(6)));
    }
    cases.push(("loop", vec![], Err((Reason::Stack, 1))));
    cases.push(("fine", vec![], Ok(6)));
    let outcome = check(setup(), &cases);
    // The memory below the stack was not touched.
    assert_eq!(outcome.memory[..12288], pattern(16384)[..12288]);
}

#[test]
fn recursion_without_end_is_a_fault() {
    let cases = vec![
        ("deep", vec![0], Err((Reason::Stack, 0))),
        ("fine", vec![], Ok(6)),
        ("deep", vec![0], Err((Reason::Stack, 0))),
    ];
    check(setup(), &cases);
    // With a large stack the fuel ends first.
    let large = Setup {
        bytes: 8 << 20,
        options: confined::Options {
            stack: Some(7 << 20),
            ..confined::Options::default()
        },
        ..setup()
    };
    let cases = vec![
        ("deep", vec![0], Err((Reason::OutOfFuel, 0))),
        ("fine", vec![], Ok(6)),
    ];
    check(large, &cases);
}

#[test]
fn a_program_without_stack_runs() {
    let none = Setup {
        options: confined::Options {
            stack: Some(0),
            ..confined::Options::default()
        },
        ..setup()
    };
    let full = Err((Reason::Stack, 0));
    let cases = vec![
        ("fine", vec![], full),
        ("room", vec![1], full),
        ("deep", vec![1], full),
    ];
    let outcome = check(none, &cases);
    assert_eq!(outcome.memory, pattern(16384));
}

#[test]
fn areas_are_given_back_to_where_they_began() {
    let forged = |insn| Err((Reason::Stack, insn));
    let mut cases = Vec::new();
    for offset in [0, -16] {
        cases.push(("back", vec![offset], Ok(3)));
        cases.push(("slot", vec![offset], Ok(3)));
    }
    for offset in [
        1,
        8,
        -8,
        16,
        64,
        4096,
        -80,
        -4096,
        i64::MIN,
        i64::MAX,
        1 << 32,
    ] {
        cases.push(("back", vec![offset], forged(3)));
        cases.push(("slot", vec![offset], forged(4)));
        cases.push(("fine", vec![], Ok(6)));
    }
    for to in [
        0,
        -1,
        FIRST,
        FIRST + 16384,
        FIRST + 16384 + 16,
        i64::MIN,
        1 << 40,
    ] {
        let expected = match to {
            // The end of memory is where this function's areas begin.
            to if to == FIRST + 16384 => Ok(4),
            _ => Err((Reason::Stack, 1)),
        };
        cases.push(("taken", vec![to], expected));
    }
    check(setup(), &cases);
}

#[test]
fn forged_lists_read_memory_alone() {
    let text = "m: module
export forge
export block
export fresh
p_list: proto i64, i64:list, ...
forge: func i64, i64:list
 local i64:at, i64:r
 va_arg at, list, i64:0
 mov r, i64:(at)
 ret 1
endfunc
block: func i64, i64:list, i64:to
 va_block_arg to, list, 40, 0
 ret 2
endfunc
start: func i64, i64:list, ...
 va_start list
 ret 3
endfunc
fresh: func i64, i64:list
 local i64:r
 call p_list, start, r, list, 1, 2
 ret r
endfunc
endmodule
";
    let bytes = 8192;
    let end = FIRST + bytes as i64;
    let names = ["forge", "block", "fresh"];
    let setup = Setup {
        text,
        bytes,
        calls: [
            0,
            1,
            -1,
            FIRST - 1,
            FIRST - 8,
            end - 1,
            end,
            i64::MIN,
            1 << 40,
            1 << 41,
        ]
        .into_iter()
        .flat_map(|list| {
            names.map(|name| match name {
                "block" => (name, vec![list, FIRST + 100]),
                _ => (name, vec![list]),
            })
        })
        .collect(),
        ..Setup::default()
    };
    let outcome = on_large_stack(|| setup.outcome());
    for (result, _) in &outcome.calls {
        assert!(
            matches!(result, Err((Reason::BadAddress(_), ..))),
            "{result:x?}"
        );
    }
    // A list in memory whose words say anything.
    let setup = Setup {
        calls: (0..40)
            .flat_map(|step| {
                let list = FIRST + 8 * step;
                [
                    ("forge", vec![list]),
                    ("block", vec![list, end - 39]),
                    ("fresh", vec![list]),
                ]
            })
            .collect(),
        ..setup
    };
    let outcome = on_large_stack(|| setup.outcome());
    assert!(
        outcome
            .calls
            .iter()
            .any(|(result, _)| matches!(result, Ok(3)))
    );
}
