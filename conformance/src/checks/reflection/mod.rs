//! Fields, methods, metadata and attribute columns.
//!
//! - [`field`], [`method`], [`defaults`]: what a type lists after it was registered;
//! - [`record`]: metadata, and what the record as a whole shows;
//! - [`attribute`], [`late_column`]: the columns of attributes;
//! - [`inherited`], [`relatives`]: names that relatives of a type have, what of it they lack, and what one type alone has;
//! - [`shared`]: one value in many places;
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
mod relatives;
mod shared;
