//! Every size, every place and every form, for maps and mutations too, and several threads at once.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    Callback, EVERYTHING, POST, PRE, add_hundred, answer_chosen, ask, choose, choose_value, count, counted, entries,
    index_of_either_form, interrupt_at_once, replace, triples, walk, zeros,
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{keep_self, raise},
        globals,
        homemade::Homemade,
        model::Value,
        node::{fields_of, node, node_type},
        samples::{Place, SIZES},
        view,
    },
    trial::Trial,
};

/// A walk meets each value of a container of any kind and size once, and a map and a mutation replace each.
#[check(VIS_0001, VIS_0002, VIS_0018, VIS_0022, patient = 2)]
fn every_size(t: &Trial) -> Verdict {
    let changes = Changes::new(t, &[(kTVMFFIInt, add_hundred)])?;
    for size in SIZES {
        for value in t.containers_of(size, -1)? {
            let is_map = matches!(value.any().type_index, kTVMFFIMap | kTVMFFIDict);
            for (order, clause) in [(PRE, id::VIS_0001), (POST, id::VIS_0002)] {
                t.clause(clause);
                walk(t, &value, &[(kTVMFFIInt, count)], order)?;
                let met = counted() as i64;
                // Whether keys are met is not laid down by these clauses.
                t.that(
                    format_args!("integers met in type {} of {size}, in order {order}", value.any().type_index),
                    met == size || is_map && met == 2 * size,
                    size,
                    met,
                )?;
            }
            let changed = changes.of(t, &value)?;
            let expected: Vec<_> = values(t, &value)?.iter().map(|value| value + 100).collect();
            for (clause, changed) in changed {
                t.clause(clause);
                let after = values(t, &changed)?;
                t.that(
                    format_args!("{size} values with a hundred more"),
                    after == expected,
                    "all",
                    format_args!("{after:?}"),
                )?;
            }
        }
    }
    Ok(())
}

/// The integers that are elements or values of a container.
fn values(t: &Trial, container: &Owned) -> Verdict<Vec<i64>> {
    let int = |value: TVMFFIAny| if value.type_index == kTVMFFIInt { value.payload() as i64 } else { i64::MIN };
    Ok(entries_of(t, container)?.into_iter().map(|(_, value)| int(value)).collect())
}

/// The values of a container in their order, those of a map with their keys; none of anything else.
fn entries_of(t: &Trial, container: &Owned) -> Verdict<Vec<(TVMFFIAny, TVMFFIAny)>> {
    Ok(match container.any().type_index {
        kTVMFFIArray | kTVMFFIList => {
            t.sequence(container.handle())?.items.into_iter().map(|item| (TVMFFIAny::NONE, item)).collect()
        }
        kTVMFFIMap | kTVMFFIDict => t.map(container.handle())?.entries,
        _ => Vec::new(),
    })
}

/// Maps and a mutation with the same callbacks.
struct Changes {
    map: Owned,
    mutate: Owned,
    none: Owned,
    pairs: Owned,
    triples: Owned,
}

impl Changes {
    fn new(t: &Trial, callbacks: &[Callback]) -> Verdict<Self> {
        let [map, mutate] = t.globals(["ffi.StructuralMap", "ffi.StructuralMutate"])?;
        let (none, pairs, triples) = (entries(t, &[])?, entries(t, callbacks)?, triples(t, callbacks)?);
        Ok(Self { map, mutate, none, pairs, triples })
    }

    /// What they make of a value, with the clauses that say so.
    fn of(&self, t: &Trial, value: &Owned) -> Verdict<Vec<(&'static str, Owned)>> {
        let (value, none, pairs) = (value.any(), self.none.any(), self.pairs.any());
        let mut all = vec![];
        for order in [PRE, POST].map(view::int) {
            all.push((id::VIS_0018, t.call(&self.map, &[value, pairs, none, order])?));
            all.push((id::VIS_0018, t.call(&self.map, &[value, none, pairs, order])?));
        }
        all.push((id::VIS_0022, t.call(&self.mutate, &[value, self.triples.any()])?));
        Ok(all)
    }
}

/// The places whose values are walked, but for the one by itself.
const PLACES: [Place; 4] = [Place::InArray, Place::InList, Place::MapValue, Place::DictValue];

/// A map and a mutation replace a value of any form at each place, and leave all else and the original as it was.
#[check(VIS_0006, VIS_0018, VIS_0019, VIS_0022, patient = 2)]
fn replaces_every_form(t: &Trial) -> Verdict {
    let met = |sample: &TVMFFIAny| sample.type_index != kTVMFFINone && sample.type_index != kTVMFFIInt;
    let known = RefCell::new(BTreeMap::new());
    let changes_for = |type_index: i32| -> Verdict<Rc<Changes>> {
        if let Some(changes) = known.borrow().get(&type_index) {
            return Ok(Rc::clone(changes));
        }
        let changes = Rc::new(Changes::new(t, &[(type_index, replace)])?);
        known.borrow_mut().insert(type_index, Rc::clone(&changes));
        Ok(changes)
    };
    for sample in t.samples()?.iter().filter(|sample| sample.is_data() && met(&sample.any())) {
        for (place, others) in PLACES.into_iter().map(|place| (place, 9)).chain([(Place::MapValue, 0)]) {
            let holder = place.put_before(t, &sample.any(), others)?;
            let (before, mut expected) = (Value::read(t, &holder.any())?, entries_of(t, &holder)?);
            let Some((_, found)) = expected.first().copied() else { continue };
            let mut all = changes_for(found.type_index)?.of(t, &holder)?;
            let either_form = index_of_either_form(found.type_index);
            if either_form != found.type_index {
                t.clause(id::VIS_0006);
                let of_either_form = changes_for(either_form)?.of(t, &holder)?;
                all.extend(of_either_form.into_iter().map(|(_, changed)| (id::VIS_0006, changed)));
            }
            let what = format_args!("{}, {place:?} before {others}", sample.name);
            t.clause(id::VIS_0019);
            let now = Value::read(t, &holder.any())?;
            t.that(
                format_args!("the original with {what}"),
                now == before,
                format_args!("{before:?}"),
                format_args!("{now:?}"),
            )?;
            // All else is plain, and as it was to the bit.
            expected[0].1 = view::int(4711);
            let bytes = |entries: &[(TVMFFIAny, TVMFFIAny)]| {
                entries.iter().flat_map(|(key, value)| [key.to_bytes(), value.to_bytes()]).collect::<Vec<_>>()
            };
            for (clause, changed) in all {
                t.clause(clause);
                let type_index = changed.any().type_index;
                t.type_index_eq(format_args!("the type of what has {what}"), type_index, holder.any().type_index)?;
                let got = entries_of(t, &changed)?;
                let first = got.first().map_or(TVMFFIAny::NONE, |(_, first)| *first);
                t.any_eq(format_args!("what was put in the place of {what}"), &first, &expected[0].1)?;
                if bytes(&got) != bytes(&expected) {
                    let (mut expected, got) = (before.clone(), Value::read(t, &changed.any())?);
                    replace_first(&mut expected);
                    let (expected, got) = (format!("{expected:?}"), format!("{got:?}"));
                    return Err(t.failure(format_args!("all else than {what}"), expected, got));
                }
            }
        }
    }
    Ok(())
}

/// A map and a mutation replace a value that is zero, empty or NULL at each place.
#[check(VIS_0018, VIS_0022)]
fn replaces_what_is_zero(t: &Trial) -> Verdict {
    for (place, value) in PLACES.into_iter().flat_map(|place| zeros().map(|value| (place, value))) {
        // Whether a callback for None is called is left open, and integers are what values are replaced by.
        if [kTVMFFINone, kTVMFFIInt].contains(&value.type_index) {
            continue;
        }
        let holder = place.put(t, &value)?;
        for (clause, changed) in
            Changes::new(t, &[(index_of_either_form(value.type_index), replace)])?.of(t, &holder)?
        {
            t.clause(clause);
            let found = place.look(t, &changed.any())?;
            let what = format_args!("what was put in the place of zero of type {}, {place:?}", value.type_index);
            t.any_eq(what, &found, &view::int(4711))?;
        }
    }
    Ok(())
}

/// Puts what [`replace`] answers in the place of the first value.
fn replace_first(container: &mut Value) {
    match container {
        Value::Array(items) | Value::List(items) => items[0] = Value::Int(4711),
        Value::Map(entries) | Value::Dict(entries) => entries[0].1 = Value::Int(4711),
        _ => {}
    }
}

/// A map and a mutation in which no callback matches give the value itself back, whatever it is.
#[check(VIS_0020)]
fn nothing_matches_anywhere(t: &Trial) -> Verdict {
    // Where there is no callback, none matches either.
    let all = [Changes::new(t, &[(kTVMFFIFloat, replace)])?, Changes::new(t, &[])?];
    for place in [&PLACES[..], &[Place::Alone]].concat() {
        for others in [0, 9] {
            let inner = t.call_global("ffi.Array", &[view::int(1)])?;
            let holder = place.put_before(t, &inner.any(), others)?;
            for changes in &all {
                for (_, changed) in changes.of(t, &holder)? {
                    t.any_eq(format_args!("what nothing was done to, {place:?}"), &changed.any(), &holder.any())?;
                }
            }
            let counts = (t.counts(inner.handle())?.0, t.counts(holder.handle())?.0);
            let expected = if place == Place::Alone { (2, 2) } else { (2, 1) };
            t.eq(format_args!("strong counts of what nothing was done to, {place:?}"), counts, expected)?;
        }
    }
    Ok(())
}

/// A map and a mutation in which no callback matches give back a value of any kind, also one that cannot be copied, wherever it is.
#[check(VIS_0020)]
fn nothing_matches_any_kind(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.visit.NeverCopied", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let (plain, node) = (Homemade::new(kTVMFFIObject, ()), node(kind, view::int(1), view::int(2)));
    let (module, opaque) = (t.call_global("ffi.SystemLib", &[])?, t.opaque(std::ptr::dangling_mut(), keep_self)?);
    let (shape, function) = (t.call_global("ffi.Shape", &[view::int(2), view::int(3)])?, t.callback(count)?);
    let error = t.new_error("ValueError", "a value like others", "")?;
    let mut values = vec![plain.view(), node.view()];
    values.extend([&module, &opaque, &shape, &function, &error].map(Owned::any));
    let samples = t.samples()?;
    values.extend(samples.iter().map(|sample| sample.any()).filter(|any| any.type_index >= kTVMFFIStaticObjectBegin));
    let all = [Changes::new(t, &[(kTVMFFIDevice, replace)])?, Changes::new(t, &[])?];
    for (value, place) in values.iter().flat_map(|value| PLACES.iter().map(move |place| (value, place))) {
        let holder = place.put(t, value)?;
        for changes in &all {
            for (_, changed) in changes.of(t, &holder)? {
                t.any_eq(format_args!("what nothing was done to, {place:?}"), &changed.any(), &holder.any())?;
                t.any_eq("what it holds", &place.look(t, &changed.any())?, value)?;
            }
        }
    }
    Ok(())
}

/// A walk and a visit that a callback interrupts answer its very interrupt and call no other, wherever they are.
#[check(VIS_0011, patient = 2)]
fn interrupted_everywhere(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    choose(&interrupt);
    let none = entries(t, &[])?;
    for place in [&PLACES[..], &[Place::Alone]].concat() {
        let inner = t.call_global("ffi.Array", &[view::float(0.5), view::float(1.5)])?;
        let holder = place.put_before(t, &inner.any(), 9)?;
        let callbacks = entries(t, &[(kTVMFFIFloat, interrupt_at_once)])?;
        let mut calls = Vec::new();
        if globals::find(t, "ffi.StructuralVisit")?.is_some() {
            calls.push(("ffi.StructuralVisit", vec![holder.any(), callbacks.any()]));
        }
        for order in [PRE, POST] {
            calls.push(("ffi.StructuralWalk", vec![holder.any(), callbacks.any(), none.any(), view::int(order)]));
            calls.push(("ffi.StructuralWalk", vec![holder.any(), none.any(), callbacks.any(), view::int(order)]));
        }
        for (name, args) in calls {
            let answer = t.call_global(name, &args)?;
            t.any_eq(format_args!("the answer of {name}, {place:?}"), &answer.any(), &interrupt.any())?;
            t.eq(format_args!("calls of the callback by {name}, {place:?}"), counted(), 1)?;
            drop(answer);
            t.eq(format_args!("counts of the interrupt after {name}"), t.counts(interrupt.handle())?, (1, 1))?;
        }
    }
    Ok(())
}

/// A walk and a visit answer the very interrupt of a callback and call no other, whichever of the values that are met it is answered for: the
/// root itself, the first, the last or one between, whatever the root is.
#[check(VIS_0011, patient = 2)]
fn interrupted_at_each_value(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    choose_value(&interrupt.any());
    let (none, callbacks) = (entries(t, &[])?, entries(t, &[(EVERYTHING, interrupt_in_the_end)])?);
    for (what, root) in roots(t)? {
        let mut calls = Vec::new();
        for order in [PRE, POST] {
            let [root, some, none, order] = [root.any(), callbacks.any(), none.any(), view::int(order)];
            calls.push(("ffi.StructuralWalk", vec![root, some, none, order]));
            calls.push(("ffi.StructuralWalk", vec![root, none, some, order]));
        }
        if globals::find(t, "ffi.StructuralVisit")?.is_some() {
            calls.push(("ffi.StructuralVisit", vec![root.any(), callbacks.any()]));
        }
        for (number, (name, args)) in calls.iter().enumerate() {
            CALLS_LEFT.store(usize::MAX, Ordering::Release);
            t.call_global(name, args)?;
            // How many values are met is for other clauses to say.
            let met = counted();
            for at in 1..=met {
                CALLS_LEFT.store(at, Ordering::Release);
                let answer = t.call_global(name, args)?;
                let what = format_args!("{name} of {what}, call {number}, interrupted at value {at} of {met}");
                t.any_eq(format_args!("the answer of {what}"), &answer.any(), &interrupt.any())?;
                t.eq(format_args!("calls of the callback by {what}"), counted(), at)?;
                drop(answer);
                t.eq(format_args!("counts of the interrupt after {what}"), t.counts(interrupt.handle())?, (1, 1))?;
            }
        }
    }
    Ok(())
}

/// How many calls of [`interrupt_in_the_end`] are left, with the one that interrupts.
static CALLS_LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Is counted, and answers the interrupt that the check has chosen when no call is left.
fn interrupt_in_the_end(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let nothing = count(api, args);
    if CALLS_LEFT.fetch_sub(1, Ordering::AcqRel) == 1 { answer_chosen(api, args) } else { nothing }
}

/// A function in `__s_visit__` that visits the second field.
fn visit_second(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [visitor, value] = args else { return raise(api, c"AssertionError", c"the hook takes a visitor and a value") };
    ask(api, "ffi.StructuralVisitorVisit", &[*visitor, fields_of(value)?.second])
}

/// Roots of every kind, with what they are: plain values and texts, containers of few and of many values, and one in the other, and objects
/// with fields, and such as a function of their type visits.
fn roots(t: &Trial) -> Verdict<Vec<(String, Owned)>> {
    let mut roots = Vec::new();
    let samples = t.samples()?;
    for sample in samples.iter().filter(|sample| sample.is_data() && sample.any().type_index != kTVMFFINone) {
        roots.push((sample.name.clone(), Place::Alone.put(t, &sample.any())?));
    }
    for size in [0, 1, 3, 6] {
        for container in t.containers_of(size, -1)? {
            roots.push((format!("type {} of {size} values", container.any().type_index), container));
        }
    }
    let tree = kTVMFFISEqHashKindTreeNode;
    let kind = node_type(t, "verify.visit.Root", tree, [0, 0])?;
    let hooked = node_type(t, "verify.visit.HookedRoot", tree, [0, 0])?;
    t.set_hook(hooked, "__s_visit__", &t.callback(visit_second)?.any())?;
    for inner in PLACES {
        let held = inner.put(t, &view::float(0.5))?;
        for outer in PLACES {
            roots.push((format!("{inner:?}, {outer:?}"), outer.put(t, &held.any())?));
        }
        for (what, kind) in [("an object", kind), ("an object with a hook", hooked)] {
            let object = t.own(node(kind, view::int(1), held.any()).view());
            for place in PLACES {
                roots.push((format!("{what}, {place:?}"), place.put(t, &object.any())?));
            }
            roots.push((format!("{what} that holds a value {inner:?}"), object));
        }
    }
    Ok(roots)
}

/// A walk and a visit that a callback interrupts answer its very interrupt, whatever value that holds.
#[check(VIS_0011)]
fn interrupted_with_any_value(t: &Trial) -> Verdict {
    let (none, value) = (entries(t, &[])?, t.call_global("ffi.Array", &[view::float(0.5), view::float(1.5)])?);
    let callbacks = entries(t, &[(kTVMFFIFloat, interrupt_at_once)])?;
    for held in t.samples()? {
        let interrupt = t.call_global("ffi.VisitInterrupt", &[held.any()])?;
        choose(&interrupt);
        let mut calls = vec![("ffi.StructuralWalk", vec![value.any(), callbacks.any(), none.any(), view::int(PRE)])];
        if globals::find(t, "ffi.StructuralVisit")?.is_some() {
            calls.push(("ffi.StructuralVisit", vec![value.any(), callbacks.any()]));
        }
        for (name, args) in calls {
            let answer = t.call_global(name, &args)?;
            t.any_eq(
                format_args!("the answer of {name}, interrupted with {}", held.name),
                &answer.any(),
                &interrupt.any(),
            )?;
            counted();
        }
    }
    Ok(())
}

/// Walks, visits, maps and mutations whose lists of callbacks hold something else answer or fail, and keep nothing.
#[check(VIS_0025)]
fn lists_of_something_else(t: &Trial) -> Verdict {
    let (none, function) = (entries(t, &[])?, t.callback(count)?);
    let value = t.call_global("ffi.Array", &[view::int(1), view::int(2)])?;
    let (index, text) = (view::int(kTVMFFIInt.into()), view::c_str(c"a text that is not short"));
    for entry in [
        vec![],
        vec![index],
        vec![function.any()],
        vec![function.any(), index],
        vec![index, index],
        vec![index, text],
        vec![text, function.any()],
        vec![index, function.any(), index, index],
        vec![view::int(1 << 40), function.any()],
        vec![view::int(i64::MIN), function.any(), view::bool(false)],
        vec![view::int(77_777), function.any()],
    ] {
        let entry = t.call_global("ffi.Array", &entry)?;
        for list in [t.call_global("ffi.Array", &[entry.any()])?, t.call_global("ffi.Array", &[index, text])?] {
            for order in [PRE, POST, 7, -1] {
                for name in ["ffi.StructuralWalk", "ffi.StructuralMap"] {
                    t.returns(name, &[value.any(), list.any(), none.any(), view::int(order)])?;
                    t.returns(name, &[value.any(), none.any(), list.any(), view::int(order)])?;
                }
            }
            for name in ["ffi.StructuralVisit", "ffi.StructuralMutate"] {
                t.returns(name, &[value.any(), list.any()])?;
            }
            t.eq("counts of a list of something else", t.counts(list.handle())?, (1, 1))?;
        }
    }
    counted();
    t.eq("strong count of the function", t.counts(function.handle())?, (1, 1))
}

/// Threads may walk and map one value at the same time, each with callbacks of its own.
#[check(VIS_0034)]
fn threads(t: &Trial) -> Verdict {
    let values: Vec<_> = t.containers_of(20, -1)?.into_iter().map(Owned::into_any).collect();
    let (none, numbers) = (entries(t, &[])?.into_any(), entries(t, &[(kTVMFFIInt, add_hundred)])?.into_any());
    let everything = entries(t, &[(EVERYTHING, count)])?.into_any();
    t.same_on_threads("walks and maps on several threads", |client| {
        let mut all = Vec::new();
        for value in &values {
            let walked = client.call_global("ffi.StructuralWalk", &[*value, none, everything, view::int(PRE)])?;
            let mapped = client.call_global("ffi.StructuralMap", &[*value, numbers, none, view::int(POST)])?;
            all.push((walked.any().type_index, Value::read(client, &mapped.any())?));
        }
        Ok(all)
    })
}
