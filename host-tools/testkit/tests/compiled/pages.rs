//! Executable pages that are refused, or at one address only.

use crate::prelude::*;
use mir_host::PrivatePages;

/// Pages of which one call fails, or all from it on; counts the regions lent.
pub(crate) struct FailingPages {
    pages: &'static dyn Pages,
    calls: AtomicUsize,
    /// The first call that fails, plus one; 0 for none.
    fails: AtomicUsize,
    fails_on: AtomicBool,
    pub(crate) lent: AtomicUsize,
}

impl FailingPages {
    /// Returns these pages, of which no call fails yet.
    pub(crate) const fn over(pages: &'static dyn Pages) -> FailingPages {
        FailingPages {
            pages,
            calls: AtomicUsize::new(0),
            fails: AtomicUsize::new(0),
            fails_on: AtomicBool::new(false),
            lent: AtomicUsize::new(0),
        }
    }

    fn granted(&self) -> Result<(), OutOfMemory> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let fails = self.fails.load(Ordering::Relaxed);
        let is_later = self.fails_on.load(Ordering::Relaxed) && number > fails;
        if fails != 0 && (number == fails || is_later) {
            return Err(OutOfMemory);
        }
        Ok(())
    }
}

// SAFETY: the regions are those of the pages, whose promises hold; a call that fails does nothing.
unsafe impl Pages for FailingPages {
    fn granule(&self) -> usize {
        self.pages.granule()
    }

    fn reserve(&self, bytes: usize, near: Option<usize>) -> Result<Region, OutOfMemory> {
        self.granted()?;
        let region = self.pages.reserve(bytes, near)?;
        self.lent.fetch_add(1, Ordering::Relaxed);
        Ok(region)
    }

    unsafe fn make_writable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        self.granted()?;
        // SAFETY: as the caller says.
        unsafe { self.pages.make_writable(region, offset, length) }
    }

    unsafe fn make_executable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        self.granted()?;
        // SAFETY: as the caller says.
        unsafe { self.pages.make_executable(region, offset, length) }
    }

    unsafe fn release(&self, region: Region) {
        self.lent.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { self.pages.release(region) };
    }
}

/// Runs `MIXED` with the pages that are lent.
fn run_mixed(
    backend: &'static dyn Backend,
    granularity: Option<Granularity>,
    pages: &FailingPages,
    expected: i64,
) {
    let context = linked(MIXED, &SystemAllocator).unwrap();
    let Ok(jit) = Jit::new(
        &context,
        backend,
        target_all::NATIVE,
        pages,
        Options::default(),
    ) else {
        return;
    };
    let module = context.module(0).unwrap();
    // If nothing could be compiled, the interpreter runs the functions.
    _ = match granularity {
        Some(granularity) => jit.defer(module, granularity, &mut |_| true),
        None => jit.compile_module(module, &mut |_, _| {}).map(|_| ()),
    };
    for _ in 0..2 {
        match call(&jit, function(&context, "a"), &[12]) {
            Ok(found) => assert_eq!(found, expected),
            Err(CallError::OutOfMemory) => {}
            Err(CallError::Fault(fault)) => assert_eq!(fault.reason(), Reason::OutOfMemory),
            Err(error) => panic!("{error:?}"),
        }
    }
    // Code that could not be made for want of pages is compiled, or interpreted, once there are
    // some.
    pages.fails.store(0, Ordering::Relaxed);
    assert_eq!(call(&jit, function(&context, "a"), &[12]), Ok(expected));
}

#[test]
fn without_pages_functions_are_interpreted() {
    let backend = testkit::host_backend();
    for granularity in [None, Some(Granularity::Function), Some(Granularity::Block)] {
        let pages = FailingPages::over(&PAGES);
        let expected = {
            let context = linked(MIXED, &SystemAllocator).unwrap();
            let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
            let (arguments, mut results) = ([Value::from_i64(12)], [Value::ZERO]);
            let a = function(&context, "a");
            interpreter.run(a, &arguments, &mut results).unwrap();
            results[0].i64()
        };
        run_mixed(backend, granularity, &pages, expected);
        let calls = pages.calls.load(Ordering::Relaxed);
        assert!(calls > 1);
        for first in 1..=calls {
            for fails_on in [false, true] {
                pages.calls.store(0, Ordering::Relaxed);
                pages.fails.store(first, Ordering::Relaxed);
                pages.fails_on.store(fails_on, Ordering::Relaxed);
                run_mixed(backend, granularity, &pages, expected);
                assert_eq!(
                    pages.lent.load(Ordering::Relaxed),
                    0,
                    "{granularity:?} {first}"
                );
            }
        }
    }
}

#[test]
fn no_page_that_runs_is_made_writable() {
    let backend = testkit::host_backend();
    for granularity in GRANULARITIES {
        let pages = FailingPages::over(&PrivatePages);
        {
            let context = linked(&chain(30), &SystemAllocator).unwrap();
            let options = Options {
                can_free: true,
                ..Options::default()
            };
            let jit = Jit::new(&context, backend, target_all::NATIVE, &pages, options).unwrap();
            let module = context.module(0).unwrap();
            jit.defer(module, granularity, &mut |_| true).unwrap();
            // Each function compiles the next one while it runs, so that its own page must stay
            // as it is.
            assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(37));
            let reserved = jit.reserved_bytes();
            for number in 0..30 {
                let one = function(&context, &format!("f{number}"));
                // SAFETY: nothing runs.
                assert!(unsafe { jit.free(one) });
                jit.defer(module, granularity, &mut |_| true).unwrap();
                assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(37));
            }
            assert_eq!(jit.reserved_bytes(), reserved);
        }
        assert_eq!(pages.lent.load(Ordering::Relaxed), 0);
    }
}

/// Without pages no thunk can be made: what C may call has one of the gates that the program was
/// linked with.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a gate is the function that C calls"
)]
fn without_pages_functions_have_static_gates() {
    let source = "m: module
export f, g
p: proto i64, i64:a
f: func i64, i64:a
add a, a, 1
ret a
endfunc
g: func i64, i64:a
call p, f, a, a
mul a, a, 3
ret a
endfunc
h: func i64, i64:a
ret a
endfunc
endmodule
";
    let target = target_all::NATIVE.target();
    let mut options = ContextOptions::new(&SystemAllocator, target, &ENGINE);
    options.native = Some(target_all::NATIVE);
    options.use_gates = true;
    let context = Context::new(options);
    load(&context, source).unwrap();
    context.link(&mut |_| None).unwrap();
    for (name, expected) in [("f", 15), ("g", 45)] {
        let callable = function(&context, name);
        let address = callable.native_address().unwrap();
        assert!(core::ptr::eq(
            context.callable_at(address).unwrap(),
            callable
        ));
        assert!(context.callable_at(address + 1).is_none());
        // SAFETY: a gate is called as C calls the function, which has this signature.
        let result = unsafe {
            let gate: extern "C" fn(i64) -> i64 = core::mem::transmute(address);
            gate(14)
        };
        assert_eq!(result, expected, "{name}");
    }
    // Nobody but this module can call what is not exported: it takes no gate.
    assert!(
        context.module(0).unwrap().callables()[2]
            .native_address()
            .is_none()
    );
}
