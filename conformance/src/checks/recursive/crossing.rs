//! Circles that cross: Lists and Dicts that each hold all the others, through which there are more ways than anybody can go.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, samples::Place, view},
    trial::Trial,
};

/// Printing Lists and Dicts that each hold all the others, at once or by way of other containers, ends, with a text or an error, however many
/// ways lead through them.
#[check(REC_0029, patient = 2)]
fn crossing_circles_are_printed(t: &Trial) -> Verdict {
    // Each holds all: where each holds but a few of many, the releases take longer than anybody waits, and no promise says how long is too long.
    const COUNT: usize = 12;
    let rows: [&[&str]; 3] = [&["ffi.List"], &["ffi.Dict"], &["ffi.List", "ffi.Dict"]];
    let places = [Place::Alone, Place::InArray, Place::MapValue];
    let all = rows.into_iter().flat_map(|kinds| places.map(|place| crossing(t, kinds, place, COUNT)));
    let all = all.collect::<Verdict<Vec<_>>>()?;
    // In one text: a library that gives up at some length does so once.
    let whole = t.call_global("ffi.Array", &all.iter().map(|one| one[0].any()).collect::<Vec<_>>())?;
    let (type_index, address) = (whole.any().type_index, whole.any().payload());
    let what = format!("ffi.ReprPrint of Lists and Dicts, {COUNT} at a time, each of which holds all of its kind");
    t.comes_back(&what, move |client| client.returns("ffi.ReprPrint", &[TVMFFIAny::new(type_index, address)]))??;
    all.iter().flatten().try_for_each(|one| {
        let clear = if one.any().type_index == kTVMFFIList { "ffi.ListClear" } else { "ffi.DictClear" };
        t.call_void(clear, &[one.any()])
    })
}

/// So many Lists or Dicts, of these kinds in turn, each of which holds all of them, at that place.
fn crossing(t: &Trial, kinds: &[&str], place: Place, count: usize) -> Verdict<Vec<Owned>> {
    let make = |kind: &&str| t.call_global(kind, &[]);
    let all = kinds.iter().cycle().take(count).map(make).collect::<Verdict<Vec<_>>>()?;
    for one in &all {
        for (key, other) in (0..).map(view::int).zip(&all) {
            let held = place.put(t, &other.any())?;
            match one.any().type_index {
                kTVMFFIList => t.call_void("ffi.ListAppend", &[one.any(), held.any()])?,
                _ => t.call_void("ffi.DictSetItem", &[one.any(), key, held.any()])?,
            }
        }
    }
    Ok(all)
}
