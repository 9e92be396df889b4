//! `musttail` calls between functions of the module that may call each other so without end.
//!
//! In Medium IR calls give up the frame only where all arguments are in registers, and not in every
//! engine. So functions that reach each other by such calls, and have one prototype, become one
//! function, in which the calls are jumps to where the other one begins, with the arguments as
//! values of PHIs there. Each function itself remains as one that calls it with its own number. A
//! call through a pointer compares it with the addresses of these functions; what is none of them
//! is called.
//!
//! The others become calls that give up the frame (`calls.rs`), as far as there are such.

use crate::ast::{
    Argument, Attributes, Block, BlockId, Body, Call, Const, Function, Insn, IntPredicate, Linkage,
    LocalId, Module, Op, Param, Typed, Value, Weakness,
};
use crate::error::SourcePosition;
use crate::types::{Type, TypeId, Types};
use mir_nostd::ir::Type as MediumType;
use mir_nostd::target::{Argument as Place, Description};
use std::collections::{HashMap, HashSet};

/// The properties that functions need to have in common to become one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Prototype {
    result: TypeId,
    params: Vec<(TypeId, [bool; 2], Option<TypeId>)>,
    is_fast: bool,
}

impl Prototype {
    /// Returns that of a function; `None` if it takes what a jump cannot pass.
    fn of(function: &Function) -> Option<Prototype> {
        let is_passed = function.params.iter().all(|p| p.attributes.byval.is_none());
        let kind = |param: &Param| {
            let attributes = &param.attributes;
            let extended = [attributes.signext, attributes.zeroext];
            (param.ty, extended, attributes.sret)
        };
        (is_passed && !function.vararg).then(|| Prototype {
            result: function.result,
            params: function.params.iter().map(kind).collect(),
            is_fast: function.is_fast,
        })
    }

    /// Returns whether the parameters, so many more words before them, and the result are certainly
    /// in registers of the target, so that a call can give up the frame.
    fn is_in_registers(&self, types: &Types, isa: &Description, more: usize) -> bool {
        let register = |ty| match types.get(ty) {
            Type::Int(1..=64) | Type::Ptr => Some(MediumType::I64),
            Type::Float => Some(MediumType::F),
            Type::Double => Some(MediumType::D),
            _ => None,
        };
        let before = core::iter::repeat_n(Some(MediumType::I64), more);
        let params = self.params.iter().map(|&(ty, ..)| register(ty));
        let all: Option<Vec<_>> = before.chain(params).collect();
        let returns = register(self.result).is_some() || *types.get(self.result) == Type::Void;
        let places = |all: Vec<_>| isa.passes_in_registers(all.into_iter().map(Place::scalar));
        returns && all.is_some_and(places)
    }

    /// Returns whether functions of the prototype become one: calls of that give up the frame if
    /// calls of the functions do.
    fn is_joined(&self, types: &Types, isa: &Description) -> bool {
        !self.is_in_registers(types, isa, 0) || self.is_in_registers(types, isa, 1)
    }

    /// Returns whether a call has the types of this prototype.
    fn fits(&self, call: &Call) -> bool {
        let params = self.params.iter().map(|&(ty, ..)| ty);
        self.result == call.result
            && self.is_fast == call.is_fast
            && call.fixed.is_none()
            && params.eq(call.args.iter().map(|arg| arg.ty))
            && call.args.iter().all(|arg| arg.attributes.byval.is_none())
    }
}

/// Rewrites the functions of a module that such calls lead back to.
pub(super) fn join(source: &mut Module, isa: &Description) {
    let mut groups = Groups::of(source, isa).found();
    groups.sort_unstable();
    for (number, members) in groups.into_iter().enumerate() {
        join_group(source, &members, number, isa);
    }
}

/// Returns the `musttail` call that a block ends with.
pub(super) fn last_call(block: &Block) -> Option<&Call> {
    match block.insns.as_slice() {
        [
            ..,
            Insn {
                op: Op::Call(call),
                result,
                ..
            },
            Insn {
                op: Op::Ret(value), ..
            },
        ] if call.must_tail && call.unwind.is_none() => {
            let is_returned = match value {
                None => true,
                Some((_, Value::Local(local))) => *result == Some(*local),
                Some(_) => false,
            };
            is_returned.then_some(&**call)
        }
        _ => None,
    }
}

/// Returns whether the body of a function may become part of another one: nothing has the address
/// of a block.
fn may_move(body: &Body) -> bool {
    let mut insns = body.blocks.iter().flat_map(|block| &block.insns);
    !insns.any(|insn| matches!(insn.op, Op::IndirectBr(..)))
}

/// The functions that call each other, as a graph.
struct Groups {
    /// The nodes that each node leads to by `musttail` calls.
    ///
    /// Functions have their numbers. Behind them is a node for each prototype: calls by pointers
    /// lead to it, and it leads to all functions of the prototype.
    calls: Vec<Vec<usize>>,
    functions: usize,
}

impl Groups {
    fn of(source: &Module, isa: &Description) -> Groups {
        let functions = &source.functions;
        let mut calls = vec![Vec::new(); functions.len()];
        let has_tails = |function: &Function| {
            let is_own = function.weakness != Weakness::Weak && function.foreign.is_none();
            let body = function
                .body
                .as_ref()
                .filter(|body| is_own && may_move(body));
            body.is_some_and(|body| body.blocks.iter().any(|block| last_call(block).is_some()))
        };
        let mut by_name: HashMap<&str, (usize, usize)> = HashMap::new();
        let mut by_prototype: HashMap<Prototype, usize> = HashMap::new();
        let mut members = Vec::new();
        for (number, function) in functions.iter().enumerate() {
            if has_tails(function)
                && let Some(prototype) = Prototype::of(function)
                && prototype.is_joined(&source.types, isa)
            {
                let node = *by_prototype.entry(prototype.clone()).or_insert(calls.len());
                if node == calls.len() {
                    calls.push(Vec::new());
                }
                calls[node].push(number);
                by_name.insert(&function.name, (number, node));
                members.push((number, node, prototype));
            }
        }
        for (number, node, prototype) in members {
            let blocks = functions[number].body.iter().flat_map(|body| &body.blocks);
            let fitting = blocks
                .filter_map(last_call)
                .filter(|call| prototype.fits(call));
            for call in fitting {
                let to = match &call.callee {
                    Value::Const(Const::Global(name)) => by_name
                        .get(name.as_str())
                        .filter(|&&(_, other)| other == node)
                        .map(|&(callee, _)| callee),
                    Value::Local(_) => Some(node),
                    _ => None,
                };
                calls[number].extend(to);
            }
        }
        Groups {
            calls,
            functions: functions.len(),
        }
    }

    /// Returns the functions, in groups, that reach themselves: the strongly connected components
    /// of the graph, found by Tarjan's algorithm with a stack of its own.
    fn found(&self) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let count = self.calls.len();
        let (mut order, mut low) = (vec![NEW; count], vec![NEW; count]);
        let (mut open, mut is_open) = (Vec::new(), vec![false; count]);
        let (mut next, mut groups) = (0, Vec::new());
        for root in 0..count {
            if order[root] != NEW || self.calls[root].is_empty() {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some(&(node, at)) = path.last() {
                if at == 0 && order[node] == NEW {
                    (order[node], low[node]) = (next, next);
                    next += 1;
                    open.push(node);
                    is_open[node] = true;
                }
                if let Some(&to) = self.calls[node].get(at) {
                    if let Some(step) = path.last_mut() {
                        step.1 += 1;
                    }
                    if order[to] == NEW {
                        path.push((to, 0));
                    } else if is_open[to] {
                        low[node] = low[node].min(order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    low[before] = low[before].min(low[node]);
                }
                if low[node] != order[node] {
                    continue;
                }
                let start = open.iter().rposition(|&other| other == node).unwrap_or(0);
                let mut group: Vec<usize> = open.drain(start..).collect();
                group.iter().for_each(|&member| is_open[member] = false);
                let is_cycle = group.len() > 1 || self.calls[node].contains(&node);
                group.retain(|&member| member < self.functions);
                group.sort_unstable();
                if is_cycle && !group.is_empty() {
                    groups.push(group);
                }
            }
        }
        groups
    }
}

/// Makes one function of some.
fn join_group(source: &mut Module, members: &[usize], number: usize, isa: &Description) {
    let Some(like) = members
        .first()
        .and_then(|&first| source.functions.get(first))
    else {
        return;
    };
    let Some(prototype) = Prototype::of(like) else {
        return;
    };
    let mut made = Function {
        name: format!("{}$tail{number}", like.name),
        linkage: Linkage::Local,
        weakness: Weakness::Strong,
        params: Vec::new(),
        body: None,
        ..like.clone()
    };
    let leaves = prototype.is_in_registers(&source.types, isa, 1);
    let mut joined = Joined::new(&mut source.types, like.place, prototype, leaves);
    let entry = joined.add_block("$entry");
    let int = joined.int;
    let which = joined.add_local("$which", int);
    let types: Vec<TypeId> = like.params.iter().map(|param| param.ty).collect();
    let params: Vec<LocalId> = types
        .iter()
        .map(|&ty| joined.add_local("$argument", ty))
        .collect();
    made.params.push(Param {
        ty: int,
        attributes: Attributes::default(),
        local: Some(which),
    });
    for (param, &local) in like.params.iter().zip(&params) {
        made.params.push(Param {
            ty: param.ty,
            attributes: inner(&param.attributes),
            local: Some(local),
        });
    }
    let name_of = |&member: &usize| source.functions[member].name.clone();
    let names: Vec<String> = members.iter().map(name_of).collect();
    let numbered = names.iter().enumerate();
    let numbers: HashMap<&str, usize> = numbered
        .map(|(number, name)| (name.as_str(), number))
        .collect();
    for &member in members {
        joined.add_member(&mut source.functions[member], &numbers);
    }
    joined.finish(entry, which, &params, &names);
    let void = joined.void;
    made.body = Some(joined.body);
    for (number, &member) in (0..).zip(members) {
        call_joined(&mut source.functions[member], &made, number, (void, leaves));
    }
    source.functions.push(made);
}

/// Returns attributes as the function has them that others became: a pointer to memory for a result
/// is one like others there.
fn inner(attributes: &Attributes) -> Attributes {
    Attributes {
        sret: None,
        ..attributes.clone()
    }
}

/// Makes the body of a function that calls the one that it became part of.
fn call_joined(
    function: &mut Function,
    made: &Function,
    number: u128,
    (void, leaves): (TypeId, bool),
) {
    let place = function.place;
    let mut body = Body::default();
    let mut add = |name: String, ty: TypeId| {
        let local = LocalId(body.local_names.len() as u32);
        body.local_names.push(name);
        body.local_types.push(Some(ty));
        local
    };
    let mut args = Vec::new();
    for (position, param) in made.params.iter().enumerate() {
        let value = match position.checked_sub(1) {
            None => Value::Const(Const::Int(number)),
            Some(position) => {
                let local = add(format!("a{position}"), param.ty);
                if let Some(own) = function.params.get_mut(position) {
                    own.local = Some(local);
                }
                Value::Local(local)
            }
        };
        args.push(Argument {
            ty: param.ty,
            attributes: param.attributes.clone(),
            value,
        });
    }
    let result = made.result;
    let call = Op::Call(Box::new(Call {
        result,
        result_attributes: made.result_attributes.clone(),
        callee: Value::Const(Const::Global(made.name.clone())),
        args,
        fixed: None,
        is_fast: made.is_fast,
        must_tail: leaves,
        foreign: None,
        unwind: None,
    }));
    let returned = (result != void).then(|| add("result".into(), result));
    let insns = called_and_returned(call, returned, result);
    let insn = |(result, op)| Insn { place, result, op };
    body.order = vec![BlockId(0)];
    body.block_names = vec!["0".into()];
    body.blocks = vec![Block {
        insns: insns.into_iter().map(insn).collect(),
    }];
    function.body = Some(body);
}

/// Returns a call, and the return of its result.
fn called_and_returned(
    call: Op,
    returned: Option<LocalId>,
    ty: TypeId,
) -> [(Option<LocalId>, Op); 2] {
    let value = returned.map(|local| (ty, Value::Local(local)));
    [(returned, call), (None, Op::Ret(value))]
}

/// A function under construction that others become part of.
struct Joined {
    prototype: Prototype,
    /// True if calls of other functions of the prototype give up the frame.
    leaves: bool,
    place: SourcePosition,
    int: TypeId,
    bit: TypeId,
    pointer: TypeId,
    void: TypeId,
    body: Body,
    /// The names of its values.
    taken: HashSet<String>,
    /// The block that each member begins with, and the values that its parameters became.
    entries: Vec<(BlockId, Vec<LocalId>)>,
    /// The `alloca`s that are executed once.
    allocas: Vec<Insn>,
    /// True if others are executed again after each jump.
    is_growing: bool,
    /// The jumps to a member: which, from where, and with which arguments.
    jumps: Vec<(usize, BlockId, Vec<Value>)>,
    /// The jumps to what a pointer points to.
    pointer_jumps: Vec<(Value, BlockId, Vec<Value>)>,
}

impl Joined {
    fn new(types: &mut Types, place: SourcePosition, prototype: Prototype, leaves: bool) -> Joined {
        Joined {
            prototype,
            leaves,
            place,
            int: types.add(Type::Int(32)),
            bit: types.add(Type::Int(1)),
            pointer: types.add(Type::Ptr),
            void: types.add(Type::Void),
            body: Body::default(),
            taken: HashSet::new(),
            entries: Vec::new(),
            allocas: Vec::new(),
            is_growing: false,
            jumps: Vec::new(),
            pointer_jumps: Vec::new(),
        }
    }

    fn add_local(&mut self, name: &str, ty: impl Into<Option<TypeId>>) -> LocalId {
        let local = LocalId(self.body.local_names.len() as u32);
        let mut name = name.to_owned();
        if self.taken.contains(&name) {
            name = format!("{name}.{}", local.0);
        }
        while !self.taken.insert(name.clone()) {
            name.push('.');
        }
        self.body.local_names.push(name);
        self.body.local_types.push(ty.into());
        local
    }

    fn add_block(&mut self, name: &str) -> BlockId {
        let block = BlockId(self.body.blocks.len() as u32);
        self.body.blocks.push(Block::default());
        self.body.block_names.push(name.into());
        self.body.order.push(block);
        block
    }

    fn push(&mut self, block: BlockId, result: Option<LocalId>, op: Op) {
        let place = self.place;
        if let Some(block) = self.body.blocks.get_mut(block.0 as usize) {
            block.insns.push(Insn { place, result, op });
        }
    }

    /// Takes the body of a function.
    fn add_member(&mut self, function: &mut Function, numbers: &HashMap<&str, usize>) {
        let Some(body) = function.body.take() else {
            return;
        };
        let first_local = self.body.local_names.len() as u32;
        let first_block = self.body.blocks.len() as u32;
        for (name, ty) in body.local_names.iter().zip(body.local_types) {
            self.add_local(name, ty);
        }
        let moved = |local: LocalId| LocalId(first_local + local.0);
        let moved_block = |block: BlockId| BlockId(first_block + block.0);
        let no_wrap = body.no_signed_wrap.into_iter().map(moved);
        self.body.no_signed_wrap.extend(no_wrap);
        self.body.block_names.extend(body.block_names);
        self.body
            .order
            .extend(body.order.iter().copied().map(moved_block));
        let entry = body.order.first().copied().unwrap_or(BlockId(0));
        let params = function.params.iter().filter_map(|param| param.local);
        self.entries
            .push((moved_block(entry), params.map(moved).collect()));
        for (number, mut block) in (0..).map(BlockId).zip(body.blocks) {
            for insn in &mut block.insns {
                insn.result = insn.result.map(moved);
                insn.op.renumber(self.pointer, &moved, &moved_block);
            }
            self.take_jump(&mut block, moved_block(number), numbers);
            let is_once = |insn: &Insn| {
                let Op::Alloca { count, .. } = &insn.op else {
                    return None;
                };
                let is_fixed = matches!(count, None | Some((_, Value::Const(_))));
                Some(is_fixed && number == entry)
            };
            let mut kept = Vec::with_capacity(block.insns.len());
            for insn in block.insns {
                match is_once(&insn) {
                    Some(true) => self.allocas.push(insn),
                    once => {
                        self.is_growing |= once.is_some();
                        kept.push(insn);
                    }
                }
            }
            self.body.blocks.push(Block { insns: kept });
        }
    }

    /// Takes the `musttail` call and the return that a block ends with, if it is one that becomes a
    /// jump.
    fn take_jump(&mut self, block: &mut Block, from: BlockId, numbers: &HashMap<&str, usize>) {
        let Some(call) = last_call(block).filter(|call| self.prototype.fits(call)) else {
            return;
        };
        let args = call.args.iter().map(|arg| arg.value.clone()).collect();
        match &call.callee {
            Value::Const(Const::Global(name)) => match numbers.get(name.as_str()) {
                Some(&to) => self.jumps.push((to, from, args)),
                None => return,
            },
            callee @ Value::Local(_) => self.pointer_jumps.push((callee.clone(), from, args)),
            _ => return,
        }
        block.insns.truncate(block.insns.len() - 2);
    }

    /// Connects all blocks.
    fn finish(&mut self, entry: BlockId, which: LocalId, params: &[LocalId], names: &[String]) {
        for alloca in core::mem::take(&mut self.allocas) {
            if let Some(block) = self.body.blocks.get_mut(entry.0 as usize) {
                block.insns.push(alloca);
            }
        }
        let stack = self.is_growing.then(|| {
            let stack = self.add_local("$stack", self.pointer);
            let op = Call::of("llvm.stacksave.p0", self.pointer, Vec::new());
            self.push(entry, Some(stack), op);
            (self.pointer, Value::Local(stack))
        });
        let mut incoming: Vec<Vec<(BlockId, Vec<Value>)>> = vec![Vec::new(); self.entries.len()];
        let own: Vec<Value> = params.iter().copied().map(Value::Local).collect();
        incoming
            .iter_mut()
            .for_each(|from| from.push((entry, own.clone())));
        let starts: Vec<BlockId> = self.entries.iter().map(|&(start, _)| start).collect();
        let cases: Vec<(u128, BlockId)> = (0..).zip(starts.iter().copied()).skip(1).collect();
        let start = match cases.is_empty() {
            true => Op::Br(starts[0]),
            false => Op::Switch((self.int, Value::Local(which)), starts[0], cases),
        };
        self.push(entry, None, start);
        for (to, from, args) in core::mem::take(&mut self.jumps) {
            self.restore(from, stack.as_ref());
            self.push(from, None, Op::Br(starts[to]));
            incoming[to].push((from, args));
        }
        self.dispatch(stack.as_ref(), names, &mut incoming);
        let types: Vec<TypeId> = self.prototype.params.iter().map(|&(ty, ..)| ty).collect();
        for ((start, values), incoming) in
            core::mem::take(&mut self.entries).into_iter().zip(incoming)
        {
            let place = self.place;
            let phi = |(number, (&result, &ty)): (usize, (&LocalId, &TypeId))| Insn {
                place,
                result: Some(result),
                op: Op::Phi(
                    ty,
                    incoming
                        .iter()
                        .map(|(from, args)| (args[number].clone(), *from))
                        .collect(),
                ),
            };
            let phis: Vec<Insn> = values.iter().zip(&types).enumerate().map(phi).collect();
            self.body.blocks[start.0 as usize].insns.splice(0..0, phis);
        }
    }

    /// Gives back what the member allocated that is left.
    fn restore(&mut self, from: BlockId, stack: Option<&Typed>) {
        if let Some(stack) = stack {
            let op = Call::of("llvm.stackrestore.p0", self.void, vec![stack.clone()]);
            self.push(from, None, op);
        }
    }

    /// Adds the blocks that go to the member whose address a pointer is, or call what it points to.
    fn dispatch(
        &mut self,
        stack: Option<&Typed>,
        names: &[String],
        incoming: &mut [Vec<(BlockId, Vec<Value>)>],
    ) {
        let jumps = core::mem::take(&mut self.pointer_jumps);
        if jumps.is_empty() {
            return;
        }
        let mut block = self.add_block("$dispatch");
        for (_, from, _) in &jumps {
            self.restore(*from, stack);
            self.push(*from, None, Op::Br(block));
        }
        let callees = jumps
            .iter()
            .map(|(callee, from, _)| (callee.clone(), *from))
            .collect();
        let callee = self.add_local("$callee", self.pointer);
        self.push(block, Some(callee), Op::Phi(self.pointer, callees));
        let callee = Value::Local(callee);
        let types: Vec<TypeId> = self.prototype.params.iter().map(|&(ty, ..)| ty).collect();
        let mut args = Vec::new();
        for (number, &ty) in types.iter().enumerate() {
            let value = |(_, from, args): &(_, BlockId, Vec<Value>)| (args[number].clone(), *from);
            let values = jumps.iter().map(value).collect();
            let arg = self.add_local("$passed", ty);
            self.push(block, Some(arg), Op::Phi(ty, values));
            args.push(Value::Local(arg));
        }
        for (number, name) in names.iter().enumerate() {
            let address = Value::Const(Const::Global(name.clone()));
            let is_it = self.add_local("$found", self.bit);
            let compare = Op::Icmp(IntPredicate::Eq, self.pointer, callee.clone(), address);
            self.push(block, Some(is_it), compare);
            let next = self.add_block("$next");
            let (start, _) = self.entries[number];
            self.push(block, None, Op::CondBr(Value::Local(is_it), start, next));
            incoming[number].push((block, args.clone()));
            block = next;
        }
        let args = types.iter().copied().zip(args).collect();
        let result = self.prototype.result;
        let Op::Call(mut call) = Call::of("", result, args) else {
            return;
        };
        call.callee = callee;
        call.is_fast = self.prototype.is_fast;
        call.must_tail = self.leaves;
        let extended = self
            .prototype
            .params
            .iter()
            .map(|&(_, extended, _)| extended);
        for (arg, [signext, zeroext]) in call.args.iter_mut().zip(extended) {
            (arg.attributes.signext, arg.attributes.zeroext) = (signext, zeroext);
        }
        for (arg, &(.., sret)) in call.args.iter_mut().zip(&self.prototype.params) {
            arg.attributes.sret = sret;
        }
        let returned = (result != self.void).then(|| self.add_local("$result", result));
        for (result, op) in called_and_returned(Op::Call(call), returned, result) {
            self.push(block, result, op);
        }
    }
}

impl Op {
    /// Gives the values and blocks of an operation other numbers.
    fn renumber(
        &mut self,
        pointer: TypeId,
        moved: &impl Fn(LocalId) -> LocalId,
        moved_block: &impl Fn(BlockId) -> BlockId,
    ) {
        let renumber = |value: &mut Value| {
            if let Value::Local(local) = value {
                *local = moved(*local);
            }
        };
        self.each_typed_value(pointer, &mut |_, value| renumber(value));
        let to = |block: &mut BlockId| *block = moved_block(*block);
        match self {
            Op::Select(condition, ..) => renumber(condition),
            Op::Phi(_, incoming) => {
                for (value, block) in incoming {
                    renumber(value);
                    to(block);
                }
            }
            Op::Call(call) => call.unwind.iter_mut().for_each(to),
            Op::Br(block) => to(block),
            Op::CondBr(_, yes, no) | Op::Invoked(yes, no) => {
                to(yes);
                to(no);
            }
            Op::Switch(_, default, cases) => {
                to(default);
                cases.iter_mut().for_each(|(_, block)| to(block));
            }
            Op::IndirectBr(_, blocks) => blocks.iter_mut().for_each(to),
            _ => {}
        }
    }
}
