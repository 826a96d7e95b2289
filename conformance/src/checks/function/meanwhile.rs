//! Functions of a client's that the library runs, and other threads that use the library meanwhile.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, callback::return_none, homemade::Homemade, own_error::error_cell, view},
    trial::{Trial, meanwhile::others_work},
};

/// While the library calls a function of a client's, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_call_meanwhile(t: &Trial) -> Verdict {
    t.short_backtraces();
    for this in [null_mut(), SELF] {
        let function = t.function(this, let_others_work, None)?;
        t.others_meanwhile("a function", || t.call(&function, &[]).map(drop))?;
    }
    let symbol = c"__tvm_ffi_verify_let_others_work";
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), let_others_work as *mut c_void))?;
    let kernel = t.function_of(&t.call_global("ffi.SystemLib", &[])?, c"verify_let_others_work")?;
    t.others_meanwhile("a function of a module", || t.call(&kernel, &[]).map(drop))?;
    // Answers None, which is no module: whether that is refused is for another clause to say.
    put(t, "ffi.Module.load_from_file.verify_meanwhile", &t.function(SELF, let_others_work, None)?)?;
    t.others_meanwhile("a loader of modules", || {
        t.returns("ffi.ModuleLoadFromFile", &[view::c_str(c"/nowhere/a.verify_meanwhile")])
    })?;
    let code = t.function(null_mut(), answer_code, None)?;
    put(t, "dtype.get_custom_type_code", &code)?;
    t.others_meanwhile("the function that knows custom data types", || {
        let mut dtype = DLDataType { code: 0, bits: 0, lanes: 0 };
        // Whether custom types are known is for another clause to say.
        t.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(b"custom[suite]8"), &mut dtype);
        Ok(())
    })
}

/// While the library runs a hook, a callback of a walk or what names a data type, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_are_asked_meanwhile(t: &Trial) -> Verdict {
    t.short_backtraces();
    let function = t.callback(|_, _| {
        others_work();
        Some(view::bool(true))
    })?;
    t.occasions(&function)?
        .iter()
        .try_for_each(|occasion| t.others_meanwhile(&occasion.name, || (occasion.provoke)(t).map(drop)))
}

/// While the library runs a deleter of a client's, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_end_meanwhile(t: &Trial) -> Verdict {
    t.short_backtraces();
    let closure = || t.function(SELF, return_none, Some(end_with_others));
    let name = "verify.ends";
    t.others_meanwhile("the deleter of a function", || closure().map(drop))?;
    t.others_meanwhile("the deleter of an opaque object", || t.opaque(SELF, end_with_others).map(drop))?;
    t.others_meanwhile("the deleter of a client's object", || t.ok(t.api.TVMFFIObjectDecRef(object())))?;
    t.others_meanwhile("the deleter of an object in an Array", || {
        let object = t.own(TVMFFIAny::new(kTVMFFIObject, object() as u64));
        let array = t.call_global("ffi.Array", &[object.any()])?;
        drop(object);
        drop(array);
        Ok(())
    })?;
    t.others_meanwhile("the deleter of a raised error that another replaces", || {
        let error = Homemade::with_deleter(kTVMFFIError, error_cell(), Some(end_object_with_others)).handle();
        t.api.TVMFFIErrorSetRaised(error);
        t.api.TVMFFIObjectDecRef(error);
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"another".as_ptr());
        t.api.release_raised();
        Ok(())
    })?;
    put(t, name, &closure()?)?;
    t.others_meanwhile("the deleter of a global function that is replaced", || put(t, name, &closure()?))?;
    t.others_meanwhile("the deleter of a global function that a method info replaces", || {
        let function = closure()?;
        let info = TVMFFIMethodInfo {
            name: TVMFFIByteArray::new(name.as_bytes()),
            doc: TVMFFIByteArray::EMPTY,
            metadata: TVMFFIByteArray::EMPTY,
            flags: kTVMFFIFieldFlagBitMaskIsStaticMethod,
            method: function.any(),
        };
        t.ok(t.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1))
    })?;
    t.others_meanwhile("the deleter of a global function that is removed", || {
        t.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.ends")]).map(drop)
    })
}

/// While the library has a tensor given back, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_free_meanwhile(t: &Trial) -> Verdict {
    let (mut shape, mut strides) = ([2_i64], [1_i64]);
    let dl_tensor = DLTensor {
        // An address that nobody follows, with any alignment.
        data: 0x10000 as *mut c_void,
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 1,
        dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let (manager_ctx, mut out) = (null_mut(), null_mut());
    let mut plain = DLManagedTensor { dl_tensor, manager_ctx, deleter: Some(give_back) };
    t.others_meanwhile("the deleter of a DLManagedTensor", || {
        t.ok(t.api.TVMFFITensorFromDLPack(&mut plain, 0, 0, &mut out))?;
        t.ok(t.api.TVMFFIObjectDecRef(out))
    })?;
    let version = DLPackVersion { major: 1, minor: 1 };
    let mut versioned =
        DLManagedTensorVersioned { version, manager_ctx, deleter: Some(give_back_versioned), flags: 0, dl_tensor };
    t.others_meanwhile("the deleter of a DLManagedTensorVersioned", || {
        t.ok(t.api.TVMFFITensorFromDLPackVersioned(&mut versioned, 0, 0, &mut out))?;
        t.ok(t.api.TVMFFIObjectDecRef(out))
    })
}

/// While the library asks a frontend for signals or an allocator for a tensor, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_are_served_meanwhile(t: &Trial) -> Verdict {
    for (name, function) in [
        (c"PyErr_CheckSignals", no_signals as *mut c_void),
        (c"PyGILState_Ensure", ensure as *mut c_void),
        (c"PyGILState_Release", release as *mut c_void),
    ] {
        t.ok(t.api.TVMFFIEnvRegisterCAPI(name.as_ptr(), function))?;
    }
    t.others_meanwhile("PyErr_CheckSignals", || t.ok(t.api.TVMFFIEnvCheckSignals()))?;
    t.ok(t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(Some(refuse), 1, null_mut()))?;
    t.others_meanwhile("a tensor allocator", || {
        let mut shape = [2_i64];
        let mut prototype = DLTensor {
            data: null_mut(),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: 1,
            dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
            shape: shape.as_mut_ptr(),
            strides: null_mut(),
            byte_offset: 0,
        };
        t.ne("status", t.api.TVMFFIEnvTensorAlloc(&mut prototype, &mut { null_mut() }), 0)?;
        t.api.release_raised();
        Ok(())
    })
}

/// Registers a function under a name that may be taken.
fn put(t: &Trial, name: &str, function: &Owned) -> Verdict {
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), function.handle(), 1))
}

/// A client's object whose end lets others work.
fn object() -> TVMFFIObjectHandle {
    Homemade::with_deleter(kTVMFFIObject, (), Some(end_object_with_others)).handle()
}

unsafe extern "C" fn let_others_work(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    others_work();
    0
}

unsafe extern "C" fn answer_code(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    others_work();
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(view::int(200)) };
    0
}

unsafe extern "C" fn end_with_others(_: *mut c_void) {
    others_work();
}

unsafe extern "C" fn end_object_with_others(_: TVMFFIObjectHandle, _: c_int) {
    others_work();
}

unsafe extern "C" fn give_back(_: *mut DLManagedTensor) {
    others_work();
}

unsafe extern "C" fn give_back_versioned(_: *mut DLManagedTensorVersioned) {
    others_work();
}

unsafe extern "C" fn no_signals() -> c_int {
    others_work();
    0
}

unsafe extern "C" fn ensure() -> *mut c_void {
    null_mut()
}

unsafe extern "C" fn release(_: *mut c_void) {}

unsafe extern "C" fn refuse(
    _: *mut DLTensor,
    _: *mut *mut DLManagedTensorVersioned,
    error_ctx: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    others_work();
    if let Some(set_error) = set_error {
        // SAFETY: the error function is called as DLPack says, with the context that came with it.
        unsafe { set_error(error_ctx, c"MemoryError".as_ptr(), c"no room".as_ptr()) };
    }
    -1
}
