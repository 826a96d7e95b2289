//! Modules as C++ clients make and call them.
//!
//! A module is an object with a virtual table in front of its header. The fixture `module_class.so`, in C++, has a module
//! of a class of its own, whose methods the target is to call, and calls the methods of the target's modules.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    sync::{
        OnceLock,
        atomic::{AtomicI32, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, forms, view},
    trial::Trial,
};

/// ffi.ModuleGetKind answers what the first virtual method of a client's module answers.
#[check(MOD_0063)]
fn kind(t: &Trial) -> Verdict {
    let kind = t.call_global("ffi.ModuleGetKind", &[client(t)?.any()])?;
    expect_text(t, "kind", &kind, "verify_class")
}

/// ffi.ModuleGetPropertyMask answers what the second virtual method of a client's module answers.
#[check(MOD_0063)]
fn property_mask(t: &Trial) -> Verdict {
    t.any_eq("property mask", &t.call_global("ffi.ModuleGetPropertyMask", &[client(t)?.any()])?.any(), &view::int(5))
}

/// ffi.ModuleGetFunction answers what the third virtual method of a client's module answers.
#[check(MOD_0064)]
fn function(t: &Trial) -> Verdict {
    let module = client(t)?;
    t.answers("result of own", &t.function_of(&module, c"own")?, &[], 42)?;
    for imports in [false, true] {
        t.lacks("function hidden", &module, c"hidden", imports)?;
    }
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))
}

/// ffi.ModuleImplementsFunction answers what the fourth virtual method of a client's module answers.
#[check(MOD_0064)]
fn implements(t: &Trial) -> Verdict {
    let module = client(t)?;
    for (name, expected) in [(c"own", true), (c"hidden", true), (c"other", false)] {
        for imports in [false, true] {
            let answer = t.ask_module("ffi.ModuleImplementsFunction", &module, name, imports)?;
            t.any_eq(format_args!("whether {name:?} is implemented"), &answer.any(), &view::bool(expected))?;
        }
    }
    Ok(())
}

/// ffi.ModuleGetFunctionDoc answers what the fifth virtual method of a client's module does, through imports too, as long as there are any.
#[check(MOD_0065, MOD_0039)]
fn doc(t: &Trial) -> Verdict {
    described(t, "ffi.ModuleGetFunctionDoc", "what own does, in some words")
}

/// ffi.ModuleGetFunctionMetadata answers what the sixth virtual method of a client's module does, through imports too, as long as there are any.
#[check(MOD_0065, MOD_0039)]
fn metadata(t: &Trial) -> Verdict {
    described(t, "ffi.ModuleGetFunctionMetadata", "{}")
}

fn described(t: &Trial, getter: &str, expected: &str) -> Verdict {
    let (module, importer) = (client(t)?, t.load("imports.so")?);
    t.import(&importer, &module)?;
    expect_text(t, getter, &t.ask_module(getter, &module, c"own", false)?, expected)?;
    expect_text(t, getter, &t.ask_module(getter, &importer, c"own", true)?, expected)?;
    t.any_eq(getter, &t.ask_module(getter, &importer, c"own", false)?.any(), &TVMFFIAny::NONE)?;
    t.any_eq(getter, &t.ask_module(getter, &module, c"other", true)?.any(), &TVMFFIAny::NONE)?;
    t.clear_imports(&importer)?;
    t.clause(id::MOD_0039);
    let answer = t.ask_module(getter, &importer, c"own", true)?;
    t.any_eq(format_args!("{getter} without imports"), &answer.any(), &TVMFFIAny::NONE)?;
    t.import(&importer, &module)?;
    t.clause(id::MOD_0065);
    expect_text(t, getter, &t.ask_module(getter, &importer, c"own", true)?, expected)
}

/// ffi.ModuleWriteToFile gives the file and the format to the seventh virtual method of a client's module.
#[check(MOD_0066)]
fn write(t: &Trial) -> Verdict {
    let module = client(t)?;
    let args = [module.any(), view::c_str(c"a file with a long name"), view::c_str(c"o")];
    t.any_eq("answer", &t.call_global("ffi.ModuleWriteToFile", &args)?.any(), &TVMFFIAny::NONE)?;
    let written = Method::Written.call(t, &module, c"")?;
    expect_text(t, "file and format that the module was given", &written, "a file with a long name as o")
}

/// ffi.ModuleGetWriteFormats answers what the eighth virtual method of a client's module answers.
#[check(MOD_0066)]
fn formats(t: &Trial) -> Verdict {
    let formats = t.call_global("ffi.ModuleGetWriteFormats", &[client(t)?.any()])?;
    t.type_index_eq("type_index of the formats", formats.any().type_index, kTVMFFIArray)?;
    t.any_eq("number of formats", &t.call_global("ffi.ArraySize", &[formats.any()])?.any(), &view::int(2))?;
    for (place, expected) in ["o", "a format"].into_iter().enumerate() {
        let format = t.call_global("ffi.ArrayGetItem", &[formats.any(), view::int(place as i64)])?;
        expect_text(t, "a format", &format, expected)?;
    }
    Ok(())
}

/// ffi.ModuleInspectSource answers what the tenth virtual method of a client's module answers.
#[check(MOD_0066)]
fn source(t: &Trial) -> Verdict {
    let source = t.call_global("ffi.ModuleInspectSource", &[client(t)?.any(), view::c_str(c"ptx")])?;
    expect_text(t, "source", &source, "source as ptx")
}

/// The methods of a client's module are given texts as the functions were: whole, with NULs and whatever else is in them.
#[check(MOD_0064, MOD_0065, MOD_0066)]
fn texts_are_whole(t: &Trial) -> Verdict {
    let module = client(t)?;
    for name in [&b"own\0"[..], b"own\0more", b"\0own", b"own ", b"own\xff", b"Own", b"", &b"own".repeat(100)] {
        let what = String::from_utf8_lossy(name).into_owned();
        for (form, imports) in forms::of_string(name).iter().flat_map(|form| [(form, false), (form, true)]) {
            for (clause, getter, missing) in [
                (id::MOD_0064, "ffi.ModuleGetFunction", TVMFFIAny::NONE),
                (id::MOD_0064, "ffi.ModuleImplementsFunction", view::bool(false)),
                (id::MOD_0065, "ffi.ModuleGetFunctionDoc", TVMFFIAny::NONE),
                (id::MOD_0065, "ffi.ModuleGetFunctionMetadata", TVMFFIAny::NONE),
            ] {
                t.clause(clause);
                let answer = t.call_global(getter, &[module.any(), form.view, view::bool(imports)])?;
                t.any_eq(format_args!("answer of {getter} for {what:?}"), &answer.any(), &missing)?;
            }
            t.clause(id::MOD_0066);
            let source = t.call_global("ffi.ModuleInspectSource", &[module.any(), form.view])?;
            t.eq("source", t.text(&source.any())?, [b"source as ", name].concat())?;
        }
    }
    Ok(())
}

/// A client's module can import a module, whose functions are then found when imports are asked for.
#[check(MOD_0067)]
fn imports(t: &Trial) -> Verdict {
    let (module, provider) = (client(t)?, t.load("provider_one.so")?);
    t.import(&module, &provider)?;
    t.eq("imports of the client's module", t.imports_of(&module)?, vec![provider.handle()])?;
    t.answers("who of the import", &t.imported_function(&module, c"who")?, &[], 1)?;
    t.lacks("who without imports", &module, c"who", false)
}

/// ffi.ModuleClearImports takes the imports of a client's module away and releases them.
#[check(MOD_0067)]
fn clear_imports(t: &Trial) -> Verdict {
    let (module, provider) = (client(t)?, t.load("provider_one.so")?);
    t.import(&module, &provider)?;
    t.clear_imports(&module)?;
    t.eq("imports of the client's module", t.imports_of(&module)?, vec![])?;
    t.eq("counts of what was imported", t.counts(provider.handle())?, (1, 1))
}

/// An Error that a method of a client's module throws is raised by the global function that called the method.
#[check(MOD_0068)]
fn throws_error(t: &Trial) -> Verdict {
    for_each_method(t, &client(t)?, c"error", |function, args| {
        let raised = t.call_fails(function, args, &["KeyError"])?;
        t.eq("message of the raised error", raised.message.as_str(), "from a method")
    })
}

/// A standard exception that a method of a client's module throws is raised as an error with its text.
#[check(MOD_0068)]
fn throws_exception(t: &Trial) -> Verdict {
    for_each_method(t, &client(t)?, c"failure", |function, args| {
        let message = t.call_fails(function, args, &[])?.message;
        t.that("message of the raised error", message.contains("another failure"), "what the exception says", message)
    })
}

/// What a method of a client's module throws leaves no memory behind, be it an Error or another exception.
#[check(MOD_0068, patient = 2)]
fn throws_no_growth(t: &Trial) -> Verdict {
    t.short_backtraces();
    let module = client(t)?;
    [c"error", c"failure"].into_iter().try_for_each(|name| {
        t.no_growth("memory for methods that throw", || {
            for_each_method(t, &module, name, |function, args| t.call_fails(function, args, &[]).map(drop))
        })
    })
}

/// Calls each global function that leads to a method which throws when it is given `name`.
fn for_each_method(t: &Trial, module: &Owned, name: &CStr, check: impl Fn(&Owned, &[TVMFFIAny]) -> Verdict) -> Verdict {
    let name = view::c_str(name);
    let named = [module.any(), name, view::bool(false)];
    for getter in [
        "ffi.ModuleGetFunction",
        "ffi.ModuleImplementsFunction",
        "ffi.ModuleGetFunctionDoc",
        "ffi.ModuleGetFunctionMetadata",
    ] {
        check(&t.global(getter)?, &named)?;
    }
    check(&t.global("ffi.ModuleInspectSource")?, &named[..2])?;
    check(&t.global("ffi.ModuleWriteToFile")?, &[module.any(), view::c_str(c"file"), name])?;
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))
}

/// A library's module can import a client's module.
#[check(MOD_0069)]
fn imported(t: &Trial) -> Verdict {
    let (importer, module) = (t.load("empty.so")?, client(t)?);
    t.import(&importer, &module)?;
    t.eq("imports of the library", t.imports_of(&importer)?, vec![module.handle()])?;
    t.answers("result of own", &t.imported_function(&importer, c"own")?, &[], 42)
}

/// A kernel finds functions of a client's module that the kernel's module imports.
#[check(MOD_0069)]
fn looked_up(t: &Trial) -> Verdict {
    let (importer, module) = (t.load("imports.so")?, client(t)?);
    t.import(&importer, &module)?;
    let call = t.function_of(&importer, c"call_import")?;
    for _ in 0..3 {
        t.answers("result of own", &call, &[view::c_str(c"own")], 42)?;
    }
    t.call_fails(&call, &[view::c_str(c"error")], &["KeyError"]).map(drop)
}

/// The address right before a client's module is a context in which functions of the module's imports are found.
#[check(MOD_0053)]
fn context(t: &Trial) -> Verdict {
    let (module, provider) = (client(t)?, t.load("provider_one.so")?);
    t.import(&module, &provider)?;
    let context = module.handle().wrapping_byte_sub(size_of::<*const ()>());
    let mut found = std::ptr::null_mut();
    t.ok(t.api.TVMFFIEnvModLookupFromImports(context, c"who".as_ptr(), &mut found))?;
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(found, std::ptr::null_mut(), 0, &mut result))?;
    t.any_eq("who of the import", &result, &view::int(1))
}

/// A client's module ends by its own deleter, once, when the last reference to the module goes.
#[check(MOD_0070)]
fn end(t: &Trial) -> Verdict {
    let module = client(t)?;
    let importer = t.load("imports.so")?;
    t.import(&importer, &module)?;
    t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    let own = t.function_of(&module, c"own")?;
    drop(module);
    t.eq("ends of a module that another imports", ENDS.load(Ordering::SeqCst), 0)?;
    drop(importer);
    t.answers("result of own", &own, &[], 42)?;
    drop(own);
    t.eq("ends of the module", ENDS.load(Ordering::SeqCst), 1)
}

/// A new module of the client's class.
fn client(t: &Trial) -> Verdict<Owned> {
    type New = unsafe extern "C" fn(*mut i32) -> TVMFFIObjectHandle;
    let address = t.fixture_symbol(FIXTURE, "verify_new_module")?;
    // SAFETY: the fixture defines it so.
    let new = unsafe { std::mem::transmute::<*const c_void, New>(address) };
    // SAFETY: the number is there for good.
    t.own_object("the client's module", unsafe { new(ENDS.as_ptr()) })
}

/// How often modules of the client's class have ended.
static ENDS: AtomicI32 = AtomicI32::new(0);

/// The first two virtual methods of a library's module answer its kind and its property mask, as the globals do.
#[check(MOD_0071)]
fn called_kind(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let kind = t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    let kind = String::from_utf8_lossy(&t.text(&kind.any())?).into_owned();
    expect_text(t, "kind", &Method::Kind.call(t, &module, c"")?, &kind)?;
    let expected = t.call_global("ffi.ModuleGetPropertyMask", &[module.any()])?;
    t.any_eq("property mask", &Method::PropertyMask.call(t, &module, c"")?.any(), &expected.any())
}

/// The third virtual method of a library's module answers a function, which keeps the library loaded.
#[check(MOD_0072)]
fn called_function(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let sum = Method::GetFunction.call(t, &module, c"sum")?;
    t.type_index_eq("type_index of the function", sum.any().type_index, kTVMFFIFunction)?;
    t.answers("result of sum", &sum, &[view::int(40), view::int(2)], 42)?;
    let long = Method::GetFunction.call(t, &module, c"count_arguments")?;
    t.answers("result of count_arguments", &long, &[view::int(1)], 1)?;
    for name in [c"nobody", c"nobody of a longer name"] {
        t.any_eq("what nobody has", &Method::GetFunction.call(t, &module, name)?.any(), &TVMFFIAny::NONE)?;
    }
    drop(module);
    t.answers("result of sum without the module", &sum, &[view::int(5)], 5)
}

/// The fourth virtual method of a library's module looks for functions of its own and not in imports.
#[check(MOD_0072)]
fn called_implements(t: &Trial) -> Verdict {
    let (module, provider) = (t.load("functions.so")?, t.load("provider_one.so")?);
    t.import(&module, &provider)?;
    for (name, expected) in
        [(c"sum", 1), (c"main", 1), (c"count_arguments", 1), (c"return_long_text", 1), (c"nobody", 0), (c"who", 0)]
    {
        t.any_eq("whether it is implemented", &Method::Implements.call(t, &module, name)?.any(), &view::int(expected))?;
    }
    Ok(())
}

/// The third and the fourth virtual method of a module, be it of a library or of the system library, tell of its own functions and of none that its
/// imports have, directly or through others; so do the global functions that are asked for no imports.
#[check(MOD_0072)]
fn called_beside_imports(t: &Trial) -> Verdict {
    for symbol in [c"__tvm_ffi_verify_system", c"__tvm_ffi_verify_beside_verify_system"] {
        t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), answer_nine as *mut c_void))?;
    }
    let (near, far, custom) = (t.load("provider_one.so")?, t.load("provider_two.so")?, client(t)?);
    t.import(&near, &far)?;
    let modules = [
        ("a library", t.load("functions.so")?, c"count_arguments"),
        ("a library without functions", t.load("empty.so")?, c"nobody"),
        ("the system library", t.call_global("ffi.SystemLib", &[])?, c"verify_system"),
        ("the system library with a prefix", system_library(t, c"verify_beside_")?, c"verify_system"),
        ("the system library with a prefix of nobody", system_library(t, c"verify_other_")?, c"verify_system"),
    ];
    for (what, module, own) in &modules {
        // They are asked before there is an import, too.
        for (count, import) in [None, Some(&near), Some(&custom)].into_iter().enumerate() {
            if let Some(import) = import {
                t.import(module, import)?;
            }
            for name in [*own, c"who", c"only_one", c"only_two", c"own", c"nobody", c"nobody of a longer name"] {
                let is_own = name == *own && name != c"nobody";
                let subject = |door: &str| format!("{door} of {what} with {count} imports, asked for {name:?}");
                let found = Method::GetFunction.call(t, module, name)?.any().type_index == kTVMFFIFunction;
                t.eq(subject("whether there is an answer from the third method"), found, is_own)?;
                let found = t.find_function(module, name, false)?.any().type_index == kTVMFFIFunction;
                t.eq(subject("whether there is an answer from ffi.ModuleGetFunction"), found, is_own)?;
                let answer = Method::Implements.call(t, module, name)?;
                t.any_eq(subject("the fourth method"), &answer.any(), &view::int(is_own.into()))?;
                let answer = t.ask_module("ffi.ModuleImplementsFunction", module, name, false)?;
                t.any_eq(subject("ffi.ModuleImplementsFunction"), &answer.any(), &view::bool(is_own))?;
            }
        }
        // A search through imports leaves the module's own answers as they were.
        for (name, expected) in [(c"only_one", 11), (c"only_two", 12), (c"own", 42)] {
            t.answers(format_args!("{name:?} among imports"), &t.imported_function(module, name)?, &[], expected)?;
            let answer = Method::Implements.call(t, module, name)?;
            t.any_eq(format_args!("whether {what} implements {name:?} itself"), &answer.any(), &view::int(0))?;
        }
    }
    Ok(())
}

/// The system library's module with a prefix.
fn system_library(t: &Trial, prefix: &CStr) -> Verdict<Owned> {
    t.call_global("ffi.SystemLib", &[view::c_str(prefix)])
}

/// The fifth and the sixth virtual method of a library's module answer documentation and metadata, or None.
#[check(MOD_0073)]
fn called_doc(t: &Trial) -> Verdict {
    let module = t.load("described.so")?;
    expect_text(t, "documentation", &Method::Doc.call(t, &module, c"described")?, "What the function does.")?;
    expect_text(t, "metadata", &Method::Metadata.call(t, &module, c"described")?, r#"{"type_schema":"{}"}"#)?;
    for method in [Method::Doc, Method::Metadata] {
        t.any_eq("description of plain", &method.call(t, &module, c"plain")?.any(), &TVMFFIAny::NONE)?;
    }
    Ok(())
}

/// The tenth virtual method of a library's module answers its source, and the eighth its formats, as the globals do.
#[check(MOD_0074)]
fn called_source(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    let source = t.call_global("ffi.ModuleInspectSource", &[module.any(), view::c_str(c"")])?;
    let source = String::from_utf8_lossy(&t.text(&source.any())?).into_owned();
    expect_text(t, "source", &Method::Source.call(t, &module, c"")?, &source)?;
    let size = |formats: &Owned| t.call_global("ffi.ArraySize", &[formats.any()]).map(|size| size.any().payload());
    let formats = Method::Formats.call(t, &module, c"")?;
    t.type_index_eq("type_index of the formats", formats.any().type_index, kTVMFFIArray)?;
    let expected = t.call_global("ffi.ModuleGetWriteFormats", &[module.any()])?;
    t.eq("number of formats", size(&formats)?, size(&expected)?)
}

/// The eleventh and the twelfth virtual method of a library's module import a module and give the imports up.
#[check(MOD_0075)]
fn called_imports(t: &Trial) -> Verdict {
    let (module, provider) = (t.load("imports.so")?, t.load("provider_one.so")?);
    Method::Import.call_with(t, &module, c"", &provider)?;
    t.eq("counts of the import", t.counts(provider.handle())?, (2, 1))?;
    t.answers("who of the import", &t.imported_function(&module, c"who")?, &[], 1)?;
    Method::ClearImports.call(t, &module, c"")?;
    t.eq("counts of what was imported", t.counts(provider.handle())?, (1, 1))?;
    t.lacks("who without imports", &module, c"who", true)
}

/// The eleventh and the twelfth virtual method of a module, be it of a library or of the system library, import any number of modules and give all of
/// them up, whichever other method was called before, as the global functions do.
#[check(MOD_0075)]
fn called_imports_of_any_number(t: &Trial) -> Verdict {
    let modules = [
        ("a library", t.load("imports.so")?),
        ("the system library", t.call_global("ffi.SystemLib", &[])?),
        ("the system library with a prefix", system_library(t, c"verify_importing_")?),
    ];
    let providers: Vec<Owned> = ["provider_two.so", "functions.so", "described.so", "provider_one.so", "empty.so"]
        .into_iter()
        .map(|library| t.load(library))
        .collect::<Verdict<_>>()?;
    let handles: Vec<_> = providers.iter().map(Owned::handle).collect();
    let before = handles.iter().map(|&provider| t.counts(provider)).collect::<Verdict<Vec<_>>>()?;
    let others = [
        Method::Kind,
        Method::PropertyMask,
        Method::GetFunction,
        Method::Implements,
        Method::Doc,
        Method::Metadata,
        Method::Formats,
        Method::Source,
    ];
    for (what, module) in &modules {
        // Either door to import, and either to give up.
        for (by_import, by_clear) in [(true, true), (true, false), (false, true)] {
            for count in 0..=providers.len() {
                for (number, provider) in providers[..count].iter().enumerate() {
                    if by_import {
                        Method::Import.call_with(t, module, c"", provider)?;
                    } else {
                        t.import(module, provider)?;
                    }
                    let subject = format!("imports of {what} after {} of {count}", number + 1);
                    t.eq(subject, t.imports_of(module)?, handles[..=number].to_vec())?;
                }
                for method in others {
                    method.call(t, module, c"nobody")?;
                    let subject = format!("imports of {what} after method {}", method as i32);
                    t.eq(subject, t.imports_of(module)?, handles[..count].to_vec())?;
                }
                if by_clear {
                    Method::ClearImports.call(t, module, c"")?;
                } else {
                    t.clear_imports(module)?;
                }
                t.eq(format_args!("imports of {what}, {count} of which were given up"), t.imports_of(module)?, vec![])?;
                let counts = handles.iter().map(|&provider| t.counts(provider)).collect::<Verdict<Vec<_>>>()?;
                t.eq(
                    format_args!("counts of the imports of {what}, {count} of which were given up"),
                    counts,
                    before.clone(),
                )?;
                t.lacks(format_args!("who of {what} without imports"), module, c"who", true)?;
            }
        }
    }
    Ok(())
}

/// The virtual methods of the system library's module answer its functions and its kind.
#[check(MOD_0072)]
fn called_system(t: &Trial) -> Verdict {
    let symbol = c"__tvm_ffi_verify_system";
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), answer_nine as *mut c_void))?;
    let module = t.call_global("ffi.SystemLib", &[])?;
    let found = Method::GetFunction.call(t, &module, c"verify_system")?;
    t.answers("result of the function", &found, &[], 9)?;
    t.any_eq("what nobody has", &Method::GetFunction.call(t, &module, c"nobody")?.any(), &TVMFFIAny::NONE)?;
    let kind = t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    let kind = String::from_utf8_lossy(&t.text(&kind.any())?).into_owned();
    expect_text(t, "kind", &Method::Kind.call(t, &module, c"")?, &kind)
}

unsafe extern "C" fn answer_nine(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives a place for the result.
    unsafe { *result = view::int(9) };
    0
}

/// The seventh and the ninth virtual method of a library's module throw an Error.
#[check(MOD_0076)]
fn called_fails(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    for method in [Method::Save, Method::Write] {
        let (status, result) = method.run(t, &module, c"file", None)?;
        t.eq("1 if an Error is thrown", status, 1)?;
        t.type_index_eq("type_index of what is thrown", result.any().type_index, kTVMFFIError)?;
    }
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))
}

/// Calls of the virtual methods of a library's module leave no memory behind.
#[check(MOD_0072, patient = 2)]
fn called_no_growth(t: &Trial) -> Verdict {
    let module = t.load("functions.so")?;
    t.no_growth("memory for calls of methods", || {
        Method::GetFunction.call(t, &module, c"sum")?;
        Method::Formats.call(t, &module, c"")?;
        Method::Source.call(t, &module, c"a format of some length").map(drop)
    })
}

const FIXTURE: &str = "module_class.so";

/// The methods of a module, by their places in the virtual table, and one question to the fixture.
#[derive(Clone, Copy)]
enum Method {
    Kind,
    PropertyMask,
    GetFunction,
    Implements,
    Doc,
    Metadata,
    Write,
    Formats,
    Save,
    Source,
    Import,
    ClearImports,
    Written,
}

/// `verify_call_method` of the fixture.
type CallMethod = unsafe extern "C" fn(
    TVMFFIObjectHandle,
    i32,
    *const c_char,
    *const c_char,
    TVMFFIObjectHandle,
    *mut TVMFFIAny,
) -> i32;

impl Method {
    /// Calls the method as a C++ client does, and expects it to return.
    fn call(self, t: &Trial, module: &Owned, text: &CStr) -> Verdict<Owned> {
        self.returns(t, self.run(t, module, text, None)?)
    }

    /// Calls a method that takes another module, and expects it to return.
    fn call_with(self, t: &Trial, module: &Owned, text: &CStr, other: &Owned) -> Verdict<Owned> {
        self.returns(t, self.run(t, module, text, Some(other))?)
    }

    fn returns(self, t: &Trial, (status, result): (i32, Owned)) -> Verdict<Owned> {
        t.eq(format_args!("0 if method {} returns", self as i32), status, 0)?;
        Ok(result)
    }

    /// Calls the method, and answers whether it returned (0), threw an Error (1) or something else, and the value.
    fn run(self, t: &Trial, module: &Owned, text: &CStr, other: Option<&Owned>) -> Verdict<(i32, Owned)> {
        let call = call_method(t)?;
        let other = other.map_or(std::ptr::null_mut(), Owned::handle);
        let mut result = TVMFFIAny::NONE;
        let run = || {
            // SAFETY: a call into a black box like any other; the process exists for this check.
            unsafe { call(module.handle(), self as i32, text.as_ptr(), c"o".as_ptr(), other, &mut result) }
        };
        let status = t.api.noted(&format!("method {} of the module's virtual table", self as i32), run);
        Ok((status, t.own(result)))
    }
}

/// The fixture's function that calls methods, which is looked up once.
fn call_method(t: &Trial) -> Verdict<CallMethod> {
    static FOUND: OnceLock<usize> = OnceLock::new();
    let address = match FOUND.get() {
        Some(address) => *address,
        None => {
            let found = t.fixture_symbol(FIXTURE, "verify_call_method")? as usize;
            *FOUND.get_or_init(|| found)
        }
    };
    // SAFETY: the fixture defines it so.
    Ok(unsafe { std::mem::transmute::<usize, CallMethod>(address) })
}

fn expect_text(t: &Trial, what: &str, value: &Owned, expected: &str) -> Verdict {
    t.eq(what, String::from_utf8_lossy(&t.text(&value.any())?).as_ref(), expected)
}
