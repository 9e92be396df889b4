//! Translation: Medium IR becomes generic Machine IR.
//!
//! A variable becomes a virtual register, which may have several definitions; a frame object if its
//! address is taken or it is a long double; or the hard register that it is tied to. Calls follow
//! the target's calling convention: copies right before the call move arguments to physical
//! registers. Faults get blocks at the end of the code. The function must have passed the verifier
//! for the target.

mod atomics;
mod calls;
mod confined;
mod entry;
mod inline;
mod insns;
mod labels;
mod limits;
mod long_double;
mod meaning;
mod operation;
mod property;
mod recursion;
mod return_address;
mod tail;
mod values;

pub(crate) use inline::DEPTH as MOST_INLINED;
pub(crate) use labels::thunk_shift;
pub use labels::{LabelAddress, Labels};

use crate::codegen::analysis::callees::Callees;
use crate::codegen::helper::{Helper, Place};
use crate::codegen::options::{Execution, Fuel, Granularity, Options};
use crate::ir::{
    Class, Code, FaultKind, FuncId, InsnId, Module, Operand as IrOperand, Reg as Variable,
    SET_JUMPS, Type,
};
use crate::machine::{
    self, Bank, BlockId, CallSite, FrameId, Function, Generic, LowType, Operand, Reg, Symbol, VReg,
    VRegInfo,
};
use crate::mem::{Entity, Vec};
use crate::target::emitter::Emitter;
use crate::target::error::{Error, Phase};
use crate::target::{Cursor, GenericInsn, InsnRow, Isa, RegisterFile};
use core::cell::Cell;
use inline::Inlining;
use labels::Addresses;

/// The number that a fault reports.
#[derive(Clone, Copy)]
enum Reported {
    Nothing,
    Value(IrOperand),
    /// The sum of a register and a distance, which only the block of the fault computes.
    Above(Operand, i32),
}

/// The location of a variable of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VariableLocation {
    /// A register, virtual or hard.
    Register(Reg),
    /// A frame object.
    Memory(FrameId),
    /// None: its value is always the address of a frame object.
    Address(FrameId),
}

/// The settings of a translation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) options: &'a Options<'a>,
    pub(crate) execution: &'a Execution,
    /// The facts on the functions of the module as callees.
    pub(crate) callees: Option<&'a Callees<'a>>,
    /// True to select target instructions at once: no generic instruction is kept but those that
    /// selection leaves.
    pub(crate) selects: bool,
}

impl Settings<'_> {
    /// Returns whether blocks are compiled one at a time.
    fn is_by_block(&self) -> bool {
        self.execution.granularity == Granularity::Block
    }

    fn charges_fuel(&self) -> bool {
        self.execution.limits.fuel != Fuel::Free
    }

    /// Returns whether the places of variables are noted for debuggers.
    fn notes_variables(&self) -> bool {
        self.execution.variables && !self.is_by_block()
    }

    /// Returns whether debuggers are to find each variable in the frame.
    fn keeps_variables(&self) -> bool {
        self.notes_variables() && self.options.built_level() == 0
    }
}

/// True for each instruction with an operand that must be a long double.
static LONG_DOUBLE: [bool; Code::COUNT] = {
    let mut are_long_double = [false; Code::COUNT];
    let mut number = 0;
    while number < Code::COUNT {
        let (code, mut place) = (Code::ALL[number], 0);
        while place < code.modes().len() {
            let is_long_double = matches!(code.modes()[place].class(), Some(Class::LongDouble));
            are_long_double[code as usize] |= is_long_double;
            place += 1;
        }
        number += 1;
    }
    are_long_double
};

/// The number of target instructions that are expected for each instruction of Medium IR and each
/// operand of a call where they are selected at once: more than most become.
const EXPECTED: usize = 4;

/// Translates a function of a verified module into `function`, which is empty. Returns whether
/// target instructions were selected, which is not done if it is not asked for, or if the function
/// must be known as a whole before.
///
/// # Errors
///
/// Out of memory; [`Error::TooLarge`].
pub(crate) fn translate(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    module: &Module<'_>,
    func: FuncId,
    labels: &mut Labels<'_>,
    settings: Settings<'_>,
) -> Result<bool, Error> {
    labels.forget();
    let level = settings.options.built_level();
    let is_library = { module.confinement() }.is_some_and(|confinement| confinement.is_library);
    let inlining = Inlining::of_level(if is_library { level.min(2) } else { level });
    let entry = function.add_block()?;
    function.layout.push(entry)?;
    let variables = Vec::new(function.allocator());
    let cold = Vec::new(function.allocator());
    let allocator = function.allocator();
    let (bank, ty) = (Bank::General, LowType::S64);
    let class = (isa.registers().class_of)(bank, ty);
    let mut translator = Translator {
        function,
        isa,
        tables: (isa.insns(), isa.registers()),
        module,
        func,
        labels,
        variables,
        int: VRegInfo { ty, bank, class },
        block: entry,
        cold,
        stop: None,
        number: 0,
        is_open: true,
        overflow: None,
        reached: None,
        fuel: None,
        results_area: None,
        image: None,
        named: Cursor::default(),
        has_laddr: false,
        indirect_jumps: 0,
        jump_calls: 0,
        call_operands: 0,
        stack_moves: 0,
        addresses: Addresses::Code,
        dispatch: None,
        again: None,
        accumulator: None,
        recursion: 0,
        names_set_jumps: { SET_JUMPS.iter() }.any(|name| module.find_name(name).is_some()),
        tells_return_address: false,
        return_address: None,
        inlining,
        follows: false,
        kept: Vec::new(allocator),
        settings,
        caller: func,
        inline_budget: inlining.budget(module.func(func).insn_count()),
        inlined: None,
        simple: [const { Cell::new(None) }; inline::KNOWN_CALLEES],
    };
    // The interpreter charges the same fuel and takes every property as 0, so the branches must be
    // the same.
    let may_follow = settings.is_by_block() && !settings.charges_fuel();
    translator.tells_return_address = translator.tells_return_address();
    translator.follows = may_follow && translator.sets_properties();
    translator.prepare()?;
    if translator.follows {
        translator.find_kept()?;
    }
    translator.enter()?;
    translator.prepare_recursion()?;
    translator.body()?;
    Ok(translator.settings.selects)
}

/// A translation in progress. `'a` is the borrow of everything, `'f`, `'m` and `'l` are the
/// allocators of the function, the module and the labels.
struct Translator<'a, 'f, 'm, 'l> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    /// The tables of the target.
    tables: (&'static [InsnRow], &'static RegisterFile),
    module: &'a Module<'m>,
    func: FuncId,
    labels: &'a mut Labels<'l>,
    variables: Vec<'f, VariableLocation>,
    /// The properties of registers for 64-bit integers.
    int: VRegInfo,
    /// The block that instructions are appended to.
    block: BlockId,
    /// The blocks to be placed at the end of the code.
    cold: Vec<'f, BlockId>,
    /// The block after calls that do not return, once there is one.
    stop: Option<BlockId>,
    /// The number of the current instruction in its function, from 0.
    number: u32,
    /// True if control reaches the end of the current block.
    is_open: bool,
    /// The flag (0 or 1) of the overflow instruction that a branch will test.
    overflow: Option<VReg>,
    /// The host's address that the last `reach` left in parts.
    reached: Option<confined::Reached>,
    /// The register that holds the fuel, if the function keeps it in one.
    fuel: Option<VReg>,
    /// The address of the area of further results.
    results_area: Option<VReg>,
    /// The image of the argument registers of a variadic function.
    image: Option<FrameId>,
    /// The registers and stack that the named arguments take.
    named: Cursor,
    /// True if instructions of the function take addresses of its labels.
    has_laddr: bool,
    /// The numbers of jumps to such addresses, and of calls that return to them.
    indirect_jumps: usize,
    jump_calls: usize,
    /// The number of operands of calls.
    call_operands: usize,
    /// The number of instructions that may move the stack pointer.
    stack_moves: usize,
    /// The representation of such addresses.
    addresses: Addresses,
    /// The block through which all these jumps go, and the register with their target.
    dispatch: Option<(BlockId, VReg)>,
    /// The block with which the function begins again when it calls itself in tail position.
    again: Option<BlockId>,
    /// The register in which the results of such calls are changed, if they are.
    accumulator: Option<tail::Accumulator>,
    /// The number of levels on which the function that is compiled is inlined into itself.
    recursion: usize,
    /// True if the module contains a name of `setjmp`.
    names_set_jumps: bool,
    /// True if calls by which functions ask for their return address become that.
    tells_return_address: bool,
    /// The function's return address, if it asks for it.
    return_address: Option<VReg>,
    /// The calls that are inlined.
    inlining: Inlining,
    /// True if properties of variables are followed.
    follows: bool,
    /// The memory operands with a property that is followed.
    kept: Vec<'f, IrOperand>,
    settings: Settings<'a>,
    /// The function that is compiled, whatever is inlined into it.
    caller: FuncId,
    /// The number of further instructions that may be inlined.
    inline_budget: usize,
    /// The call that is being inlined.
    inlined: Option<inline::Inlined<'f>>,
    /// Callees, and whether they do nothing that needs a frame of their own.
    simple: [Cell<Option<(FuncId, bool)>>; inline::KNOWN_CALLEES],
}

impl<'f> Translator<'_, 'f, '_, '_> {
    // ---- preparation

    /// Creates blocks for labels and decides on the location of each variable.
    fn prepare(&mut self) -> Result<(), Error> {
        let func = self.module.func(self.func);
        let count = func.registers().len();
        let mut in_memory = Vec::new(self.function.allocator());
        in_memory.resize(count, false)?;
        let labels = self.module.label_count();
        let block = BlockId::new(0);
        if self.labels.blocks.len() < labels {
            self.labels.blocks.resize(labels, block)?;
        }
        let mut definitions = self.definitions_wanted()?;
        for insn in self.module.insns(self.func) {
            self.look_at(insn, &mut in_memory)?;
            if let Some(definitions) = &mut definitions {
                self.count_definitions(insn, definitions);
            }
        }
        if self.jumps_back(self.func) {
            // The registers that `longjmp` restores may have older values than the variables.
            in_memory.fill(true);
            self.function.is_jumped_back_into = true;
        }
        if self.settings.keeps_variables() {
            in_memory.fill(true);
        }
        if self.inlined.is_none() {
            // No function is inlined whose labels have addresses.
            self.mark_labels()?;
            self.gather_jumps()?;
        }
        self.variables.reserve(count)?;
        for number in 0..count {
            let place = self.place_of(number, in_memory[number])?;
            self.variables.push(place)?;
        }
        if self.settings.notes_variables() && self.inlined.is_none() {
            self.note_variables()?;
        }
        if let Some(definitions) = &definitions {
            self.find_frame_areas(&in_memory, definitions)?;
        }
        // Areas lie above the arguments of all calls where the stack pointer moves, and registers
        // that thunks clobber are reserved later.
        self.settings.selects &= self.stack_moves == 0 && !self.settings.is_by_block();
        if self.settings.selects {
            let size = func.insn_count().saturating_add(self.call_operands);
            self.function.expected_insns = size.saturating_mul(EXPECTED);
        }
        self.reserve_globals()
    }

    /// Notes the places of the variables for debuggers. Above level 0 memory may be behind, as
    /// stores to it are moved and left out.
    fn note_variables(&mut self) -> Result<(), Error> {
        for place in &self.variables {
            let place = match *place {
                VariableLocation::Memory(frame) if self.settings.keeps_variables() => {
                    Some(machine::VariablePlace::Frame(frame))
                }
                VariableLocation::Register(reg) => reg.vreg().map(machine::VariablePlace::Register),
                _ => None,
            };
            self.function.variables.push(place)?;
        }
        Ok(())
    }

    fn look_at(&mut self, insn: InsnId, in_memory: &mut [bool]) -> Result<(), Error> {
        let module = self.module;
        match module.code(insn) {
            Code::Label => {
                let block = self.function.add_block()?;
                let label = module.label_of(insn);
                let place = label.and_then(|label| self.labels.blocks.get_mut(label.index()));
                if let Some(place) = place {
                    *place = block;
                }
            }
            Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => {
                if let Some(IrOperand::Reg(reg)) = module.operand(insn, 1)
                    && let Some(place) = in_memory.get_mut(reg.index())
                {
                    *place = true;
                }
            }
            Code::Jret => self.function.is_jumped_to = true,
            Code::Laddr => self.has_laddr = true,
            Code::Jmpi => self.indirect_jumps += 1,
            Code::Jcall => self.jump_calls += 1,
            Code::Alloca | Code::Bstart => self.stack_moves += 1,
            code if code.is_call() => self.call_operands += module.operand_count(insn),
            // Selection of these takes places in the frame, which come after those of translation.
            code if LONG_DOUBLE[code as usize] => self.settings.selects = false,
            _ => {}
        }
        Ok(())
    }

    /// Returns counters for the definitions of each variable, if there may be frame areas.
    fn definitions_wanted(&self) -> Result<Option<Vec<'f, u8>>, Error> {
        if !first_insns(self.module, self.func).any(|(_, code)| code == Code::Alloca) {
            return Ok(None);
        }
        let func = self.module.func(self.func);
        let mut definitions = Vec::new(self.function.allocator());
        definitions.resize(func.registers().len(), 0_u8)?;
        // Arguments are defined by the call.
        for defined in definitions.iter_mut().take(func.arg_count()) {
            *defined = 1;
        }
        Ok(Some(definitions))
    }

    /// Counts the variables that an instruction writes.
    #[inline]
    fn count_definitions(&self, insn: InsnId, definitions: &mut [u8]) {
        let (module, code) = (self.module, self.module.code(insn));
        let mut count = |number| {
            if let Some(reg) = module.register_operand(insn, number)
                && let Some(count) = definitions.get_mut(reg.index())
            {
                *count = count.saturating_add(1);
            }
        };
        let mut outputs = OUTPUTS[code as usize];
        while outputs != 0 {
            count(outputs.trailing_zeros() as usize);
            outputs &= outputs - 1;
        }
        if code.is_call() {
            (2..2 + self.result_count(insn)).for_each(count);
        }
    }

    /// Returns whether a function calls `setjmp` by name.
    fn jumps_back(&self, func: FuncId) -> bool {
        let module = self.module;
        self.names_set_jumps
            && (module.insns(func))
                .any(|insn| module.code(insn).is_call() && module.calls_set_jump(insn))
    }

    fn place_of(&mut self, number: usize, in_memory: bool) -> Result<VariableLocation, Error> {
        let module = self.module;
        let Some(register) = module.func(self.func).registers().get(number) else {
            return Err(self.internal());
        };
        if let Some(name) = register.hard_reg {
            return self.hard_register(module.name_bytes(name), register.ty);
        }
        if in_memory || register.ty == Type::Ld {
            return Ok(VariableLocation::Memory(self.function.add_local(16, 16)?));
        }
        let vreg = self.variable_vreg(register.ty)?;
        Ok(VariableLocation::Register(Reg::virt(vreg)))
    }

    fn hard_register(&mut self, name: &[u8], ty: Type) -> Result<VariableLocation, Error> {
        let registers = self.isa.registers();
        let index =
            (self.isa.target().hard_register(name, ty.class())).map_err(|_| self.internal())?;
        let row = registers.hard.get(index).copied();
        let row = row.ok_or(self.internal())?;
        let (bank, ty) = bank_and_type(ty);
        let reg = registers.of_type(Reg::physical(row), bank, ty);
        Ok(VariableLocation::Register(reg))
    }

    /// Reserves the registers that global variables of the module's functions are tied to.
    fn reserve_globals(&mut self) -> Result<(), Error> {
        let module = self.module;
        if !self.function.reserved.is_empty() {
            return Ok(());
        }
        let registers = self.isa.registers();
        for &(name, ty) in module.globals() {
            let name = module.name_bytes(name);
            let index = self.isa.target().hard_register(name, ty.class());
            let row = index.ok().and_then(|index| registers.hard.get(index));
            let row = row.copied().ok_or(self.internal())?;
            let units = registers.units(Reg::physical(row));
            self.function.reserved = self.function.reserved.union(units);
        }
        Ok(())
    }

    /// Makes frame objects of constant `alloca`s that run once per call. A variable with no other
    /// definition becomes the object's address.
    fn find_frame_areas(&mut self, in_memory: &[bool], definitions: &[u8]) -> Result<(), Error> {
        let module = self.module;
        for (insn, code) in first_insns(module, self.func) {
            let (Code::Alloca, Some(IrOperand::Reg(reg)), Some(size)) =
                (code, module.operand(insn, 0), module.operand(insn, 1))
            else {
                continue;
            };
            let count = definitions.get(reg.index()).copied();
            let (Some(bytes), Some(1), Some(false)) = (
                frame_area_bytes(size),
                count,
                in_memory.get(reg.index()).copied(),
            ) else {
                continue;
            };
            if matches!(self.variables.get(reg.index()), Some(VariableLocation::Register(reg)) if reg.vreg().is_some())
            {
                let frame = self.function.add_local(bytes, 16)?;
                if let Some(place) = self.variables.get_mut(reg.index()) {
                    *place = VariableLocation::Address(frame);
                    self.stack_moves = self.stack_moves.saturating_sub(1);
                }
            }
        }
        Ok(())
    }

    // ---- emission

    fn emit<const N: usize>(
        &mut self,
        generic: Generic,
        ty: LowType,
        operands: &[Operand; N],
    ) -> Result<(), Error> {
        if self.settings.selects && generic.is_selected() {
            return self.select(generic, ty, operands);
        }
        let block = self.block;
        (self.function).insert_first(block, None, generic.into(), ty, operands, N)?;
        Ok(())
    }

    /// Appends an instruction with any number of operands.
    fn emit_all(&mut self, generic: Generic, operands: &[Operand]) -> Result<(), Error> {
        let ty = LowType::S64;
        if self.settings.selects && generic.is_selected() {
            return self.select(generic, ty, operands);
        }
        (self.function).append(self.block, generic, ty, operands)?;
        Ok(())
    }

    /// Appends the target instructions for a generic one. It is not inlined, as it has many callers
    /// and code that is new to the processor is slow.
    #[inline(never)]
    fn select(&mut self, generic: Generic, ty: LowType, operands: &[Operand]) -> Result<(), Error> {
        let (isa, tables, block) = (self.isa, self.tables, self.block);
        let mut out = Emitter::with_tables(self.function, isa, tables, block, None);
        let insn = GenericInsn {
            generic,
            ty,
            operands,
        };
        isa.select(&mut out, insn)
    }

    fn vreg(&mut self, bank: Bank, ty: LowType) -> Result<VReg, Error> {
        let class = (self.isa.registers().class_of)(bank, ty);
        Ok(self.function.add_vreg(VRegInfo { ty, bank, class })?)
    }

    /// Returns a new register for a variable of the bank and type.
    fn variable_vreg(&mut self, ty: Type) -> Result<VReg, Error> {
        let (bank, ty) = bank_and_type(ty);
        match bank {
            Bank::General => self.int_vreg(),
            Bank::Floating => self.vreg(bank, ty),
        }
    }

    fn int_vreg(&mut self) -> Result<VReg, Error> {
        Ok(self.function.add_vreg(self.int)?)
    }

    /// Returns a new register for a 64-bit integer.
    fn temp(&mut self) -> Result<Operand, Error> {
        Ok(self.int_vreg()?.into())
    }

    /// Begins `block`, which comes next in the layout. Control falls through to it if it reaches
    /// the end of the current block.
    fn start(&mut self, block: BlockId) -> Result<(), Error> {
        self.function.layout.push(block)?;
        self.block = block;
        self.is_open = true;
        Ok(())
    }

    fn branch(&mut self, block: BlockId) -> Result<(), Error> {
        self.emit(Generic::Br, LowType::S64, &[Operand::block(block)])?;
        self.is_open = false;
        Ok(())
    }

    /// Returns a block at the end of the code in which the current instruction faults.
    fn fault_block(&mut self, kind: FaultKind) -> Result<BlockId, Error> {
        self.fault_block_with(kind, Reported::Nothing)
    }

    /// Does as [`Translator::fault_block`], with a number to report.
    fn fault_block_with(&mut self, kind: FaultKind, reported: Reported) -> Result<BlockId, Error> {
        let block = self.function.add_block()?;
        self.cold.push(block)?;
        let back = core::mem::replace(&mut self.block, block);
        self.store_fuel()?;
        let value = match reported {
            Reported::Nothing => None,
            Reported::Value(value) => Some(self.int(value)?),
            Reported::Above(offset, distance) => {
                let value = self.temp()?;
                let operands = [values::def(value), offset, Operand::imm(distance)];
                self.emit(Generic::Add, LowType::S64, &operands)?;
                Some(value)
            }
        };
        self.report(kind, value)?;
        self.never_return()?;
        self.block = back;
        Ok(block)
    }

    /// Emits the end of a block after a call that does not return. Nothing is live there, so that
    /// the call need not preserve anything.
    fn never_return(&mut self) -> Result<(), Error> {
        let stop = match self.stop {
            // A block that is compiled by itself ends there.
            _ if self.settings.is_by_block() => self.block,
            Some(stop) => stop,
            None => {
                let stop = self.function.add_block()?;
                self.stop = Some(stop);
                self.cold.push(stop)?;
                let back = core::mem::replace(&mut self.block, stop);
                self.emit(Generic::Br, LowType::S64, &[Operand::block(stop)])?;
                self.block = back;
                stop
            }
        };
        self.emit(Generic::Br, LowType::S64, &[Operand::block(stop)])
    }

    /// Emits the call of the routine that ends the run.
    fn report(&mut self, kind: FaultKind, value: Option<Operand>) -> Result<(), Error> {
        if self.settings.execution.traces {
            let value = value.unwrap_or(Operand::imm(0));
            self.call_helper_at(Helper::FaultAt, kind as u8, value)?;
            return Ok(());
        }
        let callable = self.symbol(Symbol::Callable(self.func))?;
        let number = self.told_number()?;
        let kind = Operand::imm(i32::from(kind as u8));
        match value {
            None => self.call_helper(Helper::Fault, &[callable, kind, number])?,
            Some(value) => self.call_helper(Helper::FaultWith, &[callable, kind, number, value])?,
        };
        Ok(())
    }

    /// Returns the number of the current instruction for a routine that tells it.
    fn told_number(&mut self) -> Result<Operand, Error> {
        let number = self.module.origin(self.func, self.number);
        Ok(self.function.int(i64::from(number))?)
    }

    /// Emits the call of a routine that notes who called whom.
    fn call_helper_at(&mut self, helper: Helper, kind: u8, value: Operand) -> Result<(), Error> {
        let callable = self.symbol(Symbol::Callable(self.caller))?;
        let site = self.site();
        let place = self.function.int(Place { site, kind }.to_number())?;
        let here = self.stack_pointer_now()?;
        self.call_helper(helper, &[callable, place, value, here])?;
        Ok(())
    }

    /// Returns the place of the current instruction.
    fn site(&self) -> CallSite {
        CallSite {
            inlined: self.inlined.as_ref().map_or(0, |inlined| inlined.number),
            number: self.number,
        }
    }

    // ---- the function

    fn body(&mut self) -> Result<(), Error> {
        self.insns_of_function()?;
        let cold = core::mem::replace(&mut self.cold, Vec::new(self.function.allocator()));
        for &block in &cold {
            self.function.layout.push(block)?;
        }
        self.dispatch()
    }
}

impl Translator<'_, '_, '_, '_> {
    /// Returns the error for an instruction that the verifier does not let pass, or a state that
    /// it cannot lead to.
    fn internal(&self) -> Error {
        Phase::Translation.internal(Some(machine::InsnId::new(self.number)))
    }

    /// Translates all instructions of the current function, which is compiled or being inlined.
    fn insns_of_function(&mut self) -> Result<(), Error> {
        let mut meter = self.meter()?;
        for insn in self.module.insns(self.func) {
            if let Some(label) = self.module.label_of(insn) {
                self.start(self.label(label))?;
                self.number = self.number.saturating_add(1);
                continue;
            }
            if self.function.insn_count() > self.settings.options.budget.insns {
                return Err(Error::Budget);
            }
            let cost = meter.as_mut().map_or(0, |meter| meter.insn(insn));
            if self.is_open {
                self.function.origins.place_at(self.site());
                if cost > 0 {
                    self.charge(cost)?;
                }
                self.insn(insn)?;
                if self.follows && self.inlined.is_none() {
                    self.follow_properties(insn)?;
                }
            }
            self.number = self.number.saturating_add(1);
        }
        if self.is_open {
            // The place is that of the last instruction.
            self.number = self.number.saturating_sub(1);
            let fault = self.fault_block(FaultKind::EndReached)?;
            self.branch(fault)?;
        }
        Ok(())
    }
}

/// The operands that each instruction writes, a bit for each, from the lowest on.
static OUTPUTS: [u8; Code::COUNT] = {
    let mut outputs = [0; Code::COUNT];
    let mut number = 0;
    while number < outputs.len() {
        let code = Code::ALL[number];
        let (modes, mut place) = (code.modes(), 0);
        while place < modes.len() {
            if modes[place].is_output() {
                outputs[code as usize] |= 1 << place;
            }
            place += 1;
        }
        number += 1;
    }
    outputs
};

/// Returns the instructions that a function executes first, up to a label or a branch.
fn first_insns(module: &Module<'_>, func: FuncId) -> impl Iterator<Item = (InsnId, Code)> {
    let insns = module.insns(func).map(|insn| (insn, module.code(insn)));
    insns.take_while(|(_, code)| *code != Code::Label && code.flags().is_empty())
}

/// Returns the bank and type of a variable of this type, other than long double.
fn bank_and_type(ty: Type) -> (Bank, LowType) {
    match ty {
        Type::F => (Bank::Floating, LowType::S32),
        Type::D => (Bank::Floating, LowType::S64),
        _ => (Bank::General, LowType::S64),
    }
}

/// The largest `alloca` that becomes a frame object, in bytes.
const LARGEST_FRAME_AREA: i64 = 1 << 20;

/// Returns the size of the frame object for an `alloca` of this size, if that is constant and not
/// too large.
fn frame_area_bytes(size: IrOperand) -> Option<u32> {
    let bytes = match size {
        IrOperand::Int(bytes) => bytes.max(1),
        IrOperand::Uint(bytes) => i64::try_from(bytes).ok()?.max(1),
        _ => return None,
    };
    (bytes <= LARGEST_FRAME_AREA).then_some(bytes as u32)
}

impl Translator<'_, '_, '_, '_> {
    fn variable(&self, variable: Variable) -> Result<VariableLocation, Error> {
        let place = self.variables.get(variable.index()).copied();
        place.ok_or(self.internal())
    }
}
