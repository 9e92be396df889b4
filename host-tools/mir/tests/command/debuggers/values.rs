//! The values of variables that are assigned, in optimised code: each that gdb shows is the one
//! that it shows of the code of level 0.

use super::{EMULATED, directory, gdb, gdb_emulated, write_c};
use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A program with loops in a loop, whose `work` calls itself so that it stays a function.
const LOOPS: &str = "m: module
p: proto i64, i64:n, i64:k
  export main
work: func i64, i64:n, i64:k
  local i64:s, i64:i, i64:j, i64:t, d:x, f:y
  mov s, 0
  dmov x, 0.5
  fmov y, 1.5f
  mov i, 0
outer: mov j, 0
inner: mul t, i, j
  add s, s, t
  xor s, s, k
  dadd x, x, x
  fadd y, y, y
  add j, j, 1
  blt inner, j, 3
  add n, n, s
  add i, i, 1
  blt outer, i, k
  bgt done, k, 0
  call p, work, s, n, i
done: d2i t, x
  add s, s, t
  f2i t, y
  add s, s, t
  ret s
  endfunc
main: func i64
  local i64:r
  call p, work, r, 100, 4
  ret 0
  endfunc
  endmodule
";

/// A program with a loop in a loop in a loop, and branches over these, where the counter of the
/// outermost one comes to many blocks on several ways.
const NESTED: &str = "m: module
  export main
p: proto i64, i64:n
work: func i64, i64:n
  local i64:a, i64:i, i64:k, i64:b, i64:j, i64:c
  mov a, n
  mov i, 0
L8:
  mov k, 2
  jmp L10
L11:
  ret a
L10:
  add k, k, -1
  add a, a, k
  beq L12, k, 0
  jmp L10
L12:
  and b, i, 1
  beq L20, b, 0
  jmp L9
L20:
  mov j, 2
  jmp L13
L14:
  add j, j, -1
  beq L15, j, 0
L13:
  add a, a, j
  mov c, 0
L16:
  and b, a, 1
  beq L21, b, 0
  add a, a, 3
L21:
  add c, c, 1
  beq L14, c, 2
  jmp L16
L15:
  add a, a, 1
L9:
  add i, i, 1
  beq L11, i, 3
  jmp L8
  endfunc
main: func i64
  local i64:r
  call p, work, r, 3
  ret 0
  endfunc
  endmodule
";

/// The commands for gdb that stop at lines of `work` and show its variables there.
const STOPS: &str = "set $step = 0
while $step < 150
  echo \\nSTOP\\n
  frame
  info args
  info locals
  next
  set $step = $step + 1
end
";

/// The number of a line of the source, and the variables that are shown there.
type Stop = (u32, BTreeMap<String, String>);

/// Returns the stops in `work` of what gdb printed.
fn stops(text: &str) -> Vec<Stop> {
    let stop = |text: &str| {
        let mut lines = text.lines().skip_while(|line| !line.starts_with("#0 "));
        let (_, place) = lines.next()?.split_once(" work (")?;
        let number = place.rsplit_once(':')?.1.trim().parse().ok()?;
        let lines = text.lines().filter_map(|line| line.split_once(" = "));
        let shown =
            lines.filter(|(name, value)| !name.contains(' ') && *value != "<optimized out>");
        let shown = shown.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Some((number, shown.collect()))
    };
    text.split("\nSTOP\n").filter_map(stop).collect()
}

/// Returns whether all that is shown at a stop is shown at one of these, too.
fn is_among<'a>(shown: &Stop, stops: impl IntoIterator<Item = &'a Stop>) -> bool {
    let is_same = |stop: &Stop| {
        shown
            .1
            .iter()
            .all(|(name, value)| stop.1.get(name) == Some(value))
    };
    stops.into_iter().any(is_same)
}

/// Checks the stops in optimised code by those in code of level 0. Returns how many values of the
/// variables were shown, and how many were not. Above level 1 an instruction may run before a
/// branch decides that it should: then what is shown is that of the branch.
fn check(plain: &[Stop], optimised: &[Stop], is_speculative: bool, case: &str) -> (usize, usize) {
    let (mut shown, mut missing) = (0, 0);
    let most = plain.iter().map(|(_, shown)| shown.len()).max().unwrap();
    for stop in optimised {
        let here = plain.iter().filter(|(line, _)| *line == stop.0);
        let is_right = is_among(stop, here) || is_speculative && is_among(stop, plain);
        assert!(is_right, "{case}: {stop:?}\n{plain:#?}");
        shown += stop.1.len();
        missing += most - stop.1.len();
    }
    (shown, missing)
}

/// Writes a program and the commands; returns the file and the command that runs these.
fn write(name: &str, program: &str) -> (PathBuf, String) {
    let directory = directory(name).canonicalize().unwrap();
    let (file, steps) = (directory.join("work.mir"), directory.join("stops.gdb"));
    std::fs::write(&file, program).unwrap();
    std::fs::write(&steps, STOPS).unwrap();
    (file, format!("source {}", steps.display()))
}

fn native(file: &Path, level: &str, source: &str) -> Option<Vec<Stop>> {
    let text = gdb(file, &["--jit", level], &["break work", "run", source])?;
    Some(stops(&text))
}

/// A random number generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn variable(&mut self) -> String {
        ["v0", "v1", "v2", "v3", "n", "k"][self.below(6) as usize].to_owned()
    }

    fn source(&mut self) -> String {
        match self.below(4) {
            0 => self.below(9).to_string(),
            _ => self.variable(),
        }
    }

    /// Adds a statement.
    fn statement(&mut self, depth: usize, labels: &mut u32, text: &mut String) {
        *labels += 1;
        let label = *labels;
        let target = ["v0", "v1", "v2", "v3"][self.below(4) as usize];
        let (left, right) = (self.source(), self.source());
        match self.below(12) {
            0..5 => {
                let code = ["add", "sub", "mul", "xor", "and"][self.below(5) as usize];
                writeln!(text, "  {code} {target}, {left}, {right}").unwrap();
            }
            5 => writeln!(text, "  mov {target}, {left}").unwrap(),
            6 => writeln!(text, "  ext32 {target}, {left}").unwrap(),
            7 => writeln!(text, "  call q, half, {target}, {left}").unwrap(),
            8 | 9 if depth < 3 => {
                writeln!(text, "  blt l{label}, {left}, {right}").unwrap();
                self.statement(depth + 1, labels, text);
                writeln!(text, "  jmp e{label}\nl{label}:").unwrap();
                self.statement(depth + 1, labels, text);
                writeln!(text, "e{label}:").unwrap();
            }
            // A loop, with its test at the end or at the beginning.
            form @ (10 | 11) if depth < 2 => {
                let (counter, most) = (format!("i{depth}"), 2 + self.below(3));
                writeln!(text, "  mov {counter}, 0\nl{label}:").unwrap();
                if form == 11 {
                    writeln!(text, "  bge e{label}, {counter}, {most}").unwrap();
                }
                self.statement(depth + 1, labels, text);
                self.statement(depth + 1, labels, text);
                writeln!(text, "  add {counter}, {counter}, 1").unwrap();
                match form {
                    11 => writeln!(text, "  jmp l{label}\ne{label}:").unwrap(),
                    _ => writeln!(text, "  blt l{label}, {counter}, {most}").unwrap(),
                }
            }
            _ => writeln!(text, "  add n, n, {left}").unwrap(),
        }
    }

    fn program(&mut self) -> String {
        let (mut body, mut labels) = (String::new(), 0);
        for _ in 0..10 {
            self.statement(0, &mut labels, &mut body);
        }
        format!(
            "m: module
p: proto i64, i64:n, i64:k
q: proto i64, i64:n
  export main
half: func i64, i64:n
  ble done, n, 1000000
  sub n, n, 1
  call q, half, n, n
  add n, n, 1
done: ret n
  endfunc
work: func i64, i64:n, i64:k
  local i64:v0, i64:v1, i64:v2, i64:v3, i64:i0, i64:i1
  mov v0, k
  mov v1, 7
  add v2, n, k
  mov v3, -1
  mov i0, 0
  mov i1, 0
{body}  add v0, v0, v1
  xor v0, v0, v2
  add v0, v0, v3
  blt end, k, 100
  call p, work, v0, v0, i0
end: ret v0
  endfunc
main: func i64
  local i64:r
  call p, work, r, 3, 5
  ret 0
  endfunc
  endmodule
"
        )
    }
}

#[test]
fn gdb_shows_variables_of_loops() {
    let (file, source) = write("gdb-loops", LOOPS);
    let Some(plain) = native(&file, "-O0", &source) else {
        return;
    };
    assert!(plain.len() > 80, "{plain:?}");
    // All but the product at each line of the inner loop; those that remain when it is unrolled.
    for (level, share, lines) in [
        ("-O1", 80, 11..=17),
        ("-O2", 60, 12..=15),
        ("-O3", 60, 12..=15),
    ] {
        let optimised = native(&file, level, &source).unwrap();
        let (shown, missing) = check(&plain, &optimised, level != "-O1", level);
        assert!(
            shown * 100 >= (shown + missing) * share,
            "{level}: {shown} {missing}"
        );
        let here = optimised.iter().filter(|(line, _)| lines.contains(line));
        for (line, shown) in here {
            let is_shown = |name| shown.contains_key(name);
            let names = ["s", "i", "j", "n", "k", "x", "y"];
            assert!(names.into_iter().all(is_shown), "{line} {shown:?}");
        }
    }
}

/// A program in C, and what clang 22 makes of it with `-O1 -fno-vectorize -fno-slp-vectorize -g`.
const SCORES: [&str; 2] = [include_str!("scores.c"), include_str!("scores.ll")];

/// Returns `i`, `t`, `total` and `scale` each time `total += t` is reached in calls of `work` with
/// 12, 3 and 0: what the C says.
fn scores() -> Vec<[String; 4]> {
    let k = 7;
    let mut all = Vec::new();
    for n in [12, 3, 0] {
        let (mut total, mut scale) = (k, 1.5);
        for i in 0..n {
            let t = i * k;
            let scale_text = f64::to_string(&scale);
            all.push([i.to_string(), t.to_string(), total.to_string(), scale_text]);
            total += t;
            if total > 50 {
                total -= t / 2;
            }
            scale += f64::from(total);
        }
    }
    all
}

#[test]
fn gdb_shows_variables_of_c_that_clang_optimised() {
    const LINE: u32 = 10;
    let (file, _) = write_c("gdb-scores", "scores", SCORES);
    let steps = file.with_extension("gdb");
    std::fs::write(&steps, STOPS).unwrap();
    let source = format!("source {}", steps.display());
    let Some(plain) = native(&file, "-O0", &source) else {
        return;
    };
    assert!(plain.len() > 60, "{plain:?}");
    for (level, share) in [("-O0", 80), ("-O1", 70), ("-O2", 55), ("-O3", 55)] {
        let stops = native(&file, level, &source).unwrap();
        let here: Vec<_> = stops.iter().filter(|(line, _)| *line == LINE).collect();
        let expected = scores();
        assert_eq!(here.len(), expected.len(), "{level}: {stops:?}");
        for ((_, shown), expected) in here.into_iter().zip(expected) {
            let values = ["i", "t", "total", "scale"].map(|name| shown.get(name).cloned());
            assert_eq!(values, expected.map(Some), "{level}");
            // That of the function which was inlined is none of this one's.
            assert!(!shown.contains_key("x"), "{level}: {shown:?}");
        }
        let (shown, missing) = check(&plain, &stops, false, level);
        assert!(
            shown * 100 >= (shown + missing) * share,
            "{level}: {shown} {missing}"
        );
    }
}

#[test]
fn gdb_shows_variables_of_deeply_nested_loops() {
    let (file, source) = write("gdb-nested", NESTED);
    let Some(plain) = native(&file, "-O0", &source) else {
        return;
    };
    assert!(plain.len() > 80, "{plain:?}");
    // At level 3 the function is part of `main`.
    for level in ["-O1", "-O2"] {
        let optimised = native(&file, level, &source).unwrap();
        let (shown, missing) = check(&plain, &optimised, level != "-O1", level);
        assert!(shown > missing, "{level}: {shown} {missing}");
    }
}

#[test]
fn gdb_shows_no_wrong_value_in_random_functions() {
    let mut shown = 0;
    for seed in 1..=8 {
        let program = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed)).program();
        let (file, source) = write(&format!("gdb-random-{seed}"), &program);
        let Some(plain) = native(&file, "-O0", &source) else {
            return;
        };
        assert!(plain.len() > 10, "{program}");
        for level in ["-O1", "-O2", "-O3"] {
            let optimised = native(&file, level, &source).unwrap();
            let case = format!("{level} of\n{program}");
            shown += check(&plain, &optimised, level != "-O1", &case).0;
        }
    }
    assert!(shown > 1000, "{shown}");
}

#[test]
fn gdb_shows_variables_of_loops_on_each_isa() {
    let (file, source) = write("gdb-loops-isas", LOOPS);
    let commands = ["break work", "run", &source];
    for isa in EMULATED {
        let Some(text) = gdb_emulated(isa, ("-O0", &file), &commands) else {
            return;
        };
        let plain = stops(&text);
        for level in ["-O1", "-O2"] {
            let text = gdb_emulated(isa, (level, &file), &commands).unwrap();
            let case = format!("{isa:?} {level}");
            let (shown, missing) = check(&plain, &stops(&text), level != "-O1", &case);
            assert!(shown > missing, "{case}: {shown} {missing}");
        }
    }
}
