//! Structural equality, hashes and keys: values compared by their shape, as compilers compare programs.
//!
//! Objects are those of types that a check registers as a client would: two fields of any value, with the kind and the
//! flags that are to be judged. The objects are made by the suite, and the target only reads them.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        model::{self, Value},
        node::{Node, node, node_type, set_kind},
        reflected, view,
    },
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

// ---------------------------------------------------------------------------------------------------------------------
// Values without objects of clients
// ---------------------------------------------------------------------------------------------------------------------

/// `ffi.StructuralEqual` finds scalars equal if they have the same type and value.
#[check(SEQ_0001)]
fn equal_scalars(t: &Trial) -> Verdict {
    use Value::{Bool, Int, None};
    pairwise(t, &[None, Bool(true), Bool(false), Int(0), Int(1), Int(-1), Value::float(1.0), Value::float(0.5)])
}

/// `ffi.StructuralEqual` finds Strings and Bytes equal by type and content.
#[check(SEQ_0001)]
fn equal_texts(t: &Trial) -> Verdict {
    let bytes = |content: &[u8]| Value::Bytes(content.to_vec());
    let long = "a string on the heap";
    pairwise(t, &[Value::str(""), Value::str("a"), Value::str(long), bytes(b""), bytes(b"a"), bytes(long.as_bytes())])
}

/// `ffi.StructuralEqual` finds NaN equal to NaN.
#[check(SEQ_0002)]
fn equal_nan(t: &Trial) -> Verdict {
    equals(t, &Value::float(f64::NAN), &Value::float(f64::NAN), true)
}

/// `ffi.StructuralEqual` finds Arrays equal if they have equal elements in the same order.
#[check(SEQ_0003)]
fn equal_sequences(t: &Trial) -> Verdict {
    use Value::{Array, Int};
    let array = |items: &[i64]| Array(items.iter().copied().map(Int).collect());
    pairwise(t, &[array(&[]), array(&[1]), array(&[2]), array(&[1, 2]), array(&[2, 1]), Array(vec![array(&[1])])])
}

/// `ffi.StructuralEqual` finds Maps with the same entries equal whatever their order.
#[check(SEQ_0004)]
fn equal_maps(t: &Trial) -> Verdict {
    let entry = |n: i64| (Value::str(&format!("key {n}")), Value::Array(vec![Value::Int(n)]));
    for count in [2, 4, 5, 40] {
        let entries: Vec<_> = (0..count).map(entry).collect();
        let reversed = Value::Map(entries.iter().rev().cloned().collect());
        equals(t, &Value::Map(entries.clone()), &reversed, true)?;
        let fewer = Value::Map(entries[1..].to_vec());
        equals(t, &fewer, &reversed, false)?;
        let mut other = entries;
        other[0].1 = Value::None;
        equals(t, &Value::Map(other), &reversed, false)?;
    }
    Ok(())
}

/// `ffi.StructuralEqual` finds Shapes equal if they have the same extents.
#[check(SEQ_0003)]
fn equal_shapes(t: &Trial) -> Verdict {
    let shape =
        |extents: &[i64]| t.call_global("ffi.Shape", &extents.iter().copied().map(view::int).collect::<Vec<_>>());
    for (lhs, rhs) in [(&[2, 3][..], &[2, 3][..]), (&[2, 3], &[3, 2]), (&[], &[]), (&[1], &[1, 1])] {
        let answer = structural_equal(t, &shape(lhs)?.any(), &shape(rhs)?.any(), false)?;
        t.eq(format!("whether the shapes {lhs:?} and {rhs:?} are equal"), answer, lhs == rhs)?;
    }
    Ok(())
}

/// `ffi.StructuralEqual` never finds containers of different types equal.
#[check(SEQ_0005)]
fn kinds_differ(t: &Trial) -> Verdict {
    let items = vec![Value::Int(1)];
    equals(t, &Value::Array(items.clone()), &Value::List(items), false)?;
    equals(t, &Value::Map(vec![]), &Value::Dict(vec![]), false)
}

/// `ffi.StructuralEqual` finds a random value equal to its twin, and to another value only if their content is equal.
#[check(SEQ_0003, SEQ_0004)]
fn any_equal(t: &Trial) -> Verdict {
    t.property((model::json_value(), model::json_value()), |(lhs, rhs)| {
        equals(t, lhs, lhs, true)?;
        // Unlike in recursive equality, floats are equal bit by bit.
        equals(t, lhs, rhs, lhs.equal_by(rhs, Value::eq))
    })
}

/// The structural hash of scalars and texts is what every release computes.
///
/// What every release answers.
#[check(SEQ_0006)]
fn hash_known(t: &Trial) -> Verdict {
    let known = [
        (Value::None, 2_654_435_769),
        (Value::Bool(true), 2_654_435_896),
        (Value::Int(1), 2_654_435_835),
        (Value::float(1.0), 4_607_182_421_454_453_370),
        (Value::float(f64::NAN), 9_221_120_239_695_526_522),
        (Value::str("a"), 2_654_439_979),
        (Value::str("abcdefgh"), 3_546_921_335),
        (Value::Bytes(b"abc".to_vec()), 2_660_949_777),
        (Value::Bytes(b"abcdefgh".to_vec()), 3_546_921_268),
    ];
    known.iter().try_for_each(|(value, known)| t.eq(format!("the hash of {value:?}"), hash(t, value)?, *known))
}

/// The structural hash of Arrays and Maps is what every release computes.
#[check(SEQ_0006)]
fn hash_containers_known(t: &Trial) -> Verdict {
    use Value::{Array, Int, Map};
    let entry = |key: &str, value| (Value::str(key), Int(value));
    let known = [
        (Array(vec![]), -2_010_874_065_908_478_216),
        (Array(vec![Int(1)]), -2_659_981_581_661_525_815),
        (Array(vec![Int(1), Int(2)]), 2_823_322_240_268_045_181),
        (Map(vec![]), -6_752_507_338_210_542_304),
        (Map(vec![entry("a", 1)]), 8_690_073_498_391_192_266),
        (Map(vec![entry("a", 1), entry("b", 2)]), 8_387_368_743_028_195_433),
    ];
    known.iter().try_for_each(|(value, known)| t.eq(format!("the hash of {value:?}"), hash(t, value)?, *known))
}

/// A random value and its twin have the same structural hash.
#[check(SEQ_0007)]
fn any_hash(t: &Trial) -> Verdict {
    t.property(model::json_value(), |value| t.eq("the hash of a second one", hash(t, value)?, hash(t, value)?))
}

/// The structural hash of a Map does not depend on the order of its entries.
#[check(SEQ_0007)]
fn hash_map_order(t: &Trial) -> Verdict {
    let entries: Vec<_> = (0..9).map(|n| (Value::str(&format!("key {n}")), Value::Int(n))).collect();
    let reversed = entries.iter().rev().cloned().collect();
    t.eq("the hash in another order", hash(t, &Value::Map(reversed))?, hash(t, &Value::Map(entries))?)
}

/// The structural hash depends on type, content and the order of sequences.
#[check(SEQ_0008)]
fn hash_differs(t: &Trial) -> Verdict {
    use Value::{Array, Bool, Int, Map, None};
    let all = [
        None,
        Bool(false),
        Bool(true),
        Int(0),
        Int(1),
        Value::float(1.0),
        Value::str("a"),
        Value::str("a string on the heap"),
        Array(vec![]),
        Array(vec![Int(1)]),
        Array(vec![Int(1), Int(2)]),
        Array(vec![Int(2), Int(1)]),
        Map(vec![(Int(1), Int(2))]),
        Map(vec![(Int(2), Int(1))]),
    ];
    let hashes = all.iter().map(|value| hash(t, value)).collect::<Verdict<Vec<_>>>()?;
    for (at, first) in hashes.iter().enumerate() {
        for (other, second) in hashes.iter().enumerate().skip(at + 1) {
            t.ne(format!("the hash of {:?} and of {:?}", all[at], all[other]), *second, *first)?;
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// First mismatches
// ---------------------------------------------------------------------------------------------------------------------

/// `ffi.GetFirstStructuralMismatch` answers None for equal values.
#[check(SEQ_0009)]
fn mismatch_none(t: &Trial) -> Verdict {
    [Value::Int(1), Value::Array(vec![Value::Int(1)]), Value::Map(vec![])]
        .iter()
        .try_for_each(|value| differ_at(t, &value.build(t)?.any(), &value.build(t)?.any(), None))
}

/// The first mismatch is a pair of paths to the element or the map entry that differs.
#[check(SEQ_0010)]
fn mismatch_element(t: &Trial) -> Verdict {
    let array = |value| Value::Array(vec![Value::Int(1), Value::Int(value)]).build(t);
    differ_at(t, &array(2)?.any(), &array(3)?.any(), Some((&[Step::item(1)], &[Step::item(1)])))?;
    let map = |value| Value::Map(vec![(Value::str("k"), Value::Int(value))]).build(t);
    differ_at(t, &map(2)?.any(), &map(3)?.any(), Some((&[Step::entry("k")], &[Step::entry("k")])))
}

/// The first mismatch leads through nested containers to where they differ.
#[check(SEQ_0010)]
fn mismatch_nested(t: &Trial) -> Verdict {
    let value = |last| {
        let inner = Value::Array(vec![Value::Int(2), Value::Int(last)]);
        Value::Map(vec![(Value::str("a"), Value::Array(vec![Value::Int(1), inner]))]).build(t)
    };
    let path: &[Step] = &[Step::entry("a"), Step::item(1), Step::item(1)];
    differ_at(t, &value(3)?.any(), &value(4)?.any(), Some((path, path)))
}

/// The first mismatch ends in a missing step on the side that lacks an element.
#[check(SEQ_0011)]
fn mismatch_missing(t: &Trial) -> Verdict {
    let (short, long) = (Value::Array(vec![Value::Int(1)]), Value::Array(vec![Value::Int(1), Value::Int(2)]));
    let (short, long) = (short.build(t)?, long.build(t)?);
    differ_at(t, &short.any(), &long.any(), Some((&[Step::missing_item(1)], &[Step::item(1)])))?;
    differ_at(t, &long.any(), &short.any(), Some((&[Step::item(1)], &[Step::missing_item(1)])))?;
    let map = |key| Value::Map(vec![(Value::str(key), Value::Int(1))]).build(t);
    differ_at(t, &map("a")?.any(), &map("b")?.any(), Some((&[Step::entry("a")], &[Step::missing_entry("a")])))
}

/// The first mismatch of two scalars is a pair of empty paths.
#[check(SEQ_0010)]
fn mismatch_root(t: &Trial) -> Verdict {
    differ_at(t, &view::int(1), &view::int(2), Some((&[], &[])))?;
    differ_at(t, &view::int(1), &view::bool(true), Some((&[], &[])))
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects of clients
// ---------------------------------------------------------------------------------------------------------------------

/// Structural comparison and hashing of an object whose type does not support them is a TypeError.
#[check(SEQ_0012)]
fn unsupported(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralHash")?;
    let no = view::bool(false);
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(&function, &[function.any(), no, no], &mut result), &["TypeError"])?;
    let equal = t.global("ffi.StructuralEqual")?;
    t.raises(t.try_call(&equal, &[function.any(), equal.any(), no, no], &mut result), &["TypeError"])?;
    let kind = node_type(t, "test.Unsupported", kTVMFFISEqHashKindUnsupported, [0, 0])?;
    let node = node(kind, view::int(1), view::int(2));
    t.raises(t.try_call(&function, &[node.view(), no, no], &mut result), &["TypeError"]).map(drop)
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

/// The structural hash of a TreeNode is that of its fields in their order.
#[check(SEQ_0013)]
fn tree_hash(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.TreeHash", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let hash = |a, b| structural_hash(t, &node(kind, view::int(a), view::int(b)).view(), false);
    t.eq("the hash of an equal node", hash(1, 2)?, hash(1, 2)?)?;
    t.ne("the hash of a node with another field", hash(1, 3)?, hash(1, 2)?)?;
    t.ne("the hash of a node with its fields exchanged", hash(2, 1)?, hash(1, 2)?)
}

/// A field flagged SEqHashIgnore counts neither for structural equality nor for the hash.
#[check(SEQ_0014)]
fn ignored_field(t: &Trial) -> Verdict {
    let flags = [0, kTVMFFIFieldFlagBitMaskSEqHashIgnore];
    let kind = node_type(t, "test.Ignored", kTVMFFISEqHashKindTreeNode, flags)?;
    let (lhs, rhs) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(9)));
    objects_equal(t, &lhs, &rhs, true)?;
    t.eq("the hash", structural_hash(t, &rhs.view(), false)?, structural_hash(t, &lhs.view(), false)?)
}

/// The path of a mismatch within an object has a step with the field's name.
#[check(SEQ_0015)]
fn object_mismatch(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Mismatch", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let array = |value| Value::Array(vec![Value::Int(value)]).build(t);
    let (left, right) = (array(1)?, array(2)?);
    let (lhs, rhs) = (node(kind, view::int(1), left.any()), node(kind, view::int(1), right.any()));
    let path: &[Step] = &[Step::attr("second"), Step::item(0)];
    differ_at(t, &lhs.view(), &rhs.view(), Some((path, path)))
}

/// UniqueInstance objects are structurally equal only to themselves.
#[check(SEQ_0016)]
fn unique(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Unique", kTVMFFISEqHashKindUniqueInstance, [0, 0])?;
    let (one, twin) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    objects_equal(t, &one, &one, true)?;
    objects_equal(t, &one, &twin, false)
}

/// ConstTreeNode objects are structurally equal if all their fields are.
#[check(SEQ_0017)]
fn const_tree(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.ConstTree", kTVMFFISEqHashKindConstTreeNode, [0, 0])?;
    let one = node(kind, view::int(1), view::int(2));
    objects_equal(t, &one, &one, true)?;
    objects_equal(t, &one, &node(kind, view::int(1), view::int(2)), true)?;
    objects_equal(t, &one, &node(kind, view::int(1), view::int(3)), false)
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
    let answer = structural_equal(t, &one.view(), &twin.view(), true)?;
    t.eq("whether the variables are equal when free variables are mapped", answer, true)?;
    t.eq("the hash", structural_hash(t, &twin.view(), true)?, structural_hash(t, &one.view(), true)?)
}

/// A function of one variable: where it is bound, and what is done with it.
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
        structural_hash(t, &node(types.lambda, variable.view(), variable.view()).view(), false)
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
    objects_equal(t, &rhs, &lhs, false)
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

/// DAGNode objects that are structurally equal have the same structural hash.
#[check(SEQ_0023)]
fn dag_hash(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.DagHash", kTVMFFISEqHashKindDAGNode, [0, 0])?;
    let (a, b) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    let hash = |leaf: &Homemade<Node>| structural_hash(t, &node(kind, leaf.view(), leaf.view()).view(), false);
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

// ---------------------------------------------------------------------------------------------------------------------
// Keys
// ---------------------------------------------------------------------------------------------------------------------

/// A StructuralKey holds its value and its structural hash behind the header.
#[check(SEQ_0027)]
fn key(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let key = t.call_global("ffi.StructuralKey", &[value.any()])?;
    let (held, hash): (TVMFFIAny, i64) = t.cell("the key", key.handle())?;
    t.any_eq("the value of the key", &held, &value.any())?;
    t.eq("the hash of the key", hash, structural_hash(t, &value.any(), false)?)
}

/// StructuralKeys of structurally equal values are one key of a Map.
#[check(SEQ_0028)]
fn key_equal(t: &Trial) -> Verdict {
    let key = |item| {
        let value = Value::Array(vec![Value::Int(item)]).build(t)?;
        t.call_global("ffi.StructuralKey", &[value.any()])
    };
    let (one, twin) = (key(1)?, key(1)?);
    let map = t.call_global("ffi.Map", &[one.any(), view::int(7)])?;
    t.any_eq(
        "what the map has for it",
        &t.call_global("ffi.MapGetItem", &[map.any(), twin.any()])?.any(),
        &view::int(7),
    )?;
    let answer = t.call_global("ffi.StructuralKeyEqual", &[one.any(), twin.any()])?;
    t.any_eq("whether the keys are equal", &answer.any(), &view::bool(true))
}

/// StructuralKeys of values that are not structurally equal are different keys of a Map.
#[check(SEQ_0028)]
fn key_differs(t: &Trial) -> Verdict {
    let key = |item| {
        let value = Value::Array(vec![Value::Int(item)]).build(t)?;
        t.call_global("ffi.StructuralKey", &[value.any()])
    };
    let (one, other) = (key(1)?, key(2)?);
    let map = t.call_global("ffi.Map", &[one.any(), view::int(7)])?;
    let count = t.call_global("ffi.MapCount", &[map.any(), other.any()])?;
    t.any_eq("how often the map has the other key", &count.any(), &view::int(0))?;
    let answer = t.call_global("ffi.StructuralKeyEqual", &[one.any(), other.any()])?;
    t.any_eq("whether the keys are equal", &answer.any(), &view::bool(false))
}

// ---------------------------------------------------------------------------------------------------------------------
// Tensors
// ---------------------------------------------------------------------------------------------------------------------

const FLOAT32: DLDataType = DLDataType { code: kDLFloat, bits: 32, lanes: 1 };
pub(super) const INT32: DLDataType = DLDataType { code: kDLInt, bits: 32, lanes: 1 };

/// Tensors are structurally equal if they have the same shape, data type and content.
#[check(SEQ_0034)]
fn equal_tensors(t: &Trial) -> Verdict {
    let one = tensor(t, INT32, &[2, 2], [1, 2, 3, 4])?;
    tensors_equal(t, &one, &one, false, true)?;
    tensors_equal(t, &one, &tensor(t, INT32, &[2, 2], [1, 2, 3, 4])?, false, true)?;
    tensors_equal(t, &one, &tensor(t, INT32, &[2, 2], [1, 2, 3, 5])?, false, false)?;
    tensors_equal(t, &one, &tensor(t, INT32, &[4], [1, 2, 3, 4])?, false, false)?;
    tensors_equal(t, &one, &tensor(t, INT32, &[4, 1], [1, 2, 3, 4])?, false, false)?;
    tensors_equal(t, &one, &tensor(t, FLOAT32, &[2, 2], [1, 2, 3, 4])?, false, false)
}

/// The structural hash of a Tensor depends on shape, data type and, unless it is skipped, content.
#[check(SEQ_0034, SEQ_0035)]
fn tensor_hash(t: &Trial) -> Verdict {
    let hash = |dtype, shape: &[i64], content, skip| -> Verdict<u64> {
        let tensor = tensor(t, dtype, shape, content)?;
        let args = [tensor.any(), view::bool(false), view::bool(skip)];
        Ok(t.call_global("ffi.StructuralHash", &args)?.any().payload())
    };
    let of_one = hash(INT32, &[2, 2], [1, 2, 3, 4], false)?;
    t.eq("the hash of an equal tensor", hash(INT32, &[2, 2], [1, 2, 3, 4], false)?, of_one)?;
    t.ne("the hash of a tensor with other content", hash(INT32, &[2, 2], [1, 2, 3, 5], false)?, of_one)?;
    t.ne("the hash of a tensor of another shape", hash(INT32, &[4], [1, 2, 3, 4], false)?, of_one)?;
    t.ne("the hash of a tensor of another data type", hash(FLOAT32, &[2, 2], [1, 2, 3, 4], false)?, of_one)?;
    let without = hash(INT32, &[2, 2], [1, 2, 3, 4], true)?;
    t.clause(id::SEQ_0035);
    t.eq("the hash without content", hash(INT32, &[2, 2], [5, 6, 7, 8], true)?, without)
}

/// With `skip_tensor_content`, Tensors of one shape and data type are structurally equal whatever they contain.
#[check(SEQ_0035)]
fn tensors_without_content(t: &Trial) -> Verdict {
    let one = tensor(t, INT32, &[2, 2], [1, 2, 3, 4])?;
    tensors_equal(t, &one, &tensor(t, INT32, &[2, 2], [5, 6, 7, 8])?, true, true)?;
    tensors_equal(t, &one, &tensor(t, INT32, &[4], [1, 2, 3, 4])?, true, false)?;
    tensors_equal(t, &one, &tensor(t, FLOAT32, &[2, 2], [1, 2, 3, 4])?, true, false)
}

fn tensors_equal(t: &Trial, lhs: &Owned, rhs: &Owned, skip_content: bool, expected: bool) -> Verdict {
    let args = [lhs.any(), rhs.any(), view::bool(false), view::bool(skip_content)];
    let answer = t.call_global("ffi.StructuralEqual", &args)?;
    t.any_eq("whether the tensors are structurally equal", &answer.any(), &view::bool(expected))
}

/// A tensor of four elements of four bytes. What it lies in is kept for the life of the process.
pub(super) fn tensor(t: &Trial, dtype: DLDataType, shape: &[i64], content: [i32; 4]) -> Verdict<Owned> {
    // Given, so that what a target takes missing strides for is left to the checks on tensors.
    let strides: Vec<i64> = (1..=shape.len()).map(|after| shape[after..].iter().product()).collect();
    let dl_tensor = DLTensor {
        data: Box::leak(Box::new(content)).as_mut_ptr().cast(),
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: shape.len() as i32,
        dtype,
        shape: shape.to_vec().leak().as_mut_ptr(),
        strides: strides.leak().as_mut_ptr(),
        byte_offset: 0,
    };
    let managed = DLManagedTensor { dl_tensor, manager_ctx: std::ptr::null_mut(), deleter: None };
    let mut tensor = std::ptr::null_mut();
    t.ok(t.api.TVMFFITensorFromDLPack(Box::leak(Box::new(managed)), 0, 0, &mut tensor))?;
    t.own_object("the tensor", tensor)
}

// ---------------------------------------------------------------------------------------------------------------------
// Extremes
// ---------------------------------------------------------------------------------------------------------------------

/// Structural comparison and hashing of Lists that contain themselves ends, with an answer or an error.
#[check(SEQ_0029)]
fn cycles_end(t: &Trial) -> Verdict {
    let cycle = || -> Verdict<Owned> {
        let list = Value::List(vec![Value::Int(1)]).build(t)?;
        t.call_global("ffi.ListAppend", &[list.any(), list.any()])?;
        Ok(list)
    };
    let (lhs, rhs) = (cycle()?, cycle()?);
    let no = view::bool(false);
    t.returns("ffi.StructuralHash", &[lhs.any(), no, no])?;
    t.returns("ffi.StructuralEqual", &[lhs.any(), rhs.any(), no, no])?;
    t.call_global("ffi.ListClear", &[lhs.any()])?;
    t.call_global("ffi.ListClear", &[rhs.any()]).map(drop)
}

fn nested(t: &Trial, levels: usize) -> Verdict<Owned> {
    let array = t.global("ffi.Array")?;
    (0..levels).try_fold(t.own(TVMFFIAny::NONE), |inner, _| t.call(&array, &[inner.any()]))
}

/// Values three hundred levels deep are structurally compared and hashed.
#[check(SEQ_0030)]
fn deep(t: &Trial) -> Verdict {
    let (lhs, rhs) = (nested(t, 300)?, nested(t, 300)?);
    t.eq("whether they are equal", structural_equal(t, &lhs.any(), &rhs.any(), false)?, true)?;
    let (left, right) = (structural_hash(t, &lhs.any(), false)?, structural_hash(t, &rhs.any(), false)?);
    t.eq("the hash", right, left)
}

/// Structural comparison and hashing of values 10,000 levels deep ends, with an answer or an error.
#[check(SEQ_0031)]
fn far_too_deep(t: &Trial) -> Verdict {
    let (lhs, rhs) = (nested(t, 10_000)?, nested(t, 10_000)?);
    let no = view::bool(false);
    t.returns("ffi.StructuralHash", &[lhs.any(), no, no])?;
    t.returns("ffi.StructuralEqual", &[lhs.any(), rhs.any(), no, no])
}

/// Structural functions give back every reference that they take.
#[check(SEQ_0032)]
fn counts(t: &Trial) -> Verdict {
    let kind = node_type(t, "test.Counts", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let (lhs, rhs) = (node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2)));
    let pair = |node: &Homemade<Node>| t.call_global("ffi.Array", &[node.view()]);
    let (left, right) = (pair(&lhs)?, pair(&rhs)?);
    structural_equal(t, &left.any(), &right.any(), false)?;
    structural_hash(t, &left.any(), false)?;
    mismatch(t, &left.any(), &right.any())?;
    for (what, node) in [("left", &lhs), ("right", &rhs)] {
        t.eq(format!("the counts of the {what} node"), node.counts(), (2, 1))?;
    }
    Ok(())
}

/// Structural functions leave no memory behind.
#[check(SEQ_0032)]
fn no_growth(t: &Trial) -> Verdict {
    let value = |last| Value::Map(vec![(Value::str("a string on the heap"), Value::Array(vec![Value::Int(last)]))]);
    let (lhs, rhs) = (value(1).build(t)?, value(2).build(t)?);
    t.no_growth("comparing and hashing", || {
        structural_equal(t, &lhs.any(), &rhs.any(), false)?;
        structural_hash(t, &lhs.any(), true)?;
        mismatch(t, &lhs.any(), &rhs.any()).map(drop)
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

fn objects_equal(t: &Trial, lhs: &Homemade<Node>, rhs: &Homemade<Node>, expected: bool) -> Verdict {
    let answer = structural_equal(t, &lhs.view(), &rhs.view(), false)?;
    t.eq("whether the objects are structurally equal", answer, expected)
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------------------------------------------------

fn structural_equal(t: &Trial, lhs: &TVMFFIAny, rhs: &TVMFFIAny, map_free_vars: bool) -> Verdict<bool> {
    let args = [*lhs, *rhs, view::bool(map_free_vars), view::bool(false)];
    let answer = t.call_global("ffi.StructuralEqual", &args)?.any();
    t.eq("the type of the answer", answer.type_index, kTVMFFIBool)?;
    Ok(answer.payload() != 0)
}

fn structural_hash(t: &Trial, value: &TVMFFIAny, map_free_vars: bool) -> Verdict<i64> {
    let answer = t.call_global("ffi.StructuralHash", &[*value, view::bool(map_free_vars), view::bool(false)])?.any();
    t.eq("the type of the hash", answer.type_index, kTVMFFIInt)?;
    Ok(answer.payload() as i64)
}

fn hash(t: &Trial, value: &Value) -> Verdict<i64> {
    structural_hash(t, &value.build(t)?.any(), false)
}

fn equals(t: &Trial, lhs: &Value, rhs: &Value, expected: bool) -> Verdict {
    let answer = structural_equal(t, &lhs.build(t)?.any(), &rhs.build(t)?.any(), false)?;
    t.eq(format!("whether {lhs:?} equals {rhs:?}"), answer, expected)
}

/// Expects each value to equal itself only.
fn pairwise(t: &Trial, values: &[Value]) -> Verdict {
    for (at, lhs) in values.iter().enumerate() {
        for (other, rhs) in values.iter().enumerate() {
            equals(t, lhs, rhs, at == other)?;
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// Access paths
// ---------------------------------------------------------------------------------------------------------------------

/// One step of a path: its kind, and what it leads to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    kind: i32,
    key: Key,
}

#[derive(Clone, Debug, PartialEq)]
enum Key {
    Index(i64),
    Name(String),
}

impl Step {
    pub(super) fn attr(name: &str) -> Self {
        Self { kind: 0, key: Key::Name(name.to_owned()) }
    }

    fn item(index: i64) -> Self {
        Self { kind: 1, key: Key::Index(index) }
    }

    fn entry(key: &str) -> Self {
        Self { kind: 2, key: Key::Name(key.to_owned()) }
    }

    fn missing_item(index: i64) -> Self {
        Self { kind: 4, key: Key::Index(index) }
    }

    fn missing_entry(key: &str) -> Self {
        Self { kind: 5, key: Key::Name(key.to_owned()) }
    }
}

/// What lies behind the header of an access path.
#[repr(C)]
#[derive(Clone, Copy)]
struct PathCell {
    parent: TVMFFIObjectHandle,
    step: TVMFFIObjectHandle,
    depth: i32,
}

/// The steps of a path from its root.
fn steps(t: &Trial, path: TVMFFIObjectHandle) -> Verdict<Vec<Step>> {
    let (mut steps, mut path) = (Vec::new(), path);
    let depth = t.cell::<PathCell>("the path", path)?.depth;
    while steps.len() < depth.clamp(0, 1000) as usize {
        let cell: PathCell = t.cell("the path", path)?;
        let (kind, _, key): (i32, u32, TVMFFIAny) = t.cell("the step", cell.step)?;
        let key = match key.type_index {
            kTVMFFIInt => Key::Index(key.payload() as i64),
            _ => Key::Name(String::from_utf8_lossy(&t.text(&key)?).into_owned()),
        };
        steps.push(Step { kind, key });
        path = cell.parent;
    }
    steps.reverse();
    Ok(steps)
}

/// The paths to the first mismatch on both sides, if there is one.
fn mismatch(t: &Trial, lhs: &TVMFFIAny, rhs: &TVMFFIAny) -> Verdict<Option<[Vec<Step>; 2]>> {
    let no = view::bool(false);
    let pair = t.call_global("ffi.GetFirstStructuralMismatch", &[*lhs, *rhs, no, no])?;
    if pair.any().type_index == kTVMFFINone {
        return Ok(None);
    }
    t.eq("the type of the mismatch", pair.any().type_index, kTVMFFIArray)?;
    let cell: TVMFFISeqCell = t.cell("the mismatch", pair.handle())?;
    t.eq("the number of paths", cell.size, 2)?;
    let path_type = reflected::type_index(t, "ffi.reflection.AccessPath")?;
    let path = |at: usize| {
        let path = t.read("a path", cell.data.cast::<TVMFFIAny>().wrapping_add(at))?;
        t.eq("the type of a path", path.type_index, path_type)?;
        steps(t, path.payload() as TVMFFIObjectHandle)
    };
    Ok(Some([path(0)?, path(1)?]))
}

pub(super) fn differ_at(t: &Trial, lhs: &TVMFFIAny, rhs: &TVMFFIAny, expected: Option<(&[Step], &[Step])>) -> Verdict {
    let expected = expected.map(|(left, right)| [left.to_vec(), right.to_vec()]);
    t.eq("the first mismatch", mismatch(t, lhs, rhs)?, expected)
}
