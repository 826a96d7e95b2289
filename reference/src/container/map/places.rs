//! The values of a map one by one, to be replaced where they lie while foreign code runs in between.

use std::vec;

use super::{
    change::replace_value,
    entry::Entry,
    find::{Positions, entry, len, plain_position, still_at},
    layout::Mapping,
};
use crate::{
    border::error::Result,
    container::key::Key,
    system::memory,
    value::any::{Any, AnyView},
};

/// An entry of a map, and where it was.
pub struct Place {
    position: u64,
    /// What tells whether it still is; none where nobody changes the map.
    key: Option<Any>,
}

impl Place {
    /// Where the entry is now. None if it is gone.
    #[inline]
    fn position_in(&self, map: &Mapping) -> Option<u64> {
        match &self.key {
            Some(key) if !still_at(map, self.position, key) => moved_position(map, key),
            _ => Some(self.position),
        }
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

/// The places of the entries that are still to come, in the order of iteration.
pub enum Places {
    /// Those of a map that nobody changes are found on the way.
    Fixed(Positions<'static>),
    /// Those that there were in the beginning.
    Noted(vec::IntoIter<Place>),
}

impl Places {
    /// Where the entries of a map are now.
    pub fn of(map: &Mapping) -> Result<Self> {
        let mut places = memory::room(len(map))?;
        let place = |position| {
            // SAFETY: the position has an entry, and cloning a key runs no foreign code.
            let (key, _) = unsafe { Entry::parts(entry(map, position)) };
            Place { position, key: Some(key.clone()) }
        };
        // SAFETY: as above.
        places.extend(unsafe { Positions::of(map) }.map(place));
        Ok(Self::Noted(places.into_iter()))
    }

    /// Where the entries of a map are that nobody changes. The places are also those of its copies.
    ///
    /// # Safety
    /// It is one that a walk holds for as long as it asks for places.
    #[inline]
    pub unsafe fn of_fixed(map: &Mapping) -> Self {
        let map: *const Mapping = map;
        // SAFETY: what the reference refers to outlives the places, as the caller says, who also keeps it from changes.
        Self::Fixed(unsafe { Positions::of(&*map) })
    }

    /// Goes on to the next entry of the map whose value is of a type that is not passed over. Nobody need hold those before
    /// it.
    #[inline]
    pub fn pass_over(&mut self, map: &Mapping, passes: impl Fn(i32) -> bool) {
        match self {
            // SAFETY: the position has an entry, and nothing foreign runs while the value is looked at.
            Self::Fixed(positions) => unsafe {
                while let Some(position) = positions.peek()
                    && passes(Entry::parts(entry(map, position)).1.view().type_index())
                {
                    positions.next();
                }
            },
            Self::Noted(places) => {
                let is_passed = |place: &Place| {
                    // SAFETY: nothing foreign runs while the value is looked at.
                    unsafe { value_at(map, place) }.is_none_or(|value| passes(value.view().type_index()))
                };
                while places.as_slice().first().is_some_and(is_passed) {
                    places.next();
                }
            }
        }
    }
}

impl Iterator for Places {
    type Item = Place;

    #[inline]
    fn next(&mut self) -> Option<Place> {
        match self {
            Self::Fixed(positions) => positions.next().map(|position| Place { position, key: None }),
            Self::Noted(places) => places.next(),
        }
    }
}

/// The value at a place where it lies. None if the entry is gone.
///
/// # Safety
/// Nobody changes the map while the value is borrowed.
#[inline]
pub unsafe fn value_at<'a>(map: &'a Mapping, place: &Place) -> Option<&'a Any> {
    // SAFETY: the position has an entry.
    place.position_in(map).map(|position| unsafe { Entry::parts(entry(map, position)) }.1)
}

/// The value at a place: taken out, with None left behind, if it is wanted, and else shared. Tells which. None if the
/// entry is gone.
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
