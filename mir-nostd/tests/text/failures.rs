//! Lack of memory, malformed text, long text.

use crate::corpus::texts;
use crate::{print_all, read};
use core::time::Duration;
use fastrand::Rng;
use mir_nostd::ir::{ErrorKind, Result};
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::text;
use std::time::Instant;
use testkit::readers::{self, alter};
use testkit::{FailingAllocator, sweep};

const PROGRAM: &str = "m: module
import printf
export f
p: proto i32, p:format, ...
b: bss 8
r: ref b, 8
s: string \"text\"
v: i64 1, 2, 3
f: func i64, i64:a, blk:16(c), ...
  local i64:x, d:y, ld:z
  global i64:g:r12
  mov i64:(a, x, 8):one:two, 123456789012345678
  ldmov z, 1.5L
again: call p, printf, x, \"%d\\n\", x
  bt again, x
  ret x
  endfunc
e: lref again
endmodule
n: module
endmodule
";

fn read_with(allocator: &FailingAllocator) -> Result<()> {
    text::parse(
        PROGRAM.as_bytes(),
        allocator,
        LongDoubleFormat::X87,
        &mut |_| (),
    )
    .map(|_| ())
}

#[test]
fn every_lack_of_memory_is_an_error() {
    let requests = sweep(read_with, |error| error.kind() == ErrorKind::Alloc);
    assert!(requests > 50, "{requests}");
}

#[test]
fn altered_programs_never_panic() {
    let texts = texts();
    let mut random = Rng::with_seed(1);
    let end = Instant::now() + Duration::from_secs(1);
    while Instant::now() < end {
        let mut source = texts[random.usize(..texts.len())].clone();
        source.truncate(20_000);
        let other = &texts[random.usize(..texts.len())];
        alter(&mut source, other, &mut random);
        readers::text(&source, &[]);
    }
}

/// Text of twice the length takes about twice the work, not four times; and nothing recurses.
#[test]
fn long_input_of_every_shape() {
    let many = |part: &str| part.repeat(200_000);
    for source in [
        format!(
            "m: module\nf: func i64:a\n{} ret\nendfunc\nendmodule\n",
            many("x: ").replacen("x: ", "", 199_999)
        ),
        format!(
            "m: module\nf: func i64:a\n ret {}\nendfunc\nendmodule\n",
            many("a, ")
        ),
        format!("m: module\n i8 {}\nendmodule\n", many("1, ")),
        format!("m: module\n string \"{}\"\nendmodule\n", many("\\\n")),
        format!("m: module\n {}endmodule\n", many("string \"\"\n")),
        many("m: module; endmodule;"),
        many("\n"),
    ] {
        let modules = read(&source, LongDoubleFormat::X87).unwrap();
        assert!(print_all(&modules).len() >= 12 * modules.len());
    }
    for source in [
        many("("),
        many("m:"),
        many("\""),
        many("\\"),
        many("m: module\n"),
        many("f: func\n"),
        many("-1."),
    ] {
        assert!(read(&source, LongDoubleFormat::X87).is_err());
    }
}
