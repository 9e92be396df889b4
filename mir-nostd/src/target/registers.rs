//! Hard registers: the registers that a `global` variable may be tied to.

use crate::ir::Class;

/// A register of the machine, one row of a target's register table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HardRegister {
    /// The name that programs use.
    pub name: &'static str,
    /// Its bank, which determines the values that it can hold.
    pub bank: Bank,
    /// Its role, which determines whether variables may live in it and survive calls.
    pub role: Role,
}

/// The kinds of registers of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bank {
    /// 64-bit integers.
    Int,
    /// Floats and doubles; long doubles too where [`super::Target::long_double_registers`] says so.
    Float,
    /// The x87 stack.
    X87,
}

/// The use of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Never holds a variable: stack pointer, temporaries of the code generator and the like.
    Reserved,
    /// Not preserved by calls to C.
    Volatile,
    /// Preserved by calls to C.
    Saved,
}

/// The reason why a `global` variable cannot be tied to a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HardRegisterError {
    /// The target has no register of this name.
    Unknown,
    /// The register is reserved.
    Reserved,
    /// The register cannot hold a value of this class.
    WrongClass,
}

impl core::fmt::Display for HardRegisterError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            HardRegisterError::Unknown => "the target has no such hard register",
            HardRegisterError::Reserved => "this hard register is reserved",
            HardRegisterError::WrongClass => "this hard register cannot hold the type",
        })
    }
}

impl core::error::Error for HardRegisterError {}

impl super::Target {
    /// Returns the index in [`super::Target::registers`] of the register called `name`, if a
    /// variable of class `class` may be tied to it.
    ///
    /// # Errors
    ///
    /// [`HardRegisterError`], which says why it may not.
    pub fn hard_register(&self, name: &[u8], class: Class) -> Result<usize, HardRegisterError> {
        let (index, register) = self
            .registers
            .iter()
            .enumerate()
            .find(|(_, register)| register.name.as_bytes() == name)
            .ok_or(HardRegisterError::Unknown)?;
        if register.role == Role::Reserved {
            return Err(HardRegisterError::Reserved);
        }
        let fits = match class {
            Class::Int => register.bank == Bank::Int,
            Class::Float | Class::Double => register.bank == Bank::Float,
            Class::LongDouble => register.bank == Bank::Float && self.long_double_registers,
        };
        if fits {
            Ok(index)
        } else {
            Err(HardRegisterError::WrongClass)
        }
    }
}
