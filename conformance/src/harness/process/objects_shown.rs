//! What a new Error of a target shows, which tells the generation of the ABI that it speaks: its header as bare bytes, before and
//! after another reference, and its texts. All calls are such that no generation has another prototype for them.

use std::ffi::c_void;

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::{TVMFFIByteArray, TVMFFIErrorCell, TVMFFIObject};

use crate::client::{Client, memory};

/// The length of an object's header, in each generation that is asked for an object.
pub const HEADER: usize = size_of::<TVMFFIObject>();
/// The kind of the Error that is made.
pub const KIND: &str = "ValueError";
/// Its message: longer than what a text may hold in place of a pointer.
pub const MESSAGE: &str = "tvm-ffi-verify asks which generation this is";
/// Where its texts lie, in each of these generations.
const TEXTS: [usize; 2] =
    [HEADER + std::mem::offset_of!(TVMFFIErrorCell, kind), HEADER + std::mem::offset_of!(TVMFFIErrorCell, message)];

/// What an Error showed. What could not be read is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorShown {
    /// The header with one reference.
    pub alone: Vec<u8>,
    /// The header with two.
    pub shared: Vec<u8>,
    /// The header when the second one was given up again.
    pub alone_again: Vec<u8>,
    /// Its kind and its message.
    pub texts: [Vec<u8>; 2],
}

/// Makes an Error and looks at it. Nothing of it is given back: the process ends right after.
pub fn look(client: &Client) -> ErrorShown {
    let mut shown = ErrorShown::default();
    let (mut error, mut again): (*mut c_void, *mut c_void) = (std::ptr::null_mut(), std::ptr::null_mut());
    let (kind, message) = (c_string(KIND), c_string(MESSAGE));
    client.api.TVMFFIErrorSetRaisedFromCStr(kind.as_ptr().cast(), message.as_ptr().cast());
    client.api.TVMFFIErrorMoveFromRaised(&mut error);
    let header = |error: *mut c_void| memory::read_bytes(error, HEADER).unwrap_or_default();
    shown.alone = header(error);
    // What cannot be read is nothing to be handed back.
    if shown.alone.is_empty() {
        return shown;
    }
    shown.texts = TEXTS.map(|place| text(error.wrapping_byte_add(place)).unwrap_or_default());
    client.api.TVMFFIErrorSetRaised(error);
    shown.shared = header(error);
    client.api.TVMFFIErrorMoveFromRaised(&mut again);
    if again == error {
        client.api.TVMFFIObjectDecRef(error);
        shown.alone_again = header(error);
    }
    shown
}

fn c_string(text: &str) -> Vec<u8> {
    [text.as_bytes(), b"\0"].concat()
}

/// The text of a byte array, if that is short.
fn text(place: *const c_void) -> Option<Vec<u8>> {
    let array: TVMFFIByteArray = memory::read(place.cast())?;
    (array.size <= MESSAGE.len()).then(|| memory::read_bytes(array.data.cast(), array.size)).flatten()
}
