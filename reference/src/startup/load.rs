//! What the library does when it is loaded: it tells the registries what they hold, and leaves the work to their first use.

use crate::{
    function::registry,
    startup::{globals, types},
    types::type_table,
};

/// Runs when the loader has relocated the library, before anybody can call it.
extern "C" fn load() {
    type_table::fill_with(types::register);
    registry::fill_with(globals::builtin);
}

// SAFETY: the section holds the addresses of functions without arguments that the loader calls, and this is one.
#[used]
#[unsafe(link_section = ".init_array")]
static LOAD: extern "C" fn() = load;
