//! The return address, which no instruction of Medium IR tells: functions ask for it by calls of a
//! function of a certain name ([`RETURN_ADDRESS`]).
//!
//! Functions that ask are not inlined, so that the address is that of their own return.

use super::Translator;
use super::values::no_index;
use crate::ir::{FuncId, InsnId, ItemKind, Operand as IrOperand, RETURN_ADDRESS, Signature, Type};
use crate::machine::{Operand, VReg};
use crate::target::ReturnAddress;
use crate::target::error::Error;

impl Translator<'_, '_, '_, '_> {
    /// Returns whether calls that ask become the address. They do not where engines must agree on
    /// each result or on the fuel: there the function that they name is called.
    pub(super) fn tells_return_address(&self) -> bool {
        let module = self.module;
        module.find_name(RETURN_ADDRESS.as_bytes()).is_some()
            && module.confinement().is_none()
            && !self.settings.charges_fuel()
    }

    /// Returns whether an instruction, a call by this prototype, asks for the return address.
    fn asks(&self, insn: InsnId, signature: &Signature) -> bool {
        let module = self.module;
        let Some(IrOperand::Item(item)) = module.operand(insn, 1) else {
            return false;
        };
        let item = module.item(module.resolve(item));
        let name = item.name.map(|name| module.name_bytes(name));
        matches!(item.kind, ItemKind::Func(_))
            && name == Some(RETURN_ADDRESS.as_bytes())
            && !signature.is_vararg()
            && module.args(signature).is_empty()
            && matches!(module.results(signature), [Type::I64 | Type::U64 | Type::P])
    }

    /// Returns whether a function asks for its return address.
    pub(super) fn asks_for_return_address(&self, func: FuncId) -> bool {
        let module = self.module;
        self.tells_return_address
            && module.insns(func).any(|insn| {
                let signature = module.code(insn).is_call().then(|| self.prototype(insn));
                signature.is_some_and(|it| it.is_some_and(|it| self.asks(insn, &it)))
            })
    }

    /// Takes the return address at the entry, if the function asks for it and has it where others
    /// do.
    pub(super) fn take_return_address(&mut self) -> Result<(), Error> {
        let is_elsewhere = self.function.is_jumped_to || !self.function.reserved.is_empty();
        if is_elsewhere || !self.asks_for_return_address(self.func) {
            return Ok(());
        }
        // The prologue saves it.
        self.function.has_calls = true;
        let address = match self.isa.registers().return_address {
            ReturnAddress::Register(reg) => {
                let address = self.temp()?;
                self.copy(address, Operand::reg(reg))?;
                address
            }
            ReturnAddress::Frame(at) => {
                let frame = self.incoming_at(at, 8)?;
                self.load(Type::I64, no_index(Operand::frame(frame), 0))?
            }
        };
        self.return_address = address.vreg();
        Ok(())
    }

    /// Returns the return address if a call by this prototype asks for it.
    pub(super) fn return_address_for(&self, insn: InsnId, signature: &Signature) -> Option<VReg> {
        let is_own = self.inlined.is_none();
        self.return_address
            .filter(|_| is_own && self.asks(insn, signature))
    }
}
