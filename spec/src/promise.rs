//! The promises: what documents and headers say, sentence by sentence, and which clauses decide it.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::data::{file, read};

/// The documents whose promises are listed, in the order of the list: the guides, the two headers of the C ABI and DLPack's;
/// then the C++ headers of what is reached through global functions.
pub const DOCUMENTS: &[&str] = &[
    "abi_overview.md",
    "stable_c_abi.md",
    "compiler_integration.md",
    "c_api.h",
    "c_env_api.h",
    "dlpack.h",
    "module.h",
    "json.h",
    "serialization.h",
    "dataclass.h",
    "structural_equal.h",
    "structural_hash.h",
    "structural_key.h",
    "structural_visit.h",
    "structural_mutate.h",
    "visit_error_context.h",
];

/// One promise. Clauses decide it, but for what is `missing`, as nothing decides that yet, and for what is `unseen`, as nothing can.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// The document that makes it, one of [`DOCUMENTS`].
    pub document: String,
    /// Where it stands there: the section of a guide, or what a header declares.
    pub place: String,
    /// What is promised, in a sentence of ours.
    pub text: String,
    /// The ids of the clauses that decide it.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// What of it no clause decides.
    pub missing: Option<String>,
    /// What of it no client can see through the ABI, and why; where no clause decides anything, why it cannot be seen at all.
    pub unseen: Option<String>,
}

/// `promises.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(rename = "promise")]
    promises: Vec<Promise>,
}

/// Every promise, in the order of the documents.
pub fn promises() -> &'static [Promise] {
    static PROMISES: LazyLock<Vec<Promise>> = LazyLock::new(|| {
        let table: Table = read(file!("promises"));
        table.promises
    });
    &PROMISES
}
