//! The end of the thread's stack, as an error.
//!
//! Walks of the library's own keep an explicit stack. Where foreign hooks lead back into a walk, each round takes some of
//! the thread's stack, and its end is turned into an error.

use std::mem::MaybeUninit;

use crate::{
    border::error::{Error, Result},
    system::stack,
};

/// What must be left for whatever a round does: the hook, and an error with its backtrace.
const RESERVE: usize = 256 * 1024;

/// How much of a stack counts, in all. Where the system sets no limit to it, it would take all the memory there is.
const USABLE: usize = 256 << 20;

/// How far down a thread may use its stack, found once for many checks.
#[derive(Clone, Copy, Debug)]
pub struct Limit(usize);

impl Limit {
    /// Of this thread; none where nothing is known of its stack.
    pub fn of_thread() -> Self {
        Self(stack::current().map_or(0, |stack| {
            let usable = stack.size.min(USABLE);
            stack.end - usable + RESERVE.min(usable / 4)
        }))
    }

    /// Whether so many bytes are known to be left before that.
    #[inline]
    pub fn leaves(self, bytes: usize) -> bool {
        let marker = MaybeUninit::<u8>::uninit();
        self.0 != 0 && marker.as_ptr().addr() >= self.0.saturating_add(bytes)
    }

    /// Whether the thread has stack left for another round through foreign code.
    ///
    /// # Errors
    /// `RuntimeError` if it has not.
    #[inline]
    pub fn check(self) -> Result<()> {
        let marker = MaybeUninit::<u8>::uninit();
        if marker.as_ptr().addr() < self.0 { Err(used_up()) } else { Ok(()) }
    }
}

/// As [`Limit::check`], for a single check.
///
/// # Errors
/// `RuntimeError` if nothing is left.
pub fn check() -> Result<()> {
    Limit::of_thread().check()
}

#[cold]
fn used_up() -> Error {
    Error::new("RuntimeError", "The value is nested too deeply: the stack of the thread is used up")
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
