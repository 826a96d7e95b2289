//! Functions: the objects, their signatures and arguments, and the registry of global functions.

pub mod arguments;
pub mod globals;
mod object;
pub mod registry;
pub mod row;
pub mod sentinels;
pub mod signature;

#[cfg(test)]
pub use self::object::from_closure;
pub use self::object::{
    ClosureDeleter, Function, call, call_handle, from_c, from_symbol, of_hook, try_from_closure, try_from_closure_of,
};
