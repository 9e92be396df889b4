//! The way in which values come back from functions: in registers, or in memory of the caller.
//!
//! LLVM returns a value in registers if its return convention has one for every scalar of it. Else
//! the function returns nothing: it stores the value, as any store of its type would, at an
//! address that the caller passes before all arguments. An integer of more than 64 bits is never
//! in registers on s390x. Sources: the parts on return values of the psABI documents, which LLVM
//! follows for what C can return, and for the rest what `llc` makes of it.

use super::expand::{check_data, mentioned};
use super::function::Lower;
use super::platform::Pairs;
use super::signature::{Passed, has_within};
use super::values::Held;
use super::{Importer, signature};
use crate::ast::{Attributes, Call, Const, Function, Op, Value};
use crate::error::{Result, SourcePosition};
use crate::types::{DEPTH, Type, TypeId};
use mir_nostd::ir::{Reg, Type as MediumType};
use mir_nostd::target::{Abi, ResultCursor, Results};

/// The way in which a function returns its value.
#[derive(Clone, Debug)]
pub(super) enum Returned {
    /// Each in the next register of its class.
    Registers(Vec<Passed>),
    /// In memory, whose address is this argument before all others.
    Memory(Passed),
}

impl Returned {
    /// Returns how each result of Medium IR holds parts of the value.
    pub(super) fn results(&self) -> &[Passed] {
        match self {
            Returned::Registers(results) => results,
            Returned::Memory(_) => &[],
        }
    }

    /// Returns the types of the results of Medium IR.
    pub(super) fn types(&self) -> Vec<MediumType> {
        let results = self.results().iter();
        results.map(|passed| passed.ty).collect()
    }

    /// Returns the argument that is the address of memory for the value.
    pub(super) const fn address(&self) -> Option<Passed> {
        match self {
            Returned::Registers(_) => None,
            Returned::Memory(address) => Some(*address),
        }
    }
}

/// Returns whether the registers hold all results of these types.
fn all_fit(abi: &Abi, results: Results, types: &[MediumType]) -> bool {
    let abi = Abi { results, ..*abi };
    let mut cursor = ResultCursor::new(&abi);
    let are_placed = types.iter().all(|&ty| cursor.place(ty).is_ok());
    are_placed && cursor.area_bytes() == 0
}

impl Importer<'_, '_> {
    /// Returns how a function returns a value of this type.
    pub(super) fn returned(
        &mut self,
        ty: TypeId,
        attributes: &Attributes,
        place: SourcePosition,
    ) -> Result<Returned> {
        let returned = Returned::Registers(self.pass_value(ty, attributes, place)?);
        if self.goes_by_lanes(ty) || self.is_in_registers(ty, &returned.types()) {
            return Ok(returned);
        }
        let extent = self.source.types.extent(ty);
        let size = extent.and_then(|extent| u32::try_from(extent.size).ok());
        let size = size.ok_or_else(|| place.error("the size of what is returned is not known"))?;
        Ok(Returned::Memory(signature::address_of(size)))
    }

    /// Returns whether LLVM returns a value in registers, or in memory that Medium IR has for a
    /// result as well: a long double alone.
    fn is_in_registers(&self, ty: TypeId, types: &[MediumType]) -> bool {
        if types == [MediumType::Ld] {
            return true;
        }
        let platform = self.platform;
        if platform.pairs == Pairs::ByAddress && self.has_wide_integer(ty) {
            return false;
        }
        let words: u32 = types.iter().map(|ty| ty.size().div_ceil(8)).sum();
        words <= platform.most_returned && all_fit(&self.target.abi, platform.returned, types)
    }

    /// Returns whether a type is or has an integer of more than 64 bits.
    fn has_wide_integer(&self, ty: TypeId) -> bool {
        let types = &self.source.types;
        has_within(types, ty, DEPTH, &|ty| {
            matches!(types.get(ty), Type::Int(65..))
        })
    }

    /// Returns whether Medium IR returns a value where LLVM does. Registers that LLVM has and C has
    /// not are memory in Medium IR (docs/abi.md).
    fn is_returned_alike(&self, returned: &Returned) -> bool {
        let (abi, types) = (&self.target.abi, returned.types());
        types == [MediumType::Ld] || all_fit(abi, abi.results, &types)
    }

    /// Returns whether a function returns a value elsewhere than LLVM has it.
    fn returns_apart(&mut self, function: &Function) -> bool {
        let place = function.place;
        let returned = self.returned(function.result, &function.result_attributes, place);
        returned.is_ok_and(|returned| !self.is_returned_alike(&returned))
    }

    /// Returns whether only functions of this module can call a function: what it takes or returns
    /// is elsewhere in LLVM.
    pub(super) fn is_called_from_here(&mut self, function: &Function) -> bool {
        function.foreign.is_some() || self.takes_lanes(function) || self.returns_apart(function)
    }

    /// Finds the functions whose addresses lead native code to values elsewhere than LLVM has them,
    /// or code of this module to such values of native code, and checks that no data has one.
    pub(super) fn find_apart(&mut self) -> Result<()> {
        let source = self.source;
        for function in &source.functions {
            if function.behind.is_some() {
                self.by_lanes.insert(function.name.clone());
                continue;
            }
            let is_apart = match (self.is_defined(function), self.takes_lanes(function)) {
                _ if function.foreign.is_some() => true,
                (true, false) => self.returns_apart(function),
                (true, true) => {
                    self.by_lanes.insert(function.name.clone());
                    false
                }
                (false, takes_lanes) => takes_lanes,
            };
            if is_apart {
                self.apart.insert(function.name.clone());
            }
        }
        let refusal =
            |name: &str| format!("{} cannot be expressed in Medium IR", self.refused(name));
        check_data(source, &self.apart, &refusal)
    }

    /// Returns what is said of the address of a function that passes values elsewhere than LLVM.
    fn refused(&self, name: &str) -> String {
        let number = self.functions.get(name);
        let function_of_name = number.and_then(|&number| self.source.functions.get(number));
        let foreign = function_of_name.and_then(|function| function.foreign);
        if let Some(convention) = foreign {
            return format!("the address of @{name}, a function of the convention `{convention}`,");
        }
        let function = match (self.by_lanes.contains(name), self.defines(name)) {
            (true, _) => {
                "a function that takes or returns vectors or half floats, \
                 for a function of another module"
            }
            (_, true) => "a function that returns more in registers than C can",
            (_, false) => {
                "a function of another module that takes or returns vectors or half floats"
            }
        };
        let behind = function_of_name.and_then(|function| function.behind.as_deref());
        let name = behind.unwrap_or(name);
        format!("the address of @{name}, {function},")
    }
}

impl<'s> Lower<'_, 's, '_> {
    /// Checks that what is called by another convention than C's is a function of this module.
    pub(super) fn check_convention(&self, call: &Call) -> Result<()> {
        let Some(convention) = call.foreign else {
            return Ok(());
        };
        match &call.callee {
            Value::Const(Const::Global(name)) if self.importer.defines(name) => Ok(()),
            _ => self.unsupported(format!(
                "a call by the convention `{convention}` of what is not in this module"
            )),
        }
    }

    /// Checks that a value comes back where LLVM returns it, unless the function is of this module.
    pub(super) fn check_returned(&self, call: &Call, returned: &Returned) -> Result<()> {
        if self.importer.is_returned_alike(returned) {
            return Ok(());
        }
        let Value::Const(Const::Global(name)) = &call.callee else {
            // With vectors what is called is found behind a gate: it is of this module.
            let mut types = call.args.iter().map(|arg| arg.ty).chain([call.result]);
            if types.any(|ty| self.importer.goes_by_lanes(ty)) {
                return Ok(());
            }
            return self.unsupported(
                "an indirect call of a function that returns more in registers than C can",
            );
        };
        if self.importer.defines(name) {
            return Ok(());
        }
        self.unsupported(format!(
            "the call of @{name}, a function of another module that returns more in registers \
             than C can,"
        ))
    }

    /// Checks that an instruction does no more than call a function that passes values elsewhere
    /// than LLVM has them: native code could get its address. Functions of this module may have the
    /// address of one that takes vectors, but no function of another module is called with it.
    pub(super) fn check_addresses(&self, op: &Op) -> Result<()> {
        let Importer {
            apart, by_lanes, ..
        } = &*self.importer;
        let callee = match op {
            Op::Call(call) => Some(&call.callee),
            _ => None,
        };
        let is_given_away = match callee {
            Some(Value::Const(Const::Global(name))) => {
                !name.starts_with("llvm.") && !self.importer.defines(name)
            }
            _ => false,
        };
        if apart.is_empty() && (by_lanes.is_empty() || !is_given_away) {
            return Ok(());
        }
        let mut found = None;
        op.each_value(&mut |value| {
            if let Value::Const(constant) = value
                && !callee.is_some_and(|callee| core::ptr::eq(callee, value))
            {
                let given = || mentioned(constant, by_lanes).filter(|_| is_given_away);
                found = found.or_else(|| mentioned(constant, apart)).or_else(given);
            }
        });
        match found {
            None => Ok(()),
            Some(name) => self.unsupported(self.importer.refused(name)),
        }
    }

    /// Returns the address of memory for what a call returns there. It is reused once the scratches
    /// are released, or is that call's alone.
    pub(super) fn memory_of_result(&mut self, returned: &Returned) -> Result<Option<Reg>> {
        match returned.address() {
            None => Ok(None),
            Some(address) if address.size <= 16 => self.kept_scratch().map(Some),
            Some(address) => self.first_alloca(address.size.into()).map(Some),
        }
    }

    /// Returns the parts of what a call returned: in these registers, or in memory.
    pub(super) fn returned_value(
        &mut self,
        ty: TypeId,
        returned: &Returned,
        regs: &[Reg],
        memory: Option<Reg>,
    ) -> Result<Vec<Held>> {
        match memory {
            Some(address) => self.load_parts(ty, Held::Reg(address)),
            None => self.received(ty, returned.results(), regs),
        }
    }
}
