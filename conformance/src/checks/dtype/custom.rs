//! Custom names, which functions of a client translate.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{VOID, array, expect_read, lossy, one, read, terminated, vector, write};
use crate::{
    checks::check,
    client::{Verdict, callback, memory, text_of, view},
    trial::Trial,
};

/// `custom[name]` is read as the code that `dtype.get_custom_type_code` gives the name.
#[check(DTY_0027)]
fn reads_custom(t: &Trial) -> Verdict {
    register_custom(t)?;
    expect_read(t, "custom[c150]16", one(150, 16))?;
    expect_read(t, "custom[c129]", one(129, 32))?;
    expect_read(t, "custom[c255]8x4", vector(one(255, 8), 4))
}

/// A custom code is written with the name that `dtype.get_custom_type_name` gives it.
#[check(DTY_0027)]
fn writes_custom(t: &Trial) -> Verdict {
    register_custom(t)?;
    for code in [129, 150, 255] {
        // The specification leaves open whether the bits are written.
        let text = lossy(&t.text(&write(t, one(code, 8))?.any())?);
        let expected = format!("custom[c{code}]");
        t.that(format_args!("text of code {code}"), text.starts_with(&expected), format_args!("{expected}…"), text)?;
    }
    Ok(())
}

/// Custom names and codes are translated once the functions that do so are registered, also where they were refused before, on
/// the same thread and on others.
#[check(DTY_0027)]
fn registered_later(t: &Trial) -> Verdict {
    let text = terminated("custom[c150]16");
    let refused = |t: &Trial| -> Verdict {
        // That they are refused until then is another clause.
        t.api.TVMFFIDataTypeFromString(&array(&text), &mut VOID.clone());
        let mut out = TVMFFIAny::NONE;
        t.api.TVMFFIDataTypeToString(&one(150, 16), &mut out);
        t.api.release_raised();
        drop(t.own(out));
        Ok(())
    };
    let (registered, asked) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
    refused(t)?;
    t.threads(2, |t, number| {
        refused(t)?;
        asked.wait();
        let made = if number == 0 { register_custom(t) } else { Ok(()) };
        registered.wait();
        made?;
        translated(t)
    })?;
    translated(t)
}

/// Expects code 150 to have the name `c150`.
fn translated(t: &Trial) -> Verdict {
    expect_read(t, "custom[c150]16", one(150, 16))?;
    let text = lossy(&t.text(&write(t, one(150, 16))?.any())?);
    t.that("text of code 150", text.starts_with("custom[c150]"), "custom[c150]…", &text)
}

/// Gives code 150 the name `c150` and so on.
fn register_custom(t: &Trial) -> Verdict {
    unsafe extern "C" fn name(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        do_the_chosen();
        let Some(code) = memory::read(args) else { return -1 };
        let mut text = [0; 8];
        text[..4].copy_from_slice(&[b'c', digit(code, 100), digit(code, 10), digit(code, 1)]);
        let mut small = TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(text));
        small.aux.small_str_len = 4;
        // SAFETY: the caller of a function hands it a result to write.
        unsafe { *result = small };
        0
    }
    unsafe extern "C" fn code(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        do_the_chosen();
        let text = memory::read(args).and_then(|arg| text_of(&arg)).unwrap_or_default();
        let code = text.iter().skip(1).fold(0, |code, digit| code * 10 + i64::from(digit.wrapping_sub(b'0')));
        // SAFETY: as above.
        unsafe { *result = view::int(code) };
        0
    }
    fn digit(code: TVMFFIAny, place: u64) -> u8 {
        b'0' + (code.payload() / place % 10) as u8
    }
    for (global, callback) in [
        ("dtype.get_custom_type_name", name as TVMFFISafeCallType),
        ("dtype.get_custom_type_code", code as TVMFFISafeCallType),
    ] {
        let function = t.function(std::ptr::null_mut(), callback, None)?;
        let name = TVMFFIByteArray::new(global.as_bytes());
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
    }
    Ok(())
}

/// Functions that translate custom names and codes may read and write data types themselves, and what they were asked for comes to
/// the same.
#[check(HOK_0021)]
fn translators_use_the_library(t: &Trial) -> Verdict {
    t.serve_callbacks();
    register_custom(t)?;
    let texts = ["custom[c150]16", "custom[c129]8x4", "custom[c255]32x2"];
    let come_to = || -> Verdict<Vec<(DLDataType, String)>> {
        let each = texts.iter().map(|text| {
            let dtype = read(t, array(&terminated(text)))?;
            Ok((dtype, lossy(&t.text(&write(t, dtype)?.any())?)))
        });
        each.collect()
    };
    let alone = come_to()?;
    for (inner, what) in INNER.iter().enumerate() {
        CHOSEN.store(1 + inner, Ordering::SeqCst);
        let within = come_to()?;
        CHOSEN.store(0, Ordering::SeqCst);
        t.eq(
            format_args!("data types and texts whose names are translated by functions that {what}"),
            &within,
            &alone,
        )?;
    }
    Ok(())
}

/// What functions that translate do before they answer.
const INNER: [&str; 6] = [
    "read a data type with other lanes",
    "read a short one",
    "read what is no data type",
    "write a data type",
    "read a custom one",
    "write a custom one",
];
/// Which of these, counted from 1; they do it once, and not within it.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

fn do_the_chosen() {
    let (chosen, Some(api)) = (CHOSEN.swap(0, Ordering::SeqCst), callback::api()) else { return };
    let read = |text: &str| api.TVMFFIDataTypeFromString(&array(&terminated(text)), &mut VOID.clone());
    let write = |dtype: DLDataType| {
        let mut out = TVMFFIAny::NONE;
        let status = api.TVMFFIDataTypeToString(&dtype, &mut out);
        if out.type_index >= kTVMFFIStaticObjectBegin {
            api.release(out.payload() as TVMFFIObjectHandle);
        }
        status
    };
    let status = match chosen {
        1 => read("float64x7"),
        2 => read("bool"),
        3 => read("verify.no_data_type"),
        4 => write(vector(one(kDLInt, 8), 16)),
        5 => read("custom[c200]4x3"),
        6 => write(vector(one(201, 64), 9)),
        _ => 0,
    };
    if status != 0 {
        api.release_raised();
    }
    CHOSEN.store(chosen, Ordering::SeqCst);
}

/// Custom names and codes are refused when the functions that translate them are not registered.
#[check(DTY_0028)]
fn custom_unregistered(t: &Trial) -> Verdict {
    let text = terminated("custom[posit]16");
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&text), &mut VOID.clone()), &[])?;
    t.raises(t.api.TVMFFIDataTypeToString(&one(150, 16), &mut TVMFFIAny::NONE.clone()), &[]).map(drop)
}
