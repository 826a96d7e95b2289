//! The library's own global functions, by what they are about.

use tvm_ffi_spec::{
    abi::{self, Global},
    *,
};

use crate::client::{connection::Client, owned::Owned, verdict::Verdict};

/// What global functions are about, told by how their names begin. What begins otherwise is about values.
const SUBJECTS: &[(&str, &[&str])] = &[
    ("list", &["ffi.List"]),
    ("dict", &["ffi.Dict"]),
    ("map", &["ffi.Map"]),
    ("array", &["ffi.Array", "ffi.Shape", "ffi.Container"]),
    ("structural", &["ffi.Structural", "ffi.GetFirstStructuralMismatch", "ffi.VisitInterrupt"]),
    ("json", &["ffi.json.", "ffi.ToJSON", "ffi.FromJSON"]),
    ("module", &["ffi.Module", "ffi.SystemLib"]),
    ("recursive", &["ffi.Recursive", "ffi.DeepCopy", "ffi.ReprPrint"]),
    ("object", &["ffi.Make", "ffi._"]),
    ("error", &["ffi.VisitErrorContext."]),
];

/// The functions of the specification that are about one of these subjects.
pub fn about(subjects: &[&str]) -> impl Iterator<Item = &'static Global> {
    abi::abi().globals.iter().filter(|global| subjects.contains(&subject(global)))
}

/// The global function of that name, if the target has it.
pub fn find(client: &Client, name: &str) -> Verdict<Option<Owned>> {
    let mut handle = std::ptr::null_mut();
    client.ok(client.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut handle))?;
    if handle.is_null() { Ok(None) } else { client.own_object(name, handle).map(Some) }
}

fn subject(global: &Global) -> &'static str {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| global.name.starts_with(prefix));
    SUBJECTS.iter().find(|(_, prefixes)| begins(prefixes)).map_or("value", |(subject, _)| subject)
}
