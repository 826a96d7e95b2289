//! Values for tests, in a form that tests can print and shrink.

use proptest::prelude::*;

use crate::{
    container::{array, list, map, sequence::List, shape},
    reflection::bigint,
    value::{any::Any, text},
};

/// A value.
#[derive(Clone, Debug)]
pub enum Sample {
    None,
    Bool(bool),
    Int(i64),
    BigInt(Vec<i64>),
    Float(f64),
    Str(String),
    Bytes(Vec<u8>),
    Shape(Vec<i64>),
    Array(Vec<Sample>),
    List(Vec<Sample>),
    Map(Vec<(Sample, Sample)>),
    Dict(Vec<(Sample, Sample)>),
}

impl Sample {
    /// The value, made anew.
    pub fn value(&self) -> Any {
        match self {
            Self::None => Any::NONE,
            Self::Bool(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::BigInt(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
                bigint::from_bytes(&bytes).unwrap()
            }
            Self::Float(value) => (*value).into(),
            Self::Str(text) => text::string(text.as_bytes()).unwrap(),
            Self::Bytes(content) => text::bytes(content).unwrap(),
            Self::Shape(extents) => shape::new(extents).unwrap().into(),
            Self::Array(elements) => array::new(elements.iter().map(Self::value).collect()).unwrap().into(),
            Self::List(elements) => list::new(elements.iter().map(Self::value).collect()).unwrap().into(),
            Self::Map(entries) => map::new(pairs(entries)).unwrap().into(),
            Self::Dict(entries) => map::new_dict(pairs(entries)).unwrap().into(),
        }
    }
}

fn pairs(entries: &[(Sample, Sample)]) -> Vec<(Any, Any)> {
    entries.iter().map(|(key, value)| (key.value(), value.value())).collect()
}

/// Values of all kinds. Keys are such that are found by their content.
pub fn values() -> impl Strategy<Value = Sample> {
    let leaf = prop_oneof![
        keys(),
        any::<u64>().prop_map(|bits| Sample::Float(f64::from_bits(bits))),
        prop::collection::vec(any::<i64>(), 0..4).prop_map(Sample::Shape),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        let entries = prop::collection::vec((keys(), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Sample::Array),
            prop::collection::vec(inner, 0..6).prop_map(Sample::List),
            entries.clone().prop_map(Sample::Map),
            entries.prop_map(Sample::Dict),
        ]
    })
}

fn keys() -> impl Strategy<Value = Sample> + Clone {
    prop_oneof![
        Just(Sample::None),
        any::<bool>().prop_map(Sample::Bool),
        any::<i64>().prop_map(Sample::Int),
        (-3..4_i64).prop_map(Sample::Int),
        prop::collection::vec(any::<i64>(), 1..4).prop_map(Sample::BigInt),
        ".{0,12}".prop_map(Sample::Str),
        any::<Vec<u8>>().prop_map(Sample::Bytes),
    ]
}

/// Values that JSON has. There is one NaN.
pub fn json_values() -> impl Strategy<Value = Sample> {
    let leaf = prop_oneof![
        Just(Sample::None),
        any::<bool>().prop_map(Sample::Bool),
        any::<i64>().prop_map(Sample::Int),
        any::<u64>().prop_map(|bits| Sample::Float(f64::from_bits(bits))),
        ".{0,12}".prop_map(Sample::Str),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        let entry = (".{0,9}".prop_map(Sample::Str), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Sample::Array),
            prop::collection::vec(entry, 0..6).prop_map(Sample::Map),
        ]
    })
}

/// A List within a List and so on.
pub fn nested_lists(depth: usize) -> List {
    (0..depth).fold(list::empty().unwrap(), |inner, _| list::new(vec![inner.into()]).unwrap())
}

/// A List that contains itself. [`break_cycle`] lets it end.
pub fn cyclic_list() -> List {
    let list = list::empty().unwrap();
    list::push(&list, list.clone().into()).unwrap();
    list
}

/// Empties a List, so that it can end.
pub fn break_cycle(list: &List) {
    list::clear(list).unwrap();
}
