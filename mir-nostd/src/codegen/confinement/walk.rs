//! The walk over the dominator tree, which gives each virtual register its value.

use super::graph::{Graph, Lists, NONE};
use super::interval::Interval;
use super::most_pairs;
use super::state::{Phi, Purpose, Supposed, UNSET, Verifier};
use super::terms::{Access, Kind, Terms, Value};
use crate::codegen::helper::ends_run;
use crate::ir::{Confinement, FuncId, Module, Type};
use crate::machine::{
    Bank, FrameId, FrameKind, Function, Generic, InsnId, Operand, Reg, Symbol, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec, sort_by_key};
use crate::target::error::Error;
use crate::target::{Argument, ArgumentKind, Cursor, Isa, Location, Placement, ResultCursor};

/// A step of the walk: a block is entered, or all that it dominates was walked.
#[derive(Clone, Copy)]
enum Step {
    Enter(u32),
    /// With what [`Verifier::log`] and the log of terms had when the block was entered.
    Leave(usize, usize),
}

impl<'a, 'm> Verifier<'a, 'm> {
    pub(super) fn new(
        function: &'a Function<'m>,
        isa: &'a dyn Isa,
        module: &'a Module<'a>,
        confinement: Confinement,
    ) -> Result<Verifier<'a, 'm>, Error> {
        let allocator = function.allocator();
        let graph = Graph::new(function)?;
        let mut terms = Terms::new(allocator)?;
        let mut atom = |kind, interval| Ok::<_, OutOfMemory>(terms.add_atom(kind, interval, 0)?.1);
        let stack = Interval::between(confinement.stack_low, confinement.stack_high);
        let entry_stack = atom(Kind::Opaque, stack)?;
        let functions = atom(Kind::Functions, Interval::ALL)?;
        let (memory, functions_bytes) = match confinement.symbols() {
            Some(symbols) => (
                atom(Kind::Memory, Interval::ALL)?,
                Value::constant(symbols.functions_bytes),
            ),
            None => (
                Value::constant(confinement.memory),
                atom(Kind::Opaque, Interval::unsigned(40))?,
            ),
        };
        let stack_pointer = atom(Kind::StackPointer, Interval::ALL)?;
        let mut frames = Vec::new(allocator);
        for (frame, _) in function.frame.iter() {
            frames.push(atom(Kind::Frame(frame), Interval::ALL)?)?;
        }
        let phis_of = Lists::new(&[], graph.blocks.len(), allocator)?;
        Ok(Verifier {
            function,
            isa,
            module,
            confinement,
            graph,
            terms,
            purpose: Purpose::Collect,
            is_inducing: false,
            block: 0,
            is_dead: false,
            is_walked: Vec::new(allocator),
            is_unreached: Vec::new(allocator),
            current: Vec::new(allocator),
            log: Vec::new(allocator),
            physical: Vec::new(allocator),
            atoms: Vec::new(allocator),
            phis: Vec::new(allocator),
            phis_of,
            operands: Vec::new(allocator),
            places: Vec::new(allocator),
            pending: Vec::new(allocator),
            followed: Vec::new(allocator),
            pending_of: Lists::new(&[], 0, allocator)?,
            entry_stack,
            memory,
            functions,
            functions_bytes,
            stack_pointer,
            frames,
            lent_registers: Vec::new(allocator),
            lent_places: Vec::new(allocator),
        })
    }

    /// Places the phis, and finds out which addresses the caller passes.
    pub(super) fn set_up(&mut self, func: FuncId) -> Result<(), Error> {
        self.current.resize(self.variable_count(), UNSET)?;
        self.is_walked.resize(self.graph.blocks.len(), false)?;
        self.is_unreached.resize(self.graph.blocks.len(), false)?;
        self.atoms.resize(2 * self.function.insn_count(), NONE)?;
        self.places.resize(self.graph.edges.len(), 0)?;
        for block in 0..self.graph.blocks.len() as u32 {
            for (place, &edge) in (0..).zip(self.graph.incoming.of(block)) {
                self.places[edge as usize] = place;
            }
        }
        // Control that comes back to the entry finds other arguments there.
        if !self.graph.is_join(0) {
            for &reg in self.isa.registers().int_arguments {
                let (_, value) = self.terms.add_atom(Kind::Opaque, Interval::ALL, 0)?;
                self.lent_registers.push((reg, value))?;
            }
            self.take_arguments(func)?;
        }
        self.place_phis()
    }

    /// Returns the number of the variable that is the program's stack pointer.
    pub(super) fn stack_variable(&self) -> u32 {
        self.function.vreg_count() as u32
    }

    /// Returns the number of the variable that is the count register, if the target has one.
    pub(super) fn count_variable(&self) -> u32 {
        self.stack_variable() + 1
    }

    fn variable_count(&self) -> usize {
        self.count_variable() as usize + 1
    }

    /// Finds the addresses of the caller's memory among the arguments: those of results that are
    /// not in registers, and of long doubles; and those of the function that copies blocks.
    fn take_arguments(&mut self, func: FuncId) -> Result<(), Error> {
        let abi = &self.isa.target().abi;
        let signature = self.module.func(func).signature;
        let mut cursor = Cursor::default();
        let mut area = ResultCursor::new(abi);
        for &ty in self.module.results(&signature) {
            area.place(ty)?;
        }
        if area.area_bytes() > 0 {
            let pointer = Argument::scalar(Type::P);
            let placement = (abi.place_argument)(&mut cursor, pointer, ArgumentKind::Named)?;
            let kind = Kind::Caller(area.area_bytes(), Access::Write);
            self.lend(&placement, kind, Interval::ALL)?;
            cursor.placed = 0;
        }
        let mut placements = Vec::new(self.function.allocator());
        for arg in self.module.args(&signature) {
            let argument = Argument {
                ty: arg.ty,
                size: arg.size,
            };
            let placement = (abi.place_argument)(&mut cursor, argument, ArgumentKind::Named)?;
            if placement.by_address && arg.ty == Type::Ld {
                let kind = Kind::Caller(16, Access::Read);
                self.lend(&placement, kind, Interval::ALL)?;
            }
            placements.push(placement)?;
        }
        if let (true, &[to, from, bytes]) = (self.confinement.copier == Some(func), &placements[..])
        {
            let many = Interval::between(8, self.confinement.bytes);
            let bytes = self.lend(&bytes, Kind::Opaque, many)?;
            self.lend(&to, Kind::Block(bytes, Access::Write), Interval::ALL)?;
            self.lend(&from, Kind::Block(bytes, Access::Read), Interval::ALL)?;
        }
        Ok(())
    }

    /// Notes what is known of an argument in one register or place on the stack.
    fn lend(
        &mut self,
        placement: &Placement,
        kind: Kind,
        interval: Interval,
    ) -> Result<Value, OutOfMemory> {
        let (_, value) = self.terms.add_atom(kind, interval, 0)?;
        match placement.pieces().first().map(|piece| piece.at) {
            Some(Location::Int(number)) => {
                let place = self.lent_registers.get_mut(usize::from(number));
                if let Some((_, known)) = place {
                    *known = value;
                }
            }
            Some(Location::Memory(at)) => {
                self.lent_places.push((at.cast_signed(), value))?;
            }
            _ => {}
        }
        Ok(value)
    }

    /// Returns the register of an argument by its number among those for integers.
    pub(super) fn argument_register(&self, number: usize) -> Option<Reg> {
        self.isa.registers().int_arguments.get(number).copied()
    }

    /// Adds a phi for each variable at each block where several definitions of it meet.
    fn place_phis(&mut self) -> Result<(), Error> {
        let definitions = self.definitions()?;
        let mut marks = Vec::new(self.function.allocator());
        marks.resize(self.graph.blocks.len(), NONE)?;
        let mut pairs = Vec::new(self.function.allocator());
        let mut waiting = Vec::new(self.function.allocator());
        let mut meetings = Vec::new(self.function.allocator());
        let limit = most_pairs(self.function.insn_count());
        for variable in 0..self.variable_count() as u32 {
            let blocks = definitions.of(variable);
            // One definition is that of all reads that it dominates.
            if blocks.len() < 2 && variable < self.stack_variable() {
                continue;
            }
            waiting.extend_from_slice(blocks)?;
            waiting.push(0)?;
            meetings.clear();
            (self.graph).find_meetings(&mut waiting, &mut marks, variable, &mut meetings)?;
            sort_by_key(&mut meetings, |&block| block);
            for &block in &meetings {
                pairs.push((block, self.phis.len() as u32))?;
                let interval = match variable == self.stack_variable() {
                    true => self.terms.interval(self.entry_stack),
                    false => Interval::ALL,
                };
                let number = self.phis.len() as u32;
                let (atom, _) = self.terms.add_atom(Kind::Phi(number), interval, block)?;
                let first = self.operands.len();
                let count = self.graph.incoming.of(block).len();
                self.operands.resize(first + count, UNSET)?;
                self.phis.push(Phi {
                    block,
                    variable,
                    atom,
                    first: first as u32,
                    count: count as u32,
                    resolved: None,
                    met: None,
                    entered: None,
                    assumed: interval,
                    supposed: Supposed::Nothing,
                    most: 0,
                })?;
            }
            if self.operands.len() > limit {
                return Err(Error::Budget);
            }
        }
        let (blocks, allocator) = (self.graph.blocks.len(), self.function.allocator());
        self.phis_of = Lists::new(&pairs, blocks, allocator)?;
        Ok(())
    }

    /// Returns whether a store may be one of the program's stack pointer: it is not to the frame.
    pub(super) fn may_set_stack(&self, store: InsnId) -> bool {
        let base = self.function.operands(store).get(1);
        base.is_none_or(|base| base.as_frame().is_none())
    }

    /// Returns the blocks of the definitions of each variable. Each store that is not to the frame
    /// counts as one of the program's stack pointer.
    fn definitions(&self) -> Result<Lists<'m>, OutOfMemory> {
        let function = self.function;
        let mut pairs = Vec::new(function.allocator());
        for (number, &block) in (0..).zip(&self.graph.blocks) {
            for insn in function.insns(block) {
                let operands = function.operands(insn);
                for vreg in operands.iter().filter_map(|&operand| self.defined(operand)) {
                    pairs.push((vreg.number(), number))?;
                }
                let generic = function.insn(insn).opcode.generic();
                if self.changes_count(insn) {
                    pairs.push((self.count_variable(), number))?;
                }
                if generic == Some(Generic::Store) && self.may_set_stack(insn) {
                    pairs.push((self.stack_variable(), number))?;
                }
            }
        }
        Lists::new(&pairs, self.variable_count(), function.allocator())
    }

    /// Returns whether an instruction changes the count register, if there is one. A branch on it
    /// counts it down.
    fn changes_count(&self, insn: InsnId) -> bool {
        let generic = self.function.insn(insn).opcode.generic();
        match generic {
            Some(Generic::SetCount | Generic::Call | Generic::Brjt) => true,
            Some(Generic::BrIcmp) => self.counts_down(insn),
            _ => false,
        }
    }

    /// Returns whether a comparison and branch counts the count register down before.
    pub(super) fn counts_down(&self, insn: InsnId) -> bool {
        let count = self.isa.description().count_register;
        let read = self.function.operands(insn).get(1);
        let read = read.and_then(|operand| operand.as_reg());
        count.is_some() && read == count
    }

    pub(super) fn count(&mut self) -> Result<Value, OutOfMemory> {
        self.variable(self.count_variable())
    }

    pub(super) fn set_count(&mut self, value: Value) -> Result<(), OutOfMemory> {
        self.set_variable(self.count_variable(), value)
    }

    /// Returns the variable that an operand writes, if it is one that may hold an address.
    fn defined(&self, operand: Operand) -> Option<VReg> {
        let vreg = operand.vreg().filter(|_| operand.is_def())?;
        (self.function.vreg(vreg).bank == Bank::General).then_some(vreg)
    }

    /// Walks over the dominator tree.
    pub(super) fn walk(&mut self) -> Result<(), Error> {
        let mut steps = Vec::new(self.function.allocator());
        self.set_variable(self.stack_variable(), self.entry_stack)?;
        steps.push(Step::Enter(0))?;
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(block) => {
                    steps.push(Step::Leave(self.log.len(), self.terms.now()))?;
                    self.block(block)?;
                    if self.is_dead {
                        continue;
                    }
                    // The last is taken first: blocks are entered in reverse postorder.
                    for &child in self.graph.children.of(block).iter().rev() {
                        steps.push(Step::Enter(child))?;
                    }
                }
                Step::Leave(log, terms) => {
                    self.terms.go_back(terms);
                    while self.log.len() > log {
                        if let Some((variable, value)) = self.log.pop() {
                            self.current[variable as usize] = value;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, block: u32) -> Result<(), Error> {
        self.block = block;
        self.is_dead = self.is_unreached[block as usize];
        if self.is_dead {
            return Ok(());
        }
        self.physical.clear();
        if block == 0 {
            self.physical.extend_from_slice(&self.lent_registers)?;
        }
        if let (false, &[edge]) = (self.graph.is_join(block), self.graph.incoming.of(block)) {
            self.learn_from(edge)?;
            if self.is_dead {
                return Ok(());
            }
        }
        self.is_walked[block as usize] = true;
        for place in 0..self.phis_of.of(block).len() {
            let number = self.phis_of.of(block)[place];
            if self.purpose == Purpose::Collect {
                self.suppose(number);
            }
            self.bound_on_entry(number);
            let phi = self.phis[number as usize];
            let value = self.terms.of_atom(phi.atom);
            let value = self.resolved(value)?;
            self.set_variable(phi.variable, value)?;
        }
        let id = self.graph.blocks[block as usize];
        for insn in self.function.insns(id) {
            self.insn(insn)?;
            if ends_run(self.function, insn) {
                break;
            }
        }
        self.leave_block(block)
    }

    /// Gives the phis of the blocks after this one their values, and proves what is pending there.
    fn leave_block(&mut self, block: u32) -> Result<(), Error> {
        for edge in self.graph.outgoing(block) {
            let to = self.graph.edges[edge as usize].to;
            for place in 0..self.phis_of.of(to).len() {
                let number = self.phis_of.of(to)[place];
                let phi = self.phis[number as usize];
                let value = self.variable(phi.variable)?;
                let place = phi.first + self.places[edge as usize];
                self.operands[place as usize] = value;
                if self.purpose == Purpose::Collect {
                    let interval = self.terms.interval(value);
                    let phi = &mut self.phis[number as usize];
                    phi.met = Some(phi.met.map_or(interval, |met| met.hull(interval)));
                    if block < to {
                        let before = phi.entered.map_or(interval, |old| old.hull(interval));
                        phi.entered = Some(before);
                    }
                }
                if phi.most > 0 && self.purpose == Purpose::Prove {
                    self.prove_count(edge, value, phi.most)?;
                }
            }
            if self.purpose == Purpose::Follow {
                self.prove_pending(edge)?;
            }
        }
        Ok(())
    }

    /// Finds the blocks that control never comes to: every path to them goes through one where what
    /// was learned contradicts itself. Returns whether there are any that were walked.
    pub(super) fn find_unreached(&mut self) -> Result<bool, OutOfMemory> {
        self.is_unreached.fill(true);
        self.is_unreached[0] = false;
        let mut waiting = Vec::new(self.function.allocator());
        waiting.push(0)?;
        while let Some(block) = waiting.pop() {
            for edge in self.graph.outgoing(block) {
                let to = self.graph.edges[edge as usize].to;
                let is_open = self.is_walked[to as usize] || self.graph.is_join(to);
                if is_open && core::mem::take(&mut self.is_unreached[to as usize]) {
                    waiting.push(to)?;
                }
            }
        }
        let mut both = self.is_unreached.iter().zip(&self.is_walked);
        Ok(both.any(|(&is_unreached, &is_walked)| is_unreached && is_walked))
    }

    fn set_variable(&mut self, variable: u32, value: Value) -> Result<(), OutOfMemory> {
        let place = &mut self.current[variable as usize];
        self.log.push((variable, *place))?;
        *place = value;
        Ok(())
    }

    /// Returns the value of a variable. One that may not have been written may be anything, and
    /// something else each time.
    fn variable(&mut self, variable: u32) -> Result<Value, OutOfMemory> {
        match self.current[variable as usize] {
            UNSET => self.unknown(),
            value => Ok(value),
        }
    }

    /// Returns the program's stack pointer.
    pub(super) fn program_stack(&mut self) -> Result<Value, OutOfMemory> {
        self.variable(self.stack_variable())
    }

    pub(super) fn set_program_stack(&mut self, value: Value) -> Result<(), OutOfMemory> {
        self.set_variable(self.stack_variable(), value)
    }

    /// Returns a value of which nothing is known.
    pub(super) fn unknown(&mut self) -> Result<Value, OutOfMemory> {
        let (_, value) = (self.terms).add_atom(Kind::Opaque, Interval::ALL, self.block)?;
        Ok(value)
    }

    /// Returns the value that is the result of an instruction, always in an interval.
    pub(super) fn result(
        &mut self,
        insn: InsnId,
        kind: Kind,
        interval: Interval,
    ) -> Result<Value, OutOfMemory> {
        self.result_at(2 * insn.index(), kind, interval)
    }

    /// Returns a value of which nothing is known, the same in each walk: the second result of an
    /// instruction.
    pub(super) fn second_result(&mut self, insn: InsnId) -> Result<Value, OutOfMemory> {
        self.result_at(2 * insn.index() + 1, Kind::Opaque, Interval::ALL)
    }

    fn result_at(
        &mut self,
        place: usize,
        kind: Kind,
        interval: Interval,
    ) -> Result<Value, OutOfMemory> {
        let atom = self.atoms[place];
        if atom != NONE {
            self.terms.reset(atom, kind, interval);
            return Ok(self.terms.of_atom(atom));
        }
        let (atom, value) = self.terms.add_atom(kind, interval, self.block)?;
        self.atoms[place] = atom;
        Ok(value)
    }

    /// Returns the value of an operand: a register, a number, or an address.
    pub(super) fn value(&mut self, operand: Operand) -> Result<Value, OutOfMemory> {
        if let Some(number) = self.function.immediate(operand) {
            return Ok(Value::constant(number.cast_unsigned()));
        }
        if let Some(frame) = operand.as_frame() {
            return Ok(self.frames[frame.index()]);
        }
        if let Some(symbol) = operand.as_symbol() {
            return self.symbol(self.function.symbol(symbol));
        }
        match operand.as_reg() {
            Some(Reg::NONE) => Ok(Value::constant(0)),
            Some(reg) => match reg.vreg() {
                Some(vreg) if self.function.vreg(vreg).bank == Bank::General => {
                    self.variable(vreg.number())
                }
                Some(_) => self.unknown(),
                None => self.physical(reg),
            },
            None => self.unknown(),
        }
    }

    /// Returns the address that a symbol stands for.
    fn symbol(&mut self, symbol: Symbol) -> Result<Value, OutOfMemory> {
        if let (Symbol::Item(item), Some(ahead)) = (symbol, self.confinement.symbols()) {
            match Some(item) {
                item if item == ahead.memory => return Ok(self.memory),
                item if item == ahead.functions => return Ok(self.functions),
                _ => {}
            }
        }
        let kind = Kind::Symbol(symbol);
        Ok(self.terms.add_atom(kind, Interval::ALL, 0)?.1)
    }

    /// Returns the value of a physical register.
    pub(super) fn physical(&mut self, reg: Reg) -> Result<Value, OutOfMemory> {
        if reg == self.isa.registers().stack_pointer {
            return Ok(self.stack_pointer);
        }
        if self.isa.description().count_register == Some(reg) {
            return self.count();
        }
        let known = self.physical.iter().find(|(other, _)| *other == reg);
        match known {
            Some(&(_, value)) => Ok(value),
            None => self.unknown(),
        }
    }

    /// Sets the register that an operand writes.
    pub(super) fn set(&mut self, to: Operand, value: Value) -> Result<(), OutOfMemory> {
        if let Some(vreg) = self.defined(to) {
            return self.set_variable(vreg.number(), value);
        }
        match to.as_reg() {
            Some(reg) if reg.is_physical() => {
                self.forget_physical(reg);
                self.physical.push((reg, value))
            }
            _ => Ok(()),
        }
    }

    /// Forgets what overlaps a physical register.
    fn forget_physical(&mut self, reg: Reg) {
        let registers = self.isa.registers();
        let units = registers.units(reg);
        for place in (0..self.physical.len()).rev() {
            if registers.units(self.physical[place].0).overlaps(units) {
                let last = self.physical.len() - 1;
                self.physical[place] = self.physical[last];
                self.physical.truncate(last);
            }
        }
    }

    /// Forgets all physical registers, as a call may change them.
    pub(super) fn forget_all_physical(&mut self) {
        self.physical.clear();
    }

    /// Returns the frame object's kind.
    pub(super) fn frame_kind(&self, frame: FrameId) -> Option<FrameKind> {
        self.function.frame.get(frame).map(|object| object.kind)
    }
}
