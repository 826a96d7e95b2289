//! What the tests of the house plan work with: sources, the arrows between files, and the plan in DESIGN.md.
//!
//! The tests themselves are in `tests/`: arrows run down and in no circle, DESIGN.md says of each module what the module
//! says of itself, and no file is too long to be read in one go.

#![deny(missing_docs)]

pub mod arrows;
pub mod circles;
pub mod plan;
pub mod sources;
