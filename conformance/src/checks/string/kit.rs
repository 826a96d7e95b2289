//! What checks on strings share: the two kinds, and what a value of either is expected to be.

use std::ffi::c_int;

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, api::Api},
    trial::Trial,
};

/// String or Bytes.
pub struct Kind {
    /// The function that makes one.
    constructor: fn(&Api, *const TVMFFIByteArray, *mut TVMFFIAny) -> c_int,
    /// The type index of the small form.
    pub small: i32,
    /// The type index of the object.
    pub object: i32,
}

/// Strings.
pub const STRING: Kind =
    Kind { constructor: Api::TVMFFIStringFromByteArray, small: kTVMFFISmallStr, object: kTVMFFIStr };
/// Bytes.
pub const BYTES: Kind =
    Kind { constructor: Api::TVMFFIBytesFromByteArray, small: kTVMFFISmallBytes, object: kTVMFFIBytes };
/// Both.
pub const KINDS: [Kind; 2] = [STRING, BYTES];

/// The most bytes that are stored inline.
pub const SMALL: usize = 7;
/// Lengths that matter: one, both sides of each boundary, and some beyond. Checks of STR-0011 look at no bytes at all.
pub const LENGTHS: [usize; 11] = [1, 6, 7, 8, 9, 15, 16, 17, 100, 255, 4096];

/// Texts on both sides of the boundary between the two forms.
pub const EDGES: [&[u8]; 4] = [b"a", b"seven_b", b"eight_by", b"longer than that"];

impl Kind {
    /// Makes a value of these bytes.
    pub fn make(&self, t: &Trial, bytes: &[u8]) -> Verdict<Owned> {
        Ok(t.own(self.make_over(t, TVMFFIAny::NONE, &TVMFFIByteArray::new(bytes))?))
    }

    /// Makes a value in a result that holds something else before; nobody owns it yet.
    pub fn make_over(&self, t: &Trial, before: TVMFFIAny, input: &TVMFFIByteArray) -> Verdict<TVMFFIAny> {
        let mut out = before;
        t.ok((self.constructor)(&t.api, input, &mut out))?;
        Ok(out)
    }

    /// Expects an error instead of a value.
    pub fn refuses(&self, t: &Trial, input: *const TVMFFIByteArray, result: *mut TVMFFIAny) -> Verdict {
        t.raises((self.constructor)(&t.api, input, result), &[]).map(drop)
    }
}

/// Text in which each byte tells where it belongs, and none is NUL.
pub fn graffiti(len: usize) -> Vec<u8> {
    let mut text = (1..=u8::MAX).collect::<Vec<u8>>().repeat(len.div_ceil(255));
    text.truncate(len);
    text
}

/// Whether a value says that it is of the small form.
pub fn is_small(value: &Owned) -> bool {
    [kTVMFFISmallStr, kTVMFFISmallBytes].contains(&value.any().type_index)
}

/// What lies behind the header of the other form.
pub fn heap_cell(t: &Trial, value: &Owned) -> Verdict<TVMFFIByteArray> {
    t.cell("address and length of the content", value.handle())
}

/// Expects the value to begin with these bytes, in whichever form it is and whatever length it claims.
pub fn expect_content(t: &Trial, value: &Owned, text: &[u8]) -> Verdict {
    let content = if is_small(value) {
        value.any().payload().to_ne_bytes().into_iter().take(text.len()).collect()
    } else {
        t.read_bytes("content", heap_cell(t, value)?.data.cast(), text.len())?
    };
    expect_same(t, &content, text)
}

/// Expects the value to be these bytes: content and length.
pub fn expect_text(t: &Trial, value: &Owned, text: &[u8]) -> Verdict {
    let content = t.text(&value.any())?;
    t.eq("length", content.len(), text.len())?;
    expect_same(t, &content, text)
}

fn expect_same(t: &Trial, content: &[u8], text: &[u8]) -> Verdict {
    if content == text {
        return Ok(());
    }
    match content.iter().zip(text).position(|(got, expected)| got != expected) {
        None => t.eq("bytes of content", content.len(), text.len()),
        Some(index) => {
            let around = |bytes: &[u8]| bytes[index.saturating_sub(8)..(index + 8).min(bytes.len())].to_vec();
            let failure = t.failure(format!("byte {index} of {}", text.len()), text[index], content[index]);
            Err(failure.showing("expected", &around(text)).showing("got", &around(content)))
        }
    }
}

/// Expects a NUL behind `len` bytes of content on the heap.
pub fn expect_nul(t: &Trial, value: &Owned, len: usize) -> Verdict {
    let end = heap_cell(t, value)?.data.wrapping_add(len);
    t.eq(format_args!("the byte behind {len} bytes of content"), t.read("the byte behind the content", end)?, 0)
}
