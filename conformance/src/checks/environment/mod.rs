//! Streams, the tensor allocator, signals and the frontend's functions.

mod again;
mod allocation;
mod allocator;
mod kit;
mod made;
mod module_calls;
mod program;
mod signals;
mod streams;
mod surroundings;
mod texts;
mod within;
