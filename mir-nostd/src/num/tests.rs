//! Tests of the module as a whole.
use super::*;
use std::format;
use std::string::String;

/// A generator of test bits (xorshift).
struct Bits(u64);
impl Bits {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
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
