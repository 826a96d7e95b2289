//! Modules as C++ clients make and call them.
//!
//! A module is an object with a virtual table in front of its header. The fixture `module_class.so`, in C++, has a module
//! of a class of its own, whose methods the target is to call, and calls the methods of the target's modules.

use std::{
    ffi::{CStr, c_char},
    sync::{
        OnceLock,
        atomic::{AtomicI32, Ordering},
    },
};

use tvm_ffi_spec::*;

use super::module::{IMPORT, expect_int, fails, function, get, import, imported_function, imports, load};
use crate::{trial::{check::{Check, check}, Owned, Trial, Verdict, view}, target::library};

pub const CHECKS: &[Check] = &[
    check("module-class.kind", "a client's module tells its kind", &["MOD-0063"], kind),
    check("module-class.property-mask", "a client's module tells its properties", &["MOD-0063"], property_mask),
    check("module-class.function", "a client's module gives functions", &["MOD-0064"], functions),
    check("module-class.implements", "a client's module tells what it implements", &["MOD-0064"], implements),
    check("module-class.doc", "a client's module documents its functions", &["MOD-0065"], documentation),
    check("module-class.metadata", "a client's module describes its functions", &["MOD-0065"], metadata),
    check("module-class.write", "a client's module is written to a file", &["MOD-0066"], write_to_file),
    check("module-class.formats", "a client's module tells its formats", &["MOD-0066"], formats),
    check("module-class.source", "a client's module shows its source", &["MOD-0066"], source),
    check("module-class.imports", "a client's module imports others", &["MOD-0067"], importing),
    check("module-class.clear-imports", "a client's module gives imports up", &["MOD-0067"], clearing),
    check("module-class.throws-error", "an Error that a method throws is raised", &["MOD-0068"], error_is_raised),
    check("module-class.throws-exception", "an exception of a method is an error", &["MOD-0068"], exception_is_raised),
    check("module-class.imported", "a client's module is imported", &["MOD-0069"], is_imported),
    check("module-class.looked-up", "a kernel finds a client's function", &["MOD-0069"], is_looked_up),
    check("module-class.context", "a client's module is a context", &["MOD-0069"], is_a_context),
    check("module-class.end", "a client's module ends once", &["MOD-0070"], ends_once),
    check("module-class.called-kind", "a library module tells kind and properties", &["MOD-0071"], called_kind),
    check("module-class.called-function", "a library module gives functions", &["MOD-0072"], called_function),
    check(
        "module-class.called-implements",
        "a library module tells what it implements",
        &["MOD-0072"],
        called_implements,
    ),
    check("module-class.called-doc", "a library module gives descriptions", &["MOD-0073"], called_descriptions),
    check("module-class.called-source", "a library module has no source", &["MOD-0074"], called_source),
    check("module-class.called-imports", "a library module imports others", &["MOD-0075"], called_imports),
    check("module-class.called-system", "the system library is a module like others", &["MOD-0072"], called_system),
    check("module-class.called-fails", "a library module throws Errors", &["MOD-0076"], called_fails),
    check("module-class.called-no-growth", "calls of methods leave nothing behind", &["MOD-0072"], called_no_growth)
        .patient(2),
];

fn kind(t: &Trial) -> Verdict {
    let kind = t.call_global("ffi.ModuleGetKind", &[client(t)?.any()])?;
    expect_text(t, "kind", &kind, "verify_class")
}

fn property_mask(t: &Trial) -> Verdict {
    expect_int(t, "property mask", &t.call_global("ffi.ModuleGetPropertyMask", &[client(t)?.any()])?, 5)
}

fn functions(t: &Trial) -> Verdict {
    let module = client(t)?;
    expect_int(t, "result of own", &t.call(&function(t, &module, c"own")?, &[])?, 42)?;
    for imports in [false, true] {
        t.any_eq("function hidden", &get(t, &module, c"hidden", imports)?.any(), &TVMFFIAny::NONE)?;
    }
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))
}

fn implements(t: &Trial) -> Verdict {
    let module = client(t)?;
    for (name, expected) in [(c"own", true), (c"hidden", true), (c"other", false)] {
        for imports in [false, true] {
            let args = [module.any(), view::c_str(name), view::bool(imports)];
            let answer = t.call_global("ffi.ModuleImplementsFunction", &args)?;
            t.any_eq(format!("whether {name:?} is implemented"), &answer.any(), &view::bool(expected))?;
        }
    }
    Ok(())
}

fn documentation(t: &Trial) -> Verdict {
    described(t, "ffi.ModuleGetFunctionDoc", "what own does, in some words")
}

fn metadata(t: &Trial) -> Verdict {
    described(t, "ffi.ModuleGetFunctionMetadata", "{}")
}

fn described(t: &Trial, getter: &str, expected: &str) -> Verdict {
    let (module, importer) = (client(t)?, load(t, "imports.so")?);
    import(t, &importer, &module)?;
    let ask =
        |module: &Owned, name, imports| t.call_global(getter, &[module.any(), view::c_str(name), view::bool(imports)]);
    expect_text(t, getter, &ask(&module, c"own", false)?, expected)?;
    expect_text(t, getter, &ask(&importer, c"own", true)?, expected)?;
    t.any_eq(getter, &ask(&importer, c"own", false)?.any(), &TVMFFIAny::NONE)?;
    t.any_eq(getter, &ask(&module, c"other", true)?.any(), &TVMFFIAny::NONE)
}

fn write_to_file(t: &Trial) -> Verdict {
    let module = client(t)?;
    let args = [module.any(), view::c_str(c"a file with a long name"), view::c_str(c"o")];
    t.any_eq("answer", &t.call_global("ffi.ModuleWriteToFile", &args)?.any(), &TVMFFIAny::NONE)?;
    let written = Method::Written.call(t, &module, c"")?;
    expect_text(t, "file and format that the module was given", &written, "a file with a long name as o")
}

fn formats(t: &Trial) -> Verdict {
    let formats = t.call_global("ffi.ModuleGetWriteFormats", &[client(t)?.any()])?;
    t.eq("type_index of the formats", formats.any().type_index, kTVMFFIArray)?;
    expect_int(t, "number of formats", &t.call_global("ffi.ArraySize", &[formats.any()])?, 2)?;
    for (place, expected) in ["o", "a format"].into_iter().enumerate() {
        let format = t.call_global("ffi.ArrayGetItem", &[formats.any(), view::int(place as i64)])?;
        expect_text(t, "a format", &format, expected)?;
    }
    Ok(())
}

fn source(t: &Trial) -> Verdict {
    let source = t.call_global("ffi.ModuleInspectSource", &[client(t)?.any(), view::c_str(c"ptx")])?;
    expect_text(t, "source", &source, "source as ptx")
}

fn importing(t: &Trial) -> Verdict {
    let (module, provider) = (client(t)?, load(t, "provider_one.so")?);
    import(t, &module, &provider)?;
    t.eq("imports of the client's module", imports(t, &module)?, vec![provider.handle()])?;
    expect_int(t, "who of the import", &t.call(&imported_function(t, &module, c"who")?, &[])?, 1)?;
    t.any_eq("who without imports", &get(t, &module, c"who", false)?.any(), &TVMFFIAny::NONE)
}

fn clearing(t: &Trial) -> Verdict {
    let (module, provider) = (client(t)?, load(t, "provider_one.so")?);
    import(t, &module, &provider)?;
    t.call_global("ffi.ModuleClearImports", &[module.any()])?;
    t.eq("imports of the client's module", imports(t, &module)?, vec![])?;
    t.eq("counts of what was imported", t.counts(provider.handle())?, (1, 1))
}

fn error_is_raised(t: &Trial) -> Verdict {
    for_each_method(t, c"error", |function, args| {
        let raised = fails(t, function, args, &["KeyError"])?;
        t.eq("message of the raised error", raised.message.as_str(), "from a method")
    })
}

fn exception_is_raised(t: &Trial) -> Verdict {
    for_each_method(t, c"failure", |function, args| {
        let message = fails(t, function, args, &[])?.message;
        t.that("message of the raised error", message.contains("another failure"), "what the exception says", message)
    })
}

/// Calls each global function that leads to a method which throws when it is given `name`.
fn for_each_method(t: &Trial, name: &CStr, check: impl Fn(&Owned, &[TVMFFIAny]) -> Verdict) -> Verdict {
    let (module, name) = (client(t)?, view::c_str(name));
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

fn is_imported(t: &Trial) -> Verdict {
    let (importer, module) = (load(t, "empty.so")?, client(t)?);
    import(t, &importer, &module)?;
    t.eq("imports of the library", imports(t, &importer)?, vec![module.handle()])?;
    expect_int(t, "result of own", &t.call(&imported_function(t, &importer, c"own")?, &[])?, 42)?;
    let circle = [module.any(), importer.any()];
    t.call_global("ffi.ModuleClearImports", &[importer.any()])?;
    t.call_global(IMPORT, &circle)?;
    fails(t, &t.global(IMPORT)?, &[importer.any(), module.any()], &[])?;
    t.call_global("ffi.ModuleClearImports", &[module.any()]).map(drop)
}

fn is_looked_up(t: &Trial) -> Verdict {
    let (importer, module) = (load(t, "imports.so")?, client(t)?);
    import(t, &importer, &module)?;
    let call = function(t, &importer, c"call_import")?;
    for _ in 0..3 {
        expect_int(t, "result of own", &t.call(&call, &[view::c_str(c"own")])?, 42)?;
    }
    fails(t, &call, &[view::c_str(c"error")], &["KeyError"]).map(drop)
}

fn is_a_context(t: &Trial) -> Verdict {
    let (module, provider) = (client(t)?, load(t, "provider_one.so")?);
    import(t, &module, &provider)?;
    let context = module.handle().wrapping_byte_sub(size_of::<*const ()>());
    let mut found = std::ptr::null_mut();
    t.ok(t.api.TVMFFIEnvModLookupFromImports(context, c"who".as_ptr(), &mut found))?;
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(found, std::ptr::null_mut(), 0, &mut result))?;
    t.any_eq("who of the import", &result, &view::int(1))
}

fn ends_once(t: &Trial) -> Verdict {
    let module = client(t)?;
    let importer = load(t, "imports.so")?;
    import(t, &importer, &module)?;
    t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    let own = function(t, &module, c"own")?;
    drop(module);
    t.eq("ends of a module that another imports", ENDS.load(Ordering::SeqCst), 0)?;
    drop(importer);
    expect_int(t, "result of own", &t.call(&own, &[])?, 42)?;
    drop(own);
    t.eq("ends of the module", ENDS.load(Ordering::SeqCst), 1)
}

fn called_kind(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    expect_text(t, "kind", &Method::Kind.call(t, &module, c"")?, "library")?;
    let expected = t.call_global("ffi.ModuleGetPropertyMask", &[module.any()])?;
    t.any_eq("property mask", &Method::PropertyMask.call(t, &module, c"")?.any(), &expected.any())
}

fn called_function(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    let sum = Method::GetFunction.call(t, &module, c"sum")?;
    t.eq("type_index of the function", sum.any().type_index, kTVMFFIFunction)?;
    expect_int(t, "result of sum", &t.call(&sum, &[view::int(40), view::int(2)])?, 42)?;
    t.any_eq("what nobody has", &Method::GetFunction.call(t, &module, c"nobody")?.any(), &TVMFFIAny::NONE)?;
    drop(module);
    expect_int(t, "result of sum without the module", &t.call(&sum, &[view::int(5)])?, 5)
}

fn called_implements(t: &Trial) -> Verdict {
    let (module, provider) = (load(t, "functions.so")?, load(t, "provider_one.so")?);
    import(t, &module, &provider)?;
    for (name, expected) in [(c"sum", 1), (c"nobody", 0), (c"who", 0)] {
        expect_int(t, "whether it is implemented", &Method::Implements.call(t, &module, name)?, expected)?;
    }
    Ok(())
}

fn called_descriptions(t: &Trial) -> Verdict {
    let module = load(t, "described.so")?;
    expect_text(t, "documentation", &Method::Doc.call(t, &module, c"described")?, "What the function does.")?;
    expect_text(t, "metadata", &Method::Metadata.call(t, &module, c"described")?, r#"{"type_schema":"{}"}"#)?;
    for method in [Method::Doc, Method::Metadata] {
        t.any_eq("description of plain", &method.call(t, &module, c"plain")?.any(), &TVMFFIAny::NONE)?;
    }
    Ok(())
}

fn called_source(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    expect_text(t, "source", &Method::Source.call(t, &module, c"")?, "")?;
    let formats = Method::Formats.call(t, &module, c"")?;
    t.eq("type_index of the formats", formats.any().type_index, kTVMFFIArray)?;
    expect_int(t, "number of formats", &t.call_global("ffi.ArraySize", &[formats.any()])?, 0)
}

fn called_imports(t: &Trial) -> Verdict {
    let (module, provider) = (load(t, "imports.so")?, load(t, "provider_one.so")?);
    Method::Import.call_with(t, &module, c"", &provider)?;
    t.eq("counts of the import", t.counts(provider.handle())?, (2, 1))?;
    expect_int(t, "who of the import", &t.call(&imported_function(t, &module, c"who")?, &[])?, 1)?;
    Method::ClearImports.call(t, &module, c"")?;
    t.eq("counts of what was imported", t.counts(provider.handle())?, (1, 1))?;
    t.any_eq("who without imports", &get(t, &module, c"who", true)?.any(), &TVMFFIAny::NONE)
}

fn called_system(t: &Trial) -> Verdict {
    let symbol = c"__tvm_ffi_verify_system";
    t.ok(t.api.TVMFFIEnvModRegisterSystemLibSymbol(symbol.as_ptr(), answer_nine as *mut std::ffi::c_void))?;
    let module = t.call_global("ffi.SystemLib", &[])?;
    let found = Method::GetFunction.call(t, &module, c"verify_system")?;
    expect_int(t, "result of the function", &t.call(&found, &[])?, 9)?;
    t.any_eq("what nobody has", &Method::GetFunction.call(t, &module, c"nobody")?.any(), &TVMFFIAny::NONE)?;
    let kind = t.call_global("ffi.ModuleGetKind", &[module.any()])?;
    let kind = String::from_utf8_lossy(&t.text(&kind.any())?).into_owned();
    expect_text(t, "kind", &Method::Kind.call(t, &module, c"")?, &kind)
}

fn called_fails(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    for method in [Method::Save, Method::Write] {
        let (status, result) = method.run(t, &module, c"file", None)?;
        t.eq("1 if an Error is thrown", status, 1)?;
        t.eq("type_index of what is thrown", result.any().type_index, kTVMFFIError)?;
    }
    t.eq("counts of the module", t.counts(module.handle())?, (1, 1))
}

fn called_no_growth(t: &Trial) -> Verdict {
    let module = load(t, "functions.so")?;
    t.no_growth("memory for calls of methods", || {
        Method::GetFunction.call(t, &module, c"sum")?;
        Method::Formats.call(t, &module, c"")?;
        Method::Source.call(t, &module, c"a format of some length").map(drop)
    })
}

/// How often modules of the client's class have ended.
static ENDS: AtomicI32 = AtomicI32::new(0);

/// A new module of the client's class.
fn client(t: &Trial) -> Verdict<Owned> {
    let address = symbol(t, "verify_new_module")?;
    // SAFETY: the fixture defines it so.
    let new = unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(*mut i32) -> TVMFFIObjectHandle>(address) };
    // SAFETY: the number is there for good.
    t.own_object("the client's module", unsafe { new(ENDS.as_ptr()) })
}

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

    /// The same with a module as argument.
    fn call_with(self, t: &Trial, module: &Owned, text: &CStr, other: &Owned) -> Verdict<Owned> {
        self.returns(t, self.run(t, module, text, Some(other))?)
    }

    fn returns(self, t: &Trial, (status, result): (i32, Owned)) -> Verdict<Owned> {
        t.eq(format!("0 if method {} returns", self as i32), status, 0)?;
        Ok(result)
    }

    /// Whether it returned, or threw an Error or something else; and what.
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

/// The address of a function of the fixture.
fn symbol(t: &Trial, name: &str) -> Verdict<usize> {
    let address = library::fixture_symbol(&t.fixtures.join("module_class.so"), name);
    address.map(|address| address as usize).map_err(|problem| t.error("the fixture module_class.so", problem))
}

/// The fixture's function that calls methods, which is looked up once.
fn call_method(t: &Trial) -> Verdict<CallMethod> {
    static FOUND: OnceLock<usize> = OnceLock::new();
    let address = match FOUND.get() {
        Some(address) => *address,
        None => *FOUND.get_or_init(|| symbol(t, "verify_call_method").unwrap_or(0)),
    };
    if address == 0 {
        return Err(t.error("the fixture module_class.so", "it has no verify_call_method"));
    }
    // SAFETY: the fixture defines it so.
    Ok(unsafe { std::mem::transmute::<usize, CallMethod>(address) })
}

fn expect_text(t: &Trial, what: &str, value: &Owned, expected: &str) -> Verdict {
    t.eq(what, String::from_utf8_lossy(&t.text(&value.any())?).as_ref(), expected)
}

unsafe extern "C" fn answer_nine(
    _: *mut std::ffi::c_void,
    _: *const TVMFFIAny,
    _: i32,
    result: *mut TVMFFIAny,
) -> std::ffi::c_int {
    // SAFETY: the caller gives a place for the result.
    unsafe { *result = view::int(9) };
    0
}
