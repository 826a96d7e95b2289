//! Handles that are filled once, by whichever thread comes first.

mod handle;
mod kit;
mod waiting;
mod written;
