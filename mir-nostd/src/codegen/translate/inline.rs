//! Inlining: replaces calls of small functions of the same module by their bodies.
//!
//! The limit is on the callee alone, never on the caller, except for the depth of nested calls and
//! a total per function that keeps the code linear in the input. An inlined instruction keeps its
//! function and number for faults.

use super::tail::Accumulator;
use super::values::no_index;
use super::{Translator, VariableLocation, frame_area_bytes};
use crate::codegen::form::HIGHEST_LEVEL;
use crate::ir::{
    Class, Code, FuncId, InsnId, ItemKind, Label, Operand as IrOperand, Signature, Type,
};
use crate::machine::{BlockId, InlinedCall, Operand, VReg};
use crate::mem::{Entity, Vec};
use crate::target::Argument;
use crate::target::error::Error;
use core::cell::Cell;

/// The calls of functions of the same module that are inlined; none without the feature `level-2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inlining {
    /// None.
    None,
    /// Calls of functions that are hardly larger than the call, as long as the caller stays about
    /// as large as it was.
    Small,
    /// Calls of functions that are not large.
    More,
}

impl Inlining {
    /// Returns the calls that are inlined at a level.
    pub(super) const fn of_level(level: u8) -> Inlining {
        match level {
            0 | 1 => Inlining::None,
            2 => Inlining::Small,
            _ => Inlining::More,
        }
    }

    /// Returns the size of the largest callee of a `call`, in instructions.
    pub(super) const fn call_limit(self) -> usize {
        match self {
            Inlining::None => 0,
            Inlining::Small => 20,
            Inlining::More => 50,
        }
    }

    /// Returns the most instructions of itself that are inlined into a function.
    pub(super) const fn recursion_limit(self) -> usize {
        match self {
            Inlining::None => 0,
            Inlining::Small => 60,
            Inlining::More => 400,
        }
    }

    /// Returns the number of instructions that may be inlined into a function of this size.
    pub(super) fn budget(self, size: usize) -> usize {
        match self {
            Inlining::None => 0,
            Inlining::Small => size / 2 + 60,
            Inlining::More => size.saturating_mul(4).max(LEAST_TOTAL),
        }
    }
}

/// The size of the largest callee of an `inline`, if anything is inlined.
const INLINE_LIMIT: usize = 200;
/// The size of the largest block whose copy an inlined call makes for its callee, in bytes.
const BLOCK_LIMIT: u64 = 64;
/// The greatest depth of nested inlined calls.
pub(crate) const DEPTH: usize = 6;
/// The number of instructions that may be inlined into any function, with [`Inlining::More`].
const LEAST_TOTAL: usize = 5_000;

/// The number of callees of which it is kept whether they can be inlined.
pub(super) const KNOWN_CALLEES: usize = 16;

/// The state of the translation of the caller.
pub(super) struct Outer<'f> {
    func: FuncId,
    variables: Vec<'f, VariableLocation>,
    number: u32,
    overflow: Option<VReg>,
    again: Option<BlockId>,
    accumulator: Option<Accumulator>,
    inlined: Option<Inlined<'f>>,
}

/// The continuation of an inlined function.
pub(super) struct Inlined<'f> {
    /// The block after the call.
    join: BlockId,
    /// The registers and frame objects of the results.
    results: Vec<'f, Operand>,
    /// The functions that it is inlined in, the innermost last, from index 0 on.
    callers: [Option<FuncId>; DEPTH],
    /// Its number in sites, if backtraces are wanted.
    pub(super) number: u32,
}

impl<'f> Translator<'_, 'f, '_, '_> {
    /// Returns whether calls may be inlined. Without the features of the levels that ask for it,
    /// this is constant, so that the code is left out.
    pub(super) fn inlines(&self) -> bool {
        HIGHEST_LEVEL >= 2 && self.inlining != Inlining::None
    }

    /// Returns the function with a body that can replace this call.
    pub(super) fn inlinable(&self, insn: InsnId, signature: &Signature) -> Option<FuncId> {
        if !self.inlines() {
            return None;
        }
        let module = self.module;
        let IrOperand::Item(item) = module.operand(insn, 1)? else {
            return None;
        };
        let ItemKind::Func(callee) = module.item(module.resolve(item)).kind else {
            return None;
        };
        let limit = match module.code(insn) {
            Code::Inline => INLINE_LIMIT,
            _ => self.inlining.call_limit(),
        };
        let size = module.func(callee).insn_count();
        let callers = self.inlined.as_ref().map(|inlined| inlined.callers);
        let callers = callers.unwrap_or([None; DEPTH]);
        let callers = callers.iter().flatten();
        let depth = callers.clone().filter(|&&caller| caller == callee).count()
            + usize::from(self.func == callee);
        let deepest = match callee == self.caller {
            true => self.recursion,
            false => 0,
        };
        let is_fine = size <= limit
            && size <= self.inline_budget
            && depth <= deepest
            && callers.count() < DEPTH
            && self.agrees(signature, callee)
            && self.is_simple(callee);
        is_fine.then_some(callee)
    }

    /// Returns whether a prototype passes the arguments that the function takes, none of them as a
    /// large copied block.
    pub(super) fn agrees(&self, proto: &Signature, callee: FuncId) -> bool {
        let module = self.module;
        let own = &module.func(callee).signature;
        let abi = &self.isa.target().abi;
        let (results, own_results) = (module.results(proto), module.results(own));
        let (args, own_args) = (module.args(proto), module.args(own));
        let is_small = |arg: Argument| !arg.is_copied() || arg.size <= BLOCK_LIMIT;
        !proto.is_vararg()
            && !own.is_vararg()
            && results.len() == own_results.len()
            && args.len() == own_args.len()
            && { results.iter() }
                .zip(own_results)
                .all(|(&ty, &own)| abi.returns_alike(own, ty))
            && { args.iter() }.zip(own_args).all(|(&arg, &own)| {
                abi.passes_alike(arg.into(), own.into()) && is_small(own.into())
            })
    }

    /// Returns whether a function does nothing that needs a frame of its own, and calls itself only
    /// if it is the function that is compiled. The answers for the last callees are kept, as most
    /// functions call few.
    pub(super) fn is_simple(&self, callee: FuncId) -> bool {
        let known = self.simple.get(callee.index() % KNOWN_CALLEES);
        if let Some((known, is_simple)) = known.and_then(Cell::get)
            && known == callee
        {
            return is_simple;
        }
        let is_simple = self.has_simple_body(callee);
        if let Some(known) = known {
            known.set(Some((callee, is_simple)));
        }
        is_simple
    }

    fn has_simple_body(&self, callee: FuncId) -> bool {
        let module = self.module;
        if self.jumps_back(callee) || self.asks_for_return_address(callee) {
            return false;
        }
        let mut is_start = true;
        for insn in module.insns(callee) {
            let code = module.code(insn);
            match code {
                Code::Laddr | Code::Jmpi | Code::Jcall | Code::Jret | Code::Bstart | Code::Bend => {
                    return false;
                }
                Code::Alloca if !(is_start && self.is_frame_area(callee, insn)) => return false,
                _ if code.is_call()
                    && (module.is_tail_call(callee, insn)
                        || (callee != self.caller && self.calls(insn, callee))) =>
                {
                    return false;
                }
                _ => {}
            }
            is_start &= code != Code::Label && code.flags().is_empty();
        }
        module.lrefs(callee).next().is_none()
    }

    pub(super) fn calls(&self, insn: InsnId, callee: FuncId) -> bool {
        let Some(IrOperand::Item(item)) = self.module.operand(insn, 1) else {
            return false;
        };
        let item = self.module.item(self.module.resolve(item));
        item.kind == ItemKind::Func(callee)
    }

    /// Returns whether an `alloca` becomes a frame object: its size is a constant and its result is
    /// written once.
    fn is_frame_area(&self, callee: FuncId, alloca: InsnId) -> bool {
        let module = self.module;
        let (Some(IrOperand::Reg(reg)), Some(size)) =
            (module.operand(alloca, 0), module.operand(alloca, 1))
        else {
            return false;
        };
        let is_written = |insn: InsnId| {
            let code = module.code(insn);
            let results = match code.is_call() {
                true => 2..2 + self.result_count(insn),
                false => 0..0,
            };
            let mut operands = module.operands(insn).enumerate();
            operands.any(|(number, operand)| {
                let is_output = code.mode(number).is_output() || results.contains(&number);
                let is_addressed =
                    matches!(code, Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32);
                operand == IrOperand::Reg(reg) && (is_output || is_addressed)
            })
        };
        let is_argument = reg.index() < module.func(callee).arg_count();
        let others = module.insns(callee).filter(|&insn| insn != alloca);
        !is_argument
            && frame_area_bytes(size).is_some()
            && module.func(callee).registers()[reg.index()]
                .hard_reg
                .is_none()
            && !{ others }.any(is_written)
    }

    /// Replaces a call by the body of `callee`.
    pub(super) fn inline_call(
        &mut self,
        insn: InsnId,
        signature: &Signature,
        callee: FuncId,
    ) -> Result<(), Error> {
        let module = self.module;
        let values = self.inline_arguments(insn, signature)?;
        let results = self.inline_results(module.results(signature))?;
        let taken = Vec::from_slice(self.function.allocator(), &results)?;
        let join = self.function.add_block()?;
        // Arguments count as well, as each takes a few instructions.
        let size = module.func(callee).insn_count();
        let size = size.max(module.operands(insn).count());
        self.inline_budget = self.inline_budget.saturating_sub(size);
        let number = self.note_inlined(callee)?;
        let labels = self.labels_in_use(callee)?;
        let outer = self.go_into(callee, join, results, number);
        self.prepare()?;
        for (number, arg) in module
            .args(&module.func(callee).signature)
            .iter()
            .enumerate()
        {
            let (Some(&place), Some(&value)) = (self.variables.get(number), values.get(number))
            else {
                return Err(self.internal());
            };
            match (place, arg.ty) {
                (VariableLocation::Memory(frame), Type::Ld) => {
                    let to = no_index(Operand::frame(frame), 0);
                    self.copy_bytes(to, no_index(value, 0), 16)?;
                }
                _ => self.set_variable(place, arg.ty, value)?,
            }
        }
        if callee == self.caller && outer.again.is_some() {
            self.begin_again(outer.accumulator.map(|accumulator| accumulator.generic))?;
        }
        self.insns_of_function()?;
        self.use_labels(&labels);
        self.come_back(outer);
        self.start(join)?;
        self.give_out_results(insn, module.results(signature), &taken, false)
    }

    /// Returns the values of the arguments of a call; that of a block is the address of a copy,
    /// which the callee may change.
    pub(super) fn inline_arguments(
        &mut self,
        insn: InsnId,
        signature: &Signature,
    ) -> Result<Vec<'f, Operand>, Error> {
        let module = self.module;
        let mut values = Vec::new(self.function.allocator());
        let first = 2 + module.results(signature).len();
        for (operand, arg) in module
            .operands(insn)
            .skip(first)
            .zip(module.args(signature))
        {
            let argument = Argument::from(*arg);
            let value = self.argument_value(operand, argument)?;
            values.push(if argument.is_copied() {
                self.copied_block(value, argument.size)?
            } else {
                value
            })?;
        }
        Ok(values)
    }

    /// Copies a block to the frame. Returns the address of the copy.
    fn copied_block(&mut self, from: Operand, size: u64) -> Result<Operand, Error> {
        let bytes = u32::try_from(size).map_err(|_| Error::TooLarge)?;
        let copy = self.function.add_local(bytes.max(1), 16)?;
        let to = no_index(Operand::frame(copy), 0);
        self.copy_bytes(to, no_index(from, 0), bytes)?;
        self.frame_address(copy, 0)
    }

    /// Returns registers and frame objects for the results of an inlined function.
    fn inline_results(&mut self, types: &[Type]) -> Result<Vec<'f, Operand>, Error> {
        let mut results = Vec::new(self.function.allocator());
        for &ty in types {
            let place = if ty.class() == Class::LongDouble {
                Operand::frame(self.function.add_local(16, 16)?)
            } else {
                let (bank, low) = super::bank_and_type(ty);
                self.vreg(bank, low)?.into()
            };
            results.push(place)?;
        }
        Ok(results)
    }

    /// Returns the blocks of the labels of a function that is being translated and is about to be
    /// inlined, which takes others.
    fn labels_in_use(&self, callee: FuncId) -> Result<Vec<'f, (Label, BlockId)>, Error> {
        let mut labels = Vec::new(self.function.allocator());
        if callee == self.caller {
            let module = self.module;
            for label in module
                .insns(callee)
                .filter_map(|insn| module.label_of(insn))
            {
                labels.push((label, self.label(label)))?;
            }
        }
        Ok(labels)
    }

    fn use_labels(&mut self, labels: &[(Label, BlockId)]) {
        for &(label, block) in labels {
            if let Some(place) = self.labels.blocks.get_mut(label.index()) {
                *place = block;
            }
        }
    }

    /// Notes that the current instruction, a call, is replaced; returns the number in sites of
    /// what replaces it.
    fn note_inlined(&mut self, func: FuncId) -> Result<u32, Error> {
        if self.settings.execution.traces || self.settings.execution.lines {
            let site = self.site();
            self.function.inlined.push(InlinedCall { func, site })?;
        }
        Ok(self.function.inlined.len() as u32)
    }

    fn go_into(
        &mut self,
        callee: FuncId,
        join: BlockId,
        results: Vec<'f, Operand>,
        number: u32,
    ) -> Outer<'f> {
        let empty = Vec::new(self.function.allocator());
        let mut callers = match &self.inlined {
            Some(inlined) => inlined.callers,
            None => [None; DEPTH],
        };
        if let Some(place) = callers.iter_mut().find(|place| place.is_none()) {
            *place = Some(self.func);
        }
        let inlined = Inlined {
            join,
            results,
            callers,
            number,
        };
        let outer = Outer {
            func: self.func,
            variables: core::mem::replace(&mut self.variables, empty),
            number: self.number,
            overflow: self.overflow.take(),
            again: self.again.take(),
            accumulator: self.accumulator.take(),
            inlined: self.inlined.replace(inlined),
        };
        (self.func, self.number) = (callee, 0);
        outer
    }

    fn come_back(&mut self, outer: Outer<'f>) {
        self.func = outer.func;
        self.variables = outer.variables;
        self.number = outer.number;
        self.overflow = outer.overflow;
        self.again = outer.again;
        self.accumulator = outer.accumulator;
        self.inlined = outer.inlined;
        self.function.origins.place_at(self.site());
    }

    /// Translates the `ret` of an inlined function.
    pub(super) fn return_inlined(&mut self, values: &[Operand]) -> Result<(), Error> {
        for (number, &value) in values.iter().enumerate() {
            let results = self.inlined.as_ref().map(|inlined| &inlined.results);
            let Some(&to) = results.and_then(|results| results.get(number)) else {
                return Err(self.internal());
            };
            if to.as_frame().is_some() {
                self.copy_bytes(no_index(to, 0), no_index(value, 0), 16)?;
            } else {
                self.set(to, value)?;
            }
        }
        match self.inlined.as_ref().map(|inlined| inlined.join) {
            Some(join) => self.branch(join),
            None => Err(self.internal()),
        }
    }
}
