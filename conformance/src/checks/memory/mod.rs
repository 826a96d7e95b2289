//! Memory that is refused: each function, with one of its requests after the other answered with NULL.
//!
//! - `kit`: a call that is made again and again, with another request refused each time;
//! - `function_call`: such a call of a function object, and all that may be seen of it;
//! - [`exported`]: the functions of the C API that make something;
//! - [`types`]: those that extend the type table;
//! - [`settings`]: streams and allocators, which are set;
//! - [`tensors`]: tensors that come in and go out;
//! - [`containers`]: global functions that make and change containers;
//! - [`values`]: global functions that go through all of a value;
//! - [`objects`]: functions that go through objects, and hooks of their types;
//! - [`first_looks`]: types that a function meets for the first time;
//! - [`sizes`]: functions that go through values of many sizes, and texts that are copied;
//! - [`records`]: types that a frontend declares, and enumerations;
//! - [`paths`]: access paths, fields, and conversions;
//! - [`modules`]: modules that are loaded and asked;
//! - [`giving_back`]: what gives back, with no memory at all;
//! - [`errors`]: errors that are raised, and functions that refuse their arguments;
//! - [`tables`]: tables that grow, and are filled by the first call;
//! - [`nothing_left`]: all of these with every request refused from some moment on.

mod containers;
mod errors;
mod exported;
mod first_looks;
mod function_call;
mod giving_back;
mod kit;
mod modules;
mod nothing_left;
mod objects;
mod paths;
mod records;
mod settings;
mod sizes;
mod tables;
mod tensors;
mod types;
mod values;
