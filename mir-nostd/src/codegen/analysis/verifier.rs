//! The verifier of Machine IR, for tests: the rules that hold of target instructions from selection
//! on, and of generic ones in SSA form, after every stage.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::is_phi;
use crate::codegen::analysis::properties;
use crate::machine::{
    BlockId, Function, Generic, InsnId, Operand, OperandFlags, OperandKind, Reg, SubIndex, UnitSet,
    UseDefs, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::{InsnFlags, InsnRow, Isa, OperandRow};

/// A rule that can be violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// After selection only copies and instructions about properties are generic.
    Generic,
    /// An instruction has the operands of its row: as many, of these kinds, written or read.
    Operands,
    /// A virtual register is of the bank that the row asks for.
    Bank,
    /// A source that is tied to a definition is in its register.
    Tie,
    /// Nothing but terminators follows a terminator.
    Terminator,
    /// A virtual register is written on every path to each read.
    Undefined,
    /// An operand that is marked as the last use of a value, or as a definition that nothing reads,
    /// is not followed by a read of that value.
    Ended,
    /// In SSA form a virtual register has one definition, which dominates its uses.
    Ssa,
    /// No block is in the layout twice, and branches go to blocks of the layout.
    Layout,
}

/// The place at which a rule is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The instruction; `None` for a violation by the whole function.
    pub insn: Option<InsnId>,
}

/// Returns the first violation in a function, if there is one.
///
/// ```
/// use mir_nostd::codegen::{self, Rule};
/// use mir_nostd::machine::{Bank, Function, Generic, LowType, Operand, OperandFlags, VRegInfo};
/// use mir_nostd::target::Isa;
/// # fn main() -> Result<(), mir_nostd::machine::InsertError> {
/// # let system = testkit::SystemAllocator;
/// let isa = &target_s390x::ISA;
/// let mut function = Function::new(&system);
/// let (ty, bank) = (LowType::S64, Bank::General);
/// let info = VRegInfo { ty, bank, class: (isa.registers().class_of)(bank, ty) };
/// let [a, b] = [function.add_vreg(info)?, function.add_vreg(info)?];
/// let block = function.add_block()?;
/// function.layout.push(block)?;
/// let copy = [Operand::from(b).with(OperandFlags::DEF), a.into()];
/// let copy = function.append(block, Generic::Copy, ty, &copy)?;
///
/// // Nothing writes what the copy reads.
/// let violation = codegen::verify(&function, isa)?;
/// let found = violation.map(|violation| (violation.rule, violation.insn));
/// assert_eq!(found, Some((Rule::Undefined, Some(copy))));
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn verify(function: &Function<'_>, isa: &dyn Isa) -> Result<Option<Violation>, OutOfMemory> {
    if !layout_is_sound(function)? {
        let rule = Rule::Layout;
        return Ok(Some(Violation { rule, insn: None }));
    }
    for &block in &function.layout {
        let mut is_end = false;
        for insn in function.insns(block) {
            let row = function.insn(insn);
            let flags = properties::flags(isa, row);
            let is_property = row.opcode.generic().is_some_and(Generic::is_property);
            let broken = match row.opcode.row().and_then(|row| isa.insns().get(row)) {
                _ if is_end && !flags.contains(InsnFlags::TERMINATOR) => Some(Rule::Terminator),
                Some(row) => of_row(function, isa, insn, row),
                None if is_property => None,
                None => of_copy(function, insn),
            };
            if let Some(rule) = broken {
                let insn = Some(insn);
                return Ok(Some(Violation { rule, insn }));
            }
            is_end |= flags.contains(InsnFlags::TERMINATOR);
        }
    }
    if let Some(insn) = read_behind_end(function, isa)? {
        let (rule, insn) = (Rule::Ended, Some(insn));
        return Ok(Some(Violation { rule, insn }));
    }
    undefined(function, isa)
}

/// Returns the first violation in a function of generic instructions in SSA form, if there is one.
/// A register that nothing writes may be read: it holds anything.
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn verify_ssa(
    function: &Function<'_>,
    isa: &dyn Isa,
) -> Result<Option<Violation>, OutOfMemory> {
    let broken = |rule, insn| Ok(Some(Violation { rule, insn }));
    if !layout_is_sound(function)? {
        return broken(Rule::Layout, None);
    }
    let allocator = function.allocator();
    let flow = Flow::new(function, isa, allocator)?;
    let chains = UseDefs::new(function, allocator)?;
    // The index of each instruction in its block.
    let mut places = Vec::new(allocator);
    places.resize(function.insn_count(), 0_u32)?;
    for &block in &function.layout {
        for (place, insn) in (0..).zip(function.insns(block)) {
            places[insn.index()] = place;
        }
    }
    for vreg in (0..function.vreg_count() as u32).map(VReg::new) {
        let definition = match *chains.definitions(vreg) {
            [] => continue,
            [definition] => definition,
            [_, second, ..] => return broken(Rule::Ssa, Some(second)),
        };
        let from = function.insn(definition).block();
        for &user in chains.uses(vreg) {
            let at = function.insn(user).block();
            let is_before = if is_phi(function, user) {
                let mut read = function.operands(user).get(1..).unwrap_or(&[]).chunks(2);
                read.all(|pair| match *pair {
                    [value, source] if value.vreg() == Some(vreg) => source
                        .as_block()
                        .is_some_and(|source| reaches(&flow, from, source)),
                    _ => true,
                })
            } else if at == from {
                places[definition.index()] < places[user.index()]
            } else {
                reaches(&flow, from, at)
            };
            if !is_before {
                return broken(Rule::Ssa, Some(user));
            }
        }
    }
    Ok(None)
}

/// Returns whether `from` dominates `to`, or `to` is unreachable.
fn reaches(flow: &Flow<'_>, from: BlockId, to: BlockId) -> bool {
    flow.place(to).is_none() || flow.dominates(from, to)
}

fn layout_is_sound(function: &Function<'_>) -> Result<bool, OutOfMemory> {
    let mut seen = Vec::new(function.allocator());
    seen.resize(function.block_count(), false)?;
    for &block in &function.layout {
        if core::mem::replace(&mut seen[block.index()], true) {
            return Ok(false);
        }
    }
    let targets = function.layout.iter().flat_map(|&block| {
        let operands = function
            .insns(block)
            .flat_map(|insn| function.operands(insn));
        operands.filter_map(|operand| operand.as_block())
    });
    Ok({ targets }.all(|block| seen.get(block.index()).copied().unwrap_or(false)))
}

/// Returns the rule that a generic instruction violates: it must be a copy.
fn of_copy(function: &Function<'_>, insn: InsnId) -> Option<Rule> {
    let is_copy = function.insn(insn).opcode.generic() == Some(Generic::Copy);
    let is_right = match function.operands(insn) {
        [to, from] => to.is_def() && !from.is_def() && is_register(*to) && is_register(*from),
        _ => false,
    };
    match (is_copy, is_right) {
        (false, _) => Some(Rule::Generic),
        (true, false) => Some(Rule::Operands),
        (true, true) => None,
    }
}

fn is_register(operand: Operand) -> bool {
    operand.kind() == OperandKind::Register
}

fn of_row(function: &Function<'_>, isa: &dyn Isa, insn: InsnId, row: &InsnRow) -> Option<Rule> {
    let operands = function.operands(insn);
    for (number, kind) in row.operands.iter().enumerate() {
        let Some(&operand) = operands.get(number) else {
            return Some(Rule::Operands);
        };
        let (class, is_def) = match *kind {
            OperandRow::Def(class) | OperandRow::EarlyDef(class) => (class, true),
            // The operand is the object's address, until the frame is laid out.
            OperandRow::Use(_) if operand.as_frame().is_some() => continue,
            OperandRow::Use(class) | OperandRow::Tied(class, _) => (class, false),
            OperandRow::Address(_) if !is_register(operand) => continue,
            OperandRow::Address(class) => (class, false),
            OperandRow::Immediate | OperandRow::Label if is_register(operand) => {
                return Some(Rule::Operands);
            }
            _ => continue,
        };
        if !is_register(operand) || operand.is_def() != is_def {
            return Some(Rule::Operands);
        }
        if let Some(vreg) = operand.vreg()
            && isa.registers().class(class).bank != function.vreg(vreg).bank
        {
            return Some(Rule::Bank);
        }
        if let OperandRow::Tied(_, def) = *kind {
            let def = operands.get(usize::from(def))?;
            if def.as_reg() != operand.as_reg() {
                return Some(Rule::Tie);
            }
        }
    }
    let is_explicit = |operand: &Operand| {
        is_register(*operand) && !operand.flags().contains(OperandFlags::IMPLICIT)
    };
    let rest = operands.get(row.operands.len()..).unwrap_or(&[]);
    rest.iter().any(is_explicit).then_some(Rule::Operands)
}

/// Returns whether an operand reads its register: writing a part keeps the rest, unless that does
/// not matter.
fn is_read(operand: Operand) -> bool {
    let reads = !operand.is_def() || operand.sub() != SubIndex(0);
    reads && !operand.flags().contains(OperandFlags::UNDEF)
}

/// Returns a read, in the same block, of a value after the operand marked `killed` or `dead`.
/// Across blocks [`undefined`] finds those of virtual registers.
fn read_behind_end(function: &Function<'_>, isa: &dyn Isa) -> Result<Option<InsnId>, OutOfMemory> {
    let units = |reg: Reg| isa.registers().units(reg);
    // The last block in which the value of each virtual register ended without a later definition,
    // and the same for units.
    let mut ended = Vec::new(function.allocator());
    ended.resize(function.vreg_count(), None)?;
    for &block in &function.layout {
        let mut ended_units = UnitSet::EMPTY;
        for insn in function.insns(block) {
            let operands = function.operands(insn);
            for operand in operands.iter().filter(|operand| is_read(**operand)) {
                let is_ended = match (operand.vreg(), operand.as_reg()) {
                    (Some(vreg), _) => ended.get(vreg.index()) == Some(&Some(block)),
                    (None, reg) => reg.is_some_and(|reg| ended_units.overlaps(units(reg))),
                };
                if is_ended {
                    return Ok(Some(insn));
                }
            }
            let uses = operands.iter().filter(|operand| !operand.is_def());
            let defs = operands.iter().filter(|operand| operand.is_def());
            for operand in uses.chain(defs) {
                let ends = ends_here(*operand);
                if let Some(place) = operand.vreg().and_then(|vreg| ended.get_mut(vreg.index())) {
                    *place = if ends {
                        Some(block)
                    } else {
                        place.filter(|_| !operand.is_def())
                    };
                } else if let Some(reg) = operand.as_reg() {
                    if operand.is_def() {
                        ended_units = ended_units.without(units(reg));
                    }
                    if ends {
                        ended_units = ended_units.union(units(reg));
                    }
                }
            }
        }
    }
    Ok(None)
}

/// Returns whether an operand is marked as the last one of its value.
fn ends_here(operand: Operand) -> bool {
    let mark = if operand.is_def() {
        OperandFlags::DEAD
    } else {
        OperandFlags::KILL
    };
    operand.flags().contains(mark)
}

/// Returns a read of a virtual register that some path from the entry reaches without a definition.
fn undefined(function: &Function<'_>, isa: &dyn Isa) -> Result<Option<Violation>, OutOfMemory> {
    let allocator = function.allocator();
    let words = function.vreg_count().div_ceil(64);
    let Some(&entry) = function.layout.first() else {
        return Ok(None);
    };
    // For each block, the registers that are written on every path to its start; all of them until
    // a path is known.
    let mut known = Vec::new(allocator);
    known.resize(function.block_count() * words, u64::MAX)?;
    let of = |block: crate::machine::BlockId| block.index() * words..(block.index() + 1) * words;
    if let Some(first) = known.get_mut(of(entry)) {
        first.fill(0);
    }
    let edges = properties::edges(function, isa, allocator)?;
    let mut now = Vec::new(allocator);
    let mut changed = true;
    let mut found = None;
    while core::mem::take(&mut changed) {
        found = None;
        for &block in &function.layout {
            now.clear();
            now.extend_from_slice(known.get(of(block)).unwrap_or(&[]))?;
            for insn in function.insns(block) {
                let missing = step(function.operands(insn), &mut now);
                if found.is_none() && missing {
                    found = Some(insn);
                }
            }
            for &next in edges.successors(block) {
                let places = known.get_mut(of(next)).unwrap_or(&mut []);
                for (place, &now) in places.iter_mut().zip(&now) {
                    changed |= *place & !now != 0;
                    *place &= now;
                }
            }
        }
    }
    let rule = Rule::Undefined;
    Ok(found.map(|insn| Violation {
        rule,
        insn: Some(insn),
    }))
}

/// Applies an instruction. Returns whether it reads a register that is not written, or ended
/// before.
fn step(operands: &[Operand], written: &mut [u64]) -> bool {
    let has = |written: &[u64], vreg: VReg| {
        let word = written.get(vreg.index() / 64).copied().unwrap_or(0);
        word >> (vreg.index() % 64) & 1 != 0
    };
    let mut is_missing = false;
    for operand in operands.iter().filter(|operand| is_read(**operand)) {
        if let Some(vreg) = operand.vreg() {
            is_missing |= !has(written, vreg);
        }
    }
    let uses = operands.iter().filter(|operand| !operand.is_def());
    let defs = operands.iter().filter(|operand| operand.is_def());
    for operand in uses.chain(defs) {
        let Some(vreg) = operand.vreg() else {
            continue;
        };
        let (word, bit) = (written.get_mut(vreg.index() / 64), 1 << (vreg.index() % 64));
        match (word, ends_here(*operand)) {
            (Some(word), true) => *word &= !bit,
            (Some(word), false) if operand.is_def() => *word |= bit,
            _ => {}
        }
    }
    is_missing
}
