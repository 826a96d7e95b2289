//! Programs: what a client may do with a library, step by step, made up from bytes and run on two libraries in lockstep.
//!
//! A program is a list of operations, each a call of an exported function or of a global one. The value that operation 3
//! makes is `v[3]`, whatever it is, and later operations take it as an argument. The bytes of the input say which functions
//! are called and with what: mostly with values that fit, otherwise with any. After each operation the two libraries must
//! have come to the same: success, or an error of one kind, and a value with the same content. In the end the same objects
//! must be left.
//!
//! - [`catalogue`], [`functions`], [`verb`]: what can be called, and what it takes;
//! - [`pool`]: the plain values that arguments are taken from;
//! - [`machine`]: one library, with the values that it has made;
//! - [`seen`]: a value and all that is in it, as text that is the same for the same content;
//! - [`lockstep`]: bytes become operations, operations run on both sides;
//! - [`known`]: differences that are known, and why;
//! - [`c_text`]: a program as C.

pub mod c_text;
pub mod catalogue;
pub mod functions;
pub mod known;
pub mod lockstep;
pub mod machine;
pub mod pool;
pub mod seen;
pub mod verb;
