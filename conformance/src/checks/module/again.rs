//! Questions that are asked again: right after imports have changed, and of another module.

use std::{
    ffi::{CStr, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{answer_count, context_of};
use crate::{
    checks::check,
    client::{Owned, Verdict, memory, modules::GET_FUNCTION, view},
    trial::Trial,
};

/// The global function that tells whether a function is there.
const IMPLEMENTS: &str = "ffi.ModuleImplementsFunction";

/// The global function that answers what a function does.
const DOC: &str = "ffi.ModuleGetFunctionDoc";

/// Questions about imports, with what they are about.
const QUESTIONS: [(&str, &CStr); 5] = [
    (IMPLEMENTS, c"who"),
    (GET_FUNCTION, c"who"),
    (GET_FUNCTION, c"plain"),
    (DOC, c"described"),
    ("ffi.ModuleGetFunctionMetadata", c"described"),
];

/// What is imported, one after the other; between two of these, all is given up.
const IMPORTED: [&[&str]; 7] = [
    &["provider_one.so", "described.so"],
    &["provider_two.so"],
    &["empty.so", "described.so"],
    &[],
    &["described.so", "empty.so", "provider_one.so"],
    &["empty.so", "provider_two.so"],
    &["provider_one.so"],
];

/// A question about what a module imports that is asked right before and right after an import is added or all are given up, of the module itself or of
/// one that it imports, and no other between the two, is answered as the imports are by then.
#[check(MOD_0019, MOD_0020, MOD_0022, MOD_0038, MOD_0039)]
fn asked_right_after_each_change(t: &Trial) -> Verdict {
    let mut libraries = Vec::new();
    for library in ["provider_one.so", "provider_two.so", "described.so", "empty.so"] {
        libraries.push((library, t.load(library)?));
    }
    let between = [t.load("empty.so")?, t.load("functions.so")?];
    t.import(&between[0], &between[1])?;
    let roots = [
        ("a library", t.load("imports.so")?),
        ("the system library", t.call_global("ffi.SystemLib", &[view::c_str(c"verify_asked_again_")])?),
    ];
    for ((question, name), (what, root)) in
        QUESTIONS.into_iter().flat_map(|of| roots.iter().map(move |root| (of, root)))
    {
        for count in 0..3 {
            if count > 0 {
                t.import(root, &between[2 - count])?;
            }
            let importer = if count > 0 { &between[1] } else { root };
            let of = format!("{what} with {count} modules up to the one that changes");
            let ask = |when: String, imports: &[&str]| {
                is_answered(t, question, name, &format!("{of}, {when}"), root, imports)
            };
            ask("at first".to_owned(), &[])?;
            for imports in IMPORTED {
                for (number, &import) in imports.iter().enumerate() {
                    for (_, module) in libraries.iter().filter(|(library, _)| *library == import) {
                        t.import(importer, module)?;
                    }
                    ask(format!("after {import} was imported"), &imports[..=number])?;
                }
                t.clear_imports(importer)?;
                ask(format!("after {imports:?} were given up"), &[])?;
            }
            // The way to what changes is given up, and not what that imports.
            t.import(importer, &libraries[0].1)?;
            t.import(importer, &libraries[2].1)?;
            ask("before all was given up".to_owned(), &["provider_one.so", "described.so"])?;
            t.clear_imports(root)?;
            ask("after all was given up".to_owned(), &[])?;
            t.clear_imports(importer)?;
        }
    }
    Ok(())
}

/// Asks twice, and expects an answer by these libraries.
fn is_answered(t: &Trial, question: &str, name: &CStr, of: &str, module: &Owned, imports: &[&str]) -> Verdict {
    let by = imports.iter().find_map(|library| match (*library, name.to_bytes()) {
        ("provider_one.so", b"who") => Some(1),
        ("provider_two.so", b"who") | ("described.so", b"plain") => Some(2),
        ("described.so", b"described") => Some(0),
        _ => None,
    });
    for _ in 0..2 {
        let what = format!("answer of {question} about {name:?}, asked of {of}");
        let answer = t.ask_module(question, module, name, true)?;
        match (question, by) {
            (IMPLEMENTS, _) => {
                t.clause(id::MOD_0019);
                t.any_eq(what, &answer.any(), &view::bool(by.is_some()))?;
            }
            (GET_FUNCTION, Some(expected)) => {
                t.clause(id::MOD_0020);
                t.type_index_eq(&what, answer.any().type_index, kTVMFFIFunction)?;
                t.answers(format_args!("result of the {what}"), &answer, &[], expected)?;
            }
            (_, None) => {
                t.clause(if question == GET_FUNCTION { id::MOD_0022 } else { id::MOD_0039 });
                t.any_eq(what, &answer.any(), &TVMFFIAny::NONE)?;
            }
            (_, Some(_)) => {
                t.clause(id::MOD_0038);
                let expected = if question == DOC { "What the function does." } else { r#"{"type_schema":"{}"}"# };
                t.eq(what, String::from_utf8_lossy(&t.text(&answer.any())?).into_owned(), expected.to_owned())?;
            }
        }
    }
    Ok(())
}

/// A module that lies where another lay that has ended, or that is imported where another was that has ended, is asked for what it has itself, whatever
/// was answered for the other.
#[check(MOD_0020, MOD_0019, MOD_0022, MOD_0038, MOD_0039)]
fn asked_of_another_in_its_place(t: &Trial) -> Verdict {
    const LIBRARIES: [&[&str]; 6] = [
        &["provider_one.so", "described.so"],
        &["provider_two.so"],
        &[],
        &["described.so"],
        &["empty.so", "provider_one.so"],
        &[],
    ];
    let lasting = t.load("imports.so")?;
    for (question, name) in QUESTIONS {
        for libraries in LIBRARIES {
            let root = t.load("empty.so")?;
            for library in libraries {
                t.import(&root, &t.load(library)?)?;
            }
            is_answered(t, question, name, &format!("a module that imports {libraries:?}"), &root, libraries)?;
            t.import(&lasting, &root)?;
            let of = format!("a module that imports one that imports {libraries:?}");
            is_answered(t, question, name, &of, &lasting, libraries)?;
            t.clear_imports(&lasting)?;
            drop(root);
            memory::use_again();
        }
    }
    Ok(())
}

/// TVMFFIEnvModLookupFromImports finds for each module the functions that this imports, and a global one where it imports none of that name,
/// whatever it has found under that name for other modules, be they alive or have they ended.
#[check(MOD_0025, MOD_0026, MOD_0027)]
fn modules_look_up_for_themselves(t: &Trial) -> Verdict {
    const NAMES: [&CStr; 4] = [c"who", c"only_one", c"only_two", c"nobody"];
    let providers = ["provider_one.so", "provider_two.so"];
    for with_globals in [false, true] {
        if with_globals {
            for name in &NAMES[..3] {
                let function = t.function(null_mut(), answer_count, None)?;
                let name = TVMFFIByteArray::new(name.to_bytes());
                t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 0))?;
            }
        }
        for (is_swapped, other_first) in [(false, false), (true, false), (false, true), (true, true)] {
            let [caller, asked] = [t.load("imports.so")?, t.load("library_ctx.so")?];
            let places = if is_swapped { [1, 0] } else { [0, 1] };
            for (module, place) in [&caller, &asked].into_iter().zip(places) {
                t.import(module, &t.load(providers[place])?)?;
            }
            let call = t.function_of(&caller, c"call_import")?;
            let context = context_of(t, &asked)?.payload() as *mut c_void;
            for name in NAMES {
                for number in 0..4 {
                    let is_called = (number % 2 == 0) != other_first;
                    let provider = places[usize::from(!is_called)];
                    let expected = match (name.to_bytes(), provider) {
                        (b"who", 0) => (id::MOD_0025, Some(1)),
                        (b"who", _) => (id::MOD_0025, Some(2)),
                        (b"only_one", 0) => (id::MOD_0025, Some(11)),
                        (b"only_two", 1) => (id::MOD_0025, Some(12)),
                        (b"nobody", _) => (id::MOD_0027, None),
                        _ if with_globals => (id::MOD_0026, Some(0)),
                        _ => (id::MOD_0027, None),
                    };
                    t.clause(expected.0);
                    let found = if is_called {
                        t.answer_of(call.handle(), &[view::c_str(name)])?.ok().map(|answer| answer.any().payload())
                    } else {
                        looked_up(t, context, name)?
                    };
                    let what = format!("what {name:?} answers in a module that imports {}", providers[provider]);
                    t.eq(what, found.map(|found| found as i64), expected.1)?;
                }
            }
            // Where a module lay that has ended, something else lies now.
            drop((call, caller, asked));
            memory::use_again();
        }
    }
    Ok(())
}

/// What a function answers that is looked up through a context, if there is one.
fn looked_up(t: &Trial, context: *mut c_void, name: &CStr) -> Verdict<Option<u64>> {
    let (mut function, mut result) = (null_mut(), TVMFFIAny::NONE);
    let code = t.api.TVMFFIEnvModLookupFromImports(context, name.as_ptr(), &mut function);
    if code != 0 {
        return t.raises(code, &[]).map(|_| None);
    }
    t.ok(t.api.TVMFFIFunctionCall(function, null_mut(), 0, &mut result))?;
    Ok(Some(result.payload()))
}
