//! The two forms: inline, and an object on the heap.

use std::ffi::{CString, c_void};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{TypeIndex, Verdict, dirty, globals, view},
    trial::Trial,
};

/// A String of seven bytes or fewer has the layout of the form that its type index names.
#[check(STR_0001)]
fn small_string_layout(t: &Trial) -> Verdict {
    form_is_kept(t, &STRING)
}

/// Bytes of seven bytes or fewer have the layout of the form that their type index names.
#[check(STR_0002)]
fn small_bytes_layout(t: &Trial) -> Verdict {
    form_is_kept(t, &BYTES)
}

fn form_is_kept(t: &Trial, kind: &Kind) -> Verdict {
    for len in 1..=SMALL {
        let text = graffiti(len);
        let value = kind.make(t, &text)?;
        let any = value.any();
        let named = [kind.small, kind.object].contains(&any.type_index);
        let expected = format!("{} or {}", TypeIndex(kind.small), TypeIndex(kind.object));
        t.that("type_index", named, expected, TypeIndex(any.type_index))?;
        if any.type_index == kind.small {
            t.eq("small_str_len", any.aux_word(), len as u32)?;
            t.eq("v_bytes", &any.payload().to_ne_bytes()[..len], &text)?;
        } else {
            t.type_index_eq("type_index of the object", t.header(value.handle())?.type_index, kind.object)?;
            t.eq("size in the object's cell", heap_cell(t, &value)?.size, len)?;
            expect_content(t, &value, &text)?;
        }
    }
    Ok(())
}

/// A String of seven bytes or fewer is stored inline.
#[check(STR_0027)]
fn small_is_inline(t: &Trial) -> Verdict {
    kind_is_inline(t, &STRING)
}

/// Bytes of seven bytes or fewer are stored inline.
#[check(STR_0027)]
fn small_bytes_are_inline(t: &Trial) -> Verdict {
    kind_is_inline(t, &BYTES)
}

fn kind_is_inline(t: &Trial, kind: &Kind) -> Verdict {
    for len in 0..=SMALL {
        let value = kind.make(t, &graffiti(len))?;
        t.type_index_eq(format_args!("type_index of {len} bytes"), value.any().type_index, kind.small)?;
    }
    Ok(())
}

/// The payload bytes that a small string or small bytes do not use are zero.
#[check(STR_0005)]
fn unused_payload_is_zero(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in 1..=SMALL {
            let value = t.own(kind.make_over(t, dirty(kTVMFFIFloat), &TVMFFIByteArray::new(&graffiti(len)))?);
            if is_small(&value) {
                let unused = &value.any().payload().to_ne_bytes()[len..];
                t.eq(format_args!("v_bytes from {len} on"), unused, &[0; 8][len..])?;
            }
        }
    }
    Ok(())
}

/// An input of length 0 makes an empty String or Bytes.
#[check(STR_0011)]
fn empty(t: &Trial) -> Verdict {
    expect_empty(t, TVMFFIByteArray::new(&b"not to be looked at"[..0]))
}

/// An input of length 0 with NULL data makes an empty String or Bytes.
#[check(STR_0011)]
fn empty_at_null(t: &Trial) -> Verdict {
    expect_empty(t, TVMFFIByteArray::EMPTY)
}

fn expect_empty(t: &Trial, input: TVMFFIByteArray) -> Verdict {
    for kind in KINDS {
        let value = t.own(kind.make_over(t, dirty(kTVMFFIInt), &input)?);
        let got = value.any();
        if is_small(&value) {
            t.any_eq("the empty value", &got, &TVMFFIAny::new(kind.small, 0))?;
        } else {
            t.type_index_eq("type_index of the empty value", got.type_index, kind.object)?;
            t.eq("length of the empty value", t.text(&got)?.len(), 0)?;
        }
    }
    Ok(())
}

/// A String of more than seven bytes is an object of type index 65.
#[check(STR_0003)]
fn long_is_an_object(t: &Trial) -> Verdict {
    kind_is_an_object(t, &STRING)
}

/// Bytes of more than seven bytes are an object of type index 66.
#[check(STR_0004)]
fn long_bytes_are_an_object(t: &Trial) -> Verdict {
    kind_is_an_object(t, &BYTES)
}

fn kind_is_an_object(t: &Trial, kind: &Kind) -> Verdict {
    for len in LENGTHS.into_iter().filter(|&len| len > SMALL) {
        let value = kind.make(t, &graffiti(len))?;
        t.type_index_eq("type_index", value.any().type_index, kind.object)?;
        t.type_index_eq("type_index of the object", t.header(value.handle())?.type_index, kind.object)?;
    }
    Ok(())
}

/// The object of a heap String or Bytes lies at a multiple of eight.
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

/// The address and then the length of the content follow the header of a heap String or Bytes.
#[check(STR_0006, lays = TVMFFIByteArray)]
fn cell_follows_header(t: &Trial) -> Verdict {
    let text = b"content that only the cell leads to";
    for kind in KINDS {
        let value = kind.make(t, text)?;
        t.looks_at::<TVMFFIByteArray>();
        let [data, size]: [u64; 2] = t.cell("the two words behind the header", value.handle())?;
        t.eq("word at 32", size, text.len() as u64)?;
        let content = t.read_bytes("what the word at 24 leads to", data as *const c_void, text.len())?;
        t.eq("content", content.escape_ascii().to_string(), text.escape_ascii().to_string())?;
    }
    Ok(())
}

/// The length in the cell of a heap String or Bytes leaves the NUL out.
#[check(STR_0006)]
fn size_excludes_nul(t: &Trial) -> Verdict {
    for kind in KINDS {
        for len in (SMALL + 1..=300).chain([4096, 65_535, 65_536, 65_537]) {
            let value = kind.make(t, &graffiti(len))?;
            t.eq("size", heap_cell(t, &value)?.size, len)?;
        }
    }
    Ok(())
}

/// A NUL byte follows the content of a heap String.
#[check(STR_0007)]
fn heap_ends_with_nul(t: &Trial) -> Verdict {
    kind_ends_with_nul(t, &STRING)
}

/// A NUL byte follows the content of heap Bytes.
#[check(STR_0028)]
fn heap_bytes_end_with_nul(t: &Trial) -> Verdict {
    kind_ends_with_nul(t, &BYTES)
}

fn kind_ends_with_nul(t: &Trial, kind: &Kind) -> Verdict {
    for len in SMALL + 1..=300 {
        // The input has a byte of its own where the copy must have the NUL.
        let text = graffiti(len + 1);
        expect_nul(t, &kind.make(t, &text[..len])?, len)?;
    }
    Ok(())
}

/// A NUL byte follows the content of a heap String that lies where a longer one lay before, whichever function of the library makes it.
#[check(STR_0007)]
fn nul_behind_in_used_memory(t: &Trial) -> Verdict {
    kind_ends_with_nul_in_used_memory(t, &STRING)?;
    let (text, quoted) = (|len: usize| vec![b'~'; len], |len: usize| [b"\"", &vec![b'~'; len][..], b"\""].concat());
    /// A function, the text of so many characters that it is given, and the arguments behind that.
    type Maker<'a> = (&'a str, &'a dyn Fn(usize) -> Vec<u8>, &'a [TVMFFIAny]);
    let makers: [Maker<'_>; 5] = [
        ("ffi.String", &text, &[]),
        ("ffi.ReprPrint", &text, &[]),
        ("ffi.json.Stringify", &text, &[TVMFFIAny::NONE]),
        ("ffi.ToJSONGraphString", &text, &[TVMFFIAny::NONE]),
        ("ffi.json.Parse", &quoted, &[]),
    ];
    for (name, text, rest) in makers {
        let Some(function) = globals::find(t, name)? else { continue };
        for len in (9..=300).step_by(7) {
            let text = CString::new(text(len)).unwrap_or_default();
            let args = [&[view::c_str(&text)], rest].concat();
            // The answer may be longer than the text.
            let answer = t.call(&function, &args)?;
            let answered = t.text(&answer.any())?.len();
            drop(answer);
            leave_longer_ones(t, &STRING, answered)?;
            let answer = t.call(&function, &args)?;
            if !is_small(&answer) {
                expect_nul(t, &answer, heap_cell(t, &answer)?.size)?;
            }
        }
    }
    for lanes in [1, 2, 10, 100, 1000] {
        for code in [kDLFloat, kDLBfloat, kDLFloat8_e4m3b11fnuz] {
            let bits = if code == kDLFloat8_e4m3b11fnuz { 8 } else { 16 };
            let (dtype, mut out) = (DLDataType { code, bits, lanes }, TVMFFIAny::NONE);
            (8..40).step_by(4).try_for_each(|len| leave_longer_ones(t, &STRING, len))?;
            t.ok(t.api.TVMFFIDataTypeToString(&dtype, &mut out))?;
            let written = t.own(out);
            if !is_small(&written) {
                expect_nul(t, &written, heap_cell(t, &written)?.size)?;
            }
        }
    }
    Ok(())
}

/// A NUL byte follows the content of heap Bytes that lie where longer ones lay before.
#[check(STR_0028)]
fn nul_behind_bytes_in_used_memory(t: &Trial) -> Verdict {
    kind_ends_with_nul_in_used_memory(t, &BYTES)
}

fn kind_ends_with_nul_in_used_memory(t: &Trial, kind: &Kind) -> Verdict {
    // Every length that memory of the smaller sizes has room for, and of the larger ones some of each remainder.
    for len in (SMALL + 1..=140).chain((141..=300).step_by(7)) {
        let text = CString::new(vec![b'~'; len]).unwrap_or_default();
        let array = TVMFFIByteArray::new(text.as_bytes());
        leave_longer_ones(t, kind, len)?;
        expect_nul(t, &kind.make(t, text.as_bytes())?, len)?;
        let lent = if kind.object == kTVMFFIStr { view::c_str(&text) } else { view::byte_array(&array) };
        leave_longer_ones(t, kind, len)?;
        let mut out = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIAnyViewToOwnedAny(&lent, &mut out))?;
        expect_nul(t, &t.own(out), len)?;
    }
    Ok(())
}

/// Makes values that are longer, without a NUL in them, and gives them up.
fn leave_longer_ones(t: &Trial, kind: &Kind, len: usize) -> Verdict {
    let longer = [1, 7, 16, 40].map(|more| kind.make(t, &vec![0xff_u8; len + more]));
    longer.into_iter().collect::<Verdict<Vec<_>>>().map(drop)
}
