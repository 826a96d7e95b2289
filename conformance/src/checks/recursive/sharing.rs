//! Deep copies of what stands in several places, of every size.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        node::{changing_node_type, fields_of, node},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// What occurs several times in a value is one in its deep copy whatever its size, also a container of nothing and an object without fields,
/// in whatever holds it, with others that hold it and without.
#[check(REC_0017)]
fn sharing_of_every_size(t: &Trial) -> Verdict {
    let with_fields = changing_node_type(t, "verify.copy.Sharing", kTVMFFISEqHashKindTreeNode, [0; 2])?;
    let bare = bare_type(t)?;
    let holders = [&["a field"][..], &t.containers()?].concat();
    let places: Vec<_> = Place::all(t)?
        .into_iter()
        .filter(|place| [Place::Alone, Place::InArray, Place::InList, Place::DictValue].contains(place))
        .collect();
    for (outer, place) in holders.iter().flat_map(|outer| places.iter().map(move |place| (*outer, *place))) {
        for (size, held) in [0, 1, 4, 5].into_iter().flat_map(|size| [(size, true), (size, false)]) {
            let mut all = t.containers_of(size, -1)?;
            if size == 0 {
                all.push(t.own(Homemade::new(bare, ()).view()));
            }
            for shared in all {
                let type_index = shared.any().type_index;
                let what = format!("a value of type {type_index} and {size} parts in {outer}, {place:?}, held: {held}");
                let holder = place.put(t, &shared.any())?;
                let (one, within) = (shared.any(), holder.any());
                let whole = match outer {
                    "a field" => t.own(node(with_fields, one, within).view()),
                    "ffi.Array" | "ffi.List" => t.call_global(outer, &[one, within, one])?,
                    _ => t.call_global(outer, &[view::int(1), one, view::int(2), within, view::int(3), one])?,
                };
                let _held = held.then_some((shared, holder));
                let copy = t.call_global("ffi.DeepCopy", &[whole.any()])?;
                let parts = parts(t, &copy)?;
                let [first, within, rest @ ..] = &parts[..] else {
                    return Err(t.failure(format!("parts of the copy of {what}"), "two or three", parts.len()));
                };
                t.type_index_eq(format_args!("type_index of the copy of {what}"), first.type_index, type_index)?;
                let within = place.look(t, within)?;
                for other in rest.iter().chain([&within]) {
                    t.any_eq(format_args!("another place of the copy of {what}"), other, first)?;
                }
            }
        }
    }
    Ok(())
}

/// A type of objects without fields that can be copied.
fn bare_type(t: &Trial) -> Verdict<i32> {
    let bare = types::new(t, "verify.copy.Bare");
    t.ok(t.api.TVMFFITypeRegisterMetadata(bare, &types::metadata(size_of::<TVMFFIObject>() as i32)))?;
    let copy = t.callback(|_, args| Some(Homemade::new(args.first()?.type_index, ()).view()))?;
    t.set_hook(bare, "__ffi_shallow_copy__", &copy.any())?;
    Ok(bare)
}

/// The elements, the values or the fields of a copy.
fn parts(t: &Trial, copy: &Owned) -> Verdict<Vec<TVMFFIAny>> {
    match copy.any().type_index {
        kTVMFFIArray | kTVMFFIList => Ok(t.sequence(copy.handle())?.items),
        kTVMFFIMap | kTVMFFIDict => Ok(t.map(copy.handle())?.entries.into_iter().map(|(_, value)| value).collect()),
        _ => match fields_of(&copy.any()) {
            Some(fields) => Ok(vec![fields.first, fields.second]),
            None => Err(t.failure("the copy of an object", "two fields", "nothing that can be read")),
        },
    }
}
