//! Objects that stand in several places.

use tvm_ffi_spec::*;

use super::kit::{READ, WRITE, read, write};
use crate::{
    checks::check,
    client::{Owned, Verdict, model::Value, samples::Place, view},
    trial::Trial,
};

/// An object that occurs twice in a value comes back from its JSON graph as one object.
#[check(GRF_0006)]
fn sharing(t: &Trial) -> Verdict {
    let shared = Value::Array(vec![Value::Int(1)]).build(t)?;
    let pair = t.call_global("ffi.Array", &[shared.any(), shared.any()])?;
    let back = read(t, &write(t, &pair.any(), None)?)?;
    let item = |index| t.call_global("ffi.ArrayGetItem", &[back.any(), view::int(index)]);
    t.eq("the second element", item(1)?.handle(), item(0)?.handle())
}

/// A container of any kind that stands twice comes back as one object, in every container and through every door.
#[check(GRF_0006)]
fn sharing_of_every_kind(t: &Trial) -> Verdict {
    let kinds = Place::all(t)?.into_iter().filter(|kind| *kind != Place::Alone);
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    for kind in kinds {
        let shared = kind.put(t, &view::int(1))?;
        for place in Place::all(t)? {
            let (one, other) = (place.put(t, &shared.any())?, place.put(t, &shared.any())?);
            let both = t.call_global("ffi.Array", &[one.any(), other.any()])?;
            for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
                let graph = t.call(write, &[both.any(), TVMFFIAny::NONE])?;
                let back = t.call(read, &[graph.any()])?;
                let look = |at| place.look(t, &t.element(back.handle(), at)?);
                let (first, second) = (look(0)?, look(1)?);
                t.any_eq(format_args!("the second {kind:?}, {place:?}"), &second, &first)?;
            }
        }
    }
    Ok(())
}

/// A container of any kind that stands in any number of places, side by side or one deeper than the other, comes back as one object in
/// all of them, in every container and through every door.
#[check(GRF_0006, patient = 2)]
fn sharing_in_many_places(t: &Trial) -> Verdict {
    let (makes, doors) = (t.containers()?, doors(t)?);
    let kinds = Place::all(t)?.into_iter().filter(|kind| *kind != Place::Alone);
    let array = t.global("ffi.Array")?;
    for (column, (kind, make)) in kinds.flat_map(|kind| makes.iter().map(move |make| (kind, *make))).enumerate() {
        let (shared, function) = (kind.put(t, &view::int(1))?, t.global(make)?);
        for (row, count) in [2_usize, 3, 4, 5, 6, 7, 8, 9, 40].into_iter().enumerate() {
            // In turn, so that each comes with each of all else.
            let deeper = (column + column / makes.len() + row) % 2 == 0;
            // Every other place is one deeper, in an Array of its own.
            let is_deeper = |at: usize| deeper && at % 2 == 1;
            let around = |at: usize| is_deeper(at).then(|| t.call(&array, &[shared.any()])).transpose();
            let around = (0..count).map(around).collect::<Verdict<Vec<_>>>()?;
            let parts = around.iter().map(|holder| holder.as_ref().map_or(shared.any(), Owned::any));
            let keyed = parts.clone().zip(0..).flat_map(|(part, key)| [view::int(key), part]);
            let args: Vec<_> = if is_map(make) { keyed.collect() } else { parts.collect() };
            let whole = t.call(&function, &args)?;
            for (write, read) in &doors {
                let back = t.call(read, &[t.call(write, &[whole.any(), TVMFFIAny::NONE])?.any()])?;
                let places = in_order(t, &back)?;
                t.eq(format_args!("places in what was an {make}"), places.len(), count)?;
                for (at, place) in places.iter().enumerate() {
                    let found = if is_deeper(at) { Place::InArray.look(t, place)? } else { *place };
                    let what =
                        format_args!("what came back in place {at} of {count} of one container, {kind:?}, in {make}");
                    t.any_eq(what, &found, &places[0])?;
                }
            }
        }
    }
    Ok(())
}

/// A container of any kind and size, an empty one, too, that stands twice, side by side or one deeper than the other, comes back as one object, in
/// every container and through every door.
#[check(GRF_0006, patient = 2)]
fn sharing_of_every_size(t: &Trial) -> Verdict {
    let (makes, doors) = (t.containers()?, doors(t)?);
    for size in [0, 1, 2, 4, 5, 17] {
        for shared in t.containers_of(size, size)? {
            let holder = t.call_global("ffi.List", &[shared.any()])?;
            for (make, deeper) in makes.iter().flat_map(|make| [(*make, false), (*make, true)]) {
                let other = if deeper { holder.any() } else { shared.any() };
                let args = if is_map(make) {
                    vec![view::int(0), shared.any(), view::int(1), other]
                } else {
                    vec![shared.any(), other]
                };
                let whole = t.call_global(make, &args)?;
                for (write, read) in &doors {
                    let back = t.call(read, &[t.call(write, &[whole.any(), TVMFFIAny::NONE])?.any()])?;
                    let places = in_order(t, &back)?;
                    t.eq(format_args!("places in what was an {make}"), places.len(), 2)?;
                    let second = if deeper { Place::InList.look(t, &places[1])? } else { places[1] };
                    let what = format_args!(
                        "the second place of a container of type {} with {size} parts in {make}",
                        shared.any().type_index
                    );
                    t.any_eq(what, &second, &places[0])?;
                }
            }
        }
    }
    Ok(())
}

/// A container of any kind that is a key and its own value in a map of any size, and stands beside the map, too, comes back as one object in
/// all these places, through every door.
#[check(GRF_0006)]
fn sharing_of_key_and_value(t: &Trial) -> Verdict {
    let doors = doors(t)?;
    let kinds = Place::all(t)?.into_iter().filter(|kind| *kind != Place::Alone);
    let makes = || t.containers().map(|all| all.into_iter().filter(|make| is_map(make)));
    for (kind, others) in kinds.flat_map(|kind| [0, 1, 3, 4, 9].map(|others| (kind, others))) {
        for (make, key_first) in makes()?.flat_map(|make| [(make, true), (make, false)]) {
            let shared = kind.put(t, &view::int(1))?;
            // The others have integers for keys.
            let mut args: Vec<_> = (0..2 * others).map(view::int).collect();
            let at = if key_first { 0 } else { args.len() };
            args.splice(at..at, [shared.any(); 2]);
            let map = t.call_global(make, &args)?;
            let beside = t.call_global("ffi.Array", &[shared.any(), map.any(), shared.any()])?;
            for (write, read) in &doors {
                let back_of = |value: &Owned| t.call(read, &[t.call(write, &[value.any(), TVMFFIAny::NONE])?.any()]);
                let what = format_args!("{kind:?}, a key and its value in {make} with {others} others");
                let alone = back_of(&map)?;
                let (key, value) = entry_of_object(t, alone.handle())?;
                t.any_eq(format_args!("the value of {what}"), &value, &key)?;
                let whole = back_of(&beside)?;
                let map = t.element(whole.handle(), 1)?;
                let (key, value) = entry_of_object(t, map.payload() as TVMFFIObjectHandle)?;
                t.any_eq(format_args!("the value beside others of {what}"), &value, &key)?;
                for place in [0, 2] {
                    t.any_eq(format_args!("element {place} beside {what}"), &t.element(whole.handle(), place)?, &key)?;
                }
            }
        }
    }
    Ok(())
}

/// The entry of a map whose key is an object.
fn entry_of_object(t: &Trial, map: TVMFFIObjectHandle) -> Verdict<(TVMFFIAny, TVMFFIAny)> {
    let entry = t.map(map)?.entries.into_iter().find(|(key, _)| key.type_index >= kTVMFFIStaticObjectBegin);
    entry.ok_or_else(|| t.failure("the keys that came back", "one that is an object", "none"))
}

/// The elements of a sequence, or the values of a map in the order of its keys, which are integers.
fn in_order(t: &Trial, container: &Owned) -> Verdict<Vec<TVMFFIAny>> {
    if matches!(container.any().type_index, kTVMFFIArray | kTVMFFIList) {
        return Ok(t.sequence(container.handle())?.items);
    }
    let mut entries = t.map(container.handle())?.entries;
    entries.sort_by_key(|(key, _)| key.payload());
    Ok(entries.into_iter().map(|(_, value)| value).collect())
}

/// A value with sharing at 40 levels is written as one node for each level.
#[check(GRF_0006)]
fn diamonds(t: &Trial) -> Verdict {
    let mut value = Value::Array(vec![]).build(t)?;
    for _ in 0..40 {
        value = t.call_global("ffi.Array", &[value.any(), value.any()])?;
    }
    let text = write(t, &value.any(), None)?;
    t.that("the length of the text", text.len() < 10_000, "one node a level", text.len())?;
    read(t, &text).map(drop)
}

/// An object that was read from a graph is held once for each place where it stands, in every container and by every door.
#[check(GRF_0024)]
fn held_once_for_each_place(t: &Trial) -> Verdict {
    // Texts may be shared with the graph, and by it with the value that it was made of.
    let is_text = |value: &Owned| matches!(value.any().type_index, kTVMFFIStr | kTVMFFIBytes);
    for shared in of_every_kind(t)?.into_iter().filter(|value| !is_text(value)) {
        for make in t.containers()? {
            let args = [view::int(1), shared.any(), view::int(2), shared.any()];
            let both = t.call_global(make, &args)?;
            for (write, read) in doors(t)? {
                let back = t.call(&read, &[t.call(&write, &[both.any(), TVMFFIAny::NONE])?.any()])?;
                let (one, other) = second_and_fourth(t, &back)?;
                t.any_eq(format_args!("the second place in what was an {make}"), &other, &one)?;
                let counts = t.counts(one.payload() as TVMFFIObjectHandle)?;
                t.eq(
                    format_args!("counts of type {} that stands twice in what was an {make}", one.type_index),
                    counts,
                    (2, 1),
                )?;
            }
        }
    }
    Ok(())
}

/// Writing and reading graphs of what stands twice leave no memory behind, in every container and by every door.
#[check(GRF_0023, patient = 3)]
fn sharing_leaves_nothing(t: &Trial) -> Verdict {
    let kinds = of_every_kind(t)?;
    let each_twice: Vec<_> = kinds.iter().flat_map(|kind| [kind.any(), kind.any()]).collect();
    let (mut values, mut graphs) = (Vec::new(), Vec::new());
    let entries: Vec<_> = (0..).map(view::int).zip(&each_twice).flat_map(|(key, value)| [key, *value]).collect();
    for make in t.containers()? {
        values.push(t.call_global(make, if is_map(make) { &entries } else { &each_twice })?);
        // A small map is laid out in another way than that.
        values.push(t.call_global(make, &entries[entries.len() - 4..])?);
    }
    let doors = doors(t)?;
    for value in &values {
        for (write, read) in &doors {
            graphs.push((read, t.call(write, &[value.any(), TVMFFIAny::NONE])?));
        }
    }
    t.no_growth("reading graphs of what stands twice", || {
        graphs.iter().try_for_each(|(read, graph)| t.call(read, &[graph.any()]).map(drop))
    })?;
    t.no_growth("writing graphs of what stands twice", || {
        values.iter().try_for_each(|value| t.call(&doors[1].0, &[value.any(), TVMFFIAny::NONE]).map(drop))
    })
}

/// The functions that write and read graphs, as texts and as values.
fn doors(t: &Trial) -> Verdict<[(Owned, Owned); 2]> {
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    Ok([(write, read), (to_graph, from_graph)])
}

fn is_map(make: &str) -> bool {
    matches!(make, "ffi.Map" | "ffi.Dict")
}

/// An object of each kind that a graph can hold.
fn of_every_kind(t: &Trial) -> Verdict<Vec<Owned>> {
    let mut kinds = vec![
        t.string(b"a string on the heap")?,
        t.bytes(b"bytes on the heap")?,
        t.call_global("ffi.Shape", &[view::int(2), view::int(3)])?,
        t.access_step(1, view::int(7))?,
    ];
    for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
        kinds.push(place.put(t, &view::int(1))?);
    }
    Ok(kinds)
}

/// The second and the fourth element of a sequence, or the first two values of a map.
fn second_and_fourth(t: &Trial, container: &Owned) -> Verdict<(TVMFFIAny, TVMFFIAny)> {
    let values: Vec<_> = match container.any().type_index {
        kTVMFFIArray | kTVMFFIList => t.sequence(container.handle())?.items.into_iter().skip(1).step_by(2).collect(),
        _ => t.map(container.handle())?.entries.into_iter().map(|(_, value)| value).collect(),
    };
    match values[..] {
        [one, other] => Ok((one, other)),
        _ => Err(t.failure("places of the object", 2, values.len())),
    }
}
