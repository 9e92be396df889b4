//! Executable pages of this process: what is written to them is what runs.
#![expect(unsafe_code, reason = "pages are written")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use mir_host::{HostPages, PrivatePages};
use mir_nostd::target::{Pages, Region};

/// Writes to a region twice as its protocol requires, and reads it where it runs.
fn write_and_read(pages: &dyn Pages, region: Region) {
    for byte in [7, 9] {
        // SAFETY: the region is ours, nobody runs it, and it is released once.
        unsafe {
            pages.make_writable(&region, 0, region.bytes).unwrap();
            region.write.as_ptr().write(byte);
            pages.make_executable(&region, 0, region.bytes).unwrap();
            assert_eq!(region.run.as_ptr().read(), byte);
        }
    }
    // SAFETY: as above.
    unsafe { pages.release(region) };
}

#[test]
fn what_is_written_is_what_runs() {
    for pages in [&HostPages as &dyn Pages, &PrivatePages] {
        let region = pages.reserve(1, None).unwrap();
        assert_eq!(region.bytes, pages.granule());
        write_and_read(pages, region);
    }
    assert!(!PrivatePages.reserve(1, None).unwrap().has_alias());
}
