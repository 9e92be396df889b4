//! Tests of the code generator as an embedder uses it: it survives a lack of memory, and its output
//! is deterministic.
#![expect(clippy::unwrap_used, reason = "tests")]

use core::sync::atomic::{AtomicUsize, Ordering};
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::{
    self, Compiler, DebugLevel, DebugOutput, DebugSink, Error, Form, Look, Phase, Printed, Rule,
    Stage, stage,
};
use mir_nostd::ir::{FuncId, Module};
use mir_nostd::machine::{
    Bank, Function, Generic, InsnId, LowType, Opcode, Operand, OperandFlags, Reg, VRegInfo,
};
use mir_nostd::mem::Entity;
use mir_nostd::target::Isa;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use std::collections::BTreeSet;
use std::sync::Mutex;

use target_all::BACKENDS;
use testkit::{FailingAllocator, SystemAllocator, sweep};

/// A program with calls, switches, blocks, floats, long doubles, variable arguments and more values
/// than registers.
const PROGRAM: &str = "
m:      module
p_v:    proto i64, i64:n, ...
p_b:    proto d, blk:24(b), d:x, ld:y
        import ext
wide:   func i64, p:p, i64:n
        local i64:a, i64:b, i64:c, i64:d, i64:e, i64:f, i64:g, i64:h, i64:i, i64:j, i64:k, i64:l, i64:q, i64:r
        mov a, i64:(p)
        mov b, i64:8(p)
        mov c, i64:16(p)
        mov d, i64:24(p)
        mov e, i64:32(p)
        mov f, i64:40(p)
        mov g, i64:48(p)
        mov h, i64:56(p)
        mov i, i64:64(p)
        mov j, i64:72(p)
        mov k, i64:80(p)
        mov l, i64:88(p)
        mov q, i64:96(p)
        mov r, 0
again:  mul a, a, b
        add b, b, c
        xor c, c, d
        sub d, d, e
        or e, e, f
        and f, f, g
        add g, g, h
        add h, h, i
        add i, i, j
        add j, j, k
        add k, k, l
        add l, l, q
        add q, q, a
        div r, q, b
        add a, a, r
        sub n, n, 1
        bgt again, n, 0
        mov i64:(p, n, 8), a
        switch n, one, two
one:    call p_v, ext, r, n, a, b, c, d, e, f, g, h
two:    ret r
        endfunc
mixed:  func d, i64:n, ...
        local i64:va, i64:at, d:x, ld:y, d:z
        alloca va, 32
        va_start va
        va_arg at, va, d:0
        dmov x, d:(at)
        d2ld y, x
        ldadd y, y, 0.5L
        call p_b, ext, z, blk:24(va), x, y
        dadd z, z, x
        ret z
        endfunc
        endmodule
";

fn compile(
    allocator: &FailingAllocator,
    isa: &'static dyn Backend,
    module: &Module<'_>,
) -> Result<usize, Error> {
    let mut compiler = Compiler::new(isa, allocator);
    let mut bytes = 0;
    for (func, _) in module.funcs() {
        compiler.compile(module, func)?;
        bytes += compiler.output.code.bytes.len();
    }
    Ok(bytes)
}

fn program(isa: &dyn Backend) -> Verified<'static> {
    verified(PROGRAM, isa)
}

fn verified(text: &str, isa: &dyn Backend) -> Verified<'static> {
    let mut report = |error| panic!("{error}");
    let long_double = isa.target().long_double;
    let modules = text::parse(text.as_bytes(), &SystemAllocator, long_double, &mut report);
    let module = modules.unwrap().pop().unwrap();
    let mut sink = |violation| panic!("{violation:?}");
    Verified::new(module, isa.target(), &mut sink).ok().unwrap()
}

#[test]
fn without_memory_compiling_is_an_error() {
    for &isa in BACKENDS {
        let program = program(isa);
        let compile =
            |allocator: &FailingAllocator| compile(allocator, isa, program.module()).map(|_| ());
        let requests = sweep(compile, |error| *error == Error::OutOfMemory);
        assert!(requests > 50, "{isa:?}: {requests}");
    }
}

#[test]
fn the_same_function_gives_the_same_bytes() {
    for &isa in BACKENDS {
        let program = program(isa);
        let first = FailingAllocator::new();
        let mut compiler = Compiler::new(isa, &first);
        compiler.options.check_allocation = true;
        let wide: FuncId = program.module().funcs().next().unwrap().0;
        compiler.compile(program.module(), wide).unwrap();
        let bytes = compiler.output.code.bytes.to_vec();
        for (func, _) in program.module().funcs() {
            compiler.compile(program.module(), func).unwrap();
        }
        compiler.compile(program.module(), wide).unwrap();
        assert_eq!(compiler.output.code.bytes.to_vec(), bytes, "{isa:?}");
    }
}

/// The messages of compilers.
#[derive(Default)]
struct Said(Mutex<Vec<String>>);

impl DebugSink for Said {
    fn say(&self, message: core::fmt::Arguments<'_>) {
        self.0.lock().unwrap().push(message.to_string());
    }
}

#[test]
fn compilers_say_what_they_do() {
    for &isa in BACKENDS {
        let program = program(isa);
        let (func, _) = program.module().funcs().next().unwrap();
        let said = |level: DebugLevel, insns: usize| {
            let sink = Said::default();
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            compiler.options.level = 2;
            compiler.options.budget.insns = insns;
            compiler.options.debug = Some(DebugOutput { sink: &sink, level });
            let result = compiler.compile(program.module(), func).map(|_| ());
            let bytes = compiler.output.code.len();
            drop(compiler);
            (sink.0.into_inner().unwrap(), result, bytes)
        };
        let (lines, _, bytes) = said(DebugLevel::Functions, usize::MAX);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(": level 2: "), "{}", lines[0]);
        let bytes = format!(" instructions, {bytes} bytes\n");
        assert!(lines[0].ends_with(&bytes), "{}", lines[0]);
        let name = lines[0].split(':').next().unwrap();

        let (stages, ..) = said(DebugLevel::Stages, usize::MAX);
        assert_eq!(stages.last(), lines.last());
        let names = stages.iter().map(|line| line.split(": ").nth(1).unwrap());
        let names: Vec<&str> = names.take(stages.len() - 1).collect();
        let wanted: Vec<&str> = isa.stages(2).iter().map(|stage| stage.name).collect();
        assert_eq!(names, wanted);
        assert!(stages.iter().all(|line| line.starts_with(name)));
        let allocated = stages.iter().find(|line| line.contains(": allocate: "));
        assert!(allocated.unwrap().ends_with(" spill slots\n"), "{stages:?}");
        let combined = stages.iter().find(|line| line.contains(": combine: "));
        let rule = format!("; rules: {}", codegen::rules(isa).next().unwrap());
        assert!(combined.unwrap().contains(&rule), "{stages:?}");
        // Each stage begins with the output of the one before.
        let mut insns = "0";
        for line in &stages[..wanted.len()] {
            let counts = line.split(", ").nth(1).unwrap();
            let counts: Vec<&str> = counts
                .split(" instructions")
                .next()
                .unwrap()
                .split(" -> ")
                .collect();
            assert_eq!(counts[0], insns, "{stages:?}");
            insns = counts[counts.len() - 1];
        }

        let (code, ..) = said(DebugLevel::Code, usize::MAX);
        assert_eq!(code.len(), 2 * wanted.len() + 1);
        assert!(
            code[1].contains("G_SDIV") && code[1].contains("bb.0:"),
            "{}",
            code[1]
        );

        let (lines, result, _) = said(DebugLevel::Functions, 3);
        assert_eq!(result, Err(Error::Budget));
        assert_eq!(lines, [format!("{name}: level 2: {}\n", Error::Budget)]);
    }
}

#[test]
fn every_stage_can_be_looked_at() {
    for &isa in BACKENDS {
        let program = program(isa);
        let seen = Mutex::new(Vec::new());
        let look = |stage: &Stage<'_>, form, printed: &Printed<'_, '_>| {
            let mut seen = seen.lock().unwrap();
            seen.push((stage.name.to_string(), form, printed.to_string()));
        };
        let mut compiler = Compiler::new(isa, &SystemAllocator);
        compiler.look = Some(&look);
        let (func, _) = program.module().funcs().next().unwrap();
        compiler.compile(program.module(), func).unwrap();
        drop(compiler);
        let seen = seen.into_inner().unwrap();
        let stages: Vec<&str> = seen.iter().map(|(stage, ..)| stage.as_str()).collect();
        let names = isa.stages(1).iter().map(|stage| stage.name);
        assert_eq!(stages, names.collect::<Vec<_>>());
        // Forms follow each other in order.
        assert!(seen.is_sorted_by_key(|(_, form, _)| *form), "{isa:?}");
        let text = |form| &seen.iter().rfind(|(_, other, _)| *other == form).unwrap().2;
        let has_generic = |form| text(form).contains("G_SDIV");
        assert!(has_generic(Form::Generic) && !has_generic(Form::Selected));
        // There are virtual registers before allocation and none after.
        assert!(text(Form::Selected).contains("%13") && !text(Form::Allocated).contains("%13"));
        assert!(!text(Form::Framed).contains(", stack."), "{isa:?}");
    }
}

/// A program in which the place of an area depends on the arguments of a later call.
const MOVES_STACK: &str = "
m:      module
p:      proto i64, i64:a, i64:b, i64:c, i64:d, i64:e, i64:f, i64:g, i64:h, i64:i, i64:j, i64:k
        import ext
f:      func i64, i64:n
        local i64:at, i64:r
        alloca at, n
        call p, ext, r, n, n, n, n, n, n, n, n, n, n, at
        add r, r, at
        ret r
        endfunc
        endmodule
";

/// Selection takes places in the frame for conversions, and translation takes more afterwards.
const LONG_DOUBLES: &str = "
m:      module
q:      proto ld, ld:a
        import ext
f:      func i64, i64:n, ld:a
        local ld:x, ld:y, i64:r
        i2ld x, n
        ldadd y, x, a
        ldmul y, y, 1.5L
        ld2i r, y
        call q, ext, x, y
        i2ld y, r
        ldmul x, x, 1.5L
        ldsub y, x, y
        ld2i r, y
        ret r
        endfunc
        endmodule
";

/// Without an observer level 0 selects instructions as it translates. Then only the order of
/// several constants may be another one.
#[test]
fn level_0_makes_the_code_that_it_shows() {
    for &isa in BACKENDS {
        for program in [MOVES_STACK, LONG_DOUBLES]
            .map(|text| verified(text, isa))
            .into_iter()
            .chain([program(isa)])
        {
            let made = |lines: bool, look: Option<Look<'_>>| {
                let mut compiler = Compiler::new(isa, &SystemAllocator);
                (compiler.options.level, compiler.execution.lines) = (0, lines);
                compiler.look = look;
                let funcs = program.module().funcs().map(|(func, _)| func);
                let made = funcs.map(|func| {
                    compiler.compile(program.module(), func).unwrap();
                    let (code, function) = (&compiler.output.code, &compiler.function);
                    let places = code.places.iter();
                    let places = places.map(|&(at, insn)| (at, function.insn_site(insn)));
                    let bytes = (function.constants.len() < 2).then(|| code.bytes.to_vec());
                    (code.len(), bytes, places.collect::<Vec<_>>())
                });
                made.collect::<Vec<_>>()
            };
            for lines in [false, true] {
                let stages = AtomicUsize::new(0);
                let look = |_: &Stage<'_>, _: Form, _: &Printed<'_, '_>| {
                    stages.fetch_add(1, Ordering::Relaxed);
                };
                assert_eq!(made(lines, None), made(lines, Some(&look)), "{isa:?}");
                let funcs = program.module().funcs().count();
                assert_eq!(stages.into_inner(), funcs * isa.stages(0).len());
            }
        }
    }
}

#[test]
fn an_embedder_chooses_the_stages() {
    let count = AtomicUsize::new(0);
    let run = |work: &mut codegen::Work<'_, '_>| {
        assert!(work.source().is_some() && work.form() == Form::Ssa);
        let function = work.function_mut();
        count.fetch_add(function.insn_count(), Ordering::Relaxed);
        Ok(())
    };
    for &isa in BACKENDS {
        let program = program(isa);
        let (func, _) = program.module().funcs().next().unwrap();
        let bytes = |stages: Option<&[Stage<'_>]>| {
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            compiler.options.level = 2;
            compiler.stages = stages;
            let compiled = compiler.compile(program.module(), func).map(|_| ());
            compiled.map(|()| compiler.output.code.bytes.to_vec())
        };
        let whole = bytes(None).unwrap();
        // A further stage that changes nothing.
        let mut stages = isa.stages(2).to_vec();
        let enter = stages
            .iter()
            .position(|stage| stage.name == "ssa-construction")
            .unwrap();
        stages.insert(enter + 1, Stage::new("count", Form::Ssa, &run));
        count.store(0, Ordering::Relaxed);
        assert_eq!(bytes(Some(&stages)).unwrap(), whole, "{isa:?}");
        assert!(count.load(Ordering::Relaxed) > 10, "{isa:?}");
        // Without the stages of level 2 the code differs.
        let few = [
            stage::TRANSLATE,
            stage::SELECT,
            stage::ALLOCATE,
            stage::FRAME,
            stage::EMIT,
        ];
        assert!(bytes(Some(&few)).unwrap() != whole, "{isa:?}");
        // An incomplete or unordered list is an error.
        for wrong in [&few[..4], &few[1..], &[few[0], few[2]]] {
            assert_eq!(bytes(Some(wrong)), Err(Error::WrongForm), "{isa:?}");
        }
    }
}

#[test]
fn a_broken_invariant_is_an_internal_error_with_its_place() {
    let drops_a_block = |work: &mut codegen::Work<'_, '_>| {
        work.function_mut().layout.pop();
        Ok(())
    };
    let claims_to_select = |work: &mut codegen::Work<'_, '_>| {
        work.set_form(Form::Selected);
        Ok(())
    };
    for &isa in BACKENDS {
        let program = program(isa);
        let (func, _) = program.module().funcs().next().unwrap();
        let error = |stages: &[Stage<'_>]| {
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            let run = compiler.run(stages, Some((program.module(), func)), Form::Empty);
            run.map(|_| ()).unwrap_err()
        };
        // The jump table leads to a block that has no place in the code.
        let mut stages = isa.stages(1).to_vec();
        stages.insert(
            stages.len() - 1,
            Stage::new("drop", Form::Framed, &drops_a_block),
        );
        let lost = error(&stages);
        let phase = Phase::Emission;
        assert!(
            matches!(lost, Error::Internal { phase: found, .. } if found == phase),
            "{isa:?}: {lost}"
        );
        assert!(lost.is_internal() && !Error::Budget.is_internal());
        assert!(lost.to_string().contains("in emission"), "{lost}");
        // Debug builds look at the form after each stage.
        if cfg!(debug_assertions) {
            let claims = Stage::new("claim", Form::Generic, &claims_to_select);
            let unselected = error(&[stage::TRANSLATE, claims]);
            let phase = Phase::Selection;
            assert!(
                matches!(unselected, Error::Internal { phase: found, insn: Some(_) } if found == phase),
                "{isa:?}: {unselected}"
            );
        }
    }
}

/// Whoever reads an error can tell its reason from all others, and its phase.
#[test]
fn errors_are_told_apart() {
    let opcode = Opcode::from(Generic::Add);
    let insn = InsnId::new(7);
    let phases = [
        Phase::Translation,
        Phase::Ssa,
        Phase::Optimisation,
        Phase::Selection,
        Phase::Allocation,
        Phase::Emission,
        Phase::Placement,
    ];
    let mut errors = vec![
        Error::OutOfMemory,
        Error::TooLarge,
        Error::NotSelected(opcode),
        Error::NotEncoded(opcode),
        Error::WrongAllocation { insn, operand: 3 },
        Error::Unconfined { insn },
        Error::Budget,
        Error::Unsupported,
        Error::WrongForm,
    ];
    for insn in [None, Some(insn)] {
        errors.extend(phases.map(|phase| phase.internal(insn)));
    }
    let texts: BTreeSet<String> = errors.iter().map(Error::to_string).collect();
    assert_eq!(texts.len(), errors.len(), "{texts:?}");
    assert!(texts.iter().all(|text| text.len() > 8), "{texts:?}");
    let internal = |error: &&Error| error.is_internal();
    assert_eq!(errors.iter().filter(internal).count(), 4 + 14);
}

/// A generic instruction that no target has, or not with these operands, is named.
#[test]
fn what_cannot_be_selected_is_named() {
    let (bank, ty) = (Bank::General, LowType::S64);
    for &isa in BACKENDS {
        let error = |generic: Generic, operands: &dyn Fn(Operand) -> Vec<Operand>| {
            let class = (isa.registers().class_of)(bank, ty);
            let mut function = Function::new(&SystemAllocator);
            let info = VRegInfo { ty, bank, class };
            let register = Operand::from(function.add_vreg(info).unwrap());
            let block = function.add_block().unwrap();
            function.layout.push(block).unwrap();
            let operands = operands(register);
            function.append(block, generic, ty, &operands).unwrap();
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            compiler.function = function;
            let run = compiler.run(&[stage::SELECT], None, Form::Generic);
            run.map(|_| ()).unwrap_err()
        };
        let def = |operand: Operand| operand.with(OperandFlags::DEF);
        let named = |generic: Generic| Error::NotSelected(generic.into());
        // Stages before selection replace it.
        let phi = error(Generic::Phi, &|a| vec![def(a)]);
        assert_eq!(phi, named(Generic::Phi), "{isa:?}");
        // Neither a number nor a predicate, where one is needed.
        let constant = error(Generic::Constant, &|a| vec![def(a), a]);
        assert_eq!(constant, named(Generic::Constant), "{isa:?}");
        let compare = error(Generic::Icmp, &|a| vec![def(a), a, a, a]);
        assert_eq!(compare, named(Generic::Icmp), "{isa:?}");
        let float = error(Generic::FConstant, &|a| vec![def(a), a]);
        assert_eq!(float, named(Generic::FConstant), "{isa:?}");
        let floats = error(Generic::Fcmp, &|a| vec![def(a), a, a, a]);
        assert_eq!(floats, named(Generic::Fcmp), "{isa:?}");
        // No instruction extends so many bits.
        let extension = error(Generic::SextInreg, &|a| vec![def(a), a, Operand::imm(7)]);
        assert_eq!(extension, named(Generic::SextInreg), "{isa:?}");
    }
}

#[test]
fn functions_are_sound_after_every_stage() {
    for &isa in BACKENDS {
        let program = program(isa);
        for (level, position_independent) in [(0, true), (1, false), (2, true), (3, false)] {
            let (problem, in_ssa) = (Mutex::new(None), AtomicUsize::new(0));
            let look = |stage: &Stage<'_>, form: Form, printed: &Printed<'_, '_>| {
                in_ssa.fetch_add(usize::from(form == Form::Ssa), Ordering::Relaxed);
                let found = match form {
                    Form::Ssa => codegen::verify_ssa(printed.function, isa).unwrap(),
                    form if form < Form::Selected => return,
                    _ => codegen::verify(printed.function, isa).unwrap(),
                };
                if let Some(violation) = found {
                    let insn = violation.insn.map(|insn| printed.insn(insn).to_string());
                    let name = isa.target().name;
                    let message =
                        format!("{name} -O{level} {stage:?}: {:?} {insn:?}", violation.rule);
                    problem.lock().unwrap().get_or_insert(message);
                }
            };
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            compiler.options.level = level;
            compiler.execution.position_independent = position_independent;
            compiler.look = Some(&look);
            for (func, _) in program.module().funcs() {
                compiler.compile(program.module(), func).unwrap();
            }
            drop(compiler);
            assert_eq!(problem.into_inner().unwrap(), None);
            assert_eq!(in_ssa.into_inner() > 10, level >= 2, "-O{level}");
        }
    }
}

#[test]
fn what_is_wrong_in_ssa_form_is_found() {
    let isa: &dyn Backend = &target_x86_64::ISA;
    let (bank, ty) = (Bank::General, LowType::S64);
    let class = (isa.registers().class_of)(bank, ty);
    type Insns = Vec<(Generic, Vec<Operand>)>;
    let found = |make: &dyn Fn(Operand, Operand, Operand) -> [Insns; 2]| {
        let mut function = Function::new(&SystemAllocator);
        let info = VRegInfo { ty, bank, class };
        let [a, b] = [(); 2].map(|()| Operand::from(function.add_vreg(info).unwrap()));
        // The first block is followed by the second.
        let blocks = [(); 2].map(|()| function.add_block().unwrap());
        for (block, insns) in blocks.iter().zip(make(a, b, Operand::block(blocks[0]))) {
            function.layout.push(*block).unwrap();
            for (generic, operands) in insns {
                function.append(*block, generic, ty, &operands).unwrap();
            }
        }
        let end = Generic::Ret;
        function.append(blocks[1], end, ty, &[]).unwrap();
        let violation = codegen::verify_ssa(&function, isa).unwrap();
        violation.map(|violation| violation.rule)
    };
    let def = |operand: Operand| operand.with(OperandFlags::DEF);
    let one = |to: Operand| (Generic::Constant, vec![def(to), Operand::imm(1)]);
    let copy = |to: Operand, from: Operand| (Generic::Copy, vec![def(to), from]);
    let phi = |to: Operand, from: Operand, block: Operand| {
        let operands = vec![def(to), from, block];
        (Generic::Phi, operands)
    };
    assert_eq!(found(&|a, b, _| [vec![one(a), copy(b, a)], vec![]]), None);
    assert_eq!(found(&|a, b, _| [vec![one(a)], vec![copy(b, a)]]), None);
    assert_eq!(
        found(&|a, b, first| [vec![one(a)], vec![phi(b, a, first)]]),
        None
    );
    // A register that is never written.
    assert_eq!(found(&|a, b, _| [vec![copy(b, a)], vec![]]), None);
    let wrong = Some(Rule::Ssa);
    assert_eq!(found(&|a, _, _| [vec![one(a)], vec![one(a)]]), wrong);
    assert_eq!(found(&|a, b, _| [vec![copy(b, a), one(a)], vec![]]), wrong);
    assert_eq!(found(&|a, b, _| [vec![copy(b, a)], vec![one(a)]]), wrong);
    assert_eq!(
        found(&|a, b, first| [vec![], vec![phi(b, a, first), one(a)]]),
        wrong
    );
}

#[test]
fn what_is_wrong_with_a_function_is_found() {
    let isa: &dyn Backend = &target_x86_64::ISA;
    let row = |name: &str| {
        let number = isa.insns().iter().position(|row| row.name.text() == name);
        Opcode::target(number.unwrap() as u16)
    };
    let class = (isa.registers().class_of)(Bank::General, LowType::S64);
    let float = (isa.registers().class_of)(Bank::Floating, LowType::S64);
    let [int, other] = [(Bank::General, class), (Bank::Floating, float)];
    // The registers are two integers and a float; the closure makes instructions on them.
    type Insns = Vec<(Opcode, Vec<Operand>)>;
    type Wrong<'a> = (Rule, &'a dyn Fn([Operand; 3]) -> Insns);
    let found = |make: &dyn Fn([Operand; 3]) -> Insns| {
        let mut function = Function::new(&SystemAllocator);
        let regs = [int, int, other].map(|(bank, class)| {
            let ty = LowType::S64;
            let info = VRegInfo { ty, bank, class };
            Operand::from(function.add_vreg(info).unwrap())
        });
        let block = function.add_block().unwrap();
        function.layout.push(block).unwrap();
        for (opcode, operands) in make(regs) {
            let ty = LowType::S64;
            function.append(block, opcode, ty, &operands).unwrap();
        }
        codegen::verify(&function, isa)
            .unwrap()
            .map(|violation| violation.rule)
    };
    let def = |operand: Operand| operand.with(OperandFlags::DEF);
    let one = |to: Operand| (row("MOV64ri32"), vec![def(to), Operand::imm(1)]);
    let ret = || (row("RET64"), vec![]);
    let copy = |to: Operand, from: Operand| (Generic::Copy.into(), vec![def(to), from]);
    let last = |operand: Operand| operand.with(OperandFlags::KILL);
    let dead = |operand: Operand| operand.with(OperandFlags::DEAD);
    let [rax, eax] = ["rax", "eax"].map(|name| {
        let mut rows = isa.registers().registers.iter();
        Reg::physical(rows.position(|row| row.name.text() == name).unwrap() as u16)
    });
    let add = |to: Operand, a: Operand, b: Operand| (row("ADD64rr"), vec![def(to), a, b]);
    assert_eq!(
        found(&|[a, b, _]| vec![one(a), one(b), add(a, a, b), ret()]),
        None
    );
    assert_eq!(
        found(&|[a, b, _]| {
            let rax = Operand::reg(rax);
            let begin = [one(dead(a)), one(a), one(b), one(rax)];
            let end = [
                add(a, last(a), last(b)),
                copy(b, last(rax)),
                copy(rax, last(a)),
            ];
            begin.into_iter().chain(end).chain([ret()]).collect()
        }),
        None
    );
    let rules: [Wrong<'_>; 11] = [
        (Rule::Undefined, &|[a, b, _]| {
            vec![one(a), add(a, a, b), ret()]
        }),
        (Rule::Tie, &|[a, b, _]| {
            vec![one(a), one(b), add(a, b, a), ret()]
        }),
        (Rule::Terminator, &|[a, ..]| vec![ret(), one(a)]),
        (Rule::Bank, &|[a, _, c]| vec![one(a), add(a, a, c), ret()]),
        (Rule::Operands, &|[a, ..]| {
            vec![one(a), (row("ADD64rr"), vec![def(a), a]), ret()]
        }),
        (Rule::Operands, &|[a, b, _]| {
            vec![one(a), (row("ADD64rr"), vec![def(a), a, def(b)]), ret()]
        }),
        (Rule::Generic, &|[a, ..]| {
            vec![
                (Generic::Constant.into(), vec![def(a), Operand::imm(1)]),
                ret(),
            ]
        }),
        (Rule::Ended, &|[a, b, _]| {
            vec![one(a), one(b), add(a, a, last(b)), add(a, a, b), ret()]
        }),
        (Rule::Ended, &|[a, b, _]| {
            vec![one(a), one(dead(b)), add(a, a, b), ret()]
        }),
        (Rule::Ended, &|[a, ..]| {
            let rax = Operand::reg(rax);
            vec![one(rax), copy(a, last(rax)), copy(a, rax), ret()]
        }),
        // A sub-register ends here, and the whole is read later.
        (Rule::Ended, &|[a, b, _]| {
            let rax = Operand::reg(rax);
            let part = last(Operand::reg(eax));
            let sum = (row("ADD32rr"), vec![def(b), b, part]);
            vec![one(rax), one(b), sum, copy(a, rax), ret()]
        }),
    ];
    for (number, (rule, make)) in rules.iter().enumerate() {
        assert_eq!(found(make), Some(*rule), "{number}");
    }
}

/// Returns every use of a virtual register and every definition of one, with whether it is marked
/// as the last.
fn ends(function: &Function<'_>) -> Vec<(InsnId, usize, OperandFlags, bool)> {
    let mut ends = Vec::new();
    for insn in function
        .layout
        .iter()
        .flat_map(|&block| function.insns(block))
    {
        let operands = function.operands(insn);
        for (number, operand) in operands.iter().enumerate() {
            let is_virtual = operand.vreg().is_some();
            let mark = if operand.is_def() {
                OperandFlags::DEAD
            } else {
                OperandFlags::KILL
            };
            // Only the first of two uses of one register in an instruction is marked.
            let mut before = operands[..number].iter().filter(|other| !other.is_def());
            let is_second = !operand.is_def() && before.any(|other| other.vreg() == operand.vreg());
            if is_virtual && !is_second {
                ends.push((insn, number, mark, operand.flags().contains(mark)));
            }
        }
    }
    ends
}

/// The verifier, which computes last uses independently, finds marks that are too early; and no
/// value ends without a mark.
#[test]
fn last_uses_are_marked_and_no_others() {
    for &isa in BACKENDS {
        let program = program(isa);
        for level in [0, 2] {
            let stages = isa.stages(level);
            let select = stages
                .iter()
                .position(|stage| stage.name == "select")
                .unwrap();
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            let mut counts = [0; 2];
            for (func, _) in program.module().funcs() {
                let source = Some((program.module(), func));
                compiler.options.level = level;
                compiler
                    .run(&stages[..=select], source, Form::Empty)
                    .unwrap();
                let function = |compiler: &mut Compiler<'_>| ends(&compiler.function);
                // Marks are only computed on request.
                let unmarked = function(&mut compiler);
                assert!(unmarked.iter().all(|(.., is_marked)| !is_marked), "{isa:?}");
                compiler.mark_last_uses().unwrap();
                assert_eq!(
                    codegen::verify(&compiler.function, isa),
                    Ok(None),
                    "{isa:?}"
                );
                for (insn, number, mark, is_marked) in function(&mut compiler) {
                    counts[usize::from(is_marked)] += 1;
                    if is_marked {
                        continue;
                    }
                    let operand = compiler.function.operands(insn)[number];
                    compiler.function.operands_mut(insn)[number] = operand.with(mark);
                    let found = codegen::verify(&compiler.function, isa).unwrap();
                    let rule = found.map(|violation| violation.rule);
                    let is_found = matches!(rule, Some(Rule::Ended | Rule::Undefined));
                    let printed = Printed {
                        function: &compiler.function,
                        isa,
                    };
                    assert!(is_found, "{isa:?} -O{level}: {}", printed.insn(insn));
                    compiler.function.operands_mut(insn)[number] = operand;
                }
            }
            assert!(counts.iter().all(|&count| count > 50), "{isa:?} {counts:?}");
        }
    }
}

/// Branches between instructions of 8 bytes, in functions aligned to 64 bytes: no instruction
/// crosses a multiple of 64, no other instruction has a NOP before it, and branches still reach
/// their blocks, as their bytes show.
#[test]
fn prefixed_instructions_lie_within_lines() {
    const LINE: usize = 64;
    const NOP: u32 = 0x6000_0000;
    let isa = &target_ppc64le::POWER10;
    let mut body = String::new();
    for number in 0..40 {
        let label = format!("b{number}");
        // The number of words is odd every other time, so that lines end at all positions.
        let odd = if number % 2 == 0 { "" } else { "mul n, n, 7\n" };
        body += &format!("bgt {label}, n, {number}\nadd n, n, {}\n{odd}", number + 1);
        body += &format!(
            "xor n, n, {}\n{label}: add n, n, {}\n",
            5 + number,
            100_000 + number
        );
    }
    let text = format!("m: module\nf: func i64, i64:n\n{body}ret n\nendfunc\nendmodule\n");
    let mut report = |error| panic!("{error}");
    let long_double = isa.target().long_double;
    let modules = text::parse(text.as_bytes(), &SystemAllocator, long_double, &mut report);
    let module = modules.unwrap().pop().unwrap();
    let module = Verified::new(module, isa.target(), &mut |_| {})
        .ok()
        .unwrap();
    let (func, _) = module.module().funcs().next().unwrap();
    for level in 0..=3 {
        let mut compiler = Compiler::new(isa, &SystemAllocator);
        compiler.options.level = level;
        let offsets = compiler.compile(module.module(), func).unwrap();
        let words: Vec<u32> = { compiler.output.code.bytes.chunks_exact(4) }
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        let (mut at, mut prefixed, mut padded, mut branches) = (0, 0, 0, 0);
        while let Some(&word) = words.get(at / 4) {
            let is_prefix = |word: u32| word >> 26 == 1;
            if is_prefix(word) {
                assert_ne!(at % LINE, LINE - 4, "level {level}: across a line");
                prefixed += 1;
                at += 8;
                continue;
            }
            if word == NOP {
                assert_eq!(at % LINE, LINE - 4, "level {level}: a NOP for nothing");
                assert!(words.get(at / 4 + 1).copied().is_some_and(is_prefix));
                padded += 1;
            }
            if word >> 26 == 16 {
                let target = at.wrapping_add_signed(isize::from(word as i16 & !3));
                assert!(offsets.blocks.contains(&(target as u32)), "level {level}");
                branches += 1;
            }
            at += 4;
        }
        assert!(
            prefixed >= 40 && padded > 1 && branches >= 20,
            "level {level}: {prefixed} {padded} {branches}"
        );
    }
}

/// Returns a function that keeps `count` addresses live around a loop of 40 blocks, each after a
/// call: all are rematerialised at their uses.
fn addresses(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|number| format!("c{number}")).collect();
    let mut text = String::from("m: module\nimport ext\np: proto i64, i64:x\n");
    for names in names.chunks(50) {
        text += &format!("import a{}\n", names.join(", a"));
    }
    text += "f: func i64, i64:s\n";
    for names in names.chunks(50) {
        text += &format!("local i64:{}\n", names.join(", i64:"));
    }
    for name in &names {
        text += &format!("mov {name}, a{name}\n");
    }
    text += "again: mul s, s, s\n";
    for (number, names) in names.chunks(count / 40).enumerate() {
        text += &format!("call p, ext, s, s\nbf l{number}, s\n");
        for name in names {
            text += &format!("mul s, s, {name}\nxor s, s, {name}\n");
        }
        text += &format!("l{number}:\n");
    }
    text += "bt again, s\nret s\nendfunc\nendmodule\n";
    text
}

/// The proof of an allocation records a few bytes per block for rematerialised values, not their
/// locations.
#[test]
fn proofs_do_not_follow_what_is_made_again() {
    let isa: &dyn Backend = &target_riscv64::ISA;
    // The total that the proof allocates, which includes the states copied from block to block.
    let bytes = [80, 240].map(|count| {
        let program = verified(&addresses(count), isa);
        let func = program.module().funcs().next().unwrap().0;
        let [plain, proven] = [false, true].map(|check| {
            let memory = FailingAllocator::new();
            let mut compiler = Compiler::new(isa, &memory);
            (compiler.options.level, compiler.options.check_allocation) = (1, check);
            compiler.compile(program.module(), func).unwrap();
            memory.total_bytes()
        });
        proven - plain
    });
    let (values, blocks) = (160, 80);
    let each = (bytes[1] - bytes[0]) / values / blocks;
    assert!(each < 32, "{each} bytes per value and block");
}

/// Code of aarch64 of more than 1 MiB reaches its constants and what it calls; instructions that
/// load them from close by would not.
#[test]
fn long_functions_reach_their_constants() {
    let isa = target_all::backend("aarch64").unwrap();
    let middle = "add n, n, 7\n".repeat(270_000);
    let text = format!(
        "m: module\nimport g\np: proto\nf: func d, i64:n, d:x\nlocal f:y\ndadd x, x, 0.3\n\
         fmov y, 0.3f\ncall p, g\n{middle}mov i64:(n), n\ncall p, g\ndadd x, x, 0.7\n\
         fmov f:(n), y\nret x\nendfunc\nendmodule\n"
    );
    let module = verified(&text, isa);
    let (func, _) = module.module().funcs().next().unwrap();
    let mut compiler = Compiler::new(isa, &SystemAllocator);
    compiler.options.level = 0;
    compiler.compile(module.module(), func).unwrap();
    assert!(compiler.output.code.len() > 1 << 20);
}

/// Returns a function with a loop that a switch enters by `ways` edges. It reads a value that is in
/// the frame, as a later loop needs all registers.
fn entered(ways: usize) -> String {
    const VALUES: usize = 40;
    let lines = |line: &dyn Fn(usize) -> String| (0..VALUES).map(line).collect::<String>();
    let locals = lines(&|number| format!(", i64:v{number}"));
    let loads = lines(&|number| format!("mov v{number}, i64:{}(p)\n", 8 * number));
    let sums = lines(&|number| format!("add v{number}, v{number}, v{}\n", (number + 1) % VALUES));
    let labels = ["again"; 33][..ways].join(", ");
    format!(
        "m: module\nf: func i64, i64:p, i64:n\nlocal i64:x, i64:s{locals}\nmov x, i64:(p)\n\
         mov s, 0\nswitch s, {labels}\nagain: add s, s, x\nsub n, n, 1\nbgt again, n, 0\n{loads}\
         more: {sums}bgt more, v0, 0\nadd s, s, x\nret s\nendfunc\nendmodule\n"
    )
}

/// A value in the frame is loaded before a loop, not in it, if at most 32 edges lead into the loop:
/// more are not examined, so that the time is in proportion.
#[test]
fn values_are_loaded_before_loops_with_few_entries() {
    for &isa in BACKENDS {
        let reloads = [1, 32, 33].map(|ways| {
            let program = verified(&entered(ways), isa);
            let seen = Mutex::new(String::new());
            let look = |stage: &Stage<'_>, _: Form, printed: &Printed<'_, '_>| {
                if stage.name == stage::ALLOCATE.name {
                    *seen.lock().unwrap() = printed.to_string();
                }
            };
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            compiler.options.level = 1;
            compiler.look = Some(&look);
            let (func, _) = program.module().funcs().next().unwrap();
            compiler.compile(program.module(), func).unwrap();
            drop(compiler);
            let seen = seen.into_inner().unwrap();
            // The loop is the first block that branches to itself.
            let mut blocks = seen.split("\n  bb.").skip(1);
            let is_loop = |block: &&str| {
                let number = block.split(':').next().unwrap();
                block.contains(&format!(" bb.{number}"))
            };
            blocks.find(is_loop).unwrap().contains("stack.")
        });
        assert_eq!(reloads, [false, false, true], "{isa:?}");
    }
}
