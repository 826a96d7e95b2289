//! Values of every kind, and values of one kind that differ in what they hold.

use tvm_ffi_reports::{duty::Duty, kernel::rules};
use tvm_ffi_spec::*;

use crate::kernel::given::{DType, Form, Given, Tensor};

/// More than a text, a shape or an array has that somebody thought of when setting room aside.
const MANY: usize = 5000;

/// A value of each kind that no function takes for an address.
pub fn kinds() -> Vec<(&'static str, Given)> {
    let long = "a text of more than seven bytes".to_owned();
    vec![
        ("a float", Given::Float(0.5)),
        ("a small string", Given::Text("text".to_owned())),
        ("a String", Given::Text(long.clone())),
        ("a C string", Given::CText(long.clone())),
        ("Bytes", Given::Bytes(long.clone().into_bytes())),
        ("a byte array", Given::ByteArray(long.into_bytes())),
        ("a data type", Given::DataType(DType::FLOAT32)),
        ("a device", Given::Device(kDLCPU, 0)),
        ("a Shape", Given::Shape(vec![2, 3])),
        ("an Array", Given::Array(vec![Given::Int(2), Given::Int(3)])),
        ("a Function", Given::Function),
        ("a Function that fails", Given::Failing),
        ("an Error", Given::Error),
        ("a tensor", Given::Tensor(Tensor::usual())),
        ("a Tensor", Given::Tensor(Tensor { form: Form::Object, ..Tensor::usual() })),
    ]
}

/// Whether two values are of one kind.
pub fn alike(one: &Given, other: &Given) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Other values of the same kind, each with the rule that a function breaks which does not survive it. An integer has none: it may be
/// an address.
pub fn of_the_kind(given: &Given) -> Vec<(&'static str, &'static Duty, Given)> {
    let long = || "text ".repeat(MANY);
    let empty = ("empty", &rules::CRASH);
    let of = |(name, rule): (&'static str, &'static Duty), given| (name, rule, given);
    match given {
        Given::Text(_) => vec![
            of(empty, Given::Text(String::new())),
            of(("a small string", &rules::WRONG_KIND), Given::Text("text".to_owned())),
            of(("a String with NUL in it", &rules::CRASH), Given::Text("a text\0with NUL in it".to_owned())),
            of(("a very long String", &rules::CRASH), Given::Text(long())),
        ],
        Given::CText(_) => vec![
            of(empty, Given::CText(String::new())),
            of(("a very long C string", &rules::CRASH), Given::CText(long())),
        ],
        Given::Bytes(_) => vec![
            of(empty, Given::Bytes(Vec::new())),
            of(("small bytes", &rules::WRONG_KIND), Given::Bytes(b"bytes".to_vec())),
            of(("very many Bytes", &rules::CRASH), Given::Bytes(long().into_bytes())),
        ],
        Given::ByteArray(_) => vec![
            of(("empty, with NULL for its data", &rules::CRASH), Given::ByteArray(Vec::new())),
            of(("a very long byte array", &rules::CRASH), Given::ByteArray(long().into_bytes())),
        ],
        Given::DataType(_) => {
            let dtypes = [
                DType::scalar(kDLOpaqueHandle, 64),
                DType::scalar(kDLInt, 4),
                DType::scalar(kDLBfloat, 16),
                DType { lanes: 4, ..DType::FLOAT32 },
            ];
            dtypes.map(|dtype| of(("another data type", &rules::CRASH), Given::DataType(dtype))).into()
        }
        Given::Device(..) => {
            let devices = [(kDLCUDA, 0), (kDLCPU, 7)];
            devices.map(|(kind, number)| of(("another device", &rules::CRASH), Given::Device(kind, number))).into()
        }
        Given::Float(_) => vec![
            of(("not a number", &rules::CRASH), Given::Float(f64::NAN)),
            of(("infinite", &rules::CRASH), Given::Float(f64::INFINITY)),
            of(("a float far below zero", &rules::CRASH), Given::Float(-1e300)),
        ],
        Given::Bool(value) => vec![of(("the other boolean", &rules::CRASH), Given::Bool(!value))],
        Given::Shape(_) => vec![
            of(empty, Given::Shape(Vec::new())),
            of(("a Shape of one extent", &rules::CRASH), Given::Shape(vec![1])),
            of(("a Shape without elements", &rules::CRASH), Given::Shape(vec![0, 0])),
            of(("a Shape of very many extents", &rules::CRASH), Given::Shape(vec![1; MANY])),
        ],
        Given::Array(_) => {
            let item = |item: Given| Given::Array(vec![item.clone(), item]);
            vec![
                of(empty, Given::Array(Vec::new())),
                of(("an Array of floats", &rules::WRONG_KIND), item(Given::Float(0.5))),
                of(("an Array of small strings", &rules::WRONG_KIND), item(Given::Text("text".to_owned()))),
                of(("an Array of Strings", &rules::WRONG_KIND), item(Given::Text("a text of some bytes".to_owned()))),
                of(("an Array of Arrays", &rules::WRONG_KIND), item(Given::Array(Vec::new()))),
                of(("an Array of None", &rules::NULL_POINTER), item(Given::None)),
                of(("an Array of very many floats", &rules::WRONG_KIND), Given::Array(vec![Given::Float(0.5); MANY])),
            ]
        }
        Given::Function => vec![of(("a Function that fails", &rules::CRASH), Given::Failing)],
        _ => Vec::new(),
    }
}
