//! Types: the table of them all, their lineage, the attributes that they have, and how signatures spell them.

pub mod attribute;
pub mod builtin_indices;
mod entry;
mod grow_only;
pub mod lineage;
pub mod schema;
mod slots;
#[cfg(test)]
mod tests;
pub mod type_table;
