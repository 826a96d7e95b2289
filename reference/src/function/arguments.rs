//! Typed arguments: a signature such as `ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any`, written once, gives a function
//! its name, the texts of its argument errors, and the schema in its metadata.

use std::{ffi::c_void, slice, sync::OnceLock};

use tvm_ffi_spec::{kTVMFFIByteArrayPtr, kTVMFFIObjectRValueRef, kTVMFFIRawStr};

use crate::{
    border::error::{Error, Result},
    object::ObjectRef,
    reflection::field,
    types::{
        schema::{self, Need, Type},
        type_table,
    },
    value::any::{Any, AnyView},
};

/// A signature as it is shown to users, read when its types are first asked for. One without a parameter list belongs to
/// a function that takes its arguments as they come.
#[derive(Debug)]
pub struct Signature {
    text: &'static str,
    types: OnceLock<Types>,
}

/// The types in a signature.
#[derive(Debug)]
struct Types {
    /// `None` if the parameters are not declared.
    params: Option<Box<[Type]>>,
    result: Type,
}

impl Types {
    fn parse(signature: &'static str) -> Self {
        let declared = signature.split_once('(').and_then(|(_, rest)| rest.split_once(") -> "));
        let Some((params, result)) = declared else { return Self { params: None, result: Type::Any } };
        let params = schema::split_top_level(params);
        let types = params.map(|param| Type::parse(param.split_once(": ").map_or(param, |(_, ty)| ty)));
        Self { params: Some(types.collect()), result: Type::parse(result) }
    }
}

impl Signature {
    /// The signature with this text.
    pub const fn new(text: &'static str) -> Self {
        Self { text, types: OnceLock::new() }
    }

    /// A signature that was put together at run time, to be kept for good.
    pub fn leaked(text: String) -> Self {
        Self::new(Box::leak(text.into_boxed_str()))
    }

    /// The function's name.
    pub fn name(&self) -> &'static str {
        name_in(self.text)
    }

    /// The types of the parameters, if they are declared.
    pub fn params(&self) -> Option<&[Type]> {
        self.types().params.as_deref()
    }

    /// The type of the result, `Any` if it is not declared.
    pub fn result(&self) -> &Type {
        &self.types().result
    }

    fn types(&self) -> &Types {
        self.types.get_or_init(|| Types::parse(self.text))
    }

    /// Whether there are as many arguments as parameters (`arity`, counted once beforehand, if they are declared).
    #[inline]
    pub fn check_count(&self, arity: Option<usize>, actual: usize) -> Result<()> {
        match arity {
            Some(expected) if expected != actual => Err(mismatched_count(self.text, expected, actual)),
            _ => Ok(()),
        }
    }

    /// The metadata that the function is registered with.
    pub fn metadata(&self) -> String {
        let mut schema = r#"{"type":"ffi.Function""#.to_owned();
        if let Some(params) = self.params() {
            schema.push_str(r#","named_args":{"return":"#);
            schema::write_schemas(slice::from_ref(self.result()), &mut schema);
            schema.push_str(r#","params":"#);
            schema::write_schemas(params, &mut schema);
            schema.push('}');
        }
        schema.push('}');
        schema::metadata_of(&schema)
    }
}

/// The name of the function in the text of a signature.
pub fn name_in(signature: &'static str) -> &'static str {
    signature.split('(').next().unwrap_or_default()
}

/// The arguments of one call of a function with a signature. The conversions follow the declared types: an `int` may be
/// a boolean, a `str` comes in three forms, a `void*` may be None.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    signature: &'a Signature,
    values: &'a [AnyView<'a>],
}

impl<'a> Arguments<'a> {
    /// The arguments, which have been [counted](Signature::check_count).
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
            field::is_instance(value.type_index(), type_index).then(|| value.as_object()).flatten()
        })
    }

    /// An object of exactly this type, borrowed from the caller.
    pub fn borrow(&self, index: usize, type_index: i32) -> Result<&'a ObjectRef> {
        self.convert(index, |value| value.borrow_object_of(type_index))
    }

    /// An `Any` to look at: the caller's, or in `taken` what the caller has given up.
    pub fn value<'v>(&self, index: usize, taken: &'v mut Any) -> Result<&'v AnyView<'v>>
    where
        'a: 'v,
    {
        let value = &self.values[index];
        match value.type_index() {
            kTVMFFIObjectRValueRef => *taken = value.to_owned()?,
            // An error for NULL; everything else is looked at where it lies.
            kTVMFFIRawStr | kTVMFFIByteArrayPtr if value.raw().payload() == 0 => *taken = value.to_owned()?,
            _ => return Ok(value),
        }
        Ok(taken.view())
    }

    /// The error that an argument has not the declared type, because of what it is or has inside.
    pub fn mismatch(&self, index: usize, actual: &str) -> Error {
        let params = self.signature.params().unwrap_or_default();
        params.get(index).unwrap_or(&Type::Any).mismatch(Need::Argument(index, self.signature.text), actual)
    }

    fn convert<T>(&self, index: usize, convert: impl FnOnce(&'a AnyView<'a>) -> Option<T>) -> Result<T> {
        convert(&self.values[index]).ok_or_else(|| self.mismatched_type(index))
    }

    /// The error for an argument that has the wrong type. If there are several, it is about the last one, since releases
    /// convert the last argument first.
    #[cold]
    fn mismatched_type(&self, index: usize) -> Error {
        let params = self.signature.params().unwrap_or_default();
        let wrong = |&index: &usize| !params[index].admits(&self.values[index]);
        let index = (index + 1..params.len()).rev().find(wrong).unwrap_or(index);
        self.mismatch(index, &type_table::key_of(self.values[index].type_index()))
    }
}

#[cold]
fn mismatched_count(signature: &str, expected: usize, actual: usize) -> Error {
    let text = format!(
        "Mismatched number of arguments when calling: `{signature}`. Expected {expected} but got {actual} arguments"
    );
    Error::new("TypeError", text)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::value::{any::Any, text};

    #[rstest]
    #[case("f() -> int", "f", Some(vec![]), "int")]
    #[case("f(0: str) -> Any", "f", Some(vec!["str"]), "Any")]
    #[case("f(0: Map<K, V>, 1: int) -> void", "f", Some(vec!["Map<K, V>", "int"]), "None")]
    #[case("f", "f", None, "Any")]
    #[case("(0: int) -> Any", "", Some(vec!["int"]), "Any")]
    fn a_signature_has_parts(
        #[case] signature: &'static str,
        #[case] name: &str,
        #[case] params: Option<Vec<&'static str>>,
        #[case] result: &'static str,
    ) {
        let signature = Signature::new(signature);
        let params: Option<Vec<_>> = params.map(|params| params.into_iter().map(Type::parse).collect());
        let expected = (name, params.as_deref(), &Type::parse(result));
        assert_eq!((signature.name(), signature.params(), signature.result()), expected);
    }

    // Known answers: the metadata that the releases report.
    #[rstest]
    #[case("ffi.Shape", r#"{\"type\":\"ffi.Function\"}"#)]
    #[case(
        "ffi.GetRegisteredTypeKeys() -> Array<str>",
        r#"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"ffi.Array\",\"args\":[{\"type\":\"ffi.String\"}]}],\"params\":[]}}"#
    )]
    #[case(
        "ffi.FunctionFromExternC(0: void*, 1: void*, 2: void*) -> ffi.Function",
        r#"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"ffi.Function\"}],\"params\":[{\"type\":\"void*\"},{\"type\":\"void*\"},{\"type\":\"void*\"}]}}"#
    )]
    #[case(
        "ffi.StructuralMutate(0: Any, 1: Array<Tuple<int, ffi.Function, bool>>) -> Any",
        r#"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"Any\"}],\"params\":[{\"type\":\"Any\"},{\"type\":\"ffi.Array\",\"args\":[{\"type\":\"Tuple\",\"args\":[{\"type\":\"int\"},{\"type\":\"ffi.Function\"},{\"type\":\"bool\"}]}]}]}}"#
    )]
    #[case(
        "ffi.ModuleWriteToFile(0: ffi.Module, 1: str, 2: str) -> void",
        r#"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"None\"}],\"params\":[{\"type\":\"ffi.Module\"},{\"type\":\"ffi.String\"},{\"type\":\"ffi.String\"}]}}"#
    )]
    fn a_signature_gives_the_metadata(#[case] signature: &'static str, #[case] schema: &str) {
        assert_eq!(Signature::new(signature).metadata(), format!(r#"{{"type_schema":"{schema}"}}"#));
    }

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
            message(signature.check_count(Some(2), 1)),
            "TypeError: Mismatched number of arguments when calling: `f(0: str, 1: int) -> Any`. Expected 2 but got 1 arguments"
        );
    }
}
