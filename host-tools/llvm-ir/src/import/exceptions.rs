//! Imports exceptions: `invoke`, `landingpad`, `resume`, `llvm.eh.typeid.for`.
//!
//! Medium IR has no instruction for them. An `invoke` becomes a call of
//!
//! ```c
//! void mir_try(void (*call)(struct context *), struct context *context);
//! struct context {
//!     void *exception; int64_t selector; const int64_t *clauses; int64_t unused; /* values */
//! };
//! ```
//!
//! which calls `call(context)`. That is a function made here, which takes the arguments from the
//! values in `context`, makes the call of the `invoke`, and stores the results there. `mir_try` is
//! native code that has a personality: if an exception comes out of the call that the clauses of
//! the landing pad name, or any if the pad is a cleanup, it returns as if the call had returned,
//! with the exception and what `landingpad` selects in the context; `exception` is null otherwise.
//! So each unwinder's two phases are kept, while all engines and objects need nothing but calls,
//! and frames that can be unwound.
//!
//! The clauses are words: for `catch` a positive selector and the address of a type information, 0
//! for any; for `filter` a negative selector, a count, and so many addresses; at the end 0, and 1
//! for a cleanup, else 0.

use super::function::Lower;
use super::parts::Kind;
use super::values::Held;
use super::{Importer, broken};
use crate::ast::{BlockId, Call, Clause, Const, LandingPad, LocalId, Op, Typed, Value};
use crate::error::{Result, SourcePosition};
use mir_nostd::ir::{
    ArgSpec, Code, ItemId, Mem, Operand, Position, Reg, SignatureSpec, Type as MediumType,
};
use std::collections::HashMap;

/// The offsets of the context's fields.
const EXCEPTION: i64 = 0;
const SELECTOR: i64 = 8;
const CLAUSES: i64 = 16;
const VALUES: i64 = 32;
/// The bytes that a value takes there: as many as the largest.
const VALUE: i64 = 16;

/// The function that makes a call and returns also if that throws.
const TRY: &str = "mir_try";

/// An address of a global; `None` is null.
type Address = Option<(String, i64)>;

/// A word of a table of clauses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Word {
    Int(i64),
    Type(Address),
}

/// An operand of a call that a function made here makes.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Constant(Operand),
    /// A value of this type at this offset of the context.
    Argument(MediumType, i64),
    /// A block whose address is at this offset.
    Block(Mem, i64),
    Result(MediumType, i64),
}

/// The items that exceptions need beside the code of functions: it follows that.
#[derive(Default)]
pub(super) struct Exceptions {
    /// The numbers of types, by which landing pads select.
    types: HashMap<Address, i64>,
    tables: Vec<(ItemId, String, Vec<Word>)>,
    known_tables: HashMap<Vec<Word>, ItemId>,
    calls: Vec<(String, Vec<Operation>)>,
    /// The functions that make calls, by what they do.
    known_calls: HashMap<String, ItemId>,
}

/// The memory of a function by which it and the calls of its `invoke`s exchange values.
#[derive(Clone, Copy)]
pub(super) struct TryContext {
    address: Reg,
    size: i64,
}

/// Returns the instruction that moves a value of a type.
const fn mov(ty: MediumType) -> Code {
    match ty {
        MediumType::F => Code::Fmov,
        MediumType::D => Code::Dmov,
        MediumType::Ld => Code::Ldmov,
        _ => Code::Mov,
    }
}

impl<'s> Lower<'_, 's, '_> {
    /// Emits the call of an `invoke`. The operands are those of the call: the prototype, the
    /// callee, so many results, the arguments.
    pub(super) fn try_call(
        &mut self,
        operands: &[Operand],
        results: usize,
        unwind: BlockId,
    ) -> Result<()> {
        let clauses = self.clauses(unwind)?;
        let context = self.try_context()?;
        let (before, rest) = operands.split_at(2.min(operands.len()));
        let (received, arguments) = rest.split_at(results.min(rest.len()));
        let (mut size, mut results_size) = (VALUES, VALUES);
        let mut operations = Vec::new();
        for &operand in before {
            operations.push(self.pass_to_try(operand, &mut size)?);
        }
        let mut results = Vec::new();
        for &operand in received {
            let Operand::Reg(reg) = operand else { continue };
            let ty = self.register_class(reg);
            results.push((reg, Mem::new(ty, results_size, context)));
            operations.push(Operation::Result(ty, results_size));
            results_size += VALUE;
        }
        for &operand in arguments {
            operations.push(self.pass_to_try(operand, &mut size)?);
        }
        if let Some(context) = &mut self.try_context {
            context.size = context.size.max(size).max(results_size);
        }
        let word = |at| Mem::new(MediumType::I64, at, context);
        self.emit(Code::Mov, (word(EXCEPTION), 0))?;
        self.emit(Code::Mov, (word(CLAUSES), clauses))?;
        let function = Held::Item(self.importer.calling_function(&operations)?, 0);
        let pointer = Kind::Int(64);
        let args = [(pointer, function), (pointer, Held::Reg(context))];
        self.call_library_parts(TRY, &[], &args)?;
        for (reg, memory) in results {
            self.emit(mov(memory.ty), (reg, memory))?;
        }
        self.is_tried = true;
        Ok(())
    }

    /// Stores an operand of a call in the context, which ends at `size`, unless it is constant.
    fn pass_to_try(&mut self, operand: Operand, size: &mut i64) -> Result<Operation> {
        let context = self.try_context()?;
        let at = *size;
        let (operation, ty, reg) = match operand {
            Operand::Reg(reg) => {
                let ty = self.register_class(reg);
                (Operation::Argument(ty, at), ty, reg)
            }
            Operand::Mem(memory) => {
                let Some(base) = memory.base.filter(|_| memory.ty.is_block()) else {
                    return self.unsupported("this argument of an `invoke`");
                };
                (Operation::Block(memory, at), MediumType::I64, base)
            }
            constant => return Ok(Operation::Constant(constant)),
        };
        *size += VALUE;
        self.emit(mov(ty), (Mem::new(ty, at, context), reg))?;
        Ok(operation)
    }

    /// Ends a block with an `invoke`.
    pub(super) fn invoked(
        &mut self,
        normal: BlockId,
        unwind: BlockId,
        block: BlockId,
        next: Option<BlockId>,
    ) -> Result<()> {
        let context = self
            .try_context
            .filter(|_| core::mem::take(&mut self.is_tried));
        let Some(context) = context else {
            // The callee cannot throw.
            self.flow(block, normal)?;
            return self.jump(normal, next);
        };
        let exception = self.temp(Kind::Int(64))?;
        let memory = Mem::new(MediumType::I64, EXCEPTION, context.address);
        self.emit(Code::Mov, (exception, memory))?;
        let edge = self.new_label()?;
        self.emit(Code::Bt, (edge, exception))?;
        self.flow(block, normal)?;
        self.emit(Code::Jmp, (self.labels[normal.0 as usize],))?;
        self.place_label(edge)?;
        self.flow(block, unwind)?;
        self.jump(unwind, next)
    }

    /// Takes the exception and what it was selected by.
    pub(super) fn landing_pad(&mut self, result: LocalId) -> Result<()> {
        let context = self.try_context()?;
        let regs = self.result_regs(result)?;
        let [exception, selector] = *regs.as_slice() else {
            return self.unsupported("a `landingpad` of such a type");
        };
        for (reg, at) in [(exception, EXCEPTION), (selector, SELECTOR)] {
            let memory = Mem::new(MediumType::I64, at, context);
            self.emit(Code::Mov, (reg, memory))?;
        }
        Ok(())
    }

    pub(super) fn resume(&mut self, (ty, exception): &Typed) -> Result<()> {
        let held = self.value(*ty, exception)?;
        let Some(&exception) = held.first() else {
            return self.unsupported("`resume` of such a type");
        };
        let args = [(Kind::Int(64), exception)];
        self.call_library_parts("_Unwind_Resume", &[], &args)?;
        self.never()
    }

    /// Defines the result of `llvm.eh.typeid.for`.
    pub(super) fn type_number(&mut self, result: LocalId, call: &Call) -> Result<()> {
        let ty = match call.args.first().map(|arg| &arg.value) {
            Some(Value::Const(ty)) => self.importer.type_address(ty, self.place)?,
            _ => return self.unsupported("llvm.eh.typeid.for of what is no constant"),
        };
        let number = self.importer.exceptions.number(ty);
        self.define(result, vec![Held::Int(number)])
    }

    /// Allocates the context whose address was used, at the function's start.
    pub(super) fn allocate_try_context(&mut self) -> Result<()> {
        let Some(TryContext { address, size }) = self.try_context else {
            return Ok(());
        };
        let position = match self.importer.module.insns(self.func).next() {
            Some(first) => Position::Before(first),
            None => Position::End,
        };
        let module = &mut self.importer.module;
        let added = module.insert(self.func, position, Code::Alloca, (address, size));
        added.map_err(broken(self.place))?;
        Ok(())
    }

    fn try_context(&mut self) -> Result<Reg> {
        if let Some(context) = self.try_context {
            return Ok(context.address);
        }
        let address = self.temp(Kind::Int(64))?;
        let size = VALUES;
        self.try_context = Some(TryContext { address, size });
        Ok(address)
    }

    fn register_class(&self, reg: Reg) -> MediumType {
        let registers = self.importer.module.func(self.func).registers();
        let register = registers.get(mir_nostd::mem::Entity::index(reg));
        register.map_or(MediumType::I64, |register| register.ty)
    }

    /// Returns the table of the clauses of the landing pad that a block begins with.
    fn clauses(&mut self, block: BlockId) -> Result<ItemId> {
        let mut insns = self.body.blocks[block.0 as usize].insns.iter();
        let pad = insns.find_map(|insn| match &insn.op {
            Op::LandingPad(pad) => Some(&**pad),
            _ => None,
        });
        match pad {
            Some(pad) => self.importer.clause_table(pad, self.place),
            None => self.unsupported("an `invoke` that unwinds to a block without `landingpad`"),
        }
    }
}

impl Exceptions {
    /// Returns the number of a type, from 1.
    fn number(&mut self, ty: Address) -> i64 {
        let next = self.types.len() as i64 + 1;
        *self.types.entry(ty).or_insert(next)
    }
}

impl Importer<'_, '_> {
    fn type_address(&self, ty: &Const, place: SourcePosition) -> Result<Address> {
        if *ty == Const::Zero {
            return Ok(None);
        }
        let address = self.resolve_address(ty);
        match address {
            Some(address) => Ok(Some(address)),
            None => Err(place.error("the type of an exception is the address of a global")),
        }
    }

    fn clause_table(&mut self, pad: &LandingPad, place: SourcePosition) -> Result<ItemId> {
        let mut words = Vec::new();
        let mut filters = 0;
        for clause in &pad.clauses {
            match clause {
                Clause::Catch(ty) => {
                    let ty = self.type_address(ty, place)?;
                    words.push(Word::Int(self.exceptions.number(ty.clone())));
                    words.push(Word::Type(ty));
                }
                Clause::Filter(types) => {
                    filters += 1;
                    words.push(Word::Int(-filters));
                    words.push(Word::Int(types.len() as i64));
                    for ty in types {
                        words.push(Word::Type(self.type_address(ty, place)?));
                    }
                }
            }
        }
        words.extend([Word::Int(0), Word::Int(i64::from(pad.is_cleanup))]);
        if let Some(&known) = self.exceptions.known_tables.get(&words) {
            return Ok(known);
        }
        let name = format!("$clauses{}", self.exceptions.tables.len() + 1);
        let item = self.library_function(&name)?;
        let tables = &mut self.exceptions.tables;
        tables.push((item, name, words.clone()));
        self.exceptions.known_tables.insert(words, item);
        Ok(item)
    }

    /// Returns the function that makes a call with the values in a context.
    fn calling_function(&mut self, operations: &[Operation]) -> Result<ItemId> {
        let key = format!("{operations:?}");
        if let Some(&known) = self.exceptions.known_calls.get(&key) {
            return Ok(known);
        }
        let name = format!("$try{}", self.exceptions.calls.len() + 1);
        let item = self.library_function(&name)?;
        self.exceptions.calls.push((name, operations.to_vec()));
        self.exceptions.known_calls.insert(key, item);
        Ok(item)
    }

    /// Adds what the exceptions of all functions need.
    pub(super) fn finish_exceptions(&mut self) -> Result<()> {
        let exceptions = core::mem::take(&mut self.exceptions);
        for (name, operations) in &exceptions.calls {
            self.add_calling_function(name, operations)
                .map_err(broken(SourcePosition::default()))?;
        }
        for (_, name, words) in &exceptions.tables {
            self.add_table(name, words)?;
        }
        Ok(())
    }

    fn add_calling_function(
        &mut self,
        name: &str,
        operations: &[Operation],
    ) -> mir_nostd::ir::Result<()> {
        let args = [ArgSpec::new(MediumType::I64, "context")];
        let spec = SignatureSpec {
            args: &args,
            ..SignatureSpec::default()
        };
        let mut func = self.module.build_func(name, spec)?;
        let context = func.arg(0);
        let (mut operands, mut results) = (Vec::new(), Vec::new());
        for (number, &operation) in operations.iter().enumerate() {
            let name = format!("v{number}");
            operands.push(match operation {
                Operation::Constant(operand) => operand,
                Operation::Argument(ty, at) => {
                    let reg = func.local(ty, &name)?;
                    func.emit(mov(ty), (reg, Mem::new(ty, at, context)))?;
                    Operand::Reg(reg)
                }
                Operation::Block(memory, at) => {
                    let ty = MediumType::I64;
                    let base = func.local(ty, &name)?;
                    func.emit(mov(ty), (base, Mem::new(ty, at, context)))?;
                    let base = Some(base);
                    Operand::Mem(Mem { base, ..memory })
                }
                Operation::Result(ty, at) => {
                    let reg = func.local(ty, &name)?;
                    results.push((ty, at, reg));
                    Operand::Reg(reg)
                }
            });
        }
        func.emit(Code::Call, operands.as_slice())?;
        for (ty, at, reg) in results {
            func.emit(mov(ty), (Mem::new(ty, at, context), reg))?;
        }
        func.emit(Code::Ret, ())?;
        func.finish()?;
        Ok(())
    }

    fn add_table(&mut self, name: &str, words: &[Word]) -> Result<()> {
        let place = SourcePosition::default();
        let mut name = Some(name.as_bytes());
        for word in words {
            let added = match word {
                Word::Int(_) | Word::Type(None) => {
                    let number = match word {
                        Word::Int(number) => *number,
                        Word::Type(_) => 0,
                    };
                    let bytes = match self.target.big_endian {
                        true => number.to_be_bytes(),
                        false => number.to_le_bytes(),
                    };
                    self.module.data(name.take(), MediumType::U8, &bytes)
                }
                Word::Type(Some((symbol, offset))) => {
                    let known = self.symbol(symbol);
                    let known =
                        known.ok_or_else(|| place.error(format!("@{symbol} is not defined")))?;
                    let offset = known.offset.wrapping_add(*offset);
                    self.module.ref_data(name.take(), known.item, offset)
                }
            };
            added.map_err(broken(place))?;
        }
        Ok(())
    }
}
