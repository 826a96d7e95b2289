//! Hooks that C and C++ call without a function object: a value in, a value out, an error as an Error object.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tvm_ffi_spec::TVMFFIAny;

use crate::{
    border::error::{Error, Result},
    value::any::Any,
};

/// The border of such a hook: what `body` answers, or the error that it failed with. A panic does not get through.
pub fn answer(body: impl FnOnce() -> Result<TVMFFIAny>) -> TVMFFIAny {
    let answer = catch_unwind(AssertUnwindSafe(body));
    answer
        .unwrap_or_else(|_| Err(Error::new("InternalError", "a hook of the library has panicked")))
        .unwrap_or_else(|error| Any::from(error.into_object()).into_raw())
}
