//! Functions registered by a method info, and their metadata.

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Verdict, view},
    trial::Trial,
};

/// TVMFFIFunctionSetGlobalFromMethodInfo registers the function of a method info under its name.
#[check(GLB_0013)]
fn method_info(t: &Trial) -> Verdict {
    for name in ["verify.info", "v.i", "verify.with\0nul", "verify.\u{fc}"] {
        let function = counted(t, 5)?;
        t.ok(try_set_info(t, &info(name, "{}", function.any()), false))?;
        t.eq("strong count of a registered function", t.counts(function.handle())?.0, 2)?;
        let found = found(t, name)?;
        t.eq("function under the name", found.handle(), function.handle())?;
        drop(function);
        t.eq("answer of the function", call_tag(t, &found)?, 5)?;
    }
    Ok(())
}

/// TVMFFIFunctionSetGlobalFromMethodInfo replaces the function of a taken name only with allow_override.
#[check(GLB_0013)]
fn method_info_taken(t: &Trial) -> Verdict {
    let (old, new) = (tagged(t, 1)?, tagged(t, 2)?);
    t.ok(try_set_info(t, &info("verify.info", "", old.any()), false))?;
    t.raises(try_set_info(t, &info("verify.info", "", new.any()), false), &[])?;
    leads_to(t, "verify.info", &old)?;
    t.ok(try_set_info(t, &info("verify.info", "", new.any()), true))?;
    leads_to(t, "verify.info", &new)?;
    t.eq("strong count of the function replaced", t.counts(old.handle())?.0, 1)
}

/// The function ffi.GetGlobalFuncMetadata answers the metadata that a function was registered with.
#[check(GLB_0014)]
fn metadata(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    for (name, metadata) in [("verify.m1", "{}"), ("verify.m2", r#"{"type_schema":"{\"type\":\"int\"}","x":[1,2]}"#)] {
        t.ok(try_set_info(t, &info(name, metadata, function.any()), false))?;
        t.eq(format_args!("metadata of {name}"), metadata_of(t, name)?, metadata.to_owned())?;
    }
    t.ok(try_set_info(t, &info("verify.m1", "another", function.any()), true))?;
    t.eq("metadata of verify.m1, replaced", metadata_of(t, "verify.m1")?, "another".to_owned())
}

/// The function ffi.GetGlobalFuncMetadata answers an empty string for a function registered without metadata.
#[check(GLB_0014)]
fn no_metadata(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.plain", &function)?;
    t.eq("metadata of a function set without", metadata_of(t, "verify.plain")?, String::new())?;
    t.ok(try_set_info(t, &info("verify.info", "", function.any()), false))?;
    t.eq("metadata of a function set with none", metadata_of(t, "verify.info")?, String::new())
}

/// The table of global functions follows no pointer of a method info once the call has returned.
#[check(GLB_0015)]
fn copies_info(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    for (name, metadata) in
        [("v.i", "{}"), ("verify.a-name-that-is-not-short", "{\"metadata\": \"that is not short\"}")]
    {
        let [passed_name, passed_metadata, doc] = [
            t.guarded(name.as_bytes())?,
            t.guarded(metadata.as_bytes())?,
            t.guarded(b"documentation that is not short")?,
        ];
        let mut passed = Box::new(info("", "", function.any()));
        (passed.name, passed.metadata, passed.doc) = (passed_name.array(), passed_metadata.array(), doc.array());
        t.ok(try_set_info(t, &passed, false))?;
        // Gone, and not merely changed: whoever still looks there dies of it.
        drop((passed_name, passed_metadata, doc, passed));
        leads_to(t, name, &function)?;
        t.eq(format_args!("metadata of {name}"), metadata_of(t, name)?, metadata.to_owned())?;
        replace(t, name, &function)?;
        free(t, name)?;
    }
    Ok(())
}

/// The function ffi.GetGlobalFuncMetadata raises an error for a name that is not registered.
#[check(GLB_0016)]
fn metadata_of_missing(t: &Trial) -> Verdict {
    let describe = t.global("ffi.GetGlobalFuncMetadata")?;
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(&describe, &[view::c_str(c"verify.missing")], &mut result), &[]).map(drop)
}

/// A method info whose method is a number is refused with an error, and its name stays free.
#[check(GLB_0017)]
fn method_not_function(t: &Trial) -> Verdict {
    t.raises(try_set_info(t, &info("verify.number", "", view::int(5)), false), &[])?;
    is_free(t, "verify.number")
}
