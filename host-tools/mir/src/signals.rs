//! Signals of accesses to memory that is not the process's: the program has used up its stack, or
//! followed a wrong pointer.
#![expect(unsafe_code, reason = "signal handlers are the C library's")]

use core::ffi::{CStr, c_int, c_void};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::OnceLock;

/// The lowest address of the main thread's stack.
static STACK_END: AtomicUsize = AtomicUsize::new(0);

/// The words for accesses that the system refuses.
static WORDS: OnceLock<Words> = OnceLock::new();

/// The words for accesses that the system refuses.
pub(crate) struct Words {
    /// The message for a stack that is used up, to be written as it is.
    pub(crate) used_up: String,
    /// Tells any other access.
    pub(crate) tell: fn(&Access),
}

/// An access that the system refused.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// The address that was accessed.
    pub(crate) address: usize,
    /// The address of the machine instruction, where it is known how to find it.
    pub(crate) instruction: Option<usize>,
    /// The address after the call that led there, if it was a jump.
    pub(crate) caller: Option<usize>,
    /// The words at the end of the stack, among which are addresses after calls.
    pub(crate) stack: [usize; STACK_WORDS],
}

/// The number of words of the stack that are looked at.
const STACK_WORDS: usize = 64;

impl Access {
    /// True if the instruction itself is what is not there.
    pub(crate) fn is_jump(&self) -> bool {
        self.instruction == Some(self.address)
    }
}

/// Accesses so near to the end of the stack are those of a program that has used it up.
const NEAR_END: usize = 1 << 20;

/// The size of the main thread's stack where the system sets none, in bytes.
const OWN_LIMIT: usize = 256 << 20;

/// Returns the limit of the main thread's stack in bytes.
fn stack_limit() -> Option<usize> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the limit is ours to be written.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) } == 0;
    let is_set = known && limit.rlim_cur != libc::RLIM_INFINITY;
    is_set
        .then(|| usize::try_from(limit.rlim_cur).ok())
        .flatten()
}

/// Sets a limit for the main thread's stack, which must not grow into its neighbour in the address
/// space.
fn limit_stack() {
    let limit = libc::rlimit {
        rlim_cur: OWN_LIMIT as libc::rlim_t,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the system only reads the limit. If it refuses, `stack_limit` says so.
    unsafe { libc::setrlimit(libc::RLIMIT_STACK, &raw const limit) };
}

/// Returns the start of the mapping that this address is in.
fn mapping_start(address: usize) -> Option<usize> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| {
        let (start, rest) = line.split_once('-')?;
        let (end, _) = rest.split_once(' ')?;
        let [start, end] = [start, end].map(|word| usize::from_str_radix(word, 16).ok());
        let (start, end) = (start?, end?);
        (start..end).contains(&address).then_some(start)
    })
}

/// Returns the lowest address that the main thread's stack may have. A stack without a limit gets
/// one; an emulator that ignores it has given the stack all of its memory at once.
fn stack_end() -> Option<usize> {
    let here = 0_u8;
    let here = (&raw const here).addr();
    if stack_limit().is_none() {
        limit_stack();
    }
    match stack_limit() {
        Some(bytes) => here.checked_sub(bytes),
        None => mapping_start(here),
    }
}

/// The size of the stack on which accesses are told, in bytes. Memory is only taken as it is used.
const SIGNAL_STACK: usize = 8 << 20;

/// Makes the process tell accesses of the main thread that the system refuses: it ends with status
/// 1 if its stack is used up, else by the signal as it would without this.
pub(crate) fn catch_refused_accesses(words: Words) {
    if WORDS.set(words).is_err() {
        return;
    }
    let end = stack_end().unwrap_or(usize::MAX);
    STACK_END.store(end, Ordering::Relaxed);
    make_room();
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: all zeros are a valid `sigaction`, and the handler has the form for `SA_SIGINFO`.
        unsafe {
            let mut action: libc::sigaction = core::mem::zeroed();
            action.sa_sigaction = refused_access as *const () as usize;
            // Telling it may fail in the same way; then the process ends at once.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
            libc::sigaction(signal, &raw const action, core::ptr::null_mut());
        }
    }
}

/// Gives the main thread a stack for signals that is large enough to tell an access. Without memory
/// for it the small one of the standard library stays.
fn make_room() {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: new memory, which is never given back, becomes the stack for signals.
    unsafe {
        let start = libc::mmap(
            core::ptr::null_mut(),
            SIGNAL_STACK,
            protection,
            flags,
            -1,
            0,
        );
        if start == libc::MAP_FAILED {
            return;
        }
        let mut stack: libc::stack_t = core::mem::zeroed();
        stack.ss_sp = start;
        stack.ss_size = SIGNAL_STACK;
        libc::sigaltstack(&raw const stack, core::ptr::null_mut());
    }
}

/// Handles the signal of an access to memory that is not the process's.
extern "C" fn refused_access(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    /// True once an access was told: telling it may not fail again and again.
    static TOLD: AtomicBool = AtomicBool::new(false);
    // SAFETY: the system passes a description of the access.
    let address = unsafe { (*info).si_addr() } as usize;
    let end = STACK_END.load(Ordering::Relaxed);
    if let Some(words) = WORDS.get() {
        if address.abs_diff(end) < NEAR_END {
            let message = &words.used_up;
            // SAFETY: both calls are allowed in a signal handler.
            unsafe {
                libc::write(2, message.as_ptr().cast(), message.len());
                libc::_exit(1)
            }
        }
        if !TOLD.swap(true, Ordering::Relaxed) {
            // SAFETY: the system passes the thread's registers.
            let registers = unsafe { registers(context) };
            let instruction = registers.map(|registers| registers.instruction);
            let is_jump = instruction == Some(address);
            let caller = registers.filter(|_| is_jump);
            // SAFETY: a jump was made from code with a stack, to nothing that has changed it.
            let caller = caller.map(|registers| unsafe { registers.caller() });
            let stack = registers.map_or([0; STACK_WORDS], |registers| {
                let words = core::ptr::with_exposed_provenance(registers.stack);
                // SAFETY: the thread was calling functions, with more than this on its stack.
                unsafe { core::ptr::read_unaligned(words) }
            });
            // SAFETY: both calls are allowed in a signal handler.
            unsafe {
                libc::signal(libc::SIGALRM, give_up as *const () as usize);
                libc::alarm(PATIENCE);
            }
            (words.tell)(&Access {
                address,
                instruction,
                caller,
                stack,
            });
        }
    }
    // SAFETY: as above; the access comes again and ends the process.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// The most seconds that telling an access takes: it needs memory, and what made the access may
/// hold the lock of the C library's allocator for ever.
const PATIENCE: u32 = 5;

/// Ends the process as the access would have done.
extern "C" fn give_up(_: c_int) {
    // SAFETY: both calls are allowed in a signal handler.
    unsafe {
        libc::signal(libc::SIGSEGV, libc::SIG_DFL);
        libc::raise(libc::SIGSEGV);
    }
}

/// Returns the name of the shared library that an address is in.
pub(crate) fn library(address: usize) -> Option<String> {
    let find = |address: usize| {
        let address = core::ptr::with_exposed_provenance::<c_void>(address);
        // SAFETY: all zeros are a valid description, which the call fills in if it finds something.
        unsafe {
            let mut found: libc::Dl_info = core::mem::zeroed();
            (libc::dladdr(address, &raw mut found) != 0).then_some(found)
        }
    };
    let (found, own) = (find(address)?, find(refused_access as *const () as usize)?);
    if found.dli_fbase == own.dli_fbase || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: names of files end in NUL and live as long as their library, which is never closed.
    let name = unsafe { CStr::from_ptr(found.dli_fname) }.to_string_lossy();
    Some(name.rsplit('/').next().unwrap_or_default().to_owned())
}

/// The registers of a thread at a signal, as far as they are looked at.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "they are known on some ISAs only")]
struct Registers {
    instruction: usize,
    stack: usize,
    /// The return address, or where it is.
    link: Link,
}

#[derive(Clone, Copy)]
#[allow(dead_code, reason = "each ISA has one of them")]
enum Link {
    Address(usize),
    OnStack,
}

impl Registers {
    /// Returns the return address of what was just called.
    ///
    /// # Safety
    ///
    /// The stack pointer, if the address is there, is that of a stack.
    unsafe fn caller(self) -> usize {
        match self.link {
            Link::Address(address) => address,
            Link::OnStack => {
                let place = core::ptr::with_exposed_provenance::<usize>(self.stack);
                // SAFETY: by the caller's word.
                unsafe { place.read() }
            }
        }
    }
}

/// Returns the registers of the thread that a signal interrupted, where it is known how.
///
/// # Safety
///
/// The argument is what the system passes to a signal handler.
#[allow(unused_variables, unreachable_code, reason = "other ISAs and systems")]
unsafe fn registers(context: *mut c_void) -> Option<Registers> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: by the caller's word.
        let context = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
        #[cfg(target_arch = "x86_64")]
        return Some(Registers {
            instruction: context.gregs[libc::REG_RIP as usize] as usize,
            stack: context.gregs[libc::REG_RSP as usize] as usize,
            link: Link::OnStack,
        });
        #[cfg(target_arch = "aarch64")]
        return Some(Registers {
            instruction: context.pc as usize,
            stack: context.sp as usize,
            link: Link::Address(context.regs[30] as usize),
        });
        #[cfg(target_arch = "riscv64")]
        return Some(Registers {
            instruction: context.__gregs[libc::REG_PC] as usize,
            stack: context.__gregs[libc::REG_SP] as usize,
            link: Link::Address(context.__gregs[libc::REG_RA] as usize),
        });
    }
    None
}
