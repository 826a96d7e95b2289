//! How much is left of the stack of the thread.

use std::cell::Cell;

thread_local! {
    /// The part of the address space that the thread may use for its stack; empty until it is asked for.
    static STACK: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// A stack, seen from a place on it.
#[derive(Clone, Copy, Debug)]
pub struct Stack {
    /// How many bytes it has in all.
    pub size: usize,
    /// How many of them are left.
    pub left: usize,
    /// Where it ends: its oldest frame lies below.
    pub end: usize,
}

/// The stack of this thread; none if nothing is known of it: it may be one that a client has made and switched to.
pub fn current() -> Option<Stack> {
    let marker = 0_u8;
    let here = std::hint::black_box(&raw const marker).addr();
    let (mut lowest, mut highest) = STACK.get();
    if highest == 0 {
        // Where there is no memory to find out, the next call tries again.
        (lowest, highest) = bounds()?;
        STACK.set((lowest, highest));
    }
    (lowest < here && here <= highest).then(|| Stack { size: highest - lowest, left: here - lowest, end: highest })
}

/// Whether so many bytes of the stack are known to be left.
pub fn has(bytes: usize) -> bool {
    current().is_some_and(|stack| stack.left >= bytes)
}

/// Where the stack of the thread lies.
#[cfg(target_os = "linux")]
fn bounds() -> Option<(usize, usize)> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by the first call, whose success is checked, and destroyed by the last.
    let found = unsafe {
        libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0
            && libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size) == 0
            && libc::pthread_attr_destroy(attributes.as_mut_ptr()) == 0
    };
    found.then(|| (lowest.addr(), lowest.addr() + size))
}

/// Where the stack of the thread lies.
#[cfg(not(target_os = "linux"))]
fn bounds() -> Option<(usize, usize)> {
    None
}
