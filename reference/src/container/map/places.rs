//! The values of a map one by one, to be replaced where they lie or in a copy while foreign code runs in between.

use super::{
    change::replace_value,
    entry::Entry,
    find::{BothEnds, Positions, entry, len, plain_position, small_entries, still_at},
    layout::Mapping,
};
use crate::{
    border::error::Result,
    container::{copies::Copies, key::Key},
    value::any::{Any, AnyView},
};

/// The values of a map that nobody changes, where they lie.
pub struct Values {
    positions: Positions<'static>,
    /// The position of the value that came last.
    last: u64,
}

impl Values {
    /// # Safety
    /// The map is one that a walk holds for as long as it asks for values.
    #[inline]
    pub unsafe fn of(map: &Mapping) -> Self {
        let map: *const Mapping = map;
        // SAFETY: what the reference refers to outlives the values, as the caller says, who also keeps it from changes.
        Self { positions: unsafe { Positions::of(&*map) }, last: 0 }
    }

    /// Puts something else in the place of the value that came last, in a [copy](super::copy) of the map.
    ///
    /// # Safety
    /// There was a value, and nobody has changed the copy but by this.
    #[inline]
    pub unsafe fn replace_last(&self, copy: &Mapping, value: Any) {
        // SAFETY: entries of a copy have the places of those of the map.
        drop(unsafe { replace_value(copy, self.last, value) });
    }
}

impl Iterator for Values {
    type Item = &'static Any;

    #[inline]
    fn next(&mut self) -> Option<&'static Any> {
        let (position, entry) = self.positions.next_entry()?;
        self.last = position;
        // SAFETY: the entry stays as long as the walk, as whoever began it sees to.
        Some(unsafe { Entry::parts(entry) }.1)
    }
}

/// An entry of a map that may change, and where it was.
#[derive(Default)]
struct Place {
    position: u64,
    /// What tells whether it still is.
    key: Any,
}

impl Place {
    /// Where the entry is now. None if it is gone.
    #[inline]
    fn position_in(&self, map: &Mapping) -> Option<u64> {
        if still_at(map, self.position, &self.key) { Some(self.position) } else { moved_position(map, &self.key) }
    }
}

/// Where the entry of a key is that another one gone, or added, has moved.
#[cold]
fn moved_position(map: &Mapping, key: &Any) -> Option<u64> {
    let probe = Key::new(key.view());
    if probe.is_plain() {
        return plain_position(map, &probe);
    }
    // A hook might change the map, so this very key is looked for.
    // SAFETY: no foreign code runs meanwhile.
    unsafe { Positions::of(map) }.find(|&position| still_at(map, position, key))
}

/// The places of the entries that there were in the beginning, in the order of iteration, and how far a walk has come.
#[derive(Default)]
pub struct Places {
    all: Copies<Place>,
    /// How many have been asked for.
    asked: usize,
}

impl Places {
    /// Looks where the entries of a map are now.
    #[inline]
    pub fn look_up(&mut self, map: &Mapping) -> Result<()> {
        let place = |position, entry: *const Entry| {
            // SAFETY: the entry is one of the map, and cloning its key runs no foreign code.
            let (key, _) = unsafe { Entry::parts(entry) };
            Place { position, key: key.clone() }
        };
        // SAFETY: as above.
        match unsafe { small_entries(map) } {
            Some(few) => self.all.fill(few.len(), few.iter().enumerate().map(|(at, entry)| place(at as u64, entry))),
            // SAFETY: as above.
            None => self.all.fill(len(map), unsafe { BothEnds::of(map) }.map(|(at, entry)| place(at, entry))),
        }
    }

    /// What is left of them, to be gone through.
    #[inline]
    pub fn left(&mut self) -> PlacesLeft<'_> {
        PlacesLeft { all: self.all.as_slice(), asked: &mut self.asked }
    }
}

/// The places that are still to come.
pub struct PlacesLeft<'p> {
    all: &'p [Place],
    asked: &'p mut usize,
}

impl PlacesLeft<'_> {
    /// The value of the next entry that is still there, of a type that is not passed over: taken out, with None left behind, if
    /// it is wanted, and else shared. Tells which.
    #[inline]
    pub fn take_next(
        &mut self,
        map: &Mapping,
        passes: impl Fn(i32) -> bool,
        wanted: impl Fn(&AnyView<'_>) -> bool,
    ) -> Option<(Any, bool)> {
        while let Some(place) = self.all.get(*self.asked) {
            *self.asked += 1;
            let Some(position) = place.position_in(map) else { continue };
            // SAFETY: the position has an entry, and nothing foreign runs while its value is looked at.
            let (_, value) = unsafe { Entry::parts(entry(map, position)) };
            if passes(value.view().type_index()) {
                continue;
            }
            if wanted(value.view()) {
                // SAFETY: the position has an entry.
                return Some((unsafe { replace_value(map, position, Any::NONE) }, true));
            }
            return Some((value.clone(), false));
        }
        None
    }

    /// Puts a value in the place of that which was asked for last, in the map or a [copy](super::copy) of it. If the entry is
    /// gone, the value is, too.
    #[inline(always)]
    pub fn replace_last(&self, map: &Mapping, value: Any) {
        let last = self.all.get(self.asked.wrapping_sub(1));
        if let Some(position) = last.and_then(|place| place.position_in(map)) {
            // SAFETY: the position has an entry.
            drop(unsafe { replace_value(map, position, value) });
        }
    }
}
