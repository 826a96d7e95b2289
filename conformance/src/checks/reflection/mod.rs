//! Fields, methods, metadata and attribute columns.
//!
//! - [`field`], [`method`], [`defaults`]: what a type lists after it was registered;
//! - [`record`]: metadata, and what the record as a whole shows;
//! - [`attribute`], [`late_column`]: the columns of attributes;
//! - [`inherited`]: names that relatives of a type have, and what one type alone has;
//! - [`refusal`]: what is not registered, and then not kept.

mod attribute;
mod defaults;
mod field;
mod inherited;
mod kit;
mod late_column;
mod method;
mod record;
mod refusal;
