//! Maps: making and reading them, their order, both layouts as clients read them, and Maps that clients have made.

mod client;
mod kit;
mod layout;
mod make;
mod model;
mod one_memory;
mod order;
mod references;
