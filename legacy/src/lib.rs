//! The C API of the legacy generation, on the core of the reference: this crate builds `libtvm_runtime.so`.
//!
//! A legacy function is a Function object of that core and a value one of its values; the global registry is the core's, so that
//! global functions of today's can be called from here, and the other way round. DESIGN.md has the floors, from the header of
//! objects to what is exported.

#![deny(missing_docs)]
// Constants keep their C names.
#![allow(non_upper_case_globals)]

pub mod api;
mod array;
mod containers;
mod core;
mod device;
mod dtype;
mod error;
mod function;
mod globals;
mod module;
mod object;
mod parallel;
mod python;
mod string;
mod text;
mod value;
mod workspace;
