//! `image`, and `run` of what it makes: several programs in one, what is imported and exported, and
//! what is refused. The format is tested in `mir-image`, the code by the suite `image`.

use super::{Outcome, directory};
use std::fs;
use std::path::{Path, PathBuf};

/// Uses all that one program has of another one's.
const MAIN: &str = "main: module
 import counter, twice, table, printf, puts
 export main
p_int: proto i64, i64:n
p_print: proto i32, p:format, ...
puts_too: ref puts
p_puts: proto i32, p:text
main: func i32
 local i64:n, i64:f, i64:r
 call p_int, twice, n, 21
 mov f, table
 mov f, i64:8(f)
 call p_int, f, r, n
 mov f, counter
 mov f, i64:(f)
 call p_print, printf, r, \"%ld %ld %ld\\n\", n, r, f
 mov f, puts_too
 mov f, i64:(f)
 call p_puts, f, r, \"by address\"
 ret 7
 endfunc
 endmodule
";

/// Has functions that others export, a table of them, and a variable that a constructor and an
/// expression set.
const LIBRARY: &str = "library: module
 import puts
 export counter, twice, table
forward begin, end
.init_array.00200: ref begin
.fini_array.00200: ref end
counter: i64 5
table: ref twice
 ref twice
sum: func i64
 ret 30
 endfunc
value: expr sum
p_puts: proto i32, p:text
twice: func i64, i64:n
 add n, n, n
 ret n
 endfunc
begin: func
 local i64:at, i64:n
 mov at, value
 mov n, i64:(at)
 mov at, counter
 add i64:(at), i64:(at), n
 ret
 endfunc
end: func
 local i64:r
 call p_puts, puts, r, \"the end\"
 ret
 endfunc
 endmodule
";

/// Writes both programs; returns the files.
fn programs(name: &str) -> (PathBuf, [PathBuf; 2]) {
    let place = directory(name);
    let files = [place.join("main.mir"), place.join("library.mir")];
    fs::write(&files[0], MAIN).unwrap();
    fs::write(&files[1], LIBRARY).unwrap();
    (place, files)
}

/// Checks that a command says this and fails with status 2.
fn is_refused(outcome: &Outcome, why: &str) {
    assert_eq!(outcome.status, 2, "{}", outcome.err);
    assert!(outcome.err.contains(why), "{}", outcome.err);
}

#[test]
fn programs_are_linked_loaded_and_run() {
    let (place, [main, library]) = programs("image-runs");
    let image = place.join("program.mimg");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let made = image!("", level, main, library, "-o", image);
        assert_eq!((made.status, &made.err[..]), (0, ""));
        let run = mir!("", "run", image);
        assert_eq!(run.text(), "42 84 35\nby address\nthe end\n", "{}", run.err);
        assert_eq!(run.status, 7);
    }
    // Memory below the code, a gigabyte away.
    let made = image!("", "--distance=-0x40000000", main, library, "-o", image);
    assert_eq!((made.status, &made.err[..]), (0, ""));
    assert_eq!(mir!("", "run", image).status, 7);
}

/// Writes a letter in each of five rounds.
const ROUNDS: &str = "m: module
 import putchar
 export main
p_put: proto i32, i32:c
main: func i32
 local i64:i, i64:r
 mov i, 0
again: add i, i, 1
 call p_put, putchar, r, 120
 blt again, i, 5
 ret 3
 endfunc
 endmodule
";

#[test]
fn fuel_ends_an_image_where_it_ends_the_program() {
    let place = directory("image-fuel");
    let (program, image) = (place.join("rounds.mir"), place.join("rounds.mimg"));
    fs::write(&program, ROUNDS).unwrap();
    for level in ["-O0", "-O3"] {
        let made = image!("", "--fuel", level, program, "-o", image);
        assert_eq!(made.status, 0, "{}", made.err);
        for fuel in ["4", "15", "16", "17", "100"] {
            let ours = mir!("", "run", "--fuel", fuel, image);
            let other = mir!("", "run", "--interp", "--fuel", fuel, program);
            assert_eq!(
                (ours.status, ours.text()),
                (other.status, other.text()),
                "{fuel}"
            );
            let is_short = other.err.contains("out of fuel");
            assert_eq!(
                ours.err.contains("fault 255 in main"),
                is_short,
                "{}",
                ours.err
            );
        }
        assert_eq!(mir!("", "run", image).text(), "xxxxx");
    }
    assert_eq!(image!("", program, "-o", image).status, 0);
    is_refused(&mir!("", "run", "--fuel", "9", image), "without --fuel");
}

/// Calls itself without an end.
const ENDLESS: &str = "m: module
 export main
p_main: proto i64, i64:n
main: func i64, i64:n
 local i64:r
 add n, n, 1
 call p_main, main, r, n
 add r, r, n
 ret r
 endfunc
 endmodule
";

#[test]
fn a_stack_that_grows_too_far_is_a_fault() {
    let place = directory("image-stack");
    let image = place.join("endless.mimg");
    let made = image!(ENDLESS, "--stack-limit", "-O1", "-o", image);
    assert_eq!(made.status, 0, "{}", made.err);
    let run = mir!("", "run", image);
    assert_eq!(run.status, 1, "{}", run.err);
    // The number of the kind is that of `FaultKind::Stack`.
    assert!(run.err.starts_with("fault 4 in main"), "{}", run.err);
}

/// Returns a program with a body of `main`, and functions that that may use.
fn program_of(body: &str) -> String {
    format!(
        "m: module
 import write
 export main
p_int: proto i64, i64:n
p_none: proto
p_write: proto i64, i32:stream, p:at, i64:count
inner: func i64, i64:n
 mov n, i64:(n)
 ret n
 endfunc
say: func
 local i64:r
 call p_write, write, r, 1, 4096, 0
 ret
 endfunc
deeper: func i64, i64:n
 local i64:r
 add n, n, 1
 call p_int, deeper, r, n
 ret r
 endfunc
wider: func
 local i64:a
 mov a, 65536
 alloca a, a
 ret
 endfunc
endless: func i64, i64:n
 bt over, n
 ret n
over:
 add n, n, 1
 endfunc
main: func i32
 local i64:a, i64:r
{body}
 ret 0
 endfunc
 endmodule
"
    )
}

/// Bodies of `main` with the reason for which their runs end, in JSON's word and a person's, and
/// where: in which function and instruction.
const FAULTS: [(&str, [&str; 3], u64); 17] = [
    (
        " call p_int, inner, r, 0",
        [
            "address",
            "access at address 0x0 outside of its memory",
            "inner",
        ],
        0,
    ),
    (
        " call p_int, inner, r, 4088",
        [
            "address",
            "access at address 0xff8 outside of its memory",
            "inner",
        ],
        0,
    ),
    (
        " call p_int, inner, r, 69625",
        [
            "address",
            "access at address 0x10ff9 outside of its memory",
            "inner",
        ],
        0,
    ),
    (
        " mov a, 1\n mov i8:69631, a\n mov i8:69632, a",
        [
            "address",
            "access at address 0x11000 outside of its memory",
            "main",
        ],
        2,
    ),
    (
        " mov i8:-1, 1",
        [
            "address",
            "access at address 0xffffffffffffffff outside of its memory",
            "main",
        ],
        0,
    ),
    (
        "later:\n mov a, 12345\n call p_int, a, r, 1",
        ["function", "call of 0x3039, which is no function", "main"],
        2,
    ),
    (
        // The value of the first function is 2^40.
        " mov a, inner\n mov a, 1099511627784\n call p_int, a, r, 1",
        [
            "function",
            "call of 0x10000000008, which is no function",
            "main",
        ],
        2,
    ),
    (
        " mov a, inner\n call p_none, a",
        [
            "signature",
            "call with another signature than the function's",
            "main",
        ],
        1,
    ),
    (
        " mov a, 3\n jmpi a",
        ["label", "jump to what is no label of the function", "main"],
        1,
    ),
    (
        " mov a, 2\n switch a, one, one\none:",
        ["switch", "switch index out of range", "main"],
        1,
    ),
    (
        " mov a, 0\n mov r, 7\n div r, r, a",
        ["division", "division by zero", "main"],
        2,
    ),
    (
        " mov a, 4097\n atomic_load r, i16:(a), 0",
        ["unaligned", "atomic access that is not aligned", "main"],
        1,
    ),
    (
        " call p_int, endless, r, 1",
        ["end", "end of function reached without ret", "endless"],
        3,
    ),
    (
        " call p_int, deeper, r, 1",
        ["stack", "out of interpreter stack", "deeper"],
        0,
    ),
    (
        " call p_none, wider\n",
        ["stack", "out of interpreter stack", "wider"],
        1,
    ),
    (
        " mov a, 1\nagain:\n add a, a, 1\n add a, a, 2\n jmp again",
        ["fuel", "out of fuel", "main"],
        2,
    ),
    (
        " mov a, 1\n call p_write, write, r, a, 69630, 5",
        ["import", "", "main"],
        1,
    ),
];

#[test]
fn what_a_confined_image_does_wrong_ends_its_run() {
    let place = directory("image-confined");
    let (program, image) = (place.join("wild.mir"), place.join("wild.mimg"));
    for (number, (body, [reason, message, function], instruction)) in FAULTS.iter().enumerate() {
        make_confined(&program, &image, body, number);
        let ours = mir!("", "--json", "run", "--fuel=100000", image);
        let other = mir!(
            "",
            "--json",
            "run",
            "--confined=64K",
            "--fuel=100000",
            program
        );
        assert_eq!((ours.status, ours.text()), (1, other.text()), "{body}");
        let [ours, other] = [ours, other].map(|run| {
            // There may be warnings before it.
            let told = run.err.lines().last().unwrap_or_default();
            serde_json::from_str::<serde_json::Value>(told).unwrap()
        });
        let keys = [
            "severity", "message", "code", "reason", "address", "function", "insn",
        ];
        for key in keys {
            assert_eq!(ours[key], other[key], "{body}: {key}");
        }
        assert_eq!(ours["reason"], *reason, "{body}");
        assert!(
            ours["message"].as_str().unwrap().contains(message),
            "{body}: {ours}"
        );
        assert_eq!(ours["function"], *function, "{body}");
        assert_eq!(ours["insn"], *instruction, "{body}");
    }
    let told = mir!("", "run", image).err;
    assert!(told.contains(", function main, instruction 1 ["), "{told}");
}

#[test]
fn what_a_confined_image_may_do_is_done() {
    let place = directory("image-confined-good");
    let (program, image) = (place.join("good.mir"), place.join("good.mimg"));
    let good = " mov a, write\n call p_write, a, r, 1, \"good\", 4";
    for (number, (body, output)) in [(" mov i8:69631, 1", ""), (good, "good")]
        .iter()
        .enumerate()
    {
        make_confined(&program, &image, body, number);
        let ours = mir!("", "run", "--fuel", "100000", image);
        let other = mir!("", "run", "--confined=64K", "--fuel", "100000", program);
        for run in [ours, other] {
            assert_eq!(
                (run.status, run.text()),
                (0, *output),
                "{body}: {}",
                run.err
            );
        }
    }
}

/// Makes a program with this body, and its image, at a level that the number chooses.
fn make_confined(program: &Path, image: &Path, body: &str, number: usize) {
    fs::write(program, program_of(body)).unwrap();
    let level = ["-O0", "-O1", "-O2", "-O3"][number % 4];
    let proven = "--check-confinement";
    let made = image!("", "--confined=64K", proven, level, program, "-o", image);
    assert_eq!(made.status, 0, "{body}: {}", made.err);
}

/// The tests of images that are not run.
mod texts {
    use super::super::HELLO;
    use super::{ENDLESS, is_refused, program_of, programs};
    use mir_image::{Image, Machine, Place};
    use std::fs;

    #[test]
    fn imports_and_exports_have_their_signatures() {
        let (_, [main, library]) = programs("image-signatures");
        for (target, machine) in [("s390x", Machine::S390x), ("riscv64", Machine::Riscv64)] {
            let made = mir!("", "image", "--target", target, main, library);
            assert_eq!(made.status, 0, "{}", made.err);
            let image = Image::parse(&made.out, machine).unwrap();
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let imports = image
                .imports()
                .map(|import| (text(import.name), text(import.signature)));
            let expected = [("printf", "i32(p,...)"), ("puts", "i32(p)")];
            assert!(imports.eq(expected.map(|(name, signature)| (name.into(), signature.into()))));
            let exports = image
                .exports()
                .map(|export| (text(export.name), text(export.signature)));
            let expected = [
                ("counter", ""),
                ("main", "i32()"),
                ("table", ""),
                ("twice", "i64(i64)"),
            ];
            assert!(exports.eq(expected.map(|(name, signature)| (name.into(), signature.into()))));
            let is_code = image
                .exports()
                .map(|export| matches!(export.place, Place::Code(_)));
            assert!(is_code.eq([false, true, false, true]));
            let header = image.header();
            // The function of the expression comes before the constructor.
            assert_eq!((header.initialisers, header.finalisers), (2, 1));
        }
    }

    #[test]
    fn the_same_programs_give_the_same_bytes_from_any_place() {
        let (_, [main, library]) = programs("image-here");
        let (_, [same, again]) = programs("image-there");
        let [here, there] = [(main, library), (same, again)]
            .map(|(main, library)| mir!("", "image", "--target", "aarch64", main, library).out);
        assert!(!here.is_empty());
        assert_eq!(here, there);
    }

    #[test]
    fn what_images_cannot_have_is_refused() {
        let (place, [main, library]) = programs("image-refused");
        let expression = "m: module\ne: func i64\n local i64:r\n div r, 1, 0\n ret r\n endfunc\nx: expr e\n endmodule\n";
        let unknown = "m: module\n import f\n export x\nx: ref f\n endmodule\n";
        for (program, reason) in [
            (expression, "value of an expr faults"),
            (unknown, "nothing defines f"),
        ] {
            let refused = mir!(program, "image", "--confined");
            assert!(
                refused.status == 1 && refused.err.contains(reason),
                "{}",
                refused.err
            );
        }
        let unconfined = mir!(HELLO, "image", "--check-confinement");
        assert!(
            unconfined.status == 2 && unconfined.err.contains("--confined"),
            "{}",
            unconfined.err
        );
        let odd = mir!(HELLO, "image", "--distance", "100");
        assert!(
            odd.status == 1 && odd.err.contains("multiple of 16"),
            "{}",
            odd.err
        );
        let far = mir!("", "image", "--distance", "0x1000000000", main, library);
        assert!(
            far.status == 1 && far.err.contains("out of reach"),
            "{}",
            far.err
        );
        let twice = mir!("", "image", library, library);
        assert!(
            twice.status == 1 && twice.err.contains("exported by two"),
            "{}",
            twice.err
        );
        let image = place.join("part.mimg");
        assert_eq!(mir!("", "image", main, "-o", image).status, 0);
        is_refused(&mir!("", "run", image), "counter");
        assert_eq!(mir!("", "image", library, "-o", image).status, 0);
        is_refused(&mir!("", "run", image), "exports no main");
        is_refused(&mir!("", "run", "-O2", image), "compiled already");
        let mut bytes = fs::read(&image).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&image, bytes).unwrap();
        is_refused(&mir!("", "run", image), "hash");
    }

    #[test]
    fn a_confined_image_names_what_it_imports_and_what_it_keeps() {
        let text = program_of(" call p_write, write, r, 1, \"good\", 4");
        for target in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
            let made = mir!(
                text,
                "image",
                "--confined=64K",
                "--check-confinement",
                "--target",
                target,
                "-o",
                "-"
            );
            let machine = Machine::ALL.into_iter();
            let mut image = machine.filter_map(|machine| Image::parse(&made.out, machine).ok());
            let image = image.next().unwrap();
            assert_eq!(image.header().limits.0, 7);
            assert_eq!(image.header().ram_size - image.header().memory, 64 << 10);
            let imports = image
                .imports()
                .map(|import| (text_of(import.name), text_of(import.signature)));
            assert!(imports.eq([("write".into(), "i64(i32,p,i64)".into())]));
            let exports = image.exports().map(|export| text_of(export.name));
            assert!(exports.eq(["main".to_string()]));
        }
    }

    /// Values of expressions are computed when the image is made, on whatever machine that is.
    #[test]
    fn a_confined_image_has_the_values_of_its_expressions() {
        let text = "m: module
 export main
main: func
 ret
 endfunc
i: func i64
 local i64:r
 mul r, 123456789, 1000
 ret r
 endfunc
d: func d
 ret 1.5
 endfunc
l: func ld
 ret 1.5L
 endfunc
s: func i16
 ret -2
 endfunc
a: expr i
b: expr d
c: expr l
e: expr s
 ref a
 endmodule
";
        let quad = 0x3FFF_8000_u128 << 96;
        for (target, machine, long) in [
            ("x86_64", Machine::X86_64, 0x3FFF_C000_0000_0000_0000),
            ("aarch64", Machine::Aarch64, quad),
            ("ppc64le", Machine::Ppc64le, 0x3FF8_0000_0000_0000),
            ("riscv64", Machine::Riscv64, quad),
            ("s390x", Machine::S390x, quad),
        ] {
            let made = mir!(text, "image", "--confined=64K", "--target", target);
            let image = Image::parse(&made.out, machine).unwrap();
            let header = image.header();
            let is_big = machine.is_big_endian();
            let number = |bytes: &[u8]| {
                let mut all = [0; 16];
                all[..bytes.len()].copy_from_slice(bytes);
                match is_big {
                    true => u128::from_be_bytes(all) >> (128 - 8 * bytes.len()),
                    false => u128::from_le_bytes(all),
                }
            };
            let in_data = (header.memory - 8 * header.imports) as usize;
            let mut data = made.out[header.data as usize + in_data..].to_vec();
            // Zeros at the end are not there.
            data.resize(64, 0);
            // Each has a multiple of 16, but what follows another without a name.
            assert_eq!(number(&data[..8]), 0x1C_BE99_1A08, "{target}");
            assert_eq!(number(&data[16..24]), 0x3FF8_0000_0000_0000, "{target}");
            assert_eq!(number(&data[32..48]), long, "{target}");
            assert_eq!(number(&data[48..50]), 0xFFFE, "{target}");
            assert_eq!(number(&data[50..58]), 4096, "{target}");
            assert_eq!((header.initialisers, header.finalisers), (0, 0));
        }
    }

    #[test]
    fn a_confined_image_has_windows_if_it_is_asked_for() {
        let text =
            "m: module\n export main\nmain: func i64\n ret i64:8589934592\n endfunc\n endmodule\n";
        let plain = mir!(text, "image", "--confined=64K", "--target", "riscv64");
        let windows = mir!(
            text,
            "image",
            "--confined=64K",
            "--windows",
            "--check-confinement",
            "--target",
            "riscv64"
        );
        for (made, limits, before) in [(plain, 7, 128), (windows, 15, 384)] {
            let image = Image::parse(&made.out, Machine::Riscv64).unwrap();
            let header = image.header();
            assert_eq!(header.limits.0, limits);
            let end = header.functions + 17 * header.function_count;
            assert_eq!(header.function_count, 1);
            assert_eq!(header.memory, (end + before).next_multiple_of(16));
        }
        let refused = mir!(text, "image", "--windows");
        assert!(
            refused.status == 2 && refused.err.contains("--confined"),
            "{}",
            refused.err
        );
    }

    #[test]
    fn limits_have_their_words() {
        let made = mir!(
            ENDLESS,
            "image",
            "--stack-limit",
            "--fuel",
            "--target",
            "ppc64le"
        );
        let image = Image::parse(&made.out, Machine::Ppc64le).unwrap();
        assert_eq!(image.header().limits.0, 3);
        let words = image
            .exports()
            .filter(|export| export.name.starts_with(b"mir_"));
        assert!(
            words
                .map(|word| word.name)
                .eq([&b"mir_fuel"[..], b"mir_stack_limit"])
        );
    }

    fn text_of(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }
}
