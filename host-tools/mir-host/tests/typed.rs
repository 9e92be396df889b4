//! Functions and closures with Rust's own types, interpreted and compiled.
#![expect(unsafe_code, reason = "programs are loaded")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use mir_nostd::interp::{Engine, Interpreter};
use mir_nostd::ir::Type;
use mir_nostd::link::{Context, FunctionError, HostError, Reason};
use mir_nostd::run::{CallError, Options};

const TEXT: &[u8] = b"
m: module
    import halve, weigh, refuse
    export narrow, two, eight, ask, some, none, address
p_halve: proto d, i64:n
p_weigh: proto i64, i8:a, u8:b, i16:c, u16:d, i32:e, u32:f, f:g, d:h
p_refuse: proto i64, i64:n

narrow: func i8, u8:a, i16:b
    local i64:sum
    add sum, a, b
    ret sum
    endfunc

two: func d, i64, i64:a, d:b
    local d:sum
    i2d sum, a
    dadd sum, sum, b
    ret sum, a
    endfunc

eight: func i64, i8:a, u8:b, i16:c, u16:d, i32:e, u32:f, f:g, d:h
    local i64:r
    call p_weigh, weigh, r, a, b, c, d, e, f, g, h
    ret r
    endfunc

ask: func d, i64:n
    local d:r, i64:ignored
    bgt refused, n, 100
    call p_halve, halve, r, n
    ret r
refused: call p_refuse, refuse, ignored, n
    ret r
    endfunc

some: func i64, i64:n, ...
    ret n
    endfunc

none: func
    ret
    endfunc

address: func u8, p:a
    local i64:r
    mov r, u8:1(a)
    ret r
    endfunc
    endmodule
";

/// Returns what tells the eight arguments apart: each has a weight of its own.
#[expect(clippy::too_many_arguments, reason = "as many as there may be")]
fn weigh(a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: f32, h: f64) -> i64 {
    let integers = [a.into(), b.into(), c.into(), d.into(), e.into(), f.into()];
    let floats = [(g * 4.0) as i64, (h * 8.0) as i64];
    let all = integers.iter().chain(&floats);
    (1..)
        .zip(all)
        .map(|(weight, value): (i64, &i64)| weight * value)
        .sum()
}

/// Runs `body` with a context in which the program is linked.
fn with_program(body: impl FnOnce(&Context<'_>)) {
    let halve = |number: i64| number as f64 / 2.0;
    let refuse = |number: i64| Err::<i64, HostError>(HostError(number as u32));
    let engine = Engine::new();
    let context = Context::new(mir_host::context_options(&engine));
    context.define("halve", &halve).unwrap();
    context.define("weigh", &weigh).unwrap();
    context.define("refuse", &refuse).unwrap();
    // SAFETY: the program reads the memory that it is given the address of.
    unsafe { mir_host::load(&context, TEXT) }.unwrap();
    context.link(&mut |_| None).unwrap();
    body(&context);
}

/// The arguments of `eight`, each at an edge of its type, and the sum by hand:
/// -128 + 2 * 255 - 3 * 32768 + 4 * 65535 - 5 * 2^31 + 6 * (2^32 - 1) + 7 * 6 - 8 * 20.
const EIGHT: (i8, u8, i16, u16, i32, u32, f32, f64) =
    (i8::MIN, 255, i16::MIN, 65535, i32::MIN, u32::MAX, 1.5, -2.5);
const SUM_OF_EIGHT: i64 = -128 + 510 - 98304 + 262_140 - 10_737_418_240 + 25_769_803_770 + 42 - 160;

#[test]
fn interpreted_functions_take_and_return_every_type() {
    with_program(|context| {
        let mut interpreter = Interpreter::new(context, Default::default()).unwrap();
        let it = &mut interpreter;
        let narrow = it.get::<(u8, i16), i8>("narrow").unwrap();
        assert_eq!(narrow.call(it, (200, 100)).unwrap(), 44);
        let two = it.get::<(i64, f64), (f64, i64)>("two").unwrap();
        assert_eq!(two.call(it, (3, 0.25)).unwrap(), (3.25, 3));
        let eight = it.get::<_, i64>("eight").unwrap();
        assert_eq!(eight.call(it, EIGHT).unwrap(), SUM_OF_EIGHT);
        it.get::<(), ()>("none").unwrap().call(it, ()).unwrap();
        let ask = it.get::<i64, f64>("ask").unwrap();
        assert_eq!(ask.call(it, 7).unwrap(), 3.5);
        let stop = ask.call(it, 101).unwrap_err();
        assert_eq!(stop.reason, Reason::Host(HostError(101)));
        assert_eq!(
            stop.to_string(),
            "in `ask`, at `call p_refuse, refuse, ignored, n`: an imported closure failed with code 101"
        );
    });
}

#[test]
fn compiled_functions_take_and_return_every_type() {
    for level in 0..=3 {
        with_program(|context| {
            let mut options = Options::default();
            options.codegen.level = level;
            let jit = mir_host::jit(context, options).unwrap();
            let compiled = jit
                .compile_all(&mut |_, _, error| panic!("{error}"))
                .unwrap();
            assert_eq!((compiled.functions, compiled.left), (7, 0));
            let narrow = jit.get::<(u8, i16), i8>("narrow").unwrap();
            assert_eq!(narrow.call((200, 100)).unwrap(), 44);
            let two = jit.get::<(i64, f64), (f64, i64)>("two").unwrap();
            assert_eq!(two.call((3, 0.25)).unwrap(), (3.25, 3));
            let eight = jit.get::<_, i64>("eight").unwrap();
            assert_eq!(eight.call(EIGHT).unwrap(), SUM_OF_EIGHT);
            jit.get::<(), ()>("none").unwrap().call(()).unwrap();
            let bytes = [7_u8, 8];
            let address = jit.get::<usize, u8>("address").unwrap();
            assert_eq!(address.call(bytes.as_ptr().expose_provenance()).unwrap(), 8);
            let ask = jit.get::<i64, f64>("ask").unwrap();
            assert_eq!(ask.call(7).unwrap(), 3.5);
            let Err(CallError::Fault(fault)) = ask.call(101) else {
                panic!("the closure failed");
            };
            assert_eq!(fault.reason(), Reason::Host(HostError(101)));
            assert_eq!(
                fault.describe(context).to_string(),
                "an imported closure failed with code 101"
            );
        });
    }
}

#[test]
fn other_signatures_are_told_from_the_function_s() {
    with_program(|context| {
        let jit = mir_host::jit(context, Options::default()).unwrap();
        let error = |result: Result<_, CallError>| match result {
            Err(CallError::Function(error)) => error,
            other => panic!("{other:?}"),
        };
        let wrong = error(jit.get::<u8, i8>("narrow").map(|_| ()));
        let (wanted, given) = (2, 1);
        assert_eq!(wrong, FunctionError::Arguments { wanted, given });
        assert_eq!(
            wrong.to_string(),
            "the function takes 2 arguments, 1 are given"
        );
        let wrong = error(jit.get::<(u8, i64), i8>("narrow").map(|_| ()));
        let (number, wanted, given) = (1, Type::I16, Type::I64);
        assert_eq!(
            wrong,
            FunctionError::Argument {
                number,
                wanted,
                given
            }
        );
        assert_eq!(wrong.to_string(), "argument 1 is i16, i64 is given");
        let wrong = error(jit.get::<(u8, i16), f64>("narrow").map(|_| ()));
        assert_eq!(wrong.to_string(), "result 0 is i8, d is taken");
        let wrong = error(jit.get::<(u8, i16), ()>("narrow").map(|_| ()));
        assert_eq!(
            wrong.to_string(),
            "the function returns 1 results, 0 are taken"
        );
        assert_eq!(
            error(jit.get::<i64, i64>("some").map(|_| ())),
            FunctionError::Variable
        );
        assert_eq!(
            error(jit.get::<i64, i64>("such").map(|_| ())),
            FunctionError::NotFound
        );
        // The name of an import is no function of the program's.
        assert_eq!(
            error(jit.get::<i64, f64>("halve").map(|_| ())),
            FunctionError::NotLinked
        );
        // Signs may differ.
        assert_eq!(
            jit.get::<(i8, u16), u8>("narrow")
                .unwrap()
                .call((-1, 3))
                .unwrap(),
            2
        );
    });
}
