//! Raises one function: its registers become values, its frame objects `alloca`s, its blocks
//! blocks.

use super::abi::{Carrier, Convention, Spot};
use super::{abi, block_numbers, classes};
use crate::ast::{self, Block, BlockId, Body, Const, Insn, LocalId, Op, Typed, Value};
use crate::error::{Error, Result, SourcePosition};
use crate::types::{Type, TypeId, Types};
use llvm_mir::model::{
    Element, Function, FunctionProperty, IrBlock, LowType, Position, VirtualRegister,
};
use llvm_mir::target::Target;
use mir_nostd::target::RegisterFile;
use std::collections::HashMap;

/// The state that all functions of a file share.
pub(super) struct Context<'a> {
    pub(super) target: &'static Target,
    pub(super) registers: &'static RegisterFile,
    pub(super) functions: &'a [ast::Function],
    pub(super) by_name: &'a HashMap<&'a str, usize>,
    pub(super) places: &'a super::Places,
}

/// A function that is being raised.
pub(super) struct Raise<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) generic: &'a Function,
    /// The function as the module declares it.
    pub(super) header: &'a ast::Function,
    pub(super) types: &'a mut Types,
    pub(super) body: Body,
    /// The position in the file of the code being raised.
    place: SourcePosition,
    /// The block that is being filled.
    pub(super) block: usize,
    /// The values of registers that need no instruction.
    pub(super) known: Vec<Option<Typed>>,
    /// Registers that hold addresses in the outgoing argument area, as bytes from the stack
    /// pointer.
    pub(super) outgoing_addresses: HashMap<usize, u64>,
    /// The values stored in the outgoing argument area.
    pub(super) outgoing: HashMap<u64, Typed>,
    /// The values of physical registers.
    pub(super) physical: HashMap<Carrier, Typed>,
    /// The values of physical registers at entry.
    entry: HashMap<Carrier, Typed>,
    /// The addresses of frame objects.
    pub(super) stack: Vec<Value>,
    pub(super) fixed: Vec<Value>,
    /// The blocks of the body in LLVM IR, and the number of calls met in each.
    pub(super) ir_blocks: HashMap<&'a str, usize>,
    pub(super) ir_block: Option<usize>,
    pub(super) calls_met: HashMap<usize, usize>,
    /// A conditional branch whose other target is not yet known.
    pub(super) branch: Option<(Value, BlockId)>,
}

/// Returns an error in the function.
pub(super) fn error(message: impl Into<String>) -> Error {
    SourcePosition::default().error(message)
}

pub(super) fn ir_block_name(block: &IrBlock) -> String {
    match block {
        IrBlock::Named(name) => name.to_string(),
        IrBlock::Number(number) => number.to_string(),
    }
}

impl<'a> Raise<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        generic: &'a Function,
        number: usize,
        types: &'a mut Types,
    ) -> Raise<'a> {
        let header = &context.functions[number];
        Raise {
            context,
            generic,
            header,
            types,
            body: Body::default(),
            place: context.places.of(generic.position),
            block: 0,
            known: vec![None; generic.registers.len()],
            outgoing_addresses: HashMap::new(),
            outgoing: HashMap::new(),
            physical: HashMap::new(),
            entry: HashMap::new(),
            stack: Vec::new(),
            fixed: Vec::new(),
            ir_blocks: block_numbers(header),
            ir_block: None,
            calls_met: HashMap::new(),
            branch: None,
        }
    }

    /// Returns the body; an error has the position in the file of the construct that cannot be
    /// raised.
    pub(super) fn function(mut self) -> Result<Body> {
        match self.raise() {
            Ok(()) => Ok(self.body),
            Err(error) if error.line == 0 => Err(self.place.error(error.message)),
            Err(error) => Err(error),
        }
    }

    fn raise(&mut self) -> Result<()> {
        if self.generic.has(FunctionProperty::FailedISel) || self.generic.blocks.is_empty() {
            return Err(error("there is no generic code: GlobalISel gave it up"));
        }
        for (property, what) in [
            (FunctionProperty::Legalized, "legalized"),
            (FunctionProperty::Selected, "selected"),
        ] {
            if self.generic.has(property) {
                let message =
                    format!("the code is {what} already: stop llc with -stop-after=irtranslator");
                return Err(error(message));
            }
        }
        self.declare_values()?;
        self.declare_blocks();
        self.find_constants()?;
        self.come_to(self.generic.position);
        self.frame()?;
        self.arguments()?;
        for number in 0..self.generic.blocks.len() {
            self.block(number)?;
        }
        Ok(())
    }

    /// Sets the position for the instructions and errors that follow.
    pub(super) fn come_to(&mut self, position: Position) {
        self.place = self.context.places.of(position);
    }

    // ---- values and blocks

    fn declare_values(&mut self) -> Result<()> {
        for (number, param) in self.header.params.iter().enumerate() {
            self.new_local(format!("p{number}"), Some(param.ty));
        }
        let floats = classes::floats(self.context.target, self.context.registers, self.generic);
        for (number, (register, is_float)) in self.generic.registers.iter().zip(floats).enumerate()
        {
            let ty = self.register_type(register, is_float);
            self.new_local(format!("v{number}"), ty);
        }
        Ok(())
    }

    fn new_local(&mut self, name: String, ty: Option<TypeId>) -> LocalId {
        self.body.local_names.push(name);
        self.body.local_types.push(ty);
        LocalId(self.body.local_names.len() as u32 - 1)
    }

    /// Returns the type of a register, an integer if it may be one. Vectors are integers: only
    /// whole ones are passed on.
    fn register_type(&mut self, register: &VirtualRegister, is_float: bool) -> Option<TypeId> {
        let Some(ty) = register.ty else {
            return Some(self.types.add(Type::Int(64)));
        };
        self.low_type(ty, is_float)
    }

    pub(super) fn low_type(&mut self, ty: LowType, is_float: bool) -> Option<TypeId> {
        if ty.is_pointer() {
            return Some(self.types.add(Type::Ptr));
        }
        if ty.is_scalable() || (ty.is_vector() && matches!(ty.element, Element::Pointer(_))) {
            return None;
        }
        let bits = u32::try_from(ty.bits()).ok().filter(|&bits| bits <= 128)?;
        Some(self.types.add(match bits {
            80 => Type::X86Fp80,
            32 if is_float => Type::Float,
            64 if is_float => Type::Double,
            128 if is_float => Type::Fp128,
            _ => Type::Int(bits),
        }))
    }

    pub(super) fn local_of(&self, register: usize) -> LocalId {
        LocalId((self.header.params.len() + register) as u32)
    }

    /// Returns the type of a register.
    pub(super) fn type_of(&self, register: usize) -> Result<TypeId> {
        let local = self.local_of(register);
        match self.body.local_types.get(local.0 as usize) {
            Some(&Some(ty)) => Ok(ty),
            _ => Err(error(format!(
                "%{register} is of a type that cannot be expressed in Medium IR (vectors: compile with \
                 -fno-vectorize -fno-slp-vectorize)"
            ))),
        }
    }

    fn declare_blocks(&mut self) {
        let mut named = std::collections::HashSet::new();
        for (number, block) in self.generic.blocks.iter().enumerate() {
            // Block addresses refer to blocks by their names in LLVM IR.
            let name = block.ir.as_ref().map(ir_block_name);
            let name = name.filter(|name| named.insert(name.clone()));
            let name = name.unwrap_or_else(|| format!("machine block {number}"));
            self.body.order.push(BlockId(number as u32));
            self.body.blocks.push(Block::default());
            self.body.block_names.push(name);
        }
    }

    // ---- instructions

    fn push(&mut self, result: Option<LocalId>, op: Op) {
        let place = self.place;
        let insns = &mut self.body.blocks[self.block].insns;
        insns.push(Insn { place, result, op });
    }

    /// Adds an instruction without result.
    pub(super) fn perform(&mut self, op: Op) {
        self.push(None, op);
    }

    /// Adds an instruction with a new value.
    pub(super) fn emit(&mut self, op: Op, ty: TypeId) -> Value {
        let name = format!("t{}", self.body.local_names.len());
        let local = self.new_local(name, Some(ty));
        self.push(Some(local), op);
        Value::Local(local)
    }

    /// Adds the instruction that defines a register.
    pub(super) fn define(&mut self, register: usize, op: Op, ty: TypeId) -> Result<()> {
        let wanted = self.type_of(register)?;
        if wanted == ty {
            self.push(Some(self.local_of(register)), op);
            return Ok(());
        }
        let value = self.emit(op, ty);
        self.set(register, (ty, value))
    }

    /// Sets the value of a register.
    pub(super) fn set(&mut self, register: usize, value: Typed) -> Result<()> {
        let ty = self.type_of(register)?;
        let value = self.convert(value, ty)?;
        self.push(Some(self.local_of(register)), Op::Freeze((ty, value)));
        Ok(())
    }

    // ---- frame and arguments

    fn alloca(&mut self, size: u64, align: u64) -> Value {
        let byte = self.types.add(Type::Int(8));
        let ty = self.types.add(Type::Array(size.max(1), byte));
        let pointer = self.types.add(Type::Ptr);
        let count = None;
        self.emit(Op::Alloca { ty, count, align }, pointer)
    }

    fn frame(&mut self) -> Result<()> {
        for object in &self.generic.stack {
            let address = self.alloca(object.size, object.alignment);
            self.stack.push(address);
        }
        for object in &self.generic.fixed_stack {
            let address = self.alloca(object.size, object.alignment);
            self.fixed.push(address);
        }
        self.find_frame_addresses()
    }

    /// Assigns the parameters to their locations at entry.
    fn arguments(&mut self) -> Result<()> {
        let convention = self.convention(self.header.is_fast);
        let header = self.header;
        let params = header.params.iter();
        let params = params.map(|param| (param.ty, &param.attributes, false));
        let placed = abi::arguments(self.types, convention, params)
            .ok_or_else(|| error("a parameter is passed in a way that is not known"))?;
        for (number, (param, leaves)) in header.params.iter().zip(placed).enumerate() {
            let value = (param.ty, Value::Local(LocalId(number as u32)));
            for (spot, piece) in self.pieces(value, &param.attributes, &leaves)? {
                match spot {
                    Spot::Register(carrier) => {
                        self.entry.insert(carrier, piece);
                    }
                    Spot::Stack(offset) => self.store_fixed(offset, piece)?,
                }
            }
        }
        Ok(())
    }

    pub(super) fn convention(&self, is_fast: bool) -> Convention {
        let isa = self.context.target.isa();
        let registers = self.context.registers;
        Convention {
            isa,
            registers,
            is_fast,
        }
    }

    /// Stores an argument passed on the stack to the fixed object at its offset.
    fn store_fixed(&mut self, offset: u64, piece: Typed) -> Result<()> {
        let objects = self.generic.fixed_stack.iter();
        let found = objects
            .zip(&self.fixed)
            .find(|(object, _)| u64::try_from(object.offset) == Ok(offset));
        let Some((object, address)) = found else {
            return Ok(());
        };
        let (size, address) = (object.size, address.clone());
        let bits = u32::try_from(size.saturating_mul(8)).unwrap_or(u32::MAX);
        let piece = if bits < self.bits(piece.0)? {
            let narrow = self.types.add(Type::Int(bits));
            (narrow, self.convert(piece, narrow)?)
        } else {
            piece
        };
        self.perform(Op::Store(piece, address));
        Ok(())
    }

    // ---- blocks

    fn block(&mut self, number: usize) -> Result<()> {
        self.block = number;
        let generic = self.generic;
        let block = &generic.blocks[number];
        self.physical.clear();
        self.outgoing.clear();
        if number == 0 || !block.live_ins.is_empty() {
            self.physical.clone_from(&self.entry);
        }
        if let Some(name) = block.ir.as_ref().map(ir_block_name) {
            self.ir_block = self.ir_blocks.get(name.as_str()).copied();
        }
        for insn in &block.instructions {
            if self.is_ended() {
                break;
            }
            self.come_to(insn.position);
            self.insn(insn)?;
        }
        if !self.is_ended() {
            let next = number + 1;
            let falls = next < generic.blocks.len() && !block.successors.is_empty();
            let next = BlockId(next as u32);
            match self.branch.take() {
                Some((condition, yes)) if falls => {
                    self.perform(Op::CondBr(condition, yes, next));
                }
                None if falls => self.perform(Op::Br(next)),
                _ => self.perform(Op::Unreachable),
            }
        }
        Ok(())
    }

    fn is_ended(&self) -> bool {
        let last = self.body.blocks[self.block].insns.last();
        last.is_some_and(|insn| insn.op.is_terminator())
    }

    /// Returns the constant of an integer type.
    pub(super) fn int(&mut self, bits: u32, value: u128) -> Typed {
        (
            self.types.add(Type::Int(bits)),
            Value::Const(Const::Int(value)),
        )
    }
}
