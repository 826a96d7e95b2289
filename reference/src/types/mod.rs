//! Types: the table of them all and the attributes that they have.

pub mod attribute;
pub mod grow_only;
pub mod type_table;
