//! The words that begin statements.

macro_rules! words {
    ($($word:ident $text:literal)*) => {
        /// A directive; its text is an ordinary entry of the string table.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(super) enum Word {
            $($word,)*
        }

        impl Word {
            /// Every word, with its text as a name.
            pub(super) const ALL: &'static [(Word, &'static str)] = &[$((Word::$word, concat!($text, "\0")),)*];
        }
    };
}

// An `n` before a word says that the item has a name. `NoName` is the name of items without one; it
// begins no statement.
words! {
    Module "module" EndModule "endmodule"
    Import "import" Export "export" Forward "forward"
    Proto "proto" Func "func" Local "local" Global "global" EndFunc "endfunc"
    Bss "bss" NamedBss "nbss" Ref "ref" NamedRef "nref" Lref "lref" NamedLref "nlref"
    Expr "expr" NamedExpr "nexpr" Data "data" NamedData "ndata"
    NoName ""
}

impl Word {
    /// Returns the word of this text, which ends in NUL.
    pub(super) fn from_text(text: &[u8]) -> Option<Word> {
        let mut words = Word::ALL.iter();
        words
            .find(|(word, its)| its.as_bytes() == text && *word != Word::NoName)
            .map(|&(word, _)| word)
    }

    /// Returns the word's text as a name.
    pub(super) fn text(self) -> &'static [u8] {
        Word::ALL[self as usize].1.as_bytes()
    }
}
