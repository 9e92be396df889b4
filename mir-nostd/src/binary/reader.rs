//! The reader: tokens to modules. `docs/reference/binary.md` has the grammar.
//!
//! The grammar nests to a fixed depth: a file holds modules, a module items, a function
//! instructions; each level is a loop. Everything is checked that can be checked without knowing
//! the operands that an instruction requires.

use super::labels::Labels;
use super::stream::Source;
use super::tokens::{Kind, MEM_PARTS, Token, Tokens, tag};
use super::words::Word;
use super::{EXTENDED_VERSION, Problem, ReadOptions};
use crate::ir::{
    ArgSpec, Code, Flags, FuncId, ItemId, ItemKind, Label, Mem, Module, Name, Operand, Place,
    Position, Reg, Register, Result, SignatureSpec, Str, Type,
};
use crate::mem::{Allocator, Entity, Vec};

/// The number of bytes of an instruction in typical files, declarations included.
const BYTES_OF_INSN: usize = 12;
/// The maximum number of instructions for which memory is reserved before they are read.
const MOST_INSNS_AT_ONCE: usize = 2048;
/// A number of hard registers that no target exceeds.
const MOST_HARD_REGS: usize = 256;

/// An entry of the file's string table, and its meaning when it was last used.
#[derive(Clone, Copy)]
struct StringEntry {
    /// The start of its bytes in [`Strings::bytes`]; they end where those of the next start.
    start: u32,
    /// The module that last used it, counted from 1, and its number there.
    module: u32,
    string: Str,
    /// The function that last had a register of this name, counted from 1, and the register.
    func: u32,
    reg: Reg,
}

/// The file's string table.
struct Strings<'m> {
    bytes: Vec<'m, u8>,
    entries: Vec<'m, StringEntry>,
}

impl Strings<'_> {
    fn bytes(&self, number: u32) -> Result<&[u8], Problem> {
        let number = number as usize;
        let entry = self.entries.get(number).ok_or(Problem::StringNumber)?;
        let next = self.entries.get(number + 1);
        let end = next.map_or(self.bytes.len(), |next| next.start as usize);
        let bytes = self.bytes.get(entry.start as usize..end);
        bytes.ok_or(Problem::StringNumber)
    }

    fn entry(&mut self, number: u32) -> Result<&mut StringEntry, Problem> {
        let entry = self.entries.get_mut(number as usize);
        entry.ok_or(Problem::StringNumber)
    }

    /// Returns the bytes of a name, without its NUL, which must be the only one.
    fn name(&self, number: u32) -> Result<&[u8], Problem> {
        match self.bytes(number)?.split_last() {
            Some((0, name)) if !name.contains(&0) => Ok(name),
            _ => Err(Problem::NameEnd),
        }
    }

    /// Returns the arguments with their names.
    fn specs<'s>(
        &'s self,
        args: &[FileArg],
        allocator: &'s dyn Allocator,
    ) -> Result<Vec<'s, ArgSpec<'s>>> {
        let mut specs = Vec::with_capacity(allocator, args.len())?;
        for &FileArg { ty, name, size } in args {
            let name = self.name(name)?;
            specs.push(ArgSpec { name, ty, size })?;
        }
        Ok(specs)
    }
}

/// An argument as the file has it.
#[derive(Clone, Copy)]
struct FileArg {
    ty: Type,
    name: u32,
    size: u64,
}

/// A signature as the file has it.
struct FileSignature<'m> {
    vararg: bool,
    results: Vec<'m, Type>,
    args: Vec<'m, FileArg>,
}

impl FileSignature<'_> {
    /// Returns the signature with the arguments that [`Strings::specs`] returned.
    fn spec<'s>(&'s self, args: &'s [ArgSpec<'s>]) -> SignatureSpec<'s> {
        SignatureSpec {
            results: &self.results,
            args,
            vararg: self.vararg,
        }
    }
}

/// The reader of one file.
pub(super) struct Reader<'m, S> {
    allocator: &'m dyn Allocator,
    options: ReadOptions,
    version: u64,
    tokens: Tokens<'m, S>,
    strings: Strings<'m>,
    labels: Labels<'m>,
    modules: Vec<'m, Module<'m>>,
    /// The number of functions begun so far.
    funcs: u32,
    /// For each name of the module, the function that last had a register of this name, counted
    /// from 1, and the register. Entries of the string table know as much, but two of them may be
    /// the same name.
    regs: Vec<'m, (u32, Reg)>,
    /// The hard registers that variables of the current function are tied to, and the variables'
    /// types.
    hard_regs: Vec<'m, (Name, Type)>,
    /// The elements of the current data item.
    data: Vec<'m, u8>,
}

impl<'m, S: Source> Reader<'m, S> {
    pub(super) fn new(
        tokens: Tokens<'m, S>,
        allocator: &'m dyn Allocator,
        options: &ReadOptions,
    ) -> Self {
        Reader {
            allocator,
            options: *options,
            version: 0,
            tokens,
            strings: Strings {
                bytes: Vec::new(allocator),
                entries: Vec::new(allocator),
            },
            labels: Labels::new(allocator),
            modules: Vec::new(allocator),
            funcs: 0,
            regs: Vec::new(allocator),
            hard_regs: Vec::new(allocator),
            data: Vec::new(allocator),
        }
    }

    /// Reads the whole file.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn read(mut self) -> Result<Vec<'m, Module<'m>>> {
        let error = match self.file() {
            Ok(()) => None,
            Err(error) => Some(self.tokens.failure().unwrap_or(error)),
        };
        let error = match error {
            Some(error) if error.problem == Problem::OutOfMemory => return Err(error),
            error => error.map(|error| error.or_at(self.tokens.place())),
        };
        // Damage of the container takes precedence over errors in its contents.
        match error {
            Some(error) if matches!(error.place, Place::Byte(_)) => Err(error),
            _ => self.tokens.drain().and(error.map_or(Ok(self.modules), Err)),
        }
    }

    #[inline(never)]
    fn file(&mut self) -> Result<()> {
        self.version = self.tokens.unsigned()?;
        if self.version > EXTENDED_VERSION {
            return Err(Problem::NewVersion.into());
        }
        self.string_table()?;
        loop {
            let token = self.tokens.next();
            match token.kind {
                Kind::Name => match self.word(token)? {
                    Word::Module => self.module()?,
                    Word::EndModule => return Err(Problem::EndOfNoModule.into()),
                    Word::EndFunc => return Err(Problem::EndOfNoFunc.into()),
                    _ => return Err(Problem::ItemOutsideModule.into()),
                },
                Kind::EndOfFile => return Ok(()),
                Kind::Label | Kind::Unsigned => return Err(Problem::InsnOutsideFunc.into()),
                _ => return Err(Problem::WrongToken.into()),
            }
        }
    }

    #[cfg_attr(small_code, inline(never))]
    fn string_table(&mut self) -> Result<()> {
        let count = self.tokens.unsigned()?;
        let sure = count.min(self.tokens.bytes_at_hand() as u64);
        self.strings.entries.reserve(sure as usize)?;
        for _ in 0..count {
            let len = self.tokens.unsigned()?;
            let start = self.strings.bytes.len();
            self.tokens.bytes(len, &mut self.strings.bytes)?;
            self.strings.entries.push(StringEntry {
                start: start as u32,
                module: 0,
                string: Str::new(0),
                func: 0,
                reg: Reg::new(0),
            })?;
        }
        Ok(())
    }

    /// Returns the directive that a NAME token denotes.
    fn word(&self, token: Token) -> Result<Word> {
        let bytes = self.strings.bytes(token.payload as u32)?;
        Ok(Word::from_text(bytes).ok_or(Problem::WordUnknown)?)
    }

    // ---- modules and items

    #[cfg_attr(small_code, inline(never))]
    fn module(&mut self) -> Result<()> {
        let name = self.tokens.name()?;
        let name = self.strings.name(name)?;
        let mut module = Module::new(self.allocator, name, self.options.long_double)?;
        self.labels.begin_module();
        module.begin_bulk();
        if self.modules.is_empty() {
            // Usually there is only one module, which is then the whole rest of the file. Failure
            // is harmless, as reserving is only an economy.
            let insns = (self.tokens.bytes_at_hand() / BYTES_OF_INSN).min(MOST_INSNS_AT_ONCE);
            let _ = module.reserve(self.strings.entries.len(), insns);
        }
        self.items(&mut module)?;
        module.end_bulk();
        Ok(self.modules.push(module)?)
    }

    #[cfg_attr(small_code, inline(never))]
    fn items(&mut self, module: &mut Module<'m>) -> Result<()> {
        loop {
            let token = self.tokens.next();
            match token.kind {
                Kind::Name => match self.word(token)? {
                    Word::EndModule => return Ok(()),
                    Word::EndFunc => return Err(Problem::EndOfNoFunc.into()),
                    Word::Func => self.func(module)?,
                    word => self.item(word, module)?,
                },
                Kind::EndOfFile => return Err(Problem::ModuleNotEnded.into()),
                Kind::Label | Kind::Unsigned => return Err(Problem::InsnOutsideFunc.into()),
                _ => return Err(Problem::WrongToken.into()),
            }
        }
    }

    /// Reads the rest of an item, after its word, that is not a function.
    fn item(&mut self, word: Word, module: &mut Module<'m>) -> Result<()> {
        let has_name = match word {
            Word::Bss | Word::Ref | Word::Lref | Word::Expr | Word::Data => false,
            Word::Module => return Err(Problem::ModuleInModule.into()),
            Word::Local | Word::Global => return Err(Problem::InsnOutsideFunc.into()),
            _ => true,
        };
        let name = has_name.then(|| self.tokens.name()).transpose()?;
        match word {
            Word::Proto => self.proto(name.unwrap_or(0), module)?,
            Word::Data | Word::NamedData => self.data(name, module)?,
            Word::Lref | Word::NamedLref => self.lref(name, module)?,
            Word::Ref | Word::NamedRef => {
                let item = self.item_named(module)?;
                let disp = self.tokens.signed()?;
                module.ref_data(self.optional_name(name)?, item, disp)?;
            }
            Word::Expr | Word::NamedExpr => {
                let item = self.item_named(module)?;
                if !matches!(module.item(item).kind, ItemKind::Func(_)) {
                    return Err(Problem::NotAFunction.into());
                }
                module.expr_data(self.optional_name(name)?, item)?;
            }
            Word::Bss | Word::NamedBss => {
                let len = self.tokens.unsigned()?;
                module.bss(self.optional_name(name)?, len)?;
            }
            _ => self.declaration(word, name.unwrap_or(0), module)?,
        }
        Ok(())
    }

    fn optional_name(&self, name: Option<u32>) -> Result<Option<&[u8]>, Problem> {
        name.map(|name| self.strings.name(name)).transpose()
    }

    fn declaration(&mut self, word: Word, name: u32, module: &mut Module<'m>) -> Result<()> {
        let name = self.strings.name(name)?;
        match word {
            Word::Import => module.import(name)?,
            Word::Export => module.export(name)?,
            Word::Forward => module.forward(name)?,
            _ => return Err(Problem::WordUnknown.into()),
        };
        Ok(())
    }

    /// Returns the item whose name is next.
    fn item_named(&mut self, module: &mut Module<'m>) -> Result<ItemId> {
        let name = self.tokens.name()?;
        self.item_of(name, module)
    }

    fn item_of(&mut self, name: u32, module: &mut Module<'m>) -> Result<ItemId> {
        let name = self.name(name, module)?;
        Ok(module.item_named(name).ok_or(Problem::UndeclaredName)?)
    }

    fn lref(&mut self, name: Option<u32>, module: &mut Module<'m>) -> Result<()> {
        let label = self.tokens.signed()?;
        let label = self.lref_label(label, module)?;
        let label2 = match self.tokens.signed()? {
            -1 => None,
            number => Some(self.lref_label(number, module)?),
        };
        let disp = self.tokens.signed()?;
        module.lref_data(self.optional_name(name)?, label, label2, disp)?;
        Ok(())
    }

    fn lref_label(&mut self, number: i64, module: &mut Module<'m>) -> Result<Label> {
        let number = u32::try_from(number).map_err(|_| Problem::LabelNumber)?;
        let read = self.tokens.bytes_read();
        self.labels.in_lref(number, read, module)
    }

    fn data(&mut self, name: Option<u32>, module: &mut Module<'m>) -> Result<()> {
        let ty = self.tokens.ty()?;
        if ty.is_block() {
            return Err(Problem::DataType.into());
        }
        self.data.clear();
        loop {
            let token = self.tokens.next();
            match (token.kind, ty) {
                (Kind::EndOfGroup, _) => break,
                (Kind::LongDouble, Type::Ld) => {
                    let bits = self.long_double();
                    self.data.extend_from_slice(&bits.to_le_bytes())?;
                }
                (kind, ty) if kind == element_kind(ty) => {
                    let bytes = token.payload.to_le_bytes();
                    self.data.extend_from_first(&bytes, ty.size() as usize)?;
                }
                _ => return Err(Problem::NotDataElement.into()),
            }
        }
        module.data(self.optional_name(name)?, ty, &self.data)?;
        Ok(())
    }

    /// Returns the bits of the long double that was the last token.
    fn long_double(&self) -> u128 {
        let format = self.options.long_double;
        let bytes = self.tokens.long_double();
        format.from_payload(bytes, self.options.big_endian).0
    }

    // ---- signatures

    fn proto(&mut self, name: u32, module: &mut Module<'m>) -> Result<()> {
        let read = self.signature()?;
        let args = self.strings.specs(&read.args, self.allocator)?;
        module.proto(self.strings.name(name)?, read.spec(&args))?;
        Ok(())
    }

    fn signature(&mut self) -> Result<FileSignature<'m>> {
        let vararg = self.tokens.unsigned()? != 0;
        let mut results = Vec::new(self.allocator);
        for _ in 0..self.tokens.unsigned()? {
            results.push(self.tokens.ty()?)?;
        }
        Ok(FileSignature {
            vararg,
            results,
            args: self.args()?,
        })
    }

    fn args(&mut self) -> Result<Vec<'m, FileArg>> {
        let mut args = Vec::new(self.allocator);
        while let Some(ty) = self.type_or_end()? {
            let name = self.tokens.name()?;
            let size = if ty.is_block() {
                self.tokens.unsigned()?
            } else {
                0
            };
            args.push(FileArg { ty, name, size })?;
        }
        Ok(args)
    }

    /// Returns the next type of a group, `None` at its end.
    fn type_or_end(&mut self) -> Result<Option<Type>> {
        let token = self.tokens.next();
        match token.kind {
            Kind::EndOfGroup => Ok(None),
            _ => Tokens::<S>::type_of(token).map(Some),
        }
    }

    // ---- functions

    #[cfg_attr(small_code, inline(never))]
    fn func(&mut self, module: &mut Module<'m>) -> Result<()> {
        let name = self.tokens.name()?;
        let read = self.signature()?;
        let args = self.strings.specs(&read.args, self.allocator)?;
        let func = module.add_func(self.strings.name(name)?, read.spec(&args))?;
        drop(args);
        self.funcs += 1;
        self.labels.begin_func();
        self.hard_regs.clear();
        for (number, arg) in read.args.iter().enumerate() {
            let string = self.name(arg.name, module)?;
            self.bind(arg.name, string, Reg::new(number as u32))?;
        }
        if !self.body(func, module)? {
            module.finish_func(func)?;
        }
        Ok(())
    }

    /// Reads variables, labels and instructions to the end of the function; returns whether there
    /// was a `ret` or `jret`.
    #[cfg_attr(small_code, inline(never))]
    fn body(&mut self, func: FuncId, module: &mut Module<'m>) -> Result<bool> {
        let (mut returns, mut is_labelled) = (false, false);
        loop {
            let token = self.tokens.next_inlined();
            match token.kind {
                Kind::Unsigned => {
                    let code = self.insn(token.payload, func, module)?;
                    returns |= matches!(code, Code::Ret | Code::Jret);
                }
                Kind::Label => {
                    let label = self.label(token, module)?;
                    module.insert_label(func, Position::End, label)?;
                }
                Kind::Name => match self.word(token)? {
                    Word::EndFunc => return Ok(returns),
                    _ if is_labelled => return Err(Problem::LabelsBeforeDirective.into()),
                    Word::Local => self.locals(func, module)?,
                    Word::Global => self.globals(func, module)?,
                    Word::Func => return Err(Problem::FuncInFunc.into()),
                    Word::EndModule => return Err(Problem::FuncNotEnded.into()),
                    word => self.item(word, module)?,
                },
                Kind::EndOfFile => return Err(Problem::FuncNotEnded.into()),
                _ => return Err(Problem::WrongToken.into()),
            }
            is_labelled = token.kind == Kind::Label;
        }
    }

    fn locals(&mut self, func: FuncId, module: &mut Module<'m>) -> Result<()> {
        while let Some(ty) = self.type_or_end()? {
            let name = self.tokens.name()?;
            self.variable(func, name, ty, None, module)?;
        }
        Ok(())
    }

    fn globals(&mut self, func: FuncId, module: &mut Module<'m>) -> Result<()> {
        while let Some(ty) = self.type_or_end()? {
            let (name, hard_reg) = (self.tokens.name()?, self.tokens.name()?);
            let hard_reg = self.name(hard_reg, module)?;
            self.check_hard_reg(hard_reg, ty)?;
            self.variable(func, name, ty, Some(hard_reg), module)?;
        }
        Ok(())
    }

    /// Checks that the variables on one hard register, which share it, have one type.
    fn check_hard_reg(&mut self, name: Name, ty: Type) -> Result<()> {
        match self.hard_regs.iter().find(|(known, _)| *known == name) {
            Some((_, known)) if *known != ty => Err(Problem::HardRegTypes.into()),
            Some(_) => Ok(()),
            None if self.hard_regs.len() == MOST_HARD_REGS => Err(Problem::HardRegCount.into()),
            None => Ok(self.hard_regs.push((name, ty))?),
        }
    }

    fn variable(
        &mut self,
        func: FuncId,
        name: u32,
        ty: Type,
        hard_reg: Option<Name>,
        module: &mut Module<'m>,
    ) -> Result<()> {
        let entry = *self.strings.entry(name)?;
        let is_known = entry.module == self.modules.len() as u32 + 1 && entry.func != 0;
        let mut register = Register {
            name: entry.string,
            ty,
            hard_reg,
        };
        // A name that named a register before can name one again.
        let reg = if is_known && ty.class().ty() == ty {
            module.push_register(func, register)?
        } else {
            register.name = self.name(name, module)?;
            module.add_register(func, register)?
        };
        self.bind(name, register.name, reg)
    }

    /// Binds a name, as the file's number and the module's, to a register in the current function.
    fn bind(&mut self, name: u32, string: Name, reg: Reg) -> Result<()> {
        let (func, index) = (self.funcs, string.index());
        if index >= self.regs.len() {
            self.regs.resize(index + 1, (0, Reg::new(0)))?;
        }
        if self.regs[index].0 == func {
            return Err(Problem::RepeatedReg.into());
        }
        self.regs[index] = (func, reg);
        let entry = self.strings.entry(name)?;
        (entry.func, entry.reg) = (func, reg);
        Ok(())
    }

    /// Reads the operands of an instruction and adds it to the function.
    fn insn(&mut self, number: u64, func: FuncId, module: &mut Module<'m>) -> Result<Code> {
        let code = Code::from_number(number)
            .filter(|code| !code.flags().contains(Flags::INTERNAL))
            .filter(|code| !code.is_extension() || self.version == EXTENDED_VERSION)
            .ok_or(Problem::WrongInsnCode)?;
        let mark = module.operand_mark();
        if code.is_variable() {
            while self.operand(module)? {}
        } else {
            for _ in code.modes() {
                if !self.operand(module)? {
                    return Err(Problem::OperandMissing.into());
                }
            }
        }
        module.append_pushed(func, code, mark)?;
        Ok(code)
    }

    /// Reads one operand; returns false at the end of the group of operands.
    fn operand(&mut self, module: &mut Module<'m>) -> Result<bool> {
        let token = self.tokens.next_inlined();
        let number = token.payload as u32;
        match token.kind {
            Kind::Reg => {
                let reg = self.reg(number, module)?;
                module.push_operand(Operand::Reg(reg))?;
            }
            Kind::Signed => module.push_operand(Operand::Int(token.payload as i64))?,
            Kind::Unsigned => module.push_operand(Operand::Uint(token.payload))?,
            Kind::Mem => {
                let mem = self.mem(token.tag, module)?;
                module.push_operand(Operand::Mem(mem))?;
            }
            Kind::Label => {
                let label = self.label(token, module)?;
                module.push_operand(Operand::Label(label))?;
            }
            Kind::EndOfGroup => return Ok(false),
            _ => self.rare_operand(token, module)?,
        }
        Ok(true)
    }

    fn rare_operand(&mut self, token: Token, module: &mut Module<'m>) -> Result<()> {
        let number = token.payload as u32;
        let operand = match token.kind {
            Kind::Name => Operand::Item(self.item_of(number, module)?),
            Kind::Float => Operand::Float(f32::from_bits(number)),
            Kind::Double => Operand::Double(f64::from_bits(token.payload)),
            Kind::LongDouble => Operand::LongDouble(self.long_double()),
            Kind::Str => Operand::Str(self.string(number, module)?),
            _ => return Err(Problem::WrongToken.into()),
        };
        module.push_operand(operand)
    }

    fn label(&mut self, token: Token, module: &mut Module<'m>) -> Result<Label> {
        let read = self.tokens.bytes_read();
        self.labels.in_func(token.payload as u32, read, module)
    }

    /// Returns the register of this name in the current function.
    fn reg(&mut self, name: u32, module: &mut Module<'m>) -> Result<Reg> {
        let func = self.funcs;
        let entry = self.strings.entry(name)?;
        if entry.func != func {
            return self.reg_of_twin(name, module);
        }
        Ok(entry.reg)
    }

    /// Returns the register of this name, if another entry of the string table is the same name.
    #[cold]
    fn reg_of_twin(&mut self, name: u32, module: &mut Module<'m>) -> Result<Reg> {
        let name = self.name(name, module)?;
        match self.regs.get(name.index()) {
            Some(&(func, reg)) if func == self.funcs => Ok(reg),
            _ => Err(Problem::UndeclaredReg.into()),
        }
    }

    fn next_reg(&mut self, module: &mut Module<'m>) -> Result<Reg> {
        let name = self.tokens.reg()?;
        self.reg(name, module)
    }

    fn mem(&mut self, its_tag: u8, module: &mut Module<'m>) -> Result<Mem> {
        let has_alias = its_tag >= tag::MEM_ALIAS;
        let first = if has_alias { tag::MEM_ALIAS } else { tag::MEM };
        let parts = MEM_PARTS.get(usize::from(its_tag - first));
        let &(has_disp, has_base, has_index) = parts.ok_or(Problem::WrongToken)?;
        let ty = self.tokens.ty()?;
        let disp = if has_disp { self.tokens.signed()? } else { 0 };
        let base = has_base.then(|| self.next_reg(module)).transpose()?;
        let index = has_index.then(|| self.next_reg(module)).transpose()?;
        let scale = match has_index {
            true => u8::try_from(self.tokens.unsigned()?).map_err(|_| Problem::WrongScale)?,
            false => 1,
        };
        let (alias, nonalias) = match has_alias {
            true => (self.alias(module)?, self.alias(module)?),
            false => (None, None),
        };
        Ok(Mem {
            ty,
            disp,
            base,
            index,
            scale,
            alias,
            nonalias,
        })
    }

    /// Returns an alias name; the empty one means none.
    fn alias(&mut self, module: &mut Module<'m>) -> Result<Option<Name>> {
        let number = self.tokens.name()?;
        let is_none = self.strings.bytes(number)? == [0];
        (!is_none).then(|| self.name(number, module)).transpose()
    }

    /// Returns the module's number of a name of the file.
    fn name(&mut self, number: u32, module: &mut Module<'m>) -> Result<Name> {
        self.strings.name(number)?;
        self.string(number, module)
    }

    /// Returns the module's number of a string of the file.
    fn string(&mut self, number: u32, module: &mut Module<'m>) -> Result<Str> {
        let modules = self.modules.len() as u32 + 1;
        let entry = *self.strings.entry(number)?;
        if entry.module == modules {
            return Ok(entry.string);
        }
        let string = module.add_str(self.strings.bytes(number)?)?;
        let entry = self.strings.entry(number)?;
        (entry.module, entry.string) = (modules, string);
        Ok(string)
    }
}

/// Returns the kind of token that elements of a data item of this type must be.
const fn element_kind(ty: Type) -> Kind {
    match ty {
        Type::F => Kind::Float,
        Type::D => Kind::Double,
        Type::Ld => Kind::LongDouble,
        _ if ty.is_signed() => Kind::Signed,
        _ => Kind::Unsigned,
    }
}
