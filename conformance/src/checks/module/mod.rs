//! Library modules.
//!
//! The libraries are the fixtures of `c_fixtures/kernels/`: what a function of theirs does is said there. Their own calls
//! into the ABI find the target.

mod again;
mod allocating;
mod calls;
mod description;
mod ending;
mod imports;
mod kit;
mod loaders;
mod loading;
mod lookup;
mod one_memory;
mod symbols;
mod system_sources;
