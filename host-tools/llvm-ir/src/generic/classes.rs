//! Infers which generic registers hold floating values.
//!
//! Generic types state the width of a value, not its kind. A register is floating if some
//! instruction determines that; registers that are only moved into one another (PHIs, selections,
//! copies) have the same kind.

use llvm_mir::model::{Function, Instruction, OperandKind};
use llvm_mir::target::{Isa, Target};
use mir_nostd::target::RegisterFile;

use super::abi::is_floating;

/// Facts that an instruction determines on its registers.
enum Knows {
    Nothing,
    /// All registers have the same kind.
    Same,
    /// The first registers, or all if `None`, are floating; the others are not.
    Floats(Option<usize>),
    /// All registers after the first few are floating.
    FloatsFrom(usize),
}

fn knows(name: &str) -> Knows {
    match name {
        "COPY" | "G_PHI" | "G_FREEZE" => Knows::Same,
        "G_FCONSTANT" | "G_SITOFP" | "G_UITOFP" | "G_STRICT_FLDEXP" | "G_FPOWI" | "G_FLDEXP" => {
            Knows::Floats(Some(1))
        }
        "G_FPTOSI" | "G_FPTOUI" | "G_FCMP" | "G_LROUND" | "G_LLROUND" | "G_INTRINSIC_LRINT"
        | "G_INTRINSIC_LLRINT" | "G_FPTOSI_SAT" | "G_FPTOUI_SAT" | "G_IS_FPCLASS" => {
            Knows::FloatsFrom(1)
        }
        "G_INTRINSIC_TRUNC" | "G_INTRINSIC_ROUND" | "G_INTRINSIC_ROUNDEVEN" => Knows::Floats(None),
        "G_FENCE" | "G_FRAME_INDEX" | "G_FSHL" | "G_FSHR" => Knows::Nothing,
        _ if name.starts_with("G_F") || name.starts_with("G_STRICT_F") => Knows::Floats(None),
        _ => Knows::Nothing,
    }
}

/// Sets of registers of the same kind, as a union-find forest.
struct Kinds {
    parent: Vec<usize>,
    is_float: Vec<bool>,
}

impl Kinds {
    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.is_float[a] |= self.is_float[b];
        self.parent[b] = a;
    }

    fn is_float(&mut self, at: usize) {
        let root = self.root(at);
        self.is_float[root] = true;
    }
}

fn virtuals(insn: &Instruction) -> impl Iterator<Item = usize> {
    let registers = insn.operands.iter().filter_map(|o| o.register());
    registers.filter_map(|o| o.register.virtual_index())
}

/// Returns, for each virtual register, whether it holds a floating value.
pub(super) fn floats(target: &Target, physical: &RegisterFile, function: &Function) -> Vec<bool> {
    let count = function.registers.len();
    let mut kinds = Kinds {
        parent: (0..count).collect(),
        is_float: vec![false; count],
    };
    for insn in function.instructions() {
        let name = target.opcode_name(insn.opcode);
        let registers = virtuals(insn).filter(|&at| at < count);
        match knows(name) {
            Knows::Nothing if name == "G_SELECT" => {
                // The first source is the condition, of another kind.
                let of: Vec<_> = registers.collect();
                if let &[result, _, a, b] = of.as_slice() {
                    kinds.join(result, a);
                    kinds.join(result, b);
                }
            }
            Knows::Nothing => {}
            Knows::Same => {
                let of: Vec<_> = registers.collect();
                for pair in of.windows(2) {
                    kinds.join(pair[0], pair[1]);
                }
                if name == "COPY" && is_with_float(target, physical, insn) {
                    of.iter().for_each(|&at| kinds.is_float(at));
                }
            }
            Knows::Floats(first) => registers
                .take(first.unwrap_or(usize::MAX))
                .for_each(|at| kinds.is_float(at)),
            Knows::FloatsFrom(first) => registers.skip(first).for_each(|at| kinds.is_float(at)),
        }
    }
    (0..count)
        .map(|at| {
            let root = kinds.root(at);
            kinds.is_float[root]
        })
        .collect()
}

/// Returns whether a copy is from or to a physical floating register.
fn is_with_float(target: &Target, physical: &RegisterFile, insn: &Instruction) -> bool {
    let is_vector = target.isa() == Isa::X86_64;
    insn.operands.iter().any(|operand| {
        let OperandKind::Register(register) = &operand.kind else {
            return false;
        };
        let Some(number) = register.register.number() else {
            return false;
        };
        // On x86_64 all bits of the vector register are copied, of which the value is a part.
        is_floating(physical, target.register_name(number)) && !is_vector
    })
}
