//! Errors and threads: each has a raised error of its own, and an Error passes from one to another.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use proptest::collection::vec;
use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Client, Owned, Verdict, api::Api, callback, changes, homemade::Homemade, own_error::error_cell},
    trial::{Trial, forked::NoAnswer, threads::let_others_run},
};

/// Each thread has a raised error of its own that no other thread sees or replaces.
#[check(ERR_0019)]
fn of_each_thread(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "of the main thread", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.threads(3, |t, number| {
        t.eq("the raised error of a new thread", take(t), null_mut())?;
        let own = t.new_error("TypeError", "of this thread", "")?;
        t.api.TVMFFIErrorSetRaised(own.handle());
        for _ in 0..50 {
            let_others_run();
            let raised = take(t);
            t.eq(format_args!("the raised error of thread {number}"), raised, own.handle())?;
            t.api.TVMFFIErrorSetRaised(raised);
            t.api.TVMFFIObjectDecRef(raised);
        }
        clear(t);
        Ok(())
    })?;
    let raised = t.own_object("the raised error of the main thread", take(t))?;
    t.eq("the raised error of the main thread", raised.handle(), error.handle())
}

/// Each of hundreds of threads keeps its own raised error while all of them live.
#[check(ERR_0019)]
fn of_a_crowd(t: &Trial) -> Verdict {
    t.crowd(
        |t, _| {
            t.eq("the raised error of a new thread", take(t), null_mut())?;
            let own = t.new_error("TypeError", "of this thread", "")?;
            t.api.TVMFFIErrorSetRaised(own.handle());
            Ok(own.into_any().payload() as usize)
        },
        |t, number, own| {
            let raised = t.own_object(format!("the raised error of thread {number}"), take(t))?;
            t.eq(format_args!("the raised error of thread {number}"), raised.handle() as usize, own)?;
            t.api.release(own as TVMFFIObjectHandle);
            t.eq("strong count of the error", t.counts(raised.handle())?.0, 1)
        },
    )
}

/// Threads that raise an error and end, whether somebody took it or not, keep no memory.
#[check(ERR_0021, ERR_0031, patient = 3)]
fn threads_leave_none(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.threads_leave_nothing("heap after threads that end with an error raised", |t| {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"taken by nobody".as_ptr());
        Ok(())
    })?;
    t.clause(id::ERR_0031);
    t.threads_leave_nothing("heap after threads that have raised and taken an error", |t| {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"taken by the thread".as_ptr());
        take_one(t).map(drop)
    })
}

/// A thread with a small stack, and with the smallest that the system allows, raises its first error.
#[check(ERR_0036, plain = "what a sanitizer adds to functions takes more than the smallest stack")]
fn on_small_stacks(t: &Trial) -> Verdict {
    // SAFETY: sysconf only answers a question.
    let smallest = unsafe { libc::sysconf(libc::_SC_THREAD_STACK_MIN) } as usize;
    t.serve_callbacks();
    for size in [64 << 10, 32 << 10, smallest] {
        let error = t.api.noted(&format!("TVMFFIErrorSetRaisedFromCStr on a stack of {size} bytes"), || {
            on_stack_of(t, size.max(smallest), raise_and_take)
        })?;
        texts_eq(t, t.own_object("the raised error", error)?.handle(), "ValueError", "on a small stack")?;
    }
    Ok(())
}

/// Raises an error and answers what it takes.
extern "C" fn raise_and_take(_: *mut c_void) -> *mut c_void {
    let Some(table) = callback::api().map(Api::table) else { return null_mut() };
    let mut error = null_mut();
    // Without breadcrumbs, which take room.
    if let (Some(raise), Some(take)) = (table.TVMFFIErrorSetRaisedFromCStr, table.TVMFFIErrorMoveFromRaised) {
        // SAFETY: calls as the header asks for; the target is the one under test.
        unsafe {
            raise(c"ValueError".as_ptr(), c"on a small stack".as_ptr());
            take(&mut error);
        }
    }
    error
}

/// What `work` answers on a thread with a stack of that many bytes.
fn on_stack_of(t: &Trial, size: usize, work: extern "C" fn(*mut c_void) -> *mut c_void) -> Verdict<*mut c_void> {
    let mut answer = null_mut();
    // SAFETY: the attributes are initialised before they are used, and the thread is waited for.
    let failed = unsafe {
        let mut attributes = std::mem::zeroed();
        let mut thread = std::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        match libc::pthread_attr_setstacksize(&mut attributes, size) {
            0 => match libc::pthread_create(&mut thread, &attributes, work, null_mut()) {
                0 => libc::pthread_join(thread, &mut answer),
                failed => failed,
            },
            failed => failed,
        }
    };
    if failed == 0 { Ok(answer) } else { Err(t.error("a thread with a small stack", format!("error {failed}"))) }
}

/// A child raises errors and finds functions and types, whatever other threads of its parent were doing of that kind.
#[check(
    ERR_0037,
    patient = 4,
    fresh,
    plain = "a sanitizer that is at work on another thread when the process is forked stays locked in the child"
)]
fn in_forked_children(t: &Trial) -> Verdict {
    const CHILDREN: usize = 32;
    changes::note();
    // SAFETY: a function that counts and nothing else.
    unsafe { libc::pthread_atfork(None, Some(has_forked), None) };
    let forks = Forks::default();
    let work = |t: &Trial| -> Verdict {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"in a child".as_ptr());
        texts_eq(t, take_one(t)?.handle(), "ValueError", "in a child")?;
        drop(t.global("ffi.Array")?);
        t.ok(t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"ffi.Array"), &mut 0))
    };
    t.threads(1 + OTHERS, |t, number| {
        if number > 0 {
            work(t)?;
            t.api.noted("what a child does, all the time", || work_at_forks(t, &forks));
            return Ok(());
        }
        let children = || {
            for child in 0..CHILDREN {
                forks.begin();
                let what = format!("the work of child {child}");
                match t.in_a_copy(|t| work(t).map(|()| 1))? {
                    Ok(_) => {}
                    Err(NoAnswer::Hangs) => return Err(t.late(what)),
                    Err(NoAnswer::Ended) => return Err(t.failure(what, "to be done", "an end before it is")),
                }
            }
            Ok(())
        };
        let verdict = children();
        forks.over.store(true, Ordering::SeqCst);
        verdict
    })
}

/// How many threads are at work when the process is forked.
const OTHERS: usize = 2;

/// How often the process has been forked, as the system says where that is done.
static FORKED: AtomicUsize = AtomicUsize::new(0);

extern "C" fn has_forked() {
    FORKED.fetch_add(1, Ordering::SeqCst);
}

/// The forks that there are to be.
#[derive(Default)]
struct Forks {
    wanted: AtomicUsize,
    /// How often a thread has begun to work for a fork.
    at_work: AtomicUsize,
    over: AtomicBool,
}

impl Forks {
    /// The next fork is wanted: waits, but not for ever, until another thread is at work, and a moment more for the rest of them.
    fn begin(&self) {
        const WHILE: Duration = Duration::from_millis(20);
        let (before, start) = (self.at_work.load(Ordering::SeqCst), Instant::now());
        self.wanted.fetch_add(1, Ordering::SeqCst);
        while self.at_work.load(Ordering::SeqCst) == before && start.elapsed() < WHILE {
            let_others_run();
        }
        let_others_run();
    }
}

/// Raises errors, or finds a function or a type, with nothing between the calls, whenever a fork is wanted, until there is one: as likely as can
/// be, it is in one of them. What takes long is done for every second fork, and each of what takes no time for every fourth.
fn work_at_forks(t: &Trial, forks: &Forks) {
    const OFTEN: usize = 16;
    let raise = t.api.bare("TVMFFIErrorSetRaisedFromCStr", |table| table.TVMFFIErrorSetRaisedFromCStr);
    let take = t.api.bare("TVMFFIErrorMoveFromRaised", |table| table.TVMFFIErrorMoveFromRaised);
    let get = t.api.bare("TVMFFIFunctionGetGlobal", |table| table.TVMFFIFunctionGetGlobal);
    let index = t.api.bare("TVMFFITypeKeyToIndex", |table| table.TVMFFITypeKeyToIndex);
    let release = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
    let name = TVMFFIByteArray::new(b"ffi.Array");
    let give_up = |object: TVMFFIObjectHandle| {
        if !object.is_null() {
            // SAFETY: a reference that was just given out.
            unsafe { release(object) };
        }
    };
    let mut latest = 0;
    while !forks.over.load(Ordering::SeqCst) {
        let wanted = forks.wanted.load(Ordering::SeqCst);
        if wanted == FORKED.load(Ordering::SeqCst) {
            let_others_run();
            continue;
        }
        let mut found = null_mut();
        for _ in 0..if wanted % 4 < 2 { OFTEN } else { 1 } {
            // SAFETY: calls as the header asks for; what they give out is released once.
            unsafe {
                match wanted % 4 {
                    0 => _ = get(&name, &mut found),
                    1 => _ = index(&name, &mut 0),
                    _ => {
                        raise(c"ValueError".as_ptr(), c"beside a fork".as_ptr());
                        take(&mut found);
                    }
                }
            }
            give_up(std::mem::replace(&mut found, null_mut()));
        }
        if wanted != latest {
            latest = wanted;
            forks.at_work.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// An Error can be raised and taken on one thread, raised and taken on a second and released on a third.
#[check(ERR_0020)]
fn across_threads(t: &Trial) -> Verdict {
    // One thread after the other: made and raised, taken, raised elsewhere, released. Only addresses cross over.
    let carried = AtomicUsize::new(0);
    let handle = || carried.load(Ordering::SeqCst) as TVMFFIObjectHandle;
    t.threads(1, |t, _| {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"from another thread".as_ptr());
        let raised = take(t);
        t.that("the raised error", !raised.is_null(), "an object", "NULL")?;
        carried.store(raised as usize, Ordering::SeqCst);
        Ok(())
    })?;
    t.api.TVMFFIErrorSetRaised(handle());
    t.eq("strong count while raised on the main thread", t.counts(handle())?.0, 2)?;
    t.eq("the raised error of the main thread", take(t), handle())?;
    texts_eq(t, handle(), "ValueError", "from another thread")?;
    t.api.TVMFFIObjectDecRef(handle());
    t.threads(1, |t, _| {
        t.eq("strong count on a third thread", t.counts(handle())?.0, 1)?;
        t.api.TVMFFIObjectDecRef(handle());
        Ok(())
    })
}

/// An Error of any origin gives all its memory back where another thread ends it than has made it, the end of a thread that has it raised
/// among them.
#[check(ERR_0020, ERR_0021, patient = 4)]
fn ended_on_another_thread(t: &Trial) -> Verdict {
    // Thousands of full backtraces would take long.
    t.short_backtraces();
    fn make(t: &Trial) -> Verdict<Vec<usize>> {
        let texts = [b"ValueError", &b"an error that lies on the heap"[..], b"and its backtrace\n"];
        let mut errors = Vec::new();
        for (_, make) in makers(t) {
            errors.push(make(t, texts.map(TVMFFIByteArray::new))?);
        }
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"an error that lies on the heap".as_ptr());
        errors.push(take_one(t)?);
        t.ne("status", t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.no_such_type"), &mut 0), 0)?;
        errors.push(take_one(t)?);
        Ok(errors.into_iter().map(|error| error.into_any().payload() as usize).collect())
    }
    fn end(t: &Trial, errors: &[usize]) -> Verdict {
        errors.iter().try_for_each(|&error| t.ok(t.api.TVMFFIObjectDecRef(error as TVMFFIObjectHandle)))
    }
    t.no_growth("heap after errors that another thread ends than has made them", || {
        let errors = make(t)?;
        t.threads(1, |t, _| end(t, &errors))
    })?;
    t.no_growth("heap after errors that were made on a thread that has ended", || {
        let errors = t.elsewhere(make)?;
        end(t, &errors)
    })?;
    t.clause(id::ERR_0021);
    t.no_growth("heap after errors that end with another thread that has them raised", || {
        let errors = make(t)?;
        t.threads(1, |t, _| {
            // Each takes the place of the one before, and the thread's end that of the last.
            errors.iter().for_each(|&error| t.api.TVMFFIErrorSetRaised(error as TVMFFIObjectHandle));
            end(t, &errors)
        })
    })
}

/// A thread that ends with an error raised releases it.
#[check(ERR_0021)]
fn thread_ends(t: &Trial) -> Verdict {
    for _ in 0..2 {
        t.threads(1, |t, _| {
            let error = new_own_error();
            t.api.TVMFFIErrorSetRaised(error);
            t.api.TVMFFIObjectDecRef(error);
            t.eq("strong count while raised", t.counts(error)?.0, 1)
        })?;
    }
    match own_ended() {
        2 => Ok(()),
        ended => Err(t.leak("errors that ended with the two threads that had raised them", 2, ended)),
    }
}

/// The deleter of an error that is raised when its thread ends may call the library.
#[check(ERR_0021)]
fn thread_ends_with_a_deleter_that_calls(t: &Trial) -> Verdict {
    static CALLED: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn use_library(_: TVMFFIObjectHandle, _: c_int) {
        let Some(api) = callback::api() else { return };
        let mut out = TVMFFIAny::NONE;
        if api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(b"longer than seven bytes"), &mut out) == 0 {
            api.TVMFFIObjectDecRef(out.payload() as TVMFFIObjectHandle);
        }
        let mut found = null_mut();
        if api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"ffi.Array"), &mut found) == 0 {
            api.TVMFFIObjectDecRef(found);
            CALLED.fetch_add(1, Ordering::SeqCst);
        }
    }
    t.serve_callbacks();
    for round in 1..=3 {
        t.threads(1, |t, _| {
            let error = Homemade::with_deleter(kTVMFFIError, error_cell(), Some(use_library)).handle();
            t.api.TVMFFIErrorSetRaised(error);
            t.ok(t.api.TVMFFIObjectDecRef(error))
        })?;
        t.eq("deleters that have called the library", CALLED.load(Ordering::SeqCst), round)?;
    }
    Ok(())
}

/// An error that a destructor of the thread's own data raises while the thread ends is raised, and can be taken there, however late
/// the destructor runs.
#[check(ERR_0038)]
fn raised_while_a_thread_ends(t: &Trial) -> Verdict {
    let error = t.new_error("TypeError", "made before", "")?;
    let object = error.handle() as usize;
    for raises_before in [false, true] {
        let before = |client: &Client| -> Verdict {
            if raises_before {
                client.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"early".as_ptr());
                client.api.release_raised();
            }
            Ok(())
        };
        t.while_a_thread_ends(before, |client| {
            client.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"late".as_ptr());
            let raised = client.api.take_raised();
            client.ne("an error that was raised from C strings while a thread ended", raised, null_mut())?;
            client.api.release(raised);
            client.api.TVMFFIErrorSetRaised(object as TVMFFIObjectHandle);
            let raised = client.api.take_raised();
            client.eq("an error that was raised as an object while a thread ended", raised as usize, object)?;
            client.api.release(raised);
            Ok(())
        })?;
    }
    t.eq("counts of the error that was raised as an object", t.counts(error.handle())?, (1, 1))
}

/// Each thread keeps its own raised error through any interleaving of raising and taking.
///
/// Whatever the threads do in turn, each one's raised error is the one it raised last, and an error has one reference
/// for each thread that has it raised.
#[check(ERR_0019, ERR_0016, ERR_0014, patient = 2)]
fn interleavings(t: &Trial) -> Verdict {
    let step = (0..THREADS, 0..ERRORS, 0..3_u8);
    let told = |steps: &Vec<(usize, usize, u8)>| {
        let told = steps.iter().map(|&(thread, error, action)| match action {
            0 | 1 => format!("thread {thread} raises error {error}"),
            _ => format!("thread {thread} takes its error"),
        });
        told.collect::<Vec<_>>().join("; ")
    };
    t.property_told(vec(step, 1..20), told, |steps| interleave(t, steps))
}

const THREADS: usize = 3;
const ERRORS: usize = 3;

/// Takes the steps in turn, each on its thread: the thread, the error and what [`act`] does with it.
fn interleave(t: &Trial, steps: &[(usize, usize, u8)]) -> Verdict {
    let new = |_| t.new_error("ValueError", "interleaved", "");
    let errors = (0..ERRORS).map(new).collect::<Verdict<Vec<Owned>>>()?;
    let handles: Vec<usize> = errors.iter().map(|error| error.handle() as usize).collect();
    let handle = |error: usize| handles[error] as TVMFFIObjectHandle;
    let schedule = Schedule::of(steps);
    // What each thread has raised; changed by the thread whose turn it is.
    let model = Mutex::new([None::<usize>; THREADS]);
    t.threads(THREADS, |t, me| {
        let mut verdict = Ok(());
        for (turn, &(_, error, action)) in steps.iter().enumerate().filter(|(_, step)| step.0 == me) {
            let done = schedule.at(turn, me, || {
                let mut model = model.lock().unwrap_or_else(PoisonError::into_inner);
                act(t, action, handle(error), model[me].map(handle))?;
                model[me] = (action < 2).then_some(error);
                for at in 0..ERRORS {
                    let raised = model.iter().filter(|raised| **raised == Some(at)).count() as u32;
                    t.eq(format_args!("strong count of error {at}"), t.counts(handle(at))?.0, 1 + raised)?;
                }
                Ok(())
            });
            verdict = verdict.and(done);
        }
        // What is still raised goes, whatever the thread's end would do to it.
        schedule.at_end(steps.len(), me, || clear(t));
        verdict
    })?;
    errors.iter().try_for_each(|error| t.eq("strong count in the end", t.counts(error.handle())?.0, 1))
}

/// Raises (0, 1) or takes (2), where `raised` is what the model has raised.
fn act(t: &Trial, action: u8, error: TVMFFIObjectHandle, raised: Option<TVMFFIObjectHandle>) -> Verdict {
    match action {
        0 | 1 => t.api.TVMFFIErrorSetRaised(error),
        _ => {
            let taken = take(t);
            t.eq("the error taken", taken, raised.unwrap_or(null_mut()))?;
            if !taken.is_null() {
                t.api.TVMFFIObjectDecRef(taken);
            }
        }
    }
    Ok(())
}

/// Lets threads take turns in the order of steps. Each waits by itself, so that a turn wakes the one whose turn it is.
struct Schedule<'a> {
    steps: &'a [(usize, usize, u8)],
    turn: Mutex<usize>,
    changed: [Condvar; THREADS],
}

impl<'a> Schedule<'a> {
    fn of(steps: &'a [(usize, usize, u8)]) -> Self {
        Self { steps, turn: Mutex::default(), changed: Default::default() }
    }

    /// Does `work` when it is this turn, and lets the next turn begin.
    fn at<R>(&self, turn: usize, me: usize, work: impl FnOnce() -> R) -> R {
        let result = self.at_end(turn, me, work);
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        *turn += 1;
        match self.steps.get(*turn) {
            Some(next) => self.changed[next.0].notify_one(),
            None => self.changed.iter().for_each(Condvar::notify_one),
        }
        result
    }

    /// Does `work` once this turn has come.
    fn at_end<R>(&self, turn: usize, me: usize, work: impl FnOnce() -> R) -> R {
        let now = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed[me].wait_while(now, |now| *now < turn).unwrap_or_else(PoisonError::into_inner));
        work()
    }
}
