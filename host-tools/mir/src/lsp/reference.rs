//! The language reference's text on instructions, directives and types, from its pages.

use core::fmt::Write;
use mir_nostd::ir::{Code, Flags, Type};
use mir_nostd::text::directives;
use std::collections::HashMap;
use std::sync::LazyLock;

const PAGES: [&str; 14] = [
    include_str!("../../reference/items.md"),
    include_str!("../../reference/types.md"),
    include_str!("../../reference/calls.md"),
    include_str!("../../reference/instructions/moves.md"),
    include_str!("../../reference/instructions/integers.md"),
    include_str!("../../reference/instructions/floats.md"),
    include_str!("../../reference/instructions/comparisons.md"),
    include_str!("../../reference/instructions/overflow.md"),
    include_str!("../../reference/instructions/branches.md"),
    include_str!("../../reference/instructions/calls.md"),
    include_str!("../../reference/instructions/memory.md"),
    include_str!("../../reference/instructions/atomics.md"),
    include_str!("../../reference/instructions/bits.md"),
    include_str!("../../reference/instructions/properties.md"),
];

/// Words that are explained under headings that do not name them.
const UNDER: [(&str, &str); 7] = [
    ("module", "Modules and items"),
    ("endmodule", "Modules and items"),
    ("endfunc", "func"),
    ("local", "Variables"),
    ("global", "Variables"),
    ("blk2", "Blocks"),
    ("blk3", "Blocks"),
];

/// The kind of a word of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordKind {
    Instruction,
    Directive,
    Type,
}

/// Returns the words of the language; one of instruction and type may be both.
pub(super) fn words() -> impl Iterator<Item = (&'static str, WordKind)> {
    let is_public = |code: &Code| !code.flags().contains(Flags::INTERNAL);
    let codes = Code::ALL.into_iter().filter(is_public).map(Code::name);
    let codes = codes.map(|word| (word, WordKind::Instruction));
    let directives = directives().map(|word| (word, WordKind::Directive));
    let types = Type::ALL.into_iter().map(Type::name);
    let types = types.map(|word| (word, WordKind::Type));
    codes.chain(directives).chain(types)
}

/// The reference's text on a word.
#[derive(Debug, Default)]
pub(super) struct Explanation {
    /// The cells of its row, without its first.
    pub(super) cells: Vec<&'static str>,
    /// The row or rows and the section's text, as Markdown.
    pub(super) text: String,
}

/// Returns what the reference says of a word.
pub(super) fn explanation(word: &str) -> Option<&'static Explanation> {
    static ALL: LazyLock<HashMap<&str, Explanation>> = LazyLock::new(|| {
        let sections: Vec<Section> = PAGES.iter().flat_map(|page| sections(page)).collect();
        let explained = words().map(|(word, _)| (word, explain(word, &sections)));
        explained.collect()
    });
    ALL.get(word).filter(|found| !found.text.is_empty())
}

/// The part of a page under a heading, without its examples.
#[derive(Debug, Default)]
struct Section {
    heading: &'static str,
    /// The rows of its tables, each with the head of its table.
    rows: Vec<([&'static str; 2], &'static str)>,
    prose: String,
}

fn sections(page: &'static str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut in_example, mut head) = (false, ["", ""]);
    for line in page.lines() {
        if line.starts_with("```") {
            in_example = !in_example;
            continue;
        }
        if in_example {
            continue;
        }
        if line.starts_with('#') {
            sections.push(Section {
                heading: line.trim_start_matches(['#', ' ']),
                ..Section::default()
            });
            continue;
        }
        let Some(section) = sections.last_mut() else {
            continue;
        };
        if !line.starts_with('|') {
            head = ["", ""];
            let follows_blank = section.prose.is_empty() || section.prose.ends_with("\n\n");
            if !(line.is_empty() && follows_blank) {
                section.prose += line;
                section.prose.push('\n');
            }
        } else if head[0].is_empty() {
            head[0] = line;
        } else if head[1].is_empty() {
            head[1] = line;
        } else {
            section.rows.push((head, line));
        }
    }
    sections
}

/// Returns the cells of a table's row.
fn cells(row: &'static str) -> impl Iterator<Item = &'static str> {
    let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
    inner.split(" | ").map(str::trim)
}

/// True if a row is about a word: its first cell begins with code whose first word it is.
fn is_about(row: &'static str, word: &str) -> bool {
    let cell = cells(row).next().unwrap_or_default();
    let mut pieces = cell.split('`');
    let begins_with_code = pieces.next() == Some("");
    let mut codes = pieces.step_by(2);
    let first = |code: &str| code.split([' ', ':']).next() == Some(word);
    begins_with_code && codes.any(first)
}

/// Returns what sections say of a word.
fn explain(word: &'static str, sections: &[Section]) -> Explanation {
    let mut explanation = Explanation::default();
    let is_under = |heading| UNDER.contains(&(word, heading));
    for section in sections {
        let mut names = section.heading.split([',', ' ']);
        let is_named = names.any(|name| name == word) || is_under(section.heading);
        let rows: Vec<_> = section
            .rows
            .iter()
            .filter(|(_, row)| is_about(row, word))
            .collect();
        if rows.is_empty() && !is_named {
            continue;
        }
        let mut last = ["", ""];
        for (head, row) in &rows {
            if explanation.cells.is_empty() {
                explanation.cells = cells(row).skip(1).collect();
            }
            if *head != last {
                let [names, line] = head;
                let _ = write!(explanation.text, "\n{}\n{line}\n", without_links(names));
                last = *head;
            }
            let _ = writeln!(explanation.text, "{}", without_links(row));
        }
        let prose = without_links(section.prose.trim());
        let _ = write!(explanation.text, "\n{prose}\n");
    }
    explanation.text = explanation.text.trim().to_owned();
    explanation
}

/// Returns Markdown with the texts of links in their places: they lead nowhere in an editor.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((start, (_, after_link))) = before.rfind('[').zip(after.split_once(')')) else {
            out += before;
            out += "](";
            rest = after;
            continue;
        };
        out += &before[..start];
        out += &before[start + 1..];
        rest = after_link;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_language_is_explained() {
        for (word, kind) in words() {
            let found = explanation(word).unwrap_or_else(|| panic!("{kind:?} {word}"));
            assert!(!found.text.contains("]("), "{word}: {}", found.text);
            if kind == WordKind::Instruction {
                assert!(found.cells.len() >= 3, "{word}: {:?}", found.cells);
            }
        }
    }

    #[test]
    fn instructions_have_their_row_and_section() {
        let div = explanation("div").expect("an explanation");
        let row = "| `div` | 49 | **i**, i, i | r = a ÷ b, signed, rounded toward zero | b = 0: *division* |";
        assert!(div.text.contains(row), "{}", div.text);
        assert!(div.text.contains("A division by zero is a fault"));
        assert!(!div.text.contains("`mul`") && !div.text.contains("endfunc"));
        let ret = explanation("ret").expect("an explanation");
        assert_eq!(ret.cells[2], "returns the operands, one for each result");
    }
}
