//! All stages, one after the other.

use super::emit::{Offsets, emit};
use super::{Code, Error, Labels, allocate, combine, finish_frame, select, translate};
use crate::ir::{FuncId, Module};
use crate::machine::Function;
use crate::mem::Allocator;
use crate::target::Isa;

/// What compiling needs besides the function: memory that is used again for the next one.
#[derive(Debug)]
pub struct Compiler<'m> {
    isa: &'m dyn Isa,
    /// The function as Machine IR.
    pub function: Function<'m>,
    /// The code of the function.
    pub code: Code<'m>,
    /// How much is done for the code's speed: 0 or 1.
    pub level: u8,
    /// Whether each register allocation is proven right.
    pub check_allocation: bool,
    /// The blocks of the function's labels.
    pub labels: Labels<'m>,
}

impl<'m> Compiler<'m> {
    /// A compiler for a target; allocates nothing.
    #[must_use]
    pub const fn new(isa: &'m dyn Isa, allocator: &'m dyn Allocator) -> Compiler<'m> {
        Compiler {
            isa,
            function: Function::new(allocator),
            code: Code::new(allocator),
            level: 1,
            check_allocation: false,
            labels: Labels::new(allocator),
        }
    }

    /// The target.
    #[must_use]
    pub const fn isa(&self) -> &'m dyn Isa {
        self.isa
    }

    /// Compiles a function of a module that passed the verifier for the target: its code is then in
    /// [`Compiler::code`]. Gives where the blocks begin in it.
    ///
    /// # Errors
    ///
    /// Out of memory; the function is too large, or uses something that is not compiled.
    pub fn compile(&mut self, module: &Module<'_>, func: FuncId) -> Result<Offsets<'m>, Error> {
        self.function.clear();
        self.code.clear();
        let function = &mut self.function;
        translate(function, self.isa, module, func, &mut self.labels)?;
        if self.level > 0 {
            combine(function)?;
        }
        select(function, self.isa)?;
        let used = allocate(function, self.isa, self.check_allocation)?;
        finish_frame(function, self.isa, used)?;
        emit(function, self.isa, &mut self.code)
    }
}
