//! Functions that generated code calls.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_adapter::types::{ParallelLambda, TVMParallelGroupEnv, TVMValue, code::*};

use crate::{
    array, device,
    error::{Error, Result, guard, required, required_text},
    globals, module,
    object::Ref,
    parallel, python,
    value::Value,
    workspace,
};

/// Lends a function of a module's imports, or a global one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendGetFuncFromEnv(
    mod_node: *mut c_void,
    func_name: *const c_char,
    out: *mut *mut c_void,
) -> c_int {
    guard(|| {
        let out = required(out, "out")?;
        // SAFETY: the caller passes what its module was told, a text, and a writable place.
        unsafe { out.write(module::lend(mod_node, required_text(func_name, "func_name")?, globals::get)?) };
        Ok(())
    })
}

/// Makes a symbol of the system library known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendRegisterSystemLibSymbol(name: *const c_char, ptr: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a text.
        module::register_system_symbol(unsafe { required_text(name, "name") }?, ptr);
        Ok(())
    })
}

/// Makes a function of Python's known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendRegisterEnvCAPI(name: *const c_char, ptr: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a text.
        let name = unsafe { required_text(name, "name") }?;
        if python::register(name.to_bytes(), ptr) {
            return Ok(());
        }
        let name = name.to_string_lossy();
        Err(Error::value(format!("Unknown env API {name}: known are {}", python::names())))
    })
}

/// Lends memory, or answers NULL with an error set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendAllocWorkspace(
    device_type: c_int,
    _device_id: c_int,
    nbytes: u64,
    _dtype_code_hint: c_int,
    _dtype_bits_hint: c_int,
) -> *mut c_void {
    let mut lent = ptr::null_mut();
    guard(|| {
        device::required(device_type)?;
        lent = workspace::lend(nbytes)?;
        Ok(())
    });
    lent
}

/// Takes it back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendFreeWorkspace(device_type: c_int, _device_id: c_int, ptr: *mut c_void) -> c_int {
    guard(|| {
        device::required(device_type)?;
        workspace::take_back(ptr)
    })
}

/// Runs tasks and waits for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendParallelLaunch(
    flambda: Option<ParallelLambda>,
    cdata: *mut c_void,
    num_task: c_int,
) -> c_int {
    guard(|| parallel::launch(flambda.ok_or_else(|| Error::value("`flambda` is NULL"))?, cdata, num_task))
}

/// Waits for the other tasks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendParallelBarrier(task_id: c_int, penv: *mut TVMParallelGroupEnv) -> c_int {
    // SAFETY: the caller is a task, and passes what it was given.
    guard(|| unsafe { parallel::barrier(task_id, penv) })
}

/// Calls a function once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendRunOnce(
    handle: *mut *mut c_void,
    f: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    cdata: *mut c_void,
    _nbytes: c_int,
) -> c_int {
    let mut code = 0;
    let done = guard(|| {
        let (handle, f) = (required(handle, "handle")?, f.ok_or_else(|| Error::value("`f` is NULL"))?);
        let done = ptr::without_provenance_mut(1);
        // SAFETY: the caller passes a place that is only used so; the function is the caller's.
        unsafe {
            let place = AtomicPtr::from_ptr(handle);
            if place.compare_exchange(ptr::null_mut(), done, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                code = f(cdata);
            }
        }
        Ok(())
    });
    if done == 0 { code } else { done }
}

/// An entry of a list of values: as results are laid out in C++.
#[repr(C)]
struct Entry {
    value: TVMValue,
    code: c_int,
}

/// # Safety
/// `list` is NULL or has an entry of that number.
unsafe fn entry(list: *mut c_void, index: c_int) -> Result<*mut Entry> {
    let index = usize::try_from(index).map_err(|_| Error::value(format!("there is no entry {index}")))?;
    Ok(required(list.cast::<Entry>(), "anylist")?.wrapping_add(index))
}

/// Fails for a code whose payload belongs to C++.
fn without_text(code: c_int) -> Result<()> {
    match code {
        kTVMStr | kTVMBytes => {
            Err(Error::of_type("an entry of such a list is no text here; it can be a String object"))
        }
        _ => Ok(()),
    }
}

/// Makes an argument of an entry, which stays the list's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendAnyListSetPackedArg(
    anylist: *mut c_void,
    index: c_int,
    args: *mut TVMValue,
    type_codes: *mut c_int,
    arg_offset: c_int,
) -> c_int {
    guard(|| {
        let offset =
            usize::try_from(arg_offset).map_err(|_| Error::value(format!("there is no argument {arg_offset}")))?;
        let (args, type_codes) = (required(args, "args")?, required(type_codes, "type_codes")?);
        // SAFETY: the caller passes a list with that entry and arrays with that place.
        unsafe {
            let Entry { value, code } = &*entry(anylist, index)?;
            without_text(*code)?;
            args.add(offset).write(*value);
            type_codes.add(offset).write(*code);
        }
        Ok(())
    })
}

/// Gives up what an entry holds.
///
/// # Safety
/// The entry is what its code says.
unsafe fn empty(entry: *mut Entry) -> Result<()> {
    // SAFETY: the caller vouches for it; an array's handle lies in its object.
    unsafe {
        without_text((*entry).code)?;
        let pointer = (*entry).value.pointer();
        let object = match (*entry).code {
            kTVMObjectHandle | kTVMModuleHandle | kTVMPackedFuncHandle => pointer,
            kTVMNDArrayHandle => array::object_of(pointer),
            _ => ptr::null_mut(),
        };
        entry.write(Entry { value: TVMValue::ZERO, code: kTVMNullptr });
        drop(Ref::from_owned(object));
    }
    Ok(())
}

/// Empties an entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendAnyListResetItem(anylist: *mut c_void, index: c_int) -> c_int {
    // SAFETY: the caller passes a list with that entry.
    guard(|| unsafe { empty(entry(anylist, index)?) })
}

/// Moves a result into an entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMBackendAnyListMoveFromPackedReturn(
    anylist: *mut c_void,
    index: c_int,
    args: *mut TVMValue,
    type_codes: *mut c_int,
    ret_offset: c_int,
) -> c_int {
    guard(|| {
        let offset =
            usize::try_from(ret_offset).map_err(|_| Error::value(format!("there is no result {ret_offset}")))?;
        let (args, type_codes) = (required(args, "args")?, required(type_codes, "type_codes")?);
        // SAFETY: the caller passes a list with that entry and arrays with that place, and gives the result up.
        unsafe {
            let entry = entry(anylist, index)?;
            let moved = Value::of_moved(*args.add(offset), *type_codes.add(offset))?;
            empty(entry)?;
            let (value, code) = moved.deliver()?;
            entry.write(Entry { value, code });
        }
        Ok(())
    })
}
