//! Values on their way through a walk, lent by their containers where nobody can change these meanwhile.
//!
//! An Array or a Map is changed in place by whoever holds the only reference to it, so that nobody else changes one that a
//! walk holds, nor what is inside of it down to the next List, Dict or object with fields. Such a walk counts no references
//! on its way. What can change meanwhile is held by references of the walk's own.

use std::{
    mem::{self, ManuallyDrop},
    slice, vec,
};

use tvm_ffi_spec::{kTVMFFIArray, kTVMFFIDict, kTVMFFIList, kTVMFFIMap};

use crate::{
    border::error::Result,
    container::{
        map::{self, Mapping},
        sequence,
    },
    object::ObjectRef,
    value::any::{Any, AnyView},
};

/// A value that a walk is at.
pub struct Held {
    value: ManuallyDrop<Any>,
    holder: Holder,
}

/// Whose reference holds a value, and how many references to the object the walk knows of then. It takes a whole word: bytes
/// next to padding are moved slowly.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Holder {
    /// Whoever foreign code had it from. References are no sign of where else the walk meets the object.
    Foreign = 0,
    /// The container that it is in.
    Lender = 1,
    /// The walk, besides that.
    Walk = 2,
}

impl Held {
    /// A value with a reference of the walk's own.
    #[inline]
    pub fn ours(value: Any) -> Self {
        Self { value: ManuallyDrop::new(value), holder: Holder::Walk }
    }

    /// As [`ours`](Self::ours), of a value that foreign code has answered with: it may do so again, although nothing that the
    /// walk comes by has a reference to the object.
    #[inline]
    pub fn answered(value: Any) -> Self {
        Self { value: ManuallyDrop::new(value), holder: Holder::Foreign }
    }

    /// The value, if it is the walk's own, as one that it has like this.
    #[inline]
    pub fn had(mut self, holder: Holder) -> Self {
        if self.holder == Holder::Walk {
            self.holder = holder;
        }
        self
    }

    /// A value that somebody lends.
    ///
    /// # Safety
    /// Whoever lends it keeps it for as long as it is held.
    #[inline]
    pub unsafe fn lent(value: &AnyView<'_>) -> Self {
        // SAFETY: what is not dropped takes nothing over.
        Self { value: ManuallyDrop::new(unsafe { Any::from_raw(value.raw()) }), holder: Holder::Lender }
    }

    /// A value that somebody lends, with a reference of the walk's own to the object in it.
    ///
    /// # Safety
    /// As for [`lent`](Self::lent).
    #[inline]
    pub unsafe fn kept(value: &AnyView<'_>) -> Self {
        // SAFETY: the caller's contract is the same.
        let mut held = unsafe { Self::lent(value) };
        if let Some(object) = value.as_object() {
            // The reference is that of the value now.
            mem::forget(object);
            held.holder = Holder::Walk;
        }
        held
    }

    /// A part of a container: lent if nobody changes the container meanwhile (`is_fixed`).
    ///
    /// # Safety
    /// A container that is fixed outlives what is held of it.
    #[inline]
    pub unsafe fn part(value: &Any, is_fixed: bool) -> Self {
        // SAFETY: the caller's contract is the same.
        if is_fixed { unsafe { Self::lent(value.view()) } } else { Self::ours(value.clone()) }
    }

    /// The value.
    #[inline]
    pub fn view(&self) -> &AnyView<'_> {
        self.value.view()
    }

    /// The object in the value.
    #[inline]
    pub fn object(&self) -> Option<&ObjectRef> {
        self.view().cast_ref()
    }

    /// As [`object`](Self::object), of a value of a type of objects.
    #[inline]
    pub fn its_object(&self) -> &ObjectRef {
        self.object().expect("a value of a type of objects has one")
    }

    /// Whether the walk may meet the object in the value in more than one place: there are more references to it than that
    /// of its container and the walk's own, or they tell nothing.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.object().is_some_and(|object| object.strong_count() > self.holder as u64)
    }

    /// As [`is_shared`](Self::is_shared), but that references which tell nothing are taken for what they are most often: those of
    /// a field and of what its getter has answered.
    #[inline]
    pub fn seems_shared(&self) -> bool {
        let usual = if self.holder == Holder::Foreign { Holder::Walk } else { self.holder };
        self.object().is_some_and(|object| object.strong_count() > usual as u64)
    }

    /// The value with a reference of its own.
    #[inline]
    pub fn to_owned(&self) -> Any {
        Any::clone(&self.value)
    }
}

impl Drop for Held {
    #[inline]
    fn drop(&mut self) {
        if self.holder != Holder::Lender {
            // SAFETY: the reference is ours, and the value is not used afterwards.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

/// A value that a walk is at, and whether it is worth noting what becomes of it.
pub struct Visited {
    /// The value.
    pub value: Held,
    /// Whether the walk may come by again, so that what becomes of the value is to be noted.
    pub noted: bool,
    /// Whether it may come by what is inside again without coming by the value: by another way to the value.
    again: bool,
    /// Whether the walk keeps the value to its end, by what it begins with.
    pub is_kept: bool,
}

impl Visited {
    /// What a walk begins with, which may be met again inside of itself. Those that a hook begins may follow one another.
    pub fn root(value: Any, by_hook: bool) -> Self {
        let value = if by_hook { Held::answered(value) } else { Held::ours(value) };
        Self { value, noted: true, again: by_hook, is_kept: !by_hook }
    }

    /// What a walk begins with that only has to end: where it runs in a circle, it notices the second time round.
    #[inline]
    pub fn outermost(value: Held) -> Self {
        let noted = value.is_shared();
        Self { value, noted, again: false, is_kept: false }
    }

    /// Whether the walk begins with the value, and does not come by after that.
    #[inline]
    pub fn is_root(&self) -> bool {
        self.noted && !self.again
    }

    /// Whether it is worth noting what becomes of a part of the value.
    #[inline]
    pub fn is_noted(&self, part: &Held) -> bool {
        self.again || part.is_shared()
    }

    /// A part of the value: met again if there is another reference to it or to what it is inside of.
    #[inline]
    pub fn part(&self, value: Held) -> Self {
        let again = self.is_noted(&value);
        // What is lent lies in an Array or a Map, which does not change as long as it is kept itself.
        let is_kept = self.is_kept && value.holder == Holder::Lender;
        Self { value, noted: again, again, is_kept }
    }
}

/// The parts of a container that are still to come, as they are when the walk gets there: of maps, each key and its value
/// in turn.
pub enum Parts {
    /// Elements of a sequence.
    Elements(slice::Iter<'static, Any>),
    /// Entries of a map, and the value of the key that came last.
    Entries(map::Entries<'static>, Option<&'static Any>),
    /// What may have changed since.
    Copied(vec::IntoIter<Any>),
}

impl Parts {
    /// The parts of a container; none of other objects.
    ///
    /// # Safety
    /// The container is one that a walk holds, or that one lends to it, for as long as the parts are used.
    #[inline]
    pub unsafe fn of(container: &ObjectRef) -> Result<Option<Self>> {
        Ok(match container.type_index() {
            kTVMFFIList => Some(Self::copied(container.cast_ref().map(sequence::elements).transpose()?)),
            kTVMFFIDict => Some(Self::copied(container.cast_ref().map(map::keys_and_values).transpose()?)),
            // SAFETY: nobody changes an Array or a Map that is held.
            _ => unsafe { Self::lent(container) },
        })
    }

    /// As [`of`](Self::of), where they lie.
    ///
    /// # Safety
    /// As for [`of`](Self::of), and nobody changes the container meanwhile.
    #[inline]
    pub unsafe fn lent(container: &ObjectRef) -> Option<Self> {
        let container: *const ObjectRef = container;
        // SAFETY: what the container refers to outlives the parts, and stays as it is, as the caller says.
        unsafe {
            match (*container).type_index() {
                kTVMFFIArray | kTVMFFIList => Some(Self::Elements(sequence::borrow_in(&*container).iter())),
                kTVMFFIMap | kTVMFFIDict => (*container).cast_ref().map(|map| Self::Entries(map::iter(map), None)),
                _ => None,
            }
        }
    }

    /// What is still to come of the entries of a map; none are looked at where they lie that may change meanwhile.
    ///
    /// # Safety
    /// As for [`of`](Self::of).
    #[inline]
    pub unsafe fn rest_of(map: &Mapping, entries: map::Entries<'static>) -> Result<Self> {
        Ok(match map.type_index() {
            kTVMFFIMap => Self::Entries(entries, None),
            _ => Self::Copied(entries.copied()?.into_iter()),
        })
    }

    fn copied(values: Option<Vec<Any>>) -> Self {
        Self::Copied(values.unwrap_or_default().into_iter())
    }

    /// The entries of a Map that are still to come, if a key is next.
    #[inline]
    pub fn entries(&mut self) -> Option<&mut map::Entries<'static>> {
        match self {
            Self::Entries(entries, None) => Some(entries),
            _ => None,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Elements(elements) => elements.len(),
            Self::Entries(entries, value) => 2 * entries.len() + usize::from(value.is_some()),
            Self::Copied(values) => values.len(),
        }
    }
}

impl Iterator for Parts {
    type Item = Held;

    #[inline]
    fn next(&mut self) -> Option<Held> {
        let lent = match self {
            Self::Copied(values) => return values.next().map(Held::ours),
            Self::Elements(elements) => elements.next()?,
            Self::Entries(entries, value) => match value.take() {
                Some(value) => value,
                None => {
                    let (key, behind) = entries.next()?;
                    *value = Some(behind);
                    key
                }
            },
        };
        // SAFETY: the container keeps its parts, and is kept itself for as long as they are used.
        Some(unsafe { Held::lent(lent.view()) })
    }
}
