//! The frame of a function: properties, fixed objects, stack objects.

use super::{Frame, Register, Text};

macro_rules! frame_properties {
    ($($name:ident $key:literal)*) => {
        /// A boolean property of a frame.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the keys of LLVM")]
        pub enum FrameProperty { $($name),* }

        impl FrameProperty {
            /// All properties with their keys.
            pub const TABLE: &'static [(FrameProperty, &'static str)] =
                &[$((FrameProperty::$name, $key)),*];

            /// Returns the property with this key.
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
    /// The size in bytes.
    pub stack_size: u64,
    /// The difference between the stack pointer and the incoming one.
    pub offset_adjustment: i32,
    /// The largest alignment of an object, at least 1.
    pub max_alignment: u64,
    /// The object that guards against stack overruns.
    pub stack_protector: Option<Frame>,
    /// The function context of `SjLj` exception handling.
    pub function_context: Option<Frame>,
    /// The size of the largest outgoing argument area; `None` if it is not computed.
    pub max_call_frame_size: Option<u32>,
    /// The size that `CodeView` records.
    pub cv_bytes_of_callee_saved_registers: u32,
    /// The size in bytes of the objects that are laid out locally.
    pub local_frame_size: i64,
    /// The blocks where registers are saved.
    pub save_points: Vec<SavePoint>,
    /// The blocks where registers are restored.
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
    /// Returns whether the property holds.
    #[must_use]
    pub const fn has(&self, property: FrameProperty) -> bool {
        self.properties >> property as u32 & 1 != 0
    }

    /// Sets or clears the property.
    pub const fn set(&mut self, property: FrameProperty, value: bool) {
        self.properties =
            self.properties & !(1 << property as u32) | (value as u32) << property as u32;
    }
}

/// A block where registers are saved or restored.
#[derive(Clone, PartialEq, Debug)]
pub struct SavePoint {
    /// The block's index.
    pub block: u32,
    /// The registers.
    pub registers: Vec<Register>,
}

/// The purpose of a frame object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ObjectKind {
    /// An object of the program.
    #[default]
    Default,
    /// The spill slot of a register.
    SpillSlot,
    /// An object without a static size.
    VariableSized,
}

impl ObjectKind {
    /// All kinds with their words.
    pub const TABLE: [(ObjectKind, &'static str); 3] = [
        (ObjectKind::Default, "default"),
        (ObjectKind::SpillSlot, "spill-slot"),
        (ObjectKind::VariableSized, "variable-sized"),
    ];
}

/// The stack that an object is on.
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
    /// Returns whether the alignment of such objects counts for the frame's.
    #[must_use]
    pub const fn is_aligned(self) -> bool {
        matches!(
            self,
            StackId::Default | StackId::ScalableVector | StackId::ScalablePredicateVector
        )
    }

    /// All stacks with their words.
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

/// The callee-saved register that an object holds.
#[derive(Clone, PartialEq, Debug)]
pub struct CalleeSaved {
    /// The register; `$noreg` if there is none.
    pub register: Register,
    /// True if the epilogue restores the register from the object.
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

/// The debug variable of an object: metadata as it is written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DebugVariable {
    /// The variable.
    pub variable: Text,
    /// The expression that locates it in the object.
    pub expression: Text,
    /// The source location.
    pub location: Text,
}

/// An object at a fixed offset.
#[derive(Clone, PartialEq, Debug)]
pub struct FixedObject {
    /// Default or spill slot.
    pub kind: ObjectKind,
    /// The offset from the incoming stack pointer.
    pub offset: i64,
    /// The size in bytes.
    pub size: u64,
    /// The alignment, a power of two.
    pub alignment: u64,
    /// The stack that it is on.
    pub stack_id: StackId,
    /// True if the object is never written; not for spill slots.
    pub is_immutable: bool,
    /// True if pointers to the object may exist; not for spill slots.
    pub is_aliased: bool,
    /// The callee-saved register that it holds.
    pub callee_saved: CalleeSaved,
    /// Its variable, for debug information.
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

/// An object whose offset the compiler assigns.
#[derive(Clone, PartialEq, Debug)]
pub struct StackObject {
    /// The name of its `alloca`.
    pub name: Text,
    /// Its purpose.
    pub kind: ObjectKind,
    /// The offset, once it is assigned.
    pub offset: i64,
    /// The size in bytes; not for variable-sized objects.
    pub size: u64,
    /// The alignment, a power of two.
    pub alignment: u64,
    /// The stack that it is on.
    pub stack_id: StackId,
    /// The callee-saved register that it holds.
    pub callee_saved: CalleeSaved,
    /// The offset among the objects that are laid out locally.
    pub local_offset: Option<i64>,
    /// Its variable, for debug information.
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
