//! What the library asks of the system: memory when there is little, locks that a fork leaves usable, the ends of threads
//! and calls that are not to bring them about, their stacks, and words of their own.

pub mod cancel;
pub mod count;
pub mod fork;
pub mod found;
pub mod memory;
pub mod readers;
pub mod reserve;
pub mod stack;
pub mod thread_end;
pub mod thread_words;
