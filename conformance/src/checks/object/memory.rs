//! Where memory runs out: requests for more of it than there is.

use std::ptr::null_mut;

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Verdict, changes, globals, view},
    trial::Trial,
};

/// How many bytes a caller has that nobody can copy: more than 32 bits can count, or as many as this process may have.
const HUGE: [usize; 2] = [(1 << 32) + 16, 256 << 20];

/// A function that is to copy more bytes than memory has room for fails, and works as before afterwards.
#[check(OBJ_0033, patient = 2)]
fn no_room_for_a_copy(t: &Trial) -> Verdict {
    let huge = huge_text(t)?;
    let (short, mut any) = (TVMFFIByteArray::new(b"short"), TVMFFIAny::NONE);
    let fails = |what: &str, status: i32| -> Verdict {
        t.that(
            format_args!("status of {what} of {} MiB where there is no room for them", huge.size >> 20),
            status != 0,
            "not 0",
            status,
        )
    };
    let raises = |what: &str, status: i32| -> Verdict {
        fails(what, status)?;
        t.raises(status, &[]).map(drop)
    };
    raises("TVMFFIStringFromByteArray", t.api.TVMFFIStringFromByteArray(&huge, &mut any))?;
    raises("TVMFFIBytesFromByteArray", t.api.TVMFFIBytesFromByteArray(&huge, &mut any))?;
    raises("TVMFFIAnyViewToOwnedAny", t.api.TVMFFIAnyViewToOwnedAny(&view::byte_array(&huge), &mut any))?;
    let array = t.global("ffi.Array")?;
    let (one, text) = (view::int(1), view::byte_array(&huge));
    raises("ffi.Array", t.try_call(&array, &[one, text], &mut any))?;
    // Every function that keeps what it is given.
    for (make, room, door, args) in [
        ("ffi.Array", &[one][..], "ffi.Array", &[text][..]),
        ("ffi.Map", &[one, one], "ffi.Map", &[one, text]),
        ("ffi.List", &[one], "ffi.ListAppend", &[text]),
        ("ffi.List", &[one], "ffi.ListInsert", &[view::int(0), text]),
        ("ffi.List", &[one], "ffi.ListSetItem", &[view::int(0), text]),
        ("ffi.Dict", &[one, one], "ffi.DictSetItem", &[one, text]),
        ("ffi.Dict", &[one, one], "ffi.DictSetItem", &[view::int(2), text]),
    ] {
        let (Some(make_one), Some(function)) = (globals::find(t, make)?, globals::find(t, door)?) else { continue };
        let container = t.call(&make_one, room)?;
        let args = if make == door { args.to_vec() } else { [&[container.any()], args].concat() };
        raises(door, t.try_call(&function, &args, &mut any))?;
        t.global_answers(&format!("{make}Size"), &[container.any()], 1)?;
    }
    let mut error = null_mut();
    for [message, backtrace] in [[&huge, &short], [&short, &huge]] {
        fails("TVMFFIErrorCreate", t.api.TVMFFIErrorCreate(&short, message, backtrace, &mut error))?;
        t.that("the raised error after TVMFFIErrorCreate", t.take_raised().is_none(), "none", "an error")?;
    }
    if let Some(create) = t.api.table().TVMFFIErrorCreateWithCauseAndExtraContext {
        let cause = t.new_error("ValueError", "the cause", "")?;
        let held = cause.handle();
        // SAFETY: a call as the header asks for; the target is the one under test.
        let create = || unsafe { create(&short, &huge, &short, held, held, &mut error) };
        fails("an error with a cause", t.api.noted("TVMFFIErrorCreateWithCauseAndExtraContext(...)", create))?;
        t.eq("counts of the cause", t.counts(held)?, (1, 1))?;
    }
    // Whatever failed, the rest goes on.
    drop(t.string(b"longer than seven bytes")?);
    let made = t.call(&array, &[view::int(1), view::byte_array(&short)])?;
    t.eq("counts of an Array that is made afterwards", t.counts(made.handle())?, (1, 1))
}

/// A text of zeros that takes no memory, in a process that may have no more than a little beyond what it has by then.
fn huge_text(t: &Trial) -> Verdict<TVMFFIByteArray> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    for size in HUGE {
        // SAFETY: a new mapping at an address of the kernel's choice, which is only read.
        let start = unsafe { libc::mmap(null_mut(), size, libc::PROT_READ, flags, -1, 0) };
        if start != libc::MAP_FAILED {
            limit_memory(t, size as u64 / 8)?;
            return Ok(TVMFFIByteArray { data: start.cast(), size });
        }
    }
    Err(t.not_applicable("a text that is too large takes more addresses than the target may (--memory)"))
}

/// Lets this process, which is the check's own, have a little more memory than it has.
fn limit_memory(t: &Trial, more: u64) -> Verdict {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages: Option<u64> = pages.and_then(|text| text.split(' ').next()?.parse().ok());
    // SAFETY: sysconf only answers a question.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    let most = pages.ok_or_else(|| t.error("the size of this process", "/proc/self/statm does not say"))? * page + more;
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    changes::note();
    // SAFETY: the structure is what the function takes.
    match unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) } {
        0 => Ok(()),
        _ => Err(t.error("a limit of memory", std::io::Error::last_os_error())),
    }
}
