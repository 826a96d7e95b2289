//! Calls that the target is expected to refuse.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, owned::Raised, verdict::Verdict};

impl Client {
    /// Calls a function and expects it to fail with an error of one of these kinds; none given means that any will do.
    pub fn call_fails(&self, function: &Owned, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<Raised> {
        let mut result = TVMFFIAny::NONE;
        self.raises(self.try_call(function, args, &mut result), kinds)
    }
}
