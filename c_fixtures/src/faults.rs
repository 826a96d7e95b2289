//! Faults: libraries that are broken on purpose, so that the suite can be seen to catch them.
//!
//! A fault is one C file in `faults/`, and `faults/fault.h` tells how to write one. Its head names the clauses that it is
//! about; what else the suite reports of it stands in `faults/consequences.toml`, which a test writes. A variant, in `variants/`, is
//! written in the same way and is right: it differs in what promises leave open, and the suite is to have nothing against it. Everything
//! here is for tests: it needs the source tree and a C compiler at run time.

mod build;
mod consequences;
mod fault;
mod reach;

pub use build::Builder;
pub use consequences::Consequences;
pub use fault::{Broken, Fault, all, all_of, directory, directory_of, unbroken, variants};
pub use reach::{Reach, Touched, names_in};
