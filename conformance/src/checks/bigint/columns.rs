//! The functions in columns that compare and hash big integers, called as hooks of types are.

use std::cmp::Ordering;

use tvm_ffi_spec::{clause::id, *};

use super::{
    kit::{extended, make},
    order::{integers, order},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, reflected, view},
    trial::Trial,
};

/// The functions in `__ffi_eq__` and `__ffi_compare__` of ffi.BigInt, called with two integers and a function for parts, compare them by
/// value, and the function in `__ffi_hash__` answers what ffi.RecursiveHash answers.
#[check(BIG_0022, HOK_0006)]
fn columns_compare_and_hash(t: &Trial) -> Verdict {
    // A library may do without them, or have pointers there, whose form it alone knows.
    let function = |column| -> Verdict<Option<Owned>> {
        let found = reflected::attribute(t, column, kTVMFFIBigInt)?;
        (found.type_index == kTVMFFIFunction).then(|| reflected::share(t, found)).transpose()
    };
    let [equal, compare, hash] = [function("__ffi_eq__")?, function("__ffi_compare__")?, function("__ffi_hash__")?];
    let parts = t.callback(no_parts)?;
    let all = integers();
    let made = all.iter().map(|words| make(t, words)).collect::<Verdict<Vec<_>>>()?;
    let others = all.iter().map(|words| make(t, &extended(words, 1))).collect::<Verdict<Vec<_>>>()?;
    for (at, (one, lhs)) in all.iter().zip(&made).enumerate() {
        // A third of all pairs, among them each integer and itself.
        let third = |place: &usize| *place == at || (at + place).is_multiple_of(3);
        for (other, rhs) in (0..all.len()).filter(third).map(|place| (&all[place], &others[place])) {
            let expected = order(one, other);
            let what = |column| format!("{column} of the words {one:x?} and {other:x?}");
            if let Some(equal) = &equal {
                let answer = t.call(equal, &[lhs.any(), rhs.any(), parts.any()])?;
                t.any_eq(what("__ffi_eq__"), &answer.any(), &view::bool(expected.is_eq()))?;
            }
            if let Some(compare) = &compare {
                let answer = t.call(compare, &[lhs.any(), rhs.any(), parts.any()])?.any();
                t.type_index_eq(
                    format_args!("type_index of {}", what("__ffi_compare__")),
                    answer.type_index,
                    kTVMFFIInt,
                )?;
                t.eq(what("__ffi_compare__"), (answer.payload() as i64).cmp(&0), expected)?;
            }
        }
        t.clause(id::HOK_0006);
        if let Some(hash) = &hash {
            let expected = view::int(t.recursive_hash(&lhs.any())?);
            let answer = t.call(hash, &[others[at].any(), parts.any()])?;
            t.any_eq(format_args!("__ffi_hash__ of the words {one:x?}"), &answer.any(), &expected)?;
        }
        t.clause(id::BIG_0022);
    }
    Ok(())
}

/// What is called for the parts of an object; an integer has none.
fn no_parts(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    Some(view::int(Ordering::Equal as i64))
}
