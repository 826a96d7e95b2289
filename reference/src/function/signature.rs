//! Signatures: a text such as `ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any`, written once, gives a function its name, the
//! texts of its argument errors, and the schema in its metadata.

use std::slice;

use crate::{
    border::error::Error,
    system::found::Found,
    types::schema::{self, Type},
};

/// A signature as it is shown to users, read when its types are first asked for. One without a parameter list belongs to
/// a function that takes its arguments as they come.
#[derive(Debug)]
pub struct Signature {
    text: &'static str,
    types: Found<Types>,
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
        Self { text, types: Found::new() }
    }

    /// A signature that was put together at run time, to be kept for good.
    pub fn leaked(text: String) -> Self {
        Self::new(Box::leak(text.into_boxed_str()))
    }

    /// The text.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// The types of the parameters, if they are declared.
    #[inline]
    pub fn params(&self) -> Option<&[Type]> {
        self.types().params.as_deref()
    }

    /// The type of the result, `Any` if it is not declared.
    pub fn result(&self) -> &Type {
        &self.types().result
    }

    #[inline]
    fn types(&self) -> &Types {
        self.types.get_or_find(|| Types::parse(self.text))
    }

    /// The error that there are not as many arguments as parameters.
    #[cold]
    pub fn mismatched_count(&self, expected: usize, actual: usize) -> Error {
        let text = format!(
            "Mismatched number of arguments when calling: `{}`. Expected {expected} but got {actual} arguments",
            self.text
        );
        Error::new("TypeError", text)
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

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
        assert_eq!((name_in(signature.text()), signature.params(), signature.result()), expected);
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
}
