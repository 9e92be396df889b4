//! A program reads and writes its own memory alone.

use crate::prelude::*;

const BYTES: usize = 5000;
const END: i64 = FIRST + BYTES as i64;

/// The options under which accesses are checked in different ways.
fn all_options() -> [confined::Options; 3] {
    let plain = confined::Options::default();
    [
        plain,
        confined::Options {
            masks: true,
            ..plain
        },
        confined::Options {
            windows: true,
            ..plain
        },
    ]
}

fn setup(text: &str, options: confined::Options) -> Setup<'_> {
    Setup {
        text,
        bytes: BYTES,
        options,
        ..Setup::default()
    }
}

/// Types of memory with their sizes, the prefix of their instructions, a value and its bytes.
fn types() -> Vec<(&'static str, i64, &'static str, &'static str, Vec<u8>)> {
    let integer = -0x0123_4567_89AB_CDF0_i64;
    vec![
        ("i8", 1, "", "v", (integer as i8).to_ne_bytes().to_vec()),
        ("u8", 1, "", "v", (integer as u8).to_ne_bytes().to_vec()),
        ("i16", 2, "", "v", (integer as i16).to_ne_bytes().to_vec()),
        ("u16", 2, "", "v", (integer as u16).to_ne_bytes().to_vec()),
        ("i32", 4, "", "v", (integer as i32).to_ne_bytes().to_vec()),
        ("u32", 4, "", "v", (integer as u32).to_ne_bytes().to_vec()),
        ("i64", 8, "", "v", integer.to_ne_bytes().to_vec()),
        ("p", 8, "", "v", integer.to_ne_bytes().to_vec()),
        ("f", 4, "f", "-2.5f", (-2.5_f32).to_ne_bytes().to_vec()),
        ("d", 8, "d", "-2.5", (-2.5_f64).to_ne_bytes().to_vec()),
    ]
}

/// Returns addresses around both ends for an access of so many bytes, and far outside.
fn addresses(bytes: i64) -> Vec<i64> {
    let near = [
        FIRST,
        FIRST + 1,
        FIRST - 1,
        END - bytes,
        END - bytes + 1,
        END - 1,
        END,
    ];
    let far = [
        0,
        1,
        8,
        FIRST - bytes,
        -1,
        -bytes,
        i64::MIN,
        i64::MIN + FIRST,
        i64::MAX,
        1 << 32,
        (1 << 32) + FIRST,
        1 << 33,
        1 << 40,
        1 << 41,
    ];
    near.into_iter().chain(far).collect()
}

fn is_inside(address: i64, bytes: i64) -> bool {
    (FIRST..=END - bytes).contains(&address)
}

/// Returns the value of bytes as an integer of a type.
fn value_of(ty: &str, bytes: &[u8]) -> i64 {
    match (ty, bytes) {
        ("i8", &[byte]) => i64::from(byte as i8),
        ("u8", &[byte]) => i64::from(byte),
        ("i16", &[a, b]) => i64::from(i16::from_ne_bytes([a, b])),
        ("u16", &[a, b]) => i64::from(u16::from_ne_bytes([a, b])),
        ("i32", &[a, b, c, d]) => i64::from(i32::from_ne_bytes([a, b, c, d])),
        ("u32", &[a, b, c, d]) => i64::from(u32::from_ne_bytes([a, b, c, d])),
        (_, bytes) => i64::from_ne_bytes(bytes.try_into().unwrap()),
    }
}

#[test]
fn loads_of_every_size_keep_to_memory() {
    let types: Vec<_> = { types().into_iter() }
        .filter(|row| row.2.is_empty())
        .collect();
    let mut text = String::from("m: module\n");
    for (ty, ..) in &types {
        text += &format!(
            "export load_{ty}\nload_{ty}: func i64, i64:a\nlocal i64:r\nmov r, {ty}:(a)\nret r\nendfunc\n"
        );
    }
    text += "endmodule\n";
    let memory = pattern(BYTES);
    let names: Vec<String> = types.iter().map(|row| format!("load_{}", row.0)).collect();
    let mut cases = Vec::new();
    for ((ty, bytes, ..), name) in types.iter().zip(&names) {
        for address in addresses(*bytes) {
            let expected = match is_inside(address, *bytes) {
                true => {
                    let at = (address - FIRST) as usize;
                    Ok(value_of(ty, &memory[at..at + *bytes as usize]))
                }
                false => bad_address(address),
            };
            cases.push((&name[..], vec![address], expected));
        }
    }
    for options in all_options() {
        let outcome = check(setup(&text, options), &cases);
        assert_eq!(outcome.memory, memory);
    }
}

#[test]
fn stores_of_every_size_keep_to_memory() {
    let types = types();
    let mut text = String::from("m: module\n");
    for (ty, _, prefix, value, _) in &types {
        text += &format!(
            "export store_{ty}\nstore_{ty}: func i64, i64:a, i64:v\n{prefix}mov {ty}:(a), {value}\nret v\nendfunc\n"
        );
    }
    text += "endmodule\n";
    let mut memory = pattern(BYTES);
    let names: Vec<String> = types.iter().map(|row| format!("store_{}", row.0)).collect();
    let mut cases = Vec::new();
    let value = -0x0123_4567_89AB_CDF0;
    for ((_, bytes, _, _, stored), name) in types.iter().zip(&names) {
        for address in addresses(*bytes) {
            let expected = match is_inside(address, *bytes) {
                true => {
                    let at = (address - FIRST) as usize;
                    memory[at..][..stored.len()].copy_from_slice(stored);
                    Ok(value)
                }
                false => bad_address(address),
            };
            cases.push((&name[..], vec![address, value], expected));
        }
    }
    for options in all_options() {
        let outcome = check(setup(&text, options), &cases);
        assert_eq!(outcome.memory, memory);
    }
}

/// The stores of a function in a row, at distances from one address: from level 2 on they share a
/// test, and those before one that is outside must have been done.
#[test]
fn stores_in_a_row_are_done_up_to_the_first_outside() {
    const STORES: [(i64, &str, usize); 4] = [
        (8, "i64", 8),
        (0, "i64", 8),
        (24, "i64", 8),
        (-12, "i32", 4),
    ];
    let mut text = String::from("m: module\nexport fields\nfields: func i64, i64:a, i64:v\n");
    for (distance, ty, _) in STORES {
        text += &format!("mov {ty}:{distance}(a), v\n");
    }
    text += "ret v\nendfunc\nendmodule\n";
    let mut memory = pattern(BYTES);
    let near = [FIRST, END].map(|end| (-40..40).map(move |distance| end + distance));
    let far = [
        0,
        -8,
        -24,
        i64::MIN,
        i64::MAX,
        i64::MAX - 24,
        1 << 40,
        FIRST + (1 << 32),
    ];
    let mut cases = Vec::new();
    for (number, address) in near.into_iter().flatten().chain(far).enumerate() {
        let value = 0x0123_4567_89AB_0000 + number as i64;
        let mut expected = Ok(value);
        for (insn, (distance, _, bytes)) in (0..).zip(STORES) {
            let place = address.wrapping_add(distance);
            if !is_inside(place, bytes as i64) {
                expected = Err((Reason::BadAddress(place as u64), insn));
                break;
            }
            let stored = match bytes {
                4 => (value as i32).to_ne_bytes().to_vec(),
                _ => value.to_ne_bytes().to_vec(),
            };
            memory[(place - FIRST) as usize..][..bytes].copy_from_slice(&stored);
        }
        cases.push(("fields", vec![address, value], expected));
    }
    for options in all_options() {
        let outcome = check(setup(&text, options), &cases);
        assert_eq!(outcome.memory, memory);
    }
}

#[test]
fn loads_that_branches_and_sums_use_keep_to_memory() {
    let at = FIRST + 64;
    let mut text = String::from("m: module\n");
    let mut cases = Vec::new();
    let mut names = Vec::new();
    // Branches say whether the value at the address is zero.
    for (ty, bytes) in [("u8", 1), ("i64", 8)] {
        for branch in ["bt", "bf"] {
            let name = format!("{branch}_{ty}");
            text += &format!(
                "export {name}\n{name}: func i64, i64:a\nlocal i64:v\nmov {ty}:{at}, 5\n\
                 mov {ty}:{}, 0\nmov v, {ty}:(a)\n{branch} end_{name}, v\nret 3\n\
                 end_{name}: ret 4\nendfunc\n",
                at + 8
            );
            for address in addresses(bytes).into_iter().chain([at, at + 8]) {
                let taken = (address == at) == (branch == "bt");
                let expected = match is_inside(address, bytes) {
                    true => Ok(3 + i64::from(taken)),
                    false => Err((Reason::BadAddress(address as u64), 2)),
                };
                // The value is known only there.
                if expected.is_err() || address == at || address == at + 8 {
                    names.push((name.clone(), address, expected));
                }
            }
        }
    }
    // The results are those of 2.5, which is at the address, and 7, truncated.
    for (op, order, result) in [
        ("dadd", "w, x", 9),
        ("dadd", "x, w", 9),
        ("dsub", "w, x", 4),
        ("dsub", "x, w", -4),
        ("dmul", "w, x", 17),
        ("dmul", "x, w", 17),
    ] {
        for (form, place) in [("plain", "d:(a)"), ("indexed", "d:-24(a, i, 8)")] {
            let name = format!("{op}_{form}_{}", result.to_string().replace('-', "less_"));
            let name = format!("{name}_{}", &order[..1]);
            text += &format!(
                "export {name}\n{name}: func i64, i64:a\nlocal i64:i, i64:r, d:w, d:x, d:y\n\
                 dmov d:{at}, 2.5\nand i, a, 0\nadd i, i, 3\ndmov w, 7.0\n\
                 dmov x, {place}\n{op} y, {order}\nd2i r, y\nret r\nendfunc\n"
            );
            for address in addresses(8) {
                if !is_inside(address, 8) {
                    let expected = Err((Reason::BadAddress(address as u64), 4));
                    names.push((name.clone(), address, expected));
                }
            }
            names.push((name, at, Ok(result)));
        }
    }
    text += "endmodule\n";
    for (name, address, expected) in &names {
        cases.push((&name[..], vec![*address], *expected));
    }
    for options in all_options() {
        check(setup(&text, options), &cases);
    }
}

#[test]
fn long_doubles_keep_to_memory() {
    let text = "m: module
export store
export load
store: func i64, i64:a
 ldmov ld:(a), 1.5L
 ret 1
endfunc
load: func i64, i64:a
 local ld:l, i64:r
 ldmov l, ld:(a)
 ld2i r, l
 ret 2
endfunc
endmodule
";
    let bytes = i64::from(Type::Ld.size());
    let mut cases = Vec::new();
    for (name, result) in [("store", 1), ("load", 2)] {
        for address in addresses(bytes) {
            let expected = match is_inside(address, bytes) {
                true => Ok(result),
                false => bad_address(address),
            };
            cases.push((name, vec![address], expected));
        }
    }
    for options in all_options() {
        check(setup(text, options), &cases);
    }
}

#[test]
fn addresses_wrap_as_sums_of_64_bits() {
    let forms = [
        (0, 1),
        (0, 8),
        (8, 255),
        (-8, 3),
        (FIRST, 2),
        (i64::MAX, 1),
        (i64::MIN, 4),
        (1 << 32, 16),
        (-(1 << 32), 255),
    ];
    let mut text = String::from("m: module\n");
    let mut names = Vec::new();
    for (number, (disp, scale)) in forms.iter().enumerate() {
        text += &format!(
            "export at{number}\nat{number}: func i64, i64:a, i64:b\nlocal i64:r\nmov r, u8:{disp}(a, b, {scale})\nret r\nendfunc\n"
        );
        names.push(format!("at{number}"));
    }
    text += "endmodule\n";
    let memory = pattern(BYTES);
    let mut cases = Vec::new();
    for ((disp, scale), name) in forms.iter().zip(&names) {
        for index in [0, 1, -1, 16, 1 << 61, i64::MAX, i64::MIN] {
            let offset = index.wrapping_mul(*scale).wrapping_add(*disp);
            for address in [FIRST, END - 1, END, FIRST - 1, 0] {
                for base in [address, address.wrapping_sub(offset)] {
                    let address = base.wrapping_add(offset);
                    let expected = match is_inside(address, 1) {
                        true => Ok(i64::from(memory[(address - FIRST) as usize])),
                        false => bad_address(address),
                    };
                    cases.push((&name[..], vec![base, index], expected));
                }
            }
        }
    }
    for options in all_options() {
        check(setup(&text, options), &cases);
    }
}

#[test]
fn blocks_are_copied_from_memory_alone() {
    let text = "m: module
export pass
export give
export store
small: proto i64, blk:13(k)
large: proto i64, blk:100(k)
back: proto rblk:24(k)
list: proto i64, i64:a, ...
first: func i64, blk:13(k)
 ret u8:(k)
endfunc
last: func i64, blk:100(k)
 mov u8:1(k), 9
 ret u8:99(k)
endfunc
fill: func rblk:24(k)
 mov i64:16(k), 0
 ret
endfunc
take: func i64, i64:a, ...
 local i64:l, i64:r
 alloca l, 32
 va_start l
 va_block_arg a, l, 100, 0
 ret 5
endfunc
pass: func i64, i64:a
 local i64:r, i64:s
 call small, first, r, blk:13(a)
 call large, last, s, blk:100(a)
 add r, r, s
 ret r
endfunc
give: func i64, i64:a
 call back, fill, rblk:24(a)
 ret 4
endfunc
store: func i64, i64:a, i64:b
 local i64:r
 call list, take, r, a, blk:100(b)
 ret r
endfunc
endmodule
";
    let memory = pattern(BYTES);
    let at = |address: i64| i64::from(memory[(address - FIRST) as usize]);
    let in_function = |name: &str, number, address: i64| {
        Err((
            Reason::BadAddress(address as u64),
            name.to_owned(),
            Some(number),
        ))
    };
    let ok = |address: i64| Ok(at(address) + at(address + 99));
    let cases: Vec<(&str, Vec<i64>, Result<i64, Place>)> = vec![
        ("pass", vec![FIRST], ok(FIRST)),
        ("pass", vec![FIRST - 1], in_function("first", 0, FIRST - 1)),
        ("pass", vec![END - 12], in_function("first", 0, END - 12)),
        ("pass", vec![END - 99], in_function("last", 0, END - 99)),
        ("pass", vec![-1], in_function("first", 0, -1)),
        ("pass", vec![0], in_function("first", 0, 0)),
        ("give", vec![FIRST + 2000], Ok(4)),
        ("give", vec![END - 23], in_function("fill", 0, END - 7)),
        ("store", vec![FIRST + 500, FIRST + 900], Ok(5)),
        (
            "store",
            vec![END - 99, FIRST + 900],
            in_function("take", 2, END - 99),
        ),
        (
            "store",
            vec![FIRST, END - 99],
            in_function("store", 0, END - 99),
        ),
        ("store", vec![-50, FIRST], in_function("take", 2, -50)),
    ];
    let calls = { cases.iter() }
        .map(|case| (case.0, case.1.clone()))
        .collect();
    let setup = Setup {
        calls,
        ..setup(text, confined::Options::default())
    };
    let outcome = on_large_stack(|| setup.outcome());
    for (case, (found, _)) in cases.iter().zip(&outcome.calls) {
        assert_eq!(*found, case.2, "{} {:x?}", case.0, case.1);
    }
    assert_eq!(outcome.memory[500..600], memory[900..1000]);
}

#[test]
fn long_doubles_in_memory_hold_nothing_of_the_host() {
    // On x86_64 the last six of the sixteen bytes are no part of the value.
    let text = "m: module
export main
p: proto i64, i64:a, ...
bytes: bss 96
keep: func i64, i64:at, ...
 local i64:l, i64:a, ld:x
 alloca l, 32
 va_start l
 va_arg a, l, ld:0
 ldmov ld:32(at), ld:(a)
 ldmov x, ld:(a)
 ldadd ld:48(at), x, ld:(a)
 mov i64:88(at), i64:8(a)
 ret 0
endfunc
main: func i64, i64:n
 local i64:r, ld:x, ld:y, i64:a
 i2ld x, n
 ldadd y, x, 0.5L
 ldmov ld:4096, x
 ldmov ld:4112, y
 call p, keep, r, bytes, y
 ldmov y, x
 addr a, y
 mov i64:4168, i64:8(a)
 ret 0
endfunc
endmodule
";
    let outcome = check(
        setup(text, confined::Options::default()),
        &[("main", vec![5], Ok(0))],
    );
    if cfg!(target_arch = "x86_64") {
        for start in [0, 16, 32, 48, 64, 80] {
            let padding = &outcome.memory[start + 10..start + 16];
            assert_eq!(padding, [0; 6], "{start}: {:x?}", &outcome.memory[..96]);
        }
    }
}
