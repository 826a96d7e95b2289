//! Paths whose parent, step and depth do not fit one another.

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, reflected, types, view},
    trial::Trial,
};

/// Methods and other functions come back with an answer or an error from paths without a parent or a step that they should have, of another depth than
/// they have, and with a step of no kind.
#[check(PTH_0011)]
fn unfit_paths(t: &Trial) -> Verdict {
    t.short_backtraces();
    let (class, names) = (t.string(b"ffi.reflection.AccessPath")?, [&b"parent"[..], b"step", b"depth"]);
    let names = names.into_iter().map(|name| t.string(name)).collect::<Verdict<Vec<_>>>()?;
    let (step, name) = (t.access_step(1, view::int(7))?, view::c_str(c"a name that is no index"));
    let made = |parent: Option<&Owned>, has_step: bool, depth: i64| -> Verdict<Owned> {
        let parent = parent.map_or(TVMFFIAny::NONE, Owned::any);
        let step = if has_step { step.any() } else { TVMFFIAny::NONE };
        let args = [class.any(), names[0].any(), parent, names[1].any(), step, names[2].any(), view::int(depth)];
        t.call_global("ffi.MakeObjectFromPackedArgs", &args)
    };
    let root = made(None, false, 0)?;
    let long = (1..6).try_fold(reflected::share(t, root.any())?, |path, depth| made(Some(&path), true, depth))?;
    let mut paths = vec![
        made(None, false, 3)?,
        made(None, true, 0)?,
        made(None, true, 1)?,
        made(Some(&root), false, 1)?,
        made(Some(&root), true, 0)?,
        made(Some(&root), true, 5)?,
        made(Some(&long), true, 1)?,
        made(Some(&long), true, 6)?,
        made(Some(&long), true, -1)?,
        made(Some(&long), false, 6)?,
    ];
    // Steps of no kind, and with keys of another type than their kind has.
    for (kind, key) in [(9, view::int(7)), (-1, view::int(7)), (0, view::int(7)), (1, name), (4, TVMFFIAny::NONE)] {
        let step = t.access_step(kind, key)?;
        let args = [class.any(), names[0].any(), root.any(), names[1].any(), step.any(), names[2].any(), view::int(1)];
        paths.push(t.call_global("ffi.MakeObjectFromPackedArgs", &args)?);
    }
    // The same below one that fits.
    for at in 0..paths.len() {
        paths.push(made(Some(&paths[at]), true, 6)?);
    }
    paths.extend([root, long]);
    for one in &paths {
        let function = function(t, "_to_steps")?;
        drop(t.answer_of(function.handle(), &[one.any()])?);
        for name in ["ffi.ReprPrint", "ffi.RecursiveHash"] {
            if globals::find(t, name)?.is_some() {
                t.returns(name, &[one.any()])?;
            }
        }
        for other in paths.iter().step_by(3) {
            for name in ["_path_equal", "_is_prefix_of"] {
                let function = self::function(t, name)?;
                drop(t.answer_of(function.handle(), &[one.any(), other.any()])?);
            }
        }
    }
    Ok(())
}

/// The function in `__ffi_repr__` of a path or a step keeps no reference to an object that it refuses.
#[check(ARG_0001)]
fn printing_what_is_no_path(t: &Trial) -> Verdict {
    let (array, print) = (t.call_global("ffi.Array", &[])?, t.callback(|_, _| Some(TVMFFIAny::NONE))?);
    for key in [PATH, STEP] {
        let Some(index) = types::find(t, key) else { continue };
        let column = reflected::column(t, "__ffi_repr__");
        if column.is_null() || reflected::entry(t, column, index)?.type_index != kTVMFFIFunction {
            continue;
        }
        let function = reflected::share(t, reflected::entry(t, column, index)?)?;
        for args in [
            &[array.any(), print.any()][..],
            &[array.any(), array.any()],
            &[view::int(1), print.any()],
            &[print.any(), view::int(1)],
            &[array.any()],
        ] {
            drop(t.answer_of(function.handle(), args)?);
            let counts = (t.counts(array.handle())?, t.counts(print.handle())?);
            t.eq(format_args!("counts of what was to be printed as {key}"), counts, ((1, 1), (1, 1)))?;
        }
    }
    Ok(())
}
