//! One value that is registered in many places: each has it, and holds it for itself.

use std::sync::atomic::Ordering;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    RELEASED, add_field, add_method, answers_seven, counted_function, field, field_with_default, kept_alive, method,
    method_named, set_attribute, try_set_attribute,
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{keep_self, return_none},
        globals,
        homemade::Homemade,
        reflected::{self, attribute},
        types, view,
    },
    trial::Trial,
};

/// The orders in which types register: grandparent, parent, child, sibling of the child, grandchild, and two that are built in.
const ORDERS: [[usize; 7]; 4] =
    [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0], [2, 5, 0, 4, 1, 6, 3], [5, 1, 3, 6, 4, 0, 2]];

/// The very same value is the attribute of each type for which it is registered, under one name and under several, be the others its ancestors, its
/// descendants, its siblings or built in, and in whatever order they register.
#[check(RFL_0021, RFL_0027)]
fn attribute_that_others_have(t: &Trial) -> Verdict {
    let long = t.string(b"a text that is not short")?;
    let array = t.call_global("ffi.Array", &[view::int(1)])?;
    let (short, object) = (t.string(b"short")?, Homemade::new(kTVMFFIObject, ()));
    for (round, order) in ORDERS.iter().enumerate() {
        let grandparent = types::new(t, &format!("verify.shared{round}.Grandparent"));
        let child_of = |key: &str, parent: i32| types::new_child(t, &format!("verify.shared{round}.{key}"), parent);
        let parent = child_of("Parent", grandparent)?;
        let (child, sibling) = (child_of("Child", parent)?, child_of("Sibling", parent)?);
        let grandchild = child_of("Grandchild", child)?;
        let all = [grandparent, parent, child, sibling, grandchild, kTVMFFIObject, kTVMFFIArray];
        let function = counted_function(t)?;
        let values = [
            ("a function", function.any()),
            ("an Array", array.any()),
            ("a String", long.any()),
            ("a short String", short.any()),
            ("an object", object.view()),
            ("an integer", view::int(7)),
        ];
        t.clause(id::RFL_0021);
        let mut had = Vec::new();
        for (number, (kind, value)) in values.iter().enumerate() {
            for column in ["one", "another"] {
                let name = format!("verify.shared{round}.{number}.{column}");
                let mut given = Vec::new();
                for &at in order {
                    let index = all[at];
                    // Whether built-in types take attributes is for other clauses to say.
                    match try_set_attribute(t, index, &name, value) {
                        0 => given.push(index),
                        code if index > kTVMFFIDynObjectBegin - 1 => t.ok(code)?,
                        code => drop(t.raises(code, &[])?),
                    }
                    for &of in &given {
                        let what = format_args!("the entry of type {of}, which is {kind} as those of {given:?},");
                        t.any_eq(what, &attribute(t, &name, of)?, value)?;
                    }
                }
                if number == 0 {
                    had.extend(given.into_iter().map(|index| (name.clone(), index)));
                }
            }
        }
        t.clause(id::RFL_0027);
        kept_alive(t, "the attribute of many types", function)?;
        for (name, index) in had {
            answers_seven(t, &format!("{name} of type {index}"), attribute(t, &name, index)?)?;
        }
    }
    Ok(())
}

/// A value that has the payload of a type's attribute and another type, or its type and payload and another length, is refused as that attribute, and
/// the first stays.
#[check(RFL_0026)]
fn attribute_is_not_replaced_by_the_like(t: &Trial) -> Verdict {
    t.short_backtraces();
    let index = types::new(t, "verify.alike.Point");
    // Errors are made each time, so not of the large groups.
    let groups = t.alike_in_payload()?.into_iter().filter(|group| group.len() <= 16);
    for (number, group) in groups.enumerate() {
        let values: Vec<_> = group.iter().filter(|sample| sample.any().type_index != kTVMFFINone).collect();
        for (at, first) in values.iter().enumerate() {
            let second = values[(at + 1) % values.len()];
            let name = format!("verify.alike{number}.{at}");
            set_attribute(t, index, &name, &first.any())?;
            t.raises(try_set_attribute(t, index, &name, &second.any()), &[])?;
            let what = format_args!("the entry that is {}, when {} was refused", first.name, second.name);
            t.is_sample(what, &attribute(t, &name, index)?, first)?;
        }
    }
    Ok(())
}

/// What holds a function for good: how it is put there, and how it is found.
struct Lasting {
    what: &'static str,
    clause: &'static str,
    put: fn(&Trial, i32, &str, TVMFFIAny) -> Verdict,
    find: fn(&Trial, i32, &str) -> Verdict<TVMFFIAny>,
}

fn default_of(t: &Trial, index: i32, name: &str) -> Verdict<TVMFFIAny> {
    Ok(reflected::field(t, index, name)?.default_value_or_factory)
}

static LASTING: [Lasting; 4] = [
    Lasting {
        what: "a method",
        clause: id::RFL_0015,
        put: |t, index, name, function| {
            add_method(t, index, &TVMFFIMethodInfo { method: function, ..method(name.as_bytes()) })
        },
        find: |t, index, name| Ok(method_named(t, index, name.as_bytes())?.method),
    },
    Lasting {
        what: "an attribute",
        clause: id::RFL_0027,
        put: |t, index, name, function| set_attribute(t, index, name, &function),
        find: |t, index, name| attribute(t, name, index),
    },
    Lasting {
        what: "a default",
        clause: id::RFL_0005,
        put: |t, index, name, function| add_field(t, index, &field_with_default(name.as_bytes(), function)),
        find: default_of,
    },
    Lasting {
        what: "a default factory",
        clause: id::RFL_0005,
        put: |t, index, name, function| {
            let plain = field_with_default(name.as_bytes(), function);
            let flags = plain.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
            add_field(t, index, &TVMFFIFieldInfo { flags, ..plain })
        },
        find: default_of,
    },
];

static SETTER: Lasting = Lasting {
    what: "a setter",
    clause: id::RFL_0012,
    put: |t, index, name, function| {
        let plain = field(name.as_bytes());
        let (flags, setter) = (plain.flags | kTVMFFIFieldFlagBitSetterIsFunctionObj, function.payload() as *mut _);
        add_field(t, index, &TVMFFIFieldInfo { flags, setter, ..plain })
    },
    find: |t, index, name| {
        let setter = reflected::field(t, index, name)?.setter;
        Ok(TVMFFIAny::new(kTVMFFIFunction, setter as u64))
    },
};

/// What gives a function up again: how it is put there, which answers what has to be kept meanwhile, and how it is given up.
struct Passing {
    what: &'static str,
    put: fn(&Trial, &str, &Owned) -> Verdict<Option<Owned>>,
    give_up: fn(&Trial, &str, Option<Owned>) -> Verdict,
}

fn register(t: &Trial, name: &str, function: &Owned) -> Verdict {
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), function.handle(), 1))
}

fn in_the_table(t: &Trial, name: &str, function: &Owned) -> Verdict<Option<Owned>> {
    register(t, name, function).map(|()| None)
}

fn contained(t: &Trial, kind: &str, args: &[TVMFFIAny]) -> Verdict<Option<Owned>> {
    globals::find(t, kind)?.map(|make| t.call(&make, args)).transpose()
}

fn drop_it(_: &Trial, _: &str, held: Option<Owned>) -> Verdict {
    drop(held);
    Ok(())
}

static PASSING: [Passing; 7] = [
    Passing {
        what: "a global function that is removed",
        put: in_the_table,
        give_up: |t, name, _| {
            let name = t.string(name.as_bytes())?;
            t.call_global("ffi.FunctionRemoveGlobal", &[name.any()]).map(drop)
        },
    },
    Passing {
        what: "a global function that is replaced",
        put: in_the_table,
        give_up: |t, name, _| {
            // It ends with the process, and so it is not one of those that are counted.
            let other = t.function(std::ptr::null_mut(), return_none, None)?;
            register(t, name, &other)
        },
    },
    Passing {
        what: "a global function with a record that is removed",
        put: |t, name, function| {
            let info = types::method_info(TVMFFIByteArray::new(name.as_bytes()), function.any());
            t.ok(t.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1)).map(|()| None)
        },
        give_up: |t, name, _| {
            let name = t.string(name.as_bytes())?;
            t.call_global("ffi.FunctionRemoveGlobal", &[name.any()]).map(drop)
        },
    },
    Passing {
        what: "an element of an Array",
        put: |t, _, function| contained(t, "ffi.Array", &[function.any()]),
        give_up: drop_it,
    },
    Passing {
        what: "a value of a Map",
        put: |t, _, function| contained(t, "ffi.Map", &[view::int(1), function.any()]),
        give_up: drop_it,
    },
    Passing {
        what: "an element of a List",
        put: |t, _, function| contained(t, "ffi.List", &[function.any()]),
        give_up: |t, _, held| held.map_or(Ok(()), |list| t.call_void("ffi.ListClear", &[list.any()])),
    },
    Passing {
        what: "a reference of the client's",
        put: |t, _, function| reflected::share(t, function.any()).map(Some),
        give_up: drop_it,
    },
];

/// A function that is a method, an attribute, a default or a default factory is held by that, also where it is a global function or lies in a container,
/// and whichever of them it was first: when the other has given it up, it is there and can be called.
#[check(RFL_0015, RFL_0027, RFL_0005)]
fn held_beside_what_gives_it_up(t: &Trial) -> Verdict {
    let kinds = types::of_each_kind(t, "verify.Holding")?;
    LASTING.iter().try_for_each(|lasting| outlives_the_passing(t, &kinds, lasting))
}

/// A function that is the setter of a field is held by the field, also where it is a global function or lies in a container, and whichever of them it
/// was first: when the other has given it up, it is there and can be called.
#[check(RFL_0012)]
fn setter_held_beside_what_gives_it_up(t: &Trial) -> Verdict {
    outlives_the_passing(t, &types::of_each_kind(t, "verify.Holding")?, &SETTER)
}

/// Whether what gives the function up takes no more references than it has made: where it does, other clauses are broken.
fn is_even(t: &Trial, passing: &Passing) -> Verdict<bool> {
    let function = t.function(std::ptr::null_mut(), return_none, Some(keep_self))?;
    // One reference more, so that the function lives through either.
    reflected::share(t, function.any())?.into_any();
    let before = t.counts(function.handle())?.0;
    let held = (passing.put)(t, "verify.held.alone", &function)?;
    (passing.give_up)(t, "verify.held.alone", held)?;
    let after = t.counts(function.handle())?.0;
    function.into_any();
    Ok(after >= before)
}

fn outlives_the_passing(t: &Trial, kinds: &[(&str, i32)], lasting: &Lasting) -> Verdict {
    let mut passings = Vec::new();
    for passing in &PASSING {
        if is_even(t, passing)? {
            passings.push(passing);
        }
    }
    t.clause(lasting.clause);
    for &(kind, index) in kinds {
        for (place, passing) in passings.iter().enumerate() {
            for is_first in [true, false] {
                let name = format!("verify.held.{}.{index}.{place}.{is_first}", lasting.what);
                let function = counted_function(t)?;
                if is_first {
                    (lasting.put)(t, index, &name, function.any())?;
                }
                let held = (passing.put)(t, &name, &function)?;
                if !is_first {
                    (lasting.put)(t, index, &name, function.any())?;
                }
                let order = if is_first { "before" } else { "after" };
                let what = format!("{} of {kind} that it became {order} it was {}", lasting.what, passing.what);
                kept_alive(t, &what, function)?;
                (passing.give_up)(t, &name, held)?;
                let released = RELEASED.load(Ordering::Relaxed);
                t.eq(format_args!("times that {what} came to its end when that was given up"), released, 0)?;
                answers_seven(t, &what, (lasting.find)(t, index, &name)?)?;
            }
        }
    }
    Ok(())
}
