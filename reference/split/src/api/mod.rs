//! What the library exports: what both generations have, and what only this one has.

#[path = "../../../src/api/c_api.rs"]
pub mod c_api;
#[path = "../../../src/api/c_api_data.rs"]
pub mod c_api_data;
#[path = "../../../src/api/c_env_api.rs"]
pub mod c_env_api;
#[path = "../../../src/api/cxx.rs"]
pub mod cxx;
pub mod split;
