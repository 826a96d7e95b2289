//! Calls of the system that a cancelled thread must not end at.
//!
//! A thread that has been cancelled (`pthread_cancel`) ends at the next call that may wait, such as reading a file. That unwinds its
//! stack, which no function of the library is made for. So the library's own calls of this kind leave it to those of the client.

use std::ffi::c_int;

/// `PTHREAD_CANCEL_DISABLE`.
const DISABLE: c_int = 1;

unsafe extern "C" {
    fn pthread_setcancelstate(state: c_int, old: *mut c_int) -> c_int;
}

/// Runs `body`, at whose calls the thread does not end.
pub fn without_cancellation<T>(body: impl FnOnce() -> T) -> T {
    let _before = Before(set_state(DISABLE));
    body()
}

/// The state to go back to, whatever becomes of the body.
struct Before(c_int);

impl Drop for Before {
    fn drop(&mut self) {
        set_state(self.0);
    }
}

/// Sets the state, and answers what it was before.
fn set_state(state: c_int) -> c_int {
    let mut before = state;
    // SAFETY: it is a state, and the one before is written to a place for it.
    unsafe { pthread_setcancelstate(state, &mut before) };
    before
}
