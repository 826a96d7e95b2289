//! Operations on values and all that is in them: comparing, hashing, copying, printing, writing and reading. They keep the
//! laws that bind them to each other, and do what the release does.

use std::collections::BTreeMap;

use bolero::TypeGenerator;
use tvm_ffi_fuzz::{made, program::seen::Seen, target};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    client::{Client, Owned, model::Value, view},
    side_by_side,
};

/// A value, told by few numbers, so that equal ones come up.
#[derive(Clone, Debug, TypeGenerator)]
enum Tree {
    None,
    Bool(bool),
    Int(i8),
    Float(u8),
    Text(u8),
    Bytes(u8),
    Array(Vec<Tree>),
    List(Vec<Tree>),
    Map(Vec<(i8, Tree)>),
    Dict(Vec<(u8, Tree)>),
}

const FLOATS: [f64; 8] = [0.0, -0.0, 1.0, f64::NAN, -1.5, f64::INFINITY, 5e-324, 0.1];

fn text(number: u8) -> Vec<u8> {
    b"abcdefgh\0\xc3\xa4"[..usize::from(number % 12)].to_vec()
}

impl Tree {
    fn value(&self) -> Value {
        let all = |trees: &[Self]| trees.iter().map(Self::value).collect();
        match self {
            Self::None => Value::None,
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(value) => Value::Int((*value).into()),
            Self::Float(number) => Value::float(FLOATS[usize::from(number % 8)]),
            Self::Text(number) => Value::Str(text(*number)),
            Self::Bytes(number) => Value::Bytes(text(*number)),
            Self::Array(items) => Value::Array(all(items)),
            Self::List(items) => Value::List(all(items)),
            // A key appears once.
            Self::Map(entries) => {
                let entries: BTreeMap<_, _> = entries.iter().map(|(key, tree)| (*key, tree.value())).collect();
                Value::Map(entries.into_iter().map(|(key, value)| (Value::Int(key.into()), value)).collect())
            }
            Self::Dict(entries) => {
                let entries: BTreeMap<_, _> = entries.iter().map(|(key, tree)| (text(*key), tree.value())).collect();
                Value::Dict(entries.into_iter().map(|(key, value)| (Value::Str(key), value)).collect())
            }
        }
    }

    fn make(&self, client: &Client) -> Owned {
        self.value().build(client).unwrap_or_else(|failure| panic!("{failure:?}"))
    }
}

/// What a function answers, as text, or the kind of its error.
fn ask(client: &Client, name: &str, args: &[TVMFFIAny]) -> String {
    match made(client.answer(name, args)) {
        Ok(answer) => Seen::new(client).text(&answer.any()),
        Err(kind) => kind,
    }
}

const NO: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 0);

fn structurally_equal(client: &Client, lhs: TVMFFIAny, rhs: TVMFFIAny) -> String {
    ask(client, "ffi.StructuralEqual", &[lhs, rhs, NO, NO])
}

#[test]
fn values_keep_the_laws() {
    let reference = side_by_side::reference();
    target!().with_type::<(Tree, Tree)>().for_each(|(lhs, rhs)| {
        let (first, again, other) = (lhs.make(&reference), lhs.make(&reference), rhs.make(&reference));
        let hash = |value: &Owned| ask(&reference, "ffi.StructuralHash", &[value.any(), NO, NO]);
        assert_eq!(structurally_equal(&reference, first.any(), again.any()), "bool 1");
        assert_eq!(hash(&first), hash(&again));
        let equal = structurally_equal(&reference, first.any(), other.any());
        assert_eq!(structurally_equal(&reference, other.any(), first.any()), equal);
        if equal == "bool 1" {
            assert_eq!(hash(&first), hash(&other));
        }
        let mismatch = ask(&reference, "ffi.GetFirstStructuralMismatch", &[first.any(), other.any(), NO, NO]);
        assert_eq!(mismatch == "None", equal == "bool 1", "{mismatch}");
        let copy = made(reference.answer("ffi.DeepCopy", &[first.any()])).expect("plain data can be copied");
        assert_eq!(structurally_equal(&reference, first.any(), copy.any()), "bool 1");
        assert_eq!(Value::read(&reference, &copy.any()).ok(), Value::read(&reference, &first.any()).ok());
    });
}

/// Everything that a library makes of two values.
fn all_of(client: &Client, trees: &(Tree, Tree)) -> Vec<String> {
    let (lhs, rhs) = (trees.0.make(client), trees.1.make(client));
    let (one, both) = ([lhs.any()], [lhs.any(), rhs.any()]);
    let mut told = Vec::new();
    for name in ["ffi.RecursiveHash", "ffi.ReprPrint", "ffi.DeepCopy"] {
        told.push(format!("{name}: {}", ask(client, name, &one)));
    }
    for name in ["ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"] {
        told.push(format!("{name}: {}", ask(client, name, &both)));
    }
    told.push(format!("ffi.StructuralEqual: {}", structurally_equal(client, both[0], both[1])));
    for (name, args) in [
        ("ffi.StructuralHash", vec![one[0], NO, NO]),
        ("ffi.GetFirstStructuralMismatch", vec![both[0], both[1], NO, NO]),
        ("ffi.json.Stringify", vec![one[0], TVMFFIAny::NONE]),
        ("ffi.json.Stringify", vec![one[0], view::int(2)]),
        ("ffi.ToJSONGraphString", vec![one[0], TVMFFIAny::NONE]),
        ("ffi.ContainerFindFirstNonCPUDevice", one.to_vec()),
    ] {
        told.push(format!("{name}: {}", ask(client, name, &args)));
    }
    told
}

#[test]
fn values_are_what_the_release_makes() {
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    target!().with_type::<(Tree, Tree)>().for_each(|trees| {
        assert_eq!(all_of(&reference, trees), all_of(&release, trees));
    });
}
