//! What the library does when it is loaded: it tells the registries what they hold, and leaves the work to their first use.

use crate::{
    border::{backtrace, code, raised},
    environment::{once, streams},
    function::registry,
    module,
    startup::{globals, types},
    system::{
        fork::{self, AtFork},
        readers, reserve, thread_end,
    },
    types::type_table,
};

/// All locks of the library, in the order in which they are taken.
static LOCKS: &[&dyn AtFork] = &[
    &module::IMPORTS,
    &module::LOOKED_UP,
    &module::SYSTEM,
    &module::KEPT,
    &module::NAMINGS,
    &module::CONTEXT_SYMBOLS,
    &module::SYSTEM_SYMBOLS,
    &once::LEDGER,
    &code::KNOWN,
    &registry::TABLE,
    &type_table::TABLE,
    &readers::READERS,
    &reserve::BLOCKS,
];

/// Runs when the loader has relocated the library, before anybody can call it.
extern "C" fn load() {
    type_table::fill_with(types::register);
    registry::fill_with(globals::builtin);
    thread_end::run_at_end(&[
        raised::drop_raised,
        backtrace::forget_answer,
        streams::forget_streams,
        once::forget_claims,
        readers::leave,
    ]);
    fork::hold_at_fork(LOCKS);
}

// SAFETY: the section holds the addresses of functions without arguments that the loader calls, and this is one.
#[used]
#[unsafe(link_section = ".init_array")]
static LOAD: extern "C" fn() = load;
