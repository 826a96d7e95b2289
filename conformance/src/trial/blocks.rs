//! Blocks of malloc's, of which it keeps small ones for each thread.

use std::ffi::c_void;

use crate::client::{Client, Verdict};

/// Takes so many blocks of every size that malloc keeps for a thread, and gives them back.
pub fn take<const EACH: usize>() {
    const LARGEST: usize = 1032;
    for size in (24..=LARGEST).step_by(16) {
        // SAFETY: any size may be asked for.
        let blocks: [*mut c_void; EACH] = std::array::from_fn(|_| unsafe { libc::malloc(size) });
        // The compiler may leave out blocks that nobody looks at.
        for block in std::hint::black_box(blocks) {
            // SAFETY: from malloc, or NULL, and freed once.
            unsafe { libc::free(block) };
        }
    }
}

/// Blocks of many sizes, to which nobody else has a reason to write. What was given back before lies in some of them.
pub struct Filled(Vec<Vec<u8>>);

impl Filled {
    const BYTE: u8 = 0xA7;

    /// So many of each size.
    pub fn take(each: usize) -> Self {
        let sizes = || (24..=1032).step_by(16).chain((11..=15).map(|power| 1 << power));
        // Nothing is given back meanwhile: what lies there would be nobody's.
        let mut blocks = Vec::with_capacity(sizes().count() * each);
        sizes().for_each(|size| (0..each).for_each(|_| blocks.push(vec![Self::BYTE; size])));
        Self(blocks)
    }

    /// Expects nobody to have written to them.
    pub fn are_untouched(&self, client: &Client) -> Verdict {
        let written = self.0.iter().find(|block| block.iter().any(|byte| *byte != Self::BYTE));
        let found = written.map(|block| format!("a block of {} bytes has been written to", block.len()));
        let found = found.as_deref().unwrap_or("nothing was written");
        client.eq("memory that was given back and is somebody else's by now", found, "nothing was written")
    }
}
