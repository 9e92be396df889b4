//! Reads memory operands.

use super::body::Parser;
use super::constant;
use super::error::{Result, fault, lossy};
use super::lexer::Kind;
use crate::model::{
    Access, AccessLocation, Global, LowType, MemoryOperand, MemorySize, Ordering, Text,
};

impl Parser<'_, '_> {
    /// Reads a memory operand in its parentheses.
    pub(super) fn memory_operand(&mut self) -> Result<MemoryOperand> {
        self.expect(b'(')?;
        let mut memory = MemoryOperand::new(
            Access::Load,
            MemorySize::Unknown,
            AccessLocation::Unknown,
            1,
        );
        self.memory_flags(&mut memory)?;
        memory.access = match (self.take_word(b"load")?, self.take_word(b"store")?) {
            (true, false) => Access::Load,
            (false, true) => Access::Store,
            (true, true) => Access::LoadStore,
            (false, false) => return self.fail("expected 'load' or 'store' memory operation"),
        };
        if self.take_word(b"syncscope")? {
            memory.sync_scope = Some(self.sync_scope()?);
        }
        memory.ordering = self.ordering()?;
        memory.failure_ordering = self.ordering()?;
        memory.size = self.memory_size()?;
        let preposition: &[u8] = match memory.access {
            Access::Load => b"from",
            Access::Store => b"into",
            Access::LoadStore => b"on",
        };
        if self.take_word(preposition)? {
            self.place(&mut memory)?;
        }
        let size = memory.size.bytes();
        memory.base_align = size.map_or(1, |size| size.max(1).next_power_of_two());
        self.memory_attributes(&mut memory)?;
        self.expect(b')')?;
        Ok(memory)
    }

    fn memory_flags(&mut self, memory: &mut MemoryOperand) -> Result<()> {
        loop {
            let flag = match (self.token.kind, self.word()) {
                (Kind::String, _) => {
                    let name = self.text(self.token);
                    let Some(bit) = self.state.target.memory_flag(&name) else {
                        let message =
                            format!("use of undefined target MMO flag '{}'", lossy(&name));
                        return self.fail(message);
                    };
                    if memory.target_flags & bit != 0 {
                        return self
                            .fail(format!("duplicate '{}' memory operand flag", lossy(&name)));
                    }
                    memory.target_flags |= bit;
                    self.bump()?;
                    continue;
                }
                (_, b"volatile") => &mut memory.is_volatile,
                (_, b"non-temporal") => &mut memory.is_non_temporal,
                (_, b"dereferenceable") => &mut memory.is_dereferenceable,
                (_, b"invariant") => &mut memory.is_invariant,
                _ => return Ok(()),
            };
            if *flag {
                let word = lossy(self.word());
                return self.fail(format!("duplicate '{word}' memory operand flag"));
            }
            *flag = true;
            self.bump()?;
        }
    }

    fn sync_scope(&mut self) -> Result<Text> {
        self.expect(b'(')?;
        if self.token.kind != Kind::String {
            return self.fail("expected ')'");
        }
        let token = self.bump()?;
        self.expect(b')')?;
        Ok(self.text(token).into())
    }

    fn ordering(&mut self) -> Result<Ordering> {
        let word = self.word();
        if word.is_empty() || word == b"unknown-size" {
            return Ok(Ordering::NotAtomic);
        }
        let Some(row) = Ordering::TABLE.iter().find(|row| row.1.as_bytes() == word) else {
            return self.fail("expected an atomic scope, ordering or a size specification");
        };
        self.bump()?;
        Ok(row.0)
    }

    fn memory_size(&mut self) -> Result<MemorySize> {
        if self.take_word(b"unknown-size")? {
            return Ok(MemorySize::Unknown);
        }
        let message = "expected memory LLT, the size integer literal or 'unknown-size' after memory operation";
        if self.token.kind == Kind::Integer {
            let at = self.token.start;
            let bytes = self.unsigned64(message)?;
            let bits = bytes
                .checked_mul(8)
                .and_then(|bits| u32::try_from(bits).ok());
            return match bits {
                Some(bits) => Ok(MemorySize::Type(LowType::scalar(bits))),
                None => fault(at, "expected 64-bit integer (too large)"),
            };
        }
        if !self.take(b'(')? {
            return self.fail(message);
        }
        let ty = self.low_type()?;
        self.expect(b')')?;
        Ok(MemorySize::Type(ty))
    }

    fn place(&mut self, memory: &mut MemoryOperand) -> Result<()> {
        let token = self.token;
        memory.place = match (token.kind, self.word()) {
            (Kind::IrValue(number), _) => {
                self.bump()?;
                AccessLocation::IrNumber(number)
            }
            (Kind::NamedIrValue, _) => {
                let name = self.text(token);
                if !self.state.ir.is_some_and(|ir| ir.has_value(&name)) {
                    let shown = lossy(&self.lexer.input[token.start..token.end]);
                    return self.fail(format!("use of undefined IR value '{shown}'"));
                }
                if self.state.ir.is_some_and(|ir| ir.is_no_pointer(&name)) {
                    return self.fail("expected a pointer IR value");
                }
                self.bump()?;
                AccessLocation::IrNamed(name.into())
            }
            (Kind::IrConstant, _) => {
                self.bump()?;
                self.constant_place(self.raw(token))
            }
            (Kind::Global(_) | Kind::NamedGlobal, _) => AccessLocation::Global(self.global()?),
            (Kind::Stack(_) | Kind::FixedStack(_), _) => AccessLocation::Frame(self.frame()?),
            (_, b"stack") => self.simple_place(AccessLocation::Stack)?,
            (_, b"got") => self.simple_place(AccessLocation::Got)?,
            (_, b"jump-table") => self.simple_place(AccessLocation::JumpTable)?,
            (_, b"constant-pool") => self.simple_place(AccessLocation::ConstantPool)?,
            (_, b"unknown-address") => self.simple_place(AccessLocation::Unknown)?,
            (_, b"call-entry") => {
                self.bump()?;
                self.call_entry()?
            }
            (_, b"custom") => {
                self.bump()?;
                if self.token.kind != Kind::String {
                    return self.fail("expected a string constant");
                }
                let token = self.bump()?;
                AccessLocation::Custom(self.text(token).into())
            }
            _ => return self.fail("expected an IR value reference"),
        };
        memory.offset = self.offset()?;
        Ok(())
    }

    /// Returns the place that a constant of the module is.
    fn constant_place(&self, text: &[u8]) -> AccessLocation {
        let text = constant::opaque(text);
        let name = text.strip_prefix(b"ptr @").unwrap_or_default();
        match self.state.names.has_global(name) {
            true => AccessLocation::Global(Global::Named(name.into())),
            false => AccessLocation::IrConstant(text.as_slice().into()),
        }
    }

    fn simple_place(&mut self, place: AccessLocation) -> Result<AccessLocation> {
        self.bump()?;
        Ok(place)
    }

    fn call_entry(&mut self) -> Result<AccessLocation> {
        let token = self.token;
        match token.kind {
            Kind::Global(_) | Kind::NamedGlobal => {
                Ok(AccessLocation::CallEntryGlobal(self.global()?))
            }
            Kind::External => {
                self.bump()?;
                Ok(AccessLocation::CallEntryExternal(self.text(token).into()))
            }
            _ => self.fail("expected a global value or an external symbol after 'call-entry'"),
        }
    }

    fn memory_attributes(&mut self, memory: &mut MemoryOperand) -> Result<()> {
        while self.take(b',')? {
            let at = self.token.start;
            match self.word() {
                b"align" => {
                    self.bump()?;
                    let align = self.power_of_two("align")?;
                    memory.base_align = align;
                    // An offset limits the alignment that can be stated.
                    if memory.align() != align {
                        return fault(at, "specified alignment is more aligned than offset");
                    }
                }
                b"basealign" => {
                    self.bump()?;
                    memory.base_align = self.power_of_two("basealign")?;
                }
                b"addrspace" => {
                    self.bump()?;
                    memory.address_space =
                        self.unsigned("expected an integer literal after 'addrspace'")?;
                }
                _ => self.memory_metadata(memory)?,
            }
        }
        Ok(())
    }

    fn memory_metadata(&mut self, memory: &mut MemoryOperand) -> Result<()> {
        let message = "expected 'align' or '!tbaa' or '!alias.scope' or '!noalias' or '!range' or '!noalias.addrspace'";
        if !self.take(b'!')? {
            return self.fail(message);
        }
        let word = self.word();
        let which = MemoryOperand::METADATA
            .iter()
            .position(|known| known.as_bytes() == word);
        let Some(which) = which else {
            return self.fail(message);
        };
        self.bump()?;
        memory.metadata[which] = Some(self.metadata_node()?);
        Ok(())
    }
}
