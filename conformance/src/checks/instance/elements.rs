//! Fields that hold containers of one kind of element: what is in a container counts, too.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{field, get, instance, set};
use crate::{
    checks::check,
    client::{Owned, Verdict, homemade::Homemade, reflected, view},
    trial::Trial,
};

/// The setter of a built-in field that holds a List or a Dict of one kind of element refuses a container in which one element, key or value is of
/// another kind, wherever it stands and whichever container it is, and the field keeps what it holds.
#[check(INS_0006, REG_0010)]
fn containers_of_others_are_refused(t: &Trial) -> Verdict {
    refuse(t, &[])
}

/// The error of a setter that refuses a container, because of what is in it, is a TypeError.
#[check(INS_0027, REG_0010)]
fn refused_containers_are_type_errors(t: &Trial) -> Verdict {
    refuse(t, &["TypeError"])
}

/// Expects containers with one wrong element to be refused with an error of these kinds, and the same without it to be taken.
fn refuse(t: &Trial, kinds: &[&str]) -> Verdict {
    let clause = if kinds.is_empty() { id::INS_0006 } else { id::INS_0027 };
    let (object, texts) = (Homemade::new(kTVMFFIError, ()), [c"a", c"a name of more than seven bytes", c"c"]);
    let inner = t.call_global("ffi.Dict", &[object.view(), view::int(1)])?;
    let of_objects = (0..3).map(|_| [object.view()]).collect::<Vec<_>>();
    let by_numbers = (0..3).map(|key| [view::int(key), object.view()]).collect::<Vec<_>>();
    let by_names = texts.map(|text| [view::c_str(text), inner.any()]);
    let no_objects = [view::int(7), view::float(1.5), view::bool(true)];
    let no_names = [view::int(7), view::float(1.5), object.view()];
    let no_dicts = [view::int(7), view::c_str(c"a text of more than seven bytes"), object.view()];
    holds_only(t, "entries", ["ffi.List", "ffi.Array"], &of_objects, [&no_objects], clause, kinds)?;
    holds_only(t, "indexes", ["ffi.Dict", "ffi.Map"], &by_numbers, [&[], &no_objects], clause, kinds)?;
    holds_only(t, "attrs", ["ffi.Dict", "ffi.Map"], &by_names, [&no_names, &no_dicts], clause, kinds)?;
    let counts = || -> Verdict<_> { Ok((object.counts(), t.counts(inner.handle())?)) };
    t.clause(clause);
    t.eq("counts of what was in the containers", counts()?, ((2, 1), (1, 1)))
}

/// Expects a field of ffi.EnumState to take a container of these parts, and to refuse it with a wrong one in the place of any.
fn holds_only<const PARTS: usize>(
    t: &Trial,
    name: &str,
    makers: [&str; 2],
    right: &[[TVMFFIAny; PARTS]],
    wrong: [&[TVMFFIAny]; PARTS],
    clause: &'static str,
    kinds: &[&str],
) -> Verdict {
    t.clause(id::REG_0010);
    let (state, field) = (instance(t, "ffi.EnumState")?, field(t, "ffi.EnumState", name)?);
    t.clause(clause);
    let made = |maker: &str, parts: &[[TVMFFIAny; PARTS]]| t.call_global(maker, parts.as_flattened());
    // Its own kind of container as it is; whether it makes one of the other kind is not for this check.
    set(t, &state, &field, &made(makers[0], right)?.any())?;
    let before: Owned = get(t, &state, &field)?;
    for maker in makers {
        for (part, at) in (0..PARTS).flat_map(|part| (0..right.len()).map(move |at| (part, at))) {
            for value in wrong[part] {
                let mut parts = right.to_vec();
                parts[at][part] = *value;
                let container = made(maker, &parts)?;
                let what = format!("{name} set to an {maker} with {value:?} in part {part} of element {at}");
                let refused = t.raises(reflected::set(t, state.handle(), &field, &container.any())?, kinds);
                drop(refused.map_err(|failure| failure.noting(what.clone()))?);
                t.eq(format_args!("counts of the container, {what}"), t.counts(container.handle())?, (1, 1))?;
            }
        }
    }
    t.any_eq(format_args!("what {name} holds after all was refused"), &get(t, &state, &field)?.any(), &before.any())
}
