//! Prints memory operands.

use super::body::push_global;
use super::name::push_quoted;
use super::operand::{Names, push_frame, push_metadata, push_offset, push_type};
use super::{push_name, push_number};
use crate::model::{Access, AccessLocation, MemoryOperand, MemorySize, Ordering};

/// Adds a memory operand.
pub(super) fn push_memory(out: &mut Vec<u8>, names: &Names<'_>, memory: &MemoryOperand) {
    out.push(b'(');
    for (is_so, word) in [
        (memory.is_volatile, "volatile "),
        (memory.is_non_temporal, "non-temporal "),
        (memory.is_dereferenceable, "dereferenceable "),
        (memory.is_invariant, "invariant "),
    ] {
        if is_so {
            out.extend_from_slice(word.as_bytes());
        }
    }
    if memory.target_flags != 0 {
        for name in names.target.memory_flag_names(memory.target_flags) {
            out.extend_from_slice(format!("\"{name}\" ").as_bytes());
        }
    }
    out.extend_from_slice(match memory.access {
        Access::Load => b"load ",
        Access::Store => b"store ",
        Access::LoadStore => b"load store ",
    });
    if let Some(scope) = &memory.sync_scope {
        out.extend_from_slice(b"syncscope(");
        push_quoted(out, scope.as_bytes());
        out.extend_from_slice(b") ");
    }
    push_ordering(out, memory.ordering);
    push_ordering(out, memory.failure_ordering);
    match &memory.size {
        MemorySize::Type(ty) => {
            out.push(b'(');
            push_type(out, ty);
            out.push(b')');
        }
        MemorySize::Unknown => out.extend_from_slice(b"unknown-size"),
    }
    push_place(out, names, memory);
    let (align, size) = (memory.align(), memory.size.bytes());
    if size != Some(align) {
        out.extend_from_slice(b", align ");
        push_number(out, align);
    }
    if memory.base_align != align {
        out.extend_from_slice(b", basealign ");
        push_number(out, memory.base_align);
    }
    for (node, word) in memory.metadata.iter().zip(MemoryOperand::METADATA) {
        if let Some(node) = node {
            out.extend_from_slice(format!(", !{word} ").as_bytes());
            push_metadata(out, node);
        }
    }
    if memory.address_space != 0 {
        out.extend_from_slice(b", addrspace ");
        push_number(out, memory.address_space);
    }
    out.push(b')');
}

fn push_ordering(out: &mut Vec<u8>, ordering: Ordering) {
    if let Some((_, word)) = Ordering::TABLE.iter().find(|(known, _)| *known == ordering) {
        out.extend_from_slice(word.as_bytes());
        out.push(b' ');
    }
}

fn push_place(out: &mut Vec<u8>, names: &Names<'_>, memory: &MemoryOperand) {
    if memory.place == AccessLocation::Unknown && memory.offset == 0 {
        return;
    }
    out.extend_from_slice(match memory.access {
        Access::Load => b" from ",
        Access::Store => b" into ",
        Access::LoadStore => b" on ",
    });
    match &memory.place {
        AccessLocation::Unknown => out.extend_from_slice(b"unknown-address"),
        AccessLocation::IrNamed(name) => {
            out.extend_from_slice(b"%ir.");
            push_name(out, name.as_bytes());
        }
        AccessLocation::IrNumber(number) => {
            out.extend_from_slice(b"%ir.");
            push_number(out, *number);
        }
        AccessLocation::Global(global) => push_global(out, global),
        AccessLocation::IrConstant(text) => {
            out.push(b'`');
            out.extend_from_slice(text.as_bytes());
            out.push(b'`');
        }
        AccessLocation::Stack => out.extend_from_slice(b"stack"),
        AccessLocation::Got => out.extend_from_slice(b"got"),
        AccessLocation::JumpTable => out.extend_from_slice(b"jump-table"),
        AccessLocation::ConstantPool => out.extend_from_slice(b"constant-pool"),
        AccessLocation::Frame(frame) => push_frame(out, names, *frame),
        AccessLocation::CallEntryGlobal(global) => {
            out.extend_from_slice(b"call-entry ");
            push_global(out, global);
        }
        AccessLocation::CallEntryExternal(name) => {
            out.extend_from_slice(b"call-entry &");
            push_name(out, name.as_bytes());
        }
        AccessLocation::Custom(name) => {
            out.extend_from_slice(b"custom ");
            push_quoted(out, name.as_bytes());
        }
    }
    push_offset(out, memory.offset);
}
