//! Functions declared in one row: a signature and a body, and the function object that checks one against the other.

use crate::{
    border::error::Result,
    function::{self, arguments::Arguments, signature::Signature},
    object::ObjectRef,
    value::any::Any,
};

/// A function to be registered under the name in its signature.
#[derive(Clone, Copy)]
pub struct Row {
    /// What it takes and returns.
    pub signature: Signature,
    /// What it does.
    pub body: fn(&Arguments<'_>) -> Result<Any>,
}

/// A row of a table of global functions.
pub const fn row(signature: &'static str, body: fn(&Arguments<'_>) -> Result<Any>) -> Row {
    Row { signature: Signature(signature), body }
}

/// A function object that checks its arguments against a signature.
pub fn typed<F>(signature: Signature, body: F) -> ObjectRef
where
    F: Fn(&Arguments<'_>) -> Result<Any> + Send + Sync + 'static,
{
    let arity = signature.params().map(|params| params.len());
    function::from_closure(move |values| {
        signature.check_count(arity, values.len())?;
        body(&Arguments::new(signature, values))
    })
}
