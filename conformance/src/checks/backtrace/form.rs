//! The lines of a backtrace, the one that the caller gives, and those of errors.

use std::ffi::{CStr, CString, c_int};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Verdict, view},
    trial::Trial,
};

/// A backtrace consists of lines of the form `File "<file>", line <number>, in <function>`.
#[check(BTR_0001)]
fn form(t: &Trial) -> Verdict {
    for cross_ffi_boundary in [0, 1] {
        t.well_formed(&take(t, NOWHERE, cross_ffi_boundary)?)?;
        t.well_formed(&take(t, (Some(c"a.c"), 1, Some(c"f")), cross_ffi_boundary)?)?;
    }
    Ok(())
}

/// A backtrace begins with the filename, the line number and the function that the caller gives.
#[check(BTR_0002)]
fn given_place(t: &Trial) -> Verdict {
    for (file, line, function) in [
        (c"kernel.c", 45, c"launch"),
        (c"100%%/of %s.c", 9, c"operator%=<%n, {0}>"),
        (c"gr\u{f6}\u{df}e\\n.c", 10, c"~it(\\0)"),
        (c"src/a file.cc", 1, c"void my_ffi::Raise(tvm::ffi::String)"),
        (c"/with/a/path/of/its/own/and_a_name.cu", 123_456, c"kernel<float, 4>"),
    ] {
        for cross_ffi_boundary in [0, 1] {
            begins_with(t, (file, line, function), (file, line, function), cross_ffi_boundary)?;
        }
    }
    Ok(())
}

/// A backtrace begins with the place of its own call, also where only the file, the line or the function is another than in the call before.
#[check(BTR_0002)]
fn given_place_of_each_call(t: &Trial) -> Verdict {
    // Hundreds of full backtraces would take long.
    set_limit("1");
    let places = [c"first.c", c"second.c"].into_iter().flat_map(|file| {
        [1_234_567, 7_654_321].into_iter().flat_map(move |line| [c"launch", c"finish"].map(|name| (file, line, name)))
    });
    let places: Vec<(&CStr, c_int, &CStr)> = places.collect();
    for cross_ffi_boundary in [0, 1] {
        for (before, after) in places.iter().flat_map(|before| places.iter().map(move |after| (before, after))) {
            for &place in [before, after, before] {
                begins_with(t, place, place, cross_ffi_boundary)?;
            }
        }
        // Names of equal and of other lengths, one after the other at the same addresses.
        let (mut file_there, mut function_there) = ([0; 16], [0; 16]);
        for &(file, line, function) in places.iter().chain(places.iter().rev()) {
            for (there, name) in [(&mut file_there, file), (&mut function_there, function)] {
                there[..name.count_bytes() + 1].copy_from_slice(name.to_bytes_with_nul());
            }
            let [file_given, function_given] =
                [&file_there, &function_there].map(|there| CStr::from_bytes_until_nul(there).unwrap_or_default());
            begins_with(t, (file_given, line, function_given), (file, line, function), cross_ffi_boundary)?;
        }
    }
    Ok(())
}

/// Expects the first line of a backtrace of the given place to tell all of the expected one.
fn begins_with(
    t: &Trial,
    (file, line, function): (&CStr, c_int, &CStr),
    expected: (&CStr, c_int, &CStr),
    cross_ffi_boundary: c_int,
) -> Verdict {
    let backtrace = take(t, (Some(file), line, Some(function)), cross_ffi_boundary)?;
    let first = backtrace.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let (file, line, function) = expected;
    for expected in [&*file.to_string_lossy(), line.to_string().as_str(), &*function.to_string_lossy()] {
        t.that("the most recent call", first.contains(expected), format_args!("a line with {expected}"), &backtrace)?;
    }
    Ok(())
}

/// A backtrace is made when the filename, the function or both are NULL.
#[check(BTR_0003)]
fn null_names(t: &Trial) -> Verdict {
    for (file, function) in [(None, None), (Some(c"given_file"), None), (None, Some(c"given_function"))] {
        for cross_ffi_boundary in [0, 1] {
            take(t, (file, 42, function), cross_ffi_boundary)?;
        }
    }
    Ok(())
}

/// An error that a caller raises from C strings has a well-formed backtrace.
#[check(BTR_0010)]
fn of_raised(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"from C strings".as_ptr());
    t.well_formed(&raised_backtrace(t)?)?;
    let mut part = c"from parts".as_ptr();
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), &mut part, 1);
    t.well_formed(&raised_backtrace(t)?)
}

/// An error that the library raises for its own failure has a well-formed backtrace.
#[check(BTR_0010)]
fn of_own_failures(t: &Trial) -> Verdict {
    let mut index = 0;
    let unknown = TVMFFIByteArray::new(b"verify.no_such_type");
    t.ne("status for an unknown type key", t.api.TVMFFITypeKeyToIndex(&unknown, &mut index), 0)?;
    t.well_formed(&raised_backtrace(t)?)?;
    let function = t.global("ffi.String")?;
    let mut result = TVMFFIAny::NONE;
    t.ne("status of ffi.String with a number", t.try_call(&function, &[view::int(1)], &mut result), 0)?;
    t.well_formed(&raised_backtrace(t)?)
}

/// A backtrace shows file and function names of any length in full.
#[check(BTR_0013)]
fn long_names(t: &Trial) -> Verdict {
    for len in [100, 1000, 20_000] {
        let (file, function) = ("d/".repeat(len / 2), "n".repeat(len));
        let expected = format!("  File \"{file}\", line 5, in {function}\n");
        let [file, function] = [file, function].map(|name| CString::new(name).unwrap_or_default());
        let backtrace = take(t, (Some(&file), 5, Some(&function)), 0)?;
        let first = backtrace.split_inclusive('\n').next().unwrap_or_default();
        let got = format!("a line of {} bytes", first.len());
        t.that(
            "first line",
            first == expected,
            format_args!("a line of {} bytes with both names", expected.len()),
            got,
        )?;
    }
    Ok(())
}

/// A backtrace shows any line number in full.
#[check(BTR_0013)]
fn line_numbers(t: &Trial) -> Verdict {
    for line in [0, 1, 9, 123_456, c_int::MAX] {
        let backtrace = take(t, (Some(c"a.c"), line, Some(c"f")), 0)?;
        let expected = format!("  File \"a.c\", line {line}, in f");
        t.eq("first line", backtrace.lines().next(), Some(expected.as_str()))?;
    }
    Ok(())
}
