//! Maps and Dicts whose keys are objects: what counts of such a key does not hang on what was met before.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        node::{Node, node, node_type},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// Values that are structurally equal have one hash where objects are keys of Maps and Dicts in them, whether a part stands in two
/// places or an equal one in one of them, and whether a key was met before that, afterwards or in between.
#[check(SEQ_0007, SEQ_0024)]
fn one_hash_with_objects_as_keys(t: &Trial) -> Verdict {
    let tree = node_type(t, "test.HoldsKeyed", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    for (kind, [key, twin]) in keys(t)? {
        for make in t.containers()?.into_iter().filter(|make| matches!(*make, "ffi.Map" | "ffi.Dict")) {
            for (entries, values) in entries(&key.view()) {
                let map = t.call_global(make, &values)?;
                for place in [Place::Alone, Place::InArray, Place::MapValue] {
                    let held = place.put(t, &map.any())?;
                    let parts = [(); 2].map(|()| node(tree, held.any(), view::int(1)));
                    let what = format!("{make} of {entries}, each {place:?}, where the key is {kind}");
                    have_one_hash(t, &what, &rows(t, &parts, &key.view(), &twin.view())?)?;
                }
            }
        }
    }
    Ok(())
}

/// Maps with the same entries have one structural hash in whatever order these came, where keys are different objects with the same content.
#[check(SEQ_0007)]
fn keys_of_one_hash_in_any_order(t: &Trial) -> Verdict {
    for (kind, [key, twin]) in keys(t)? {
        let other = view::int(5);
        let rows = [
            [[key.view(), view::int(1)], [twin.view(), view::int(2)], [other, view::int(3)]],
            [[twin.view(), view::int(2)], [key.view(), view::int(1)], [other, view::int(3)]],
            [[other, view::int(3)], [twin.view(), view::int(2)], [key.view(), view::int(1)]],
        ];
        for make in t.containers()?.into_iter().filter(|make| matches!(*make, "ffi.Map" | "ffi.Dict")) {
            let maps = rows.iter().enumerate().map(|(at, row)| {
                let map = t.call_global(make, row.as_flattened())?;
                Ok((["the first order", "the second order", "the third order"][at], map))
            });
            have_one_hash(t, &format!("{make} with two keys that are {kind}"), &maps.collect::<Verdict<Vec<_>>>()?)?;
        }
    }
    Ok(())
}

/// A kind of object, and two of it.
type Key = (&'static str, [Homemade<Node>; 2]);

/// Two objects of each kind.
fn keys(t: &Trial) -> Verdict<Vec<Key>> {
    [
        ("a variable", "test.VarAsKey", kTVMFFISEqHashKindFreeVar),
        ("a node of a graph", "test.DagAsKey", kTVMFFISEqHashKindDAGNode),
        ("a node of a tree", "test.TreeAsKey", kTVMFFISEqHashKindTreeNode),
        ("a constant", "test.ConstAsKey", kTVMFFISEqHashKindConstTreeNode),
        ("the only one of its kind", "test.UniqueAsKey", kTVMFFISEqHashKindUniqueInstance),
    ]
    .into_iter()
    .map(|(what, key, kind)| {
        let kind = node_type(t, key, kind, [0, 0])?;
        Ok((what, [(); 2].map(|()| node(kind, view::int(7), view::int(8)))))
    })
    .collect()
}

/// Entries of a map with this key, which may stand among its values.
fn entries(key: &TVMFFIAny) -> [(&'static str, Vec<TVMFFIAny>); 3] {
    let (zero, one) = (view::int(0), view::int(1));
    [
        ("the key alone", vec![*key, one]),
        ("the key, and behind it as a value", vec![*key, one, zero, *key]),
        ("the key, and before it as a value", vec![zero, *key, *key, one]),
    ]
}

/// Arrays of one part twice, or of two, and of a key or its twin.
fn rows(
    t: &Trial,
    parts: &[Homemade<Node>; 2],
    key: &TVMFFIAny,
    twin: &TVMFFIAny,
) -> Verdict<Vec<(&'static str, Owned)>> {
    let (part, other) = (parts[0].view(), parts[1].view());
    let rows: [(_, &[TVMFFIAny]); 10] = [
        ("a part twice", &[part, part]),
        ("a part and its equal", &[part, other]),
        ("the key and a part twice", &[*key, part, part]),
        ("the key, a part and its equal", &[*key, part, other]),
        ("the key's equal and a part twice", &[*twin, part, part]),
        ("the key's equal, a part and its equal", &[*twin, part, other]),
        ("a part twice with the key in between", &[part, *key, part]),
        ("a part and its equal with the key in between", &[part, *key, other]),
        ("a part twice with the key's equal in between", &[part, *twin, part]),
        ("a part and its equal with the key's equal in between", &[part, *twin, other]),
    ];
    rows.into_iter().map(|(what, row)| Ok((what, t.call_global("ffi.Array", row)?))).collect()
}

/// Expects those of these values that are equal to have one hash.
fn have_one_hash(t: &Trial, what: &str, values: &[(&'static str, Owned)]) -> Verdict {
    for mapped in [false, true] {
        let hashed =
            |(row, value): &(&'static str, Owned)| Ok((*row, value.any(), t.structural_hash(&value.any(), mapped)?));
        let hashed: Vec<_> = values.iter().map(hashed).collect::<Verdict<_>>()?;
        for (at, (row, lhs, hash)) in hashed.iter().enumerate() {
            for (other, rhs, other_hash) in &hashed[..at] {
                if hash != other_hash && t.structural_equal(lhs, rhs, mapped)? {
                    t.clause(id::SEQ_0007);
                    let what =
                        format!("the hash of {row}, which equals {other}, of {what}, variables mapped: {mapped}");
                    t.eq(what, *hash, *other_hash)?;
                }
            }
        }
    }
    Ok(())
}
