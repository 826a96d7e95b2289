//! Values: arguments as callers lend them, and results on their way to whoever called.

use std::{
    ffi::{CStr, c_int, c_void},
    slice,
};

use tvm_ffi_adapter::types::{TVMByteArray, TVMValue, code::*, index};
use tvm_ffi_spec::*;

use crate::{
    array,
    core::Any,
    dtype,
    error::{Error, Result},
    object::{Body, Ref},
    string::Text,
    text,
};

/// A value that this library holds.
pub enum Value {
    /// What needs no holding: the payload and the code, which may be one that nobody has named.
    Plain(TVMValue, c_int),
    /// An object, and the code that it goes with.
    Object(Ref, c_int),
    /// A text.
    Text(Any),
    /// Bytes.
    Bytes(Any),
}

impl Value {
    /// No value.
    pub const NONE: Self = Self::Plain(TVMValue::ZERO, kTVMNullptr);

    /// An integer.
    pub fn int(value: i64) -> Self {
        Self::Plain(TVMValue { v_int64: value }, kTVMArgInt)
    }

    /// A boolean.
    pub fn bool(value: bool) -> Self {
        Self::Plain(TVMValue { v_int64: value.into() }, kTVMArgBool)
    }

    /// An object with the code of its kind.
    pub fn object(object: Ref) -> Self {
        let code = match object.type_index() {
            index::MODULE => kTVMModuleHandle,
            index::NDARRAY => kTVMNDArrayHandle,
            index::PACKED_FUNC => kTVMPackedFuncHandle,
            _ => kTVMObjectHandle,
        };
        Self::Object(object, code)
    }

    /// A value of its own of what a caller lends: text and bytes are copied, objects retained. What an r-value reference refers to
    /// stays where it is.
    ///
    /// # Safety
    /// The value is what its code says.
    pub unsafe fn of_borrowed(value: TVMValue, code: c_int) -> Result<Self> {
        // SAFETY: the caller vouches for it.
        unsafe {
            Ok(match code {
                kTVMObjectHandle | kTVMModuleHandle | kTVMPackedFuncHandle => {
                    Ref::from_borrowed(value.pointer()).map_or(Self::NONE, |object| Self::Object(object, code))
                }
                kTVMNDArrayHandle => Ref::from_borrowed(array::object_of(value.pointer()))
                    .map_or(Self::NONE, |object| Self::Object(object, code)),
                kTVMObjectRValueRefArg => {
                    let place = value.pointer().cast::<*mut c_void>();
                    let object = if place.is_null() { None } else { Ref::from_borrowed(*place) };
                    object.map_or(Self::NONE, |object| Self::Object(object, kTVMObjectHandle))
                }
                kTVMStr if value.pointer().is_null() => return Err(Error::value("a text is NULL")),
                kTVMStr => Self::Text(Any::text(CStr::from_ptr(value.v_str).to_bytes())?),
                kTVMBytes => Self::Bytes(Any::bytes(bytes(value.pointer().cast())?)?),
                _ => Self::Plain(value, code),
            })
        }
    }

    /// What a function of a library answers: objects move here.
    ///
    /// # Safety
    /// The value is what its code says, and its owner gives it up.
    pub unsafe fn of_moved(value: TVMValue, code: c_int) -> Result<Self> {
        // SAFETY: the caller vouches for it.
        let object = |handle| unsafe { Ref::from_owned(handle) };
        let object = match code {
            kTVMObjectHandle | kTVMModuleHandle | kTVMPackedFuncHandle => object(value.pointer()),
            kTVMNDArrayHandle => object(array::object_of(value.pointer())),
            kTVMStr | kTVMBytes | kTVMObjectRValueRefArg => {
                let what = ["a text", "bytes", "", "an r-value reference"][(code - kTVMStr) as usize];
                return Err(Error::of_type(format!(
                    "a function of a library answered {what} (code {code}), whose memory nobody owns; it can answer a String \
                     object"
                )));
            }
            _ => return Ok(Self::Plain(value, code)),
        };
        Ok(object.map_or(Self::NONE, |object| Self::Object(object, code)))
    }

    /// Hands a result to whoever called: objects move, and what is text stays in the thread's buffer.
    pub fn deliver(self) -> Result<(TVMValue, c_int)> {
        Ok(match self {
            Self::Plain(value, kTVMDataType) => {
                // SAFETY: the code says that it is one.
                let name = dtype::name(unsafe { value.v_type })?;
                (TVMValue { v_str: text::keep(name.as_bytes()).0 }, kTVMStr)
            }
            Self::Plain(value, code) => (value, code),
            Self::Object(object, kTVMNDArrayHandle) => {
                (TVMValue::handle(array::handle_of(object.into_handle())), kTVMNDArrayHandle)
            }
            Self::Object(object, code) => (TVMValue::handle(object.into_handle()), code),
            Self::Text(text) => (TVMValue { v_str: text::keep(text.content().unwrap_or_default()).0 }, kTVMStr),
            Self::Bytes(bytes) => (TVMValue::handle(text::keep(bytes.content().unwrap_or_default()).1), kTVMBytes),
        })
    }

    /// The value as an element of one of the core's containers: objects go in as themselves.
    pub fn to_core(&self) -> Result<Any> {
        let plain = |index, bits: i64| {
            // SAFETY: a value without an object owns nothing.
            Ok(unsafe { Any::from_raw(TVMFFIAny::new(index, bits as u64)) })
        };
        match self {
            Self::Object(object, _) => object.to_core(),
            Self::Text(value) | Self::Bytes(value) => Ok(value.clone()),
            Self::Plain(value, kTVMArgInt) => plain(kTVMFFIInt, value.bits()),
            Self::Plain(value, kTVMArgBool) => plain(kTVMFFIBool, value.bits()),
            Self::Plain(value, kTVMArgFloat) => plain(kTVMFFIFloat, value.bits()),
            Self::Plain(value, kTVMOpaqueHandle) => plain(kTVMFFIOpaquePtr, value.bits()),
            Self::Plain(_, kTVMNullptr) => plain(kTVMFFINone, 0),
            Self::Plain(value, kDLDevice) => plain(kTVMFFIDevice, value.bits()),
            Self::Plain(_, code) => {
                Err(Error::of_type(format!("a value of code {code} cannot be kept in a container")))
            }
        }
    }

    /// An element of one of the core's containers: texts come out as String objects. `F` is what functions are.
    pub fn of_core<F: Body>(value: &Any) -> Result<Self> {
        let raw = value.view();
        let plain = |code| Ok(Self::Plain(TVMValue { v_int64: raw.payload() as i64 }, code));
        match raw.type_index {
            kTVMFFIInt => plain(kTVMArgInt),
            kTVMFFIBool => plain(kTVMArgBool),
            kTVMFFIFloat => plain(kTVMArgFloat),
            kTVMFFIOpaquePtr => plain(kTVMOpaqueHandle),
            kTVMFFINone => Ok(Self::NONE),
            kTVMFFIDevice => plain(kDLDevice),
            kTVMFFISmallStr | kTVMFFIStr => Ok(Self::object(Text::object(value.clone()))),
            kTVMFFISmallBytes | kTVMFFIBytes => Ok(Self::Bytes(value.clone())),
            other => match Ref::of_core::<F>(value) {
                Some(object) => Ok(Self::object(object)),
                None => Err(Error::of_type(format!("a value of today's type {other} has no form in this generation"))),
            },
        }
    }
}

/// A span that a caller lends.
///
/// # Safety
/// It is NULL, or a span over readable bytes.
unsafe fn bytes<'a>(span: *const TVMByteArray) -> Result<&'a [u8]> {
    // SAFETY: the caller vouches for it.
    unsafe {
        match span.as_ref() {
            None => Err(Error::value("bytes are NULL")),
            Some(TVMByteArray { size: 0, .. }) => Ok(&[]),
            Some(TVMByteArray { data, .. }) if data.is_null() => Err(Error::value("bytes have a size, and no data")),
            Some(TVMByteArray { data, size }) => Ok(slice::from_raw_parts(data.cast(), *size)),
        }
    }
}

/// The arguments of a call, in the caller's own arrays.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    values: &'a [TVMValue],
    codes: &'a [c_int],
}

impl<'a> Args<'a> {
    /// The arguments in two arrays.
    ///
    /// # Safety
    /// Both arrays have `count` elements, and each value is what its code says during `'a`.
    pub unsafe fn new(values: *const TVMValue, codes: *const c_int, count: c_int) -> Self {
        let Some(count) = usize::try_from(count).ok().filter(|count| *count > 0) else {
            return Self { values: &[], codes: &[] };
        };
        // SAFETY: the caller vouches for the arrays.
        unsafe { Self { values: slice::from_raw_parts(values, count), codes: slice::from_raw_parts(codes, count) } }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// One of them, kept.
    pub fn value(&self, index: usize) -> Result<Value> {
        match (self.values.get(index), self.codes.get(index)) {
            // SAFETY: whoever made the arguments vouched for them.
            (Some(value), Some(code)) => unsafe { Value::of_borrowed(*value, *code) },
            _ => Err(Error::of_type(format!("there are {} arguments, and one more is needed", self.len()))),
        }
    }

    /// An integer.
    pub fn int(&self, index: usize) -> Result<i64> {
        match self.value(index)? {
            Value::Plain(value, kTVMArgInt | kTVMArgBool) => Ok(value.bits()),
            other => Err(unexpected(index, "an integer", &other)),
        }
    }

    /// A text: as such, or in a String object.
    pub fn text(&self, index: usize) -> Result<Vec<u8>> {
        match &self.value(index)? {
            Value::Text(text) => Ok(text.content().unwrap_or_default().to_vec()),
            Value::Object(object, _) if object.body::<Text>().is_some() => {
                Ok(object.body::<Text>().map(Text::content).unwrap_or_default().to_vec())
            }
            other => Err(unexpected(index, "a text", other)),
        }
    }

    /// An object. One that the caller lets go of moves here, and its variable is then NULL.
    pub fn object(&self, index: usize) -> Result<Ref> {
        match self.value(index)? {
            Value::Object(object, _) => {
                if self.codes[index] == kTVMObjectRValueRefArg {
                    let place = self.values[index].pointer().cast::<*mut c_void>();
                    // SAFETY: the code says that this is the variable of a handle; the reference in it is given up.
                    unsafe { drop(Ref::from_owned(place.replace(std::ptr::null_mut()))) };
                }
                Ok(object)
            }
            other => Err(unexpected(index, "an object", &other)),
        }
    }
}

/// An argument of the wrong kind.
fn unexpected(index: usize, wanted: &str, found: &Value) -> Error {
    let code = match found {
        Value::Plain(_, code) | Value::Object(_, code) => *code,
        Value::Text(_) => kTVMStr,
        Value::Bytes(_) => kTVMBytes,
    };
    Error::of_type(format!("argument {index} has to be {wanted}, and has the type code {code}"))
}
