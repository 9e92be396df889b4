//! Our Machine IR in LLVM's text format: conversion to the model of `llvm-mir`, whose tables know LLVM's numbers of what
//! our tables have by LLVM's names.

mod convert;
mod live;
mod names;

use convert::Converter;
use llvm_mir::model::{File, Function, Module};
use llvm_mir::target::{Isa as LlvmIsa, Target, Triple};
use mir_nostd::codegen::{Printed, Stage};
use mir_nostd::ir::{self, FuncId};
use mir_nostd::target::Isa;
pub(crate) use names::Names;

/// LLVM's tables for a target of ours.
fn target_of(isa: &dyn Isa) -> (LlvmIsa, &'static Target) {
    let isa = match isa.target().name {
        "aarch64" => LlvmIsa::Aarch64,
        "ppc64le" => LlvmIsa::Ppc64le,
        "riscv64" => LlvmIsa::Riscv64,
        "s390x" => LlvmIsa::S390x,
        _ => LlvmIsa::X86_64,
    };
    (isa, Target::of(isa))
}

/// What code of ours takes for granted beyond what LLVM's default processor for the target has.
const fn features_of(isa: LlvmIsa) -> &'static str {
    match isa {
        LlvmIsa::Riscv64 => "+m,+a,+f,+d,+c",
        _ => "",
    }
}

/// A file in the making: the functions of a program as a stage left them.
pub(crate) struct Text {
    isa: &'static dyn Isa,
    target: &'static Target,
    functions: Vec<Function>,
}

impl Text {
    pub(crate) fn new(isa: &'static dyn Isa) -> Text {
        let (_, target) = target_of(isa);
        Text {
            isa,
            target,
            functions: Vec::new(),
        }
    }

    /// Adds a function.
    pub(crate) fn add(
        &mut self,
        names: &mut Names,
        module: (usize, &ir::Module<'_>),
        (func, stage): (FuncId, Stage),
        printed: &Printed<'_, '_>,
    ) -> Result<(), String> {
        let converter = Converter::new(self.isa, self.target, names, module, func, stage);
        self.functions.push(converter.function(printed.function)?);
        Ok(())
    }

    /// The text of the file, which is about the program of this name.
    pub(crate) fn print(self, name: &str, names: &Names) -> Vec<u8> {
        let (isa, target) = target_of(self.isa);
        let (triple, layout) = (Triple::of(isa), llvm_mir::target::data_layout(isa));
        let file = File {
            target,
            module: Module {
                text: names.module(name, &triple.text, layout, features_of(isa)),
            },
            functions: self.functions,
        };
        llvm_mir::print(&file, llvm_mir::PrintOptions::default())
    }
}
