//! `printf`'s conversions against the host's C library: the same calls, made by one module that is
//! linked with the one library and with the other.

use std::ffi::CString;

use crate::runner::{Caller, Library, function, linked, of_text, output, set_input};
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::Value;

/// Functions that call `snprintf` and others with one variable argument.
const CALLS: &str = "
calls: module
 import snprintf, vsnprintf
p_snprintf: proto i32, p:to, i64:size, p:format, ...
p_vsnprintf: proto i32, p:to, i64:size, p:format, p:list
integer: func i32, p:to, i64:size, p:format, i64:value, i64:second, i64:third
 local i64:count
 call p_snprintf, snprintf, count, to, size, format, value, second, third
 ret count
 endfunc
double: func i32, p:to, i64:size, p:format, d:value
 local i64:count
 call p_snprintf, snprintf, count, to, size, format, value
 ret count
 endfunc
long: func i32, p:to, i64:size, p:format, ld:value
 local i64:count
 call p_snprintf, snprintf, count, to, size, format, value
 ret count
 endfunc
list: func i32, p:to, i64:size, p:format, ...
 local i64:list, i64:count
 alloca list, 32
 va_start list
 LIST
 call p_vsnprintf, vsnprintf, count, to, size, format, list
 ret count
 endfunc
p_list: proto i32, p:to, i64:size, p:format, ...
many: func i32, p:to, i64:size, p:format
 local i64:count
 call p_list, list, count, to, size, format, 1, 2, 3, 4, 5, 6, 7, 8, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10
 ret count
 endfunc
endmodule
";

/// Returns the module of calls; its `va_list` is passed as C passes it here.
fn calls() -> String {
    let by_value = ["ppc64le", "riscv64"].contains(&target_all::HOST.target().name);
    CALLS.replace("LIST", if by_value { "mov list, i64:(list)" } else { "" })
}

/// The library under test, compiled and interpreted, and that of the host.
fn with_both(check: impl Fn(&mut Both<'_, '_>)) {
    let module = || of_text(calls().as_bytes());
    let (ours, theirs) = (
        linked(module(), Library::Ours),
        linked(module(), Library::Host),
    );
    for caller in [Caller::compiled(&ours), Caller::interpreter(&ours)] {
        let name = match caller {
            Caller::Compiled(_) => "compiled",
            Caller::Interpreter(_) => "interpreted",
        };
        check(&mut Both {
            contexts: (&ours, &theirs),
            callers: (caller, Caller::compiled(&theirs)),
            name,
        });
    }
}

type Context = mir_nostd::link::Context<'static>;

struct Both<'c, 'n> {
    contexts: (&'c Context, &'c Context),
    callers: (Caller<'c>, Caller<'c>),
    name: &'n str,
}

fn text_of(
    context: &Context,
    caller: &mut Caller<'_>,
    name: &str,
    format: &CString,
    arguments: &[Value],
) -> (i32, String) {
    let mut to = vec![0x55_u8; 12_000];
    let mut given = vec![
        Value::from_address(to.as_mut_ptr().cast_const()),
        Value::from_u64(to.len() as u64),
        Value::from_address(format.as_ptr()),
    ];
    given.extend_from_slice(arguments);
    let count = caller.call(function(context, name), &given).unwrap();
    let end = to.iter().position(|&byte| byte == 0).unwrap();
    (
        count.i64() as i32,
        String::from_utf8_lossy(&to[..end]).into_owned(),
    )
}

impl Both<'_, '_> {
    fn is_interpreted(&self) -> bool {
        self.name == "interpreted"
    }

    /// Checks that both libraries do the same; returns the text.
    fn same(&mut self, name: &str, format: &str, arguments: &[Value]) -> String {
        let c_format = CString::new(format).unwrap();
        let ours = text_of(
            self.contexts.0,
            &mut self.callers.0,
            name,
            &c_format,
            arguments,
        );
        let theirs = text_of(
            self.contexts.1,
            &mut self.callers.1,
            name,
            &c_format,
            arguments,
        );
        let bits: Vec<_> = arguments.iter().map(|value| value.u64()).collect();
        assert_eq!(ours, theirs, "{format} of {bits:x?}, {}", self.name);
        ours.1
    }
}

const FLAGS: [&str; 13] = [
    "", "-", "+", " ", "#", "0", "-0", "+0", " 0", "#0", "-+#", "+ ", "#+",
];
const WIDTHS: [&str; 3] = ["", "3", "25"];
const PRECISIONS: [&str; 6] = ["", ".", ".0", ".1", ".4", ".22"];

/// Calls `check` with all combinations of flags, width and precision, or with some of them.
fn fields(all: bool, mut check: impl FnMut(&str)) {
    let mut number = 0;
    for flags in FLAGS {
        for width in WIDTHS {
            for precision in PRECISIONS {
                number += 1;
                if all || number % 17 == 0 {
                    check(&format!("{flags}{width}{precision}"));
                }
            }
        }
    }
}

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
        1_234_567_890_123,
    ];
    let conversions = [
        "d", "i", "u", "x", "X", "o", "hhd", "hu", "ld", "lx", "llo", "zu", "jd", "tX",
    ];
    with_both(|both| {
        fields(!both.is_interpreted(), |field| {
            for conversion in conversions {
                for value in values {
                    let format = format!("[%{field}{conversion}]");
                    both.same("integer", &format, &[Value::from_u64(value)]);
                }
            }
        });
    });
}

#[test]
fn characters_strings_and_stars() {
    let text = Value::from_address(c"some text".as_ptr());
    let null = Value::ZERO;
    let numbers = [7_i64, -7, 0, 12].map(Value::from_i64);
    with_both(|both| {
        let strings = [
            "[%s]", "[%12s]", "[%-12s]", "[%.3s]", "[%8.0s]", "%%%s%%", "%s", "%20p", "%-20p|", "",
            "%%",
        ];
        for format in strings {
            both.same("integer", format, &[text]);
            both.same("integer", format, &[null]);
        }
        for format in ["%c", "[%5c]", "[%-5c]"] {
            both.same("integer", format, &[Value::from_u64(65)]);
        }
        for first in numbers {
            for second in numbers {
                let arguments = [first, second, Value::from_i64(-35)];
                for format in ["[%*.*d]", "[%-*.*d]", "[%0*.*x]", "[%+*.*ld]"] {
                    both.same("integer", format, &arguments);
                }
            }
        }
    });
}

#[test]
fn a_text_that_is_too_long_is_cut() {
    with_both(|both| {
        let format = c"some %d and %5s";
        for size in 0..16 {
            let mut found = Vec::new();
            for ours in [true, false] {
                let (context, caller) = match ours {
                    true => (both.contexts.0, &mut both.callers.0),
                    false => (both.contexts.1, &mut both.callers.1),
                };
                let to = [0x55_u8; 20];
                let word = Value::from_address(c"word".as_ptr());
                let arguments = [
                    Value::from_address(to.as_ptr()),
                    Value::from_u64(size),
                    Value::from_address(format.as_ptr()),
                    Value::from_i64(-12),
                    word,
                ];
                let count = caller
                    .call(function(context, "integer"), &arguments)
                    .unwrap();
                found.push((count.i64() as i32, core::hint::black_box(to)));
            }
            assert_eq!(found[0], found[1], "{size}");
        }
    });
}

#[test]
fn lists() {
    with_both(|both| {
        let format = "%d %d %d %d %d %d %d %d %g %g %g %g %g %g %g %g %g %d";
        let text = both.same("many", format, &[]);
        assert_eq!(
            text,
            "1 2 3 4 5 6 7 8 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10"
        );
    });
}

const DOUBLES: [f64; 23] = [
    0.0,
    -0.0,
    1.0,
    0.1,
    -2.5,
    0.5,
    1.5,
    3.5,
    9.5,
    1e10,
    123_456.789,
    1e-5,
    0.000_123_456,
    1e22,
    1e23,
    5e-324,
    2.2e-308,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    -f64::NAN,
];
const CARRIES: [f64; 3] = [99.95, 9.9999e99, 999_999.5];
const CONVERSIONS: [&str; 8] = ["e", "E", "f", "F", "g", "G", "a", "A"];

#[test]
fn doubles() {
    with_both(|both| {
        fields(!both.is_interpreted(), |field| {
            for conversion in CONVERSIONS {
                let format = format!("[%{field}{conversion}]");
                // glibc drops digits of %#g where rounding gives the number one more.
                let correct = !(field.contains('#') && ["g", "G"].contains(&conversion));
                let others = CARRIES.into_iter().filter(|_| correct);
                for value in DOUBLES.into_iter().chain(others) {
                    both.same("double", &format, &[Value::from_f64_bits(value.to_bits())]);
                }
            }
        });
        for format in [
            "%.1074f", "%.766e", "%.800g", "%.2000f", "%1500.3f", "%#.800g",
        ] {
            for value in DOUBLES {
                both.same("double", format, &[Value::from_f64_bits(value.to_bits())]);
            }
        }
    });
}

#[test]
fn random_doubles() {
    let formats = [
        "%.17g", "%.16e", "%f", "%.0f", "%.3e", "%g", "%a", "%.5a", "%.1f", "%.30g",
    ];
    with_both(|both| {
        let mut random = fastrand::Rng::with_seed(17);
        let count = if both.is_interpreted() { 20 } else { 1000 };
        for _ in 0..count {
            let bits = random.u64(..);
            // A number of a size that people use, and one of few digits.
            let near = f64::from_bits(bits >> 12 | random.u64(1000..1060) << 52);
            let short = random.i32(-100_000..100_000).into();
            let short: f64 = short;
            for value in [f64::from_bits(bits), near, short / 64.0, short / 1000.0] {
                let format = formats[random.usize(..formats.len())];
                both.same("double", format, &[Value::from_f64_bits(value.to_bits())]);
            }
        }
    });
}

/// Returns the cell of a long double of random bits that is a number of the format.
fn random_long_double(random: &mut fastrand::Rng, format: LongDoubleFormat) -> Value {
    let near = random.bool();
    let exponent = |bias: u64, random: &mut fastrand::Rng| match near {
        true => random.u64(bias - 70..bias + 70),
        false => random.u64(1..2 * bias + 1),
    };
    let sign = random.u64(..2);
    let bits = match format {
        LongDoubleFormat::X87 => {
            let mantissa = random.u128(..) >> 64 | 1 << 63;
            u128::from(sign << 15 | exponent(16383, random)) << 64 | mantissa
        }
        LongDoubleFormat::Quad => {
            let high = sign << 63 | exponent(16383, random) << 48 | random.u64(..) >> 16;
            u128::from(high) << 64 | u128::from(random.u64(..))
        }
        _ => {
            // The second double is less than half of the last place of the first, and the sum has
            // no more than 105 bits, as glibc prints no more than 106.
            let (first, gap) = (random.u64(200..1900), random.u64(54..100));
            let double = |exponent: u64, cut: u64, random: &mut fastrand::Rng| {
                let fraction = random.u64(..) >> 12 >> cut << cut;
                random.u64(..2) << 63 | exponent << 52 | fraction
            };
            let low = double(first, 0, random);
            u128::from(double(first - gap, gap - 52, random)) << 64 | u128::from(low)
        }
    };
    Value::from_long_double(mir_nostd::num::LongDouble(bits))
}

#[test]
fn long_doubles() {
    let target = target_all::HOST.target();
    let formats = [
        "%Lf",
        "%.40Lg",
        "%.35Le",
        "%Lg",
        "%.0Lf",
        "%La",
        "%.3La",
        "%.12La",
        "%+-40.20Lg|",
    ];
    with_both(|both| {
        let mut random = fastrand::Rng::with_seed(18);
        let long = target.long_double;
        for value in DOUBLES {
            let value = Value::from_long_double(long.from_f64(value));
            for format in formats {
                both.same("long", format, &[value]);
            }
        }
        let count = if both.is_interpreted() { 10 } else { 500 };
        for _ in 0..count {
            let value = random_long_double(&mut random, long);
            let format = formats[random.usize(..formats.len())];
            both.same("long", format, &[value]);
        }
    });
}

/// Prints the sum of two doubles with all its digits where that is a long double: those of the
/// smaller one, which the host's library prints as a double, after a 1.
#[test]
fn pairs_are_exact() {
    if target_all::HOST.target().long_double != LongDoubleFormat::DoubleDouble {
        return;
    }
    let small = f64::from_bits(3);
    let pair = u128::from(small.to_bits()) << 64 | u128::from(1.0_f64.to_bits());
    let pair = Value::from_long_double(mir_nostd::num::LongDouble(pair));
    with_both(|both| {
        let bits = Value::from_f64_bits(small.to_bits());
        let digits = both.same("double", "%.1074f", &[bits]);
        let (context, caller) = (both.contexts.0, &mut both.callers.0);
        let format = CString::new("%.1074Lf").unwrap();
        let (_, text) = text_of(context, caller, "long", &format, &[pair]);
        assert_eq!(text, digits.replacen('0', "1", 1));
    });
}

const PROGRAM: &str = "
program: module
 import printf, fprintf, puts, putchar, fputs, stderr, stdout, stdin, getchar, fgets
p_printf: proto i32, p:format, ...
p_fprintf: proto i32, p:stream, p:format, ...
p_puts: proto i32, p:text
p_putchar: proto i32, i32:c
p_fputs: proto i32, p:text, p:stream
p_getchar: proto i32
p_fgets: proto p, p:to, i32:size, p:stream
main: func i32, p:refused
 local i64:r, i64:stream, i64:line, i64:n
 alloca line, 16
 call p_puts, puts, r, \"one\"
 call p_putchar, putchar, r, 321
 mov stream, stdout; mov stream, i64:(stream)
 call p_fputs, fputs, r, \" two\", stream
 mov stream, stderr; mov stream, i64:(stream)
 call p_fprintf, fprintf, r, stream, \" %d%%\\n\", 3
 call p_getchar, getchar, r
 call p_printf, printf, r, \"%c%200d\", r, 4
 call p_printf, printf, n, \"(%d)\", r
 mov stream, stdin; mov stream, i64:(stream)
more: call p_fgets, fgets, r, line, 10, stream
 bf done, r
 call p_printf, printf, r, \"<%s>\", line
 jmp more
done: call p_getchar, getchar, r
 call p_printf, printf, r, \"%d\", r
 call p_printf, printf, r, refused, 5
 ret r
 endfunc
endmodule
";

#[test]
fn streams() {
    for refused in [c"x%ny", c"x%yy", c"x%"] {
        let context = linked(of_text(PROGRAM.as_bytes()), Library::Ours);
        set_input(b"zfirst\na longer second line\nend");
        let mut caller = Caller::interpreter(&context);
        let refused = Value::from_address(refused.as_ptr());
        let result = caller.call(function(&context, "main"), &[refused]);
        assert_eq!(result.unwrap().i64(), -1);
        let wanted = format!(
            "one\nA two 3%\nz{:200}(201)<first\n><a longer ><second li><ne\n><end>-1x",
            4
        );
        assert_eq!(String::from_utf8(output()).unwrap(), wanted);
    }
}
