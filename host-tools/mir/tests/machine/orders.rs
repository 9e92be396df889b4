//! The instructions that order accesses, or update memory as a whole, in functions with one atomic
//! instruction, for each order and size: those that clang 22 has in the same function in C. The
//! tables are in `filetests/machine/orders`, one for each processor.

use super::stage::verified;
use mir_nostd::codegen::{Compiler, Form};
use mir_nostd::machine::InsnId;
use std::path::Path;
use testkit::SystemAllocator;

/// The beginnings of the opcodes that are compared, of all targets.
#[rustfmt::skip]
const COMPARED: [&str; 33] = [
    // aarch64: load-acquire, store-release, exclusive accesses, updates, barriers.
    "LDAR", "STLR", "LDXR", "LDAXR", "STXR", "STLXR", "CAS", "SWP", "LDADD", "LDCLR", "LDEOR",
    "LDSET", "LDSM", "LDUM", "DMB",
    // riscv64.
    "LR_", "SC_", "AMO", "FENCE",
    // ppc64le: load and reserve (`LDAR` above), store conditional, barriers.
    "LBARX", "LHARX", "LWARX", "STBCX", "STHCX", "STWCX", "STDCX", "SYNC", "ISYNC",
    // s390x: everything else is in order or an update of memory.
    "Serialize",
    // x86_64.
    "XCHG", "LXADD", "LCMPXCHG", "MFENCE",
];

/// A function with one atomic instruction.
struct Case {
    insn: String,
    expected: String,
}

/// Checks the table of a processor.
pub(crate) fn check(table: &Path) -> Result<(), String> {
    let processor = table.file_stem().and_then(|name| name.to_str());
    let backend = processor.and_then(target_all::backend);
    let backend = backend.ok_or("no such processor")?;
    let text = std::fs::read_to_string(table).map_err(|error| error.to_string())?;
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let cases: Vec<Case> = rows.flat_map(cases).collect();
    let program = verified(&program(&cases), backend)?;
    let module = program.module();
    let mut wrong = String::new();
    for ((func, _), case) in module.funcs().zip(&cases) {
        let mut compiler = Compiler::new(backend, &SystemAllocator);
        compiler.options.level = 2;
        let run = compiler.run(backend.stages(2), Some((module, func)), Form::Empty);
        run.map_err(|error| format!("{}: {error}", case.insn))?;
        let found = compared(&compiler);
        if found != case.expected {
            wrong += &format!("{}: {found}, not {}\n", case.insn, case.expected);
        }
    }
    match (cases.len(), wrong.is_empty()) {
        (0, _) => Err("an empty table".to_owned()),
        (_, true) => Ok(()),
        (_, false) => Err(wrong),
    }
}

/// Returns the cases of a row: operation, orders, what it becomes for 8, 16, 32 and 64 bits.
fn cases(row: &str) -> Vec<Case> {
    let mut columns = row.split('\t');
    let (operation, orders) = (columns.next().unwrap_or(""), columns.next().unwrap_or(""));
    let (name, sign) = operation.split_once(' ').unwrap_or((operation, "unsigned"));
    let letter = &sign[..1].replace('s', "i");
    let case = |(expected, bits): (&str, u32)| {
        let place = format!("{letter}{bits}:(p)");
        let operands = match name {
            "fence" => String::new(),
            "atomic_load" => format!("r, {place}, "),
            "atomic_store" => format!("{place}, a, "),
            "atomic_cmpxchg" => format!("r, {place}, a, b, "),
            _ => format!("r, {place}, a, "),
        };
        Case {
            insn: format!("{name} {operands}{orders}"),
            expected: expected.to_owned(),
        }
    };
    columns.zip([8, 16, 32, 64]).map(case).collect()
}

/// Returns a module with a function for each case.
fn program(cases: &[Case]) -> String {
    let mut text = "m: module\n".to_owned();
    for (number, Case { insn, .. }) in cases.iter().enumerate() {
        text += &format!("f{number}: func i64, i64:p, i64:a, i64:b\nlocal i64:r\nmov r, 0\n");
        text += &format!("{insn}\nret r\nendfunc\n");
    }
    text + "endmodule\n"
}

/// Returns the compared instructions of a function, in its order.
fn compared(compiler: &Compiler<'_>) -> String {
    let function = &compiler.function;
    let insns = function
        .layout
        .iter()
        .flat_map(|&block| function.insns(block));
    let words: Vec<String> = insns.filter_map(|insn| word(compiler, insn)).collect();
    match words.is_empty() {
        true => "-".to_owned(),
        false => words.join(", "),
    }
}

/// Returns the opcode of an instruction if it is compared; of a barrier also its operands.
fn word(compiler: &Compiler<'_>, insn: InsnId) -> Option<String> {
    let row = compiler.function.insn(insn).opcode.row()?;
    let name = compiler.isa().insns().get(row)?.name.text();
    COMPARED.iter().find(|start| name.starts_with(**start))?;
    let mut text = name.to_owned();
    if matches!(name, "DMB" | "FENCE" | "SYNC") {
        let operands = compiler.function.operands(insn).iter();
        let numbers = operands.filter_map(|operand| operand.small());
        numbers.for_each(|number| text += &format!(" {number}"));
    }
    Some(text)
}
