//! Checks generic instructions: matching types, and the rules of each opcode.

use super::Checker;
use crate::model::{
    Instruction, LowType, MemoryOperand, MemorySize, Operand, OperandKind, Ordering, Register,
    RegisterKind, RegisterOperand, SubIndex,
};

impl Checker<'_> {
    pub(super) fn check_generic(&mut self, insn: &Instruction) {
        if self.opcodes.is_copy(insn) {
            return self.check_copy(insn);
        }
        let signature = self.target.signature(insn.opcode);
        // A target's own generic opcodes have no rules.
        let properties = signature.properties();
        if !properties.is_generic() || !properties.is_common() {
            return;
        }
        for operand in insn.operands.iter().filter_map(Operand::register) {
            if operand.register.number().is_some() && !operand.is_implicit() {
                self.report("Generic instruction cannot have physical register");
            }
        }
        if self.check_types(insn)
            && let Some(name) = self.target.opcode_name(insn.opcode).strip_prefix("G_")
        {
            self.check_memory_opcode(insn, name);
            self.check_conversion(insn, name);
            self.check_shape(insn, name);
        }
    }

    fn ty(&self, insn: &Instruction, at: usize) -> Option<LowType> {
        let register = insn.operands.get(at)?.register()?.register;
        self.virtual_register(register)?.ty
    }

    /// Checks that operands with the same type index have the same type; returns whether all have
    /// one.
    fn check_types(&mut self, insn: &Instruction) -> bool {
        let signature = self.target.signature(insn.opcode);
        let mut types: Vec<Option<LowType>> = Vec::new();
        let mut complete = true;
        for at in 0..signature.operand_count() {
            let info = signature.operand(at);
            let Some(index) = info.and_then(|info| info.type_index()).map(usize::from) else {
                continue;
            };
            let Some(operand) = insn.operands.get(at) else {
                return false;
            };
            if operand.register().is_none() {
                self.report("generic instruction must use register operands");
                complete = false;
                continue;
            }
            let Some(ty) = self.ty(insn, at) else {
                self.report("Generic instruction is missing a virtual register type");
                complete = false;
                continue;
            };
            if types.len() <= index {
                types.resize(index + 1, None);
            }
            match types[index] {
                Some(known) if known != ty => {
                    self.report("Type mismatch in generic instruction");
                    complete = false;
                }
                _ => types[index] = Some(ty),
            }
        }
        complete
    }

    /// Returns the number of bits of a register operand, if it is known.
    fn bits_of(&self, operand: &RegisterOperand) -> Option<u64> {
        if let Some(info) = self.virtual_register(operand.register) {
            if let Some(ty) = info.ty {
                return (!ty.is_scalable()).then(|| ty.bits());
            }
            if operand.sub != SubIndex::WHOLE {
                return self.target.sub_index_bits(operand.sub).map(u64::from);
            }
            return self
                .class_of(operand.register)
                .map(|class| self.target.class_bits(class).into());
        }
        None
    }

    fn check_copy(&mut self, insn: &Instruction) {
        let [Some(to), Some(from)] =
            [0, 1].map(|at| insn.operands.get(at).and_then(Operand::register))
        else {
            return;
        };
        let types = [0, 1].map(|at| self.ty(insn, at));
        if let [Some(to), Some(from)] = types {
            if to != from {
                self.report("Copy Instruction is illegal with mismatching types");
            }
            return;
        }
        if types == [None, None] {
            return;
        }
        // One side is generic, the other a physical register or one of a class.
        let sizes = [(to, from), (from, to)].map(|(this, other)| {
            self.bits_of(this)
                .or_else(|| self.physical_bits(this.register, self.bits_of(other)))
        });
        if let [Some(to), Some(from)] = sizes
            && to != from
        {
            self.report("Copy Instruction is illegal with mismatching sizes");
        }
    }

    /// Returns the number of bits of a physical register: those of a class that has it, the wanted
    /// number if there is a class of that size.
    fn physical_bits(&self, register: Register, wanted: Option<u64>) -> Option<u64> {
        let number = register.number()?;
        let mut found = None;
        for class in
            (0..self.target.class_count()).map(|class| crate::target::ClassId(class as u16))
        {
            if self.target.class_members(class).contains(number) {
                let bits = u64::from(self.target.class_bits(class));
                if Some(bits) == wanted {
                    return wanted;
                }
                found.get_or_insert(bits);
            }
        }
        found
    }

    fn check_memory_opcode(&mut self, insn: &Instruction, name: &str) {
        match name {
            "LOAD" | "SEXTLOAD" | "ZEXTLOAD" | "STORE" => self.check_load_or_store(insn, name),
            "MEMCPY" | "MEMMOVE" | "MEMCPY_INLINE" => self.check_copy_of_memory(insn, name),
            "MEMSET" | "BZERO" => {
                if insn.memory.len() != 1 {
                    self.report(format!(
                        "{} must have 1 memory operand",
                        name.to_lowercase()
                    ));
                }
                if !self.is_pointer(insn, 0) {
                    self.report(format!("{} operand must be a pointer", name.to_lowercase()));
                }
            }
            _ => {}
        }
    }

    fn is_pointer(&self, insn: &Instruction, at: usize) -> bool {
        self.ty(insn, at).is_some_and(|ty| ty.is_pointer())
    }

    fn check_load_or_store(&mut self, insn: &Instruction, name: &str) {
        if !self.is_pointer(insn, 1) {
            self.report("Generic memory instruction must access a pointer");
        }
        let [memory] = &insn.memory[..] else {
            return self.report("Generic instruction accessing memory must have one mem operand");
        };
        let value = self.ty(insn, 0);
        self.check_memory_size(memory, value, name);
        let orderings = [memory.ordering, memory.failure_ordering];
        let has =
            |wanted: [Ordering; 2]| orderings.iter().any(|ordering| wanted.contains(ordering));
        if name == "STORE" && has([Ordering::Acquire, Ordering::AcquireRelease]) {
            self.report("atomic store cannot use acquire ordering");
        } else if name != "STORE" && has([Ordering::Release, Ordering::AcquireRelease]) {
            self.report("atomic load cannot use release ordering");
        }
    }

    fn check_memory_size(&mut self, memory: &MemoryOperand, value: Option<LowType>, name: &str) {
        let (MemorySize::Type(size), Some(value)) = (memory.size, value) else {
            return;
        };
        if size.is_scalable() != value.is_scalable() {
            return;
        }
        let (size, value) = (size.bits(), value.bits());
        match name {
            "SEXTLOAD" | "ZEXTLOAD" if size >= value => {
                self.report("Generic extload must have a narrower memory type");
            }
            "LOAD" if size.div_ceil(8) > value.div_ceil(8) => {
                self.report("load memory size cannot exceed result size");
            }
            "STORE" if size.div_ceil(8) > value.div_ceil(8) => {
                self.report("store memory size cannot exceed value size");
            }
            _ => {}
        }
    }

    fn check_copy_of_memory(&mut self, insn: &Instruction, name: &str) {
        let name = name.to_lowercase();
        match &insn.memory[..] {
            [store, load] => {
                if !store.access.is_store() || store.access.is_load() {
                    self.report("store memory operand expected");
                }
                if !load.access.is_load() || load.access.is_store() {
                    self.report("load memory operand expected");
                }
                if store.size.bytes() != load.size.bytes() {
                    self.report("inconsistent memory operand sizes");
                }
            }
            _ => self.report(format!("{name} must have 2 memory operands")),
        }
        if !self.is_pointer(insn, 0) || !self.is_pointer(insn, 1) {
            self.report(format!("{name} operands must be pointers"));
        }
        let tail = insn.operands.get(3).map(|operand| &operand.kind);
        if name != "memcpy_inline" && !matches!(tail, Some(OperandKind::Immediate(0 | 1))) {
            self.report("'tail' flag (operand 3) must be an immediate 0 or 1");
        }
    }

    fn check_pointer_mask(&mut self, insn: &Instruction) {
        if !self.ty(insn, 0).is_some_and(|ty| ty.has_pointers()) {
            self.report("ptrmask result type must be a pointer");
        }
        if self.ty(insn, 2).is_some_and(|ty| ty.has_pointers()) {
            self.report("ptrmask mask type must be an integer");
        }
    }

    fn check_table_address(&mut self, insn: &Instruction) {
        let is_table = |operand: &Operand| matches!(operand.kind, OperandKind::JumpTable(_));
        if !insn.operands.get(1).is_some_and(is_table) {
            self.report("G_JUMP_TABLE source operand must be a jump table index");
        }
        if !self.is_pointer(insn, 0) {
            self.report("G_JUMP_TABLE dest operand must have a pointer type");
        }
    }

    fn check_conditional_branch(&mut self, insn: &Instruction) {
        let is_block = |operand: &Operand| matches!(operand.kind, OperandKind::Block(_));
        if !insn.operands.get(1).is_some_and(is_block) {
            self.report("G_BRCOND operand must be a basic block");
        }
        if !self.ty(insn, 0).is_some_and(|ty| ty.is_scalar()) {
            self.report("G_BRCOND condition must be a scalar");
        }
    }

    fn check_conversion(&mut self, insn: &Instruction, name: &str) {
        let (Some(to), Some(from)) = (self.ty(insn, 0), self.ty(insn, 1)) else {
            return;
        };
        let widths = (to.element.bits(), from.element.bits());
        match name {
            "SEXT" | "ZEXT" | "ANYEXT" | "FPEXT" | "TRUNC" | "FPTRUNC" | "TRUNC_SSAT_S"
            | "TRUNC_SSAT_U" | "TRUNC_USAT_U" => {
                if to.has_pointers() || from.has_pointers() {
                    return self.report("Generic extend/truncate can not operate on pointers");
                }
                self.check_lanes(to, from);
                let narrows = name.contains("TRUNC");
                if narrows && widths.0 >= widths.1 {
                    self.report("Generic truncate has destination type no smaller than source");
                } else if !narrows && widths.0 <= widths.1 {
                    self.report("Generic extend has destination type no larger than source");
                }
            }
            "PTRTOINT" | "INTTOPTR" | "ADDRSPACE_CAST" => self.check_pointer_cast(name, to, from),
            "LROUND" | "LLROUND" => {
                if to.has_pointers() || from.has_pointers() {
                    return self.report("Source and destination operands must not be pointers");
                }
                self.check_lanes(to, from);
            }
            "SPLAT_VECTOR" => self.check_splat(to, from),
            "UBFX" | "SBFX" if to.is_vector() => {
                self.report("Bitfield extraction is not supported on vectors");
            }
            "BITCAST" => {
                if to.bits() != from.bits() || to.is_scalable() != from.is_scalable() {
                    self.report("bitcast sizes must match");
                }
                if to.is_pointer() != from.is_pointer() {
                    self.report("bitcast cannot convert between pointers and other types");
                }
                if to == from {
                    self.report("bitcast must change the type");
                }
            }
            "FPTOSI" | "FPTOUI" | "SITOFP" | "UITOFP" | "FPTOSI_SAT" | "FPTOUI_SAT" => {
                self.check_lanes(to, from);
            }
            _ => {}
        }
    }

    fn check_splat(&mut self, to: LowType, from: LowType) {
        if !to.is_scalable() {
            self.report("Destination type must be a scalable vector");
        } else if from.is_vector() {
            self.report("Source type must be a scalar or pointer");
        } else if to.element.bits() > from.element.bits() {
            self.report("Element type of the destination must be the same size or smaller than the source type");
        }
    }

    fn check_lanes(&mut self, one: LowType, other: LowType) {
        match (one.lanes, other.lanes) {
            (None, None) => {}
            (Some(one), Some(other)) if one == other => {}
            (Some(_), Some(_)) => {
                self.report("operand types must preserve number of vector elements");
            }
            _ => self.report("operand types must be all-vector or all-scalar"),
        }
    }

    fn check_pointer_cast(&mut self, name: &str, to: LowType, from: LowType) {
        self.check_lanes(to, from);
        let (to, from) = (to.has_pointers(), from.has_pointers());
        match name {
            "PTRTOINT" if !from => self.report("ptrtoint source type must be a pointer"),
            "PTRTOINT" if to => self.report("ptrtoint result type must not be a pointer"),
            "INTTOPTR" if !to => self.report("inttoptr result type must be a pointer"),
            "INTTOPTR" if from => self.report("inttoptr source type must not be a pointer"),
            "ADDRSPACE_CAST" if !to || !from => self.report("addrspacecast types must be pointers"),
            _ => {}
        }
    }

    fn check_shape(&mut self, insn: &Instruction, name: &str) {
        match name {
            "CONSTANT" | "FCONSTANT" => self.check_constant(insn, name),
            "VSCALE" => self.check_scale(insn),
            "PTR_ADD" => self.check_pointer_add(insn),
            "PTRMASK" => self.check_pointer_mask(insn),
            "PHI" => self.check_phi_types(insn),
            "ICMP" | "FCMP" => self.check_comparison(insn),
            "SELECT" => self.check_select(insn),
            "MERGE_VALUES" | "UNMERGE_VALUES" | "BUILD_VECTOR" | "CONCAT_VECTORS"
            | "BUILD_VECTOR_TRUNC" => self.check_merge(insn, name),
            "SEXT_INREG" => self.check_in_register(insn, name),
            "ASSERT_SEXT" | "ASSERT_ZEXT" => {
                self.check_in_register(insn, name);
                self.check_same_kind(insn, name);
            }
            "EXTRACT" | "INSERT" => self.check_part(insn, name),
            "BSWAP"
                if self
                    .ty(insn, 0)
                    .is_some_and(|ty| !ty.element.bits().is_multiple_of(16)) =>
            {
                self.report("G_BSWAP size must be a multiple of 16 bits");
            }
            "JUMP_TABLE" => self.check_table_address(insn),
            "BRJT" => self.check_jump(insn),
            "BRCOND" => self.check_conditional_branch(insn),
            "BRINDIRECT" if !self.is_pointer(insn, 0) => {
                self.report("G_BRINDIRECT operand must be a pointer");
            }
            "SHL" | "LSHR" | "ASHR" | "ROTL" | "ROTR" | "USHLSAT" | "SSHLSAT" => {
                let vectors = [0, 2].map(|at| self.ty(insn, at).is_some_and(|ty| ty.is_vector()));
                if vectors[0] != vectors[1] {
                    self.report("Shifts and rotates require operands to be either all scalars or all vectors");
                }
            }
            name if name.starts_with("VECREDUCE")
                && self.ty(insn, 0).is_some_and(|ty| ty.is_vector()) =>
            {
                self.report("Vector reduction requires a scalar destination type");
            }
            name if name.starts_with("INTRINSIC") && !name.starts_with("INTRINSIC_L") => {
                self.check_intrinsic(insn, name);
            }
            _ => {}
        }
    }

    fn check_intrinsic(&mut self, insn: &Instruction, name: &str) {
        let calls = [
            "INTRINSIC",
            "INTRINSIC_W_SIDE_EFFECTS",
            "INTRINSIC_CONVERGENT",
            "INTRINSIC_CONVERGENT_W_SIDE_EFFECTS",
        ];
        if !calls.contains(&name) {
            return;
        }
        let first = insn
            .operands
            .get(insn.left_count())
            .map(|operand| &operand.kind);
        if !matches!(first, Some(OperandKind::Intrinsic(_))) {
            self.report("G_INTRINSIC first src operand must be an intrinsic ID");
        }
    }

    fn check_constant(&mut self, insn: &Instruction, name: &str) {
        let Some(ty) = self.ty(insn, 0) else {
            return;
        };
        let value = insn.operands.get(1).map(|operand| &operand.kind);
        let width = match (name, value) {
            ("CONSTANT", Some(OperandKind::Integer(integer))) => u64::from(integer.bits()),
            ("FCONSTANT", Some(OperandKind::Float(float))) => u64::from(float.format.bits()),
            ("CONSTANT", _) => return self.report("G_CONSTANT operand must be cimm"),
            _ => return self.report("G_FCONSTANT operand must be fpimm"),
        };
        if ty.is_vector() {
            self.report("Instruction cannot use a vector result type");
        } else if ty.bits() != width {
            self.report("inconsistent constant size");
        } else if name == "FCONSTANT" && ty.is_pointer() {
            self.report("G_FCONSTANT result type must not be a pointer");
        }
    }

    fn check_scale(&mut self, insn: &Instruction) {
        let value = match insn.operands.get(1).map(|operand| &operand.kind) {
            Some(OperandKind::Integer(integer)) => integer.value(),
            _ => return self.report("G_VSCALE operand must be cimm"),
        };
        if value == Some(0) {
            self.report("G_VSCALE immediate cannot be zero");
        }
    }

    /// Checks that an assertion about a value has its source's bank or class.
    fn check_same_kind(&mut self, insn: &Instruction, name: &str) {
        let kinds = [0, 1].map(|at| {
            let register = insn.operands.get(at)?.register()?.register;
            Some(self.virtual_register(register)?.kind)
        });
        let [Some(to), Some(from)] = kinds else {
            return;
        };
        match (from, to) {
            (RegisterKind::Bank(from), RegisterKind::Bank(to)) if from != to => {
                self.report(format!("G_{name} cannot change register bank"));
            }
            (RegisterKind::Bank(_) | RegisterKind::Class(_), RegisterKind::Class(_))
                if from != to =>
            {
                self.report(format!(
                    "G_{name} source and destination register classes must match"
                ));
            }
            _ => {}
        }
    }

    fn check_pointer_add(&mut self, insn: &Instruction) {
        let types = [0, 1, 2].map(|at| self.ty(insn, at));
        let [Some(to), Some(base), Some(offset)] = types else {
            return;
        };
        if !base.has_pointers() {
            self.report("gep first operand must be a pointer");
        }
        if offset.has_pointers() {
            self.report("gep offset operand must not be a pointer");
        } else if to.has_pointers() && offset.element.bits() != to.element.bits() {
            self.report("gep offset operand must match index size for address space");
        }
    }

    fn check_phi_types(&mut self, insn: &Instruction) {
        let ty = self.ty(insn, 0);
        if ty.is_none() {
            return self
                .report("Generic Instruction G_PHI has operands with incompatible/missing types");
        }
        let inputs = (1..insn.operands.len()).step_by(2);
        if inputs.into_iter().any(|at| self.ty(insn, at) != ty) {
            self.report("Generic Instruction G_PHI has operands with incompatible/missing types");
        }
    }

    fn check_comparison(&mut self, insn: &Instruction) {
        if let (Some(to), Some(from)) = (self.ty(insn, 0), self.ty(insn, 2))
            && to.lanes != from.lanes
        {
            self.report("Generic vector icmp/fcmp must preserve number of lanes");
        }
    }

    fn check_select(&mut self, insn: &Instruction) {
        if let (Some(to), Some(condition)) = (self.ty(insn, 0), self.ty(insn, 1))
            && condition.is_vector()
            && to.lanes != condition.lanes
        {
            self.report("operand types must preserve number of vector elements");
        }
    }

    /// Checks that the sizes of many small values add up to that of a large one.
    fn check_merge(&mut self, insn: &Instruction, name: &str) {
        let left = insn.left_count();
        let all = insn.explicit_count();
        let (wide, parts) = match name {
            "UNMERGE_VALUES" => (left, 0..left),
            _ => (0, 1..all),
        };
        let Some(wide) = self.ty(insn, wide) else {
            return;
        };
        let types: Vec<_> = parts.filter_map(|at| self.ty(insn, at)).collect();
        let Some(part) = types.first().copied() else {
            return;
        };
        if types.iter().any(|ty| *ty != part) {
            return self.report(format!("G_{name} source or result types do not match"));
        }
        let count = types.len() as u64;
        let wrong = match name {
            "BUILD_VECTOR" => {
                wide.lanes
                    .is_none_or(|lanes| u64::from(lanes.count) != count)
                    || part.lanes.is_some()
                    || wide.element != part.element
            }
            "BUILD_VECTOR_TRUNC" => {
                wide.lanes
                    .is_none_or(|lanes| u64::from(lanes.count) != count)
                    || wide.element.bits() >= part.element.bits()
            }
            "CONCAT_VECTORS" => {
                count < 2
                    || wide.element != part.element
                    || wide.lanes.zip(part.lanes).is_none_or(|(wide, part)| {
                        u64::from(wide.count) != u64::from(part.count) * count
                    })
            }
            "MERGE_VALUES" => {
                wide.is_vector() || part.is_vector() || wide.bits() != part.bits() * count
            }
            _ => wide.bits() != part.bits() * count,
        };
        if wrong {
            self.report(format!("G_{name} operands' sizes do not add up"));
        }
    }

    fn check_in_register(&mut self, insn: &Instruction, name: &str) {
        let Some(ty) = self.ty(insn, 0) else {
            return;
        };
        match insn.operands.get(2).map(|operand| &operand.kind) {
            Some(OperandKind::Immediate(bits)) if *bits <= 0 => {
                self.report(format!("G_{name} size must be >= 1"));
            }
            Some(OperandKind::Immediate(bits)) if bits.cast_unsigned() >= ty.element.bits() => {
                self.report(format!("G_{name} size must be less than source bit width"));
            }
            Some(OperandKind::Immediate(_)) => {}
            _ => self.report(format!("G_{name} size must be an immediate")),
        }
    }

    fn check_part(&mut self, insn: &Instruction, name: &str) {
        let (whole, part, offset) = if name == "EXTRACT" {
            (1, 0, 2)
        } else {
            (1, 2, 3)
        };
        let (Some(whole), Some(part)) = (self.ty(insn, whole), self.ty(insn, part)) else {
            return;
        };
        let Some(OperandKind::Immediate(offset)) =
            insn.operands.get(offset).map(|operand| &operand.kind)
        else {
            return self.report(format!("G_{name} offset must be an immediate"));
        };
        let end = u64::try_from(*offset)
            .ok()
            .and_then(|offset| offset.checked_add(part.bits()));
        if end.is_none_or(|end| end > whole.bits()) {
            self.report(format!("G_{name} reads or writes past end of register"));
        }
    }

    fn check_jump(&mut self, insn: &Instruction) {
        if !self.is_pointer(insn, 0) {
            self.report("G_BRJT src operand 0 must be a pointer type");
        }
        let is_table = |operand: &Operand| matches!(operand.kind, OperandKind::JumpTable(_));
        if !insn.operands.get(1).is_some_and(is_table) {
            self.report("G_BRJT src operand 1 must be a jump table index");
        }
        if !self.ty(insn, 2).is_some_and(|ty| ty.is_scalar()) {
            self.report("G_BRJT src operand 2 must be a scalar reg type");
        }
    }
}
