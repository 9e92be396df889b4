//! The match loop: all operations as arms of one match, where tail calls are not compiled to jumps.

use super::super::code::{Fuel, Op, WORDS};
use super::*;
use crate::num::fold;

/// Returns the first word of an operation: its number, whether the code charges fuel or not.
pub(in crate::interp) fn head(op: Op, _: Fuel) -> u64 {
    op as u64
}

macro_rules! match_loop {
    ($($name:ident [$($role:ident)*] |$m:ident| $body:expr;)*) => {
        /// Performs the operation at `pc`.
        #[expect(clippy::disallowed_methods, reason = "the number of an operation becomes one, unchecked")]
        #[inline(always)]
        unsafe fn step<const FUEL: bool>(machine: &mut Machine<FUEL>) -> Flow {
            // SAFETY: `pc` is at an operation, whose word is the number of one, so the operands are
            // as its row says.
            unsafe {
                match core::mem::transmute::<u16, Op>(*machine.pc as u16) {
                    $(Op::$name => {
                        // The closure has a frame of its own where nothing is inlined: that of
                        // the loop would have the variables of all operations.
                        let execute = |$m: &mut Machine<FUEL>| ($body).flow();
                        let flow = execute(&mut *machine);
                        if flow == Flow::Next {
                            machine.pc = machine.pc.add(WORDS[Op::$name as usize] as usize);
                        }
                        flow
                    })*
                }
            }
        }
    };
}
super::super::ops::operations!(match_loop);

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
            if (*state).charges.is_charged() {
                run::<true>(state);
            } else {
                run::<false>(state);
            }
        }
    }
}

/// # Safety
///
/// As [`execute`].
unsafe fn run<const FUEL: bool>(state: *mut RunState) {
    // SAFETY: by the caller's word; `step` keeps `pc` at operations.
    unsafe {
        let (pc, regs, fuel) = (*state).saved();
        let mut machine = Machine::<FUEL> {
            pc,
            regs,
            state,
            fuel,
        };
        loop {
            match step(&mut machine) {
                Flow::Next | Flow::Jump => {}
                flow @ (Flow::Call | Flow::Site) => {
                    (*state).save(machine.pc, machine.regs, machine.fuel);
                    let goes_on = match flow {
                        Flow::Call => stack::call_slowly(state),
                        _ => stack::call_site_slowly(state),
                    };
                    (machine.pc, machine.regs, machine.fuel) = (*state).saved();
                    if !goes_on {
                        break;
                    }
                }
                Flow::Stop => break,
                Flow::Short => {
                    (*state).exit = Some(Reason::OutOfFuel);
                    break;
                }
            }
        }
        (*state).save(machine.pc, machine.regs, machine.fuel);
    }
}
