//! Types: the table of them all, their lineage, and the attributes that they have.

pub mod attribute;
pub mod builtin_indices;
mod entry;
mod grow_only;
pub mod lineage;
#[cfg(test)]
mod tests;
pub mod type_table;
