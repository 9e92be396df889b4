//! Rewriting: the functions of a program become functions that keep to its memory.
//!
//! **Idea.** A new module is made, function by function, whose instructions are those of the old
//! one, with checks before each access to memory, each indirect call and each indirect jump, and
//! with what has an address moved from the native stack to the program's own. What engines then
//! see is ordinary Medium IR, but for `reach` and `ensure`.
//!
//! **Invariant.** A memory operand of the new module is either the host's own word, whose address
//! is a constant (ahead a distance from the program's memory), or in the frame on the program's
//! stack, which was checked when the function was entered, or one whose base is the result of the
//! `reach` right before the instruction. Code made ahead has as many instructions as other code, so
//! that it takes the same fuel.
//!
//! **Cost.** Linear in the instructions; each becomes a bounded number of instructions per operand.

mod calls;
mod frame;
mod labels;
mod lists;
mod operands;
mod undefined;
mod widths;

use super::layout::{Placed, Role, expr_type};
use super::linkage::{Definition, ImportRow, Linkage};
use crate::ir::{
    ArgSpec, Code, Confinement, Error, FaultKind, FuncId, InsnId, ItemId, ItemKind, Label, Mem,
    Module, Name, Operand, Operands, Place, Position, Problem, Reg, Register, Result,
    SignatureSpec, Type,
};
use crate::mem::{Allocator, Entity, Vec};
use crate::num::LongDoubleFormat;
use crate::target::Target;
use core::mem::offset_of;
use frame::Frame;

/// The host's side of a program, as its code sees it: all addresses are the host's, ahead distances
/// from the program's memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Environment {
    pub(super) target: &'static Target,
    /// The program's memory.
    pub(super) base: u64,
    pub(super) bytes: u64,
    /// The words, in the order of [`super::space::Words`].
    pub(super) words: u64,
    /// The table of windows, ahead any number; 0 if there is none.
    pub(super) windows: u64,
    /// The lowest address of the program's stack, in the program.
    pub(super) stack_low: u64,
    /// True if addresses are masked after their check.
    pub(super) masks: bool,
    /// The number of the program in its context, which names of its functions begin with.
    pub(super) program: u32,
    /// True if the code is for another machine: it has symbols for addresses of the host.
    #[cfg(feature = "ahead")]
    pub(super) is_ahead: bool,
}

impl Environment {
    /// Returns whether the code is for another machine, so that it has no addresses of the host.
    const fn is_ahead(&self) -> bool {
        #[cfg(feature = "ahead")]
        return self.is_ahead;
        #[cfg(not(feature = "ahead"))]
        false
    }

    /// Returns what is added to offsets in frames: ahead [`Frame::pointer`] is as far above the
    /// host's address as the program's first address is above 0.
    const fn bias(&self) -> i64 {
        match self.is_ahead() {
            true => -super::FIRST_ADDRESS.cast_signed(),
            false => 0,
        }
    }
}

/// A rewritten module.
pub(super) struct Rewritten<'m> {
    pub(super) module: Module<'m>,
    /// For each instruction the number in its function of the one that it was made for.
    pub(super) origins: Vec<'m, u32>,
    /// The `expr` items, with the addresses and types of the old ones.
    pub(super) exprs: Vec<'m, (ItemId, u64, Type)>,
}

/// The rewriting of a module.
pub(super) struct Rewriter<'r, 'm> {
    placed: &'r Placed<'m>,
    environment: Environment,
    /// True for functions of the program that are needed, by number.
    needed: &'r [bool],
    linkage: &'r mut Linkage<'m>,
    imports: &'r [ImportRow<'m>],
    new: Module<'m>,
    origins: Vec<'m, u32>,
    exprs: Vec<'m, (ItemId, u64, Type)>,
    /// The new prototype for each old one.
    protos: Vec<'m, Option<ItemId>>,
    /// The new label for each old one.
    labels: Vec<'m, Option<Label>>,
    /// The function that copies blocks, once there is one.
    copier: Option<(ItemId, ItemId)>,
    /// The name of all new variables: nobody looks for them.
    nameless: Name,
}

/// The rewriting of a function.
struct Body<'w, 'r, 'm> {
    module: &'w mut Rewriter<'r, 'm>,
    func: FuncId,
    /// The number of the current instruction in the old function.
    number: u32,
    frame: Frame<'m>,
    /// The variable that holds the host's address of the program's memory.
    base: Reg,
    /// The variable for the result of each `reach`, which the next instruction reads.
    place: Reg,
    /// Variables for one instruction each, by class.
    temporaries: [Vec<'m, Reg>; 4],
    /// The number of temporaries of each class that the current instruction uses.
    used: [usize; 4],
}

/// Rewrites a module of a program.
///
/// # Errors
///
/// An instruction or item that cannot be confined; an import that nothing defines; out of memory.
pub(super) fn rewrite<'m>(
    placed: &Placed<'m>,
    number: usize,
    environment: Environment,
    needed: &[bool],
    linkage: &mut Linkage<'m>,
    imports: &[ImportRow<'m>],
) -> Result<Rewritten<'m>> {
    let old = &placed.module;
    let allocator = old.allocator();
    let mut name = Vec::new(allocator);
    write_name(
        &mut name,
        environment.program,
        format_args!("module {number}"),
    )?;
    let mut new = Module::new(allocator, &name, old.long_double())?;
    let nameless = new.add_name(b"_")?;
    new.begin_bulk();
    new.reserve_as(old)?;
    let mut rewriter = Rewriter {
        placed,
        environment,
        needed,
        linkage,
        imports,
        new,
        origins: Vec::new(allocator),
        exprs: Vec::new(allocator),
        protos: Vec::new(allocator),
        labels: Vec::new(allocator),
        copier: None,
        nameless,
    };
    rewriter.protos.resize(old.items().len(), None)?;
    rewriter.labels.resize(old.label_count(), None)?;
    rewriter.check_items()?;
    rewriter.declare_functions()?;
    rewriter.add_copier()?;
    for (func, _) in old.funcs() {
        match rewriter.is_needed(func) {
            true => rewriter.function(func)?,
            false => rewriter.left_out(func)?,
        }
    }
    rewriter.add_exprs()?;
    rewriter.new.end_bulk();
    rewriter.origins.shrink_to_fit();
    rewriter.confine();
    Ok(Rewritten {
        module: rewriter.new,
        origins: rewriter.origins,
        exprs: rewriter.exprs,
    })
}

/// Writes the name of something of a program.
fn write_name(name: &mut Vec<'_, u8>, program: u32, rest: core::fmt::Arguments<'_>) -> Result<()> {
    use core::fmt::Write;
    let written = write!(name, "\0{program}:{rest}");
    written.map_err(|_| Error::from(crate::mem::OutOfMemory))
}

/// Returns the name under which a function or import of a program is in its context.
pub(super) fn global_name<'m>(
    allocator: &'m dyn Allocator,
    program: u32,
    name: &[u8],
) -> Result<Vec<'m, u8>> {
    let mut global = Vec::new(allocator);
    write_name(&mut global, program, format_args!(""))?;
    global.extend_from_slice(name)?;
    Ok(global)
}

/// Returns the name that [`global_name`] was made of.
pub(super) fn local_name(name: &[u8]) -> &[u8] {
    let colon = name.iter().position(|&byte| byte == b':');
    colon.map_or(name, |colon| &name[colon + 1..])
}

impl<'m> Rewriter<'_, 'm> {
    fn allocator(&self) -> &'m dyn Allocator {
        self.new.allocator()
    }

    /// Refuses what cannot be confined.
    fn check_items(&self) -> Result<()> {
        match self.placed.module.globals() {
            [] => Ok(()),
            _ => Err(Problem::ConfinedHardRegister.into()),
        }
    }

    /// Adds all functions, so that they have the same numbers as the old ones.
    fn declare_functions(&mut self) -> Result<()> {
        let placed = self.placed;
        let old = &placed.module;
        for (func, function) in old.funcs() {
            let name = old.item(function.item).name;
            let name = name.map_or(&b""[..], |name| old.name_bytes(name));
            let number = placed.function(func);
            let global = self.global(number, name)?;
            let mut args = Vec::new(self.allocator());
            for arg in old.args(&function.signature) {
                args.push(ArgSpec {
                    name: old.name_bytes(arg.name),
                    ty: lowered(arg.ty),
                    size: 0,
                })?;
            }
            if function.signature.is_vararg() {
                args.push(ArgSpec::new(Type::I64, "..."))?;
            }
            let spec = SignatureSpec {
                results: old.results(&function.signature),
                args: &args,
                vararg: false,
            };
            self.new.add_func(&global, spec)?;
            let is_meant = self.linkage.find(name) == Some(Definition::Function(number));
            let is_exported = old.is_exported(function.item) && is_meant;
            if (is_exported || self.environment.is_ahead()) && self.is_needed(func) {
                self.new.export(&global)?;
            }
        }
        Ok(())
    }

    /// Returns the name of a function of the program, or of an import, for other modules.
    fn global(&self, function: u32, name: &[u8]) -> Result<Vec<'m, u8>> {
        #[cfg(feature = "ahead")]
        if self.environment.is_ahead {
            return super::symbols::symbol(self.allocator(), self.linkage, function, name);
        }
        let _ = function;
        global_name(self.allocator(), self.environment.program, name)
    }

    fn is_needed(&self, func: FuncId) -> bool {
        let number = self.placed.function(func);
        self.needed.get(number as usize) == Some(&true)
    }

    /// Gives a function that is not needed a body that nothing runs: a fault, for ever.
    fn left_out(&mut self, func: FuncId) -> Result<()> {
        let label = self.new.new_label()?;
        self.new.insert_label(func, Position::End, label)?;
        let operands = (0, 0, i64::from(FaultKind::BadFunction as u8), 0);
        let ensure = Code::Ensure;
        (self.new).insert_internal(func, Position::End, ensure, operands)?;
        self.new.append(func, Code::Jmp, (Operand::Label(label),))?;
        for _ in 0..3 {
            self.origins.push(0)?;
        }
        Ok(())
    }

    fn function(&mut self, func: FuncId) -> Result<()> {
        let (placed, allocator) = (self.placed, self.allocator());
        let old = &placed.module;
        let function = old.func(func);
        for register in function.registers().iter().skip(function.arg_count()) {
            let (name, ty) = (self.nameless, register.ty);
            let hard_reg = None;
            self.new
                .push_register(func, Register { name, ty, hard_reg })?;
        }
        let frame = Frame::plan(self, func)?;
        let (name, ty, hard_reg) = (self.nameless, Type::I64, None);
        let register = Register { name, ty, hard_reg };
        let base = self.new.push_register(func, register)?;
        let place = self.new.push_register(func, register)?;
        let list = || Vec::new(allocator);
        let mut body = Body {
            module: self,
            func,
            number: 0,
            frame,
            base,
            place,
            temporaries: [list(), list(), list(), list()],
            used: [0; 4],
        };
        body.enter()?;
        for (number, insn) in (0..).zip(old.insns(func)) {
            body.number = number;
            body.used = [0; 4];
            body.insn(insn).map_err(|error| body.at(error, insn))?;
        }
        Ok(())
    }

    /// Adds the functions of `expr` items, whose values are computed outside of the program's
    /// memory and copied there. Ahead they were computed before.
    fn add_exprs(&mut self) -> Result<()> {
        if self.environment.is_ahead() {
            return Ok(());
        }
        let placed = self.placed;
        for (item, row) in placed.module.items() {
            let ItemKind::Expr { func } = row.kind else {
                continue;
            };
            let ty = expr_type(&placed.module, func);
            let ItemKind::Func(func) = placed.module.item(placed.module.resolve(func)).kind else {
                continue;
            };
            let function = self.new.func(func).item;
            let expr = self.new.expr_data(None, function)?;
            self.exprs.push((expr, placed.address(item), ty))?;
        }
        Ok(())
    }

    /// Says in the new module what its code may access.
    fn confine(&mut self) {
        use super::space::Words;
        let environment = self.environment;
        let word = |offset: usize| environment.words + offset as u64;
        let copier = self.copier.map(|(_, item)| self.new.item(item).kind);
        self.new.confine(Confinement {
            memory: environment.base,
            bytes: environment.bytes,
            stack_pointer: word(offset_of!(Words, stack_pointer)),
            stack_low: environment.stack_low,
            stack_high: super::FIRST_ADDRESS + (environment.bytes & !15),
            functions: word(offset_of!(Words, functions)),
            functions_bytes: word(offset_of!(Words, functions_bytes)),
            failed: word(offset_of!(Words, failed)),
            windows: environment.windows,
            copier: match copier {
                Some(ItemKind::Func(func)) => Some(func),
                _ => None,
            },
            is_library: self.placed.role == Role::Library,
            #[cfg(feature = "ahead")]
            ahead: environment.is_ahead.then(|| self.symbols()),
        });
    }

    /// Returns the symbols that code has in place of addresses.
    #[cfg(feature = "ahead")]
    fn symbols(&self) -> crate::ir::Symbols {
        let item = |name| self.new.item_named(self.new.find_name(name)?);
        crate::ir::Symbols {
            memory: item(super::symbols::MEMORY),
            functions: item(super::symbols::TABLE),
            functions_bytes: super::HANDLE_STEP * self.linkage.rows.len() as u64,
        }
    }

    /// Returns the new label for an old one.
    fn label(&mut self, label: Label) -> Result<Label> {
        let known = self.labels.get(label.index()).copied().flatten();
        if let Some(known) = known {
            return Ok(known);
        }
        let new = self.new.new_label()?;
        if let Some(place) = self.labels.get_mut(label.index()) {
            *place = Some(new);
        }
        Ok(new)
    }
}

/// Returns the type as which an argument is passed: blocks by their address.
fn lowered(ty: Type) -> Type {
    if ty.is_block() { Type::P } else { ty }
}

impl<'r, 'm> Body<'_, 'r, 'm> {
    /// Returns an error about an old instruction, unless the error has a place already.
    fn at(&self, error: Error, insn: InsnId) -> Error {
        let func = self.func;
        match error.place {
            Place::Unknown => {
                let operand = u16::MAX;
                Error::at(
                    error.problem,
                    Place::Insn {
                        func,
                        insn,
                        operand,
                    },
                )
            }
            _ => error,
        }
    }

    fn environment(&self) -> Environment {
        self.module.environment
    }

    fn old(&self) -> &'r Module<'m> {
        &self.module.placed.module
    }

    fn emit(&mut self, code: Code, operands: impl Operands) -> Result<()> {
        let insn = self.module.new.append(self.func, code, operands)?;
        self.module.origins.push(self.number)?;
        match self.module.new.operand(insn, 0) {
            Some(Operand::Mem(mem)) if self.has_padding(mem.ty) && code.mode(0).is_output() => {
                self.clear_padding(mem)
            }
            _ => Ok(()),
        }
    }

    /// True if values of this type have bytes in memory that are no part of them.
    fn has_padding(&self, ty: Type) -> bool {
        ty == Type::Ld && self.module.new.long_double() == LongDoubleFormat::X87
    }

    /// Clears the bytes of a long double in memory that are no part of it. Engines leave there what
    /// happens to be in theirs, which may be an address of the host.
    fn clear_padding(&mut self, mem: Mem) -> Result<()> {
        for (ty, offset) in [(Type::U16, 10), (Type::U32, 12)] {
            let disp = mem.disp.wrapping_add(offset);
            self.emit(Code::Mov, (Mem { ty, disp, ..mem }, 0))?;
        }
        Ok(())
    }

    fn emit_label(&mut self, label: Label) -> Result<()> {
        let new = &mut self.module.new;
        new.insert_label(self.func, Position::End, label)?;
        Ok(self.module.origins.push(self.number)?)
    }

    fn emit_internal(&mut self, code: Code, operands: impl Operands) -> Result<()> {
        let new = &mut self.module.new;
        new.insert_internal(self.func, Position::End, code, operands)?;
        Ok(self.module.origins.push(self.number)?)
    }

    /// Emits a check that ends the run unless `value` is below `limit`, both unsigned.
    fn ensure(
        &mut self,
        value: impl Into<Operand>,
        limit: impl Into<Operand>,
        kind: FaultKind,
        reported: impl Into<Operand>,
    ) -> Result<()> {
        let kind = i64::from(kind as u8);
        let operands = (value.into(), limit.into(), kind, reported.into());
        self.emit_internal(Code::Ensure, operands)
    }

    /// Returns a variable for the current instruction.
    fn temporary(&mut self, ty: Type) -> Result<Reg> {
        let class = ty.class() as usize;
        let number = self.used[class];
        self.used[class] += 1;
        if let Some(&known) = self.temporaries[class].get(number) {
            return Ok(known);
        }
        let (name, ty, hard_reg) = (self.module.nameless, ty.class().ty(), None);
        let register = Register { name, ty, hard_reg };
        let reg = self.module.new.push_register(self.func, register)?;
        self.temporaries[class].push(reg)?;
        Ok(reg)
    }

    /// Emits an integer instruction of two inputs and returns its result.
    fn binary(&mut self, code: Code, a: impl Into<Operand>, b: impl Into<Operand>) -> Result<Reg> {
        let (a, b) = (a.into(), b.into());
        let to = self.temporary(Type::I64)?;
        self.emit(code, (to, a, b))?;
        Ok(to)
    }

    /// Returns the host's word at this offset in [`super::space::Words`]. Ahead the words are right
    /// before the program's memory.
    fn word(&self, offset: usize) -> Operand {
        let base = self.environment().is_ahead().then_some(self.base);
        let address = self.environment().words + offset as u64;
        raw(Type::I64, base, address.cast_signed())
    }

    /// Returns the new variable of an old one. Variable arguments come as one more argument.
    fn register(&self, old: Reg) -> Reg {
        let function = self.old().func(self.func);
        let is_local = old.index() >= function.arg_count();
        let shift = u32::from(is_local && function.signature.is_vararg());
        Reg::new(old.number() + shift)
    }

    fn insn(&mut self, insn: InsnId) -> Result<()> {
        let code = self.old().code(insn);
        match code {
            Code::Label => {
                let label = self.old().label_of(insn).ok_or(Problem::InternalInsn)?;
                let label = self.module.label(label)?;
                self.emit_label(label)
            }
            Code::Jcall | Code::Jret => Err(Problem::ConfinedInsn.into()),
            Code::Call | Code::Inline => self.call(insn, code),
            Code::Ret => self.ret(insn),
            Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => self.address_of(insn, code),
            Code::Alloca => self.alloca(insn),
            Code::Bstart => self.block_start(insn),
            Code::Bend => self.block_end(insn),
            Code::VaStart => self.list_start(insn),
            Code::VaArg => self.list_argument(insn),
            Code::VaBlockArg => self.list_block(insn),
            Code::VaEnd => Ok(()),
            Code::Laddr => self.label_address(insn),
            Code::Jmpi => self.jump_to(insn),
            Code::Prset => Ok(()),
            _ if code.is_atomic() => self.atomic(insn, code),
            Code::Prbeq | Code::Prbne => self.property_branch(insn, code),
            _ if widths::leaves_open(code) => self.short(insn, code),
            _ => self.plain(insn, code),
        }
    }
}

/// Returns a memory operand at an address of the host that needs no check.
fn raw(ty: Type, base: Option<Reg>, disp: i64) -> Operand {
    Operand::Mem(Mem::at(ty, disp, base))
}
