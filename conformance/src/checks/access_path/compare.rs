//! Which access paths are equal, and which are continued by others.

use proptest::{collection, prelude::*};
use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, containers::keys::text_object, reflected, view},
    trial::Trial,
};

/// Paths whose integer keys differ in any one bit are different, and neither continues the other.
#[check(PTH_0005, PTH_0006)]
fn keys_of_any_size(t: &Trial) -> Verdict {
    let (root, attr) = (root_path(t)?, function(t, "_attr")?);
    let (is_prefix, is_equal) = (function(t, "_is_prefix_of")?, function(t, "_path_equal")?);
    for method in ["_array_item", "_map_item"] {
        let method = function(t, method)?;
        let path = |key| t.call(&method, &[root.any(), view::int(key)]);
        for (key, bit) in [0, 1, 255, -1, i64::MAX].into_iter().flat_map(|key| (0..64).map(move |bit| (key, bit))) {
            let (one, other) = (path(key)?, path(key ^ 1_i64.wrapping_shl(bit))?);
            t.clause(id::PTH_0005);
            let longer = t.call(&attr, &[other.any(), view::c_str(c"name")])?;
            answers(t, "_is_prefix_of", &is_prefix, &one, &other, false)?;
            answers(t, "_is_prefix_of", &is_prefix, &one, &longer, false)?;
            t.clause(id::PTH_0006);
            answers(t, "_path_equal", &is_equal, &one, &other, false)?;
        }
    }
    Ok(())
}

/// Depths of paths around those at which what is made for paths of few steps comes to its end.
const DEPTHS: [i64; 17] = [0, 1, 15, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 511, 513, 1000, 1025];

/// Paths of any two depths, beyond a thousand steps, are equal only if these are one depth, and the shorter is a prefix of the longer.
#[check(PTH_0005, PTH_0006)]
fn prefix_at_any_depth(t: &Trial) -> Verdict {
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
                let what = format_args!("whether a path of {} steps {what} one of {}", DEPTHS[at], DEPTHS[other]);
                t.any_eq(what, &answer.any(), &view::bool(expected))?;
            }
        }
    }
    Ok(())
}

/// Paths of any depth, beyond a thousand steps, that differ in one step, wherever it is, are not equal, and neither is a prefix of the
/// other or of what continues it.
#[check(PTH_0005, PTH_0006)]
fn one_step_differs_at_any_depth(t: &Trial) -> Verdict {
    let (extend, is_prefix, is_equal) =
        (function(t, "_array_item")?, function(t, "_is_prefix_of")?, function(t, "_path_equal")?);
    let longer = |path: &Owned, key| t.call(&extend, &[path.any(), view::int(key)]);
    let mut line = vec![root_path(t)?];
    for depth in 0..DEPTHS[DEPTHS.len() - 1] {
        let path = longer(&line[line.len() - 1], depth)?;
        line.push(path);
    }
    let differ = |path: &Owned, depth: usize, at: usize| -> Verdict {
        let what = |what: &str| format!("whether a path of {depth} steps {what} one that differs from it in step {at}");
        for (clause, method, how, one, other) in [
            (id::PTH_0006, &is_equal, "equals", path, &line[depth]),
            (id::PTH_0005, &is_prefix, "is a prefix of", path, &line[depth]),
            (id::PTH_0005, &is_prefix, "is a prefix of what continues", path, &line[line.len() - 1]),
            (id::PTH_0005, &is_prefix, "is a prefix of", &line[depth], path),
        ] {
            t.clause(clause);
            t.any_eq(what(how), &t.call(method, &[one.any(), other.any()])?.any(), &view::bool(false))?;
        }
        Ok(())
    };
    // The first step, some in the middle, and of all depths the last step.
    let depths = DEPTHS.map(|depth| depth as usize);
    for (at, end) in [(0, line.len()), (20, 130), (300, 514)] {
        let mut path = longer(&line[at], -1)?;
        for depth in at + 1..end {
            if depths.contains(&depth) {
                differ(&path, depth, at)?;
            }
            path = longer(&path, depth as i64)?;
        }
    }
    depths[1..].iter().try_for_each(|&depth| differ(&longer(&line[depth - 1], -1)?, depth, depth - 1))
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
    let object_of_bytes = text_object(kTVMFFIBytes, b"a\0b");
    let long_bytes = |last: u8| t.bytes(&[&b"more than seven byte"[..], &[last]].concat());
    let (long_bytes, same_bytes, unlike_bytes) = (long_bytes(b's')?, long_bytes(b's')?, long_bytes(b'z')?);
    let short_bytes = [t.bytes(b"")?, t.bytes(b"a\0c")?];
    // Keys with the same number are the same.
    let texts = [(0, small.any()), (0, object.view()), (1, long.any()), (1, same.any()), (2, view::c_str(c"a"))];
    let ints = [1, 1 + (1 << 32), 0].map(view::int);
    let ints = [(3, ints[0]), (4, ints[1]), (5, ints[2])];
    let others = [(6, view::bool(true)), (7, view::float(1.0)), (8, TVMFFIAny::NONE)];
    let bytes = [
        (9, bytes.any()),
        (9, object_of_bytes.view()),
        (10, long_bytes.any()),
        (10, same_bytes.any()),
        (11, unlike_bytes.any()),
        (12, short_bytes[0].any()),
        (13, short_bytes[1].any()),
    ];
    let root = root_path(t)?;
    let mut paths = Vec::new();
    for (kind, method) in EXTENSIONS.into_iter().enumerate() {
        let keys = [&texts[..], &ints, &others, &bytes];
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
    for (at, (step, path, longer)) in paths.iter().enumerate() {
        for (other_at, (other_step, other, other_longer)) in paths.iter().enumerate() {
            let same = step == other_step;
            let questions = [
                (id::PTH_0006, &is_equal, path, other, same),
                (id::PTH_0005, &is_prefix, path, other_longer, same),
                (id::PTH_0005, &is_prefix, longer, other, false),
                (id::PTH_0006, &is_equal, longer, other_longer, same),
                (id::PTH_0005, &is_prefix, path, other, same),
                (id::PTH_0005, &is_prefix, longer, other_longer, same),
            ];
            // Of two that differ, half the questions from each side.
            let asked = match (at < other_at) == ((at + other_at) % 2 == 0) {
                _ if same => &questions[..],
                true => &questions[..3],
                false => &questions[3..],
            };
            for &(clause, function, one, other, expected) in asked {
                t.clause(clause);
                let answer = t.call(function, &[one.any(), other.any()])?;
                let what =
                    format_args!("answer about paths with the steps {step:?} and {other_step:?} of kind and key");
                t.any_eq(what, &answer.any(), &view::bool(expected))?;
            }
        }
    }
    Ok(())
}

/// Random access paths are listed and compared as the lists of their steps are.
#[check(PTH_0006, PTH_0005, PTH_0004)]
fn model(t: &Trial) -> Verdict {
    let path = || collection::vec((0..6_usize, 0..3_i64), 0..4);
    // The second path begins with some steps of the first.
    let pairs = (path(), path(), 0..5_usize).prop_map(|(one, rest, common)| {
        let other: Model = one.iter().take(common).copied().chain(rest).collect();
        (one, other)
    });
    let (is_prefix, is_equal) = (function(t, "_is_prefix_of")?, function(t, "_path_equal")?);
    t.property_told(
        pairs,
        |(one, other)| format!("{} and {}", told(one), told(other)),
        |(one, other)| {
            let (first, second) = (build(t, one)?, build(t, other)?);
            t.clause(id::PTH_0004);
            let listed: Vec<_> = steps_of(t, &first)?.into_iter().map(|(kind, _)| kind).collect();
            t.eq("kinds of the steps", listed, one.iter().map(|(kind, _)| *kind as i32).collect())?;
            t.clause(id::PTH_0006);
            answers(t, "_path_equal", &is_equal, &first, &second, one == other)?;
            t.clause(id::PTH_0005);
            answers(t, "_is_prefix_of", &is_prefix, &first, &second, other.starts_with(one))?;
            answers(t, "_is_prefix_of", &is_prefix, &second, &first, one.starts_with(other))
        },
    )
}
