//! A program runs its own functions, calls the imports that it was given, and jumps to its labels.

use crate::prelude::*;

/// A function that returns on one path, and is left at its end on the other.
const END: &str = "m: module
export f
f: func i64, i64:a
 local i64:r
 bt end, a
 ret 8
end:
 mov r, 7
endfunc
g: func i64, i64:a
 ret a
endfunc
endmodule
";

#[test]
fn the_end_of_a_function_is_at_its_last_instruction() {
    // A label counts as an instruction.
    let end = Err((Reason::EndReached, 3));
    check_text(END, &[("f", vec![0], Ok(8)), ("f", vec![1], end)]);
}

const HANDLES: i64 = 1 << 40;
const LABELS: i64 = 1 << 41;

#[test]
fn only_values_of_functions_are_called() {
    // The imports are functions 0 and 1.
    let text = "m: module
import change
import fail
export one
export none
export real
export variable
export handle
export given
p_one: proto i64, i64:a
p_none: proto i64
p_real: proto d, d:a
p_variable: proto i64, i64:a, ...
p_two: proto i64, i64:a, i64:b
add_one: func i64, i64:a
 add a, a, 1
 ret a
endfunc
half: func d, d:a
 dmul a, a, 0.5
 ret a
endfunc
one: func i64, i64:f
 local i64:r
 call p_one, f, r, 41
 ret r
endfunc
none: func i64, i64:f
 local i64:r
 call p_none, f, r
 ret r
endfunc
real: func i64, i64:f
 local i64:r, d:d
 call p_real, f, d, 9.0
 d2i r, d
 ret r
endfunc
variable: func i64, i64:f
 local i64:r
 call p_variable, f, r, 41
 ret r
endfunc
handle: func i64
 ret add_one
endfunc
given: func i64, i64:f
 local i64:r
 call p_two, f, r, 4096, 0
 ret r
endfunc
endmodule
";
    let [add_one, half] = [HANDLES + 32, HANDLES + 48];
    let bad = |value: i64| Err((Reason::BadFunction(value as u64), 0));
    let other = Err((Reason::Signature, 0));
    let mut cases = vec![
        ("handle", vec![], Ok(add_one)),
        ("one", vec![add_one], Ok(42)),
        ("one", vec![half], other),
        ("none", vec![add_one], other),
        ("real", vec![half], Ok(4)),
        ("real", vec![add_one], other),
        ("variable", vec![add_one], other),
        ("given", vec![HANDLES], Ok(0)),
        ("one", vec![HANDLES], other),
        // An import that fails says so with the code that it was given.
        (
            "one",
            vec![HANDLES + 16],
            Err((Reason::Host(HostError(41)), 0)),
        ),
        ("given", vec![HANDLES + 16], other),
    ];
    let forged = [
        0,
        1,
        -1,
        FIRST,
        HANDLES - 16,
        HANDLES - 1,
        HANDLES + 1,
        HANDLES + 8,
        HANDLES + 15,
        HANDLES + 33,
        HANDLES + 16 * 10,
        HANDLES + 16 * 1_000_000,
        -HANDLES,
        LABELS,
        i64::MIN,
        i64::MAX,
        i64::MIN + HANDLES + 32,
    ];
    cases.extend(forged.map(|value| ("one", vec![value], bad(value))));
    check_text(text, &cases);
}

#[test]
fn jumps_go_to_labels_of_the_function() {
    let text = "m: module
export jump
export other
export without
export handle
jump: func i64, i64:a
 local i64:b
 bne go, a, 0
 laddr b, first
 laddr b, second
go: jmpi a
first: ret 1
second: ret 2
third: ret 3
endfunc
other: func i64, i64:a
 local i64:b
 bne away, a, 0
 laddr b, here
away: jmpi a
here: ret 4
endfunc
without: func i64, i64:a
 jmpi a
 ret 5
endfunc
handle: func i64
 local i64:b
 laddr b, there
there: ret b
endfunc
endmodule
";
    let bad = |number| Err((Reason::BadLabel, number));
    let mut cases = vec![
        ("jump", vec![LABELS], Ok(1)),
        ("jump", vec![LABELS + 16], Ok(2)),
        ("jump", vec![LABELS + 32], bad(4)),
        ("other", vec![LABELS + 32], Ok(4)),
        ("other", vec![LABELS], bad(3)),
        ("handle", vec![], Ok(LABELS + 48)),
    ];
    let forged = [
        1,
        -1,
        LABELS - 16,
        LABELS + 1,
        LABELS + 8,
        LABELS + 17,
        LABELS + 160,
        FIRST,
    ];
    cases.extend(forged.map(|value| ("jump", vec![value], bad(4))));
    for value in [0, LABELS, LABELS + 16, LABELS + 48, LABELS + 64, HANDLES] {
        cases.push(("without", vec![value], bad(0)));
    }
    check_text(text, &cases);
}

#[test]
fn values_of_functions_and_labels_are_no_addresses() {
    let text = "m: module
export read
export write
read: func i64, i64:a
 local i64:r
 mov r, u8:(a)
 ret r
endfunc
write: func i64, i64:a
 mov u8:(a), 1
 ret a
endfunc
endmodule
";
    let mut cases = Vec::new();
    for value in [HANDLES, HANDLES + 16, HANDLES + 32, LABELS, LABELS + 16] {
        cases.push(("read", vec![value], bad_address(value)));
        cases.push(("write", vec![value], bad_address(value)));
    }
    for windows in [false, true] {
        let options = confined::Options {
            windows,
            ..confined::Options::default()
        };
        let setup = Setup {
            text,
            options,
            ..Setup::default()
        };
        check(setup, &cases);
    }
}

/// Properties are not followed: they are all 0.
#[test]
fn branches_on_properties_go_one_way() {
    let text = "m: module
export main
main: func i64, i64:a
 prset a, 1
 prbeq one, a, 1
 prbne one, a, 0
 prbeq none, a, 0
 ret 3
one: ret 1
none: prbne none, a, 0
 ret 2
endfunc
endmodule
";
    check_text(text, &[("main", vec![7], Ok(2))]);
}

/// Blocks of whose first instruction nothing is left in the interpreter: it has no effect, or is
/// part of an operation with the next one.
#[test]
fn fuel_ends_where_a_block_begins() {
    let text = "m: module
export dead
export joined
export small
p_one: proto i64, i64:a
dead: func i64, i64:a
 local i64:v, i64:i
 mov i, 0
dead_loop: mov v, i
 add i, i, a
 jmp dead_loop
endfunc
joined: func i64, i64:a
 local i64:i
 mov i, 0
joined_loop: add i, i, 1
 bgt joined_loop, i, 0
 ret i
endfunc
one: func i64, i64:a
 local i64:v
 mov v, 3
 add a, a, 1
 ret a
endfunc
small: func i64, i64:a
 local i64:v
small_loop: mov v, 3
 call p_one, one, a, a
 jmp small_loop
endfunc
endmodule
";
    // More than an iteration of the longest loop.
    for fuel in 1000..1008 {
        let setup = |name| Setup {
            text,
            fuel,
            calls: vec![(name, vec![1])],
            ..Setup::default()
        };
        for (name, number) in [("dead", 2), ("joined", 2)] {
            let outcome = on_large_stack(|| setup(name).outcome());
            let place = (Reason::OutOfFuel, name.to_owned(), Some(number));
            assert_eq!(outcome.calls[0].0, Err(place), "{fuel}");
        }
        let outcome = on_large_stack(|| setup("small").outcome());
        let (name, number) = match &outcome.calls[0].0 {
            Err((Reason::OutOfFuel, name, Some(number))) => (name.as_str(), *number),
            other => panic!("{other:?}"),
        };
        assert!(
            [("small", 1), ("one", 0)].contains(&(name, number)),
            "{name} {number}"
        );
    }
}
