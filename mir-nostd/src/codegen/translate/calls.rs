//! Calls and returns: moves values to and from the places that the calling convention assigns.

use super::meaning::Kind;
use super::values::{Address, def, no_index};
use super::{Translator, bank_and_type};
use crate::codegen::helper::Helper;
use crate::ir::{Class, InsnId, ItemKind, Operand as IrOperand, Signature, Type};
use crate::machine::{Generic, LowType, Operand, Reg, Symbol, UnitSet};
use crate::mem::Vec;
use crate::target::error::Error;
use crate::target::{
    Argument, ArgumentKind, Cursor, Location, MAX_STACK_BYTES, Piece, Placement, ResultCursor,
};

/// The size of the largest blocks that are copied inline.
const INLINE_COPY: u64 = 64;

/// A value for a register, loaded right before the call.
#[derive(Clone, Copy)]
struct Load {
    to: Reg,
    from: From,
}

/// The source of such a value.
#[derive(Clone, Copy)]
enum From {
    /// A register of the same bank, an immediate, or the address of a frame object.
    Value(Operand),
    /// Memory of this type.
    Memory(LowType, Address),
}

/// A call under construction.
struct Outgoing<'m> {
    /// True if the callee extends its arguments and results itself.
    extends: bool,
    loads: Vec<'m, Load>,
    cursor: Cursor,
    /// The offset from the stack pointer of the next copy that is passed by address.
    copies: u32,
}

/// The kind of operand that a result of a call goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Variable,
    Memory,
}

impl Translator<'_, '_, '_, '_> {
    /// Returns the signature that a call's first operand names.
    pub(super) fn prototype(&self, insn: InsnId) -> Option<Signature> {
        let Some(IrOperand::Item(proto)) = self.module.operand(insn, 0) else {
            return None;
        };
        match self.module.item(proto).kind {
            ItemKind::Proto(signature) => Some(signature),
            _ => None,
        }
    }

    /// Returns the number of results of a call.
    pub(super) fn result_count(&self, insn: InsnId) -> usize {
        let signature = self.prototype(insn);
        signature.map_or(0, |signature| self.module.results(&signature).len())
    }

    pub(super) fn call(&mut self, insn: InsnId) -> Result<(), Error> {
        let module = self.module;
        let signature = self.prototype(insn).ok_or(self.internal())?;
        if let Some(address) = self.return_address_for(insn, &signature) {
            let results = module.results(&signature);
            return self.give_out_results(insn, results, &[address.into()], false);
        }
        if let Some(call) = self.jump_for(insn, &signature) {
            return self.jump_again(insn, &signature, &call);
        }
        if let Some(callee) = self.inlinable(insn, &signature) {
            return self.inline_call(insn, &signature, callee);
        }
        if self.can_leave(insn, &signature) {
            return self.leave_by_call(insn, &signature);
        }
        let results = module.results(&signature);
        let callee = self.callee(insn)?;
        let stack_pointer = Operand::reg(self.isa.registers().stack_pointer);
        let area_bytes = self.results_area_bytes(results)?;
        let mut call = Outgoing {
            extends: self.extends_itself(insn, &signature),
            loads: Vec::new(self.function.allocator()),
            cursor: Cursor::default(),
            copies: 0,
        };
        let placements = self.place_arguments(insn, &signature, area_bytes > 0, &mut call)?;
        let area = self.reserve_copies(&placements, area_bytes, &mut call)?;
        self.copy_large_blocks(&placements)?;
        if area_bytes > 0 {
            let address = self.temp()?;
            let offset = Operand::imm(area as i32);
            self.emit(
                Generic::Add,
                LowType::S64,
                &[def(address), stack_pointer, offset],
            )?;
            let mut cursor = Cursor::default();
            let pointer = Argument::scalar(Type::P);
            let placed =
                (self.isa.target().abi.place_argument)(&mut cursor, pointer, ArgumentKind::Named)?;
            for &piece in placed.pieces() {
                self.send(Type::P, address, piece, &mut call)?;
            }
        }
        for one in &placements {
            self.send_argument(one, &mut call)?;
        }
        let extends = call.extends;
        self.finish_call(callee, &signature, call)?;
        self.take_results(insn, results, area, extends)?;
        self.load_fuel()
    }

    /// Returns whether a callee extends arguments and results as the prototype says: every engine
    /// does so for functions of the module, and calls of private ones reach no other code. The
    /// proof of a confined function wants to see extensions.
    fn extends_itself(&self, insn: InsnId, proto: &Signature) -> bool {
        let module = self.module;
        let Some(IrOperand::Item(item)) = module.operand(insn, 1) else {
            return false;
        };
        let item = module.resolve(item);
        let ItemKind::Func(callee) = module.item(item).kind else {
            return false;
        };
        let own = &module.func(callee).signature;
        let types = |signature| module.args(signature).iter().map(|arg| arg.ty);
        self.is_private(item)
            && module.confinement().is_none()
            && !proto.is_vararg()
            && types(proto).eq(types(own))
            && module.results(proto) == module.results(own)
    }

    /// Returns whether a call becomes a jump to the callee, after the epilogue: it gives up the
    /// frame, and nothing is passed there.
    fn can_leave(&self, insn: InsnId, signature: &Signature) -> bool {
        let (module, function) = (self.module, &self.function);
        module.is_tail_call(self.func, insn)
            && self.inlined.is_none()
            && !function.is_jumped_to
            && !function.is_jumped_back_into
            && function.reserved.is_empty()
            && self.keeps_table(insn)
            && self.results_area_bytes(module.results(signature)) == Ok(0)
            && (self.isa.description())
                .passes_in_registers(module.args(signature).iter().map(|&arg| arg.into()))
    }

    /// Returns whether a jump to a callee leaves the register alone in which callers of this
    /// function keep the address of a table of addresses: objects of ppc64le restore it only after
    /// calls that may leave the object.
    fn keeps_table(&self, insn: InsnId) -> bool {
        let elf = self.isa.description().elf;
        let has_table = elf.is_some_and(|elf| elf.function_other != 0);
        let is_private = match self.module.operand(insn, 1) {
            Some(IrOperand::Item(item)) => self.is_private(self.module.resolve(item)),
            _ => false,
        };
        !has_table || !self.function.is_position_independent || is_private
    }

    /// Emits a call that gives up the frame.
    fn leave_by_call(&mut self, insn: InsnId, signature: &Signature) -> Result<(), Error> {
        let callee = self.callee_address(insn)?;
        let mut call = Outgoing {
            extends: self.extends_itself(insn, signature),
            loads: Vec::new(self.function.allocator()),
            cursor: Cursor::default(),
            copies: 0,
        };
        let placements = self.place_arguments(insn, signature, false, &mut call)?;
        for one in &placements {
            self.send_argument(one, &mut call)?;
        }
        self.store_fuel()?;
        let mut operands = Vec::new(self.function.allocator());
        operands.push(callee)?;
        operands.push(self.function.add_mask(self.isa.registers().saved)?)?;
        self.load_arguments(&call.loads, &mut operands)?;
        self.emit_all(Generic::TailJump, &operands)?;
        self.is_open = false;
        Ok(())
    }

    /// Returns the callee: an item's symbol or a register.
    fn callee(&mut self, insn: InsnId) -> Result<Operand, Error> {
        match self.operand(insn, 1)? {
            IrOperand::Item(item) => {
                let item = self.module.resolve(item);
                self.symbol(Symbol::Callee(item))
            }
            operand => self.int_register(operand),
        }
    }

    /// Returns the callee's address, in a register.
    fn callee_address(&mut self, insn: InsnId) -> Result<Operand, Error> {
        let callee = self.callee(insn)?;
        if callee.as_symbol().is_none() {
            return Ok(callee);
        }
        let address = self.temp()?;
        self.emit(Generic::GlobalValue, LowType::S64, &[def(address), callee])?;
        Ok(address)
    }

    fn results_area_bytes(&self, results: &[Type]) -> Result<u32, Error> {
        let mut cursor = ResultCursor::new(&self.isa.target().abi);
        for &ty in results {
            cursor.place(ty)?;
        }
        Ok(cursor.area_bytes())
    }

    /// Reads all arguments and determines their places.
    fn place_arguments<'o>(
        &mut self,
        insn: InsnId,
        signature: &Signature,
        has_area: bool,
        call: &mut Outgoing<'o>,
    ) -> Result<Vec<'o, Sent>, Error> {
        let module = self.module;
        let place = self.isa.target().abi.place_argument;
        let named = module.args(signature);
        if has_area {
            place(
                &mut call.cursor,
                Argument::scalar(Type::P),
                ArgumentKind::Named,
            )?;
            call.cursor.placed = 0;
        }
        let mut placements = Vec::new(call.loads.allocator());
        let first = 2 + module.results(signature).len();
        for (number, operand) in module.operands(insn).skip(first).enumerate() {
            let named = named.get(number);
            let argument = match named {
                Some(arg) => Argument {
                    ty: arg.ty,
                    size: arg.size,
                },
                None => variable_argument(operand, |reg| {
                    let registers = module.func(self.func).registers();
                    registers
                        .get(crate::mem::Entity::index(reg))
                        .map_or(Type::I64, |register| register.ty)
                }),
            };
            let value = match argument.ty.is_int() && call.extends {
                true => self.int(operand)?,
                false => self.argument_value(operand, argument)?,
            };
            let kind = match named {
                Some(_) => ArgumentKind::Named,
                None => ArgumentKind::Variable,
            };
            let placement = place(&mut call.cursor, argument, kind)?;
            placements.push(Sent {
                argument,
                value,
                placement,
                copy: 0,
            })?;
        }
        Ok(placements)
    }

    /// Returns the value of an argument; for a block that is its address.
    pub(super) fn argument_value(
        &mut self,
        operand: IrOperand,
        argument: Argument,
    ) -> Result<Operand, Error> {
        match argument.ty {
            Type::F => self.float(operand, Kind::Float),
            Type::D => self.float(operand, Kind::Double),
            Type::Ld => self.long_double(operand),
            ty if ty.is_block() => match operand {
                IrOperand::Mem(mem) => match mem.base {
                    Some(base) => self.int_register(IrOperand::Reg(base)),
                    None => self.in_register(Operand::imm(0)),
                },
                _ => self.int_register(operand),
            },
            ty => {
                let value = self.int(operand)?;
                self.extend(self.passed(ty), value)
            }
        }
    }

    /// Returns the type as which an integer is extended when it is passed or returned.
    fn passed(&self, ty: Type) -> Type {
        match ty {
            Type::U32 if self.isa.target().abi.u32_sign_extended => Type::I32,
            ty => ty,
        }
    }

    /// Lays out the copies that are passed by address, and after them the area of further results.
    /// Returns the offset of that.
    fn reserve_copies(
        &mut self,
        placements: &[Sent],
        area_bytes: u32,
        call: &mut Outgoing<'_>,
    ) -> Result<u32, Error> {
        let start = self.isa.registers().stack_arguments;
        // The callee may store the registers in all of the home slots.
        let homes = 8 * u32::from(self.isa.target().abi.home_slots);
        let mut end = room(start, call.cursor.stack.max(homes))?;
        call.copies = end;
        for one in placements {
            if one.placement.by_address {
                end = room(
                    end,
                    u32::try_from(one.argument.bytes()).map_err(|_| Error::TooLarge)?,
                )?;
            }
        }
        let area = end;
        end = room(end, area_bytes)?;
        self.function.outgoing_bytes = self.function.outgoing_bytes.max(end);
        self.function.has_calls = true;
        Ok(area)
    }

    /// Copies blocks that are too large to be copied inline into the outgoing area, by calls,
    /// before anything else is there.
    fn copy_large_blocks(&mut self, placements: &[Sent]) -> Result<(), Error> {
        let mut copies = None;
        for one in placements {
            let at = self.memory_of(one, &mut copies, placements)?;
            let (Some((at, skipped)), true) = (at, one.argument.is_copied()) else {
                continue;
            };
            let bytes = one.argument.size.saturating_sub(u64::from(skipped));
            if bytes > INLINE_COPY {
                let to = self.outgoing_address(at)?;
                let bytes = self.function.int(bytes.cast_signed())?;
                let mut from = one.value;
                if skipped > 0 {
                    from = self.temp()?;
                    let operands = [def(from), one.value, Operand::imm(skipped as i32)];
                    self.emit(Generic::Add, LowType::S64, &operands)?;
                }
                self.call_helper(Helper::CopyBlock, &[to, from, bytes])?;
            }
        }
        Ok(())
    }

    /// Returns the offset from the stack pointer at which an argument or its end goes to the
    /// outgoing area, if it does, and the number of bytes at its start that go to registers.
    fn memory_of(
        &self,
        one: &Sent,
        next_copy: &mut Option<u32>,
        all: &[Sent],
    ) -> Result<Option<(u32, u32)>, Error> {
        let start = self.isa.registers().stack_arguments;
        if one.placement.by_address {
            let at = match *next_copy {
                Some(at) => at,
                None => {
                    let mut cursor = 0;
                    for other in all {
                        cursor = other.stack_end().max(cursor);
                    }
                    room(start, cursor)?
                }
            };
            let bytes = u32::try_from(one.argument.bytes()).map_err(|_| Error::TooLarge)?;
            *next_copy = Some(room(at, bytes)?);
            return Ok(Some((at, 0)));
        }
        Ok(match one.placement.pieces().last() {
            Some(&Piece {
                at: Location::Memory(at),
                offset,
                ..
            }) => Some((start + at, offset)),
            _ => None,
        })
    }

    fn outgoing_address(&mut self, at: u32) -> Result<Operand, Error> {
        let address = self.temp()?;
        let stack_pointer = Operand::reg(self.isa.registers().stack_pointer);
        let operands = [def(address), stack_pointer, Operand::imm(at as i32)];
        self.emit(Generic::Add, LowType::S64, &operands)?;
        Ok(address)
    }

    fn outgoing(&self, at: u32) -> Address {
        let stack_pointer = self.isa.registers().stack_pointer;
        no_index(Operand::reg(stack_pointer), at as i32)
    }

    /// Passes one argument: stores the pieces that go to memory, and notes those that go to
    /// registers.
    fn send_argument(&mut self, one: &Sent, call: &mut Outgoing<'_>) -> Result<(), Error> {
        let argument = one.argument;
        let is_copied = argument.is_copied();
        let is_long = argument.ty == Type::Ld;
        if one.placement.by_address {
            let at = call.copies;
            let bytes = u32::try_from(argument.bytes()).map_err(|_| Error::TooLarge)?;
            call.copies = room(at, bytes)?;
            if !(is_copied && argument.size > INLINE_COPY) {
                let to = self.outgoing(at);
                self.copy_bytes(to, no_index(one.value, 0), bytes)?;
            }
            let address = self.outgoing_address(at)?;
            for &piece in one.placement.pieces() {
                self.send(Type::P, address, piece, call)?;
            }
            return Ok(());
        }
        if !is_copied && !is_long {
            for &piece in one.placement.pieces() {
                self.send(argument.ty, one.value, piece, call)?;
            }
            return Ok(());
        }
        let mut source = no_index(one.value, 0);
        let last = one.placement.pieces().last();
        let in_register = last.is_some_and(|last| !matches!(last.at, Location::Memory(_)));
        if is_copied && in_register && !argument.size.is_multiple_of(8) {
            // Whole words are loaded, so the last one must be there in full.
            let bytes = argument.size.next_multiple_of(8) as u32;
            let frame = self.function.add_local(bytes, 8)?;
            let padded = no_index(Operand::frame(frame), 0);
            self.copy_bytes(padded, source, argument.size as u32)?;
            source = padded;
        }
        for &piece in one.placement.pieces() {
            self.send_memory(source, piece, call, is_long)?;
        }
        Ok(())
    }

    /// Passes a piece of an argument in memory.
    fn send_memory(
        &mut self,
        source: Address,
        piece: Piece,
        call: &mut Outgoing<'_>,
        is_long: bool,
    ) -> Result<(), Error> {
        let from = self.advance(source, piece.offset)?;
        match piece.at {
            Location::Memory(at) => {
                if !is_long && u64::from(piece.size) > INLINE_COPY {
                    return Ok(());
                }
                let to = self.outgoing(self.isa.registers().stack_arguments + at);
                self.copy_bytes(to, from, piece.size)
            }
            Location::Float(first) if is_long && self.isa.target().long_double_registers => {
                let to = self.register(Bank::Floating, first)?;
                let from = From::Memory(LowType::S128, from);
                Ok(call.loads.push(Load { to, from })?)
            }
            Location::Int(first) | Location::Float(first) => {
                let bank = match piece.at {
                    Location::Int(_) => Bank::General,
                    _ => Bank::Floating,
                };
                for word in 0..piece.size.div_ceil(8) {
                    let to = self.register(bank, first + word as u8)?;
                    let from = self.advance(from, 8 * word)?;
                    let from = From::Memory(LowType::S64, from);
                    call.loads.push(Load { to, from })?;
                }
                Ok(())
            }
            Location::X87(_) => Err(self.internal()),
        }
    }

    fn register(&self, bank: Bank, number: u8) -> Result<Reg, Error> {
        let registers = self.isa.registers();
        let list = match bank {
            Bank::General => registers.int_arguments,
            Bank::Floating => registers.float_arguments,
        };
        let reg = list.get(usize::from(number)).copied();
        reg.ok_or(self.internal())
    }

    /// Passes a piece of a value that is in a register.
    fn send(
        &mut self,
        ty: Type,
        value: Operand,
        piece: Piece,
        call: &mut Outgoing<'_>,
    ) -> Result<(), Error> {
        let is_float = matches!(ty, Type::F | Type::D);
        let start = self.isa.registers().stack_arguments;
        match piece.at {
            Location::Memory(at) => {
                let ty = if is_float { ty } else { Type::I64 };
                let to = self.outgoing(start + at);
                self.store(value, ty, to)
            }
            Location::Float(number) => {
                let to = self.register(Bank::Floating, number)?;
                let to = self.register_of(ty, to);
                let from = From::Value(value);
                Ok(call.loads.push(Load { to, from })?)
            }
            Location::Int(number) => {
                let to = self.register(Bank::General, number)?;
                let from = if is_float {
                    let frame = Operand::frame(self.function.add_local(8, 8)?);
                    self.store(value, ty, no_index(frame, 0))?;
                    let low = if ty == Type::F {
                        LowType::S32
                    } else {
                        LowType::S64
                    };
                    From::Memory(low, no_index(frame, 0))
                } else {
                    From::Value(value)
                };
                Ok(call.loads.push(Load { to, from })?)
            }
            Location::X87(_) => Err(self.internal()),
        }
    }

    /// Loads the argument registers and emits the call.
    fn finish_call(
        &mut self,
        callee: Operand,
        signature: &Signature,
        call: Outgoing<'_>,
    ) -> Result<(), Error> {
        let registers = self.isa.registers();
        let mut operands = Vec::new(self.function.allocator());
        self.store_fuel()?;
        operands.push(callee)?;
        let preserved = registers.saved.union(self.preserved_by(callee));
        let mask = match self.settings.execution.traces {
            true => self.function.add_mask_at(preserved, self.site())?,
            false => self.function.add_mask(preserved)?,
        };
        operands.push(mask)?;
        self.load_arguments(&call.loads, &mut operands)?;
        if let (true, Some(count)) = (signature.is_vararg(), registers.variadic_floats) {
            self.set_physical(count, Operand::imm(i32::from(call.cursor.floats)))?;
            operands.push(Operand::implicit_use(count))?;
        }
        let results = self.module.results(signature);
        let mut cursor = ResultCursor::new(&self.isa.target().abi);
        for &ty in results {
            let placement = cursor.place(ty)?;
            for &piece in placement.pieces() {
                for reg in self.result_registers(piece).into_iter().flatten() {
                    let reg = self.register_of(ty, reg);
                    operands.push(Operand::implicit_def(reg))?;
                }
            }
        }
        self.emit_all(Generic::Call, &operands)
    }

    /// Loads the argument registers, and adds them to the operands of a call.
    fn load_arguments(
        &mut self,
        loads: &[Load],
        operands: &mut Vec<'_, Operand>,
    ) -> Result<(), Error> {
        for load in loads {
            match load.from {
                From::Value(value) => self.set_physical(load.to, value)?,
                From::Memory(ty, [base, index, scale, disp]) => {
                    let to = def(Operand::reg(load.to));
                    self.emit(Generic::Load, ty, &[to, base, index, scale, disp])?;
                }
            }
            operands.push(Operand::implicit_use(load.to))?;
        }
        Ok(())
    }

    /// Returns the units that a call preserves beyond the calling convention, which is known for
    /// private functions of the module.
    fn preserved_by(&self, callee: Operand) -> UnitSet {
        let (Some(callees), Some(symbol)) = (self.settings.callees, callee.as_symbol()) else {
            return UnitSet::EMPTY;
        };
        let (true, Symbol::Callee(item)) =
            (self.function.is_near(symbol), self.function.symbol(symbol))
        else {
            return UnitSet::EMPTY;
        };
        match self.module.item(item).kind {
            ItemKind::Func(callee) => callees.preserved(self.caller, callee),
            _ => UnitSet::EMPTY,
        }
    }

    /// Returns the register, or part of it, that values of a type are in.
    fn register_of(&self, ty: Type, reg: Reg) -> Reg {
        if ty == Type::Ld {
            return reg;
        }
        let (bank, low) = bank_and_type(ty);
        self.isa.registers().of_type(reg, bank, low)
    }

    /// Returns the result registers of a piece: one, or two for a long double in a pair.
    fn result_registers(&self, piece: Piece) -> [Option<Reg>; 2] {
        let registers = self.isa.registers();
        let (list, first) = match piece.at {
            Location::Int(first) => (registers.int_results, first),
            Location::Float(first) => (registers.float_results, first),
            _ => return [None, None],
        };
        let is_pair = piece.size > 8 && !self.is_quad_register(piece);
        let at = |number: u8| list.get(usize::from(number)).copied();
        [at(first), if is_pair { at(first + 1) } else { None }]
    }

    /// Returns whether a piece is a long double in one register.
    pub(super) fn is_quad_register(&self, piece: Piece) -> bool {
        matches!(piece.at, Location::Float(_)) && self.isa.target().long_double_registers
    }

    /// Copies the results of a call out of their registers at once, then to the call's operands.
    fn take_results(
        &mut self,
        insn: InsnId,
        results: &[Type],
        area: u32,
        are_extended: bool,
    ) -> Result<(), Error> {
        let mut cursor = ResultCursor::new(&self.isa.target().abi);
        let mut taken = Vec::new(self.function.allocator());
        for &ty in results {
            let placement = cursor.place(ty)?;
            for &piece in placement.pieces() {
                taken.push(self.take_result(ty, piece, area)?)?;
            }
        }
        self.give_out_results(insn, results, &taken, are_extended)
    }

    /// Copies the results of a call to its operands, extended as the prototype says, unless they
    /// are: to variables first, then to memory, which may be that of a variable.
    pub(super) fn give_out_results(
        &mut self,
        insn: InsnId,
        results: &[Type],
        taken: &[Operand],
        are_extended: bool,
    ) -> Result<(), Error> {
        for wanted in [Output::Variable, Output::Memory] {
            self.give_out_some(insn, results, taken, are_extended, wanted)?;
        }
        Ok(())
    }

    /// Copies those results of a call to its operands that go to variables, or those to memory.
    fn give_out_some(
        &mut self,
        insn: InsnId,
        results: &[Type],
        taken: &[Operand],
        are_extended: bool,
        wanted: Output,
    ) -> Result<(), Error> {
        for (number, (&ty, &value)) in results.iter().zip(taken).enumerate() {
            let output = self.operand(insn, 2 + number)?;
            let is = match output {
                IrOperand::Mem(_) => Output::Memory,
                _ => Output::Variable,
            };
            if is != wanted {
                continue;
            }
            let class = ty.class();
            let to = self.output(output, class)?;
            match class {
                Class::Int if are_extended && self.passed(ty) == ty => self.set(to, value)?,
                Class::Int => self.extend_into(to, ty, value)?,
                Class::LongDouble => self.copy_bytes(no_index(to, 0), no_index(value, 0), 16)?,
                _ => self.copy(to, value)?,
            }
            self.finish(output, class, to)?;
        }
        Ok(())
    }

    fn take_result(&mut self, ty: Type, piece: Piece, area: u32) -> Result<Operand, Error> {
        if ty == Type::Ld {
            let frame = self.function.add_local(16, 16)?;
            self.take_long_result(Operand::frame(frame), piece, area)?;
            return Ok(Operand::frame(frame));
        }
        if let Location::Memory(at) = piece.at {
            let ty = if ty.is_int() { Type::I64 } else { ty };
            return self.load(ty, self.outgoing(area + at));
        }
        let [Some(reg), _] = self.result_registers(piece) else {
            return Err(self.internal());
        };
        let (bank, low) = bank_and_type(ty);
        let value = Operand::from(self.vreg(bank, low)?);
        self.copy(value, Operand::reg(self.register_of(ty, reg)))?;
        Ok(value)
    }

    fn take_long_result(&mut self, to: Operand, piece: Piece, area: u32) -> Result<(), Error> {
        match piece.at {
            Location::Memory(at) => {
                let from = self.outgoing(area + at);
                self.copy_bytes(no_index(to, 0), from, 16)
            }
            Location::X87(number) => {
                let operands = [to, Operand::imm(i32::from(number))];
                self.emit(Generic::TakeResult, self.long_type(), &operands)
            }
            _ => self.store_registers(to, piece, self.result_registers(piece)),
        }
    }

    /// Stores the registers that hold a long double.
    pub(super) fn store_registers(
        &mut self,
        to: Operand,
        piece: Piece,
        registers: [Option<Reg>; 2],
    ) -> Result<(), Error> {
        let quad = self.is_quad_register(piece);
        let ty = if quad { LowType::S128 } else { LowType::S64 };
        for (number, reg) in registers.into_iter().flatten().enumerate() {
            let [base, index, scale, disp] = no_index(to, 8 * number as i32);
            let operands = [Operand::reg(reg), base, index, scale, disp];
            self.emit(Generic::Store, ty, &operands)?;
        }
        Ok(())
    }

    /// Returns the symbol of a runtime routine. In objects the routines lie beside the code, except
    /// those of the C library.
    fn helper(&mut self, helper: Helper) -> Result<Operand, Error> {
        let symbol = Symbol::Helper(helper.id());
        if helper == Helper::CopyBlock {
            return Ok(self.function.add_symbol(symbol)?);
        }
        self.symbol(symbol)
    }

    /// Calls a runtime routine. Returns its result, if it has one. Arguments are integers,
    /// addresses of frame objects, or symbols. The first argument is the address of the runtime,
    /// except in objects, which have none.
    pub(super) fn call_helper(
        &mut self,
        helper: Helper,
        arguments: &[Operand],
    ) -> Result<Operand, Error> {
        let registers = self.isa.registers();
        let symbol = self.helper(helper)?;
        let runtime = match self.function.is_position_independent {
            true => None,
            false => Some(self.symbol(Symbol::Runtime)?),
        };
        let result = registers.int_results.first().copied().unwrap_or(Reg::NONE);
        let mut operands = Vec::new(self.function.allocator());
        operands.push(symbol)?;
        operands.push(self.function.add_mask(registers.saved)?)?;
        let all = runtime.into_iter().chain(arguments.iter().copied());
        for (value, &to) in all.zip(registers.int_arguments) {
            self.set_physical(to, value)?;
            operands.push(Operand::implicit_use(to))?;
        }
        operands.push(Operand::implicit_def(result))?;
        self.function.has_calls = true;
        let least = registers.stack_arguments + 8 * u32::from(self.isa.target().abi.home_slots);
        self.function.outgoing_bytes = self.function.outgoing_bytes.max(least);
        self.emit_all(Generic::Call, &operands)?;
        let value = self.temp()?;
        self.copy(value, Operand::reg(result))?;
        Ok(value)
    }

    /// Translates a call that returns to a label with its address taken.
    pub(super) fn jump_call(&mut self, insn: InsnId) -> Result<(), Error> {
        let callee = self.callee_address(insn)?;
        let saved = self.isa.registers().saved;
        let mask = self.function.add_mask(saved)?;
        // The callee may save registers there, as that of any call.
        let least = self.isa.registers().stack_arguments;
        self.function.outgoing_bytes = self.function.outgoing_bytes.max(least);
        self.emit(Generic::Brindirect, LowType::S64, &[callee, mask])?;
        self.is_open = false;
        Ok(())
    }

    pub(super) fn ret(&mut self, insn: InsnId) -> Result<(), Error> {
        let module = self.module;
        let signature = module.func(self.func).signature;
        let results = module.results(&signature);
        let mut values = Vec::new(self.function.allocator());
        for (operand, &ty) in module.operands(insn).zip(results) {
            let value = match ty {
                Type::F => self.float(operand, Kind::Float)?,
                Type::D => self.float(operand, Kind::Double)?,
                Type::Ld => self.long_double(operand)?,
                _ => {
                    let value = self.int(operand)?;
                    let value = self.accumulated(value)?;
                    self.extend(self.passed(ty), value)?
                }
            };
            values.push(value)?;
        }
        if self.inlined.is_some() {
            return self.return_inlined(&values);
        }
        self.store_fuel()?;
        self.give_results(results, &values)?;
        self.is_open = false;
        Ok(())
    }

    fn give_results(&mut self, results: &[Type], values: &[Operand]) -> Result<(), Error> {
        let mut operands = Vec::new(self.function.allocator());
        // Results in memory or on the x87 stack come first, so that nothing is between setting the
        // registers and the return.
        for in_registers in [false, true] {
            let mut cursor = ResultCursor::new(&self.isa.target().abi);
            for (&ty, &value) in results.iter().zip(values) {
                let placement = cursor.place(ty)?;
                for &piece in placement.pieces() {
                    let is_register = matches!(piece.at, Location::Int(_) | Location::Float(_));
                    if is_register == in_registers {
                        self.give_result(ty, value, piece, &mut operands)?;
                    }
                }
            }
        }
        self.emit_all(Generic::Ret, &operands)
    }

    fn give_result(
        &mut self,
        ty: Type,
        value: Operand,
        piece: Piece,
        operands: &mut Vec<'_, Operand>,
    ) -> Result<(), Error> {
        match piece.at {
            Location::Memory(at) => {
                let area = self.results_area.ok_or(self.internal())?;
                let to = no_index(area.into(), at as i32);
                if ty == Type::Ld {
                    return self.copy_bytes(to, no_index(value, 0), 16);
                }
                let ty = if ty.is_int() { Type::I64 } else { ty };
                return self.store(value, ty, to);
            }
            Location::X87(number) => {
                let give = [value, Operand::imm(i32::from(number))];
                return self.emit(Generic::GiveResult, self.long_type(), &give);
            }
            _ => {}
        }
        let quad = self.is_quad_register(piece);
        for (number, reg) in self
            .result_registers(piece)
            .into_iter()
            .flatten()
            .enumerate()
        {
            let reg = self.register_of(ty, reg);
            if ty == Type::Ld {
                let [base, index, scale, disp] = no_index(value, 8 * number as i32);
                let ty = if quad { LowType::S128 } else { LowType::S64 };
                let to = def(Operand::reg(reg));
                self.emit(Generic::Load, ty, &[to, base, index, scale, disp])?;
            } else {
                self.set_physical(reg, value)?;
            }
            operands.push(Operand::implicit_use(reg))?;
        }
        Ok(())
    }
}

use crate::machine::Bank;

/// An argument of a call with its value and place.
#[derive(Clone, Copy)]
struct Sent {
    argument: Argument,
    value: Operand,
    placement: Placement,
    copy: u32,
}

impl Sent {
    /// Returns the end of the stack space that the argument takes.
    fn stack_end(&self) -> u32 {
        let _ = self.copy;
        let ends = self.placement.pieces().iter().map(|piece| match piece.at {
            Location::Memory(at) => at.saturating_add(piece.size.next_multiple_of(8)),
            _ => 0,
        });
        ends.max().unwrap_or(0)
    }
}

/// Returns the type of a variable argument, determined by its operand.
fn variable_argument(operand: IrOperand, register: impl Fn(crate::ir::Reg) -> Type) -> Argument {
    match operand {
        IrOperand::Reg(reg) => Argument::scalar(register(reg)),
        IrOperand::Float(_) => Argument::scalar(Type::F),
        IrOperand::Double(_) => Argument::scalar(Type::D),
        IrOperand::LongDouble(_) => Argument::scalar(Type::Ld),
        IrOperand::Mem(mem) if mem.ty.is_block() => {
            Argument::block(mem.ty, mem.disp.cast_unsigned())
        }
        IrOperand::Mem(mem) if mem.ty.is_int() => Argument::scalar(Type::I64),
        IrOperand::Mem(mem) => Argument::scalar(mem.ty),
        _ => Argument::scalar(Type::I64),
    }
}

/// Returns `start + bytes`, rounded up to 16, within a bound.
fn room(start: u32, bytes: u32) -> Result<u32, Error> {
    if start > MAX_STACK_BYTES || bytes > MAX_STACK_BYTES {
        return Err(Error::TooLarge);
    }
    let end = (start + bytes).next_multiple_of(16);
    if end > MAX_STACK_BYTES {
        return Err(Error::TooLarge);
    }
    Ok(end)
}
