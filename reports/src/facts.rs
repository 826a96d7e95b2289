//! What a library shows of itself: what it exports, how structs lie in its memory, and what it has registered.
//!
//! Nothing in it depends on addresses, on the order in which anything was registered, or on the indices that types are given
//! at run time, so the facts of one library are the same in every run.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What stands in [`Facts::unknown`] for all that was not asked, since an earlier question was not answered in time.
pub const NEXT: &str = "whatever would be asked next";

/// What a library shows of itself. What it did not tell is in `unknown`, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Facts {
    /// The name that the loader knows it by.
    pub soname: Option<String>,
    /// The functions called `TVMFFI…`, the C++ symbols of `tvm::ffi` and what else it exports for clients, by symbol; of data with
    /// its size in bytes. What every client has a copy of itself, as of templates, is left out.
    pub symbols: BTreeMap<String, Option<u64>>,
    /// Those of the symbols that are variables of which each thread has its own.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub thread_local: BTreeSet<String>,
    /// The functions in each virtual table that it exports, by the table's symbol; `null` for one that has no exported name.
    pub virtual_tables: BTreeMap<String, Vec<Option<String>>>,
    /// In which byte of a struct, or of the object that it is a part of, something was found that had been put there: by
    /// struct and field. Behind the header of an object, bytes are counted from the object's address.
    pub layouts: BTreeMap<String, BTreeMap<String, u64>>,
    /// Values that clients know, such as the code of a data type.
    pub constants: Option<BTreeMap<String, String>>,
    /// Global functions with their metadata; `null` where one has none.
    pub globals: Option<Named<Option<String>>>,
    /// Types.
    pub types: Option<Named<TypeFacts>>,
    /// Attribute columns: what each type has, by column and type.
    pub columns: Option<BTreeMap<String, BTreeMap<String, String>>>,
    /// What is not known, such as `struct TVMFFIErrorCell`, and why.
    pub unknown: BTreeMap<String, String>,
}

/// Things that have a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Named<T> {
    /// Whether the library lists them; otherwise only those were asked for that the ABI has.
    pub listed: bool,
    /// The things.
    pub named: BTreeMap<String, T>,
}

/// What is registered of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TypeFacts {
    /// Its index, if that is the same in every process.
    pub index: Option<i32>,
    /// The keys of its ancestors, from the root to its parent.
    pub ancestors: Vec<String>,
    /// What is known of its instances.
    pub instances: Option<InstanceFacts>,
    /// Its own fields, in order.
    pub fields: Vec<FieldFacts>,
    /// Its own methods, by name.
    pub methods: BTreeMap<String, MethodFacts>,
}

/// What is registered of the instances of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstanceFacts {
    /// Their size in bytes, 0 if it is not known.
    pub size: i32,
    /// How they take part in structural comparison, a `TVMFFISEqHashKind`.
    pub kind: i32,
    /// Whether there is a function that makes one.
    pub creator: bool,
}

/// What is registered of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldFacts {
    /// Its name.
    pub name: String,
    /// Its offset from the object's address in bytes.
    pub offset: i64,
    /// Its size in bytes.
    pub size: i64,
    /// Its alignment in bytes.
    pub alignment: i64,
    /// Its flags, of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// The key of the type that its values are known to have, or `Any`.
    pub type_key: String,
    /// Its metadata.
    pub metadata: String,
}

/// What is registered of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MethodFacts {
    /// Its flags, of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// Its metadata.
    pub metadata: String,
}
