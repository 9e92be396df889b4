//! Checks operands against the description of the opcode.

use super::Checker;
use crate::model::{
    FunctionProperty, Instruction, Operand, OperandFlags, OperandKind, RegisterKind,
    RegisterOperand,
};
use crate::target::{ClassId, Isa, Kind, OperandInfo, Signature, SubIndex};

/// Operand kinds of RISC-V with the least and the largest number that LLVM accepts.
#[rustfmt::skip] // a table
const RISCV_RANGES: [(u16, i64, i64); 26] = [
    (13, 0, 1), (14, 0, 3), (16, 0, 7), (17, 0, 15), (18, 0, 31), (19, 1, 31), (20, 4, 31), (21, 1, 32),
    (25, 0, 63), (27, 0, 127), (31, 0, 255), (35, 0, 511), (36, 0, 1023), (39, 0, 4095), (42, 1, 65535),
    (43, 0, 63), (51, -16, 15), (53, -15, 16), (54, -32, 31), (56, -128, 127), (57, -512, 511),
    (67, 0, 1023), (68, 0, 2047), (86, 0, 0xF_FFFF), (87, 0, 0xF_FFFF), (88, -2048, 2047),
];

impl Checker<'_> {
    pub(super) fn check_operands(&mut self, insn: &Instruction) {
        let signature = self.target.signature(insn.opcode);
        let properties = signature.properties();
        // The result of a patch point may be left out.
        let first_is_register = insn
            .operands
            .first()
            .is_some_and(|first| first.register().is_some());
        let has_no_result = self.opcodes.patch_point == Some(insn.opcode) && !first_is_register;
        let def_count = if has_no_result {
            0
        } else {
            signature.def_count()
        };
        if insn.operands.len() < signature.operand_count() {
            self.report("Too few operands");
        }
        let trailers = insn.trailers.as_deref();
        if insn.operands.len() == 4
            && trailers.is_none_or(|trailers| trailers.debug_location.is_none())
            && self.opcodes.is_debug_value(insn)
        {
            self.report("Missing DebugLoc for debug instruction");
        }
        if !self.opcodes.is_inline_asm(insn) && !self.opcodes.is_bundle(insn) {
            for memory in &insn.memory {
                if memory.access.is_load() && !properties.may_load() {
                    self.report("Missing mayLoad flag");
                }
                if memory.access.is_store() && !properties.may_store() {
                    self.report("Missing mayStore flag");
                }
            }
        }
        for (at, operand) in insn.operands.iter().enumerate() {
            match signature.operand(at) {
                Some(info) if at < def_count => self.check_def(operand, info),
                // The last described operand of a variadic opcode stands for any further ones.
                Some(_) if properties.is_variadic() && at + 1 == signature.operand_count() => {}
                Some(info) => {
                    self.check_use(insn, at, operand, info);
                    self.check_range(operand, info);
                }
                None => self.check_extra(operand, &signature),
            }
            if let OperandKind::Register(register) = &operand.kind {
                self.check_register(insn, at, register, &signature);
            }
        }
    }

    fn check_def(&mut self, operand: &Operand, info: OperandInfo) {
        let Some(register) = operand.register() else {
            return self.report("Explicit definition must be a register");
        };
        if !register.is_def() && !info.is_optional_def() {
            self.report("Explicit definition marked as use");
        } else if register.is_implicit() {
            self.report("Explicit definition marked as implicit");
        }
    }

    fn check_use(&mut self, insn: &Instruction, at: usize, operand: &Operand, info: OperandInfo) {
        match &operand.kind {
            OperandKind::Register(register) => {
                if register.is_def() && !info.is_optional_def() {
                    self.report("Explicit operand marked as def");
                }
                if register.is_implicit() {
                    self.report("Explicit operand marked as implicit");
                }
                if matches!(info.kind(), Kind::Immediate | Kind::PcRelative) {
                    self.report("Expected a non-register operand.");
                }
            }
            OperandKind::Frame(_) => {}
            _ => {
                let signature = self.target.signature(insn.opcode);
                if matches!(info.kind(), Kind::Class(class) if !self.takes_immediates(class))
                    && !info.depends_on_mode()
                    && !self.is_base(&signature, at)
                {
                    self.report("Expected a register operand.");
                }
            }
        }
        self.check_tie(insn, at, operand, info.tied());
    }

    /// Returns whether the operand is the base of a RISC-V address: a register before an offset, or
    /// something else.
    fn is_base(&self, signature: &Signature, at: usize) -> bool {
        let properties = signature.properties();
        let next = signature.operand(at + 1).map(|info| info.kind());
        self.target.isa() == Isa::Riscv64
            && (properties.may_load() || properties.may_store())
            && matches!(next, Some(Kind::Own(_)))
    }

    /// Checks the range of a RISC-V immediate.
    fn check_range(&mut self, operand: &Operand, info: OperandInfo) {
        let Kind::Own(kind) = info.kind() else {
            return;
        };
        if self.target.isa() != Isa::Riscv64 {
            return;
        }
        match operand.kind {
            OperandKind::Register(_) => self.report("Expected an immediate operand."),
            OperandKind::Immediate(value) => {
                let range = RISCV_RANGES.iter().find(|range| range.0 == kind);
                if range.is_some_and(|(_, least, most)| value < *least || value > *most) {
                    self.report("Invalid immediate");
                }
            }
            _ => {}
        }
    }

    /// Returns whether the class is that of RISC-V's vector length, which may also be an immediate.
    fn takes_immediates(&self, class: ClassId) -> bool {
        self.target.isa() == Isa::Riscv64 && self.target.class_name(class) == "gprnox0"
    }

    fn check_tie(&mut self, insn: &Instruction, at: usize, operand: &Operand, tied: Option<usize>) {
        let Some(to) = tied else {
            if operand
                .register()
                .is_some_and(|register| register.tied.is_some())
            {
                self.report("Explicit operand should not be tied");
            }
            return;
        };
        let Some(register) = operand.register() else {
            return self.report("Tied use must be a register");
        };
        let def = insn.operands.get(to).and_then(Operand::register);
        match def.filter(|def| def.is_def()) {
            _ if register.tied != u16::try_from(to).ok() => {
                self.report("Tied def doesn't match MCInstrDesc");
            }
            None => self.report("Operand should be tied"),
            Some(def) => {
                let physical =
                    register.register.number().is_some() && def.register.number().is_some();
                if physical && at != to && register.register != def.register {
                    self.report("Tied physical registers must match.");
                }
            }
        }
    }

    fn check_extra(&mut self, operand: &Operand, signature: &Signature) {
        let is_extra = match &operand.kind {
            OperandKind::Register(register) => !register.is_implicit(),
            OperandKind::Immediate(_) => true,
            _ => false,
        };
        if is_extra && !signature.properties().is_variadic() {
            self.report("Extra explicit operand on non-variadic instruction");
        }
    }

    fn check_register(
        &mut self,
        insn: &Instruction,
        at: usize,
        operand: &RegisterOperand,
        signature: &Signature,
    ) {
        if operand.flags.contains(OperandFlags::DEBUG_USE) && !self.is_debug(insn) {
            self.report("Register operand must not be marked debug");
        }
        let info = signature.operand(at).filter(|_| !operand.is_implicit());
        let class = info.and_then(|info| match info.kind() {
            Kind::Class(class) => Some(class),
            _ => None,
        });
        if let Some(number) = operand.register.number() {
            if operand.sub != SubIndex::WHOLE {
                self.report("Illegal subregister index for physical register");
            }
            if operand.flags.contains(OperandFlags::RENAMABLE)
                && self.reserved.contains(number.into())
            {
                self.report("isRenamable set on reserved register");
            }
            if class.is_some_and(|class| !self.target.class_members(class).contains(number)) {
                self.report("Illegal physical register for instruction");
            }
            return;
        }
        let Some(register) = self.virtual_register(operand.register) else {
            return;
        };
        if operand.is_def()
            && operand.is_undef()
            && operand.sub == SubIndex::WHOLE
            && self.has(FunctionProperty::IsSsa)
        {
            self.report("Undef virtual register def operands require a subregister");
        }
        match register.kind {
            RegisterKind::Class(of) => self.check_class(of, operand.sub, class),
            // Debug information may refer to registers that no longer exist.
            _ if self.is_debug(insn) && !self.has(FunctionProperty::TracksDebugUserValues) => {}
            kind => self.check_generic_register(kind, operand, class),
        }
    }

    /// Checks that the registers of a virtual register's class, or their parts, are those that the
    /// opcode takes.
    fn check_class(&mut self, of: ClassId, sub: SubIndex, wanted: Option<ClassId>) {
        let problem = match self.class_problems.get(&(of, sub, wanted)) {
            Some(problem) => *problem,
            None => {
                let problem = self.class_problem(of, sub, wanted);
                self.class_problems.insert((of, sub, wanted), problem);
                problem
            }
        };
        if let Some(message) = problem {
            self.report(message);
        }
    }

    fn class_problem(
        &self,
        of: ClassId,
        sub: SubIndex,
        wanted: Option<ClassId>,
    ) -> Option<&'static str> {
        const ILLEGAL: &str = "Illegal virtual register for instruction";
        let members = self.target.class_members(of);
        let accepted = wanted.map(|wanted| self.target.class_members(wanted));
        if sub == SubIndex::WHOLE {
            let fits = wanted == Some(of) || accepted.is_none_or(|set| members.is_subset(&set));
            return (!fits).then_some(ILLEGAL);
        }
        members
            .iter()
            .find_map(|register| match self.target.part(register, sub) {
                None => Some("Invalid subregister index for virtual register"),
                Some(part) => accepted.filter(|set| !set.contains(part)).map(|_| ILLEGAL),
            })
    }

    fn check_generic_register(
        &mut self,
        kind: RegisterKind,
        operand: &RegisterOperand,
        class: Option<ClassId>,
    ) {
        if self.has(FunctionProperty::Selected) {
            return self.report("Generic virtual register invalid in a Selected function");
        }
        if operand.is_undef() && !operand.is_def() {
            self.report("Generic virtual register use cannot be undef");
        }
        let needs_bank = self.has(FunctionProperty::RegBankSelected);
        if needs_bank && kind == RegisterKind::Generic {
            self.report("Generic virtual register must have a bank in a RegBankSelected function");
        }
        if operand.sub != SubIndex::WHOLE {
            self.report("Generic virtual register does not allow subregister index");
        }
        if class.is_some() {
            self.report("Virtual register does not match instruction constraint");
        }
    }
}
