//! Instructions become operations.

use super::super::code::{LABEL_STEP, Op};
use super::super::fault::Exit;
use super::facts::result_type;
use super::operand::{Source, Target, wide};
use super::{Decoder, Extra, NONE, Node, Span, Var};
use crate::ir::{Code, InsnId, Operand, Type};
use crate::num::fold;

/// Number of the first node behind the extension of narrow arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body(pub(super) u32);

/// What a comparison asks, once greater has become less of swapped operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
}

/// What a comparison compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Int,
    Short,
    Unsigned,
    UnsignedShort,
    Float,
    Double,
    LongDouble,
}

#[derive(Clone, Copy, Debug)]
struct Comparison {
    relation: Relation,
    kind: Kind,
    swapped: bool,
}

impl Comparison {
    /// The comparison that an instruction makes; the numbers of both families follow one pattern.
    fn of(code: Code) -> Option<Comparison> {
        let number = code.number();
        let place = match number {
            72..=109 => number - 72,
            123..=160 => number - 123,
            _ => return None,
        };
        const EQUALITY: [Kind; 5] = [
            Kind::Int,
            Kind::Short,
            Kind::Float,
            Kind::Double,
            Kind::LongDouble,
        ];
        const ORDER: [Kind; 7] = [
            Kind::Int,
            Kind::Short,
            Kind::Unsigned,
            Kind::UnsignedShort,
            Kind::Float,
            Kind::Double,
            Kind::LongDouble,
        ];
        let (relation, kind, swapped) = match place.checked_sub(10) {
            None => {
                let relation = if place < 5 {
                    Relation::Eq
                } else {
                    Relation::Ne
                };
                (relation, EQUALITY[usize::from(place % 5)], false)
            }
            Some(place) => {
                let relation = if place / 7 % 2 == 0 {
                    Relation::Lt
                } else {
                    Relation::Le
                };
                (relation, ORDER[usize::from(place % 7)], place >= 14)
            }
        };
        Some(Comparison {
            relation,
            kind,
            swapped,
        })
    }

    fn bits(self) -> u32 {
        match self.kind {
            Kind::Short | Kind::UnsignedShort => 32,
            Kind::LongDouble => 128,
            _ => 64,
        }
    }

    fn is_int(self) -> bool {
        !matches!(self.kind, Kind::Float | Kind::Double | Kind::LongDouble)
    }

    fn is_unsigned(self) -> bool {
        matches!(self.kind, Kind::Unsigned | Kind::UnsignedShort)
    }

    /// Whether it holds for constants, if they are integers.
    fn holds(self, a: i64, b: i64) -> Option<bool> {
        let order = match self.kind {
            Kind::Int => a.cmp(&b),
            Kind::Short => (a as i32).cmp(&(b as i32)),
            Kind::Unsigned => (a as u64).cmp(&(b as u64)),
            Kind::UnsignedShort => (a as u32).cmp(&(b as u32)),
            _ => return None,
        };
        Some(match self.relation {
            Relation::Eq => order.is_eq(),
            Relation::Ne => order.is_ne(),
            Relation::Lt => order.is_lt(),
            Relation::Le => order.is_le(),
        })
    }

    /// The operations on registers: one that gives the result, and one that branches if there is such.
    fn ops(self) -> (Op, Option<Op>) {
        use Kind::{Double, Float, LongDouble, Short, Unsigned, UnsignedShort};
        use Relation::{Eq, Le, Lt, Ne};
        let (value, branch) = match (self.relation, self.kind) {
            (Eq, Float) => (Op::Feq, Op::Fbeq),
            (Eq, Double) => (Op::Deq, Op::Dbeq),
            (Eq, LongDouble) => return (Op::Ldeq, None),
            (Eq, Short | UnsignedShort) => (Op::Eqs, Op::Beqs),
            (Eq, _) => (Op::Eq, Op::Beq),
            (Ne, Float) => (Op::Fne, Op::Fbne),
            (Ne, Double) => (Op::Dne, Op::Dbne),
            (Ne, LongDouble) => return (Op::Ldne, None),
            (Ne, Short | UnsignedShort) => (Op::Nes, Op::Bnes),
            (Ne, _) => (Op::Ne, Op::Bne),
            (Lt, Kind::Int) => (Op::Lt, Op::Blt),
            (Lt, Short) => (Op::Lts, Op::Blts),
            (Lt, Unsigned) => (Op::Ult, Op::Ublt),
            (Lt, UnsignedShort) => (Op::Ults, Op::Ublts),
            (Lt, Float) => (Op::Flt, Op::Fblt),
            (Lt, Double) => (Op::Dlt, Op::Dblt),
            (Lt, LongDouble) => return (Op::Ldlt, None),
            (Le, Kind::Int) => (Op::Le, Op::Ble),
            (Le, Short) => (Op::Les, Op::Bles),
            (Le, Unsigned) => (Op::Ule, Op::Uble),
            (Le, UnsignedShort) => (Op::Ules, Op::Ubles),
            (Le, Float) => (Op::Fle, Op::Fble),
            (Le, Double) => (Op::Dle, Op::Dble),
            (Le, LongDouble) => return (Op::Ldle, None),
        };
        (value, Some(branch))
    }

    /// The operations that compare a register with a constant, and the constant; `register_first` says whether the
    /// register is the left operand. `x <= c` becomes `x < c + 1`, `c <= x` becomes `x > c - 1`.
    fn constant_ops(self, constant: i64, register_first: bool) -> Option<(Op, Op, u32)> {
        let constant = match self.kind {
            Kind::Short | Kind::UnsignedShort => i64::from(constant as i32),
            _ => constant,
        };
        let unsigned = self.is_unsigned();
        let constant = match (self.relation, register_first) {
            (Relation::Le, true) if unsigned && constant == -1 => return None,
            (Relation::Le, true) => constant.checked_add(1)?,
            (Relation::Le, false) if unsigned && constant == 0 => return None,
            (Relation::Le, false) => constant.checked_sub(1)?,
            _ => constant,
        };
        let small = i32::try_from(constant).ok()? as u32;
        let less = register_first;
        let (value, branch) = match (self.relation, self.kind) {
            (Relation::Eq, Kind::Int | Kind::Unsigned) => (Op::EqI, Op::BeqI),
            (Relation::Eq, Kind::Short | Kind::UnsignedShort) => (Op::EqsI, Op::BeqsI),
            (Relation::Ne, Kind::Int | Kind::Unsigned) => (Op::NeI, Op::BneI),
            (Relation::Ne, Kind::Short | Kind::UnsignedShort) => (Op::NesI, Op::BnesI),
            (_, Kind::Int) if less => (Op::LtI, Op::BltI),
            (_, Kind::Int) => (Op::GtI, Op::BgtI),
            (_, Kind::Short) if less => (Op::LtsI, Op::BltsI),
            (_, Kind::Short) => (Op::GtsI, Op::BgtsI),
            (_, Kind::Unsigned) if less => (Op::UltI, Op::UbltI),
            (_, Kind::Unsigned) => (Op::UgtI, Op::UbgtI),
            (_, Kind::UnsignedShort) if less => (Op::UltsI, Op::UbltsI),
            (_, Kind::UnsignedShort) => (Op::UgtsI, Op::UbgtsI),
            _ => return None,
        };
        Some((value, branch, small))
    }
}

/// An integer instruction of two inputs.
struct Binary {
    op: Op,
    /// The operation with a constant as its last input.
    with_constant: Option<Op>,
    compute: fn(i64, i64) -> i64,
    commutes: bool,
    bits: u32,
}

fn binary(code: Code) -> Option<Binary> {
    macro_rules! table {
        ($($name:ident $constant:ident $function:path, $commutes:literal, $bits:literal;)*) => {
            Some(match code {
                $(Code::$name => Binary {
                    op: Op::$name,
                    with_constant: Some(Op::$constant),
                    compute: $function,
                    commutes: $commutes,
                    bits: $bits,
                },)*
                _ => return None,
            })
        };
    }
    table! {
        Add AddI fold::add, true, 64;
        Adds AddsI fold::adds, true, 32;
        Mul MulI fold::mul, true, 64;
        Muls MulsI fold::muls, true, 32;
        And AndI fold::and, true, 64;
        Ands AndsI fold::ands, true, 32;
        Or OrI fold::or, true, 64;
        Ors OrsI fold::ors, true, 32;
        Xor XorI fold::xor, true, 64;
        Xors XorsI fold::xors, true, 32;
        Lsh LshI fold::lsh, false, 64;
        Lshs LshsI fold::lshs, false, 32;
        Rsh RshI fold::rsh, false, 64;
        Rshs RshsI fold::rshs, false, 32;
        Ursh UrshI fold::ursh, false, 64;
        Urshs UrshsI fold::urshs, false, 32;
    }
}

/// A division or remainder: its operation, that with a constant divisor, and how many bits it reads.
fn division(code: Code) -> Option<(Op, Op, u32)> {
    Some(match code {
        Code::Div => (Op::Div, Op::DivI, 64),
        Code::Divs => (Op::Divs, Op::DivsI, 32),
        Code::Udiv => (Op::Udiv, Op::UdivI, 64),
        Code::Udivs => (Op::Udivs, Op::UdivsI, 32),
        Code::Mod => (Op::Mod, Op::ModI, 64),
        Code::Mods => (Op::Mods, Op::ModsI, 32),
        Code::Umod => (Op::Umod, Op::UmodI, 64),
        Code::Umods => (Op::Umods, Op::UmodsI, 32),
        _ => return None,
    })
}

/// An instruction that is one operation of the same operands in registers, output first: the operation and how many
/// bits it reads.
fn plain(code: Code) -> Option<(Op, u32)> {
    macro_rules! table {
        ($($name:ident $bits:literal;)*) => {
            Some(match code {
                $(Code::$name => (Op::$name, $bits),)*
                _ => return None,
            })
        };
    }
    table! {
        Neg 64; Negs 32; Fneg 64; Dneg 64; Ldneg 128;
        Addo 64; Addos 32; Subo 64; Subos 32; Mulo 64; Mulos 32; Umulo 64; Umulos 32;
        Fadd 64; Fsub 64; Fmul 64; Fdiv 64; Dadd 64; Dsub 64; Dmul 64; Ddiv 64;
        Ldadd 128; Ldsub 128; Ldmul 128; Lddiv 128;
        I2f 64; I2d 64; I2ld 64; Ui2f 64; Ui2d 64; Ui2ld 64; F2i 64; D2i 64; Ld2i 128;
        F2d 64; F2ld 64; D2f 64; D2ld 64; Ld2f 128; Ld2d 128;
    }
}

/// An extension: its type, operation and function.
type Extension = (Type, Op, fn(i64) -> i64);

fn extension(code: Code) -> Option<Extension> {
    Some(match code {
        Code::Ext8 => (Type::I8, Op::Ext8, fold::ext8),
        Code::Ext16 => (Type::I16, Op::Ext16, fold::ext16),
        Code::Ext32 => (Type::I32, Op::Ext32, fold::ext32),
        Code::Uext8 => (Type::U8, Op::Uext8, fold::uext8),
        Code::Uext16 => (Type::U16, Op::Uext16, fold::uext16),
        Code::Uext32 => (Type::U32, Op::Uext32, fold::uext32),
        _ => return None,
    })
}

/// Whether an instruction does nothing but compute, load and store: it cannot fault, branch, call or take stack.
pub(super) fn is_straight(module: &crate::ir::Module<'_>, insn: InsnId) -> bool {
    let code = module.code(insn);
    if division(code).is_some() {
        return match module.operand(insn, 2) {
            Some(Operand::Int(divisor)) => divisor as i32 != 0,
            Some(Operand::Uint(divisor)) => divisor as i32 != 0,
            _ => false,
        };
    }
    let is_comparison = Comparison::of(code)
        .is_some_and(|comparison| code.number() < 110 && comparison.kind != Kind::LongDouble);
    let computes = plain(code).is_some_and(|(_, bits)| bits <= 64)
        && !matches!(code, Code::I2ld | Code::Ui2ld | Code::F2ld | Code::D2ld);
    is_comparison
        || computes
        || binary(code).is_some()
        || extension(code).is_some()
        || matches!(
            code,
            Code::Mov | Code::Fmov | Code::Dmov | Code::Sub | Code::Subs | Code::Label
        )
}

/// The extension that an integer type needs, if it is narrow.
pub(super) fn extension_of(ty: Type) -> Option<Code> {
    Some(match ty {
        Type::I8 => Code::Ext8,
        Type::I16 => Code::Ext16,
        Type::I32 => Code::Ext32,
        Type::U8 => Code::Uext8,
        Type::U16 => Code::Uext16,
        Type::U32 => Code::Uext32,
        _ => return None,
    })
}

/// Where lowering is in the function's blocks.
struct Blocks {
    /// Number of the block.
    number: usize,
    /// No instruction of the block has been seen.
    begins: bool,
    /// Control can come here from the instruction before.
    reachable: bool,
    /// The branch before has paid for the block.
    paid: bool,
}

#[inline(never)]
fn reverse(nodes: &mut [Node]) {
    nodes.reverse();
}

impl Decoder<'_, '_> {
    /// Turns all instructions into nodes.
    pub(super) fn lower(&mut self) -> Result<Body, Exit> {
        self.start_numbering()?;
        let module = self.module;
        let args = module.args(&module.func(self.func).signature);
        for (index, arg) in (0..).zip(args) {
            if let Some(code) = extension_of(arg.ty) {
                let (_, op, _) = extension(code).ok_or(Exit::Invalid)?;
                self.push(op, &[index, index])?;
                self.written_extended(Var(index), Some(arg.ty));
            }
        }
        let body = Body(self.nodes.len() as u32);
        let mut blocks = Blocks {
            number: 0,
            begins: true,
            reachable: true,
            paid: true,
        };
        for insn in module.insns(self.func) {
            self.insn = insn;
            if let Some(label) = module.label_of(insn) {
                self.label(label, &mut blocks)?;
            } else {
                self.in_block(insn, &mut blocks)?;
            }
        }
        if blocks.reachable {
            self.push(Op::EndReached, &[])?;
        }
        self.load_constants(body)?;
        Ok(body)
    }

    /// Puts the loading of the constants that loops use where the function begins.
    fn load_constants(&mut self, body: Body) -> Result<(), Exit> {
        let first = self.nodes.len();
        for index in 0..self.constants.len() {
            let (value, var) = self.constants[index];
            self.push_constant(var, value)?;
        }
        let count = self.nodes.len() - first;
        if let Some(nodes) = self.nodes.get_mut(body.0 as usize..) {
            // Small code: a rotation is three reversals.
            reverse(nodes);
            let (constants, rest) = nodes.split_at_mut(count.min(nodes.len()));
            reverse(constants);
            reverse(rest);
        }
        for facts in &mut self.labels[..] {
            facts.node += count as u32;
        }
        Ok(())
    }

    fn label(&mut self, label: crate::ir::Label, blocks: &mut Blocks) -> Result<(), Exit> {
        let number = self.label_number(label)? as usize;
        if !self.labels[number].used {
            return Ok(());
        }
        if !blocks.begins {
            blocks.number += 1;
            blocks.begins = true;
            blocks.paid = false;
        }
        if blocks.reachable && !blocks.paid {
            self.pay(blocks.number, |cost| edge_cost(cost) == cost)?;
        }
        blocks.paid = true;
        blocks.reachable = true;
        self.stretch += 1;
        self.loop_depth += self.loops.get(self.stretch as usize).copied().unwrap_or(0);
        self.labels[number].node = self.nodes.len() as u32;
        self.at_label = true;
        Ok(())
    }

    fn in_block(&mut self, insn: InsnId, blocks: &mut Blocks) -> Result<(), Exit> {
        let code = self.module.code(insn);
        if blocks.reachable {
            if blocks.begins {
                let paid = blocks.paid;
                // Branches cannot pay for blocks of very many instructions.
                self.pay(blocks.number, |cost| !paid || edge_cost(cost) != cost)?;
                blocks.paid = true;
            }
            self.instruction(insn, code, blocks.number)?;
            let jumps = |node: &super::Node| node.insn == insn && node.op == Op::Jmp;
            blocks.reachable = !self.nodes.last().is_some_and(jumps);
        }
        blocks.begins = code.ends_block();
        if blocks.begins {
            blocks.number += 1;
            blocks.reachable &= !code.flags().contains(crate::ir::Flags::TERMINATOR);
            blocks.paid = blocks.reachable && self.paid_behind(code);
        }
        Ok(())
    }

    /// Whether the branch that was just lowered pays for the block behind it.
    fn paid_behind(&self, code: Code) -> bool {
        let branches = self
            .nodes
            .last()
            .is_some_and(|node| node.insn == self.insn && is_branch(node.op));
        code.flags().contains(crate::ir::Flags::BRANCH) && branches
    }

    /// Adds an operation that charges for a block, if its cost is so.
    fn pay(&mut self, block: usize, when: impl Fn(u32) -> bool) -> Result<(), Exit> {
        match self.costs.get(block) {
            Some(&cost) if cost > 0 && when(cost) => self.push(Op::Fuel, &[cost]),
            _ => Ok(()),
        }
    }

    /// The operand slots of a branch to a label from the block of this number.
    fn edge(&self, label: u32, block: usize) -> [u32; 2] {
        let behind = self.costs.get(block + 1).copied().unwrap_or(0);
        let there = self.labels[label as usize].cost;
        [label, edge_cost(there) | edge_cost(behind) << 16]
    }

    fn branch_label(&self, insn: InsnId) -> Result<u32, Exit> {
        match self.module.operand(insn, 0) {
            Some(Operand::Label(label)) => self.label_number(label),
            _ => Err(Exit::Invalid),
        }
    }

    fn operand(&self, insn: InsnId, index: usize) -> Result<Operand, Exit> {
        self.module.operand(insn, index).ok_or(Exit::Invalid)
    }

    /// An input of an instruction, read as [`Decoder::source`] does.
    fn source_at(&mut self, insn: InsnId, index: usize, bits: u32) -> Result<Source, Exit> {
        let operand = self.operand(insn, index)?;
        self.source(operand, bits)
    }

    /// An input of an instruction, in a variable.
    fn input_at(&mut self, insn: InsnId, index: usize, bits: u32) -> Result<Var, Exit> {
        let source = self.source_at(insn, index, bits)?;
        self.in_var(source)
    }

    /// Where the output of an instruction goes.
    fn target_of(&mut self, insn: InsnId) -> Result<Target, Exit> {
        let output = self.operand(insn, 0)?;
        self.target(output)
    }

    /// Lowers one instruction.
    pub(super) fn instruction(
        &mut self,
        insn: InsnId,
        code: Code,
        block: usize,
    ) -> Result<(), Exit> {
        if let Some(comparison) = Comparison::of(code) {
            if code.number() < 110 {
                self.compare(insn, comparison)?;
            } else {
                self.compare_and_branch(insn, comparison, block)?;
            }
        } else if let Some(row) = binary(code) {
            self.binary(insn, code, &row)?;
        } else if let Some((ty, op, compute)) = extension(code) {
            self.extend(insn, ty, op, compute)?;
        } else if let Some((op, bits)) = plain(code) {
            self.plain(insn, code, op, bits)?;
        } else if let Some((op, with_constant, bits)) = division(code) {
            self.division(insn, code, op, with_constant, bits)?;
        } else {
            self.other(insn, code, block)?;
        }
        Ok(())
    }

    fn compare(&mut self, insn: InsnId, comparison: Comparison) -> Result<(), Exit> {
        let output = self.operand(insn, 0)?;
        match self.compared(insn, comparison)? {
            Compared::Known(holds) => self.move_to(output, Source::Constant(i64::from(holds))),
            Compared::Constant(op, _, var, constant) => {
                let target = self.target(output)?;
                self.compute(target, op, &[var.0, constant], Some(Type::U8))
            }
            Compared::Vars(a, b) => {
                let target = self.target(output)?;
                self.compute(target, comparison.ops().0, &[a.0, b.0], Some(Type::U8))
            }
        }
    }

    fn compare_and_branch(
        &mut self,
        insn: InsnId,
        comparison: Comparison,
        block: usize,
    ) -> Result<(), Exit> {
        let label = self.branch_label(insn)?;
        let [to, cost] = self.edge(label, block);
        match self.compared(insn, comparison)? {
            Compared::Known(true) => self.push(Op::Jmp, &[to, cost]),
            Compared::Known(false) => Ok(()),
            Compared::Constant(_, op, var, constant) => {
                let (op, constant) = match (op, constant) {
                    (Op::BeqI, 0) => (Op::Bf, None),
                    (Op::BeqsI, 0) => (Op::Bfs, None),
                    (Op::BneI, 0) => (Op::Bt, None),
                    (Op::BnesI, 0) => (Op::Bts, None),
                    _ => (op, Some(constant)),
                };
                match constant {
                    None => self.push(op, &[var.0, to, cost]),
                    Some(constant) => self.push(op, &[var.0, constant, to, cost]),
                }
            }
            Compared::Vars(a, b) => match comparison.ops() {
                (_, Some(op)) => self.push(op, &[a.0, b.0, to, cost]),
                (op, None) => {
                    let temp = self.temp(false)?;
                    self.push(op, &[temp.0, a.0, b.0])?;
                    self.written(temp);
                    self.push(Op::Bt, &[temp.0, to, cost])
                }
            },
        }
    }

    /// The inputs of a comparison, as operands 1 and 2 have them.
    fn compared(&mut self, insn: InsnId, comparison: Comparison) -> Result<Compared, Exit> {
        let bits = comparison.bits();
        let a = self.source_at(insn, 1, bits)?;
        let b = self.source_at(insn, 2, bits)?;
        let (a, b) = if comparison.swapped { (b, a) } else { (a, b) };
        if comparison.is_int() {
            let by_constant = match (a, b) {
                (Source::Constant(a), Source::Constant(b)) => {
                    if let Some(holds) = comparison.holds(a, b) {
                        return Ok(Compared::Known(holds));
                    }
                    None
                }
                (Source::Var(var), Source::Constant(constant)) => comparison
                    .constant_ops(constant, true)
                    .map(|(value, branch, constant)| (value, branch, var, constant)),
                (Source::Constant(constant), Source::Var(var)) => comparison
                    .constant_ops(constant, false)
                    .map(|(value, branch, constant)| (value, branch, var, constant)),
                _ => None,
            };
            if let Some((value, branch, var, constant)) = by_constant {
                return Ok(Compared::Constant(value, branch, var, constant));
            }
        }
        Ok(Compared::Vars(self.in_var(a)?, self.in_var(b)?))
    }

    fn binary(&mut self, insn: InsnId, code: Code, row: &Binary) -> Result<(), Exit> {
        let mut a = self.source_at(insn, 1, row.bits)?;
        let mut b = self.source_at(insn, 2, row.bits)?;
        if row.commutes && matches!(a, Source::Constant(_)) {
            (a, b) = (b, a);
        }
        let output = self.operand(insn, 0)?;
        self.binary_of(output, code, row, a, b)
    }

    fn binary_of(
        &mut self,
        output: Operand,
        code: Code,
        row: &Binary,
        a: Source,
        b: Source,
    ) -> Result<(), Exit> {
        let extends = result_type(code);
        let constant = match (a, b) {
            (Source::Constant(a), Source::Constant(b)) => {
                return self.move_to(output, Source::Constant((row.compute)(a, b)));
            }
            (_, Source::Constant(b)) if row.bits == 32 => Some(b as i32),
            (_, Source::Constant(b)) => i32::try_from(b).ok(),
            _ => None,
        };
        let a = self.in_var(a)?;
        let Some((op, constant)) = row.with_constant.zip(constant) else {
            let b = self.in_var(b)?;
            let target = self.target(output)?;
            return self.compute(target, row.op, &[a.0, b.0], extends);
        };
        match (code, constant) {
            (Code::Add, 0) | (Code::Mul, 1) => return self.move_to(output, Source::Var(a)),
            (Code::Adds, 0) | (Code::Muls, 1) if self.is_extended(a, Type::I32) => {
                return self.move_to(output, Source::Var(a));
            }
            _ => {}
        }
        let version = self.var(a).version;
        let target = self.target(output)?;
        self.compute(target, op, &[a.0, constant as u32], extends)?;
        if code == Code::Add {
            self.learn_sum(target.var, a, version, i64::from(constant));
        }
        Ok(())
    }

    fn subtract(&mut self, insn: InsnId, code: Code) -> Result<(), Exit> {
        let bits = if code == Code::Subs { 32 } else { 64 };
        let a = self.source_at(insn, 1, bits)?;
        let b = self.source_at(insn, 2, bits)?;
        let output = self.operand(insn, 0)?;
        if let Source::Constant(constant) = b {
            let sum = if code == Code::Subs {
                Code::Adds
            } else {
                Code::Add
            };
            let row = binary(sum).ok_or(Exit::Invalid)?;
            return self.binary_of(
                output,
                sum,
                &row,
                a,
                Source::Constant(constant.wrapping_neg()),
            );
        }
        let (a, b) = (self.in_var(a)?, self.in_var(b)?);
        let op = if code == Code::Subs {
            Op::Subs
        } else {
            Op::Sub
        };
        let target = self.target(output)?;
        self.compute(target, op, &[a.0, b.0], result_type(code))
    }

    fn extend(
        &mut self,
        insn: InsnId,
        ty: Type,
        op: Op,
        compute: fn(i64) -> i64,
    ) -> Result<(), Exit> {
        let bits = 8 * ty.size();
        let source = self.source_at(insn, 1, 64)?;
        let output = self.operand(insn, 0)?;
        let var = match source {
            Source::Constant(value) => {
                return self.move_to(output, Source::Constant(compute(value)));
            }
            Source::Var(var) => var,
        };
        if self.is_extended(var, ty) {
            return self.move_to(output, source);
        }
        let from = match self.resolve(var, bits) {
            Source::Var(from) => from,
            Source::Constant(value) => {
                return self.move_to(output, Source::Constant(compute(value)));
            }
        };
        let target = self.target(output)?;
        self.push(op, &[target.var.0, from.0])?;
        self.written(target.var);
        self.learn_copy(target.var, from, bits, Some(ty));
        self.finish(target)
    }

    fn plain(&mut self, insn: InsnId, code: Code, op: Op, bits: u32) -> Result<(), Exit> {
        let first = self.source_at(insn, 1, bits)?;
        let output = self.operand(insn, 0)?;
        if let Source::Constant(value) = first
            && let Some(converted) = convert(code, value)
        {
            return self.move_to(output, Source::Constant(converted));
        }
        let first = self.in_var(first)?;
        let mut inputs = [first.0, 0];
        let count = code.modes().len() - 1;
        if count == 2 {
            inputs[1] = self.input_at(insn, 2, bits)?.0;
        }
        let target = self.target(output)?;
        self.compute(
            target,
            op,
            inputs.get(..count).unwrap_or(&inputs),
            result_type(code),
        )
    }

    fn division(
        &mut self,
        insn: InsnId,
        code: Code,
        op: Op,
        with_constant: Op,
        bits: u32,
    ) -> Result<(), Exit> {
        let a = self.input_at(insn, 1, bits)?;
        let b = self.source_at(insn, 2, bits)?;
        let target = self.target_of(insn)?;
        let constant = match b {
            Source::Constant(b) if bits == 32 => Some(b as i32),
            Source::Constant(b) => i32::try_from(b).ok(),
            Source::Var(_) => None,
        };
        if let Some(constant) = constant {
            let by_power = match code {
                Code::Divs => Some(Op::DivsPower),
                Code::Mods => Some(Op::ModsPower),
                _ => None,
            };
            if let Some(op) = by_power
                && constant > 0
                && constant.count_ones() == 1
            {
                let inputs = [a.0, constant.trailing_zeros()];
                return self.compute(target, op, &inputs, result_type(code));
            }
            let inputs = [a.0, constant as u32];
            return self.compute(target, with_constant, &inputs, result_type(code));
        }
        let b = self.in_var(b)?;
        self.compute(target, op, &[a.0, b.0], result_type(code))
    }

    /// The instructions that have no family.
    fn other(&mut self, insn: InsnId, code: Code, block: usize) -> Result<(), Exit> {
        match code {
            Code::Mov | Code::Fmov | Code::Dmov | Code::Ldmov => self.mov(insn),
            Code::Sub | Code::Subs => self.subtract(insn, code),
            Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => self.address(insn, code),
            Code::Jmp => {
                let [to, cost] = self.edge(self.branch_label(insn)?, block);
                self.push(Op::Jmp, &[to, cost])
            }
            Code::Bt | Code::Bts | Code::Bf | Code::Bfs => self.branch_on_value(insn, code, block),
            Code::Bo => self.branch_on_flag(insn, Op::Bo, block),
            Code::Ubo => self.branch_on_flag(insn, Op::Ubo, block),
            Code::Bno => self.branch_on_flag(insn, Op::Bno, block),
            Code::Ubno => self.branch_on_flag(insn, Op::Ubno, block),
            Code::Laddr => self.label_address(insn),
            Code::Jmpi => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::Jmpi, &[var.0])
            }
            Code::Call | Code::Inline | Code::Jcall => self.call(insn, code),
            Code::Switch => self.switch(insn),
            Code::Ret => self.ret(insn),
            Code::Jret => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::Jret, &[var.0])
            }
            Code::Alloca => self.alloca(insn),
            Code::Bstart => {
                let target = self.target_of(insn)?;
                self.compute(target, Op::Bstart, &[], None)
            }
            Code::Bend => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::Bend, &[var.0])
            }
            Code::VaArg => self.va_arg(insn),
            Code::VaBlockArg => self.va_block_arg(insn),
            Code::VaStart => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::VaStart, &[var.0])
            }
            // Nothing happens; each property counts as 0.
            Code::VaEnd | Code::Prset => Ok(()),
            Code::Prbeq | Code::Prbne => self.branch_on_property(insn, code, block),
            _ => self.push(Op::Invalid, &[]),
        }
    }

    fn mov(&mut self, insn: InsnId) -> Result<(), Exit> {
        let output = self.operand(insn, 0)?;
        let input = self.operand(insn, 1)?;
        if let (Operand::Reg(reg), Operand::Mem(mem)) = (output, input) {
            let var = self.var_of(reg);
            if self.var(var).hard == NONE {
                return self.load(var, mem);
            }
        }
        let long = match input {
            Operand::Reg(reg) => self.var(self.var_of(reg)).long,
            _ => false,
        };
        let source = self.source(input, if long { 128 } else { 64 })?;
        self.move_to(output, source)
    }

    fn address(&mut self, insn: InsnId, code: Code) -> Result<(), Exit> {
        let Operand::Reg(reg) = self.operand(insn, 1)? else {
            return Err(Exit::Invalid);
        };
        let big = cfg!(target_endian = "big");
        let bytes = match code {
            Code::Addr8 if big => 7,
            Code::Addr16 if big => 6,
            Code::Addr32 if big => 4,
            _ => 0,
        };
        if self.var(self.var_of(reg)).hard != NONE {
            return self.push(Op::Invalid, &[]);
        }
        let target = self.target_of(insn)?;
        let var = self.var_of(reg);
        self.push(Op::Addr, &[target.var.0, var.0])?;
        self.written(target.var);
        if bytes > 0 {
            self.push(Op::AddI, &[target.var.0, target.var.0, bytes])?;
            self.written(target.var);
        }
        self.finish(target)
    }

    fn branch_on_value(&mut self, insn: InsnId, code: Code, block: usize) -> Result<(), Exit> {
        let [to, cost] = self.edge(self.branch_label(insn)?, block);
        let (op, bits) = match code {
            Code::Bt => (Op::Bt, 64),
            Code::Bts => (Op::Bts, 32),
            Code::Bf => (Op::Bf, 64),
            _ => (Op::Bfs, 32),
        };
        match self.source_at(insn, 1, bits)? {
            Source::Var(var) => self.push(op, &[var.0, to, cost]),
            Source::Constant(value) => {
                let is_true = value << (64 - bits) != 0;
                if is_true == matches!(code, Code::Bt | Code::Bts) {
                    self.push(Op::Jmp, &[to, cost])
                } else {
                    Ok(())
                }
            }
        }
    }

    fn branch_on_flag(&mut self, insn: InsnId, op: Op, block: usize) -> Result<(), Exit> {
        let [to, cost] = self.edge(self.branch_label(insn)?, block);
        self.push(op, &[to, cost])
    }

    /// Each property counts as 0.
    fn branch_on_property(&mut self, insn: InsnId, code: Code, block: usize) -> Result<(), Exit> {
        let [to, cost] = self.edge(self.branch_label(insn)?, block);
        let is_zero = match self.operand(insn, 2)? {
            Operand::Int(value) => value == 0,
            Operand::Uint(value) => value == 0,
            _ => return Err(Exit::Invalid),
        };
        if is_zero == (code == Code::Prbeq) {
            self.push(Op::Jmp, &[to, cost])
        } else {
            Ok(())
        }
    }

    fn label_address(&mut self, insn: InsnId) -> Result<(), Exit> {
        let Operand::Label(label) = self.operand(insn, 1)? else {
            return Err(Exit::Invalid);
        };
        let address = self.address_of_label(label)?;
        let output = self.operand(insn, 0)?;
        self.move_to(output, Source::Constant(address as i64))
    }

    /// The address of a label; see [`LABEL_STEP`].
    pub(super) fn address_of_label(&self, label: crate::ir::Label) -> Result<usize, Exit> {
        let number = self.label_number(label)?;
        let index = self.labels[number as usize].address as usize;
        let base = core::ptr::from_ref(self.callable).expose_provenance();
        Ok(base.wrapping_add(index.wrapping_mul(LABEL_STEP)))
    }

    fn switch(&mut self, insn: InsnId) -> Result<(), Exit> {
        let var = self.input_at(insn, 0, 64)?;
        let start = self.lists.len() as u32;
        for operand in self.module.operands(insn).skip(1) {
            let Operand::Label(label) = operand else {
                return Err(Exit::Invalid);
            };
            let number = self.label_number(label)?;
            self.lists.push(number)?;
            self.lists
                .push(edge_cost(self.labels[number as usize].cost))?;
        }
        let labels = Span {
            start,
            len: self.lists.len() as u32 - start,
        };
        let extra = self.add_extra(Extra {
            labels,
            ..Extra::default()
        })?;
        self.push_with(Op::Switch, &[var.0, labels.len / 2], extra)
    }

    pub(super) fn add_extra(&mut self, extra: Extra) -> Result<u32, Exit> {
        self.extras.push(extra)?;
        Ok(self.extras.len() as u32 - 1)
    }

    fn ret(&mut self, insn: InsnId) -> Result<(), Exit> {
        let module = self.module;
        let types = module.results(&module.func(self.func).signature);
        let count = module.operand_count(insn);
        if count != types.len() {
            return Err(Exit::Invalid);
        }
        if let ([ty], Some(operand)) = (types, module.operand(insn, 0))
            && *ty != Type::Ld
        {
            return match self.extended(operand, *ty)? {
                Source::Constant(value) if i32::try_from(value).is_ok() => {
                    self.push(Op::RetI, &[value as u32])
                }
                source => {
                    let var = self.in_var(source)?;
                    self.push(Op::Ret1, &[var.0])
                }
            };
        }
        if count == 0 {
            return self.push(Op::Ret, &[]);
        }
        let mut values = crate::mem::Vec::new(self.context.allocator());
        for (operand, &ty) in module.operands(insn).zip(types) {
            let source = self.extended(operand, ty)?;
            values.push(self.in_var(source)?.0)?;
        }
        let reads = self.add_list(&values)?;
        let extra = self.add_extra(Extra {
            reads,
            ..Extra::default()
        })?;
        self.push_with(Op::RetN, &[0], extra)
    }

    pub(super) fn add_list(&mut self, entries: &[u32]) -> Result<Span, Exit> {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(entries)?;
        Ok(Span {
            start,
            len: entries.len() as u32,
        })
    }

    /// A value as an argument or result of type `ty` is passed: integers extended.
    pub(super) fn extended(&mut self, operand: Operand, ty: Type) -> Result<Source, Exit> {
        let bits = if ty == Type::Ld { 128 } else { 64 };
        let source = self.source(operand, bits)?;
        self.extend_source(source, ty)
    }

    /// The same of a value that is at hand.
    pub(super) fn extend_source(&mut self, source: Source, ty: Type) -> Result<Source, Exit> {
        let Some((ty, op, compute)) = extension_of(ty).and_then(extension) else {
            return Ok(source);
        };
        match source {
            Source::Constant(value) => Ok(Source::Constant(compute(value))),
            Source::Var(var) if self.is_extended(var, ty) => Ok(source),
            Source::Var(var) => {
                let temp = self.temp(false)?;
                self.push(op, &[temp.0, var.0])?;
                self.written_extended(temp, Some(ty));
                Ok(Source::Var(temp))
            }
        }
    }

    /// Extends a variable in place as type `ty` says.
    pub(super) fn extend_in_place(&mut self, var: Var, ty: Type) -> Result<(), Exit> {
        if let Some((ty, op, _)) = extension_of(ty).and_then(extension) {
            self.push(op, &[var.0, var.0])?;
            self.written_extended(var, Some(ty));
        }
        Ok(())
    }

    fn alloca(&mut self, insn: InsnId) -> Result<(), Exit> {
        let size = self.source_at(insn, 1, 64)?;
        let target = self.target_of(insn)?;
        match size {
            Source::Constant(size) if i32::try_from(size).is_ok() => {
                self.compute(target, Op::AllocaI, &[size as u32], None)
            }
            size => {
                let size = self.in_var(size)?;
                self.compute(target, Op::Alloca, &[size.0], None)
            }
        }
    }

    fn va_arg(&mut self, insn: InsnId) -> Result<(), Exit> {
        let Operand::Mem(mem) = self.operand(insn, 2)? else {
            return Err(Exit::Invalid);
        };
        let list = self.input_at(insn, 1, 64)?;
        let target = self.target_of(insn)?;
        self.compute(target, Op::VaArg, &[list.0, mem.ty as u32], None)
    }

    fn va_block_arg(&mut self, insn: InsnId) -> Result<(), Exit> {
        let mut vars = [Var(0); 3];
        for (index, var) in vars.iter_mut().enumerate() {
            *var = self.input_at(insn, index, 64)?;
        }
        let Source::Constant(class) = self.source_at(insn, 3, 64)? else {
            return self.push(Op::Invalid, &[]);
        };
        let [to, list, size] = vars.map(|var| var.0);
        self.push(Op::VaBlockArg, &[to, list, size, class as u32])
    }

    /// A pointer as an operand of the code.
    pub(super) fn pointer<T>(pointer: *const T) -> [u32; 2] {
        wide(pointer.expose_provenance() as i64)
    }
}

/// The inputs of a comparison.
enum Compared {
    /// It is known.
    Known(bool),
    /// A register with a constant: operation for the result, for the branch, register, constant.
    Constant(Op, Op, Var, u32),
    Vars(Var, Var),
}

/// What fits into a branch of a block's cost; the others are charged by an operation of their own at their label.
fn edge_cost(cost: u32) -> u32 {
    if cost > 0xFFFF { 0 } else { cost }
}

/// Whether the operation is a branch that may not be taken.
fn is_branch(op: Op) -> bool {
    use super::super::code::Role;
    op != Op::Jmp && op.roles().last() == Some(&Role::J)
}

/// The cell that a conversion of a constant gives, where that is worth knowing.
fn convert(code: Code, cell: i64) -> Option<i64> {
    Some(match code {
        Code::I2d => (cell as f64).to_bits() as i64,
        Code::Ui2d => (cell as u64 as f64).to_bits() as i64,
        Code::Neg => fold::neg(cell),
        Code::Negs => fold::negs(cell),
        _ => return None,
    })
}
