//! What a process shares with the library: streams, allocators, signals, handles filled once, opaque objects.

mod fn_slot;
pub mod object_allocator;
pub mod once;
pub mod opaque;
pub mod signals;
pub mod streams;
pub mod tensor_allocator;
