//! The frame of a function: properties, fixed objects, stack objects.

use super::{Frame, Register, Text};

macro_rules! frame_properties {
    ($($name:ident $key:literal)*) => {
        /// What is true or not of a frame.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the keys of LLVM")]
        pub enum FrameProperty { $($name),* }

        impl FrameProperty {
            /// All of them with their keys.
            pub const TABLE: &'static [(FrameProperty, &'static str)] =
                &[$((FrameProperty::$name, $key)),*];

            /// The property of this key.
            #[must_use]
            pub fn of(key: &[u8]) -> Option<FrameProperty> {
                let found = Self::TABLE.iter().find(|(_, known)| known.as_bytes() == key);
                found.map(|(property, _)| *property)
            }
        }
    };
}

frame_properties! {
    IsFrameAddressTaken "isFrameAddressTaken"
    IsReturnAddressTaken "isReturnAddressTaken"
    HasStackMap "hasStackMap"
    HasPatchPoint "hasPatchPoint"
    AdjustsStack "adjustsStack"
    HasCalls "hasCalls"
    HasOpaqueSpAdjustment "hasOpaqueSPAdjustment"
    HasVaStart "hasVAStart"
    HasMustTailInVarArgFunc "hasMustTailInVarArgFunc"
    HasTailCall "hasTailCall"
    IsCalleeSavedInfoValid "isCalleeSavedInfoValid"
}

/// `frameInfo`.
#[derive(Clone, PartialEq, Debug)]
pub struct FrameInfo {
    properties: u32,
    /// Bytes.
    pub stack_size: u64,
    /// What the stack pointer is off by.
    pub offset_adjustment: i32,
    /// At least 1.
    pub max_alignment: u64,
    /// The object that guards against overruns.
    pub stack_protector: Option<Frame>,
    /// The object of old exception handling.
    pub function_context: Option<Frame>,
    /// The largest outgoing argument area; none: not computed.
    pub max_call_frame_size: Option<u32>,
    /// For `CodeView`.
    pub cv_bytes_of_callee_saved_registers: u32,
    /// Bytes of objects that are laid out locally.
    pub local_frame_size: i64,
    /// Where registers are saved.
    pub save_points: Vec<SavePoint>,
    /// Where they are restored.
    pub restore_points: Vec<SavePoint>,
}

impl Default for FrameInfo {
    fn default() -> FrameInfo {
        FrameInfo {
            properties: 0,
            stack_size: 0,
            offset_adjustment: 0,
            max_alignment: 1,
            stack_protector: None,
            function_context: None,
            max_call_frame_size: None,
            cv_bytes_of_callee_saved_registers: 0,
            local_frame_size: 0,
            save_points: Vec::new(),
            restore_points: Vec::new(),
        }
    }
}

impl FrameInfo {
    /// Whether the property holds.
    #[must_use]
    pub const fn has(&self, property: FrameProperty) -> bool {
        self.properties >> property as u32 & 1 != 0
    }

    /// Says whether the property holds.
    pub const fn set(&mut self, property: FrameProperty, value: bool) {
        self.properties =
            self.properties & !(1 << property as u32) | (value as u32) << property as u32;
    }
}

/// A block where registers are saved or restored.
#[derive(Clone, PartialEq, Debug)]
pub struct SavePoint {
    /// Its index.
    pub block: u32,
    /// The registers.
    pub registers: Vec<Register>,
}

/// What a frame object is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ObjectKind {
    /// Something of the program.
    #[default]
    Default,
    /// The place of a register.
    SpillSlot,
    /// Its size is not known.
    VariableSized,
}

impl ObjectKind {
    /// All of them with their words.
    pub const TABLE: [(ObjectKind, &'static str); 3] = [
        (ObjectKind::Default, "default"),
        (ObjectKind::SpillSlot, "spill-slot"),
        (ObjectKind::VariableSized, "variable-sized"),
    ];
}

/// Which stack an object is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the words of LLVM")]
pub enum StackId {
    #[default]
    Default,
    SgprSpill,
    ScalableVector,
    ScalablePredicateVector,
    WasmLocal,
    NoAlloc,
}

impl StackId {
    /// All of them with their words.
    pub const TABLE: [(StackId, &'static str); 6] = [
        (StackId::Default, "default"),
        (StackId::SgprSpill, "sgpr-spill"),
        (StackId::ScalableVector, "scalable-vector"),
        (
            StackId::ScalablePredicateVector,
            "scalable-predicate-vector",
        ),
        (StackId::WasmLocal, "wasm-local"),
        (StackId::NoAlloc, "noalloc"),
    ];
}

/// The register that is saved in an object.
#[derive(Clone, PartialEq, Debug)]
pub struct CalleeSaved {
    /// Which; `$noreg` if none.
    pub register: Register,
    /// Whether it is restored from there.
    pub is_restored: bool,
}

impl Default for CalleeSaved {
    fn default() -> CalleeSaved {
        CalleeSaved {
            register: Register::NONE,
            is_restored: true,
        }
    }
}

/// The variable that an object is, for debug information: metadata as it is written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DebugVariable {
    /// The variable.
    pub variable: Text,
    /// Where it is within.
    pub expression: Text,
    /// Its place in the source.
    pub location: Text,
}

/// An object at a fixed place.
#[derive(Clone, PartialEq, Debug)]
pub struct FixedObject {
    /// Default or spill slot.
    pub kind: ObjectKind,
    /// Its place.
    pub offset: i64,
    /// Bytes.
    pub size: u64,
    /// A power of two.
    pub alignment: u64,
    /// Which stack.
    pub stack_id: StackId,
    /// Never written. Not of spill slots.
    pub is_immutable: bool,
    /// May be pointed to. Not of spill slots.
    pub is_aliased: bool,
    /// The register that is saved there.
    pub callee_saved: CalleeSaved,
    /// For debug information.
    pub debug: DebugVariable,
}

impl Default for FixedObject {
    fn default() -> FixedObject {
        FixedObject {
            kind: ObjectKind::Default,
            offset: 0,
            size: 0,
            alignment: 1,
            stack_id: StackId::Default,
            is_immutable: false,
            is_aliased: false,
            callee_saved: CalleeSaved::default(),
            debug: DebugVariable::default(),
        }
    }
}

/// An object whose place the compiler chooses.
#[derive(Clone, PartialEq, Debug)]
pub struct StackObject {
    /// The name of its `alloca`.
    pub name: Text,
    /// What it is for.
    pub kind: ObjectKind,
    /// Its place, once chosen.
    pub offset: i64,
    /// Bytes; not of variable-sized objects.
    pub size: u64,
    /// A power of two.
    pub alignment: u64,
    /// Which stack.
    pub stack_id: StackId,
    /// The register that is saved there.
    pub callee_saved: CalleeSaved,
    /// Its place among the objects that are laid out locally.
    pub local_offset: Option<i64>,
    /// For debug information.
    pub debug: DebugVariable,
}

impl Default for StackObject {
    fn default() -> StackObject {
        StackObject {
            name: Text::default(),
            kind: ObjectKind::Default,
            offset: 0,
            size: 0,
            alignment: 1,
            stack_id: StackId::Default,
            callee_saved: CalleeSaved::default(),
            local_offset: None,
            debug: DebugVariable::default(),
        }
    }
}
