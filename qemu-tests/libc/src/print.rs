//! Formats the output of `printf`: all conversions of C but `%a` and `%n`.

use core::fmt::{self, Write};
use mir_nostd::num::{
    Category, LongDouble, LongDoubleFormat, Notation, Style, write_f64, write_long_double,
};

/// The variable arguments of a call.
pub trait Arguments {
    /// Returns the next argument, an `int`.
    fn int(&mut self) -> i32;
    /// Returns the next argument, a `long` or an address.
    fn long(&mut self) -> u64;
    /// Returns the next argument, the bits of a `double`.
    fn double(&mut self) -> u64;
    /// Returns the next argument, a `long double`.
    fn long_double(&mut self) -> LongDouble;
    /// Returns the format of long doubles.
    fn long_double_format(&self) -> LongDoubleFormat;
}

/// The destination of the text.
pub type Output<'a> = dyn FnMut(&[u8]) + 'a;

/// Prints `arguments` according to `format`; returns the number of bytes.
///
/// # Safety
///
/// `format` is a string that ends in 0, and `arguments` has the arguments that it names; an
/// argument of `%s` is such a string too, or as long as the precision.
pub unsafe fn print(
    output: &mut Output<'_>,
    format: *const u8,
    arguments: &mut dyn Arguments,
) -> i32 {
    let mut out = Out { output, count: 0 };
    let mut reader = Reader(format);
    // SAFETY: the caller vouches for the string, which is read up to its end, and for the
    // arguments.
    unsafe {
        loop {
            let start = reader.0;
            let mut plain = 0;
            while !matches!(reader.peek(), 0 | b'%') {
                reader.skip();
                plain += 1;
            }
            out.put(core::slice::from_raw_parts(start, plain));
            if reader.peek() == 0 {
                return out.count as i32;
            }
            reader.skip();
            let field = Field::read(&mut reader, arguments);
            let conversion = reader.peek();
            if conversion == 0 {
                return out.count as i32;
            }
            reader.skip();
            field.convert(conversion, &mut out, arguments);
        }
    }
}

struct Reader(*const u8);

impl Reader {
    /// # Safety
    ///
    /// The end of the string was not skipped.
    unsafe fn peek(&self) -> u8 {
        // SAFETY: the caller vouches for it.
        unsafe { self.0.read() }
    }

    fn skip(&mut self) {
        self.0 = self.0.wrapping_add(1);
    }
}

struct Out<'a, 'o> {
    output: &'a mut Output<'o>,
    count: usize,
}

impl Out<'_, '_> {
    fn put(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            (self.output)(bytes);
            self.count += bytes.len();
        }
    }

    fn fill(&mut self, byte: u8, count: usize) {
        for _ in 0..count {
            self.put(&[byte]);
        }
    }
}

impl Write for Out<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.put(text.as_bytes());
        Ok(())
    }
}

/// A writer that counts the bytes of a text.
struct Counter(usize);

impl Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// The length modifier of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    Int,
    Long,
    LongDouble,
}

/// The flags, width and precision between `%` and the conversion.
struct Field {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
}

impl Field {
    /// # Safety
    ///
    /// The reader is within a string.
    unsafe fn read(reader: &mut Reader, arguments: &mut dyn Arguments) -> Field {
        let mut field = Field {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::Int,
        };
        // SAFETY: stops at the end of the string at the latest.
        unsafe {
            loop {
                match reader.peek() {
                    b'-' => field.left = true,
                    b'+' => field.plus = true,
                    b' ' => field.space = true,
                    b'#' => field.alternate = true,
                    b'0' => field.zero = true,
                    _ => break,
                }
                reader.skip();
            }
            let width = number(reader, arguments);
            field.left |= width < 0;
            field.width = width.unsigned_abs() as usize;
            if reader.peek() == b'.' {
                reader.skip();
                field.precision = usize::try_from(number(reader, arguments)).ok();
            }
            field.read_length(reader);
        }
        field
    }

    /// # Safety
    ///
    /// The reader is within a string.
    unsafe fn read_length(&mut self, reader: &mut Reader) {
        loop {
            // SAFETY: stops at the end of the string at the latest.
            self.length = match (unsafe { reader.peek() }, self.length) {
                (b'h', Length::Short) => Length::Char,
                (b'h', _) => Length::Short,
                (b'l' | b'j' | b'z' | b't', _) => Length::Long,
                (b'L', _) => Length::LongDouble,
                _ => return,
            };
            reader.skip();
        }
    }

    /// # Safety
    ///
    /// The next argument is one of that conversion.
    unsafe fn convert(
        mut self,
        conversion: u8,
        out: &mut Out<'_, '_>,
        arguments: &mut dyn Arguments,
    ) {
        match conversion {
            b'%' => out.put(b"%"),
            b'c' => self.text(out, &[arguments.int() as u8]),
            b'd' | b'i' => {
                let value = self.signed(arguments);
                let sign = self.sign(value < 0);
                self.integer(out, sign, value.unsigned_abs(), 10, false);
            }
            b'u' => {
                let value = self.unsigned(arguments);
                self.integer(out, "", value, 10, false);
            }
            b'o' => {
                let value = self.unsigned(arguments);
                self.integer(out, "", value, 8, false);
            }
            b'x' | b'X' => {
                let value = self.unsigned(arguments);
                let prefix = match (self.alternate && value != 0, conversion) {
                    (false, _) => "",
                    (true, b'x') => "0x",
                    (true, _) => "0X",
                };
                self.integer(out, prefix, value, 16, conversion == b'X');
            }
            b'p' => self.integer(out, "0x", arguments.long(), 16, false),
            b's' => {
                let text = arguments.long() as usize;
                // SAFETY: the caller vouches for the string.
                unsafe { self.string(out, core::ptr::with_exposed_provenance(text)) };
            }
            b'e' | b'E' => self.float(out, arguments, Style::Exponent, conversion == b'E'),
            b'f' | b'F' => self.float(out, arguments, Style::Fixed, conversion == b'F'),
            b'g' | b'G' => self.float(out, arguments, Style::General, conversion == b'G'),
            other => {
                self.zero = false;
                out.put(&[b'%', other]);
            }
        }
    }

    fn signed(&self, arguments: &mut dyn Arguments) -> i64 {
        match self.length {
            Length::Char => i64::from(arguments.int() as i8),
            Length::Short => i64::from(arguments.int() as i16),
            Length::Int => i64::from(arguments.int()),
            Length::Long | Length::LongDouble => arguments.long() as i64,
        }
    }

    fn unsigned(&self, arguments: &mut dyn Arguments) -> u64 {
        match self.length {
            Length::Char => u64::from(arguments.int() as u8),
            Length::Short => u64::from(arguments.int() as u16),
            Length::Int => u64::from(arguments.int() as u32),
            Length::Long | Length::LongDouble => arguments.long(),
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn integer(&self, out: &mut Out<'_, '_>, prefix: &str, value: u64, base: u64, upper: bool) {
        let mut digits = [0; 22];
        let mut start = digits.len();
        let mut rest = value;
        while rest != 0 {
            start -= 1;
            let digit = (rest % base) as u8;
            let letter = if upper { b'A' } else { b'a' };
            digits[start] = if digit < 10 {
                b'0' + digit
            } else {
                letter + digit - 10
            };
            rest /= base;
        }
        let digits = &digits[start..];
        let mut least = self.precision.unwrap_or(1);
        if base == 8 && self.alternate {
            least = least.max(digits.len() + 1);
        }
        let zeros = least.saturating_sub(digits.len());
        let zero = self.zero && self.precision.is_none();
        self.framed(out, prefix, zeros + digits.len(), zero, |out| {
            out.fill(b'0', zeros);
            out.put(digits);
        });
    }

    /// # Safety
    ///
    /// `text` is a string, or as long as the precision, or null.
    unsafe fn string(&self, out: &mut Out<'_, '_>, text: *const u8) {
        if text.is_null() {
            return self.text(out, b"(null)");
        }
        let most = self.precision.unwrap_or(usize::MAX);
        let mut length = 0;
        // SAFETY: the caller vouches for the string.
        unsafe {
            while length < most && text.add(length).read() != 0 {
                length += 1;
            }
            self.text(out, core::slice::from_raw_parts(text, length));
        }
    }

    fn text(&self, out: &mut Out<'_, '_>, text: &[u8]) {
        self.framed(out, "", text.len(), false, |out| out.put(text));
    }

    fn float(
        &self,
        out: &mut Out<'_, '_>,
        arguments: &mut dyn Arguments,
        style: Style,
        upper: bool,
    ) {
        let notation = Notation {
            style,
            precision: self.precision.unwrap_or(6) as u32,
            alternate: self.alternate,
            upper,
        };
        if self.length == Length::LongDouble {
            let format = arguments.long_double_format();
            let value = arguments.long_double();
            let negative = format.is_negative(value);
            let size = if negative { format.neg(value) } else { value };
            let finite = format.category(value) == Category::Finite;
            self.number(out, negative, finite, |out| {
                write_long_double(out, format, size, notation)
            });
        } else {
            let bits = arguments.double();
            let size = f64::from_bits(bits & !(1 << 63));
            self.number(out, bits >> 63 != 0, size.is_finite(), |out| {
                write_f64(out, size, notation)
            });
        }
    }

    fn number(
        &self,
        out: &mut Out<'_, '_>,
        negative: bool,
        finite: bool,
        write: impl Fn(&mut dyn Write) -> fmt::Result,
    ) {
        let mut counter = Counter(0);
        // Neither the counter nor the output fails.
        let _ = write(&mut counter);
        let zero = self.zero && finite;
        self.framed(out, self.sign(negative), counter.0, zero, |out| {
            let _ = write(out);
        });
    }

    /// Prints a prefix and a body of `length` bytes, padded to the width: with zeros between them,
    /// or with blanks.
    fn framed(
        &self,
        out: &mut Out<'_, '_>,
        prefix: &str,
        length: usize,
        zero: bool,
        body: impl FnOnce(&mut Out<'_, '_>),
    ) {
        let padding = self.width.saturating_sub(prefix.len() + length);
        let zero = zero && !self.left;
        if !self.left && !zero {
            out.fill(b' ', padding);
        }
        out.put(prefix.as_bytes());
        if zero {
            out.fill(b'0', padding);
        }
        body(out);
        if self.left {
            out.fill(b' ', padding);
        }
    }
}

/// Reads a number of digits or `*`; returns 0 if there is neither.
///
/// # Safety
///
/// The reader is within a string.
unsafe fn number(reader: &mut Reader, arguments: &mut dyn Arguments) -> i32 {
    // SAFETY: stops at the end of the string at the latest.
    unsafe {
        if reader.peek() == b'*' {
            reader.skip();
            return arguments.int();
        }
        let mut value = 0_i32;
        while reader.peek().is_ascii_digit() {
            value = value
                .saturating_mul(10)
                .saturating_add(i32::from(reader.peek() - b'0'));
            reader.skip();
        }
        value
    }
}
