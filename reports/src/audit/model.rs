//! What an audit has found, client by client. The same types are its JSON, field by field.
//!
//! Text that comes from a client may hold anything; the renderings escape it.

use serde::{Deserialize, Serialize};

use crate::{exit, model::Tool};

/// The version of the format; it changes when a program that reads the JSON has to change.
pub const SCHEMA_VERSION: u32 = 1;

/// What was found in all files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Audit {
    /// The version of the format.
    pub schema_version: u32,
    /// What made the audit.
    pub tool: Tool,
    /// The library that clients are held against, if one was named.
    pub against: Option<Against>,
    /// Every public release, oldest first.
    pub releases: Vec<Release>,
    /// What could be read, in the order of the files.
    pub clients: Vec<Client>,
    /// What could not, in a file of which something else could.
    pub unreadable: Vec<Unreadable>,
    /// What the process exits with: 0 every client finds what it needs, 1 one does not, 4 none needs or offers anything.
    pub exit_code: u8,
}

/// A public release of the library.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Release {
    /// Its name, such as `0.1.12`.
    pub name: String,
    /// Whether it was withdrawn.
    pub yanked: bool,
}

/// A library that clients are held against.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Against {
    /// Its absolute path.
    pub path: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Where the file came from, such as the wheel that held it.
    pub origin: Option<String>,
    /// The public releases that hold it.
    pub releases: Vec<String>,
}

/// What was not read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unreadable {
    /// The file that was named.
    pub file: String,
    /// What of it: the path inside.
    pub member: String,
    /// Why.
    pub problem: String,
}

/// A library, an object file, an archive of these, or a program.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Client {
    /// The file that was named.
    pub file: String,
    /// What of it, where that is a wheel or a folder: the path inside.
    pub member: Option<String>,
    /// SHA-256 of the client, in 64 lowercase hexadecimal digits.
    pub sha256: String,
    /// What it is.
    pub kind: ClientKind,
    /// The machine that it is for, such as `X86_64`.
    pub architecture: String,
    /// How it comes to the library.
    pub links: Links,
    /// Where the libraries that it names are looked for first.
    pub run_path: Vec<String>,
    /// What it needs of the library, functions first.
    pub needs: Vec<Need>,
    /// The releases that have all of it, oldest first.
    pub releases: Vec<String>,
    /// The oldest of these.
    pub oldest: Option<String>,
    /// The newest of these.
    pub newest: Option<String>,
    /// Functions of the ABI that it defines itself.
    pub defines: Vec<String>,
    /// Of a library that defines functions of the ABI: those that every release has, and it does not.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Of a library that defines functions of the ABI: those of such names that no release has.
    #[serde(default)]
    pub strangers: Vec<String>,
    /// The functions that it offers to the library: `__tvm_ffi_` and the name.
    pub functions: Vec<Exported>,
    /// Metadata or documentation of functions that it does not offer.
    pub strays: Vec<String>,
    /// Whether it has a place for the module that it becomes: `__tvm_ffi__library_ctx`.
    pub context: bool,
    /// What is embedded in it: `__tvm_ffi__library_bin`.
    pub embedded: Option<Embedded>,
    /// What it has to do with the legacy generation of the ABI, if it speaks that.
    pub legacy: Option<Legacy>,
}

/// What a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClientKind {
    /// A shared library.
    SharedLibrary,
    /// A program.
    Program,
    /// An object file, which is still to be linked.
    Object,
    /// An archive of object files.
    Archive,
}

impl ClientKind {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SharedLibrary => "shared library",
            Self::Program => "program",
            Self::Object => "object file",
            Self::Archive => "archive of object files",
        }
    }
}

/// How a client comes to the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Links {
    /// It names `libtvm_ffi.so` among the libraries to be loaded with it.
    Named,
    /// It needs the library and does not name it: somebody else has to have loaded it in the process.
    Process,
    /// It is still to be linked.
    Later,
    /// It defines functions of the ABI itself.
    Itself,
    /// It needs nothing of the library.
    Not,
}

/// A symbol of the library that a client needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Need {
    /// As linkers know it.
    pub symbol: String,
    /// As its language has it: of a C++ symbol the declaration.
    pub name: String,
    /// Whether the client gets by without it.
    pub weak: bool,
    /// The first release that has it; `null` if none does.
    pub since: Option<String>,
    /// The last release that has it, if newer ones do not.
    pub until: Option<String>,
    /// The file, of those that were looked at, that defines it, where no release does.
    pub defined_by: Option<String>,
    /// Whether a library that was not looked at may define it, where no release does.
    pub elsewhere: bool,
    /// The older generation of the ABI that had it, where no release does.
    pub generation: Option<String>,
    /// Whether the library that clients are held against has it.
    pub has: Option<bool>,
}

/// A function that a client offers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exported {
    /// Its name, without what precedes it in the symbol.
    pub name: String,
    /// Whether its types are told: `__tvm_ffi__metadata_` and the name.
    pub metadata: bool,
    /// Whether its documentation is told: `__tvm_ffi__doc_` and the name.
    pub doc: bool,
}

/// What shows that a client speaks the legacy generation of the ABI, the packed functions of TVM 0.7 to 0.20.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Legacy {
    /// Where and when that was spoken.
    pub period: String,
    /// The functions of it that it needs.
    pub needs: Vec<String>,
    /// The pointers to functions of it that it exports, to be filled when it is loaded.
    pub places: Vec<String>,
    /// How many functions of it it defines, if it is a runtime of it.
    pub defines: u32,
}

/// Modules that are embedded in a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Embedded {
    /// The bytes that the blob says it has, without their count.
    pub bytes: Option<u64>,
    /// The modules, the root first.
    pub modules: Vec<EmbeddedModule>,
    /// Why they cannot be read, if so.
    pub problem: Option<String>,
}

/// A module that is embedded.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EmbeddedModule {
    /// Its kind; `_lib` is the client itself.
    pub kind: String,
    /// How many bytes it was serialized to; `null` for the client itself.
    pub bytes: Option<u64>,
    /// The modules that it imports, by their places.
    pub imports: Vec<u64>,
}

impl Need {
    /// Whether nothing that is known has it.
    pub fn is_unknown(&self) -> bool {
        self.since.is_none() && self.defined_by.is_none()
    }

    /// Whether it is one of C++.
    pub fn is_cxx(&self) -> bool {
        self.symbol.starts_with("_Z")
    }
}

impl Client {
    /// The path inside the file, or else the file.
    pub fn place(&self) -> &str {
        self.member.as_ref().unwrap_or(&self.file)
    }

    /// Whether it has to do with the library at all.
    pub fn uses_the_abi(&self) -> bool {
        let offers = !self.functions.is_empty() || !self.strays.is_empty() || self.context || self.embedded.is_some();
        offers || !self.needs.is_empty() || !self.defines.is_empty()
    }

    /// Whether it has to do with the library, or with what an older generation had in its place.
    pub fn is_of_note(&self) -> bool {
        self.uses_the_abi() || self.legacy.is_some()
    }

    /// What it cannot do without, of what releases have.
    pub fn required(&self) -> impl Iterator<Item = &Need> {
        self.needs.iter().filter(|need| !need.weak && need.since.is_some())
    }
}

impl Audit {
    /// An audit with its exit code.
    pub fn new(
        tool: Tool,
        against: Option<Against>,
        releases: Vec<Release>,
        clients: Vec<Client>,
        unreadable: Vec<Unreadable>,
    ) -> Self {
        let mut audit = Self {
            schema_version: SCHEMA_VERSION,
            tool,
            against,
            releases,
            clients,
            unreadable,
            exit_code: exit::CONFORMS,
        };
        audit.exit_code = if audit.errors() > 0 {
            exit::DOES_NOT_CONFORM
        } else if audit.users().next().is_none() {
            exit::NOTHING_RAN
        } else {
            exit::CONFORMS
        };
        audit
    }

    /// The clients that have to do with the library.
    pub fn users(&self) -> impl Iterator<Item = &Client> {
        self.clients.iter().filter(|client| client.uses_the_abi())
    }

    /// The clients that need something of it.
    pub fn in_need(&self) -> impl Iterator<Item = &Client> {
        self.clients.iter().filter(|client| !client.needs.is_empty())
    }

    /// What a client is called among all: with its file, shortened, where there are several.
    pub fn label(&self, client: &Client) -> String {
        let one_file = self.clients.iter().all(|other| other.file == client.file);
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        match &client.member {
            Some(member) if one_file => member.clone(),
            Some(member) => {
                let file = name(&client.file);
                // Of a wheel its name and version.
                let parts: Vec<_> =
                    file.strip_suffix(".whl").map_or(vec![&*file], |stem| stem.splitn(3, '-').collect());
                format!("{}: {}", parts[..parts.len().min(2)].join("-"), name(member))
            }
            None => client.file.clone(),
        }
    }

    /// The releases that have what all clients need.
    pub fn common_releases(&self) -> Vec<&Release> {
        let fits = |release: &&Release| self.in_need().all(|client| client.releases.contains(&release.name));
        self.releases.iter().filter(fits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Audit;

    #[test]
    fn schema_file_is_that_of_the_model() {
        crate::json::holds_schema::<Audit>("audit");
    }
}
