//! Values at the extremes: one that contains itself, and one that is nested deeply.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, value::view, verdict::Verdict};

impl Client {
    /// A List of 1 and itself; it must be [cleared](Self::clear_list) in the end, or it is never released.
    pub fn list_in_itself(&self) -> Verdict<Owned> {
        let list = self.call_global("ffi.List", &[view::int(1)])?;
        self.call_global("ffi.ListAppend", &[list.any(), list.any()])?;
        Ok(list)
    }

    /// Takes all elements out of a List, among them the List itself.
    pub fn clear_list(&self, list: &Owned) -> Verdict {
        self.call_global("ffi.ListClear", &[list.any()]).map(drop)
    }

    /// So many containers around a value, each the only element of the next, made by the global function of that name.
    pub fn nested(&self, make: &str, levels: usize, innermost: TVMFFIAny) -> Verdict<Owned> {
        let make = self.global(make)?;
        (0..levels).try_fold(self.own(innermost), |inner, _| self.call(&make, &[inner.any()]))
    }
}
