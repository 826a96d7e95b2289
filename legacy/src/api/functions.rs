//! Functions about functions, global ones, and modules.

use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_int, c_void},
    path::Path,
    ptr,
};

use tvm_ffi_adapter::types::{Finalizer, FrontendFunc, TVMValue, code::*};

use crate::{
    error::{Error, Result, guard, required, required_text},
    function, globals, module,
    object::Ref,
    value::Value,
};

/// A handle that may not be NULL, with a reference for as long as it is used: what is called may free it.
///
/// # Safety
/// It is NULL or a live object.
unsafe fn held(handle: *mut c_void, what: &str) -> Result<Ref> {
    // SAFETY: the caller vouches for it.
    unsafe { Ref::from_borrowed(handle) }.ok_or_else(|| Error::value(format!("`{what}` is NULL")))
}

/// Calls a function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFuncCall(
    func: *mut c_void,
    arg_values: *mut TVMValue,
    type_codes: *mut c_int,
    num_args: c_int,
    ret_val: *mut TVMValue,
    ret_type_code: *mut c_int,
) -> c_int {
    guard(|| {
        let (ret_val, ret_type_code) = (required(ret_val, "ret_val")?, required(ret_type_code, "ret_type_code")?);
        if num_args < 0 || num_args > 0 && (arg_values.is_null() || type_codes.is_null()) {
            return Err(Error::value(format!("{num_args} arguments, in arrays at {arg_values:p} and {type_codes:p}")));
        }
        // SAFETY: the caller passes a function and its arguments, and two writable places.
        unsafe {
            let function = held(func, "func")?;
            let (value, code) = function::call(&function, arg_values, type_codes, num_args)?.deliver()?;
            ret_val.write(value);
            ret_type_code.write(code);
        }
        Ok(())
    })
}

/// Gives up a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFuncFree(func: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller gives up a reference, or passes NULL.
        drop(unsafe { Ref::from_owned(func) });
        Ok(())
    })
}

/// Sets the result of a callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMCFuncSetReturn(
    ret: *mut c_void,
    value: *mut TVMValue,
    type_code: *mut c_int,
    num_ret: c_int,
) -> c_int {
    guard(|| {
        let ret = required(ret, "ret")?;
        if num_ret != 1 {
            return Err(Error::value(format!("a function answers one value, and not {num_ret}")));
        }
        let (value, code) = (required(value, "value")?, required(type_code, "type_code")?);
        // SAFETY: the caller passes what its callback was given, and a value with its code.
        unsafe { function::set_result(ret, *value, *code) }
    })
}

/// Makes an owned value of an argument, in place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMCbArgToReturn(value: *mut TVMValue, code: *mut c_int) -> c_int {
    guard(|| {
        let (value, code) = (required(value, "value")?, required(code, "code")?);
        // SAFETY: the caller passes a value with its code, both writable.
        unsafe {
            if matches!(*code, kTVMStr | kTVMBytes) {
                return Err(Error::of_type("a text or bytes cannot be made an owned value in place"));
            }
            let kept = Value::of_borrowed(*value, *code)?;
            if *code == kTVMObjectRValueRefArg && !(*value).pointer().is_null() {
                drop(Ref::from_owned((*value).pointer().cast::<*mut c_void>().replace(ptr::null_mut())));
            }
            // What is plain stays bit for bit.
            if let Value::Object(..) = kept {
                (*value, *code) = kept.deliver()?;
            } else if *code == kTVMObjectRValueRefArg {
                (*value, *code) = (TVMValue::ZERO, kTVMNullptr);
            }
        }
        Ok(())
    })
}

/// Makes a function of a callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFuncCreateFromCFunc(
    func: Option<FrontendFunc>,
    resource_handle: *mut c_void,
    fin: Option<Finalizer>,
    out: *mut *mut c_void,
) -> c_int {
    guard(|| {
        let out = required(out, "out")?;
        let func = func.ok_or_else(|| Error::value("`func` is NULL"))?;
        // SAFETY: the caller passes a writable place.
        unsafe { out.write(function::frontend(func, resource_handle, fin).into_handle()) };
        Ok(())
    })
}

/// Registers a global function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFuncRegisterGlobal(name: *const c_char, f: *mut c_void, override_: c_int) -> c_int {
    // SAFETY: the caller passes a text and a function.
    guard(|| unsafe { globals::set(required_text(name, "name")?, &held(f, "f")?, override_ != 0) })
}

/// A new reference to a global function, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFuncGetGlobal(name: *const c_char, out: *mut *mut c_void) -> c_int {
    guard(|| {
        let out = required(out, "out")?;
        // SAFETY: the caller passes a text and a writable place.
        unsafe {
            let found = globals::get(required_text(name, "name")?)?;
            out.write(found.map_or(ptr::null_mut(), Ref::into_handle));
        }
        Ok(())
    })
}

thread_local! {
    /// What this thread was shown of the names last.
    static NAMES: RefCell<(Vec<CString>, Vec<*const c_char>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// The names of all global functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFuncListGlobalNames(out_size: *mut c_int, out_array: *mut *mut *const c_char) -> c_int {
    guard(|| {
        let (out_size, out_array) = (required(out_size, "out_size")?, required(out_array, "out_array")?);
        let names = globals::names()?.into_iter().filter_map(|name| CString::new(name).ok());
        NAMES.with_borrow_mut(|(texts, pointers)| {
            *texts = names.collect();
            *pointers = texts.iter().map(|text| text.as_ptr()).collect();
            // SAFETY: the caller passes writable places.
            unsafe {
                out_size.write(pointers.len() as c_int);
                out_array.write(pointers.as_mut_ptr());
            }
        });
        Ok(())
    })
}

/// Removes a global function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFuncRemoveGlobal(name: *const c_char) -> c_int {
    // SAFETY: the caller passes a text.
    guard(|| unsafe { globals::remove(required_text(name, "name")?) })
}

/// Loads a module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMModLoadFromFile(
    file_name: *const c_char,
    format: *const c_char,
    out: *mut *mut c_void,
) -> c_int {
    guard(|| {
        let out = required(out, "out")?;
        // SAFETY: the caller passes texts and a writable place; the loader gets the same texts.
        unsafe {
            let (file, format) = (required_text(file_name, "file_name")?, required_text(format, "format")?);
            let loader = loader(file, format)?;
            let mut values = [TVMValue { v_str: file.as_ptr() }, TVMValue { v_str: format.as_ptr() }];
            let mut codes = [kTVMStr; 2];
            match function::call(&loader, values.as_mut_ptr(), codes.as_mut_ptr(), 2)? {
                Value::Object(module, kTVMModuleHandle) => out.write(module.into_handle()),
                _ => return Err(Error::of_type("the loader answered no module")),
            }
        }
        Ok(())
    })
}

/// The global function that loads files of a format, which may be told by the file's extension.
fn loader(file: &CStr, format: &CStr) -> Result<Ref> {
    let file = file.to_string_lossy();
    let format = match format.to_string_lossy().into_owned() {
        format if format.is_empty() => {
            Path::new(&*file).extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default()
        }
        format => format,
    };
    let format = if matches!(&*format, "dll" | "dylib" | "dso") { "so" } else { &format };
    let name = format!("runtime.module.loadfile_{format}");
    let found = globals::get(&CString::new(name.clone()).unwrap_or_default())?;
    found.ok_or_else(|| Error::value(format!("{file} cannot be loaded: there is no loader {name} for its format")))
}

/// Has a module import another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMModImport(mod_: *mut c_void, dep: *mut c_void) -> c_int {
    // SAFETY: the caller passes modules.
    guard(|| unsafe { module::import(&held(mod_, "mod")?, &held(dep, "dep")?) })
}

/// A function of a module, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMModGetFunction(
    mod_: *mut c_void,
    func_name: *const c_char,
    query_imports: c_int,
    out: *mut *mut c_void,
) -> c_int {
    guard(|| {
        let out = required(out, "out")?;
        // SAFETY: the caller passes a module, a text and a writable place.
        unsafe {
            let name = required_text(func_name, "func_name")?;
            let found = module::function(&held(mod_, "mod")?, name, query_imports != 0)?;
            out.write(found.map_or(ptr::null_mut(), Ref::into_handle));
        }
        Ok(())
    })
}

/// Gives up a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMModFree(mod_: *mut c_void) -> c_int {
    // SAFETY: the caller gives up a reference, or passes NULL.
    unsafe { TVMFuncFree(mod_) }
}
