//! Addresses of functions that take or return vectors.
//!
//! Medium IR has no registers for vectors, so only functions of the module call such a function as
//! it wants it. Its address, however, may reach other code through memory. So the address that data
//! and instructions have is that of a function made here, a gate, which ends the program with the
//! function's name and line. An indirect call with vectors asks another function made here for the
//! function that an address is the gate of; that one ends the program, too, with the name and line
//! of who calls, if the address is no gate of a function of that type.

use super::constants::each_mut;
use super::locals::Locals;
use super::platform::Platform;
use super::signature::goes_by_lanes;
use crate::ast::{
    Attributes, Block, BlockId, Body, Call, Const, Function, Insn, IntPredicate, Linkage, LocalId,
    Module, Op, Param, Value, Variable, Weakness,
};
use crate::error::SourcePosition;
use crate::types::{Type, TypeId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The function that ends the program with a message: C's, as `assert` calls it.
const FAIL: &str = "__assert_fail";

/// The end of a gate's name.
const GATE: &str = "$gate";

const OF_GATES: &str =
    "only functions of its own module call a function that takes vectors or half floats";
const OF_CALLS: &str =
    "what is called with vectors or half floats is a function of this module and of that type";

/// Gives data and instructions the addresses of gates instead of those of functions that take or
/// return vectors, and calls the functions behind them.
pub(super) fn add_gates(source: &mut Module, platform: &Platform) {
    let guarded = guarded(source, platform);
    let names = names_of_gates(source, &guarded);
    let used = replace_addresses(source, &guarded, &names);
    let mut functions = core::mem::take(&mut source.functions);
    let mut maker = Maker::new(source, names);
    for function in &mut functions {
        maker.redirect(function, platform);
    }
    let behind: Vec<&Function> = functions
        .iter()
        .filter(|function| used.contains(&function.name))
        .collect();
    let mut made = maker.gates(&behind);
    made.extend(maker.finders(&behind));
    let is_declared = functions.iter().any(|function| function.name == FAIL);
    if !made.is_empty() && !is_declared {
        made.push(maker.declaration_of_fail());
    }
    functions.append(&mut made);
    source.functions = functions;
}

/// Returns the functions that have gates if their addresses are used, by their names and aliases.
fn guarded(source: &Module, platform: &Platform) -> HashMap<String, String> {
    let takes_vectors = |function: &&Function| {
        let params = function.params.iter().map(|param| param.ty);
        let mut types = params.chain([function.result]);
        function.body.is_some() && types.any(|ty| goes_by_lanes(&source.types, platform, ty))
    };
    let functions = source.functions.iter().filter(takes_vectors);
    let mut guarded: HashMap<_, _> = functions
        .map(|function| (function.name.clone(), function.name.clone()))
        .collect();
    if guarded.is_empty() {
        return guarded;
    }
    // An alias may be one of another, before or after it.
    let mut aliases_of: HashMap<&str, Vec<&str>> = HashMap::new();
    for alias in &source.aliases {
        if let Const::Global(name) = &alias.aliasee {
            aliases_of.entry(name).or_default().push(&alias.name);
        }
    }
    let mut waiting: Vec<String> = guarded.keys().cloned().collect();
    while let Some(name) = waiting.pop() {
        // Its aliases are taken: each is found once.
        for alias in aliases_of.remove(name.as_str()).unwrap_or_default() {
            if let Some(function) = guarded.get(&name).cloned() {
                guarded.insert(alias.into(), function);
                waiting.push(alias.into());
            }
        }
    }
    guarded
}

/// Returns the names of the gates of functions, which are those of nothing else in the module.
fn names_of_gates(source: &Module, guarded: &HashMap<String, String>) -> HashMap<String, String> {
    if guarded.is_empty() {
        return HashMap::new();
    }
    let functions = source.functions.iter().map(|function| &function.name);
    let variables = source.variables.iter().map(|variable| &variable.name);
    let aliases = source.aliases.iter().map(|alias| &alias.name);
    let mut taken: HashSet<String> = functions.chain(variables).chain(aliases).cloned().collect();
    let mut names = HashMap::new();
    for function in &source.functions {
        if !guarded.contains_key(&function.name) {
            continue;
        }
        let mut name = format!("{}{GATE}", function.name);
        while !taken.insert(name.clone()) {
            name.push('$');
        }
        names.insert(function.name.clone(), name);
    }
    names
}

/// Replaces the addresses of functions by those of their gates; returns the functions.
fn replace_addresses(
    source: &mut Module,
    guarded: &HashMap<String, String>,
    names: &HashMap<String, String>,
) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    if guarded.is_empty() {
        return used;
    }
    let mut replace = |constant: &mut Const| {
        each_mut(constant, &mut |part| {
            if let Const::Global(name) = part
                && let Some(function) = guarded.get(name)
                && let Some(gate) = names.get(function)
            {
                used.insert(function.clone());
                name.clone_from(gate);
            }
        });
    };
    let data = source.variables.iter_mut().filter(|v| !super::is_llvms(v));
    data.flat_map(|variable| &mut variable.initializer)
        .for_each(&mut replace);
    let pointer = source.types.add(Type::Ptr);
    let mut in_value = |value: &mut Value| {
        if let Value::Const(constant) = value {
            replace(constant);
        }
    };
    let bodies = source.functions.iter_mut().flat_map(|f| &mut f.body);
    let insns = bodies.flat_map(|body| &mut body.blocks);
    for insn in insns.flat_map(|block| &mut block.insns) {
        match &mut insn.op {
            Op::Phi(_, incoming) => incoming.iter_mut().for_each(|(value, _)| in_value(value)),
            Op::Call(call) if matches!(call.callee, Value::Const(Const::Global(_))) => {
                let args = call.args.iter_mut();
                args.for_each(|arg| in_value(&mut arg.value));
            }
            op => op.each_typed_value(pointer, &mut |_, value| in_value(value)),
        }
    }
    used
}

/// The types of a result and of arguments, by which a call and a function fit.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Signature(TypeId, Vec<TypeId>);

impl Signature {
    fn of(function: &Function) -> Signature {
        let params = function.params.iter().map(|param| param.ty);
        Signature(function.result, params.collect())
    }

    /// Returns that of a call, as far as the callee's type says it.
    fn of_call(call: &Call) -> Signature {
        let fixed = call.fixed.filter(|&fixed| fixed > 0);
        let args = call.args.iter().map(|arg| arg.ty);
        let args = args.take(fixed.unwrap_or(call.args.len()));
        Signature(call.result, args.collect())
    }
}

/// The functions and texts that a module gets.
struct Maker<'a> {
    source: &'a mut Module,
    /// The names of the gates of functions.
    names: HashMap<String, String>,
    pointer: TypeId,
    bit: TypeId,
    int: TypeId,
    void: TypeId,
    /// The variables that hold texts of messages, by the texts.
    texts: HashMap<String, String>,
    /// The functions that find what is behind a gate, by the types of the calls, and their numbers.
    finders: Vec<Signature>,
    known_finders: HashMap<Signature, usize>,
}

impl<'a> Maker<'a> {
    fn new(source: &'a mut Module, names: HashMap<String, String>) -> Maker<'a> {
        Maker {
            names,
            pointer: source.types.add(Type::Ptr),
            bit: source.types.add(Type::Int(1)),
            int: source.types.add(Type::Int(32)),
            void: source.types.add(Type::Void),
            source,
            texts: HashMap::new(),
            finders: Vec::new(),
            known_finders: HashMap::new(),
        }
    }

    /// Lets the indirect calls of a function that have vectors call what is behind the gate.
    fn redirect(&mut self, function: &mut Function, platform: &Platform) {
        let Some(body) = &mut function.body else {
            return;
        };
        let mut locals = Locals::of(body);
        for block in &mut body.blocks {
            let mut insns = Vec::with_capacity(block.insns.len());
            for mut insn in core::mem::take(&mut block.insns) {
                if let Op::Call(call) = &mut insn.op
                    && self.is_guarded(call, platform)
                {
                    let found = locals.add("callee", self.pointer);
                    let callee = core::mem::replace(&mut call.callee, Value::Local(found));
                    let op =
                        self.find(callee, Signature::of_call(call), insn.place, &function.name);
                    insns.push(Insn {
                        place: insn.place,
                        result: Some(found),
                        op,
                    });
                }
                insns.push(insn);
            }
            block.insns = insns;
        }
        locals.put_back(body);
    }

    /// Returns whether a call is indirect and has vectors.
    fn is_guarded(&self, call: &Call, platform: &Platform) -> bool {
        let args = call.args.iter().map(|arg| arg.ty);
        let mut types = args.chain([call.result]);
        !matches!(
            call.callee,
            Value::Const(Const::Global(_) | Const::Assembly(_))
        ) && types.any(|ty| goes_by_lanes(&self.source.types, platform, ty))
    }

    /// Returns the call that finds what is behind the gate `callee`, for a call in `caller`.
    fn find(
        &mut self,
        callee: Value,
        signature: Signature,
        place: SourcePosition,
        caller: &str,
    ) -> Op {
        let next = self.finders.len();
        let number = *self.known_finders.entry(signature.clone()).or_insert(next);
        if number == next {
            self.finders.push(signature);
        }
        let caller = self.text(caller);
        let line = Value::Const(Const::Int(place.line.into()));
        let args = vec![
            (self.pointer, callee),
            (self.int, line),
            (self.pointer, caller),
        ];
        Call::of(&name_of_finder(number), self.pointer, args)
    }

    /// Returns the gates of functions.
    fn gates(&mut self, behind: &[&Function]) -> Vec<Function> {
        let mut made = Vec::new();
        for function in behind {
            let line = Value::Const(Const::Int(function.place.line.into()));
            let name = self.text(&function.name);
            let fail = self.fail(OF_GATES, line, name);
            let blocks = vec![vec![(None, fail), (None, Op::Unreachable)]];
            let gate = self.name_of_gate(&function.name);
            made.push(Function {
                result: self.void,
                behind: Some(function.name.clone()),
                ..self.function(&gate, function.place, &[], blocks)
            });
        }
        made
    }

    fn name_of_gate(&self, function: &str) -> String {
        self.names.get(function).cloned().unwrap_or_default()
    }

    /// Returns the functions that find what is behind gates: each compares the address with those
    /// of all gates that may be meant.
    fn finders(&mut self, behind: &[&Function]) -> Vec<Function> {
        let mut by_type: HashMap<Signature, Vec<&str>> = HashMap::new();
        for function in behind {
            let fitting = by_type.entry(Signature::of(function)).or_default();
            fitting.push(&function.name);
        }
        let mut made = Vec::new();
        for (number, signature) in core::mem::take(&mut self.finders).into_iter().enumerate() {
            let fitting = by_type.remove(&signature).unwrap_or_default();
            // The parameters, and a bit for each comparison.
            let [address, line, caller] = [0, 1, 2].map(|param| Value::Local(LocalId(param)));
            let count = fitting.len() as u32;
            let (mut blocks, mut returns) = (Vec::new(), Vec::new());
            for (index, name) in (0..).zip(&fitting) {
                let bit = LocalId(3 + index);
                let gate = Value::Const(Const::Global(self.name_of_gate(name)));
                let compare = Op::Icmp(IntPredicate::Eq, self.pointer, address.clone(), gate);
                let [found, next] = [count + 1 + index, index + 1].map(BlockId);
                let branch = Op::CondBr(Value::Local(bit), found, next);
                blocks.push(vec![(Some(bit), compare), (None, branch)]);
                let function = Value::Const(Const::Global((*name).into()));
                returns.push(vec![(None, Op::Ret(Some((self.pointer, function))))]);
            }
            let fail = self.fail(OF_CALLS, line, caller);
            blocks.push(vec![(None, fail), (None, Op::Unreachable)]);
            blocks.append(&mut returns);
            let params = [self.pointer, self.int, self.pointer];
            let place = SourcePosition::default();
            made.push(self.function(&name_of_finder(number), place, &params, blocks));
        }
        made
    }

    /// Returns the call that ends the program with a message.
    fn fail(&mut self, message: &str, line: Value, function: Value) -> Op {
        let file = self.source.source_filename.as_deref().unwrap_or("module");
        let file = format!("LLVM IR of {file}");
        let (message, file) = (self.text(message), self.text(&file));
        let args = vec![
            (self.pointer, message),
            (self.pointer, file),
            (self.int, line),
            (self.pointer, function),
        ];
        Call::of(FAIL, self.void, args)
    }

    fn declaration_of_fail(&self) -> Function {
        let params = [self.pointer, self.pointer, self.int, self.pointer];
        Function {
            linkage: Linkage::Global,
            result: self.void,
            body: None,
            ..self.function(FAIL, SourcePosition::default(), &params, Vec::new())
        }
    }

    /// Returns the address of a text, with a zero at its end.
    fn text(&mut self, text: &str) -> Value {
        if let Some(known) = self.texts.get(text) {
            return Value::Const(Const::Global(known.clone()));
        }
        let name = format!("$message{}", self.texts.len() + 1);
        self.texts.insert(text.into(), name.clone());
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        let types = &mut self.source.types;
        let byte = types.add(Type::Int(8));
        self.source.variables.push(Variable {
            place: SourcePosition::default(),
            name: name.clone(),
            linkage: Linkage::Local,
            weakness: Weakness::Strong,
            ty: types.add(Type::Array(bytes.len() as u64, byte)),
            initializer: Some(Const::Bytes(bytes)),
            is_thread_local: false,
            align: 0,
        });
        Value::Const(Const::Global(name))
    }

    /// Returns a function of this module that returns a pointer.
    fn function(
        &self,
        name: &str,
        place: SourcePosition,
        params: &[TypeId],
        blocks: Vec<Vec<(Option<LocalId>, Op)>>,
    ) -> Function {
        let bits = blocks
            .iter()
            .flatten()
            .filter(|(result, _)| result.is_some());
        let mut types: Vec<_> = params.iter().copied().map(Some).collect();
        types.extend(bits.map(|_| Some(self.bit)));
        let insn = |(result, op)| Insn { place, result, op };
        let block = |insns: Vec<_>| Block {
            insns: insns.into_iter().map(insn).collect(),
        };
        let body = Body {
            order: (0..blocks.len() as u32).map(BlockId).collect(),
            block_names: (0..blocks.len()).map(|number| number.to_string()).collect(),
            blocks: blocks.into_iter().map(block).collect(),
            local_names: (0..types.len())
                .map(|number| format!("v{number}"))
                .collect(),
            local_types: types,
            no_signed_wrap: HashSet::new(),
            records: Vec::new(),
        };
        let param = |(number, &ty)| Param {
            ty,
            attributes: Attributes::default(),
            local: Some(LocalId(number)),
        };
        Function {
            place,
            name: name.into(),
            linkage: Linkage::Local,
            weakness: Weakness::Strong,
            result: self.pointer,
            result_attributes: Attributes::default(),
            params: (0..).zip(params).map(param).collect(),
            vararg: false,
            is_fast: false,
            behind: None,
            foreign: None,
            body: Some(body),
        }
    }
}

fn name_of_finder(number: usize) -> String {
    format!("$behind{}", number + 1)
}
