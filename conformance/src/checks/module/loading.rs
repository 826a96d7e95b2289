//! Loading libraries as modules, and unloading them.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    os::unix::ffi::OsStrExt,
    ptr::null_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{Host, context_of, tell_to_watch, texts, unloads, watched};
use crate::{
    checks::check,
    client::{
        Verdict, callback, forms,
        modules::{GET_FUNCTION, LOAD, NO_FORMAT, load_args},
        view,
    },
    trial::Trial,
};

/// A library is loaded as a module, an object of type index 73 with one reference.
#[check(MOD_0001)]
fn load(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    t.type_index_eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    t.type_index_eq("type_index of the module's header", t.header(module.handle())?.type_index, kTVMFFIModule)?;
    t.eq("strong count of the module", t.counts(module.handle())?.0, 1)
}

/// A library is loaded by a path that is a C string or a String, with or without a format.
#[check(MOD_0001)]
fn load_takes_any_string(t: &Trial) -> Verdict {
    let path = t.fixture("functions.so")?;
    let object = t.string(path.to_bytes())?;
    let format = t.string(b"so")?;
    for args in [[view::c_str(&path), format.any()], [object.any(), NO_FORMAT]] {
        let module = t.call_global(LOAD, &args)?;
        t.type_index_eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    }
    Ok(())
}

/// A library is loaded by a path of any length and with any bytes, in every form of a String, by either function.
#[check(MOD_0001, MOD_0014)]
fn load_by_any_path(t: &Trial) -> Verdict {
    let folder = tempfile::tempdir().map_err(|problem| t.error("a folder", problem))?;
    let library = t.fixture_path("functions.so")?;
    let deep = ["a folder of some length".repeat(6), "and another one".repeat(10)].join("/");
    let names = ["with a space.so", "größe→1.so", "dots.in.it/lib.v1.2.so", "100%s%n.so", &format!("{deep}/deep.so")];
    for name in names {
        let path = folder.path().join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::copy(&library, &path))
            .map_err(|problem| t.error("a copy of a library", problem))?;
        for form in forms::of_string(path.as_os_str().as_bytes()) {
            for (clause, function, args) in
                [(id::MOD_0001, LOAD, &[form.view, NO_FORMAT][..]), (id::MOD_0014, LOAD_BY_EXTENSION, &[form.view][..])]
            {
                t.clause(clause);
                let main =
                    || t.answers("result of main", &t.function_of(&t.call_global(function, args)?, c"main")?, &[], 7);
                main().map_err(|failure| failure.noting(format!("the path: {name}, passed as {}", form.name)))?;
            }
        }
    }
    Ok(())
}

/// A module that is loaded from a library without embedded modules imports nothing.
#[check(MOD_0086)]
fn load_imports_nothing(t: &Trial) -> Verdict {
    // Libraries that other modules of the process import are no imports of this one either.
    let (host, other) = (t.load("imports.so")?, t.load("provider_one.so")?);
    t.import(&host, &other)?;
    for library in ["functions.so", "imports.so", "empty.so"] {
        let module = t.load(library)?;
        t.eq(format_args!("imports of {library}"), t.imports_of(&module)?, vec![])?;
        t.lacks("a function of no import", &module, c"only_one", true)?;
    }
    Ok(())
}

/// ffi.ModuleLoadFromFile loads a path that ends in so as a library.
#[check(MOD_0014)]
fn load_by_extension(t: &Trial) -> Verdict {
    let module = t.call_global(LOAD_BY_EXTENSION, &[view::c_str(&t.fixture("functions.so")?)])?;
    t.type_index_eq("type_index of the module", module.any().type_index, kTVMFFIModule)?;
    t.answers("result of main", &t.function_of(&module, c"main")?, &[], 7)
}

/// ffi.ModuleLoadFromFile calls the loader that is registered for an extension, however that is spelt, with the path and the extension.
#[check(MOD_0014)]
fn registered_loader(t: &Trial) -> Verdict {
    let answer = t.load("provider_two.so")?;
    let long = "of_many_letters_".repeat(20);
    let extensions =
        ["verify_format", "Verify_Format", "VERIFY_FORMAT", "v2", "V2", "7z", "with space", "a-b+c~", "größe", &long];
    let mut hosts = Vec::new();
    // All of them are there before the first is asked for.
    for extension in extensions {
        let host = Host::new(t, answer.any())?;
        host.register(t, &format!("ffi.Module.load_from_file.{extension}"))?;
        hosts.push(host);
    }
    for (extension, host) in extensions.into_iter().zip(hosts) {
        let mut expected = Vec::new();
        for before in ["/no.such/model.v2", "model", "Model.VERIFY_FORMAT", "/no.such/.so"] {
            let path = format!("{before}.{extension}");
            let given = CString::new(path.as_str()).map_err(|error| t.error("a path", error))?;
            let module = t.call_global(LOAD_BY_EXTENSION, &[view::c_str(&given)])?;
            expected.extend(texts(&[path.as_bytes(), extension.as_bytes()]));
            t.eq(format_args!("arguments of the loader for {extension}"), host.seen(), expected.clone())?;
            t.answers("result of a function of the module", &t.function_of(&module, c"who")?, &[], 2)?;
        }
    }
    Ok(())
}

/// An error that the loader of an extension raises is the very error of ffi.ModuleLoadFromFile, with its kind, message, cause and extra context, and
/// with no more references, also where loaders have loaded other files on the way to it.
#[check(ERR_0023)]
fn error_of_a_loader(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let load = t.global(LOAD_BY_EXTENSION)?;
    LOADER.store(load.handle() as usize, Ordering::SeqCst);
    let (cause, context) = (t.new_error("KeyError", "the cause", "")?, t.string(b"a context of some length")?);
    let paths =
        [c"/no/such/model.verify_raises", c"model.verify_raises_on", c"/no/such/model.v2.verify_raises_further"];
    for (kind, message, with_cause) in [
        ("ValueError", "no such value", false),
        ("RuntimeError", "not now\nanother line", true),
        ("my.Error", "", true),
        ("A kind of many words", "\u{e9}\u{20ac} and more than ASCII", false),
    ] {
        let mut error = t.new_error(kind, message, "a line\n")?;
        // Older releases lack the function.
        if with_cause && t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
            let [kind, message, backtrace] =
                [kind, message, "a line\n"].map(|text| TVMFFIByteArray::new(text.as_bytes()));
            let (api, cause, context, mut out) = (t.api, cause.handle(), context.handle(), null_mut());
            t.ok(api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, cause, context, &mut out))?;
            error = t.own_object("the new error", out)?;
        }
        let parts = |error: TVMFFIObjectHandle| -> Verdict<[TVMFFIObjectHandle; 2]> {
            if !t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
                return Ok([null_mut(); 2]);
            }
            let cell: TVMFFIErrorCell = t.cell("the cell of an Error", error)?;
            Ok([cell.cause_chain, cell.extra_context])
        };
        let made_with = parts(error.handle())?;
        // The first raises the error, each other one loads what the one before is for.
        for (place, path) in paths.into_iter().enumerate() {
            let loader = match place {
                0 => t.function(error.handle(), callback::raise_self, None)?,
                _ => t.function(paths[place - 1].as_ptr().cast_mut().cast(), load_other, None)?,
            };
            let extension = path.to_str().unwrap_or_default().rsplit('.').next().unwrap_or_default();
            let name = format!("ffi.Module.load_from_file.{extension}");
            t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), loader.handle(), 1))?;
            let raised = t.call_fails(&load, &[view::c_str(path)], &[])?;
            let what = format!("the error of loading {path:?}, a {kind}");
            t.eq(&what, raised.object.handle(), error.handle())?;
            t.eq(format_args!("the kind of {what}"), raised.kind.as_str(), kind)?;
            t.eq(format_args!("the message of {what}"), raised.message.as_str(), message)?;
            t.eq(format_args!("cause and context of {what}"), parts(raised.object.handle())?, made_with)?;
            drop(raised);
            t.eq(format_args!("counts of {what}, which is taken and given up"), t.counts(error.handle())?, (1, 1))?;
        }
    }
    Ok(())
}

/// ffi.ModuleLoadFromFile, for [`load_other`].
static LOADER: AtomicUsize = AtomicUsize::new(0);

/// A loader that loads another file, whose path is its self, and answers or fails as that does.
unsafe extern "C" fn load_other(path: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let Some(api) = callback::api() else { return -1 };
    // SAFETY: a text that stays for good.
    let path = unsafe { CStr::from_ptr(path.cast_const().cast()) };
    api.TVMFFIFunctionCall(LOADER.load(Ordering::SeqCst) as TVMFFIObjectHandle, &mut view::c_str(path), 1, result)
}

/// ffi.ModuleLoadFromFile loads a path that ends in dll, dylib or dso by the loader for so.
#[check(MOD_0016)]
fn extension_of_platform(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let host = Host::new(t, module.any())?;
    host.register_instead(t, LOAD)?;
    for (number, path) in [c"/no/such/one.dll", c"/no/such/two.dylib", c"/no/such/three.dso"].into_iter().enumerate() {
        t.call_global(LOAD_BY_EXTENSION, &[view::c_str(path)])?;
        let seen = host.seen().get(2 * number).cloned().flatten();
        t.eq("path that the loader of libraries was given", seen.as_deref(), path.to_str().ok())?;
    }
    Ok(())
}

/// ffi.ModuleLoadFromFile fails for a path without an extension and for an extension without a loader, be it one that only letters of another size
/// tell from that of libraries.
#[check(MOD_0015)]
fn unknown_extension(t: &Trial) -> Verdict {
    let loader = t.global(LOAD_BY_EXTENSION)?;
    for path in [c"model", c"model.verify_unknown", c"", c"model.", c"lib.so/model", c"model.so."] {
        t.call_fails(&loader, &[view::c_str(path)], &[])?;
    }
    let folder = tempfile::tempdir().map_err(|problem| t.error("a folder", problem))?;
    let library = t.fixture_path("functions.so")?;
    for name in ["lib.SO", "lib.So", "lib.DLL", "lib.Dylib", "lib.Dso", "lib.so.1", "lib.xso", "lib.sox", "libso"] {
        // A library that could be loaded by another name.
        let path = folder.path().join(name);
        std::os::unix::fs::symlink(&library, &path).map_err(|problem| t.error("a link to a library", problem))?;
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|error| t.error("a path", error))?;
        t.call_fails(&loader, &[view::c_str(&path)], &[])?;
    }
    Ok(())
}

const LOAD_BY_EXTENSION: &str = "ffi.ModuleLoadFromFile";

/// Loading a file that does not exist, or is no library, fails with an error.
#[check(MOD_0011)]
fn missing_file(t: &Trial) -> Verdict {
    let loader = t.global(LOAD)?;
    let missing = CString::new(t.fixtures.join("no_such_library.so").as_os_str().as_bytes());
    let missing = missing.map_err(|error| t.error("the path of a library", error))?;
    // Not the empty path: the system's loader answers it with the program itself.
    for path in [&missing, c"/", c"/dev/null"] {
        t.call_fails(&loader, &load_args(path), &[])?;
    }
    Ok(())
}

/// A library without functions is loaded as a module that has none.
#[check(MOD_0013)]
fn empty(t: &Trial) -> Verdict {
    let module = t.load("empty.so")?;
    t.lacks("function main", &module, c"main", true)
}

/// A library may be loaded several times, and releasing one of the modules leaves the others as they were.
#[check(MOD_0012)]
fn loaded_twice(t: &Trial) -> Verdict {
    let (one, other) = (t.load("functions.so")?, t.load("functions.so")?);
    let sum = t.function_of(&one, c"sum")?;
    drop(one);
    drop(sum);
    let sum = t.function_of(&other, c"sum")?;
    t.answers("result of the other module's function", &sum, &[view::int(5), view::int(6)], 11)?;
    let again = t.load("functions.so")?;
    drop(other);
    t.answers("result of a function", &sum, &[view::int(7)], 7)?;
    t.answers("result of another module's function", &t.function_of(&again, c"main")?, &[], 7)
}

/// A function of a module can be called when every reference to the module is gone.
#[check(MOD_0009)]
fn function_outlives_module(t: &Trial) -> Verdict {
    let module = t.load("farewell.so")?;
    let (increment, watch) = (t.function_of(&module, c"increment")?, t.function_of(&module, c"watch")?);
    drop(module);
    tell_to_watch(t, &watch)?;
    t.answers("result of increment", &increment, &[view::int(41)], 42)?;
    drop(watch);
    t.answers("result of increment", &increment, &[view::int(-1)], 0)?;
    t.eq("number of times the library was unloaded", unloads(), 0)
}

/// A library is unloaded when the last reference to its module and its functions is gone.
#[check(MOD_0010)]
fn unloaded(t: &Trial) -> Verdict {
    for round in 0..3 {
        let module = watched(t)?;
        let increment = t.function_of(&module, c"increment")?;
        drop(module);
        t.eq("unloads while a function is left", unloads(), round)?;
        drop(increment);
        t.eq("unloads after the last reference", unloads(), round + 1)?;
    }
    Ok(())
}

/// A module given to ffi.ModuleGlobalsAdd stays loaded when every reference to the module is gone.
#[check(MOD_0040)]
fn kept_for_good(t: &Trial) -> Verdict {
    let module = watched(t)?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    let handle = module.handle();
    drop(module);
    t.eq("unloads of the library", unloads(), 0)?;
    t.type_index_eq("type_index of the module", t.header(handle)?.type_index, kTVMFFIModule)?;
    let module = TVMFFIAny::new(kTVMFFIModule, handle as u64);
    let increment = t.call_global(GET_FUNCTION, &[module, view::c_str(c"increment"), view::bool(false)])?;
    t.answers("result of increment", &increment, &[view::int(41)], 42)
}

/// ffi.ModuleGlobalsRemove gives up a module that ffi.ModuleGlobalsAdd has kept.
#[check(MOD_0052)]
fn let_go(t: &Trial) -> Verdict {
    let module = watched(t)?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    t.call_global("ffi.ModuleGlobalsAdd", &[module.any()])?;
    t.call_global("ffi.ModuleGlobalsRemove", &[module.any()])?;
    t.eq("unloads of the library", unloads(), 0)?;
    drop(module);
    t.eq("unloads of the library", unloads(), 1)
}

/// ffi.ModuleGlobalsRemove does nothing for a module that was not added.
#[check(MOD_0052)]
fn let_go_of_stranger(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    t.call_global("ffi.ModuleGlobalsRemove", &[module.any()])?;
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))?;
    t.answers("result of main", &t.function_of(&module, c"main")?, &[], 7)
}

/// A module embedded in a library is made by the loader of its kind, and the library imports the module.
#[check(MOD_0036)]
fn embedded(t: &Trial) -> Verdict {
    let inner = t.load("provider_two.so")?;
    let host = Host::new(t, inner.any())?;
    host.register(t, "ffi.Module.load_from_bytes.verify_embedded")?;
    let module = t.load("embedded.so")?;
    t.eq("arguments of the loader", host.seen(), texts(&[b"bytes\0of its"]))?;
    t.answers("only_two of the embedded module", &t.imported_function(&module, c"only_two")?, &[], 12)?;
    t.lacks("only_two without imports", &module, c"only_two", false)?;
    let context = context_of(t, &module)?;
    t.ne("context of the library", context.payload(), 0)?;
    t.answers("who of the embedded module, called by the library", &t.function_of(&module, c"call_embedded")?, &[], 2)
}

/// A loader that a library registers while it is being loaded makes the module embedded in that library.
#[check(MOD_0084)]
fn embedded_with_its_loader(t: &Trial) -> Verdict {
    let module = t.load("own_loader.so")?;
    let system = t.call_global("ffi.SystemLib", &[])?;
    t.eq("imports of the library", t.imports_of(&module)?, vec![system.handle()])
}

/// Loading a library with an embedded module of a kind that has no loader fails with an error.
#[check(MOD_0037)]
fn embedded_without_loader(t: &Trial) -> Verdict {
    t.fails_to_load(&t.fixture("embedded.so")?, &[]).map(drop)
}

/// Threads load libraries and call functions of modules at once.
#[check(MOD_0041, patient = 2)]
fn threads(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let sum = t.function_of(&module, c"sum")?.into_any().payload() as usize;
    let own = ["provider_one.so", "provider_two.so"];
    t.threads(4, |t, number| {
        for round in 0..10 {
            let round = round * number as i64;
            let (mut args, mut result) = ([view::int(round), view::int(1)], TVMFFIAny::NONE);
            t.ok(t.api.TVMFFIFunctionCall(sum as TVMFFIObjectHandle, args.as_mut_ptr(), 2, &mut result))?;
            t.any_eq("result of sum", &result, &view::int(round + 1))?;
            let module = t.load(own[number % 2])?;
            let who = t.function_of(&module, c"who")?;
            drop(module);
            t.answers("result of who", &who, &[], 1 + number as i64 % 2)?;
        }
        Ok(())
    })
}

/// Modules and functions that are released leave no memory behind.
#[check(MOD_0042, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let path = t.fixture("functions.so")?;
    let (loader, getter) = (t.global(LOAD)?, t.global(GET_FUNCTION)?);
    t.no_growth("memory for functions of a module", || {
        let sum = t.call(&getter, &[module.any(), view::c_str(c"sum"), view::bool(true)])?;
        t.answers("result of sum", &sum, &[view::int(1)], 1)
    })?;
    t.no_growth("memory for modules", || t.call(&loader, &load_args(&path)).map(drop))
}
