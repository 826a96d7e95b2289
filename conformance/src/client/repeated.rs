//! Calling the same functions many times: looked up once, and without a note of each call.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, verdict::Verdict};

impl Client {
    /// Global functions, each expected to be registered.
    pub fn globals<const N: usize>(&self, names: [&str; N]) -> Verdict<[Owned; N]> {
        let found: Vec<Owned> = names.into_iter().map(|name| self.global(name)).collect::<Verdict<_>>()?;
        found.try_into().map_err(|_| self.error("looking functions up", "their number is wrong"))
    }

    /// Calls the function object at an address without a breadcrumb, for threads that would only overwrite each other's.
    /// Leave one [note](super::api::Api::note) before the first call. The answer is the caller's to release.
    pub fn call_untraced(&self, function: usize, args: &[TVMFFIAny]) -> Verdict<TVMFFIAny> {
        let call = self.api.bare("TVMFFIFunctionCall", |table| table.TVMFFIFunctionCall);
        let mut result = TVMFFIAny::NONE;
        // SAFETY: a call into a black box like any other; the arguments outlive it.
        let code = unsafe { call(function as *mut c_void, args.as_ptr().cast_mut(), args.len() as i32, &mut result) };
        self.ok(code)?;
        Ok(result)
    }
}
