//! The file of calls: what good clients pass, in TOML, and what comes of it.

use serde::Deserialize;

use super::{
    arena,
    given::{DType, Form, Given, Tensor},
};

/// A call of a good client.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function.
    pub function: String,
    /// What it is given.
    pub args: Vec<Given>,
    /// What comes of it.
    pub outcome: Outcome,
}

/// What comes of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The kind of the error that it raises, if it does.
    pub raises: Option<String>,
    /// The result, if something is said of it.
    pub returns: Option<Given>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    call: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    function: String,
    #[serde(default)]
    args: Vec<Value>,
    raises: Option<String>,
    returns: Option<Value>,
}

/// An argument, as the file has it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Tensor(TensorEntry),
    Special(Special),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorEntry {
    tensor: String,
    shape: Vec<i64>,
    values: Option<Vec<f64>>,
    becomes: Option<Vec<f64>>,
    #[serde(default)]
    object: bool,
    device: Option<[i32; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum Special {
    None(Empty),
    Dtype(String),
    Device([i32; 2]),
    Shape(Vec<i64>),
    Bytes(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

/// Reads a file of calls.
///
/// # Errors
/// The line, or the call, and what is wrong with it.
pub fn read(text: &str) -> Result<Vec<Call>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string().trim().replace('\n', " "))?;
    if file.call.is_empty() {
        return Err("has no [[call]]".to_owned());
    }
    let call = |(place, entry): (usize, Entry)| {
        let name = entry.function.clone();
        entry.call().map_err(|problem| format!("call {} ({name}): {problem}", place + 1))
    };
    file.call.into_iter().enumerate().map(call).collect()
}

impl Entry {
    fn call(self) -> Result<Call, String> {
        if self.args.len() >= arena::ARGUMENTS {
            return Err(format!("has {} arguments; at most {} can be passed", self.args.len(), arena::ARGUMENTS - 1));
        }
        let args = self
            .args
            .into_iter()
            .enumerate()
            .map(|(place, value)| value.given().map_err(|problem| format!("argument {place}: {problem}")));
        let args = args.collect::<Result<_, _>>()?;
        let returns = self.returns.map(Value::given).transpose().map_err(|problem| format!("returns: {problem}"))?;
        if let Some(Given::Tensor(_) | Given::Shape(_)) = returns {
            return Err("returns: only numbers, text, None, a data type and a device are compared".to_owned());
        }
        Ok(Call { function: self.function, args, outcome: Outcome { raises: self.raises, returns } })
    }
}

impl Value {
    fn given(self) -> Result<Given, String> {
        Ok(match self {
            Self::Bool(value) => Given::Bool(value),
            Self::Int(value) => Given::Int(value),
            Self::Float(value) => Given::Float(value),
            Self::Text(text) => Given::Text(text),
            Self::Tensor(tensor) => Given::Tensor(tensor.tensor()?),
            Self::Special(Special::None(Empty {})) => Given::None,
            Self::Special(Special::Dtype(name)) => Given::DataType(dtype(&name)?),
            Self::Special(Special::Device([kind, number])) => Given::Device(kind, number),
            Self::Special(Special::Shape(shape)) => Given::Shape(shape),
            Self::Special(Special::Bytes(bytes)) => Given::Bytes(bytes.into_bytes()),
        })
    }
}

impl TensorEntry {
    fn tensor(self) -> Result<Tensor, String> {
        let dtype = dtype(&self.tensor)?;
        let sizes =
            self.shape.iter().try_fold(1_usize, |product, &extent| product.checked_mul(usize::try_from(extent).ok()?));
        let count =
            sizes.filter(|count| count.checked_mul(4 * dtype.size()).is_some_and(|bytes| bytes <= arena::LARGEST));
        let count = count.ok_or_else(|| {
            format!("a shape of {:?}; extents are not negative, and a tensor has at most 4 MiB", self.shape)
        })?;
        for (key, values) in [("values", &self.values), ("becomes", &self.becomes)] {
            if let Some(values) = values.as_ref().filter(|values| values.len() != count) {
                return Err(format!("`{key}` has {} numbers; the tensor has {count} elements", values.len()));
            }
        }
        let form = if self.object { Form::Object } else { Form::Borrowed };
        let usual = Tensor::new(dtype, &self.shape);
        let device = self.device.map_or(usual.device, |[kind, number]| (kind, number));
        let tensor = Tensor { values: self.values, becomes: self.becomes, form, device, ..usual };
        if !tensor.is_on_host() && (tensor.values.is_some() || tensor.becomes.is_some()) {
            return Err(
                "`values` and `becomes` are for tensors on the host; memory of a device is not looked at".to_owned()
            );
        }
        Ok(tensor)
    }
}

fn dtype(name: &str) -> Result<DType, String> {
    DType::named(name).ok_or_else(|| {
        format!("`{name}` is no data type that is known here; expected bool, float32, float64, int8 to int64, or uint8 to uint64")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read() {
        let text = r#"
            [[call]]
            function = "scale"
            args = [{ tensor = "float32", shape = [2], values = [1, 2], becomes = [2, 4] }, 2.0, "x", { none = {} }, { dtype = "int8" }]
            returns = 3
        "#;
        let calls = read(text).unwrap();
        let [Given::Tensor(tensor), rest @ ..] = &*calls[0].args else { panic!() };
        assert_eq!(tensor.becomes, Some(vec![2.0, 4.0]));
        let text = Given::Text("x".to_owned());
        assert_eq!(rest, [Given::Float(2.0), text, Given::None, Given::DataType(DType::named("int8").unwrap())]);
        assert_eq!(calls[0].outcome.returns, Some(Given::Int(3)));
    }

    #[test]
    fn mistakes_name_the_call_and_the_argument() {
        let problem = |args: &str| read(&format!("[[call]]\nfunction = \"f\"\nargs = [{args}]")).unwrap_err();
        assert_eq!(
            problem(r#"1, { tensor = "float32", shape = [2], values = [1] }"#),
            "call 1 (f): argument 1: `values` has 1 numbers; the tensor has 2 elements"
        );
        assert!(problem(r#"{ tensor = "float17", shape = [2] }"#).contains("`float17` is no data type"));
        assert!(problem(r#"{ tensor = "float32", shape = [-1] }"#).contains("extents are not negative"));
        assert!(
            problem(r#"{ tensor = "float32", shape = [1], device = [2, 0], values = [1] }"#).contains("on the host;")
        );
        assert_eq!(read("").unwrap_err(), "has no [[call]]");
    }
}
