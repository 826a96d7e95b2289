//! Types: the table of them all, the attributes that they have, and how signatures spell them.

pub mod attribute;
pub mod grow_only;
pub mod schema;
pub mod type_table;
