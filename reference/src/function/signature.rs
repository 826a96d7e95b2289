//! Signatures: a text such as `ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any`, written once, gives a function its name, the
//! texts of its argument errors, and the schema in its metadata.

use crate::border::error::{Error, Result};

/// A signature as it is shown to users. One without a parameter list belongs to a function that takes its arguments as
/// they come.
#[derive(Clone, Copy, Debug)]
pub struct Signature(pub &'static str);

impl Signature {
    /// A signature that was put together at run time, to be kept for good.
    pub fn leaked(text: String) -> Self {
        Self(Box::leak(text.into_boxed_str()))
    }

    /// The function's name.
    pub fn name(self) -> &'static str {
        self.0.split('(').next().unwrap_or_default()
    }

    /// The types of the parameters, if they are declared.
    pub fn params(self) -> Option<Vec<&'static str>> {
        let (_, rest) = self.0.split_once('(')?;
        let (params, _) = rest.split_once(") -> ")?;
        Some(
            split_top_level(params)
                .into_iter()
                .map(|param| param.split_once(": ").map_or(param, |(_, ty)| ty))
                .collect(),
        )
    }

    /// Whether there are as many arguments as parameters (`arity`, counted once beforehand, if they are declared).
    #[inline]
    pub fn check_count(self, arity: Option<usize>, actual: usize) -> Result<()> {
        match arity {
            Some(expected) if expected != actual => Err(mismatched_count(self, expected, actual)),
            _ => Ok(()),
        }
    }

    /// The type of the result, if it is declared.
    pub fn result(self) -> Option<&'static str> {
        self.0.split_once(") -> ").map(|(_, result)| result)
    }

    /// The metadata that the function is registered with: its schema as a JSON string within JSON.
    pub fn metadata(self) -> String {
        let schema = self.schema();
        match self.params() {
            Some(_) => metadata_of(&schema),
            None => metadata_of(r#"{"type":"ffi.Function"}"#),
        }
    }

    fn schema(self) -> String {
        let result = schema_of(self.result().unwrap_or("Any"));
        let params: Vec<_> = self.params().unwrap_or_default().into_iter().map(schema_of).collect();
        format!(r#"{{"type":"ffi.Function","named_args":{{"return":[{result}],"params":[{}]}}}}"#, params.join(","))
    }
}

/// The metadata of what has this schema.
pub fn metadata_of(schema: &str) -> String {
    format!(r#"{{"type_schema":"{}"}}"#, schema.replace('"', r#"\""#))
}

/// The schema of a type as signatures spell it.
pub fn schema_of(ty: &str) -> String {
    let (name, args) = match ty.split_once('<') {
        Some((name, rest)) => (name, split_top_level(rest.strip_suffix('>').unwrap_or(rest))),
        None => (ty, Vec::new()),
    };
    let name = match name {
        "str" => "ffi.String",
        "bytes" => "ffi.Bytes",
        "void" => "None",
        "AnyView" => "Any",
        "Array" => "ffi.Array",
        "List" => "ffi.List",
        "Map" => "ffi.Map",
        "Dict" => "ffi.Dict",
        other => other,
    };
    if args.is_empty() {
        return format!(r#"{{"type":"{name}"}}"#);
    }
    let args: Vec<_> = args.into_iter().map(schema_of).collect();
    format!(r#"{{"type":"{name}","args":[{}]}}"#, args.join(","))
}

/// Splits at the commas that are not inside angle brackets.
fn split_top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

#[cold]
fn mismatched_count(Signature(signature): Signature, expected: usize, actual: usize) -> Error {
    let text = format!(
        "Mismatched number of arguments when calling: `{signature}`. Expected {expected} but got {actual} arguments"
    );
    Error::new("TypeError", text)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("f() -> int", "f", Some(vec![]), Some("int"))]
    #[case("f(0: str) -> Any", "f", Some(vec!["str"]), Some("Any"))]
    #[case("f(0: Map<K, V>, 1: int) -> void", "f", Some(vec!["Map<K, V>", "int"]), Some("void"))]
    #[case("f", "f", None, None)]
    #[case("(0: int) -> Any", "", Some(vec!["int"]), Some("Any"))]
    fn a_signature_has_parts(
        #[case] signature: &'static str,
        #[case] name: &str,
        #[case] params: Option<Vec<&str>>,
        #[case] result: Option<&str>,
    ) {
        let signature = Signature(signature);
        assert_eq!((signature.name(), signature.params(), signature.result()), (name, params, result));
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
        assert_eq!(Signature(signature).metadata(), format!(r#"{{"type_schema":"{schema}"}}"#));
    }
}
