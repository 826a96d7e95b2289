//! The hook for printing: what it answers is the printed form.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::*;

use super::kit::{first, hooked, numbers, printed, quote_first};
use crate::{
    checks::check,
    client::{Verdict, callback::Body, model::Value, node::node, reentry, text_of, view},
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

/// A function in `__ffi_repr__` may print by `ffi.ReprPrint` itself: what is printed around its object is as it would be without.
#[check(HOK_0021)]
fn repr_that_prints(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    let quote: Body = |api, args| {
        let part = reentry::answer("ffi.ReprPrint", &[first(args.first()?)?])?;
        let text = [b"node of ", text_of(&part.any())?.as_slice()].concat();
        let mut answer = TVMFFIAny::NONE;
        (api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(&text), &mut answer) == 0).then_some(answer)
    };
    let kind = hooked(t, "verify.hook.Printing", &[("__ffi_repr__", quote)])?;
    let inner = Value::List(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let node = node(kind, inner.any(), view::int(2));
    let expected = format!("node of {}", printed(t, &inner.any())?);
    for make in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let around = |value: TVMFFIAny| t.call_global(make, &[view::int(7), value]);
        let plain = printed(t, &around(view::int(4711))?.any())?;
        t.prints(&around(node.view())?.any(), &plain.replacen("4711", &expected, 1))?;
    }
    Ok(())
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
