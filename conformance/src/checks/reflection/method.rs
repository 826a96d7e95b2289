//! Methods: what is stored of one.

use std::{collections::BTreeSet, mem::offset_of};

use tvm_ffi_spec::*;

use super::kit::{
    COPIED, LAID, ODD_TEXTS, add_method, answers_seven, copied, counted_function, field, kept_alive, lie_in_place,
    method, method_at, method_named, methods,
};
use crate::{
    checks::check,
    client::{
        Failure, Verdict,
        reflected::{self, info},
        types,
    },
    trial::Trial,
};

/// The function and the flags in a method's record lie where clients have compiled them in.
#[check(RFL_0014, lays = TVMFFIMethodInfo)]
fn method_record_layout(t: &Trial) -> Verdict {
    let (mut records, mut functions) = (Vec::new(), Vec::new());
    for (key, name) in LAID {
        let index = types::new(t, key);
        let function = counted_function(t)?;
        let flags = kTVMFFIFieldFlagBitMaskIsStaticMethod;
        add_method(t, index, &TVMFFIMethodInfo { flags, method: function.any(), ..method(name) })?;
        let at = [offset_of!(TVMFFIMethodInfo, flags), offset_of!(TVMFFIMethodInfo, method)];
        let given = [flags.to_ne_bytes().to_vec(), function.any().to_bytes().to_vec()];
        method_at(t, index, 0)?;
        let record = t.read_bytes("the record", info(t, index)?.methods.cast(), size_of::<TVMFFIMethodInfo>())?;
        records.push((record, std::array::from_fn(|member| (at[member], given[member].clone()))));
        functions.push(function);
    }
    t.looks_at::<TVMFFIMethodInfo>();
    lie_in_place(t, ["flags", "method"], &records)
}

/// A method appears in its type's record with its flags and function and copies of its texts.
#[check(RFL_0014)]
fn method_members_are_stored(t: &Trial) -> Verdict {
    let function = counted_function(t)?;
    let flags = [0, kTVMFFIFieldFlagBitMaskIsStaticMethod];
    for (what, index) in types::of_each_kind(t, "verify.Point")? {
        for (number, (texts, flags)) in COPIED.iter().zip(flags).enumerate() {
            // Gone right after the call, and not merely changed.
            let given = texts.iter().map(|text| t.guarded(text)).collect::<Verdict<Vec<_>>>()?;
            let (name, doc, metadata) = (given[0].array(), given[1].array(), given[2].array());
            add_method(t, index, &TVMFFIMethodInfo { name, doc, metadata, flags, method: function.any() })?;
            drop(given);
            let note = |failure: Box<Failure>| failure.noting(what);
            let stored = method_at(t, index, number)?;
            t.eq("flags", stored.flags, flags).map_err(note)?;
            t.any_eq("the method", &stored.method, &function.any()).map_err(note)?;
            copied(t, [stored.name, stored.doc, stored.metadata], texts).map_err(note)?;
        }
    }
    Ok(())
}

/// A method's texts with NULs, with thousands of bytes or outside ASCII are kept byte for byte.
#[check(RFL_0014)]
fn method_texts_may_hold_anything(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let long = b"long ".repeat(2000);
    for contents in ODD_TEXTS.into_iter().chain([&long[..]]) {
        let (doc, metadata) = (TVMFFIByteArray::new(contents), TVMFFIByteArray::new(contents));
        add_method(t, index, &TVMFFIMethodInfo { doc, metadata, ..method(contents) })?;
        let stored = method_named(t, index, contents)?;
        copied(t, [stored.name, stored.doc, stored.metadata], &[contents; 3])?;
    }
    Ok(())
}

/// A method's function outlives the caller's reference and can be called, be the method static or not and whatever type it is of.
#[check(RFL_0015)]
fn method_is_kept_alive(t: &Trial) -> Verdict {
    for (what, index) in types::of_each_kind(t, "verify.Point")? {
        let flags = [0, kTVMFFIFieldFlagBitMaskIsStaticMethod];
        for (number, (name, flags)) in [&b"norm"[..], b"a_static_method"].into_iter().zip(flags).enumerate() {
            let function = counted_function(t)?;
            add_method(t, index, &TVMFFIMethodInfo { flags, method: function.any(), ..method(name) })?;
            let what = format!("method {number} of {what}");
            kept_alive(t, &what, function)?;
            answers_seven(t, &what, method_at(t, index, number)?.method)?;
        }
    }
    Ok(())
}

/// A method with the name of another is refused, or listed beside it, and leaves the first as it was.
#[check(RFL_0016)]
fn second_of_a_name(t: &Trial) -> Verdict {
    for (number, flags) in [0, kTVMFFIFieldFlagBitMaskIsStaticMethod].into_iter().enumerate() {
        let index = types::new(t, &format!("verify.Twice{number}"));
        let given = [counted_function(t)?, counted_function(t)?, counted_function(t)?];
        let mut listed = Vec::new();
        for (function, flags) in given.iter().zip([0, 0, flags]) {
            let again = TVMFFIMethodInfo { method: function.any(), flags, ..method(b"norm") };
            match t.api.TVMFFITypeRegisterMethod(index, &again) {
                0 => listed.push(function.any().to_bytes()),
                code if listed.is_empty() => t.ok(code)?,
                code => drop(t.raises(code, &[])?),
            }
            let stored = methods(t, index)?;
            t.eq("num_methods", stored.len(), listed.len())?;
            // In any order.
            let functions: BTreeSet<_> = stored.iter().map(|stored| stored.method.to_bytes()).collect();
            t.eq("the functions of the methods of that name", &functions, &listed.iter().copied().collect())?;
        }
    }
    Ok(())
}

/// A method with the name of an ancestor's method, or of a field of the type's own or of an ancestor's, is listed beside these.
#[check(RFL_0016)]
fn name_of_something_else(t: &Trial) -> Verdict {
    let parent = types::new(t, "verify.Parent");
    let child = types::new_child(t, "verify.Child", parent)?;
    for (index, fields, methods) in
        [(parent, &[&b"norm"[..]][..], &[&b"norm"[..]][..]), (child, &[b"length"], &[b"norm", b"length"])]
    {
        fields.iter().try_for_each(|name| t.ok(t.api.TVMFFITypeRegisterField(index, &field(name))))?;
        methods.iter().try_for_each(|name| add_method(t, index, &method(name)))?;
    }
    for (index, whose, expected) in [(parent, "the parent", (1, 1)), (child, "the child", (1, 2))] {
        let info = info(t, index)?;
        t.eq(format_args!("num_fields and num_methods of {whose}"), (info.num_fields, info.num_methods), expected)?;
    }
    Ok(())
}

/// Each of fifty methods is listed once, and `num_methods` counts them.
#[check(RFL_0016)]
fn methods_keep_their_order(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    for number in 0..50 {
        add_method(t, index, &method(format!("method{number}").as_bytes()))?;
        t.eq("num_methods", info(t, index)?.num_methods, number + 1)?;
    }
    let listed = methods(t, index)?.into_iter().map(|stored| reflected::text(t, "name", stored.name));
    let listed: BTreeSet<String> = listed.collect::<Verdict<_>>()?;
    t.eq("names of the methods", listed, (0..50).map(|number| format!("method{number}")).collect())
}
