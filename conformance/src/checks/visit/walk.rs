//! Structural walks and visits.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    Callback, EVERYTHING, POST, PRE, advance, ask_visitor, both_lists_see, choose, count, counted, entries, fail,
    go_on, index_of_either_form, interrupt_at_two, note, note_all, note_twice, sample, saw, skip_pairs, triples, walk,
    walk_by_each_list, zeros,
};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        containers::retain,
        globals,
        homemade::Homemade,
        model::Value,
        node::{node, node_type},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// A structural walk meets a value before what is in it, and elements in their order.
#[check(VIS_0001)]
fn walk_order(t: &Trial) -> Verdict {
    walk(t, &sample().build(t)?, &[(EVERYTHING, note)], PRE)?;
    saw(t, &["71", "1", "71", "2", "3", "4"])
}

/// A structural walk in post order meets what is in a value before the value itself.
#[check(VIS_0002)]
fn walk_post_order(t: &Trial) -> Verdict {
    walk(t, &sample().build(t)?, &[(EVERYTHING, note)], POST)?;
    saw(t, &["1", "2", "3", "71", "4", "71"])
}

/// A structural walk without callbacks answers None.
#[check(VIS_0003)]
fn walk_nothing(t: &Trial) -> Verdict {
    let answer = walk(t, &sample().build(t)?, &[], PRE)?;
    t.any_eq("the answer of the walk", &answer.any(), &TVMFFIAny::NONE)
}

/// A structural walk of a lone scalar meets the scalar.
#[check(VIS_0001)]
fn walk_of_scalar(t: &Trial) -> Verdict {
    walk(t, &t.own(view::int(7)), &[(kTVMFFIInt, note)], PRE)?;
    saw(t, &["7"])
}

/// A structural walk meets the values of Maps and Dicts, not their keys.
#[check(VIS_0004)]
fn walk_map(t: &Trial) -> Verdict {
    let entries = |from| (from..from + 2).map(|n| (Value::Int(n), Value::Int(10 * n))).collect();
    walk(t, &Value::Map(entries(1)).build(t)?, &[(kTVMFFIInt, note)], PRE)?;
    walk(t, &Value::Dict(entries(5)).build(t)?, &[(kTVMFFIInt, note)], PRE)?;
    saw(t, &["10", "20", "50", "60"])
}

/// A callback of a walk is called only for values of its type index.
#[check(VIS_0005)]
fn walk_by_type(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::Bool(true), Value::float(2.0), Value::None]).build(t)?;
    both_lists_see(t, &value, &[(kTVMFFIInt, note)], PRE, &["1"])
}

/// A callback for Strings is called for Strings of either form.
#[check(VIS_0006)]
fn walk_strings(t: &Trial) -> Verdict {
    let texts = vec![Value::str("s"), Value::str("a string on the heap"), Value::Bytes(b"b".to_vec())];
    let value = Value::Array(texts).build(t)?;
    both_lists_see(t, &value, &[(kTVMFFIStr, note)], PRE, &["s", "a string on the heap"])
}

/// A callback for type index -1 is called for values of every type.
#[check(VIS_0007)]
fn walk_any(t: &Trial) -> Verdict {
    let items = vec![Value::float(0.5), Value::Bool(true), Value::str("s"), Value::List(vec![])];
    both_lists_see(t, &Value::List(items).build(t)?, &[(EVERYTHING, note)], PRE, &["75", "3", "2", "s", "75"])
}

/// A callback for `ffi.Object` is called for objects of every type and for nothing else.
#[check(VIS_0008)]
fn walk_objects(t: &Trial) -> Verdict {
    both_lists_see(t, &sample().build(t)?, &[(kTVMFFIObject, note)], PRE, &["71", "71"])
}

/// A callback for `ffi.Object` is called for objects of types without a parent and of types far below one, by walks, maps, visits and mutations.
#[check(VIS_0008)]
fn objects_of_types_of_any_depth(t: &Trial) -> Verdict {
    let register = |key: &[u8], index, depth, parent| {
        t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key), index, depth, 0, 1, parent)
    };
    // Only a type whose index the client names needs no parent.
    let mut kinds = vec![register(b"verify.walk.Root", kTVMFFIDynObjectBegin - 1, 0, -1)];
    kinds.push(register(b"verify.walk.BelowRoot", -1, 1, kinds[0]));
    kinds.push(types::new(t, "verify.walk.Child"));
    for key in ["verify.walk.GrandChild", "verify.walk.Below"] {
        kinds.push(types::new_child(t, key, kinds[kinds.len() - 1])?);
    }
    for kind in kinds {
        let object = Homemade::new(kind, ());
        let held = t.call_global("ffi.Array", &[view::int(1), object.view()])?;
        let index = kind.to_string();
        both_lists_see(t, &held, &[(kTVMFFIObject, note)], PRE, &["71", &index])?;
        for (name, callbacks) in [
            ("ffi.StructuralVisit", entries(t, &[(kTVMFFIObject, note)])?),
            ("ffi.StructuralMutate", triples(t, &[(kTVMFFIObject, note_and_keep)])?),
        ] {
            if globals::find(t, name)?.is_some() {
                drop(t.answer(name, &[object.view(), callbacks.any()])?);
                saw(t, &[&index])?;
            }
        }
    }
    Ok(())
}

/// Notes its first argument, and answers it.
fn note_and_keep(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    note(api, args);
    args.first().map(retain)
}

/// Of several callbacks that match a value, only the first is called.
#[check(VIS_0009)]
fn walk_first_matches(t: &Trial) -> Verdict {
    both_lists_see(t, &t.own(view::int(7)), &[(kTVMFFIInt, note), (EVERYTHING, note_twice)], PRE, &["7"])
}

/// A structural walk does not enter a value for which a callback answers 1.
#[check(VIS_0010)]
fn walk_skip(t: &Trial) -> Verdict {
    both_lists_see(t, &sample().build(t)?, &[(EVERYTHING, skip_pairs)], PRE, &["71", "1", "71", "4"])
}

/// A structural walk ends when a callback answers a VisitInterrupt, and answers that object.
#[check(VIS_0011)]
fn walk_interrupt(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    choose(&interrupt);
    let answer = walk(t, &sample().build(t)?, &[(kTVMFFIInt, interrupt_at_two)], PRE)?;
    saw(t, &["1", "2"])?;
    t.eq("the type of the answer", answer.any().type_index, kTVMFFIVisitInterrupt)?;
    t.any_eq("the value of the interrupt", &t.cell("the interrupt", answer.handle())?, &view::int(99))
}

/// An error of a callback ends a structural walk and is raised by it.
#[check(VIS_0012)]
fn walk_error(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralWalk")?;
    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, fail)])?, entries(t, &[])?);
    let value = sample().build(t)?;
    let mut result = TVMFFIAny::NONE;
    let code = t.try_call(&function, &[value.any(), callbacks.any(), none.any(), view::int(PRE)], &mut result);
    t.raises(code, &["KeyError"])?;
    saw(t, &["1"])
}

/// A callback of the second list gets the kind of definition region, 0 outside of any, in both orders.
#[check(VIS_0013)]
fn walk_kind(t: &Trial) -> Verdict {
    let (none, callbacks) = (entries(t, &[])?, entries(t, &[(kTVMFFIInt, note_all)])?);
    let value = Value::Array(vec![Value::Int(5)]).build(t)?;
    for order in [PRE, POST] {
        t.call_global("ffi.StructuralWalk", &[value.any(), none.any(), callbacks.any(), view::int(order)])?;
        saw(t, &["5", "0"])?;
    }
    Ok(())
}

/// A structural walk goes through the fields of an object in their order.
#[check(VIS_0027)]
fn walk_fields(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.visit.Node", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let array = Value::Array(vec![Value::Int(2), Value::Int(3)]).build(t)?;
    let (inner, none) = (node(kind, view::int(1), array.any()), entries(t, &[])?);
    let callbacks = entries(t, &[(kTVMFFIInt, note)])?;
    let outer = node(kind, inner.view(), view::int(4));
    t.call_global("ffi.StructuralWalk", &[outer.view(), callbacks.any(), none.any(), view::int(PRE)])?;
    saw(t, &["1", "2", "3", "4"])
}

/// A callback gets the kind 1 within a field flagged SEqHashDefPattern, and 0 behind it, in both orders.
#[check(VIS_0028)]
fn walk_region(t: &Trial) -> Verdict {
    let flags = [kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0];
    let kind = node_type(t, "verify.visit.Definition", kTVMFFISEqHashKindTreeNode, flags)?;
    let array = Value::Array(vec![Value::Int(7)]).build(t)?;
    let definition = node(kind, array.any(), view::int(8));
    let value = t.call_global("ffi.Array", &[definition.view(), view::int(9)])?;
    let (none, callbacks) = (entries(t, &[])?, entries(t, &[(kTVMFFIInt, note_all)])?);
    for order in [PRE, POST] {
        t.call_global("ffi.StructuralWalk", &[value.any(), none.any(), callbacks.any(), view::int(order)])?;
        saw(t, &["7", "1", "8", "0", "9", "0"])?;
    }
    Ok(())
}

/// A structural walk does not enter a field flagged SEqHashIgnore.
#[check(VIS_0030)]
fn walk_ignored(t: &Trial) -> Verdict {
    let kind =
        node_type(t, "verify.visit.Ignored", kTVMFFISEqHashKindTreeNode, [kTVMFFIFieldFlagBitMaskSEqHashIgnore, 0])?;
    let node = node(kind, view::int(1), view::int(2));
    let value = t.call_global("ffi.Array", &[node.view(), view::int(3)])?;
    walk(t, &value, &[(kTVMFFIInt, note)], PRE)?;
    saw(t, &["2", "3"])
}

/// A callback gets the kind 2 within a field flagged SEqHashDefSimple, and 1 if that lies within one flagged DefPattern, in both
/// orders.
#[check(VIS_0031)]
fn walk_regions(t: &Trial) -> Verdict {
    let [simple, pattern] = [kTVMFFIFieldFlagBitMaskSEqHashDefSimple, kTVMFFIFieldFlagBitMaskSEqHashDefPattern];
    let simple = node_type(t, "verify.visit.Simple", kTVMFFISEqHashKindTreeNode, [simple, 0])?;
    let pattern = node_type(t, "verify.visit.Pattern", kTVMFFISEqHashKindTreeNode, [pattern, 0])?;
    let inner = [7, 8].map(|first| node(simple, view::int(first), view::int(0)));
    let outer = node(pattern, inner[0].view(), inner[1].view());
    let (none, callbacks) = (entries(t, &[])?, entries(t, &[(kTVMFFIInt, note_all)])?);
    for order in [PRE, POST] {
        t.call_global("ffi.StructuralWalk", &[outer.view(), none.any(), callbacks.any(), view::int(order)])?;
        saw(t, &["7", "1", "0", "1", "8", "2", "0", "0"])?;
    }
    Ok(())
}

/// A structural walk meets a value that occurs twice two times, with all that is in it.
#[check(VIS_0032)]
fn walk_shared(t: &Trial) -> Verdict {
    let shared = Value::Array(vec![Value::Int(1)]).build(t)?;
    let value = t.call_global("ffi.List", &[shared.any(), view::int(2), shared.any()])?;
    walk(t, &value, &[(EVERYTHING, note)], PRE)?;
    saw(t, &["75", "71", "1", "2", "71", "1"])?;
    walk(t, &value, &[(EVERYTHING, note)], POST)?;
    saw(t, &["1", "71", "2", "1", "71", "75"])?;
    // In its own kind of region each time, and so is what lies in that.
    let flags = [kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0];
    let kind = node_type(t, "verify.visit.Both", kTVMFFISEqHashKindTreeNode, flags)?;
    let both = node(kind, shared.any(), shared.any());
    let value = t.call_global("ffi.Array", &[both.view(), both.view()])?;
    let (none, callbacks) = (entries(t, &[])?, entries(t, &[(kTVMFFIArray, note_all), (kTVMFFIInt, note_all)])?);
    t.call_global("ffi.StructuralWalk", &[value.any(), none.any(), callbacks.any(), view::int(PRE)])?;
    let twice = ["71", "1", "1", "1", "71", "0", "1", "0"];
    saw(t, &[&["71", "0"][..], &twice, &twice].concat())?;
    t.call_global("ffi.StructuralWalk", &[value.any(), none.any(), callbacks.any(), view::int(POST)])?;
    let twice = ["1", "1", "71", "1", "1", "0", "71", "0"];
    saw(t, &[&twice, &twice, &["71", "0"][..]].concat())
}

/// A structural walk meets values of every type in whatever form and container they stand, in both orders.
#[check(VIS_0001, VIS_0002, VIS_0006)]
fn walk_every_form(t: &Trial) -> Verdict {
    let places = [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    for sample in t.samples()?.iter().filter(|sample| sample.is_data() && sample.any().type_index != kTVMFFINone) {
        for place in places {
            let holder = place.put(t, &sample.any())?;
            let found = place.look(t, &holder.any())?.type_index;
            let either_form = index_of_either_form(found);
            let callbacks = [(found, PRE), (found, POST), (either_form, PRE), (either_form, POST)];
            for (type_index, order) in callbacks.into_iter().take(if either_form == found { 2 } else { 4 }) {
                t.clause(if order == PRE { id::VIS_0001 } else { id::VIS_0002 });
                if type_index != found {
                    t.clause(id::VIS_0006);
                }
                walk_by_each_list(t, &holder, &[(type_index, count)], order, || {
                    t.eq(format_args!("how often {} is met, {place:?}, in order {order}", sample.name), counted(), 1)
                })?;
            }
            if either_form != found && globals::find(t, "ffi.StructuralVisit")?.is_some() {
                let callbacks = entries(t, &[(either_form, count)])?;
                t.call_global("ffi.StructuralVisit", &[holder.any(), callbacks.any()])?;
                t.eq(format_args!("how often {} is visited, {place:?}", sample.name), counted(), 1)?;
            }
        }
    }
    Ok(())
}

/// A structural walk calls callbacks for every type, or for its own, with a value that is zero, empty or NULL, wherever it stands, in both
/// orders; for None one for every type is not called.
#[check(VIS_0007, VIS_0001, VIS_0002)]
fn walk_what_is_zero(t: &Trial) -> Verdict {
    for (place, value) in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue]
        .into_iter()
        .flat_map(|place| zeros().map(|value| (place, value)))
    {
        let holder = place.put(t, &value)?;
        let found = place.look(t, &holder.any())?.type_index;
        for (order, clause) in [(PRE, id::VIS_0001), (POST, id::VIS_0002)] {
            let what = format_args!("a value of zero of type {found}, {place:?}, in order {order}");
            t.clause(id::VIS_0007);
            let met = usize::from(found != kTVMFFINone) + usize::from(place != Place::Alone);
            walk_by_each_list(t, &holder, &[(EVERYTHING, count)], order, || {
                t.eq(format_args!("calls of a callback for every type about {what}"), counted(), met)
            })?;
            // Whether a callback for None is called is left open.
            if found == kTVMFFINone {
                continue;
            }
            t.clause(clause);
            let (own, every): (Callback, Callback) = ((index_of_either_form(found), count), (EVERYTHING, advance));
            for callbacks in [&[own][..], &[own, every]] {
                walk_by_each_list(t, &holder, callbacks, order, || {
                    t.eq(format_args!("calls of a callback for its type about {what}"), counted(), 1)
                })?;
            }
        }
    }
    Ok(())
}

/// A VisitInterrupt holds its value behind the header.
#[check(VIS_0014)]
fn interrupt(t: &Trial) -> Verdict {
    let value = Value::str("a string on the heap").build(t)?;
    let (strong, weak) = t.counts(value.handle())?;
    let interrupt = t.call_global("ffi.VisitInterrupt", &[value.any()])?;
    t.eq("the type", interrupt.any().type_index, kTVMFFIVisitInterrupt)?;
    t.any_eq("the value", &t.cell("the interrupt", interrupt.handle())?, &value.any())?;
    t.eq("the counts of the value", t.counts(value.handle())?, (strong + 1, weak))
}

/// A structural visit does not enter a value that a callback matches.
#[check(VIS_0015)]
fn visit(t: &Trial) -> Verdict {
    let callbacks = entries(t, &[(kTVMFFIArray, note)])?;
    t.call_global("ffi.StructuralVisit", &[sample().build(t)?.any(), callbacks.any()])?;
    saw(t, &["71"])
}

/// A callback of a structural visit can enter a value with the visitor that it is given.
#[check(VIS_0016)]
fn visit_goes_on(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralVisitorDefaultVisit")?;
    choose(&function);
    let callbacks = entries(t, &[(kTVMFFIArray, go_on), (kTVMFFIInt, note)])?;
    t.call_global("ffi.StructuralVisit", &[sample().build(t)?.any(), callbacks.any()])?;
    saw(t, &["71", "1", "71", "2", "3", "4"])
}

/// A visitor tells the kind 0 outside of any definition region.
#[check(VIS_0017)]
fn region_kind(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralVisitorDefRegionKind")?;
    choose(&function);
    let callbacks = entries(t, &[(kTVMFFIInt, ask_visitor)])?;
    t.call_global("ffi.StructuralVisit", &[view::int(3), callbacks.any()])?;
    saw(t, &["0"])
}
