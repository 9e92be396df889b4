//! Conversion of x87 long doubles, which live in memory: loads, computations, stores.

use super::{GenericConverter, Result, used};
use crate::machine_ir::convert::Contents;
use llvm_mir::model::{
    Access, AccessLocation, Frame, LowType, MemoryOperand, MemorySize, Operand, OperandFlags,
    OperandKind, Register, RegisterKind,
};
use mir_nostd::machine::{self, Generic};
use mir_nostd::mem::Entity;

const BITS: u32 = 80;
const TYPE: LowType = LowType::scalar(BITS);

impl GenericConverter<'_, '_, '_> {
    /// Converts an instruction whose type is the 80 bits.
    pub(super) fn long_double(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
    ) -> Result<()> {
        use Generic as G;
        match generic {
            G::Fadd | G::Fsub | G::Fmul | G::Fdiv => {
                let (a, b) = self.long_sources([operands[1], operands[2]])?;
                let value = self.value(generic.name(), TYPE, vec![used(a), used(b)])?;
                self.set_long(operands[0], value)
            }
            G::Fneg => {
                let value = self.long_source(operands[1])?;
                let value = self.negated(value)?;
                self.set_long(operands[0], value)
            }
            G::Sitofp => {
                let value = self.source(operands[1], 64)?;
                let value = self.value("G_SITOFP", TYPE, vec![used(value)])?;
                self.set_long(operands[0], value)
            }
            G::Fpext => {
                let bits = self.from.immediate(operands[2]).unwrap_or(64) as u32;
                let value = self.source(operands[1], bits)?;
                let value = self.lengthened(value)?;
                self.set_long(operands[0], value)
            }
            G::FptosiSat => {
                let value = self.long_source(operands[1])?;
                let converted = self.truncated(value)?;
                self.saturated(operands[0], value, converted)
            }
            G::Fcmp => {
                let (a, b) = self.long_sources([operands[2], operands[3]])?;
                let bit = self.compared(operands[1], a, b)?;
                let value = self.value("G_ZEXT", LowType::scalar(64), vec![used(bit)])?;
                self.set(operands[0], value)
            }
            G::BrFcmp => {
                let (a, b) = self.long_sources([operands[1], operands[2]])?;
                let bit = self.compared(operands[0], a, b)?;
                let to = super::control::block(operands[3])?;
                self.plain("G_BRCOND", vec![used(bit), to])
            }
            G::TakeResult => {
                let from = self.x87(operands[1])?;
                let value = self.value("COPY", TYPE, vec![used(from)])?;
                self.set_long(operands[0], value)
            }
            G::GiveResult => self.give_long(operands),
            _ => Err(format!(
                "{} of long doubles has no form in LLVM yet",
                generic.name()
            )),
        }
    }

    /// Returns the register of the x87 stack that has a result of this number.
    pub(super) fn x87(&self, number: machine::Operand) -> Result<Register> {
        let number = self.from.immediate(number).unwrap_or(0);
        self.named(&format!("fp{number}"))
    }

    fn long_address(&mut self, operand: machine::Operand) -> Result<Register> {
        if let Some(constant) = operand.as_constant() {
            return self.constant_address(constant);
        }
        let frame = operand.as_frame().ok_or("a long double in no memory")?;
        self.frame_address(self.frame[frame.index()])
    }

    fn long_source(&mut self, operand: machine::Operand) -> Result<Register> {
        let address = self.long_address(operand)?;
        self.load("G_LOAD", BITS, address, BITS)
    }

    fn long_sources(&mut self, [a, b]: [machine::Operand; 2]) -> Result<(Register, Register)> {
        Ok((self.long_source(a)?, self.long_source(b)?))
    }

    /// Copies a result of the function to the register that it is returned in.
    fn give_long(&mut self, operands: &[machine::Operand]) -> Result<()> {
        let value = self.long_source(operands[0])?;
        let to = self.x87(operands[1])?;
        self.given.push(to);
        let copy = vec![Operand::reg(to, OperandFlags::DEF), used(value)];
        self.plain("COPY", copy)
    }

    fn set_long(&mut self, operand: machine::Operand, value: Register) -> Result<()> {
        let address = self.long_address(operand)?;
        self.store(value, address)
    }

    /// Returns a bound of the conversion to integers: 2 to the power of 63, its negative, or 0.
    pub(super) fn long_bound(&mut self, value: f64) -> Result<Register> {
        let mut bytes = [0; 16];
        if value != 0.0 {
            bytes[7] = 0x80;
            bytes[8] = 0x3E;
            bytes[9] = if value < 0.0 { 0xC0 } else { 0x40 };
        }
        let number = if value == 0.0 {
            0
        } else if value < 0.0 {
            1
        } else {
            2
        };
        let address = self.data_address("bound", number, &Contents::Bytes(&bytes))?;
        self.load("G_LOAD", BITS, address, BITS)
    }

    // ---- conversions and negation, for which LLVM selects nothing generic: machine instructions
    // through memory

    fn new_x87(&mut self) -> Result<Register> {
        let class = self.target.class(b"rfp80");
        let class = class.ok_or("LLVM has no class rfp80")?;
        let register = self.new_register(TYPE);
        let index = register.virtual_index().unwrap_or(0);
        self.to.registers[index].kind = RegisterKind::Class(class);
        Ok(register)
    }

    fn negated(&mut self, value: Register) -> Result<Register> {
        let value = self.in_class(value, "rfp80")?;
        let result = self.new_x87()?;
        let mut insn = self.instruction("CHS_Fp80")?;
        insn.operands = vec![Operand::reg(result, OperandFlags::DEF), used(value)];
        insn.add_implicit_operands(self.target);
        self.push(insn);
        self.value("COPY", TYPE, vec![used(result)])
    }

    /// Returns a float or double as a long double.
    fn lengthened(&mut self, value: Register) -> Result<Register> {
        let bits = self.bits(value);
        let slot = self.object(8, 8);
        let address = self.frame_address(Frame::Stack(slot))?;
        self.store(value, address)?;
        let name = if bits == 32 {
            "LD_Fp32m80"
        } else {
            "LD_Fp64m80"
        };
        let result = self.new_x87()?;
        let operands = vec![Operand::reg(result, OperandFlags::DEF)];
        self.x87_access(name, operands, slot, Vec::new(), (Access::Load, bits))?;
        self.value("COPY", TYPE, vec![used(result)])
    }

    /// Converts a long double to a float or double.
    pub(super) fn shortened(&mut self, operands: &[machine::Operand], bits: u32) -> Result<()> {
        let value = self.long_source(operands[1])?;
        let name = if bits == 32 {
            "ST_Fp80m32"
        } else {
            "ST_Fp80m64"
        };
        let value = self.through_memory(name, value, bits)?;
        self.set(operands[0], value)
    }

    /// Returns a long double without its fraction as an integer.
    fn truncated(&mut self, value: Register) -> Result<Register> {
        self.through_memory("FP80_TO_INT64_IN_MEM", value, 64)
    }

    fn through_memory(&mut self, name: &str, value: Register, bits: u32) -> Result<Register> {
        let slot = self.object(8, 8);
        let value = self.in_class(value, "rfp80")?;
        self.x87_access(
            name,
            Vec::new(),
            slot,
            vec![used(value)],
            (Access::Store, bits),
        )?;
        let address = self.frame_address(Frame::Stack(slot))?;
        self.load("G_LOAD", bits, address, bits)
    }

    /// Adds an instruction of the x87 with an address.
    fn x87_access(
        &mut self,
        name: &str,
        mut operands: Vec<Operand>,
        slot: u32,
        behind: Vec<Operand>,
        (access, bits): (Access, u32),
    ) -> Result<()> {
        let mut insn = self.instruction(name)?;
        operands.extend([
            OperandKind::Frame(Frame::Stack(slot)).into(),
            Operand::imm(1),
            used(Register::NONE),
            Operand::imm(0),
            used(Register::NONE),
        ]);
        operands.extend(behind);
        insn.operands = operands;
        let size = MemorySize::Type(LowType::scalar(bits));
        let align = u64::from(bits / 8);
        insn.memory.push(MemoryOperand::new(
            access,
            size,
            AccessLocation::Unknown,
            align,
        ));
        insn.add_implicit_operands(self.target);
        self.push(insn);
        Ok(())
    }
}
