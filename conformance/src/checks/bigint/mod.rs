//! Integers of any size: when they are objects, their one form, and the words one gets back.
//!
//! - [`making`]: the values that words are made to;
//! - [`content`]: the words of a value;
//! - [`passing`]: big integers as arguments, results and owned copies;
//! - [`decimal`]: big integers printed, saved and compared.

mod content;
mod decimal;
mod kit;
mod making;
mod passing;
