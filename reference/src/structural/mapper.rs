//! Mutators that run callbacks: a map, which replaces every value by what they answer, and a mutation, whose callbacks
//! say themselves what of a value is to be mutated.

use std::{cell::RefCell, ffi::c_void};

use tvm_ffi_spec::*;

use super::{
    DEEPEST, Descent, Level, address, all_pass,
    callbacks::{Callback, Form, matching, read},
    error_context, is_nested,
    mutate::{Apart, Mutator, is_leaf, is_plain_container, resolved},
    mutated_parts::{Container, Elements, Held, Parts, Source, changed, is_unchanged, is_unique, unchanged},
    nested_at_first, same,
    visit::{no_engine, value_of_call},
};
use crate::{
    border::error::{Error, Result},
    container::sequence::Array,
    function::{
        self,
        arguments::Arguments,
        row::{Row, row},
    },
    object::{self, ObjectRef, Payload},
    reflection::{
        native::answer,
        structural_objects::{MutatorVTable, StructuralMutator},
    },
    types::builtin_indices::STRUCTURAL_MUTATOR,
    value::any::{Any, AnyView},
    walk::{
        addresses::ByAddress,
        stack_guard::{self, Limit},
    },
};

/// What callbacks are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// They replace a value before what is inside of the replacement.
    MapBefore,
    /// They replace a value after what is inside of it.
    MapAfter,
    /// They mutate what they want of a value themselves.
    Mutate,
}

/// What lies behind the header of a mutator that runs callbacks.
#[repr(C)]
struct Engine {
    mutator: StructuralMutator,
    role: Role,
    callbacks: Vec<Callback>,
    /// What variables and nodes of graphs are replaced by.
    replacements: RefCell<ByAddress<usize, (ObjectRef, Any)>>,
}

// SAFETY: `repr(C)`, and begins with the fields of mutators.
unsafe impl Payload for Engine {
    const TYPE_INDEX: i32 = STRUCTURAL_MUTATOR;
}

static VTABLE: MutatorVTable = MutatorVTable {
    mutate,
    maybe_inplace_mutate: mutate_in_place,
    var_remap_get: replacement_of,
    var_remap_set: replace,
};

/// # Safety
/// `mutator` is a live mutator, and the value lives during the call.
unsafe extern "C" fn mutate(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { with_engine(mutator, |mutator, engine| engine.run(mutator, &AnyView::from_raw(&raw const value), false)) }
}

/// # Safety
/// As [`mutate`]; nobody else refers to the value.
unsafe extern "C" fn mutate_in_place(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { with_engine(mutator, |mutator, engine| engine.run(mutator, &AnyView::from_raw(&raw const value), true)) }
}

/// # Safety
/// As [`mutate`].
unsafe extern "C" fn replacement_of(mutator: *mut c_void, variable: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { with_engine(mutator, |_, engine| engine.replacement_of(&AnyView::from_raw(&raw const variable))) }
}

/// # Safety
/// As [`mutate`].
unsafe extern "C" fn replace(mutator: *mut c_void, variable: TVMFFIAny, replacement: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for all.
    unsafe {
        with_engine(mutator, |_, engine| {
            let replacement = AnyView::from_raw(&raw const replacement).to_owned()?;
            engine.replace(&AnyView::from_raw(&raw const variable), replacement)
        })
    }
}

/// # Safety
/// `mutator` is a live mutator.
unsafe fn with_engine(mutator: *mut c_void, body: impl FnOnce(&Mutator, &Engine) -> Result<Any>) -> TVMFFIAny {
    answer(|| {
        // SAFETY: the caller vouches for it.
        let mutator = unsafe { Mutator::from_handle(mutator)? };
        // A copy of an engine has its functions, but nothing of what is behind the fields of mutators.
        if !object::is_made_here::<Engine>(&mutator) {
            return Err(no_engine());
        }
        // SAFETY: it is an engine. What of one ever changes is in a cell.
        let engine = unsafe { mutator.data::<Engine>() };
        body(&mutator, engine).map(Any::into_raw)
    })
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

    fn type_index(&self) -> i32 {
        self.target().type_index()
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
    fn give_to(self, parts: &mut Parts) -> Result<()> {
        let Self(part, changed) = self;
        match changed {
            Ok(None) => {
                parts.put_back(part);
                Ok(())
            }
            Ok(Some(answer)) => parts.accept(part, answer),
            Err(error) => {
                parts.put_back(part);
                Err(error)
            }
        }
    }
}

impl Engine {
    fn run(&self, mutator: &Mutator, root: &AnyView<'_>, in_place: bool) -> Result<Any> {
        let stack = Limit::of_thread();
        match self.before(mutator, root, in_place, stack) {
            Ok(Wish::GoInside(replaced)) => {
                let target = target(root, replaced.as_ref());
                let changed = if is_nested(target.type_index(), nested_at_first()) {
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
            match target.cast_ref::<Array>() {
                Some(array) if is_plain && !in_place => self.array_inside(mutator, array, stack, nested),
                _ => self.parts_inside(mutator, target, is_plain, in_place, stack, nested),
            }
            .map_err(|error| error_context::add(error, target))
        };
        self.after(mutator, value, replaced, stack, changed)
    }

    /// Mutates the elements of an Array that is not changed in place.
    fn array_inside(&self, mutator: &Mutator, array: &Array, stack: Limit, nested: u32) -> Changed {
        let (mut at, mut result) = (0, Container::Unchanged);
        // SAFETY: the Array is held by the call outside, or by a container that is held like that.
        let mut elements = unsafe { Elements::of(array, &mut at, &mut result) };
        // SAFETY: as above.
        while let Some(part) = unsafe { self.next_of(mutator, &mut elements, stack, nested)? } {
            let Mutated(part, changed) = self.descend(mutator, part, stack);
            if let Some(answer) = changed?
                && !is_unchanged(&answer)
                && !same(part.view(), answer.view())
            {
                elements.replace(answer)?;
            }
        }
        Ok(result.put_together())
    }

    /// Mutates what is inside of a value of any kind.
    #[inline(never)]
    fn parts_inside(
        &self,
        mutator: &Mutator,
        target: &AnyView<'_>,
        is_plain: bool,
        in_place: bool,
        stack: Limit,
        nested: u32,
    ) -> Changed {
        // SAFETY: the value is held by the call outside, or by a container that is held like that.
        let container = unsafe { if is_plain { Parts::of_container(target, in_place)? } else { None } };
        let (mut parts, kind) = match container {
            Some(parts) => (parts, kTVMFFISEqHashKindUnsupported),
            // SAFETY: as above.
            None => match unsafe { mutator.take_object_apart(target, in_place)? } {
                Apart::Parts(parts, kind) => (parts, kind),
                Apart::Done(answer) => return Ok(changed(answer)),
            },
        };
        let mutated = loop {
            // SAFETY: the part is not used after the parts.
            match unsafe { self.next(mutator, &mut parts, stack, nested) } {
                Ok(Some(part)) => {
                    if let Err(error) = self.descend(mutator, part, stack).give_to(&mut parts) {
                        break Err(error);
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        parts.close(mutator.region());
        mutated.map(|()| parts.put_together()).and_then(|answer| mutator.note(target, kind, answer))
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
            next = match inside.innermost() {
                // SAFETY: the walk leaves a part before it leaves the level that it belongs to.
                Some(level) => accepted.and_then(|()| unsafe { self.next(mutator, &mut level.parts, stack, DEEPEST) }),
                None => unreachable!("a value is entered before anything else"),
            };
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
            if let Some(mut elements) = parts.elements() {
                self.next_of(mutator, &mut elements, stack, nested)
            } else if let Some(mut values) = parts.values() {
                self.next_of(mutator, &mut values, stack, nested)
            } else if let Some(mut entries) = parts.entries() {
                self.next_of(mutator, &mut entries, stack, nested)
            } else if let Some(mut fields) = parts.fields() {
                self.next_of(mutator, &mut fields, stack, nested)
            } else {
                self.next_of(mutator, parts, stack, nested)
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
            parts.pass_over(|type_index| self.passes(type_index));
            // SAFETY: the caller's contract is the same.
            let Some((part, in_place)) = (unsafe { parts.next(mutator.region())? }) else { return Ok(None) };
            let view = S::view(&part);
            let replaced = match matching(&self.callbacks, view.type_index()) {
                Some(callback) => match self.wish(callback, mutator, view, in_place, stack) {
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
                if self.role == Role::MapAfter { self.map_after(mutator, view, stack, None) } else { Ok(replaced) }
            } else if is_nested(target_index, nested) {
                self.inside(mutator, view, in_place, replaced, stack, nested + 1)
            } else {
                return Ok(Some(Part { value: S::hold(part), in_place, replaced }));
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
        matching(&self.callbacks, type_index).is_none() && is_leaf(type_index)
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
        // SAFETY: the level has the value, unless a container has it that the walk is inside of.
        match unsafe { mutator.take_object_apart(target, in_place) } {
            Ok(Apart::Parts(parts, kind)) => match inside.admit(target.raw().payload(), target.type_index()) {
                Ok(()) => {
                    let kept = if inside.innermost().is_none() { target.as_object() } else { None };
                    inside.push(Inside { value, replaced, parts, kind, kept });
                    None
                }
                Err(error) => {
                    let level = Inside { value, replaced, parts, kind, kept: None };
                    Some(self.leave(mutator, level, stack, Err(error)))
                }
            },
            Ok(Apart::Done(answer)) => {
                let changed = self.after(mutator, value.view(), replaced, stack, Ok(changed(answer)));
                Some(Mutated(value, changed))
            }
            Err(error) => {
                let error = error_context::add(error, target);
                let changed = self.after(mutator, value.view(), replaced, stack, Err(error));
                Some(Mutated(value, changed))
            }
        }
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
        let callback = matching(&self.callbacks, value.type_index());
        callback.map_or(Ok(Wish::GoInside(None)), |callback| self.wish(callback, mutator, value, in_place, stack))
    }

    /// What a callback wants done with a value before what is inside of it.
    #[inline(always)]
    fn wish(
        &self,
        callback: &Callback,
        mutator: &Mutator,
        value: &AnyView<'_>,
        in_place: bool,
        stack: Limit,
    ) -> Result<Wish> {
        match self.role {
            Role::MapAfter => Ok(Wish::GoInside(None)),
            Role::MapBefore => mapped(callback, mutator, value, stack).map(Some).map(Wish::GoInside),
            Role::Mutate => {
                let in_place = Any::from(i64::from(in_place));
                let args = [*value, AnyView::of(mutator), *in_place.view()];
                let args = if callback.informed { &args } else { &args[..2] };
                stack.check()?;
                value_of_call(function::call(&callback.function, args)?).map(Wish::Take)
            }
        }
    }

    /// What becomes of a value in the end, given what has become of what is inside of it.
    #[inline]
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
    #[inline]
    fn map_after(&self, mutator: &Mutator, value: &AnyView<'_>, stack: Limit, changed: Option<Any>) -> Changed {
        let view = changed.as_ref().map_or(value, Any::view);
        let Some(callback) = matching(&self.callbacks, view.type_index()) else { return Ok(changed) };
        match mapped(callback, mutator, view, stack) {
            Ok(replaced) if is_unchanged(&replaced) => Ok(changed),
            Ok(replaced) => Ok(Some(replaced)),
            Err(error) => Err(error_context::add(error, view)),
        }
    }

    fn replacement_of(&self, variable: &AnyView<'_>) -> Result<Any> {
        let variable = variable.as_object().ok_or_else(no_variable)?;
        let replacements = self.replacements.borrow();
        Ok(replacements.get(&address(&variable)).map_or(Any::NONE, |(_, replacement)| replacement.clone()))
    }

    fn replace(&self, variable: &AnyView<'_>, replacement: Any) -> Result<Any> {
        let variable = variable.as_object().ok_or_else(no_variable)?;
        // What is replaced here may run foreign code when it ends, so it does so when nothing is borrowed.
        let mut replacements = self.replacements.borrow_mut();
        replacements.try_reserve(1)?;
        let old = replacements.insert(address(&variable), (variable, replacement));
        drop(replacements);
        drop(old);
        Ok(Any::NONE)
    }
}

/// What a callback of a map replaces a value by.
#[inline(always)]
fn mapped(callback: &Callback, mutator: &Mutator, value: &AnyView<'_>, stack: Limit) -> Result<Any> {
    let region = Any::from(i64::from(mutator.region().get()));
    let args = [*value, *region.view()];
    stack.check()?;
    value_of_call(function::call(&callback.function, if callback.informed { &args } else { &args[..1] })?)
}

#[cold]
fn no_variable() -> Error {
    Error::new("TypeError", "Variable-remap key must be an object-backed value")
}

/// The global functions that run callbacks over a value and replace it.
pub(crate) const GLOBALS: &[Row] = &[
    row(
        "ffi.StructuralMap(0: Any, 1: Array<Tuple<int, ffi.Function>>, 2: Array<Tuple<int, ffi.Function>>, \
         3: int) -> Any",
        |args| {
            // Arguments are converted from the last to the first.
            let role = if args.int(3)? as i32 == 0 { Role::MapBefore } else { Role::MapAfter };
            let informed = read(args, 2, Form::Informed)?;
            let mut callbacks = read(args, 1, Form::Plain)?;
            callbacks.extend(informed);
            mutate_with(args, role, callbacks)
        },
    ),
    row("ffi.StructuralMutate(0: Any, 1: Array<Tuple<int, ffi.Function, bool>>) -> Any", |args| {
        mutate_with(args, Role::Mutate, read(args, 1, Form::Marked)?)
    }),
];

fn mutate_with(args: &Arguments<'_>, role: Role, callbacks: Vec<Callback>) -> Result<Any> {
    let root = args.any(0).to_owned()?;
    let mutator = StructuralMutator { vtable: &raw const VTABLE, def_region_kind: kTVMFFIDefRegionKindNone };
    let engine = object::try_new(|| Engine { mutator, role, callbacks, replacements: RefCell::default() })?;
    // SAFETY: an engine has the type index of mutators.
    let mutator: Mutator = unsafe { engine.cast_unchecked() };
    let in_place = is_unique(root.view());
    stack_guard::check()?;
    // SAFETY: as above.
    let answer = unsafe { mutator.data::<Engine>() }.run(&mutator, root.view(), in_place);
    let answer = answer.inspect_err(|_| error_context::close())?;
    resolved(value_of_call(answer)?, root.view())
}
