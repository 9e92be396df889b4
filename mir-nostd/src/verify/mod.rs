//! The verifier: the rules that must hold before anything else touches a module.
//!
//! Promises: a module that passes [`verify`] for a target can be linked, interpreted and compiled
//! for it without any of these checks failing later. Every violation is reported, with function and
//! instruction, not only the first. Time is linear in the size of the module; memory is taken only
//! for modules with `expr` items, a byte per function. Numbers that are not of the module are
//! violations too, never a panic.

mod call;
mod floats;
mod func;
mod operand;

pub use floats::integers_only;

use crate::ir::{
    Error, FuncId, Item, ItemId, ItemKind, Label, Module, Place, Problem, Result, Signature, Type,
};
use crate::mem::{Entity, Vec};
use crate::num::LongDoubleFormat;
use crate::target::Target;

/// One violation of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The problem and its place.
    pub error: Error,
    /// The declaration that the violation is about besides its place: an `export` or `forward` that
    /// is never defined.
    pub declaration: Option<ItemId>,
    /// True if the module may be used nevertheless.
    pub is_warning: bool,
}

/// Checks a module for a target and reports every violation to `sink`, in the order of the items.
///
/// ```
/// use mir_nostd::ir::{Code, Module, Problem, SignatureSpec};
/// use mir_nostd::verify::{Violation, verify};
/// # fn check(module: &Module<'_>, target: &mir_nostd::target::Target) {
/// let mut warnings = 0;
/// let verdict = verify(module, target, &mut |violation: Violation| {
///     warnings += usize::from(violation.is_warning);
/// });
/// if let Err(error) = verdict {
///     println!("{error}");
/// }
/// # }
/// ```
///
/// # Errors
///
/// The first violation that is more than a warning; out of memory.
#[cfg_attr(small_code, inline(never))]
pub fn verify(module: &Module<'_>, target: &Target, sink: &mut dyn FnMut(Violation)) -> Result<()> {
    let mut verifier = Verifier {
        module,
        target,
        sink,
        first: None,
        uses_long_double: false,
        suits_expr: Vec::new(module.allocator()),
    };
    verifier.check_module()?;
    verifier.first.map_or(Ok(()), Err)
}

/// A module that passed [`verify`] for a target, for [`crate::link::Context::load`].
pub struct Verified<'m> {
    module: Module<'m>,
    target: &'static Target,
}

impl core::fmt::Debug for Verified<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let verified = &mut f.debug_struct("Verified");
        verified
            .field("target", &self.target.name)
            .finish_non_exhaustive()
    }
}

/// A module that did not pass, with the first violation that is more than a warning.
pub struct Rejected<'m> {
    /// The module, to show the problem.
    pub module: Module<'m>,
    /// The reason for the rejection.
    pub error: Error,
}

impl core::fmt::Debug for Rejected<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let rejected = &mut f.debug_struct("Rejected");
        rejected.field("error", &self.error).finish_non_exhaustive()
    }
}

impl From<Rejected<'_>> for Error {
    fn from(rejected: Rejected<'_>) -> Error {
        rejected.error
    }
}

impl<'m> Verified<'m> {
    /// Checks a module as [`verify`] does and keeps it unchanged from then on.
    ///
    /// # Errors
    ///
    /// As [`verify`]; the module comes back with the error.
    #[expect(
        clippy::result_large_err,
        reason = "the module is given back, not copied anew"
    )]
    pub fn new(
        module: Module<'m>,
        target: &'static Target,
        sink: &mut dyn FnMut(Violation),
    ) -> Result<Verified<'m>, Rejected<'m>> {
        match verify(&module, target, sink) {
            Ok(()) => Ok(Verified { module, target }),
            Err(error) => Err(Rejected { module, error }),
        }
    }

    /// Keeps a module that was rewritten after it had passed: it may contain `ensure` and `reach`.
    ///
    /// # Safety
    ///
    /// The module passes [`verify`] but for these instructions, whose operands have the modes of
    /// their rows. The tables of windows live as long as anything that is linked.
    #[doc(hidden)]
    #[expect(unsafe_code, reason = "what is not verified is vouched for")]
    pub const unsafe fn rewritten(module: Module<'m>, target: &'static Target) -> Verified<'m> {
        Verified { module, target }
    }

    /// Returns the module.
    #[must_use]
    pub const fn module(&self) -> &Module<'m> {
        &self.module
    }

    /// Returns the target that the module was checked for.
    #[must_use]
    pub const fn target(&self) -> &'static Target {
        self.target
    }

    /// Returns the module, to be changed and checked again.
    #[must_use]
    pub fn into_module(self) -> Module<'m> {
        self.module
    }
}

/// The state of a check.
struct Verifier<'a, 'm> {
    module: &'a Module<'m>,
    target: &'a Target,
    sink: &'a mut dyn FnMut(Violation),
    first: Option<Error>,
    /// True if the type `ld` or a constant of it occurred.
    uses_long_double: bool,
    /// For each function, true if an `expr` may call it; empty in modules without `expr`.
    suits_expr: Vec<'m, bool>,
}

/// The maximum number of bytes of the arguments and results of one call together.
const MAX_CALL_BYTES: u64 = crate::target::MAX_STACK_BYTES as u64;

/// The maximum number of bytes that one argument or result takes on any target besides the bytes of
/// a block: a slot, its padding, a copy.
const SLOT_BYTES: u64 = 48;

/// The weight of a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Severity {
    Error,
    Warning,
}

impl Verifier<'_, '_> {
    fn check_module(&mut self) -> Result<()> {
        let is_expr = |item: &Item| matches!(item.kind, ItemKind::Expr { .. });
        if self.module.items().any(|(_, item)| is_expr(item)) {
            self.suits_expr.resize(self.module.funcs().len(), false)?;
        }
        for (number, item) in self.module.items() {
            self.check_item(number, item);
        }
        self.check_exprs();
        self.check_long_double();
        Ok(())
    }

    #[cfg_attr(small_code, inline(never))]
    fn check_item(&mut self, number: ItemId, item: &Item) {
        let place = Place::Item(number);
        match item.kind {
            ItemKind::Import | ItemKind::Bss { .. } | ItemKind::Expr { .. } => {}
            ItemKind::Export | ItemKind::Forward => {
                if self.undefined(number) {
                    self.report(
                        Problem::NeverDefined,
                        place,
                        Some(number),
                        Severity::Warning,
                    );
                }
            }
            ItemKind::Proto(signature) => self.check_signature(&signature, place),
            ItemKind::Func(func) => self.check_func(func),
            ItemKind::Data(data) => self.note_type(data.ty),
            ItemKind::Ref { item, .. } => {
                if let Err(problem) = self.check_reference(item) {
                    self.report(problem, place, Some(item), Severity::Error);
                }
            }
            ItemKind::Lref { label, label2, .. } => self.check_lref(place, label, label2),
        }
    }

    /// Returns whether the item is an `export` or `forward` of something that the module does not
    /// define.
    fn undefined(&self, item: ItemId) -> bool {
        let resolved = self.module.resolve(item);
        matches!(
            self.module.item(resolved).kind,
            ItemKind::Export | ItemKind::Forward
        )
    }

    /// Checks that the item can be referred to.
    fn check_reference(&self, item: ItemId) -> Result<(), Problem> {
        if item.index() >= self.module.items().len() {
            Err(Problem::UndeclaredName)
        } else if self.undefined(item) {
            Err(Problem::NeverDefined)
        } else {
            Ok(())
        }
    }

    fn check_lref(&mut self, place: Place, label: Label, label2: Option<Label>) {
        let func = self.module.label_func(label);
        let func2 = label2.map_or(func, |label| self.module.label_func(label));
        if func.is_none() || func2.is_none() {
            self.error(Problem::LrefUndefined, place);
        } else if func != func2 {
            self.error(Problem::LrefFunctions, place);
        }
    }

    /// Checks the functions that `expr` items name, after the instructions of all functions were
    /// seen.
    fn check_exprs(&mut self) {
        for (number, item) in self.module.items() {
            let ItemKind::Expr { func } = item.kind else {
                continue;
            };
            if !self.may_be_expr(func) {
                self.error(Problem::ExprFunction, Place::Item(number));
            }
        }
    }

    fn may_be_expr(&self, func: ItemId) -> bool {
        if func.index() >= self.module.items().len() {
            return false;
        }
        match self.module.item(self.module.resolve(func)).kind {
            ItemKind::Func(func) => self.suits_expr.get(func.index()) == Some(&true),
            _ => false,
        }
    }

    /// Records whether an `expr` may call a function, by its signature and its instructions.
    fn note_expr(&mut self, func: FuncId, computes_only: bool) {
        let signature = self.module.func(func).signature;
        let suits = computes_only
            && !signature.is_vararg()
            && self.module.args(&signature).is_empty()
            && self.module.results(&signature).len() == 1;
        if let Some(noted) = self.suits_expr.get_mut(func.index()) {
            *noted = suits;
        }
    }

    fn check_signature(&mut self, signature: &Signature, place: Place) {
        let module = self.module;
        let mut bytes = 0_u64;
        for &ty in module.results(signature) {
            self.note_type(ty);
            bytes = bytes.saturating_add(SLOT_BYTES);
        }
        for arg in module.args(signature) {
            self.note_type(arg.ty);
            bytes = bytes.saturating_add(SLOT_BYTES).saturating_add(arg.size);
        }
        if bytes > MAX_CALL_BYTES {
            self.error(Problem::CallTooLarge, place);
        }
    }

    fn note_type(&mut self, ty: Type) {
        self.uses_long_double |= ty == Type::Ld;
    }

    /// Checks that the module's long doubles are the target's. A module read for a target whose
    /// long double is double holds none any more, so it is for such targets only.
    fn check_long_double(&mut self) {
        let (own, wanted) = (self.module.long_double(), self.target.long_double);
        if own != wanted && (self.uses_long_double || own == LongDoubleFormat::Double) {
            self.error(Problem::LongDoubleOfTarget, Place::Unknown);
        }
    }

    fn error(&mut self, problem: Problem, place: Place) {
        self.report(problem, place, None, Severity::Error);
    }

    #[cfg_attr(small_code, inline(never))]
    fn report(
        &mut self,
        problem: Problem,
        place: Place,
        declaration: Option<ItemId>,
        severity: Severity,
    ) {
        let error = Error::at(problem, place);
        if severity == Severity::Error && self.first.is_none() {
            self.first = Some(error);
        }
        (self.sink)(Violation {
            error,
            declaration: declaration.filter(|_| problem == Problem::NeverDefined),
            is_warning: severity == Severity::Warning,
        });
    }
}
