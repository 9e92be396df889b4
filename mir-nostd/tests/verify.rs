//! Tests of the verifier on modules made by the builder: constructs without a text form, and rules
//! that `filetests/verify` does not reach. Each module breaks one rule.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use mir_nostd::ir::{
    ArgSpec, Code, FuncBuilder, ItemId, Label, Mem, Module, Name, Operand, Operands, Place,
    Problem, Reg, Result, SignatureSpec, Str, Type,
};
use mir_nostd::mem::Entity;
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::verify::{Violation, integers_only, verify};
use target_x86_64::TARGET;
use testkit::SystemAllocator;

const PLAIN: SignatureSpec<'static> = SignatureSpec {
    results: &[],
    args: &[],
    vararg: false,
};

/// A number far beyond any that the modules here have.
const FAR: u32 = 1 << 20;

fn module() -> Module<'static> {
    Module::new(&SystemAllocator, b"m", LongDoubleFormat::X87).unwrap()
}

fn violations(module: &Module<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    let verdict = verify(module, &TARGET, &mut |violation| found.push(violation));
    let first = found.iter().find(|violation| !violation.is_warning);
    assert_eq!(verdict.err(), first.map(|violation| violation.error));
    found
}

fn problems(module: &Module<'_>) -> Vec<Problem> {
    let found = violations(module);
    let problems = found.iter().map(|violation| violation.error.problem);
    problems.collect()
}

/// Adds a function `f` with the integer argument `a`, a double `d` and the global `g`.
fn build(
    module: &mut Module<'_>,
    body: impl FnOnce(&mut FuncBuilder<'_, '_>, [Reg; 3]) -> Result<()>,
) {
    let args = [ArgSpec::new(Type::I64, "a")];
    let spec = SignatureSpec {
        args: &args,
        ..PLAIN
    };
    let mut func = module.build_func("f", spec).unwrap();
    let d = func.local(Type::D, "d").unwrap();
    let g = func.global(Type::I64, "g", "rbx").unwrap();
    let regs = [func.arg(0), d, g];
    body(&mut func, regs).unwrap();
    func.finish().unwrap();
}

fn in_func(body: impl FnOnce(&mut FuncBuilder<'_, '_>, [Reg; 3]) -> Result<()>) -> Vec<Problem> {
    let mut module = module();
    build(&mut module, body);
    problems(&module)
}

/// Returns the problems of one instruction whose operands are made from the registers `a`, `d` and
/// `g`.
fn of_insn<O: Operands>(code: Code, operands: impl FnOnce([Reg; 3]) -> O) -> Vec<Problem> {
    in_func(|func, regs| func.emit(code, operands(regs)).map(|_| ()))
}

#[test]
fn a_sound_module_passes() {
    let found = in_func(|func, [a, d, g]| {
        let here = func.new_label()?;
        func.label(here)?;
        func.emit(Code::Addo, (a, a, g))?;
        func.emit(Code::Mov, (Mem::new(Type::I32, 4, a), a))?;
        func.emit(Code::Bo, (here,))?;
        func.emit(Code::Dmov, (d, Mem::indexed(Type::D, 0, a, g, 8)))?;
        Ok(())
    });
    assert_eq!(found, []);
}

#[test]
fn numbers_that_the_module_does_not_have() {
    let mem = |a, alias| Mem {
        alias: Some(alias),
        ..Mem::new(Type::I64, 0, a)
    };
    assert_eq!(
        of_insn(Code::Mov, |[a, ..]| (a, Reg::new(FAR))),
        [Problem::UndeclaredReg]
    );
    assert_eq!(
        of_insn(Code::Mov, |[a, ..]| (a, ItemId::new(FAR))),
        [Problem::UndeclaredName]
    );
    assert_eq!(
        of_insn(Code::Mov, |[a, ..]| (a, Str::new(FAR))),
        [Problem::UndeclaredName]
    );
    assert_eq!(
        of_insn(Code::Mov, |[a, ..]| (a, mem(a, Name::new(FAR)))),
        [Problem::UndeclaredName]
    );
    assert_eq!(
        of_insn(Code::Mov, |[a, ..]| (
            a,
            Mem::new(Type::I64, 0, Reg::new(FAR))
        )),
        [Problem::UndeclaredReg]
    );
    assert_eq!(
        of_insn(Code::Jmp, |_| (Label::new(FAR),)),
        [Problem::LabelUndefined]
    );
    assert_eq!(
        of_insn(Code::Call, |[a, ..]| (ItemId::new(FAR), a)),
        [Problem::NotPrototype]
    );
    let mut module = module();
    module.ref_data(None, ItemId::new(FAR), 0).unwrap();
    module.expr_data(None, ItemId::new(FAR)).unwrap();
    module.lref_data(None, Label::new(FAR), None, 0).unwrap();
    assert_eq!(
        problems(&module),
        [
            Problem::UndeclaredName,
            Problem::LrefUndefined,
            Problem::ExprFunction
        ]
    );
}

#[test]
fn a_label_reference_needs_both_labels() {
    let mut module = module();
    let mut label = None;
    build(&mut module, |func, _| {
        let here = func.new_label()?;
        label = Some(here);
        func.label(here)?;
        func.emit(Code::Ret, ()).map(|_| ())
    });
    let (label, far) = (label.unwrap(), Label::new(FAR));
    module.lref_data(None, label, Some(far), 0).unwrap();
    module.lref_data(None, far, Some(label), 0).unwrap();
    assert_eq!(problems(&module), [Problem::LrefUndefined; 2]);
}

#[test]
fn operands_that_text_cannot_write() {
    assert_eq!(
        of_insn(Code::Addr, |[a, _, g]| (a, g)),
        [Problem::HardRegAddress]
    );
    assert_eq!(of_insn(Code::Jmp, |_| (1,)), [Problem::NotLabel]);
    let label_as_value = in_func(|func, [a, ..]| {
        let here = func.new_label()?;
        func.label(here)?;
        func.emit(Code::Mov, (a, here))?;
        Ok(())
    });
    assert_eq!(label_as_value, [Problem::NotInteger]);
}

#[test]
fn a_function_that_may_run_off_its_end_gets_a_warning() {
    let mut module = module();
    let func = module.add_func(b"unfinished", PLAIN).unwrap();
    let item = module.func(func).item;
    let violation = violations(&module)[0];
    assert!(violation.is_warning);
    assert_eq!(
        (violation.error.problem, violation.error.place),
        (Problem::RunsOffEnd, Place::Item(item))
    );
    let runs_off = in_func(|func, [a, ..]| {
        let here = func.new_label()?;
        func.emit(Code::Bt, (here, a))?;
        func.emit(Code::Ret, ())?;
        func.label(here)?;
        Ok(())
    });
    assert_eq!(runs_off, [Problem::RunsOffEnd]);
}

#[test]
fn the_place_tells_function_instruction_and_operand() {
    let mut module = module();
    build(&mut module, |func, [a, ..]| {
        func.emit(Code::Add, (a, a, 1))?;
        func.emit(Code::Add, (a, a, 1.5))?;
        Ok(())
    });
    let (func, _) = module.funcs().next().unwrap();
    let insn = module.insns(func).nth(1).unwrap();
    let place = violations(&module)[0].error.place;
    let operand = 2;
    assert_eq!(
        place,
        Place::Insn {
            func,
            insn,
            operand
        }
    );
}

#[test]
fn exports_without_definition_are_warnings_until_something_refers_to_them() {
    let mut module = module();
    let export = module.export(b"nowhere").unwrap();
    let found = violations(&module);
    assert!(found.len() == 1 && found[0].is_warning);
    assert_eq!(found[0].declaration, Some(export));

    let reference = module.ref_data(None, export, 0).unwrap();
    build(&mut module, |func, [a, ..]| {
        func.emit(Code::Mov, (a, export)).map(|_| ())
    });
    let found = violations(&module);
    let errors: Vec<_> = found
        .iter()
        .filter(|violation| !violation.is_warning)
        .collect();
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[0].error.place, Place::Item(reference));
    assert!(
        errors
            .iter()
            .all(|violation| violation.declaration == Some(export)
                && violation.error.problem == Problem::NeverDefined)
    );
}

#[test]
fn calls_that_cannot_be_made() {
    let call = |code, operand: fn(&mut Module<'_>, Reg) -> Vec<Operand>| {
        let mut module = module();
        let args = [ArgSpec::new(Type::I64, "a")];
        let spec = SignatureSpec {
            args: &args,
            vararg: true,
            ..PLAIN
        };
        let proto = module.proto(b"p", spec).unwrap();
        build(&mut module, |func, [a, ..]| {
            let mut operands = vec![proto.into()];
            operands.extend(operand(func.module(), a));
            func.emit(code, &operands[..]).map(|_| ())
        });
        problems(&module)
    };
    assert_eq!(call(Code::Call, |_, a| vec![a.into(), 1.into()]), []);
    assert_eq!(
        call(Code::Call, |module, _| {
            let data = module.bss(Some(b"data"), 8).unwrap();
            vec![data.into(), 1.into()]
        }),
        [Problem::NotCallable]
    );
    assert_eq!(
        call(Code::Jcall, |module, _| {
            let setjmp = module.import(b"_setjmp").unwrap();
            vec![setjmp.into(), 1.into()]
        })[0],
        Problem::JcallOfSetjmp
    );
    assert_eq!(
        call(Code::Call, |_, a| vec![
            a.into(),
            1.into(),
            Mem::new(Type::Rblk, 8, a).into()
        ]),
        [Problem::RblkVariadic]
    );
    assert_eq!(
        call(Code::Call, |_, a| vec![
            a.into(),
            1.into(),
            Mem::new(Type::Blk0, -1, a).into()
        ]),
        [Problem::BlockForm]
    );
    assert_eq!(
        call(Code::Call, |_, a| {
            let indexed = Mem::indexed(Type::Blk0, 8, a, a, 1);
            vec![a.into(), 1.into(), indexed.into()]
        }),
        [Problem::BlockForm]
    );
    assert_eq!(
        call(Code::Call, |_, a| {
            let large = Mem::new(Type::Blk0, 1 << 24, a);
            vec![a.into(), 1.into(), large.into()]
        }),
        [Problem::CallTooLarge]
    );
    assert_eq!(
        call(Code::Call, |module, a| {
            let label = module.new_label().unwrap();
            let func = module.funcs().next().unwrap().0;
            module
                .insert_label(func, mir_nostd::ir::Position::Start, label)
                .unwrap();
            vec![a.into(), 1.into(), label.into()]
        }),
        [Problem::LabelArgument]
    );
}

#[test]
fn calls_of_functions_with_another_signature_get_a_warning() {
    let found = |result: Type, arg: Type| {
        let mut module = module();
        let args = [ArgSpec::new(arg, "x")];
        let results = [result];
        let spec = SignatureSpec {
            results: &results,
            args: &args,
            vararg: false,
        };
        let proto = module.proto(b"p", spec).unwrap();
        let spec = SignatureSpec {
            results: &[Type::U8],
            args: &[ArgSpec::new(Type::P, "x")],
            vararg: false,
        };
        let callee = module.add_func(b"callee", spec).unwrap();
        module.finish_func(callee).unwrap();
        let callee = module.func(callee).item;
        build(&mut module, |func, [a, d, _]| {
            let in_class = |ty: Type| Operand::Reg(if ty.is_int() { a } else { d });
            let operands = [proto.into(), callee.into(), in_class(result), in_class(arg)];
            func.emit(Code::Call, operands).map(|_| ())
        });
        let found = violations(&module);
        assert!(found.iter().all(|violation| violation.is_warning));
        found.len()
    };
    assert_eq!(found(Type::U8, Type::P), 0);
    assert_eq!(found(Type::U8, Type::I64), 0);
    assert_eq!(found(Type::I32, Type::I64), 1);
    assert_eq!(found(Type::U8, Type::I8), 1);
    assert_eq!(found(Type::D, Type::I64), 1);
    assert_eq!(found(Type::I64, Type::D), 1);
}

#[test]
fn signatures_are_bounded() {
    let args = [ArgSpec::block(Type::Blk0, 1 << 24, "b")];
    let mut module = module();
    let proto = module
        .proto(
            b"p",
            SignatureSpec {
                args: &args,
                ..PLAIN
            },
        )
        .unwrap();
    let error = violations(&module)[0].error;
    assert_eq!(
        (error.problem, error.place),
        (Problem::CallTooLarge, Place::Item(proto))
    );
}

#[test]
fn long_double_must_be_the_targets_where_it_is_used() {
    let quad = |used: bool| {
        let mut module = Module::new(&SystemAllocator, b"m", LongDoubleFormat::Quad).unwrap();
        if used {
            module.data(None, Type::Ld, &[0; 16]).unwrap();
        }
        problems(&module)
    };
    assert_eq!(quad(false), []);
    assert_eq!(quad(true), [Problem::LongDoubleOfTarget]);
    let double = Module::new(&SystemAllocator, b"m", LongDoubleFormat::Double).unwrap();
    assert_eq!(problems(&double), [Problem::LongDoubleOfTarget]);
}

#[test]
fn hard_registers_are_reported_with_the_variable() {
    let mut module = module();
    let func = module.add_func(b"f", PLAIN).unwrap();
    let reg = module.add_global(func, Type::I64, b"x", b"rsp").unwrap();
    module.finish_func(func).unwrap();
    let error = violations(&module)[0].error;
    assert_eq!(
        (error.problem, error.place),
        (Problem::ReservedHardReg, Place::Register { func, reg })
    );
}

/// A deterministic generator of pseudo-random numbers.
struct Numbers(fastrand::Rng);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.u32(..bound)
    }

    fn option<E: Entity>(&mut self) -> Option<E> {
        (self.below(2) == 0).then(|| E::new(self.below(6)))
    }

    fn operand(&mut self) -> Operand {
        let number = self.below(6);
        match self.below(10) {
            0 => Operand::Reg(Reg::new(number)),
            1 => Operand::Int(number.into()),
            2 => Operand::Uint(number.into()),
            3 => Operand::Float(1.5),
            4 => Operand::Double(1.5),
            5 => Operand::LongDouble(1),
            6 => Operand::Str(Str::new(number)),
            7 => Operand::Item(ItemId::new(number)),
            8 => Operand::Label(Label::new(number)),
            _ => Operand::Mem(Mem {
                ty: Type::ALL[self.below(18) as usize],
                disp: i64::from(number) - 2,
                base: self.option(),
                index: self.option(),
                scale: self.below(9) as u8,
                alias: self.option(),
                nonalias: self.option(),
            }),
        }
    }
}

#[test]
fn any_instructions_with_any_operands_get_a_verdict() {
    let mut numbers = Numbers(fastrand::Rng::with_seed(1));
    let mut passed = 0;
    for _ in 0..20_000 {
        let mut module = module();
        let args = [ArgSpec::block(Type::Blk1, 2, "b")];
        let spec = SignatureSpec {
            results: &[Type::I64],
            args: &args,
            vararg: true,
        };
        module.proto(b"p", spec).unwrap();
        module.forward(b"forward").unwrap();
        module.import(b"setjmp").unwrap();
        build(&mut module, |func, _| {
            let here = func.new_label()?;
            func.label(here)?;
            let code = Code::ALL[numbers.below(Code::COUNT as u32) as usize];
            let count = match code.modes().len() {
                0 if code.is_variable() => numbers.below(6) as usize,
                count => count,
            };
            let operands: Vec<_> = (0..count).map(|_| numbers.operand()).collect();
            // The builder refuses wrong counts and internal instructions.
            let _ = func.emit(code, &operands[..]);
            Ok(())
        });
        let item = ItemId::new(numbers.below(8));
        match numbers.below(4) {
            0 => module.ref_data(None, item, 0).map(|_| ()).unwrap(),
            1 => module.expr_data(None, item).map(|_| ()).unwrap(),
            _ => {}
        }
        let found = violations(&module);
        passed += u32::from(found.iter().all(|violation| violation.is_warning));
    }
    // Both verdicts occur.
    assert!((100..19_900).contains(&passed), "{passed}");
}

#[test]
fn lack_of_memory_is_an_error() {
    let make_and_check = |allocator: &testkit::FailingAllocator| -> Result<()> {
        let mut module = Module::new(allocator, b"m", LongDoubleFormat::X87)?;
        let spec = SignatureSpec {
            results: &[Type::I64],
            ..PLAIN
        };
        let mut func = module.build_func("f", spec)?;
        func.emit(Code::Ret, (7,))?;
        let func = func.finish()?;
        let item = module.func(func).item;
        module.expr_data(None, item)?;
        verify(&module, &TARGET, &mut |_| {})
    };
    let requests = testkit::sweep(make_and_check, |error| {
        error.problem == Problem::OutOfMemory
    });
    assert!(requests > 5);
}

#[test]
fn an_embedder_may_refuse_floating_values() {
    let refused = |body: fn(&mut FuncBuilder<'_, '_>, [Reg; 3]) -> Result<()>| {
        let mut module = module();
        build(&mut module, body);
        let mut places = Vec::new();
        let verdict = integers_only(&module, &mut |violation| places.push(violation.error.place));
        assert_eq!(verdict.is_err(), !places.is_empty());
        places.len()
    };
    let integers = |func: &mut FuncBuilder<'_, '_>, [a, _, g]: [Reg; 3]| {
        func.emit(Code::Add, (a, a, g))?;
        func.emit(Code::Mov, (Mem::new(Type::I32, 4, a), a))?;
        func.emit(Code::Ret, ())?;
        Ok(())
    };
    assert_eq!(refused(integers), 0);
    let floats = |func: &mut FuncBuilder<'_, '_>, [a, d, _]: [Reg; 3]| {
        func.emit(Code::I2d, (d, a))?;
        func.emit(Code::Fmov, (Mem::new(Type::F, 0, a), 1.0_f32))?;
        func.emit(Code::D2i, (a, 2.5))?;
        func.emit(Code::Ret, ())?;
        Ok(())
    };
    assert_eq!(refused(floats), 3);

    let mut module = module();
    let args = [ArgSpec::new(Type::Ld, "x")];
    let results = [Type::F];
    module
        .proto(
            b"argument",
            SignatureSpec {
                args: &args,
                ..PLAIN
            },
        )
        .unwrap();
    module
        .proto(
            b"result",
            SignatureSpec {
                results: &results,
                ..PLAIN
            },
        )
        .unwrap();
    module.proto(b"neither", PLAIN).unwrap();
    // Data may hold anything.
    module
        .data(Some(b"table"), Type::D, &1.5_f64.to_le_bytes())
        .unwrap();
    let mut count = 0;
    let verdict = integers_only(&module, &mut |_| count += 1);
    assert_eq!(
        verdict.map_err(|error| error.problem),
        Err(Problem::FloatRefused)
    );
    assert_eq!(count, 2);
}
