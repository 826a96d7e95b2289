//! Another allocator that is installed while one is at work.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::{body, free_body};
use crate::{
    checks::check,
    client::{Owned, Verdict, callback, view},
    trial::Trial,
};

/// The address of the allocator that is to be installed next, where one is.
static NEXT: Mutex<Option<usize>> = Mutex::new(None);
/// How often each of two allocators was asked for a body.
static ASKED: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

fn install_next() {
    let next = NEXT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let (Some(next), Some(api)) = (next, callback::api()) {
        api.TVMFFISetCustomAllocator(next as *mut TVMFFICustomAllocator);
    }
}

unsafe extern "C" fn allocate(size: usize, _: usize, _: i32, number: *mut c_void) -> *mut c_void {
    unsafe extern "C" fn delete_space(body: *mut c_void) {
        install_next();
        // SAFETY: what `body` answered, once.
        unsafe { free_body(body) };
    }
    install_next();
    ASKED[number as usize % 2].fetch_add(1, Ordering::SeqCst);
    body(size, delete_space)
}

/// Makes an object.
type Maker = fn(&Trial) -> Verdict<Owned>;

const MAKERS: [(&str, Maker); 5] = [
    ("a String", |t| t.string(b"longer than seven bytes")),
    ("Bytes", |t| t.bytes(b"longer than seven bytes")),
    ("an Error", |t| t.new_error("ValueError", "a message", "a backtrace")),
    ("a Function", |t| t.function(null_mut(), callback::return_none, Some(callback::keep_self))),
    ("an Array", |t| t.call_global("ffi.Array", &[view::int(7)])),
];

/// An allocator that is installed, or taken away, by the allocator that is asked for a body, or by the `delete_space` of a body, is in force from then
/// on: it is the one that is returned, on each thread, and the one that is asked.
#[check(ALC_0003, ALC_0004, ALC_0012, ALC_0005)]
fn installed_while_one_is_at_work(t: &Trial) -> Verdict {
    t.serve_callbacks();
    // A library may make its functions when the first is asked for, and then keeps them.
    t.call_global("ffi.Array", &[])?;
    let built_in = t.api.TVMFFIGetCustomAllocator();
    let [first, second] = [0_usize, 1].map(|number| {
        let context = std::ptr::without_provenance_mut(number);
        Box::into_raw(Box::new(TVMFFICustomAllocator { allocate: Some(allocate), context }))
    });
    let nexts = [("another", second), ("NULL", null_mut()), ("the built-in one", built_in), ("the same", first)];
    for ((kind, make), (which, next)) in MAKERS.into_iter().flat_map(|maker| nexts.map(|next| (maker, next))) {
        for is_end in [false, true] {
            let clause = if next.is_null() { id::ALC_0004 } else { id::ALC_0003 };
            t.clause(clause);
            t.ok(t.api.TVMFFISetCustomAllocator(first))?;
            let set = || *NEXT.lock().unwrap_or_else(PoisonError::into_inner) = Some(next as usize);
            let object = if is_end {
                let object = make(t)?;
                set();
                drop(object);
                None
            } else {
                set();
                Some(make(t)?)
            };
            // Which objects are asked for, and where they end, is for other clauses to say.
            if NEXT.lock().unwrap_or_else(PoisonError::into_inner).take().is_some() {
                continue;
            }
            let when = if is_end { "the body was given back" } else { "the body was asked for" };
            let after = format!("after {which} was installed while {when} of {kind}");
            let expected = if next.is_null() { built_in } else { next };
            t.eq(format_args!("the allocator {after}"), t.api.TVMFFIGetCustomAllocator(), expected)?;
            t.clause(id::ALC_0005);
            let expected_elsewhere = expected as usize;
            t.threads(1, |t, _| {
                let current = t.api.TVMFFIGetCustomAllocator() as usize;
                t.eq(format_args!("the allocator on another thread {after}"), current, expected_elsewhere)
            })?;
            t.clause(id::ALC_0012);
            let asked = || [0, 1].map(|number| ASKED[number].load(Ordering::SeqCst));
            let before = asked();
            let another = t.string(b"longer than seven bytes")?;
            let times: Vec<_> = asked().into_iter().zip(before).map(|(now, before)| now > before).collect();
            let of_ours = [first, second].map(|ours| ours == expected).to_vec();
            t.eq(format_args!("which of two was asked for a String {after}"), times, of_ours)?;
            drop((object, another));
            t.clause(clause);
            t.eq(format_args!("the allocator {after} and all had ended"), t.api.TVMFFIGetCustomAllocator(), expected)?;
        }
    }
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))
}
