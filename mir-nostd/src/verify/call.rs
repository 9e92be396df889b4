//! The rules for calls: prototype, address, results, arguments.

use super::func::Site;
use super::operand::{input, output};
use super::{MAX_CALL_BYTES, SLOT_BYTES, Severity, Verifier};
use crate::ir::{
    Arg, Class, Code, FuncId, ItemId, ItemKind, Mem, Mode, Operand, Problem, Signature, Type,
};
use crate::mem::Entity;

impl Verifier<'_, '_> {
    pub(super) fn check_call(&mut self, site: Site, code: Code) {
        let module = self.module;
        let proto = module.operand(site.insn, 0);
        let Some(signature) = proto.and_then(|proto| self.prototype(&proto)) else {
            let no_proto = Err(Problem::NotPrototype);
            self.take(site, 0, &proto.unwrap_or(Operand::Int(0)), no_proto);
            return;
        };
        let (results, args) = (module.results(&signature), module.args(&signature));
        let given = module.operand_count(site.insn).saturating_sub(2);
        let fixed = results.len() + args.len();
        if given < fixed || given > fixed && !signature.is_vararg() {
            self.error(Problem::CallOperandCount, site.place());
            return;
        }
        let mut bytes = SLOT_BYTES.saturating_mul(given as u64);
        for (index, operand) in module.operands(site.insn).enumerate().skip(1) {
            let result = index.wrapping_sub(2);
            let checked = if index == 1 {
                self.check_address(site.func, code, &operand)
            } else if let Some(&ty) = results.get(result) {
                self.check_operand(site.func, &operand, output(ty))
            } else {
                bytes = bytes.saturating_add(block_bytes(&operand));
                match args.get(result - results.len()) {
                    Some(arg) => self.check_argument(site.func, &operand, arg),
                    None => self.check_variable_argument(site.func, &operand),
                }
            };
            self.take(site, index, &operand, checked);
        }
        if signature.is_vararg() && bytes > MAX_CALL_BYTES {
            self.error(Problem::CallTooLarge, site.place());
        }
        self.check_callee(site, code, &signature);
    }

    /// Warns if a function of this module that the call names has another signature than the
    /// prototype: the call does what C's convention makes of it.
    fn check_callee(&mut self, site: Site, code: Code, proto: &Signature) {
        let address = self.module.operand(site.insn, 1);
        let callee = address.and_then(|address| self.definition(&address));
        let Some(ItemKind::Func(func)) = callee else {
            return;
        };
        let own = self.module.func(func).signature;
        if code != Code::Jcall && !proto.agrees(self.module, &own, self.module) {
            self.report(
                Problem::OtherSignature,
                site.operand(1),
                None,
                Severity::Warning,
            );
        }
    }

    /// Returns the signature of the prototype that the operand names.
    fn prototype(&self, operand: &Operand) -> Option<Signature> {
        match self.definition(operand)? {
            ItemKind::Proto(signature) => Some(signature),
            _ => None,
        }
    }

    /// Returns the kind of the item that the operand names.
    fn definition(&self, operand: &Operand) -> Option<ItemKind> {
        let Operand::Item(item) = *operand else {
            return None;
        };
        self.is_known(item)
            .then(|| self.module.item(self.module.resolve(item)).kind)
    }

    fn is_known(&self, item: ItemId) -> bool {
        item.index() < self.module.items().len()
    }

    fn check_address(
        &mut self,
        func: FuncId,
        code: Code,
        address: &Operand,
    ) -> Result<(), Problem> {
        self.check_operand(func, address, Mode::I)?;
        match self.definition(address) {
            Some(ItemKind::Import) if code == Code::Jcall && self.is_setjmp(address) => {
                Err(Problem::JcallOfSetjmp)
            }
            None | Some(ItemKind::Func(_) | ItemKind::Import) => Ok(()),
            Some(_) => Err(Problem::NotCallable),
        }
    }

    fn is_setjmp(&self, address: &Operand) -> bool {
        let Operand::Item(item) = *address else {
            return false;
        };
        let name = self.module.item(item).name;
        name.is_some_and(|name| matches!(self.module.name_bytes(name), b"setjmp" | b"_setjmp"))
    }

    fn check_argument(
        &mut self,
        func: FuncId,
        operand: &Operand,
        arg: &Arg,
    ) -> Result<(), Problem> {
        match (arg.ty.is_block(), block(operand)) {
            (false, None) => self.check_operand(func, operand, input(arg.ty)),
            (false, Some(_)) => Err(Problem::BlockNotWanted),
            (true, Some(mem)) if mem.ty == arg.ty && mem.disp as u64 == arg.size => {
                self.check_block(func, mem)
            }
            (true, _) => Err(Problem::BlockWanted),
        }
    }

    fn check_variable_argument(&mut self, func: FuncId, operand: &Operand) -> Result<(), Problem> {
        match block(operand) {
            Some(mem) if mem.ty == Type::Rblk => return Err(Problem::RblkVariadic),
            Some(mem) => return self.check_block(func, mem),
            None => {}
        }
        match self.class_of(func, operand)? {
            None => Err(Problem::LabelArgument),
            Some(Class::Float) => Err(Problem::FloatVariadic),
            Some(_) => Ok(()),
        }
    }

    /// Checks a block argument: it is a size and the register that holds the block's address.
    fn check_block(&mut self, func: FuncId, mem: &Mem) -> Result<(), Problem> {
        self.check_mem(func, mem)?;
        let sound = mem.base.is_some() && mem.index.is_none() && u32::try_from(mem.disp).is_ok();
        if sound {
            Ok(())
        } else {
            Err(Problem::BlockForm)
        }
    }
}

/// Returns the operand as a block argument, if it is one.
fn block(operand: &Operand) -> Option<&Mem> {
    match operand {
        Operand::Mem(mem) if mem.ty.is_block() => Some(mem),
        _ => None,
    }
}

/// Returns the number of bytes of a block argument that may be passed on the stack.
fn block_bytes(operand: &Operand) -> u64 {
    block(operand).map_or(0, |mem| u64::try_from(mem.disp).unwrap_or(0))
}
