//! The C types of the legacy generation, one Rust type each, and the type codes.

use std::{
    ffi::{c_char, c_int, c_void},
    sync::atomic::AtomicI32,
};

use tvm_ffi_spec::{DLDataType, DLDevice};

/// The payload of a value; its type code stands in an array of its own.
#[repr(C)]
#[derive(Clone, Copy)]
pub union TVMValue {
    /// An integer or a boolean.
    pub v_int64: i64,
    /// A floating-point number.
    pub v_float64: f64,
    /// A pointer to anything.
    pub v_handle: *mut c_void,
    /// A text that ends with a NUL.
    pub v_str: *const c_char,
    /// A data type, in the numbering of the legacy generation.
    pub v_type: DLDataType,
    /// A device.
    pub v_device: DLDevice,
}
const _: () = assert!(size_of::<TVMValue>() == 8);

impl TVMValue {
    /// Eight zero bytes.
    pub const ZERO: Self = Self { v_int64: 0 };

    /// A pointer.
    pub const fn handle(v_handle: *mut c_void) -> Self {
        Self { v_handle }
    }

    /// All eight bytes, of which a shorter member leaves some as they were.
    pub fn bits(self) -> i64 {
        // SAFETY: values are made of zeros or of eight bytes from a caller, and every pattern is an integer.
        unsafe { self.v_int64 }
    }

    /// The payload as a pointer.
    pub fn pointer(self) -> *mut c_void {
        self.bits() as usize as *mut c_void
    }
}

/// A span of bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMByteArray {
    /// The first byte.
    pub data: *const c_char,
    /// How many bytes.
    pub size: usize,
}

/// What the tasks of one launch share.
#[repr(C)]
#[derive(Debug)]
pub struct TVMParallelGroupEnv {
    /// The runtime's own.
    pub sync_handle: *mut c_void,
    /// How many tasks there are.
    pub num_task: i32,
}

/// The header that every object begins with.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    /// What the object is.
    pub type_index: u32,
    /// References; a new object has one.
    pub ref_counter: AtomicI32,
    /// Called when no reference is left; `None` (NULL) when nobody has to be.
    pub deleter: Option<unsafe extern "C" fn(*mut Header)>,
}

/// A text object.
#[repr(C)]
#[derive(Debug)]
pub struct StringObject {
    /// The header.
    pub header: Header,
    /// The first byte.
    pub data: *const c_char,
    /// How many bytes.
    pub size: u64,
}

/// A generated function: `TVMPackedFunc`.
pub type PackedFunc =
    unsafe extern "C" fn(*mut TVMValue, *mut c_int, c_int, *mut TVMValue, *mut c_int, *mut c_void) -> c_int;
/// A frontend's callback: `TVMFrontendCPackedFunc`.
pub type FrontendFunc = unsafe extern "C" fn(*mut TVMValue, *mut c_int, c_int, *mut c_void, *mut c_void) -> c_int;
/// Runs with the resource of a function that has ended.
pub type Finalizer = unsafe extern "C" fn(*mut c_void);
/// One task of a parallel launch.
pub type ParallelLambda = unsafe extern "C" fn(c_int, *mut TVMParallelGroupEnv, *mut c_void) -> c_int;

/// Type codes, under their C names.
#[allow(missing_docs, non_upper_case_globals)]
pub mod code {
    use std::ffi::c_int;

    pub const kTVMArgInt: c_int = 0;
    pub const kTVMArgFloat: c_int = 2;
    pub const kTVMOpaqueHandle: c_int = 3;
    pub const kTVMNullptr: c_int = 4;
    pub const kTVMDataType: c_int = 5;
    pub const kDLDevice: c_int = 6;
    pub const kTVMDLTensorHandle: c_int = 7;
    pub const kTVMObjectHandle: c_int = 8;
    pub const kTVMModuleHandle: c_int = 9;
    pub const kTVMPackedFuncHandle: c_int = 10;
    pub const kTVMStr: c_int = 11;
    pub const kTVMBytes: c_int = 12;
    pub const kTVMNDArrayHandle: c_int = 13;
    pub const kTVMObjectRValueRefArg: c_int = 14;
    pub const kTVMArgBool: c_int = 15;
}

/// Type indices of objects that both sides of an adapter know, as of 0.9 and later.
#[allow(missing_docs)]
pub mod index {
    pub const OBJECT: u32 = 0;
    pub const MODULE: u32 = 1;
    pub const NDARRAY: u32 = 2;
    pub const STRING: u32 = 3;
    pub const ARRAY: u32 = 4;
    pub const MAP: u32 = 5;
    pub const SHAPE_TUPLE: u32 = 6;
    pub const PACKED_FUNC: u32 = 7;
}
