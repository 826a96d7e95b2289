//! Parts of objects that none of these holds: their getters answer what is kept elsewhere.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        node::{common_node_type, node, node_type, set_common},
        view,
    },
    trial::Trial,
};

/// Objects whose getters answer one part that is kept elsewhere are compared and hashed as those that hold one part in these places: a node that is
/// shared equals one that is shared alike and not two equal ones, a variable that is bound equals another that is, and equal values have one hash.
#[check(SEQ_0023, SEQ_0020, SEQ_0007)]
fn parts_kept_elsewhere(t: &Trial) -> Verdict {
    let (pattern, simple) = (kTVMFFIFieldFlagBitMaskSEqHashDefPattern, kTVMFFIFieldFlagBitMaskSEqHashDefSimple);
    for (number, (part, kind, flag)) in [
        ("a DAG node", kTVMFFISEqHashKindDAGNode, 0),
        ("a variable that a pattern defines", kTVMFFISEqHashKindFreeVar, pattern),
        ("a variable that is defined simply", kTVMFFISEqHashKindFreeVar, simple),
        ("a tree node", kTVMFFISEqHashKindTreeNode, 0),
        ("a constant tree node", kTVMFFISEqHashKindConstTreeNode, 0),
        ("an instance", kTVMFFISEqHashKindUniqueInstance, 0),
    ]
    .into_iter()
    .enumerate()
    {
        let part_type = node_type(t, &format!("test.KeptElsewhere{number}"), kind, [0, 0])?;
        let holder = common_node_type(t, &format!("test.NotHolding{number}"), kTVMFFISEqHashKindTreeNode, [flag, 0])?;
        for (shape, places) in
            SHAPES.iter().flat_map(|shape| [[true, true], [true, false], [false, true]].map(|places| (*shape, places)))
        {
            // New ones for each value, so that nothing else refers to what is kept elsewhere.
            let parts = [(); 3].map(|()| node(part_type, view::int(1), view::int(2)));
            let [common, one, other] = parts.each_ref().map(Homemade::view);
            set_common(&common);
            let [first, second] = places.map(|elsewhere| if elsewhere { TVMFFIAny::NONE } else { common });
            let value = holding(t, holder, shape, first, second)?;
            let alike = holding(t, holder, shape, one, one)?;
            let what = format!("objects with {part}, {shape:?}, kept elsewhere in the places {places:?}");
            let equal = |lhs: &Owned, rhs: &Owned| t.structural_equal(&lhs.any(), &rhs.any(), false);
            // How far a definition reaches, and that of a simple one, is for other clauses to say.
            let bound = flag == pattern && matches!(shape, Shape::FieldsOfOne);
            if kind == kTVMFFISEqHashKindDAGNode || bound {
                t.clause(if bound { id::SEQ_0020 } else { id::SEQ_0023 });
                t.eq(format_args!("whether {what}, equal those that hold one"), equal(&value, &alike)?, true)?;
                t.eq(format_args!("whether those that hold one equal {what}"), equal(&alike, &value)?, true)?;
            }
            if kind == kTVMFFISEqHashKindDAGNode {
                let apart = holding(t, holder, shape, one, other)?;
                t.eq(format_args!("whether {what}, equal those that hold two"), equal(&value, &apart)?, false)?;
                t.eq(format_args!("whether those that hold two equal {what}"), equal(&apart, &value)?, false)?;
            }
            t.clause(id::SEQ_0007);
            let hash = t.structural_hash(&value.any(), false)?;
            if equal(&value, &alike)? {
                let other = t.structural_hash(&alike.any(), false)?;
                t.eq(format_args!("the hash of those that hold one and equal {what}"), other, hash)?;
            }
            // Only now does anything else refer to the part itself.
            let itself = holding(t, holder, shape, common, common)?;
            if equal(&value, &itself)? {
                let other = t.structural_hash(&itself.any(), false)?;
                t.eq(format_args!("the hash of those that hold the very part and equal {what}"), other, hash)?;
            }
        }
    }
    Ok(())
}

/// Where two places are that have one part.
#[derive(Clone, Copy, Debug)]
enum Shape {
    FieldsOfOne,
    FieldsOfTwo,
    FieldWithin,
}

const SHAPES: [Shape; 3] = [Shape::FieldsOfOne, Shape::FieldsOfTwo, Shape::FieldWithin];

/// A value with two such places, which have these parts.
fn holding(t: &Trial, kind: i32, shape: Shape, one: TVMFFIAny, other: TVMFFIAny) -> Verdict<Owned> {
    let seven = view::int(7);
    let object = |first, second| t.own(node(kind, first, second).view());
    match shape {
        Shape::FieldsOfOne => Ok(object(one, other)),
        Shape::FieldsOfTwo => t.call_global("ffi.Array", &[object(one, seven).any(), object(seven, other).any()]),
        Shape::FieldWithin => Ok(object(one, object(seven, other).any())),
    }
}
