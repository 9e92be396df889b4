//! Modules: items, declarations and their rules, data.

use super::confinement::Confinement;
use super::entities::{FuncId, ItemId, Label, Name, Reg, Str};
use super::function::{Function, Insn, Register};
use super::item::{Arg, Binding, Data, Item, ItemKind, Signature, Span};
use super::operand::{Packed, WideValues};
use super::strings::Strings;
use super::{Problem, Result, Type};
use crate::mem::{Allocator, Entity, HashKey, HashTable, IndexMap, OutOfMemory, Vec};
use crate::num::LongDoubleFormat;

/// A label: its number in files, and its place once it has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelRow {
    number: u32,
    /// Both are `u32::MAX` while the label is not placed.
    func: u32,
    insn: u32,
}

impl LabelRow {
    pub(super) fn insn(self) -> Option<super::InsnId> {
        (self.insn != u32::MAX).then(|| super::InsnId::new(self.insn))
    }

    pub(super) fn place(&mut self, func: FuncId, insn: super::InsnId) {
        (self.func, self.insn) = (func.number(), insn.number());
    }

    pub(super) fn displace(&mut self) {
        (self.func, self.insn) = (u32::MAX, u32::MAX);
    }
}

/// An argument of a function or prototype to be made.
#[derive(Clone, Copy, Debug)]
pub struct ArgSpec<'a> {
    /// The argument's name, without a terminating NUL.
    pub name: &'a [u8],
    /// The type, which says how the argument is passed.
    pub ty: Type,
    /// The size of a block in bytes; ignored for other types.
    pub size: u64,
}

impl<'a> ArgSpec<'a> {
    /// Makes an argument that is not a block.
    #[must_use]
    pub const fn new(ty: Type, name: &'a str) -> ArgSpec<'a> {
        ArgSpec {
            name: name.as_bytes(),
            ty,
            size: 0,
        }
    }

    /// Makes a block argument of `size` bytes.
    #[must_use]
    pub const fn block(ty: Type, size: u64, name: &'a str) -> ArgSpec<'a> {
        ArgSpec {
            name: name.as_bytes(),
            ty,
            size,
        }
    }
}

/// The signature of a function or prototype to be made.
#[derive(Clone, Copy, Debug, Default)]
pub struct SignatureSpec<'a> {
    /// The types of the results.
    pub results: &'a [Type],
    /// The fixed arguments.
    pub args: &'a [ArgSpec<'a>],
    /// True if variable arguments follow.
    pub vararg: bool,
}

impl<'a> SignatureSpec<'a> {
    /// Returns the signature of these results and arguments, without variable ones.
    ///
    /// ```
    /// use mir_nostd::ir::{ArgSpec, SignatureSpec, Type};
    /// let args = [ArgSpec::new(Type::I64, "n")];
    /// let signature = SignatureSpec::new(&[Type::D], &args);
    /// assert!(signature.results == [Type::D] && !signature.vararg);
    /// ```
    #[must_use]
    pub const fn new(results: &'a [Type], args: &'a [ArgSpec<'a>]) -> SignatureSpec<'a> {
        SignatureSpec {
            results,
            args,
            vararg: false,
        }
    }
}

/// A module of Medium IR.
///
/// Everything lives in a few pools over the lent allocator: items, functions, instructions,
/// operands, names. Several modules, and several functions of a module, can be under construction
/// at once. A failed operation leaves the module as it was (new names may stay in the string table,
/// where they do no harm).
///
/// [`super::FuncBuilder`] makes functions conveniently.
#[derive(Debug)]
pub struct Module<'m> {
    allocator: &'m dyn Allocator,
    name: Name,
    long_double: LongDoubleFormat,
    pub(super) strings: Strings<'m>,
    pub(super) items: IndexMap<'m, ItemId, Item>,
    bindings: Vec<'m, Binding>,
    /// The number of each name's binding plus 1; 0 or beyond the end if it has none.
    binding_of_name: Vec<'m, u32>,
    pub(super) funcs: IndexMap<'m, FuncId, Function<'m>>,
    /// The state of the table of registers.
    reg_names: RegNames,
    /// The table of registers by function and name.
    reg_table: HashTable<'m>,
    /// The function and register of each number in `reg_table`.
    reg_entries: Vec<'m, (FuncId, Reg)>,
    pub(super) insns: IndexMap<'m, super::InsnId, Insn>,
    pub(super) operands: Vec<'m, Packed>,
    pub(super) wide: WideValues<'m>,
    /// The strings that are operands, in order of use, with repetitions.
    pub(super) str_operands: Vec<'m, Str>,
    pub(super) labels: IndexMap<'m, Label, LabelRow>,
    next_label_number: u32,
    /// The `lref` items, each with the number of the one before that is of the same label.
    lrefs: Vec<'m, (ItemId, u32)>,
    /// The number of the last `lref` of each label, as far as there are any.
    lref_of_label: Vec<'m, u32>,
    /// The hard registers that variables are tied to, with the types of those.
    globals: Vec<'m, (Name, Type)>,
    /// For each name, a bit for each type with which it is in `globals`, as far as there are any.
    global_types: Vec<'m, u32>,
    result_types: Vec<'m, Type>,
    args: Vec<'m, Arg>,
    data: Vec<'m, u8>,
    confinement: Option<Confinement>,
    /// For each instruction the number that faults in it tell; empty if that is its own.
    #[cfg(feature = "ahead")]
    origins: Vec<'m, u32>,
}

/// No `lref`.
const NO_LREF: u32 = u32::MAX;

/// The state of the table of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RegNames {
    /// It has all registers.
    Indexed,
    /// It is not kept: registers are added in bulk, and whoever does so vouches for their names.
    Bulk,
    /// It was not kept; it is rebuilt when a register is added.
    Unindexed,
}

/// The role of a declaration in the rules for names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Import,
    Export,
    Forward,
    Definition,
}

impl<'m> Module<'m> {
    /// Makes an empty module. `long_double` is the format of its long double constants, that of its
    /// target.
    ///
    /// # Errors
    ///
    /// Out of memory; a long double format that this build does not compute with.
    pub fn new(
        allocator: &'m dyn Allocator,
        name: &[u8],
        long_double: LongDoubleFormat,
    ) -> Result<Module<'m>> {
        if !long_double.is_built_in() {
            return Err(Problem::LongDoubleForeign.into());
        }
        let mut strings = Strings::new(allocator);
        let name = strings.name(name)?;
        Ok(Module {
            allocator,
            name,
            long_double,
            strings,
            items: IndexMap::new(allocator),
            bindings: Vec::new(allocator),
            binding_of_name: Vec::new(allocator),
            funcs: IndexMap::new(allocator),
            reg_names: RegNames::Indexed,
            reg_table: HashTable::new(allocator),
            reg_entries: Vec::new(allocator),
            insns: IndexMap::new(allocator),
            operands: Vec::new(allocator),
            wide: WideValues::new(allocator),
            str_operands: Vec::new(allocator),
            labels: IndexMap::new(allocator),
            next_label_number: 1,
            lrefs: Vec::new(allocator),
            lref_of_label: Vec::new(allocator),
            globals: Vec::new(allocator),
            global_types: Vec::new(allocator),
            result_types: Vec::new(allocator),
            args: Vec::new(allocator),
            data: Vec::new(allocator),
            confinement: None,
            #[cfg(feature = "ahead")]
            origins: Vec::new(allocator),
        })
    }

    /// Returns the allocator that the module takes its memory from.
    #[must_use]
    pub const fn allocator(&self) -> &'m dyn Allocator {
        self.allocator
    }

    /// Returns the module's name.
    #[must_use]
    pub const fn name(&self) -> Name {
        self.name
    }

    /// Returns the format of the module's long double constants.
    #[must_use]
    pub const fn long_double(&self) -> LongDoubleFormat {
        self.long_double
    }

    // ---- names and strings

    /// Returns the bytes of a name, without the terminating NUL.
    #[must_use]
    pub fn name_bytes(&self, name: Name) -> &[u8] {
        let bytes = self.strings.get(name);
        bytes.strip_suffix(&[0]).unwrap_or(bytes)
    }

    /// Returns all bytes of a string, a terminating NUL included.
    #[must_use]
    pub fn str_bytes(&self, string: Str) -> &[u8] {
        self.strings.get(string)
    }

    /// Adds a name if the module does not have it; `name` has no terminating NUL.
    ///
    /// # Errors
    ///
    /// Out of memory, or the names take more than 4 GiB.
    pub fn add_name(&mut self, name: &[u8]) -> Result<Name> {
        self.strings.name(name)
    }

    /// Adds a string, unchanged, if the module does not have it: a terminating NUL is up to the
    /// caller.
    ///
    /// # Errors
    ///
    /// Out of memory, or the strings take more than 4 GiB.
    pub fn add_str(&mut self, bytes: &[u8]) -> Result<Str> {
        self.strings.string(bytes)
    }

    /// Returns the name of these bytes, if the module has it.
    #[must_use]
    pub fn find_name(&self, name: &[u8]) -> Option<Name> {
        self.strings.find_name(name)
    }

    /// Returns the number of names and strings, which are numbered from 0.
    #[must_use]
    pub fn str_count(&self) -> usize {
        self.strings.len()
    }

    /// Returns the strings that are operands of instructions, in order of use; one may occur
    /// several times.
    #[must_use]
    pub fn str_operands(&self) -> &[Str] {
        &self.str_operands
    }

    // ---- items

    /// Returns all items in order of creation.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = (ItemId, &Item)> + ExactSizeIterator {
        self.items.iter()
    }

    /// Returns an item of this module.
    #[must_use]
    #[cfg_attr(small_code, inline(never))]
    pub fn item(&self, item: ItemId) -> &Item {
        &self.items[item]
    }

    /// Returns the items that a name denotes in this module.
    #[must_use]
    pub fn binding(&self, name: Name) -> Option<&Binding> {
        let number = self.binding_of_name.get(name.index())?.checked_sub(1)?;
        self.bindings.get(number as usize)
    }

    /// Returns the item that a name denotes: its definition, else a declaration.
    #[must_use]
    pub fn item_named(&self, name: Name) -> Option<ItemId> {
        self.binding(name)?.item()
    }

    /// Returns the item that defines what `item` declares; `item` itself if it is a definition or
    /// an import, or if nothing defines it.
    #[must_use]
    pub fn resolve(&self, item: ItemId) -> ItemId {
        self.items[item]
            .name
            .and_then(|name| self.item_named(name))
            .unwrap_or(item)
    }

    /// Returns whether an `export` names this item.
    #[must_use]
    pub fn is_exported(&self, item: ItemId) -> bool {
        let binding = self.items[item].name.and_then(|name| self.binding(name));
        binding.is_some_and(|binding| binding.export.is_some())
    }

    /// Adds `import name`; a repetition changes nothing and returns the first item.
    ///
    /// # Errors
    ///
    /// The name is exported, forwarded or defined here; out of memory.
    pub fn import(&mut self, name: &[u8]) -> Result<ItemId> {
        let name = self.add_name(name)?;
        self.declare(Some(name), ItemKind::Import)
    }

    /// Adds `export name`; a repetition changes nothing and returns the first item.
    ///
    /// # Errors
    ///
    /// The name is imported or a prototype; out of memory.
    pub fn export(&mut self, name: &[u8]) -> Result<ItemId> {
        let name = self.add_name(name)?;
        self.declare(Some(name), ItemKind::Export)
    }

    /// Adds `forward name`; a repetition changes nothing and returns the first item.
    ///
    /// # Errors
    ///
    /// The name is imported or a prototype; out of memory.
    pub fn forward(&mut self, name: &[u8]) -> Result<ItemId> {
        let name = self.add_name(name)?;
        self.declare(Some(name), ItemKind::Forward)
    }

    /// Adds `name: proto`.
    ///
    /// # Errors
    ///
    /// The name is taken; a result is a block; out of memory.
    pub fn proto(&mut self, name: &[u8], signature: SignatureSpec<'_>) -> Result<ItemId> {
        let name = self.add_name(name)?;
        self.check_free(name)?;
        let signature = self.add_signature(signature)?;
        self.declare(Some(name), ItemKind::Proto(signature))
    }

    /// Adds a data item with elements of type `ty`. Their bytes are in little-endian order; those
    /// of a long double are the 16 bytes of its bits in the module's format.
    ///
    /// # Errors
    ///
    /// `ty` is a block; the bytes are not whole elements; the name is taken; out of memory.
    pub fn data(&mut self, name: Option<&[u8]>, ty: Type, bytes: &[u8]) -> Result<ItemId> {
        if ty.is_block() || !(bytes.len() as u64).is_multiple_of(u64::from(ty.size())) {
            return Err(Problem::DataType.into());
        }
        if ty == Type::Ld && self.long_double == LongDoubleFormat::Double {
            return self.long_double_data_as_double(name, bytes);
        }
        let name = self.optional_name(name)?;
        let start = self.data.len() as u32;
        self.data.extend_from_slice(bytes)?;
        let span = Span {
            start,
            len: self.data.len() as u32 - start,
        };
        let added = self.declare(name, ItemKind::Data(Data { ty, bytes: span }));
        if added.is_err() {
            self.data.truncate(start as usize);
        }
        added
    }

    fn long_double_data_as_double(&mut self, name: Option<&[u8]>, bytes: &[u8]) -> Result<ItemId> {
        let mut doubles = Vec::new(self.allocator);
        for element in bytes.chunks_exact(16) {
            doubles.extend_from_slice(&element[..8])?;
        }
        self.data(name, Type::D, &doubles)
    }

    /// Adds `string`: the bytes as a `u8` data item, unchanged.
    ///
    /// # Errors
    ///
    /// As [`Module::data`].
    pub fn string_data(&mut self, name: Option<&[u8]>, bytes: &[u8]) -> Result<ItemId> {
        self.data(name, Type::U8, bytes)
    }

    /// Returns the bytes of a data item's elements, each in little-endian order.
    #[must_use]
    pub fn data_bytes(&self, data: &Data) -> &[u8] {
        data.bytes.of(&self.data)
    }

    /// Adds `bss`: `len` zero bytes.
    ///
    /// # Errors
    ///
    /// The name is taken; out of memory.
    pub fn bss(&mut self, name: Option<&[u8]>, len: u64) -> Result<ItemId> {
        let name = self.optional_name(name)?;
        self.declare(name, ItemKind::Bss { len })
    }

    /// Adds `ref`: the address of `item` plus `disp`.
    ///
    /// # Errors
    ///
    /// The name is taken; out of memory.
    pub fn ref_data(&mut self, name: Option<&[u8]>, item: ItemId, disp: i64) -> Result<ItemId> {
        let name = self.optional_name(name)?;
        self.declare(name, ItemKind::Ref { item, disp })
    }

    /// Adds `lref`: the address of `label`, less that of `label2` if there is one, plus `disp`.
    ///
    /// # Errors
    ///
    /// The name is taken; out of memory.
    pub fn lref_data(
        &mut self,
        name: Option<&[u8]>,
        label: Label,
        label2: Option<Label>,
        disp: i64,
    ) -> Result<ItemId> {
        let name = self.optional_name(name)?;
        self.lrefs.reserve(1)?;
        if label.index() < self.labels.len() && label.index() >= self.lref_of_label.len() {
            self.lref_of_label.resize(label.index() + 1, NO_LREF)?;
        }
        let item = self.declare(
            name,
            ItemKind::Lref {
                label,
                label2,
                disp,
            },
        )?;
        let number = self.lrefs.len() as u32;
        let last = self.lref_of_label.get_mut(label.index());
        let before = last.map_or(NO_LREF, |last| core::mem::replace(last, number));
        self.lrefs.push((item, before))?;
        Ok(item)
    }

    /// Returns the `lref` items that take addresses of a function's labels, those of one label
    /// together.
    pub fn lrefs(&self, func: FuncId) -> impl Iterator<Item = ItemId> {
        let looked_at = if self.has_lrefs() { usize::MAX } else { 0 };
        let mut insns = self.insns(func).take(looked_at);
        let mut next = NO_LREF;
        core::iter::from_fn(move || {
            loop {
                if let Some(&(item, before)) = self.lrefs.get(next as usize) {
                    next = before;
                    return Some(item);
                }
                if let Some(label) = self.label_of(insns.next()?) {
                    let last = self.lref_of_label.get(label.index());
                    next = last.copied().unwrap_or(NO_LREF);
                }
            }
        })
    }

    /// Returns whether the module has `lref` items.
    #[must_use]
    pub fn has_lrefs(&self) -> bool {
        !self.lrefs.is_empty()
    }

    /// Returns the names of the hard registers that variables of any function are tied to, each
    /// with the types of those.
    #[must_use]
    pub fn globals(&self) -> &[(Name, Type)] {
        &self.globals
    }

    /// Notes that a variable is tied to a hard register.
    fn note_global(&mut self, hard_reg: Name, ty: Type) -> Result<()> {
        let index = hard_reg.index();
        if index >= self.global_types.len() {
            self.global_types.resize(index + 1, 0)?;
        }
        self.globals.reserve(1)?;
        let types = &mut self.global_types[index];
        if *types & 1 << ty as u32 == 0 {
            *types |= 1 << ty as u32;
            self.globals.push((hard_reg, ty))?;
        }
        Ok(())
    }

    /// Adds `expr`: the result of `func`, called at link time.
    ///
    /// # Errors
    ///
    /// The name is taken; out of memory.
    pub fn expr_data(&mut self, name: Option<&[u8]>, func: ItemId) -> Result<ItemId> {
        let name = self.optional_name(name)?;
        self.declare(name, ItemKind::Expr { func })
    }

    fn optional_name(&mut self, name: Option<&[u8]>) -> Result<Option<Name>> {
        name.map(|name| self.add_name(name)).transpose()
    }

    /// Adds an item after checking the rules for its name (docs/reference/items.md).
    fn declare(&mut self, name: Option<Name>, kind: ItemKind) -> Result<ItemId> {
        let Some(name) = name else {
            return Ok(self.items.push(Item { name: None, kind })?);
        };
        let role = match kind {
            ItemKind::Import => Role::Import,
            ItemKind::Export => Role::Export,
            ItemKind::Forward => Role::Forward,
            _ => Role::Definition,
        };
        if let Some(present) = self.check_name(name, role)? {
            return Ok(present);
        }
        self.items.reserve(1)?;
        let binding = self.binding_mut(name)?;
        let number = self.items.push(Item {
            name: Some(name),
            kind,
        })?;
        if let Some(binding) = self.bindings.get_mut(binding) {
            *binding.role(role) = Some(number);
        }
        Ok(number)
    }

    /// Checks that an item of this role may be added under `name`; returns the item if it is
    /// already there.
    fn check_name(&self, name: Name, role: Role) -> Result<Option<ItemId>> {
        let Some(binding) = self.binding(name) else {
            return Ok(None);
        };
        if let Some(definition) = binding.definition
            && matches!(self.items[definition].kind, ItemKind::Proto(_))
        {
            return Err(Problem::AlreadyProto.into());
        }
        match role {
            Role::Import if binding.import.is_none() => Err(Problem::ImportOfDefinition.into()),
            Role::Import => Ok(binding.import),
            _ if binding.import.is_some() => Err(Problem::AlreadyImported.into()),
            Role::Export => Ok(binding.export),
            Role::Forward => Ok(binding.forward),
            Role::Definition if binding.definition.is_some() => Err(Problem::RepeatedItem.into()),
            Role::Definition => Ok(None),
        }
    }

    /// Checks that a definition may be added under `name`.
    pub(super) fn check_free(&self, name: Name) -> Result<()> {
        self.check_name(name, Role::Definition).map(|_| ())
    }

    /// Returns the number of the name's binding, which is made if need be.
    fn binding_mut(&mut self, name: Name) -> Result<usize, OutOfMemory> {
        if self.binding_of_name.len() <= name.index() {
            self.binding_of_name
                .resize(self.strings.len().max(name.index() + 1), 0)?;
        }
        let known = self.binding_of_name[name.index()];
        if known == 0 {
            self.bindings.push(Binding::default())?;
            self.binding_of_name[name.index()] = self.bindings.len() as u32;
            return Ok(self.bindings.len() - 1);
        }
        Ok(known as usize - 1)
    }

    // ---- signatures

    /// Returns the result types of a signature.
    #[must_use]
    pub fn results(&self, signature: &Signature) -> &[Type] {
        signature.results.of(&self.result_types)
    }

    /// Returns the fixed arguments of a signature.
    #[must_use]
    pub fn args(&self, signature: &Signature) -> &[Arg] {
        signature.args.of(&self.args)
    }

    pub(super) fn add_signature(&mut self, spec: SignatureSpec<'_>) -> Result<Signature> {
        if spec.results.iter().any(|ty| ty.is_block()) {
            return Err(Problem::ResultType.into());
        }
        let (first_result, first_arg) = (self.result_types.len(), self.args.len());
        let added = self.push_signature(spec);
        if added.is_err() {
            self.result_types.truncate(first_result);
            self.args.truncate(first_arg);
        }
        added
    }

    fn push_signature(&mut self, spec: SignatureSpec<'_>) -> Result<Signature> {
        let results = Span {
            start: self.result_types.len() as u32,
            len: spec.results.len() as u32,
        };
        let args = Span {
            start: self.args.len() as u32,
            len: spec.args.len() as u32,
        };
        for &ty in spec.results {
            self.result_types.push(self.own_type(ty))?;
        }
        for arg in spec.args {
            let name = self.strings.name(arg.name)?;
            let size = if arg.ty.is_block() { arg.size } else { 0 };
            self.args.push(Arg {
                name,
                ty: self.own_type(arg.ty),
                size,
            })?;
        }
        Ok(Signature {
            results,
            args,
            vararg: spec.vararg,
        })
    }

    /// Returns `ty`, or `d` for `ld` on targets where long double is double.
    pub(super) fn own_type(&self, ty: Type) -> Type {
        if ty == Type::Ld && self.long_double == LongDoubleFormat::Double {
            Type::D
        } else {
            ty
        }
    }

    // ---- functions

    /// Returns all functions in order of creation.
    pub fn funcs(
        &self,
    ) -> impl DoubleEndedIterator<Item = (FuncId, &Function<'m>)> + ExactSizeIterator {
        self.funcs.iter()
    }

    /// Returns whether an instruction of the module is an extension of the language.
    #[must_use]
    pub fn uses_extension(&self) -> bool {
        let mut insns = (self.funcs()).flat_map(|(func, _)| self.insns(func));
        insns.any(|insn| self.code(insn).is_extension())
    }

    /// Returns a function of this module.
    #[must_use]
    #[cfg_attr(small_code, inline(never))]
    pub fn func(&self, func: FuncId) -> &Function<'m> {
        &self.funcs[func]
    }

    /// Adds `name: func`, without instructions yet.
    ///
    /// # Errors
    ///
    /// The name is taken; a result is a block; two arguments have one name; variable arguments
    /// without a fixed one; a name is reserved; out of memory.
    pub fn add_func(&mut self, name: &[u8], spec: SignatureSpec<'_>) -> Result<FuncId> {
        if spec.vararg && spec.args.is_empty() {
            return Err(Problem::VarargWithoutFixed.into());
        }
        let name = self.add_name(name)?;
        self.check_free(name)?;
        let signature = self.add_signature(spec)?;
        self.items.reserve(1)?;
        let number = self.items.next_key();
        let func = self.funcs.push(Function {
            item: number,
            signature,
            regs: Vec::new(self.allocator),
            first: None,
            last: None,
            insns: 0,
        })?;
        let added = self
            .add_arg_registers(func, signature)
            .and_then(|()| self.declare(Some(name), ItemKind::Func(func)));
        if let Err(error) = added {
            self.funcs.truncate(func.index());
            return Err(error);
        }
        Ok(func)
    }

    fn add_arg_registers(&mut self, func: FuncId, signature: Signature) -> Result<()> {
        for index in 0..signature.args.len {
            let arg = self.args[(signature.args.start + index) as usize];
            self.add_register_named(
                func,
                Register {
                    name: arg.name,
                    ty: arg.ty.class().ty(),
                    hard_reg: None,
                },
            )?;
        }
        Ok(())
    }

    /// Adds a local variable of type `i64`, `f`, `d` or `ld`.
    ///
    /// # Errors
    ///
    /// Another type; the name is reserved or taken in the function; out of memory.
    pub fn add_local(&mut self, func: FuncId, ty: Type, name: &[u8]) -> Result<Reg> {
        let name = self.add_name(name)?;
        self.add_register(
            func,
            Register {
                name,
                ty,
                hard_reg: None,
            },
        )
    }

    /// Adds a variable that is tied to a hard register. `verify` checks that the target has such a
    /// register.
    ///
    /// A second variable on one register returns the first one under both names, if the types
    /// agree.
    ///
    /// # Errors
    ///
    /// As [`Module::add_local`]; two variables of different types on one hard register.
    pub fn add_global(
        &mut self,
        func: FuncId,
        ty: Type,
        name: &[u8],
        hard_reg: &[u8],
    ) -> Result<Reg> {
        let name = self.add_name(name)?;
        let hard_reg = self.add_name(hard_reg)?;
        self.add_register(
            func,
            Register {
                name,
                ty,
                hard_reg: Some(hard_reg),
            },
        )
    }

    /// Adds a variable whose names the module has already, with or without a hard register.
    ///
    /// # Errors
    ///
    /// As [`Module::add_local`] and [`Module::add_global`].
    pub fn add_register(&mut self, func: FuncId, register: Register) -> Result<Reg> {
        let ty = self.own_type(register.ty);
        if ty.class().ty() != ty {
            return Err(Problem::RegisterType.into());
        }
        self.add_register_named(func, Register { ty, ..register })
    }

    fn add_register_named(&mut self, func: FuncId, register: Register) -> Result<Reg> {
        if is_reserved(self.name_bytes(register.name)) {
            return Err(Problem::ReservedRegName.into());
        }
        if self.reg_names == RegNames::Bulk {
            return self.push_register(func, register);
        }
        let reg = Reg::new(self.funcs[func].regs.len() as u32);
        self.index_registers()?;
        if self.register_named(func, register.name).is_some() {
            return Err(Problem::RepeatedReg.into());
        }
        if let Some(hard_reg) = register.hard_reg {
            self.check_hard_reg(func, hard_reg, register.ty)?;
            self.note_global(hard_reg, register.ty)?;
        }
        self.funcs[func].regs.reserve(1)?;
        self.index_register(func, register.name, reg)?;
        self.funcs[func].regs.push(register)?;
        Ok(reg)
    }

    /// Checks that the variables on one hard register, which share it, have one type.
    fn check_hard_reg(&self, func: FuncId, hard_reg: Name, ty: Type) -> Result<()> {
        let others = self.funcs[func]
            .regs
            .iter()
            .filter(|other| other.hard_reg == Some(hard_reg));
        if others.clone().any(|other| other.ty != ty) {
            Err(Problem::HardRegTypes.into())
        } else {
            Ok(())
        }
    }

    /// Returns the register of this name in a function.
    #[must_use]
    pub fn register_named(&self, func: FuncId, name: Name) -> Option<Reg> {
        let regs = &self.funcs.get(func)?.regs;
        if self.reg_names != RegNames::Indexed {
            let place = regs.iter().position(|reg| reg.name == name)?;
            return Some(Reg::new(place as u32));
        }
        let is_it = |number: u32| {
            let (its_func, reg) = self.reg_entries[number as usize];
            its_func == func && regs.get(reg.index()).is_some_and(|reg| reg.name == name)
        };
        let number = self.reg_table.find(self.register_hash(func, name), is_it)?;
        Some(self.reg_entries[number as usize].1)
    }

    /// Lets registers be added in bulk until [`Module::end_bulk`]: whoever adds them sees to it
    /// that the names of a function's registers are distinct, and that the registers tied to one
    /// hard register have one type.
    pub(crate) fn begin_bulk(&mut self) {
        self.reg_names = RegNames::Bulk;
    }

    /// Adds a register that the caller vouches for: its name is valid and new in the function, its
    /// type is that of a register.
    pub(crate) fn push_register(&mut self, func: FuncId, register: Register) -> Result<Reg> {
        let ty = self.own_type(register.ty);
        if let Some(hard_reg) = register.hard_reg {
            self.note_global(hard_reg, ty)?;
        }
        let regs = &mut self.funcs[func].regs;
        let reg = Reg::new(regs.len() as u32);
        regs.push(Register { ty, ..register })?;
        Ok(reg)
    }

    /// Ends the state that [`Module::begin_bulk`] began, and returns memory that was kept for
    /// growth.
    pub(crate) fn end_bulk(&mut self) {
        self.reg_names = RegNames::Unindexed;
        self.shrink_to_fit();
    }

    /// Says what memory of the host's the code of the module may use.
    pub(crate) const fn confine(&mut self, confinement: Confinement) {
        self.confinement = Some(confinement);
    }

    /// Returns what memory of the host's the code of the module may use, if the module is part of a
    /// confined program and was rewritten for that; `None` for all modules that programs consist of
    /// when they are loaded.
    #[must_use]
    pub const fn confinement(&self) -> Option<Confinement> {
        self.confinement
    }

    /// Says for each instruction which number faults in it tell.
    #[cfg(feature = "ahead")]
    pub(crate) fn set_origins(&mut self, origins: Vec<'m, u32>) {
        self.origins = origins;
    }

    /// Returns the number that faults tell in the instruction of this number in a function, whose
    /// instructions were made one after the other if the two differ.
    pub(crate) fn origin(&self, func: FuncId, number: u32) -> u32 {
        #[cfg(feature = "ahead")]
        if let Some(first) = self.func(func).first()
            && let Some(&origin) = self.origins.get(first.index() + number as usize)
        {
            return origin;
        }
        let _ = func;
        number
    }

    /// Adds all registers to the table if it is not kept.
    fn index_registers(&mut self) -> Result<()> {
        if self.reg_names == RegNames::Indexed {
            return Ok(());
        }
        self.reg_table = HashTable::new(self.allocator);
        self.reg_entries.clear();
        for func in self.funcs.keys() {
            for index in 0..self.funcs[func].regs.len() {
                let name = self.funcs[func].regs[index].name;
                self.index_register(func, name, Reg::new(index as u32))?;
            }
        }
        self.reg_names = RegNames::Indexed;
        Ok(())
    }

    fn register_hash(&self, func: FuncId, name: Name) -> u32 {
        let pair = u64::from(func.number()) << 32 | u64::from(name.number());
        HashKey::new(self.allocator.hash_seed()).word(pair)
    }

    /// Adds a register to the table.
    fn index_register(&mut self, func: FuncId, name: Name, reg: Reg) -> Result<()> {
        self.reg_entries.reserve(1)?;
        let number = self.reg_entries.len() as u32;
        let hash = self.register_hash(func, name);
        self.reg_table.insert(hash, number)?;
        Ok(self.reg_entries.push((func, reg))?)
    }

    // ---- labels

    /// Returns a new label, not yet placed.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new_label(&mut self) -> Result<Label> {
        self.new_label_numbered(self.next_label_number)
    }

    /// Returns a new label that is printed and written under this number, which no label of the
    /// module has.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new_label_numbered(&mut self, number: u32) -> Result<Label> {
        let label = self.labels.push(LabelRow {
            number,
            func: u32::MAX,
            insn: u32::MAX,
        })?;
        self.next_label_number = self.next_label_number.max(number.saturating_add(1));
        Ok(label)
    }

    /// Returns the number of labels, placed or not.
    #[must_use]
    pub fn label_count(&self) -> usize {
        self.labels.len()
    }

    /// Returns the function that a label is placed in.
    #[must_use]
    pub fn label_func(&self, label: Label) -> Option<FuncId> {
        let row = self.labels.get(label)?;
        row.insn().map(|_| FuncId::new(row.func))
    }

    /// Returns the instruction that places a label.
    #[must_use]
    pub fn label_insn(&self, label: Label) -> Option<super::InsnId> {
        self.labels.get(label)?.insn()
    }

    /// Returns the number under which a label is printed and written.
    ///
    /// Labels count from 1 through all modules of a text; those of a binary file keep their
    /// numbers.
    #[must_use]
    pub fn label_number(&self, label: Label) -> u32 {
        self.labels[label].number
    }

    /// Returns the number of the next label, which is higher than that of all labels.
    #[must_use]
    pub fn next_label_number(&self) -> u32 {
        self.next_label_number
    }

    /// Sets the number of the module's first label: one more than the last of the modules before it
    /// in the same file.
    pub fn set_first_label_number(&mut self, number: u32) {
        self.next_label_number = number;
    }

    /// Makes room for this many more names and strings, and instructions with their usual number of
    /// operands.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn reserve(&mut self, strings: usize, insns: usize) -> Result<()> {
        self.strings.reserve(strings)?;
        self.insns.reserve(insns)?;
        Ok(self.operands.reserve(insns.saturating_mul(5) / 2)?)
    }

    /// Makes room for as many instructions and operands as another module has, and a few more in
    /// each function.
    pub(crate) fn reserve_as(&mut self, other: &Module<'_>) -> Result<()> {
        let few = other.funcs.len().saturating_mul(8);
        self.insns.reserve(other.insns.len().saturating_add(few))?;
        Ok((self.operands).reserve(other.operands.len().saturating_add(few))?)
    }

    /// Returns memory that was kept for growth; called when a module is complete.
    pub fn shrink_to_fit(&mut self) {
        self.strings.shrink_to_fit();
        self.items.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.binding_of_name.shrink_to_fit();
        self.funcs.shrink_to_fit();
        self.insns.shrink_to_fit();
        self.operands.shrink_to_fit();
        self.wide.shrink_to_fit();
        self.labels.shrink_to_fit();
        self.args.shrink_to_fit();
        self.data.shrink_to_fit();
        for func in self.funcs.values_mut() {
            func.regs.shrink_to_fit();
        }
    }
}

impl Binding {
    fn role(&mut self, role: Role) -> &mut Option<ItemId> {
        match role {
            Role::Import => &mut self.import,
            Role::Export => &mut self.export,
            Role::Forward => &mut self.forward,
            Role::Definition => &mut self.definition,
        }
    }
}

/// Returns whether the language reserves a name: `.lc*`, and `hr` followed by digits only.
fn is_reserved(name: &[u8]) -> bool {
    let digits = |rest: &[u8]| rest.iter().all(u8::is_ascii_digit);
    name.starts_with(b".lc") || name.strip_prefix(b"hr").is_some_and(digits)
}

impl Signature {
    /// True if this signature of the module `own` and that of another, perhaps the same, are alike
    /// but for the names of arguments, and for integers of 64 bits, which are passed alike.
    #[must_use]
    pub fn agrees(&self, own: &Module<'_>, other: &Signature, others: &Module<'_>) -> bool {
        let plain = |ty: Type| match ty {
            Type::P | Type::U64 => Type::I64,
            ty => ty,
        };
        let passed = |arg: &Arg| {
            let size = if arg.ty.is_block() { arg.size } else { 0 };
            (plain(arg.ty), size)
        };
        let (results, args) = (own.results(self), own.args(self));
        self.vararg == other.vararg
            && { results.iter().map(|&ty| plain(ty)) }
                .eq(others.results(other).iter().map(|&ty| plain(ty)))
            && { args.iter().map(passed) }.eq(others.args(other).iter().map(passed))
    }
}
