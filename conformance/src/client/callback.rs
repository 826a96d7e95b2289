//! Functions of the client's that the target calls: how one of them raises an error.

use std::ffi::{c_char, c_int, c_void};

use super::{Client, Verdict};

impl Client {
    /// What a callback is made with so that it can [`raise`].
    pub fn raiser(&self) -> Verdict<*mut c_void> {
        match self.api.table().TVMFFIErrorSetRaisedFromCStr {
            Some(raise) => Ok(raise as *mut c_void),
            None => Err(self.error("raising", "it is missing")),
        }
    }
}

/// Raises an ArithmeticError and answers what the callback then answers.
///
/// # Safety
/// `raiser` is from [`Client::raiser`].
pub unsafe fn raise(raiser: *mut c_void) -> c_int {
    // SAFETY: by contract this is the target's function, which has this type.
    let raise: unsafe extern "C" fn(*const c_char, *const c_char) = unsafe { std::mem::transmute(raiser) };
    // SAFETY: two C strings.
    unsafe { raise(c"ArithmeticError".as_ptr(), c"a hook fails".as_ptr()) };
    -1
}
