//! Strings that are handed over: as owned values, as arguments and results, and by the library's own functions.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::Mutex,
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, TypeIndex, Verdict, dirty, forms, memory, text_of, view},
    trial::Trial,
};

/// A String or Bytes keeps its kind, form and content when its view becomes an owned value.
#[check(STR_0021)]
fn view_to_owned(t: &Trial) -> Verdict {
    for kind in KINDS {
        for text in EDGES {
            let made = kind.make(t, text)?;
            let mut out = dirty(kTVMFFIBool);
            t.ok(t.api.TVMFFIAnyViewToOwnedAny(&made.any(), &mut out))?;
            let owned = t.own(out);
            t.type_index_eq("type_index", out.type_index, made.any().type_index)?;
            drop(made);
            expect_text(t, &owned, text)?;
        }
    }
    for text in [&b""[..], b"a", b"a\0b", b"\0", b"seven_b", b"eight_by", b"longer than that"] {
        for form in forms::of_string(text).into_iter().chain(forms::of_bytes(text)) {
            // The forms that only a view can have become others.
            if [kTVMFFIRawStr, kTVMFFIByteArrayPtr].contains(&form.view.type_index) {
                continue;
            }
            let mut out = dirty(kTVMFFIBool);
            t.ok(t.api.TVMFFIAnyViewToOwnedAny(&form.view, &mut out))?;
            t.any_eq(format_args!("an owned value of {} of {} bytes", form.name, text.len()), &out, &form.view)?;
        }
    }
    Ok(())
}

/// A function receives a String or Bytes argument with kind and content as its caller passed them.
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
    let function = t.function(null_mut(), look, None)?;
    for kind in KINDS {
        for text in EDGES {
            let value = kind.make(t, text)?;
            t.call(&function, &[view::int(1), value.any()])?;
            let seen = SEEN.lock().map(|mut seen| std::mem::take(&mut *seen)).unwrap_or_default();
            t.eq("what the function saw", seen.get(1), Some(&(value.any().type_index, Some(text.to_vec()))))?;
        }
    }
    Ok(())
}

/// A caller receives a String or Bytes result with kind and content as the function answered them.
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
        for text in EDGES {
            let value = kind.make(t, text)?;
            let result = t.call(&function, &[value.any()])?;
            t.type_index_eq("type_index of the result", result.any().type_index, value.any().type_index)?;
            drop(value);
            expect_text(t, &result, text)?;
        }
    }
    Ok(())
}

/// The global function ffi.String answers its argument as an owned String and refuses Bytes and integers.
#[check(STR_0023)]
fn global_string(t: &Trial) -> Verdict {
    let function = t.global("ffi.String")?;
    for text in [c"small", c"rather longer"] {
        let result = answers(t, &function, view::c_str(text), &STRING, text.to_bytes())?;
        answers(t, &function, result.any(), &STRING, text.to_bytes())?;
    }
    refuses(t, &function, BYTES.make(t, b"bytes, not text")?.any())?;
    refuses(t, &function, view::int(1))
}

/// The global function ffi.Bytes answers its argument as owned Bytes and refuses Strings and integers.
#[check(STR_0023)]
fn global_bytes(t: &Trial) -> Verdict {
    let function = t.global("ffi.Bytes")?;
    for bytes in [&b"sm\0ll"[..], b"rather\0longer"] {
        let array = TVMFFIByteArray::new(bytes);
        let result = answers(t, &function, view::byte_array(&array), &BYTES, bytes)?;
        answers(t, &function, result.any(), &BYTES, bytes)?;
    }
    refuses(t, &function, STRING.make(t, b"text, not bytes")?.any())?;
    refuses(t, &function, view::int(1))
}

/// What a function answers, which is expected to be of this kind and text.
fn answers(t: &Trial, function: &Owned, argument: TVMFFIAny, kind: &Kind, text: &[u8]) -> Verdict<Owned> {
    let result = t.call(function, &[argument])?;
    let got = result.any().type_index;
    let expected = format!("{} or {}", kind.small, kind.object);
    t.that("type_index of the result", got == kind.small || got == kind.object, expected, TypeIndex(got))?;
    expect_text(t, &result, text)?;
    Ok(result)
}

fn refuses(t: &Trial, function: &Owned, argument: TVMFFIAny) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(function, &[argument], &mut result), &["TypeError"]).map(drop)
}
