//! Tests the tables of every target on any host: hard registers, and argument locations by the
//! platforms' documents.

use mir_nostd::ir::{Class, Type};
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{
    Argument, ArgumentKind, Cursor, HardRegisterError, Location, ResultCursor, Target,
};
use target_all::TARGETS;

/// Returns whether `name` is `prefix` and one of the numbers.
fn numbered(name: &str, prefix: &str, numbers: &[core::ops::RangeInclusive<u32>]) -> bool {
    let number = name.strip_prefix(prefix).and_then(|n| n.parse().ok());
    number.is_some_and(|number| numbers.iter().any(|range| range.contains(&number)))
}

/// Returns whether integer variables may be tied to the register.
fn int_usable(target: &str, name: &str) -> bool {
    match target {
        "x86_64" => {
            ["rax", "rcx", "rdx", "rbx", "rsi", "rdi"].contains(&name)
                || numbered(name, "r", &[8..=9, 12..=15])
        }
        "aarch64" => numbered(name, "r", &[0..=8, 11..=28, 30..=30]),
        "ppc64le" => numbered(name, "r", &[3..=10, 14..=30]),
        "riscv64" => numbered(name, "r", &[1..=1, 5..=7, 9..=29]),
        _ => numbered(name, "r", &[2..=8, 10..=10, 12..=14]),
    }
}

/// Returns whether floating variables may be tied to the register.
fn float_usable(target: &str, name: &str) -> bool {
    match target {
        "x86_64" => numbered(name, "xmm", &[0..=7, 10..=15]),
        "aarch64" => numbered(name, "v", &[0..=15, 18..=31]),
        "ppc64le" => numbered(name, "f", &[0..=10, 13..=31]),
        "riscv64" => numbered(name, "f", &[0..=29]),
        _ => numbered(name, "f", &[0..=7, 9..=9, 11..=15]),
    }
}

#[test]
fn hard_registers() {
    let mut names: Vec<String> = ["r", "v", "f", "x", "xmm", "a", "st"]
        .iter()
        .flat_map(|prefix| (0..40).map(move |number| format!("{prefix}{number}")))
        .collect();
    for name in [
        "rax", "rcx", "rdx", "rbx", "rsi", "rdi", "rsp", "rbp", "sp", "lr",
    ] {
        names.push(name.to_owned());
    }
    for target in TARGETS {
        for name in &names {
            let asked = |class| target.hard_register(name.as_bytes(), class);
            let known = target.registers.iter().any(|row| row.name == name);
            let (int, float) = (
                int_usable(target.name, name),
                float_usable(target.name, name),
            );
            let refused = if !known {
                HardRegisterError::Unknown
            } else if int || float {
                HardRegisterError::WrongClass
            } else {
                HardRegisterError::Reserved
            };
            let expect = |usable, class| {
                let found = asked(class).map(|index| target.registers[index].name);
                let expected = if usable {
                    Ok(name.as_str())
                } else {
                    Err(refused)
                };
                assert_eq!(found, expected, "{} {name} {class:?}", target.name);
            };
            expect(int, Class::Int);
            expect(float, Class::Float);
            expect(float, Class::Double);
            expect(float && target.name == "aarch64", Class::LongDouble);
        }
    }
}

#[test]
fn the_reserved_registers_are_these() {
    let reserved = [
        "rsp rbp r10 r11 xmm8 xmm9 st0 st1",
        "r9 r10 r29 sp v16 v17",
        "r0 r1 r2 r11 r12 r13 r31 lr f11 f12",
        "r0 r2 r3 r4 r8 r30 r31 f30 f31",
        "r0 r1 r9 r11 r15 f8 f10",
    ];
    for (target, names) in TARGETS.iter().zip(reserved) {
        let found = target.registers.iter().map(|row| row.name).filter(|name| {
            target.hard_register(name.as_bytes(), Class::Int) == Err(HardRegisterError::Reserved)
        });
        assert_eq!(found.collect::<Vec<_>>().join(" "), names);
    }
}

#[test]
fn descriptions() {
    let quad = LongDoubleFormat::Quad;
    let rows = [
        ("x86_64", false, LongDoubleFormat::X87, 16, 24, true),
        ("aarch64", false, quad, 16, 32, false),
        (
            "ppc64le",
            false,
            LongDoubleFormat::DoubleDouble,
            16,
            8,
            false,
        ),
        ("riscv64", false, quad, 16, 8, false),
        ("s390x", true, quad, 8, 32, true),
    ];
    for (target, row) in TARGETS.iter().zip(rows) {
        let list = &target.abi.va_list;
        let found = (
            target.name,
            target.big_endian,
            target.long_double,
            target.alloca_align,
            list.bytes,
            list.is_array,
        );
        assert_eq!(found, row);
    }
}

fn text(at: Location) -> String {
    match at {
        Location::Int(n) => format!("i{n}"),
        Location::Float(n) => format!("f{n}"),
        Location::X87(n) => format!("st{n}"),
        Location::Memory(n) => format!("m{n}"),
    }
}

/// Returns the locations of arguments written like `i64 blk1:12 ... d`; those after `...` are
/// variable.
fn placed(target: &Target, arguments: &str) -> String {
    let mut cursor = Cursor::default();
    let mut kind = ArgumentKind::Named;
    let mut places = Vec::new();
    for word in arguments.split_whitespace() {
        if word == "..." {
            kind = ArgumentKind::Variable;
            continue;
        }
        let (name, size) = word.split_once(':').unwrap_or((word, "0"));
        let argument = Type::from_name(name.as_bytes())
            .and_then(|ty| Some(Argument::block(ty, size.parse().ok()?)));
        let placement = argument
            .and_then(|argument| (target.abi.place_argument)(&mut cursor, argument, kind).ok());
        let Some(placement) = placement else {
            panic!("{word} has no place");
        };
        let pieces: Vec<_> = placement.pieces().iter().map(|one| text(one.at)).collect();
        let by_address = if placement.by_address { "&" } else { "" };
        places.push(format!("{by_address}{}", pieces.join("+")));
    }
    places.join(" ")
}

/// The rows: arguments, then their locations on the five targets.
const PLACES: [(&str, [&str; 5]); 8] = [
    (
        "i8 f u32 d p",
        [
            "i0 f0 i1 f1 i2",
            "i0 f0 i1 f1 i2",
            "i0 f0 i2 f1 i4",
            "i0 f0 i1 f1 i2",
            "i0 f0 i1 f1 i2",
        ],
    ),
    (
        "i64 ld i64",
        [
            "i0 m0 i1",
            "i0 f0 i1",
            "i0 f0+f1 i3",
            "i0 i1 i3",
            "i0 &i1 i2",
        ],
    ),
    (
        "i64 ... ld i64",
        ["i0 m0 i1", "i0 f0 i1", "i0 i1 i3", "i0 i2 i4", "i0 &i1 i2"],
    ),
    (
        "i64 ... d f",
        ["i0 f0 f1", "i0 f0 f1", "i0 i1 i2", "i0 i1 i2", "i0 f0 f1"],
    ),
    (
        "i8 i8 i8 i8 i8 i8 i8 i8 i8 ld i8",
        [
            "i0 i1 i2 i3 i4 i5 m0 m8 m16 m32 m48",
            "i0 i1 i2 i3 i4 i5 i6 i7 m0 f0 m8",
            "i0 i1 i2 i3 i4 i5 i6 i7 m64 f0+f1 m88",
            "i0 i1 i2 i3 i4 i5 i6 i7 m0 m16 m32",
            "i0 i1 i2 i3 i4 m0 m8 m16 m24 &m32 m40",
        ],
    ),
    (
        "f f f f f f f f f d",
        [
            "f0 f1 f2 f3 f4 f5 f6 f7 m0 m8",
            "f0 f1 f2 f3 f4 f5 f6 f7 m0 m8",
            "f0 f1 f2 f3 f4 f5 f6 f7 f8 f9",
            "f0 f1 f2 f3 f4 f5 f6 f7 i0 i1",
            "f0 f1 f2 f3 m4 m12 m20 m28 m36 m40",
        ],
    ),
    (
        "i64 i64 i64 i64 i64 i64 i64 blk1:16 blk0:20 i64",
        [
            "i0 i1 i2 i3 i4 i5 m0 m8 m24 m48",
            "i0 i1 i2 i3 i4 i5 i6 m0 &m16 m24",
            "i0 i1 i2 i3 i4 i5 i6 i7+m64 m72 m96",
            "i0 i1 i2 i3 i4 i5 i6 i7+m0 &m8 m16",
            "i0 i1 i2 i3 i4 m0 m8 &m16 &m24 m32",
        ],
    ),
    (
        "rblk:40 rblk:8 blk0:0 blk3:16",
        [
            "i0 i1 m0 i2+f0",
            "i8 i0  i1",
            "i0 i1  i2",
            "i0 i1  i2",
            "i0 i1 &i2 &i3",
        ],
    ),
];

#[test]
fn arguments_go_where_the_platform_wants_them() {
    for (arguments, expected) in PLACES {
        for (target, expected) in TARGETS.iter().zip(expected) {
            let found = placed(target, arguments);
            assert_eq!(found, expected, "{}: {arguments}", target.name);
        }
    }
}

/// The rows: results, then their locations on the five targets; `m` is the area of further results.
const RESULTS: [(&str, [&str; 5]); 4] = [
    (
        "i64 d ld",
        ["i0 f0 st0", "i0 f0 f1", "i0 f0 f1", "i0 f0 m0", "i0 f0 m0"],
    ),
    (
        "u8 i64 p f",
        [
            "i0 i1 m0 f0",
            "i0 i1 i2 f0",
            "i0 i1 i2 f0",
            "i0 i1 m0 f0",
            "i0 i1 i2 f0",
        ],
    ),
    (
        "ld ld ld ld ld",
        [
            "st0 st1 m0 m16 m32",
            "f0 f1 f2 f3 f4",
            "f0 f2 f4 f6 m0",
            "i0 m0 m16 m32 m48",
            "m0 m16 m32 m48 m64",
        ],
    ),
    (
        "d d d d d d d d d",
        [
            "f0 f1 m0 m16 m32 m48 m64 m80 m96",
            "f0 f1 f2 f3 f4 f5 f6 f7 m0",
            "f0 f1 f2 f3 f4 f5 f6 f7 m0",
            "f0 f1 m0 m16 m32 m48 m64 m80 m96",
            "f0 f1 f2 f3 m0 m16 m32 m48 m64",
        ],
    ),
];

#[test]
fn results_come_back_by_the_rule() {
    for (results, expected) in RESULTS {
        for (target, expected) in TARGETS.iter().zip(expected) {
            let mut cursor = ResultCursor::new(&target.abi);
            let places = results.split(' ').filter_map(|word| {
                let placement = cursor.place(Type::from_name(word.as_bytes())?).ok()?;
                Some(text(placement.pieces().first()?.at))
            });
            let found = places.collect::<Vec<_>>().join(" ");
            assert_eq!(found, expected, "{}: {results}", target.name);
        }
    }
}
