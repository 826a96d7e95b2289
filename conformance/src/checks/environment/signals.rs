//! Signals, and the functions of a frontend that are asked for them.

use std::{
    ffi::{CStr, c_int, c_void},
    sync::{
        Barrier, Mutex, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::clause::id;

use crate::{
    checks::check,
    client::{Verdict, callback},
    trial::Trial,
};

/// TVMFFIEnvCheckSignals answers 0 on any thread when no frontend has registered a function.
#[check(ENV_0026)]
fn no_signals_without_a_frontend(t: &Trial) -> Verdict {
    t.ok(t.api.TVMFFIEnvCheckSignals())?;
    t.threads(1, |t, _| t.ok(t.api.TVMFFIEnvCheckSignals()))
}

/// TVMFFIEnvCheckSignals answers 0 exactly when the frontend's PyErr_CheckSignals does.
#[check(ENV_0027)]
fn frontend_decides_on_signals(t: &Trial) -> Verdict {
    register_frontend(t)?;
    for (answer, pending) in [(0, false), (-1, true), (0, false), (1, true), (7, true), (0, false)] {
        ANSWER.store(answer as u32, Ordering::Relaxed);
        let code = t.api.TVMFFIEnvCheckSignals();
        let expected = if pending { "not 0" } else { "0" };
        t.that(
            format_args!("return value when the frontend answers {answer}"),
            (code != 0) == pending,
            expected,
            code,
        )?;
    }
    Ok(())
}

/// PyErr_CheckSignals runs between PyGILState_Ensure and PyGILState_Release, which receives the lock's state.
#[check(ENV_0028)]
fn signals_are_checked_under_the_lock(t: &Trial) -> Verdict {
    register_frontend(t)?;
    for answer in [0, -1] {
        ANSWER.store(answer as u32, Ordering::Relaxed);
        STEPS.store(0, Ordering::Relaxed);
        t.api.TVMFFIEnvCheckSignals();
        // How often it is asked is not said.
        let steps = STEPS.load(Ordering::Relaxed).to_string();
        let is_under_the_lock = steps.contains("123") && steps.replace("123", "").is_empty();
        t.that("the calls (1 ensure, 2 check, 3 release)", is_under_the_lock, "123", &steps)?;
        t.eq("what PyGILState_Release received", RELEASED.load(Ordering::Relaxed), LOCK_STATE)?;
    }
    Ok(())
}

/// Each check of signals gives back what its own PyGILState_Ensure answered, when PyErr_CheckSignals checks signals again, too.
#[check(ENV_0028)]
fn signals_are_checked_within_a_check(t: &Trial) -> Verdict {
    static DEPTH: AtomicU32 = AtomicU32::new(0);
    static TAKEN: AtomicU32 = AtomicU32::new(1);
    static NESTED: Mutex<Vec<(char, u32)>> = Mutex::new(Vec::new());
    fn note(what: char, state: u32) {
        NESTED.lock().unwrap_or_else(PoisonError::into_inner).push((what, state));
    }
    unsafe extern "C" fn ensure_anew() -> *mut c_void {
        let state = TAKEN.fetch_add(1, Ordering::Relaxed);
        note('+', state);
        state as usize as *mut c_void
    }
    unsafe extern "C" fn release_what_was_taken(state: *mut c_void) {
        note('-', state as usize as u32);
    }
    unsafe extern "C" fn check_again() -> c_int {
        let depth = DEPTH.fetch_add(1, Ordering::Relaxed);
        // Its answer is the other's: what it comes to is for other clauses to say.
        if let (true, Some(api)) = (depth < 3, callback::api()) {
            api.TVMFFIEnvCheckSignals();
            api.release_raised();
        }
        ANSWER.load(Ordering::Relaxed) as c_int
    }
    t.serve_callbacks();
    register(t, c"PyErr_CheckSignals", check_again as *mut c_void)?;
    register(t, c"PyGILState_Ensure", ensure_anew as *mut c_void)?;
    register(t, c"PyGILState_Release", release_what_was_taken as *mut c_void)?;
    for answer in [0, -1] {
        ANSWER.store(answer as u32, Ordering::Relaxed);
        DEPTH.store(0, Ordering::Relaxed);
        t.api.TVMFFIEnvCheckSignals();
        t.api.release_raised();
        let mut open = Vec::new();
        for (what, state) in NESTED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            match what {
                '+' => open.push(state),
                _ => t.eq(
                    "what PyGILState_Release received, as against what was answered last",
                    Some(state),
                    open.pop(),
                )?,
            }
        }
        t.eq("states that were not released", open, vec![])?;
    }
    Ok(())
}

/// TVMFFIEnvCheckSignals asks the frontend also where the frontend's PyErr_CheckSignals calls it, and answers each time what that came
/// to.
#[check(ENV_0027)]
fn each_of_two_checks_has_its_answer(t: &Trial) -> Verdict {
    /// What the frontend answers within its own function, and what it answers outside.
    static ANSWERS: Mutex<[c_int; 2]> = Mutex::new([0; 2]);
    static IS_WITHIN: AtomicU32 = AtomicU32::new(0);
    /// Whether the check within was made, and whether a signal was pending by it.
    static FOUND: Mutex<Option<bool>> = Mutex::new(None);
    unsafe extern "C" fn ask_within() -> c_int {
        let [within, outside] = *ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
        if IS_WITHIN.swap(1, Ordering::SeqCst) == 1 {
            return within;
        }
        if let Some(api) = callback::api() {
            let pending = api.TVMFFIEnvCheckSignals() != 0;
            *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(pending);
        }
        IS_WITHIN.store(0, Ordering::SeqCst);
        outside
    }
    t.serve_callbacks();
    register(t, c"PyErr_CheckSignals", ask_within as *mut c_void)?;
    register(t, c"PyGILState_Ensure", ensure as *mut c_void)?;
    register(t, c"PyGILState_Release", release as *mut c_void)?;
    for (within, outside) in [(0, 0), (-1, 0), (0, -1), (-1, -1), (1, 0), (0, 7)] {
        *ANSWERS.lock().unwrap_or_else(PoisonError::into_inner) = [within, outside];
        let pending = t.api.TVMFFIEnvCheckSignals() != 0;
        let what = format!("whether a signal is pending where the frontend answers {outside}");
        t.eq(format_args!("{what}, and {within} within that"), pending, outside != 0)?;
        let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner).take();
        t.eq(format_args!("whether one is within it, where the frontend answers {within}"), found, Some(within != 0))?;
    }
    Ok(())
}

/// TVMFFIEnvCheckSignals raises no error of its own when a signal is pending.
#[check(ENV_0029)]
fn pending_signal_raises_nothing(t: &Trial) -> Verdict {
    register_frontend(t)?;
    ANSWER.store(1, Ordering::Relaxed);
    t.api.TVMFFIEnvCheckSignals();
    let raised = t.take_raised().map(|raised| format!("{}: {}", raised.kind, raised.message));
    t.eq("the raised error", raised, None)
}

/// A frontend's function that one thread has registered is asked on every thread.
#[check(ENV_0035)]
fn every_thread_asks_the_frontend(t: &Trial) -> Verdict {
    register_frontend(t)?;
    ANSWER.store(1, Ordering::Relaxed);
    t.threads(3, |t, _| {
        let code = t.api.TVMFFIEnvCheckSignals();
        t.that("return value on another thread", code != 0, "not 0", code)
    })
}

/// A frontend's function is asked from its registration on also by threads that have asked before, when there was none or another.
#[check(ENV_0035, ENV_0026, ENV_0032)]
fn threads_that_have_asked_before(t: &Trial) -> Verdict {
    const THREADS: usize = 3;
    let asks = |t: &Trial, when: &str| {
        let code = t.api.TVMFFIEnvCheckSignals();
        t.that(format_args!("return value {when}"), code != 0, "not 0", code)
    };
    t.clause(id::ENV_0026);
    t.ok(t.api.TVMFFIEnvCheckSignals())?;
    ANSWER.store(1, Ordering::Relaxed);
    t.clause(id::ENV_0035);
    let all_are_there = Barrier::new(THREADS);
    t.threads(THREADS, |t, number| {
        t.api.TVMFFIEnvCheckSignals();
        t.api.release_raised();
        all_are_there.wait();
        let registered = if number == 0 { register_frontend(t) } else { Ok(()) };
        all_are_there.wait();
        registered?;
        asks(t, "on a thread that has asked before")
    })?;
    asks(t, "on a thread that has asked before others were there")?;
    t.clause(id::ENV_0032);
    ANSWER.store(0, Ordering::Relaxed);
    t.ok(t.api.TVMFFIEnvCheckSignals())?;
    let again = t.elsewhere(|t| {
        Ok(t.api.TVMFFIEnvRegisterCAPI(c"PyErr_CheckSignals".as_ptr(), always_pending as *mut c_void))
    })?;
    // It need not be taken a second time.
    if again == 0 { asks(t, "with the function that another thread has registered") } else { Ok(()) }
}

/// TVMFFIEnvRegisterCAPI accepts the functions of a frontend in any order, and TVMFFIEnvCheckSignals answers 0 until PyErr_CheckSignals is
/// among them.
#[check(ENV_0030, ENV_0026, ENV_0027)]
fn functions_in_any_order(t: &Trial) -> Verdict {
    let functions = [
        (c"PyErr_CheckSignals", check_signals as *mut c_void),
        (c"PyGILState_Ensure", ensure as *mut c_void),
        (c"PyGILState_Release", release as *mut c_void),
    ];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let names = order.map(|which: usize| functions[which].0);
        // In a copy of this process, which has registered none.
        let found = t.forked(|t| {
            for (place, which) in order.into_iter().enumerate() {
                let (name, function) = functions[which];
                if t.api.TVMFFIEnvRegisterCAPI(name.as_ptr(), function) != 0 {
                    return Ok(REFUSED);
                }
                // With that function and without the lock there is nothing to be asked.
                if !order[..=place].contains(&0) && t.api.TVMFFIEnvCheckSignals() != 0 {
                    return Ok(INVENTED);
                }
            }
            for answer in [0, 1, 0] {
                ANSWER.store(answer, Ordering::Relaxed);
                if (t.api.TVMFFIEnvCheckSignals() != 0) != (answer != 0) {
                    return Ok(NOT_ASKED);
                }
            }
            Ok(0)
        })?;
        let (clause, told) = match found {
            Some(0) => continue,
            Some(INVENTED) => (id::ENV_0026, "a signal that nobody was asked for"),
            Some(NOT_ASKED) => (id::ENV_0027, "another answer than that of PyErr_CheckSignals"),
            Some(_) => (id::ENV_0030, "a registration that failed"),
            None => (id::ENV_0030, "the end of the process"),
        };
        t.clause(clause);
        return Err(t.failure(
            format_args!("registering {names:?}"),
            "each to be taken, and the first to be asked",
            told,
        ));
    }
    Ok(())
}

/// What is found where functions were registered in some order: one was refused, a signal is pending without anybody to ask for one, or that
/// one is not asked.
const REFUSED: i64 = 1;
const INVENTED: i64 = 2;
const NOT_ASKED: i64 = 3;

/// TVMFFIEnvRegisterCAPI accepts the three functions of a frontend.
#[check(ENV_0030)]
fn known_functions_are_accepted(t: &Trial) -> Verdict {
    register_frontend(t)
}

/// TVMFFIEnvRegisterCAPI refuses a name that it does not know with a ValueError.
#[check(ENV_0031)]
fn unknown_function_is_refused(t: &Trial) -> Verdict {
    for name in [c"PyErr_NoSuchFunction", c"PyErr_CheckSignal", c"PyGILState_Ensure2", c"", c"Py_DecRef"] {
        let code = t.api.TVMFFIEnvRegisterCAPI(name.as_ptr(), check_signals as *mut c_void);
        t.raises(code, &["ValueError"])?;
    }
    Ok(())
}

/// A frontend's function that is registered again replaces the former one, unless the registration fails.
#[check(ENV_0032)]
fn function_can_be_replaced(t: &Trial) -> Verdict {
    register_frontend(t)?;
    ANSWER.store(0, Ordering::Relaxed);
    t.ok(t.api.TVMFFIEnvCheckSignals())?;
    let code = t.api.TVMFFIEnvRegisterCAPI(c"PyErr_CheckSignals".as_ptr(), always_pending as *mut c_void);
    if code != 0 {
        return t.raises(code, &[]).map(drop);
    }
    let code = t.api.TVMFFIEnvCheckSignals();
    t.that("return value with the new function", code != 0, "not 0", code)
}

/// Each of a frontend's functions that is registered again is the one that is called from then on.
#[check(ENV_0032)]
fn every_function_can_be_replaced(t: &Trial) -> Verdict {
    unsafe extern "C" fn ensure_again() -> *mut c_void {
        step(4);
        LOCK_STATE as usize as *mut c_void
    }
    unsafe extern "C" fn release_again(_: *mut c_void) {
        step(6);
    }
    register_frontend(t)?;
    ANSWER.store(0, Ordering::Relaxed);
    let steps = |t: &Trial| -> Verdict<u32> {
        STEPS.store(0, Ordering::Relaxed);
        t.ok(t.api.TVMFFIEnvCheckSignals())?;
        Ok(STEPS.load(Ordering::Relaxed))
    };
    let before = steps(t)?;
    for (name, again) in
        [(c"PyGILState_Ensure", ensure_again as *mut c_void), (c"PyGILState_Release", release_again as *mut c_void)]
    {
        let code = t.api.TVMFFIEnvRegisterCAPI(name.as_ptr(), again);
        if code != 0 {
            return t.raises(code, &[]).map(drop);
        }
    }
    // What was called before is called again, in its new form.
    let expected = before.to_string().replace('1', "4").replace('3', "6");
    t.eq("what is called, in order", steps(t)?.to_string(), expected)
}

/// What PyErr_CheckSignals registers in its own place, while it is asked, is in that place from then on: another function, or none.
#[check(ENV_0032, ENV_0033)]
fn function_that_replaces_itself(t: &Trial) -> Verdict {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    static STATUS: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn replace() -> c_int {
        let (name, next) = (c"PyErr_CheckSignals".as_ptr(), NEXT.load(Ordering::Relaxed) as *mut c_void);
        let status = callback::api().map_or(-1, |api| api.TVMFFIEnvRegisterCAPI(name, next));
        STATUS.store(status as u32, Ordering::Relaxed);
        0
    }
    t.serve_callbacks();
    register_frontend(t)?;
    for (next, is_pending, clause) in
        [(always_pending as *mut c_void, true, id::ENV_0032), (std::ptr::null_mut(), false, id::ENV_0033)]
    {
        t.clause(clause);
        NEXT.store(next as usize, Ordering::Relaxed);
        let code = t.api.TVMFFIEnvRegisterCAPI(c"PyErr_CheckSignals".as_ptr(), replace as *mut c_void);
        if code != 0 {
            return t.raises(code, &[]).map(drop);
        }
        // What it comes to itself is open: it may ask more than once.
        t.api.TVMFFIEnvCheckSignals();
        t.api.release_raised();
        // A frontend's function may be one that stays.
        if STATUS.load(Ordering::Relaxed) != 0 {
            continue;
        }
        for _ in 0..2 {
            let pending = t.api.TVMFFIEnvCheckSignals() != 0;
            t.eq("whether a signal is pending by what was registered meanwhile", pending, is_pending)?;
        }
    }
    Ok(())
}

/// Registering NULL for PyErr_CheckSignals takes the frontend's function away.
#[check(ENV_0033)]
fn function_can_be_taken_away(t: &Trial) -> Verdict {
    register(t, c"PyErr_CheckSignals", always_pending as *mut c_void)?;
    register(t, c"PyErr_CheckSignals", std::ptr::null_mut())?;
    t.ok(t.api.TVMFFIEnvCheckSignals())
}

/// TVMFFIEnvRegisterCAPI fails with an error for a NULL name.
#[check(ENV_0034)]
fn null_name_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIEnvRegisterCAPI(std::ptr::null(), check_signals as *mut c_void), &[]).map(drop)
}

/// What the frontend answers when it is asked for signals.
static ANSWER: AtomicU32 = AtomicU32::new(0);
/// The functions of the frontend in the order in which they were called, a decimal digit each.
static STEPS: AtomicU32 = AtomicU32::new(0);
/// The state of the lock: a C enumeration in Python, so no wider than this.
const LOCK_STATE: u32 = 0x61;
/// The state of the lock that PyGILState_Release was given.
static RELEASED: AtomicU32 = AtomicU32::new(0);

fn register_frontend(t: &Trial) -> Verdict {
    register(t, c"PyErr_CheckSignals", check_signals as *mut c_void)?;
    register(t, c"PyGILState_Ensure", ensure as *mut c_void)?;
    register(t, c"PyGILState_Release", release as *mut c_void)
}

fn register(t: &Trial, name: &CStr, function: *mut c_void) -> Verdict {
    t.ok(t.api.TVMFFIEnvRegisterCAPI(name.as_ptr(), function))
}

fn step(number: u32) {
    // Only the order within one thread is looked at.
    STEPS.store(STEPS.load(Ordering::Relaxed) % 100_000_000 * 10 + number, Ordering::Relaxed);
}

unsafe extern "C" fn ensure() -> *mut c_void {
    step(1);
    LOCK_STATE as usize as *mut c_void
}

unsafe extern "C" fn check_signals() -> c_int {
    step(2);
    ANSWER.load(Ordering::Relaxed) as c_int
}

unsafe extern "C" fn always_pending() -> c_int {
    1
}

unsafe extern "C" fn release(state: *mut c_void) {
    step(3);
    RELEASED.store(state as usize as u32, Ordering::Relaxed);
}
