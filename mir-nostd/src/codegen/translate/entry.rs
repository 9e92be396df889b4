//! The entry of a function: moves arguments from the places that the calling convention assigns to
//! their variables.

use super::values::no_index;
use super::{Translator, VariableLocation, bank_and_type};
use crate::ir::Type;
use crate::machine::{
    Bank, FrameId, FrameKind, FrameObject, Generic, IntPredicate, LowType, Operand, Reg, VReg,
};
use crate::mem::Vec;
use crate::target::error::Error;
use crate::target::{Argument, ArgumentKind, Cursor, Location, Piece, Placement, ResultCursor};

/// The most registers of one argument: on ppc64le a block may take all for integers.
const MOST_WORDS: usize = 8;

/// An argument with its place, after registers were copied to virtual ones.
struct Received {
    argument: Argument,
    placement: Placement,
    /// The virtual registers of the words that came in registers, in order.
    words: [Option<VReg>; MOST_WORDS],
    /// The frame object of a long double that came in one register.
    quad: Option<FrameId>,
}

impl Translator<'_, '_, '_, '_> {
    /// Takes all arguments, those in registers first, and checks the stack.
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        self.take_return_address()?;
        self.take_arguments()?;
        self.check_stack()?;
        self.take_fuel()
    }

    fn take_arguments(&mut self) -> Result<(), Error> {
        let module = self.module;
        let func = module.func(self.func);
        let place = self.isa.target().abi.place_argument;
        let mut cursor = Cursor::default();
        let mut area = ResultCursor::new(&self.isa.target().abi);
        for &ty in module.results(&func.signature) {
            area.place(ty)?;
        }
        if area.area_bytes() > 0 {
            let placement = place(&mut cursor, Argument::scalar(Type::P), ArgumentKind::Named)?;
            self.take_area(&placement)?;
            cursor.placed = 0;
        }
        let mut received = Vec::new(self.function.allocator());
        for arg in module.args(&func.signature) {
            let argument = Argument {
                ty: arg.ty,
                size: arg.size,
            };
            let placement = place(&mut cursor, argument, ArgumentKind::Named)?;
            received.push(self.receive(argument, placement)?)?;
        }
        if func.signature.is_vararg() {
            self.named = cursor;
            self.store_image()?;
        }
        for (number, one) in received.iter().enumerate() {
            self.set_argument(number, one)?;
        }
        Ok(())
    }

    fn take_area(&mut self, placement: &Placement) -> Result<(), Error> {
        let words = self.receive(Argument::scalar(Type::P), *placement)?.words;
        self.results_area = match (words[0], placement.pieces()) {
            (Some(word), _) => Some(word),
            (None, [piece]) => match piece.at {
                Location::Memory(at) => {
                    let frame = self.incoming(at, 8)?;
                    self.load(Type::I64, no_index(Operand::frame(frame), 0))?
                        .vreg()
                }
                _ => None,
            },
            _ => None,
        };
        Ok(())
    }

    /// Returns a frame object for stack arguments.
    fn incoming(&mut self, at: u32, bytes: u32) -> Result<FrameId, Error> {
        let at = i32::try_from(at).map_err(|_| Error::TooLarge)?;
        self.incoming_at(at, bytes)
    }

    pub(super) fn incoming_at(&mut self, at: i32, bytes: u32) -> Result<FrameId, Error> {
        Ok(self.function.frame.push(FrameObject {
            kind: FrameKind::Incoming(at),
            bytes,
            align: 8,
            offset: 0,
        })?)
    }

    /// Returns a frame object at the start of the stack arguments.
    pub(super) fn incoming_start(&mut self) -> Result<FrameId, Error> {
        self.incoming(0, 8)
    }

    /// Copies the registers that an argument came in.
    fn receive(&mut self, argument: Argument, placement: Placement) -> Result<Received, Error> {
        let mut words = [None; MOST_WORDS];
        let mut quad = None;
        let mut count = 0;
        // A piece may come twice; the first place is enough.
        let mut covered = 0;
        for piece in placement.pieces() {
            if piece.offset < covered && argument.ty != Type::Ld && !argument.is_copied() {
                break;
            }
            covered = piece.offset + piece.size;
            let is_long = argument.ty == Type::Ld && !placement.by_address;
            if let (Location::Float(first), true) =
                (piece.at, is_long && self.is_quad_register(*piece))
            {
                quad = Some(self.receive_quad(first, *piece)?);
                continue;
            }
            let (registers, bank) = self.argument_registers(*piece)?;
            for &reg in registers {
                let ty = if argument.ty == Type::F && bank == Bank::Floating {
                    LowType::S32
                } else {
                    LowType::S64
                };
                let vreg = self.vreg(bank, ty)?;
                let reg = self.isa.registers().of_type(reg, bank, ty);
                self.copy(vreg.into(), Operand::reg(reg))?;
                if let Some(word) = words.get_mut(count) {
                    *word = Some(vreg);
                }
                count += 1;
            }
        }
        Ok(Received {
            argument,
            placement,
            words,
            quad,
        })
    }

    /// Stores a long double that came in one register.
    fn receive_quad(&mut self, number: u8, piece: Piece) -> Result<FrameId, Error> {
        let registers = self.isa.registers().float_arguments;
        let Some(&reg) = registers.get(usize::from(number)) else {
            return Err(self.internal());
        };
        let frame = self.function.add_local(16, 16)?;
        self.store_registers(Operand::frame(frame), piece, [Some(reg), None])?;
        Ok(frame)
    }

    /// Returns the registers of a piece, none if it is in memory.
    fn argument_registers(&self, piece: Piece) -> Result<(&'static [Reg], Bank), Error> {
        let registers = self.isa.registers();
        let (list, first, bank) = match piece.at {
            Location::Int(first) => (registers.int_arguments, first, Bank::General),
            Location::Float(first) => (registers.float_arguments, first, Bank::Floating),
            _ => return Ok((&[], Bank::General)),
        };
        let first = usize::from(first);
        let count = piece.size.div_ceil(8).max(1) as usize;
        let used = list.get(first..first + count).ok_or(self.internal())?;
        Ok((used, bank))
    }

    /// Sets an argument's variable.
    fn set_argument(&mut self, number: usize, one: &Received) -> Result<(), Error> {
        let Some(&place) = self.variables.get(number) else {
            return Err(self.internal());
        };
        let argument = one.argument;
        if argument.is_copied() || argument.ty == Type::Ld {
            let address = self.argument_memory(one)?;
            if argument.is_copied() {
                return self.set_variable(place, Type::I64, address);
            }
            let VariableLocation::Memory(home) = place else {
                return Err(self.internal());
            };
            let from = match address.as_frame() {
                Some(frame) => no_index(Operand::frame(frame), 0),
                None => no_index(address, 0),
            };
            return self.copy_bytes(no_index(Operand::frame(home), 0), from, 16);
        }
        let value = match (one.words[0], one.placement.pieces().first()) {
            (Some(word), _) => self.in_bank_of(argument.ty, word)?,
            (None, Some(piece)) => {
                let Location::Memory(at) = piece.at else {
                    return Err(self.internal());
                };
                let frame = self.incoming(at, 8)?;
                let is_float = matches!(argument.ty, Type::F | Type::D);
                let ty = if is_float { argument.ty } else { Type::I64 };
                self.load(ty, no_index(Operand::frame(frame), 0))?
            }
            (None, None) => return Err(self.internal()),
        };
        self.set_variable(place, argument.ty, value)
    }

    /// Moves a float that came in an integer register to the floating bank, through memory.
    fn in_bank_of(&mut self, ty: Type, word: VReg) -> Result<Operand, Error> {
        let (bank, low) = bank_and_type(ty);
        if self.function.vreg(word).bank == bank {
            return Ok(word.into());
        }
        let frame = Operand::frame(self.function.add_local(8, 8)?);
        let [base, index, scale, disp] = no_index(frame, 0);
        self.emit(
            Generic::Store,
            low,
            &[word.into(), base, index, scale, disp],
        )?;
        self.load(ty, no_index(frame, 0))
    }

    /// Returns the place of a block or long double: a frame object for a long double, else a
    /// register with the address.
    fn argument_memory(&mut self, one: &Received) -> Result<Operand, Error> {
        let is_long = one.argument.ty == Type::Ld;
        let pieces = one.placement.pieces();
        if one.placement.by_address {
            return match (one.words[0], pieces.first().map(|piece| piece.at)) {
                (Some(word), _) => Ok(word.into()),
                (None, Some(Location::Memory(at))) => {
                    let frame = self.incoming(at, 8)?;
                    self.load(Type::I64, no_index(Operand::frame(frame), 0))
                }
                _ => Err(self.internal()),
            };
        }
        if let Some(frame) = one.quad {
            return Ok(Operand::frame(frame));
        }
        let bytes = u32::try_from(one.argument.bytes()).map_err(|_| Error::TooLarge)?;
        let frame = match pieces {
            [
                Piece {
                    at: Location::Memory(at),
                    ..
                },
            ] => self.incoming(*at, bytes)?,
            _ => self.gather(one, bytes)?,
        };
        if is_long {
            Ok(Operand::frame(frame))
        } else {
            self.frame_address(frame, 0)
        }
    }

    /// Collects the pieces of a block or long double in a frame object.
    fn gather(&mut self, one: &Received, bytes: u32) -> Result<FrameId, Error> {
        let frame = self
            .function
            .add_local(bytes.max(1).next_multiple_of(8), 16)?;
        let mut words = one.words.into_iter().flatten();
        for piece in one.placement.pieces() {
            if let Location::Memory(at) = piece.at {
                let from = self.incoming(at, piece.size)?;
                let to = no_index(Operand::frame(frame), piece.offset as i32);
                self.copy_bytes(to, no_index(Operand::frame(from), 0), piece.size)?;
                continue;
            }
            for word in 0..piece.size.div_ceil(8) {
                let Some(value) = words.next() else {
                    return Err(self.internal());
                };
                let at = piece.offset + 8 * word;
                let [base, index, scale, disp] = no_index(Operand::frame(frame), at as i32);
                let operands = [value.into(), base, index, scale, disp];
                self.emit(Generic::Store, LowType::S64, &operands)?;
            }
        }
        Ok(frame)
    }

    pub(super) fn set_variable(
        &mut self,
        place: VariableLocation,
        ty: Type,
        value: Operand,
    ) -> Result<(), Error> {
        match place {
            VariableLocation::Register(reg) if matches!(ty, Type::F | Type::D) => {
                self.copy(Operand::reg(reg), value)
            }
            VariableLocation::Register(reg) => self.extend_into(Operand::reg(reg), ty, value),
            VariableLocation::Memory(frame) => {
                let to = no_index(Operand::frame(frame), 0);
                if matches!(ty, Type::F | Type::D) {
                    return self.store(value, ty, to);
                }
                let value = self.extend(ty, value)?;
                self.store(value, Type::I64, to)
            }
            VariableLocation::Address(_) => Err(self.internal()),
        }
    }

    /// Stores the argument registers of a variadic function, floating ones only if the call says
    /// that they are used. On targets that have them in one array with the stack arguments, stores
    /// only those of variable arguments.
    fn store_image(&mut self) -> Result<(), Error> {
        let registers = self.isa.registers();
        let abi = &self.isa.target().abi;
        let layout = abi.image;
        if let Some(at) = abi.variadic_image {
            let frame = self.incoming_at(at, 8 * registers.int_arguments.len() as u32)?;
            self.image = Some(frame);
            let variable = usize::from(self.named.ints);
            for (number, &reg) in (0..).zip(registers.int_arguments).skip(variable) {
                self.store_image_register(frame, 8 * number, reg, LowType::S64)?;
            }
            return Ok(());
        }
        let frame = self.function.add_local(224, 16)?;
        self.image = Some(frame);
        let mut count = None;
        if let Some(reg) = registers.variadic_floats {
            let copy = self.temp()?;
            self.copy(copy, Operand::reg(reg))?;
            count = Some(copy);
        }
        for (number, &reg) in (0..).zip(registers.int_arguments) {
            self.store_image_register(frame, layout.ints + 8 * number, reg, LowType::S64)?;
        }
        let join = self.function.add_block()?;
        if let Some(count) = count {
            let low = self.temp()?;
            self.extend_into(low, Type::U8, count)?;
            let zero = [
                Operand::int_predicate(IntPredicate::Eq),
                low,
                Operand::imm(0),
                Operand::block(join),
            ];
            self.emit(Generic::BrIcmp, LowType::S64, &zero)?;
            let next = self.function.add_block()?;
            self.start(next)?;
        }
        let ty = if self.isa.target().long_double_registers {
            LowType::S128
        } else {
            LowType::S64
        };
        for (number, &reg) in (0..).zip(registers.float_arguments) {
            let at = layout.floats + layout.float_stride * number;
            self.store_image_register(frame, at, reg, ty)?;
        }
        self.start(join)
    }

    fn store_image_register(
        &mut self,
        frame: FrameId,
        at: u32,
        reg: Reg,
        ty: LowType,
    ) -> Result<(), Error> {
        let [base, index, scale, disp] = no_index(Operand::frame(frame), at as i32);
        let operands = [Operand::reg(reg), base, index, scale, disp];
        self.emit(Generic::Store, ty, &operands)
    }
}
