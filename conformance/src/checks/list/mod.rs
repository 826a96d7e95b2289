//! Lists: making, reading and changing them, what they hold and refuse, and clients that grow them in place.

mod change;
mod client;
mod kit;
mod make;
mod model;
mod moved;
mod references;
mod refusal;
