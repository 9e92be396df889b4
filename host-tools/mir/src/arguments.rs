//! This module finds the registers that hold the arguments of an optimised function, for debuggers.
//!
//! An argument that nothing assigns has one value from the entry of the function to its end. The
//! calling convention says in which register that value comes, and the code that was made says
//! which instructions copy or overwrite it. So a register holds the argument at a place of the code
//! if it does on all ways to there: that is a forward analysis of the finished code, which trusts
//! no optimisation, and costs the compiler nothing. What it does not find has no place: values in
//! the frame, those that came on the stack, and those that are extended at the entry.

use crate::memory::MEMORY;
use crate::unwind::number;
use gimli::Register;
use mir_nostd::codegen::{Compiler, Emitter, Granularity, edges};
use mir_nostd::ir::{self, Code, FuncId, ItemKind, Module, Type};
use mir_nostd::machine::{BlockId, Function, InsnId, Operand, Reg, UnitSet};
use mir_nostd::mem::{Entity, OutOfMemory};
use mir_nostd::target::{
    Argument, ArgumentKind, Cursor, InsnFlags, Isa, Location, OperandRow, ResultCursor,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A part of a function's code, by its first offset and the one after it, in which a variable is
/// in a register.
pub(crate) type Range = (u32, u32, Register);

/// The arguments that registers hold at a place of the code: pairs of an argument and the row of a
/// register.
type Held = BTreeSet<(usize, u16)>;

/// Returns for variables of a function of Medium IR, which was compiled last, by their numbers, the
/// ranges in which a register holds them.
pub(crate) fn ranges(
    module: &Module<'_>,
    func: FuncId,
    compiler: &Compiler<'_>,
) -> HashMap<usize, Vec<Range>> {
    let function = &compiler.function;
    let is_entered_anew = function.is_jumped_to || function.is_jumped_back_into;
    if is_entered_anew || compiler.execution.granularity != Granularity::Function {
        return HashMap::new();
    }
    let source = Source { module, func };
    let constant = source.constant_arguments();
    let entry = at_entry(module, func, compiler.isa(), &constant);
    let found = Analysis::new(function, compiler.isa()).run(entry);
    let Ok(before) = found else {
        return HashMap::new();
    };
    let held = ranges_of(compiler, &before);
    let mut all = HashMap::new();
    for (variable, argument) in source.copies(&constant) {
        if let Some(ranges) = held.get(&argument) {
            all.insert(variable, ranges.clone());
        }
    }
    all
}

/// Returns the variables of a function of Medium IR, by their numbers, that have one integer
/// wherever they have a value: nothing but one statement before the first label assigns them.
pub(crate) fn fixed(module: &Module<'_>, func: FuncId) -> HashMap<usize, i64> {
    let source = Source { module, func };
    let times = source.times_assigned();
    let moved = source.beginning().filter_map(|insn| {
        let is_move = module.code(insn) == Code::Mov;
        let to = variable(module.operand(insn, 0)).filter(|_| is_move)?;
        match module.operand(insn, 1)? {
            ir::Operand::Int(value) if source.is_assigned_once(to, &times) => Some((to, value)),
            _ => None,
        }
    });
    moved.collect()
}

/// A function of Medium IR.
struct Source<'a, 'm> {
    module: &'a Module<'m>,
    func: FuncId,
}

impl Source<'_, '_> {
    /// Returns the arguments that have one value in the whole function: nothing assigns them or
    /// takes their address, and calls of the function itself, which may have become jumps to its
    /// beginning, pass them on.
    fn constant_arguments(&self) -> BTreeSet<usize> {
        let function = self.module.func(self.func);
        let is_free = |number: &usize| {
            let register = function.registers().get(*number);
            register.is_some_and(|register| register.hard_reg.is_none())
        };
        let mut constant: BTreeSet<usize> = (0..function.arg_count()).filter(is_free).collect();
        for insn in self.module.insns(self.func) {
            for variable in self.assigned(insn) {
                constant.remove(&variable);
            }
            if self.calls_itself(insn) {
                let first = 2 + self.module.results(&function.signature).len();
                constant.retain(|&argument| {
                    let passed = self.module.operand(insn, first + argument);
                    variable(passed) == Some(argument)
                });
            }
        }
        constant
    }

    /// Returns the variables that an instruction assigns, or whose address it takes.
    fn assigned(&self, insn: ir::InsnId) -> Vec<usize> {
        let code = self.module.code(insn);
        let results = match self.module.operand(insn, 0) {
            Some(ir::Operand::Item(item)) if code.is_call() => match self.module.item(item).kind {
                ItemKind::Proto(signature) => self.module.results(&signature).len(),
                _ => usize::MAX,
            },
            _ if code.is_call() => usize::MAX,
            _ => 0,
        };
        let is_address = matches!(code, Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32);
        let operands = self.module.operands(insn).enumerate();
        let assigned = operands.filter(|&(number, _)| {
            let is_result = number >= 2 && number - 2 < results;
            code.mode(number).is_output() || is_result || is_address
        });
        assigned
            .filter_map(|(_, operand)| variable(Some(operand)))
            .collect()
    }

    fn calls_itself(&self, insn: ir::InsnId) -> bool {
        let module = self.module;
        let Some(ir::Operand::Item(item)) = module.operand(insn, 1) else {
            return false;
        };
        let callee = module.item(module.resolve(item)).kind;
        module.code(insn).is_call() && callee == ItemKind::Func(self.func)
    }

    /// Returns the variables that have the value of a constant argument wherever they have one: the
    /// argument itself, and those that it is copied to before the first label and that nothing else
    /// assigns.
    fn copies(&self, constant: &BTreeSet<usize>) -> Vec<(usize, usize)> {
        let module = self.module;
        let times = self.times_assigned();
        let itself = constant.iter().map(|&argument| (argument, argument));
        let copied = self.beginning().filter_map(|insn| {
            let is_copy = matches!(module.code(insn), Code::Mov | Code::Dmov);
            let [to, from] = [0, 1].map(|number| variable(module.operand(insn, number)));
            let (to, from) = (to.filter(|_| is_copy)?, from?);
            let is_only = self.is_assigned_once(to, &times);
            (is_only && constant.contains(&from)).then_some((to, from))
        });
        itself.chain(copied).collect()
    }

    /// Returns the instructions before the first label.
    fn beginning(&self) -> impl Iterator<Item = ir::InsnId> {
        let insns = self.module.insns(self.func);
        insns.take_while(|&insn| self.module.code(insn) != Code::Label)
    }

    /// Returns how often each variable is assigned, or its address is taken.
    fn times_assigned(&self) -> BTreeMap<usize, usize> {
        let mut times = BTreeMap::new();
        for insn in self.module.insns(self.func) {
            for variable in self.assigned(insn) {
                *times.entry(variable).or_default() += 1;
            }
        }
        times
    }

    /// Returns whether a variable is no argument, is no register of the machine, and is assigned
    /// once.
    fn is_assigned_once(&self, variable: usize, times: &BTreeMap<usize, usize>) -> bool {
        let function = self.module.func(self.func);
        let register = function.registers().get(variable);
        let is_free = register.is_some_and(|register| register.hard_reg.is_none());
        is_free && variable >= function.arg_count() && times.get(&variable) == Some(&1)
    }
}

/// Returns the variable that an operand is.
fn variable(operand: Option<ir::Operand>) -> Option<usize> {
    match operand? {
        ir::Operand::Reg(reg) => Some(reg.index()),
        _ => None,
    }
}

/// Returns the registers in which these arguments of a function come, those that fill one.
fn at_entry(module: &Module<'_>, func: FuncId, isa: &dyn Isa, arguments: &BTreeSet<usize>) -> Held {
    let signature = module.func(func).signature;
    let (abi, registers) = (&isa.target().abi, isa.registers());
    let mut area = ResultCursor::new(abi);
    let mut held = Held::new();
    for &ty in module.results(&signature) {
        if area.place(ty).is_err() {
            return held;
        }
    }
    let mut cursor = Cursor::default();
    let mut place = |argument| (abi.place_argument)(&mut cursor, argument, ArgumentKind::Named);
    // The address of an area for results is passed before the arguments: they are not followed.
    if area.area_bytes() > 0 {
        return held;
    }
    for (number, arg) in module.args(&signature).iter().enumerate() {
        let argument = Argument {
            ty: arg.ty,
            size: arg.size,
        };
        let Ok(placement) = place(argument) else {
            return held;
        };
        let whole = matches!(arg.ty, Type::I64 | Type::U64 | Type::P | Type::D);
        let [piece] = placement.pieces() else {
            continue;
        };
        let reg = match piece.at {
            Location::Int(first) if arg.ty != Type::D => {
                registers.int_arguments.get(usize::from(first))
            }
            Location::Float(first) if arg.ty == Type::D => {
                registers.float_arguments.get(usize::from(first))
            }
            _ => None,
        };
        let row = reg.and_then(|reg| reg.row());
        if let Some(row) = row.filter(|_| whole && arguments.contains(&number)) {
            held.insert((number, row));
        }
    }
    held
}

/// Follows arguments through the finished code of a function.
struct Analysis<'a, 'm> {
    function: &'a Function<'m>,
    isa: &'a dyn Isa,
    /// The registers that code may change which no operand tells.
    scratch: UnitSet,
}

impl<'a, 'm> Analysis<'a, 'm> {
    fn new(function: &'a Function<'m>, isa: &'a dyn Isa) -> Analysis<'a, 'm> {
        let registers = isa.registers();
        let scratch = registers.scratch_general.iter();
        let scratch = scratch.chain(registers.scratch_floating);
        let units = scratch.map(|&reg| registers.units(reg));
        Analysis {
            function,
            isa,
            scratch: units.fold(UnitSet::EMPTY, UnitSet::union),
        }
    }

    /// Returns what is held before each instruction, if this is held at the entry.
    fn run(&self, entry: Held) -> Result<HashMap<InsnId, Held>, OutOfMemory> {
        let edges = edges(self.function, self.isa, &MEMORY)?;
        let mut states: HashMap<BlockId, Held> = HashMap::new();
        let mut waiting: Vec<BlockId> = self.function.layout.first().copied().into_iter().collect();
        states.extend(waiting.first().map(|&block| (block, entry)));
        let mut before = HashMap::new();
        while let Some(block) = waiting.pop() {
            let mut held = states.get(&block).cloned().unwrap_or_default();
            for insn in self.function.insns(block) {
                before.insert(insn, held.clone());
                self.step(insn, &mut held)?;
            }
            for &next in edges.successors(block) {
                let joined = match states.get(&next) {
                    Some(known) => known.intersection(&held).copied().collect(),
                    None => held.clone(),
                };
                if states.get(&next) != Some(&joined) {
                    states.insert(next, joined);
                    waiting.push(next);
                }
            }
        }
        Ok(before)
    }

    /// Changes what is held as an instruction does.
    fn step(&self, insn: InsnId, held: &mut Held) -> Result<(), OutOfMemory> {
        let (function, registers) = (self.function, self.isa.registers());
        let row = function.insn(insn).opcode.row();
        let Some(row) = row.and_then(|row| self.isa.insns().get(row)) else {
            held.clear();
            return Ok(());
        };
        let operands = function.operands(insn);
        let copied = self.copied(insn, held)?;
        let is_def = |(number, operand): &(usize, &Operand)| {
            let kind = row.operands.get(*number);
            let is_def = matches!(kind, Some(OperandRow::Def(_) | OperandRow::EarlyDef(_)));
            operand.is_def() || is_def
        };
        let defs = operands.iter().enumerate().filter(is_def);
        let defs: Vec<Reg> = defs.filter_map(|(_, operand)| operand.as_reg()).collect();
        // An instruction that loads several registers may name the first and the last alone.
        if defs.len() > 1 && row.flags.contains(InsnFlags::LOAD) {
            held.clear();
        }
        let implicit = row.implicit_defs.iter().copied();
        let written = defs.iter().copied().chain(implicit);
        let written = written.map(|reg| registers.units(reg));
        let written = written.fold(self.scratch, UnitSet::union);
        let is_call = row.flags.contains(InsnFlags::CALL);
        let mut masks = operands
            .iter()
            .filter_map(|&operand| function.mask(operand));
        let preserved = masks.next();
        held.retain(|&(_, row)| {
            let units = registers.units(Reg::physical(row));
            let is_kept = match preserved {
                Some(preserved) => preserved.contains(units),
                None => !is_call,
            };
            is_kept && !units.overlaps(written)
        });
        held.extend(copied);
        Ok(())
    }

    /// Returns what an instruction copies: it is the one that the target makes to copy one register
    /// to another.
    fn copied(&self, insn: InsnId, held: &Held) -> Result<Held, OutOfMemory> {
        let opcode = self.function.insn(insn).opcode;
        let operands = self.function.operands(insn);
        let to = operands.first().filter(|operand| operand.is_def());
        let to = to.and_then(|operand| operand.as_reg());
        let mut copied = Held::new();
        let Some((to, row)) = to.and_then(|to| Some((to, to.row()?))) else {
            return Ok(copied);
        };
        if self.isa.registers().units(to).overlaps(self.scratch) {
            return Ok(copied);
        }
        for &(argument, from) in held {
            let from = Reg::physical(from);
            let reads = |operand: &Operand| !operand.is_def() && operand.as_reg() == Some(from);
            if !operands.iter().any(reads) {
                continue;
            }
            let mut made = Function::new(&MEMORY);
            let block = made.add_block()?;
            let mut out = Emitter::new(&mut made, self.isa, block, None);
            if self.isa.copy(&mut out, to, from).is_err() {
                continue;
            }
            let mut insns = made.insns(block);
            let is_same = insns.next().is_some_and(|one| {
                let parts = made.operands(one).iter().map(part);
                made.insn(one).opcode == opcode && parts.eq(operands.iter().map(part))
            });
            if is_same && insns.next().is_none() {
                copied.insert((argument, row));
            }
        }
        Ok(copied)
    }
}

/// Returns what an operand is, without its flags.
fn part(operand: &Operand) -> (Option<Reg>, Option<i32>) {
    (operand.as_reg(), operand.small())
}

/// Returns the ranges of the code in which a register holds each argument. At the first byte of an
/// instruction that is what is held before it; after that, where a call may be under way, what is
/// held before and after it.
fn ranges_of(
    compiler: &Compiler<'_>,
    before: &HashMap<InsnId, Held>,
) -> HashMap<usize, Vec<Range>> {
    let analysis = Analysis::new(&compiler.function, compiler.isa());
    let places = &compiler.output.code.places;
    let ends = places.iter().skip(1).map(|&(at, _)| at);
    let ends = ends.chain([compiler.output.code.len()]);
    let mut all: HashMap<usize, Vec<Range>> = HashMap::new();
    for (&(at, insn), end) in places.iter().zip(ends) {
        let Some(held) = before.get(&insn).filter(|_| at < end) else {
            continue;
        };
        let mut after = held.clone();
        if analysis.step(insn, &mut after).is_err() {
            continue;
        }
        let both = held.intersection(&after).copied().collect();
        add(&mut all, compiler.isa(), (at, at + 1), held);
        add(&mut all, compiler.isa(), (at + 1, end), &both);
    }
    all
}

/// Adds what is held in a range: one register of each argument, that of the range before if it may
/// be.
fn add(all: &mut HashMap<usize, Vec<Range>>, isa: &dyn Isa, (start, end): (u32, u32), held: &Held) {
    let mut places: BTreeMap<usize, Vec<Register>> = BTreeMap::new();
    for &(argument, row) in held.iter().filter(|_| start < end) {
        let reg = Reg::physical(row);
        if isa.registers().row(reg).dwarf >= 0 {
            places.entry(argument).or_default().push(number(isa, reg));
        }
    }
    for (argument, registers) in places {
        let ranges = all.entry(argument).or_default();
        match ranges.last_mut() {
            Some(last) if last.1 == start && registers.contains(&last.2) => last.1 = end,
            _ => ranges.push((start, end, registers[0])),
        }
    }
}
