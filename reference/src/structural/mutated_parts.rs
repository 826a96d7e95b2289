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
    /// Values of a map.
    Map { map: ManuallyDrop<Mapping>, places: map::Places, current: Option<map::Place>, result: Container<Mapping> },
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
        let places = if is_fixed(map, &result) {
            // SAFETY: nobody changes the Map, as the caller says.
            unsafe { map::Places::of_fixed(map) }
        } else {
            map::Places::of(map)?
        };
        Ok(Some(Self::Map { map: borrowed(map), places, current: None, result }))
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
    /// Puts something else in the place of the part that was asked for last.
    fn replace(&mut self, answer: Any) -> Result<()> {
        match self {
            Self::Sequence { sequence, at, result } => {
                let target = result.target(sequence, copy_sequence)?;
                drop(sequence::exchange(target, *at - 1, answer));
            }
            Self::Map { map, current, result, .. } => {
                if let Some(place) = current {
                    let target = result.target(map, map::copy)?;
                    drop(map::exchange(target, place, answer));
                }
            }
            Self::Object { object, current, copy, .. } => {
                if let Some(field) = current {
                    let copy = match copy {
                        Some(made) => made,
                        None => copy.insert(shallow_copy(object)?),
                    };
                    // SAFETY: `next` took the field from those of the object's type.
                    unsafe { set_field(copy, *field, answer.view())? };
                }
            }
        }
        Ok(())
    }

    fn put_back_ours(&mut self, part: Any) {
        match self {
            Self::Sequence { sequence, at, result: Container::Same } => {
                drop(sequence::exchange(sequence, *at - 1, part));
            }
            Self::Map { map, current: Some(place), result: Container::Same, .. } => {
                drop(map::exchange(map, place, part));
            }
            _ => {}
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
            Self::Map { result, .. } => result.put_together(),
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
    fn accept(&mut self, part: Self::Part, answer: Any) -> Result<()>;

    /// Gives the part that was asked for last back.
    fn put_back(&mut self, part: Self::Part);
}

impl<'a> Source<'a> for Parts {
    type Part = Held<'a>;

    unsafe fn next(&mut self, region: &Cell<i32>) -> Result<Option<(Held<'a>, bool)>> {
        // SAFETY: the caller's contract is the same.
        if let Some(mut elements) = unsafe { self.elements() } {
            // SAFETY: as above.
            return Ok(unsafe { elements.next(region)? }.map(|(part, _)| (Elements::hold(part), false)));
        }
        let ours = |(part, taken)| (Held::Ours(part), taken);
        let wanted = |in_place| if in_place { is_unique } else { |_: &AnyView<'_>| false };
        match self {
            Self::Sequence { sequence, at, result } => {
                *at += 1;
                let in_place = matches!(result, Container::Same);
                Ok(sequence::take_if(sequence, *at - 1, wanted(in_place)).map(ours))
            }
            Self::Map { map, places, current, result } => {
                let in_place = matches!(result, Container::Same);
                for place in places.by_ref() {
                    let place = &*current.insert(place);
                    let part = if is_fixed(map, result) {
                        // SAFETY: as for an Array.
                        unsafe { map::value_at(map, place).map(|part| (Held::lent_by_container(part), false)) }
                    } else {
                        map::take_if(map, place, wanted(in_place)).map(ours)
                    };
                    if part.is_some() {
                        return Ok(part);
                    }
                }
                Ok(None)
            }
            Self::Object { object, fields, current, .. } => {
                *current = fields.next(region);
                // SAFETY: the fields are those of the object's type.
                current.map(|field| Ok((Held::Ours(unsafe { field.get(object)? }), false))).transpose()
            }
        }
    }

    #[inline]
    fn pass_over(&mut self, passes: impl Fn(i32) -> bool) {
        match self {
            Self::Sequence { sequence, at, .. } => {
                // SAFETY: nothing foreign runs while the elements are looked at.
                let left = unsafe { sequence::borrow(sequence) }.get(*at..).unwrap_or_default();
                *at += left.iter().take_while(|element| passes(element.view().type_index())).count();
            }
            Self::Map { map, places, .. } => places.pass_over(map, passes),
            Self::Object { .. } => {}
        }
    }

    fn view<'v>(part: &'v Held<'a>) -> &'v AnyView<'v> {
        part.view()
    }

    fn hold(part: Held<'a>) -> Held<'a> {
        part
    }

    fn accept(&mut self, part: Held<'a>, answer: Any) -> Result<()> {
        if is_unchanged(&answer) || same(part.view(), answer.view()) {
            self.put_back(part);
            return Ok(());
        }
        self.replace(answer)
    }

    #[inline]
    fn put_back(&mut self, part: Held<'a>) {
        if let Held::Ours(part) = part {
            self.put_back_ours(part);
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

    /// Takes the answer for the element that was asked for last.
    #[inline]
    pub fn replace(&mut self, element: &AnyView<'_>, answer: Any) -> Result<()> {
        if is_unchanged(&answer) || same(element, answer.view()) {
            return Ok(());
        }
        let copy = self.result.target(self.sequence, copy_sequence)?;
        drop(sequence::exchange(copy, *self.at - 1, answer));
        Ok(())
    }
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

    #[inline(always)]
    fn accept(&mut self, part: &'a Any, answer: Any) -> Result<()> {
        self.replace(part.view(), answer)
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
