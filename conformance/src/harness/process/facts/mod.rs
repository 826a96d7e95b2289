//! Facts: what a target shows of itself, subject by subject, each asked in a process of its own.
//!
//! Nothing that is found is given back: the process ends right after.

mod layouts;
mod legacy;
mod marks;
mod registered;
mod values;

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use tvm_ffi_reports::facts::{Facts, Named, TypeFacts};
use tvm_ffi_spec::generation::Generation;

use crate::client::{Client, Verdict};

/// What a target is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// Values that clients know.
    Constants,
    /// Global functions.
    Globals,
    /// Types.
    Types,
    /// Attribute columns.
    Columns,
    /// How that struct lies in memory.
    Layout(String),
    /// Global functions of a library of the legacy generation.
    PackedFunctions,
}

impl Subject {
    /// All that libraries of a generation are asked about.
    pub fn all_of(generation: &Generation) -> Vec<Self> {
        if !generation.shares_functions() {
            return vec![Self::PackedFunctions];
        }
        let layouts = layouts::STRUCTS.iter().map(|(name, _)| Self::Layout((*name).to_owned()));
        [Self::Constants, Self::Globals, Self::Types, Self::Columns].into_iter().chain(layouts).collect()
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constants => f.write_str("values that clients know"),
            Self::Globals | Self::PackedFunctions => f.write_str("global functions"),
            Self::Types => f.write_str("types"),
            Self::Columns => f.write_str("attributes"),
            Self::Layout(name) => write!(f, "struct {name}"),
        }
    }
}

/// What a target shows of a subject.
#[derive(Debug, Serialize, Deserialize)]
pub enum Shown {
    /// Of [`Subject::Constants`].
    Constants(BTreeMap<String, String>),
    /// Of [`Subject::Globals`] and [`Subject::PackedFunctions`].
    Globals(Named<Option<String>>),
    /// Of [`Subject::Types`].
    Types(Named<TypeFacts>),
    /// Of [`Subject::Columns`].
    Columns(BTreeMap<String, BTreeMap<String, String>>),
    /// Of [`Subject::Layout`].
    Layout(String, BTreeMap<String, u64>),
}

impl Shown {
    /// Puts it among the facts.
    pub fn add_to(self, facts: &mut Facts) {
        match self {
            Self::Constants(constants) => facts.constants = Some(constants),
            Self::Globals(globals) => facts.globals = Some(globals),
            Self::Types(types) => facts.types = Some(types),
            Self::Columns(columns) => facts.columns = Some(columns),
            Self::Layout(name, fields) => drop(facts.layouts.insert(name, fields)),
        }
    }
}

/// What the target shows of a subject.
pub fn ask(client: &Client, subject: &Subject) -> Verdict<Shown> {
    Ok(match subject {
        Subject::Constants => Shown::Constants(values::constants(client)?),
        Subject::Globals => Shown::Globals(registered::globals(client)?),
        Subject::PackedFunctions => Shown::Globals(legacy::globals(client)?),
        Subject::Types => Shown::Types(registered::types(client)?),
        Subject::Columns => Shown::Columns(registered::columns(client)?),
        Subject::Layout(name) => {
            let measure = layouts::STRUCTS.iter().find(|(known, _)| known == name).map(|(_, measure)| measure);
            let measure = measure.ok_or_else(|| client.error("the struct", format!("{name} is not known")))?;
            Shown::Layout(name.clone(), measure(client)?)
        }
    })
}
