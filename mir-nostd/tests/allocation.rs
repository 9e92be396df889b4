//! Tests of the proof of register allocations: it accepts what the allocator makes, and refuses
//! every damage to it.
#![expect(clippy::unwrap_used, reason = "tests")]

use core::sync::atomic::{AtomicUsize, Ordering};
use mir_nostd::codegen::{AllocationProof, Backend, Compiler, Error, Form, Stage, Work};
use mir_nostd::machine::{Bank, Function, InsnId, LowType, Operand, OperandFlags, Reg, UnitSet};
use mir_nostd::mem::Entity;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use std::sync::Mutex;
use target_all::ISAS;
use testkit::SystemAllocator;

/// Returns a loop with more values than any ISA has registers, so that some are in the frame.
fn many() -> String {
    const VALUES: usize = 40;
    let lines = |line: &dyn Fn(usize) -> String| (0..VALUES).map(line).collect::<String>();
    let locals = lines(&|number| format!(", i64:v{number}"));
    let loads = lines(&|number| format!("mov v{number}, i64:{}(p)\n", 8 * number));
    let sums = lines(&|number| format!("add v{number}, v{number}, v{}\n", (number + 1) % VALUES));
    format!(
        "m: module\nf: func i64, i64:p, i64:n\nlocal i64:r{locals}\n{loads}again: sub n, n, 1\n{sums}\
         bgt again, n, 0\nadd r, v0, v1\nret r\nendfunc\nendmodule\n"
    )
}

/// A loop with few values, so that registers are left.
const FEW: &str = "
m:      module
f:      func i64, i64:p, i64:n
        local i64:a, i64:b
        mov a, i64:(p)
        mov b, 1
again:  mul b, b, a
        xor a, a, n
        sub n, n, b
        bgt again, n, 0
        mov i64:8(p), b
        ret a
        endfunc
        endmodule
";

/// Runs the stages of level 0 up to allocation, and then calls `after` with the proof, the
/// allocated function, and the number of instructions that there were before.
fn allocated(
    isa: &'static dyn Backend,
    source: &str,
    after: &(dyn Fn(&AllocationProof<'_>, &mut Function<'_>, usize) + Sync),
) {
    let mut report = |error| panic!("{error}");
    let modules = text::parse(
        source.as_bytes(),
        &SystemAllocator,
        isa.target().long_double,
        &mut report,
    );
    let module = modules.unwrap().pop().unwrap();
    let program = Verified::new(module, isa.target(), &mut |violation| {
        panic!("{violation:?}")
    });
    let program = program.ok().unwrap();
    let proof = Mutex::new(None);
    let remember = |work: &mut Work<'_, '_>| {
        let made = AllocationProof::new(work.function_mut(), &SystemAllocator)?;
        *proof.lock().unwrap() = Some((made, work.function_mut().insn_count()));
        Ok(())
    };
    let try_damage = |work: &mut Work<'_, '_>| {
        let (proof, insns) = proof.lock().unwrap().take().unwrap();
        after(&proof, work.function_mut(), insns);
        Ok(())
    };
    let mut stages = isa.stages(0).to_vec();
    let allocation = stages.iter().position(|stage| stage.name == "allocate");
    stages.truncate(allocation.unwrap() + 1);
    let allocate = stages.pop().unwrap();
    stages.push(Stage::new("remember", Form::Selected, &remember));
    stages.push(allocate);
    stages.push(Stage::new("damage", Form::Allocated, &try_damage));
    let mut compiler = Compiler::new(isa, &SystemAllocator);
    let func = program.module().funcs().next().unwrap().0;
    let source = Some((program.module(), func));
    compiler.run(&stages, source, Form::Empty).unwrap();
}

/// Returns the explicit reads of integer registers: instruction, number of the operand, register.
fn reads(function: &Function<'_>, general: &[u16]) -> Vec<(InsnId, usize, Reg)> {
    let insns = function
        .layout
        .iter()
        .flat_map(|&block| function.insns(block));
    let mut reads = Vec::new();
    for insn in insns {
        for (number, operand) in function.operands(insn).iter().enumerate() {
            let implied = OperandFlags::IMPLICIT | OperandFlags::UNDEF;
            let is_read = !operand.is_def() && !operand.flags().intersects(implied);
            let reg = operand
                .as_reg()
                .filter(|reg| general.iter().any(|&number| Reg::physical(number) == *reg));
            reads.extend(reg.filter(|_| is_read).map(|reg| (insn, number, reg)));
        }
    }
    reads
}

fn is_refused(proof: &AllocationProof<'_>, function: &Function<'_>, isa: &dyn Backend) -> bool {
    match proof.check(function, isa) {
        Ok(()) => false,
        Err(Error::WrongAllocation { .. }) => true,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn what_reads_another_register_is_refused() {
    for &isa in ISAS {
        let tried = AtomicUsize::new(0);
        allocated(isa, FEW, &|proof, function, _| {
            assert!(!is_refused(proof, function, isa), "{isa:?}");
            let file = isa.registers();
            let general = file
                .class((file.class_of)(Bank::General, LowType::S64))
                .order;
            let mut used = UnitSet::EMPTY;
            for &block in &function.layout {
                for operand in function
                    .insns(block)
                    .flat_map(|insn| function.operands(insn))
                {
                    used = operand
                        .as_reg()
                        .map_or(used, |reg| used.union(file.units(reg)));
                }
            }
            // A register that the function does not mention holds none of its values.
            let unused = |number: &&u16| !file.units(Reg::physical(**number)).overlaps(used);
            let other = Reg::physical(*general.iter().find(unused).unwrap());
            for (insn, number, _) in reads(function, general) {
                let operand = function.operands(insn)[number];
                function.operands_mut(insn)[number] = Operand::reg(other);
                assert!(
                    is_refused(proof, function, isa),
                    "{isa:?}: {insn:?}, operand {number}"
                );
                function.operands_mut(insn)[number] = operand;
                tried.fetch_add(1, Ordering::Relaxed);
            }
            assert!(!is_refused(proof, function, isa), "{isa:?}");
        });
        assert!(tried.into_inner() > 10, "{isa:?}");
    }
}

#[test]
fn what_is_loaded_from_another_place_of_the_frame_is_refused() {
    for &isa in ISAS {
        let tried = AtomicUsize::new(0);
        allocated(isa, &many(), &|proof, function, before| {
            assert!(!is_refused(proof, function, isa), "{isa:?}");
            let insns = function
                .layout
                .iter()
                .flat_map(|&block| function.insns(block));
            // The instructions of allocation have numbers after those from before.
            let added = insns.filter(|insn| insn.index() >= before);
            let mut loads = Vec::new();
            for insn in added {
                let operands = function.operands(insn);
                let is_load = operands.first().is_some_and(|operand| operand.is_def());
                let frame = operands.iter().position(|o| o.as_frame().is_some());
                loads.extend(frame.filter(|_| is_load).map(|number| (insn, number)));
            }
            for (index, &(insn, number)) in loads.iter().enumerate() {
                let operand = function.operands(insn)[number];
                let (other, place) = loads[(index + 1) % loads.len()];
                let other = function.operands(other)[place];
                if other.as_frame() == operand.as_frame() {
                    continue;
                }
                function.operands_mut(insn)[number] = other;
                assert!(is_refused(proof, function, isa), "{isa:?}: {insn:?}");
                function.operands_mut(insn)[number] = operand;
                tried.fetch_add(1, Ordering::Relaxed);
            }
            assert!(!is_refused(proof, function, isa), "{isa:?}");
        });
        assert!(tried.load(Ordering::Relaxed) > 1, "{isa:?}: {tried:?}");
    }
}
