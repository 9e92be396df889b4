//! Tests of what targets say of their machines as data, of all five on every host: thunks as the
//! assembler writes them, and arguments and results where each ABI supplement puts them.
#![expect(unsafe_code, reason = "arguments are read through their addresses")]
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use mir_nostd::ir::Type;
use mir_nostd::machine::Reg;
use mir_nostd::num::LongDouble;
use mir_nostd::target::{
    Argument, Body, Cursor, Description, ElfReference, ElfRelocation, Gates, Guard, Incoming, Isa,
    MAX_STACK_BYTES, Native, Outgoing, Plan, PlanError, Signature, Target, Value,
    VariableArguments, units_of_classes,
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

/// The image of the registers of a call, and its stack arguments.
struct Slots {
    image: *mut u8,
    stack: *mut u8,
}

impl Slots {
    fn address(&self, place: Place) -> *mut u64 {
        let at = match place {
            Image(offset) => self.image.wrapping_offset(offset),
            Stack(offset) => self.stack.wrapping_offset(offset),
        };
        at.cast()
    }

    fn word(&self, place: Place) -> u64 {
        // SAFETY: tests name places of the call that were written.
        unsafe { self.address(place).read_unaligned() }
    }

    fn set(&self, place: Place, word: u64) {
        // SAFETY: tests name places of the call.
        unsafe { self.address(place).write_unaligned(word) };
    }

    /// Returns the words at an address that is in a place.
    fn words_at<const N: usize>(&self, place: Place) -> [u64; N] {
        // SAFETY: by the ABI there is the address of so many bytes.
        unsafe {
            Value::from_u64(self.word(place))
                .address::<[u64; N]>()
                .read_unaligned()
        }
    }
}

/// A machine of any target, of which every function is one of the test.
struct Callee<'t> {
    target: &'static Target,
    function: &'t (dyn Fn(&Slots) + Sync),
}

// SAFETY: it does with registers and stack what the gates of the machine do, but in memory.
unsafe impl Native for Callee<'_> {
    fn target(&self) -> &'static Target {
        self.target
    }

    unsafe fn call(&self, outgoing: *mut Outgoing) {
        let mut stack = [0_u128; 16];
        let stack = stack.as_mut_ptr().cast::<u8>();
        // SAFETY: by the caller's word there is the call; there is as much stack as it takes.
        unsafe {
            let bytes = (*outgoing).stack_bytes;
            assert!(bytes <= 256);
            if bytes != 0 {
                ((*outgoing).fill)(outgoing, stack);
            }
            let image = (&raw mut (*outgoing).image).cast();
            (self.function)(&Slots { image, stack });
            if bytes != 0 {
                ((*outgoing).finish)(outgoing, stack);
            }
        }
    }

    unsafe fn guarded(&self, _: *mut Guard, _: Body, _: *mut ()) -> bool {
        unreachable!()
    }

    unsafe fn set_jump(&self, _: *mut Guard, _: usize, _: [usize; 2], _: [usize; 3]) -> i32 {
        unreachable!()
    }

    fn halt(&self) -> ! {
        unreachable!()
    }

    fn entry(&self) -> usize {
        unreachable!()
    }

    fn resolver(&self) -> usize {
        unreachable!()
    }

    fn gates(&self) -> Gates {
        unreachable!()
    }

    unsafe fn flush_instruction_cache(&self, _: *const u8, _: usize) {
        unreachable!()
    }
}

/// Calls a function by the convention of a target; returns its results.
fn call<const N: usize>(
    target: &'static Target,
    (arguments, values): (&[Argument], &[Value]),
    results: [Type; N],
    function: &(dyn Fn(&Slots) + Sync),
) -> [Value; N] {
    let signature = Signature {
        results: &results,
        arguments,
        variadic: None,
    };
    let plan = Plan::new(target, &signature, &SystemAllocator).expect("memory");
    let mut found = [Value::ZERO; N];
    // SAFETY: the function takes and returns what the signature says.
    unsafe { plan.call(&Callee { target, function }, 0, values, &mut found) };
    found
}

/// The bits of numbers in the formats of IEEE 754.
const SINGLE_1_5: u32 = 0x3FC0_0000;
const DOUBLE_1_5: u64 = 0x3FF8_0000_0000_0000;
const QUAD_1_5: u128 = 0x3FFF_8000 << 96;

#[test]
fn arguments_and_results_lie_where_the_abi_puts_them() {
    let scalar = Argument::scalar;
    let single = Value::from_f32_bits(SINGLE_1_5);
    let double = Value::from_f64_bits(DOUBLE_1_5);
    let quad = Value::from_long_double(LongDouble(QUAD_1_5));
    // A number of 16 bytes in the order of this host.
    let words = |low, high| match cfg!(target_endian = "big") {
        true => [high, low],
        false => [low, high],
    };
    let quad_words = words(0, (QUAD_1_5 >> 64) as u64);
    let block = [11_u64, 22, 33];
    let of_24 = Argument::block(Type::Blk0, 24);
    let address = Value::from_address(&raw const block);
    // A callee may change its copy.
    let is_copy = |slots: &Slots, place| {
        assert_eq!(slots.words_at(place), block);
        assert_ne!(slots.word(place), address.u64());
    };

    // The RISC-V calling convention: integers are widened to 32 bits by their sign and then
    // sign-extended; fa0 holds a float with all upper bits set; what takes more than two words is
    // passed by address, and a quad in two registers. The image has fa0 at 0 and a0 at 64.
    let arguments = [Type::U32, Type::F, Type::I8].map(scalar);
    let arguments = [&arguments[..], &[of_24, scalar(Type::Ld)]].concat();
    let values = [
        Value::from_u64(0x8000_0000),
        single,
        Value::from_i64(-2),
        address,
        quad,
    ];
    let found = call(
        target("riscv64"),
        (&arguments, &values),
        [Type::U32, Type::F],
        &|slots| {
            assert_eq!(slots.word(Image(64)), 0xFFFF_FFFF_8000_0000);
            assert_eq!(slots.word(Image(0)), 0xFFFF_FFFF_3FC0_0000);
            assert_eq!(slots.word(Image(72)), -2_i64 as u64);
            is_copy(slots, Image(80));
            assert_eq!([88, 96].map(|at| slots.word(Image(at))), quad_words);
            slots.set(Image(64), 0xFFFF_FFFF_9000_0000);
            slots.set(Image(0), 0xFFFF_FFFF_3FC0_0000);
        },
    );
    assert_eq!(found, [Value::from_u64(0x9000_0000), single]);

    // AAPCS64: a float is in the low bits of its register; a composite of more than 16 bytes is
    // copied and replaced by the address. The image has x0 at 0 and v0 at 80.
    let arguments = [of_24, scalar(Type::F), scalar(Type::I64), scalar(Type::Ld)];
    let values = [address, single, Value::from_i64(-7), quad];
    let found = call(
        target("aarch64"),
        (&arguments, &values),
        [Type::F],
        &|slots| {
            is_copy(slots, Image(0));
            assert_eq!(slots.word(Image(80)) as u32, SINGLE_1_5);
            assert_eq!(slots.word(Image(8)), -7_i64 as u64);
            assert_eq!([96, 104].map(|at| slots.word(Image(at))), quad_words);
            slots.set(Image(80), SINGLE_1_5.into());
        },
    );
    assert_eq!(found, [single]);

    // The ELFv2 ABI: floating registers hold a float as a double, and a long double as two; r3 to
    // r10 are the first slots, whatever is in them. The image has r3 at 0 and f1 at 64.
    let ppc64le = target("ppc64le");
    let arguments = [Type::I32, Type::F, Type::Ld, Type::I64].map(scalar);
    let values = [
        Value::from_i64(-7),
        single,
        Value::from_long_double(ppc64le.long_double.from_f64(1.5)),
        Value::from_i64(9),
    ];
    let found = call(ppc64le, (&arguments, &values), [Type::F], &|slots| {
        assert_eq!(slots.word(Image(0)), -7_i64 as u64);
        assert_eq!(slots.word(Image(64)), DOUBLE_1_5);
        let long = [72, 80].map(|at| slots.word(Image(at)));
        assert_eq!(long, words(DOUBLE_1_5, 0));
        assert_eq!(slots.word(Image(32)), 9, "r7: the fifth slot");
        slots.set(Image(64), DOUBLE_1_5);
    });
    assert_eq!(found, [single]);

    // The s390x ELF ABI: f0 holds a float in its upper half; a long double is passed by the address
    // of a copy, and returned at an address that comes before the arguments. The save area has r2
    // at 16 and f0 at 128.
    let arguments = [Type::Ld, Type::F, Type::D].map(scalar);
    let values = [quad, single, double];
    let found = call(
        target("s390x"),
        (&arguments, &values),
        [Type::Ld],
        &|slots| {
            assert_eq!(slots.words_at(Image(24)), quad_words);
            assert_eq!(slots.word(Image(128)), u64::from(SINGLE_1_5) << 32);
            assert_eq!(slots.word(Image(136)), DOUBLE_1_5);
            let result = Value::from_u64(slots.word(Image(16))).address::<[u64; 2]>();
            // SAFETY: by the ABI the caller passes the address of its room for the result.
            unsafe { result.write_unaligned(quad_words) };
        },
    );
    assert_eq!(found, [quad]);
}

/// Returns the arguments of a call by the convention of a target, for which `fill` writes registers
/// and stack, and the memory in which blocks are that come in registers.
fn receive<const N: usize>(
    target: &'static Target,
    arguments: [Argument; N],
    variadic: Option<usize>,
    memory: &mut Memory,
    fill: &dyn Fn(&Slots),
) -> ([Value; N], [u64; 8]) {
    let signature = Signature {
        results: &[],
        arguments: &arguments,
        variadic,
    };
    let plan = Plan::new(target, &signature, &SystemAllocator).expect("memory");
    let slots = Slots {
        image: memory.image.as_mut_ptr(),
        stack: memory.stack.as_mut_ptr(),
    };
    fill(&slots);
    let incoming = Incoming {
        image: slots.image,
        stack: slots.stack,
        result_x87: 0,
    };
    let (mut values, mut scratch) = ([Value::ZERO; N], [0_u128; 4]);
    assert!(plan.scratch_bytes() <= 64);
    // SAFETY: the slots hold what the signature says; the room is there.
    unsafe { plan.receive(&incoming, &mut values, scratch.as_mut_ptr().cast()) };
    // SAFETY: as many bytes, of numbers.
    (values, unsafe {
        scratch.as_ptr().cast::<[u64; 8]>().read()
    })
}

#[test]
fn arguments_from_native_code_are_found_where_the_abi_puts_them() {
    let scalar = Argument::scalar;
    let mut memory = Memory {
        image: [0; 256],
        stack: [0; 256],
    };
    let block = [11_u64, 22, 33];
    let address = Value::from_address(&raw const block).u64();

    // RISC-V: a float that is not boxed is a NaN; two words of a block come in two registers; what
    // is wider comes by address. An unsigned integer is sign-extended on the way only.
    let of = |size| Argument::block(Type::Blk0, size);
    let arguments = [scalar(Type::F), scalar(Type::U32), of(12), of(24)];
    let (values, scratch) = receive(target("riscv64"), arguments, None, &mut memory, &|slots| {
        slots.set(Image(0), SINGLE_1_5.into());
        slots.set(Image(64), 0xFFFF_FFFF_8000_0000);
        slots.set(Image(72), 5);
        slots.set(Image(80), 0x7777_7777_7777_7777);
        slots.set(Image(88), address);
    });
    assert_eq!(values[0].f32_bits(), 0x7FC0_0000);
    assert_eq!(values[1].u64(), 0x8000_0000);
    assert_eq!(scratch[0], 5);
    assert_eq!(scratch[1].to_ne_bytes(), *b"wwww\0\0\0\0");
    assert_eq!(values[3].u64(), address);

    // ELFv2: a variadic function stores r3 to r10 in the slots of the caller's frame.
    let (values, _) = receive(
        target("ppc64le"),
        [scalar(Type::I64)],
        Some(1),
        &mut memory,
        &|slots| (0..8).for_each(|number| slots.set(Image(8 * number), 100 + number as u64)),
    );
    assert_eq!(values[0].u64(), 100);
    let stored = memory.stack.as_chunks().0.iter().take(9);
    let stored: Vec<_> = stored.map(|&word| u64::from_ne_bytes(word)).collect();
    assert_eq!(stored, [100, 101, 102, 103, 104, 105, 106, 107, 0]);

    // AAPCS64: nothing is passed of an empty block, which has an address all the same.
    let arguments = [of(0), scalar(Type::I64)];
    let (values, _) = receive(target("aarch64"), arguments, None, &mut memory, &|slots| {
        slots.set(Image(0), 5);
    });
    assert_ne!(values[0].u64(), 0);
    assert_eq!(values[1].u64(), 5);

    // s390x: long doubles come by address; one that is not passed is 0.
    let quad = Value::from_long_double(LongDouble(QUAD_1_5));
    let arguments = [scalar(Type::Ld); 2];
    let (values, _) = receive(target("s390x"), arguments, None, &mut memory, &|slots| {
        slots.set(Image(16), Value::from_address(&raw const quad).u64());
        slots.set(Image(24), 0);
    });
    assert_eq!(values, [quad, Value::ZERO]);
}

/// Between interpreted functions variable arguments lie where the callee's list looks for them: the
/// first in the image of the registers after the named ones, the others in memory.
#[test]
fn variable_arguments_of_interpreted_calls_are_found() {
    for name in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let target = target(name);
        let arguments = [Argument::scalar(Type::I64); 12];
        let values: [Value; 12] = core::array::from_fn(|number| Value::from_i64(number as i64));
        let signature = Signature {
            results: &[],
            arguments: &arguments,
            variadic: Some(2),
        };
        let plan = Plan::variable(target, &signature, &SystemAllocator).expect("memory");
        let mut area = [0_u128; 64];
        assert!(plan.variable_bytes() <= 1024, "{name}");
        let mut list = [0_u64; 8];
        let list = list.as_mut_ptr().cast::<u8>();
        let operations = &target.abi.va_list;
        // SAFETY: area and list have room for what they hold; ten arguments are read of ten.
        unsafe {
            let variable = plan.write_variable(area.as_mut_ptr().cast(), &values);
            (operations.start)(list, &variable);
            for number in 2..12 {
                let at = (operations.argument)(list, Type::I64);
                assert_eq!(at.cast::<i64>().read_unaligned(), number, "{name}");
            }
        }
    }
}

#[test]
fn machines_and_values_are_shown() {
    for isa in ISAS {
        let name = isa.target().name;
        let isa: &dyn Isa = *isa;
        assert_eq!(format!("{isa:?}"), format!("Isa({name})"));
        let function = &|_: &Slots| {};
        let native: &dyn Native = &Callee {
            target: isa.target(),
            function,
        };
        assert_eq!(format!("{native:?}"), format!("Native({name})"));
    }
    let quad = Value::from_long_double(LongDouble(QUAD_1_5));
    assert_eq!(quad.long_double(), LongDouble(QUAD_1_5));
    assert_eq!(
        format!("{quad:?}"),
        "Value(0x3fff8000000000000000000000000000)"
    );
}
