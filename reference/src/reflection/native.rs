//! Hooks that C and C++ call without a function object: a value in, a value out, an error as an Error object.

use tvm_ffi_spec::TVMFFIAny;

use crate::{
    border::{error::Result, guard::caught},
    value::any::Any,
};

/// The border of such a hook: what `body` answers, or the error that it failed with. A panic does not get through.
pub fn answer(body: impl FnOnce() -> Result<TVMFFIAny>) -> TVMFFIAny {
    caught(body).unwrap_or_else(|error| Any::from(error.into_object()).into_raw())
}
