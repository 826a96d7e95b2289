//! Objects: the header, the counts, how objects are made here, and how deep ends are put off.

pub mod deferred_end;
pub mod header;

pub use header::*;
