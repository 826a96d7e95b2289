//! The values of a map one by one, to be replaced where they lie or in a copy while foreign code runs in between.

use std::iter;

use super::{
    change::replace_value,
    entry::Entry,
    find::{Positions, entry, len, plain_position, still_at},
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
pub struct Place {
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

/// The places of the entries that there were in the beginning and that are still to come, in the order of iteration.
#[derive(Default)]
pub struct Places(Copies<Place>);

impl Places {
    /// Looks where the entries of a map are now.
    #[inline]
    pub fn look_up(&mut self, map: &Mapping) -> Result<()> {
        // SAFETY: cloning a key runs no foreign code.
        let mut positions = unsafe { Positions::of(map) };
        let places = iter::from_fn(|| {
            let (position, entry) = positions.next_entry()?;
            // SAFETY: the entry is one of the map.
            let (key, _) = unsafe { Entry::parts(entry) };
            Some(Place { position, key: key.clone() })
        });
        self.0.fill(len(map), places)
    }

    /// Goes on to the next entry of the map whose value is of a type that is not passed over. Nobody need hold those before
    /// it.
    #[inline]
    pub fn pass_over(&mut self, map: &Mapping, passes: impl Fn(i32) -> bool) {
        let is_passed = |place: &Place| {
            // SAFETY: nothing foreign runs while the value is looked at.
            unsafe { value_at(map, place) }.is_none_or(|value| passes(value.view().type_index()))
        };
        while self.0.peek().is_some_and(is_passed) {
            self.0.next();
        }
    }
}

impl Iterator for Places {
    type Item = Place;

    #[inline]
    fn next(&mut self) -> Option<Place> {
        self.0.next()
    }
}

/// The value at a place where it lies. None if the entry is gone.
///
/// # Safety
/// Nobody changes the map while the value is borrowed.
#[inline]
unsafe fn value_at<'a>(map: &'a Mapping, place: &Place) -> Option<&'a Any> {
    // SAFETY: the position has an entry.
    place.position_in(map).map(|position| unsafe { Entry::parts(entry(map, position)) }.1)
}

/// The value at a place: taken out, with None left behind, if it is wanted, and else shared. Tells which. None if the
/// entry is gone.
#[inline]
pub fn take_if(map: &Mapping, place: &Place, wanted: impl Fn(&AnyView<'_>) -> bool) -> Option<(Any, bool)> {
    // SAFETY: nothing foreign runs while the value is looked at.
    let value = unsafe { value_at(map, place) }?;
    if wanted(value.view()) {
        return exchange(map, place, Any::NONE).map(|value| (value, true));
    }
    Some((value.clone(), false))
}

/// Puts a value in the place of another, which is given back. None if the entry is gone, and the value with it.
pub fn exchange(map: &Mapping, place: &Place, value: Any) -> Option<Any> {
    // SAFETY: the position has an entry.
    place.position_in(map).map(|position| unsafe { replace_value(map, position, value) })
}
