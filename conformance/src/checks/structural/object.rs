//! Objects of client types, by the kind of the type and the flags of its fields.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::keep_self,
        globals,
        homemade::Homemade,
        node::{Node, node, node_type, set_kind},
        reflected,
        samples::{Place, Sample, pairs},
        types, view,
    },
    trial::Trial,
};

/// Structural comparison and hashing of an object whose type does not support them fail with an error, wherever it stands.
#[check(SEQ_0012)]
fn unsupported(t: &Trial) -> Verdict {
    let (kind, no) = (node_type(t, "test.Unsupported", kTVMFFISEqHashKindUnsupported, [0, 0])?, view::bool(false));
    let tree = node_type(t, "test.OfUnsupported", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let function = t.global("ffi.StructuralHash")?;
    let twins = [(); 2].map(|()| node(kind, view::int(1), view::int(2)));
    let mut pairs =
        vec![(twins[0].view(), twins[1].view()), (twins[0].view(), twins[0].view()), (function.any(), function.any())];
    // Objects of the library's own types that say nothing of how they compare.
    let opaque = t.opaque(std::ptr::dangling_mut(), keep_self)?;
    let plain = globals::find(t, "ffi.GetInvalidObject")?.map(|answer| t.call(&answer, &[])).transpose()?;
    pairs.extend([Some(&opaque), plain.as_ref()].into_iter().flatten().map(|object| (object.any(), object.any())));
    for (one, other) in pairs {
        for place in Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)) {
            let held = [place.put(t, &one)?, place.put(t, &other)?];
            let nodes = held.each_ref().map(|held| node(tree, view::int(1), held.any()));
            for [lhs, rhs] in [held.each_ref().map(Owned::any), nodes.each_ref().map(Homemade::view)] {
                t.refuses("ffi.StructuralHash", &[lhs, no, no], &[])?;
                if globals::find(t, "ffi.StructuralKey")?.is_some() {
                    t.refuses("ffi.StructuralKey", &[lhs], &[])?;
                }
                if let Ok(init) = reflected::attribute_function(t, "__ffi_init__", "ffi.StructuralKey") {
                    t.call_fails(&init, &[lhs], &[])?;
                }
                for name in ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"] {
                    t.refuses(name, &[lhs, rhs, no, no], &[])?;
                }
            }
        }
    }
    Ok(())
}

/// TreeNode objects are structurally equal if all their fields are.
#[check(SEQ_0013)]
fn tree(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Tree", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let one = node(kind, view::int(1), view::int(2));
    objects_equal(t, &one, &node(kind, view::int(1), view::int(2)), true)?;
    objects_equal(t, &one, &node(kind, view::int(1), view::int(3)), false)?;
    objects_equal(t, &one, &node(kind, view::int(0), view::int(2)), false)?;
    let (outer, inner) = (node(kind, one.view(), view::int(1)), node(kind, view::int(1), view::int(2)));
    objects_equal(t, &outer, &node(kind, inner.view(), view::int(1)), true)
}

/// Expects two objects to be structurally equal, or not.
fn objects_equal(t: &Trial, lhs: &Homemade<Node>, rhs: &Homemade<Node>, expected: bool) -> Verdict {
    let answer = t.structural_equal(&lhs.view(), &rhs.view(), false)?;
    t.eq("whether the objects are structurally equal", answer, expected)
}

/// The structural hash of a TreeNode is that of its fields in their order.
#[check(SEQ_0013)]
fn tree_hash(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.TreeHash", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let hash = |a, b| t.structural_hash(&node(kind, view::int(a), view::int(b)).view(), false);
    t.eq("the hash of an equal node", hash(1, 2)?, hash(1, 2)?)?;
    t.ne("the hash of a node with another field", hash(1, 3)?, hash(1, 2)?)?;
    t.ne("the hash of a node with its fields exchanged", hash(2, 1)?, hash(1, 2)?)
}

/// An object with a field flagged SEqHashIgnore counts as without that field wherever it stands.
#[check(SEQ_0014)]
fn ignored_field_anywhere(t: &Trial) -> Verdict {
    let flags = [0, kTVMFFIFieldFlagBitMaskSEqHashIgnore];
    let kind = node_type(t, "test.IgnoredAnywhere", kTVMFFISEqHashKindTreeNode, flags)?;
    for place in Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)) {
        let holder = |ignored| place.put(t, &node(kind, view::int(1), view::int(ignored)).view());
        let (lhs, rhs) = (holder(2)?, holder(9)?);
        let equal = t.structural_equal(&lhs.any(), &rhs.any(), false)?;
        t.eq(format_args!("whether they are equal, {place:?}"), equal, true)?;
        let hashes = (t.structural_hash(&rhs.any(), false)?, t.structural_hash(&lhs.any(), false)?);
        t.eq(format_args!("the hash, {place:?}"), hashes.0, hashes.1)?;
        t.differ_at(&lhs.any(), &rhs.any(), None)?;
    }
    Ok(())
}

/// Values that are equal but for a field flagged SEqHashIgnore have one hash wherever they stand.
#[check(SEQ_0014, SEQ_0007)]
fn ignored_field_has_one_hash(t: &Trial) -> Verdict {
    t.clause(id::SEQ_0007);
    let flags = [kTVMFFIFieldFlagBitMaskSEqHashIgnore, 0];
    let kind = node_type(t, "test.IgnoredHash", kTVMFFISEqHashKindTreeNode, flags)?;
    for place in Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)) {
        let holder = |ignored| place.put(t, &node(kind, view::int(ignored), view::int(1)).view());
        let (lhs, rhs) = (holder(2)?, holder(9)?);
        if t.structural_equal(&lhs.any(), &rhs.any(), false)? {
            let hash = t.structural_hash(&lhs.any(), false)?;
            t.eq(format_args!("the hash, {place:?}"), t.structural_hash(&rhs.any(), false)?, hash)?;
        }
    }
    Ok(())
}

/// A field flagged SEqHashIgnore counts neither for structural equality nor for the hash.
#[check(SEQ_0014)]
fn ignored_field(t: &Trial) -> Verdict {
    let flags = [0, kTVMFFIFieldFlagBitMaskSEqHashIgnore];
    let kind = node_type(t, "test.Ignored", kTVMFFISEqHashKindTreeNode, flags)?;
    let (lhs, rhs) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(9)));
    objects_equal(t, &lhs, &rhs, true)?;
    t.eq("the hash", t.structural_hash(&rhs.view(), false)?, t.structural_hash(&lhs.view(), false)?)
}

/// An inherited field flagged SEqHashIgnore counts neither for structural equality nor for the hash.
#[check(SEQ_0014, SEQ_0007)]
fn inherited_and_ignored(t: &Trial) -> Verdict {
    let flags = [0, kTVMFFIFieldFlagBitMaskSEqHashIgnore];
    let mut kind = node_type(t, "test.IgnoredOfAncestors", kTVMFFISEqHashKindTreeNode, flags)?;
    for descendant in ["test.ChildOfIgnored", "test.GrandchildOfIgnored"] {
        kind = types::new_child(t, descendant, kind)?;
        set_kind(t, kind, kTVMFFISEqHashKindTreeNode)?;
        let [one, twin, other] =
            [(1, 2), (1, 9), (3, 2)].map(|(counts, ignored)| node(kind, view::int(counts), view::int(ignored)));
        t.clause(id::SEQ_0014);
        objects_equal(t, &one, &twin, true)?;
        objects_equal(t, &one, &other, false)?;
        t.clause(id::SEQ_0007);
        t.eq("the hash", t.structural_hash(&twin.view(), false)?, t.structural_hash(&one.view(), false)?)?;
    }
    Ok(())
}

/// UniqueInstance objects are structurally equal only to themselves.
#[check(SEQ_0016)]
fn unique(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Unique", kTVMFFISEqHashKindUniqueInstance, [0, 0])?;
    let (one, twin) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    objects_equal(t, &one, &one, true)?;
    objects_equal(t, &one, &twin, false)
}

/// A ConstTreeNode object is structurally equal to itself and to none whose fields differ, and equal ones have one hash.
#[check(SEQ_0017)]
fn const_tree(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.ConstTree", kTVMFFISEqHashKindConstTreeNode, [0, 0])?;
    let one = node(kind, view::int(1), view::int(2));
    objects_equal(t, &one, &one, true)?;
    objects_equal(t, &one, &node(kind, view::int(1), view::int(3)), false)?;
    // The kind says that pointers may stand for content, so that twins may be equal or not.
    let twin = node(kind, view::int(1), view::int(2));
    let equal = t.structural_equal(&one.view(), &twin.view(), false)?;
    t.eq("whether the twin equals the first", t.structural_equal(&twin.view(), &one.view(), false)?, equal)?;
    if equal {
        t.eq("the hash of the twin", t.structural_hash(&twin.view(), false)?, t.structural_hash(&one.view(), false)?)?;
    }
    Ok(())
}

/// A field of an object counts in every form of its value, for structural equality and for the hash.
#[check(SEQ_0013, SEQ_0007)]
fn field_of_every_form(t: &Trial) -> Verdict {
    let samples: Vec<_> = t.samples()?.into_iter().filter(Sample::is_data).collect();
    let kind = node_type(t, "test.EveryForm", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    for (lhs, rhs) in pairs(&samples).filter(|(lhs, rhs)| lhs.same_type(rhs) && !lhs.akin(rhs)) {
        t.clause(id::SEQ_0013);
        let what = format_args!("{} and {}", lhs.name, rhs.name);
        let owned = [lhs, rhs].map(|sample| Place::Alone.put(t, &sample.any()));
        let [one, other] = owned;
        let (one, other) = (one?, other?);
        let (one, other) = (node(kind, view::int(1), one.any()), node(kind, view::int(1), other.any()));
        let equal = t.structural_equal(&one.view(), &other.view(), false)?;
        t.eq(format_args!("whether objects of {what} are equal"), equal, lhs.same(rhs))?;
        if equal {
            t.clause(id::SEQ_0007);
            let hash = |node: &Homemade<Node>| t.structural_hash(&node.view(), false);
            t.eq(format_args!("the hash of the second of {what}"), hash(&other)?, hash(&one)?)?;
        }
    }
    Ok(())
}

/// A FreeVar object that is not bound is structurally equal only to itself.
#[check(SEQ_0018)]
fn free_var(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.FreeVar", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let (one, twin) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    objects_equal(t, &one, &one, true)?;
    objects_equal(t, &one, &twin, false)
}

/// Two FreeVar objects are structurally equal, with one hash, when free variables are mapped.
#[check(SEQ_0019)]
fn free_var_mapped(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.FreeVarMapped", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let (one, twin) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    let answer = t.structural_equal(&one.view(), &twin.view(), true)?;
    t.eq("whether the variables are equal when free variables are mapped", answer, true)?;
    for map in [true, false] {
        let args = [one.view(), twin.view(), view::bool(map), view::bool(false)];
        let mismatch = t.call_global("ffi.GetFirstStructuralMismatch", &args)?;
        let what = format_args!("whether there is no mismatch when free variables are mapped: {map}");
        t.eq(what, mismatch.any().type_index == kTVMFFINone, map)?;
    }
    t.eq("the hash", t.structural_hash(&twin.view(), true)?, t.structural_hash(&one.view(), true)?)
}

/// Free variables are mapped as if nothing had been compared before, however a comparison has ended in which they were.
#[check(SEQ_0019)]
fn free_vars_after_other_comparisons(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.FreeVarAfter", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let refused = node_type(t, "test.RefusedAfter", kTVMFFISEqHashKindUnsupported, [0, 0])?;
    let variables = [(); 3].map(|()| node(kind, view::int(1), view::int(2)));
    let [one, two, three] = variables.each_ref().map(Homemade::view);
    let ends = [(); 2].map(|()| node(refused, view::int(1), view::int(2)));
    let array = |items: [TVMFFIAny; 2]| t.call_global("ffi.Array", &items);
    let [left, right] = [array([one, ends[0].view()])?, array([two, ends[1].view()])?];
    let [other_left, other_right] = [array([one, view::int(1)])?, array([two, view::int(2)])?];
    let no = view::bool(false);
    for (how, lhs, rhs) in [("failed", &left, &right), ("found a difference", &other_left, &other_right)] {
        for name in ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"] {
            for (lhs_var, rhs_var) in [(one, three), (three, two), (two, one)] {
                drop(t.answer(name, &[lhs.any(), rhs.any(), view::bool(true), no])?);
                let equal = t.structural_equal(&lhs_var, &rhs_var, true)?;
                t.eq(format_args!("whether variables are equal after {name} has {how}"), equal, true)?;
                drop(t.answer(name, &[lhs.any(), rhs.any(), view::bool(true), no])?);
                let equal = t.structural_equal(&one, &two, false)?;
                t.eq(format_args!("whether unmapped variables are equal after {name} has {how}"), equal, false)?;
            }
        }
    }
    Ok(())
}

/// Types for functions of one variable: the first field of a lambda binds the variable, the second uses it.
struct Lambdas {
    lambda: i32,
    variable: i32,
}

impl Lambdas {
    fn new(t: &Trial) -> Verdict<Self> {
        let variable = node_type(t, "test.Var", kTVMFFISEqHashKindFreeVar, [0, 0])?;
        let binds = [kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0];
        let lambda = node_type(t, "test.Lambda", kTVMFFISEqHashKindTreeNode, binds)?;
        Ok(Self { lambda, variable })
    }

    fn variable(&self) -> Homemade<Node> {
        node(self.variable, view::int(1), view::int(2))
    }
}

/// Functions that differ only in the variable that they bind are structurally equal.
#[check(SEQ_0020)]
fn bound_var(t: &Trial) -> Verdict {
    let types = Lambdas::new(t)?;
    let (x, y) = (types.variable(), types.variable());
    objects_equal(t, &node(types.lambda, x.view(), x.view()), &node(types.lambda, y.view(), y.view()), true)
}

/// Functions that differ only in the variable that they bind have the same structural hash.
#[check(SEQ_0020)]
fn bound_var_hash(t: &Trial) -> Verdict {
    let types = Lambdas::new(t)?;
    let (x, y) = (types.variable(), types.variable());
    let hash = |variable: &Homemade<Node>| {
        t.structural_hash(&node(types.lambda, variable.view(), variable.view()).view(), false)
    };
    t.eq("the hash with another variable", hash(&y)?, hash(&x)?)
}

/// The use of a bound variable equals only the use of the variable that is bound at the same place.
#[check(SEQ_0021)]
fn bound_var_use(t: &Trial) -> Verdict {
    let types = Lambdas::new(t)?;
    let (x, y, free) = (types.variable(), types.variable(), types.variable());
    let lambda = |bound: &Homemade<Node>, used: &Homemade<Node>| node(types.lambda, bound.view(), used.view());
    objects_equal(t, &lambda(&x, &x), &lambda(&y, &free), false)?;
    objects_equal(t, &lambda(&x, &free), &lambda(&y, &free), true)?;
    objects_equal(t, &lambda(&x, &free), &lambda(&y, &y), false)
}

/// A container that stands on both sides and holds a variable equals itself only where that variable is bound to itself.
#[check(SEQ_0021)]
fn bound_var_in_what_both_sides_hold(t: &Trial) -> Verdict {
    let types = Lambdas::new(t)?;
    let (x, y) = (types.variable(), types.variable());
    let all = Place::all(t)?;
    // A container that is a key is compared as keys are.
    let is_open =
        |(outer, inner): &(Place, Place)| !matches!(outer, Place::MapKey | Place::DictKey) || *inner == Place::Alone;
    let pairs = all.iter().flat_map(|outer| all.iter().map(|inner| (*outer, *inner)));
    for (outer, inner) in pairs.filter(is_open) {
        let holding = |variable: &Homemade<Node>| outer.put(t, &inner.put(t, &variable.view())?.any());
        let (both, twin) = (holding(&x)?, holding(&y)?);
        let lambda = |bound: &Homemade<Node>, body: &Owned| node(types.lambda, bound.view(), body.any());
        for (one, other, both_or_twin, expected) in
            [(&x, &x, &both, true), (&x, &y, &both, false), (&y, &x, &both, false), (&x, &y, &twin, true)]
        {
            let (lhs, rhs) = (lambda(one, &both), lambda(other, both_or_twin));
            let answer = t.structural_equal(&lhs.view(), &rhs.view(), false)?;
            let what = format_args!("whether functions of a variable, {inner:?} {outer:?}, are equal");
            t.eq(what, answer, expected)?;
            if !expected {
                // What was found equal before the variables were bound is not so afterwards.
                let after = |function: &Homemade<Node>| t.call_global("ffi.Array", &[both.any(), function.view()]);
                let answer = t.structural_equal(&after(&lhs)?.any(), &after(&rhs)?.any(), false)?;
                t.eq(format_args!("{what}, behind what both sides hold"), answer, false)?;
            }
        }
    }
    Ok(())
}

/// Two variables of one value are never bound to a single variable of the other value.
#[check(SEQ_0022)]
fn one_to_one(t: &Trial) -> Verdict {
    let types = Lambdas::new(t)?;
    let (x, y, z) = (types.variable(), types.variable(), types.variable());
    let pair = |a: &Homemade<Node>, b: &Homemade<Node>| t.call_global("ffi.Array", &[a.view(), b.view()]);
    let (distinct, same) = (pair(&x, &y)?, pair(&z, &z)?);
    let lhs = node(types.lambda, distinct.any(), view::int(0));
    let rhs = node(types.lambda, same.any(), view::int(0));
    objects_equal(t, &lhs, &rhs, false)?;
    objects_equal(t, &rhs, &lhs, false)?;
    // Also where free variables are bound by the call.
    for [lhs, rhs] in [[&distinct, &same], [&same, &distinct]] {
        let answer = t.structural_equal(&lhs.any(), &rhs.any(), true)?;
        t.eq("whether two variables equal one when free variables are mapped", answer, false)?;
    }
    let twins = pair(&types.variable(), &types.variable())?;
    t.eq("whether they equal two others", t.structural_equal(&distinct.any(), &twins.any(), true)?, true)
}

/// Of variables that both sides share, each pairs with one of the other side and always with that.
#[check(SEQ_0021, SEQ_0022, SEQ_0019)]
fn variables_of_both_sides(t: &Trial) -> Verdict {
    const LONGEST: u32 = 3;
    let types = Lambdas::new(t)?;
    let variables = [(); 3].map(|()| types.variable());
    let rows =
        |length| (0..3_usize.pow(length)).map(move |row| (0..length).map(|at| row / 3_usize.pow(at) % 3).collect());
    for length in 1..=LONGEST {
        let rows: Vec<Vec<usize>> = rows(length).collect();
        let build = |row: &Vec<usize>| {
            let views: Vec<_> = row.iter().map(|&which| variables[which].view()).collect();
            t.call_global("ffi.Array", &views)
        };
        let arrays = rows.iter().map(build).collect::<Verdict<Vec<_>>>()?;
        for (lhs, left) in rows.iter().zip(&arrays) {
            for (rhs, right) in rows.iter().zip(&arrays) {
                let [conflict, other] = [true, false].map(|itself_is_bound| conflict(lhs, rhs, itself_is_bound));
                // Nothing says whether a variable that equals itself is bound by that.
                if conflict.is_some() != other.is_some() {
                    continue;
                }
                t.clause(conflict.unwrap_or(id::SEQ_0019));
                let answer = t.structural_equal(&left.any(), &right.any(), true)?;
                let what = format_args!("whether variables {lhs:?} equal {rhs:?} when free ones are mapped");
                t.eq(what, answer, conflict.is_none())?;
            }
        }
    }
    Ok(())
}

/// The clause that keeps two rows of variables, which both sides share, from being equal; none where they are.
fn conflict(lhs: &[usize], rhs: &[usize], itself_is_bound: bool) -> Option<&'static str> {
    let mut bound: Vec<(usize, usize)> = Vec::new();
    for (&left, &right) in lhs.iter().zip(rhs) {
        if bound.contains(&(left, right)) {
            continue;
        }
        if bound.iter().any(|(known, _)| *known == left) {
            return Some(id::SEQ_0021);
        }
        if bound.iter().any(|(_, known)| *known == right) {
            return Some(id::SEQ_0022);
        }
        if left != right || itself_is_bound {
            bound.push((left, right));
        }
    }
    None
}

/// DAGNode objects are structurally equal only if they are shared alike.
#[check(SEQ_0023)]
fn dag(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Dag", kTVMFFISEqHashKindDAGNode, [0, 0])?;
    let leaf = || node(kind, view::int(1), view::int(2));
    let (a, b, c, d) = (leaf(), leaf(), leaf(), leaf());
    let shared = node(kind, a.view(), a.view());
    objects_equal(t, &shared, &node(kind, b.view(), b.view()), true)?;
    objects_equal(t, &shared, &node(kind, c.view(), d.view()), false)
}

/// In whatever container a DAGNode stands twice, with however much between, two that are equal to it are not shared alike.
#[check(SEQ_0023)]
fn dag_far_apart(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.DagApart", kTVMFFISEqHashKindDAGNode, [0, 0])?;
    let leaf = || node(kind, view::int(1), view::int(2));
    let (a, b, c, d) = (leaf(), leaf(), leaf(), leaf());
    for (make, between) in
        t.containers()?.into_iter().flat_map(|make| [1, 15, 16, 63, 64, 65, 300].map(|between| (make, between)))
    {
        let around = |first: &Homemade<Node>, last: &Homemade<Node>| {
            // Keys that are in order, and values that are alike.
            let numbers = (1..=2 * between).map(view::int);
            let ends = [[view::int(0), first.view()], [view::int(1000), last.view()]];
            let args: Vec<_> = ends[0].into_iter().chain(numbers).chain(ends[1]).collect();
            t.call_global(make, &args)
        };
        let (shared, shared_too, apart) = (around(&a, &a)?, around(&b, &b)?, around(&c, &d)?);
        for (lhs, rhs, equal) in [(&shared, &shared_too, true), (&shared, &apart, false), (&apart, &shared, false)] {
            let answer =
                t.call_global("ffi.StructuralEqual", &[lhs.any(), rhs.any(), view::bool(false), view::bool(false)])?;
            let what = format_args!("whether DAGNodes are shared alike around {between} others by {make}");
            t.any_eq(what, &answer.any(), &view::bool(equal))?;
        }
    }
    Ok(())
}

/// DAGNode objects that are structurally equal have the same structural hash.
#[check(SEQ_0023)]
fn dag_hash(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.DagHash", kTVMFFISEqHashKindDAGNode, [0, 0])?;
    let (a, b) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    let hash = |leaf: &Homemade<Node>| t.structural_hash(&node(kind, leaf.view(), leaf.view()).view(), false);
    t.eq("the hash of an equal graph", hash(&b)?, hash(&a)?)
}

/// Whether a TreeNode is shared does not count for structural equality.
#[check(SEQ_0024)]
fn tree_sharing(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.TreeSharing", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let leaf = || node(kind, view::int(1), view::int(2));
    let (a, b, c) = (leaf(), leaf(), leaf());
    objects_equal(t, &node(kind, a.view(), a.view()), &node(kind, b.view(), c.view()), true)
}

/// In whatever a TreeNode stands twice, two that are alike are equal to it and two that differ are not, with any flags and on either side; a
/// DAGNode that stands twice does not equal two that are alike.
#[check(SEQ_0024, SEQ_0013, SEQ_0007, SEQ_0023, SEQ_0043)]
fn sharing_anywhere(t: &Trial) -> Verdict {
    let tree = node_type(t, "test.TreeAnywhere", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let dag = node_type(t, "test.DagAnywhere", kTVMFFISEqHashKindDAGNode, [0, 0])?;
    let leaf = |kind, number| node(kind, view::int(1), view::int(number));
    let places = Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey));
    let ways: Vec<_> = places.flat_map(|place| [true, false].map(|in_fields| (place, in_fields))).collect();
    let [are_equal, mismatch, hash] =
        t.globals(["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch", "ffi.StructuralHash"])?;
    for (shares, kind, number, equal, clause) in [
        ("a TreeNode twice and two that are alike", tree, 2, true, id::SEQ_0024),
        ("a TreeNode twice and two that differ", tree, 3, false, id::SEQ_0013),
        ("a DAGNode twice and two that are alike", dag, 2, false, id::SEQ_0023),
    ] {
        let (twice, first, second) = (leaf(kind, 2), leaf(kind, 2), leaf(kind, number));
        let containers = t.containers()?;
        let all = containers.iter().flat_map(|make| ways.iter().map(move |way| (*make, *way)));
        for (make, (place, in_fields)) in all {
            let with = |one: &Homemade<Node>, other: &Homemade<Node>| {
                let (one, other) = (place.put(t, &one.view())?, place.put(t, &other.view())?);
                let fields = node(tree, one.any(), other.any());
                let (node, both) =
                    ([view::int(7), fields.view()], [view::int(7), one.any(), view::int(8), other.any()]);
                t.call_global(make, if in_fields { &node[..] } else { &both[..] })
            };
            let (shared, apart) = (with(&twice, &twice)?, with(&first, &second)?);
            for (lhs, rhs) in [(&shared, &apart), (&apart, &shared)] {
                for flags in [[false, false], [false, true], [true, false], [true, true]] {
                    let what =
                        format_args!("{shares}, {place:?} in {make}, in fields: {in_fields}, with flags {flags:?}");
                    let args = [lhs.any(), rhs.any(), view::bool(flags[0]), view::bool(flags[1])];
                    t.clause(clause);
                    let answer = t.call(&are_equal, &args)?;
                    t.any_eq(format_args!("whether equal: {what}"), &answer.any(), &view::bool(equal))?;
                    t.clause(id::SEQ_0043);
                    let mismatch = t.call(&mismatch, &args)?;
                    t.eq(format_args!("no mismatch: {what}"), mismatch.any().type_index == kTVMFFINone, equal)?;
                    if equal {
                        t.clause(id::SEQ_0007);
                        let hash = |value: &Owned| t.call(&hash, &[value.any(), args[2], args[3]]);
                        t.any_eq(format_args!("the hash: {what}"), &hash(lhs)?.any(), &hash(rhs)?.any())?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Objects of different types are not structurally equal.
#[check(SEQ_0025)]
fn other_types(t: &Trial) -> Verdict {
    let one = node_type(t, "test.One", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let other = node_type(t, "test.Other", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    objects_equal(t, &node(one, view::int(1), view::int(2)), &node(other, view::int(1), view::int(2)), false)
}

/// Fields inherited from an ancestor type count for structural equality.
#[check(SEQ_0026)]
fn inherited_fields(t: &Trial) -> Verdict {
    let parent = node_type(t, "test.Parent", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let key = TVMFFIByteArray::new(b"test.Child");
    let child = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 2, 0, 1, parent);
    set_kind(t, child, kTVMFFISEqHashKindTreeNode)?;
    let one = node(child, view::int(1), view::int(2));
    objects_equal(t, &one, &node(child, view::int(1), view::int(2)), true)?;
    objects_equal(t, &one, &node(child, view::int(1), view::int(3)), false)
}
