//! Objects: the header, reference counts, deleters, and opaque objects.
//!
//! Two sorts of objects are looked at. Those that the library makes show that it keeps to the header's rules in what it
//! hands out. Homemade ones, which remember each call of their deleter, show that it keeps to them in what it is given.

mod client;
mod counts;
mod deep;
mod end;
mod header;
mod kit;
mod memory;
mod model;
mod nested;
mod opaque;
mod raised;
mod threads;
