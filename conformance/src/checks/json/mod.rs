//! JSON texts: what they are read as, and how values are written.
//!
//! What is expected is written down here or computed by a model of its own ([`Value`]); nothing goes through the target
//! that is not being judged, except containers, which are built and read through their own functions.
//!
//! [`Value`]: crate::client::model::Value

mod both_ways;
mod escaped;
mod float;
mod kit;
mod locale;
mod read;
mod write;
