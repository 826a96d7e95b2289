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

use crate::{trial::{check::{Check, check}, Failure, Trial, Verdict}, target::library};

/// A check of each caller in each language.
macro_rules! in_both_languages {
    ($($slug:literal: $name:literal, [$($clause:literal),+];)+) => {
        pub const CHECKS: &[Check] = &[
            $(check(concat!("c11.", $slug), concat!("C11: ", $name), &[$($clause),+], run),)+
            $(check(concat!("cxx17.", $slug), concat!("C++17: ", $name), &[$($clause),+], run),)+
        ];
    };
}

in_both_languages! {
    "version": "the version is written into the struct and not behind it", ["SYM-0005"];
    "client-object": "an object made in C is counted and ended by its own deleter",
        ["OBJ-0006", "OBJ-0007", "OBJ-0009"];
    "weak-reference": "an object made in C keeps its memory while a weak reference is left", ["OBJ-0010"];
    "opaque-object": "a foreign handle is wrapped as an object and ended once", ["OBJ-0024", "OBJ-0025"];
    "custom-allocator": "an allocator written in C is installed and taken back", ["ALC-0001", "ALC-0003", "ALC-0004"];
    "init-once": "a handle is opened once and closed once", ["ONC-0001", "ONC-0002", "ONC-0009", "ONC-0010"];
    "init-once-fails": "a handle that could not be opened can be opened later", ["ONC-0003", "ONC-0004"];

    "small-string": "a string of seven bytes is stored inline", ["STR-0001"];
    "heap-string": "a longer string is an object with a copy of the text", ["STR-0003", "STR-0012", "STR-0007"];
    "bytes-with-nul": "bytes keep the NULs among them", ["STR-0002", "STR-0009", "STR-0004"];
    "raw-string-to-owned": "a C string becomes a String of its own", ["ANY-0012", "ANY-0017"];
    "byte-array-to-owned": "a byte array becomes Bytes", ["ANY-0014"];
    "object-to-owned": "an owned value of an object holds a reference", ["ANY-0018"];
    "moved-object": "an object in an r-value reference is moved", ["ANY-0019"];
    "data-type": "data types are read from text and written as text", ["DTY-0001", "DTY-0002", "DTY-0008", "DTY-0010"];
    "unknown-data-type": "the name of no data type is refused", ["DTY-0017"];
    "big-integer": "an integer of two words keeps its words", ["BIG-0002", "BIG-0009"];
    "integer-of-one-word": "an integer of one word is an ordinary one", ["BIG-0001", "BIG-0008"];

    "raised-error": "an error raised in C is taken once", ["ERR-0010", "ERR-0014", "ERR-0015"];
    "error-in-parts": "the parts of a message are joined and NULL is skipped", ["ERR-0012", "ERR-0011"];
    "raised-again": "an error made in C is raised as the same object", ["ERR-0002", "ERR-0016"];
    "error-backtrace": "the function in an error's cell appends to the backtrace and replaces it",
        ["ERR-0008", "ERR-0007"];
    "error-cause": "an error holds its cause and its context", ["ERR-0024", "ERR-0025", "ERR-0026"];
    "backtrace-of-a-line": "a backtrace of a line of C can be read", ["BTR-0002"];

    "function-call": "a function written in C is called with arguments and a result",
        ["FUN-0002", "FUN-0007", "FUN-0010"];
    "closure": "a closure keeps its state and its deleter runs once", ["FUN-0003", "FUN-0005"];
    "failing-callee": "the error of a callee in C reaches its caller", ["FUN-0012", "FUN-0014"];
    "callback": "a callee in C calls the function that it was given", ["FUN-0018", "FUN-0015"];
    "call-through-cell": "a function is called through its cell", ["FUN-0001", "FUN-0017"];
    "global-function": "a function written in C is found by its name", ["GLB-0001", "GLB-0003", "GLB-0005", "GLB-0007"];
    "described-global-function": "a function is registered with its description", ["GLB-0013", "GLB-0015"];

    "type-registration": "a type is registered and found",
        ["TYP-0017", "TYP-0018", "TYP-0009", "TYP-0011", "TYP-0022", "TYP-0008"];
    "field": "a field of a C struct is described, written and read", ["RFL-0001", "RFL-0002", "RFL-0004", "RFL-0036"];
    "method": "a method written in C is described and called", ["RFL-0014", "RFL-0015"];
    "type-metadata": "a type is described and makes instances", ["RFL-0017", "RFL-0036"];
    "type-attribute": "an attribute of a type is found in its column", ["RFL-0021", "RFL-0023", "RFL-0020"];

    "tensor-in-and-out": "a tensor made in C goes in and comes out", ["TEN-0002", "TEN-0020", "TEN-0022", "TEN-0017"];
    "versioned-tensor-in-and-out": "a versioned tensor made in C goes in and comes out",
        ["TEN-0003", "TEN-0021", "TEN-0023", "TEN-0022", "TEN-0017"];
    "refused-tensor": "a tensor that is refused stays its producer's", ["TEN-0012", "TEN-0016"];
    "unsafe-view": "a view of a tensor keeps the tensor alive", ["TEN-0031", "TEN-0033"];
    "kernel": "a kernel written in C computes on borrowed tensors and on Tensors", ["TEN-0035", "TEN-0034"];
    "tensor-allocator": "an allocator written in C makes the environment's tensors",
        ["ENV-0010", "ENV-0017", "ENV-0019", "ENV-0013"];
    "failing-tensor-allocator": "the error of an allocator in C reaches the caller", ["ENV-0022"];

    "stream": "a stream is set for one device and given back", ["ENV-0002", "ENV-0003", "ENV-0004"];
    "signals": "the frontend is asked for signals under its lock", ["ENV-0030", "ENV-0027", "ENV-0028"];
    "unknown-frontend-function": "a frontend function of an unknown name is refused", ["ENV-0031"];
    "system-library": "a function that is linked in is found in the system library", ["MOD-0033"];
    "context-symbol": "a library that is loaded gets its context symbol", ["MOD-0030"];
    "lookup-from-imports": "a library finds functions through its context", ["MOD-0024", "MOD-0026", "MOD-0027"];

    "array-walk": "an Array is walked without a call", ["ARR-0001", "ARR-0004", "ARR-0005"];
    "array-made-here": "an Array made in C is read, appended to in place and ended", ["ARR-0019", "ARR-0018"];
    "list-grows-here": "a List grows by turns in C and in the library", ["LST-0028", "LST-0003", "LST-0004"];
    "list-made-here": "a List made in C outgrows its buffer in the library", ["LST-0029", "LST-0030"];
    "small-map-walk": "a small Map is walked without a call", ["MAP-0015", "MAP-0001"];
    "dense-map-find": "keys are found in a dense Map without a call", ["MAP-0019", "MAP-0017", "MAP-0020"];
    "map-iterator": "a Map is walked by an iterator", ["MAP-0014"];
    "small-dict-in-place": "a small Dict is filled in place and grows in the library", ["DCT-0025"];
    "dict-made-dense": "a Dict is made dense in place and outgrows its blocks in the library", ["DCT-0024"];
    "shape-walk": "a Shape is walked without a call", ["CNT-0001"];
    "native-hook": "keys are found by hooks written in C", ["HSH-0013"];
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
    let clauses = CHECKS.iter().find(|check| check.id == t.check).map_or(&[][..], |check| check.clauses);
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

    use super::CHECKS;

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
        let callers = callers();
        for language in ["c11", "cxx17"] {
            let rows = CHECKS.iter().filter_map(|check| Some((check.id.split_once('.')?, check.clauses)));
            let rows = rows.filter(|((prefix, _), _)| *prefix == language);
            let rows: BTreeMap<_, _> = rows
                .map(|((_, slug), clauses)| (slug.to_owned(), clauses.iter().map(|&id| id.to_owned()).collect()))
                .collect();
            assert_eq!(rows, callers, "{language}");
        }
    }
}
