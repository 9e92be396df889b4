//! The translation of a program, function by function.

use crate::body::{Body, CALLED, MAIN};
use crate::decode::{Instruction, Meaning};
use crate::{Error, Helpers, Problem};
use core::fmt::Write;
use mir_nostd::ir::{self, FuncId, Label, Module};
use mir_nostd::mem::{Allocator, OutOfMemory, Vec};
use mir_nostd::target::Target;

/// Translates a program, whose instructions are in the byte order of `target`, to a module that
/// exports `main`.
///
/// ```
/// use example_ebpf::{Helpers, translate};
/// let program = *b"\xb7\0\0\0\x2a\0\0\0\x95\0\0\0\0\0\0\0"; // r0 = 42; exit
/// let target = target_all::backend("x86_64").unwrap().target();
/// let module = translate(&program, Helpers(&[]), target, &mir_host::SystemAllocator).unwrap();
/// assert_eq!(module.funcs().len(), 1);
/// ```
///
/// # Errors
///
/// An instruction that is wrong, or left out here; out of memory.
pub fn translate<'m>(
    program: &[u8],
    helpers: Helpers<'_>,
    target: &Target,
    allocator: &'m dyn Allocator,
) -> Result<Module<'m>, Error> {
    let slots = decode(program, target, allocator)?;
    let module = Module::new(allocator, b"ebpf", target.long_double);
    let mut translator = Translator {
        helpers,
        big_endian: target.big_endian,
        module: module.map_err(|error| Problem::Build(error).at(0))?,
        slots,
    };
    translator.declare_functions()?;
    let mut start = 0;
    while start < translator.slots.len() {
        start = translator.function(start)?;
    }
    Ok(translator.module)
}

/// A slot of eight bytes of the program.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The instruction that begins here; the second slot of a wide one has none.
    instruction: Option<Instruction>,
    /// The function that begins here.
    func: Option<FuncId>,
    /// The label of jumps to here.
    label: Option<Label>,
}

/// Decodes the whole program.
fn decode<'m>(
    program: &[u8],
    target: &Target,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, Slot>, Error> {
    let (words, rest) = program.as_chunks::<8>();
    if words.is_empty() || !rest.is_empty() {
        return Err(Problem::CutShort.at(words.len()));
    }
    let mut slots = Vec::new(allocator);
    while let Some(&word) = words.get(slots.len()) {
        let at = slots.len();
        let next = words.get(at + 1).copied();
        let decoded = Instruction::decode(word, next, target.big_endian);
        let decoded = decoded.map_err(|problem| problem.at(at))?;
        let end = at + 1 + usize::from(decoded.row.meaning == Meaning::Wide);
        let grown = slots.resize(end, Slot::default());
        grown.map_err(|error| Problem::Build(error.into()).at(at))?;
        if let Some(slot) = slots.get_mut(at) {
            slot.instruction = Some(decoded);
        }
    }
    Ok(slots)
}

/// Returns the number of the slot at this distance from the one after `at`.
fn target_of(at: usize, distance: i64) -> Option<usize> {
    let distance = isize::try_from(distance).ok()?;
    at.checked_add(1)?.checked_add_signed(distance)
}

/// Returns the slot of this number, if an instruction begins there.
fn begun(slots: &mut [Slot], at: usize) -> Result<&mut Slot, Problem> {
    let slot = slots.get_mut(at);
    let slot = slot.filter(|slot| slot.instruction.is_some());
    slot.ok_or(Problem::Target)
}

/// A translation under way.
struct Translator<'a, 'm> {
    helpers: Helpers<'a>,
    big_endian: bool,
    module: Module<'m>,
    slots: Vec<'m, Slot>,
}

impl Translator<'_, '_> {
    fn instruction(&self, at: usize) -> Option<Instruction> {
        self.slots.get(at)?.instruction
    }

    /// Declares `main` and each function that is called.
    fn declare_functions(&mut self) -> Result<(), Error> {
        self.declare(0).map_err(|problem| problem.at(0))?;
        for at in 0..self.slots.len() {
            if let Some(instruction) = self.instruction(at)
                && instruction.row.meaning == Meaning::CallLocal
            {
                let target = target_of(at, instruction.imm).ok_or(Problem::Target);
                let declared = target.and_then(|target| self.declare(target));
                declared.map_err(|problem| problem.at(at))?;
            }
        }
        Ok(())
    }

    /// Declares the function that begins at `start`, if it is not declared yet.
    fn declare(&mut self, start: usize) -> Result<(), Problem> {
        let slot = begun(&mut self.slots, start)?;
        if slot.func.is_some() {
            return Ok(());
        }
        let func = if start == 0 {
            self.module.export(b"main")?;
            self.module.add_func(b"main", MAIN)?
        } else {
            let number = u32::try_from(start).map_err(|_| Problem::Target)?;
            let name = numbered(self.module.allocator(), "local_", number)?;
            self.module.add_func(&name, CALLED)?
        };
        slot.func = Some(func);
        Ok(())
    }

    /// Translates the function that begins at `start`; returns the number of the slot after it.
    fn function(&mut self, start: usize) -> Result<usize, Error> {
        let slot = self.slots.get(start).and_then(|slot| slot.func);
        let func = slot.ok_or(Problem::Target.at(start))?;
        let rest = self.slots.get(start + 1..).unwrap_or(&[]);
        let len = rest.iter().position(|slot| slot.func.is_some());
        let end = start + 1 + len.unwrap_or(rest.len());
        let used = self.survey(start, end)?;
        let func = self.module.resume_func(func);
        let body = Body::begin(func, used, self.big_endian);
        let mut body = body.map_err(|error| Problem::from(error).at(start))?;
        for at in start..end {
            let placed = place(&mut body, &self.slots, self.helpers, at);
            placed.map_err(|problem| problem.at(at))?;
        }
        Ok(end)
    }

    /// Makes the labels of a function and returns the registers that it uses, a bit for each.
    fn survey(&mut self, start: usize, end: usize) -> Result<u16, Error> {
        let (mut used, mut last) = (0, (start, Meaning::Wide));
        for at in start..end {
            let Some(instruction) = self.instruction(at) else {
                continue;
            };
            used |= instruction.registers();
            last = (at, instruction.row.meaning);
            if let Some(distance) = instruction.jump() {
                let target = target_of(at, distance).filter(|to| (start..end).contains(to));
                let target = target.ok_or(Problem::Target);
                let made = target.and_then(|target| self.make_label(target));
                made.map_err(|problem| problem.at(at))?;
            }
        }
        match last {
            (_, Meaning::Exit | Meaning::Jump) => Ok(used),
            (at, _) => Err(Problem::RunsOffEnd.at(at)),
        }
    }

    fn make_label(&mut self, target: usize) -> Result<(), Problem> {
        let slot = begun(&mut self.slots, target)?;
        if slot.label.is_none() {
            slot.label = Some(self.module.new_label()?);
        }
        Ok(())
    }
}

/// Translates what begins in a slot, with the label of jumps to it.
fn place(
    body: &mut Body<'_, '_>,
    slots: &[Slot],
    helpers: Helpers<'_>,
    at: usize,
) -> Result<(), Problem> {
    let slot = slots.get(at);
    if let Some(label) = slot.and_then(|slot| slot.label) {
        body.label(label)?;
    }
    let Some(instruction) = slot.and_then(|slot| slot.instruction) else {
        return Ok(());
    };
    let target = |distance| target_of(at, distance).and_then(|target| slots.get(target));
    match instruction.row.meaning {
        Meaning::CallHelper => {
            let number = instruction.imm as u32;
            if !helpers.0.contains(&number) {
                return Err(Problem::Helper(number));
            }
            body.call_helper(number)?;
        }
        Meaning::CallLocal => {
            let called = target(instruction.imm).and_then(|slot| slot.func);
            body.call_local(called.ok_or(Problem::Target)?)?;
        }
        _ => match instruction.jump() {
            Some(distance) => {
                let label = target(distance).and_then(|slot| slot.label);
                body.jump(&instruction, label.ok_or(Problem::Target)?)?;
            }
            None => body.plain(&instruction)?,
        },
    }
    Ok(())
}

/// Returns a name that ends in a number.
pub(crate) fn numbered<'m>(
    allocator: &'m dyn Allocator,
    name: &str,
    number: u32,
) -> ir::Result<Vec<'m, u8>> {
    let mut text = Vec::new(allocator);
    write!(text, "{name}{number}").map_err(|_| OutOfMemory)?;
    Ok(text)
}
