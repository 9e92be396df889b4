//! Tests of Machine IR as a data structure: instruction lists against a model, operands, pools,
//! edges, use-def chains, register files of every ISA, and registers live into functions and loops.
#![expect(clippy::unwrap_used, reason = "tests")]

use mir_nostd::codegen::{self, Compiler, Form};
use mir_nostd::machine::{
    Bank, BlockId, ClassId, Constant, Edges, End, Function, Generic, InsertError, InsnId, LowType,
    Opcode, Operand, OperandFlags, OperandKind, Reg, SubIndex, Symbol, TargetFlag, UnitSet,
    UseDefs, VReg, VRegInfo,
};
use mir_nostd::mem::{Allocator, Entity, OutOfMemory};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use target_all::ISAS;
use testkit::{SystemAllocator, sweep};

const INFO: VRegInfo = VRegInfo {
    ty: LowType::S64,
    bank: Bank::General,
    class: ClassId(0),
};

/// Returns a function with `N` blocks in its layout.
fn blocks<const N: usize>(
    memory: &dyn Allocator,
) -> Result<(Function<'_>, [BlockId; N]), OutOfMemory> {
    let mut function = Function::new(memory);
    for _ in 0..N {
        let block = function.add_block()?;
        function.layout.push(block)?;
    }
    let blocks = core::array::from_fn(|number| function.layout[number]);
    Ok((function, blocks))
}

/// Returns an instruction that can be told from others by its immediate.
fn numbered(
    function: &mut Function<'_>,
    block: BlockId,
    next: Option<InsnId>,
    number: i32,
) -> InsnId {
    let (opcode, ty) = (Generic::GiveResult.into(), LowType::S64);
    let operands = [Operand::imm(number)];
    function.insert(block, next, opcode, ty, &operands).unwrap()
}

/// Checks that the lists of a function are those of the model, forward and backward, and that
/// instructions know their blocks.
fn compare(function: &Function<'_>, model: &[Vec<InsnId>], step: usize) {
    for (number, wanted) in model.iter().enumerate() {
        let block = BlockId::new(number as u32);
        let found: Vec<InsnId> = function.insns(block).collect();
        assert_eq!(&found, wanted, "{block:?} after step {step}");
        let mut back = Vec::new();
        let mut next = function.block(block).last();
        while let Some(insn) = next {
            assert_eq!(function.insn(insn).block(), block, "after step {step}");
            back.push(insn);
            next = function.insn(insn).previous();
        }
        back.reverse();
        assert_eq!(&back, wanted, "{block:?} backward after step {step}");
    }
}

#[test]
fn lists_of_instructions_are_what_was_done_to_them() {
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        // Knuth's MMIX linear congruential generator.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut function, _) = blocks::<4>(&SystemAllocator).unwrap();
    let mut model: Vec<Vec<InsnId>> = vec![Vec::new(); 4];
    for step in 0..2_000 {
        let (from, to) = (random(model.len()), random(model.len()));
        let [source, target] = [from, to].map(|number| BlockId::new(number as u32));
        let at = random(model[from].len() + 1);
        let insn = model[from].get(at).copied();
        match (random(8), insn) {
            (0..3, _) => {
                let new = numbered(&mut function, source, insn, step as i32);
                model[from].insert(at, new);
            }
            (3, Some(insn)) => {
                function.remove(insn);
                model[from].remove(at);
            }
            (4 | 5, Some(insn)) => {
                model[from].remove(at);
                let place = random(model[to].len() + 1);
                let next = model[to].get(place).copied();
                function.move_insn(insn, target, next);
                model[to].insert(place, insn);
            }
            (6, _) if from != to => {
                function.move_insns(source, target);
                let moved = core::mem::take(&mut model[from]);
                model[to].extend(moved);
            }
            (7, _) if model.len() < 40 => {
                let new = function.split(source, insn).unwrap();
                assert_eq!(new.index(), model.len());
                assert_eq!(function.rest(source), Some(new));
                let rest = model[from].split_off(at);
                model.push(rest);
                if random(2) == 0 {
                    function.unsplit(source);
                    let rest = core::mem::take(&mut model[new.index()]);
                    model[from].extend(rest);
                }
            }
            _ => {}
        }
        compare(&function, &model, step);
    }
    assert!(model.len() == 40 && function.insn_count() > 500);
}

#[test]
fn what_is_split_off_comes_right_behind_in_the_layout() {
    let (mut function, [first, second]) = blocks::<2>(&SystemAllocator).unwrap();
    let insns = [0, 1, 2].map(|number| numbered(&mut function, first, None, number));
    let last = function.split(first, Some(insns[2])).unwrap();
    let middle = function.split(first, Some(insns[1])).unwrap();
    assert_eq!(function.layout[..], [first, second]);
    function.lay_out_splits().unwrap();
    assert_eq!(function.layout[..], [first, middle, last, second]);
    assert_eq!(function.rest(first), None);
    function.block_mut(first).depth = 3;
    let empty = function.split(first, None).unwrap();
    assert_eq!(function.block(empty).depth, 3);
}

#[test]
fn each_part_of_an_operand_keeps_to_itself() {
    let vreg = VReg::new(0x7FFF_FFF0);
    for reg in [Reg::NONE, Reg::physical(u16::MAX), Reg::virt(vreg)] {
        for flag in OperandFlags::all().iter() {
            let operand = Operand::reg(reg).part(SubIndex(255)).tied_to(254);
            let marked = operand.with(flag);
            assert_eq!(marked.as_reg(), Some(reg));
            assert_eq!((marked.sub(), marked.tied()), (SubIndex(255), Some(254)));
            assert_eq!(
                (marked.kind(), marked.flags()),
                (OperandKind::Register, flag)
            );
            assert_eq!(marked.without(flag), operand);
            // On another register the operand is otherwise unchanged.
            let other = marked.on(Reg::physical(1));
            assert_eq!(
                (other.flags(), other.sub(), other.tied()),
                (flag, SubIndex(255), Some(254))
            );
            assert_eq!(other.as_reg(), Some(Reg::physical(1)));
        }
    }
    assert!(Reg::physical(0).is_none() && !Reg::virt(vreg).is_physical());
    let symbol = Operand::imm(i32::MIN).flagged(TargetFlag(9));
    assert_eq!(
        (symbol.small(), symbol.target_flag()),
        (Some(i32::MIN), TargetFlag(9))
    );
    let block = Operand::block(BlockId::new(7));
    assert_eq!(block.as_block(), Some(BlockId::new(7)));
    assert!(block.as_frame().is_none() && block.small().is_none() && block.vreg().is_none());
}

#[test]
fn operands_grow_and_shrink_in_place_of_others() {
    let (mut function, [block]) = blocks::<1>(&SystemAllocator).unwrap();
    let [first, second] = [1, 2].map(|number| numbered(&mut function, block, None, number));
    for count in [3, 1, 0, 7, 2] {
        let operands: Vec<Operand> = (0..count).map(Operand::imm).collect();
        function.set_operands(first, &operands).unwrap();
        assert_eq!(function.operands(first), operands);
        assert_eq!(function.operands(second), [Operand::imm(2)]);
    }
    let many = vec![Operand::imm(0); 65_536];
    assert_eq!(
        function.set_operands(second, &many),
        Err(InsertError::TooManyOperands)
    );
    let (opcode, ty) = (Generic::Call, LowType::S64);
    assert_eq!(
        function.append(block, opcode, ty, &many),
        Err(InsertError::TooManyOperands)
    );
    assert!(function.insns(block).eq([first, second]));
    assert_eq!(function.operands(second), [Operand::imm(2)]);
    function.append(block, opcode, ty, &many[1..]).unwrap();
}

#[test]
fn pools_give_back_what_was_put_in() {
    let mut function = Function::new(&SystemAllocator);
    for value in [
        0,
        i64::from(i32::MAX),
        1 << 31,
        i64::from(i32::MIN),
        i64::MIN,
    ] {
        let operand = function.int(value).unwrap();
        assert_eq!(function.immediate(operand), Some(value));
        assert_eq!(operand.small().is_some(), i32::try_from(value).is_ok());
    }
    let masks = [5, 6, 5].map(|unit| function.add_mask(UnitSet::unit(unit)).unwrap());
    assert!(masks[0] == masks[2] && masks[0] != masks[1]);
    assert_eq!(function.mask(masks[1]), Some(UnitSet::unit(6)));
    assert_eq!(function.immediate(masks[1]), None);
    let [one, two, again] = [1, 2, 1].map(|byte| {
        let (bytes, len) = ([byte; 16], 16);
        function
            .add_constant(Constant {
                bytes,
                len,
                symbol: None,
            })
            .unwrap()
    });
    assert!(one == again && one != two && function.constants[two].bytes == [2; 16]);
    let far = function.add_symbol(Symbol::Runtime).unwrap();
    let near = function.add_near_symbol(Symbol::Runtime).unwrap();
    let [far, near] = [far, near].map(|operand| operand.as_symbol().unwrap());
    assert!(function.is_near(near) && !function.is_near(far));
    assert_eq!(function.symbol(near), function.symbol(far));
    // Everything is cleared, but the memory is kept.
    function.clear();
    assert!(function.constants.is_empty() && function.table_ids().next().is_none());
    assert_eq!((function.vreg_count(), function.insn_count()), (0, 0));
}

#[test]
fn edges_lead_where_terminators_say_and_back() {
    let (mut function, [entry, left, right, end]) = blocks::<4>(&SystemAllocator).unwrap();
    let ty = LowType::S64;
    let table = function.add_table(&[left, right]).unwrap();
    let value = Operand::from(function.add_vreg(INFO).unwrap());
    let jump = [value, Operand::table(table)];
    function.append(entry, Generic::Brjt, ty, &jump).unwrap();
    function
        .append(right, Generic::Brindirect, ty, &[value])
        .unwrap();
    for taken in [left, end] {
        function.block_mut(taken).address_taken = true;
    }
    let edges = Edges::new(&function, &SystemAllocator, |insn| {
        let generic = insn.opcode.generic()?;
        generic.is_terminator().then_some(End::Indirect)
    });
    let edges = edges.unwrap();
    assert_eq!(edges.successors(entry), [left, right]);
    assert_eq!(edges.successors(left), [right]);
    assert_eq!(edges.successors(right), [left, end]);
    assert!(edges.successors(end).is_empty() && edges.predecessors(entry).is_empty());
    assert_eq!(edges.predecessors(left), [entry, right]);
    assert_eq!(edges.predecessors(right), [entry, left]);
    assert_eq!(edges.predecessors(end), [right]);
}

#[test]
fn chains_are_of_the_registers_that_were_asked_about() {
    let (mut function, [block]) = blocks::<1>(&SystemAllocator).unwrap();
    let [a, b] = [(); 2].map(|()| function.add_vreg(INFO).unwrap());
    let copy = [Operand::from(b).with(OperandFlags::DEF), a.into()];
    let ty = LowType::S64;
    let copies = [(); 2].map(|()| function.append(block, Generic::Copy, ty, &copy).unwrap());
    let chains = UseDefs::of(&function, &SystemAllocator, |vreg| vreg == b).unwrap();
    assert_eq!(chains.definitions(b), copies);
    // With two definitions there is no single one; for `a` no chains were collected.
    assert_eq!(chains.definition(b), None);
    assert!(chains.uses(a).is_empty() && chains.knows(a));
    let new = function.add_vreg(INFO).unwrap();
    assert!(!chains.knows(new) && chains.uses(new).is_empty());
}

/// Sub-registers lie within their super-registers, registers of one class do not overlap, and calls
/// preserve or clobber every allocatable register.
#[test]
fn registers_overlap_as_their_parts_do() {
    for &isa in ISAS {
        let file = isa.registers();
        for (number, row) in (0..).zip(file.registers) {
            let whole = Reg::physical(number);
            for &(sub, part) in row.parts {
                let part = Reg::physical(part);
                let name = row.name.text();
                assert_eq!(file.part(whole, sub), part, "{isa:?} {name}");
                assert!(row.units.contains(file.units(part)), "{isa:?} {name}");
                assert!(usize::from(sub.0) < file.parts.len(), "{isa:?} {name}");
            }
            assert_eq!(file.part(whole, SubIndex(0)), whole);
        }
        for class in file.classes {
            let mut units = UnitSet::EMPTY;
            for &number in class.order {
                let own = file.units(Reg::physical(number));
                let name = file.row(Reg::physical(number)).name.text();
                assert!(!own.is_empty() && !own.overlaps(units), "{isa:?} {name}");
                assert!(file.allocatable.contains(own), "{isa:?} {name}");
                units = units.union(own);
            }
        }
        for reg in [file.stack_pointer, file.scratch_general[0]] {
            assert!(!file.allocatable.overlaps(file.units(reg)), "{isa:?}");
        }
        // An invalid register has no row of its own.
        assert_eq!(file.row(Reg::physical(u16::MAX)).name.text(), "noreg");
    }
}

/// Argument registers of the calling convention are live into a function that uses them, and a
/// loop's registers are live around it: tested on functions after several stages.
#[test]
fn arguments_and_what_loops_keep_come_live_into_blocks() {
    let program = "m: module\nf: func d, i64:n, d:x\nlocal d:s\ndmov s, 0.0\n\
                   again: dadd s, s, x\nsub n, n, 1\nbgt again, n, 0\nret s\nendfunc\nendmodule\n";
    for &isa in ISAS {
        let target = isa.target();
        let formats = target.long_double;
        let modules = text::parse(program.as_bytes(), &SystemAllocator, formats, &mut |_| {});
        let module = modules.unwrap().pop().unwrap();
        let module = Verified::new(module, target, &mut |_| {}).ok().unwrap();
        let func = module.module().funcs().next().unwrap().0;
        let source = Some((module.module(), func));
        for (level, stage) in [
            (0, "select"),
            (1, "select"),
            (1, "allocate"),
            (3, "allocate"),
        ] {
            let mut compiler = Compiler::new(isa, &SystemAllocator);
            compiler.options.level = level;
            let stages = isa.stages(level);
            let end = stages.iter().position(|it| it.name == stage).unwrap();
            compiler.run(&stages[..=end], source, Form::Empty).unwrap();
            let function = &compiler.function;
            let live = codegen::live_ins(function, isa, Form::Selected, &SystemAllocator).unwrap();
            let registers = isa.registers();
            let place = |arguments: &[Reg], number: usize| registers.units(arguments[number]);
            // On ppc64le each argument takes up an integer register; the double is the second
            // argument.
            let int = place(registers.int_arguments, 0);
            let float = place(registers.float_arguments, 0);
            let entry = live[function.layout[0].index()];
            let what = format!("{} -O{level} {stage}", target.name);
            assert!(entry.contains(int) && entry.contains(float), "{what}");
            // Otherwise only the return address, or registers with fixed values.
            let rest = entry.without(int).without(float);
            assert!(!rest.overlaps(registers.allocatable), "{what}: {rest:?}");
            let edges = codegen::edges(function, isa, &SystemAllocator).unwrap();
            let head = function.layout.iter().find(|&&block| {
                let from = edges.predecessors(block);
                from.len() == 2 && from.contains(&block)
            });
            let Some(&head) = head else {
                assert_eq!(level, 3, "{what}");
                continue;
            };
            if stage == "allocate" {
                // The counter, the sum and the addend; before allocation they are in virtual
                // registers.
                let live = UnitSet(live[head.index()].0 & registers.allocatable.0);
                assert!(live.iter().count() >= 3, "{what}");
            }
        }
    }
}

#[test]
fn without_memory_nothing_is_half_built() {
    let build = |memory: &dyn Allocator| -> Result<(), InsertError> {
        let (mut function, [first, second]) = blocks::<2>(memory)?;
        let vreg = function.add_vreg(INFO)?;
        let def = Operand::from(vreg).with(OperandFlags::DEF);
        for value in 0..40 {
            let value = function.int(value << 40)?;
            let before = function.insns(first).count();
            let opcode = Opcode::from(Generic::Constant);
            let made = function.insert(first, None, opcode, LowType::S64, &[def, value]);
            assert_eq!(
                function.insns(first).count(),
                before + usize::from(made.is_ok())
            );
            made?;
        }
        function.add_table(&[first, second])?;
        let middle = function.insns(first).nth(20);
        function.split(first, middle)?;
        let layout = function.layout.len();
        let laid_out = function.lay_out_splits();
        assert_eq!(
            function.layout.len(),
            layout + usize::from(laid_out.is_ok())
        );
        laid_out?;
        UseDefs::new(&function, memory)?;
        codegen::live_ins(&function, &target_x86_64::ISA, Form::Generic, memory)?;
        Ok(())
    };
    let refused = sweep(
        |memory| build(memory),
        |error| *error == InsertError::OutOfMemory,
    );
    assert!(refused > 10);
}
