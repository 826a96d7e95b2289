//! What walks through all that a value refers to: copies, texts, hashes and comparisons.
//!
//! Types take part with hooks, which are given a function to go on with. That function works only as long as the walk
//! that made it, and the state of a walk is never locked while a hook runs.

pub mod compare;
pub mod deep_copy;
pub mod hash;
pub mod repr;

pub use deep_copy::deep_copy;
pub use hash::recursive_hash;
pub use repr::repr;

use tvm_ffi_spec::*;

use crate::{
    any::Any,
    container::{map, sequence},
    error::{Error, Result},
    globals::{Row, row},
    object::ObjectRef,
    reflection::field::{self, Field},
    string,
};

/// Functions of this subject.
pub const GLOBALS: &[Row] = &[
    row("ffi.DeepCopy(0: Any) -> Any", |args| deep_copy(&args.any(0).to_owned()?)),
    row("ffi.ReprPrint(0: Any) -> str", |args| string::string(&repr(&args.any(0).to_owned()?)?)),
    row("ffi.RecursiveHash(0: Any) -> int", |args| Ok(recursive_hash(&args.any(0).to_owned()?)?.into())),
];

/// The five comparisons.
pub const COMPARISONS: &[Row] = &[
    row("ffi.RecursiveEq(0: Any, 1: Any) -> bool", |args| {
        compare::equal(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(Any::from)
    }),
    row("ffi.RecursiveLt(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order < 0).into())
    }),
    row("ffi.RecursiveLe(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order <= 0).into())
    }),
    row("ffi.RecursiveGt(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order > 0).into())
    }),
    row("ffi.RecursiveGe(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order >= 0).into())
    }),
];

/// What an object consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The elements of an Array or a List.
    Sequence,
    /// The entries of a Map or a Dict.
    Map,
    /// The fields of any other object.
    Object,
}

/// The values that an object refers to, as they are now.
struct Children {
    kind: Kind,
    /// Of maps, each key and its value in turn.
    values: Vec<Any>,
    /// Of other objects, the field of each value.
    fields: Vec<Field>,
}

impl Children {
    /// All of an object but the fields with any of these flags.
    fn of(object: &ObjectRef, skipped: i64) -> Result<Self> {
        let of = |kind, values| Self { kind, values, fields: Vec::new() };
        Ok(match object.type_index() {
            kTVMFFIArray | kTVMFFIList => of(Kind::Sequence, sequence::elements(object)),
            kTVMFFIMap | kTVMFFIDict => {
                let entries = map::entries(object);
                of(Kind::Map, entries.into_iter().flat_map(|(key, value)| [key, value]).collect())
            }
            type_index => {
                let fields: Vec<_> = field::fields(type_index)?.filter(|field| !field.has(skipped)).collect();
                let values = fields.iter().map(|field| field.get(object)).collect::<Result<_>>()?;
                Self { kind: Kind::Object, values, fields }
            }
        })
    }
}

/// The address of an object, which is what walks know it by. It is theirs as long as they hold a reference.
fn address(object: &ObjectRef) -> usize {
    object.handle() as usize
}

#[cold]
fn ended() -> Error {
    Error::new("RuntimeError", "The function was called after the walk that it belongs to")
}
