//! Output: `puts`, `putchar`, and `printf`, whose calls a static gate receives.

use crate::LENDER;
use crate::print::{Arguments, print};
use crate::string::strlen;
use mir_nostd::ir::Type;
use mir_nostd::mem::Allocator;
use mir_nostd::num::LongDouble;
use mir_nostd::target::{
    Argument, Entry, GateRegisters, Incoming, Native, Plan, PlanError, Signature, Target, Value,
};

/// Passes the output of a program to the lender.
pub(crate) fn output(bytes: &[u8]) {
    if let Some(lender) = LENDER.get() {
        lender.output(bytes);
    }
}

pub(crate) unsafe extern "C" fn puts(text: *const u8) -> i32 {
    // SAFETY: the caller passes a string that ends in 0.
    output(unsafe { core::slice::from_raw_parts(text, strlen(text)) });
    output(b"\n");
    0
}

/// `printf` for native callers.
#[derive(Debug)]
pub struct Printf {
    plan: Plan<'static>,
    target: &'static Target,
}

impl Printf {
    /// Prepares the state that [`Printf::bind`] needs.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new(
        target: &'static Target,
        allocator: &'static dyn Allocator,
    ) -> Result<Printf, PlanError> {
        let signature = Signature {
            results: &[Type::I32],
            arguments: &[Argument::scalar(Type::P)],
            variadic: Some(1),
        };
        let plan = Plan::new(target, &signature, allocator)?;
        Ok(Printf { plan, target })
    }

    /// Binds a static gate to this `printf`; returns its address, `None` if all gates are taken.
    #[must_use]
    pub fn bind(&'static self, native: &dyn Native) -> Option<usize> {
        let (entry, address) = native.gates().claim()?;
        let context = core::ptr::from_ref(self).cast_mut().cast();
        // SAFETY: the gate was just claimed; `printf` takes this, which lives for ever.
        unsafe { entry.bind(native, printf, context, GateRegisters::Floating) };
        Some(address)
    }
}

/// The largest size of a target's `va_list`, in words of 8 bytes.
const LIST_WORDS: usize = 4;

unsafe extern "C-unwind" fn printf(entry: &Entry, incoming: Option<&mut Incoming>) {
    let Some(incoming) = incoming else {
        return;
    };
    // SAFETY: `bind` stored the address of a `Printf` of static lifetime.
    let this = unsafe { &*entry.context().cast::<Printf>() };
    let mut text = [Value::ZERO];
    let mut list = Listed {
        list: [0; LIST_WORDS],
        target: this.target,
    };
    // SAFETY: the call has the signature of the plan, which needs no scratch memory; a list of the
    // target fits.
    let (received, count) = unsafe {
        let received = this
            .plan
            .receive(incoming, &mut text, core::ptr::null_mut());
        (this.target.abi.va_list.start)(list.list.as_mut_ptr().cast(), &received.variable);
        let text = text[0].address::<u8>();
        (received, print(&mut output, text, &mut list))
    };
    // SAFETY: `received` is of this call, and there is one result.
    unsafe {
        this.plan
            .give(incoming, &received, &[Value::from_i64(i64::from(count))]);
    }
}

/// The variable arguments of a call, in a `va_list` of the target.
struct Listed {
    list: [u64; LIST_WORDS],
    target: &'static Target,
}

impl Listed {
    /// Returns the bytes of the next argument.
    fn next<const N: usize>(&mut self, ty: Type) -> [u8; N] {
        // SAFETY: the list is valid, and the program's format names the arguments that it passes.
        unsafe {
            (self.target.abi.va_list.argument)(self.list.as_mut_ptr().cast(), ty)
                .cast::<[u8; N]>()
                .read_unaligned()
        }
    }
}

impl Arguments for Listed {
    fn int(&mut self) -> i32 {
        i32::from_ne_bytes(self.next(Type::I32))
    }

    fn long(&mut self) -> u64 {
        u64::from_ne_bytes(self.next(Type::I64))
    }

    fn double(&mut self) -> u64 {
        u64::from_ne_bytes(self.next(Type::D))
    }

    fn long_double(&mut self) -> LongDouble {
        self.target
            .long_double
            .from_bytes(self.next(Type::Ld), self.target.big_endian)
    }

    fn long_double_format(&self) -> mir_nostd::num::LongDoubleFormat {
        self.target.long_double
    }
}
