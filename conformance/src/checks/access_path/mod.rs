//! Access paths: how they are made, walked and compared.
//!
//! - [`make`]: paths and their steps;
//! - [`compare`]: equality, and which path continues another;
//! - [`hooked_keys`]: equality of paths whose keys are objects that say themselves which are alike;
//! - [`keys`]: the keys of steps, in every form;
//! - [`methods`]: what all methods have in common;
//! - [`unfit`]: paths whose parts do not fit one another.

mod compare;
mod hooked_keys;
mod keys;
mod kit;
mod make;
mod methods;
mod unfit;
