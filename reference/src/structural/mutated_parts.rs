//! What of a value is mutated, part by part, and what becomes of the value.

use std::{cell::Cell, mem::ManuallyDrop, ptr, slice};

use tvm_ffi_spec::*;

use super::{call_back, fields::Fields, same, visit::value_of_call};
use crate::{
    border::error::{Error, Result},
    container::{
        array, list,
        map::{self, Mapping},
        sequence::{self, Sequence},
    },
    function::Function,
    object::ObjectRef,
    reflection::field::Field,
    types::{attribute, schema::Type, type_table},
    value::any::{Any, AnyView},
};

/// The answer that a value stays what it is.
pub fn unchanged() -> Any {
    // SAFETY: the value owns nothing.
    unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIUnchanged, 0)) }
}

/// Whether an answer says that a value stays what it is.
pub(super) fn is_unchanged(answer: &Any) -> bool {
    answer.view().type_index() == kTVMFFIUnchanged
}

/// What a value has become by an answer; none if it stays what it is.
pub(super) fn changed(answer: Any) -> Option<Any> {
    if is_unchanged(&answer) { None } else { Some(answer) }
}

/// Whether a value holds the only reference to an object.
pub(super) fn is_unique(value: &AnyView<'_>) -> bool {
    value.borrow_object_of(value.type_index()).is_some_and(ObjectRef::is_unique)
}

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

    /// A value as a part of a container that keeps it.
    ///
    /// # Safety
    /// The container lives for `'a`, and nobody changes it.
    unsafe fn lent_by_container<'a>(value: &Any) -> Held<'a> {
        // SAFETY: the value lives for as long as the container has it.
        Held::Lent(unsafe { AnyView::from_raw(&raw const *value.view() as *const TVMFFIAny) })
    }
}

/// What is left to be mutated of a value that somebody holds.
pub(super) enum Parts {
    /// Elements of a sequence.
    Sequence { sequence: ManuallyDrop<Sequence>, at: usize, result: Container<Sequence> },
    /// Values of a Map that nobody changes.
    Map { map: ManuallyDrop<Mapping>, values: map::Values, result: Container<Mapping> },
    /// Values of a Dict, or of a Map that is changed in place.
    Changing {
        map: ManuallyDrop<Mapping>,
        places: map::Places,
        current: Option<map::Place>,
        result: Container<Mapping>,
    },
    /// Fields of an object, and its copy, should one of them change: objects that cannot be copied stay as they are.
    Object { object: ManuallyDrop<ObjectRef>, fields: Fields, current: Option<Field>, copy: Option<ObjectRef> },
}

/// Where changed parts of a container go.
pub(super) enum Container<T> {
    /// Where they came from.
    Same,
    /// To a copy, should there be any.
    Unchanged,
    /// To this copy.
    Copy(T),
}

impl<T> Container<T> {
    /// Where the next changed part goes.
    fn target<'a>(&'a mut self, source: &'a T, copy: fn(&T) -> Result<T>) -> Result<&'a T> {
        if matches!(self, Self::Unchanged) {
            *self = Self::Copy(copy(source)?);
        }
        Ok(match self {
            Self::Copy(copy) => copy,
            Self::Same | Self::Unchanged => source,
        })
    }
}

impl<T> Container<T>
where
    Any: From<T>,
{
    /// What the container has become, if that is another one.
    #[inline]
    pub fn put_together(self) -> Option<Any> {
        match self {
            Self::Copy(changed) => Some(changed.into()),
            Self::Same | Self::Unchanged => None,
        }
    }
}

impl Parts {
    /// The parts of a container, changed where they lie if `in_place`; none of other values.
    ///
    /// # Safety
    /// The value is held for as long as its parts are used, in a way that nobody changes an Array or a Map meanwhile: by a
    /// reference besides that of whoever may do so, unless nobody may.
    #[inline]
    pub unsafe fn of_container(value: &AnyView<'_>, in_place: bool) -> Result<Option<Self>> {
        if let Some(sequence) = value.cast_ref() {
            let result = if in_place { Container::Same } else { Container::Unchanged };
            return Ok(Some(Self::Sequence { sequence: borrowed(sequence), at: 0, result }));
        }
        let Some(map) = value.cast_ref::<Mapping>() else { return Ok(None) };
        let result = if in_place { Container::Same } else { Container::Unchanged };
        Ok(Some(if is_fixed(map, &result) {
            // SAFETY: nobody changes the Map, as the caller says.
            Self::Map { map: borrowed(map), values: unsafe { map::Values::of(map) }, result }
        } else {
            Self::Changing { map: borrowed(map), places: map::Places::of(map)?, current: None, result }
        }))
    }

    /// The fields of an object.
    ///
    /// # Safety
    /// The object is held for as long as its parts are used.
    pub unsafe fn of_object(value: &AnyView<'_>, kind: i32, region: &Cell<i32>) -> Result<Self> {
        let object = value.cast_ref().map(borrowed).ok_or_else(|| Type::object("ffi.Object").refuse(value))?;
        let fields = Fields::new(value.type_index(), kind, region)?;
        Ok(Self::Object { object, fields, current: None, copy: None })
    }

    /// The elements that are left of an Array that nobody changes.
    ///
    /// # Safety
    /// These parts live for `'a`.
    #[inline]
    pub unsafe fn elements<'a>(&mut self) -> Option<Elements<'a, '_>> {
        match self {
            // SAFETY: nobody changes the Array while its parts are used.
            Self::Sequence { sequence, at, result } if is_fixed(sequence, result) => unsafe {
                Some(Elements::of(sequence, at, result))
            },
            _ => None,
        }
    }

    /// The values that are left of a Map that nobody changes.
    #[inline]
    pub fn values(&mut self) -> Option<Values<'_>> {
        match self {
            Self::Map { map, values, result } => Some(Values { left: values, map, result }),
            _ => None,
        }
    }

    /// The values that are left of another map.
    #[inline]
    pub fn entries(&mut self) -> Option<Entries<'_>> {
        match self {
            Self::Changing { map, places, current, result } => Some(Entries { map, places, current, result }),
            _ => None,
        }
    }

    /// The fields that are left of an object.
    #[inline]
    pub fn fields(&mut self) -> Option<FieldValues<'_>> {
        match self {
            Self::Object { object, fields, current, copy } => Some(FieldValues { object, fields, current, copy }),
            _ => None,
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
        match self {
            Self::Sequence { result, .. } => result.put_together(),
            Self::Map { result, .. } | Self::Changing { result, .. } => result.put_together(),
            Self::Object { copy, .. } => copy.map(Any::from),
        }
    }
}

/// Where the parts of a value come from, one by one, and what becomes of them goes to.
pub(super) trait Source<'a> {
    /// A part.
    type Part;

    /// The next part, and whether it may be changed in place. Then it has been taken out of the value. Others are held by a
    /// reference of their own, unless they are lent by a container that nobody changes: so callbacks of clients find as
    /// many references to them as they expect.
    ///
    /// # Safety
    /// The value lives for `'a`.
    unsafe fn next(&mut self, region: &Cell<i32>) -> Result<Option<(Self::Part, bool)>>;

    /// Goes on to the next part of a type that is not passed over, where that takes less than to ask for those before it.
    fn pass_over(&mut self, _passes: impl Fn(i32) -> bool) {}

    /// The part where it lies.
    fn view(part: &Self::Part) -> &AnyView<'_>;

    /// The part, to be taken apart itself.
    fn hold(part: Self::Part) -> Held<'a>;

    /// Takes the answer for the part that was asked for last.
    #[inline(always)]
    fn accept(&mut self, part: Self::Part, answer: Any) -> Result<()> {
        if is_unchanged(&answer) || same(Self::view(&part), answer.view()) {
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

/// Whichever they are. This is the way of the few that are asked for one by one, and of the elements of a List.
impl<'a> Source<'a> for Parts {
    type Part = Held<'a>;

    unsafe fn next(&mut self, region: &Cell<i32>) -> Result<Option<(Held<'a>, bool)>> {
        let ours = |(part, taken)| (Held::Ours(part), taken);
        // SAFETY: the caller's contract is the same.
        unsafe {
            if let Some(mut elements) = self.elements() {
                return Ok(elements.next(region)?.map(|(part, _)| (Elements::hold(part), false)));
            }
            if let Some(mut values) = self.values() {
                return Ok(values.next(region)?.map(|(part, _)| (Values::hold(part), false)));
            }
            if let Some(mut entries) = self.entries() {
                return Ok(entries.next(region)?.map(ours));
            }
            if let Some(mut fields) = self.fields() {
                return Ok(fields.next(region)?.map(ours));
            }
        }
        let Self::Sequence { sequence, at, result } = self else { return Ok(None) };
        *at += 1;
        Ok(sequence::take_if(sequence, *at - 1, wanted(result)).map(ours))
    }

    #[inline]
    fn pass_over(&mut self, passes: impl Fn(i32) -> bool) {
        match self {
            Self::Sequence { sequence, at, .. } => {
                // SAFETY: nothing foreign runs while the elements are looked at.
                let left = unsafe { sequence::borrow(sequence) }.get(*at..).unwrap_or_default();
                *at += left.iter().take_while(|element| passes(element.view().type_index())).count();
            }
            Self::Changing { map, places, .. } => places.pass_over(map, passes),
            Self::Map { .. } | Self::Object { .. } => {}
        }
    }

    fn view<'v>(part: &'v Held<'a>) -> &'v AnyView<'v> {
        part.view()
    }

    fn hold(part: Held<'a>) -> Held<'a> {
        part
    }

    fn replace(&mut self, answer: Any) -> Result<()> {
        if let Some(mut values) = self.values() {
            values.replace(answer)
        } else if let Some(mut entries) = self.entries() {
            entries.replace(answer)
        } else if let Some(mut fields) = self.fields() {
            fields.replace(answer)
        } else if let Self::Sequence { sequence, at, result } = self {
            let target = result.target(sequence, copy_sequence)?;
            drop(sequence::exchange(target, *at - 1, answer));
            Ok(())
        } else {
            Ok(())
        }
    }

    #[inline]
    fn put_back(&mut self, part: Held<'a>) {
        let Held::Ours(part) = part else { return };
        if let Some(mut entries) = self.entries() {
            entries.put_back(part);
        } else if let Self::Sequence { sequence, at, result: Container::Same } = self {
            drop(sequence::exchange(sequence, *at - 1, part));
        }
    }
}

/// Whether a part of a container is taken out of it: if it is changed in place itself, as nobody else refers to it.
#[inline]
fn wanted<T>(result: &Container<T>) -> impl Fn(&AnyView<'_>) -> bool {
    let in_place = matches!(result, Container::Same);
    move |part| in_place && is_unique(part)
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
    left: &'p mut map::Values,
    map: &'p Mapping,
    result: &'p mut Container<Mapping>,
}

impl<'a> Source<'a> for Values<'_> {
    type Part = &'a Any;

    #[inline(always)]
    unsafe fn next(&mut self, _region: &Cell<i32>) -> Result<Option<(&'a Any, bool)>> {
        Ok(self.left.next().map(|part| (part, false)))
    }

    #[inline(always)]
    fn view<'v>(part: &'v &'a Any) -> &'v AnyView<'v> {
        part.view()
    }

    #[inline(always)]
    fn hold(part: &'a Any) -> Held<'a> {
        // SAFETY: the Map lives for as long as its values are borrowed, and nobody changes it.
        unsafe { Held::lent_by_container(part) }
    }

    #[inline]
    fn replace(&mut self, answer: Any) -> Result<()> {
        let copy = self.result.target(self.map, map::copy)?;
        // SAFETY: nobody else knows the copy.
        unsafe { self.left.replace_last(copy, answer) };
        Ok(())
    }

    #[inline(always)]
    fn put_back(&mut self, _part: &'a Any) {}
}

/// What is left of a map that may change meanwhile.
pub(super) struct Entries<'p> {
    map: &'p Mapping,
    places: &'p mut map::Places,
    current: &'p mut Option<map::Place>,
    result: &'p mut Container<Mapping>,
}

impl<'a> Source<'a> for Entries<'_> {
    type Part = Any;

    #[inline]
    unsafe fn next(&mut self, _region: &Cell<i32>) -> Result<Option<(Any, bool)>> {
        for place in self.places.by_ref() {
            let part = map::take_if(self.map, &place, wanted(self.result));
            *self.current = Some(place);
            if part.is_some() {
                return Ok(part);
            }
        }
        Ok(None)
    }

    #[inline]
    fn pass_over(&mut self, passes: impl Fn(i32) -> bool) {
        self.places.pass_over(self.map, passes);
    }

    #[inline(always)]
    fn view(part: &Any) -> &AnyView<'_> {
        part.view()
    }

    fn hold(part: Any) -> Held<'a> {
        Held::Ours(part)
    }

    #[inline]
    fn replace(&mut self, answer: Any) -> Result<()> {
        if let Some(place) = self.current {
            let target = self.result.target(self.map, map::copy)?;
            drop(map::exchange(target, place, answer));
        }
        Ok(())
    }

    #[inline]
    fn put_back(&mut self, part: Any) {
        if let (Some(place), Container::Same) = (&self.current, &self.result) {
            drop(map::exchange(self.map, place, part));
        }
    }
}

/// What is left of the fields of an object.
pub(super) struct FieldValues<'p> {
    object: &'p ObjectRef,
    fields: &'p mut Fields,
    current: &'p mut Option<Field>,
    copy: &'p mut Option<ObjectRef>,
}

impl<'a> Source<'a> for FieldValues<'_> {
    type Part = Any;

    #[inline]
    unsafe fn next(&mut self, region: &Cell<i32>) -> Result<Option<(Any, bool)>> {
        *self.current = self.fields.next(region);
        let Some(field) = self.current else { return Ok(None) };
        // SAFETY: the fields are those of the object's type.
        Ok(Some((unsafe { field.get(self.object)? }, false)))
    }

    #[inline(always)]
    fn view(part: &Any) -> &AnyView<'_> {
        part.view()
    }

    fn hold(part: Any) -> Held<'a> {
        Held::Ours(part)
    }

    #[inline]
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
    unsafe fn next(&mut self, _region: &Cell<i32>) -> Result<Option<(&'a Any, bool)>> {
        *self.at += 1;
        Ok(self.left.next().map(|part| (part, false)))
    }

    #[inline(always)]
    fn view<'v>(part: &'v &'a Any) -> &'v AnyView<'v> {
        part.view()
    }

    #[inline(always)]
    fn hold(part: &'a Any) -> Held<'a> {
        // SAFETY: the Array lives for as long as its elements are borrowed, and nobody changes it.
        unsafe { Held::lent_by_container(part) }
    }

    #[inline]
    fn replace(&mut self, answer: Any) -> Result<()> {
        let copy = self.result.target(self.sequence, copy_sequence)?;
        drop(sequence::exchange(copy, *self.at - 1, answer));
        Ok(())
    }

    #[inline(always)]
    fn put_back(&mut self, _part: &'a Any) {}
}

/// Whether nobody changes a container, whose changed parts go to a copy.
#[inline]
fn is_fixed<T>(container: &ObjectRef, result: &Container<T>) -> bool {
    matches!(container.type_index(), kTVMFFIArray | kTVMFFIMap) && !matches!(result, Container::Same)
}

/// A reference that counts for nothing, as others hold the object.
#[inline]
fn borrowed<T>(reference: &T) -> ManuallyDrop<T> {
    // SAFETY: a copy that is never dropped takes nothing over.
    ManuallyDrop::new(unsafe { ptr::read(reference) })
}

fn copy_sequence(sequence: &Sequence) -> Result<Sequence> {
    match sequence.cast_ref() {
        Some(array) => array::copy(array).map(Sequence::from),
        None => list::new(sequence::elements(sequence)?).map(Sequence::from),
    }
}

/// Another object with the same fields, to be changed.
fn shallow_copy(object: &ObjectRef) -> Result<ObjectRef> {
    let value = Any::from(object.clone());
    let value = value.view();
    let attribute = attribute::SHALLOW_COPY.of(value.type_index());
    let function = attribute.and_then(|attribute| attribute.cast::<Function>());
    let function = function.ok_or_else(|| Error::new("TypeError", "__ffi_shallow_copy__ must be an ffi.Function"))?;
    let copy = value_of_call(call_back(&function, &[*value])?)?;
    let copy = copy.view().as_object_of(value.type_index()).filter(|_| !same(copy.view(), value));
    copy.ok_or_else(|| {
        let text = "Shallow copy callback must return a distinct object with the same type as its input";
        Error::new("TypeError", text)
    })
}

/// # Safety
/// The field is one of the object's type.
unsafe fn set_field(object: &ObjectRef, field: Field, value: &AnyView<'_>) -> Result<()> {
    if field.info().setter.is_null() {
        let (name, key) = (String::from_utf8_lossy(field.name()), type_table::key_of(object.type_index()));
        let text =
            format!("Cannot structurally mutate field `{name}` of type `{key}` because it does not define a setter");
        return Err(Error::new("TypeError", text));
    }
    // SAFETY: the caller's contract is the same.
    unsafe { field.set(object, value) }
}
