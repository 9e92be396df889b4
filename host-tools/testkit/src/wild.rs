//! Generates wild programs: verified modules that do what they like, to be run confined.
//!
//! Unlike [`crate::programs`] they may access any address, call any value, jump to any value and
//! use what was never written. How wild one is varies, so that many of them get far before they
//! fault. Only not-a-numbers are kept out of memory: their bits are the processor's.

use core::fmt::Write;
use fastrand::Rng;
use mir_nostd::ir::{Code, Flags, Mode};

/// A wild program, and what it is run with.
#[derive(Clone, Debug)]
pub struct Wild {
    /// The module: it exports `main`, of two integers, and imports `change` and `fail`.
    pub text: String,
    /// The bytes of the program's memory, and the offset of its start from a multiple of 16.
    pub bytes: usize,
    /// See above.
    pub offset: usize,
    /// The bytes of its stack, if they are chosen.
    pub stack: Option<u64>,
    /// True if it is granted windows.
    pub windows: bool,
    /// True if addresses are masked.
    pub masks: bool,
    /// The fuel of each call.
    pub fuel: u64,
    /// The arguments of the calls of `main`, one after the other.
    pub calls: Vec<[i64; 2]>,
}

/// The address of the first window; the second one is [`WINDOW_STEP`] above.
pub const WINDOW: i64 = 1 << 33;

/// The distance between windows.
pub const WINDOW_STEP: i64 = 64;

/// The bytes of each window.
pub const WINDOW_BYTES: usize = 40;

/// The most functions of a program besides `main`.
const FUNCTIONS: usize = 4;

const SCALARS: [&str; 12] = [
    "i64", "i8", "u8", "i16", "u16", "i32", "u32", "u64", "p", "d", "f", "ld",
];
const INTEGERS: [&str; 9] = ["i64", "i8", "u8", "i16", "u16", "i32", "u32", "u64", "p"];
const BLOCKS: [&str; 6] = ["blk", "blk1", "blk2", "blk3", "blk4", "rblk"];
const BLOCK_SIZES: [usize; 9] = [0, 1, 7, 8, 13, 16, 24, 64, 100];

/// The kind of value that an operand has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Int,
    Float,
    Double,
    Long,
}

impl Class {
    const fn of(mode: Mode) -> Option<Class> {
        Some(match mode {
            Mode::I | Mode::OutI => Class::Int,
            Mode::F | Mode::OutF => Class::Float,
            Mode::D | Mode::OutD => Class::Double,
            Mode::L | Mode::OutL => Class::Long,
            _ => return None,
        })
    }

    fn of_type(ty: &str) -> Class {
        match ty {
            "f" => Class::Float,
            "d" => Class::Double,
            "ld" => Class::Long,
            _ => Class::Int,
        }
    }

    /// Returns the type, the prefix of instructions and that of variables.
    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Class::Int => ("i64", "", "i"),
            Class::Float => ("f", "f", "f"),
            Class::Double => ("d", "d", "d"),
            Class::Long => ("ld", "ld", "l"),
        }
    }
}

/// An argument: its type, and the size of a block.
type Argument = (&'static str, Option<usize>);

#[derive(Clone)]
struct Signature {
    results: Vec<&'static str>,
    arguments: Vec<Argument>,
    is_vararg: bool,
}

impl Signature {
    fn text(&self) -> String {
        let results = self.results.iter().map(|ty| (*ty).to_owned());
        let arguments = self.arguments.iter().enumerate();
        let arguments = arguments.map(|(number, (ty, size))| match size {
            Some(size) => format!("{ty}:{size}(a{number})"),
            None => format!("{ty}:a{number}"),
        });
        let dots = self.is_vararg.then(|| "...".to_owned());
        let all: Vec<String> = results.chain(arguments).chain(dots).collect();
        all.join(", ")
    }
}

impl Wild {
    /// Returns the program of a number: the same everywhere.
    #[must_use]
    pub fn random(seed: u64) -> Wild {
        let mut random = Rng::with_seed(seed);
        let most = [64, 4096, 60_000, 60_000][random.usize(0..4)];
        let bytes = 4096 + random.usize(0..most);
        let windows = random.u8(0..3) == 0;
        let mut generator = Generator {
            wildness: [1, 3, 10, 40][random.usize(0..4)],
            bytes: bytes as i64,
            signatures: Vec::new(),
            computing: codes(|code| code.flags().is_empty() && is_computing(code)),
            overflowing: codes(|code| {
                let sets = Flags::SETS_SIGNED.union(Flags::SETS_UNSIGNED);
                code.flags().intersects(sets)
            }),
            branching: codes(|code| code.flags() == Flags::BRANCH && is_computing(code)),
            function: 0,
            labels: 0,
            next: 0,
            out: String::new(),
            random: &mut random,
        };
        let text = generator.module();
        let mut argument = || generator.constant();
        let calls = (0..3).map(|_| [argument(), argument()]).collect();
        Wild {
            text,
            bytes,
            offset: [0, 0, 1, 8][random.usize(0..4)],
            stack: (random.u8(0..4) == 0).then(|| random.u64(0..bytes as u64 / 2)),
            windows,
            masks: !windows && random.bool(),
            fuel: match random.u8(0..4) {
                0 => random.u64(0..1000),
                _ => 20_000,
            },
            calls,
        }
    }
}

fn codes(wanted: impl Fn(Code) -> bool) -> Vec<Code> {
    let all = Code::ALL.into_iter();
    all.filter(|&code| wanted(code)).collect()
}

/// True if all operands but the first are values.
fn is_computing(code: Code) -> bool {
    let modes = code.modes();
    let is_value = |mode: &Mode| matches!(mode, Mode::I | Mode::F | Mode::D | Mode::L);
    let first = |mode: &Mode| mode.is_output() || *mode == Mode::Label;
    modes.len() > 1
        && modes.first().is_some_and(first)
        && modes[1..].iter().all(is_value)
        && code != Code::Alloca
}

struct Generator<'r> {
    random: &'r mut Rng,
    /// The chance in a thousand that an operand is anything.
    wildness: u32,
    bytes: i64,
    /// The signatures of the functions, `main`'s last.
    signatures: Vec<Signature>,
    computing: Vec<Code>,
    overflowing: Vec<Code>,
    branching: Vec<Code>,
    /// The number of the function that is being generated.
    function: usize,
    /// The number of its labels that anything may refer to.
    labels: usize,
    /// The number of the next label of its own purpose.
    next: usize,
    out: String,
}

/// Appends a line.
macro_rules! line {
    ($self:ident, $($rest:tt)*) => {{
        let text = format!($($rest)*);
        let _ = writeln!($self.out, "{text}");
    }};
}

impl Generator<'_> {
    fn chance(&mut self, in_thousand: u32) -> bool {
        self.random.u32(0..1000) < in_thousand
    }

    fn is_wild(&mut self) -> bool {
        self.chance(self.wildness)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.usize(0..of.len())]
    }

    fn module(&mut self) -> String {
        let count = self.random.usize(1..=FUNCTIONS);
        for _ in 0..count {
            let signature = self.signature();
            self.signatures.push(signature);
        }
        self.signatures.push(Signature {
            results: vec!["i64"],
            arguments: vec![("i64", None), ("i64", None)],
            is_vararg: false,
        });
        self.out = "m: module\nimport change\nimport fail\nexport main\n\
                    p_change: proto i64, i64:a0, i64:a1\np_fail: proto i64, i64:a0\n"
            .to_owned();
        for number in 0..=count {
            let text = self.signatures[number].text();
            line!(self, "proto{number}: proto {text}");
            line!(self, "forward {}", self.name(number));
        }
        self.items();
        for number in 0..=count {
            self.function(number);
        }
        line!(self, "endmodule");
        core::mem::take(&mut self.out)
    }

    /// Returns the name of a function: the last one is called from outside.
    fn name(&self, number: usize) -> String {
        match number + 1 == self.signatures.len() {
            true => "main".into(),
            false => format!("func{number}"),
        }
    }

    /// Returns the name of some function.
    fn function_name(&mut self) -> String {
        let number = self.random.usize(0..self.signatures.len());
        self.name(number)
    }

    fn signature(&mut self) -> Signature {
        let mut results = Vec::new();
        if self.chance(850) {
            results.push(self.pick(&SCALARS));
        }
        let mut arguments = Vec::new();
        for _ in 0..self.random.usize(0..5) {
            arguments.push(match self.random.u8(0..4) {
                0 => (self.pick(&BLOCKS), Some(self.pick(&BLOCK_SIZES))),
                _ => (self.pick(&SCALARS), None),
            });
        }
        let is_vararg = !arguments.is_empty() && self.chance(300);
        Signature {
            results,
            arguments,
            is_vararg,
        }
    }

    /// Emits data: bytes, words, addresses, and a value that a function computes.
    fn items(&mut self) {
        line!(self, "bytes: bss {}", self.random.usize(64..300));
        let words: Vec<String> = (0..6).map(|_| self.constant().to_string()).collect();
        line!(self, "words: i64 {}", words.join(", "));
        line!(self, "shorts: i16 1, -2, 3, -4");
        line!(self, "text: string \"wild\"");
        let count = self.signatures.len();
        for number in 0..count {
            let name = if number == 0 { "refs:" } else { "" };
            line!(self, "{name} ref {}, 0", self.name(number));
        }
        line!(self, " ref words, {}", self.random.i64(-8..80));
        line!(self, " ref change, {}", if self.is_wild() { 16 } else { 0 });
        let ty = self.pick(&INTEGERS);
        let (a, b) = (self.constant(), self.constant().max(1));
        let code = self.pick(&["add", "mul", "xors", "subs", "lsh", "div"]);
        line!(
            self,
            "compute: func {ty}\nlocal i64:r\nmov r, {a}\n{code} r, r, {b}\nret r\nendfunc"
        );
        line!(self, "value: expr compute");
    }

    /// Returns an integer at some edge, or one that means something to the program.
    fn constant(&mut self) -> i64 {
        let near = self.random.i64(-17..18);
        match self.random.u8(0..12) {
            0 => near,
            1 => self.random.i64(0..100),
            2 => 4096 + near,
            3 => 4096 + self.bytes + near,
            4 => 4096 + self.random.i64(0..self.bytes),
            5 => (1 << 40) + 16 * self.random.i64(0..8) + self.random.i64(0..20) / 19,
            6 => (1 << 41) + 16 * self.random.i64(0..8) + self.random.i64(0..20) / 19,
            7 => WINDOW + WINDOW_STEP * self.random.i64(0..2) + self.random.i64(-1..41),
            8 => self.pick(&[i64::MAX, i64::MIN, -1, 0, 1, i64::MIN + 4096]),
            9 => self.pick(&[1 << 31, (1 << 31) - 1, -1 << 31, 0xFFFF_FFFF, 1 << 32]) + near / 17,
            10 => self.random.i64(i64::MIN..=i64::MAX),
            _ => 1_i64.wrapping_shl(self.random.u32(0..64)),
        }
    }

    fn function(&mut self, number: usize) {
        self.function = number;
        self.labels = self.random.usize(1..8);
        self.next = 0;
        let signature = self.signatures[number].clone();
        line!(self, "{}: func {}", self.name(number), signature.text());
        line!(
            self,
            "local i64:i0, i64:i1, i64:i2, i64:i3, i64:p0, i64:p1, i64:v0, i64:v1, i64:list, \
             i64:start, i64:h, f:f0, f:f1, d:d0, d:d1, ld:l0, ld:l1"
        );
        for _ in 0..2 {
            self.set_pointer();
        }
        if signature.is_vararg {
            line!(self, "alloca list, 32\nva_start list");
        }
        for label in 0..self.labels {
            for _ in 0..self.random.usize(0..7) {
                self.statement();
            }
            line!(self, "L{number}_{label}:");
        }
        for _ in 0..self.random.usize(0..4) {
            self.statement();
        }
        match self.is_wild() {
            // A function may run off its end.
            true => line!(self, "mov i0, i1"),
            false => self.ret(),
        }
        line!(self, "endfunc");
        if self.chance(400) {
            let (a, b) = (self.label(), self.label());
            let from = if self.chance(300) {
                format!(", {b}")
            } else {
                String::new()
            };
            line!(self, "place{number}: lref {a}{from}");
        }
    }

    fn label(&mut self) -> String {
        let label = self.random.usize(0..self.labels);
        format!("L{}_{label}", self.function)
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("N{}_{}", self.function, self.next)
    }

    fn ret(&mut self) {
        let results = self.signatures[self.function].results.clone();
        let values: Vec<String> = results
            .iter()
            .map(|ty| self.value(Class::of_type(ty)))
            .collect();
        line!(self, "ret {}", values.join(", "));
    }

    /// Returns a variable of a class: a local one, or an argument.
    fn variable(&mut self, class: Class) -> String {
        let arguments = &self.signatures[self.function].arguments;
        let fitting: Vec<usize> = (0..arguments.len())
            .filter(|&number| {
                arguments[number].1.is_none() && Class::of_type(arguments[number].0) == class
            })
            .collect();
        if !fitting.is_empty() && self.chance(250) {
            return format!("a{}", self.pick(&fitting));
        }
        let prefix = class.names().2;
        match class {
            Class::Int => match self.random.u8(0..8) {
                0 => self.pick(&["v0", "v1"]).to_owned(),
                1 if self.is_wild() => self.pick(&["list", "start", "p0"]).to_owned(),
                _ => format!("{prefix}{}", self.random.u8(0..4)),
            },
            _ => format!("{prefix}{}", self.random.u8(0..2)),
        }
    }

    /// Returns the name of something with a value.
    fn item(&mut self) -> String {
        match self.random.u8(0..6) {
            0 => "bytes".into(),
            1 => self
                .pick(&["words", "shorts", "text", "refs", "value"])
                .into(),
            2 => self.pick(&["change", "fail"]).into(),
            _ => self.function_name(),
        }
    }

    fn value(&mut self, class: Class) -> String {
        if class != Class::Int {
            let suffix = match class {
                Class::Float => "f",
                Class::Long => "L",
                _ => "",
            };
            return match self.random.u8(0..4) {
                0 => {
                    let value = self.pick(&["0.0", "1.5", "-2.25", "1e10", "-0.0", "1e30", "3.0"]);
                    format!("{value}{suffix}")
                }
                _ => self.variable(class),
            };
        }
        match self.random.u8(0..20) {
            0..=4 => self.constant().to_string(),
            5 => self.random.i64(0..9).to_string(),
            6 => self.pick(&["p0", "p1", "v0"]).to_owned(),
            7 => self.item(),
            8 => {
                let ty = self.random_integer();
                self.memory(ty)
            }
            _ => self.variable(Class::Int),
        }
    }

    fn random_integer(&mut self) -> &'static str {
        self.pick(&INTEGERS)
    }

    /// Returns a memory operand of a type; most are in bounds.
    fn memory(&mut self, ty: &str) -> String {
        if self.is_wild() {
            let address = self.constant();
            return match self.random.u8(0..4) {
                0 => format!("{ty}:{address}"),
                1 => format!(
                    "{ty}:{}({})",
                    self.random.i64(-9..9),
                    self.variable(Class::Int)
                ),
                2 => {
                    let (base, index) = (self.variable(Class::Int), self.variable(Class::Int));
                    let scale = self.pick(&[0, 1, 2, 3, 4, 8, 16, 255]);
                    format!("{ty}:{address}({base}, {index}, {scale})")
                }
                _ => format!("{ty}:{address}({})", self.variable(Class::Int)),
            };
        }
        let base = self.pick(&["p0", "p1"]);
        match self.random.u8(0..5) {
            0 => format!("{ty}:{}", 4096 + self.random.i64(0..=self.bytes - 16)),
            1 => {
                let scale = self.pick(&[1, 2, 3, 4, 8]);
                line!(self, "and h, {}, 7", self.variable(Class::Int));
                format!("{ty}:{}({base}, h, {scale})", self.random.i64(0..16))
            }
            2 => format!("{ty}:({base})"),
            _ => format!("{ty}:{}({base})", self.random.i64(0..48)),
        }
    }

    /// Lets a pointer point to something.
    fn set_pointer(&mut self) {
        let pointer = self.pick(&["p0", "p1"]);
        match self.random.u8(0..8) {
            0 => line!(
                self,
                "mov {pointer}, {}",
                4096 + self.random.i64(0..self.bytes - 64)
            ),
            1 => line!(self, "addr {pointer}, {}", self.pick(&["v0", "v1"])),
            2 => {
                let code = self.pick(&["addr8", "addr16", "addr32"]);
                line!(self, "{code} {pointer}, {}", self.pick(&["v0", "v1"]));
            }
            3 => line!(self, "alloca {pointer}, {}", self.random.i64(0..200)),
            4 => {
                let room = self.bytes - 64;
                line!(
                    self,
                    "umod h, {}, {room}\nadd {pointer}, h, 4096",
                    self.variable(Class::Int)
                );
            }
            5 if self.is_wild() => line!(self, "mov {pointer}, {}", self.variable(Class::Int)),
            _ => {
                let name = self.pick(&["bytes", "bytes", "words", "refs", "value"]);
                line!(self, "mov {pointer}, {name}");
            }
        }
    }

    fn statement(&mut self) {
        match self.random.u8(0..40) {
            0..=9 => self.compute(),
            10..=12 => self.load(),
            13..=16 => self.store(),
            17..=19 => self.branch(),
            20 | 21 => self.overflow(),
            22 | 23 => self.set_pointer(),
            24..=29 => self.call(),
            30 => self.call_import(),
            31 => self.stack(),
            32 => self.jump(),
            33 => self.switch(),
            34 | 35 => self.list(),
            36 => self.extend(),
            37 if self.chance(200) => self.ret(),
            38 => self.integers(),
            _ => self.block_loop(),
        }
    }

    /// Emits an instruction that computes: its result goes to a variable, or to memory.
    fn compute(&mut self) {
        let code = self.pick(&self.computing.clone());
        self.emit(code);
    }

    fn emit(&mut self, code: Code) {
        let modes = code.modes();
        let divides = code.name().contains("div") || code.name().contains("mod");
        let mut operands = Vec::new();
        let mut guard = None;
        for (index, &mode) in modes.iter().enumerate().rev() {
            let class = Class::of(mode).unwrap_or(Class::Int);
            operands.push(match mode {
                mode if mode.is_output() && class == Class::Int && self.chance(120) => {
                    let ty = self.random_integer();
                    self.memory(ty)
                }
                mode if mode.is_output() => self.variable(class),
                Mode::Label if self.chance(700) => {
                    let label = self.fresh();
                    guard = Some(label.clone());
                    label
                }
                Mode::Label => self.label(),
                _ if divides && index == 2 && class == Class::Int && !self.is_wild() => {
                    self.random.i64(1..50).to_string()
                }
                _ => self.value(class),
            });
        }
        operands.reverse();
        line!(self, "{} {}", code.name(), operands.join(", "));
        if let Some(label) = guard {
            for _ in 0..self.random.usize(0..3) {
                self.compute();
            }
            line!(self, "{label}:");
        }
    }

    /// Emits instructions on the low halves of integers, and reads the whole.
    fn integers(&mut self) {
        let code = self.pick(&[
            "adds", "muls", "subs", "lshs", "urshs", "negs", "xors", "ands",
        ]);
        let (to, a) = (self.variable(Class::Int), self.value(Class::Int));
        match code {
            "negs" => line!(self, "{code} {to}, {a}"),
            _ => line!(self, "{code} {to}, {a}, {}", self.value(Class::Int)),
        }
        let copy = self.variable(Class::Int);
        line!(self, "mov {copy}, {to}");
        let other = self.variable(Class::Int);
        line!(self, "ursh {other}, {copy}, 16");
    }

    fn load(&mut self) {
        let ty = self.pick(&SCALARS);
        let class = Class::of_type(ty);
        // Whatever is in memory may be no long double at all.
        let (ty, class) = match class {
            Class::Long => ("i64", Class::Int),
            class => (ty, class),
        };
        let to = self.variable(class);
        let from = self.memory(ty);
        line!(self, "{}mov {to}, {from}", class.names().1);
    }

    fn store(&mut self) {
        let ty = self.pick(&SCALARS);
        let class = Class::of_type(ty);
        let prefix = class.names().1;
        if class == Class::Int {
            let (value, to) = (self.value(class), self.memory(ty));
            return line!(self, "mov {to}, {value}");
        }
        let (value, to) = (self.variable(class), self.memory(ty));
        let label = self.fresh();
        line!(self, "{prefix}bne {label}, {value}, {value}");
        line!(self, "{prefix}mov {to}, {value}\n{label}:");
    }

    fn branch(&mut self) {
        if self.chance(100) {
            let label = self.label();
            return line!(self, "jmp {label}");
        }
        let code = self.pick(&self.branching.clone());
        self.emit(code);
    }

    fn overflow(&mut self) {
        let code = self.pick(&self.overflowing.clone());
        self.emit(code);
        let (signed, unsigned) = (
            code.flags().contains(Flags::SETS_SIGNED),
            code.flags().contains(Flags::SETS_UNSIGNED),
        );
        let branch = match (signed, unsigned) {
            (true, true) => self.pick(&["bo", "bno", "ubo", "ubno"]),
            (true, false) => self.pick(&["bo", "bno"]),
            _ => self.pick(&["ubo", "ubno"]),
        };
        let label = self.fresh();
        line!(self, "{branch} {label}");
        self.compute();
        line!(self, "{label}:");
    }

    fn extend(&mut self) {
        let code = self.pick(&["ext8", "ext16", "ext32", "uext8", "uext16", "uext32"]);
        let (to, from) = (self.variable(Class::Int), self.value(Class::Int));
        line!(self, "{code} {to}, {from}");
    }

    /// Returns a value to call: a function, the value of one, or anything.
    fn callee(&mut self, number: usize) -> String {
        match self.random.u8(0..6) {
            0 => {
                line!(self, "mov h, refs\nmov h, i64:{}(h)", 8 * number);
                "h".into()
            }
            1 => {
                // Two imports and the function that computes a value come first.
                line!(self, "mov h, {}", (1_i64 << 40) + 16 * (number as i64 + 3));
                "h".into()
            }
            2 if self.is_wild() => {
                line!(self, "mov h, {}", self.constant());
                "h".into()
            }
            3 if self.is_wild() => self.variable(Class::Int),
            4 if self.is_wild() => self.function_name(),
            5 if self.is_wild() => self.constant().to_string(),
            _ => self.name(number),
        }
    }

    fn call(&mut self) {
        // Most calls go to functions before, so that most programs come back.
        let end = match self.function > 0 && self.chance(900) {
            true => self.function,
            false => self.signatures.len(),
        };
        let number = self.random.usize(0..end);
        let signature = self.signatures[number].clone();
        let callee = self.callee(number);
        let mut operands = vec![callee];
        for ty in &signature.results {
            let class = Class::of_type(ty);
            operands.push(match class {
                Class::Int if self.chance(150) => {
                    let ty = self.random_integer();
                    self.call_memory(ty)
                }
                _ => self.variable(class),
            });
        }
        for &(ty, size) in &signature.arguments {
            let operand = match size {
                Some(size) => self.block(ty, size),
                None => self.call_value(Class::of_type(ty)),
            };
            operands.push(operand);
        }
        if signature.is_vararg {
            for _ in 0..self.random.usize(0..5) {
                let operand = match self.random.u8(0..6) {
                    0 => self.pick(&["1.5", "-3.0", "1e100"]).to_owned(),
                    1 => {
                        let size = self.pick(&BLOCK_SIZES);
                        let ty = self.pick(&BLOCKS[..5]);
                        self.block(ty, size)
                    }
                    _ => self.call_value(Class::Int),
                };
                operands.push(operand);
            }
        }
        let code = if self.chance(200) { "inline" } else { "call" };
        line!(self, "{code} proto{number}, {}", operands.join(", "));
    }

    /// Returns an argument; no instruction may come between what a call needs.
    fn call_value(&mut self, class: Class) -> String {
        match (class, self.random.u8(0..6)) {
            (Class::Int, 0) => self.constant().to_string(),
            (Class::Int, 1) => self.call_memory("i32"),
            (Class::Int, 2) => self.pick(&["p0", "p1"]).to_owned(),
            _ => self.variable(class),
        }
    }

    fn call_memory(&mut self, ty: &str) -> String {
        format!(
            "{ty}:{}({})",
            self.random.i64(0..32),
            self.pick(&["p0", "p1"])
        )
    }

    fn block(&mut self, ty: &str, size: usize) -> String {
        let base = match self.is_wild() {
            true => self.variable(Class::Int),
            false => self.pick(&["p0", "p1"]).to_owned(),
        };
        format!("{ty}:{size}({base})")
    }

    fn call_import(&mut self) {
        let to = self.variable(Class::Int);
        if self.is_wild() {
            return line!(self, "call p_fail, fail, {to}, {}", self.constant());
        }
        let (at, count) = match self.is_wild() {
            true => (self.variable(Class::Int), self.constant()),
            false => ("p0".into(), self.random.i64(0..40)),
        };
        let callee = match self.chance(300) {
            true => (1_i64 << 40) + self.random.i64(0..2) * 16,
            false => 0,
        };
        match callee {
            0 => line!(self, "call p_change, change, {to}, {at}, {count}"),
            _ => line!(self, "mov h, change\ncall p_change, h, {to}, {at}, {count}"),
        }
    }

    /// Emits uses of the stack: areas that are given back, in the right order or not.
    fn stack(&mut self) {
        match self.random.u8(0..6) {
            0 => line!(self, "bstart start"),
            1 if self.is_wild() => line!(self, "bend start"),
            2 if self.is_wild() => line!(self, "bend {}", self.value(Class::Int)),
            3 if self.is_wild() => {
                let to = self.variable(Class::Int);
                line!(self, "alloca {to}, {}", self.value(Class::Int));
            }
            _ => {
                let to = self.variable(Class::Int);
                line!(
                    self,
                    "bstart start\nalloca {to}, {}",
                    self.random.i64(0..64)
                );
                line!(self, "mov u16:2({to}), {}", self.variable(Class::Int));
                line!(self, "bend start");
            }
        }
    }

    fn jump(&mut self) {
        if self.chance(300) {
            let label = self.label();
            line!(self, "laddr {}, {label}", self.variable(Class::Int));
        }
        if self.is_wild() {
            line!(self, "jmpi {}", self.value(Class::Int));
        } else if self.chance(300) {
            let label = self.label();
            line!(self, "laddr h, {label}\njmpi h");
        }
    }

    fn switch(&mut self) {
        let count = self.random.usize(1..5);
        let (label, index) = (self.fresh(), self.variable(Class::Int));
        line!(self, "ubge {label}, {index}, {count}");
        let labels: Vec<String> = (0..count).map(|_| self.label()).collect();
        line!(self, "switch {index}, {}\n{label}:", labels.join(", "));
        if self.is_wild() {
            let label = self.label();
            line!(self, "switch {}, {label}", self.variable(Class::Int));
        }
    }

    /// Emits uses of a list of variable arguments: the right one, or a forged one.
    fn list(&mut self) {
        if !self.signatures[self.function].is_vararg {
            if !self.is_wild() {
                return;
            }
            line!(
                self,
                "mov list, {}",
                self.pick(&["words", "p0", "bytes", "i0", "64"])
            );
        }
        let to = self.variable(Class::Int);
        match self.random.u8(0..8) {
            0 => {
                let size = self.pick(&BLOCK_SIZES);
                line!(
                    self,
                    "va_block_arg p0, list, {size}, {}",
                    self.random.u8(0..5)
                );
            }
            1 if self.is_wild() => {
                line!(
                    self,
                    "mov i64:{}(list), {}",
                    self.random.i64(0..24),
                    self.value(Class::Int)
                );
            }
            2 => line!(self, "va_end list"),
            3 if self.signatures[self.function].is_vararg => line!(self, "va_start list"),
            4 => line!(self, "va_arg {to}, list, d:0\nmov i1, i64:({to})"),
            5 => line!(self, "va_arg {to}, list, i32:0\nmov i1, i32:({to})"),
            _ => line!(self, "va_arg {to}, list, i64:0\nmov i0, i64:({to})"),
        }
    }

    /// Emits a loop over the bytes at a pointer.
    fn block_loop(&mut self) {
        let (again, count) = (self.fresh(), self.random.i64(1..40));
        let step = self.pick(&[1, 1, 2, 8]);
        let ty = self.random_integer();
        line!(self, "mov i3, 0\n{again}:");
        line!(
            self,
            "mov {ty}:(p0, i3, {step}), {}",
            self.variable(Class::Int)
        );
        line!(self, "add i2, i2, {}:(p1, i3, 1)", self.random_integer());
        line!(self, "add i3, i3, 1\nblt {again}, i3, {count}");
    }
}
