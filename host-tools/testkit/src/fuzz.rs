//! Bodies of fuzz targets, and a source of altered inputs with which tests run them for a while.

use crate::SystemAllocator;
use mir_nostd::mem::Vec as OwnVec;
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::text;

/// Reads any bytes as text. What is read must print, and the print must read back as the same text.
///
/// # Panics
///
/// If it does not.
pub fn text(source: &[u8]) {
    let read =
        |source: &[u8]| text::parse(source, &SystemAllocator, LongDoubleFormat::X87, &mut |_| ());
    let print = |modules: &OwnVec<'_, _>| {
        let mut out = Vec::new();
        for module in modules {
            let mut take = |bytes: &[u8]| {
                out.extend_from_slice(bytes);
                Ok(())
            };
            assert!(text::print(module, &mut take).is_ok());
        }
        out
    };
    let Ok(modules) = read(source) else {
        return;
    };
    let printed = print(&modules);
    let again = read(&printed).map(|modules| print(&modules));
    assert!(
        again.as_ref() == Ok(&printed),
        "{again:?}\n{}",
        String::from_utf8_lossy(&printed)
    );
}

/// Bytes that mean something in text.
const PUNCTUATION: &[u8] = b" \t\r\n;:,()\"\\#.-+0189xeE_Lf";

/// Makes broken inputs from whole ones, the same ones for the same seed.
#[derive(Debug)]
pub struct Mutator {
    state: u64,
}

impl Mutator {
    /// A mutator whose choices follow from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Mutator {
        Mutator { state: seed }
    }

    /// A number below `bound`, 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) as usize % bound.max(1)
    }

    /// One of the inputs; empty if there is none.
    pub fn choose<'a>(&mut self, inputs: &'a [Vec<u8>]) -> &'a [u8] {
        let index = self.below(inputs.len());
        inputs.get(index).map_or(&[], |input| &input[..])
    }

    /// `source` with a few changes: bytes replaced, removed, repeated, or taken from `other`.
    pub fn alter(&mut self, source: &[u8], other: &[u8]) -> Vec<u8> {
        let mut altered = source.to_vec();
        for _ in 0..=self.below(4) {
            let start = self.below(altered.len());
            let end = altered.len().min(start + 1 + self.below(16));
            let insert: Vec<u8> = match self.below(5) {
                0 => vec![self.below(256) as u8],
                1 => altered[start..end].repeat(2),
                2 => vec![PUNCTUATION[self.below(PUNCTUATION.len())]],
                3 => {
                    let from = self.below(other.len());
                    let to = other.len().min(from + 1 + self.below(32));
                    other.get(from..to).unwrap_or_default().to_vec()
                }
                _ => Vec::new(),
            };
            altered.splice(start..end, insert);
        }
        altered
    }
}
