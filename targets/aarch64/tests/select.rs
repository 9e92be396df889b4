//! Selection of generic instructions with operands that stages of an embedder's own may make, but
//! none of the code generator does: the expected instructions were found by hand from the manual.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use mir_nostd::codegen::{Compiler, Form, Printed, stage};
use mir_nostd::machine::{
    Bank, FrameId, Function, Generic, LowType, Operand, OperandFlags, VRegInfo,
};
use target_aarch64::ISA;
use testkit::{Rows, SystemAllocator};

/// A function with two virtual registers and a frame object, to which an instruction is added.
struct Case {
    function: Function<'static>,
    to: Operand,
    index: Operand,
    frame: FrameId,
}

impl Case {
    fn new() -> Case {
        let mut function = Function::new(&SystemAllocator);
        let block = function.add_block().expect("memory");
        function.layout.push(block).expect("memory");
        let (bank, ty) = (Bank::General, LowType::S64);
        let class = (Rows(&ISA).0.registers().class_of)(bank, ty);
        let mut register = || {
            let info = VRegInfo { ty, bank, class };
            Operand::from(function.add_vreg(info).expect("memory"))
        };
        let [to, index] = [register(), register()];
        let frame = function.add_local(64, 8).expect("memory");
        Case {
            function,
            to: to.with(OperandFlags::DEF),
            index,
            frame,
        }
    }

    /// Returns the instructions that one is selected to.
    fn selected(mut self, generic: Generic, operands: &[Operand]) -> Vec<String> {
        let block = self.function.layout[0];
        let added = self.function.append(block, generic, LowType::S64, operands);
        added.expect("memory");
        let mut compiler = Compiler::new(&ISA, &SystemAllocator);
        compiler.function = self.function;
        let run = compiler.run(&[stage::SELECT], None, Form::Generic);
        run.expect("it is selected");
        let function = &compiler.function;
        let printed = Printed {
            function,
            isa: &ISA,
        };
        let insns = function.insns(block);
        insns.map(|insn| printed.insn(insn).to_string()).collect()
    }

    fn load(self, address: [Operand; 4]) -> Vec<String> {
        let operands = [&[self.to][..], &address].concat();
        self.selected(Generic::Load, &operands)
    }
}

/// The factor of an index may be any number, the displacement any of 64 bits, and every part but
/// one may be missing.
#[test]
fn all_addresses_are_selected() {
    let sp = Operand::reg(Rows(&ISA).register("sp"));
    let (none, one) = (Operand::NO_REG, Operand::imm(1));
    let zero = Operand::imm(0);

    let case = Case::new();
    let (index, frame) = (case.index, Operand::frame(case.frame));
    // Times 3: the product, then the sum.
    let found = case.load([index, index, Operand::imm(3), zero]);
    assert_eq!(
        found,
        [
            "undef %3.sub_32 = MOVZWi 3, 0",
            "%2 = MADDXrrr %1, %3, $xzr",
            "%0 = LDRXroX %1, %2, 0, 0",
        ]
    );
    // The stack pointer is a base of sums only in the form with an extension, LSL (UXTX) by 0.
    let found = Case::new().load([sp, index, one, Operand::imm(16)]);
    assert_eq!(found, ["%2 = ADDXrx64 $sp, %1, 24", "%0 = LDRXui %2, 2"]);

    let far = |case: &mut Case| case.function.int(0x12_3456_0000).expect("memory");
    let constant = ["%2 = MOVZXi 13398, 16", "%2 = MOVKXi %2, 18, 32"];
    let with = |last: &[&'static str]| [&constant[..], last].concat();
    for (base, index, expected) in [
        (none, none, with(&["%0 = LDRXui %2, 0"])),
        (none, index, with(&["%0 = LDRXroX %2, %1, 0, 1"])),
        (
            frame,
            none,
            with(&[
                "%3 = ADDXri stack.0, 0, 0",
                "%4 = ADDXrs %3, %2, 0",
                "%0 = LDRXui %4, 0",
            ]),
        ),
        (
            sp,
            none,
            with(&["%3 = ADDXrx64 $sp, %2, 24", "%0 = LDRXui %3, 0"]),
        ),
    ] {
        let mut case = Case::new();
        let displacement = far(&mut case);
        let found = case.load([base, index, Operand::imm(8), displacement]);
        assert_eq!(found, expected);
    }
    let found = Case::new().load([none, none, one, Operand::imm(4096)]);
    assert_eq!(
        found,
        ["undef %2.sub_32 = MOVZWi 4096, 0", "%0 = LDRXui %2, 0"]
    );
    let found = Case::new().load([none, index, Operand::imm(8), Operand::imm(8)]);
    assert_eq!(found, ["%2 = UBFMXri %1, 61, 60", "%0 = LDRXui %2, 1"]);
}

/// The stack pointer and another register, or a constant that no immediate holds, are added in the
/// form with an extension.
#[test]
fn anything_is_added_to_the_stack_pointer() {
    let sp = Operand::reg(Rows(&ISA).register("sp"));
    let case = Case::new();
    let operands = [case.to, sp, case.index];
    let found = case.selected(Generic::Add, &operands);
    assert_eq!(found, ["%0 = ADDXrx64 $sp, %1, 24"]);
    let case = Case::new();
    let operands = [case.to, sp, Operand::imm(0x100_0000)];
    let found = case.selected(Generic::Add, &operands);
    assert_eq!(
        found,
        [
            "undef %2.sub_32 = MOVZWi 256, 16",
            "%0 = ADDXrx64 $sp, %2, 24"
        ]
    );
}

/// Instructions rotate to the right only: to the left is to the right by the negated count.
#[test]
fn rotations_by_a_register_negate_it() {
    let case = Case::new();
    let operands = [case.to, case.index, case.index];
    let found = case.selected(Generic::Rotl, &operands);
    assert_eq!(found, ["%2 = SUBXrs $xzr, %1, 0", "%0 = RORVXr %1, %2"]);
}

/// Memory that a function takes on the way lies above the arguments that it passes on the stack.
#[test]
fn taken_memory_begins_above_many_stack_arguments() {
    for (bytes, expected) in [
        (4080, &["%0 = ADDXri $sp, 4080, 0"][..]),
        (
            8192,
            &[
                "undef %3.sub_32 = MOVZWi 8192, 0",
                "%0 = ADDXrx64 $sp, %3, 24",
            ],
        ),
    ] {
        let mut case = Case::new();
        case.function.outgoing_bytes = bytes;
        let operands = [case.to, case.index];
        let found = case.selected(Generic::DynStackalloc, &operands);
        assert!(
            found.ends_with(
                &expected
                    .iter()
                    .map(|text| (*text).to_owned())
                    .collect::<Vec<_>>()
            ),
            "{found:?}"
        );
    }
}
