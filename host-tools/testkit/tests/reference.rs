//! The instruction tables of `docs/reference/instructions` say what the instruction table says.
//!
//! Names, meanings and faults are written by hand; codes and operands are those of [`Code`].
//! `MIR_BLESS=1` writes these two columns anew.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use mir_nostd::ir::{Code, Mode};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const HEAD: &str = "| Instruction | Code | Operands | Meaning | Faults |";

/// The instruction of a row of a table, and the row as it should be.
fn corrected(row: &str) -> Option<(Code, String)> {
    let cells: Vec<&str> = row
        .strip_prefix('|')?
        .strip_suffix('|')?
        .split('|')
        .collect();
    let [name, _, _, meaning, faults] = cells[..] else {
        return None;
    };
    let name = name.trim().strip_prefix('`')?.strip_suffix('`')?;
    let code = Code::from_name(name.as_bytes())?;
    let (number, operands) = (code.number(), operands(code));
    let row = format!("| `{name}` | {number} | {operands} |{meaning}|{faults}|");
    Some((code, row))
}

/// The operands of an instruction as the column says them.
fn operands(code: Code) -> String {
    if code == Code::Switch {
        return format!("{}, {}, …", word(code.mode(0)), word(code.mode(1)));
    }
    if code.is_variable() {
        return "varying".to_owned();
    }
    let words: Vec<&str> = code.modes().iter().map(|&mode| word(mode)).collect();
    if words.is_empty() {
        return "none".to_owned();
    }
    words.join(", ")
}

fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::I => "i",
        Mode::F => "f",
        Mode::D => "d",
        Mode::L => "ld",
        Mode::OutI => "**i**",
        Mode::OutF => "**f**",
        Mode::OutD => "**d**",
        Mode::OutL => "**ld**",
        Mode::Label => "label",
        Mode::Reg => "register",
        Mode::Memory => "memory",
        Mode::Any => "any",
        Mode::Constant => "constant",
        Mode::Variable => "variable",
        Mode::Atomic => "atomic",
        Mode::Order => "order",
    }
}

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/instructions");
    let entries = folder.read_dir().unwrap().flatten();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    pages.sort();
    pages
}

#[test]
fn instruction_pages_agree_with_the_table() {
    let bless = std::env::var_os("MIR_BLESS").is_some();
    let (mut found, mut wrong) = (BTreeMap::new(), Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        let (mut new, mut in_table) = (String::new(), false);
        for line in text.lines() {
            in_table = line == HEAD || in_table && line.starts_with('|');
            let mut new_line = line.to_owned();
            if in_table && line != HEAD && !line.starts_with("|---") {
                match corrected(line) {
                    None => wrong.push(format!("{name}: no instruction of the table: {line}")),
                    Some((code, row)) => {
                        found
                            .entry(code)
                            .or_insert_with(Vec::new)
                            .push(name.clone());
                        if row != line && !bless {
                            wrong.push(format!("{name}: {line}\n  should be: {row}"));
                        }
                        new_line = row;
                    }
                }
            }
            new.push_str(&new_line);
            new.push('\n');
        }
        if bless && new != text {
            std::fs::write(&page, new).unwrap();
        }
    }
    for code in Code::ALL {
        match found.get(&code).map_or(&[][..], |pages| &pages[..]) {
            [_] => {}
            [] => wrong.push(format!("no page has `{}`", code.name())),
            pages => wrong.push(format!("`{}` stands in {}", code.name(), pages.join(", "))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
