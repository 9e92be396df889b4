//! The macro that a backend writes its instruction table with.

/// Makes the instruction table of a backend: the enum `Op`, whose variants have LLVM's names of the
/// opcodes, and `INSNS`, its rows for [`Isa::insns`](crate::target::Isa::insns).
///
/// First come the target's register classes. A row is the opcode's name; its explicit operands,
/// definitions first, each the name of an [`OperandRow`](crate::target::OperandRow); the registers
/// that it writes and those that it reads beside them; its
/// [`InsnFlags`](crate::target::InsnFlags), `LOAD` and `STORE` with the bytes of an access if these
/// are always the same; and its encoding, a value of the backend's type with a constant method
/// `bits`, for its encoder. Rows are read by columns, so they are aligned, and each
/// group of them says where the manual describes it. Tests of the backend's crate have one more,
/// which computes the encodings again.
///
/// ```
/// use mir_nostd::machine::{Bank, ClassId, Opcode, Reg, SubIndex};
/// use mir_nostd::target::{ClassRow, InsnFlags, Name, OperandRow, OperandShapes};
///
/// static CLASSES: [ClassRow; 1] = [ClassRow {
///     name: Name::new("gr64"),
///     bank: Bank::General,
///     spill_bytes: 8,
///     part: SubIndex(0),
///     order: &[2, 3],
/// }];
/// const D: OperandRow = OperandRow::Def(ClassId(0));
/// const U: OperandRow = OperandRow::Use(ClassId(0));
/// const FLAGS: Reg = Reg::physical(1);
///
/// struct Encoding(u32);
///
/// impl Encoding {
///     const fn bits(self) -> u64 {
///         self.0 as u64
///     }
/// }
///
/// mir_nostd::instruction_table! {
///     classes &CLASSES;
///
///     // Name  Operands  Writes   Reads  Flags      Encoding
///     ADD      [D U U]   [FLAGS]  []     []         Encoding(0x18);
///     LOAD     [D U]     []       []     [LOAD(8)]  Encoding(0x58);
/// }
///
/// assert_eq!(Opcode::from(Op::LOAD), Opcode::target(1));
/// assert_eq!(Op::try_from(Opcode::target(1)), Ok(Op::LOAD));
/// assert_eq!(*INSNS[0].operands, [D, U, U]);
/// assert!(INSNS[0].implicit_defs().eq([FLAGS]) && INSNS[0].implicit_uses().next().is_none());
/// // No operand is of a class that the target does not have.
/// assert!(OperandShapes::new(&[OperandRow::Use(ClassId(1))], &CLASSES).is_none());
/// assert_eq!((INSNS[1].flags, INSNS[1].bytes), (InsnFlags::LOAD, 8));
/// ```
#[macro_export]
macro_rules! instruction_table {
    (classes $classes:expr;
        $($name:ident [$($operand:ident)*] [$($def:ident)*] [$($read:ident)*]
        [$($flag:ident$(($bytes:literal))?)*] $encoding:expr;
    )*) => {
        /// The rows of the table, by LLVM's names.
        #[expect(non_camel_case_types, reason = "the names are LLVM's")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub(crate) enum Op {
            $($name,)*
        }

        impl Op {
            /// Returns the opcode of the row.
            pub(crate) const fn opcode(self) -> $crate::machine::Opcode {
                $crate::machine::Opcode::target(self as u16)
            }
        }

        impl From<Op> for $crate::machine::Opcode {
            fn from(op: Op) -> $crate::machine::Opcode {
                op.opcode()
            }
        }

        impl TryFrom<$crate::machine::Opcode> for Op {
            /// The opcode, if it is no row of the table.
            type Error = $crate::machine::Opcode;

            fn try_from(opcode: $crate::machine::Opcode) -> Result<Op, $crate::machine::Opcode> {
                const ALL: &[Op] = &[$(Op::$name),*];
                opcode.row().and_then(|row| ALL.get(row)).copied().ok_or(opcode)
            }
        }

        /// The instruction table.
        pub(crate) static INSNS: &[$crate::target::InsnRow] = &[$($crate::target::InsnRow {
            name: $crate::target::Name::new(stringify!($name)),
            operands: $crate::target::List(&(&[$($operand),*] as &[$crate::target::OperandRow])),
            // The table is made while compiling, which is when it ends here.
            shapes: match $crate::target::OperandShapes::new(&[$($operand),*], $classes) {
                Some(shapes) => shapes,
                None => panic!("too many operands, or an unknown class"),
            },
            implicit: $crate::target::List(&(&[
                $($crate::machine::Operand::implicit_def($def),)*
                $($crate::machine::Operand::implicit_use($read),)*
            ] as &[$crate::machine::Operand])),
            flags: $crate::target::InsnFlags::empty()
                $(.union($crate::target::InsnFlags::$flag))*,
            bytes: 0 $($(+ $bytes)?)*,
            encoding: $encoding.bits(),
        }),*];

        /// The encodings are those that the same expressions have at run time.
        #[cfg(test)]
        #[test]
        fn encodings_are_the_same_at_run_time() {
            let encodings = [$($encoding.bits()),*];
            assert!(INSNS.iter().map(|row| row.encoding).eq(encodings));
        }
    };
}
