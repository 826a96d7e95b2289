//! Values and views: what becomes of each kind of view when it is made an owned value.
//!
//! Objects here are homemade, so that the one function under test is the only one that touches their counts.

use std::ffi::{CString, c_void};

use proptest::prelude::*;
use tvm_ffi_spec::*;

use crate::{trial::{check::{Check, check}, Owned, Trial, Verdict, view}, client::homemade::Homemade};

pub const CHECKS: &[Check] = &[
    check("any.none", "None stays sixteen zero bytes", &["ANY-0001"], none_stays_zero),
    check("any.int", "an integer keeps all its bits", &["ANY-0002"], integers_keep_their_bits),
    check("any.int-property", "any integer keeps all its bits", &["ANY-0002"], any_integer_keeps_its_bits),
    check("any.bool", "a boolean is 0 or 1", &["ANY-0003"], booleans_are_0_or_1),
    check("any.float", "a floating-point number keeps all its bits", &["ANY-0004"], floats_keep_their_bits),
    check("any.pointer", "a pointer keeps its address", &["ANY-0005"], pointers_keep_their_address),
    check("any.dtype", "a data type keeps its fields", &["ANY-0006"], data_types_keep_their_fields),
    check("any.device", "a device keeps its kind and number", &["ANY-0007"], devices_keep_their_fields),
    check("any.dl-tensor", "a borrowed tensor stays a borrowed tensor", &["ANY-0008"], tensor_pointers_stay),
    check("any.small-string", "a small string stays as it is", &["ANY-0009"], small_strings_stay),
    check("any.small-bytes", "small bytes stay as they are", &["ANY-0010"], small_bytes_stay),
    check("any.unchanged", "the marker of an unchanged value stays", &["ANY-0011"], unchanged_stays),
    check("any.raw-string", "a C string of any length becomes a String", &["ANY-0012"], raw_strings_become_strings),
    check("any.raw-string-property", "any C string becomes a String", &["ANY-0012"], any_raw_string_becomes_a_string),
    check("any.raw-string-small", "a short C string becomes a small string", &["ANY-0013"], short_strings_are_small),
    check("any.byte-array", "a byte array of any length becomes Bytes", &["ANY-0014"], byte_arrays_become_bytes),
    check("any.byte-array-property", "any byte array becomes Bytes", &["ANY-0014"], any_byte_array_becomes_bytes),
    check("any.byte-array-small", "a short byte array becomes small bytes", &["ANY-0015"], short_bytes_are_small),
    check("any.byte-array-empty", "an empty byte array may have no address", &["ANY-0016"], no_bytes_at_no_address),
    check("any.copies", "an owned text is a copy", &["ANY-0017"], owned_text_is_a_copy),
    check("any.object", "an owned object is the same with one reference more", &["ANY-0018"], objects_gain_a_reference),
    check("any.object-again", "an owned String is shared, not copied", &["ANY-0018"], owned_strings_are_shared),
    check("any.object-threads", "references are counted from many threads", &["ANY-0018"], objects_on_threads)
        .patient(2),
    check("any.rvalue", "an r-value reference moves its object", &["ANY-0019"], rvalues_move),
    check("any.rvalue-shared", "a moved object keeps its other references", &["ANY-0019"], shared_rvalues_move),
    check("any.rvalue-twice", "moving twice is an error", &["ANY-0020"], rvalues_move_once),
    check("any.stale-result", "all sixteen bytes of the result are written", &["ANY-0021"], stale_results_are_written),
    check("any.view-stays", "the view is not changed", &["ANY-0022"], views_stay),
    check("any.object-padding", "an owned object has a zero second word", &["ANY-0023"], objects_have_zero_padding),
    check("any.small-padding", "a small text ends in zeros", &["ANY-0024"], small_texts_end_in_zeros),
    check("any.results", "values that functions return are clean", &["ANY-0025"], results_are_clean),
    check("any.no-leak", "conversions take nothing for good", &["ANY-0026"], conversions_take_nothing).patient(2),
    check("any.failure", "a failed conversion leaves no object", &["ANY-0027"], failures_leave_no_object),
    check("any.null-view", "a NULL view is refused", &["ANY-0028"], null_view_is_refused),
    check("any.null-result", "a NULL result is refused", &["ANY-0028"], null_result_is_refused),
    check("any.null-c-string", "a NULL C string is refused", &["ANY-0028"], null_c_string_is_refused),
    check("any.null-data", "NULL data of a size above 0 is refused", &["ANY-0028"], null_data_is_refused),
];

fn none_stays_zero(t: &Trial) -> Verdict {
    stays(t, "None", TVMFFIAny::NONE)
}

fn integers_keep_their_bits(t: &Trial) -> Verdict {
    let edges = [0, 1, -1, i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 1 << 32, 0x1122_3344_5566_7788];
    edges.into_iter().try_for_each(|value| stays(t, "integer", view::int(value)))
}

fn any_integer_keeps_its_bits(t: &Trial) -> Verdict {
    t.property(any::<i64>(), |&value| stays(t, "integer", view::int(value)))
}

fn booleans_are_0_or_1(t: &Trial) -> Verdict {
    [false, true].into_iter().try_for_each(|value| stays(t, "boolean", view::bool(value)))
}

fn floats_keep_their_bits(t: &Trial) -> Verdict {
    let quiet_nan_with_payload = f64::from_bits(0x7ff8_1234_5678_9abc);
    let signaling_nan = f64::from_bits(0x7ff0_0000_0000_0001);
    let subnormal = f64::from_bits(1);
    let edges = [0.0, -0.0, 1.5, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
    let edges = edges.into_iter().chain([quiet_nan_with_payload, -quiet_nan_with_payload, signaling_nan, subnormal]);
    edges.into_iter().try_for_each(|value| stays(t, "floating-point number", view::float(value)))
}

fn pointers_keep_their_address(t: &Trial) -> Verdict {
    let addresses = [0, 1, 0x1122_3344_5566_7788, usize::MAX];
    addresses.into_iter().try_for_each(|address| stays(t, "pointer", view::pointer(address as *mut c_void)))
}

fn data_types_keep_their_fields(t: &Trial) -> Verdict {
    let dtypes = [(kDLInt, 64, 1), (kDLBool, 8, 1), (kDLFloat4_e2m1fn, 4, 2), (0xc1, 0xb2, 0xa1a2), (3, 0, 0)];
    dtypes.into_iter().try_for_each(|(code, bits, lanes)| stays(t, "data type", dtype(code, bits, lanes)))
}

fn devices_keep_their_fields(t: &Trial) -> Verdict {
    let devices = [(kDLCPU, 0), (kDLCUDA, 7), (kDLTrn, i32::MAX), (0x1122_3344, -1)];
    devices.into_iter().try_for_each(|(kind, number)| stays(t, "device", device(kind, number)))
}

fn tensor_pointers_stay(t: &Trial) -> Verdict {
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
    t.that("the borrowed tensor", untouched, "untouched", format!("{tensor:?}"))
}

fn small_strings_stay(t: &Trial) -> Verdict {
    (0..=7).try_for_each(|len| stays(t, "small string", small(kTVMFFISmallStr, &b"abcdefg"[..len])))
}

fn small_bytes_stay(t: &Trial) -> Verdict {
    let contents: [&[u8]; 6] = [b"", b"\0", b"a\0b", b"\0\0\0\0\0\0\0", b"\xff\xfe\xfd\xfc\xfb\xfa\xf9", b"abc\0"];
    contents.into_iter().try_for_each(|content| stays(t, "small bytes", small(kTVMFFISmallBytes, content)))
}

fn unchanged_stays(t: &Trial) -> Verdict {
    stays(t, "the marker of an unchanged value", TVMFFIAny::new(kTVMFFIUnchanged, 0))
}

fn raw_strings_become_strings(t: &Trial) -> Verdict {
    let lengths = (0..=66).chain([127, 255, 1023, 4096, 100_000]);
    lengths.into_iter().try_for_each(|len| becomes_string(t, &pattern(len)))
}

fn any_raw_string_becomes_a_string(t: &Trial) -> Verdict {
    t.property("[^\0]{0,12}", |text: &String| becomes_string(t, text.as_bytes()))
}

fn short_strings_are_small(t: &Trial) -> Verdict {
    (0..=7).try_for_each(|len| {
        let text = c_string(&pattern(len));
        let out = convert(t, &view::c_str(&text))?.any();
        t.eq(format!("type index of a string of {len} bytes"), out.type_index, kTVMFFISmallStr)
    })
}

fn byte_arrays_become_bytes(t: &Trial) -> Verdict {
    let lengths = (0..=66).chain([127, 255, 1023, 4096, 100_000]);
    lengths.into_iter().try_for_each(|len| becomes_bytes(t, &pattern(len)))
}

fn any_byte_array_becomes_bytes(t: &Trial) -> Verdict {
    // Zeros are as frequent as all other bytes together.
    let byte = prop_oneof![Just(0), any::<u8>()];
    t.property(prop::collection::vec(byte, 0..20), |content: &Vec<u8>| becomes_bytes(t, content))
}

fn short_bytes_are_small(t: &Trial) -> Verdict {
    (0..=7).try_for_each(|len| {
        let content = pattern(len);
        let array = TVMFFIByteArray::new(&content);
        let out = convert(t, &view::byte_array(&array))?.any();
        t.eq(format!("type index of {len} bytes"), out.type_index, kTVMFFISmallBytes)
    })
}

fn no_bytes_at_no_address(t: &Trial) -> Verdict {
    let out = convert(t, &view::byte_array(&TVMFFIByteArray::EMPTY))?;
    is_bytes(t, &out.any(), b"")
}

fn owned_text_is_a_copy(t: &Trial) -> Verdict {
    for len in [1, 7, 8, 100] {
        let before = pattern(len);
        let mut buffer = c_string(&before).into_bytes_with_nul();
        let text = convert(t, &TVMFFIAny::new(kTVMFFIRawStr, buffer.as_ptr() as u64))?;
        buffer[..len].fill(b'#');
        t.eq(format!("String of {len} bytes after its source changed"), t.text(&text.any())?, before.clone())?;

        let mut buffer = before.clone();
        let array = TVMFFIByteArray::new(&buffer);
        let content = convert(t, &view::byte_array(&array))?;
        buffer.fill(b'#');
        t.eq(format!("Bytes of {len} bytes after their source changed"), t.text(&content.any())?, before)?;
    }
    Ok(())
}

fn objects_gain_a_reference(t: &Trial) -> Verdict {
    for type_index in [kTVMFFIObject, kTVMFFIStr, kTVMFFIOpaquePyObject] {
        let object = Homemade::new(type_index, ());
        for strong in 2..=10 {
            t.any_eq("owned value", &convert_unowned(t, &object.view())?, &object.view())?;
            t.eq("strong and weak count of the object", object.counts(), (strong, 1))?;
        }
    }
    Ok(())
}

fn owned_strings_are_shared(t: &Trial) -> Verdict {
    let text = c_string(&pattern(20));
    let first = convert(t, &view::c_str(&text))?;
    let second = convert(t, &first.any())?;
    t.any_eq("the String converted again", &second.any(), &first.any())?;
    t.eq("its strong and weak count", t.counts(first.handle())?, (2, 1))
}

fn objects_on_threads(t: &Trial) -> Verdict {
    const THREADS: usize = 4;
    const ROUNDS: usize = 5_000;
    let object = Homemade::new(kTVMFFIObject, ());
    let Some(convert) = t.api.table().TVMFFIAnyViewToOwnedAny else { return Ok(()) };
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

fn rvalues_move(t: &Trial) -> Verdict {
    for type_index in [kTVMFFIObject, kTVMFFIFunction, kTVMFFIOpaquePyObject] {
        moves(t, &Homemade::new(type_index, ()))?;
    }
    Ok(())
}

fn shared_rvalues_move(t: &Trial) -> Verdict {
    for (strong, weak) in [(2, 1), (1, 2), (1000, 7)] {
        let object = Homemade::new(kTVMFFIObject, ());
        object.set_counts(strong, weak);
        moves(t, &object)?;
    }
    Ok(())
}

fn rvalues_move_once(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut slot = object.handle();
    let reference = rvalue(&mut slot);
    convert_unowned(t, &reference)?;
    let mut out = TVMFFIAny::NONE;
    t.raises(t.api.TVMFFIAnyViewToOwnedAny(&reference, &mut out), &[])?;
    t.eq("strong and weak count of the object", object.counts(), (1, 1))
}

fn stale_results_are_written(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let values = [view::int(7), view::bool(true), dtype(kDLInt, 8, 1), small(kTVMFFISmallStr, b"ab"), object.view()];
    for value in [TVMFFIAny::NONE].into_iter().chain(values) {
        let mut out = stale();
        t.ok(t.api.TVMFFIAnyViewToOwnedAny(&value, &mut out))?;
        t.any_eq("owned value", &out, &value)?;
    }
    let text = c_string(b"ab");
    let mut out = stale();
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(&view::c_str(&text), &mut out))?;
    let out = t.own(out);
    t.eq("text of the owned String", t.text(&out.any())?, b"ab".to_vec())?;
    let zero = out.any().type_index != kTVMFFISmallStr || out.any().to_bytes()[10..] == [0; 6];
    t.that("owned small string", zero, "zeros behind the text", format!("{:?}", out.any()))
}

fn views_stay(t: &Trial) -> Verdict {
    let (text, array) = (c_string(&pattern(20)), TVMFFIByteArray::new(b"nine bytes"));
    let object = Homemade::new(kTVMFFIObject, ());
    let mut slot = object.handle();
    let views = [
        view::int(-1),
        small(kTVMFFISmallBytes, b"a\0b"),
        view::c_str(&text),
        view::byte_array(&array),
        object.view(),
        rvalue(&mut slot),
    ];
    for before in views {
        let after = before;
        convert(t, &after).map(Owned::into_any)?;
        t.any_eq("the view after the conversion", &after, &before)?;
    }
    t.eq("the text behind the C string", text.as_bytes(), &pattern(20))
}

fn objects_have_zero_padding(t: &Trial) -> Verdict {
    let (text, array) = (c_string(&pattern(20)), TVMFFIByteArray::new(b"more than seven bytes"));
    let object = Homemade::new(kTVMFFIObject, ());
    let mut slot = object.handle();
    let views = [view::c_str(&text), view::byte_array(&array), object.view(), rvalue(&mut slot)];
    for (view, name) in views.into_iter().zip(["a C string", "a byte array", "an object", "an r-value reference"]) {
        let mut out = stale();
        t.ok(t.api.TVMFFIAnyViewToOwnedAny(&view, &mut out))?;
        t.eq(format!("second word of the owned value of {name}"), out.aux_word(), 0)?;
    }
    Ok(())
}

fn small_texts_end_in_zeros(t: &Trial) -> Verdict {
    for len in 0..=7 {
        // What follows the text in the source must not follow it into the value.
        let (text, array) = (c_string(&pattern(len)), TVMFFIByteArray { data: b"bytes!!!".as_ptr().cast(), size: len });
        for view in [view::c_str(&text), view::byte_array(&array)] {
            let mut out = stale();
            t.ok(t.api.TVMFFIAnyViewToOwnedAny(&view, &mut out))?;
            let rest = &out.to_bytes()[8 + len..];
            let zero = out.type_index >= kTVMFFIStaticObjectBegin || rest.iter().all(|byte| *byte == 0);
            t.that(format!("payload behind {len} bytes"), zero, "zeros", format!("{rest:x?}"))?;
        }
    }
    Ok(())
}

fn results_are_clean(t: &Trial) -> Verdict {
    let remove = t.global("ffi.FunctionRemoveGlobal")?;
    let mut removed = stale();
    t.ok(t.try_call(&remove, &[view::c_str(c"suite.never_registered")], &mut removed))?;
    t.any_eq("boolean that ffi.FunctionRemoveGlobal returns", &removed, &view::bool(false))?;

    let names = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let mut count = stale();
    t.ok(t.try_call(&names, &[view::int(-1)], &mut count))?;
    t.any_eq("number of names that the functor returns", &count, &view::int(count.payload() as i64))
}

fn conversions_take_nothing(t: &Trial) -> Verdict {
    let (text, array) = (c_string(&pattern(40)), TVMFFIByteArray::new(b"more than seven bytes"));
    let views = [view::c_str(&text), view::byte_array(&array), view::c_str(c"short")];
    t.no_growth("memory taken by conversions", || views.iter().try_for_each(|view| convert(t, view).map(drop)))
}

fn failures_leave_no_object(t: &Trial) -> Verdict {
    let mut slot = std::ptr::null_mut();
    let mut out = TVMFFIAny::NONE;
    if t.api.TVMFFIAnyViewToOwnedAny(&rvalue(&mut slot), &mut out) == 0 {
        // That it has to fail is another clause.
        return Ok(());
    }
    t.that("type index of the result", out.type_index < kTVMFFIStaticObjectBegin, "below 64", out.type_index)
}

fn null_view_is_refused(t: &Trial) -> Verdict {
    let mut out = TVMFFIAny::NONE;
    t.raises(t.api.TVMFFIAnyViewToOwnedAny(std::ptr::null(), &mut out), &[]).map(drop)
}

fn null_result_is_refused(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIAnyViewToOwnedAny(&view::int(7), std::ptr::null_mut()), &[]).map(drop)
}

fn null_c_string_is_refused(t: &Trial) -> Verdict {
    let mut out = TVMFFIAny::NONE;
    t.raises(t.api.TVMFFIAnyViewToOwnedAny(&TVMFFIAny::new(kTVMFFIRawStr, 0), &mut out), &[]).map(drop)
}

fn null_data_is_refused(t: &Trial) -> Verdict {
    let nothing = TVMFFIByteArray { data: std::ptr::null(), size: 5 };
    let mut out = TVMFFIAny::NONE;
    t.raises(t.api.TVMFFIAnyViewToOwnedAny(&view::byte_array(&nothing), &mut out), &[]).map(drop)
}

/// Converts a view, expecting success, and owns the result.
fn convert(t: &Trial, view: &TVMFFIAny) -> Verdict<Owned> {
    Ok(t.own(convert_unowned(t, view)?))
}

/// Converts a view, expecting success; nobody releases the result.
fn convert_unowned(t: &Trial, view: &TVMFFIAny) -> Verdict<TVMFFIAny> {
    let mut out = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(view, &mut out))?;
    Ok(out)
}

/// Expects a view of a plain value to be the same sixteen bytes as an owned value.
fn stays(t: &Trial, what: &str, view: TVMFFIAny) -> Verdict {
    t.any_eq(format!("owned {what}"), &convert_unowned(t, &view)?, &view)
}

/// Expects a C string of `text` to become an owned String.
fn becomes_string(t: &Trial, text: &[u8]) -> Verdict {
    let source = c_string(text);
    let out = convert(t, &view::c_str(&source))?;
    let is_string = matches!(out.any().type_index, kTVMFFISmallStr | kTVMFFIStr);
    t.that("type index of the owned value", is_string, "11 (a small string) or 65 (String)", out.any().type_index)?;
    t.eq(format!("text of a C string of {} bytes", text.len()), t.text(&out.any())?, text.to_vec())
}

/// Expects a byte array of `content` to become owned Bytes.
fn becomes_bytes(t: &Trial, content: &[u8]) -> Verdict {
    let array = TVMFFIByteArray::new(content);
    let out = convert(t, &view::byte_array(&array))?;
    is_bytes(t, &out.any(), content)
}

fn is_bytes(t: &Trial, value: &TVMFFIAny, content: &[u8]) -> Verdict {
    let is_bytes = matches!(value.type_index, kTVMFFISmallBytes | kTVMFFIBytes);
    t.that("type index of the owned value", is_bytes, "12 (small bytes) or 66 (Bytes)", value.type_index)?;
    t.eq(format!("content of a byte array of {} bytes", content.len()), t.text(value)?, content.to_vec())
}

/// Expects an r-value reference to move the object out of its slot.
fn moves(t: &Trial, object: &Homemade) -> Verdict {
    let before = object.counts();
    let mut slot = object.handle();
    let out = convert_unowned(t, &rvalue(&mut slot))?;
    t.any_eq("owned value", &out, &object.view())?;
    t.eq("the slot afterwards", slot, std::ptr::null_mut())?;
    t.eq("strong and weak count of the object", object.counts(), before)
}

fn rvalue(slot: &mut TVMFFIObjectHandle) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(slot) as u64)
}

fn dtype(code: u8, bits: u8, lanes: u16) -> TVMFFIAny {
    let mut any = TVMFFIAny::new(kTVMFFIDataType, 0);
    any.value.v_dtype = DLDataType { code, bits, lanes };
    any
}

fn device(device_type: i32, device_id: i32) -> TVMFFIAny {
    let mut any = TVMFFIAny::new(kTVMFFIDevice, 0);
    any.value.v_device = DLDevice { device_type, device_id };
    any
}

/// A small string or small bytes, made by hand.
fn small(type_index: i32, content: &[u8]) -> TVMFFIAny {
    let mut payload = [0; 8];
    payload[..content.len()].copy_from_slice(content);
    let mut any = TVMFFIAny::new(type_index, u64::from_ne_bytes(payload));
    any.aux.small_str_len = content.len() as u32;
    any
}

/// A None whose other twelve bytes are what happened to be there.
fn stale() -> TVMFFIAny {
    let mut any = TVMFFIAny::new(kTVMFFINone, 0xb1b2_b3b4_b5b6_b7b8);
    any.aux.zero_padding = 0xa1a2_a3a4;
    any
}

/// Text of which every byte tells its place.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|place| b'!' + (place % 94) as u8).collect()
}

fn c_string(text: &[u8]) -> CString {
    CString::new(text).unwrap_or_default()
}
