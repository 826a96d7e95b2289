//! The typed table of the ABI's functions, generated from `abi.toml`.

#[allow(non_snake_case, clippy::type_complexity)]
mod generated {
    use std::ffi::{c_char, c_int, c_void};

    use crate::types::*;

    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}
pub use generated::FunctionTable;
