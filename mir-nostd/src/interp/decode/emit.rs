//! Emission: nodes become words, variables get cells, labels get positions, calls get their sites.

use super::super::code::{Code, Fuel, Op, Origin, Role};
use super::super::frame::{ALIGN, HEADER};
use super::super::site::{Passed, Site};
use super::super::values::assign_cells;
use super::flow::branch_slot;
use super::lower::Body;
use super::{DecodeError, Decoder, Extra, NONE, Node, Var};
use crate::ir::{Class, ItemId, ItemKind, Operand, Type};
use crate::mem::{Box, Entity, Vec};
use crate::target::{Argument, Plan, PlanError, Signature, VariableArguments};
use core::sync::atomic::AtomicPtr;

/// The direct calls with so many arguments; others, and those with none, which are rare, take any
/// number.
const CALLS: [Op; 5] = [Op::CallN, Op::Call1, Op::Call2, Op::Call3, Op::Call4];

/// The frame being laid out, and the words written so far.
struct Writer<'m> {
    code: Code<'m>,
    /// The bytes of cells assigned so far.
    cells: u32,
    /// The most values that the calls through a site pass and take back.
    scratch_values: usize,
    /// The start of each node in words, and one more for the end.
    places: Vec<'m, u32>,
}

impl<'a, 'm> Decoder<'a, 'm> {
    /// Writes the code of all nodes, of a function whose arguments take this many cells.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn emit(
        &mut self,
        body: Body,
        arguments: u32,
    ) -> Result<Box<'m, Code<'m>>, DecodeError> {
        let allocator = self.context.allocator();
        let mut writer = Writer {
            code: self.empty_code(),
            cells: 0,
            scratch_values: 0,
            places: Vec::new(allocator),
        };
        writer.code.arg_cells = arguments;
        writer.cells = 8 * arguments;
        self.place_variables(&mut writer)?;
        self.place_nodes(&mut writer)?;
        let variable_at = writer.cells.next_multiple_of(ALIGN as u32);
        writer.code.variable_at = variable_at;
        let is_vararg = self.module.func(self.func).signature.is_vararg();
        let scratch = if is_vararg {
            variable_at + (size_of::<VariableArguments>() as u32).next_multiple_of(ALIGN as u32)
        } else {
            variable_at
        };
        for index in 0..self.nodes.len() {
            self.write(&mut writer, index, scratch)?;
        }
        self.finish_code(writer, body, scratch)
    }

    fn empty_code(&self) -> Code<'m> {
        let allocator = self.context.allocator();
        Code {
            frame_bytes: 0,
            entries: [core::ptr::null(); 2],
            entry_cost: 0,
            variable_at: 0,
            arg_cells: 0,
            result_cells: 0,
            callable: core::ptr::from_ref(self.callable),
            words: Vec::new(allocator),
            labels: Vec::new(allocator),
            origins: Vec::new(allocator),
            blocks: Vec::new(allocator),
            incoming: AtomicPtr::new(core::ptr::null_mut()),
            sites: Vec::new(allocator),
        }
    }

    #[cfg_attr(small_code, inline(never))]
    fn finish_code(
        &mut self,
        mut writer: Writer<'m>,
        body: Body,
        scratch: u32,
    ) -> Result<Box<'m, Code<'m>>, DecodeError> {
        let module = self.module;
        let results = module.results(&module.func(self.func).signature);
        let code = &mut writer.code;
        code.result_cells = results.iter().map(|&ty| result_cells(ty)).sum();
        let values = writer.scratch_values.saturating_mul(16);
        code.frame_bytes = (HEADER + scratch as usize)
            .saturating_add(values)
            .next_multiple_of(ALIGN);
        code.labels.resize(self.addressed_labels as usize, (0, 0))?;
        for facts in &self.labels {
            if let Some(place) = code.labels.get_mut(facts.address as usize) {
                *place = (self.place_of_node(&writer.places, facts.node), facts.cost);
            }
        }
        code.entry_cost = match self.costs.first() {
            Some(&cost) if cost <= 0xFFFF => u64::from(cost),
            _ => 0,
        };
        code.words.shrink_to_fit();
        code.origins.shrink_to_fit();
        let mut code = Box::new(self.context.allocator(), writer.code)?;
        let start = code.words.as_ptr();
        let behind = writer.places.get(body.0 as usize).copied().unwrap_or(0);
        code.entries = [start, start.wrapping_add(behind as usize)];
        self.place_blocks(&mut code.blocks, &writer.places, behind)?;
        self.fill_lrefs()?;
        Ok(code)
    }

    /// Lists the words where blocks begin that cost something: the first one at both entries, too.
    fn place_blocks(
        &self,
        blocks: &mut Vec<'m, Origin>,
        places: &[u32],
        entry: u32,
    ) -> Result<(), DecodeError> {
        let Some(&(_, insn)) = self.starts.first() else {
            return Ok(());
        };
        blocks.reserve(2 + self.starts.len())?;
        for start in [0, entry] {
            blocks.push(Origin { start, insn })?;
        }
        for &(node, insn) in &self.starts {
            let start = self.place_of_node(places, node);
            blocks.push(Origin { start, insn })?;
        }
        Ok(())
    }

    fn place_of_node(&self, places: &[u32], node: u32) -> u32 {
        places.get(node as usize).copied().unwrap_or(0)
    }

    /// Stores the values of the `lref` items that take addresses of the function's labels. Every
    /// decoding of the function stores the same values.
    #[expect(unsafe_code, reason = "data of modules is raw memory")]
    #[cfg_attr(small_code, inline(never))]
    fn fill_lrefs(&self) -> Result<(), DecodeError> {
        if !self.callable.has_lrefs() {
            return Ok(());
        }
        for lref in self.linked.lrefs(self.func) {
            let mut value = self.address_of_label(lref.label)?;
            if let Some(label) = lref.label2 {
                value = value.wrapping_sub(self.address_of_label(label)?);
            }
            let value = (value as u64).wrapping_add_signed(lref.disp);
            let place = core::ptr::with_exposed_provenance_mut::<u64>(lref.address);
            // SAFETY: the item has 8 bytes in the module's data, which live as long as the context.
            // A program that reads them before the function has run gets their value or zeros.
            unsafe { place.write_unaligned(value) };
        }
        Ok(())
    }

    // ---- cells

    /// Assigns cells to all arguments, and returns how many these take.
    pub(super) fn place_arguments(&mut self) -> u32 {
        let module = self.module;
        let mut cells = 0;
        for (index, arg) in module
            .args(&module.func(self.func).signature)
            .iter()
            .enumerate()
        {
            let (at, end) = assign_cells(cells, arg.ty);
            cells = end;
            self.vars[index].offset = 8 * at;
        }
        cells
    }

    /// Assigns a cell to every variable that is still used: long doubles first, which must be
    /// aligned.
    #[cfg_attr(small_code, inline(never))]
    fn place_variables(&mut self, writer: &mut Writer<'m>) -> Result<(), DecodeError> {
        for long in [true, false] {
            for index in 0..self.nodes.len() {
                let node = self.nodes[index];
                if node.dropped {
                    continue;
                }
                let mut slot = 0;
                for role in node.op.roles() {
                    let is_register = role.is_def() || role.bits_read() > 0;
                    if is_register {
                        self.place_variable(writer, Var(node.slots[slot]), long);
                    }
                    slot += role.slots();
                }
                if node.op == Op::Addr {
                    self.place_variable(writer, Var(node.slots[1]), long);
                }
                if node.extra != NONE {
                    let extra = self.extras[node.extra as usize];
                    for entry in extra.reads.range().chain(extra.writes.range()) {
                        self.place_variable(writer, Var(self.lists[entry]), long);
                    }
                }
            }
        }
        if writer.cells > i32::MAX as u32 {
            return Err(DecodeError::Stack);
        }
        Ok(())
    }

    fn place_variable(&mut self, writer: &mut Writer<'m>, var: Var, long: bool) {
        let facts = self.var_mut(var);
        if facts.offset != NONE || facts.long != long {
            return;
        }
        if long {
            writer.cells = writer.cells.next_multiple_of(16);
        }
        facts.offset = writer.cells;
        let bytes = match long {
            _ if facts.room > 0 => facts.room,
            true => 16,
            false => 8,
        };
        writer.cells = writer.cells.saturating_add(bytes);
    }

    fn offset(&self, var: u32) -> u32 {
        self.var(Var(var)).offset
    }

    // ---- places

    /// Collects the cells that follow a call for results, or a `ret` of several values, as offsets.
    fn cells_of_list(
        &self,
        list: super::Span,
        cells: &mut Vec<'m, u32>,
    ) -> Result<(), DecodeError> {
        for &var in &self.lists[list.range()] {
            let facts = self.var(Var(var));
            cells.push(facts.offset)?;
            if facts.long {
                cells.push(facts.offset + 8)?;
            }
        }
        Ok(())
    }

    fn count_cells(&self, list: super::Span) -> usize {
        self.lists[list.range()]
            .iter()
            .map(|&var| 1 + usize::from(self.var(Var(var)).long))
            .sum()
    }

    #[cfg_attr(small_code, inline(never))]
    fn place_nodes(&mut self, writer: &mut Writer<'m>) -> Result<(), DecodeError> {
        writer.places.reserve(self.nodes.len() + 1)?;
        let mut place = 0_u32;
        for index in 0..self.nodes.len() {
            self.choose_call(index);
            writer.places.push(place)?;
            let words = u32::try_from(self.words_of(&self.nodes[index]))
                .map_err(|_| DecodeError::TooLarge)?;
            place = place.checked_add(words).ok_or(DecodeError::TooLarge)?;
        }
        writer.places.push(place)?;
        if place > i32::MAX as u32 / 8 {
            return Err(DecodeError::TooLarge);
        }
        writer.code.words.reserve(place as usize)?;
        Ok(())
    }

    /// Selects the form of a direct call that suits its number of arguments.
    fn choose_call(&mut self, index: usize) {
        let node = self.nodes[index];
        if node.op == Op::CallN {
            let cells = self.argument_cell_count(&self.extras[node.extra as usize]);
            if let Some(&op) = CALLS.get(cells as usize) {
                self.nodes[index].op = op;
            }
        }
    }

    fn argument_cell_count(&self, extra: &Extra) -> u32 {
        self.lists[extra.reads.range()]
            .iter()
            .fold(0, |cells, &var| {
                let ty = if self.var(Var(var)).long {
                    Type::Ld
                } else {
                    Type::I64
                };
                assign_cells(cells, ty).1
            })
    }

    fn words_of(&self, node: &Node) -> usize {
        if node.dropped {
            return 0;
        }
        if node.extra == NONE {
            return node.op.words();
        }
        let extra = &self.extras[node.extra as usize];
        let results = self.count_cells(extra.writes).div_ceil(2);
        match node.op {
            Op::SwitchOr | Op::SwitchOrShort => 1 + (4 + extra.labels.len as usize).div_ceil(2),
            Op::Switch => 1 + (2 + extra.labels.len as usize).div_ceil(2),
            Op::RetN => 1 + (1 + self.count_cells(extra.reads)).div_ceil(2),
            Op::CallN => 1 + (4 + self.argument_cell_count(extra) as usize).div_ceil(2) + results,
            op => op.words() + results,
        }
    }

    // ---- words

    fn write(
        &self,
        writer: &mut Writer<'m>,
        index: usize,
        scratch: u32,
    ) -> Result<(), DecodeError> {
        let node = self.nodes[index];
        if node.dropped {
            return Ok(());
        }
        let start = writer.code.words.len() as u32;
        let is_new = writer
            .code
            .origins
            .last()
            .is_none_or(|origin| origin.insn != node.insn);
        if is_new {
            writer.code.origins.push(Origin {
                start,
                insn: node.insn,
            })?;
        }
        let mut slots = Vec::new(self.context.allocator());
        let mut op = node.op;
        if CALLS.contains(&node.op) {
            self.write_direct_call(&node, &mut slots)?;
        } else if matches!(node.op, Op::CallNative | Op::CallSite) {
            let site = self.site(writer, &node, scratch)?;
            if node.op == Op::CallNative && site.is_simple(self.context) {
                op = Op::CallSimple;
            }
            let site = Box::new(self.context.allocator(), site)?;
            slots.extend_from_slice(&Self::pointer(core::ptr::from_ref(&*site)))?;
            writer.code.sites.push(site)?;
            if node.op == Op::CallSite {
                slots.push(self.offset(node.slots[2]))?;
            }
        } else {
            self.write_operands(writer, index, &node, &mut slots)?;
        }
        let head = (self.head)(op, self.fuel_of(&node));
        push_words(&mut writer.code.words, head, &slots)?;
        if node.extra != NONE {
            let extra = self.extras[node.extra as usize];
            slots.clear();
            self.cells_of_list(extra.writes, &mut slots)?;
            push_slots(&mut writer.code.words, &slots)?;
        }
        Ok(())
    }

    /// Returns how an operation pays: a branch that costs nothing either way need not be one that
    /// does.
    fn fuel_of(&self, node: &Node) -> Fuel {
        match branch_slot(node.op) {
            Some(slot) if node.slots[slot + 1] == 0 && node.extra == NONE => Fuel::Free,
            _ => self.fuel,
        }
    }

    /// Writes the operands of any operation but a call.
    fn write_operands(
        &self,
        writer: &Writer<'m>,
        index: usize,
        node: &Node,
        slots: &mut Vec<'m, u32>,
    ) -> Result<(), DecodeError> {
        let distance = |label: u32| {
            let node = self.labels[label as usize].node;
            let to = self.place_of_node(&writer.places, node) as i32;
            let from = self.place_of_node(&writer.places, index as u32) as i32;
            (8 * (to - from)) as u32
        };
        let mut slot = 0;
        for role in node.op.roles() {
            match role {
                Role::W => slots.extend_from_slice(&node.slots[slot..slot + 2])?,
                Role::J => {
                    slots.push(distance(node.slots[slot]))?;
                    slots.push(node.slots[slot + 1])?;
                }
                Role::I => slots.push(node.slots[slot])?,
                _ => slots.push(self.offset(node.slots[slot]))?,
            }
            slot += role.slots();
        }
        match node.op {
            Op::Addr => slots[1] = self.offset(node.slots[1]),
            Op::PayOrCall => {
                let to = index as u32 + node.slots[1];
                let distance = self.place_of_node(&writer.places, to)
                    - self.place_of_node(&writer.places, index as u32);
                slots[1] = 8 * distance;
            }
            Op::Switch | Op::SwitchOr | Op::SwitchOrShort => {
                let labels = self.extras[node.extra as usize].labels;
                for pair in self.lists[labels.range()].chunks_exact(2) {
                    slots.push(distance(pair[0]))?;
                    slots.push(pair[1])?;
                }
            }
            Op::RetN => {
                slots.clear();
                slots.push(0)?;
                self.cells_of_list(self.extras[node.extra as usize].reads, slots)?;
                slots[0] = slots.len() as u32 - 1;
            }
            _ => {}
        }
        Ok(())
    }

    #[cfg_attr(small_code, inline(never))]
    fn write_direct_call(&self, node: &Node, slots: &mut Vec<'m, u32>) -> Result<(), DecodeError> {
        let extra = self.extras[node.extra as usize];
        slots.extend_from_slice(&super::operand::wide(extra.address as i64))?;
        let count = self.argument_cell_count(&extra);
        slots.push(u32::from(extra.extended) | count << 1)?;
        if node.op == Op::CallN {
            slots.push(count)?;
        }
        let mut cells = Vec::new(self.context.allocator());
        let arguments = self.lists[extra.reads.range()].iter().map(|&var| {
            let facts = self.var(Var(var));
            (facts.offset, if facts.long { Type::Ld } else { Type::I64 })
        });
        self.argument_cells(arguments, &mut cells)?;
        slots.extend_from_slice(&cells)?;
        Ok(())
    }

    /// Returns the site of a call.
    #[cfg_attr(small_code, inline(never))]
    fn site(
        &self,
        writer: &mut Writer<'m>,
        node: &Node,
        scratch: u32,
    ) -> Result<Site<'m>, DecodeError> {
        let allocator = self.context.allocator();
        let module = self.module;
        let extra = self.extras[node.extra as usize];
        let ItemKind::Proto(signature) = module.item(ItemId::new(extra.proto)).kind else {
            return Err(DecodeError::Invalid);
        };
        let (types, args) = (module.results(&signature), module.args(&signature));
        let mut site = Site::new(allocator);
        site.address = extra.address;
        site.fixed = args.len();
        site.variadic = signature.is_vararg();
        site.leaves = module.is_tail_call(self.func, node.insn);
        site.scratch = scratch;
        let mut arguments: Vec<'m, Argument> = Vec::new(allocator);
        let operands = module.operands(node.insn).skip(2 + types.len());
        for (index, (&var, operand)) in self.lists[extra.reads.range()]
            .iter()
            .zip(operands)
            .enumerate()
        {
            let argument = match (args.get(index), operand) {
                (Some(arg), _) => Argument {
                    ty: arg.ty,
                    size: arg.size,
                },
                (None, Operand::Mem(mem)) if mem.ty.is_block() => Argument {
                    ty: mem.ty,
                    size: mem.disp as u64,
                },
                (None, operand) => Argument::scalar(self.variable_type(operand)),
            };
            let cell = self.offset(var);
            site.arguments.push(Passed { argument, cell })?;
            arguments.push(argument)?;
        }
        for (&var, &ty) in self.lists[extra.writes.range()].iter().zip(types) {
            let (argument, cell) = (Argument::scalar(ty), self.offset(var));
            site.results.push(Passed { argument, cell })?;
        }
        let fixed = site.arguments.iter().take(args.len());
        let fixed = fixed.map(|passed| (passed.cell, passed.argument.ty));
        let mut cells = Vec::new(allocator);
        self.argument_cells(fixed, &mut cells)?;
        site.cells = cells;
        site.result_words = self.count_cells(extra.writes).div_ceil(2);
        let signature = Signature {
            results: types,
            arguments: &arguments,
            variadic: signature.is_vararg().then_some(args.len()),
        };
        let target = self.context.target();
        site.native = planned(Plan::new(target, &signature, allocator))?;
        if signature.variadic.is_some() {
            site.variable = planned(Plan::variable(target, &signature, allocator))?;
        }
        let values = site.arguments.len() + site.results.len();
        writer.scratch_values = writer.scratch_values.max(values);
        Ok(site)
    }
}

/// Returns a plan, or none if the call would take more stack than calls can.
fn planned<'m>(plan: Result<Plan<'m>, PlanError>) -> Result<Option<Plan<'m>>, DecodeError> {
    match plan {
        Ok(plan) => Ok(Some(plan)),
        Err(PlanError::TooLarge) => Ok(None),
        Err(PlanError::OutOfMemory) => Err(DecodeError::OutOfMemory),
    }
}

/// Returns the number of 8-byte cells that a result of this type takes.
fn result_cells(ty: Type) -> u32 {
    if ty.class() == Class::LongDouble {
        2
    } else {
        1
    }
}

/// Appends an operation: its first word, then its slots.
fn push_words(words: &mut Vec<'_, u64>, head: u64, slots: &[u32]) -> Result<(), DecodeError> {
    words.push(head)?;
    push_slots(words, slots)
}

/// Appends slots, two to a word.
fn push_slots(words: &mut Vec<'_, u64>, slots: &[u32]) -> Result<(), DecodeError> {
    for pair in slots.chunks(2) {
        let [a, b, c, d] = pair[0].to_ne_bytes();
        let [e, f, g, h] = pair.get(1).copied().unwrap_or(0).to_ne_bytes();
        words.push(u64::from_ne_bytes([a, b, c, d, e, f, g, h]))?;
    }
    Ok(())
}
