//! What a process shares with the library: streams, allocators, handles filled once, opaque objects.

pub mod frontend;
pub mod object_allocator;
pub mod once;
pub mod opaque;
