//! How a check ends, and whether an expectation was not met in this process.

use std::sync::atomic::{AtomicBool, Ordering};

pub use tvm_ffi_reports::Failure;

/// How a check ends: with every expectation met, or with the first that was not.
pub type Verdict<T = ()> = Result<T, Box<Failure>>;

/// Set when an expectation was not met: from then on guards let go of what they hold instead of calling a target that is
/// known to be broken, so that the failure is not lost in a crash.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Whether an expectation was not met.
pub(super) fn has_failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}

/// Notes that an expectation is not met. Debuggers stop here: [`tvm_ffi_reports::FAILURE`] is its name.
// SAFETY: nobody else has a symbol of this name.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tvm_ffi_verify_failure() {
    set_failed(true);
}

/// Has guards call the target again, before something else is tried, or no longer.
pub fn set_failed(failed: bool) {
    FAILED.store(failed, Ordering::Relaxed);
}
