//! Types with a value in a column of hooks that is none.

use super::kit::{TREE, numbers};
use crate::{
    checks::check,
    client::{Verdict, globals, node::node_type, view},
    trial::Trial,
};

/// Comparing, hashing or keying by an object is an error where its type has a number in the column of the function that decides it.
#[check(HOK_0025)]
fn what_is_no_hook_is_refused(t: &Trial) -> Verdict {
    let no = view::bool(false);
    for column in ["__s_equal__", "__s_hash__", "__any_hash__"] {
        let kind = node_type(t, &format!("verify.hook.No{column}"), TREE, [0, 0])?;
        t.set_hook(kind, column, &view::int(7))?;
        let (one, other) = (numbers(kind, 1, 2), numbers(kind, 1, 2));
        let held = [t.call_global("ffi.Array", &[one.view()])?, t.call_global("ffi.Array", &[other.view()])?];
        for [lhs, rhs] in [[one.view(), other.view()], [held[0].any(), held[1].any()]] {
            match column {
                "__s_equal__" => {
                    t.refuses("ffi.StructuralEqual", &[lhs, rhs, no, no], &[])?;
                    t.refuses("ffi.GetFirstStructuralMismatch", &[lhs, rhs, no, no], &[])?;
                }
                "__s_hash__" => drop(t.refuses("ffi.StructuralHash", &[lhs, no, no], &[])?),
                _ => {
                    for make in ["ffi.Map", "ffi.Dict"] {
                        if globals::find(t, make)?.is_some() {
                            // Few keys may be compared without their hashes.
                            let entries = (0..40).map(view::int).flat_map(|key| [key, key]);
                            let entries: Vec<_> = entries.chain([one.view(), no]).collect();
                            t.refuses(make, &entries, &[])?;
                        }
                    }
                }
            }
        }
        drop(held);
        t.eq(format_args!("counts of an object with a number in {column}"), one.counts(), (1, 1))?;
    }
    Ok(())
}
