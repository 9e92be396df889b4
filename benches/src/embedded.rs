//! What an embedder pays in memory and time, measured in this process with an allocator that counts.

use std::fs;
use std::path::Path;

use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::num::LongDoubleFormat;
use testkit::FailingAllocator;

use crate::Figure;

/// Memory of what was read.
pub fn figures(root: &Path) -> Result<Vec<Figure>, String> {
    Ok(vec![Figure::most(
        "memory after reading, bytes per insn",
        Some(bytes_per_insn(root)?),
        120.0,
        64.0,
    )])
}

/// Memory that is held after reading the random programs, one by one, per instruction or label.
fn bytes_per_insn(root: &Path) -> Result<f64, String> {
    let (mut held, mut insns) = (0, 0);
    for entry in fs::read_dir(root.join("corpus/csmith"))
        .map_err(|error| error.to_string())?
        .flatten()
    {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "bmir") {
            continue;
        }
        let file = fs::read(&path).map_err(|error| error.to_string())?;
        let allocator = FailingAllocator::new();
        let options = ReadOptions::new(LongDoubleFormat::X87, false);
        let modules =
            binary::read(&file, &allocator, &options).map_err(|error| error.to_string())?;
        held += allocator.live_bytes();
        insns += modules
            .iter()
            .flat_map(|module| module.funcs())
            .map(|(_, func)| func.insn_count())
            .sum::<usize>();
    }
    Ok(held as f64 / insns as f64)
}
