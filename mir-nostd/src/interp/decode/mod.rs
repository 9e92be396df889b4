//! Decoding: a linked function becomes dense code, once, when it is first called.
//!
//! Each step is linear in the function: [`facts`] looks at all instructions (which labels are
//! used, which registers live only between two labels, which hold extended 32-bit values);
//! [`lower`] turns instructions into operations, with constants and copies carried forward;
//! [`tidy`] drops what nobody reads; then loops are rotated ([`rotate`]) and neighbours joined
//! ([`fuse`]); [`emit`] lays out frame and words. None recurses. What they need beside the result
//! lives in containers that are freed at the end.
//!
//! Everything that a program can observe is as if instructions ran one by one: only registers whose
//! address is not taken are carried, only within straight code, and memory is read and written in
//! order.

mod calls;
mod emit;
mod error;
mod extensions;
mod facts;
mod flow;
mod fuse;
mod inline;
mod lower;
mod numbering;
mod operand;
mod rotate;
mod tidy;

use super::code::{Code, Fuel, Head, Op};
use crate::ir::{FuncId, InsnId, Label, Module, Type};
use crate::link::{Callable, Context, LinkedModule, Reason};
use crate::mem::{Allocator, Box, Entity, Vec};
use error::DecodeError;
use extensions::Extensions;
use facts::Facts;

/// Returns the code of a function of the context, decoded now if it was not before.
///
/// # Errors
///
/// [`Reason::OutOfMemory`]; [`Reason::Signature`] if the callable is no function;
/// [`Reason::TooLarge`]; [`Reason::Invalid`].
pub(super) fn code_of<'m>(
    context: &Context<'m>,
    callable: &Callable<'m>,
    head: Head,
) -> Result<*const Code<'static>, Reason> {
    let there = callable.code();
    if !there.is_null() {
        return Ok(there.cast_const().cast());
    }
    let code = decode(callable, context, Fuel::of(context), head)?;
    Ok(publish(context, callable, code).cast_const().cast())
}

/// Publishes code, or drops it if another thread was faster; returns the code that is there.
fn publish<'m>(context: &Context<'m>, callable: &Callable<'m>, code: Box<'m, Code<'m>>) -> *mut () {
    let ours = code.into_raw().cast::<()>();
    let there = callable.publish(ours);
    if there != ours {
        // The loser's copy. Nobody else has seen it.
        // SAFETY: `ours` was a box of this allocator a moment ago.
        drop(unsafe { take_back(context.allocator(), ours) });
    }
    there
}

/// Returns the code that [`publish`] made a pointer of.
///
/// # Safety
///
/// It is one of those, of a context over this allocator, and is taken back once.
pub(super) unsafe fn take_back(
    allocator: &dyn Allocator,
    code: *mut (),
) -> Option<Box<'_, Code<'_>>> {
    let code = core::ptr::NonNull::new(code)?;
    // SAFETY: by the caller's word.
    Some(unsafe { Box::from_raw(allocator, code.cast()) })
}

/// A register of the function, or a temporary of the decoder's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::interp) struct Var(pub(super) u32);

/// An operation before it has a place: its operands are variables instead of offsets, and numbers
/// of labels instead of distances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) op: Op,
    /// A branch may come here.
    pub(super) at_label: bool,
    /// It need not be performed.
    pub(super) dropped: bool,
    pub(super) slots: [u32; SLOTS],
    /// A bit per slot: the local variable there is read for the last time.
    pub(super) last_reads: u8,
    pub(super) insn: InsnId,
    /// Number of the node's [`Extra`], or `NONE`.
    pub(super) extra: u32,
}

/// The most operand slots of an operation.
pub(super) const SLOTS: usize = 8;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// A run of entries of [`Decoder::lists`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    pub(super) fn range(self) -> core::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// The data that calls, `switch` and `ret` have beside their operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra {
    /// Variables that are read: arguments or results returned.
    pub(super) reads: Span,
    /// Variables that are written: results of a call.
    pub(super) writes: Span,
    /// Pairs of label and cost.
    pub(super) labels: Span,
    /// For calls: number of the prototype's item.
    pub(super) proto: u32,
    /// For calls: the function's address if the call names it, else 0.
    pub(super) address: usize,
    /// For calls: the function is entered after the extension of its arguments.
    pub(super) extended: bool,
}

/// The room that a value takes in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// One cell of 8 bytes.
    Cell,
    /// The two cells of a long double.
    Long,
}

impl Width {
    /// Returns the width of values of this type.
    pub(super) fn of(ty: Type) -> Width {
        if ty == Type::Ld {
            Width::Long
        } else {
            Width::Cell
        }
    }
}

/// The facts that are known of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct VarFacts {
    /// Its address is taken: it may change at any store.
    pub(super) addressed: bool,
    /// Wherever it is read, it was written before without a label in between: it is dead at labels.
    pub(super) local: bool,
    /// A long double.
    pub(super) long: bool,
    /// The types whose extension it always is.
    pub(super) extensions: Extensions,
    /// The number of its low bits that matter to all that read it.
    pub(super) bits_read: u8,
    /// The greatest number of low bits that an instruction extends to write it; 0 if none does.
    pub(super) extended_from: u8,
    /// While tidying: it is read further on; while arguments are settled: it was mentioned.
    pub(super) live: bool,
    /// Number of its cell in the target's table of hard registers, or `NONE`.
    pub(super) hard: u32,
    /// The stretch of code between labels that it was last seen in.
    pub(super) stretch: u32,
    /// Counts its definitions; while arguments are settled, how often it is mentioned.
    pub(super) version: u32,
    /// Offset of its cell in the frame, or `NONE`.
    pub(super) offset: u32,
    /// The bytes that it takes in the frame if it stands for the memory of an `alloca`, else 0.
    pub(super) room: u32,
    pub(super) value: operand::ValueFacts,
}

/// The facts that are known of a label.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelFacts {
    pub(super) label: Label,
    /// The instruction that it is.
    pub(super) insn: InsnId,
    /// A branch, `laddr` or `lref` names it.
    pub(super) used: bool,
    /// Its number among those whose address is taken, or `NONE`.
    pub(super) address: u32,
    /// The cost in fuel of the block that begins there; 0 if fuel is not counted.
    pub(super) cost: u32,
    /// The node that follows it.
    pub(super) node: u32,
    /// The stretch that it begins; `NONE` while collecting facts before it.
    pub(super) stretch: u32,
}

/// A function under decoding.
pub(super) struct Decoder<'a, 'm> {
    pub(super) context: &'a Context<'m>,
    pub(super) linked: &'a LinkedModule<'m>,
    pub(super) module: &'a Module<'m>,
    pub(super) callable: &'a Callable<'m>,
    pub(super) func: FuncId,
    /// The variable of the function's first register: 0 but while a call's place is taken by its
    /// function.
    pub(super) first_var: u32,
    pub(super) fuel: Fuel,
    pub(super) head: Head,
    pub(super) vars: Vec<'m, VarFacts>,
    /// Sorted by label.
    pub(super) labels: Vec<'m, LabelFacts>,
    pub(super) nodes: Vec<'m, Node>,
    pub(super) extras: Vec<'m, Extra>,
    pub(super) lists: Vec<'m, u32>,
    /// The number of labels that have their address taken.
    pub(super) addressed_labels: u32,
    /// The costs of the blocks in order; empty if fuel is not counted.
    pub(super) costs: Vec<'m, u32>,
    /// The node at which each block begins that costs something, and its first instruction.
    pub(super) starts: Vec<'m, (u32, InsnId)>,
    /// Changes at every label that is used: what is known of values holds within one stretch.
    pub(super) stretch: u32,
    /// For each stretch how many more loops it is in than the one before.
    pub(super) loops: Vec<'m, i32>,
    /// The number of loops that the current stretch is in.
    pub(super) loop_depth: i32,
    /// The values that have been computed in the current stretch.
    pub(super) numbering: numbering::Numbering<'m>,
    /// Constants that loops use, and the variables that hold them from the function's start.
    pub(super) constants: Vec<'m, (i64, Var)>,
    /// The address that the present instruction checks before it accesses it.
    pub(super) reached: Option<operand::Reached>,
    /// The variable with the address of a confined program's memory, and that address.
    pub(super) base: Option<(crate::ir::Reg, i64)>,
    /// The next node follows a label that is used.
    pub(super) at_label: bool,
    /// The bytes in the frame that may still be the memory of `alloca`s.
    pub(super) room: u32,
    /// The function calls `setjmp`.
    pub(super) sets_jump: bool,
    /// The instruction being lowered.
    pub(super) insn: InsnId,
}

/// Decodes a function of the context, to code that charges fuel or does not.
///
/// # Errors
///
/// As [`code_of`].
pub(super) fn decode<'m>(
    callable: &Callable<'m>,
    context: &Context<'m>,
    fuel: Fuel,
    head: Head,
) -> Result<Box<'m, Code<'m>>, DecodeError> {
    let (linked, func) = callable.func().ok_or(DecodeError::Signature)?;
    let allocator = context.allocator();
    let module = linked.module();
    // Most instructions become one node.
    let insns = module.func(func).insn_count();
    let mut decoder = Decoder {
        context,
        linked,
        module,
        callable,
        func,
        first_var: 0,
        fuel,
        head,
        vars: Vec::new(allocator),
        labels: Vec::new(allocator),
        nodes: Vec::with_capacity(allocator, insns)?,
        extras: Vec::new(allocator),
        lists: Vec::new(allocator),
        addressed_labels: 0,
        costs: Vec::new(allocator),
        starts: Vec::new(allocator),
        stretch: 0,
        loops: Vec::new(allocator),
        loop_depth: 0,
        numbering: numbering::Numbering::new(allocator),
        constants: Vec::new(allocator),
        reached: None,
        base: None,
        at_label: false,
        room: lower::MOST_ROOM,
        sets_jump: false,
        insn: InsnId::new(0),
    };
    Facts::collect(&mut decoder)?;
    let body = decoder.lower()?;
    // Its memory serves what comes.
    decoder.numbering = numbering::Numbering::new(allocator);
    decoder.tidy(body);
    let arguments = decoder.settle_arguments(body);
    decoder.straighten()?;
    decoder.fuse();
    decoder.emit(body, arguments)
}

impl<'m> Decoder<'_, 'm> {
    /// Returns the facts of a variable.
    pub(super) fn var(&self, var: Var) -> &VarFacts {
        &self.vars[var.0 as usize]
    }

    pub(super) fn var_mut(&mut self, var: Var) -> &mut VarFacts {
        &mut self.vars[var.0 as usize]
    }

    /// Returns the number of a label of this function.
    pub(super) fn label_number(&self, label: Label) -> Result<u32, DecodeError> {
        self.labels
            .binary_search_by_key(&label, |facts| facts.label)
            .map(|number| number as u32)
            .map_err(|_| DecodeError::Invalid)
    }

    /// Returns a new temporary.
    pub(super) fn temp(&mut self, width: Width) -> Result<Var, DecodeError> {
        let var = Var(self.vars.len() as u32);
        self.vars.push(VarFacts {
            local: true,
            long: width == Width::Long,
            ..VarFacts::NEW
        })?;
        Ok(var)
    }

    /// Adds an operation.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn push(&mut self, op: Op, operands: &[u32]) -> Result<(), DecodeError> {
        self.push_with(op, operands, NONE)
    }

    #[cfg_attr(small_code, inline(never))]
    pub(super) fn push_with(
        &mut self,
        op: Op,
        operands: &[u32],
        extra: u32,
    ) -> Result<(), DecodeError> {
        if matches!(op, Op::VaStart | Op::VaArg | Op::VaBlockArg | Op::CopyBlock) {
            self.memory_changed();
        }
        let mut slots = [0; SLOTS];
        for (slot, &operand) in slots.iter_mut().zip(operands) {
            *slot = operand;
        }
        self.nodes.push(Node {
            op,
            at_label: core::mem::take(&mut self.at_label),
            dropped: false,
            slots,
            last_reads: 0,
            insn: self.insn,
            extra,
        })?;
        Ok(())
    }
}

impl VarFacts {
    /// Returns the room that the variable takes.
    pub(super) const fn width(&self) -> Width {
        if self.long { Width::Long } else { Width::Cell }
    }

    /// A variable of which nothing is known.
    pub(super) const NEW: VarFacts = VarFacts {
        addressed: false,
        local: false,
        long: false,
        extensions: Extensions::empty(),
        bits_read: 64,
        extended_from: 0,
        live: false,
        hard: NONE,
        stretch: NONE,
        version: 0,
        offset: NONE,
        room: 0,
        value: operand::ValueFacts::NOTHING,
    };
}
