//! The files of `corpus/llvm-mir`: Machine IR as LLVM prints it.
#![expect(
    clippy::unwrap_used,
    reason = "the archive is a file of the repository"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// Returns all files by their path.
///
/// # Panics
///
/// If the archive is not what the repository has.
pub fn files() -> &'static BTreeMap<String, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let archive = fs::read(root.join("corpus/llvm-mir/files.tar.zst")).unwrap();
        let mut bytes = Vec::new();
        let mut decoder = ruzstd::decoding::StreamingDecoder::new(&archive[..]).unwrap();
        decoder.read_to_end(&mut bytes).unwrap();
        unpacked(&bytes)
    })
}

/// Returns the files of a tar archive: blocks of 512 bytes, a header with name and size in octal
/// before each file.
fn unpacked(mut tar: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let text = |field: &[u8]| {
        let field = field
            .split(|&byte| byte == 0 || byte == b' ')
            .next()
            .unwrap();
        String::from_utf8(field.to_vec()).unwrap()
    };
    let mut files = BTreeMap::new();
    while let Some((head, rest)) = tar.split_first_chunk::<512>() {
        if head[0] == 0 {
            break;
        }
        let size = usize::from_str_radix(&text(&head[124..136]), 8).unwrap();
        files.insert(text(&head[..100]), rest[..size].to_vec());
        tar = &rest[size.next_multiple_of(512)..];
    }
    files
}
