//! Functions that call themselves: calls in tail position become jumps ([`super::tail`]), others
//! are inlined a few levels deep.
//!
//! A call of a small function takes longer than its body. Where a function calls itself `n` times,
//! there are `n` copies of its body on the first level, `n * n` on the second, and so on: there are
//! as many levels as keep all copies together within limits on their number and instructions. The
//! calls in the copies of the last level stay calls, so recursion without end still is a stack
//! overflow.

use super::Translator;
use crate::ir::{Code, Flags, InsnId, Type};
use crate::target::error::Error;

/// The most levels: more bring little, and their values take each other's registers.
const MOST_LEVELS: usize = 3;
/// The most copies of a function in itself, so that it takes time in proportion to its length.
const MOST_COPIES: usize = 12;

impl Translator<'_, '_, '_, '_> {
    /// Prepares for calls by which the function that is compiled calls itself.
    pub(super) fn prepare_recursion(&mut self) -> Result<(), Error> {
        if !self.inlines() || !self.calls_itself() {
            return Ok(());
        }
        if self.may_begin_again() {
            self.begin_again(self.accumulation())?;
        }
        // The proof of a confined function follows addresses through few blocks.
        if self.module.confinement().is_none() && !self.settings.is_by_block() {
            self.recursion = self.levels();
        }
        Ok(())
    }

    fn calls_itself(&self) -> bool {
        let mut insns = self.module.insns(self.func);
        insns.any(|insn| self.is_self_call(insn))
    }

    /// Returns whether an instruction is a call of the function that it is in.
    pub(super) fn is_self_call(&self, insn: InsnId) -> bool {
        let is_call = matches!(self.module.code(insn), Code::Call | Code::Inline);
        is_call && self.calls(insn, self.func)
    }

    /// Returns whether the function cannot make its frame known to a callee, so that calls in tail
    /// position may become jumps. Requires a conditional branch: unbounded recursion must stay a
    /// reported stack overflow instead of becoming a hang.
    fn may_begin_again(&self) -> bool {
        let module = self.module;
        let signature = module.func(self.func).signature;
        let is_plain = |ty: Type| ty != Type::Ld && !ty.is_block();
        if self.follows
            || self.function.is_jumped_to
            || self.function.is_jumped_back_into
            || signature.is_vararg()
            || !module.args(&signature).iter().all(|arg| is_plain(arg.ty))
        {
            return false;
        }
        let mut decides = false;
        for insn in module.insns(self.func) {
            let code = module.code(insn);
            decides |= code.flags().contains(Flags::BRANCH) && code != Code::Jmp;
            match code {
                Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => return false,
                Code::Alloca | Code::Bstart => return false,
                _ => {}
            }
        }
        decides
    }

    /// Returns how many levels of the function are inlined into it.
    fn levels(&self) -> usize {
        let size = self.module.func(self.func).insn_count();
        if size > self.inlining.call_limit() || !self.is_simple(self.func) {
            return 0;
        }
        let calls = { self.module.insns(self.func) }
            .filter(|&insn| self.is_self_call(insn) && !self.is_jump(insn))
            .count();
        let most = MOST_COPIES.min(self.inlining.recursion_limit() / size.max(1));
        let (mut levels, mut copies, mut all) = (0, 1, 0);
        while calls > 0 && levels < MOST_LEVELS {
            copies *= calls;
            all += copies;
            if all > most {
                break;
            }
            levels += 1;
        }
        levels
    }

    /// Returns whether a call of the function itself becomes a jump.
    fn is_jump(&self, insn: InsnId) -> bool {
        let signature = self.prototype(insn);
        signature.is_some_and(|signature| self.jump_for(insn, &signature).is_some())
    }
}
