//! Callers in C: what a client in C11 or C++17 does with the target.
//!
//! A caller is a C function in `c_fixtures/callers/`, compiled once in each language, and so there are two checks for
//! each: `c11.SLUG` and `cxx17.SLUG`. It reports through a struct of functions, which `callers/caller.h` declares: which
//! clause it decides from here on, which call it makes, and which expectation was not met.

use std::{
    borrow::Cow,
    cell::RefCell,
    ffi::{CStr, c_char, c_int, c_void},
};

use tvm_ffi_spec::clause::id;

use crate::{
    client::{Failure, Verdict},
    target::library,
    trial::{Trial, check::Check},
};

/// The callers: name, sentence, clauses.
const CALLERS: &[(&str, &str, &[&str])] = &[
    ("version", "the version is written into the struct and not behind it", &[id::SYM_0005]),
    (
        "client-object",
        "an object made in C is counted and ended by its own deleter",
        &[id::OBJ_0006, id::OBJ_0007, id::OBJ_0009],
    ),
    ("weak-reference", "an object made in C keeps its memory while a weak reference is left", &[id::OBJ_0010]),
    ("opaque-object", "a foreign handle is wrapped as an object and ended once", &[id::OBJ_0024, id::OBJ_0025]),
    (
        "custom-allocator",
        "an allocator written in C is installed and taken back",
        &[id::ALC_0001, id::ALC_0003, id::ALC_0004],
    ),
    ("init-once", "a handle is opened once and closed once", &[id::ONC_0001, id::ONC_0002, id::ONC_0009, id::ONC_0010]),
    ("init-once-fails", "a handle that could not be opened can be opened later", &[id::ONC_0003, id::ONC_0004]),
    ("small-string", "a string of seven bytes is stored inline", &[id::STR_0001]),
    (
        "heap-string",
        "a longer string is an object with a copy of the text",
        &[id::STR_0003, id::STR_0012, id::STR_0007],
    ),
    ("bytes-with-nul", "bytes keep the NULs among them", &[id::STR_0002, id::STR_0009, id::STR_0004]),
    ("raw-string-to-owned", "a C string becomes a String of its own", &[id::ANY_0012, id::ANY_0017]),
    ("byte-array-to-owned", "a byte array becomes Bytes", &[id::ANY_0014]),
    ("object-to-owned", "an owned value of an object holds a reference", &[id::ANY_0018]),
    ("moved-object", "an object in an r-value reference is moved", &[id::ANY_0019]),
    (
        "data-type",
        "data types are read from text and written as text",
        &[id::DTY_0001, id::DTY_0002, id::DTY_0008, id::DTY_0010],
    ),
    ("unknown-data-type", "the name of no data type is refused", &[id::DTY_0017]),
    ("big-integer", "an integer of two words keeps its words", &[id::BIG_0002, id::BIG_0009]),
    ("integer-of-one-word", "an integer of one word is an ordinary one", &[id::BIG_0001, id::BIG_0008]),
    ("raised-error", "an error raised in C is taken once", &[id::ERR_0010, id::ERR_0014, id::ERR_0015]),
    ("error-in-parts", "the parts of a message are joined and NULL is skipped", &[id::ERR_0012, id::ERR_0011]),
    ("raised-again", "an error made in C is raised as the same object", &[id::ERR_0002, id::ERR_0016]),
    (
        "error-backtrace",
        "the function in an error's cell appends to the backtrace and replaces it",
        &[id::ERR_0008, id::ERR_0007],
    ),
    ("error-cause", "an error holds its cause and its context", &[id::ERR_0024, id::ERR_0025, id::ERR_0026]),
    ("backtrace-of-a-line", "a backtrace of a line of C can be read", &[id::BTR_0002]),
    (
        "function-call",
        "a function written in C is called with arguments and a result",
        &[id::FUN_0002, id::FUN_0007, id::FUN_0010],
    ),
    ("closure", "a closure keeps its state and its deleter runs once", &[id::FUN_0003, id::FUN_0005]),
    ("failing-callee", "the error of a callee in C reaches its caller", &[id::FUN_0012, id::FUN_0014]),
    ("callback", "a callee in C calls the function that it was given", &[id::FUN_0018, id::FUN_0015]),
    ("call-through-cell", "a function is called through its cell", &[id::FUN_0001, id::FUN_0017]),
    (
        "global-function",
        "a function written in C is found by its name",
        &[id::GLB_0001, id::GLB_0003, id::GLB_0005, id::GLB_0007],
    ),
    ("described-global-function", "a function is registered with its description", &[id::GLB_0013, id::GLB_0015]),
    (
        "type-registration",
        "a type is registered and found",
        &[id::TYP_0017, id::TYP_0018, id::TYP_0009, id::TYP_0011, id::TYP_0022, id::TYP_0008],
    ),
    (
        "field",
        "a field of a C struct is described, written and read",
        &[id::RFL_0001, id::RFL_0002, id::RFL_0004, id::RFL_0036],
    ),
    ("method", "a method written in C is described and called", &[id::RFL_0014, id::RFL_0015]),
    ("type-metadata", "a type is described and makes instances", &[id::RFL_0017, id::RFL_0036]),
    ("type-attribute", "an attribute of a type is found in its column", &[id::RFL_0021, id::RFL_0023, id::RFL_0020]),
    (
        "tensor-in-and-out",
        "a tensor made in C goes in and comes out",
        &[id::TEN_0002, id::TEN_0020, id::TEN_0022, id::TEN_0017],
    ),
    (
        "versioned-tensor-in-and-out",
        "a versioned tensor made in C goes in and comes out",
        &[id::TEN_0003, id::TEN_0021, id::TEN_0023, id::TEN_0022, id::TEN_0017],
    ),
    ("refused-tensor", "a tensor that is refused stays its producer's", &[id::TEN_0012, id::TEN_0016]),
    ("unsafe-view", "a view of a tensor keeps the tensor alive", &[id::TEN_0031, id::TEN_0033]),
    ("kernel", "a kernel written in C computes on borrowed tensors and on Tensors", &[id::TEN_0035, id::TEN_0034]),
    (
        "tensor-allocator",
        "an allocator written in C makes the environment's tensors",
        &[id::ENV_0010, id::ENV_0017, id::ENV_0019, id::ENV_0013],
    ),
    ("failing-tensor-allocator", "the error of an allocator in C reaches the caller", &[id::ENV_0022]),
    ("stream", "a stream is set for one device and given back", &[id::ENV_0002, id::ENV_0003, id::ENV_0004]),
    ("signals", "the frontend is asked for signals under its lock", &[id::ENV_0030, id::ENV_0027, id::ENV_0028]),
    ("unknown-frontend-function", "a frontend function of an unknown name is refused", &[id::ENV_0031]),
    ("system-library", "a function that is linked in is found in the system library", &[id::MOD_0033]),
    ("context-symbol", "a library that is loaded gets its context symbol", &[id::MOD_0030]),
    (
        "lookup-from-imports",
        "a library finds functions through its context",
        &[id::MOD_0024, id::MOD_0026, id::MOD_0027],
    ),
    ("array-walk", "an Array is walked without a call", &[id::ARR_0001, id::ARR_0004, id::ARR_0005]),
    ("array-made-here", "an Array made in C is read, appended to in place and ended", &[id::ARR_0019, id::ARR_0018]),
    ("list-grows-here", "a List grows by turns in C and in the library", &[id::LST_0028, id::LST_0003, id::LST_0004]),
    ("list-made-here", "a List made in C outgrows its buffer in the library", &[id::LST_0029, id::LST_0030]),
    ("small-map-walk", "a small Map is walked without a call", &[id::MAP_0015, id::MAP_0001]),
    ("dense-map-find", "keys are found in a dense Map without a call", &[id::MAP_0019, id::MAP_0017, id::MAP_0020]),
    ("map-iterator", "a Map is walked by an iterator", &[id::MAP_0014]),
    ("small-dict-in-place", "a small Dict is filled in place and grows in the library", &[id::DCT_0025]),
    ("dict-made-dense", "a Dict is made dense in place and outgrows its blocks in the library", &[id::DCT_0024]),
    ("shape-walk", "a Shape is walked without a call", &[id::CNT_0001]),
    ("native-hook", "keys are found by hooks written in C", &[id::HSH_0013]),
];

/// Every caller in each language.
pub fn checks() -> impl Iterator<Item = Check> {
    let languages = [("c11", "C11"), ("cxx17", "C++17")];
    languages.into_iter().flat_map(|(area, language)| {
        CALLERS.iter().map(move |&(slug, sentence, clauses)| Check {
            id: format!("{area}.{slug}").leak(),
            name: format!("{language}: {sentence}").leak(),
            clauses,
            run,
            patience: 1,
            fresh: false,
        })
    })
}

/// The suite, as a caller sees it: `struct caller` of `caller.h`.
#[repr(C)]
struct Caller<'a> {
    report: &'a Report<'a>,
    clause: unsafe extern "C" fn(&Report, *const c_char),
    enter: unsafe extern "C" fn(&Report, *const c_char),
    leave: unsafe extern "C" fn(&Report),
    unmet: unsafe extern "C" fn(&Report, *const c_char, *const c_char, *const c_char),
}

/// What a caller has reported.
struct Report<'a> {
    trial: &'a Trial<'a>,
    /// The clauses of its check.
    clauses: &'static [&'static str],
    failure: RefCell<Option<Box<Failure>>>,
}

/// Runs the caller that the check's id names.
fn run(t: &Trial) -> Verdict {
    let (language, slug) = t.check.split_once('.').unwrap_or_default();
    let symbol = format!("caller_{}", slug.replace('-', "_"));
    let address: *const c_void = library::fixture_symbol(&t.fixtures.join(format!("callers_{language}.so")), &symbol)
        .map_err(|problem| t.error("the fixture", problem))?;
    // SAFETY: `CALLER` of caller.h gives every symbol of that name this type.
    let call: unsafe extern "C" fn(&Caller) -> c_int = unsafe { std::mem::transmute(address) };
    let clauses = CALLERS.iter().find(|(name, ..)| *name == slug).map_or(&[][..], |(.., clauses)| clauses);
    let report = Report { trial: t, clauses, failure: RefCell::new(None) };
    // SAFETY: the struct is laid out as caller.h declares it and outlives the call; the rest is a call into a black box
    // like any other.
    let status = unsafe { call(&Caller { report: &report, clause, enter, leave, unmet }) };
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
    match report.clauses.iter().find(|known| **known == id) {
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

#[cfg(test)]
mod tests {
    use std::{
        collections::{BTreeMap, BTreeSet},
        fs,
        path::Path,
    };

    use super::CALLERS;

    /// The clauses that each caller names, by caller.
    fn callers() -> BTreeMap<String, BTreeSet<String>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c_fixtures/callers");
        let mut callers = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            for caller in text.split("\nCALLER(").skip(1) {
                let (name, body) = caller.split_once(')').unwrap();
                let body = body.split("\n}").next().unwrap();
                let ids = body.split("CLAUSE(t, \"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
                callers.insert(name.replace('_', "-"), ids.collect());
            }
        }
        callers
    }

    #[test]
    fn the_table_is_what_the_c_files_say() {
        let rows = CALLERS.iter().map(|(name, _, clauses)| {
            let clauses = clauses.iter().map(|&id| id.to_owned()).collect();
            ((*name).to_owned(), clauses)
        });
        assert_eq!(rows.collect::<BTreeMap<_, BTreeSet<_>>>(), callers());
    }
}
