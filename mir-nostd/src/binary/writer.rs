//! The writer: modules to tokens. `docs/reference/binary.md` has the grammar.
//!
//! The modules are walked twice in exactly the order of output: first to number the strings in
//! order of first use, then to write.

use super::pack::Packer;
use super::stream::Sink;
use super::tokens::{MEM_PARTS, tag};
use super::words::Word;
use super::{EXTENDED_VERSION, VERSION};
use crate::ir::{
    Code, Data, Error, FuncId, InsnId, ItemId, ItemKind, Label, Mem, Module, Name, Operand, Place,
    Problem, Reg, Register, Result, Signature, Str, Type,
};
use crate::mem::{Allocator, Entity, HashKey, HashTable, Vec};
use crate::num::LongDouble;

/// Writes the token stream of a file.
pub(super) fn write<S: Sink>(
    modules: &[Module<'_>],
    packer: &mut Packer<'_, '_, S>,
    big_endian: bool,
    allocator: &dyn Allocator,
) -> Result<()> {
    let mut writer = Writer {
        modules,
        packer: None,
        strings: Strings::new(modules, allocator)?,
        number: 0,
        big_endian,
    };
    writer.all_modules()?;
    writer.packer = Some(packer);
    let is_extended = modules.iter().any(Module::uses_extension);
    writer.unsigned(if is_extended {
        EXTENDED_VERSION
    } else {
        VERSION
    })?;
    writer.string_table()?;
    writer.all_modules()?;
    writer.put(&[tag::END_OF_FILE])
}

/// A byte sequence that the file contains: a word of the format, or a string of a module.
#[derive(Clone, Copy)]
enum Text {
    Word(Word),
    Of { module: u32, string: Str },
}

/// The numbers of strings in the file.
struct Strings<'m> {
    /// The numbers + 1, first of the words, then of every string of every module; 0 for a string
    /// not used yet.
    numbers: Vec<'m, u32>,
    /// For each module, the start of its strings in `numbers`.
    starts: Vec<'m, u32>,
    /// The text of each number.
    texts: Vec<'m, Text>,
    /// The table of numbers by their bytes.
    table: HashTable<'m>,
    key: HashKey,
}

impl<'m> Strings<'m> {
    fn new(modules: &[Module<'_>], allocator: &'m dyn Allocator) -> Result<Strings<'m>> {
        let mut strings = Strings {
            numbers: Vec::new(allocator),
            starts: Vec::new(allocator),
            texts: Vec::new(allocator),
            table: HashTable::new(allocator),
            key: HashKey::new(allocator.hash_seed()),
        };
        let mut count = Word::ALL.len();
        for module in modules {
            strings.starts.push(count as u32)?;
            count += module.str_count();
        }
        strings.numbers.resize(count, 0)?;
        Ok(strings)
    }

    /// Returns the number of a text, which is assigned if it has none.
    fn number(&mut self, text: Text, modules: &[Module<'_>]) -> Result<u32> {
        let slot = match text {
            Text::Word(word) => word as usize,
            Text::Of { module, string } => self.starts[module as usize] as usize + string.index(),
        };
        if self.numbers[slot] == 0 {
            self.numbers[slot] = self.intern(text, modules)? + 1;
        }
        Ok(self.numbers[slot] - 1)
    }

    fn intern(&mut self, text: Text, modules: &[Module<'_>]) -> Result<u32> {
        let bytes = text.bytes(modules);
        let hash = self.key.bytes(bytes);
        let is_it = |number: u32| self.texts[number as usize].bytes(modules) == bytes;
        if let Some(known) = self.table.find(hash, is_it) {
            return Ok(known);
        }
        let number = self.texts.len() as u32;
        self.texts.push(text)?;
        self.table.insert(hash, number)?;
        Ok(number)
    }
}

impl Text {
    fn bytes<'a>(&self, modules: &'a [Module<'_>]) -> &'a [u8] {
        match *self {
            Text::Word(word) => word.text(),
            Text::Of { module, string } => modules[module as usize].str_bytes(string),
        }
    }
}

/// A walk over modules that writes them, or only numbers their strings if there is no packer.
struct Writer<'w, 'b, 's, 'p, 'm, S> {
    modules: &'w [Module<'b>],
    packer: Option<&'w mut Packer<'s, 'p, S>>,
    strings: Strings<'m>,
    /// The number of the current module.
    number: usize,
    big_endian: bool,
}

impl<'w, 'b, S: Sink> Writer<'w, 'b, '_, '_, '_, S> {
    // ---- tokens

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.packer {
            Some(packer) => packer.take(bytes),
            None => Ok(()),
        }
    }

    /// Writes a tag of the group that begins with `first`, and a number in as few bytes as
    /// possible.
    fn tagged(&mut self, first: u8, number: u64) -> Result<()> {
        let len = (64 - number.leading_zeros()).div_ceil(8).max(1) as u8;
        let mut bytes = [0; 9];
        bytes[0] = first + len - 1;
        bytes[1..].copy_from_slice(&number.to_le_bytes());
        self.put(&bytes[..=usize::from(len)])
    }

    fn unsigned(&mut self, number: u64) -> Result<()> {
        match u8::try_from(number) {
            Ok(small) if small < tag::SMALL => self.put(&[tag::SMALL | small]),
            _ => self.tagged(tag::UNSIGNED, number),
        }
    }

    fn signed(&mut self, number: i64) -> Result<()> {
        self.tagged(tag::SIGNED, number as u64)
    }

    fn float(&mut self, bits: u32) -> Result<()> {
        self.put(&[tag::FLOAT])?;
        self.put(&bits.to_le_bytes())
    }

    fn double(&mut self, bits: u64) -> Result<()> {
        self.put(&[tag::DOUBLE])?;
        self.put(&bits.to_le_bytes())
    }

    fn long_double(&mut self, bits: u128) -> Result<()> {
        let format = self.module().long_double();
        self.put(&[tag::LONG_DOUBLE])?;
        self.put(&format.to_payload(LongDouble(bits), self.big_endian))
    }

    fn ty(&mut self, ty: Type) -> Result<()> {
        self.put(&[tag::TYPE + ty as u8])
    }

    fn end_of_group(&mut self) -> Result<()> {
        self.put(&[tag::END_OF_GROUP])
    }

    fn word(&mut self, word: Word) -> Result<()> {
        let number = self.strings.number(Text::Word(word), self.modules)?;
        self.tagged(tag::NAME, u64::from(number))
    }

    /// Writes a string of the module, under a tag of the group that begins with `first`.
    fn string(&mut self, first: u8, string: Str) -> Result<()> {
        let module = self.number as u32;
        let text = Text::Of { module, string };
        let number = self.strings.number(text, self.modules)?;
        self.tagged(first, u64::from(number))
    }

    fn name(&mut self, name: Name) -> Result<()> {
        self.name_under(tag::NAME, name)
    }

    fn name_under(&mut self, first: u8, name: Name) -> Result<()> {
        if self.module().name_bytes(name).contains(&0) {
            return Err(Problem::NameEnd.into());
        }
        self.string(first, name)
    }

    fn string_table(&mut self) -> Result<()> {
        self.unsigned(self.strings.texts.len() as u64)?;
        for number in 0..self.strings.texts.len() {
            let bytes = self.strings.texts[number].bytes(self.modules);
            self.unsigned(bytes.len() as u64)?;
            self.put(bytes)?;
        }
        Ok(())
    }

    // ---- modules and items

    fn module(&self) -> &'w Module<'b> {
        &self.modules[self.number]
    }

    fn all_modules(&mut self) -> Result<()> {
        for number in 0..self.modules.len() {
            self.number = number;
            let module = self.module();
            self.word(Word::Module)?;
            self.name(module.name())?;
            for (_, item) in module.items() {
                self.item(item.name, &item.kind)?;
            }
            self.word(Word::EndModule)?;
        }
        Ok(())
    }

    fn item(&mut self, name: Option<Name>, kind: &ItemKind) -> Result<()> {
        match *kind {
            ItemKind::Import => self.statement(name, Word::Import, Word::Import),
            ItemKind::Export => self.statement(name, Word::Export, Word::Export),
            ItemKind::Forward => self.statement(name, Word::Forward, Word::Forward),
            ItemKind::Proto(signature) => {
                self.statement(name, Word::Proto, Word::Proto)?;
                self.signature(&signature)
            }
            ItemKind::Func(func) => {
                self.statement(name, Word::Func, Word::Func)?;
                self.func(func)
            }
            ItemKind::Data(data) => {
                self.statement(name, Word::Data, Word::NamedData)?;
                self.data(&data)
            }
            ItemKind::Bss { len } => {
                self.statement(name, Word::Bss, Word::NamedBss)?;
                self.unsigned(len)
            }
            ItemKind::Ref { item, disp } => {
                self.statement(name, Word::Ref, Word::NamedRef)?;
                self.item_name(item)?;
                self.signed(disp)
            }
            ItemKind::Lref {
                label,
                label2,
                disp,
            } => {
                self.statement(name, Word::Lref, Word::NamedLref)?;
                let number = |label| i64::from(self.module().label_number(label));
                let (first, second) = (number(label), label2.map_or(-1, number));
                self.signed(first)?;
                self.signed(second)?;
                self.signed(disp)
            }
            ItemKind::Expr { func } => {
                self.statement(name, Word::Expr, Word::NamedExpr)?;
                self.item_name(func)
            }
        }
    }

    /// Writes the word of an item, `named` if it has a name, and the name.
    fn statement(&mut self, name: Option<Name>, unnamed: Word, named: Word) -> Result<()> {
        match name {
            Some(name) => {
                self.word(named)?;
                self.name(name)
            }
            None => self.word(unnamed),
        }
    }

    fn item_name(&mut self, item: ItemId) -> Result<()> {
        match self.module().item(item).name {
            Some(name) => self.name(name),
            None => Err(Error::at(Problem::NamelessItem, Place::Item(item))),
        }
    }

    fn signature(&mut self, signature: &Signature) -> Result<()> {
        let module = self.module();
        self.unsigned(u64::from(signature.is_vararg()))?;
        self.unsigned(module.results(signature).len() as u64)?;
        for &result in module.results(signature) {
            self.ty(result)?;
        }
        for arg in module.args(signature) {
            self.ty(arg.ty)?;
            self.name(arg.name)?;
            if arg.ty.is_block() {
                self.unsigned(arg.size)?;
            }
        }
        self.end_of_group()
    }

    fn data(&mut self, data: &Data) -> Result<()> {
        self.ty(data.ty)?;
        let bytes = self.module().data_bytes(data);
        for element in bytes.chunks_exact(data.ty.size() as usize) {
            self.element(data.ty, element)?;
        }
        self.end_of_group()
    }

    /// Writes an element of data from its bytes in little-endian order.
    fn element(&mut self, ty: Type, bytes: &[u8]) -> Result<()> {
        let number = |bits: u128, &byte: &u8| bits << 8 | u128::from(byte);
        let bits = bytes.iter().rev().fold(0, number);
        match ty {
            Type::F => self.float(bits as u32),
            Type::D => self.double(bits as u64),
            Type::Ld => self.long_double(bits),
            _ if ty.is_signed() => {
                let unused = 64 - 8 * bytes.len() as u32;
                self.signed((bits as i64) << unused >> unused)
            }
            _ => self.unsigned(bits as u64),
        }
    }

    // ---- functions

    fn func(&mut self, func: FuncId) -> Result<()> {
        let module = self.module();
        let its = module.func(func);
        self.signature(&its.signature)?;
        let variables = its.registers().get(its.arg_count()..).unwrap_or_default();
        self.variables(variables, Word::Local)?;
        self.variables(variables, Word::Global)?;
        for insn in module.insns(func) {
            self.insn(func, insn)?;
        }
        if its
            .last()
            .is_some_and(|last| module.code(last) == Code::Label)
        {
            self.end_behind_label(func)?;
        }
        self.word(Word::EndFunc)
    }

    /// Writes as one group, which this word begins, the variables that are tied to a hard register
    /// ([`Word::Global`]), or those that are not.
    fn variables(&mut self, variables: &[Register], word: Word) -> Result<()> {
        let mut group = variables
            .iter()
            .filter(|variable| variable.hard_reg.is_some() == (word == Word::Global))
            .peekable();
        if group.peek().is_none() {
            return Ok(());
        }
        self.word(word)?;
        for variable in group {
            self.ty(variable.ty)?;
            self.name(variable.name)?;
            if let Some(hard_reg) = variable.hard_reg {
                self.name(hard_reg)?;
            }
        }
        self.end_of_group()
    }

    /// Writes a return after labels at the end of a function, which the reference implementation
    /// does not read otherwise.
    fn end_behind_label(&mut self, func: FuncId) -> Result<()> {
        let module = self.module();
        if module
            .insns(func)
            .any(|insn| module.code(insn) == Code::Jret)
        {
            self.unsigned(u64::from(Code::Jret.number()))?;
            return self.signed(0);
        }
        self.unsigned(u64::from(Code::Ret.number()))?;
        for &result in module.results(&module.func(func).signature) {
            self.operand(func, Operand::zero(result))?;
        }
        self.end_of_group()
    }

    fn insn(&mut self, func: FuncId, insn: InsnId) -> Result<()> {
        let module = self.module();
        if let Some(label) = module.label_of(insn) {
            return self.label(label);
        }
        let code = module.code(insn);
        self.unsigned(u64::from(code.number()))?;
        for operand in module.operands(insn) {
            self.operand(func, operand)?;
        }
        if code.is_variable() {
            self.end_of_group()?;
        }
        Ok(())
    }

    fn label(&mut self, label: Label) -> Result<()> {
        let number = self.module().label_number(label);
        self.tagged(tag::LABEL, u64::from(number))
    }

    fn reg(&mut self, func: FuncId, reg: Reg) -> Result<()> {
        match self.module().func(func).registers().get(reg.index()) {
            Some(register) => self.name_under(tag::REG, register.name),
            None => Err(Problem::UndeclaredReg.into()),
        }
    }

    fn operand(&mut self, func: FuncId, operand: Operand) -> Result<()> {
        match operand {
            Operand::Reg(reg) => self.reg(func, reg),
            Operand::Int(number) => self.signed(number),
            Operand::Uint(number) => self.unsigned(number),
            Operand::Float(number) => self.float(number.to_bits()),
            Operand::Double(number) => self.double(number.to_bits()),
            Operand::LongDouble(bits) => self.long_double(bits),
            Operand::Str(string) => self.string(tag::STR, string),
            Operand::Item(item) => self.item_name(item),
            Operand::Label(label) => self.label(label),
            Operand::Mem(mem) => self.mem(func, &mem),
        }
    }

    fn mem(&mut self, func: FuncId, mem: &Mem) -> Result<()> {
        let has_disp = mem.disp != 0 || mem.base.is_none() && mem.index.is_none();
        let parts = (has_disp, mem.base.is_some(), mem.index.is_some());
        let form = MEM_PARTS.iter().position(|&form| form == parts);
        let has_alias = mem.alias.is_some() || mem.nonalias.is_some();
        let first = if has_alias { tag::MEM_ALIAS } else { tag::MEM };
        self.put(&[first + form.unwrap_or_default() as u8])?;
        self.ty(mem.ty)?;
        if has_disp {
            self.signed(mem.disp)?;
        }
        if let Some(base) = mem.base {
            self.reg(func, base)?;
        }
        if let Some(index) = mem.index {
            self.reg(func, index)?;
            self.unsigned(u64::from(mem.scale))?;
        }
        if has_alias {
            self.alias(mem.alias)?;
            self.alias(mem.nonalias)?;
        }
        Ok(())
    }

    fn alias(&mut self, name: Option<Name>) -> Result<()> {
        match name {
            Some(name) => self.name(name),
            None => self.word(Word::NoName),
        }
    }
}
