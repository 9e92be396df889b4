//! Two programs, one built and one read from text, that call each other and a closure: run by the
//! interpreter, then compiled.
use mir_nostd::interp::{Engine, Interpreter};
use mir_nostd::ir::{ArgSpec, Code, Module, SignatureSpec, Type};
use mir_nostd::link::Context;
use mir_nostd::run::TypedFunc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = |sum: i64| println!("the sum is {sum}");
    let engine = Engine::new();
    let options = mir_host::context_options(&engine);
    let context = Context::new(options);
    context.define("report", &report)?;

    let mut built = Module::new(options.allocator, b"built", options.target.long_double)?;
    let args = [ArgSpec::new(Type::I64, "n")];
    let signature = SignatureSpec::new(&[Type::I64], &args);
    let mut square = built.build_func("square", signature)?;
    let n = square.arg(0);
    square.emit(Code::Mul, (n, n, n))?;
    square.emit(Code::Ret, (n,))?;
    square.finish()?;
    built.export(b"square")?;
    // SAFETY: the programs touch no memory.
    unsafe { mir_host::load_module(&context, built)? };
    unsafe { mir_host::load(&context, include_bytes!("../squares.mir"))? };
    context.link(&mut |_| None)?;

    let mut interpreter = Interpreter::new(&context, Default::default())?;
    let squares = interpreter.get::<i64, i64>("squares")?;
    let interpreted = squares.call(&mut interpreter, 10);
    interpreted.map_err(|stop| stop.to_string())?;

    let jit = mir_host::jit(&context, Default::default())?;
    jit.compile_all(&mut |_, _, error| eprintln!("not compiled: {error}"))?;
    let squares: TypedFunc<i64, i64> = jit.get("squares")?;
    Ok(println!("compiled: {}", squares.call(100)?))
}
