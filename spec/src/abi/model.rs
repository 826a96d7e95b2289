//! What `abi.toml` holds. The build script reads the file through the same structs, so nothing is here but data.

use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Abi {
    /// Every public release, oldest first. Each `since` and `until` names one of them.
    #[serde(rename = "release")]
    pub releases: Vec<Release>,
    /// What a target has or lacks.
    #[serde(rename = "capability")]
    pub capabilities: Vec<Capability>,
    /// Every exported function.
    #[serde(rename = "function")]
    pub functions: Vec<Function>,
    /// Every C++ symbol that clients link to.
    #[serde(rename = "cxx_symbol")]
    pub cxx_symbols: Vec<CxxSymbol>,
    /// Every public name for a type that is not a struct: handles and callbacks.
    #[serde(rename = "typedef", default)]
    pub typedefs: Vec<Typedef>,
    /// Every public struct and union.
    #[serde(rename = "struct", default)]
    pub structs: Vec<Struct>,
    /// Every constant, grouped by the enumeration it belongs to.
    #[serde(rename = "enum", default)]
    pub enums: Vec<Enum>,
    /// Types that a library registers when it is loaded, by index.
    #[serde(rename = "type", default)]
    pub types: Vec<Type>,
    /// Attribute columns that exist when a library has been loaded, by name.
    #[serde(rename = "attribute", default)]
    pub attributes: Vec<Attribute>,
    /// Global functions that a library registers when it is loaded, in the order in which it lists them.
    #[serde(rename = "global", default)]
    pub globals: Vec<Global>,
}

/// A public release of `apache-tvm-ffi`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Its version on the package index, which names it.
    pub name: String,
    /// The day its library was built, as `YYYY-MM-DD`.
    pub date: String,
    /// The version that `TVMFFIGetVersion` and the header's macros claim. Several releases claim the same one.
    pub claims: String,
    /// Whether it was withdrawn.
    #[serde(default)]
    pub yanked: bool,
    /// Whether the suite is held to it: what it breaks is known and listed.
    #[serde(default)]
    pub peer: bool,
    /// The SHA-256 of its wheel for CPython 3.11 on Linux x86-64, in hexadecimal.
    pub sha256: String,
    /// The SHA-256 of the library in that wheel.
    pub library: String,
}

/// How a field, a struct or a constant stood in earlier releases. What it leaves out was as it is today.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Former {
    /// The last release for which this holds.
    pub until: String,
    /// Its name.
    pub name: Option<String>,
    /// The C type of a field.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The size of a struct or a field in bytes on 64-bit and 32-bit machines.
    pub size: Option<(u32, u32)>,
    /// The value of a constant.
    pub value: Option<i64>,
}

/// Something that a target has or lacks, told by evidence.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Capability {
    /// Its name.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// Exported functions that show it.
    #[serde(default)]
    pub functions: Vec<String>,
    /// Registered global functions that show it.
    #[serde(default)]
    pub globals: Vec<String>,
    /// Registered type keys that show it.
    #[serde(default)]
    pub type_keys: Vec<String>,
    /// Capabilities that came later and so vouch for this one.
    #[serde(default)]
    pub implied_by: Vec<String>,
    /// What it is.
    pub doc: String,
}

/// An exported function.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// The capability it belongs to.
    pub capability: String,
    /// The header that declares it, `c_api` or `c_env_api`.
    pub header: String,
    /// Its C result type.
    pub returns: String,
    /// Names and C types of its parameters.
    pub params: Vec<(String, String)>,
    /// What it does and who owns what.
    pub doc: String,
}

/// An exported C++ symbol.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CxxSymbol {
    /// Its mangled name.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// The capability that it shows.
    pub capability: String,
    /// The last release that has it, if newer ones do not.
    pub until: Option<String>,
    /// The size of data in bytes on 64-bit machines.
    pub size: Option<u32>,
    /// What it is in C++, seen from within the namespace `tvm::ffi`.
    pub declaration: String,
}

/// A name for a type that is not a struct.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Typedef {
    /// Its C name.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// The header that declares it: `c_api`, `c_env_api` or `dlpack`.
    pub header: String,
    /// The C type that it stands for.
    #[serde(rename = "type")]
    pub ty: String,
    /// What it is.
    pub doc: String,
}

/// A public struct or union.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Struct {
    /// Its C name.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// The header that declares it: `c_api`, `c_env_api` or `dlpack`.
    pub header: String,
    /// Size in bytes on 64-bit and 32-bit machines.
    pub size: (u32, u32),
    /// How it stood in earlier releases, oldest first.
    #[serde(default)]
    pub formerly: Vec<Former>,
    /// Alignment in bytes on 64-bit and 32-bit machines.
    pub align: (u32, u32),
    /// What it is.
    pub doc: String,
    /// The fields, in order; the members of an anonymous union share an offset.
    #[serde(rename = "field")]
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its C name.
    pub name: String,
    /// How it stood in earlier releases, oldest first.
    #[serde(default)]
    pub formerly: Vec<Former>,
    /// Its C type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The release it appeared in, if later than the struct.
    pub since: Option<String>,
    /// Offset in bytes on 64-bit and 32-bit machines.
    pub offset: (u32, u32),
    /// Size in bytes on 64-bit and 32-bit machines.
    pub size: (u32, u32),
    /// What it is.
    pub doc: String,
}

/// A group of constants.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Enum {
    /// The C enumeration, or a name for a group of macros.
    pub name: String,
    /// The header that declares it.
    pub header: String,
    /// The Rust type of its constants.
    #[serde(rename = "type")]
    pub ty: String,
    /// Whether the constants are macros, with no C type of their own.
    #[serde(default)]
    pub macros: bool,
    /// What it is.
    pub doc: String,
    /// The constants.
    #[serde(rename = "constant")]
    pub constants: Vec<Constant>,
}

/// A constant.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Its C name.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// The release it appeared in.
    pub since: String,
    /// How it stood in earlier releases, oldest first.
    #[serde(default)]
    pub formerly: Vec<Former>,
    /// What it says.
    pub doc: String,
}

/// A global function registered at load.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// Its signature as argument errors print it, or `packed`.
    pub signature: String,
    /// Its metadata string.
    pub metadata: String,
}

/// A type registered at load.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// Its key.
    pub key: String,
    /// Its static index; one without is given an index from 128 on, which releases do not agree on.
    pub index: Option<i32>,
    /// The keys of its ancestors, from the root to its parent.
    #[serde(default)]
    pub ancestors: Vec<String>,
    /// The hash of its key.
    #[serde(with = "hexadecimal")]
    pub key_hash: u64,
    /// The release it appeared in.
    pub since: String,
    /// What is registered about its instances, if anything is.
    pub metadata: Option<TypeMetadata>,
    /// Its own fields, in order.
    #[serde(rename = "field", default)]
    pub fields: Vec<ReflectedField>,
    /// Its own methods, in order.
    #[serde(rename = "method", default)]
    pub methods: Vec<ReflectedMethod>,
}

/// What is registered about the instances of a type.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TypeMetadata {
    /// The release it appeared in, if later than the type.
    pub since: Option<String>,
    /// The size of an instance in bytes.
    pub size: i32,
    /// How instances take part in structural comparison, a `TVMFFISEqHashKind`.
    pub kind: i32,
    /// Whether there is a function that makes an instance.
    pub creator: bool,
}

/// A field that reflection knows of. It has a getter and a setter, and no default.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReflectedField {
    /// Its name.
    pub name: String,
    /// The release it appeared in, if later than the type.
    pub since: Option<String>,
    /// Its offset from the object's header in bytes.
    pub offset: i64,
    /// Its size in bytes.
    pub size: i64,
    /// Its alignment in bytes.
    pub align: i64,
    /// Its flags, of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// The type index that is known of its values, or -1.
    pub static_type: i32,
    /// Its documentation.
    #[serde(default)]
    pub doc: String,
    /// Its metadata string.
    pub metadata: String,
}

/// A method that reflection knows of. Its value is a function.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReflectedMethod {
    /// Its name.
    pub name: String,
    /// The release it appeared in, if later than the type.
    pub since: Option<String>,
    /// Its flags, of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// Its documentation.
    #[serde(default)]
    pub doc: String,
    /// Its metadata string.
    pub metadata: String,
}

/// An attribute column that exists at load.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// The entries that are not None, by type index.
    #[serde(rename = "entry", default)]
    pub entries: Vec<AttributeEntry>,
}

/// What a column holds for a type.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeEntry {
    /// The key of the type.
    #[serde(rename = "type")]
    pub type_key: String,
    /// The release it appeared in, if later than the column.
    pub since: Option<String>,
    /// The type key of the value.
    pub kind: String,
    /// The value, where it is a boolean.
    pub value: Option<bool>,
}

/// A 64-bit number as `0x` and sixteen digits: TOML's own numbers have a sign.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{number:#018x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| D::Error::custom("a number that starts with 0x"))?;
        u64::from_str_radix(digits, 16).map_err(D::Error::custom)
    }
}
