//! What a module tells of itself and of its functions.

use std::{
    ffi::{CStr, CString},
    os::unix::ffi::OsStrExt,
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::SYMBOLS_BEGIN;
use crate::{
    checks::check,
    client::{Verdict, view},
    trial::Trial,
};

/// ffi.ModuleGetKind says library of a module that was loaded from a library.
#[check(MOD_0017)]
fn kind(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let kind = t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    t.eq("kind", t.text(&kind.any())?.as_slice(), b"library")
}

/// ffi.ModuleGetPropertyMask says that a library's module is runnable, and exportable if it has a format for that.
#[check(MOD_0018)]
fn property_mask(t: &Trial) -> Verdict {
    const RUNNABLE: u64 = 2;
    const COMPILATION_EXPORTABLE: u64 = 4;
    let module = t.load("functions.so")?;
    let mask = t.call_global("ffi.ModuleGetPropertyMask", &[module.any()])?.any();
    t.type_index_eq("type_index of the mask", mask.type_index, kTVMFFIInt)?;
    t.eq("bit 1 of the mask", mask.payload() & RUNNABLE, RUNNABLE)?;
    let formats = t.call_global("ffi.ModuleGetWriteFormats", &[module.any()])?;
    let has_formats = t.call_global("ffi.ArraySize", &[formats.any()])?.any().payload() > 0;
    t.eq("bit 2 of the mask", mask.payload() & COMPILATION_EXPORTABLE != 0, has_formats)
}

/// ffi.ModuleImplementsFunction tells whether a name is found in a module, or in its imports if asked for.
#[check(MOD_0019)]
fn implements_function(t: &Trial) -> Verdict {
    let cases = [(c"who", false, true), (c"who", true, true), (c"only_two", false, false), (c"only_two", true, true)];
    let line = ["provider_one.so", "functions.so", "imports.so", "provider_two.so"].map(|library| t.load(library));
    let [one, inner, outer, two] = line;
    let (one, inner, outer, two) = (one?, inner?, outer?, two?);
    // The function is an import's, an import's import's, or that of an import of these.
    for line in [&[&one, &two][..], &[&one, &inner, &two], &[&one, &outer, &inner, &two]] {
        line.iter().try_for_each(|module| t.clear_imports(module))?;
        line.windows(2).try_for_each(|pair| t.import(pair[0], pair[1]))?;
        for (name, imports, expected) in cases.into_iter().chain([(c"nobody", false, false), (c"nobody", true, false)])
        {
            let answer = t.ask_module("ffi.ModuleImplementsFunction", &one, name, imports)?;
            let what = format!("whether {name:?} is there, in a line of {} modules", line.len());
            t.any_eq(what, &answer.any(), &view::bool(expected))?;
        }
    }
    Ok(())
}

/// ffi.ModuleImplementsFunction and ffi.ModuleGetFunction tell what a module and its imports have at that time, however often they were asked before
/// and whichever imports have come and gone since, its own or those of an import.
#[check(MOD_0019, MOD_0020, MOD_0022)]
fn answers_follow_imports(t: &Trial) -> Verdict {
    /// What the modules have themselves; the first is one of several.
    const OWN: [&[&CStr]; 4] = [&[], &[c"only_one"], &[c"only_two"], &[c"main", c"sum"]];
    const NAMES: [&CStr; 5] = [c"only_one", c"only_two", c"main", c"sum", c"nobody"];
    /// Which module imports another, or gives all its imports up.
    const STEPS: [(usize, Option<usize>); 14] = [
        (0, Some(1)),
        (0, None),
        (0, Some(2)),
        (0, None),
        (0, None),
        (0, Some(1)),
        (0, Some(2)),
        (1, Some(3)),
        (1, None),
        (2, Some(3)),
        (1, Some(3)),
        (2, None),
        (0, None),
        (0, Some(1)),
    ];
    let others = ["provider_one.so", "provider_two.so", "functions.so"];
    let system = t.call_global("ffi.SystemLib", &[view::c_str(c"verify_following_")])?;
    for (what, first) in [("a library", t.load("empty.so")?), ("the system library with a prefix", system)] {
        let mut modules = vec![first];
        for library in others {
            modules.push(t.load(library)?);
        }
        let mut imported: [Vec<usize>; 4] = Default::default();
        for (number, (importer, import)) in STEPS.into_iter().enumerate() {
            if let Some(import) = import {
                t.import(&modules[importer], &modules[import])?;
                imported[importer].push(import);
            } else {
                t.clear_imports(&modules[importer])?;
                imported[importer].clear();
            }
            for (place, module) in modules.iter().enumerate() {
                // There is no circle among them.
                let mut reached = vec![place];
                let mut next = 0;
                while let Some(&at) = reached.get(next) {
                    reached.extend(&imported[at]);
                    next += 1;
                }
                for (name, imports) in NAMES.into_iter().flat_map(|name| [(name, false), (name, true)]) {
                    let among = if imports { &reached[..] } else { &reached[..1] };
                    let expected = among.iter().any(|&at| OWN[at].contains(&name));
                    let when = format!("module {place} of {what} has {name:?} after step {number}, imports {imports}");
                    t.clause(id::MOD_0019);
                    let answer = t.ask_module("ffi.ModuleImplementsFunction", module, name, imports)?.any();
                    t.any_eq(format_args!("whether {when}"), &answer, &view::bool(expected))?;
                    t.clause(if expected { id::MOD_0020 } else { id::MOD_0022 });
                    let found = t.find_function(module, name, imports)?.any().type_index == kTVMFFIFunction;
                    t.eq(format_args!("whether a function is found, as {when}"), found, expected)?;
                }
            }
        }
        t.clear_imports(&modules[0])?;
    }
    Ok(())
}

/// Metadata and documentation of a function are what the functions answer that the library exports for them.
#[check(MOD_0038)]
fn metadata(t: &Trial) -> Verdict {
    let module = t.load("described.so")?;
    for (getter, expected) in DESCRIPTIONS {
        let text = t.ask_module(getter, &module, c"described", false)?;
        t.eq(getter, t.text(&text.any())?.as_slice(), expected.as_bytes())?;
    }
    let getter = t.global(DESCRIPTIONS[0].0)?;
    let args = [module.any(), view::c_str(c"broken"), view::bool(false)];
    let raised = t.call_fails(&getter, &args, &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "the metadata could not be made")
}

/// ffi.ModuleGetFunctionMetadata and ffi.ModuleGetFunctionDoc answer None for the symbol of a function that has both, and for a name that begins with
/// a part of what symbols begin with.
#[check(MOD_0039)]
fn no_description_by_symbol(t: &Trial) -> Verdict {
    let (module, importer) = (t.load("described.so")?, t.load("imports.so")?);
    t.import(&importer, &module)?;
    for (getter, _) in DESCRIPTIONS {
        for before in SYMBOLS_BEGIN {
            let name = CString::new(format!("{before}described")).map_err(|error| t.error("a name", error))?;
            for (module, imports) in [(&module, false), (&module, true), (&importer, true)] {
                let answer = t.ask_module(getter, module, &name, imports)?;
                t.any_eq(format!("what {getter} answers about {name:?}"), &answer.any(), &TVMFFIAny::NONE)?;
            }
        }
    }
    t.clear_imports(&importer)
}

/// Metadata and documentation of an import's function are answered when imports are asked for, and not otherwise.
#[check(MOD_0038)]
fn metadata_of_imports(t: &Trial) -> Verdict {
    let (module, outer) = (t.load("imports.so")?, t.load("functions.so")?);
    t.import(&module, &t.load("described.so")?)?;
    t.import(&outer, &module)?;
    for (module, (getter, expected)) in [&module, &outer].into_iter().flat_map(|of| DESCRIPTIONS.map(|each| (of, each)))
    {
        let none = t.ask_module(getter, module, c"described", false)?;
        t.any_eq(format_args!("{getter} without imports"), &none.any(), &TVMFFIAny::NONE)?;
        let text = t.ask_module(getter, module, c"described", true)?;
        t.eq(getter, t.text(&text.any())?.as_slice(), expected.as_bytes())?;
    }
    Ok(())
}

/// Metadata and documentation are None for a function that has none and for a name that is no function.
#[check(MOD_0039)]
fn no_metadata(t: &Trial) -> Verdict {
    let module = t.load("described.so")?;
    for (getter, _) in DESCRIPTIONS {
        for name in [c"plain", c"no_such_function"] {
            for imports in [false, true] {
                let text = t.ask_module(getter, &module, name, imports)?;
                t.any_eq(format_args!("{getter} of {name:?}"), &text.any(), &TVMFFIAny::NONE)?;
            }
        }
    }
    Ok(())
}

/// What describes functions, and what it says of `described` in `described.so`.
const DESCRIPTIONS: [(&str, &str); 2] = [
    ("ffi.ModuleGetFunctionMetadata", r#"{"type_schema":"{}"}"#),
    ("ffi.ModuleGetFunctionDoc", "What the function does."),
];

/// ffi.ModuleInspectSource answers a string for a library, whatever format it is asked for.
#[check(MOD_0048)]
fn source(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    for format in [c"", c"c", c"a format of some length"] {
        let source = t.call_global("ffi.ModuleInspectSource", &[module.any(), view::c_str(format)])?;
        t.text(&source.any())?;
    }
    Ok(())
}

/// ffi.ModuleGetWriteFormats answers an Array of strings for a library.
#[check(MOD_0049)]
fn formats(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let formats = t.call_global("ffi.ModuleGetWriteFormats", &[module.any()])?;
    t.type_index_eq("type_index of the formats", formats.any().type_index, kTVMFFIArray)?;
    let size = t.call_global("ffi.ArraySize", &[formats.any()])?.any().payload() as i64;
    (0..size).try_for_each(|place| {
        t.text(&t.call_global("ffi.ArrayGetItem", &[formats.any(), view::int(place)])?.any()).map(drop)
    })
}

/// ffi.ModuleWriteToFile fails with an error where no file can be written.
#[check(MOD_0050)]
fn write(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let target = t.fixtures.join("no_such_folder/written.so");
    let target = t.string(target.as_os_str().as_bytes())?;
    let write = t.global("ffi.ModuleWriteToFile")?;
    t.call_fails(&write, &[module.any(), target.any(), view::c_str(c"so")], &[]).map(drop)
}

/// ffi.ModuleWriteToFile of a module of a library, which has no method of its own for that, fails with a RuntimeError.
#[check(MOD_0087)]
fn write_is_a_runtime_error(t: &Trial) -> Verdict {
    let (module, write) = (t.load("functions.so")?, t.global("ffi.ModuleWriteToFile")?);
    for format in [c"so", c"", c"o"] {
        let args = [module.any(), view::c_str(c"written.so"), view::c_str(format)];
        t.call_fails(&write, &args, &["RuntimeError"])?;
    }
    Ok(())
}
