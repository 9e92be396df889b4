//! The upper halves of variables after instructions on 32 bits.
//!
//! The language leaves open what such an instruction puts there, and engines differ. In a confined
//! program it is the sign: where anything may read it, an `ext32` follows the instruction.

use crate::ir::{Code, FuncId, InsnId, ItemKind, Module, Operand, Reg, Result, Type};
use crate::mem::{Entity, Vec};

/// True if the instruction computes on 32 bits: it reads the low halves of its inputs.
pub(super) fn is_short(code: Code) -> bool {
    // All names that end so are of such instructions.
    code.name().ends_with('s')
}

/// True if the upper half of the result of an instruction is left open.
pub(super) fn leaves_open(code: Code) -> bool {
    match code.binary() {
        Some(binary) => binary.result != Type::I64,
        None if code.operation().is_some() => is_short(code),
        None => matches!(
            code,
            Code::Subs
                | Code::Divs
                | Code::Udivs
                | Code::Mods
                | Code::Umods
                | Code::Negs
                | Code::Addos
                | Code::Subos
                | Code::Mulos
                | Code::Umulos
        ),
    }
}

/// Returns for each variable of a function whether its upper half may be read.
pub(super) fn read_whole<'m>(module: &Module<'m>, func: FuncId) -> Result<Vec<'m, bool>> {
    let mut finder = Finder {
        module,
        whole: Vec::new(module.allocator()),
        copies: Vec::new(module.allocator()),
    };
    finder
        .whole
        .resize(module.func(func).registers().len(), false)?;
    for insn in module.insns(func) {
        finder.insn(func, insn)?;
    }
    finder.follow_copies()?;
    Ok(finder.whole)
}

struct Finder<'a, 'm> {
    module: &'a Module<'m>,
    whole: Vec<'m, bool>,
    /// Copies between variables: from, to.
    copies: Vec<'m, (Reg, Reg)>,
}

impl Finder<'_, '_> {
    fn note(&mut self, reg: Reg) {
        if let Some(whole) = self.whole.get_mut(reg.index()) {
            *whole = true;
        }
    }

    fn insn(&mut self, func: FuncId, insn: InsnId) -> Result<()> {
        let module = self.module;
        let code = module.code(insn);
        if code == Code::Mov {
            match (module.operand(insn, 0), module.operand(insn, 1)) {
                (Some(Operand::Reg(to)), Some(Operand::Reg(from))) => {
                    return Ok(self.copies.push((from, to))?);
                }
                (Some(Operand::Mem(mem)), Some(Operand::Reg(_))) if mem.ty.size() < 8 => {
                    return self.addresses(insn);
                }
                _ => {}
            }
        }
        let reads_low = is_short(code) || is_extension(code);
        for (index, operand) in module.operands(insn).enumerate() {
            match operand {
                Operand::Reg(reg)
                    if !reads_low
                        && !code.mode(index).is_output()
                        && !self.is_passed_short(func, insn, code, index) =>
                {
                    self.note(reg);
                }
                _ => {}
            }
        }
        self.addresses(insn)
    }

    /// Notes the variables that an instruction makes addresses of.
    fn addresses(&mut self, insn: InsnId) -> Result<()> {
        for operand in self.module.operands(insn) {
            if let Operand::Mem(mem) = operand {
                { [mem.base, mem.index].into_iter().flatten() }.for_each(|reg| self.note(reg));
            }
        }
        Ok(())
    }

    /// True if an operand of a call or `ret` is extended from 32 bits or less where it is passed.
    fn is_passed_short(&self, func: FuncId, insn: InsnId, code: Code, index: usize) -> bool {
        let module = self.module;
        let is_short = |ty: Option<&Type>| ty.is_some_and(|ty| ty.is_int() && ty.size() < 8);
        if code == Code::Ret {
            return is_short(module.results(&module.func(func).signature).get(index));
        }
        let proto = match module.operand(insn, 0) {
            Some(Operand::Item(item)) if code.is_call() => module.item(module.resolve(item)).kind,
            _ => return false,
        };
        let ItemKind::Proto(signature) = proto else {
            return false;
        };
        let results = module.results(&signature).len();
        let Some(argument) = index.checked_sub(2 + results) else {
            // The address is read, results are not.
            return index >= 2;
        };
        let argument = module.args(&signature).get(argument);
        is_short(argument.map(|argument| &argument.ty))
    }

    /// Notes what is copied to variables that are read whole.
    fn follow_copies(&mut self) -> Result<()> {
        let allocator = self.module.allocator();
        // For each variable the last copy to it, for each copy the one before to the same, 1 more
        // than their numbers.
        let (mut last, mut before) = (Vec::new(allocator), Vec::new(allocator));
        last.resize(self.whole.len(), 0_usize)?;
        for (number, (_, to)) in self.copies.iter().enumerate() {
            before.push(core::mem::replace(&mut last[to.index()], number + 1))?;
        }
        let mut found = Vec::new(allocator);
        for (number, _) in self.whole.iter().enumerate().filter(|(_, whole)| **whole) {
            found.push(Reg::new(number as u32))?;
        }
        while let Some(to) = found.pop() {
            let mut next = last[to.index()];
            while let Some(number) = next.checked_sub(1) {
                let (from, _) = self.copies[number];
                if !self.whole[from.index()] {
                    self.note(from);
                    found.push(from)?;
                }
                next = before[number];
            }
        }
        Ok(())
    }
}

const fn is_extension(code: Code) -> bool {
    matches!(
        code,
        Code::Ext8 | Code::Ext16 | Code::Ext32 | Code::Uext8 | Code::Uext16 | Code::Uext32
    )
}
