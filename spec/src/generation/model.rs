//! What a file of a generation holds.

use serde::{Deserialize, Serialize};

use crate::abi::{Enum, Struct, Typedef};

/// A generation of the ABI: libraries and clients of one do not understand those of another.
///
/// `since` and `until` in it are in its own terms: releases of TVM, or days.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its name: one word.
    pub name: String,
    /// What sets it apart.
    pub title: String,
    /// Where and when it was spoken.
    pub period: String,
    /// The document that specifies it.
    pub document: String,
    /// The file name of its library, which is its soname, too.
    pub library: String,
    /// The version of the state that its reference has, for pkg-config; that of today's stands in `abi.toml`.
    #[serde(default)]
    pub version: Option<String>,
    /// What can be done with a library of it, as what one is told to do.
    pub remedy: String,
    /// What tells a library of it.
    pub evidence: Evidence,
    /// Its global functions, by name, where any are known; today's stand in `abi.toml`.
    #[serde(default)]
    pub globals: Vec<String>,
    /// Its states, where clients tell them apart, oldest first.
    #[serde(rename = "state", default)]
    pub states: Vec<State>,
    /// What stands as in `abi.toml`.
    #[serde(default)]
    pub as_today: AsToday,
    /// Names for types that are not structs.
    #[serde(rename = "typedef", default)]
    pub typedefs: Vec<Typedef>,
    /// Further names of functions and types.
    #[serde(rename = "alias", default)]
    pub aliases: Vec<Alias>,
    /// Structs; those with the header `none` are laid out so in memory, and no C header declares them.
    #[serde(rename = "struct", default)]
    pub structs: Vec<Struct>,
    /// Constants, in groups.
    #[serde(rename = "enum", default)]
    pub enums: Vec<Enum>,
    /// Exported functions; those with the header `none` are exported all the same.
    #[serde(rename = "function", default)]
    pub functions: Vec<Function>,
}

/// What tells a library of a generation. Where exports decide, all of it has to be there; where new objects do, they have to show it,
/// and the library exports no function of today's that came later.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Functions that every library of it exports.
    pub has: Vec<String>,
    /// Functions of which every library of it exports one.
    #[serde(default)]
    pub has_one: Vec<String>,
    /// Functions that no library of it exports; with `*` at the end, all whose names begin so.
    pub lacks: Vec<String>,
    /// Pointers to functions that clients of it export, to be filled when they are loaded.
    #[serde(default)]
    pub places: Vec<String>,
    /// What a new object of it shows; none where exports decide.
    pub object: Option<NewObject>,
    /// Why this is enough.
    pub doc: String,
}

/// What the header of a new object shows. `TVMFFIObject` of the generation says where.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NewObject {
    /// The field that says what the object is.
    pub says_type: String,
    /// The field that shows another reference, by one more, and alone.
    pub counts: String,
    /// The fields of the header.
    pub fields: Vec<ShownField>,
}

/// A field of the header of a new object.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShownField {
    /// Its name.
    pub name: String,
    /// What it shows; none for an address, which is anything but a small number, and for the type.
    pub value: Option<u64>,
}

/// What stands in a generation as in `abi.toml`, by name.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AsToday {
    /// All of it.
    #[serde(default)]
    pub everything: bool,
    /// Structs.
    #[serde(default)]
    pub structs: Vec<String>,
    /// Names for types that are not structs.
    #[serde(default)]
    pub typedefs: Vec<String>,
    /// Constants.
    #[serde(default)]
    pub constants: Vec<String>,
    /// Functions.
    #[serde(default)]
    pub functions: Vec<String>,
}

/// A further name of a function or a type.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// What it is a name of.
    pub of: String,
    /// The header that declares it.
    pub header: String,
    /// Where it comes from.
    pub doc: String,
}

/// A state of a generation, told by a function that libraries have from then on and did not have before.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Its first day: clauses that held until an earlier one are not in force.
    pub since: String,
    /// A function that shows it.
    pub has: String,
    /// The generation that has the same functions and global functions, where that is another one.
    pub parts_of: Option<String>,
    /// What sets it apart.
    pub doc: String,
}

/// An exported function of a generation.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// The first that is known to have it.
    pub since: String,
    /// The last that has it; none where what came after the generation has the name, too.
    pub until: Option<String>,
    /// The header that declares it.
    pub header: String,
    /// Its C result type.
    pub returns: String,
    /// Names and C types of its parameters.
    pub params: Vec<(String, String)>,
    /// What it does and who owns what.
    pub doc: String,
}
