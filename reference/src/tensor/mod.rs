//! Tensors: a `DLTensor` behind the object header, and whoever owns its memory behind that.
//!
//! A Tensor is made of what DLPack hands over or of another Tensor (a view), and is turned back into DLPack. Shape and
//! strides of an imported tensor stay the producer's; strides that it left out are filled in behind the object, so that
//! readers of a Tensor find strides whenever it has dimensions.

mod layout;
#[cfg(test)]
mod tests;

use std::{
    ffi::c_void,
    mem,
    ptr::{self, NonNull},
    sync::atomic::AtomicPtr,
};

use tvm_ffi_spec::{
    DLManagedTensor, DLManagedTensorVersioned, DLPACK_FLAG_BITMASK_IS_COPIED,
    DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, DLPackVersion, DLTensor, TVMFFIObjectHandle, kTVMFFITensor,
};

pub use self::layout::{Description, Tensor};
use self::layout::{
    check_alignment, check_dtype, check_shape, extents, has_no_elements, is_contiguous, write_row_major,
};
use crate::{
    border::error::{Error, Result},
    generation,
    object::{self, ObjectRef, Payload},
    system::memory,
    types::type_table,
};

/// The version of DLPack that exported tensors speak.
pub const DLPACK_VERSION: DLPackVersion = DLPackVersion { major: 1, minor: generation::DLPACK_MINOR };

/// What lies behind the header of a Tensor. Dropping the owner gives the memory back.
#[repr(C)]
struct Storage<Owner> {
    view: DLTensor,
    /// What DLPack says of the data, and whoever gets the tensor from here has to know: that it is only to be read, say.
    /// Not that it is a copy, which would be the consumer's alone.
    flags: u64,
    shared: Shared,
    _owner: Owner,
}

/// The struct of all versioned exports of a tensor, once there is one, in generations that have one.
#[derive(Default)]
struct Shared([AtomicPtr<DLManagedTensorVersioned>; generation::SHARED_EXPORT as usize]);

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the struct was allocated for the exports, all of which are back, since each holds the Tensor.
        self.0.iter_mut().for_each(|place| unsafe { memory::free_allocated(place.get_mut().cast()) });
    }
}

// SAFETY: `repr(C)`, and the ABI has a `DLTensor` behind the header.
unsafe impl<Owner> Payload for Storage<Owner> {
    const TYPE_INDEX: i32 = kTVMFFITensor;
}

/// What an importer asks of a tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Requirements {
    /// The first element's address is a multiple of this many bytes; 0 for any address.
    pub alignment: i32,
    /// The elements lie in row-major order without gaps.
    pub contiguous: bool,
}

/// The two forms in which DLPack hands tensors over.
pub trait Managed: Sized {
    /// The version that it speaks.
    ///
    /// # Safety
    /// The tensor is valid, in whatever version: of those of another major one nothing else is known but the deleter.
    unsafe fn version(tensor: NonNull<Self>) -> DLPackVersion;
    /// Gives it back to its owner.
    ///
    /// # Safety
    /// As for [`version`](Managed::version).
    unsafe fn deleter(tensor: NonNull<Self>) -> Option<unsafe extern "C" fn(*mut Self)>;
    /// The tensor.
    fn tensor(&self) -> &DLTensor;
    /// Its flags.
    fn flags(&self) -> u64;
    /// What the owner knows it by.
    fn context(&self) -> *mut c_void;
    /// A tensor to hand over, whose deleter drops the object that `context` is a reference to.
    fn exported(tensor: DLTensor, flags: u64, context: *mut c_void) -> Self;
    /// Where the struct of all exports of a Tensor stands, if there is one for all.
    fn shared(_tensor: &ObjectRef) -> Option<&AtomicPtr<Self>> {
        None
    }
}

impl Managed for DLManagedTensor {
    unsafe fn version(_tensor: NonNull<Self>) -> DLPackVersion {
        DLPACK_VERSION
    }

    unsafe fn deleter(tensor: NonNull<Self>) -> Option<unsafe extern "C" fn(*mut Self)> {
        // SAFETY: the tensor is valid.
        unsafe { (*tensor.as_ptr()).deleter }
    }

    fn tensor(&self) -> &DLTensor {
        &self.dl_tensor
    }

    fn flags(&self) -> u64 {
        0
    }

    fn context(&self) -> *mut c_void {
        self.manager_ctx
    }

    fn exported(tensor: DLTensor, _flags: u64, context: *mut c_void) -> Self {
        Self { dl_tensor: tensor, manager_ctx: context, deleter: Some(take_back) }
    }
}

impl Managed for DLManagedTensorVersioned {
    unsafe fn version(tensor: NonNull<Self>) -> DLPackVersion {
        // SAFETY: the version comes first in all versions.
        unsafe { (*tensor.as_ptr()).version }
    }

    unsafe fn deleter(tensor: NonNull<Self>) -> Option<unsafe extern "C" fn(*mut Self)> {
        // SAFETY: the deleter stands at the same place in all versions.
        unsafe { (*tensor.as_ptr()).deleter }
    }

    fn tensor(&self) -> &DLTensor {
        &self.dl_tensor
    }

    fn flags(&self) -> u64 {
        self.flags
    }

    fn context(&self) -> *mut c_void {
        self.manager_ctx
    }

    fn exported(tensor: DLTensor, flags: u64, context: *mut c_void) -> Self {
        Self { version: DLPACK_VERSION, manager_ctx: context, deleter: Some(take_back), flags, dl_tensor: tensor }
    }

    fn shared(tensor: &ObjectRef) -> Option<&AtomicPtr<Self>> {
        of_maker(tensor, |_, shared| shared.0.first()).flatten()
    }
}

/// A tensor that DLPack handed over. Its end is the one place where it is given back.
struct Imported<M: Managed>(NonNull<M>);

impl<M: Managed> Drop for Imported<M> {
    fn drop(&mut self) {
        // SAFETY: the tensor was handed over by whoever imported it, and stays valid until it is given back.
        if let Some(deleter) = unsafe { M::deleter(self.0) } {
            // SAFETY: the producer's own deleter, called once.
            unsafe { deleter(self.0.as_ptr()) };
        }
    }
}

/// Takes a DLPack tensor over. When this fails, the tensor still is the caller's.
///
/// # Errors
/// `RuntimeError` for a tensor that does not meet the requirements or pads elements narrower than a byte; `ValueError`
/// for one that is malformed, or of another major version of DLPack.
///
/// # Safety
/// `managed` is a valid DLPack tensor that the caller owns, and gives up when this succeeds.
pub unsafe fn import<M: Managed>(managed: NonNull<M>, requirements: Requirements) -> Result<ObjectRef> {
    // SAFETY: valid, as the caller says.
    unsafe { check_version(managed)? };
    // SAFETY: as above, and of a version that is known.
    let (tensor, flags) = unsafe { (managed.as_ref().tensor(), managed.as_ref().flags()) };
    check_shape(tensor)?;
    check_dtype(tensor)?;
    if requirements != Requirements::default() {
        check_alignment(tensor, requirements.alignment)?;
        // SAFETY: the tensor is valid and has just been found well-formed.
        if requirements.contiguous && !unsafe { is_contiguous(tensor) } {
            return Err(not_contiguous());
        }
    }
    if flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED != 0 {
        return Err(Error::new("RuntimeError", "Subbyte type padded is not yet supported"));
    }
    // SAFETY: as above.
    unsafe { wrap(managed) }
}

/// Takes over a DLPack tensor that an allocator has just made, without asking anything of it but a shape. When this
/// fails, the tensor is given back to its owner.
///
/// # Errors
/// `ValueError` for a malformed tensor, and for one of another major version of DLPack.
///
/// # Safety
/// `managed` is a valid DLPack tensor that the caller owns and gives up.
pub unsafe fn adopt<M: Managed>(managed: NonNull<M>) -> Result<ObjectRef> {
    // SAFETY: valid, as the caller says.
    let checked = unsafe { check_version(managed) }.and_then(|()| {
        // SAFETY: as above, and of a version that is known.
        let tensor = unsafe { managed.as_ref() }.tensor();
        check_shape(tensor)?;
        check_dtype(tensor)
    });
    // SAFETY: the tensor is valid and well-formed, and the caller gives it up.
    let wrapped = checked.and_then(|()| unsafe { wrap(managed) });
    if wrapped.is_err() {
        drop(Imported(managed));
    }
    wrapped
}

/// Makes the object. When this fails, the tensor still is the caller's.
///
/// # Safety
/// `managed` is a valid DLPack tensor with a well-formed shape that the caller owns, and gives up when this succeeds.
#[inline]
unsafe fn wrap<M: Managed>(managed: NonNull<M>) -> Result<ObjectRef> {
    // SAFETY: valid, as the caller says.
    let tensor = unsafe { managed.as_ref().tensor() };
    if tensor.strides.is_null() && (generation::SCALARS_HAVE_STRIDES || tensor.ndim > 0) {
        // SAFETY: the caller's contract is the same.
        return unsafe { wrap_with_strides(managed) };
    }
    // SAFETY: as above.
    Ok(object::try_new(|| unsafe { imported(managed) })?)
}

/// As [`wrap`], of a tensor that has left its strides out.
///
/// # Safety
/// As for [`wrap`].
#[inline(never)]
unsafe fn wrap_with_strides<M: Managed>(managed: NonNull<M>) -> Result<ObjectRef> {
    // SAFETY: valid, as the caller says.
    let tensor = unsafe { managed.as_ref().tensor() };
    let count = usize::from(generation::SCALARS_HAVE_STRIDES).max(tensor.ndim as usize);
    let object = object::new_with_tail(size_of::<i64>() * count, |tail| {
        // SAFETY: there are `ndim` extents, and room for as many strides behind the object.
        unsafe {
            write_row_major(extents(tensor), tail.cast());
            let mut storage = imported(managed);
            storage.view.strides = tail.cast();
            storage
        }
    });
    Ok(object?)
}

/// What lies behind the header of a Tensor that was handed over.
///
/// # Safety
/// As for [`wrap`].
#[inline]
unsafe fn imported<M: Managed>(managed: NonNull<M>) -> Storage<Imported<M>> {
    // SAFETY: valid, as the caller says.
    let (view, flags) = unsafe { (*managed.as_ref().tensor(), managed.as_ref().flags()) };
    Storage {
        view,
        flags: flags & !DLPACK_FLAG_BITMASK_IS_COPIED,
        shared: Shared::default(),
        _owner: Imported(managed),
    }
}

/// Makes a Tensor of the prototype's data and metadata that keeps `source` alive. Nothing is checked against the source.
///
/// # Errors
/// `InternalError` for a prototype that has dimensions and no strides, `ValueError` for a malformed one, `TypeError` for a source that is
/// not a Tensor.
///
/// # Safety
/// The prototype's shape and strides have `ndim` elements.
pub unsafe fn view(source: &ObjectRef, prototype: &DLTensor) -> Result<ObjectRef> {
    checked(source)?;
    check_shape(prototype)?;
    if prototype.strides.is_null() && prototype.ndim > 0 {
        return Err(Error::new("InternalError", "Check not null: prototype.strides"));
    }
    let (ndim, flags) = (prototype.ndim as usize, flags_of(source));
    object::new_with_tail(2 * ndim * size_of::<i64>(), |tail| {
        let shape = tail.cast::<i64>();
        // SAFETY: there is room for `ndim` extents and strides behind the object, and the prototype has that many of both.
        let strides = unsafe {
            let strides = shape.add(ndim);
            // One loop: tensors have so few dimensions that two calls of memcpy would take longer.
            for dimension in 0..ndim {
                shape.add(dimension).write(*prototype.shape.add(dimension));
                strides.add(dimension).write(*prototype.strides.add(dimension));
            }
            strides
        };
        let view = DLTensor { shape, strides, ..*prototype };
        Storage { view, flags, shared: Shared::default(), _owner: source.clone() }
    })
    .map_err(Error::from)
}

/// Hands a Tensor over in DLPack's form. What is returned holds one reference until its deleter is called.
///
/// # Errors
/// `TypeError` for an object that is not a Tensor.
pub fn export<M: Managed>(tensor: &ObjectRef) -> Result<NonNull<M>> {
    let (view, flags) = (checked(tensor)?.dl_tensor(), flags_of(tensor));
    let shared = M::shared(tensor);
    let new = || -> Result<NonNull<M>> {
        let memory = memory::allocate(size_of::<M>()).ok_or_else(|| Error::out_of_memory("a DLPack tensor"))?;
        let exported = memory.cast::<M>();
        // SAFETY: the memory has the size, and is as aligned as any.
        unsafe { exported.write(M::exported(as_exported(view), flags, tensor.handle())) };
        Ok(exported)
    };
    let exported = shared.map_or_else(new, |shared| generation::export_in(shared, new))?;
    // The reference of the exported struct.
    mem::forget(tensor.clone());
    Ok(exported)
}

/// A tensor as DLPack wants it of producers: where it has no elements, there is nothing to find at any address.
#[inline]
fn as_exported(tensor: &DLTensor) -> DLTensor {
    // SAFETY: a Tensor has as many extents as dimensions.
    let is_empty = unsafe { has_no_elements(tensor) };
    DLTensor { data: if is_empty { ptr::null_mut() } else { tensor.data }, ..*tensor }
}

/// What DLPack says of the data of a Tensor, if it was made here.
fn flags_of(tensor: &ObjectRef) -> u64 {
    of_maker(tensor, |flags, _| flags).unwrap_or_default()
}

/// Something of a Tensor, if it was made here.
fn of_maker<'a, T>(tensor: &'a ObjectRef, take: fn(u64, &'a Shared) -> T) -> Option<T> {
    fn of<'a, Owner: 'a>(tensor: &'a ObjectRef) -> Option<(u64, &'a Shared)> {
        // SAFETY: such objects have such a payload, which nobody changes.
        let storage =
            object::is_made_here::<Storage<Owner>>(tensor).then(|| unsafe { tensor.data::<Storage<Owner>>() });
        storage.map(|storage| (storage.flags, &storage.shared))
    }
    // Only where exports share a struct does it matter what was imported without flags.
    let unversioned = || generation::SHARED_EXPORT.then(|| of::<Imported<DLManagedTensor>>(tensor)).flatten();
    let found = of::<Imported<DLManagedTensorVersioned>>(tensor).or_else(unversioned);
    let (flags, shared) = found.or_else(|| of::<ObjectRef>(tensor))?;
    Some(take(flags, shared))
}

/// The deleter of exported tensors.
unsafe extern "C" fn take_back<M: Managed>(managed: *mut M) {
    let Some(exported) = NonNull::new(managed) else { return };
    // SAFETY: `export` made the tensor and put the reference into its context; the deleter is called once for each.
    unsafe {
        let tensor = ObjectRef::from_owned(exported.as_ref().context() as TVMFFIObjectHandle);
        // A struct that all exports share ends with the Tensor.
        if tensor.as_ref().is_none_or(|tensor| M::shared(tensor).is_none()) {
            memory::free_allocated(managed.cast());
        }
        drop(tensor);
    }
}

fn checked(object: &ObjectRef) -> Result<&Tensor> {
    object.cast_ref().ok_or_else(|| {
        let key = type_table::key_of(object.type_index());
        Error::new("TypeError", format!("Expected `ffi.Tensor` but got `{key}`"))
    })
}

#[cold]
fn not_contiguous() -> Error {
    Error::new("RuntimeError", "FromDLPack: Tensor is not contiguous.")
}

/// Nothing but the version and the deleter of a tensor of another major version may be looked at.
///
/// # Safety
/// The tensor is valid, in whatever version.
unsafe fn check_version<M: Managed>(managed: NonNull<M>) -> Result<()> {
    // SAFETY: valid, as the caller says.
    let version = unsafe { M::version(managed) };
    if version.major == DLPACK_VERSION.major { Ok(()) } else { Err(other_version(version)) }
}

#[cold]
fn other_version(DLPackVersion { major, minor }: DLPackVersion) -> Error {
    let ours = DLPACK_VERSION.major;
    Error::new("ValueError", format!("The tensor is one of DLPack {major}.{minor}, and only DLPack {ours} is known"))
}
