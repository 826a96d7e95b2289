//! Comparing the entries of maps, whose order does not count.
//!
//! An entry may use a variable that a later one defines. Such an entry is put aside and compared again when further
//! variables are bound, until all entries are equal or nothing new is bound. What correspondences have been found on the
//! way is kept: in equal maps they hold whatever the order, so that no round repeats the work of those inside of it.

use std::collections::VecDeque;

use tvm_ffi_spec::*;

use super::{
    findings::{Findings, Mismatch},
    is_container,
    leaves::{equal_leaves, leaves_equal},
    may_correspond,
};
use crate::{
    border::error::Result,
    container::{
        held::{Held, Parts},
        map::{self, InStep, Mapping},
        sequence,
    },
    object::ObjectRef,
    reflection::access_path::Kind,
    system::memory::RoomFor,
    value::any::{Any, AnyView},
};

/// What is to be compared next, or that nothing is.
pub(super) enum Next {
    Values(Held, Held),
    Verdict(bool),
}

/// What is left of two maps that are being compared.
pub(super) struct Entries {
    rest: Parts,
    counterparts: InStep<'static>,
    /// The key of what is being compared, and what it is on the right side if that is something else.
    key: Option<Held>,
    rhs_key: Option<Any>,
    /// How many uses of unbound variables, and steps to where the sides differ, had been noted before that.
    noted_before: (usize, usize),
    aside: VecDeque<Aside>,
    /// How many of those put aside are still to be compared in this round; none while others are left.
    left_in_round: usize,
    /// How many correspondences were known when the first of them was put aside.
    known: usize,
}

/// An entry that is to be compared again, and the steps to where its sides differ.
struct Aside {
    key: Held,
    steps: Vec<Mismatch>,
}

impl Entries {
    /// The entries of two maps; `None` if there is nothing left to compare of them, as all are leaves, and equal.
    ///
    /// # Safety
    /// The walk holds both for as long.
    pub unsafe fn of(lhs: &ObjectRef, rhs: &ObjectRef) -> Result<Option<Self>> {
        let (lhs, rhs): (*const ObjectRef, &ObjectRef) = (lhs, rhs);
        // SAFETY: what it refers to outlives the entries, as the caller says.
        let (Some(lhs), Some(rhs)) = (unsafe { &*lhs }.cast_ref::<Mapping>(), rhs.cast_ref()) else { return Ok(None) };
        // SAFETY: the caller's contract is the same, and comparing leaves runs no foreign code.
        let (mut entries, mut counterparts) = unsafe { (map::iter(lhs), InStep::at_once(rhs)) };
        // SAFETY: as above.
        unsafe { pass_leaves(&mut counterparts, &mut entries) };
        if entries.len() == 0 && map::len(lhs) == map::len(rhs) {
            return Ok(None);
        }
        // SAFETY: as above.
        let rest = unsafe { Parts::rest_of(lhs, entries)? };
        let counterparts = counterparts.for_longer();
        Ok(Some(Self {
            rest,
            counterparts,
            key: None,
            rhs_key: None,
            noted_before: (0, 0),
            aside: VecDeque::new(),
            left_in_round: 0,
            known: 0,
        }))
    }

    /// The next two values to be compared, given that those before were equal or have been put aside.
    #[inline]
    pub fn next(&mut self, lhs: &ObjectRef, rhs: &ObjectRef, findings: &Findings) -> Result<Next> {
        loop {
            // Most entries of Maps are leaves, which are compared where they lie.
            if let Some(entries) = self.rest.entries() {
                // SAFETY: the walk holds both maps, and comparing leaves runs no foreign code.
                unsafe { pass_leaves(&mut self.counterparts, entries) };
            }
            self.key = self.rest.next();
            let value = match self.rest.next() {
                Some(value) => value,
                None => match self.next_again(lhs, findings)? {
                    Some((key, value)) => {
                        self.key = Some(key);
                        value
                    }
                    None if self.aside.is_empty() => return rest_of_map(lhs, rhs, findings),
                    None => return Ok(Next::Verdict(self.give_up(findings))),
                },
            };
            let Some(key) = &self.key else { return Ok(Next::Verdict(true)) };
            self.rhs_key = findings.rhs_of(key.view());
            let wanted = self.rhs_key.as_ref().map_or(key.view(), Any::view);
            // What is its own counterpart may be another's on the right side already.
            let is_anothers = self.rhs_key.is_none() && findings.lhs_of(key.view()).is_some();
            // SAFETY: the value is cloned at once, or lent by a Map that the pair has.
            let found = unsafe {
                self.counterparts.find(wanted)?.map(|value| Held::part(value, rhs.type_index() == kTVMFFIMap))
            };
            let found = found.filter(|_| !is_anothers);
            if let Some(found) = &found
                && leaves_equal(value.view(), found.view()) == Some(true)
            {
                continue;
            }
            self.noted_before = (findings.unbound(), findings.steps());
            match found {
                Some(found) => return Ok(Next::Values(value, found)),
                None if self.put_aside(Kind::MapItemMissing, findings)? => {}
                None => return Ok(Next::Verdict(false)),
            }
        }
    }

    /// Notes where the entry that is being compared differs, and puts it aside if that may change yet.
    pub fn put_aside(&mut self, rhs_kind: Kind, findings: &Findings) -> Result<bool> {
        let Some(key) = self.key.take() else { return Ok(false) };
        if findings.tell_where() {
            let rhs_key = self.rhs_key.clone().unwrap_or_else(|| key.to_owned());
            findings.note((Kind::MapItem, key.to_owned()), (rhs_kind, rhs_key));
        }
        // It may get a counterpart when others are compared.
        if self.rhs_key.is_none() && key.object().map(may_correspond).transpose()?.unwrap_or_default() {
            findings.note_unbound();
        }
        let (unbound, steps) = self.noted_before;
        // Of several entries that differ the first is told, which takes to know which are never equal.
        let is_told_later = findings.tell_where() && !self.aside.is_empty();
        if unbound == findings.unbound() && !is_told_later {
            return Ok(false);
        }
        if self.aside.is_empty() {
            self.known = findings.related();
        }
        self.aside.room_for(1)?;
        self.aside.push_back(Aside { key, steps: findings.take_steps(steps) });
        Ok(true)
    }

    /// The next entry that is compared again, if there are any and new correspondences.
    #[inline]
    fn next_again(&mut self, lhs: &ObjectRef, findings: &Findings) -> Result<Option<(Held, Held)>> {
        if self.left_in_round == 0 {
            let known = findings.related();
            if self.aside.is_empty() || known == self.known {
                return Ok(None);
            }
            (self.left_in_round, self.known) = (self.aside.len(), known);
        }
        self.left_in_round -= 1;
        let Some(Aside { key, .. }) = self.aside.pop_front() else { return Ok(None) };
        let value = lhs.cast_ref().map(|lhs| map::get(lhs, key.view())).transpose()?.flatten();
        Ok(Some((key, Held::ours(value.unwrap_or_default()))))
    }

    #[cold]
    fn give_up(&mut self, findings: &Findings) -> bool {
        if let Some(first) = self.aside.pop_front() {
            findings.note_steps(first.steps);
        }
        false
    }
}

/// Goes by entries that are leaves on both sides, and equal.
///
/// # Safety
/// As for [`InStep::pass`].
#[inline]
unsafe fn pass_leaves(counterparts: &mut InStep<'_>, entries: &mut map::Entries<'_>) {
    let equal = |lhs: &Any, rhs: &Any| leaves_equal(lhs.view(), rhs.view()) == Some(true);
    // SAFETY: the caller's contract is the same.
    unsafe { counterparts.pass(entries, equal) };
}

/// What can be told of two containers by looking at what they begin with, before anything is made ready for more.
pub(super) enum Glance {
    Equal,
    /// The entry with this key, to which the right side has this.
    Differ(Any, Kind),
    Unclear,
}

/// How many elements or entries are looked at.
const GLANCED: usize = 16;

/// Looks at two values. If these are containers of one type and size, what they begin with may tell all there is.
pub(super) fn glance(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> Result<Glance> {
    glance_within(lhs, rhs, &mut { GLANCED })
}

/// As [`glance`], of which so much is left. Containers inside of others count only if they are equal: where they differ is
/// told by those who go there.
fn glance_within(lhs: &AnyView<'_>, rhs: &AnyView<'_>, left_to_see: &mut usize) -> Result<Glance> {
    if lhs.type_index() != rhs.type_index() {
        return Ok(Glance::Unclear);
    }
    if let (Some(left), Some(right)) = (lhs.cast_ref(), rhs.cast_ref()) {
        // SAFETY: the sequences are the caller's, and comparing leaves runs no foreign code.
        let (left, right) = unsafe { (sequence::borrow(left), sequence::borrow(right)) };
        if left.len() != right.len() || !may_see(left.len(), left_to_see) {
            return Ok(Glance::Unclear);
        }
        let mut at = equal_leaves(left, right);
        while let (Some(inner), Some(other)) = (left.get(at), right.get(at)) {
            if !equal_within(inner.view(), other.view(), left_to_see)? {
                return Ok(Glance::Unclear);
            }
            at += 1;
            at += equal_leaves(&left[at..], &right[at..]);
        }
        return Ok(Glance::Equal);
    }
    let (Some(left), Some(right)) = (lhs.cast_ref::<Mapping>(), rhs.cast_ref::<Mapping>()) else {
        return Ok(Glance::Unclear);
    };
    if map::len(left) != map::len(right) {
        return Ok(Glance::Unclear);
    }
    // SAFETY: the maps are the caller's, and looking leaves up runs no foreign code.
    let (mut entries, mut counterparts) = unsafe { (map::iter(left), InStep::at_once(right)) };
    while may_see(0, left_to_see) {
        let Some((key, value)) = entries.next() else { return Ok(Glance::Equal) };
        // Other objects may have hooks, or something else that corresponds to them.
        let key_index = key.view().type_index();
        if key_index >= kTVMFFIStaticObjectBegin && key_index != kTVMFFIStr {
            return Ok(Glance::Unclear);
        }
        // SAFETY: as above.
        let Some(found) = (unsafe { counterparts.find(key.view())? }) else {
            return Ok(Glance::Differ(key.clone(), Kind::MapItemMissing));
        };
        match leaves_equal(value.view(), found.view()) {
            Some(true) => {}
            Some(false) => return Ok(Glance::Differ(key.clone(), Kind::MapItem)),
            // Where not all can be seen, to look further is in vain.
            None if entries.len() <= *left_to_see && equal_within(value.view(), found.view(), left_to_see)? => {}
            None => return Ok(Glance::Unclear),
        }
    }
    Ok(if entries.len() == 0 { Glance::Equal } else { Glance::Unclear })
}

/// Whether two parts are containers that are seen to be equal. To look at other objects would take time in vain.
#[inline]
fn equal_within(lhs: &AnyView<'_>, rhs: &AnyView<'_>, left_to_see: &mut usize) -> Result<bool> {
    Ok(is_container(lhs.type_index()) && matches!(glance_within(lhs, rhs, left_to_see)?, Glance::Equal))
}

/// Whether so many parts more may be looked at, and what they are in, so that a circle comes to an end.
#[inline]
fn may_see(parts: usize, left: &mut usize) -> bool {
    let rest = left.checked_sub(parts + 1);
    *left = rest.unwrap_or_default();
    rest.is_some()
}

/// All entries of the left map are in the right one; whether those are all that it has.
fn rest_of_map(lhs: &ObjectRef, rhs: &ObjectRef, findings: &Findings) -> Result<Next> {
    let (Some(lhs), Some(rhs)) = (lhs.cast_ref(), rhs.cast_ref()) else { return Ok(Next::Verdict(true)) };
    if map::len(lhs) == map::len(rhs) {
        return Ok(Next::Verdict(true));
    }
    for (key, _) in map::entries(rhs)? {
        let lhs_key = findings.lhs_of(key.view()).unwrap_or_else(|| key.clone());
        if map::get(lhs, lhs_key.view())?.is_none() {
            findings.note((Kind::MapItemMissing, lhs_key), (Kind::MapItem, key));
            break;
        }
    }
    Ok(Next::Verdict(false))
}
