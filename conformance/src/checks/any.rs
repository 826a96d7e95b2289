//! Values and views: what becomes of each kind of view when it is made an owned value.
//!
//! Objects here are homemade, so that the one function under test is the only one that touches their counts.

use std::{
    ffi::{CString, c_void},
    ptr::{dangling_mut, null, null_mut},
};

use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, TypeIndex, Verdict,
        callback::{keep_self, return_none},
        forms, globals,
        homemade::Homemade,
        own_error::error_cell,
        tensor::FLOAT32,
        types, view, written,
    },
    trial::Trial,
};

// ---- plain values ---------------------------------------------------------------------------------------------------

/// A view of None becomes an owned value of sixteen zero bytes.
#[check(ANY_0001)]
fn none(t: &Trial) -> Verdict {
    stays(t, "None", TVMFFIAny::NONE)
}

/// An integer at an edge of its range keeps all 64 bits when its view becomes an owned value.
#[check(ANY_0002)]
fn int(t: &Trial) -> Verdict {
    let powers =
        [31, 32, 53, 62].into_iter().flat_map(|power| [(1 << power) - 1, 1 << power, -(1 << power), (1 << power) + 1]);
    let edges = [0, 1, -1, i64::MIN, i64::MAX, 0x1122_3344_5566_7788].into_iter().chain(powers);
    edges.into_iter().try_for_each(|value| stays(t, "integer", view::int(value)))
}

/// A random 64-bit integer keeps all its bits when its view becomes an owned value.
#[check(ANY_0002)]
fn int_property(t: &Trial) -> Verdict {
    t.property(any::<i64>(), |&value| stays(t, "integer", view::int(value)))
}

/// A boolean keeps its payload of 0 or 1 when its view becomes an owned value.
#[check(ANY_0003)]
fn bool(t: &Trial) -> Verdict {
    [false, true].into_iter().try_for_each(|value| stays(t, "boolean", view::bool(value)))
}

/// A floating-point number, be it an infinity or a NaN, keeps all its bits when its view becomes an owned value.
#[check(ANY_0004)]
fn float(t: &Trial) -> Verdict {
    let quiet_nan_with_payload = f64::from_bits(0x7ff8_1234_5678_9abc);
    let signaling_nan = f64::from_bits(0x7ff0_0000_0000_0001);
    let subnormal = f64::from_bits(1);
    let edges = [0.0, -0.0, 1.5, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
    let edges = edges.into_iter().chain([quiet_nan_with_payload, -quiet_nan_with_payload, signaling_nan, subnormal]);
    edges.into_iter().try_for_each(|value| stays(t, "floating-point number", view::float(value)))
}

/// A pointer, be it NULL, keeps its address when its view becomes an owned value.
#[check(ANY_0005)]
fn pointer(t: &Trial) -> Verdict {
    let addresses = [0, 1, 0x1122_3344_5566_7788, usize::MAX];
    addresses.into_iter().try_for_each(|address| stays(t, "pointer", view::pointer(address as *mut c_void)))
}

/// A data type keeps its code, bits and lanes when its view becomes an owned value.
#[check(ANY_0006)]
fn dtype(t: &Trial) -> Verdict {
    let dtypes = [(kDLInt, 64, 1), (kDLBool, 8, 1), (kDLFloat4_e2m1fn, 4, 2), (0xc1, 0xb2, 0xa1a2), (3, 0, 0)];
    dtypes.into_iter().try_for_each(|(code, bits, lanes)| stays(t, "data type", dtype_view(code, bits, lanes)))
}

/// A device keeps its kind and number when its view becomes an owned value.
#[check(ANY_0007)]
fn device(t: &Trial) -> Verdict {
    let devices = [(kDLCPU, 0), (kDLCUDA, 7), (kDLCUDAHost, 0), (kDLTrn, 0x1122_3344)];
    devices.into_iter().try_for_each(|(kind, number)| stays(t, "device", device_view(kind, number)))
}

/// A borrowed tensor keeps its type index and its address when its view becomes an owned value, and is not touched.
#[check(ANY_0008)]
fn dl_tensor(t: &Trial) -> Verdict {
    let (mut shape, mut strides) = ([2, 3], [3, 1]);
    let tensor = DLTensor {
        data: 0x1122_3344_5566_7788_u64 as *mut c_void,
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 2,
        dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 16,
    };
    stays(t, "borrowed tensor", view::dl_tensor(&tensor))?;
    let untouched = tensor.ndim == 2 && tensor.byte_offset == 16 && shape == [2, 3] && strides == [3, 1];
    t.that("the borrowed tensor", untouched, "untouched", written(&tensor))
}

/// A small string of 0 to 7 bytes keeps all sixteen bytes when its view becomes an owned value.
#[check(ANY_0009)]
fn small_string(t: &Trial) -> Verdict {
    (0..=7).try_for_each(|len| stays(t, "small string", small(kTVMFFISmallStr, &b"abcdefg"[..len])))
}

/// Small bytes, zeros among them, keep all sixteen bytes when their view becomes an owned value.
#[check(ANY_0010)]
fn small_bytes(t: &Trial) -> Verdict {
    let contents: [&[u8]; 6] = [b"", b"\0", b"a\0b", b"\0\0\0\0\0\0\0", b"\xff\xfe\xfd\xfc\xfb\xfa\xf9", b"abc\0"];
    contents.into_iter().try_for_each(|content| stays(t, "small bytes", small(kTVMFFISmallBytes, content)))
}

/// The marker of an unchanged value keeps all sixteen bytes when its view becomes an owned value.
#[check(ANY_0011)]
fn unchanged(t: &Trial) -> Verdict {
    stays(t, "the marker of an unchanged value", TVMFFIAny::new(kTVMFFIUnchanged, 0))
}

/// Expects a view of a plain value to be the same sixteen bytes as an owned value.
fn stays(t: &Trial, what: &str, view: TVMFFIAny) -> Verdict {
    t.any_eq(format_args!("owned {what}"), &convert_unowned(t, &view)?, &view)
}

fn dtype_view(code: u8, bits: u8, lanes: u16) -> TVMFFIAny {
    let mut any = TVMFFIAny::new(kTVMFFIDataType, 0);
    any.value.v_dtype = DLDataType { code, bits, lanes };
    any
}

fn device_view(device_type: i32, device_id: i32) -> TVMFFIAny {
    let mut any = TVMFFIAny::new(kTVMFFIDevice, 0);
    any.value.v_device = DLDevice { device_type, device_id };
    any
}

/// A small string or small bytes of at most seven bytes.
fn small(type_index: i32, content: &[u8]) -> TVMFFIAny {
    forms::inline(type_index, content).unwrap_or(TVMFFIAny::NONE)
}

// ---- borrowed texts -------------------------------------------------------------------------------------------------

/// A C string of any length becomes an owned String of the same text.
#[check(ANY_0012)]
fn raw_string(t: &Trial) -> Verdict {
    lengths().try_for_each(|len| becomes_string(t, &pattern(len)))
}

/// A C string of random characters becomes an owned String of the same text.
#[check(ANY_0012)]
fn raw_string_property(t: &Trial) -> Verdict {
    t.property("[^\0]{0,12}", |text: &String| becomes_string(t, text.as_bytes()))
}

/// A C string of seven bytes or fewer becomes a small string.
#[check(ANY_0013)]
fn raw_string_small(t: &Trial) -> Verdict {
    (0..=7).try_for_each(|len| {
        let text = c_string(&pattern(len));
        let out = convert(t, &view::c_str(&text))?.any();
        t.type_index_eq(format_args!("type index of a string of {len} bytes"), out.type_index, kTVMFFISmallStr)
    })
}

/// Expects a C string of `text` to become an owned String.
fn becomes_string(t: &Trial, text: &[u8]) -> Verdict {
    let source = c_string(text);
    becomes(t, &view::c_str(&source), STRING, text)
}

/// A byte array of any length becomes owned Bytes of the same content.
#[check(ANY_0014)]
fn byte_array(t: &Trial) -> Verdict {
    lengths().try_for_each(|len| becomes_bytes(t, &pattern(len)))
}

/// A byte array of random content, rich in zeros, becomes owned Bytes of the same content.
#[check(ANY_0014)]
fn byte_array_property(t: &Trial) -> Verdict {
    // Zeros are as frequent as all other bytes together.
    let byte = prop_oneof![Just(0), any::<u8>()];
    t.property(vec(byte, 0..20), |content: &Vec<u8>| becomes_bytes(t, content))
}

/// A byte array of seven bytes or fewer becomes small bytes.
#[check(ANY_0015)]
fn byte_array_small(t: &Trial) -> Verdict {
    (0..=7).try_for_each(|len| {
        let content = pattern(len);
        let array = TVMFFIByteArray::new(&content);
        let out = convert(t, &view::byte_array(&array))?.any();
        t.type_index_eq(format_args!("type index of {len} bytes"), out.type_index, kTVMFFISmallBytes)
    })
}

/// A byte array of size 0 becomes empty Bytes when its data is NULL.
#[check(ANY_0016)]
fn byte_array_empty(t: &Trial) -> Verdict {
    becomes(t, &view::byte_array(&TVMFFIByteArray::EMPTY), BYTES, b"")
}

/// Expects a byte array of `content` to become owned Bytes.
fn becomes_bytes(t: &Trial, content: &[u8]) -> Verdict {
    let array = TVMFFIByteArray::new(content);
    becomes(t, &view::byte_array(&array), BYTES, content)
}

type Types = ([i32; 2], &'static str);
const STRING: Types = ([kTVMFFISmallStr, kTVMFFIStr], "11 (a small string) or 65 (String)");
const BYTES: Types = ([kTVMFFISmallBytes, kTVMFFIBytes], "12 (small bytes) or 66 (Bytes)");

/// Expects a view to become an owned value of one of two types, with this content.
fn becomes(t: &Trial, view: &TVMFFIAny, (types, names): Types, content: &[u8]) -> Verdict {
    let out = convert(t, view)?;
    let got = out.any().type_index;
    t.that("type index of the owned value", types.contains(&got), names, TypeIndex(got))?;
    t.eq(format_args!("content of a text of {} bytes", content.len()), t.text(&out.any())?, content.to_vec())
}

/// Lengths around those at which texts change their form or a buffer grows.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=66).chain([127, 255, 1023, 4096, 100_000])
}

/// A String or Bytes in any form that a client can pass becomes an owned value of its kind with the same content.
#[check(ANY_0012, ANY_0014, ANY_0009, ANY_0010, ANY_0018)]
fn every_form(t: &Trial) -> Verdict {
    let texts: [&[u8]; 8] =
        [b"", b"a", b"seven_b", b"eight_by", b"\0", b"a\0b", b"caf\xe9\xff", b"a text of\0more than seven bytes"];
    for text in texts {
        for (forms, types) in [(forms::of_string(text), STRING), (forms::of_bytes(text), BYTES)] {
            for form in forms {
                t.clause(match form.view.type_index {
                    kTVMFFIRawStr => id::ANY_0012,
                    kTVMFFIByteArrayPtr => id::ANY_0014,
                    kTVMFFISmallStr => id::ANY_0009,
                    kTVMFFISmallBytes => id::ANY_0010,
                    _ => id::ANY_0018,
                });
                becomes(t, &form.view, types, text)
                    .map_err(|failure| failure.noting(format!("made of {}", form.name)))?;
            }
        }
    }
    Ok(())
}

/// An owned String or Bytes stays the same when the buffer that it was made of changes.
#[check(ANY_0017)]
fn copies(t: &Trial) -> Verdict {
    for len in [1, 7, 8, 100, 4096, 1 << 16, 1 << 20] {
        let before = pattern(len);
        let mut buffer = c_string(&before).into_bytes_with_nul();
        let text = convert(t, &TVMFFIAny::new(kTVMFFIRawStr, buffer.as_ptr() as u64))?;
        buffer[..len].fill(b'#');
        t.eq(format_args!("String of {len} bytes after its source changed"), t.text(&text.any())?, before.clone())?;

        let mut buffer = before.clone();
        let array = TVMFFIByteArray::new(&buffer);
        let content = convert(t, &view::byte_array(&array))?;
        buffer.fill(b'#');
        t.eq(format_args!("Bytes of {len} bytes after their source changed"), t.text(&content.any())?, before)?;
    }
    Ok(())
}

/// Releasing an owned String or Bytes gives back all the memory that its conversion took, also on a thread that ends.
#[check(ANY_0026, patient = 4)]
fn no_leak(t: &Trial) -> Verdict {
    let (text, array) = (c_string(&pattern(40)), TVMFFIByteArray::new(b"more than seven bytes"));
    let views = [view::c_str(&text), view::byte_array(&array), view::c_str(c"short")];
    t.leaves_nothing("memory taken by conversions", |t| views.iter().try_for_each(|view| convert(t, view).map(drop)))
}

// ---- objects --------------------------------------------------------------------------------------------------------

/// An owned value of an object refers to that very object and holds one strong reference more.
#[check(ANY_0018)]
fn object(t: &Trial) -> Verdict {
    let bytes = TVMFFIByteArray::new(c"a text of the suite's own".to_bytes());
    is_shared(t, &Homemade::new(kTVMFFIObject, ()))?;
    is_shared(t, &Homemade::new(kTVMFFIStr, bytes))?;
    is_shared(t, &Homemade::new(kTVMFFIBytes, bytes))?;
    // Texts that would fit into a value are no others, once a client has made an object of them.
    for len in 0..=16 {
        let text = c_string(&pattern(len));
        for type_index in [kTVMFFIStr, kTVMFFIBytes] {
            is_shared(t, &Homemade::new(type_index, TVMFFIByteArray::new(text.as_bytes())))?;
        }
    }
    is_shared(t, &Homemade::new(kTVMFFIError, error_cell()))?;
    is_shared(t, &Homemade::new(kTVMFFIFunction, function_cell()))?;
    is_shared(t, &Homemade::new(kTVMFFIOpaquePyObject, TVMFFIOpaqueObjectCell { handle: null_mut() }))
}

/// Expects each owned value of an object to hold one strong reference more to it.
fn is_shared<C>(t: &Trial, object: &Homemade<C>) -> Verdict {
    for strong in 2..=10 {
        t.any_eq("owned value", &convert_unowned(t, &object.view())?, &object.view())?;
        t.eq("strong and weak count of the object", object.counts(), (strong, 1))?;
    }
    Ok(())
}

fn function_cell() -> TVMFFIFunctionCell {
    TVMFFIFunctionCell { safe_call: Some(return_none), cpp_call: null_mut() }
}

/// An owned value of any object that the library has made refers to that very object.
#[check(ANY_0018)]
fn object_of_every_type(t: &Trial) -> Verdict {
    let (mut objects, values) = (Vec::new(), [view::int(1), view::int(2)]);
    for make in ["ffi.Array", "ffi.Map", "ffi.Shape", "ffi.List", "ffi.Dict"] {
        if let Some(make) = globals::find(t, make)? {
            objects.extend([t.call(&make, &[])?, t.call(&make, &values)?]);
        }
    }
    objects.extend([
        t.new_error("ValueError", "an error", "")?,
        t.function(null_mut(), return_none, None)?,
        t.opaque(dangling_mut(), keep_self)?,
        t.tensor_of_four(FLOAT32, &[4], [0; 4])?,
        t.call_global("ffi.SystemLib", &[])?,
    ]);
    // The library may keep some of them itself: empty containers, and the system library.
    for object in objects.iter().filter(|object| object.any().type_index >= kTVMFFIStaticObjectBegin) {
        let (strong, weak) = t.counts(object.handle())?;
        let again = convert(t, &object.any())?;
        t.any_eq("the owned value", &again.any(), &object.any())?;
        t.eq("strong and weak count of the object", t.counts(object.handle())?, (strong + 1, weak))?;
    }
    Ok(())
}

/// A String object that becomes an owned value again is shared instead of copied.
#[check(ANY_0018)]
fn object_again(t: &Trial) -> Verdict {
    let text = c_string(&pattern(20));
    let first = convert(t, &view::c_str(&text))?;
    let before = t.counts(first.handle())?;
    let second = convert(t, &first.any())?;
    t.any_eq("the String converted again", &second.any(), &first.any())?;
    t.eq("its strong and weak count", t.counts(first.handle())?, (before.0 + 1, before.1))
}

/// An object gains one strong reference for each owned value that four threads make of it at once.
#[check(ANY_0018, patient = 2)]
fn object_threads(t: &Trial) -> Verdict {
    const THREADS: usize = 4;
    const ROUNDS: usize = 5_000;
    let object = Homemade::new(kTVMFFIObject, ());
    let convert = t.api.bare("TVMFFIAnyViewToOwnedAny", |table| table.TVMFFIAnyViewToOwnedAny);
    t.api.note("TVMFFIAnyViewToOwnedAny(an object) on 4 threads");
    t.threads(THREADS, |t, _| {
        let (view, mut out) = (object.view(), TVMFFIAny::NONE);
        for _ in 0..ROUNDS {
            // SAFETY: a live object and room for the result; the rest is the target's affair.
            t.ok(unsafe { convert(&view, &mut out) })?;
        }
        t.any_eq("owned value", &out, &view)
    })?;
    t.eq("strong and weak count of the object", object.counts(), (1 + (THREADS * ROUNDS) as u32, 1))
}

/// An r-value reference becomes an owned value of its object, leaves the counts unchanged and sets its slot to NULL.
#[check(ANY_0019)]
fn rvalue(t: &Trial) -> Verdict {
    moves(t, &Homemade::new(kTVMFFIObject, ()))?;
    moves(t, &Homemade::new(types::new(t, "verify.Moved"), ()))?;
    for text in [c"", c"a", c"seven_b", c"eight_by"] {
        for type_index in [kTVMFFIStr, kTVMFFIBytes] {
            moves(t, &Homemade::new(type_index, TVMFFIByteArray::new(text.to_bytes())))?;
        }
    }
    moves(t, &Homemade::new(kTVMFFIFunction, function_cell()))?;
    moves(t, &Homemade::new(kTVMFFIOpaquePyObject, TVMFFIOpaqueObjectCell { handle: null_mut() }))
}

/// An r-value reference to an object with other strong or weak references leaves the counts unchanged.
#[check(ANY_0019)]
fn rvalue_shared(t: &Trial) -> Verdict {
    for (strong, weak) in [(2, 1), (1, 2), (1000, 7)] {
        let object = Homemade::new(kTVMFFIObject, ());
        object.set_counts(strong, weak);
        moves(t, &object)?;
    }
    Ok(())
}

/// Expects an r-value reference to move the object out of its slot.
fn moves<C>(t: &Trial, object: &Homemade<C>) -> Verdict {
    let before = object.counts();
    let mut slot = object.handle();
    let out = convert_unowned(t, &rvalue_view(&mut slot))?;
    t.any_eq("owned value", &out, &object.view())?;
    t.eq("the slot afterwards", slot, null_mut())?;
    t.eq("strong and weak count of the object", object.counts(), before)
}

/// An r-value reference that was moved already is refused with an error.
#[check(ANY_0020)]
fn rvalue_twice(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut slot = object.handle();
    let reference = rvalue_view(&mut slot);
    convert_unowned(t, &reference)?;
    refuses(t, &reference)?;
    t.eq("strong and weak count of the object", object.counts(), (1, 1))
}

/// An r-value reference to the object in a slot.
fn rvalue_view(slot: &mut TVMFFIObjectHandle) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(slot) as u64)
}

// ---- the view and the result ----------------------------------------------------------------------------------------

/// A conversion to an owned value leaves the view as it was.
#[check(ANY_0022)]
fn view_stays(t: &Trial) -> Verdict {
    let (text, array) = (c_string(&pattern(20)), TVMFFIByteArray::new(b"nine bytes"));
    let object = Homemade::new(kTVMFFIObject, ());
    let mut slot = object.handle();
    let views = [
        view::int(-1),
        small(kTVMFFISmallBytes, b"a\0b"),
        view::c_str(&text),
        view::byte_array(&array),
        object.view(),
        rvalue_view(&mut slot),
    ];
    for before in views {
        let after = before;
        convert(t, &after).map(Owned::into_any)?;
        t.any_eq("the view after the conversion", &after, &before)?;
    }
    t.eq("the text behind the C string", text.as_bytes(), &pattern(20))
}

/// A conversion to an owned value writes all sixteen bytes of the result.
#[check(ANY_0021)]
fn stale_result(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let values =
        [view::int(7), view::bool(true), dtype_view(kDLInt, 8, 1), small(kTVMFFISmallStr, b"ab"), object.view()];
    for value in [TVMFFIAny::NONE].into_iter().chain(values) {
        t.any_eq("owned value", &convert_over(t, stale(), &value)?, &value)?;
    }
    let text = c_string(b"ab");
    let out = t.own(convert_over(t, stale(), &view::c_str(&text))?);
    t.eq("text of the owned String", t.text(&out.any())?, b"ab".to_vec())?;
    let zero = out.any().type_index != kTVMFFISmallStr || out.any().to_bytes()[10..] == [0; 6];
    t.that("owned small string", zero, "zeros behind the text", format_args!("{:?}", out.any()))
}

/// The second word of an owned value that refers to an object is zero.
#[check(ANY_0023)]
fn object_padding(t: &Trial) -> Verdict {
    let (text, array) = (c_string(&pattern(20)), TVMFFIByteArray::new(b"more than seven bytes"));
    let object = Homemade::new(kTVMFFIObject, ());
    let mut slot = object.handle();
    let views = [view::c_str(&text), view::byte_array(&array), object.view(), rvalue_view(&mut slot)];
    for (view, name) in views.into_iter().zip(["a C string", "a byte array", "an object", "an r-value reference"]) {
        let out = convert_over(t, stale(), &view)?;
        t.eq(format_args!("second word of the owned value of {name}"), out.aux_word(), 0)?;
    }
    Ok(())
}

/// The payload of a small string or small bytes that a conversion makes is zero behind the content.
#[check(ANY_0024)]
fn small_padding(t: &Trial) -> Verdict {
    for len in 0..=7 {
        // What follows the text in the source must not follow it into the value.
        let (text, array) = (c_string(&pattern(len)), TVMFFIByteArray { data: b"bytes!!!".as_ptr().cast(), size: len });
        for view in [view::c_str(&text), view::byte_array(&array)] {
            let out = convert_over(t, stale(), &view)?;
            let rest = &out.to_bytes()[8 + len..];
            let zero = out.type_index >= kTVMFFIStaticObjectBegin || rest.iter().all(|byte| *byte == 0);
            t.that(format_args!("payload behind {len} bytes"), zero, "zeros", format_args!("{rest:x?}"))?;
        }
    }
    Ok(())
}

/// A plain value that a function of the library returns is zero in its unused bytes.
#[check(ANY_0025)]
fn results(t: &Trial) -> Verdict {
    let remove = t.global("ffi.FunctionRemoveGlobal")?;
    let function = t.function(null_mut(), return_none, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"suite.removed"), function.handle(), 0))?;
    let mut removed = stale();
    t.ok(t.try_call(&remove, &[view::c_str(c"suite.removed")], &mut removed))?;
    // What it answers is another clause's: a plain value, or nothing.
    let plain = match removed.type_index {
        kTVMFFINone => TVMFFIAny::NONE,
        kTVMFFIBool => view::bool(removed.payload() != 0),
        other => TVMFFIAny::new(other, removed.payload()),
    };
    t.any_eq("what ffi.FunctionRemoveGlobal answers", &removed, &plain)?;

    let names = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let mut count = stale();
    t.ok(t.try_call(&names, &[view::int(-1)], &mut count))?;
    t.any_eq("number of names that the functor returns", &count, &view::int(count.payload() as i64))
}

/// A conversion that fails leaves no object in the result.
#[check(ANY_0027)]
fn failure(t: &Trial) -> Verdict {
    let mut slot = null_mut();
    let mut out = TVMFFIAny::NONE;
    if t.api.TVMFFIAnyViewToOwnedAny(&rvalue_view(&mut slot), &mut out) == 0 {
        // That it has to fail is another clause.
        return Ok(());
    }
    t.that("type index of the result", out.type_index < kTVMFFIStaticObjectBegin, "below 64", TypeIndex(out.type_index))
}

/// A None whose other twelve bytes are what happened to be there.
fn stale() -> TVMFFIAny {
    let mut any = TVMFFIAny::new(kTVMFFINone, 0xb1b2_b3b4_b5b6_b7b8);
    any.aux.zero_padding = 0xa1a2_a3a4;
    any
}

// ---- what is refused ------------------------------------------------------------------------------------------------

/// TVMFFIAnyViewToOwnedAny refuses a NULL view with an error.
#[check(ANY_0028)]
fn null_view(t: &Trial) -> Verdict {
    refuses(t, null())
}

/// TVMFFIAnyViewToOwnedAny refuses a NULL result pointer with an error.
#[check(ANY_0028)]
fn null_result(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIAnyViewToOwnedAny(&view::int(7), null_mut()), &[]).map(drop)
}

/// TVMFFIAnyViewToOwnedAny refuses a NULL C string with an error.
#[check(ANY_0028)]
fn null_c_string(t: &Trial) -> Verdict {
    refuses(t, &TVMFFIAny::new(kTVMFFIRawStr, 0))
}

/// TVMFFIAnyViewToOwnedAny refuses a byte array of NULL data and a size above 0 with an error.
#[check(ANY_0028)]
fn null_data(t: &Trial) -> Verdict {
    // Of lengths also to which no header can be added.
    for size in [1, 5, 7, 8, 100, 1 << 32, usize::MAX / 2, usize::MAX - 16, usize::MAX] {
        refuses(t, &view::byte_array(&TVMFFIByteArray { data: null(), size }))?;
    }
    Ok(())
}

/// Expects an error instead of an owned value.
fn refuses(t: &Trial, view: *const TVMFFIAny) -> Verdict {
    t.raises(t.api.TVMFFIAnyViewToOwnedAny(view, &mut { TVMFFIAny::NONE }), &[]).map(drop)
}

// ---- conversions and texts ------------------------------------------------------------------------------------------

/// Converts a view, expecting success, and owns the result.
fn convert(t: &Trial, view: &TVMFFIAny) -> Verdict<Owned> {
    Ok(t.own(convert_unowned(t, view)?))
}

/// Converts a view, expecting success; nobody releases the result.
fn convert_unowned(t: &Trial, view: &TVMFFIAny) -> Verdict<TVMFFIAny> {
    convert_over(t, TVMFFIAny::NONE, view)
}

/// Converts a view, expecting success, over what the result holds before; nobody releases the new value.
fn convert_over(t: &Trial, before: TVMFFIAny, view: &TVMFFIAny) -> Verdict<TVMFFIAny> {
    let mut out = before;
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(view, &mut out))?;
    Ok(out)
}

/// Text of which every byte tells its place.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|place| b'!' + (place % 94) as u8).collect()
}

fn c_string(text: &[u8]) -> CString {
    CString::new(text).unwrap_or_default()
}
