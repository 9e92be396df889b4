//! Imports inline assembly, as far as it does nothing but hold back the optimiser, or is one of a
//! few instructions that have a routine.

use super::function::Lower;
use super::parts::Kind;
use super::values::Held;
use crate::ast::{Assembly, Call, LocalId};
use crate::error::Result;
use mir_nostd::ir::Order;

/// The effect of a template, apart from the moves between operands that its constraints ask for.
enum Effect {
    /// None: hints, padding, barriers of the compiler.
    Nothing,
    /// Orders memory accesses.
    Fence,
    /// `cpuid`: the leaf in `eax`, the part of it in `ecx`.
    Cpuid,
    /// `rdtsc`: the counter in `edx` and `eax`.
    Rdtsc,
}

/// Instructions that do nothing that a program could see: they save power, help the pipeline, fill
/// space.
const HINTS: [&str; 21] = [
    "nop",
    "pause",
    "rep nop",
    "rep",
    "yield",
    "isb",
    "isb sy",
    "hint #1",
    "hint 1",
    "endbr64",
    "bti",
    "nopr",
    "nopr 0",
    "nopr %r0",
    "or 27,27,27",
    "or 31,31,31",
    "or 1,1,1",
    "or 2,2,2",
    ".word 0x0100000f",
    ".insn i 0x0f,0,x0,x0,0x010",
    ".4byte 0x100000f",
];

/// Directives that place code.
const DIRECTIVES: [&str; 4] = [".p2align", ".balign", ".align", ".p2alignl"];

/// Instructions that order memory accesses.
const FENCES: [&str; 18] = [
    "mfence",
    "lfence",
    "sfence",
    "dmb ish",
    "dmb ishld",
    "dmb ishst",
    "dmb sy",
    "dsb ish",
    "dsb sy",
    "fence",
    "fence rw,rw",
    "fence iorw,iorw",
    "fence.tso",
    "sync",
    "lwsync",
    "isync",
    "bcr 15,0",
    "bcr 14,0",
];

/// Returns a template with the first of the alternatives for dialects, `$(` `$|` `$)`.
fn first_dialect(template: &str) -> String {
    let mut text = String::new();
    for (number, part) in template.split("$(").enumerate() {
        let (first, rest) = match part.split_once("$)") {
            Some((alternatives, rest)) if number > 0 => {
                (alternatives.split("$|").next().unwrap_or_default(), rest)
            }
            _ => (part, ""),
        };
        text.push_str(first);
        text.push_str(rest);
    }
    text
}

/// Returns the statements of a template, each with single blanks and without comments.
fn statements(template: &str) -> impl Iterator<Item = String> {
    let lines = template.split(['\n', ';']);
    let plain = lines.map(|line| {
        let line = line.split("//").next().unwrap_or(line);
        let line = line.split("##").next().unwrap_or(line).to_ascii_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ").replace(", ", ",")
    });
    plain.filter(|line| !line.is_empty() && !line.starts_with("/*") && !line.starts_with("# "))
}

/// Returns whether a statement moves `rbx`, which the language's calls keep, to or from the operand
/// in which `cpuid` returns it.
fn saves_rbx(statement: &str) -> bool {
    let is_move = statement.starts_with("xchg") || statement.starts_with("mov");
    is_move && statement.contains("rbx") && statement.contains(":q}")
}

/// Returns the effect of a template; `None` if it is not known.
fn effect(template: &str) -> Option<Effect> {
    let statements: Vec<String> = statements(&first_dialect(template)).collect();
    if statements.iter().any(|statement| statement == "cpuid") {
        let mut others = statements.iter().filter(|statement| *statement != "cpuid");
        let is_one = statements.len() <= 3 && others.all(|statement| saves_rbx(statement));
        return is_one.then_some(Effect::Cpuid);
    }
    if let [only] = statements.as_slice()
        && only == "rdtsc"
    {
        return Some(Effect::Rdtsc);
    }
    let mut effect = Effect::Nothing;
    for statement in &statements {
        let word = statement.split(' ').next().unwrap_or_default();
        if FENCES.contains(&statement.as_str()) {
            effect = Effect::Fence;
        } else if !HINTS.contains(&statement.as_str()) && !DIRECTIVES.contains(&word) {
            return None;
        }
    }
    Some(effect)
}

/// An operand of inline assembly.
struct Constraint<'a> {
    is_output: bool,
    /// True for an address of what is read or written.
    is_indirect: bool,
    /// The register, operand number or letters that say where it is.
    place: &'a str,
}

/// Returns the operands, in order; `None` for labels and other forms that are not known.
fn constraints(text: &str) -> Option<Vec<Constraint<'_>>> {
    let mut found = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        if part.starts_with('~') {
            continue;
        }
        if part.starts_with('!') {
            return None;
        }
        let (is_output, rest) = match part.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, part),
        };
        let rest = rest.trim_start_matches('&');
        let (is_indirect, place) = match rest.strip_prefix('*') {
            Some(place) => (true, place),
            None => (false, rest),
        };
        found.push(Constraint {
            is_output,
            is_indirect,
            place: place.trim_start_matches('%'),
        });
    }
    Some(found)
}

/// The operands of a call of inline assembly.
struct Operands<'a> {
    /// The direct outputs: the number of the operand, and where it is.
    outputs: Vec<(usize, &'a str)>,
    /// The direct inputs: where each is, and the number of its argument.
    inputs: Vec<(&'a str, usize)>,
}

impl<'a> Operands<'a> {
    fn of(constraints: &[Constraint<'a>]) -> Operands<'a> {
        let mut operands = Operands {
            outputs: Vec::new(),
            inputs: Vec::new(),
        };
        let mut arguments = 0;
        for (number, constraint) in constraints.iter().enumerate() {
            if constraint.is_output && !constraint.is_indirect {
                operands.outputs.push((number, constraint.place));
                continue;
            }
            if !constraint.is_output && !constraint.is_indirect {
                operands.inputs.push((constraint.place, arguments));
            }
            arguments += 1;
        }
        operands
    }

    /// Returns the number of the argument that is where an output is.
    fn tied(&self, (number, place): (usize, &str)) -> Option<usize> {
        let is_it = |input: &&(&str, usize)| {
            input.0.parse() == Ok(number) || (place.starts_with('{') && input.0 == place)
        };
        { self.inputs.iter() }.find(is_it).map(|input| input.1)
    }

    /// Returns the number of the argument that is in a register.
    fn in_register(&self, register: &str) -> Option<usize> {
        let outputs = self.outputs.iter().filter(|output| output.1 == register);
        let input = self.inputs.iter().find(|input| input.0 == register);
        input
            .map(|input| input.1)
            .or_else(|| { outputs }.find_map(|&output| self.tied(output)))
    }
}

impl<'s> Lower<'_, 's, '_> {
    /// Imports a call of inline assembly.
    pub(super) fn assembly(
        &mut self,
        result: Option<LocalId>,
        assembly: &'s Assembly,
        call: &'s Call,
    ) -> Result<()> {
        let template = assembly.template.trim();
        let what = format!("inline assembly `{}`", template.escape_debug());
        let constraints = constraints(&assembly.constraints);
        let (Some(constraints), Some(effect)) = (constraints, effect(template)) else {
            return self.unsupported(what);
        };
        let operands = Operands::of(&constraints);
        let outputs = match effect {
            Effect::Nothing => self.tied_outputs(&operands, call)?,
            Effect::Fence => {
                self.fence(Order::SeqCst)?;
                self.tied_outputs(&operands, call)?
            }
            Effect::Cpuid => self.cpuid(&operands, call)?,
            Effect::Rdtsc => self.rdtsc(&operands)?,
        };
        let (Some(outputs), Some(result)) = (outputs, result) else {
            return match result {
                None => Ok(()),
                Some(_) => self.unsupported(what),
            };
        };
        if outputs.len() != self.parts_of(result)?.len() {
            return self.unsupported(what);
        }
        self.define(result, outputs)
    }

    /// Returns the outputs of a template that changes none: each is what the argument that is in
    /// the same place was; one without such an argument is undefined.
    fn tied_outputs(
        &mut self,
        operands: &Operands<'_>,
        call: &'s Call,
    ) -> Result<Option<Vec<Held>>> {
        let mut held = Vec::new();
        for &output in &operands.outputs {
            match operands
                .tied(output)
                .and_then(|number| call.args.get(number))
            {
                Some(arg) => held.extend(self.value(arg.ty, &arg.value)?),
                None if operands.outputs.len() == 1 => {
                    let parts = self.importer.parts(call.result, self.place)?;
                    held.extend(parts.iter().map(|part| self.zero(part.kind)));
                }
                None => held.push(Held::Int(0)),
            }
        }
        Ok(Some(held))
    }

    /// Calls `void mir_cpuid(uint32_t leaf, uint32_t part, uint32_t registers[4])`, which stores
    /// `eax`, `ebx`, `ecx` and `edx`.
    fn cpuid(&mut self, operands: &Operands<'_>, call: &'s Call) -> Result<Option<Vec<Held>>> {
        let mut given = [Held::Int(0); 2];
        for (held, register) in given.iter_mut().zip(["{ax}", "{cx}"]) {
            let other = register.replace('{', "{e");
            let number = operands.in_register(register);
            let number = number.or_else(|| operands.in_register(&other));
            if let Some(arg) = number.and_then(|number| call.args.get(number)) {
                *held = self.single(arg.ty, &arg.value)?;
            }
        }
        let registers = Held::Reg(self.kept_scratch()?);
        let [leaf, part] = given.map(|held| (Kind::Int(32), held));
        let word = Kind::Int(64);
        self.call_library_parts("mir_cpuid", &[], &[leaf, part, (word, registers)])?;
        let mut held = Vec::new();
        for &(_, place) in &operands.outputs {
            let number = match place {
                "{ax}" | "{eax}" => 0,
                "{cx}" | "{ecx}" => 2,
                "{dx}" | "{edx}" => 3,
                // `ebx`, or the register that its value was moved to.
                _ => 1,
            };
            let part = super::parts::Part {
                kind: Kind::Int(32),
                offset: 4 * number,
            };
            held.push(Held::Reg(self.load_part(part, registers)?));
        }
        self.release_scratches();
        Ok(Some(held))
    }

    /// Calls `uint64_t mir_rdtsc(void)`.
    fn rdtsc(&mut self, operands: &Operands<'_>) -> Result<Option<Vec<Held>>> {
        let counter = self.call_library("mir_rdtsc", Kind::Int(64), &[])?;
        let mut held = Vec::new();
        for &(_, place) in &operands.outputs {
            held.push(match place {
                "{ax}" | "{eax}" => self.zero_extended_held(counter, 32)?,
                "{dx}" | "{edx}" => {
                    self.int_operation(mir_nostd::ir::Code::Ursh, counter, Held::Int(32))?
                }
                // `A`: both.
                "A" => counter,
                _ => return Ok(None),
            });
        }
        Ok(Some(held))
    }

    fn zero_extended_held(&mut self, held: Held, width: u32) -> Result<Held> {
        let operand = self.zero_extended(held, width)?;
        Ok(super::integers::held_of(operand))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_known_by_their_statements() {
        let is_nothing = |text| matches!(effect(text), Some(Effect::Nothing));
        for text in [
            "",
            " \n",
            "nop",
            "nop; NOP\n\tnop",
            ".p2align 6",
            "rep; nop",
            "pause",
        ] {
            assert!(is_nothing(text), "{text}");
        }
        for text in ["mfence", "dmb  ish", "fence rw, rw", "sync"] {
            assert!(matches!(effect(text), Some(Effect::Fence)), "{text}");
        }
        let gcc = "  xchgq  %rbx,${1:q}\n  cpuid\n  xchgq  %rbx,${1:q}";
        let rust = "mov ${0:q}, rbx\ncpuid\nxchg ${0:q}, rbx";
        let both = "xchg$(q$|$) $(%$|$)rbx,${1:q}\n cpuid\n xchg$(q$|$) $(%$|$)rbx,${1:q}";
        assert_eq!(first_dialect("a$(b$|c$)d$(e$|$)"), "abde");
        for text in ["cpuid", gcc, rust, both] {
            assert!(matches!(effect(text), Some(Effect::Cpuid)), "{text}");
        }
        for text in [
            "movl $$0, %eax",
            "cpuid\nmovl $$0, %eax",
            "nop\nhlt",
            "rdtsc\nrdtsc",
        ] {
            assert!(effect(text).is_none(), "{text}");
        }
    }

    #[test]
    fn constraints_say_which_argument_is_where() {
        let parsed = constraints("=r,=&{cx},=*m,0,r,*m,{cx},~{memory},~{flags}").unwrap();
        let operands = Operands::of(&parsed);
        assert_eq!(operands.outputs, [(0, "r"), (1, "{cx}")]);
        // The first argument is the address of the third output.
        assert_eq!(operands.inputs, [("0", 1), ("r", 2), ("{cx}", 4)]);
        assert_eq!(operands.tied((0, "r")), Some(1));
        assert_eq!(operands.tied((1, "{cx}")), Some(4));
        assert!(constraints("=r,!i").is_none());
    }
}
