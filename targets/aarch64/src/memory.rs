//! The addressing modes of loads and stores.

use super::insns::Op;
use mir_nostd::machine::{Opcode, Operand};

/// The address of a load or store.
pub(crate) enum AddressMode {
    /// A register or frame object plus an offset in bytes.
    Offset(Operand, i32),
    /// A register plus another one, times the size of the access if the flag is set.
    Indexed(Operand, Operand, bool),
}

/// One kind of load or store.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    /// The opcode with an offset from 0 to 4095 times the size.
    pub(crate) scaled: Op,
    /// The opcode with an offset from -256 to 255.
    pub(crate) unscaled: Op,
    /// The opcode with a register as index.
    pub(crate) indexed: Op,
    /// The size in bytes.
    pub(crate) bytes: i32,
}

macro_rules! accesses {
    ($name:ident: $($bytes:literal $scaled:ident $unscaled:ident $indexed:ident;)*) => {
        pub(crate) const $name: &[Access] = &[$(Access {
            scaled: Op::$scaled,
            unscaled: Op::$unscaled,
            indexed: Op::$indexed,
            bytes: $bytes,
        }),*];
    };
}

accesses! { LOADS:
    1 LDRBBui LDURBBi LDRBBroX;
    1 LDRSBXui LDURSBXi LDRSBXroX;
    2 LDRHHui LDURHHi LDRHHroX;
    2 LDRSHXui LDURSHXi LDRSHXroX;
    4 LDRWui LDURWi LDRWroX;
    4 LDRSWui LDURSWi LDRSWroX;
    8 LDRXui LDURXi LDRXroX;
    4 LDRSui LDURSi LDRSroX;
    8 LDRDui LDURDi LDRDroX;
    16 LDRQui LDURQi LDRQroX;
}

accesses! { STORES:
    1 STRBBui STURBBi STRBBroX;
    2 STRHHui STURHHi STRHHroX;
    4 STRWui STURWi STRWroX;
    8 STRXui STURXi STRXroX;
    4 STRSui STURSi STRSroX;
    8 STRDui STURDi STRDroX;
    16 STRQui STURQi STRQroX;
}

impl Access {
    /// Returns the kind of load or store of an opcode with an offset, and how many bytes its offset
    /// counts.
    pub(crate) fn of(opcode: Opcode) -> Option<(Access, i32)> {
        let mut all = LOADS.iter().chain(STORES).copied();
        all.find_map(|access| match opcode {
            opcode if opcode == access.scaled.into() => Some((access, access.bytes)),
            opcode if opcode == access.unscaled.into() => Some((access, 1)),
            _ => None,
        })
    }

    /// Returns the opcode and the immediate for an offset in bytes, if it is in reach.
    pub(crate) const fn with_offset(&self, offset: i32) -> Option<(Op, i32)> {
        if offset % self.bytes == 0 && offset >= 0 && offset / self.bytes < 4096 {
            Some((self.scaled, offset / self.bytes))
        } else if offset >= -256 && offset < 256 {
            Some((self.unscaled, offset))
        } else {
            None
        }
    }

    /// Returns the same for an offset that may be out of reach.
    pub(crate) const fn with_any_offset(&self, offset: i32) -> (Op, i32) {
        if offset % self.bytes == 0 {
            (self.scaled, offset / self.bytes)
        } else {
            (self.unscaled, offset)
        }
    }

    /// Returns whether it is a load.
    pub(crate) fn is_load(&self) -> bool {
        LOADS.iter().any(|load| load.scaled == self.scaled)
    }
}
