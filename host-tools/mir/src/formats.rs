//! Files that are not programs in Medium IR: what they look like, and what to do with them.

/// A format that a file is in, in words, and what to do with such a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    pub(crate) what: &'static str,
    pub(crate) advice: &'static str,
}

const fn format(what: &'static str, advice: &'static str) -> Format {
    Format { what, advice }
}

const NOT_READ: &str = "`mir` reads Medium IR (`.mir`, `.bmir`) and LLVM IR as text (`.ll`)";
const UNPACK: &str = "unpack it first, and give the files in it to `mir`";
const ENCODE: &str = "save it as UTF-8 without a byte order mark";
const BITCODE: Format = format(
    "LLVM bitcode",
    "turn it into text with `llvm-dis FILE -o FILE.ll`, which `mir` reads",
);
const MACH_O: Format = format("a Mach-O file (machine code of macOS)", NOT_READ);

/// The first bytes of formats of which no text or binary file of Medium IR has them.
const MAGICS: [(&[u8], Format); 21] = [
    (b"BC\xC0\xDE", BITCODE),
    (b"\xDE\xC0\x17\x0B", BITCODE),
    (b"\xFE\xED\xFA\xCE", MACH_O),
    (b"\xFE\xED\xFA\xCF", MACH_O),
    (b"\xCE\xFA\xED\xFE", MACH_O),
    (b"\xCF\xFA\xED\xFE", MACH_O),
    (b"MZ", format("a program for Windows", NOT_READ)),
    (
        b"!<arch>\n",
        format(
            "an archive of object files",
            "link it with `cc`; `mir run -l` loads shared libraries",
        ),
    ),
    (b"\0asm", format("WebAssembly", NOT_READ)),
    (b"\x1F\x8B", format("a file packed by gzip", UNPACK)),
    (b"PK\x03\x04", format("a ZIP archive", UNPACK)),
    (b"\xFD7zXZ\0", format("a file packed by xz", UNPACK)),
    (b"\x28\xB5\x2F\xFD", format("a file packed by zstd", UNPACK)),
    (b"BZh", format("a file packed by bzip2", UNPACK)),
    (b"\x89PNG", format("a picture", NOT_READ)),
    (b"%PDF", format("a PDF document", NOT_READ)),
    (b"SQLite format 3", format("a database", NOT_READ)),
    (
        b"\xEF\xBB\xBF",
        format("text with a byte order mark", ENCODE),
    ),
    (b"\xFF\xFE", format("text in UTF-16", ENCODE)),
    (b"\xFE\xFF", format("text in UTF-16", ENCODE)),
    (
        b"#!/",
        format("a script", "run it by its name; `mir` does not run scripts"),
    ),
];

/// Returns the format of a file whose first bytes say that it is no program in Medium IR.
pub(crate) fn by_magic(bytes: &[u8]) -> Option<Format> {
    if let Some(rest) = bytes.strip_prefix(b"\x7FELF") {
        return Some(elf(rest));
    }
    if let Some([version, ..]) = bytes.strip_prefix(b"\xCA\xFE\xBA\xBE\0\0\0") {
        return Some(match version {
            0..=30 => MACH_O,
            _ => format("a class file of Java", NOT_READ),
        });
    }
    let known = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic));
    // A script's first line is a comment in Medium IR, and two letters may begin a name.
    let is_text = |format: &Format| {
        let is_name = bytes.get(2).is_some_and(|byte| byte.is_ascii_graphic());
        format.what == "a script" || bytes.starts_with(b"MZ") && is_name
    };
    known
        .map(|(_, format)| *format)
        .filter(|format| !is_text(format))
}

/// Returns which kind of ELF file one is, by what follows its magic number.
fn elf(rest: &[u8]) -> Format {
    let is_big = rest.get(1) == Some(&2);
    let kind = match (rest.get(12), rest.get(13)) {
        (Some(&low), Some(&high)) if is_big => u16::from_be_bytes([low, high]),
        (Some(&low), Some(&high)) => u16::from_le_bytes([low, high]),
        _ => 0,
    };
    match kind {
        1 => format(
            "an ELF object file (machine code)",
            "link it with `cc`, together with what `mir obj` makes of programs",
        ),
        2 | 3 => format(
            "an ELF program or shared library (machine code)",
            "run it as it is; `mir run -l FILE` loads a shared library beside a program",
        ),
        _ => format("an ELF file (machine code)", NOT_READ),
    }
}

/// Returns the language of a text that is not Medium IR, where its words tell.
pub(crate) fn by_words(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"#!/") {
        return by_magic_of_script();
    }
    let head = &bytes[..bytes.len().min(1 << 16)];
    let text = String::from_utf8_lossy(head);
    let begins = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    let has = |word: &str| text.contains(word);
    // Braces never stand in Medium IR outside strings and comments.
    let has_braces = text.lines().any(|line| line.trim_end().ends_with('{'))
        || text.lines().any(|line| line.trim() == "{")
        || has(") {");
    if begins("fn ") || begins("pub fn ") || begins("use std::") {
        return Some(format(
            "Rust source",
            "compile it to LLVM IR, which `mir` reads: `rustc --emit=llvm-ir -C panic=abort FILE`",
        ));
    }
    if has_braces && (has("std::") || begins("#include <iostream>") || begins("template")) {
        return Some(format(
            "C++ source",
            "compile it to LLVM IR, which `mir` reads: `clang++ -O2 -fno-exceptions -fno-vectorize \
             -fno-slp-vectorize -S -emit-llvm FILE -o FILE.ll` (clang 16 or later)",
        ));
    }
    if has_braces && (begins("package ") || begins("func ")) {
        return Some(format("Go source", NOT_READ));
    }
    if has_braces || begins("#include") && has(";") {
        return Some(format(
            "C source",
            "compile it to LLVM IR, which `mir` reads: `clang -O2 -fno-vectorize \
             -fno-slp-vectorize -S -emit-llvm FILE -o FILE.ll` (clang 16 or later)",
        ));
    }
    if begins(".text") || begins(".globl ") || begins(".section ") {
        return Some(format(
            "assembly language",
            "assemble it with `as`, or `cc -c`",
        ));
    }
    if begins("def ") || begins("import ") && has("print(") {
        return Some(format("Python source", NOT_READ));
    }
    None
}

const fn by_magic_of_script() -> Option<Format> {
    Some(format(
        "a script",
        "run it by its name; `mir` does not run scripts",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(bytes: &[u8]) -> Option<&'static str> {
        by_magic(bytes)
            .or_else(|| by_words(bytes))
            .map(|format| format.what)
    }

    #[test]
    fn formats_are_told_by_their_first_bytes() {
        let object = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0";
        assert_eq!(what(object), Some("an ELF object file (machine code)"));
        let big = b"\x7FELF\x02\x02\x01\0\0\0\0\0\0\0\0\0\0\x03";
        assert_eq!(
            what(big),
            Some("an ELF program or shared library (machine code)")
        );
        assert_eq!(what(b"BC\xC0\xDE\x35\x14"), Some("LLVM bitcode"));
        let class = b"\xCA\xFE\xBA\xBE\0\0\0\x41";
        assert_eq!(what(class), Some("a class file of Java"));
        let universal = b"\xCA\xFE\xBA\xBE\0\0\0\x02";
        assert_eq!(what(universal), Some(MACH_O.what));
        assert_eq!(what(b"\xCF\xFA\xED\xFE\x07"), Some(MACH_O.what));
        assert_eq!(what(b"MZ\x90\0"), Some("a program for Windows"));
        assert_eq!(what(b"MZ1: module\n"), None);
    }

    #[test]
    fn languages_are_told_by_their_words() {
        let c = b"#include <stdio.h>\nint main(void) { return 0; }\n";
        assert_eq!(what(c), Some("C source"));
        assert_eq!(what(b"int f(int x)\n{\n  return x;\n}\n"), Some("C source"));
        assert_eq!(what(b"fn main() {\n}\n"), Some("Rust source"));
        let cpp = b"#include <vector>\nint main() {\n std::vector<int> v;\n}\n";
        assert_eq!(what(cpp), Some("C++ source"));
        assert_eq!(
            what(b"\t.text\n\t.globl f\nf:\n\tret\n"),
            Some("assembly language")
        );
        assert_eq!(what(b"#!/bin/sh\necho\n"), Some("a script"));
        assert_eq!(what(b"m: module # #include\nmvo 3\nendmodule\n"), None);
    }
}
