//! Rewriting after allocation: replaces virtual registers by their assignments. Registers are put
//! in directly; spilled values are reloaded before and stored after the instruction. Copies become
//! moves, reloads, spills, or nothing.

use crate::codegen::analysis::properties;
use crate::codegen::regalloc::assignment::{Assignment, Assignments, copy};
use crate::codegen::regalloc::rematerialise::{make_again, put};
use crate::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LayoutCursor, Operand, OperandFlags, Reg, UnitSet,
    VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::emitter::Emitter;
use crate::target::error::{Error, Phase};
use crate::target::{InsnFlags, Isa, RegisterFile};

/// The most virtual registers without a register that one instruction can have.
const MOST: usize = 8;

/// A virtual register without a register, which passes through a scratch register at one
/// instruction.
#[derive(Clone, Copy)]
struct Passing {
    vreg: VReg,
    assignment: Assignment,
    class: ClassId,
    reg: Reg,
    is_read: bool,
    is_written: bool,
    /// True if the register holds another value, which must be saved around the instruction.
    is_borrowed: bool,
}

/// The virtual registers that pass through scratch registers at one instruction.
type Passings = heapless::Vec<Passing, MOST>;

/// A rematerialised instruction and the original that it repeats.
pub(crate) type Repeated = (InsnId, InsnId);

/// Rewrites the function. Returns the units of all registers that are used, with `used` being those
/// of the assignments, and the rematerialised instructions with their originals, ascending.
pub(crate) fn rewrite<'m>(
    function: &mut Function<'m>,
    isa: &dyn Isa,
    assignments: &Assignments<'_>,
    used: UnitSet,
) -> Result<(UnitSet, Vec<'m, Repeated>), Error> {
    let mut rewriter = Rewriter {
        isa,
        registers: isa.registers(),
        assignments,
        used,
        emergency: [None; MOST],
        repeated: Vec::new(function.allocator()),
        repeats: assignments
            .iter()
            .any(|assignment| matches!(assignment, Assignment::Rematerialised(_))),
    };
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if function.insn(insn).opcode.generic() == Some(Generic::Copy) {
                rewriter.copy(function, insn)?;
            } else if rewriter.repeats && rewriter.is_repeated(function, insn) {
                function.remove(insn);
            } else if !rewriter.assign(function, insn) {
                rewriter.pass_all(function, insn)?;
            }
        }
    }
    Ok((rewriter.used, rewriter.repeated))
}

struct Rewriter<'a, 'h, 'm> {
    isa: &'a dyn Isa,
    registers: &'static RegisterFile,
    assignments: &'a Assignments<'h>,
    used: UnitSet,
    /// The frame objects that borrowed registers are saved in.
    emergency: [Option<FrameId>; MOST],
    repeated: Vec<'m, Repeated>,
    /// True if any assignment is [`Assignment::Rematerialised`].
    repeats: bool,
}

impl Rewriter<'_, '_, '_> {
    fn assignment(&self, vreg: VReg) -> Assignment {
        self.assignments
            .get(vreg.index())
            .copied()
            .unwrap_or(Assignment::None)
    }

    /// Returns whether an instruction is rematerialised wherever its result is read, so that the
    /// original is not needed.
    fn is_repeated(&self, function: &Function<'_>, insn: InsnId) -> bool {
        let result = function.operands(insn).first();
        let result = result.filter(|result| result.is_def());
        let assignment = result.and_then(|result| result.vreg());
        assignment.is_some_and(|vreg| self.assignment(vreg) == Assignment::Rematerialised(insn))
    }

    /// Rematerialises an instruction into register `to`, before another one.
    fn repeat(
        &mut self,
        function: &mut Function<'_>,
        insn: InsnId,
        to: Reg,
        before: InsnId,
    ) -> Result<(), Error> {
        let new = make_again(function, self.registers, insn, to, before)?;
        Ok(self.repeated.push((new, insn))?)
    }

    /// Replaces the virtual registers that have a register by it. Returns whether all have one.
    fn assign(&mut self, function: &mut Function<'_>, insn: InsnId) -> bool {
        let mut is_done = true;
        for operand in function.operands_mut(insn) {
            let Some(reg) = operand.as_reg() else {
                continue;
            };
            let Some(vreg) = reg.vreg() else {
                if operand.is_def() {
                    self.used = self.used.union(self.registers.units(reg));
                }
                continue;
            };
            match self.assignment(vreg) {
                Assignment::Register(reg) => put(self.registers, operand, reg),
                _ => is_done = false,
            }
        }
        is_done
    }

    /// Passes the virtual registers of an instruction that have no register through scratch
    /// registers.
    fn pass_all(&mut self, function: &mut Function<'_>, insn: InsnId) -> Result<(), Error> {
        let all = self.find_passing(function, insn)?;
        for operand in function.operands_mut(insn) {
            if let Some(vreg) = operand.vreg() {
                let passing = all.iter().find(|passing| passing.vreg == vreg);
                let reg = passing.map_or(Reg::NONE, |passing| passing.reg);
                put(self.registers, operand, reg);
            }
        }
        self.pass(function, insn, &all)
    }

    /// Returns the virtual registers of an instruction that have no register, with the registers to
    /// pass through.
    fn find_passing(&mut self, function: &Function<'_>, insn: InsnId) -> Result<Passings, Error> {
        let mut all = Passings::new();
        let operands = function.operands(insn);
        // Reads come first: a register that is only written may be one that is only read.
        for is_def in [false, true] {
            for &operand in operands.iter().filter(|operand| operand.is_def() == is_def) {
                let Some(vreg) = operand.vreg() else {
                    continue;
                };
                let assignment = self.assignment(vreg);
                if matches!(
                    assignment,
                    Assignment::Frame(_) | Assignment::Rematerialised(_)
                ) {
                    self.add_passing(function, insn, &mut all, operand, (vreg, assignment))?;
                }
            }
        }
        Ok(all)
    }

    fn add_passing(
        &mut self,
        function: &Function<'_>,
        insn: InsnId,
        all: &mut Passings,
        operand: Operand,
        (vreg, assignment): (VReg, Assignment),
    ) -> Result<(), Error> {
        let is_written = operand.is_def();
        let is_read = !is_written && !operand.flags().contains(OperandFlags::UNDEF);
        let class = function.vreg(vreg).class;
        let is_early = operand.flags().contains(OperandFlags::EARLY_CLOBBER);
        // Virtual registers with the same place were coalesced, and have the same value where the
        // instruction reads it.
        let known = all.iter_mut().find(|known| {
            let is_same_place = known.assignment == assignment && known.class == class;
            known.vreg == vreg || is_same_place && !is_early
        });
        let mut passing = Passing {
            vreg,
            assignment,
            class,
            reg: Reg::NONE,
            is_read,
            is_written,
            is_borrowed: false,
        };
        if let Some(known) = known {
            known.is_written |= is_written;
            known.is_read |= is_read;
            if known.vreg == vreg {
                return Ok(());
            }
            // The register is loaded and stored for the first one.
            (passing.is_read, passing.is_written) = (false, false);
            passing.reg = known.reg;
        } else {
            (passing.reg, passing.is_borrowed) = self.pick(function, insn, all, operand, class)?;
            self.used = self.used.union(self.registers.units(passing.reg));
        }
        all.push(passing)
            .map_err(|_| Phase::Allocation.internal(None))
    }

    /// Returns a register for a virtual register to pass through, and whether it is borrowed.
    fn pick(
        &self,
        function: &Function<'_>,
        insn: InsnId,
        all: &[Passing],
        operand: Operand,
        class: ClassId,
    ) -> Result<(Reg, bool), Error> {
        let registers = self.registers;
        let row = registers.class(class);
        let scratch = registers.scratch(row.bank);
        // Classes may consist of parts of the scratch registers.
        let is_same = |a: Reg, b: Reg| a == b || registers.units(a).overlaps(registers.units(b));
        let taken = |reg: &Reg| all.iter().any(|passing| is_same(passing.reg, *reg));
        let named = |reg: Reg| {
            let mut operands = function.operands(insn).iter();
            operands.any(|other| {
                other.vreg().is_none() && other.as_reg().is_some_and(|other| is_same(other, reg))
            })
        };
        // An instruction that becomes several blocks keeps its operands from one to the next.
        let flags = properties::flags(self.isa, function.insn(insn));
        let is_split = flags.contains(InsnFlags::SPLITS);
        let reserved = |reg: Reg| function.reserved.overlaps(registers.units(reg));
        let kept = |reg: Reg| !is_split || !reserved(reg);
        let is_free = |reg: Reg| !taken(&reg) && !named(reg) && kept(reg);
        let mut free = scratch.iter().filter(|reg| is_free(**reg));
        if let Some(&reg) = free.next() {
            return Ok((registers.part(reg, row.part), false));
        }
        let early = operand.flags().contains(OperandFlags::EARLY_CLOBBER);
        if operand.is_def() && !early {
            let read_only = all.iter().find(|passing| {
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
                let other = match other.vreg().map(|vreg| self.assignment(vreg)) {
                    Some(Assignment::Register(assignment)) => assignment,
                    Some(_) => return false,
                    None => other.as_reg().unwrap_or(Reg::NONE),
                };
                registers.units(other).overlaps(units)
            })
        };
        let mut order = row.order.iter().map(|&row| Reg::physical(row));
        let reg = order.find(|reg| !taken(reg) && !mentioned(*reg) && !reserved(*reg));
        // Global variables of the module may be tied to all others.
        reg.map(|reg| (reg, true)).ok_or(Error::Unsupported)
    }

    /// Inserts reloads before and spills after an instruction.
    fn pass(
        &mut self,
        function: &mut Function<'_>,
        insn: InsnId,
        all: &[Passing],
    ) -> Result<(), Error> {
        let isa = self.isa;
        let block = function.insn(insn).block();
        let next = function.insn(insn).next();
        for (number, passing) in all.iter().enumerate() {
            if passing.is_borrowed {
                let frame = self.emergency(function, number)?;
                let mut out = Emitter::new(function, isa, block, Some(insn));
                isa.spill(&mut out, passing.reg, passing.class, frame)?;
            }
            match passing.assignment {
                Assignment::Frame(frame) if passing.is_read => {
                    let mut out = Emitter::new(function, isa, block, Some(insn));
                    isa.reload(&mut out, passing.reg, passing.class, frame)?;
                }
                Assignment::Rematerialised(maker) if passing.is_read => {
                    let reg = passing.reg;
                    self.repeat(function, maker, reg, insn)?;
                }
                _ => {}
            }
        }
        for passing in all.iter().filter(|passing| passing.is_written) {
            if let Assignment::Frame(frame) = passing.assignment {
                let mut out = Emitter::new(function, isa, block, next);
                isa.spill(&mut out, passing.reg, passing.class, frame)?;
            }
        }
        for (number, passing) in all.iter().enumerate() {
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
            return Err(Phase::Allocation.internal(None));
        };
        match *place {
            Some(frame) => Ok(frame),
            None => {
                let frame = function.add_spill_slot(16, 16)?;
                *place = Some(frame);
                Ok(frame)
            }
        }
    }

    /// Replaces a copy by a move, a reload, a spill, both of these, or nothing.
    fn copy(&mut self, function: &mut Function<'_>, insn: InsnId) -> Result<(), Error> {
        let &[to, from] = function.operands(insn) else {
            return Err(Phase::Allocation.internal(Some(insn)));
        };
        let sides = (self.side(to), self.side(from));
        if let (Assignment::Register(to), Assignment::Register(from)) = sides
            && to == from
        {
            self.used = self.used.union(self.registers.units(to));
            function.remove(insn);
            return Ok(());
        }
        let (isa, block) = (self.isa, function.insn(insn).block());
        let class = [to, from].into_iter().find_map(Operand::vreg);
        let class = class.map_or(ClassId(0), |vreg| function.vreg(vreg).class);
        let (to, from) = sides;
        let scratch = match (to, from) {
            (Assignment::Frame(_), Assignment::Frame(_) | Assignment::Rematerialised(_)) => {
                self.scratch(class)
            }
            _ => Reg::NONE,
        };
        let changed = match to {
            Assignment::Register(to) => to,
            _ => scratch,
        };
        self.used = self.used.union(self.registers.units(changed));
        if let (Assignment::Register(_) | Assignment::Frame(_), Assignment::Rematerialised(maker)) =
            (to, from)
        {
            self.repeat(function, maker, changed, insn)?;
        }
        let mut out = Emitter::new(function, isa, block, Some(insn));
        match (to, from) {
            (Assignment::Register(to), Assignment::Register(from)) => {
                copy(&mut out, isa, to, from)?;
            }
            (Assignment::Register(to), Assignment::Frame(from)) => {
                isa.reload(&mut out, to, class, from)?;
            }
            (Assignment::Frame(to), Assignment::Register(from)) => {
                isa.spill(&mut out, from, class, to)?;
            }
            (Assignment::Frame(to), Assignment::Rematerialised(_)) => {
                isa.spill(&mut out, scratch, class, to)?;
            }
            (Assignment::Frame(to), Assignment::Frame(from)) if to != from => {
                isa.reload(&mut out, scratch, class, from)?;
                isa.spill(&mut out, scratch, class, to)?;
            }
            _ => {}
        }
        function.remove(insn);
        Ok(())
    }

    /// Returns the scratch register for copies of a class from frame object to frame object.
    fn scratch(&self, class: ClassId) -> Reg {
        let row = self.registers.class(class);
        let scratch = self.registers.scratch(row.bank).first();
        let scratch = scratch.copied().unwrap_or(Reg::NONE);
        self.registers.part(scratch, row.part)
    }

    /// Returns the location of one side of a copy.
    fn side(&self, operand: Operand) -> Assignment {
        match operand.vreg() {
            Some(vreg) => self.assignment(vreg),
            None => Assignment::Register(operand.as_reg().unwrap_or(Reg::NONE)),
        }
    }
}
