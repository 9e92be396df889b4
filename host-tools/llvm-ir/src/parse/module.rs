//! Parses everything outside of functions.

use super::Parser;
use super::lexer::Token;
use crate::ast::{Alias, Const, Linkage, Module, Variable, Weakness};
use crate::error::{Error, Result, SourcePosition};
use crate::types::{DataLayout, Type, Types};

/// The linkage that the words before a definition state.
pub(super) struct Head {
    pub(super) linkage: Linkage,
    /// True if it is defined elsewhere.
    pub(super) is_external: bool,
    pub(super) is_thread_local: bool,
    /// True if it is the copy of what is defined elsewhere.
    pub(super) is_available: bool,
    pub(super) weakness: Weakness,
}

impl Parser<'_> {
    pub(super) fn module(&mut self, skipped: &mut Vec<Error>) -> Result<Module> {
        let mut module = Module {
            triple: None,
            source_filename: None,
            types: Types::new(),
            variables: Vec::new(),
            aliases: Vec::new(),
            functions: Vec::new(),
            names_variables: false,
        };
        while *self.token() != Token::End {
            self.entity(&mut module, skipped)?;
        }
        module.types = core::mem::replace(&mut self.types, Types::new());
        let mut functions = module.functions.iter();
        module.names_variables = self.lexer.has_declarations
            || functions.any(|function| function.name == "llvm.dbg.declare");
        Ok(module)
    }

    fn entity(&mut self, module: &mut Module, skipped: &mut Vec<Error>) -> Result<()> {
        let place = self.place();
        match self.advance()? {
            Token::Word(word) => match word.as_str() {
                "source_filename" => {
                    self.expect(b'=')?;
                    module.source_filename = Some(self.string()?);
                }
                "target" => self.target(module)?,
                "define" => {
                    let function = self.define(skipped)?;
                    module.functions.push(function);
                }
                "declare" => {
                    let function = self.declare()?;
                    module.functions.push(function);
                }
                "attributes" => {
                    self.advance()?;
                    self.expect(b'=')?;
                    self.skip_group()?;
                }
                "uselistorder" | "uselistorder_bb" => self.skip_line()?,
                "module" => self.module_assembly(place)?,
                _ => return Err(place.error(format!("`{word}` begins nothing that a module has"))),
            },
            Token::Local(name) => {
                self.expect(b'=')?;
                self.expect_word("type")?;
                let ty = self.ty()?;
                if !self.types.define(name, ty) {
                    return Err(place.error("the type is defined twice"));
                }
            }
            Token::Global(name) => self.global(name, place, module)?,
            Token::Comdat(_) | Token::Metadata(_) | Token::AttributeGroup => {
                self.expect(b'=')?;
                self.advance()?;
                self.skip_line()?;
            }
            _ => return Err(place.error("expected a definition")),
        }
        Ok(())
    }

    /// Reads `module asm "..."`, which may only be empty.
    fn module_assembly(&mut self, place: SourcePosition) -> Result<()> {
        self.expect_word("asm")?;
        let text = self.string()?;
        if text.trim().is_empty() {
            return Ok(());
        }
        Err(place.error(format!(
            "assembly cannot be expressed in Medium IR: `{}`",
            text.trim()
        )))
    }

    pub(super) fn string(&mut self) -> Result<String> {
        let place = self.place();
        match self.advance()? {
            Token::String(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            _ => Err(place.error("expected a string")),
        }
    }

    fn target(&mut self, module: &mut Module) -> Result<()> {
        let is_layout = self.is_word("datalayout");
        if !is_layout && !self.is_word("triple") {
            return self.error("expected `datalayout` or `triple`");
        }
        self.advance()?;
        self.expect(b'=')?;
        let text = self.string()?;
        if is_layout {
            self.types.layout = DataLayout::parse(&text);
        } else {
            module.triple = Some(text);
        }
        Ok(())
    }

    /// Reads the words before a definition that state its linkage.
    pub(super) fn linkage(&mut self) -> Result<Head> {
        let mut head = Head {
            linkage: Linkage::Global,
            is_external: false,
            is_thread_local: false,
            is_available: false,
            weakness: Weakness::Strong,
        };
        while let Token::Word(word) = self.token() {
            match word.as_str() {
                "weak" | "linkonce" | "extern_weak" => head.weakness = Weakness::Weak,
                "weak_odr" | "linkonce_odr" | "common" => head.weakness = Weakness::Alike,
                _ => {}
            }
            match word.as_str() {
                "private" | "internal" => head.linkage = Linkage::Local,
                "linkonce" | "linkonce_odr" | "available_externally" => {
                    head.linkage = Linkage::Copied;
                    head.is_available |= word == "available_externally";
                }
                "external" | "extern_weak" => head.is_external = true,
                "weak"
                | "weak_odr"
                | "common"
                | "appending"
                | "dso_local"
                | "dso_preemptable"
                | "default"
                | "hidden"
                | "protected"
                | "dllimport"
                | "dllexport"
                | "unnamed_addr"
                | "local_unnamed_addr"
                | "externally_initialized" => {}
                "thread_local" | "addrspace" => {
                    head.is_thread_local |= word == "thread_local";
                    self.advance()?;
                    self.skip_group()?;
                    continue;
                }
                _ => break,
            }
            self.advance()?;
        }
        Ok(head)
    }

    /// Reads the definition after `@name`.
    fn global(&mut self, name: String, place: SourcePosition, module: &mut Module) -> Result<()> {
        self.expect(b'=')?;
        let Head {
            linkage,
            is_external,
            is_thread_local,
            is_available,
            weakness,
        } = self.linkage()?;
        if self.accept_word("alias")? {
            self.ty()?;
            self.expect(b',')?;
            let aliasee = self.aliasee()?;
            self.trailing()?;
            module.aliases.push(Alias {
                place,
                name,
                linkage,
                aliasee,
            });
            return Ok(());
        }
        if self.is_word("ifunc") {
            return self.error("an ifunc cannot be expressed in Medium IR");
        }
        let is_constant = self.is_word("constant");
        if !self.accept_word("global")? && !self.accept_word("constant")? {
            return self.error("expected `global`, `constant` or `alias`");
        }
        let ty = self.ty()?;
        let is_function = matches!(self.types.get(ty), Type::Function { .. });
        if is_function {
            return self.error("a variable cannot be a function");
        }
        let ends = is_external || self.next.starts_line || self.is_punctuation(b',');
        let mut initializer = if ends { None } else { Some(self.constant(ty)?) };
        let align = self.trailing_alignment()?;
        let linkage = match linkage {
            Linkage::Copied if !is_constant && is_available => {
                // The variable elsewhere may have another value by now.
                initializer = None;
                Linkage::Global
            }
            Linkage::Copied if !is_constant => Linkage::Shared,
            linkage => linkage,
        };
        module.variables.push(Variable {
            place,
            name,
            linkage,
            weakness,
            ty,
            initializer,
            is_thread_local,
            align,
        });
        Ok(())
    }

    /// Reads the target of an alias: a constant with its type, or an expression without.
    fn aliasee(&mut self) -> Result<Const> {
        let is_expression =
            matches!(self.token(), Token::Word(word) if super::constants::begins_constant(word));
        if is_expression {
            let pointer = self.types.add(Type::Ptr);
            return self.constant(pointer);
        }
        Ok(self.typed_constant()?.1)
    }

    /// Skips what may follow a definition or instruction and changes nothing: `, align 4`, `, !dbg
    /// !5`, `#0`, `comdat`.
    pub(super) fn trailing(&mut self) -> Result<()> {
        self.trailing_alignment().map(|_| ())
    }

    /// Does as [`Parser::trailing`]; returns the alignment, 0 without one.
    fn trailing_alignment(&mut self) -> Result<u64> {
        let mut align = 0;
        loop {
            match self.token() {
                Token::Punctuation(b',') if !self.next.starts_line => {
                    self.advance()?;
                    match self.advance()? {
                        Token::Metadata(_) => {
                            self.metadata()?;
                        }
                        Token::Word(word) if word == "comdat" => {
                            self.skip_group()?;
                        }
                        Token::Word(word) if word == "align" => {
                            let place = self.place();
                            align = self.unsigned()?;
                            if !align.is_power_of_two() {
                                return Err(place.error("an alignment is a power of two"));
                            }
                        }
                        Token::Word(_) => {
                            let is_value =
                                matches!(self.token(), Token::Integer(_) | Token::String(_));
                            if is_value && !self.next.starts_line {
                                self.advance()?;
                            } else {
                                self.skip_group()?;
                            }
                        }
                        _ => return self.error("expected what may follow an instruction"),
                    }
                }
                Token::AttributeGroup => {
                    self.advance()?;
                }
                _ => return Ok(align),
            }
        }
    }

    /// Skips the node after `!dbg`: `!5`, `!{...}`, `!DILocation(...)`.
    pub(super) fn metadata(&mut self) -> Result<()> {
        if let Token::Metadata(name) = self.token() {
            let is_node =
                name.is_empty() || name.starts_with(|first: char| first.is_ascii_alphabetic());
            self.advance()?;
            if is_node {
                self.skip_group()?;
            }
        } else {
            self.skip_group()?;
        }
        Ok(())
    }
}
