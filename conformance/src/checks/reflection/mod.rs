//! Fields, methods, metadata and attribute columns.
//!
//! - [`field`], [`method`]: what a type lists after it was registered;
//! - [`record`]: metadata, and what the record as a whole shows;
//! - [`attribute`]: the columns of attributes;
//! - [`refusal`]: what is not registered, and then not kept.

mod attribute;
mod field;
mod kit;
mod method;
mod record;
mod refusal;
