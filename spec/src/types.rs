//! The public C types, one Rust type each, under their C names.
//!
//! Layouts are held to `abi.toml` by this crate's tests and to the C headers by `tvm-ffi-fixtures`. Every struct here is
//! plain data: who owns what a pointer leads to is said at the function that takes or returns it.

#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int, c_void};

/// A pointer to an object header, [`TVMFFIObject`]. Whether a handle owns a reference is said where it is used.
pub type TVMFFIObjectHandle = *mut c_void;
/// A stream of a device runtime (`cudaStream_t` and the like); never interpreted by the library.
pub type TVMFFIStreamHandle = *mut c_void;

/// The one calling convention: `args[0..num_args]` are views owned by the caller; on return 0, `result` holds a value
/// owned by the caller; on any other return the callee has raised an error on this thread.
pub type TVMFFISafeCallType =
    unsafe extern "C" fn(handle: *mut c_void, args: *const TVMFFIAny, num_args: i32, result: *mut TVMFFIAny) -> c_int;
/// An object's end: bit 0 of `flags` runs the destructor, bit 1 frees the memory.
pub type TVMFFIObjectDeleter = unsafe extern "C" fn(self_: *mut c_void, flags: c_int);
/// Reads a field at its address into an owned value.
pub type TVMFFIFieldGetter = unsafe extern "C" fn(field: *mut c_void, result: *mut TVMFFIAny) -> c_int;
/// Writes a view into a field at its address.
pub type TVMFFIFieldSetter = unsafe extern "C" fn(field: *mut c_void, value: *const TVMFFIAny) -> c_int;
/// Makes an empty instance of a type, owned by the caller.
pub type TVMFFIObjectCreator = unsafe extern "C" fn(result: *mut TVMFFIObjectHandle) -> c_int;
/// How a tensor allocator reports an error through the context that its caller passed.
pub type DLPackSetError = unsafe extern "C" fn(error_ctx: *mut c_void, kind: *const c_char, message: *const c_char);
/// Allocates a tensor with the device, dtype and shape of a prototype; the caller owns `*out`.
pub type DLPackManagedTensorAllocator = unsafe extern "C" fn(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    error_ctx: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int;

/// A version in three numbers. A claim of the library, not its identity.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TVMFFIVersion {
    /// Major number.
    pub major: u32,
    /// Minor number.
    pub minor: u32,
    /// Patch number.
    pub patch: u32,
}

/// The 24-byte header of every object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIObject {
    /// Strong references in the low 32 bits, weak references in the high 32; atomic. A new object holds one of each.
    pub combined_ref_count: u64,
    /// The index of the object's type, equal to that of any value that holds it.
    pub type_index: i32,
    /// Zero.
    pub __padding: u32,
    /// Ends the object; `None` (NULL) means that nobody has to.
    pub deleter: Option<TVMFFIObjectDeleter>,
    /// Makes the deleter's place 8 bytes wide where pointers are narrower.
    #[cfg(target_pointer_width = "32")]
    pub __ensure_align: u32,
}
const _: () = assert!(size_of::<TVMFFIObject>() == 24);

/// The second word of a [`TVMFFIAny`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union TVMFFIAnyAux {
    /// Zero for everything but small strings and small bytes.
    pub zero_padding: u32,
    /// Length of a small string or small bytes, at most 7.
    pub small_str_len: u32,
}

/// The payload of a [`TVMFFIAny`]; unused bytes are zero.
#[repr(C)]
#[derive(Clone, Copy)]
pub union TVMFFIAnyValue {
    /// Integers and booleans.
    pub v_int64: i64,
    /// Floating-point numbers.
    pub v_float64: f64,
    /// Untyped pointers.
    pub v_ptr: *mut c_void,
    /// A C string that is not owned.
    pub v_c_str: *const c_char,
    /// An object.
    pub v_obj: *mut TVMFFIObject,
    /// A data type.
    pub v_dtype: DLDataType,
    /// A device.
    pub v_device: DLDevice,
    /// The content of a small string, zero-filled.
    pub v_bytes: [c_char; 8],
    /// The raw word, for hashing and comparison.
    pub v_uint64: u64,
}

/// The 16-byte tagged value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TVMFFIAny {
    /// What the payload is.
    pub type_index: i32,
    /// Padding, or the length of a small string.
    pub aux: TVMFFIAnyAux,
    /// The payload.
    pub value: TVMFFIAnyValue,
}

impl TVMFFIAny {
    /// The None value: sixteen zero bytes.
    pub const NONE: Self = Self::new(0, 0);

    /// A value with the given type index and payload word and zero padding.
    pub const fn new(type_index: i32, payload: u64) -> Self {
        Self { type_index, aux: TVMFFIAnyAux { zero_padding: 0 }, value: TVMFFIAnyValue { v_uint64: payload } }
    }

    /// The second word, whichever name it goes by.
    pub fn aux_word(&self) -> u32 {
        // SAFETY: both fields of the union are u32, for which every bit pattern is a value.
        unsafe { self.aux.zero_padding }
    }

    /// The payload as a raw word.
    pub fn payload(&self) -> u64 {
        // SAFETY: the union is eight initialised bytes, and every bit pattern is a u64.
        unsafe { self.value.v_uint64 }
    }

    /// The sixteen bytes as they lie in memory.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&self.type_index.to_ne_bytes());
        bytes[4..8].copy_from_slice(&self.aux_word().to_ne_bytes());
        bytes[8..].copy_from_slice(&self.payload().to_ne_bytes());
        bytes
    }
}

impl std::fmt::Debug for TVMFFIAny {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{{type_index: {}, padding: {}, payload: {:#x}}}", self.type_index, self.aux_word(), self.payload())
    }
}

/// A span of bytes; ownership is said where it is used.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIByteArray {
    /// The first byte; may be NULL when `size` is 0.
    pub data: *const c_char,
    /// Length in bytes.
    pub size: usize,
}

impl TVMFFIByteArray {
    /// No bytes at no address.
    pub const EMPTY: Self = Self { data: std::ptr::null(), size: 0 };

    /// A view of `bytes`; valid as long as they are.
    pub const fn new(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr().cast(), size: bytes.len() }
    }
}

/// What follows the header of a Shape object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIShapeCell {
    /// The extents, owned by the object.
    pub data: *const i64,
    /// How many extents.
    pub size: usize,
}

/// What follows the header of an Array or List object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFISeqCell {
    /// `capacity` cells, of which the first `size` are live.
    pub data: *mut c_void,
    /// Live elements.
    pub size: i64,
    /// Allocated elements.
    pub capacity: i64,
    /// Frees `data` when it lies outside the object.
    pub data_deleter: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// What follows the header of an Error object. Up to release 0.1.7 it ended after `update_backtrace` (56 bytes).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIErrorCell {
    /// The kind, such as `ValueError`; owned by the object, NUL-terminated.
    pub kind: TVMFFIByteArray,
    /// The message.
    pub message: TVMFFIByteArray,
    /// The backtrace, most recent call first.
    pub backtrace: TVMFFIByteArray,
    /// Replaces (mode 0) or extends (mode 1) the backtrace.
    pub update_backtrace:
        Option<unsafe extern "C" fn(self_: TVMFFIObjectHandle, backtrace: *const TVMFFIByteArray, update_mode: i32)>,
    /// The error that caused this one, owned, or NULL.
    pub cause_chain: TVMFFIObjectHandle,
    /// More about the error, owned, or NULL.
    pub extra_context: TVMFFIObjectHandle,
}

/// What follows the header of a Function object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIFunctionCell {
    /// The function; its first argument is the function object's own handle.
    pub safe_call: Option<TVMFFISafeCallType>,
    /// A C++ entry that throws; NULL for functions that C++ did not make.
    pub cpp_call: *mut c_void,
}

/// What follows the header of an opaque object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIOpaqueObjectCell {
    /// The foreign handle.
    pub handle: *mut c_void,
}

/// What lies right before an object that a custom allocator made room for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIObjectAllocHeader {
    /// Reclaims the storage of the object body it is given; may be NULL.
    pub delete_space: Option<unsafe extern "C" fn(ptr: *mut c_void)>,
}

/// A process-wide allocator of object bodies.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFICustomAllocator {
    /// Room for a body of `size` bytes behind a filled-in [`TVMFFIObjectAllocHeader`], or NULL with an error raised.
    pub allocate: Option<
        unsafe extern "C" fn(size: usize, alignment: usize, type_index: i32, context: *mut c_void) -> *mut c_void,
    >,
    /// Passed to `allocate` unchanged.
    pub context: *mut c_void,
}

/// A reflected field of a type.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIFieldInfo {
    /// Its name, unique in its type.
    pub name: TVMFFIByteArray,
    /// Documentation.
    pub doc: TVMFFIByteArray,
    /// Structured metadata, as JSON.
    pub metadata: TVMFFIByteArray,
    /// Bits of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// Size in bytes.
    pub size: i64,
    /// Alignment in bytes.
    pub alignment: i64,
    /// Offset from the object header in bytes.
    pub offset: i64,
    /// Reads the field.
    pub getter: Option<TVMFFIFieldGetter>,
    /// A [`TVMFFIFieldSetter`], or the handle of a function object when the flags say so.
    pub setter: *mut c_void,
    /// The default value, or the function that makes it.
    pub default_value_or_factory: TVMFFIAny,
    /// The declared type's index, -1 for any.
    pub field_static_type_index: i32,
}

/// A reflected method of a type, or a global function with its documentation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIMethodInfo {
    /// Its name.
    pub name: TVMFFIByteArray,
    /// Documentation.
    pub doc: TVMFFIByteArray,
    /// Structured metadata, as JSON.
    pub metadata: TVMFFIByteArray,
    /// Bits of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// The function.
    pub method: TVMFFIAny,
}

/// What a type says of itself beyond its fields and methods.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFITypeMetadata {
    /// Documentation.
    pub doc: TVMFFIByteArray,
    /// Makes an empty instance; may be NULL.
    pub creator: Option<TVMFFIObjectCreator>,
    /// Size of the object in bytes, 0 if not known.
    pub total_size: i32,
    /// A `TVMFFISEqHashKind`.
    pub structural_eq_hash_kind: i32,
}

/// One attribute of every type: entry `t - begin_index` belongs to type index `t`. Up to release 0.1.8 the second half
/// was one `size_t size`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFITypeAttrColumn {
    /// The entries, None where a type has no such attribute.
    pub data: *const TVMFFIAny,
    /// How many entries.
    pub size: i32,
    /// The type index of the first entry.
    pub begin_index: i32,
}

/// What is known of a type at run time.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFITypeInfo {
    /// The index.
    pub type_index: i32,
    /// How many ancestors there are.
    pub type_depth: i32,
    /// The unique key.
    pub type_key: TVMFFIByteArray,
    /// The ancestors, root first.
    pub type_ancestors: *const *const TVMFFITypeInfo,
    /// A hash of the key.
    pub type_key_hash: u64,
    /// Number of own fields.
    pub num_fields: i32,
    /// Number of own methods.
    pub num_methods: i32,
    /// The fields.
    pub fields: *const TVMFFIFieldInfo,
    /// The methods.
    pub methods: *const TVMFFIMethodInfo,
    /// The metadata, or NULL.
    pub metadata: *const TVMFFITypeMetadata,
}

/// The version of DLPack that a tensor speaks.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DLPackVersion {
    /// Layouts differ between major versions.
    pub major: u32,
    /// Minor versions add flags and codes.
    pub minor: u32,
}

/// A device.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DLDevice {
    /// A `DLDeviceType`.
    pub device_type: i32,
    /// Which one.
    pub device_id: i32,
}

/// A data type.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DLDataType {
    /// A `DLDataTypeCode`.
    pub code: u8,
    /// Bits of one lane.
    pub bits: u8,
    /// Lanes; negative as i16 for scalable vectors.
    pub lanes: u16,
}

/// A view of a tensor.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLTensor {
    /// The allocation.
    pub data: *mut c_void,
    /// Where it lies.
    pub device: DLDevice,
    /// Number of dimensions.
    pub ndim: i32,
    /// Element type.
    pub dtype: DLDataType,
    /// `ndim` extents.
    pub shape: *mut i64,
    /// `ndim` strides in elements; NULL means row-major.
    pub strides: *mut i64,
    /// Where the first element lies from `data`, in bytes.
    pub byte_offset: u64,
}

/// A tensor that somebody else owns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// The owner's context.
    pub manager_ctx: *mut c_void,
    /// Gives the tensor back to its owner; may be NULL.
    pub deleter: Option<unsafe extern "C" fn(self_: *mut DLManagedTensor)>,
}

/// A tensor that somebody else owns, with the version of its layout.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLManagedTensorVersioned {
    /// The version of DLPack.
    pub version: DLPackVersion,
    /// The owner's context.
    pub manager_ctx: *mut c_void,
    /// Gives the tensor back to its owner; may be NULL.
    pub deleter: Option<unsafe extern "C" fn(self_: *mut DLManagedTensorVersioned)>,
    /// Bits of `DLPACK_FLAG_BITMASK`.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

// SAFETY: these are plain data. Moving or sharing the words between threads is sound; following a pointer is an unsafe
// act whose author answers for the target.
unsafe impl Send for TVMFFIAny {}
// SAFETY: as above.
unsafe impl Sync for TVMFFIAny {}
// SAFETY: as above.
unsafe impl Send for TVMFFIByteArray {}
// SAFETY: as above.
unsafe impl Sync for TVMFFIByteArray {}
