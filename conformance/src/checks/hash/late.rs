//! Functions for the keys of a type that are registered after they were asked for in vain: they count from then on.

use tvm_ffi_spec::clause::id;

use super::{
    kit::dense_of,
    number::{numbers, type_with_functions, type_without, views},
};
use crate::{checks::check, client::Verdict, trial::Trial};

/// Functions for the keys of a type that are registered after such keys were looked up decide from then on which are one key, and where
/// each has its place.
#[check(HSH_0011, HSH_0012, HSH_0010)]
fn hooks_of_keys(t: &Trial) -> Verdict {
    let index = type_without(t)?;
    t.clause(id::HSH_0010);
    for count in [3, 12] {
        let (kept, asked) = (numbers(index, 0..count), numbers(index, 0..count));
        t.same_key(&views(&kept), &kept[1].view(), Some(1))?;
        t.same_key(&views(&kept), &asked[1].view(), None)?;
    }
    // Nothing of another type is asked about in between.
    type_with_functions(t)?;
    t.clause(id::HSH_0011);
    drop(dense_of(t, &views(&numbers(index, 0..12)))?);
    t.clause(id::HSH_0012);
    for count in [3, 12] {
        let (kept, asked) = (numbers(index, 0..count), numbers(index, 0..count));
        t.same_key(&views(&kept), &asked[1].view(), Some(1))?;
    }
    Ok(())
}
