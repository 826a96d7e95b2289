//! The arguments of a call, read as the signature of the function declares them.

use std::ffi::c_void;

use tvm_ffi_spec::{kTVMFFIByteArrayPtr, kTVMFFIRawStr};

use crate::{
    border::error::{Error, Result},
    function::signature::Signature,
    object::{ObjectRef, TypedRef},
    types::{
        lineage,
        schema::{Need, Type},
        type_table,
    },
    value::any::{Any, AnyView},
};

/// The arguments of one call of a function with a signature. The conversions follow the declared types: an `int` may be
/// a boolean, a `str` comes in three forms, a `void*` may be None.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    signature: &'a Signature,
    values: &'a [AnyView<'a>],
}

impl<'a> Arguments<'a> {
    /// The arguments, which have been counted.
    #[inline]
    pub fn new(signature: &'a Signature, values: &'a [AnyView<'a>]) -> Self {
        Self { signature, values }
    }

    /// What the function takes and returns.
    pub fn signature(&self) -> &'a Signature {
        self.signature
    }

    /// All of them, as they come.
    pub fn all(&self) -> &'a [AnyView<'a>] {
        self.values
    }

    /// An argument of any type.
    pub fn any(&self, index: usize) -> &'a AnyView<'a> {
        &self.values[index]
    }

    /// An `int`.
    pub fn int(&self, index: usize) -> Result<i64> {
        self.convert(index, AnyView::as_int)
    }

    /// An `Optional<int>`: an `int` or None.
    pub fn optional_int(&self, index: usize) -> Result<Option<i64>> {
        if self.values[index].is_none() { Ok(None) } else { self.int(index).map(Some) }
    }

    /// A `bool`.
    pub fn bool(&self, index: usize) -> Result<bool> {
        self.convert(index, AnyView::as_bool)
    }

    /// A `str`.
    pub fn str(&self, index: usize) -> Result<&'a [u8]> {
        self.convert(index, AnyView::as_str)
    }

    /// A `str` to be kept: a String object stays the same object.
    pub fn string(&self, index: usize) -> Result<Any> {
        self.str(index)?;
        self.values[index].to_owned()
    }

    /// A `bytes`.
    pub fn bytes(&self, index: usize) -> Result<&'a [u8]> {
        self.convert(index, AnyView::as_bytes)
    }

    /// A `void*`.
    pub fn opaque_ptr(&self, index: usize) -> Result<*mut c_void> {
        self.convert(index, AnyView::as_opaque_ptr)
    }

    /// An object of exactly this type, which is how the types with fixed indices are.
    pub fn object(&self, index: usize, type_index: i32) -> Result<ObjectRef> {
        self.convert(index, |value| value.as_object_of(type_index))
    }

    /// An object of this type or of one that descends from it.
    pub fn object_ref(&self, index: usize, type_index: i32) -> Result<ObjectRef> {
        self.convert(index, |value| {
            lineage::is_instance(value.type_index(), type_index).then(|| value.as_object()).flatten()
        })
    }

    /// An object of this kind, borrowed from the caller.
    pub fn borrow<T: TypedRef>(&self, index: usize) -> Result<&'a T> {
        self.convert(index, AnyView::cast_ref)
    }

    /// Looks at an `Any`: the caller's, or what the caller has given up.
    #[inline]
    pub fn look_at<T>(&self, index: usize, look: impl Fn(&AnyView<'_>) -> Result<T>) -> Result<T> {
        let value = &self.values[index];
        if value.is_only_argument() { look_at_passed(value, &look) } else { look(value) }
    }

    /// An `Any` in the form in which values are kept: the caller's, or `made` of what is only passed.
    #[inline]
    pub fn keepable<'v>(&self, index: usize, made: &'v mut Any) -> Result<&'v AnyView<'v>>
    where
        'a: 'v,
    {
        let value = &self.values[index];
        if value.is_only_argument() { owned(value, made) } else { Ok(value) }
    }

    /// The error that an argument has not the declared type, because of what it is or has inside.
    pub fn mismatch(&self, index: usize, actual: &str) -> Error {
        let params = self.signature.params().unwrap_or_default();
        params.get(index).unwrap_or(&Type::Any).mismatch(Need::Argument(index, self.signature.text()), actual)
    }

    fn convert<T>(&self, index: usize, convert: impl FnOnce(&'a AnyView<'a>) -> Option<T>) -> Result<T> {
        let Self { signature, values } = *self;
        convert(&values[index]).ok_or_else(|| mismatched_type(signature, values, index))
    }
}

/// The error for an argument that has the wrong type. If there are several, it is about the last one, since releases
/// convert the last argument first. What it needs comes in parts, so that callers keep them in registers.
#[cold]
fn mismatched_type(signature: &Signature, values: &[AnyView<'_>], index: usize) -> Error {
    let params = signature.params().unwrap_or_default();
    let wrong = |&index: &usize| !params[index].admits(&values[index]);
    let index = (index + 1..params.len()).rev().find(wrong).unwrap_or(index);
    Arguments::new(signature, values).mismatch(index, &type_table::key_of(values[index].type_index()))
}

/// As [`Arguments::look_at`], of what is only passed: an error for NULL; a text is looked at where it lies.
#[inline(never)]
fn look_at_passed<T>(value: &AnyView<'_>, look: &dyn Fn(&AnyView<'_>) -> Result<T>) -> Result<T> {
    let is_text = matches!(value.type_index(), kTVMFFIRawStr | kTVMFFIByteArrayPtr) && value.raw().payload() != 0;
    if is_text { look(value) } else { look(value.to_owned()?.view()) }
}

/// The value in the form in which it is kept.
#[inline(never)]
fn owned<'v>(value: &AnyView<'_>, made: &'v mut Any) -> Result<&'v AnyView<'v>> {
    *made = value.to_owned()?;
    Ok(made.view())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{any::Any, text};

    fn message<T>(result: Result<T>) -> String {
        result.map(drop).unwrap_err().to_string()
    }

    #[test]
    fn mismatches_are_explained() {
        let signature = Signature::new("f(0: str, 1: int) -> Any");
        let values = [text::string(b"x").unwrap(), Any::NONE];
        let views = values.each_ref().map(|value| *value.view());
        let arguments = Arguments::new(&signature, &views);
        assert_eq!(arguments.str(0).ok(), Some(b"x".as_slice()));
        assert_eq!(
            message(arguments.int(1)),
            "TypeError: Mismatched type on argument #1 when calling: `f(0: str, 1: int) -> Any`. Expected `int` but got `None`"
        );
        assert_eq!(
            signature.mismatched_count(2, 1).to_string(),
            "TypeError: Mismatched number of arguments when calling: `f(0: str, 1: int) -> Any`. Expected 2 but got 1 arguments"
        );
    }
}
