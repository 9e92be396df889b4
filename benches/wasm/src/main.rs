//! Runs a WebAssembly program in `wasmi` or `wasmtime`, with fuel and checks of each access that
//! are code: no guard pages and no signals, as in a kernel. The program's imports are `write` and
//! `exit`.

use std::io::Write;

/// The fuel, which no program uses up.
const FUEL: u64 = 1 << 60;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, file] = arguments.as_slice() else {
        return Err("an engine and a file".into());
    };
    let program = std::fs::read(file)?;
    match engine.as_str() {
        "wasmi" => interpreted(&program),
        "wasmtime" => compiled(&program),
        _ => Err("no such engine".into()),
    }
}

/// Writes bytes of a program's memory; returns how many.
fn written(memory: &[u8], at: i32, count: i32) -> i32 {
    let start = at.cast_unsigned() as usize;
    let bytes = memory
        .get(start..)
        .and_then(|rest| rest.get(..count.cast_unsigned() as usize));
    bytes.map_or(-1, |bytes| match std::io::stdout().write_all(bytes) {
        Ok(()) => count,
        Err(_) => -1,
    })
}

fn interpreted(program: &[u8]) -> Result<(), Failure> {
    use wasmi::{Caller, Config, Engine, Linker, Module, Store};
    let mut config = Config::default();
    config.consume_fuel(true);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, program)?;
    let mut store = Store::new(&engine, ());
    store.set_fuel(FUEL)?;
    let mut linker = Linker::new(&engine);
    let write = |caller: Caller<'_, ()>, _: i32, at: i32, count: i32| -> i32 {
        let memory = caller.get_export("memory").and_then(|it| it.into_memory());
        memory.map_or(-1, |memory| written(memory.data(&caller), at, count))
    };
    linker.func_wrap("env", "write", write)?;
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    let main = instance.get_typed_func::<(), i32>(&store, "run")?;
    std::process::exit(main.call(&mut store, ())?)
}

fn compiled(program: &[u8]) -> Result<(), Failure> {
    use wasmtime::{Caller, Config, Engine, Linker, Module, OptLevel, Store};
    let mut config = Config::new();
    config.consume_fuel(true);
    config.cranelift_opt_level(OptLevel::Speed);
    config.signals_based_traps(false);
    config.memory_reservation(0);
    config.memory_guard_size(0);
    let engine = Engine::new(&config)?;
    let module = Module::new(&engine, program)?;
    let mut store = Store::new(&engine, ());
    store.set_fuel(FUEL)?;
    let mut linker = Linker::new(&engine);
    let write = |mut caller: Caller<'_, ()>, _: i32, at: i32, count: i32| -> i32 {
        let memory = caller.get_export("memory").and_then(|it| it.into_memory());
        memory.map_or(-1, |memory| written(memory.data(&caller), at, count))
    };
    linker.func_wrap("env", "write", write)?;
    let instance = linker.instantiate(&mut store, &module)?;
    let main = instance.get_typed_func::<(), i32>(&mut store, "run")?;
    std::process::exit(main.call(&mut store, ())?)
}
