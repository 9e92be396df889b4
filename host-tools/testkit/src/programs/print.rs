//! Prints programs as text.

use super::{Area, Argument, Body, CallKind, Class, Form, Function, Memory, Operand, Variable};
use super::{Program, Stmt, Undefined};
use core::fmt::Write;
use mir_nostd::ir::Code;
use std::collections::BTreeSet;

/// The size in bytes of each area of the module, and of each `alloca`.
const AREA: usize = 256;

/// Functions by type name that hash a float into the result, equally for all NaNs.
const HASHES: [(&str, &str); 3] = [
    (
        "f",
        "p_hash_f: proto i64, f:v\nhash_f: func i64, f:v\nlocal i64:a, i64:r\nfbne nanf, v, v\n\
         mov a, scratch\nfmov f:(a), v\nmov r, u32:(a)\nret r\nnanf: ret 77\nendfunc\n",
    ),
    (
        "d",
        "p_hash_d: proto i64, d:v\nhash_d: func i64, d:v\nlocal i64:a, i64:r\ndbne nand, v, v\n\
         mov a, scratch\ndmov d:(a), v\nmov r, i64:(a)\nret r\nnand: ret 78\nendfunc\n",
    ),
    (
        "ld",
        "p_hash_ld: proto i64, ld:v\nhash_ld: func i64, ld:v\nlocal i64:r, i64:s, d:near, ld:rest\n\
         ld2d near, v\nd2ld rest, near\nldsub rest, v, rest\ncall p_hash_d, hash_d, r, near\n\
         ld2d near, rest\ncall p_hash_d, hash_d, s, near\nmul r, r, 31\nadd r, r, s\nret r\nendfunc\n",
    ),
];

impl Program {
    /// Returns the program's text, with what `run` returns.
    #[must_use]
    pub fn text(&self) -> String {
        let mut labels = 0;
        let mut wanted = BTreeSet::from([0]);
        let mut texts = Vec::new();
        // Callees come later, so a function is known to be called before it is printed.
        for (number, function) in self.functions.iter().enumerate() {
            if wanted.contains(&number) {
                let mut printer = Printer::new(self, number, labels);
                texts.push(printer.function(function));
                labels = printer.labels;
                wanted.extend(printer.callees);
            }
        }
        texts.reverse();
        let texts = texts.concat();
        let mut out = String::from("m: module\n");
        for class in Class::ALL.iter().filter(|class| **class != Class::Short) {
            let name = area_name(*class);
            if texts.contains(name) {
                let _ = writeln!(out, "{name}: bss {AREA}");
            }
        }
        if texts.contains("p_same") {
            out += "p_same: proto i64, i64:a\nsame: func i64, i64:a\nret a\nendfunc\n";
        }
        let uses = |ty: &str| texts.contains(&format!("hash_{ty},"));
        let hashes = HASHES.map(|(ty, text)| {
            let is_used = uses(ty) || ty == "d" && uses("ld");
            if is_used { text } else { "" }
        });
        if hashes.iter().any(|text| !text.is_empty()) {
            out += "scratch: bss 16\n";
        }
        out + &hashes.concat() + &texts + "endmodule\n"
    }
}

fn area_name(class: Class) -> &'static str {
    match class {
        Class::Wide | Class::Short => "ints",
        Class::Float => "floats",
        Class::Double => "doubles",
        Class::Long => "longs",
    }
}

fn name(place: Variable) -> String {
    let letter = match place.0 {
        Class::Wide => 'w',
        Class::Short => 's',
        Class::Float => 'f',
        Class::Double => 'd',
        Class::Long => 'l',
    };
    format!("{letter}{}", place.1)
}

fn function_name(number: usize) -> String {
    match number {
        0 => "run".into(),
        _ => format!("func{number}"),
    }
}

fn signature(function: &Function) -> String {
    let results = function.results.iter().map(|ty| (*ty).to_owned());
    let arguments = function.arguments.iter().enumerate();
    let arguments = arguments.map(|(number, argument)| match argument {
        Argument::Value(ty, place) => format!("{ty}:{}", name(*place)),
        Argument::Block(ty, size) => format!("{ty}:{size}(k{number})"),
    });
    results.chain(arguments).collect::<Vec<_>>().join(", ")
}

/// Returns a zero of the class.
fn zero(class: Class) -> Operand {
    if class.is_integer() {
        Operand::Number(0)
    } else {
        Operand::Real("0.0")
    }
}

fn move_of(class: Class) -> &'static str {
    match class {
        Class::Wide | Class::Short => "mov",
        Class::Float => "fmov",
        Class::Double => "dmov",
        Class::Long => "ldmov",
    }
}

/// A loop whose body is being printed.
struct OpenLoop {
    counter: Option<String>,
    again: String,
    end: String,
    /// The number of enclosing stack areas; areas inside the loop must be freed before it is left.
    stacks: usize,
}

struct Printer<'p> {
    program: &'p Program,
    number: usize,
    out: String,
    labels: usize,
    callees: BTreeSet<usize>,
    places: BTreeSet<Variable>,
    /// Integer variables besides the program's own.
    helpers: BTreeSet<String>,
    /// Doubles that no one initialises.
    doubles: BTreeSet<String>,
    bases: BTreeSet<&'static str>,
    temps: usize,
    loops: Vec<OpenLoop>,
    stacks: usize,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program, number: usize, labels: usize) -> Self {
        Printer {
            program,
            number,
            out: String::new(),
            labels,
            callees: BTreeSet::new(),
            places: BTreeSet::new(),
            helpers: BTreeSet::new(),
            doubles: BTreeSet::new(),
            bases: BTreeSet::new(),
            temps: 0,
            loops: Vec::new(),
            stacks: 0,
        }
    }

    fn function(&mut self, function: &Function) -> String {
        self.body(&function.body);
        if self.number == 0 {
            self.observation();
        } else {
            self.values(&function.values, &function.results);
        }
        let own = function_name(self.number);
        let signature = signature(function);
        let mut head = format!("p_{own}: proto {signature}\n{own}: func {signature}\n");
        let arguments: Vec<Variable> = function
            .arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Value(_, place) => Some(*place),
                Argument::Block(..) => None,
            })
            .collect();
        self.places.retain(|place| !arguments.contains(place));
        let ty = |place: &Variable| match place.0 {
            Class::Wide | Class::Short => "i64",
            Class::Float => "f",
            Class::Double => "d",
            Class::Long => "ld",
        };
        let places = self.places.iter();
        let places = places.map(|place| format!("{}:{}", ty(place), name(*place)));
        let helpers = self.helpers.iter().map(|name| format!("i64:{name}"));
        let bases = self.bases.iter().map(|name| format!("i64:{name}_at"));
        let doubles = self.doubles.iter().map(|name| format!("d:{name}"));
        let locals = places.chain(helpers).chain(doubles).chain(bases);
        let locals: Vec<String> = locals.collect();
        for some in locals.chunks(12) {
            let _ = writeln!(head, "local {}", some.join(", "));
        }
        for base in &self.bases {
            let _ = writeln!(head, "mov {base}_at, {base}");
        }
        for place in self.places.clone() {
            let start = function.start.iter().find(|(own, _)| *own == place);
            let value = start.map_or_else(|| zero(place.0), |(_, value)| value.clone());
            let value = self.operand(&value, place.0);
            let _ = writeln!(head, "{} {}, {value}", move_of(place.0), name(place));
        }
        head + &self.out + "endfunc\n"
    }

    /// Prints the result of the first function: a hash of everything observed.
    fn observation(&mut self) {
        self.helpers.extend(["h".into(), "x0".into()]);
        self.line("finish: mov h, 1");
        for &place in &self.program.observed {
            self.places.insert(place);
            let own = name(place);
            match place.0 {
                Class::Wide => self.line(&format!("mov x0, {own}")),
                Class::Short => self.line(&format!("uext32 x0, {own}")),
                class => self.hash(class, &own),
            }
            self.mix();
        }
        if self.program.observes_memory {
            self.helpers.extend(["at".into(), "end".into()]);
            for (class, step) in [
                (Class::Wide, 8),
                (Class::Float, 4),
                (Class::Double, 8),
                (Class::Long, 16),
            ] {
                let label = self.label();
                self.line(&format!("mov at, {}", area_name(class)));
                self.line(&format!("add end, at, {AREA}"));
                self.out += &format!("{label}: ");
                match class {
                    Class::Wide => self.line("mov x0, i64:(at)"),
                    Class::Float => self.hash(class, "f:(at)"),
                    Class::Double => self.hash(class, "d:(at)"),
                    _ => self.hash(class, "ld:(at)"),
                }
                self.mix();
                self.line(&format!("add at, at, {step}"));
                self.line(&format!("ublt {label}, at, end"));
            }
        }
        self.line("ret h");
    }

    fn hash(&mut self, class: Class, of: &str) {
        let suffix = match class {
            Class::Float => "f",
            Class::Double => "d",
            _ => "ld",
        };
        self.line(&format!("call p_hash_{suffix}, hash_{suffix}, x0, {of}"));
    }

    fn mix(&mut self) {
        self.line("xor h, h, x0");
        self.line("mul h, h, 0x9E3779B97F4A7C15");
    }

    fn line(&mut self, text: &str) {
        self.out += text;
        self.out.push('\n');
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// Returns the next helper variable of the statement.
    fn temp(&mut self) -> String {
        let temp = format!("x{}", self.temps);
        self.temps += 1;
        self.helpers.insert(temp.clone());
        temp
    }

    fn body(&mut self, body: &Body) {
        for stmt in body {
            self.temps = 0;
            self.stmt(stmt);
        }
    }

    /// Returns the text of an operand read or written as the class, after the computation of its
    /// address.
    fn operand(&mut self, operand: &Operand, class: Class) -> String {
        match operand {
            Operand::Variable(place) => {
                self.places.insert(*place);
                name(*place)
            }
            Operand::Number(number) => number.to_string(),
            Operand::Real(text) => match class {
                Class::Float => format!("{text}f"),
                Class::Long => format!("{text}l"),
                _ => (*text).to_owned(),
            },
            Operand::Counter(depth) => match self.loops.get(*depth) {
                Some(OpenLoop {
                    counter: Some(counter),
                    ..
                }) => counter.clone(),
                _ => depth.to_string(),
            },
            Operand::Memory(memory) => self.memory(memory),
            Operand::Block(offset) => {
                self.bases.insert("ints");
                let temp = self.temp();
                self.line(&format!("add {temp}, ints_at, {}", offset * 16));
                temp
            }
        }
    }

    fn memory(&mut self, memory: &Memory) -> String {
        let ty = memory.ty;
        if let Area::Variable(place) = memory.area {
            let temp = self.temp();
            self.places.insert(place);
            let code = match place.0 {
                Class::Short => "addr32",
                _ => "addr",
            };
            self.line(&format!("{code} {temp}, {}", name(place)));
            return format!("{ty}:({temp})");
        }
        let (base, alias) = match memory.area {
            Area::Stack(depth) if depth < self.stacks => (format!("a{depth}"), String::new()),
            Area::Block(number) => (format!("k{number}"), String::new()),
            Area::Module(class) => {
                let own = area_name(class);
                self.bases.insert(own);
                (format!("{own}_at"), format!(":{own}"))
            }
            _ => {
                self.bases.insert("ints");
                ("ints_at".to_owned(), String::new())
            }
        };
        let alias = match self.program.has_aliases {
            true => alias,
            false => String::new(),
        };
        let offset = match memory.offset {
            0 => String::new(),
            offset => offset.to_string(),
        };
        let Some((place, mask, scale)) = memory.index else {
            return format!("{ty}:{offset}({base}){alias}");
        };
        let temp = self.temp();
        self.places.insert(place);
        self.line(&format!("and {temp}, {}, {mask}", name(place)));
        format!("{ty}:{offset}({base}, {temp}, {scale}){alias}")
    }

    fn operands(&mut self, code: Code, first: usize, ins: &[Operand]) -> Vec<String> {
        let modes = &code.modes()[first..];
        let classes = modes.iter().map(|mode| super::generate::class_of(*mode));
        let pairs = ins.iter().zip(classes);
        pairs
            .map(|(operand, class)| self.operand(operand, class))
            .collect()
    }

    /// Prints a conditional branch to the label.
    fn branch(&mut self, test: Code, ins: &[Operand], label: &str) {
        let mut line = format!("{} {label}", test.name());
        for operand in self.operands(test, 1, ins) {
            let _ = write!(line, ", {operand}");
        }
        self.line(&line);
    }

    fn insn(&mut self, code: Code, out: &Operand, ins: &[Operand], odd: bool) {
        let class = super::generate::class_of(code.modes()[0]);
        let mut operands = self.operands(code, 1, ins);
        if odd && let Some(last) = operands.pop() {
            let temp = self.temp();
            self.line(&format!("or {temp}, {last}, 1"));
            operands.push(temp);
        }
        let out = self.operand(out, class);
        self.line(&format!("{} {out}, {}", code.name(), operands.join(", ")));
    }

    /// Prints both arms, of which the first begins at the label.
    fn arms(&mut self, label: &str, arms: &[Body; 2]) {
        let end = self.label();
        self.body(&arms[1]);
        self.line(&format!("jmp {end}"));
        self.out += &format!("{label}: ");
        self.body_with_label(&arms[0]);
        self.end_label(&end);
    }

    /// Prints a body whose first instruction has the label that was just printed.
    fn body_with_label(&mut self, body: &Body) {
        self.helpers.insert("none".into());
        // An instruction for the label, as the next statement may begin with a label of its own, or
        // be missing.
        self.line("mov none, 0");
        self.body(body);
    }

    fn end_label(&mut self, label: &str) {
        self.helpers.insert("none".into());
        self.line(&format!("{label}: mov none, 0"));
    }

    fn values(&mut self, values: &[Operand], types: &[&str]) {
        self.temps = 0;
        let pairs = values.iter().zip(types);
        let values: Vec<String> = pairs
            .map(|(value, ty)| self.operand(value, Class::of(ty)))
            .collect();
        self.line(&format!("ret {}", values.join(", ")));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Insn {
                code,
                out,
                ins,
                odd,
            } => self.insn(*code, out, ins, *odd),
            Stmt::Overflow {
                code,
                out,
                ins,
                copy,
                test,
                arms,
            } => {
                self.insn(*code, out, ins, false);
                if let Some((to, from)) = copy {
                    self.places.extend([*to, *from]);
                    self.line(&format!("mov {}, {}", name(*to), name(*from)));
                }
                let label = self.label();
                self.branch(*test, &[], &label);
                self.arms(&label, arms);
            }
            Stmt::If {
                test,
                ins,
                arms,
                by_address,
            } => {
                let label = self.label();
                if *by_address {
                    self.by_address(*test, ins, &label);
                } else {
                    self.branch(*test, ins, &label);
                }
                self.arms(&label, arms);
            }
            Stmt::Loop { form, times, body } => self.counted_loop(*form, times, body),
            Stmt::Leave { test, ins, again } => self.leave(*test, ins, *again),
            Stmt::Switch { on, arms, masked } => self.switch(on, arms, *masked),
            Stmt::Call {
                callee,
                kind,
                outs,
                ins,
            } => self.call(*callee, *kind, outs, ins),
            Stmt::Stack { size, scoped, body } => self.stack(*size, *scoped, body),
            Stmt::Property {
                place,
                number,
                body,
            } => self.property(*place, *number, body),
            Stmt::Undefined(what) => self.undefined(*what),
            Stmt::Return { test, ins, values } => self.early_return(*test, ins, values),
        }
    }

    /// Leaves the innermost loop, or goes on with its next iteration, if the test holds.
    fn leave(&mut self, test: Code, ins: &[Operand], again: bool) {
        if let Some(innermost) = self.loops.last()
            && innermost.stacks == self.stacks
        {
            let label = if again {
                &innermost.again
            } else {
                &innermost.end
            };
            let label = label.clone();
            self.branch(test, ins, &label);
        }
    }

    /// Attaches a property to a variable, and has the same body on either path of a branch on it.
    fn property(&mut self, place: Variable, number: usize, body: &Body) {
        self.places.insert(place);
        let (label, own) = (self.label(), name(place));
        self.line(&format!("prset {own}, {number}"));
        self.line(&format!("prbeq {label}, {own}, {number}"));
        self.arms(&label, &[body.clone(), body.clone()]);
    }

    /// Returns from the function if the test holds.
    fn early_return(&mut self, test: Code, ins: &[Operand], values: &[Operand]) {
        if self.number == 0 {
            self.branch(test, ins, "finish");
            return;
        }
        let (label, end) = (self.label(), self.label());
        self.branch(test, ins, &label);
        self.line(&format!("jmp {end}"));
        self.out += &format!("{label}: ");
        self.body_with_label(&Vec::new());
        let program = self.program;
        self.values(values, &program.functions[self.number].results);
        self.end_label(&end);
    }

    fn undefined(&mut self, what: Undefined) {
        let mut own = |number: usize| {
            let name = format!("u{number}");
            self.helpers.insert(name.clone());
            name
        };
        let double = |number: usize| format!("v{number}");
        match what {
            Undefined::Copy(a, b) => {
                let line = format!("mov {}, {}", own(a), own(b));
                self.line(&line);
            }
            Undefined::Add(a, b) => {
                let (a, b) = (own(a), own(b));
                self.line(&format!("add {a}, {a}, {b}"));
            }
            Undefined::Call(a, b) => {
                let line = format!("call p_same, same, {}, {}", own(a), own(b));
                self.line(&line);
            }
            Undefined::Define(a, place) => {
                let line = format!("mov {}, {}", own(a), name(place));
                self.places.insert(place);
                self.line(&line);
            }
            Undefined::Read(a, place) => {
                let a = own(a);
                self.add_nothing(&format!("and {{}}, {a}, 0"), place);
            }
            Undefined::CopyDouble(a, b) => {
                self.doubles.extend([double(a), double(b)]);
                self.line(&format!("dmov {}, {}", double(a), double(b)));
            }
            Undefined::CompareDoubles(a, b, place) => {
                self.doubles.extend([double(a), double(b)]);
                let temp = self.temp();
                self.line(&format!("dlt {temp}, {}, {}", double(a), double(b)));
                self.add_nothing(&format!("and {{}}, {temp}, 0"), place);
            }
        }
    }

    /// Adds what the line makes, which is 0, to a variable.
    fn add_nothing(&mut self, line: &str, place: Variable) {
        let temp = self.temp();
        self.places.insert(place);
        self.line(&line.replace("{}", &temp));
        self.line(&format!("add {0}, {0}, {temp}", name(place)));
    }

    /// Branches to the label, or continues, through the address of either.
    fn by_address(&mut self, test: Code, ins: &[Operand], label: &str) {
        let (other, decided) = (self.label(), self.label());
        let temp = self.temp();
        self.line(&format!("laddr {temp}, {label}"));
        self.branch(test, ins, &decided);
        self.line(&format!("laddr {temp}, {other}"));
        self.line(&format!("{decided}: jmpi {temp}"));
        self.end_label(&other);
    }

    fn counted_loop(&mut self, form: Form, times: &Operand, body: &Body) {
        let depth = self.loops.len();
        let (counter, limit) = (format!("c{depth}"), format!("n{depth}"));
        self.helpers.insert(counter.clone());
        let (start, again, end) = (self.label(), self.label(), self.label());
        let times_text = self.operand(times, Class::Wide);
        let bound = if let Operand::Number(_) = times {
            &times_text
        } else {
            self.helpers.insert(limit.clone());
            self.line(&format!("and {limit}, {times_text}, 7"));
            &limit
        };
        let from = if form == Form::Down { bound } else { "0" };
        self.line(&format!("mov {counter}, {from}"));
        self.end_label(&start);
        if form == Form::Before {
            self.line(&format!("bge {end}, {counter}, {bound}"));
        }
        self.loops.push(OpenLoop {
            counter: (form != Form::Short).then(|| counter.clone()),
            again: again.clone(),
            end: end.clone(),
            stacks: self.stacks,
        });
        self.body(body);
        self.loops.pop();
        self.end_label(&again);
        match form {
            Form::Up => {
                self.line(&format!("add {counter}, {counter}, 1"));
                self.line(&format!("blt {start}, {counter}, {bound}"));
            }
            Form::Down => {
                self.line(&format!("sub {counter}, {counter}, 1"));
                self.line(&format!("bgt {start}, {counter}, 0"));
            }
            Form::Before => {
                self.line(&format!("add {counter}, {counter}, 1"));
                self.line(&format!("jmp {start}"));
            }
            Form::Short => {
                self.line(&format!("adds {counter}, {counter}, 1"));
                self.line(&format!("ublts {start}, {counter}, {bound}"));
            }
            Form::Extended => {
                self.line(&format!("adds {counter}, {counter}, 1"));
                self.line(&format!("ext32 {counter}, {counter}"));
                self.line(&format!("blts {start}, {counter}, {bound}"));
            }
        }
        self.end_label(&end);
    }

    fn switch(&mut self, on: &Operand, arms: &[Body], masked: bool) {
        let mut on = self.operand(on, Class::Wide);
        if masked {
            let temp = self.temp();
            self.line(&format!("umod {temp}, {on}, {}", arms.len()));
            on = temp;
        }
        let labels: Vec<String> = arms.iter().map(|_| self.label()).collect();
        let end = self.label();
        self.line(&format!("switch {on}, {}", labels.join(", ")));
        for (label, arm) in labels.iter().zip(arms) {
            self.out += &format!("{label}: ");
            self.body_with_label(arm);
            self.line(&format!("jmp {end}"));
        }
        self.end_label(&end);
    }

    fn call(&mut self, callee: usize, kind: CallKind, outs: &[Operand], ins: &[Operand]) {
        self.callees.insert(callee);
        let program = self.program;
        let function = &program.functions[callee];
        let own = function_name(callee);
        let mut line = match kind {
            CallKind::Call => format!("call p_{own}, {own}"),
            CallKind::Inline => format!("inline p_{own}, {own}"),
            CallKind::Indirect => {
                let temp = self.temp();
                self.line(&format!("mov {temp}, {own}"));
                format!("call p_{own}, {temp}")
            }
        };
        for (out, ty) in outs.iter().zip(&function.results) {
            let out = self.operand(out, Class::of(ty));
            let _ = write!(line, ", {out}");
        }
        for (operand, argument) in ins.iter().zip(&function.arguments) {
            let _ = match argument {
                Argument::Value(ty, _) => {
                    let operand = self.operand(operand, Class::of(ty));
                    write!(line, ", {operand}")
                }
                Argument::Block(ty, size) => {
                    let operand = self.operand(operand, Class::Wide);
                    write!(line, ", {ty}:{size}({operand})")
                }
            };
        }
        self.line(&line);
    }

    fn stack(&mut self, size: Option<Variable>, scoped: bool, body: &Body) {
        let (area, saved) = (format!("a{}", self.stacks), format!("b{}", self.stacks));
        self.helpers.insert(area.clone());
        // In a loop, each iteration would allocate more stack.
        let scoped = scoped || !self.loops.is_empty();
        if scoped {
            self.helpers.insert(saved.clone());
            self.line(&format!("bstart {saved}"));
        }
        match size {
            Some(place) => {
                self.places.insert(place);
                let temp = self.temp();
                self.line(&format!("and {temp}, {}, 255", name(place)));
                self.line(&format!("add {temp}, {temp}, {AREA}"));
                self.line(&format!("alloca {area}, {temp}"));
            }
            None => self.line(&format!("alloca {area}, {AREA}")),
        }
        let (label, temp) = (self.label(), self.temp());
        self.line(&format!("mov {temp}, 0"));
        self.line(&format!("{label}: mov i64:({area}, {temp}), {temp}"));
        self.line(&format!("add {temp}, {temp}, 8"));
        self.line(&format!("blt {label}, {temp}, {AREA}"));
        self.stacks += 1;
        self.body(body);
        self.stacks -= 1;
        if scoped {
            self.line(&format!("bend {saved}"));
        }
    }
}
