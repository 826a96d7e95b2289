//! Tensors: a `DLTensor` behind the object header, and whoever owns its memory behind that.
//!
//! A Tensor is made of what DLPack hands over or of another Tensor (a view), and is turned back into DLPack. Shape and
//! strides of an imported tensor stay the producer's; strides that it left out are filled in behind the object, so that
//! readers of a Tensor find strides whenever it has dimensions.

mod layout;

use std::{
    ffi::c_void,
    ptr::{self, NonNull},
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::{
    DLManagedTensor, DLManagedTensorVersioned, DLPACK_FLAG_BITMASK_IS_COPIED,
    DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, DLPackVersion, DLTensor, TVMFFIObjectHandle, kTVMFFITensor,
};

pub use self::layout::{Description, Tensor};
use self::layout::{check_alignment, check_dtype, check_shape, extents, is_contiguous, write_row_major};
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
        for place in &mut self.0 {
            // SAFETY: the struct was allocated for the exports, all of which are back, since each holds the Tensor.
            unsafe { memory::free(place.get_mut().cast()) };
        }
    }
}

// SAFETY: `repr(C)`, and the ABI has a `DLTensor` behind the header.
unsafe impl<Owner> Payload for Storage<Owner> {
    const TYPE_INDEX: i32 = kTVMFFITensor;
}

/// What an importer asks of a tensor.
#[derive(Clone, Copy, Debug, Default)]
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
    check_alignment(tensor, requirements.alignment)?;
    // SAFETY: the tensor is valid and has just been found well-formed.
    if requirements.contiguous && !unsafe { is_contiguous(tensor) } {
        return Err(Error::new("RuntimeError", "FromDLPack: Tensor is not contiguous."));
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
unsafe fn wrap<M: Managed>(managed: NonNull<M>) -> Result<ObjectRef> {
    // SAFETY: valid, as the caller says.
    let (tensor, flags) = unsafe { (managed.as_ref().tensor(), managed.as_ref().flags()) };
    let at_least = usize::from(generation::SCALARS_HAVE_STRIDES);
    let missing = if tensor.strides.is_null() { at_least.max(tensor.ndim as usize) } else { 0 };
    let object = object::new_with_tail(size_of::<i64>() * missing, |tail| {
        let mut strides = tensor.strides;
        if missing > 0 {
            strides = tail.cast();
            // SAFETY: there are `ndim` extents, and room for as many strides behind the object.
            unsafe { write_row_major(extents(tensor), strides) };
        }
        let view = DLTensor { strides, ..*tensor };
        Storage {
            view,
            flags: flags & !DLPACK_FLAG_BITMASK_IS_COPIED,
            shared: Shared::default(),
            _owner: Imported(managed),
        }
    });
    Ok(object?)
}

/// Makes a Tensor of the prototype's data and metadata that keeps `source` alive. Nothing is checked against the source.
///
/// # Errors
/// `InternalError` for a prototype without strides, `ValueError` for a malformed one, `TypeError` for a source that is
/// not a Tensor.
///
/// # Safety
/// The prototype's shape and strides have `ndim` elements.
pub unsafe fn view(source: ObjectRef, prototype: &DLTensor) -> Result<ObjectRef> {
    checked(&source)?;
    check_shape(prototype)?;
    if prototype.strides.is_null() {
        return Err(Error::new("InternalError", "Check not null: prototype.strides"));
    }
    let (mut view, ndim, flags) = (*prototype, prototype.ndim as usize, flags_of(&source));
    object::new_with_tail(2 * ndim * size_of::<i64>(), |tail| {
        view.shape = tail.cast();
        // SAFETY: the prototype has `ndim` extents and strides, and there is room for both behind the object.
        unsafe {
            view.strides = view.shape.add(ndim);
            view.shape.copy_from_nonoverlapping(prototype.shape, ndim);
            view.strides.copy_from_nonoverlapping(prototype.strides, ndim);
        }
        Storage { view, flags, shared: Shared::default(), _owner: source }
    })
    .map_err(Error::from)
}

/// Hands a Tensor over in DLPack's form. What is returned holds one reference until its deleter is called.
///
/// # Errors
/// `TypeError` for an object that is not a Tensor.
pub fn export<M: Managed>(tensor: ObjectRef) -> Result<NonNull<M>> {
    let (view, flags) = (*checked(&tensor)?.dl_tensor(), flags_of(&tensor));
    let shared = M::shared(&tensor);
    let known = shared.and_then(|shared| NonNull::new(shared.load(Ordering::Acquire)));
    let exported = match known {
        Some(known) => known,
        None => {
            let memory = memory::allocate(size_of::<M>()).ok_or_else(|| Error::out_of_memory("a DLPack tensor"))?;
            let exported = memory.cast::<M>();
            // SAFETY: the memory has the size, and is as aligned as any.
            unsafe { exported.write(M::exported(view, flags, tensor.handle())) };
            let first = shared.map(|shared| {
                shared.compare_exchange(ptr::null_mut(), exported.as_ptr(), Ordering::AcqRel, Ordering::Acquire)
            });
            match first {
                // Another thread was first.
                Some(Err(others)) => {
                    // SAFETY: nobody knows the block; and what is found in the place of NULL is not NULL.
                    unsafe {
                        memory::free(memory.as_ptr());
                        NonNull::new_unchecked(others)
                    }
                }
                _ => exported,
            }
        }
    };
    // The reference is the exported struct's now.
    let _ = tensor.into_handle();
    Ok(exported)
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
    let mut found = of::<Imported<DLManagedTensorVersioned>>(tensor);
    if found.is_none() && generation::SHARED_EXPORT {
        found = of::<Imported<DLManagedTensor>>(tensor);
    }
    let (flags, shared) = found.or_else(|| of::<ObjectRef>(tensor))?;
    Some(take(flags, shared))
}

/// The deleter of exported tensors.
unsafe extern "C" fn take_back<M: Managed>(managed: *mut M) {
    if managed.is_null() {
        return;
    }
    // SAFETY: `export` made the tensor and put the reference into its context; the deleter is called once for each.
    unsafe {
        let tensor = ObjectRef::from_owned((*managed).context() as TVMFFIObjectHandle);
        // A struct that all exports share ends with the Tensor.
        if !tensor.as_ref().is_some_and(|tensor| M::shared(tensor).is_some()) {
            memory::free(managed.cast());
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

#[cfg(test)]
mod tests {
    use std::{
        slice,
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
    };

    use rstest::rstest;
    use tvm_ffi_spec::{DLDataType, DLDevice, DLPACK_FLAG_BITMASK_READ_ONLY, kDLCPU, kDLCUDA, kDLFloat, kDLOpenCL};

    use super::*;

    /// A producer's tensor, which counts how often it was given back.
    struct Producer {
        shape: Vec<i64>,
        strides: Option<Vec<i64>>,
        returned: AtomicUsize,
    }

    impl Producer {
        fn new(shape: &[i64], strides: Option<&[i64]>) -> Self {
            Self { shape: shape.to_vec(), strides: strides.map(<[i64]>::to_vec), returned: AtomicUsize::new(0) }
        }

        fn tensor(&self) -> DLTensor {
            DLTensor {
                data: std::ptr::without_provenance_mut(0x1000),
                device: DLDevice { device_type: kDLCPU, device_id: 0 },
                ndim: self.shape.len() as i32,
                dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
                shape: self.shape.as_ptr().cast_mut(),
                strides: self.strides.as_ref().map_or(std::ptr::null_mut(), |strides| strides.as_ptr().cast_mut()),
                byte_offset: 0,
            }
        }

        fn managed(&self, change: impl FnOnce(&mut DLManagedTensorVersioned)) -> DLManagedTensorVersioned {
            let manager_ctx = (&raw const self.returned).cast_mut().cast();
            let mut managed = DLManagedTensorVersioned {
                version: DLPACK_VERSION,
                manager_ctx,
                deleter: Some(count),
                flags: 0,
                dl_tensor: self.tensor(),
            };
            change(&mut managed);
            managed
        }
    }

    unsafe extern "C" fn count(managed: *mut DLManagedTensorVersioned) {
        // SAFETY: the tests' tensors have a counter for context, which outlives them.
        unsafe { (*(*managed).manager_ctx.cast::<AtomicUsize>()).fetch_add(1, Relaxed) };
    }

    fn import_with(managed: &mut DLManagedTensorVersioned, requirements: Requirements) -> Result<ObjectRef> {
        // SAFETY: the tensor is valid and outlives the object.
        unsafe { import(NonNull::from(managed), requirements) }
    }

    fn view_of(tensor: &ObjectRef) -> DLTensor {
        // SAFETY: a Tensor has a `DLTensor` behind its header.
        unsafe { *tensor.data() }
    }

    fn strides_of(tensor: &ObjectRef) -> Vec<i64> {
        let view = view_of(tensor);
        // SAFETY: a Tensor with dimensions has as many strides.
        unsafe { slice::from_raw_parts(view.strides, view.ndim as usize).to_vec() }
    }

    #[rstest]
    #[case(&[2, 3], &[3, 1])]
    #[case(&[2, 0, 3], &[0, 3, 1])]
    #[case(&[7], &[1])]
    fn missing_strides_are_filled_in(#[case] shape: &[i64], #[case] expected: &[i64]) {
        let producer = Producer::new(shape, None);
        let mut managed = producer.managed(|_| ());
        let tensor = import_with(&mut managed, Requirements::default()).unwrap();
        assert_eq!(strides_of(&tensor), expected);
        assert_eq!(view_of(&tensor).shape, managed.dl_tensor.shape);
        drop(tensor);
        assert_eq!(producer.returned.load(Relaxed), 1);
    }

    #[test]
    fn no_dimensions_need_no_strides() {
        let producer = Producer::new(&[], None);
        let mut managed = producer.managed(|managed| managed.dl_tensor.shape = std::ptr::null_mut());
        let tensor = import_with(&mut managed, Requirements { alignment: 8, contiguous: true }).unwrap();
        assert!(view_of(&tensor).strides.is_null());
    }

    #[rstest]
    #[case(&[2, 3], Some(&[3, 1][..]), true)]
    #[case(&[2, 3], Some(&[1, 2][..]), false)]
    #[case(&[2, 3], None, true)]
    #[case(&[1, 3], Some(&[77, 1][..]), true)]
    #[case(&[3, 1], Some(&[1, 7][..]), true)]
    #[case(&[0, 3], Some(&[77, 9][..]), true)]
    #[case(&[], Some(&[][..]), true)]
    fn contiguity_is_checked_when_asked_for(
        #[case] shape: &[i64],
        #[case] strides: Option<&[i64]>,
        #[case] contiguous: bool,
    ) {
        let producer = Producer::new(shape, strides);
        let mut managed = producer.managed(|_| ());
        let imported = import_with(&mut managed, Requirements { contiguous: true, ..Requirements::default() });
        assert_eq!(imported.is_ok(), contiguous);
        drop(imported);
        assert_eq!(producer.returned.load(Relaxed), usize::from(contiguous));
    }

    #[rstest]
    #[case(kDLCPU, 0x1000, 0, 4096, true)]
    #[case(kDLCPU, 0x1000, 8, 16, false)]
    #[case(kDLCPU, 0x1008, 8, 16, true)]
    #[case(kDLCUDA, 0x1001, 0, 2, false)]
    #[case(kDLOpenCL, 0x1001, 8, 8, true)]
    #[case(kDLOpenCL, 0x1000, 1, 8, false)]
    #[case(kDLCPU, 0x1001, 0, 0, true)]
    #[case(kDLCPU, 0x1000, 0, -8, false)]
    fn alignment_is_checked_when_asked_for(
        #[case] device: i32,
        #[case] data: usize,
        #[case] byte_offset: u64,
        #[case] alignment: i32,
        #[case] aligned: bool,
    ) {
        let producer = Producer::new(&[4], None);
        let mut managed = producer.managed(|managed| {
            managed.dl_tensor.device.device_type = device;
            managed.dl_tensor.data = std::ptr::without_provenance_mut(data);
            managed.dl_tensor.byte_offset = byte_offset;
        });
        let imported = import_with(&mut managed, Requirements { alignment, contiguous: false });
        assert_eq!(imported.is_ok(), aligned);
        drop(imported);
        assert_eq!(producer.returned.load(Relaxed), usize::from(aligned));
    }

    #[rstest]
    #[case::negative_dimensions(|managed: &mut DLManagedTensorVersioned| managed.dl_tensor.ndim = -1)]
    #[case::no_shape(|managed: &mut DLManagedTensorVersioned| managed.dl_tensor.shape = std::ptr::null_mut())]
    #[case::padded(|managed: &mut DLManagedTensorVersioned| managed.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)]
    fn what_is_refused_stays_the_callers(#[case] change: fn(&mut DLManagedTensorVersioned)) {
        let producer = Producer::new(&[4], None);
        let mut managed = producer.managed(change);
        assert!(import_with(&mut managed, Requirements::default()).is_err());
        assert_eq!(producer.returned.load(Relaxed), 0);
    }

    #[test]
    fn what_an_allocator_made_is_given_back_when_it_cannot_be_used() {
        let producer = Producer::new(&[4], None);
        let mut managed = producer.managed(|managed| managed.dl_tensor.ndim = -1);
        // SAFETY: the tensor is valid.
        assert!(unsafe { adopt(NonNull::from(&mut managed)) }.is_err());
        assert_eq!(producer.returned.load(Relaxed), 1);
    }

    #[test]
    fn an_exported_tensor_keeps_the_imported_one() {
        let producer = Producer::new(&[2, 3], None);
        let mut managed = producer.managed(|_| ());
        let tensor = import_with(&mut managed, Requirements::default()).unwrap();
        let exported: NonNull<DLManagedTensorVersioned> = export(tensor).unwrap();
        // SAFETY: the exported tensor is valid until its deleter is called.
        unsafe {
            let exported = exported.as_ptr();
            assert_eq!(((*exported).version, (*exported).flags), (DLPACK_VERSION, 0));
            assert_eq!((*exported).dl_tensor.shape, managed.dl_tensor.shape);
            assert_eq!(producer.returned.load(Relaxed), 0);
            ((*exported).deleter.unwrap())(exported);
        }
        assert_eq!(producer.returned.load(Relaxed), 1);
    }

    #[test]
    fn a_view_copies_its_metadata_and_keeps_the_source() {
        let producer = Producer::new(&[6], None);
        let mut managed = producer.managed(|_| ());
        let source = import_with(&mut managed, Requirements::default()).unwrap();
        let other = Producer::new(&[2, 3], Some(&[3, 1]));
        let view = {
            let prototype = other.tensor();
            // SAFETY: the prototype has two extents and strides.
            unsafe { view(source, &prototype) }.unwrap()
        };
        assert_eq!(strides_of(&view), [3, 1]);
        assert_ne!(view_of(&view).shape, other.shape.as_ptr().cast_mut());
        assert_eq!(producer.returned.load(Relaxed), 0);
        drop(view);
        assert_eq!(producer.returned.load(Relaxed), 1);
    }

    #[test]
    fn what_is_only_to_be_read_stays_so() {
        let producer = Producer::new(&[6], Some(&[1]));
        let flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
        let mut managed = producer.managed(|managed| managed.flags = flags);
        let source = import_with(&mut managed, Requirements::default()).unwrap();
        // SAFETY: the prototype has an extent and a stride.
        let view = unsafe { view(source.clone(), &producer.tensor()) }.unwrap();
        for tensor in [source, view] {
            let exported: NonNull<DLManagedTensorVersioned> = export(tensor).unwrap();
            // SAFETY: the exported tensor is valid until its deleter is called.
            unsafe {
                assert_eq!(exported.as_ref().flags, DLPACK_FLAG_BITMASK_READ_ONLY);
                (exported.as_ref().deleter.unwrap())(exported.as_ptr());
            }
        }
        assert_eq!(producer.returned.load(Relaxed), 1);
    }

    #[test]
    fn a_tensor_of_another_major_version_is_refused() {
        let producer = Producer::new(&[6], None);
        let mut managed = producer.managed(|managed| {
            managed.version = DLPackVersion { major: 2, minor: 0 };
            managed.dl_tensor.ndim = -1;
        });
        let error = import_with(&mut managed, Requirements::default()).unwrap_err();
        assert_eq!(error.to_string(), "ValueError: The tensor is one of DLPack 2.0, and only DLPack 1 is known");
        assert_eq!(producer.returned.load(Relaxed), 0);
        // SAFETY: the tensor has a version and a deleter.
        assert!(unsafe { adopt(NonNull::from(&mut managed)) }.is_err());
        assert_eq!(producer.returned.load(Relaxed), 1);
    }

    #[test]
    fn the_content_begins_behind_the_byte_offset() {
        let producer = Producer::new(&[1], None);
        let mut data = *b"skipped.read";
        let mut managed = producer.managed(|managed| {
            managed.dl_tensor.data = data.as_mut_ptr().cast();
            managed.dl_tensor.byte_offset = 8;
            managed.dl_tensor.dtype = DLDataType { code: kDLFloat, bits: 32, lanes: 1 };
        });
        let tensor = import_with(&mut managed, Requirements::default()).unwrap();
        // SAFETY: the data can be read.
        assert_eq!(unsafe { Description::of(&tensor).unwrap().bytes() }.unwrap(), b"read");
    }

    #[test]
    fn a_view_needs_strides() {
        let producer = Producer::new(&[6], None);
        let mut managed = producer.managed(|_| ());
        let source = import_with(&mut managed, Requirements::default()).unwrap();
        // SAFETY: the prototype is valid.
        assert!(unsafe { view(source, &producer.tensor()) }.is_err());
        assert_eq!(producer.returned.load(Relaxed), 1);
    }

    #[test]
    fn only_tensors_are_exported() {
        let string = crate::value::text::string_object(b"text").unwrap();
        assert!(export::<DLManagedTensor>(crate::object::TypedRef::into_object(string)).is_err());
    }
}
