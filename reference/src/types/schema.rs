//! The types that signatures and schemas spell, such as `Dict<str, List<int>>`: read once, and values from then on.
//!
//! A type prints itself, gives its schema, and words the error of a value that is not of it. How values are converted to
//! types stands in `reflection::convert`, above the containers that conversion makes.

use std::{
    borrow::Cow,
    fmt::{self, Write},
    slice,
};

use tvm_ffi_spec::{kTVMFFIArray, kTVMFFIDict, kTVMFFIList, kTVMFFIMap};

use crate::{border::error::Error, types::type_table, value::any::AnyView};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `Any`, or `AnyView` of a parameter.
    Any,
    /// `None`, or `void` of a result.
    None,
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `float`.
    Float,
    /// `str`.
    Str,
    /// `bytes`.
    Bytes,
    /// `void*`.
    Pointer,
    /// `DataType`.
    Dtype,
    /// `Device`.
    Device,
    /// A type of objects, by its key.
    Object(Cow<'static, str>),
    /// `Optional<T>`: a value or None.
    Optional(Box<Type>),
    /// `Array<T>`.
    Array(Box<Type>),
    /// `List<T>`.
    List(Box<Type>),
    /// `Map<K, V>`.
    Map(Box<[Type; 2]>),
    /// `Dict<K, V>`.
    Dict(Box<[Type; 2]>),
    /// `Tuple<T, U, …>`: an Array of as many elements.
    Tuple(Box<[Type]>),
}

/// What a value should have been of a type for. The errors differ in their words.
#[derive(Clone, Copy, Debug)]
pub enum Need<'a> {
    /// It was to be converted.
    Conversion,
    /// It was to be converted by the attribute `__ffi_convert__`.
    Cast,
    /// It was to be taken as it is.
    Identity,
    /// It was the argument at this place of a function with this signature.
    Argument(usize, &'a str),
    /// It is what a callback has answered.
    Answer,
}

impl Type {
    /// The type of objects with this key.
    pub const fn object(key: &'static str) -> Self {
        Self::Object(Cow::Borrowed(key))
    }

    /// The type that is spelled like this.
    pub fn parse(text: &'static str) -> Self {
        let (head, args) = match text.split_once('<') {
            Some((head, rest)) => (head, rest.strip_suffix('>').unwrap_or(rest)),
            None => (text, ""),
        };
        let mut args = split_top_level(args).map(Self::parse);
        let mut arg = || args.next().unwrap_or(Self::Any);
        match head {
            "Any" | "AnyView" => Self::Any,
            "None" | "void" => Self::None,
            "bool" => Self::Bool,
            "int" => Self::Int,
            "float" => Self::Float,
            "str" => Self::Str,
            "bytes" => Self::Bytes,
            "void*" => Self::Pointer,
            "DataType" => Self::Dtype,
            "Device" => Self::Device,
            "Optional" => Self::Optional(Box::new(arg())),
            "Array" => Self::Array(Box::new(arg())),
            "List" => Self::List(Box::new(arg())),
            "Map" => Self::Map(Box::new([arg(), arg()])),
            "Dict" => Self::Dict(Box::new([arg(), arg()])),
            "Tuple" => Self::Tuple(args.collect()),
            _ => Self::object(text),
        }
    }

    /// The name without parameters.
    pub fn name(&self) -> &str {
        match self {
            Self::Any => "Any",
            Self::None => "None",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Str => "str",
            Self::Bytes => "bytes",
            Self::Pointer => "void*",
            Self::Dtype => "DataType",
            Self::Device => "Device",
            Self::Object(key) => key,
            Self::Optional(_) => "Optional",
            Self::Array(_) => "Array",
            Self::List(_) => "List",
            Self::Map(_) => "Map",
            Self::Dict(_) => "Dict",
            Self::Tuple(_) => "Tuple",
        }
    }

    /// The types that it is made of.
    fn args(&self) -> &[Self] {
        match self {
            Self::Optional(inner) | Self::Array(inner) | Self::List(inner) => slice::from_ref(inner),
            Self::Map(entry) | Self::Dict(entry) => &entry[..],
            Self::Tuple(parts) => parts,
            _ => &[],
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Schemas
    // -----------------------------------------------------------------------------------------------------------------

    /// The metadata of what is of the type.
    pub fn metadata(&self) -> String {
        let mut schema = String::new();
        self.write_schema(&mut schema);
        metadata_of(&schema)
    }

    /// Adds the schema, as JSON, to a text.
    fn write_schema(&self, to: &mut String) {
        let name = match self {
            Self::Str => "ffi.String",
            Self::Bytes => "ffi.Bytes",
            Self::Array(_) => "ffi.Array",
            Self::List(_) => "ffi.List",
            Self::Map(_) => "ffi.Map",
            Self::Dict(_) => "ffi.Dict",
            _ => self.name(),
        };
        to.push_str(r#"{"type":""#);
        to.push_str(name);
        to.push('"');
        if !self.args().is_empty() {
            to.push_str(r#","args":"#);
            write_schemas(self.args(), to);
        }
        to.push('}');
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Values
    // -----------------------------------------------------------------------------------------------------------------

    /// Whether a value can stand for one of the type, as far as it is seen without a look into containers and at what an
    /// object is.
    pub fn admits(&self, value: &AnyView<'_>) -> bool {
        match self {
            Self::Bool => value.as_bool().is_some(),
            Self::Int => value.as_int().is_some(),
            Self::Str => value.as_str().is_some(),
            Self::Bytes => value.as_bytes().is_some(),
            Self::Pointer => value.as_opaque_ptr().is_some(),
            Self::Array(_) | Self::List(_) => matches!(value.type_index(), kTVMFFIArray | kTVMFFIList),
            Self::Map(_) | Self::Dict(_) => matches!(value.type_index(), kTVMFFIMap | kTVMFFIDict),
            _ => true,
        }
    }

    /// The error of a value that cannot be converted to the type, because of what it is itself.
    #[cold]
    pub fn refuse(&self, value: &AnyView<'_>) -> Error {
        self.refuse_for(Need::Conversion, value)
    }

    /// The error of a value that is not of the type, because of what it is itself.
    #[cold]
    pub fn refuse_for(&self, need: Need<'_>, value: &AnyView<'_>) -> Error {
        self.mismatch(need, &type_table::key_of(value.type_index()))
    }

    /// The error of what is `actual`, where a value of the type was needed.
    #[cold]
    pub fn mismatch(&self, need: Need<'_>, actual: &str) -> Error {
        let text = match need {
            Need::Conversion => format!("Cannot convert from type `{actual}` to `{self}`"),
            Need::Cast => format!("Cannot cast from `{actual}` to `{self}`"),
            Need::Identity => format!("Cannot treat type `{actual}` as type `{self}`"),
            Need::Argument(index, signature) => format!(
                "Mismatched type on argument #{index} when calling: `{signature}`. Expected `{self}` but got `{actual}`"
            ),
            Need::Answer => format!("CallExpected: result type mismatch, expected {self}, but got {actual}"),
        };
        Error::new("TypeError", text)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (index, arg) in self.args().iter().enumerate() {
            write!(f, "{}{arg}", if index == 0 { "<" } else { ", " })?;
        }
        if self.args().is_empty() { Ok(()) } else { f.write_char('>') }
    }
}

/// Adds the schemas of types, as a JSON array, to a text.
pub fn write_schemas(types: &[Type], to: &mut String) {
    to.push('[');
    for (index, ty) in types.iter().enumerate() {
        if index > 0 {
            to.push(',');
        }
        ty.write_schema(to);
    }
    to.push(']');
}

/// The metadata of what has this schema: JSON with the schema as a string in it.
pub fn metadata_of(schema: &str) -> String {
    format!(r#"{{"type_schema":"{}"}}"#, schema.replace('"', r#"\""#))
}

/// The parts between the commas that are not inside angle brackets.
pub fn split_top_level(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = text.split(move |character| {
        depth += i32::from(character == '<') - i32::from(character == '>');
        depth == 0 && character == ','
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("int", Type::Int)]
    #[case("void*", Type::Pointer)]
    #[case("ffi.Array", Type::object("ffi.Array"))]
    #[case("Optional<str>", Type::Optional(Box::new(Type::Str)))]
    #[case("Map<str, List<Any>>", Type::Map(Box::new([Type::Str, Type::List(Box::new(Type::Any))])))]
    #[case("Tuple<int, Dict<Any, bool>, ffi.Function>", Type::Tuple([
        Type::Int,
        Type::Dict(Box::new([Type::Any, Type::Bool])),
        Type::object("ffi.Function"),
    ].into()))]
    fn a_type_is_printed_as_it_is_spelled(#[case] text: &'static str, #[case] expected: Type) {
        assert_eq!(Type::parse(text), expected);
        assert_eq!(expected.to_string(), text);
    }

    // Known answers: what the releases report of fields.
    #[rstest]
    #[case("str", r#"{\"type\":\"ffi.String\"}"#)]
    #[case("Optional<ffi.Object>", r#"{\"type\":\"Optional\",\"args\":[{\"type\":\"ffi.Object\"}]}"#)]
    #[case(
        "Dict<str, Dict<ffi.Object, Any>>",
        r#"{\"type\":\"ffi.Dict\",\"args\":[{\"type\":\"ffi.String\"},{\"type\":\"ffi.Dict\",\"args\":[{\"type\":\"ffi.Object\"},{\"type\":\"Any\"}]}]}"#
    )]
    fn a_type_gives_the_metadata(#[case] text: &'static str, #[case] schema: &str) {
        assert_eq!(Type::parse(text).metadata(), format!(r#"{{"type_schema":"{schema}"}}"#));
    }
}
