//! Small blocks of malloc's, of which it keeps some for each thread.

use std::ffi::c_void;

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
