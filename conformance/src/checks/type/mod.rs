//! The type table.
//!
//! - [`index`]: which key has which index, and how a new one is given out;
//! - [`record`]: what the record of a type says, and that it stays;
//! - [`slots`]: the indices that a type reserves for its children;
//! - [`static_index`]: what a client names an index among these for;
//! - [`descent`]: the instance test that clients make of index ranges and ancestors;
//! - [`listing`], [`threads`]: the list of all keys; types that several threads register and look up.

mod descent;
mod index;
mod kit;
mod listing;
mod record;
mod slots;
mod static_index;
mod threads;
