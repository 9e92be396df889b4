//! Tests of what targets say of their machines as data, of all five on every host: thunks as the
//! assembler writes them, and variable arguments where each ABI supplement puts them.
#![expect(
    unsafe_code,
    reason = "a list of arguments is read through its addresses"
)]

use mir_nostd::ir::Type;
use mir_nostd::machine::Reg;
use mir_nostd::target::{
    Argument, Cursor, Description, ElfReference, ElfRelocation, MAX_STACK_BYTES, Plan, PlanError,
    Signature, Target, VariableArguments, units_of_classes,
};
use target_all::ISAS;
use testkit::SystemAllocator;

fn target(name: &str) -> &'static Target {
    let mut targets = ISAS.iter().map(|isa| isa.target());
    let found = targets.find(|target| target.name == name);
    found.unwrap_or(ISAS[0].target())
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|c| c.to_digit(16)).collect();
    digits
        .chunks(2)
        .map(|pair| (pair[0] * 16 + pair[1]) as u8)
        .collect()
}

#[test]
fn thunks_jump_through_the_word_of_their_entry() {
    const ENTRY: u64 = 0x1122_3344_5566_7788;
    // The source of each, encoded by LLVM's assembler.
    let thunks = [
        // endbr64; movabs r10, entry; jmp [r10]
        ("x86_64", "f30f1efa 49ba8877665544332211 41ff22"),
        // bti jc; ldr x16, 12; ldr x17, [x16]; br x17; the entry
        (
            "aarch64",
            "df2403d5 70000058 110240f9 20021fd6 8877665544332211",
        ),
        // lis, ori, sldi, oris, ori of r11; ld r12, 0(r11); mtctr r12; bctr
        (
            "ppc64le",
            "2211603d 44336b61 c6076b79 66556b65 88776b61 00008be9 a603897d 2004804e",
        ),
        // auipc t1, 0; ld t1, 16(t1); ld t2, 0(t1); jr t2; the entry
        (
            "riscv64",
            "17030000 03330301 83330300 67800300 8877665544332211",
        ),
        // lgrl %r1, 24; lgr %r0, %r1; lg %r1, 0(%r1); br %r1; to a multiple of 8; the entry
        (
            "s390x",
            "c4180000000c b9040001 e31010000004 07f1 070007000700 1122334455667788",
        ),
    ];
    for (name, expected) in thunks {
        let thunk = &target(name).thunk;
        let mut code = [0_u8; 64];
        assert!((thunk.write)(&mut code[..thunk.bytes], ENTRY), "{name}");
        let expected = bytes(expected);
        assert_eq!(code[..expected.len()], expected, "{name}");
        assert!(
            !(thunk.write)(&mut code[..thunk.bytes - 1], ENTRY),
            "{name}"
        );
    }
}

/// The place of a variable argument: an offset in the image of the registers, or from the start of
/// the stack arguments; where the bytes of a block lie elsewhere, that of their address.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Image(isize),
    Stack(isize),
}
use Place::{Image, Stack};

/// The memory of a call: the image of the registers, and the stack arguments.
#[repr(C, align(16))]
struct Memory {
    image: [u8; 256],
    stack: [u8; 256],
}

/// Reads the arguments of these types after the named ones, and says where they were.
fn places(target: &Target, named: Cursor, arguments: &[Argument]) -> Vec<Place> {
    let mut memory = Memory {
        image: [0; 256],
        stack: [0; 256],
    };
    let base = (&raw mut memory).cast::<u8>();
    // Every slot holds its own address, in case that an argument is passed by address: then it is
    // found in its slot.
    for slot in (0..512).step_by(8) {
        let at = base.wrapping_add(slot);
        // SAFETY: it is within the image and the stack arguments.
        unsafe { at.cast::<*mut u8>().write(at) };
    }
    let from = VariableArguments {
        named,
        image: base,
        stack: base.wrapping_add(256),
    };
    let operations = &target.abi.va_list;
    let mut list = [0_u64; 8];
    let list = list.as_mut_ptr().cast::<u8>();
    assert!(operations.bytes <= 64);
    // SAFETY: there is room for a list, and as many arguments are left as the memory has slots.
    let next = |argument: Argument| unsafe {
        if !argument.is_copied() {
            return (operations.argument)(list, argument.ty);
        }
        let mut copy = [0_u64; 8];
        (operations.block)(copy.as_mut_ptr().cast(), list, argument);
        // The first word of the slot, wherever the block is.
        core::ptr::with_exposed_provenance_mut(copy[0] as usize)
    };
    // SAFETY: as above.
    unsafe { (operations.start)(list, &from) };
    let place = |at: *mut u8| {
        let offset = at.addr() as isize - base.addr() as isize;
        if offset < 256 {
            Image(offset)
        } else {
            Stack(offset - 256)
        }
    };
    arguments
        .iter()
        .map(|&argument| place(next(argument)))
        .collect()
}

#[test]
fn variable_arguments_lie_where_the_abi_puts_them() {
    let scalar = Argument::scalar;
    let block = |size| Argument::block(Type::Blk0, size);
    let named = |ints, floats, stack| Cursor {
        ints,
        floats,
        stack,
        placed: 0,
    };
    let (int, double, long) = (scalar(Type::I64), scalar(Type::D), scalar(Type::Ld));

    // AAPCS64: x0 to x7 and q0 to q7, then slots of 8 bytes. The image has the floats at 80.
    let aarch64 = target("aarch64");
    let found = places(
        aarch64,
        named(5, 7, 8),
        &[
            int,
            block(24),
            double,
            block(16),
            int,
            double,
            long,
            block(40),
            int,
        ],
    );
    assert_eq!(
        found,
        [
            Image(40),
            Image(48),
            Image(80 + 7 * 16),
            Stack(8),
            Stack(24),
            Stack(32),
            Stack(48),
            Stack(64),
            Stack(72),
        ]
    );

    // The ELFv2 ABI: one slot after the other.
    let ppc64le = target("ppc64le");
    let found = places(
        ppc64le,
        named(2, 0, 16),
        &[int, double, block(12), long, int],
    );
    assert_eq!(found, [16, 24, 32, 48, 64].map(Stack));

    // The RISC-V calling convention: integer registers, which lie below the stack; what is aligned
    // to 16 bytes begins at an even register.
    let riscv64 = target("riscv64");
    let found = places(
        riscv64,
        named(3, 0, 0),
        &[int, double, long, block(24), double, long],
    );
    assert_eq!(
        found,
        [
            Image(256 - 40),
            Image(256 - 32),
            Image(256 - 16),
            Stack(0),
            Stack(8),
            Stack(16)
        ]
    );

    // The s390x ELF ABI: r2 to r6 at 16, f0 to f6 at 128, then slots; what is narrower than its
    // slot lies at its end, blocks and long doubles are passed by address.
    let s390x = target("s390x");
    let single = scalar(Type::F);
    let found = places(
        s390x,
        named(3, 3, 0),
        &[int, double, block(24), int, single, long],
    );
    assert_eq!(
        found,
        [
            Image(16 + 24),
            Image(128 + 24),
            Image(16 + 32),
            Stack(0),
            Stack(12),
            Stack(16)
        ]
    );
}

#[test]
fn descriptions_begin_with_nothing_special() {
    for isa in ISAS {
        let (target, registers) = (isa.target(), isa.registers());
        let plain = Description::new(target, registers, isa.insns());
        assert!(plain.elf.is_none() && plain.peepholes.is_empty() && !plain.division_traps);
        assert_eq!(
            (plain.insns.len(), plain.code_align),
            (isa.insns().len(), 16)
        );
        let units = units_of_classes(registers.registers, registers.classes);
        assert_eq!(units, registers.allocatable, "{}", target.name);
        // A register that the file does not have is no register.
        assert!(registers.row(Reg::physical(u16::MAX)).units.is_empty());
    }
}

#[test]
fn relocations_are_made_in_steps() {
    let relocation = ElfRelocation::new(7, -4);
    let expected = ElfRelocation {
        number: 7,
        behind: 0,
        addend: -4,
        to: ElfReference::Target,
        always: false,
    };
    assert_eq!(relocation, expected);
    let expected = ElfRelocation {
        behind: 4,
        to: ElfReference::Linker(".TOC."),
        always: true,
        ..expected
    };
    let to = ElfReference::Linker(".TOC.");
    assert_eq!(relocation.always().behind(4).to(to), expected);
}

/// More than the stack is for, in one argument or in several, is refused on every ISA.
#[test]
fn arguments_have_a_limit() {
    let half = u64::from(MAX_STACK_BYTES) / 2;
    for isa in ISAS {
        let planned = |sizes: &[u64]| {
            let block = |&size: &u64| Argument::block(Type::Blk0, size);
            let arguments: Vec<_> = sizes.iter().map(block).collect();
            let signature = Signature {
                results: &[],
                arguments: &arguments,
                variadic: None,
            };
            Plan::new(isa.target(), &signature, &SystemAllocator).map(drop)
        };
        assert_eq!(planned(&[half]), Ok(()), "{isa:?}");
        for sizes in [
            &[2 * half + 16][..],
            &[1 << 40],
            &[half, half, half],
            &[u64::MAX],
        ] {
            assert_eq!(planned(sizes), Err(PlanError::TooLarge), "{isa:?}");
        }
    }
}
