//! Where the stack ends for what looks up it: C++ exceptions that leave a C function, and backtraces.
//!
//! Rust would take such an exception on its way up, and end the process without a word about it. Before that, the unwinder asks
//! each frame on the way what it knows about the exception. There is a frame here that answers for all above it that nobody
//! catches it: it is then C++ that ends the process, with the exception at hand. A backtrace goes on from there, by half a dozen
//! frames, to one that says of itself that nobody has called it: the suite raises a hundred thousand errors, and a target that reads each
//! frame's symbols for every one of them would read those of the program's beginning most.

use std::{
    any::Any,
    ffi::{c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What comes of `work`, be it a panic, when backtraces end here.
pub fn at_the_bottom<R>(work: impl FnOnce() -> R) -> Result<R, Box<dyn Any + Send>> {
    by(bottom, || catch_unwind(AssertUnwindSafe(work)))
}

/// Runs `work`, whose Rust panics pass through, where C++ exceptions end.
pub fn below<R>(work: impl FnOnce() -> R) -> R {
    by(frame, work)
}

/// Runs `work` by way of a frame.
fn by<R>(frame: Frame, work: impl FnOnce() -> R) -> R {
    let mut state = (Some(work), None);
    // SAFETY: the function takes the state that it is given here, which outlives the call. No panic gets to the bottom.
    unsafe { frame((&raw mut state).cast(), run(&state)) };
    state.1.expect("what was called has answered")
}

/// The function that runs work of that type and keeps what it answers.
fn run<F: FnOnce() -> R, R>(_: &(Option<F>, Option<R>)) -> Work {
    unsafe extern "C-unwind" fn run<F: FnOnce() -> R, R>(state: *mut c_void) {
        // SAFETY: by contract it is such a state, and nobody else uses it meanwhile.
        let (work, answer) = unsafe { &mut *state.cast::<(Option<F>, Option<R>)>() };
        *answer = work.take().map(|work| work());
    }
    run::<F, R>
}

type Work = unsafe extern "C-unwind" fn(*mut c_void);
type Frame = unsafe extern "C-unwind" fn(*mut c_void, Work);

/// A function that calls `work` with `state`, and what it says of its frame to who looks up the stack.
#[cfg(target_arch = "x86_64")]
macro_rules! frame {
    ($(#[$about:meta])* $name:ident: $says:literal $(, sym $spokesman:ident)?) => {
        $(#[$about])*
        ///
        /// # Safety
        /// That of `work`.
        #[unsafe(naked)]
        unsafe extern "C-unwind" fn $name(state: *mut c_void, work: Work) {
            std::arch::naked_asm!(
                ".cfi_startproc",
                $says,
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "call rsi",
                "pop rbp",
                ".cfi_def_cfa_offset 8",
                "ret",
                ".cfi_endproc",
                $(sym $spokesman)?
            )
        }
    };
}

#[cfg(target_arch = "x86_64")]
frame! {
    /// Says who speaks for it: in four bytes, counted from where they are.
    frame: ".cfi_personality 0x1b, {}", sym personality
}

#[cfg(target_arch = "x86_64")]
frame! {
    /// Says that nobody has called it, so that nothing may leave `work` but by returning.
    bottom: ".cfi_undefined rip"
}

#[cfg(not(target_arch = "x86_64"))]
use ordinary as frame;
#[cfg(not(target_arch = "x86_64"))]
use ordinary as bottom;

/// Says nothing: exceptions end where Rust takes them, and backtraces go on.
///
/// # Safety
/// That of `work`.
#[cfg(not(target_arch = "x86_64"))]
unsafe extern "C-unwind" fn ordinary(state: *mut c_void, work: Work) {
    // SAFETY: by contract.
    unsafe { work(state) }
}

/// Speaks for the frame. What is asked and answered is laid down in the Itanium C++ ABI.
#[cfg(target_arch = "x86_64")]
extern "C" fn personality(_: c_int, actions: c_int, class: u64, _: *mut c_void, _: *mut c_void) -> c_int {
    const SEARCH_PHASE: c_int = 1;
    const FATAL_PHASE1_ERROR: c_int = 3;
    const CONTINUE_UNWIND: c_int = 8;
    // Written in either order, by different releases of Rust.
    const RUST: [u64; 2] = [u64::from_be_bytes(*b"MOZ\0RUST"), u64::from_le_bytes(*b"MOZ\0RUST")];
    if actions & SEARCH_PHASE != 0 && !RUST.contains(&class) { FATAL_PHASE1_ERROR } else { CONTINUE_UNWIND }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn what_work_answers_comes_back_and_panics_pass() {
        assert_eq!(below(|| 17), 17);
        let panic = catch_unwind(|| below(|| -> i32 { std::panic::resume_unwind(Box::new("a panic")) }));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"a panic"));
    }

    /// How many frames there are from here up.
    fn frames() -> usize {
        unsafe extern "C" {
            fn _Unwind_Backtrace(each: extern "C" fn(*mut c_void, *mut c_void) -> c_int, count: *mut c_void) -> c_int;
        }
        extern "C" fn count(_: *mut c_void, count: *mut c_void) -> c_int {
            // SAFETY: it is the number below.
            unsafe { *count.cast::<usize>() += 1 };
            0
        }
        let mut all = 0_usize;
        // SAFETY: the function counts and nothing else, and the number outlives the call.
        unsafe { _Unwind_Backtrace(count, (&raw mut all).cast()) };
        all
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn backtraces_end_at_the_bottom() {
        fn further_down(levels: usize) -> usize {
            let counted = if levels == 0 { at_the_bottom(frames).unwrap() } else { further_down(levels - 1) };
            std::hint::black_box(counted)
        }
        assert!(frames() > 3);
        assert_eq!(further_down(0), further_down(40));
    }

    #[test]
    fn what_is_at_the_bottom_answers_or_panics() {
        assert_eq!(at_the_bottom(|| 17).unwrap(), 17);
        let panic = at_the_bottom(|| -> i32 { std::panic::resume_unwind(Box::new("a panic")) });
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"a panic"));
    }
}
