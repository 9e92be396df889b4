//! The verifier of confined functions: proves that each access to memory of a function goes to
//! what the function may use, on generic instructions, right before selection.
//!
//! **Idea.** The rewritten program has its checks as ordinary comparisons and branches, which all
//! stages may move, merge and remove. So the verifier does not look for checks. It computes with
//! the addresses: each value is a linear combination of results that are not looked into
//! ([`terms`]), each branch says in which interval a combination lies in the blocks that it
//! dominates, and an address is proven if all numbers that it can be, with all bytes of the access,
//! are in the program's memory. Other accesses must be to the frame, the constant pool, words of
//! the host's at the addresses that [`Confinement`] has, rows of the table of functions that are
//! below its end, memory that the calling convention lends, or what the table of windows gave for
//! an access of so many bytes. Code that is made ahead has symbols for the program's memory and the
//! table of functions: each is an atom, so that what is proven holds wherever they will be. The
//! program's stack pointer is a word of the host's: each value stored there must be within the
//! program's stack, and a function must return with the one that it was called with; so it can be
//! relied on when it is loaded. Calls go to symbols, or to what is in the table of functions; jump
//! tables are not left.
//!
//! **Invariant.** At each point of the walk, what is noted of a term holds for the last values of
//! its atoms whenever control is there. Virtual registers may have many definitions, so the walk
//! over the dominator tree renames them as SSA construction does (Cytron and others, "Efficiently
//! computing static single assignment form and the control dependence graph", 1991). Nothing is
//! taken from the analyses of the optimiser.
//!
//! Values that meet at a block are followed in three ways. Such a value that is always another plus
//! a constant, or plus the address of the program's memory, becomes that ([`phis`]). All others are
//! in the smallest interval that holds those of the values that meet; if the proof fails then, it
//! is tried once more with the intervals that [`induction`] finds. And what cannot be proven of a
//! value that meets is to be proven at the ends of the blocks before, of the values that come from
//! there.
//!
//! **Cost.** A few walks over the function, each linear in its instructions but for lists of at
//! most five atoms and a hash table; meeting places and pending proofs have bounds, beyond which
//! the error is [`Error::Budget`]. Nothing recurs.

mod goals;
mod graph;
mod induction;
mod insns;
mod interval;
mod learn;
mod phis;
mod state;
mod terms;
mod walk;

use crate::ir::{Confinement, FuncId, Module};
use crate::machine::{Function, InsnId};
use crate::target::Isa;
use crate::target::error::Error;
use state::Verifier;

/// The most walks that only follow values to where they come from.
const MOST_ROUNDS: usize = 4;

/// Returns the bound of lists that are not linear in the worst case, for so many blocks or
/// instructions.
const fn most_pairs(size: usize) -> usize {
    (1 << 20) + 64 * size
}

/// Returns the error for an instruction that is not proven.
const fn unproven(insn: InsnId) -> Error {
    Error::Unconfined { insn }
}

/// Verifies a function of generic instructions that was made of a function of a confined program's
/// module.
///
/// # Errors
///
/// [`Error::Unconfined`] with the first instruction that is not proven; [`Error::Budget`] if the
/// function is out of proportion; out of memory.
pub(crate) fn verify(
    function: &Function<'_>,
    isa: &dyn Isa,
    module: &Module<'_>,
    func: FuncId,
    confinement: Confinement,
) -> Result<(), Error> {
    match attempt(function, isa, module, func, confinement, Bounds::Met) {
        Err(Error::Unconfined { .. }) => {
            attempt(function, isa, module, func, confinement, Bounds::Induced)
        }
        outcome => outcome,
    }
}

/// The way in which intervals of values that meet at a loop are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bounds {
    /// They hold all values that meet.
    Met,
    /// They are induced, too, which most functions do without.
    Induced,
}

fn attempt(
    function: &Function<'_>,
    isa: &dyn Isa,
    module: &Module<'_>,
    func: FuncId,
    confinement: Confinement,
    bounds: Bounds,
) -> Result<(), Error> {
    let mut verifier = Verifier::new(function, isa, module, confinement)?;
    verifier.set_up(func)?;
    verifier.collect()?;
    if verifier.find_unreached()? {
        verifier.collect()?;
    }
    if verifier.resolve_phis()? {
        verifier.collect()?;
        verifier.resolve_phis()?;
    }
    if bounds == Bounds::Induced {
        verifier.induce()?;
    }
    verifier.bound_phis()?;
    verifier.prove()?;
    for _ in 0..MOST_ROUNDS {
        if verifier.follow()?.is_none() {
            return Ok(());
        }
    }
    verifier
        .follow()?
        .map_or(Ok(()), |insn| Err(unproven(insn)))
}
