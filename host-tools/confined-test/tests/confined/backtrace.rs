//! The calls inside each other at a fault are the same in every engine, inlined ones too.

use crate::prelude::*;

/// `top` calls `middle` directly, that calls `small`, which is small enough to be inlined, and that
/// what it is given, `last` or an import.
const TEXT: &str = "m: module
import fail
export top
export deep
export at
p1: proto i64, i64:a
p2: proto i64, i64:a, i64:n
p_fail: proto i64, i64:a
last: func i64, i64:a
 local i64:r
 add a, a, 8
 mov r, i64:(a)
 ret r
endfunc
failing: func i64, i64:a
 local i64:r
 call p_fail, fail, r, 9
 ret r
endfunc
at: func i64, i64:number
 beq second, number, 1
 ret last
second: ret failing
endfunc
small: func i64, i64:f, i64:n
 local i64:r
 call p1, f, r, n
 add r, r, 1
 ret r
endfunc
middle: func i64, i64:f, i64:n
 local i64:r
 mov r, 3
 inline p2, small, r, f, n
 ret r
endfunc
top: func i64, i64:number, i64:n
 local i64:f, i64:r
 call p1, at, f, number
again: call p2, middle, r, f, n
 sub n, n, 4096
 jmp again
endfunc
deep: func i64, i64:n
 local i64:r
 beq end, n, 0
 sub n, n, 1
 call p1, deep, r, n
 ret r
end: call p1, last, r, 0
 ret r
endfunc
endmodule
";

fn outcome(calls: &[(&'static str, Vec<i64>)]) -> Outcome {
    let setup = Setup {
        text: TEXT,
        bytes: 1 << 16,
        calls: calls.to_vec(),
        ..Setup::default()
    };
    on_large_stack(|| setup.outcome())
}

fn frames(frames: &[(&str, u32)]) -> Vec<(String, Option<u32>)> {
    let frames = frames.iter();
    frames
        .map(|&(name, number)| (name.to_owned(), Some(number)))
        .collect()
}

#[test]
fn every_call_has_its_function_and_instruction() {
    let outcome = outcome(&[
        ("top", vec![0, FIRST]),
        ("top", vec![1, 0]),
        ("at", vec![0]),
        ("top", vec![0, FIRST + 4096]),
    ]);
    let outer = [("small", 0), ("middle", 1), ("top", 2)];
    let expected = |inner| [&[inner][..], &outer].concat();
    let outside = frames(&expected(("last", 1)));
    assert_eq!(outcome.traces[0], (outside.clone(), false));
    let failed = frames(&expected(("failing", 0)));
    assert_eq!(outcome.traces[1], (failed, false));
    assert_eq!(outcome.traces[2], (vec![], false));
    assert_eq!(outcome.traces[3], (outside, false));
}

#[test]
fn outer_calls_are_left_out_where_there_are_too_many() {
    let outcome = outcome(&[("deep", vec![14]), ("deep", vec![15])]);
    let deep = |count| [vec![("last", 1), ("deep", 5)], vec![("deep", 2); count]].concat();
    assert_eq!(outcome.traces[0], (frames(&deep(14)), false));
    assert_eq!(outcome.traces[1], (frames(&deep(14)), true));
    assert_eq!(confined::MOST_FRAMES, 16);
}

#[test]
fn fuel_ends_in_the_same_calls() {
    for fuel in (1..60).step_by(9) {
        let setup = Setup {
            text: TEXT,
            calls: vec![("top", vec![0, FIRST + 8192])],
            fuel,
            ..Setup::default()
        };
        let outcome = on_large_stack(|| setup.outcome());
        let (frames, is_cut) = &outcome.traces[0];
        assert!(
            !is_cut && frames.last().is_some_and(|frame| frame.0 == "top"),
            "{frames:?}"
        );
    }
}
