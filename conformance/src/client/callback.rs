//! C functions of the suite's own, as the target calls them back: callees of Functions, hooks of types, deleters of closures.
//!
//! All that such a function is given is a pointer. The target's functions therefore stand where every callback finds them.

use std::{
    ffi::{CStr, c_int, c_void},
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use tvm_ffi_spec::*;

use crate::client::{api::Api, connection::Client, owned::Owned, value::view, verdict::Verdict};

static CLIENT: OnceLock<Client> = OnceLock::new();

impl Client {
    /// Lets callbacks find the target's functions from now on.
    pub fn serve_callbacks(&self) {
        CLIENT.get_or_init(|| *self);
    }
}

/// The target's functions, for a callback; `None` before [`Client::serve_callbacks`].
pub fn api() -> Option<&'static Api> {
    client().map(|client| &client.api)
}

/// The client of the target, for a callback; `None` before [`Client::serve_callbacks`].
pub fn client() -> Option<&'static Client> {
    CLIENT.get()
}

/// A callee that returns None, which every result is before the call.
///
/// # Safety
/// Always sound; `unsafe` because the type of callees is.
pub unsafe extern "C" fn return_none(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    0
}

/// A callee that answers a number.
///
/// # Safety
/// As for every function that the target calls: `result` is a place for a value.
pub unsafe extern "C" fn answer_number<const NUMBER: i64>(
    _: *mut c_void,
    _: *const TVMFFIAny,
    _: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: by contract.
    unsafe { result.write(view::int(NUMBER)) };
    0
}

/// A callee that raises the error that is its self.
///
/// # Safety
/// Sound if self is an Error that lives; the rest is the target's affair.
pub unsafe extern "C" fn raise_self(error: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = api() {
        api.TVMFFIErrorSetRaised(error);
    }
    -1
}

/// A deleter that leaves its self alone.
///
/// # Safety
/// Always sound; `unsafe` because the type of deleters is.
pub unsafe extern "C" fn keep_self(_: *mut c_void) {}

static ENDS: AtomicUsize = AtomicUsize::new(0);
static LAST_END: AtomicUsize = AtomicUsize::new(usize::MAX);

/// A deleter that is counted.
///
/// # Safety
/// Always sound; `unsafe` because the type of deleters is.
pub unsafe extern "C" fn count_end(this: *mut c_void) {
    LAST_END.store(this as usize, Ordering::SeqCst);
    ENDS.fetch_add(1, Ordering::SeqCst);
}

/// How often [`count_end`] ran.
pub fn ends() -> usize {
    ENDS.load(Ordering::SeqCst)
}

/// The self that [`count_end`] ran with last.
pub fn last_end() -> usize {
    LAST_END.load(Ordering::SeqCst)
}

/// What a callback does with its arguments. It answers a value, whose reference is then the target's, or `None` after it
/// has raised an error or a call of its own has failed.
pub type Body = fn(&Api, &[TVMFFIAny]) -> Option<TVMFFIAny>;

/// Making callbacks.
impl Client {
    /// A function object that runs `body`.
    pub fn callback(&self, body: Body) -> Verdict<Owned> {
        self.serve_callbacks();
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
    let Some(answer) = api().and_then(|api| body(api, args)) else { return -1 };
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

/// Has another thread do a part of a callback's work, and waits for it. The error that the work has raised there is raised here.
fn on_another_thread(api: &Api, work: impl FnOnce(&Api) -> Option<TVMFFIAny> + Send) -> Option<TVMFFIAny> {
    // An address, since a handle is no thread's to send.
    let attempt = || work(api).ok_or_else(|| api.take_raised() as usize);
    match thread::scope(|scope| scope.spawn(attempt).join()) {
        Ok(Ok(answer)) => Some(answer),
        Ok(Err(0)) => raise(api, c"AssertionError", c"the other thread has failed, and raised no error"),
        Ok(Err(error)) => {
            api.TVMFFIErrorSetRaised(error as TVMFFIObjectHandle);
            api.release(error as TVMFFIObjectHandle);
            None
        }
        Err(_) => raise(api, c"AssertionError", c"the other thread has panicked"),
    }
}

/// Whether a part of callbacks' work is another thread's.
static ELSEWHERE: AtomicBool = AtomicBool::new(false);

/// Does a part of a callback's work on another thread where calls are made [`elsewhere`], and here otherwise.
pub fn here_or_elsewhere(api: &Api, work: impl FnOnce(&Api) -> Option<TVMFFIAny> + Send) -> Option<TVMFFIAny> {
    if ELSEWHERE.load(Ordering::Acquire) { on_another_thread(api, work) } else { work(api) }
}

/// Makes calls whose callbacks have another thread go on.
pub fn elsewhere<T>(calls: impl FnOnce() -> T) -> T {
    ELSEWHERE.store(true, Ordering::Release);
    let made = calls();
    ELSEWHERE.store(false, Ordering::Release);
    made
}
