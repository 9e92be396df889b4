//! The rules for one operand: what it names exists, memory is well formed, and the operand is of
//! the kind that the mode requires.

use super::Verifier;
use crate::ir::{Class, FuncId, Mem, Mode, Operand, Order, Problem, Reg, Register, Type};
use crate::mem::Entity;

impl Verifier<'_, '_> {
    /// Checks an operand of an instruction of `func` that must be of this mode.
    pub(super) fn check_operand(
        &mut self,
        func: FuncId,
        operand: &Operand,
        mode: Mode,
    ) -> Result<(), Problem> {
        let class = self.class_of(func, operand)?;
        if mode.is_output() && !matches!(operand, Operand::Reg(_) | Operand::Mem(_)) {
            return Err(Problem::NotAssignable);
        }
        match mode {
            Mode::Label => wanted(matches!(operand, Operand::Label(_)), Problem::NotLabel),
            Mode::Reg => self.check_addressed(func, operand),
            Mode::Memory => wanted(matches!(operand, Operand::Mem(_)), Problem::NotMemory),
            Mode::Constant => wanted(
                matches!(operand, Operand::Int(_) | Operand::Uint(_)),
                Problem::NotConstant,
            ),
            Mode::Variable => wanted(
                matches!(operand, Operand::Reg(_) | Operand::Mem(_)),
                Problem::NotVariable,
            ),
            Mode::Atomic => {
                let is_integer = class == Some(Class::Int);
                wanted(
                    is_integer && matches!(operand, Operand::Mem(_)),
                    Problem::NotAtomic,
                )
            }
            Mode::Order => wanted(order(operand).is_some(), Problem::NotOrder),
            Mode::Any => Ok(()),
            _ => mode.class().map_or(Ok(()), |mode| of_class(class, mode)),
        }
    }

    /// Returns the class of an operand's value, if it has one, after checking that what it names
    /// exists.
    pub(super) fn class_of(
        &mut self,
        func: FuncId,
        operand: &Operand,
    ) -> Result<Option<Class>, Problem> {
        Ok(Some(match operand {
            Operand::Reg(reg) => self.register(func, *reg)?.ty.class(),
            Operand::Int(_) | Operand::Uint(_) => Class::Int,
            Operand::Float(_) => Class::Float,
            Operand::Double(_) => Class::Double,
            Operand::LongDouble(_) => {
                self.uses_long_double = true;
                Class::LongDouble
            }
            Operand::Str(string) if string.index() >= self.module.str_count() => {
                return Err(Problem::UndeclaredName);
            }
            Operand::Str(_) => Class::Int,
            Operand::Item(item) => {
                self.check_reference(*item)?;
                Class::Int
            }
            Operand::Label(label) => match self.module.label_func(*label) {
                Some(its_func) if its_func == func => return Ok(None),
                Some(_) => return Err(Problem::LabelOfOtherFunction),
                None => return Err(Problem::LabelUndefined),
            },
            Operand::Mem(mem) => {
                self.check_mem(func, mem)?;
                if mem.ty.is_block() {
                    return Err(Problem::BlockOutsideCall);
                }
                mem.ty.class()
            }
        }))
    }

    fn register(&self, func: FuncId, reg: Reg) -> Result<&Register, Problem> {
        let registers = self.module.func(func).registers();
        registers.get(reg.index()).ok_or(Problem::UndeclaredReg)
    }

    /// Checks the operand of `addr`, a variable that can be in memory.
    fn check_addressed(&self, func: FuncId, operand: &Operand) -> Result<(), Problem> {
        let Operand::Reg(reg) = operand else {
            return Err(Problem::NotRegister);
        };
        let tied = self.register(func, *reg)?.hard_reg.is_some();
        wanted(!tied, Problem::HardRegAddress)
    }

    /// Checks everything about memory except whether a block is allowed here.
    pub(super) fn check_mem(&mut self, func: FuncId, mem: &Mem) -> Result<(), Problem> {
        self.note_type(mem.ty);
        for reg in [mem.base, mem.index].into_iter().flatten() {
            let class = self.register(func, reg)?.ty.class();
            wanted(class == Class::Int, Problem::AddressRegister)?;
        }
        for name in [mem.alias, mem.nonalias].into_iter().flatten() {
            wanted(
                name.index() < self.module.str_count(),
                Problem::UndeclaredName,
            )?;
        }
        Ok(())
    }
}

/// Returns the order that an operand is the number of.
pub(super) const fn order(operand: &Operand) -> Option<Order> {
    match *operand {
        Operand::Int(number) => Order::from_number(number.cast_unsigned()),
        Operand::Uint(number) => Order::from_number(number),
        _ => None,
    }
}

/// Returns the mode of an input of this type.
pub(super) const fn input(ty: Type) -> Mode {
    match ty.class() {
        Class::Int => Mode::I,
        Class::Float => Mode::F,
        Class::Double => Mode::D,
        Class::LongDouble => Mode::L,
    }
}

/// Returns the mode of an output of this type.
pub(super) const fn output(ty: Type) -> Mode {
    match ty.class() {
        Class::Int => Mode::OutI,
        Class::Float => Mode::OutF,
        Class::Double => Mode::OutD,
        Class::LongDouble => Mode::OutL,
    }
}

fn wanted(holds: bool, problem: Problem) -> Result<(), Problem> {
    if holds { Ok(()) } else { Err(problem) }
}

fn of_class(class: Option<Class>, mode: Class) -> Result<(), Problem> {
    let problem = match mode {
        Class::Int => Problem::NotInteger,
        Class::Float => Problem::NotFloat,
        Class::Double => Problem::NotDouble,
        Class::LongDouble => Problem::NotLongDouble,
    };
    wanted(class == Some(mode), problem)
}
