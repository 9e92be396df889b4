//! Tests of the builder's instructions: where they are inserted, which are refused; names of lists.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use mir_nostd::ir::{
    ArgSpec, Code, FuncId, FunctionList, InsnId, Module, Operand, Position, Problem, Reg, Result,
    SignatureSpec, Type,
};
use mir_nostd::mem::Entity;
use mir_nostd::num::LongDoubleFormat;
use testkit::SystemAllocator;

fn module() -> (Module<'static>, FuncId) {
    let mut module = Module::new(&SystemAllocator, b"m", LongDoubleFormat::X87).unwrap();
    let args = [ArgSpec::new(Type::I64, "a")];
    let spec = SignatureSpec {
        results: &[Type::I64, Type::D],
        args: &args,
        vararg: false,
    };
    let func = module.add_func(b"f", spec).unwrap();
    (module, func)
}

fn codes(module: &Module<'_>, func: FuncId) -> Vec<Code> {
    let codes: Vec<_> = module.insns(func).map(|insn| module.code(insn)).collect();
    let mut backward: Vec<_> = module
        .insns(func)
        .rev()
        .map(|insn| module.code(insn))
        .collect();
    backward.reverse();
    assert_eq!(codes, backward);
    codes
}

#[test]
fn instructions_are_inserted_anywhere_and_removed() {
    let (mut module, func) = module();
    let a = Reg::new(0);
    let mid = module.append(func, Code::Add, (a, a, 1)).unwrap();
    module
        .insert(func, Position::Start, Code::Mov, (a, 0))
        .unwrap();
    module
        .insert(func, Position::Before(mid), Code::Neg, (a, a))
        .unwrap();
    let last = module
        .insert(func, Position::After(mid), Code::Sub, (a, a, 2))
        .unwrap();
    assert_eq!(
        codes(&module, func),
        [Code::Mov, Code::Neg, Code::Add, Code::Sub]
    );
    module.remove(func, mid);
    module.remove(func, last);
    assert_eq!(codes(&module, func), [Code::Mov, Code::Neg]);
    assert_eq!(module.func(func).insn_count(), 2);
}

#[test]
fn a_function_without_return_gets_zeros() {
    let (mut module, func) = module();
    module.finish_func(func).unwrap();
    module.finish_func(func).unwrap();
    assert_eq!(codes(&module, func), [Code::Ret]);
    let ret = module.func(func).first().unwrap();
    assert!(
        module
            .operands(ret)
            .eq([Operand::Int(0), Operand::Double(0.0)])
    );
}

#[test]
fn wrong_counts_and_internal_instructions_are_refused() {
    let (mut module, func) = module();
    let a = Reg::new(0);
    let problem = |result: Result<InsnId>| result.unwrap_err().problem;
    assert_eq!(
        problem(module.append(func, Code::Add, (a, a))),
        Problem::OperandCount
    );
    assert_eq!(
        problem(module.append(func, Code::Switch, (a,))),
        Problem::OperandCount
    );
    assert_eq!(
        problem(module.append(func, Code::Phi, ())),
        Problem::InternalInsn
    );
    let label = module.new_label().unwrap();
    module.insert_label(func, Position::End, label).unwrap();
    assert_eq!(
        problem(module.insert_label(func, Position::End, label)),
        Problem::LabelDefinedTwice
    );
    // Nothing is left of what was refused.
    assert_eq!(codes(&module, func), [Code::Label]);
    assert_eq!(module.operand_mark(), 1);
}

#[test]
fn long_double_becomes_double_where_they_are_one() {
    let mut module = Module::new(&SystemAllocator, b"m", LongDoubleFormat::Double).unwrap();
    let spec = SignatureSpec {
        results: &[Type::Ld],
        ..SignatureSpec::default()
    };
    let func = module.add_func(b"f", spec).unwrap();
    let r = module.add_local(func, Type::Ld, b"r").unwrap();
    let bits = u128::from(2.5_f64.to_bits());
    let insn = module.append(func, Code::Ldadd, (r, r, r)).unwrap();
    module.set_operand(insn, 2, Operand::Double(2.5)).unwrap();
    let moved = module
        .append(
            func,
            Code::Ldmov,
            [Operand::Reg(r), Operand::LongDouble(bits)],
        )
        .unwrap();
    assert_eq!(codes(&module, func), [Code::Dadd, Code::Dmov]);
    assert_eq!(module.operand(moved, 1), Some(Operand::Double(2.5)));
    assert_eq!(module.func(func).registers()[0].ty, Type::D);
}

#[test]
fn lists_of_functions_are_named_after_their_priorities() {
    for name in [
        ".init_array",
        ".fini_array",
        ".init_array.00000",
        ".fini_array.65534",
    ] {
        let list = FunctionList::of_name(name.as_bytes());
        assert_eq!(list.map(|list| list.to_string()).as_deref(), Some(name));
    }
    let last = FunctionList::of_name(b".init_array").map(|list| list.priority);
    assert_eq!(last, Some(65535));
    for name in [
        "init_array",
        ".init_array.",
        ".init_array.65536",
        ".init_array.000001",
        ".init_array.1x",
        ".init_arrays",
    ] {
        assert_eq!(FunctionList::of_name(name.as_bytes()), None, "{name}");
    }
}
