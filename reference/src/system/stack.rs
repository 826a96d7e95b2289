//! How much is left of the stack of the thread.

use std::{cell::Cell, hint, io, mem::MaybeUninit, ptr};

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
    let here = here();
    let (mut lowest, mut highest) = STACK.get();
    if highest == 0 {
        // Where there is no memory or no file to find out, the next call tries again.
        (lowest, highest) = match bounds() {
            Some(found) => {
                STACK.set(found);
                found
            }
            None => of_main()?,
        };
    }
    (lowest < here && here <= highest).then(|| Stack { size: highest - lowest, left: here - lowest, end: highest })
}

/// Whether so many bytes of the stack are known to be left.
pub fn has(bytes: usize) -> bool {
    current().is_some_and(|stack| stack.left >= bytes)
}

/// How many bytes are left of a stack that is none of the system's. Of one that a client has made and switched to no more counts than
/// can be seen of it, and little in any case: what lies below may be somebody else's.
#[cold]
pub fn left_of_unknown() -> usize {
    let here = here();
    let in_stack = |(lowest, highest)| (lowest..=highest).contains(&here).then(|| here - lowest);
    for_signals().and_then(in_stack).unwrap_or_else(|| seen_below(here))
}

/// A place on the stack.
#[inline(always)]
fn here() -> usize {
    let marker = MaybeUninit::<u8>::uninit();
    hint::black_box(marker.as_ptr()).addr()
}

/// Where the stack lies that signals are handled on, if this runs in a handler.
fn for_signals() -> Option<(usize, usize)> {
    let mut stack = MaybeUninit::<libc::stack_t>::uninit();
    // SAFETY: nothing is changed, and what is answered has been written.
    let stack = unsafe { (libc::sigaltstack(ptr::null(), stack.as_mut_ptr()) == 0).then(|| stack.assume_init()) }?;
    (stack.ss_flags & libc::SS_ONSTACK != 0).then(|| (stack.ss_sp.addr(), stack.ss_sp.addr() + stack.ss_size))
}

/// How many bytes below a place on an unknown stack can be read, of the next few pages.
fn seen_below(here: usize) -> usize {
    const PAGE: usize = 4 << 10;
    (1..=4).map(|pages| pages * PAGE).take_while(|below| can_be_read(here - below)).last().unwrap_or(0)
}

/// Whether there is memory at an address. The kernel finds that out when it is asked to change the blocked signals by a set there,
/// before it finds out that it does not know the change.
#[cfg(target_os = "linux")]
fn can_be_read(address: usize) -> bool {
    const UNKNOWN: libc::c_int = -1;
    const SIZE: usize = size_of::<u64>();
    // SAFETY: nothing is changed, and the kernel checks the address itself.
    let answer = unsafe { libc::syscall(libc::SYS_rt_sigprocmask, UNKNOWN, address & !(SIZE - 1), 0_usize, SIZE) };
    answer != 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
}

/// Elsewhere nothing is known.
#[cfg(not(target_os = "linux"))]
fn can_be_read(_address: usize) -> bool {
    false
}

/// Where the stack of the thread lies.
#[cfg(target_os = "linux")]
fn bounds() -> Option<(usize, usize)> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut size) = (ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by the first call, whose success is checked, and destroyed by the last.
    let found = unsafe {
        libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0
            && libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size) == 0
            && libc::pthread_attr_destroy(attributes.as_mut_ptr()) == 0
    };
    found.then(|| (lowest.addr(), lowest.addr() + size))
}

/// Where the stack of the main thread lies, as the kernel has set it up: the C library reads a file to tell, which may not be
/// opened.
#[cfg(target_os = "linux")]
fn of_main() -> Option<(usize, usize)> {
    /// What counts where there is no limit.
    const USUAL: libc::rlim_t = 8 << 20;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is written to. The other call answers 0 or an address.
    let (has_limit, program) =
        unsafe { (libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0, libc::getauxval(libc::AT_EXECFN)) };
    let size = if limit.rlim_cur == libc::RLIM_INFINITY { USUAL } else { limit.rlim_cur };
    // The name of the program is the last thing on the stack.
    let highest = program as usize;
    (has_limit && highest != 0).then(|| (highest.saturating_sub(size as usize), highest))
}

/// Where the stack of the thread lies.
#[cfg(not(target_os = "linux"))]
fn bounds() -> Option<(usize, usize)> {
    None
}

/// Where the stack of the main thread lies.
#[cfg(not(target_os = "linux"))]
fn of_main() -> Option<(usize, usize)> {
    None
}
