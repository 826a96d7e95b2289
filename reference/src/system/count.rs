//! Counts of references that threads share.
//!
//! An atomic change takes longer than most of what is done with an object. A process of one thread does without: the C library
//! says whether it is one, and says otherwise before a second one begins.

use std::{
    ffi::c_char,
    sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering},
};

unsafe extern "C" {
    /// Not 0 if the process has one thread, as the C library knows. In a copy of the C library for a namespace of its own it is 0.
    static __libc_single_threaded: c_char;
}

/// Whether the process has one thread.
#[inline]
fn is_alone() -> bool {
    // SAFETY: a byte of the C library's, which it only changes where there is no other thread that could read it.
    unsafe { AtomicU8::from_ptr((&raw const __libc_single_threaded).cast_mut().cast()) }.load(Ordering::Relaxed) != 0
}

/// A count.
pub trait Count {
    /// What is counted in.
    type Number;
    /// Counts up, and answers what it was before.
    fn add(&self, by: Self::Number, order: Ordering) -> Self::Number;
    /// Counts down, and answers what it was before.
    fn sub(&self, by: Self::Number, order: Ordering) -> Self::Number;
}

macro_rules! counts {
    ($($atomic:ty: $number:ty),*) => {$(
        impl Count for $atomic {
            type Number = $number;

            #[inline]
            fn add(&self, by: $number, order: Ordering) -> $number {
                if is_alone() {
                    let before = self.load(Ordering::Relaxed);
                    self.store(before.wrapping_add(by), Ordering::Relaxed);
                    before
                } else {
                    self.fetch_add(by, order)
                }
            }

            #[inline]
            fn sub(&self, by: $number, order: Ordering) -> $number {
                self.add(by.wrapping_neg(), order)
            }
        }
    )*};
}

counts!(AtomicU32: u32, AtomicU64: u64);
