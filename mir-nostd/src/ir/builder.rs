//! A builder of functions, which is as convenient from Rust as text is.

use super::module::{Module, SignatureSpec};
use super::operand::Operands;
use super::{Code, FuncId, InsnId, Label, Position, Reg, Result, Type};

/// Builds one function of a module; see [`Module::build_func`].
///
/// ```
/// use mir_nostd::ir::{ArgSpec, Code, Module, SignatureSpec, Type};
/// use mir_nostd::num::LongDoubleFormat;
/// # fn main() -> mir_nostd::ir::Result<()> {
/// # let system = testkit::SystemAllocator;
/// let mut module = Module::new(&system, b"m", LongDoubleFormat::X87)?;
/// let args = [ArgSpec::new(Type::I64, "arg1")];
/// let spec = SignatureSpec { results: &[Type::I64], args: &args, vararg: false };
/// let mut func = module.build_func("loop", spec)?;
/// let (arg1, count) = (func.arg(0), func.local(Type::I64, "count")?);
/// let (fin, cont) = (func.new_label()?, func.new_label()?);
/// func.emit(Code::Mov, (count, 0))?;
/// func.emit(Code::Bge, (fin, count, arg1))?;
/// func.label(cont)?;
/// func.emit(Code::Add, (count, count, 1))?;
/// func.emit(Code::Blt, (cont, count, arg1))?;
/// func.label(fin)?;
/// func.emit(Code::Ret, (count,))?;
/// func.finish()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct FuncBuilder<'a, 'm> {
    module: &'a mut Module<'m>,
    func: FuncId,
}

impl<'m> Module<'m> {
    /// Begins a function and returns its builder.
    ///
    /// # Errors
    ///
    /// As [`Module::add_func`].
    pub fn build_func(
        &mut self,
        name: &str,
        signature: SignatureSpec<'_>,
    ) -> Result<FuncBuilder<'_, 'm>> {
        let func = self.add_func(name.as_bytes(), signature)?;
        Ok(FuncBuilder { module: self, func })
    }

    /// Returns a builder that continues a function.
    pub fn resume_func(&mut self, func: FuncId) -> FuncBuilder<'_, 'm> {
        FuncBuilder { module: self, func }
    }
}

impl<'m> FuncBuilder<'_, 'm> {
    /// Returns the function's number.
    #[must_use]
    pub const fn id(&self) -> FuncId {
        self.func
    }

    /// Returns the module, for items and strings that the function needs.
    pub fn module(&mut self) -> &mut Module<'m> {
        self.module
    }

    /// Returns the register of argument number `index`, from 0.
    #[must_use]
    pub fn arg(&self, index: u32) -> Reg {
        crate::mem::Entity::new(index)
    }

    /// Adds a local variable.
    ///
    /// # Errors
    ///
    /// As [`Module::add_local`].
    pub fn local(&mut self, ty: Type, name: &str) -> Result<Reg> {
        self.module.add_local(self.func, ty, name.as_bytes())
    }

    /// Adds a variable tied to a hard register.
    ///
    /// # Errors
    ///
    /// As [`Module::add_global`].
    pub fn global(&mut self, ty: Type, name: &str, hard_reg: &str) -> Result<Reg> {
        self.module
            .add_global(self.func, ty, name.as_bytes(), hard_reg.as_bytes())
    }

    /// Returns a new label, to be placed with [`FuncBuilder::label`].
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new_label(&mut self) -> Result<Label> {
        self.module.new_label()
    }

    /// Places a label here.
    ///
    /// # Errors
    ///
    /// The label is already placed; out of memory.
    pub fn label(&mut self, label: Label) -> Result<InsnId> {
        self.module.insert_label(self.func, Position::End, label)
    }

    /// Adds an instruction.
    ///
    /// # Errors
    ///
    /// As [`Module::insert`].
    pub fn emit(&mut self, code: Code, operands: impl Operands) -> Result<InsnId> {
        self.module.append(self.func, code, operands)
    }

    /// Ends the function; see [`Module::finish_func`].
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn finish(self) -> Result<FuncId> {
        self.module.finish_func(self.func)?;
        Ok(self.func)
    }
}
