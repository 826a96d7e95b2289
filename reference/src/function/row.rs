//! Functions declared in one row: a signature and a body, and the function object that checks one against the other.

use std::borrow::Borrow;

use crate::{
    border::error::Result,
    function::{self, Function, arguments::Arguments, signature::Signature},
    value::any::Any,
};

/// A function to be registered under the name in its signature.
#[derive(Clone, Copy)]
pub struct Row {
    /// What it takes and returns, as a [`Signature`] is written.
    pub signature: &'static str,
    /// What it does.
    pub body: Body,
}

/// What a function does.
pub type Body = fn(&Arguments<'_>) -> Result<Any>;

/// A row of a table of global functions.
pub const fn row(signature: &'static str, body: Body) -> Row {
    Row { signature, body }
}

/// A function object that checks its arguments against a signature.
pub fn typed<S, F>(signature: S, body: F) -> Function
where
    S: Borrow<Signature> + Send + Sync + 'static,
    F: Fn(&Arguments<'_>) -> Result<Any> + Send + Sync + 'static,
{
    let arity = signature.borrow().params().map(<[_]>::len);
    function::from_closure(move |values| {
        let signature = signature.borrow();
        signature.check_count(arity, values.len())?;
        body(&Arguments::new(signature, values))
    })
}
