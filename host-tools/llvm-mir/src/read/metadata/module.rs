//! The metadata of a module: its nodes, and the numbers under which LLVM prints them.
//!
//! Nodes are numbered from what refers to them, each with its operands after it: the attachments of
//! global variables, named metadata, then function by function attachments, debug records, metadata
//! that intrinsics take and the attachments of instructions, which LLVM orders by their kinds.

use super::super::ir_tokens::{Kind, Token, Tokens};
use super::graph::{Graph, NodeId};
use std::collections::HashMap;

/// The kinds of attachments that LLVM numbers itself, in that order; others follow as they come.
#[rustfmt::skip] // a table
const KINDS: [&str; 47] = [
    "dbg", "tbaa", "prof", "fpmath", "range", "tbaa.struct", "invariant.load", "alias.scope", "noalias", "nontemporal",
    "llvm.mem.parallel_loop_access", "nonnull", "dereferenceable", "dereferenceable_or_null", "make.implicit",
    "unpredictable", "invariant.group", "align", "llvm.loop", "type", "section_prefix", "absolute_symbol",
    "associated", "callees", "irr_loop", "llvm.access.group", "callback", "llvm.preserve.access.index",
    "vcall_visibility", "noundef", "annotation", "nosanitize", "func_sanitize", "exclude", "memprof", "callsite",
    "kcfi_type", "pcsections", "DIAssignID", "coro.outside.frame", "mmra", "noalias.addrspace", "callee_type",
    "nofree", "captures", "alloc_token", "implicit.ref",
];

/// The numbers of nodes.
#[derive(Clone, Default, Debug)]
pub(super) struct Slots {
    of: HashMap<NodeId, u32>,
    pub(super) order: Vec<NodeId>,
}

impl Slots {
    pub(super) fn get(&self, node: NodeId) -> Option<u32> {
        self.of.get(&node).copied()
    }

    /// Numbers a node and those that it refers to, unless `before` has them.
    pub(super) fn give(&mut self, graph: &mut Graph, root: NodeId, before: Option<&Slots>) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let node = graph.settled(node);
            let known = before.is_some_and(|slots| slots.of.contains_key(&node));
            if known || self.of.contains_key(&node) || graph.is_expression(node) {
                continue;
            }
            let first = before.map_or(0, |slots| slots.order.len());
            let number = u32::try_from(first + self.order.len()).unwrap_or(u32::MAX);
            self.of.insert(node, number);
            self.order.push(node);
            open.extend(graph.operands(node).into_iter().rev());
        }
    }
}

/// A place where the text of a module mentions a node outside of definitions.
struct Mention {
    start: usize,
    end: usize,
    node: NodeId,
}

/// The metadata of a module.
#[derive(Default)]
pub(super) struct ModuleMetadata {
    pub(super) graph: Graph,
    pub(super) slots: Slots,
    /// The kinds of attachments that are not LLVM's own.
    kinds: HashMap<Vec<u8>, usize>,
    mentions: Vec<Mention>,
    /// The definitions of nodes in the text, from the first to the last byte.
    definitions: Vec<(usize, usize)>,
    /// True if LLVM drops the debug information, as the module does not state its version.
    drops_debug_info: bool,
}

impl ModuleMetadata {
    pub(super) fn new(text: &[u8]) -> ModuleMetadata {
        let mut module = ModuleMetadata::default();
        if !text.contains(&b'!') {
            return module;
        }
        module.define(text);
        module.drops_debug_info = !module.states_version(text);
        let walk = Walk {
            tokens: Tokens::new(text),
            module: &mut module,
            roots: Roots::default(),
        };
        let roots = walk.run();
        let ModuleMetadata { graph, slots, .. } = &mut module;
        for root in roots
            .globals
            .into_iter()
            .chain(roots.named)
            .chain(roots.functions)
        {
            slots.give(graph, root, None);
        }
        module
    }

    /// Reads the definitions of numbered nodes.
    fn define(&mut self, text: &[u8]) {
        let mut tokens = Tokens::new(text);
        let mut depth = 0_usize;
        while let Some(token) = tokens.next() {
            match token.kind {
                Kind::Punctuation(b'{') => depth += 1,
                Kind::Punctuation(b'}') => depth = depth.saturating_sub(1),
                Kind::Metadata if depth == 0 => {
                    let mut ahead = tokens;
                    let equals = ahead.next().is_some_and(|token| token.is(b'='));
                    if let Some(number) = token.number().filter(|_| equals)
                        && let Some(node) = self.graph.definition(&mut ahead)
                    {
                        self.graph.define(number, node);
                        self.definitions.push((token.start, ahead.at));
                        tokens = ahead;
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether the module flags have the version of debug information that LLVM takes.
    fn states_version(&mut self, text: &[u8]) -> bool {
        let flags = text
            .windows(20)
            .position(|part| part == b"\"Debug Info Version\"");
        let after = flags.map(|at| Tokens { text, at: at + 20 });
        after.is_some_and(|mut tokens| {
            let value: Vec<_> = tokens.by_ref().take(3).map(|token| token.text).collect();
            value == [&b","[..], b"i32", b"3"]
        })
    }

    fn kind(&mut self, name: &[u8]) -> usize {
        let known = KINDS.iter().position(|kind| kind.as_bytes() == name);
        known.unwrap_or_else(|| {
            let next = KINDS.len() + self.kinds.len();
            *self.kinds.entry(name.to_vec()).or_insert(next)
        })
    }

    /// Returns how a reference to a node is printed: its number, or the node itself where LLVM has
    /// none for it; `None` if LLVM would print an address.
    pub(super) fn shown(&mut self, node: NodeId, own: &Slots) -> Option<Shown> {
        let node = self.graph.settled(node);
        if let Some(number) = self.slots.get(node).or_else(|| own.get(node)) {
            return Some(Shown::Number(number));
        }
        if self.graph.is_expression(node) {
            return Some(Shown::Text(self.graph.text(node, |_| Vec::new())));
        }
        if self.graph.class(node) != b"DILocation" {
            return None;
        }
        self.location(node, own, 0).map(Shown::Text)
    }

    /// Returns the text of a source location that has no number.
    fn location(&mut self, node: NodeId, own: &Slots, depth: usize) -> Option<Vec<u8>> {
        const MAX_DEPTH: usize = 64;
        let graph = &self.graph;
        let number = |name| {
            let text = graph.field(node, name);
            if text.is_empty() { &b"0"[..] } else { text }
        };
        let mut text = [b"!DILocation(line: ", number("line")].concat();
        if number("column") != b"0" {
            text.extend([b", column: ", number("column")].concat());
        }
        let is_implicit = graph.field(node, "isImplicitCode") == b"true";
        for name in ["scope", "inlinedAt"] {
            let Some(of) = self.graph.node_in(node, name) else {
                continue;
            };
            let of = self.graph.settled(of);
            let shown = match self.slots.get(of).or_else(|| own.get(of)) {
                Some(number) => format!("!{number}").into_bytes(),
                None if depth < MAX_DEPTH && self.graph.class(of) == b"DILocation" => {
                    self.location(of, own, depth + 1)?
                }
                None => return None,
            };
            text.extend([b", ", name.as_bytes(), b": ", &shown].concat());
        }
        if is_implicit {
            text.extend_from_slice(b", isImplicitCode: true");
        }
        text.push(b')');
        Some(text)
    }

    /// Returns the text of the module with the numbers that LLVM gives, `None` if they are those
    /// that it has.
    pub(super) fn renumbered(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        if self.drops_debug_info || self.is_in_order(text) {
            return None;
        }
        let mut edits: Vec<(usize, usize, Vec<u8>)> = Vec::new();
        for at in 0..self.mentions.len() {
            let Mention { start, end, node } = self.mentions[at];
            let node = self.graph.settled(node);
            if let Some(number) = self.slots.get(node) {
                edits.push((start, end, format!("!{number}").into_bytes()));
            }
        }
        edits.extend(
            self.definitions
                .iter()
                .map(|(start, end)| (*start, *end, Vec::new())),
        );
        edits.sort_by_key(|edit| edit.0);
        let mut out = Vec::with_capacity(text.len());
        let mut done = 0;
        for (start, end, new) in edits {
            if start < done {
                continue;
            }
            out.extend_from_slice(&text[done..start]);
            out.extend_from_slice(&new);
            done = end;
        }
        out.extend_from_slice(&text[done..]);
        while out.last().is_some_and(u8::is_ascii_whitespace) {
            out.pop();
        }
        out.extend_from_slice(b"\n\n");
        for at in 0..self.slots.order.len() {
            let node = self.slots.order[at];
            out.extend(format!("!{at} = ").bytes());
            out.extend(self.node_text(node, &Slots::default()));
            out.push(b'\n');
        }
        Some(out)
    }

    /// Returns the definition of a node, with what it refers to as LLVM prints it.
    pub(super) fn node_text(&mut self, node: NodeId, own: &Slots) -> Vec<u8> {
        let operands = self.graph.operands(node);
        let shown: HashMap<NodeId, Vec<u8>> = operands
            .into_iter()
            .map(|operand| {
                let text = match self.shown(operand, own) {
                    Some(Shown::Number(number)) => format!("!{number}").into_bytes(),
                    Some(Shown::Text(text)) => text,
                    None => b"null".to_vec(),
                };
                (operand, text)
            })
            .collect();
        self.graph.text(node, |operand| {
            shown
                .get(&operand)
                .cloned()
                .unwrap_or_else(|| b"null".to_vec())
        })
    }

    /// Returns whether each node has the number that LLVM gives it, and all are in that order.
    fn is_in_order(&mut self, text: &[u8]) -> bool {
        let numbers: Vec<_> = self.graph.module_numbers().collect();
        let all = numbers.len() == self.slots.order.len();
        let same = numbers.iter().all(|(number, node)| {
            let settled = self.graph.settled(*node);
            self.slots.get(settled) == Some(*number)
        });
        let inline = self.mentions.iter().any(|mention| {
            !text[mention.start + 1..mention.end]
                .iter()
                .all(u8::is_ascii_digit)
                && !self.graph.is_expression(mention.node)
        });
        all && same && !inline
    }
}

/// How a reference to a node is printed.
pub(super) enum Shown {
    Number(u32),
    Text(Vec<u8>),
}

/// The nodes that others than nodes refer to, in LLVM's order.
#[derive(Default)]
struct Roots {
    globals: Vec<NodeId>,
    named: Vec<NodeId>,
    functions: Vec<NodeId>,
}

/// A walk over the text of a module.
struct Walk<'a, 'm> {
    tokens: Tokens<'a>,
    module: &'m mut ModuleMetadata,
    roots: Roots,
}

impl<'a> Walk<'a, '_> {
    fn run(mut self) -> Roots {
        let mut equals = None;
        while let Some(token) = self.tokens.next() {
            let defines = self.tokens.peek().is_some_and(|next| next.is(b'='));
            match token.kind {
                Kind::Word if matches!(token.text, b"define" | b"declare") => {
                    equals = None;
                    self.function(token.text == b"define");
                }
                Kind::Global | Kind::Metadata if defines => equals = Some(token),
                Kind::Punctuation(b'=') => {
                    if let Some(name) = equals.filter(|name| name.kind == Kind::Metadata) {
                        equals = None;
                        self.named_or_numbered(name);
                    }
                }
                Kind::Punctuation(b',') if equals.is_some_and(|name| name.kind == Kind::Global) => {
                    let attachments = self.attachments(token);
                    self.roots.globals.extend(attachments);
                }
                _ => {}
            }
        }
        self.roots
    }

    /// Reads a node and notes where it is mentioned.
    fn mention(&mut self) -> Option<NodeId> {
        let start = self.tokens.peek()?.start;
        let node = self.module.graph.reference(&mut self.tokens)?;
        let end = self.tokens.at;
        self.module.mentions.push(Mention { start, end, node });
        Some(node)
    }

    /// Skips the definition of a node, which has been read, or reads a list with a name.
    fn named_or_numbered(&mut self, name: Token<'a>) {
        if name.number().is_some() {
            let at = self
                .module
                .definitions
                .iter()
                .find(|definition| definition.0 == name.start);
            self.tokens.at = at.map_or(self.tokens.at, |definition| definition.1);
            return;
        }
        let drops = self.module.drops_debug_info && name.text.starts_with(b"llvm.dbg.");
        while let Some(token) = self.tokens.next() {
            if token.is(b'}') {
                return;
            }
            if matches!(token.kind, Kind::Punctuation(b'{' | b','))
                && let Some(node) = self.mention()
            {
                self.roots.named.extend(Some(node).filter(|_| !drops));
            }
        }
    }

    /// Reads `!kind !N` after a token, several with commas or without; returns the nodes by kind.
    fn attachments(&mut self, before: Token<'a>) -> Vec<NodeId> {
        let mut found: Vec<(usize, NodeId)> = Vec::new();
        let mut at = before.end;
        loop {
            self.tokens.at = at;
            let Some(kind) = self
                .tokens
                .next()
                .filter(|token| token.kind == Kind::Metadata && token.number().is_none())
            else {
                break;
            };
            // A class begins a node, which has parentheses; a kind is before one.
            let Some(node) = self.mention() else {
                break;
            };
            let is_kept = !(self.module.drops_debug_info && kind.text == b"dbg");
            let kind = self.module.kind(kind.text);
            found.extend(Some((kind, node)).filter(|_| is_kept));
            at = self.tokens.at;
            if let Some(comma) = self.tokens.next().filter(|token| token.is(b',')) {
                at = comma.end;
            } else {
                self.tokens.at = at;
            }
        }
        self.tokens.at = at;
        found.sort_by_key(|(kind, _)| *kind);
        found.into_iter().map(|(_, node)| node).collect()
    }

    /// Reads a function's header and, after `define`, its body.
    fn function(&mut self, has_body: bool) {
        let mut depth = 0_usize;
        let mut name_seen = false;
        loop {
            let mut ahead = self.tokens;
            let Some(token) = ahead.next() else {
                return;
            };
            match token.kind {
                Kind::Global => name_seen = true,
                Kind::Punctuation(b'(' | b'[' | b'<') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'>') => depth = depth.saturating_sub(1),
                Kind::Punctuation(b'{') if depth == 0 && name_seen => break,
                Kind::Punctuation(b'{') => depth += 1,
                Kind::Punctuation(b'}') => depth = depth.saturating_sub(1),
                _ if !has_body && name_seen && depth == 0 && starts_entity(token, ahead) => return,
                Kind::Metadata if depth == 0 => {
                    let attachments = self.attachments(Token {
                        end: token.start,
                        ..token
                    });
                    self.roots.functions.extend(attachments);
                    if self.tokens.at > token.start {
                        continue;
                    }
                }
                _ => {}
            }
            self.tokens = ahead;
        }
        if has_body {
            self.tokens.next();
            self.body();
        }
    }

    /// Reads the body of a function up to its closing brace.
    fn body(&mut self) {
        let mut depth = 0_usize;
        let mut callee = false;
        while let Some(token) = self.tokens.next() {
            match token.kind {
                Kind::Punctuation(b'}') if depth == 0 => return,
                Kind::Punctuation(b'{') => depth += 1,
                Kind::Punctuation(b'}') => depth -= 1,
                Kind::Global if self.tokens.peek().is_some_and(|next| next.is(b'(')) => {
                    callee = token.text.starts_with(b"llvm.");
                }
                Kind::Hash if token.text.starts_with(b"dbg_") => self.record(),
                Kind::Word if token.text == b"metadata" => {
                    if let Some(node) = self.mention() {
                        let is_kept = callee && !self.module.drops_debug_info;
                        self.roots.functions.extend(Some(node).filter(|_| is_kept));
                    }
                }
                Kind::Punctuation(b',') => {
                    let attachments = self.attachments(token);
                    self.roots.functions.extend(attachments);
                }
                _ => {}
            }
        }
    }

    /// Reads a debug record: all nodes in its parentheses.
    fn record(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.tokens.peek() {
            if token.kind == Kind::Metadata || token.is(b'!') {
                match self.mention() {
                    Some(node) if !self.module.drops_debug_info => self.roots.functions.push(node),
                    Some(_) => {}
                    None => self.tokens.at = token.end,
                }
                continue;
            }
            self.tokens.next();
            match token.kind {
                Kind::Punctuation(b'(') => depth += 1,
                Kind::Punctuation(b')') if depth <= 1 => return,
                Kind::Punctuation(b')') => depth -= 1,
                _ => {}
            }
        }
    }
}

/// Returns whether a token outside of functions begins another entity of the module.
fn starts_entity(token: Token<'_>, mut after: Tokens<'_>) -> bool {
    match token.kind {
        Kind::Word => matches!(
            token.text,
            b"define" | b"declare" | b"attributes" | b"source_filename" | b"target"
        ),
        Kind::Global | Kind::Local | Kind::Metadata => {
            after.next().is_some_and(|next| next.is(b'='))
        }
        _ => false,
    }
}
