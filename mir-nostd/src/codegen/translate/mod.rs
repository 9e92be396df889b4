//! Medium IR becomes generic Machine IR.
//!
//! Every variable becomes one virtual register with as many definitions as it has, a place in memory if its address is
//! taken or it is a long double, or the hard register that it is tied to. Calls follow the target's calling convention:
//! arguments go to physical registers by copies right before the call. Faults get blocks at the end of the code. The
//! function must have passed the verifier for the target.

mod calls;
mod entry;
mod inline;
mod insns;
mod labels;
mod limits;
mod long_double;
mod meaning;
mod property;
mod tail;
mod values;

pub use inline::Inlining;
pub(crate) use labels::thunk_shift;
pub use labels::{LabelAddress, Labels};

use crate::codegen::analysis::callees::Callees;
use crate::codegen::helper::{FaultKind, Helper};
use crate::ir::{
    Code, FuncId, InsnId, ItemKind, Module, Operand as IrOperand, Reg as Variable, SET_JUMPS, Type,
};
use crate::machine::{
    Bank, BlockId, FrameId, Function, Generic, LowType, Operand, Reg, Symbol, VReg, VRegInfo,
};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;
use crate::target::{Cursor, Isa};
use labels::Addresses;

/// Where a variable of the function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In a register, virtual or hard.
    Register(Reg),
    /// In memory.
    Memory(FrameId),
    /// It is the address of a frame object and nothing else, ever.
    Address(FrameId),
}

/// What compiled code is to watch over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Whether blocks of Medium IR are charged for when control comes to them.
    pub fuel: bool,
    /// Whether functions make sure that there is stack when they are entered.
    pub stack: bool,
}

/// What a translation does beyond translating.
#[derive(Clone, Copy, Debug)]
pub struct Extras<'a> {
    /// Calls of which functions of the module are replaced by their bodies.
    pub inlining: Inlining,
    /// Properties of variables are followed, unless blocks are charged for.
    pub follows_properties: bool,
    /// What the code watches over.
    pub limits: Limits,
    /// The most instructions that the function may become.
    pub most_insns: usize,
    /// What is known of the functions of the module as callees.
    pub callees: Option<&'a Callees<'a>>,
}

/// Translates a function of a verified module into `function`, which is empty.
///
/// # Errors
///
/// Out of memory; [`Error::TooLarge`].
pub fn translate(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    module: &Module<'_>,
    func: FuncId,
    labels: &mut Labels<'_>,
    extras: Extras<'_>,
) -> Result<(), Error> {
    labels.forget();
    let entry = function.add_block()?;
    function.layout.push(entry)?;
    let variables = Vec::new(function.allocator());
    let cold = Vec::new(function.allocator());
    let allocator = function.allocator();
    let mut translator = Translator {
        function,
        isa,
        module,
        func,
        labels,
        variables,
        block: entry,
        cold,
        number: 0,
        is_open: true,
        overflow: None,
        results_area: None,
        image: None,
        named: Cursor::default(),
        has_laddr: false,
        indirect_jumps: 0,
        jump_calls: 0,
        addresses: Addresses::Code,
        dispatch: None,
        again: None,
        names_set_jumps: { SET_JUMPS.iter() }.any(|name| module.find_name(name).is_some()),
        inlining: extras.inlining,
        follows: false,
        kept: Vec::new(allocator),
        by_block: extras.follows_properties,
        limits: extras.limits,
        most_insns: extras.most_insns,
        caller: func,
        callees: extras.callees,
        inline_budget: extras.inlining.budget(module.func(func).insn_count()),
        inlined: None,
    };
    // Fuel is that of the interpreter, for which every property is 0: so are the branches that it is taken for.
    let may_follow = extras.follows_properties && !extras.limits.fuel;
    translator.follows = may_follow && translator.sets_properties();
    translator.prepare()?;
    if translator.follows {
        translator.find_kept()?;
    }
    translator.enter()?;
    translator.begin_again()?;
    translator.body()
}

/// A translation under way. `'a` is the borrow of everything, `'f 'm 'l` the allocators of function, module, labels.
struct Translator<'a, 'f, 'm, 'l> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    module: &'a Module<'m>,
    func: FuncId,
    labels: &'a mut Labels<'l>,
    variables: Vec<'f, Place>,
    /// Where instructions go.
    block: BlockId,
    /// Blocks that belong behind all others.
    cold: Vec<'f, BlockId>,
    /// The number of the instruction in its function, from 0.
    number: u32,
    /// Whether control reaches the end of the current block.
    is_open: bool,
    /// 0 or 1 from the overflow instruction that a branch will test.
    overflow: Option<VReg>,
    /// The address of the area of further results.
    results_area: Option<VReg>,
    /// The image of the argument registers of a variadic function.
    image: Option<FrameId>,
    /// What the named arguments used up.
    named: Cursor,
    /// Whether the function takes addresses of its labels by instructions.
    has_laddr: bool,
    /// How many jumps go to such addresses, and calls come back to them.
    indirect_jumps: usize,
    jump_calls: usize,
    /// What they are.
    addresses: Addresses,
    /// The block that makes these jumps, all of them, and the register that says where to.
    dispatch: Option<(BlockId, VReg)>,
    /// Where the function begins again when it calls itself at its end.
    again: Option<BlockId>,
    /// Whether the module has a name of `setjmp` in it.
    names_set_jumps: bool,
    /// Which calls are inlined.
    inlining: Inlining,
    /// Whether properties of variables are followed.
    follows: bool,
    /// What lies in memory and has a property that is followed.
    kept: Vec<'f, IrOperand>,
    /// True if blocks are made one by one.
    by_block: bool,
    /// What the code watches over.
    limits: Limits,
    /// The most instructions that the function may become.
    most_insns: usize,
    /// The function that is compiled, whatever is inlined in it.
    caller: FuncId,
    /// What is known of its callees.
    callees: Option<&'a Callees<'a>>,
    /// How many more instructions may be inlined.
    inline_budget: usize,
    /// What is being inlined.
    inlined: Option<inline::Inlined<'f>>,
}

impl<'f> Translator<'_, 'f, '_, '_> {
    // ---- preparation

    /// Finds blocks, and decides where each variable is.
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
            // What `longjmp` puts back into registers is older than what they held.
            in_memory.fill(true);
            self.function.is_jumped_back_into = true;
        }
        if self.inlined.is_none() {
            // Nothing is inlined whose labels have addresses.
            self.mark_labels()?;
            self.gather_jumps()?;
        }
        self.variables.reserve(count)?;
        for number in 0..count {
            let place = self.place_of(number, in_memory[number])?;
            self.variables.push(place)?;
        }
        if let Some(definitions) = &definitions {
            self.find_frame_areas(&in_memory, definitions)?;
        }
        self.reserve_globals();
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
            _ => {}
        }
        Ok(())
    }

    /// If there may be frame areas: how often each variable is written, to be counted.
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

    /// Counts what an instruction writes.
    fn count_definitions(&self, insn: InsnId, definitions: &mut [u8]) {
        let (module, code) = (self.module, self.module.code(insn));
        let mut count = |number| {
            if let Some(IrOperand::Reg(reg)) = module.operand(insn, number)
                && let Some(count) = definitions.get_mut(reg.index())
            {
                *count = count.saturating_add(1);
            }
        };
        let modes = code.modes().iter().enumerate();
        modes
            .filter(|(_, mode)| mode.is_output())
            .for_each(|(number, _)| count(number));
        if code.is_call() {
            (2..2 + self.result_count(insn)).for_each(count);
        }
    }

    /// Whether a function calls `setjmp` by its name.
    fn jumps_back(&self, func: FuncId) -> bool {
        let module = self.module;
        let is_set_jump = |insn| {
            let Some(IrOperand::Item(item)) = module.operand(insn, 1) else {
                return false;
            };
            let item = module.item(item);
            let name = item.name.map(|name| module.name_bytes(name));
            item.kind == ItemKind::Import && name.is_some_and(|name| SET_JUMPS.contains(&name))
        };
        self.names_set_jumps
            && (module.insns(func)).any(|insn| module.code(insn).is_call() && is_set_jump(insn))
    }

    fn place_of(&mut self, number: usize, in_memory: bool) -> Result<Place, Error> {
        let module = self.module;
        let Some(register) = module.func(self.func).registers().get(number) else {
            return Err(Error::Unsupported);
        };
        if let Some(name) = register.hard_reg {
            return self.hard_register(module.name_bytes(name), register.ty);
        }
        if in_memory || register.ty == Type::Ld {
            return Ok(Place::Memory(self.function.add_local(16, 16)?));
        }
        let (bank, ty) = bank_and_type(register.ty);
        Ok(Place::Register(Reg::virt(self.vreg(bank, ty)?)))
    }

    fn hard_register(&mut self, name: &[u8], ty: Type) -> Result<Place, Error> {
        let registers = self.isa.registers();
        let index =
            (self.isa.target().hard_register(name, ty.class())).map_err(|_| Error::Unsupported)?;
        let row = registers.hard.get(index).copied().unwrap_or(0);
        let (bank, ty) = bank_and_type(ty);
        let reg = registers.of_type(Reg::physical(row), bank, ty);
        Ok(Place::Register(reg))
    }

    /// Keeps everything off the registers that global variables of the module's functions are tied to.
    fn reserve_globals(&mut self) {
        let module = self.module;
        if !self.function.reserved.is_empty() {
            return;
        }
        let registers = self.isa.registers();
        for &(name, ty) in module.globals() {
            let name = module.name_bytes(name);
            let index = self.isa.target().hard_register(name, ty.class());
            let row = index.ok().and_then(|index| registers.hard.get(index));
            let units = registers.units(Reg::physical(row.copied().unwrap_or(0)));
            self.function.reserved = self.function.reserved.union(units);
        }
    }

    /// Constant `alloca`s that run once per call become frame objects; a variable that is nothing else becomes its
    /// address.
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
            if matches!(self.variables.get(reg.index()), Some(Place::Register(reg)) if reg.vreg().is_some())
            {
                let frame = self.function.add_local(bytes, 16)?;
                if let Some(place) = self.variables.get_mut(reg.index()) {
                    *place = Place::Address(frame);
                }
            }
        }
        Ok(())
    }

    // ---- writing

    fn emit<const N: usize>(
        &mut self,
        generic: Generic,
        ty: LowType,
        operands: &[Operand; N],
    ) -> Result<(), Error> {
        let block = self.block;
        (self.function).insert_first(block, None, generic.into(), ty, operands, N)?;
        Ok(())
    }

    /// The same with any number of operands.
    fn emit_all(&mut self, generic: Generic, operands: &[Operand]) -> Result<(), Error> {
        (self.function).append(self.block, generic, LowType::S64, operands)?;
        Ok(())
    }

    fn vreg(&mut self, bank: Bank, ty: LowType) -> Result<VReg, Error> {
        let class = (self.isa.registers().class_of)(bank, ty);
        Ok(self.function.add_vreg(VRegInfo { ty, bank, class })?)
    }

    /// A new register for a 64-bit integer.
    fn temp(&mut self) -> Result<Operand, Error> {
        Ok(self.vreg(Bank::General, LowType::S64)?.into())
    }

    /// Ends the current block, if control reaches its end, by falling into `block`, which comes next.
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

    /// A block at the end of the code in which the current instruction faults.
    fn fault_block(&mut self, kind: FaultKind) -> Result<BlockId, Error> {
        let block = self.function.add_block()?;
        self.cold.push(block)?;
        let back = core::mem::replace(&mut self.block, block);
        let callable = self.symbol(Symbol::Callable(self.func))?;
        let number = self.function.int(i64::from(self.number))?;
        let arguments = [callable, Operand::imm(i32::from(kind as u8)), number];
        self.call_helper(Helper::Fault, &arguments)?;
        self.emit(Generic::Br, LowType::S64, &[Operand::block(block)])?;
        self.block = back;
        Ok(block)
    }

    // ---- the whole

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
    /// Translates all instructions of the current function, a call's or the whole's.
    fn insns_of_function(&mut self) -> Result<(), Error> {
        let mut meter = self.meter()?;
        for insn in self.module.insns(self.func) {
            let code = self.module.code(insn);
            if let Some(label) = self.module.label_of(insn) {
                let block = self.label(label);
                if let Some(meter) = &mut meter {
                    meter.label(block.index());
                }
                self.start(block)?;
                self.number = self.number.saturating_add(1);
                continue;
            }
            if self.function.insn_count() > self.most_insns {
                return Err(Error::Budget);
            }
            let cost = meter.as_mut().and_then(|meter| meter.insn(code));
            if self.is_open {
                if let Some(cost) = cost {
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
            let fault = self.fault_block(FaultKind::EndReached)?;
            self.branch(fault)?;
        }
        Ok(())
    }
}

/// The instructions of a function that run first, up to a label or anything that goes elsewhere.
fn first_insns(module: &Module<'_>, func: FuncId) -> impl Iterator<Item = (InsnId, Code)> {
    let insns = module.insns(func).map(|insn| (insn, module.code(insn)));
    insns.take_while(|(_, code)| *code != Code::Label && code.flags().is_empty())
}

/// The bank and type of a variable of this type; long doubles have none.
fn bank_and_type(ty: Type) -> (Bank, LowType) {
    match ty {
        Type::F => (Bank::Floating, LowType::S32),
        Type::D => (Bank::Floating, LowType::S64),
        _ => (Bank::General, LowType::S64),
    }
}

/// The largest `alloca` that becomes a frame object, in bytes.
const LARGEST_FRAME_AREA: i64 = 1 << 20;

/// How large the frame object for an `alloca` of this size is, if the size is a constant and not too large.
fn frame_area_bytes(size: IrOperand) -> Option<u32> {
    let bytes = match size {
        IrOperand::Int(bytes) => bytes.max(1),
        IrOperand::Uint(bytes) => i64::try_from(bytes).ok()?.max(1),
        _ => return None,
    };
    (bytes <= LARGEST_FRAME_AREA).then_some(bytes as u32)
}

impl Translator<'_, '_, '_, '_> {
    fn variable(&self, variable: Variable) -> Result<Place, Error> {
        let place = self.variables.get(variable.index()).copied();
        place.ok_or(Error::Unsupported)
    }
}
