//! Threads that wait for a handle which another is filling, in an initialiser or a deinitialiser, too.

use std::{
    array::from_fn,
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
    client::{Client, Verdict, callback},
    trial::{Trial, threads::let_others_run},
};

/// How long one thread waits for another to come; it goes on without it then.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many handles need each the next one.
const LENGTH: usize = 3;

type Init = unsafe extern "C" fn(*mut *mut c_void) -> c_int;

/// The handles, each of which has a thread of its own fill it; the initialisers; which of these have begun; and how many ask for the next
/// handle.
static LINE: [AtomicPtr<c_void>; LENGTH] = [const { AtomicPtr::new(null_mut()) }; LENGTH];
static MAKERS: [Init; LENGTH] = [make_in_line::<0>, make_in_line::<1>, make_in_line::<2>];
static BEGUN: [AtomicBool; LENGTH] = [const { AtomicBool::new(false) }; LENGTH];
static ASKING: AtomicUsize = AtomicUsize::new(0);

/// An initialiser or a deinitialiser that initialises a handle which another thread is filling, also one that itself waits for a third, goes on
/// when that is filled; each handle is filled once.
#[check(ONC_0016, ONC_0006, patient = 2)]
fn needs_what_another_fills(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let begin = |client: Client, place: usize| {
        // In turn: the handle that another needs must not be filled before that is asked for.
        wait_at_most(PATIENCE, || place == 0 || BEGUN[place - 1].load(Ordering::Acquire));
        client.api.TVMFFIHandleInitOnce(LINE[place].as_ptr(), Some(MAKERS[place]))
    };
    let all = move |client: &Client| {
        let begun: [_; LENGTH] = from_fn(|place| {
            let client = *client;
            thread::Builder::new().spawn(move || begin(client, place))
        });
        begun.map(|thread| thread.ok().and_then(|thread| thread.join().ok()))
    };
    let codes =
        t.comes_back("TVMFFIHandleInitOnce of three threads, whose initialisers need the next one's handle", all)?;
    for (code, handle) in codes.into_iter().zip(&LINE) {
        t.ok(code.ok_or_else(|| t.error("a thread", "there is none"))?)?;
        is_whole(t, handle)?;
    }
    t.clause(id::ONC_0006);
    t.eq("calls of the initialisers, one for each handle", MADE.load(Ordering::Relaxed), LENGTH)?;
    t.clause(id::ONC_0016);
    for (handle, begun) in LINE.iter().zip(&BEGUN) {
        handle.store(null_mut(), Ordering::Release);
        begun.store(false, Ordering::Release);
    }
    ASKING.store(0, Ordering::Release);
    let ended = filled();
    t.threads(LENGTH, |t, place| {
        if place == 0 {
            t.ok(call_deinit(t, &ended, end_before_line))?;
            return is_empty(t, &ended);
        }
        t.ok(call_init(t, &LINE[place], MAKERS[place]))?;
        is_whole(t, &LINE[place])
    })?;
    t.clause(id::ONC_0006);
    t.eq("calls of the initialisers, one for each handle", MADE.load(Ordering::Relaxed), LENGTH + LENGTH - 1)
}

/// An initialiser that needs the handle behind its own; that of the last handle lets the others come.
unsafe extern "C" fn make_in_line<const PLACE: usize>(result: *mut *mut c_void) -> c_int {
    BEGUN[PLACE].store(true, Ordering::Release);
    let failed = ask_for(PLACE + 1);
    if failed != 0 {
        return failed;
    }
    // SAFETY: the place that this function was given.
    unsafe { make_thing(result) }
}

/// A deinitialiser that needs the second handle.
unsafe extern "C" fn end_before_line(thing: *mut c_void) -> c_int {
    let failed = ask_for(1);
    if failed != 0 {
        return failed;
    }
    // SAFETY: called with what a handle held.
    unsafe { end_thing(thing) }
}

/// Initialises the handle at that place while its own thread is at it.
fn ask_for(place: usize) -> c_int {
    let (Some(handle), Some(init), Some(begun)) = (LINE.get(place), MAKERS.get(place), BEGUN.get(place)) else {
        wait_at_most(PATIENCE, || ASKING.load(Ordering::Acquire) >= LENGTH - 1);
        // They are about to call now, and wait long before this is over.
        (0..50).for_each(|_| let_others_run());
        return 0;
    };
    wait_at_most(PATIENCE, || begun.load(Ordering::Acquire));
    ASKING.fetch_add(1, Ordering::AcqRel);
    callback::api().map_or(-1, |api| api.TVMFFIHandleInitOnce(handle.as_ptr(), Some(*init)))
}

/// How many threads wait for a handle.
const OTHERS: usize = 3;

/// The handles that are waited for, by how often the initialiser fails, and how often it still does.
static WANTED: [AtomicPtr<c_void>; 3] = [const { AtomicPtr::new(null_mut()) }; 3];
static FAILURES: AtomicUsize = AtomicUsize::new(0);
/// How often the initialiser was called for one handle, how many threads ask for it meanwhile, and how many of these are back.
static CALLED: AtomicUsize = AtomicUsize::new(0);
static WAITING: AtomicUsize = AtomicUsize::new(0);
static BACK: AtomicUsize = AtomicUsize::new(0);

/// Threads that wait for a handle go on when the initialiser has ended, by success or by failures before it, while all that ran it live on and
/// call nothing.
#[check(ONC_0007, ONC_0006, ONC_0008, patient = 2)]
fn waits_no_longer_than_the_initialiser_runs(t: &Trial) -> Verdict {
    for (failures, handle) in WANTED.iter().enumerate() {
        FAILURES.store(failures, Ordering::Release);
        [&CALLED, &WAITING, &BACK].into_iter().for_each(|count| count.store(0, Ordering::Release));
        let other = |client: Client| {
            wait_at_most(PATIENCE, || CALLED.load(Ordering::Acquire) > 0);
            WAITING.fetch_add(1, Ordering::AcqRel);
            let status = client.api.TVMFFIHandleInitOnce(handle.as_ptr(), Some(make_when_awaited));
            BACK.fetch_add(1, Ordering::AcqRel);
            // The end of a thread could wake those that wait.
            while BACK.load(Ordering::Acquire) < OTHERS {
                let_others_run();
            }
            status
        };
        let all = move |client: &Client| {
            let begun: [_; OTHERS] = from_fn(|_| {
                let client = *client;
                thread::Builder::new().spawn(move || other(client))
            });
            // Nobody waits for a thread that the system does not give.
            [&WAITING, &BACK].into_iter().for_each(|count| {
                count.fetch_add(begun.iter().filter(|thread| thread.is_err()).count(), Ordering::AcqRel);
            });
            let first = client.api.TVMFFIHandleInitOnce(handle.as_ptr(), Some(make_when_awaited));
            let others = begun.map(|thread| thread.ok().and_then(|thread| thread.join().ok()));
            [Some(first)].into_iter().chain(others).collect::<Option<Vec<c_int>>>()
        };
        t.clause(if failures == 0 { id::ONC_0007 } else { id::ONC_0008 });
        let what = format!("TVMFFIHandleInitOnce of threads that wait for an initialiser which fails {failures} times");
        let statuses = t.comes_back(&what, all)?.ok_or_else(|| t.error("a thread", "there is none"))?;
        let filled = statuses.iter().filter(|status| **status == 0).count();
        for status in statuses.iter().filter(|status| **status == 0 || failures == 0) {
            t.ok(*status)?;
            is_whole(t, handle)?;
        }
        // A thread that waited may be told of the failure that it waited for, too: then nobody may be left who tries again.
        let calls = CALLED.load(Ordering::Acquire);
        let told = statuses.iter().filter(|status| **status == FAILED).count();
        t.eq(format_args!("return values of 0 or {FAILED}, {failures} failures"), filled + told, statuses.len())?;
        let failed = calls.min(failures);
        t.that("failures that reached a caller", told >= failed, format_args!("at least {failed}"), told)?;
        t.clause(id::ONC_0006);
        t.eq("calls of the initialiser that did not fail", calls - failed, usize::from(filled > 0))?;
    }
    Ok(())
}

/// What [`make_when_awaited`] fails with.
const FAILED: c_int = 42;

/// An initialiser that takes until others wait for its handle, and fails as often as the check wants it to.
unsafe extern "C" fn make_when_awaited(result: *mut *mut c_void) -> c_int {
    if CALLED.fetch_add(1, Ordering::AcqRel) == 0 {
        wait_at_most(PATIENCE, || WAITING.load(Ordering::Acquire) >= OTHERS);
        // They are about to call now, and wait long before this is over.
        (0..50).for_each(|_| let_others_run());
    }
    if FAILURES.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1)).is_ok() {
        return FAILED;
    }
    // SAFETY: the place that this function was given.
    unsafe { make_at_once(result) }
}

/// Two handles: one that is waited for, and one whose initialiser lasts until who waits for the other is back.
static AWAITED: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static BESIDE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// Whether the initialiser of the latter runs, and whether it still did when who waited for the other one was back.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);
static WAS_RUNNING: AtomicBool = AtomicBool::new(false);

/// A thread that waits for a handle goes on when the initialiser of that has ended, while that of another still runs.
#[check(ONC_0007, patient = 4)]
fn waits_for_no_other_handle(t: &Trial) -> Verdict {
    let waiting = |client: Client| {
        wait_at_most(PATIENCE, || CALLED.load(Ordering::Acquire) > 0);
        WAITING.fetch_add(1, Ordering::AcqRel);
        let status = client.api.TVMFFIHandleInitOnce(AWAITED.as_ptr(), Some(make_with_another_beside));
        WAS_RUNNING.store(IS_RUNNING.load(Ordering::Acquire), Ordering::Release);
        BACK.fetch_add(1, Ordering::AcqRel);
        status
    };
    let beside = |client: Client| {
        wait_at_most(PATIENCE, || CALLED.load(Ordering::Acquire) > 0);
        client.api.TVMFFIHandleInitOnce(BESIDE.as_ptr(), Some(make_until_another_is_back))
    };
    let all = move |client: &Client| {
        let (one, other) = (*client, *client);
        let begun =
            [thread::Builder::new().spawn(move || waiting(one)), thread::Builder::new().spawn(move || beside(other))];
        let first = client.api.TVMFFIHandleInitOnce(AWAITED.as_ptr(), Some(make_with_another_beside));
        // Whether that of another handle may run beside is for another clause to say.
        let ran_beside = RAN_BESIDE.load(Ordering::Acquire);
        let others = begun.map(|thread| thread.ok().and_then(|thread| thread.join().ok()));
        [Some(first)].into_iter().chain(others).collect::<Option<Vec<c_int>>>().map(|statuses| (statuses, ran_beside))
    };
    let what = "TVMFFIHandleInitOnce of a thread that waits for a handle while another is being filled";
    let (statuses, ran_beside) = t.comes_back(what, all)?.ok_or_else(|| t.error("a thread", "there is none"))?;
    statuses.into_iter().try_for_each(|status| t.ok(status))?;
    let was_running = WAS_RUNNING.load(Ordering::Acquire) || !ran_beside;
    t.that(what, was_running, "an end while that is being filled", "one when that had been filled")
}

/// Whether both initialisers ran at the same time, and whether the one that is waited for has ended.
static RAN_BESIDE: AtomicBool = AtomicBool::new(false);
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// An initialiser that takes until that of another handle runs, and somebody waits for its own.
unsafe extern "C" fn make_with_another_beside(result: *mut *mut c_void) -> c_int {
    CALLED.fetch_add(1, Ordering::AcqRel);
    wait_at_most(Duration::from_millis(50), || {
        IS_RUNNING.load(Ordering::Acquire) && WAITING.load(Ordering::Acquire) > 0
    });
    RAN_BESIDE.store(IS_RUNNING.load(Ordering::Acquire), Ordering::Release);
    // Who waits is about to call now, and waits long before this is over.
    (0..50).for_each(|_| let_others_run());
    HAS_ENDED.store(true, Ordering::Release);
    // SAFETY: the place that this function was given.
    unsafe { make_at_once(result) }
}

/// An initialiser that takes until who waits for another handle is back, unless that had been filled before this began. It gives up before
/// the check does, which can then say what the thread waited for.
unsafe extern "C" fn make_until_another_is_back(result: *mut *mut c_void) -> c_int {
    let is_beside = !HAS_ENDED.load(Ordering::Acquire);
    IS_RUNNING.store(true, Ordering::Release);
    wait_at_most(2 * PATIENCE, || !is_beside || BACK.load(Ordering::Acquire) > 0);
    IS_RUNNING.store(false, Ordering::Release);
    // SAFETY: the place that this function was given.
    unsafe { make_at_once(result) }
}
