//! Containers that the fields of objects share, with each other and with other containers.

use std::{
    cell::RefCell,
    ffi::{c_int, c_void},
    fmt::Display,
    sync::atomic::{AtomicI32, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{READ, WRITE};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        graph_text::nodes_of,
        node::{Node, get_any, get_or_common, node, set_any, set_common},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// A container of any kind that two fields of an object, fields of two objects, or a field and a container share comes back from a JSON graph as
/// one object in these places, in whatever order they come, whoever else holds it, and through every door.
#[check(GRF_0006)]
fn sharing_in_fields(t: &Trial) -> Verdict {
    let kind = made_type(t, "verify.graph.Sharing", get_any)?;
    for held in [true, false] {
        for shape in SHAPES {
            let what =
                format!("what two places share, {}", if held { "held by others, too" } else { "held by nobody else" });
            comes_back_as_one(t, kind, shape, &what, |shared| {
                let fields = [shared.any(), shared.any()];
                let whole = put(t, kind, shape, fields, &shared)?;
                Ok((whole, held.then_some(shared)))
            })?;
        }
    }
    Ok(())
}

/// A container of any kind that is kept elsewhere, and that the getters of fields answer which do not hold it, comes back from a JSON graph as one
/// object in all places where it is met, through every door.
#[check(GRF_0006)]
fn sharing_of_what_getters_answer(t: &Trial) -> Verdict {
    let kind = made_type(t, "verify.graph.Getting", get_or_common)?;
    let none = TVMFFIAny::NONE;
    for shape in SHAPES {
        for (first, second) in [(true, true), (true, false), (false, true)] {
            let what = format!("what a getter answers, in the first place: {first}, in the second: {second}");
            comes_back_as_one(t, kind, shape, &what, |shared| {
                set_common(&shared.any());
                // None stands for what is kept elsewhere.
                let fields = [first, second].map(|elsewhere| if elsewhere { none } else { shared.any() });
                let whole = put(t, kind, shape, fields, &shared)?;
                Ok((whole, Some(shared)))
            })?;
        }
    }
    Ok(())
}

/// A container of any kind that two fields of an object at one place give, whoever declares and reads them, or that stands twice in any container, is one
/// node of the JSON graph, whoever else holds references, strong or weak, to it or to what it stands in.
#[check(GRF_0006, patient = 2)]
fn one_node_whoever_holds(t: &Trial) -> Verdict {
    let write = t.global(WRITE)?;
    for value in t.nested_values()? {
        let (expected, looked_at) = (value.containers.len(), RefCell::default());
        t.same_however_held(format_args!("what is written of {}", value.what), &value.objects(), || {
            has_containers(t, &write, &value.what, &value.whole, expected, &looked_at)
        })?;
    }
    for kind in t.types_of_one_place(kTVMFFISEqHashKindTreeNode)? {
        for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
            for deeper in [false, true] {
                // Only the object holds the container, and only the outer object the inner one.
                let shared = place.put(t, &view::int(1))?;
                let inner = kind.holding(t, &shared.any());
                let objects = [shared.any(), inner.any()];
                drop(shared);
                let whole = if deeper {
                    let outer = kind.holding(t, &inner.any());
                    drop(inner);
                    outer
                } else {
                    inner
                };
                let what =
                    format_args!("{place:?} in {}, {}", kind.what, if deeper { "one in the other" } else { "alone" });
                let looked_at = RefCell::default();
                t.same_however_held(format_args!("what is written of {what}"), &objects, || {
                    has_containers(t, &write, what, &whole, 1, &looked_at)
                })?;
            }
        }
    }
    Ok(())
}

/// Expects a value to be written with so many nodes that are containers. The same text again says the same.
fn has_containers(
    t: &Trial,
    write: &Owned,
    what: impl Display,
    value: &Owned,
    expected: usize,
    looked_at: &RefCell<Vec<u8>>,
) -> Verdict {
    let text = t.text(&t.call(write, &[value.any(), TVMFFIAny::NONE])?.any())?;
    if *looked_at.borrow() == text {
        return Ok(());
    }
    let written = str::from_utf8(&text).map_err(|error| t.failure("the written graph", "UTF-8", error))?;
    let nodes = nodes_of(written);
    let is_container = |node: &&serde_json::Value| {
        matches!(node["type"].as_str(), Some("ffi.Array" | "ffi.List" | "ffi.Map" | "ffi.Dict"))
    };
    t.eq(
        format_args!("nodes that are containers in the graph of {what}"),
        nodes.iter().filter(is_container).count(),
        expected,
    )?;
    *looked_at.borrow_mut() = text;
    Ok(())
}

/// A container of any kind that two fields of an object at one place give, and that stands beside the object, comes back from a JSON graph as one
/// object, whoever declares and reads the fields, and whoever else holds it.
#[check(GRF_0006)]
fn sharing_of_fields_at_one_place(t: &Trial) -> Verdict {
    let doors = [(WRITE, READ), ("ffi.ToJSONGraph", "ffi.FromJSONGraph")];
    for kind in t.types_of_one_place(kTVMFFISEqHashKindTreeNode)? {
        for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
            for ((write, read), object_first, held) in doors
                .into_iter()
                .flat_map(|door| [(door, true, true), (door, true, false), (door, false, true), (door, false, false)])
            {
                let shared = place.put(t, &view::int(1))?;
                let object = kind.holding(t, &shared.any());
                let [one, other] = if object_first { [&object, &shared] } else { [&shared, &object] };
                let whole = t.call_global("ffi.Array", &[one.any(), other.any()])?;
                let type_index = shared.any().type_index;
                let _kept = held.then_some((shared, object));
                let graph = t.call_global(write, &[whole.any(), TVMFFIAny::NONE])?;
                let back = t.call_global(read, &[graph.any()])?;
                let [at, beside] = if object_first { [0, 1] } else { [1, 0] };
                let object = t.element(back.handle(), at)?;
                let what = format_args!("{place:?} in {}, by {write}, held by others: {held}", kind.what);
                t.type_index_eq(format_args!("the type of the object with {what}"), object.type_index, kind.index)?;
                let given = t.cell::<Node>("the object that came back", object.payload() as TVMFFIObjectHandle)?.first;
                t.type_index_eq(format_args!("the type of {what}"), given.type_index, type_index)?;
                t.any_eq(format_args!("what stands beside {what}"), &t.element(back.handle(), beside)?, &given)?;
            }
        }
    }
    Ok(())
}

/// Where two places are that have one container.
#[derive(Clone, Copy, Debug)]
enum Shape {
    FieldsOfOne,
    FieldsOfTwo,
    FieldBeforeElement,
    ElementBeforeField,
    FieldBeforeFieldWithin,
    FieldWithinBeforeField,
}

const SHAPES: [Shape; 6] = [
    Shape::FieldsOfOne,
    Shape::FieldsOfTwo,
    Shape::FieldBeforeElement,
    Shape::ElementBeforeField,
    Shape::FieldBeforeFieldWithin,
    Shape::FieldWithinBeforeField,
];

/// A value with two such places: fields with these values, and elements that are the container itself.
fn put(t: &Trial, kind: i32, shape: Shape, fields: [TVMFFIAny; 2], shared: &Owned) -> Verdict<Owned> {
    let ([one, other], seven) = (fields, view::int(7));
    let object = |first, second| t.own(node(kind, first, second).view());
    let array = |items: &[TVMFFIAny]| t.call_global("ffi.Array", items);
    match shape {
        Shape::FieldsOfOne => Ok(object(one, other)),
        Shape::FieldsOfTwo => array(&[object(one, seven).any(), object(seven, other).any()]),
        Shape::FieldBeforeElement => array(&[object(one, seven).any(), shared.any()]),
        Shape::ElementBeforeField => array(&[shared.any(), object(seven, other).any()]),
        Shape::FieldBeforeFieldWithin => Ok(object(one, object(seven, other).any())),
        Shape::FieldWithinBeforeField => Ok(object(object(one, seven).any(), other)),
    }
}

/// What stands in the two places of a value of that shape that came back.
fn look(t: &Trial, kind: i32, shape: Shape, back: &Owned) -> Verdict<[TVMFFIAny; 2]> {
    let fields = |object: TVMFFIAny| -> Verdict<Node> {
        t.type_index_eq("the type of an object that came back", object.type_index, kind)?;
        t.cell("the object that came back", object.payload() as TVMFFIObjectHandle)
    };
    let element = |at: usize| t.element(back.handle(), at);
    Ok(match shape {
        Shape::FieldsOfOne => {
            let Node { first, second } = fields(back.any())?;
            [first, second]
        }
        Shape::FieldsOfTwo => [fields(element(0)?)?.first, fields(element(1)?)?.second],
        Shape::FieldBeforeElement => [fields(element(0)?)?.first, element(1)?],
        Shape::ElementBeforeField => [element(0)?, fields(element(1)?)?.second],
        Shape::FieldBeforeFieldWithin => {
            let Node { first, second } = fields(back.any())?;
            [first, fields(second)?.second]
        }
        Shape::FieldWithinBeforeField => {
            let Node { first, second } = fields(back.any())?;
            [fields(first)?.first, second]
        }
    })
}

/// Has a value made around a container of each kind, and expects that to come back as one object in both places. The container is kept as long as
/// what is answered with the value.
fn comes_back_as_one(
    t: &Trial,
    kind: i32,
    shape: Shape,
    what: &str,
    make: impl Fn(Owned) -> Verdict<(Owned, Option<Owned>)>,
) -> Verdict {
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    for container in Place::all(t)?.into_iter().filter(|container| *container != Place::Alone) {
        let shared = container.put(t, &view::int(1))?;
        let type_index = shared.any().type_index;
        let (whole, _kept) = make(shared)?;
        for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
            let back = t.call(read, &[t.call(write, &[whole.any(), TVMFFIAny::NONE])?.any()])?;
            let [one, other] = look(t, kind, shape, &back)?;
            t.type_index_eq(format_args!("the type of {what}, {container:?}, {shape:?}"), one.type_index, type_index)?;
            t.any_eq(format_args!("the second place of {what}, {container:?}, {shape:?}"), &other, &one)?;
        }
    }
    Ok(())
}

/// A type of nodes that can be made again, whose fields can be set and are read by that getter.
fn made_type(t: &Trial, key: &str, getter: TVMFFIFieldGetter) -> Verdict<i32> {
    let kind = types::new(t, key);
    KIND.store(kind, Ordering::Release);
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Node>()) as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(kind, &TVMFFITypeMetadata { creator: Some(make), ..metadata }))?;
    let fields: [&[u8]; 2] = [b"first", b"second"];
    for (at, name) in fields.into_iter().enumerate() {
        let offset = size_of::<TVMFFIObject>() + at * size_of::<TVMFFIAny>();
        let field = TVMFFIFieldInfo {
            flags: kTVMFFIFieldFlagBitMaskWritable,
            getter: Some(getter),
            setter: set_any as *mut c_void,
            ..types::field(name, kTVMFFIAny, size_of::<TVMFFIAny>() as i64, offset as i64)
        };
        t.ok(t.api.TVMFFITypeRegisterField(kind, &field))?;
    }
    Ok(kind)
}

/// The type of the objects that [`make`] makes.
static KIND: AtomicI32 = AtomicI32::new(0);

/// The creator: a node with None in it.
unsafe extern "C" fn make(result: *mut TVMFFIObjectHandle) -> c_int {
    let made = node(KIND.load(Ordering::Acquire), TVMFFIAny::NONE, TVMFFIAny::NONE);
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(made.handle()) };
    0
}
