//! Handlers in tail position: each operation is a function whose last act is a jump to the next
//! one.
//!
//! The jump is a call in tail position that optimised builds turn into one on the ISAs that
//! `build.rs` lists; a test runs 10^7 operations of every kind on a small stack. Handlers take at
//! most four arguments, all integers or pointers, so that they stay in registers on every ISA, and
//! call nothing with the address of a local.

use super::super::code::{Fuel, Op, WORDS};
use super::*;
use crate::num::fold;

type Handler = unsafe extern "C-unwind" fn(*const u64, *mut u8, *mut RunState, u64);

/// A handler as it is called: where nothing unwinds, callers need not be prepared for exceptions.
#[cfg(panic = "unwind")]
type Next = Handler;
#[cfg(not(panic = "unwind"))]
type Next = unsafe extern "C" fn(*const u64, *mut u8, *mut RunState, u64);

/// Leaves the interpreter. Handlers jump here, so that each is the smaller.
#[inline(never)]
unsafe extern "C" fn stop(pc: *const u64, regs: *mut u8, state: *mut RunState, fuel: u64) {
    // SAFETY: the state is ours while it runs.
    unsafe { (*state).save(pc, regs, fuel) };
}

/// Leaves the interpreter, as the fuel does not suffice.
#[inline(never)]
unsafe extern "C" fn stop_short(pc: *const u64, regs: *mut u8, state: *mut RunState, fuel: u64) {
    // SAFETY: the state is ours while it runs.
    unsafe {
        (*state).exit = Some(Reason::OutOfFuel);
        (*state).save(pc, regs, fuel);
    }
}

/// Defines what handlers jump to where they would have to call, which takes native stack that most
/// of their runs do not need.
macro_rules! calls {
    ($($name:ident: $make:ident;)*) => {$(
        #[inline(never)]
        #[cfg_attr(any(target_os = "none", target_os = "linux"), unsafe(link_section = ".text.handlers"))]
        unsafe extern "C-unwind" fn $name(pc: *const u64, regs: *mut u8, state: *mut RunState, fuel: u64) {
            // SAFETY: called at an operation that makes such a call, in the place of which the
            // machine goes on where the state says.
            unsafe {
                (*state).save(pc, regs, fuel);
                let goes_on = stack::$make(state);
                let (pc, regs, fuel) = (*state).saved();
                if goes_on {
                    pc.cast::<Next>().read()(pc, regs, state, fuel)
                }
            }
        }
    )*};
}
calls! {
    call: call_slowly;
    call_site: call_site_slowly;
}

macro_rules! handlers {
    ($($name:ident [$($role:ident)*] |$m:ident| $body:expr;)*) => {
        #[expect(non_snake_case, reason = "a handler has the name of its operation")]
        mod handler {
            use super::*;
            $(
                // A section of its own keeps them together, and keeps away the outliner of
                // size-optimised builds, which would make two calls of each handler.
                #[cfg_attr(any(target_os = "none", target_os = "linux"), unsafe(link_section = ".text.handlers"))]
                pub(super) unsafe extern "C-unwind" fn $name<const FUEL: bool>(pc: *const u64, regs: *mut u8, state: *mut RunState, fuel: u64) {
                    let mut machine = Machine::<FUEL> { pc, regs, state, fuel };
                    // SAFETY: called at an operation of this kind, so the operands are as its row
                    // says.
                    let flow = unsafe {
                        let $m = &mut machine;
                        ($body).flow()
                    };
                    // SAFETY: the next operation follows or was jumped to; its first word is its
                    // handler's address.
                    unsafe {
                        match flow {
                            Flow::Next => machine.pc = machine.pc.add(WORDS[Op::$name as usize] as usize),
                            Flow::Jump => {}
                            Flow::Call => {
                                return call(machine.pc, machine.regs, machine.state, machine.fuel);
                            }
                            Flow::Site => {
                                return call_site(machine.pc, machine.regs, machine.state, machine.fuel);
                            }
                            Flow::Stop => {
                                return stop(machine.pc, machine.regs, machine.state, machine.fuel);
                            }
                            Flow::Short => {
                                return stop_short(machine.pc, machine.regs, machine.state, machine.fuel);
                            }
                        }
                        let next = machine.pc.cast::<Next>().read();
                        next(machine.pc, machine.regs, machine.state, machine.fuel)
                    }
                }
            )*
        }
        // In builds for size one handler serves both kinds of code: where nothing is charged all
        // costs are 0.
        static HANDLERS: [&[Handler]; 2] =
            [&[$(handler::$name::<{ cfg!(small_code) }>),*], &[$(handler::$name::<true>),*]];
    };
}
super::super::ops::operations!(handlers);

/// Returns the first word of an operation, in code that charges fuel or does not.
pub(in crate::interp) fn head(op: Op, fuel: Fuel) -> u64 {
    HANDLERS[usize::from(fuel.is_charged())][op as usize] as usize as u64
}

native_abi! {
    /// Runs from the saved position in the state until something stops the run.
    ///
    /// # Safety
    ///
    /// The state's `pc` and `regs` are those of a frame that waits to go on.
    pub(in crate::interp) unsafe extern "C-unwind" fn execute(state: *mut ()) {
        let state = state.cast::<RunState>();
        // SAFETY: by the caller's word.
        unsafe {
            let (pc, regs, fuel) = (*state).saved();
            let first = pc.cast::<Next>().read();
            first(pc, regs, state, fuel);
        }
    }
}
