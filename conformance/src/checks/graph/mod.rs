//! JSON graphs: values written as a list of nodes that refer to each other by number, so that shared objects stay shared.

mod absent_field;
mod back;
mod bytes;
mod field;
mod form;
mod hidden_field;
mod keys_in_keys;
mod kit;
mod near;
mod refusal;
mod shared_fields;
mod sharing;
