//! The symbol table: the names of a text, each kept once, with their current meaning.

use crate::ir::{Code, Label, Name, Reg, Type};
use crate::mem::{Allocator, Entity, HashKey, HashTable, IndexMap, OutOfMemory, entity};

entity! {
    /// A name of the text.
    pub(super) struct Symbol; "symbol"
}

/// A word that begins a statement but is neither an instruction nor a type of data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Directive {
    Module,
    Endmodule,
    Import,
    Export,
    Forward,
    Proto,
    Func,
    Endfunc,
    Local,
    Global,
    Bss,
    Ref,
    Lref,
    Expr,
    String,
}

const DIRECTIVES: [(&str, Directive); 15] = [
    ("module", Directive::Module),
    ("endmodule", Directive::Endmodule),
    ("import", Directive::Import),
    ("export", Directive::Export),
    ("forward", Directive::Forward),
    ("proto", Directive::Proto),
    ("func", Directive::Func),
    ("endfunc", Directive::Endfunc),
    ("local", Directive::Local),
    ("global", Directive::Global),
    ("bss", Directive::Bss),
    ("ref", Directive::Ref),
    ("lref", Directive::Lref),
    ("expr", Directive::Expr),
    ("string", Directive::String),
];

/// Returns the words that begin a statement but are neither instructions nor types of data.
pub fn directives() -> impl Iterator<Item = &'static str> {
    DIRECTIVES.iter().map(|(word, _)| *word)
}

/// The meaning of a name at the beginning of a statement; types have it also at the beginning of an
/// operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Insn(Code),
    Type(Type),
    Directive(Directive),
    Other,
}

/// A name and its meaning. The numbers belong to the module and function in the row; in others they
/// count as absent.
struct Row<'s> {
    /// The first eight bytes of the name, padded with zeros, which no name contains.
    head: u64,
    text: &'s [u8],
    word: Word,
    module: u32,
    name: u32,
    label: u32,
    func: u32,
    reg: u32,
}

const NONE: u32 = u32::MAX;

/// All names of a text.
///
/// Modules and functions are counted through the whole text, so that at a change of either all
/// names lose their meanings without being touched.
pub(super) struct Symbols<'s, 'm> {
    table: HashTable<'m>,
    rows: IndexMap<'m, Symbol, Row<'s>>,
    key: HashKey,
    module: u32,
    func: u32,
}

impl<'s, 'm> Symbols<'s, 'm> {
    /// Returns the words of the language. There will be about `names` other names.
    pub(super) fn new(allocator: &'m dyn Allocator, names: usize) -> Result<Self, OutOfMemory> {
        let mut symbols = Symbols {
            table: HashTable::new(allocator),
            rows: IndexMap::new(allocator),
            key: HashKey::new(allocator.hash_seed()),
            module: 0,
            func: 0,
        };
        symbols.rows.reserve(256 + names)?;
        symbols.table.reserve(256 + names)?;
        for (text, directive) in DIRECTIVES {
            symbols.add_word(text, Word::Directive(directive))?;
        }
        for ty in Type::ALL {
            symbols.add_word(ty.name(), Word::Type(ty))?;
        }
        symbols.add_word("blk", Word::Type(Type::Blk0))?;
        for code in Code::ALL {
            symbols.add_word(code.name(), Word::Insn(code))?;
        }
        Ok(symbols)
    }

    fn add_word(&mut self, text: &'static str, word: Word) -> Result<(), OutOfMemory> {
        let text = text.as_bytes();
        let symbol = self.symbol(text)?;
        self.row(symbol).word = word;
        Ok(())
    }

    /// Returns the symbol of a known name of less than eight bytes, of which `head` is the result
    /// of [`head`].
    #[inline(always)]
    pub(super) fn short(&self, head: u64) -> Option<Symbol> {
        let rows = &self.rows;
        let is_it = |number| {
            let row = rows.get(Symbol::new(number));
            row.is_some_and(|row| row.head == head)
        };
        let found = self.table.find(self.key.word(head), is_it);
        found.map(Symbol::new)
    }

    /// Returns the symbol of a name.
    pub(super) fn symbol(&mut self, text: &'s [u8]) -> Result<Symbol, OutOfMemory> {
        let head = head(text);
        let hash = self.hash(head, text);
        let rows = &self.rows;
        let is_it = |number| {
            rows.get(Symbol::new(number)).is_some_and(|row| {
                row.head == head
                    && row.text.len() == text.len()
                    && (text.len() <= 8 || row.text == text)
            })
        };
        match self.table.find_or_place(hash, is_it) {
            Ok(number) => Ok(Symbol::new(number)),
            Err(place) => self.add(place, hash, head, text),
        }
    }

    fn hash(&self, head: u64, text: &[u8]) -> u32 {
        if text.len() > 8 {
            self.key.bytes(text)
        } else {
            self.key.word(head)
        }
    }

    fn add(
        &mut self,
        place: usize,
        hash: u32,
        head: u64,
        text: &'s [u8],
    ) -> Result<Symbol, OutOfMemory> {
        self.rows.reserve(1)?;
        self.table.insert_at(place, hash, self.rows.len() as u32)?;
        self.rows.push(Row {
            head,
            text,
            word: Word::Other,
            module: 0,
            name: NONE,
            label: NONE,
            func: 0,
            reg: NONE,
        })
    }

    pub(super) fn text(&self, symbol: Symbol) -> &'s [u8] {
        self.rows[symbol].text
    }

    pub(super) fn word(&self, symbol: Symbol) -> Word {
        self.rows[symbol].word
    }

    fn row(&mut self, symbol: Symbol) -> &mut Row<'s> {
        &mut self.rows[symbol]
    }

    /// Begins a module: no name has a meaning in it yet.
    pub(super) fn begin_module(&mut self) {
        self.module += 1;
        self.begin_func();
    }

    /// Begins or ends a function: no name is a register.
    pub(super) fn begin_func(&mut self) {
        self.func += 1;
    }

    pub(super) fn reg(&self, symbol: Symbol) -> Option<Reg> {
        let row = &self.rows[symbol];
        (row.func == self.func).then(|| Reg::new(row.reg))
    }

    pub(super) fn set_reg(&mut self, symbol: Symbol, reg: Reg) {
        let func = self.func;
        let row = self.row(symbol);
        (row.func, row.reg) = (func, reg.number());
    }

    pub(super) fn label(&self, symbol: Symbol) -> Option<Label> {
        let row = &self.rows[symbol];
        (row.module == self.module && row.label != NONE).then(|| Label::new(row.label))
    }

    pub(super) fn set_label(&mut self, symbol: Symbol, label: Label) {
        self.row_in_module(symbol).label = label.number();
    }

    /// Returns the module's number of the name, if it was ever looked up.
    pub(super) fn name(&self, symbol: Symbol) -> Option<Name> {
        let row = &self.rows[symbol];
        (row.module == self.module && row.name != NONE).then(|| Name::new(row.name))
    }

    pub(super) fn set_name(&mut self, symbol: Symbol, name: Name) {
        self.row_in_module(symbol).name = name.number();
    }

    fn row_in_module(&mut self, symbol: Symbol) -> &mut Row<'s> {
        let module = self.module;
        let row = self.row(symbol);
        if row.module != module {
            (row.module, row.name, row.label) = (module, NONE, NONE);
        }
        row
    }
}

/// Returns the first eight bytes of a name, the first one lowest, padded with zeros.
fn head(text: &[u8]) -> u64 {
    if let Some(&head) = text.first_chunk() {
        return u64::from_le_bytes(head);
    }
    let mut head = [0; 8];
    for (to, &from) in head.iter_mut().zip(text) {
        *to = from;
    }
    u64::from_le_bytes(head)
}
