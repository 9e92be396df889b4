//! Prints the document of a function.

use super::body;
use super::operand::{Names, push_frame, push_register};
use super::yaml::{Flow, Yaml, push_scalar};
use super::{PrintOptions, push_number};
use crate::model::{
    CallSite, DebugVariable, FixedObject, FrameProperty, Function, FunctionProperty, JumpTableKind,
    ObjectKind, Register, RegisterKind, SavePoint, StackId, StackObject,
};
use crate::target::Target;

/// Adds the document of a function.
pub(super) fn print(
    target: &'static Target,
    function: &Function,
    options: PrintOptions,
    out: Vec<u8>,
) -> Vec<u8> {
    let names = Names { target, function };
    let mut yaml = Yaml::new(out, options.simplify);
    yaml.out.extend_from_slice(b"---");
    yaml.newline();
    yaml.scalar("name", function.name.as_bytes());
    yaml.number("alignment", function.alignment, -1);
    for (property, key) in FunctionProperty::TABLE {
        let value = function.has(*property);
        if property.is_computed() {
            yaml.always_boolean(key, value);
        } else {
            yaml.boolean(key, value);
        }
    }
    registers(&mut yaml, &names);
    frame_info(&mut yaml, &names);
    yaml.list("fixedStack", &function.fixed_stack, |yaml, at, object| {
        yaml.flow(|flow| fixed_object(flow, &names, at, object));
    });
    yaml.list("stack", &function.stack, |yaml, at, object| {
        yaml.flow(|flow| stack_object(flow, &names, at, object));
    });
    debug_and_calls(&mut yaml, &names, options);
    pools(&mut yaml, function);
    code(&mut yaml, &names);
    yaml.out
}

fn named(names: &Names<'_>, register: Register) -> Vec<u8> {
    let mut text = Vec::new();
    if !register.is_none() {
        push_register(&mut text, names, register);
    }
    text
}

fn registers(yaml: &mut Yaml, names: &Names<'_>) {
    let (target, function) = (names.target, names.function);
    let unnamed: Vec<_> = function
        .registers
        .iter()
        .enumerate()
        .filter(|(_, register)| register.name.is_none())
        .collect();
    yaml.list("registers", &unnamed, |yaml, _, (id, register)| {
        yaml.flow(|flow| {
            flow.number("id", *id as u64);
            let class = match register.kind {
                RegisterKind::Generic => "_",
                RegisterKind::Bank(bank) => target.bank_name(bank),
                RegisterKind::Class(class) => target.class_name(class),
            };
            flow.scalar("class", class.as_bytes());
            flow.optional("preferred-register", &named(names, register.preferred), b"");
            if !flow.yaml.simplify {
                flow.key("flags");
                flow.yaml.flow_sequence(core::iter::empty());
            }
        });
    });
    yaml.list("liveins", &function.live_ins, |yaml, _, live_in| {
        yaml.flow(|flow| {
            flow.scalar("reg", &named(names, live_in.register));
            flow.optional("virtual-reg", &named(names, live_in.copied_to), b"");
        });
    });
    if let Some(saved) = &function.callee_saved {
        yaml.key("calleeSavedRegisters");
        yaml.flow_sequence(saved.iter().map(|register| named(names, *register)));
        yaml.newline();
    }
}

fn frame_info(yaml: &mut Yaml, names: &Names<'_>) {
    let frame = &names.function.frame;
    use FrameProperty as P;
    yaml.nested("frameInfo", |yaml| {
        let boolean = |yaml: &mut Yaml, property: FrameProperty| {
            yaml.boolean(
                FrameProperty::TABLE[property as usize].1,
                frame.has(property),
            );
        };
        for property in [
            P::IsFrameAddressTaken,
            P::IsReturnAddressTaken,
            P::HasStackMap,
            P::HasPatchPoint,
        ] {
            boolean(yaml, property);
        }
        yaml.number("stackSize", frame.stack_size, 0);
        yaml.number("offsetAdjustment", frame.offset_adjustment, 0);
        yaml.number("maxAlignment", frame.max_alignment, 0);
        boolean(yaml, P::AdjustsStack);
        boolean(yaml, P::HasCalls);
        for (key, object) in [
            ("stackProtector", frame.stack_protector),
            ("functionContext", frame.function_context),
        ] {
            let mut text = Vec::new();
            if let Some(object) = object {
                push_frame(&mut text, names, object);
            }
            if !yaml.simplify || !text.is_empty() {
                yaml.scalar(key, &text);
            }
        }
        let unknown = u32::MAX;
        yaml.number(
            "maxCallFrameSize",
            frame.max_call_frame_size.unwrap_or(unknown),
            unknown.into(),
        );
        yaml.number(
            "cvBytesOfCalleeSavedRegisters",
            frame.cv_bytes_of_callee_saved_registers,
            0,
        );
        for property in [
            P::HasOpaqueSpAdjustment,
            P::HasVaStart,
            P::HasMustTailInVarArgFunc,
            P::HasTailCall,
            P::IsCalleeSavedInfoValid,
        ] {
            boolean(yaml, property);
        }
        yaml.number("localFrameSize", frame.local_frame_size, 0);
        save_points(yaml, names, "savePoint", &frame.save_points);
        save_points(yaml, names, "restorePoint", &frame.restore_points);
    });
}

fn save_points(yaml: &mut Yaml, names: &Names<'_>, key: &str, points: &[SavePoint]) {
    if points.is_empty() {
        return;
    }
    yaml.list(key, points, |yaml, _, point| {
        yaml.unindented_key("point");
        push_scalar(&mut yaml.out, format!("%bb.{}", point.block).as_bytes());
        yaml.newline();
        yaml.list("registers", &point.registers, |yaml, _, register| {
            push_scalar(&mut yaml.out, &named(names, *register));
            yaml.newline();
        });
    });
}

fn word<T: Copy + PartialEq>(table: &[(T, &'static str)], value: T) -> &'static [u8] {
    let found = table.iter().find(|(known, _)| *known == value);
    found.map_or(b"", |(_, word)| word.as_bytes())
}

fn callee_saved(flow: &mut Flow<'_>, names: &Names<'_>, saved: &crate::model::CalleeSaved) {
    flow.optional("callee-saved-register", &named(names, saved.register), b"");
    flow.boolean("callee-saved-restored", saved.is_restored, true);
}

fn debug_variable(flow: &mut Flow<'_>, debug: &DebugVariable) {
    flow.optional("debug-info-variable", debug.variable.as_bytes(), b"");
    flow.optional("debug-info-expression", debug.expression.as_bytes(), b"");
    flow.optional("debug-info-location", debug.location.as_bytes(), b"");
}

fn fixed_object(flow: &mut Flow<'_>, names: &Names<'_>, id: usize, object: &FixedObject) {
    flow.number("id", id as u64);
    flow.optional("type", word(&ObjectKind::TABLE, object.kind), b"default");
    flow.optional_number("offset", object.offset, 0);
    flow.optional_number("size", object.size, 0);
    flow.number("alignment", object.alignment);
    flow.optional(
        "stack-id",
        word(&StackId::TABLE, object.stack_id),
        b"default",
    );
    if object.kind != ObjectKind::SpillSlot {
        flow.boolean("isImmutable", object.is_immutable, false);
        flow.boolean("isAliased", object.is_aliased, false);
    }
    callee_saved(flow, names, &object.callee_saved);
    debug_variable(flow, &object.debug);
}

fn stack_object(flow: &mut Flow<'_>, names: &Names<'_>, id: usize, object: &StackObject) {
    flow.number("id", id as u64);
    flow.optional("name", object.name.as_bytes(), b"");
    flow.optional("type", word(&ObjectKind::TABLE, object.kind), b"default");
    flow.optional_number("offset", object.offset, 0);
    if object.kind != ObjectKind::VariableSized {
        flow.number("size", object.size);
    }
    flow.number("alignment", object.alignment);
    flow.optional(
        "stack-id",
        word(&StackId::TABLE, object.stack_id),
        b"default",
    );
    callee_saved(flow, names, &object.callee_saved);
    if let Some(offset) = object.local_offset {
        flow.number("local-offset", offset);
    }
    debug_variable(flow, &object.debug);
}

fn debug_and_calls(yaml: &mut Yaml, names: &Names<'_>, options: PrintOptions) {
    let function = names.function;
    yaml.list("entry_values", &function.entry_values, |yaml, _, value| {
        yaml.flow(|flow| {
            flow.scalar("entry-value-register", &named(names, value.register));
            flow.scalar("debug-info-variable", value.variable.as_bytes());
            flow.scalar("debug-info-expression", value.expression.as_bytes());
            flow.scalar("debug-info-location", value.location.as_bytes());
        });
    });
    let shown: &[CallSite] = if options.call_site_info {
        &function.call_sites
    } else {
        &[]
    };
    yaml.list("callSites", shown, |yaml, _, site| {
        yaml.flow(|flow| call_site(flow, names, site));
    });
    yaml.list(
        "debugValueSubstitutions",
        &function.debug_substitutions,
        |yaml, _, item| {
            yaml.flow(|flow| {
                flow.number("srcinst", item.source_insn);
                flow.number("srcop", item.source_operand);
                flow.number("dstinst", item.to_insn);
                flow.number("dstop", item.to_operand);
                flow.number("subreg", item.sub);
            });
        },
    );
}

fn call_site(flow: &mut Flow<'_>, names: &Names<'_>, site: &CallSite) {
    flow.number("bb", site.block);
    flow.number("offset", site.offset);
    flow.block_list("fwdArgRegs", &site.arguments, |flow, (number, register)| {
        flow.number("arg", *number);
        flow.scalar("reg", &named(names, *register));
    });
    if !site.callee_types.is_empty() {
        flow.key("calleeTypeIds");
        // After a list in block form LLVM begins a new line for the next collection.
        if !(flow.yaml.simplify && site.arguments.is_empty()) {
            flow.break_line();
        }
        let types = site
            .callee_types
            .iter()
            .map(|ty| ty.to_string().into_bytes());
        // These numbers have no quotes, which a scalar of digits would get.
        let list: Vec<Vec<u8>> = types.collect();
        flow.yaml.out.extend_from_slice(b"[ ");
        flow.yaml.out.extend_from_slice(&list.join(&b", "[..]));
        flow.yaml.out.extend_from_slice(b" ]");
    }
}

/// Adds the lists that follow the stack's: constants, what the target notes, jump tables, metadata,
/// calls of known functions.
fn pools(yaml: &mut Yaml, function: &Function) {
    constants(yaml, function);
    target_info(yaml, function);
    jump_tables(yaml, function);
    if !function.metadata.is_empty() {
        let key = "machineMetadataNodes";
        yaml.list(key, &function.metadata, |yaml, _, node| {
            push_scalar(&mut yaml.out, node.as_bytes());
            yaml.newline();
        });
    }
    called_globals(yaml, function);
}

fn constants(yaml: &mut Yaml, function: &Function) {
    yaml.list("constants", &function.constants, |yaml, at, constant| {
        yaml.unindented_key("id");
        push_number(&mut yaml.out, at as u64);
        yaml.newline();
        yaml.scalar("value", constant.value.as_bytes());
        yaml.number("alignment", constant.alignment, -1);
        yaml.boolean("isTargetSpecific", constant.is_target_specific);
    });
}

fn target_info(yaml: &mut Yaml, function: &Function) {
    if function.target_info.is_empty() {
        yaml.key("machineFunctionInfo");
        yaml.out.extend_from_slice(b"{}");
        yaml.newline();
    } else {
        yaml.nested("machineFunctionInfo", |yaml| {
            for (key, value) in &function.target_info {
                yaml.key(&key.to_string());
                yaml.out.extend_from_slice(value.as_bytes());
                yaml.newline();
            }
        });
    }
}

fn jump_tables(yaml: &mut Yaml, function: &Function) {
    if function.jump_tables.is_empty() {
        return;
    }
    yaml.nested("jumpTable", |yaml| {
        let kind = word(&JumpTableKind::TABLE, function.jump_table_kind);
        yaml.scalar("kind", kind);
        yaml.list("entries", &function.jump_tables, |yaml, at, table| {
            yaml.unindented_key("id");
            push_number(&mut yaml.out, at as u64);
            yaml.newline();
            yaml.key("blocks");
            let blocks = table.blocks.iter();
            yaml.flow_sequence(blocks.map(|block| format!("%bb.{block}").into_bytes()));
            yaml.newline();
        });
    });
}

fn called_globals(yaml: &mut Yaml, function: &Function) {
    let calls = &function.called_globals;
    if calls.is_empty() {
        return;
    }
    yaml.list("calledGlobals", calls, |yaml, _, call| {
        yaml.unindented_key("bb");
        push_number(&mut yaml.out, call.block);
        yaml.newline();
        yaml.number("offset", call.offset, -1);
        yaml.scalar("callee", call.callee.as_bytes());
        yaml.number("flags", call.flags, -1);
    });
}

fn code(yaml: &mut Yaml, names: &Names<'_>) {
    if names.function.blocks.is_empty() {
        if !yaml.simplify {
            yaml.key("body");
            yaml.out.extend_from_slice(b" |");
            yaml.newline();
        }
    } else {
        yaml.key("body");
        yaml.out.extend_from_slice(b" |");
        yaml.newline();
        body::print(&mut yaml.out, names, yaml.simplify);
    }
    yaml.out.extend_from_slice(b"...");
    yaml.newline();
}
