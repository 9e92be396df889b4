//! Operations on the stack: calls, returns, `alloca`, variable arguments.
//!
//! A call is followed by the offsets of the cells for its results, which the callee's return
//! stores: a return goes to `return_pc`, stores the results in the cells of the caller's frame that
//! are listed there, and goes on after the list. That both agree in number and class is checked
//! when the call is decoded, or when its site first sees the callee.

use super::super::adapt;
use super::super::call;
use super::super::code::{Code, Op};
use super::super::frame::{ALIGN, RunState, header};
use super::super::site::Site;
use super::{Flow, Machine, memory};
use crate::ir::Type;
use crate::link::Callable;
use crate::target::{Argument, VariableArguments};

impl<const FUEL: bool> Machine<FUEL> {
    /// Calls the function in slots 0 and 1 with `N` argument cells, entered as slot 2 says.
    #[inline(always)]
    pub(in crate::interp) unsafe fn call<const N: usize>(&mut self) -> Flow {
        // SAFETY: operands; the new frame has cells for the arguments.
        unsafe {
            let Some((code, regs)) = self.enter(self.pointer(0), 1 + (3 + N).div_ceil(2)) else {
                return Flow::Call;
            };
            for index in 0..N {
                let cell = self.int(3 + index);
                regs.cast::<i64>().add(index).write(cell);
            }
            let entry = (*code).entries[self.slot(2) as usize & 1];
            self.begin(code, regs, entry)
        }
    }

    /// Does the same with as many argument cells as slot 3 says, from slot 4 on.
    #[inline(always)]
    pub(in crate::interp) unsafe fn call_many(&mut self) -> Flow {
        // SAFETY: operands; the cells follow; the new frame has cells for the arguments.
        unsafe {
            let count = self.slot(3) as usize;
            let Some((code, regs)) = self.enter(self.pointer(0), 1 + (4 + count).div_ceil(2))
            else {
                return Flow::Call;
            };
            for index in 0..count {
                let cell = self.int(4 + index);
                regs.cast::<i64>().add(index).write(cell);
            }
            let entry = (*code).entries[self.slot(2) as usize & 1];
            self.begin(code, regs, entry)
        }
    }

    /// Calls the function whose address is in a register.
    #[inline(always)]
    pub(in crate::interp) unsafe fn call_site(&mut self) -> Flow {
        // SAFETY: operands; the site lives as long as the code.
        unsafe {
            let site = self.pointer::<Site<'static>>(0);
            let address = self.int(2) as usize;
            let callable = (*site).cached(address);
            if !callable.is_null()
                && let Some((code, regs)) = self.enter(callable, Op::CallSite.words())
            {
                let cells = (*site).cells.as_ptr();
                for index in 0..(*code).arg_cells as usize {
                    let cell = self.regs.add(*cells.add(index) as usize);
                    regs.cast::<i64>()
                        .add(index)
                        .write(cell.cast::<i64>().read());
                }
                return self.begin(code, regs, (*code).entries[0]);
            }
            Flow::Site
        }
    }

    /// Calls the function whose address is in the site: native code or a closure.
    #[inline(always)]
    pub(in crate::interp) unsafe fn call_native(&mut self) -> Flow {
        // SAFETY: as for `call_site`.
        unsafe {
            let site = self.pointer::<Site<'static>>(0);
            self.call_through_site(site, (*site).address, Op::CallNative.words())
        }
    }

    /// Calls native code that takes integers in registers only, as any compiler does.
    #[inline(always)]
    pub(in crate::interp) unsafe fn call_simple(&mut self) -> Flow {
        // SAFETY: operands; the site lives as long as the code; the native function may run the
        // machine.
        unsafe {
            let site = self.pointer::<Site<'static>>(0);
            let after = self.pc.add(Op::CallSimple.words());
            (*self.state).save(self.pc, self.regs, self.fuel);
            let goes_on = call::simple_native(self.state, site, after);
            (self.pc, self.regs, self.fuel) = (*self.state).saved();
            if goes_on { Flow::Jump } else { Flow::Stop }
        }
    }

    #[inline(always)]
    unsafe fn call_through_site(
        &mut self,
        site: *const Site<'static>,
        address: usize,
        words: usize,
    ) -> Flow {
        // SAFETY: the state is ours; it is told where the machine is, as the call may run it.
        unsafe {
            (*self.state).save(self.pc, self.regs, self.fuel);
            let goes_on = call::through_site(self.state, site, address, self.pc.add(words));
            (self.pc, self.regs, self.fuel) = (*self.state).saved();
            if goes_on { Flow::Jump } else { Flow::Stop }
        }
    }

    /// Makes a frame for the callable's function, which returns after this call of so many words;
    /// `None` if the function is not decoded or the stack does not suffice.
    #[inline(always)]
    unsafe fn enter(
        &mut self,
        callable: *const Callable<'static>,
        words: usize,
    ) -> Option<(*const Code<'static>, *mut u8)> {
        // SAFETY: callables outlive the code that names them; the state is ours; the code lives.
        unsafe {
            let code = (*callable).code().cast_const().cast::<Code<'static>>();
            let state = self.state;
            if code.is_null() || (*state).lacks((*code).frame_bytes) {
                return None;
            }
            let regs = (*state).place_frame(code, self.pc.add(words), self.regs);
            Some((code, regs))
        }
    }

    #[inline(always)]
    unsafe fn begin(
        &mut self,
        code: *const Code<'static>,
        regs: *mut u8,
        entry: *const u64,
    ) -> Flow {
        self.regs = regs;
        self.pc = entry;
        // SAFETY: the code lives.
        unsafe { self.charge((*code).entry_cost) }
    }

    /// Drops the frame; `pc` is then at the cells for results and `regs` the caller's frame.
    #[inline(always)]
    unsafe fn leave(&mut self) {
        // SAFETY: `regs` is a frame, whose header was written by `enter` or by the start of the
        // run.
        unsafe {
            let base = header(self.regs);
            let state = self.state;
            (*state).top = base.cast();
            (*state).depth += 1;
            self.pc = (*base).return_pc;
            self.regs = (*base).caller;
        }
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn ret(&mut self) -> Flow {
        // SAFETY: as for `leave`.
        unsafe { self.leave() };
        Flow::Jump
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn ret_one(&mut self, value: i64) -> Flow {
        // SAFETY: the call has one cell for results.
        unsafe {
            self.leave();
            let cell = self.pc.cast::<u32>().read();
            self.regs.add(cell as usize).cast::<i64>().write(value);
            self.pc = self.pc.add(1);
        }
        Flow::Jump
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn ret_many(&mut self) -> Flow {
        // SAFETY: as many cells follow slot 0 as it says; the call has the same number of them, and
        // its frame is another than this one, which stays readable until the next call.
        unsafe {
            let (from, count) = (self.regs, self.slot(0) as usize);
            let cells = self.pc.cast::<u32>().add(3);
            self.leave();
            let to = self.pc.cast::<u32>();
            for index in 0..count {
                let value = from.add(*cells.add(index) as usize).cast::<i64>().read();
                let cell = *to.add(index) as usize;
                self.regs.add(cell).cast::<i64>().write(value);
            }
            self.pc = self.pc.add(count.div_ceil(2));
        }
        Flow::Jump
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn jret(&mut self) -> Flow {
        // SAFETY: operands; the state is ours.
        unsafe {
            (*self.state).returned_label = self.int(0) as usize;
            self.ret()
        }
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn leave_segment(&mut self) -> Flow {
        // SAFETY: the operation is only in the stub of the innermost segment, whose first frame has
        // returned.
        self.pc = unsafe { (*self.state).leave_segment() };
        Flow::Jump
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn adapt(&mut self) -> Flow {
        // SAFETY: the operation is only in the stub of an adapter, whose function has returned; the
        // state is ours.
        unsafe {
            (*self.state).save(self.pc, self.regs, self.fuel);
            adapt::give_results(self.state);
            (self.pc, self.regs, self.fuel) = (*self.state).saved();
        }
        Flow::Jump
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn halt(&mut self) -> Flow {
        // SAFETY: the state is ours.
        unsafe { (*self.state).exit = None };
        Flow::Stop
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn alloca(&mut self, size: i64) -> Flow {
        // SAFETY: operands; the state is ours.
        unsafe {
            let state = self.state;
            let size = (size.max(1) as usize).saturating_add(ALIGN - 1) & !(ALIGN - 1);
            let Some(block) = (*state).take(self.regs, size) else {
                return Flow::Stop;
            };
            self.set(0, block.expose_provenance() as i64);
        }
        Flow::Next
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn bstart(&mut self) {
        // SAFETY: operands; the state is ours.
        unsafe { self.set(0, (*self.state).top.expose_provenance() as i64) };
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn bend(&mut self) {
        // SAFETY: operands; the state is ours; the program vouches for the value of `bstart`.
        unsafe {
            let top = memory::<u8>(self.int(0));
            (*self.state).give_back(self.regs, top);
        }
    }

    /// Slot 0 gets the address of a copy on the stack of the block at slot 1, as long as slots 2
    /// and 3 say.
    #[inline(always)]
    pub(in crate::interp) unsafe fn copy_block(&mut self) -> Flow {
        // SAFETY: operands; the program vouches for the block, and the copy is new.
        unsafe {
            let (from, size) = (memory::<u8>(self.int(1)), self.wide(2));
            let flow = self.alloca(size);
            if flow == Flow::Next {
                copy(from, memory::<u8>(self.int(0)), size.max(0) as usize);
            }
            flow
        }
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn va_start(&mut self) {
        // SAFETY: the verifier lets it pass in variadic functions only, whose frames hold the
        // arguments.
        unsafe {
            let at = (*self.code()).variable_at as usize;
            let arguments = self.regs.add(at).cast::<VariableArguments>();
            call::va_start(self.state, memory(self.int(0)), arguments);
        }
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn va_arg(&mut self) {
        // SAFETY: operands; the program vouches for the list.
        unsafe {
            let address = call::va_arg(self.state, memory(self.int(1)), self.slot(2));
            self.set(0, address.expose_provenance() as i64);
        }
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn va_block_arg(&mut self) {
        // SAFETY: as above.
        unsafe {
            let (to, list) = (memory(self.int(0)), memory(self.int(1)));
            let class = Type::block_of_class(self.int(3));
            let block = Argument::block(class, self.int(2) as u64);
            call::va_block_arg(self.state, to, list, block);
        }
    }
}

/// Copies a block. A short one is copied by words that are volatile, as the compiler makes larger
/// ones of others: those wait for the stores of single fields to reach the cache.
///
/// # Safety
///
/// As [`core::ptr::copy_nonoverlapping`].
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by the caller's word.
    unsafe {
        if size > SHORT || !size.is_multiple_of(8) {
            return core::ptr::copy_nonoverlapping(from, to, size);
        }
        let (from, to) = (from.cast::<Unaligned>(), to.cast::<u64>());
        for index in 0..size / 8 {
            to.add(index).write(from.add(index).read_volatile().0);
        }
    }
}

/// The most bytes of a block that is copied by words.
const SHORT: usize = 64;

/// A word anywhere.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Unaligned(u64);

/// Makes a call through a site whose cache does not have the function. Returns whether the run goes
/// on, as the state then says.
///
/// # Safety
///
/// The state was saved at such a call.
#[inline(always)]
pub(super) unsafe fn call_site_slowly(state: *mut RunState) -> bool {
    // SAFETY: the operation's operands; the site lives as long as the code.
    unsafe {
        let (pc, regs, fuel) = (*state).saved();
        let machine = Machine::<false> {
            pc,
            regs,
            state,
            fuel,
        };
        let (site, address) = (machine.pointer(0), machine.int(2) as usize);
        call::through_site(state, site, address, pc.add(Op::CallSite.words()))
    }
}

/// Makes a call whose function must be decoded or whose frame needs a segment. Returns whether the
/// run goes on, as the state then says.
///
/// # Safety
///
/// The state was saved at a direct call.
#[cold]
#[inline(never)]
pub(super) unsafe fn call_slowly(state: *mut RunState) -> bool {
    // SAFETY: the state was saved at a direct call in a frame; what it says of the call is as for
    // `Machine::call`.
    unsafe {
        let (pc, caller, fuel) = (*state).saved();
        let machine = Machine::<false> {
            pc,
            regs: caller,
            state,
            fuel,
        };
        let Some(code) = call::decode_callee(state, machine.pointer(0)) else {
            return false;
        };
        let count = machine.slot(2) as usize >> 1;
        // Calls of some other number of arguments tell it once more.
        let first = if (1..=4).contains(&count) { 3 } else { 4 };
        let after = pc.add(1 + (first + count).div_ceil(2));
        let Some(regs) = (*state).push_frame(code, after, caller) else {
            return false;
        };
        for index in 0..count {
            let cell = machine.int(first + index);
            regs.cast::<i64>().add(index).write(cell);
        }
        let entry = (*code).entries[machine.slot(2) as usize & 1];
        (*state).save(entry, regs, fuel);
        let paid = (*state).charge_entry((*code).entry_cost);
        paid.map_err(|exit| (*state).exit = Some(exit)).is_ok()
    }
}
