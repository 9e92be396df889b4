//! Our Machine IR in LLVM's text format: conversion to the model of `llvm-mir`, whose tables have
//! LLVM's numbers for what our tables have by LLVM's names.

mod attributes;
mod convert;
mod generic;
mod live;
mod names;
mod read;
mod stages;

use crate::isa::llvm_isa;
use convert::{Contents, Converter, Naming};
use generic::GenericConverter;
use llvm_mir::model::{File, Function, Module};
use llvm_mir::target::{Isa as LlvmIsa, Target};
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::Form;
use mir_nostd::ir::{self, FuncId};
use mir_nostd::machine::Symbol;
use mir_nostd::mem::Entity;
pub(crate) use names::Names;
pub(crate) use read::{Externals, Reader};
pub use stages::continue_stages;
pub(crate) use stages::go_on;
use std::collections::HashSet;

/// Returns LLVM's tables for a target of ours.
fn target_of(isa: &dyn Backend) -> &'static Target {
    Target::of(llvm_isa(isa.target()))
}

/// Returns the features that our code needs beyond those of LLVM's default processor.
const fn features_of(isa: LlvmIsa) -> &'static str {
    match isa {
        LlvmIsa::Riscv64 => "+m,+a,+f,+d,+c",
        _ => "",
    }
}

/// A file in the making: the functions of a program as stages left them.
pub(crate) struct Text {
    isa: &'static dyn Backend,
    target: &'static Target,
    functions: Vec<Function>,
    /// The declarations in the module of functions that were read, as they are written there.
    declared: HashSet<Vec<u8>>,
    /// Data of these functions.
    tables: Vec<Vec<u8>>,
}

/// Names in a module of Medium IR.
struct InModule<'a, 'm> {
    names: &'a mut Names,
    module: (usize, &'a ir::Module<'m>),
    func: FuncId,
    /// The number that it gets in the file.
    place: usize,
}

impl Naming for InModule<'_, '_> {
    fn function(&mut self) -> Vec<u8> {
        let (number, module) = self.module;
        self.names.function(number, module, self.func)
    }

    fn number(&self) -> usize {
        self.place
    }

    fn symbol(&mut self, symbol: Symbol) -> Vec<u8> {
        let (number, module) = self.module;
        self.names.symbol(number, module, symbol)
    }

    fn table(&mut self, table: u32) -> Vec<u8> {
        let (number, module) = self.module;
        self.names.table(number, module, self.func, table)
    }

    fn data(&mut self, what: &str, contents: &Contents<'_>) -> Vec<u8> {
        let function = self.function();
        self.names.own_data(&function, what, contents)
    }

    fn block(&mut self, number: u32) -> Vec<u8> {
        let function = self.function();
        self.names.block(&function, number)
    }
}

/// Names in a file that was read.
struct InFile<'a> {
    name: &'a [u8],
    externals: &'a Externals,
    declared: &'a HashSet<Vec<u8>>,
    tables: &'a mut Vec<Vec<u8>>,
    /// Its number in the file.
    place: usize,
}

/// A name as modules have it.
fn written(name: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    names::push_name(&mut text, name);
    text
}

impl InFile<'_> {
    /// Data of the function's own, which the module is to declare.
    fn own(&mut self, what: &str) -> Vec<u8> {
        let wanted = [self.name, b".", what.as_bytes()].concat();
        let (mut name, mut count) = (wanted.clone(), 1);
        while self.declared.contains(&written(&name)) {
            count += 1;
            name = names::numbered(&wanted, count);
        }
        if !self.tables.contains(&name) {
            self.tables.push(name.clone());
        }
        name
    }
}

impl Naming for InFile<'_> {
    fn function(&mut self) -> Vec<u8> {
        self.name.to_vec()
    }

    fn number(&self) -> usize {
        self.place
    }

    fn symbol(&mut self, symbol: Symbol) -> Vec<u8> {
        match symbol {
            Symbol::Item(item) => self.externals.names.get(item.index()).cloned(),
            _ => None,
        }
        .unwrap_or_default()
    }

    fn table(&mut self, table: u32) -> Vec<u8> {
        self.own(&format!("table.{table}"))
    }

    fn data(&mut self, what: &str, _: &Contents<'_>) -> Vec<u8> {
        self.own(what)
    }

    fn block(&mut self, number: u32) -> Vec<u8> {
        names::block_name(number)
    }
}

impl Text {
    pub(crate) fn new(isa: &'static dyn Backend) -> Text {
        let target = target_of(isa);
        Text {
            isa,
            target,
            functions: Vec::new(),
            declared: HashSet::new(),
            tables: Vec::new(),
        }
    }

    /// Returns the ISA that a file is for, if it is another one.
    pub(crate) fn other_isa(isa: &'static dyn Backend, file: &File) -> Option<&'static str> {
        let found = file.target.isa();
        (found != llvm_isa(isa.target())).then(|| found.name())
    }

    /// Returns a text for functions that are read from a file with this module.
    pub(crate) fn again(isa: &'static dyn Backend, module: &Module) -> Text {
        let lines = module.text.split(|&byte| byte == b'\n');
        let starts: [&[u8]; 3] = [b"@", b"define ", b"declare "];
        let names = lines.filter(|line| starts.iter().any(|start| line.starts_with(start)));
        let names = names.filter_map(|line| {
            let mut parts = line.split(|byte| b"@=(".contains(byte));
            parts.nth(1).map(<[u8]>::trim_ascii)
        });
        Text {
            declared: names.map(<[u8]>::to_vec).collect(),
            ..Text::new(isa)
        }
    }

    /// Adds a function.
    pub(crate) fn add(
        &mut self,
        names: &mut Names,
        module: (usize, &ir::Module<'_>),
        func: FuncId,
        (function, form): (&mir_nostd::machine::Function<'_>, Form),
    ) -> Result<(), String> {
        let attributes = attributes::of(function, self.isa.registers());
        names.attribute(module, func, attributes);
        let mut naming = InModule {
            names,
            module,
            func,
            place: self.functions.len(),
        };
        self.functions.push(if form < Form::Selected {
            GenericConverter::new(self.isa, self.target, &mut naming, function).function()?
        } else {
            Converter::new(self.isa, self.target, &mut naming, form).function(function)?
        });
        Ok(())
    }

    /// Adds a function that was read from a file.
    pub(crate) fn add_read(
        &mut self,
        name: &[u8],
        externals: &Externals,
        (function, form): (&mir_nostd::machine::Function<'_>, Form),
    ) -> Result<(), String> {
        let mut naming = InFile {
            name,
            externals,
            declared: &self.declared,
            tables: &mut self.tables,
            place: self.functions.len(),
        };
        let converter = Converter::new(self.isa, self.target, &mut naming, form);
        self.functions.push(converter.function(function)?);
        Ok(())
    }

    /// Returns the live ranges of the registers of the functions.
    pub(crate) fn print_live(&self) -> Vec<u8> {
        let functions = self.functions.iter();
        functions
            .flat_map(|function| llvm_mir::print_live(self.target, function))
            .collect()
    }

    /// The text of the file again whose functions were read, with this module.
    pub(crate) fn print_again(self, mut module: Module) -> Vec<u8> {
        for table in &self.tables {
            let line = [b"\n@", &*written(table), b" = internal global i8 0\n"].concat();
            module.text.extend_from_slice(&line);
        }
        let file = File {
            target: self.target,
            module,
            functions: self.functions,
        };
        llvm_mir::print(&file, llvm_mir::PrintOptions::default())
    }

    /// Returns the text of the file, which is about the program of this name.
    pub(crate) fn print(self, name: &str, names: &Names) -> Vec<u8> {
        let isa = self.target.isa();
        let file = File {
            target: self.target,
            module: Module {
                text: names.module(name, isa, features_of(isa)),
            },
            functions: self.functions,
        };
        llvm_mir::print(&file, llvm_mir::PrintOptions::default())
    }
}
