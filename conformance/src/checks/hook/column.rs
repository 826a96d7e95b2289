//! Hooks and flags one by one, and what each decides.
//!
//! The types have the fields `first` and `second`. The hooks look at `first` alone, which they hand to the function that
//! the target gives them to go on with, so that a target which ignores a hook is told by `second`.

use std::{
    cmp::Ordering,
    ffi::{c_int, c_void},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        access_path::Step,
        callback::{Body, api, raise},
        graph_text::nodes_of,
        homemade::Homemade,
        model::Value,
        node::{Node, inheriting_node_type, node, node_type, set_kind},
        types, view,
    },
    trial::Trial,
};

// ---------------------------------------------------------------------------------------------------------------------
// Structural functions
// ---------------------------------------------------------------------------------------------------------------------

/// The function in `__s_equal__` decides whether two objects of its type are structurally equal.
#[check(HOK_0001)]
fn structural_equality(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.Equal", &[("__s_equal__", |api, args| compare_first(api, args, true))])?;
    let one = numbers(kind, 1, 2);
    structurally(t, &one.view(), &numbers(kind, 1, 3).view(), true)?;
    structurally(t, &one.view(), &numbers(kind, 5, 2).view(), false)
}

/// The function in `__s_equal__` can compare parts that are containers with the function it is given.
#[check(HOK_0001)]
fn structural_parts(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.Parts", &[("__s_equal__", |api, args| compare_first(api, args, true))])?;
    let nested = |first: i64, second| -> Verdict<_> {
        let inner = Value::Array(vec![Value::str("a string on the heap"), Value::Int(first)]).build(t)?;
        t.call_global("ffi.Array", &[node(kind, inner.any(), view::int(second)).view()])
    };
    structurally(t, &nested(1, 2)?.any(), &nested(1, 3)?.any(), true)?;
    structurally(t, &nested(1, 2)?.any(), &nested(5, 2)?.any(), false)
}

/// The path of the first mismatch has a step with the name that `__s_equal__` gives to the part.
#[check(HOK_0002)]
fn structural_mismatch(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.Mismatch", &[("__s_equal__", |api, args| compare_first(api, args, true))])?;
    let path: &[Step] = &[Step::attr("part")];
    t.differ_at(&numbers(kind, 1, 2).view(), &numbers(kind, 5, 2).view(), Some((path, path)))
}

/// The structural hash of an object is what the function in `__s_hash__` answers.
#[check(HOK_0003)]
fn structural_hash(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.Hash", &[("__s_hash__", |_, _| Some(view::int(0x1234_5678_9abc)))])?;
    t.eq("the hash", t.structural_hash(&numbers(kind, 1, 2).view(), false)?, 0x1234_5678_9abc)
}

/// StructuralKeys of values that differ are different keys also where their hashes are the same.
#[check(SEQ_0028)]
fn keys_of_one_hash(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.OneHash", &[("__s_hash__", |_, _| Some(view::int(7)))])?;
    let nodes = [1, 2, 3].map(|number| numbers(kind, number, 0));
    let key = |node: &Homemade<Node>| t.call_global("ffi.StructuralKey", &[node.view()]);
    let keys = [key(&nodes[0])?, key(&nodes[1])?, key(&nodes[2])?];
    let entries: Vec<_> = keys.iter().zip(1..).flat_map(|(key, value)| [key.any(), view::int(value)]).collect();
    let map = t.call_global("ffi.Map", &entries)?;
    for (at, node) in nodes.iter().enumerate() {
        let again = key(node)?;
        let value = t.call_global("ffi.MapGetItem", &[map.any(), again.any()])?;
        t.any_eq(format_args!("what the map has for key {at}"), &value.any(), &view::int(at as i64 + 1))?;
        for (beside, key) in keys.iter().enumerate() {
            let answer = t.call_global("ffi.StructuralKeyEqual", &[again.any(), key.any()])?;
            t.any_eq(format_args!("whether key {at} equals key {beside}"), &answer.any(), &view::bool(at == beside))?;
        }
    }
    Ok(())
}

/// The structural hash that the function in `__s_hash__` answers may be any 64-bit number.
#[check(HOK_0003)]
fn structural_hash_of_any_number(t: &Trial) -> Verdict {
    for (name, body, expected) in NUMBERS {
        let kind = hooked(t, &format!("verify.hook.Hash{name}"), &[("__s_hash__", *body)])?;
        t.eq("the hash", t.structural_hash(&numbers(kind, 1, 2).view(), false)?, *expected)?;
    }
    Ok(())
}

/// Hooks that answer a number, the number, and a name for it.
const NUMBERS: &[(&str, Body, i64)] = &[
    ("Zero", |_, _| Some(view::int(0)), 0),
    ("One", |_, _| Some(view::int(1)), 1),
    ("Negative", |_, _| Some(view::int(-1)), -1),
    ("Least", |_, _| Some(view::int(i64::MIN)), i64::MIN),
    ("Greatest", |_, _| Some(view::int(i64::MAX)), i64::MAX),
    ("Wide", |_, _| Some(view::int(1 << 32)), 1 << 32),
];

/// The function in `__s_hash__` can mix the hash of a part in with the function it is given.
#[check(HOK_0003)]
fn structural_hash_parts(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.HashParts", &[("__s_hash__", mix_first)])?;
    let hash = |first, second| t.structural_hash(&numbers(kind, first, second).view(), false);
    t.eq("the hash of a node with the same part", hash(1, 3)?, hash(1, 2)?)?;
    t.ne("the hash of a node with another part", hash(5, 2)?, hash(1, 2)?)
}

// ---------------------------------------------------------------------------------------------------------------------
// Recursive functions
// ---------------------------------------------------------------------------------------------------------------------

/// The function in `__ffi_eq__` decides whether two objects of its type are recursively equal.
#[check(HOK_0004)]
fn recursive_equality(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.RecursiveEqual", &[("__ffi_eq__", |api, args| compare_first(api, args, false))])?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 1, 3), true)?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 5, 2), false)
}

/// The function in `__ffi_compare__` decides recursive order, and equality where there is no `__ffi_eq__`.
#[check(HOK_0005)]
fn recursive_order(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.Order", &[("__ffi_compare__", |api, args| compare_first(api, args, false))])?;
    let ordered = |lhs: (i64, i64), rhs: (i64, i64)| {
        let (left, right) = (numbers(kind, lhs.0, lhs.1), numbers(kind, rhs.0, rhs.1));
        t.recursively_ordered(&left.view(), &right.view(), lhs.0.cmp(&rhs.0))
    };
    ordered((1, 9), (5, 2))?;
    ordered((5, 2), (1, 9))?;
    ordered((1, 9), (1, 2))
}

/// The recursive order is that of the sign of the number that the function in `__ffi_compare__` answers.
#[check(HOK_0005)]
fn recursive_order_by_sign(t: &Trial) -> Verdict {
    /// Answers one number if the first part of the first object is less, and another if it is greater.
    fn sign(args: &[TVMFFIAny], less: i32, greater: i32) -> Option<TVMFFIAny> {
        let order = (first(&args[0])?.payload() as i64).cmp(&(first(&args[1])?.payload() as i64));
        Some(view::int(match order {
            Ordering::Less => less.into(),
            Ordering::Equal => 0,
            Ordering::Greater => greater.into(),
        }))
    }
    let hooks: [(&str, Body); 4] = [
        ("One", |_, args| sign(args, -1, 1)),
        ("Seven", |_, args| sign(args, -7, 9)),
        ("LeastAndOne", |_, args| sign(args, i32::MIN, 1)),
        ("MinusOneAndGreatest", |_, args| sign(args, -1, i32::MAX)),
    ];
    for (name, body) in hooks {
        let kind = hooked(t, &format!("verify.hook.Sign{name}"), &[("__ffi_compare__", body)])?;
        for (one, other) in [(1, 3), (3, 1), (3, 3)] {
            let order = one.cmp(&other);
            let (one, other) = (numbers(kind, one, 2), numbers(kind, other, 4));
            t.recursively_ordered(&one.view(), &other.view(), order)?;
        }
    }
    Ok(())
}

/// The recursive hash of an object is what the function in `__ffi_hash__` answers.
#[check(HOK_0006)]
fn recursive_hash(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.RecursiveHash", &[("__ffi_hash__", |_, _| Some(view::int(0x1234_5678_9abc)))])?;
    t.eq("the hash", t.recursive_hash(&numbers(kind, 1, 2).view())?, 0x1234_5678_9abc)
}

/// The recursive hash that the function in `__ffi_hash__` answers may be any 64-bit number.
#[check(HOK_0006)]
fn recursive_hash_of_any_number(t: &Trial) -> Verdict {
    for (name, body, expected) in NUMBERS {
        let kind = hooked(t, &format!("verify.hook.RecursiveHash{name}"), &[("__ffi_hash__", *body)])?;
        t.eq("the hash", t.recursive_hash(&numbers(kind, 1, 2).view())?, *expected)?;
    }
    Ok(())
}

/// The function in `__ffi_hash__` can hash a part with the function it is given.
#[check(HOK_0006)]
fn recursive_hash_parts(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.RecursiveParts", &[("__ffi_hash__", go_on_with_first)])?;
    let of = |first, second| t.recursive_hash(&numbers(kind, first, second).view());
    let mut hashes = Vec::new();
    for part in 0..32 {
        let hash = of(part, 1)?;
        t.eq("the hash of two objects whose hook hashes equal parts", of(part, 2)?, hash)?;
        hashes.push(hash);
    }
    hashes.sort_unstable();
    hashes.dedup();
    let what = "different hashes of objects whose hook hashes 32 different parts";
    t.that(what, hashes.len() > 1, "more than one", hashes.len())
}

/// Objects that `__ffi_eq__` or `__ffi_compare__` calls equal have one recursive hash, or an error if there is no hook.
#[check(HOK_0007)]
fn recursive_hash_missing(t: &Trial) -> Verdict {
    for column in ["__ffi_eq__", "__ffi_compare__"] {
        let hook: Body = |api, args| compare_first(api, args, false);
        let kind = hooked(t, &format!("verify.hook.NoHash{column}"), &[(column, hook)])?;
        let (one, equal) = (numbers(kind, 1, 2), numbers(kind, 1, 3));
        recursively(t, "Eq", &one, &equal, true)?;
        let hashes = (one_hash(t, &one.view())?, one_hash(t, &equal.view())?);
        t.eq(format_args!("the hashes of objects that {column} calls equal"), hashes.0, hashes.1)?;
    }
    Ok(())
}

/// The recursive hash of an object whose type can compare but has no `__ffi_hash__` is a ValueError.
#[check(HOK_0020)]
fn recursive_hash_is_refused(t: &Trial) -> Verdict {
    for column in ["__ffi_eq__", "__ffi_compare__"] {
        let hook: Body = |api, args| compare_first(api, args, false);
        let kind = hooked(t, &format!("verify.hook.Refused{column}"), &[(column, hook)])?;
        t.call_fails(&t.global("ffi.RecursiveHash")?, &[numbers(kind, 1, 2).view()], &["ValueError"])?;
    }
    Ok(())
}

/// The recursive hash of a value; `None` if there is an error in its place.
fn one_hash(t: &Trial, value: &TVMFFIAny) -> Verdict<Option<u64>> {
    let mut result = TVMFFIAny::NONE;
    match t.try_call(&t.global("ffi.RecursiveHash")?, &[*value], &mut result) {
        0 => Ok(Some(result.payload())),
        code => t.raises(code, &[]).map(|_| None),
    }
}

/// The error of a hook is the error of the function that called it, also where the object is in a container.
#[check(HOK_0009)]
fn error(t: &Trial) -> Verdict {
    let fail: Body = |api, _| raise(api, c"KeyError", c"by the hook");
    let kind = hooked(t, "verify.hook.Error", &LOOKING.map(|column| (column, fail)))?;
    fails_everywhere(t, kind)
}

/// The error of a hook is the error of the call also where the hook of another object has asked for that one, and passes the error on.
#[check(HOK_0009)]
fn error_of_a_part(t: &Trial) -> Verdict {
    let fail: Body = |api, _| raise(api, c"KeyError", c"by the hook");
    let part = hooked(t, "verify.hook.FailingPart", &LOOKING.map(|column| (column, fail)))?;
    let whole = hooked(t, "verify.hook.Whole", &GOING_ON)?;
    for (place, levels) in PLACES.into_iter().flat_map(|place| [1, 2, 3].map(|levels| (place, levels))) {
        let mut pair = Vec::new();
        for _ in 0..2 {
            let mut asked = kept(numbers(part, 1, 2));
            for _ in 0..levels {
                asked = kept(node(whole, place_in(t, place, asked)?.into_any(), view::int(3)));
            }
            pair.push(asked);
        }
        for (name, args) in looks(place, pair[0], pair[1]) {
            fails_by_the_hook(t, name, &args, &format!("{levels} deep in {place:?}"))?;
        }
    }
    Ok(())
}

/// The calls that look into two values whose objects have hooks, which stand in such a place.
pub(super) fn looks(place: &[&str], lhs: TVMFFIAny, rhs: TVMFFIAny) -> Vec<(&'static str, Vec<TVMFFIAny>)> {
    let no = view::bool(false);
    let mut calls = vec![
        ("ffi.StructuralEqual", vec![lhs, rhs, no, no]),
        ("ffi.GetFirstStructuralMismatch", vec![lhs, rhs, no, no]),
        ("ffi.StructuralHash", vec![lhs, no, no]),
        ("ffi.RecursiveEq", vec![lhs, rhs]),
        ("ffi.RecursiveHash", vec![lhs]),
        ("ffi.ReprPrint", vec![lhs]),
    ];
    // Maps have no order, which is told before anybody looks into them.
    if !place.contains(&"ffi.Map") && !place.contains(&"ffi.Dict") {
        calls.push(("ffi.RecursiveLt", vec![lhs, rhs]));
    }
    calls
}

/// Expects a call to fail with the KeyError of a hook.
fn fails_by_the_hook(t: &Trial, name: &str, args: &[TVMFFIAny], place: &str) -> Verdict {
    let raised = t.call_fails(&t.global(name)?, args, &["KeyError"]);
    let message = raised.map_err(|failure| failure.noting(format!("calling {name} for {place}")))?.message;
    t.that("message of the raised error", message.contains("by the hook"), "by the hook", &message)
}

/// Expects each function that looks into objects of a type to fail with the KeyError that the type's functions raise, as often as it
/// is called, and to keep no reference.
fn fails_everywhere(t: &Trial, kind: i32) -> Verdict {
    let nodes = [numbers(kind, 1, 2), numbers(kind, 1, 2)];
    for place in PLACES {
        let held = [place_in(t, place, nodes[0].view())?, place_in(t, place, nodes[1].view())?];
        let [lhs, rhs] = held.each_ref().map(Owned::any);
        let before = nodes.each_ref().map(Homemade::counts);
        let holding = [t.counts(held[0].handle())?, t.counts(held[1].handle())?];
        let mut calls = looks(place, lhs, rhs);
        calls.push(("ffi.ToJSONGraphString", vec![lhs, TVMFFIAny::NONE]));
        // The second time a library might go by what it has left from the first.
        for (name, args) in calls.iter().flat_map(|call| [call; 2]) {
            fails_by_the_hook(t, name, args, &format!("{place:?}"))?;
            t.eq(format_args!("the counts of the nodes after {name}"), nodes.each_ref().map(Homemade::counts), before)?;
            let counts = [t.counts(held[0].handle())?, t.counts(held[1].handle())?];
            t.eq(format_args!("the counts of what holds the nodes after {name}, for {place:?}"), counts, holding)?;
        }
    }
    Ok(())
}

/// Where an object stands: the containers around it, the innermost first.
pub(super) const PLACES: [&[&str]; 8] = [
    &[],
    &["ffi.Array"],
    &["ffi.List"],
    &["ffi.Map"],
    &["ffi.Dict"],
    &["ffi.List", "ffi.Array"],
    &["ffi.Array", "ffi.Dict"],
    &["ffi.Map", "ffi.List"],
];

/// A value in containers, as the value of a key where they have keys.
pub(super) fn place_in(t: &Trial, place: &[&str], value: TVMFFIAny) -> Verdict<Owned> {
    let mut owned = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(&value, &mut owned))?;
    place.iter().try_fold(t.own(owned), |inner, make| t.call_global(make, &[view::int(0), inner.any()]))
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------------------------

/// Objects of one type without hooks are recursively equal if their fields are.
#[check(HOK_0010)]
fn fields_equal(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.Fields", TREE, [0, 0])?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 1, 2), true)?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 1, 3), false)?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 5, 2), false)?;
    let other = node_type(t, "verify.hook.OtherFields", TREE, [0, 0])?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(other, 1, 2), false)
}

/// Objects of one type without hooks are recursively ordered by their fields in order.
#[check(HOK_0010)]
fn fields_ordered(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.Ordered", TREE, [0, 0])?;
    recursively(t, "Lt", &numbers(kind, 1, 9), &numbers(kind, 5, 2), true)?;
    recursively(t, "Lt", &numbers(kind, 1, 2), &numbers(kind, 1, 3), true)?;
    recursively(t, "Lt", &numbers(kind, 1, 2), &numbers(kind, 1, 2), false)?;
    recursively(t, "Ge", &numbers(kind, 1, 2), &numbers(kind, 1, 2), true)
}

/// The recursive hash of an object without hooks is made of the values of its fields.
#[check(HOK_0010)]
fn fields_hash(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.Hashed", TREE, [0, 0])?;
    let hash = |first, second| t.recursive_hash(&numbers(kind, first, second).view());
    t.eq("the hash of an equal node", hash(1, 2)?, hash(1, 2)?)?;
    t.ne("the hash with another second field", hash(1, 3)?, hash(1, 2)?)?;
    t.ne("the hash with another first field", hash(5, 2)?, hash(1, 2)?)
}

/// A field flagged CompareOff counts neither for recursive equality nor for order.
#[check(HOK_0011)]
fn compare_off(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.CompareOff", TREE, [0, kTVMFFIFieldFlagBitMaskCompareOff])?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 1, 3), true)?;
    recursively(t, "Lt", &numbers(kind, 1, 2), &numbers(kind, 1, 3), false)?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 5, 2), false)
}

/// Objects that differ in a field flagged CompareOff alone have the same recursive hash.
#[check(HOK_0018)]
fn compare_off_hash(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.CompareOffHash", TREE, [0, kTVMFFIFieldFlagBitMaskCompareOff])?;
    let hash = |first, second| t.recursive_hash(&numbers(kind, first, second).view());
    t.eq("the hash of an equal node", hash(1, 3)?, hash(1, 2)?)?;
    t.ne("the hash of another node", hash(5, 2)?, hash(1, 2)?)
}

/// A field flagged HashOff counts for recursive equality but not for the recursive hash.
#[check(HOK_0012)]
fn hash_off(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.HashOff", TREE, [0, kTVMFFIFieldFlagBitMaskHashOff])?;
    recursively(t, "Eq", &numbers(kind, 1, 2), &numbers(kind, 1, 3), false)?;
    let hash = |second| t.recursive_hash(&numbers(kind, 1, second).view());
    t.eq("the hash with another value in the field", hash(3)?, hash(2)?)
}

/// An object without `__ffi_repr__` is printed as its type key with its fields as `name=value`.
#[check(HOK_0013)]
fn fields_repr(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.Printed", TREE, [0, 0])?;
    let text = t.string(b"a string on the heap")?;
    let inner = node(kind, view::int(1), text.any());
    let expected =
        r#"verify.hook.Printed(first=verify.hook.Printed(first=1, second="a string on the heap"), second=None)"#;
    t.prints(&node(kind, inner.view(), TVMFFIAny::NONE).view(), expected)
}

/// A field flagged ReprOff is not printed.
#[check(HOK_0014)]
fn repr_off(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.ReprOff", TREE, [kTVMFFIFieldFlagBitMaskReprOff, 0])?;
    let text = t.printed(&numbers(kind, 4711, 1234).view())?;
    t.that("the printed form", text.contains("1234"), "1234, which is not hidden, in it", &text)?;
    t.that("the printed form", !text.contains("4711") && !text.contains("first"), "neither first nor 4711 in it", &text)
}

/// The flags CompareOff, HashOff, ReprOff and SEqHashIgnore of a field do what each of them says, whichever others the field has, and
/// whichever the field beside it, which is inherited or not.
#[check(HOK_0014, HOK_0010, HOK_0011, HOK_0012, HOK_0013, HOK_0018, SEQ_0013, SEQ_0014)]
fn flags_beside_each_other(t: &Trial) -> Verdict {
    const FLAGS: [i64; 4] = [
        kTVMFFIFieldFlagBitMaskCompareOff,
        kTVMFFIFieldFlagBitMaskHashOff,
        kTVMFFIFieldFlagBitMaskReprOff,
        kTVMFFIFieldFlagBitMaskSEqHashIgnore,
    ];
    let set = |of: usize| (0_u32..).zip(FLAGS).filter(|&(at, _)| of >> at & 1 == 1).map(|(_, flag)| flag).sum::<i64>();
    let pairs = (0..16_usize).flat_map(|which| [0, 1].map(|at| [(which, at, 0), (which, at, 15 ^ which)])).flatten();
    let makers = [node_type, inheriting_node_type];
    let cases = pairs.flat_map(|pair| makers.map(|new_type| (pair, new_type)));
    for (number, ((which, at, beside), new_type)) in cases.enumerate() {
        let [compare_off, hash_off, repr_off, ignored] = [0_u32, 1, 2, 3].map(|flag| which >> flag & 1 == 1);
        let flags = if at == 0 { [set(which), set(beside)] } else { [set(beside), set(which)] };
        let kind = new_type(t, &format!("verify.hook.Flags{number}"), TREE, flags)?;
        let of = |number: i64| if at == 0 { numbers(kind, number, 1234) } else { numbers(kind, 1234, number) };
        let (one, twin, other) = (of(4711), of(4711), of(4712));
        let [own, others] = [which, beside].map(set);
        let what = format_args!("objects that differ in a field with the flags {own:#x} beside one with {others:#x}");

        t.clause(if compare_off { id::HOK_0011 } else { id::HOK_0010 });
        recursively(t, "Eq", &one, &twin, true)?;
        recursively(t, "Eq", &one, &other, compare_off)?;
        recursively(t, "Lt", &one, &other, !compare_off)?;
        recursively(t, "Gt", &one, &other, false)?;
        let hash = |node: &Homemade<Node>| t.recursive_hash(&node.view());
        let (hashes, twins) = ((hash(&one)?, hash(&other)?), hash(&twin)?);
        t.eq("the hash of an equal object", twins, hashes.0)?;
        t.clause(if hash_off { id::HOK_0012 } else { id::HOK_0018 });
        if hash_off || compare_off {
            t.eq(format_args!("the recursive hash of {what}"), hashes.1, hashes.0)?;
        } else {
            t.clause(id::HOK_0010);
            t.ne(format_args!("the recursive hash of {what}"), hashes.1, hashes.0)?;
        }

        t.clause(if repr_off { id::HOK_0014 } else { id::HOK_0013 });
        let text = t.printed(&one.view())?;
        let expected = if repr_off { "4711, which is hidden, not in it" } else { "4711, which is not hidden, in it" };
        t.that(format_args!("the printed form of one of {what}"), text.contains("4711") != repr_off, expected, &text)?;

        t.clause(if ignored { id::SEQ_0014 } else { id::SEQ_0013 });
        structurally(t, &one.view(), &twin.view(), true)?;
        structurally(t, &one.view(), &other.view(), ignored)?;
        let hash = |node: &Homemade<Node>| t.structural_hash(&node.view(), false);
        t.eq("the structural hash of an equal object", hash(&twin)?, hash(&one)?)?;
        if ignored {
            t.eq(format_args!("the structural hash of {what}"), hash(&other)?, hash(&one)?)?;
        }
    }
    Ok(())
}

/// The error of a client's getter is the error of the function that read the field, which keeps no reference.
#[check(HOK_0019)]
fn getter_fails(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let key = TVMFFIByteArray::new(b"verify.hook.Getter");
    let kind = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
    let field = TVMFFIFieldInfo { getter: Some(fail_to_get), ..types::field(b"first", kTVMFFIAny, 16, 24) };
    t.ok(t.api.TVMFFITypeRegisterField(kind, &field))?;
    set_kind(t, kind, TREE)?;
    // Only what could be read back is saved.
    t.set_hook(kind, "__ffi_new__", &t.callback(|_, _| None)?.any())?;
    fails_everywhere(t, kind)
}

/// A getter that fails.
unsafe extern "C" fn fail_to_get(_: *mut c_void, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = api() {
        raise(api, c"KeyError", c"by the hook");
    }
    -1
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON graphs
// ---------------------------------------------------------------------------------------------------------------------

/// The function in `__data_to_json__` answers the data of an object's node in a JSON graph.
#[check(HOK_0016)]
fn data_to_graph(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.ToGraph", &[("__data_to_json__", |_, args| first(args.first()?))])?;
    let text = t.call_global("ffi.ToJSONGraphString", &[numbers(kind, 4711, 2).view(), TVMFFIAny::NONE])?;
    let text = String::from_utf8_lossy(&t.text(&text.any())?).into_owned();
    let found = nodes_of(&text).iter().any(|node| node["type"] == "verify.hook.ToGraph" && node["data"] == 4711);
    t.that("the graph", found, "a node with the type \"verify.hook.ToGraph\" and the data 4711", &text)
}

/// The function in `__data_from_json__` makes the value of a node of a JSON graph from the node's data.
#[check(HOK_0017)]
fn data_from_graph(t: &Trial) -> Verdict {
    let body: Body = |api, args| {
        let mut answer = TVMFFIAny::NONE;
        let text = format!("made of {}", args.first()?.payload());
        (api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(text.as_bytes()), &mut answer) == 0).then_some(answer)
    };
    hooked(t, "verify.hook.FromGraph", &[("__data_from_json__", body)])?;
    let text = t.string(br#"{"root_index":0,"nodes":[{"type":"verify.hook.FromGraph","data":4711}]}"#)?;
    let made = t.call_global("ffi.FromJSONGraphString", &[text.any()])?;
    t.eq("what the node reads as", Value::read(t, &made.any())?, Value::str("made of 4711"))
}

// ---------------------------------------------------------------------------------------------------------------------
// What is left behind
// ---------------------------------------------------------------------------------------------------------------------

/// Functions that call hooks give back every reference that they take.
#[check(HOK_0015)]
fn counts(t: &Trial) -> Verdict {
    let kind = with_all_hooks(t, "verify.hook.Counts")?;
    let part = t.string(b"a string on the heap")?;
    let (lhs, rhs) = (node(kind, part.any(), view::int(2)), node(kind, part.any(), view::int(3)));
    let before = t.counts(part.handle())?;
    use_all(t, &lhs, &rhs)?;
    for (what, node) in [("left", &lhs), ("right", &rhs)] {
        t.eq(format_args!("the counts of the {what} node"), node.counts(), (1, 1))?;
    }
    t.eq("the counts of the part that both hold", t.counts(part.handle())?, before)
}

/// Functions that call hooks leave no memory behind.
#[check(HOK_0015, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let kind = with_all_hooks(t, "verify.hook.Growth")?;
    let part = t.string(b"a string on the heap")?;
    let (lhs, rhs) = (node(kind, part.any(), view::int(2)), node(kind, part.any(), view::int(3)));
    t.no_growth("memory for hooks", || use_all(t, &lhs, &rhs))
}

/// A type with a hook of every kind that compares, hashes or prints.
fn with_all_hooks(t: &Trial, key: &str) -> Verdict<i32> {
    let structural: Body = |api, args| compare_first(api, args, true);
    let recursive: Body = |api, args| compare_first(api, args, false);
    let hooks = [
        ("__s_equal__", structural),
        ("__s_hash__", mix_first),
        ("__ffi_eq__", recursive),
        ("__ffi_hash__", go_on_with_first),
        ("__ffi_repr__", quote_first),
    ];
    hooked(t, key, &hooks)
}

/// Calls every function that calls one of those hooks.
fn use_all(t: &Trial, lhs: &Homemade<Node>, rhs: &Homemade<Node>) -> Verdict {
    structurally(t, &lhs.view(), &rhs.view(), true)?;
    t.structural_hash(&lhs.view(), false)?;
    recursively(t, "Eq", lhs, rhs, true)?;
    t.recursive_hash(&lhs.view())?;
    t.printed(&lhs.view()).map(drop)
}
