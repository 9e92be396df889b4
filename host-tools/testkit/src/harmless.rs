//! Makes any program harmless: it computes something else, and is loaded, linked and run as before.
//!
//! Programs have the power of C, so nothing that a fuzzer makes up can be run as it is. What
//! [`make`] leaves keeps to memory of the module's own and calls functions of the module alone, by
//! prototypes that fit:
//! - Every memory operand becomes one of an area of `AREA` bytes, at what its address is modulo the
//!   area's size.
//! - Calls stay where they name a function of the module that has exactly the prototype's
//!   signature, with blocks in the area; all others go.
//! - Instructions that trust a list of variable arguments or a part of the stack (`va_arg`, `bend`
//!   and their kin) go.
//! - A module with hard registers, `jcall` or `jret` is refused.

use mir_nostd::ir::{
    Arg, Code, FuncId, InsnId, ItemId, ItemKind, Mem, Module, Operand, Position, Reg, Type,
};

/// Bytes of the area that memory operands are in; a power of two.
const AREA: u64 = 1 << 12;

/// The largest access: a long double.
const SLACK: u64 = 16;

/// The most `expr` items, each of which may take all the fuel of one.
const MAX_EXPRS: usize = 2;

/// Makes a verified module harmless; `None` if it cannot be, or takes too much. `jmpi` stays only
/// with `jumps`, for engines that look at where it goes.
pub fn make(module: &mut Module<'_>, jumps: bool) -> Option<()> {
    let is_expr = |kind: &ItemKind| matches!(kind, ItemKind::Expr { .. });
    let exprs = module.items().filter(|(_, item)| is_expr(&item.kind));
    if !module.globals().is_empty() || exprs.count() > MAX_EXPRS {
        return None;
    }
    let mut maker = Maker {
        area: module.bss(None, AREA + SLACK).ok()?,
        temporaries: Vec::new(),
        module,
        jumps,
    };
    let funcs: Vec<FuncId> = maker.module.funcs().map(|(func, _)| func).collect();
    funcs.into_iter().try_for_each(|func| maker.function(func))
}

struct Maker<'a, 'm> {
    module: &'a mut Module<'m>,
    area: ItemId,
    /// Registers of the function for addresses.
    temporaries: Vec<Reg>,
    jumps: bool,
}

impl Maker<'_, '_> {
    fn function(&mut self, func: FuncId) -> Option<()> {
        self.temporaries.clear();
        let insns: Vec<InsnId> = self.module.insns(func).collect();
        for insn in insns {
            match self.module.code(insn) {
                Code::Jcall | Code::Jret => return None,
                Code::Jmpi if !self.jumps => return None,
                Code::Call | Code::Inline if !self.is_harmless_call(insn) => {
                    self.module.remove(func, insn);
                }
                Code::Bstart
                | Code::Bend
                | Code::VaArg
                | Code::VaBlockArg
                | Code::VaStart
                | Code::VaEnd => self.module.remove(func, insn),
                _ => self.operands(func, insn)?,
            }
        }
        Some(())
    }

    /// True if a call names a function of the module that has the signature of the prototype, and
    /// no block is larger than the area.
    fn is_harmless_call(&self, insn: InsnId) -> bool {
        let item = |index| match self.module.operand(insn, index) {
            Some(Operand::Item(item)) => Some(self.module.item(self.module.resolve(item)).kind),
            _ => None,
        };
        let (Some(ItemKind::Proto(proto)), Some(ItemKind::Func(callee))) = (item(0), item(1))
        else {
            return false;
        };
        let module = &*self.module;
        let callee = module.func(callee).signature;
        let shape = |arg: &Arg| (arg.ty, arg.size);
        let (given, taken) = (module.args(&proto), module.args(&callee));
        let fits_area = |operand| match operand {
            Operand::Mem(mem) if mem.ty.is_block() => (0..=AREA as i64).contains(&mem.disp),
            _ => true,
        };
        proto.is_vararg() == callee.is_vararg()
            && module.results(&proto) == module.results(&callee)
            && given.iter().map(shape).eq(taken.iter().map(shape))
            && module.operands(insn).all(fits_area)
    }

    /// Has the memory operands of an instruction lie in the area.
    fn operands(&mut self, func: FuncId, insn: InsnId) -> Option<()> {
        for index in 0..self.module.operand_count(insn) {
            let Some(Operand::Mem(mem)) = self.module.operand(insn, index) else {
                continue;
            };
            let address = self.temporary(func, 2 * index)?;
            let before = Position::Before(insn);
            if mem.ty.is_block() {
                let operands = (address, self.area);
                self.module.insert(func, before, Code::Mov, operands).ok()?;
            } else {
                let scaled = self.temporary(func, 2 * index + 1)?;
                self.masked(func, insn, &mem, (address, scaled))?;
            }
            let disp = if mem.ty.is_block() { mem.disp } else { 0 };
            let mem = Mem {
                alias: mem.alias,
                nonalias: mem.nonalias,
                ..Mem::new(mem.ty, disp, address)
            };
            self.module
                .set_operand(insn, index, Operand::Mem(mem))
                .ok()?;
        }
        Some(())
    }

    /// Computes before an instruction the address in the area that an operand's becomes.
    fn masked(
        &mut self,
        func: FuncId,
        insn: InsnId,
        mem: &Mem,
        (address, scaled): (Reg, Reg),
    ) -> Option<()> {
        let mut emit = |code, operands: &[Operand]| {
            let position = Position::Before(insn);
            self.module
                .insert(func, position, code, operands)
                .ok()
                .map(|_| ())
        };
        let (to, part) = (Operand::Reg(address), Operand::Reg(scaled));
        emit(Code::Mov, &[to, Operand::Int(mem.disp)])?;
        if let Some(base) = mem.base {
            emit(Code::Add, &[to, to, Operand::Reg(base)])?;
        }
        if let Some(index) = mem.index {
            let scale = Operand::Int(mem.scale.into());
            emit(Code::Mul, &[part, Operand::Reg(index), scale])?;
            emit(Code::Add, &[to, to, part])?;
        }
        // Aligned, as Rust has it where the interpreter is built with checks.
        let mask = (AREA - 1) & !(SLACK - 1);
        emit(Code::And, &[to, to, Operand::Int(mask as i64)])?;
        emit(Code::Add, &[to, to, Operand::Item(self.area)])
    }

    /// Returns the function's register for addresses of this number.
    fn temporary(&mut self, func: FuncId, number: usize) -> Option<Reg> {
        while self.temporaries.len() <= number {
            let name = format!("address%{}", self.temporaries.len());
            let reg = self
                .module
                .add_local(func, Type::I64, name.as_bytes())
                .ok()?;
            self.temporaries.push(reg);
        }
        Some(self.temporaries[number])
    }
}
