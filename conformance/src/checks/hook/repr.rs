//! The hook for printing: what it answers is the printed form.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::*;

use super::kit::{hooked, numbers, printed, quote_first};
use crate::{
    checks::check,
    client::{Verdict, callback::Body, model::Value, node::node, view},
    trial::Trial,
};

/// The function in `__ffi_repr__` writes the printed form of an object of its type, a NUL in that included.
#[check(HOK_0008)]
fn repr(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.Repr", &[("__ffi_repr__", quote_first)])?;
    let inner = Value::List(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let expected = format!("node\0of {}", printed(t, &inner.any())?);
    let node = node(kind, inner.any(), view::int(2));
    t.prints(&node.view(), &expected)?;
    let outer = t.call_global("ffi.Array", &[node.view(), view::int(3)])?;
    let whole = printed(t, &outer.any())?;
    t.that("the printed form of an array", whole.contains(&expected), format_args!("{expected} in it"), &whole)
}

/// What the function in `__ffi_repr__` answers is the printed form, be it empty, short or none of the library's own forms, wherever
/// the object stands.
#[check(HOK_0008)]
fn repr_of_any_form(t: &Trial) -> Verdict {
    static FORM: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    let answer: Body = |api, _| {
        let text = FORM.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut answer = TVMFFIAny::NONE;
        (api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(&text), &mut answer) == 0).then_some(answer)
    };
    let kind = hooked(t, "verify.hook.AnyForm", &[("__ffi_repr__", answer)])?;
    let node = numbers(kind, 1, 2);
    for form in
        ["", "a", "seven_b", "eight_by", "\0", "None", "...", "verify.hook.AnyForm", "two\nlines", "gr\u{f6}\u{df}e"]
    {
        *FORM.lock().unwrap_or_else(PoisonError::into_inner) = form.as_bytes().to_vec();
        t.prints(&node.view(), form)?;
        let list = |make: &str, first: &TVMFFIAny| t.call_global(make, &[*first, view::int(3)]);
        for make in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
            // As a text of the client's own that is printed in the same place.
            let (held, plain) = (list(make, &node.view())?, list(make, &view::int(4711))?);
            let expected = printed(t, &plain.any())?.replacen("4711", form, 1);
            t.prints(&held.any(), &expected)?;
        }
    }
    Ok(())
}
