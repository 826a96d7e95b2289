//! Objects of reflected types that are visited, mapped and mutated, and what others refer to.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    POST, PRE, add_hundred, answer_chosen, ask, choose_value, entries, map, note, note_and_keep, saw, take_seen,
    triples,
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{Body, raise},
        homemade::{promote, release, release_weak, retain, retain_weak},
        model::Value,
        node::{Node, changing_node_type, fields_of, node},
        samples::Place,
        view,
    },
    trial::Trial,
};

const TREE: i32 = kTVMFFISEqHashKindTreeNode;

/// A map and a mutation of an object give another object with the changed fields, and leave the object as it was.
#[check(VIS_0046, VIS_0020)]
fn changed_fields(t: &Trial) -> Verdict {
    for (key, flags) in
        [("verify.visit.Set", [0; 2]), ("verify.visit.Called", [kTVMFFIFieldFlagBitSetterIsFunctionObj; 2])]
    {
        let kind = changing_node_type(t, key, TREE, flags)?;
        let kept = t.call_global("ffi.Array", &[view::float(0.5)])?;
        let inner = t.call_global("ffi.List", &[view::int(2), t.string(b"a text that is not short")?.any()])?;
        for (first, second) in [(view::int(1), kept.any()), (kept.any(), inner.any()), (inner.any(), view::int(1))] {
            let original = node(kind, first, second);
            let before = original.counts();
            for (name, changed) in changes(t, &original.view(), kTVMFFIInt, add_hundred)? {
                t.clause(id::VIS_0046);
                t.type_index_eq(format_args!("what {name} has made of {key}"), changed.any().type_index, kind)?;
                t.ne(format_args!("the object that {name} has made"), changed.handle(), original.handle())?;
                let (old, new) = (fields(t, &original.view())?, fields(t, &changed.any())?);
                for (at, (old, new)) in [(old.first, new.first), (old.second, new.second)].iter().enumerate() {
                    let what = format!("field {at} of what {name} has made");
                    if old.to_bytes() == kept.any().to_bytes() {
                        t.any_eq(what, new, old)?;
                    } else {
                        t.eq(what, Value::read(t, new)?, with_hundred_more(Value::read(t, old)?))?;
                    }
                }
                let now = fields(t, &original.view())?;
                t.any_eq(format_args!("the first field of the object after {name}"), &now.first, &first)?;
                t.any_eq(format_args!("the second field of the object after {name}"), &now.second, &second)?;
                t.eq(format_args!("what {name} has left of a List"), t.element(inner.handle(), 0)?.payload(), 2)?;
            }
            t.clause(id::VIS_0020);
            for (name, same) in changes(t, &original.view(), kTVMFFIDevice, add_hundred)? {
                t.any_eq(format_args!("what {name} has made where nothing matches"), &same.any(), &original.view())?;
            }
            t.eq("counts of the object afterwards", original.counts(), before)?;
        }
    }
    Ok(())
}

fn with_hundred_more(value: Value) -> Value {
    match value {
        Value::Int(number) => Value::Int(number + 100),
        Value::List(items) => Value::List(items.into_iter().map(with_hundred_more).collect()),
        other => other,
    }
}

/// A field flagged SEqHashIgnore is left out by a visit, a map and a mutation.
#[check(VIS_0047)]
fn ignored_fields(t: &Trial) -> Verdict {
    let ignore = kTVMFFIFieldFlagBitMaskSEqHashIgnore;
    for (key, flags, seen) in [("First", [ignore, 0], "2"), ("Second", [0, ignore], "1")] {
        let kind = changing_node_type(t, &format!("verify.visit.Ignored{key}"), TREE, flags)?;
        let original = node(kind, view::int(1), view::int(2));
        let callbacks = entries(t, &[(kTVMFFIInt, note)])?;
        t.call_global("ffi.StructuralVisit", &[original.view(), callbacks.any()])?;
        saw(t, &[seen])?;
        for (name, changed) in changes(t, &original.view(), kTVMFFIInt, add_hundred)? {
            let Node { first, second } = fields(t, &changed.any())?;
            let expected = if flags[0] == 0 { (101, 2) } else { (1, 102) };
            t.eq(format_args!("the fields that {name} has made"), (first.payload(), second.payload()), expected)?;
        }
    }
    Ok(())
}

/// A map calls its callbacks once for each occurrence, of what is shared too, before the parts or behind them.
#[check(VIS_0049)]
fn each_occurrence(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Occurs", TREE, [0; 2])?;
    let shared = node(kind, view::int(1), view::int(2));
    let list = t.call_global("ffi.List", &[shared.view(), shared.view()])?;
    let value = t.call_global("ffi.Array", &[list.any(), view::int(3), list.any()])?;
    let name = kind.to_string();
    let (object, list_name) = (name.as_str(), kTVMFFIList.to_string());
    for order in [PRE, POST] {
        let around = |parent: &str, inside: Vec<String>| match order {
            PRE => [vec![parent.to_owned()], inside].concat(),
            _ => [inside, vec![parent.to_owned()]].concat(),
        };
        let one = around(object, vec!["1".to_owned(), "2".to_owned()]);
        let inner = around(&list_name, [one.clone(), one].concat());
        let expected = [inner.clone(), vec!["3".to_owned()], inner].concat();
        let callbacks = [(kind, note_and_keep as Body), (kTVMFFIList, note_and_keep), (kTVMFFIInt, note_and_keep)];
        drop(map(t, &value, &callbacks, order)?);
        t.eq(format_args!("what the callbacks of a map in order {order} were called with"), take_seen(), expected)?;
    }
    Ok(())
}

/// A variable of which a field changes where it is defined is the same new variable at each use behind that.
#[check(VIS_0050)]
fn changed_variables(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Changed", kTVMFFISEqHashKindFreeVar, [0; 2])?;
    for (name, flag) in
        [("Pattern", kTVMFFIFieldFlagBitMaskSEqHashDefPattern), ("Simple", kTVMFFIFieldFlagBitMaskSEqHashDefSimple)]
    {
        let lambda = changing_node_type(t, &format!("verify.visit.Lambda{name}"), TREE, [flag, 0])?;
        let [variable, free] = [(); 2].map(|()| node(kind, view::int(1), view::int(2)));
        let uses = t.call_global("ffi.Array", &[variable.view(), view::int(5), free.view(), variable.view()])?;
        let function = node(lambda, variable.view(), uses.any());
        // A simple definition is about the variable alone, so what is in it is a use, and is changed all the same.
        for (name, changed) in changes(t, &function.view(), kTVMFFIInt, add_hundred)? {
            let Node { first: defined, second: used } = fields(t, &changed.any())?;
            t.ne(format_args!("the variable that {name} has made"), defined.payload(), variable.view().payload())?;
            t.eq(format_args!("a field of that of {name}"), fields(t, &defined)?.first.payload(), 101)?;
            for (at, expected) in [defined, view::int(105), free.view(), defined].iter().enumerate() {
                let found = t.element(used.payload() as TVMFFIObjectHandle, at)?;
                t.any_eq(format_args!("element {at} behind the definition, after {name}"), &found, expected)?;
            }
            let old = fields(t, &variable.view())?;
            t.eq(format_args!("a field of the old variable after {name}"), old.first.payload(), 1)?;
        }
    }
    Ok(())
}

/// A variable of which a field changes, and which stands several times in the pattern that defines it, is the same new variable at each of
/// these places and at each use behind them.
#[check(VIS_0050)]
fn variables_defined_twice(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Twice", kTVMFFISEqHashKindFreeVar, [0; 2])?;
    let tree = changing_node_type(t, "verify.visit.HoldsTwice", TREE, [0; 2])?;
    let flags = [kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0];
    let lambda = changing_node_type(t, "verify.visit.LambdaTwice", TREE, flags)?;
    for (inner, outer) in (0..HOLDERS).flat_map(|inner| (0..HOLDERS).map(move |outer| (inner, outer))) {
        let variable = node(kind, view::int(1), view::int(2));
        let old = variable.view();
        let pair = holder(t, inner, tree, [old, old])?;
        let deeper = holder(t, outer, tree, [pair.any(), old])?;
        let uses = t.call_global("ffi.Array", &[old, old])?;
        for (defined, is_deeper) in [(&pair, false), (&deeper, true)] {
            let function = node(lambda, defined.any(), uses.any());
            for (name, changed) in changes(t, &function.view(), kTVMFFIInt, add_hundred)? {
                let Node { first: defined, second: used } = fields(t, &changed.any())?;
                let [first, second] = parts(t, &defined)?;
                let [mut all, used] = [vec![first, second], parts(t, &used)?.to_vec()];
                if is_deeper {
                    all = [&parts(t, &first)?[..], &[second]].concat();
                }
                all.extend(used);
                let what = format!("{name}, with a pattern of {inner} in {outer}");
                t.type_index_eq(format_args!("a place of the variable after {what}"), all[0].type_index, kind)?;
                t.ne(format_args!("the variable after {what}"), all[0].payload(), old.payload())?;
                t.eq(format_args!("a field of it after {what}"), fields(t, &all[0])?.first.payload(), 101)?;
                for (at, found) in all.iter().enumerate() {
                    t.any_eq(format_args!("place {at} of the variable after {what}"), found, &all[0])?;
                }
            }
        }
    }
    Ok(())
}

/// A mutation goes on by default inside a value that no callback matches, be it a container or an object.
#[check(VIS_0051)]
fn default_mutation(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Default", TREE, [0; 2])?;
    let inner = node(kind, view::int(1), view::float(0.5));
    for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
        for outer in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
            let holder = outer.put(t, &place.put(t, &inner.view())?.any())?;
            let callbacks = triples(t, &[(kTVMFFIInt, add_hundred)])?;
            let mutated = t.call_global("ffi.StructuralMutate", &[holder.any(), callbacks.any()])?;
            let found = place.look(t, &outer.look(t, &mutated.any())?)?;
            let found = fields(t, &found)?;
            let what = format!("a field of the object {place:?}, {outer:?}");
            t.any_eq(&what, &found.first, &view::int(101))?;
            t.any_eq(&what, &found.second, &view::float(0.5))?;
        }
    }
    Ok(())
}

/// The values that the callback of a mutation was given, and what it was told of each in its third argument.
static TOLD: Mutex<Vec<(u64, (i32, u64))>> = Mutex::new(Vec::new());

fn told() -> Vec<(u64, (i32, u64))> {
    std::mem::take(&mut *TOLD.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Notes the third argument, and has what is inside mutated.
const NOTE_THIRD: Body = |api, args| {
    let [value, mutator, third] = args else {
        return raise(api, c"AssertionError", c"the callback asked for three arguments");
    };
    let told = (value.payload(), (third.type_index, third.payload()));
    TOLD.lock().unwrap_or_else(PoisonError::into_inner).push(told);
    ask(api, "ffi.StructuralMutatorDefaultMutate", &[*mutator, *value])
};

/// Has the mutator mutate the value that the check has chosen, and alone refers to.
const MUTATE_HELD: Body = |api, args| {
    let chosen = answer_chosen(api, args)?;
    release(chosen.payload() as TVMFFIObjectHandle);
    ask(api, "ffi.StructuralMutatorMutate", &[*args.get(1)?, chosen])
};

/// A callback of a mutation that asks for it is not told that it may change in place what others refer to.
#[check(VIS_0052)]
fn told_in_place(t: &Trial) -> Verdict {
    let (function, elsewhere) = (t.callback(NOTE_THIRD)?, t.callback(MUTATE_HELD)?);
    let callbacks = |asks: bool| -> Verdict<Owned> {
        let of = |index: i32| t.call_global("ffi.Array", &[view::int(index.into()), function.any(), view::bool(asks)]);
        let (list, dict) = (of(kTVMFFIList)?, of(kTVMFFIDict)?);
        let text = [view::int(kTVMFFIStr.into()), elsewhere.any(), view::bool(false)];
        let text = t.call_global("ffi.Array", &text)?;
        t.call_global("ffi.Array", &[list.any(), dict.any(), text.any()])
    };
    let text = t.call_global("ffi.Array", &[view::c_str(c"a text that becomes another value")])?;
    for place in [Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
        let inner = t.call_global("ffi.List", &[view::int(1)])?;
        let held = place.put(t, &inner.any())?;
        // First the inner List has another owner; then the whole has: its one reference stays with the caller.
        let again = t.call_global("ffi.List", &[held.any()])?;
        drop(held);
        for whole in [inner.any(), again.any()] {
            t.call_global("ffi.StructuralMutate", &[whole, callbacks(true)?.any()])?;
        }
        drop(inner);
        t.call_global("ffi.StructuralMutate", &[again.any(), callbacks(true)?.any()])?;
        let alone = t.call_global("ffi.List", &[view::int(1)])?;
        choose_value(&alone.any());
        drop(t.answer("ffi.StructuralMutate", &[text.any(), callbacks(true)?.any()])?);
        let told = told();
        t.that("how often callbacks were called", told.len() >= 3, "once for each value that matches", told.len())?;
        for (_, (type_index, payload)) in told {
            let plain = type_index == kTVMFFIInt || type_index == kTVMFFIBool;
            t.that("the third argument", plain, "an integer or a boolean", type_index)?;
            t.eq(format_args!("whether what others refer to may be changed in place, {place:?}"), payload, 0)?;
        }
    }
    Ok(())
}

/// A callback of a mutation of what is given away is not told that it may change in place what somebody holds in there.
#[check(VIS_0052)]
fn told_in_place_of_what_is_held(t: &Trial) -> Verdict {
    const KINDS: [i32; 4] = [kTVMFFIArray, kTVMFFIList, kTVMFFIMap, kTVMFFIDict];
    let function = t.callback(NOTE_THIRD)?;
    let asking =
        |index: &i32| t.call_global("ffi.Array", &[view::int(i64::from(*index)), function.any(), view::bool(true)]);
    let asking = KINDS.iter().map(asking).collect::<Verdict<Vec<_>>>()?;
    let callbacks = t.call_global("ffi.Array", &asking.iter().map(Owned::any).collect::<Vec<_>>())?;
    let places = [Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    let pairs = places.into_iter().flat_map(|lowest| places.map(|middle| (lowest, middle)));
    for (lowest, middle, highest) in pairs.flat_map(|(lowest, middle)| places.map(|highest| (lowest, middle, highest)))
    {
        for held in 0..3 {
            let inner = lowest.put(t, &view::int(1))?;
            let outer = middle.put(t, &inner.any())?;
            let whole = highest.put(t, &outer.any())?;
            let within = [inner.any(), outer.any(), whole.any()];
            retain(within[held].payload() as TVMFFIObjectHandle);
            let holder = t.own(within[held]);
            drop((inner, outer));
            drop(t.call_giving("ffi.StructuralMutate", whole, &[callbacks.any()])?);
            for (value, (_, payload)) in told() {
                if within[..=held].iter().any(|of_others| of_others.payload() == value) {
                    let what =
                        format!("whether container {held} of {lowest:?}, {middle:?}, {highest:?} is somebody's alone");
                    t.eq(what, payload, 0)?;
                }
            }
            drop(holder);
        }
    }
    Ok(())
}

/// A map and a mutation leave a value alone that only what others refer to holds.
#[check(VIS_0019)]
fn reached_by_what_is_shared(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Path", TREE, [0; 2])?;
    let places = [Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    for inner in places {
        for outer in places.into_iter().map(Some).chain([None]) {
            let held = inner.put(t, &view::int(1))?;
            let whole = match outer {
                Some(place) => place.put(t, &held.any())?,
                None => {
                    let object = node(kind, held.any(), view::float(0.5));
                    retain(object.handle());
                    t.own(object.view())
                }
            };
            // The one reference to it is the container's.
            drop(held);
            let look = |value: &TVMFFIAny| match outer {
                Some(place) => place.look(t, value),
                None => Ok(fields(t, value)?.first),
            };
            for (name, changed) in changes(t, &whole.any(), kTVMFFIInt, add_hundred)? {
                let (old, new) = (look(&whole.any())?, look(&changed.any())?);
                t.ne(format_args!("the inner part after {name}, {inner:?} {outer:?}"), new.payload(), old.payload())?;
                let what = format!("the inner part of the original after {name}, {inner:?} {outer:?}");
                t.any_eq(what, &inner.look(t, &old)?, &view::int(1))?;
                t.any_eq(format_args!("what {name} has made"), &inner.look(t, &new)?, &view::int(101))?;
            }
        }
    }
    Ok(())
}

/// A map and a mutation of a container that is given away leave it alone while somebody holds a weak reference to it, or to what holds it:
/// whoever makes a strong reference of that finds what was there before, or nothing any more.
#[check(VIS_0019)]
fn weakly_referred_to(t: &Trial) -> Verdict {
    let (pairs, none) = (entries(t, &[(kTVMFFIInt, add_hundred)])?, entries(t, &[])?);
    let triples = triples(t, &[(kTVMFFIInt, add_hundred)])?;
    let map = |order| vec![pairs.any(), none.any(), view::int(order)];
    let calls = [
        ("a map in pre order", "ffi.StructuralMap", map(PRE)),
        ("a map in post order", "ffi.StructuralMap", map(POST)),
        ("a mutation", "ffi.StructuralMutate", vec![triples.any()]),
    ];
    let places = [Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    let held = places
        .into_iter()
        .flat_map(|inner| places.into_iter().map(Some).chain([None]).map(move |outer| (inner, outer)));
    for ((inner, outer), (what, name, args)) in held.flat_map(|held| calls.iter().map(move |call| (held, call))) {
        for of_the_whole in [false, true] {
            let part = inner.put(t, &view::int(1))?;
            let (within, before) = (part.any(), Value::read(t, &part.any())?);
            let whole = match outer {
                Some(place) => {
                    let whole = place.put(t, &part.any())?;
                    drop(part);
                    whole
                }
                None => part,
            };
            let (referred, before) =
                if of_the_whole { (whole.any(), Value::read(t, &whole.any())?) } else { (within, before) };
            let object = referred.payload() as TVMFFIObjectHandle;
            retain_weak(object);
            let changed = t.call_giving(name, whole, args)?;
            if promote(object) {
                let (found, what) = (t.own(referred), format!("{what} has left, {inner:?}, {outer:?}"));
                t.eq(
                    format_args!("what {what} of that to which a weak reference was"),
                    Value::read(t, &found.any())?,
                    before,
                )?;
            }
            drop(changed);
            release_weak(object);
        }
    }
    Ok(())
}

/// What a callback of a map or a mutation puts in the place of a value that nobody else holds, and the client goes on holding, stays as
/// it was, with all that is in it, whatever is changed of it in the result.
#[check(VIS_0019, VIS_0018)]
fn replaced_by_what_is_held(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.visit.Held", TREE, [0; 2])?;
    let pairs = (0..HOLDERS).flat_map(|outer| (0..HOLDERS).map(move |held| (outer, held)));
    for (outer, held, nested) in pairs.flat_map(|(outer, held)| [false, true].map(|nested| (outer, held, nested))) {
        // What is in it is of another type than what is replaced, so that it is not replaced in its turn.
        let inner = match outer {
            1 => t.call_global("ffi.Dict", &[view::c_str(c"key"), view::int(2)])?,
            _ => t.call_global("ffi.List", &[view::int(2)])?,
        };
        let held = holder(t, held, kind, [view::int(1), inner.any()])?;
        drop(inner);
        choose_value(&held.any());
        let index = holder(t, outer, kind, [view::int(7), view::int(8)])?.any().type_index;
        let int = (kTVMFFIInt, add_hundred as Body);
        let (pairs, none) = (entries(t, &[(index, answer_chosen), int])?, entries(t, &[])?);
        let go_on = triples(t, &[(index, MUTATE_CHOSEN), int])?;
        let map = |order| vec![pairs.any(), none.any(), view::int(order)];
        for (what, name, args, goes_on) in [
            ("a map in pre order", "ffi.StructuralMap", map(PRE), true),
            ("a map in post order", "ffi.StructuralMap", map(POST), false),
            ("a mutation", "ffi.StructuralMutate", vec![go_on.any()], true),
        ] {
            let replaced = holder(t, outer, kind, [view::int(7), view::int(8)])?;
            let whole = if nested {
                let make = if outer == 1 { "ffi.Array" } else { "ffi.List" };
                let whole = t.call_global(make, &[replaced.any()])?;
                drop(replaced);
                whole
            } else {
                replaced
            };
            let changed = t.call_giving(name, whole, &args)?;
            let found = if nested { t.element(changed.handle(), 0)? } else { changed.any() };
            let types = format!("type {} for type {index}", held.any().type_index);
            t.clause(id::VIS_0019);
            let [first, second] = parts(t, &held.any())?;
            t.any_eq(
                format_args!("what {what} has left of the first part of what is held, {types}"),
                &first,
                &view::int(1),
            )?;
            let [part, _] = parts(t, &second)?;
            t.any_eq(format_args!("what {what} has left of what is in the second, {types}"), &part, &view::int(2))?;
            t.clause(id::VIS_0018);
            if !goes_on {
                t.any_eq(format_args!("what {what} has made, {types}"), &found, &held.any())?;
                continue;
            }
            let [first, second] = parts(t, &found)?;
            t.any_eq(format_args!("the first part of what {what} has made, {types}"), &first, &view::int(101))?;
            let [part, _] = parts(t, &second)?;
            t.any_eq(
                format_args!("what is in the second part of what {what} has made, {types}"),
                &part,
                &view::int(102),
            )?;
        }
    }
    Ok(())
}

/// Has the mutator mutate what is in the value that the check has chosen, and answers what that becomes.
const MUTATE_CHOSEN: Body = |api, args| {
    let chosen = answer_chosen(api, args)?;
    let answer = ask(api, "ffi.StructuralMutatorDefaultMutate", &[*args.get(1)?, chosen]);
    release(chosen.payload() as TVMFFIObjectHandle);
    answer
};

/// How many kinds of holders there are.
const HOLDERS: usize = 5;

/// What holds two values: an Array, a List, a Map, a Dict or a node of that type.
fn holder(t: &Trial, which: usize, kind: i32, [first, second]: [TVMFFIAny; 2]) -> Verdict<Owned> {
    let [one, other] = [c"one", c"other"].map(view::c_str);
    match which {
        0 => t.call_global("ffi.Array", &[first, second]),
        1 => t.call_global("ffi.List", &[first, second]),
        2 => t.call_global("ffi.Map", &[one, first, other, second]),
        3 => t.call_global("ffi.Dict", &[one, first, other, second]),
        _ => Ok(t.own(node(kind, first, second).view())),
    }
}

/// The two values that something holds; None behind the one of a holder that has no more.
fn parts(t: &Trial, value: &TVMFFIAny) -> Verdict<[TVMFFIAny; 2]> {
    let object = value.payload() as TVMFFIObjectHandle;
    let all: Vec<_> = match value.type_index {
        kTVMFFIArray | kTVMFFIList => t.sequence(object)?.items,
        kTVMFFIMap | kTVMFFIDict => t.map(object)?.entries.iter().map(|(_, value)| *value).collect(),
        _ => {
            let Node { first, second } = fields(t, value)?;
            vec![first, second]
        }
    };
    Ok([0, 1].map(|at| all.get(at).copied().unwrap_or(TVMFFIAny::NONE)))
}

/// What maps and a mutation with one callback make of a value that its owner keeps.
fn changes(t: &Trial, value: &TVMFFIAny, index: i32, callback: Body) -> Verdict<Vec<(&'static str, Owned)>> {
    let (some, none) = (entries(t, &[(index, callback)])?, entries(t, &[])?);
    let map = |order| t.call_global("ffi.StructuralMap", &[*value, some.any(), none.any(), view::int(order)]);
    let callbacks = triples(t, &[(index, callback)])?;
    Ok(vec![
        ("a map in pre order", map(PRE)?),
        ("a map in post order", map(POST)?),
        ("a mutation", t.call_global("ffi.StructuralMutate", &[*value, callbacks.any()])?),
    ])
}

/// What a node of the suite's own has in its fields.
fn fields(t: &Trial, object: &TVMFFIAny) -> Verdict<Node> {
    t.that(
        "an object",
        object.type_index >= kTVMFFIDynObjectBegin,
        "one of a type of the client's",
        object.type_index,
    )?;
    fields_of(object).ok_or_else(|| t.failure("the memory of an object", "two fields", "nothing that can be read"))
}
