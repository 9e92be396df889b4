//! Random signatures, the same in the build script that writes the C side and in the tests.
//!
//! The C types of a signature's types are stated here by the front end's rules (a block's class
//! names the classification of its words), independently of the code under test.

mod c_side;

pub use c_side::source as c_side;

use fastrand::Rng;

/// A type of one argument or result, as its word in the IR and as a C type.
#[derive(Clone, Debug)]
pub struct Type {
    /// The name of the IR type.
    pub ir: &'static str,
    /// The C type; for a block, the members of a structure.
    pub c: String,
    /// The size in bytes.
    pub size: usize,
}

/// The kind of the return value in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// No result.
    Nothing,
    /// One scalar.
    Scalar,
    /// A structure with one member per result, returned in registers.
    Structure,
    /// `_Complex long double`.
    Complex,
    /// A large structure: the first argument is an `rblk`.
    Memory,
    /// This many results in a structure or as a scalar, the others in the area of further results.
    Further(usize),
}

/// One signature.
#[derive(Clone, Debug)]
pub struct Signature {
    /// All arguments, variable ones included.
    pub arguments: Vec<Type>,
    /// The results.
    pub results: Vec<Type>,
    /// The kind of the return value in C.
    pub returned: Returned,
    /// For a variadic function, the number of named arguments.
    pub variadic: Option<usize>,
}

impl Signature {
    /// Returns the offset of each argument in a buffer of all, then the length of the buffer.
    #[must_use]
    pub fn offsets(&self) -> Vec<usize> {
        let mut offsets = vec![0];
        let mut end = 0;
        for argument in &self.arguments {
            end += argument.size.max(1).next_multiple_of(16);
            offsets.push(end);
        }
        offsets
    }
}

/// Returns one of the elements.
fn pick<T: Clone>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())].clone()
}

/// The number of signatures.
pub const COUNT: usize = 240;

/// Returns the signatures of this seed for an architecture, as Rust names it.
#[must_use]
pub fn signatures(seed: u64, arch: &str) -> Vec<Signature> {
    let mut random = Rng::with_seed(seed);
    (0..COUNT).map(|_| signature(&mut random, arch)).collect()
}

fn scalar(ir: &'static str) -> Type {
    let (c, size) = match ir {
        "i8" => ("int8_t", 8),
        "u8" => ("uint8_t", 8),
        "i16" => ("int16_t", 8),
        "u16" => ("uint16_t", 8),
        "i32" => ("int32_t", 8),
        "u32" => ("uint32_t", 8),
        "i64" => ("int64_t", 8),
        "u64" => ("uint64_t", 8),
        "f" => ("float", 4),
        "d" => ("double", 8),
        "ld" => ("long double", 16),
        _ => ("void *", 8),
    };
    Type {
        ir,
        c: c.to_owned(),
        size,
    }
}

const INTEGERS: [&str; 9] = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "p"];

fn block(random: &mut Rng, arch: &str) -> Type {
    let of = |ir, c: &str, size| Type {
        ir,
        c: c.to_owned(),
        size,
    };
    let bytes = |ir, size: usize| of(ir, &format!("char c[{size}];"), size);
    match arch {
        "x86_64" => match random.usize(..5) {
            0 => bytes("blk0", 17 + random.usize(..80)),
            1 => bytes("blk1", 1 + random.usize(..16)),
            2 => pick(
                random,
                &[
                    of("blk2", "float a;", 4),
                    of("blk2", "double a;", 8),
                    of("blk2", "float a, b, c;", 12),
                    of("blk2", "double a, b;", 16),
                ],
            ),
            3 => pick(
                random,
                &[
                    of("blk3", "long a; double b;", 16),
                    of("blk3", "int a, b; float c;", 12),
                ],
            ),
            _ => pick(
                random,
                &[
                    of("blk4", "double a; long b;", 16),
                    of("blk4", "float a, b; int c;", 12),
                ],
            ),
        },
        "riscv64" if random.usize(..4) == 0 => of("blk1", "_Alignas(16) char c[16];", 16),
        "s390x" => {
            let size = 1 + random.usize(..40);
            let size = if size.is_power_of_two() { 3 } else { size };
            bytes("blk0", size)
        }
        _ => {
            let most = if random.usize(..2) == 0 { 16 } else { 100 };
            bytes("blk0", 1 + random.usize(..most))
        }
    }
}

fn argument(random: &mut Rng, arch: &str) -> Type {
    match random.usize(..12) {
        0..4 => scalar(pick(random, &INTEGERS)),
        4..6 => scalar("d"),
        6..8 => scalar("f"),
        8 | 9 => scalar("ld"),
        _ => block(random, arch),
    }
}

fn variable_argument(random: &mut Rng, arch: &str) -> Type {
    match random.usize(..6) {
        0 | 1 => scalar("i64"),
        2 | 3 => scalar("d"),
        4 => scalar("ld"),
        _ => block(random, arch),
    }
}

/// Returns a list of results that C can return as a structure, if the architecture has one.
fn structure(random: &mut Rng, arch: &str) -> Option<Vec<&'static str>> {
    Some(match arch {
        "x86_64" => pick(
            random,
            &[
                vec!["i64", "u64"],
                vec!["d", "d"],
                vec!["i64", "d"],
                vec!["d", "i64"],
            ],
        ),
        "aarch64" => pick(
            random,
            &[
                vec!["i64", "u64"],
                vec!["f", "f", "f"],
                vec!["d", "d", "d", "d"],
                vec!["ld", "ld"],
            ],
        ),
        "powerpc64" => pick(
            random,
            &[
                vec!["i64", "u64"],
                vec!["f"; 8],
                vec!["d", "d", "d", "d", "d"],
                vec!["ld", "ld"],
            ],
        ),
        "riscv64" => pick(
            random,
            &[
                vec!["i64", "u64"],
                vec!["f", "f"],
                vec!["d", "d"],
                vec!["i64", "d"],
                vec!["f", "i32"],
            ],
        ),
        _ => return None,
    })
}

/// Returns more results than the architecture's registers hold, with the number that C returns in
/// registers.
fn further(random: &mut Rng, arch: &str) -> Option<(Vec<&'static str>, usize)> {
    Some(match arch {
        "x86_64" => pick(
            random,
            &[
                (vec!["i64", "i64", "i8", "u32"], 2),
                (vec!["d", "d", "f", "d"], 2),
            ],
        ),
        "riscv64" => pick(
            random,
            &[
                (vec!["i64", "i64", "u32", "i16"], 2),
                (vec!["d", "d", "f", "d"], 2),
                (vec!["ld", "i64", "ld"], 1),
            ],
        ),
        "s390x" => pick(
            random,
            &[
                (vec!["u8", "ld"], 1),
                (vec!["d", "ld", "ld"], 1),
                (vec!["ld"], 0),
                (vec!["ld", "ld", "ld"], 0),
            ],
        ),
        _ => return None,
    })
}

fn results(random: &mut Rng, arch: &str) -> (Vec<Type>, Returned) {
    let all = |names: Vec<&'static str>| names.into_iter().map(scalar).collect();
    match random.usize(..8) {
        0 => (Vec::new(), Returned::Nothing),
        1 => (Vec::new(), Returned::Memory),
        2 if arch == "x86_64" => (all(vec!["ld", "ld"]), Returned::Complex),
        3 => match further(random, arch) {
            Some((names, count)) => (all(names), Returned::Further(count)),
            None => (Vec::new(), Returned::Memory),
        },
        4 | 5 => match structure(random, arch) {
            Some(names) => (all(names), Returned::Structure),
            None => (Vec::new(), Returned::Nothing),
        },
        _ => {
            let integer = pick(random, &INTEGERS);
            let name = pick(random, &["f", "d", "ld", integer]);
            if name == "ld" && arch == "s390x" {
                return (Vec::new(), Returned::Nothing);
            }
            (vec![scalar(name)], Returned::Scalar)
        }
    }
}

fn signature(random: &mut Rng, arch: &str) -> Signature {
    let (results, returned) = results(random, arch);
    let variadic = random.usize(..3) == 0;
    let mut arguments = Vec::new();
    if returned == Returned::Memory {
        let size = 40 + 8 * random.usize(..8);
        arguments.push(Type {
            ir: "rblk",
            c: format!("char c[{size}];"),
            size,
        });
    }
    let most = pick(random, &[3, 8, 14, 24]);
    let named = random.usize(..most);
    arguments.extend((0..named).map(|_| argument(random, arch)));
    if !variadic {
        return Signature {
            arguments,
            results,
            returned,
            variadic: None,
        };
    }
    arguments.push(scalar("i64"));
    let named = arguments.len();
    arguments.extend((0..random.usize(..16)).map(|_| variable_argument(random, arch)));
    Signature {
        arguments,
        results,
        returned,
        variadic: Some(named),
    }
}
