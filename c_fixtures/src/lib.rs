//! The C side: public headers of the ABI, written from `spec/abi.toml`, and code in C that calls a target or is called
//! by it.
//!
//! The headers lie under `include/` with the paths that clients know: `tvm/ffi/c_api.h`, `tvm/ffi/extra/c_env_api.h`
//! and `dlpack/dlpack.h`. They need no other header than `stddef.h` and `stdint.h` and are clean C11 and C++17, 32-bit
//! and freestanding too. `tests/layout.rs` holds them, and the headers of public releases, to `abi.toml`.
//!
//! The headers of older generations of the ABI lie under `include_split/` and `include_legacy/` ([`include_dirs_of`]), and
//! `tests/generations.rs` holds them to `spec/generations/`.
//!
//! - `callers/`: C that calls every function of a target, compiled as C11 and as C++17;
//! - `kernels/`: modules that a target loads; `exported/`: good ones and bad ones, whose functions are called;
//! - `cxx/`: C++ that uses the library's functions and classes, in our own declarations of them;
//! - `programs/`: whole programs, those of the documents among them;
//! - `generations/`: small libraries that speak an older generation of the ABI ([`generations`]);
//! - `faults/`: libraries that are broken on purpose ([`faults`]);
//! - `callers_NAME/`, `programs_NAME/` and `faults_NAME/`: the same of an older generation; `operators_legacy/`: libraries as code
//!   generators of the legacy one wrote them.

#![deny(missing_docs)]

pub mod compile;
pub mod faults;
pub mod generations;
pub mod kept;
pub mod legacy;
pub mod peers;
pub mod tools;

use std::path::{Path, PathBuf};

/// The target triple that this crate is built for, as the `cc` crate wants to know it outside of a build script.
pub const TARGET: &str = env!("TARGET");

/// The headers: path below the include directory, and text. For programs that run where the sources are not.
pub const HEADERS: &[(&str, &str)] = &[
    ("dlpack/dlpack.h", include_str!("../include/dlpack/dlpack.h")),
    ("tvm/ffi/c_api.h", include_str!("../include/tvm/ffi/c_api.h")),
    ("tvm/ffi/extra/c_env_api.h", include_str!("../include/tvm/ffi/extra/c_env_api.h")),
];

/// The headers of older generations of the ABI, beside DLPack's: the generation, and its headers as in [`HEADERS`].
const OLDER_HEADERS: &[(&str, &[(&str, &str)])] = &[
    (
        "legacy",
        &[
            ("tvm/runtime/c_packed_func.h", include_str!("../include_legacy/tvm/runtime/c_packed_func.h")),
            ("tvm/runtime/c_backend_api.h", include_str!("../include_legacy/tvm/runtime/c_backend_api.h")),
            ("tvm/runtime/c_runtime_api.h", include_str!("../include_legacy/tvm/runtime/c_runtime_api.h")),
        ],
    ),
    (
        "split",
        &[
            ("tvm/ffi/c_api.h", include_str!("../include_split/tvm/ffi/c_api.h")),
            ("tvm/ffi/extra/c_env_api.h", include_str!("../include_split/tvm/ffi/extra/c_env_api.h")),
        ],
    ),
];

/// The headers of a generation of the ABI, DLPack's among them.
pub fn headers_of(generation: &str) -> Vec<(&'static str, &'static str)> {
    match OLDER_HEADERS.iter().find(|(name, _)| *name == generation) {
        Some((_, headers)) => HEADERS[..1].iter().chain(*headers).copied().collect(),
        None => HEADERS.to_vec(),
    }
}

/// The include directory in the source tree. It is there for tests and build scripts; an installed program uses
/// [`HEADERS`].
pub fn include_dir() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/include"))
}

/// Where the headers of an older generation lie in the source tree, and where that of DLPack does, which they need.
pub fn include_dirs_of(generation: &str) -> [PathBuf; 2] {
    [Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("include_{generation}")), include_dir().to_owned()]
}

/// The fixtures as shared libraries: file name, and the library.
pub const LIBRARIES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/libraries.rs"));

/// A function of a client: C in `callers/`, compiled in both languages, or C++ in `cxx/`.
#[derive(Debug)]
pub struct Caller {
    /// What stands between the parentheses of `CALLER`; the symbol is `caller_` and the name.
    pub name: &'static str,
    /// What a conforming target does, without the full stop.
    pub sentence: &'static str,
    /// The clauses it decides; the first is what it is about.
    pub clauses: &'static [&'static str],
    /// What it was compiled to.
    pub forms: &'static [Form],
    /// The file that it stands in, with the headers of callers in the place of what includes them.
    pub source: &'static str,
    /// Whether callers of that file load libraries of [`OPERATORS`].
    pub loads_operators: bool,
}

/// A library with callers.
#[derive(Debug)]
pub struct Form {
    /// The generation of the ABI that they are written for.
    pub generation: &'static str,
    /// The language: `c11`, `cxx17`, or `cxx` for those that are written in C++.
    pub language: &'static str,
    /// The name in [`LIBRARIES`].
    pub library: &'static str,
}

/// The callers, as their files declare them.
pub const CALLERS: &[Caller] = include!(concat!(env!("OUT_DIR"), "/callers.rs"));

/// Libraries that callers of the legacy generation load, as `legacy_NAME.so`: name, and source.
pub const OPERATORS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/operators.rs"));

/// Ends a test with a message of its own: no place in our code is of use to whoever has to install something.
pub fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    std::panic::resume_unwind(Box::new(message.to_owned()))
}
