//! Interprocedural register allocation: a call of a function of the same module clobbers only the
//! registers that the callee changes, once its code is known (Chow, "Minimizing register usage
//! penalty at procedure calls", 1988).
//!
//! Functions are compiled callees first, unless they are mutually recursive, and each is noted with
//! the registers that it leaves unchanged, in which its later callers keep values. Callee-saved
//! registers are restored as always; a call that never returns changes nothing for the callers of
//! the function that makes it.
//!
//! That holds if the call reaches exactly that code, and if no linker inserts code between that
//! writes registers: such registers are never allocated.

use crate::codegen::analysis::private_data::PrivateData;
use crate::codegen::helper::Helper;
use crate::ir::{FuncId, InsnId, ItemKind, Module, Operand as IrOperand};
use crate::machine::{BlockId, Function, Symbol, UnitSet};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// The known effects of the functions of a module as callees.
///
/// ```
/// use mir_nostd::codegen::{Callees, Compiler};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use mir_nostd::target::Isa;
/// # let system = testkit::SystemAllocator;
/// # let target = target_x86_64::ISA.target();
/// # let source = b"m: module
/// # forward second
/// # p: proto i64
/// # first: func i64
/// # local i64:a
/// # call p, second, a
/// # ret a
/// # endfunc
/// # second: func i64
/// # ret 2
/// # endfunc
/// # endmodule
/// # ";
/// # let long_double = target.long_double;
/// # let modules = mir_nostd::text::parse(source, &system, long_double, &mut |_| {})?;
/// # let module = &modules[0];
/// // The second function of this module is called by the first one.
/// let callees = Callees::new(module, &system)?;
/// let [second, first] = [callees.order()[0], callees.order()[1]];
/// assert_eq!((callees.needs(second), callees.needs(first)), (0, 1));
///
/// // Two compilers: the one of the first function is told what the second one changes.
/// let mut compilers = [second, first].map(|_| {
///     let mut compiler = Compiler::new(&target_x86_64::ISA, &system);
///     compiler.options.level = 3;
///     compiler.callees = callees.try_clone().ok();
///     compiler
/// });
/// let [one, other] = &mut compilers;
/// one.compile(module, second)?;
/// if let (Some(from), Some(to)) = (&one.callees, &mut other.callees) {
///     to.learn(second, from.effect(second));
/// }
/// other.compile(module, first)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Callees<'m> {
    /// The functions, callees before their callers.
    order: Vec<'m, FuncId>,
    known: Vec<'m, Callee>,
    /// The data of the module that no pointer leads to.
    data: PrivateData<'m>,
}

/// The known effect of a function.
#[derive(Clone, Copy, Debug)]
struct Callee {
    /// The index in the order. Only later functions use the effect, so that their code does not
    /// depend on when they are compiled.
    place: u32,
    /// The number of functions at the start of the order that are to be compiled before this one:
    /// at least those before it that it may call, be it in what it inlines.
    needs: u32,
    /// The same number for a function that may inline this one, this one included.
    reach: u32,
    /// The units that it leaves unchanged.
    preserved: UnitSet,
}

impl Callee {
    /// Nothing is known.
    const UNKNOWN: Callee = Callee {
        place: u32::MAX,
        needs: 0,
        reach: 0,
        preserved: UnitSet::EMPTY,
    };
}

impl<'m> Callees<'m> {
    /// The level from which on callees are worth knowing.
    pub const FROM_LEVEL: u8 = 3;

    /// Returns the callees of a module, of which nothing is known yet.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn new(
        module: &Module<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Callees<'m>, OutOfMemory> {
        let (order, known) = callees_first(module, allocator)?;
        let data = PrivateData::new(module, allocator)?;
        Ok(Callees { order, known, data })
    }

    /// Returns the data of the module that no pointer leads to.
    pub(crate) const fn data(&self) -> &PrivateData<'m> {
        &self.data
    }

    /// Returns the functions in the order in which they are to be compiled.
    #[must_use]
    pub fn order(&self) -> &[FuncId] {
        &self.order
    }

    fn known(&self, func: FuncId) -> Callee {
        let known = self.known.get(func.index()).copied();
        known.unwrap_or(Callee::UNKNOWN)
    }

    /// Returns the index of a function in that order.
    pub(crate) fn place(&self, func: FuncId) -> u32 {
        self.known(func).place
    }

    /// Returns the number of functions at the start of the order whose effects have to be known
    /// before this one is compiled: then its code is the same, whatever else is known.
    #[must_use]
    pub fn needs(&self, func: FuncId) -> usize {
        self.known(func).needs as usize
    }

    /// Returns a copy, for another compiler of the same module.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn try_clone(&self) -> Result<Callees<'m>, OutOfMemory> {
        let allocator = self.order.allocator();
        Ok(Callees {
            order: Vec::from_slice(allocator, &self.order)?,
            known: Vec::from_slice(allocator, &self.known)?,
            data: self.data.try_clone()?,
        })
    }

    /// Returns the units that a function leaves unchanged, as far as that is known: a compiler
    /// that has the table adds those of each function that it finished.
    #[must_use]
    pub fn effect(&self, func: FuncId) -> UnitSet {
        self.known(func).preserved
    }

    /// Notes the effect of a function that another compiler finished.
    pub fn learn(&mut self, func: FuncId, preserved: UnitSet) {
        if let Some(known) = self.known.get_mut(func.index()) {
            known.preserved = preserved;
        }
    }

    /// Returns the units that a call of `callee` by `caller` preserves, as far as the callee's code
    /// is known.
    pub(crate) fn preserved(&self, caller: FuncId, callee: FuncId) -> UnitSet {
        match [caller, callee].map(|func| self.known.get(func.index())) {
            [Some(caller), Some(callee)] if callee.place < caller.place => callee.preserved,
            _ => UnitSet::EMPTY,
        }
    }

    /// Forgets the effect of a function, as its code is not what calls reach after all.
    pub(crate) fn forget(&mut self, func: FuncId) {
        self.learn(func, UnitSet::EMPTY);
    }

    /// Notes the effect of a function that is finished.
    pub(crate) fn note(&mut self, func: FuncId, function: &Function<'_>, isa: &dyn Isa) {
        self.learn(
            func,
            isa.registers().allocatable.without(changed(function, isa)),
        );
    }
}

/// A function on the path of calls.
struct Caller {
    func: FuncId,
    /// The next instruction in which a call is looked for.
    next: Option<InsnId>,
    /// The greatest reach of the functions that it calls.
    reach: u32,
}

/// Returns the functions of a module, each after those that it calls by name, unless they are
/// mutually recursive, and what is known of them before any is compiled.
fn callees_first<'m>(
    module: &Module<'_>,
    allocator: &'m dyn Allocator,
) -> Result<(Vec<'m, FuncId>, Vec<'m, Callee>), OutOfMemory> {
    let count = module.funcs().count();
    let mut order = Vec::with_capacity(allocator, count)?;
    let mut known = Vec::new(allocator);
    known.resize(count, Callee::UNKNOWN)?;
    let mut is_seen = Vec::new(allocator);
    is_seen.resize(count, false)?;
    let mut path: Vec<'_, Caller> = Vec::new(allocator);
    for (func, _) in module.funcs() {
        let mut found = Some(func);
        loop {
            if let Some(func) = found.take() {
                if !core::mem::replace(&mut is_seen[func.index()], true) {
                    let next = module.insns(func).next();
                    let reach = 0;
                    path.push(Caller { func, next, reach })?;
                } else if let Some(caller) = path.last_mut()
                    && caller.func != func
                {
                    caller.reach = caller.reach.max(reach_of(known[func.index()]));
                }
            }
            let Some(caller) = path.last_mut() else {
                break;
            };
            if let Some(insn) = caller.next {
                caller.next = module.next(insn);
                found = called(module, insn);
                continue;
            }
            let place = order.len() as u32;
            let callee = Callee {
                place,
                needs: caller.reach.min(place),
                reach: caller.reach.max(place + 1),
                preserved: UnitSet::EMPTY,
            };
            known[caller.func.index()] = callee;
            order.push(caller.func)?;
            path.pop();
            if let Some(caller) = path.last_mut() {
                caller.reach = caller.reach.max(callee.reach);
            }
        }
    }
    Ok((order, known))
}

/// Returns the reach of a function for its callers: all if it is on the path itself, and so among
/// mutually recursive ones.
const fn reach_of(callee: Callee) -> u32 {
    match callee.place {
        u32::MAX => u32::MAX,
        _ => callee.reach,
    }
}

/// Returns the function of the module that an instruction calls by name.
fn called(module: &Module<'_>, insn: InsnId) -> Option<FuncId> {
    let callee = match module.operand(insn, 1)? {
        IrOperand::Item(item) if module.code(insn).is_call() => module.resolve(item),
        _ => return None,
    };
    match module.item(callee).kind {
        ItemKind::Func(func) => Some(func),
        _ => None,
    }
}

/// Returns the units that a finished function changes on paths that return, restored ones included.
fn changed(function: &Function<'_>, isa: &dyn Isa) -> UnitSet {
    let registers = isa.registers();
    let mut changed = UnitSet::EMPTY;
    let faults = function.symbols().any(is_fault);
    for &block in &function.layout {
        if faults && never_ends(function, block) {
            continue;
        }
        for (_, row) in function.rows(block) {
            for &operand in function.operands_of(row) {
                let units = match operand.as_reg() {
                    Some(reg) if operand.is_def() => registers.units(reg),
                    Some(_) => continue,
                    None => match function.mask(operand) {
                        Some(preserved) => UnitSet(u128::MAX).without(preserved),
                        None => continue,
                    },
                };
                changed = changed.union(units);
            }
        }
    }
    changed
}

/// Returns whether a symbol is a routine that ends the run.
fn is_fault(symbol: Symbol) -> bool {
    let faults = [Helper::Fault, Helper::FaultWith, Helper::OutOfFuel];
    faults
        .map(|helper| Symbol::Helper(helper.id()))
        .contains(&symbol)
}

/// Returns whether a block ends in a fault.
fn never_ends(function: &Function<'_>, block: BlockId) -> bool {
    let calls_fault = |insn| {
        let mut operands = function.operands(insn).iter();
        let calls = operands
            .clone()
            .any(|&operand| function.mask(operand).is_some());
        calls
            && operands.any(|operand| {
                operand
                    .as_symbol()
                    .is_some_and(|id| is_fault(function.symbol(id)))
            })
    };
    function.insns(block).any(calls_fault)
}
