//! Cycles, depth, what is left behind, and calls that are refused.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        extremes::DEEP,
        globals,
        homemade::Homemade,
        model::Value,
        node::{Node, node, node_type},
        view,
    },
    trial::Trial,
};

/// Structural comparison and hashing of Lists and Dicts that contain themselves ends, with an answer or an error.
#[check(SEQ_0029)]
fn cycles_end(t: &Trial) -> Verdict {
    let no = view::bool(false);
    t.each_cycle(|lhs, rhs| {
        t.returns("ffi.StructuralHash", &[*lhs, no, no])?;
        t.returns("ffi.StructuralEqual", &[*lhs, *rhs, no, no])?;
        t.returns("ffi.GetFirstStructuralMismatch", &[*lhs, *rhs, no, no])
    })
}

/// Structural comparison and hashing end for a List that holds a Map whose values lead back to it, and whose keys are variables
/// that nothing tells apart.
#[check(SEQ_0029)]
fn cycles_behind_variables_end(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.CyclesBehindVariablesEnd", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let keys = [0, 1].map(|_| node(kind, TVMFFIAny::NONE, TVMFFIAny::NONE));
    let [one, other] = keys.each_ref().map(Homemade::view);
    let cycle = || -> Verdict<Owned> {
        let root = t.call_global("ffi.List", &[])?;
        let map = t.call_global("ffi.Map", &[one, root.any(), other, root.any()])?;
        t.call_global("ffi.ListAppend", &[root.any(), map.any()])?;
        Ok(root)
    };
    let (lhs, rhs) = (cycle()?, cycle()?);
    for maps in [false, true].map(view::bool) {
        t.returns("ffi.StructuralHash", &[lhs.any(), maps, view::bool(false)])?;
        t.returns("ffi.StructuralEqual", &[lhs.any(), rhs.any(), maps, view::bool(false)])?;
    }
    for root in [lhs, rhs] {
        t.call_global("ffi.ListClear", &[root.any()])?;
    }
    Ok(())
}

/// Values three hundred levels deep are structurally compared and hashed.
#[check(SEQ_0030)]
fn deep(t: &Trial) -> Verdict {
    let (lhs, rhs) = (t.nested("ffi.Array", 300, TVMFFIAny::NONE)?, t.nested("ffi.Array", 300, TVMFFIAny::NONE)?);
    t.eq("whether they are equal", t.structural_equal(&lhs.any(), &rhs.any(), false)?, true)?;
    let (left, right) = (t.structural_hash(&lhs.any(), false)?, t.structural_hash(&rhs.any(), false)?);
    t.eq("the hash", right, left)
}

/// Structural comparison and hashing of values 10,000 levels deep ends, with an answer or an error.
#[check(SEQ_0031)]
fn far_too_deep(t: &Trial) -> Verdict {
    t.in_large_pages();
    let (lhs, rhs) = (t.nested("ffi.Array", 10_000, TVMFFIAny::NONE)?, t.nested("ffi.Array", 10_000, TVMFFIAny::NONE)?);
    let no = view::bool(false);
    t.returns("ffi.StructuralHash", &[lhs.any(), no, no])?;
    t.returns("ffi.StructuralEqual", &[lhs.any(), rhs.any(), no, no])
}

/// Structural comparison and hashing of Maps and Dicts whose keys hold such Maps in StructuralKeys, 10,000 levels deep, ends, with an answer
/// or an error, also where a look-up compares them.
#[check(SEQ_0031)]
fn keys_in_keys_far_too_deep(t: &Trial) -> Verdict {
    const LEVELS: usize = 10_000;
    t.in_large_pages();
    let (lhs, rhs) = (t.keys_in_keys(LEVELS)?, t.keys_in_keys(LEVELS)?);
    let (left, right, no, one) = (t.map_by(lhs)?, t.map_by(rhs)?, view::bool(false), view::int(1));
    t.returns("ffi.StructuralKeyEqual", &[lhs, rhs])?;
    t.returns("ffi.StructuralHash", &[left, no, no])?;
    for name in ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"] {
        t.returns(name, &[left, right, no, no])?;
    }
    let dict = t.call_global("ffi.Dict", &[lhs, one])?.into_any();
    for (door, args) in [
        ("ffi.MapCount", &[left, rhs][..]),
        ("ffi.MapGetItem", &[left, rhs]),
        ("ffi.DictSetItem", &[dict, rhs, one]),
        ("ffi.DictGetItem", &[dict, rhs]),
        // Both keys are given to one Map.
        ("ffi.Map", &[lhs, one, rhs, one]),
    ] {
        t.returns(door, args)?;
    }
    for (make, contains) in [("ffi.Array", "ffi.ArrayContains"), ("ffi.List", "ffi.ListContains")] {
        if globals::find(t, contains)?.is_some() {
            t.returns(contains, &[t.call_global(make, &[lhs])?.into_any(), rhs])?;
        }
    }
    Ok(())
}

/// Structural functions give back every reference that they take.
#[check(SEQ_0032)]
fn counts(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Counts", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let (lhs, rhs) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    let pair = |node: &Homemade<Node>| t.call_global("ffi.Array", &[node.view()]);
    let (left, right) = (pair(&lhs)?, pair(&rhs)?);
    t.structural_equal(&left.any(), &right.any(), false)?;
    t.structural_hash(&left.any(), false)?;
    t.mismatch(&left.any(), &right.any())?;
    for (what, node) in [("left", &lhs), ("right", &rhs)] {
        t.eq(format_args!("the counts of the {what} node"), node.counts(), (2, 1))?;
    }
    Ok(())
}

/// Structural functions leave no memory behind, also on threads that end.
#[check(SEQ_0032, patient = 3)]
fn no_growth(t: &Trial) -> Verdict {
    let value = |last| Value::Map(vec![(Value::str("a string on the heap"), Value::Array(vec![Value::Int(last)]))]);
    t.leaves_nothing("comparing and hashing", |t| {
        let (lhs, rhs) = (value(1).build(t)?, value(2).build(t)?);
        t.structural_equal(&lhs.any(), &rhs.any(), false)?;
        t.structural_hash(&lhs.any(), true)?;
        t.mismatch(&lhs.any(), &rhs.any()).map(drop)
    })
}

/// Structural functions called with too few arguments raise a TypeError.
#[check(SEQ_0033)]
fn arguments(t: &Trial) -> Verdict {
    for name in ["ffi.StructuralEqual", "ffi.StructuralHash", "ffi.GetFirstStructuralMismatch"] {
        let mut result = TVMFFIAny::NONE;
        let code = t.try_call(&t.global(name)?, &[view::int(1)], &mut result);
        t.raises(code, &["TypeError"])?;
    }
    Ok(())
}

/// What stands twice far within a value, and not within itself, is compared and hashed as two parts that are alike.
#[check(SEQ_0003, SEQ_0004, SEQ_0007, SEQ_0009)]
fn deep_and_shared(t: &Trial) -> Verdict {
    let no = view::bool(false);
    t.in_large_pages();
    for (make, around, levels) in DEEP {
        let [shared, apart] = t.deep_shared_and_apart(make, around, levels)?;
        let [other_shared, other] = t.deep_shared_and_apart(make, around, levels)?;
        let what = format_args!("{make} {around} deep with a part of {levels} levels twice");
        let ask = |name: &str, lhs: &Owned, rhs: &Owned| t.answer(name, &[lhs.any(), rhs.any(), no, no]);
        // How deep a value may be is for other clauses to say.
        for (name, clause) in [
            ("ffi.StructuralEqual", if make == "ffi.Map" || make == "ffi.Dict" { id::SEQ_0004 } else { id::SEQ_0003 }),
            ("ffi.GetFirstStructuralMismatch", id::SEQ_0009),
        ] {
            t.clause(clause);
            if ask(name, &apart, &other)?.is_ok() {
                let expected = if name == "ffi.StructuralEqual" { view::bool(true) } else { TVMFFIAny::NONE };
                for (lhs, rhs) in [(&shared, &other_shared), (&shared, &apart), (&apart, &shared)] {
                    let answer = ask(name, lhs, rhs)?.map(|answer| answer.any().to_bytes());
                    let answer = answer.map_err(|raised| raised.message);
                    t.eq(format_args!("what {name} says of {what}"), answer, Ok(expected.to_bytes()))?;
                }
            }
        }
        t.clause(id::SEQ_0007);
        let hash = |value: &Owned| -> Verdict<Result<u64, String>> {
            let answer = t.answer("ffi.StructuralHash", &[value.any(), no, no])?;
            Ok(answer.map(|hash| hash.any().payload()).map_err(|raised| raised.message))
        };
        let expected = hash(&apart)?;
        if expected.is_ok() {
            t.eq(format_args!("the hash of {what}"), hash(&shared)?, expected)?;
        }
    }
    Ok(())
}
