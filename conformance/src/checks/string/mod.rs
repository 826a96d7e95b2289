//! Strings and bytes: their two forms, their content, and whom it belongs to.
//!
//! What holds for both kinds is asked of both. Whether a value has the right form, the right length and the right bytes
//! are three questions: a check that asks one of them reads the value in a way that does not depend on the others, so
//! that a wrong answer is put down to one clause.

mod call;
mod content;
mod form;
mod kit;
mod life;
mod make;
