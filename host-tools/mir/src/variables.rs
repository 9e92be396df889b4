//! This module tells debuggers of the variables of a function: their names, their types, and where
//! in the frame each of them is.
//!
//! At level 0 every variable of Medium IR has a place in the frame from the entry to the end
//! (`Execution::variables`), so that a debugger finds it wherever the function stops, and may
//! change it. Above that level values are no longer those of variables: a variable has a name then,
//! and a place only where a register or a spill slot holds it for certain, or a number that it is
//! known to have ([`arguments`](crate::arguments)).
//! Elsewhere debuggers show it as optimised out.
//!
//! The variables of the C, C++ or Rust that a text in LLVM IR was made from are `alloca`s there.
//! The importer made a variable of Medium IR of each, or a part of the memory that one has the
//! address of ([`Slot`]). Where clang or rustc has optimised they are values, which debug records
//! tell of ([`records`]).

use crate::arguments::{self, Holder, Range, ranges};
use crate::records;
use crate::unwind::number;
use gimli::write::{
    Address, AttributeValue, Expression, Location, LocationList, Unit, UnitEntryId,
};
use gimli::{DwAte, DwTag, Register, constants};
use llvm_ir::{DebugInfo, DebugType, Member, Slot, VariableValues};
use mir_nostd::codegen::Compiler;
use mir_nostd::ir::{self, FuncId, Module};
use mir_nostd::machine::VariablePlace;
use mir_nostd::mem::Entity;
use std::collections::HashMap;
use std::sync::Arc;

/// The variables of a function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Variables {
    /// The register from which the offsets count, from the end of the prologue on.
    base: Option<Register>,
    variables: Vec<Variable>,
    /// The types of the program that LLVM IR was made from.
    types: Option<Arc<DebugInfo>>,
}

/// A variable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
    /// True for an argument of the function.
    is_argument: bool,
    /// Its place, if it has one for the whole function.
    place: Option<Place>,
    /// The parts of the code in which a place holds it, if it has no such place.
    ranges: Vec<Range>,
}

/// The type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Type {
    /// One of Medium IR.
    Medium(ir::Type),
    /// The type of this node of LLVM IR.
    Node(u32),
}

/// The place of a variable.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// So many bytes from the base.
    Frame(i64),
    /// So many bytes above the address that lies so many bytes from the base.
    Memory(i64, i64),
    /// Nowhere: it has this value.
    Constant(i64),
}

/// The entries of the types in a unit.
#[derive(Default, Debug)]
pub(crate) struct Types {
    /// `None` for a type that cannot be told.
    entries: HashMap<Type, Option<UnitEntryId>>,
    /// The entries without content: types may lead back to themselves.
    open: Vec<(DebugType, UnitEntryId)>,
}

impl Variables {
    /// Returns the variables of Medium IR of a function that was compiled last.
    pub(crate) fn of_medium(
        module: &Module<'_>,
        func: FuncId,
        compiler: &Compiler<'_>,
    ) -> Variables {
        let function = module.func(func);
        let arguments = module.args(&function.signature);
        let mut ranges = ranges(module, func, compiler);
        let fixed = fixed(module, func, compiler);
        let variable = |(number, register): (usize, &ir::Register)| {
            let place = (offset(compiler, number).map(Place::Frame))
                .or_else(|| fixed.get(&number).copied().map(Place::Constant));
            let held = ranges.remove(&number).filter(|_| place.is_none());
            let is_pointer = { arguments.get(number) }.is_some_and(|arg| arg.ty == ir::Type::P);
            let ty = match &held {
                _ if is_pointer => ir::Type::P,
                Some(held) if held.ty.size() < 8 => held.ty,
                _ => register.ty,
            };
            Variable {
                name: String::from_utf8_lossy(module.name_bytes(register.name)).into_owned(),
                ty: Type::Medium(ty),
                is_argument: number < function.arg_count(),
                place,
                ranges: held.map(|held| held.ranges).unwrap_or_default(),
            }
        };
        let variables = function.registers().iter().enumerate().map(variable);
        Variables {
            base: base(compiler),
            variables: variables.collect(),
            types: None,
        }
    }

    /// Returns the variables that the program in LLVM IR of a function that was compiled last
    /// declares, and which `lines` leads to.
    pub(crate) fn of_source(
        module: &Module<'_>,
        func: FuncId,
        compiler: &Compiler<'_>,
        (lines, types): (&llvm_ir::Lines, &Arc<DebugInfo>),
    ) -> Variables {
        let declared = lines.head(func).map(|head| types.declared(head));
        let registers = module.func(func).registers();
        let fixed = fixed(module, func, compiler);
        let place = |slot, ty| match slot {
            Slot::Variable(reg) => {
                let is_integer = { registers.get(reg.index()) }
                    .is_some_and(|register| register.ty == ir::Type::I64);
                let is_upper = is_integer && compiler.isa().target().big_endian;
                let before = match bytes_of(types, ty) {
                    bytes @ 1..8 if is_upper => 8 - bytes.cast_signed(),
                    _ => 0,
                };
                let in_frame = offset(compiler, reg.index());
                let in_frame = in_frame.map(|offset| Place::Frame(offset + before));
                in_frame.or_else(|| fixed.get(&reg.index()).copied().map(Place::Constant))
            }
            Slot::Memory(reg, above) => Some(Place::Memory(offset(compiler, reg.index())?, above)),
        };
        let ranges = ranges(module, func, compiler);
        let held = |slot, ty| match slot {
            Slot::Variable(reg) => {
                let ranges = ranges.get(&reg.index())?;
                let (bytes, whole) = (bytes_of(types, ty), u64::from(ranges.ty.size()));
                let is_part = ranges.ty == ir::Type::I64 && (1..8).contains(&bytes);
                let above = match compiler.isa().target().big_endian {
                    true => whole.saturating_sub(bytes).cast_signed(),
                    false => 0,
                };
                let low = |&(start, end, holder): &Range| match holder {
                    Holder::Memory(place) => (start, end, Holder::Memory(place + above)),
                    Holder::Register(_) | Holder::Frame(_) | Holder::Number(_) => {
                        (start, end, holder)
                    }
                };
                (bytes == whole || is_part).then(|| ranges.ranges.iter().map(low).collect())
            }
            Slot::Memory(..) => None,
        };
        let variables = { declared.into_iter().flatten() }.map(|variable| {
            let slot = lines.slot(func, &variable.slot);
            let ranges = slot.and_then(|slot| held(slot, variable.ty));
            Variable {
                name: variable.name,
                ty: Type::Node(variable.ty),
                is_argument: variable.argument.is_some(),
                place: slot.and_then(|slot| place(slot, variable.ty)),
                ranges: ranges.unwrap_or_default(),
            }
        });
        let mut variables: Vec<Variable> = variables.collect();
        let in_frame = |reg, ty| match place(Slot::Variable(reg), ty) {
            Some(Place::Frame(offset)) => Some(vec![(0, u32::MAX, Holder::Frame(offset))]),
            _ => None,
        };
        let held = |reg, ty| in_frame(reg, ty).or_else(|| held(Slot::Variable(reg), ty));
        variables.extend(recorded(func, compiler, (lines, types), &held));
        Variables {
            base: base(compiler),
            variables,
            types: Some(Arc::clone(types)),
        }
    }

    /// Adds them to the entry of the function in a unit, whose code begins at `start`.
    pub(crate) fn add(
        &self,
        unit: &mut Unit,
        (function, start): (UnitEntryId, Address),
        types: &mut Types,
    ) {
        if let Some(base) = self.base {
            let mut expression = Expression::new();
            expression.op_breg(base, 0);
            let entry = unit.get_mut(function);
            let base = AttributeValue::Exprloc(expression);
            entry.set(constants::DW_AT_frame_base, base);
        }
        let info = self.types.as_deref();
        for variable in &self.variables {
            let ty = match variable.ty {
                Type::Medium(ty) => Some(types.medium(unit, ty)),
                Type::Node(node) => info.and_then(|info| types.node(unit, info, node)),
            };
            let Some(ty) = ty else { continue };
            let tag = match variable.is_argument {
                true => constants::DW_TAG_formal_parameter,
                false => constants::DW_TAG_variable,
            };
            let id = unit.add(function, tag);
            let entry = unit.get_mut(id);
            entry.set(constants::DW_AT_name, text(&variable.name));
            entry.set(constants::DW_AT_type, AttributeValue::UnitRef(ty));
            if let (Some(place), Some(_)) = (variable.place, self.base) {
                let place = AttributeValue::Exprloc(place.expression());
                entry.set(constants::DW_AT_location, place);
            } else if !variable.ranges.is_empty() {
                let list = variable
                    .ranges
                    .iter()
                    .filter_map(|range| located(start, *range));
                let list = unit.locations.add(LocationList(list.collect()));
                let list = AttributeValue::LocationListRef(list);
                unit.get_mut(id).set(constants::DW_AT_location, list);
            }
        }
        if let Some(info) = info {
            types.finish(unit, info);
        }
    }
}

/// Returns the variables that debug records of a function give values, by the ranges in which
/// places hold those of Medium IR as a type of the program.
fn recorded(
    func: FuncId,
    compiler: &Compiler<'_>,
    (lines, types): (&llvm_ir::Lines, &Arc<DebugInfo>),
    held: &dyn Fn(ir::Reg, u32) -> Option<Vec<Range>>,
) -> Vec<Variable> {
    let own: Vec<_> = (lines.values(func).iter())
        .filter_map(|values| Some((values, types.variable(values.variable, values.location)?)))
        .collect();
    let parts = match own.is_empty() {
        true => Vec::new(),
        false => records::parts(compiler),
    };
    let mut variables: Vec<(Option<u32>, Variable)> = Vec::new();
    for (number, (values, variable)) in own.iter().enumerate() {
        let same = |(other, _): &(&VariableValues, _)| other.variable == values.variable;
        // Records of one variable at several locations may end one another.
        let is_only = own.iter().filter(|other| same(other)).count() == 1;
        if !is_only && own[..number].iter().any(same) {
            continue;
        }
        let registers = values.registers().into_iter();
        let known: HashMap<ir::Reg, Vec<Range>> = registers
            .filter_map(|reg| Some((reg, held(reg, variable.ty)?)))
            .collect();
        let ranges = match is_only {
            true => records::ranges(&parts, values, &|reg| {
                known.get(&reg).map_or(&[], Vec::as_slice)
            }),
            false => Vec::new(),
        };
        let made = Variable {
            name: variable.name.clone(),
            ty: Type::Node(variable.ty),
            is_argument: variable.argument.is_some(),
            place: None,
            ranges,
        };
        variables.push((variable.argument, made));
    }
    variables.sort_by_key(|(argument, _)| argument.unwrap_or(u32::MAX));
    variables
        .into_iter()
        .map(|(_, variable)| variable)
        .collect()
}

/// Returns where a variable is in a part of a function's code.
fn located(start: Address, (from, end, holder): Range) -> Option<Location> {
    let begin = match start {
        Address::Constant(address) => Address::Constant(address + u64::from(from)),
        Address::Symbol { symbol, addend } => Address::Symbol {
            symbol,
            addend: addend.checked_add(from.into())?,
        },
    };
    let mut data = Expression::new();
    match holder {
        Holder::Register(register) => data.op_reg(register),
        Holder::Memory(above) => {
            data.op(constants::DW_OP_call_frame_cfa);
            data.op_consts(above);
            data.op(constants::DW_OP_plus);
        }
        Holder::Frame(offset) => data.op_fbreg(offset),
        Holder::Number(value) => {
            data.op_consts(value);
            data.op(constants::DW_OP_stack_value);
        }
    }
    Some(Location::StartLength {
        begin,
        length: u64::from(end - from),
        data,
    })
}

impl Place {
    fn expression(self) -> Expression {
        let mut expression = Expression::new();
        match self {
            Place::Frame(offset) => expression.op_fbreg(offset),
            Place::Constant(value) => {
                expression.op_consts(value);
                expression.op(constants::DW_OP_stack_value);
            }
            Place::Memory(offset, above) => {
                expression.op_fbreg(offset);
                expression.op_deref();
                expression.op_plus_uconst(above.cast_unsigned());
            }
        }
        expression
    }
}

/// Returns the register that frame objects of the function that was compiled last lie at.
fn base(compiler: &Compiler<'_>) -> Option<Register> {
    let prologue = compiler.output.prologue?;
    Some(number(compiler.isa(), prologue.layout.base))
}

/// Returns the variables that have one integer wherever they have a value, if it is not known of
/// variables where they have which value.
fn fixed(module: &Module<'_>, func: FuncId, compiler: &Compiler<'_>) -> HashMap<usize, i64> {
    match compiler.output.variables {
        Some(_) => HashMap::new(),
        None => arguments::fixed(module, func),
    }
}

/// Returns the offset of a variable of Medium IR, if it has a place in the frame.
fn offset(compiler: &Compiler<'_>, variable: usize) -> Option<i64> {
    let function = &compiler.function;
    match function.variables.get(variable).copied().flatten()? {
        VariablePlace::Frame(frame) => Some(function.frame[frame].offset.into()),
        VariablePlace::Register(_) => None,
    }
}

/// Returns the size of a type, or of the one that it is another name of; 0 if it is not known.
fn bytes_of(info: &DebugInfo, node: u32) -> u64 {
    /// The most names that are followed: they may be written in a circle.
    const MOST: usize = 64;
    let ty = |node: &u32| info.ty(*node);
    let next = |node: &u32| ty(node).filter(|ty| ty.bytes == 0)?.base;
    let last = core::iter::successors(Some(node), next).take(MOST).last();
    last.and_then(|node| ty(&node)).map_or(0, |ty| ty.bytes)
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::String(text.as_bytes().to_vec())
}

impl Types {
    /// Returns the entry of a type of Medium IR.
    fn medium(&mut self, unit: &mut Unit, ty: ir::Type) -> UnitEntryId {
        let (name, encoding, bytes) = match ty {
            ir::Type::F => ("f", Some(constants::DW_ATE_float), 4),
            ir::Type::D => ("d", Some(constants::DW_ATE_float), 8),
            ir::Type::Ld => ("ld", Some(constants::DW_ATE_float), 16),
            ir::Type::P => ("p", None, 8),
            ir::Type::I8 => ("i8", Some(constants::DW_ATE_signed), 1),
            ir::Type::U8 => ("u8", Some(constants::DW_ATE_unsigned), 1),
            ir::Type::I16 => ("i16", Some(constants::DW_ATE_signed), 2),
            ir::Type::U16 => ("u16", Some(constants::DW_ATE_unsigned), 2),
            ir::Type::I32 => ("i32", Some(constants::DW_ATE_signed), 4),
            ir::Type::U32 => ("u32", Some(constants::DW_ATE_unsigned), 4),
            _ => ("i64", Some(constants::DW_ATE_signed), 8),
        };
        if let Some(&Some(known)) = self.entries.get(&Type::Medium(ty)) {
            return known;
        }
        let tag = match encoding {
            Some(_) => constants::DW_TAG_base_type,
            None => constants::DW_TAG_pointer_type,
        };
        let id = unit.add(unit.root(), tag);
        let entry = unit.get_mut(id);
        entry.set(constants::DW_AT_byte_size, AttributeValue::Udata(bytes));
        if let Some(encoding) = encoding {
            entry.set(constants::DW_AT_name, text(name));
            let encoding = AttributeValue::Encoding(encoding);
            entry.set(constants::DW_AT_encoding, encoding);
        }
        self.entries.insert(Type::Medium(ty), Some(id));
        id
    }

    /// Returns the entry of the type of a node, which [`Types::finish`] fills in.
    fn node(&mut self, unit: &mut Unit, info: &DebugInfo, node: u32) -> Option<UnitEntryId> {
        if let Some(&known) = self.entries.get(&Type::Node(node)) {
            return known;
        }
        let made = info.ty(node).and_then(|ty| {
            let id = unit.add(unit.root(), tag(&ty.tag)?);
            self.open.push((ty, id));
            Some(id)
        });
        self.entries.insert(Type::Node(node), made);
        made
    }

    /// Fills in all types of nodes, and those that they lead to.
    fn finish(&mut self, unit: &mut Unit, info: &DebugInfo) {
        while let Some((ty, id)) = self.open.pop() {
            let base = ty.base.and_then(|base| self.node(unit, info, base));
            let entry = unit.get_mut(id);
            if let Some(name) = &ty.name {
                entry.set(constants::DW_AT_name, text(name));
            }
            if ty.bytes > 0 {
                let bytes = AttributeValue::Udata(ty.bytes);
                entry.set(constants::DW_AT_byte_size, bytes);
            }
            if let Some(encoding) = ty.encoding.as_deref().and_then(encoding) {
                let encoding = AttributeValue::Encoding(encoding);
                entry.set(constants::DW_AT_encoding, encoding);
            }
            if let Some(base) = base {
                entry.set(constants::DW_AT_type, AttributeValue::UnitRef(base));
            }
            for member in &ty.members {
                self.add_member((unit, id), info, member);
            }
        }
    }

    fn add_member(
        &mut self,
        (unit, whole): (&mut Unit, UnitEntryId),
        info: &DebugInfo,
        member: &Member,
    ) {
        match member {
            Member::Field(name, offset, ty) => {
                let Some(ty) = self.node(unit, info, *ty) else {
                    return;
                };
                let id = unit.add(whole, constants::DW_TAG_member);
                let entry = unit.get_mut(id);
                entry.set(constants::DW_AT_name, text(name));
                entry.set(constants::DW_AT_type, AttributeValue::UnitRef(ty));
                let offset = AttributeValue::Udata(*offset);
                entry.set(constants::DW_AT_data_member_location, offset);
            }
            Member::Count(count) => {
                let id = unit.add(whole, constants::DW_TAG_subrange_type);
                let count = AttributeValue::Udata(*count);
                unit.get_mut(id).set(constants::DW_AT_count, count);
            }
            Member::Value(name, value) => {
                let id = unit.add(whole, constants::DW_TAG_enumerator);
                let entry = unit.get_mut(id);
                entry.set(constants::DW_AT_name, text(name));
                let value = AttributeValue::Sdata(*value);
                entry.set(constants::DW_AT_const_value, value);
            }
        }
    }
}

/// Returns the tag of this name, if it is that of a type that is told.
fn tag(name: &str) -> Option<DwTag> {
    Some(match name {
        "DW_TAG_array_type" => constants::DW_TAG_array_type,
        "DW_TAG_base_type" => constants::DW_TAG_base_type,
        "DW_TAG_class_type" => constants::DW_TAG_class_type,
        "DW_TAG_const_type" => constants::DW_TAG_const_type,
        "DW_TAG_enumeration_type" => constants::DW_TAG_enumeration_type,
        "DW_TAG_pointer_type" => constants::DW_TAG_pointer_type,
        "DW_TAG_reference_type" => constants::DW_TAG_reference_type,
        "DW_TAG_restrict_type" => constants::DW_TAG_restrict_type,
        "DW_TAG_rvalue_reference_type" => constants::DW_TAG_rvalue_reference_type,
        "DW_TAG_structure_type" => constants::DW_TAG_structure_type,
        "DW_TAG_subroutine_type" => constants::DW_TAG_subroutine_type,
        "DW_TAG_typedef" => constants::DW_TAG_typedef,
        "DW_TAG_union_type" => constants::DW_TAG_union_type,
        "DW_TAG_volatile_type" => constants::DW_TAG_volatile_type,
        _ => return None,
    })
}

/// Returns the encoding of this name.
fn encoding(name: &str) -> Option<DwAte> {
    Some(match name {
        "DW_ATE_boolean" => constants::DW_ATE_boolean,
        "DW_ATE_float" => constants::DW_ATE_float,
        "DW_ATE_signed" => constants::DW_ATE_signed,
        "DW_ATE_signed_char" => constants::DW_ATE_signed_char,
        "DW_ATE_unsigned" => constants::DW_ATE_unsigned,
        "DW_ATE_unsigned_char" => constants::DW_ATE_unsigned_char,
        "DW_ATE_UTF" => constants::DW_ATE_UTF,
        _ => return None,
    })
}
