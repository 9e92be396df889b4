//! The calls inside each other in compiled code of confined programs: what is noted of code when it
//! is made, and how they are found when it faults.
#![expect(unsafe_code, reason = "return addresses are read from the stack")]

use super::helpers::Runtime;
use crate::codegen::Compiler;
use crate::ir::FuncId;
use crate::link::{Callable, LinkedModule, Trace, TracedCode, TracedFunction, TracedPiece};
use crate::machine::{CallSite, InlinedCall};
use crate::mem::{Allocator, OutOfMemory, Vec};
use crate::target::FrameRecord;

/// A function of a confined program that was compiled, and its code, whose addresses count from
/// the start of what is compiled together with it.
pub(super) type Noted<'m> = (TracedFunction<'m>, TracedPiece<'m>);

/// Returns the way from the frame of the function that was compiled last to its caller's.
pub(super) fn record_of(compiler: &Compiler<'_>) -> Option<FrameRecord> {
    let prologue = compiler.output.prologue?;
    (compiler.isa()).frame_record(&compiler.function, &prologue.layout)
}

/// Returns a function as it is noted.
pub(super) fn function_of<'m>(
    allocator: &'m dyn Allocator,
    callable: &Callable<'m>,
    inlined: &[InlinedCall],
    record: Option<FrameRecord>,
) -> Result<TracedFunction<'m>, OutOfMemory> {
    Ok(TracedFunction {
        compiler: 0,
        callable: address_of(callable),
        record,
        inlined: Vec::from_slice(allocator, inlined)?,
    })
}

/// Returns code of a function at these addresses as it is noted.
pub(super) fn piece_of<'m>(
    allocator: &'m dyn Allocator,
    callable: &Callable<'m>,
    (start, end): (usize, usize),
    sites: &[(u32, CallSite)],
) -> Result<TracedPiece<'m>, OutOfMemory> {
    Ok(TracedPiece {
        compiler: 0,
        callable: address_of(callable),
        start,
        end,
        sites: Vec::from_slice(allocator, sites)?,
    })
}

fn address_of(callable: &Callable<'_>) -> usize {
    core::ptr::from_ref(callable).addr()
}

impl Runtime<'_> {
    /// Notes the calls that led to a place in the compiled function whose callable is at this
    /// address, and whose stack pointer is `here`. Returns the address of the callable of the
    /// function that the place is in, which may be inlined there.
    ///
    /// # Safety
    ///
    /// The function is one of a confined program and called this.
    pub(super) unsafe fn note_calls(&self, callable: usize, site: CallSite, here: usize) -> usize {
        let function = core::ptr::with_exposed_provenance::<Callable<'_>>(callable);
        // SAFETY: by the caller's word. The context is borrowed as long as its code runs.
        let (function, context) = unsafe { (&*function, self.context()) };
        let Some((linked, func)) = function.func() else {
            return callable;
        };
        let traced = context.traced().lock();
        let inlined = traced
            .function(callable)
            .map_or(&[][..], |function| &function.inlined);
        let inner = (inlined_in(inlined, site)).map_or(func, |inlined| inlined.func);
        if let Some(trace) = linked.trace() {
            // SAFETY: by the caller's word.
            unsafe { note_frames(&traced, trace, (linked, func), site, here) };
        }
        address_of(linked.callable(inner))
    }
}

/// Returns the inlined call that a place is in, if it is in one.
fn inlined_in(inlined: &[InlinedCall], site: CallSite) -> Option<InlinedCall> {
    inlined
        .get((site.inlined as usize).checked_sub(1)?)
        .copied()
}

/// Notes the calls under way, from a place in a compiled function outward.
///
/// # Safety
///
/// The stack pointer in the function's frame is `here`.
unsafe fn note_frames<'m>(
    traced: &TracedCode<'m>,
    trace: &Trace,
    (mut linked, mut func): (&LinkedModule<'m>, FuncId),
    mut site: CallSite,
    mut here: usize,
) {
    while !trace.is_cut() {
        let callable = address_of(linked.callable(func));
        let function = traced.function(callable);
        let Some((function, record)) =
            function.and_then(|function| Some((function, function.record?)))
        else {
            return trace.cut();
        };
        while let Some(inlined) = inlined_in(&function.inlined, site) {
            trace.push(address_of(linked.callable(inlined.func)), Some(site.number));
            site = inlined.site;
        }
        trace.push(callable, Some(site.number));
        let place = here + record.return_address as usize;
        here += record.caller as usize;
        // SAFETY: by the caller's word the return address is there, and the function of the call
        // that it belongs to has its frame above.
        let back = unsafe { core::ptr::with_exposed_provenance::<usize>(place).read() };
        let Some((callable, call)) = traced.call_before(back) else {
            // Code of ours called from Rust, or from the gate of an interpreted function.
            return;
        };
        // SAFETY: what is noted are callables of the context.
        let caller = unsafe { &*core::ptr::with_exposed_provenance::<Callable<'m>>(callable) };
        let Some(caller) = caller.func() else {
            return trace.cut();
        };
        ((linked, func), site) = (caller, call);
    }
}
