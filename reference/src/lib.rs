//! A reference implementation of the TVM FFI C ABI: this crate builds `libtvm_ffi.so`.
//!
//! The modules stand on floors, from `system` at the bottom to `api` at the top, and use only what lies below them;
//! DESIGN.md has the picture. `api` is a thin layer of what is exported: [`api::c_api`] for `tvm/ffi/c_api.h`,
//! [`api::c_env_api`] for `tvm/ffi/extra/c_env_api.h`, [`api::cxx`] for the C++ functions. Below it is ordinary Rust with
//! `Result`. Errors and panics leave it at two borders: `border::guard` turns them into a raised error object and -1,
//! `border::throw` into a C++ exception.
//!
//! Objects can be dropped at any time, while the process exits too: every registry here is leaked.

#![deny(missing_docs)]
// Constants keep their C names.
#![allow(non_upper_case_globals)]

pub mod api;
mod border;
mod container;
mod environment;
mod function;
mod generation;
mod json;
mod module;
mod object;
mod recursive;
mod reflection;
mod scalar;
mod startup;
mod structural;
mod system;
mod tensor;
#[cfg(test)]
mod test_values;
mod types;
mod value;
mod walk;
