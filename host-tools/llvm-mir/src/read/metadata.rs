//! Numbers metadata nodes.
//!
//! Nodes that the module's IR uses keep their numbers. All others are printed with the function,
//! numbered after the module's in the order in which machine code refers to them.

use super::ir::leading_number;
use crate::model::{Function, Instruction, Metadata, OperandKind, Text};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The nodes of a module.
#[derive(Default)]
pub(super) struct ModuleNodes<'a> {
    /// The definition of each node: the text after `=`.
    definitions: HashMap<u32, &'a [u8]>,
    /// The nodes that the IR uses.
    used: HashSet<u32>,
    first_free: u32,
}

impl<'a> ModuleNodes<'a> {
    pub(super) fn new(text: &'a [u8]) -> ModuleNodes<'a> {
        let mut nodes = ModuleNodes::default();
        let mut open = Vec::new();
        for line in text.split(|&byte| byte == b'\n') {
            match definition(line) {
                Some((number, value)) => {
                    nodes.definitions.insert(number, value);
                }
                None => references(line, |number| open.push(number)),
            }
        }
        while let Some(number) = open.pop() {
            if let Some(value) = nodes.definitions.get(&number)
                && nodes.used.insert(number)
            {
                references(value, |number| open.push(number));
            }
        }
        nodes.first_free = nodes
            .used
            .iter()
            .max()
            .map_or(0, |last| last.saturating_add(1));
        nodes
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.definitions.contains_key(&number)
    }
}

/// Returns the number and value of a line that defines a node.
fn definition(line: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = leading_number(line.trim_ascii_start().strip_prefix(b"!")?)?;
    Some((
        number,
        rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii(),
    ))
}

/// Calls `each` for every `!N` outside of strings.
fn references(text: &[u8], mut each: impl FnMut(u32)) {
    split_references(text, |_, number| each(number));
}

/// Calls `each` for every `!N` outside of strings with the text before it; returns the text after
/// the last.
fn split_references<'a>(text: &'a [u8], mut each: impl FnMut(&'a [u8], u32)) -> &'a [u8] {
    let (mut at, mut done, mut quoted) = (0, 0, false);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => quoted = !quoted,
            b'!' if !quoted => {
                if let Some((number, rest)) = leading_number(&text[at..]) {
                    each(&text[done..at - 1], number);
                    done = text.len() - rest.len();
                    at = done;
                }
            }
            _ => {}
        }
    }
    &text[done..]
}

/// Assigns numbers to the nodes of a function.
pub(super) fn renumber(function: &mut Function, module: &ModuleNodes<'_>) {
    let own: Vec<(u32, Text)> = function
        .metadata
        .iter()
        .filter_map(|node| {
            definition(node.as_bytes()).map(|(number, value)| (number, value.into()))
        })
        .collect();
    let mut numbers = Numbers {
        module,
        own: own
            .iter()
            .map(|(number, value)| (*number, value.as_bytes()))
            .collect(),
        given: HashMap::new(),
        next: module.first_free,
    };
    for insn in function.instructions() {
        visit(insn, |number| numbers.give(number));
    }
    for (number, _) in &own {
        numbers.give(*number);
    }
    let given = numbers.given;
    let lines: BTreeMap<u32, Vec<u8>> = given
        .iter()
        .filter_map(|(old, new)| {
            let value = own
                .iter()
                .find(|(number, _)| number == old)
                .map(|(_, value)| value.as_bytes());
            let value = value.or_else(|| module.definitions.get(old).copied())?;
            let mut line = format!("!{new} = ").into_bytes();
            let rest = split_references(value, |before, number| {
                line.extend_from_slice(before);
                line.extend(format!("!{}", given.get(&number).unwrap_or(&number)).bytes());
            });
            line.extend_from_slice(rest);
            Some((*new, line))
        })
        .collect();
    function.metadata = lines.into_values().map(Into::into).collect();
    for insn in function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.instructions)
    {
        visit_mut(insn, |metadata| {
            if let Metadata::Node(number) = metadata
                && let Some(new) = given.get(number)
            {
                *number = *new;
            }
        });
    }
}

struct Numbers<'a> {
    module: &'a ModuleNodes<'a>,
    own: HashMap<u32, &'a [u8]>,
    given: HashMap<u32, u32>,
    next: u32,
}

impl Numbers<'_> {
    /// Numbers a node and those that it refers to, in the order of the text.
    fn give(&mut self, number: u32) {
        let mut open = vec![number];
        while let Some(number) = open.pop() {
            let own = self.own.get(&number).copied();
            if own.is_none() && self.module.used.contains(&number)
                || self.given.contains_key(&number)
            {
                continue;
            }
            let Some(value) = own.or_else(|| self.module.definitions.get(&number).copied()) else {
                continue;
            };
            self.given.insert(number, self.next);
            self.next = self.next.saturating_add(1);
            let from = open.len();
            references(value, |number| open.push(number));
            open[from..].reverse();
        }
    }
}

/// Calls `each` for every node that an instruction refers to.
fn visit(insn: &Instruction, mut each: impl FnMut(u32)) {
    let operands = insn
        .operands
        .iter()
        .filter_map(|operand| match &operand.kind {
            OperandKind::Metadata(metadata) => Some(metadata),
            _ => None,
        });
    let memory = insn
        .memory
        .iter()
        .flat_map(|memory| memory.metadata.iter().flatten());
    let trailers = insn.trailers.iter().flat_map(|trailers| {
        [
            &trailers.heap_alloc_marker,
            &trailers.pc_sections,
            &trailers.debug_location,
        ]
    });
    for metadata in operands.chain(memory).chain(trailers.flatten()) {
        if let Metadata::Node(number) = metadata {
            each(*number);
        }
    }
}

fn visit_mut(insn: &mut Instruction, mut each: impl FnMut(&mut Metadata)) {
    for operand in &mut insn.operands {
        if let OperandKind::Metadata(metadata) = &mut operand.kind {
            each(metadata);
        }
    }
    for memory in &mut insn.memory {
        memory.metadata.iter_mut().flatten().for_each(&mut each);
    }
    if let Some(trailers) = &mut insn.trailers {
        let all = [
            &mut trailers.heap_alloc_marker,
            &mut trailers.pc_sections,
            &mut trailers.debug_location,
        ];
        all.into_iter().flatten().for_each(each);
    }
}

/// Returns whether the function refers to metadata at all.
pub(super) fn is_used(function: &Function) -> bool {
    let mut used = !function.metadata.is_empty();
    for insn in function.instructions() {
        visit(insn, |_| used = true);
    }
    used
}
