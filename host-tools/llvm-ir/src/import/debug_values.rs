//! The values of the variables of the source, for debuggers: `#dbg_value` says that a variable has
//! a value of LLVM IR from there on, until the next one for the variable.
//!
//! **Idea.** A forward analysis over the emitted function finds the register or number that each
//! variable has before each instruction. A variable is known at the start of a block if all ways to
//! there agree.
//!
//! **Invariant.** A register holds one value of LLVM IR, but for what is coalesced: registers of
//! one class hold the value of any of them that is live. So a variable is no longer known once its
//! register, or one of the same class while its own is not live, is assigned.
//!
//! **Limits.** Functions with very many variables and instructions have no values.

use super::coalesce::{Block, Coalescing, Set};
use crate::lines::{KnownValue, ValueChanges};
use mir_nostd::ir::{InsnId, Reg};
use std::collections::HashMap;

/// The most variables times instructions, and variables times blocks, of a function.
const MOST: usize = 1 << 22;

/// A debug record at its place in the emitted function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// The instruction or label right before it; `None` at the start of the function.
    pub(super) after: Option<InsnId>,
    /// The nodes of the variable and of its location.
    pub(super) variable: (u32, u32),
    pub(super) value: Option<KnownValue>,
}

/// The values of all variables: `None` for one that is not known.
type State = Vec<Option<KnownValue>>;

/// The analysis of one function.
struct Values<'a, 'c, 'm> {
    coalescing: &'a Coalescing<'c, 'm>,
    /// The register that each candidate becomes.
    classes: &'a [Reg],
    /// The variables, and what each record gives one, by the instruction or label before it.
    numbers: HashMap<(u32, u32), usize>,
    records: HashMap<Option<InsnId>, Vec<(usize, Option<KnownValue>)>>,
}

/// A receiver of the values before an instruction.
type Meet<'a> = dyn FnMut(InsnId, &State) + 'a;

/// Returns the values of the variables that these records name, in a function whose registers
/// become those in `classes`.
pub(super) fn values(
    coalescing: &Coalescing<'_, '_>,
    classes: &[Reg],
    records: &[Placed],
) -> Vec<ValueChanges> {
    let mut values = Values {
        coalescing,
        classes,
        numbers: HashMap::new(),
        records: HashMap::new(),
    };
    let mut all: Vec<ValueChanges> = Vec::new();
    for record in records {
        let next = values.numbers.len();
        let number = *values.numbers.entry(record.variable).or_insert(next);
        if number == next {
            all.push(ValueChanges::new(record.variable));
        }
        let here = values.records.entry(record.after).or_default();
        here.push((number, record.value));
    }
    let insns: usize = coalescing
        .blocks
        .iter()
        .map(|block| block.insns.len())
        .sum();
    let size = insns.max(coalescing.blocks.len()).saturating_mul(all.len());
    let starts = match size > MOST {
        true => None,
        false => values.starts(),
    };
    let mut known: State = vec![None; all.len()];
    for (block, start) in coalescing.blocks.iter().zip(starts.unwrap_or_default()) {
        let mut state = start.unwrap_or_else(|| vec![None; all.len()]);
        values.walk(block, &mut state, &mut |insn, state| {
            for ((variable, known), now) in all.iter_mut().zip(&mut known).zip(state) {
                if known != now {
                    variable.changes.push((insn, *now));
                    *known = *now;
                }
            }
        });
    }
    all
}

impl Values<'_, '_, '_> {
    /// Returns the values at the start of each block, `None` for one that control never comes to;
    /// `None` if that takes very many passes.
    fn starts(&self) -> Option<Vec<Option<State>>> {
        const PASSES: usize = 64;
        let blocks = &self.coalescing.blocks;
        let mut starts: Vec<Option<State>> = vec![None; blocks.len()];
        *starts.first_mut()? = Some(vec![None; self.numbers.len()]);
        for _ in 0..PASSES {
            let mut has_changed = false;
            for (number, block) in blocks.iter().enumerate() {
                let Some(mut state) = starts[number].clone() else {
                    continue;
                };
                self.walk(block, &mut state, &mut |_, _| ());
                for &next in &block.successors {
                    match &mut starts[next] {
                        Some(known) => {
                            for (known, now) in known.iter_mut().zip(&state) {
                                if known.is_some() && known != now {
                                    *known = None;
                                    has_changed = true;
                                }
                            }
                        }
                        start => {
                            *start = Some(state.clone());
                            has_changed = true;
                        }
                    }
                }
            }
            if !has_changed {
                return Some(starts);
            }
        }
        None
    }

    /// Takes the values at the start of a block to those at its end, and tells of those before each
    /// of its instructions.
    fn walk(&self, block: &Block, state: &mut State, meet: &mut Meet<'_>) {
        let live = self.coalescing.live_in_block(block);
        // This has the register of each class that was assigned last in this block.
        let mut last: HashMap<Reg, Reg> = HashMap::new();
        if block.is_first {
            self.record(None, state, (&last, live.first()));
        }
        for &label in &block.labels {
            self.record(Some(label), state, (&last, live.first()));
        }
        for (place, &insn) in block.insns.iter().enumerate() {
            meet(insn, state);
            let after = live.get(place + 1);
            // A move within a class goes, and changes nothing.
            let is_within = { self.coalescing.moved(insn) }
                .is_some_and(|(to, from)| self.class(to) == self.class(from));
            for written in self.coalescing.outputs(insn) {
                let class = self.class(written);
                last.insert(class, written);
                for value in state.iter_mut() {
                    if let Some(KnownValue::Variable(reg)) = *value
                        && self.class(reg) == class
                        && (reg == written || !is_within && !self.is_live(reg, after))
                    {
                        *value = None;
                    }
                }
            }
            self.record(Some(insn), state, (&last, after));
        }
    }

    /// Gives variables the values that records after an instruction or label say, if their
    /// registers hold them there.
    fn record(
        &self,
        after: Option<InsnId>,
        state: &mut State,
        (last, live): (&HashMap<Reg, Reg>, Option<&Set>),
    ) {
        for &(number, value) in self.records.get(&after).into_iter().flatten() {
            state[number] = value.filter(|value| match *value {
                KnownValue::Number(_) => true,
                KnownValue::Variable(reg) => {
                    let class = self.class(reg);
                    self.is_alone(reg) || self.is_live(reg, live) || last.get(&class) == Some(&reg)
                }
            });
        }
    }

    fn class(&self, reg: Reg) -> Reg {
        self.coalescing.class(self.classes, reg)
    }

    /// Returns true for a register that is no candidate for coalescing.
    fn is_alone(&self, reg: Reg) -> bool {
        !self.coalescing.numbers.contains_key(&reg)
    }

    fn is_live(&self, reg: Reg, live: Option<&Set>) -> bool {
        let number = self.coalescing.numbers.get(&reg);
        number.is_some_and(|&number| live.is_some_and(|live| live.contains(number)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{DebugInfo, KnownValue, Options, import};
    use mir_nostd::ir::{Code, Operand};
    use mir_nostd::target::Isa;

    /// A loop whose counter becomes the next one in the same register, unless it is needed after.
    fn counting(used: &str, record: &str) -> String {
        format!(
            "define i32 @f(i32 %n) !dbg !4 {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %next = add i32 %i, 1
    #dbg_value({record}, !5, !DIExpression(), !6)
  %more = add i32 %sum, {used}
  %test = icmp slt i32 %next, %n
  br i1 %test, label %loop, label %done
done:
  ret i32 %more
}}
!4 = distinct !DISubprogram(name: \"f\", line: 1)
!5 = !DILocalVariable(name: \"v\", scope: !4, type: !7)
!6 = !DILocation(line: 2, scope: !4)
!7 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)
"
        )
    }

    /// Returns the values that the variable has before each instruction, and the codes and first
    /// operands of these.
    fn known(text: &str) -> Vec<(Code, Option<Operand>, Option<KnownValue>)> {
        let options = Options::new(target_x86_64::ISA.description());
        let imported = import(text.as_bytes(), &options, &testkit::SystemAllocator).unwrap();
        let module = &imported.module;
        let (func, _) = module.funcs().next().unwrap();
        let [values] = imported.lines.values(func) else {
            panic!("one variable")
        };
        let info = DebugInfo::new(text.as_bytes());
        let variable = info.variable(values.variable, values.location).unwrap();
        assert_eq!((variable.name.as_str(), variable.ty), ("v", 7));
        let insns = module.insns(func).enumerate();
        let known = insns.map(|(number, insn)| {
            let operand = module.operand(insn, 0);
            (module.code(insn), operand, values.before(number))
        });
        known.collect()
    }

    /// Returns the value before the branch at the end of the loop, and before the `ret`.
    fn at_the_end(text: &str) -> [Option<KnownValue>; 2] {
        let known = known(text);
        let branch = known.iter().rev().find(|(code, ..)| *code == Code::Ret);
        let last = known.iter().position(|(code, ..)| *code == Code::Ret);
        let before = last.map(|last| known[..last].iter().rev());
        let ends = before.and_then(|mut before| before.find(|(code, ..)| code.ends_block()));
        [ends.unwrap().2, branch.unwrap().2]
    }

    #[test]
    fn a_value_that_is_overwritten_is_not_known() {
        // `%i` is dead where the record is, and `%next` has its register.
        assert_eq!(at_the_end(&counting("2", "i32 %i")), [None; 2]);
        let next = at_the_end(&counting("2", "i32 %next"));
        assert!(matches!(next, [Some(KnownValue::Variable(_)), after] if after == next[0]));
        // Here it is needed after the record, so that it has a register of its own until then.
        let text = counting("%i", "i32 %i");
        let known = known(&text);
        let sum = known.iter().rev().find(|(code, ..)| *code == Code::Adds);
        assert!(
            matches!(sum, Some((.., Some(KnownValue::Variable(_))))),
            "{known:?}"
        );
    }

    #[test]
    fn numbers_are_known_and_expressions_are_not() {
        let number = Some(KnownValue::Number(-7));
        assert_eq!(at_the_end(&counting("%i", "i32 -7")), [number; 2]);
        let half = Some(KnownValue::Number(0x3F00_0000));
        assert_eq!(at_the_end(&counting("%i", "float 5.000000e-01")), [half; 2]);
        let half = Some(KnownValue::Number(0x3FE0_0000_0000_0000));
        let record = "double 0x3FE0000000000000";
        assert_eq!(at_the_end(&counting("%i", record)), [half; 2]);
        for record in [
            "i32 poison",
            "ptr @f",
            "i32 %missing",
            "!DIArgList(i32 %i, i32 %n)",
        ] {
            assert_eq!(at_the_end(&counting("%i", record)), [None; 2], "{record}");
        }
        let text = counting("%i", "i32 1").replace("!DIExpression()", "!DIExpression(DW_OP_deref)");
        assert_eq!(at_the_end(&text), [None; 2]);
    }

    #[test]
    fn damaged_records_are_passed_over() {
        for record in [
            "",
            "i32 1, !5",
            "#dbg_value(",
            "i32 1, !99999999999, !DIExpression()",
        ] {
            let text = counting("%i", record);
            let options = Options::new(target_x86_64::ISA.description());
            let imported = import(text.as_bytes(), &options, &testkit::SystemAllocator);
            assert!(imported.is_ok(), "{record}");
        }
    }
}
