//! The values of a function that is rewritten, and those that are added to it.

use crate::ast::{Body, LocalId};
use crate::types::TypeId;
use std::collections::HashSet;

/// The names and types of a function's values.
#[derive(Default)]
pub(super) struct Locals {
    names: Vec<String>,
    types: Vec<Option<TypeId>>,
    /// All names of values, once a new one was needed.
    taken: Option<HashSet<String>>,
}

impl Locals {
    /// Takes the values of a function, to be put back when it is rewritten.
    pub(super) fn of(body: &mut Body) -> Locals {
        Locals {
            names: core::mem::take(&mut body.local_names),
            types: core::mem::take(&mut body.local_types),
            taken: None,
        }
    }

    pub(super) fn put_back(self, body: &mut Body) {
        (body.local_names, body.local_types) = (self.names, self.types);
    }

    pub(super) fn ty(&self, local: LocalId) -> Option<TypeId> {
        self.types.get(local.0 as usize).copied().flatten()
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Adds a value, whose name begins with the given one and is no other's.
    pub(super) fn add(&mut self, stem: &str, ty: TypeId) -> LocalId {
        let names = &self.names;
        let taken = self
            .taken
            .get_or_insert_with(|| names.iter().cloned().collect());
        let local = LocalId(self.names.len() as u32);
        let mut name = format!("{stem}.{}", local.0);
        while !taken.insert(name.clone()) {
            name.push('.');
        }
        self.names.push(name);
        self.types.push(Some(ty));
        local
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Type, Types};

    #[test]
    fn names_of_new_values_are_not_those_of_others() {
        let word = Types::new().add(Type::Int(64));
        let mut body = Body {
            local_names: vec!["constant.1".into()],
            local_types: vec![Some(word)],
            ..Body::default()
        };
        let mut locals = Locals::of(&mut body);
        locals.add("constant", word);
        locals.put_back(&mut body);
        assert_eq!(body.local_names, ["constant.1", "constant.1."]);
    }
}
