//! Objects that a client made: the library calls, registers, raises and exports them, and gives up what it took.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::return_none,
        homemade::{self, Homemade},
        own_error::error_cell,
        view,
    },
    trial::Trial,
};

/// A function object made by a client can be called, and its safe_call receives the object itself as the handle.
#[check(OBJ_0021)]
fn client_function(t: &Trial) -> Verdict {
    static SELF: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn remember_self(
        this: *mut c_void,
        args: *const TVMFFIAny,
        num_args: i32,
        result: *mut TVMFFIAny,
    ) -> c_int {
        SELF.store(this as usize, Ordering::Relaxed);
        if num_args == 1 {
            // SAFETY: the caller passes one argument, a plain value, and a place for the result.
            unsafe { *result = *args };
        }
        0
    }
    let function =
        Homemade::new(kTVMFFIFunction, TVMFFIFunctionCell { safe_call: Some(remember_self), cpp_call: null_mut() });
    let mut argument = view::int(42);
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(function.handle(), &mut argument, 1, &mut result))?;
    t.eq("handle that safe_call received", SELF.load(Ordering::Relaxed), function.handle() as usize)?;
    t.any_eq("result", &result, &argument)?;
    t.eq("strong and weak count of the function", function.counts(), (1, 1))
}

/// The table of global functions holds a reference to a client's function until another replaces it.
#[check(OBJ_0022)]
fn client_global(t: &Trial) -> Verdict {
    let cell = TVMFFIFunctionCell { safe_call: Some(return_none), cpp_call: null_mut() };
    let [first, second] = [cell, cell].map(|cell| Homemade::new(kTVMFFIFunction, cell));
    let name = TVMFFIByteArray::new(b"suite.client_global_is_held");
    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, first.handle(), 0))?;
    t.eq("strong and weak count of a registered function", first.counts(), (2, 1))?;

    let mut found = null_mut();
    t.ok(t.api.TVMFFIFunctionGetGlobal(&name, &mut found))?;
    t.eq("the function found by name", found, first.handle())?;
    t.eq("strong and weak count of a function that was found", first.counts(), (3, 1))?;

    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, second.handle(), 1))?;
    t.eq("strong and weak count of a function that was replaced", first.counts(), (2, 1))?;
    t.eq("strong and weak count of the function in its place", second.counts(), (2, 1))
}

/// The library holds a reference to a client's raised error until it gives it up or hands it over.
#[check(OBJ_0022)]
fn client_error(t: &Trial) -> Verdict {
    let [first, second] = [(), ()].map(|()| Homemade::new(kTVMFFIError, error_cell()));
    t.api.TVMFFIErrorSetRaised(first.handle());
    t.eq("strong and weak count of a raised error", first.counts(), (2, 1))?;

    t.api.TVMFFIErrorSetRaised(second.handle());
    t.eq("strong and weak count of an error that another one replaced", first.counts(), (1, 1))?;

    let mut moved = null_mut();
    t.api.TVMFFIErrorMoveFromRaised(&mut moved);
    t.eq("the error that was moved", moved, second.handle())?;
    t.eq("strong and weak count of the error that was moved", second.counts(), (2, 1))?;
    t.eq("calls of the deleters", homemade::all_ends(), 0)
}

/// A tensor as a class of a client's may have it: what lies behind it is the client's.
#[repr(C)]
struct Derived {
    tensor: DLTensor,
    own: [u64; 16],
}

/// An export to DLPack, of either version, holds a reference to a client's tensor until the export's deleter runs, and says nothing
/// of it that the client has not said, whatever lies behind the tensor.
#[check(OBJ_0022, TEN_0025)]
fn client_tensor(t: &Trial) -> Verdict {
    let (mut shape, mut strides) = ([2, 3], [3, 1]);
    let tensor = tensor(&mut shape, &mut strides);
    let object = Homemade::new(kTVMFFITensor, Derived { tensor, own: [u64::MAX; 16] });
    let no_deleter = || t.failure("deleter of the exported tensor", "a function", "NULL");
    let is_held_until = |given_up: &dyn Fn()| -> Verdict {
        t.clause(id::OBJ_0022);
        t.eq("strong and weak count of an exported tensor", object.counts(), (2, 1))?;
        t.api.noted("deleter of an exported tensor", given_up);
        t.eq("strong and weak count after the export is given up", object.counts(), (1, 1))
    };
    let mut exported = null_mut();
    t.ok(t.api.TVMFFITensorToDLPack(object.handle(), &mut exported))?;
    let managed = t.read("exported tensor", exported)?;
    t.eq("data of the exported tensor", managed.dl_tensor.data as usize, TENSOR_DATA)?;
    let deleter = managed.deleter.ok_or_else(no_deleter)?;
    // SAFETY: the exported tensor's own deleter, called once.
    is_held_until(&|| unsafe { deleter(exported) })?;

    let mut exported = null_mut();
    t.ok(t.api.TVMFFITensorToDLPackVersioned(object.handle(), &mut exported))?;
    let managed = t.read("versioned exported tensor", exported)?;
    t.eq("data of the versioned exported tensor", managed.dl_tensor.data as usize, TENSOR_DATA)?;
    t.clause(id::TEN_0025);
    let told = managed.flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED);
    t.eq("what the versioned export says of being read-only or a copy", told, 0)?;
    let deleter = managed.deleter.ok_or_else(no_deleter)?;
    // SAFETY: as above.
    is_held_until(&|| unsafe { deleter(exported) })
}

/// A call leaves the counts of the objects among its arguments as they were.
#[check(OBJ_0023)]
fn arguments(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let function = t.function(null_mut(), return_none, None)?;
    t.call(&function, &[object.view(), object.view(), object.view()])?;
    t.eq("strong and weak count of an argument after the call", object.counts(), (1, 1))
}

/// A call takes and gives up no reference to the object that the callee returns.
#[check(OBJ_0023)]
fn result(t: &Trial) -> Verdict {
    /// Gives its argument back, with a reference for the caller.
    unsafe extern "C" fn give_back(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the caller passes one object and a place for the result.
        unsafe {
            homemade::retain((*args).payload() as *mut c_void);
            *result = *args;
        }
        0
    }
    let object = Homemade::new(kTVMFFIObject, ());
    let function = t.function(null_mut(), give_back, None)?;
    let result = t.call(&function, &[object.view()])?.into_any();
    t.any_eq("result", &result, &object.view())?;
    t.eq("strong and weak count of the result", object.counts(), (2, 1))
}
