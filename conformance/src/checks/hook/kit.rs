//! What checks on hooks share: types with hooks that look at the first field alone, and asking the target about their objects.

use tvm_ffi_spec::*;

pub use crate::client::looking::{GOING_ON, compare_first, first, go_on_with_first, mix_first, quote_first};
use crate::{
    client::{
        Verdict,
        callback::Body,
        homemade::Homemade,
        node::{Node, node, node_type},
        view,
    },
    trial::Trial,
};

/// The kind of types whose objects are compared by their fields.
pub const TREE: i32 = kTVMFFISEqHashKindTreeNode;

/// The columns whose functions look into an object of their type.
pub const LOOKING: [&str; 7] =
    ["__s_equal__", "__s_hash__", "__ffi_eq__", "__ffi_compare__", "__ffi_hash__", "__ffi_repr__", "__data_to_json__"];

/// A type with these hooks in its columns.
pub fn hooked(t: &Trial, key: &str, hooks: &[(&str, Body)]) -> Verdict<i32> {
    let index = node_type(t, key, TREE, [0, 0])?;
    for (column, body) in hooks {
        t.set_hook(index, column, &t.callback(*body)?.any())?;
    }
    Ok(index)
}

/// A node of two numbers.
pub fn numbers(kind: i32, first: i64, second: i64) -> Homemade<Node> {
    node(kind, view::int(first), view::int(second))
}

/// Expects whether two values are structurally equal, and have no mismatch then.
pub fn structurally(t: &Trial, lhs: &TVMFFIAny, rhs: &TVMFFIAny, expected: bool) -> Verdict {
    let no = view::bool(false);
    let answer = t.call_global("ffi.StructuralEqual", &[*lhs, *rhs, no, no])?;
    t.any_eq("whether they are structurally equal", &answer.any(), &view::bool(expected))?;
    let mismatch = t.call_global("ffi.GetFirstStructuralMismatch", &[*lhs, *rhs, no, no])?;
    t.eq("whether there is no first mismatch", mismatch.any().type_index == kTVMFFINone, expected)
}

/// Expects the answer of a recursive comparison.
pub fn recursively(t: &Trial, name: &str, lhs: &Homemade<Node>, rhs: &Homemade<Node>, expected: bool) -> Verdict {
    let answer = t.call_global(&format!("ffi.Recursive{name}"), &[lhs.view(), rhs.view()])?;
    t.any_eq(format_args!("the answer of ffi.Recursive{name}"), &answer.any(), &view::bool(expected))
}

/// `suite` as a small string.
pub const TEXT: TVMFFIAny = TVMFFIAny {
    aux: TVMFFIAnyAux { small_str_len: 5 },
    ..TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(*b"suite\0\0\0"))
};

/// A node that lives as long as the process.
pub fn kept(node: Homemade<Node>) -> TVMFFIAny {
    Box::leak(Box::new(node)).view()
}
