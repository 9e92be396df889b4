//! Every form that is read, with its printed form.

use crate::{print_all, read, reprint};
use mir_nostd::ir::{ArgSpec, Code, Module, Operand, SignatureSpec, Type};
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::text;

/// Returns the printed form of an instruction in a function that has registers of all types.
fn insn(source: &str) -> String {
    let head = "m: module\nimport item\nf: func i64:a, i64:b\nlocal f:x, d:y, ld:z\n";
    let printed = reprint(format!("{head}{source}\nret\nendfunc\nendmodule\n"));
    let (_, body) = printed.split_once("0 globals\n").unwrap();
    let (insn, _) = body.split_once("\n\tret\n").unwrap();
    insn.trim_start().replace('\t', " ")
}

fn check(forms: &[(&str, &str)]) {
    for (source, printed) in forms {
        assert_eq!(insn(source), *printed, "{source}");
        assert_eq!(insn(printed), *printed, "what is printed reads back");
    }
}

#[test]
fn integers() {
    for (source, printed) in [
        ("0", "0"),
        ("-0", "0"),
        ("+7", "7"),
        ("017", "15"),
        ("0x1F", "31"),
        ("0Xff", "255"),
        ("0x_ff", "255"),
        ("1_000", "1000"),
        ("1__0", "10"),
        ("1_", "1"),
        ("-0x10", "-16"),
        ("123456789012345678", "123456789012345678"),
        ("1234567890123456789", "1234567890123456789"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "-9223372036854775808"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "-1"),
        ("18446744073709551616", "-1"),
        ("99999999999999999999", "-1"),
        ("0xffffffffffffffffffff", "-1"),
        ("01777777777777777777777", "-1"),
    ] {
        let source = format!("mov a, {source}");
        assert_eq!(insn(&source), format!("mov a, {printed}"), "{source}");
    }
}

#[test]
fn floating_literals() {
    let e24 = |digits: &str, end: &str| format!("{digits}{}{end}", "0".repeat(26 - digits.len()));
    for (source, printed) in [
        ("1.5f", e24("1.5", "e+00f")),
        ("1.F", e24("1.", "e+00f")),
        ("-2e1f", e24("-2.", "0e+01f")),
        ("1_0.2_5f", e24("1.025", "e+01f")),
        ("08.5f", e24("8.5", "e+00f")),
        ("1e-1_0f", "1.000000013351431960018090e-10f".to_string()),
        ("16777217.0f", e24("1.6777216", "e+07f")),
        ("1e9999f", "1e9999f".to_string()),
        ("-1e39f", "-1e9999f".to_string()),
    ] {
        let source = format!("fmov x, {source}");
        assert_eq!(insn(&source), format!("fmov x, {printed}"), "{source}");
    }
    let zeros = |count| "0".repeat(count);
    check(&[
        ("dmov y, 1.0", &format!("dmov y, 1.{}e+00", zeros(53))),
        ("dmov y, -25e-1", &format!("dmov y, -2.5{}e+00", zeros(52))),
        ("ldmov z, 1e0L", &format!("ldmov z, 1.{}e+00L", zeros(64))),
        ("ldmov z, 0.5l", &format!("ldmov z, 5.{}e-01L", zeros(64))),
    ]);
}

#[test]
fn infinities_and_nans_read_back() {
    check(&[
        ("dmov y, 1e9999", "dmov y, 1e9999"),
        ("dmov y, inf", "dmov y, 1e9999"),
        ("dmov y, -inf", "dmov y, -1e9999"),
        ("dmov y, +inf", "dmov y, 1e9999"),
        ("fmov x, inff", "fmov x, 1e9999f"),
        ("fmov x, -inff", "fmov x, -1e9999f"),
        ("ldmov z, infL", "ldmov z, 1e9999L"),
        ("ldmov z, -infl", "ldmov z, -1e9999L"),
        ("dmov y, nan", "dmov y, nan(0x7ff8000000000000)"),
        ("dmov y, -nan", "dmov y, nan(0xfff8000000000000)"),
        ("fmov x, nanf", "fmov x, nan(0x7fc00000)f"),
        ("fmov x, -nanf", "fmov x, nan(0xffc00000)f"),
        ("ldmov z, nanL", "ldmov z, nan(0x7fffc000000000000000)L"),
        ("ldmov z, -nanL", "ldmov z, nan(0xffffc000000000000000)L"),
        (
            "dmov y, nan(0X7FF0000000000001)",
            "dmov y, nan(0x7ff0000000000001)",
        ),
        ("fmov x, nan(0xff800001)F", "fmov x, nan(0xff800001)f"),
        (
            "ldmov z, nan(0x7fff8000000000000001)l",
            "ldmov z, nan(0x7fff8000000000000001)L",
        ),
    ]);
}

#[test]
fn names_come_before_the_words_for_infinity_and_nan() {
    let source = "m: module\nnan: d nan, -inf\nf: func\nlocal d:inf\ndmov inf, inf\nmov i64:0, nan\nret\nendfunc\nendmodule\n";
    let printed = reprint(source);
    assert!(
        printed.contains("\tdmov\tinf, inf\n\tmov\ti64:0, nan\n"),
        "{printed}"
    );
    assert!(
        printed.contains("nan:\td\tnan(0x7ff8000000000000), -1e9999\n"),
        "{printed}"
    );
}

#[test]
fn memory() {
    check(&[
        ("mov i8:5, a", "mov i8:5, a"),
        ("mov u8:(a), b", "mov u8:(a), b"),
        ("mov i16:-8(a), b", "mov i16:-8(a), b"),
        ("mov u16:0(a), b", "mov u16:(a), b"),
        ("mov i32:(a, b), b", "mov i32:(a, b), b"),
        ("mov u32:(a, b, 1), b", "mov u32:(a, b), b"),
        ("mov i64:(a, b, 8), b", "mov i64:(a, b, 8), b"),
        ("mov i64:(a, b, 16), b", "mov i64:(a, b, 16), b"),
        ("mov u64:(, b), b", "mov u64:(, b), b"),
        ("mov p:4(,b,2), b", "mov p:4(, b, 2), b"),
        ("mov p:(), b", "mov p:0, b"),
        ("mov p:7(), b", "mov p:7, b"),
        (
            "mov i64 : 8 ( a , b , 2 ) : A : N, b",
            "mov i64:8(a, b, 2):A:N, b",
        ),
        ("mov i64:(a):A, b", "mov i64:(a):A, b"),
        ("mov i64:0::N, b", "mov i64:0::N, b"),
        (
            "mov i64:9223372036854775807(a), b",
            "mov i64:9223372036854775807(a), b",
        ),
        ("fmov f:(a), x", "fmov f:(a), x"),
        ("dmov d:(a), y", "dmov d:(a), y"),
        ("ldmov ld:(a), z", "ldmov ld:(a), z"),
        (
            "call item, item, blk:16(a), blk4:0(b), rblk:8(a)",
            "call item, item, blk0:16(a), blk4:(b), rblk:8(a)",
        ),
    ]);
}

#[test]
fn strings() {
    check(&[
        (r#"mov a, """#, r#"mov a, """#),
        (r#"mov a, "a""#, r#"mov a, "a\000""#),
        (r#"mov a, "a\000""#, r#"mov a, "a\000""#),
        (r#"mov a, "a\0\0""#, r#"mov a, "a\000\000""#),
        (
            r#"mov a, "\n\t\v\a\b\f\r""#,
            r#"mov a, "\n\t\v\a\b\f\015\000""#,
        ),
        (r#"mov a, "\\\'\"\q\8""#, r#"mov a, "\\'\"q8\000""#),
        (
            r#"mov a, "\101\1\12a\777\x41\xfF""#,
            r#"mov a, "A\001\na\377A\377\000""#,
        ),
        ("mov a, \"one\\\ntwo\"", r#"mov a, "onetwo\000""#),
        ("mov a, \"one\\\r\ntwo\"", r#"mov a, "onetwo\000""#),
        (
            "mov a, \"# ; : \u{e9}\"",
            r##"mov a, "# ; : \303\251\000""##,
        ),
    ]);
}

#[test]
fn statements_and_lines() {
    let plain = "m:\tmodule\nb:\tbss\t8\nf:\tfunc\t\n\n# 0 args, 0 locals, 0 globals\nL1:\nL2:\n\tjmp\tL1\n\tendfunc\n\tendmodule\n";
    for source in [
        "m: module\nb: bss 8\nf: func\nx: y: jmp x\nendfunc\nendmodule\n",
        "m:module;b:bss 8;f:func;x:y:jmp x;endfunc;endmodule;",
        "m: module # comment\n\n  # another\nb: bss 8\nf: func\nx:\n\n# blank lines\ny:\njmp x,\nendfunc\nendmodule",
        "m: module\r\nb: bss 8\r\nf: func\r\nx: y: jmp x\r\nendfunc\r\nendmodule\r\n",
        "m : module\nb:\nbss 8\nf:\n\nfunc\nlocal\nx : y : jmp x ; endfunc\nimport\nendmodule\n",
    ] {
        assert_eq!(reprint(source), plain, "{source}");
    }
    assert_eq!(reprint(""), "");
    assert_eq!(reprint("# nothing"), "");
}

#[test]
fn words_of_the_language_are_names_too() {
    let source = "add: module\ni64: bss 8\nmodule: func i64:func, d:d\nlocal i64:i64, i64:nan, ld:local\nmov: mov i64, i64:(func)\nadd nan, i64, func\nbt mov, nan\nmov i64, module\nret\nendfunc\nendmodule\n";
    let printed = reprint(source);
    for line in [
        "L1:\n\tmov\ti64, i64:(func)\n",
        "\tadd\tnan, i64, func\n\tbt\tL1, nan\n\tmov\ti64, module\n",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
}

#[test]
fn forms_of_the_language_document() {
    let source = "m: module\nb: bss 8\nr: ref b\nf: func\nlocal i64:v:rbx, d:w\nglobal i64:u:rbx, i64:x:r12\nmov v, u\nret\nendfunc\nendmodule\n";
    let printed = reprint(source);
    assert!(printed.contains("r:\tref\tb, 0\n"));
    let variables = "\tlocal\td:w\n\tglobal\ti64:v:rbx, i64:u:rbx, i64:x:r12\n\n# 0 args, 1 local, 3 globals\n\tmov\tv, u\n";
    assert!(printed.contains(variables), "{printed}");
}

#[test]
fn variables_are_printed_eight_to_a_line() {
    for (count, lines) in [(1, 1), (8, 1), (9, 2), (17, 3)] {
        let names: Vec<_> = (0..count).map(|number| format!("i64:t{number}")).collect();
        let source = format!(
            "m: module\nf: func i64:a\nlocal {}\nret\nendfunc\nendmodule\n",
            names.join(", ")
        );
        let printed = reprint(source);
        let expected: Vec<_> = names
            .chunks(8)
            .map(|line| format!("\tlocal\t{}", line.join(", ")))
            .collect();
        let found: Vec<_> = printed
            .lines()
            .filter(|line| line.starts_with("\tlocal"))
            .collect();
        assert_eq!(
            (found.len(), &found[..]),
            (
                lines,
                &expected.iter().map(String::as_str).collect::<Vec<_>>()[..]
            )
        );
        assert!(printed.contains(&format!(
            "\n\n# 1 arg, {count} local{}, 0 globals\n",
            if count == 1 { "" } else { "s" }
        )));
    }
}

#[test]
fn labels_are_numbered_by_first_mention_through_all_modules() {
    let source = "a: module\nl: lref z\nf: func\njmp y\nx: jmp x\ny: jmp x\nz: jmp z\nendfunc\nendmodule\nb: module\nf: func\nx: jmp x\nendfunc\nendmodule\n";
    let printed = reprint(source);
    for part in [
        "l:\tlref\tL1\n",
        "\tjmp\tL2\nL3:\n\tjmp\tL3\nL2:\n\tjmp\tL3\nL1:\n\tjmp\tL1\n",
        "b:\tmodule\nf:\tfunc\t\n\n# 0 args, 0 locals, 0 globals\nL4:\n\tjmp\tL4\n",
    ] {
        assert!(printed.contains(part), "{printed}");
    }
}

#[test]
fn data_is_truncated_to_its_type() {
    let printed = reprint(
        "m: module\ni8 300, -1\nu8 -1\nu16 65537\nu64 -1\nf -0.0f\np -1\nu8 1, 0\ni8 0\nstring \"\"\nendmodule\n",
    );
    let expected = "\ti8\t44, -1\n\tu8\t255\n\tu16\t1\n\tu64\t18446744073709551615\n\tf\t-0.000000000000000000000000e+00f\n\tp\t0xffffffffffffffff\n\tu8\t1, 0 # \"\\001\\000\"\n\ti8\t0\n\tu8\t\n";
    assert!(printed.contains(expected), "{printed}");
    assert_eq!(reprint(&printed), printed);
}

#[test]
fn long_double_is_double_where_the_target_has_no_other() {
    let source = "m: module\np: proto ld, ld:a\nv: ld 1.5L, 2.5\nf: func\nlocal ld:x\nldmov x, 0.5L\nldadd x, x, ld:0\nd2ld x, x\nret\nendfunc\nendmodule\n";
    let printed = print_all(&read(source, LongDoubleFormat::Double).unwrap());
    let zeros = "0".repeat(52);
    for part in [
        "p:\tproto\td, d:a\n".to_string(),
        format!("v:\td\t1.5{zeros}e+00, 2.5{zeros}e+00\n"),
        format!(
            "\tlocal\td:x\n\n# 0 args, 1 local, 0 globals\n\tdmov\tx, 5.{zeros}0e-01\n\tdadd\tx, x, d:0\n\tdmov\tx, x\n"
        ),
    ] {
        assert!(printed.contains(&part), "{printed}");
    }
}

#[test]
fn parts_are_printed_alone() {
    let system = testkit::SystemAllocator;
    let mut module = Module::new(&system, b"m", LongDoubleFormat::X87).unwrap();
    let args = [ArgSpec::new(Type::I64, "a")];
    let string = module.add_str(b"hi\0").unwrap();
    let mut func = module
        .build_func(
            "f",
            SignatureSpec {
                args: &args,
                ..Default::default()
            },
        )
        .unwrap();
    let a = func.arg(0);
    let insn = func.emit(Code::Add, (a, a, 1_u64 << 63)).unwrap();
    let func = func.finish().unwrap();
    let item = module.func(func).item;
    let collect = |print: &dyn Fn(&mut text::Sink<'_>)| {
        let mut out = Vec::new();
        print(&mut |bytes| {
            out.extend_from_slice(bytes);
            Ok(())
        });
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        collect(&|out| text::print_insn(&module, func, insn, out).unwrap()),
        "\tadd\ta, a, 9223372036854775808\n"
    );
    assert_eq!(
        collect(&|out| text::print_operand(&module, func, Operand::Reg(a), out).unwrap()),
        "a"
    );
    assert_eq!(
        collect(&|out| text::print_string(&module, string, out).unwrap()),
        "\"hi\\000\""
    );
    let printed = collect(&|out| text::print_item(&module, item, out).unwrap());
    assert_eq!(
        printed,
        "f:\tfunc\ti64:a\n\n# 1 arg, 0 locals, 0 globals\n\tadd\ta, a, 9223372036854775808\n\tret\n\tendfunc\n"
    );
}
