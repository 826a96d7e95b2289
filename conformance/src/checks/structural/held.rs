//! Values that others hold in part, and objects that give one part twice: neither is a part of what is compared.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        held::Nested,
        node::{node, node_type},
        one_place::OnePlace,
        samples::Place,
        view,
    },
    trial::Trial,
};

/// The structural hash of a value, and what it is equal to, are the same whoever else holds references, strong or weak, to what is in it, in every
/// container.
#[check(SEQ_0007, SEQ_0003, SEQ_0004, SEQ_0009, patient = 2)]
fn whoever_holds_the_parts(t: &Trial) -> Verdict {
    for (value, twin) in t.nested_values()?.iter().zip(t.nested_values()?) {
        same_whoever_holds(t, value, &twin)?;
    }
    Ok(())
}

fn same_whoever_holds(t: &Trial, value: &Nested, twin: &Nested) -> Verdict {
    let functions = t.globals(["ffi.StructuralHash", "ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"])?;
    let (no, is_map) = (view::bool(false), matches!(value.whole.any().type_index, kTVMFFIMap | kTVMFFIDict));
    let args = [value.whole.any(), twin.whole.any(), no, no];
    let alone = [args[0], no, no];
    for (function, (clause, what, args)) in functions.iter().zip([
        (id::SEQ_0007, "the structural hash", &alone[..]),
        (if is_map { id::SEQ_0004 } else { id::SEQ_0003 }, "whether its twin is structurally equal", &args[..]),
        (id::SEQ_0009, "whether there is a first mismatch with its twin", &args[..]),
    ]) {
        t.clause(clause);
        t.same_however_held(format_args!("{what} of {}", value.what), &value.objects(), || {
            let answer = t.answer_of(function.handle(), args)?.ok();
            // A mismatch is a new object for each call.
            Ok(answer.map(
                |answer| if clause == id::SEQ_0009 { answer.any().type_index as u64 } else { answer.any().payload() },
            ))
        })?;
    }
    Ok(())
}

/// What two fields of an object give that lie at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Node(i32, &'static str),
    Container(Place),
}

impl Part {
    fn make(self, t: &Trial) -> Verdict<Owned> {
        match self {
            Self::Node(kind, _) => Ok(t.own(node(kind, view::int(5), view::int(6)).view())),
            Self::Container(place) => place.put(t, &view::int(5)),
        }
    }
}

/// Every part that structural functions take without a look at variables, with the clause that says that two such are equal in one place, if one does.
fn parts(t: &Trial) -> Verdict<Vec<(Part, Option<&'static str>)>> {
    let mut all = Vec::new();
    for (name, kind, clause) in [
        ("DagNode", kTVMFFISEqHashKindDAGNode, Some(id::SEQ_0023)),
        ("TreeNode", kTVMFFISEqHashKindTreeNode, Some(id::SEQ_0013)),
        ("ConstTreeNode", kTVMFFISEqHashKindConstTreeNode, None),
        ("Instance", kTVMFFISEqHashKindUniqueInstance, None),
        ("FreeVariable", kTVMFFISEqHashKindFreeVar, None),
    ] {
        all.push((Part::Node(node_type(t, &format!("test.Given{name}"), kind, [0, 0])?, name), clause));
    }
    let containers = Place::all(t)?.into_iter().filter(|place| *place != Place::Alone);
    all.extend(containers.map(|place| (Part::Container(place), Some(id::SEQ_0013))));
    Ok(all)
}

/// An object that gives a part twice: by itself, in an Array, or in another such object; and the part, which nothing else holds.
fn giving(t: &Trial, kind: &OnePlace, part: Part, depth: usize) -> Verdict<(Owned, TVMFFIAny)> {
    let part = part.make(t)?;
    let object = kind.holding(t, &part.any());
    let whole = match depth {
        0 => object,
        1 => t.call_global("ffi.Array", &[object.any()])?,
        _ => kind.holding(t, &object.any()),
    };
    Ok((whole, part.any()))
}

/// An object with two fields at one place is compared and hashed by what they give, whoever declares and reads them and whoever else holds that,
/// and equal ones have one hash.
#[check(SEQ_0007, SEQ_0013, SEQ_0023, patient = 2)]
fn two_fields_at_one_place(t: &Trial) -> Verdict {
    let parts = parts(t)?;
    for kind in t.types_of_one_place(kTVMFFISEqHashKindTreeNode)? {
        for ((part, clause), depth) in parts.iter().flat_map(|part| DEPTHS.map(|depth| (*part, depth))) {
            are_alike(t, &kind, part, depth, false, [id::SEQ_0007, clause.unwrap_or(id::SEQ_0013)], clause.is_some())?;
        }
    }
    Ok(())
}

/// Objects with two fields at one place that give a variable are equal when free variables are mapped, with one hash, whoever declares and reads the
/// fields and whoever else holds the variable.
#[check(SEQ_0019)]
fn variable_in_two_fields_at_one_place(t: &Trial) -> Verdict {
    let variable = Part::Node(node_type(t, "test.GivenVariable", kTVMFFISEqHashKindFreeVar, [0, 0])?, "Variable");
    for kind in t.types_of_one_place(kTVMFFISEqHashKindTreeNode)? {
        for depth in DEPTHS {
            are_alike(t, &kind, variable, depth, true, [id::SEQ_0019; 2], true)?;
        }
    }
    Ok(())
}

/// How deep the object lies with such fields, or with those around it.
const DEPTHS: [usize; 3] = [0, 1, 2];

/// Expects twins to be compared and hashed as they are however their parts are held, by these clauses on hashes and on equality, and to be equal
/// where that is known.
fn are_alike(
    t: &Trial,
    kind: &OnePlace,
    part: Part,
    depth: usize,
    mapped: bool,
    [one_hash, equality]: [&'static str; 2],
    known: bool,
) -> Verdict {
    let ((whole, given), (twin, other)) = (giving(t, kind, part, depth)?, giving(t, kind, part, depth)?);
    let what = format_args!("what has {part:?} in {}, {depth} deep", kind.what);
    t.clause(one_hash);
    let hash =
        t.same_however_held(format_args!("the hash of {what}"), &[given], || t.structural_hash(&whole.any(), mapped))?;
    t.clause(equality);
    let equal = t.same_however_held(format_args!("whether twins are equal of {what}"), &[given], || {
        Ok([
            t.structural_equal(&whole.any(), &twin.any(), mapped)?,
            t.structural_equal(&twin.any(), &whole.any(), mapped)?,
        ])
    })?;
    if known {
        t.eq(format_args!("whether twins are equal of {what}"), equal, [true, true])?;
    }
    if equal[0] {
        t.clause(one_hash);
        let twin = t.same_however_held(format_args!("the hash of the twin of {what}"), &[other], || {
            t.structural_hash(&twin.any(), mapped)
        })?;
        t.eq(format_args!("the hash of the twin of {what}"), twin, hash)?;
    }
    Ok(())
}

/// StructuralKeys of equal objects that have two fields at one place are one key, whoever declares and reads the fields, and whoever else holds what
/// they give while a key is made or looked up.
#[check(SEQ_0028)]
fn keys_of_two_fields_at_one_place(t: &Trial) -> Verdict {
    let parts: Vec<_> = parts(t)?.into_iter().filter(|(_, equal)| equal.is_some()).collect();
    let [make, count, equal] = t.globals(["ffi.StructuralKey", "ffi.MapCount", "ffi.StructuralKeyEqual"])?;
    for kind in t.types_of_one_place(kTVMFFISEqHashKindTreeNode)? {
        for ((part, _), depth) in parts.iter().flat_map(|part| DEPTHS.map(|depth| (*part, depth))) {
            let ((whole, given), (twin, _)) = (giving(t, &kind, part, depth)?, giving(t, &kind, part, depth)?);
            let other = t.call(&make, &[twin.any()])?;
            let map = t.call_global("ffi.Map", &[other.any(), view::int(1)])?;
            let what = format_args!("whether keys are one of what has {part:?} in {}, {depth} deep", kind.what);
            let found = t.same_however_held(what, &[given], || {
                let key = t.call(&make, &[whole.any()])?;
                let found = t.call(&count, &[map.any(), key.any()])?.any().payload();
                Ok([found, t.call(&equal, &[key.any(), other.any()])?.any().payload()])
            })?;
            t.eq(what, found, [1, 1])?;
        }
    }
    Ok(())
}
