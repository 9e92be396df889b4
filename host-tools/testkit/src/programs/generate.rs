//! Generates random programs.

use super::{Area, Argument, Body, CallKind, Class, Form, Function, Memory, Operand, Variable};
use super::{Program, Stmt, Undefined};
use fastrand::Rng;
use mir_nostd::ir::{Code, Flags, Mode, Order};

/// The approximate limit on the instructions that one call of a function executes, and that a whole
/// program does.
const FUNCTION_COST: usize = 3_000;
const PROGRAM_COST: usize = 30_000;

/// Returns the class of the values that operands of this mode have; integers are wide.
pub(super) fn class_of(mode: Mode) -> Class {
    match mode {
        Mode::F | Mode::OutF => Class::Float,
        Mode::D | Mode::OutD => Class::Double,
        Mode::L | Mode::OutL => Class::Long,
        _ => Class::Wide,
    }
}

/// Returns whether the instruction reads 32 bits of integers and leaves the upper half of its
/// result undefined unless it compares.
fn is_short(code: Code) -> bool {
    code.name().ends_with('s')
}

/// Returns whether an integer result has 32 bits.
fn gives_short(code: Code) -> bool {
    let compares = [
        "eqs", "nes", "lts", "les", "gts", "ges", "ults", "ules", "ugts", "uges",
    ];
    is_short(code) && !compares.contains(&code.name())
}

fn divides(code: Code) -> bool {
    let codes = [
        Code::Div,
        Code::Divs,
        Code::Udiv,
        Code::Udivs,
        Code::Mod,
        Code::Mods,
        Code::Umod,
        Code::Umods,
    ];
    codes.contains(&code)
}

/// Returns the instructions that only compute: an output, then values.
fn computing() -> Vec<Code> {
    let is_value = |mode: &Mode| matches!(mode, Mode::I | Mode::F | Mode::D | Mode::L);
    let computes = |code: &Code| {
        let modes = code.modes();
        code.flags().difference(Flags::EXTENSION).is_empty()
            && modes.first().is_some_and(|mode| mode.is_output())
            && modes.len() > 1
            && modes[1..].iter().all(is_value)
            && *code != Code::Alloca
            // The sign of a NaN is not certain.
            && !matches!(code, Code::Fcopysign | Code::Dcopysign)
    };
    Code::ALL.into_iter().filter(computes).collect()
}

/// Returns the instructions that set overflow flags.
fn overflowing() -> Vec<Code> {
    let sets = Flags::SETS_SIGNED.union(Flags::SETS_UNSIGNED);
    let all = Code::ALL.into_iter();
    all.filter(|code| code.flags().intersects(sets)).collect()
}

/// Returns the branches on values.
fn branching() -> Vec<Code> {
    let is_value = |mode: &Mode| matches!(mode, Mode::I | Mode::F | Mode::D | Mode::L);
    let branches = |code: &Code| {
        let modes = code.modes();
        code.flags() == Flags::BRANCH && modes.len() > 1 && modes[1..].iter().all(is_value)
    };
    Code::ALL.into_iter().filter(branches).collect()
}

const INTEGERS: [i64; 22] = [
    0,
    1,
    -1,
    2,
    3,
    5,
    7,
    8,
    10,
    31,
    63,
    64,
    127,
    -128,
    255,
    4096,
    65535,
    0x7FFF_FFFF,
    -0x8000_0000,
    0xFFFF_FFFF,
    i64::MAX,
    i64::MIN,
];
const REALS: [&str; 16] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "2.0",
    "3.25",
    "-7.75",
    "1e10",
    "1e30",
    "1e-40",
    "-1e300",
    "1e9999",
    "2147483648.0",
    "9.3e18",
    "0.1",
];
const NARROW: [&str; 7] = ["i8", "u8", "i16", "u16", "i32", "u32", "i32"];
const ANY: [&str; 9] = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "p"];

fn size_of(ty: &str) -> usize {
    match ty {
        "i8" | "u8" => 1,
        "i16" | "u16" => 2,
        "i32" | "u32" | "f" => 4,
        "ld" => 16,
        _ => 8,
    }
}

/// A function that may be called, and its signature.
struct Callee {
    number: usize,
    arguments: Vec<Argument>,
    results: Vec<&'static str>,
    cost: usize,
}

struct Generator<'r> {
    random: &'r mut Rng,
    computing: Vec<Code>,
    overflowing: Vec<Code>,
    branching: Vec<Code>,
    /// The number of variables of each class.
    places: [usize; 5],
    /// The arguments that are blocks: number and size.
    blocks: Vec<(usize, usize)>,
    callees: Vec<Callee>,
    results: Vec<&'static str>,
    loops: usize,
    stacks: usize,
    /// The product of the iteration counts of the enclosing loops.
    iterations: usize,
    cost: usize,
    left: usize,
    /// True if divisions and switches may fault.
    faults: bool,
    /// True if addresses of variables are taken.
    addresses: bool,
    /// True if there are variables that begin undefined.
    undefined: bool,
}

impl Program {
    /// Returns the program of a seed.
    #[must_use]
    pub fn random(seed: u64) -> Program {
        let random = &mut Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // The first numbers of neighbouring seeds are alike.
        for _ in 0..4 {
            random.usize(..2);
        }
        let count = 1 + random.usize(..6);
        let faults = random.usize(..20) == 0;
        let mut generator = Generator {
            computing: computing(),
            overflowing: overflowing(),
            branching: branching(),
            places: [0; 5],
            blocks: Vec::new(),
            callees: Vec::new(),
            results: Vec::new(),
            loops: 0,
            stacks: 0,
            iterations: 1,
            cost: 0,
            left: 0,
            faults,
            addresses: false,
            undefined: false,
            random,
        };
        let mut functions: Vec<Function> = (0..count)
            .rev()
            .map(|number| generator.function(number))
            .collect();
        functions.reverse();
        let observed = Class::ALL.iter().zip(generator.places);
        let observed =
            observed.flat_map(|(&class, count)| (0..count).map(move |i| Variable(class, i)));
        Program {
            functions,
            observed: observed.collect(),
            observes_memory: true,
            has_aliases: random.usize(..3) == 0,
        }
    }
}

impl Generator<'_> {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.usize(..count) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.usize(..from.len())]
    }

    fn function(&mut self, number: usize) -> Function {
        let many = self.one_in(5);
        for (count, usual) in self.places.iter_mut().zip([6, 4, 3, 4, 2]) {
            *count = 1 + self.random.usize(..if many { usual * 5 } else { usual });
        }
        self.addresses = self.one_in(3);
        self.undefined = self.one_in(3);
        self.cost = 10;
        self.iterations = 1;
        self.left = 4 + self.random.usize(..if number == 0 { 40 } else { 30 });
        let arguments = match number {
            0 => vec![
                Argument::Value("i64", Variable(Class::Wide, 0)),
                Argument::Value("i32", Variable(Class::Short, 0)),
            ],
            _ => self.arguments(),
        };
        self.blocks = arguments
            .iter()
            .enumerate()
            .filter_map(|(number, argument)| match argument {
                Argument::Block(_, size) => Some((number, *size)),
                Argument::Value(..) => None,
            })
            .collect();
        self.results = match number {
            0 => vec!["i64"],
            _ => {
                let most = if self.one_in(4) { 6 } else { 2 };
                self.types(most)
            }
        };
        let mut start = Vec::new();
        for class in Class::ALL {
            for index in 0..self.places[class as usize] {
                start.push((Variable(class, index), self.constant(class)));
            }
        }
        let mut body = Vec::new();
        while self.left > 0 {
            let stmt = self.stmt();
            body.push(stmt);
        }
        let values = self.values();
        self.callees.push(Callee {
            number,
            arguments: arguments.clone(),
            results: self.results.clone(),
            cost: self.cost,
        });
        Function {
            arguments,
            results: self.results.clone(),
            start,
            body,
            values,
        }
    }

    /// Returns up to `count` types of values.
    fn types(&mut self, count: usize) -> Vec<&'static str> {
        let count = self.random.usize(..count + 1);
        (0..count).map(|_| self.value_type()).collect()
    }

    fn value_type(&mut self) -> &'static str {
        match self.random.usize(..10) {
            0..4 => "i64",
            4..6 => self.pick(&ANY),
            6 => "f",
            7 | 8 => "d",
            _ => "ld",
        }
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let most = if self.one_in(4) { 14 } else { 5 };
        let count = self.random.usize(..most);
        let mut taken = [0; 5];
        let mut arguments = Vec::new();
        for _ in 0..count {
            if self.one_in(12) {
                let ty = self.pick(&["blk", "blk", "rblk", "blk1"]);
                let size = self.pick(&[8, 16, 16, 24, 48]);
                let size = if ty == "blk1" { size.min(16) } else { size };
                arguments.push(Argument::Block(ty, size));
                continue;
            }
            let ty = self.value_type();
            let class = match Class::of(ty) {
                Class::Wide if size_of(ty) <= 4 && self.one_in(2) => Class::Short,
                class => class,
            };
            let index = taken[class as usize];
            taken[class as usize] += 1;
            let have = &mut self.places[class as usize];
            *have = (*have).max(index + 1);
            arguments.push(Argument::Value(ty, Variable(class, index)));
        }
        arguments
    }

    fn constant(&mut self, class: Class) -> Operand {
        if !class.is_integer() {
            let text = self.pick(&REALS);
            // A constant out of a float's range is read as infinity.
            return Operand::Real(text);
        }
        Operand::Number(match self.random.usize(..4) {
            0 => {
                let bits = self.random.usize(..64);
                let high = i64::try_from(self.random.usize(..1 << 31)).unwrap_or(0);
                let low = i64::try_from(self.random.usize(..1 << 32)).unwrap_or(0);
                (high << 32 | low).wrapping_shl(1) >> bits
            }
            1 => i64::try_from(self.random.usize(..300)).unwrap_or(0) - 100,
            _ => self.pick(&INTEGERS),
        })
    }

    fn place(&mut self, class: Class) -> Variable {
        Variable(class, self.random.usize(..self.places[class as usize]))
    }

    /// Returns a value of a class to read; of a wide integer all bits count.
    fn value(&mut self, class: Class) -> Operand {
        match self.random.usize(..10) {
            0 | 1 => self.constant(class),
            2 => Operand::Memory(self.memory(class, true)),
            3 if class.is_integer() && self.loops > 0 => {
                Operand::Counter(self.random.usize(..self.loops))
            }
            4 | 5 if class == Class::Short => Operand::Variable(self.place(Class::Wide)),
            _ => Operand::Variable(self.place(class)),
        }
    }

    fn values(&mut self) -> Vec<Operand> {
        let types = self.results.clone();
        types.iter().map(|ty| self.value_of(ty)).collect()
    }

    /// Returns a value for an argument or result of a type; narrow integers are read as 32 bits.
    fn value_of(&mut self, ty: &str) -> Operand {
        let class = match Class::of(ty) {
            Class::Wide if size_of(ty) <= 4 => Class::Short,
            class => class,
        };
        self.value(class)
    }

    /// Returns a destination for a value of the class.
    fn target(&mut self, class: Class) -> Operand {
        if self.one_in(7) {
            Operand::Memory(self.memory(class, false))
        } else {
            Operand::Variable(self.place(class))
        }
    }

    /// Returns memory to read or to write. A value of which only 32 bits are defined is stored in
    /// at most 32.
    fn memory(&mut self, class: Class, read: bool) -> Memory {
        if self.addresses && self.one_in(3) {
            let place = self.place(class);
            let ty = match class {
                Class::Wide => "i64",
                Class::Short => self.pick(&["i32", "u32"]),
                class => float_type(class),
            };
            return Memory {
                area: Area::Variable(place),
                ty,
                offset: 0,
                index: None,
            };
        }
        let ty = match class {
            Class::Wide => self.pick(&ANY),
            Class::Short if read => self.pick(&ANY),
            Class::Short => self.pick(&NARROW),
            class => float_type(class),
        };
        // Any bit pattern is a valid float or double.
        let as_float = matches!(class, Class::Float | Class::Double) && read && self.one_in(3);
        if class.is_integer() || as_float {
            if !self.blocks.is_empty() && self.one_in(3) {
                let blocks = self.blocks.clone();
                let (number, size) = self.pick(&blocks);
                return Memory {
                    area: Area::Block(number),
                    ty,
                    offset: self.random.usize(..size / size_of(ty)) * size_of(ty),
                    index: None,
                };
            }
            let area = if self.stacks > 0 && self.one_in(2) {
                Area::Stack(self.random.usize(..self.stacks))
            } else {
                Area::Module(Class::Wide)
            };
            return self.indexed(area, ty);
        }
        self.indexed(Area::Module(class), ty)
    }

    /// Returns an aligned memory operand within 256 bytes.
    fn indexed(&mut self, area: Area, ty: &'static str) -> Memory {
        let size = size_of(ty);
        let offset = self.random.usize(..128 / size) * size;
        let index = self.one_in(2).then(|| {
            let class = self.pick(&[Class::Wide, Class::Wide, Class::Short]);
            let scale = self.pick(&[1, 2, 4, 8]);
            // The index adds up to 128 bytes, in steps of the access size.
            let step = (size / scale).max(1);
            let mask = (128 / scale - 1) & !(step - 1);
            (self.place(class), mask, scale)
        });
        Memory {
            area,
            ty,
            offset,
            index,
        }
    }

    fn condition(&mut self) -> (Code, Vec<Operand>) {
        let branching = self.branching.clone();
        let test = self.pick(&branching);
        (test, self.inputs(test))
    }

    fn inputs(&mut self, code: Code) -> Vec<Operand> {
        let modes = &code.modes()[1..];
        let inputs = modes.iter().map(|mode| match class_of(*mode) {
            Class::Wide if is_short(code) => self.value(Class::Short),
            // An extension reads only the low bits.
            Class::Wide if code.name().contains("ext") && self.one_in(2) => {
                self.value(Class::Short)
            }
            class => self.value(class),
        });
        inputs.collect()
    }

    fn output(&mut self, code: Code) -> Operand {
        match class_of(code.modes()[0]) {
            Class::Wide if gives_short(code) => self.target(Class::Short),
            Class::Wide if self.one_in(5) => Operand::Variable(self.place(Class::Short)),
            class => self.target(class),
        }
    }

    /// Returns a few statements, or none if the budget is spent.
    fn body(&mut self) -> Body {
        let count = self.random.usize(..5);
        let mut body = Vec::new();
        for _ in 0..count {
            if self.left > 0 {
                let stmt = self.stmt();
                body.push(stmt);
            }
        }
        body
    }

    fn stmt(&mut self) -> Stmt {
        self.left = self.left.saturating_sub(1);
        self.cost += 3 * self.iterations;
        if self.undefined && self.one_in(4) {
            return Stmt::Undefined(self.undefined());
        }
        match self.random.usize(..40) {
            0..2 => self.overflow(),
            2..6 => {
                let (test, ins) = self.condition();
                Stmt::If {
                    test,
                    ins,
                    arms: [self.body(), self.body()],
                    by_address: self.one_in(10),
                }
            }
            6..9 if self.loops < 3 => self.counted_loop(),
            9 if self.loops > 0 => {
                let (test, ins) = self.condition();
                let again = self.one_in(2);
                Stmt::Leave { test, ins, again }
            }
            10 => {
                let count = 1 + self.random.usize(..5);
                Stmt::Switch {
                    on: self.value(Class::Wide),
                    arms: (0..count).map(|_| self.body()).collect(),
                    masked: !(self.faults && self.one_in(4)),
                }
            }
            11..15 => self.call().unwrap_or_else(|| self.insn()),
            15 if self.stacks < 2 => self.stack(),
            16 if self.one_in(2) => {
                let class = self.pick(&Class::ALL);
                Stmt::Property {
                    place: self.place(class),
                    number: 1 + self.random.usize(..3),
                    body: self.body(),
                }
            }
            17 if self.one_in(3) => {
                let (test, ins) = self.condition();
                let values = self.values();
                Stmt::Return { test, ins, values }
            }
            18 => self.atomic(),
            _ => self.insn(),
        }
    }

    /// Returns an atomic instruction, with any orders that it may have.
    fn atomic(&mut self) -> Stmt {
        let atomics: Vec<Code> = (Code::ALL.into_iter())
            .filter(|code| code.is_atomic())
            .collect();
        let code = self.pick(&atomics);
        let mut operands = Vec::new();
        for (number, mode) in code.modes().iter().enumerate() {
            operands.push(match mode {
                Mode::OutI => self.target(Class::Wide),
                Mode::Atomic => Operand::Memory(self.memory(Class::Wide, false)),
                Mode::Order => {
                    let orders = (0..6).filter(|&order| {
                        Order::from_number(order).is_some_and(|order| order.suits(code, number))
                    });
                    let orders: Vec<i64> = orders.map(u64::cast_signed).collect();
                    Operand::Number(self.pick(&orders))
                }
                _ => self.value(Class::Wide),
            });
        }
        let out = operands.remove(0);
        Stmt::Insn {
            code,
            out,
            ins: operands,
            odd: false,
        }
    }

    fn undefined(&mut self) -> Undefined {
        let (a, b) = (self.random.usize(..4), self.random.usize(..4));
        let place = self.place(Class::Wide);
        match self.random.usize(..9) {
            0..3 => Undefined::Copy(a, b),
            3 => Undefined::Define(a, place),
            4 => Undefined::Add(a, b),
            5 => Undefined::Call(a, b),
            6 => Undefined::Read(a, place),
            7 => Undefined::CopyDouble(a, b),
            _ => Undefined::CompareDoubles(a, b, place),
        }
    }

    fn insn(&mut self) -> Stmt {
        let computing = self.computing.clone();
        let mut code = self.pick(&computing);
        // Long doubles are slow and of less interest.
        if code
            .modes()
            .iter()
            .any(|mode| class_of(*mode) == Class::Long)
            && !self.one_in(4)
        {
            code = self.pick(&computing);
        }
        let ins = self.inputs(code);
        let out = self.output(code);
        let odd = divides(code) && !(self.faults && self.one_in(4));
        Stmt::Insn {
            code,
            out,
            ins,
            odd,
        }
    }

    fn overflow(&mut self) -> Stmt {
        let overflowing = self.overflowing.clone();
        let code = self.pick(&overflowing);
        let ins = self.inputs(code);
        let out = self.output(code);
        let mut tests = Vec::new();
        if code.flags().contains(Flags::SETS_SIGNED) {
            tests.extend([Code::Bo, Code::Bno]);
        }
        if code.flags().contains(Flags::SETS_UNSIGNED) {
            tests.extend([Code::Ubo, Code::Ubno]);
        }
        let test = self.pick(&tests);
        let copy = self.one_in(3).then(|| {
            let class = self.pick(&[Class::Wide, Class::Short]);
            (self.place(class), self.place(class))
        });
        Stmt::Overflow {
            code,
            out,
            ins,
            copy,
            test,
            arms: [self.body(), self.body()],
        }
    }

    fn counted_loop(&mut self) -> Stmt {
        let form = self.pick(&[
            Form::Up,
            Form::Down,
            Form::Before,
            Form::Short,
            Form::Extended,
        ]);
        let (times, most) = if self.one_in(4) {
            (Operand::Variable(self.place(Class::Wide)), 7)
        } else {
            let most = 1 + self.random.usize(..20);
            (Operand::Number(i64::try_from(most).unwrap_or(1)), most)
        };
        if self.cost + 15 * self.iterations * most > FUNCTION_COST {
            return self.insn();
        }
        self.iterations *= most;
        self.loops += 1;
        let body = self.body();
        self.loops -= 1;
        self.iterations /= most;
        Stmt::Loop { form, times, body }
    }

    fn call(&mut self) -> Option<Stmt> {
        if self.callees.is_empty() {
            return None;
        }
        let chosen = self.random.usize(..self.callees.len());
        let callee = &self.callees[chosen];
        let cost = callee.cost * self.iterations;
        if self.cost + cost > PROGRAM_COST {
            return None;
        }
        self.cost += cost;
        let number = callee.number;
        let (results, arguments) = (callee.results.clone(), callee.arguments.clone());
        let outs = results.iter().map(|ty| self.target(Class::of(ty)));
        let outs = outs.collect();
        let ins = arguments.iter().map(|argument| match argument {
            Argument::Value(ty, _) => self.value_of(ty),
            Argument::Block(..) => Operand::Block(self.random.usize(..12)),
        });
        let ins = ins.collect();
        let kind = self.pick(&[CallKind::Call, CallKind::Inline, CallKind::Indirect]);
        Some(Stmt::Call {
            callee: number,
            kind,
            outs,
            ins,
        })
    }

    fn stack(&mut self) -> Stmt {
        self.cost += 130 * self.iterations;
        let size = self.one_in(2).then(|| self.place(Class::Wide));
        let scoped = self.one_in(2);
        self.stacks += 1;
        let body = self.body();
        self.stacks -= 1;
        Stmt::Stack { size, scoped, body }
    }
}

/// Returns the type name of a class of floats.
fn float_type(class: Class) -> &'static str {
    match class {
        Class::Float => "f",
        Class::Double => "d",
        _ => "ld",
    }
}
