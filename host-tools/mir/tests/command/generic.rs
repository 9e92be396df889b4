//! `machine --generic`: functions before selection, as LLVM's `GlobalISel` takes them.

use super::AHEAD;

#[test]
fn generic_machine_ir_is_printed_as_llvm_s_global_isel_takes_it() {
    for (target, call) in [
        ("aarch64", "    BL @ext, csr_aarch64_aapcs, "),
        (
            "riscv64",
            "    PseudoCALL target-flags(riscv-call) @ext, csr_ilp32d_lp64d, ",
        ),
        ("x86_64", "    CALL64pcrel32 @ext, csr_64, "),
    ] {
        let stop = "--stop-after=translate";
        let printed = mir!(
            AHEAD,
            "machine",
            "-O1",
            "--generic",
            "--target",
            target,
            stop
        );
        assert_eq!((printed.status, printed.err.as_str()), (0, ""));
        let text = printed.text();
        assert!(text.lines().any(|line| line.starts_with(call)), "{text}");
        assert!(text.contains(":_(s64) = G_ADD %"), "{text}");
        let verified = mir!(printed.out, "llvm", "verify");
        assert_eq!((verified.status, verified.err.as_str()), (0, ""));
    }
    let elsewhere = mir!(
        AHEAD,
        "machine",
        "--generic",
        "--target=s390x",
        "--stop-after=translate"
    );
    assert_eq!(elsewhere.status, 1);
}

/// Labels as data, a long double, variable arguments, and data that only an expression computes.
const GENERIC: &str = "m:\tmodule
\tforward\twhere
\texport\tf
f:\tfunc\tld, i64:n, ...
\tlocal\ti64:a, i64:list, ld:x
\talloca\tlist, 64
\tva_start\tlist
\tmov\ta, where
\tmov\ta, i64:(a)
\tjmpi\ta
one:
\tldadd\tx, 1.5l, 2.5l
\tret\tx
two:
\tldneg\tx, 3.0l
\tret\tx
\tendfunc
where:\tlref\tone
apart:\tlref\ttwo, one, 4
seven:\tfunc\ti64
\tret\t7
\tendfunc
given:\texpr\tseven
\tendmodule
";

#[test]
fn generic_machine_ir_leaves_out_what_has_no_form_only_if_told() {
    for target in ["aarch64", "riscv64", "x86_64"] {
        let args = [
            "machine",
            "--generic",
            "--target",
            target,
            "--stop-after=translate",
        ];
        let refused = mir!(GENERIC, args[0], args[1], args[2], args[3], args[4]);
        assert_eq!(refused.status, 1);
        assert!(refused.err.contains(":23:"), "{}", refused.err);
        assert!(
            refused.err.contains("given: data that an expression gives"),
            "{}",
            refused.err
        );
        let printed = mir!(
            GENERIC,
            args[0],
            args[1],
            args[2],
            args[3],
            args[4],
            "--skip-unsupported"
        );
        assert_eq!(printed.status, 0);
        assert!(printed.err.contains("warning: "), "{}", printed.err);
        let text = printed.text();
        for part in [
            "getelementptr (i8, ptr blockaddress(@f, %b",
            "i64 sub (i64 ptrtoint (ptr blockaddress(@f, %b",
            "(ir-block-address-taken %ir-block.b",
            "define internal void @mir.va_start()",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let verified = mir!(printed.out, "llvm", "verify");
        assert_eq!((verified.status, verified.err.as_str()), (0, ""));
    }
}
