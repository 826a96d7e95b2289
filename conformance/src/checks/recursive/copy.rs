//! Deep copies.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicPtr, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict, callback,
        homemade::Homemade,
        model::{self, Value},
        node::{changing_node_type, copy_of, fields_of, get_any, node, set_any, set_first, set_kind},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// `ffi.DeepCopy` answers a scalar or text as it is.
#[check(REC_0014)]
fn copy_scalars(t: &Trial) -> Verdict {
    [Value::None, Value::Bool(true), Value::Int(-3), Value::float(0.5), Value::str("s"), Value::Bytes(b"b".to_vec())]
        .iter()
        .try_for_each(|value| copies(t, value))
}

/// `ffi.DeepCopy` answers a String, Bytes or a Shape on the heap as the very object, by itself and within a container.
#[check(REC_0014)]
fn copy_shares_what_cannot_change(t: &Trial) -> Verdict {
    let all = [
        t.string(b"a string on the heap")?,
        t.bytes(b"bytes on the heap")?,
        t.call_global("ffi.Shape", &[view::int(1), view::int(2)])?,
        t.call_global("ffi.Shape", &[])?,
    ];
    for original in &all {
        for place in Place::all(t)? {
            let copy = deep_copy(t, &place.put(t, &original.any())?.any())?;
            let what = format!("the copy of an object of type {}, {place:?}", original.any().type_index);
            t.any_eq(what, &place.look(t, &copy.any())?, &original.any())?;
        }
    }
    Ok(())
}

/// `ffi.DeepCopy` of a container has copies of its elements in the same order.
#[check(REC_0015)]
fn copy_containers(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1), Value::str("a string on the heap")]);
    copies(t, &Value::Array(vec![list.clone(), Value::None]))?;
    copies(t, &Value::Map(vec![(Value::str("b"), list.clone()), (Value::str("a"), Value::Int(1))]))?;
    copies(t, &Value::Dict((0..9).map(|n| (Value::Int(n), list.clone())).collect()))
}

/// A deep copy keeps a value of every form at every place.
#[check(REC_0014, REC_0015)]
fn copy_of_every_form(t: &Trial) -> Verdict {
    for sample in t.samples()?.iter().filter(|sample| sample.is_data()) {
        for place in Place::all(t)? {
            t.clause(if place == Place::Alone { id::REC_0014 } else { id::REC_0015 });
            let copy = deep_copy(t, &place.put(t, &sample.any())?.any())?;
            t.is_sample(format!("the copy of {}, {place:?}", sample.name), &place.look(t, &copy.any())?, sample)?;
        }
    }
    Ok(())
}

/// The deep copy of a random value reads as the same value.
#[check(REC_0015)]
fn any_copy(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| copies(t, value))
}

fn copies(t: &Trial, value: &Value) -> Verdict {
    let copy = deep_copy(t, &value.build(t)?.any())?;
    t.eq("the copy", &Value::read(t, &copy.any())?, value)
}

/// `ffi.DeepCopy` shares no List with the original, so a change to the copy leaves the original alone.
#[check(REC_0016)]
fn copy_is_apart(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1)]).build(t)?;
    let outer = t.call_global("ffi.Array", &[list.any()])?;
    let copy = deep_copy(t, &outer.any())?;
    let inner = t.call_global("ffi.ArrayGetItem", &[copy.any(), view::int(0)])?;
    t.ne("the inner list of the copy", inner.handle(), list.handle())?;
    t.call_global("ffi.ListAppend", &[inner.any(), view::int(2)])?;
    t.eq("the original", Value::read(t, &list.any())?, Value::List(vec![Value::Int(1)]))
}

/// `ffi.DeepCopy` shares no List and no Dict with the original wherever they stand, in whatever is copied.
#[check(REC_0016)]
fn copy_is_apart_everywhere(t: &Trial) -> Verdict {
    for make in ["ffi.List", "ffi.Dict"] {
        for others in [0, 9] {
            for outer in Place::all(t)? {
                for inner in Place::all(t)? {
                    let mutable = t.call_global(make, &[])?;
                    let holder = inner.put_before(t, &mutable.any(), others)?;
                    let value = outer.put_before(t, &holder.any(), others)?;
                    let copy = deep_copy(t, &value.any())?;
                    let found = inner.look(t, &outer.look(t, &copy.any())?)?;
                    let what = format!("the {make} of the copy, {inner:?}, {outer:?}, before {others}");
                    t.ne(what, found.payload(), mutable.any().payload())?;
                }
            }
        }
    }
    Ok(())
}

/// `ffi.DeepCopy` of what is given away shares no List and no Dict with what others hold of it.
#[check(REC_0016)]
fn copy_of_what_is_given_away_is_apart(t: &Trial) -> Verdict {
    for make in ["ffi.List", "ffi.Dict"] {
        for place in Place::all(t)? {
            let mutable = t.call_global(make, &[])?;
            let whole = place.put(t, &mutable.any())?;
            let copy = t.call_giving("ffi.DeepCopy", whole, &[])?;
            let found = place.look(t, &copy.any())?;
            t.ne(format_args!("the {make} of the copy, {place:?}"), found.payload(), mutable.any().payload())?;
        }
    }
    Ok(())
}

/// `ffi.DeepCopy` shares no List and no Dict with the original that stand in a field, alone or in whatever else, of an object that can be copied.
#[check(REC_0016)]
fn copy_is_apart_in_fields(t: &Trial) -> Verdict {
    apart_in_fields(t, changing_node_type(t, "verify.copy.Set", kTVMFFISEqHashKindTreeNode, [0; 2])?)
}

/// `ffi.DeepCopy` shares no List and no Dict with the original that stand in a field which a function object sets.
#[check(REC_0016, DCL_0014)]
fn copy_is_apart_where_functions_set(t: &Trial) -> Verdict {
    let flags = [kTVMFFIFieldFlagBitSetterIsFunctionObj; 2];
    apart_in_fields(t, changing_node_type(t, "verify.copy.SetByFunction", kTVMFFISEqHashKindTreeNode, flags)?)
}

/// Expects what can be changed in either field of an object to be another in its copy, wherever the object stands.
fn apart_in_fields(t: &Trial, kind: i32) -> Verdict {
    for (make, in_first) in ["ffi.List", "ffi.Dict"].into_iter().flat_map(|make| [(make, true), (make, false)]) {
        for outer in Place::all(t)? {
            for inner in Place::all(t)? {
                let mutable = t.call_global(make, &[])?;
                let holder = inner.put(t, &mutable.any())?;
                let one = view::int(1);
                let object = if in_first { node(kind, holder.any(), one) } else { node(kind, one, holder.any()) };
                let copy = deep_copy(t, &outer.put(t, &object.view())?.any())?;
                let copied = outer.look(t, &copy.any())?;
                let what = format!("the copy of an object with fields, {outer:?}");
                let Some(fields) = fields_of(&copied).filter(|_| copied.type_index == kind) else {
                    return Err(t.failure(what, "an object of its type", format_args!("{copied:?}")));
                };
                let found = inner.look(t, if in_first { &fields.first } else { &fields.second })?;
                let what = format!("the {make} in a field of {what}, {inner:?}");
                t.ne(what, found.payload(), mutable.any().payload())?;
            }
        }
    }
    Ok(())
}

/// An object that occurs twice in a value is one object in its deep copy, also where nobody else holds it.
#[check(REC_0017)]
fn copy_sharing(t: &Trial) -> Verdict {
    for inner in ["ffi.List", "ffi.Dict"] {
        for outer in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
            let is_map = outer == "ffi.Map" || outer == "ffi.Dict";
            for held in [true, false] {
                let shared = t.call_global(inner, &[view::int(1), view::int(2)])?;
                let args = match is_map {
                    true => vec![view::int(0), shared.any(), view::int(1), shared.any()],
                    false => vec![shared.any(), shared.any()],
                };
                let pair = t.call_global(outer, &args)?;
                let _shared = held.then_some(shared);
                let copy = deep_copy(t, &pair.any())?;
                let item = |index| t.call_global(&format!("{outer}GetItem"), &[copy.any(), view::int(index)]);
                let what =
                    format!("the second {inner} in the copy of {outer}, {}", if held { "held" } else { "not held" });
                t.eq(what, item(1)?.handle(), item(0)?.handle())?;
            }
        }
    }
    Ok(())
}

/// An object of any kind that occurs in several places is one object in the deep copy, whatever is copied.
#[check(REC_0017, REC_0021)]
fn copy_sharing_of_every_kind(t: &Trial) -> Verdict {
    let mut kinds = vec![t.access_step(1, view::int(7))?];
    for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
        // A List within, so that an immutable container has to be copied too.
        let list = t.call_global("ffi.List", &[view::int(1)])?;
        kinds.push(place.put(t, &list.any())?);
    }
    for shared in kinds {
        for make in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
            for place in Place::all(t)? {
                let holder = place.put(t, &shared.any())?;
                let key = if make == "ffi.Array" || make == "ffi.List" { view::int(4) } else { shared.any() };
                let args = [view::int(1), shared.any(), view::int(2), holder.any(), key, shared.any()];
                let copy = deep_copy(t, &t.call_global(make, &args)?.any())?;
                let all = match make {
                    "ffi.Array" | "ffi.List" => t.sequence(copy.handle())?.items,
                    _ => t.map(copy.handle())?.entries.into_iter().flat_map(|(key, value)| [key, value]).collect(),
                };
                let [_, one, _, holder, key, other] = all[..] else {
                    return Err(t.failure(format!("values in the copy of {make}"), args.len(), all.len()));
                };
                let what = format!("an object of type {} in the copy of {make}", shared.any().type_index);
                t.clause(id::REC_0017);
                t.eq(format_args!("the second place of {what}"), other.payload(), one.payload())?;
                let within = place.look(t, &holder)?;
                t.eq(format_args!("the place of {what}, {place:?}"), within.payload(), one.payload())?;
                let is_key = key.type_index >= kTVMFFIStaticObjectBegin;
                if is_key {
                    t.eq(format_args!("the place of {what} as a key"), key.payload(), one.payload())?;
                }
                if one.payload() != shared.any().payload() {
                    t.clause(id::REC_0021);
                    let counts = t.counts(one.payload() as TVMFFIObjectHandle)?;
                    t.eq(format_args!("the strong count of {what}"), counts.0, 3 + u32::from(is_key))?;
                }
            }
        }
    }
    Ok(())
}

/// `ffi.DeepCopy` of a List that contains itself is another List that contains itself, or an error.
#[check(REC_0018)]
fn copy_cycle(t: &Trial) -> Verdict {
    let list = t.list_in_itself()?;
    if let Ok(copy) = t.answer("ffi.DeepCopy", &[list.any()])? {
        t.ne("the copy", copy.handle(), list.handle())?;
        let inner = t.call_global("ffi.ListGetItem", &[copy.any(), view::int(1)])?;
        t.eq("what is in the copy", inner.handle(), copy.handle())?;
        drop(inner);
        t.clear_list(&copy)?;
    }
    t.clear_list(&list)
}

/// `ffi.DeepCopy` of a cycle that goes through an Array or a Map is another cycle, wherever it is taken up, or an error.
#[check(REC_0018)]
fn copy_cycle_through_immutable(t: &Trial) -> Verdict {
    let at = view::int(0);
    let one = |make: &str, value: TVMFFIAny| match make {
        "Array" | "List" => t.call_global(&format!("ffi.{make}"), &[value]),
        _ => t.call_global(&format!("ffi.{make}"), &[at, value]),
    };
    let get = |kind: &str, of: &Owned| t.call_global(&format!("ffi.{kind}GetItem"), &[of.any(), at]);
    for (immutable, mutable) in [("Array", "List"), ("Array", "Dict"), ("Map", "List"), ("Map", "Dict")] {
        let inner = one(mutable, TVMFFIAny::NONE)?;
        let outer = one(immutable, inner.any())?;
        t.call_global(&format!("ffi.{mutable}SetItem"), &[inner.any(), at, outer.any()])?;
        let clear = |inner: &Owned| t.call_global(&format!("ffi.{mutable}Clear"), &[inner.any()]).map(drop);
        for (kind, original, other) in [(immutable, &outer, mutable), (mutable, &inner, immutable)] {
            let Ok(copy) = t.answer("ffi.DeepCopy", &[original.any()])? else { continue };
            let within = get(kind, &copy)?;
            let again = get(other, &within)?;
            let what = format!("the {kind} in the {other} in the copy of the {kind}");
            t.eq(format_args!("{what}, which contains itself"), again.handle(), copy.handle())?;
            let mutable_copy = if kind == mutable { &copy } else { &within };
            t.ne(format_args!("the {mutable} of the copy"), mutable_copy.handle(), inner.handle())?;
            clear(mutable_copy)?;
        }
        clear(&inner)?;
    }
    Ok(())
}

/// The deep copy of a cycle has the shape of its original, each entry in its place, and nothing in it is the original's, wherever the
/// cycle is taken up; or it is an error.
#[check(REC_0018, REC_0015)]
fn copy_of_cycle_has_its_shape(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.copy.InCycle", kTVMFFISEqHashKindTreeNode, [0; 2])?;
    let (int, none) = (view::int, TVMFFIAny::NONE);
    // In the middle, with neighbours on either side.
    let around = |make: &str, value: TVMFFIAny| match make {
        "ffi.Array" | "ffi.List" => t.call_global(make, &[int(10), value, int(30)]),
        _ => t.call_global(make, &[int(10), int(1), int(11), value, int(12), int(3)]),
    };
    for (immutable, mutable) in
        ["ffi.Array", "ffi.Map"].into_iter().flat_map(|one| [(one, "ffi.List"), (one, "ffi.Dict"), (one, "a field")])
    {
        for levels in [1, 2] {
            // What is kept for good is in a cycle.
            let inner = match mutable {
                "a field" => Box::leak(Box::new(node(kind, none, int(2)))).view(),
                make => around(make, none)?.into_any(),
            };
            let mut outer = inner;
            for _ in 0..levels {
                outer = around(immutable, outer)?.into_any();
            }
            match mutable {
                "a field" => set_first(&inner, &outer),
                "ffi.List" => drop(t.call_global("ffi.ListSetItem", &[inner, int(1), outer])?),
                _ => drop(t.call_global("ffi.DictSetItem", &[inner, int(11), outer])?),
            }
            for (end, value) in [(immutable, outer), (mutable, inner)] {
                let Ok(copy) = t.answer("ffi.DeepCopy", &[value])? else { continue };
                let (original, copy) = (t.outline(&value, &[kind])?, t.outline(&copy.into_any(), &[kind])?);
                let what = format!("of a cycle of {immutable}, {levels} deep, and {mutable}, taken up at {end}");
                t.clause(id::REC_0015);
                t.eq(format_args!("the copy {what}"), copy.text, original.text)?;
                t.clause(id::REC_0018);
                let both = copy.objects.iter().filter(|object| original.objects.contains(object)).count();
                t.eq(format_args!("how many objects the original and the copy share, {what}"), both, 0)?;
            }
        }
    }
    Ok(())
}

/// The deep copy of a cycle that goes through a key of a Dict has the shape of its original, and no container of it; or it is an error.
#[check(REC_0015, REC_0016)]
fn copy_of_cycle_through_a_key(t: &Trial) -> Verdict {
    let int = view::int;
    for (make, neighbours) in ["ffi.Array", "ffi.Map"].into_iter().flat_map(|make| [(make, 0), (make, 2), (make, 9)]) {
        let before: Vec<_> = (0..neighbours).flat_map(|key| [int(key), int(100 + key)]).collect();
        let dict = t.call_global("ffi.Dict", &before)?.into_any();
        let args = if make == "ffi.Array" { vec![int(7), dict] } else { vec![int(7), dict, int(8), int(9)] };
        let key = t.call_global(make, &args)?.into_any();
        t.call_void("ffi.DictSetItem", &[dict, key, int(1)])?;
        t.call_void("ffi.DictSetItem", &[dict, int(-1), int(-2)])?;
        for (end, value) in [(make, key), ("the Dict", dict)] {
            let Ok(copy) = t.answer("ffi.DeepCopy", &[value])? else { continue };
            let (original, copy) = (t.outline(&value, &[])?, t.outline(&copy.into_any(), &[])?);
            let what = format!("of a Dict with {neighbours} keys before {make} in which it is, taken up at {end}");
            t.clause(id::REC_0016);
            let both = copy.objects.iter().filter(|object| original.objects.contains(object)).count();
            t.eq(format_args!("how many objects the original and the copy share, {what}"), both, 0)?;
            t.clause(id::REC_0015);
            t.eq(format_args!("the copy {what}"), copy.text, original.text)?;
        }
    }
    Ok(())
}

/// `ffi.DeepCopy` of an object of a copyable type is another object with the same fields.
#[check(REC_0019)]
fn copy_objects(t: &Trial) -> Verdict {
    let step = t.access_step(1, view::int(7))?;
    let copy = deep_copy(t, &step.any())?;
    t.ne("the copy", copy.handle(), step.handle())?;
    let fields: (i32, u32, TVMFFIAny) = t.cell("the copy", copy.handle())?;
    t.eq("the field `kind` of the copy", fields.0, 1)?;
    t.any_eq("the field `key` of the copy", &fields.2, &view::int(7))
}

/// The deep copies of objects whose getter makes a new container each time it is asked have the content that each original has.
#[check(REC_0019, REC_0015)]
fn copies_of_made_fields(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let kind = types::new(t, "verify.copy.Made");
    let offset = size_of::<TVMFFIObject>() as i64;
    let field = types::field(b"made", kTVMFFIAny, size_of::<TVMFFIAny>() as i64, offset);
    let field = TVMFFIFieldInfo { getter: Some(get_made), setter: set_any as *mut c_void, ..field };
    t.ok(t.api.TVMFFITypeRegisterField(kind, &field))?;
    set_kind(t, kind, kTVMFFISEqHashKindTreeNode)?;
    t.set_hook(kind, "__ffi_shallow_copy__", &t.callback(|_, args| copy_of(args))?.any())?;
    const COUNT: i64 = 20;
    for make in ["ffi.List", "ffi.Dict", "ffi.Array", "ffi.Map"] {
        let maker = t.global(make)?;
        MAKER.store(maker.handle(), Ordering::Release);
        IS_MAP.store(make == "ffi.Map" || make == "ffi.Dict", Ordering::Release);
        let objects: Vec<_> = (0..COUNT).map(|number| node(kind, view::int(number), TVMFFIAny::NONE)).collect();
        let views: Vec<_> = objects.iter().map(Homemade::view).collect();
        let all = t.call_global("ffi.Array", &views)?;
        // By itself, and where all of it is met again.
        for (outer, places) in [("ffi.Array", 1), ("ffi.Array", 2), ("ffi.List", 2), ("ffi.List", 3)] {
            let whole = t.call_global(outer, &vec![all.any(); places])?;
            let copy = deep_copy(t, &whole.any())?;
            for place in 0..places {
                let copies = t.element(copy.handle(), place)?;
                for number in 0..COUNT {
                    let found = t.element(copies.payload() as TVMFFIObjectHandle, number as usize)?;
                    let what = format!("object {number} in place {place} of {places} of a copy in {outer}, of {make}");
                    t.type_index_eq(format_args!("type_index of {what}"), found.type_index, kind)?;
                    let Some(fields) = fields_of(&found) else {
                        return Err(t.failure(what, "an object with fields", "nothing that can be read"));
                    };
                    // What the getter would make a container of, or the container that the setter was given.
                    let content = fields.first.payload() as TVMFFIObjectHandle;
                    let content = match fields.first.type_index {
                        kTVMFFIArray | kTVMFFIList => t.element(content, 0)?,
                        kTVMFFIMap | kTVMFFIDict => Place::MapValue.look(t, &fields.first)?,
                        _ => fields.first,
                    };
                    t.any_eq(format_args!("the content of {what}"), &content, &view::int(number))?;
                }
            }
        }
        for (number, object) in (0..).zip(&views) {
            let kept = fields_of(object).map(|fields| fields.first.to_bytes());
            t.eq("what an original has afterwards", kept, Some(view::int(number).to_bytes()))?;
        }
    }
    Ok(())
}

/// The function that makes the containers, which the check keeps alive, and whether these have keys.
static MAKER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static IS_MAP: AtomicBool = AtomicBool::new(false);

/// A getter that makes a container of the integer in the field, and answers all else as it is.
unsafe extern "C" fn get_made(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of the field, and where to write its value.
    let value = unsafe { *field.cast::<TVMFFIAny>() };
    if value.type_index != kTVMFFIInt {
        // SAFETY: the caller's contract is the same.
        return unsafe { get_any(field, result) };
    }
    let args = [view::int(0), value];
    let args = if IS_MAP.load(Ordering::Acquire) { &args[..] } else { &args[1..] };
    let made = callback::api().and_then(|api| callback::call(api, MAKER.load(Ordering::Acquire), args));
    let Some(made) = made else { return -1 };
    // SAFETY: as above.
    unsafe { result.write(made) };
    0
}

/// `ffi.DeepCopy` of an object that cannot be copied, a function or an opaque object, is refused with an error.
#[check(REC_0020)]
fn copy_refused(t: &Trial) -> Verdict {
    for bad in [t.global("ffi.DeepCopy")?, t.callback(|_, _| None)?, opaque(t)?] {
        drop(t.refuses("ffi.DeepCopy", &[bad.any()], &[])?);
    }
    Ok(())
}

fn opaque(t: &Trial) -> Verdict<Owned> {
    t.opaque(std::ptr::dangling_mut(), callback::keep_self)
}

/// `ffi.DeepCopy` refuses what has something in it that cannot be copied, at every place of every container, alone or among others, with
/// something beside it that can be copied and without.
#[check(REC_0020)]
fn copy_refused_anywhere(t: &Trial) -> Verdict {
    let kind = types::new(t, "verify.copy.Unable");
    let object = Homemade::new(kind, ());
    let (function, text) = (t.global("ffi.DeepCopy")?, t.string(b"a string on the heap")?);
    let opaque = opaque(t)?;
    let places = Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey));
    let places: Vec<_> = places.collect();
    for (name, bad) in
        [("a function", function.any()), ("an object of a client's", object.view()), ("an opaque object", opaque.any())]
    {
        for (outer, inner) in places.iter().flat_map(|outer| places.iter().map(move |inner| (outer, inner))) {
            for others in [0, 1, 9] {
                let value = outer.put_before(t, &inner.put_before(t, &bad, others)?.any(), others)?;
                let refused = t.refuses("ffi.DeepCopy", &[value.any()], &[]);
                let what = || format!("{name}, {inner:?} {outer:?}, before {others}");
                drop(refused.map_err(|failure| failure.noting(what()))?);
            }
        }
        let list = t.call_global("ffi.List", &[view::int(1)])?;
        for (make, beside) in t.containers()?.into_iter().flat_map(|make| [&list, &text].map(|beside| (make, beside))) {
            for at in 0..3 {
                let mut values = [beside.any(); 3];
                values[at] = bad;
                let entries = (0..).map(view::int).zip(values).flat_map(|(key, value)| [key, value]);
                let is_map = make == "ffi.Map" || make == "ffi.Dict";
                let args: Vec<_> = if is_map { entries.collect() } else { values.to_vec() };
                let whole = t.call_global(make, &args)?;
                let refused = t.refuses("ffi.DeepCopy", &[whole.any()], &[]);
                drop(refused.map_err(|failure| failure.noting(format!("{name}, value {at} of {make}")))?);
            }
        }
    }
    Ok(())
}

/// A deep copy is held by the caller alone, and the original keeps its count.
#[check(REC_0021)]
fn copy_counts(t: &Trial) -> Verdict {
    let list = Value::List(vec![Value::Int(1)]).build(t)?;
    let copy = deep_copy(t, &list.any())?;
    t.eq("the counts of the copy", t.counts(copy.handle())?, (1, 1))?;
    t.eq("the counts of the original", t.counts(list.handle())?, (1, 1))
}

fn deep_copy(t: &Trial, value: &TVMFFIAny) -> Verdict<Owned> {
    t.call_global("ffi.DeepCopy", &[*value])
}
