//! Functions of the client's that the target calls, among them the hooks of a type.

use std::{
    ffi::{CStr, c_int, c_void},
    sync::OnceLock,
};

use tvm_ffi_spec::*;

use super::{Client, Owned, Verdict, api::Api};

/// What a callback does with its arguments. It answers a value, whose reference is then the target's, or `None` after it
/// has raised an error or a call of its own has failed.
pub type Body = fn(&Api, &[TVMFFIAny]) -> Option<TVMFFIAny>;

/// The library that callbacks call: a process that makes some works with one library.
static API: OnceLock<Api> = OnceLock::new();

/// Making callbacks.
impl Client {
    /// A function object that runs `body`.
    pub fn callback(&self, body: Body) -> Verdict<Owned> {
        API.get_or_init(|| self.api);
        self.function(body as *mut c_void, run, None)
    }

    /// Registers a hook as a type's entry in a column.
    pub fn set_hook(&self, type_index: i32, column: &str, hook: &TVMFFIAny) -> Verdict {
        self.ok(self.api.TVMFFITypeRegisterAttr(type_index, &TVMFFIByteArray::new(column.as_bytes()), hook))
    }
}

/// Runs the body that the function was made with.
///
/// # Safety
/// As for every function that the target calls: `this` is what [`Client::callback`] has given, `args` are `count` values
/// that live through the call, and `result` is a place for one.
unsafe extern "C" fn run(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: by contract this is a `Body`.
    let body: Body = unsafe { std::mem::transmute(this) };
    // SAFETY: by contract.
    let args = if count <= 0 { &[] } else { unsafe { std::slice::from_raw_parts(args, count as usize) } };
    let Some(answer) = API.get().and_then(|api| body(api, args)) else { return -1 };
    // SAFETY: by contract.
    unsafe { result.write(answer) };
    0
}

/// Raises an error and answers what a body then answers. It leaves no breadcrumb: the latest call stays the one that the
/// callback is a part of.
pub fn raise(api: &Api, kind: &CStr, message: &CStr) -> Option<TVMFFIAny> {
    if let Some(raise) = api.table().TVMFFIErrorSetRaisedFromCStr {
        // SAFETY: two C strings.
        unsafe { raise(kind.as_ptr(), message.as_ptr()) };
    }
    None
}

/// Calls a function from within a callback; `None` when it fails, whose error is then the callback's.
pub fn call(api: &Api, function: TVMFFIObjectHandle, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let mut answer = TVMFFIAny::NONE;
    (api.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), args.len() as i32, &mut answer) == 0).then_some(answer)
}
