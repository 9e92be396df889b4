//! Lists of variable arguments: records in the program's memory, in the platform's form, all of
//! whose arguments are in memory.

use super::Body;
use super::operands::at_address;
use crate::ir::{Code, InsnId, Operand, Problem, Reg, Result, Type};
use crate::link::Access;
use crate::mem::Entity;
use crate::target::{Argument, ArgumentKind, Cursor, Location, Target, VariableArguments};

/// The place of a variable argument in a list that is all in memory.
pub(super) struct VariableArgument {
    /// Its offset, or that of its address.
    pub(super) at: i64,
    /// The offset of the argument itself, if it is passed by its address.
    pub(super) copy: Option<i64>,
    bytes: u64,
    by_address: bool,
}

impl VariableArgument {
    /// Places the next argument.
    pub(super) fn place(
        target: &'static Target,
        cursor: &mut Cursor,
        argument: Argument,
    ) -> Result<VariableArgument> {
        let placement = (target.abi.place_argument)(cursor, argument, ArgumentKind::Variable);
        let placement = placement.map_err(|_| Problem::CallTooLarge)?;
        let at = match placement.pieces().first().map(|piece| piece.at) {
            Some(Location::Memory(at)) => i64::from(at),
            _ => 0,
        };
        Ok(VariableArgument {
            at,
            copy: None,
            bytes: argument.bytes(),
            by_address: placement.by_address,
        })
    }

    /// Places the argument itself at the end of so many bytes, if it is passed by address; returns
    /// the bytes with it.
    pub(super) fn place_copy(&mut self, bytes: u64) -> u64 {
        if !self.by_address {
            return bytes;
        }
        self.copy = Some(bytes.cast_signed());
        bytes + self.bytes.next_multiple_of(16)
    }
}

/// The way in which a list gives arguments of one type.
struct Step {
    /// True if they are at multiples of 16.
    is_aligned: bool,
    bytes: i64,
    by_address: bool,
}

/// Returns the step of a list for arguments of this type.
fn step(target: &'static Target, argument: Argument) -> Result<Step> {
    let mut cursor = target.abi.exhausted;
    VariableArgument::place(target, &mut cursor, Argument::scalar(Type::I64))?;
    let before = cursor.stack;
    let placed = VariableArgument::place(target, &mut cursor, argument)?;
    let taken = i64::from(cursor.stack) - i64::from(before);
    let is_aligned = taken > 0 && placed.at > i64::from(before);
    Ok(Step {
        is_aligned,
        bytes: match is_aligned {
            true => i64::from(cursor.stack) - placed.at,
            false => taken,
        },
        by_address: placed.by_address,
    })
}

/// The most words of a list.
const MOST_WORDS: usize = 4;

/// A word of a new list.
#[derive(Clone, Copy)]
enum Word {
    Constant(i64),
    /// The address of the arguments, plus this.
    Arguments(i64),
}

/// Returns the words of a list whose arguments are all in memory, by making two that differ in
/// where that is.
#[expect(unsafe_code, reason = "lists are made in memory")]
fn words(target: &'static Target) -> ([Word; MOST_WORDS], usize) {
    let operations = &target.abi.va_list;
    let count = (operations.bytes as usize / 8).min(MOST_WORDS);
    let made = |address: usize| {
        let mut list = [0_i64; MOST_WORDS];
        let arguments = VariableArguments {
            named: target.abi.exhausted,
            image: core::ptr::null_mut(),
            stack: core::ptr::without_provenance_mut(address),
        };
        // SAFETY: there is room for the list; addresses are only computed with.
        unsafe { (operations.start)(list.as_mut_ptr().cast(), &arguments) };
        list
    };
    let (first, second) = (made(0x1000), made(0x2000));
    let mut words = [Word::Constant(0); MOST_WORDS];
    for (number, word) in words.iter_mut().enumerate() {
        *word = match first[number] == second[number] {
            true => Word::Constant(first[number]),
            false => Word::Arguments(first[number] - 0x1000),
        };
    }
    (words, count)
}

impl Body<'_, '_, '_> {
    /// Returns the type as which an operand is passed as variable argument.
    pub(super) fn variable_argument(&self, operand: Operand) -> Argument {
        match operand {
            Operand::Mem(mem) if mem.ty.is_block() => {
                Argument::block(mem.ty, mem.disp.cast_unsigned())
            }
            _ => Argument::scalar(self.type_of(operand)),
        }
    }

    /// Emits the store of a list for the function's variable arguments.
    pub(super) fn list_start(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        let list = self.list_address(operands[0])?;
        let arguments = Reg::new(self.old().func(self.func).arg_count() as u32);
        let (words, count) = words(self.environment().target);
        for (number, word) in words.iter().take(count).enumerate() {
            let value = match *word {
                Word::Constant(value) => Operand::Int(value),
                Word::Arguments(0) => arguments.into(),
                Word::Arguments(more) => self.binary(Code::Add, arguments, more)?.into(),
            };
            let at = self.binary(Code::Add, list, 8 * number as i64)?;
            let to = self.access_at(at_address(Type::I64, at.into()), Access::Write)?;
            self.emit(Code::Mov, (to, value))?;
        }
        Ok(())
    }

    fn list_address(&mut self, operand: Operand) -> Result<Reg> {
        let value = self.value(operand)?;
        let list = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (list, value))?;
        Ok(list)
    }

    /// Emits code that takes the next argument of this type off a list; returns its address.
    fn next_argument(&mut self, list: Operand, argument: Argument) -> Result<Reg> {
        let list = self.list_address(list)?;
        let target = self.environment().target;
        let (words, _) = words(target);
        let word = { words.iter() }.position(|word| matches!(word, Word::Arguments(_)));
        let at = 8 * word.unwrap_or(0) as i64;
        let place = self.binary(Code::Add, list, at)?;
        let from = self.access_at(at_address(Type::I64, place.into()), Access::Read)?;
        let next = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (next, from))?;
        let step = step(target, argument)?;
        if step.is_aligned {
            self.emit(Code::Add, (next, next, 15))?;
            self.emit(Code::And, (next, next, -16))?;
        }
        let after = self.binary(Code::Add, next, step.bytes)?;
        let to = self.access_at(at_address(Type::I64, place.into()), Access::Write)?;
        self.emit(Code::Mov, (to, after))?;
        if step.by_address {
            let from = self.access_at(at_address(Type::I64, next.into()), Access::Read)?;
            self.emit(Code::Mov, (next, from))?;
        }
        Ok(next)
    }

    pub(super) fn list_argument(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        let Operand::Mem(mem) = operands[2] else {
            return Err(Problem::OperandCount.into());
        };
        let next = self.next_argument(operands[1], Argument::scalar(mem.ty))?;
        let size = i64::from(mem.ty.size());
        if self.environment().target.big_endian && mem.ty.is_int() && size < 8 {
            self.emit(Code::Add, (next, next, 8 - size))?;
        }
        self.set(operands[0], Type::I64, next.into())
    }

    /// Emits the copy of a block argument, whose size and class are constants.
    pub(super) fn list_block(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        let constant = |operand| match operand {
            Operand::Int(value) => Ok(value),
            Operand::Uint(value) => Ok(value.cast_signed()),
            _ => Err(Problem::ConfinedInsn),
        };
        let (size, class) = (constant(operands[2])?, constant(operands[3])?);
        let ty = Type::block_of_class(class);
        let bytes = size.cast_unsigned();
        let from = self.next_argument(operands[1], Argument::block(ty, bytes))?;
        if bytes == 0 {
            return Ok(());
        }
        let to = self.value(operands[0])?;
        let limit = self.limit(bytes);
        let windows = self.environment().windows.cast_signed();
        let to = self.in_operand(to)?;
        let place = self.reach(
            at_address(Type::U8, to),
            limit,
            bytes,
            Access::Write,
            windows,
        )?;
        let to = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (to, place))?;
        self.copy_block(to.into(), from.into(), bytes)
    }
}
