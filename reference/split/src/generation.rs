//! What sets the split generation apart: the header of objects with its two counts, the cell of errors, and what a client sees
//! otherwise.
//!
//! It has the same names as the file of today's generation, in whose place it stands.

use std::{
    ptr::{self, NonNull},
    sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering},
};

use tvm_ffi_spec::{
    TVMFFIByteArray, TVMFFIObjectDeleter, TVMFFIObjectHandle, kTVMFFIBacktraceUpdateModeReplace, kTVMFFIDynObjectBegin,
};

use crate::system::{count::Count, memory};

/// Clients know of no cause and no context of an Error.
pub const ERRORS_HAVE_CONTEXT: bool = false;
/// A function is handed its `self`, whatever that is.
pub const BARE_FUNCTIONS: bool = false;
/// C++ callers jump to the entry for them without looking.
pub const CPP_CALL_MAY_BE_NULL: bool = false;
/// Every tensor shows strides.
pub const SCALARS_HAVE_STRIDES: bool = true;
/// Versioned exports of one tensor are one struct.
pub const SHARED_EXPORT: bool = true;
/// The minor version of DLPack that exported tensors speak.
pub const DLPACK_MINOR: u32 = 1;
/// `bool` is an integer of one bit, and there are no short names.
pub const NEW_DTYPES: bool = false;
/// The built-in types of objects may have children.
pub const SEALED_TYPES: bool = false;
/// Modules have no documentation of their functions.
pub const MODULES_HAVE_DOCS: bool = false;

/// The index of the built-in type that would be this many behind the first without a fixed one today. Types that were not there
/// get indices that no object has.
pub const fn dynamic_index(behind: i32) -> i32 {
    match behind {
        4 => kTVMFFIDynObjectBegin,
        5 => kTVMFFIDynObjectBegin + 1,
        _ => -100 - behind,
    }
}

/// The global functions of the time.
const GLOBALS: [&str; 35] = [
    "ffi.Array",
    "ffi.ArrayGetItem",
    "ffi.ArraySize",
    "ffi.Bytes",
    "ffi.FromJSONGraph",
    "ffi.FromJSONGraphString",
    "ffi.FunctionListGlobalNamesFunctor",
    "ffi.FunctionRemoveGlobal",
    "ffi.GetFirstStructuralMismatch",
    "ffi.MakeObjectFromPackedArgs",
    "ffi.Map",
    "ffi.MapCount",
    "ffi.MapForwardIterFunctor",
    "ffi.MapGetItem",
    "ffi.MapSize",
    "ffi.Module.load_from_file.so",
    "ffi.ModuleClearImports",
    "ffi.ModuleGetFunction",
    "ffi.ModuleGetFunctionMetadata",
    "ffi.ModuleGetKind",
    "ffi.ModuleGetPropertyMask",
    "ffi.ModuleGetWriteFormats",
    "ffi.ModuleImplementsFunction",
    "ffi.ModuleImportModule",
    "ffi.ModuleInspectSource",
    "ffi.ModuleLoadFromFile",
    "ffi.ModuleWriteToFile",
    "ffi.Shape",
    "ffi.String",
    "ffi.StructuralHash",
    "ffi.SystemLib",
    "ffi.ToJSONGraph",
    "ffi.ToJSONGraphString",
    "ffi.json.Parse",
    "ffi.json.Stringify",
];

/// A backtrace that begins with the most recent call, in the order that clients expect: it ends with that, as Python's do.
pub fn in_order(backtrace: String) -> String {
    let mut turned = String::with_capacity(backtrace.len());
    backtrace.split_inclusive('\n').rev().for_each(|line| turned.push_str(line));
    turned
}

/// Whether a global function is built in.
pub fn has_global(name: &str) -> bool {
    GLOBALS.contains(&name)
}

/// Types that came later.
const LATER_TYPES: [&str; 13] = [
    "ffi.Unchanged",
    "ffi.List",
    "ffi.Dict",
    "ffi.VisitInterrupt",
    "ffi.BigInt",
    "ffi.EnumState",
    "ffi.Enum",
    "ffi.IntEnum",
    "ffi.StrEnum",
    "ffi.StructuralVisitor",
    "ffi.VisitErrorContext",
    "ffi.StructuralMutator",
    "ffi.StructuralKey",
];

/// Whether a type is built in.
pub fn has_type(key: &str) -> bool {
    !LATER_TYPES.contains(&key)
}

/// Whether an attribute has its column from the beginning.
pub fn has_column(name: &str) -> bool {
    ["__data_from_json__", "__data_to_json__", "__s_equal__", "__s_hash__"].contains(&name)
}

/// What follows the header of an Error: the cell of four that clients know, and room of the library's own, which an Error that
/// others have made does not have.
#[repr(C)]
pub struct TVMFFIErrorCell {
    /// The kind.
    pub kind: TVMFFIByteArray,
    /// The message.
    pub message: TVMFFIByteArray,
    /// The traceback.
    pub backtrace: TVMFFIByteArray,
    /// `update_traceback`.
    pub update_backtrace: Option<unsafe extern "C" fn(TVMFFIObjectHandle, *const TVMFFIByteArray)>,
    /// NULL.
    pub cause_chain: TVMFFIObjectHandle,
    /// NULL.
    pub extra_context: TVMFFIObjectHandle,
}

/// What a place that exports of a tensor share has, or a new struct for it.
///
/// # Errors
/// What making one fails with.
pub fn export_in<M, E>(place: &AtomicPtr<M>, new: impl FnOnce() -> Result<NonNull<M>, E>) -> Result<NonNull<M>, E> {
    if let Some(known) = NonNull::new(place.load(Ordering::Acquire)) {
        return Ok(known);
    }
    let own = new()?;
    let first = place.compare_exchange(ptr::null_mut(), own.as_ptr(), Ordering::AcqRel, Ordering::Acquire);
    Ok(first.err().and_then(NonNull::new).map_or(own, |others| {
        // Another thread was first.
        // SAFETY: nobody knows the block.
        unsafe { memory::free_allocated(own.as_ptr().cast()) };
        others
    }))
}

/// How the traceback of an Error is changed.
pub trait Update {
    /// Replaces or extends it, as `mode` says.
    ///
    /// # Safety
    /// `error` is an Error that this is the update of, and `text` NULL or a readable span.
    unsafe fn update(error: TVMFFIObjectHandle, text: *const TVMFFIByteArray, mode: i32);
}

/// The function for the cell of an Error, which always replaces.
///
/// # Safety
/// As for [`Update::update`].
pub unsafe extern "C" fn update_entry<U: Update>(error: TVMFFIObjectHandle, text: *const TVMFFIByteArray) {
    // SAFETY: the caller's contract is the same.
    unsafe { U::update(error, text, kTVMFFIBacktraceUpdateModeReplace) };
}

// ---------------------------------------------------------------------------------------------------------------------
// The counts: each in a word of its own
// ---------------------------------------------------------------------------------------------------------------------

/// The header of an object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TVMFFIObject {
    /// What the object is.
    pub type_index: i32,
    /// Weak references; all strong ones together own one.
    weak_ref_count: u32,
    /// Strong references.
    strong_ref_count: u64,
    /// How the object ends.
    pub deleter: Option<TVMFFIObjectDeleter>,
    #[cfg(target_pointer_width = "32")]
    ensure_align: u32,
}

/// The header of an object that is being made: its maker holds the only reference.
#[inline]
pub const fn new_header(type_index: i32, deleter: Option<TVMFFIObjectDeleter>) -> TVMFFIObject {
    TVMFFIObject {
        type_index,
        weak_ref_count: 1,
        strong_ref_count: 1,
        deleter,
        #[cfg(target_pointer_width = "32")]
        ensure_align: 0,
    }
}

/// The word of a header that nobody reads when no reference of either kind is left, so that something else may be put there until
/// the object has ended, ...
///
/// # Safety
/// The header is readable and writable.
#[inline]
pub const unsafe fn unread_word(object: *mut TVMFFIObject) -> *mut u64 {
    // SAFETY: the caller vouches for the header.
    unsafe { &raw mut (*object).strong_ref_count }
}

/// ... and what stands there otherwise: no strong references.
pub const UNREAD: u64 = 0;

/// What giving up a strong reference leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Others hold the object.
    Others,
    /// Nobody holds it, strongly or weakly.
    Nobody,
    /// It is only held weakly, by the strong references together at least.
    Weak,
}

/// The counts in a header.
pub struct Counts<'a> {
    weak: &'a AtomicU32,
    strong: &'a AtomicU64,
}

impl Counts<'_> {
    /// # Safety
    /// The header is readable and writable for `'a`.
    #[inline]
    pub unsafe fn of<'a>(object: *mut TVMFFIObject) -> Counts<'a> {
        // SAFETY: the fields are aligned words that every party accesses atomically.
        unsafe {
            Counts {
                weak: AtomicU32::from_ptr(&raw mut (*object).weak_ref_count),
                strong: AtomicU64::from_ptr(&raw mut (*object).strong_ref_count),
            }
        }
    }

    /// Adds a strong reference.
    #[inline]
    pub fn add_strong(&self) {
        self.strong.add(1, Ordering::Relaxed);
    }

    /// Gives up a strong reference. If it was the last, the weak one of all strong ones is still to be given up, unless nobody is
    /// left: then the weak count stays 1.
    #[inline]
    pub fn sub_strong(&self) -> Left {
        if self.strong.sub(1, Ordering::Release) != 1 {
            return Left::Others;
        }
        // Whoever makes a weak reference holds one of either kind, so 1 is nobody but the strong references.
        if self.weak.load(Ordering::Acquire) == 1 { Left::Nobody } else { Left::Weak }
    }

    /// Adds a weak reference.
    #[inline]
    pub fn add_weak(&self) {
        self.weak.add(1, Ordering::Relaxed);
    }

    /// Gives up a weak reference; whether it was the last of either kind.
    #[inline]
    pub fn sub_weak(&self) -> bool {
        self.weak.sub(1, Ordering::Release) == 1
    }

    /// Adds a strong reference if there is one.
    #[cfg(test)]
    pub fn promote(&self) -> bool {
        let alive = |now: u64| (now != 0).then(|| now + 1);
        self.strong.fetch_update(Ordering::AcqRel, Ordering::Relaxed, alive).is_ok()
    }

    /// Has this thread see what others did to an object before they gave up their references. By loads, since ThreadSanitizer
    /// does not know fences.
    #[inline]
    pub fn see_others(&self) {
        self.strong.load(Ordering::Acquire);
        self.weak.load(Ordering::Acquire);
    }

    /// Whether there is one reference of each kind, so that the object may be changed in place.
    #[inline]
    pub fn are_one(&self) -> bool {
        self.strong.load(Ordering::Acquire) == 1 && self.weak.load(Ordering::Acquire) == 1
    }

    /// How many strong references there were a moment ago.
    #[inline]
    pub fn strong(&self) -> u64 {
        self.strong.load(Ordering::Relaxed)
    }
}
