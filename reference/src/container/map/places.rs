//! The values of a map one by one, to be replaced where they lie while foreign code runs in between.

use super::{
    change::replace_value,
    entry::Entry,
    find::{Positions, entry, len, still_at},
    layout::Mapping,
};
use crate::{
    border::error::Result,
    system::memory,
    value::any::{Any, AnyView},
};

/// Where an entry of a map is, unless the map has changed since.
pub struct Place {
    position: u64,
    key: Any,
}

/// Where the entries of a map are, in the order of iteration.
pub fn places(map: &Mapping) -> Result<Vec<Place>> {
    let mut places = memory::room(len(map))?;
    let place = |position| {
        // SAFETY: the position has an entry, and cloning a key runs no foreign code.
        let (key, _) = unsafe { Entry::parts(entry(map, position)) };
        Place { position, key: key.clone() }
    };
    // SAFETY: as above.
    places.extend(unsafe { Positions::of(map) }.map(place));
    Ok(places)
}

/// The value at a place where it lies. None if the entry is gone.
///
/// # Safety
/// Nobody changes the map while the value is borrowed.
pub unsafe fn value_at<'a>(map: &'a Mapping, place: &Place) -> Option<&'a Any> {
    // SAFETY: the position has an entry.
    still_at(map, place.position, &place.key).then(|| unsafe { Entry::parts(entry(map, place.position)) }.1)
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
    still_at(map, place.position, &place.key).then(|| unsafe { replace_value(map, place.position, value) })
}
