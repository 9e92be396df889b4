//! The verifier of confined functions: what the compiler makes of programs is proven to keep to
//! what they may access, at every level and for every ISA, whatever machine this is.

use crate::prelude::*;
use mir_nostd::codegen::{
    Backend, Compiler, Error as CompileError, Execution, Form, Fuel, Granularity,
};
use mir_nostd::codegen::{Helper, Limits, Stage, Work};
use mir_nostd::ir::Confinement;
use mir_nostd::machine::{
    Bank, BlockId, ClassId, Facts, Function, Generic, InsnId, IntPredicate, LowType, Operand,
    OperandFlags, Symbol, VRegInfo,
};
use mir_nostd::target::Target;
use testkit::wild::Wild;

/// Returns the modules of a text for a target.
fn modules_for<'m>(source: &str, target: &'static Target) -> Vec<Verified<'m>> {
    let source = source.as_bytes();
    let parsed = text::parse(source, &SystemAllocator, target.long_double, &mut |_| {});
    let mut parsed = parsed.unwrap();
    let mut modules = Vec::new();
    while let Some(module) = parsed.pop() {
        modules.push(Verified::new(module, target, &mut |_| {}).unwrap());
    }
    modules.reverse();
    modules
}

/// The place where a program will run: here, or elsewhere, as what images have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    Here,
    Ahead,
}

/// Links a program confined for an ISA, and calls `body` with a compiler that proves its functions
/// and with each function.
fn each_function(
    source: &str,
    bytes: usize,
    options: confined::Options,
    (isa, made): (&dyn Backend, Made),
    body: &mut dyn FnMut(&mut Compiler<'_>, &mir_nostd::ir::Module<'_>, mir_nostd::ir::FuncId),
) {
    let target = isa.target();
    let mut memory = vec![0; bytes];
    let space = Space::new(&SystemAllocator, &mut memory, options).unwrap();
    let context = Context::new(ContextOptions::new(&SystemAllocator, target, &ENGINE));
    let mut program = Program::new(&context, &space).unwrap();
    define(&mut program).unwrap();
    for module in modules_for(source, target) {
        program.load(module).unwrap();
    }
    let mut compiler = Compiler::new(isa, &SystemAllocator);
    compiler.options.check_allocation = true;
    compiler.options.check_confinement = true;
    compiler.execution.position_independent = made == Made::Ahead;
    let mut each = |module: &mir_nostd::ir::Module<'_>| {
        for (func, _) in module.funcs() {
            body(&mut compiler, module, func);
        }
    };
    // Some have more data than memory, or functions of data that fault.
    match made {
        Made::Here if program.link().is_ok() => {
            let linked = (0..context.linked_modules()).filter_map(|number| context.module(number));
            linked.for_each(|linked| each(linked.module()));
        }
        Made::Ahead => {
            if let Ok(ahead) = program.link_ahead(true) {
                ahead.modules.iter().for_each(each);
            }
        }
        Made::Here => {}
    }
}

/// The ways in which code is made: here in one piece, or block by block; and ahead.
const WAYS: [(Made, Granularity); 3] = [
    (Made::Here, Granularity::Function),
    (Made::Here, Granularity::Block),
    (Made::Ahead, Granularity::Function),
];

/// Compiles a program at all levels in each way, with fuel and a limit of the stack. Returns how
/// many functions that were.
fn compile(source: &str, bytes: usize, options: confined::Options, isa: &dyn Backend) -> usize {
    let ways = WAYS.iter();
    ways.map(|&way| compile_in(way, source, bytes, options, isa))
        .sum()
}

fn compile_in(
    (made, granularity): (Made, Granularity),
    source: &str,
    bytes: usize,
    options: confined::Options,
    isa: &dyn Backend,
) -> usize {
    let mut functions = 0;
    each_function(
        source,
        bytes,
        options,
        (isa, made),
        &mut |compiler, module, func| {
            for level in 0..=3 {
                compiler.options.level = level;
                compiler.execution = Execution {
                    granularity,
                    limits: Limits {
                        fuel: Fuel::Final,
                        stack: true,
                    },
                    position_independent: made == Made::Ahead,
                    traces: made == Made::Here,
                    lines: made == Made::Here,
                    variables: false,
                };
                let compiled = match granularity {
                    Granularity::Function => compiler.compile(module, func).map(|_| ()),
                    Granularity::Block => compiler.prepare(module, func),
                };
                if let Err(error) = compiled {
                    let name = isa.target().name;
                    panic!(
                        "{name}, level {level}, {made:?}, {granularity:?}, {func:?}: {error}\n\
                         {source}"
                    );
                }
                functions += 1;
            }
        },
    );
    functions
}

#[test]
fn wild_programs_are_proven_for_every_isa() {
    let mut functions = 0;
    let numbers = testkit::random::numbers(4);
    for seed in numbers.clone() {
        let wild = Wild::random(seed);
        let options = confined::Options {
            stack: wild.stack,
            windows: wild.windows,
            masks: wild.masks,
        };
        for &isa in target_all::ISAS {
            functions += compile(&wild.text, wild.bytes, options, isa);
        }
    }
    println!("{functions} functions");
    assert!(functions > 75 * numbers.count());
}

/// A call of a number that is no function's value: the check of it always fails, so nothing after
/// it is ever reached. At level 0 it is still there.
const NEVER_REACHED: &str = "m: module
p: proto i64, i64:x
main: func i64, i64:x
 local i64:h
 mov h, 1099511627825
 call p, h, x, x
 mov x, i64:8(x)
 ret x
endfunc
endmodule
";

#[test]
fn what_is_behind_a_check_that_always_fails_is_not_refused() {
    for windows in [false, true] {
        let options = confined::Options {
            windows,
            ..confined::Options::default()
        };
        for &isa in target_all::ISAS {
            assert_eq!(compile(NEVER_REACHED, 8192, options, isa), 12);
        }
    }
}

/// A jump through a table whose index is 0 or 1 where the values of two branches meet: optimised,
/// only its low 32 bits are compared with the length of the table, as the others are known to be 0.
const SHORT_INDEX: &str = "m: module
main: func i64, i64:x, i64:y
 local i64:i, i64:r
 mov i, 0
 mov r, 10
 bf join, x
 ugt i, y, x
join:
 subs i, i, 0
 ubge done, i, 1
 switch i, zero
zero:
 mov r, 20
done:
 ret r
endfunc
endmodule
";

#[test]
fn values_that_meet_are_in_the_interval_of_all_that_meet_there() {
    for &isa in target_all::ISAS {
        let options = confined::Options::default();
        assert_eq!(compile(SHORT_INDEX, 8192, options, isa), 12);
    }
}

/// A jump through a table whose index is of 16 bits where two values meet, and met another one
/// before: optimised, only its low 32 bits are compared.
const SHORT_INDEX_OF_INDEX: &str = "m: module
main: func i64, i64:x, i64:y
 local i64:i, i64:r
 mov i, 0
 mov r, 4096
 bf first, x
 mov i64:(r), x
 uext16 i, y
first:
 mov i64:8(r), i
 bf second, i64:32(r)
 mov i64:24(r), i
 mov i, 0
second:
 subs i, i, 0
 ubge done, i, 2
 switch i, zero, done
zero:
 mov r, 20
done:
 ret r
endfunc
endmodule
";

#[test]
fn values_that_meet_twice_are_in_the_interval_of_all_that_meet() {
    for &isa in target_all::ISAS {
        let options = confined::Options::default();
        assert_eq!(compile(SHORT_INDEX_OF_INDEX, 8192, options, isa), 12);
    }
}

/// An access at the low 16 bits of an address of the stack, which are all of it: optimised, nothing
/// checks that.
const SHORT_ADDRESS: &str = "m: module
main: func i64, i64:x
 local i64:p, i64:at, i64:v
 addr p, v
 uext16 at, p
 mov i64:1(at), x
 ret v
endfunc
endmodule
";

#[test]
fn a_number_that_is_extended_already_stays_in_its_interval() {
    for &isa in target_all::ISAS {
        let options = confined::Options::default();
        assert_eq!(compile(SHORT_ADDRESS, 8192, options, isa), 12);
    }
}

/// Accesses that fail for every index that the `switch` takes, which is compared in its low half:
/// where the jumps lead, and what is after them, is never reached.
const SHORT_SWITCH: &str = "m: module
main: func i64, i64:x
 local i64:i
again: ands i, x, x
next: mov i8:5(i), 41
 switch i, next, again, last
last: mov i8:6(i), x
 ret i
endfunc
endmodule
";

#[test]
fn what_contradicts_itself_in_low_halves_is_not_refused() {
    for &isa in target_all::ISAS {
        let options = confined::Options::default();
        assert_eq!(compile(SHORT_SWITCH, 8192, options, isa), 12);
    }
}

/// Jumps through tables whose indices are computed as 32 bits, and are constants in truth, which
/// no stage finds out: optimised, only their low halves are compared with the length of the table,
/// and the jumps are there although nothing ever comes to those that would leave it.
const CONSTANT_INDICES: &str = "m: module
export below, above, shifted, difference, exact, inside
below: func i64, i8:x
 local i64:i, i64:r
 mov r, 10
 muls i, x, 0
 subs i, i, 12
 ubge below_done, i, 4
 switch i, below_done, below_one, below_one, below_one
below_one: mov r, 20
below_done: ret r
endfunc
above: func i64, u16:x
 local i64:i, i64:r
 mov r, 11
 muls i, x, 0
 subs i, 7, i
 bges above_done, i, 4
 blts above_done, i, 0
 switch i, above_one, above_one, above_done, above_one
above_one: mov r, 20
above_done: ret r
endfunc
shifted: func i64, u8:x
 local i64:i, i64:r
 mov r, 12
 muls i, x, 0
 adds i, i, 1
 lshs i, i, 4
 ublt shifted_taken, i, 3
 jmp shifted_done
shifted_taken: switch i, shifted_one, shifted_one, shifted_done
shifted_one: mov r, 20
shifted_done: ret r
endfunc
difference: func i64, i16:x
 local i64:i, i64:j, i64:r
 mov r, 13
 adds i, x, 15
 adds j, x, 3
 subs i, i, j
 ubgts difference_done, i, 2
 switch i, difference_one, difference_one, difference_done
difference_one: mov r, 20
difference_done: ret r
endfunc
exact: func i64, i8:x
 local i64:i, i64:r
 mov r, 14
 muls i, x, 0
 adds i, i, 9
 ubge exact_done, i, 1
 switch i, exact_one
exact_one: mov r, 20
exact_done: ret r
endfunc
inside: func i64, i8:x
 local i64:i, i64:r
 mov r, 15
 muls i, x, 0
 adds i, i, 2
 ubge inside_done, i, 4
 switch i, inside_done, inside_done, inside_one, inside_done
inside_one: mov r, 20
inside_done: ret r
endfunc
endmodule
";

#[test]
fn jumps_at_constant_indices_that_are_never_reached_are_not_refused() {
    for &isa in target_all::ISAS {
        let options = confined::Options::default();
        assert_eq!(compile(CONSTANT_INDICES, 8192, options, isa), 72);
    }
    let cases = [
        ("below", 10),
        ("above", 11),
        ("shifted", 12),
        ("difference", 13),
        ("exact", 14),
        ("inside", 20),
    ];
    let cases = cases.map(|(name, expected)| (name, vec![5], Ok(expected)));
    check_text(CONSTANT_INDICES, &cases);
}

/// The index is the length of the table, and the check of it is all that keeps the jump in there.
#[test]
fn a_jump_at_a_constant_index_whose_check_is_wrong_is_refused() {
    let length = 64;
    let source = format!(
        "m: module
main: func i64, i8:x
 local i64:i
 muls i, x, 0
 adds i, i, {length}
 switch i{}
there: ret i
endfunc
endmodule
",
        ", there".repeat(length)
    );
    for made in [Made::Here, Made::Ahead] {
        for kind in [
            Damage::None,
            Damage::Missing,
            Damage::TooFew,
            Damage::Inverted,
        ] {
            refuses_in(made, kind, &source, &[(length as i64, 0)]);
        }
    }
}

/// Indices of jump tables that are products and shifted numbers, of which it is known without a
/// check that they are as 64 bits what their low halves are; and a store between two loads, to the
/// sum of a number that one of them bounds and of one that a mask does; and a call of a function
/// whose handle is a sum of as many numbers as are followed. Last an address with a multiple of
/// a number that the tests before it have once.
const COMPUTED: &str = "m: module
product: func i64, u8:x
 local i64:i
again: muls i, x, x
next: switch i, last, again, next
last: ret i
endfunc
shifted: func i64, i64:x
 local i64:i
 ands i, x, 6
begin: ursh i, i, 16
minus: negs i, i
 switch i, end, begin
end: ret i
endfunc
between: func i64, i64:x, i64:y
 local i64:i, i64:h, i64:p
 umod h, x, 8000
 add p, h, 4096
 and h, y, 7
 mov i, u64:15(p, h, 8)
 mov u8:6(p, h, 8), u64:5(p)
 ret i
endfunc
halved: func i64, i64:x
 local i64:i, i64:v
 mov v, u16:(x)
more: rshs i, v, 1
 switch i, more, done, more
done: ret i
endfunc
called: proto i64, i64:x
summed: func i64, i64:x
 local i64:f
 mov f, u8:(x)
 add f, f, u8:1(x)
 add f, f, u8:2(x)
 add f, f, u8:3(x)
 call called, f, x, x
 ret x
endfunc
signed: func i64, i64:x
 local i64:i
 mov i, i16:(x)
signed1: mul i, i, u16:2(x)
 switch i, signed1, signed2, signed1
signed2: ret i
endfunc
either: func i64, i64:x, i64:y
 local i64:i
 and i, y, 7
 bf either1, x
 mov i, 2
either1: switch i, either1, either2, either1
either2: ret i
endfunc
extended: func i64, u64:x
 local i64:i
 ext8 i, x
 ubge extended2, x, 1
 switch x, extended1
extended1: ubge extended2, i, 4
 switch i, extended1, extended1, extended2, extended1
extended2: ret i
endfunc
shifted_by: func i64, i64:x
 local i64:i, i64:n, i64:zero
 uext8 i, x
 adds i, zero, i
 ursh n, i, 16
by1: rshs i, n, n
 switch i, by1, by2
by2: ret i
endfunc
multiple: func i64, i64:x, i64:y
 local i64:i, i64:h, i64:c
 ne c, x, y
 umod h, c, 3000
 mov i, u8:4096(h)
 add i, i, u8:5000(h)
 mov u8:4990(h, c, 4), i
 ret i
endfunc
narrow: func i64, i64:x
 local i64:i, i64:p
 ext32 i, x
 mov u32:46(i), 0
 alloca p, 1
 mov u8:(p), 1
 mov u32:(i), 0
 ret i
endfunc
narrow_sum: func i64, i64:x, i64:y
 local i64:i, i64:p, i64:n
 ext32 i, x
 mov u32:46(i), 0
 alloca p, 1
 mov u8:(p), 1
 mov u32:(i), 0
 and n, y, 4
 mov u16:(i, n, 8), p
 ret i
endfunc
endmodule
";

#[test]
fn what_follows_for_products_shifts_and_sums_is_not_refused() {
    for &isa in target_all::ISAS {
        for masks in [false, true] {
            let options = confined::Options {
                masks,
                ..confined::Options::default()
            };
            assert_eq!(compile(COMPUTED, 8192, options, isa), 144);
        }
    }
}

/// Loops whose addresses step with an index, or from an address. Optimised where memory operands
/// have no index, a pointer steps beside what is checked.
const STEPPED: &str = "m: module
indexed: func i64, i64:at
 local i64:i, i64:sum, i64:v
 mov i, 0
 mov sum, 0
indexed1: mov v, u8:(at, i)
 add sum, sum, v
 mov u8:(at, i), sum
 add i, i, 1
 blt indexed1, i, 1000
 ret sum
endfunc
from: func i64, i64:at, i64:to
 local i64:sum
 mov sum, 0
from1: add sum, sum, i64:(at)
 mov i32:4(at), sum
 add at, at, 8
 ublt from1, at, to
 ret sum
endfunc
two: func i64, i64:at, i64:to
 local i64:sum
two1: mov u8:(to), u8:(at)
 add at, at, 1
 add to, to, 1
 bt two1, u8:(at)
 ret to
endfunc
down: func i64, i64:at, i64:to, i64:n
 local i64:v
down1: beq down2, n, 0
 add n, n, -1
 mov v, u8:(at, n)
 mov u8:(to, n), v
 jmp down1
down2: ret to
endfunc
down8: func i64, i64:at, i64:to, i64:n
 local i64:v
down3: uble down4, n, 7
 mov v, i64:-8(at, n)
 mov i64:-8(to, n), v
 add n, n, -8
 jmp down3
down4: ret to
endfunc
endmodule
";

#[test]
fn pointers_that_step_beside_what_is_checked_are_not_refused() {
    for &isa in target_all::ISAS {
        let options = confined::Options::default();
        assert_eq!(compile(STEPPED, 8192, options, isa), 60);
    }
}

/// A program that reads a byte at an address, and the 8 bytes after a pointer in memory, in a
/// branch.
const READS: &str = "
m: module
export main
main: func i64, i64:at, i64:other
 local i64:sum
 mov sum, u8:(at)
 bf done, sum
 mov u64:(other), sum
 add sum, sum, u64:8(at)
done:
 ret sum
endfunc
endmodule
";

/// The mistake that the compiler makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Damage {
    None,
    /// A check is missing.
    Missing,
    /// It is for fewer bytes than are accessed.
    TooFew,
    /// It is for another address.
    Other,
    /// It comes after the access.
    After,
    /// Only one path to the access has it.
    OnePath,
    /// The register with the address is written between the check and the access.
    Overwritten,
    /// It lets pass what it should not, and the other way round.
    Inverted,
}

/// Returns the number that an operand is: an immediate, or a register that is only set to one.
fn number_of(function: &Function<'_>, operand: Operand) -> Option<i64> {
    let Some(vreg) = operand.vreg() else {
        return function.immediate(operand);
    };
    let insns = { function.layout.iter() }.flat_map(|&block| function.insns(block));
    let mut sets = insns.filter(|&insn| {
        let written = function.operands(insn).first();
        written.is_some_and(|first| first.is_def() && first.vreg() == Some(vreg))
    });
    let (set, None) = (sets.next()?, sets.next()) else {
        return None;
    };
    let is_constant = function.insn(set).opcode == Generic::Constant.into();
    let number = function.immediate(*function.operands(set).get(1)?);
    number.filter(|_| is_constant)
}

/// Returns the comparisons of an offset in the program's memory, or of an address, with a limit.
fn checks(function: &Function<'_>, bytes: i64) -> Vec<(BlockId, InsnId)> {
    let mut found = Vec::new();
    for &block in &function.layout {
        for insn in function.insns(block) {
            let is_branch = function.insn(insn).opcode == Generic::BrIcmp.into();
            let limit = function.operands(insn).get(2);
            let limit = limit.and_then(|&limit| number_of(function, limit));
            let is_limit = |limit: i64| {
                let of_offset = (bytes - 8..=bytes).contains(&limit);
                of_offset || (bytes - 16..=bytes).contains(&(limit - 4096))
            };
            if is_branch && limit.is_some_and(is_limit) {
                found.push((block, insn));
            }
        }
    }
    found
}

/// Damages the check of this number in a function. Returns false if there is none.
fn damage(function: &mut Function<'_>, damage: Damage, number: usize, bytes: i64) -> bool {
    let checks = checks(function, bytes);
    let Some(&(block, check)) = checks.get(number) else {
        return false;
    };
    let operands = function.operands(check).to_vec();
    match damage {
        Damage::None => {}
        Damage::Missing => function.remove(check),
        Damage::TooFew => {
            let limit = number_of(function, operands[2]).unwrap();
            function.operands_mut(check)[2] = function.int(limit + 1).unwrap();
        }
        Damage::Other => {
            let another = checks[(number + 1) % checks.len()].1;
            let other = function.operands(another)[1];
            assert_ne!(other, operands[1]);
            function.operands_mut(check)[1] = other;
        }
        Damage::After => {
            let next = next_block(function, block);
            let access = first_access(function, next);
            function.move_insn(access, block, Some(check));
        }
        Damage::OnePath => {
            // A branch around the check, on what nobody knows.
            let next = next_block(function, block);
            let anything = Operand::int_predicate(IntPredicate::Eq);
            let around = [
                anything,
                operands[1],
                Operand::imm(77),
                Operand::block(next),
            ];
            let branch = Generic::BrIcmp;
            (function.insert(block, Some(check), branch.into(), LowType::S64, &around)).unwrap();
        }
        Damage::Overwritten => {
            let next = next_block(function, block);
            let access = first_access(function, next);
            let address = &function.operands(access)[1..3];
            let read = address.iter().rfind(|part| part.vreg().is_some());
            let offset = *read.unwrap();
            let written = [
                offset.with(OperandFlags::DEF),
                offset,
                Operand::imm(1 << 20),
            ];
            let add = Generic::Add;
            (function.insert(next, Some(access), add.into(), LowType::S64, &written)).unwrap();
        }
        Damage::Inverted => {
            let predicate = operands[0].as_int_predicate().unwrap().inverse();
            function.operands_mut(check)[0] = Operand::int_predicate(predicate);
        }
    }
    true
}

/// Returns the block that comes after another.
fn next_block(function: &Function<'_>, block: BlockId) -> BlockId {
    let place = function.layout.iter().position(|&other| other == block);
    function.layout[place.unwrap() + 1]
}

/// Returns the first load or store with an index in a block.
fn first_access(function: &Function<'_>, block: BlockId) -> InsnId {
    let mut insns = function.insns(block);
    let is_access = |&insn: &InsnId| {
        let generic = function.insn(insn).opcode.generic().unwrap();
        generic.is(Facts::LOADS) || generic == Generic::Store
    };
    insns.find(is_access).unwrap()
}

/// Compiles a program for an ISA at a level with a check damaged right before selection: the one of
/// this number among those with a limit of so many bytes. Returns what comes of it, if there is
/// such a check.
fn compile_damaged(
    way: (&dyn Backend, Made),
    level: u8,
    kind: Damage,
    (source, bytes, number): (&str, i64, usize),
) -> Option<Result<(), CompileError>> {
    let change = |work: &mut Work<'_, '_>, _| damage(work.function_mut(), kind, number, bytes);
    compile_changed(way, level, source, &change)
}

/// A change of a function right before selection, which knows what the function may access.
/// Returns false if there is nothing to be changed.
type Change<'c> = dyn Fn(&mut Work<'_, '_>, Confinement) -> bool + Sync + 'c;

/// Compiles a program for an ISA at a level with a change. Returns what comes of it, if there is
/// something to be changed.
fn compile_changed(
    way: (&dyn Backend, Made),
    level: u8,
    source: &str,
    change: &Change<'_>,
) -> Option<Result<(), CompileError>> {
    compile_changed_with(confined::Options::default(), way, level, source, change)
}

/// Does the same, with settings of the program's space.
fn compile_changed_with(
    options: confined::Options,
    (isa, made): (&dyn Backend, Made),
    level: u8,
    source: &str,
    change: &Change<'_>,
) -> Option<Result<(), CompileError>> {
    let is_done = core::cell::Cell::new(false);
    let mut result = None;
    let done = AtomicUsize::new(0);
    each_function(
        source,
        8192,
        options,
        (isa, made),
        &mut |compiler, module, func| {
            let confinement = module.confinement().unwrap();
            let run = |work: &mut Work<'_, '_>| {
                let changed = change(work, confinement);
                done.store(usize::from(changed), Ordering::Relaxed);
                Ok(())
            };
            let own = Stage::new("change", Form::Generic, &run);
            let mut stages = isa.stages(level).to_vec();
            let select = stages
                .iter()
                .position(|stage| stage.name == "select")
                .unwrap();
            stages.insert(select, own);
            compiler.options.level = level;
            compiler.options.check_allocation = false;
            compiler.execution.limits.fuel = Fuel::Final;
            let ran = compiler.run(&stages, Some((module, func)), Form::Empty);
            result = Some(ran.map(|_| ()));
            is_done.set(done.load(Ordering::Relaxed) == 1);
        },
    );
    result.filter(|_| is_done.get())
}

/// Damages each check of [`READS`] in a way, at each level and for each ISA.
fn refuses(kind: Damage) {
    for made in [Made::Here, Made::Ahead] {
        refuses_in(made, kind, READS, &[(8192, 0), (8192, 1), (8192, 2)]);
    }
}

/// A program that steps a pointer through memory. From level 2 on nothing tests again that it is
/// not too low.
const STEPS: &str = "
m: module
export main
main: func i64, i64:at
 local i64:v
 mov v, u8:(at)
next: add at, at, 1
 mov v, u8:(at)
 bt next, v
 ret at
endfunc
endmodule
";

#[test]
fn pointers_that_are_never_below_their_start_are_not_refused() {
    refuses_in(Made::Here, Damage::None, STEPS, &[(8192, 0), (8192, 1)]);
}

#[test]
fn a_missing_check_of_the_start_or_of_a_step_is_found() {
    for kind in [Damage::Missing, Damage::OnePath, Damage::Inverted] {
        refuses_in(Made::Here, kind, STEPS, &[(8192, 1)]);
        // If accesses add constants to an index, the check of the start is for the steps, too.
        for isa in ["x86_64", "s390x"].map(|isa| target_all::backend(isa).unwrap()) {
            for level in 2..=3 {
                let result = compile_damaged((isa, Made::Here), level, kind, (STEPS, 8192, 0));
                assert!(matches!(result, Some(Err(CompileError::Unconfined { .. }))));
            }
        }
    }
}

/// Damages checks of a program in a way, at each level and for each ISA.
fn refuses_in(made: Made, kind: Damage, source: &str, checks: &[(i64, usize)]) {
    for &isa in target_all::ISAS {
        for level in 0..=3 {
            for &(bytes, number) in checks {
                let name = isa.target().name;
                let place = format!("{name}, level {level}, {made:?}, check {number} of {bytes}");
                let check = (source, bytes, number);
                let result = compile_damaged((isa, made), level, kind, check);
                let result = result.unwrap_or_else(|| panic!("{place}: there is none"));
                match (kind, result) {
                    (Damage::None, Ok(())) => {}
                    (Damage::None, Err(error)) => panic!("{place}: {error}"),
                    (_, Err(CompileError::Unconfined { .. })) => {}
                    (_, other) => panic!("{place}: {other:?}"),
                }
            }
        }
    }
}

/// A program that calls a function by its value. Its table of functions has three rows: this one,
/// and two imports.
const CALLS: &str = "
m: module
export main
p: proto i64, i64:x
main: func i64, i64:f, i64:x
 local i64:r
 call p, f, r, x
 ret r
endfunc
endmodule
";

#[test]
fn what_is_looked_up_in_the_table_of_functions_ahead_is_a_row_of_it() {
    let (is_multiple, is_below) = ((1, 0), (48, 0));
    for kind in [
        Damage::None,
        Damage::Missing,
        Damage::OnePath,
        Damage::Inverted,
    ] {
        refuses_in(Made::Ahead, kind, CALLS, &[is_multiple, is_below]);
    }
    refuses_in(Made::Ahead, Damage::TooFew, CALLS, &[is_below]);
}

/// Adds an instruction at the start of a function, the last of those that are added so.
fn add(function: &mut Function<'_>, opcode: Generic, operands: &[Operand]) {
    let block = function.layout[0];
    let next = function.insns(block).next();
    let added = function.insert(block, next, opcode.into(), LowType::S64, operands);
    added.unwrap();
}

/// Adds instructions in front of a function, in their order.
fn add_all(function: &mut Function<'_>, insns: &[(Generic, &[Operand])]) {
    for (opcode, operands) in insns.iter().rev() {
        add(function, *opcode, operands);
    }
}

fn new_register(function: &mut Function<'_>) -> Operand {
    let info = VRegInfo {
        ty: LowType::S64,
        bank: Bank::General,
        class: ClassId(0),
    };
    function.add_vreg(info).unwrap().into()
}

/// Stores 1 to the word of the program's stack pointer, through a mask that keeps all of the
/// address: a comparison that always holds, taken from 0.
fn store_through_mask(work: &mut Work<'_, '_>, words: Confinement) -> bool {
    let function = work.function_mut();
    let [word, mask, address] = [(); 3].map(|()| new_register(function));
    let to = |register: Operand| register.with(OperandFlags::DEF);
    let [zero, one] = [0, 1].map(Operand::imm);
    let at = function.int(words.stack_pointer as i64).unwrap();
    let below = Operand::int_predicate(IntPredicate::Ult);
    add_all(
        function,
        &[
            (Generic::Constant, &[to(word), at]),
            (Generic::Icmp, &[to(mask), below, zero, one]),
            (Generic::Sub, &[to(mask), zero, mask]),
            (Generic::And, &[to(address), word, mask]),
            (Generic::Store, &[one, address, Operand::NO_REG, one, zero]),
        ],
    );
    true
}

/// Changes the word of the program's stack pointer atomically.
fn add_atomically(work: &mut Work<'_, '_>, words: Confinement) -> bool {
    let function = work.function_mut();
    let [word, old] = [(); 2].map(|()| new_register(function));
    let to = |register: Operand| register.with(OperandFlags::DEF);
    let at = function.int(words.stack_pointer as i64).unwrap();
    add_all(
        function,
        &[
            (Generic::Constant, &[to(word), at]),
            (Generic::AtomicAdd, &[to(old), word, Operand::imm(16)]),
        ],
    );
    true
}

/// Stores to what the table of windows gives that is at 0, where a program without windows has
/// none.
fn store_to_no_window(work: &mut Work<'_, '_>, words: Confinement) -> bool {
    assert_eq!(words.windows, 0);
    let registers = work.isa().registers().int_arguments;
    let function = work.function_mut();
    let is_ahead = usize::from(function.is_position_independent);
    let argument = |number: usize| Operand::def(registers[number - is_ahead]);
    let window = new_register(function);
    let helper = function.add_symbol(Symbol::Helper(Helper::Window.id()));
    let helper = helper.unwrap();
    let eight_to_write = function.int((8 << 1 | 1) << 32).unwrap();
    let [zero, one] = [0, 1].map(Operand::imm);
    let to = window.with(OperandFlags::DEF);
    add_all(
        function,
        &[
            (Generic::Constant, &[argument(2), eight_to_write]),
            (Generic::Constant, &[argument(4), zero]),
            (Generic::Call, &[helper, to]),
            (Generic::Store, &[one, window, Operand::NO_REG, one, zero]),
        ],
    );
    true
}

#[test]
fn the_hosts_words_are_not_written_whatever_their_addresses_are_made_of() {
    let changes: [(&str, &Change<'_>); 3] = [
        ("mask", &store_through_mask),
        ("atomic", &add_atomically),
        ("window", &store_to_no_window),
    ];
    for &isa in target_all::ISAS {
        for level in [0, 2] {
            for (name, change) in changes {
                let result = compile_changed((isa, Made::Here), level, READS, change);
                let is_refused = matches!(result, Some(Err(CompileError::Unconfined { .. })));
                assert!(is_refused, "{}, {name}: {result:?}", isa.target().name);
            }
        }
    }
}

/// Looks up a window for an access, `place` being its bytes twice and 1 more if it writes, and
/// stores 8 bytes to what is found, with the address of the program's memory added so often.
fn store_to_window(work: &mut Work<'_, '_>, words: Confinement, place: i64, bases: u32) -> bool {
    let registers = work.isa().registers().int_arguments;
    let function = work.function_mut();
    let is_ahead = usize::from(function.is_position_independent);
    let argument = |number: usize| Operand::def(registers[number - is_ahead]);
    let [window, base, address] = [(); 3].map(|()| new_register(function));
    let helper = function.add_symbol(Symbol::Helper(Helper::Window.id()));
    let helper = helper.unwrap();
    let place = function.int(place << 32).unwrap();
    let table = function.int(words.windows.cast_signed()).unwrap();
    let [zero, one] = [0, 1].map(Operand::imm);
    let to = |register: Operand| register.with(OperandFlags::DEF);
    let memory = match words.symbols().map(|symbols| symbols.memory.unwrap()) {
        Some(item) => {
            let symbol = function.add_symbol(Symbol::Item(item)).unwrap();
            (Generic::GlobalValue, symbol)
        }
        None => (
            Generic::Constant,
            function.int(words.memory as i64).unwrap(),
        ),
    };
    // They are added at the start, the last first. The function's own arguments stay as they are.
    let own: Vec<_> = { registers.iter().take(2) }
        .map(|&reg| (Operand::reg(reg), new_register(function)))
        .collect();
    for &(register, kept) in &own {
        add(function, Generic::Copy, &[to(register), kept]);
    }
    let store = [one, address, Operand::NO_REG, one, zero];
    add(function, Generic::Store, &store);
    for _ in 0..bases {
        add(function, Generic::Add, &[to(address), address, base]);
    }
    add_all(
        function,
        &[
            (memory.0, &[to(base), memory.1]),
            (Generic::Constant, &[argument(2), place]),
            (Generic::Constant, &[argument(4), table]),
            (Generic::Call, &[helper, to(window)]),
            (Generic::Copy, &[to(address), window]),
        ],
    );
    for (register, kept) in own {
        add(function, Generic::Copy, &[to(kept), register]);
    }
    true
}

#[test]
fn of_a_window_only_what_was_looked_up_is_accessed() {
    let options = confined::Options {
        windows: true,
        ..confined::Options::default()
    };
    // 8 bytes to write, to read, 7 bytes to write; and elsewhere.
    let cases = [
        (8 << 1 | 1, 0, true),
        (9 << 1 | 1, 0, true),
        (8 << 1, 0, false),
        (7 << 1 | 1, 0, false),
        (8 << 1 | 1, 1, false),
        (8 << 1 | 1, 2, false),
    ];
    for &isa in target_all::ISAS {
        for (made, level) in [Made::Here, Made::Ahead]
            .map(|made| [(made, 0), (made, 2)])
            .concat()
        {
            for (place, bases, is_proven) in cases {
                let change =
                    |work: &mut Work<'_, '_>, words| store_to_window(work, words, place, bases);
                let result = compile_changed_with(options, (isa, made), level, READS, &change);
                let name = isa.target().name;
                match &result {
                    Some(Ok(())) => assert!(is_proven, "{name}, {made:?}: {place}, {bases}"),
                    Some(Err(CompileError::Unconfined { .. })) => {
                        assert!(!is_proven, "{name}, {made:?}: {place}, {bases}: {result:?}");
                    }
                    other => panic!("{name}, {made:?}: {other:?}"),
                }
            }
        }
    }
}

macro_rules! damages {
    ($($name:ident $kind:ident;)*) => {$(
        #[test]
        fn $name() {
            refuses(Damage::$kind);
        }
    )*};
}
damages! {
    checks_suffice None;
    a_missing_check_is_found Missing;
    a_check_of_too_few_bytes_is_found TooFew;
    a_check_of_another_address_is_found Other;
    a_check_after_its_access_is_found After;
    a_check_on_one_path_alone_is_found OnePath;
    a_register_written_after_its_check_is_found Overwritten;
    an_inverted_check_is_found Inverted;
}
