//! Rules by name: those that there are, and those that fired in a stage.

use crate::codegen::fired::RuleSet;
use crate::codegen::opt::combine::RULES;
use crate::target::{FoldedLoad, Isa};
use core::fmt;

/// A rule of the code generator, which `Display` writes as its name.
///
/// ```
/// let rules: Vec<_> = mir_nostd::codegen::rules(&target_x86_64::ISA).collect();
/// let names: Vec<_> = rules.iter().map(ToString::to_string).collect();
/// assert!(names.iter().any(|name| name == "add-to-sum"));
/// assert!(names.iter().any(|name| name == "MOV64rm+ADD64rr"));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum RuleName {
    /// A rule of `combine` or a peephole of the target.
    Rule(&'static str),
    /// A load that an instruction does by itself: the names of both.
    Load(&'static str, &'static str),
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleName::Rule(name) => f.write_str(name),
            RuleName::Load(load, user) => write!(f, "{load}+{user}"),
        }
    }
}

/// Returns the rules that there are for a target: those of `combine`, then those of `fold`. Names
/// of instructions take the feature `listing`.
pub fn rules(isa: &dyn Isa) -> impl Iterator<Item = RuleName> {
    Fired::ALL.names(isa)
}

/// The rules that fired in a stage, which may consist of several passes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fired {
    /// Of [`RULES`].
    pub(crate) combine: RuleSet,
    /// Of the folded loads of the target, and after them of its peepholes.
    pub(crate) fold: RuleSet,
}

impl Fired {
    pub(crate) const NONE: Fired = Fired {
        combine: RuleSet::EMPTY,
        fold: RuleSet::EMPTY,
    };
    const ALL: Fired = Fired {
        combine: RuleSet::ALL,
        fold: RuleSet::ALL,
    };

    /// Returns the names of the rules.
    pub(crate) fn names(self, isa: &dyn Isa) -> impl Iterator<Item = RuleName> {
        let (description, rows) = (isa.description(), isa.insns());
        let load = move |rule: &FoldedLoad| {
            let [load, user] = [rule.load, rule.user].map(|opcode| {
                let row = opcode.row().and_then(|row| rows.get(row));
                row.map_or("", |row| row.name.text())
            });
            RuleName::Load(load, user)
        };
        let loads = description.folded_loads.iter().map(load);
        let peepholes = description.peepholes.iter();
        let peepholes = peepholes.map(|rule| RuleName::Rule(rule.name));
        let fold = loads.chain(peepholes).enumerate();
        let combine = RULES.iter().map(|name| RuleName::Rule(name)).enumerate();
        let of = |set: RuleSet| move |(number, name)| set.contains(number).then_some(name);
        combine
            .filter_map(of(self.combine))
            .chain(fold.filter_map(of(self.fold)))
    }
}
