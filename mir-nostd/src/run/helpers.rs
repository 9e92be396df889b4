//! The routines that compiled code calls.

use super::fault::Fault;
use super::options::{Options, Refuel, Watch};
use crate::codegen::{Helper, Place};
use crate::ir::{FaultKind, Type};
use crate::link::{Access, Anchor, Callable, Context, Reason, Stopped, TracedCode, Windows};
use crate::num::{LongDouble, Operation};
use crate::target::{Argument, Cursor, Native, Target, VariableArguments};
use core::cmp::Ordering;
use spin::Mutex;

/// The data that compiled code and its routines share: it stays at its place as long as the code
/// exists.
pub struct Runtime<'m> {
    target: &'static Target,
    native: &'m dyn Native,
    anchor: *const Anchor<'m>,
    watch: Option<&'m dyn Watch>,
    refuel: Option<&'m dyn Refuel>,
}

// SAFETY: the anchor lives as long as the context, which outlives the code, and changes atomically;
// all else is `Sync`.
unsafe impl Send for Runtime<'_> {}
// SAFETY: as above.
unsafe impl Sync for Runtime<'_> {}

impl core::fmt::Debug for Runtime<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Runtime({})", self.target.name)
    }
}

impl<'m> Runtime<'m> {
    /// Returns the data of code of the context with this anchor.
    pub(super) fn new(
        anchor: *const Anchor<'m>,
        native: &'m dyn Native,
        options: &Options<'m>,
    ) -> Runtime<'m> {
        Runtime {
            target: native.target(),
            native,
            anchor,
            watch: options.watch,
            refuel: options.refuel,
        }
    }

    /// Returns the context whose functions the code is of.
    ///
    /// # Safety
    ///
    /// It is borrowed by whoever has code made or run.
    pub(super) unsafe fn context(&self) -> &Context<'m> {
        // SAFETY: by the caller's word it is where the anchor says.
        unsafe { &*(*self.anchor).context() }
    }

    /// Returns the compiled code of the confined programs of the context.
    pub(super) fn traced(&self) -> &Mutex<TracedCode<'m>> {
        // SAFETY: whoever has code made or run has borrowed the context.
        unsafe { self.context() }.traced()
    }

    pub(super) fn native(&self) -> &'m dyn Native {
        self.native
    }

    /// Ends the innermost run of this stack. Where there is none, compiled code was called by
    /// somebody who prepared for nothing: whoever watches may do what is right there, else the
    /// machine is stopped.
    ///
    /// # Safety
    ///
    /// Called by what that run called, with nothing in between that needs to be dropped.
    pub(super) unsafe fn stop(&self, stopped: Stopped) -> ! {
        // SAFETY: by the caller's word. Who runs native code has said where the context is, and it
        // stays there until that is over.
        unsafe {
            let context = (*self.anchor).context();
            (*context).runs().end(self.native, stopped);
        }
        if let Some(watch) = self.watch {
            watch.faulted(&Fault::new(stopped));
        }
        self.native.halt()
    }

    /// Has a function fault whose code cannot go on.
    ///
    /// # Safety
    ///
    /// As [`Runtime::stop`].
    pub(super) unsafe fn fail(&self, callable: &Callable<'_>, reason: Reason) -> ! {
        let stopped = Stopped {
            reason,
            callable: core::ptr::from_ref(callable).expose_provenance(),
            instruction: None,
        };
        // SAFETY: by the caller's word.
        unsafe { self.stop(stopped) }
    }

    fn read(&self, place: *const [u8; 16]) -> LongDouble {
        // SAFETY: compiled code passes addresses of long doubles.
        let bytes = unsafe { place.read_unaligned() };
        (self.target.long_double).from_bytes(bytes, self.target.big_endian)
    }

    fn write(&self, place: *mut [u8; 16], value: LongDouble) {
        let bytes = (self.target.long_double).to_bytes(value, self.target.big_endian);
        // SAFETY: compiled code passes addresses of room for long doubles.
        unsafe { place.write_unaligned(bytes) };
    }
}

/// Returns the address of a routine.
pub(super) fn address(number: u8) -> usize {
    let Some(helper) = Helper::ALL.get(usize::from(number)) else {
        return 0;
    };
    match helper {
        Helper::Fault => fault as *const () as usize,
        Helper::FaultWith => fault_with as *const () as usize,
        Helper::FaultAt => fault_at as *const () as usize,
        Helper::FuelAt | Helper::OutOfFuelAt => fuel_at as *const () as usize,
        Helper::Window => window as *const () as usize,
        Helper::OutOfFuel => out_of_fuel as *const () as usize,
        Helper::AskForFuel => ask_for_fuel as *const () as usize,
        // The embedder's, see [`super::shared::Shared::helper`].
        Helper::FuelWord | Helper::StackWord => 0,
        Helper::CopyBlock => copy_block as *const () as usize,
        Helper::VaStart => va_start as *const () as usize,
        Helper::VaArg => va_arg as *const () as usize,
        Helper::VaBlockArg => va_block_arg as *const () as usize,
        Helper::LdAdd => ld_add as *const () as usize,
        Helper::LdSub => ld_sub as *const () as usize,
        Helper::LdMul => ld_mul as *const () as usize,
        Helper::LdDiv => ld_div as *const () as usize,
        Helper::LdNeg => ld_neg as *const () as usize,
        Helper::LdCompare => ld_compare as *const () as usize,
        Helper::LdFromInt => ld_from_int as *const () as usize,
        Helper::LdFromUnsigned => ld_from_unsigned as *const () as usize,
        Helper::LdToInt => ld_to_int as *const () as usize,
        Helper::LdFromFloat => ld_from_float as *const () as usize,
        Helper::LdFromDouble => ld_from_double as *const () as usize,
        Helper::LdToFloat => ld_to_float as *const () as usize,
        Helper::LdToDouble => ld_to_double as *const () as usize,
        Helper::FmaFloat => fma_float as *const () as usize,
        Helper::FmaDouble => fma_double as *const () as usize,
    }
}

native_abi! {
    /// Ends the innermost run of this stack.
    ///
    /// # Safety
    ///
    /// As [`Runtime::stop`].
    unsafe extern "C" fn fault(
        runtime: &Runtime<'_>,
        callable: usize,
        kind: usize,
        instruction: usize,
    ) {
        // SAFETY: by the caller's word.
        unsafe { fault_with(runtime, callable, kind, instruction, 0) };
    }

    /// Ends the innermost run of this stack with a number to report.
    ///
    /// # Safety
    ///
    /// As [`Runtime::stop`].
    unsafe extern "C" fn fault_with(
        runtime: &Runtime<'_>,
        callable: usize,
        kind: usize,
        instruction: usize,
        value: u64,
    ) {
        let reason = Reason::of_kind(FaultKind::from_number(kind as u64), value);
        // SAFETY: by the caller's word.
        unsafe { runtime.stop(Stopped::at(reason, callable, instruction as u32)) };
    }

    /// Ends the innermost run of this stack, and notes the calls that led here.
    ///
    /// # Safety
    ///
    /// As [`Runtime::stop`]; `here` is the stack pointer of a confined function, whose callable is
    /// at this address.
    unsafe extern "C" fn fault_at(
        runtime: &Runtime<'_>,
        callable: usize,
        place: u64,
        value: u64,
        here: usize,
    ) {
        let place = Place::of(place);
        let kind = FaultKind::from_number(place.kind.into());
        // SAFETY: by the caller's word.
        unsafe {
            let callable = runtime.note_calls(callable, place.site, here);
            runtime.stop(Stopped::at(
                Reason::of_kind(kind, value),
                callable,
                place.site.number,
            ))
        }
    }

    /// Asks the embedder for more fuel; ends the run if there is none, and notes the calls that led
    /// here.
    ///
    /// # Safety
    ///
    /// As [`fault_at`].
    unsafe extern "C" fn fuel_at(
        runtime: &Runtime<'_>,
        callable: usize,
        place: u64,
        cost: u64,
        here: usize,
    ) {
        if runtime.refuel.is_some_and(|refuel| refuel.grants(cost)) {
            return;
        }
        let site = Place::of(place).site;
        // SAFETY: by the caller's word.
        unsafe {
            let callable = runtime.note_calls(callable, site, here);
            out_of_fuel(runtime, callable, site.number as usize);
        }
    }

    /// Returns the host's address of an access through a window, or ends the innermost run.
    ///
    /// # Safety
    ///
    /// As [`Runtime::stop`]; the table is one that lives as long as the code.
    unsafe extern "C" fn window(
        runtime: &Runtime<'_>,
        callable: usize,
        place: u64,
        address: u64,
        windows: *const Windows,
    ) -> usize {
        let (bytes, access) = Access::of_constant(place >> 32);
        // SAFETY: by the caller's word.
        let found = unsafe { &*windows }.find(address, bytes, access);
        found.unwrap_or_else(|| {
            let reason = Reason::BadAddress(address);
            // SAFETY: by the caller's word.
            unsafe { runtime.stop(Stopped::at(reason, callable, place as u32)) }
        })
    }

    /// Ends the innermost run of this stack for want of fuel.
    ///
    /// # Safety
    ///
    /// As [`Runtime::stop`].
    unsafe extern "C" fn out_of_fuel(runtime: &Runtime<'_>, callable: usize, instruction: usize) {
        // SAFETY: by the caller's word.
        unsafe { runtime.stop(Stopped::at(Reason::OutOfFuel, callable, instruction as u32)) };
    }

    /// Asks the embedder for more fuel; ends the run if there is none.
    ///
    /// # Safety
    ///
    /// As [`Runtime::stop`].
    unsafe extern "C" fn ask_for_fuel(
        runtime: &Runtime<'_>,
        callable: usize,
        instruction: usize,
        cost: usize,
    ) {
        let grants = |refuel: &dyn Refuel| refuel.grants(cost as u64);
        if !runtime.refuel.is_some_and(grants) {
            // SAFETY: by the caller's word.
            unsafe { out_of_fuel(runtime, callable, instruction) };
        }
    }

    unsafe extern "C" fn copy_block(_: &Runtime<'_>, to: *mut u8, from: *const u8, bytes: usize) {
        // SAFETY: compiled code passes blocks of this size.
        unsafe { core::ptr::copy(from, to, bytes) };
    }

    unsafe extern "C" fn va_start(
        runtime: &Runtime<'_>,
        list: *mut u8,
        image: *mut u8,
        stack: *mut u8,
        used: u64,
    ) {
        let [ints, floats, placed_low, placed_high, ..] = used.to_le_bytes();
        let named = Cursor {
            ints,
            floats,
            stack: (used >> 32) as u32,
            placed: u32::from(u16::from_le_bytes([placed_low, placed_high])),
        };
        let arguments = VariableArguments {
            named,
            image,
            stack,
        };
        // SAFETY: compiled code passes a list, and the image and stack of its own arguments.
        unsafe { (runtime.target.abi.va_list.start)(list, &arguments) };
    }

    unsafe extern "C" fn va_arg(runtime: &Runtime<'_>, list: *mut u8, ty: usize) -> *mut u8 {
        let ty = Type::ALL.get(ty).copied().unwrap_or(Type::I64);
        // SAFETY: compiled code passes a list that has such an argument left.
        unsafe { (runtime.target.abi.va_list.argument)(list, ty) }
    }

    unsafe extern "C" fn va_block_arg(
        runtime: &Runtime<'_>,
        to: *mut u8,
        list: *mut u8,
        bytes: u64,
        class: i64,
    ) {
        let block = Argument::block(Type::block_of_class(class), bytes);
        // SAFETY: compiled code passes a list that has such a block left, and room for it.
        unsafe { (runtime.target.abi.va_list.block)(to, list, block) };
    }
}

macro_rules! binary {
    ($($name:ident $operation:ident;)*) => {$(
        native_abi! {
            extern "C" fn $name(
                runtime: &Runtime<'_>,
                to: *mut [u8; 16],
                a: *const [u8; 16],
                b: *const [u8; 16],
            ) {
                let (a, b) = (runtime.read(a), runtime.read(b));
                runtime.write(to, runtime.target.long_double.$operation(a, b));
            }
        }
    )*};
}
binary! { ld_add add; ld_sub sub; ld_mul mul; ld_div div; }

native_abi! {
    extern "C" fn ld_neg(runtime: &Runtime<'_>, to: *mut [u8; 16], a: *const [u8; 16]) {
        let value = runtime.target.long_double.neg(runtime.read(a));
        runtime.write(to, value);
    }

    extern "C" fn ld_compare(runtime: &Runtime<'_>, a: *const [u8; 16], b: *const [u8; 16]) -> u64 {
        match (runtime.target.long_double).compare(runtime.read(a), runtime.read(b)) {
            Some(Ordering::Less) => 1,
            Some(Ordering::Equal) => 2,
            Some(Ordering::Greater) => 4,
            None => 8,
        }
    }

    extern "C" fn ld_from_int(runtime: &Runtime<'_>, to: *mut [u8; 16], value: i64) {
        runtime.write(to, runtime.target.long_double.from_i64(value));
    }

    extern "C" fn ld_from_unsigned(runtime: &Runtime<'_>, to: *mut [u8; 16], value: u64) {
        runtime.write(to, runtime.target.long_double.from_u64(value));
    }

    extern "C" fn ld_to_int(runtime: &Runtime<'_>, a: *const [u8; 16]) -> i64 {
        runtime.target.long_double.to_i64(runtime.read(a))
    }

    extern "C" fn ld_from_float(runtime: &Runtime<'_>, to: *mut [u8; 16], a: *const u32) {
        // SAFETY: compiled code passes the address of a float.
        let bits = unsafe { a.read_unaligned() };
        runtime.write(
            to,
            runtime.target.long_double.from_f32(f32::from_bits(bits)),
        );
    }

    extern "C" fn ld_from_double(runtime: &Runtime<'_>, to: *mut [u8; 16], a: *const u64) {
        // SAFETY: compiled code passes the address of a double.
        let bits = unsafe { a.read_unaligned() };
        runtime.write(
            to,
            runtime.target.long_double.from_f64(f64::from_bits(bits)),
        );
    }

    extern "C" fn ld_to_float(runtime: &Runtime<'_>, to: *mut u32, a: *const [u8; 16]) {
        let value = runtime.target.long_double.to_f32(runtime.read(a));
        // SAFETY: compiled code passes the address of a float.
        unsafe { to.write_unaligned(value.to_bits()) };
    }

    extern "C" fn ld_to_double(runtime: &Runtime<'_>, to: *mut u64, a: *const [u8; 16]) {
        let value = runtime.target.long_double.to_f64(runtime.read(a));
        // SAFETY: compiled code passes the address of a double.
        unsafe { to.write_unaligned(value.to_bits()) };
    }

    extern "C" fn fma_float(_: &Runtime<'_>, numbers: *mut [u32; 3]) {
        // SAFETY: compiled code passes the address of three floats.
        unsafe {
            let operands = (*numbers).map(u64::from);
            (*numbers)[0] = Operation::Fma.of_floats(false, operands) as u32;
        }
    }

    extern "C" fn fma_double(_: &Runtime<'_>, numbers: *mut [u64; 3]) {
        // SAFETY: compiled code passes the address of three doubles.
        unsafe { (*numbers)[0] = Operation::Fma.of_doubles(*numbers) };
    }
}
