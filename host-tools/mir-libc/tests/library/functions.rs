//! Each function against what Rust's own library does.

use core::ffi::CStr;

use crate::runner::{Caller, Library, function, linked, of_text, output};
use mir_nostd::target::Value;

/// A program that imports nothing but what makes it a program, and a comparison for sorting.
const PROGRAM: &str = "
program: module
 export by_value
by_value: func i32, p:a, p:b
 local i64:x, i64:y
 gts x, i32:(a), i32:(b)
 lts y, i32:(a), i32:(b)
 sub x, x, y
 ret x
 endfunc
endmodule
";

type Context = mir_nostd::link::Context<'static>;

/// Calls functions of the library by name, compiled and interpreted.
struct Functions<'c> {
    context: &'c Context,
    caller: Caller<'c>,
}

impl Functions<'_> {
    fn call(&mut self, name: &str, arguments: &[Value]) -> Value {
        let callable = function(self.context, name);
        self.caller.call(callable, arguments).unwrap()
    }

    fn integer(&mut self, name: &str, arguments: &[u64]) -> i64 {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|&value| Value::from_u64(value))
            .collect();
        self.call(name, &arguments).i64()
    }

    fn double(&mut self, name: &str, arguments: &[f64]) -> f64 {
        let bits = arguments.iter().map(|value| value.to_bits());
        let arguments: Vec<_> = bits.map(Value::from_f64_bits).collect();
        f64::from_bits(self.call(name, &arguments).f64_bits())
    }
}

fn with_each(check: impl Fn(&mut Functions<'_>)) {
    let context = linked(of_text(PROGRAM.as_bytes()), Library::Ours);
    for caller in [Caller::interpreter(&context), Caller::compiled(&context)] {
        check(&mut Functions {
            context: &context,
            caller,
        });
    }
}

fn address<T>(place: *const T) -> u64 {
    place.expose_provenance() as u64
}

#[test]
fn memory_moves() {
    with_each(|library| {
        for size in [0_usize, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 24, 31] {
            for from in 0..20 {
                for to in 0..20 {
                    let mut bytes: Vec<u8> = (0..60).collect();
                    let mut wanted = bytes.clone();
                    wanted.copy_within(from..from + size, to);
                    let start = address(bytes.as_mut_ptr());
                    let arguments = [start + to as u64, start + from as u64, size as u64];
                    let result = library.integer("memmove", &arguments);
                    assert_eq!(result.cast_unsigned(), arguments[0]);
                    assert_eq!(core::hint::black_box(bytes), wanted, "{size} {from} {to}");
                }
            }
            let mut bytes = [1_u8; 60];
            library.integer(
                "memset",
                &[address(bytes.as_mut_ptr()) + 3, 0x1AB, size as u64],
            );
            let set = |at: usize| if (3..3 + size).contains(&at) { 0xAB } else { 1 };
            let wanted: Vec<u8> = (0..60).map(set).collect();
            assert_eq!(core::hint::black_box(bytes)[..], wanted);
        }
    });
}

/// Returns the distance of a result from the start of a text, or none.
fn offset(result: i64, text: &CStr) -> Option<usize> {
    (result != 0).then(|| (result.cast_unsigned() - address(text.as_ptr())) as usize)
}

/// A text of any length ends at any place of a word, whatever bytes are before and after its end.
#[test]
fn texts_end_at_their_first_zero() {
    with_each(|library| {
        for filled in [1, 0x7F, 0x80, 0xFF] {
            for (start, length) in
                (0..8).flat_map(|start| (0..20).map(move |length| (start, length)))
            {
                let mut bytes = [u64::from_ne_bytes([filled; 8]); 6];
                let place = address(bytes.as_mut_ptr().cast::<u8>()) + start;
                let end = core::ptr::with_exposed_provenance_mut::<u8>((place + length) as usize);
                // SAFETY: the end is in the array.
                unsafe { end.write(0) };
                assert_eq!(library.integer("strlen", &[place]), length.cast_signed());
                core::hint::black_box(bytes);
            }
        }
    });
}

#[test]
fn strings() {
    let texts = [
        c"", c"a", c"abc", c"abcabd", c"ab\xFF", c"zzz", c"cab", c"abd",
    ];
    with_each(|library| {
        for one in texts {
            let (bytes, place) = (one.to_bytes(), address(one.as_ptr()));
            assert_eq!(library.integer("strlen", &[place]), bytes.len() as i64);
            assert_eq!(
                library.integer("strnlen", &[place, 2]),
                bytes.len().min(2) as i64
            );
            for byte in b"abz\xFF" {
                let found = library.integer("strchr", &[place, u64::from(*byte)]);
                let wanted = bytes.iter().position(|other| other == byte);
                assert_eq!(offset(found, one), wanted);
                let found = library.integer("strrchr", &[place, u64::from(*byte)]);
                let wanted = bytes.iter().rposition(|other| other == byte);
                assert_eq!(offset(found, one), wanted);
            }
            let end = library.integer("strchr", &[place, 0]);
            assert_eq!(offset(end, one), Some(bytes.len()));
            for other in texts {
                let second = address(other.as_ptr());
                let order = bytes.cmp(other.to_bytes()) as i64;
                assert_eq!(library.integer("strcmp", &[place, second]).signum(), order);
                let (first_two, other_two) = (&bytes[..bytes.len().min(2)], other.to_bytes());
                let order = first_two.cmp(&other_two[..other_two.len().min(2)]) as i64;
                assert_eq!(
                    library.integer("strncmp", &[place, second, 2]).signum(),
                    order
                );
                let found = library.integer("strstr", &[place, second]);
                let wanted =
                    (0..=bytes.len()).find(|&at| bytes[at..].starts_with(other.to_bytes()));
                assert_eq!(offset(found, one), wanted, "{one:?} {other:?}");
                let span = bytes
                    .iter()
                    .take_while(|byte| other.to_bytes().contains(byte));
                assert_eq!(
                    library.integer("strspn", &[place, second]),
                    span.count() as i64
                );
                let mut joined = [0x55_u8; 20];
                let to = address(joined.as_mut_ptr());
                library.integer("strcpy", &[to, place]);
                library.integer("strcat", &[to, second]);
                let joined = core::hint::black_box(joined);
                let wanted = [bytes, other.to_bytes_with_nul()].concat();
                assert!(joined.starts_with(&wanted) && joined[wanted.len()] == 0x55);
                let mut cut = [0x55_u8; 5];
                library.integer("strncpy", &[address(cut.as_mut_ptr()), place, 4]);
                let mut wanted = bytes.to_vec();
                wanted.resize(4, 0);
                assert_eq!(core::hint::black_box(cut)[..4], wanted);
            }
        }
    });
}

#[test]
fn characters() {
    type Test = (&'static str, fn(&u8) -> bool);
    let tests: [Test; 11] = [
        ("isdigit", u8::is_ascii_digit),
        ("isupper", u8::is_ascii_uppercase),
        ("islower", u8::is_ascii_lowercase),
        ("isalpha", u8::is_ascii_alphabetic),
        ("isalnum", u8::is_ascii_alphanumeric),
        ("isxdigit", u8::is_ascii_hexdigit),
        ("isspace", |byte| byte.is_ascii_whitespace() || *byte == 11),
        ("isgraph", u8::is_ascii_graphic),
        ("iscntrl", u8::is_ascii_control),
        ("ispunct", u8::is_ascii_punctuation),
        ("isprint", |byte| byte.is_ascii_graphic() || *byte == b' '),
    ];
    with_each(|library| {
        for byte in 0..=255_u8 {
            let argument = [u64::from(byte)];
            for (name, is) in tests {
                assert_eq!(
                    library.integer(name, &argument) != 0,
                    is(&byte),
                    "{name} {byte}"
                );
            }
            let lower = i64::from(byte.to_ascii_lowercase());
            assert_eq!(library.integer("tolower", &argument), lower);
            let upper = i64::from(byte.to_ascii_uppercase());
            assert_eq!(library.integer("toupper", &argument), upper);
        }
        assert_eq!(library.integer("isalpha", &[u64::MAX]), 0);
    });
}

/// A table of the host's C library, or of ours.
fn table<T: Copy>(start: *const *const T) -> Vec<T> {
    let first = crate::runner::pointer_at(start).wrapping_sub(128);
    (0..384)
        .map(|at| crate::runner::value_at(first.wrapping_add(at)))
        .collect()
}

#[test]
fn tables_of_characters() {
    with_each(|library| {
        let [classes, lower, upper] = [
            "__ctype_b_loc",
            "__ctype_tolower_loc",
            "__ctype_toupper_loc",
        ]
        .map(|name| library.integer(name, &[]).cast_unsigned() as usize);
        let (host_classes, host_lower, host_upper) = crate::runner::host_tables();
        let at = core::ptr::with_exposed_provenance;
        assert_eq!(table::<u16>(at(classes)), table(host_classes));
        let at = core::ptr::with_exposed_provenance;
        assert_eq!(table::<i32>(at(lower)), table(host_lower));
        assert_eq!(table::<i32>(at(upper)), table(host_upper));
    });
}

#[test]
fn a_failed_assertion_says_where() {
    let context = linked(of_text(PROGRAM.as_bytes()), Library::Ours);
    let mut caller = Caller::interpreter(&context);
    let [what, file, name] =
        [c"n > 0", c"file.c", c"main"].map(|text| Value::from_address(text.as_ptr()));
    let arguments = [what, file, Value::from_u64(32), name];
    let stopped = caller.call(function(&context, "__assert_fail"), &arguments);
    assert!(stopped.unwrap_err().contains("134"));
    let printed = String::from_utf8(output()).unwrap();
    assert_eq!(printed, "file.c:32: main: Assertion `n > 0' failed.\n");
}

#[test]
fn integers_in_text() {
    type Case = (&'static CStr, u64, i64, usize);
    let cases: [Case; 14] = [
        (c"  -42x", 10, -42, 5),
        (c"+7", 10, 7, 2),
        (c"0x1Fg", 0, 31, 4),
        (c"0x1F", 16, 31, 4),
        (c"0xg", 0, 0, 1),
        (c"0755", 0, 0o755, 4),
        (c"zZ", 36, 35 * 36 + 35, 2),
        (c"12", 2, 1, 1),
        (c"-", 10, 0, 0),
        (c"", 10, 0, 0),
        (c"9223372036854775807", 10, i64::MAX, 19),
        (c"9223372036854775808", 10, i64::MAX, 19),
        (c"-9223372036854775809", 10, i64::MIN, 20),
        (c"99999999999999999999999", 10, i64::MAX, 23),
    ];
    with_each(|library| {
        for (text, base, wanted, length) in cases {
            let mut end = 0_u64;
            let place = address(text.as_ptr());
            let arguments = [place, address(core::ptr::from_mut(&mut end)), base];
            assert_eq!(library.integer("strtol", &arguments), wanted, "{text:?}");
            let end = core::hint::black_box(end);
            assert_eq!((end - place) as usize, length, "{text:?}");
        }
        let text = address(c" -12ab".as_ptr());
        assert_eq!(library.integer("atoi", &[text]), -12);
        let text = address(c"18446744073709551615".as_ptr());
        assert_eq!(library.integer("strtoul", &[text, 0, 10]), -1);
        assert_eq!(library.integer("abs", &[-5_i64 as u64]), 5);
        assert_eq!(
            library.integer("labs", &[i64::MIN.cast_unsigned() + 1]),
            i64::MAX
        );
    });
}

/// Checks the value and the end of a floating-point number in text, as a double and as a float.
fn number_in_text(
    library: &mut Functions<'_>,
    text: &str,
    wanted: f64,
    single: f32,
    length: usize,
) {
    let c_text = std::ffi::CString::new(text).unwrap();
    let mut end = 0_u64;
    let place = address(c_text.as_ptr());
    let arguments = [place, address(core::ptr::from_mut(&mut end))].map(Value::from_u64);
    let found = library.call("strtod", &arguments).f64_bits();
    assert_eq!(found, wanted.to_bits(), "{text}: {}", f64::from_bits(found));
    let end = core::hint::black_box(end);
    assert_eq!((end - place) as usize, length, "{text}");
    let found = library.call("strtof", &arguments).f32_bits();
    assert_eq!(found, single.to_bits(), "{text}: {}", f32::from_bits(found));
}

/// Numbers that Rust's library reads as C's does.
const NUMBERS: [&str; 30] = [
    "0",
    "-0",
    "1",
    "0.1",
    "1e23",
    "8.5e22",
    "9007199254740993",
    "9007199254740992.999",
    "1e308",
    "1.8e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "4.9e-324",
    "2.4e-324",
    "2.5e-324",
    "1e-400",
    "1e400",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "123456789012345678901234567890",
    ".5",
    "5.",
    "1e5",
    "1E+5",
    "16777217",
    "3.4028235677973366e38",
    "1e-46",
    "0e999999999999",
    "0.000000000000000000000001e24",
    "-12.25",
];

#[test]
fn floating_point_numbers_in_text() {
    with_each(|library| {
        for text in NUMBERS {
            let (double, float) = (text.parse().unwrap(), text.parse().unwrap());
            number_in_text(library, text, double, float, text.len());
        }
        // A little more than half way between two doubles, by a far digit.
        let tie = format!("9007199254740993.{}1", "0".repeat(900));
        number_in_text(
            library,
            &tie,
            9_007_199_254_740_994.0,
            9_007_199_254_740_992.0,
            tie.len(),
        );
        number_in_text(library, "inf", f64::INFINITY, f32::INFINITY, 3);
        number_in_text(
            library,
            "-Infinity!",
            f64::NEG_INFINITY,
            f32::NEG_INFINITY,
            9,
        );
        number_in_text(library, "nan", f64::NAN, f32::NAN, 3);
        number_in_text(library, "0x1.8p3", 12.0, 12.0, 7);
        let above = f64::powi(2.0, 88) * (1.0 + f64::EPSILON);
        number_in_text(library, "0x1p-1074", 5e-324, 0.0, 9);
        number_in_text(
            library,
            "0x10000000000000800000001",
            above,
            f32::powi(2.0, 88),
            25,
        );
        number_in_text(library, "0x", 0.0, 0.0, 1);
        number_in_text(library, "1e", 1.0, 1.0, 1);
        number_in_text(library, ".", 0.0, 0.0, 0);
    });
}

#[test]
fn random_numbers_in_text() {
    with_each(|library| {
        let mut random = fastrand::Rng::with_seed(19);
        let count = if matches!(library.caller, Caller::Compiled(_)) {
            300
        } else {
            20
        };
        for _ in 0..count {
            let value = f64::from_bits(random.u64(..) & !(1 << 62) | random.u64(..2) << 62);
            if !value.is_finite() {
                continue;
            }
            let digits = random.usize(..40);
            for text in [format!("{value:e}"), format!("{value:.digits$e}")] {
                let (double, float) = (text.parse().unwrap(), text.parse().unwrap());
                number_in_text(library, &text, double, float, text.len());
            }
        }
    });
}

/// Returns values of all sizes, and those at which something changes.
fn values() -> Vec<f64> {
    let mut values = vec![
        0.0,
        0.25,
        0.5,
        0.75,
        1.0,
        1.5,
        2.0,
        2.5,
        3.5,
        1e15 + 0.5,
        4_503_599_627_370_497.5,
        1e300,
        5e-324,
        1e-310,
        2.2e-308,
        f64::MAX,
        f64::INFINITY,
        0.499_999_999_999_999_94,
    ];
    let mut random = fastrand::Rng::with_seed(20);
    for _ in 0..200 {
        values.push(f64::from_bits(random.u64(..) >> 1));
        values.push(f64::from_bits(
            random.u64(..) >> 12 | random.u64(1010..1080) << 52,
        ));
    }
    let negative: Vec<f64> = values.iter().map(|value| -value).collect();
    values.extend(negative);
    values
}

/// True if the values are the same, or both no number.
fn same(found: f64, wanted: f64) -> bool {
    found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan())
}

#[test]
fn mathematics() {
    type Unary = (&'static str, fn(f64) -> f64);
    let functions: [Unary; 7] = [
        ("sqrt", f64::sqrt),
        ("floor", f64::floor),
        ("ceil", f64::ceil),
        ("trunc", f64::trunc),
        ("round", f64::round),
        ("rint", f64::round_ties_even),
        ("fabs", f64::abs),
    ];
    with_each(|library| {
        for value in values() {
            for (name, wanted) in functions {
                let (found, wanted) = (library.double(name, &[value]), wanted(value));
                assert!(
                    same(found, wanted),
                    "{name} {value:e}: {found:e}, {wanted:e}"
                );
            }
        }
    });
}

#[test]
fn mathematics_of_two() {
    with_each(|library| {
        for value in values() {
            for other in [3.0, -0.7, 1e-300, 5e-324, f64::INFINITY, 0.0] {
                let (found, wanted) = (library.double("fmod", &[value, other]), value % other);
                assert!(
                    same(found, wanted),
                    "{value:e} % {other:e}: {found:e}, {wanted:e}"
                );
                let found = library.double("copysign", &[value, other]);
                assert!(same(found, value.copysign(other)));
                for (name, wanted) in [("fmax", value.max(other)), ("fmin", value.min(other))] {
                    let found = library.double(name, &[value, other]);
                    assert!(found == wanted, "{name} {value:e} {other:e}: {found:e}");
                }
            }
        }
    });
}

#[test]
fn powers_of_two() {
    with_each(|library| {
        for (value, power, wanted) in [
            (1.75, 60, 1.75 * f64::powi(2.0, 60)),
            (-3.0, -1, -1.5),
            (1.0, -1074, 5e-324),
            (1.0, -1075, 0.0),
            (1.5, -1075, 5e-324),
            (3.0, -1075, 1e-323),
            (5e-324, 1074, 1.0),
            (5e-324, 2097, f64::powi(2.0, 1023)),
            (5e-324, 2098, f64::INFINITY),
            (f64::MAX, -2098, 5e-324),
            (f64::MAX, -2099, 0.0),
            (f64::MAX, 1, f64::INFINITY),
            (0.0, 5, 0.0),
        ] {
            let argument = [
                Value::from_f64_bits(f64::to_bits(value)),
                Value::from_i64(power),
            ];
            let found = f64::from_bits(library.call("ldexp", &argument).f64_bits());
            assert!(
                same(found, wanted),
                "{value:e} {power}: {found:e} {wanted:e}"
            );
            let mut exponent = 77_i32;
            let place = Value::from_address(core::ptr::from_mut(&mut exponent).cast_const());
            let fraction = library.call("frexp", &[argument[0], place]).f64_bits();
            let fraction = f64::from_bits(fraction);
            let exponent = core::hint::black_box(exponent);
            assert!(
                value == 0.0 || (0.5..1.0).contains(&fraction.abs()),
                "{value:e}"
            );
            let back = [
                Value::from_f64_bits(fraction.to_bits()),
                Value::from_i64(exponent.into()),
            ];
            assert_eq!(
                f64::from_bits(library.call("ldexp", &back).f64_bits()),
                value
            );
        }
    });
}

#[test]
fn sorting_and_searching() {
    with_each(|library| {
        let order = address(core::ptr::without_provenance::<u8>(
            library.context.find(b"by_value").unwrap(),
        ));
        let mut random = fastrand::Rng::with_seed(21);
        for count in [0_u64, 1, 2, 3, 10, 100] {
            let mut values: Vec<i32> = (0..count).map(|_| random.i32(-50..50)).collect();
            let mut wanted = values.clone();
            wanted.sort_unstable();
            let start = address(values.as_mut_ptr());
            library.integer("qsort", &[start, count, 4, order]);
            assert_eq!(core::hint::black_box(&values), &wanted);
            for key in -50..50 {
                let arguments = [address(&raw const key), start, count, 4, order];
                let found = library.integer("bsearch", &arguments).cast_unsigned();
                let there = (found != 0).then(|| values[((found - start) / 4) as usize]);
                assert_eq!(there, wanted.contains(&key).then_some(key));
            }
        }
        library.integer("srand", &[1]);
        let numbers: Vec<i64> = (0..50).map(|_| library.integer("rand", &[])).collect();
        assert!(numbers.iter().all(|number| (0..1 << 31).contains(number)));
        library.integer("srand", &[1]);
        assert_eq!(library.integer("rand", &[]), numbers[0]);
        assert_ne!(numbers[0], numbers[1]);
    });
}

/// A block of memory of the library's, filled with one byte.
struct Block {
    at: u64,
    size: u64,
    byte: u8,
}

impl Block {
    fn bytes(&self) -> &mut [u8] {
        let start = core::ptr::with_exposed_provenance_mut(self.at as usize);
        crate::runner::bytes_at(start, self.size as usize)
    }

    fn check(&self) {
        assert!(self.bytes().iter().all(|byte| *byte == self.byte));
    }
}

#[test]
fn allocation() {
    with_each(|library| {
        let mut random = fastrand::Rng::with_seed(22);
        let mut blocks: Vec<Block> = Vec::new();
        let mut highest = 0;
        for step in 0..6000 {
            let size = match random.u8(..8) {
                0 => random.u64(..20_000),
                _ => random.u64(..300),
            };
            let byte = step as u8;
            if blocks.len() > 150 || (blocks.len() > 20 && random.bool()) {
                let block = blocks.swap_remove(random.usize(..blocks.len()));
                block.check();
                if random.u8(..3) > 0 {
                    library.integer("free", &[block.at]);
                    continue;
                }
                let at = library
                    .integer("realloc", &[block.at, size])
                    .cast_unsigned();
                let kept = Block {
                    at,
                    size: size.min(block.size),
                    byte: block.byte,
                };
                kept.check();
                blocks.push(Block { at, size, byte });
            } else if random.bool() {
                let at = library.integer("calloc", &[1, size]).cast_unsigned();
                Block { at, size, byte: 0 }.check();
                blocks.push(Block { at, size, byte });
            } else {
                let at = library.integer("malloc", &[size]).cast_unsigned();
                blocks.push(Block { at, size, byte });
            }
            let block = blocks.last().unwrap();
            assert!(block.at != 0 && block.at.is_multiple_of(16));
            block.bytes().fill(byte);
            highest = highest.max(block.at + size);
        }
        let lowest = blocks.iter().map(|block| block.at).min().unwrap();
        // Some 200 KB are in use at a time: blocks are used again, and joined.
        assert!(highest - lowest < 1 << 20, "{}", highest - lowest);
        for block in blocks {
            block.check();
            library.integer("free", &[block.at]);
        }
        exhaust(library);
    });
}

/// Checks that all of the memory is one piece again, and that there is not more.
fn exhaust(library: &mut Functions<'_>) {
    let all = library
        .integer("malloc", &[(32 << 20) - 4096])
        .cast_unsigned();
    assert_ne!(all, 0);
    assert_eq!(library.integer("malloc", &[5000]), 0);
    library.integer("free", &[all]);
    for (count, size) in [(1 << 33, 1 << 33), (1, u64::MAX - 8), (1, 33 << 20)] {
        assert_eq!(library.integer("calloc", &[count, size]), 0);
    }
    assert_eq!(library.integer("malloc", &[u64::MAX]), 0);
    assert_eq!(library.integer("free", &[0]), 0);
}
