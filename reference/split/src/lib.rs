//! The reference implementation for the split generation of the ABI: this crate builds the `libtvm_ffi.so` that a client of
//! September 2025 expects.
//!
//! The sources are those of `tvm-ffi-reference`, where every module is described. Two of them stand here in the place of
//! theirs: `generation`, with the header and whatever else a client sees otherwise, and [`api`], with the functions and names of the time.

#![deny(missing_docs)]
// Constants keep their C names.
#![allow(non_upper_case_globals)]
#![expect(dead_code, reason = "the shared sources have what only functions of today's reach")]

pub mod api;
#[path = "../../src/border/mod.rs"]
mod border;
#[path = "../../src/container/mod.rs"]
mod container;
#[path = "../../src/environment/mod.rs"]
mod environment;
#[path = "../../src/function/mod.rs"]
mod function;
mod generation;
#[path = "../../src/json/mod.rs"]
mod json;
#[path = "../../src/module/mod.rs"]
mod module;
#[path = "../../src/object/mod.rs"]
mod object;
#[path = "../../src/recursive/mod.rs"]
mod recursive;
#[path = "../../src/reflection/mod.rs"]
mod reflection;
#[path = "../../src/scalar/mod.rs"]
mod scalar;
#[path = "../../src/startup/mod.rs"]
mod startup;
#[path = "../../src/structural/mod.rs"]
mod structural;
#[path = "../../src/system/mod.rs"]
mod system;
#[path = "../../src/tensor/mod.rs"]
mod tensor;
#[cfg(test)]
#[path = "../../src/test_values.rs"]
mod test_values;
#[path = "../../src/types/mod.rs"]
mod types;
#[path = "../../src/value/mod.rs"]
mod value;
#[path = "../../src/walk/mod.rs"]
mod walk;
