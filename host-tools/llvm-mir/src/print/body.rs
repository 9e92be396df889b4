//! Prints blocks and instructions.

use super::memory::push_memory;
use super::operand::{Context, Names, push_metadata, push_operand, push_register};
use super::{push_hex, push_name, push_number};
use crate::model::{
    Block, BlockAttributes, Global, InsnFlag, Instruction, IrBlock, OperandKind, Section, Trailers,
};
use crate::target::Signature;

/// Adds the lines of all blocks.
pub(super) fn print(out: &mut Vec<u8>, names: &Names<'_>, simplify: bool) {
    let context = Context::new(*names);
    let mut lines = Vec::new();
    for (at, block) in names.function.blocks.iter().enumerate() {
        if at != 0 {
            lines.push(b'\n');
        }
        print_block(&mut lines, &context, at as u32, block, simplify);
    }
    out.reserve(lines.len() + lines.len() / 16);
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        out.extend_from_slice(b"  ");
        out.extend_from_slice(line);
    }
}

fn print_block(
    out: &mut Vec<u8>,
    context: &Context<'_>,
    number: u32,
    block: &Block,
    simplify: bool,
) {
    push_label(out, number, block);
    let successors = push_successors(out, context, number, block, simplify);
    if !block.live_ins.is_empty() {
        out.extend_from_slice(b"  liveins: ");
        for (at, (register, lanes)) in block.live_ins.iter().enumerate() {
            if at != 0 {
                out.extend_from_slice(b", ");
            }
            push_register(out, &context.names, *register);
            if *lanes != Block::ALL_LANES {
                out.extend_from_slice(b":0x");
                push_hex(out, *lanes, 16);
            }
        }
        out.push(b'\n');
    }
    if (successors || !block.live_ins.is_empty()) && !block.instructions.is_empty() {
        out.push(b'\n');
    }
    let mut in_bundle = false;
    for (at, insn) in block.instructions.iter().enumerate() {
        if in_bundle && !insn.in_bundle {
            out.extend_from_slice(b"  }\n");
            in_bundle = false;
        }
        out.extend_from_slice(if in_bundle { b"    " } else { b"  " });
        push_instruction(out, context, insn);
        let next = block.instructions.get(at + 1);
        if !in_bundle && next.is_some_and(|next| next.in_bundle) {
            out.extend_from_slice(b" {");
            in_bundle = true;
        }
        out.push(b'\n');
    }
    if in_bundle {
        out.extend_from_slice(b"  }\n");
    }
}

fn push_label(out: &mut Vec<u8>, number: u32, block: &Block) {
    out.extend_from_slice(b"bb.");
    push_number(out, number);
    let mut list: Vec<Vec<u8>> = Vec::new();
    match &block.ir {
        Some(IrBlock::Named(name)) => {
            out.push(b'.');
            out.extend_from_slice(name.as_bytes());
        }
        Some(unnamed) => list.push(ir_block(unnamed)),
        None => {}
    }
    push_attributes(&mut list, &block.attributes);
    if !list.is_empty() {
        out.extend_from_slice(b" (");
        out.extend_from_slice(&list.join(&b", "[..]));
        out.push(b')');
    }
    out.extend_from_slice(b":\n");
}

/// Adds the attributes of a block to a list of those that its label has.
fn push_attributes(list: &mut Vec<Vec<u8>>, attributes: &BlockAttributes) {
    let mut word = |text: &str| list.push(text.as_bytes().to_vec());
    if attributes.machine_address_taken {
        word("machine-block-address-taken");
    }
    if let Some(ir) = &attributes.ir_address_taken {
        let mut text = b"ir-block-address-taken ".to_vec();
        match ir {
            // LLVM prints this name without quotes whatever it is.
            IrBlock::Named(name) => text.extend([b"%ir-block.", name.as_bytes()].concat()),
            IrBlock::Number(_) => text.extend(ir_block(ir)),
        }
        list.push(text);
    }
    let mut word = |text: &str| list.push(text.as_bytes().to_vec());
    for (is_so, text) in [
        (attributes.is_landing_pad, "landing-pad"),
        (
            attributes.is_inline_asm_target,
            "inlineasm-br-indirect-target",
        ),
        (attributes.is_funclet_entry, "ehfunclet-entry"),
        (attributes.is_scope_entry, "ehscope-entry"),
    ] {
        if is_so {
            word(text);
        }
    }
    if attributes.alignment > 1 {
        word(&format!("align {}", attributes.alignment));
    }
    match attributes.section {
        Section::Default => {}
        Section::Number(number) => word(&format!("bbsections {number}")),
        Section::Exception => word("bbsections Exception"),
        Section::Cold => word("bbsections Cold"),
    }
    if let Some((base, clone)) = attributes.id {
        let clone = if clone == 0 {
            String::new()
        } else {
            format!(" {clone}")
        };
        word(&format!("bb_id {base}{clone}"));
    }
    if attributes.call_frame_size != 0 {
        word(&format!("call-frame-size {}", attributes.call_frame_size));
    }
}

/// Returns the text `%ir-block.…`.
pub(super) fn ir_block(block: &IrBlock) -> Vec<u8> {
    let mut text = b"%ir-block.".to_vec();
    match block {
        IrBlock::Named(name) => push_name(&mut text, name.as_bytes()),
        IrBlock::Number(number) => push_number(&mut text, *number),
    }
    text
}

/// Adds the successors of a block; returns whether a line was written.
fn push_successors(
    out: &mut Vec<u8>,
    context: &Context<'_>,
    number: u32,
    block: &Block,
    simplify: bool,
) -> bool {
    let names = &context.names;
    let guess = || names.function.guessed_successors(number, names.target);
    let is_guess = || {
        let guess = guess();
        guess.len() == block.successors.len()
            && guess
                .iter()
                .zip(&block.successors)
                .all(|(guess, to)| *guess == to.block)
    };
    let plain = simplify && block.is_even();
    let wanted = match simplify {
        true => !plain || !is_guess(),
        false => !block.successors.is_empty() || !guess().is_empty(),
    };
    if !wanted {
        return false;
    }
    out.extend_from_slice(b"  successors:");
    for (at, to) in block.successors.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b" %bb." } else { b", %bb." });
        push_number(out, to.block);
        if !plain {
            out.extend_from_slice(b"(0x");
            push_hex(out, to.probability.into(), 8);
            out.push(b')');
        }
    }
    out.push(b'\n');
    true
}

pub(super) fn push_instruction(out: &mut Vec<u8>, context: &Context<'_>, insn: &Instruction) {
    let target = context.names.target;
    let signature = target.signature(insn.opcode);
    let left = insn.left_count();
    let prints_ties = prints_ties(insn, &signature);
    let mut types = Vec::new();
    let mut operand = |out: &mut Vec<u8>, at: usize| {
        if let Some(operand) = insn.operands.get(at) {
            let ties = prints_ties.then(|| tie(insn, &signature, at)).flatten();
            push_operand(
                out,
                context,
                insn,
                &signature,
                at,
                operand,
                at >= left,
                ties,
                &mut types,
            );
        }
    };
    for at in 0..left {
        if at != 0 {
            out.extend_from_slice(b", ");
        }
        operand(out, at);
    }
    if left != 0 {
        out.extend_from_slice(b" = ");
    }
    if !insn.flags.is_empty() {
        for (flag, word) in InsnFlag::TABLE {
            if insn.flags.contains(*flag) {
                out.extend_from_slice(word.as_bytes());
                out.push(b' ');
            }
        }
    }
    out.extend_from_slice(target.opcode_name(insn.opcode).as_bytes());
    let mut first = true;
    for at in left..insn.operands.len() {
        out.extend_from_slice(if first { b" " } else { b", " });
        first = false;
        operand(out, at);
    }
    if let Some(trailers) = &insn.trailers {
        push_trailers(out, trailers, first);
    }
    for (at, memory) in insn.memory.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b" :: " } else { b", " });
        push_memory(out, &context.names, memory);
    }
}

/// Returns the index of the operand that a use is tied to.
fn tie(insn: &Instruction, signature: &Signature, at: usize) -> Option<u16> {
    let register = insn.operands.get(at)?.register()?;
    if register.is_def() {
        return None;
    }
    let described = signature.operand(at).and_then(|info| info.tied());
    register
        .tied
        .or(described.and_then(|tied| u16::try_from(tied).ok()))
}

/// Returns whether ties are printed: if one differs from the opcode's description.
fn prints_ties(insn: &Instruction, signature: &Signature) -> bool {
    insn.operands.iter().enumerate().any(|(at, operand)| {
        let OperandKind::Register(register) = &operand.kind else {
            return false;
        };
        let described = signature.operand(at).and_then(|info| info.tied());
        register
            .tied
            .is_some_and(|tied| Some(usize::from(tied)) != described)
    })
}

fn push_trailers(out: &mut Vec<u8>, trailers: &Trailers, mut first: bool) {
    let mut open = |out: &mut Vec<u8>, word: &str| {
        out.extend_from_slice(if first { b" " } else { b", " });
        first = false;
        out.extend_from_slice(word.as_bytes());
        out.push(b' ');
    };
    for (word, symbol) in [
        ("pre-instr-symbol", &trailers.pre_symbol),
        ("post-instr-symbol", &trailers.post_symbol),
    ] {
        if let Some(symbol) = symbol {
            open(out, word);
            out.extend_from_slice(b"<mcsymbol ");
            out.extend_from_slice(symbol.as_bytes());
            out.push(b'>');
        }
    }
    for (word, node) in [
        ("heap-alloc-marker", &trailers.heap_alloc_marker),
        ("pcsections", &trailers.pc_sections),
    ] {
        if let Some(node) = node {
            open(out, word);
            push_metadata(out, node);
        }
    }
    if trailers.cfi_type != 0 {
        open(out, "cfi-type");
        push_number(out, trailers.cfi_type);
    }
    if let Some(global) = &trailers.deactivation_symbol {
        open(out, "deactivation-symbol");
        push_global(out, global);
    }
    if trailers.debug_number != 0 {
        open(out, "debug-instr-number");
        push_number(out, trailers.debug_number);
    }
    if let Some(location) = &trailers.debug_location {
        open(out, "debug-location");
        push_metadata(out, location);
    }
}

/// Adds a reference to a global value, `@…`.
pub(super) fn push_global(out: &mut Vec<u8>, global: &Global) {
    out.push(b'@');
    match global {
        Global::Named(name) => push_name(out, name.as_bytes()),
        Global::Number(number) => push_number(out, *number),
    }
}
