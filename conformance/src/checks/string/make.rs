//! Making a string: what is read, what is written, and what is refused.

use std::{
    ffi::{c_int, c_void},
    ptr::{null, null_mut},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Verdict, dirty, view},
    trial::Trial,
};

/// A String or Bytes keeps its content when the caller changes and unmaps the input.
#[check(STR_0012)]
fn copies_its_input(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in LENGTHS {
            let text = graffiti(len);
            let mut input = t.guarded(&text)?;
            let value = t.own(kind.make_over(t, TVMFFIAny::NONE, &input.array())?);
            input.as_mut_slice().fill(b'?');
            expect_content(t, &value, &text)?;
            drop(input);
            expect_content(t, &value, &text)?;
        }
    }
    Ok(())
}

/// A String or Bytes is made of what its buffer holds at the time, where a byte anywhere in that has changed since the last.
#[check(STR_0012)]
fn a_buffer_is_used_again(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in [1, 7, 8, 31, 64, 100, 255, 256, 257, 1000, 4096, 5000, 70_000] {
            let mut buffer = graffiti(len);
            let step = (len / 40).max(1);
            let first = kind.make(t, &buffer)?;
            for at in (0..len).step_by(step).chain([len / 2, len - 1]) {
                // Neither NUL nor what was there.
                buffer[at] = if buffer[at] == b'~' { b'!' } else { b'~' };
                expect_content(t, &kind.make(t, &buffer)?, &buffer)?;
            }
            expect_content(t, &first, &graffiti(len))?;
        }
    }
    Ok(())
}

/// Making a String or Bytes reads no byte behind its input, wherever the text comes from.
#[check(STR_0013)]
fn reads_no_further(t: &Trial) -> Verdict {
    // Behind a page, and behind what is copied in another way for being large.
    let large = [4095, 4097, 10_001, 65_535, 65_537, 131_073, (1 << 20) + 13];
    let array = t.global("ffi.Array")?;
    for len in LENGTHS.into_iter().chain(large) {
        let text = graffiti(len);
        let input = t.guarded(&text)?;
        for kind in KINDS {
            t.own(kind.make_over(t, TVMFFIAny::NONE, &input.array())?);
        }
        let mut owned = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIAnyViewToOwnedAny(&view::byte_array(&input.array()), &mut owned))?;
        drop(t.own(owned));
        drop(t.call(&array, &[view::byte_array(&input.array())])?);
        let c_str = t.guarded(&[&text[..], b"\0"].concat())?;
        let raw = TVMFFIAny::new(kTVMFFIRawStr, c_str.array().data as u64);
        t.ok(t.api.TVMFFIAnyViewToOwnedAny(&raw, &mut owned))?;
        expect_content(t, &t.own(owned), &text)?;
        drop(t.call(&array, &[raw])?);
    }
    Ok(())
}

/// Making a String or Bytes writes the whole result over whatever plain value was there.
#[check(STR_0014)]
fn result_is_overwritten(t: &Trial) -> Verdict {
    let long = b"a string that is too long to be stored inline";
    for kind in KINDS {
        for before in kTVMFFINone..kTVMFFIStaticObjectBegin {
            let out = kind.make_over(t, dirty(before), &TVMFFIByteArray::new(long))?;
            t.eq("second word", out.aux_word(), 0)?;
            let value = t.own(out);
            t.type_index_eq(
                "type_index where the payload leads",
                t.header(value.handle())?.type_index,
                out.type_index,
            )?;
            let value = t.own(kind.make_over(t, dirty(before), &TVMFFIByteArray::new(b"short"))?);
            if is_small(&value) {
                t.eq("payload", value.any().payload().to_ne_bytes(), *b"short\0\0\0")?;
            }
        }
    }
    Ok(())
}

/// Making a String or Bytes does not release what looks like an object in the result.
#[check(STR_0015)]
fn result_is_not_released(t: &Trial) -> Verdict {
    static ENDS: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn count(_: *mut c_void, _: c_int) {
        ENDS.fetch_add(1, Ordering::Relaxed);
    }
    let one_of_each = 1 << 32 | 1;
    for kind in KINDS {
        for text in [&b"short"[..], b"rather longer"] {
            let mut object = TVMFFIObject {
                combined_ref_count: one_of_each,
                type_index: kind.object,
                __padding: 0,
                deleter: Some(count),
            };
            let object = &raw mut object;
            let before = TVMFFIAny::new(kind.object, object as u64);
            t.own(kind.make_over(t, before, &TVMFFIByteArray::new(text))?);
            t.eq("how often the earlier object was ended", ENDS.load(Ordering::Relaxed), 0)?;
            t.eq("counts of the earlier object", t.header(object.cast())?.combined_ref_count, one_of_each)?;
        }
    }
    Ok(())
}

/// Making a String or Bytes of NULL data with a length above 0 is refused with an error.
#[check(STR_0024)]
fn null_data(t: &Trial) -> Verdict {
    for kind in KINDS {
        for size in [1, SMALL, SMALL + 1, 100] {
            let input = TVMFFIByteArray { data: null(), size };
            kind.refuses(t, &input, &mut dirty(kTVMFFINone))?;
        }
    }
    Ok(())
}

/// Making a String or Bytes of a NULL input is refused with an error.
#[check(STR_0025)]
fn null_input(t: &Trial) -> Verdict {
    for kind in KINDS {
        kind.refuses(t, null(), &mut dirty(kTVMFFINone))?;
    }
    Ok(())
}

/// Making a String or Bytes with a NULL result pointer is refused with an error.
#[check(STR_0025)]
fn null_result(t: &Trial) -> Verdict {
    for kind in KINDS {
        for text in [&b"small"[..], b"rather longer"] {
            kind.refuses(t, &TVMFFIByteArray::new(text), null_mut())?;
        }
    }
    Ok(())
}

/// Making a String or Bytes of a length that no memory can hold is refused with an error.
#[check(STR_0026)]
fn too_long(t: &Trial) -> Verdict {
    for kind in KINDS {
        for size in [1 << 62, 1 << 63] {
            let input = TVMFFIByteArray { data: c"short".as_ptr(), size };
            kind.refuses(t, &input, &mut dirty(kTVMFFINone))?;
        }
    }
    Ok(())
}
