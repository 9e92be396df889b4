//! Imports one function: its registers, its frame, its blocks in order.

use super::debug_values::Placed;
use super::exceptions::TryContext;
use super::globals::register_type;
use super::integers::held_of;
use super::parts::{Kind, Part};
use super::results::Returned;
use super::signature::{Arguments, Form, Passed};
use super::tails::last_call;
use super::values::Held;
use super::{Importer, broken, coalesce, plain_name, signed};
use crate::ast::{self, BlockId, Body, DebugValue, Insn, Linkage, LocalId, Op, Value, Weakness};
use crate::error::{Error, Result, SourcePosition};
use crate::lines::{KnownValue, Slot};
use crate::types::{Extent, TypeId};
use mir_nostd::ir::{
    Code, FuncId, InsnId, Label, Mem, Operand, Operands, Position, Reg, SignatureSpec,
    Type as MediumType,
};
use mir_nostd::mem::Entity;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The size up to which a variable in memory has an object of its own, in bytes: what may become
/// registers when the structures around it have been taken apart.
const SMALL_OBJECT: u64 = 64;

/// A function under construction.
pub(super) struct Lower<'i, 's, 'm> {
    pub(super) importer: &'i mut Importer<'s, 'm>,
    pub(super) function: &'s ast::Function,
    pub(super) body: &'s Body,
    pub(super) func: FuncId,
    /// The instruction that is being lowered.
    pub(super) place: SourcePosition,
    /// The parts of each value, by its number.
    pub(super) held: Vec<Option<Vec<Held>>>,
    /// Values that were used before their definition, which must go to the registers reserved for
    /// them.
    pub(super) pinned: HashSet<LocalId>,
    pub(super) labels: Vec<Label>,
    /// The number of uses of each value.
    uses: Vec<u32>,
    /// Comparisons and junctions that are fused into the branch or selection which uses them.
    pub(super) deferred: HashMap<LocalId, &'s Op>,
    /// Addresses that are nothing but loaded from and stored to, or fields of which are.
    pub(super) only_accessed: HashSet<LocalId>,
    /// Variables promoted to registers: `alloca`s that are only loaded and stored.
    pub(super) promoted: HashMap<LocalId, Reg>,
    /// The width above which the bits of an integer register are known to be zero.
    pub(super) zero_above: HashMap<Reg, u32>,
    /// The width from which an integer register is known to be sign-extended.
    pub(super) sign_above: HashMap<Reg, u32>,
    /// Values that are used as signed integers.
    pub(super) used_signed: HashSet<LocalId>,
    /// Values of 32 bits, and promoted variables, that are kept sign-extended.
    pub(super) kept_signed: HashSet<LocalId>,
    /// Registers for the incoming values of PHIs in blocks that indirect jumps reach.
    pub(super) shadows: HashMap<LocalId, Vec<Reg>>,
    /// Registers of PHIs that a `switch` brings values to.
    pub(super) switched: HashSet<Reg>,
    pub(super) returned: Returned,
    /// The address of memory for the result, if it is returned there.
    pub(super) result_address: Option<Reg>,
    /// Stack slots for values that are reinterpreted through memory.
    scratches: Vec<Reg>,
    scratches_in_use: usize,
    /// Memory of the frame, if its address was asked for.
    own_frame: Option<Reg>,
    /// The memory that calls of `invoke`s exchange values by, if there are any.
    pub(super) try_context: Option<TryContext>,
    /// True if the instruction is a `musttail` call before the return.
    pub(super) is_tail: bool,
    /// True from a call of an `invoke` that may throw to the end of its block.
    pub(super) is_tried: bool,
    temps: u32,
    /// The last instruction or label so far.
    last: Option<InsnId>,
    /// True if the places of debug records are known.
    has_records: bool,
    /// The debug records of what was lowered so far.
    records: Vec<Placed>,
}

impl<'s> Importer<'s, '_> {
    /// Imports a function; a function that cannot be expressed is left out, with the reason in
    /// `skipped`.
    pub(super) fn function(
        &mut self,
        function: &'s ast::Function,
        skipped: &mut Vec<Error>,
    ) -> Result<()> {
        let Some(body) = &function.body else {
            return Ok(());
        };
        match self.lower(function, body) {
            Ok(()) => Ok(()),
            Err(error) => {
                let mut error = error;
                error.function.get_or_insert_with(|| function.name.clone());
                skipped.push(error);
                Ok(())
            }
        }
    }

    /// Returns the labels of a function's blocks: those whose address is taken have theirs already.
    fn labels_of(&mut self, function: &ast::Function, body: &Body) -> Result<Vec<Label>> {
        let mut labels = Vec::new();
        for name in &body.block_names {
            let blocks = self.addressed.get(&function.name);
            labels.push(match blocks.and_then(|blocks| blocks.get(name)) {
                Some(&label) => label,
                None => (self.module.new_label()).map_err(broken(function.place))?,
            });
        }
        Ok(labels)
    }

    fn lower(&mut self, function: &'s ast::Function, body: &'s Body) -> Result<()> {
        let place = function.place;
        let returned = self.returned(function.result, &function.result_attributes, place)?;
        let mut arguments = Arguments::default();
        let address = self.pass_address(&mut arguments, &returned, place)?;
        let named = |passed| (passed, "$result".to_owned());
        let mut args: Vec<(Passed, String)> = address.into_iter().map(named).collect();
        for param in &function.params {
            let name = param
                .local
                .map_or("", |local| body.local_names[local.0 as usize].as_str());
            let passed = self.pass(&mut arguments, param.ty, &param.attributes, place)?;
            for (number, passed) in passed.into_iter().enumerate() {
                args.push((passed, register_name(name, number)));
            }
        }
        let passed: Vec<Passed> = args.iter().map(|&(passed, _)| passed).collect();
        let order = self.order(&passed, function.vararg);
        let specs: Vec<_> = order
            .iter()
            .map(|&number| args[number].0.spec(&args[number].1))
            .collect();
        let results = returned.types();
        let spec = SignatureSpec {
            results: &results,
            args: &specs,
            vararg: function.vararg,
        };
        let name = plain_name(&function.name);
        let func = self.module.add_func(&name, spec).map_err(broken(place))?;
        self.lines.begin(func, place.line);
        let labels = self.labels_of(function, body)?;
        let count = body.local_names.len();
        let mut lower = Lower {
            importer: self,
            function,
            body,
            func,
            place,
            held: vec![None; count],
            pinned: HashSet::new(),
            labels,
            uses: vec![0; count],
            deferred: HashMap::new(),
            only_accessed: HashSet::new(),
            promoted: HashMap::new(),
            zero_above: HashMap::new(),
            sign_above: HashMap::new(),
            used_signed: HashSet::new(),
            kept_signed: HashSet::new(),
            shadows: HashMap::new(),
            switched: HashSet::new(),
            returned,
            result_address: None,
            scratches: Vec::new(),
            scratches_in_use: 0,
            own_frame: None,
            try_context: None,
            is_tail: false,
            is_tried: false,
            temps: 0,
            last: None,
            has_records: false,
            records: Vec::new(),
        };
        lower.whole(&order)
    }
}

/// Returns the name of the register for a part of a value.
fn register_name(name: &str, part: usize) -> String {
    let plain: String = name
        .chars()
        .map(|char| {
            if char.is_ascii_alphanumeric() || matches!(char, '_' | '.') {
                char
            } else {
                '_'
            }
        })
        .collect();
    if plain == name && part == 0 {
        format!("%{plain}")
    } else {
        format!("%{plain}${part}")
    }
}

impl<'s> Lower<'_, 's, '_> {
    fn whole(&mut self, order: &[usize]) -> Result<()> {
        self.count_uses();
        self.find_only_accessed();
        self.promote()?;
        self.kept_signed = self.find_signed();
        self.make_shadows()?;
        self.arguments(order)?;
        self.keep_apart()?;
        self.frame()?;
        let body = self.body;
        self.has_records = !body.records.is_empty() && self.is_in_order();
        let order = reachable(body);
        for (number, &block) in order.iter().enumerate() {
            let next = order.get(number + 1).copied();
            self.block(block, next)?;
        }
        self.allocate_try_context()?;
        let finished = self.importer.module.finish_func(self.func);
        finished.map_err(broken(self.place))?;
        self.coalesce()
    }

    /// Keeps a weak function from being inlined, as another one may take its place when objects are
    /// linked: a function with the address of a label stays what it is.
    fn keep_apart(&mut self) -> Result<()> {
        let is_weak = self.function.weakness == Weakness::Weak;
        if !self.importer.is_shared || !is_weak || self.function.linkage != Linkage::Global {
            return Ok(());
        }
        let here = self.new_label()?;
        self.place_label(here)?;
        let address = self.temp(Kind::Int(64))?;
        self.emit(Code::Laddr, (address, here))
    }

    /// Coalesces the registers of the function, which is complete: not where `longjmp` may come
    /// back to, as the values that they had before are needed then.
    fn coalesce(&mut self) -> Result<()> {
        if self.calls_setjmp() {
            return Ok(());
        }
        let insns = self.body.blocks.iter().flat_map(|block| &block.insns);
        let targets = insns.filter_map(|insn| match &insn.op {
            Op::IndirectBr(_, targets) => Some(targets),
            _ => None,
        });
        let targets = targets.flatten().map(|to| self.labels[to.0 as usize]);
        let mut addressed: Vec<Label> = targets.collect();
        if let Some(labels) = self.importer.addressed.get(&self.function.name) {
            addressed.extend(labels.values());
        }
        let mut kept = self.switched.clone();
        if self.importer.source.names_variables {
            // A debugger looks for the variables of the source there.
            kept.extend(self.promoted.values());
        }
        let module = &mut self.importer.module;
        let insns = match self.records.is_empty() {
            true => Vec::new(),
            false => module.insns(self.func).collect(),
        };
        let coalesced = coalesce::coalesce(module, self.func, &kept, &addressed, &self.records);
        let variables = coalesced.map_err(broken(self.place))?;
        self.importer
            .lines
            .add_variables(self.func, insns, variables);
        Ok(())
    }

    /// Notes the debug records of a function from one on, up to a line, at what was lowered last;
    /// returns the first that is left.
    fn place_records(&mut self, from: usize, line: u32) -> usize {
        let records = self.body.records.get(from..).unwrap_or_default();
        let count = records.partition_point(|record| record.line < line);
        for record in &records[..count] {
            let value = match record.value {
                DebugValue::Int(value) => Some(KnownValue::Number(value)),
                DebugValue::Unknown => None,
                DebugValue::Local(local) => match self.held[local.0 as usize].as_deref() {
                    Some(&[Held::Reg(reg) | Held::Address(reg, 0)]) => {
                        Some(KnownValue::Variable(reg))
                    }
                    Some(&[Held::Int(value)]) => Some(KnownValue::Number(value)),
                    _ => None,
                },
            };
            self.records.push(Placed {
                after: self.last,
                variable: (record.variable, record.location),
                value,
            });
        }
        from + count
    }

    // ---- facts on values from the function's instructions

    fn count_uses(&mut self) {
        let body = self.body;
        for insn in body.blocks.iter().flat_map(|block| &block.insns) {
            insn.op.each_value(&mut |value| {
                if let Value::Local(local) = value {
                    self.uses[local.0 as usize] += 1;
                }
            });
            if let Some(Value::Local(local)) = insn.op.signed_operand() {
                self.used_signed.insert(*local);
            }
        }
    }

    /// Returns whether a value has exactly one use in the function.
    pub(super) fn is_used_once(&self, local: LocalId) -> bool {
        self.uses[local.0 as usize] == 1
    }

    /// Finds the variables that need no memory: those that are only loaded and stored whole.
    fn promote(&mut self) -> Result<()> {
        let body = self.body;
        let Some(&entry) = body.order.first() else {
            return Ok(());
        };
        // After longjmp, registers do not hold the values that variables in memory would.
        if self.calls_setjmp() {
            return Ok(());
        }
        let mut candidates: HashMap<LocalId, TypeId> = HashMap::new();
        for insn in &body.blocks[entry.0 as usize].insns {
            if let (
                Op::Alloca {
                    ty, count: None, ..
                },
                Some(result),
            ) = (&insn.op, insn.result)
            {
                candidates.insert(result, *ty);
            }
        }
        for insn in body.blocks.iter().flat_map(|block| &block.insns) {
            let allowed = insn.op.accessed();
            insn.op.each_value(&mut |value| {
                let Value::Local(local) = value else { return };
                let Some(&ty) = candidates.get(local) else {
                    return;
                };
                let fits = allowed.is_some_and(|(pointer, accessed)| {
                    core::ptr::eq(pointer, value) && accessed == ty
                });
                if !fits && !insn.op.is_lifetime() {
                    candidates.remove(local);
                }
            });
        }
        let mut promoted: Vec<_> = candidates.into_iter().collect();
        promoted.sort_by_key(|(local, _)| local.0);
        for (local, ty) in promoted {
            let Ok(parts) = self.importer.parts(ty, self.place) else {
                continue;
            };
            if let [part] = &*parts {
                let name = &body.local_names[local.0 as usize];
                let reg = self.local(register_type(part.kind), &register_name(name, 0))?;
                self.promoted.insert(local, reg);
                let slot = Slot::Variable(reg);
                self.importer.lines.add_slot(self.func, name, slot);
            }
        }
        Ok(())
    }

    fn find_signed(&self) -> HashSet<LocalId> {
        let types = &self.importer.source.types;
        let is_promoted = |local| self.promoted.contains_key(&local);
        signed::kept_signed(self.body, &self.function.params, types, is_promoted)
    }

    fn calls_setjmp(&self) -> bool {
        let insns = self.body.blocks.iter().flat_map(|block| &block.insns);
        insns
            .filter_map(|insn| insn.op.called())
            .any(|name| name.ends_with("setjmp"))
    }

    /// Assigns registers of their own to the incoming values of PHIs in blocks that indirect jumps
    /// reach, as an indirect jump cannot make moves for only one of its targets.
    fn make_shadows(&mut self) -> Result<()> {
        let body = self.body;
        let mut reached = HashSet::new();
        for insn in body.blocks.iter().flat_map(|block| &block.insns) {
            if let Op::IndirectBr(_, targets) = &insn.op {
                reached.extend(targets.iter().copied());
            }
        }
        let mut reached: Vec<BlockId> = reached.into_iter().collect();
        reached.sort_by_key(|block| block.0);
        for block in reached {
            for insn in &body.blocks[block.0 as usize].insns {
                let (Op::Phi(ty, _), Some(result)) = (&insn.op, insn.result) else {
                    break;
                };
                let parts = self.importer.parts(*ty, insn.place)?;
                let regs = parts
                    .iter()
                    .map(|part| self.temp(part.kind))
                    .collect::<Result<_>>()?;
                self.shadows.insert(result, regs);
            }
        }
        Ok(())
    }

    // ---- entry

    /// Defines the parameters by the argument registers, which are in this order.
    fn arguments(&mut self, order: &[usize]) -> Result<()> {
        let function = self.function;
        let mut places = vec![0; order.len()];
        for (place, &number) in order.iter().enumerate() {
            places[number] = place;
        }
        let mut arguments = Arguments::default();
        let address = self
            .importer
            .pass_address(&mut arguments, &self.returned, function.place)?;
        self.result_address = address.first().map(|_| Reg::new(places[0] as u32));
        let mut number = address.len();
        for param in &function.params {
            let passed =
                self.importer
                    .pass(&mut arguments, param.ty, &param.attributes, function.place)?;
            let regs: Vec<Reg> = (number..number + passed.len())
                .map(|number| Reg::new(places[number] as u32))
                .collect();
            number += passed.len();
            let held = self.received(param.ty, &passed, &regs)?;
            if let Some(local) = param.local {
                let held = self.extended_argument(local, held)?;
                self.held[local.0 as usize] = Some(held);
            }
        }
        debug_assert_eq!(number, order.len());
        Ok(())
    }

    /// Extends an argument that is kept sign-extended.
    fn extended_argument(&mut self, local: LocalId, held: Vec<Held>) -> Result<Vec<Held>> {
        match held.as_slice() {
            &[only] if self.kept_signed.contains(&local) => {
                Ok(vec![held_of(self.sign_extended(only, 32)?)])
            }
            _ => Ok(held),
        }
    }

    /// Returns the parts of a value that was received as arguments or results.
    pub(super) fn received(
        &mut self,
        ty: TypeId,
        passed: &[Passed],
        regs: &[Reg],
    ) -> Result<Vec<Held>> {
        let parts = self.importer.parts(ty, self.place)?;
        let mut held = Vec::new();
        for (passed, &reg) in passed.iter().zip(regs) {
            match passed.form {
                Form::Part | Form::Sharing => {
                    let kind = parts.get(held.len()).map(|part| part.kind);
                    held.push(Held::Reg(self.received_part(reg, passed.ty, kind)?));
                }
                Form::Pointee => held.push(Held::Reg(reg)),
                Form::Words(count) => {
                    for number in 0..count {
                        let kind = parts.get(held.len()).map(|part| part.kind);
                        let word = self.temp(Kind::Int(64))?;
                        let memory = self.importer.word(number, count, reg);
                        self.emit(Code::Mov, (word, memory))?;
                        held.push(Held::Reg(self.received_part(word, memory.ty, kind)?));
                    }
                }
                Form::Floats(count, half) => {
                    let word = self.scratch()?;
                    let code = if passed.ty == MediumType::D {
                        Code::Dmov
                    } else {
                        Code::Mov
                    };
                    self.emit(code, (Mem::new(passed.ty, 0, word), reg))?;
                    for number in 0..i64::from(count) {
                        let float = self.temp(Kind::Float)?;
                        let memory = Mem::new(MediumType::F, half.offset() + 4 * number, word);
                        self.emit(Code::Fmov, (float, memory))?;
                        held.push(Held::Reg(float));
                    }
                }
                Form::Short(bits) => held.push(self.short_of_float(bits, reg)?),
                Form::Filler => {}
            }
        }
        Ok(held)
    }

    /// Extends an integer that was passed, as its type says.
    fn received_part(&mut self, reg: Reg, ty: MediumType, kind: Option<Kind>) -> Result<Reg> {
        let Some(Kind::Int(width)) = kind else {
            return Ok(reg);
        };
        if width == 1 && ty != MediumType::U8 {
            let bit = self.temp(Kind::Int(1))?;
            self.emit(Code::And, (bit, reg, 1))?;
            self.zero_above.insert(bit, 1);
            return Ok(bit);
        }
        let bits = ty.size() * 8;
        if ty.is_signed() {
            self.sign_above.insert(reg, bits);
        } else {
            self.zero_above
                .insert(reg, if width == 1 { 1 } else { bits });
        }
        Ok(reg)
    }

    /// Assigns every fixed-size `alloca` of the entry block memory. Small ones have an object each,
    /// so that the address of one says nothing about others; large ones have offsets in one object.
    fn frame(&mut self) -> Result<()> {
        let body = self.body;
        let Some(&entry) = body.order.first() else {
            return Ok(());
        };
        let (mut places, mut size, mut most) = (Vec::new(), 0_u64, 1_u64);
        for insn in &body.blocks[entry.0 as usize].insns {
            let (Op::Alloca { ty, count, align }, Some(result)) = (&insn.op, insn.result) else {
                continue;
            };
            let Some(extent) = self.fixed_extent(*ty, count.as_ref(), *align) else {
                continue;
            };
            if self.promoted.contains_key(&result) {
                continue;
            }
            let bytes = extent.size.max(1);
            if bytes <= SMALL_OBJECT && extent.align <= self.importer.target.alloca_align.into() {
                let own = self.aligned_alloca(Operand::Int(bytes.cast_signed()), extent.align)?;
                self.place_object(result, own, 0);
                continue;
            }
            size = size.next_multiple_of(extent.align);
            places.push((result, size));
            size = size.saturating_add(bytes);
            most = most.max(extent.align);
        }
        if places.is_empty() {
            return Ok(());
        }
        if size > 1 << 40 {
            return Err(self.place.error("the frame is too large"));
        }
        let frame = self.aligned_alloca(Operand::Int(size.cast_signed()), most)?;
        for (result, offset) in places {
            self.place_object(result, frame, offset.cast_signed());
        }
        Ok(())
    }

    /// Notes where the memory of an `alloca` is.
    fn place_object(&mut self, result: LocalId, frame: Reg, offset: i64) {
        self.held[result.0 as usize] = Some(vec![Held::Address(frame, offset)]);
        let name = &self.body.local_names[result.0 as usize];
        let slot = Slot::Memory(frame, offset);
        self.importer.lines.add_slot(self.func, name, slot);
    }

    /// Returns the size and alignment of an `alloca`, if its size is constant.
    pub(super) fn fixed_extent(
        &self,
        ty: TypeId,
        count: Option<&ast::Typed>,
        align: u64,
    ) -> Option<Extent> {
        let extent = self.importer.source.types.extent(ty)?;
        let count = match count {
            None => 1,
            Some((_, Value::Const(ast::Const::Int(count)))) => u64::try_from(*count).ok()?,
            Some(_) => return None,
        };
        Some(Extent {
            size: extent
                .size
                .checked_mul(count)
                .filter(|&size| size <= 1 << 40)?,
            align: align.max(extent.align),
        })
    }

    /// Emits an `alloca` whose address is a multiple of `align`.
    pub(super) fn aligned_alloca(&mut self, size: Operand, align: u64) -> Result<Reg> {
        let address = self.temp(Kind::Int(64))?;
        let given = u64::from(self.importer.target.alloca_align);
        if align <= given {
            self.emit(Code::Alloca, (address, size))?;
            return Ok(address);
        }
        let more = self.temp(Kind::Int(64))?;
        let align = align.cast_signed();
        self.emit(Code::Add, (more, size, align))?;
        self.emit(Code::Alloca, (address, more))?;
        self.emit(Code::Add, (address, address, align - 1))?;
        self.emit(Code::And, (address, address, -align))?;
        Ok(address)
    }

    /// Returns the address of 16 bytes of the stack, which are reused by the next instruction of
    /// the source.
    ///
    /// They are allocated at the function's start, so that loops do not allocate them again.
    pub(super) fn scratch(&mut self) -> Result<Reg> {
        if let Some(&known) = self.scratches.get(self.scratches_in_use) {
            return Ok(known);
        }
        let address = self.first_alloca(16)?;
        self.scratches.push(address);
        Ok(address)
    }

    /// Allocates bytes of the stack at the function's start.
    pub(super) fn first_alloca(&mut self, bytes: i64) -> Result<Reg> {
        let address = self.temp(Kind::Int(64))?;
        let position = match self.importer.module.insns(self.func).next() {
            Some(first) => Position::Before(first),
            None => Position::End,
        };
        let added =
            self.importer
                .module
                .insert(self.func, position, Code::Alloca, (address, bytes));
        added.map_err(broken(self.place))?;
        Ok(address)
    }

    /// Returns the address of memory of the function's frame that nothing else uses.
    pub(super) fn own_frame(&mut self) -> Result<Reg> {
        if let Some(known) = self.own_frame {
            return Ok(known);
        }
        let address = self.first_alloca(16)?;
        self.own_frame = Some(address);
        Ok(address)
    }

    /// Returns a scratch as [`Lower::scratch`] does, which stays reserved until
    /// [`Lower::release_scratches`] is called.
    pub(super) fn kept_scratch(&mut self) -> Result<Reg> {
        let address = self.scratch()?;
        self.scratches_in_use += 1;
        Ok(address)
    }

    pub(super) fn release_scratches(&mut self) {
        self.scratches_in_use = 0;
    }

    // ---- blocks

    fn block(&mut self, block: BlockId, next: Option<BlockId>) -> Result<()> {
        let label = self.labels[block.0 as usize];
        self.place_label(label)?;
        let body = self.body;
        let insns = &body.blocks[block.0 as usize].insns;
        self.take_shadows(insns)?;
        self.defer_conditions(insns);
        let first = insns.first().map_or(0, |insn| insn.place.line);
        let mut record = self.first_record(first);
        let has_tail = last_call(&body.blocks[block.0 as usize]).is_some();
        for (left, insn) in (1..=insns.len()).rev().zip(insns) {
            if self.has_records {
                record = self.place_records(record, insn.place.line);
            }
            self.place = insn.place;
            self.check_addresses(&insn.op)?;
            if insn.op.is_terminator() {
                self.terminator(&insn.op, block, next)?;
                continue;
            }
            self.is_tail = has_tail && left == 2;
            self.insn(insn)?;
            if has_tail && left == 2 && !core::mem::take(&mut self.is_tail) {
                // The call has returned.
                break;
            }
        }
        self.deferred.clear();
        Ok(())
    }

    /// Returns the first debug record of a block whose first instruction is on this line: the first
    /// after the block before it in the text.
    fn first_record(&self, line: u32) -> usize {
        let body = self.body;
        let end = |block: &BlockId| {
            let last = body.blocks[block.0 as usize].insns.last();
            last.map_or(0, |last| last.place.line)
        };
        let count = body.order.partition_point(|block| end(block) < line);
        let before = count.checked_sub(1).and_then(|place| body.order.get(place));
        let end = before.map_or(0, end);
        body.records.partition_point(|record| record.line < end)
    }

    /// Returns true if the instructions are in the order of their lines, so that the lines of debug
    /// records tell their places.
    fn is_in_order(&self) -> bool {
        let blocks = { self.body.order.iter() }.map(|block| &self.body.blocks[block.0 as usize]);
        blocks
            .flat_map(|block| &block.insns)
            .map(|insn| insn.place.line)
            .is_sorted()
    }

    fn take_shadows(&mut self, insns: &'s [Insn]) -> Result<()> {
        for insn in insns {
            let (Op::Phi(ty, _), Some(result)) = (&insn.op, insn.result) else {
                break;
            };
            let Some(shadow) = self.shadows.get(&result).cloned() else {
                continue;
            };
            let parts = self.importer.parts(*ty, insn.place)?;
            let regs = self.pinned_regs(result)?;
            for ((part, to), from) in parts.iter().zip(regs).zip(shadow) {
                self.emit(move_code(part.kind), (to, from))?;
            }
        }
        Ok(())
    }

    // ---- registers and instructions

    /// Returns the registers of a value, which may be asked for before its definition.
    pub(super) fn pinned_regs(&mut self, local: LocalId) -> Result<Vec<Reg>> {
        if let Some(held) = &self.held[local.0 as usize] {
            let regs = held.iter().map(|held| match held {
                Held::Reg(reg) => Some(*reg),
                _ => None,
            });
            if let Some(regs) = regs.collect() {
                return Ok(regs);
            }
        }
        let regs = self.registers_of(local)?;
        self.held[local.0 as usize] = Some(regs.iter().map(|&reg| Held::Reg(reg)).collect());
        self.pinned.insert(local);
        Ok(regs)
    }

    fn registers_of(&mut self, local: LocalId) -> Result<Vec<Reg>> {
        let body = self.body;
        let Some(ty) = body.local_types[local.0 as usize] else {
            return Err(self.place.error("a value without type"));
        };
        let parts = self.importer.parts(ty, self.place)?;
        let name = &body.local_names[local.0 as usize];
        let named = parts.iter().enumerate().map(|(number, part)| {
            self.local(register_type(part.kind), &register_name(name, number))
        });
        let regs: Vec<Reg> = named.collect::<Result<_>>()?;
        if let (&[reg], true) = (regs.as_slice(), self.kept_signed.contains(&local)) {
            self.sign_above.insert(reg, 32);
        }
        Ok(regs)
    }

    /// Returns new registers for a value's parts, or those reserved for it.
    pub(super) fn result_regs(&mut self, local: LocalId) -> Result<Vec<Reg>> {
        if self.pinned.contains(&local) {
            return self.pinned_regs(local);
        }
        let regs = self.registers_of(local)?;
        self.held[local.0 as usize] = Some(regs.iter().map(|&reg| Held::Reg(reg)).collect());
        Ok(regs)
    }

    /// Defines a value. If it was used before, it goes to the registers reserved for it.
    pub(super) fn define(&mut self, local: LocalId, held: Vec<Held>) -> Result<()> {
        if !self.pinned.contains(&local) {
            self.held[local.0 as usize] = Some(held);
            return Ok(());
        }
        let regs = self.pinned_regs(local)?;
        let parts = self.parts_of(local)?;
        for ((held, reg), part) in held.into_iter().zip(regs).zip(parts.iter()) {
            let operand = self.operand(held)?;
            self.emit(move_code(part.kind), (reg, operand))?;
        }
        Ok(())
    }

    pub(super) fn parts_of(&mut self, local: LocalId) -> Result<Rc<[Part]>> {
        let Some(ty) = self.body.local_types[local.0 as usize] else {
            return Err(self.place.error("a value without type"));
        };
        self.importer.parts(ty, self.place)
    }

    fn local(&mut self, ty: MediumType, name: &str) -> Result<Reg> {
        let added = self
            .importer
            .module
            .add_local(self.func, ty, name.as_bytes());
        added.map_err(broken(self.place))
    }

    /// Returns a new register without a name in the source.
    pub(super) fn temp(&mut self, kind: Kind) -> Result<Reg> {
        self.temps += 1;
        let name = format!("${}", self.temps);
        self.local(register_type(kind), &name)
    }

    pub(super) fn emit(&mut self, code: Code, operands: impl Operands) -> Result<()> {
        let added = self.importer.module.append(self.func, code, operands);
        let added = added.map_err(broken(self.place))?;
        self.importer.lines.add(added, self.place.line);
        self.last = Some(added);
        Ok(())
    }

    pub(super) fn new_label(&mut self) -> Result<Label> {
        self.importer.module.new_label().map_err(broken(self.place))
    }

    pub(super) fn place_label(&mut self, label: Label) -> Result<()> {
        let placed = self
            .importer
            .module
            .insert_label(self.func, Position::End, label);
        self.last = Some(placed.map_err(broken(self.place))?);
        Ok(())
    }

    pub(super) fn unsupported<T>(&self, what: impl core::fmt::Display) -> Result<T> {
        Err(self
            .place
            .error(format!("{what} cannot be expressed in Medium IR")))
    }
}

/// Returns the instruction that moves a part.
pub(super) const fn move_code(kind: Kind) -> Code {
    match kind {
        Kind::Int(_) => Code::Mov,
        Kind::Float => Code::Fmov,
        Kind::Double => Code::Dmov,
        Kind::LongDouble => Code::Ldmov,
    }
}

/// Returns the reachable blocks of a function, in their order.
fn reachable(body: &Body) -> Vec<BlockId> {
    let mut found = vec![false; body.blocks.len()];
    let mut waiting: Vec<BlockId> = body.order.first().copied().into_iter().collect();
    while let Some(block) = waiting.pop() {
        if core::mem::replace(&mut found[block.0 as usize], true) {
            continue;
        }
        let last = body.blocks[block.0 as usize].insns.last();
        waiting.extend(last.map(|insn| insn.op.successors()).unwrap_or_default());
    }
    let order = body.order.iter().copied();
    order.filter(|block| found[block.0 as usize]).collect()
}
