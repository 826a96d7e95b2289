//! Error objects: errors as clients see them, with a kind, a message, a backtrace and what led to them.

use std::ptr;

use tvm_ffi_spec::{TVMFFIByteArray, TVMFFIObjectHandle, kTVMFFIBacktraceUpdateModeReplace, kTVMFFIError};

use crate::{
    border::{
        backtrace, c_pointers,
        error::{ErrorObject, Result},
        last_resort,
    },
    generation::{TVMFFIErrorCell, Update, update_entry},
    object::{self, ObjectRef, Payload, TypedRef},
    system::memory::{self, RoomFor},
};

/// What lies behind the header of an Error object made here. The texts that it is made with follow it in the same
/// allocation.
#[repr(C)]
struct ErrorPayload {
    cell: TVMFFIErrorCell,
    /// What `cell.backtrace` points to once it has been updated, with a terminating NUL.
    updated_backtrace: Vec<u8>,
}

// SAFETY: the type is repr(C) and begins with the error cell.
unsafe impl Payload for ErrorPayload {
    const TYPE_INDEX: i32 = kTVMFFIError;
}

impl Drop for ErrorPayload {
    fn drop(&mut self) {
        // SAFETY: the cell owns a reference to each of the two, or holds NULL; others may have replaced them since.
        unsafe {
            drop(ObjectRef::from_owned(self.cell.cause_chain));
            drop(ObjectRef::from_owned(self.cell.extra_context));
        }
    }
}

impl ErrorPayload {
    /// The payload with the kind, the message and the backtrace in `tail`.
    ///
    /// # Safety
    /// `tail` is writable for [`tail_size`] bytes.
    unsafe fn new(
        mut tail: *mut u8,
        texts: [&[u8]; 3],
        cause_chain: Option<ErrorObject>,
        extra_context: Option<ObjectRef>,
    ) -> Self {
        let [kind, message, backtrace] = texts.map(|text| {
            // SAFETY: the tail has room for all texts and their terminators, one after the other.
            unsafe {
                let put = put_c_str(tail, text);
                tail = tail.add(text.len() + 1);
                put
            }
        });
        let cell = TVMFFIErrorCell {
            kind,
            message,
            backtrace,
            update_backtrace: Some(update_entry::<Backtrace>),
            cause_chain: cause_chain.map_or(ptr::null_mut(), ErrorObject::into_handle),
            extra_context: extra_context.map_or(ptr::null_mut(), ObjectRef::into_handle),
        };
        Self { cell, updated_backtrace: Vec::new() }
    }
}

impl ErrorObject {
    /// The kind, such as `ValueError`.
    pub fn kind(&self) -> &[u8] {
        self.text(|cell| cell.kind)
    }

    /// The message.
    pub fn message(&self) -> &[u8] {
        self.text(|cell| cell.message)
    }

    /// The backtrace as it is now.
    pub fn backtrace(&self) -> Vec<u8> {
        self.text(|cell| cell.backtrace).to_vec()
    }

    fn text(&self, of: fn(&TVMFFIErrorCell) -> TVMFFIByteArray) -> &[u8] {
        // SAFETY: every error begins with its cell, whose texts are readable.
        unsafe { c_pointers::span(of(self.data()), "text") }.unwrap_or_default()
    }
}

/// Makes an Error object.
pub fn new_object(
    kind: &[u8],
    message: &[u8],
    backtrace: &[u8],
    cause_chain: Option<ErrorObject>,
    extra_context: Option<ObjectRef>,
) -> Result<ErrorObject> {
    let texts = [kind, message, backtrace];
    let object = object::new_with_tail(tail_size(texts), |tail| {
        // SAFETY: the tail has the room.
        unsafe { ErrorPayload::new(tail, texts, cause_chain, extra_context) }
    })?;
    // SAFETY: it was made with this type index.
    Ok(unsafe { object.cast_unchecked() })
}

/// Makes an Error object with the backtrace of the caller of the library. Where there is no memory for it there is some
/// for another one, which says that.
pub fn new_here(kind: &[u8], message: &[u8]) -> ErrorObject {
    let backtrace = backtrace::current();
    let make = |texts| {
        // SAFETY: the tail has the room.
        object::new_surely_with_tail(tail_size(texts), |tail| unsafe { ErrorPayload::new(tail, texts, None, None) })
    };
    let made = make([kind, message, backtrace.as_bytes()]).or_else(|_| make([kind, message, b""]));
    match made.or_else(|_| make([b"MemoryError", b"No memory is left", b""])) {
        // SAFETY: it was made with this type index.
        Ok(object) => unsafe { object.cast_unchecked() },
        Err(_) => last_resort::error(),
    }
}

fn tail_size(texts: [&[u8]; 3]) -> usize {
    texts.iter().fold(texts.len(), |size, text| size.saturating_add(text.len()))
}

/// The texts behind each other and a terminating NUL; none if there is no memory for that.
fn terminated(texts: &[&[u8]]) -> Option<Vec<u8>> {
    let mut all = memory::room(texts.iter().map(|text| text.len()).sum::<usize>() + 1).ok()?;
    texts.iter().for_each(|text| all.extend_from_slice(text));
    all.push(0);
    Some(all)
}

/// Copies `text` and a terminating NUL to `to`.
///
/// # Safety
/// `to` is writable for one byte more than `text` has.
unsafe fn put_c_str(to: *mut u8, text: &[u8]) -> TVMFFIByteArray {
    // SAFETY: the caller vouches for the room; fresh memory does not overlap the text.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr(), text.len());
        to.add(text.len()).write(0);
    }
    TVMFFIByteArray { data: to.cast(), size: text.len() }
}

/// The `update_backtrace` of errors made here: replaces or extends the backtrace, and points the cell to the new text.
struct Backtrace;

impl Update for Backtrace {
    #[inline]
    unsafe fn update(error: TVMFFIObjectHandle, text: *const TVMFFIByteArray, mode: i32) {
        // SAFETY: callers pass a readable span. The function cannot report, so a bad span changes nothing.
        let Ok(text) = (unsafe { c_pointers::bytes(text, "backtrace") }) else { return };
        // SAFETY: the function is only found in cells of objects that `new_object` made; as with any change of an object,
        // the caller sees to it that nobody else reads the backtrace meanwhile.
        let payload = unsafe { &mut *error.cast::<u8>().add(object::HEADER_SIZE).cast::<ErrorPayload>() };
        let kept = match mode {
            kTVMFFIBacktraceUpdateModeReplace => &[],
            // SAFETY: the backtrace is a readable span.
            _ => unsafe { c_pointers::span(payload.cell.backtrace, "backtrace") }.unwrap_or_default(),
        };
        let own = &mut payload.updated_backtrace;
        let stays = kept.is_empty() || kept.as_ptr() == own.as_ptr();
        // Nor does a lack of memory.
        if stays && !own.as_ptr_range().contains(&text.as_ptr()) {
            let (len, whole) = (kept.len(), kept.len() + text.len() + 1);
            if own.room_for(whole.saturating_sub(own.len())).is_err() {
                return;
            }
            // SAFETY: there is room, and the text lies elsewhere.
            unsafe {
                put_c_str(own.as_mut_ptr().add(len), text);
                own.set_len(whole);
            }
        } else if let Some(longer) = terminated(&[kept, text]) {
            *own = longer;
        } else {
            return;
        }
        payload.cell.backtrace = TVMFFIByteArray::new(&own[..own.len() - 1]);
    }
}
