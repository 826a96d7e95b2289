//! The functions in `__ffi_convert__`.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Raised, TypeIndex, Verdict,
        enumeration::Enumeration,
        homemade::{Homemade, release, retain},
        reflected, view,
    },
    trial::Trial,
};

/// A function in `__ffi_convert__` answers an instance of its type as it is, with a reference of the caller's own.
#[check(INS_0012)]
fn convert_instance(t: &Trial) -> Verdict {
    for (key, make) in INSTANCES {
        let object = make(t)?;
        let before = t.counts(object.handle())?;
        for key in [key, "ffi.Object"] {
            let converted = convert(t, key, &object.any())?;
            t.any_eq(format_args!("the object as {key}"), &converted.any(), &object.any())?;
            t.eq("strong count of the object that two own", t.counts(object.handle())?.0, before.0 + 1)?;
        }
        t.eq("counts of the object", t.counts(object.handle())?, before)?;
    }
    Ok(())
}

/// The functions in `__ffi_convert__` of ffi.IntEnum, ffi.StrEnum and ffi.Object answer an instance of a type that descends from theirs, at any
/// depth, as it is.
#[check(INS_0012, REG_0027)]
fn convert_descendant(t: &Trial) -> Verdict {
    for built_in in ["ffi.IntEnum", "ffi.StrEnum"] {
        for (key, declared) in Enumeration::declare_line(t, built_in, false)? {
            let instance = declared.red;
            let before = t.counts(instance.handle())?;
            for to in [built_in, "ffi.Object"] {
                let converted = convert(t, to, &instance.any())?;
                t.any_eq(format_args!("an instance of {key} as {to}"), &converted.any(), &instance.any())?;
                t.eq("strong count of an instance that two own", t.counts(instance.handle())?.0, before.0 + 1)?;
            }
        }
    }
    Ok(())
}

/// Objects to be converted, by type.
const INSTANCES: &[(&str, Make)] = &[
    ("ffi.String", |t| t.string(b"a text of more than seven bytes")),
    ("ffi.Bytes", |t| t.bytes(b"bytes, more than seven of them")),
    ("ffi.Error", |t| t.new_error("ValueError", "a value was wrong", "")),
    ("ffi.Function", |t| t.global("ffi.Array")),
    ("ffi.Shape", |t| t.call_global("ffi.Shape", &[view::int(2), view::int(3)])),
    ("ffi.Array", empty_array),
    ("ffi.Map", |t| t.call_global("ffi.Map", &[])),
    ("ffi.List", |t| t.call_global("ffi.List", &[])),
    ("ffi.Dict", |t| t.call_global("ffi.Dict", &[])),
];

type Make = fn(&Trial) -> Verdict<Owned>;

fn empty_array(t: &Trial) -> Verdict<Owned> {
    t.call_global("ffi.Array", &[])
}

/// The functions in `__ffi_convert__` of ffi.String and ffi.Bytes make owned texts of C strings and byte arrays.
#[check(INS_0013)]
fn convert_text(t: &Trial) -> Verdict {
    let contents: [&[u8]; 6] =
        [b"", b"a", b"seven_b", b"eight_by", b"a text of more than seven bytes", b"\xff\x80 no UTF-8"];
    for content in contents {
        let mut text = [content, b"\0"].concat();
        let bytes = TVMFFIByteArray::new(&text[..content.len()]);
        let string = convert(t, "ffi.String", &TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64))?;
        let owned = convert(t, "ffi.Bytes", &view::byte_array(&bytes))?;
        text.fill(b'#');
        for (converted, types) in [(string, [kTVMFFIStr, kTVMFFISmallStr]), (owned, [kTVMFFIBytes, kTVMFFISmallBytes])]
        {
            let found = converted.any().type_index;
            t.that(
                "type_index of the text",
                types.contains(&found),
                format_args!("one of {types:?}"),
                TypeIndex(found),
            )?;
            let text = t.text(&converted.any())?;
            t.eq("the text", text.escape_ascii().to_string(), content.escape_ascii().to_string())?;
        }
    }
    let with_nul = convert(t, "ffi.Bytes", &view::byte_array(&TVMFFIByteArray::new(b"a\0b")))?;
    t.eq("bytes with a NUL", t.text(&with_nul.any())?.as_slice(), b"a\0b")
}

/// The functions in `__ffi_convert__` make an ffi.List of an ffi.Array and an ffi.Array of an ffi.List.
#[check(INS_0014)]
fn convert_sequence(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let args = [view::int(7), object.view()];
    for (from, to, index, size, get) in [
        ("ffi.Array", "ffi.List", kTVMFFIList, "ffi.ListSize", "ffi.ListGetItem"),
        ("ffi.List", "ffi.Array", kTVMFFIArray, "ffi.ArraySize", "ffi.ArrayGetItem"),
    ] {
        let before = object.counts();
        let sequence = t.call_global(from, &args)?;
        let converted = convert(t, to, &sequence.any())?;
        t.type_index_eq(format_args!("type_index of {to}"), converted.any().type_index, index)?;
        t.any_eq(size, &t.call_global(size, &[converted.any()])?.any(), &view::int(2))?;
        for (place, expected) in args.iter().enumerate() {
            let item = t.call_global(get, &[converted.any(), view::int(place as i64)])?;
            t.any_eq(format_args!("item {place}"), &item.any(), expected)?;
        }
        t.eq("strong count of an item that both hold", object.counts().0, before.0 + 2)?;
    }
    Ok(())
}

/// The functions in `__ffi_convert__` make an ffi.Dict of an ffi.Map and an ffi.Map of an ffi.Dict.
#[check(INS_0014)]
fn convert_mapping(t: &Trial) -> Verdict {
    let directions = [
        ("ffi.Map", "ffi.Dict", kTVMFFIDict, "ffi.DictSize", "ffi.DictGetItem"),
        ("ffi.Dict", "ffi.Map", kTVMFFIMap, "ffi.MapSize", "ffi.MapGetItem"),
    ];
    // Small mappings and dense ones.
    for (count, (from, to, index, size, get)) in
        [0, 1, 4, 5, 40].into_iter().flat_map(|count| directions.map(|to| (count, to)))
    {
        let args: Vec<_> = (0..count).flat_map(|key| [view::int(key), view::int(10 * key)]).collect();
        let mapping = t.call_global(from, &args)?;
        let converted = convert(t, to, &mapping.any())?;
        t.type_index_eq(format_args!("type_index of {to}"), converted.any().type_index, index)?;
        t.any_eq(size, &t.call_global(size, &[converted.any()])?.any(), &view::int(count))?;
        for pair in args.chunks(2) {
            let value = t.call_global(get, &[converted.any(), pair[0]])?;
            t.any_eq("value of a key", &value.any(), &pair[1])?;
        }
    }
    Ok(())
}

/// The function in `__ffi_convert__` of ffi.Shape makes a shape of an Array or a List of integers of any size.
#[check(INS_0014)]
fn convert_shape(t: &Trial) -> Verdict {
    // What no float and no smaller integer can say is among them.
    for (from, expected) in ["ffi.Array", "ffi.List"].into_iter().flat_map(|from| {
        [[3, -1, 1 << 40], [(1 << 53) + 1, -(1 << 53) - 1, 0], [i64::MAX, i64::MIN, i64::MAX - 1]]
            .map(|all| (from, all))
    }) {
        let sequence = t.call_global(from, &expected.map(view::int))?;
        let shape = convert(t, "ffi.Shape", &sequence.any())?;
        t.type_index_eq("type_index of the shape", shape.any().type_index, kTVMFFIShape)?;
        let cell: TVMFFIShapeCell = t.cell("shape", shape.handle())?;
        t.eq("extents of the shape", cell.size, expected.len())?;
        t.eq("extents", t.read("extents", cell.data.cast::<[i64; 3]>())?, expected)?;
    }
    let wrong = t.call_global("ffi.Array", &[view::int(1), view::c_str(c"text")])?;
    t.clause(id::INS_0015);
    refuses(t, "ffi.Shape", &wrong.any(), &[]).map(drop)
}

/// A function in `__ffi_convert__` refuses what does not convert and keeps no reference to it.
#[check(INS_0015)]
fn convert_refuses(t: &Trial) -> Verdict {
    all_refuse(t, &[])
}

/// The error of a function in `__ffi_convert__` that refuses a value is a TypeError.
#[check(INS_0028)]
fn convert_raises_type_errors(t: &Trial) -> Verdict {
    all_refuse(t, &["TypeError"])
}

/// Expects the converters of all types to refuse what does not convert, with errors of these kinds.
fn all_refuse(t: &Trial, kinds: &[&str]) -> Verdict {
    let refuses = |key: &str, value: &TVMFFIAny| refuses(t, key, value, kinds);
    let stranger = Homemade::new(kTVMFFIOpaquePyObject, [0_u64; 2]);
    for (key, _) in INSTANCES.iter().chain([&("ffi.Tensor", empty_array as Make)]) {
        for wrong in [view::int(1), view::float(1.5), view::pointer(std::ptr::null_mut()), stranger.view()] {
            refuses(key, &wrong)?;
        }
        t.eq("counts of a refused object", stranger.counts(), (1, 1))?;
    }
    refuses("ffi.Object", &view::int(1))?;
    refuses("ffi.String", &TVMFFIAny::new(kTVMFFISmallBytes, 0))?;
    refuses("ffi.Bytes", &view::c_str(c"text"))?;
    refuses("ffi.Map", &t.call_global("ffi.Array", &[])?.any()).map(drop)
}

/// An object that is given away to a function in `__ffi_convert__`, of its own type or of another, stays in its slot, or what is answered alone
/// holds it.
#[check(INS_0012, INS_0015)]
fn convert_given(t: &Trial) -> Verdict {
    let keys: Vec<_> = INSTANCES.iter().map(|(key, _)| *key).chain(["ffi.Object"]).collect();
    for ((of, make), to) in INSTANCES.iter().flat_map(|instance| keys.iter().map(move |to| (instance, *to))) {
        let object = make(t)?;
        let before = t.counts(object.handle())?;
        retain(object.handle());
        let mut slot = Box::new(object.handle());
        let given = TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut *slot) as u64);
        let function = reflected::attribute_function(t, "__ffi_convert__", to)?;
        let answer = t.answer_of(function.handle(), &[given])?;
        t.clause(if answer.is_ok() { id::INS_0012 } else { id::INS_0015 });
        drop(answer);
        let what = format!("{of} that was given away to be converted to {to}");
        if !slot.is_null() {
            t.eq(format_args!("the slot of {what}"), *slot, object.handle())?;
            release(object.handle());
        }
        t.eq(format_args!("counts of {what}"), t.counts(object.handle())?, before)?;
    }
    Ok(())
}

/// The functions in `__ffi_convert__` of ffi.Object, ffi.Function and ffi.Tensor answer None for None.
#[check(INS_0016)]
fn convert_none(t: &Trial) -> Verdict {
    for key in ["ffi.Object", "ffi.Function", "ffi.Tensor"] {
        t.any_eq(format_args!("None as {key}"), &convert(t, key, &TVMFFIAny::NONE)?.any(), &TVMFFIAny::NONE)?;
    }
    Ok(())
}

/// What a type's converter makes of a value.
fn convert(t: &Trial, key: &str, value: &TVMFFIAny) -> Verdict<Owned> {
    let convert = reflected::attribute_function(t, "__ffi_convert__", key)?;
    t.call(&convert, &[*value]).map_err(|failure| failure.noting(format!("converting to {key}")))
}

/// Expects a type's converter to refuse a value with an error of these kinds.
fn refuses(t: &Trial, key: &str, value: &TVMFFIAny, kinds: &[&str]) -> Verdict<Raised> {
    let convert = reflected::attribute_function(t, "__ffi_convert__", key)?;
    let raised = t.call_fails(&convert, &[*value], kinds);
    raised.map_err(|failure| failure.noting(format!("converting {value:?} to {key}")))
}
