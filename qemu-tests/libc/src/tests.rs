//! Compares every conversion with the C library of the host.

use crate::print::{Arguments, print};
use core::ffi::{c_char, c_int};
use mir_nostd::num::{LongDouble, LongDoubleFormat};
use std::ffi::CString;
use std::string::String;
use std::vec;
use std::vec::Vec;

unsafe extern "C" {
    fn snprintf(to: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

/// A source of arguments that returns one value for all conversions.
struct Same(u64);

impl Arguments for Same {
    fn int(&mut self) -> i32 {
        self.0 as i32
    }

    fn long(&mut self) -> u64 {
        self.0
    }

    fn double(&mut self) -> u64 {
        self.0
    }

    fn long_double(&mut self) -> LongDouble {
        LongDoubleFormat::Quad.from_f64(f64::from_bits(self.0))
    }

    fn long_double_format(&self) -> LongDoubleFormat {
        LongDoubleFormat::Quad
    }
}

fn ours(format: &str, argument: u64) -> String {
    let format = CString::new(format).unwrap();
    let mut text = Vec::new();
    // SAFETY: the format is a string that names one argument.
    let count = unsafe {
        print(
            &mut |bytes| text.extend_from_slice(bytes),
            format.as_ptr().cast(),
            &mut Same(argument),
        )
    };
    assert_eq!(count as usize, text.len());
    String::from_utf8(text).unwrap()
}

fn theirs(format: &str, argument: u64, float: bool) -> String {
    let format = CString::new(format).unwrap();
    let mut text = vec![0_u8; 1000];
    let (to, size) = (text.as_mut_ptr().cast(), text.len());
    // SAFETY: the format is a string that names one argument, and the text is bounded.
    let count = unsafe {
        if float {
            snprintf(to, size, format.as_ptr(), f64::from_bits(argument))
        } else {
            snprintf(to, size, format.as_ptr(), argument)
        }
    };
    text.truncate(count as usize);
    String::from_utf8(text).unwrap()
}

const FLAGS: [&str; 12] = [
    "", "-", "+", " ", "#", "0", "-0", "+0", " 0", "#0", "-+#", "+ ",
];
const WIDTHS: [&str; 3] = ["", "3", "25"];
const PRECISIONS: [&str; 5] = ["", ".", ".0", ".4", ".22"];

#[test]
fn integers() {
    let values = [
        0,
        1,
        7,
        0x7F,
        0x80,
        0xFFFF,
        0x8000_0000,
        1 << 63,
        u64::MAX,
        1234567890123,
    ];
    for flags in FLAGS {
        for width in WIDTHS {
            for precision in PRECISIONS {
                for conversion in [
                    "d", "i", "u", "x", "X", "o", "hhd", "hu", "ld", "lx", "llo", "zu", "jd",
                ] {
                    let format = std::format!("[%{flags}{width}{precision}{conversion}]");
                    for value in values {
                        assert_eq!(
                            ours(&format, value),
                            theirs(&format, value, false),
                            "{format}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn floats() {
    let values = [
        0.0,
        -0.0,
        1.0,
        0.1,
        -2.5,
        1e10,
        123456.789,
        1e-5,
        9.9999e99,
        5e-324,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
    ];
    for flags in FLAGS {
        for width in WIDTHS {
            for precision in PRECISIONS {
                for conversion in ["e", "E", "f", "F", "g", "G"] {
                    let format = std::format!("[%{flags}{width}{precision}{conversion}]");
                    let long = std::format!("[%{flags}{width}{precision}L{conversion}]");
                    for value in values.map(f64::to_bits) {
                        let theirs = theirs(&format, value, true);
                        assert_eq!(ours(&format, value), theirs, "{format}");
                        // A value converted from a double has the same digits as a long double.
                        assert_eq!(ours(&long, value), theirs, "{long}");
                    }
                }
            }
        }
    }
}

#[test]
fn characters_and_strings() {
    let text = c"some text".as_ptr().expose_provenance() as u64;
    for format in [
        "[%s]", "[%12s]", "[%-12s]", "[%.3s]", "[%8.0s]", "%%%s%%", "%s", "%p",
    ] {
        assert_eq!(ours(format, text), theirs(format, text, false), "{format}");
    }
    for format in ["%c", "[%5c]", "[%-5c]"] {
        assert_eq!(ours(format, 65), theirs(format, 65, false), "{format}");
    }
    assert_eq!(ours("[%*d]", 5), "[    5]");
    assert_eq!(ours("[%.*d]", 3), "[003]");
    assert_eq!(ours("[%*d]", (-4_i64) as u64), "[-4  ]");
    assert_eq!(ours("no end %", 0), "no end ");
}
