//! Functions that several threads compile together, where the embedder lends them.
//!
//! Whatever the number of threads and whoever is faster, the code is the same. Each thread takes
//! functions and compiles them into a batch of its own; at the end the functions are copied into
//! one batch in their order. Where functions use what is known of their callees, each waits for
//! those that would be known if one thread compiled all in order ([`Callees::needs`]), and uses no
//! others.
//!
//! The first function that nobody took needs none but those before it, which threads are at work
//! on: so there is always one that can go on.

use super::batch::Batch;
use super::shared::{Shared, Worker};
use super::unit::Unit;
use crate::codegen::{Callees, Error, Phase};
use crate::ir::FuncId;
use crate::machine::UnitSet;
use crate::mem::{OutOfMemory, Vec, sort_by_key};
use core::cmp::Reverse;
use core::hint::spin_loop;
use spin::Mutex;

/// The most functions that are looked at for one that needs none that is not compiled yet.
const WINDOW: usize = 256;

/// Functions of a module that threads compile together.
pub(super) struct WorkList<'l, 'm> {
    shared: &'l Shared<'m>,
    /// The functions, in the order in which one thread would compile them.
    units: &'l [&'l Unit<'m>],
    /// The facts on functions as callees, none of which is compiled yet.
    callees: Option<Callees<'m>>,
    /// For each function, how many at the start of the list it needs.
    needs: Vec<'m, u32>,
    /// True if functions are taken in their order by one thread.
    is_alone: bool,
    progress: Mutex<Progress<'m>>,
}

/// The state of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waits,
    Taken,
    /// It is in this batch, under this number.
    Compiled(u32, u32),
    /// It stays with the engine; the error, if anyone is to be told.
    Left(Option<Error>),
}

/// The state of the whole list.
struct Progress<'m> {
    states: Vec<'m, State>,
    /// The numbers of the functions in the order in which they are taken.
    order: Vec<'m, u32>,
    /// The number of functions at the start of that order that were all taken.
    taken: usize,
    /// The number of functions at the start of the list that are all done.
    done: usize,
    /// The effects of functions as callees, as they were found.
    effects: Vec<'m, (FuncId, UnitSet)>,
    /// The code of each thread that has begun; of those that are at work it is missing.
    batches: Vec<'m, Option<Batch<'m>>>,
    is_out_of_memory: bool,
}

/// The next thing for a thread to do.
enum Next {
    Compile(usize),
    /// Wait for others.
    Wait,
    Stop,
}

impl<'l, 'm> WorkList<'l, 'm> {
    /// Returns a list of functions for one thread, or for several. Several take them by their
    /// sizes, the largest first, unless they depend on their callees.
    pub(super) fn new(
        shared: &'l Shared<'m>,
        units: &'l [&'l Unit<'m>],
        callees: Option<Callees<'m>>,
        is_alone: bool,
    ) -> Result<WorkList<'l, 'm>, OutOfMemory> {
        let allocator = shared.allocator;
        let mut order = Vec::with_capacity(allocator, units.len())?;
        let mut needs = Vec::with_capacity(allocator, units.len())?;
        for (number, unit) in units.iter().enumerate() {
            order.push(number as u32)?;
            let number = callees.as_ref().map_or(0, |callees| {
                let needs = callees.needs(unit.func());
                units.partition_point(|unit| (callees.place(unit.func()) as usize) < needs)
            });
            needs.push(number as u32)?;
        }
        if callees.is_none() && !is_alone {
            sort_by_key(&mut order, |&number| {
                Reverse(units[number as usize].insn_count())
            });
        }
        let mut states = Vec::new(allocator);
        states.resize(units.len(), State::Waits)?;
        Ok(WorkList {
            shared,
            units,
            callees,
            needs,
            is_alone,
            progress: Mutex::new(Progress {
                states,
                order,
                taken: 0,
                done: 0,
                effects: Vec::new(allocator),
                batches: Vec::new(allocator),
                is_out_of_memory: false,
            }),
        })
    }

    /// Compiles functions until there are none left that nobody took. Any number of threads may do
    /// so at a time.
    pub(super) fn drain(&self) {
        if self.is_taken() {
            return;
        }
        // A thread that gets no memory to begin with leaves the functions to the others.
        let _ = self.shared.with_worker(|worker| {
            let drained = self.compile(worker);
            if drained.is_err() {
                self.progress.lock().is_out_of_memory = true;
            }
            drained
        });
    }

    /// Returns whether nothing is left to take.
    fn is_taken(&self) -> bool {
        let progress = &*self.progress.lock();
        progress.is_out_of_memory || progress.taken == self.units.len()
    }

    fn compile(&self, worker: &mut Worker<'m>) -> Result<(), OutOfMemory> {
        let thread = {
            let batches = &mut self.progress.lock().batches;
            batches.push(None)?;
            batches.len() - 1
        };
        worker.compiler.callees = self.callees.as_ref().map(Callees::try_clone).transpose()?;
        let mut known = 0;
        loop {
            let next = self.next(worker, &mut known);
            let number = match next {
                Next::Compile(number) => number,
                Next::Wait => {
                    spin_loop();
                    continue;
                }
                Next::Stop => break,
            };
            let unit = self.units[number];
            let compiled = if unit.is_misfit() {
                Err(None)
            } else {
                worker.add(unit).map_err(Some)
            };
            if compiled == Err(Some(Error::OutOfMemory)) {
                return Err(OutOfMemory);
            }
            let state = match compiled {
                Ok(()) => State::Compiled(thread as u32, worker.batch.functions.len() as u32 - 1),
                Err(error) => {
                    if let Some(callees) = &mut worker.compiler.callees {
                        callees.forget(unit.func());
                    }
                    State::Left(error)
                }
            };
            let effect = (worker.compiler.callees.as_ref()).map(|known| known.effect(unit.func()));
            self.progress.lock().finish(number, state, unit, effect)?;
        }
        let batch = core::mem::replace(&mut worker.batch, Batch::new(self.shared.allocator));
        self.progress.lock().batches[thread] = Some(batch);
        Ok(())
    }

    /// Returns what a worker is to do next, and tells it the effects that were found since it
    /// `known` so many.
    fn next(&self, worker: &mut Worker<'m>, known: &mut usize) -> Next {
        let mut progress = self.progress.lock();
        let next = progress.take(&self.needs);
        if let (Next::Compile(_), Some(callees)) = (&next, &mut worker.compiler.callees) {
            for &(func, effect) in progress.effects.get(*known..).unwrap_or(&[]) {
                callees.learn(func, effect);
            }
            *known = progress.effects.len();
        }
        next
    }

    /// Returns the code of all functions in their order, when all threads have ended. `left` is
    /// told of the functions that could not be compiled, with the error if others are to be told.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`], also if not all functions were compiled.
    pub(super) fn finish(
        self,
        left: &mut dyn FnMut(&Unit<'m>, Option<Error>),
    ) -> Result<Batch<'m>, OutOfMemory> {
        let mut progress = self.progress.into_inner();
        if progress.is_out_of_memory || progress.done < self.units.len() {
            return Err(OutOfMemory);
        }
        let mut all = match progress.batches.pop() {
            Some(Some(batch)) if self.is_alone => batch,
            last => {
                progress.batches.push(last.flatten())?;
                Batch::new(self.shared.allocator)
            }
        };
        for (unit, &state) in self.units.iter().zip(&progress.states) {
            let copied = match state {
                State::Compiled(..) if self.is_alone => Ok(()),
                State::Compiled(batch, number) => {
                    let batch = progress.batches.get_mut(batch as usize);
                    match batch.and_then(Option::as_mut) {
                        Some(batch) => all.add_copy(batch, number as usize, self.shared.isa),
                        None => Err(Phase::Placement.internal(None)),
                    }
                }
                State::Left(error) => {
                    left(unit, error);
                    Ok(())
                }
                State::Waits | State::Taken => Err(Phase::Placement.internal(None)),
            };
            match copied {
                Ok(()) => {}
                Err(Error::OutOfMemory) => return Err(OutOfMemory),
                Err(error) => left(unit, Some(error)),
            }
        }
        while let Some(batch) = progress.batches.pop() {
            if let Some(batch) = batch {
                all.take_noted(batch)?;
            }
        }
        Ok(all)
    }
}

impl Progress<'_> {
    /// Takes the first function that needs no more than are done.
    fn take(&mut self, needs: &[u32]) -> Next {
        let Progress { states, order, .. } = self;
        let waits = |number: u32| states[number as usize] == State::Waits;
        while (order.get(self.taken)).is_some_and(|&number| !waits(number)) {
            self.taken += 1;
        }
        if self.is_out_of_memory || self.taken == order.len() {
            return Next::Stop;
        }
        let first = order.iter().skip(self.taken).take(WINDOW);
        let mut ready = { first }
            .filter(|&&number| waits(number) && needs[number as usize] as usize <= self.done);
        match ready.next() {
            Some(&number) => {
                states[number as usize] = State::Taken;
                Next::Compile(number as usize)
            }
            None => Next::Wait,
        }
    }

    /// Notes that a function is done, and its effect as a callee.
    fn finish(
        &mut self,
        number: usize,
        state: State,
        unit: &Unit<'_>,
        effect: Option<UnitSet>,
    ) -> Result<(), OutOfMemory> {
        if let Some(effect) = effect {
            self.effects.push((unit.func(), effect))?;
        }
        self.states[number] = state;
        while let Some(State::Compiled(..) | State::Left(_)) = self.states.get(self.done) {
            self.done += 1;
        }
        Ok(())
    }
}
