//! Nodes of metadata: which are one and the same, and what each refers to.
//!
//! LLVM makes one node of all that are alike and not `distinct`, wherever they are written; numbers
//! follow the operands in the order of the node's class, not of the text.

use super::super::ir_tokens::{Kind, Token, Tokens};
use std::collections::HashMap;

/// The classes whose nodes refer to others: the fields that do, in the order of the operands.
#[rustfmt::skip] // a table
const OPERANDS: [(&str, &[&str]); 24] = [
    ("DILocation", &["scope", "inlinedAt"]),
    ("DISubrange", &["count", "lowerBound", "upperBound", "stride"]),
    ("DIGenericSubrange", &["count", "lowerBound", "upperBound", "stride"]),
    ("DIBasicType", &["size"]),
    ("DIFixedPointType", &["size"]),
    ("DIStringType", &["size", "stringLength", "stringLengthExpression", "stringLocationExpression"]),
    ("DIDerivedType", &["file", "scope", "size", "offset", "baseType", "extraData", "annotations"]),
    ("DISubrangeType", &["file", "scope", "size", "baseType", "lowerBound", "upperBound", "stride", "bias"]),
    ("DICompositeType", &["file", "scope", "size", "offset", "baseType", "elements", "vtableHolder", "templateParams",
        "discriminator", "dataLocation", "associated", "allocated", "rank", "annotations", "specification", "bitStride"]),
    ("DISubroutineType", &["types"]),
    ("DICompileUnit", &["file", "enums", "retainedTypes", "globals", "imports", "macros"]),
    ("DISubprogram", &["file", "scope", "type", "unit", "declaration", "retainedNodes", "containingType",
        "templateParams", "thrownTypes", "annotations"]),
    ("DILexicalBlock", &["file", "scope"]),
    ("DILexicalBlockFile", &["file", "scope"]),
    ("DINamespace", &["scope"]),
    ("DIModule", &["file", "scope"]),
    ("DICommonBlock", &["scope", "declaration", "file"]),
    ("DITemplateTypeParameter", &["type"]),
    ("DITemplateValueParameter", &["type", "value"]),
    ("DIGlobalVariable", &["scope", "file", "type", "declaration", "templateParams", "annotations"]),
    ("DILocalVariable", &["scope", "file", "type", "annotations"]),
    ("DILabel", &["scope", "file"]),
    ("DIImportedEntity", &["scope", "entity", "file", "elements"]),
    ("DIGlobalVariableExpression", &["var", "expr"]),
];

/// The nesting of nodes in one another's text that is read.
const MAX_DEPTH: usize = 64;

/// A node by its index in the graph.
pub(in super::super) type NodeId = usize;

/// A part of the text of a node.
#[derive(Clone, Debug)]
enum Piece {
    Text(Vec<u8>),
    /// `!N`.
    Number(u32),
    Node(NodeId),
}

/// A field with its value's pieces; those of a tuple have no name.
#[derive(Debug)]
struct Field {
    name: Vec<u8>,
    value: Vec<Piece>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    New,
    Open,
    /// The node that stands for all that are alike.
    Settled(NodeId),
}

#[derive(Debug)]
struct Node {
    /// The name after `!`, empty for a tuple.
    class: Vec<u8>,
    is_distinct: bool,
    fields: Vec<Field>,
    text: Vec<Piece>,
    state: State,
}

/// The nodes of a module and of its machine code.
#[derive(Default, Debug)]
pub(in super::super) struct Graph {
    nodes: Vec<Node>,
    /// The nodes that the module numbers.
    numbered: HashMap<u32, NodeId>,
    /// The nodes that the current function numbers.
    own: HashMap<u32, NodeId>,
    alike: HashMap<Vec<u8>, NodeId>,
}

impl Graph {
    /// Returns the node of a number.
    pub(super) fn by_number(&self, number: u32) -> Option<NodeId> {
        self.numbered
            .get(&number)
            .or_else(|| self.own.get(&number))
            .copied()
    }

    /// Gives a node of the module its number.
    pub(super) fn define(&mut self, number: u32, node: NodeId) {
        self.numbered.insert(number, node);
    }

    /// Gives a node of the current function its number.
    pub(super) fn define_own(&mut self, number: u32, node: NodeId) {
        self.own.insert(number, node);
    }

    /// Forgets the numbers of a function's own nodes.
    pub(super) fn forget_own(&mut self) {
        self.own.clear();
    }

    pub(super) fn has_module_number(&self, number: u32) -> bool {
        self.numbered.contains_key(&number)
    }

    /// Returns the numbers that the module defines with their nodes.
    pub(super) fn module_numbers(&self) -> impl Iterator<Item = (u32, NodeId)> {
        self.numbered.iter().map(|(number, node)| (*number, *node))
    }

    /// Returns the name of a node's class, empty for a tuple.
    pub(super) fn class(&self, node: NodeId) -> &[u8] {
        self.nodes.get(node).map_or(b"", |node| &node.class)
    }

    /// Returns whether the node is printed where it is used and so has no number.
    pub(super) fn is_expression(&self, node: NodeId) -> bool {
        matches!(self.class(node), b"DIExpression" | b"DIArgList")
    }

    /// Reads a node or a reference to one; `None` if the tokens begin with neither.
    pub(super) fn reference(&mut self, tokens: &mut Tokens<'_>) -> Option<NodeId> {
        match self.piece(tokens, 0)? {
            Piece::Number(number) => self.by_number(number),
            Piece::Node(node) => Some(node),
            Piece::Text(_) => None,
        }
    }

    /// Reads a node; `distinct` may be before it.
    pub(super) fn definition(&mut self, tokens: &mut Tokens<'_>) -> Option<NodeId> {
        match self.piece(tokens, 0)? {
            Piece::Node(node) => Some(node),
            _ => None,
        }
    }

    fn piece(&mut self, tokens: &mut Tokens<'_>, depth: usize) -> Option<Piece> {
        let mut ahead = *tokens;
        let mut first = ahead.next()?;
        let is_distinct = first.is_word(b"distinct");
        if is_distinct {
            first = ahead.next()?;
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let mut node = Node {
            class: Vec::new(),
            is_distinct,
            fields: Vec::new(),
            text: Vec::new(),
            state: State::New,
        };
        if first.is(b'!') && ahead.peek()?.is(b'{') {
            let open = ahead.next()?;
            node.text.push(Piece::Text(b"!{".to_vec()));
            self.fields(&mut ahead, open, b'}', &mut node, depth)?;
        } else if first.kind == Kind::Metadata {
            if let Some(number) = first.number() {
                *tokens = ahead;
                return Some(Piece::Number(number));
            }
            if !ahead.peek()?.is(b'(') {
                return None;
            }
            let open = ahead.next()?;
            node.class = first.text.to_vec();
            node.text
                .push(Piece::Text([b"!", first.text, b"("].concat()));
            self.fields(&mut ahead, open, b')', &mut node, depth)?;
        } else {
            return None;
        }
        *tokens = ahead;
        self.nodes.push(node);
        Some(Piece::Node(self.nodes.len() - 1))
    }

    /// Reads the fields up to the closing mark; the text keeps what is between the references.
    fn fields(
        &mut self,
        tokens: &mut Tokens<'_>,
        open: Token<'_>,
        close: u8,
        node: &mut Node,
        depth: usize,
    ) -> Option<()> {
        let text = tokens.text;
        let mut done = open.end;
        let mut field = Field {
            name: Vec::new(),
            value: Vec::new(),
        };
        loop {
            let mut ahead = *tokens;
            let token = ahead.next()?;
            if token.is(close) || token.is(b',') {
                if !field.value.is_empty() {
                    node.fields.push(field);
                }
                field = Field {
                    name: Vec::new(),
                    value: Vec::new(),
                };
                *tokens = ahead;
                if token.is(close) {
                    node.text.push(Piece::Text(text[done..token.end].to_vec()));
                    return Some(());
                }
            } else if token.kind == Kind::Word && ahead.peek()?.is(b':') && field.name.is_empty() {
                field.name = token.text.to_vec();
                ahead.next();
                *tokens = ahead;
            } else if let Some(piece) = self.piece(tokens, depth + 1) {
                node.text
                    .push(Piece::Text(text[done..token.start].to_vec()));
                node.text.push(piece.clone());
                field.value.push(piece);
                done = tokens.at;
            } else {
                // Parentheses within a field, as in constants, belong to it.
                let end = skip_group(tokens)?;
                field
                    .value
                    .push(Piece::Text(text[token.start..end].to_vec()));
            }
        }
    }

    /// Returns the node that stands for all that are like this one.
    ///
    /// Nodes are settled after those that they refer to; one that refers to itself on the way, or
    /// is `distinct`, is like no other.
    pub(super) fn settled(&mut self, start: NodeId) -> NodeId {
        let mut open = vec![start];
        while let Some(&at) = open.last() {
            match self.nodes[at].state {
                State::Settled(_) => {
                    open.pop();
                }
                State::New => {
                    self.resolve(at);
                    let node = &mut self.nodes[at];
                    node.state = if node.is_distinct {
                        State::Settled(at)
                    } else {
                        State::Open
                    };
                    let new = self
                        .children(at)
                        .filter(|child| self.nodes[*child].state == State::New);
                    open.extend(new.collect::<Vec<_>>());
                }
                State::Open => {
                    open.pop();
                    let alike = match self.key(at) {
                        Some(key) => *self.alike.entry(key).or_insert(at),
                        None => at,
                    };
                    self.nodes[at].state = State::Settled(alike);
                }
            }
        }
        match self.nodes[start].state {
            State::Settled(node) => node,
            _ => start,
        }
    }

    /// Replaces numbers by the nodes that have them.
    fn resolve(&mut self, at: NodeId) {
        let (numbered, own) = (&self.numbered, &self.own);
        let node = &mut self.nodes[at];
        let values = node.fields.iter_mut().flat_map(|field| &mut field.value);
        for piece in values.chain(&mut node.text) {
            if let Piece::Number(number) = piece
                && let Some(node) = numbered.get(number).or_else(|| own.get(number))
            {
                *piece = Piece::Node(*node);
            }
        }
    }

    fn children(&self, at: NodeId) -> impl Iterator<Item = NodeId> {
        let values = self.nodes[at].fields.iter().flat_map(|field| &field.value);
        values.filter_map(|piece| match piece {
            Piece::Node(node) => Some(*node),
            _ => None,
        })
    }

    /// Returns what nodes have in common that are alike; `None` if the node is like no other.
    fn key(&self, at: NodeId) -> Option<Vec<u8>> {
        let node = &self.nodes[at];
        let mut parts = Vec::new();
        for field in &node.fields {
            let mut part = [&field.name[..], b"="].concat();
            for piece in &field.value {
                match piece {
                    Piece::Text(text) => part.extend_from_slice(&[b" ", &text[..]].concat()),
                    Piece::Number(number) => part.extend(format!(" !{number}").bytes()),
                    Piece::Node(child) => match self.nodes[*child].state {
                        State::Settled(child) => part.extend(format!(" #{child}").bytes()),
                        _ => return None,
                    },
                }
            }
            let is_default = [&b" 0"[..], b" null", b" \"\"", b" false"]
                .iter()
                .any(|value| part.ends_with(value));
            if field.name.is_empty() || !is_default {
                parts.push(part);
            }
        }
        if !node.class.is_empty() && !self.is_expression(at) {
            parts.sort_unstable();
        }
        Some([&node.class[..], b"(", &parts.join(&b","[..])].concat())
    }

    /// Returns the nodes that a settled node refers to, in the order of its operands.
    pub(super) fn operands(&self, at: NodeId) -> Vec<NodeId> {
        let node = &self.nodes[at];
        let nodes = |field: &Field| {
            let nodes = field.value.iter().filter_map(|piece| match piece {
                Piece::Node(node) => Some(*node),
                _ => None,
            });
            nodes.collect::<Vec<_>>()
        };
        let row = OPERANDS.iter().find(|row| row.0.as_bytes() == node.class);
        match row {
            Some((_, names)) => {
                let of = |name: &&str| {
                    node.fields
                        .iter()
                        .find(|field| field.name == name.as_bytes())
                };
                names.iter().filter_map(of).flat_map(nodes).collect()
            }
            None => node.fields.iter().flat_map(nodes).collect(),
        }
    }

    /// Returns the text of a node, with the references that `show` makes.
    pub(super) fn text(&self, at: NodeId, mut show: impl FnMut(NodeId) -> Vec<u8>) -> Vec<u8> {
        let node = &self.nodes[at];
        let mut text = if node.is_distinct {
            b"distinct ".to_vec()
        } else {
            Vec::new()
        };
        for piece in &node.text {
            match piece {
                Piece::Text(part) => text.extend_from_slice(part),
                Piece::Number(number) => text.extend(format!("!{number}").bytes()),
                Piece::Node(node) => text.extend(show(*node)),
            }
        }
        text
    }

    /// Returns the value of a field that is no node; empty if it is missing.
    pub(super) fn field(&self, at: NodeId, name: &str) -> &[u8] {
        let fields = &self.nodes[at].fields;
        let field = fields.iter().find(|field| field.name == name.as_bytes());
        match field.and_then(|field| field.value.first()) {
            Some(Piece::Text(text)) => text,
            _ => b"",
        }
    }

    /// Returns the node in a field.
    pub(super) fn node_in(&self, at: NodeId, name: &str) -> Option<NodeId> {
        let fields = &self.nodes[at].fields;
        let field = fields.iter().find(|field| field.name == name.as_bytes())?;
        match field.value.first()? {
            Piece::Node(node) => Some(*node),
            _ => None,
        }
    }
}

/// Skips a token, or a group in brackets; returns the offset after it.
fn skip_group(tokens: &mut Tokens<'_>) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        let token = tokens.next()?;
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(token.end);
        }
    }
}
