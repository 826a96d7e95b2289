//! Custom names, which functions of a client translate.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::{
    kit::{VOID, array, expect_read, lossy, one, read, terminated, vector, write},
    refusal::{NO_NAMES, all_refused},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, callback, forms, memory, text_of, view},
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

/// A custom code is written with all of the name that it is given, be it of no byte, of as many as lie in a value, or of more, with any bytes in it
/// and in every form of a text; what follows the name is what follows any other, with as many bits and lanes, each time and on every thread.
#[check(DTY_0027)]
fn writes_names_of_every_length(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let function = t.callback(give_a_name)?;
    let name = TVMFFIByteArray::new(b"dtype.get_custom_type_name");
    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
    let are_written = |t: &Trial| -> Verdict {
        for (bits, lanes) in [(8, 1), (16, 4), (1, 1), (255, 2), (32, i16::MAX)] {
            // Bits may be written or not, and lanes stand as for every other data type.
            let behind = if lanes == 1 { String::new() } else { format!("x{lanes}") };
            let mut first: Option<Vec<u8>> = None;
            for code in CODES.into_iter().chain(CODES.into_iter().rev()) {
                let dtype = vector(one(code, bits), lanes);
                let text = t.text(&write(t, dtype)?.any())?;
                let (what, name) =
                    (format!("the text of code {code} with {bits} bits and {lanes} lanes"), name_of(code));
                let begin = [b"custom[", name, b"]"].concat();
                let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
                t.that(&what, text.starts_with(&begin), format!("{}…", shown(&begin)), shown(&text))?;
                let rest = &text[begin.len()..];
                let expected = [behind.clone(), format!("{bits}{behind}")];
                let is_one = expected.iter().any(|expected| expected.as_bytes() == rest);
                t.that(format_args!("what follows the name in {what}"), is_one, expected.join(" or "), shown(rest))?;
                let before = first.get_or_insert_with(|| rest.to_vec());
                t.eq(format_args!("what follows the name in {what}"), shown(rest), shown(before))?;
            }
        }
        Ok(())
    };
    are_written(t)?;
    t.elsewhere(are_written)?;
    are_written(t)
}

/// Names of all lengths at which a text is kept in another way, and the codes that have them: the first, the last and others.
const GIVEN_NAMES: [&[u8]; 9] = [
    b"",
    b"q",
    b"a\0b",
    b"seven_b",
    b"eight_by",
    b"a name of forty bytes, neither more nor.",
    b"\0",
    b"caf\xC3\xA9, with \0 in the midst of it",
    &[b'n'; 300],
];
const CODES: [u8; 12] = [129, 130, 131, 132, 133, 134, 135, 136, 150, 200, 254, 255];

fn name_of(code: u8) -> &'static [u8] {
    GIVEN_NAMES[usize::from(code - 129) % GIVEN_NAMES.len()]
}

/// The name of a code: as a String of the library's, and as a small one by turns where it fits.
fn give_a_name(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let name = name_of(u8::try_from(args.first()?.payload()).ok().filter(|code| *code >= 129)?);
    let small = forms::inline(kTVMFFISmallStr, name).filter(|_| TURN.fetch_xor(1, Ordering::SeqCst) == 0);
    small.or_else(|| {
        let mut answer = TVMFFIAny::NONE;
        (api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(name), &mut answer) == 0).then_some(answer)
    })
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

/// A text that names no data type is refused with a ValueError also while functions are registered that give any custom name a code, and when
/// they have been removed again.
#[check(DTY_0017)]
fn no_name_is_a_custom_one(t: &Trial) -> Verdict {
    /// What is like a custom name but for the word and the brackets before it, and what is like another name.
    const NEARLY: [&str; 21] = [
        "posit",
        "posit16",
        "posit16x2",
        "positx4",
        "q",
        "c150",
        "[c150]16",
        "c150]16",
        "customc150",
        "custom_[c150]16",
        "custom [c150]16",
        "custo[c150]16",
        "costum[c150]16",
        " custom[c150]16",
        "xcustom[c150]",
        "flaot",
        "in",
        "handel",
        "voids",
        "boo",
        "verify.format",
    ];
    let code: callback::Body = |_, _| Some(view::int(150));
    let name: callback::Body = |_, _| forms::inline(kTVMFFISmallStr, b"any");
    let functions = [("dtype.get_custom_type_code", code), ("dtype.get_custom_type_name", name)];
    let are_refused = |t: &Trial| -> Verdict {
        all_refused(t, &NEARLY)?;
        all_refused(t, &NO_NAMES)
    };
    are_refused(t)?;
    for (global, body) in functions {
        let (function, name) = (t.callback(body)?, TVMFFIByteArray::new(global.as_bytes()));
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
    }
    for _ in 0..2 {
        are_refused(t)?;
        // Whether this one is read is for another clause to say.
        t.api.TVMFFIDataTypeFromString(&array(&terminated("custom[posit]16")), &mut VOID.clone());
        t.api.release_raised();
    }
    t.elsewhere(are_refused)?;
    for (global, _) in functions {
        t.call_global("ffi.FunctionRemoveGlobal", &[t.string(global.as_bytes())?.any()])?;
    }
    are_refused(t)
}

/// Custom names and codes are translated by the functions that are registered at the time, whichever were before, on every thread, and are
/// refused while these are removed.
#[check(DTY_0027, DTY_0028)]
fn translators_come_and_go(t: &Trial) -> Verdict {
    const NAMES: [&str; 2] = ["dtype.get_custom_type_name", "dtype.get_custom_type_code"];
    /// What the functions give: a name and a code.
    const GIVEN: [(&[u8], u8); 3] = [(b"one", 151), (b"two", 152), (b"other", 153)];
    fn name<const AT: usize>() -> Option<TVMFFIAny> {
        forms::inline(kTVMFFISmallStr, GIVEN[AT].0)
    }
    fn code<const AT: usize>() -> Option<TVMFFIAny> {
        Some(view::int(GIVEN[AT].1.into()))
    }
    let pairs: [[callback::Body; 2]; GIVEN.len()] = [
        [|_, _| name::<0>(), |_, _| code::<0>()],
        [|_, _| name::<1>(), |_, _| code::<1>()],
        [|_, _| name::<2>(), |_, _| code::<2>()],
    ];
    // Kept to the end, so that whoever calls one that was removed is seen to do so.
    let mut functions: Vec<[Owned; 2]> = Vec::new();
    for [name, code] in pairs {
        functions.push([t.callback(name)?, t.callback(code)?]);
    }
    let remove = t.global("ffi.FunctionRemoveGlobal")?;
    let text = terminated("custom[any]16");
    let are_translated = |t: &Trial, by: Option<usize>| -> Verdict {
        let (mut read, mut written) = (VOID, TVMFFIAny::NONE);
        let status = t.api.TVMFFIDataTypeFromString(&array(&text), &mut read);
        t.clause(if by.is_some() { id::DTY_0027 } else { id::DTY_0028 });
        let Some((name, code)) = by.map(|by| GIVEN[by]) else {
            drop(t.raises(status, &[])?);
            return t.raises(t.api.TVMFFIDataTypeToString(&one(150, 16), &mut written), &[]).map(drop);
        };
        t.ok(status)?;
        t.eq("data type of `custom[any]16`", read, one(code, 16))?;
        let (text, expected) = (lossy(&t.text(&write(t, one(150, 16))?.any())?), format!("custom[{}]", lossy(name)));
        t.that("text of code 150", text.starts_with(&expected), format_args!("{expected}…"), &text)
    };
    // Replaced, removed, and registered again after that, the same functions and others.
    let mut before = None;
    for now in [Some(0), Some(1), Some(0), None, Some(0), Some(2), None, Some(1), None] {
        for (place, name) in NAMES.iter().enumerate() {
            let name = TVMFFIByteArray::new(name.as_bytes());
            match now {
                Some(now) => {
                    let function: &[Owned; 2] = &functions[now];
                    let replaces = i32::from(before.is_some());
                    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function[place].handle(), replaces))?;
                }
                None => drop(t.call(&remove, &[t.string(NAMES[place].as_bytes())?.any()])?),
            }
        }
        are_translated(t, now)?;
        t.elsewhere(|t| are_translated(t, now))?;
        before = now;
    }
    Ok(())
}

/// Custom names and codes that were translated are refused once the functions that did so have been removed, both of them or the one that they ask
/// for, on every thread, and whatever was read and written in between.
#[check(DTY_0028)]
fn translated_and_then_refused(t: &Trial) -> Verdict {
    const NAME: &str = "dtype.get_custom_type_name";
    const CODE: &str = "dtype.get_custom_type_code";
    let remove = t.global("ffi.FunctionRemoveGlobal")?;
    let texts = ["custom[c150]16", "custom[c150]", "custom[c201]8x4", "custom[c129]64"];
    let codes = [one(150, 16), one(150, 32), vector(one(201, 8), 4), one(129, 64)];
    // What it is translated to is for another clause to say.
    let ask = |t: &Trial, at: usize| {
        t.api.TVMFFIDataTypeFromString(&array(&terminated(texts[at])), &mut VOID.clone());
        t.api.release_raised();
        let mut out = TVMFFIAny::NONE;
        t.api.TVMFFIDataTypeToString(&codes[at], &mut out);
        t.api.release_raised();
        drop(t.own(out));
    };
    let is_refused = |t: &Trial, at: usize, removed: &[&str]| -> Verdict {
        if removed.contains(&CODE) {
            let status = t.api.TVMFFIDataTypeFromString(&array(&terminated(texts[at])), &mut VOID.clone());
            drop(t.raises(status, &[])?);
        }
        if removed.contains(&NAME) {
            drop(t.raises(t.api.TVMFFIDataTypeToString(&codes[at], &mut TVMFFIAny::NONE.clone()), &[])?);
        }
        Ok(())
    };
    for removed in [&[NAME, CODE][..], &[CODE], &[NAME]] {
        for (at, others) in (0..texts.len()).flat_map(|at| [(at, false), (at, true)]) {
            register_custom(t)?;
            ask(t, at);
            t.elsewhere(|t| {
                ask(t, at);
                Ok(())
            })?;
            for name in removed {
                drop(t.call(&remove, &[t.string(name.as_bytes())?.any()])?);
            }
            if others {
                read(t, array(&terminated("float64x2")))?;
                drop(write(t, one(kDLInt, 8))?);
            }
            is_refused(t, at, removed)?;
            t.elsewhere(|t| is_refused(t, at, removed))?;
            is_refused(t, at, removed)?;
        }
    }
    Ok(())
}
