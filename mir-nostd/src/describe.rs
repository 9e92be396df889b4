//! Errors and faults told with names: of the item, the function, the variable, and the instruction
//! as text.
//!
//! Errors are small and hold numbers, which mean something in the module that they are about. The
//! methods here put both together for a reader, allocate nothing, and say less where the module is
//! not the right one or the crate is built without the feature `text`.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use mir_nostd::verify::Verified;
//! # let system = testkit::SystemAllocator;
//! # let target = target_all::HOST.target();
//! let text = b"m: module\nf: func i64, i64:n, d:x\n add n, n, x\n ret n\n endfunc\n endmodule\n";
//! let mut modules = mir_nostd::text::parse(text, &system, target.long_double, &mut |_| {})?;
//! let module = modules.pop().ok_or("no module")?;
//! let rejected = Verified::new(module, target, &mut |_| {}).err().ok_or("it passed")?;
//! assert_eq!(
//!     rejected.to_string(),
//!     "in `f`, at `add n, n, x`, operand 3: an integer is expected here"
//! );
//! # Ok(()) }
//! ```

use crate::confined;
use crate::interp::Stop;
use crate::ir::{Error, FuncId, InsnId, Item, Module, Place};
use crate::link::Context;
use crate::mem::Entity;
use crate::run;
use crate::verify::{Rejected, Violation};
use core::fmt;

/// An error, a violation or a fault with what it is about, to be displayed.
#[derive(Clone, Copy)]
pub struct Described<'a, T, N> {
    what: T,
    of: &'a N,
}

impl<T: fmt::Debug, N> fmt::Debug for Described<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Described").field(&self.what).finish()
    }
}

impl Error {
    /// Returns the error in words, with names of the module that it is about.
    #[must_use]
    pub const fn describe<'a, 'm>(
        self,
        module: &'a Module<'m>,
    ) -> Described<'a, Error, Module<'m>> {
        Described {
            what: self,
            of: module,
        }
    }
}

impl Violation {
    /// Returns the violation in words, with names of the module that it is about.
    #[must_use]
    pub fn describe<'a, 'm>(self, module: &'a Module<'m>) -> Described<'a, Error, Module<'m>> {
        let place = match (self.error.place, self.declaration) {
            (Place::Unknown, Some(item)) => Place::Item(item),
            (place, _) => place,
        };
        Error {
            place,
            ..self.error
        }
        .describe(module)
    }
}

impl run::Fault {
    /// Returns the fault in words, with the function and the instruction of the context that it
    /// happened in.
    #[must_use]
    pub const fn describe<'a, 'm>(
        self,
        context: &'a Context<'m>,
    ) -> Described<'a, run::Fault, Context<'m>> {
        Described {
            what: self,
            of: context,
        }
    }
}

impl confined::Fault {
    /// Returns the fault in words, with the function of the program that it happened in.
    #[must_use]
    pub const fn describe<'a, 'c, 'm>(
        self,
        program: &'a confined::Program<'c, 'm>,
    ) -> Described<'a, confined::Fault, confined::Program<'c, 'm>> {
        Described {
            what: self,
            of: program,
        }
    }
}

impl fmt::Display for Described<'_, Error, Module<'_>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        at_place(self.of, self.what.place, f)?;
        self.what.problem.fmt(f)
    }
}

impl fmt::Display for Described<'_, run::Fault, Context<'_>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let callable = self.of.callable_at(self.what.stopped().callable);
        if let Some((linked, func)) = callable.and_then(|callable| callable.func()) {
            let module = linked.module();
            let number = self.what.instruction().map(|number| number as usize);
            let insn = number.and_then(|number| module.insns(func).nth(number));
            in_function(module, func, insn, f)?;
            f.write_str(": ")?;
        }
        self.what.fmt(f)
    }
}

impl fmt::Display for Described<'_, confined::Fault, confined::Program<'_, '_>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = self.what.function {
            quoted(self.of.name(function), "in ", f)?;
            if let Some(number) = self.what.instruction {
                write!(f, ", instruction {number}")?;
            }
            f.write_str(": ")?;
        }
        self.what.fmt(f)
    }
}

impl fmt::Display for Stop<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(frame) = &self.at {
            in_function(frame.module, frame.func, frame.insn, f)?;
            f.write_str(": ")?;
        }
        self.reason.fmt(f)
    }
}

impl fmt::Display for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.describe(&self.module).fmt(f)
    }
}

impl core::error::Error for Rejected<'_> {}

/// Writes a place in a module and a colon; nothing if it is not known.
fn at_place(module: &Module<'_>, place: Place, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match place {
        Place::Unknown => return Ok(()),
        Place::Text { line, column, .. } => write!(f, "line {line}, column {column}")?,
        Place::Byte(offset) => write!(f, "byte {offset}")?,
        Place::Unpacked(offset) => write!(f, "unpacked byte {offset}")?,
        Place::Item(item) => match module.items().find(|&(id, _)| id == item) {
            Some((_, item)) => in_item(module, item, f)?,
            None => write!(f, "{item:?}")?,
        },
        Place::Register { func, reg } => {
            in_function(module, func, None, f)?;
            let registers = module.funcs().any(|(id, _)| id == func);
            let registers = registers.then(|| module.func(func).registers());
            let register = registers.and_then(|registers| registers.get(reg.index()));
            match register {
                Some(register) => quoted(module.name_bytes(register.name), ", variable ", f)?,
                None => write!(f, ", {reg:?}")?,
            }
        }
        Place::Insn {
            func,
            insn,
            operand,
        } => {
            in_function(module, func, Some(insn), f)?;
            if operand != u16::MAX {
                write!(f, ", operand {}", u32::from(operand) + 1)?;
            }
        }
    }
    f.write_str(": ")
}

/// Writes bytes of a name in backquotes after some words.
fn quoted(name: &[u8], before: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{before}`{}`", name.escape_ascii())
}

fn in_item(module: &Module<'_>, item: &Item, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match item.name {
        Some(name) => quoted(module.name_bytes(name), "item ", f),
        None => f.write_str("an item without a name"),
    }
}

/// Writes the name of a function and the text of an instruction of it.
fn in_function(
    module: &Module<'_>,
    func: FuncId,
    insn: Option<InsnId>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if !module.funcs().any(|(id, _)| id == func) {
        return write!(f, "{func:?}");
    }
    match module.item(module.func(func).item).name {
        Some(name) => quoted(module.name_bytes(name), "in ", f)?,
        None => f.write_str("in a function without a name")?,
    }
    match insn {
        Some(insn) => at_instruction(module, func, insn, f),
        None => Ok(()),
    }
}

#[cfg(feature = "text")]
fn at_instruction(
    module: &Module<'_>,
    func: FuncId,
    insn: InsnId,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if !module.insns(func).any(|other| other == insn) {
        return write!(f, ", {insn:?}");
    }
    f.write_str(", at `")?;
    let mut is_start = true;
    crate::text::print_insn(module, func, insn, &mut |bytes| {
        for chunk in bytes.utf8_chunks() {
            let text = chunk.valid().trim_end_matches('\n');
            let text = match is_start {
                true => text.trim_start_matches('\t'),
                false => text,
            };
            is_start &= text.is_empty();
            for piece in text.split('\t').enumerate() {
                let (number, piece) = piece;
                f.write_str(if number == 0 { "" } else { " " })?;
                f.write_str(piece)?;
            }
        }
        Ok(())
    })?;
    f.write_str("`")
}

#[cfg(not(feature = "text"))]
fn at_instruction(
    module: &Module<'_>,
    func: FuncId,
    insn: InsnId,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match module.insns(func).position(|other| other == insn) {
        Some(number) => write!(f, ", instruction {number}"),
        None => write!(f, ", {insn:?}"),
    }
}
