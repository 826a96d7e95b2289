//! Strings and bytes: their two forms, their content, and whom it belongs to.
//!
//! What holds for both kinds is asked of both. Whether a value has the right form, the right length and the right bytes
//! are three questions: a check that asks one of them reads the value in a way that does not depend on the others, so
//! that a wrong answer is put down to one clause.

use std::{
    ffi::{c_int, c_void},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::collection::vec;
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, dirty, memory, text_of, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

/// String or Bytes.
struct Kind {
    make: fn(&Api, *const TVMFFIByteArray, *mut TVMFFIAny) -> c_int,
    small: i32,
    object: i32,
}

const STRING: Kind = Kind { make: Api::TVMFFIStringFromByteArray, small: kTVMFFISmallStr, object: kTVMFFIStr };
const BYTES: Kind = Kind { make: Api::TVMFFIBytesFromByteArray, small: kTVMFFISmallBytes, object: kTVMFFIBytes };
const KINDS: [Kind; 2] = [STRING, BYTES];

/// The most bytes that are stored inline.
const SMALL: usize = 7;
/// Lengths that matter: one, both sides of each boundary, and some beyond. No bytes at all are a matter of STR-0011.
const LENGTHS: [usize; 11] = [1, 6, 7, 8, 9, 15, 16, 17, 100, 255, 4096];

impl Kind {
    fn make(&self, t: &Trial, bytes: &[u8]) -> Verdict<Owned> {
        let mut out = TVMFFIAny::NONE;
        t.ok((self.make)(&t.api, &TVMFFIByteArray::new(bytes), &mut out))?;
        Ok(t.own(out))
    }
}

/// A short String is stored inline.
#[check(STR_0001)]
fn small_is_inline(t: &Trial) -> Verdict {
    kind_is_inline(t, &STRING)
}

/// Short Bytes are stored inline.
#[check(STR_0002)]
fn small_bytes_are_inline(t: &Trial) -> Verdict {
    kind_is_inline(t, &BYTES)
}

fn kind_is_inline(t: &Trial, kind: &Kind) -> Verdict {
    for len in 1..=SMALL {
        let text = graffiti(len);
        let value = kind.make(t, &text)?.any();
        t.eq("type_index", value.type_index, kind.small)?;
        t.eq("small_str_len", value.aux_word(), len as u32)?;
        t.eq("v_bytes", &value.payload().to_ne_bytes()[..len], &text)?;
    }
    Ok(())
}

/// A long String is an object of type 65.
#[check(STR_0003)]
fn long_is_an_object(t: &Trial) -> Verdict {
    kind_is_an_object(t, &STRING)
}

/// Long Bytes are an object of type 66.
#[check(STR_0004)]
fn long_bytes_are_an_object(t: &Trial) -> Verdict {
    kind_is_an_object(t, &BYTES)
}

fn kind_is_an_object(t: &Trial, kind: &Kind) -> Verdict {
    for len in LENGTHS.into_iter().filter(|&len| len > SMALL) {
        let value = kind.make(t, &graffiti(len))?;
        t.eq("type_index", value.any().type_index, kind.object)?;
        t.eq("type_index of the object", t.header(value.handle())?.type_index, kind.object)?;
    }
    Ok(())
}

/// Payload bytes that a small string does not use are zero.
#[check(STR_0005)]
fn unused_payload_is_zero(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in 1..=SMALL {
            let mut out = dirty(kTVMFFIFloat);
            t.ok((kind.make)(&t.api, &TVMFFIByteArray::new(&graffiti(len)), &mut out))?;
            let value = t.own(out);
            if is_small(&value) {
                let unused = &out.payload().to_ne_bytes()[len..];
                t.eq(format!("v_bytes from {len} on"), unused, &[0; 8][len..])?;
            }
        }
    }
    Ok(())
}

/// The length of a heap string leaves the NUL out.
#[check(STR_0006)]
fn size_excludes_nul(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in SMALL + 1..=300 {
            let value = kind.make(t, &graffiti(len))?;
            t.eq("size", heap_cell(t, &value)?.size, len)?;
        }
    }
    Ok(())
}

/// Address and length of the content follow the header of a heap string.
#[check(STR_0006)]
fn cell_follows_header(t: &Trial) -> Verdict {
    let text = b"content that only the cell leads to";
    for kind in KINDS {
        let value = kind.make(t, text)?;
        let [data, size]: [u64; 2] = t.cell("the two words behind the header", value.handle())?;
        t.eq("word at 32", size, text.len() as u64)?;
        let content = t.read_bytes("what the word at 24 leads to", data as *const c_void, text.len())?;
        t.eq("content", content.escape_ascii().to_string(), text.escape_ascii().to_string())?;
    }
    Ok(())
}

/// A NUL follows the content of a heap string.
#[check(STR_0007)]
fn heap_ends_with_nul(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in SMALL + 1..=300 {
            // The input has a byte of its own where the copy must have the NUL.
            let text = graffiti(len + 1);
            let value = kind.make(t, &text[..len])?;
            expect_nul(t, &value, len)?;
        }
    }
    Ok(())
}

/// Content of any length is kept.
#[check(STR_0008)]
fn content_of_every_length(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in 1..=300 {
            let text = graffiti(len);
            expect_content(t, &kind.make(t, &text)?, &text)?;
        }
    }
    Ok(())
}

/// Random content is kept.
#[check(STR_0008)]
fn content_at_random(t: &Trial) -> Verdict {
    t.property(vec(1..=u8::MAX, 1..500), |text| {
        KINDS.iter().try_for_each(|kind| expect_content(t, &kind.make(t, text)?, text))
    })
}

/// A mebibyte of content is kept, with its length and its NUL.
#[check(STR_0008, STR_0006, STR_0007)]
fn content_of_a_mebibyte(t: &Trial) -> Verdict {
    let text = graffiti(1 << 20);
    for kind in KINDS {
        let value = kind.make(t, &text)?;
        t.clause(id::STR_0008);
        expect_content(t, &value, &text)?;
        t.clause(id::STR_0006);
        t.eq("size", heap_cell(t, &value)?.size, text.len())?;
        t.clause(id::STR_0007);
        expect_nul(t, &value, text.len())?;
    }
    Ok(())
}

/// A NUL does not end a string.
#[check(STR_0009)]
fn embedded_nul(t: &Trial) -> Verdict {
    let texts: [&[u8]; 8] =
        [b"\0", b"\0\0\0", b"a\0b", b"\0seven_", b"seven_\0", b"\0 and more", b"more and \0", b"one\0two\0\0three\0"];
    for kind in KINDS {
        for text in texts {
            expect_text(t, &kind.make(t, text)?, text)?;
        }
    }
    Ok(())
}

/// NULs anywhere are content.
#[check(STR_0009)]
fn embedded_nul_at_random(t: &Trial) -> Verdict {
    t.property(vec(0..=1_u8, 1..64), |text| {
        KINDS.iter().try_for_each(|kind| expect_text(t, &kind.make(t, text)?, text))
    })
}

/// Every byte but NUL is kept wherever it stands.
#[check(STR_0010)]
fn any_byte(t: &Trial) -> Verdict {
    // NUL has checks of its own.
    for kind in KINDS {
        for byte in 1..=u8::MAX {
            let text = [b'<', byte, b'>'];
            expect_content(t, &kind.make(t, &text)?, &text)?;
        }
        let all = graffiti(255);
        expect_content(t, &kind.make(t, &all)?, &all)?;
    }
    Ok(())
}

/// Text that is not UTF-8 is kept as it is.
#[check(STR_0010)]
fn not_utf_8(t: &Trial) -> Verdict {
    let texts: [&[u8]; 6] = [
        b"caf\xe9",
        b"\xc3",
        b"\xff\xfe\xfd",
        b"\xed\xa0\x80 a lone surrogate",
        b"\xc0\xaf an overlong slash",
        b"cut in the middle \xe2\x82",
    ];
    for kind in KINDS {
        for text in texts {
            expect_text(t, &kind.make(t, text)?, text)?;
        }
    }
    Ok(())
}

/// No bytes make an empty small string.
#[check(STR_0011)]
fn empty(t: &Trial) -> Verdict {
    expect_empty(t, TVMFFIByteArray::new(&b"not to be looked at"[..0]))
}

/// No bytes at NULL make an empty small string.
#[check(STR_0011)]
fn empty_at_null(t: &Trial) -> Verdict {
    expect_empty(t, TVMFFIByteArray::EMPTY)
}

fn expect_empty(t: &Trial, input: TVMFFIByteArray) -> Verdict {
    for kind in KINDS {
        let mut out = dirty(kTVMFFIInt);
        t.ok((kind.make)(&t.api, &input, &mut out))?;
        t.any_eq("the empty value", &out, &TVMFFIAny::new(kind.small, 0))?;
    }
    Ok(())
}

/// The input of a string may be changed and unmapped.
#[check(STR_0012)]
fn copies_its_input(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in LENGTHS {
            let text = graffiti(len);
            let mut input = t.guarded(&text)?;
            let mut out = TVMFFIAny::NONE;
            t.ok((kind.make)(&t.api, &input.array(), &mut out))?;
            let value = t.own(out);
            input.as_mut_slice().fill(b'?');
            expect_content(t, &value, &text)?;
            drop(input);
            expect_content(t, &value, &text)?;
        }
    }
    Ok(())
}

/// Nothing behind the input of a string is read.
#[check(STR_0013)]
fn reads_no_further(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in LENGTHS {
            let input = t.guarded(&graffiti(len))?;
            let mut out = TVMFFIAny::NONE;
            t.ok((kind.make)(&t.api, &input.array(), &mut out))?;
            t.own(out);
        }
    }
    Ok(())
}

/// A string result is written whole.
#[check(STR_0014)]
fn result_is_overwritten(t: &Trial) -> Verdict {
    let long = b"a string that is too long to be stored inline";
    for kind in KINDS {
        for before in kTVMFFINone..kTVMFFIStaticObjectBegin {
            let mut out = dirty(before);
            t.ok((kind.make)(&t.api, &TVMFFIByteArray::new(long), &mut out))?;
            t.eq("second word", out.aux_word(), 0)?;
            let value = t.own(out);
            t.eq("type_index where the payload leads", t.header(value.handle())?.type_index, out.type_index)?;
            let mut out = dirty(before);
            t.ok((kind.make)(&t.api, &TVMFFIByteArray::new(b"short"), &mut out))?;
            let value = t.own(out);
            if is_small(&value) {
                t.eq("payload", out.payload().to_ne_bytes(), *b"short\0\0\0")?;
            }
        }
    }
    Ok(())
}

/// What looks like an object in a string result is not released.
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
            let mut out = TVMFFIAny::new(kind.object, object as u64);
            t.ok((kind.make)(&t.api, &TVMFFIByteArray::new(text), &mut out))?;
            t.own(out);
            t.eq("how often the earlier object was ended", ENDS.load(Ordering::Relaxed), 0)?;
            t.eq("counts of the earlier object", t.header(object.cast())?.combined_ref_count, one_of_each)?;
        }
    }
    Ok(())
}

/// A heap string lies at a multiple of eight.
#[check(STR_0016)]
fn object_is_aligned(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in SMALL + 1..100 {
            let value = kind.make(t, &graffiti(len))?;
            t.eq("address of the object modulo 8", value.handle() as usize % 8, 0)?;
        }
    }
    Ok(())
}

/// The end of a string leaves others of equal content alone.
#[check(STR_0017)]
fn equal_strings_end_apart(t: &Trial) -> Verdict {
    let text = b"one text, made three times over";
    for kind in KINDS {
        let [first, second, third] = [kind.make(t, text)?, kind.make(t, text)?, kind.make(t, text)?];
        drop(first);
        drop(third);
        // Whatever is freed too early is likely to be handed out again.
        let others: Vec<Owned> = (0..16).map(|_| kind.make(t, &graffiti(text.len()))).collect::<Verdict<_>>()?;
        expect_content(t, &second, text)?;
        drop(others);
        expect_content(t, &second, text)?;
    }
    Ok(())
}

/// A string lives until the last of several references is given up.
#[check(STR_0017)]
fn lives_until_last_reference(t: &Trial) -> Verdict {
    let text = b"a text with three owners";
    for kind in KINDS {
        let value = kind.make(t, text)?;
        let before = t.counts(value.handle())?;
        for _ in 0..2 {
            t.ok(t.api.TVMFFIObjectIncRef(value.handle()))?;
        }
        for _ in 0..2 {
            expect_content(t, &value, text)?;
            t.ok(t.api.TVMFFIObjectDecRef(value.handle()))?;
        }
        expect_content(t, &value, text)?;
        t.eq("strong and weak count", t.counts(value.handle())?, before)?;
    }
    Ok(())
}

/// Making and releasing a String leaves nothing.
#[check(STR_0018)]
fn no_growth(t: &Trial) -> Verdict {
    makes_no_growth(t, &STRING)
}

/// Making and releasing Bytes leaves nothing.
#[check(STR_0018)]
fn bytes_no_growth(t: &Trial) -> Verdict {
    makes_no_growth(t, &BYTES)
}

fn makes_no_growth(t: &Trial, kind: &Kind) -> Verdict {
    t.no_growth("making and releasing a small and a heap string", || {
        kind.make(t, b"small")?;
        kind.make(t, b"long enough for the heap").map(drop)
    })
}

/// Several threads make and release strings at once.
#[check(STR_0019)]
fn threads(t: &Trial) -> Verdict {
    t.threads(4, |t, number| {
        for round in 0..150 {
            let text = vec![b'a' + number as u8; 1 + round % 40];
            for kind in KINDS {
                expect_content(t, &kind.make(t, &text)?, &text)?;
            }
        }
        Ok(())
    })
}

/// A string is read and released by another thread than made it.
#[check(STR_0019)]
fn released_by_another_thread(t: &Trial) -> Verdict {
    let text = |index: usize| format!("text number {index}");
    for kind in KINDS {
        let made: Vec<TVMFFIAny> =
            (0..200).map(|index| Ok(kind.make(t, text(index).as_bytes())?.into_any())).collect::<Verdict<_>>()?;
        t.threads(4, |t, number| {
            for (index, &value) in made.iter().enumerate().filter(|(index, _)| index % 4 == number) {
                expect_content(t, &t.own(value), text(index).as_bytes())?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The content of a heap string stays where it is.
#[check(STR_0020)]
fn content_stays(t: &Trial) -> Verdict {
    let text = b"content that a client points to";
    for kind in KINDS {
        let value = kind.make(t, text)?;
        let address = heap_cell(t, &value)?.data;
        for len in 1..200 {
            t.ok(t.api.TVMFFIObjectIncRef(value.handle()))?;
            kind.make(t, &graffiti(len))?;
            t.ok(t.api.TVMFFIObjectDecRef(value.handle()))?;
        }
        t.eq("address of the content", heap_cell(t, &value)?.data, address)?;
        expect_content(t, &value, text)?;
    }
    Ok(())
}

/// An owned value is the same string.
#[check(STR_0021)]
fn view_to_owned(t: &Trial) -> Verdict {
    for kind in KINDS {
        for text in [&b"a"[..], b"seven_b", b"eight_by", b"longer than that"] {
            let made = kind.make(t, text)?;
            let mut out = dirty(kTVMFFIBool);
            t.ok(t.api.TVMFFIAnyViewToOwnedAny(&made.any(), &mut out))?;
            let owned = t.own(out);
            t.eq("type_index", out.type_index, made.any().type_index)?;
            drop(made);
            expect_text(t, &owned, text)?;
        }
    }
    Ok(())
}

/// A function receives the string it is called with.
#[check(STR_0022)]
fn as_argument(t: &Trial) -> Verdict {
    static SEEN: Mutex<Vec<(i32, Option<Vec<u8>>)>> = Mutex::new(Vec::new());
    unsafe extern "C" fn look(_: *mut c_void, args: *const TVMFFIAny, num_args: i32, _: *mut TVMFFIAny) -> c_int {
        let args = (0..num_args as usize).filter_map(|index| memory::read(args.wrapping_add(index)));
        if let Ok(mut seen) = SEEN.lock() {
            seen.extend(args.map(|arg| (arg.type_index, text_of(&arg))));
        }
        0
    }
    let function = t.function(std::ptr::null_mut(), look, None)?;
    let texts: [&[u8]; 4] = [b"a", b"seven_b", b"eight_by", b"longer than that"];
    for kind in KINDS {
        for text in texts {
            let value = kind.make(t, text)?;
            t.call(&function, &[view::int(1), value.any()])?;
            let seen = SEEN.lock().map(|mut seen| std::mem::take(&mut *seen)).unwrap_or_default();
            t.eq("what the function saw", seen.get(1), Some(&(value.any().type_index, Some(text.to_vec()))))?;
        }
    }
    Ok(())
}

/// A caller receives the string that is answered.
#[check(STR_0022)]
fn as_result(t: &Trial) -> Verdict {
    /// Answers its argument, which its table of functions helps it to own.
    unsafe extern "C" fn answer(table: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the check made the function with its table of functions, which outlives it; caller and callee agree on
        // one argument and a result to write.
        let (table, value) = unsafe { (&*table.cast::<FunctionTable>(), *args) };
        if value.type_index >= kTVMFFIStaticObjectBegin
            && let Some(inc_ref) = table.TVMFFIObjectIncRef
        {
            // SAFETY: a live object that the caller of this function holds.
            unsafe { inc_ref(value.payload() as *mut c_void) };
        }
        // SAFETY: as above.
        unsafe { *result = value };
        0
    }
    let table = std::ptr::from_ref(t.api.table()).cast_mut().cast();
    let function = t.function(table, answer, None)?;
    for kind in KINDS {
        for text in [&b"a"[..], b"seven_b", b"eight_by", b"longer than that"] {
            let value = kind.make(t, text)?;
            let result = t.call(&function, &[value.any()])?;
            t.eq("type_index of the result", result.any().type_index, value.any().type_index)?;
            drop(value);
            expect_text(t, &result, text)?;
        }
    }
    Ok(())
}

/// `ffi.String` owns its argument.
#[check(STR_0023)]
fn global_string(t: &Trial) -> Verdict {
    let function = t.global("ffi.String")?;
    for text in [c"small", c"rather longer"] {
        let result = t.call(&function, &[view::c_str(text)])?;
        expect_kind(t, &result, &STRING)?;
        expect_text(t, &result, text.to_bytes())?;
        let again = t.call(&function, &[result.any()])?;
        expect_kind(t, &again, &STRING)?;
        expect_text(t, &again, text.to_bytes())?;
    }
    refuses(t, &function, BYTES.make(t, b"bytes, not text")?.any())?;
    refuses(t, &function, view::int(1))
}

/// `ffi.Bytes` owns its argument.
#[check(STR_0023)]
fn global_bytes(t: &Trial) -> Verdict {
    let function = t.global("ffi.Bytes")?;
    for bytes in [&b"sm\0ll"[..], b"rather\0longer"] {
        let array = TVMFFIByteArray::new(bytes);
        let result = t.call(&function, &[view::byte_array(&array)])?;
        expect_kind(t, &result, &BYTES)?;
        expect_text(t, &result, bytes)?;
        let again = t.call(&function, &[result.any()])?;
        expect_kind(t, &again, &BYTES)?;
        expect_text(t, &again, bytes)?;
    }
    refuses(t, &function, STRING.make(t, b"text, not bytes")?.any())?;
    refuses(t, &function, view::int(1))
}

fn expect_kind(t: &Trial, value: &Owned, kind: &Kind) -> Verdict {
    let got = value.any().type_index;
    let expected = format!("{} or {}", kind.small, kind.object);
    t.that("type_index of the result", got == kind.small || got == kind.object, expected, got)
}

fn refuses(t: &Trial, function: &Owned, argument: TVMFFIAny) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(function, &[argument], &mut result), &["TypeError"]).map(drop)
}

/// A string of NULL data with a length is refused.
#[check(STR_0024)]
fn null_data(t: &Trial) -> Verdict {
    for kind in KINDS {
        for size in [1, SMALL, SMALL + 1, 100] {
            let input = TVMFFIByteArray { data: std::ptr::null(), size };
            t.raises((kind.make)(&t.api, &input, &mut dirty(kTVMFFINone)), &[])?;
        }
    }
    Ok(())
}

/// A string of a NULL input is refused.
#[check(STR_0025)]
fn null_input(t: &Trial) -> Verdict {
    for kind in KINDS {
        t.raises((kind.make)(&t.api, std::ptr::null(), &mut dirty(kTVMFFINone)), &[])?;
    }
    Ok(())
}

/// A string with nowhere to go is refused.
#[check(STR_0025)]
fn null_result(t: &Trial) -> Verdict {
    for kind in KINDS {
        for text in [&b"small"[..], b"rather longer"] {
            t.raises((kind.make)(&t.api, &TVMFFIByteArray::new(text), std::ptr::null_mut()), &[])?;
        }
    }
    Ok(())
}

/// A string longer than memory is refused.
#[check(STR_0026)]
fn too_long(t: &Trial) -> Verdict {
    for kind in KINDS {
        for size in [1 << 62, 1 << 63] {
            let input = TVMFFIByteArray { data: c"short".as_ptr(), size };
            t.raises((kind.make)(&t.api, &input, &mut dirty(kTVMFFINone)), &[])?;
        }
    }
    Ok(())
}

/// Text in which each byte tells where it belongs, and none is NUL.
fn graffiti(len: usize) -> Vec<u8> {
    let mut text = (1..=u8::MAX).collect::<Vec<u8>>().repeat(len.div_ceil(255));
    text.truncate(len);
    text
}

fn is_small(value: &Owned) -> bool {
    [kTVMFFISmallStr, kTVMFFISmallBytes].contains(&value.any().type_index)
}

fn heap_cell(t: &Trial, value: &Owned) -> Verdict<TVMFFIByteArray> {
    t.cell("address and length of the content", value.handle())
}

/// Expects the value to begin with these bytes, in whichever form it is and whatever length it claims.
fn expect_content(t: &Trial, value: &Owned, text: &[u8]) -> Verdict {
    let content = if is_small(value) {
        value.any().payload().to_ne_bytes().into_iter().take(text.len()).collect()
    } else {
        t.read_bytes("content", heap_cell(t, value)?.data.cast(), text.len())?
    };
    expect_same(t, &content, text)
}

/// Expects the value to be these bytes: content and length.
fn expect_text(t: &Trial, value: &Owned, text: &[u8]) -> Verdict {
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
            let around = index.saturating_sub(8)..(index + 8).min(text.len());
            let failure = t.failure(format!("byte {index} of {}", text.len()), text[index], content[index]);
            Err(failure.showing("expected", &text[around.clone()]).showing("got", &content[around]))
        }
    }
}

fn expect_nul(t: &Trial, value: &Owned, len: usize) -> Verdict {
    let end = heap_cell(t, value)?.data.wrapping_add(len);
    t.eq(format!("the byte behind {len} bytes of content"), t.read("the byte behind the content", end)?, 0)
}
