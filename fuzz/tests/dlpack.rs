//! Tensors that come in by DLPack and go out again: their owner gets each back once, and nothing of them changes.

use std::{
    ptr::null_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

use bolero::TypeGenerator;
use tvm_ffi_fuzz::{program::seen::Seen, target};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{client::Client, side_by_side};

/// A tensor, and how it is to be imported.
#[derive(Clone, Debug, TypeGenerator)]
struct Offer {
    extents: Vec<i8>,
    strides: Option<Vec<i8>>,
    /// Extents and strides are these bits further to the left.
    shift: u8,
    dtype: (u8, u8, u16),
    device: (i8, i8),
    byte_offset: u16,
    /// With a version, these flags and these numbers.
    versioned: Option<(u8, u8, u8)>,
    alignment: u8,
    contiguous: bool,
}

impl Offer {
    /// Whether the reference keeps a promise of DLPack that the release does not: it refuses other major versions, and
    /// small floats of another width, and keeps flags (`reference/DIFFERENCES.md`).
    fn is_judged_otherwise(&self) -> bool {
        let version = self.versioned.is_some_and(|(flags, major, _)| flags != 0 || major >= 200);
        version || (15..=17).contains(&self.dtype.0)
    }

    /// The tensor. It lies over memory that nobody reads: it may be described in any way.
    fn tensor(&self, words: &mut [Vec<i64>; 2]) -> DLTensor {
        const MOST: usize = 8;
        let wide = |number: &i8| i64::from(*number) << (self.shift % 56);
        words[0] = self.extents.iter().take(MOST).map(|number| wide(&number.saturating_abs())).collect();
        let ndim = words[0].len();
        words[1] = self.strides.iter().flatten().map(wide).chain(std::iter::repeat(1)).take(ndim).collect();
        let strides = if self.strides.is_some() { words[1].as_mut_ptr() } else { null_mut() };
        DLTensor {
            data: WORDS.as_ptr().cast_mut().cast(),
            device: DLDevice { device_type: self.device.0.into(), device_id: self.device.1.into() },
            ndim: ndim as i32,
            dtype: DLDataType { code: self.dtype.0, bits: self.dtype.1, lanes: self.dtype.2 },
            shape: words[0].as_mut_ptr(),
            strides,
            byte_offset: self.byte_offset.into(),
        }
    }
}

static WORDS: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];

/// A managed tensor in one of its two forms, whose deleter counts how often it is called.
enum Managed {
    Plain(DLManagedTensor),
    Versioned(DLManagedTensorVersioned),
}

impl Managed {
    fn new(offer: &Offer, dl_tensor: DLTensor, ends: &AtomicUsize) -> Self {
        unsafe extern "C" fn end(managed: *mut DLManagedTensor) {
            // SAFETY: the context is a counter that outlives the managed tensor.
            unsafe { (*(*managed).manager_ctx.cast::<AtomicUsize>()).fetch_add(1, Ordering::Relaxed) };
        }
        unsafe extern "C" fn end_versioned(managed: *mut DLManagedTensorVersioned) {
            // SAFETY: the context is a counter that outlives the managed tensor.
            unsafe { (*(*managed).manager_ctx.cast::<AtomicUsize>()).fetch_add(1, Ordering::Relaxed) };
        }
        let manager_ctx = (&raw const *ends).cast_mut().cast();
        match offer.versioned {
            None => Self::Plain(DLManagedTensor { dl_tensor, manager_ctx, deleter: Some(end) }),
            Some((flags, major, minor)) => Self::Versioned(DLManagedTensorVersioned {
                // Mostly the version that there is.
                version: DLPackVersion { major: if major < 200 { 1 } else { major.into() }, minor: minor.into() },
                manager_ctx,
                deleter: Some(end_versioned),
                flags: flags.into(),
                dl_tensor,
            }),
        }
    }

    fn import(&mut self, client: &Client, offer: &Offer, out: &mut TVMFFIObjectHandle) -> i32 {
        let (alignment, contiguous) = (i32::from(offer.alignment), offer.contiguous.into());
        match self {
            Self::Plain(managed) => client.api.TVMFFITensorFromDLPack(managed, alignment, contiguous, out),
            Self::Versioned(managed) => client.api.TVMFFITensorFromDLPackVersioned(managed, alignment, contiguous, out),
        }
    }
}

/// Imports the tensor, exports it in both forms, and gives everything back; answers what was seen on the way.
fn told(client: &Client, offer: &Offer) -> Vec<String> {
    let (mut words, ends) = (Default::default(), AtomicUsize::new(0));
    let mut managed = Managed::new(offer, offer.tensor(&mut words), &ends);
    let mut handle = null_mut();
    let mut told = Vec::new();
    let code = managed.import(client, offer, &mut handle);
    if code == 0 {
        let tensor = client.own_object("the tensor", handle).expect("an import that succeeds makes a tensor");
        told.push(Seen::new(client).text(&tensor.any()));
        let mut plain = null_mut();
        told.push(match client.api.TVMFFITensorToDLPack(tensor.handle(), &mut plain) {
            0 => exported(client, plain, |managed| managed.dl_tensor, |managed| managed.deleter),
            code => client.raises(code, &[]).map_or_else(|failure| format!("{failure:?}"), |raised| raised.kind),
        });
        let mut versioned = null_mut();
        told.push(match client.api.TVMFFITensorToDLPackVersioned(tensor.handle(), &mut versioned) {
            0 => exported(client, versioned, |managed| managed.dl_tensor, |managed| managed.deleter),
            code => client.raises(code, &[]).map_or_else(|failure| format!("{failure:?}"), |raised| raised.kind),
        });
        assert_eq!(ends.load(Ordering::Relaxed), 0, "the tensor is given back while it is held");
    } else {
        told.push(client.raises(code, &[]).map_or_else(|failure| format!("{failure:?}"), |raised| raised.kind));
    }
    // A tensor that was refused stays its owner's.
    assert_eq!(ends.load(Ordering::Relaxed), usize::from(code == 0), "how often the tensor was given back");
    told
}

/// What an export says, which is given back.
fn exported<M: Copy + 'static>(
    client: &Client,
    managed: *mut M,
    tensor: impl Fn(&M) -> DLTensor,
    deleter: impl Fn(&M) -> Option<unsafe extern "C" fn(*mut M)>,
) -> String {
    let copy = client.read("an exported tensor", managed.cast_const()).expect("an export can be read");
    let DLTensor { ndim, shape, strides, dtype, device, byte_offset, .. } = tensor(&copy);
    let words = |first: *mut i64| -> Vec<i64> {
        let count = if first.is_null() { 0 } else { ndim as usize };
        (0..count).map(|place| client.read("a word", first.wrapping_add(place).cast_const()).unwrap_or(-1)).collect()
    };
    let text = format!("{dtype:?} {device:?} {:?} {:?} {byte_offset}", words(shape), words(strides));
    if let Some(deleter) = deleter(&copy) {
        // SAFETY: the export's own deleter, called once.
        unsafe { deleter(managed) };
    }
    text
}

#[test]
fn tensor_goes_back_once() {
    let reference = side_by_side::reference();
    target!().with_type::<Offer>().for_each(|offer| drop(told(&reference, offer)));
}

#[test]
fn tensor_comes_in_as_in_the_release() {
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    target!().with_type::<Offer>().for_each(|offer| {
        if !offer.is_judged_otherwise() {
            assert_eq!(told(&reference, offer), told(&release, offer));
        }
    });
}
