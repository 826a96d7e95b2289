//! Custom names, which functions of a client translate.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use super::kit::{VOID, array, expect_read, lossy, one, terminated, vector, write};
use crate::{
    checks::check,
    client::{Verdict, memory, text_of, view},
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

/// Custom names and codes are refused when the functions that translate them are not registered.
#[check(DTY_0028)]
fn custom_unregistered(t: &Trial) -> Verdict {
    let text = terminated("custom[posit]16");
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&text), &mut VOID.clone()), &[])?;
    t.raises(t.api.TVMFFIDataTypeToString(&one(150, 16), &mut TVMFFIAny::NONE.clone()), &[]).map(drop)
}
