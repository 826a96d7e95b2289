//! A client of one library: its functions, and where the calls are noted.

use tvm_ffi_spec::FunctionTable;

use crate::client::{api::Api, crumb::Crumbs};

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
