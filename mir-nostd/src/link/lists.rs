//! The functions that run before `main` and after it, in their order.

use super::{Callable, Context, at_item};
use crate::ir::{ItemKind, Phase, Problem, Result, by_priority};
use crate::mem::Vec;

impl<'m> Context<'m> {
    /// Returns the constructors of all linked modules, in the order in which they must run before
    /// `main`: by ascending priority ([`FunctionList`](crate::ir::FunctionList)), those of one
    /// priority in the order of modules and items.
    ///
    /// Linking runs none of them. C libraries pass them the arguments of `main`, which those
    /// without parameters do not take.
    ///
    /// ```
    /// # use mir_nostd::interp::{Engine, Interpreter, Options};
    /// # use mir_nostd::link::{Context, ContextOptions};
    /// # use mir_nostd::verify::Verified;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let text = b"m: module
    /// export seen
    /// seen: i64 1
    /// double: func
    ///  local i64:p
    ///  mov p, seen
    ///  mul i64:(p), i64:(p), 2
    /// endfunc
    /// increase: func
    ///  local i64:p
    ///  mov p, seen
    ///  add i64:(p), i64:(p), 1
    /// endfunc
    /// .init_array: ref double
    /// .init_array.00101: ref increase
    /// endmodule
    /// ";
    /// # let (system, target) = (testkit::SystemAllocator, &target_x86_64::TARGET);
    /// # let module = mir_nostd::text::parse(text, &system, target.long_double, &mut |_| {});
    /// # let module = module?.pop().ok_or("no module")?;
    /// # let verified = Verified::new(module, target, &mut |_| {});
    /// # let verified = verified.map_err(|rejected| rejected.error)?;
    /// # let engine = Engine::new();
    /// # let context = Context::new(ContextOptions::new(&system, target, &engine));
    /// # // SAFETY: the program touches its own data only.
    /// # unsafe { context.load(verified) }?;
    /// context.link(&mut |_| None)?;
    /// let mut interpreter = Interpreter::new(&context, Options::default())?;
    /// for constructor in &*context.constructors()? {
    ///     interpreter.run(constructor, &[], &mut []).map_err(|stop| stop.reason.to_string())?;
    /// }
    /// # let seen = context.find(b"seen").ok_or("not exported")?;
    /// # let seen = core::ptr::with_exposed_provenance::<i64>(seen);
    /// // The one of priority 101 ran first.
    /// # // SAFETY: the data is there as long as the context is.
    /// assert_eq!(unsafe { seen.read() }, 4);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// A list has what is no address of a function of the context; out of memory.
    pub fn constructors(&self) -> Result<Vec<'m, &Callable<'m>>> {
        self.listed(Phase::Start)
    }

    /// Returns the destructors of all linked modules, in the order in which they must run when the
    /// program ends: the reverse of the order of constructors.
    ///
    /// # Errors
    ///
    /// As [`Context::constructors`].
    pub fn destructors(&self) -> Result<Vec<'m, &Callable<'m>>> {
        let mut found = self.listed(Phase::End)?;
        found.reverse();
        Ok(found)
    }

    /// Returns the functions of the lists of a phase, by ascending priority.
    fn listed(&self, phase: Phase) -> Result<Vec<'m, &Callable<'m>>> {
        let mut found = Vec::new(self.allocator());
        let numbers = 0..self.linked_modules();
        let modules = numbers.filter_map(|number| self.module(number));
        for linked in modules.filter(|linked| !linked.is_confined()) {
            for (list, entry) in linked.module().function_lists() {
                if list.phase != phase {
                    continue;
                }
                let ItemKind::Ref { item, disp: 0 } = linked.module().item(entry).kind else {
                    return Err(at_item(Problem::ListEntry, entry));
                };
                let callable = self.callable_at(linked.item_address(item));
                let callable = callable.ok_or(at_item(Problem::ListEntry, entry))?;
                found.push((list.priority, callable))?;
            }
        }
        by_priority(&found)
    }
}
