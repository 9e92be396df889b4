//! Lowering of branches, `switch`, labels whose address is taken, and returns.

use super::super::super::code::{LABEL_STEP, Op};
use super::super::operand::Source;
use super::super::{DecodeError, Decoder, Extra, Span};
use super::edge_cost;
use crate::ir::{Code, InsnId, Label, Operand, Type};

impl Decoder<'_, '_> {
    pub(super) fn branch_label(&self, insn: InsnId) -> Result<u32, DecodeError> {
        match self.module.operand(insn, 0) {
            Some(Operand::Label(label)) => self.label_number(self.destination(insn, label)),
            _ => Err(DecodeError::Invalid),
        }
    }

    pub(super) fn branch_on_value(
        &mut self,
        insn: InsnId,
        code: Code,
        block: usize,
    ) -> Result<(), DecodeError> {
        let [to, cost] = self.edge(self.branch_label(insn)?, block);
        let (op, bits) = match code {
            Code::Bt => (Op::Bt, 64),
            Code::Bts => (Op::Bts, 32),
            Code::Bf => (Op::Bf, 64),
            _ => (Op::Bfs, 32),
        };
        match self.source_at(insn, 1, bits)? {
            Source::Var(var) => self.test_and_branch(op, var, [to, cost]),
            Source::Constant(value) => {
                let is_true = value << (64 - bits) != 0;
                if is_true == matches!(code, Code::Bt | Code::Bts) {
                    self.push(Op::Jmp, &[to, cost])
                } else {
                    Ok(())
                }
            }
        }
    }

    pub(super) fn branch_on_flag(
        &mut self,
        insn: InsnId,
        op: Op,
        block: usize,
    ) -> Result<(), DecodeError> {
        let [to, cost] = self.edge(self.branch_label(insn)?, block);
        self.push(op, &[to, cost])
    }

    /// Lowers a branch on a property. The interpreter does not track properties: each counts as 0.
    pub(super) fn branch_on_property(
        &mut self,
        insn: InsnId,
        code: Code,
        block: usize,
    ) -> Result<(), DecodeError> {
        let [to, cost] = self.edge(self.branch_label(insn)?, block);
        let is_zero = match self.operand(insn, 2)? {
            Operand::Int(value) => value == 0,
            Operand::Uint(value) => value == 0,
            _ => return Err(DecodeError::Invalid),
        };
        if is_zero == (code == Code::Prbeq) {
            self.push(Op::Jmp, &[to, cost])
        } else {
            Ok(())
        }
    }

    pub(super) fn label_address(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let Operand::Label(label) = self.operand(insn, 1)? else {
            return Err(DecodeError::Invalid);
        };
        let address = self.address_of_label(label)?;
        let output = self.operand(insn, 0)?;
        self.move_to(output, Source::Constant(address as i64))
    }

    /// Returns the address of a label; see [`LABEL_STEP`].
    pub(in super::super) fn address_of_label(&self, label: Label) -> Result<usize, DecodeError> {
        let number = self.label_number(label)?;
        let index = self.labels[number as usize].address as usize;
        let base = core::ptr::from_ref(self.callable).expose_provenance();
        Ok(base.wrapping_add(index.wrapping_mul(LABEL_STEP)))
    }

    pub(super) fn switch(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let var = self.input_at(insn, 0, 64)?;
        let start = self.lists.len() as u32;
        for operand in self.module.operands(insn).skip(1) {
            let Operand::Label(label) = operand else {
                return Err(DecodeError::Invalid);
            };
            let number = self.label_number(label)?;
            self.lists.push(number)?;
            self.lists
                .push(edge_cost(self.labels[number as usize].cost))?;
        }
        let labels = Span {
            start,
            len: self.lists.len() as u32 - start,
        };
        let extra = self.add_extra(Extra {
            labels,
            ..Extra::default()
        })?;
        self.push_with(Op::Switch, &[var.0, labels.len / 2], extra)
    }

    pub(super) fn ret(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let module = self.module;
        let types = module.results(&module.func(self.func).signature);
        let count = module.operand_count(insn);
        if count != types.len() {
            return Err(DecodeError::Invalid);
        }
        if let ([ty], Some(operand)) = (types, module.operand(insn, 0))
            && *ty != Type::Ld
        {
            return match self.extended(operand, *ty)? {
                Source::Constant(value) if i32::try_from(value).is_ok() => {
                    self.push(Op::RetI, &[value as u32])
                }
                source => {
                    let var = self.in_var(source)?;
                    self.push(Op::Ret1, &[var.0])
                }
            };
        }
        if count == 0 {
            return self.push(Op::Ret, &[]);
        }
        let mut values = crate::mem::Vec::new(self.context.allocator());
        for (operand, &ty) in module.operands(insn).zip(types) {
            let source = self.extended(operand, ty)?;
            values.push(self.in_var(source)?.0)?;
        }
        let reads = self.add_list(&values)?;
        let extra = self.add_extra(Extra {
            reads,
            ..Extra::default()
        })?;
        self.push_with(Op::RetN, &[0], extra)
    }
}
