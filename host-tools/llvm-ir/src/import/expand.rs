//! Rewrites a module before it is imported, so that what has no counterpart in Medium IR's operands
//! and data becomes instructions: constant expressions that are only known when the program runs,
//! and the addresses of thread-local variables.

use super::constants::{Evaluator, Scalar, each};
use super::locals::Locals;
use crate::ast::{
    Argument, Attributes, BlockId, Call, Const, Expression, Function, Insn, Linkage, LocalId,
    Module, Op, Param, Predicate, Value, Variable, Weakness,
};
use crate::error::{Error, Result, SourcePosition};
use crate::types::{Type, TypeId};
use mir_nostd::target::Target;
use std::collections::{HashMap, HashSet};

/// The function that returns the address of this thread's copy of a variable, given the variable's
/// description: that of the compilers' libraries (libgcc, compiler-rt).
const ADDRESS_OF_COPY: &str = "__emutls_get_address";

/// The least alignment of a thread's copy of a variable: that of all data.
const COPY_ALIGN: u64 = 16;

/// Rewrites a module.
///
/// # Errors
///
/// Data holds the address of a thread-local variable, or an alias is of one.
pub(super) fn expand(source: &mut Module, target: &'static Target) -> Result<()> {
    let variables = source.variables.iter();
    let thread_local = variables.filter(|variable| variable.is_thread_local);
    let thread_local: HashSet<String> = thread_local.map(|v| v.name.clone()).collect();
    // Each thread has another address.
    check_data(source, &thread_local, &|name| {
        format!("the address of @{name}, which is thread-local, is no constant")
    })?;
    let byte_pointer = source.types.add(Type::Ptr);
    describe_thread_locals(source, byte_pointer);
    if !thread_local.is_empty() {
        declare_address_of_copy(source, byte_pointer);
    }
    let evaluator = Evaluator {
        types: &source.types,
        target,
    };
    for function in &mut source.functions {
        expand_function(function, evaluator, &thread_local, byte_pointer);
    }
    Ok(())
}

/// Returns the name, of these, that a constant refers to.
pub(super) fn mentioned<'a>(constant: &'a Const, names: &HashSet<String>) -> Option<&'a str> {
    let mut found = None;
    each(constant, &mut |part| {
        if let Const::Global(name) = part
            && names.contains(name)
        {
            found = Some(name.as_str());
        }
    });
    found
}

/// Checks that no data and no alias has the address of one of these names; `refusal` says why that
/// of one cannot be there.
pub(super) fn check_data(
    source: &Module,
    names: &HashSet<String>,
    refusal: &dyn Fn(&str) -> String,
) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let refused = |place: SourcePosition, holder: &str, name: &str| -> Error {
        place.error(format!("@{holder}: {}", refusal(name)))
    };
    let data = source.variables.iter().filter(|v| !super::is_llvms(v));
    for variable in data {
        let initializer = variable.initializer.as_ref();
        if let Some(name) = initializer.and_then(|constant| mentioned(constant, names)) {
            return Err(refused(variable.place, &variable.name, name));
        }
    }
    for alias in &source.aliases {
        if let Some(name) = mentioned(&alias.aliasee, names) {
            return Err(refused(alias.place, &alias.name, name));
        }
    }
    Ok(())
}

/// Replaces each thread-local variable by its description and the template of its copies.
fn describe_thread_locals(source: &mut Module, pointer: TypeId) {
    let variables = core::mem::take(&mut source.variables);
    for variable in variables {
        if !variable.is_thread_local {
            source.variables.push(variable);
            continue;
        }
        describe(variable, source, pointer);
    }
}

/// Adds the description of a thread-local variable, as compilers lay it out for their libraries:
/// size, alignment, a word for the library, and the address of the template, null for zeros.
fn describe(variable: Variable, source: &mut Module, pointer: TypeId) {
    let (name, template) = (
        description_of(&variable.name),
        format!("__emutls_t.{}", variable.name),
    );
    let word = source.types.add(Type::Int(64));
    let ty = source.types.add(Type::Struct {
        fields: vec![word, word, pointer, pointer],
        packed: false,
    });
    let has_template = variable.initializer.as_ref() != Some(&Const::Zero);
    let initializer = variable.initializer.as_ref().map(|_| {
        let extent = source.types.extent(variable.ty);
        // The size of a type without one is told where the template is laid out.
        let (size, align) = extent.map_or((0, 1), |extent| (extent.size, extent.align));
        let address = match has_template {
            true => Const::Global(template.clone()),
            false => Const::Zero,
        };
        Const::Aggregate(vec![
            (word, Const::Int(size.into())),
            (
                word,
                Const::Int(align.max(variable.align).max(COPY_ALIGN).into()),
            ),
            (pointer, Const::Zero),
            (pointer, address),
        ])
    });
    source.variables.push(Variable {
        name,
        ty,
        initializer,
        is_thread_local: false,
        align: 0,
        ..variable
    });
    if variable.initializer.is_some() && has_template {
        source.variables.push(Variable {
            name: template,
            linkage: Linkage::Local,
            is_thread_local: false,
            align: 0,
            ..variable
        });
    }
}

fn description_of(name: &str) -> String {
    format!("__emutls_v.{name}")
}

fn declare_address_of_copy(source: &mut Module, pointer: TypeId) {
    let mut functions = source.functions.iter();
    if functions.any(|function| function.name == ADDRESS_OF_COPY) {
        return;
    }
    source.functions.push(Function {
        place: SourcePosition::default(),
        name: ADDRESS_OF_COPY.into(),
        linkage: Linkage::Global,
        weakness: Weakness::Strong,
        result: pointer,
        result_attributes: Attributes::default(),
        params: vec![Param {
            ty: pointer,
            attributes: Attributes::default(),
            local: None,
        }],
        vararg: false,
        is_fast: false,
        behind: None,
        foreign: None,
        body: None,
    });
}

/// Rewrites the operands of a function's instructions.
fn expand_function(
    function: &mut Function,
    evaluator: Evaluator<'_>,
    thread_local: &HashSet<String>,
    pointer: TypeId,
) {
    let Some(body) = &mut function.body else {
        return;
    };
    let mut expander = Expander {
        evaluator,
        thread_local,
        pointer,
        place: function.place,
        locals: Locals::of(body),
        insns: Vec::new(),
        addresses: HashMap::new(),
    };
    // The values of PHIs are computed at the ends of the blocks that lead to them.
    let mut at_ends: Vec<(BlockId, Vec<Insn>)> = Vec::new();
    for block in &mut body.blocks {
        expander.addresses.clear();
        for mut insn in core::mem::take(&mut block.insns) {
            expander.place = insn.place;
            if let Op::Phi(ty, incoming) = &mut insn.op {
                let kept = core::mem::take(&mut expander.insns);
                for (value, from) in incoming {
                    expander.addresses.clear();
                    expander.value(*ty, value);
                    if !expander.insns.is_empty() {
                        at_ends.push((*from, core::mem::take(&mut expander.insns)));
                    }
                }
                expander.addresses.clear();
                expander.insns = kept;
            } else {
                insn.op
                    .each_typed_value(pointer, &mut |ty, value| expander.value(ty, value));
            }
            expander.insns.push(insn);
        }
        block.insns = core::mem::take(&mut expander.insns);
    }
    for (block, added) in at_ends {
        let insns = &mut body.blocks[block.0 as usize].insns;
        let end = insns.len().saturating_sub(1);
        insns.splice(end..end, added);
    }
    expander.locals.put_back(body);
}

/// The rewriting of the operands of a function.
struct Expander<'a> {
    evaluator: Evaluator<'a>,
    thread_local: &'a HashSet<String>,
    pointer: TypeId,
    place: SourcePosition,
    locals: Locals,
    /// The instructions of the block so far.
    insns: Vec<Insn>,
    /// The addresses of thread-local variables that the block has computed.
    addresses: HashMap<String, LocalId>,
}

impl Expander<'_> {
    /// Rewrites an operand of a type.
    fn value(&mut self, ty: TypeId, value: &mut Value) {
        if let Value::Const(constant) = value
            && self.needs_insns(constant)
        {
            let constant = core::mem::replace(constant, Const::Zero);
            *value = self.expanded(ty, constant);
        }
    }

    /// Returns whether the value of a constant is only known when the program runs.
    fn needs_insns(&self, constant: &Const) -> bool {
        match constant {
            Const::Global(name) => self.thread_local.contains(name),
            Const::Aggregate(elements) => elements.iter().any(|(_, part)| self.needs_insns(part)),
            Const::Expression(expression) => {
                let value = self.evaluator.expression(expression);
                matches!(
                    value,
                    None | Some(Scalar::Distance(..) | Scalar::BlockDistance(..))
                ) || mentioned(constant, self.thread_local).is_some()
            }
            _ => false,
        }
    }

    /// Returns a constant as an operand, after the instructions that it needs.
    fn expanded(&mut self, ty: TypeId, constant: Const) -> Value {
        if !self.needs_insns(&constant) {
            return Value::Const(constant);
        }
        match constant {
            Const::Global(name) => Value::Local(self.address_of_copy(&name)),
            Const::Aggregate(elements) => self.aggregate(ty, elements),
            Const::Expression(expression) => self.expression(*expression),
            constant => Value::Const(constant),
        }
    }

    fn aggregate(&mut self, ty: TypeId, mut elements: Vec<(TypeId, Const)>) -> Value {
        let mut later = Vec::new();
        for (index, (element_type, element)) in (0..).zip(&mut elements) {
            if self.needs_insns(element) {
                let element = core::mem::replace(element, Const::Zero);
                later.push((index, *element_type, element));
            }
        }
        let mut whole = Value::Const(Const::Aggregate(elements));
        for (index, element_type, element) in later {
            let element = self.expanded(element_type, element);
            let op = Op::Insert((ty, whole), (element_type, element), vec![index]);
            whole = Value::Local(self.add(op, ty));
        }
        whole
    }

    fn expression(&mut self, expression: Expression) -> Value {
        let (op, ty) = match expression {
            Expression::Cast {
                cast,
                from: (from, constant),
                to,
            } => (
                Op::Cast(cast, (from, self.expanded(from, constant)), to),
                to,
            ),
            Expression::Address {
                ty,
                element,
                operands,
            } => {
                let mut operands = operands.into_iter().map(|(ty, constant)| {
                    let value = self.expanded(ty, constant);
                    (ty, value)
                });
                let base = operands
                    .next()
                    .map_or(Value::Const(Const::Zero), |(_, base)| base);
                let indices = operands.collect();
                let op = Op::Address {
                    element,
                    base,
                    indices,
                };
                (op, ty)
            }
            Expression::Binary { op, ty, a, b } => {
                let (a, b) = (self.expanded(ty, a), self.expanded(ty, b));
                (Op::Binary(op, ty, a, b), ty)
            }
            Expression::Compare {
                predicate,
                bit,
                ty,
                a,
                b,
            } => {
                let (a, b) = (self.expanded(ty, a), self.expanded(ty, b));
                let op = match predicate {
                    Predicate::Int(predicate) => Op::Icmp(predicate, ty, a, b),
                    Predicate::Float(predicate) => Op::Fcmp(predicate, ty, a, b),
                };
                (op, bit)
            }
            Expression::Select {
                condition,
                bit,
                ty,
                a,
                b,
            } => {
                let condition = self.expanded(bit, condition);
                let (a, b) = (self.expanded(ty, a), self.expanded(ty, b));
                (Op::Select(condition, ty, a, b), ty)
            }
        };
        Value::Local(self.add(op, ty))
    }

    /// Returns the address of this thread's copy of a variable.
    fn address_of_copy(&mut self, name: &str) -> LocalId {
        if let Some(&known) = self.addresses.get(name) {
            return known;
        }
        let call = Call {
            result: self.pointer,
            result_attributes: Attributes::default(),
            callee: Value::Const(Const::Global(ADDRESS_OF_COPY.into())),
            args: vec![Argument {
                ty: self.pointer,
                attributes: Attributes::default(),
                value: Value::Const(Const::Global(description_of(name))),
            }],
            fixed: None,
            is_fast: false,
            must_tail: false,
            foreign: None,
            unwind: None,
        };
        let address = self.add(Op::Call(Box::new(call)), self.pointer);
        self.addresses.insert(name.into(), address);
        address
    }

    /// Adds an instruction; returns its result.
    fn add(&mut self, op: Op, ty: TypeId) -> LocalId {
        let local = self.locals.add("constant", ty);
        self.insns.push(Insn {
            place: self.place,
            result: Some(local),
            op,
        });
        local
    }
}

impl Op {
    /// Calls `take` with each operand that is a value but those of PHIs, and its type; `pointer` is
    /// that of addresses.
    pub(super) fn each_typed_value(
        &mut self,
        pointer: TypeId,
        take: &mut dyn FnMut(TypeId, &mut Value),
    ) {
        match self {
            Op::Binary(_, ty, a, b)
            | Op::Icmp(_, ty, a, b)
            | Op::Fcmp(_, ty, a, b)
            // The type of a condition matters to aggregates only.
            | Op::Select(_, ty, a, b) => {
                take(*ty, a);
                take(*ty, b);
            }
            Op::Fneg(ty, value)
            | Op::Cast(_, (ty, value), _)
            | Op::Freeze((ty, value))
            | Op::Extract((ty, value), _)
            | Op::Ret(Some((ty, value)))
            | Op::Resume((ty, value))
            | Op::Switch((ty, value), ..) => take(*ty, value),
            Op::Load(_, value)
            | Op::AtomicLoad(_, value, _)
            | Op::IndirectBr(value, _) | Op::CondBr(value, ..) => {
                take(pointer, value);
            }
            Op::Alloca { count, .. } => {
                if let Some((ty, count)) = count {
                    take(*ty, count);
                }
            }
            Op::Store((ty, value), address) | Op::AtomicStore((ty, value), address, _) => {
                take(*ty, value);
                take(pointer, address);
            }
            Op::Address { base, indices, .. } => {
                take(pointer, base);
                indices.iter_mut().for_each(|(ty, index)| take(*ty, index));
            }
            Op::Call(call) => {
                take(pointer, &mut call.callee);
                call.args
                    .iter_mut()
                    .for_each(|arg| take(arg.ty, &mut arg.value));
            }
            Op::Insert((ty, a), (other, b), _) | Op::ExtractElement((ty, a), (other, b)) => {
                take(*ty, a);
                take(*other, b);
            }
            Op::InsertElement((ty, a), (other, b), (index, c)) => {
                take(*ty, a);
                take(*other, b);
                take(*index, c);
            }
            Op::ShuffleVector(ty, a, b, _) => {
                take(*ty, a);
                take(*ty, b);
            }
            Op::Parts((ty, value), _) => take(*ty, value),
            Op::Join(values) => values.iter_mut().for_each(|(ty, value)| take(*ty, value)),
            Op::Cmpxchg(address, (ty, expected), new, _) => {
                take(pointer, address);
                take(*ty, expected);
                take(*ty, new);
            }
            Op::AtomicRmw(_, address, (ty, value), _) => {
                take(pointer, address);
                take(*ty, value);
            }
            Op::Phi(..)
            | Op::Fence(_)
            | Op::Ret(None)
            | Op::Br(_)
            | Op::Invoked(..)
            | Op::LandingPad(_)
            | Op::Unreachable => {}
        }
        if let Op::Select(condition, ..) = self {
            take(pointer, condition);
        }
    }
}
