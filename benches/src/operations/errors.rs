//! Errors: made, raised and taken, with what clients do to their backtraces.

use std::{
    ffi::{c_int, c_void},
    hint::black_box,
    ptr::null_mut,
};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Owned, memory};

use super::{kit::forwarding, operation::Area};
use crate::{
    library::{Library, cell, handle},
    task::Task,
};

const KIND: &[u8] = b"ValueError";
const MESSAGE: &[u8] = b"a message of some length, as messages are";
const FRAME: &[u8] = b"  File \"a/file/of/a/client.py\", line 17, in a_function\n";

pub fn area() -> Area {
    let mut area = Area::new("errors");
    area.one("error made and ended", |lib| {
        let lib = *lib;
        made(&lib, move || new(&lib))
    });
    area.one("error with a cause made and ended", |lib| {
        let lib = *lib;
        let (cause, context) = (lib.own(error(new(&lib))), lib.own(lib.string(MESSAGE)));
        made(&lib, move || {
            let [kind, message, backtrace] = [KIND, MESSAGE, FRAME].map(TVMFFIByteArray::new);
            let mut out = null_mut();
            let (cause, context) = (cause.handle(), context.handle());
            let code =
                lib.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, cause, context, &mut out);
            lib.ok(code);
            out
        })
    });
    area.one("raised from C strings and taken", |lib| {
        let lib = *lib;
        made(&lib, move || {
            lib.TVMFFIErrorSetRaisedFromCStr(
                c"ValueError".as_ptr(),
                c"a message of some length, as messages are".as_ptr(),
            );
            taken(&lib)
        })
    });
    area.one("raised from parts and taken", |lib| {
        let lib = *lib;
        let mut parts = [c"a message ", c"of some ", c"length, ", c"as messages ", c"are"].map(|part| part.as_ptr());
        made(&lib, move || {
            let count = parts.len() as i32;
            lib.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), parts.as_mut_ptr(), count);
            taken(&lib)
        })
    });
    area.one("error object raised and taken", |lib| {
        let lib = *lib;
        let error = lib.own(error(new(&lib)));
        made(&lib, move || {
            lib.TVMFFIErrorSetRaised(black_box(error.handle()));
            taken(&lib)
        })
    });
    area.one("taken where none is raised", |lib| {
        let lib = *lib;
        let step = move || {
            black_box(taken(&lib));
        };
        Task::changing("nothing", step, move || if taken(&lib).is_null() { "nothing" } else { "an error" }.to_owned())
    });
    area.one("backtrace of an error replaced", |lib| {
        let error = lib.own(error(new(lib)));
        let read = texts(lib, error.handle());
        Task::changing(&read.clone(), updated(error), move || read)
    });
    area.one("backtrace taken", |lib| {
        let lib = *lib;
        let take = move || lib.TVMFFIBacktrace(c"file.cc".as_ptr(), 17, c"a_function".as_ptr(), 0);
        let lines = memory::read(take()).map_or(0, |trace| trace.size);
        assert!(lines > 0, "a backtrace has lines");
        Task::new("a backtrace", move || {
            black_box(take());
        })
    });
    area.one("call that fails, through 3 functions", |lib| {
        let lib = *lib;
        let fails = lib.client.function(Box::leak(Box::new(lib)) as *mut Library as *mut c_void, fail, None);
        let outer = forwarding(&lib, forwarding(&lib, fails.expect("a function can be made").into_any()));
        made(&lib, move || {
            let mut result = TVMFFIAny::NONE;
            black_box(lib.TVMFFIFunctionCall(handle(&outer), null_mut(), 0, &mut result));
            taken(&lib)
        })
    });
    area
}

/// A task that makes an error of the kind and the message above, and ends it.
fn made(lib: &Library, mut make: impl FnMut() -> TVMFFIObjectHandle + 'static) -> Task {
    let lib = *lib;
    let first = lib.own(error(make()));
    let did = texts(&lib, first.handle());
    assert!(did.starts_with("ValueError: a message of some length, as messages are"), "an error that is {did}");
    Task::new(did, move || {
        lib.TVMFFIObjectDecRef(black_box(make()));
    })
}

fn error(handle: TVMFFIObjectHandle) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIError, handle as u64)
}

/// Kind and message. Backtraces are left out: they name functions of the library, too.
fn texts(lib: &Library, error: TVMFFIObjectHandle) -> String {
    assert!(!error.is_null(), "there is an error");
    // SAFETY: an Error, which lives.
    let cell: TVMFFIErrorCell = unsafe { cell(error) };
    let [kind, message] = [cell.kind, cell.message]
        .map(|text| lib.client.read_array("a text of an error", text).expect("an error can be read"));
    format!("{}: {}", String::from_utf8_lossy(&kind), String::from_utf8_lossy(&message))
}

#[inline(always)]
fn new(lib: &Library) -> TVMFFIObjectHandle {
    let [kind, message, backtrace] = [KIND, MESSAGE, FRAME].map(TVMFFIByteArray::new);
    let mut out = null_mut();
    lib.ok(lib.TVMFFIErrorCreate(black_box(&kind), &message, &backtrace, &mut out));
    out
}

#[inline(always)]
fn taken(lib: &Library) -> TVMFFIObjectHandle {
    let mut error = null_mut();
    lib.TVMFFIErrorMoveFromRaised(&mut error);
    error
}

/// Replaces the backtrace, as a client does for each frame that an error passes.
fn updated(error: Owned) -> impl FnMut() {
    // SAFETY: an Error, which lives.
    let cell: TVMFFIErrorCell = unsafe { cell(error.handle()) };
    let update = cell.update_backtrace.expect("an Error has such a function");
    let frames = TVMFFIByteArray::new(FRAME);
    // SAFETY: the error's own function, called as the header has it.
    move || unsafe { update(black_box(error.handle()), &frames, 0) }
}

unsafe extern "C" fn fail(this: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    // SAFETY: self is the library that was leaked for it.
    let lib = unsafe { &*this.cast::<Library>() };
    lib.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"a message of some length, as messages are".as_ptr());
    -1
}
