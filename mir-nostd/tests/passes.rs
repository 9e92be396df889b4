//! The effect of each pass of the code generator on a function that it is for, on every ISA,
//! measured by the instructions left before selection.
#![expect(clippy::unwrap_used, reason = "tests")]

use core::ops::Range;
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::stage::LEVELS;
use mir_nostd::codegen::{Callees, Compiler, Error, Form, Printed, Stage};
use mir_nostd::ir::FuncId;
use mir_nostd::machine::{Bank, BlockId, Generic, LowType, Reg};
use mir_nostd::target::AddressForm;
use mir_nostd::text;
use mir_nostd::verify::{Verified, Violation};
use std::sync::Mutex;
use target_all::ISAS;
use testkit::{FailingAllocator, SystemAllocator, sweep};

const PROGRAM: &str = "
m:      module
touched: proto
both:   proto i64, i64:n, i64:s
        import touch
rotate: func i64, i64:x
        local i64:a, i64:b, i64:r
        urshs a, x, 7
        lshs b, x, 25
        ors r, a, b
        uext32 r, r
        ret r
        endfunc
choose: func i64, i64:x, i64:y
        local i64:r
        mov r, x
        bge done, x, y
        mov r, y
done:   ret r
        endfunc
unroll: func i64, i64:p
        local i64:i, i64:s, i64:t
        mov s, 0
        mov i, 0
next:   add s, s, i64:(p, i, 8)
        mov t, i
        add t, t, 1
        mov i, t
        blt next, i, 8
        ret s
        endfunc
share:  func i64, i64:p, i64:x
        local i64:a, i64:b
        mov i64:8(p), x
        mul a, i64:(p), x
        bt  other, x
        mul b, i64:(p), x
        add a, a, b
        add a, a, i64:8(p)
other:  ret a
        endfunc
widen:  func i64, i64:p, i64:n
        local i64:i, i64:w, i64:s
        mov s, 0
        mov i, 0
again:  ext32 w, i
        add s, s, i64:(p, w, 8)
        adds i, i, 1
        blts again, i, n
        ret s
        endfunc
hoist:  func i64, i64:p, i64:n
        local i64:i, i64:f, i64:s
        mov s, 0
        mov i, 0
more:   mul f, n, n
        add s, s, f
        xor s, s, i
        add i, i, 1
        blt more, i, n
        ret s
        endfunc
dead:   func i64, i64:n
        local i64:i, i64:c
        mov c, 0
        mov i, 0
on:     add c, c, 3
        add i, i, 1
        blt on, i, n
        ret n
        endfunc
propagate: func i64, i64:n
        local i64:a, i64:s
        mov a, 1
        mov s, 0
back:   bne never, a, 1
        add s, s, n
        sub n, n, 1
        bgt back, n, 0
        ret s
never:  mov a, 2
        jmp back
        endfunc
promote: func i64, i64:x
        local i64:a, i64:s
        alloca a, 32
        mov i64:(a), x
        mov i32:8(a), 3
        bgt skip, x, 9
        mov i64:(a), 7
        mov i64:16(a), 8
skip:   add s, i64:(a), i32:8(a)
        add s, s, i64:16(a)
        ret s
        endfunc
beside: func i64, i64:p
        local i64:a, i64:i, i64:w, i64:s
        alloca a, 256
        mov i64:(a), p
        mov i, 0
turn:   ext32 w, i
        mov i64:8(a, w, 8), w
        add s, i64:(a), w
        mov i64:(a), s
        adds i, i, 1
        blts turn, i, 20
        add s, i64:(a), i64:88(a)
        ret s
        endfunc
step:   func i64, i64:p
        local i64:x, i64:q
ahead:  mov q, p
        add p, p, 1
        mov x, u8:(q)
        bne ahead, x, 0
        ret p
        endfunc
exits:  func i64, i64:p, i64:n
        local i64:i, i64:r, i64:x
        mov i, 0
        mov r, 0
search: mov x, i64:(p, i, 8)
        beq found, x, n
        mov r, x
        add i, i, 1
        blt search, i, 100
        mov r, 7
found:  ret r
        endfunc
stores: func i64, i64:p, i64:x
        local i64:a
        alloca a, 64
        mov i64:(a, x, 8), x
        mov i64:(p), 1
        mov i64:8(p), x
        mov i64:(p), x
        mov i64:16(p), i64:(p, x)
        mov i64:(p), 2
        ret x
        endfunc
arrange: func i64, i64:p, i64:n
        local i64:i
        mov i, 0
head:   bge leave, i, n
        bne onward, i64:(p, i, 8), 7
        call touched, touch
        ret 77
onward: add i, i, 1
        jmp head
leave:  ret i
        endfunc
guarded: func i64, i64:x
        ubgts beyond, x, 2
        uext32 x, x
        switch x, zero, one, two
zero:   ret 5
one:    ret 9
two:    ret 7
beyond: ret 8
        endfunc
itself: func i64, i64:n, i64:s
        local i64:r
        ble ended, n, 0
        add s, s, n
        sub n, n, 1
        call both, itself, r, n, s
        mov s, r
ended:  ret s
        endfunc
records: func i64, i64:p
        local i64:i, i64:s, i64:t
        mov s, 0
        mov i, 0
record: mul t, i, 56
        add t, t, p
        add s, s, i64:24(t)
        add i, i, 1
        blt record, i, 4
        divs t, s, 4
        ext32 t, t
        ret t
        endfunc
ands:   func i64, i64:a, d:b
        local i64:c
        bgt second, a, 3
        mov c, 0
        jmp test
second: dlt c, b, 1.0
test:   bf neither, c
        ret a
neither: ret 7
        endfunc
early:  func i64, i64:p, i64:n
        local i64:s
        bf nothing, n
        mov s, i64:(p)
        call touched, touch
        add s, s, i64:(p, n, 8)
        ret s
nothing: ret p
        endfunc
        endmodule
";

fn program(isa: &dyn Backend) -> Verified<'static> {
    verified(PROGRAM, isa)
}

fn verified(text: &str, isa: &dyn Backend) -> Verified<'static> {
    let mut report = |error| panic!("{error}");
    let long_double = isa.target().long_double;
    let modules = text::parse(text.as_bytes(), &SystemAllocator, long_double, &mut report);
    let module = modules.unwrap().pop().unwrap();
    let mut sink = |violation: Violation| assert!(violation.is_warning, "{violation:?}");
    Verified::new(module, isa.target(), &mut sink).ok().unwrap()
}

/// Returns the function with this name before selection.
fn compiled(isa: &'static dyn Backend, level: u8, name: &str) -> String {
    let program = program(isa);
    let names = [
        "rotates",
        "if-conversion",
        "unroll",
        "cse",
        "widen-induction",
        "licm",
        "dead-code",
        "sccp",
        "scalar-replacement",
        "beside",
        "sink-increments",
        "dedicated-exits",
        "dead-stores",
        "block-placement",
        "guarded",
        "itself",
        "records",
        "ands",
        "early",
    ];
    let number = names.iter().position(|other| *other == name).unwrap();
    before_selection(isa, level, &program, number)
}

/// Returns the function of this number before selection.
fn before_selection(
    isa: &'static dyn Backend,
    level: u8,
    program: &Verified<'_>,
    number: usize,
) -> String {
    let func: FuncId = program.module().funcs().nth(number).unwrap().0;
    let seen = Mutex::new(String::new());
    let look = |_: &Stage<'_>, form: Form, printed: &Printed<'_, '_>| {
        if form == Form::Generic {
            *seen.lock().unwrap() = printed.to_string();
        }
    };
    let mut compiler = Compiler::new(isa, &SystemAllocator);
    compiler.options.level = level;
    compiler.options.check_allocation = true;
    compiler.look = Some(&look);
    compiler.compile(program.module(), func).unwrap();
    drop(compiler);
    seen.into_inner().unwrap()
}

/// Returns the number of instructions with this opcode.
fn count(function: &str, opcode: Generic) -> usize {
    let name = opcode.name();
    let words = function.split_whitespace();
    words.filter(|word| *word == name).count()
}

#[test]
fn rotations_are_found() {
    for &isa in ISAS
        .iter()
        .filter(|isa| isa.description().has(Generic::Rotl))
    {
        let rotations = [1, 2].map(|level| count(&compiled(isa, level, "rotates"), Generic::Rotl));
        assert_eq!(rotations, [0, 1], "{isa:?}");
        assert_eq!(
            count(&compiled(isa, 2, "rotates"), Generic::Or),
            0,
            "{isa:?}"
        );
    }
}

#[test]
fn counters_step_behind_what_reads_their_old_value() {
    for &isa in ISAS {
        let steps_behind = [1, 2].map(|level| {
            let function = compiled(isa, level, "sink-increments");
            let at = |opcode: Generic| function.find(opcode.name());
            at(Generic::Add) > at(Generic::ZextLoad)
        });
        assert_eq!(steps_behind, [false, true], "{isa:?}");
    }
}

#[test]
fn what_is_for_behind_a_loop_is_copied_behind_it() {
    for &isa in ISAS {
        let copies = [2, 3].map(|level| {
            let function = compiled(isa, level, "dedicated-exits");
            let mut blocks = function.split(":\n");
            let turn = blocks.find(|block| block.contains(Generic::Load.name()));
            count(turn.unwrap(), Generic::Copy)
        });
        assert_eq!(copies, [3, 2], "{isa:?}");
    }
}

#[test]
fn what_was_tested_before_is_not_tested_again() {
    for &isa in ISAS {
        let branches = [1, 2].map(|level| count(&compiled(isa, level, "guarded"), Generic::BrIcmp));
        assert_eq!(branches, [2, 1], "{isa:?}");
    }
}

#[test]
fn a_function_that_calls_itself_at_its_end_is_a_loop() {
    for &isa in ISAS {
        let calls = [1, 2].map(|level| count(&compiled(isa, level, "itself"), Generic::Call));
        assert_eq!(calls, [1, 0], "{isa:?}");
    }
}

/// The callee extends what it takes and returns; only one that other code may take the place of, or
/// with other types, relies on the caller.
#[test]
fn private_callees_extend_what_is_passed_alone() {
    let extensions = |isa: &'static dyn Backend, export: &str, ty: &str| {
        let source = format!(
            "m: module
            {export}
            forward callee
            p: proto i32, {ty}:x
            caller: func i64, i64:a, i64:b
            local i64:r
            adds a, a, b
            call p, callee, r, a
            ret r
            endfunc
            callee: func i32, i16:x
            ret x
            endfunc
            endmodule\n"
        );
        let listing = before_selection(isa, 1, &verified(&source, isa), 0);
        count(&listing, Generic::SextInreg)
    };
    for &isa in ISAS {
        assert_eq!(extensions(isa, "", "i16"), 0, "{isa:?}");
        assert_eq!(extensions(isa, "export callee", "i16"), 2, "{isa:?}");
        assert_eq!(extensions(isa, "", "i32"), 2, "{isa:?}");
    }
}

/// The call would copy the blocks, too.
#[test]
fn copies_of_blocks_do_not_keep_from_inlining() {
    let calls = "call p, callee, r, blk:48(b)\n".repeat(8);
    let program = format!(
        "m: module
        forward callee
        p: proto i64, blk:48(y)
        caller: func i64, i64:b
        local i64:r
        {calls}ret r
        endfunc
        callee: func i64, blk:48(y)
        local i64:x
        mov x, i64:40(y)
        ret x
        endfunc
        endmodule\n"
    );
    for &isa in ISAS {
        let listing = before_selection(isa, 2, &verified(&program, isa), 0);
        assert_eq!(count(&listing, Generic::Call), 0, "{isa:?}");
    }
}

#[test]
fn bytes_are_loaded_as_words() {
    let program = "m: module
        f: func i64, i64:p
        local i64:a, i64:b
        mov a, u8:1(p)
        lsh a, a, 8
        mov b, u8:(p)
        or a, a, b
        ret a
        endfunc
        endmodule\n";
    for &isa in ISAS {
        let loads = [1, 2].map(|level| {
            let listing = before_selection(isa, level, &verified(program, isa), 0);
            count(&listing, Generic::ZextLoad)
        });
        let is_word = isa.description().unaligned_loads && !isa.target().big_endian;
        assert_eq!(loads, [2, if is_word { 1 } else { 2 }], "{isa:?}");
    }
}

/// If a callee is too large to be inlined, the registers that it changes are known. A caller
/// compiled after it keeps its three values in other registers, which are neither saved nor
/// spilled. Mutually recursive functions know nothing of each other.
#[test]
fn what_private_callees_leave_alone_is_kept_there() {
    let steps = "mul x, x, y\nadd x, x, 12345\n".repeat(40);
    let source = format!(
        "m: module
        export caller
        forward callee, second
        p: proto i64, i64:x, i64:y
        caller: func i64, i64:a, i64:b, d:c
        local i64:r
        call p, callee, r, a, b
        add r, r, a
        add r, r, b
        dadd c, c, c
        d2i a, c
        add r, r, a
        ret r
        endfunc
        callee: func i64, i64:x, i64:y
        {steps}ret x
        endfunc
        first: func i64, i64:x, i64:y
        local i64:r
        {steps}beq over, x, y
        call p, second, r, x, y
        add r, r, x
        ret r
        over: ret x
        endfunc
        second: func i64, i64:x, i64:y
        local i64:r
        {steps}call p, first, r, x, y
        add r, r, x
        ret r
        endfunc
        endmodule\n"
    );
    for &isa in ISAS {
        let mut report = |error| panic!("{error}");
        let long_double = isa.target().long_double;
        let modules = text::parse(
            source.as_bytes(),
            &SystemAllocator,
            long_double,
            &mut report,
        );
        let module = modules.unwrap().pop().unwrap();
        let mut sink = |violation| panic!("{violation:?}");
        let program = Verified::new(module, isa.target(), &mut sink).ok().unwrap();
        let module = program.module();
        let funcs: Vec<FuncId> = module.funcs().map(|(func, _)| func).collect();
        let saves = |knows: bool| {
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            (compiler.options.level, compiler.options.check_allocation) = (3, true);
            compiler.execution.position_independent = true;
            compiler.callees = knows.then(|| Callees::new(module, &SystemAllocator).unwrap());
            let mut order = funcs.clone();
            if let Some(callees) = &compiler.callees {
                assert_eq!(callees.order(), [funcs[1], funcs[0], funcs[3], funcs[2]]);
                order = callees.order().to_vec();
            }
            let mut keeps = vec![0; funcs.len()];
            for func in order {
                compiler.compile(module, func).unwrap();
                let saved = compiler.output.prologue.unwrap().layout.saved;
                let place = funcs.iter().position(|&other| other == func).unwrap();
                keeps[place] = saved.iter().count() + compiler.function.frame.len();
            }
            keeps
        };
        let [without, with] = [false, true].map(saves);
        assert_eq!(without[0] - with[0], 3, "{isa:?}");
        assert_eq!(without[1..], with[1..], "{isa:?}");
    }
}

#[test]
fn choices_need_no_branch() {
    for &isa in ISAS
        .iter()
        .filter(|isa| isa.description().has(Generic::Select))
    {
        let branches =
            [1, 2].map(|level| count(&compiled(isa, level, "if-conversion"), Generic::BrIcmp));
        assert_eq!(branches, [1, 0], "{isa:?}");
    }
}

#[test]
fn small_loops_are_written_out() {
    for &isa in ISAS {
        let loads = [1, 2].map(|level| count(&compiled(isa, level, "unroll"), Generic::Load));
        assert_eq!(loads, [1, 8], "{isa:?}");
        let function = compiled(isa, 2, "unroll");
        assert_eq!(count(&function, Generic::BrIcmp), 0, "{isa:?}");
    }
}

/// The offset in a record, and the record's index, are in the displacement.
#[test]
fn indexes_of_loops_that_are_written_out_go_into_addresses() {
    for &isa in ISAS {
        let function = compiled(isa, 3, "records");
        let loads = function
            .lines()
            .filter_map(|line| line.split_once("= G_LOAD S64 "));
        let places: Vec<String> = loads
            .map(|(_, address)| {
                let operands = address.split(';').next().unwrap_or(address);
                let operands: Vec<&str> = operands.trim().split(", ").skip(1).collect();
                operands.join(" ")
            })
            .collect();
        let wanted = ["24", "80", "136", "192"].map(|at| format!("$noreg 1 {at}"));
        assert_eq!(places, wanted, "{isa:?}:\n{function}");
    }
}

#[test]
fn what_was_computed_or_loaded_before_is_shared() {
    for &isa in ISAS {
        let both = |level| {
            let function = compiled(isa, level, "cse");
            [Generic::Load, Generic::Mul].map(|opcode| count(&function, opcode))
        };
        assert_eq!([1, 2].map(both), [[3, 2], [1, 1]], "{isa:?}");
    }
}

#[test]
fn counters_need_no_extension() {
    for &isa in ISAS {
        let extensions = [2, 3].map(|level| {
            let function = compiled(isa, level, "widen-induction");
            let mut blocks = function.split(":\n");
            let turn = blocks.find(|block| block.contains(Generic::Load.name()));
            count(turn.unwrap(), Generic::SextInreg)
        });
        assert_eq!(extensions, [1, 0], "{isa:?}");
    }
}

/// Stages that a target omits from its lists would change nothing.
#[test]
fn stages_that_are_left_out_find_nothing_to_do() {
    let mut left_out = 0;
    for &isa in ISAS {
        for level in 0..=3 {
            let (all, own) = (LEVELS.of(level), isa.stages(level));
            left_out += all.len() - own.len();
            assert_eq!(
                code_by(isa, level, all),
                code_by(isa, level, own),
                "{isa:?}"
            );
        }
    }
    assert!(left_out > 0);
}

/// Returns the code of all functions of the program compiled by these stages.
fn code_by(isa: &'static dyn Backend, level: u8, stages: &[Stage<'_>]) -> Vec<Vec<u8>> {
    let program = program(isa);
    let module = program.module();
    let mut compiler = Compiler::new(isa, &SystemAllocator);
    compiler.options.level = level;
    let mut code = Vec::new();
    for (func, _) in module.funcs() {
        let source = Some((module, func));
        compiler.run(stages, source, Form::Empty).unwrap();
        code.push(compiler.output.code.bytes.to_vec());
    }
    code
}

#[test]
fn indexes_that_are_not_scaled_for_nothing_step_with_their_counter() {
    let scaled = AddressForm {
        has_frame: false,
        has_index: true,
        scale: 8,
        displacement: 0,
    };
    for &isa in ISAS {
        let is_left = [2, 3].map(|level| {
            let function = compiled(isa, level, "dedicated-exits");
            let mut blocks = function.split(":\n");
            let has_load = |block: &&str| block.contains(Generic::Load.name());
            let is_scaled = count(blocks.find(has_load).unwrap(), Generic::Shl);
            // The counter only serves as the index: the loop's end is computed from the index,
            // unless iterations are counted separately.
            (
                is_scaled,
                function.contains(" 100"),
                function.contains(" 800"),
            )
        });
        let is_free = isa.takes_address(LowType::S64, &scaled);
        let after = if is_free || isa.description().count_register.is_some() {
            (0, true, false)
        } else {
            (0, false, true)
        };
        assert_eq!(is_left, [(0, true, false), after], "{isa:?}");
    }
}

#[test]
fn turns_are_counted_where_a_register_is_for_them() {
    for &isa in ISAS {
        let counts =
            [2, 3].map(|level| count(&compiled(isa, level, "dedicated-exits"), Generic::SetCount));
        let is_counted = isa.description().count_register.is_some();
        assert_eq!(counts, [0, usize::from(is_counted)], "{isa:?}");
    }
}

#[test]
fn what_a_loop_does_not_change_is_computed_before_it() {
    for &isa in ISAS {
        let is_before = [1, 2].map(|level| {
            let function = compiled(isa, level, "licm");
            let product = function.find("G_MUL").unwrap();
            let rest = function.get(product..).unwrap();
            rest.find("bb.").unwrap() < rest.find("G_XOR").unwrap()
        });
        assert_eq!(is_before, [false, true], "{isa:?}");
    }
}

#[test]
fn what_only_counts_itself_goes() {
    for &isa in ISAS {
        let additions = [1, 2].map(|level| count(&compiled(isa, level, "dead-code"), Generic::Add));
        assert_eq!(additions, [2, 1], "{isa:?}");
    }
}

#[test]
fn what_is_constant_on_all_ways_decides_branches() {
    for &isa in ISAS {
        let branches = [1, 2].map(|level| count(&compiled(isa, level, "sccp"), Generic::BrIcmp));
        assert_eq!(branches, [2, 1], "{isa:?}");
    }
}

#[test]
fn parts_of_the_frame_become_registers() {
    let accesses = |isa, level, name| {
        let function = compiled(isa, level, name);
        [Generic::Store, Generic::Load, Generic::SextLoad].map(|opcode| count(&function, opcode))
    };
    for &isa in ISAS {
        let both = [1, 2].map(|level| accesses(isa, level, "scalar-replacement"));
        assert_eq!(both, [[4, 2, 1], [0, 0, 0]], "{isa:?}");
        // Here they are next to an array whose extent is known, and of which a part is read.
        let both = [2, 3].map(|level| accesses(isa, level, "beside"));
        assert_eq!(both, [[3, 2, 0], [1, 1, 0]], "{isa:?}");
    }
}

#[test]
fn conditions_are_branches() {
    let values = |isa, level| {
        let function = compiled(isa, level, "ands");
        [Generic::Fcmp, Generic::BrFcmp, Generic::BrIcmp].map(|opcode| count(&function, opcode))
    };
    for &isa in ISAS {
        let both = [1, 2].map(|level| values(isa, level));
        assert_eq!(both, [[1, 0, 2], [0, 1, 1]], "{isa:?}");
    }
}

#[test]
fn stores_that_nothing_reads_go() {
    for &isa in ISAS {
        let stores =
            [1, 2].map(|level| count(&compiled(isa, level, "dead-stores"), Generic::Store));
        assert_eq!(stores, [6, 4], "{isa:?}");
    }
}

#[test]
fn loops_are_in_one_piece_with_the_test_at_the_end() {
    for &isa in ISAS {
        let places = [1, 2].map(|level| {
            let function = compiled(isa, level, "block-placement");
            let call = function.find("G_CALL").unwrap();
            let step = function.find("G_ADD").unwrap();
            let test = function
                .rfind("intpred(slt)")
                .or(function.rfind("intpred(sge)"));
            (test.unwrap() < step, step < call)
        });
        assert_eq!(places, [(true, false), (false, true)], "{isa:?}");
    }
}

/// A path that returns before any call saves nothing, and needs no callee-saved register.
#[test]
fn what_returns_early_has_no_frame() {
    for &isa in ISAS {
        let early = [1, 2].map(|level| {
            let program = program(isa);
            let func = program.module().funcs().last().unwrap().0;
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            compiler.options.level = level;
            compiler.options.check_allocation = true;
            compiler.compile(program.module(), func).unwrap();
            let function = &compiler.function;
            let is_early = |&&block: &&BlockId| function.block(block).is_early;
            function.layout.iter().filter(is_early).count()
        });
        assert_eq!(early, [0, 2], "{isa:?}");
    }
}

/// Returns a function that adds `values` doubles, live across calls before and after the loop that
/// reads but does not change them.
fn summing(values: usize) -> String {
    let variables = each(0..values, |value| format!(", d:v{value}"));
    let loads = each(0..values, |value| {
        format!("dmov v{value}, d:{}(p)\n", 8 * value)
    });
    let sums = each(0..values, |value| format!("dadd s, s, v{value}\n"));
    let products = each(0..values, |value| format!("dmul s, s, v{value}\n"));
    format!(
        "m: module\ntouched: proto\nimport touch\nf: func d, i64:p, i64:n\n\
         local d:s, i64:i{variables}\n{loads}call touched, touch\ndmov s, v0\nmov i, 0\n\
         more: {sums}add i, i, 1\nblt more, i, n\ncall touched, touch\n{products}ret s\n\
         endfunc\nendmodule\n"
    )
}

/// Returns the text of each number, joined.
fn each(numbers: Range<usize>, text: impl FnMut(usize) -> String) -> String {
    numbers.map(text).collect()
}

/// More values live across calls than there are callee-saved registers; the loop between the calls
/// still has registers for all of them.
#[test]
fn what_lives_in_the_frame_has_registers_in_loops() {
    for &isa in ISAS {
        let (saved, all) = register_counts(isa, Bank::Floating);
        assert!(saved + 6 <= all, "{isa:?}");
        for level in 1..=3 {
            let function = allocated(isa, level, &summing(saved + 4));
            let frames = frames_in_loop(&function);
            assert_eq!(frames, Some(0), "{isa:?}, level {level}:\n{function}");
        }
    }
}

/// Returns an interpreter of `operations` operations that keeps its program counter and some sums
/// across calls. The first operation keeps `values` further values across calls in loops.
fn interpreting(operations: usize, values: usize) -> String {
    let variables = each(0..values, |value| format!(", i64:v{value}"));
    let targets = each(0..operations, |operation| format!(", o{operation}"));
    let loads = each(0..values, |value| {
        format!("mov v{value}, i64:{}(pc)\n", 8 * value)
    });
    let uses = each(0..values, |value| format!("xor s0, s0, v{value}\n"));
    let others = each(1..operations, |operation| {
        let (sum, step) = (operation % 3, 8 * operation);
        format!(
            "o{operation}: call touched, touch, t, i64:{operation}(pc)\nadd s{sum}, s{sum}, t\n\
             add pc, pc, {step}\njmp next\n"
        )
    });
    format!(
        "m: module\ntouched: proto i64, i64:a\nimport touch\nf: func i64, i64:pc\n\
         local i64:op, i64:t, i64:s0, i64:s1, i64:s2{variables}\nmov s0, 0\nmov s1, 0\n\
         mov s2, 0\nnext: mov op, i64:(pc)\nadd pc, pc, 8\nswitch op{targets}, last\n\
         o0: {loads}more: call touched, touch, s1, s0\ninner: call touched, touch, t, s0\n\
         {uses}bt inner, t\nbt more, s1\njmp next\n{others}last: xor s0, s0, s1\n\
         add s0, s0, s2\nret s0\nendfunc\nendmodule\n"
    )
}

/// Returns a function after register allocation.
fn allocated(isa: &'static dyn Backend, level: u8, text: &str) -> String {
    let module = verified(text, isa);
    let func = module.module().funcs().next().unwrap().0;
    let seen = Mutex::new(String::new());
    let look = |_: &Stage<'_>, form: Form, printed: &Printed<'_, '_>| {
        let mut seen = seen.lock().unwrap();
        if form == Form::Allocated && seen.is_empty() {
            *seen = printed.to_string();
        }
    };
    let mut compiler = Compiler::new(isa, &SystemAllocator);
    compiler.options.level = level;
    compiler.options.check_allocation = true;
    compiler.look = Some(&look);
    compiler.compile(module.module(), func).unwrap();
    drop(compiler);
    seen.into_inner().unwrap()
}

/// Returns the number of callee-saved registers of a bank that can be allocated, and of all.
fn register_counts(isa: &'static dyn Backend, bank: Bank) -> (usize, usize) {
    let registers = isa.registers();
    let class = registers.class((registers.class_of)(bank, LowType::S64));
    let is_saved = |&&row: &&u16| {
        let units = registers.units(Reg::physical(row));
        registers.saved.contains(units)
    };
    let saved = class.order.iter().filter(is_saved).count();
    (saved, class.order.len())
}

/// One operation of an interpreter keeps as many values across calls in loops as there are
/// callee-saved registers. The program counter, which all others use, still has one everywhere.
#[test]
fn what_many_use_has_a_register_before_what_few_use() {
    for &isa in ISAS {
        let (saved, _) = register_counts(isa, Bank::General);
        for level in 2..=3 {
            let function = allocated(isa, level, &interpreting(200, saved));
            let in_frame = |line: &&str| line.contains(" stack.");
            let frames = function.lines().filter(in_frame).count();
            assert!(frames < 300, "{isa:?}, level {level}: {frames}\n{function}");
        }
    }
}

/// A loop that is executed eight times each time that it is entered, the sides of a choice in it
/// half as often, and what comes after it as often as the function, to three bits.
#[test]
fn frequencies_are_those_of_loops_and_choices() {
    let text = "m: module\ntouched: proto\nimport touch, left, right\nf: func i64, i64:n\n\
                local i64:i, i64:t\nmov i, 0\nmore: call touched, touch\nand t, n, i\nbt odd, t\n\
                call touched, left\njmp join\nodd: call touched, right\njoin: add i, i, 1\n\
                blt more, i, n\ncall touched, touch\nret i\nendfunc\nendmodule\n";
    for &isa in ISAS {
        let module = verified(text, isa);
        let func = module.module().funcs().next().unwrap().0;
        let mut compiler = Compiler::new(isa, &SystemAllocator);
        compiler.options.level = 2;
        compiler.compile(module.module(), func).unwrap();
        let function = &compiler.function;
        let frequency = |&block: &BlockId| function.block(block).frequency.value();
        let frequencies: Vec<f32> = function.layout.iter().map(frequency).collect();
        assert_eq!(frequencies, [1.0, 8.0, 4.0, 4.0, 8.0, 0.875], "{isa:?}");
    }
}

/// The dispatch of an interpreter needs no copies, however many operations lead back to it.
#[test]
fn values_of_many_paths_share_a_register() {
    for &isa in ISAS {
        let dispatches = [10, 1000].map(|operations| {
            let function = allocated(isa, 2, &interpreting(operations, 0));
            let head = function
                .split("  bb.")
                .filter(|block| block.contains("Table.0"));
            head.map(|block| block.lines().count()).sum::<usize>()
        });
        assert_eq!(dispatches[0], dispatches[1], "{isa:?}");
    }
}

/// Returns the number of mentions of the frame in the block that branches to itself.
fn frames_in_loop(function: &str) -> Option<usize> {
    let mut name = "none";
    let (mut frames, mut found) = (0, None);
    for line in function.lines() {
        if let Some(block) = line.trim().strip_suffix(':') {
            (name, frames) = (block, 0);
        } else if line.contains(" stack.") {
            frames += 1;
        }
        let mut words = line.split([' ', ',']);
        if !line.ends_with(':') && words.any(|word| word == name) {
            found = Some(frames);
        }
    }
    found
}

#[test]
fn without_memory_passes_end_with_an_error() {
    // The passes are the same for every ISA. Functions are compiled one at a time, as the test's
    // work is quadratic in the code compiled.
    let isa = ISAS[0];
    let program = program(isa);
    for (func, _) in program.module().funcs() {
        let compile = |allocator: &FailingAllocator| {
            let mut compiler = Compiler::new(isa, allocator);
            compiler.options.level = 3;
            compiler.compile(program.module(), func).map(|_| ())
        };
        let requests = sweep(compile, |error: &Error| *error == Error::OutOfMemory);
        assert!(requests > 50, "{func:?}: {requests}");
    }
}
