//! A reference implementation of the TVM FFI C ABI: this crate builds `libtvm_ffi.so`.
//!
//! One module per concept, and a thin layer over them of what is exported: [`api::c_api`] for `tvm/ffi/c_api.h`,
//! [`api::c_env_api`] for `tvm/ffi/extra/c_env_api.h`, [`api::cxx`] for the C++ functions. Inside is ordinary Rust with
//! [`error::Result`]. Errors and panics leave it at two borders: [`error::guard`] turns them into a raised error object
//! and -1, [`exception::or_throw`] into a C++ exception.
//!
//! Objects can be dropped at any time, while the process exits too: every registry here is leaked.

#![deny(missing_docs)]
// Constants keep their C names.
#![allow(non_upper_case_globals)]

pub mod allocator;
pub mod any;
pub mod api;
pub mod arguments;
pub mod backtrace;
pub mod bigint;
pub mod container;
pub mod decimal;
pub mod device;
pub mod dtype;
pub mod environment;
pub mod error;
pub mod exception;
pub mod fold;
pub mod function;
pub mod global;
pub mod globals;
pub mod hash;
pub mod input;
pub mod json;
pub mod module;
pub mod nesting;
pub mod object;
pub mod once;
pub mod opaque;
pub mod recursive;
pub mod reflection;
#[cfg(test)]
mod sample;
pub mod stack;
pub mod string;
pub mod structural;
pub mod tensor;

/// The version that the library claims: that of the newest release whose ABI it implements.
pub const VERSION: tvm_ffi_spec::TVMFFIVersion = tvm_ffi_spec::TVMFFIVersion { major: 0, minor: 1, patch: 16 };
