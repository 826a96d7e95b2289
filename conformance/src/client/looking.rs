//! Hooks of nodes that look at the first field alone, with the function that they are given for that.

use tvm_ffi_spec::*;

use crate::client::{
    api::Api,
    callback::{Body, call, raise},
    homemade::release,
    memory,
    reading::text_of,
    value::view,
};

/// Hooks that go on with the first field, each with its column.
pub const GOING_ON: [(&str, Body); 6] = [
    ("__s_equal__", |api, args| compare_first(api, args, true)),
    ("__s_hash__", mix_first),
    ("__ffi_eq__", |api, args| compare_first(api, args, false)),
    ("__ffi_compare__", |api, args| compare_first(api, args, false)),
    ("__ffi_hash__", go_on_with_first),
    ("__ffi_repr__", quote_first),
];

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
