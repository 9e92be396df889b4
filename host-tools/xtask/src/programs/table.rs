//! The programs, one row each: where the sources are, what is compiled with which options, and the
//! script that runs what comes out.

use super::ways::{Engine, Way};
use crate::isa::Isa;

/// The place that the sources of a program come from.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// A source package of Debian, and a shell script that makes in its directory what its own
    /// build would make before compiling.
    Package {
        name: &'static str,
        prepare: &'static str,
    },
    /// `host-tools/xtask/programs`.
    Own,
}

/// A program.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) origin: Origin,
    /// The files to compile, in the sources' directory; `*` stands for any part of a file's name,
    /// and what begins with `!` is left out. The extension says the language.
    pub(super) files: &'static [&'static str],
    /// Options of all compilers, which run in the sources' directory.
    pub(super) options: &'static [&'static str],
    /// A shell script that runs the program, which is `"$@"`, in an empty directory. `$SOURCES` is
    /// the sources' directory and `$OWN` that of our scripts. What it prints and how it ends must
    /// be the same in every way.
    pub(super) script: &'static str,
    /// The ISAs beside this machine's own on which it is run, emulated.
    pub(super) emulated: &'static [&'static str],
    /// True if it is also run as objects.
    pub(super) has_objects: bool,
}

impl Program {
    /// True if the program is run in a way.
    pub(super) fn runs_in(&self, way: &Way) -> bool {
        self.has_objects || !matches!(way.engine, Engine::Objects(_))
    }

    /// True if the program is run on an ISA.
    pub(super) fn runs_on(&self, isa: Isa) -> bool {
        isa.is_host() || self.emulated.contains(&isa.name())
    }
}

/// A package that needs no preparation.
const fn package(name: &'static str) -> Origin {
    Origin::Package { name, prepare: "" }
}

const EVERYWHERE: &[&str] = &["aarch64", "ppc64le", "riscv64", "s390x", "x86_64"];

/// Every program.
pub(super) static PROGRAMS: [Program; 13] = [
    Program {
        name: "lua",
        origin: Origin::Package {
            name: "lua5.4",
            // Debian's patches include a file that its build makes.
            prepare: r#"echo '#define DEB_HOST_MULTIARCH "any"' > src/lua5.4-deb-multiarch.h"#,
        },
        files: &["src/*.c", "!src/luac.c"],
        options: &["-DLUA_USE_POSIX"],
        script: r#""$@" "$OWN/program.lua""#,
        emulated: EVERYWHERE,
        has_objects: true,
    },
    Program {
        name: "sqlite",
        origin: Origin::Package {
            name: "sqlite3",
            prepare: "./configure --disable-tcl && make sqlite3.c shell.c",
        },
        files: &["sqlite3.c", "shell.c"],
        options: &["-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_THREADSAFE=0"],
        script: r#""$@" :memory: < "$OWN/program.sql""#,
        emulated: &[],
        has_objects: true,
    },
    Program {
        name: "zlib",
        origin: package("zlib"),
        files: &["*.c", "test/minigzip.c"],
        options: &["-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE", "-I."],
        script: r#"cat "$SOURCES"/*.[ch] > plain; cat plain plain plain > input
            "$@" -9 < input > packed; cksum < packed
            "$@" -d < packed | cmp - input"#,
        emulated: EVERYWHERE,
        has_objects: true,
    },
    Program {
        name: "bzip2",
        origin: package("bzip2"),
        files: &[
            "blocksort.c",
            "huffman.c",
            "crctable.c",
            "randtable.c",
            "compress.c",
            "decompress.c",
            "bzlib.c",
            "bzip2.c",
        ],
        options: &["-D_FILE_OFFSET_BITS=64"],
        // A larger file, and what `make test` does.
        script: r#"cat "$SOURCES"/*.[ch] "$SOURCES"/*.html "$SOURCES"/*.ps > input
            "$@" -9 < input > packed; cksum < packed; "$@" -d < packed | cmp - input
            for n in 1 2 3; do
                "$@" -$n < "$SOURCES/sample$n.ref" > packed; cmp packed "$SOURCES/sample$n.bz2"
                "$@" -d < packed > plain; cmp plain "$SOURCES/sample$n.ref"
                cksum packed plain
            done"#,
        emulated: EVERYWHERE,
        has_objects: true,
    },
    Program {
        name: "zstd",
        origin: package("libzstd"),
        files: &[
            "lib/common/*.c",
            "lib/compress/*.c",
            "lib/decompress/*.c",
            "lib/dictBuilder/*.c",
            "programs/*.c",
        ],
        options: &[
            "-DZSTD_DISABLE_ASM",
            "-DZSTD_LEGACY_SUPPORT=0",
            "-DZSTD_MULTITHREAD",
            "-DXXH_NAMESPACE=ZSTD_",
        ],
        script: r#"cat "$SOURCES"/lib/*/*.[ch] > input
            for level in 1 5 12; do
                "$@" -q -c -T2 -$level input > packed; cksum < packed
                "$@" -q -c -d packed | cmp - input
            done"#,
        emulated: &["aarch64", "s390x"],
        has_objects: true,
    },
    Program {
        name: "lz4",
        origin: package("lz4"),
        files: &["lib/*.c", "programs/*.c"],
        options: &["-DXXH_NAMESPACE=LZ4_", "-Ilib"],
        script: r#"cat "$SOURCES"/*/*.[ch] > plain; cat plain plain plain plain > input
            for level in 1 9 12; do
                "$@" -q -$level -c input > packed; cksum < packed
                "$@" -q -d -c packed | cmp - input
            done"#,
        emulated: EVERYWHERE,
        has_objects: true,
    },
    Program {
        name: "cjson",
        origin: package("cjson"),
        files: &["cJSON.c", "test.c"],
        options: &[],
        // Its own test program.
        script: r#""$@""#,
        emulated: EVERYWHERE,
        has_objects: true,
    },
    Program {
        name: "jq",
        origin: Origin::Package {
            name: "jq",
            // The first two are what its makefile makes; the third says which functions the C
            // library has: all that are asked for, but one.
            prepare: r#"sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' \
                    src/builtin.jq > src/builtin.inc
                echo '#define JQ_VERSION "1.6"' > src/version.h
                grep -oh 'HAVE_[A-Z0-9_]*' src/libm.h | sort -u | grep -v POW10 | sed 's/.*/#define & 1/' \
                    > src/functions.h"#,
        },
        files: &["src/*.c", "!src/inject_errors.c"],
        options: &[
            "-D_GNU_SOURCE",
            "-DHAVE_MEMMEM",
            "-DIEEE_8087",
            "-I.",
            "-include",
            "src/functions.h",
        ],
        // The first eighty of its own tests: before each it starts anew.
        script: r#"sed '/^# Variables/,$d' "$SOURCES/tests/jq.test" > tests
            "$@" --run-tests tests"#,
        emulated: &["aarch64"],
        has_objects: true,
    },
    Program {
        name: "mujs",
        origin: package("mujs"),
        files: &["one.c", "main.c"],
        options: &[],
        script: r#""$@" "$OWN/program.js""#,
        emulated: EVERYWHERE,
        has_objects: true,
    },
    Program {
        name: "duktape",
        origin: package("duktape"),
        files: &[
            "src/duktape.c",
            "examples/cmdline/duk_cmdline.c",
            "extras/print-alert/duk_print_alert.c",
        ],
        options: &[
            "-DDUK_CMDLINE_PRINTALERT_SUPPORT",
            "-Isrc",
            "-Iexamples/cmdline",
            "-Iextras/print-alert",
        ],
        script: r#""$@" "$OWN/program.js""#,
        emulated: EVERYWHERE,
        has_objects: true,
    },
    Program {
        name: "tcc",
        origin: Origin::Package {
            name: "tcc",
            prepare: "./configure",
        },
        files: &["tcc.c"],
        options: &["-DONE_SOURCE=1", "-DTCC_TARGET_X86_64", "-I."],
        // It compiles itself and its own tests, for x86_64 wherever it runs.
        script: r#"set -- "$@" -c -o made.o -I"$SOURCES/include" -I/usr/include/x86_64-linux-gnu
            "$@" -DONE_SOURCE=1 -DTCC_TARGET_X86_64 -I"$SOURCES" "$SOURCES/tcc.c"; cksum < made.o
            for file in "$SOURCES"/tests/tests2/0*.c; do "$@" "$file"; cksum < made.o; done"#,
        emulated: &["aarch64", "riscv64"],
        has_objects: true,
    },
    Program {
        name: "cxx",
        origin: Origin::Own,
        files: &["program.cpp"],
        options: &["-std=c++17"],
        script: r#""$@""#,
        // Cross compilers for C++ are not among what the set-up installs.
        emulated: &[],
        has_objects: true,
    },
    Program {
        name: "rust",
        origin: Origin::Own,
        files: &["program.rs"],
        options: &[],
        script: r#""$@""#,
        emulated: EVERYWHERE,
        // Objects cannot use thread-local variables of a shared library, as `HashMap` does
        // (docs/import.md).
        has_objects: false,
    },
];
