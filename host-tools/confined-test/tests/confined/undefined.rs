//! Variables begin as zeros, on every path; only where it can be told apart does that cost fuel.

use crate::prelude::*;

/// Functions that read a variable before any write, on some path; what was in the cells and
/// registers before is not zero, as `fill` was called.
const TEXT: &str = "m: module
export fill
export at_once
export in_loop
export on_one_path
export on_both_paths
export behind_switch
export by_label
export base
export result
p_fill: proto i64, i64:a
fill: func i64, i64:a
 local i64:b, i64:c, i64:d, i64:e, i64:f, i64:g
 add b, a, 1
 mul c, b, 3
 mul d, c, 5
 xor e, d, b
 sub f, e, 99
 or g, f, c
 add b, b, c
 add b, b, d
 add b, b, e
 add b, b, f
 add b, b, g
 ret b
endfunc
at_once: func i64, i64:a
 local i64:v
 add v, v, a
 ret v
endfunc
in_loop: func i64, i64:n
 local i64:v, i64:w
again: add w, w, v
 mov v, n
 sub n, n, 1
 bgt again, n, 0
 ret w
endfunc
on_one_path: func i64, i64:a
 local i64:v
 bf join, a
 mov v, 7
join: ret v
endfunc
on_both_paths: func i64, i64:a
 local i64:v
 bf other, a
 mov v, 7
 jmp both
other: mov v, 8
both: ret v
endfunc
behind_switch: func i64, i64:a
 local i64:v
 switch a, one, two, three
one: mov v, 1
 jmp three
two: ret 5
three: ret v
endfunc
by_label: func i64, i64:a
 local i64:v, i64:to
 laddr to, early
 bf go, a
 laddr to, late
go: jmpi to
early: mov v, 3
late: ret v
endfunc
base: func i64, i64:a
 local i64:v
 bt read, a
 mov v, 4096
read: ret i64:(v)
endfunc
result: func i64, i64:a
 local i64:v
 bf without, a
 call p_fill, fill, v, 1
without: ret v
endfunc
endmodule
";

#[test]
fn variables_begin_as_zeros() {
    let filled = Ok(-70);
    let mut cases = vec![];
    for (name, argument, expected) in [
        ("at_once", 5, Ok(5)),
        ("in_loop", 3, Ok(5)),
        ("on_one_path", 0, Ok(0)),
        ("on_one_path", 1, Ok(7)),
        ("on_both_paths", 0, Ok(8)),
        ("on_both_paths", 1, Ok(7)),
        ("behind_switch", 0, Ok(1)),
        ("behind_switch", 1, Ok(5)),
        ("behind_switch", 2, Ok(0)),
        ("by_label", 0, Ok(3)),
        ("by_label", 1, Ok(0)),
        ("base", 1, Err((Reason::BadAddress(0), 3))),
        ("result", 0, Ok(0)),
        ("result", 1, filled),
    ] {
        cases.push(("fill", vec![1], filled));
        cases.push((name, vec![argument], expected));
    }
    let setup = Setup {
        text: TEXT,
        ..Setup::default()
    };
    check(setup, &cases);
}

/// Returns the fuel that a call of `main` takes in all ways.
fn fuel_of(body: &str, result: i64) -> u64 {
    let text = format!("m: module\nexport main\nmain: func i64, i64:a\n{body}endfunc\nendmodule\n");
    let setup = Setup {
        text: &text,
        ..Setup::default()
    };
    let fuel = setup.fuel;
    fuel - check(setup, &[("main", vec![1], Ok(result))]).calls[0].1
}

#[test]
fn variables_that_are_written_first_cost_nothing() {
    let plain = fuel_of(" ret a\n", 1);
    // A path of two instructions to the join, and the `ret` there, charged apart from them.
    let defined =
        " local i64:v\n bf other, a\n mov v, 1\n jmp join\nother: mov v, 8\njoin: ret v\n";
    assert_eq!(fuel_of(defined, 1), plain + 3);
    let undefined = " local i64:v\n bf join, a\n mov v, 1\njoin: ret v\n";
    assert_eq!(fuel_of(undefined, 1), plain + 2 + 1);
}

/// Functions of many blocks, through each of which all variables live: more than are searched.
#[test]
fn long_searches_end_with_zeros() {
    use core::fmt::Write;
    let (variables, blocks) = (150, 150);
    let mut body = String::from(" local i64:s");
    for number in 0..variables {
        write!(body, ", i64:v{number}").unwrap();
    }
    body.push('\n');
    for number in 0..variables - 1 {
        writeln!(body, " mov v{number}, {number}").unwrap();
    }
    for number in 0..blocks {
        writeln!(
            body,
            " bf l{number}, a\n sub a, a, 1\nl{number}: add a, a, 1"
        )
        .unwrap();
    }
    body.push_str(" mov s, 0\n");
    for number in 0..variables {
        writeln!(body, " add s, s, v{number}").unwrap();
    }
    body.push_str(" ret s\n");
    fuel_of(&body, (0..149).sum());
}
