//! The frame of a function: what lies where, from the registers that it saves to the arguments of
//! its calls.

use mir_nostd::codegen::Compiler;
use mir_nostd::machine::FrameKind;
use serde_json::{Value, json};

/// Returns the frame of a function that was compiled last; null if it has none.
pub(super) fn frame(compiler: &Compiler<'_>, spilled: &[(String, Vec<String>)]) -> Value {
    let Some(prologue) = compiler.output.prologue else {
        return Value::Null;
    };
    let (layout, registers) = (prologue.layout, compiler.isa().registers());
    let mut objects: Vec<Value> = Vec::new();
    for (id, object) in compiler.function.frame.iter() {
        let name = format!("{id:?}");
        let values = spilled.iter().find(|(slot, _)| *slot == name);
        let values = values.map_or(&[][..], |(_, values)| values);
        let kind = match object.kind {
            FrameKind::Incoming(_) => "argument",
            FrameKind::Local => "variable",
            FrameKind::Spill => "spill slot",
        };
        objects.push(json!({
            "name": name,
            "kind": kind,
            "offset": object.offset,
            "bytes": object.bytes,
            "align": object.align,
            "values": values,
        }));
    }
    let saved: Vec<_> = { layout.saved.iter() }
        .map(|unit| super::registers::name_of_unit(registers, unit))
        .collect();
    json!({
        "base": registers.row(layout.base).name.text(),
        "stack": registers.row(registers.stack_pointer).name.text(),
        "bytes": layout.bytes,
        "outgoing": layout.outgoing_bytes,
        "has_frame_pointer": layout.has_frame_pointer,
        "saved": saved,
        "prologue": format!("{:?}", prologue.block),
        "objects": objects,
    })
}
