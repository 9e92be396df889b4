//! The printer: modules to text (docs/reference/text.md).

use crate::ir::{
    Code, Data, FuncId, InsnId, Item, ItemId, ItemKind, Mem, Module, Name, Operand, Register,
    Signature, Str, Type,
};
use crate::num::{
    Category, LongDouble, LongDoubleFormat, Notation, write_f32, write_f64, write_long_double,
};
use core::fmt::{self, Write};

/// A receiver of printed text, piece by piece. Text is bytes: names read from binary need not be
/// UTF-8.
pub type Sink<'a> = dyn FnMut(&[u8]) -> fmt::Result + 'a;

/// Prints a module.
///
/// The text reads back as the same module, except for facts that text cannot express: labels are
/// numbered anew, unsigned constants become signed ones of the same bits, a string operand whose
/// last byte is not NUL gains one, and names that are invalid in text, which binary files may hold,
/// are printed unchanged.
///
/// # Errors
///
/// The error that `out` returned.
///
/// ```
/// use mir_nostd::{num::LongDoubleFormat, text};
/// # let system = testkit::SystemAllocator;
/// let source = b"m: module\n import a, b\n endmodule";
/// let modules = text::parse(source, &system, LongDoubleFormat::X87, &mut |_| ());
/// let mut printed = Vec::new();
/// text::print(&modules.unwrap()[0], &mut |bytes| Ok(printed.extend_from_slice(bytes))).unwrap();
/// assert_eq!(printed, b"m:\tmodule\n\timport\ta\n\timport\tb\n\tendmodule\n");
/// ```
pub fn print(module: &Module<'_>, out: &mut Sink<'_>) -> fmt::Result {
    let mut printer = Printer::new(module, out);
    printer.bytes(module.name_bytes(module.name()))?;
    printer.write_str(":\tmodule\n")?;
    for (id, item) in module.items() {
        printer.item(id, item)?;
    }
    printer.write_str("\tendmodule\n")?;
    printer.flush()
}

/// Prints an item, with a newline at the end: a function with all its instructions.
///
/// # Errors
///
/// The error that `out` returned.
pub fn print_item(module: &Module<'_>, item: ItemId, out: &mut Sink<'_>) -> fmt::Result {
    let mut printer = Printer::new(module, out);
    printer.item(item, module.item(item))?;
    printer.flush()
}

/// Prints an instruction of a function, with a newline at the end.
///
/// # Errors
///
/// The error that `out` returned.
pub fn print_insn(
    module: &Module<'_>,
    func: FuncId,
    insn: InsnId,
    out: &mut Sink<'_>,
) -> fmt::Result {
    let mut printer = Printer::new(module, out);
    printer.insn(module.func(func).registers(), insn)?;
    printer.flush()
}

/// Prints an operand of an instruction of a function.
///
/// # Errors
///
/// The error that `out` returned.
pub fn print_operand(
    module: &Module<'_>,
    func: FuncId,
    operand: Operand,
    out: &mut Sink<'_>,
) -> fmt::Result {
    let mut printer = Printer::new(module, out);
    printer.operand(module.func(func).registers(), operand)?;
    printer.flush()
}

/// Prints the bytes of a string in quotes, a terminating NUL included.
///
/// # Errors
///
/// The error that `out` returned.
pub fn print_string(module: &Module<'_>, string: Str, out: &mut Sink<'_>) -> fmt::Result {
    let mut printer = Printer::new(module, out);
    printer.string(module.str_bytes(string))?;
    printer.flush()
}

/// A printer, which collects pieces so that the sink gets few long ones.
struct Printer<'a, 'm, 's> {
    module: &'a Module<'m>,
    out: &'a mut Sink<'s>,
    buffer: [u8; 512],
    used: usize,
}

impl Write for Printer<'_, '_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes())
    }
}

impl<'a, 'm, 's> Printer<'a, 'm, 's> {
    fn new(module: &'a Module<'m>, out: &'a mut Sink<'s>) -> Self {
        Printer {
            module,
            out,
            buffer: [0; 512],
            used: 0,
        }
    }

    fn flush(&mut self) -> fmt::Result {
        let used = core::mem::take(&mut self.used);
        (self.out)(self.buffer.get(..used).unwrap_or_default())
    }

    fn bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        let end = self.used + bytes.len();
        if let Some(room) = self.buffer.get_mut(self.used..end) {
            room.copy_from_slice(bytes);
            self.used = end;
            return Ok(());
        }
        self.flush()?;
        if bytes.len() > self.buffer.len() / 2 {
            return (self.out)(bytes);
        }
        if let Some(room) = self.buffer.get_mut(..bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.used = bytes.len();
        Ok(())
    }

    fn name(&mut self, name: Name) -> fmt::Result {
        self.bytes(self.module.name_bytes(name))
    }

    fn unsigned(&mut self, mut value: u64) -> fmt::Result {
        let mut digits = [0; 20];
        let mut first = digits.len();
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
            first -= 1;
            if value == 0 {
                break;
            }
        }
        self.bytes(digits.get(first..).unwrap_or_default())
    }

    fn signed(&mut self, value: i64) -> fmt::Result {
        if value < 0 {
            self.write_str("-")?;
        }
        self.unsigned(value.unsigned_abs())
    }

    /// Prints `, ` before every element of a list but the first.
    fn comma(&mut self, index: usize) -> fmt::Result {
        self.write_str(if index == 0 { "" } else { ", " })
    }

    // ---- items

    fn item(&mut self, id: ItemId, item: &Item) -> fmt::Result {
        let word = match item.kind {
            ItemKind::Import => "import",
            ItemKind::Export => "export",
            ItemKind::Forward => "forward",
            ItemKind::Proto(_) => "proto",
            ItemKind::Func(_) => "func",
            ItemKind::Data(data) => data.ty.name(),
            ItemKind::Bss { .. } => "bss",
            ItemKind::Ref { .. } => "ref",
            ItemKind::Lref { .. } => "lref",
            ItemKind::Expr { .. } => "expr",
        };
        if let (Some(name), false) = (item.name, item.kind.is_declaration()) {
            self.name(name)?;
            self.write_str(":")?;
        }
        self.write_str("\t")?;
        self.write_str(word)?;
        self.write_str("\t")?;
        self.item_content(id, item)?;
        self.write_str("\n")
    }

    fn item_content(&mut self, id: ItemId, item: &Item) -> fmt::Result {
        match item.kind {
            ItemKind::Import | ItemKind::Export | ItemKind::Forward => self.item_name(id),
            ItemKind::Proto(signature) => self.signature(&signature),
            ItemKind::Func(func) => self.func(func),
            ItemKind::Data(data) => self.data(&data),
            ItemKind::Bss { len } => self.unsigned(len),
            ItemKind::Ref { item, disp } => {
                self.item_name(item)?;
                self.write_str(", ")?;
                self.signed(disp)
            }
            ItemKind::Lref {
                label,
                label2,
                disp,
            } => {
                self.label(label)?;
                if let Some(label2) = label2 {
                    self.write_str(", ")?;
                    self.label(label2)?;
                }
                if disp != 0 {
                    self.write_str(", ")?;
                    self.signed(disp)?;
                }
                Ok(())
            }
            ItemKind::Expr { func } => self.item_name(func),
        }
    }

    /// Prints the name of an item; nothing if it has none.
    fn item_name(&mut self, item: ItemId) -> fmt::Result {
        match self.module.item(item).name {
            Some(name) => self.name(name),
            None => Ok(()),
        }
    }

    fn signature(&mut self, signature: &Signature) -> fmt::Result {
        let module = self.module;
        let mut index = 0;
        for ty in module.results(signature) {
            self.comma(index)?;
            self.write_str(ty.name())?;
            index += 1;
        }
        for arg in module.args(signature) {
            self.comma(index)?;
            self.write_str(arg.ty.name())?;
            self.write_str(":")?;
            if arg.ty.is_block() {
                self.unsigned(arg.size)?;
                self.write_str("(")?;
                self.name(arg.name)?;
                self.write_str(")")?;
            } else {
                self.name(arg.name)?;
            }
            index += 1;
        }
        if signature.is_vararg() {
            self.comma(index)?;
            self.write_str("...")?;
        }
        Ok(())
    }

    fn data(&mut self, data: &Data) -> fmt::Result {
        let module = self.module;
        let bytes = module.data_bytes(data);
        let elements = bytes.chunks_exact(data.ty.size() as usize);
        for (index, element) in elements.enumerate() {
            self.comma(index)?;
            self.element(data.ty, element)?;
        }
        if data.ty == Type::U8 && bytes.last() == Some(&0) {
            self.write_str(" # ")?;
            self.string(bytes)?;
        }
        Ok(())
    }

    /// Prints an element of a data item from its bytes in little-endian order.
    fn element(&mut self, ty: Type, bytes: &[u8]) -> fmt::Result {
        let mut wide = [0; 16];
        for (to, &from) in wide.iter_mut().zip(bytes) {
            *to = from;
        }
        let bits = u128::from_le_bytes(wide);
        match ty {
            Type::I8 => self.signed(i64::from(bits as i8)),
            Type::I16 => self.signed(i64::from(bits as i16)),
            Type::I32 => self.signed(i64::from(bits as i32)),
            Type::I64 => self.signed(bits as i64),
            Type::F => self.float(f32::from_bits(bits as u32)),
            Type::D => self.double(f64::from_bits(bits as u64)),
            Type::Ld => self.long_double(LongDouble(bits)),
            Type::P => write!(self, "{:#x}", bits as u64),
            _ => self.unsigned(bits as u64),
        }
    }

    // ---- functions

    fn func(&mut self, func: FuncId) -> fmt::Result {
        let module = self.module;
        let function = module.func(func);
        self.signature(&function.signature)?;
        let args = function.arg_count();
        let variables = function.registers().get(args..).unwrap_or_default();
        let locals = self.variables("local", variables, |variable| variable.hard_reg.is_none())?;
        let globals =
            self.variables("global", variables, |variable| variable.hard_reg.is_some())?;
        self.write_str("\n\n# ")?;
        for (index, (count, word)) in [(args, "arg"), (locals, "local"), (globals, "global")]
            .into_iter()
            .enumerate()
        {
            self.comma(index)?;
            self.unsigned(count as u64)?;
            self.write_str(" ")?;
            self.write_str(word)?;
            self.write_str(if count == 1 { "" } else { "s" })?;
        }
        self.write_str("\n")?;
        for insn in module.insns(func) {
            self.insn(function.registers(), insn)?;
        }
        self.write_str("\tendfunc")
    }

    /// Prints those of the variables that belong, eight to a line; returns their number.
    fn variables(
        &mut self,
        word: &str,
        variables: &[Register],
        belongs: fn(&Register) -> bool,
    ) -> Result<usize, fmt::Error> {
        let mut count = 0;
        for variable in variables.iter().filter(|variable| belongs(variable)) {
            if count % 8 == 0 {
                self.write_str("\n\t")?;
                self.write_str(word)?;
                self.write_str("\t")?;
            }
            self.comma(count % 8)?;
            self.write_str(variable.ty.name())?;
            self.write_str(":")?;
            self.name(variable.name)?;
            if let Some(hard_reg) = variable.hard_reg {
                self.write_str(":")?;
                self.name(hard_reg)?;
            }
            count += 1;
        }
        Ok(count)
    }

    fn insn(&mut self, registers: &[Register], insn: InsnId) -> fmt::Result {
        let module = self.module;
        let code = module.code(insn);
        if code == Code::Label {
            for operand in module.operands(insn) {
                self.operand(registers, operand)?;
            }
            return self.write_str(":\n");
        }
        self.write_str("\t")?;
        self.write_str(code.name())?;
        for (index, operand) in module.operands(insn).enumerate() {
            self.write_str(if index == 0 { "\t" } else { ", " })?;
            self.operand(registers, operand)?;
        }
        self.write_str("\n")
    }

    fn operand(&mut self, registers: &[Register], operand: Operand) -> fmt::Result {
        match operand {
            Operand::Reg(reg) => self.register(registers, reg),
            Operand::Int(value) => self.signed(value),
            Operand::Uint(value) => self.unsigned(value),
            Operand::Float(value) => self.float(value),
            Operand::Double(value) => self.double(value),
            Operand::LongDouble(bits) => self.long_double(LongDouble(bits)),
            Operand::Str(string) => self.string(self.module.str_bytes(string)),
            Operand::Item(item) => self.item_name(item),
            Operand::Label(label) => self.label(label),
            Operand::Mem(mem) => self.mem(registers, mem),
        }
    }

    fn register(&mut self, registers: &[Register], reg: crate::ir::Reg) -> fmt::Result {
        match registers.get(crate::mem::Entity::index(reg)) {
            Some(register) => self.name(register.name),
            None => Ok(()),
        }
    }

    fn label(&mut self, label: crate::ir::Label) -> fmt::Result {
        self.write_str("L")?;
        self.unsigned(u64::from(self.module.label_number(label)))
    }

    fn mem(&mut self, registers: &[Register], mem: Mem) -> fmt::Result {
        self.write_str(mem.ty.name())?;
        self.write_str(":")?;
        let has_registers = mem.base.is_some() || mem.index.is_some();
        if mem.disp != 0 || !has_registers {
            self.signed(mem.disp)?;
        }
        if has_registers {
            self.write_str("(")?;
            if let Some(base) = mem.base {
                self.register(registers, base)?;
            }
            if let Some(index) = mem.index {
                self.write_str(", ")?;
                self.register(registers, index)?;
                if mem.scale != 1 {
                    self.write_str(", ")?;
                    self.unsigned(u64::from(mem.scale))?;
                }
            }
            self.write_str(")")?;
        }
        if mem.alias.is_some() || mem.nonalias.is_some() {
            self.write_str(":")?;
        }
        if let Some(alias) = mem.alias {
            self.name(alias)?;
        }
        if let Some(nonalias) = mem.nonalias {
            self.write_str(":")?;
            self.name(nonalias)?;
        }
        Ok(())
    }

    // ---- values

    fn float(&mut self, value: f32) -> fmt::Result {
        if value.is_nan() {
            return write!(self, "nan({:#x})f", value.to_bits());
        }
        if value.is_infinite() {
            return self.infinity(value < 0.0, "f");
        }
        write_f32(self, value, Notation::exponent(24))?;
        self.write_str("f")
    }

    fn double(&mut self, value: f64) -> fmt::Result {
        if value.is_nan() {
            return write!(self, "nan({:#x})", value.to_bits());
        }
        if value.is_infinite() {
            return self.infinity(value < 0.0, "");
        }
        write_f64(self, value, Notation::exponent(53))
    }

    fn long_double(&mut self, value: LongDouble) -> fmt::Result {
        let format = self.module.long_double();
        if format == LongDoubleFormat::Double {
            return self.double(format.to_f64(value));
        }
        match format.category(value) {
            Category::Nan => write!(self, "nan({:#x})L", value.0),
            Category::Infinite => self.infinity(format.is_negative(value), "L"),
            Category::Finite => {
                write_long_double(self, format, value, Notation::exponent(format.precision()))?;
                self.write_str("L")
            }
        }
    }

    fn infinity(&mut self, negative: bool, suffix: &str) -> fmt::Result {
        self.write_str(if negative { "-1e9999" } else { "1e9999" })?;
        self.write_str(suffix)
    }

    fn string(&mut self, bytes: &[u8]) -> fmt::Result {
        self.write_str("\"")?;
        for &byte in bytes {
            match byte {
                b'\\' => self.write_str("\\\\"),
                b'"' => self.write_str("\\\""),
                b' '..=b'~' => self.bytes(&[byte]),
                b'\n' => self.write_str("\\n"),
                b'\t' => self.write_str("\\t"),
                0x0B => self.write_str("\\v"),
                0x07 => self.write_str("\\a"),
                0x08 => self.write_str("\\b"),
                0x0C => self.write_str("\\f"),
                _ => self.octal(byte),
            }?;
        }
        self.write_str("\"")
    }

    fn octal(&mut self, byte: u8) -> fmt::Result {
        let digit = |shift: u32| b'0' + (byte >> shift & 7);
        self.bytes(&[b'\\', digit(6), digit(3), digit(0)])
    }
}
