//! Slots: the indices that a type reserves for its children, and what happens when there are more children.

use std::collections::BTreeSet;

use tvm_ffi_spec::*;

use super::kit::{ROOT, Type, allocate, bytes, has_ancestors, open_type};
use crate::{checks::check, client::Verdict, trial::Trial};

/// The children of a type that may not overflow have indices in the type's reserved slots.
#[check(TYP_0024)]
fn closed_type_holds_its_children(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Closed", ROOT, 5, false);
    for number in 0..5 {
        // Other types come between, as they do when packages are loaded.
        open_type(t, &format!("verify.Between{number}"), ROOT);
        let child = allocate(t, &format!("verify.Child{number}"), parent, 0, false);
        within(t, "index of the child", child, parent, 5)?;
    }
    Ok(())
}

/// A child for which a type that may not overflow has no slot left gets no index outside the type's slots.
#[check(TYP_0044)]
fn closed_type_is_full(t: &Trial) -> Verdict {
    for slots in [0, 3] {
        let parent = allocate(t, &format!("verify.Closed{slots}"), ROOT, slots, false);
        for number in 0..slots {
            allocate(t, &format!("verify.Child{slots}.{number}"), parent, 0, false);
        }
        // By the header, a function that cannot raise an error may log it and end the process.
        let late = |t: &Trial| Ok(allocate(t, "verify.Late", parent, 0, false).index.into());
        if let Some(index) = t.forked(late)? {
            let range = i64::from(parent.index) + 1..=i64::from(parent.index + slots);
            let expected = format!("none, or one of {} to {}", range.start(), range.end());
            t.that("index of the child", index < 0 || range.contains(&index), expected, index)?;
        }
    }
    Ok(())
}

/// A descendant for which there is no slot left in one of its ancestors that may not overflow gets no index outside that ancestor's slots, though the
/// types between them were registered as such that may.
#[check(TYP_0035)]
fn closed_type_holds_its_descendants(t: &Trial) -> Verdict {
    // How many slots the types have, from the closed one down to the last that has children.
    for (number, slots) in [&[8, 1][..], &[8, 0], &[12, 6, 1], &[12, 4, 0], &[3, 2, 1]].into_iter().enumerate() {
        let closed = allocate(t, &format!("verify.Closed{number}"), ROOT, slots[0], false);
        let mut parent = closed;
        for (depth, &slots) in slots.iter().enumerate().skip(1) {
            parent = allocate(t, &format!("verify.Open{number}.{depth}"), parent, slots, true);
        }
        let last = slots[slots.len() - 1];
        for child in 0..last {
            let child = allocate(t, &format!("verify.Child{number}.{child}"), parent, 0, true);
            within(t, "index of a descendant", child, closed, slots[0])?;
        }
        // By the header, a function that cannot raise an error may log it and end the process.
        let late = |t: &Trial| Ok(allocate(t, &format!("verify.Late{number}"), parent, 0, true).index.into());
        if let Some(index) = t.forked(late)? {
            let range = i64::from(closed.index) + 1..=i64::from(closed.index + slots[0]);
            let expected = format!("none, or one of {} to {}", range.start(), range.end());
            let what = format!("index of a descendant beyond {slots:?} slots");
            t.that(what, index < 0 || range.contains(&index), expected, index)?;
        }
    }
    Ok(())
}

/// The children of a type that may overflow take the type's reserved slots first.
#[check(TYP_0025)]
fn open_type_fills_its_slots(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Open", ROOT, 5, true);
    for number in 0..5 {
        open_type(t, &format!("verify.Between{number}"), ROOT);
        within(t, "index of the child", open_type(t, &format!("verify.Child{number}"), parent), parent, 5)?;
    }
    Ok(())
}

/// Any number but 0 says that a type may overflow.
#[check(TYP_0028)]
fn overflows_by_any_number(t: &Trial) -> Verdict {
    for (number, overflow) in [1, 2, -1, 256, 1 << 30, i32::MIN].into_iter().enumerate() {
        let key = format!("verify.Overflowing{number}");
        let index = t.api.TVMFFITypeGetOrAllocIndex(&bytes(&key), -1, 1, 1, overflow, kTVMFFIObject);
        for child in 0..3 {
            let child = open_type(t, &format!("{key}.Child{child}"), Type { index, depth: 1 });
            has_ancestors(t, "a child", child.index, &[kTVMFFIObject, index])?;
        }
    }
    Ok(())
}

/// The indices that a type reserves for its children are given to its descendants alone.
#[check(TYP_0026)]
fn slots_are_for_descendants(t: &Trial) -> Verdict {
    let mut siblings: Vec<(Type, i32)> = Vec::new();
    for number in 0..24 {
        let slots = if number < 4 { 10 } else { number % 3 };
        let sibling = allocate(t, &format!("verify.Sibling{number}"), ROOT, slots, number % 2 == 0);
        for other in &siblings {
            outside(t, "the indices of a sibling", (sibling, slots), *other)?;
        }
        siblings.push((sibling, slots));
    }
    // The first type soon has more children than slots; what they get then must not be a sibling's.
    for number in 0..20 {
        let child = open_type(t, &format!("verify.Child{number}"), siblings[0].0);
        for other in &siblings[1..] {
            outside(t, "the index of a sibling's child", (child, 0), *other)?;
        }
    }
    Ok(())
}

/// Expects the indices of two types and the slots that they reserve to have nothing in common.
fn outside(t: &Trial, what: &str, (stranger, its_slots): (Type, i32), (owner, slots): (Type, i32)) -> Verdict {
    let apart = stranger.index + its_slots < owner.index || owner.index + slots < stranger.index;
    let expected = format!("apart from {} to {}, which another type has reserved", owner.index, owner.index + slots);
    t.that(what, apart, expected, format_args!("{} to {}", stranger.index, stranger.index + its_slots))
}

/// A child's reserved slots lie in its parent's slots, apart from those of its siblings.
#[check(TYP_0027)]
fn slots_within_slots(t: &Trial) -> Verdict {
    for open in [false, true] {
        let parent = allocate(t, &format!("verify.Parent.{open}"), ROOT, 9, open);
        let mut taken = BTreeSet::new();
        for number in 0..3 {
            let child = allocate(t, &format!("verify.Child{number}.{open}"), parent, 2, open);
            let last = Type { index: child.index + 2, ..child };
            if !open || child.index <= parent.index + 9 {
                within(t, "index of a child", child, parent, 9)?;
                within(t, "last slot of a child", last, parent, 9)?;
            }
            for index in child.index..=last.index {
                t.that("a slot of a child", taken.insert(index), "one that its siblings have not reserved", index)?;
            }
        }
    }
    Ok(())
}

/// A grandchild's index lies in the reserved slots of its parent and of its grandparent.
#[check(TYP_0027)]
fn grandchildren_lie_in_both_ranges(t: &Trial) -> Verdict {
    let grandparent = allocate(t, "verify.Grandparent", ROOT, 8, false);
    for family in 0..2 {
        let parent = allocate(t, &format!("verify.Parent{family}"), grandparent, 3, false);
        for number in 0..3 {
            let child = allocate(t, &format!("verify.Child{family}.{number}"), parent, 0, false);
            within(t, "index of a grandchild", child, parent, 3)?;
            within(t, "index of a grandchild", child, grandparent, 8)?;
        }
    }
    Ok(())
}

/// Expects a child to lie in its parent's slots.
fn within(t: &Trial, what: &str, child: Type, parent: Type, slots: i32) -> Verdict {
    let range = parent.index + 1..=parent.index + slots;
    let expected = format!("{} to {}", range.start(), range.end());
    t.that(what, range.contains(&child.index), expected, child.index)
}

/// A type that may overflow can have more children than reserved slots.
#[check(TYP_0028)]
fn open_type_overflows(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Open", ROOT, 2, true);
    let mut seen = BTreeSet::from([parent.index]);
    for number in 0..30 {
        let child = open_type(t, &format!("verify.Child{number}"), parent);
        t.that("index of a child", seen.insert(child.index), "one that no sibling has", child.index)?;
        has_ancestors(t, "a child", child.index, &[kTVMFFIObject, parent.index])?;
    }
    Ok(())
}

/// A type that may overflow can have children though it reserves no slots.
#[check(TYP_0028)]
fn open_type_without_slots_has_children(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Open", ROOT);
    for number in 0..10 {
        // The child reserves slots as well, which its parent does not have.
        let child = allocate(t, &format!("verify.Child{number}"), parent, number, true);
        has_ancestors(t, "a child", child.index, &[kTVMFFIObject, parent.index])?;
    }
    Ok(())
}

/// A child's index is greater than its parent's.
#[check(TYP_0029)]
fn parent_comes_before_child(t: &Trial) -> Verdict {
    let mut line = vec![ROOT];
    for number in 0..30 {
        let parent = line[number / 2];
        let child = allocate(t, &format!("verify.Child{number}"), parent, (number % 3) as i32, true);
        let expected = format!("more than {}, its parent's", parent.index);
        t.that("index of the child", child.index > parent.index, expected, child.index)?;
        line.push(child);
    }
    Ok(())
}
