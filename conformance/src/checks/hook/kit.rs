//! What checks on hooks share: types with hooks that look at the first field alone, and asking the target about their objects.

use tvm_ffi_spec::*;

use crate::{
    client::{
        Verdict,
        api::Api,
        callback::{Body, call, raise},
        homemade::{Homemade, release},
        memory,
        node::{Node, node, node_type},
        text_of, view,
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

/// Compares the first fields with the function that is the third argument. In structural equality that function also takes
/// the kind of definition region and the name of the part.
pub fn compare_first(api: &Api, args: &[TVMFFIAny], structural: bool) -> Option<TVMFFIAny> {
    let [lhs, rhs, go_on] = args else { return mistaken(api, "two objects and a function", args) };
    let (lhs, rhs) = (first(lhs)?, first(rhs)?);
    if structural {
        call(api, go_on.payload() as TVMFFIObjectHandle, &[lhs, rhs, view::int(0), view::c_str(c"part")])
    } else {
        call(api, go_on.payload() as TVMFFIObjectHandle, &[lhs, rhs])
    }
}

/// Mixes the hash of the first field into the one that is the second argument.
pub fn mix_first(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [object, hash, go_on] = args else { return mistaken(api, "an object, a hash and a function", args) };
    call(api, go_on.payload() as TVMFFIObjectHandle, &[first(object)?, *hash, view::int(0)])
}

/// Answers what the function that is the second argument answers for the first field.
pub fn go_on_with_first(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [object, go_on] = args else { return mistaken(api, "an object and a function", args) };
    call(api, go_on.payload() as TVMFFIObjectHandle, &[first(object)?])
}

/// Raises an error that tells what the hook was given instead of what it expects.
fn mistaken(api: &Api, expected: &str, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let types: Vec<_> = args.iter().map(|arg| arg.type_index).collect();
    let message = format!("the hook expects {expected}, and was given values of types {types:?}");
    let message = std::ffi::CString::new(message).unwrap_or_default();
    raise(api, c"AssertionError", &message)
}

/// The first field of a node.
pub fn first(node: &TVMFFIAny) -> Option<TVMFFIAny> {
    memory::read((node.payload() as *const u8).wrapping_add(size_of::<TVMFFIObject>()).cast())
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

/// Answers `node of` and the printed form of the first field.
pub fn quote_first(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let part = go_on_with_first(api, args)?;
    let text = [b"node\0of ", text_of(&part)?.as_slice()].concat();
    if part.type_index >= kTVMFFIStaticObjectBegin {
        release(part.payload() as TVMFFIObjectHandle);
    }
    let mut answer = TVMFFIAny::NONE;
    (api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(&text), &mut answer) == 0).then_some(answer)
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
