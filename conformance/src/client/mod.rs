//! What a program in another language would be to the target: it calls the exported functions, makes objects of its own,
//! compiles the layouts of others' into its own code, and believes nothing.
//!
//! This is the only such kit. Checks use it, and so do tests that compare two libraries, fuzz targets and benchmarks.
//! - [`api`], [`crumb`], [`memory`]: traced calls, what they leave behind for whoever watches, guarded reading;
//! - `expectation`, `reading`, `value`: what is expected, and the values that the target gives and takes;
//! - [`homemade`], [`node`], [`containers`]: objects and containers as clients make and handle them;
//! - [`model`], [`reflected`]: values as plain data; what the type table shows.

pub mod api;
pub mod containers;
pub mod crumb;
mod expectation;
pub mod homemade;
pub mod memory;
pub mod model;
pub mod node;
mod reading;
pub mod reflected;
mod value;

pub use expectation::*;
pub use reading::*;
pub use value::*;

use api::Api;
use crumb::Crumbs;

/// A client of one library. A copy is the same client; any thread may use it.
#[derive(Clone, Copy)]
pub struct Client {
    /// The library's functions.
    pub api: Api,
    /// Where calls are noted.
    pub crumbs: Crumbs,
}
