//! The tables of the spec, and how they are compared with what a target has.

use serde_json::json;
use tvm_ffi_spec::abi::{self, Type};

use crate::{
    client::{Verdict, schema::schema},
    trial::Trial,
};

pub const ACCESS_PATH: &str = "ffi.reflection.AccessPath";
pub const ACCESS_STEP: &str = "ffi.reflection.AccessStep";

/// What the spec says of a type.
pub fn specified(t: &Trial, key: &str) -> Verdict<&'static Type> {
    abi::abi().type_of_key(key).ok_or_else(|| t.error(format!("type {key}"), "the spec has none"))
}

/// The first capability that vouches for what appeared in `release`.
pub fn brought_by(release: &str) -> &'static str {
    let later = |capability: &&abi::Capability| abi::abi().at_least(&capability.since, release);
    without_cxx().find(later).map_or("", |capability| &capability.name)
}

/// The capabilities but for those that C++ symbols show: a library without these has everything that is registered.
fn without_cxx() -> impl Iterator<Item = &'static abi::Capability> {
    let abi = abi::abi();
    let shown_by_symbols =
        |capability: &abi::Capability| abi.cxx_symbols.iter().any(|symbol| symbol.capability == capability.name);
    abi.capabilities.iter().filter(move |capability| !shown_by_symbols(capability))
}

/// Expects metadata to hold the same schema as the spec's, or to say only of a function that it is one.
pub fn same_schema(t: &Trial, label: &str, metadata: &str, expected: &str) -> Verdict {
    let Some(found) = schema(metadata) else {
        return Err(t.failure(format!("metadata of {label}"), "a JSON object with a type_schema", metadata));
    };
    let (expected, function) = (schema(expected), json!({"type": "ffi.Function"}));
    if found == function && expected.as_ref().is_some_and(|expected| expected["type"] == function["type"]) {
        return Ok(());
    }
    t.eq(format_args!("type_schema of {label}"), Some(found), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Capabilities ascend, so that the first one that is not older than a release is the one that vouches for it.
    #[test]
    fn everything_in_the_tables_is_brought_by_a_capability() {
        let abi = abi::abi();
        assert!(without_cxx().is_sorted_by_key(|capability| abi.release(&capability.since)));
        assert_eq!(
            (brought_by("0.1.0"), brought_by("0.1.10"), brought_by("0.1.15.post0")),
            ("core", "field-init", "list-reserve")
        );
        assert!(abi.globals.iter().all(|global| !brought_by(&global.since).is_empty()));
    }
}
