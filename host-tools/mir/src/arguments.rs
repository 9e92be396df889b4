//! This module finds what holds the variables of an optimised function, for debuggers.
//!
//! An argument that nothing assigns has one value from the entry of the function to its end. The
//! calling convention says in which register, or where on the stack, that value comes, and the code
//! that was made says which instructions copy, spill or overwrite it. So a place holds the argument
//! at an instruction if it does on all ways to there: that is a forward analysis of the finished
//! code ([`unwind::Frame::arguments`]), which trusts no optimisation, and costs the compiler
//! nothing. A narrow argument is the low bits of what holds it, whether that is extended yet or
//! not.
//!
//! Of variables that are assigned the compiler notes where they are
//! ([`VariableValues`](codegen::VariableValues)). What prologues and epilogues, which are added
//! after that, make of registers and the frame is found here.

use crate::unwind::{self, Entry, Frame, Held, Place, number};
use gimli::Register;
use mir_nostd::codegen::{self, Compiler, Granularity, Snapshot};
use mir_nostd::ir::{self, Code, FuncId, ItemKind, Module, Type};
use mir_nostd::machine::{Bank, BlockId, InsnId, LowType, Reg, UnitSet};
use mir_nostd::mem::Entity;
use mir_nostd::target::{Argument, ArgumentKind, Cursor, Isa, Location, ResultCursor};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A part of a function's code, by its first offset and the one after it, in which a place holds a
/// variable.
pub(crate) type Range = (u32, u32, Holder);

/// The place that holds a variable, as DWARF has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holder {
    Register(Register),
    /// Memory, so many bytes above the canonical frame address.
    Memory(i64),
    /// Memory, so many bytes above the base of the frame.
    Frame(i64),
    /// None: it has this value.
    Number(i64),
}

/// The ranges in which a place holds a variable.
#[derive(Clone, Debug)]
pub(crate) struct Ranges {
    /// The type of the argument that it is a copy of, or itself: of narrow ones the place has no
    /// more than that.
    pub(crate) ty: Type,
    pub(crate) ranges: Vec<Range>,
}

/// Returns for variables of a function of Medium IR, which was compiled last, by their numbers, the
/// ranges in which a place holds them.
pub(crate) fn ranges(
    module: &Module<'_>,
    func: FuncId,
    compiler: &Compiler<'_>,
) -> HashMap<usize, Ranges> {
    let function = &compiler.function;
    let is_entered_anew = function.is_jumped_to || function.is_jumped_back_into;
    if is_entered_anew || compiler.execution.granularity != Granularity::Function {
        return HashMap::new();
    }
    let source = Source { module, func };
    let constant = source.constant_arguments();
    let held = unwind::frame(compiler).and_then(|frame| {
        let entry = at_entry(module, func, compiler.isa(), (&frame, &constant));
        frame.arguments(entry)
    });
    let arguments = module.args(&module.func(func).signature);
    let bytes = |argument: usize| arguments.get(argument).map_or(8, |arg| arg.ty.size());
    let held = held.map(|held| ranges_of(compiler, &held, &bytes));
    let held = held.unwrap_or_default();
    let mut all = HashMap::new();
    let defined = Defined::new(compiler);
    for (variable, argument) in source.copies(&constant) {
        if let (Some(ranges), Some(arg)) = (held.get(&argument), arguments.get(argument)) {
            // A copy has the value from where it was made on.
            let ranges = match &defined {
                Some(defined) if variable != argument => defined.within(variable, ranges),
                _ => ranges.clone(),
            };
            all.insert(variable, Ranges { ty: arg.ty, ranges });
        }
    }
    for (variable, ranges) in assigned(module, func, compiler) {
        all.entry(variable).or_insert(ranges);
    }
    all
}

/// Returns the ranges in which places hold variables, as the compiler noted them of registers and
/// spill slots that hold the values which the variables have in the source.
fn assigned(module: &Module<'_>, func: FuncId, compiler: &Compiler<'_>) -> HashMap<usize, Ranges> {
    let (Some(noted), Some(frame)) = (&compiler.output.variables, unwind::frame(compiler)) else {
        return HashMap::new();
    };
    let registers = module.func(func).registers();
    let mut by_insn: HashMap<InsnId, (Held, Held)> = HashMap::new();
    for held in &noted.held {
        let number = held.variable as usize;
        let ty = registers.get(number).map(|register| register.ty);
        let place = ty.and_then(|ty| place(compiler, &frame, held.holder, ty));
        if let Some(place) = place {
            let (before, both) = by_insn.entry(held.insn).or_default();
            before.insert((number, place));
            if held.stays {
                both.insert((number, place));
            }
        }
    }
    let (defined, moves) = (Defined::new(compiler), moves(module, func));
    let mut ends = Ends::new(compiler, &frame);
    let mut held: Vec<(u32, Held, Held)> = Vec::new();
    for &(at, insn) in &*compiler.output.code.places {
        let (mut before, mut both) = by_insn.remove(&insn).unwrap_or_default();
        for held in [&mut before, &mut both] {
            held.retain(|&(_, place)| !ends.took(insn, place));
        }
        for &(number, by, value) in &moves {
            let known = defined
                .as_ref()
                .and_then(|defined| defined.of(insn, number));
            if known != Some(by) {
                continue;
            }
            let place = (number, Place::Number(value));
            before.insert(place);
            both.insert(place);
        }
        held.push((at, before, both));
        ends.step(insn);
    }
    let ranges = ranges_of(compiler, &held, &|_| 8).into_iter();
    let of = |(number, ranges): (usize, Vec<Range>)| {
        let ty = registers.get(number)?.ty;
        Some((number, Ranges { ty, ranges }))
    };
    ranges.filter_map(of).collect()
}

/// The parts of a function after its frame: there the registers that the prologue saved have the
/// values of the caller, and spill slots are nowhere.
struct Ends<'a> {
    compiler: &'a Compiler<'a>,
    /// The instructions that were there before prologue and epilogues.
    insns: HashSet<InsnId>,
    saved: UnitSet,
    block: Option<BlockId>,
    has_ended: bool,
}

impl<'a> Ends<'a> {
    fn new(compiler: &'a Compiler<'a>, frame: &Frame<'_>) -> Ends<'a> {
        let noted = compiler.output.variables.as_ref();
        let insns = noted.iter().flat_map(|noted| noted.insns.iter());
        Ends {
            compiler,
            insns: insns.copied().collect(),
            saved: frame.saved(),
            block: None,
            has_ended: false,
        }
    }

    /// Returns whether a place does not have at an instruction what it had before epilogues were
    /// added.
    fn took(&self, insn: InsnId, place: Place) -> bool {
        let function = &self.compiler.function;
        let block = function.insn(insn).block();
        let is_outside =
            function.block(block).is_early || self.has_ended && self.block == Some(block);
        let registers = self.compiler.isa().registers();
        is_outside
            && match place {
                Place::Register(row) => registers.units(Reg::physical(row)).overlaps(self.saved),
                Place::Memory(_) => true,
                Place::Number(_) => false,
            }
    }

    /// Goes on to the next instruction.
    fn step(&mut self, insn: InsnId) {
        let (function, registers) = (&self.compiler.function, self.compiler.isa().registers());
        let block = function.insn(insn).block();
        if self.block.replace(block) != Some(block) {
            self.has_ended = false;
        }
        if !self.insns.contains(&insn) {
            let stack = registers.units(registers.stack_pointer).union(self.saved);
            let operands = function.operands(insn).iter();
            let mut written = operands.filter(|operand| operand.is_def());
            self.has_ended |= written.any(|operand| {
                let reg = operand.as_reg();
                reg.is_some_and(|reg| registers.units(reg).overlaps(stack))
            });
        }
    }
}

/// The instructions of the source that gave variables the values which they have.
struct Defined<'a> {
    compiler: &'a Compiler<'a>,
    definitions: Snapshot<'a>,
}

impl<'a> Defined<'a> {
    /// Returns those of the function that was compiled last, if they are known.
    fn new(compiler: &'a Compiler<'a>) -> Option<Defined<'a>> {
        let noted = compiler.output.variables.as_ref()?;
        Some(Defined {
            compiler,
            definitions: noted.definitions().ok()??,
        })
    }

    /// Returns the number of the one for a variable before an instruction.
    fn of(&self, insn: InsnId, variable: usize) -> Option<u32> {
        let variable = u32::try_from(variable).ok()?;
        (self.definitions).definition(&self.compiler.function, insn, variable)
    }

    /// Returns the parts of these ranges in which a variable has the value of one of them.
    fn within(&self, variable: usize, ranges: &[Range]) -> Vec<Range> {
        let places = &self.compiler.output.code.places;
        let ends = places.iter().skip(1).map(|&(at, _)| at);
        let ends = ends.chain([self.compiler.output.code.len()]);
        let mut within: Vec<Range> = Vec::new();
        for (&(at, insn), end) in places.iter().zip(ends) {
            if at == end || self.of(insn, variable).is_none() {
                continue;
            }
            for &(from, to, holder) in ranges {
                let (from, to) = (from.max(at), to.min(end));
                match within.last_mut() {
                    _ if from >= to => {}
                    Some(last) if last.1 == from && last.2 == holder => last.1 = to,
                    _ => within.push((from, to, holder)),
                }
            }
        }
        within
    }
}

/// Returns the variables that a `mov` of the source gives an integer, with its number and that.
fn moves(module: &Module<'_>, func: FuncId) -> Vec<(usize, u32, i64)> {
    let numbered = (0..).zip(module.insns(func));
    let moved = numbered.filter_map(|(number, insn)| {
        let is_move = module.code(insn) == Code::Mov;
        let to = variable(module.operand(insn, 0)).filter(|_| is_move)?;
        match module.operand(insn, 1)? {
            ir::Operand::Int(value) => Some((to, number, value)),
            _ => None,
        }
    });
    moved.collect()
}

/// Returns the place that holds a variable of a type, if it is a whole word, or a `float` of half
/// one. Registers hold a `float` in their own way on some machines, which debuggers know.
fn place(
    compiler: &Compiler<'_>,
    frame: &Frame<'_>,
    holder: codegen::Holder,
    ty: Type,
) -> Option<Place> {
    let (bank, bytes) = match ty {
        Type::F => (Bank::Floating, 4),
        Type::D => (Bank::Floating, 8),
        Type::I64 | Type::P => (Bank::General, 8),
        _ => return None,
    };
    match holder {
        codegen::Holder::Frame(id) => {
            let object = &compiler.function.frame[id];
            (object.bytes == bytes).then(|| frame.object(object.offset))
        }
        codegen::Holder::Unit(unit) => {
            let registers = compiler.isa().registers();
            let rows = 0..u16::try_from(registers.registers.len()).ok()?;
            let mut regs = rows.map(Reg::physical);
            let is_it = |&reg: &Reg| {
                let units = registers.units(reg);
                units == UnitSet::unit(unit) && registers.row(reg).dwarf >= 0
            };
            let reg = regs.find(is_it)?;
            registers
                .of_type(reg, bank, LowType::S64)
                .row()
                .map(Place::Register)
        }
        codegen::Holder::Number(value) => (bank == Bank::General).then_some(Place::Number(value)),
    }
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

    /// Returns the instructions before the first label that something refers to.
    fn beginning(&self) -> impl Iterator<Item = ir::InsnId> {
        let module = self.module;
        let label = |operand: Option<ir::Operand>| match operand {
            Some(ir::Operand::Label(label)) => Some(label),
            _ => None,
        };
        let is_placed = move |insn: ir::InsnId| module.code(insn) == Code::Label;
        let insns = module.insns(self.func).filter(|&insn| !is_placed(insn));
        let named = insns.flat_map(|insn| module.operands(insn).map(Some));
        let mut used: HashSet<ir::Label> = named.filter_map(label).collect();
        for item in module.lrefs(self.func) {
            if let ItemKind::Lref { label, label2, .. } = module.item(item).kind {
                used.insert(label);
                used.extend(label2);
            }
        }
        let insns = module.insns(self.func);
        insns.take_while(move |&insn| {
            let placed = label(module.operand(insn, 0)).filter(|_| is_placed(insn));
            placed.is_none_or(|placed| !used.contains(&placed))
        })
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

/// Returns the places in which these arguments of a function come, those that fill one.
fn at_entry(
    module: &Module<'_>,
    func: FuncId,
    isa: &dyn Isa,
    (frame, arguments): (&Frame<'_>, &BTreeSet<usize>),
) -> Entry {
    let signature = module.func(func).signature;
    let (abi, registers) = (&isa.target().abi, isa.registers());
    let mut area = ResultCursor::new(abi);
    let mut held = Entry::new();
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
        let is_word = matches!(arg.ty, Type::P | Type::D) || arg.ty <= Type::U64;
        let [piece] = placement.pieces() else {
            continue;
        };
        let row = |regs: &[Reg], number: u8| regs.get(usize::from(number))?.row();
        let place = match piece.at {
            Location::Int(first) if arg.ty != Type::D => {
                row(registers.int_arguments, first).map(Place::Register)
            }
            Location::Float(first) if arg.ty == Type::D => {
                row(registers.float_arguments, first).map(Place::Register)
            }
            Location::Memory(offset) => Some(frame.stack_argument(offset)),
            _ => None,
        };
        if let Some(place) = place.filter(|_| is_word && arguments.contains(&number)) {
            held.push((number, arg.ty.size() * 8, place));
        }
    }
    held
}

/// Returns the ranges of the code in which a place holds each argument. At the first byte of an
/// instruction that is what is held before it; after that, where a call may be under way, what is
/// held before and after it.
fn ranges_of(
    compiler: &Compiler<'_>,
    held: &[(u32, Held, Held)],
    bytes: &dyn Fn(usize) -> u32,
) -> HashMap<usize, Vec<Range>> {
    let ends = held.iter().skip(1).map(|&(at, ..)| at);
    let ends = ends.chain([compiler.output.code.len()]);
    let mut all: HashMap<usize, Vec<Range>> = HashMap::new();
    for ((at, before, both), end) in held.iter().zip(ends).filter(|((at, ..), end)| at < end) {
        for (range, held) in [((*at, at + 1), before), ((at + 1, end), both)] {
            add(&mut all, (compiler.isa(), bytes), range, held);
        }
    }
    all
}

/// Adds what is held in a range: one place of each argument, that of the range before if it may be,
/// and else a register before memory.
fn add(
    all: &mut HashMap<usize, Vec<Range>>,
    (isa, bytes): (&dyn Isa, &dyn Fn(usize) -> u32),
    (start, end): (u32, u32),
    held: &Held,
) {
    let mut places: BTreeMap<usize, Vec<Holder>> = BTreeMap::new();
    for &(argument, place) in held.iter().filter(|_| start < end) {
        let holder = match place {
            Place::Memory(place) if isa.target().big_endian => {
                Some(Holder::Memory(place + 8 - i64::from(bytes(argument))))
            }
            Place::Memory(place) => Some(Holder::Memory(place)),
            Place::Number(value) => Some(Holder::Number(value)),
            Place::Register(row) => {
                let reg = Reg::physical(row);
                let has_number = isa.registers().row(reg).dwarf >= 0;
                has_number.then(|| Holder::Register(number(isa, reg)))
            }
        };
        places.entry(argument).or_default().extend(holder);
    }
    for (argument, holders) in places {
        let ranges = all.entry(argument).or_default();
        match (ranges.last_mut(), holders.first()) {
            (Some(last), _) if last.1 == start && holders.contains(&last.2) => last.1 = end,
            (_, Some(&first)) => ranges.push((start, end, first)),
            (_, None) => {}
        }
    }
}
