//! Parses types and the attributes of parameters.

use super::Parser;
use super::lexer::Token;
use crate::ast::Attributes;
use crate::error::Result;
use crate::types::{Type, TypeId};

/// Returns the type that a single word stands for.
fn simple(word: &str) -> Option<Type> {
    Some(match word {
        "void" => Type::Void,
        "float" => Type::Float,
        "double" => Type::Double,
        "x86_fp80" => Type::X86Fp80,
        "fp128" => Type::Fp128,
        "ppc_fp128" => Type::PpcFp128,
        "ptr" => Type::Ptr,
        "label" => Type::Label,
        "metadata" => Type::Metadata,
        "half" => Type::Half,
        "bfloat" => Type::BFloat,
        "token" => Type::Other("token"),
        "x86_amx" => Type::Other("x86_amx"),
        "opaque" => Type::Other("opaque"),
        _ => {
            let digits = word.strip_prefix('i')?;
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let width = digits
                .parse()
                .ok()
                .filter(|width| (1..1 << 23).contains(width));
            Type::Int(width.filter(|_| is_number)?)
        }
    })
}

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Result<TypeId> {
        let mut ty = self.nested(Self::type_without_suffix)?;
        while self.is_punctuation(b'(') {
            ty = self.nested(|parser| parser.function_type(ty))?;
        }
        self.check_no_star()?;
        Ok(ty)
    }

    /// Reads a type that is not a function type: the result of a call or definition.
    pub(super) fn result_type(&mut self) -> Result<TypeId> {
        let ty = self.nested(Self::type_without_suffix)?;
        self.check_no_star()?;
        Ok(ty)
    }

    /// Refuses a type with a star after it: a pointer as LLVM wrote it before version 15.
    fn check_no_star(&self) -> Result<()> {
        match self.is_punctuation(b'*') {
            true => self.error(
                "pointers with the type they point to are of clang or LLVM before 15: use 16 to 22",
            ),
            false => Ok(()),
        }
    }

    fn type_without_suffix(&mut self) -> Result<TypeId> {
        let place = self.place();
        let ty = match self.advance()? {
            Token::Word(word) => match simple(&word) {
                Some(Type::Ptr) => {
                    self.address_space()?;
                    Type::Ptr
                }
                Some(ty) => ty,
                None if word == "target" => {
                    self.skip_group()?;
                    Type::Other("target")
                }
                None => return Err(place.error(format!("`{word}` is no type"))),
            },
            Token::Local(name) => Type::Named(name),
            Token::Punctuation(b'[') => {
                let (count, element) = self.repeated(b']')?;
                Type::Array(count, element)
            }
            Token::Punctuation(b'{') => self.fields(false)?,
            Token::Punctuation(b'<') if self.is_punctuation(b'{') => {
                self.advance()?;
                let ty = self.fields(true)?;
                self.expect(b'>')?;
                ty
            }
            Token::Punctuation(b'<') => {
                if self.accept_word("vscale")? {
                    return Err(place.error("scalable vectors cannot be expressed in Medium IR"));
                }
                let (count, element) = self.repeated(b'>')?;
                Type::Vector(count, element)
            }
            _ => return Err(place.error("expected a type")),
        };
        Ok(self.types.add(ty))
    }

    fn address_space(&mut self) -> Result<()> {
        if self.accept_word("addrspace")? {
            self.skip_group()?;
        }
        Ok(())
    }

    /// Reads `4 x i32` and the closing bracket.
    fn repeated(&mut self, end: u8) -> Result<(u64, TypeId)> {
        let count = self.unsigned()?;
        self.expect_word("x")?;
        let element = self.ty()?;
        self.expect(end)?;
        Ok((count, element))
    }

    fn fields(&mut self, packed: bool) -> Result<Type> {
        let mut fields = Vec::new();
        if !self.accept(b'}')? {
            loop {
                fields.push(self.ty()?);
                if !self.accept(b',')? {
                    break;
                }
            }
            self.expect(b'}')?;
        }
        Ok(Type::Struct { fields, packed })
    }

    fn function_type(&mut self, result: TypeId) -> Result<TypeId> {
        self.expect(b'(')?;
        let (mut params, mut vararg) = (Vec::new(), false);
        while !self.accept(b')')? {
            if self.accept(b'.')? {
                vararg = true;
            } else {
                params.push(self.ty()?);
                self.attributes()?;
            }
            if !self.is_punctuation(b')') {
                self.expect(b',')?;
            }
        }
        Ok(self.types.add(Type::Function {
            result,
            params,
            vararg,
        }))
    }

    /// Reads the attributes of a parameter, argument or result: all words that do not begin a
    /// value.
    pub(super) fn attributes(&mut self) -> Result<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            match self.token() {
                Token::String(_) => {
                    self.advance()?;
                    if self.accept(b'=')? {
                        self.advance()?;
                    }
                }
                Token::Word(word)
                    if !super::constants::begins_constant(word) && simple(word).is_none() =>
                {
                    let word = self.word("an attribute")?;
                    self.attribute(&word, &mut attributes)?;
                }
                _ => return Ok(attributes),
            }
        }
    }

    fn attribute(&mut self, word: &str, attributes: &mut Attributes) -> Result<()> {
        match word {
            "signext" => attributes.signext = true,
            "zeroext" => attributes.zeroext = true,
            "sret" => {
                self.expect(b'(')?;
                attributes.sret = Some(self.ty()?);
                self.expect(b')')?;
            }
            "byval" => {
                self.expect(b'(')?;
                attributes.byval = Some(self.ty()?);
                self.expect(b')')?;
            }
            "inalloca" | "preallocated" | "swifterror" | "swiftself" | "swiftasync" => {
                return self.error(format!(
                    "the attribute `{word}` cannot be expressed in Medium IR"
                ));
            }
            "align" if matches!(self.token(), Token::Integer(_)) => {
                attributes.align = self.unsigned()?;
            }
            _ => self.skip_parenthesis()?,
        }
        Ok(())
    }
}
