//! Writes the C side: for every signature a function that logs its arguments, one that calls a
//! function, and two that use variable argument lists.

use crate::{Returned, Signature, Type};
use core::fmt::Write as _;

const HEAD: &str = r#"
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#define LD_BYTES 10
#else
#define LD_BYTES 16
#endif
static _Thread_local _Alignas(16) char abi_log[8192], abi_results[1024];
char *abi_buffer_of_log(void) { return abi_log; }
char *abi_buffer_of_results(void) { return abi_results; }
"#;

/// Returns the text of the C file for these signatures.
#[must_use]
pub fn source(signatures: &[Signature]) -> String {
    let mut text = HEAD.to_owned();
    for (number, signature) in signatures.iter().enumerate() {
        structures(&mut text, number, signature);
        callee(&mut text, number, signature);
        caller(&mut text, number, signature);
        lists(&mut text, number, signature);
    }
    for table in ["callee", "caller", "list_maker", "list_reader"] {
        _ = write!(text, "void *const abi_{table}[] = {{");
        for number in 0..signatures.len() {
            _ = write!(text, "{table}_{number},");
        }
        text.push_str("};\n");
    }
    text
}

fn is_structure(ty: &Type) -> bool {
    ty.ir.contains("blk")
}

/// Returns the C name of the type of argument `index`.
fn c_type(number: usize, index: usize, ty: &Type) -> String {
    if is_structure(ty) {
        format!("struct s{number}_{index}")
    } else {
        ty.c.clone()
    }
}

/// Returns the arguments that are parameters in C.
fn parameters(signature: &Signature) -> impl Iterator<Item = (usize, &Type)> {
    let hidden = usize::from(signature.returned == Returned::Memory);
    signature.arguments.iter().enumerate().skip(hidden)
}

fn return_type(number: usize, signature: &Signature) -> String {
    match signature.returned {
        Returned::Nothing | Returned::Further(0) => "void".to_owned(),
        Returned::Scalar | Returned::Further(1) => signature.results[0].c.clone(),
        Returned::Structure | Returned::Further(_) => format!("struct r{number}"),
        Returned::Complex => "_Complex long double".to_owned(),
        Returned::Memory => format!("struct s{number}_0"),
    }
}

fn structures(text: &mut String, number: usize, signature: &Signature) {
    for (index, ty) in signature.arguments.iter().enumerate() {
        if is_structure(ty) {
            _ = writeln!(text, "struct s{number}_{index} {{ {} }};", ty.c);
        }
    }
    let members = match signature.returned {
        Returned::Structure => signature.results.len(),
        Returned::Further(count) if count > 1 => count,
        _ => return,
    };
    _ = write!(text, "struct r{number} {{ ");
    for (index, ty) in signature.results[..members].iter().enumerate() {
        _ = write!(text, "{} m{index}; ", ty.c);
    }
    text.push_str("};\n");
}

/// Returns the parameter list, with types only or with names.
fn parameter_list(number: usize, signature: &Signature, first: &str, names: bool) -> String {
    let mut list = Vec::new();
    if !first.is_empty() {
        list.push(first.to_owned());
    }
    if matches!(signature.returned, Returned::Further(_)) && first.is_empty() {
        list.push(if names { "char *further" } else { "char *" }.to_owned());
    }
    let named = signature.variadic.unwrap_or(usize::MAX);
    for (index, ty) in parameters(signature).filter(|&(index, _)| index < named) {
        let name = if names {
            format!(" p{index}")
        } else {
            String::new()
        };
        list.push(c_type(number, index, ty) + &name);
    }
    if signature.variadic.is_some() {
        list.push("...".to_owned());
    }
    if list.is_empty() {
        list.push("void".to_owned());
    }
    list.join(", ")
}

fn is_integer(ty: &Type) -> bool {
    ty.ir == "p" || ty.ir.starts_with(['i', 'u'])
}

/// Writes the statement that logs the value of `expression`.
fn note(text: &mut String, ty: &Type, c_type: &str, offset: usize, expression: &str) {
    if is_integer(ty) {
        _ = writeln!(
            text,
            "  {{ int64_t v = (int64_t) {expression}; memcpy(abi_log + {offset}, &v, 8); }}"
        );
    } else {
        let size = if ty.ir == "ld" {
            "LD_BYTES".to_owned()
        } else {
            ty.size.to_string()
        };
        _ = writeln!(
            text,
            "  {{ {c_type} v = {expression}; memcpy(abi_log + {offset}, &v, {size}); }}"
        );
    }
}

/// Writes the statements that log all variable arguments of the list `ap`.
fn note_variable(text: &mut String, number: usize, signature: &Signature, last: usize) {
    let offsets = signature.offsets();
    for (index, ty) in signature.arguments.iter().enumerate().skip(last) {
        let c_type = c_type(number, index, ty);
        let expression = format!("va_arg(ap, {c_type})");
        note(text, ty, &c_type, offsets[index], &expression);
    }
}

fn callee(text: &mut String, number: usize, signature: &Signature) {
    let list = parameter_list(number, signature, "", true);
    let result = return_type(number, signature);
    _ = writeln!(text, "static {result} callee_{number}({list}) {{");
    let named = signature.variadic.unwrap_or(usize::MAX);
    let offsets = signature.offsets();
    for (index, ty) in parameters(signature).filter(|&(index, _)| index < named) {
        let c_type = c_type(number, index, ty);
        note(text, ty, &c_type, offsets[index], &format!("p{index}"));
    }
    if let Some(named) = signature.variadic {
        _ = writeln!(text, "  va_list ap; va_start(ap, p{});", named - 1);
        note_variable(text, number, signature, named);
        text.push_str("  va_end(ap);\n");
    }
    return_results(text, number, signature);
    text.push_str("}\n");
}

/// Returns an expression for result `index` from the buffer of results.
fn result_value(signature: &Signature, index: usize) -> String {
    format!(
        "*({} *) (abi_results + {})",
        if is_integer(&signature.results[index]) {
            "int64_t".to_owned()
        } else {
            signature.results[index].c.clone()
        },
        16 * index
    )
}

fn return_results(text: &mut String, number: usize, signature: &Signature) {
    let in_registers = match signature.returned {
        Returned::Further(count) => count,
        _ => signature.results.len(),
    };
    for index in in_registers..signature.results.len() {
        let ty = &signature.results[index];
        let c = if is_integer(ty) { "int64_t" } else { &ty.c };
        let value = result_value(signature, index);
        let place = 16 * (index - in_registers);
        _ = writeln!(text, "  *({c} *) (further + {place}) = ({}) {value};", ty.c);
    }
    match signature.returned {
        Returned::Nothing | Returned::Further(0) => {}
        Returned::Scalar | Returned::Further(1) => {
            let value = result_value(signature, 0);
            _ = writeln!(text, "  return ({}) {value};", signature.results[0].c);
        }
        Returned::Structure | Returned::Further(_) => {
            _ = writeln!(text, "  struct r{number} r;");
            for index in 0..in_registers {
                let value = result_value(signature, index);
                _ = writeln!(text, "  r.m{index} = {value};");
            }
            text.push_str("  return r;\n");
        }
        Returned::Complex => {
            text.push_str("  _Complex long double r; memcpy(&r, abi_results, 32); return r;\n");
        }
        Returned::Memory => {
            let size = signature.arguments[0].size;
            _ = writeln!(
                text,
                "  struct s{number}_0 r; memcpy(&r, abi_results, {size}); return r;"
            );
        }
    }
}

/// Returns the values of all C arguments, read from the buffer `args`.
fn argument_values(number: usize, signature: &Signature) -> Vec<String> {
    let offsets = signature.offsets();
    parameters(signature)
        .map(|(index, ty)| {
            let offset = offsets[index];
            if is_integer(ty) {
                format!("({}) *(int64_t *) (args + {offset})", ty.c)
            } else {
                let c = c_type(number, index, ty);
                format!("*({c} *) (args + {offset})")
            }
        })
        .collect()
}

fn caller(text: &mut String, number: usize, signature: &Signature) {
    let types = parameter_list(number, signature, "", false);
    let result = return_type(number, signature);
    _ = writeln!(
        text,
        "static void caller_{number}(void *function, char *args, char *results) {{"
    );
    _ = writeln!(text, "  {result} (*f)({types}) = function;");
    let mut values = argument_values(number, signature);
    if let Returned::Further(count) = signature.returned {
        values.insert(0, format!("results + {}", 16 * count));
    }
    let call = format!("f({})", values.join(", "));
    let store = |index: usize, value: &str| {
        let ty = &signature.results[index];
        let c = if is_integer(ty) { "int64_t" } else { &ty.c };
        let place = 16 * index;
        format!("  *({c} *) (results + {place}) = ({c}) {value};\n")
    };
    match signature.returned {
        Returned::Nothing | Returned::Further(0) => _ = writeln!(text, "  {call};"),
        Returned::Scalar | Returned::Further(1) => {
            _ = writeln!(text, "  {result} r = {call};");
            text.push_str(&store(0, "r"));
        }
        Returned::Structure | Returned::Further(_) => {
            let members = match signature.returned {
                Returned::Further(count) => count,
                _ => signature.results.len(),
            };
            _ = writeln!(text, "  {result} r = {call};");
            for index in 0..members {
                text.push_str(&store(index, &format!("r.m{index}")));
            }
        }
        Returned::Complex => {
            _ = writeln!(text, "  {result} r = {call}; memcpy(results, &r, 32);");
        }
        Returned::Memory => {
            let size = signature.arguments[0].size;
            _ = writeln!(text, "  {result} r = {call}; memcpy(results, &r, {size});");
        }
    }
    text.push_str("}\n");
}

/// Writes a function that passes its list of variable arguments to another, and one that reads such
/// a list.
fn lists(text: &mut String, number: usize, signature: &Signature) {
    let list = parameter_list(number, signature, "void (*with)(void *)", true);
    _ = writeln!(text, "static void list_maker_{number}({list}) {{");
    if let Some(named) = signature.variadic {
        _ = writeln!(
            text,
            "  va_list ap; va_start(ap, p{}); with(&ap); va_end(ap);",
            named - 1
        );
    }
    _ = writeln!(text, "}}\nstatic void list_reader_{number}(void *list) {{");
    if let Some(named) = signature.variadic {
        text.push_str("  va_list ap; memcpy(&ap, list, sizeof(va_list));\n");
        note_variable(text, number, signature, named);
    }
    text.push_str("}\n");
}
