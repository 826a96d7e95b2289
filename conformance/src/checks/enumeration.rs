//! Enumerations that clients declare.
//!
//! An enumeration is a type below `ffi.Enum` whose instances are known to a state, which is the type's entry in the
//! column `__ffi_enum__`. The ones here are declared as Python declares them.

use serde_json::Value;
use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        enumeration::{Enumeration, part_of},
        graph_text::nodes_of,
        reflected,
        samples::Place,
        view,
    },
    trial::Trial,
};

/// The types that enumerations lie below, which have instances of their own.
const BUILT_IN: [&str; 3] = ["ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"];

/// The JSON graph of an instance of a type below ffi.IntEnum, at any depth, holds the type's key and the `_int_index`, and not the text.
#[check(ENU_0001)]
fn saved_by_number(t: &Trial) -> Verdict {
    saved_at_any_depth(t, "ffi.IntEnum", [7.into(), 8.into()])
}

/// Expects the JSON graphs of the two instances of types below a built-in one, at any depth, to hold this data.
fn saved_at_any_depth(t: &Trial, built_in: &str, data: [Value; 2]) -> Verdict {
    for (key, color) in Enumeration::declare_line(t, built_in, true)? {
        for (instance, data) in [&color.red, &color.green].into_iter().zip(&data) {
            let saved = save(t, instance.any())?;
            t.eq(format_args!("data of the node of an instance of {key}"), &data_of(t, &saved, &key)?, data)?;
        }
    }
    Ok(())
}

/// The data of the only node of a type in a JSON graph.
fn data_of(t: &Trial, graph: &str, key: &str) -> Verdict<Value> {
    match nodes_of(graph).iter().filter(|node| node["type"] == key).collect::<Vec<_>>()[..] {
        [node] => Ok(node["data"].clone()),
        _ => Err(t.failure("the JSON graph", format!("one node of the type {key}"), graph)),
    }
}

/// The JSON graph of an instance of a type below ffi.StrEnum or of another one below ffi.Enum, at any depth, holds the `_str_index`.
#[check(ENU_0001)]
fn saved_by_text(t: &Trial) -> Verdict {
    ["ffi.StrEnum", "ffi.Enum"]
        .into_iter()
        .try_for_each(|parent| saved_at_any_depth(t, parent, ["red".into(), "green".into()]))
}

/// The JSON graph of an instance of an enumeration is read as that very instance.
#[check(ENU_0002)]
fn restored(t: &Trial) -> Verdict {
    for parent in BUILT_IN {
        let color = Enumeration::declare(t, &format!("verify.Color{}", &parent[4..]), parent, true)?;
        let before = t.counts(color.red.handle())?;
        let restored = save_and_restore(t, color.red.any())?;
        t.any_eq("the restored instance", &restored.any(), &color.red.any())?;
        t.eq("strong count of the instance", t.counts(color.red.handle())?.0, before.0 + 1)?;
    }
    Ok(())
}

/// The JSON graph of an Array of instances of an enumeration is read as an Array of those very instances.
#[check(ENU_0002)]
fn restored_in_container(t: &Trial) -> Verdict {
    let color = Enumeration::declare(t, "verify.Color", "ffi.IntEnum", true)?;
    let array = t.call_global("ffi.Array", &[color.green.any(), color.red.any(), color.green.any()])?;
    let restored = save_and_restore(t, array.any())?;
    for (place, expected) in [(0, &color.green), (1, &color.red), (2, &color.green)] {
        let item = t.call_global("ffi.ArrayGetItem", &[restored.any(), view::int(place)])?;
        t.any_eq(format_args!("item {place}"), &item.any(), &expected.any())?;
    }
    Ok(())
}

/// Reading a JSON graph with an index that the enumeration does not have raises an error.
#[check(ENU_0003)]
fn unknown_index(t: &Trial) -> Verdict {
    let color = Enumeration::declare(t, "verify.Color", "ffi.IntEnum", true)?;
    // An instance that was never entered in the state.
    let stranger = color.instance(t, 99, "blue")?;
    is_not_restored(t, &stranger, &[])
}

/// Reading a JSON graph with an index that is only like one of the enumeration's raises an error.
#[check(ENU_0003)]
fn index_that_is_alike(t: &Trial) -> Verdict {
    // Not 7.0, which readers of JSON may take for 7; what is 7 in the lower bits or without its sign is another number.
    let numbers = [
        "4294967303",
        "-4294967289",
        "2147483655",
        "65543",
        "263",
        "1099511627783",
        "-9223372036854775801",
        "-7",
        "-8",
        "0",
        "1",
        "7.5",
        "7.9999999",
        "6.9999999",
        "\"7\"",
        "\"seven\"",
        "true",
        "null",
        "[]",
        "{}",
    ];
    let texts = [
        r#""re""#,
        r#""redd""#,
        r#""red\u0000""#,
        r#""\u0000red""#,
        r#""Red""#,
        r#"" red""#,
        r#""red ""#,
        r#""""#,
        r#""green red""#,
        "6",
        "9",
        "4294967303",
        "true",
        "null",
        "[]",
        "{}",
    ];
    for (parent, others) in [("ffi.IntEnum", &numbers[..]), ("ffi.StrEnum", &texts), ("ffi.Enum", &texts)] {
        let key = format!("verify.Color{}", &parent[4..]);
        let color = Enumeration::declare(t, &key, parent, true)?;
        let before = (t.counts(color.red.handle())?, t.counts(color.green.handle())?);
        for other in others {
            let graph = graph_of(&key, other);
            let text = t.string(graph.as_bytes())?;
            let parsed = t.call_global("ffi.json.Parse", &[text.any()])?;
            for (door, arg) in [("ffi.FromJSONGraphString", &text), ("ffi.FromJSONGraph", &parsed)] {
                let refused = t.call_fails(&t.global(door)?, &[arg.any()], &[]);
                drop(refused.map_err(|failure| failure.noting(format!("{door} of {graph}")))?);
            }
        }
        let after = (t.counts(color.red.handle())?, t.counts(color.green.handle())?);
        t.eq("counts of the instances after graphs that were refused", after, before)?;
    }
    Ok(())
}

/// Instances whose numbers differ in their upper bits, or in their sign, are saved and restored as those very instances.
#[check(ENU_0002, ENU_0001)]
fn numbers_of_every_size(t: &Trial) -> Verdict {
    let numbers = [7, 7 | 1 << 32, 7 - (1 << 32), 7 | 1 << 40, -7, 0, i64::MAX, i64::MIN, (1 << 53) + 1, 1 << 53];
    let color = Enumeration::declare(t, "verify.Color", "ffi.IntEnum", false)?;
    let named = (0..).zip(numbers).map(|(place, number)| (number, format!("color {place}"))).collect::<Vec<_>>();
    let instances: Verdict<Vec<_>> = named.iter().map(|(number, text)| color.instance(t, *number, text)).collect();
    let instances = instances?;
    let entered: Vec<_> =
        named.iter().zip(&instances).map(|((number, text), one)| (*number, text.as_str(), one)).collect();
    color.enter(t, &entered)?;
    for (number, text, instance) in entered {
        t.clause(id::ENU_0001);
        let saved = save(t, instance.any())?;
        t.eq(format_args!("data of the node of {text}"), data_of(t, &saved, "verify.Color")?, number.into())?;
        t.clause(id::ENU_0002);
        let restored = save_and_restore(t, instance.any())?;
        t.any_eq(format_args!("the restored instance of number {number}"), &restored.any(), &instance.any())?;
    }
    Ok(())
}

/// Instances whose numbers are not their places among all instances, but the places of others or of none, come back from their JSON graph
/// as those very instances, in texts and in values, by themselves, in every container and in a field.
#[check(ENU_0002)]
fn numbers_are_no_places(t: &Trial) -> Verdict {
    let rows: [&[i64]; 6] =
        [&[1, 0], &[2, 0, 1], &[3, 2, 1, 0], &[0, 2, -1, 1], &[9, 2, 5], &[1, 4, -2, 1 << 40, 0, i64::MAX, 3]];
    let [write, read, to_graph, from_graph] =
        t.globals(["ffi.ToJSONGraphString", "ffi.FromJSONGraphString", "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    let places = Place::all(t)?;
    for (parent, row, numbers) in BUILT_IN.iter().flat_map(|parent| (0..6).map(move |row| (parent, row, rows[row]))) {
        let color = Enumeration::declare(t, &format!("verify.Color{}{row}", &parent[4..]), parent, false)?;
        let texts: Vec<_> = numbers.iter().map(i64::to_string).collect();
        let instances: Verdict<Vec<_>> =
            numbers.iter().zip(&texts).map(|(number, text)| color.instance(t, *number, text)).collect();
        let instances = instances?;
        let entered: Vec<_> = numbers
            .iter()
            .zip(&texts)
            .zip(&instances)
            .map(|((number, text), one)| (*number, text.as_str(), one))
            .collect();
        color.enter(t, &entered)?;
        for (number, _, instance) in entered {
            let what = format_args!("instance {number} of {numbers:?} of a type below {parent}");
            for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
                let back = |value: &Owned| t.call(read, &[t.call(write, &[value.any(), TVMFFIAny::NONE])?.any()]);
                for place in &places {
                    let restored = back(&place.put(t, &instance.any())?)?;
                    let found = place.look(t, &restored.any())?;
                    t.any_eq(format_args!("{what}, {place:?}"), &found, &instance.any())?;
                }
                let restored = back(&t.access_step(1, instance.any())?)?;
                let (_, _, key): (i32, u32, TVMFFIAny) = t.cell("the object", restored.handle())?;
                t.any_eq(format_args!("{what}, in a field"), &key, &instance.any())?;
            }
        }
    }
    Ok(())
}

/// An index that the state of an enumeration did not have when a JSON graph with it was read first leads to its instance from when that is
/// entered; so do those of an enumeration whose state comes later.
#[check(ENU_0002, ENU_0003)]
fn entered_later(t: &Trial) -> Verdict {
    let doors = t.globals(["ffi.FromJSONGraphString", "ffi.FromJSONGraph"])?;
    for (parent, has_state) in BUILT_IN.iter().flat_map(|parent| [(parent, true), (parent, false)]) {
        let key = format!("verify.Later{}{has_state}", &parent[4..]);
        let color = Enumeration::declare(t, &key, parent, has_state)?;
        let late = [(9_i64, "blue", color.instance(t, 9, "blue")?), (-1, "grey", color.instance(t, -1, "grey")?)];
        let mut graphs = Vec::new();
        for (number, text, _) in &late {
            let index = if *parent == "ffi.IntEnum" { number.to_string() } else { format!("\"{text}\"") };
            let graph = t.string(graph_of(&key, &index).as_bytes())?;
            let parsed = t.call_global("ffi.json.Parse", &[graph.any()])?;
            graphs.push([graph, parsed]);
        }
        // Of those that were entered late, so many are there.
        let are_there = |count: usize| -> Verdict {
            for (place, (graphs, (_, text, instance))) in graphs.iter().zip(&late).enumerate() {
                for (door, graph) in doors.iter().zip(graphs) {
                    t.clause(if place < count { id::ENU_0002 } else { id::ENU_0003 });
                    if place < count {
                        let restored = t.call(door, &[graph.any()])?;
                        let what =
                            format_args!("the instance {text} of a type below {parent}, entered after it was missed");
                        t.any_eq(what, &restored.any(), &instance.any())?;
                    } else {
                        t.call_fails(door, &[graph.any()], &[])?;
                    }
                }
            }
            Ok(())
        };
        are_there(0)?;
        if !has_state {
            color.register_state(t)?;
            are_there(0)?;
        }
        for (place, (number, text, instance)) in late.iter().enumerate() {
            color.enter_one(t, *number, text, instance)?;
            are_there(place + 1)?;
        }
    }
    Ok(())
}

/// A JSON graph leads to the instance that the state of the enumeration has under the index when it is read, however often it was read
/// before: to another that has taken the place of the first, to none where it was taken out, and to the first again.
#[check(ENU_0002, ENU_0003)]
fn exchanged_in_the_state(t: &Trial) -> Verdict {
    let doors = t.globals(["ffi.FromJSONGraphString", "ffi.FromJSONGraph"])?;
    for parent in BUILT_IN {
        let key = format!("verify.Exchanged{}", &parent[4..]);
        let color = Enumeration::declare(t, &key, parent, true)?;
        let (first, other) = (&color.red, color.instance(t, 7, "red")?);
        let index = if parent == "ffi.IntEnum" { "7" } else { "\"red\"" };
        let mut graphs = vec![graph_of(&key, index)];
        graphs.push(format!(
            r#"{{"root_index":1,"nodes":[{{"type":"{key}","data":{index}}},{{"type":"ffi.Array","data":[0]}}]}}"#
        ));
        let leads_to = |expected: Option<&Owned>, when: &str| -> Verdict {
            t.clause(if expected.is_some() { id::ENU_0002 } else { id::ENU_0003 });
            for (place, text) in [Place::Alone, Place::InArray].into_iter().zip(&graphs) {
                let graph = t.string(text.as_bytes())?;
                let parsed = t.call_global("ffi.json.Parse", &[graph.any()])?;
                for (door, graph) in doors.iter().zip([&graph, &parsed]) {
                    let what = format!("the instance of a type below {parent}, {place:?}, {when}");
                    match expected {
                        Some(expected) => {
                            let restored = t.call(door, &[graph.any()])?;
                            t.any_eq(what, &place.look(t, &restored.any())?, &expected.any())?;
                        }
                        None => {
                            let refused = t.call_fails(door, &[graph.any()], &[]);
                            drop(refused.map_err(|failure| failure.noting(what))?);
                        }
                    }
                }
            }
            Ok(())
        };
        let state = reflected::attribute(t, "__ffi_enum__", color.index)?;
        let part = |name| part_of(t, state.payload() as TVMFFIObjectHandle, name);
        let (entries, indexes) = (part("entries")?, part("indexes")?);
        let red = t.string(b"red")?;
        leads_to(Some(first), "as it was declared")?;
        for round in 0..2 {
            t.call_void("ffi.ListClear", &[entries.any()])?;
            color.enter_one(t, 7, "red", &other)?;
            leads_to(Some(&other), &format!("exchanged, round {round}"))?;
            t.call_void("ffi.ListClear", &[entries.any()])?;
            for key in [view::int(7), red.any()] {
                t.call_void("ffi.DictErase", &[indexes.any(), key])?;
            }
            leads_to(None, &format!("taken out, round {round}"))?;
            color.enter_one(t, 7, "red", first)?;
            leads_to(Some(first), &format!("put back, round {round}"))?;
        }
    }
    Ok(())
}

/// The JSON graph of an instance of that type with that index, as text of JSON.
fn graph_of(key: &str, index: &str) -> String {
    format!(r#"{{"root_index":0,"nodes":[{{"type":"{key}","data":{index}}}]}}"#)
}

/// The error of a JSON graph with an index that the enumeration does not have is a ValueError.
#[check(ENU_0007)]
fn unknown_index_is_a_value_error(t: &Trial) -> Verdict {
    let color = Enumeration::declare(t, "verify.Color", "ffi.StrEnum", true)?;
    is_not_restored(t, &color.instance(t, 99, "blue")?, &["ValueError"])
}

/// Reading a JSON graph of an enumeration without state raises an error.
#[check(ENU_0003)]
fn without_state(t: &Trial) -> Verdict {
    let color = Enumeration::declare(t, "verify.Color", "ffi.StrEnum", false)?;
    is_not_restored(t, &color.red, &[])
}

/// Expects the JSON graph of an instance to be refused with an error of these kinds.
fn is_not_restored(t: &Trial, instance: &Owned, kinds: &[&str]) -> Verdict {
    let saved = t.string(save(t, instance.any())?.as_bytes())?;
    t.call_fails(&t.global("ffi.FromJSONGraphString")?, &[saved.any()], kinds).map(drop)
}

/// ffi.DeepCopy answers an instance of an enumeration as it is, also inside an Array or a List.
#[check(ENU_0004)]
fn deep_copy(t: &Trial) -> Verdict {
    let color = Enumeration::declare(t, "verify.Color", "ffi.IntEnum", true)?;
    let copy = t.call_global("ffi.DeepCopy", &[color.red.any()])?;
    t.any_eq("the copy of an instance", &copy.any(), &color.red.any())?;
    let mut instances = built_in_instances(t)?;
    instances.extend([color.green, color.red]);
    for kind in ["Array", "List"] {
        let elements: Vec<_> = instances.iter().map(Owned::any).collect();
        let sequence = t.call_global(&format!("ffi.{kind}"), &elements)?;
        let copy = t.call_global("ffi.DeepCopy", &[sequence.any()])?;
        for (place, expected) in (0..).zip(&instances) {
            let item = t.call_global(&format!("ffi.{kind}GetItem"), &[copy.any(), view::int(place)])?;
            t.any_eq(format_args!("the instance in the copy of ffi.{kind}"), &item.any(), &expected.any())?;
        }
    }
    Ok(())
}

/// ffi.DeepCopy answers an instance as it is of a type that descends from an enumeration at any depth, alone and in a container.
#[check(ENU_0004)]
fn deep_copy_of_descendants(t: &Trial) -> Verdict {
    for (key, declared) in Enumeration::declare_line(t, "ffi.IntEnum", true)? {
        let instance = declared.red;
        let list = t.call_global("ffi.List", &[instance.any()])?;
        let copied_list = t.call_global("ffi.DeepCopy", &[list.any()])?;
        for copy in [
            t.call_global("ffi.DeepCopy", &[instance.any()])?,
            t.call_global("ffi.ListGetItem", &[copied_list.any(), view::int(0)])?,
        ] {
            t.any_eq(format_args!("the copy of an instance of {key}"), &copy.any(), &instance.any())?;
        }
    }
    Ok(())
}

/// An instance of each built-in type.
fn built_in_instances(t: &Trial) -> Verdict<Vec<Owned>> {
    BUILT_IN.into_iter().map(|key| reflected::create(t, reflected::type_index(t, key)?)).collect()
}

/// ffi.DeepCopy answers an instance of an enumeration as it is where it is a key or a value of a Map or a Dict.
#[check(ENU_0004)]
fn deep_copy_in_maps(t: &Trial) -> Verdict {
    let mut instances = built_in_instances(t)?;
    instances.push(Enumeration::declare(t, "verify.Color", "ffi.StrEnum", true)?.red);
    for instance in instances.iter().map(Owned::any) {
        for kind in ["Map", "Dict"] {
            // As they are these are small; with more keys they are dense.
            for more in [0, 10] {
                let more = (100..100 + more).flat_map(|number| [view::int(number), instance]);
                let entries = [view::int(7), instance, instance, view::int(8)].into_iter().chain(more);
                let map = t.call_global(&format!("ffi.{kind}"), &entries.collect::<Vec<_>>())?;
                let list = t.call_global("ffi.List", &[map.any()])?;
                let copied_list = t.call_global("ffi.DeepCopy", &[list.any()])?;
                for copy in [
                    t.call_global("ffi.DeepCopy", &[map.any()])?,
                    t.call_global("ffi.ListGetItem", &[copied_list.any(), view::int(0)])?,
                ] {
                    let get = |key| t.call_global(&format!("ffi.{kind}GetItem"), &[copy.any(), key]);
                    t.any_eq(format_args!("a value in the copy of ffi.{kind}"), &get(view::int(7))?.any(), &instance)?;
                    t.any_eq(format_args!("the value of a key of ffi.{kind}"), &get(instance)?.any(), &view::int(8))?;
                }
            }
        }
    }
    Ok(())
}

/// ffi.ReprPrint writes an instance of an enumeration as the type's key, a dot and the `_str_index`.
#[check(ENU_0005)]
fn repr(t: &Trial) -> Verdict {
    let color = Enumeration::declare(t, "verify.Color", "ffi.IntEnum", true)?;
    let text = t.call_global("ffi.ReprPrint", &[color.green.any()])?;
    t.eq("the text", String::from_utf8_lossy(&t.text(&text.any())?).as_ref(), "verify.Color.green")?;
    // Nothing in the name is written otherwise, alone and in a container.
    let long = "long ".repeat(60);
    for (parent, key) in [("ffi.IntEnum", "verify.Numbered"), ("ffi.StrEnum", "verify.Named")] {
        let declared = Enumeration::declare(t, key, parent, true)?;
        let names = [
            "",
            "a\"b",
            "it's",
            "a\\b",
            "line\nfeed",
            "tab\t",
            "caf\u{e9} \"x\"",
            "\u{1}",
            "a.b",
            "{}%s",
            "\u{1f600}",
            &long,
        ];
        for name in names {
            // It is kept for the life of the process: its end is for other checks to look at.
            let instance = &*Box::leak(Box::new(declared.instance(t, 9, name)?));
            let (list, expected) =
                (t.call_global("ffi.Array", &[instance.any(), view::int(1)])?, format!("{key}.{name}"));
            let printed = |value: &Owned| -> Verdict<String> {
                let text = t.call_global("ffi.ReprPrint", &[value.any()])?;
                Ok(String::from_utf8_lossy(&t.text(&text.any())?).into_owned())
            };
            t.eq("the text", printed(instance)?, expected.clone())?;
            let whole = printed(&list)?;
            t.that("the text of an Array", whole.contains(&expected), format_args!("{expected} in it"), &whole)?;
        }
    }
    Ok(())
}

/// ffi.StructuralEqual tells instances of an enumeration apart by identity, even if their fields are equal.
#[check(ENU_0006)]
fn identity(t: &Trial) -> Verdict {
    let color = Enumeration::declare(t, "verify.Color", "ffi.IntEnum", true)?;
    let again = color.instance(t, 7, "red")?;
    for [maps_variables, skips_content] in [[false, false], [true, false], [false, true], [true, true]] {
        let equal = |one: &TVMFFIAny, other: &TVMFFIAny| -> Verdict<TVMFFIAny> {
            let args = [*one, *other, view::bool(maps_variables), view::bool(skips_content)];
            Ok(t.call_global("ffi.StructuralEqual", &args)?.any())
        };
        let in_array = |instance: &Owned| t.call_global("ffi.Array", &[instance.any()]);
        for (what, other, expected) in [
            ("an instance and itself", &color.red, true),
            ("two instances", &color.green, false),
            ("two instances of the same index", &again, false),
        ] {
            let expected = view::bool(expected);
            t.any_eq(what, &equal(&color.red.any(), &other.any())?, &expected)?;
            let (lhs, rhs) = (in_array(&color.red)?, in_array(other)?);
            t.any_eq(format_args!("{what}, in Arrays"), &equal(&lhs.any(), &rhs.any())?, &expected)?;
            let flags = [view::bool(maps_variables), view::bool(skips_content)];
            for (lhs, rhs) in [(color.red.any(), other.any()), (lhs.any(), rhs.any())] {
                let mismatch = t.call_global("ffi.GetFirstStructuralMismatch", &[lhs, rhs, flags[0], flags[1]])?;
                let is_equal = view::bool(mismatch.any().type_index == kTVMFFINone);
                t.any_eq(format_args!("whether {what} have no mismatch"), &is_equal, &expected)?;
            }
        }
    }
    Ok(())
}

/// The JSON graph of a value.
fn save(t: &Trial, value: TVMFFIAny) -> Verdict<String> {
    let text = t.call_global("ffi.ToJSONGraphString", &[value, TVMFFIAny::NONE])?;
    Ok(String::from_utf8_lossy(&t.text(&text.any())?).into_owned())
}

/// What a value is read as from its JSON graph.
fn save_and_restore(t: &Trial, value: TVMFFIAny) -> Verdict<Owned> {
    let saved = t.string(save(t, value)?.as_bytes())?;
    t.call_global("ffi.FromJSONGraphString", &[saved.any()])
}

/// An instance is held by the state as often as the state has it, and by each value that a JSON graph is read as, or that is a copy, as often as the
/// value has it: nothing else keeps it that goes through it, whether the state has it still, has another in its place, or has none.
#[check(ENU_0002, ENU_0004)]
fn held_by_who_has_it(t: &Trial) -> Verdict {
    let [read, from_graph, copy] = t.globals(["ffi.FromJSONGraphString", "ffi.FromJSONGraph", "ffi.DeepCopy"])?;
    for parent in BUILT_IN {
        let key = format!("verify.Held{}", &parent[4..]);
        let color = Enumeration::declare(t, &key, parent, true)?;
        let (red, other) = (&color.red, color.instance(t, 7, "red")?);
        let strong = |instance: &Owned| t.counts(instance.handle()).map(|counts| counts.0);
        let index = if parent == "ffi.IntEnum" { "7" } else { "\"red\"" };
        let node = format!(r#"{{"type":"{key}","data":{index}}}"#);
        let graphs = [
            (1, graph_of(&key, index)),
            (1, format!(r#"{{"root_index":1,"nodes":[{node},{{"type":"ffi.Array","data":[0]}}]}}"#)),
            (3, format!(r#"{{"root_index":1,"nodes":[{node},{{"type":"ffi.List","data":[0,0,0]}}]}}"#)),
            (2, format!(r#"{{"root_index":2,"nodes":[{node},{node},{{"type":"ffi.Array","data":[0,1]}}]}}"#)),
        ];
        // What each answer holds of the instance that the state has, and that nothing is left of it.
        let holds = |instance: &Owned, when: &str| -> Verdict {
            for (times, graph) in &graphs {
                let text = t.string(graph.as_bytes())?;
                let parsed = t.call_global("ffi.json.Parse", &[text.any()])?;
                for (name, door, arg) in [("text", &read, &text), ("value", &from_graph, &parsed)] {
                    t.clause(id::ENU_0002);
                    // A library may keep what it has found in the state.
                    drop(t.call(door, &[arg.any()])?);
                    let before = strong(instance)?;
                    let what = format!("strong count of an instance of a type below {parent}, {when}");
                    for _ in 0..3 {
                        let answer = t.call(door, &[arg.any()])?;
                        let held = strong(instance)?;
                        t.eq(
                            format_args!("{what}, which the graph {graph} is read as from a {name}"),
                            held,
                            before + times,
                        )?;
                        drop(answer);
                        t.eq(
                            format_args!("{what}, after the graph {graph} was read as a {name}"),
                            strong(instance)?,
                            before,
                        )?;
                    }
                }
            }
            t.clause(id::ENU_0004);
            for place in Place::all(t)? {
                let value = place.put(t, &instance.any())?;
                drop(t.call(&copy, &[value.any()])?);
                let before = strong(instance)?;
                for _ in 0..3 {
                    let copied = t.call(&copy, &[value.any()])?;
                    // An Array or a Map in which nothing has to be copied may be its own copy.
                    let times = u32::from(place == Place::Alone || copied.handle() != value.handle());
                    let what = format!("strong count of an instance of a type below {parent}, {when}, {place:?}");
                    t.eq(format_args!("{what}, while there is a copy"), strong(instance)?, before + times)?;
                    drop(copied);
                    t.eq(format_args!("{what}, after it was copied"), strong(instance)?, before)?;
                }
            }
            Ok(())
        };
        holds(red, "as it was declared")?;
        let state = reflected::attribute(t, "__ffi_enum__", color.index)?;
        let part = |name| part_of(t, state.payload() as TVMFFIObjectHandle, name);
        let (entries, indexes) = (part("entries")?, part("indexes")?);
        let text = t.string(b"red")?;
        t.clause(id::ENU_0002);
        // By its place among the instances, by number and by text.
        let (held, others) = (strong(red)?, strong(&other)?);
        t.call_void("ffi.ListClear", &[entries.any()])?;
        color.enter_one(t, 7, "red", &other)?;
        t.eq("strong count of an instance in whose place the state has another", strong(red)?, held - 3)?;
        t.eq("strong count of the instance that the state has in its place", strong(&other)?, others + 3)?;
        holds(&other, "that has taken the place of another")?;
        t.eq("strong count of an instance in whose place the state has had another", strong(red)?, held - 3)?;
        let held = strong(&other)?;
        t.call_void("ffi.ListClear", &[entries.any()])?;
        for key in [view::int(7), text.any()] {
            t.call_void("ffi.DictErase", &[indexes.any(), key])?;
        }
        t.eq("strong count of an instance that was taken out of the state", strong(&other)?, held - 3)?;
        for graph in graphs.iter().map(|(_, graph)| graph) {
            t.returns("ffi.FromJSONGraphString", &[t.string(graph.as_bytes())?.any()])?;
        }
        t.eq("strong count of an instance after a graph with its index was read", strong(&other)?, held - 3)?;
        color.enter_one(t, 7, "red", red)?;
        holds(red, "that has come back")?;
    }
    Ok(())
}
