//! Opaque objects: a handle of the client's, with its deleter.

use std::{ffi::c_void, ptr::null_mut};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{self, count_end, keep_self},
        homemade,
    },
    trial::Trial,
};

/// An opaque object has type index 74 and its handle at byte 24.
#[check(OBJ_0024)]
fn opaque(t: &Trial) -> Verdict {
    for handle in [HANDLE, 1, usize::MAX] {
        let opaque = t.opaque(handle as *mut c_void, keep_self)?;
        t.type_index_eq("type index", opaque.any().type_index, kTVMFFIOpaquePyObject)?;
        let cell: TVMFFIOpaqueObjectCell = t.cell("the opaque object's cell", opaque.handle())?;
        t.eq("handle at byte 24", cell.handle as usize, handle)?;
    }
    Ok(())
}

/// The deleter of an opaque object runs once, with the handle, when the last strong reference is given up.
#[check(OBJ_0025)]
fn opaque_deleter(t: &Trial) -> Verdict {
    for round in 1..=10 {
        let handle = HANDLE + round;
        let opaque = t.opaque(handle as *mut c_void, count_end)?;
        homemade::retain(opaque.handle());
        homemade::release(opaque.handle());
        t.eq("calls of deleters while the object lives", callback::ends(), round - 1)?;
        drop(opaque);
        t.eq("calls of deleters", callback::ends(), round)?;
        t.eq("handle that the deleter received", callback::last_end(), handle)?;
    }
    Ok(())
}

/// The deleter of an opaque object of a NULL handle runs once, if there is such an object.
#[check(OBJ_0025)]
fn opaque_deleter_of_null(t: &Trial) -> Verdict {
    let Some(opaque) = opaque_if_made(t, null_mut(), Some(count_end))? else {
        return t.eq("calls of the deleter for an object that was refused", callback::ends(), 0);
    };
    drop(opaque);
    t.eq("calls of the deleter", callback::ends(), 1)?;
    t.eq("handle that the deleter received", callback::last_end(), 0)
}

/// An opaque object may be made without a deleter and of a NULL handle.
#[check(OBJ_0026)]
fn opaque_bare(t: &Trial) -> Verdict {
    for handle in [0, HANDLE] {
        let mut out = null_mut();
        t.ok(t.api.TVMFFIObjectCreateOpaque(handle as *mut c_void, kTVMFFIOpaquePyObject, None, &mut out))?;
        let opaque = t.own_object("the new opaque object", out)?;
        let cell: TVMFFIOpaqueObjectCell = t.cell("the opaque object's cell", opaque.handle())?;
        t.eq("handle at byte 24", cell.handle as usize, handle)?;
        t.ok(t.api.TVMFFIObjectDecRef(opaque.into_any().payload() as *mut c_void))?;
    }
    Ok(())
}

/// Making an opaque object with the type index of something else is an error, and its deleter is not called.
#[check(OBJ_0027)]
fn opaque_index(t: &Trial) -> Verdict {
    for type_index in [kTVMFFINone, kTVMFFIInt, kTVMFFIStr, kTVMFFIFunction, kTVMFFITensor] {
        let mut out = null_mut();
        let code = t.api.TVMFFIObjectCreateOpaque(HANDLE as *mut c_void, type_index, Some(count_end), &mut out);
        t.raises(code, &[])?;
        t.eq("calls of the deleter", callback::ends(), 0)?;
    }
    Ok(())
}

/// TVMFFIObjectCreateOpaque refuses a NULL result pointer with an error.
#[check(OBJ_0031)]
fn opaque_null(t: &Trial) -> Verdict {
    let code = t.api.TVMFFIObjectCreateOpaque(HANDLE as *mut c_void, kTVMFFIOpaquePyObject, None, null_mut());
    t.raises(code, &[]).map(drop)
}
