//! How access paths are made, listed and printed.

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, homemade::Homemade, reflected, view},
    trial::Trial,
};

/// The method `_root` makes an access path without parent and step, of depth 0.
#[check(PTH_0001)]
fn root(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    t.eq("parent, step and depth of a root", cell(t, &root)?, Cell::ROOT)
}

/// Each method that extends an access path makes a child of the path with a step of its kind and key.
#[check(PTH_0002)]
fn extensions(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    // All roots may be one object.
    let before = t.counts(root.handle())?;
    let (short, long) = (t.string(b"name")?, t.string(b"a text of more than seven bytes")?);
    for (kind, method) in EXTENSIONS.into_iter().enumerate() {
        let keys = if kind % 3 == 1 { [view::int(3), view::int(1 << 40)] } else { [short.any(), long.any()] };
        for key in keys {
            let path = call(t, method, &[root.any(), key])?;
            let Cell { parent, step, depth } = cell(t, &path)?;
            t.eq(format_args!("parent after {method}"), parent, root.handle())?;
            t.eq(format_args!("depth after {method}"), depth, 1)?;
            is_step(t, step, kind, &key).map_err(|failure| failure.noting(format!("after {method}")))?;
        }
    }
    t.eq("counts of the root", t.counts(root.handle())?, before)
}

/// The method `_extend` extends an access path with the step that it is given.
#[check(PTH_0002)]
fn extend_with_step(t: &Trial) -> Verdict {
    let first = call(t, "_array_item", &[root_path(t)?.any(), view::int(3)])?;
    let step = cell(t, &first)?.step;
    let path = call(t, "_extend", &[first.any(), TVMFFIAny::new(reflected::type_index(t, STEP)?, step as u64)])?;
    t.eq("parent, step and depth", cell(t, &path)?, Cell { parent: first.handle(), step, depth: 2 })?;
    t.eq("strong count of a step that two paths hold", t.counts(step)?.0, 2)
}

/// The key of a map item in an access path can be any value.
#[check(PTH_0002)]
fn keys_of_any_type(t: &Trial) -> Verdict {
    let (root, object) = (root_path(t)?, Homemade::new(kTVMFFIError, ()));
    for key in [TVMFFIAny::NONE, view::float(0.5), view::bool(true), object.view()] {
        for (kind, method) in [(2, "_map_item"), (5, "_map_item_missing")] {
            let path = call(t, method, &[root.any(), key])?;
            is_step(t, cell(t, &path)?.step, kind, &key)?;
        }
    }
    t.eq("counts of an object that was a key", object.counts(), (1, 1))
}

/// An access path stays as it is when it is extended.
#[check(PTH_0003)]
fn is_not_changed(t: &Trial) -> Verdict {
    let first = call(t, "_attr", &[root_path(t)?.any(), view::c_str(c"first")])?;
    let before = cell(t, &first)?;
    let _second = call(t, "_attr", &[first.any(), view::c_str(c"second")])?;
    let _other = call(t, "_array_item", &[first.any(), view::int(0)])?;
    t.eq("parent, step and depth of a path that was extended", cell(t, &first)?, before)
}

/// Access paths that extend one path hold it as their parent, with a reference each.
#[check(PTH_0003)]
fn parents_are_shared(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    // All roots may be one object.
    let strong = t.counts(root.handle())?.0;
    let children: Verdict<Vec<_>> =
        (0..5).map(|number| call(t, "_array_item", &[root.any(), view::int(number)])).collect();
    let children = children?;
    t.eq("strong count of a parent of five", t.counts(root.handle())?.0, strong + 5)?;
    drop(children);
    t.eq("strong count of a parent that has lost its five", t.counts(root.handle())?.0, strong)?;
    let parent = root.handle();
    let child = call(t, "_attr", &[root.any(), view::c_str(c"name")])?;
    drop(root);
    t.eq("strong count of a parent that its child holds in place of the client", t.counts(parent)?.0, strong)?;
    t.eq("parent of the child", cell(t, &child)?.parent, parent)
}

/// The method `_to_steps` lists the steps of an access path from the root to its end.
#[check(PTH_0004)]
fn steps(t: &Trial) -> Verdict {
    let mut path = root_path(t)?;
    for depth in 0..12 {
        let expected: Vec<_> = (0..depth).map(|number| (1, view::int(number).to_bytes())).collect();
        t.eq("kinds and keys of the steps of a path", steps_of(t, &path)?, expected)?;
        path = call(t, "_array_item", &[path.any(), view::int(depth)])?;
    }
    Ok(())
}

/// The method `_to_steps` lists all steps of an access path that has thousands.
#[check(PTH_0004)]
fn thousands_of_steps(t: &Trial) -> Verdict {
    let (mut path, extend) = (root_path(t)?, function(t, "_array_item")?);
    for depth in 1..=4100 {
        path = t.call(&extend, &[path.any(), view::int(depth)])?;
        if [63, 64, 65, 255, 256, 257, 1000, 4096, 4100].contains(&depth) {
            let steps = steps_of(t, &path)?;
            t.eq(format_args!("number of steps of a path of depth {depth}"), steps.len() as i64, depth)?;
            let expected = (1..=depth).map(|number| (1, view::int(number).to_bytes()));
            t.that(
                format_args!("steps of a path of depth {depth}"),
                steps.into_iter().eq(expected),
                "in order",
                "others",
            )?;
        }
    }
    Ok(())
}

/// ffi.ReprPrint writes an access path as `<root>` with its attributes, items and keys, and marks what is missing.
#[check(PTH_0007)]
fn repr(t: &Trial) -> Verdict {
    let text = |path: &Owned| -> Verdict<String> {
        let text = t.call_global("ffi.ReprPrint", &[path.any()])?;
        Ok(String::from_utf8_lossy(&t.text(&text.any())?).into_owned())
    };
    let (mut path, mut expected, name) = (root_path(t)?, "<root>".to_owned(), view::c_str(c"name"));
    t.eq("a root", text(&path)?, expected.clone())?;
    for (kind, key, written) in [
        (0, name, ".name"),
        (1, view::int(3), "[3]"),
        (2, name, "[\"name\"]"),
        (2, view::int(4), "[4]"),
        (3, name, "[<missing:\"name\">]"),
        (4, view::int(5), "[<missing:5>]"),
        (5, name, "[<missing:\"name\">]"),
    ] {
        path = call(t, EXTENSIONS[kind], &[path.any(), key])?;
        expected += written;
        t.eq("a path", text(&path)?, expected.clone())?;
    }
    Ok(())
}
