//! Reads the document of a function.

use super::ReadOptions;
use super::body::Parser;
use super::constant;
use super::error::{Fault, Result, fault, lossy};
use super::fields::{Fields, alignment, list, number, scalar};
use super::ir::{IrFunction, Names, leading_number};
use super::ir_tokens::Tokens;
use super::lexer::{Kind, Lexer, Token};
use super::metadata;
use super::state::{State, Words};
use super::yaml::{Node, Value};
use crate::model::{
    CallSite, CalledGlobal, CalleeSaved, Constant, DebugSubstitution, DebugVariable, EntryValue,
    FixedObject, Frame, FramePointer, FrameProperty, Function, FunctionProperty, Instruction,
    JumpTable, JumpTableKind, LiveIn, Module, ObjectKind, OperandKind, Position, Register,
    RegisterKind, SavePoint, StackId, StackObject, Text,
};
use crate::target::{Isa, Target};

/// The values of computed properties that a file may claim: the key and the reason for a refusal.
const CLAIMS: [(FunctionProperty, &str, &str); 4] = [
    (
        FunctionProperty::NoPhis,
        "NoPhi",
        "contains at least one PHI",
    ),
    (FunctionProperty::IsSsa, "IsSSA", "is not valid SSA"),
    (
        FunctionProperty::NoVRegs,
        "NoVRegs",
        "contains virtual registers",
    ),
    (FunctionProperty::HasFakeUses, "", ""),
];

/// The file, module and target around a function's document.
pub(super) struct Source<'a> {
    pub(super) input: &'a [u8],
    pub(super) target: &'static Target,
    pub(super) names: &'a Names<'a>,
    pub(super) words: &'a Words,
    pub(super) options: &'a ReadOptions,
}

/// Returns the name of the function that a document is about.
pub(super) fn name_of<'a>(node: &'a Node<'_>) -> Option<&'a [u8]> {
    let Value::Mapping(fields) = &node.value else {
        return None;
    };
    let field = fields.iter().find(|field| *field.key == *b"name")?;
    match &field.value.value {
        Value::Scalar(name) => Some(name),
        _ => None,
    }
}

/// Reads the document of a function.
pub(super) fn read<'a>(source: &Source<'a>, node: Node<'a>) -> Result<Function> {
    let mut fields = Fields::new(node)?;
    let node = fields.required("name")?;
    let position = Position::of(node.at);
    let name = scalar(node)?;
    let mut function = Function::new(&*name);
    function.position = position;
    function.alignment = alignment(&mut fields, "alignment")?.unwrap_or(1);
    let mut claims = [None; CLAIMS.len()];
    for (property, key) in FunctionProperty::TABLE {
        let value = fields.boolean(key)?;
        match CLAIMS.iter().position(|claim| claim.0 == *property) {
            Some(at) => claims[at] = value,
            None => function.set(*property, value.unwrap_or(false)),
        }
    }
    let Some(ir) = source.names.function(&name) else {
        let message = format!(
            "function '{}' isn't defined in the provided LLVM IR",
            lossy(&name)
        );
        return Err(Fault::nowhere(message));
    };
    function.attributes = attributes(source, ir);
    function.frame_pointer = frame_pointer(&function);
    let state = State::new(
        source.target,
        source.names,
        Some(ir),
        function,
        source.words,
    );
    let mut reader = Reader { source, state };
    let body = reader.body_range(&mut fields)?;
    reader.registers(&mut fields)?;
    reader.find_blocks(body)?;
    reader.frame(&mut fields)?;
    reader.debug_values(&mut fields)?;
    reader.pools(&mut fields)?;
    reader.metadata(&mut fields)?;
    let call_sites = fields.take("callSites");
    let called = fields.list("calledGlobals")?;
    fields.finish()?;
    reader.body(body)?;
    if let Some(node) = call_sites {
        reader.call_sites(node)?;
    }
    reader.called_globals(called)?;
    reader.finish(claims)
}

/// Returns the function that LLVM makes of one of the module that has no document.
pub(super) fn without_document(source: &Source<'_>, name: &[u8]) -> Function {
    let mut function = Function::new(name);
    if let Some(ir) = source.names.function(name) {
        function.attributes = attributes(source, ir);
    }
    function.frame_pointer = frame_pointer(&function);
    function.set(FunctionProperty::TracksRegLiveness, true);
    function.set(FunctionProperty::IsSsa, true);
    let is_small = has_word(&function, b"optsize") || has_word(&function, b"minsize");
    let is_compressed =
        attribute_list(&function, "target-features").any(|feature| feature == b"+c");
    function.alignment = match source.target.isa() {
        Isa::X86_64 if is_small => 1,
        Isa::S390x if is_small => 2,
        Isa::Ppc64le if is_small => 4,
        Isa::X86_64 | Isa::S390x | Isa::Ppc64le => 16,
        Isa::Riscv64 if is_compressed => 2,
        Isa::Aarch64 | Isa::Riscv64 => 4,
    };
    function.target_info = default_target_info(source.target.isa());
    note_red_zone(source.target, &mut function);
    function
}

/// Returns the attributes of an IR function: its own, and after them those of the command line.
fn attributes(source: &Source<'_>, ir: &IrFunction<'_>) -> Text {
    let mut attributes = source.names.attributes(ir);
    let options = source.options;
    let position = |attributes: &[u8], key: &str| {
        let found = attributes
            .windows(key.len())
            .position(|part| part == key.as_bytes());
        found.map(|at| at + key.len())
    };
    let features = "\"target-features\"=\"";
    if position(&attributes, "\"target-cpu\"=\"").is_none() {
        attributes.extend(Module::stub_attributes(&options.cpu, "").bytes());
    }
    match position(&attributes, features) {
        _ if options.features.is_empty() => {}
        Some(at) => {
            let value = attributes[at..].iter().position(|&byte| byte == b'"');
            let end = at + value.unwrap_or(attributes.len() - at);
            let comma = if end == at { "" } else { "," };
            let added = format!("{comma}{}", options.features);
            attributes.splice(end..end, added.bytes());
        }
        None => attributes.extend(Module::stub_attributes("", &options.features).bytes()),
    }
    attributes.into()
}

/// Returns whether the IR function has an attribute that is a word.
fn has_word(function: &Function, word: &[u8]) -> bool {
    Tokens::new(function.attributes.as_bytes()).any(|token| token.is_word(word))
}

fn attribute_list<'f>(function: &'f Function, name: &str) -> impl Iterator<Item = &'f [u8]> {
    let value = function.attribute(name).unwrap_or_default();
    value.split(|&byte| byte == b',')
}

/// Records that an aarch64 function must not use a red zone, unless its document says otherwise.
fn note_red_zone(target: &Target, function: &mut Function) {
    let says = function
        .target_info
        .iter()
        .any(|(key, _)| key.as_bytes() == b"hasRedZone");
    if target.isa() == Isa::Aarch64 && !says && has_word(function, b"noredzone") {
        function
            .target_info
            .insert(0, ("hasRedZone".into(), "false".into()));
    }
}

/// Returns the target's own information on a function of which nothing is said.
fn default_target_info(isa: Isa) -> Vec<(Text, Text)> {
    let always = info_keys(isa)
        .iter()
        .filter_map(|(key, default)| Some((*key, (*default)?)));
    always
        .map(|(key, value)| (key.into(), value.into()))
        .collect()
}

struct Reader<'a, 's> {
    source: &'s Source<'a>,
    state: State<'a>,
}

/// Reads the only token of a scalar that is a reference.
fn token(node: Node<'_>) -> Result<(usize, Token, Vec<u8>)> {
    let at = node.at;
    let text = scalar(node)?;
    let mut lexer = Lexer {
        input: &text,
        at: 0,
        end: text.len(),
    };
    let relocate = |fault: Fault| Fault {
        at: Some(at),
        ..fault
    };
    let token = lexer.next().map_err(relocate)?;
    let rest = lexer.next().map_err(relocate)?;
    if rest.kind != Kind::End {
        return fault(at, "expected end of string after the reference");
    }
    Ok((at, token, token.name(&text)))
}

impl<'a> Reader<'a, '_> {
    fn target(&self) -> &'static Target {
        self.source.target
    }

    /// Returns the range of the body in the input.
    fn body_range(&self, fields: &mut Fields<'a>) -> Result<(usize, usize)> {
        let Some(node) = fields.take("body") else {
            return Ok((0, 0));
        };
        match node.value {
            Value::Literal(literal) => Ok((literal.start, literal.end)),
            Value::Null => Ok((0, 0)),
            Value::Scalar(text) if text.is_empty() => Ok((0, 0)),
            Value::Scalar(text) => Ok((node.at, node.at + text.len())),
            _ => fault(node.at, "unexpected scalar"),
        }
    }

    /// Reads a register that must be physical.
    fn physical(&self, node: Node<'_>) -> Result<Register> {
        let (at, token, name) = token(node)?;
        match token.kind {
            Kind::Physical => self.state.physical(&name, at),
            _ => fault(at, "expected a named register"),
        }
    }

    /// Reads a physical register that may be missing.
    fn optional_physical(&self, node: Option<Node<'_>>) -> Result<Register> {
        match node {
            Some(node) if !is_empty(&node) => self.physical(node),
            _ => Ok(Register::NONE),
        }
    }

    /// Reads a virtual register that may be missing.
    fn optional_virtual(&mut self, node: Option<Node<'_>>) -> Result<Register> {
        let Some(node) = node.filter(|node| !is_empty(node)) else {
            return Ok(Register::NONE);
        };
        let (at, token, name) = token(node)?;
        match token.kind {
            Kind::Virtual(number) => Ok(self.state.register(number)),
            Kind::NamedVirtual => Ok(self.state.named_register(&name)),
            _ => fault(at, "expected a virtual register"),
        }
    }

    fn block(&self, node: Node<'_>) -> Result<u32> {
        let (at, token, _) = token(node)?;
        let Kind::Block(number) = token.kind else {
            return fault(at, "expected a machine basic block reference");
        };
        match self.state.blocks.get(&number) {
            Some(index) => Ok(*index),
            None => fault(
                at,
                format!("use of undefined machine basic block #{number}"),
            ),
        }
    }

    fn registers(&mut self, fields: &mut Fields<'a>) -> Result<()> {
        for node in fields.list("registers")? {
            self.register(node)?;
        }
        for node in fields.list("liveins")? {
            let mut live_in = Fields::new(node)?;
            let register = self.physical(live_in.required("reg")?)?;
            let copied_to = self.optional_virtual(live_in.take("virtual-reg"))?;
            live_in.finish()?;
            self.state.function.live_ins.push(LiveIn {
                register,
                copied_to,
            });
        }
        if let Some(node) = fields.take("calleeSavedRegisters") {
            let registers = list(node)?.into_iter().map(|node| self.physical(node));
            self.state.function.callee_saved = Some(registers.collect::<Result<_>>()?);
        }
        Ok(())
    }

    fn register(&mut self, node: Node<'a>) -> Result<()> {
        let at = node.at;
        let mut fields = Fields::new(node)?;
        let id = fields.required("id")?;
        let id_at = id.at;
        let id: u32 = number(id)?;
        let class = fields.required("class")?;
        let class_at = class.at;
        let class = scalar(class)?;
        let preferred = fields
            .take("preferred-register")
            .filter(|node| !is_empty(node));
        let flags = fields.list("flags")?;
        fields.finish()?;
        if !self.state.listed.insert(id) {
            return fault(id_at, format!("redefinition of virtual register '%{id}'"));
        }
        let register = self.state.register(id);
        let Some(kind) = self.state.kind(&class) else {
            let message = format!(
                "use of undefined register class or register bank '{}'",
                lossy(&class)
            );
            return fault(class_at, message);
        };
        if let Some((info, settled)) = self.state.info(register) {
            info.kind = kind;
            *settled = true;
        }
        if let Some(node) = preferred {
            if !matches!(kind, RegisterKind::Class(_)) {
                let message = "preferred register can only be set for normal vregs";
                return fault(node.at, message);
            }
            let (at, token, name) = token(node)?;
            let preferred = match token.kind {
                Kind::Physical => self.state.physical(&name, at)?,
                Kind::Virtual(number) => self.state.register(number),
                Kind::NamedVirtual => self.state.named_register(&name),
                _ => return fault(at, "expected either a named or virtual register"),
            };
            if let Some((info, _)) = self.state.info(register) {
                info.preferred = preferred;
            }
        }
        if let Some(flag) = flags.into_iter().next() {
            let name = scalar(flag)?;
            return fault(
                at,
                format!("use of undefined register flag '{}'", lossy(&name)),
            );
        }
        Ok(())
    }

    /// Records the blocks, before anything refers to them.
    fn find_blocks(&mut self, (start, end): (usize, usize)) -> Result<()> {
        let mut parser = Parser::new(&mut self.state, self.source.input, start, start)?;
        parser.find_blocks(start, end)
    }

    fn frame(&mut self, fields: &mut Fields<'a>) -> Result<()> {
        let info = fields.take("frameInfo");
        let fixed = fields.list("fixedStack")?;
        let stack = fields.list("stack")?;
        let count = fixed.len() as u32;
        for (node, before) in fixed.into_iter().zip(0_u32..) {
            self.fixed_object(node, count - 1 - before)?;
        }
        // The first object has the lowest index of the frame's table, which is printed last.
        self.state.function.fixed_stack.reverse();
        for node in stack {
            self.stack_object(node)?;
        }
        if let Some(node) = info {
            self.frame_info(node)?;
        }
        let function = &self.state.function;
        let fixed = function
            .fixed_stack
            .iter()
            .map(|object| (object.stack_id, object.alignment));
        let stack = function
            .stack
            .iter()
            .map(|object| (object.stack_id, object.alignment));
        let largest = fixed
            .chain(stack)
            .filter(|(id, _)| id.is_aligned())
            .map(|(_, alignment)| alignment)
            .max()
            .unwrap_or(1);
        let frame = &mut self.state.function.frame;
        frame.max_alignment = frame.max_alignment.max(largest).max(1);
        Ok(())
    }

    fn callee_saved(&mut self, fields: &mut Fields<'a>) -> Result<CalleeSaved> {
        let register = self.optional_physical(fields.take("callee-saved-register"))?;
        let is_restored = fields.boolean("callee-saved-restored")?.unwrap_or(true);
        if !register.is_none() {
            self.state
                .function
                .frame
                .set(FrameProperty::IsCalleeSavedInfoValid, true);
        }
        Ok(CalleeSaved {
            register,
            is_restored,
        })
    }

    fn fixed_object(&mut self, node: Node<'a>, index: u32) -> Result<()> {
        let mut fields = Fields::new(node)?;
        let id_node = fields.required("id")?;
        let id_at = id_node.at;
        let id: u32 = number(id_node)?;
        let kinds = &ObjectKind::TABLE[..2];
        let kind = fields.word("type", kinds)?.unwrap_or_default();
        let mut object = FixedObject {
            kind,
            ..FixedObject::default()
        };
        object.offset = fields.number("offset")?.unwrap_or(0);
        object.size = fields.number("size")?.unwrap_or(0);
        object.alignment = alignment(&mut fields, "alignment")?.unwrap_or(1);
        object.stack_id = fields
            .word("stack-id", &StackId::TABLE)?
            .unwrap_or_default();
        if kind != ObjectKind::SpillSlot {
            object.is_immutable = fields.boolean("isImmutable")?.unwrap_or(false);
            object.is_aliased = fields.boolean("isAliased")?.unwrap_or(false);
        }
        object.callee_saved = self.callee_saved(&mut fields)?;
        object.debug = debug_variable(self.source.names, &mut fields)?;
        fields.finish()?;
        if self.state.fixed_stack.insert(id, index).is_some() {
            return fault(
                id_at,
                format!("redefinition of fixed stack object '%fixed-stack.{id}'"),
            );
        }
        self.state.function.fixed_stack.push(object);
        Ok(())
    }

    fn stack_object(&mut self, node: Node<'a>) -> Result<()> {
        let mut fields = Fields::new(node)?;
        let id_node = fields.required("id")?;
        let id_at = id_node.at;
        let id: u32 = number(id_node)?;
        let name_at = fields.scalar("name")?;
        let kind = fields.word("type", &ObjectKind::TABLE)?.unwrap_or_default();
        let mut object = StackObject {
            kind,
            ..StackObject::default()
        };
        object.offset = fields.number("offset")?.unwrap_or(0);
        if kind != ObjectKind::VariableSized {
            object.size = number(fields.required("size")?)?;
        }
        object.alignment = alignment(&mut fields, "alignment")?.unwrap_or(1);
        object.stack_id = fields
            .word("stack-id", &StackId::TABLE)?
            .unwrap_or_default();
        object.callee_saved = self.callee_saved(&mut fields)?;
        object.local_offset = fields.number("local-offset")?;
        object.debug = debug_variable(self.source.names, &mut fields)?;
        fields.finish()?;
        if let Some((at, name)) = name_at.filter(|(_, name)| !name.is_empty()) {
            if !self.state.ir.is_some_and(|ir| ir.has_value(&name)) {
                let message = format!(
                    "alloca instruction named '{}' isn't defined in the function '{}'",
                    lossy(&name),
                    self.state.function.name
                );
                return fault(at, message);
            }
            object.name = (*name).into();
        }
        let index = self.state.function.stack.len() as u32;
        if self.state.stack.insert(id, index).is_some() {
            return fault(id_at, format!("redefinition of stack object '%stack.{id}'"));
        }
        self.state.function.stack.push(object);
        Ok(())
    }

    fn frame_info(&mut self, node: Node<'a>) -> Result<()> {
        let mut fields = Fields::new(node)?;
        for (property, key) in FrameProperty::TABLE {
            if let Some(value) = fields.boolean(key)? {
                let frame = &mut self.state.function.frame;
                frame.set(*property, value || frame.has(*property));
            }
        }
        let stack_protector = self.object(fields.take("stackProtector"))?;
        let function_context = self.object(fields.take("functionContext"))?;
        let save_points = self.save_points(fields.list("savePoint")?)?;
        let restore_points = self.save_points(fields.list("restorePoint")?)?;
        let frame = &mut self.state.function.frame;
        frame.stack_size = fields.number("stackSize")?.unwrap_or(0);
        frame.offset_adjustment = fields.number("offsetAdjustment")?.unwrap_or(0);
        frame.max_alignment = alignment(&mut fields, "maxAlignment")?.unwrap_or(1);
        let size: Option<u32> = fields.number("maxCallFrameSize")?;
        frame.max_call_frame_size = size.filter(|size| *size != u32::MAX);
        frame.cv_bytes_of_callee_saved_registers =
            fields.number("cvBytesOfCalleeSavedRegisters")?.unwrap_or(0);
        frame.local_frame_size = fields.number("localFrameSize")?.unwrap_or(0);
        frame.stack_protector = stack_protector;
        frame.function_context = function_context;
        frame.save_points = save_points;
        frame.restore_points = restore_points;
        fields.finish()
    }

    fn object(&self, node: Option<Node<'_>>) -> Result<Option<Frame>> {
        let Some(node) = node.filter(|node| !is_empty(node)) else {
            return Ok(None);
        };
        let (at, token, _) = token(node)?;
        let (map, number, made): (_, u32, fn(u32) -> Frame) = match token.kind {
            Kind::Stack(number) => (&self.state.stack, number, Frame::Stack),
            Kind::FixedStack(number) => (&self.state.fixed_stack, number, Frame::Fixed),
            _ => return fault(at, "expected a stack object"),
        };
        match map.get(&number) {
            Some(index) => Ok(Some(made(*index))),
            None => fault(
                at,
                format!("use of undefined stack object '%stack.{number}'"),
            ),
        }
    }

    fn save_points(&self, nodes: Vec<Node<'a>>) -> Result<Vec<SavePoint>> {
        let point = |node| {
            let mut fields = Fields::new(node)?;
            let block = self.block(fields.required("point")?)?;
            let registers = fields
                .list("registers")?
                .into_iter()
                .map(|node| self.physical(node));
            let registers = registers.collect::<Result<_>>()?;
            fields.finish()?;
            Ok(SavePoint { block, registers })
        };
        nodes.into_iter().map(point).collect()
    }

    fn debug_values(&mut self, fields: &mut Fields<'a>) -> Result<()> {
        for node in fields.list("entry_values")? {
            let mut fields = Fields::new(node)?;
            let value = EntryValue {
                register: self.physical(fields.required("entry-value-register")?)?,
                variable: (*fields.text("debug-info-variable")?).into(),
                expression: constant::spaced(&fields.text("debug-info-expression")?)
                    .as_slice()
                    .into(),
                location: (*fields.text("debug-info-location")?).into(),
            };
            fields.finish()?;
            self.state.function.entry_values.push(value);
        }
        for node in fields.list("debugValueSubstitutions")? {
            let mut fields = Fields::new(node)?;
            let item = DebugSubstitution {
                source_insn: number(fields.required("srcinst")?)?,
                source_operand: number(fields.required("srcop")?)?,
                to_insn: number(fields.required("dstinst")?)?,
                to_operand: number(fields.required("dstop")?)?,
                sub: number(fields.required("subreg")?)?,
            };
            fields.finish()?;
            self.state.function.debug_substitutions.push(item);
        }
        Ok(())
    }

    fn pools(&mut self, fields: &mut Fields<'a>) -> Result<()> {
        let mut known = std::collections::HashMap::new();
        for node in fields.list("constants")? {
            self.constant(node, &mut known)?;
        }
        if let Some(node) = fields.take("machineFunctionInfo") {
            let mut info = Fields::new(node)?;
            self.state.function.target_info = target_info(self.target(), &mut info)?;
            info.finish()?;
        } else {
            let mut none = Fields::new(Node {
                at: 0,
                value: Value::Null,
            })?;
            self.state.function.target_info = target_info(self.target(), &mut none)?;
        }
        if let Some(node) = fields.take("jumpTable") {
            let mut table = Fields::new(node)?;
            let kind = table.word("kind", &JumpTableKind::TABLE)?;
            self.state.function.jump_table_kind = kind.unwrap_or_default();
            for node in table.list("entries")? {
                self.jump_table(node)?;
            }
            table.finish()?;
        }
        Ok(())
    }

    fn constant(
        &mut self,
        node: Node<'a>,
        known: &mut std::collections::HashMap<Vec<u8>, usize>,
    ) -> Result<()> {
        let mut fields = Fields::new(node)?;
        let id_node = fields.required("id")?;
        let id_at = id_node.at;
        let id: u32 = number(id_node)?;
        let value_at = fields.scalar("value")?;
        let given = alignment(&mut fields, "alignment")?;
        let specific = fields.boolean("isTargetSpecific")?.unwrap_or(false);
        fields.finish()?;
        let (value_at, value) = value_at.unwrap_or_default();
        if specific {
            return fault(
                value_at,
                "Can't parse target-specific constant pool entries yet",
            );
        }
        if value.is_empty() {
            return fault(value_at, "expected type");
        }
        if !self.state.constants.insert(id) {
            return fault(
                id_at,
                format!("redefinition of constant pool item '%const.{id}'"),
            );
        }
        let alignment = given.unwrap_or_else(|| preferred_alignment(&value));
        let value = constant::folded(&value);
        let constants = &mut self.state.function.constants;
        match known.get(&value) {
            // Equal constants become one, with the largest of their alignments.
            Some(&index) => constants[index].alignment = constants[index].alignment.max(alignment),
            None => {
                known.insert(value.clone(), constants.len());
                let value = value.as_slice().into();
                constants.push(Constant {
                    value,
                    alignment,
                    is_target_specific: false,
                });
            }
        }
        Ok(())
    }

    fn jump_table(&mut self, node: Node<'a>) -> Result<()> {
        let mut fields = Fields::new(node)?;
        let id_node = fields.required("id")?;
        let id_at = id_node.at;
        let id: u32 = number(id_node)?;
        let blocks = fields
            .list("blocks")?
            .into_iter()
            .map(|node| self.block(node));
        let blocks = blocks.collect::<Result<Vec<_>>>()?;
        fields.finish()?;
        let index = self.state.function.jump_tables.len() as u32;
        if self.state.jump_tables.insert(id, index).is_some() {
            return fault(
                id_at,
                format!("redefinition of jump table entry '%jump-table.{id}'"),
            );
        }
        self.state.function.jump_tables.push(JumpTable { blocks });
        Ok(())
    }

    fn metadata(&mut self, fields: &mut Fields<'a>) -> Result<()> {
        let mut references = Vec::new();
        for node in fields.list("machineMetadataNodes")? {
            let at = node.at;
            let text = scalar(node)?;
            let number = text.strip_prefix(b"!").and_then(leading_number);
            let Some((number, rest)) = number else {
                return fault(at, "expected metadata id after '!'");
            };
            if !self.state.metadata.insert(number) {
                return fault(at, "Metadata id is already used");
            }
            let start = at + 1 + text.len() - rest.len();
            constant::check_node(start, rest, &mut references)?;
            self.state.function.metadata.push((*text).into());
        }
        let is_known = |number| {
            self.state.metadata.contains(&number) || self.state.names.metadata().contains(number)
        };
        match references.iter().find(|(_, number)| !is_known(*number)) {
            Some((at, number)) => fault(*at, format!("use of undefined metadata '!{number}'")),
            None => Ok(()),
        }
    }

    fn body(&mut self, (start, end): (usize, usize)) -> Result<()> {
        if start == end {
            return Ok(());
        }
        Parser::new(&mut self.state, self.source.input, start, end)?.blocks()
    }

    /// Reads the position of a call; blocks are named by number here.
    fn position(&self, fields: &mut Fields<'a>) -> Result<(u32, u32)> {
        let block = fields.required("bb")?;
        let block_at = block.at;
        let block: u32 = number(block)?;
        let offset = fields.required("offset")?;
        let offset_at = offset.at;
        let offset: u32 = number(offset)?;
        let function = &self.state.function;
        let Some(of) = function.blocks.get(block as usize) else {
            let message = format!(
                "{} call instruction block out of range. Unable to reference bb:{block}",
                function.name
            );
            return fault(block_at, message);
        };
        if offset as usize >= of.instructions.len() {
            let message = format!(
                "{} call instruction offset out of range. Unable to reference instruction at bb: {block} at offset:{offset}",
                function.name
            );
            return fault(offset_at, message);
        }
        Ok((block, offset))
    }

    fn call_sites(&mut self, node: Node<'a>) -> Result<()> {
        let at = node.at;
        let nodes = list(node)?;
        for node in nodes {
            let mut fields = Fields::new(node)?;
            let (block, offset) = self.position(&mut fields)?;
            let mut arguments = Vec::new();
            for node in fields.list("fwdArgRegs")? {
                let mut fields = Fields::new(node)?;
                let argument = number(fields.required("arg")?)?;
                let register = self.physical(fields.required("reg")?)?;
                fields.finish()?;
                arguments.push((argument, register));
            }
            let types = fields.list("calleeTypeIds")?.into_iter().map(number);
            let callee_types = types.collect::<Result<_>>()?;
            fields.finish()?;
            let insn = &self.state.function.blocks[block as usize].instructions[offset as usize];
            if !self.target().signature(insn.opcode).properties().is_call() {
                let message = format!(
                    "{} call site info should reference call instruction. Instruction at bb:{block} at offset:{offset} is not a call instruction",
                    self.state.function.name
                );
                return fault(at, message);
            }
            let site = CallSite {
                block,
                offset,
                arguments,
                callee_types,
            };
            self.state.function.call_sites.push(site);
        }
        if !self.state.function.call_sites.is_empty() && !self.source.options.call_site_info {
            let message = "call site info provided but not used";
            return Err(Fault::nowhere(message));
        }
        self.state
            .function
            .call_sites
            .sort_by_key(|site| (site.block, site.offset));
        Ok(())
    }

    fn called_globals(&mut self, nodes: Vec<Node<'a>>) -> Result<()> {
        for node in nodes {
            let mut fields = Fields::new(node)?;
            let (block, offset) = self.position(&mut fields)?;
            let callee = (*scalar(fields.required("callee")?)?).into();
            let flags = number(fields.required("flags")?)?;
            fields.finish()?;
            let call = CalledGlobal {
                block,
                offset,
                callee,
                flags,
            };
            self.state.function.called_globals.push(call);
        }
        Ok(())
    }

    fn finish(self, claims: [Option<bool>; CLAIMS.len()]) -> Result<Function> {
        self.check_registers()?;
        let target = self.target();
        let mut function = self.state.function;
        function.compute_properties(target);
        note_red_zone(target, &mut function);
        for ((property, name, problem), claim) in CLAIMS.into_iter().zip(claims) {
            match claim {
                Some(true) if !function.has(property) && !name.is_empty() => {
                    let message = format!(
                        "{} has explicit property {name}, but {problem}",
                        function.name
                    );
                    return Err(Fault::nowhere(message));
                }
                Some(false) if name.is_empty() && function.has(property) => {
                    let message = format!(
                        "{} has explicit property hasFakeUses=false, but contains fake uses",
                        function.name
                    );
                    return Err(Fault::nowhere(message));
                }
                Some(false) if !name.is_empty() => function.set(property, false),
                _ => {}
            }
        }
        if metadata::is_used(&function) {
            self.source.names.metadata().renumber(&mut function);
        }
        if target.isa() == Isa::Aarch64 && function.frame.max_call_frame_size.is_none() {
            function.frame.max_call_frame_size = Some(largest_call_frame(&function, target));
        }
        Ok(function)
    }

    /// Checks that every virtual register has been given a class, a bank or a type.
    fn check_registers(&self) -> Result<()> {
        let function = &self.state.function;
        for (at, register) in function.registers.iter().enumerate() {
            let name = || format!("{} in function '{}'", self.state.name_of(at), function.name);
            let is_settled = self.state.is_settled.get(at).copied().unwrap_or(false);
            if !is_settled {
                let message = format!("Cannot determine class/bank of virtual register {}", name());
                return Err(Fault::nowhere(message));
            }
            if let RegisterKind::Class(class) = register.kind
                && !self.target().is_allocatable_class(class)
            {
                let class = self.target().declared_class_name(class);
                let message = format!(
                    "Cannot use non-allocatable class '{class}' for virtual register {}",
                    name()
                );
                return Err(Fault::nowhere(message));
            }
        }
        Ok(())
    }
}

fn is_empty(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Null => true,
        Value::Scalar(text) => text.is_empty(),
        _ => false,
    }
}

fn debug_variable(names: &Names<'_>, fields: &mut Fields<'_>) -> Result<DebugVariable> {
    let mut node = |key, class: &str| -> Result<Text> {
        let Some((at, text)) = fields.scalar(key)? else {
            return Ok(Text::default());
        };
        check_one_node(at, &text)?;
        let number = text.strip_prefix(b"!").and_then(leading_number);
        let known = number.and_then(|(number, _)| names.metadata().class(number));
        if known.is_some_and(|known| known != class.as_bytes()) {
            let message = format!("expected a reference to a '{class}' metadata node");
            return fault(at, message);
        }
        Ok(constant::spaced(&text).as_slice().into())
    };
    Ok(DebugVariable {
        variable: node("debug-info-variable", "DILocalVariable")?,
        expression: node("debug-info-expression", "DIExpression")?,
        location: node("debug-info-location", "DILocation")?,
    })
}

/// Checks that the text of a scalar, in quotes at offset `at`, is one metadata node.
fn check_one_node(at: usize, text: &[u8]) -> Result<()> {
    let Some(rest) = text.strip_prefix(b"!") else {
        return if text.is_empty() {
            Ok(())
        } else {
            fault(at + 1, "expected a metadata node")
        };
    };
    let len = match leading_number(rest) {
        Some((_, after)) => text.len() - after.len(),
        None => text
            .iter()
            .position(|&byte| byte == b')')
            .map_or(text.len(), |end| end + 1),
    };
    match text[len..].iter().position(|byte| !b" \t".contains(byte)) {
        Some(extra) => fault(
            at + 1 + len + extra,
            "expected end of string after the metadata node",
        ),
        None => Ok(()),
    }
}

/// Returns the keys of a target's own information, with a value if the key is always printed.
fn info_keys(isa: Isa) -> &'static [(&'static str, Option<&'static str>)] {
    match isa {
        Isa::X86_64 => &[("amxProgModel", Some("None"))],
        Isa::Riscv64 => &[
            ("varArgsFrameIndex", Some("0")),
            ("varArgsSaveSize", Some("0")),
        ],
        Isa::Aarch64 => &[
            ("hasRedZone", None),
            ("stackSizeZPR", None),
            ("stackSizePPR", None),
            ("hasStackFrame", None),
            ("hasStreamingModeChanges", None),
        ],
        Isa::Ppc64le | Isa::S390x => &[],
    }
}

fn target_info(target: &Target, fields: &mut Fields<'_>) -> Result<Vec<(Text, Text)>> {
    let mut info = Vec::new();
    for (key, default) in info_keys(target.isa()) {
        let given = fields.scalar(key)?.map(|(_, value)| value.into_owned());
        let always = default.map(|default| default.as_bytes().to_vec());
        if let Some(value) = given.or(always) {
            info.push(((*key).into(), value.into()));
        }
    }
    Ok(info)
}

/// Returns the largest call frame that the call frame pseudo instructions state.
fn largest_call_frame(function: &Function, target: &Target) -> u32 {
    let opcodes = [
        target.opcode(b"ADJCALLSTACKDOWN"),
        target.opcode(b"ADJCALLSTACKUP"),
    ];
    let around = function
        .instructions()
        .filter(|insn| opcodes.contains(&Some(insn.opcode)));
    let size = |insn: &Instruction| match insn.operands.first().map(|operand| &operand.kind) {
        Some(OperandKind::Immediate(size)) => u32::try_from(*size).unwrap_or(0),
        _ => 0,
    };
    around.map(size).max().unwrap_or(0)
}

/// Returns the alignment that LLVM uses for a constant without one.
fn preferred_alignment(value: &[u8]) -> u64 {
    let value = value.trim_ascii_start();
    if let Some(vector) = value.strip_prefix(b"<")
        && let Some((count, rest)) = leading_number(vector)
    {
        let element = rest.trim_ascii_start().strip_prefix(b"x").unwrap_or(rest);
        return (u64::from(count) * type_bits(element.trim_ascii_start()))
            .div_ceil(8)
            .max(1)
            .next_power_of_two();
    }
    if let Some(array) = value.strip_prefix(b"[")
        && let Some((_, rest)) = leading_number(array)
    {
        let element = rest.trim_ascii_start().strip_prefix(b"x").unwrap_or(rest);
        return type_bits(element.trim_ascii_start())
            .div_ceil(8)
            .max(1)
            .next_power_of_two()
            .min(16);
    }
    type_bits(value)
        .div_ceil(8)
        .max(1)
        .next_power_of_two()
        .min(16)
}

/// Returns the width of the scalar type that the text begins with; for anything else, that of an
/// address.
fn type_bits(text: &[u8]) -> u64 {
    let word = text
        .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .next();
    match word.unwrap_or(b"") {
        b"half" | b"bfloat" => 16,
        b"float" => 32,
        b"x86_fp80" => 80,
        b"fp128" | b"ppc_fp128" => 128,
        word => match word.strip_prefix(b"i").and_then(leading_number) {
            Some((bits, b"")) => bits.into(),
            _ => 64,
        },
    }
}

/// Returns the frame pointer policy in the attributes of a function.
fn frame_pointer(function: &Function) -> FramePointer {
    match function.attribute("frame-pointer") {
        Some(b"all" | b"reserved") => FramePointer::All,
        Some(b"non-leaf") => FramePointer::NonLeaf,
        _ => FramePointer::None,
    }
}
