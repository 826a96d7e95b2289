//! What of a value is mutated, part by part, and what becomes of the value.

use std::{cell::Cell, mem::ManuallyDrop, ptr, slice};

use tvm_ffi_spec::*;

use super::{
    fields::Fields,
    outcome::{Container, copy_sequence, is_fixed, is_unchanged, set_field, shallow_copy, wanted},
    same,
    visit::wrong_container,
};
use crate::{
    border::error::Result,
    container::{
        map::{self, Mapping},
        sequence::{self, Sequence},
    },
    object::ObjectRef,
    reflection::field::Field,
    types::schema::Type,
    value::any::{Any, AnyView},
};

/// A value that is being mutated.
pub(super) enum Held<'a> {
    /// It belongs to whoever lends it.
    Lent(AnyView<'a>),
    /// Nobody else sees to it.
    Ours(Any),
}

impl Held<'_> {
    pub fn view(&self) -> &AnyView<'_> {
        match self {
            Self::Lent(view) => view,
            Self::Ours(value) => value.view(),
        }
    }

    /// The value, if nobody else sees to it.
    fn ours(self) -> Option<Any> {
        match self {
            Self::Lent(_) => None,
            Self::Ours(value) => Some(value),
        }
    }
}

/// What of a value is mutated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// Its elements or values, which are changed where they lie if `in_place`.
    Container { in_place: bool },
    /// Its fields. It has this kind of identity.
    Fields { kind: i32 },
}

impl Content {
    /// The kind of identity that the value has.
    pub fn kind(self) -> i32 {
        match self {
            Self::Container { .. } => kTVMFFISEqHashKindUnsupported,
            Self::Fields { kind } => kind,
        }
    }
}

/// What is left to be mutated of a value that somebody holds.
pub(super) enum Parts {
    /// Elements of a sequence.
    Sequence { sequence: ManuallyDrop<Sequence>, at: usize, result: Container<Sequence> },
    /// Values of a Map that nobody changes.
    Map { map: ManuallyDrop<Mapping>, values: map::Values, result: Container<Mapping> },
    /// Values of a Dict, or of a Map that is changed in place.
    Changing { map: ManuallyDrop<Mapping>, places: Box<map::Places>, result: Container<Mapping> },
    /// Fields of an object, and its copy, should one of them change: objects that cannot be copied stay as they are.
    Object { object: ManuallyDrop<ObjectRef>, fields: Fields, current: Option<Field>, copy: Option<ObjectRef> },
}

impl Parts {
    /// The content of a value.
    ///
    /// # Safety
    /// As for [`of_container`](Self::of_container).
    pub unsafe fn of(value: &AnyView<'_>, content: Content, region: &Cell<i32>) -> Result<Self> {
        // SAFETY: the caller's contract is the same.
        unsafe {
            match content {
                Content::Container { in_place } => {
                    Self::of_container(value, in_place)?.ok_or_else(|| wrong_container(value))
                }
                Content::Fields { kind } => Self::of_object(value, kind, region),
            }
        }
    }

    /// The parts of a container, changed where they lie if `in_place`; none of other values.
    ///
    /// # Safety
    /// The value is held for as long as its parts are used, in a way that nobody changes an Array or a Map meanwhile: by a
    /// reference besides that of whoever may do so, unless nobody may.
    #[inline]
    pub unsafe fn of_container(value: &AnyView<'_>, in_place: bool) -> Result<Option<Self>> {
        if let Some(sequence) = value.cast_ref() {
            let result = Container::of_changed(in_place);
            return Ok(Some(Self::Sequence { sequence: borrowed(sequence), at: 0, result }));
        }
        let Some(map) = value.cast_ref::<Mapping>() else { return Ok(None) };
        let result = Container::of_changed(in_place);
        Ok(Some(if is_fixed(map, &result) {
            // SAFETY: nobody changes the Map, as the caller says.
            Self::Map { map: borrowed(map), values: unsafe { map::Values::of(map) }, result }
        } else {
            let mut places = Box::<map::Places>::default();
            places.look_up(map)?;
            Self::Changing { map: borrowed(map), places, result }
        }))
    }

    /// The fields of an object.
    ///
    /// # Safety
    /// The object is held for as long as its parts are used.
    unsafe fn of_object(value: &AnyView<'_>, kind: i32, region: &Cell<i32>) -> Result<Self> {
        let object = value.cast_ref().map(borrowed).ok_or_else(|| Type::object("ffi.Object").refuse(value))?;
        let fields = Fields::new(value.type_index(), kind, region)?;
        Ok(Self::Object { object, fields, current: None, copy: None })
    }

    /// What is left of these parts.
    ///
    /// # Safety
    /// These parts live for `'a`.
    #[inline]
    pub unsafe fn left<'a>(&mut self) -> Left<'a, '_> {
        match self {
            Self::Sequence { sequence, at, result } => {
                if is_fixed(sequence, result) {
                    // SAFETY: nobody changes the Array while its parts are used.
                    Left::Elements(unsafe { Elements::of(sequence, at, result) })
                } else {
                    Left::Items(Items { sequence, at, result })
                }
            }
            Self::Map { map, values, result } => Left::Values(Values { left: values, map, result }),
            Self::Changing { map, places, result } => Left::Entries(Entries { map, places: places.left(), result }),
            Self::Object { object, fields, current, copy } => {
                Left::Fields(FieldValues { object, fields, current, copy })
            }
        }
    }

    /// Back to the region in which the value itself was met.
    pub fn close(&self, region: &Cell<i32>) {
        if let Self::Object { fields, .. } = self {
            fields.close(region);
        }
    }

    /// What the value has become, if that is another one.
    pub fn put_together(self) -> Option<Any> {
        let changed = match self {
            Self::Sequence { result, .. } => result.put_together(),
            Self::Map { result, .. } | Self::Changing { result, .. } => result.put_together(),
            Self::Object { copy, .. } => copy,
        };
        changed.map(Any::from)
    }
}

/// What is left of parts, each kind of which has a loop of its own.
pub(super) enum Left<'a, 'p> {
    Elements(Elements<'a, 'p>),
    Items(Items<'p>),
    Values(Values<'p>),
    Entries(Entries<'p>),
    Fields(FieldValues<'p>),
}

/// A part of a value: lent by a container that keeps it, or taken out of it, or either.
pub(super) trait AsPart<'a>: Sized {
    /// The part where it lies.
    fn as_view(&self) -> &AnyView<'_>;

    /// The part as an argument of a callback. What has been taken out of its container was stored in words.
    #[inline(always)]
    fn argument(&self) -> AnyView<'_> {
        self.as_view().in_words()
    }

    /// The part, to be taken apart itself.
    fn held(self) -> Held<'a>;

    /// The part that has been held like that; none if it lies where it was.
    fn unheld(held: Held<'a>) -> Option<Self>;
}

impl<'a> AsPart<'a> for &'a Any {
    #[inline(always)]
    fn as_view(&self) -> &AnyView<'_> {
        self.view()
    }

    #[inline(always)]
    fn argument(&self) -> AnyView<'_> {
        *self.view()
    }

    #[inline(always)]
    fn held(self) -> Held<'a> {
        // SAFETY: the value is borrowed for as long as the view.
        Held::Lent(unsafe { AnyView::from_raw(&raw const *self.view() as *const TVMFFIAny) })
    }

    fn unheld(_held: Held<'a>) -> Option<Self> {
        None
    }
}

impl<'a> AsPart<'a> for Any {
    #[inline(always)]
    fn as_view(&self) -> &AnyView<'_> {
        self.view()
    }

    fn held(self) -> Held<'a> {
        Held::Ours(self)
    }

    fn unheld(held: Held<'a>) -> Option<Self> {
        held.ours()
    }
}

impl<'a> AsPart<'a> for Held<'a> {
    fn as_view(&self) -> &AnyView<'_> {
        self.view()
    }

    fn held(self) -> Held<'a> {
        self
    }

    fn unheld(held: Held<'a>) -> Option<Self> {
        Some(held)
    }
}

/// Where the parts of a value come from, one by one, and what becomes of them goes to.
pub(super) trait Source<'a> {
    /// The form in which parts are given.
    type Part: AsPart<'a>;

    /// The next part, and whether it may be changed in place. Then it has been taken out of the value. Others are held by a
    /// reference of their own, unless they are lent by a container that nobody changes: so callbacks of clients find as
    /// many references to them as they expect. Parts of types that are passed over are left out, where they need not be held
    /// to be looked at.
    ///
    /// # Safety
    /// The value lives for `'a`.
    unsafe fn next(&mut self, region: &Cell<i32>, passes: impl Fn(i32) -> bool) -> Result<Option<(Self::Part, bool)>>;

    /// Takes the answer for the part that was asked for last.
    #[inline(always)]
    fn accept(&mut self, part: Self::Part, answer: Any) -> Result<()> {
        if is_unchanged(&answer) || same(part.as_view(), answer.view()) {
            self.put_back(part);
            return Ok(());
        }
        self.replace(answer)
    }

    /// Puts something else in the place of the part that was asked for last.
    fn replace(&mut self, answer: Any) -> Result<()>;

    /// Gives the part that was asked for last back.
    fn put_back(&mut self, part: Self::Part);
}

/// Whichever they are. This is the way of those that are asked for one by one.
impl<'a> Source<'a> for Parts {
    type Part = Held<'a>;

    unsafe fn next(&mut self, region: &Cell<i32>, passes: impl Fn(i32) -> bool) -> Result<Option<(Held<'a>, bool)>> {
        let ours = |(part, taken)| (Held::Ours(part), taken);
        // SAFETY: the caller's contract is the same.
        unsafe {
            Ok(match self.left() {
                Left::Elements(mut elements) => elements.next(region, passes)?.map(|(part, _)| (part.held(), false)),
                Left::Values(mut values) => values.next(region, passes)?.map(|(part, _)| (part.held(), false)),
                Left::Items(mut items) => items.next(region, passes)?.map(ours),
                Left::Entries(mut entries) => entries.next(region, passes)?.map(ours),
                Left::Fields(mut fields) => fields.next(region, passes)?.map(ours),
            })
        }
    }

    fn replace(&mut self, answer: Any) -> Result<()> {
        // SAFETY: the parts are not looked at.
        match unsafe { self.left() } {
            Left::Elements(mut elements) => elements.replace(answer),
            Left::Values(mut values) => values.replace(answer),
            Left::Items(mut items) => items.replace(answer),
            Left::Entries(mut entries) => entries.replace(answer),
            Left::Fields(mut fields) => fields.replace(answer),
        }
    }

    #[inline]
    fn put_back(&mut self, part: Held<'a>) {
        let Some(part) = part.ours() else { return };
        // SAFETY: the parts are not looked at.
        match unsafe { self.left() } {
            Left::Items(mut items) => items.put_back(part),
            Left::Entries(mut entries) => entries.put_back(part),
            Left::Elements(_) | Left::Values(_) | Left::Fields(_) => {}
        }
    }
}

/// What is left of an Array that nobody changes: leaves are dealt with where they lie.
pub(super) struct Elements<'a, 'p> {
    left: slice::Iter<'a, Any>,
    sequence: &'p Sequence,
    at: &'p mut usize,
    result: &'p mut Container<Sequence>,
}

impl<'a, 'p> Elements<'a, 'p> {
    /// The elements of an Array from an index on.
    ///
    /// # Safety
    /// The Array lives for `'a`, and nobody changes it.
    #[inline]
    pub unsafe fn of(sequence: &'p Sequence, at: &'p mut usize, result: &'p mut Container<Sequence>) -> Self {
        // SAFETY: the caller's contract is the same.
        let elements: &'a [Any] = unsafe { &*ptr::from_ref(sequence::borrow(sequence)) };
        Self { left: elements.get(*at..).unwrap_or_default().iter(), sequence, at, result }
    }
}

/// What is left of a Map that nobody changes.
pub(super) struct Values<'p> {
    pub left: &'p mut map::Values,
    pub map: &'p Mapping,
    pub result: &'p mut Container<Mapping>,
}

impl<'a> Source<'a> for Values<'_> {
    type Part = &'a Any;

    #[inline(always)]
    unsafe fn next(&mut self, _region: &Cell<i32>, _passes: impl Fn(i32) -> bool) -> Result<Option<(&'a Any, bool)>> {
        Ok(self.left.next().map(|part| (part, false)))
    }

    #[inline(always)]
    fn replace(&mut self, answer: Any) -> Result<()> {
        let copy = self.result.target(self.map, map::copy)?;
        // SAFETY: nobody else knows the copy.
        unsafe { self.left.replace_last(copy, answer) };
        Ok(())
    }

    #[inline(always)]
    fn put_back(&mut self, _part: &'a Any) {}
}

/// What is left of a sequence that may change meanwhile.
pub(super) struct Items<'p> {
    pub sequence: &'p Sequence,
    pub at: &'p mut usize,
    pub result: &'p mut Container<Sequence>,
}

impl Items<'_> {
    #[inline(never)]
    fn put_back_in_place(&mut self, part: Any) {
        drop(sequence::exchange(self.sequence, *self.at - 1, part));
    }
}

impl<'a> Source<'a> for Items<'_> {
    type Part = Any;

    #[inline(always)]
    unsafe fn next(&mut self, _region: &Cell<i32>, passes: impl Fn(i32) -> bool) -> Result<Option<(Any, bool)>> {
        Ok(sequence::take_next(self.sequence, self.at, passes, wanted(self.result)))
    }

    #[inline(always)]
    fn replace(&mut self, answer: Any) -> Result<()> {
        let target = self.result.target(self.sequence, copy_sequence)?;
        drop(sequence::exchange(target, *self.at - 1, answer));
        Ok(())
    }

    #[inline(always)]
    fn put_back(&mut self, part: Any) {
        if matches!(self.result, Container::Same) {
            self.put_back_in_place(part);
        }
    }
}

/// What is left of a map that may change meanwhile.
pub(super) struct Entries<'p> {
    pub map: &'p Mapping,
    pub places: map::PlacesLeft<'p>,
    pub result: &'p mut Container<Mapping>,
}

impl Entries<'_> {
    #[inline(never)]
    fn put_back_in_place(&mut self, part: Any) {
        self.places.replace_last(self.map, part);
    }
}

impl<'a> Source<'a> for Entries<'_> {
    type Part = Any;

    #[inline]
    unsafe fn next(&mut self, _region: &Cell<i32>, passes: impl Fn(i32) -> bool) -> Result<Option<(Any, bool)>> {
        Ok(self.places.take_next(self.map, passes, wanted(self.result)))
    }

    #[inline(always)]
    fn replace(&mut self, answer: Any) -> Result<()> {
        let target = self.result.target(self.map, map::copy)?;
        self.places.replace_last(target, answer);
        Ok(())
    }

    #[inline(always)]
    fn put_back(&mut self, part: Any) {
        if matches!(self.result, Container::Same) {
            self.put_back_in_place(part);
        }
    }
}

/// What is left of the fields of an object.
pub(super) struct FieldValues<'p> {
    pub object: &'p ObjectRef,
    pub fields: &'p mut Fields,
    pub current: &'p mut Option<Field>,
    pub copy: &'p mut Option<ObjectRef>,
}

impl<'a> Source<'a> for FieldValues<'_> {
    type Part = Any;

    #[inline]
    unsafe fn next(&mut self, region: &Cell<i32>, _passes: impl Fn(i32) -> bool) -> Result<Option<(Any, bool)>> {
        *self.current = self.fields.next(region);
        let Some(field) = self.current else { return Ok(None) };
        // SAFETY: the fields are those of the object's type.
        Ok(Some((unsafe { field.get(self.object)? }, false)))
    }

    #[inline(always)]
    fn replace(&mut self, answer: Any) -> Result<()> {
        let Some(field) = *self.current else { return Ok(()) };
        let copy = match self.copy {
            Some(copy) => copy,
            None => self.copy.insert(shallow_copy(self.object)?),
        };
        // SAFETY: the field is one of those of the object's type.
        unsafe { set_field(copy, field, answer.view()) }
    }

    #[inline(always)]
    fn put_back(&mut self, _part: Any) {}
}

impl<'a> Source<'a> for Elements<'a, '_> {
    type Part = &'a Any;

    #[inline(always)]
    unsafe fn next(&mut self, _region: &Cell<i32>, _passes: impl Fn(i32) -> bool) -> Result<Option<(&'a Any, bool)>> {
        *self.at += 1;
        Ok(self.left.next().map(|part| (part, false)))
    }

    #[inline(always)]
    fn replace(&mut self, answer: Any) -> Result<()> {
        let copy = self.result.target(self.sequence, copy_sequence)?;
        drop(sequence::exchange(copy, *self.at - 1, answer));
        Ok(())
    }

    #[inline(always)]
    fn put_back(&mut self, _part: &'a Any) {}
}

/// A reference that counts for nothing, as others hold the object.
#[inline]
fn borrowed<T>(reference: &T) -> ManuallyDrop<T> {
    // SAFETY: a copy that is never dropped takes nothing over.
    ManuallyDrop::new(unsafe { ptr::read(reference) })
}
