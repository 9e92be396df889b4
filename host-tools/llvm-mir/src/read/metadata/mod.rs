//! Gives nodes of metadata the numbers that LLVM prints.
//!
//! LLVM numbers the nodes that the module's IR uses anew, then those that memory operands of the
//! function alone use, which are printed with it. Expressions, and source locations that nothing
//! else refers to, are printed where they are used. Of all others LLVM prints an address; here they
//! follow with further numbers.

mod graph;
mod module;

use super::ir::leading_number;
use super::ir_tokens::Tokens;
use crate::model::{Function, Instruction, Metadata, OperandKind, Text};
use core::cell::RefCell;
use graph::NodeId;
use module::{ModuleMetadata, Shown, Slots};

/// The nodes of a module and of the machine code that is read.
#[derive(Default)]
pub(super) struct Nodes(RefCell<ModuleMetadata>);

impl Nodes {
    /// Reads the nodes of a module.
    pub(super) fn new(text: &[u8]) -> Nodes {
        Nodes(RefCell::new(ModuleMetadata::new(text)))
    }

    /// Returns whether the module has a node of this number.
    pub(super) fn contains(&self, number: u32) -> bool {
        self.0.borrow().graph.has_module_number(number)
    }

    /// Returns the name of the class of a node, empty for a tuple.
    pub(super) fn class(&self, number: u32) -> Option<Vec<u8>> {
        let module = self.0.borrow();
        let node = module.graph.by_number(number)?;
        Some(module.graph.class(node).to_vec())
    }

    /// Returns the module's text with the numbers that LLVM gives, `None` if it has those.
    pub(super) fn renumbered(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.0.borrow_mut().renumbered(text)
    }

    /// Assigns numbers to what a function refers to.
    pub(super) fn renumber(&self, function: &mut Function) {
        Numbering {
            module: &mut self.0.borrow_mut(),
            own: Slots::default(),
        }
        .renumber(function);
    }
}

struct Numbering<'m> {
    module: &'m mut ModuleMetadata,
    /// The numbers of nodes that only machine code uses.
    own: Slots,
}

impl Numbering<'_> {
    fn renumber(&mut self, function: &mut Function) {
        self.module.graph.forget_own();
        for line in &function.metadata {
            self.define(line.as_bytes());
        }
        for memory in function.instructions().flat_map(|insn| &insn.memory) {
            let [tbaa, scope, noalias, ..] = &memory.metadata;
            for metadata in [tbaa, scope, noalias].into_iter().flatten() {
                self.give(metadata);
            }
        }
        let code = function
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.instructions);
        for insn in code {
            each(insn, |metadata| self.show(metadata));
        }
        let fixed = function
            .fixed_stack
            .iter_mut()
            .map(|object| &mut object.debug);
        for debug in fixed.chain(function.stack.iter_mut().map(|object| &mut object.debug)) {
            for text in [
                &mut debug.variable,
                &mut debug.expression,
                &mut debug.location,
            ] {
                self.show_text(text);
            }
        }
        for value in &mut function.entry_values {
            for text in [
                &mut value.variable,
                &mut value.expression,
                &mut value.location,
            ] {
                self.show_text(text);
            }
        }
        function.metadata = self.lines();
    }

    /// Records a node that the function itself numbers.
    fn define(&mut self, line: &[u8]) {
        let mut tokens = Tokens::new(line);
        let number = line.strip_prefix(b"!").and_then(leading_number);
        let (Some(_), Some((number, _))) = (tokens.next(), number) else {
            return;
        };
        tokens.next();
        if let Some(node) = self.module.graph.definition(&mut tokens) {
            self.module.graph.define_own(number, node);
        }
    }

    fn node(&mut self, metadata: &Metadata) -> Option<NodeId> {
        match metadata {
            Metadata::Node(number) => self.module.graph.by_number(*number),
            Metadata::Inline(text) => self
                .module
                .graph
                .reference(&mut Tokens::new(text.as_bytes())),
        }
    }

    fn give(&mut self, metadata: &Metadata) {
        if let Some(node) = self.node(metadata) {
            let ModuleMetadata { graph, slots, .. } = &mut *self.module;
            self.own.give(graph, node, Some(slots));
        }
    }

    /// Replaces a reference by the one that is printed.
    fn show(&mut self, metadata: &mut Metadata) {
        let Some(node) = self.node(metadata) else {
            return;
        };
        if let Some(shown) = self.module.shown(node, &self.own) {
            *metadata = match shown {
                Shown::Number(number) => Metadata::Node(number),
                Shown::Text(text) => Metadata::Inline(text.into()),
            };
            return;
        }
        self.give(metadata);
        if let Some(Shown::Number(number)) = self.module.shown(node, &self.own) {
            *metadata = Metadata::Node(number);
        }
    }

    fn show_text(&mut self, text: &mut Text) {
        if text.is_empty() {
            return;
        }
        let mut metadata = Metadata::Inline(text.clone());
        self.show(&mut metadata);
        *text = match metadata {
            Metadata::Node(number) => format!("!{number}").as_bytes().into(),
            Metadata::Inline(text) => text,
        };
    }

    /// Returns the definitions of the nodes that only machine code uses.
    fn lines(&mut self) -> Vec<Text> {
        let first = self.module.slots.order.len();
        let nodes = self.own.order.clone();
        let lines = nodes.into_iter().enumerate().map(|(at, node)| {
            let mut line = format!("!{} = ", first + at).into_bytes();
            line.extend(self.module.node_text(node, &self.own));
            line.into()
        });
        lines.collect()
    }
}

/// Calls `show` for every reference of an instruction.
fn each(insn: &mut Instruction, mut show: impl FnMut(&mut Metadata)) {
    for operand in &mut insn.operands {
        if let OperandKind::Metadata(metadata) = &mut operand.kind {
            show(metadata);
        }
    }
    for memory in &mut insn.memory {
        memory.metadata.iter_mut().flatten().for_each(&mut show);
    }
    if let Some(trailers) = &mut insn.trailers {
        let all = [
            &mut trailers.heap_alloc_marker,
            &mut trailers.pc_sections,
            &mut trailers.debug_location,
        ];
        all.into_iter().flatten().for_each(show);
    }
}

/// Returns whether the function refers to metadata at all.
pub(super) fn is_used(function: &Function) -> bool {
    let in_code = |insn: &Instruction| {
        let in_operands = insn
            .operands
            .iter()
            .any(|operand| matches!(operand.kind, OperandKind::Metadata(_)));
        let in_memory = insn
            .memory
            .iter()
            .any(|memory| memory.metadata.iter().any(Option::is_some));
        in_operands || in_memory || insn.trailers.is_some()
    };
    let fixed = function.fixed_stack.iter().map(|object| &object.debug);
    let mut debug = fixed.chain(function.stack.iter().map(|object| &object.debug));
    !function.metadata.is_empty()
        || !function.entry_values.is_empty()
        || debug.any(|debug| !debug.variable.is_empty() || !debug.location.is_empty())
        || function.instructions().any(in_code)
}
