//! Functions that programs register for their end.

use core::ffi::c_void;
use spin::Mutex;

/// A function that is called at the end.
#[derive(Clone, Copy)]
enum Registered {
    Plain(extern "C" fn()),
    With(extern "C" fn(*mut c_void), usize),
}

/// The number of functions that may wait: what C asks for at least.
const MOST: usize = 32;

/// The functions that wait, the last registered one last, and how many they are.
static WAITING: Mutex<([Option<Registered>; MOST], usize)> = Mutex::new(([None; MOST], 0));

/// The variable whose address C++ programs pass when they register destructors, to tell objects
/// apart.
pub(crate) static DSO_HANDLE: u8 = 0;

/// Registers a function; returns 0 if there is room.
fn register(function: Registered) -> i32 {
    let (waiting, count) = &mut *WAITING.lock();
    let Some(place) = waiting.get_mut(*count) else {
        return -1;
    };
    *place = Some(function);
    *count += 1;
    0
}

pub(crate) extern "C" fn atexit(function: extern "C" fn()) -> i32 {
    register(Registered::Plain(function))
}

pub(crate) extern "C" fn cxa_atexit(
    function: extern "C" fn(*mut c_void),
    argument: usize,
    _object: *mut c_void,
) -> i32 {
    register(Registered::With(function, argument))
}

/// Forgets the functions that a program registered which was given up.
pub fn forget_registered() {
    WAITING.lock().1 = 0;
}

/// Calls the functions that a program registered for its end, the last one first. The program must
/// still be there.
pub fn call_registered() {
    loop {
        // The lock is not held during the call, which may register others.
        let next = {
            let (waiting, count) = &mut *WAITING.lock();
            let last = count.checked_sub(1);
            *count = last.unwrap_or(0);
            last.and_then(|last| waiting.get(last).copied().flatten())
        };
        match next {
            Some(Registered::Plain(function)) => function(),
            Some(Registered::With(function, argument)) => {
                function(core::ptr::with_exposed_provenance_mut(argument));
            }
            None => return,
        }
    }
}
