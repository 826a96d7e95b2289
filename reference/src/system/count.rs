//! Counts of references that threads share.
//!
//! An atomic change takes longer than most of what is done with an object. A process of one thread does without: the C library
//! says whether it is one, and says otherwise before a second one begins. What such a process does is still one instruction where
//! the processor has one for it, since a signal handler may count, too; elsewhere every change is atomic. Most processes have more
//! threads, so theirs is the straight way.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::{arch::asm, ffi::c_char, hint, sync::atomic::AtomicU8};

#[cfg(all(target_arch = "x86_64", not(miri)))]
unsafe extern "C" {
    /// Not 0 if the process has one thread, as the C library knows. In a copy of the C library for a namespace of its own it is 0.
    static __libc_single_threaded: c_char;
}

/// Whether the process has one thread.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
fn is_alone() -> bool {
    // SAFETY: a byte of the C library's, which it only changes where there is no other thread that could read it.
    unsafe { AtomicU8::from_ptr((&raw const __libc_single_threaded).cast_mut().cast()) }.load(Ordering::Relaxed) != 0
}

/// A count.
pub trait Count {
    /// What is counted in.
    type Number;
    /// Counts up.
    fn add(&self, by: Self::Number, order: Ordering);
    /// Counts down, and answers what it was before.
    fn sub(&self, by: Self::Number, order: Ordering) -> Self::Number;
}

macro_rules! counts {
    ($($atomic:ty: $number:ty, $add:literal, $exchange_and_add:literal;)*) => {$(
        impl Count for $atomic {
            type Number = $number;

            #[inline]
            fn add(&self, by: $number, order: Ordering) {
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                if is_alone() {
                    hint::cold_path();
                    // SAFETY: the count is changed as a whole, which nobody but a signal handler of this thread could see.
                    return unsafe { asm!($add, in(reg) self.as_ptr(), in(reg) by, options(nostack)) };
                }
                self.fetch_add(by, order);
            }

            #[inline]
            fn sub(&self, by: $number, order: Ordering) -> $number {
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                if is_alone() {
                    hint::cold_path();
                    let mut count = by.wrapping_neg();
                    // SAFETY: as above.
                    unsafe { asm!($exchange_and_add, in(reg) self.as_ptr(), inout(reg) count, options(nostack)) };
                    return count;
                }
                self.fetch_sub(by, order)
            }
        }
    )*};
}

counts! {
    AtomicU32: u32, "add dword ptr [{}], {:e}", "xadd dword ptr [{}], {:e}";
    AtomicU64: u64, "add qword ptr [{}], {:r}", "xadd qword ptr [{}], {:r}";
}
