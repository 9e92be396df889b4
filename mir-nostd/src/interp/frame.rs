//! The interpreter's stack and its state.
//!
//! Frames and blocks of `alloca` are pushed on one stack, in segments that never move. A frame that
//! does not fit opens a segment of at least twice the size; its return goes through a stub that
//! leaves the segment again, so that the ordinary call and return know nothing of segments.

use super::code::{Code, Fuel, Head, Op};
use crate::link::{Context, Reason, Run, Stopped};
use crate::num::LongDoubleFormat;
use core::alloc::Layout;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// The header before the cells of a frame.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Header {
    /// The return address in the caller's code: the cells for results, then the next operation.
    pub(super) return_pc: *const u64,
    /// The caller's frame.
    pub(super) caller: *mut u8,
    /// The function's code; null in the frame of an adapter (`adapt.rs`).
    pub(super) code: *const Code<'static>,
}

/// The size of the header in bytes.
pub(super) const HEADER: usize = size_of::<Header>();

/// Returns the header of the frame at `regs`.
#[inline(always)]
pub(super) fn header(regs: *mut u8) -> *mut Header {
    regs.wrapping_sub(HEADER).cast()
}

/// The alignment of frames and blocks on the stack, in bytes.
pub(super) const ALIGN: usize = 16;

/// The header of a segment; a stub of code follows it, then the frames.
#[repr(C, align(16))]
struct Segment {
    previous: *mut Segment,
    /// The bytes of the whole block.
    size: usize,
    /// The top, limit and return address that are restored when the segment is left.
    top: *mut u8,
    limit: *mut u8,
    return_pc: *const u64,
    /// The number of words of result cells that the stub holds before its one operation.
    result_words: usize,
}

/// The first segment's size in bytes.
const FIRST: usize = 2048;

/// The state of a run beside the frames of its functions.
pub(super) struct RunState {
    /// The first free byte of the stack, aligned.
    pub(super) top: *mut u8,
    /// The end of the segment.
    pub(super) limit: *mut u8,
    /// The number of nested calls that may still be made.
    pub(super) depth: usize,
    pub(super) signed_overflow: bool,
    pub(super) unsigned_overflow: bool,
    /// The label address that the last `jret` returned.
    pub(super) returned_label: usize,
    /// The reason why the machine stopped; `None` if the function that was run returned.
    pub(super) exit: Option<Reason>,
    /// The cost of the block that the fuel did not suffice for.
    pub(super) pending: u64,
    pc: *const u64,
    regs: *mut u8,
    fuel: u64,
    /// The word that compiled code, which called the run, takes fuel from; null if there is none.
    pub(super) fuel_word: *const AtomicU64,
    /// A cell of 16 bytes for each hard register of the target.
    pub(super) hard_cells: *mut [u64; 2],
    pub(super) format: LongDoubleFormat,
    /// The kind of code that runs; the tail-call handlers are compiled for one or the other.
    pub(super) charges: Fuel,
    /// The context whose functions run.
    pub(super) context: *const Context<'static>,
    /// The run in the context's list; null while nothing runs, and without native code.
    pub(super) run: *mut Run,
    /// The fault of compiled code that the run called, if that is why the run stopped.
    pub(super) stopped_in: Option<Stopped>,
    /// The place where the address of the state is told while it runs; null if nobody asks.
    pub(super) told: *const AtomicPtr<()>,
    segment: *mut Segment,
    /// A segment kept for reuse, so that calls across its border cost no allocation.
    spare: *mut Segment,
    /// The bytes of segments that may still be allocated.
    stack_left: usize,
    /// Makes the first words of operations, for code and for stubs on the stack.
    pub(super) head: Head,
}

impl RunState {
    /// Returns a state without stack.
    pub(super) fn new(
        context: *const Context<'static>,
        format: LongDoubleFormat,
        charges: Fuel,
        hard_cells: *mut [u64; 2],
        head: Head,
    ) -> RunState {
        RunState {
            top: core::ptr::null_mut(),
            limit: core::ptr::null_mut(),
            depth: 0,
            signed_overflow: false,
            unsigned_overflow: false,
            returned_label: 0,
            exit: None,
            pending: 0,
            pc: core::ptr::null(),
            regs: core::ptr::null_mut(),
            fuel: 0,
            fuel_word: core::ptr::null(),
            hard_cells,
            format,
            charges,
            context,
            run: core::ptr::null_mut(),
            stopped_in: None,
            told: core::ptr::null(),
            segment: core::ptr::null_mut(),
            spare: core::ptr::null_mut(),
            stack_left: 0,
            head,
        }
    }

    /// Returns the reason for which the last attempt failed.
    pub(super) fn reason(&self) -> Reason {
        self.exit.unwrap_or(Reason::Invalid)
    }

    /// Saves the position of the machine.
    #[inline(always)]
    pub(super) fn save(&mut self, pc: *const u64, regs: *mut u8, fuel: u64) {
        (self.pc, self.regs, self.fuel) = (pc, regs, fuel);
    }

    /// Returns the saved position of the machine: `pc`, `regs` and fuel.
    #[inline(always)]
    pub(super) fn saved(&self) -> (*const u64, *mut u8, u64) {
        (self.pc, self.regs, self.fuel)
    }

    /// Writes the fuel to its word, for compiled code that is about to run.
    pub(super) fn lend_fuel(&self) {
        // SAFETY: whoever set the word keeps it until the run is over.
        if let Some(word) = unsafe { self.fuel_word.as_ref() } {
            word.store(self.fuel, Ordering::Relaxed);
        }
    }

    /// Reads what compiled code left of the fuel.
    pub(super) fn take_fuel_back(&mut self) {
        // SAFETY: as above.
        if let Some(word) = unsafe { self.fuel_word.as_ref() } {
            self.fuel = word.load(Ordering::Relaxed);
        }
    }

    pub(super) fn set_fuel(&mut self, fuel: u64) {
        self.fuel = fuel;
    }

    pub(super) fn set_stack_limit(&mut self, bytes: usize) {
        let mut used = 0;
        let mut segment = self.segment;
        while !segment.is_null() {
            // SAFETY: segments in the list are live.
            unsafe {
                used += (*segment).size;
                segment = (*segment).previous;
            }
        }
        self.stack_left = bytes.saturating_sub(used);
    }

    /// Pushes a frame for `code`, which returns to `after` in the frame `caller`; returns its
    /// cells.
    ///
    /// `None` if that is not possible, with the reason in the state, where nothing else has
    /// changed.
    ///
    /// # Safety
    ///
    /// The code lives as long as the frame; at `after` are the cells for results and an operation.
    #[inline(always)]
    pub(super) unsafe fn push_frame(
        &mut self,
        code: *const Code<'static>,
        mut after: *const u64,
        caller: *mut u8,
    ) -> Option<*mut u8> {
        // SAFETY: the code lives; there is room for the frame once `make_room` says so.
        unsafe {
            if self.lacks((*code).frame_bytes) {
                after = self.make_room(code, after)?;
            }
            Some(self.place_frame(code, after, caller))
        }
    }

    /// True if there is no room for a frame of that many bytes, or no call may be made any more.
    #[inline(always)]
    pub(super) fn lacks(&self, frame_bytes: usize) -> bool {
        self.room() < frame_bytes || self.depth == 0
    }

    /// Pushes a frame for `code`, which returns to `after` in the frame `caller`; returns its
    /// cells.
    ///
    /// # Safety
    ///
    /// As [`RunState::push_frame`], and [`RunState::lacks`] is false for the frame.
    #[inline(always)]
    pub(super) unsafe fn place_frame(
        &mut self,
        code: *const Code<'static>,
        after: *const u64,
        caller: *mut u8,
    ) -> *mut u8 {
        // SAFETY: the code lives, and there is room for its frame.
        unsafe {
            let base = self.top;
            self.depth -= 1;
            self.top = base.add((*code).frame_bytes);
            base.cast::<Header>().write(Header {
                return_pc: after,
                caller,
                code,
            });
            base.add(HEADER)
        }
    }

    /// Pushes a frame of `bytes` zeros, its header included, which is no function's and returns to
    /// `after` in the frame `caller`, after so many words of cells; returns its cells.
    ///
    /// `None` if that is not possible, with the reason in the state, where nothing else has
    /// changed.
    ///
    /// # Safety
    ///
    /// As [`RunState::push_frame`]; `bytes` is a multiple of [`ALIGN`] and has room for the header.
    pub(super) unsafe fn push_adapter(
        &mut self,
        bytes: usize,
        mut after: *const u64,
        caller: *mut u8,
        result_words: usize,
    ) -> Option<*mut u8> {
        if self.depth == 0 {
            self.exit = Some(Reason::Depth);
            return None;
        }
        // SAFETY: as the caller says; there is room for the frame then.
        unsafe {
            if self.room() < bytes {
                match self.open_segment(bytes, after, 2 * result_words) {
                    Ok(stub) => after = stub,
                    Err(exit) => {
                        self.exit = Some(exit);
                        return None;
                    }
                }
            }
            let base = self.top;
            base.write_bytes(0, bytes);
            self.depth -= 1;
            self.top = base.add(bytes);
            base.cast::<Header>().write(Header {
                return_pc: after,
                caller,
                code: core::ptr::null(),
            });
            Some(base.add(HEADER))
        }
    }

    /// Drops the innermost frame, which [`RunState::push_adapter`] made; the top of the stack is
    /// `top` then.
    ///
    /// # Safety
    ///
    /// The frame is not used again; `top` is its start, or was the top of the stack before it was
    /// made.
    pub(super) unsafe fn drop_adapter(&mut self, top: *mut u8) {
        self.depth += 1;
        // SAFETY: by the caller's word.
        unsafe { self.unwind(top) };
    }

    /// Moves the innermost frame, at `regs`, to the place of its caller's, which it then returns
    /// for; returns its cells.
    ///
    /// # Safety
    ///
    /// `regs` is a frame without blocks of its own yet, whose caller is the frame at `caller`, with
    /// cells for the same results. That frame is in the same segment and not used again.
    pub(super) unsafe fn replace_frame(&mut self, caller: *mut u8, regs: *mut u8) -> *mut u8 {
        // SAFETY: both are frames, in one segment, by the caller's word; the block between the
        // start of the inner one and the top is its own.
        unsafe {
            let (from, to) = (header(regs), header(caller));
            let bytes = self.top.addr().wrapping_sub(from.addr());
            (*from).return_pc = (*to).return_pc;
            (*from).caller = (*to).caller;
            core::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), bytes);
            self.top = to.cast::<u8>().add(bytes);
            self.depth += 1;
        }
        caller
    }

    /// Makes sure that a frame of `code` fits and that one more call may be made; returns the
    /// return address of the callee, which replaces `after`.
    #[cold]
    #[inline(never)]
    unsafe fn make_room(
        &mut self,
        code: *const Code<'static>,
        after: *const u64,
    ) -> Option<*const u64> {
        if self.depth == 0 {
            self.exit = Some(Reason::Depth);
            return None;
        }
        // SAFETY: the code lives; as many cells as it has results are at `after`.
        let opened = unsafe {
            if self.room() >= (*code).frame_bytes {
                return Some(after);
            }
            self.open_segment((*code).frame_bytes, after, (*code).result_cells as usize)
        };
        opened.map_err(|exit| self.exit = Some(exit)).ok()
    }

    /// Allocates `size` bytes, a multiple of [`ALIGN`], on the stack for the frame at `regs`, until
    /// that returns.
    ///
    /// `None` if that is not possible, with the reason in the state, where nothing else has
    /// changed.
    ///
    /// # Safety
    ///
    /// `regs` is the innermost frame.
    #[inline(always)]
    pub(super) unsafe fn take(&mut self, regs: *mut u8, size: usize) -> Option<*mut u8> {
        // SAFETY: as the caller says; there is room for the block then.
        unsafe {
            if self.room() < size {
                self.open_for_block(regs, size)?;
            }
            let block = self.top;
            self.top = block.add(size);
            Some(block)
        }
    }

    /// Opens a segment for a block of the frame at `regs`, to be left when that frame returns.
    #[cold]
    #[inline(never)]
    unsafe fn open_for_block(&mut self, regs: *mut u8, size: usize) -> Option<()> {
        let frame = header(regs);
        // SAFETY: `regs` is a frame by the caller's word, so it has a header.
        let opened = unsafe {
            let cells = (*(*frame).code).result_cells as usize;
            self.open_segment(size, (*frame).return_pc, cells)
        };
        match opened {
            Ok(stub) => {
                // SAFETY: as above.
                unsafe { (*frame).return_pc = stub };
                self.set_top_after_segment(frame.cast());
                Some(())
            }
            Err(exit) => {
                self.exit = Some(exit);
                None
            }
        }
    }

    /// Charges for the block at the saved `pc`.
    ///
    /// # Errors
    ///
    /// [`Reason::OutOfFuel`]; the cost is pending then.
    pub(super) fn charge_entry(&mut self, cost: u64) -> Result<(), Reason> {
        match self.fuel.checked_sub(cost) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                self.pending = cost;
                Err(Reason::OutOfFuel)
            }
        }
    }

    /// Returns the bytes left in the segment.
    #[inline(always)]
    pub(super) fn room(&self) -> usize {
        self.limit.addr().wrapping_sub(self.top.addr())
    }

    /// Opens a segment with room for `bytes` after its header. Returns the address of its stub: a
    /// frame that would return to `return_pc`, with `result_cells` cells of results, must return
    /// there instead, which leaves the segment.
    ///
    /// # Errors
    ///
    /// [`Reason::Stack`] or [`Reason::OutOfMemory`]; nothing has changed then.
    ///
    /// # Safety
    ///
    /// `return_pc` is null or followed by the cells for the results and an operation.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn open_segment(
        &mut self,
        bytes: usize,
        return_pc: *const u64,
        result_cells: usize,
    ) -> Result<*const u64, Reason> {
        let result_words = result_cells.div_ceil(2);
        let stub_bytes = (8 * (result_words + 1)).next_multiple_of(ALIGN);
        let needed = bytes
            .checked_add(size_of::<Segment>() + stub_bytes)
            .ok_or(Reason::Stack)?;
        let segment = self.take_segment(needed)?;
        // SAFETY: the segment is new, ours, and has room for header and stub; the cells are there
        // by the caller's word.
        unsafe {
            let size = (*segment).size;
            let stub = segment.add(1).cast::<u64>();
            if !return_pc.is_null() {
                core::ptr::copy_nonoverlapping(return_pc, stub, result_words);
            }
            stub.add(result_words)
                .write((self.head)(Op::LeaveSegment, self.charges));
            segment.write(Segment {
                previous: self.segment,
                size,
                top: self.top,
                limit: self.limit,
                return_pc,
                result_words,
            });
            self.segment = segment;
            self.top = stub.cast::<u8>().add(stub_bytes);
            self.limit = segment.cast::<u8>().add(size / ALIGN * ALIGN);
            Ok(stub)
        }
    }

    /// Returns where the caller of a frame goes on that returns to `return_pc`, which may be the
    /// stub of a segment.
    ///
    /// # Safety
    ///
    /// The frame is on the stack.
    pub(super) unsafe fn return_place(&self, return_pc: *const u64) -> *const u64 {
        let (mut place, mut segment) = (return_pc, self.segment);
        // A segment that was opened for a frame's block leads on to one that was opened before it.
        while !segment.is_null() {
            // SAFETY: segments in the list are live, and their stubs follow their headers.
            unsafe {
                if core::ptr::eq(segment.add(1).cast(), place) {
                    place = (*segment).return_pc;
                }
                segment = (*segment).previous;
            }
        }
        place
    }

    /// Returns a block of at least `needed` bytes whose header holds its size.
    fn take_segment(&mut self, needed: usize) -> Result<*mut Segment, Reason> {
        let spare = core::mem::replace(&mut self.spare, core::ptr::null_mut());
        // SAFETY: a spare segment is live and not in the list.
        unsafe {
            if !spare.is_null() {
                if (*spare).size >= needed {
                    return Ok(spare);
                }
                self.free_segment(spare);
            }
        }
        let doubled = if self.segment.is_null() {
            FIRST
        } else {
            // SAFETY: the segment is live.
            unsafe { (*self.segment).size.saturating_mul(2) }
        };
        // Slack after large blocks leaves room for small ones.
        let ample = doubled.max(needed.saturating_add(needed / 2));
        let size = needed
            .max(ample.min(self.stack_left))
            .checked_next_multiple_of(ALIGN)
            .ok_or(Reason::Stack)?;
        if size > self.stack_left {
            return Err(Reason::Stack);
        }
        let layout = layout(size).ok_or(Reason::Stack)?;
        // SAFETY: the context outlives the interpreter that owns this state.
        let block = unsafe { &*self.context }
            .allocator()
            .allocate(layout)
            .map_err(|_| Reason::OutOfMemory)?;
        // SAFETY: the block is this long. Zeroing defines the bytes that programs read before they
        // write them.
        unsafe { block.write_bytes(0, size) };
        self.stack_left -= size;
        let segment = block.cast::<Segment>().as_ptr();
        // SAFETY: the block has room for a header.
        unsafe { (*segment).size = size };
        Ok(segment)
    }

    /// # Safety
    ///
    /// The segment is live and not used again.
    unsafe fn free_segment(&mut self, segment: *mut Segment) {
        // SAFETY: the segment is a live block of this allocator with this size.
        unsafe {
            let size = (*segment).size;
            self.stack_left += size;
            if let (Some(block), Some(layout)) = (NonNull::new(segment), layout(size)) {
                (*self.context).allocator().deallocate(block.cast(), layout);
            }
        }
    }

    /// Sets the stack's top for after the innermost segment, which was just opened, is left.
    pub(super) fn set_top_after_segment(&mut self, top: *mut u8) {
        // SAFETY: the segment is live.
        unsafe { (*self.segment).top = top };
    }

    /// Leaves the innermost segment. Returns the return address of its first frame, after the cells
    /// for results, which have been written.
    ///
    /// # Safety
    ///
    /// There is a segment, and no frame in it is used again.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn leave_segment(&mut self) -> *const u64 {
        let segment = self.segment;
        // SAFETY: the segment is live.
        unsafe {
            let Segment {
                previous,
                top,
                limit,
                return_pc,
                result_words,
                ..
            } = *segment;
            (self.segment, self.top, self.limit) = (previous, top, limit);
            let spare = core::mem::replace(&mut self.spare, segment);
            if !spare.is_null() {
                self.free_segment(spare);
            }
            return_pc.wrapping_add(result_words)
        }
    }

    /// Leaves segments until `top` is in the innermost one, and makes it the top.
    ///
    /// # Safety
    ///
    /// `top` was the top of the stack before; nothing pushed after it is used again.
    pub(super) unsafe fn unwind(&mut self, top: *mut u8) {
        while !self.segment.is_null() && !self.is_in_segment(top) {
            // SAFETY: there is a segment.
            unsafe { self.leave_segment() };
        }
        self.top = top;
    }

    /// True if the address is in the innermost segment.
    pub(super) fn is_in_segment(&self, address: *mut u8) -> bool {
        let start = self.segment.addr() + size_of::<Segment>();
        (start..=self.limit.addr()).contains(&address.addr())
    }

    /// Frees what the frame at `regs` allocated on the stack since its top was `top`.
    ///
    /// # Safety
    ///
    /// `regs` is the innermost frame, and `top` was the top of the stack since it began.
    #[inline(always)]
    pub(super) unsafe fn give_back(&mut self, regs: *mut u8, top: *mut u8) {
        if !self.is_in_segment(top) {
            // SAFETY: by the caller's word.
            unsafe { self.close_for_block(regs, top) };
        }
        self.top = top;
    }

    /// Leaves the segments that were opened for blocks of the frame at `regs` since the top of the
    /// stack was `top`.
    #[cold]
    #[inline(never)]
    unsafe fn close_for_block(&mut self, regs: *mut u8, top: *mut u8) {
        while !self.is_in_segment(regs) && !self.is_in_segment(top) {
            // SAFETY: the segment is live, and was opened by `open_for_block`; so the frame returns
            // through it.
            unsafe {
                (*header(regs)).return_pc = (*self.segment).return_pc;
                self.leave_segment();
            }
        }
    }

    /// Frees all segments.
    ///
    /// # Safety
    ///
    /// The allocator lives, and no frame is used again.
    pub(super) unsafe fn free_stack(&mut self) {
        // SAFETY: all segments are live, and not used again.
        unsafe {
            while !self.segment.is_null() {
                let previous = (*self.segment).previous;
                self.free_segment(self.segment);
                self.segment = previous;
            }
            if !self.spare.is_null() {
                self.free_segment(self.spare);
                self.spare = core::ptr::null_mut();
            }
        }
    }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, ALIGN).ok()
}
