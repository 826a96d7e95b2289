//! Defaults beside getters and setters of every kind.

use std::ffi::c_void;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{add_field, answers_seven, becomes_owned, counted_function, field_with_default, kept_alive};
use crate::{
    checks::check,
    client::{Owned, Verdict, reflected::info, types},
    trial::Trial,
};

/// How many of the [`kinds`] differ in what sets and reads the field; the others differ in a flag.
const ACCESSORS: usize = 6;

/// Fields in which the default stands beside something else; `function` is what sets those that a function object sets. With what they are, for messages.
fn kinds(function: &Owned) -> Vec<(String, TVMFFIFieldInfo)> {
    let plain = field_with_default(b"", TVMFFIAny::NONE);
    let by_function = |flags: i64, setter: *mut c_void| {
        let flags = plain.flags | kTVMFFIFieldFlagBitSetterIsFunctionObj | flags;
        TVMFFIFieldInfo { flags, setter, ..plain }
    };
    let null = std::ptr::null_mut();
    let mut kinds = vec![
        ("set by a function object".to_owned(), by_function(0, function.handle())),
        ("set by a function object, which is NULL".to_owned(), by_function(0, null)),
        ("without a setter".to_owned(), TVMFFIFieldInfo { setter: null, ..plain }),
        ("without a getter".to_owned(), TVMFFIFieldInfo { getter: None, ..plain }),
        ("without either".to_owned(), TVMFFIFieldInfo { getter: None, setter: null, ..plain }),
        ("that nobody writes to".to_owned(), TVMFFIFieldInfo { flags: kTVMFFIFieldFlagBitMaskHasDefault, ..plain }),
    ];
    // Each other flag; with that of a factory the default is a function, which others look at.
    let known = plain.flags | kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
    for flag in (0..13).map(|bit| 1_i64 << bit).filter(|flag| flag & known == 0) {
        kinds
            .push((format!("set by a function object, with the flag {flag:#x}"), by_function(flag, function.handle())));
    }
    // A field of each declared type, which the default need not be of.
    let declared =
        [kTVMFFIAny].into_iter().chain(kTVMFFINone..=kTVMFFISmallBytes).chain(kTVMFFIStaticObjectBegin..=kTVMFFIDict);
    kinds.extend(declared.map(|field_static_type_index| {
        let what = format!("declared with the static type index {field_static_type_index}");
        (what, TVMFFIFieldInfo { field_static_type_index, ..plain })
    }));
    kinds
}

/// The record of the field of a type that was registered last.
fn last(t: &Trial, index: i32) -> Verdict<TVMFFIFieldInfo> {
    let info = info(t, index)?;
    let place = usize::try_from(info.num_fields.saturating_sub(1)).unwrap_or_default();
    t.read("the record of a field", info.fields.wrapping_add(place))
}

/// A field's default of any kind and form is the one in the record, whatever sets and reads the field, and whatever other flags it has.
#[check(RFL_0004, RFL_0005, RFL_0006)]
fn default_beside_any_accessor(t: &Trial) -> Verdict {
    let (function, samples) = (counted_function(t)?, t.samples()?);
    for (number, (kind, given)) in kinds(&function).into_iter().enumerate() {
        let index = types::new(t, &format!("verify.Default{number}"));
        for (place, sample) in samples.iter().enumerate() {
            t.clause(match sample.any().type_index {
                kTVMFFIRawStr | kTVMFFIByteArrayPtr => id::RFL_0006,
                kTVMFFIStaticObjectBegin.. => id::RFL_0005,
                _ => id::RFL_0004,
            });
            let name = format!("f{place}");
            let name = TVMFFIByteArray::new(name.as_bytes());
            add_field(t, index, &TVMFFIFieldInfo { name, default_value_or_factory: sample.any(), ..given })?;
            let what = format!("the default of a field {kind}, given as {}", sample.name);
            t.is_sample(what, &last(t, index)?.default_value_or_factory, sample)?;
        }
    }
    Ok(())
}

/// A field's default given as a C string or byte array is stored as an owned String or Bytes, whatever sets and reads the field.
#[check(RFL_0006)]
fn default_text_beside_any_accessor(t: &Trial) -> Verdict {
    let function = counted_function(t)?;
    for (number, (kind, given)) in kinds(&function).into_iter().take(ACCESSORS).enumerate() {
        let index = types::new(t, &format!("verify.Text{number}"));
        let store = |place: usize, default_value_or_factory| {
            let name = format!("f{place}");
            let name = TVMFFIByteArray::new(name.as_bytes());
            add_field(t, index, &TVMFFIFieldInfo { name, default_value_or_factory, ..given })
        };
        becomes_owned(t, store, |_| Ok(last(t, index)?.default_value_or_factory))
            .map_err(|failure| failure.noting(format!("of a field {kind}")))?;
    }
    Ok(())
}

/// The function that makes a field's default outlives the caller's reference and can be called, whatever sets and reads the field.
#[check(RFL_0005)]
fn factory_beside_any_accessor(t: &Trial) -> Verdict {
    let (function, index) = (counted_function(t)?, types::new(t, "verify.Made"));
    for (number, (kind, given)) in kinds(&function).into_iter().enumerate() {
        let (name, factory) = (format!("f{number}"), counted_function(t)?);
        let field = TVMFFIFieldInfo {
            name: TVMFFIByteArray::new(name.as_bytes()),
            flags: given.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory,
            default_value_or_factory: factory.any(),
            ..given
        };
        add_field(t, index, &field)?;
        let what = format!("the factory of a field {kind}");
        kept_alive(t, &what, factory)?;
        answers_seven(t, &what, last(t, index)?.default_value_or_factory)?;
    }
    Ok(())
}
