//! Compilers: one for each level, made when it is first asked for.

use crate::platform::{ISA, NATIVE};
use crate::state::State;
use crate::status::Status;
use core::cell::OnceCell;
use core::fmt;
use mir_nostd::codegen::{self, Error};
use mir_nostd::link::Context;
use mir_nostd::run::{Granularity, Jit, Options};

/// The highest level.
pub const MIR_HIGHEST_LEVEL: u32 = 3;

/// When functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum When {
    /// At once.
    Now = 0,
    /// Each when it is first called.
    Called = 1,
    /// Each block when control first comes to it.
    Reached = 2,
}

/// A [`When`] as C gives it, which may be any number.
pub type WhenNumber = u32;

/// The compilers of a context, one per level. The context of the same state is theirs, so they go
/// before it.
pub(crate) struct Compilers([OnceCell<Jit<'static, 'static>>; MIR_HIGHEST_LEVEL as usize + 1]);

impl fmt::Debug for Compilers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compilers")
    }
}

impl Compilers {
    pub(crate) const fn new() -> Compilers {
        Compilers([const { OnceCell::new() }; MIR_HIGHEST_LEVEL as usize + 1])
    }

    /// Returns one of the compilers, if there is one: any of them calls all functions.
    pub(crate) fn any(&self) -> Option<&Jit<'static, 'static>> {
        self.0.iter().find_map(OnceCell::get)
    }

    pub(crate) fn close(&mut self) {
        *self = Compilers::new();
    }
}

impl State {
    /// Returns the compiler of a level.
    fn compiler(&self, level: usize) -> Result<&Jit<'static, 'static>, Status> {
        let Some(cell) = self.compilers.0.get(level) else {
            return Err(self.refuse(&"levels are 0 to 3"));
        };
        let Some(_) = self.pages() else {
            return Err(self.refuse(&"compiling takes executable pages, which were not lent"));
        };
        if let Some(jit) = cell.get() {
            return Ok(jit);
        }
        let jit = self.new_compiler(level as u8);
        let jit = jit.map_err(|error| self.not_compiled(error))?;
        Ok(cell.get_or_init(|| jit))
    }

    fn new_compiler(&self, level: u8) -> Result<Jit<'static, 'static>, Error> {
        // SAFETY: compilers are dropped first when the state is closed.
        let state = unsafe { self.forever() };
        let pages = state.pages().ok_or(Error::Unsupported)?;
        let options = Options {
            codegen: codegen::Options {
                level,
                ..codegen::Options::default()
            },
            fuel: state.is_metered().then(|| state.fuel_word()),
            stack_limit: Some(state.stack_limit_word()),
            ..Options::default()
        };
        Jit::new(state.context(), &ISA, &NATIVE, pages, options)
    }

    fn not_compiled(&self, error: Error) -> Status {
        self.say(&error);
        match error {
            Error::OutOfMemory => Status::OutOfMemory,
            _ => Status::BadProgram,
        }
    }

    /// Compiles all functions that are linked and not compiled yet, or has them compiled later.
    /// Returns how many are left to the interpreter; the message says why the first is.
    pub(crate) fn compile(&self, level: u32, when: WhenNumber) -> Result<usize, Status> {
        let jit = self.compiler(level as usize)?;
        let granularity = match when {
            when if when == When::Now as u32 => None,
            when if when == When::Called as u32 => Some(Granularity::Function),
            when if when == When::Reached as u32 => Some(Granularity::Block),
            _ => return Err(self.refuse(&"there is no such time of compiling")),
        };
        let context: &Context<'static> = self.context();
        let mut left = 0;
        for number in 0..context.linked_modules() {
            let Some(linked) = context.module(number) else {
                break;
            };
            let done = match granularity {
                Some(granularity) => jit.defer(linked, granularity, &mut |_| true),
                None => {
                    let report = &mut |func, error: Error| {
                        if left == 0 {
                            let name = crate::fault::func_name(linked.module(), func);
                            let name = crate::fault::Lossy(name.to_bytes());
                            self.say(&format_args!("{name} is interpreted: {error}"));
                        }
                        left += 1;
                    };
                    jit.compile_module(linked, report).map(|_| ())
                }
            };
            done.map_err(|_| self.not_compiled(Error::OutOfMemory))?;
        }
        Ok(left)
    }
}
