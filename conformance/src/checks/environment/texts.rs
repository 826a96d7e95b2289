//! Calls that read and write texts with numbers in them, those that succeed and those that fail, whatever stands in errno and in whatever locale.

use std::{
    ffi::{CStr, CString, c_int},
    ptr::without_provenance_mut,
};

use tvm_ffi_spec::*;

use super::program::{each_call, locale, locale_of_thread};
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{Body, raise},
        changes, globals,
        modules::{LOAD, load_args},
        view,
    },
    trial::Trial,
};

/// A call that reads or writes a text comes to the same whatever number an earlier call of anybody's has left in errno, be the text well
/// formed or not.
#[check(ENV_0041)]
fn errno_before_texts(t: &Trial) -> Verdict {
    let leave = |number: i32| {
        // SAFETY: the number of this thread.
        unsafe { *libc::__errno_location() = number };
    };
    each_text_call(t, &|name, call| {
        leave(0);
        let expected = call()?;
        for number in NUMBERS {
            leave(number);
            t.eq(format_args!("what {name} has come to with {number} left in errno"), call()?, expected.clone())?;
        }
        Ok(())
    })
}

/// What calls leave in errno.
const NUMBERS: [i32; 8] =
    [libc::ERANGE, libc::EDOM, libc::EINVAL, libc::ENOMEM, libc::EINTR, libc::EAGAIN, libc::ENOENT, libc::EILSEQ];

/// A thread has the locale that it had before after any call, one that fails, reads a text or calls a function of a client's, too, be it
/// the locale of the program or one of the thread's own.
#[check(ENV_0040)]
fn locale_of_thread_is_left_alone(t: &Trial) -> Verdict {
    each_call_or_text_call(t, &|name, call| {
        for whose in ["the program", "its own"] {
            let _own = (whose != "the program").then(|| OwnLocale::new(t)).transpose()?;
            let before = locale_of_thread();
            call()?;
            let what = format!("whether a thread with a locale of {whose} has it after {name}");
            t.eq(what, locale_of_thread() == before, true)?;
        }
        Ok(())
    })
}

/// The program has the locale that it has chosen after any call, one that fails, reads a text or calls a function of a client's, too.
#[check(ENV_0040, patient = 2)]
fn locale_of_program_is_left_alone(t: &Trial) -> Verdict {
    if ChosenLocale::new(libc::LC_ALL).is_none() {
        return Err(t.not_applicable("the C library has no locale but that of C"));
    }
    each_call_or_text_call(t, &|name, call| {
        // Where a program has chosen none, nobody sees that a call has chosen the one of C.
        for (category, what) in [(libc::LC_ALL, "everything"), (libc::LC_NUMERIC, "numbers")] {
            let _chosen = ChosenLocale::new(category);
            let (before, point) = (locale(), decimal_point());
            call()?;
            let of = format!("of a program that has chosen one for {what}, after {name}");
            t.eq(format_args!("the locale {of}"), locale(), before)?;
            t.eq(format_args!("the decimal mark of the locale {of}"), decimal_point(), point)?;
        }
        Ok(())
    })
}

/// Hands calls of every kind to a test, also those that read and write texts and those of functions of a client's.
fn each_call_or_text_call(t: &Trial, test: &dyn Fn(&str, &dyn Fn() -> Verdict) -> Verdict) -> Verdict {
    let fail: Body = |api, _| raise(api, c"KeyError", c"by a function of the client's");
    let none: Body = |_, _| Some(TVMFFIAny::NONE);
    let failing = t.callback(fail)?;
    let occasions = t.occasions(&failing)?;
    let answering = t.callback(none)?;
    each_call(t, &|name, call| {
        test(name, &|| {
            call();
            Ok(())
        })
    })?;
    each_text_call(t, &|name, call| test(name, &|| call().map(drop)))?;
    for occasion in &occasions {
        test(&occasion.name, &|| (occasion.provoke)(t).map(drop))?;
    }
    test("a function of the client's", &|| t.call(&answering, &[]).map(drop))
}

/// A locale of the program that is not the one it begins with, which it has as long as this is there.
struct ChosenLocale;

impl ChosenLocale {
    /// `None` where the C library has no other.
    fn new(category: c_int) -> Option<Self> {
        changes::note();
        let names = [c"C.UTF-8", c"C.utf8", c"en_US.UTF-8", c"en_US.utf8"];
        // SAFETY: no other thread of this process runs now; the names are C strings.
        names.iter().any(|name| unsafe { !libc::setlocale(category, name.as_ptr()).is_null() }).then_some(Self)
    }
}

impl Drop for ChosenLocale {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { libc::setlocale(libc::LC_ALL, c"C".as_ptr()) };
    }
}

/// What the C library writes between the whole part of a number and the rest.
fn decimal_point() -> Option<CString> {
    // SAFETY: what it points to is there until the next call.
    let mark = unsafe { (*libc::localeconv()).decimal_point };
    // SAFETY: a C string, as above.
    (!mark.is_null()).then(|| unsafe { CStr::from_ptr(mark) }.to_owned())
}

/// A locale of the thread's own, which it has as long as this is there.
struct OwnLocale(libc::locale_t);

impl OwnLocale {
    fn new(t: &Trial) -> Verdict<Self> {
        // SAFETY: a copy of the locale of the program, which then is this thread's.
        let own = unsafe { libc::duplocale(of_program()) };
        if own.is_null() {
            return Err(t.error("a locale", "the C library makes none"));
        }
        // SAFETY: as above.
        unsafe { libc::uselocale(own) };
        Ok(Self(own))
    }
}

impl Drop for OwnLocale {
    fn drop(&mut self) {
        // SAFETY: the thread no longer has it when it ends.
        unsafe {
            libc::uselocale(of_program());
            libc::freelocale(self.0);
        }
    }
}

/// What stands for the locale of the program, `LC_GLOBAL_LOCALE`.
fn of_program() -> libc::locale_t {
    without_provenance_mut(usize::MAX)
}

/// Texts of JSON, well formed and not, each with numbers in other places.
const JSON: [&str; 28] = [
    "2.5",
    "-0.5e-3",
    "1e300",
    "1e400",
    "-1e400",
    "1e-400",
    "4.9e-324",
    "0.1000000000000000055511151231257827",
    "9223372036854775807",
    "9223372036854775808",
    "-36893488147419103232",
    "Infinity",
    "NaN",
    "[2.5, -0.0, [1.5]]",
    "{\"key\": 2.5, \"2.5\": [0.25]}",
    "[\"2.5\", 2.5]",
    "2.5e",
    "2.",
    "2.5.5",
    "-",
    "[2.5,",
    "[2.5 1]",
    "[1.5, ]x",
    "{\"key\": 2.5",
    "{\"key\" 2.5}",
    "{2.5: 1}",
    "[0.5, tru]",
    "[0.5, \"\\ud800\"]",
];

/// Names of data types, and what is none.
const DTYPES: [&str; 12] = [
    "float32",
    "int8x4",
    "uint1",
    "bool",
    "handle",
    "bfloat16",
    "float8_e4m3fn",
    "float",
    "float32x",
    "int99999999999999999999",
    "int8x70000",
    "2.5",
];

/// Something that is done with a text, which answers what it has come to.
type Call<'a> = &'a dyn Fn() -> Verdict<String>;

/// Hands calls that read or write texts to a test, as far as the target has the functions.
fn each_text_call(t: &Trial, test: &dyn Fn(&str, Call<'_>) -> Verdict) -> Verdict {
    let on_text = |door: &str, text: &str| -> Verdict {
        let Some(function) = globals::find(t, door)? else { return Ok(()) };
        let given = t.string(text.as_bytes())?;
        test(&format!("{door} of {text}"), &|| t.come_to(t.answer_of(function.handle(), &[given.any()])?))
    };
    JSON.iter().try_for_each(|text| on_text("ffi.json.Parse", text))?;
    let floats = [0.1, -2.5e-7, 1e300, -0.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, 123_456.75].map(view::float);
    for make in t.containers()? {
        let entries = (0..).map(view::int).zip(floats).flat_map(|(key, float)| [key, float]);
        let args = if ["ffi.Map", "ffi.Dict"].contains(&make) { entries.collect() } else { floats.to_vec() };
        let value = t.call_global(make, &args)?;
        for (door, count) in
            [("ffi.ReprPrint", 1), ("ffi.json.Stringify", 2), ("ffi.ToJSONGraph", 2), ("ffi.ToJSONGraphString", 2)]
        {
            let Some(function) = globals::find(t, door)? else { continue };
            let args = [value.any(), TVMFFIAny::NONE];
            test(&format!("{door} of floats in {make}"), &|| {
                t.come_to(t.answer_of(function.handle(), &args[..count])?)
            })?;
        }
        let Some(write) = globals::find(t, "ffi.ToJSONGraphString")? else { continue };
        // What can be written and read is for other clauses to say.
        let Ok(text) = t.answer_of(write.handle(), &[value.any(), TVMFFIAny::NONE])? else { continue };
        let text = t.text(&text.any())?;
        let text = String::from_utf8_lossy(&text).into_owned();
        // The whole text, and what is left of it when it ends too early, here and there.
        for at in (1..=24).map(|part| text.len() * part / 24) {
            on_text("ffi.FromJSONGraphString", text.get(..at).unwrap_or_default())?;
        }
        on_text("ffi.FromJSONGraphString", &text.replace("\"float\"", "\"int\""))?;
        on_text("ffi.FromJSONGraphString", &text.replace("\"float\"", "\"verify.no_such_type\""))?;
        if let (Some(parse), Some(read)) = (globals::find(t, "ffi.json.Parse")?, globals::find(t, "ffi.FromJSONGraph")?)
        {
            let given = t.string(text.as_bytes())?;
            let Ok(graph) = t.answer_of(parse.handle(), &[given.any()])? else { continue };
            test(&format!("ffi.FromJSONGraph of floats in {make}"), &|| {
                t.come_to(t.answer_of(read.handle(), &[graph.any()])?)
            })?;
        }
    }
    for text in DTYPES {
        test(&format!("TVMFFIDataTypeFromString of {text}"), &|| {
            let mut dtype = DLDataType { code: 0, bits: 0, lanes: 0 };
            match t.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(text.as_bytes()), &mut dtype) {
                0 => Ok(format!("{} {} {}", dtype.code, dtype.bits, dtype.lanes)),
                code => Ok(t.raises(code, &[])?.kind),
            }
        })?;
    }
    for (code, bits, lanes) in [(kDLFloat, 32, 4), (kDLInt, 8, 1), (kDLUInt, 1, 1)] {
        test(&format!("TVMFFIDataTypeToString of {code}, {bits} and {lanes}"), &|| {
            let mut text = TVMFFIAny::NONE;
            match t.api.TVMFFIDataTypeToString(&DLDataType { code, bits, lanes }, &mut text) {
                0 => t.come_to(Ok(t.own(text))),
                code => Ok(t.raises(code, &[])?.kind),
            }
        })?;
    }
    if let Some(big) = t.big_int(-(1 << 64) - 5)? {
        for door in ["ffi.ReprPrint", "ffi.ToJSONGraphString"] {
            let Some(function) = globals::find(t, door)? else { continue };
            let (args, count) = ([big.any(), TVMFFIAny::NONE], if door == "ffi.ReprPrint" { 1 } else { 2 });
            test(&format!("{door} of a large integer"), &|| {
                t.come_to(t.answer_of(function.handle(), &args[..count])?)
            })?;
        }
    }
    let missing = c"/nonexistent/verify_no_such_library.so";
    let Some(load) = globals::find(t, LOAD)? else { return Ok(()) };
    test("loading a library that is not there", &|| t.come_to(t.answer_of(load.handle(), &load_args(missing))?))
}
