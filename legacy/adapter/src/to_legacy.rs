//! Values of today's as values of the legacy generation.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    ptr, slice,
};

use tvm_ffi_spec::*;

use crate::{
    call::Adapter,
    dtype,
    problem::{Problem, Result},
    types::{TVMByteArray, TVMValue, code::*},
    wrapped,
};

/// How deep containers may lie in containers.
const DEEPEST: usize = 200;

/// What an argument lives from while the call runs.
enum Keeps {
    Nothing,
    Text {
        _text: CString,
    },
    Bytes {
        _content: Box<[u8]>,
        _span: Box<TVMByteArray>,
    },
    /// A tensor whose data type had to be numbered anew.
    Tensor {
        _tensor: Box<DLTensor>,
    },
    /// A value of the legacy library, to be given up.
    Made,
    /// An object of today's library that was moved here.
    Moved {
        _value: Box<Argument>,
        object: TVMFFIObjectHandle,
    },
}

/// An argument for a call.
pub(crate) struct Argument {
    pub value: TVMValue,
    pub code: c_int,
    adapter: &'static Adapter,
    keeps: Keeps,
}

impl Drop for Argument {
    fn drop(&mut self) {
        match &self.keeps {
            // SAFETY: the value was made for this argument.
            Keeps::Made => unsafe { self.adapter.drop_legacy(self.value, self.code) },
            Keeps::Moved { object, .. } => self.adapter.drop_ffi(TVMFFIAny::new(kTVMFFIObject, *object as u64)),
            _ => {}
        }
    }
}

impl Adapter {
    /// An argument, which lives as long as what is answered.
    pub(crate) fn argument_to_legacy(&'static self, any: &TVMFFIAny) -> Result<Argument> {
        self.argument(any, 0)
    }

    fn argument(&'static self, any: &TVMFFIAny, depth: usize) -> Result<Argument> {
        let argument = |value, code, keeps| Ok(Argument { value, code, adapter: self, keeps });
        let bits = TVMValue { v_int64: any.payload() as i64 };
        let plain = |code| argument(bits, code, Keeps::Nothing);
        // SAFETY: the caller passes a live value, which is what its type index says.
        unsafe {
            let object = any.payload() as *mut TVMFFIObject;
            match any.type_index {
                kTVMFFINone => argument(TVMValue::ZERO, kTVMNullptr, Keeps::Nothing),
                kTVMFFIInt => plain(kTVMArgInt),
                kTVMFFIBool => plain(self.bool_code()),
                kTVMFFIFloat => plain(kTVMArgFloat),
                kTVMFFIOpaquePtr => plain(kTVMOpaqueHandle),
                kTVMFFIDevice => plain(kDLDevice),
                kTVMFFIDataType => {
                    let mut value = TVMValue::ZERO;
                    value.v_type = dtype::to_legacy(any.value.v_dtype)?;
                    argument(value, kTVMDataType, Keeps::Nothing)
                }
                kTVMFFIRawStr => plain(kTVMStr),
                kTVMFFIByteArrayPtr => plain(kTVMBytes),
                kTVMFFIDLTensorPtr if any.payload() == 0 => plain(kTVMDLTensorHandle),
                kTVMFFIDLTensorPtr => self.tensor_argument(any.payload() as *mut DLTensor),
                kTVMFFITensor => self.tensor_argument(object.add(1).cast()),
                kTVMFFISmallStr | kTVMFFIStr => {
                    let text = CString::new(content(any)).map_err(|_| {
                        Problem::of_type(
                            "a text with a NUL in it cannot be passed to a legacy function, where texts end with one",
                        )
                    })?;
                    argument(TVMValue { v_str: text.as_ptr() }, kTVMStr, Keeps::Text { _text: text })
                }
                kTVMFFISmallBytes | kTVMFFIBytes => {
                    let content: Box<[u8]> = content(any).into();
                    let span = Box::new(TVMByteArray { data: content.as_ptr().cast(), size: content.len() });
                    let value = TVMValue::handle((&raw const *span).cast_mut().cast());
                    argument(value, kTVMBytes, Keeps::Bytes { _content: content, _span: span })
                }
                kTVMFFIFunction => {
                    let function = self.to_legacy(object.cast())?;
                    argument(TVMValue::handle(function), kTVMPackedFuncHandle, Keeps::Made)
                }
                kTVMFFIOpaquePyObject => {
                    let handle = (*object.add(1).cast::<TVMFFIOpaqueObjectCell>()).handle;
                    match wrapped::find(handle) {
                        Some((object, code)) => argument(TVMValue::handle(object), code, Keeps::Nothing),
                        None => Err(without_form(any)),
                    }
                }
                kTVMFFIShape => {
                    let cell = &*object.add(1).cast::<TVMFFIShapeCell>();
                    let extents = if cell.size == 0 { &[] } else { slice::from_raw_parts(cell.data, cell.size) };
                    let extents: Vec<_> =
                        extents.iter().map(|extent| TVMFFIAny::new(kTVMFFIInt, *extent as u64)).collect();
                    self.made_of(c"runtime.ShapeTuple", &extents, depth)
                }
                kTVMFFIArray => {
                    let cell = &*object.add(1).cast::<TVMFFISeqCell>();
                    let items = match cell.size as usize {
                        0 => &[],
                        size => slice::from_raw_parts(cell.data.cast::<TVMFFIAny>(), size),
                    };
                    self.made_of(c"runtime.Array", items, depth)
                }
                kTVMFFIMap => {
                    let pairs = self.pairs(*any)?;
                    let made = self.made_of(c"runtime.Map", &pairs, depth);
                    pairs.into_iter().for_each(|value| self.drop_ffi(value));
                    made
                }
                kTVMFFIObjectRValueRef => {
                    let place = any.payload() as *mut TVMFFIObjectHandle;
                    let object = *place;
                    if object.is_null() {
                        return argument(TVMValue::ZERO, kTVMNullptr, Keeps::Nothing);
                    }
                    let index = (*object.cast::<TVMFFIObject>()).type_index;
                    let inner = Box::new(self.argument(&TVMFFIAny::new(index, object as u64), depth)?);
                    *place = ptr::null_mut();
                    argument(inner.value, inner.code, Keeps::Moved { _value: inner, object })
                }
                _ => Err(without_form(any)),
            }
        }
    }

    /// A tensor that is lent, with its data type numbered anew where that is needed.
    ///
    /// # Safety
    /// `tensor` is alive.
    unsafe fn tensor_argument(&'static self, tensor: *mut DLTensor) -> Result<Argument> {
        let code = kTVMDLTensorHandle;
        // SAFETY: the caller vouches for it.
        let mut copy = Box::new(unsafe { *tensor });
        let before = copy.dtype;
        copy.dtype = dtype::to_legacy(before)?;
        let (handle, keeps): (*mut DLTensor, _) = if (copy.dtype.code, copy.dtype.bits) == (before.code, before.bits) {
            (tensor, Keeps::Nothing)
        } else {
            (&raw mut *copy, Keeps::Tensor { _tensor: copy })
        };
        Ok(Argument { value: TVMValue::handle(handle.cast()), code, adapter: self, keeps })
    }

    /// What a global function of the legacy library makes of some values.
    fn made_of(&'static self, name: &CStr, items: &[TVMFFIAny], depth: usize) -> Result<Argument> {
        if depth > DEEPEST {
            return Err(Problem::of_type(format!("containers lie more than {DEEPEST} deep in one another")));
        }
        let items = items.iter().map(|item| self.element(item, depth + 1)).collect::<Result<Vec<_>>>()?;
        let mut values: Vec<_> = items.iter().map(|item| item.value).collect();
        let mut codes: Vec<_> = items.iter().map(|item| item.code).collect();
        // SAFETY: the items are alive.
        let (value, code) = unsafe { self.call_global(name, &mut values, &mut codes) }?;
        Ok(Argument { value, code, adapter: self, keeps: Keeps::Made })
    }

    /// A value that a container keeps: a tensor is an array there, and a text a String object.
    fn element(&'static self, any: &TVMFFIAny, depth: usize) -> Result<Argument> {
        let made = match any.type_index {
            kTVMFFITensor => self.array(any.payload() as TVMFFIObjectHandle)?,
            kTVMFFISmallStr | kTVMFFIStr | kTVMFFIRawStr => {
                let text = self.argument(any, depth)?;
                // SAFETY: the text is alive.
                unsafe { self.call_global(c"runtime.String", &mut [text.value], &mut [text.code]) }?
            }
            _ => return self.argument(any, depth),
        };
        Ok(Argument { value: made.0, code: made.1, adapter: self, keeps: Keeps::Made })
    }

    /// An array over a tensor, which the array keeps alive.
    fn array(&self, tensor: TVMFFIObjectHandle) -> Result<(TVMValue, c_int)> {
        let (mut managed, mut array) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the tensor is alive; an export that is not taken over is given back.
        unsafe {
            self.raised((self.ffi.TVMFFITensorToDLPack)(tensor, &mut managed))?;
            let taken = dtype::to_legacy((*managed).dl_tensor.dtype).and_then(|dtype| {
                (*managed).dl_tensor.dtype = dtype;
                self.failed(|| (self.legacy.TVMArrayFromDLPack)(managed, &mut array))
            });
            if taken.is_err()
                && let Some(deleter) = (*managed).deleter
            {
                deleter(managed);
            }
            taken.map(|()| (TVMValue::handle(array.cast()), kTVMNDArrayHandle))
        }
    }

    /// Keys and values of a Map, one after the other, owned.
    fn pairs(&self, map: TVMFFIAny) -> Result<Vec<TVMFFIAny>> {
        let call = |function: TVMFFIObjectHandle, mut args: Vec<TVMFFIAny>| {
            let mut out = TVMFFIAny::NONE;
            // SAFETY: function and arguments are alive.
            let code =
                unsafe { (self.ffi.TVMFFIFunctionCall)(function, args.as_mut_ptr(), args.len() as i32, &mut out) };
            self.raised(code).map(|()| out)
        };
        let step = |number: i64| vec![TVMFFIAny::new(kTVMFFIInt, number as u64)];
        let name = "ffi.MapForwardIterFunctor";
        let span = TVMFFIByteArray { data: name.as_ptr().cast(), size: name.len() };
        let mut iterate = ptr::null_mut();
        // SAFETY: the name is readable.
        self.raised(unsafe { (self.ffi.TVMFFIFunctionGetGlobal)(&span, &mut iterate) })?;
        if iterate.is_null() {
            return Err(Problem::of_type(format!("the library of TVM FFI has no {name}, which this value needs")));
        }
        let count = |map: TVMFFIAny| {
            // SAFETY: the size of a Map is the second word behind its header.
            unsafe { *(map.payload() as *const TVMFFIObject).add(1).cast::<u64>().add(1) }
        };
        let mut pairs = Vec::new();
        let cursor = call(iterate, vec![map]);
        // SAFETY: the function is owned.
        unsafe { (self.ffi.TVMFFIObjectDecRef)(iterate) };
        let cursor = cursor?;
        let mut walk = || -> Result<()> {
            for number in 0..count(map) {
                if number > 0 {
                    call(cursor.payload() as _, step(2))?;
                }
                pairs.push(call(cursor.payload() as _, step(0))?);
                pairs.push(call(cursor.payload() as _, step(1))?);
            }
            Ok(())
        };
        let done = walk();
        self.drop_ffi(cursor);
        match done {
            Ok(()) => Ok(pairs),
            Err(problem) => {
                pairs.into_iter().for_each(|value| self.drop_ffi(value));
                Err(problem)
            }
        }
    }

    /// Hands a result, which moves here, to the caller of a legacy function.
    ///
    /// # Safety
    /// `result` is what the callback that runs was given.
    pub(crate) unsafe fn return_to_legacy(&'static self, answer: TVMFFIAny, result: *mut c_void) -> Result<()> {
        let made = match answer.type_index {
            kTVMFFITensor => self.element(&answer, 0),
            _ => self.argument(&answer, 0),
        };
        let given = made.and_then(|mut made| {
            if let Keeps::Tensor { .. } = made.keeps {
                return Err(Problem::of_type(
                    "a borrowed tensor whose data type the legacy generation numbers otherwise cannot be kept",
                ));
            }
            // What is set is retained or copied.
            let (value, code) = (&raw mut made.value, &raw mut made.code);
            // SAFETY: the caller vouches for `result`.
            self.failed(|| unsafe { (self.legacy.TVMCFuncSetReturn)(result, value, code, 1) })
        });
        self.drop_ffi(answer);
        given
    }
}

/// The bytes of a text or of bytes in either form.
///
/// # Safety
/// The value is alive, and one of these.
unsafe fn content(any: &TVMFFIAny) -> &[u8] {
    // SAFETY: a small one lies in the payload, any other in an object whose span lies behind its header.
    unsafe {
        match any.type_index {
            kTVMFFISmallStr | kTVMFFISmallBytes => {
                slice::from_raw_parts((&raw const any.value).cast(), any.aux_word() as usize)
            }
            _ => {
                let span = &*(any.payload() as *const TVMFFIObject).add(1).cast::<TVMFFIByteArray>();
                if span.size == 0 { &[] } else { slice::from_raw_parts(span.data.cast(), span.size) }
            }
        }
    }
}

fn without_form(any: &TVMFFIAny) -> Problem {
    Problem::of_type(format!("a value of the type index {} has no form in the legacy generation", any.type_index))
}
