//! Values as plain Rust data: built on the target through its global functions, and read back from it the same way.

use std::fmt;

use proptest::{
    collection::vec,
    num::f64::{NORMAL, ZERO},
    prelude::{Just, Strategy, any},
    prop_oneof,
};
use tvm_ffi_spec::*;

use crate::client::{connection::Client, expectation::TypeIndex, owned::Owned, shown, value::view, verdict::Verdict};

/// A value and everything in it.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// None.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// The bits of a float.
    Float(u64),
    /// The content of a string.
    Str(Vec<u8>),
    /// The content of bytes.
    Bytes(Vec<u8>),
    /// An Array.
    Array(Vec<Value>),
    /// A List.
    List(Vec<Value>),
    /// The entries of a Map in their order.
    Map(Vec<(Value, Value)>),
    /// The entries of a Dict in their order.
    Dict(Vec<(Value, Value)>),
    /// Something else, by its type index.
    Other(i32),
}

/// As a person writes it: `{"a": [1, None]}`.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = |f: &mut fmt::Formatter, entries: &[(Self, Self)]| {
            f.debug_map().entries(entries.iter().map(|(key, value)| (key, value))).finish()
        };
        match self {
            Self::None => f.write_str("None"),
            Self::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Self::Str(content) => f.write_str(&shown::text(content)),
            Self::Bytes(content) => f.write_str(&shown::bytes(content)),
            Self::Array(items) => f.debug_list().entries(items).finish(),
            Self::List(items) => {
                f.write_str("List(")?;
                f.debug_list().entries(items).finish()?;
                f.write_str(")")
            }
            Self::Map(map) => entries(f, map),
            Self::Dict(dict) => {
                f.write_str("Dict(")?;
                entries(f, dict)?;
                f.write_str(")")
            }
            Self::Other(index) => write!(f, "a value of type {}", TypeIndex(*index)),
        }
    }
}

impl Value {
    /// A float.
    pub fn float(value: f64) -> Self {
        Self::Float(value.to_bits())
    }

    /// A string.
    pub fn str(content: &str) -> Self {
        Self::Str(content.as_bytes().to_vec())
    }

    /// Makes the value on the target.
    pub fn build(&self, client: &Client) -> Verdict<Owned> {
        Ok(match self {
            Self::None => client.own(TVMFFIAny::NONE),
            Self::Bool(value) => client.own(view::bool(*value)),
            Self::Int(value) => client.own(view::int(*value)),
            Self::Float(bits) => client.own(TVMFFIAny::new(kTVMFFIFloat, *bits)),
            Self::Str(content) => client.string(content)?,
            Self::Bytes(content) => client.bytes(content)?,
            Self::Array(items) => call_with(client, "ffi.Array", items)?,
            Self::List(items) => call_with(client, "ffi.List", items)?,
            Self::Map(entries) => call_with(client, "ffi.Map", flattened(entries))?,
            Self::Dict(entries) => call_with(client, "ffi.Dict", flattened(entries))?,
            Self::Other(type_index) => {
                return Err(client.error("building a value", format!("of type index {type_index}")));
            }
        })
    }

    /// Reads a value of the target.
    pub fn read(client: &Client, value: &TVMFFIAny) -> Verdict<Self> {
        Ok(match value.type_index {
            kTVMFFINone => Self::None,
            kTVMFFIBool => Self::Bool(value.payload() != 0),
            kTVMFFIInt => Self::Int(value.payload() as i64),
            kTVMFFIFloat => Self::Float(value.payload()),
            kTVMFFISmallStr | kTVMFFIStr => Self::Str(client.text(value)?),
            kTVMFFISmallBytes | kTVMFFIBytes => Self::Bytes(client.text(value)?),
            kTVMFFIArray => Self::Array(items(client, "ffi.Array", value)?),
            kTVMFFIList => Self::List(items(client, "ffi.List", value)?),
            kTVMFFIMap => Self::Map(entries(client, "ffi.Map", value)?),
            kTVMFFIDict => Self::Dict(entries(client, "ffi.Dict", value)?),
            other => Self::Other(other),
        })
    }
}

fn flattened(entries: &[(Value, Value)]) -> impl IntoIterator<Item = &Value> {
    entries.iter().flat_map(|(key, value)| [key, value])
}

fn call_with<'v>(client: &Client, global: &str, values: impl IntoIterator<Item = &'v Value>) -> Verdict<Owned> {
    let values = values.into_iter().map(|value| value.build(client)).collect::<Verdict<Vec<_>>>()?;
    client.call_global(global, &values.iter().map(Owned::any).collect::<Vec<_>>())
}

/// The size of a container of this kind.
fn size(client: &Client, kind: &str, container: &TVMFFIAny) -> Verdict<i64> {
    Ok(client.call_global(&format!("{kind}Size"), &[*container])?.any().payload() as i64)
}

/// How many elements of a container are read with a breadcrumb for each.
const NOTED: i64 = 4;

fn items(client: &Client, kind: &str, sequence: &TVMFFIAny) -> Verdict<Vec<Value>> {
    let get = client.global(&format!("{kind}GetItem"))?;
    let size = size(client, kind, sequence)?;
    let item = |index| {
        let args = [*sequence, view::int(index)];
        // The first are noted, of all that are alike.
        let item = if index < NOTED { client.call(&get, &args) } else { client.call_unnoted(&get, &args) }?;
        Value::read(client, &item.any())
    };
    (0..size).map(item).collect()
}

fn entries(client: &Client, kind: &str, map: &TVMFFIAny) -> Verdict<Vec<(Value, Value)>> {
    let size = size(client, kind, map)?;
    if size == 0 {
        return Ok(Vec::new());
    }
    let iterator = client.call_global(&format!("{kind}ForwardIterFunctor"), &[*map])?;
    let command = |place, command| {
        let args = [view::int(command)];
        if place < NOTED { client.call(&iterator, &args) } else { client.call_unnoted(&iterator, &args) }
    };
    (0..size)
        .map(|place| {
            let entry =
                (Value::read(client, &command(place, 0)?.any())?, Value::read(client, &command(place, 1)?.any())?);
            command(place, 2)?;
            Ok(entry)
        })
        .collect()
}

/// Any ASCII text, often one that has to be escaped somewhere.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,9}", "[\\x00-\\x7f]{0,12}"]
}

/// A value that JSON can express: floats are normal numbers, keys are strings and appear once in an object.
pub fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        prop_oneof![any::<i64>(), -20..20i64].prop_map(Value::Int),
        prop_oneof![NORMAL | ZERO, Just(1.0), Just(-0.5)].prop_map(Value::float),
        text().prop_map(|text| Value::str(&text)),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        let entries = vec((text(), inner.clone()), 0..6).prop_map(|entries| {
            let mut map: Vec<(Value, Value)> = Vec::new();
            for (key, value) in entries {
                let key = Value::str(&key);
                if map.iter().all(|(other, _)| *other != key) {
                    map.push((key, value));
                }
            }
            Value::Map(map)
        });
        prop_oneof![vec(inner, 0..6).prop_map(Value::Array), entries]
    })
}
