//! Values of the legacy generation as values of today's.

use std::{
    ffi::{CStr, c_int, c_void},
    ptr, slice,
};

use tvm_ffi_spec::*;

use crate::{
    call::Adapter,
    dtype,
    problem::{Problem, Result},
    types::{StringObject, TVMByteArray, TVMValue, code::*, index},
    wrapped,
};

/// How deep containers may lie in containers.
const DEEPEST: usize = 200;

/// A value for a call, and what it needs while the call runs.
pub(crate) struct Argument<'a> {
    pub value: TVMFFIAny,
    adapter: &'a Adapter,
    is_owned: bool,
    /// A tensor whose data type had to be numbered anew.
    _tensor: Option<Box<DLTensor>>,
}

impl Drop for Argument<'_> {
    fn drop(&mut self) {
        if self.is_owned {
            self.adapter.drop_ffi(self.value);
        }
    }
}

impl Adapter {
    /// Gives up a value.
    pub(crate) fn drop_ffi(&self, value: TVMFFIAny) {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            // SAFETY: the caller owns the reference that the value stands for.
            unsafe { (self.ffi.TVMFFIObjectDecRef)(value.payload() as *mut c_void) };
        }
    }

    /// An argument: what is plain or text is lent, the rest is made.
    pub(crate) fn argument_to_ffi(&'static self, value: TVMValue, code: c_int) -> Result<Argument<'static>> {
        let lent = |value| Argument { value, adapter: self, is_owned: false, _tensor: None };
        match code {
            kTVMStr if !value.pointer().is_null() => Ok(lent(TVMFFIAny::new(kTVMFFIRawStr, value.bits() as u64))),
            kTVMBytes if !value.pointer().is_null() => {
                Ok(lent(TVMFFIAny::new(kTVMFFIByteArrayPtr, value.bits() as u64)))
            }
            kTVMDLTensorHandle if !value.pointer().is_null() => {
                // SAFETY: the caller passes a tensor.
                let mut tensor = unsafe { *value.pointer().cast::<DLTensor>() };
                let before = tensor.dtype;
                tensor.dtype = dtype::to_ffi(before)?;
                if (tensor.dtype.code, tensor.dtype.bits) == (before.code, before.bits) {
                    return Ok(lent(TVMFFIAny::new(kTVMFFIDLTensorPtr, value.bits() as u64)));
                }
                let tensor = Box::new(tensor);
                let value = TVMFFIAny::new(kTVMFFIDLTensorPtr, (&raw const *tensor) as u64);
                Ok(Argument { value, adapter: self, is_owned: false, _tensor: Some(tensor) })
            }
            _ => {
                // SAFETY: the caller passes what the code says.
                let value = unsafe { self.owned_ffi(value, code, 0) }?;
                Ok(Argument { value, adapter: self, is_owned: true, _tensor: None })
            }
        }
    }

    /// A result, which moves here.
    ///
    /// # Safety
    /// The value is what its code says, and the caller gives it up.
    pub(crate) unsafe fn result_to_ffi(&'static self, value: TVMValue, code: c_int) -> Result<TVMFFIAny> {
        // SAFETY: the caller vouches for it.
        unsafe {
            let made = self.owned_ffi(value, code, 0);
            self.drop_legacy(value, code);
            made
        }
    }

    /// Gives up a result of a legacy function.
    ///
    /// # Safety
    /// The value is what its code says, and the caller gives it up.
    pub(crate) unsafe fn drop_legacy(&self, value: TVMValue, code: c_int) {
        // SAFETY: the caller vouches for it.
        unsafe {
            match code {
                kTVMObjectHandle | kTVMModuleHandle | kTVMPackedFuncHandle => {
                    (self.legacy.TVMObjectFree)(value.pointer());
                }
                kTVMNDArrayHandle if !value.pointer().is_null() => {
                    (self.legacy.TVMArrayFree)(value.pointer().cast());
                }
                _ => {}
            }
        }
    }

    /// A value that owns what it holds.
    ///
    /// # Safety
    /// The value is what its code says.
    unsafe fn owned_ffi(&'static self, value: TVMValue, code: c_int, depth: usize) -> Result<TVMFFIAny> {
        let plain = |index| Ok(TVMFFIAny::new(index, value.bits() as u64));
        // SAFETY: the caller vouches for it.
        unsafe {
            match code {
                kTVMArgInt => plain(kTVMFFIInt),
                kTVMArgBool => Ok(TVMFFIAny::new(kTVMFFIBool, (value.bits() != 0).into())),
                kTVMArgFloat => plain(kTVMFFIFloat),
                kTVMOpaqueHandle => plain(kTVMFFIOpaquePtr),
                kTVMNullptr => Ok(TVMFFIAny::NONE),
                kDLDevice => plain(kTVMFFIDevice),
                kTVMDataType => {
                    let mut any = TVMFFIAny::new(kTVMFFIDataType, 0);
                    any.value.v_dtype = dtype::to_ffi(value.v_type)?;
                    Ok(any)
                }
                kTVMStr if value.pointer().is_null() => Err(Problem::of_type("a legacy text is NULL")),
                kTVMStr => self.text(CStr::from_ptr(value.v_str).to_bytes()),
                kTVMBytes if value.pointer().is_null() => Err(Problem::of_type("legacy bytes are NULL")),
                kTVMBytes => {
                    let TVMByteArray { data, size } = *value.pointer().cast::<TVMByteArray>();
                    let span = TVMFFIByteArray { data, size };
                    self.made(|out| (self.ffi.TVMFFIBytesFromByteArray)(&span, out))
                }
                _ if value.pointer().is_null() && (kTVMDLTensorHandle..=kTVMObjectRValueRefArg).contains(&code) => {
                    Ok(TVMFFIAny::NONE)
                }
                kTVMDLTensorHandle => {
                    let dtype = (*value.pointer().cast::<DLTensor>()).dtype;
                    let today = dtype::to_ffi(dtype)?;
                    if (today.code, today.bits) != (dtype.code, dtype.bits) {
                        return Err(Problem::of_type(
                            "a borrowed legacy tensor whose data type is numbered otherwise today cannot be kept",
                        ));
                    }
                    plain(kTVMFFIDLTensorPtr)
                }
                kTVMNDArrayHandle => self.tensor(value.pointer().cast()),
                kTVMPackedFuncHandle => self.to_ffi(value.pointer()).map(|object| object_of(kTVMFFIFunction, object)),
                kTVMModuleHandle => self.wrapped(value.pointer(), code),
                kTVMObjectHandle => self.object(value.pointer(), depth),
                kTVMObjectRValueRefArg => match *value.pointer().cast::<*mut c_void>() {
                    object if object.is_null() => Ok(TVMFFIAny::NONE),
                    object => self.object(object, depth),
                },
                _ => Err(Problem::of_type(format!("the legacy type code {code} has no form in TVM FFI"))),
            }
        }
    }

    /// # Safety
    /// `object` is a live legacy object.
    unsafe fn object(&'static self, object: *mut c_void, depth: usize) -> Result<TVMFFIAny> {
        if depth > DEEPEST {
            return Err(Problem::of_type(format!("containers lie more than {DEEPEST} deep in one another")));
        }
        let mut type_index = 0;
        // SAFETY: the caller vouches for the object.
        unsafe {
            self.failed(|| (self.legacy.TVMObjectGetTypeIndex)(object, &mut type_index))?;
            match type_index {
                index::MODULE => self.wrapped(object, kTVMModuleHandle),
                index::STRING => {
                    let text = &*object.cast::<StringObject>();
                    let content = match text.size {
                        0 => &[],
                        size => slice::from_raw_parts(text.data.cast::<u8>(), size as usize),
                    };
                    self.text(content)
                }
                index::PACKED_FUNC => self.to_ffi(object).map(|object| object_of(kTVMFFIFunction, object)),
                index::ARRAY => {
                    let items = self.items(object, c"runtime.ArraySize", c"runtime.ArrayGetItem", depth)?;
                    self.collect("ffi.Array", items)
                }
                index::SHAPE_TUPLE => {
                    let (size, item) = (c"runtime.GetShapeTupleSize", c"runtime.GetShapeTupleElem");
                    let items = self.items(object, size, item, depth)?;
                    self.collect("ffi.Shape", items)
                }
                index::MAP => {
                    let (items, code) = self.call_with(c"runtime.MapItems", object, None)?;
                    let pairs = self.items(items.pointer(), c"runtime.ArraySize", c"runtime.ArrayGetItem", depth);
                    self.drop_legacy(items, code);
                    self.collect("ffi.Map", pairs?)
                }
                _ => self.wrapped(object, kTVMObjectHandle),
            }
        }
    }

    /// Calls a global function of the legacy library with an object and perhaps a number.
    ///
    /// # Safety
    /// The object is alive.
    unsafe fn call_with(&self, name: &CStr, object: *mut c_void, number: Option<i64>) -> Result<(TVMValue, c_int)> {
        let mut values = [TVMValue::handle(object), TVMValue { v_int64: number.unwrap_or(0) }];
        let mut codes = [kTVMObjectHandle, kTVMArgInt];
        let count = 1 + usize::from(number.is_some());
        // SAFETY: the caller vouches for the object.
        unsafe { self.call_global(name, &mut values[..count], &mut codes[..count]) }
    }

    /// The items of a legacy container, by the names of the functions that count and answer them.
    ///
    /// # Safety
    /// The object is alive.
    unsafe fn items(&'static self, object: *mut c_void, size: &CStr, item: &CStr, depth: usize) -> Result<Items> {
        let mut items = Items { adapter: self, values: Vec::new() };
        // SAFETY: the caller vouches for the object; what is answered is given up here.
        unsafe {
            let (count, _) = self.call_with(size, object, None)?;
            for number in 0..count.bits() {
                let (value, code) = self.call_with(item, object, Some(number))?;
                let made = self.owned_ffi(value, code, depth + 1);
                self.drop_legacy(value, code);
                items.values.push(made?);
            }
        }
        Ok(items)
    }

    /// A container of today's, made by the global function of that name.
    fn collect(&self, name: &str, items: Items) -> Result<TVMFFIAny> {
        let span = TVMFFIByteArray { data: name.as_ptr().cast(), size: name.len() };
        let mut function = ptr::null_mut();
        // SAFETY: the name is readable, the items are alive, and the function is given up at the end.
        unsafe {
            self.raised((self.ffi.TVMFFIFunctionGetGlobal)(&span, &mut function))?;
            if function.is_null() {
                return Err(Problem::of_type(format!("the library of TVM FFI has no {name}, which this value needs")));
            }
            let mut values = items.values.clone();
            let (first, count) = (values.as_mut_ptr(), values.len() as i32);
            let made = self.made(|out| (self.ffi.TVMFFIFunctionCall)(function, first, count, out));
            (self.ffi.TVMFFIObjectDecRef)(function);
            made
        }
    }

    /// A value that a function of today's makes.
    fn made(&self, make: impl FnOnce(*mut TVMFFIAny) -> c_int) -> Result<TVMFFIAny> {
        let mut out = TVMFFIAny::NONE;
        let code = make(&mut out);
        self.raised(code).map(|()| out)
    }

    fn text(&self, content: &[u8]) -> Result<TVMFFIAny> {
        let span = TVMFFIByteArray { data: content.as_ptr().cast(), size: content.len() };
        // SAFETY: the span is readable.
        self.made(|out| unsafe { (self.ffi.TVMFFIStringFromByteArray)(&span, out) })
    }

    /// A tensor over an array, which the tensor keeps alive.
    ///
    /// # Safety
    /// `array` is a live legacy array.
    unsafe fn tensor(&self, array: *mut DLTensor) -> Result<TVMFFIAny> {
        let (mut managed, mut tensor) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the caller vouches for the array; an export that is not taken over is given back.
        unsafe {
            let dtype = dtype::to_ffi((*array).dtype)?;
            self.failed(|| (self.legacy.TVMArrayToDLPack)(array, &mut managed))?;
            (*managed).dl_tensor.dtype = dtype;
            let taken = self.raised((self.ffi.TVMFFITensorFromDLPack)(managed, 0, 0, &mut tensor));
            if taken.is_err()
                && let Some(deleter) = (*managed).deleter
            {
                deleter(managed);
            }
            taken.map(|()| object_of(kTVMFFITensor, tensor))
        }
    }

    /// A legacy object as an opaque one, which holds a reference.
    ///
    /// # Safety
    /// `object` is a live legacy object.
    unsafe fn wrapped(&self, object: *mut c_void, code: c_int) -> Result<TVMFFIAny> {
        let kept = wrapped::keep(object, code, self.legacy.TVMObjectFree);
        let mut out = ptr::null_mut();
        // SAFETY: the object is alive; the deleter gives up the reference.
        unsafe {
            (self.legacy.TVMObjectRetain)(object);
            let create = self.ffi.TVMFFIObjectCreateOpaque;
            let made = self.raised(create(kept, kTVMFFIOpaquePyObject, Some(wrapped::end), &mut out));
            if made.is_err() {
                wrapped::end(kept);
            }
            made.map(|()| object_of(kTVMFFIOpaquePyObject, out))
        }
    }
}

fn object_of(type_index: i32, object: TVMFFIObjectHandle) -> TVMFFIAny {
    TVMFFIAny::new(type_index, object as u64)
}

/// Values that are given up together.
struct Items {
    adapter: &'static Adapter,
    values: Vec<TVMFFIAny>,
}

impl Drop for Items {
    fn drop(&mut self) {
        self.values.drain(..).for_each(|value| self.adapter.drop_ffi(value));
    }
}
