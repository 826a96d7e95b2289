//! Maps and dicts: hash maps that remember an order. A Map is immutable once shared, a Dict is changed in place; their
//! memory is the same, and clients walk and change it inline.
//!
//! Up to four entries lie in the object itself, in the order of their insertion (the small layout); more lie in a table
//! (`dense`). An object that began small goes over to a table in place, so that each has room for the table's fields.
//!
//! Keys may have hooks for their hashes and comparisons, which are foreign code: it may fail, and it may reach the map
//! itself. So hashes are known before anything is changed, what is compared by a hook is held by a reference of its own,
//! and a map that has changed meanwhile is an error. Dropping a value can run foreign code too, so it happens after the
//! map is consistent again.

mod change;
mod dense;
mod entry;
mod find;
mod globals;
mod layout;
mod places;
#[cfg(test)]
mod tests;

pub use self::change::{clear, copy, empty, insert, new, new_dict, of_last, with_room};
pub use self::find::{Entries, InStep, copy_values, entries, get, iter, keys_and_values, len};
pub use self::globals::GLOBALS;
pub use self::layout::{Dict, Map, Mapping, of_few};
pub use self::places::{Places, PlacesLeft, Values};
