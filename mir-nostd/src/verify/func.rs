//! The rules for functions and their instructions.

use super::operand::{input, order};
use super::{Severity, Verifier};
use crate::ir::{Code, Flags, FuncId, InsnId, Mode, Operand, Place, Problem, Reg};
use crate::mem::Entity;
use crate::target::HardRegisterError;

/// The instruction of a function that a violation is about.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) func: FuncId,
    pub(super) insn: InsnId,
}

impl Site {
    /// Returns the place of the instruction as a whole.
    pub(super) const fn place(self) -> Place {
        Place::Insn {
            func: self.func,
            insn: self.insn,
            operand: u16::MAX,
        }
    }

    /// Returns the place of operand number `index`, from 0; those beyond 65534 are not told apart.
    pub(super) fn operand(self, index: usize) -> Place {
        Place::Insn {
            func: self.func,
            insn: self.insn,
            operand: u16::try_from(index).unwrap_or(u16::MAX).min(u16::MAX - 1),
        }
    }
}

/// Facts about the instructions of a function, for later checks.
#[derive(Default)]
struct Seen {
    ret: bool,
    jret: bool,
    call: bool,
    memory: bool,
}

impl Verifier<'_, '_> {
    pub(super) fn check_func(&mut self, func: FuncId) {
        let item = self.module.func(func).item;
        let signature = self.module.func(func).signature;
        self.check_signature(&signature, Place::Item(item));
        self.check_registers(func);
        let seen = self.check_insns(func);
        if seen.ret && seen.jret {
            self.report_jrets(func);
        }
        self.check_end(func);
        self.note_expr(func, !seen.call && !seen.memory);
    }

    fn check_registers(&mut self, func: FuncId) {
        let module = self.module;
        for (number, register) in (0..).zip(module.func(func).registers()) {
            self.note_type(register.ty);
            let Some(hard_reg) = register.hard_reg else {
                continue;
            };
            let (name, class) = (module.name_bytes(hard_reg), register.ty.class());
            if let Err(error) = self.target.hard_register(name, class) {
                let reg = Reg::new(number);
                self.error(hard_register_problem(error), Place::Register { func, reg });
            }
        }
    }

    fn check_insns(&mut self, func: FuncId) -> Seen {
        let module = self.module;
        let mut seen = Seen::default();
        // These are the overflow flags that a branch at this point could test.
        let mut set = Flags::empty();
        for insn in module.insns(func) {
            let code = module.code(insn);
            let site = Site { func, insn };
            match code {
                Code::Label => {}
                Code::Ret => self.check_ret(site),
                _ if code.is_call() => self.check_call(site, code),
                _ => self.check_plain(site, code),
            }
            if code.flags().intersects(TESTS) && !set.contains(wanted_flags(code)) {
                self.error(Problem::OverflowBranch, site.place());
            }
            set = flags_after(code, module.operand(insn, 1), set);
            seen.note(code, || module.operands(insn));
        }
        seen
    }

    /// Checks an instruction whose operands have the modes of the table.
    fn check_plain(&mut self, site: Site, code: Code) {
        let module = self.module;
        match code {
            _ if code.flags().contains(Flags::INTERNAL) => {
                self.error(Problem::InternalInsn, site.place());
            }
            Code::VaStart if !module.func(site.func).signature.is_vararg() => {
                self.error(Problem::VaStartWithoutVararg, site.place());
            }
            Code::Jret => {
                let signature = module.func(site.func).signature;
                if !module.results(&signature).is_empty() {
                    self.error(Problem::JretWithResults, site.place());
                }
            }
            _ => {}
        }
        for (index, operand) in module.operands(site.insn).enumerate() {
            let mut checked = self.check_operand(site.func, &operand, code.mode(index));
            if let (Mode::Order, Some(order)) = (code.mode(index), order(&operand))
                && !order.suits(code, index)
            {
                checked = Err(Problem::NotOrder);
            }
            self.take(site, index, &operand, checked);
        }
    }

    fn check_ret(&mut self, site: Site) {
        let module = self.module;
        let signature = module.func(site.func).signature;
        let results = module.results(&signature);
        if module.operand_count(site.insn) != results.len() {
            self.error(Problem::RetCount, site.place());
        }
        for (index, operand) in module.operands(site.insn).enumerate() {
            // A surplus value need only be valid.
            let checked = match results.get(index) {
                Some(&ty) => self.check_operand(site.func, &operand, input(ty)),
                None => self.class_of(site.func, &operand).map(|_| ()),
            };
            self.take(site, index, &operand, checked);
        }
    }

    /// Reports the problem that was found with an operand.
    pub(super) fn take(
        &mut self,
        site: Site,
        index: usize,
        operand: &Operand,
        checked: Result<(), Problem>,
    ) {
        if let Err(problem) = checked {
            let item = match operand {
                Operand::Item(item) => Some(*item),
                _ => None,
            };
            self.report(problem, site.operand(index), item, Severity::Error);
        }
    }

    fn report_jrets(&mut self, func: FuncId) {
        let module = self.module;
        for insn in module.insns(func) {
            if module.code(insn) == Code::Jret {
                self.error(Problem::JretWithRet, Site { func, insn }.place());
            }
        }
    }

    /// Warns if control can run off the end, which ends the run in a fault. It is no error, as the
    /// last instruction may never return.
    fn check_end(&mut self, func: FuncId) {
        let last = self.module.func(func).last();
        let ends =
            last.is_some_and(|last| self.module.code(last).flags().contains(Flags::TERMINATOR));
        if !ends {
            let item = Place::Item(self.module.func(func).item);
            let place = last.map_or(item, |insn| Site { func, insn }.place());
            self.report(Problem::RunsOffEnd, place, None, Severity::Warning);
        }
    }
}

impl Seen {
    fn note<I: Iterator<Item = Operand>>(&mut self, code: Code, operands: impl Fn() -> I) {
        self.ret |= code == Code::Ret;
        self.jret |= code == Code::Jret;
        self.call |= code.is_call();
        self.memory = self.memory || operands().any(|operand| matches!(operand, Operand::Mem(_)));
    }
}

const TESTS: Flags = Flags::TESTS_SIGNED.union(Flags::TESTS_UNSIGNED);
const SETS: Flags = Flags::SETS_SIGNED.union(Flags::SETS_UNSIGNED);

/// Returns the flags that a branch on overflow requires.
fn wanted_flags(branch: Code) -> Flags {
    if branch.flags().contains(Flags::TESTS_SIGNED) {
        Flags::SETS_SIGNED
    } else {
        Flags::SETS_UNSIGNED
    }
}

/// Returns the flags that a branch after `code` could test: copies of registers keep them,
/// everything else ends them.
fn flags_after(code: Code, operand: Option<Operand>, set: Flags) -> Flags {
    if code == Code::Mov && matches!(operand, Some(Operand::Reg(_))) {
        set
    } else {
        code.flags() & SETS
    }
}

fn hard_register_problem(error: HardRegisterError) -> Problem {
    match error {
        HardRegisterError::Unknown => Problem::UnknownHardReg,
        HardRegisterError::Reserved => Problem::ReservedHardReg,
        HardRegisterError::WrongClass => Problem::HardRegClass,
    }
}
