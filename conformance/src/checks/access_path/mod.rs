//! Access paths: how they are made, walked and compared.
//!
//! - [`make`]: paths and their steps;
//! - [`compare`]: equality, and which path continues another;
//! - [`methods`]: what all methods have in common.

mod compare;
mod kit;
mod make;
mod methods;
