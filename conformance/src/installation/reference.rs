//! The reference of a generation of the ABI for use: its library and headers, with what tells compilers how to find them.

use tvm_ffi_fixtures::headers_of;
use tvm_ffi_spec::{abi::abi, generation::Generation};

use super::kit::{Item, Kit};
use crate::target::reference_of;

/// Its files; none where the program has no reference of the generation.
pub fn reference(generation: &Generation) -> Option<Kit> {
    let item = |path: &str, bytes: &[u8]| Item { path: path.to_owned(), bytes: bytes.to_owned(), executable: false };
    let Generation { name, library, version, .. } = generation;
    let linked = library.strip_prefix("lib").unwrap_or(library).trim_end_matches(".so");
    let what = match generation.is_today() {
        true => "The TVM FFI stable C ABI".to_owned(),
        false => format!("The C ABI of the {name} generation"),
    };
    let package = include_str!("package.pc")
        .replace("@NAME@", linked)
        .replace("@WHAT@", &what)
        .replace("@VERSION@", version.as_ref().unwrap_or(&abi().newest_peer().claims));
    let mut items = vec![
        item(&format!("lib/{library}"), reference_of(generation)?),
        item(&format!("lib/pkgconfig/{linked}.pc"), package.as_bytes()),
    ];
    // The command comes with the Python package, which is named as its library is.
    if linked == "tvm_ffi" {
        items.push(Item { executable: true, ..item("bin/tvm-ffi-config", include_bytes!("tvm-ffi-config")) });
    }
    let headers = headers_of(name).into_iter();
    items.extend(headers.map(|(path, text)| item(&format!("include/{path}"), text.as_bytes())));
    Some(Kit { list: "share/tvm-ffi-verify/SHA256SUMS", items })
}
