//! A text that an editor has open.

use super::index::Index;
use super::text::Text;
use crate::diagnostics::Finding;
use crate::input::Source;
use core::cell::OnceCell;
use lsp_types::{Location, Uri};

/// A text that an editor has open, and what was found out about it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Text,
    /// Its errors and warnings; nothing until it has been checked.
    pub(super) findings: Option<Vec<Finding>>,
    index: OnceCell<Index>,
}

impl Document {
    pub(super) fn new(uri: Uri, version: i32, content: String) -> Document {
        Document {
            uri,
            version,
            text: Text::new(content),
            findings: None,
            index: OnceCell::new(),
        }
    }

    /// Returns its names.
    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self.text.bytes()))
    }

    /// Returns it as commands have their programs; its name is that of the file without the folder.
    pub(super) fn source(&self) -> Source {
        let path = self.uri.as_str();
        let name = path.rsplit('/').next().unwrap_or(path);
        Source::new(name, self.text.bytes().to_vec())
    }

    pub(super) fn location(&self, range: &core::ops::Range<usize>) -> Location {
        Location::new(self.uri.clone(), self.text.range(range))
    }
}
