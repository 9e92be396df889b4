//! The dense code that functions are decoded to: operations, the roles of their operands, and the
//! code of a function.
//!
//! An operation lies in the code as one 8-byte word that identifies it (the address of its handler,
//! or its number where the match loop runs), followed by its operands in slots of 4 bytes, padded
//! to 8 bytes. Registers are byte offsets in the frame. Each operation is described by its one row
//! in [`super::ops`].

use super::site::Site;
use crate::ir::InsnId;
use crate::link::{Callable, Context, Reason};
use crate::mem::{Allocator, Box, Entity, InlineList, Vec};
use crate::target::{Plan, Signature};
use core::sync::atomic::{AtomicPtr, Ordering};

/// The role of an operand slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Writes the 64-bit cell of a register.
    D,
    /// Writes the 16 bytes of a long double.
    X,
    /// Reads the whole 64-bit cell of a register.
    U,
    /// Reads the low 32 bits of an integer register.
    U4,
    /// Reads the low 16 bits of an integer register.
    U2,
    /// Reads the low 8 bits of an integer register.
    U1,
    /// Reads the 16 bytes of a long double.
    Y,
    /// A signed 32-bit constant.
    I,
    /// A 64-bit constant, in two slots.
    W,
    /// A branch target: a distance in bytes from the operation's start, then the costs in fuel of
    /// the block there (low half) and of the block after the branch (high half).
    J,
}

impl Role {
    /// Returns the number of 4-byte slots that the operand takes.
    pub(super) const fn slots(self) -> usize {
        match self {
            Role::W | Role::J => 2,
            _ => 1,
        }
    }

    /// True if the operation writes the register.
    pub(super) const fn is_def(self) -> bool {
        matches!(self, Role::D | Role::X)
    }

    /// Returns the number of low bits of a register that the operation reads; 0 if the operand is
    /// no register or only written.
    pub(super) const fn bits_read(self) -> u32 {
        match self {
            Role::U => 64,
            Role::U4 => 32,
            Role::U2 => 16,
            Role::U1 => 8,
            Role::Y => 128,
            _ => 0,
        }
    }
}

/// The most operands of an operation.
const MOST_ROLES: usize = 6;

macro_rules! enumeration {
    ($($name:ident [$($role:ident)*] |$m:ident| $body:expr;)*) => {
        /// An operation of the dense code.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub(super) enum Op {
            $($name,)*
        }

        /// The operands of each operation.
        static ROLES: [InlineList<Role, MOST_ROLES>; COUNT] =
            [$(InlineList::new(&[$(Role::$role),*], Role::I)),*];
        const COUNT: usize = [$(stringify!($name)),*].len();

        /// The length of each operation in words.
        pub(super) const WORDS: [u8; COUNT] = [$(words_of(&[$(Role::$role),*])),*];
    };
}
super::ops::operations!(enumeration);

const fn words_of(roles: &[Role]) -> u8 {
    let (mut slots, mut index) = (0, 0);
    while index < roles.len() {
        slots += roles[index].slots();
        index += 1;
    }
    1 + slots.div_ceil(2) as u8
}

impl Op {
    /// Returns the roles of the operand slots in order, without the data that follow them in calls
    /// and `switch`.
    pub(super) fn roles(self) -> &'static [Role] {
        ROLES[self as usize].as_slice()
    }

    /// Returns the length in words, without the data that follow the operands of calls and
    /// `switch`.
    pub(super) const fn words(self) -> usize {
        WORDS[self as usize] as usize
    }
}

/// The two kinds of code: with and without charges of fuel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fuel {
    /// The code charges for each block.
    Charged,
    /// The code runs without fuel.
    Free,
}

impl Fuel {
    /// Returns how the context's engine has code run.
    pub(super) fn of(context: &Context<'_>) -> Fuel {
        if context.counts_fuel() {
            Fuel::Charged
        } else {
            Fuel::Free
        }
    }

    pub(super) const fn is_charged(self) -> bool {
        matches!(self, Fuel::Charged)
    }
}

/// Returns the first word of an operation in code that charges fuel or does not: the machine that
/// runs the code decides.
pub(super) type Head = fn(Op, Fuel) -> u64;

/// The distance between addresses of labels. The address of a function's label, less the address of
/// its callable, is this times the label's number among those whose address is taken: the same in
/// every decoding of the function.
pub(super) const LABEL_STEP: usize = 8;

/// A decoded function. It does not move once published.
#[derive(Debug)]
pub(super) struct Code<'m> {
    /// The bytes of a frame: header and cells.
    pub(super) frame_bytes: usize,
    /// The entry points of calls: with the narrow arguments still to be extended, and after their
    /// extension.
    pub(super) entries: [*const u64; 2],
    /// The cost in fuel of the first block.
    pub(super) entry_cost: u64,
    /// The offset in the frame of the [`crate::target::VariableArguments`] of a variadic function.
    pub(super) variable_at: u32,
    /// The number of 8-byte cells that the arguments take.
    pub(super) arg_cells: u32,
    /// The number of 8-byte cells that the results take.
    pub(super) result_cells: u32,
    /// The function.
    pub(super) callable: *const Callable<'m>,
    /// The code.
    pub(super) words: Vec<'m, u64>,
    /// The labels whose addresses are taken: indexes of words, and the costs in fuel of the blocks
    /// there.
    pub(super) labels: Vec<'m, (u32, u32)>,
    /// The start of each run of words and the instruction that it was made from, ascending.
    pub(super) origins: Vec<'m, Origin>,
    /// The starts of the blocks that cost something, and their first instructions, of which nothing
    /// may be left, ascending.
    pub(super) blocks: Vec<'m, Origin>,
    /// The plan by which native code calls the function, made at the first such call.
    pub(super) incoming: AtomicPtr<Plan<'m>>,
    /// The data of calls out of the function beside their operands.
    pub(super) sites: Vec<'m, Box<'m, Site<'m>>>,
}

/// The instruction that the words from `start` on were made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) start: u32,
    pub(super) insn: InsnId,
}

impl Code<'_> {
    /// Returns the instruction that the word at `pc` was made from.
    pub(super) fn origin(&self, pc: *const u64) -> Option<InsnId> {
        Some(origin_in(&self.origins, self.offset(pc))?.insn)
    }

    /// Returns the instruction at which a run stops at `pc` for this reason: for want of fuel with
    /// the first one of a block.
    pub(super) fn place(&self, pc: *const u64, exit: Option<Reason>) -> Option<InsnId> {
        let offset = self.offset(pc);
        match exit {
            Some(Reason::OutOfFuel) => origin_in(&self.blocks, offset)
                .filter(|block| block.start as usize == offset)
                .map_or_else(|| self.origin(pc), |block| Some(block.insn)),
            _ => self.origin(pc),
        }
    }

    /// Returns the place of a word in the code.
    fn offset(&self, pc: *const u64) -> usize {
        pc.addr().wrapping_sub(self.words.as_ptr().addr()) / 8
    }

    /// Returns the number of an instruction in its function, if the instructions of the function
    /// were made one after the other.
    pub(super) fn number_of(&self, insn: InsnId) -> Option<u32> {
        // SAFETY: a callable lives as long as its context.
        let (linked, func) = unsafe { &*self.callable }.func()?;
        let first = linked.module().func(func).first()?;
        insn.index()
            .checked_sub(first.index())
            .map(|number| number as u32)
    }

    /// Returns the position of the label with this address, and the cost in fuel of the block
    /// there.
    #[inline(always)]
    pub(super) fn label_at(&self, address: usize) -> Option<(*const u64, u64)> {
        let distance = address.wrapping_sub(self.callable.addr());
        if !distance.is_multiple_of(LABEL_STEP) {
            return None;
        }
        let &(word, cost) = self.labels.get(distance / LABEL_STEP)?;
        // A pointer into all words, not to the one there: operands follow it.
        let place = self.words.get(word as usize..)?.as_ptr();
        Some((place, u64::from(cost)))
    }
}

/// Returns the last origin that does not begin after an offset.
fn origin_in(origins: &[Origin], offset: usize) -> Option<&Origin> {
    let behind = origins.partition_point(|origin| origin.start as usize <= offset);
    origins.get(behind.checked_sub(1)?)
}

impl Code<'static> {
    /// Returns the plan for calls of the function by native code. It lives as long as the code.
    pub(super) fn incoming_plan(
        &self,
        context: &Context<'static>,
    ) -> Result<*const Plan<'static>, Reason> {
        match self.incoming.load(Ordering::Acquire) {
            plan if plan.is_null() => self.make_plan(context),
            plan => Ok(plan),
        }
    }

    /// Makes the plan for calls by native code, and keeps it unless another thread was faster.
    #[cold]
    fn make_plan(&self, context: &Context<'static>) -> Result<*const Plan<'static>, Reason> {
        // SAFETY: a callable lives as long as its context.
        let function = unsafe { &*self.callable }.func();
        let (linked, func) = function.ok_or(Reason::Signature)?;
        let module = linked.module();
        let signature = &module.func(func).signature;
        let mut arguments = Vec::new(context.allocator());
        for &arg in module.args(signature) {
            arguments.push(arg.into())?;
        }
        let planned = Signature {
            results: module.results(signature),
            arguments: &arguments,
            variadic: signature.is_vararg().then_some(arguments.len()),
        };
        let plan = Plan::new(context.target(), &planned, context.allocator())?;
        let ours = Box::new(context.allocator(), plan)?.into_raw();
        let (null, order) = (core::ptr::null_mut(), Ordering::AcqRel);
        let kept = (self.incoming).compare_exchange(null, ours, order, Ordering::Acquire);
        kept.map_or_else(
            |theirs| {
                drop_plan(context.allocator(), ours);
                Ok(theirs.cast_const())
            },
            |_| Ok(ours.cast_const()),
        )
    }
}

impl Drop for Code<'_> {
    fn drop(&mut self) {
        let plan = core::mem::replace(self.incoming.get_mut(), core::ptr::null_mut());
        drop_plan(self.words.allocator(), plan);
    }
}

/// Frees a plan that [`Code::make_plan`] made.
fn drop_plan<'m>(allocator: &'m dyn Allocator, plan: *mut Plan<'m>) {
    if let Some(plan) = core::ptr::NonNull::new(plan) {
        // SAFETY: made by `into_raw`, and called once for each: by the loser of a race, and when
        // the code is dropped.
        drop(unsafe { Box::from_raw(allocator, plan) });
    }
}
