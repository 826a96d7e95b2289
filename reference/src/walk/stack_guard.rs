//! How much is left of the stack of the thread.
//!
//! Walks of the library's own keep an explicit stack. Where foreign hooks lead back into a walk, each round takes some of
//! the thread's stack, and [`check`] turns its end into an error.

use std::cell::Cell;

use crate::border::error::{Error, Result};

/// What must be left for whatever a round does: the hook, and an error with its backtrace.
const RESERVE: usize = 256 * 1024;

thread_local! {
    /// The part of the address space that the thread may use for its stack; empty until it is asked for.
    static STACK: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Whether the thread has stack left for another round through foreign code.
///
/// # Errors
/// `RuntimeError` if it has not.
pub fn check() -> Result<()> {
    let marker = 0_u8;
    let here = std::hint::black_box(&raw const marker).addr();
    let (mut lowest, mut highest) = STACK.get();
    if highest == 0 {
        (lowest, highest) = bounds(here);
        STACK.set((lowest, highest));
    }
    // Somewhere else is a stack that the client has made and switched to, of which nothing is known.
    if here < lowest || here > highest || here - lowest >= RESERVE.min((highest - lowest) / 4) {
        return Ok(());
    }
    Err(Error::new("RuntimeError", "The value is nested too deeply: the stack of the thread is used up"))
}

/// Where the stack of the thread lies.
#[cfg(target_os = "linux")]
fn bounds(here: usize) -> (usize, usize) {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by the first call, whose success is checked, and destroyed by the last.
    let found = unsafe {
        libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0
            && libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size) == 0
            && libc::pthread_attr_destroy(attributes.as_mut_ptr()) == 0
    };
    if found { (lowest as usize, lowest as usize + size) } else { assumed(here) }
}

/// Where the stack of the thread lies.
#[cfg(not(target_os = "linux"))]
fn bounds(here: usize) -> (usize, usize) {
    assumed(here)
}

/// What a thread has at least below the place where it asks first.
fn assumed(here: usize) -> (usize, usize) {
    (here.saturating_sub(RESERVE), here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descend(depth: usize) -> usize {
        let room = std::hint::black_box([depth; 64]);
        if check().is_err() { room[0] } else { descend(depth + 1) + room[1] - depth }
    }

    #[test]
    fn endless_recursion_ends_before_the_stack_does() {
        for size in [128 << 10, 1 << 20, 8 << 20] {
            let depth = std::thread::Builder::new().stack_size(size).spawn(|| descend(0)).unwrap().join().unwrap();
            assert!(depth > 16, "{depth} rounds on a stack of {size} bytes");
        }
    }
}
