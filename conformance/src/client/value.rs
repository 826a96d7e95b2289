//! Making values, owning them, and calling functions with them.

use std::{
    ffi::{c_int, c_void},
    fmt::Display,
};

use tvm_ffi_spec::*;

use crate::client::{connection::Client, guarded::GuardedBytes, header, owned::Answer, owned::Owned, verdict::Verdict};

/// Making and owning values.
impl Client {
    /// Takes over one strong reference to an object; NULL is an unmet expectation.
    pub fn own_object(&self, what: impl Display, handle: TVMFFIObjectHandle) -> Verdict<Owned> {
        self.that(what, !handle.is_null(), "an object", "NULL")?;
        let type_index = self.header(handle)?.type_index;
        Ok(self.own(TVMFFIAny::new(type_index, handle as u64)))
    }

    /// `TVMFFIStringFromByteArray`, expected to succeed.
    pub fn string(&self, text: &[u8]) -> Verdict<Owned> {
        let mut out = TVMFFIAny::NONE;
        self.ok(self.api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(text), &mut out))?;
        Ok(self.own(out))
    }

    /// `TVMFFIBytesFromByteArray`, expected to succeed.
    pub fn bytes(&self, bytes: &[u8]) -> Verdict<Owned> {
        let mut out = TVMFFIAny::NONE;
        self.ok(self.api.TVMFFIBytesFromByteArray(&TVMFFIByteArray::new(bytes), &mut out))?;
        Ok(self.own(out))
    }

    /// A copy of `bytes` of which nothing can be read beyond its end.
    pub fn guarded(&self, bytes: &[u8]) -> Verdict<GuardedBytes> {
        GuardedBytes::new(bytes).map_err(|problem| self.error("guarded memory", problem))
    }

    /// `TVMFFIErrorCreate`, expected to succeed.
    pub fn new_error(&self, kind: &str, message: &str, backtrace: &str) -> Verdict<Owned> {
        let [kind, message, backtrace] = [kind, message, backtrace].map(|text| TVMFFIByteArray::new(text.as_bytes()));
        let mut out = std::ptr::null_mut();
        self.ok(self.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut out))?;
        self.own_object("the new error", out)
    }

    /// `TVMFFIFunctionCreate`, expected to succeed.
    pub fn function(
        &self,
        this: *mut c_void,
        safe_call: TVMFFISafeCallType,
        deleter: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        let deleter = header::deleter_of_closure(deleter);
        self.ok(self.api.TVMFFIFunctionCreate(this, Some(safe_call), deleter, &mut out))?;
        self.own_object("the new function", out)
    }

    /// `TVMFFIObjectCreateOpaque` with the one type index it takes, expected to succeed. A library may insist on a deleter and on a
    /// handle that is not NULL.
    pub fn opaque(&self, handle: *mut c_void, deleter: unsafe extern "C" fn(*mut c_void)) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        self.ok(self.api.TVMFFIObjectCreateOpaque(handle, kTVMFFIOpaquePyObject, Some(deleter), &mut out))?;
        self.own_object("the new opaque object", out)
    }

    /// A global function, expected to be registered.
    pub fn global(&self, name: &str) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        self.ok(self.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut out))?;
        let found = self.own_object(format_args!("global function {name}"), out);
        found.map_err(|failure| if out.is_null() { failure.for_want_of(format!("global {name}")) } else { failure })
    }

    /// Calls a function object with views of `args` and expects success.
    pub fn call(&self, function: &Owned, args: &[TVMFFIAny]) -> Verdict<Owned> {
        let mut result = TVMFFIAny::NONE;
        self.ok(self.try_call(function, args, &mut result))?;
        Ok(self.own(result))
    }

    /// The same for one of very many calls, which leaves no breadcrumb.
    pub fn call_unnoted(&self, function: &Owned, args: &[TVMFFIAny]) -> Verdict<Owned> {
        let mut result = TVMFFIAny::NONE;
        self.ok(self.api.call_unnoted(function.handle(), args, &mut result))?;
        Ok(self.own(result))
    }

    /// Calls a function object with views of `args`; the status is the caller's to judge.
    pub fn try_call(&self, function: &Owned, args: &[TVMFFIAny], result: &mut TVMFFIAny) -> c_int {
        self.api.TVMFFIFunctionCall(function.handle(), args.as_ptr().cast_mut(), args.len() as i32, result)
    }

    /// What a global function answers, or the error it raises. That it is registered is expected.
    pub fn answer(&self, name: &str, args: &[TVMFFIAny]) -> Verdict<Answer> {
        self.answer_of(self.global(name)?.handle(), args)
    }

    /// What a function object answers, or the error it raises; that a failure raises one is expected.
    pub fn answer_of(&self, function: TVMFFIObjectHandle, args: &[TVMFFIAny]) -> Verdict<Answer> {
        let mut result = TVMFFIAny::NONE;
        match self.api.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), args.len() as i32, &mut result) {
            0 => Ok(Ok(self.own(result))),
            code => Ok(Err(self.raises(code, &[])?)),
        }
    }

    /// Looks a global function up and calls it, both expected to succeed.
    pub fn call_global(&self, name: &str, args: &[TVMFFIAny]) -> Verdict<Owned> {
        let function = self.global(name)?;
        self.call(&function, args)
    }

    /// Calls a global function that may answer or fail, but must return; what it answers is released.
    pub fn returns(&self, name: &str, args: &[TVMFFIAny]) -> Verdict {
        let mut result = TVMFFIAny::NONE;
        match self.try_call(&self.global(name)?, args, &mut result) {
            0 => drop(self.own(result)),
            code => drop(self.raises(code, &[])?),
        }
        Ok(())
    }
}

/// A result slot as a C caller may leave it: a plain value of that type, with every other byte set.
pub fn dirty(type_index: i32) -> TVMFFIAny {
    TVMFFIAny { aux: TVMFFIAnyAux { zero_padding: 0x5A5A_5A5A }, ..TVMFFIAny::new(type_index, 0xA5A5_A5A5_A5A5_A5A5) }
}

/// Views of plain values, for arguments.
pub mod view {
    use std::ffi::{CStr, c_void};

    use tvm_ffi_spec::*;

    /// An integer.
    pub fn int(value: i64) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIInt, value as u64)
    }

    /// A boolean.
    pub fn bool(value: bool) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIBool, value.into())
    }

    /// A double.
    pub fn float(value: f64) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIFloat, value.to_bits())
    }

    /// A pointer.
    pub fn pointer(value: *mut c_void) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIOpaquePtr, value as u64)
    }

    /// A C string; valid as long as `text`.
    pub fn c_str(text: &CStr) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64)
    }

    /// A byte array; valid as long as `array`.
    pub fn byte_array(array: &TVMFFIByteArray) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIByteArrayPtr, array as *const TVMFFIByteArray as u64)
    }

    /// A borrowed tensor; valid as long as `tensor`.
    pub fn dl_tensor(tensor: &DLTensor) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIDLTensorPtr, tensor as *const DLTensor as u64)
    }
}
