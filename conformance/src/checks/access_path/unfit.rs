//! Paths whose parent, step and depth do not fit one another.

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, reflected, view},
    trial::Trial,
};

/// Methods and other functions come back with an answer or an error from paths without a parent or a step that they should have, and of another depth than
/// they have.
#[check(PTH_0011)]
fn unfit_paths(t: &Trial) -> Verdict {
    let (class, names) = (t.string(b"ffi.reflection.AccessPath")?, [&b"parent"[..], b"step", b"depth"]);
    let names = names.into_iter().map(|name| t.string(name)).collect::<Verdict<Vec<_>>>()?;
    let step = t.access_step(1, view::int(7))?;
    let made = |parent: Option<&Owned>, has_step: bool, depth: i64| -> Verdict<Owned> {
        let parent = parent.map_or(tvm_ffi_spec::TVMFFIAny::NONE, Owned::any);
        let step = if has_step { step.any() } else { tvm_ffi_spec::TVMFFIAny::NONE };
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
        for other in &paths {
            for name in ["_path_equal", "_is_prefix_of"] {
                let function = self::function(t, name)?;
                drop(t.answer_of(function.handle(), &[one.any(), other.any()])?);
            }
        }
    }
    Ok(())
}
