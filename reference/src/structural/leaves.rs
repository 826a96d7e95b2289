//! Values that are equal or not at a glance: all but objects of one type, which have to be taken apart.

use tvm_ffi_spec::*;

use super::integer_words;
use crate::value::any::{Any, AnyView};

/// How many elements are equal leaves, before others come.
#[inline]
pub(super) fn equal_leaves(lhs: &[Any], rhs: &[Any]) -> usize {
    let pairs = || lhs.iter().zip(rhs);
    let differs = |(lhs, rhs): (&Any, &Any)| leaves_equal(lhs.view(), rhs.view()) != Some(true);
    pairs().position(differs).unwrap_or_else(|| pairs().len())
}

/// Whether two values are equal, if not both are objects of one type to be taken apart.
#[inline]
pub(super) fn leaves_equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Option<bool> {
    if super::same(lhs, rhs) && lhs.type_index() < kTVMFFIStaticObjectBegin {
        Some(true)
    } else {
        other_leaves_equal(lhs, rhs)
    }
}

fn other_leaves_equal(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Option<bool> {
    let (lhs_index, rhs_index) = (lhs.type_index(), rhs.type_index());
    match lhs_index {
        kTVMFFIStr | kTVMFFIBytes if super::same(lhs, rhs) => Some(true),
        kTVMFFIStr | kTVMFFISmallStr => {
            Some(matches!(rhs_index, kTVMFFIStr | kTVMFFISmallStr) && lhs.as_str() == rhs.as_str())
        }
        kTVMFFIBytes | kTVMFFISmallBytes => {
            Some(matches!(rhs_index, kTVMFFIBytes | kTVMFFISmallBytes) && lhs.as_bytes() == rhs.as_bytes())
        }
        _ if lhs_index != rhs_index => Some(false),
        kTVMFFIFloat if is_nan(lhs) => Some(is_nan(rhs)),
        kTVMFFIBigInt => Some(integer_words(lhs) == integer_words(rhs)),
        kTVMFFIStaticObjectBegin.. => None,
        _ => Some(super::same(lhs, rhs)),
    }
}

fn is_nan(value: &AnyView<'_>) -> bool {
    f64::from_bits(value.raw().payload()).is_nan()
}
