//! Arrays: making and reading them, their memory as clients read it, what they hold, and appending in place.

mod client;
mod kit;
mod make;
mod memory;
mod references;
