//! What client types say about themselves: which fields take part in what, and hooks that do the work in their place.
//!
//! - [`column`]: each hook and each flag, and what it decides;
//! - [`called`]: what holds of every function that the library calls of itself;
//! - [`whole_error`]: errors of any bytes, with all that they have;
//! - [`entered`]: functions that a hook enters again, one level after the other;
//! - [`within`]: calls within calls that look at the same with other flags, or end otherwise;
//! - [`same_objects`]: calls within calls that look at the very same objects;
//! - [`same_root`]: walks within walks about the very same value;
//! - [`again`]: hooks that go on after the failure of a part;
//! - [`elsewhere`]: hooks that go on from another thread;
//! - [`kept`]: functions that a hook is given to go on with, called as nobody should;
//! - [`little_stack`]: calls where little of the stack is left;
//! - [`late`]: hooks that are registered after they were asked for;
//! - [`no_hook`]: what is no function;
//! - [`descendant`]: objects of types that descend from one with hooks;
//! - [`container`]: functions that look at the very container that the call is about;
//! - [`repr`]: what a hook prints;
//! - [`region`]: kinds of definition regions, and parts that contain the object.

mod again;
mod called;
mod column;
mod container;
mod descendant;
mod elsewhere;
mod entered;
mod kept;
mod kit;
mod late;
mod little_stack;
mod no_hook;
mod region;
mod repr;
mod same_objects;
mod same_root;
mod whole_error;
mod within;
