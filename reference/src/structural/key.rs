//! Structural keys: values as keys of maps that are compared by structure instead of identity.

use tvm_ffi_spec::TVMFFIAny;

use super::{equal, hash};
use crate::{
    border::error::{Error, Result},
    container::held::Held,
    function::row::{Row, row},
    reflection::{
        native::answer,
        object_def::{Hook, MethodDef, static_method},
        structural_objects::{self, KeyObject, StructuralKey},
    },
    types::builtin_indices::STRUCTURAL_KEY,
    value::any::{Any, AnyView},
    walk::{
        stack_guard,
        verdicts::{forget, verdict},
    },
};

/// A key with the structural hash of its value.
///
/// # Errors
/// As [`hash::hash`].
pub fn new(value: Any) -> Result<KeyObject> {
    let hash = hash::hash(value.view(), false, false)? as i64;
    structural_objects::structural_key(value, hash)
}

/// Whether two keys have the same value, structurally.
///
/// # Errors
/// `InternalError` if either is no structural key, and what [`equal::equal`] fails with.
pub fn keys_equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<bool> {
    if super::same(lhs, rhs) {
        return Ok(true);
    }
    let (left, right) = (content(lhs, "lhs_obj")?, content(rhs, "rhs_obj")?);
    let (Some(lhs), Some(rhs)) = (lhs.cast_ref(), rhs.cast_ref()) else { return Ok(false) };
    if left.hash != right.hash {
        return Ok(false);
    }
    let (left, right) = (left.key, right.key);
    if let Some(equal) = equal::at_a_glance(left.view(), right.view())? {
        return Ok(equal);
    }
    // Keys may lie in what is in keys, and so on.
    stack_guard::check()?;
    verdict(lhs, rhs, || equal::inside((Held::ours(left), Held::ours(right)), equal::Options::default()))
}

/// What is in a key, to be used while foreign code runs.
fn content(key: &AnyView<'_>, name: &str) -> Result<StructuralKey> {
    let content = key.cast_ref().map(KeyObject::content);
    content.ok_or_else(|| Error::new("InternalError", format!("Check not null: {name} ")))
}

/// The `__any_hash__` of keys.
///
/// # Safety
/// `key` points to a value that is alive during the call.
pub unsafe extern "C" fn any_hash(key: *const TVMFFIAny) -> TVMFFIAny {
    answer(|| {
        // SAFETY: the caller vouches for the value.
        let key = unsafe { AnyView::from_raw(key) };
        Ok(Any::from(content(&key, "key_obj")?.hash).into_raw())
    })
}

/// The `__any_equal__` of keys.
///
/// # Safety
/// Both point to values that are alive during the call.
pub unsafe extern "C" fn any_equal(lhs: *const TVMFFIAny, rhs: *const TVMFFIAny) -> TVMFFIAny {
    answer(|| {
        // SAFETY: the caller vouches for the values.
        let (lhs, rhs) = unsafe { (AnyView::from_raw(lhs), AnyView::from_raw(rhs)) };
        Ok(Any::from(keys_equal(&lhs, &rhs)?).into_raw())
    })
}

/// The methods of keys.
pub const METHODS: &[MethodDef] = &[static_method("ffi.StructuralKey.__ffi_init__(0: Any) -> ffi.Object", |args| {
    Ok(new(args.any(0).to_owned()?)?.into())
})
.with_doc("Constructor that takes any key and computes its structural hash")];

/// The native hooks of keys.
pub const HOOKS: &[Hook] = &[
    Hook { attribute: "__any_hash__", type_index: STRUCTURAL_KEY, function: any_hash as *const () },
    Hook { attribute: "__any_equal__", type_index: STRUCTURAL_KEY, function: any_equal as *const () },
];

/// The global functions about structural keys.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.StructuralKey(0: Any) -> ffi.StructuralKey", |args| Ok(new(args.any(0).to_owned()?)?.into())),
    row("ffi.StructuralKeyEqual(0: Any, 1: Any) -> bool", |args| {
        let (rhs, lhs) = (&mut Any::default(), &mut Any::default());
        let (rhs, lhs) = (args.keepable(1, rhs)?, args.keepable(0, lhs)?);
        // Whoever asks for two keys wants to know what is so now.
        forget();
        Ok(keys_equal(lhs, rhs)?.into())
    }),
];
