//! Scalars: data types, devices, decimal numbers, and hashes of values.

pub mod decimal;
pub mod device;
pub mod dtype;
pub mod value_hash;
