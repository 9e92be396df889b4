//! Programs that no compiler would write, at the limits of every field, of any size.
//!
//! [`TEXTS`] has families of texts, each of a given size, that take what they take in proportion to
//! their length. [`forged_module`] builds modules of anything through the interface of `ir`, and
//! [`with_numbers`] puts the numbers at the limits into the place of each number in the contents of
//! a binary file.

use core::fmt::Write;
use fastrand::Rng;
use mir_nostd::ir::{
    ArgSpec, Code, Error, FuncId, ItemId, Label, Mem, Module, Name, Operand, Reg, SignatureSpec,
    Str, Type,
};
use mir_nostd::mem::{Allocator, Entity};
use mir_nostd::target::Target;

/// Texts of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The subject of the family.
    pub name: &'static str,
    /// Makes one of a size.
    pub make: fn(usize) -> String,
    /// The sizes that are tried.
    pub sizes: [usize; 2],
    /// True if a function `run`, without arguments and with an integer as its result, may be run:
    /// it keeps to memory of its own.
    pub runs: bool,
}

macro_rules! families {
    ($($name:ident [$small:literal, $large:literal] $runs:literal;)*) => {
        /// All families.
        pub const TEXTS: &[Family] = &[$(Family {
            name: stringify!($name),
            make: $name,
            sizes: [$small, $large],
            runs: $runs,
        }),*];
    };
}
families! {
    endless_exprs [2, 8] true;
    equal_exprs [100, 400] true;
    long_names [1000, 4000] true;
    names_of_every_length [60, 120] true;
    many_exports [200, 800] true;
    many_modules [20, 80] true;
    many_variables [100, 400] true;
    many_arguments [50, 200] true;
    many_results [1, 4] false;
    many_labels [100, 400] true;
    tangled_labels [50, 200] true;
    small_loops [50, 200] true;
    live_across_branches [50, 200] true;
    wide_switches [50, 200] true;
    equal_targets [50, 200] true;
    many_operations [400, 1600] true;
    many_steps [400, 1600] true;
    many_dispatches [400, 1600] true;
    long_strings [1000, 4000] true;
    many_aliases [50, 200] true;
    doubling_calls [8, 32] true;
    endless_recursion [1, 4] true;
    endless_loops [1, 4] true;
    huge_stack [1, 4] true;
    huge_data [1, 4] false;
    huge_blocks [1, 4] false;
    other_signatures [1, 4] false;
    other_integers [8, 32] true;
    forged_lists [1, 4] false;
    labels_of_others [1, 4] false;
    jumps_nowhere [1, 4] false;
    edges_of_integers [1, 4] true;
    edges_of_addresses [1, 4] false;
    edges_of_properties [1, 4] true;
    hard_registers [4, 16] false;
}

/// Numbers at the limits of the fields that they may be put into.
pub const EDGES: [i64; 18] = [
    0,
    1,
    -1,
    127,
    128,
    -129,
    255,
    256,
    0x7FFF,
    0xFFFF,
    0x7FFF_FFFF,
    -0x8000_0000,
    -0x8000_0001,
    0xFFFF_FFFF,
    0x1_0000_0000,
    0x7FFF_FFFF_FFFF_FFF0,
    i64::MAX,
    i64::MIN,
];

/// A text of this size in which every line is one of a number.
fn lines(count: usize, mut line: impl FnMut(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

/// A module with these items, and a function `run` with these variables and instructions.
fn module(items: &str, variables: &str, body: &str) -> String {
    format!(
        "m: module\n{items}export run\nrun: func i64\nlocal i64:r{variables}\nmov r, 0\n{body}ret r\nendfunc\nendmodule\n"
    )
}

fn endless_exprs(count: usize) -> String {
    let items = "e: func i64\nl: jmp l\nret 0\nendfunc\n".to_owned();
    module(&(items + &lines(count, |_| "expr e".into())), "", "")
}

fn equal_exprs(count: usize) -> String {
    let items = "e: func i64\nret 1\nendfunc\n".to_owned();
    module(
        &(items + &lines(count, |number| format!("x{number}: expr e"))),
        "",
        "",
    )
}

fn long_names(len: usize) -> String {
    let name = "n".repeat(len);
    let items = format!("export a{name}\na{name}: bss 8\nb{name}: ref a{name}, 0\n");
    module(
        &items,
        &format!(", i64:c{name}"),
        &format!("mov c{name}, a{name}\n"),
    )
}

fn names_of_every_length(most: usize) -> String {
    let items = lines(most, |len| format!("{}: bss 1", "x".repeat(len + 1)));
    module(&items, "", "")
}

fn many_exports(count: usize) -> String {
    module(
        &lines(count, |number| {
            format!("export e{number}\ne{number}: bss 1")
        }),
        "",
        "",
    )
}

fn many_modules(count: usize) -> String {
    let others = lines(count, |number| {
        format!("m{number}: module\nexport x{number}\nx{number}: bss 8\nendmodule")
    });
    let imports = lines(count, |number| format!("import x{number}"));
    others
        + &module(
            &imports,
            ", i64:v",
            &lines(count, |number| format!("ne v, x{number}, 0\nadd r, r, v")),
        )
}

fn many_variables(count: usize) -> String {
    let variables: String = (0..count)
        .map(|number| format!(", i64:v{number}"))
        .collect();
    let body = lines(count, |number| format!("mov v{number}, {number}"))
        + &lines(count, |number| format!("add r, r, v{number}"));
    module("", &variables, &body)
}

fn many_arguments(count: usize) -> String {
    let arguments: String = (0..count)
        .map(|number| format!(", i64:a{number}"))
        .collect();
    let items = format!(
        "p: proto i64{arguments}\nf: func i64{arguments}\nret a{}\nendfunc\n",
        count - 1
    );
    module(
        &items,
        "",
        &format!("call p, f, r{}\n", ", r".repeat(count)),
    )
}

fn many_results(count: usize) -> String {
    let types = ["i64", "d", "f", "ld", "u8", "p"].join(", ");
    let types = vec![types; count].join(", ");
    let zeros = vec!["0, 0.0, 0.0f, 0.0L, 0, 0"; count].join(", ");
    let items = format!("p: proto {types}\nf: func {types}\nret {zeros}\nendfunc\n");
    module(&items, "", "")
}

fn many_labels(count: usize) -> String {
    module(
        "",
        "",
        &lines(count, |number| format!("l{number}: bt l{number}, r")),
    )
}

/// Every block leads into the middle of the others.
fn tangled_labels(count: usize) -> String {
    let body = lines(count, |number| {
        let (one, other) = ((number * 7 + 3) % count, (number * 13 + 5) % count);
        format!(
            "l{number}: add r, r, 1\nbgt l{one}, r, {}\nbt l{other}, r",
            3 * number
        )
    });
    module("", "", &body)
}

/// A variable for each loop, all of them live in all loops.
fn small_loops(count: usize) -> String {
    let variables: String = (0..count)
        .map(|number| format!(", i64:v{number}"))
        .collect();
    let body = lines(count, |number| format!("mov v{number}, {}", number % 7 + 1))
        + &lines(count, |number| {
            format!("l{number}: sub v{number}, v{number}, 1\nbgt l{number}, v{number}, 0")
        })
        + &lines(count, |number| format!("add r, r, v{number}"));
    module("", &variables, &body)
}

/// Branches around sums of variables, two hundred of which are live from the first to the last.
fn live_across_branches(count: usize) -> String {
    const LIVE: usize = 200;
    let variables: String = (0..LIVE).map(|number| format!(", i64:v{number}")).collect();
    let body = lines(LIVE, |number| format!("mov v{number}, {number}"))
        + &lines(count, |number| {
            let [one, other, to] = [5, 11, 7].map(|step| (number * step + 3) % LIVE);
            format!(
                "bgt l{number}, v{one}, v{other}\nadd v{to}, v{one}, v{other}\nl{number}: sub v{one}, v{to}, 1"
            )
        })
        + &lines(LIVE, |number| format!("add r, r, v{number}"));
    module("", &variables, &body)
}

fn wide_switches(count: usize) -> String {
    let targets: String = (0..count).map(|number| format!(", l{number}")).collect();
    let body = lines(count, |number| format!("l{number}: add r, r, {number}"));
    module("", "", &format!("switch r{targets}\n{body}"))
}

fn equal_targets(count: usize) -> String {
    module(
        "",
        "",
        &format!("switch r{}\nl: add r, r, 1\n", ", l".repeat(count)),
    )
}

/// An interpreter of so many operations, each of which changes two of the values that all keep.
fn many_operations(count: usize) -> String {
    let targets: String = (0..count).map(|number| format!(", l{number}")).collect();
    let variables = ", i64:s0, i64:s1, i64:s2, d:x, d:y";
    let begin = "mov s0, 0\nmov s1, 1\nmov s2, 2\ndmov x, 0.0\ndmov y, 1.0\n";
    let body = lines(count, |number| {
        let (sum, float) = (number % 3, ["x", "y"][number % 2]);
        format!("l{number}: add s{sum}, s{sum}, r\ndadd {float}, x, y\njmp next")
    });
    let end =
        "last: xor s0, s0, s1\nadd s0, s0, s2\nd2i r, x\nadd r, r, s0\nd2i s0, y\nadd r, r, s0\n";
    module(
        "",
        variables,
        &format!("{begin}next: add r, r, 1\nswitch r{targets}, last\n{body}{end}"),
    )
}

/// An interpreter of so many operations, each of which steps the same variable before the last read
/// of its old value.
fn many_steps(count: usize) -> String {
    let targets: String = (0..count).map(|number| format!(", l{number}")).collect();
    let body = lines(count, |number| {
        format!("l{number}: mov old, step\nadd step, step, {number}\nxor sum, sum, old\njmp next")
    });
    module(
        "",
        ", i64:sum, i64:step, i64:old",
        &format!(
            "mov sum, 0\nmov step, 1\nnext: add r, r, 1\nswitch r{targets}, last\n{body}last: xor r, sum, step\n"
        ),
    )
}

/// An interpreter of so many operations, each of which jumps to the one indirect jump that may lead
/// to all of them.
fn many_dispatches(count: usize) -> String {
    let body = lines(count, |number| {
        format!("l{number}: add r, r, {number}\nladdr t, l{number}\njmp next")
    });
    module(
        "",
        ", i64:t",
        &format!("laddr t, last\njmp next\n{body}next: jmpi t\nlast: add r, r, 1\n"),
    )
}

fn long_strings(len: usize) -> String {
    let text = "s\\001".repeat(len);
    let items = format!("s: string \"{text}\"\n");
    module(
        &items,
        ", i64:p",
        &format!("mov p, \"{text}\"\nadd r, r, u8:(p)\n"),
    )
}

fn many_aliases(count: usize) -> String {
    let body = lines(count, |number| {
        let offset = 8 * (number % 16);
        format!("mov i64:{offset}(b):a{number}:n{number}, r\nadd r, r, i64:{offset}(b):a{number}")
    });
    module(
        "area: bss 128\n",
        ", i64:b",
        &format!("mov b, area\n{body}"),
    )
}

/// Each function has the next one inlined twice.
fn doubling_calls(depth: usize) -> String {
    let functions: String = (0..depth)
        .rev()
        .map(|number| {
            let next = number + 1;
            let calls = match next < depth {
                true => format!("inline p, f{next}, r\ninline p, f{next}, r\n"),
                false => String::new(),
            };
            format!("f{number}: func i64\nlocal i64:r\nmov r, 1\n{calls}ret r\nendfunc\n")
        })
        .collect();
    module(&format!("p: proto i64\n{functions}"), "", "call p, f0, r\n")
}

fn endless_recursion(calls: usize) -> String {
    let calls = "call p, f, r, r\n".repeat(calls);
    let items = format!(
        "p: proto i64, i64:a\nf: func i64, i64:a\nlocal i64:r, i64:m\nalloca m, 64\nadd r, a, 1\n{calls}mov i64:(m), r\nret r\nendfunc\n"
    );
    module(&items, "", "call p, f, r, r\n")
}

fn endless_loops(count: usize) -> String {
    let body = lines(count, |number| {
        format!("l{number}: add r, r, 1\njmp l{number}")
    });
    module("", "", &body)
}

fn huge_stack(times: usize) -> String {
    let sizes = [i64::MAX - 15, 1 << 20, 1 << 31, 1 << 32, 1 << 48, i64::MAX];
    let functions = lines(times, |number| {
        let size = sizes[number % sizes.len()];
        format!("g{number}: func i64\nlocal i64:r\nalloca r, {size}\nmov u8:(r), 1\nret 0\nendfunc")
    });
    let calls = lines(times, |number| format!("call p, g{number}, r"));
    module(&format!("p: proto i64\n{functions}"), "", &calls)
}

fn huge_data(times: usize) -> String {
    let sizes = EDGES.iter().filter(|&&size| size > 0xFFFF);
    let items: String = sizes.map(|size| format!("bss {size}\n")).collect();
    module(&items.repeat(times), "", "")
}

fn huge_blocks(times: usize) -> String {
    let sizes = [0_u32, 1, 0xFFFF, 0x7FFF_FFFF, u32::MAX];
    let items = lines(sizes.len() * times, |number| {
        let size = sizes[number % sizes.len()];
        let kind = ["blk", "blk1", "blk2", "blk3", "blk4"][number % 5];
        format!(
            "p{number}: proto i64, {kind}:{size}(a)\nf{number}: func i64, {kind}:{size}(a)\nlocal i64:r\n\
             mov r, i64:(a)\ncall p{number}, f{number}, r, {kind}:{size}(a)\nret r\nendfunc"
        )
    });
    module(&items, "", "")
}

/// Types of arguments in words of the text, and a value of each.
const ARGUMENTS: [(&str, &str); 8] = [
    ("i64:a", "r"),
    ("d:a", "1.0"),
    ("f:a", "1.0f"),
    ("ld:a", "1.0L"),
    ("blk:24(a)", "blk:24(r)"),
    ("blk2:16(a)", "blk2:16(r)"),
    ("rblk:16(a)", "rblk:16(r)"),
    ("i64:a, ...", "r, 1.0, 2.0L"),
];

/// Every function called by the prototype of every other, directly and by its address.
fn other_signatures(times: usize) -> String {
    let mut items = String::from("area: bss 64\n");
    let mut body = String::from("mov r, area\n");
    for (number, (argument, _)) in ARGUMENTS.iter().enumerate() {
        let _ = write!(
            items,
            "p{number}: proto i64, {argument}\nq{number}: proto d, {argument}\n"
        );
        let _ = write!(items, "f{number}: func i64, {argument}\nret 1\nendfunc\n");
    }
    for _ in 0..times {
        for (proto, (_, value)) in ARGUMENTS.iter().enumerate() {
            for func in 0..ARGUMENTS.len() {
                let _ = write!(body, "call p{proto}, f{func}, r, {value}\nmov v, f{func}\n");
                let _ = writeln!(body, "call q{proto}, v, x, {value}");
            }
        }
    }
    module(&items, ", i64:v, d:x", &body)
}

/// The same with integers alone, more or fewer of them, at which no function looks.
fn other_integers(most: usize) -> String {
    let (mut items, mut body) = (String::new(), String::new());
    for count in 0..most {
        let arguments: String = (0..count)
            .map(|number| format!(", i64:a{number}"))
            .collect();
        let _ = writeln!(items, "p{count}: proto i64{arguments}");
        let _ = write!(
            items,
            "f{count}: func i64{arguments}\nret {count}\nendfunc\n"
        );
        let other = (count * 5 + 3) % most;
        let values = ", r".repeat(count);
        let _ = write!(
            body,
            "call p{count}, f{other}, r{values}\nmov v, f{other}\ncall p{count}, v, r{values}\n"
        );
    }
    module(&items, ", i64:v", &body)
}

fn forged_lists(times: usize) -> String {
    let body: String = EDGES
        .iter()
        .map(|edge| {
            format!(
                "va_arg v, r, i64:0\nva_arg v, {edge}, d:0\nva_block_arg r, v, {edge}, {edge}\nva_block_arg {edge}, r, 16, 1\nva_end {edge}\n"
            )
        })
        .collect();
    let items = format!(
        "g: func i64, i64:r, ...\nlocal i64:v\nva_start r\n{}ret 0\nendfunc\n",
        body.repeat(times)
    );
    module(&items, "", "")
}

fn labels_of_others(times: usize) -> String {
    let items = lines(times, |number| {
        format!(
            "f{number}: func i64\nlocal i64:r\nl{number}: laddr r, l{}\njmp l{}\nret r\nendfunc\nlref l{number}, l{}, 0",
            number + 1,
            number + 2,
            number + 3
        )
    });
    module(&items, "", "")
}

fn jumps_nowhere(times: usize) -> String {
    let functions = lines(times * EDGES.len(), |number| {
        format!(
            "f{number}: func i64\nlocal i64:r\njmpi {}\nl: laddr r, l\nret r\nendfunc",
            EDGES[number % EDGES.len()]
        )
    });
    module(&functions, "", "")
}

/// Every instruction on integers with every pair of edges.
fn edges_of_integers(times: usize) -> String {
    let is_binary = |code: &&Code| {
        use mir_nostd::ir::Mode::{I, OutI};
        code.modes() == [OutI, I, I]
    };
    let mut body = String::new();
    for code in Code::ALL.iter().filter(is_binary) {
        let is_division = ["div", "mod"].iter().any(|word| code.name().contains(word));
        for edge in EDGES
            .iter()
            .filter(|&&edge| !is_division || edge as i32 != 0)
        {
            let name = code.name();
            let _ = write!(body, "{name} v, r, {edge}\nxor r, r, v\n");
            if !is_division {
                let _ = write!(body, "{name} v, {edge}, r\nxor r, r, v\n");
            }
        }
    }
    let call = "call p, g, r, r\n".repeat(times);
    let items =
        format!("p: proto i64, i64:r\ng: func i64, i64:r\nlocal i64:v\n{body}ret r\nendfunc\n");
    module(&items, "", &call)
}

fn edges_of_addresses(times: usize) -> String {
    let body: String = EDGES
        .iter()
        .map(|edge| {
            format!(
                "mov r, i64:{edge}(r)\nmov i8:{edge}(r, r, 255), r\nadd r, r, i32:{edge}(, r, 3)\nmov u16:{edge}, r\nldmov ld:{edge}(r), 1.0L\n"
            )
        })
        .collect();
    module("", "", &body.repeat(times))
}

fn edges_of_properties(times: usize) -> String {
    let body: String = EDGES
        .iter()
        .enumerate()
        .map(|(number, edge)| format!("prset r, {edge}\nprbeq l{number}, r, {edge}\nadd r, r, 1\nl{number}: prbne k{number}, r, {edge}\nk{number}: add r, r, 1\n"))
        .collect();
    let functions = lines(times, |number| {
        format!("f{number}: func i64\nlocal i64:r\nmov r, 1\n{body}ret r\nendfunc")
    });
    let calls = lines(times, |number| format!("call p, f{number}, r"));
    module(&format!("p: proto i64\n{functions}"), "", &calls)
}

fn hard_registers(count: usize) -> String {
    let names = ["rbx", "r12", "x19", "s1", "r14", "f31", "nowhere", "rsp"];
    let globals = lines(count, |number| {
        format!("global i64:g{number}:{}", names[number % names.len()])
    });
    format!("m: module\nf: func i64\n{globals}ret g0\nendfunc\nendmodule\n")
}

/// Builds a module out of anything: numbers of items, labels, registers and names that may not
/// exist, and operands of any kind in any place. Most do not verify.
///
/// # Errors
///
/// Builds modules that the interface of `ir` refuses.
pub fn forged_module<'m>(
    random: &mut Rng,
    target: &Target,
    allocator: &'m dyn Allocator,
) -> Result<Module<'m>, Error> {
    let mut module = Module::new(allocator, b"forged", target.long_double)?;
    let types = [Type::I64, Type::F, Type::D, Type::Ld];
    let args = [ArgSpec::new(Type::I64, "a"), ArgSpec::new(Type::D, "b")];
    let spec = SignatureSpec {
        results: &types[..random.usize(..types.len() + 1)],
        args: &args[..random.usize(..3)],
        vararg: random.usize(..4) == 0,
    };
    module.proto(b"p", spec)?;
    module.import(b"i")?;
    let edge = EDGES[random.usize(..EDGES.len())];
    module.bss(Some(b"d"), edge as u64 & 0xFFFF)?;
    let funcs = [module.add_func(b"f", spec)?, module.add_func(b"g", spec)?];
    let labels = [module.new_label()?, module.new_label()?];
    for func in funcs {
        let local = [b"v", b"w"][random.usize(..2)];
        module.add_local(func, types[random.usize(..types.len())], local)?;
        for _ in 0..random.usize(..12) {
            forge_insn(random, &mut module, func)?;
        }
        let label = labels[random.usize(..labels.len())];
        // It may be placed already.
        let _ = module.insert_label(func, mir_nostd::ir::Position::End, label);
        module.finish_func(func)?;
    }
    Ok(module)
}

fn forge_insn(random: &mut Rng, module: &mut Module<'_>, func: FuncId) -> Result<(), Error> {
    let code = Code::ALL[random.usize(..Code::COUNT)];
    let count = match code.is_variable() {
        true => random.usize(..6),
        false => code.modes().len(),
    };
    let operands: Vec<Operand> = (0..count).map(|_| forged_operand(random)).collect();
    // Operands that an instruction cannot take are refused; the rest is built all the same.
    let _ = module.append(func, code, &operands[..]);
    Ok(())
}

fn forged_operand(random: &mut Rng) -> Operand {
    let edge = EDGES[random.usize(..EDGES.len())];
    // Few numbers are those of something that exists.
    let number = match random.usize(..4) {
        0 => edge as u32,
        _ => random.usize(..5) as u32,
    };
    let reg = |number| Some(Reg::new(number));
    match random.usize(..12) {
        0 => Operand::Int(edge),
        1 => Operand::Uint(edge as u64),
        2 => Operand::Float(1.5),
        3 => Operand::Double(f64::NAN),
        4 => Operand::LongDouble(u128::MAX),
        5 => Operand::Str(Str::new(number)),
        6 => Operand::Item(ItemId::new(number)),
        7 => Operand::Label(Label::new(number)),
        8 | 9 => Operand::Reg(Reg::new(number)),
        _ => Operand::Mem(Mem {
            ty: [
                Type::I64,
                Type::U8,
                Type::D,
                Type::Ld,
                Type::Blk0,
                Type::Rblk,
            ][random.usize(..6)],
            disp: edge,
            base: if random.usize(..2) == 0 {
                None
            } else {
                reg(number)
            },
            index: if random.usize(..3) == 0 {
                reg(number)
            } else {
                None
            },
            scale: random.usize(..256) as u8,
            alias: (random.usize(..4) == 0).then(|| Name::new(number)),
            nonalias: None,
        }),
    }
}

/// Calls `each` with contents of a binary file in which one of the numbers at a time is another
/// one, at a limit.
pub fn with_numbers(contents: &[u8], mut each: impl FnMut(&[u8])) {
    for (start, end) in numbers(contents) {
        for edge in EDGES {
            let tag = contents[start];
            let changed = number_token(tag, edge);
            let changed = [&contents[..start], &changed, &contents[end..]].concat();
            each(&changed);
        }
    }
}

/// Returns the places of the numbers in the contents of a right binary file: those of tokens and
/// lengths of strings. The format says how many bytes follow each tag; the bytes of strings are
/// passed over.
fn numbers(contents: &[u8]) -> Vec<(usize, usize)> {
    let (mut found, mut at, mut strings) = (Vec::new(), 0, None);
    while let Some(&tag) = contents.get(at) {
        let len = 1 + payload(tag);
        let is_number = tag >= 0x80 || (1..=16).contains(&tag) || (20..=35).contains(&tag);
        if is_number && at + len <= contents.len() {
            found.push((at, at + len));
        }
        let value = match tag {
            0x80.. => usize::from(tag & 0x7F),
            _ => contents.get(at + 1).copied().map_or(0, usize::from),
        };
        at += len;
        // The version, the number of strings, then a length before each.
        strings = match strings {
            None if found.len() == 2 => Some(value),
            Some(left @ 1..) => {
                at += value;
                Some(left - 1)
            }
            other => other,
        };
    }
    found
}

/// The bytes that follow a tag.
fn payload(tag: u8) -> usize {
    match tag {
        1..=8 => usize::from(tag),
        9..=16 => usize::from(tag - 8),
        17 => 4,
        18 => 8,
        19 => 16,
        20..=35 => usize::from((tag - 20) % 4 + 1),
        _ => 0,
    }
}

/// A token of the kind of `tag` with another number.
fn number_token(tag: u8, value: i64) -> Vec<u8> {
    let (tag, len) = match tag {
        9..=16 => (16, 8),
        20..=35 => (tag - (tag - 20) % 4 + 3, 4),
        _ => (8, 8),
    };
    let mut token = vec![tag];
    token.extend(&value.to_le_bytes()[..len]);
    token
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::contents_of_text;

    #[test]
    fn numbers_are_found() {
        let contents = contents_of_text(b"m: module\nb: bss 300\nendmodule\n");
        let contents = contents.expect("a program");
        let found = numbers(&contents);
        let is_length = |&(start, end): &(usize, usize)| contents[start..end] == [2, 0x2C, 1];
        assert!(found.iter().any(is_length), "{contents:?}: {found:?}");
        let mut changed = 0;
        with_numbers(&contents, |_| changed += 1);
        assert_eq!(changed, found.len() * EDGES.len());
    }
}
