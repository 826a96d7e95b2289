//! Initialisers that write their result long before they come to their end.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use tvm_ffi_spec::clause::id;

use super::kit::*;
use crate::{
    checks::check,
    client::Verdict,
    trial::{Trial, threads::let_others_run},
};

/// How long an initialiser waits for the others to come.
const PATIENCE: Duration = Duration::from_secs(3);

/// While an initialiser runs that has written its result already, no other thread's call of TVMFFIHandleInitOnce comes back; what comes back
/// behind it has a handle that was made to the end, or the failure.
#[check(ONC_0007, ONC_0003, patient = 2)]
fn init_written_early(t: &Trial) -> Verdict {
    const OTHERS: usize = 3;
    static HANDLES: [AtomicPtr<c_void>; 2] = [const { AtomicPtr::new(null_mut()) }; 2];
    static FAILS: AtomicBool = AtomicBool::new(false);
    /// Whether the initialiser has written its result, how many threads ask for the handle then, and whether it has come to its end.
    static WRITTEN: AtomicBool = AtomicBool::new(false);
    static ASKING: AtomicUsize = AtomicUsize::new(0);
    static DONE: AtomicBool = AtomicBool::new(false);
    /// What the handle held before the initialiser's end.
    static HELD_MEANWHILE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    unsafe extern "C" fn write_first(result: *mut *mut c_void) -> c_int {
        if WRITTEN.load(Ordering::Acquire) {
            // SAFETY: the place that this function was given. It was called before, and has failed.
            return unsafe { make_thing(result) };
        }
        let thing = Box::into_raw(Box::new(Thing { first: WHOLE.first, last: 0 }));
        // SAFETY: the caller passes a place for the result.
        unsafe { *result = thing.cast() };
        WRITTEN.store(true, Ordering::Release);
        wait_at_most(PATIENCE, || ASKING.load(Ordering::Acquire) >= OTHERS);
        // They are about to call now, and a call that does not wait is back long before this.
        thread::sleep(Duration::from_millis(30));
        let fails = FAILS.load(Ordering::Acquire);
        HELD_MEANWHILE.store(HANDLES[usize::from(fails)].load(Ordering::Acquire), Ordering::Release);
        // SAFETY: made above, and never freed.
        unsafe { (&raw mut (*thing).last).write_volatile(WHOLE.last) };
        DONE.store(true, Ordering::Release);
        if fails { 42 } else { 0 }
    }
    for (handle, fails) in HANDLES.iter().zip([false, true]) {
        FAILS.store(fails, Ordering::Release);
        [&WRITTEN, &DONE].into_iter().for_each(|flag| flag.store(false, Ordering::Release));
        ASKING.store(0, Ordering::Release);
        t.clause(id::ONC_0007);
        t.threads(1 + OTHERS, |t, number| {
            if number > 0 {
                while !WRITTEN.load(Ordering::Acquire) {
                    let_others_run();
                }
                ASKING.fetch_add(1, Ordering::AcqRel);
            }
            let status = call_init(t, handle, write_first);
            let done = DONE.load(Ordering::Acquire);
            // If the initialiser was not called, the others wait for nothing.
            WRITTEN.store(true, Ordering::Release);
            t.that("when a call came back", done, "behind the initialiser's end", "before it")?;
            match status {
                // Who has waited for a failure may be told of it, too.
                42 if fails => Ok(()),
                status => t.ok(status).and_then(|()| is_whole(t, handle)),
            }
        })?;
        if fails {
            t.clause(id::ONC_0003);
            let held = HELD_MEANWHILE.load(Ordering::Acquire);
            t.eq("the handle while an initialiser runs that will fail", held, null_mut())?;
        }
    }
    Ok(())
}
