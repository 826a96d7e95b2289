//! Access paths: how they are made, walked and compared.

use std::ffi::{CStr, c_void};

use proptest::{collection, prelude::*};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, containers::keys::text_object, given::Given, homemade::Homemade, reflected, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

const PATH: &str = "ffi.reflection.AccessPath";
const STEP: &str = "ffi.reflection.AccessStep";

/// The methods that extend a path, by the kind of step.
const EXTENSIONS: [&str; 6] =
    ["_attr", "_array_item", "_map_item", "_attr_missing", "_array_item_missing", "_map_item_missing"];
/// The texts that keys are chosen from.
const NAMES: [&CStr; 3] = [c"a", c"a name of more than seven bytes", c"c"];

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

/// Paths whose integer keys differ in any one bit are different, and neither continues the other.
#[check(PTH_0005, PTH_0006)]
fn keys_of_any_size(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    for method in ["_array_item", "_map_item"] {
        let path = |key| call(t, method, &[root.any(), view::int(key)]);
        for (key, bit) in [0, 1, 255, -1, i64::MAX].into_iter().flat_map(|key| (0..64).map(move |bit| (key, bit))) {
            let (one, other) = (path(key)?, path(key ^ 1_i64.wrapping_shl(bit))?);
            t.clause(id::PTH_0005);
            is(t, "_is_prefix_of", &one, &other, false)?;
            is(t, "_is_prefix_of", &one, &call(t, "_attr", &[other.any(), view::c_str(c"name")])?, false)?;
            t.clause(id::PTH_0006);
            is(t, "_path_equal", &one, &other, false)?;
        }
    }
    Ok(())
}

/// The method `_to_steps` lists all steps of an access path that has thousands.
#[check(PTH_0004)]
fn thousands_of_steps(t: &Trial) -> Verdict {
    let mut path = root_path(t)?;
    for depth in 1..=4100 {
        path = call(t, "_array_item", &[path.any(), view::int(depth)])?;
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

/// Paths of any two depths, beyond a thousand steps, are equal only if these are one depth, and the shorter is a prefix of the longer.
#[check(PTH_0005, PTH_0006)]
fn prefix_at_any_depth(t: &Trial) -> Verdict {
    const DEPTHS: [i64; 15] = [0, 1, 127, 128, 129, 255, 256, 257, 258, 511, 512, 513, 1000, 1023, 1025];
    let (extend, is_prefix, is_equal) =
        (function(t, "_array_item")?, function(t, "_is_prefix_of")?, function(t, "_path_equal")?);
    let line = || -> Verdict<Vec<Owned>> {
        let (mut path, mut all) = (root_path(t)?, Vec::new());
        for depth in 0..=DEPTHS[DEPTHS.len() - 1] {
            let next = t.call(&extend, &[path.any(), view::int(depth)])?;
            let path = std::mem::replace(&mut path, next);
            if DEPTHS.contains(&depth) {
                all.push(path);
            }
        }
        Ok(all)
    };
    let (line, again) = (line()?, line()?);
    for (at, path) in line.iter().enumerate() {
        for (other, longer) in again.iter().enumerate() {
            for (clause, method, what, expected) in [
                (id::PTH_0005, &is_prefix, "is a prefix of", at <= other),
                (id::PTH_0006, &is_equal, "equals", at == other),
            ] {
                t.clause(clause);
                let answer = t.call(method, &[path.any(), longer.any()])?;
                let what = format!("whether a path of {} steps {what} one of {}", DEPTHS[at], DEPTHS[other]);
                t.any_eq(what, &answer.any(), &view::bool(expected))?;
            }
        }
    }
    Ok(())
}

/// The method `_is_prefix_of` is true for an access path and the paths that continue it, and for no other path.
#[check(PTH_0005)]
fn prefix(t: &Trial) -> Verdict {
    let line = |names: [&str; 3]| -> Verdict<Vec<Owned>> {
        let mut line = vec![root_path(t)?];
        for name in names {
            let name = t.string(name.as_bytes())?;
            line.push(call(t, "_attr", &[line[line.len() - 1].any(), name.any()])?);
        }
        Ok(line)
    };
    let (first, again, branch) = (line(["a", "b", "c"])?, line(["a", "b", "c"])?, line(["a", "x", "c"])?);
    for (short, path) in first.iter().enumerate() {
        for long in 0..4 {
            is(t, "_is_prefix_of", path, &first[long], short <= long)?;
            is(t, "_is_prefix_of", path, &again[long], short <= long)?;
            is(t, "_is_prefix_of", path, &branch[long], short <= long && short < 2)?;
        }
    }
    Ok(())
}

/// The method `_path_equal` is true for access paths of the same steps, and compares texts by content.
#[check(PTH_0006)]
fn equality(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    let path = |kind: usize, key: TVMFFIAny| call(t, EXTENSIONS[kind], &[root.any(), key]);
    let (long, same) = (t.string(b"a text of more than seven bytes")?, t.string(b"a text of more than seven bytes")?);
    is(t, "_path_equal", &path(0, long.any())?, &path(0, same.any())?, true)?;
    is(t, "_path_equal", &path(0, view::c_str(c"short"))?, &path(0, view::c_str(c"short"))?, true)?;
    // One text in both of its forms, and two that differ behind a NUL.
    let (small, object) = (t.string(b"a\0b")?, text_object(kTVMFFIStr, b"a\0b"));
    for kind in [0, 2, 3, 5] {
        is(t, "_path_equal", &path(kind, small.any())?, &path(kind, object.view())?, true)?;
        is(t, "_is_prefix_of", &path(kind, object.view())?, &path(kind, small.any())?, true)?;
        is(t, "_path_equal", &path(kind, small.any())?, &path(kind, t.string(b"a\0c")?.any())?, false)?;
    }
    is(t, "_path_equal", &path(2, t.bytes(b"text")?.any())?, &path(2, t.string(b"text")?.any())?, false)?;
    is(t, "_path_equal", &path(1, view::int(1))?, &path(1, view::int(1 + (1 << 32)))?, false)?;
    is(t, "_path_equal", &path(0, long.any())?, &path(3, long.any())?, false)?;
    is(t, "_path_equal", &path(0, long.any())?, &path(2, long.any())?, false)?;
    is(t, "_path_equal", &path(1, view::int(1))?, &path(1, view::int(2))?, false)?;
    is(t, "_path_equal", &path(2, view::int(1))?, &path(2, view::bool(true))?, false)?;
    is(t, "_path_equal", &path(2, view::int(1))?, &root, false)?;
    is(t, "_path_equal", &root, &call(t, "_root", &[])?, true)
}

/// Access paths that end with one step, which both hold, are equal only if what stands before it is.
#[check(PTH_0006, PTH_0005)]
fn paths_with_a_shared_step(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    let item = |number| call(t, "_array_item", &[root.any(), view::int(number)]);
    let (one, same, other) = (item(1)?, item(1)?, item(2)?);
    // The path that the step is from keeps it.
    let from = item(3)?;
    let step = TVMFFIAny::new(reflected::type_index(t, STEP)?, cell(t, &from)?.step as u64);
    let longer = |path: &Owned| call(t, "_extend", &[path.any(), step]);
    let [long, long_same, long_other] = [longer(&one)?, longer(&same)?, longer(&other)?];
    let beyond = longer(&long_other)?;
    for (left, right, equal) in [(&long, &long_same, true), (&long, &long_other, false), (&long_other, &long, false)] {
        t.clause(id::PTH_0006);
        is(t, "_path_equal", left, right, equal)?;
        t.clause(id::PTH_0005);
        is(t, "_is_prefix_of", left, right, equal)?;
    }
    is(t, "_is_prefix_of", &long, &beyond, false)?;
    is(t, "_is_prefix_of", &long_other, &beyond, true)
}

/// Access paths are equal, or one a prefix of the other, only if the kinds and the keys of all their steps are the same.
#[check(PTH_0005, PTH_0006)]
fn all_pairs_of_steps(t: &Trial) -> Verdict {
    let (small, object) = (t.string(b"a\0b")?, text_object(kTVMFFIStr, b"a\0b"));
    let long = || t.string(b"a text of more than seven bytes");
    let (long, same, bytes) = (long()?, long()?, t.bytes(b"a\0b")?);
    // Keys with the same number are the same.
    let texts = [(0, small.any()), (0, object.view()), (1, long.any()), (1, same.any()), (2, view::c_str(c"a"))];
    let ints = [1, 1 + (1 << 32), 0].map(view::int);
    let ints = [(3, ints[0]), (4, ints[1]), (5, ints[2])];
    let others = [(6, view::bool(true)), (7, view::float(1.0)), (8, TVMFFIAny::NONE), (9, bytes.any())];
    let root = root_path(t)?;
    let mut paths = Vec::new();
    for (kind, method) in EXTENSIONS.into_iter().enumerate() {
        let keys = [&texts[..], &ints, &others];
        let of_kind = match kind % 3 {
            0 => keys[..1].concat(),
            1 => keys[1..2].concat(),
            _ => keys.concat(),
        };
        for (number, key) in of_kind {
            let path = call(t, method, &[root.any(), key])?;
            let longer = call(t, "_attr", &[path.any(), view::c_str(c"behind it")])?;
            paths.push(((kind, number), path, longer));
        }
    }
    let (is_prefix, is_equal) = (function(t, "_is_prefix_of")?, function(t, "_path_equal")?);
    for (step, path, longer) in &paths {
        for (other_step, other, other_longer) in &paths {
            let same = step == other_step;
            for (clause, function, one, other, expected) in [
                (id::PTH_0006, &is_equal, path, other, same),
                (id::PTH_0006, &is_equal, longer, other_longer, same),
                (id::PTH_0005, &is_prefix, path, other, same),
                (id::PTH_0005, &is_prefix, path, other_longer, same),
                (id::PTH_0005, &is_prefix, longer, other_longer, same),
                (id::PTH_0005, &is_prefix, longer, other, false),
            ] {
                t.clause(clause);
                let answer = t.call(function, &[one.any(), other.any()])?;
                let what = format!("answer about paths with the steps {step:?} and {other_step:?} of kind and key");
                t.any_eq(what, &answer.any(), &view::bool(expected))?;
            }
        }
    }
    Ok(())
}

/// A path as the list of its steps: a kind and a small number, which chooses a text where the key is a text.
type Model = Vec<(usize, i64)>;

/// Random access paths are listed and compared as the lists of their steps are.
#[check(PTH_0006, PTH_0005, PTH_0004)]
fn model(t: &Trial) -> Verdict {
    let path = || collection::vec((0..6_usize, 0..3_i64), 0..4);
    // The second path begins with some steps of the first.
    let pairs = (path(), path(), 0..5_usize).prop_map(|(one, rest, common)| {
        let other: Model = one.iter().take(common).copied().chain(rest).collect();
        (one, other)
    });
    t.property_told(
        pairs,
        |(one, other)| format!("{} and {}", told(one), told(other)),
        |(one, other)| {
            let (first, second) = (build(t, one)?, build(t, other)?);
            t.clause(id::PTH_0004);
            let listed: Vec<_> = steps_of(t, &first)?.into_iter().map(|(kind, _)| kind).collect();
            t.eq("kinds of the steps", listed, one.iter().map(|(kind, _)| *kind as i32).collect())?;
            t.clause(id::PTH_0006);
            is(t, "_path_equal", &first, &second, one == other)?;
            t.clause(id::PTH_0005);
            is(t, "_is_prefix_of", &first, &second, other.starts_with(one))?;
            is(t, "_is_prefix_of", &second, &first, one.starts_with(other))
        },
    )
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

/// A method of an access path raises an error for an argument of another type, and keeps no reference to it.
#[check(PTH_0008)]
fn methods_refuse(t: &Trial) -> Verdict {
    refuse(t, &[])
}

/// The error of a method of an access path that refuses an argument of another type is a TypeError.
#[check(PTH_0010)]
fn methods_raise_type_errors(t: &Trial) -> Verdict {
    refuse(t, &["TypeError"])
}

/// A method of an access path that is given an object to keep, in whatever place, gives it up when it fails.
#[check(PTH_0008)]
fn methods_keep_nothing_given(t: &Trial) -> Verdict {
    let values = Values::new(t)?;
    for (method, params) in METHODS {
        let function = function(t, method)?;
        for place in 0..params.len() {
            let mut given = Given::default();
            let mut args = params.map(|param| values.of(param));
            args[place] = given.arg();
            drop(t.answer_of(function.handle(), &args)?);
            given.is_accounted_for(t, format!("{method} as argument {place}"))?;
        }
    }
    values.are_lent(t, "all methods", &values.counts(t)?)
}

/// A method of an access path gives back every reference that it takes when its answer ends.
#[check(PTH_0009)]
fn methods_lend(t: &Trial) -> Verdict {
    let values = Values::new(t)?;
    let before = values.counts(t)?;
    for (method, params) in METHODS {
        drop(call(t, method, &params.map(|param| values.of(param)))?);
        values.are_lent(t, method, &before)?;
        let function = function(t, method)?;
        // One argument too few or too many.
        drop(t.answer_of(function.handle(), &[values.path.any()])?);
        drop(t.answer_of(
            function.handle(),
            &[&params.map(|param| values.of(param))[..], &[values.text.any()]].concat(),
        )?);
        values.are_lent(t, method, &before)?;
    }
    Ok(())
}

/// What a method takes in a place.
#[derive(Clone, Copy, PartialEq)]
enum Param {
    Path,
    Step,
    Text,
    Int,
    Anything,
}

/// The methods with two arguments, and what they take.
const METHODS: [(&str, [Param; 2]); 9] = [
    ("_attr", [Param::Path, Param::Text]),
    ("_attr_missing", [Param::Path, Param::Text]),
    ("_array_item", [Param::Path, Param::Int]),
    ("_array_item_missing", [Param::Path, Param::Int]),
    ("_map_item", [Param::Path, Param::Anything]),
    ("_map_item_missing", [Param::Path, Param::Anything]),
    ("_extend", [Param::Path, Param::Step]),
    ("_is_prefix_of", [Param::Path, Param::Path]),
    ("_path_equal", [Param::Path, Param::Path]),
];

/// A value for each parameter, and one that no parameter but a key takes.
struct Values {
    path: Owned,
    step: Owned,
    text: Owned,
    stranger: Homemade<[u64; 12]>,
}

impl Values {
    fn new(t: &Trial) -> Verdict<Self> {
        let path = call(t, "_array_item", &[root_path(t)?.any(), view::int(3)])?;
        let (step, text) = (t.access_step(1, view::int(3))?, t.string(b"a text of more than seven bytes")?);
        Ok(Self { path, step, text, stranger: Homemade::new(kTVMFFIError, [0; 12]) })
    }

    fn of(&self, param: Param) -> TVMFFIAny {
        match param {
            Param::Path => self.path.any(),
            Param::Step => self.step.any(),
            Param::Text | Param::Anything => self.text.any(),
            Param::Int => view::int(3),
        }
    }

    /// Values that are of another type than a parameter.
    fn others(&self, param: Param) -> Vec<TVMFFIAny> {
        let all = [
            (Param::Path, self.path.any()),
            (Param::Step, self.step.any()),
            (Param::Text, self.text.any()),
            (Param::Text, view::c_str(c"name")),
            (Param::Int, view::int(1)),
            (Param::Anything, self.stranger.view()),
            (Param::Anything, view::float(1.5)),
        ];
        let other = |(of, _): &(Param, TVMFFIAny)| *of != param && param != Param::Anything;
        all.into_iter().filter(other).map(|(_, value)| value).collect()
    }

    fn counts(&self, t: &Trial) -> Verdict<[(u32, u32); 4]> {
        let of = |owned: &Owned| t.counts(owned.handle());
        Ok([of(&self.path)?, of(&self.step)?, of(&self.text)?, self.stranger.counts()])
    }

    /// Expects nobody to hold more of them than before.
    fn are_lent(&self, t: &Trial, what: &str, before: &[(u32, u32); 4]) -> Verdict {
        t.eq(format_args!("counts of path, step, text and stranger after {what}"), self.counts(t)?, *before)
    }
}

/// Expects the methods to refuse arguments of other types with errors of these kinds, and to keep none.
fn refuse(t: &Trial, kinds: &[&str]) -> Verdict {
    let values = Values::new(t)?;
    let before = values.counts(t)?;
    for (method, params) in METHODS {
        let function = function(t, method)?;
        for (place, param) in params.into_iter().enumerate() {
            for other in values.others(param) {
                let mut args = params.map(|param| values.of(param));
                args[place] = other;
                let refused = t.call_fails(&function, &args, kinds);
                drop(refused.map_err(|failure| failure.noting(format!("{method} with {other:?} in place {place}")))?);
                values.are_lent(t, method, &before)?;
            }
        }
    }
    Ok(())
}

/// Making, listing and releasing access paths does not make the heap grow.
#[check(PTH_0009, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let methods = [function(t, "_root")?, function(t, "_attr")?, function(t, "_to_steps")?];
    t.no_growth("memory for paths", || {
        let root = t.call(&methods[0], &[])?;
        let path = t.call(&methods[1], &[root.any(), view::c_str(c"a text of more than seven bytes")])?;
        t.call(&methods[2], &[path.any()]).map(drop)
    })
}

/// What follows the header of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Cell {
    parent: *mut c_void,
    step: *mut c_void,
    depth: i32,
}

impl Cell {
    const ROOT: Self = Self { parent: std::ptr::null_mut(), step: std::ptr::null_mut(), depth: 0 };
}

/// What follows the header of a step.
#[derive(Clone, Copy)]
#[repr(C)]
struct StepCell {
    kind: i32,
    key: TVMFFIAny,
}

/// The fields of an access path.
fn cell(t: &Trial, path: &Owned) -> Verdict<Cell> {
    t.type_index_eq("type_index of a path", path.any().type_index, reflected::type_index(t, PATH)?)?;
    t.cell("fields of a path", path.handle())
}

/// Expects a step of that kind and key.
fn is_step(t: &Trial, step: TVMFFIObjectHandle, kind: usize, key: &TVMFFIAny) -> Verdict {
    t.type_index_eq("type_index of the step", t.header(step)?.type_index, reflected::type_index(t, STEP)?)?;
    let cell: StepCell = t.cell("fields of a step", step)?;
    t.eq("kind of the step", cell.kind, kind as i32)?;
    if key.type_index != kTVMFFIStr {
        return t.any_eq("key of the step", &cell.key, key);
    }
    // A text may have been copied, so its content is compared.
    t.type_index_eq("type_index of the key", cell.key.type_index, kTVMFFIStr)?;
    t.eq("key of the step", t.text(&cell.key)?.escape_ascii().to_string(), t.text(key)?.escape_ascii().to_string())
}

/// The kinds and the bytes of the keys of a path's steps.
fn steps_of(t: &Trial, path: &Owned) -> Verdict<Vec<(i32, [u8; 16])>> {
    let array = call(t, "_to_steps", &[path.any()])?;
    t.type_index_eq("type_index of the steps", array.any().type_index, kTVMFFIArray)?;
    let size = t.call_global("ffi.ArraySize", &[array.any()])?.any().payload();
    t.eq("number of steps", size, cell(t, path)?.depth as u64)?;
    let step = |place| {
        let step = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(place as i64)])?;
        let cell: StepCell = t.cell("fields of a step", step.handle())?;
        Ok((cell.kind, cell.key.to_bytes()))
    };
    (0..size).map(step).collect()
}

/// A path as the calls that make it, such as `root._attr("a")._array_item(1)`.
fn told(model: &Model) -> String {
    let step = |&(kind, number): &(usize, i64)| match kind % 3 {
        1 => format!(".{}({number})", EXTENSIONS[kind]),
        _ => format!(".{}({:?})", EXTENSIONS[kind], NAMES[number as usize]),
    };
    format!("root{}", model.iter().map(step).collect::<String>())
}

/// The path of a model.
fn build(t: &Trial, model: &Model) -> Verdict<Owned> {
    let mut path = root_path(t)?;
    for (kind, number) in model {
        let key = if kind % 3 == 1 { view::int(*number) } else { view::c_str(NAMES[*number as usize]) };
        path = call(t, EXTENSIONS[*kind], &[path.any(), key])?;
    }
    Ok(path)
}

/// A new root.
fn root_path(t: &Trial) -> Verdict<Owned> {
    call(t, "_root", &[])
}

/// Calls a method of access paths.
fn call(t: &Trial, method: &str, args: &[TVMFFIAny]) -> Verdict<Owned> {
    t.call(&function(t, method)?, args).map_err(|failure| failure.noting(format!("calling {method}")))
}

/// Expects a method to answer that about two paths.
fn is(t: &Trial, method: &str, one: &Owned, other: &Owned, expected: bool) -> Verdict {
    let answer = call(t, method, &[one.any(), other.any()])?;
    t.any_eq(format_args!("answer of {method}"), &answer.any(), &view::bool(expected))
}

/// A method of access paths, with a reference of the caller's own.
fn function(t: &Trial, name: &str) -> Verdict<Owned> {
    let method = reflected::method(t, reflected::type_index(t, PATH)?, name)?;
    t.type_index_eq(format_args!("type_index of {name}"), method.method.type_index, kTVMFFIFunction)?;
    reflected::share(t, method.method)
}
