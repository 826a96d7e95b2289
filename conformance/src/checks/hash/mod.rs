//! Which values are the same key, and where a key goes.
//!
//! A dense Map shows the hash of each of its keys: it is in the chain that begins where the hash leads to. The reader of
//! the suite computes these places for itself, so reading a Map of some keys checks their hashes to the bit.

mod failing;
mod hook;
mod kit;
mod late;
mod number;
mod plain;
mod text;
