//! Words that were probably meant.

use mir_nostd::ir::{Code, Flags, Type};

/// Names of types in other languages, and what is closest here.
const TYPES: [(&str, Type); 32] = [
    ("bool", Type::U8),
    ("byte", Type::U8),
    ("char", Type::I8),
    ("short", Type::I16),
    ("int", Type::I32),
    ("long", Type::I64),
    ("unsigned", Type::U32),
    ("int8", Type::I8),
    ("int16", Type::I16),
    ("int32", Type::I32),
    ("int64", Type::I64),
    ("uint8", Type::U8),
    ("uint16", Type::U16),
    ("uint32", Type::U32),
    ("uint64", Type::U64),
    ("int8_t", Type::I8),
    ("int16_t", Type::I16),
    ("int32_t", Type::I32),
    ("int64_t", Type::I64),
    ("uint8_t", Type::U8),
    ("uint16_t", Type::U16),
    ("uint32_t", Type::U32),
    ("uint64_t", Type::U64),
    ("size_t", Type::U64),
    ("usize", Type::U64),
    ("isize", Type::I64),
    ("ptr", Type::P),
    ("pointer", Type::P),
    ("float", Type::F),
    ("f32", Type::F),
    ("double", Type::D),
    ("f64", Type::D),
];

/// Words of other languages that begin statements there, and what is closest here.
const STATEMENTS: [(&str, &str); 16] = [
    ("return", "ret"),
    ("goto", "jmp"),
    ("jump", "jmp"),
    ("br", "jmp"),
    ("move", "mov"),
    ("load", "mov"),
    ("store", "mov"),
    ("li", "mov"),
    ("function", "func"),
    ("fn", "func"),
    ("end", "endfunc"),
    ("extern", "import"),
    ("declare", "import"),
    ("var", "local"),
    ("imul", "mul"),
    ("idiv", "div"),
];

/// Returns the candidate that is most like a word, if one is like enough: one letter wrong,
/// missing, too much or out of place for each three.
pub(crate) fn similar<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let lower = word.to_lowercase();
    let most = (word.chars().count() / 3).max(1);
    let distance = |candidate: &str| strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
    let near = candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        // The distance is no less than the difference in length.
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= most)
        .map(|candidate| (distance(candidate), candidate))
        // A word of which nothing is left is another word.
        .filter(|(distance, candidate)| *distance <= most && *distance < candidate.len());
    let has_same_letters = |candidate: &str| {
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        sorted(&lower) == sorted(&candidate.to_lowercase())
    };
    let best = near.min_by_key(|(distance, candidate)| {
        let difference = candidate.len().abs_diff(word.len());
        (*distance, !has_same_letters(candidate), difference)
    });
    best.map(|(_, candidate)| candidate)
}

/// The place of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    File,
    Module,
    Function,
}

/// Returns the word that probably was meant to begin a statement.
pub(crate) fn statement(word: &str, scope: Scope) -> Option<&'static str> {
    let fits = |known: &&str| match scope {
        Scope::File => *known == "module",
        Scope::Module => Code::from_name(known.as_bytes()).is_none(),
        Scope::Function => {
            let in_function = ["local", "global", "endfunc"];
            Code::from_name(known.as_bytes()).is_some() || in_function.contains(known)
        }
    };
    let is_it = |(other, _): &&(&str, &str)| other.eq_ignore_ascii_case(word);
    let other = STATEMENTS.iter().find(is_it);
    if let Some((_, known)) = other.filter(|(_, known)| fits(known)) {
        return Some(known);
    }
    let is_public = |code: &Code| !code.flags().contains(Flags::INTERNAL);
    let codes = Code::ALL.into_iter().filter(is_public).map(Code::name);
    let types = Type::ALL.into_iter().map(Type::name);
    let words = codes.chain(mir_nostd::text::directives()).chain(types);
    similar(word, words.filter(fits))
}

/// Returns the type that was probably meant.
pub(crate) fn type_named(word: &str) -> Option<Type> {
    let known = TYPES
        .iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name));
    known.map(|(_, ty)| *ty).or_else(|| {
        let name = similar(word, Type::ALL.into_iter().map(Type::name))?;
        Type::ALL.into_iter().find(|ty| ty.name() == name)
    })
}

/// Returns the type of this name.
pub(crate) fn type_exactly(word: &str) -> Option<Type> {
    Type::ALL.into_iter().find(|ty| ty.name() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found() {
        assert_eq!(statement("mvo", Scope::Function), Some("mov"));
        assert_eq!(statement("MOV", Scope::Function), Some("mov"));
        assert_eq!(statement("return", Scope::Function), Some("ret"));
        assert_eq!(statement("RETURN", Scope::Function), Some("ret"));
        assert_eq!(statement("endfnc", Scope::Function), Some("endfunc"));
        assert_eq!(statement("fucn", Scope::Module), Some("func"));
        assert_eq!(statement("modul", Scope::File), Some("module"));
        assert_eq!(statement("mvo", Scope::Module), None);
        assert_eq!(statement("nonsense", Scope::Function), None);
        assert_eq!(similar("coutn", ["c", "count", "counter"]), Some("count"));
        assert_eq!(similar("a", ["b", "c"]), None);
        assert_eq!(type_named("int64"), Some(Type::I64));
        assert_eq!(type_named("i46"), Some(Type::I64));
        assert_eq!(type_named("Float"), Some(Type::F));
    }
}
