//! The assignment of virtual registers: where each is after allocation.

use crate::machine::{FrameId, InsnId, Reg};
use crate::mem::Vec;
use crate::target::Isa;
use crate::target::emitter::Emitter;
use crate::target::error::Error;

/// The assignment of a virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assignment {
    /// None: it is never used.
    None,
    /// A physical register.
    Register(Reg),
    /// A frame object: it is spilled.
    Frame(FrameId),
    /// None: the instruction is rematerialised wherever the register is read.
    Rematerialised(InsnId),
}

/// The assignments of all virtual registers.
pub(crate) type Assignments<'m> = Vec<'m, Assignment>;

/// Inserts a copy between physical registers unless they are the same.
pub(crate) fn copy(
    out: &mut Emitter<'_, '_>,
    isa: &dyn Isa,
    to: Reg,
    from: Reg,
) -> Result<(), Error> {
    if to == from {
        return Ok(());
    }
    isa.copy(out, to, from)
}
