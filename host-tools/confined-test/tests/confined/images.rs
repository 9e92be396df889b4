//! Programs from images: made as `mir image --confined` makes them, and run by the loader that
//! devices have (`mir-image`), which shares no code with the runtime.

use crate::prelude::*;
use core::cell::Cell;
use mir::{Confinable, Declaration, Mapping};
use mir_host::Symbols;
use mir_image::{Budget, Confined, Fault, Image, Import, Machine, Place, Window};
use mir_nostd::confined::BAD_ADDRESS;

std::thread_local! {
    /// The memory of the program that runs in this thread.
    static MEMORY: Cell<Option<mir_image::Memory>> = const { Cell::new(None) };
}

/// Does what the import of this name does that [`testkit::confined::define`] defines.
extern "C" fn change(at: u64, bytes: u64) -> u64 {
    let Some(memory) = MEMORY.get() else {
        return 0;
    };
    // SAFETY: the program waits for this import, which uses nothing else of its memory.
    let bytes = unsafe { memory.slice_mut(at, bytes) };
    let mut sum = 0;
    match bytes {
        Some(bytes) => {
            for byte in bytes {
                sum += u64::from(*byte);
                *byte ^= 0x5A;
            }
        }
        // SAFETY: the program waits for this import.
        None => unsafe { memory.fail(BAD_ADDRESS) },
    }
    sum
}

/// Fails with the code in its argument, as the other import there.
extern "C" fn fail(code: u64) -> u64 {
    if let Some(memory) = MEMORY.get() {
        // SAFETY: the program waits for this import.
        unsafe { memory.fail(code as u32) };
    }
    0
}

/// Returns the declarations of both.
fn imports() -> Vec<Declaration> {
    let declare = |name: &str, count| Declaration {
        name: name.into(),
        results: vec![Type::I64],
        arguments: vec![Type::I64; count],
    };
    vec![declare("change", 2), declare("fail", 1)]
}

/// Returns the address of an import.
fn resolve(import: Import<'_>) -> Option<u64> {
    let function = match import.name {
        _ if import.is_routine => Symbols::open(&[]).unwrap().find(import.name)?,
        b"change" => change as *const () as usize,
        b"fail" => fail as *const () as usize,
        _ => return None,
    };
    Some(function as u64)
}

/// Returns the place of a fault as the runtime tells it.
fn place(fault: Fault<'_>) -> crate::prelude::Place {
    let function = String::from_utf8_lossy(fault.function).into_owned();
    let reason = mir::runtime_reason(fault.reason);
    (reason, function, fault.instruction)
}

/// The types that a function called from outside may have here: the loader passes integers.
const INTEGERS: [&str; 9] = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "p"];

/// Returns whether all of a signature's types are integers.
fn is_of_integers(signature: &str) -> bool {
    let types = signature.split(['(', ')', ',']);
    let mut types = types.filter(|ty| !ty.is_empty());
    types.all(|ty| INTEGERS.contains(&ty))
}

/// Returns the number that a function returned, by its signature.
fn extended(signature: &str, value: u64) -> i64 {
    match signature.split(['(', ',']).next() {
        Some("") => 0,
        Some("i8") => i64::from(value as i8),
        Some("u8") => i64::from(value as u8),
        Some("i16") => i64::from(value as i16),
        Some("u16") => i64::from(value as u16),
        Some("i32") => i64::from(value as i32),
        Some("u32") => i64::from(value as u32),
        _ => value as i64,
    }
}

impl Setup<'_> {
    /// Returns whether images have all that the program is given: memory that begins at a multiple
    /// of 8.
    pub(crate) fn fits_images(&self) -> bool {
        self.offset.is_multiple_of(8)
    }

    /// Returns what is different from an outcome when the program is run from an image that was
    /// compiled at a level.
    ///
    /// # Panics
    ///
    /// If what is around its memory was touched, or no image is made or loaded.
    pub(crate) fn difference_in_image(&self, expected: &Outcome, level: u8) -> Option<String> {
        let found = self.run_in_image(&expected.linked, level);
        let expected = Outcome {
            traces: Vec::new(),
            ..expected.clone()
        };
        difference(&expected, &found)
    }

    /// Returns the image of the program with these imports.
    fn image(&self, imports: Vec<Declaration>, level: u8) -> Result<Vec<u8>, String> {
        let program = Confinable {
            modules: modules(self.text).unwrap(),
            libraries: modules(self.library).unwrap(),
            imports: Some(imports),
            bytes: self.bytes,
            options: self.options,
        };
        mir::confined_image(program, level)
    }

    /// Runs the program from an image, with this memory after linking.
    fn run_in_image(&self, linked: &[u8], level: u8) -> Outcome {
        let bytes = self.image(imports(), level).unwrap();
        let image = Image::parse(&bytes, Machine::HERE.unwrap()).unwrap();
        let mut mapping = Mapping::new(&image).unwrap();
        let code = mapping.addresses().code;
        let (ram, after) = mapping.memory();
        after.fill(CANARY);
        let own = image.header().memory as usize - mir_image::Word::Fuel.distance();
        let mut program = image.load_confined(ram, code, &mut resolve).unwrap();
        self.fill(&mut program, linked);
        let mut windows: Vec<Guarded> = { self.windows.iter() }
            .map(|window| Guarded::new(window.1, 3))
            .collect();
        for (&(address, _, access), memory) in self.windows.iter().zip(&mut windows) {
            let window = match access {
                Access::Read => Window::Read(memory.bytes()),
                Access::Write => Window::Write(memory.bytes()),
            };
            program.grant(address, window).unwrap();
        }
        MEMORY.set(Some(program.memory()));
        let calls = self.calls.iter();
        let calls = calls
            .map(|(name, arguments)| call(&mut program, name, arguments, self.fuel))
            .collect();
        MEMORY.set(None);
        for window in &self.windows {
            // Two may lie at one address.
            program.revoke(window.0);
        }
        let memory = program.bytes().to_vec();
        let (ram, after) = mapping.memory();
        assert!(after.iter().all(|&byte| byte == CANARY), "written after it");
        let before = ram[..own].to_vec();
        image.load_confined(ram, code, &mut resolve).unwrap();
        assert_eq!(ram[..own], before, "written before the memory");
        Outcome {
            calls,
            traces: Vec::new(),
            linked: linked.to_vec(),
            memory,
            windows: windows.into_iter().map(Guarded::take).collect(),
        }
    }

    /// Gives the program's memory the bytes that are not its data's, after it was checked that data
    /// are as they are expected.
    fn fill(&self, program: &mut Confined<'_>, linked: &[u8]) {
        let bytes = program.bytes();
        let all = linked.iter().zip(pattern(self.bytes)).zip(&mut *bytes);
        for (at, ((&expected, given), found)) in all.enumerate() {
            let is_right = *found == expected || *found == 0 && expected == given;
            assert!(is_right, "{found:#x} at {at:#x} is not {expected:#x}");
        }
        bytes.copy_from_slice(linked);
    }
}

/// Does what the import of this name does in the tests of calls back.
extern "C" fn again(function: u64, number: u64) -> u64 {
    let memory = MEMORY.get().unwrap();
    // SAFETY: the program waits for this import.
    unsafe {
        memory.call(function, &[number]).unwrap_or_else(|_| {
            memory.fail(mir_image::CALL_FAILED);
            0
        })
    }
}

/// Does what the other import does there.
extern "C" fn swallow(function: u64, number: u64) -> u64 {
    let memory = MEMORY.get().unwrap();
    // SAFETY: the program waits for this import.
    unsafe {
        if let Ok(value) = memory.call(function, &[number]) {
            return value;
        }
        let value = memory.call_at(LEAF.get(), &[number]).unwrap();
        if number == 8 && memory.call(function, &[number]).is_err() {
            memory.fail(mir_image::CALL_FAILED);
        }
        1000 + value
    }
}

std::thread_local! {
    /// The address of the program's function `leaf`.
    static LEAF: Cell<u64> = const { Cell::new(0) };
}

/// The result of a call or its fault, and the fuel that it left.
pub(crate) type Ended = (Result<i64, crate::prelude::Place>, u64);

/// Runs calls of a program whose imports call back, from an image that was compiled at a level.
/// Returns the outcome of each with the fuel that is left, and the program's memory.
pub(crate) fn run_calls_back(
    setup: &Setup<'_>,
    level: u8,
    calls: &[(&str, i64)],
) -> (Vec<Ended>, Vec<u8>) {
    let declare = |name: &str| Declaration {
        name: name.into(),
        results: vec![Type::I64],
        arguments: vec![Type::P, Type::I64],
    };
    let imports = vec![declare("again"), declare("swallow")];
    let bytes = setup.image(imports, level).unwrap();
    let image = Image::parse(&bytes, Machine::HERE.unwrap()).unwrap();
    let mut mapping = Mapping::new(&image).unwrap();
    let code = mapping.addresses().code;
    let (ram, _) = mapping.memory();
    let resolve = &mut |import: Import<'_>| match import.name {
        b"again" => Some(again as *const () as u64),
        b"swallow" => Some(swallow as *const () as u64),
        _ => None,
    };
    let mut program = image.load_confined(ram, code, resolve).unwrap();
    let used = program.bytes().iter().rposition(|&byte| byte != 0);
    let used = used.map_or(0, |last| last + 1);
    program.bytes()[used..].copy_from_slice(&pattern(setup.bytes)[used..]);
    MEMORY.set(Some(program.memory()));
    LEAF.set(program.address_of(program.export(b"leaf").unwrap().place));
    let ended = { calls.iter() }
        .map(|(name, number)| call(&mut program, name, &[*number], setup.fuel))
        .collect();
    MEMORY.set(None);
    (ended, program.bytes().to_vec())
}

/// Calls a function of the program.
fn call(program: &mut Confined<'_>, name: &str, arguments: &[i64], fuel: u64) -> Ended {
    let budget = Budget {
        fuel,
        stack_limit: stack_limit() as u64,
    };
    let export = program.export(name.as_bytes()).unwrap();
    let signature = core::str::from_utf8(export.signature).unwrap();
    assert!(matches!(export.place, Place::Code(_)) && is_of_integers(signature));
    let arguments: Vec<u64> = arguments.iter().map(|&n| n as u64).collect();
    // SAFETY: the image was made here, and the function takes integers.
    let ran = unsafe { program.call(name.as_bytes(), &arguments, budget) };
    let result = ran.map(|value| extended(signature, value));
    (result.map_err(place), program.fuel())
}
