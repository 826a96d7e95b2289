//! The hook for printing: what it answers is the printed form.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{first, hooked, numbers, quote_first};
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{Body, call},
        homemade::release,
        model::Value,
        node::{fields_of, node},
        reentry, text_of, view,
    },
    trial::Trial,
};

/// The function in `__ffi_repr__` writes the printed form of an object of its type, a NUL in that included.
#[check(HOK_0008)]
fn repr(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.hook.Repr", &[("__ffi_repr__", quote_first)])?;
    let inner = Value::List(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let expected = format!("node\0of {}", t.printed(&inner.any())?);
    let node = node(kind, inner.any(), view::int(2));
    t.prints(&node.view(), &expected)?;
    let outer = t.call_global("ffi.Array", &[node.view(), view::int(3)])?;
    let whole = t.printed(&outer.any())?;
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
    let expected = format!("node of {}", t.printed(&inner.any())?);
    for make in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let around = |value: TVMFFIAny| t.call_global(make, &[view::int(7), value]);
        let plain = t.printed(&around(view::int(4711))?.any())?;
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
            let expected = t.printed(&plain.any())?.replacen("4711", form, 1);
            t.prints(&held.any(), &expected)?;
        }
    }
    Ok(())
}

/// A part that a function in `__ffi_repr__` prints again is printed in full each time, whatever it is, in whatever turns with another part,
/// and wherever the object stands.
#[check(REC_0028, HOK_0008)]
fn repr_of_parts_in_turns(t: &Trial) -> Verdict {
    /// Which of its fields the object prints, one after the other.
    const TURNS: [&str; 6] = ["00", "000", "010", "0101", "0110", "10010110"];
    static CHOSEN: AtomicUsize = AtomicUsize::new(0);
    let in_turns: Body = |api, args| {
        let [object, print] = args else { return None };
        let (fields, mut text) = (fields_of(object)?, Vec::new());
        for turn in TURNS[CHOSEN.load(Ordering::Acquire)].bytes() {
            let part = if turn == b'0' { fields.first } else { fields.second };
            let form = call(api, print.payload() as TVMFFIObjectHandle, &[part])?;
            text.extend(text_of(&form)?);
            text.push(b'|');
            if form.type_index >= kTVMFFIStaticObjectBegin {
                release(form.payload() as TVMFFIObjectHandle);
            }
        }
        let mut answer = TVMFFIAny::NONE;
        (api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(&text), &mut answer) == 0).then_some(answer)
    };
    let kind = hooked(t, "verify.hook.Turns", &[("__ffi_repr__", in_turns)])?;
    let plain = hooked(t, "verify.hook.WithoutTurns", &[])?;
    let list = Value::List(vec![Value::Int(1), Value::str("x")]).build(t)?;
    let mut parts = vec![t.own(view::int(5)), t.string(b"a string on the heap")?];
    let makes = t.containers()?;
    for make in &makes {
        // One of the List that is a part itself.
        parts.push(t.call_global(make, &[view::int(3), list.any()])?);
    }
    parts.extend([t.call_global("ffi.List", &[])?, t.own(node(plain, list.any(), view::int(4)).view())]);
    let mut forms = parts.iter().map(|part| t.printed(&part.any())).collect::<Verdict<Vec<_>>>()?;
    let (form_of_list, form_of_six) = (t.printed(&list.any())?, t.printed(&view::int(6))?);
    // And an object that prints its own parts in turns.
    parts.push(t.own(node(kind, list.any(), view::int(6)).view()));
    parts.push(list);
    for (at, turns) in TURNS.iter().enumerate() {
        CHOSEN.store(at, Ordering::Release);
        let in_turns = |first: &str, second: &str| -> String {
            turns.bytes().map(|turn| format!("{}|", if turn == b'0' { first } else { second })).collect()
        };
        forms.truncate(parts.len() - 2);
        forms.extend([in_turns(&form_of_list, &form_of_six), form_of_list.clone()]);
        for ((one, first), (other, second)) in
            parts.iter().zip(&forms).flat_map(|one| parts.iter().zip(&forms).map(move |other| (one, other)))
        {
            let (object, expected) = (node(kind, one.any(), other.any()), in_turns(first, second));
            t.prints(&object.view(), &expected)?;
            for make in makes.iter().filter(|_| *turns == "010") {
                let around = |value: TVMFFIAny| t.call_global(make, &[view::int(7), value, view::int(8), value]);
                let without = t.printed(&around(view::int(4711))?.any())?;
                t.prints(&around(object.view())?.any(), &without.replace("4711", &expected))?;
            }
        }
    }
    Ok(())
}
