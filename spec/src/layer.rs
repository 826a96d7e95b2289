//! Layers: what of the ABI is of use without the rest, so that half an implementation can be judged as what it is.

use crate::{
    abi::abi,
    part::{Kind, Part},
};

/// A layer. Each stands on [`Layer::CAbi`]; [`Layer::Full`] is all of them, with what belongs to none of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The C functions and what goes through them: values, objects, texts, errors, functions, types, tensors.
    CAbi,
    /// Arrays, lists, maps, dicts and shapes.
    Containers,
    /// What a library tells of its types and functions, and how clients extend them.
    Reflection,
    /// Modules, and the libraries that they are loaded from.
    Modules,
    /// Everything: besides the others JSON, graphs, and walks through values.
    Full,
}

use Layer::{CAbi, Containers, Full, Modules, Reflection};

/// The layers of the areas of clauses, by the prefixes of their ids. Areas without a row belong to [`Layer::Full`].
const AREAS: &[(Layer, &[&str])] = &[
    (
        CAbi,
        &[
            "SYM", "ANY", "OBJ", "STR", "ERR", "BTR", "FUN", "GLB", "TYP", "RFL", "TEN", "DTY", "ENV", "BIG", "ALC",
            "ONC", "SPL", "MEM",
        ],
    ),
    (Containers, &["HSH", "ARR", "LST", "MAP", "DCT", "CNT"]),
    (Reflection, &["REG", "ARG", "INS", "PTH", "DCL", "ENU"]),
    (Modules, &["MOD"]),
];

/// The layers of global functions, by how their names begin: the first row that fits. Those without one belong to
/// [`Layer::Full`].
const GLOBALS: &[(Layer, &[&str])] = &[
    (Modules, &["ffi.Module", "ffi.SystemLib"]),
    (Containers, &["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Shape", "ffi.Container"]),
    (Reflection, &["ffi.GetRegistered", "ffi.Get", "ffi.Function", "ffi.String", "ffi.Bytes", "ffi.Make", "ffi._"]),
];

/// The layers of types, by key. Those without a row belong to [`Layer::CAbi`] if their index is fixed, to
/// [`Layer::Full`] otherwise.
const TYPES: &[(Layer, &[&str])] = &[
    (Containers, &["ffi.Shape", "ffi.Array", "ffi.Map", "ffi.List", "ffi.Dict"]),
    (Modules, &["ffi.Module"]),
    (Reflection, &["ffi.EnumState", "ffi.Enum", "ffi.IntEnum", "ffi.StrEnum"]),
    (Reflection, &["ffi.reflection.AccessStep", "ffi.reflection.AccessPath"]),
];

impl Layer {
    /// Every layer.
    pub const ALL: &[Self] = &[CAbi, Containers, Reflection, Modules, Full];

    /// Its name on the command line and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            CAbi => "c-abi",
            Containers => "containers",
            Reflection => "reflection",
            Modules => "modules",
            Full => "full",
        }
    }

    /// Whether an implementation of this layer has what belongs to `other`.
    pub fn includes(self, other: Self) -> bool {
        self == Full || self == other || other == CAbi
    }

    /// The layer of a clause.
    pub fn of_clause(id: &str) -> Self {
        let prefix = id.split('-').next().unwrap_or(id);
        row(AREAS, |area| area == prefix).unwrap_or(Full)
    }

    /// The layer of a part of a library.
    pub fn of_part(part: &Part) -> Self {
        match part.kind {
            Kind::Function => CAbi,
            Kind::CxxSymbol => Full,
            Kind::Global => row(GLOBALS, |prefix| part.name.starts_with(prefix)).unwrap_or(Full),
            Kind::Type | Kind::Constant => Self::of_type(part.of_type.as_deref().unwrap_or(&part.name)),
            Kind::Field | Kind::Method | Kind::Attribute => Reflection,
        }
    }

    fn of_type(key: &str) -> Self {
        let fixed = || abi().type_of_key(key).is_some_and(|ty| ty.index.is_some());
        row(TYPES, |known| known == key).unwrap_or_else(|| if fixed() { CAbi } else { Full })
    }
}

fn row(table: &[(Layer, &[&str])], fits: impl Fn(&str) -> bool) -> Option<Layer> {
    table.iter().find(|(_, names)| names.iter().any(|name| fits(name))).map(|(layer, _)| *layer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause;

    #[test]
    fn every_row_names_something() {
        let older = clause::older_areas().iter().map(|(_, area)| &area.prefix);
        let areas: Vec<_> = clause::areas().map(|area| &area.prefix).chain(older).collect();
        for prefix in AREAS.iter().flat_map(|(_, prefixes)| *prefixes) {
            assert!(areas.iter().any(|area| *area == prefix), "{prefix}");
        }
        for prefix in GLOBALS.iter().flat_map(|(_, prefixes)| *prefixes) {
            assert!(abi().globals.iter().any(|global| global.name.starts_with(prefix)), "{prefix}");
        }
        for key in TYPES.iter().flat_map(|(_, keys)| *keys) {
            assert!(abi().type_of_key(key).is_some(), "{key}");
        }
    }

    #[test]
    fn every_layer_has_clauses() {
        for layer in Layer::ALL {
            assert!(clause::clauses().any(|clause| Layer::of_clause(&clause.id) == *layer), "{}", layer.as_str());
        }
    }
}
