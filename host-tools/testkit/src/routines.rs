//! A backend that computes long doubles by the runtime's routines, as machines without instructions
//! for them do.
#![expect(unsafe_code, reason = "vouches for the code that it makes")]

use mir_nostd::codegen::{Backend, Code, Emitter, Error, FixupKind, ShortBranch, Stage};
use mir_nostd::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LowType, Operand, Reg, UnitSet,
};
use mir_nostd::target::{
    AddressForm, Description, Encoder, FrameLayout, FrameLowering, FrameRecord, GenericInsn,
    InsnInfo, InsnSelector, Isa, LandingPad, UpperHalf,
};
use std::sync::LazyLock;

/// A backend without its instructions for long doubles.
struct ByRoutine {
    backend: &'static dyn Backend,
    description: &'static Description,
}

/// Returns this machine's backend without its instructions for long doubles; `None` if it has none.
#[must_use]
pub fn by_routine() -> Option<&'static dyn Backend> {
    static BY_ROUTINE: LazyLock<ByRoutine> = LazyLock::new(|| {
        let backend = crate::host_backend();
        let mut description = Box::new(*backend.description());
        description.long_double = &[];
        ByRoutine {
            backend,
            description: Box::leak(description),
        }
    });
    let instructions = BY_ROUTINE.backend.description().long_double;
    (!instructions.is_empty()).then_some(&*BY_ROUTINE)
}

impl Backend for ByRoutine {
    fn stages(&self, level: u8) -> &'static [Stage<'static>] {
        self.backend.stages(level)
    }
}

// SAFETY: all but the list of the instructions for long doubles, which need not be used, is a
// backend's.
unsafe impl Isa for ByRoutine {
    fn description(&self) -> &'static Description {
        self.description
    }
}

impl InsnSelector for ByRoutine {
    fn select(&self, out: &mut Emitter<'_, '_>, insn: GenericInsn<'_>) -> Result<(), Error> {
        self.backend.select(out, insn)
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        self.backend.takes_immediate(generic, ty, number, value)
    }

    fn takes_immediate_at(&self, address: &AddressForm) -> bool {
        self.backend.takes_immediate_at(address)
    }

    fn takes_address(&self, ty: LowType, address: &AddressForm) -> bool {
        self.backend.takes_address(ty, address)
    }
}

impl InsnInfo for ByRoutine {
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        self.backend.copy(out, to, from)
    }

    fn reload(
        &self,
        out: &mut Emitter<'_, '_>,
        to: Reg,
        class: ClassId,
        from: FrameId,
    ) -> Result<(), Error> {
        self.backend.reload(out, to, class, from)
    }

    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        class: ClassId,
        to: FrameId,
    ) -> Result<(), Error> {
        self.backend.spill(out, from, class, to)
    }

    fn landing_pad(&self, out: &mut Emitter<'_, '_>, place: LandingPad) -> Result<(), Error> {
        self.backend.landing_pad(out, place)
    }

    fn is_constant(&self, function: &Function<'_>, insn: InsnId) -> bool {
        self.backend.is_constant(function, insn)
    }

    fn upper_half(&self, function: &Function<'_>, insn: InsnId) -> UpperHalf {
        self.backend.upper_half(function, insn)
    }
}

impl FrameLowering for ByRoutine {
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        used_saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        self.backend.lay_out_frame(function, used_saved)
    }

    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        self.backend.prologue(out, layout)
    }

    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        self.backend.epilogue(out, layout)
    }

    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        self.backend.resolve_frame(out, insn, layout)
    }

    fn unwind(
        &self,
        function: &Function<'_>,
        layout: &FrameLayout,
        saved: &mut dyn FnMut(Reg, i32),
    ) -> Option<(Reg, i32)> {
        self.backend.unwind(function, layout, saved)
    }

    fn frame_record(&self, function: &Function<'_>, layout: &FrameLayout) -> Option<FrameRecord> {
        self.backend.frame_record(function, layout)
    }
}

impl Encoder for ByRoutine {
    fn encode_row(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        row: usize,
        operands: &[Operand],
    ) -> Option<Result<(), Error>> {
        self.backend.encode_row(code, function, row, operands)
    }

    fn enter(&self, code: &mut Code<'_>, function: &Function<'_>) -> Result<(), Error> {
        self.backend.enter(code, function)
    }

    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        self.backend.patch(bytes, kind, place, target)
    }

    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        self.backend.short_branch(kind, number, code, at)
    }

    fn pad(&self, bytes: &mut [u8]) {
        self.backend.pad(bytes);
    }
}
