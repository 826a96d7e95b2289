//! Fields, methods, metadata and attribute columns.
//!
//! - [`field`], [`method`], [`defaults`]: what a type lists after it was registered;
//! - [`record`]: metadata, and what the record as a whole shows;
//! - [`attribute`], [`late_column`]: the columns of attributes;
//! - [`refusal`]: what is not registered, and then not kept.

mod attribute;
mod defaults;
mod field;
mod kit;
mod late_column;
mod method;
mod record;
mod refusal;
