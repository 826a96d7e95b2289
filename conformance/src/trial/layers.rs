//! Calls below functions that have names, of which backtraces tell.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict},
    trial::Trial,
};

impl Trial<'_> {
    /// The status of a call of `innermost` below functions that are called by one another and have names: one outer layer, three inner ones.
    pub fn below_layers(&self, innermost: TVMFFISafeCallType) -> Verdict<c_int> {
        self.serve_callbacks();
        let layer = |name: &str| {
            let symbol = self.fixture_symbol("layers.so", name)?;
            // SAFETY: the fixture's layers follow the calling convention.
            self.function(null_mut(), unsafe { std::mem::transmute::<*const c_void, TVMFFISafeCallType>(symbol) }, None)
        };
        let outer = layer("verify_outer_layer")?;
        let inner = [layer("verify_inner_layer")?, layer("verify_inner_layer")?, layer("verify_inner_layer")?];
        let innermost = self.function(null_mut(), innermost, None)?;
        let [first, second, third] = inner.each_ref().map(Owned::any);
        Ok(self.try_call(&outer, &[first, second, third, innermost.any()], &mut { TVMFFIAny::NONE }))
    }
}
