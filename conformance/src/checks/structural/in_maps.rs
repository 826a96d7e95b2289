//! Containers in which one value defines a variable that another uses: equality, hash and first mismatch agree, whatever
//! the keys are and in whatever order they come.

use std::{ffi::CStr, fmt};

use tvm_ffi_spec::{clause::id, *};

use super::asked::Asked;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        access_path::Step,
        node::{node, node_type},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// Containers that are structurally equal have one hash where a value defines a variable that another uses, whatever keys the values have and
/// whatever they stand in.
#[check(SEQ_0007, SEQ_0037, SEQ_0043)]
fn one_hash_of_what_defines_and_uses(t: &Trial) -> Verdict {
    let asked = Asked::new(t)?;
    for (layer, kinds) in kinds(t)?.into_iter().enumerate() {
        for place in Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)) {
            for (column, make) in t.containers()?.into_iter().enumerate() {
                let function = t.global(make)?;
                for (row, roles) in ROWS.into_iter().enumerate() {
                    // By themselves with many keys, and otherwise with some, so that their hashes come in any order; of those every other one,
                    // so that each comes with each of all else.
                    let sets = match (make, place) {
                        ("ffi.Array" | "ffi.List", _) => 1,
                        (_, Place::Alone) => 16,
                        _ => 4,
                    };
                    let first = if sets == 1 { 0 } else { (layer + column / 2 + row) % 2 };
                    for set in (first..sets).step_by(2) {
                        let (keys, order) = (keys(set), &IN_TURN[..roles.len()]);
                        let make_one = || -> Verdict<Owned> {
                            container(t, &function, is_map(make), &keys, &values(t, &kinds, roles, place)?, order)
                        };
                        let what =
                            format_args!("{make} of {roles:?}, each {place:?}, with keys {set}, {}", kinds.binds);
                        let (one, other) = (make_one()?, make_one()?);
                        let equal = agree(t, &asked, what, &one, &other)?;
                        have_one_hash_where(t, &asked, what, &one, &other, equal)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Structural equality of Maps and Dicts is symmetric in whatever order the values stand that define a variable and use it, and those that
/// are equal are those without a mismatch.
#[check(SEQ_0037, SEQ_0043)]
fn symmetric_in_every_order(t: &Trial) -> Verdict {
    in_every_order(t, |t, asked, what, one, other| agree(t, asked, what, one, other).map(drop))
}

/// Maps and Dicts that are structurally equal in whatever order their values stand have one hash, where a value defines a variable that
/// another uses.
#[check(SEQ_0007)]
fn one_hash_in_every_order(t: &Trial) -> Verdict {
    in_every_order(t, have_one_hash)
}

/// Where Maps and Dicts differ in one entry alone, and a value of theirs defines a variable that another uses, the first mismatch leads to that
/// entry, wherever it stands.
#[check(SEQ_0010)]
fn mismatch_leads_to_the_entry_that_differs(t: &Trial) -> Verdict {
    const KEY: &CStr = c"what differs";
    let (asked, paths) = (Asked::new(t)?, [Step::entry("what differs"), Step::item(1)]);
    for (layer, kinds) in kinds(t)?.into_iter().enumerate() {
        for (column, make) in t.containers()?.into_iter().filter(|make| is_map(make)).enumerate() {
            let function = t.global(make)?;
            for (row, (roles, place)) in
                ROWS.iter().flat_map(|roles| [Place::Alone, Place::InArray].map(|place| (roles, place))).enumerate()
            {
                for position in 0..=roles.len() {
                    // In turn, so that each comes with each of all else.
                    let within = (layer + column + row + row / 2 + position) % 2 == 0;
                    let keys = keys(7);
                    let side = |number: i64| -> Verdict<Owned> {
                        let values = values(t, &kinds, roles, place)?;
                        let array = t.call_global("ffi.Array", &[view::int(1), view::int(number)])?;
                        let differing = if within { array.any() } else { view::int(number) };
                        let mut entries: Vec<_> =
                            keys.iter().zip(&values).map(|(key, value)| [*key, value.any()]).collect();
                        entries.insert(position, [view::c_str(KEY), differing]);
                        t.call(&function, &entries.concat())
                    };
                    let (one, twin, other) = (side(1)?, side(1)?, side(2)?);
                    // Which variables correspond in which order is for other clauses to say.
                    if asked.are_equal(t, &one, &twin, false)? {
                        let path = if within { &paths[..] } else { &paths[..1] };
                        let what = format_args!("where entry {position} differs in {make} of {roles:?}, {place:?}");
                        let (found, expected) = (t.mismatch(&one.any(), &other.any())?, [path.to_vec(), path.to_vec()]);
                        t.eq(format_args!("the first mismatch {what}, {}", kinds.binds), found, Some(expected))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Has Maps and Dicts judged in pairs, with their values in every order.
fn in_every_order(t: &Trial, judge: fn(&Trial, &Asked, fmt::Arguments, &Owned, &Owned) -> Verdict) -> Verdict {
    let asked = Asked::new(t)?;
    const PAIRS: [[usize; 2]; 6] = [[0, 0], [0, 1], [1, 1], [2, 2], [3, 3], [4, 4]];
    for (layer, kinds) in kinds(t)?.into_iter().enumerate() {
        for (column, make) in t.containers()?.into_iter().filter(|make| is_map(make)).enumerate() {
            let function = t.global(make)?;
            for (row, [left, right]) in PAIRS.into_iter().enumerate() {
                // In turn, so that each comes with each of all else.
                let set = [0, 7][(layer + column + row) % 2];
                let keys = keys(set);
                let orders = if ROWS[left].len() == 2 { ORDERS_OF_TWO } else { ORDERS_OF_THREE };
                let sides = |row: usize| -> Verdict<Vec<Owned>> {
                    let values = values(t, &kinds, ROWS[row], Place::Alone)?;
                    orders.iter().map(|order| container(t, &function, true, &keys, &values, order)).collect()
                };
                let (lefts, rights) = (sides(left)?, sides(right)?);
                for (lhs, one) in orders.iter().zip(&lefts) {
                    for (rhs, other) in orders.iter().zip(&rights) {
                        let rows =
                            format_args!("{:?} in the order {lhs:?} and {:?} in {rhs:?}", ROWS[left], ROWS[right]);
                        judge(
                            t,
                            &asked,
                            format_args!("{make} of {rows}, with keys {set}, {}", kinds.binds),
                            one,
                            other,
                        )?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Expects two values to be equal in both directions or in none, and to have no mismatch just where they are; answers whether they are equal, and
/// whether they are when free variables are mapped.
fn agree(t: &Trial, asked: &Asked, what: fmt::Arguments, one: &Owned, other: &Owned) -> Verdict<[bool; 2]> {
    let mut answers = [false; 2];
    for mapped in [false, true] {
        let what = format_args!("{what}{}", if mapped { ", when free variables are mapped" } else { "" });
        t.clause(id::SEQ_0037);
        let equal = asked.are_equal(t, one, other, mapped)?;
        let back = asked.are_equal(t, other, one, mapped)?;
        t.eq(format_args!("whether the second equals the first of {what}"), back, equal)?;
        t.clause(id::SEQ_0043);
        for (side, lhs, rhs) in [("first", one, other), ("second", other, one)] {
            let none = asked.have_no_mismatch(t, lhs, rhs, mapped)?;
            t.eq(format_args!("whether there is no mismatch, asked of the {side} of {what}"), none, equal)?;
        }
        answers[usize::from(mapped)] = equal;
    }
    Ok(answers)
}

/// Expects two values to have one hash where they are equal.
fn have_one_hash(t: &Trial, asked: &Asked, what: fmt::Arguments, one: &Owned, other: &Owned) -> Verdict {
    let equal = [false, true].map(|mapped| asked.are_equal(t, one, other, mapped));
    let [plain, mapped] = equal;
    have_one_hash_where(t, asked, what, one, other, [plain?, mapped?])
}

/// The same, where that is known of them.
fn have_one_hash_where(
    t: &Trial,
    asked: &Asked,
    what: fmt::Arguments,
    one: &Owned,
    other: &Owned,
    equal: [bool; 2],
) -> Verdict {
    for mapped in [false, true].into_iter().filter(|mapped| equal[usize::from(*mapped)]) {
        t.clause(id::SEQ_0007);
        let hash = asked.hash(t, one, mapped)?;
        let what = format_args!("the hash of the second of {what}, when free variables are mapped: {mapped}");
        t.eq(what, asked.hash(t, other, mapped)?, hash)?;
    }
    Ok(())
}

/// What a value does with a variable, which has a number.
#[derive(Clone, Copy, Debug)]
enum Role {
    Defines(usize),
    Uses(usize),
}

/// The values of containers: those of two come first, then those of three.
const ROWS: [&[Role]; 7] = {
    use Role::{Defines, Uses};
    [
        &[Defines(0), Uses(0)],
        &[Uses(0), Defines(0)],
        &[Defines(0), Uses(0), Uses(0)],
        &[Uses(0), Defines(0), Uses(0)],
        &[Defines(0), Defines(1), Uses(1)],
        &[Defines(0), Defines(1), Uses(1), Uses(0)],
        &[Defines(0), Uses(0), Defines(1), Uses(1)],
    ]
};

const IN_TURN: &[usize] = &[0, 1, 2, 3];
const ORDERS_OF_TWO: &[&[usize]] = &[&[0, 1], &[1, 0]];
const ORDERS_OF_THREE: &[&[usize]] = &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]];

/// The types of variables and of what defines them.
struct Kinds {
    binds: &'static str,
    variable: i32,
    definition: i32,
}

/// Definitions by a field of either flag.
fn kinds(t: &Trial) -> Verdict<Vec<Kinds>> {
    let variable = node_type(t, "test.VarInMap", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    [
        ("defined by a pattern", "test.PatternInMap", kTVMFFIFieldFlagBitMaskSEqHashDefPattern),
        ("defined simply", "test.SimpleInMap", kTVMFFIFieldFlagBitMaskSEqHashDefSimple),
    ]
    .into_iter()
    .map(|(binds, key, flag)| {
        let definition = node_type(t, key, kTVMFFISEqHashKindTreeNode, [flag, 0])?;
        Ok(Kinds { binds, variable, definition })
    })
    .collect()
}

/// Values with variables of their own, each at this place.
fn values(t: &Trial, kinds: &Kinds, roles: &[Role], place: Place) -> Verdict<Vec<Owned>> {
    let variables = [(); 2].map(|()| node(kinds.variable, view::int(1), view::int(2)));
    let value = |role: &Role| match *role {
        Role::Uses(which) => place.put(t, &variables[which].view()),
        Role::Defines(which) => place.put(t, &node(kinds.definition, variables[which].view(), view::int(3)).view()),
    };
    roles.iter().map(value).collect()
}

/// Four of eight keys, in one of sixteen ways.
fn keys(set: usize) -> Vec<TVMFFIAny> {
    let all = [
        view::c_str(c"a"),
        view::c_str(c"b"),
        view::int(0),
        view::c_str(c"a key on the heap"),
        view::int(1),
        view::c_str(c"c"),
        view::int(-7),
        view::int(1 << 40),
    ];
    // Every odd step leads through all of them.
    let (start, step) = (set / 4 * 2 + 5, set % 4 * 2 + 1);
    (0..4).map(|at| all[(start + at * step) % all.len()]).collect()
}

fn is_map(make: &str) -> bool {
    matches!(make, "ffi.Map" | "ffi.Dict")
}

/// A container of values in this order, each with its key.
fn container(
    t: &Trial,
    make: &Owned,
    is_map: bool,
    keys: &[TVMFFIAny],
    values: &[Owned],
    order: &[usize],
) -> Verdict<Owned> {
    let entry = |at: &usize| [is_map.then(|| keys[*at]), Some(values[*at].any())].into_iter().flatten();
    t.call(make, &order.iter().flat_map(entry).collect::<Vec<_>>())
}
