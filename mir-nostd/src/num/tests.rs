//! Tests against the results of compilers and C libraries of the targets, and against the core
//! library.

use super::LongDoubleFormat::{self as Format, DoubleDouble, Quad, X87};
use super::*;
use core::cmp::Ordering;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

/// A generator of test bits (xorshift).
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn wide(&mut self) -> LongDouble {
        LongDouble(u128::from(self.next()) << 64 | u128::from(self.next()))
    }
}

fn write(format: LongDoubleFormat, value: LongDouble, notation: Notation) -> String {
    let mut text = String::new();
    write_long_double(&mut text, format, value, notation).unwrap();
    text
}

fn number(digits: &str) -> LongDouble {
    LongDouble(u128::from_str_radix(digits, 16).unwrap())
}

/// Computes one line of a vector file, and returns the result in the form that the file uses.
fn answer(format: LongDoubleFormat, words: &[&str]) -> String {
    let hexadecimal = |value: u128| format!("{value:x}");
    let (first, second) = (|| number(words[1]), || number(words[2]));
    match words[0] {
        "add" => hexadecimal(format.add(first(), second()).0),
        "sub" => hexadecimal(format.sub(first(), second()).0),
        "mul" => hexadecimal(format.mul(first(), second()).0),
        "div" => hexadecimal(format.div(first(), second()).0),
        "neg" => hexadecimal(format.neg(first()).0),
        "compare" => match format.compare(first(), second()) {
            Some(Ordering::Less) => "l".to_string(),
            Some(Ordering::Equal) => "e".to_string(),
            Some(Ordering::Greater) => "g".to_string(),
            None => "u".to_string(),
        },
        "to_f32" => hexadecimal(format.to_f32(first()).to_bits().into()),
        "to_f64" => hexadecimal(format.to_f64(first()).to_bits().into()),
        "to_i64" => hexadecimal((format.to_i64(first()) as u64).into()),
        "to_u64" => hexadecimal(format.to_u64(first()).into()),
        "from_f32" => hexadecimal(format.from_f32(f32::from_bits(first().0 as u32)).0),
        "from_f64" => hexadecimal(format.from_f64(f64::from_bits(first().0 as u64)).0),
        "from_i64" => hexadecimal(format.from_i64(first().0 as i64).0),
        "from_u64" => hexadecimal(format.from_u64(first().0 as u64).0),
        "e" => write(
            format,
            first(),
            Notation::exponent(words[2].parse().unwrap()),
        ),
        "f" => write(format, first(), Notation::fixed(words[2].parse().unwrap())),
        "g" => write(
            format,
            first(),
            Notation::general(words[2].parse().unwrap()),
        ),
        "read" => hexadecimal(parse_long_double(format, words[1].as_bytes()).unwrap().0),
        other => panic!("no operation {other}"),
    }
}

/// Returns whether the bits that an operation returned are a NaN of its result type.
fn is_nan(format: LongDoubleFormat, operation: &str, bits: &str) -> bool {
    match operation {
        "compare" | "to_i64" | "to_u64" | "e" | "f" | "g" => false,
        "to_f32" => f32::from_bits(number(bits).0 as u32).is_nan(),
        "to_f64" => f64::from_bits(number(bits).0 as u64).is_nan(),
        _ => format.category(number(bits)) == Category::Nan,
    }
}

/// Compares with the recorded results. The bits of NaNs are checked only if all machines of a
/// format agree on them.
fn check_vectors(format: LongDoubleFormat, vectors: &str, nan_bits: bool) {
    let mut failures = Vec::new();
    for line in vectors.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (expected, arguments) = words.split_last().unwrap();
        let got = answer(format, arguments);
        let both_nan =
            !nan_bits && is_nan(format, words[0], expected) && is_nan(format, words[0], &got);
        if got != *expected && !both_nan {
            failures.push(format!("{line}\n    but {got}"));
        }
    }
    let shown = failures.len().min(60);
    assert!(
        failures.is_empty(),
        "{} lines:\n{}",
        failures.len(),
        failures[..shown].join("\n")
    );
}

#[test]
fn x87_agrees_with_the_hardware_and_the_c_library() {
    check_vectors(X87, include_str!("../../tests/data/num/x87.txt"), true);
}

#[test]
fn quad_agrees_with_the_c_compiler_and_library() {
    check_vectors(Quad, include_str!("../../tests/data/num/quad.txt"), false);
}

#[test]
fn double_double_agrees_with_the_c_compiler_and_library() {
    check_vectors(
        DoubleDouble,
        include_str!("../../tests/data/num/double_double.txt"),
        false,
    );
}

#[test]
fn parsing_doubles_agrees_with_the_core_library() {
    let mut bits = Bits(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3000 {
        let value = f64::from_bits(bits.next());
        let digits = (bits.next() % 60) as usize;
        for text in [
            format!("{value:.digits$e}"),
            format!("{value:?}"),
            format!("{value:.53e}"),
        ] {
            if value.is_finite() {
                assert_eq!(parse_f64(text.as_bytes()), text.parse().ok(), "{text}");
            }
        }
        let value = f32::from_bits(bits.next() as u32);
        let text = format!("{value:.digits$e}");
        if value.is_finite() {
            assert_eq!(parse_f32(text.as_bytes()), text.parse().ok(), "{text}");
        }
    }
}

#[test]
fn printing_doubles_agrees_with_the_core_library() {
    let mut bits = Bits(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3000 {
        let value = f64::from_bits(bits.next());
        let digits = bits.next() % 60;
        if value.is_finite() {
            let expected = format!("{value:.*e}", digits as usize);
            let mut text = String::new();
            write_f64(&mut text, value, Notation::exponent(digits as u32)).unwrap();
            let (mantissa, exponent) = text.split_once('e').unwrap();
            assert_eq!(
                format!("{mantissa}e{}", exponent.parse::<i32>().unwrap()),
                expected
            );
            let mut text = String::new();
            write_f64(&mut text, value, Notation::fixed(digits as u32)).unwrap();
            assert_eq!(text, format!("{value:.*}", digits as usize));
        }
    }
}

const FORMATS: [Format; 4] = [X87, Quad, DoubleDouble, Format::Double];

/// Returns the notation of a conversion of `printf`.
fn notation(conversion: &str) -> Notation {
    let (body, letter) = conversion.split_at(conversion.len() - 1);
    let (flags, precision) = body.split_once('.').unwrap_or((body, "6"));
    let precision = precision.parse().unwrap();
    let plain = match letter {
        "e" | "E" => Notation::exponent(precision),
        "f" => Notation::fixed(precision),
        _ => Notation::general(precision),
    };
    Notation {
        alternate: flags == "%#",
        upper: letter < "a",
        ..plain
    }
}

/// The expected texts were recorded from glibc 2.36.
#[test]
fn conversions_and_flags_are_those_of_printf() {
    let values = [
        0.0,
        -0.0,
        1.0,
        9.5,
        0.5,
        2.5,
        99999.95,
        123456789.0,
        1e-5,
        0.0001,
        0.00012345678,
        1e15,
        5e-324,
        f64::NEG_INFINITY,
        f64::NAN,
        0.045,
        1e21,
    ];
    let rows = [
        (
            "%e",
            "0.000000e+00 -0.000000e+00 1.000000e+00 9.500000e+00 5.000000e-01 2.500000e+00 9.999995e+04 1.234568e+08 1.000000e-05 1.000000e-04 1.234568e-04 1.000000e+15 4.940656e-324 -inf nan 4.500000e-02 1.000000e+21",
        ),
        (
            "%#.0e",
            "0.e+00 -0.e+00 1.e+00 1.e+01 5.e-01 2.e+00 1.e+05 1.e+08 1.e-05 1.e-04 1.e-04 1.e+15 5.e-324 -inf nan 4.e-02 1.e+21",
        ),
        (
            "%.0E",
            "0E+00 -0E+00 1E+00 1E+01 5E-01 2E+00 1E+05 1E+08 1E-05 1E-04 1E-04 1E+15 5E-324 -INF NAN 4E-02 1E+21",
        ),
        (
            "%f",
            "0.000000 -0.000000 1.000000 9.500000 0.500000 2.500000 99999.950000 123456789.000000 0.000010 0.000100 0.000123 1000000000000000.000000 0.000000 -inf nan 0.045000 1000000000000000000000.000000",
        ),
        (
            "%.0f",
            "0 -0 1 10 0 2 100000 123456789 0 0 0 1000000000000000 0 -inf nan 0 1000000000000000000000",
        ),
        (
            "%#.0f",
            "0. -0. 1. 10. 0. 2. 100000. 123456789. 0. 0. 0. 1000000000000000. 0. -inf nan 0. 1000000000000000000000.",
        ),
        (
            "%g",
            "0 -0 1 9.5 0.5 2.5 99999.9 1.23457e+08 1e-05 0.0001 0.000123457 1e+15 4.94066e-324 -inf nan 0.045 1e+21",
        ),
        (
            "%#g",
            "0.00000 -0.00000 1.00000 9.50000 0.500000 2.50000 99999.9 1.23457e+08 1.00000e-05 0.000100000 0.000123457 1.00000e+15 4.94066e-324 -inf nan 0.0450000 1.00000e+21",
        ),
        (
            "%G",
            "0 -0 1 9.5 0.5 2.5 99999.9 1.23457E+08 1E-05 0.0001 0.000123457 1E+15 4.94066E-324 -INF NAN 0.045 1E+21",
        ),
        (
            "%.3g",
            "0 -0 1 9.5 0.5 2.5 1e+05 1.23e+08 1e-05 0.0001 0.000123 1e+15 4.94e-324 -inf nan 0.045 1e+21",
        ),
        (
            "%.17g",
            "0 -0 1 9.5 0.5 2.5 99999.949999999997 123456789 1.0000000000000001e-05 0.0001 0.00012345678000000001 1000000000000000 4.9406564584124654e-324 -inf nan 0.044999999999999998 1e+21",
        ),
        (
            "%#.0g",
            "0. -0. 1. 1.e+01 0.5 2. 1.e+05 1.e+08 1.e-05 0.0001 0.0001 1.e+15 5.e-324 -inf nan 0.04 1.e+21",
        ),
        (
            "%.0g",
            "0 -0 1 1e+01 0.5 2 1e+05 1e+08 1e-05 0.0001 0.0001 1e+15 5e-324 -inf nan 0.04 1e+21",
        ),
    ];
    for (conversion, expected) in rows {
        let texts: Vec<String> = values
            .iter()
            .map(|&value| double_text(value, notation(conversion)))
            .collect();
        assert_eq!(texts.join(" "), expected, "{conversion}");
    }
}

fn double_text(value: f64, notation: Notation) -> String {
    let mut text = String::new();
    write_f64(&mut text, value, notation).unwrap();
    text
}

#[test]
fn text_of_medium_ir_reads_back_as_the_same_bits() {
    let mut bits = Bits(1);
    for _ in 0..400 {
        for format in FORMATS {
            // Bits that represent no number, or one of more than 106 bits, become one that text can
            // hold.
            let value = LongDouble(bits.wide().0 & format.from_bytes([0xff; 16], false).0);
            if format.category(value) != Category::Finite {
                continue;
            }
            let text = write(format, value, Notation::exponent(format.precision()));
            let value = parse_long_double(format, text.as_bytes()).unwrap();
            let text = write(format, value, Notation::exponent(format.precision()));
            assert_eq!(
                parse_long_double(format, text.as_bytes()),
                Some(value),
                "{format:?} {text}"
            );
        }
        let value = f32::from_bits(bits.next() as u32);
        let mut text = String::new();
        write_f32(&mut text, value, Notation::exponent(24)).unwrap();
        if value.is_finite() {
            assert_eq!(
                parse_f32(text.as_bytes()).map(f32::to_bits),
                Some(value.to_bits())
            );
        }
    }
}

#[test]
fn x87_and_quad_text_reads_back_at_every_exponent() {
    let mut bits = Bits(2);
    for exponent in (0..0x7fff_u128).step_by(97) {
        let random = bits.wide().0;
        let quad = LongDouble(exponent << 112 | random >> 16);
        let x87 = LongDouble(exponent << 64 | u128::from(exponent != 0) << 63 | random >> 65);
        for (format, value) in [(Quad, quad), (X87, x87)] {
            let text = write(format, value, Notation::exponent(format.precision()));
            assert_eq!(
                parse_long_double(format, text.as_bytes()),
                Some(value),
                "{text}"
            );
        }
    }
}

/// Returns the digits of `text` divided by two, as a fraction with one digit more.
fn half(text: &str) -> String {
    let mut carry = 0;
    let mut result = String::new();
    for byte in text.bytes().chain([b'0']) {
        if byte.is_ascii_digit() {
            let value = carry * 10 + (byte - b'0');
            result.push((b'0' + value / 2) as char);
            carry = value % 2;
        } else {
            result.push(byte as char);
        }
    }
    result
}

#[test]
fn the_last_of_ten_thousand_digits_breaks_a_tie() {
    let smallest = [
        (X87, 16445),
        (Quad, 16494),
        (DoubleDouble, 1074),
        (Format::Double, 1074),
    ];
    for (format, digits) in smallest {
        let tie = half(&write(format, LongDouble(1), Notation::fixed(digits)));
        let above = format!("{tie}1");
        let read = |text: &str| parse_long_double(format, text.as_bytes()).unwrap();
        assert_eq!(read(&tie), LongDouble(0));
        assert_eq!(read(&above), LongDouble(1));
        let far_above = format!("{tie}{}1", "0".repeat(100_000));
        assert_eq!(read(&far_above), LongDouble(1));
    }
    assert_eq!(parse_f64(b"9007199254740993"), Some(9007199254740992.0));
    let above = format!("9007199254740993.{}1e0", "0".repeat(1_000_000));
    assert_eq!(parse_f64(above.as_bytes()), Some(9007199254740994.0));
}

#[test]
fn only_decimal_literals_are_read() {
    for text in [
        "", "+", "-", ".", "e5", "1e", "1e+", "1e5x", "0x1", "1..2", "1.2.3", "inf", "nan", " 1",
        "1 ", "--1", "1_0",
    ] {
        assert_eq!(parse_f64(text.as_bytes()), None, "{text}");
        assert_eq!(parse_long_double(Quad, text.as_bytes()), None, "{text}");
    }
    for (text, value) in [
        ("1.", 1.0),
        (".5", 0.5),
        ("+1E+2", 100.0),
        ("-0", -0.0),
        ("00012.500e-00001", 1.25),
    ] {
        assert_eq!(
            parse_f64(text.as_bytes()).map(f64::to_bits),
            Some(f64::to_bits(value)),
            "{text}"
        );
    }
    for text in ["1e9999", "1e99999999999999999999999", "123456789e400"] {
        assert_eq!(parse_f32(text.as_bytes()), Some(f32::INFINITY));
        assert_eq!(parse_f64(text.as_bytes()), Some(f64::INFINITY));
        assert_eq!(
            parse_f64(format!("-{}", text.replace("e", "e-")).as_bytes()).map(f64::to_bits),
            Some(1 << 63)
        );
    }
    for format in FORMATS {
        let infinity = format.from_f64(f64::INFINITY);
        assert_eq!(parse_long_double(format, b"1e9999"), Some(infinity));
        let negative = parse_long_double(format, b"-1e9999").unwrap();
        assert_eq!(
            format.compare(negative, format.neg(infinity)),
            Some(Ordering::Equal)
        );
    }
}

#[test]
fn conversions_to_integers_saturate() {
    for format in FORMATS {
        let of = |value: f64| format.from_f64(value);
        for value in [
            1e30,
            -1e30,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            -0.5,
            0.99,
            -1.0,
            9.2e18,
            1.8e19,
            1.9e19,
        ] {
            assert_eq!(format.to_i64(of(value)), value as i64, "{format:?} {value}");
            assert_eq!(format.to_u64(of(value)), value as u64, "{format:?} {value}");
        }
        for value in [i64::MIN, i64::MIN + 1024, -1, 0, 1, 1 << 53] {
            assert_eq!(format.to_i64(format.from_i64(value)), value, "{format:?}");
        }
    }
    for format in [X87, Quad, DoubleDouble] {
        assert_eq!(format.to_i64(format.from_i64(i64::MAX)), i64::MAX);
        assert_eq!(format.to_u64(format.from_u64(u64::MAX)), u64::MAX);
        let above = format.add(format.from_u64(1 << 63), format.from_u64(1));
        assert_eq!(format.to_i64(above), i64::MAX);
    }
}

/// Checks that `Double` has the arithmetic of f64.
#[test]
fn double_is_the_hosts_double() {
    let mut bits = Bits(3);
    for _ in 0..3000 {
        let exponent = (bits.next() % 200 + 900) << 52;
        let (a, b) = (
            f64::from_bits(bits.next()),
            f64::from_bits(bits.next() & !(0x7ff << 52) | exponent),
        );
        if a.is_nan() {
            continue;
        }
        let [x, y] = [a, b].map(|value| Format::Double.from_f64(value));
        let results = [
            (Format::Double.add(x, y), a + b),
            (Format::Double.sub(x, y), a - b),
            (Format::Double.mul(x, y), a * b),
            (Format::Double.div(x, y), a / b),
        ];
        for (got, expected) in results {
            assert_eq!(got.0, u128::from(expected.to_bits()), "{a:e} {b:e}");
        }
        assert_eq!(Format::Double.compare(x, y), a.partial_cmp(&b));
        assert_eq!(
            Quad.to_f32(Quad.from_f64(a)).to_bits(),
            (a as f32).to_bits()
        );
        assert_eq!(X87.to_f32(X87.from_f64(b)).to_bits(), (b as f32).to_bits());
    }
}

/// Two units in the last place of the least exponent, and four: what a processor with x87 gives for
/// 3 / 2 and 7 / 2 units.
#[test]
fn ties_of_subnormal_quotients_go_to_even() {
    for format in [X87, Quad] {
        let two = format.from_u64(2);
        let quotients = [3, 7].map(|units| format.div(LongDouble(units), two).0);
        assert_eq!(quotients, [2, 4], "{format:?}");
    }
}

/// As the C library has it, the upper double alone says which kind of number a pair is.
#[test]
fn the_upper_double_says_what_a_pair_is() {
    let pair = |upper: f64, lower: f64| {
        LongDouble(u128::from(lower.to_bits()) << 64 | u128::from(upper.to_bits()))
    };
    for lower in [f64::NAN, f64::INFINITY, 0.0] {
        assert_eq!(DoubleDouble.category(pair(1.0, lower)), Category::Finite);
        assert_eq!(DoubleDouble.category(pair(f64::NAN, lower)), Category::Nan);
        assert_eq!(
            DoubleDouble.category(pair(f64::INFINITY, lower)),
            Category::Infinite
        );
    }
}

#[test]
fn negation_flips_the_sign_of_everything() {
    for format in FORMATS {
        for value in [0.0, 1.0, f64::INFINITY, f64::NAN] {
            let value = format.from_f64(value);
            let negated = format.neg(value);
            assert!(
                !format.is_negative(value) && format.is_negative(negated),
                "{format:?}"
            );
            assert_eq!(format.neg(negated), value);
        }
    }
}

#[test]
fn images_are_those_of_the_targets() {
    let one = |format: Format| format.from_i64(1);
    let bytes = |text: &str| u128::from_str_radix(text, 16).unwrap().to_be_bytes();
    // These are the payloads of 1.0 in binary files.
    assert_eq!(
        X87.to_payload(one(X87), false),
        bytes("0000000000000080ff3f000000000000")
    );
    assert_eq!(
        Quad.to_payload(one(Quad), false),
        bytes("0000000000000000000000000000ff3f")
    );
    assert_eq!(
        Quad.to_payload(one(Quad), true),
        bytes("000000000000ff3f0000000000000000")
    );
    assert_eq!(
        DoubleDouble.to_payload(one(DoubleDouble), false),
        bytes("000000000000f03f0000000000000000")
    );
    // These are the bytes in memory.
    assert_eq!(
        Quad.to_bytes(one(Quad), true),
        bytes("3fff0000000000000000000000000000")
    );
    assert_eq!(
        Quad.to_bytes(one(Quad), false),
        bytes("0000000000000000000000000000ff3f")
    );
    let third = DoubleDouble.div(one(DoubleDouble), DoubleDouble.from_i64(3));
    assert_eq!(
        DoubleDouble.to_bytes(third, false),
        bytes("555555555555d53f555555555555753c")
    );
    assert_eq!(
        DoubleDouble.to_bytes(third, true),
        bytes("3fd55555555555553c75555555555555")
    );
    let mut bits = Bits(4);
    for format in FORMATS {
        for big_endian in [false, true] {
            let value = format.from_bytes(bits.wide().0.to_le_bytes(), big_endian);
            assert_eq!(
                format.from_bytes(format.to_bytes(value, big_endian), big_endian),
                value
            );
            assert_eq!(
                format.from_payload(format.to_payload(value, big_endian), big_endian),
                value
            );
        }
    }
}

/// Checks that no bits and no text make anything panic, and that results are numbers of the format.
#[test]
fn no_input_panics() {
    let mut bits = Bits(5);
    let letters = b"0123456789.eE+-90";
    for _ in 0..4000 {
        let (a, b) = (
            bits.wide(),
            LongDouble(bits.wide().0 << (bits.next() % 128)),
        );
        for format in FORMATS {
            for result in [
                format.add(a, b),
                format.sub(a, b),
                format.mul(a, b),
                format.div(b, a),
            ] {
                assert_eq!(
                    format.from_bytes(format.to_bytes(result, false), false),
                    result,
                    "{format:?} {a:?} {b:?}"
                );
                if let Some(order) = format.compare(result, a) {
                    assert_eq!(format.compare(a, result), Some(order.reverse()));
                }
                let (_, _, _) = (
                    format.to_i64(result),
                    format.to_u64(result),
                    format.to_f32(result),
                );
            }
            let digits = (bits.next() % 40) as u32;
            for style in [Style::Exponent, Style::Fixed, Style::General] {
                if bits.next().is_multiple_of(64) {
                    let text = write(
                        format,
                        b,
                        Notation {
                            style,
                            ..Notation::exponent(digits)
                        },
                    );
                    assert!(text.len() < 5100, "{text}");
                }
            }
        }
        let length = bits.next() % 50;
        let text: Vec<u8> = (0..length)
            .map(|_| letters[(bits.next() % letters.len() as u64) as usize])
            .collect();
        let expected = core::str::from_utf8(&text).unwrap().parse::<f64>().ok();
        assert_eq!(
            parse_f64(&text).map(f64::to_bits),
            expected.map(f64::to_bits),
            "{text:?}"
        );
        for format in FORMATS {
            assert_eq!(
                parse_long_double(format, &text).is_some(),
                expected.is_some()
            );
        }
    }
}
