//! What the process of a check that asks for very much, or makes very many errors, has before it begins.

use super::Trial;
use crate::client::changes;

/// How much of the heap lies in large pages: what a check of deep values takes.
const LARGE: usize = 64 << 20;

impl Trial<'_> {
    /// Has the system give out the next memory of the heap in large pages, and malloc keep what is given back: to touch tens of megabytes a small page
    /// at a time takes longer than what most checks do with them. Where the system has no large pages nothing changes.
    pub fn in_large_pages(&self) {
        if self.sanitized {
            return;
        }
        changes::note();
        // SAFETY: sets numbers of malloc's, asks where the heap ends before and after it has grown, and advises on memory that lies in it.
        unsafe {
            libc::mallopt(libc::M_TOP_PAD, LARGE as i32);
            libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
            let start = libc::sbrk(0) as usize;
            // More than is left at the end of the heap, which therefore grows.
            libc::free(std::hint::black_box(libc::malloc(1 << 20)));
            let end = libc::sbrk(0) as usize;
            let start = start.next_multiple_of(rustix::param::page_size());
            if start < end && end - start <= 2 * LARGE {
                libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
            }
        }
    }
}
