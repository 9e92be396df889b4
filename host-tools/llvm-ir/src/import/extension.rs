//! Imports intrinsics as instructions of the language's extension, where each does the work of many
//! others, or of a call.
//!
//! Minima, maxima and rotations are not among them: few other instructions do the same, which the
//! interpreter executes sooner and the compiler recognises.

use super::function::Lower;
use super::integers::held_of;
use super::parts::Kind;
use super::values::Held;
use crate::error::Result;
use mir_nostd::ir::Code;
use mir_nostd::machine::Generic;

/// A count of bits, or an order in which they are reversed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bits {
    Ones,
    LeadingZeros,
    TrailingZeros,
    Bytes,
    Reversed,
}

impl Bits {
    /// Returns the instruction for 64 bits, and that for 32.
    const fn codes(self) -> [Code; 2] {
        match self {
            Bits::Ones => [Code::Popcnt, Code::Popcnts],
            Bits::LeadingZeros => [Code::Clz, Code::Clzs],
            Bits::TrailingZeros => [Code::Ctz, Code::Ctzs],
            Bits::Bytes => [Code::Bswap, Code::Bswaps],
            Bits::Reversed => [Code::Bitrev, Code::Bitrevs],
        }
    }

    /// Returns whether the result is a number of bits.
    const fn is_count(self) -> bool {
        !matches!(self, Bits::Bytes | Bits::Reversed)
    }
}

impl Lower<'_, '_, '_> {
    /// Returns what an instruction makes of the bits of an integer; `None` if the module is to do
    /// without the extension.
    pub(super) fn extension_of_bits(
        &mut self,
        bits: Bits,
        width: u32,
        value: Held,
    ) -> Result<Option<Held>> {
        if self.importer.is_portable {
            return Ok(None);
        }
        let [whole, half] = bits.codes();
        let found = match (width, bits) {
            (64, _) => self.bits_result(bits, whole, value)?,
            (32, _) => self.bits_result(bits, half, value)?,
            (16, Bits::Bytes) => self.bits_result(bits, Code::Bswap16, value)?,
            (_, Bits::Ones) => {
                let value = held_of(self.zero_extended(value, width)?);
                self.bits_result(bits, whole, value)?
            }
            (_, Bits::LeadingZeros) => {
                let value = held_of(self.zero_extended(value, width)?);
                let zeros = self.bits_result(bits, whole, value)?;
                self.int_operation(Code::Sub, zeros, Held::Int(i64::from(64 - width)))?
            }
            (_, Bits::TrailingZeros) => {
                // A bit above the width ends the count.
                let value = self.int_operation(Code::Or, value, Held::Int(1 << width))?;
                self.bits_result(bits, whole, value)?
            }
            (_, Bits::Bytes | Bits::Reversed) => {
                let reversed = self.bits_result(bits, whole, value)?;
                self.int_operation(Code::Ursh, reversed, Held::Int(i64::from(64 - width)))?
            }
        };
        Ok(Some(found))
    }

    fn bits_result(&mut self, bits: Bits, code: Code, value: Held) -> Result<Held> {
        let reg = self.float_result(code, Kind::Int(64), &[value])?;
        if bits.is_count() {
            // At most 64.
            self.zero_above.insert(reg, 7);
        }
        Ok(Held::Reg(reg))
    }

    /// Returns the instruction that does what a mathematical function does; `None` if there is none
    /// for the type, or the module is to do without the extension.
    pub(super) fn extension_of_math(&self, base: &str, kind: Kind) -> Option<Code> {
        let has = |generic| self.importer.isa.has(generic);
        let [float, double] = match base {
            _ if self.importer.is_portable => return None,
            "sqrt" => [Code::Fsqrt, Code::Dsqrt],
            "copysign" => [Code::Fcopysign, Code::Dcopysign],
            "floor" => [Code::Ffloor, Code::Dfloor],
            "ceil" => [Code::Fceil, Code::Dceil],
            "trunc" => [Code::Ftrunc, Code::Dtrunc],
            // The C library's function is sooner done where the ISA has no such instruction.
            "roundeven" if has(Generic::Froundeven) => [Code::Fnearest, Code::Dnearest],
            "fma" if has(Generic::Fma) => [Code::Ffma, Code::Dfma],
            _ => return None,
        };
        match kind {
            Kind::Float => Some(float),
            Kind::Double => Some(double),
            Kind::LongDouble | Kind::Int(_) => None,
        }
    }
}
