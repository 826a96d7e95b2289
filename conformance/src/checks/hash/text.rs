//! The hash and the equality of Strings and Bytes in both forms.

use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::*;

use super::kit::{dense_of, finds_each};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            hash,
            keys::text_object,
            numbers::{flattened, up_to},
        },
        forms,
        homemade::Homemade,
        near, view,
    },
    trial::Trial,
};

/// The texts are parts of this.
const TEXT: &[u8] = b"The quick brown fox jumps over the lazy dog, 0123456789 times \xff\x80\x00 and back again.";

/// The hash of a String of up to seven bytes is that of its content.
#[check(HSH_0002)]
fn small_strings(t: &Trial) -> Verdict {
    let high = [b"\xff".as_slice(), b"\x80\0", b"\0", b"\0\0\0\0\0\0\0", b"\xff\xff\xff\xff\xff\xff\xff"];
    let texts: Vec<_> = (0..=7).map(|len| &TEXT[..len]).chain(high).collect();
    // In the small form, and in that which the library has for them.
    let small: Vec<_> = texts.iter().filter_map(|text| forms::inline(kTVMFFISmallStr, text)).collect();
    dense_of(t, &small)?;
    let made: Vec<_> = texts.iter().map(|text| t.string(text)).collect::<Verdict<_>>()?;
    dense_of(t, &made.iter().map(Owned::any).collect::<Vec<_>>()).map(drop)
}

/// The hash of a String object of any length up to 64 bytes is that of its content.
#[check(HSH_0002)]
fn heap_strings(t: &Trial) -> Verdict {
    let texts: Vec<_> = (8..=64).map(|len| t.string(&TEXT[len % 8..len % 8 + len])).collect::<Verdict<_>>()?;
    dense_of(t, &texts.iter().map(Owned::any).collect::<Vec<_>>())?;
    let short: Vec<_> = (0..=7).map(|len| text_object(kTVMFFIStr, &TEXT[..len])).collect();
    dense_of(t, &short.iter().map(Homemade::view).collect::<Vec<_>>()).map(drop)
}

/// The hash of a String of random bytes is that of its content.
#[check(HSH_0002, patient = 2)]
fn any_strings(t: &Trial) -> Verdict {
    t.property(vec(vec(any::<u8>(), 0..40), 5..12), |texts| {
        let distinct: std::collections::BTreeSet<&[u8]> =
            texts.iter().map(Vec::as_slice).chain([&b"a"[..], b"b", b"c", b"d", b"e"]).collect();
        let kept: Vec<_> = distinct.into_iter().map(|text| t.string(text)).collect::<Verdict<_>>()?;
        dense_of(t, &kept.iter().map(Owned::any).collect::<Vec<_>>()).map(drop)
    })
}

/// The hash of Bytes of any length up to 40 is that of their content.
#[check(HSH_0003)]
fn bytes(t: &Trial) -> Verdict {
    let kept: Vec<_> = (0..=40).map(|len| t.bytes(&TEXT[..len])).collect::<Verdict<_>>()?;
    dense_of(t, &kept.iter().map(Owned::any).collect::<Vec<_>>()).map(drop)
}

/// The content of a String key is what its data pointer leads to, wherever that is.
#[check(HSH_0004)]
fn elsewhere(t: &Trial) -> Verdict {
    // A client may keep the text of a String anywhere; directly behind the cell is something else.
    let cell = |text: &'static [u8]| [text.as_ptr() as u64, text.len() as u64, u64::from_ne_bytes(*b"not text")];
    let keys = [b"text one\0".as_slice(), b"text two\0", b"text three\0", b"4\0", b"\0"]
        .map(|text| Homemade::new(kTVMFFIStr, cell(&text[..text.len() - 1])));
    let map = dense_of(t, &keys.each_ref().map(Homemade::view))?;
    for (index, text) in [c"text one", c"text two", c"text three", c"4", c""].into_iter().enumerate() {
        let found = t.call_int("ffi.MapGetItem", &[map.any(), view::c_str(text)])?;
        t.eq(format_args!("value of {text:?}"), found, index as i64)?;
    }
    Ok(())
}

/// A small String and a String object of the same content are one key of a small Map.
#[check(HSH_0005)]
fn two_forms(t: &Trial) -> Verdict {
    for text in [&b""[..], b"a", b"\0", b"a\0b", b"a\0", b"seven_b"] {
        let (Some(small), heap) = (forms::inline(kTVMFFISmallStr, text), text_object(kTVMFFIStr, text)) else {
            continue;
        };
        t.same_key(&[small], &heap.view(), Some(0))?;
        t.same_key(&[heap.view()], &small, Some(0))?;
        for (kept, asked) in [(small, heap.view()), (heap.view(), small)] {
            let map = t.call_global("ffi.Map", &[kept, view::int(7)])?;
            t.eq(format_args!("value of {asked:?}"), t.call_int("ffi.MapGetItem", &[map.any(), asked])?, 7)?;
            let both = t.call_global("ffi.Map", &[kept, view::int(1), asked, view::int(2)])?;
            t.eq("size of a Map of both forms", t.call_int("ffi.MapSize", &[both.any()])?, 1)?;
        }
    }
    Ok(())
}

/// A small String and a String object of the same content are one key of a dense Map.
#[check(HSH_0005)]
fn two_forms_dense(t: &Trial) -> Verdict {
    let texts: [&[u8]; 6] = [b"", b"a", b"ab", b"abc", b"sixsix", b"seven_b"];
    let small: Vec<_> = texts.iter().map(|text| t.string(text)).collect::<Verdict<_>>()?;
    let heap = texts.map(|text| text_object(kTVMFFIStr, text));
    let small: Vec<_> = small.iter().map(Owned::any).collect();
    let heap = heap.each_ref().map(Homemade::view);
    for (kept, asked) in [(&small[..], &heap[..]), (&heap[..], &small[..])] {
        let map = dense_of(t, kept)?;
        for (index, key) in asked.iter().enumerate() {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), *key])?;
            t.eq(format_args!("value of {key:?}"), found, index as i64)?;
        }
    }
    Ok(())
}

/// Small Bytes and a Bytes object of the same content are one key.
#[check(HSH_0005)]
fn two_forms_of_bytes(t: &Trial) -> Verdict {
    for content in [&b""[..], b"\0", b"a\0b", b"\xff\0\0\0\0\0\0"] {
        let (small, heap) = (t.bytes(content)?, text_object(kTVMFFIBytes, content));
        t.same_key(&[small.any()], &heap.view(), Some(0))?;
        t.same_key(&[heap.view()], &small.any(), Some(0))?;
    }
    let (small, heap) = (t.bytes(b"a\0b")?, text_object(kTVMFFIBytes, b"a\0b"));
    for others in [0, 10] {
        for (kept, asked) in [(small.any(), heap.view()), (heap.view(), small.any())] {
            let mut args = vec![kept, view::int(7)];
            args.extend(flattened(&up_to(others)));
            let map = t.call_global("ffi.Map", &args)?;
            t.eq("value of the other form", t.call_int("ffi.MapGetItem", &[map.any(), asked])?, 7)?;
        }
    }
    Ok(())
}

/// Strings that differ in length or in any byte, also behind a NUL, are different keys.
#[check(HSH_0006)]
fn similar_texts(t: &Trial) -> Verdict {
    let texts: [&[u8]; 10] = [
        b"",
        b"\0",
        b"\0\0",
        b"a",
        b"a\0",
        b"A",
        b"a text that is",
        b"a text that is\0",
        b"a text that iS",
        b"b text that is",
    ];
    let kept: Vec<_> = texts.iter().map(|text| t.string(text)).collect::<Verdict<_>>()?;
    let heap = texts.map(|text| text_object(kTVMFFIStr, text));
    let map = dense_of(t, &kept.iter().map(Owned::any).collect::<Vec<_>>())?;
    for (index, key) in heap.iter().enumerate() {
        let found = t.call_int("ffi.MapGetItem", &[map.any(), key.view()])?;
        t.eq(format_args!("value of \"{}\"", texts[index].escape_ascii()), found, index as i64)?;
    }
    finds_each(t, &kept.iter().map(Owned::any).collect::<Vec<_>>())?;
    finds_each(t, &heap.each_ref().map(Homemade::view))
}

/// Strings, and Bytes, of different content that have one hash are different keys, in either form.
#[check(HSH_0006)]
fn texts_of_one_hash(t: &Trial) -> Verdict {
    t.short_backtraces();
    let longer = near::texts_of_one_hash().into_iter().map(|[one, other]| (one, other));
    for (content, other) in hash::collisions().into_iter().chain(longer) {
        t.eq("hashes of the two contents, by the suite", hash::of_bytes(&content), hash::of_bytes(&other))?;
        for (object, small) in [(kTVMFFIStr, t.string(&content)?), (kTVMFFIBytes, t.bytes(&content)?)] {
            let (one, another) = (text_object(object, &content), text_object(object, &other));
            for one in [one.view(), small.any()] {
                t.same_key(&[one], &another.view(), None)?;
                t.same_key(&[one, another.view()], &another.view(), Some(1))?;
            }
        }
    }
    Ok(())
}

/// A String and Bytes of the same content are different keys.
#[check(HSH_0007)]
fn string_and_bytes(t: &Trial) -> Verdict {
    for text in [&b"abc"[..], b"a text that is not short"] {
        let (string, bytes) = (t.string(text)?, t.bytes(text)?);
        for others in [0, 10] {
            let mut args = vec![string.any(), view::int(-1), bytes.any(), view::int(-2)];
            args.extend(flattened(&up_to(others)));
            let map = t.call_global("ffi.Map", &args)?;
            t.global_answers("ffi.MapSize", &[map.any()], 2 + others)?;
            t.eq("value of the String", t.call_int("ffi.MapGetItem", &[map.any(), string.any()])?, -1)?;
            t.eq("value of the Bytes", t.call_int("ffi.MapGetItem", &[map.any(), bytes.any()])?, -2)?;
        }
        finds_each(t, &[string.any(), bytes.any()])?;
    }
    Ok(())
}
