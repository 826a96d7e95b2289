//! Types that a frontend declares, and enumerations: their instances, and what the library generates for them.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
};

use tvm_ffi_spec::*;

use super::{
    function_call::FunctionCall,
    kit::{Call, LONG, PASSING, Shortage, counts_stay},
    objects::through,
    values::graphs,
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict, callback,
        containers::{release, retain},
        enumeration::Enumeration,
        globals, reflected, types, view,
    },
    trial::Trial,
};

/// An instance of a declared class is made, copied, compared, printed or written, or the call fails and leaves all as it is, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_instances(t: &Trial) -> Verdict {
    instances(t, PASSING)
}

/// A type has what a frontend has the library generate for it, or has nothing where that fails, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn declares_classes(t: &Trial) -> Verdict {
    declarations(t, PASSING)
}

/// An instance of an enumeration is written, read, copied or printed, or the call fails, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn writes_enumerations(t: &Trial) -> Verdict {
    enumerations(t, PASSING)
}

/// The fields of a class, by their names: type index, offset and size.
const FIELDS: [(&[u8], i32, i64, i64); 7] = [
    (b"number of something", kTVMFFIInt, 24, 8),
    (b"ratio of something", kTVMFFIFloat, 32, 8),
    (b"value of any kind", kTVMFFIAny, 40, 16),
    (b"object of any type", kTVMFFIObject, 56, 8),
    (b"whether it is so", kTVMFFIBool, 64, 1),
    (b"its data type", kTVMFFIDataType, 68, 4),
    (b"its device", kTVMFFIDevice, 72, 8),
];
/// How long an instance is.
const SIZE: i64 = 80;

/// Takes a value as it is.
unsafe extern "C" fn convert(_: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: whoever converts gives a value that lives and a place for the result.
    callback::api().map_or(-1, |api| unsafe { api.TVMFFIAnyViewToOwnedAny(&*value, &mut *result) })
}

/// Whether the target generates what classes need.
fn has_classes(t: &Trial) -> Verdict<bool> {
    let needed =
        ["ffi.MakeFieldGetter", "ffi.MakeFieldSetter", "ffi._PyClassRegisterTypeAttrColumns", "ffi.GetKwargsObject"];
    needed.into_iter().try_fold(true, |has, name| Ok(has && globals::find(t, name)?.is_some()))
}

/// A type with these fields of its own, for which nothing is generated yet.
fn declare(t: &Trial, key: &str, parent: i32, fields: &[(&'static [u8], i32, i64, i64)]) -> Verdict<i32> {
    t.serve_callbacks();
    let index = types::new_child(t, key, parent)?;
    for &(name, type_index, offset, size) in fields {
        let getter = t.call_global("ffi.MakeFieldGetter", &[view::int(type_index.into())])?.any().payload();
        let args = [view::int(type_index.into()), view::int(0), view::int(convert as *const () as i64)];
        // The field keeps it for the life of the process.
        let setter = t.call_global("ffi.MakeFieldSetter", &args)?.into_any();
        // The last ones may be left out.
        let (has_default, default) = match type_index {
            kTVMFFIBool => (kTVMFFIFieldFlagBitMaskHasDefault, view::bool(true)),
            kTVMFFIDataType => (kTVMFFIFieldFlagBitMaskHasDefault, TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002)),
            kTVMFFIDevice => (kTVMFFIFieldFlagBitMaskHasDefault, TVMFFIAny::new(kTVMFFIDevice, 1)),
            _ => (0, TVMFFIAny::NONE),
        };
        let info = TVMFFIFieldInfo {
            flags: kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskWritable | has_default,
            // SAFETY: the target says that it is a getter; the process exists for this check.
            getter: Some(unsafe { std::mem::transmute::<*const c_void, TVMFFIFieldGetter>(getter as *const c_void) }),
            setter: setter.payload() as *mut c_void,
            default_value_or_factory: default,
            ..types::field(name, type_index, size, offset)
        };
        t.ok(t.api.TVMFFITypeRegisterField(index, &info))?;
    }
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &types::metadata(SIZE as i32)))?;
    Ok(index)
}

/// Has the target generate what a class needs.
fn generate(t: &Trial, index: i32) -> Verdict {
    let args = [view::int(index.into()), view::int(SIZE)];
    t.call_global("ffi._PyClassRegisterTypeAttrColumns", &args).map(drop)
}

/// What makes so many instances of a class, each of which holds the next, where the target generates what classes need.
pub(super) fn nested(t: &Trial) -> Verdict<Option<impl Fn(usize) -> Verdict<Owned>>> {
    if !has_classes(t)? {
        return Ok(None);
    }
    let class = declare(t, "verify.short.a class that holds another", kTVMFFIObject, &FIELDS[2..3])?;
    generate(t, class)?;
    let init = types::function_in(t, "__ffi_init__", class)?;
    let innermost = t.call(&init, &[TVMFFIAny::NONE])?;
    Ok(Some(move |levels| {
        (0..levels).try_fold(reflected::share(t, innermost.any())?, |inner, _| t.call(&init, &[inner.any()]))
    }))
}

/// Instances of a class, whose first fields are inherited.
pub(super) fn instances(t: &Trial, shortage: Shortage) -> Verdict {
    if !has_classes(t)? {
        return Ok(());
    }
    let parent = declare(t, "verify.short.a parent of classes", kTVMFFIObject, &FIELDS[..2])?;
    generate(t, parent)?;
    let class = declare(t, "verify.short.a class with a long name", parent, &FIELDS[2..])?;
    generate(t, class)?;
    let [new, init, copy] = ["__ffi_new__", "__ffi_init__", "__ffi_shallow_copy__"];
    let function = |column: &str| types::function_in(t, column, class);
    let positional = || -> Verdict<Vec<Owned>> {
        let text = t.string(LONG.to_bytes())?;
        let list = t.call_global("ffi.List", &[text.any(), view::int(4)])?;
        Ok(vec![t.own(view::int(7)), t.own(view::float(0.5)), text, list])
    };
    let named = || -> Verdict<Vec<Owned>> {
        let mut args = positional()?;
        args.insert(2, t.call_global("ffi.GetKwargsObject", &[])?);
        args.insert(3, t.own(view::c_str(c"value of any kind")));
        args.insert(5, t.own(view::c_str(c"object of any type")));
        args.extend([t.string(b"whether it is so")?, t.own(view::bool(false))]);
        Ok(args)
    };
    let instance =
        || -> Verdict<Owned> { t.call(&function(init)?, &positional()?.iter().map(Owned::any).collect::<Vec<_>>()) };
    FunctionCall::new(new, &|| Ok(vec![])).meets_in(t, shortage, &function(new)?)?;
    for args in [&positional as &dyn Fn() -> Verdict<Vec<Owned>>, &named] {
        FunctionCall::new(init, args).meets_in(t, shortage, &function(init)?)?;
        // The last value is missing, or one that no parameter takes.
        let too_few = || {
            let mut args = args()?;
            args.truncate(args.len() - 1);
            Ok(args)
        };
        FunctionCall::failing(init, &too_few).meets_in(t, shortage, &function(init)?)?;
        let wrong = || {
            let mut args = args()?;
            args[0] = t.string(LONG.to_bytes())?;
            Ok(args)
        };
        FunctionCall::failing(init, &wrong).meets_in(t, shortage, &function(init)?)?;
    }
    FunctionCall::new(copy, &|| Ok(vec![instance()?])).meets_in(t, shortage, &function(copy)?)?;
    let packed = || -> Verdict<Vec<Owned>> {
        let mut args = vec![t.string(b"verify.short.a class with a long name")?];
        for ((name, ..), value) in FIELDS.iter().zip(positional()?) {
            args.extend([t.string(name)?, value]);
        }
        Ok(args)
    };
    FunctionCall::new("ffi.MakeObjectFromPackedArgs", &packed).meets(t, shortage)?;
    let beyond = || -> Verdict<Vec<Owned>> {
        let mut args = packed()?;
        args.extend([t.string(b"a name that no field has")?, t.own(view::int(1))]);
        Ok(args)
    };
    FunctionCall::failing("ffi.MakeObjectFromPackedArgs", &beyond).meets(t, shortage)?;
    // Texts that are data types and devices, or none.
    for (field, text) in [
        (c"its data type", c"float8_e4m3fnx4"),
        (c"its data type", c"no data type at all"),
        (c"its device", c"cuda:3"),
        (c"its device", c"cuda:many"),
        (c"its device", c"no device"),
    ] {
        let args = || -> Verdict<Vec<Owned>> {
            let mut args = named()?;
            args.extend([field, text].map(|text| t.own(view::c_str(text))));
            Ok(args)
        };
        FunctionCall::new(init, &args).meets_in(t, shortage, &function(init)?)?;
        FunctionCall::failing(init, &args).meets_in(t, shortage, &function(init)?)?;
    }
    wrong_graphs(t, shortage)?;
    // Deep enough for what a walk keeps to grow, with one object in two places.
    let deep = || -> Verdict<Owned> {
        let shared = instance()?;
        let mut outer = t.call_global("ffi.Array", &[shared.any(), shared.any()])?;
        for _ in 0..6 {
            let inner = t.call(&function(init)?, &[view::int(1), view::float(2.5), outer.any(), shared.any()])?;
            outer = t.call_global("ffi.Array", &[inner.any()])?;
        }
        Ok(outer)
    };
    both_ways(t, shortage, &deep)?;
    through(t, shortage, &[], &deep)
}

/// Graphs of an instance, in which one field after the other has data of another kind.
fn wrong_graphs(t: &Trial, shortage: Shortage) -> Verdict {
    const DATA: [&str; 7] = [
        r#""number of something": 1"#,
        r#""ratio of something": 2.5"#,
        r#""value of any kind": 1"#,
        r#""object of any type": 1"#,
        r#""whether it is so": true"#,
        r#""its data type": "float32x2""#,
        r#""its device": 2"#,
    ];
    for (place, wrong) in
        (0..DATA.len()).flat_map(|place| [r#""a text that is long""#, "2.5", "[0]", "7"].map(|wrong| (place, wrong)))
    {
        let data = DATA.iter().enumerate().map(|(at, field)| match field.split_once(':') {
            Some((name, _)) if at == place => format!("{name}: {wrong}"),
            _ => (*field).to_owned(),
        });
        let data = data.collect::<Vec<_>>().join(", ");
        let graph = format!(
            r#"{{"root_index": 0, "nodes": [{{"type": "verify.short.a class with a long name", "data": {{{data}}}}}, {{"type": "None"}}, {{"type": "ffi.Device", "data": [1, 0]}}]}}"#
        );
        let args = || Ok(vec![t.string(graph.as_bytes())?]);
        FunctionCall::new("ffi.FromJSONGraphString", &args).meets(t, shortage)?;
        FunctionCall::failing("ffi.FromJSONGraphString", &args).meets(t, shortage)?;
    }
    Ok(())
}

/// The functions that go through one value or two, and write and read it.
fn both_ways(t: &Trial, shortage: Shortage, value: &dyn Fn() -> Verdict<Owned>) -> Verdict {
    for (name, count, flags) in [
        ("ffi.RecursiveEq", 2, 0),
        ("ffi.RecursiveLt", 2, 0),
        ("ffi.RecursiveHash", 1, 0),
        ("ffi.StructuralEqual", 2, 2),
        ("ffi.GetFirstStructuralMismatch", 2, 2),
        ("ffi.StructuralHash", 1, 2),
        ("ffi.DeepCopy", 1, 0),
        ("ffi.ReprPrint", 1, 0),
    ] {
        let args = || -> Verdict<Vec<Owned>> {
            let values = (0..count).map(|_| value()).collect::<Verdict<Vec<_>>>()?;
            Ok(values.into_iter().chain((0..flags).map(|_| t.own(view::bool(false)))).collect())
        };
        FunctionCall::new(name, &args).meets(t, shortage)?;
    }
    graphs(t, shortage, value)
}

/// What is generated for a type, a new one each time.
pub(super) fn declarations(t: &Trial, shortage: Shortage) -> Verdict {
    if !has_classes(t)? {
        return Ok(());
    }
    for kind in [kTVMFFIInt, kTVMFFIAny, kTVMFFIObject] {
        let getter = || Ok(vec![t.own(view::int(kind.into()))]);
        FunctionCall::new("ffi.MakeFieldGetter", &getter).meets(t, shortage)?;
        let setter = || Ok([kind.into(), 0, convert as *const () as i64].map(|word| t.own(view::int(word))).into());
        FunctionCall::new("ffi.MakeFieldSetter", &setter).meets(t, shortage)?;
    }
    let number = Cell::new(0);
    for (name, has_size) in [("ffi._PyClassRegisterTypeAttrColumns", true), ("ffi._RegisterFFIInit", false)] {
        let Some(function) = globals::find(t, name)? else { continue };
        Call {
            name,
            prepare: &|| {
                number.set(number.get() + 1);
                declare(t, &format!("verify.short.Declared{}", number.get()), kTVMFFIObject, &FIELDS)
            },
            run: &|index, out| {
                let args = [view::int((*index).into()), view::int(SIZE)];
                t.try_call(&function, &args[..1 + usize::from(has_size)], out)
            },
            look: &|index, done| {
                let init = reflected::entry(t, reflected::column(t, "__ffi_init__"), *index)?;
                let is_there = init.type_index == kTVMFFIFunction;
                t.eq(format_args!("whether the type has an initialiser after {name}"), is_there, done.is_some())
            },
            is_left: &|_| false,
            raises: true,
            lasts: true,
        }
        .meets(t, shortage)?;
    }
    Ok(())
}

/// The place of a field of any value, which ends what it holds.
struct Place(Cell<TVMFFIAny>);

impl Drop for Place {
    fn drop(&mut self) {
        release(&self.0.get());
    }
}

/// A setter that is made for fields of any value.
pub(super) fn generated_setter(t: &Trial, shortage: Shortage) -> Verdict {
    let Some(make) = globals::find(t, "ffi.MakeFieldSetter")? else { return Ok(()) };
    t.serve_callbacks();
    let setter = t.call(&make, &[kTVMFFIAny.into(), 0, convert as *const () as i64].map(view::int))?;
    let (held, new) = (t.string(b"a text that the field holds, which others hold, too")?, view::c_str(LONG));
    Call {
        name: "a setter of ffi.MakeFieldSetter",
        prepare: &|| Ok(Box::new(Place(Cell::new(retain(&held.any()))))),
        run: &|place, out| t.try_call(&setter, &[view::pointer(place.0.as_ptr().cast()), new], out),
        look: &|place, done| match done {
            Some(_) => t.eq("the text that the field is set to", t.text(&place.0.get())?, LONG.to_bytes().to_vec()),
            None => {
                t.any_eq("what the field holds", &place.0.get(), &held.any())?;
                counts_stay(t, shortage, "what the field holds", &held, (2, 1))
            }
        },
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}

/// Instances of enumerations.
pub(super) fn enumerations(t: &Trial, shortage: Shortage) -> Verdict {
    if !has_classes(t)? {
        return Ok(());
    }
    for parent in ["ffi.IntEnum", "ffi.StrEnum"] {
        if types::find(t, parent).is_none() {
            continue;
        }
        let color = Enumeration::declare(t, &format!("verify.short.a colour below {parent}"), parent, true)?;
        let value = || t.call_global("ffi.List", &[color.red.any(), color.green.any(), color.red.any()]);
        both_ways(t, shortage, &value)?;
    }
    Ok(())
}
