//! Debug locations: the lines of C, C++ or Rust that lines of a text in LLVM IR come from.
//!
//! An instruction ends in `, !dbg !12`, and the head of a function in `!dbg !7 {`. The node is a
//! `DILocation` or a `DISubprogram`; it states a line, and leads through its scopes to a `DIFile`
//! (LLVM Language Reference Manual, "Specialized Metadata Nodes"). What was inlined is told as the
//! line that it was written in.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// The most scopes that a location is nested in; deeper ones have no file.
const MOST_SCOPES: usize = 256;

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The path of the file; of the directory that the compiler worked in, unless it was absolute.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

/// The debug locations of a text in LLVM IR.
///
/// ```
/// let text = br#"define void @f() !dbg !7 {
///   ret void, !dbg !9
/// }
/// !1 = !DIFile(filename: "f.c", directory: "/src")
/// !7 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3)
/// !9 = !DILocation(line: 4, column: 1, scope: !7)
/// "#;
/// let info = llvm_ir::DebugInfo::new(text);
/// let location = info.location(2).ok_or("the line of `ret` has one")?;
/// assert_eq!((&*location.file, location.line), ("/src/f.c", 4));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// The number of the node of each line, from line 1 on.
    attached: Vec<Option<u32>>,
    nodes: HashMap<u32, Node>,
}

/// The fields of a node that matter here.
#[derive(Clone, Debug, Default)]
struct Node {
    line: Option<u32>,
    scope: Option<u32>,
    file: Option<u32>,
    /// The path of a `DIFile`.
    path: Option<Arc<str>>,
}

impl DebugInfo {
    /// Returns the locations of a text, which need not be correct.
    #[must_use]
    pub fn new(text: &[u8]) -> DebugInfo {
        let mut info = DebugInfo::default();
        for line in text.split(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(line);
            if let Some((number, content)) = definition(&line) {
                info.nodes.insert(number, Node::of(content));
            }
            info.attached.push(attached(&line));
        }
        info
    }

    /// Returns true if no line states a location.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.attached.iter().all(Option::is_none)
    }

    /// Returns the location of a line of the text, from 1; `None` if it states none.
    #[must_use]
    pub fn location(&self, line: u32) -> Option<Location> {
        let index = (line as usize).checked_sub(1)?;
        let mut node = self.nodes.get(&(*self.attached.get(index)?)?)?;
        let line = node.line.filter(|&line| line > 0)?;
        // A node without a file is in that of its scope; scopes that contain each other end here.
        for _ in 0..MOST_SCOPES {
            if let Some(file) = node.file {
                let file = self.nodes.get(&file)?.path.clone()?;
                return Some(Location { file, line });
            }
            node = self.nodes.get(&node.scope?)?;
        }
        None
    }
}

/// Returns the number and the content of a line that defines a node, `!12 = !DILocation(...)`.
fn definition(line: &str) -> Option<(u32, &str)> {
    let (number, content) = line.strip_prefix('!')?.split_once(" = ")?;
    Some((number.parse().ok()?, content))
}

/// Returns the number of the node that a line of code names.
fn attached(line: &str) -> Option<u32> {
    let (_, after) = line.rsplit_once("!dbg !")?;
    let digits = after.split(|char: char| !char.is_ascii_digit()).next()?;
    digits.parse().ok()
}

impl Node {
    /// Returns the node with this content: `distinct !DISubprogram(name: "f", line: 3, ...)`.
    fn of(content: &str) -> Node {
        let plain = without_strings(content);
        let number = |name| field(&plain, name)?.parse().ok();
        let reference = |name| field(&plain, name)?.strip_prefix('!')?.parse().ok();
        let is_file = content.contains("!DIFile(");
        Node {
            line: number("line"),
            scope: reference("scope"),
            file: reference("file"),
            path: is_file.then(|| path(content)).flatten(),
        }
    }
}

/// Returns the path of a `DIFile`.
fn path(content: &str) -> Option<Arc<str>> {
    let name = string(content, "filename")?;
    let directory = string(content, "directory").unwrap_or_default();
    let path = Path::new(directory).join(name);
    Some(path.to_string_lossy().into())
}

/// Returns the content of a field that is a string. LLVM writes quotes and what is not printable
/// as `\\XX`, which paths rarely have: they are left as they are.
fn string<'t>(content: &'t str, name: &str) -> Option<&'t str> {
    let after = content.split_once(&format!("{name}: \""))?.1;
    Some(after.split_once('"')?.0)
}

/// Returns a node's content with empty strings in place of all.
fn without_strings(content: &str) -> String {
    content
        .split('"')
        .step_by(2)
        .collect::<Vec<_>>()
        .join("\"\"")
}

/// Returns the text of a field that is a number or a reference.
fn field<'t>(content: &'t str, name: &str) -> Option<&'t str> {
    let wanted =
        |&(at, _): &(usize, &str)| matches!(content[..at].bytes().last(), Some(b'(' | b' '));
    let prefix = format!("{name}: ");
    let (at, _) = content.match_indices(&prefix).find(wanted)?;
    content[at + prefix.len()..].split([',', ')']).next()
}

#[cfg(test)]
mod tests {
    use super::DebugInfo;

    #[test]
    fn files_come_from_scopes() {
        let text = br#"define void @f() !dbg !7 {
  call void @g(), !dbg !10, !srcloc !3
  ret void, !dbg !9
  unreachable
}
!1 = !DIFile(filename: "a.h", directory: "/src")
!2 = !DIFile(filename: "/usr/b.h", directory: "/src")
!7 = distinct !DISubprogram(name: "f line: 8", scope: !1, file: !1, line: 3, scopeLine: 4)
!8 = !DILexicalBlockFile(scope: !7, file: !2, discriminator: 0)
!9 = !DILocation(line: 14, scope: !11)
!10 = !DILocation(line: 15, column: 2, scope: !8, inlinedAt: !9)
!11 = distinct !DILexicalBlock(scope: !7, line: 9)
!12 = distinct !DILexicalBlock(scope: !12, line: 9)
"#;
        let info = DebugInfo::new(text);
        let at = |line| {
            let location = info.location(line);
            location.map(|location| (location.file.to_string(), location.line))
        };
        assert_eq!(at(1), Some(("/src/a.h".into(), 3)));
        assert_eq!(at(2), Some(("/usr/b.h".into(), 15)));
        assert_eq!(at(3), Some(("/src/a.h".into(), 14)));
        assert_eq!((at(0), at(4), at(99)), (None, None, None));
    }

    #[test]
    fn scopes_in_a_circle_have_no_file() {
        let text = b"ret void, !dbg !1\n!1 = !DILocation(line: 1, scope: !2)\n\
            !2 = !DILexicalBlock(scope: !2)\n";
        assert_eq!(DebugInfo::new(text).location(1), None);
    }
}
