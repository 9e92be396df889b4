//! Puts homes in place of virtual registers: registers directly, frame objects by loads and stores around the
//! instruction. Copies become moves, loads or stores, or nothing.

use super::allocate::{Home, Homes, copy};
use super::{Emitter, Error};
use crate::machine::{
    Bank, ClassId, FrameId, Function, Generic, InsnId, Operand, OperandFlags, Reg, SubIndex,
    UnitSet, VReg,
};
use crate::mem::Entity;
use crate::target::Isa;

/// The most virtual registers in the frame that one instruction can have.
const MOST: usize = 8;

/// A virtual register in the frame, passing through a register around one instruction.
#[derive(Clone, Copy)]
struct Passing {
    vreg: VReg,
    frame: FrameId,
    class: ClassId,
    reg: Reg,
    is_read: bool,
    is_written: bool,
    /// Whether the register holds something else that must be saved around the instruction.
    is_borrowed: bool,
}

/// Rewrites the function; gives the units of all registers that are used.
pub(super) fn rewrite(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    homes: &Homes<'_>,
    used: UnitSet,
) -> Result<UnitSet, Error> {
    let mut rewriter = Rewriter {
        isa,
        homes,
        used,
        emergency: [None; MOST],
    };
    for place in 0..function.layout.len() {
        let Some(&block) = function.layout.get(place) else {
            break;
        };
        let mut next = function.block(block).first();
        while let Some(insn) = next {
            next = function.insn(insn).next();
            rewriter.insn(function, insn)?;
        }
    }
    Ok(rewriter.used)
}

struct Rewriter<'a, 'h> {
    isa: &'a dyn Isa,
    homes: &'a Homes<'h>,
    used: UnitSet,
    /// Where borrowed registers are saved.
    emergency: [Option<FrameId>; MOST],
}

impl Rewriter<'_, '_> {
    fn home(&self, vreg: VReg) -> Home {
        self.homes.get(vreg.index()).copied().unwrap_or(Home::None)
    }

    fn insn(&mut self, function: &mut Function<'_>, insn: InsnId) -> Result<(), Error> {
        if function.insn(insn).opcode.generic() == Some(Generic::Copy) {
            return self.copy(function, insn);
        }
        let passing = self.find_passing(function, insn)?;
        self.note_physical(function, insn);
        for operand in function.operands_mut(insn) {
            let Some(vreg) = operand.vreg() else {
                continue;
            };
            let reg = match self.home(vreg) {
                Home::Register(reg) => reg,
                _ => {
                    let mut all = passing.iter().flatten();
                    let found = all.find(|passing| passing.vreg == vreg);
                    found.map_or(Reg::NONE, |passing| passing.reg)
                }
            };
            let part = self.isa.registers().part(reg, operand.sub());
            *operand = operand.on(part).part(SubIndex(0));
            if operand.is_def() {
                // What it said was of the rest of the virtual register.
                *operand = operand.without(OperandFlags::UNDEF);
            }
        }
        self.pass(function, insn, &passing)
    }

    /// Counts the physical registers that an instruction writes among those that are used.
    fn note_physical(&mut self, function: &Function<'_>, insn: InsnId) {
        for operand in function.operands(insn).iter().filter(|o| o.is_def()) {
            if let (None, Some(reg)) = (operand.vreg(), operand.as_reg()) {
                self.used = self.used.union(self.isa.registers().units(reg));
            }
        }
    }

    /// The virtual registers of an instruction that are in the frame, with registers to pass through.
    fn find_passing(
        &mut self,
        function: &Function<'_>,
        insn: InsnId,
    ) -> Result<[Option<Passing>; MOST], Error> {
        let mut all = [None; MOST];
        let operands = function.operands(insn);
        // Reads first: a register that is only written may be one that is only read.
        for reads in [true, false] {
            for &operand in operands {
                let Some(vreg) = operand.vreg() else {
                    continue;
                };
                if operand.is_def() == reads {
                    continue;
                }
                let Home::Frame(frame) = self.home(vreg) else {
                    if let Home::Register(reg) = self.home(vreg) {
                        let units = self.isa.registers().units(reg);
                        self.used = self.used.union(units);
                    }
                    continue;
                };
                self.add_passing(function, insn, &mut all, operand, frame)?;
            }
        }
        Ok(all)
    }

    fn add_passing(
        &mut self,
        function: &Function<'_>,
        insn: InsnId,
        all: &mut [Option<Passing>; MOST],
        operand: Operand,
        frame: FrameId,
    ) -> Result<(), Error> {
        let Some(vreg) = operand.vreg() else {
            return Ok(());
        };
        let known = all
            .iter_mut()
            .flatten()
            .find(|passing| passing.vreg == vreg);
        if let Some(passing) = known {
            passing.is_written |= operand.is_def();
            passing.is_read |= !operand.is_def() && !operand.flags().contains(OperandFlags::UNDEF);
            return Ok(());
        }
        let class = function.vreg(vreg).class;
        let (reg, is_borrowed) = self.pick(function, insn, all, operand, class)?;
        self.used = self.used.union(self.isa.registers().units(reg));
        let free = all.iter_mut().find(|place| place.is_none());
        *free.ok_or(Error::Unsupported)? = Some(Passing {
            vreg,
            frame,
            class,
            reg,
            is_read: !operand.is_def() && !operand.flags().contains(OperandFlags::UNDEF),
            is_written: operand.is_def(),
            is_borrowed,
        });
        Ok(())
    }

    /// A register for a virtual register to pass through; whether it is borrowed.
    fn pick(
        &self,
        function: &Function<'_>,
        insn: InsnId,
        all: &[Option<Passing>; MOST],
        operand: Operand,
        class: ClassId,
    ) -> Result<(Reg, bool), Error> {
        let registers = self.isa.registers();
        let row = registers.class(class);
        let scratch = match row.bank {
            Bank::General => registers.scratch_general,
            Bank::Floating => registers.scratch_floating,
        };
        // Classes may have parts of the scratch registers.
        let is_same = |a: Reg, b: Reg| a == b || registers.units(a).overlaps(registers.units(b));
        let taken = |reg: &Reg| {
            let mut all = all.iter().flatten();
            all.any(|passing| is_same(passing.reg, *reg))
        };
        let named = |reg: Reg| {
            let mut operands = function.operands(insn).iter();
            operands.any(|other| {
                other.vreg().is_none() && other.as_reg().is_some_and(|other| is_same(other, reg))
            })
        };
        let mut free = scratch.iter().filter(|reg| !taken(reg) && !named(**reg));
        if let Some(&reg) = free.next() {
            return Ok((registers.part(reg, row.part), false));
        }
        let early = operand.flags().contains(OperandFlags::EARLY_CLOBBER);
        if operand.is_def() && !early {
            let read_only = all.iter().flatten().find(|passing| {
                let is_scratch = scratch.iter().any(|&reg| is_same(reg, passing.reg));
                !passing.is_written && is_scratch && !passing.is_borrowed
            });
            if let Some(passing) = read_only {
                let reg = scratch.iter().find(|&&reg| is_same(reg, passing.reg));
                let reg = reg.copied().unwrap_or(passing.reg);
                return Ok((registers.part(reg, row.part), false));
            }
        }
        let mentioned = |reg: Reg| {
            let units = registers.units(reg);
            function.operands(insn).iter().any(|other| {
                let other = match other.vreg().map(|vreg| self.home(vreg)) {
                    Some(Home::Register(home)) => home,
                    Some(_) => return false,
                    None => other.as_reg().unwrap_or(Reg::NONE),
                };
                registers.units(other).overlaps(units)
            })
        };
        let mut order = row.order.iter().map(|&row| Reg::physical(row));
        let reg = order.find(|reg| {
            let units = registers.units(*reg);
            !taken(reg) && !mentioned(*reg) && !function.reserved.overlaps(units)
        });
        reg.map(|reg| (reg, true)).ok_or(Error::Unsupported)
    }

    /// Writes loads before and stores behind an instruction.
    fn pass(
        &mut self,
        function: &mut Function<'_>,
        insn: InsnId,
        all: &[Option<Passing>; MOST],
    ) -> Result<(), Error> {
        let isa = self.isa;
        let block = function.insn(insn).block();
        let next = function.insn(insn).next();
        for (number, passing) in all.iter().flatten().enumerate() {
            if passing.is_borrowed {
                let frame = self.emergency(function, number)?;
                let mut out = Emitter::new(function, isa, block, Some(insn));
                isa.spill(&mut out, passing.reg, passing.class, frame)?;
            }
            if passing.is_read {
                let mut out = Emitter::new(function, isa, block, Some(insn));
                isa.reload(&mut out, passing.reg, passing.class, passing.frame)?;
            }
        }
        for passing in all.iter().flatten().filter(|passing| passing.is_written) {
            let mut out = Emitter::new(function, isa, block, next);
            isa.spill(&mut out, passing.reg, passing.class, passing.frame)?;
        }
        for (number, passing) in all.iter().flatten().enumerate() {
            if passing.is_borrowed {
                let frame = self.emergency(function, number)?;
                let mut out = Emitter::new(function, isa, block, next);
                isa.reload(&mut out, passing.reg, passing.class, frame)?;
            }
        }
        Ok(())
    }

    fn emergency(&mut self, function: &mut Function<'_>, number: usize) -> Result<FrameId, Error> {
        let Some(place) = self.emergency.get_mut(number) else {
            return Err(Error::Unsupported);
        };
        match *place {
            Some(frame) => Ok(frame),
            None => {
                let frame = function.add_local(16, 16)?;
                *place = Some(frame);
                Ok(frame)
            }
        }
    }

    /// A copy becomes a move, a load, a store, both, or nothing.
    fn copy(&mut self, function: &mut Function<'_>, insn: InsnId) -> Result<(), Error> {
        let &[to, from] = function.operands(insn) else {
            return Err(Error::Unsupported);
        };
        let (isa, block) = (self.isa, function.insn(insn).block());
        let class = [to, from].into_iter().find_map(Operand::vreg);
        let class = class.map_or(ClassId(0), |vreg| function.vreg(vreg).class);
        let row = isa.registers().class(class);
        let scratch = match row.bank {
            Bank::General => isa.registers().scratch_general.first(),
            Bank::Floating => isa.registers().scratch_floating.first(),
        };
        let scratch = isa
            .registers()
            .part(scratch.copied().unwrap_or(Reg::NONE), row.part);
        let (to, from) = (self.side(to), self.side(from));
        let changed = match (to, from) {
            (Home::Register(to), _) => to,
            (_, Home::Register(_)) => Reg::NONE,
            _ => scratch,
        };
        self.used = self.used.union(isa.registers().units(changed));
        let mut out = Emitter::new(function, isa, block, Some(insn));
        match (to, from) {
            (Home::Register(to), Home::Register(from)) => copy(&mut out, isa, to, from)?,
            (Home::Register(to), Home::Frame(from)) => isa.reload(&mut out, to, class, from)?,
            (Home::Frame(to), Home::Register(from)) => isa.spill(&mut out, from, class, to)?,
            (Home::Frame(to), Home::Frame(from)) if to != from => {
                isa.reload(&mut out, scratch, class, from)?;
                isa.spill(&mut out, scratch, class, to)?;
            }
            _ => {}
        }
        function.remove(insn);
        Ok(())
    }

    /// Where one side of a copy is.
    fn side(&mut self, operand: Operand) -> Home {
        match operand.vreg() {
            Some(vreg) => self.home(vreg),
            None => Home::Register(operand.as_reg().unwrap_or(Reg::NONE)),
        }
    }
}
