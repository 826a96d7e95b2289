//! Modules: collections of functions that may import each other.
//!
//! A module is an object with a C++ class: in front of its header is the address of a virtual table ([`vtable`]), which is
//! why C code knows a module by the address of that slot ([`Module::context`]); behind the header are its imports and the
//! functions that it has looked up. The class may be the library's own ([`library_module`]) or a client's, and nothing here
//! can tell the difference.

mod context;
mod embedded;
mod globals;
mod handle;
mod imports;
mod kept;
pub mod library;
mod library_module;
mod loaders;
mod lookup;
mod search;
#[cfg(test)]
mod tests;
pub mod vtable;

pub use self::{
    context::NAMINGS,
    globals::{GLOBALS, get_imports},
    handle::Module,
    imports::IMPORTS,
    kept::KEPT,
    library::{CONTEXT_SYMBOLS, SYSTEM_SYMBOLS},
    library_module::SYSTEM,
    lookup::LOOKED_UP,
};
