//! Functions declared in one row: a signature and a body, and the function object that checks one against the other.

use std::{borrow::Borrow, ptr::NonNull};

use crate::{
    border::error::Result,
    function::{self, Function, arguments::Arguments, signature::Signature},
    value::any::{Any, AnyView},
};

/// A function to be registered under the name in its signature.
#[derive(Clone, Copy)]
pub struct Row {
    /// What it takes and returns, as a [`Signature`] is written.
    pub signature: &'static str,
    /// Makes a function object of it, with the body inlined.
    pub function: fn(Signature) -> Result<Function>,
}

/// A row of a table of global functions. The body is a function or a closure that holds nothing.
pub const fn row<F>(signature: &'static str, _body: F) -> Row
where
    F: Fn(&Arguments<'_>) -> Result<Any> + Copy + Send + Sync + 'static,
{
    Row { signature, function: |signature| typed(signature, empty::<F>()) }
}

/// The value of a type that holds nothing: there is only one.
fn empty<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: nothing is read; whoever names the type has had a value of it, which can be copied.
    unsafe { NonNull::dangling().read() }
}

/// As many arguments as no call has, for parameters that are not declared.
const UNDECLARED: usize = usize::MAX;

/// A function object that checks its arguments against a signature.
pub fn typed<S, F>(signature: S, body: F) -> Result<Function>
where
    S: Borrow<Signature> + Send + Sync + 'static,
    F: Fn(&Arguments<'_>) -> Result<Any> + Send + Sync + 'static,
{
    typed_of(signature, || body)
}

/// As [`typed`], with a body that is only made when there is memory for it.
#[inline]
pub fn typed_of<S, F>(signature: S, body: impl FnOnce() -> F) -> Result<Function>
where
    S: Borrow<Signature> + Send + Sync + 'static,
    F: Fn(&Arguments<'_>) -> Result<Any> + Send + Sync + 'static,
{
    let arity = signature.borrow().params().map_or(UNDECLARED, <[_]>::len);
    function::try_from_closure_of(|| {
        let body = body();
        move |values: &[AnyView<'_>]| {
            let signature = signature.borrow();
            if values.len() != arity && arity != UNDECLARED {
                return Err(signature.mismatched_count(arity, values.len()));
            }
            body(&Arguments::new(signature, values))
        }
    })
}
