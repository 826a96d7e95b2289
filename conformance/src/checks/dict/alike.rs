//! Values that differ in what is not their payload, in the place of one another.

use tvm_ffi_spec::*;

use super::kit::ints;
use crate::{
    checks::check,
    client::{Verdict, containers::numbers::up_to, near::in_the_place_of_each_other, view},
    trial::Trial,
};

/// `ffi.DictSetItem` puts all of a value in the place of one that has the same payload and another type, or the same type and payload and another
/// length, in Dicts of few entries and of many, be the entry the first, the last or between others.
#[check(DCT_0003)]
fn overwrites_all_of_a_value(t: &Trial) -> Verdict {
    let [set, get] = t.globals(["ffi.DictSetItem", "ffi.DictGetItem"])?;
    for group in t.alike_in_payload()? {
        for (len, key) in [(1, 0), (4, 3), (12, 6)] {
            let dict = ints(t, &up_to(len))?;
            let place = [dict.any(), view::int(key)];
            let mut before = "an integer";
            for given in in_the_place_of_each_other(&group) {
                t.call_unnoted(&set, &[place[0], place[1], given.any()])?;
                let found = t.call_unnoted(&get, &place)?;
                let what = format_args!("value {key} of {len}, which was {before} and was set to {},", given.name);
                t.is_sample(what, &found.any(), given)?;
                before = &given.name;
            }
            let entries = t.map(dict.handle())?.entries;
            t.eq("number of entries", entries.len(), len as usize)?;
            // Where a key stands that was given another value is left open.
            for (key_of, value) in entries.iter().filter(|(key_of, _)| key_of.payload() as i64 != key) {
                let other = key_of.payload() as i64;
                t.any_eq(format_args!("value {other} beside it"), value, &view::int(other))?;
            }
        }
    }
    Ok(())
}

/// A Dict that is made of one key many times has all of the last value, where the values before it have the same payload and another type, or the
/// same type and payload and another length.
#[check(DCT_0001)]
fn given_again_with_the_like(t: &Trial) -> Verdict {
    let [make, get] = t.globals(["ffi.Dict", "ffi.DictGetItem"])?;
    for group in t.alike_in_payload()? {
        let order = in_the_place_of_each_other(&group);
        for (pair, others) in order.windows(2).zip([0, 0, 9].into_iter().cycle()) {
            let mut args = vec![TVMFFIAny::NONE, pair[0].any()];
            args.extend((0..2 * others).map(view::int));
            args.extend([TVMFFIAny::NONE, pair[1].any()]);
            let dict = t.call_unnoted(&make, &args)?;
            let found = t.call_unnoted(&get, &[dict.any(), TVMFFIAny::NONE])?;
            let what =
                format_args!("the value of a key that was given with {} and then {}", pair[0].name, pair[1].name);
            t.is_sample(what, &found.any(), pair[1])?;
        }
    }
    Ok(())
}
