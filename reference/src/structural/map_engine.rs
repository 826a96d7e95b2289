//! How an engine that runs callbacks goes through a value and replaces what is in it.

use std::cell::RefCell;

use super::{
    DEEPEST, Descent, Level, address, all_pass,
    callbacks::{Callback, Callbacks},
    error_context,
    fields::Fields,
    is_nested,
    mutate::{Apart, Mutator, is_leaf, is_plain_container},
    mutated_parts::{AsPart, Content, Elements, Entries, FieldValues, Held, Items, Left, Parts, Source, Values},
    nested_at_first, null_object,
    outcome::{Container, changed, is_fixed, is_unchanged, is_unique, unchanged},
    same,
    visit::{value_of_call, wrong_container},
};
use crate::{
    border::error::{Error, Result},
    container::{
        map::{self, Mapping},
        sequence::Sequence,
    },
    function,
    object::{ObjectRef, Payload},
    reflection::structural_objects::StructuralMutator,
    system::memory::RoomFor,
    types::builtin_indices::STRUCTURAL_MUTATOR,
    value::any::{Any, AnyView},
    walk::{addresses::ByAddress, stack_guard::Limit},
};

/// What callbacks are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// They replace a value before what is inside of the replacement.
    MapBefore,
    /// They replace a value after what is inside of it.
    MapAfter,
    /// They mutate what they want of a value themselves.
    Mutate,
}

/// What lies behind the header of a mutator that runs callbacks.
#[repr(C)]
pub(super) struct Engine {
    pub mutator: StructuralMutator,
    pub role: Role,
    pub callbacks: Callbacks,
    /// What variables and nodes of graphs are replaced by.
    pub replacements: RefCell<ByAddress<usize, (ObjectRef, Any)>>,
}

// SAFETY: `repr(C)`, and begins with the fields of mutators.
unsafe impl Payload for Engine {
    const TYPE_INDEX: i32 = STRUCTURAL_MUTATOR;
}

/// A value that a mutation is inside of.
struct Inside<'a> {
    value: Held<'a>,
    /// What a callback has replaced it by before, which is what the mutation is inside of. It may say unchanged.
    replaced: Option<Any>,
    parts: Parts,
    kind: i32,
    /// What keeps an Array or a Map from changes that the walk begins with. Others have a container that is kept, or are ours.
    kept: Option<ObjectRef>,
}

impl Inside<'_> {
    fn target(&self) -> &AnyView<'_> {
        target(self.value.view(), self.replaced.as_ref())
    }
}

/// What of a value and the answer of a callback is mutated further.
fn target<'a>(value: &'a AnyView<'_>, replaced: Option<&'a Any>) -> &'a AnyView<'a> {
    replaced.filter(|replaced| !is_unchanged(replaced)).map_or(value, Any::view)
}

impl Level for Inside<'_> {
    type Key = u64;

    fn key(&self) -> u64 {
        self.target().raw().payload()
    }
}

/// What a callback wants done with a value.
enum Wish {
    /// What is inside of it is to be mutated, or what is inside of this, if it is something else.
    GoInside(Option<Any>),
    /// This is what becomes of it.
    Take(Any),
}

/// A value that is to be mutated further.
struct Part<'a> {
    value: Held<'a>,
    in_place: bool,
    /// What a callback has replaced it by before. It may say unchanged.
    replaced: Option<Any>,
}

/// What a value has become, if it is not what it was.
type Changed = Result<Option<Any>>;

/// A value that has been mutated, and what it has become.
struct Mutated<'a>(Held<'a>, Changed);

impl<'a> Mutated<'a> {
    /// Gives the answer to the parts that the value is one of, or the value back.
    fn give_to<S: Source<'a>>(self, parts: &mut S) -> Result<()> {
        let Self(part, changed) = self;
        let stays = |answer: &Any| is_unchanged(answer) || same(part.view(), answer.view());
        match changed {
            Ok(Some(answer)) if !stays(&answer) => return parts.replace(answer),
            _ => {}
        }
        if let Some(part) = S::Part::unheld(part) {
            parts.put_back(part);
        }
        changed.map(drop)
    }
}

impl Engine {
    /// Mutates a value, in place if that is allowed and nobody else refers to it.
    pub fn run(&self, mutator: &Mutator, root: &AnyView<'_>, in_place: bool, stack: Limit) -> Result<Any> {
        match self.before(mutator, root, in_place, stack) {
            Ok(Wish::GoInside(replaced)) => {
                let target = target(root, replaced.as_ref());
                let changed = if is_nested(target.type_index(), nested_at_first(stack)) {
                    self.inside(mutator, root, in_place, replaced, stack, 1)
                } else {
                    self.descend(mutator, Part { value: Held::Lent(*root), in_place, replaced }, stack).1
                };
                changed.map(|changed| changed.unwrap_or_else(unchanged))
            }
            Ok(Wish::Take(answer)) => Ok(answer),
            Err(error) => Err(error_context::add(error, root)),
        }
    }

    /// Mutates a value and what is inside of it by a nested call. Containers of leaves that nobody sees are not entered.
    fn inside(
        &self,
        mutator: &Mutator,
        value: &AnyView<'_>,
        in_place: bool,
        replaced: Option<Any>,
        stack: Limit,
        nested: u32,
    ) -> Changed {
        let target = target(value, replaced.as_ref());
        let is_plain = is_plain_container(target.type_index());
        let changed = if is_plain && all_pass(target, |type_index| self.passes(type_index)) {
            Ok(None)
        } else {
            let in_place = in_place && (same(target, value) || is_unique(target));
            // What the walk begins with is lent by foreign code, which may change an Array or a Map that it alone refers to.
            let _kept = if nested == 1 { target.as_object() } else { None };
            // SAFETY: the value is held by the call outside, or by a container that is held like that.
            unsafe {
                if is_plain {
                    self.container_inside(mutator, target, in_place, stack, nested).map(|copy| copy.map(Any::from))
                } else {
                    self.object_inside(mutator, target, in_place, stack, nested)
                }
            }
            .map_err(|error| error_context::add(error, target))
        };
        self.after(mutator, value, replaced, stack, changed)
    }

    /// Mutates the elements or values of a container. Answers the copy, should there be one.
    ///
    /// # Safety
    /// The container is held as for [`Parts::of_container`].
    unsafe fn container_inside(
        &self,
        mutator: &Mutator,
        target: &AnyView<'_>,
        in_place: bool,
        stack: Limit,
        nested: u32,
    ) -> Result<Option<ObjectRef>> {
        // SAFETY: the caller's contract is the same.
        unsafe {
            if let Some(sequence) = target.cast_ref::<Sequence>() {
                let (mut at, mut result) = (0, Container::of_changed(in_place));
                if is_fixed(sequence, &result) {
                    let mut elements = Elements::of(sequence, &mut at, &mut result);
                    self.all_of(mutator, &mut elements, stack, nested)?;
                } else {
                    let mut items = Items { sequence, at: &mut at, result: &mut result };
                    self.all_of(mutator, &mut items, stack, nested)?;
                }
                return Ok(result.put_together());
            }
            let Some(map) = target.cast_ref::<Mapping>() else { return Err(wrong_container(target)) };
            let mut result = Container::of_changed(in_place);
            if is_fixed(map, &result) {
                let mut values = Values { left: &mut map::Values::of(map), map, result: &mut result };
                self.all_of(mutator, &mut values, stack, nested)?;
            } else {
                let mut places = map::Places::default();
                places.look_up(map)?;
                let mut entries = Entries { map, places: places.left(), result: &mut result };
                self.all_of(mutator, &mut entries, stack, nested)?;
            }
            Ok(result.put_together())
        }
    }

    /// Mutates what is inside of a value as its type says.
    ///
    /// # Safety
    /// The value is held as for [`Parts::of_container`].
    unsafe fn object_inside(
        &self,
        mutator: &Mutator,
        target: &AnyView<'_>,
        in_place: bool,
        stack: Limit,
        nested: u32,
    ) -> Changed {
        let kind = match mutator.take_object_apart(target, in_place)? {
            Apart::Done(answer) => return Ok(changed(answer)),
            // SAFETY: the caller's contract is the same.
            Apart::Content(Content::Container { in_place }) => unsafe {
                let copy = self.container_inside(mutator, target, in_place, stack, nested)?;
                return Ok(copy.map(Any::from));
            },
            Apart::Content(Content::Fields { kind }) => kind,
        };
        let object = target.cast_ref().ok_or_else(null_object)?;
        let (mut current, mut copy) = (None, None);
        let mut fields = Fields::new(target.type_index(), kind, mutator.region())?;
        let mut values = FieldValues { object, fields: &mut fields, current: &mut current, copy: &mut copy };
        // SAFETY: the caller's contract is the same.
        let mutated = unsafe { self.all_of(mutator, &mut values, stack, nested) };
        fields.close(mutator.region());
        mutated.and_then(|()| mutator.note(target, kind, copy.map(Any::from)))
    }

    /// Mutates all parts that are left.
    ///
    /// # Safety
    /// The parts live for `'a`.
    #[inline]
    unsafe fn all_of<'a, S: Source<'a>>(
        &self,
        mutator: &Mutator,
        parts: &mut S,
        stack: Limit,
        nested: u32,
    ) -> Result<()> {
        // SAFETY: the caller's contract is the same.
        while let Some(part) = unsafe { self.next_of(mutator, parts, stack, nested)? } {
            self.descend(mutator, part, stack).give_to(parts)?;
        }
        Ok(())
    }

    /// Mutates a value and what is inside of it where calls are not nested any deeper.
    fn descend<'a>(&self, mutator: &Mutator, part: Part<'a>, stack: Limit) -> Mutated<'a> {
        let mut inside = Descent::new();
        let mut next = Ok(Some(part));
        loop {
            let mutated = match next {
                Ok(Some(part)) => self.enter(mutator, part, stack, &mut inside),
                Ok(None) => inside.leave().map(|level| self.leave(mutator, level, stack, Ok(()))),
                Err(error) => inside.leave().map(|level| self.leave(mutator, level, stack, Err(error))),
            };
            let accepted = match (mutated, inside.innermost()) {
                (None, _) => Ok(()),
                (Some(mutated), None) => return mutated,
                (Some(mutated), Some(level)) => mutated.give_to(&mut level.parts),
            };
            let level = inside.innermost().expect("a value is entered before anything else");
            // SAFETY: the walk leaves a part before it leaves the level that it belongs to.
            next = accepted.and_then(|()| unsafe { self.next(mutator, &mut level.parts, stack, DEEPEST) });
        }
    }

    /// Mutates parts up to one that something may be inside of.
    ///
    /// # Safety
    /// The parts live for `'a`.
    unsafe fn next<'a>(
        &self,
        mutator: &Mutator,
        parts: &mut Parts,
        stack: Limit,
        nested: u32,
    ) -> Result<Option<Part<'a>>> {
        // SAFETY: the caller's contract is the same.
        unsafe {
            match parts.left() {
                Left::Elements(mut elements) => self.next_of(mutator, &mut elements, stack, nested),
                Left::Items(mut items) => self.next_of(mutator, &mut items, stack, nested),
                Left::Values(mut values) => self.next_of(mutator, &mut values, stack, nested),
                Left::Entries(mut entries) => self.next_of(mutator, &mut entries, stack, nested),
                Left::Fields(mut fields) => self.next_of(mutator, &mut fields, stack, nested),
            }
        }
    }

    /// # Safety
    /// As for [`next`](Self::next).
    unsafe fn next_of<'a, S: Source<'a>>(
        &self,
        mutator: &Mutator,
        parts: &mut S,
        stack: Limit,
        nested: u32,
    ) -> Result<Option<Part<'a>>> {
        loop {
            // SAFETY: the caller's contract is the same.
            let next = unsafe { parts.next(mutator.region(), |type_index| self.passes(type_index))? };
            let Some((part, in_place)) = next else { return Ok(None) };
            let view = part.as_view();
            let replaced = match self.callbacks.matching(view.type_index()) {
                Some(callback) => match self.wish(callback, mutator, part.argument(), in_place, stack) {
                    Ok(Wish::GoInside(replaced)) => replaced,
                    Ok(Wish::Take(answer)) => {
                        parts.accept(part, answer)?;
                        continue;
                    }
                    Err(error) => {
                        let error = error_context::add(error, view);
                        parts.put_back(part);
                        return Err(error);
                    }
                },
                None if is_leaf(view.type_index()) => {
                    parts.put_back(part);
                    continue;
                }
                None => None,
            };
            let target_index = target(view, replaced.as_ref()).type_index();
            let changed = if is_leaf(target_index) {
                if self.role != Role::MapAfter {
                    match replaced {
                        Some(answer) => parts.accept(part, answer)?,
                        None => parts.put_back(part),
                    }
                    continue;
                }
                self.map_after(mutator, view, stack, None)
            } else if is_nested(target_index, nested) {
                self.inside(mutator, view, in_place, replaced, stack, nested + 1)
            } else {
                return Ok(Some(Part { value: part.held(), in_place, replaced }));
            };
            match changed {
                Ok(None) => parts.put_back(part),
                Ok(Some(answer)) => parts.accept(part, answer)?,
                Err(error) => {
                    parts.put_back(part);
                    return Err(error);
                }
            }
        }
    }

    /// Whether values of a type stay what they are, unseen by anybody.
    #[inline]
    fn passes(&self, type_index: i32) -> bool {
        self.callbacks.matching(type_index).is_none() && is_leaf(type_index)
    }

    /// Mutates a value, unless that means to go inside of it. Containers of leaves that nobody sees are not entered,
    /// unless the walk is so deep that it looks out for circles.
    fn enter<'a>(
        &self,
        mutator: &Mutator,
        part: Part<'a>,
        stack: Limit,
        inside: &mut Descent<Inside<'a>>,
    ) -> Option<Mutated<'a>> {
        let Part { value, in_place, replaced } = part;
        let target = target(value.view(), replaced.as_ref());
        if inside.is_unwatched()
            && is_plain_container(target.type_index())
            && all_pass(target, |type_index| self.passes(type_index))
        {
            let changed = self.after(mutator, value.view(), replaced, stack, Ok(None));
            return Some(Mutated(value, changed));
        }
        let in_place = in_place && (same(target, value.view()) || is_unique(target));
        let content = match mutator.take_object_apart(target, in_place) {
            Ok(Apart::Content(content)) => content,
            Ok(Apart::Done(answer)) => {
                let changed = self.after(mutator, value.view(), replaced, stack, Ok(changed(answer)));
                return Some(Mutated(value, changed));
            }
            Err(error) => return Some(self.failed(mutator, value, replaced, stack, error)),
        };
        // SAFETY: the level has the value, unless a container has it that the walk is inside of.
        match unsafe { Parts::of(target, content, mutator.region()) } {
            Ok(parts) => match inside.admit(target.raw().payload(), target.type_index()) {
                Ok(()) => {
                    let kept = if inside.innermost().is_none() { target.as_object() } else { None };
                    inside.push(Inside { value, replaced, parts, kind: content.kind(), kept });
                    None
                }
                Err(error) => {
                    let level = Inside { value, replaced, parts, kind: content.kind(), kept: None };
                    Some(self.leave(mutator, level, stack, Err(error)))
                }
            },
            Err(error) => Some(self.failed(mutator, value, replaced, stack, error)),
        }
    }

    /// Ends the mutation of a value that could not be entered.
    #[cold]
    fn failed<'a>(
        &self,
        mutator: &Mutator,
        value: Held<'a>,
        replaced: Option<Any>,
        stack: Limit,
        error: Error,
    ) -> Mutated<'a> {
        let error = error_context::add(error, target(value.view(), replaced.as_ref()));
        let changed = self.after(mutator, value.view(), replaced, stack, Err(error));
        Mutated(value, changed)
    }

    /// Ends the mutation of a value of which nothing is left.
    fn leave<'a>(&self, mutator: &Mutator, level: Inside<'a>, stack: Limit, mutated: Result<()>) -> Mutated<'a> {
        let Inside { value, replaced, parts, kind, kept } = level;
        parts.close(mutator.region());
        let target = target(value.view(), replaced.as_ref());
        let answer = mutated.map(|()| parts.put_together()).and_then(|answer| mutator.note(target, kind, answer));
        let answer = answer.map_err(|error| error_context::add(error, target));
        // Callbacks find as many references to the value as they expect.
        drop(kept);
        let changed = self.after(mutator, value.view(), replaced, stack, answer);
        Mutated(value, changed)
    }

    fn before(&self, mutator: &Mutator, value: &AnyView<'_>, in_place: bool, stack: Limit) -> Result<Wish> {
        let callback = self.callbacks.matching(value.type_index());
        callback.map_or(Ok(Wish::GoInside(None)), |callback| self.wish(callback, mutator, *value, in_place, stack))
    }

    /// What a callback wants done with a value before what is inside of it.
    #[inline(always)]
    fn wish(
        &self,
        callback: &Callback,
        mutator: &Mutator,
        value: AnyView<'_>,
        in_place: bool,
        stack: Limit,
    ) -> Result<Wish> {
        match self.role {
            Role::MapAfter => Ok(Wish::GoInside(None)),
            Role::MapBefore => mapped(callback, mutator, value, stack).map(Some).map(Wish::GoInside),
            Role::Mutate => {
                let in_place = Any::from(i64::from(in_place));
                let args = [value, AnyView::of(mutator), *in_place.view()];
                let args = if callback.informed { &args } else { &args[..2] };
                stack.check()?;
                value_of_call(function::call(&callback.function, args)?).map(Wish::Take)
            }
        }
    }

    /// What becomes of a value in the end, given what has become of what is inside of it.
    #[inline(always)]
    fn after(
        &self,
        mutator: &Mutator,
        value: &AnyView<'_>,
        replaced: Option<Any>,
        stack: Limit,
        changed: Changed,
    ) -> Changed {
        match (self.role, changed) {
            (Role::MapBefore, Ok(None)) => Ok(replaced),
            (Role::MapAfter, Ok(changed)) => self.map_after(mutator, value, stack, changed),
            (_, changed) => changed,
        }
    }

    /// Shows what a value has become to the callbacks.
    fn map_after(&self, mutator: &Mutator, value: &AnyView<'_>, stack: Limit, changed: Option<Any>) -> Changed {
        let view = changed.as_ref().map_or(value, Any::view);
        let Some(callback) = self.callbacks.matching(view.type_index()) else { return Ok(changed) };
        match mapped(callback, mutator, view.in_words(), stack) {
            Ok(replaced) if is_unchanged(&replaced) => Ok(changed),
            Ok(replaced) => Ok(Some(replaced)),
            Err(error) => Err(error_context::add(error, view)),
        }
    }

    /// What a variable has been replaced by; None if it has not.
    pub fn replacement_of(&self, variable: &AnyView<'_>) -> Result<Any> {
        let variable = variable.as_object().ok_or_else(no_variable)?;
        let replacements = self.replacements.borrow();
        Ok(replacements.get(&address(&variable)).map_or(Any::NONE, |(_, replacement)| replacement.clone()))
    }

    /// Notes what a variable is replaced by.
    pub fn replace(&self, variable: &AnyView<'_>, replacement: Any) -> Result<Any> {
        let variable = variable.as_object().ok_or_else(no_variable)?;
        // What is replaced here may run foreign code when it ends, so it does so when nothing is borrowed.
        let mut replacements = self.replacements.borrow_mut();
        replacements.room_for(1)?;
        let old = replacements.insert(address(&variable), (variable, replacement));
        drop(replacements);
        drop(old);
        Ok(Any::NONE)
    }
}

/// What a callback of a map replaces a value by.
#[inline(always)]
fn mapped(callback: &Callback, mutator: &Mutator, value: AnyView<'_>, stack: Limit) -> Result<Any> {
    let region = Any::from(i64::from(mutator.region().get()));
    let args = [value, *region.view()];
    stack.check()?;
    value_of_call(function::call(&callback.function, if callback.informed { &args } else { &args[..1] })?)
}

#[cold]
fn no_variable() -> Error {
    Error::new("TypeError", "Variable-remap key must be an object-backed value")
}
