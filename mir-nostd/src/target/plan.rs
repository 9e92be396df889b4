//! Calls planned ahead: every move between value cells and the places of the ABI, worked out once
//! per signature.
//!
//! One plan serves both directions. Sending moves values from cells to an image of the registers
//! and to stack memory; receiving is the reverse. Executing a plan decides nothing but which kind
//! of move comes next, allocates nothing and cannot fail.

use super::moves::{Kind, Move, Places, Slot};
use super::{
    Argument, ArgumentKind, Cursor, GateRegisters, Image, Incoming, Location, MAX_STACK_BYTES,
    Native, Outgoing, Placement, ResultCursor, Signature, Target, TooLarge, Value,
    VariableArguments,
};
use crate::ir::Type;
use crate::mem::{Allocator, OutOfMemory, Vec};
use core::mem::MaybeUninit;

/// All moves of the calls of one signature.
#[derive(Debug)]
pub struct Plan<'m> {
    target: &'static Target,
    arguments: Vec<'m, Move>,
    results: Vec<'m, Move>,
    /// The move of the address of the area of further results.
    area: Option<Move>,
    /// The offset of that area from the stack arguments when sending.
    area_at: u32,
    stack_bytes: u32,
    scratch_bytes: u32,
    argument_floats: u8,
    result_floats: u8,
    result_x87: u8,
    variadic: bool,
    named: Cursor,
}

/// The bytes that integer argument registers take where they and the stack arguments are one array.
const HOMES: usize = 64;

/// The distance from the start of the memory for variable arguments to the stack arguments in it:
/// an image of the registers, and room for those that lie below the stack arguments.
const VARIABLE_STACK: usize = size_of::<Image>() + HOMES;

/// The reason why a signature cannot be planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanError {
    /// There is no memory for the plan.
    OutOfMemory,
    /// The arguments take more than [`MAX_STACK_BYTES`] of stack.
    TooLarge,
}

impl From<OutOfMemory> for PlanError {
    fn from(_: OutOfMemory) -> PlanError {
        PlanError::OutOfMemory
    }
}

impl From<TooLarge> for PlanError {
    fn from(_: TooLarge) -> PlanError {
        PlanError::TooLarge
    }
}

impl core::fmt::Display for PlanError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            PlanError::OutOfMemory => "out of memory",
            PlanError::TooLarge => "the arguments of a call take too much stack",
        })
    }
}

impl core::error::Error for PlanError {}

impl<'m> Plan<'m> {
    /// Plans the calls of `signature`, to native code and from it.
    ///
    /// # Errors
    ///
    /// [`PlanError`].
    pub fn new(
        target: &'static Target,
        signature: &Signature<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Plan<'m>, PlanError> {
        let mut plan = Plan::empty(target, allocator);
        let area_bytes = plan.add_results(signature.results)?;
        let mut cursor = Cursor::default();
        if area_bytes > 0 {
            let pointer = Argument::scalar(Type::P);
            let placement = (target.abi.place_argument)(&mut cursor, pointer, ArgumentKind::Named)?;
            plan.area = placement.pieces().first().map(|&piece| {
                let kind = Kind::of_scalar(target, Type::P, piece);
                Move::new(target, kind, 0, piece)
            });
            cursor.placed = 0;
        }
        plan.add_arguments(signature, 0, &mut cursor)?;
        plan.add_copies(area_bytes, cursor.stack)?;
        plan.argument_floats = cursor.floats;
        plan.variadic = signature.variadic.is_some();
        Ok(plan)
    }

    /// Plans the variable arguments alone of calls between interpreted functions: their places in
    /// memory that the interpreter provides, as [`Plan::write_variable`] says. They lie as in a
    /// call from native code, because the callee's `va_list` depends on which of them it takes to
    /// be in registers.
    ///
    /// # Errors
    ///
    /// [`PlanError`].
    pub fn variable(
        target: &'static Target,
        signature: &Signature<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Plan<'m>, PlanError> {
        let mut plan = Plan::empty(target, allocator);
        let mut cursor = Cursor::default();
        let named = signature.variadic.unwrap_or(signature.arguments.len());
        for &argument in signature.arguments.iter().take(named) {
            (target.abi.place_argument)(&mut cursor, argument, ArgumentKind::Named)?;
        }
        plan.add_arguments(signature, named, &mut cursor)?;
        plan.add_copies(0, cursor.stack)?;
        Ok(plan)
    }

    fn empty(target: &'static Target, allocator: &'m dyn Allocator) -> Plan<'m> {
        Plan {
            target,
            arguments: Vec::new(allocator),
            results: Vec::new(allocator),
            area: None,
            area_at: 0,
            stack_bytes: 0,
            scratch_bytes: 0,
            argument_floats: 0,
            result_floats: 0,
            result_x87: 0,
            variadic: false,
            named: Cursor::default(),
        }
    }

    /// Plans all results; returns the size of the area of further ones.
    fn add_results(&mut self, results: &[Type]) -> Result<u32, PlanError> {
        let mut cursor = ResultCursor::new(&self.target.abi);
        for (cell, &ty) in (0..).zip(results) {
            let placement = cursor.place(ty)?;
            for piece in placement.pieces() {
                let kind = Kind::of_scalar(self.target, ty, *piece);
                let planned = Move::new(self.target, kind, cell, *piece);
                self.results.push(planned)?;
            }
        }
        self.result_floats = cursor.floats();
        self.result_x87 = cursor.x87();
        Ok(cursor.area_bytes())
    }

    /// Plans the arguments from number `first` on.
    fn add_arguments(
        &mut self,
        signature: &Signature<'_>,
        first: usize,
        cursor: &mut Cursor,
    ) -> Result<(), PlanError> {
        let named = signature.variadic.unwrap_or(usize::MAX);
        for (index, &argument) in signature.arguments.iter().enumerate().skip(first) {
            if index == named {
                self.named = *cursor;
            }
            let kind = match index < named {
                true => ArgumentKind::Named,
                false => ArgumentKind::Variable,
            };
            let placement = (self.target.abi.place_argument)(cursor, argument, kind)?;
            let cell = u32::try_from(index).map_err(|_| TooLarge)?;
            self.add_argument(argument, cell, &placement)?;
        }
        if signature.arguments.len() <= named {
            self.named = *cursor;
        }
        Ok(())
    }

    fn add_argument(
        &mut self,
        argument: Argument,
        cell: u32,
        placement: &Placement,
    ) -> Result<(), PlanError> {
        let whole = placement.pieces().len() == 1;
        let copy = self.scratch_bytes;
        let mut in_scratch = false;
        for &piece in placement.pieces() {
            let kind = match (placement.by_address, argument.is_copied()) {
                (true, true) => Kind::BlockAddress,
                (true, false) => Kind::CellAddress,
                (false, true) if whole && matches!(piece.at, Location::Memory(_)) => {
                    Kind::WholeBlock
                }
                (false, true) => Kind::Block,
                (false, false) => Kind::of_scalar(self.target, argument.ty, piece),
            };
            in_scratch |= kind == Kind::Block;
            let mut planned = Move::new(self.target, kind, cell, piece);
            planned.copy = copy;
            if placement.by_address {
                planned.size = u32::try_from(argument.bytes()).map_err(|_| TooLarge)?;
            }
            self.arguments.push(planned)?;
        }
        if placement.pieces().is_empty() {
            // An empty block still has an address in the callee.
            self.arguments.push(Move {
                kind: Kind::WholeBlock,
                slot: Slot::Memory(0),
                cell,
                offset: 0,
                size: 0,
                copy: 0,
            })?;
        }
        if in_scratch {
            self.scratch_bytes = room(copy, argument.size)?;
        }
        Ok(())
    }

    /// Lays out, after the stack arguments, the copies passed by address and the area of further
    /// results.
    fn add_copies(&mut self, area_bytes: u32, stack: u32) -> Result<(), PlanError> {
        let mut end = stack.next_multiple_of(16);
        for planned in &mut self.arguments[..] {
            if matches!(planned.kind, Kind::BlockAddress | Kind::CellAddress) {
                planned.copy = end;
                end = room(end, u64::from(planned.size))?;
            }
        }
        self.area_at = end;
        self.stack_bytes = room(end, u64::from(area_bytes))?;
        Ok(())
    }

    /// Returns the native stack that a call takes for arguments and copies, in bytes.
    #[must_use]
    pub fn stack_bytes(&self) -> usize {
        self.stack_bytes as usize
    }

    /// Returns the memory that [`Plan::receive`] needs for blocks that arrive in registers, in
    /// bytes.
    #[must_use]
    pub fn scratch_bytes(&self) -> usize {
        self.scratch_bytes as usize
    }

    /// Returns the memory that [`Plan::write_variable`] needs, in bytes: a multiple of 16.
    #[must_use]
    pub fn variable_bytes(&self) -> usize {
        VARIABLE_STACK + (self.stack_bytes as usize).max(HOMES)
    }

    /// Returns the registers that are used, or may be by variable arguments, for
    /// [`super::Entry::bind`].
    #[must_use]
    pub fn registers(&self) -> GateRegisters {
        let floats = self.argument_floats > 0 || self.result_floats > 0 || self.result_x87 > 0;
        match floats || self.variadic {
            true => GateRegisters::Floating,
            false => GateRegisters::General,
        }
    }

    /// Calls the native function at address `function` with the values of `arguments`, and stores
    /// what it returns in `results`, integers extended as their types say. A block argument is the
    /// address of the block.
    ///
    /// # Safety
    ///
    /// The plan was made for the target of `native` by [`Plan::new`]; there is a function at that
    /// address that takes and returns what its signature says; `arguments` and `results` hold at
    /// least as many values as it has; block arguments are addresses of as many readable bytes as
    /// it says; [`Plan::stack_bytes`] of stack are there.
    pub unsafe fn call(
        &self,
        native: &dyn Native,
        function: usize,
        arguments: &[Value],
        results: &mut [Value],
    ) {
        debug_assert!(self.covers(arguments.len(), results.len()));
        let mut call = PlannedCall {
            outgoing: Outgoing {
                image: [MaybeUninit::uninit(); 14],
                function,
                stack_bytes: self.stack_bytes as usize,
                fill,
                finish,
                argument_floats: usize::from(self.argument_floats),
                result_floats: usize::from(self.result_floats),
                result_x87: usize::from(self.result_x87),
            },
            plan: self,
            arguments: arguments.as_ptr(),
            results: results.as_mut_ptr(),
        };
        let outgoing = (&raw mut call).cast();
        // SAFETY: the caller vouches for the function, its signature and the values. Without stack
        // arguments every slot is in the image, so that null for the memory is never dereferenced;
        // with them the gate calls `fill` and `finish` while their memory is there. The structure
        // starts with the `Outgoing` that the gate takes.
        unsafe {
            if self.stack_bytes == 0 {
                fill(outgoing, core::ptr::null_mut());
                native.call(outgoing);
                finish(outgoing, core::ptr::null_mut());
            } else {
                native.call(outgoing);
            }
        }
    }

    /// Sends the arguments of a call to an image of the registers and to memory for the stack
    /// arguments.
    ///
    /// # Safety
    ///
    /// As [`Plan::call`] for the arguments; the image is an [`Image`], and `stack` has
    /// [`Plan::stack_bytes`] bytes.
    pub(crate) unsafe fn pass(&self, image: *mut u8, stack: *mut u8, arguments: *const Value) {
        let places = Places {
            image,
            memory: stack,
            scratch: core::ptr::null_mut(),
        };
        let area = Value::from_address(stack.wrapping_add(self.area_at as usize));
        // SAFETY: by the caller's word all values are there, and all slots are in the image or on
        // the stack.
        unsafe {
            for planned in &self.arguments {
                planned.send(&places, arguments);
            }
            if let Some(hidden) = &self.area {
                hidden.send(&places, &raw const area);
            }
        }
    }

    /// Takes the results of a call from an image of the registers and from the area of further
    /// results after the stack arguments.
    ///
    /// # Safety
    ///
    /// As [`Plan::pass`]; there are as many results as the signature has.
    pub(crate) unsafe fn take(&self, image: *mut u8, stack: *mut u8, results: *mut Value) {
        let places = Places {
            image,
            memory: stack.wrapping_add(self.area_at as usize),
            scratch: core::ptr::null_mut(),
        };
        for planned in &self.results {
            // SAFETY: by the caller's word the cells are there, and all slots are in the image or
            // in the area.
            unsafe { planned.receive(&places, results) };
        }
    }

    /// The most bytes that [`Plan::lay_out_registers`] writes right below the stack arguments.
    pub(crate) const BELOW_STACK: usize = HOMES;
    /// The most bytes that it writes, and [`Plan::receive`] does, from the start of the stack
    /// arguments on.
    pub(crate) const ABOVE_STACK: usize = HOMES;

    /// Stores the integer registers where variable arguments are read, if they and the stack
    /// arguments must be one array.
    ///
    /// # Safety
    ///
    /// `image` is an [`Image`]; below and above `stack` there is as much memory as the constants
    /// say.
    pub(crate) unsafe fn lay_out_registers(&self, image: *mut u8, stack: *mut u8) {
        let places = Places {
            image,
            memory: stack,
            scratch: core::ptr::null_mut(),
        };
        if let Some(offset) = self.target.abi.variadic_image {
            let from = places.address(Slot::of(self.target, Location::Int(0)));
            let to = places.memory.wrapping_offset(offset as isize);
            // SAFETY: the image holds the registers, and there is room for them where the stack
            // arguments start, and below.
            unsafe { core::ptr::copy_nonoverlapping(from, to, HOMES) };
        }
    }

    /// Makes blocks that were not passed, whose addresses are null, blocks of zeros in `zeros`.
    pub(crate) fn replace_missing(&self, arguments: &mut [Value], zeros: *mut u8) {
        for planned in &self.arguments {
            if planned.kind == Kind::BlockAddress
                && let Some(argument) = arguments.get_mut(planned.cell as usize)
                && argument.u64() == 0
            {
                *argument = Value::from_address(zeros.wrapping_add(planned.copy as usize));
            }
        }
    }

    /// Stores the variable arguments of a call between interpreted functions in `area`, by a plan
    /// that [`Plan::variable`] made. `arguments` are all arguments of the call, named ones
    /// included.
    ///
    /// # Safety
    ///
    /// `area` is aligned to 16 and has [`Plan::variable_bytes`] bytes, which live as long as the
    /// result is used; `arguments` has as many values as the signature; block arguments are
    /// addresses of as many readable bytes as it says.
    pub unsafe fn write_variable(&self, area: *mut u8, arguments: &[Value]) -> VariableArguments {
        debug_assert!(self.covers(arguments.len(), 0));
        let places = Places {
            image: area,
            memory: area.wrapping_add(VARIABLE_STACK),
            scratch: core::ptr::null_mut(),
        };
        for planned in &self.arguments {
            // SAFETY: the area has room for the image and the stack, and the caller vouches for the
            // values.
            unsafe { planned.send(&places, arguments.as_ptr()) };
        }
        // SAFETY: the image holds the registers, and the area has room for them where the stack
        // arguments start, and below.
        unsafe { self.lay_out_registers(places.image, places.memory) };
        VariableArguments {
            named: self.named,
            image: places.image,
            stack: places.memory,
        }
    }

    /// Takes the arguments of a call from native code. Blocks come as addresses in the caller's
    /// stack or of copies in `scratch`; they belong to the callee.
    ///
    /// # Safety
    ///
    /// The call is one of the signature that the plan was made of by [`Plan::new`]; `arguments` has
    /// room for its values and `scratch`, aligned to 16, for [`Plan::scratch_bytes`] bytes.
    pub unsafe fn receive(
        &self,
        incoming: &Incoming,
        arguments: &mut [Value],
        scratch: *mut u8,
    ) -> Received {
        debug_assert!(self.covers(arguments.len(), usize::MAX));
        let places = Places {
            image: incoming.image,
            memory: incoming.stack,
            scratch,
        };
        let mut area = Value::ZERO;
        // SAFETY: the caller vouches for the call, the cells and the scratch memory; a caller in C
        // of a variadic function provides home slots for the integer registers.
        unsafe {
            for planned in &self.arguments {
                planned.receive(&places, arguments.as_mut_ptr());
            }
            if let Some(hidden) = &self.area {
                hidden.receive(&places, &raw mut area);
            }
            if self.variadic {
                self.store_homes(&places);
            }
        }
        Received {
            variable: VariableArguments {
                named: self.named,
                image: incoming.image,
                stack: incoming.stack,
            },
            area: area.address(),
        }
    }

    /// Stores the integer registers in their home slots, if the ABI has such.
    ///
    /// # Safety
    ///
    /// The slots are there.
    unsafe fn store_homes(&self, places: &Places) {
        let bytes = 8 * usize::from(self.target.abi.home_slots);
        let from = places.address(Slot::of(self.target, Location::Int(0)));
        // SAFETY: the image holds the registers, and the caller vouches for the slots.
        unsafe { core::ptr::copy_nonoverlapping(from, places.memory, bytes) };
    }

    /// Stores the results where the native caller finds them.
    ///
    /// # Safety
    ///
    /// `received` is the result of [`Plan::receive`] of this plan for this call; `results` has a
    /// value for each result.
    pub unsafe fn give(&self, incoming: &mut Incoming, received: &Received, results: &[Value]) {
        debug_assert!(self.covers(usize::MAX, results.len()));
        let places = Places {
            image: incoming.image,
            memory: received.area,
            scratch: core::ptr::null_mut(),
        };
        for planned in &self.results {
            // SAFETY: result slots are in the image or in the area that the caller passed.
            unsafe { planned.send(&places, results.as_ptr()) };
        }
        incoming.result_x87 = usize::from(self.result_x87);
    }

    /// True if every cell that the moves name exists.
    fn covers(&self, arguments: usize, results: usize) -> bool {
        let within = |moves: &[Move], cells| moves.iter().all(|one| (one.cell as usize) < cells);
        within(&self.arguments, arguments) && within(&self.results, results)
    }
}

/// The facts that [`Plan::receive`] finds beside the arguments.
#[derive(Clone, Copy, Debug)]
pub struct Received {
    /// The variable arguments, if the signature is variadic.
    pub variable: VariableArguments,
    /// The caller's area of further results, if there are such.
    area: *mut u8,
}

impl Received {
    /// Returns the same with this memory for further results if the caller passed none.
    #[must_use]
    pub(crate) fn or_area(mut self, area: *mut u8) -> Received {
        if self.area.is_null() {
            self.area = area;
        }
        self
    }
}

/// Returns `start + bytes`, rounded up to 16 and bounded by [`MAX_STACK_BYTES`].
fn room(start: u32, bytes: u64) -> Result<u32, TooLarge> {
    let bytes = u32::try_from(bytes).map_err(|_| TooLarge)?;
    if start > MAX_STACK_BYTES || bytes > MAX_STACK_BYTES {
        return Err(TooLarge);
    }
    let end = (start + bytes).next_multiple_of(16);
    if end > MAX_STACK_BYTES {
        return Err(TooLarge);
    }
    Ok(end)
}

/// A call in progress: the part that the gate sees, and the state of [`fill`] and [`finish`].
#[repr(C)]
struct PlannedCall<'p, 'm> {
    outgoing: Outgoing,
    plan: &'p Plan<'m>,
    arguments: *const Value,
    results: *mut Value,
}

native_abi! {
    /// Writes the arguments to the image and to `stack`.
    ///
    /// # Safety
    ///
    /// The structure is the start of a [`PlannedCall`], and the stack is as large as its plan says.
    unsafe extern "C" fn fill(outgoing: *mut Outgoing, stack: *mut u8) {
        // SAFETY: by the caller's word.
        let call = unsafe { &mut *outgoing.cast::<PlannedCall<'_, '_>>() };
        let image = (&raw mut call.outgoing.image).cast();
        // SAFETY: `Plan::call` was told that all values are there.
        unsafe { call.plan.pass(image, stack, call.arguments) };
    }
}

native_abi! {
    /// Reads the results from the image and from the area of further results.
    ///
    /// # Safety
    ///
    /// As for [`fill`], after the call.
    unsafe extern "C" fn finish(outgoing: *mut Outgoing, stack: *mut u8) {
        // SAFETY: by the caller's word.
        let call = unsafe { &mut *outgoing.cast::<PlannedCall<'_, '_>>() };
        let image = (&raw mut call.outgoing.image).cast();
        // SAFETY: `Plan::call` was told that the cells are there; the function stored what its
        // signature says.
        unsafe { call.plan.take(image, stack, call.results) };
    }
}
