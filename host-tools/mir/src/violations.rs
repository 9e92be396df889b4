//! Violations of the verifier's rules in words: with the names and operands that they are about,
//! what was probably meant, and the other places that matter.

use crate::input::{lossy, printed};
use crate::signatures;
use crate::suggest::similar;
use crate::wording::{count, shortened};
use mir_nostd::ir::{
    Class, Code, FuncId, InsnId, ItemId, ItemKind, Module, Operand, Place, Problem, Register,
    Signature,
};
use mir_nostd::mem::Entity;
use mir_nostd::text;
use mir_nostd::verify::Violation;

/// The words for a violation.
#[derive(Debug, Default)]
pub(crate) struct Described {
    pub(crate) message: String,
    /// The advice, and what to write in place of the operand or name if that is all.
    pub(crate) advice: Option<(String, Option<String>)>,
    /// The items that matter too.
    pub(crate) items: Vec<(ItemId, String)>,
}

/// Describes a violation; `shown` is the text of its place in the source.
pub(crate) fn describe(
    module: &Module<'_>,
    violation: &Violation,
    shown: Option<&str>,
) -> Described {
    let problem = violation.error.problem;
    if let Some(item) = violation.declaration {
        return never_defined(module, item);
    }
    match violation.error.place {
        Place::Insn {
            func,
            insn,
            operand,
        } => {
            let site = Site {
                module,
                problem,
                func,
                insn,
                operand,
                shown,
            };
            site.described()
        }
        Place::Item(item) => of_item(module, problem, item),
        Place::Register { func, reg } => {
            let register = module.func(func).registers().get(reg.index());
            let message = register.and_then(|register| of_register(module, problem, register));
            plain(message.unwrap_or_else(|| problem.text().into()))
        }
        _ => plain(problem.text().into()),
    }
}

fn plain(message: String) -> Described {
    Described {
        message,
        ..Described::default()
    }
}

/// Says what is wrong with the hard register that a variable is tied to.
fn of_register(module: &Module<'_>, problem: Problem, register: &Register) -> Option<String> {
    let name = lossy(module.name_bytes(register.hard_reg?));
    let ty = register.ty;
    Some(match problem {
        Problem::UnknownHardReg => format!("the target has no hard register `{name}`"),
        Problem::ReservedHardReg => format!("the hard register `{name}` is reserved"),
        Problem::HardRegClass => {
            format!("the hard register `{name}` cannot hold a variable of type {ty}")
        }
        _ => return None,
    })
}

fn of_item(module: &Module<'_>, problem: Problem, item: ItemId) -> Described {
    let block = match problem {
        Problem::CallTooLarge => largest_block(module, item),
        _ => None,
    };
    let block = block.map_or(String::new(), |size| format!(", a block of {size} bytes"));
    let name = item_name(module, item).map(|name| name + &block);
    let text = problem.text();
    plain(match (problem, name) {
        (Problem::UnresolvedImport, Some(name)) => format!(
            "nothing defines the import `{name}`: no module exports it, and no library has it"
        ),
        (_, Some(name)) => format!("{text}: {name}"),
        _ => text.into(),
    })
}

/// The most items among which a name that was meant is looked for.
const MOST_ITEMS: usize = 1000;

/// Says that nothing defines what a declaration names.
fn never_defined(module: &Module<'_>, item: ItemId) -> Described {
    let Some(name) = item_name(module, item) else {
        return plain(Problem::NeverDefined.text().into());
    };
    // There may be as many that are not defined.
    let defined = module
        .items()
        .take(MOST_ITEMS)
        .filter(|(_, item)| !item.kind.is_declaration());
    let defined: Vec<String> = defined
        .filter_map(|(item, _)| item_name(module, item))
        .collect();
    let near = similar(&name, defined.iter().map(String::as_str));
    Described {
        message: format!("`{name}` is declared, but never defined"),
        advice: near.map(|near| (format!("did you mean `{near}`?"), None)),
        items: Vec::new(),
    }
}

/// Returns the size of the largest block among the arguments of a function or prototype.
fn largest_block(module: &Module<'_>, item: ItemId) -> Option<u64> {
    let signature = match module.item(item).kind {
        ItemKind::Proto(signature) => signature,
        ItemKind::Func(func) => module.func(func).signature,
        _ => return None,
    };
    let args = module.args(&signature).iter();
    args.map(|arg| arg.size).max().filter(|&size| size > 0)
}

pub(crate) fn item_name(module: &Module<'_>, item: ItemId) -> Option<String> {
    let known = item.index() < module.items().len();
    let name = known.then(|| module.item(item).name)??;
    Some(lossy(module.name_bytes(name)))
}

/// The instruction or operand that a violation is about.
struct Site<'a, 'm> {
    module: &'a Module<'m>,
    problem: Problem,
    func: FuncId,
    insn: InsnId,
    /// The operand's number; `u16::MAX` for none.
    operand: u16,
    shown: Option<&'a str>,
}

impl Site<'_, '_> {
    fn described(&self) -> Described {
        use Problem as P;
        let operand = self.operand_text();
        let text = self.problem.text();
        match self.problem {
            P::OtherSignature => self.other_signature(),
            P::CallOperandCount => self.call_operand_count(),
            P::RetCount => self.ret_count(),
            P::NotInteger | P::NotFloat | P::NotDouble | P::NotLongDouble => self.wrong_class(),
            P::NotAssignable => plain(format!(
                "`{}` cannot take a result: that must go to a register or memory",
                operand.unwrap_or_default()
            )),
            P::NotLabel
            | P::NotRegister
            | P::NotMemory
            | P::NotConstant
            | P::NotVariable
            | P::NotAtomic => plain(format!("{text}, not `{}`", operand.unwrap_or_default())),
            P::AddressRegister => plain(format!(
                "{text}, and those of `{}` are not",
                operand.unwrap_or_default()
            )),
            P::NotPrototype | P::NotCallable => self.wrong_item(),
            P::RunsOffEnd => Described {
                message: format!("control may run off the end of `{}`", self.func_name()),
                advice: Some(("end it with `ret`".into(), None)),
                items: Vec::new(),
            },
            P::VaStartWithoutVararg => Described {
                message: text.into(),
                advice: None,
                items: vec![(
                    self.func_item(),
                    "its arguments do not end with `...`".into(),
                )],
            },
            P::JretWithResults => Described {
                message: "`jret` in a function with results".into(),
                advice: None,
                items: vec![self.results_label()],
            },
            P::JretWithRet => plain("`jret` and `ret` in one function".into()),
            P::JcallOfSetjmp => plain(format!(
                "`jcall` cannot call `{}`, which returns to its caller twice",
                operand.unwrap_or_default()
            )),
            P::FloatVariadic => Described {
                message: format!(
                    "`{}` is a float, which cannot be a variable argument: it is passed as a double",
                    operand.unwrap_or_default()
                ),
                advice: Some(("convert it by `f2d`".into(), None)),
                items: self.prototype_item(),
            },
            _ => {
                let name = operand.map_or(String::new(), |operand| format!(": {operand}"));
                Described {
                    items: self.prototype_item(),
                    ..plain(format!("{text}{name}"))
                }
            }
        }
    }

    fn func_item(&self) -> ItemId {
        self.module.func(self.func).item
    }

    fn func_name(&self) -> String {
        item_name(self.module, self.func_item()).unwrap_or_default()
    }

    fn value(&self) -> Option<Operand> {
        self.module.operand(self.insn, usize::from(self.operand))
    }

    /// Returns the operand as in the source, else as it is printed; `None` if the violation is
    /// about none, or one that is a string.
    fn operand_text(&self) -> Option<String> {
        let operand = self.value()?;
        if let Some(shown) = self.shown {
            return Some(shortened(shown));
        }
        Some(match operand {
            Operand::Str(_) => return None,
            Operand::Float(value) => format!("{value:?}f"),
            Operand::Double(value) => format!("{value:?}"),
            operand => printed(|out| text::print_operand(self.module, self.func, operand, out)),
        })
    }

    // ---- classes

    fn wrong_class(&self) -> Described {
        let wanted = match self.problem {
            Problem::NotInteger => Class::Int,
            Problem::NotFloat => Class::Float,
            Problem::NotDouble => Class::Double,
            _ => Class::LongDouble,
        };
        let text = self.problem.text();
        let Some(operand) = self.operand_text() else {
            return plain(text.into());
        };
        let value = self.value();
        let is = value.map_or("", |value| self.class_words(value));
        Described {
            message: format!("{text}, but `{operand}` is {is}"),
            advice: self.class_advice(wanted, &operand),
            items: self.prototype_item(),
        }
    }

    fn class_words(&self, operand: Operand) -> &'static str {
        match operand {
            Operand::Label(_) => "a label",
            Operand::Str(_) => "a string, whose address is an integer",
            Operand::Item(_) => "an item, whose address is an integer",
            operand => match self.class_of(operand) {
                Some(Class::Int) => "an integer",
                Some(Class::Float) => "a float",
                Some(Class::Double) => "a double",
                Some(Class::LongDouble) => "a long double",
                None => "of no class",
            },
        }
    }

    fn class_of(&self, operand: Operand) -> Option<Class> {
        Some(match operand {
            Operand::Reg(reg) => {
                let registers = self.module.func(self.func).registers();
                registers.get(reg.index())?.ty.class()
            }
            Operand::Float(_) => Class::Float,
            Operand::Double(_) => Class::Double,
            Operand::LongDouble(_) => Class::LongDouble,
            Operand::Mem(mem) => mem.ty.class(),
            Operand::Label(_) => return None,
            _ => Class::Int,
        })
    }

    /// Returns how to write a number in the class that is wanted, or the instruction that the
    /// operands are for.
    fn class_advice(&self, wanted: Class, operand: &str) -> Option<(String, Option<String>)> {
        let other = self.instruction_meant();
        let is_number = match self.value()? {
            Operand::Int(_) | Operand::Uint(_) => wanted != Class::Int,
            Operand::Float(_) | Operand::Double(_) | Operand::LongDouble(_) => true,
            _ => false,
        };
        if let (Some(other), false) = (other, is_number && wanted != Class::Int) {
            return Some((format!("did you mean `{other}`?"), None));
        }
        let number = is_number.then(|| number_in(wanted, operand)).flatten()?;
        Some((format!("write `{number}`"), Some(number)))
    }

    /// Returns the instruction that does the same with operands of the class that this one has, if
    /// it has one only.
    fn instruction_meant(&self) -> Option<&'static str> {
        let code = self.module.code(self.insn);
        let mut classes = self
            .module
            .operands(self.insn)
            .filter_map(|operand| self.class_of(operand));
        let class = classes.next()?;
        if classes.any(|other| other != class) {
            return None;
        }
        let base = base_name(code)?;
        let prefix = match class {
            Class::Int => "",
            Class::Float => "f",
            Class::Double => "d",
            Class::LongDouble => "ld",
        };
        let meant = Code::from_name(format!("{prefix}{base}").as_bytes())?;
        (meant != code).then(|| meant.name())
    }

    // ---- calls

    /// Returns the prototype of the call that this is about, as another place.
    fn prototype_item(&self) -> Vec<(ItemId, String)> {
        let item = self.signature().map(|(item, _)| item);
        item.map(|item| (item, "the prototype".into()))
            .into_iter()
            .collect()
    }

    /// Returns the prototype of the call.
    fn signature(&self) -> Option<(ItemId, Signature)> {
        if !self.module.code(self.insn).is_call() {
            return None;
        }
        let Operand::Item(item) = self.module.operand(self.insn, 0)? else {
            return None;
        };
        if item.index() >= self.module.items().len() {
            return None;
        }
        match self.module.item(self.module.resolve(item)).kind {
            ItemKind::Proto(signature) => Some((item, signature)),
            _ => None,
        }
    }

    fn call_operand_count(&self) -> Described {
        let Some((item, signature)) = self.signature() else {
            return plain(self.problem.text().into());
        };
        let results = self.module.results(&signature).len();
        let args = self.module.args(&signature).len();
        let given = self.module.operand_count(self.insn).saturating_sub(2);
        let name = item_name(self.module, item).unwrap_or_default();
        let more = if signature.is_vararg() {
            " or more"
        } else {
            ""
        };
        Described {
            message: format!(
                "the call has {} after the function, but its prototype `{name}` asks for {}{more}: \
                 {} and {}",
                count(given, "operand"),
                results + args,
                count(results, "result"),
                count(args, "argument"),
            ),
            advice: None,
            items: vec![(item, "the prototype".into())],
        }
    }

    fn ret_count(&self) -> Described {
        let signature = self.module.func(self.func).signature;
        let results = self.module.results(&signature).len();
        let given = self.module.operand_count(self.insn);
        let name = self.func_name();
        Described {
            message: format!(
                "`ret` has {}, but `{name}` returns {}",
                count(given, "value"),
                count(results, "value")
            ),
            advice: None,
            items: vec![self.results_label()],
        }
    }

    /// Says at the function how many results it has.
    fn results_label(&self) -> (ItemId, String) {
        let signature = self.module.func(self.func).signature;
        let results = count(self.module.results(&signature).len(), "value");
        (
            self.func_item(),
            format!("`{}` returns {results}", self.func_name()),
        )
    }

    fn wrong_item(&self) -> Described {
        let text = match self.problem {
            Problem::NotPrototype => "the first operand of a call must be a prototype",
            _ => "the second operand of a call must be a function",
        };
        let operand = self.operand_text().unwrap_or_default();
        let item = match self.value() {
            Some(Operand::Item(item)) if item.index() < self.module.items().len() => item,
            _ => return plain(format!("{text}, not `{operand}`")),
        };
        let kind = match self.module.item(self.module.resolve(item)).kind {
            ItemKind::Import => "an import",
            ItemKind::Proto(_) => "a prototype",
            ItemKind::Func(_) => "a function",
            _ => "data",
        };
        Described {
            message: format!("{text}, and `{operand}` is {kind}"),
            advice: None,
            items: vec![(item, format!("`{operand}` is this"))],
        }
    }

    fn other_signature(&self) -> Described {
        let Some(message) = signatures::in_module(self.module, self.insn) else {
            return plain(self.problem.text().into());
        };
        let callee = match self.module.operand(self.insn, 1) {
            Some(Operand::Item(item)) => Some((item, "the function".to_owned())),
            _ => None,
        };
        Described {
            message,
            advice: None,
            items: self.prototype_item().into_iter().chain(callee).collect(),
        }
    }
}

/// Returns an instruction's name without the letters for the class of its operands.
fn base_name(code: Code) -> Option<&'static str> {
    let name = code.name();
    let base = ["ld", "d", "f", ""]
        .into_iter()
        .filter_map(|prefix| name.strip_prefix(prefix));
    // The name of the instruction for integers is the base, as `add` of `dadd`.
    let mut base = base.filter(|base| Code::from_name(base.as_bytes()).is_some());
    base.next()
}

/// Returns a number of the source as one of the class.
fn number_in(class: Class, number: &str) -> Option<String> {
    let digits = number.trim_end_matches(['f', 'F', 'l', 'L']);
    let is_decimal = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    if digits.is_empty() || !digits.bytes().all(is_decimal) {
        return None;
    }
    let has_point = digits.contains(['.', 'e', 'E']);
    let real = match has_point {
        true => digits.to_owned(),
        false => format!("{digits}.0"),
    };
    Some(match class {
        Class::Int => digits.strip_suffix(".0")?.to_owned(),
        Class::Float => real + "f",
        Class::Double => real,
        Class::LongDouble => real + "l",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_the_class_that_is_wanted() {
        for (class, number, written) in [
            (Class::Float, "1.5", Some("1.5f")),
            (Class::Float, "1", Some("1.0f")),
            (Class::Double, "1.5f", Some("1.5")),
            (Class::LongDouble, "1e9", Some("1e9l")),
            (Class::Int, "2.0", Some("2")),
            (Class::Int, "1.5", None),
            (Class::Float, "0x10", None),
        ] {
            assert_eq!(number_in(class, number).as_deref(), written, "{number}");
        }
    }

    #[test]
    fn instructions_have_a_base() {
        for (name, base) in [
            ("dadd", "add"),
            ("add", "add"),
            ("div", "div"),
            ("ldmov", "mov"),
        ] {
            let code = Code::from_name(name.as_bytes()).expect("an instruction");
            assert_eq!(base_name(code), Some(base));
        }
    }
}
