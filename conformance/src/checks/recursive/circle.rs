//! Circles through several objects, copied from each of them and printed beside each other.

use std::fmt;

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        node::{changing_node_type, node, set_first},
        view,
    },
    trial::Trial,
};

/// The deep copy of a circle of any length, through Arrays, Maps, objects and something that can be changed, has its shape, and nothing in it is
/// the original's, from whichever member on it is copied; or it is an error.
#[check(REC_0018, REC_0016, REC_0015)]
fn copy_from_each_member(t: &Trial) -> Verdict {
    let (kind, deep_copy) = (object_type(t, "verify.circle.Copied")?, t.global("ffi.DeepCopy")?);
    for first in ["ffi.List", "ffi.Dict", OBJECT] {
        for links in chains(&["ffi.Array", "ffi.Map", OBJECT]) {
            // What is kept for good is in a circle.
            let mut members = vec![member(t, kind, first, 0, TVMFFIAny::NONE)?];
            for (number, link) in (1..).zip(&links) {
                members.push(member(t, kind, link, number, members[members.len() - 1])?);
            }
            let last = members[members.len() - 1];
            match first {
                "ffi.List" => t.call_void("ffi.ListSetItem", &[members[0], view::int(1), last])?,
                "ffi.Dict" => t.call_void("ffi.DictSetItem", &[members[0], view::int(0), last])?,
                _ => set_first(&members[0], &last),
            }
            for (number, value) in members.iter().enumerate() {
                let what = format_args!("a circle of {first} and {links:?}, from member {number} on");
                copied_apart(t, &deep_copy, kind, value, what)?;
            }
        }
    }
    Ok(())
}

/// The deep copy of a Dict of any size that is in itself has its entries in the same order, however many of its values lead back to it, wherever they
/// stand and whatever they lead through; or it is an error.
#[check(REC_0015, REC_0018, REC_0016)]
fn copy_of_dict_in_circle_keeps_its_order(t: &Trial) -> Verdict {
    let kind = object_type(t, "verify.circle.Around")?;
    let around: [&[&str]; 6] =
        [&[], &["ffi.Array"], &["ffi.Map"], &[OBJECT], &["ffi.List"], &["ffi.Array", "ffi.Map", "ffi.Array"]];
    let [make, set, deep_copy] = t.globals(["ffi.Dict", "ffi.DictSetItem", "ffi.DeepCopy"])?;
    for (layer, links) in around.into_iter().enumerate() {
        for (row, size) in [3, 4, 5, 6, 9, 13, 20].into_iter().enumerate() {
            let places: [(&str, &dyn Fn(i64) -> bool); 8] = [
                ("first", &|at| at == 0),
                ("second", &|at| at == 1),
                ("middle", &|at| at == size / 2),
                ("last", &|at| at == size - 1),
                ("first two", &|at| at < 2),
                ("last two", &|at| at >= size - 2),
                ("every other", &|at| at % 2 == 0),
                ("all", &|_| true),
            ];
            // Every other one, and the others of the next size and way around, so that each comes with each of all else.
            for (which, leads_back) in places.into_iter().skip((layer + row) % 2).step_by(2) {
                let dict = t.call(&make, &[])?.into_any();
                let mut outer = dict;
                for (number, link) in (1000..).zip(links) {
                    outer = member(t, kind, link, number, outer)?;
                }
                // Keys that do not come in the order of their size.
                for at in 0..size {
                    let value = if leads_back(at) { outer } else { view::int(100 + at) };
                    let answer = t.call(&set, &[dict, view::int(at * 7 % 23), value])?.any();
                    t.any_eq("answer of ffi.DictSetItem", &answer, &TVMFFIAny::NONE)?;
                }
                let what = format_args!("a Dict of {size}, in whose {which} values it is, by way of {links:?}");
                copied_apart(t, &deep_copy, kind, &dict, format_args!("{what}, from the Dict on"))?;
                if !links.is_empty() {
                    copied_apart(t, &deep_copy, kind, &outer, format_args!("{what}, from the other end"))?;
                }
            }
        }
    }
    Ok(())
}

/// Each member of a circle is printed with `...` only in the place of itself, alone and beside any other member.
#[check(REC_0028, REC_0037)]
fn print_beside_each_other(t: &Trial) -> Verdict {
    let all = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    for first in ["ffi.List", "ffi.Dict"] {
        for links in chains(&all).into_iter().filter(|links| links.len() < 3) {
            let mut members = vec![t.call_global(first, &[])?];
            for (mark, link) in MARKS[1..].iter().zip(&links) {
                members.push(t.call_global(link, &[view::c_str(mark), members[members.len() - 1].any()])?);
            }
            let (mark, last) = (view::c_str(MARKS[0]), members[members.len() - 1].any());
            if first == "ffi.List" {
                t.call_void("ffi.ListAppend", &[members[0].any(), mark])?;
                t.call_void("ffi.ListAppend", &[members[0].any(), last])?;
            } else {
                t.call_void("ffi.DictSetItem", &[members[0].any(), mark, last])?;
            }
            let judged = printed_in_full(t, &format!("a circle of {first} and {links:?}"), &members);
            let clear = if first == "ffi.List" { "ffi.ListClear" } else { "ffi.DictClear" };
            t.call_void(clear, &[members[0].any()])?;
            judged?;
        }
    }
    Ok(())
}

/// What tells the members of a circle from each other in a text.
const MARKS: &[&std::ffi::CStr] = &[c"mark_a", c"mark_b", c"mark_c"];

/// Expects the members of a circle to be printed in full, each with one `...`, alone and where several stand beside each other.
fn printed_in_full(t: &Trial, circle: &str, members: &[Owned]) -> Verdict {
    let print = t.global("ffi.ReprPrint")?;
    let expect = |what: fmt::Arguments, value: &TVMFFIAny, times: usize| -> Verdict {
        let text = t.text(&t.call(&print, &[*value])?.any())?;
        let marks = MARKS[..members.len()].iter().map(|mark| mark.to_bytes());
        for part in [&b"..."[..]].into_iter().chain(marks) {
            let count = text.windows(part.len()).filter(|window| window[0] == part[0] && *window == part).count();
            let part = part.escape_ascii();
            t.eq(format_args!("how often {part} stands in {}, {what}", text.escape_ascii()), count, times)?;
        }
        Ok(())
    };
    t.clause(id::REC_0028);
    for (number, value) in members.iter().enumerate() {
        expect(format_args!("member {number} of {circle}"), &value.any(), 1)?;
    }
    t.clause(id::REC_0037);
    let makes = t.containers()?;
    let pairs = (0..members.len()).flat_map(|one| (0..members.len()).map(move |other| [one, other]));
    for [one, other] in pairs {
        for row in [&[one, other][..], &[one, other, one]] {
            for make in makes.iter().copied() {
                let whole = t.container_of(make, &row.iter().map(|which| members[*which].any()).collect::<Vec<_>>())?;
                expect(format_args!("{make} of the members {row:?} of {circle}"), &whole.any(), row.len())?;
            }
        }
    }
    Ok(())
}

/// What a circle has where an object of a client's is a member.
const OBJECT: &str = "an object";

/// A type of objects that can be copied.
fn object_type(t: &Trial, key: &str) -> Verdict<i32> {
    changing_node_type(t, key, kTVMFFISEqHashKindTreeNode, [0; 2])
}

/// A member of a circle, which leads to the next one and has a number.
fn member(t: &Trial, kind: i32, make: &str, number: i64, next: TVMFFIAny) -> Verdict<TVMFFIAny> {
    let number = view::int(number);
    if make == OBJECT {
        Ok(node(kind, next, number).view())
    } else {
        Ok(t.call_global(make, &[number, next])?.into_any())
    }
}

/// All rows of one to three of these.
fn chains(links: &[&'static str]) -> Vec<Vec<&'static str>> {
    let longer = |rows: &[Vec<&'static str>]| -> Vec<Vec<&'static str>> {
        rows.iter().flat_map(|row| links.iter().map(move |link| [row.as_slice(), &[*link]].concat())).collect()
    };
    let ones = longer(&[vec![]]);
    let twos = longer(&ones);
    let threes = longer(&twos);
    [ones, twos, threes].concat()
}

/// Expects the deep copy of a circle, if there is one, to have its shape and to share no object with it.
fn copied_apart(t: &Trial, deep_copy: &Owned, kind: i32, value: &TVMFFIAny, what: fmt::Arguments) -> Verdict {
    let Ok(copy) = t.answer_of(deep_copy.handle(), &[*value])? else { return Ok(()) };
    let copy = copy.into_any();
    t.clause(id::REC_0018);
    t.ne(format_args!("the copy of {what}"), copy.payload(), value.payload())?;
    let (original, copy) = (t.outline(value, &[kind])?, t.outline(&copy, &[kind])?);
    t.clause(id::REC_0016);
    let both = copy.objects.iter().filter(|object| original.objects.contains(object)).count();
    t.eq(format_args!("how many objects the original and the copy share of {what}"), both, 0)?;
    t.clause(id::REC_0015);
    t.eq(format_args!("the copy of {what}"), copy.text, original.text)
}
