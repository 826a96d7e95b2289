//! Calls below functions that have names, of which backtraces tell.

use std::{
    ffi::{c_char, c_int, c_void},
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

    /// Has an error raised by a function of a kind and a message, below C functions that call it directly and have names: one, or one more.
    pub fn raise_below_layers(
        &self,
        raise: unsafe extern "C" fn(*const c_char, *const c_char),
        deeper: bool,
    ) -> Verdict {
        let name = if deeper { "verify_outer_layer_raises" } else { "verify_inner_layer_raises" };
        let layers = self.fixture_symbol("layers.so", name)?;
        // SAFETY: the fixture's function, which is declared so.
        let layers: unsafe extern "C" fn(unsafe extern "C" fn(*const c_char, *const c_char)) -> c_int =
            unsafe { std::mem::transmute(layers) };
        // SAFETY: all that the layers do is call the function with two C strings.
        self.api.noted("raising an error below C functions", || unsafe { layers(raise) });
        Ok(())
    }
}
