//! Which index a new type gets.
//!
//! A type has a range of indices: its own, and behind it the slots that it reserves for its children. Clients take every
//! index in a range for that of a descendant, without asking the table. So two types have an index in common only where
//! one descends from the other, whatever static indices clients choose.

use std::{ops::Range, ptr};

use tvm_ffi_spec::kTVMFFIDynObjectBegin;

use crate::{
    border::error::{Error, Result},
    types::entry::{Entry, entries_in, entry_at, internal, show},
};

/// What a new type is to be.
#[derive(Clone, Copy, Debug)]
pub struct NewType<'a> {
    /// The unique key.
    pub key: &'a [u8],
    /// The wanted index, or negative for any.
    pub static_index: i32,
    /// How many ancestors it has.
    pub depth: i32,
    /// How many indices to reserve for its children.
    pub num_child_slots: i32,
    /// Whether further children get an index elsewhere.
    pub can_overflow: bool,
    /// The index of its parent; negative for none, -2 to ask only.
    pub parent_index: i32,
}

/// The indices that there are to be had. Who changes them has the lock of the table.
pub struct Slots {
    /// The next index that no type has reserved.
    next: i64,
}

impl Slots {
    /// Those of a table without types.
    pub const UNUSED: Self = Self { next: kTVMFFIDynObjectBegin as i64 };

    /// The parent of a new type; one without ancestors has none.
    ///
    /// # Errors
    /// `InternalError` for an index that no type can have.
    pub fn parent_of(&self, new: &NewType<'_>) -> Result<Option<*mut Entry>> {
        if new.parent_index < 0 {
            return Ok(None);
        }
        if i64::from(new.parent_index) >= self.next {
            return Err(unfit(new, "parent_type_index < type_table_.size()", new.parent_index.into(), self.next));
        }
        Ok(if new.depth == 0 { None } else { entry_at(new.parent_index) })
    }

    /// The range of a new type: at the wanted index, else among the slots of its parent, else where nobody has reserved
    /// anything.
    ///
    /// # Errors
    /// `InternalError` if there is none.
    pub fn find(&self, new: &NewType<'_>, parent: Option<*mut Entry>) -> Result<Range<i32>> {
        // SAFETY: entries are never freed, and the lock is held, so nobody writes this part of one.
        let parent = parent.map(|parent| unsafe { &*parent });
        let num_slots = new.num_child_slots.checked_add(1).filter(|slots| *slots > 0);
        let Some(num_slots) = num_slots else {
            return Err(unfit(new, "num_child_slots < INT32_MAX", new.num_child_slots.into(), i32::MAX.into()));
        };
        let range = if new.static_index >= 0 {
            self.wanted(new, parent, num_slots)?
        } else if let Some(free) = parent.and_then(|parent| free_slots(parent, num_slots)) {
            free
        } else {
            range_from(self.next, num_slots)?
        };
        let Some(parent) = parent else { return Ok(range) };
        // Clients rely on it: an object with a smaller index than a type's is never an instance of it.
        let parent_index = parent.info.type_index;
        if range.start <= parent_index {
            return Err(unfit(new, "allocated_tindex > parent->type_index", range.start.into(), parent_index.into()));
        }
        if range.end > parent.end() && !parent.can_overflow {
            return Err(internal(format!(
                "Check failed: (parent->child_slots_can_overflow) is false: Reach maximum number of sub-classes for {}",
                show(parent.key())
            )));
        }
        Ok(range)
    }

    /// Takes note of a type that is registered now.
    pub fn take(&mut self, range: &Range<i32>, parent: Option<*mut Entry>) {
        self.next = self.next.max(i64::from(range.end));
        let Some(parent) = parent else { return };
        // SAFETY: entries are never freed, and nobody else looks at this part of one without the lock, which is held.
        let (first, Entry { num_slots, taken_slots, .. }) = unsafe { ((*parent).info.type_index, &mut *parent) };
        while *taken_slots < *num_slots
            && let Some(child) = entry_at(first + *taken_slots)
        {
            // SAFETY: as above; it is another entry.
            *taken_slots += unsafe { (*child).num_slots };
        }
    }

    /// The range at the index that a type wants.
    fn wanted(&self, new: &NewType<'_>, parent: Option<&Entry>, num_slots: i32) -> Result<Range<i32>> {
        let index = new.static_index;
        if i64::from(index) >= self.next {
            return Err(unfit(new, "static_type_index < type_table_.size()", index.into(), self.next));
        }
        let range = range_from(i64::from(index), num_slots)?;
        match owner_of(&range, parent) {
            Some(owner) => Err(internal(format!(
                "Check failed: (type_table_[static_type_index] == nullptr) is false: \
                 Conflicting static index {index} between {} and {}",
                show(owner.key()),
                show(new.key)
            ))),
            None => Ok(range),
        }
    }
}

/// The first free ones of the slots of a type, so many in a row.
fn free_slots(parent: &Entry, num_slots: i32) -> Option<Range<i32>> {
    let mut start = parent.info.type_index + parent.taken_slots;
    loop {
        let range = start..start.checked_add(num_slots).filter(|end| *end <= parent.end())?;
        // A type with a static index may lie anywhere among them.
        match owner_of(&range, Some(parent)) {
            None => return Some(range),
            Some(owner) => start = owner.end(),
        }
    }
}

/// A type that has any index of a range for itself, or for children of which the parent is none; `None` if the range is
/// free for a child of the parent.
fn owner_of(range: &Range<i32>, parent: Option<&Entry>) -> Option<&'static Entry> {
    // SAFETY: entries are never freed, nor their ancestors, which are entries; the lock is held.
    let entry = |entry: *const Entry| unsafe { &*entry };
    let within = entries_in(range.clone()).next().map(|first| entry(first));
    within.or_else(|| {
        // Whoever has reserved the first index is the last type before it or, since that lies in the same range, an
        // ancestor of it. The innermost of them has all the others for ancestors.
        let last = entry(entries_in(0..range.start).next_back()?);
        let lineage = last.ancestors.iter().map(|ancestor| entry(ancestor.cast())).chain([last]);
        let owner = lineage.rev().find(|owner| owner.end() > range.start)?;
        let is_family =
            |parent: &Entry| ptr::eq(parent, owner) || parent.ancestors.contains(&ptr::from_ref(owner).cast());
        (!parent.is_some_and(is_family)).then_some(owner)
    })
}

fn range_from(start: i64, num_slots: i32) -> Result<Range<i32>> {
    let end = i32::try_from(start + i64::from(num_slots));
    end.map(|end| end - num_slots..end).map_err(|_| internal("Check failed: there are no more type indices"))
}

/// What a type was to be does not fit the types that there are.
#[cold]
pub(super) fn unfit(new: &NewType<'_>, check: &str, found: i64, other: i64) -> Error {
    internal(format!("Check failed: {check} ({found} vs. {other}) : type_key={}", show(new.key)))
}
