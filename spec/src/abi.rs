//! `abi.toml` as Rust values.

use std::sync::LazyLock;

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
    /// Every public name for a type that is not a struct: handles and callbacks.
    #[serde(rename = "typedef", default)]
    pub typedefs: Vec<Typedef>,
    /// Every public struct and union.
    #[serde(rename = "struct", default)]
    pub structs: Vec<Struct>,
    /// Every constant, grouped by the enumeration it belongs to.
    #[serde(rename = "enum", default)]
    pub enums: Vec<Enum>,
    /// Global functions that a library registers when it is loaded.
    #[serde(rename = "global", default)]
    pub globals: Vec<Global>,
    /// Types that a library registers when it is loaded.
    #[serde(rename = "type", default)]
    pub types: Vec<Type>,
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

impl Function {
    /// The C declaration, without a semicolon.
    pub fn declaration(&self) -> String {
        let params: Vec<_> = self.params.iter().map(|(name, ty)| declarator(ty, name)).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        format!("{} {}({params})", self.returns, self.name)
    }
}

/// `name` declared with the C type `ty`, pointers to functions and arrays included.
pub fn declarator(ty: &str, name: &str) -> String {
    if let Some((result, params)) = ty.split_once("(*)") {
        return format!("{result}(*{name}){params}");
    }
    match ty.split_once('[') {
        Some((element, length)) => format!("{element} {name}[{length}"),
        None => format!("{ty} {name}"),
    }
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
    /// Its static index.
    pub index: i32,
    /// The number of its ancestors.
    pub depth: i32,
    /// The release it appeared in.
    pub since: String,
}

/// The parsed file.
pub fn abi() -> &'static Abi {
    static ABI: LazyLock<Abi> = LazyLock::new(|| {
        toml::from_str(include_str!("../abi.toml")).unwrap_or_else(|error| panic!("spec/abi.toml: {error}"))
    });
    &ABI
}

impl Abi {
    /// The place of a release in the order of releases, from the oldest.
    pub fn release(&self, name: &str) -> Option<usize> {
        self.releases.iter().position(|release| release.name == name)
    }

    /// Which of the earlier states held in `release`; `None` if it is as it is today.
    ///
    /// # Panics
    /// If a release is none of [`Abi::releases`].
    pub fn former<'a>(&self, formerly: &'a [Former], release: &str) -> Option<&'a Former> {
        formerly.iter().find(|former| self.at_least(&former.until, release))
    }

    /// Whether `release` is `since` or came after it.
    ///
    /// # Panics
    /// If a release is none of [`Abi::releases`].
    pub fn at_least(&self, release: &str, since: &str) -> bool {
        let place = |name| self.release(name).unwrap_or_else(|| panic!("{name} is not a release in abi.toml"));
        place(release) >= place(since)
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The capability of that name.
    pub fn capability(&self, name: &str) -> Option<&Capability> {
        self.capabilities.iter().find(|capability| capability.name == name)
    }

    /// The value of a constant.
    pub fn constant(&self, name: &str) -> Option<i64> {
        self.enums.iter().flat_map(|group| &group.constants).find(|constant| constant.name == name).map(|c| c.value)
    }
}
