//! What the library exports.

pub mod c_api;
pub mod c_api_data;
pub mod c_env_api;
pub mod combined;
pub mod cxx;
pub mod exports;
