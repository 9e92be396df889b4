//! A linked program: its functions, and the places of faults in it.

use super::caller::Callee;
use super::fault::{Fault, Function};
use super::linkage::{Row, Source};
use super::program::Part;
use super::rewrite::local_name;
use super::space::Space;
use super::{FIRST_FUNCTION, HANDLE_STEP};
use crate::ir::{Code, FuncId, InsnId, Module};
use crate::link::{Callable, Context, LinkedModule, Reason, Stopped};
use crate::mem::Entity;
use crate::run::CallError;
use crate::target::Value;

/// A linked program.
#[derive(Clone, Copy)]
pub(super) struct Linked<'p, 'c, 'm> {
    pub(super) context: &'c Context<'m>,
    pub(super) space: &'m Space<'m>,
    pub(super) parts: &'p [Part<'m>],
    pub(super) rows: &'p [Row],
    pub(super) functions: &'p [[u64; 2]],
}

impl<'c, 'm> Linked<'_, 'c, 'm> {
    /// Returns the function with a callable at this address, and the number of its module.
    pub(super) fn find(&self, callable: usize) -> Option<(usize, &'c LinkedModule<'m>, FuncId)> {
        let context: &'c Context<'m> = self.context;
        self.parts.iter().enumerate().find_map(|(number, part)| {
            let linked = context.module(part.number)?;
            let is_it = |other: &&Callable<'m>| core::ptr::from_ref(*other).addr() == callable;
            let (_, func) = linked.callables().iter().find(is_it)?.func()?;
            Some((number, linked, func))
        })
    }

    /// Returns the number of an instruction as it was loaded, by its number as it runs.
    pub(super) fn origin(
        &self,
        number: usize,
        linked: &LinkedModule<'m>,
        func: FuncId,
        insn: u32,
    ) -> Option<u32> {
        // A function's instructions were made one after the other.
        let first = linked.module().func(func).first()?.index();
        let origins = &self.parts.get(number)?.origins;
        origins.get(first + insn as usize).copied()
    }

    /// Returns the fault of a run that stopped at a place in code or in an interpreter inside.
    pub(super) fn fault_at(&self, stopped: &Stopped) -> Fault {
        let Some((_, linked, func)) = self.find(stopped.callable) else {
            return Fault::new(stopped.reason);
        };
        let module = linked.module();
        // A function's instructions were made one after the other.
        let first = module.func(func).first().map_or(0, |insn| insn.index());
        let insn = stopped.instruction.map(|number| first + number as usize);
        self.fault(stopped.reason, module, func, insn)
    }

    /// Returns the fault that ended a call of compiled code.
    pub(super) fn fault_of_call(&self, error: CallError) -> Fault {
        match error {
            CallError::Fault(fault) => self.fault_at(&fault.stopped()),
            CallError::OutOfMemory => Fault::new(Reason::OutOfMemory),
            CallError::Function(_) => Fault::new(Reason::Signature),
            CallError::TooLarge => Fault::new(Reason::TooLarge),
        }
    }

    /// Returns the fault at an instruction, by its number in the rewritten module.
    pub(super) fn fault(
        &self,
        reason: Reason,
        module: &Module<'m>,
        func: FuncId,
        insn: Option<usize>,
    ) -> Fault {
        let is_it = |part: &Part<'m>| {
            let linked = self.context.module(part.number);
            linked.is_some_and(|linked| core::ptr::eq(linked.module(), module))
        };
        let number = self.parts.iter().position(is_it);
        let origins = number.map(|number| &self.parts[number].origins);
        let insn = match reason {
            Reason::OutOfFuel => insn.map(|insn| first_of_block(module, insn)),
            _ => insn,
        };
        Fault {
            reason,
            function: number.map(|number| Function {
                module: number as u32,
                func,
            }),
            instruction: insn.and_then(|insn| origins?.get(insn).copied()),
        }
    }

    /// Returns a function of the program by its name or value, if it takes and gives so many
    /// values.
    pub(super) fn callable(
        &self,
        callee: Callee<'_>,
        arguments: &[Value],
        results: &[Value],
    ) -> Result<&'c Callable<'m>, Fault> {
        match callee {
            Callee::Name(name) => self.exported(name, arguments, results),
            Callee::Value(value) => {
                let found = self.valued(value);
                let found = found.ok_or(Fault::new(Reason::BadFunction(value)))?;
                Linked::fitting(found, arguments, results)
            }
        }
    }

    /// Returns the function with this value in the program, unless it is an import or left out.
    pub(super) fn valued(&self, value: u64) -> Option<(&'c LinkedModule<'m>, FuncId)> {
        let offset = value.wrapping_sub(FIRST_FUNCTION);
        let is_one = offset.is_multiple_of(HANDLE_STEP);
        let number = is_one.then_some(offset / HANDLE_STEP)?;
        self.numbered(usize::try_from(number).ok()?)
    }

    /// Returns the exported function of this name, if it takes and gives so many values.
    fn exported(
        &self,
        name: &[u8],
        arguments: &[Value],
        results: &[Value],
    ) -> Result<&'c Callable<'m>, Fault> {
        let found = { self.parts.iter() }.find_map(|part| self.exported_by(part.number, name));
        let (linked, func) = found.ok_or(Fault::new(Reason::NotLinked))?;
        Linked::fitting((linked, func), arguments, results)
    }

    /// Returns the callable of a function, if it takes and gives so many values.
    fn fitting(
        (linked, func): (&'c LinkedModule<'m>, FuncId),
        arguments: &[Value],
        results: &[Value],
    ) -> Result<&'c Callable<'m>, Fault> {
        let signature = &linked.module().func(func).signature;
        let fits = linked.module().args(signature).len() == arguments.len()
            && linked.module().results(signature).len() == results.len();
        match fits {
            true => Ok(linked.callable(func)),
            false => Err(Fault::new(Reason::Signature)),
        }
    }

    /// Returns the function of the program of this number, unless it is an import or left out.
    fn numbered(&self, number: usize) -> Option<(&'c LinkedModule<'m>, FuncId)> {
        let &[signature, _] = self.functions.get(number)?;
        let Source::Module { module, func } = self.rows.get(number)?.source else {
            return None;
        };
        let part = self.parts.get(module as usize)?;
        let linked = self.context.module(part.number)?;
        (signature != u64::MAX).then_some((linked, func))
    }

    pub(super) fn exported_by(
        &self,
        number: usize,
        name: &[u8],
    ) -> Option<(&'c LinkedModule<'m>, FuncId)> {
        let context: &'c Context<'m> = self.context;
        let linked = context.module(number)?;
        let module = linked.module();
        let is_it = |item: crate::ir::ItemId| {
            let its_name = module.item(item).name;
            let its_name = its_name.map_or(&b""[..], |name| module.name_bytes(name));
            module.is_exported(item) && local_name(its_name) == name
        };
        let mut funcs = module.funcs();
        let (func, _) = funcs.find(|(_, function)| is_it(function.item))?;
        Some((linked, func))
    }
}

/// Returns the number of the first instruction of the block that this one is in. Fuel is charged
/// for a block as a whole, but an engine may do several of its instructions as one, and knows the
/// last of them.
fn first_of_block(module: &Module<'_>, insn: usize) -> usize {
    let mut first = InsnId::new(insn as u32);
    while let Some(before) = module.previous(first) {
        let code = module.code(before);
        if code == Code::Label || code.ends_block() {
            break;
        }
        first = before;
    }
    first.index()
}
