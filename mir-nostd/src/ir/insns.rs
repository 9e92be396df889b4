//! The instructions of a module: insertion, removal, change, iteration.

use super::entities::{FuncId, InsnId, Label};
use super::function::{Insn, MAX_OPERANDS};
use super::module::Module;
use super::operand::{Operand, Operands, Packed};
use super::{Code, Flags, ItemKind, Problem, Result, SET_JUMPS, TAIL_CALL, Type};
use crate::num::LongDoubleFormat;

/// The position of a new instruction in its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// After the last instruction.
    End,
    /// Before the first instruction.
    Start,
    /// Before this instruction of the function.
    Before(InsnId),
    /// After this instruction of the function.
    After(InsnId),
}

impl Module<'_> {
    /// Adds an instruction to a function.
    ///
    /// The number of operands must be that of the instruction; `verify` checks everything else
    /// about them.
    ///
    /// # Errors
    ///
    /// A wrong number of operands; an internal instruction; out of memory.
    pub fn insert(
        &mut self,
        func: FuncId,
        position: Position,
        code: Code,
        operands: impl Operands,
    ) -> Result<InsnId> {
        let mark = self.operands.len();
        let pushed = operands.each(|operand| self.push_operand(operand));
        let inserted = pushed.and_then(|()| self.insert_pushed(func, position, code, mark));
        if inserted.is_err() {
            self.operands.truncate(mark);
        }
        inserted
    }

    /// Adds an `ensure` or a `reach`, internal instructions of programs that are loaded confined.
    /// The verifier refuses them.
    ///
    /// # Errors
    ///
    /// A wrong number of operands; another instruction; out of memory.
    #[doc(hidden)]
    pub fn insert_internal(
        &mut self,
        func: FuncId,
        position: Position,
        code: Code,
        operands: impl Operands,
    ) -> Result<InsnId> {
        if !matches!(code, Code::Ensure | Code::Reach) {
            return Err(Problem::InternalInsn.into());
        }
        let mark = self.operands.len();
        let pushed = operands.each(|operand| self.push_operand(operand));
        let count = self.operands.len() - mark;
        let inserted = match pushed {
            Ok(()) if count != code.modes().len() => Err(Problem::OperandCount.into()),
            Ok(()) => self.link_pushed(func, position, code, mark),
            Err(error) => Err(error),
        };
        if inserted.is_err() {
            self.operands.truncate(mark);
        }
        inserted
    }

    /// Adds an instruction at the end of a function.
    ///
    /// # Errors
    ///
    /// As [`Module::insert`].
    pub fn append(&mut self, func: FuncId, code: Code, operands: impl Operands) -> Result<InsnId> {
        self.insert(func, Position::End, code, operands)
    }

    /// Places a label in a function.
    ///
    /// # Errors
    ///
    /// The label is already placed; out of memory.
    pub fn insert_label(
        &mut self,
        func: FuncId,
        position: Position,
        label: Label,
    ) -> Result<InsnId> {
        if self.labels[label].insn().is_some() {
            return Err(Problem::LabelDefinedTwice.into());
        }
        let mark = self.operands.len();
        self.push_operand(Operand::Label(label))?;
        let inserted = self.link_pushed(func, position, Code::Label, mark);
        match inserted {
            Ok(insn) => self.labels[label].place(func, insn),
            Err(_) => self.operands.truncate(mark),
        }
        inserted
    }

    /// Returns where the operands begin that [`Module::push_operand`] adds next: the mark for
    /// [`Module::append_pushed`].
    #[must_use]
    pub fn operand_mark(&self) -> usize {
        self.operands.len()
    }

    /// Adds one operand of the next instruction, for callers that have operands one by one.
    ///
    /// # Errors
    ///
    /// Out of memory.
    #[inline(always)]
    pub fn push_operand(&mut self, operand: Operand) -> Result<()> {
        let operand = match operand {
            Operand::LongDouble(bits) if self.long_double() == LongDoubleFormat::Double => {
                Operand::Double(f64::from_bits(bits as u64))
            }
            Operand::Mem(mem) if mem.ty == Type::Ld => Operand::Mem(super::Mem {
                ty: self.own_type(mem.ty),
                ..mem
            }),
            _ => operand,
        };
        let packed = self.pack(operand)?;
        self.operands.push(packed)?;
        Ok(())
    }

    #[inline(always)]
    fn pack(&mut self, operand: Operand) -> Result<Packed> {
        if let Operand::Str(string) = operand {
            self.str_operands.push(string)?;
        }
        Ok(self.wide.pack(operand)?)
    }

    /// Adds an instruction at the end of a function whose operands are those pushed since `mark`.
    ///
    /// # Errors
    ///
    /// As [`Module::insert`]; the pushed operands are dropped then.
    pub fn append_pushed(&mut self, func: FuncId, code: Code, mark: usize) -> Result<InsnId> {
        let inserted = self.insert_pushed(func, Position::End, code, mark);
        if inserted.is_err() {
            self.operands.truncate(mark);
        }
        inserted
    }

    #[cfg_attr(not(small_code), inline(always))]
    fn insert_pushed(
        &mut self,
        func: FuncId,
        position: Position,
        code: Code,
        mark: usize,
    ) -> Result<InsnId> {
        if code.flags().contains(Flags::INTERNAL) {
            return Err(Problem::InternalInsn.into());
        }
        let count = self.operands.len() - mark;
        let smallest = match code {
            Code::Call | Code::Inline | Code::Jcall | Code::Switch => 2,
            _ => 0,
        };
        if count < smallest || !code.is_variable() && count != code.modes().len() {
            return Err(Problem::OperandCount.into());
        }
        let code = if self.long_double() == LongDoubleFormat::Double {
            code.as_double()
        } else {
            code
        };
        self.link_pushed(func, position, code, mark)
    }

    #[cfg_attr(not(small_code), inline(always))]
    fn link_pushed(
        &mut self,
        func: FuncId,
        position: Position,
        code: Code,
        mark: usize,
    ) -> Result<InsnId> {
        let count = self.operands.len() - mark;
        if count > MAX_OPERANDS || u32::try_from(self.operands.len()).is_err() {
            return Err(Problem::TooManyOperands.into());
        }
        let (previous, next) = self.neighbours(func, position)?;
        let mut insn = Insn::new(code, mark as u32, count as u32);
        insn.set_previous(previous);
        insn.set_next(next);
        let number = self.insns.push(insn)?;
        let row = &mut self.funcs[func];
        row.insns += 1;
        match previous {
            Some(previous) => self.insns[previous].set_next(Some(number)),
            None => row.first = Some(number),
        }
        match next {
            Some(next) => self.insns[next].set_previous(Some(number)),
            None => row.last = Some(number),
        }
        Ok(number)
    }

    #[cfg_attr(not(small_code), inline(always))]
    fn neighbours(
        &self,
        func: FuncId,
        position: Position,
    ) -> Result<(Option<InsnId>, Option<InsnId>)> {
        let known = |insn: InsnId| self.insns.get(insn).copied().ok_or(Problem::NotInFunction);
        let func = &self.funcs[func];
        Ok(match position {
            Position::End => (func.last, None),
            Position::Start => (None, func.first),
            Position::Before(insn) => (known(insn)?.previous(), Some(insn)),
            Position::After(insn) => (Some(insn), known(insn)?.next()),
        })
    }

    /// Links two instructions of a function as neighbours; `None` is the end of the list.
    fn join(&mut self, func: FuncId, left: Option<InsnId>, right: Option<InsnId>) {
        match left {
            Some(left) => self.insns[left].set_next(right),
            None => self.funcs[func].first = right,
        }
        match right {
            Some(right) => self.insns[right].set_previous(left),
            None => self.funcs[func].last = left,
        }
    }

    /// Removes an instruction from its function; a removed label can be placed again.
    ///
    /// `insn` must be in `func`: it was returned by an insertion there and not removed since.
    pub fn remove(&mut self, func: FuncId, insn: InsnId) {
        let removed = self.insns[insn];
        self.join(func, removed.previous(), removed.next());
        self.funcs[func].insns -= 1;
        if let (Code::Label, Some(label)) = (removed.code(), self.label_of(insn)) {
            self.labels[label].displace();
        }
    }

    /// Ends a function. If it has neither `ret` nor `jret` and does not end in `jmp`, a `ret` of
    /// zeros is added (docs/reference/instructions/calls.md).
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn finish_func(&mut self, func: FuncId) -> Result<()> {
        let returns = |insn| matches!(self.code(insn), Code::Ret | Code::Jret);
        let ends_in_jump = self.funcs[func]
            .last
            .is_some_and(|last| self.code(last) == Code::Jmp);
        if ends_in_jump || self.insns(func).rev().any(returns) {
            return Ok(());
        }
        let signature = self.funcs[func].signature;
        let mark = self.operands.len();
        for index in 0..self.results(&signature).len() {
            let zero = Operand::zero(self.results(&signature)[index]);
            self.push_operand(zero)?;
        }
        self.append_pushed(func, Code::Ret, mark)?;
        Ok(())
    }

    // ---- reading

    /// True if an instruction, a call, is one of `setjmp` by name.
    pub(crate) fn calls_set_jump(&self, insn: InsnId) -> bool {
        let Some(Operand::Item(item)) = self.operand(insn, 1) else {
            return false;
        };
        let item = self.item(item);
        let name = item.name.map(|name| self.name_bytes(name));
        item.kind == ItemKind::Import && name.is_some_and(|name| SET_JUMPS.contains(&name))
    }

    /// True if an instruction of a function is a call that gives up the function's frame: it is by
    /// a prototype whose name says so, passes values, and nothing but the return of its results
    /// follows, which are those of the function. The frames of confined programs stay.
    pub(crate) fn is_tail_call(&self, func: FuncId, insn: InsnId) -> bool {
        let Some(Operand::Item(proto)) = self.operand(insn, 0) else {
            return false;
        };
        if !cfg!(feature = "tail-calls") {
            return false;
        }
        let item = self.item(proto);
        let name = item.name.map_or(&[][..], |name| self.name_bytes(name));
        let (ItemKind::Proto(signature), true) =
            (item.kind, name.starts_with(TAIL_CALL.as_bytes()))
        else {
            return false;
        };
        let own = &self.funcs[func].signature;
        let results = self.results(&signature);
        let returned = self.next(insn).filter(|&next| self.code(next) == Code::Ret);
        let is_returned = returned.is_some_and(|next| {
            let given = self.operands(insn).skip(2).take(results.len());
            let is_register = |operand| matches!(operand, Operand::Reg(_));
            self.operands(next).all(is_register) && given.eq(self.operands(next))
        });
        is_returned
            && self.code(insn) == Code::Call
            && self.confinement().is_none()
            && results == self.results(own)
            && !signature.is_vararg()
            && !own.is_vararg()
            && !(self.args(&signature).iter()).any(|arg| arg.ty.is_block() && arg.ty != Type::Rblk)
    }

    /// Returns the instructions and labels of a function, in order.
    #[must_use]
    #[cfg_attr(small_code, inline(never))]
    pub fn insns(&self, func: FuncId) -> Insns<'_, '_> {
        let func = &self.funcs[func];
        Insns {
            module: self,
            first: func.first,
            last: func.last,
            left: func.insns,
        }
    }

    /// Returns the code of an instruction.
    #[must_use]
    pub fn code(&self, insn: InsnId) -> Code {
        self.insns[insn].code()
    }

    /// Returns the number of operands of an instruction.
    #[must_use]
    pub fn operand_count(&self, insn: InsnId) -> usize {
        self.insns[insn].count() as usize
    }

    /// Returns operand number `index` of an instruction, from 0.
    #[must_use]
    pub fn operand(&self, insn: InsnId, index: usize) -> Option<Operand> {
        let row = self.insns[insn];
        let packed =
            (index < row.count() as usize).then(|| self.operands[row.operands as usize + index])?;
        Some(self.wide.unpack(packed))
    }

    /// Returns operand number `index` of an instruction, if it is a register: in fewer steps than
    /// [`Module::operand`].
    #[inline]
    pub(crate) fn register_operand(&self, insn: InsnId, index: usize) -> Option<super::Reg> {
        let row = &self.insns[insn];
        if index >= row.count() as usize {
            return None;
        }
        self.operands.get(row.operands as usize + index)?.reg()
    }

    /// Returns the operands of an instruction, in order; the operand of a label is the label
    /// itself.
    pub fn operands(
        &self,
        insn: InsnId,
    ) -> impl DoubleEndedIterator<Item = Operand> + ExactSizeIterator {
        let row = self.insns[insn];
        let packed = &self.operands[row.operands as usize..][..row.count() as usize];
        packed.iter().map(|&packed| self.wide.unpack(packed))
    }

    /// Replaces operand number `index`.
    ///
    /// # Errors
    ///
    /// There is no such operand; out of memory.
    pub fn set_operand(&mut self, insn: InsnId, index: usize, operand: Operand) -> Result<()> {
        let row = self.insns[insn];
        if index >= row.count() as usize || row.code() == Code::Label {
            return Err(Problem::OperandCount.into());
        }
        self.operands[row.operands as usize + index] = self.pack(operand)?;
        Ok(())
    }

    /// Returns the label that a label instruction places.
    #[must_use]
    pub fn label_of(&self, insn: InsnId) -> Option<Label> {
        let row = self.insns[insn];
        if row.code() != Code::Label {
            return None;
        }
        self.operands.get(row.operands as usize)?.label()
    }

    /// Returns the instruction after this one.
    #[must_use]
    pub fn next(&self, insn: InsnId) -> Option<InsnId> {
        self.insns[insn].next()
    }

    /// Returns the instruction before this one.
    #[must_use]
    pub fn previous(&self, insn: InsnId) -> Option<InsnId> {
        self.insns[insn].previous()
    }

    /// Returns the number of instructions ever created in the module, removed ones included: all
    /// their numbers are below it.
    #[must_use]
    pub fn insn_count(&self) -> usize {
        self.insns.len()
    }
}

/// The instructions and labels of a function; see [`Module::insns`].
#[derive(Clone, Debug)]
pub struct Insns<'a, 'm> {
    module: &'a Module<'m>,
    first: Option<InsnId>,
    last: Option<InsnId>,
    left: u32,
}

impl Iterator for Insns<'_, '_> {
    type Item = InsnId;

    #[cfg_attr(small_code, inline(never))]
    fn next(&mut self) -> Option<InsnId> {
        self.left = self.left.checked_sub(1)?;
        let insn = self.first?;
        self.first = self.module.next(insn);
        Some(insn)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl DoubleEndedIterator for Insns<'_, '_> {
    fn next_back(&mut self) -> Option<InsnId> {
        self.left = self.left.checked_sub(1)?;
        let insn = self.last?;
        self.last = self.module.previous(insn);
        Some(insn)
    }
}

impl ExactSizeIterator for Insns<'_, '_> {}
