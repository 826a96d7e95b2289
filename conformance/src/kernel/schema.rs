//! What a function's metadata tells: the types that it takes and returns.

use serde_json::Value;
use tvm_ffi_spec::*;

use super::given::{DType, Form, Given, Tensor};

/// The types of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Types {
    /// What a good client passes, if a value of each type is known.
    pub good: Option<Vec<Given>>,
    /// For each parameter, whether a pointer is what it takes.
    pub pointers: Vec<bool>,
    /// The type of the result, as its schema spells it.
    pub result: String,
}

/// Reads metadata. `Ok(None)` is that of a function that takes anything.
///
/// # Errors
/// What is wrong with it.
pub fn read(metadata: &str) -> Result<Option<Types>, String> {
    let outer: Value = serde_json::from_str(metadata).map_err(|error| format!("is no JSON ({error})"))?;
    let schema = match &outer["type_schema"] {
        Value::Null if outer.is_object() => return Ok(None),
        Value::String(schema) => schema,
        _ => return Err("has no text as its `type_schema`".to_owned()),
    };
    let schema: Value =
        serde_json::from_str(schema).map_err(|error| format!("has a schema that is no JSON ({error})"))?;
    if schema["type"] != "ffi.Function" {
        return match schema.as_object() {
            Some(object) if object.is_empty() => Ok(None),
            _ => Err(format!("has a schema of type {}; a function's is \"ffi.Function\"", schema["type"])),
        };
    }
    // Releases up to 0.1.12 have the result before the parameters, newer ones have names for both.
    let list = |schema: &Value| schema.as_array().cloned().unwrap_or_default();
    let named = &schema["named_args"];
    let (result, params) = match (&*list(&schema["args"]), &*list(&named["return"])) {
        ([result, params @ ..], _) => (result.clone(), params.to_vec()),
        ([], [result, ..]) => (result.clone(), list(&named["params"])),
        ([], []) => return Ok(None),
    };
    Ok(Some(Types {
        good: params.iter().map(value_of).collect(),
        pointers: params.iter().map(|param| takes_a_pointer(name_of(param))).collect(),
        result: name_of(&result).to_owned(),
    }))
}

fn name_of(schema: &Value) -> &str {
    schema["type"].as_str().unwrap_or_default()
}

/// A value that a good client passes for a type.
fn value_of(schema: &Value) -> Option<Given> {
    Some(match name_of(schema) {
        "int" => Given::Int(1),
        "bool" => Given::Bool(true),
        "float" => Given::Float(1.0),
        "str" | "std::string" | "ffi.String" | "ffi.SmallStr" => Given::Text("tvm-ffi-verify".to_owned()),
        "const char*" => Given::CText("tvm-ffi-verify".to_owned()),
        "bytes" | "ffi.Bytes" | "ffi.SmallBytes" => Given::Bytes(b"tvm-ffi-verify".to_vec()),
        "DataType" | "dtype" => Given::DataType(DType::FLOAT32),
        "Device" => Given::Device(kDLCPU, 0),
        "ffi.Shape" => Given::Shape(vec![2, 3]),
        "ffi.Tensor" => Given::Tensor(Tensor { form: Form::Object, ..Tensor::usual() }),
        "DLTensor*" => Given::Tensor(Tensor::usual()),
        "ffi.Function" => Given::Function,
        // Of other elements than integers there are none.
        "ffi.Array" if name_of(&schema["args"][0]) == "int" => Given::Array(vec![Given::Int(2), Given::Int(3)]),
        "ffi.Array" => Given::Array(Vec::new()),
        // Nothing, or anything, may stand for these.
        "None" | "Optional" | "Any" => Given::None,
        _ => return None,
    })
}

/// Whether NULL, or what C++ takes for it, may be just what a parameter is for, and what that means is the function's own.
fn takes_a_pointer(name: &str) -> bool {
    matches!(name, "void*" | "Any" | "Optional" | "Union" | "") || name.ends_with('*') && name != "DLTensor*"
}

/// Whether a result with that type index may be of a type, as far as its index tells.
pub fn admits(result: &str, type_index: i32) -> bool {
    match result {
        "None" => type_index == kTVMFFINone,
        "int" => type_index == kTVMFFIInt || type_index == kTVMFFIBool,
        "bool" => type_index == kTVMFFIBool || type_index == kTVMFFIInt,
        "float" => [kTVMFFIFloat, kTVMFFIInt, kTVMFFIBool].contains(&type_index),
        "str" | "std::string" | "ffi.String" => type_index == kTVMFFISmallStr || type_index == kTVMFFIStr,
        "bytes" | "ffi.Bytes" => type_index == kTVMFFISmallBytes || type_index == kTVMFFIBytes,
        "DataType" | "dtype" => type_index == kTVMFFIDataType,
        "Device" => type_index == kTVMFFIDevice,
        "ffi.Tensor" => type_index == kTVMFFITensor,
        "ffi.Shape" => type_index == kTVMFFIShape,
        "ffi.Array" | "Array" => type_index == kTVMFFIArray,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_of_releases_is_read() {
        let text = r#"{"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"int\"},{\"type\":\"DLTensor*\"},{\"type\":\"void*\"}]}","x":1}"#;
        let types = read(text).unwrap().unwrap();
        assert_eq!((types.good, types.pointers, types.result), (None, vec![false, true], "int".to_owned()));
        let text = r#"{"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"None\"}],\"params\":[{\"type\":\"int\"}]}}"}"#;
        let types = read(text).unwrap().unwrap();
        assert_eq!((types.good, types.result), (Some(vec![Given::Int(1)]), "None".to_owned()));
        assert_eq!(read(r#"{"type_schema":"{\"type\":\"ffi.Function\"}"}"#), Ok(None));
        assert_eq!(read("{}"), Ok(None));
        assert!(read("nonsense").is_err() && read(r#"{"type_schema":"{\"type\":\"int\"}"}"#).is_err());
        assert!(admits("int", kTVMFFIBool) && !admits("None", kTVMFFIInt) && admits("some.Type", kTVMFFIInt));
    }
}
