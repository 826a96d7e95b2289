//! Dicts: changing and reading them, their order, what they hold and refuse, and clients that change them in place.

mod alike;
mod change;
mod client;
mod kit;
mod model;
mod order;
mod read;
mod references;
mod refusal;
