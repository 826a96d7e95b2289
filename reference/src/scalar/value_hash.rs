//! Hashes and equality of values as keys of maps. Clients compute them too, so that every bit of them is part of the ABI.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    function,
    types::{attribute, builtin_indices::STRUCTURAL_KEY, type_table},
    value::{
        any::{Any, AnyView},
        bit_hash::{combine, content_hash},
    },
    walk::stack_guard,
};

/// The hash of a value as a key of a map: by content for strings, bytes and types with an `__any_hash__` hook, by the
/// sixteen bytes for all others, which means by identity for objects.
pub fn any_hash(value: &AnyView<'_>) -> Result<u64> {
    let (type_index, payload) = (value.type_index(), value.raw().payload());
    Ok(match type_index {
        kTVMFFISmallStr | kTVMFFIStr => combine(kTVMFFIStr as u64, content_hash(value.as_str().unwrap_or_default())),
        kTVMFFISmallBytes | kTVMFFIBytes => {
            combine(kTVMFFIBytes as u64, content_hash(value.as_bytes().unwrap_or_default()))
        }
        kTVMFFIStaticObjectBegin.. => match attribute::ANY_HASH.of(type_index) {
            Some(hook) => combine(type_index as u64, hooked_hash(hook, value)?),
            None => combine(type_index as u64, payload),
        },
        _ => combine(type_index as u64, payload),
    })
}

/// Whether two values are the same key of a map: by content for strings and bytes in either form and for types with an
/// `__any_equal__` hook, else by the sixteen bytes.
pub fn any_equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<bool> {
    equal_or_hook(lhs, rhs).or_else(|hook| hooked_equal(hook, lhs, rhs))
}

/// As [`any_equal`], unless it takes a hook to find out.
#[inline]
pub fn plainly_equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Option<bool> {
    equal_or_hook(lhs, rhs).ok()
}

/// Whether two values are the same key, or the hook that tells.
fn equal_or_hook(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> std::result::Result<bool, AnyView<'static>> {
    if lhs.words() == rhs.words() {
        return Ok(true);
    }
    match lhs.type_index() {
        kTVMFFISmallStr | kTVMFFIStr => Ok(is_string(rhs) && lhs.as_str() == rhs.as_str()),
        kTVMFFISmallBytes | kTVMFFIBytes => Ok(is_bytes(rhs) && lhs.as_bytes() == rhs.as_bytes()),
        type_index @ kTVMFFIStaticObjectBegin.. if type_index == rhs.type_index() => {
            attribute::ANY_EQUAL.of(type_index).map_or(Ok(false), Err)
        }
        _ => Ok(false),
    }
}

fn is_string(value: &AnyView<'_>) -> bool {
    matches!(value.type_index(), kTVMFFISmallStr | kTVMFFIStr)
}

fn is_bytes(value: &AnyView<'_>) -> bool {
    matches!(value.type_index(), kTVMFFISmallBytes | kTVMFFIBytes)
}

// ---------------------------------------------------------------------------------------------------------------------
// Hooks
// ---------------------------------------------------------------------------------------------------------------------

/// A native `__any_hash__`. Up to release 0.1.14 it answered with the hash itself.
type NativeHash = unsafe extern "C" fn(*const TVMFFIAny) -> TVMFFIAny;
/// A native `__any_equal__`. Up to release 0.1.14 it answered with a C++ `bool`.
type NativeEqual = unsafe extern "C" fn(*const TVMFFIAny, *const TVMFFIAny) -> TVMFFIAny;

fn hooked_hash(hook: AnyView<'_>, value: &AnyView<'_>) -> Result<u64> {
    check_stack(value.type_index())?;
    if let Some(native) = native_of(&hook) {
        // SAFETY: a pointer in this column is a function of this type.
        let native = unsafe { std::mem::transmute::<*mut c_void, NativeHash>(native) };
        let value = value.raw();
        // SAFETY: the value is alive during the call.
        let answer = unsafe { native(&value) };
        return match first_word(&answer) {
            INT => Ok(answer.payload()),
            ERROR => Err(error_in(answer)),
            // The old form; a hash that is by chance one of the two words above is read wrongly, once in 2^63.
            hash => Ok(hash),
        };
    }
    let answer = function::call(&function::of_hook(&hook, "__any_hash__")?, &[*value])?;
    match answer.view().type_index() {
        kTVMFFIInt => Ok(answer.view().raw().payload()),
        other => Err(unexpected("__any_hash__", "int", other)),
    }
}

fn hooked_equal(hook: AnyView<'_>, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<bool> {
    check_stack(lhs.type_index())?;
    if let Some(native) = native_of(&hook) {
        // SAFETY: a pointer in this column is a function of this type.
        let native = unsafe { std::mem::transmute::<*mut c_void, NativeEqual>(native) };
        let (lhs, rhs) = (lhs.raw(), rhs.raw());
        // SAFETY: the values are alive during the call.
        let answer = unsafe { native(&lhs, &rhs) };
        return match first_word(&answer) {
            BOOL => Ok(answer.payload() != 0),
            ERROR => Err(error_in(answer)),
            // The old form: only the lowest byte counts.
            old => Ok(old & 0xff != 0),
        };
    }
    let answer = function::call(&function::of_hook(&hook, "__any_equal__")?, &[*lhs, *rhs])?;
    match answer.view().type_index() {
        kTVMFFIBool => Ok(answer.view().raw().payload() != 0),
        other => Err(unexpected("__any_equal__", "bool", other)),
    }
}

/// A hook may lead back here, for keys within the key, and each round takes some of the stack. The library's own look at it
/// themselves, where they go that deep.
#[inline]
fn check_stack(type_index: i32) -> Result<()> {
    if matches!(type_index, kTVMFFIBigInt | STRUCTURAL_KEY) { Ok(()) } else { stack_guard::check() }
}

const INT: u64 = kTVMFFIInt as u64;
const BOOL: u64 = kTVMFFIBool as u64;
const ERROR: u64 = kTVMFFIError as u64;

/// The type index and the word behind it, which is zero in what a hook answers.
fn first_word(answer: &TVMFFIAny) -> u64 {
    u64::from(answer.type_index as u32) | u64::from(answer.aux_word()) << 32
}

fn native_of(hook: &AnyView<'_>) -> Option<*mut c_void> {
    if hook.type_index() == kTVMFFIOpaquePtr { hook.as_opaque_ptr().filter(|native| !native.is_null()) } else { None }
}

fn error_in(answer: TVMFFIAny) -> Error {
    // SAFETY: a hook gives up the error that it answers with.
    match unsafe { Any::from_raw(answer) }.view().cast() {
        Some(error) => Error::object(error),
        None => Error::new("InternalError", "A hook answered with an error that is NULL"),
    }
}

#[cold]
fn unexpected(hook: &str, expected: &str, actual: i32) -> Error {
    let actual = type_table::key_of(actual);
    Error::new("TypeError", format!("`{hook}` must return `{expected}`, but returned `{actual}`"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::value::text;

    // Known answers: what maps of the releases hash keys to.
    #[rstest]
    #[case(Any::NONE, 2654435769)]
    #[case(Any::from(true), 2654435896)]
    #[case(Any::from(-1), 2654435833)]
    #[case(Any::from(1_000_000_007), 3654435841)]
    #[case(text::string(b"").unwrap(), 2654440008)]
    #[case(text::string(b"abcdefg").unwrap(), 4352227701)]
    #[case(text::string(b"abcdefgh").unwrap(), 3546921335)]
    #[case(text::string(b"hello world, this is long").unwrap(), 3024346752)]
    #[case(text::string_object(b"abc").unwrap().into(), 2660953131)]
    #[case(text::bytes(b"abc").unwrap(), 2660953320)]
    fn keys_hash_as_in_the_releases(#[case] key: Any, #[case] expected: u64) {
        assert_eq!(any_hash(key.view()).unwrap(), expected);
    }

    #[test]
    fn strings_are_equal_in_either_form() {
        let (small, object) = (text::string(b"abc").unwrap(), Any::from(text::string_object(b"abc").unwrap()));
        assert!(any_equal(small.view(), object.view()).unwrap() && any_equal(object.view(), small.view()).unwrap());
        assert!(!any_equal(small.view(), text::bytes(b"abc").unwrap().view()).unwrap());
        assert!(!any_equal(Any::from(1).view(), Any::from(true).view()).unwrap());
    }
}
