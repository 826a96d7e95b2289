//! What checks on objects share: objects of each kind that the C functions make, and counting their references.

use std::{
    ffi::c_void,
    fmt::{self, Display},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Owned, Verdict,
        callback::{count_end, keep_self, return_none},
        view,
    },
    trial::Trial,
};

/// A kind of object that the C functions make.
pub struct Kind {
    /// Its name in reports.
    pub name: &'static str,
    /// The type index of its objects.
    pub type_index: i32,
    /// Makes a new object, or answers NULL: whether it can be made is for other clauses to say.
    pub make: fn(&Trial) -> TVMFFIObjectHandle,
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Every kind: the texts and Errors first, the others from the fourth on.
pub const KINDS: &[Kind] = &[
    Kind { name: "String", type_index: kTVMFFIStr, make: make_string },
    Kind { name: "Bytes", type_index: kTVMFFIBytes, make: make_bytes },
    Kind { name: "Error", type_index: kTVMFFIError, make: make_error },
    Kind { name: "Function", type_index: kTVMFFIFunction, make: make_function },
    Kind { name: "Tensor", type_index: kTVMFFITensor, make: make_tensor },
    Kind { name: "opaque object", type_index: kTVMFFIOpaquePyObject, make: make_opaque },
    Kind { name: "Shape", type_index: kTVMFFIShape, make: |t| made_by(t, "ffi.Shape") },
    Kind { name: "Array", type_index: kTVMFFIArray, make: |t| made_by(t, "ffi.Array") },
    Kind { name: "Map", type_index: kTVMFFIMap, make: |t| made_by(t, "ffi.Map") },
];

/// Looks at a new object of each kind that can be made, and releases it.
pub fn each_kind(t: &Trial, look: impl Fn(&Kind, TVMFFIObjectHandle) -> Verdict) -> Verdict {
    let mut made = 0;
    for kind in KINDS {
        let handle = (kind.make)(t);
        if !handle.is_null() {
            made += 1;
            let object = t.own(TVMFFIAny::new(kind.type_index, handle as u64));
            look(kind, object.handle())?;
        }
    }
    t.that("kinds of objects that can be made", made > 0, "at least one", made)
}

/// What the texts hold.
pub const TEXT: &[u8] = b"longer than seven bytes";
/// The handle of opaque objects and the self of functions; nobody follows it.
pub const HANDLE: usize = 0x1122_3344_5566_7788;
/// The data of tensors; nobody follows it.
pub const TENSOR_DATA: usize = 0x1000;

fn make_string(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = TVMFFIAny::NONE;
    t.api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out);
    out.payload() as *mut c_void
}

fn make_bytes(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = TVMFFIAny::NONE;
    t.api.TVMFFIBytesFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out);
    out.payload() as *mut c_void
}

fn make_error(t: &Trial) -> TVMFFIObjectHandle {
    let [kind, message, backtrace] = [b"ValueError", TEXT, b""].map(TVMFFIByteArray::new);
    let mut out = null_mut();
    t.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut out);
    out
}

fn make_function(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = null_mut();
    t.api.TVMFFIFunctionCreate(HANDLE as *mut c_void, Some(return_none), None, &mut out);
    out
}

fn make_tensor(t: &Trial) -> TVMFFIObjectHandle {
    /// Frees the managed tensor with the extents that lie behind it.
    unsafe extern "C" fn free(managed: *mut DLManagedTensor) {
        // SAFETY: the box that make_tensor gave away, given back once.
        drop(unsafe { Box::from_raw(managed.cast::<(DLManagedTensor, [i64; 4])>()) });
    }
    let mut whole = Box::new((
        DLManagedTensor { dl_tensor: tensor(&mut [0; 2], &mut [0; 2]), manager_ctx: null_mut(), deleter: Some(free) },
        [2, 3, 3, 1],
    ));
    let (shape, strides) = whole.1.split_at_mut(2);
    (whole.0.dl_tensor.shape, whole.0.dl_tensor.strides) = (shape.as_mut_ptr(), strides.as_mut_ptr());
    let mut out = null_mut();
    t.api.TVMFFITensorFromDLPack(Box::into_raw(whole).cast(), 0, 0, &mut out);
    out
}

/// A 2 by 3 tensor whose data nobody follows; valid as long as shape and strides are.
pub fn tensor(shape: &mut [i64; 2], strides: &mut [i64; 2]) -> DLTensor {
    DLTensor {
        data: TENSOR_DATA as *mut c_void,
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 2,
        dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    }
}

/// What a global function makes of two integers.
fn made_by(t: &Trial, name: &str) -> TVMFFIObjectHandle {
    t.call_global(name, &[view::int(1), view::int(2)])
        .map_or(null_mut(), |made| made.into_any().payload() as *mut c_void)
}

fn make_opaque(t: &Trial) -> TVMFFIObjectHandle {
    let mut out = null_mut();
    t.api.TVMFFIObjectCreateOpaque(HANDLE as *mut c_void, kTVMFFIOpaquePyObject, Some(keep_self), &mut out);
    out
}

/// An opaque object of what a library may refuse, such as a NULL handle or no deleter; `None` if it does.
pub fn opaque_if_made(
    t: &Trial,
    handle: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut c_void)>,
) -> Verdict<Option<Owned>> {
    let mut out = null_mut();
    if t.api.TVMFFIObjectCreateOpaque(handle, kTVMFFIOpaquePyObject, deleter, &mut out) == 0 {
        return t.own_object("the new opaque object", out).map(Some);
    }
    t.api.release_raised();
    Ok(None)
}

/// A function of the library's whose closure ends in [`count_end`].
pub fn counted_function(t: &Trial) -> Verdict<Owned> {
    t.function(HANDLE as *mut c_void, return_none, Some(count_end))
}

/// `TVMFFIObjectIncRef`, expected to return 0.
pub fn inc_ref(t: &Trial, object: TVMFFIObjectHandle) -> Verdict {
    t.eq("return value", t.api.TVMFFIObjectIncRef(object), 0)
}

/// `TVMFFIObjectDecRef`, expected to return 0.
pub fn dec_ref(t: &Trial, object: TVMFFIObjectHandle) -> Verdict {
    t.eq("return value", t.api.TVMFFIObjectDecRef(object), 0)
}
