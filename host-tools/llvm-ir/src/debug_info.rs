//! Debug information: the lines of C, C++ or Rust that lines of a text in LLVM IR come from, and
//! the variables and types there.
//!
//! An instruction ends in `, !dbg !12`, and the head of a function in `!dbg !7 {`. The node is a
//! `DILocation` or a `DISubprogram`; it states a line, and leads through its scopes to a `DIFile`
//! (LLVM Language Reference Manual, "Specialized Metadata Nodes"). What was inlined is told as the
//! line that it was written in.
//!
//! `#dbg_declare(ptr %x, !8, !DIExpression(), !9)`, before LLVM 19 a call of `llvm.dbg.declare`,
//! says that the memory of an `alloca` is that of a variable, a `DILocalVariable`, whose type is a
//! node. `#dbg_value(i32 %x, !8, !DIExpression(), !9)` says that it has that value from there on
//! ([`Lines::values`](crate::Lines::values)).

use core::str::FromStr;
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
    /// The content of the nodes of variables and types.
    contents: HashMap<u32, Box<str>>,
    /// The `alloca`s that are variables and the nodes of these, by the line of the function's head.
    declared: HashMap<u32, Vec<(String, u32)>>,
}

/// A variable whose memory is that of an `alloca`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The name of the result of the `alloca`, without `%`.
    pub slot: String,
    /// The name of the variable.
    pub name: String,
    /// The number of the argument that it is, from 1.
    pub argument: Option<u32>,
    /// The number of the node of its type, for [`DebugInfo::ty`].
    pub ty: u32,
}

/// A variable whose values debug records (`#dbg_value`) say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceVariable {
    /// Its name.
    pub name: String,
    /// The number of the argument that it is, from 1.
    pub argument: Option<u32>,
    /// The number of the node of its type, for [`DebugInfo::ty`].
    pub ty: u32,
}

/// A type, as its node states it. Types refer to others by the numbers of their nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugType {
    /// The tag in DWARF: `DW_TAG_base_type`.
    pub tag: String,
    /// The name, if it has one.
    pub name: Option<String>,
    /// The size in bytes; 0 if it is not known.
    pub bytes: u64,
    /// The encoding of a base type: `DW_ATE_signed`.
    pub encoding: Option<String>,
    /// The type that it is a pointer to, another name of, or an array of.
    pub base: Option<u32>,
    /// The members of a structure, the lengths of an array, the values of an enumeration.
    pub members: Vec<Member>,
}

/// A part of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Member {
    /// A member with its offset in bytes and the node of its type.
    Field(String, u64, u32),
    /// The number of elements in one dimension of an array.
    Count(u64),
    /// A name of an enumeration, and its value.
    Value(String, i64),
}

/// The fields of a node that matter here.
#[derive(Clone, Debug, Default)]
struct Node {
    line: Option<u32>,
    scope: Option<u32>,
    file: Option<u32>,
    /// The path of a `DIFile`.
    path: Option<Arc<str>>,
    /// True if it is a location in a function that was inlined.
    is_inlined: bool,
}

impl DebugInfo {
    /// Returns the locations of a text, which need not be correct.
    #[must_use]
    pub fn new(text: &[u8]) -> DebugInfo {
        let mut info = DebugInfo::default();
        let mut head = 0;
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let line = String::from_utf8_lossy(line);
            if line.starts_with("define ") {
                head = number;
            }
            if let Some(declared) = declared(&line) {
                info.declared.entry(head).or_default().push(declared);
            }
            if let Some((number, content)) = definition(&line) {
                info.nodes.insert(number, Node::of(content));
                if is_of_variables(content) {
                    info.contents.insert(number, content.into());
                }
            }
            info.attached.push(attached(&line));
        }
        info
    }

    /// Returns the variables of the function whose head is on this line, from 1, whose memory is
    /// that of an `alloca`, arguments first and in their order.
    #[must_use]
    pub fn declared(&self, head: u32) -> Vec<Declared> {
        let all = self.declared.get(&head).map_or(&[][..], Vec::as_slice);
        let variable = |(slot, node): &(String, u32)| {
            let content = self.contents.get(node)?;
            let plain = without_strings(content);
            Some(Declared {
                slot: slot.clone(),
                name: string(content, "name")?.to_owned(),
                argument: number(&plain, "arg"),
                ty: reference(&plain, "type")?,
            })
        };
        let mut found: Vec<Declared> = all.iter().filter_map(variable).collect();
        found.sort_by_key(|variable| variable.argument.unwrap_or(u32::MAX));
        found
    }

    /// Returns the variable of a node, of which a record is at the location of another node; `None`
    /// if it is none, or one of an inlined function.
    #[must_use]
    pub fn variable(&self, node: u32, location: u32) -> Option<SourceVariable> {
        let content = self.contents.get(&node)?;
        let plain = without_strings(content);
        let is_own = !self.nodes.get(&location)?.is_inlined;
        (is_own && plain.contains("!DILocalVariable(")).then_some(())?;
        Some(SourceVariable {
            name: string(content, "name")?.to_owned(),
            argument: number(&plain, "arg"),
            ty: reference(&plain, "type")?,
        })
    }

    /// Returns the type whose node has this number; `None` if that is none.
    #[must_use]
    pub fn ty(&self, node: u32) -> Option<DebugType> {
        let content = self.contents.get(&node)?;
        let plain = without_strings(content);
        let is = |kind| plain.contains(kind);
        let tag = match field(&plain, "tag") {
            Some(tag) => tag,
            None if is("!DIBasicType(") => "DW_TAG_base_type",
            None if is("!DISubroutineType(") => "DW_TAG_subroutine_type",
            None => return None,
        };
        let members = is("!DICompositeType(").then(|| self.members(&plain));
        Some(DebugType {
            tag: tag.to_owned(),
            name: string(content, "name").map(str::to_owned),
            bytes: number(&plain, "size").unwrap_or(0_u64) / 8,
            encoding: field(&plain, "encoding").map(str::to_owned),
            base: reference(&plain, "baseType"),
            members: members.flatten().unwrap_or_default(),
        })
    }

    /// Returns the members of a composite type, without those that are not whole bytes.
    fn members(&self, content: &str) -> Option<Vec<Member>> {
        let list = self.contents.get(&reference(content, "elements")?)?;
        let elements = list.split('!').filter_map(|one| {
            let digits = one.trim_end_matches([',', ' ', '}']);
            self.contents.get(&digits.parse().ok()?)
        });
        Some(elements.filter_map(|element| member(element)).collect())
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

/// Returns true if the content of a node may be needed for variables or types. A list of nodes may
/// be that of members.
fn is_of_variables(content: &str) -> bool {
    let kind = content.strip_prefix("distinct ").unwrap_or(content);
    const KINDS: [&str; 8] = [
        "!{!",
        "!DILocalVariable(",
        "!DIBasicType(",
        "!DIDerivedType(",
        "!DICompositeType(",
        "!DISubroutineType(",
        "!DISubrange(",
        "!DIEnumerator(",
    ];
    KINDS.iter().any(|start| kind.starts_with(start))
}

/// Returns the `alloca` and the node of the variable that a line declares.
fn declared(line: &str) -> Option<(String, u32)> {
    let (_, after) = (line.split_once("#dbg_declare(ptr %"))
        .or_else(|| line.split_once("@llvm.dbg.declare(metadata ptr %"))?;
    let (slot, rest) = after.split_once(", ")?;
    let rest = rest.strip_prefix("metadata ").unwrap_or(rest);
    let (node, rest) = rest.strip_prefix('!')?.split_once(", ")?;
    // Any other expression computes another address.
    let expression = rest.strip_prefix("metadata ").unwrap_or(rest);
    let is_plain = expression.starts_with("!DIExpression()");
    let slot = slot.trim_matches('"').to_owned();
    is_plain.then_some((slot, node.parse().ok()?))
}

/// Returns a part of a composite type; `None` for one that is not whole bytes.
fn member(content: &str) -> Option<Member> {
    let plain = without_strings(content);
    if plain.contains("!DISubrange(") {
        return Some(Member::Count(number(&plain, "count")?));
    }
    let name = string(content, "name")?.to_owned();
    if plain.contains("!DIEnumerator(") {
        return Some(Member::Value(name, number(&plain, "value")?));
    }
    let is_field = field(&plain, "tag")? == "DW_TAG_member";
    let is_whole = !plain.contains("DIFlagBitField") && !plain.contains("DIFlagStaticMember");
    let offset = number(&plain, "offset").unwrap_or(0_u64) / 8;
    let ty = reference(&plain, "baseType")?;
    (is_field && is_whole).then_some(Member::Field(name, offset, ty))
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
        let is_file = content.contains("!DIFile(");
        Node {
            line: number(&plain, "line"),
            scope: reference(&plain, "scope"),
            file: reference(&plain, "file"),
            path: is_file.then(|| path(content)).flatten(),
            is_inlined: field(&plain, "inlinedAt").is_some(),
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

/// Returns a field that is a number.
fn number<T: FromStr>(content: &str, name: &str) -> Option<T> {
    field(content, name)?.parse().ok()
}

/// Returns the number of the node that a field refers to.
fn reference(content: &str, name: &str) -> Option<u32> {
    field(content, name)?.strip_prefix('!')?.parse().ok()
}

/// Returns the text of a field that is a number, a word or a reference.
fn field<'t>(content: &'t str, name: &str) -> Option<&'t str> {
    let wanted =
        |&(at, _): &(usize, &str)| matches!(content[..at].bytes().last(), Some(b'(' | b' '));
    let prefix = format!("{name}: ");
    let (at, _) = content.match_indices(&prefix).find(wanted)?;
    content[at + prefix.len()..].split([',', ')']).next()
}

#[cfg(test)]
mod tests {
    use super::{DebugInfo, DebugType, Declared, Member};

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
    fn variables_have_the_types_that_clang_wrote_down() {
        let text = br#"define void @f(ptr %0) !dbg !1 {
    #dbg_declare(ptr %2, !4, !DIExpression(), !3)
  call void @llvm.dbg.declare(metadata ptr %p.addr, metadata !5, metadata !DIExpression()), !dbg !3
    #dbg_declare(ptr %9, !4, !DIExpression(DW_OP_deref), !3)
}
define void @g() {
}
!4 = !DILocalVariable(name: "i", scope: !1, file: !2, line: 8, type: !6)
!5 = !DILocalVariable(name: "p", arg: 1, scope: !1, file: !2, line: 1, type: !7)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !2, line: 2, size: 192, elements: !9)
!9 = !{!10, !11, !12}
!10 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !8, baseType: !6, size: 32)
!11 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !8, baseType: !7, size: 64, offset: 64)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !8, baseType: !6, size: 3, flags: DIFlagBitField)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 128, elements: !14)
!14 = !{!15}
!15 = !DISubrange(count: 4)
!16 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", baseType: !6, size: 32, elements: !17)
!17 = !{!18}
!18 = !DIEnumerator(name: "RED", value: -5)
"#;
        let info = DebugInfo::new(text);
        let variable = |slot: &str, name: &str, argument, ty| Declared {
            slot: slot.into(),
            name: name.into(),
            argument,
            ty,
        };
        let expected = [
            variable("p.addr", "p", Some(1), 7),
            variable("2", "i", None, 6),
        ];
        assert_eq!(info.declared(1), expected);
        assert_eq!(info.declared(6), []);
        let ty = |tag: &str, name: Option<&str>, bytes, base, members: &[Member]| DebugType {
            tag: tag.into(),
            name: name.map(str::to_owned),
            bytes,
            encoding: (tag == "DW_TAG_base_type").then(|| "DW_ATE_signed".to_owned()),
            base,
            members: members.to_vec(),
        };
        let fields = [
            Member::Field("x".into(), 0, 6),
            Member::Field("next".into(), 8, 7),
        ];
        let (int, e) = (Some(6), [Member::Value("RED".into(), -5)]);
        for (node, expected) in [
            (6, ty("DW_TAG_base_type", Some("int"), 4, None, &[])),
            (7, ty("DW_TAG_pointer_type", None, 8, Some(8), &[])),
            (8, ty("DW_TAG_structure_type", Some("s"), 24, None, &fields)),
            (
                13,
                ty("DW_TAG_array_type", None, 16, int, &[Member::Count(4)]),
            ),
            (16, ty("DW_TAG_enumeration_type", Some("e"), 4, int, &e)),
        ] {
            assert_eq!(info.ty(node), Some(expected), "!{node}");
        }
        assert_eq!((info.ty(15), info.ty(99)), (None, None));
    }

    #[test]
    fn scopes_in_a_circle_have_no_file() {
        let text = b"ret void, !dbg !1\n!1 = !DILocation(line: 1, scope: !2)\n\
            !2 = !DILexicalBlock(scope: !2)\n";
        assert_eq!(DebugInfo::new(text).location(1), None);
    }
}
