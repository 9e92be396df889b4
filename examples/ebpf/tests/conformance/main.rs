//! The instructions of RFC 9669, each in every engine on operands at the edges; programs that do
//! what they may not; programs that are wrong; translation without memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod cases;
mod engines;

use cases::{Case, VALUES};
use engines::{EXIT, Insn, MEMORY_BYTES, assemble, run_everywhere};
use example_ebpf::run::{CONTEXT, Helper, PACKET};
use example_ebpf::{Error, Helpers, Problem, translate};
use mir_host::SystemAllocator;
use mir_nostd::confined::{BAD_ADDRESS, FIRST_ADDRESS, Memory};
use mir_nostd::ir;
use mir_nostd::link::{HostError, Reason};
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;
use std::collections::BTreeSet;

/// The cases of one program.
const TOGETHER: usize = 16;

/// Runs cases on all pairs of values. Memory holds, for each pair, its values and the results; `r6`
/// goes through it, `r7` counts the bytes that are left.
fn check(cases: &[Case]) {
    for cases in cases.chunks(TOGETHER) {
        let step = 16 + 8 * cases.len() as i32;
        let mut program: Vec<Insn> = vec![(0xbf, 6, 1, 0, 0), (0xbf, 7, 2, 0, 0)];
        for (number, case) in cases.iter().enumerate() {
            program.extend([(0x79, 3, 6, 0, 0), (0x79, 4, 6, 8, 0)]);
            program.extend(&case.body);
            program.push((0x7b, 6, 3, 16 + 8 * number as i16, 0));
        }
        program.extend([(0x07, 6, 0, 0, step), (0x17, 7, 0, 0, step)]);
        let back = 1 - program.len() as i16;
        program.extend([(0x55, 7, 0, back, 0), (0xb7, 0, 0, 0, 77), EXIT]);

        let mut memory = Vec::new();
        for (a, b) in pairs() {
            memory.extend([a, b]);
            memory.resize(memory.len() + cases.len(), 0xDEAD_u64);
        }
        let bytes: Vec<u8> = memory.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let outcome = run_everywhere(&program, &[], [&bytes, &[]]);
        assert_eq!(outcome.result, Ok(77));
        let (words, _) = outcome.packet.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|&word| u64::from_ne_bytes(word)).collect();
        for (pair, (a, b)) in words.chunks(2 + cases.len()).zip(pairs()) {
            for (case, &result) in cases.iter().zip(&pair[2..]) {
                let expected = (case.expect)(a, b);
                assert_eq!(result, expected, "{} of {a:#x}, {b:#x}", case.name);
            }
        }
    }
}

fn pairs() -> impl Iterator<Item = (u64, u64)> {
    VALUES.into_iter().flat_map(|a| VALUES.map(|b| (a, b)))
}

#[test]
fn arithmetic() {
    check(&cases::arithmetic());
    check(&cases::unary());
}

#[test]
fn jumps() {
    check(&cases::jumps());
}

#[test]
fn memory() {
    check(&cases::memory());
    check(&cases::atomics());
}

/// Calls: `main` calls a function five levels deep that keeps values in `r6` and on its stack, and
/// ends by calling `main` itself with a length of 0.
const CALLS: [Insn; 27] = [
    (0xb7, 0, 0, 0, 3),    // r0 = 3
    (0x15, 2, 0, 11, 0),   // if r2 == 0 goto exit
    (0xbf, 6, 1, 0, 0),    // r6 = r1
    (0xb7, 1, 0, 0, 5),    // r1 = 5
    (0xb7, 2, 0, 0, 20),   // r2 = 20
    (0xb7, 3, 0, 0, 300),  // r3 = 300
    (0xb7, 4, 0, 0, 4000), // r4 = 4000
    (0xb7, 5, 0, 0, 7),    // r5 = 7
    (0x85, 0, 1, 0, 5),    // call local_14
    (0x7b, 6, 0, 0, 0),    // *r6 = r0
    (0xb7, 2, 0, 0, 0),    // r2 = 0
    (0x85, 0, 1, 0, -12),  // call main
    (0x07, 0, 0, 0, 30),   // r0 += 30
    EXIT,
    // local_14 (n, a, b, c, d): n == 0 ? a + b + c + d : local_14 (n - 1, ...) + n + d
    (0xbf, 6, 1, 0, 0),   // r6 = r1
    (0x7b, 10, 5, -8, 0), // *(r10 - 8) = r5
    (0xbf, 0, 2, 0, 0),   // r0 = r2
    (0x0f, 0, 3, 0, 0),   // r0 += r3
    (0x0f, 0, 4, 0, 0),   // r0 += r4
    (0x15, 1, 0, 3, 0),   // if r1 == 0 goto sum
    (0x07, 1, 0, 0, -1),  // r1 -= 1
    (0x85, 0, 1, 0, -8),  // call local_14
    (0x0f, 0, 6, 0, 0),   // r0 += r6
    (0x79, 7, 10, -8, 0), // sum: r7 = *(r10 - 8)
    (0x0f, 0, 7, 0, 0),   // r0 += r7
    (0x7a, 10, 0, -8, 1), // *(r10 - 8) = 1
    EXIT,
];

#[test]
fn calls_within_the_program() {
    let outcome = run_everywhere(&CALLS, &[], [&[0; 8], &[]]);
    assert_eq!(outcome.result, Ok(33));
    let sum = 20 + 300 + 4000 + (1 + 2 + 3 + 4 + 5) + 6 * 7;
    assert_eq!(outcome.packet, u64::to_ne_bytes(sum));
}

#[test]
fn helpers_take_five_values_and_may_stop_the_program() {
    let digits = |_: &mut Memory<'_>, values: &[Value], results: &mut [Value]| {
        let number = values
            .iter()
            .fold(0, |number, value| number * 10 + value.i64());
        results[0] = Value::from_i64(number);
        if number < 0 {
            Err(HostError(9))
        } else {
            Ok(())
        }
    };
    let program = |first| {
        let argument = |number: u8| (0xb7, number, 0, 0, i32::from(number));
        let mut program = vec![(0xb7, 1, 0, 0, first)];
        program.extend((2..6).map(argument));
        program.extend([(0x85, 0, 0, 0, 123), (0x67, 0, 0, 0, 1), EXIT]);
        program
    };
    let run = |first| {
        let outcome = run_everywhere(&program(first), &[(123, &digits)], [&[], &[]]);
        outcome.result.map_err(|fault| fault.reason)
    };
    assert_eq!(run(1), Ok(24690));
    assert_eq!(run(-9), Err(Reason::Host(HostError(9))));
}

#[test]
fn main_gets_packet_and_context() {
    let program = [
        (0xbf, 0, 2, 0, 0),  // r0 = r2
        (0x67, 0, 0, 0, 8),  // r0 <<= 8
        (0x0f, 0, 4, 0, 0),  // r0 += r4
        (0x71, 5, 1, 4, 0),  // r5 = *(u8 *)(r1 + 4)
        (0x73, 3, 5, 2, 0),  // *(u8 *)(r3 + 2) = r5
        (0x72, 1, 0, 0, 99), // *(u8 *)r1 = 99
        EXIT,
    ];
    let outcome = run_everywhere(&program, &[], [&[1, 2, 3, 4, 5], &[6, 7, 8]]);
    assert_eq!(outcome.result, Ok(0x503));
    assert_eq!(outcome.packet, [99, 2, 3, 4, 5]);
    assert_eq!(outcome.context, [6, 7, 5]);
}

/// A helper that writes to as many bytes as it is told, at an address of the program.
fn fill(memory: &mut Memory<'_>, values: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    let bytes = memory.slice_mut(values[0].u64(), values[1].u64())?;
    bytes.fill(values[2].u64() as u8);
    results[0] = Value::from_u64(bytes.len() as u64);
    Ok(())
}

#[test]
fn helpers_see_the_memory_of_the_program() {
    let program = |bytes| {
        [
            (0x07, 1, 0, 0, 1),     // r1 += 1
            (0xb7, 2, 0, 0, bytes), // r2 = bytes
            (0xb7, 3, 0, 0, 7),     // r3 = 7
            (0x85, 0, 0, 0, 1),     // call 1
            EXIT,
        ]
    };
    let helpers: [Helper<'_>; 1] = [(1, &fill)];
    let outcome = run_everywhere(&program(3), &helpers, [&[1; 4], &[]]);
    assert_eq!(
        (outcome.result, &outcome.packet[..]),
        (Ok(3), &[1, 7, 7, 7][..])
    );
    let outcome = run_everywhere(&program(4), &helpers, [&[1; 4], &[2; 8]]);
    let reason = outcome.result.unwrap_err().reason;
    assert_eq!(reason, Reason::Host(HostError(BAD_ADDRESS)));
    assert_eq!(outcome.packet, [1; 4]);
}

/// Returns a program that runs one instruction, with a wide number in `r5`.
fn with_number(number: u64, insn: Insn) -> Vec<Insn> {
    let low = (0x18, 5, 0, 0, number as i32);
    vec![low, (0, 0, 0, 0, (number >> 32) as i32), insn, EXIT]
}

#[test]
fn what_a_program_may_not_do_ends_its_run() {
    static HOST: u64 = 5;
    let host = (&raw const HOST).addr() as u64;
    let above = FIRST_ADDRESS + MEMORY_BYTES as u64;
    let (load, store): (Insn, Insn) = ((0x79, 0, 5, 0, 0), (0x7b, 5, 0, 0, 0));
    let mut cases = Vec::new();
    for address in [
        0,
        8,
        FIRST_ADDRESS - 1,
        above - 7,
        above,
        PACKET - 8,
        PACKET - 1,
        PACKET + 9,
        PACKET + 16,
        CONTEXT - 1,
        CONTEXT + 1,
        CONTEXT + 8,
        host,
        1 << 40,
        1 << 63,
        u64::MAX - 7,
        u64::MAX,
    ] {
        cases.push((with_number(address, load), Reason::BadAddress(address)));
        cases.push((with_number(address, store), Reason::BadAddress(address)));
    }
    let relative = |insn| vec![insn, EXIT];
    cases.extend([
        (relative((0x79, 0, 1, 9, 0)), Reason::BadAddress(PACKET + 9)),
        (
            relative((0x71, 0, 1, -1, 0)),
            Reason::BadAddress(PACKET - 1),
        ),
        (
            relative((0xdb, 3, 0, 4, 1)),
            Reason::BadAddress(CONTEXT + 4),
        ),
        (relative((0x7a, 10, 0, 0, 0)), Reason::BadAddress(above)),
        // An endless loop, and a function that only calls itself.
        (relative((0x05, 0, 0, -1, 0)), Reason::OutOfFuel),
        (relative((0x85, 0, 1, 0, -1)), Reason::Stack),
    ]);
    for (program, reason) in cases {
        let outcome = run_everywhere(&program, &[], [&[1; 16], &[2; 8]]);
        let found = outcome.result.map_err(|fault| fault.reason);
        assert_eq!(found, Err(reason), "{program:x?}");
        assert_eq!(
            (&outcome.packet[..], &outcome.context[..]),
            (&[1; 16][..], &[2; 8][..])
        );
    }
}

#[test]
fn both_byte_orders_are_read() {
    let little = [0x07, 0x01, 0, 0, 0x44, 0x33, 0x22, 0x11];
    let big = [0x07, 0x10, 0, 0, 0x11, 0x22, 0x33, 0x44];
    for (add, target) in [(little, "x86_64"), (big, "s390x")] {
        let target = target_all::backend(target).unwrap().target();
        let program = [add, [0x95, 0, 0, 0, 0, 0, 0, 0]];
        let module = translate(
            program.as_flattened(),
            Helpers(&[]),
            target,
            &SystemAllocator,
        );
        let module = module.unwrap();
        let mut text = Vec::new();
        let mut write = |part: &[u8]| {
            text.extend_from_slice(part);
            Ok(())
        };
        mir_nostd::text::print(&module, &mut write).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("add\tpacket, packet, 287454020"), "{text}");
    }
}

/// Returns the error of a program that is wrong.
fn error(program: &[u8]) -> Option<Error> {
    let target = target_all::HOST.target();
    translate(program, Helpers(&[5]), target, &SystemAllocator).err()
}

#[test]
fn wrong_programs_are_errors_at_an_instruction() {
    #[rustfmt::skip] // one row, one line
    let wrong: &[(&[Insn], &str)] = &[
        (&[], "instruction 0: the program is cut short"),
        (&[EXIT, (0x18, 1, 0, 0, 5)], "instruction 1: the program is cut short"),
        (&[EXIT, (0x00, 0, 0, 0, 0)], "instruction 1: there is no opcode 0x00"),
        (&[(0x8f, 1, 0, 0, 0), EXIT], "instruction 0: there is no opcode 0x8f"),
        (&[(0x37, 1, 0, 2, 5), EXIT], "instruction 0: `div64` with a wrong offset"),
        (&[(0xbc, 1, 2, 32, 0), EXIT], "instruction 0: `mov32` with a wrong offset"),
        (&[(0xdb, 1, 2, 0, 0x02), EXIT], "instruction 0: `add atomic64` with a wrong immediate value"),
        (&[(0x0f, 1, 2, 0, 1), EXIT], "instruction 0: `add64` with a wrong immediate value"),
        (&[(0x07, 1, 2, 0, 1), EXIT], "instruction 0: `add64` with a wrong source"),
        (&[(0x05, 1, 0, 0, 0), EXIT], "instruction 0: `ja` with a wrong destination"),
        (&[(0xb7, 11, 0, 0, 0), EXIT], "instruction 0: `mov64` with a wrong destination"),
        (&[(0xbf, 0, 15, 0, 0), EXIT], "instruction 0: `mov64` with a wrong source"),
        (&[(0xb7, 10, 0, 0, 0), EXIT], "instruction 0: `mov64` writes to r10"),
        (&[(0xdb, 1, 10, 0, 1), EXIT], "instruction 0: `fetch add64` writes to r10"),
        (&[(0x18, 1, 0, 0, 5), EXIT, EXIT], "instruction 0: `lddw` with a wrong second slot"),
        (&[(0x18, 1, 1, 0, 5), (0, 0, 0, 0, 0), EXIT], "instruction 0: `lddw`: there are no maps, variables and addresses of code here"),
        (&[(0x20, 0, 0, 0, 5), EXIT], "instruction 0: `ldabsw`: legacy packet access; load from the packet's address instead"),
        (&[(0x50, 0, 3, 0, 5), EXIT], "instruction 0: `ldindb`: legacy packet access; load from the packet's address instead"),
        (&[(0x85, 0, 2, 0, 5), EXIT], "instruction 0: `call btf`: helpers are called by number here, not by BTF id"),
        (&[(0x85, 0, 0, 0, 6), EXIT], "instruction 0: there is no helper 6"),
        (&[(0x85, 0, 1, 0, 1), EXIT], "instruction 0: there is no instruction of the function to go to"),
        (&[(0x85, 0, 1, 0, -2), EXIT], "instruction 0: there is no instruction of the function to go to"),
        (&[(0x05, 0, 0, 1, 0), EXIT], "instruction 0: there is no instruction of the function to go to"),
        (&[(0x06, 0, 0, 0, i32::MIN), EXIT], "instruction 0: there is no instruction of the function to go to"),
        (&[(0x15, 0, 0, 1, 0), (0x18, 0, 0, 0, 0), (0, 0, 0, 0, 0), EXIT], "instruction 0: there is no instruction of the function to go to"),
        (&[(0x85, 0, 1, 0, 1), EXIT, (0x05, 0, 0, -2, 0)], "instruction 2: there is no instruction of the function to go to"),
        (&[EXIT, (0xb7, 0, 0, 0, 0)], "instruction 1: the function goes on after its last instruction"),
        (&[(0x85, 0, 1, 0, 0), EXIT], "instruction 0: the function goes on after its last instruction"),
    ];
    for (program, text) in wrong {
        let error = error(&assemble(program));
        assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(*text));
    }
    let odd = error(&assemble(&[EXIT])[..7]);
    assert_eq!(odd.map(|error| error.problem), Some(Problem::CutShort));
}

/// Returns the opcode, with the field that is part of it in some instructions.
fn identity((opcode, _, src, offset, imm): Insn) -> (u8, i32) {
    let field = match opcode {
        0x85 => i32::from(src),
        0xc3 | 0xdb | 0xd4 | 0xd7 | 0xdc => imm,
        _ if opcode & 4 != 0 && matches!(opcode >> 4, 3 | 9 | 0xb) => i32::from(offset),
        _ => 0,
    };
    let is_jump = matches!(opcode & 7, 5 | 6);
    (opcode, if is_jump && opcode != 0x85 { 0 } else { field })
}

#[test]
fn the_cases_have_every_instruction_that_is_taken() {
    let all = [
        cases::arithmetic(),
        cases::unary(),
        cases::jumps(),
        cases::memory(),
        cases::atomics(),
    ];
    let mut tested = BTreeSet::from([(0x85, 0), (0x85, 1), (0x95, 0)]);
    for case in all.iter().flatten() {
        let body = case.body.iter().filter(|insn| insn.0 != 0);
        tested.extend(body.map(|&insn| identity(insn)));
    }
    let mut taken = BTreeSet::new();
    let second = (0, 0, 0, 0, 0);
    for opcode in 0..=255 {
        // Only some instructions have more to tell them apart than an opcode.
        let has_field = matches!(opcode, 0xc3 | 0xdb | 0xd4 | 0xd7 | 0xdc);
        for src in 0..7 {
            for offset in [0, 1, 8, 16, 32] {
                for imm in 0..if has_field { 0x100 } else { 6 } {
                    let insn = (opcode, 1, src, offset, imm);
                    let without = (opcode, 0, src, offset, imm);
                    let programs = [
                        [insn, EXIT, EXIT],
                        [without, EXIT, EXIT],
                        [insn, second, EXIT],
                    ];
                    if programs
                        .iter()
                        .any(|program| error(&assemble(program)).is_none())
                    {
                        taken.insert(identity(insn));
                    }
                }
            }
        }
    }
    assert_eq!(taken, tested);
    // 22 forms of 4 opcodes, 5 of extending moves, 2 negations, 9 swaps, `lddw`, 2 jumps, 11
    // branches of 4 opcodes, 3 calls and exits, 4 loads, 8 stores, 3 extending loads, 20 atomics.
    assert_eq!(
        taken.len(),
        14 * 4 + 5 + 2 + 9 + 1 + 2 + 11 * 4 + 3 + 4 + 8 + 3 + 20
    );
}

#[test]
fn whatever_is_translated_is_a_valid_module() {
    let mut random = fastrand::Rng::with_seed(9669);
    let mut valid = 0;
    for _ in 0..20_000 {
        let mut program: Vec<Insn> = Vec::new();
        for _ in 0..random.usize(1..12) {
            let offset = [0, 0, 0, 1, 8, random.i16(-6..6)][random.usize(0..6)];
            let imm = [0, 0, 5, 16, 0x41, random.i32(-6..6)][random.usize(0..6)];
            let src = [0, 0, 1, random.u8(0..12)][random.usize(0..4)];
            program.push((random.u8(..), random.u8(0..10), src, offset, imm));
            if error(&assemble(&[&program[..], &[EXIT]].concat())).is_some() {
                program.pop();
            }
        }
        program.push(EXIT);
        let target = target_all::HOST.target();
        let module = translate(&assemble(&program), Helpers(&[5]), target, &SystemAllocator);
        if let Ok(module) = module {
            Verified::new(module, target, &mut |_| {}).unwrap();
            valid += usize::from(program.len() > 4);
        }
    }
    assert!(valid > 100, "{valid}");
}

#[test]
fn translation_without_memory_is_an_error() {
    let program = assemble(&CALLS);
    let target = target_all::HOST.target();
    let requests = testkit::sweep(
        |allocator| translate(&program, Helpers(&[]), target, allocator).map(drop),
        |error| matches!(error.problem, Problem::Build(error) if error.problem == ir::Problem::OutOfMemory),
    );
    assert!(requests > 10);
}
