//! Answers of callbacks that are equal to what they take the place of, and are other objects all the same.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{POST, PRE, answer_chosen, choose_value, entries, triples};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::Body,
        globals,
        node::{changing_node_type_with, ending_copy_of, ending_node, fields_of},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// The hooks that call every two objects of their type equal.
const EQUAL: [(&str, Body); 8] = [
    ("__any_hash__", |_, _| Some(view::int(7))),
    ("__any_equal__", |_, _| Some(view::bool(true))),
    ("__s_equal__", |_, _| Some(view::bool(true))),
    ("__s_hash__", |_, _| Some(view::int(7))),
    ("__ffi_eq__", |_, _| Some(view::bool(true))),
    ("__ffi_compare__", |_, _| Some(view::int(0))),
    ("__ffi_hash__", |_, _| Some(view::int(7))),
    ("__ffi_repr__", |_, _| Some(view::c_str(c"all alike"))),
];

/// A structural map and a mutation put the object that a callback answers in the place of one that it is equal to, whatever calls both equal: hooks of
/// their type, their fields, or their elements; in every container, in fields, and for the whole.
#[check(VIS_0018, VIS_0021, VIS_0022)]
fn replaced_by_an_equal_one(t: &Trial) -> Verdict {
    let tree = kTVMFFISEqHashKindTreeNode;
    let alike = changing_node_type_with(t, "verify.equal.Alike", tree, [0; 2], |_, args| ending_copy_of(args))?;
    for (column, body) in EQUAL {
        t.set_hook(alike, column, &t.callback(body)?.any())?;
    }
    let plain = changing_node_type_with(t, "verify.equal.Plain", tree, [0; 2], |_, args| ending_copy_of(args))?;
    let holder = changing_node_type_with(t, "verify.equal.Holder", tree, [0; 2], |_, args| ending_copy_of(args))?;
    let node =
        |kind: i32| -> [Owned; 2] { [(); 2].map(|()| t.own(ending_node(kind, view::int(1), view::int(2)).view())) };
    let mut pairs = vec![("hooks", node(alike)), ("fields", node(plain))];
    let float = view::float(0.5);
    for (make, args) in
        [("ffi.List", &[float][..]), ("ffi.List", &[]), ("ffi.Dict", &[float, float]), ("ffi.Dict", &[])]
    {
        if let Some(make) = globals::find(t, make)? {
            pairs.push(("elements", [t.call(&make, args)?, t.call(&make, args)?]));
        }
    }
    let none = entries(t, &[])?;
    for (by, [before, after]) in &pairs {
        choose_value(&after.any());
        let callbacks = [(before.any().type_index, answer_chosen as Body)];
        let (twos, threes) = (entries(t, &callbacks)?, triples(t, &callbacks)?);
        for place in places(t)? {
            // A callback for what is around it would be called, too.
            if place.has(before.any().type_index) {
                continue;
            }
            for others in [0, 1, 9] {
                let value = || place.put(t, holder, &before.any(), others);
                for (name, clause, args) in [
                    ("ffi.StructuralMap", id::VIS_0018, [twos.any(), none.any(), view::int(PRE)].to_vec()),
                    ("ffi.StructuralMap", id::VIS_0018, [none.any(), twos.any(), view::int(POST)].to_vec()),
                    ("ffi.StructuralMutate", id::VIS_0022, vec![threes.any()]),
                ] {
                    if globals::find(t, name)?.is_none() {
                        continue;
                    }
                    t.clause(if place.is_map() && clause == id::VIS_0018 { id::VIS_0021 } else { clause });
                    let value = value()?;
                    let made = t.call_global(name, &[&[value.any()], &args[..]].concat())?;
                    let found = place.look(t, &made.any())?;
                    let what = format!(
                        "what {name} has in the place of an object that is equal by {by}, {place:?} before {others} others"
                    );
                    t.any_eq(&what, &found, &after.any())?;
                    // Who holds the value has what it had.
                    t.any_eq(
                        format_args!("what the value had all along, as {what}"),
                        &place.look(t, &value.any())?,
                        &before.any(),
                    )?;
                }
            }
        }
        t.eq(format_args!("counts of an equal object by {by}"), t.counts(after.handle())?, (1, 1))?;
    }
    Ok(())
}

/// Where an object stands that is replaced.
#[derive(Clone, Copy, Debug)]
enum At {
    Place(Place),
    FirstField,
    SecondField,
}

fn places(t: &Trial) -> Verdict<Vec<At>> {
    // Keys are not mapped.
    let keys = [Place::MapKey, Place::DictKey];
    let places = Place::all(t)?.into_iter().filter(|place| !keys.contains(place)).map(At::Place);
    Ok(places.chain([At::FirstField, At::SecondField]).collect())
}

impl At {
    fn is_map(self) -> bool {
        matches!(self, Self::Place(Place::MapValue | Place::DictValue))
    }

    /// Whether what stands around has this type.
    fn has(self, type_index: i32) -> bool {
        match self {
            Self::Place(Place::InList) => type_index == kTVMFFIList,
            Self::Place(Place::DictValue) => type_index == kTVMFFIDict,
            _ => false,
        }
    }

    fn put(self, t: &Trial, holder: i32, value: &TVMFFIAny, others: i64) -> Verdict<Owned> {
        let node = |first: TVMFFIAny, second| Ok(t.own(ending_node(holder, first, second).view()));
        match self {
            Self::Place(place) => place.put_before(t, value, others),
            Self::FirstField => node(*value, view::int(others)),
            Self::SecondField => node(view::int(others), *value),
        }
    }

    fn look(self, t: &Trial, whole: &TVMFFIAny) -> Verdict<TVMFFIAny> {
        let fields = || fields_of(whole).ok_or_else(|| t.failure("an object", "its fields", "nothing"));
        match self {
            Self::Place(place) => place.look(t, whole),
            Self::FirstField => Ok(fields()?.first),
            Self::SecondField => Ok(fields()?.second),
        }
    }
}
