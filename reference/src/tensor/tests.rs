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
    let exported: NonNull<DLManagedTensorVersioned> = export(&tensor).unwrap();
    drop(tensor);
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
        unsafe { view(&source, &prototype) }.unwrap()
    };
    drop(source);
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
    let view = unsafe { view(&source, &producer.tensor()) }.unwrap();
    for tensor in [source, view] {
        let exported: NonNull<DLManagedTensorVersioned> = export(&tensor).unwrap();
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
    assert!(unsafe { view(&source, &producer.tensor()) }.is_err());
    drop(source);
    assert_eq!(producer.returned.load(Relaxed), 1);
}

#[test]
fn only_tensors_are_exported() {
    let string = crate::value::text::string_object(b"text").unwrap();
    assert!(export::<DLManagedTensor>(&crate::object::TypedRef::into_object(string)).is_err());
}
