//! The instructions of one function, as Medium IR.

use crate::decode::{FRAME_POINTER, Instruction, Meaning};
use crate::translate::numbered;
use mir_nostd::ir::{
    ArgSpec, Code, FuncBuilder, FuncId, ItemId, Label, Mem, Operand, Operands, Reg, Result,
    SignatureSpec, Type,
};

/// The bytes of the stack of each call.
const STACK_BYTES: i64 = 512;

const fn value(name: &str) -> ArgSpec<'_> {
    ArgSpec::new(Type::I64, name)
}

const fn signature(args: &'static [ArgSpec<'static>]) -> SignatureSpec<'static> {
    SignatureSpec {
        results: &[Type::I64],
        args,
        vararg: false,
    }
}

/// The signature of `main`.
pub(crate) const MAIN: SignatureSpec<'_> = signature(&[
    value("packet"),
    value("packet_length"),
    value("context"),
    value("context_length"),
]);

/// The signature of helpers, and of functions that are called within the program.
pub(crate) const CALLED: SignatureSpec<'_> = signature(&[
    value("r1"),
    value("r2"),
    value("r3"),
    value("r4"),
    value("r5"),
]);

/// The steps that reverse the bytes of 64 bits: neighbours of so many bits change places, those in
/// the mask with those above them.
const SWAPS: [(i64, u64); 3] = [
    (8, 0x00FF_00FF_00FF_00FF),
    (16, 0x0000_FFFF_0000_FFFF),
    (32, 0x0000_0000_FFFF_FFFF),
];

/// A function under way.
pub(crate) struct Body<'b, 'm> {
    func: FuncBuilder<'b, 'm>,
    /// The variables of `r0` to `r10`, of those that the function uses.
    registers: [Reg; 11],
    /// A variable for values on the way.
    scratch: Reg,
    big_endian: bool,
}

impl<'b, 'm> Body<'b, 'm> {
    /// Begins a function, with the registers that it uses, a bit for each.
    pub(crate) fn begin(
        mut func: FuncBuilder<'b, 'm>,
        used: u16,
        big_endian: bool,
    ) -> Result<Body<'b, 'm>> {
        let id = func.id();
        let arguments = func.module().func(id).arg_count() as u32;
        let scratch = func.local(Type::I64, "scratch")?;
        let mut registers = [scratch; 11];
        for (register, number) in registers.iter_mut().zip(0..) {
            if (1..=arguments).contains(&number) {
                *register = func.arg(number - 1);
            } else if used >> number & 1 != 0 {
                let name = numbered(func.module().allocator(), "r", number)?;
                *register = func.module().add_local(id, Type::I64, &name)?;
                func.emit(Code::Mov, (*register, 0))?;
            }
        }
        let mut body = Body {
            func,
            registers,
            scratch,
            big_endian,
        };
        if used >> FRAME_POINTER & 1 != 0 {
            let pointer = body.register(FRAME_POINTER);
            body.emit(Code::Alloca, (pointer, STACK_BYTES))?;
            body.emit(Code::Add, (pointer, pointer, STACK_BYTES))?;
        }
        Ok(body)
    }

    fn register(&self, number: u8) -> Reg {
        let register = self.registers.get(usize::from(number));
        register.copied().unwrap_or(self.scratch)
    }

    fn operand(&self, instruction: &Instruction) -> Operand {
        if instruction.uses_source() {
            self.register(instruction.src).into()
        } else if instruction.uses_immediate() {
            instruction.imm.into()
        } else {
            self.register(instruction.dst).into()
        }
    }

    fn emit(&mut self, code: Code, operands: impl Operands) -> Result<()> {
        self.func.emit(code, operands).map(drop)
    }

    /// Places a label.
    pub(crate) fn label(&mut self, label: Label) -> Result<()> {
        self.func.label(label).map(drop)
    }

    /// Translates a call of a helper.
    pub(crate) fn call_helper(&mut self, number: u32) -> Result<()> {
        let module = self.func.module();
        let name = numbered(module.allocator(), "helper_", number)?;
        let item = module.import(&name)?;
        self.call(item, CALLED, b"called")
    }

    /// Translates a call of a function of the program.
    pub(crate) fn call_local(&mut self, func: FuncId) -> Result<()> {
        let func = self.func.module().func(func);
        let item = func.item;
        if func.arg_count() == MAIN.args.len() {
            self.call(item, MAIN, b"called_main")
        } else {
            self.call(item, CALLED, b"called")
        }
    }

    /// Calls an item, with the first registers as arguments, by the prototype of this name.
    fn call(&mut self, item: ItemId, signature: SignatureSpec<'_>, name: &[u8]) -> Result<()> {
        let module = self.func.module();
        let known = module.find_name(name);
        let prototype = match known.and_then(|name| module.item_named(name)) {
            Some(prototype) => prototype,
            None => module.proto(name, signature)?,
        };
        let [r0, r1, r2, r3, r4, r5, ..] = self.registers;
        if signature.args.len() == MAIN.args.len() {
            return self.emit(Code::Call, (prototype, item, r0, r1, r2, r3, r4));
        }
        self.emit(Code::Call, (prototype, item, r0, r1, r2, r3, r4, r5))
    }

    /// Translates a jump or branch.
    pub(crate) fn jump(&mut self, instruction: &Instruction, label: Label) -> Result<()> {
        let (dst, operand) = (self.register(instruction.dst), self.operand(instruction));
        match instruction.row.meaning {
            Meaning::Branch(code) => self.emit(code, (label, dst, operand)),
            Meaning::BranchSet(combine, branch) => {
                self.emit(combine, (self.scratch, dst, operand))?;
                self.emit(branch, (label, self.scratch))
            }
            _ => self.emit(Code::Jmp, (label,)),
        }
    }

    /// Translates an instruction that neither jumps nor calls.
    pub(crate) fn plain(&mut self, instruction: &Instruction) -> Result<()> {
        let (dst, operand) = (self.register(instruction.dst), self.operand(instruction));
        let src = self.register(instruction.src);
        let at = |base, ty| Mem::new(ty, instruction.offset.into(), base);
        match instruction.row.meaning {
            Meaning::Binary(code) => {
                self.emit(code, (dst, dst, operand))?;
                self.narrow(instruction)
            }
            Meaning::Unary(code) => {
                self.emit(code, (dst, operand))?;
                self.narrow(instruction)
            }
            Meaning::Wide => self.emit(Code::Mov, (dst, operand)),
            Meaning::Divide(code) => self.divide(instruction, code, 0.into()),
            Meaning::Modulo(code) => self.divide(instruction, code, dst.into()),
            Meaning::ToLittle(bits) if !self.big_endian => self.truncate(dst, bits),
            Meaning::ToBig(bits) if self.big_endian => self.truncate(dst, bits),
            Meaning::Swap(bits) | Meaning::ToLittle(bits) | Meaning::ToBig(bits) => {
                self.swap(dst, bits)
            }
            Meaning::Load(ty) => self.emit(Code::Mov, (dst, at(src, ty))),
            Meaning::Store(ty) => self.emit(Code::Mov, (at(dst, ty), operand)),
            Meaning::Atomic(ty, code) => self.atomic(instruction, at(dst, ty), code),
            Meaning::CompareExchange(ty, differs) => {
                self.compare_exchange(at(dst, ty), src, differs)
            }
            _ => self.emit(Code::Ret, (self.register(0),)),
        }
    }

    /// Clears the upper half of the destination of an arithmetic instruction of 32 bits.
    fn narrow(&mut self, instruction: &Instruction) -> Result<()> {
        if !instruction.is_32_bit() || instruction.row.meaning == Meaning::Unary(Code::Uext32) {
            return Ok(());
        }
        let dst = self.register(instruction.dst);
        self.emit(Code::Uext32, (dst, dst))
    }

    /// Divides, where the result of a division by zero is known.
    fn divide(&mut self, instruction: &Instruction, code: Code, by_zero: Operand) -> Result<()> {
        let (dst, operand) = (self.register(instruction.dst), self.operand(instruction));
        match operand {
            Operand::Int(0) => self.emit(Code::Mov, (dst, by_zero))?,
            Operand::Int(_) => self.emit(code, (dst, dst, operand))?,
            _ => {
                let end = self.func.new_label()?;
                self.emit(Code::Mov, (self.scratch, by_zero))?;
                let is_zero = if instruction.is_32_bit() {
                    Code::Bfs
                } else {
                    Code::Bf
                };
                self.emit(is_zero, (end, operand))?;
                self.emit(code, (self.scratch, dst, operand))?;
                self.label(end)?;
                self.emit(Code::Mov, (dst, self.scratch))?;
            }
        }
        self.narrow(instruction)
    }

    /// Clears all but the low bits of a register, so many.
    fn truncate(&mut self, dst: Reg, bits: u32) -> Result<()> {
        match bits {
            16 => self.emit(Code::Uext16, (dst, dst)),
            32 => self.emit(Code::Uext32, (dst, dst)),
            _ => Ok(()),
        }
    }

    /// Reverses the bytes of the low bits of a register, so many, and clears the others.
    fn swap(&mut self, dst: Reg, bits: u32) -> Result<()> {
        let scratch = self.scratch;
        for (distance, mask) in SWAPS {
            if distance < i64::from(bits) {
                let mask = mask & u64::MAX >> (64 - bits);
                self.emit(Code::Ursh, (scratch, dst, distance))?;
                self.emit(Code::And, (scratch, scratch, mask))?;
                self.emit(Code::And, (dst, dst, mask))?;
                self.emit(Code::Lsh, (dst, dst, distance))?;
                self.emit(Code::Or, (dst, dst, scratch))?;
            }
        }
        Ok(())
    }

    fn atomic(&mut self, instruction: &Instruction, place: Mem, code: Code) -> Result<()> {
        let src = self.register(instruction.src);
        self.emit(Code::Mov, (self.scratch, place))?;
        if code == Code::Mov {
            self.emit(code, (place, src))?;
        } else {
            self.emit(code, (place, self.scratch, src))?;
        }
        if instruction.writes_source() {
            self.emit(Code::Mov, (src, self.scratch))?;
        }
        Ok(())
    }

    fn compare_exchange(&mut self, place: Mem, src: Reg, differs: Code) -> Result<()> {
        let end = self.func.new_label()?;
        self.emit(Code::Mov, (self.scratch, place))?;
        self.emit(differs, (end, self.scratch, self.register(0)))?;
        self.emit(Code::Mov, (place, src))?;
        self.label(end)?;
        self.emit(Code::Mov, (self.register(0), self.scratch))
    }
}
