//! Functions: C callbacks with or without a closure, Rust closures, and calls.

use std::{
    ffi::{c_int, c_void},
    ptr::{self, NonNull},
    slice,
};

use tvm_ffi_spec::{
    TVMFFIAny, TVMFFIFunctionCell, TVMFFIObjectHandle, TVMFFISafeCallType, kTVMFFIFunction, kTVMFFIStaticObjectBegin,
};

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
        guard::guard,
        throw::or_throw,
    },
    generation::{self, TVMFFIObject},
    object::{self, HEADER_SIZE, ObjectRef, Payload, typed_refs},
    types::type_table,
    value::any::{Any, AnyView},
};

typed_refs! {
    /// A Function.
    Function: ObjectRef = kTVMFFIFunction;
}

/// How a C closure is given back to its maker.
pub type ClosureDeleter = Option<unsafe extern "C" fn(*mut c_void)>;

/// A function without a closure: the callback itself is called, with the function object as its handle.
#[repr(C)]
struct Bare {
    cell: TVMFFIFunctionCell,
}

/// A C callback with the closure that it gets as its handle.
#[repr(C)]
struct Extern {
    cell: TVMFFIFunctionCell,
    closure: *mut c_void,
    safe_call: TVMFFISafeCallType,
    deleter: ClosureDeleter,
}

/// A function that a library defines, with what keeps the library loaded.
#[repr(C)]
struct Symbol {
    cell: TVMFFIFunctionCell,
    function: TVMFFISafeCallType,
    _library: ObjectRef,
}

/// A Rust closure.
#[repr(C)]
struct Closure<F> {
    head: ClosureHead,
    body: F,
}

/// What every closure begins with: C calls it through the cell, Rust through `run`, without a border in between.
#[repr(C)]
struct ClosureHead {
    cell: TVMFFIFunctionCell,
    run: Run,
}

/// Runs the closure that has the head, and writes what it answers where nothing has to be dropped.
type Run = unsafe fn(*const ClosureHead, &[AnyView<'_>], NonNull<TVMFFIAny>) -> Result<()>;

// SAFETY: the type is repr(C) and begins with the function cell.
unsafe impl Payload for Bare {
    const TYPE_INDEX: i32 = kTVMFFIFunction;
}

// SAFETY: as above.
unsafe impl Payload for Extern {
    const TYPE_INDEX: i32 = kTVMFFIFunction;

    #[inline]
    unsafe fn end_alone(&self) -> bool {
        self.deleter.is_none()
    }
}

// SAFETY: as above.
unsafe impl Payload for Symbol {
    const TYPE_INDEX: i32 = kTVMFFIFunction;
}

// SAFETY: as above.
unsafe impl<F> Payload for Closure<F> {
    const TYPE_INDEX: i32 = kTVMFFIFunction;
}

impl Drop for Extern {
    fn drop(&mut self) {
        if let Some(deleter) = self.deleter {
            // SAFETY: the maker of the closure gave this deleter for it, and it runs once.
            unsafe { deleter(self.closure) };
        }
    }
}

/// Makes a function of a C callback. With neither a closure nor a deleter, the callback gets the function object as its
/// handle; otherwise it gets the closure, and the deleter, if any, runs once at the function's end. When this fails, the
/// closure still is the caller's.
///
/// # Safety
/// The callback follows the calling convention, on any thread, for as long as the function lives.
#[inline(always)]
pub unsafe fn from_c(closure: *mut c_void, safe_call: TVMFFISafeCallType, deleter: ClosureDeleter) -> Result<Function> {
    let function = if generation::BARE_FUNCTIONS && closure.is_null() && deleter.is_none() {
        object::try_new(|| Bare { cell: cell(safe_call) })
    } else {
        object::try_new(|| Extern { cell: cell(call_extern), closure, safe_call, deleter })
    };
    Ok(Function(function?))
}

/// Makes a function of one that a library defines, which gets NULL as its handle.
///
/// # Safety
/// It follows the calling convention, on any thread, for as long as the object lives.
pub unsafe fn from_symbol(function: TVMFFISafeCallType, library: ObjectRef) -> Result<Function> {
    Ok(Function(object::try_new(|| Symbol { cell: cell(call_symbol), function, _library: library })?))
}

/// Makes a function of a Rust closure.
pub fn try_from_closure<F>(body: F) -> Result<Function>
where
    F: Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static,
{
    try_from_closure_of(|| body)
}

/// Makes a function of a Rust closure, which is only made when there is memory for it: so nothing has to be moved there.
#[inline]
pub fn try_from_closure_of<F>(body: impl FnOnce() -> F) -> Result<Function>
where
    F: Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static,
{
    let head = || ClosureHead { cell: cell(call_closure), run: run::<F> };
    Ok(Function(object::try_new(|| Closure { head: head(), body: body() })?))
}

/// The same for a test, where there is memory.
#[cfg(test)]
pub fn from_closure<F>(body: F) -> Function
where
    F: Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static,
{
    try_from_closure(body).unwrap()
}

/// C++ callers would expect exceptions of a `cpp_call`, so functions made here have none, where that is allowed.
fn cell(safe_call: TVMFFISafeCallType) -> TVMFFIFunctionCell {
    let cpp_call = if generation::CPP_CALL_MAY_BE_NULL { ptr::null_mut() } else { call_or_throw as *mut c_void };
    TVMFFIFunctionCell { safe_call: Some(safe_call), cpp_call }
}

/// The entry for C++ callers: what went wrong is thrown.
unsafe extern "C-unwind" fn call_or_throw(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) {
    or_throw(|| {
        // SAFETY: C++ calls it on a live function object, as it calls every other.
        let status = unsafe { call_handle(handle, args, num_args, result) };
        if status == 0 { Ok(()) } else { Err(Error::raised()) }
    });
}

/// The cell of a function object.
///
/// # Safety
/// `handle` is a live function object for `'a`.
unsafe fn payload<'a, T>(handle: *mut c_void) -> &'a T {
    // SAFETY: the data of the object begins right behind its header, and it is never changed.
    unsafe { &*handle.cast::<u8>().add(HEADER_SIZE).cast::<T>() }
}

unsafe extern "C" fn call_extern(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the callback is only found in objects that hold an `Extern`; its caller follows the convention.
    unsafe {
        let function = payload::<Extern>(handle);
        (function.safe_call)(function.closure, args, num_args, result)
    }
}

unsafe extern "C" fn call_symbol(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the callback is only found in objects that hold a `Symbol`; its caller follows the convention.
    unsafe { (payload::<Symbol>(handle).function)(ptr::null_mut(), args, num_args, result) }
}

/// # Safety
/// `head` is that of a live `Closure<F>`, and `result` is writable.
unsafe fn run<F>(head: *const ClosureHead, args: &[AnyView<'_>], result: NonNull<TVMFFIAny>) -> Result<()>
where
    F: Fn(&[AnyView<'_>]) -> Result<Any>,
{
    // SAFETY: a closure begins with its head, and it is never changed; the caller vouches for the result.
    unsafe { result.write(((*head.cast::<Closure<F>>()).body)(args)?.into_raw()) };
    Ok(())
}

/// The border of every closure. It is also what tells closures from the functions of others.
unsafe extern "C" fn call_closure(
    handle: *mut c_void,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    guard(|| {
        // SAFETY: the caller passes an initialised result.
        let is_free = !result.is_null() && unsafe { (*result).type_index } < kTVMFFIStaticObjectBegin;
        if !is_free || num_args < 0 || args.is_null() && num_args > 0 {
            // SAFETY: the caller's contract is the same.
            return Err(unsafe { misused(num_args, result) });
        }
        // SAFETY: the result is not NULL, the caller passes this many arguments, alive during the call, and the callback is
        // only found in objects that hold a closure.
        unsafe {
            let args = if args.is_null() { NonNull::dangling().as_ptr() } else { args.cast_mut() };
            let args = slice::from_raw_parts(args.cast(), num_args as usize);
            run_closure(handle, args, NonNull::new_unchecked(result))
        }
    })
}

/// # Safety
/// `handle` is a live object that holds a closure, and `result` is writable.
unsafe fn run_closure(handle: TVMFFIObjectHandle, args: &[AnyView<'_>], result: NonNull<TVMFFIAny>) -> Result<()> {
    let head = handle.cast::<u8>().wrapping_add(HEADER_SIZE).cast::<ClosureHead>();
    // SAFETY: the closure lies right behind the header; the caller vouches for the result.
    unsafe { ((*head).run)(head, args, result) }
}

/// What is wrong with a call against the convention.
///
/// # Safety
/// `result` is NULL or initialised.
#[cold]
unsafe fn misused(num_args: i32, result: *const TVMFFIAny) -> Error {
    let limit = kTVMFFIStaticObjectBegin;
    // SAFETY: the caller vouches for the result.
    let (kind, text) = match unsafe { result.as_ref() }.map(|result| result.type_index) {
        None => ("ValueError", "`result` must not be NULL".to_owned()),
        Some(index) if index >= limit => {
            ("InternalError", format!("Check failed: {RESULT_IS_FREE} ({index} vs. {limit}) : {OCCUPIED}"))
        }
        Some(_) if num_args < 0 => ("TypeError", format!("`num_args` must not be negative, but is {num_args}")),
        Some(_) => ("ValueError", "`args` must not be NULL".to_owned()),
    };
    Error::new(kind, text)
}

const RESULT_IS_FREE: &str = "result->type_index < TypeIndex::kTVMFFIStaticObjectBegin";
const OCCUPIED: &str = "the result slot must not hold an object";

/// The function that a type has for an attribute.
///
/// # Errors
/// `TypeError` if it has something else there.
pub fn of_hook(hook: &AnyView<'_>, name: &str) -> Result<Function> {
    hook.cast().ok_or_else(|| {
        let actual = type_table::key_of(hook.type_index());
        Error::new("TypeError", format!("`{name}` must be a function, not `{actual}`"))
    })
}

/// Calls a function object. A closure made here runs at once: its errors come back as they are, not raised, and its
/// panics are left to the border that this thread came in by.
pub fn call(function: &Function, args: &[AnyView<'_>]) -> Result<Any> {
    let (handle, mut result) = (function.handle(), TVMFFIAny::NONE);
    // SAFETY: the reference keeps the object alive.
    let status = match unsafe { safe_call_of(handle) } {
        Some(safe_call) if ptr::fn_addr_eq(safe_call, call_closure as TVMFFISafeCallType) => {
            // SAFETY: only objects that hold a closure have this callback.
            unsafe { run_closure(handle, args, NonNull::from_mut(&mut result))? };
            0
        }
        Some(safe_call) => {
            let num_args = i32::try_from(args.len()).map_err(|_| Error::new("ValueError", "too many arguments"))?;
            // SAFETY: the arguments are views that live through the call, and the result is writable.
            unsafe { safe_call(handle, args.as_ptr().cast(), num_args, &raw mut result) }
        }
        // SAFETY: as above.
        None => unsafe { not_callable(handle) },
    };
    if status != 0 {
        return Err(Error::raised());
    }
    // SAFETY: on success the result is an owned value.
    Ok(unsafe { Any::from_stored(&result) })
}

/// Calls the function object behind a handle; what is wrong with the handle is raised.
///
/// # Safety
/// `handle` is NULL or a live object; the rest follows the calling convention.
#[inline]
pub unsafe fn call_handle(
    handle: TVMFFIObjectHandle,
    args: *const TVMFFIAny,
    num_args: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the caller vouches for the handle.
    match unsafe { safe_call_of(handle) } {
        // Nothing is left to be done afterwards, so that the call can be a jump.
        // SAFETY: the handle is a function; the caller vouches for the rest.
        Some(safe_call) => unsafe { safe_call(handle, args, num_args, result) },
        // SAFETY: the caller vouches for the handle.
        None => unsafe { not_callable(handle) },
    }
}

/// # Safety
/// `handle` is NULL or a live object.
unsafe fn safe_call_of(handle: TVMFFIObjectHandle) -> Option<TVMFFISafeCallType> {
    if handle.is_null() {
        return None;
    }
    // SAFETY: the object is alive; a function begins with its cell.
    unsafe {
        let is_function = (*handle.cast::<TVMFFIObject>()).type_index == kTVMFFIFunction;
        if is_function { payload::<TVMFFIFunctionCell>(handle).safe_call } else { None }
    }
}

/// # Safety
/// `handle` is NULL or a live object.
#[cold]
#[inline(never)]
unsafe extern "C" fn not_callable(handle: TVMFFIObjectHandle) -> c_int {
    guard(|| {
        // SAFETY: the caller's contract is the same.
        unsafe { c_pointers::object_of_type(handle, kTVMFFIFunction, "func")? };
        Err(Error::new("ValueError", "`func` has no safe_call"))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rstest::rstest;

    use super::*;
    use crate::{border::raised, value::text};

    /// Answers its handle as an integer.
    unsafe extern "C" fn handle_of(
        handle: *mut c_void,
        _args: *const TVMFFIAny,
        _num_args: i32,
        result: *mut TVMFFIAny,
    ) -> c_int {
        // SAFETY: the caller passes a writable result.
        unsafe { result.write(Any::from(handle as i64).into_raw()) };
        0
    }

    unsafe extern "C" fn count_end(closure: *mut c_void) {
        // SAFETY: the tests pass the address of a counter.
        let ends = unsafe { &*closure.cast::<Cell<u32>>() };
        ends.set(ends.get() + 1);
    }

    fn answer(function: &Function) -> i64 {
        call(function, &[]).unwrap().view().as_int().unwrap()
    }

    #[test]
    fn a_callback_gets_its_closure_or_else_the_function() {
        let ends = Cell::new(0);
        let closure = (&raw const ends).cast_mut().cast::<c_void>();
        // SAFETY: the callback and the deleter are right for the closure.
        let (bare, with_closure, with_deleter) = unsafe {
            (
                from_c(ptr::null_mut(), handle_of, None).unwrap(),
                from_c(closure, handle_of, None).unwrap(),
                from_c(closure, handle_of, Some(count_end)).unwrap(),
            )
        };
        assert_eq!(answer(&bare), bare.handle() as i64);
        assert_eq!(answer(&with_closure), closure as i64);
        assert_eq!(answer(&with_deleter), closure as i64);
        // SAFETY: the object is a function.
        let cell = unsafe { bare.data::<TVMFFIFunctionCell>() };
        assert_eq!(cell.safe_call.map(|f| f as usize), Some(handle_of as *const () as usize));
        assert!(cell.cpp_call.is_null());
        drop((bare, with_closure));
        assert_eq!(ends.get(), 0);
        drop(with_deleter);
        assert_eq!(ends.get(), 1);
    }

    #[test]
    fn a_closure_sees_its_arguments_and_fails_like_any_function() {
        let add = from_closure(|args| {
            let sum = args.iter().map(AnyView::as_int).sum::<Option<i64>>();
            sum.map(Any::from).ok_or_else(|| Error::new("TypeError", "not a number"))
        });
        let values = [Any::from(2), Any::from(40), text::string(b"x").unwrap()];
        let views = values.each_ref().map(|value| *value.view());
        assert_eq!(call(&add, &views[..2]).unwrap().view().as_int(), Some(42));
        assert_eq!(call(&add, &views).err().map(|error| error.to_string()).as_deref(), Some("TypeError: not a number"));
        assert!(raised::take_raised().is_none());
    }

    #[test]
    fn a_panic_ends_at_the_border_that_the_thread_came_in_by() {
        let panics = from_closure(|_| panic!("inside"));
        let outer = from_closure(move |args| call(&panics, args));
        let mut result = TVMFFIAny::NONE;
        // SAFETY: the call follows the convention.
        assert_eq!(unsafe { call_handle(outer.handle(), ptr::null(), 0, &raw mut result) }, -1);
        let error = raised::take_raised().unwrap();
        assert_eq!(error.message(), b"inside");
    }

    #[rstest]
    #[case::null_result(0, false, 0)]
    #[case::occupied_result(0, true, kTVMFFIStaticObjectBegin)]
    #[case::negative_count(-1, true, 0)]
    #[case::null_args(1, true, 0)]
    fn a_closure_refuses_a_call_against_the_convention(
        #[case] num_args: i32,
        #[case] with_result: bool,
        #[case] occupied_by: i32,
    ) {
        let function = from_closure(|_| Ok(Any::NONE));
        let mut result = TVMFFIAny::new(occupied_by, 0);
        let result = if with_result { &raw mut result } else { ptr::null_mut() };
        // SAFETY: what is wrong with the call is what the closure must notice.
        assert_eq!(unsafe { call_handle(function.handle(), ptr::null(), num_args, result) }, -1);
        assert!(raised::take_raised().is_some());
    }

    #[test]
    fn only_functions_can_be_called() {
        let text = text::string_object(b"text").unwrap();
        for handle in [ptr::null_mut(), text.handle()] {
            // SAFETY: what is wrong with the handle is what the call must notice.
            assert_eq!(unsafe { call_handle(handle, ptr::null(), 0, &mut TVMFFIAny::NONE.clone()) }, -1);
            assert!(raised::take_raised().is_some());
        }
    }
}
