//! Access paths, and the fields of the library's own types.

use std::ffi::c_int;

use tvm_ffi_spec::{abi, *};

use super::{
    function_call::FunctionCall,
    kit::{Call, LONG, PASSING, Shortage},
    records::generated_setter,
    values::graphs,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, reflected, set_failed, types, view},
    trial::Trial,
};

/// An access path is made, compared and taken apart, or the call fails and leaves the paths as they are, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn makes_access_paths(t: &Trial) -> Verdict {
    paths(t, PASSING)
}

/// A field holds the value that it is set to, or what it held where that fails, where memory is refused: one of the library's types, and one whose setter the
/// library has made.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn sets_fields(t: &Trial) -> Verdict {
    fields(t, PASSING)
}

/// A value is converted to a type of the library's, or the call fails and leaves it as it is, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn converts_values(t: &Trial) -> Verdict {
    conversions(t, PASSING)
}

const PATH: &str = "ffi.reflection.AccessPath";
const STEP: &str = "ffi.reflection.AccessStep";

/// The methods of paths, and what else takes them.
pub(super) fn paths(t: &Trial, shortage: Shortage) -> Verdict {
    let Some(index) = types::find(t, PATH) else { return Ok(()) };
    let method = |name: &str| -> Verdict<Owned> {
        let method = reflected::method(t, index, name)?;
        reflected::share(t, method.method)
    };
    let long = view::c_str(LONG);
    let extensions = [
        ("_attr", long),
        ("_array_item", view::int(1)),
        ("_map_item", long),
        ("_attr_missing", long),
        ("_array_item_missing", view::int(2)),
        ("_map_item_missing", long),
    ];
    let path = |skipped: usize| -> Verdict<Owned> {
        let mut path = t.call(&method("_root")?, &[])?;
        for (name, key) in extensions.iter().skip(skipped) {
            path = t.call(&method(name)?, &[path.any(), *key])?;
        }
        Ok(path)
    };
    // A method that an older target lacks is left out.
    let meets = |name: &str, args: &dyn Fn() -> Verdict<Vec<Owned>>| match method(name) {
        Ok(function) => FunctionCall::new(name, args).meets_in(t, shortage, &function),
        Err(_) => {
            set_failed(false);
            Ok(())
        }
    };
    meets("_root", &|| Ok(vec![]))?;
    for (name, key) in extensions {
        meets(name, &|| Ok(vec![path(0)?, t.own(key)]))?;
    }
    // As many steps as no list is made for at first.
    let deep = |last: i64| -> Verdict<Owned> {
        let item = method("_array_item")?;
        (0..140).chain([last]).try_fold(path(0)?, |path, step| t.call(&item, &[path.any(), view::int(step)]))
    };
    meets("_to_steps", &|| Ok(vec![deep(1)?]))?;
    for name in ["_path_equal", "_is_prefix_of"] {
        meets(name, &|| Ok(vec![deep(1)?, deep(1)?]))?;
    }
    for skipped in [0, 1] {
        for name in ["_path_equal", "_is_prefix_of"] {
            meets(name, &|| Ok(vec![path(0)?, path(skipped)?]))?;
        }
        for name in ["ffi.RecursiveEq", "ffi.StructuralKey", "ffi.RecursiveLt"] {
            let args = || Ok(if name == "ffi.StructuralKey" { vec![path(0)?] } else { vec![path(0)?, path(skipped)?] });
            FunctionCall::new(name, &args).meets(t, shortage)?;
        }
    }
    meets("_to_steps", &|| Ok(vec![path(0)?]))?;
    for name in ["ffi.ReprPrint", "ffi.DeepCopy", "ffi.RecursiveHash"] {
        FunctionCall::new(name, &|| Ok(vec![path(0)?])).meets(t, shortage)?;
    }
    graphs(t, shortage, &|| path(0))?;
    let step = |kind: TVMFFIAny| {
        let name = |name: &str| t.string(name.as_bytes());
        move || Ok(vec![name(STEP)?, name("kind")?, t.own(kind), name("key")?, name("a key that is long")?])
    };
    FunctionCall::new("ffi.MakeObjectFromPackedArgs", &step(view::int(2))).meets(t, shortage)?;
    FunctionCall::failing("ffi.MakeObjectFromPackedArgs", &step(view::c_str(LONG))).meets(t, shortage)
}

/// Values for fields and conversions: some of them fit, others have to be converted, and the rest is refused.
fn values(t: &Trial) -> Verdict<Vec<Owned>> {
    let (int, long) = (view::int, view::c_str(LONG));
    let text = t.string(b"a key that is too long to lie in a value")?;
    let inner = t.call_global("ffi.Map", &[text.any(), int(1)])?;
    let objects = t.call_global("ffi.Map", &[inner.any(), int(1)])?;
    let mut values =
        vec![t.own(int(3)), t.own(view::float(0.5)), t.own(TVMFFIAny::NONE), t.own(long), t.bytes(LONG.to_bytes())?];
    for (make, items) in [
        ("ffi.Array", &[inner.any(), inner.any()][..]),
        ("ffi.List", &[inner.any(), int(2)]),
        ("ffi.List", &[int(2), int(3)]),
        ("ffi.Map", &[text.any(), inner.any()]),
        ("ffi.Dict", &[text.any(), inner.any()]),
        ("ffi.Dict", &[int(1), long]),
        ("ffi.Map", &[text.any(), inner.any(), long, int(3)]),
        ("ffi.Map", &[text.any(), objects.any(), long, objects.any()]),
        ("ffi.Array", &[objects.any(), int(3)]),
    ] {
        if let Some(make) = globals::find(t, make)? {
            values.push(t.call(&make, items)?);
        }
    }
    values.push(t.new_error("ValueError", "an error", "")?);
    Ok(values)
}

/// The fields of all types that the target makes instances of.
pub(super) fn fields(t: &Trial, shortage: Shortage) -> Verdict {
    let creatable = abi::abi().types.iter().filter(|ty| ty.metadata.as_ref().is_some_and(|metadata| metadata.creator));
    let values = values(t)?;
    for (ty, index) in creatable.filter_map(|ty| Some((ty, types::find(t, &ty.key)?))) {
        for field in reflected::fields(t, index)? {
            if field.getter.is_none() || field.setter.is_null() {
                continue;
            }
            let name = format!("the setter of {}.{}", ty.key, reflected::text(t, "name of a field", field.name)?);
            let set = |instance: &Owned, value: &Owned| {
                reflected::set(t, instance.handle(), &field, &value.any()).unwrap_or(-1)
            };
            let held = |instance: &Owned| -> Verdict<String> {
                Ok(t.outline(&reflected::get(t, instance.handle(), &field)?.any(), &[])?.text)
            };
            for value in &values {
                let instance = reflected::create(t, index)?;
                let before = held(&instance)?;
                let is_taken = set(&instance, value) == 0;
                t.api.release_raised();
                let after = held(&instance)?;
                Call {
                    name: &name,
                    prepare: &|| reflected::create(t, index),
                    // What refuses a value raises an error for that, or another.
                    run: &|instance, _| c_int::from((set(instance, value) == 0) != is_taken),
                    look: &|instance, done| {
                        if done.is_some() && !is_taken {
                            let raised = t.take_raised().is_some();
                            t.that(format_args!("the error that {name} raises"), raised, "an Error", "none")?;
                        }
                        let expected = if done.is_some() { &after } else { &before };
                        t.eq(format_args!("what the field holds after {name}"), &held(instance)?, expected)
                    },
                    is_left: &|_| false,
                    raises: true,
                    lasts: false,
                }
                .meets(t, shortage)?;
            }
        }
    }
    generated_setter(t, shortage)
}

/// The functions that convert values.
pub(super) fn conversions(t: &Trial, shortage: Shortage) -> Verdict {
    let values = values(t)?;
    for ty in &abi::abi().types {
        let column = reflected::column(t, "__ffi_convert__");
        let Some(index) = types::find(t, &ty.key).filter(|_| !column.is_null()) else { continue };
        let convert = reflected::entry(t, column, index)?;
        if convert.type_index != kTVMFFIFunction {
            continue;
        }
        let convert = reflected::share(t, convert)?;
        for value in &values {
            let args = || {
                Ok(vec![if value.handle().is_null() { t.own(value.any()) } else { reflected::share(t, value.any())? }])
            };
            let name = format!("__ffi_convert__ of {}", ty.key);
            FunctionCall::new(&name, &args).meets_in(t, shortage, &convert)?;
            FunctionCall::failing(&name, &args).meets_in(t, shortage, &convert)?;
        }
    }
    Ok(())
}
