//! What a program in another language would be to the target: it calls the exported functions, makes objects of its own,
//! compiles the layouts of others' into its own code, and believes nothing.
//!
//! This is the only such kit. Checks use it, and so do tests that compare two libraries, fuzz targets and benchmarks.
//! - [`api`], [`crumb`], [`memory`]: traced calls, what they leave behind for whoever watches, guarded reading;
//! - [`expectation`], [`reading`], [`value`]: what is expected, and the values that the target gives and takes;
//! - [`homemade`], [`node`], [`containers`]: objects and containers as clients make and handle them;
//! - [`callback`], [`own_error`]: C functions that the target calls back, and Errors made without it;
//! - [`model`], [`reflected`], [`types`]: values as plain data; what the type table shows; types that clients register;
//! - [`globals`], [`modules`]: the library's own global functions; loading modules and calling their functions.

pub mod api;
pub mod callback;
pub mod containers;
pub mod crumb;
mod expectation;
pub mod globals;
pub mod homemade;
pub mod memory;
pub mod model;
pub mod modules;
pub mod node;
pub mod own_error;
mod reading;
pub mod reflected;
mod refusal;
pub mod types;
mod value;

pub use expectation::*;
pub use reading::*;
pub use value::*;

use api::Api;
use crumb::Crumbs;
use tvm_ffi_spec::FunctionTable;

/// A client of one library. A copy is the same client; any thread may use it.
#[derive(Clone, Copy)]
pub struct Client {
    /// The library's functions.
    pub api: Api,
    /// Where calls are noted.
    pub crumbs: Crumbs,
}

impl Client {
    /// A client of a library in this very process, which watches itself: a function that the library lacks is a panic.
    ///
    /// # Panics
    /// If there is no memory for its crumbs.
    pub fn beside(table: FunctionTable) -> Self {
        let crumbs = Crumbs::private().expect("a page of memory can be had");
        Self { api: Api::new(table, crumbs, |name| panic!("the library lacks {name}")), crumbs }
    }
}
