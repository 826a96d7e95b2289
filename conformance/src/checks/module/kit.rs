//! What checks of modules work with.

use std::{
    ffi::{c_int, c_void},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, memory, text_of, view},
    trial::Trial,
};

/// How symbols of functions begin, twice that, and parts of it: none of these begins the name of a function.
pub const SYMBOLS_BEGIN: [&str; 6] = ["__tvm_ffi_", "__tvm_ffi___tvm_ffi_", "__tvm_ffi", "_tvm_ffi_", "tvm_ffi_", "_"];

static FAREWELLS: AtomicI32 = AtomicI32::new(0);

/// The module of `farewell.so`, which counts for [`unloads`].
pub fn watched(t: &Trial) -> Verdict<Owned> {
    let module = t.load("farewell.so")?;
    tell_to_watch(t, &t.function_of(&module, c"watch")?)?;
    Ok(module)
}

/// Tells `farewell.so` by its function `watch` to count for [`unloads`].
pub fn tell_to_watch(t: &Trial, function: &Owned) -> Verdict {
    t.call(function, &[view::pointer(FAREWELLS.as_ptr().cast())]).map(drop)
}

/// How often `farewell.so` was unloaded.
pub fn unloads() -> i32 {
    FAREWELLS.load(Ordering::SeqCst)
}

/// The context that a library got when it was loaded, as its function `context` answers it.
pub fn context_of(t: &Trial, module: &Owned) -> Verdict<TVMFFIAny> {
    Ok(t.call_of(module, c"context", &[])?.any())
}

/// Five floats in host memory.
pub struct Floats {
    pub data: [f32; 5],
    shape: [i64; 1],
    strides: [i64; 1],
}

impl Floats {
    pub fn new(data: [f32; 5]) -> Self {
        Self { data, shape: [5], strides: [1] }
    }

    pub fn tensor(&mut self) -> DLTensor {
        DLTensor {
            data: self.data.as_mut_ptr().cast(),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: 1,
            dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
            shape: self.shape.as_mut_ptr(),
            strides: self.strides.as_mut_ptr(),
            byte_offset: 0,
        }
    }

    pub fn managed(&mut self) -> DLManagedTensor {
        DLManagedTensor { dl_tensor: self.tensor(), manager_ctx: std::ptr::null_mut(), deleter: None }
    }
}

/// A function of the client that notes the texts it is given and always returns the same object.
pub struct Host {
    answer: TVMFFIAny,
    retain: unsafe extern "C" fn(TVMFFIObjectHandle) -> c_int,
    seen: Mutex<Vec<Option<Vec<u8>>>>,
}

impl Host {
    /// A host that returns `answer`, which must outlive it. It is never freed: the target may keep the function.
    pub fn new(t: &Trial, answer: TVMFFIAny) -> Verdict<&'static Self> {
        let retain = t.api.table().TVMFFIObjectIncRef;
        let retain = retain.ok_or_else(|| t.failure("TVMFFIObjectIncRef", "a function", "NULL"))?;
        Ok(Box::leak(Box::new(Self { answer, retain, seen: Mutex::new(Vec::new()) })))
    }

    /// Registers the function under a new global name.
    pub fn register(&'static self, t: &Trial, name: &str) -> Verdict {
        self.set_global(t, name, 0)
    }

    /// Registers the function in place of another global one.
    pub fn register_instead(&'static self, t: &Trial, name: &str) -> Verdict {
        self.set_global(t, name, 1)
    }

    fn set_global(&'static self, t: &Trial, name: &str, override_: c_int) -> Verdict {
        let function = t.function((&raw const *self).cast_mut().cast(), Self::call, None)?;
        t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), function.handle(), override_))
    }

    /// The texts that the function was given so far, `None` for what is no text.
    pub fn seen(&self) -> Vec<Option<String>> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().map(|text| text.as_ref().map(|bytes| bytes.escape_ascii().to_string())).collect()
    }

    unsafe extern "C" fn call(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the function was created with a `Host` that stays for good.
        let host = unsafe { &*this.cast::<Self>() };
        let texts = (0..count as usize).map(|index| memory::read(args.wrapping_add(index)).and_then(content));
        host.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(texts);
        // SAFETY: the answer is alive as long as the host is asked; the result may be overwritten.
        unsafe {
            (host.retain)(host.answer.payload() as TVMFFIObjectHandle);
            result.write(host.answer);
        }
        0
    }
}

/// Texts as [`Host::seen`] shows them.
pub fn texts(texts: &[&[u8]]) -> Vec<Option<String>> {
    texts.iter().map(|text| Some(text.escape_ascii().to_string())).collect()
}

/// The content of a string or bytes in any of the forms that a function may be given.
fn content(any: TVMFFIAny) -> Option<Vec<u8>> {
    if any.type_index != kTVMFFIByteArrayPtr {
        return text_of(&any);
    }
    let array = memory::read(any.payload() as *const TVMFFIByteArray)?;
    memory::read_bytes(array.data.cast(), array.size)
}

/// Answers the number of its arguments.
pub unsafe extern "C" fn answer_count(
    _: *mut c_void,
    _: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(view::int(count.into())) };
    0
}
