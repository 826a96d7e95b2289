//! Calls after many that have failed far inside a value.

use std::sync::atomic::{AtomicBool, Ordering};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, raise},
        globals,
        homemade::retain,
        looking::GOING_ON,
        node::{changing_node_type_with, ending_copy_of, ending_node, node_type},
        view,
    },
    trial::Trial,
};

/// How often a call fails in a row, so many levels deep: in sum far more than any function has to go down.
const FAILURES: usize = 8;
const LEVELS: usize = 205;

/// Whether hooks fail at what lies innermost.
static FAILS: AtomicBool = AtomicBool::new(false);

/// Fails where it is to; otherwise answers what is the same for all objects of the type.
fn fail_or(api: &Api, answer: TVMFFIAny) -> Option<TVMFFIAny> {
    if FAILS.load(Ordering::Acquire) {
        return raise(api, c"KeyError", c"at what lies innermost");
    }
    Some(answer)
}

/// The hooks of what lies innermost.
const FAILING: [(&str, Body); 8] = [
    ("__ffi_shallow_copy__", |api, args| fail_or(api, view::int(0)).and_then(|_| ending_copy_of(args))),
    ("__s_equal__", |api, _| fail_or(api, view::bool(true))),
    ("__s_hash__", |api, _| fail_or(api, view::int(5))),
    ("__ffi_eq__", |api, _| fail_or(api, view::bool(true))),
    ("__ffi_compare__", |api, _| fail_or(api, view::int(0))),
    ("__ffi_hash__", |api, _| fail_or(api, view::int(5))),
    ("__ffi_repr__", |api, _| fail_or(api, view::c_str(c"leaf"))),
    ("__data_to_json__", |api, _| fail_or(api, view::int(5))),
];

/// A function comes to the same after many calls that have failed deep inside a value as it did before them, for values of few levels and of many, in
/// every kind of container, in fields, with hooks that go on, and in JSON.
#[check(FUN_0028, patient = 2)]
fn follows_deep_failures(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.serve_callbacks();
    let tree = kTVMFFISEqHashKindTreeNode;
    let plain = changing_node_type_with(t, "verify.after.Plain", tree, [0; 2], |_, args| ending_copy_of(args))?;
    let (leaf, going_on) =
        (node_type(t, "verify.after.Leaf", tree, [0; 2])?, node_type(t, "verify.after.GoingOn", tree, [0; 2])?);
    for (kind, hooks) in [(leaf, &FAILING[..]), (going_on, &GOING_ON)] {
        for (column, body) in hooks {
            t.set_hook(kind, column, &t.callback(*body)?.any())?;
        }
    }
    let fail: Body = |api, _| fail_or(api, TVMFFIAny::NONE);
    let keep: Body = |api, args| {
        let value = *args.first()?;
        fail_or(api, value).inspect(|value| retain(value.payload() as TVMFFIObjectHandle))
    };
    let list = |body: Body, more: &[TVMFFIAny]| -> Verdict<Owned> {
        let callback = t.callback(body)?;
        let entry = t.call_global("ffi.Array", &[&[view::int(leaf.into()), callback.any()], more].concat())?;
        t.call_global("ffi.Array", &[entry.any()])
    };
    let (no, none) = (view::bool(false), t.call_global("ffi.Array", &[])?);
    let (walked, mapped, mutated) = (list(fail, &[])?, list(keep, &[])?, list(keep, &[no])?);
    let deep = |around: Around, levels: usize| -> Verdict<Owned> {
        let inner = t.own(ending_node(leaf, view::int(1), view::int(2)).view());
        match around {
            Around::Container(make) => {
                let key = matches!(make, "ffi.Map" | "ffi.Dict").then(|| view::int(1));
                t.around(&t.global(make)?, levels, inner, key)
            }
            Around::Field(hooked) => {
                let kind = if hooked { going_on } else { plain };
                // Hooks that go on take more of the stack than a function that does.
                let levels = if hooked { levels.min(60) } else { levels };
                let hold = |inner: Owned, _| t.own(ending_node(kind, inner.any(), view::int(3)).view());
                Ok((0..levels).fold(inner, hold))
            }
        }
    };
    let containers = t.containers()?.into_iter().map(Around::Container);
    let arounds: Vec<_> = containers.chain([false, true].map(Around::Field)).collect();
    let pair =
        |around: Around, levels: usize| -> Verdict<[Owned; 2]> { Ok([deep(around, levels)?, deep(around, levels)?]) };
    let values: Vec<_> =
        arounds.iter().map(|around| Ok([pair(*around, 1)?, pair(*around, LEVELS)?])).collect::<Verdict<_>>()?;
    for (at, (name, args)) in [
        ("ffi.ReprPrint", &[][..]),
        ("ffi.DeepCopy", &[]),
        ("ffi.RecursiveHash", &[]),
        ("ffi.RecursiveEq", &[OTHER]),
        ("ffi.RecursiveLt", &[OTHER]),
        ("ffi.StructuralHash", &[no, no]),
        ("ffi.StructuralEqual", &[OTHER, no, no]),
        ("ffi.GetFirstStructuralMismatch", &[OTHER, no, no]),
        ("ffi.ToJSONGraph", &[TVMFFIAny::NONE]),
        ("ffi.ToJSONGraphString", &[TVMFFIAny::NONE]),
        ("ffi.StructuralWalk", &[walked.any(), none.any(), view::int(0)]),
        ("ffi.StructuralMap", &[mapped.any(), none.any(), view::int(1)]),
        ("ffi.StructuralVisit", &[walked.any()]),
        ("ffi.StructuralMutate", &[mutated.any()]),
    ]
    .into_iter()
    .enumerate()
    {
        let Some(function) = globals::find(t, name)? else { continue };
        // An Array for each function, and another in turn.
        for place in [0, 1 + at % (arounds.len() - 1)] {
            let call = |[value, other]: &[Owned; 2]| {
                let rest = args.iter().map(|arg| if arg.to_bytes() == OTHER.to_bytes() { other.any() } else { *arg });
                let args: Vec<_> = [value.any()].into_iter().chain(rest).collect();
                t.answer_of(function.handle(), &args)
            };
            let come_to = |fails: bool| {
                FAILS.store(fails, Ordering::Release);
                values[place].iter().map(|pair| t.come_to(call(pair)?)).collect::<Verdict<Vec<_>>>()
            };
            let expected = come_to(false)?;
            FAILS.store(true, Ordering::Release);
            for _ in 0..FAILURES {
                drop(call(&values[place][1])?);
            }
            let what = format_args!("what {name} comes to after {FAILURES} failures deep in {:?}", arounds[place]);
            t.eq(what, come_to(false)?, expected)?;
        }
    }
    follows_failed_texts(t)
}

/// The same of JSON, which asks no hooks: what fails is a function far inside, and a letter.
fn follows_failed_texts(t: &Trial) -> Verdict {
    let text = |inside: &str| t.string([&"[".repeat(LEVELS), inside, &"]".repeat(LEVELS)].concat().as_bytes());
    let nested = |levels: usize, inside: TVMFFIAny| t.nested("ffi.Array", levels, inside);
    let (function, none) = (t.global("ffi.Array")?.into_any(), t.own(TVMFFIAny::NONE));
    let (short, long) = (t.string(b"[[1]]")?, text("1")?);
    for (name, values, failing) in [
        ("ffi.json.Parse", [short, long], text("x")?),
        ("ffi.json.Stringify", [nested(2, view::int(1))?, nested(LEVELS, view::int(1))?], nested(LEVELS, function)?),
    ] {
        let Some(function) = globals::find(t, name)? else { continue };
        let call = |value: &Owned| {
            let args = [value.any(), none.any()];
            t.answer_of(function.handle(), if name == "ffi.json.Parse" { &args[..1] } else { &args })
        };
        let come_to = || values.iter().map(|value| t.come_to(call(value)?)).collect::<Verdict<Vec<_>>>();
        let expected = come_to()?;
        for _ in 0..FAILURES {
            drop(call(&failing)?);
        }
        t.eq(format_args!("what {name} comes to after {FAILURES} failures deep in a value"), come_to()?, expected)?;
    }
    Ok(())
}

/// What stands around a value.
#[derive(Clone, Copy, Debug)]
enum Around {
    Container(&'static str),
    /// The first field of an object, with hooks or without.
    Field(bool),
}

/// Stands for the other value of a pair.
const OTHER: TVMFFIAny = TVMFFIAny::new(kTVMFFIOpaquePtr, 0x07E2);
