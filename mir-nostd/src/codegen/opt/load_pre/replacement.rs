//! The replacement of a load by a variable, which the accesses that provide its value write.

use super::places::{Base, MOST_ADDED, Place};
use super::{Edge, Event, Kinds, MOST_INSERTED_OF_ALL, MOST_VARIABLES, Search, Variable, Walked};
use crate::codegen::analysis::phis::first_terminator;
use crate::machine::{BlockId, Function, Generic, InsnId, LowType, Operand, OperandFlags, VReg};
use crate::target::AddressForm;
use crate::target::error::{Error, Phase};

impl<'m> Search<'_, 'm> {
    /// Replaces a load by a variable, which the accesses that provide its value write, and loads
    /// at the ends of `edges`.
    pub(super) fn write(
        &mut self,
        function: &mut Function<'m>,
        number: u32,
        edges: &[Edge],
    ) -> Result<(), Error> {
        let load = self.events[number as usize];
        let target = function.insn(load.insn).block();
        let (Some(&to), Some(place)) = (function.operands(load.insn).first(), load.place) else {
            return Ok(());
        };
        let Some(variable) = self.name_values(function, &load, &place)? else {
            return Ok(());
        };
        let is_narrow = self.copy_values(function, number)?;
        self.carry_values(function, target, variable)?;
        for edge in edges {
            let walked = self.walked_at(edge.to).filter(|_| edge.to != target);
            let (block, variable) = (edge.block, walked.map_or(variable, |to| to.variable));
            if !self.inserted.contains(&(block, variable)) {
                let written = Operand::from(variable).with(OperandFlags::DEF);
                let [base, index, scale, disp] = self.address(function, load.insn, edge)?;
                let operands = [written, base, index, scale, disp];
                let before = first_terminator(function, block);
                function.insert(block, before, load.opcode, load.ty, &operands)?;
                self.inserted.push((block, variable))?;
            }
        }
        let value = Operand::from(variable);
        let extension = match load.kind() {
            Kinds::SIGNED if is_narrow => Some(Generic::SextInreg),
            Kinds::UNSIGNED if is_narrow => Some(Generic::ZextInreg),
            _ => None,
        };
        match extension {
            Some(extension) => {
                let bits = Operand::imm(load.ty.bits() as i32);
                function.replace(load.insn, extension, LowType::S64, &[to, value, bits])?;
            }
            None => function.replace(load.insn, Generic::Copy, LowType::S64, &[to, value])?,
        }
        let is_carried = self.is_carried;
        let event = &mut self.events[number as usize];
        if !is_carried {
            event.copied |= load.kind();
        }
        event.is_narrow = extension.is_some() && !is_carried;
        event.was_carried = is_carried;
        Ok(())
    }

    /// Finds the variable for the value of a load in each block that was looked at. Returns that of
    /// the load itself; `None` if there would be too many.
    fn name_values(
        &mut self,
        function: &mut Function<'m>,
        load: &Event,
        place: &Place,
    ) -> Result<Option<VReg>, Error> {
        self.names.clear();
        for slot in 0..self.walked.len() {
            let Walked {
                place, is_reached, ..
            } = self.walked[slot];
            if !is_reached {
                continue;
            }
            match self.variable(function, load, &place)? {
                Some(variable) => self.walked[slot].variable = variable,
                None => return Ok(None),
            }
        }
        self.variable(function, load, place)
    }

    /// Copies the value from one variable to the next where its place gets another name.
    fn carry_values(
        &mut self,
        function: &mut Function<'m>,
        target: BlockId,
        variable: VReg,
    ) -> Result<(), Error> {
        if !self.is_carried {
            return Ok(());
        }
        for slot in 0..=self.walked.len() {
            let (to, variable) = match self.walked.get(slot) {
                Some(walked) if walked.is_passed && walked.is_reached => {
                    (walked.block, walked.variable)
                }
                Some(_) => continue,
                None => (target, variable),
            };
            for &from in self.flow.edges.predecessors(to) {
                let walked = self.walked_at(from).filter(|walked| walked.is_reached);
                let Some(value) = walked.map(|walked| walked.variable) else {
                    continue;
                };
                if value != variable {
                    let before = first_terminator(function, from);
                    let to = Operand::from(variable).with(OperandFlags::DEF);
                    let operands = [to, value.into()];
                    let copy = Generic::Copy.into();
                    function.insert(from, before, copy, LowType::S64, &operands)?;
                }
            }
        }
        Ok(())
    }

    /// Copies the values of the accesses that provide that of a load to its variables. Returns
    /// whether its upper bits are not always extended as the load does.
    fn copy_values(&mut self, function: &mut Function<'m>, number: u32) -> Result<bool, Error> {
        let load = self.events[number as usize];
        let mut is_narrow = false;
        for slot in 0..self.walked.len() {
            let Walked {
                event, variable, ..
            } = self.walked[slot];
            let Some(event) = event else {
                continue;
            };
            let provider = &mut self.events[event as usize];
            is_narrow |= provider.is_narrow || provider.opcode != load.opcode;
            if !self.is_carried {
                if provider.copied.contains(load.kind()) || event == number {
                    continue;
                }
                provider.copied |= load.kind();
            }
            let insn = provider.insn;
            let value = function.operands(insn).first().copied();
            let value = value.unwrap_or(Operand::NO_REG).without(OperandFlags::DEF);
            let generic = match value.vreg() {
                Some(_) => Generic::Copy,
                None => Generic::Constant,
            };
            let (block, next) = (function.insn(insn).block(), function.insn(insn).next());
            let operands = [Operand::from(variable).with(OperandFlags::DEF), value];
            function.insert(block, next, generic.into(), LowType::S64, &operands)?;
        }
        Ok(is_narrow)
    }

    /// Returns the variable for the value of a load where its place has this name.
    fn variable(
        &mut self,
        function: &mut Function<'m>,
        load: &Event,
        place: &Place,
    ) -> Result<Option<VReg>, Error> {
        let to = function.operands(load.insn).first();
        let Some(result) = to.and_then(|to| to.vreg()) else {
            return Ok(None);
        };
        let (info, kind) = (function.vreg(result), load.kind());
        let is_it = |known: &&Variable| {
            (&known.place, known.kind) == (place, kind) && function.vreg(known.vreg) == info
        };
        let known = if self.is_carried {
            self.names.iter().find(is_it)
        } else {
            self.variables.iter().find(is_it)
        };
        if let Some(known) = known {
            return Ok(Some(known.vreg));
        }
        let count = self.variables.len() + self.carried;
        if count == MOST_VARIABLES || self.inserted.len() > MOST_INSERTED_OF_ALL {
            return Ok(None);
        }
        let vreg = function.add_vreg(info)?;
        let variable = Variable {
            place: *place,
            kind,
            vreg,
        };
        if self.is_carried {
            self.carried += 1;
            self.names.push(variable)?;
        } else {
            self.variables.push(variable)?;
        }
        Ok(Some(vreg))
    }

    /// Returns the operands of the address of a load at the end of an edge's block: the address of
    /// data is computed there.
    fn address(
        &self,
        function: &mut Function<'m>,
        load: InsnId,
        edge: &Edge,
    ) -> Result<[Operand; 4], Error> {
        let place = &edge.place;
        let base = match (place.base, self.global(function, load, edge)) {
            (Base::Register(vreg), _) => vreg.into(),
            (Base::Frame(frame), _) => Operand::frame(frame),
            (_, Some(global)) => self.rematerialise(function, edge.block, global)?,
            _ => return Err(Phase::Optimisation.internal(Some(load))),
        };
        let index = place.index.map_or(Operand::NO_REG, Operand::from);
        let disp = function.int(place.disp)?;
        Ok([base, index, Operand::imm(place.scale), disp])
    }

    /// Returns the register with the address of something outside the function that the base of an
    /// edge's address was added up from, if it was.
    fn global(&self, function: &Function<'_>, load: InsnId, edge: &Edge) -> Option<VReg> {
        let named = function.operands(load).get(1).and_then(|base| base.vreg());
        let mut vreg = edge.base.or(named)?;
        for _ in 0..MOST_ADDED {
            match self.sum(function, vreg) {
                Some((root, _)) => vreg = root,
                None => break,
            }
        }
        self.symbol(function, vreg).map(|_| vreg)
    }

    /// Returns whether a load can name the place at the end of an edge's block.
    pub(super) fn can_name(&self, function: &Function<'_>, load: InsnId, edge: &Edge) -> bool {
        let place = &edge.place;
        let form = AddressForm {
            has_frame: matches!(place.base, Base::Frame(_)),
            has_index: place.index.is_some(),
            scale: place.scale,
            displacement: place.disp,
        };
        let is_known = match place.base {
            Base::Register(_) | Base::Frame(_) => true,
            Base::Symbol(_) | Base::Data(_) => self.global(function, load, edge).is_some(),
            Base::Outgoing => false,
        };
        let ty = function.insn(load).ty;
        is_known && (!form.has_index || self.isa.takes_address(ty, &form))
    }

    /// Computes the address of something outside the function that a register holds again, at the
    /// end of a block.
    fn rematerialise(
        &self,
        function: &mut Function<'m>,
        block: BlockId,
        vreg: VReg,
    ) -> Result<Operand, Error> {
        let Some(insn) = self.definition(vreg) else {
            return Ok(vreg.into());
        };
        let row = *function.insn(insn);
        let &[_, symbol] = function.operands(insn) else {
            return Ok(vreg.into());
        };
        let address = function.add_vreg(function.vreg(vreg))?;
        let to = Operand::from(address).with(OperandFlags::DEF);
        let before = first_terminator(function, block);
        function.insert(block, before, row.opcode, row.ty, &[to, symbol])?;
        Ok(address.into())
    }
}
