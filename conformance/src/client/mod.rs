//! What a program in another language would be to the target: it calls the exported functions, makes objects of its own,
//! compiles the layouts of others' into its own code, and believes nothing.
//!
//! This is the only such kit. Checks use it, and so do tests that compare two libraries, fuzz targets and benchmarks.
//! - [`api`], [`crumb`], [`wreck`], [`memory`]: traced calls, what they and a crash leave behind for whoever watches, guarded
//!   reading; [`changes`]: what calls do to the process for good;
//! - `connection`, `verdict`, `expectation`, `owned`, `value`, `reading`: a client, what it expects, the values that it
//!   makes, owns and reads;
//! - [`layout`]: structs whose layout clients compile in, and which of them were looked at;
//! - [`program`]: what was done, as a C program that does it again;
//! - [`shown`], [`names`], [`map_memory`]: values, functions and types as reports show them;
//! - [`header`], [`homemade`], [`node`], [`own_error`], [`containers`]: objects and containers as clients make and handle them;
//! - `lookup`: a key looked up through every function that does so;
//! - [`model`], [`reflected`], [`types`], [`enumeration`]: values as plain data; what the type table shows; types and enumerations that clients
//!   register;
//! - [`graph_text`]: the text of a JSON graph, taken apart;
//! - [`globals`], [`modules`]: the library's own global functions; loading modules and calling their functions;
//! - [`samples`], [`forms`], [`one_memory`], [`one_block`]: values in every form, the places where a value may stand, one text in all its forms,
//!   texts and objects that follow each other in one place;
//! - [`near`]: pairs of values that are nearly one;
//! - `outline`: a value with all that lies in it, to be compared with one of other objects;
//! - [`access_path`], `content`, [`extremes`], [`tensor`]: values compared and printed with all that is in them;
//! - [`held`], [`one_place`]: values whose parts others hold, too, and types with two fields at one place;
//! - [`tensors`]: tensors of every kind that DLPack allows;
//! - [`callback`], [`looking`], [`occasion`], [`reentry`], [`inner_call`]: functions that the target calls, when it does, and what they may do meanwhile;
//! - [`whole_error`]: errors of any bytes, which a function of a client's raises;
//! - `quarantine`: memory of objects that is cleared when it is reclaimed;
//! - [`given`], `refusal`, `repeated`: objects given away with a call, calls that fail, and those that are made often.

pub mod access_path;
pub mod api;
pub mod callback;
pub mod changes;
mod connection;
pub mod containers;
pub mod content;
pub mod crumb;
pub mod cxx_heap;
pub mod enumeration;
mod expectation;
pub mod extremes;
pub mod forms;
pub mod given;
pub mod globals;
pub mod graph_text;
mod guarded;
pub mod header;
pub mod held;
pub mod homemade;
pub mod inner_call;
pub mod layout;
pub mod looking;
mod lookup;
mod made;
pub mod map_memory;
pub mod memory;
pub mod model;
pub mod modules;
pub mod names;
pub mod near;
pub mod node;
mod noticed;
pub mod occasion;
pub mod one_block;
pub mod one_memory;
pub mod one_place;
pub mod order;
mod outline;
pub mod own_error;
mod owned;
pub mod program;
mod quarantine;
mod reading;
pub mod reentry;
pub mod reflected;
mod refusal;
mod repeated;
pub mod samples;
pub mod schema;
mod sheet;
pub mod shown;
pub mod tensor;
pub mod tensors;
pub mod types;
mod value;
mod verdict;
pub mod whole_error;
pub mod wreck;
mod written;

pub use connection::Client;
pub use expectation::TypeIndex;
pub use outline::Outline;
pub use owned::{Answer, Owned, Raised};
pub use reading::text_of;
pub use value::{dirty, view};
pub use verdict::{Failure, Verdict, set_failed};
pub use written::{with_values, written};
