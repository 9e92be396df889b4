//! Translates one function of Medium IR to Cranelift's IR.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind,
    TrapCode, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use cranelift_module::Module as _;

use mir_nostd::ir::{
    Class, Code, FuncId, InsnId, ItemKind, Label, Mem, Mode, Module, Operand, Reg, Signature, Type,
};
use mir_nostd::mem::Entity;

use super::{Compiler, Result, text, value_type};

/// Translates a function into `made`, which is empty.
pub fn translate(
    compiler: &mut Compiler<'_, '_>,
    id: FuncId,
    made: &mut Function,
    context: &mut FunctionBuilderContext,
) -> Result<()> {
    let module = compiler.module;
    let func = module.func(id);
    made.signature = compiler.signature(&func.signature)?;
    let mut builder = FunctionBuilder::new(made, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let mut registers = Vec::new();
    for register in func.registers() {
        if register.hard_reg.is_some() {
            return Err("registers of the machine are not translated".into());
        }
        let ty = value_type(register.ty)?;
        registers.push(Home::Variable(builder.declare_var(ty)));
    }
    for insn in module.insns(id) {
        let (Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32, Some(Operand::Reg(reg))) =
            (module.code(insn), module.operand(insn, 1))
        else {
            continue;
        };
        let ty = value_type(func.registers()[reg.index()].ty)?;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
        registers[reg.index()] = Home::Slot(builder.create_sized_stack_slot(slot), ty);
    }
    let flags = [types::I8; 2].map(|ty| builder.declare_var(ty));
    let mut translator = Translator {
        compiler,
        module,
        builder,
        registers,
        flags,
        labels: HashMap::new(),
        is_open: true,
        signature: func.signature,
    };
    translator.begin(id, entry)?;
    for insn in module.insns(id) {
        translator.insn(insn)?;
    }
    if translator.is_open {
        translator.builder.ins().trap(TrapCode::unwrap_user(1));
    }
    translator.builder.seal_all_blocks();
    let config = translator.compiler.jit.target_config();
    translator.builder.finalize(config);
    Ok(())
}

/// The location of a register.
#[derive(Clone, Copy)]
enum Home {
    Variable(Variable),
    /// A stack slot, as the register's address is taken.
    Slot(StackSlot, types::Type),
}

struct Translator<'t, 'a, 'm> {
    compiler: &'t mut Compiler<'a, 'm>,
    module: &'a Module<'m>,
    builder: FunctionBuilder<'t>,
    registers: Vec<Home>,
    /// The signed and the unsigned overflow flag.
    flags: [Variable; 2],
    labels: HashMap<Label, Block>,
    /// True if control reaches the point where code is emitted.
    is_open: bool,
    signature: Signature,
}

const FLAGS: MemFlagsData = MemFlagsData::trusted();

impl Translator<'_, '_, '_> {
    /// Initialises the registers.
    fn begin(&mut self, id: FuncId, entry: Block) -> Result<()> {
        let arguments = self.builder.block_params(entry).to_vec();
        let signature = self.signature;
        let module = self.module;
        for (number, register) in module.func(id).registers().iter().enumerate() {
            let value = match arguments.get(number) {
                Some(&value) => self.extended(value, module.args(&signature)[number].ty),
                None => self.zero(register.ty.class()),
            };
            self.define(number, value);
        }
        Ok(())
    }

    fn zero(&mut self, class: Class) -> Value {
        match class {
            Class::Float => self.builder.ins().f32const(0.0),
            Class::Double => self.builder.ins().f64const(0.0),
            _ => self.builder.ins().iconst(types::I64, 0),
        }
    }

    /// Converts an integer of a type that was received in a register.
    fn extended(&mut self, value: Value, ty: Type) -> Value {
        let narrow = match ty {
            Type::I8 | Type::U8 => types::I8,
            Type::I16 | Type::U16 => types::I16,
            Type::I32 | Type::U32 => types::I32,
            _ => return value,
        };
        let value = self.builder.ins().ireduce(narrow, value);
        match ty.is_signed() {
            true => self.builder.ins().sextend(types::I64, value),
            false => self.builder.ins().uextend(types::I64, value),
        }
    }

    fn block(&mut self, label: Label) -> Block {
        let builder = &mut self.builder;
        *(self.labels.entry(label)).or_insert_with(|| builder.create_block())
    }

    /// Continues with code in this block.
    fn open(&mut self, block: Block) {
        if self.is_open {
            self.builder.ins().jump(block, &[]);
        }
        self.builder.switch_to_block(block);
        self.is_open = true;
    }

    // ---- operands

    fn operand(&self, insn: InsnId, number: usize) -> Result<Operand> {
        let operand = self.module.operand(insn, number);
        operand.ok_or_else(|| "an operand is missing".into())
    }

    fn label(&self, insn: InsnId, number: usize) -> Result<Label> {
        match self.operand(insn, number)? {
            Operand::Label(label) => Ok(label),
            _ => Err("no label".into()),
        }
    }

    fn value(&mut self, operand: Operand) -> Result<Value> {
        let integer = |this: &mut Self, value: i64| this.builder.ins().iconst(types::I64, value);
        Ok(match operand {
            Operand::Reg(reg) => self.register(reg),
            Operand::Int(value) => integer(self, value),
            Operand::Uint(value) => integer(self, value as i64),
            Operand::Float(value) => self.builder.ins().f32const(value),
            Operand::Double(value) => self.builder.ins().f64const(value),
            Operand::Str(string) => integer(self, self.compiler.linked.str_address(string) as i64),
            Operand::Item(item) => match self.compiler.function(item) {
                Some(function) => {
                    let jit = &mut self.compiler.jit;
                    let function = jit.declare_func_in_func(function, self.builder.func);
                    self.builder.ins().func_addr(types::I64, function)
                }
                None => integer(self, self.compiler.linked.item_address(item) as i64),
            },
            Operand::Mem(mem) => self.load(&mem)?,
            Operand::LongDouble(_) | Operand::Label(_) => {
                return Err("not translated".into());
            }
        })
    }

    fn register(&mut self, reg: Reg) -> Value {
        match self.registers[reg.index()] {
            Home::Variable(variable) => self.builder.use_var(variable),
            Home::Slot(slot, ty) => self.builder.ins().stack_load(types::I64, ty, slot, 0),
        }
    }

    fn define(&mut self, number: usize, value: Value) {
        match self.registers[number] {
            Home::Variable(variable) => self.builder.def_var(variable, value),
            Home::Slot(slot, _) => {
                self.builder.ins().stack_store(types::I64, value, slot, 0);
            }
        }
    }

    fn input(&mut self, insn: InsnId, number: usize) -> Result<Value> {
        let operand = self.operand(insn, number)?;
        self.value(operand)
    }

    /// Returns the low half of an input.
    fn short(&mut self, insn: InsnId, number: usize) -> Result<Value> {
        let value = self.input(insn, number)?;
        Ok(self.builder.ins().ireduce(types::I32, value))
    }

    fn set(&mut self, operand: Operand, value: Value) -> Result<()> {
        match operand {
            Operand::Reg(reg) => {
                self.define(reg.index(), value);
                Ok(())
            }
            Operand::Mem(mem) => self.store(&mem, value),
            _ => Err("no place".into()),
        }
    }

    fn output(&mut self, insn: InsnId, value: Value) -> Result<()> {
        let place = self.operand(insn, 0)?;
        self.set(place, value)
    }

    /// Returns an address as a register and a displacement.
    fn address(&mut self, mem: &Mem) -> (Value, i32) {
        let mut sum = mem.base.map(|base| self.register(base));
        if let Some(index) = mem.index {
            let mut index = self.register(index);
            if mem.scale != 1 {
                index = match mem.scale.is_power_of_two() {
                    true => {
                        let shift = i64::from(mem.scale.trailing_zeros());
                        self.builder.ins().ishl_imm_u(index, shift)
                    }
                    false => {
                        let scale = i64::from(mem.scale);
                        self.builder.ins().imul_imm_s(index, scale)
                    }
                };
            }
            sum = Some(match sum {
                Some(sum) => self.builder.ins().iadd(sum, index),
                None => index,
            });
        }
        match (sum, i32::try_from(mem.disp)) {
            (Some(sum), Ok(disp)) => (sum, disp),
            (Some(sum), Err(_)) => (self.builder.ins().iadd_imm_s(sum, mem.disp), 0),
            (None, _) => (self.builder.ins().iconst(types::I64, mem.disp), 0),
        }
    }

    fn load(&mut self, mem: &Mem) -> Result<Value> {
        let (at, disp) = self.address(mem);
        let ins = self.builder.ins();
        Ok(match mem.ty {
            Type::I8 => ins.sload8(types::I64, FLAGS, at, disp),
            Type::U8 => ins.uload8(types::I64, FLAGS, at, disp),
            Type::I16 => ins.sload16(types::I64, FLAGS, at, disp),
            Type::U16 => ins.uload16(types::I64, FLAGS, at, disp),
            Type::I32 => ins.sload32(FLAGS, at, disp),
            Type::U32 => ins.uload32(FLAGS, at, disp),
            ty => ins.load(value_type(ty)?, FLAGS, at, disp),
        })
    }

    fn store(&mut self, mem: &Mem, value: Value) -> Result<()> {
        let (at, disp) = self.address(mem);
        value_type(mem.ty)?;
        let ins = self.builder.ins();
        match mem.ty {
            Type::I8 | Type::U8 => ins.istore8(FLAGS, value, at, disp),
            Type::I16 | Type::U16 => ins.istore16(FLAGS, value, at, disp),
            Type::I32 | Type::U32 => ins.istore32(FLAGS, value, at, disp),
            _ => ins.store(FLAGS, value, at, disp),
        };
        Ok(())
    }

    // ---- instructions

    fn insn(&mut self, insn: InsnId) -> Result<()> {
        let code = self.module.code(insn);
        if code == Code::Label {
            if let Some(label) = self.module.label_of(insn) {
                let block = self.block(label);
                self.open(block);
            }
            return Ok(());
        }
        if !self.is_open {
            return Ok(());
        }
        match code {
            Code::Jmp => {
                let label = self.label(insn, 0)?;
                let block = self.block(label);
                self.builder.ins().jump(block, &[]);
                self.is_open = false;
                Ok(())
            }
            Code::Switch => self.switch(insn),
            Code::Ret => self.ret(insn),
            Code::Call | Code::Inline => self.call(insn),
            Code::Alloca => self.alloca(insn),
            Code::Bstart => {
                let zero = self.builder.ins().iconst(types::I64, 0);
                self.output(insn, zero)
            }
            Code::Bend => Ok(()),
            Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => self.addr(insn),
            Code::Bt | Code::Bf | Code::Bts | Code::Bfs => {
                let value = match code {
                    Code::Bts | Code::Bfs => self.short(insn, 1)?,
                    _ => self.input(insn, 1)?,
                };
                self.branch(insn, value, matches!(code, Code::Bt | Code::Bts))
            }
            Code::Bo | Code::Bno => {
                let flag = self.builder.use_var(self.flags[0]);
                self.branch(insn, flag, code == Code::Bo)
            }
            Code::Ubo | Code::Ubno => {
                let flag = self.builder.use_var(self.flags[1]);
                self.branch(insn, flag, code == Code::Ubo)
            }
            _ => self.plain(insn, code),
        }
    }

    fn branch(&mut self, insn: InsnId, condition: Value, when: bool) -> Result<()> {
        let label = self.label(insn, 0)?;
        let (target, next) = (self.block(label), self.builder.create_block());
        let (then, other) = if when { (target, next) } else { (next, target) };
        self.builder.ins().brif(condition, then, &[], other, &[]);
        self.builder.switch_to_block(next);
        Ok(())
    }

    fn switch(&mut self, insn: InsnId) -> Result<()> {
        let value = self.input(insn, 0)?;
        let mut switch = Switch::new();
        for number in 1..self.module.operand_count(insn) {
            let label = self.label(insn, number)?;
            let block = self.block(label);
            switch.set_entry(number as u128 - 1, block);
        }
        let never = self.builder.create_block();
        switch.emit(&mut self.builder, value, never);
        self.builder.switch_to_block(never);
        self.builder.ins().trap(TrapCode::unwrap_user(1));
        self.is_open = false;
        Ok(())
    }

    fn ret(&mut self, insn: InsnId) -> Result<()> {
        let mut values = Vec::new();
        let signature = self.signature;
        let types = self.module.results(&signature);
        for (number, &ty) in types.iter().enumerate() {
            let value = self.input(insn, number)?;
            values.push(self.extended(value, ty));
        }
        self.builder.ins().return_(&values);
        self.is_open = false;
        Ok(())
    }

    fn alloca(&mut self, insn: InsnId) -> Result<()> {
        let size = match self.operand(insn, 1)? {
            Operand::Int(size) => size as u64,
            Operand::Uint(size) => size,
            _ => return Err("areas of any size are not translated".into()),
        };
        let size = u32::try_from(size).map_err(text)?;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size.max(1), 4);
        let slot = self.builder.create_sized_stack_slot(slot);
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        self.output(insn, address)
    }

    fn addr(&mut self, insn: InsnId) -> Result<()> {
        let Operand::Reg(reg) = self.operand(insn, 1)? else {
            return Err("no register".into());
        };
        let Home::Slot(slot, _) = self.registers[reg.index()] else {
            return Err("no slot".into());
        };
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        self.output(insn, address)
    }

    fn call(&mut self, insn: InsnId) -> Result<()> {
        let module = self.module;
        let (Operand::Item(proto), callee) = (self.operand(insn, 0)?, self.operand(insn, 1)?)
        else {
            return Err("no prototype".into());
        };
        let ItemKind::Proto(proto) = module.item(module.resolve(proto)).kind else {
            return Err("no prototype".into());
        };
        let mut signature = self.compiler.signature(&proto)?;
        let results = module.results(&proto);
        let first = 2 + results.len();
        let mut values = Vec::new();
        for number in first..module.operand_count(insn) {
            let operand = self.operand(insn, number)?;
            if matches!(operand, Operand::Mem(mem) if mem.ty.is_block()) {
                return Err("blocks by value are not translated".into());
            }
            let value = self.value(operand)?;
            let fixed = module.args(&proto).get(number - first);
            let value = match fixed {
                Some(argument) => self.extended(value, argument.ty),
                None => {
                    let ty = self.builder.func.dfg.value_type(value);
                    signature.params.push(AbiParam::new(ty));
                    value
                }
            };
            values.push(value);
        }
        let known = match callee {
            Operand::Item(item) => self.compiler.function(item),
            _ => None,
        };
        let call = if let Some(function) = known {
            let jit = &mut self.compiler.jit;
            let function = jit.declare_func_in_func(function, self.builder.func);
            self.builder.ins().call(function, &values)
        } else {
            let address = match callee {
                Operand::Item(item) if proto.is_vararg() => {
                    let address = self.compiler.linked.item_address(item);
                    let address = self.compiler.variadic(address)?;
                    self.builder.ins().iconst(types::I64, address as i64)
                }
                _ => self.value(callee)?,
            };
            let signature = self.builder.import_signature(signature);
            self.builder
                .ins()
                .call_indirect(signature, address, &values)
        };
        let returned = self.builder.inst_results(call).to_vec();
        for (number, (value, &ty)) in returned.into_iter().zip(results).enumerate() {
            let value = self.extended(value, ty);
            let place = self.operand(insn, 2 + number)?;
            self.set(place, value)?;
        }
        Ok(())
    }

    /// Translates instructions that compute, compare or convert.
    fn plain(&mut self, insn: InsnId, code: Code) -> Result<()> {
        if let Some(value) = self.moved(insn, code)? {
            return self.output(insn, value);
        }
        let (name, is_branch) = match code.name().strip_prefix('b') {
            Some(rest) if is_comparison(rest) => (rest, true),
            _ => match code.name().split_once('b') {
                Some((kind @ ("u" | "f" | "d"), rest)) if is_comparison(rest) => {
                    return self.compare_and_branch(insn, &format!("{kind}{rest}"));
                }
                _ => (code.name(), false),
            },
        };
        if is_branch {
            return self.compare_and_branch(insn, name);
        }
        if let Some(condition) = self.comparison(insn, name, 1)? {
            let value = self.builder.ins().uextend(types::I64, condition);
            return self.output(insn, value);
        }
        let value = match code.modes() {
            [Mode::OutI, Mode::I, Mode::I] => self.integer(insn, code)?,
            [Mode::OutF, Mode::F, Mode::F] | [Mode::OutD, Mode::D, Mode::D] => {
                let (a, b) = (self.input(insn, 1)?, self.input(insn, 2)?);
                let ins = self.builder.ins();
                match code {
                    Code::Fadd | Code::Dadd => ins.fadd(a, b),
                    Code::Fsub | Code::Dsub => ins.fsub(a, b),
                    Code::Fmul | Code::Dmul => ins.fmul(a, b),
                    _ => ins.fdiv(a, b),
                }
            }
            _ => return Err(format!("{} is not translated", code.name())),
        };
        self.output(insn, value)
    }

    fn compare_and_branch(&mut self, insn: InsnId, name: &str) -> Result<()> {
        let condition = self.comparison(insn, name, 1)?;
        let condition = condition.ok_or_else(|| format!("b{name} is not translated"))?;
        self.branch(insn, condition, true)
    }

    /// Returns the result of an instruction with one input.
    fn moved(&mut self, insn: InsnId, code: Code) -> Result<Option<Value>> {
        if !matches!(code.modes(), [out, input] if out.is_output() && input.class().is_some()) {
            return Ok(None);
        }
        let value = self.input(insn, 1)?;
        let extension = match code {
            Code::Ext8 => Some(Type::I8),
            Code::Ext16 => Some(Type::I16),
            Code::Ext32 => Some(Type::I32),
            Code::Uext8 => Some(Type::U8),
            Code::Uext16 => Some(Type::U16),
            Code::Uext32 => Some(Type::U32),
            _ => None,
        };
        if let Some(ty) = extension {
            return Ok(Some(self.extended(value, ty)));
        }
        let ins = self.builder.ins();
        Ok(Some(match code {
            Code::Mov | Code::Fmov | Code::Dmov => value,
            Code::Neg | Code::Negs => ins.ineg(value),
            Code::Fneg | Code::Dneg => ins.fneg(value),
            Code::Fsqrt | Code::Dsqrt => ins.sqrt(value),
            Code::I2f => ins.fcvt_from_sint(types::F32, value),
            Code::I2d => ins.fcvt_from_sint(types::F64, value),
            Code::Ui2f => ins.fcvt_from_uint(types::F32, value),
            Code::Ui2d => ins.fcvt_from_uint(types::F64, value),
            Code::F2i | Code::D2i => ins.fcvt_to_sint_sat(types::I64, value),
            Code::F2d => ins.fpromote(types::F64, value),
            Code::D2f => ins.fdemote(types::F32, value),
            _ => return Err(format!("{} is not translated", code.name())),
        }))
    }

    /// Returns the comparison of the operands `from` and `from + 1`; `name` is without the `b` of
    /// branches.
    fn comparison(&mut self, insn: InsnId, name: &str, from: usize) -> Result<Option<Value>> {
        let Some((kind, what)) = split_comparison(name) else {
            return Ok(None);
        };
        let (what, is_short) = match what.strip_suffix('s') {
            Some(what) => (what, true),
            None => (what, false),
        };
        let (a, b) = match is_short {
            true => (self.short(insn, from)?, self.short(insn, from + 1)?),
            false => (self.input(insn, from)?, self.input(insn, from + 1)?),
        };
        let ins = self.builder.ins();
        if matches!(kind, "f" | "d") {
            let condition = match what {
                "eq" => FloatCC::Equal,
                "ne" => FloatCC::NotEqual,
                "lt" => FloatCC::LessThan,
                "le" => FloatCC::LessThanOrEqual,
                "gt" => FloatCC::GreaterThan,
                _ => FloatCC::GreaterThanOrEqual,
            };
            return Ok(Some(ins.fcmp(condition, a, b)));
        }
        let condition = match (kind, what) {
            (_, "eq") => IntCC::Equal,
            (_, "ne") => IntCC::NotEqual,
            ("u", "lt") => IntCC::UnsignedLessThan,
            ("u", "le") => IntCC::UnsignedLessThanOrEqual,
            ("u", "gt") => IntCC::UnsignedGreaterThan,
            ("u", _) => IntCC::UnsignedGreaterThanOrEqual,
            (_, "lt") => IntCC::SignedLessThan,
            (_, "le") => IntCC::SignedLessThanOrEqual,
            (_, "gt") => IntCC::SignedGreaterThan,
            _ => IntCC::SignedGreaterThanOrEqual,
        };
        Ok(Some(ins.icmp(condition, a, b)))
    }

    /// Translates integer instructions with two inputs.
    fn integer(&mut self, insn: InsnId, code: Code) -> Result<Value> {
        let is_short = code.name().ends_with('s');
        let (a, b) = match is_short {
            true => (self.short(insn, 1)?, self.short(insn, 2)?),
            false => (self.input(insn, 1)?, self.input(insn, 2)?),
        };
        let ins = self.builder.ins();
        let mut signed = None;
        let mut unsigned = None;
        let value = match code {
            Code::Add | Code::Adds => ins.iadd(a, b),
            Code::Sub | Code::Subs => ins.isub(a, b),
            Code::Mul | Code::Muls => ins.imul(a, b),
            Code::Div | Code::Divs => ins.sdiv(a, b),
            Code::Udiv | Code::Udivs => ins.udiv(a, b),
            Code::Mod | Code::Mods => ins.srem(a, b),
            Code::Umod | Code::Umods => ins.urem(a, b),
            Code::And | Code::Ands => ins.band(a, b),
            Code::Or | Code::Ors => ins.bor(a, b),
            Code::Xor | Code::Xors => ins.bxor(a, b),
            Code::Lsh | Code::Lshs => ins.ishl(a, b),
            Code::Rsh | Code::Rshs => ins.sshr(a, b),
            Code::Ursh | Code::Urshs => ins.ushr(a, b),
            Code::Addo | Code::Addos => {
                let (value, flag) = ins.sadd_overflow(a, b);
                signed = Some(flag);
                unsigned = Some(self.builder.ins().uadd_overflow(a, b).1);
                value
            }
            Code::Subo | Code::Subos => {
                let (value, flag) = ins.ssub_overflow(a, b);
                signed = Some(flag);
                unsigned = Some(self.builder.ins().usub_overflow(a, b).1);
                value
            }
            Code::Mulo | Code::Mulos => {
                let (value, flag) = ins.smul_overflow(a, b);
                signed = Some(flag);
                value
            }
            Code::Umulo | Code::Umulos => {
                let (value, flag) = ins.umul_overflow(a, b);
                unsigned = Some(flag);
                value
            }
            _ => return Err(format!("{} is not translated", code.name())),
        };
        for (flag, variable) in [signed, unsigned].into_iter().zip(self.flags) {
            if let Some(flag) = flag {
                self.builder.def_var(variable, flag);
            }
        }
        Ok(match is_short {
            true => self.builder.ins().sextend(types::I64, value),
            false => value,
        })
    }
}

/// Splits a comparison into `u`, `f`, `d` or nothing, and the rest with its `s`.
fn split_comparison(name: &str) -> Option<(&str, &str)> {
    for kind in ["u", "f", "d", ""] {
        if let Some(what) = name.strip_prefix(kind)
            && is_plain_comparison(what)
        {
            return Some((kind, what));
        }
    }
    None
}

fn is_comparison(name: &str) -> bool {
    split_comparison(name).is_some()
}

fn is_plain_comparison(name: &str) -> bool {
    let name = name.strip_suffix('s').unwrap_or(name);
    ["eq", "ne", "lt", "le", "gt", "ge"].contains(&name)
}
