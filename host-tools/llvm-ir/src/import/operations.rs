//! The operands of the source's instructions, and the dispatch to the functions that lower them.

use super::function::Lower;
use crate::ast::{Binary, BlockId, Const, Insn, IntPredicate, LocalId, Op, Typed, Value};
use crate::error::Result;
use crate::types::TypeId;

impl Op {
    /// Calls `take` with each operand that is a value.
    pub(super) fn each_value<'a>(&'a self, take: &mut dyn FnMut(&'a Value)) {
        match self {
            Op::Binary(_, _, a, b) | Op::Icmp(_, _, a, b) | Op::Fcmp(_, _, a, b) => {
                take(a);
                take(b);
            }
            Op::Select(condition, _, a, b) => {
                take(condition);
                take(a);
                take(b);
            }
            Op::Fneg(_, value)
            | Op::Cast(_, (_, value), _)
            | Op::Freeze((_, value))
            | Op::Load(_, value)
            | Op::AtomicLoad(_, value, _)
            | Op::Extract((_, value), _)
            | Op::Ret(Some((_, value)))
            | Op::Resume((_, value))
            | Op::CondBr(value, ..)
            | Op::Switch((_, value), ..)
            | Op::IndirectBr(value, _) => take(value),
            Op::Alloca { count, .. } => {
                if let Some((_, count)) = count {
                    take(count);
                }
            }
            Op::Store((_, value), pointer) | Op::AtomicStore((_, value), pointer, _) => {
                take(value);
                take(pointer);
            }
            Op::Address { base, indices, .. } => {
                take(base);
                indices.iter().for_each(|(_, index)| take(index));
            }
            Op::Phi(_, incoming) => incoming.iter().for_each(|(value, _)| take(value)),
            Op::Call(call) => {
                take(&call.callee);
                call.args.iter().for_each(|arg| take(&arg.value));
            }
            Op::Insert((_, a), (_, b), _) | Op::ExtractElement((_, a), (_, b)) => {
                take(a);
                take(b);
            }
            Op::InsertElement((_, a), (_, b), (_, c)) | Op::Cmpxchg(a, (_, b), c, _) => {
                take(a);
                take(b);
                take(c);
            }
            Op::AtomicRmw(_, pointer, (_, value), _) => {
                take(pointer);
                take(value);
            }
            Op::ShuffleVector(_, a, b, _) => {
                take(a);
                take(b);
            }
            Op::Parts((_, value), _) => take(value),
            Op::Join(values) => values.iter().for_each(|(_, value)| take(value)),
            Op::Fence(_)
            | Op::Ret(None)
            | Op::Br(_)
            | Op::Invoked(..)
            | Op::LandingPad(_)
            | Op::Unreachable => {}
        }
    }

    /// Returns the blocks that may follow.
    pub(super) fn successors(&self) -> Vec<BlockId> {
        match self {
            Op::Br(target) => vec![*target],
            Op::CondBr(_, yes, no) | Op::Invoked(yes, no) => vec![*yes, *no],
            Op::Switch(_, default, cases) => {
                let cases = cases.iter().map(|&(_, target)| target);
                cases.chain([*default]).collect()
            }
            Op::IndirectBr(_, targets) => targets.clone(),
            _ => Vec::new(),
        }
    }

    /// Returns the value that is read as a signed integer, if there is one.
    pub(super) fn signed_operand(&self) -> Option<&Value> {
        use IntPredicate as P;
        match self {
            Op::Cast(crate::ast::Cast::Sext | crate::ast::Cast::Sitofp, (_, value), _)
            | Op::Binary(Binary::Sdiv | Binary::Srem | Binary::Ashr, _, value, _)
            | Op::Icmp(P::Sgt | P::Sge | P::Slt | P::Sle, _, value, _) => Some(value),
            _ => None,
        }
    }

    /// Returns the pointer that is loaded from or stored to, and the type of the access.
    pub(super) fn accessed(&self) -> Option<(&Value, TypeId)> {
        match self {
            Op::Load(ty, pointer) | Op::Store((ty, _), pointer) => Some((pointer, *ty)),
            _ => None,
        }
    }

    /// Returns the name of the function that is called directly.
    pub(super) fn called(&self) -> Option<&str> {
        match self {
            Op::Call(call) => match &call.callee {
                Value::Const(Const::Global(name)) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether this only marks the lifetime of a variable, or describes it for a debugger.
    pub(super) fn is_lifetime(&self) -> bool {
        self.called()
            .is_some_and(|name| name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg."))
    }
}

impl<'s> Lower<'_, 's, '_> {
    /// Lowers an instruction that does not end its block.
    pub(super) fn insn(&mut self, insn: &'s Insn) -> Result<()> {
        let Some(result) = insn.result else {
            return self.without_result(&insn.op);
        };
        if self.deferred.contains_key(&result) {
            return Ok(());
        }
        match &insn.op {
            Op::Phi(..) => {
                self.pinned_regs(result)?;
                Ok(())
            }
            Op::Binary(op, ty, a, b) => self.binary(result, *op, *ty, a, b),
            Op::Fneg(ty, value) => self.float_negation(result, *ty, value),
            Op::Icmp(..) | Op::Fcmp(..) => self.comparison(result, &insn.op),
            Op::Select(condition, ty, a, b) => self.select(result, condition, *ty, a, b),
            Op::Cast(cast, from, to) => self.cast(result, *cast, from, *to),
            Op::Freeze(typed) => self.freeze(result, typed),
            Op::Alloca { ty, count, align } => self.alloca(result, *ty, count.as_ref(), *align),
            Op::Load(ty, pointer) => self.load(result, *ty, pointer),
            Op::AtomicLoad(ty, pointer, access) => self.access_load(result, *ty, pointer, *access),
            Op::Address {
                element,
                base,
                indices,
            } => self.address(result, *element, base, indices),
            Op::Call(call) => self.call(Some(result), call),
            Op::Extract((ty, value), indices) => {
                let (first, count, _) = self.importer.member_parts(*ty, indices, self.place)?;
                let held = self.value(*ty, value)?;
                self.define(result, held[first..first + count].to_vec())
            }
            Op::Insert(whole, member, indices) => {
                let (first, count, _) = self.importer.member_parts(whole.0, indices, self.place)?;
                self.define_with_member(result, whole, (first, count), member)
            }
            Op::Parts((ty, value), range) => {
                let held = self.value(*ty, value)?;
                match held.get(range.clone()) {
                    Some(parts) => self.define(result, parts.to_vec()),
                    None => self.unsupported("a part that is not there"),
                }
            }
            Op::Join(values) => {
                let mut held = Vec::new();
                for (ty, value) in values {
                    held.extend(self.value(*ty, value)?);
                }
                self.define(result, held)
            }
            Op::LandingPad(_) => self.landing_pad(result),
            Op::AtomicRmw(operation, pointer, value, order) => {
                self.atomic(result, operation, pointer, value, *order)
            }
            Op::Cmpxchg(pointer, expected, new, orders) => {
                self.compare_exchange(result, pointer, expected, new, *orders)
            }
            _ => self.unsupported("this instruction"),
        }
    }

    fn without_result(&mut self, op: &'s Op) -> Result<()> {
        match op {
            Op::Store((ty, value), pointer) => self.store(*ty, value, pointer),
            Op::Call(call) => self.call(None, call),
            Op::AtomicStore(value, pointer, access) => self.access_store(value, pointer, *access),
            Op::Fence(order) => self.fence(*order),
            _ => self.unsupported("this instruction"),
        }
    }

    /// Defines a result that is an aggregate with some of its parts, from the first one on and so
    /// many, replaced by those of a member.
    fn define_with_member(
        &mut self,
        result: LocalId,
        (ty, whole): &'s Typed,
        (first, count): (usize, usize),
        (member_type, member): &'s Typed,
    ) -> Result<()> {
        let mut held = self.value(*ty, whole)?;
        let member = self.value(*member_type, member)?;
        for (place, part) in held.iter_mut().skip(first).take(count).zip(member) {
            *place = part;
        }
        self.define(result, held)
    }
}
