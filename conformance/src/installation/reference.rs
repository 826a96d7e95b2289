//! The reference for use: its library and headers, with what tells compilers how to find them.

use tvm_ffi_fixtures::HEADERS;
use tvm_ffi_spec::abi::abi;

use super::kit::{Item, Kit};
use crate::target::REFERENCE;

/// Its files.
pub fn reference() -> Kit {
    let item = |path: &str, bytes: &[u8]| Item { path: path.to_owned(), bytes: bytes.to_owned(), executable: false };
    let package = include_str!("tvm_ffi.pc").replace("@VERSION@", &abi().newest_peer().claims);
    let config = include_bytes!("tvm-ffi-config");
    let mut items = vec![
        item("lib/libtvm_ffi.so", REFERENCE),
        item("lib/pkgconfig/tvm_ffi.pc", package.as_bytes()),
        Item { executable: true, ..item("bin/tvm-ffi-config", config) },
    ];
    items.extend(HEADERS.iter().map(|(path, text)| item(&format!("include/{path}"), text.as_bytes())));
    Kit { list: "share/tvm-ffi-verify/SHA256SUMS", items }
}
