//! Comparison of values that refer to no others: numbers, texts and the like.

use std::cmp::Ordering;

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    reflection::bigint,
    types::type_table,
    value::any::AnyView,
};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Equality,
    Order,
}

impl Mode {
    /// Compares values one of which refers to no other, or that are of different types.
    #[inline]
    pub fn compare_plain(self, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<Option<i64>> {
        match (lhs.type_index(), rhs.type_index()) {
            (kTVMFFIInt, kTVMFFIInt) => {
                Ok(Some(number((lhs.raw().payload() as i64).cmp(&(rhs.raw().payload() as i64)))))
            }
            (kTVMFFIArray, kTVMFFIArray) => Ok(None),
            (kTVMFFIBigInt, kTVMFFIBigInt) => compare_integers(lhs, rhs).map(Some),
            (lhs_index, rhs_index) if lhs_index == rhs_index && lhs_index >= kTVMFFIStaticObjectEnd => Ok(None),
            (kTVMFFIOpaquePtr, kTVMFFIOpaquePtr) => self.compare_words(lhs, rhs).map(Some),
            _ => self.compare_others(lhs, rhs),
        }
    }

    fn compare_others(self, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<Option<i64>> {
        if lhs.is_none() || rhs.is_none() {
            return Ok(Some(i64::from(rhs.is_none()) - i64::from(lhs.is_none())));
        }
        if let (Some(lhs), Some(rhs)) = (lhs.as_str(), rhs.as_str()) {
            return Ok(Some(number(lhs.cmp(rhs))));
        }
        if let (Some(lhs), Some(rhs)) = (lhs.as_bytes(), rhs.as_bytes()) {
            return Ok(Some(number(lhs.cmp(rhs))));
        }
        let type_index = lhs.type_index();
        let are_integers = is_integer(lhs) && is_integer(rhs);
        if type_index != rhs.type_index() {
            return match self {
                Self::Equality => Ok(Some(1)),
                Self::Order if are_integers => compare_integers(lhs, rhs).map(Some),
                Self::Order => Err(different_types(type_index, rhs.type_index())),
            };
        }
        if type_index >= kTVMFFIStaticObjectBegin { Ok(None) } else { self.compare_words(lhs, rhs).map(Some) }
    }

    /// Compares values of the same type that are no objects.
    fn compare_words(self, lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<i64> {
        let (left, right) = (lhs.raw(), rhs.raw());
        let order = match lhs.type_index() {
            kTVMFFIBool => (left.payload() != 0).cmp(&(right.payload() != 0)),
            kTVMFFIFloat => {
                let (left, right) = (f64::from_bits(left.payload()), f64::from_bits(right.payload()));
                match left.partial_cmp(&right) {
                    Some(order) => order,
                    None if self == Self::Order => {
                        return Err(Error::new("TypeError", "Cannot order NaN values"));
                    }
                    None if left.is_nan() && right.is_nan() => Ordering::Equal,
                    None => Ordering::Greater,
                }
            }
            kTVMFFIDataType => {
                // SAFETY: the values are data types.
                let (left, right) = unsafe { (left.value.v_dtype, right.value.v_dtype) };
                (left.code, left.bits, left.lanes).cmp(&(right.code, right.bits, right.lanes))
            }
            kTVMFFIDevice => {
                // SAFETY: the values are devices.
                let (left, right) = unsafe { (left.value.v_device, right.value.v_device) };
                (left.device_type, left.device_id).cmp(&(right.device_type, right.device_id))
            }
            _ if lhs.words() == rhs.words() => Ordering::Equal,
            _ if self == Self::Equality => Ordering::Greater,
            other => {
                let key = type_table::key_of(other);
                return Err(Error::new("TypeError", format!("Cannot order values of type {key}")));
            }
        };
        Ok(number(order))
    }

    /// What comes out for two maps that are not equal.
    pub fn unequal_maps(self) -> Result<i64> {
        match self {
            Self::Equality => Ok(1),
            Self::Order => Err(Error::new("TypeError", "Cannot order Map/Dict values")),
        }
    }
}

fn compare_integers(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<i64> {
    Ok(number(bigint::compare(bigint::words(lhs)?, bigint::words(rhs)?)))
}

fn is_integer(value: &AnyView<'_>) -> bool {
    matches!(value.type_index(), kTVMFFIInt | kTVMFFIBigInt)
}

/// An order as the functions answer it.
pub(super) fn number(order: Ordering) -> i64 {
    order as i64
}

#[cold]
fn different_types(lhs: i32, rhs: i32) -> Error {
    let (lhs, rhs) = (type_table::key_of(lhs), type_table::key_of(rhs));
    Error::new("TypeError", format!("Cannot compare values of different types: {lhs} vs {rhs}"))
}
