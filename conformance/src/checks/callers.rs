//! Callers in C and C++: what a client in these languages does with the target.
//!
//! A caller in C is a function in `c_fixtures/callers/`, compiled as C11 and as C++17, and so there are two checks for
//! each: `c11.SLUG` and `cxx17.SLUG`. A caller in `c_fixtures/cxx/` uses the target's C++ functions and classes, and is the
//! check `cxx.SLUG`. Those of an older generation, in `callers_NAME/`, are `NAME-c11.SLUG` and `NAME-cxx17.SLUG`. Sentence and
//! clauses stand in the file. A caller reports through a struct of functions, which `callers/suite.h` declares: which clause it
//! decides from here on, which call it makes, and which expectation was not met.

use std::{
    borrow::Cow,
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_int, c_void},
    os::unix::ffi::OsStrExt,
};

use tvm_ffi_fixtures::{CALLERS, Caller, Form, OPERATORS};
use tvm_ffi_spec::generation::TODAY;

use super::words;
use crate::{
    client::{Failure, Verdict, program},
    trial::{Trial, check::Check},
};

#[linkme::distributed_slice(crate::checks::GENERATED)]
static CHECKS: fn() -> Vec<Check> = checks;

/// Every caller in each form.
fn checks() -> Vec<Check> {
    let mut forms: Vec<_> =
        CALLERS.iter().flat_map(|caller| caller.forms.iter().map(move |form| (form, caller))).collect();
    forms.sort_by_cached_key(|(form, _)| area(form));
    let check = |(form, caller): (&Form, &'static Caller)| Check {
        id: format!("{}.{}", area(form), words(caller.name)).leak(),
        name: match form.language {
            "c11" => format!("C11: {}", caller.sentence).leak(),
            "cxx17" => format!("C++17: {}", caller.sentence).leak(),
            _ => caller.sentence,
        },
        clauses: caller.clauses,
        run,
        patience: 1,
        lays: None,
        fresh: false,
        plain: None,
        compiled_for: Some(form.generation),
    };
    forms.into_iter().map(check).collect()
}

/// The caller that is the check of that id, and its form.
pub fn find(id: &str) -> Option<(&'static Form, &'static Caller)> {
    let (named, slug) = id.split_once('.')?;
    let mut all = CALLERS.iter().flat_map(|caller| caller.forms.iter().map(move |form| (form, caller)));
    all.find(|(form, caller)| area(form) == named && words(caller.name) == slug)
}

/// The area of the checks that are callers in this form.
fn area(form: &Form) -> String {
    match form.generation {
        TODAY => form.language.to_owned(),
        older => format!("{older}-{}", form.language),
    }
}

/// The suite, as a caller sees it: `struct caller` of `suite.h`.
#[repr(C)]
struct Suite<'a> {
    report: &'a Report<'a>,
    clause: unsafe extern "C" fn(&Report, *const c_char),
    enter: unsafe extern "C" fn(&Report, *const c_char),
    leave: unsafe extern "C" fn(&Report),
    unmet: unsafe extern "C" fn(&Report, *const c_char, *const c_char, *const c_char),
    fixtures: *const c_char,
}

/// What a caller has reported.
struct Report<'a> {
    trial: &'a Trial<'a>,
    caller: &'static Caller,
    failure: RefCell<Option<Box<Failure>>>,
}

/// Runs the caller that the check's id names.
fn run(t: &Trial) -> Verdict {
    let (form, caller) = find(t.check).ok_or_else(|| t.error("the fixture", "it has no such caller"))?;
    let address = t.fixture_symbol(form.library, &format!("caller_{}", caller.name))?;
    // SAFETY: `CALLER` of suite.h gives every symbol of that name this type.
    let call = unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn(&Suite) -> c_int>(address) };
    let report = Report { trial: t, caller, failure: RefCell::new(None) };
    if caller.loads_operators {
        OPERATORS.iter().try_for_each(|(name, _)| t.fixture_path(&format!("legacy_{name}.so")).map(drop))?;
    }
    // The program is made of its source.
    program::leave_out("the check itself is a function in C, in c_fixtures/callers");
    let fixtures = CString::new(t.fixtures.as_os_str().as_bytes());
    let fixtures = fixtures.map_err(|_| t.error("the folder of the fixtures", "its path has a NUL"))?;
    // SAFETY: the struct is laid out as suite.h declares it, and it and the text outlive the call; the rest is a call into a black
    // box like any other.
    let status = unsafe { call(&Suite { report: &report, clause, enter, leave, unmet, fixtures: fixtures.as_ptr() }) };
    match (status, report.failure.into_inner()) {
        (0, None) => Ok(()),
        (_, Some(failure)) => Err(failure),
        (status, None) => Err(t.error("the caller", format!("it answers {status} without a reason"))),
    }
}

/// # Safety
/// `text` is a C string or NULL.
unsafe fn text<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("NULL");
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// # Safety
/// `id` is a C string.
unsafe extern "C" fn clause(report: &Report, id: *const c_char) {
    // SAFETY: by contract.
    let id = unsafe { text(id) };
    match report.caller.clauses.iter().find(|known| **known == id) {
        Some(known) => report.trial.clause(known),
        None => {
            let problem = format!("it decides {id}, which its check does not name");
            *report.failure.borrow_mut() = Some(report.trial.error("the caller", problem));
        }
    }
}

/// # Safety
/// `call` is a C string.
unsafe extern "C" fn enter(report: &Report, call: *const c_char) {
    // SAFETY: by contract.
    let call = unsafe { text(call) };
    report.trial.crumbs.enter(|out| out.write_str(&call));
}

/// # Safety
/// Always sound; `unsafe` because the type of the member is.
unsafe extern "C" fn leave(report: &Report) {
    report.trial.crumbs.leave();
}

/// # Safety
/// The three texts are C strings.
unsafe extern "C" fn unmet(report: &Report, what: *const c_char, expected: *const c_char, got: *const c_char) {
    // SAFETY: by contract.
    let [what, expected, got] = [what, expected, got].map(|part| unsafe { text(part) });
    *report.failure.borrow_mut() = Some(report.trial.failure(what, expected, got));
}
