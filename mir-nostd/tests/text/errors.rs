//! Errors with their position.

use crate::read;
use mir_nostd::ir::{Error, Place, Problem};
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::text::{self, MAX_ERRORS};
use testkit::SystemAllocator;

fn errors(source: impl AsRef<[u8]>) -> Vec<Error> {
    read(source, LongDoubleFormat::X87).expect_err("there are errors")
}

/// Line, column, length and problem of an error.
type Told = (u32, u32, u32, Problem);

fn places(source: impl AsRef<[u8]>) -> Vec<Told> {
    let place = |error: Error| match error.place {
        Place::Text { line, column, len } => (line, column, len, error.problem),
        other => panic!("{other:?}"),
    };
    errors(source).into_iter().map(place).collect()
}

/// Returns the only error of a statement in a function: its column, length and problem.
fn in_func(statement: &str) -> (u32, u32, Problem) {
    let head = "m: module\nimport item\nf: func i64:a\nlocal d:y\n";
    let places = places(format!("{head}{statement}\nret\nendfunc\nendmodule\n"));
    let [(5, column, len, problem)] = places[..] else {
        panic!("{statement}: {places:?}");
    };
    (column, len, problem)
}

fn in_module(statement: &str) -> (u32, u32, Problem) {
    let places = places(format!("m: module\nb: bss 8\n{statement}\nendmodule\n"));
    let [(3, column, len, problem)] = places[..] else {
        panic!("{statement}: {places:?}");
    };
    (column, len, problem)
}

#[test]
fn tokens() {
    use Problem::*;
    for (statement, expected) in [
        ("mov a, 08", (8, 2, OctalDigit)),
        ("mov a, 0x", (8, 2, HexDigits)),
        ("mov a, 0x_", (8, 3, HexDigits)),
        ("mov a, 0xg", (8, 2, HexDigits)),
        ("mov a, 5u", (8, 2, NumberEnd)),
        ("mov a, 5l", (8, 2, IntegerSuffix)),
        ("mov a, 1f", (8, 2, IntegerSuffix)),
        ("mov a, 0b1", (8, 3, NumberEnd)),
        ("mov a, 0x1z", (8, 4, NumberEnd)),
        ("dmov y, 1.0x", (9, 4, NumberEnd)),
        ("dmov y, 1e", (9, 2, ExponentDigits)),
        ("dmov y, 1e+", (9, 3, ExponentDigits)),
        ("dmov y, 0x1.8", (9, 4, HexReal)),
        ("dmov y, .5", (9, 2, UndeclaredName)),
        ("mov a, - 5", (8, 1, NumberAfterSign)),
        ("mov a, -x", (8, 2, NumberAfterSign)),
        ("mov a, @", (8, 1, UnknownByte)),
        ("mov a, \x0b", (8, 1, UnknownByte)),
        ("mov a, \"abc", (8, 4, UnfinishedString)),
        ("mov a, \"b\\x4\"", (10, 2, HexEscape)),
        ("dmov y, nan(5)", (12, 1, NanBits)),
        ("dmov y, nan(0x7ff0000000000000)", (9, 3, NanBits)),
    ] {
        assert_eq!(in_func(statement), expected, "{statement}");
    }
}

#[test]
fn a_string_that_goes_on_over_lines_begins_at_its_quote() {
    let source = "m: module\nf: func i64:a\nmov a, \"abc\\\nret\nendfunc\nendmodule\n";
    assert_eq!(places(source), [(3, 8, 9, Problem::UnfinishedString)]);
}

#[test]
fn operands() {
    use Problem::*;
    for (statement, expected) in [
        ("mov a a", (7, 1, ExpectedComma)),
        ("mov , a", (5, 1, ExpectedOperand)),
        ("mov a,, a", (7, 1, ExpectedOperand)),
        ("mov a", (1, 3, OperandCount)),
        ("mov a, nothing", (8, 7, UndeclaredName)),
        ("mov a, i64:", (12, 0, ExpectedAddress)),
        ("mov a, i64:1.5", (12, 3, ExpectedAddress)),
        ("mov a, i46:(a)", (8, 3, UnknownType)),
        ("mov a, i64:(item)", (13, 4, UndeclaredReg)),
        ("mov a, i64:(a", (14, 0, ExpectedClose)),
        ("mov a, i64:(a   # no more", (14, 0, ExpectedClose)),
        ("mov a, i64:(a,)", (15, 1, ExpectedRegister)),
        ("mov a, i64:(a,a,)", (17, 1, Scale)),
        ("mov a, i64:(a,a,300)", (17, 3, Scale)),
        ("mov a, i64:(a,a,-1)", (17, 2, Scale)),
        ("mov a, i64:(a):5", (16, 1, ExpectedAlias)),
        ("mov a, i64:(a)::", (17, 0, ExpectedAlias)),
        ("mov a, blk:8(a)", (8, 3, BlockOutsideCall)),
        ("jmp 5", (5, 1, ExpectedLabel)),
        ("jmp nowhere", (5, 7, LabelUndefined)),
        ("laddr a, a", (10, 1, LabelUndefined)),
        ("nonsense a", (1, 8, UnknownStatement)),
        ("unspec", (1, 6, InternalInsn)),
        ("ensure a, 1, 4, 0", (1, 6, InternalInsn)),
        ("va_stack_arg a, a, 16", (1, 12, VaStackArg)),
        ("local i32:q", (11, 1, RegisterType)),
        ("local i64 q", (11, 1, ExpectedColon)),
        ("local x:q", (7, 1, UnknownType)),
        ("local i64:a", (11, 1, RepeatedReg)),
        ("local i64:hr12", (11, 4, ReservedRegName)),
        ("global i64:g", (13, 0, ExpectedHardReg)),
        ("x: local i64:g", (4, 5, LabelNotAllowed)),
        ("import z", (1, 6, ItemInFunction)),
        ("i64 5", (1, 3, ItemInFunction)),
        ("x: ; mov a, a", (4, 1, ExpectedStatement)),
        (";", (1, 1, ExpectedStatement)),
        ("mov a, 5;; mov a, a", (10, 1, ExpectedStatement)),
        ("5", (1, 1, ExpectedStatement)),
    ] {
        assert_eq!(in_func(statement), expected, "{statement}");
    }
}

#[test]
fn items() {
    use Problem::*;
    for (statement, expected) in [
        ("mov a, 5", (1, 3, OutsideFunction)),
        ("local i64:a", (1, 5, OutsideFunction)),
        ("endfunc", (1, 7, NoFunction)),
        ("proto i64", (1, 5, OneLabel)),
        ("x: y: bss 8", (7, 3, OneLabel)),
        ("x: import y", (4, 6, LabelNotAllowed)),
        ("import 5", (8, 1, ExpectedName)),
        ("import b", (8, 1, ImportOfDefinition)),
        ("b: bss 9", (1, 1, RepeatedItem)),
        ("bss", (4, 0, BssLength)),
        ("bss -1", (5, 2, BssLength)),
        ("bss 8 8", (7, 1, ExpectedEnd)),
        ("ref nothing, 0", (5, 7, UndeclaredName)),
        ("ref b, b", (8, 1, ExpectedInt)),
        ("lref 5", (6, 1, ExpectedLabel)),
        ("lref nowhere", (6, 7, LabelUndefined)),
        ("expr b", (6, 1, ExprFunction)),
        ("string 5", (8, 1, ExpectedString)),
        ("i8 1.5", (4, 3, DataValue)),
        ("d 1", (3, 1, DataValue)),
        ("f 1.5", (3, 3, DataValue)),
        ("d infL", (3, 4, DataValue)),
        ("i8 b", (4, 1, DataValue)),
        ("blk 5", (1, 3, DataType)),
        ("q: proto i64:a, i64", (17, 3, ResultAfterArg)),
        ("q: proto blk", (10, 3, ResultType)),
        ("q: proto blk:(a)", (14, 1, BlockArg)),
        ("q: proto blk:-1(a)", (14, 2, BlockSize)),
        ("q: proto blk:4294967296(a)", (14, 10, BlockSize)),
        ("q: proto 16:blk(a)", (10, 2, BlockArg)),
        ("q: proto 16", (10, 2, BlockArg)),
        ("q: proto ..., i64", (15, 3, DotsLast)),
        ("q: proto int", (10, 3, UnknownType)),
        ("q: func ...; endfunc", (1, 1, VarargWithoutFixed)),
        ("q: func i64:a, i64:a; endfunc", (20, 1, RepeatedReg)),
    ] {
        assert_eq!(in_module(statement), expected, "{statement}");
    }
}

#[test]
fn functions_and_modules_must_end() {
    use Problem::*;
    assert_eq!(places("import x\n"), [(1, 1, 6, OutsideModule)]);
    // It is told once; the rest may be no program at all.
    assert_eq!(
        places("import x\nmov a\n\nm: module\nmov a\nendmodule\n"),
        [(1, 1, 6, OutsideModule), (5, 1, 3, OutsideFunction)]
    );
    assert_eq!(places("m: modul\nf: func\n"), [(1, 4, 5, UnknownStatement)]);
    assert_eq!(places("module\nendmodule\n"), [(1, 1, 6, OneLabel)]);
    assert_eq!(places("m: module\n"), [(2, 1, 0, MissingEndmodule)]);
    assert_eq!(
        places("m: module\nendmodule m\n"),
        [(2, 11, 1, ExpectedEnd)]
    );
    assert_eq!(
        places("m: module\nn: module\nendmodule\n"),
        [(2, 4, 6, NestedModule)]
    );
    assert_eq!(
        places("m: module\nf: func\nret\ng: func\nret\nendfunc\nendmodule\n"),
        [(4, 4, 4, MissingEndfunc)]
    );
    assert_eq!(
        places("m: module\nf: func\nret\nendmodule\n"),
        [(4, 1, 9, MissingEndfunc)]
    );
    assert_eq!(
        places("m: module\nf: func\nret"),
        [(3, 4, 0, MissingEndfunc), (3, 4, 0, MissingEndmodule)]
    );
    assert_eq!(
        places("m: module\nf: func\nret\nx: endfunc\nendmodule\n"),
        [(4, 4, 7, LabelAtEnd)]
    );
}

/// A mistake is told once, and not what follows from it.
#[test]
fn mistakes_cause_no_others() {
    use Problem::*;
    let cases: [(&str, &[Told]); 17] = [
        // A variable of a wrong type, twice declared or tied to nothing is a variable.
        (
            "f: func\nlocal int:a, i64:b\nmov a, b\nendfunc\n",
            &[(3, 7, 3, UnknownType)],
        ),
        (
            "f: func\nlocal 64:a, i64:b\nmov a, b\nendfunc\n",
            &[(3, 7, 2, ExpectedType)],
        ),
        (
            "f: func\nlocal i32:a, i64:b\nmov a, b\nendfunc\n",
            &[(3, 11, 1, RegisterType)],
        ),
        (
            "f: func\nlocal i64 a, i64:b\nmov a, b\nendfunc\n",
            &[(3, 11, 1, ExpectedColon)],
        ),
        (
            "f: func\nglobal i64:a, i64:b:c\nmov a, b\nendfunc\n",
            &[(3, 13, 1, ExpectedHardReg)],
        ),
        (
            "f: func\nlocal i64:a, i64:a, i64:b\nmov a, b\nendfunc\n",
            &[(3, 18, 1, RepeatedReg)],
        ),
        (
            "f: func int:a, i64:b\nmov a, b\nendfunc\n",
            &[(2, 9, 3, UnknownType)],
        ),
        // An item that is wrong has its name all the same.
        ("q: proto int\nref q\n", &[(2, 10, 3, UnknownType)]),
        ("q: bss\nref q\n", &[(2, 7, 0, BssLength)]),
        ("q: strng \"\"\nref q\n", &[(2, 4, 5, UnknownStatement)]),
        ("import 5, q\nref q\n", &[(2, 8, 1, ExpectedName)]),
        // So has a label before a wrong instruction, or before none.
        (
            "f: func\njmp l\nl: mvo\njmp k\nk: 5\njmp e\ne: endfunc\n",
            &[
                (4, 4, 3, UnknownStatement),
                (6, 4, 1, ExpectedStatement),
                (8, 4, 7, LabelAtEnd),
            ],
        ),
        // The rest of a line is read.
        (
            "f: func\nmvo \"a;\"; l: jmp l; jmp l\nendfunc\n",
            &[(3, 1, 3, UnknownStatement)],
        ),
        // A word that was probably meant to begin or end something does so.
        (
            "f: fucn i64\nlocal i64:a\nmov a, 1\nret a\nendfunc\nref f\n",
            &[(2, 4, 4, UnknownStatement)],
        ),
        (
            "f: func\nret\nendfnc\np: proto\ng: func\nret\nendfunc\n",
            &[(4, 1, 6, UnknownStatement)],
        ),
        // A missing end is told once.
        (
            "f: func\nret\np: proto\nq: proto\ng: func\nret\nendfunc\n",
            &[(4, 4, 5, ItemInFunction)],
        ),
        (
            "f: func\nret\nendfunc\nendmodul\nn: module\n",
            &[(5, 1, 8, UnknownStatement)],
        ),
    ];
    for (body, expected) in cases {
        let text = format!("m: module\n{body}endmodule\n");
        assert_eq!(places(&text), expected, "{body}");
    }
}

#[test]
fn integers_that_do_not_fit_are_warned_of() {
    let text = b"m: module\ni64 18446744073709551615\ni64 18446744073709551616, 1\n\
        i64 0xFFFFFFFFFFFFFFFFF; endmodule\n";
    let mut told = Vec::new();
    let mut report = |error: Error| told.push((error.to_string(), error.problem.is_warning()));
    let parsed = text::parse(text, &SystemAllocator, LongDoubleFormat::X87, &mut report);
    assert!(parsed.is_ok());
    let sentence = "the integer does not fit in 64 bits: its value here is -1";
    let expected = ["3:5", "4:5"].map(|place| (format!("{place}: {sentence}"), true));
    assert_eq!(told, expected);
}

/// The C implementation reads a number there that means nothing. No part of the address is kept, so
/// that the access cannot succeed.
#[test]
fn names_as_displacement_are_warned_of_and_read_as_null() {
    let text = b"m: module\nf: func i64:a\nmov i64:a, 1\nmov a, u8:b(a, a, 4):x\nret\nendfunc\n\
        endmodule\n";
    let mut told = Vec::new();
    let mut report = |error: Error| told.push((error.place, error.problem));
    let parsed = text::parse(text, &SystemAllocator, LongDoubleFormat::X87, &mut report);
    let modules = parsed.expect("warnings only");
    let at = |line, column| {
        let place = Place::Text {
            line,
            column,
            len: 1,
        };
        (place, Problem::NameAsDisplacement)
    };
    assert_eq!(told, [at(3, 9), at(4, 11)]);
    let printed = crate::print_all(&modules);
    assert!(
        printed.contains("\tmov\ti64:0, 1\n\tmov\ta, u8:0:x\n"),
        "{printed}"
    );
}

#[test]
fn what_could_be_read_is_returned_beside_the_error() {
    let text = b"m: module\nf: func\nmvo\nendfunc\ng: func\nret\nendfunc\nendmodule\n";
    let format = LongDoubleFormat::X87;
    let parsed = text::parse_partly(text, &SystemAllocator, format, &mut |_| {});
    let error = parsed.error.expect("an error");
    assert_eq!(error.problem, Problem::UnknownStatement);
    assert_eq!(parsed.modules[0].funcs().count(), 2);
    // Nothing of what was not read to its end.
    let many = format!("m: module\n{}", "mvo\n".repeat(MAX_ERRORS));
    let parsed = text::parse_partly(many.as_bytes(), &SystemAllocator, format, &mut |_| {});
    assert!(parsed.error.is_some() && parsed.modules.is_empty());
}

#[test]
fn labels_belong_to_one_function() {
    use Problem::*;
    let source =
        "m: module\nf: func\nx: jmp y\nendfunc\ng: func\ny: jmp x\nx: jmp y\nendfunc\nendmodule\n";
    assert_eq!(
        places(source),
        [
            (3, 8, 1, LabelUndefined),
            (6, 8, 1, LabelOfOtherFunction),
            (7, 1, 1, LabelDefinedTwice)
        ]
    );
}

/// The error on the second example of the language's description says how to correct it.
#[test]
fn the_documents_example_is_told_what_to_write() {
    let source = b"m0:       module
f_p:\t  proto i64, 16:blk(a), ...
f:\t  func i64, 16:blk(a), ...
          local i64:r, i64:va, i64:a2
\t  alloca va, 32  # allocate enough space va_list
\t  va_start va
\t  va_stack_arg a2, va, 16 # get address of the 2nd blk arg
\t  add r, i64:0(a), i64:8(a2)
\t  ret r
main:\t  func
\t  local i64:a, i64:r
\t  alloca a, 16
          mov i64:0(a), 42
          mov i64:8(a), 24
\t  call f_p, f, r, blk:16(a), blk:16(a)
\t  ret r
\t  endfunc
          endmodule
";
    let told: Vec<_> = errors(source).iter().map(Error::to_string).collect();
    assert_eq!(
        told,
        [
            "2:19: a block is written `blk:SIZE(NAME)`",
            "3:16: a block is written `blk:SIZE(NAME)`",
            "7:4: there is no `va_stack_arg`: write `va_block_arg ADDRESS, VA_LIST, SIZE, CLASS`",
            "10:9: `endfunc` is missing before this",
        ]
    );
}

#[test]
fn a_nul_is_an_error_wherever_it_stands() {
    use Problem::*;
    for (statement, expected) in [
        ("mov a, \0", (8, 1, NulByte)),
        ("mov a, 1\0", (9, 1, NulByte)),
        (
            "mov a\0, 1 # the rest of the line goes with it",
            (6, 1, NulByte),
        ),
        ("mov a, \"b\0\"", (10, 1, NulByte)),
        ("mov a, \"b\\\0\"", (11, 1, NulByte)),
        ("mov a, 1 # note\0", (16, 1, NulByte)),
    ] {
        assert_eq!(in_func(statement), expected, "{statement:?}");
    }
    let behind = "m: module\nendmodule\0garbage";
    assert_eq!(places(behind), [(2, 10, 1, NulByte)]);
    assert_eq!(places("m: module\nendmodule\n\0"), [(3, 1, 1, NulByte)]);
    assert_eq!(places([0; 100_000]), [(1, 1, 1, NulByte)]);
}

#[test]
fn reading_stops_after_twenty_errors() {
    let nonsense = format!("m: module\n{}", "nonsense\n".repeat(100));
    assert_eq!(errors(nonsense).len(), MAX_ERRORS);
    let many = format!(
        "m: module\nf: func {}\nendfunc\nendmodule\n",
        "1:blk(a), ".repeat(100)
    );
    assert_eq!(errors(many).len(), MAX_ERRORS);
}

#[test]
fn columns_count_bytes_behind_strings_over_several_lines() {
    use Problem::*;
    let source = "m: module\nstring \"\u{e9}\\\n\\\n\"; \u{e9}\nbss x\nendmodule\n";
    assert_eq!(
        places(source),
        [(4, 4, 1, UnknownByte), (5, 5, 1, BssLength)]
    );
}
