//! Calls: of functions of the program, of imports, and through values of functions.

use super::super::FIRST_FUNCTION;
use super::super::layout::Meaning;
use super::super::linkage::Source;
use super::super::space::Words;
use super::lists::VariableArgument;
use super::operands::at_address;
use super::{Body, Rewriter, global_name, lowered, raw, write_name};
use crate::ir::{
    ArgSpec, Code, FaultKind, InsnId, ItemId, ItemKind, Mem, Module, Operand, Problem, Reg, Result,
    Signature, SignatureSpec, Type,
};
use crate::link::Access;
use crate::mem::{Entity, Vec};
use core::mem::offset_of;

/// The size of the largest blocks that are copied word by word where they are used.
const INLINE_COPY: u64 = 64;

/// Returns the signature that the first operand of a call names.
fn prototype(module: &Module<'_>, insn: InsnId) -> Option<(ItemId, Signature)> {
    let Some(Operand::Item(item)) = module.operand(insn, 0) else {
        return None;
    };
    let item = module.resolve(item);
    match module.item(item).kind {
        ItemKind::Proto(signature) => Some((item, signature)),
        _ => None,
    }
}

/// Returns the number of results of a call.
pub(super) fn result_count(module: &Module<'_>, insn: InsnId) -> usize {
    let signature = prototype(module, insn);
    signature.map_or(0, |(_, signature)| module.results(&signature).len())
}

/// The function that a call goes to.
#[derive(Clone, Copy)]
struct Callee {
    proto: ItemId,
    address: Operand,
    /// True if it may be a closure of the embedder, which may fail.
    may_fail: bool,
}

impl<'m> Rewriter<'_, 'm> {
    /// Returns the new prototype for an old one: blocks go by address, variable arguments as the
    /// address of a list.
    fn prototype(&mut self, item: ItemId, signature: &Signature) -> Result<ItemId> {
        if let Some(known) = self.protos[item.index()] {
            return Ok(known);
        }
        let placed = self.placed;
        let old = &placed.module;
        let mut types = Vec::new(self.allocator());
        for arg in old.args(signature) {
            types.push(lowered(arg.ty))?;
        }
        if signature.is_vararg() {
            types.push(Type::I64)?;
        }
        let new = self.add_proto("call", item.index(), old.results(signature), &types)?;
        self.protos[item.index()] = Some(new);
        Ok(new)
    }

    /// Returns the prototype of an import, with exactly its types.
    fn import_prototype(&mut self, number: u32) -> Result<ItemId> {
        let imports = self.imports;
        let Some(import) = imports.get(number as usize) else {
            return Err(Problem::UnresolvedImport.into());
        };
        let mut name = Vec::new(self.allocator());
        write_name(
            &mut name,
            self.environment.program,
            format_args!("import {number}"),
        )?;
        let known = self.new.find_name(&name);
        match known.and_then(|name| self.new.item_named(name)) {
            Some(known) => Ok(known),
            None => self.add_proto(
                "import",
                number as usize,
                &import.results,
                &import.arguments,
            ),
        }
    }

    fn add_proto(
        &mut self,
        kind: &str,
        number: usize,
        results: &[Type],
        types: &[Type],
    ) -> Result<ItemId> {
        let mut args = Vec::new(self.allocator());
        for &ty in types {
            args.push(ArgSpec::new(ty, "_"))?;
        }
        let mut name = Vec::new(self.allocator());
        write_name(
            &mut name,
            self.environment.program,
            format_args!("{kind} {number}"),
        )?;
        let spec = SignatureSpec {
            results,
            args: &args,
            vararg: false,
        };
        self.new.proto(&name, spec)
    }

    /// Adds the function that copies blocks, if the module passes any.
    pub(super) fn add_copier(&mut self) -> Result<()> {
        let placed = self.placed;
        let old = &placed.module;
        let is_block = |operand: Operand| matches!(operand, Operand::Mem(mem) if mem.ty.is_block());
        let mut insns = { old.funcs() }.flat_map(|(func, _)| old.insns(func));
        let copies = |insn: InsnId| {
            old.code(insn) == Code::VaBlockArg
                || old.code(insn).is_call() && old.operands(insn).any(is_block)
        };
        let takes = { old.funcs() }.any(|(_, function)| {
            let args = old.args(&function.signature);
            args.iter().any(|arg| arg.ty.is_block())
        });
        if !takes && !insns.any(copies) {
            return Ok(());
        }
        let types = [Type::I64; 3];
        let proto = self.add_proto("copy", 0, &[], &types)?;
        let name: &[u8] = b"copy of a block";
        let name = match self.environment.is_ahead() {
            true => Vec::from_slice(self.allocator(), name)?,
            false => global_name(self.allocator(), self.environment.program, name)?,
        };
        let args = types.map(|ty| ArgSpec::new(ty, "_"));
        let spec = SignatureSpec {
            results: &[],
            args: &args,
            vararg: false,
        };
        let func = self.new.add_func(&name, spec)?;
        self.copier = Some((proto, self.new.func(func).item));
        let before = self.new.insn_count();
        copy_loops(&mut self.new, func)?;
        let added = self.new.insn_count() - before;
        Ok(self.origins.resize(self.origins.len() + added, 0)?)
    }
}

/// Emits loops that copy bytes, more than 7, by words as far as they go.
fn copy_loops(module: &mut Module<'_>, func: crate::ir::FuncId) -> Result<()> {
    let [to, from, bytes] = [0, 1, 2].map(Reg::new);
    let local = |module: &mut Module<'_>, name: &[u8]| module.add_local(func, Type::I64, name);
    let (at, words) = (local(module, b"at")?, local(module, b"words")?);
    module.append(func, Code::Mov, (at, 0))?;
    module.append(func, Code::Sub, (words, bytes, 7))?;
    for (ty, end, step) in [(Type::I64, words, 8), (Type::U8, bytes, 1)] {
        let (head, done) = (module.new_label()?, module.new_label()?);
        module.insert_label(func, crate::ir::Position::End, head)?;
        module.append(func, Code::Ubge, (done, at, end))?;
        let operands = (
            Mem::indexed(ty, 0, to, at, 1),
            Mem::indexed(ty, 0, from, at, 1),
        );
        module.append(func, Code::Mov, operands)?;
        module.append(func, Code::Add, (at, at, step))?;
        module.append(func, Code::Jmp, (head,))?;
        module.insert_label(func, crate::ir::Position::End, done)?;
    }
    module.append(func, Code::Ret, ())?;
    Ok(())
}

impl<'m> Body<'_, '_, 'm> {
    pub(super) fn call(&mut self, insn: InsnId, code: Code) -> Result<()> {
        let placed = self.module.placed;
        let old = &placed.module;
        let (proto, signature) = prototype(old, insn).ok_or(Problem::NotPrototype)?;
        let operands = self.operands(insn)?;
        let Some(callee) = self.callee(proto, &signature, operands[1])? else {
            return Ok(());
        };
        let results = old.results(&signature).len();
        let (results, arguments) = operands[2..].split_at(results);
        let (fixed, variable) = arguments.split_at(old.args(&signature).len());
        let mut values = Vec::new(self.module.allocator());
        for &argument in fixed {
            let value = self.argument(argument)?;
            values.push(value)?;
        }
        let mut list_bytes = 0;
        if signature.is_vararg() {
            let list = self.list(variable)?;
            list_bytes = list.1;
            values.push(list.0)?;
        }
        let mut all = Vec::new(self.module.allocator());
        all.push(callee.proto.into())?;
        all.push(callee.address)?;
        for (&result, &ty) in results.iter().zip(old.results(&signature)) {
            let is_plain = matches!(result, Operand::Reg(reg) if self.frame.slot(reg).is_none());
            all.push(match is_plain {
                true => self.value(result)?,
                false => self.temporary(ty)?.into(),
            })?;
        }
        all.extend_from_slice(&values)?;
        self.emit(code, &all[..])?;
        if list_bytes > 0 {
            self.give_back(list_bytes)?;
        }
        if callee.may_fail {
            self.check_failed()?;
        }
        self.take_results(results, old.results(&signature), &all[2..])
    }

    /// Assigns results that did not go to variables at once: to variables in the frame, and then to
    /// memory, whose addresses may depend on the variables.
    fn take_results(
        &mut self,
        results: &[Operand],
        types: &[Type],
        from: &[Operand],
    ) -> Result<()> {
        let each = || results.iter().zip(types).zip(from);
        for ((&result, &ty), &value) in each() {
            if matches!(result, Operand::Reg(reg) if self.frame.slot(reg).is_some()) {
                self.set(result, ty.class().ty(), value)?;
            }
        }
        for ((&result, &ty), &value) in each() {
            if matches!(result, Operand::Mem(_)) {
                self.set(result, ty.class().ty(), value)?;
            }
        }
        Ok(())
    }

    /// Returns where a call goes; nothing if it always faults.
    fn callee(
        &mut self,
        proto: ItemId,
        signature: &Signature,
        address: Operand,
    ) -> Result<Option<Callee>> {
        let placed = self.module.placed;
        let kind = (self.module.linkage.signatures).number(&placed.module, signature)?;
        let meaning = match address {
            Operand::Item(item) => Some((item, placed.meaning(self.module.linkage, item)?)),
            _ => None,
        };
        let Some((item, Meaning::Function(number))) = meaning else {
            let address = self.looked_up(address, kind)?;
            let proto = self.module.prototype(proto, signature)?;
            return Ok(Some(Callee {
                proto,
                address: address.into(),
                may_fail: true,
            }));
        };
        let row = self
            .module
            .linkage
            .row(number)
            .ok_or(Problem::UnresolvedImport)?;
        if row.signature != kind {
            self.ensure(1, 0, FaultKind::Signature, 0)?;
            return Ok(None);
        }
        let item = placed.module.resolve(item);
        let (proto, address, may_fail) = match (placed.module.item(item).kind, row.source) {
            (ItemKind::Func(func), _) => {
                let proto = self.module.prototype(proto, signature)?;
                (proto, self.module.new.func(func).item, false)
            }
            (_, Source::Module { .. }) => {
                let proto = self.module.prototype(proto, signature)?;
                (proto, self.module.import(item, number)?, false)
            }
            (_, Source::Import(import)) => {
                let proto = self.module.import_prototype(import)?;
                (proto, self.module.import(item, number)?, true)
            }
        };
        let address = address.into();
        Ok(Some(Callee {
            proto,
            address,
            may_fail,
        }))
    }

    /// Emits code that looks up the function of this value, and ends the run if there is none or it
    /// has another kind of signature. Returns its address in the host.
    fn looked_up(&mut self, value: Operand, kind: u32) -> Result<Reg> {
        let value = self.value(value)?;
        let known = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (known, value))?;
        let offset = self.binary(Code::Sub, known, FIRST_FUNCTION.cast_signed())?;
        let low = self.binary(Code::And, offset, 15)?;
        self.ensure(low, 1, FaultKind::BadFunction, known)?;
        let bytes = self.temporary(Type::I64)?;
        let (table, table_bytes) = self.table()?;
        self.emit(Code::Mov, (bytes, table_bytes))?;
        self.ensure(offset, bytes, FaultKind::BadFunction, known)?;
        let row = self.binary(Code::Add, offset, table)?;
        let other = self.binary(Code::Sub, raw(Type::I64, Some(row), 0), i64::from(kind))?;
        self.ensure(other, 1, FaultKind::Signature, 0)?;
        let address = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (address, raw(Type::I64, Some(row), 8)))?;
        Ok(address)
    }

    /// Returns the address of the table of functions, and its bytes.
    fn table(&mut self) -> Result<(Operand, Operand)> {
        #[cfg(feature = "ahead")]
        if self.environment().is_ahead {
            let table = self.module.new.import(super::super::symbols::TABLE)?;
            let bytes = super::super::HANDLE_STEP as usize * self.module.linkage.rows.len();
            return Ok((table.into(), Operand::Int(bytes as i64)));
        }
        let bytes = self.word(offset_of!(Words, functions_bytes));
        Ok((self.word(offset_of!(Words, functions)), bytes))
    }

    /// Emits code that ends the run if an import failed.
    fn check_failed(&mut self) -> Result<()> {
        let failed = self.temporary(Type::I64)?;
        let word = self.word(offset_of!(Words, failed));
        self.emit(Code::Mov, (failed, word))?;
        self.ensure(failed, 1, FaultKind::Host, failed)
    }

    /// Returns the value of a fixed argument: a block's address.
    fn argument(&mut self, operand: Operand) -> Result<Operand> {
        match operand {
            Operand::Mem(mem) if mem.ty.is_block() => Ok(match mem.base {
                Some(base) => self.variable(base),
                None => Operand::Int(0),
            }),
            _ => self.value(operand),
        }
    }

    /// Emits code that lays variable arguments out on the program's stack, as the platform's lists
    /// have them that are in memory. Returns the address of the first, and the bytes taken.
    fn list(&mut self, arguments: &[Operand]) -> Result<(Operand, i64)> {
        let target = self.environment().target;
        let mut placed = Vec::new(self.module.allocator());
        let mut cursor = target.abi.exhausted;
        for &operand in arguments {
            let argument = self.variable_argument(operand);
            placed.push(VariableArgument::place(target, &mut cursor, argument)?)?;
        }
        let mut bytes = u64::from(cursor.stack).next_multiple_of(16);
        for one in placed.iter_mut() {
            bytes = one.place_copy(bytes);
        }
        if bytes == 0 {
            return Ok((Operand::Int(0), 0));
        }
        let top = self.temporary(Type::I64)?;
        self.take_stack(top, bytes.cast_signed().into())?;
        let distance = self.distance();
        let start = self.binary(Code::Add, top, distance)?;
        for (one, &operand) in placed.iter().zip(arguments) {
            self.pass(one, operand, top, start)?;
        }
        Ok((top.into(), bytes.cast_signed()))
    }

    /// Stores a variable argument to the list at `top`, which is at `start` in the host, or at less
    /// by [`super::Environment::bias`].
    fn pass(
        &mut self,
        one: &VariableArgument,
        operand: Operand,
        top: Reg,
        start: Reg,
    ) -> Result<()> {
        if let Some(copy) = one.copy {
            let address = self.binary(Code::Add, top, copy)?;
            let at = one.at + self.environment().bias();
            self.copy(Type::I64, raw(Type::I64, Some(start), at), address)?;
        }
        let at = one.copy.unwrap_or(one.at) + self.environment().bias();
        match operand {
            Operand::Mem(mem) if mem.ty.is_block() => {
                let from = self.argument(operand)?;
                let to = self.binary(Code::Add, start, at)?;
                self.copy_block(to.into(), from, mem.disp.cast_unsigned())
            }
            _ => {
                let ty = self.type_of(operand);
                let value = self.value(operand)?;
                self.copy(ty, raw(ty, Some(start), at), value)
            }
        }
    }

    /// Emits code that copies a block at an address of the program to one of the host.
    pub(super) fn copy_block(&mut self, to: Operand, from: Operand, bytes: u64) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let limit = self.limit(bytes);
        let windows = self.environment().windows.cast_signed();
        let from = self.in_operand(from)?;
        let place = self.reach(
            at_address(Type::U8, from),
            limit,
            bytes,
            Access::Read,
            windows,
        )?;
        let from = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (from, place))?;
        if let (true, Some((proto, copier))) = (bytes > INLINE_COPY, self.module.copier) {
            return self.emit(Code::Call, (proto, copier, to, from, bytes.cast_signed()));
        }
        let start = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (start, to))?;
        let piece = self.temporary(Type::I64)?;
        let mut done = 0;
        while done < bytes {
            let ty = match bytes - done {
                1 => Type::U8,
                2 | 3 => Type::U16,
                4..=7 => Type::U32,
                _ => Type::I64,
            };
            let at = done.cast_signed();
            self.emit(Code::Mov, (piece, raw(ty, Some(from), at)))?;
            self.emit(Code::Mov, (raw(ty, Some(start), at), piece))?;
            done += u64::from(ty.size());
        }
        Ok(())
    }
}

impl Rewriter<'_, '_> {
    /// Returns the import of a function by a name that another module of the program exports, or
    /// the embedder defined.
    fn import(&mut self, item: ItemId, function: u32) -> Result<ItemId> {
        let old = &self.placed.module;
        let name = old.item(item).name;
        let name = name.map_or(&b""[..], |name| old.name_bytes(name));
        let global = self.global(function, name)?;
        self.new.import(&global)
    }
}
