//! Integers of any size: when they are objects, their one form, and the words one gets back.
//!
//! - [`making`]: the values that words are made to;
//! - [`content`]: the words of a value;
//! - [`passing`]: big integers as arguments, results and owned copies;
//! - [`decimal`]: big integers printed, saved and compared;
//! - [`runs`]: those of many zeros and nines, printed and saved;
//! - [`order`]: which of two is less;
//! - [`columns`]: what the functions in columns answer that compare and hash them.

mod columns;
mod content;
mod decimal;
mod kit;
mod making;
mod order;
mod passing;
mod runs;
