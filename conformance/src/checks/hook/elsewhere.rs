//! Hooks that have another thread go on with a part, and wait for it.

use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi_spec::*;

use super::kit::{compare_first, go_on_with_first, hooked, kept, mix_first};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::{Body, elsewhere, here_or_elsewhere},
        globals,
        node::node,
        samples::Place,
        view,
    },
    trial::Trial,
};

/// Comparing, ordering, hashing and printing come to the same where the hook of an object has another thread go on with a part, and waits for it:
/// also where that part has such hooks itself, and where it fails.
#[check(HOK_0021, patient = 2)]
fn another_thread_goes_on(t: &Trial) -> Verdict {
    let kind = hooked(t, "verify.elsewhere.Hooked", &HOOKS)?;
    let (int, no) = (view::int, view::bool(false));
    let array = |items: &[TVMFFIAny]| t.call_global("ffi.Array", items);
    let (one, two, mixed) =
        (array(&[int(1), int(2)])?, array(&[int(1), int(3)])?, array(&[int(1), view::c_str(c"x")])?);
    let within = |value: TVMFFIAny| kept(node(kind, value, int(0)));
    let pairs = [
        ("integers", int(1), int(1)),
        ("other integers", int(1), int(2)),
        ("Arrays", one.any(), one.any()),
        ("other Arrays", one.any(), two.any()),
        ("Arrays without an order", one.any(), mixed.any()),
        ("objects with hooks", within(one.any()), within(one.any())),
        ("other objects with hooks", within(one.any()), within(two.any())),
    ];
    for (row, (what, lhs, rhs)) in pairs.into_iter().enumerate() {
        for (column, place) in [Place::Alone, Place::InArray, Place::MapValue].into_iter().enumerate() {
            let [lhs, rhs] = [lhs, rhs].map(|part| place.put(t, &within(part)));
            let (lhs, rhs) = (lhs?, rhs?);
            let [lhs, rhs] = [&lhs, &rhs].map(|side| side.any());
            let what = format_args!("objects with {what}, {place:?}");
            let calls = [
                ("ffi.StructuralEqual", vec![lhs, rhs, no, no]),
                ("ffi.GetFirstStructuralMismatch", vec![lhs, rhs, no, no]),
                ("ffi.StructuralHash", vec![lhs, no, no]),
                ("ffi.RecursiveEq", vec![lhs, rhs]),
                ("ffi.RecursiveLt", vec![lhs, rhs]),
                ("ffi.RecursiveGe", vec![lhs, rhs]),
                ("ffi.RecursiveHash", vec![lhs]),
                ("ffi.ReprPrint", vec![lhs]),
            ];
            // In turn, so that each comes with each pair and at each place.
            for (name, args) in calls.into_iter().skip((row + column) % 3).step_by(3) {
                let Some(function) = globals::find(t, name)? else { continue };
                let come_to = || t.come_to(t.answer_of(function.handle(), &args)?);
                CALLED.store(0, Ordering::Release);
                let expected = come_to()?;
                // Where nobody is called nobody goes on.
                if CALLED.load(Ordering::Acquire) > 0 {
                    let found = elsewhere(come_to)?;
                    t.eq(format_args!("what {name} of {what} has come to, gone on with elsewhere"), found, expected)?;
                }
            }
        }
    }
    Ok(())
}

/// Hooks that go on with the first field.
const HOOKS: [(&str, Body); 6] = [
    ("__s_equal__", |api, args| going_on(api, |api| compare_first(api, args, true))),
    ("__s_hash__", |api, args| going_on(api, |api| mix_first(api, args))),
    ("__ffi_eq__", |api, args| going_on(api, |api| compare_first(api, args, false))),
    ("__ffi_compare__", |api, args| going_on(api, |api| compare_first(api, args, false))),
    ("__ffi_hash__", |api, args| going_on(api, |api| go_on_with_first(api, args))),
    ("__ffi_repr__", |api, args| going_on(api, |api| go_on_with_first(api, args))),
];

/// How often a hook was called.
static CALLED: AtomicUsize = AtomicUsize::new(0);

fn going_on(api: &Api, work: impl FnOnce(&Api) -> Option<TVMFFIAny> + Send) -> Option<TVMFFIAny> {
    CALLED.fetch_add(1, Ordering::AcqRel);
    here_or_elsewhere(api, work)
}
