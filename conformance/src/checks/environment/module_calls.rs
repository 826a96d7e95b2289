//! Calls of the functions of modules, those that succeed and those that fail.

use std::{ffi::CString, fs, os::unix::ffi::OsStrExt};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Owned, Verdict, globals,
        modules::{GET_FUNCTION, LOAD},
        view,
    },
    trial::Trial,
};

/// Hands calls of each function about modules to a test, with files that can be loaded and such as cannot, with arguments that are right and such
/// as are not; what a call comes to is for other checks to say.
pub(super) fn each_module_call(t: &Trial, test: &dyn Fn(&str, &dyn Fn()) -> Verdict) -> Verdict {
    let made = |problem: std::io::Error| t.error("a folder", problem);
    let folder = tempfile::tempdir().map_err(made)?;
    let file = |name: &str, content: &[u8]| -> Verdict<CString> {
        let path = folder.path().join(name);
        fs::write(&path, content).map_err(made)?;
        CString::new(path.as_os_str().as_bytes()).map_err(|error| t.error("a path", error))
    };
    let library = fs::read(t.fixture_path("functions.so")?).map_err(made)?;
    let paths = [
        ("a library", t.fixture("functions.so")?),
        ("a library that nobody has a loader for", t.fixture("embedded.so")?),
        ("no library", file("text.so", b"this is no library")?),
        ("nothing", file("empty.so", b"")?),
        // Less than a header: of more a loader would map what the file does not have.
        ("the beginning of a library", file("begun.so", &library[..40.min(library.len())])?),
        ("a format that nobody knows", file("model.verify_unknown", b"")?),
        ("a file without an extension", file("model", b"")?),
        ("a file that is not there", c"/nonexistent/verify_no_such_library.so".to_owned()),
        ("a folder", CString::new(folder.path().as_os_str().as_bytes()).unwrap_or_default()),
    ];
    let answer = |function: &Owned, args: &[TVMFFIAny]| {
        let mut result = TVMFFIAny::NONE;
        let status = t.try_call(function, args, &mut result);
        if status != 0 {
            t.api.release_raised();
        }
        (status == 0).then(|| t.own(result))
    };
    let call = |function: &Owned, args: &[TVMFFIAny]| drop(answer(function, args));
    let mut module = None;
    for (name, count) in [("ffi.ModuleLoadFromFile", 1), (LOAD, 2)] {
        let Some(load) = globals::find(t, name)? else { continue };
        for (of, path) in &paths {
            let args = [view::c_str(path), view::c_str(c"so")];
            test(&format!("{name} of {of}"), &|| call(&load, &args[..count]))?;
        }
        module = answer(&load, &[view::c_str(&paths[0].1), view::c_str(c"so")][..count]);
    }
    let Some(module) = module else { return Ok(()) };
    for global in globals::about(&["module"]) {
        let Some(function) = globals::find(t, &global.name)? else { continue };
        let (module, text) = (module.any(), view::c_str(c"/nonexistent/verify/nobody"));
        for (with, args) in [
            ("no arguments", &[][..]),
            ("a number", &[view::int(5)]),
            ("a module", &[module]),
            ("a module, a text and a boolean", &[module, text, view::bool(true)]),
            ("a module and two texts", &[module, text, text]),
        ] {
            test(&format!("{} with {with}", global.name), &|| call(&function, args))?;
        }
    }
    let Some(find) = globals::find(t, GET_FUNCTION)? else { return Ok(()) };
    for name in [c"main", c"raise_value_error"] {
        let args = [module.any(), view::c_str(name), view::bool(false)];
        let Some(function) = answer(&find, &args).filter(|found| found.any().type_index == kTVMFFIFunction) else {
            continue;
        };
        test(&format!("the function {name:?} of a module"), &|| call(&function, &[]))?;
    }
    Ok(())
}
