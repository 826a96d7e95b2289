//! Mutators that run callbacks: a map, which replaces every value by what they answer, and a mutation, whose callbacks
//! say themselves what of a value is to be mutated.

use std::{cell::RefCell, ffi::c_void};

use tvm_ffi_spec::*;

use super::{
    Descent, Level, address, all_pass,
    callbacks::{Callback, Form, matching, read},
    error_context,
    mutate::{Apart, Mutator, is_leaf, is_plain_container, resolved},
    mutated_parts::{Held, Parts, Source, is_unchanged, is_unique, unchanged},
    same,
    visit::{no_engine, value_of_call},
};
use crate::{
    border::error::{Error, Result},
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

/// A value that has been mutated, and the answer.
type Mutated<'a> = (Held<'a>, Result<Any>);

impl Engine {
    fn run(&self, mutator: &Mutator, root: &AnyView<'_>, in_place: bool) -> Result<Any> {
        let (mut inside, stack) = (Descent::new(), Limit::of_thread());
        let mut next = match self.before(mutator, root, in_place, stack) {
            Ok(Wish::GoInside(replaced)) => Ok(Some(Part { value: Held::Lent(*root), in_place, replaced })),
            Ok(Wish::Take(answer)) => return Ok(answer),
            Err(error) => return Err(error_context::add(error, root)),
        };
        loop {
            let mutated = match next {
                Ok(Some(part)) => self.enter(mutator, part, stack, &mut inside),
                Ok(None) => inside.leave().map(|level| self.leave(mutator, level, stack, Ok(()))),
                Err(error) => inside.leave().map(|level| self.leave(mutator, level, stack, Err(error))),
            };
            let Some(level) = inside.innermost() else {
                return mutated.map_or_else(|| Ok(unchanged()), |(_, answer)| answer);
            };
            let accepted = match mutated {
                None => Ok(()),
                Some((part, Ok(answer))) => level.parts.accept(part, answer),
                Some((part, Err(error))) => {
                    level.parts.put_back(part);
                    Err(error)
                }
            };
            // SAFETY: the walk leaves a part before it leaves the level that it belongs to.
            next = accepted.and_then(|()| unsafe { self.next(mutator, &mut level.parts, stack) });
        }
    }

    /// Mutates parts up to one that something may be inside of.
    ///
    /// # Safety
    /// The parts live for `'a`.
    unsafe fn next<'a>(&self, mutator: &Mutator, parts: &mut Parts, stack: Limit) -> Result<Option<Part<'a>>> {
        // SAFETY: the caller's contract is the same.
        unsafe {
            match parts.elements() {
                Some(mut elements) => self.next_of(mutator, &mut elements, stack),
                None => self.next_of(mutator, parts, stack),
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
    ) -> Result<Option<Part<'a>>> {
        loop {
            parts.pass_over(|type_index| self.passes(type_index));
            // SAFETY: the caller's contract is the same.
            let Some((part, in_place)) = (unsafe { parts.next(mutator.region())? }) else { return Ok(None) };
            let view = S::view(&part);
            let Some(callback) = matching(&self.callbacks, view.type_index()) else {
                if !is_leaf(view.type_index()) {
                    return Ok(Some(Part { value: S::hold(part), in_place, replaced: None }));
                }
                parts.put_back(part);
                continue;
            };
            let answer = match self.wish(callback, mutator, view, in_place, stack) {
                Ok(Wish::Take(answer)) => Ok(answer),
                Ok(Wish::GoInside(replaced)) => {
                    if !is_leaf(target(view, replaced.as_ref()).type_index()) {
                        return Ok(Some(Part { value: S::hold(part), in_place, replaced }));
                    }
                    match self.role {
                        Role::MapAfter => self.map_after(mutator, view, stack, unchanged()),
                        _ => Ok(replaced.unwrap_or_else(unchanged)),
                    }
                }
                Err(error) => Err(error_context::add(error, view)),
            };
            match answer {
                Ok(answer) => parts.accept(part, answer)?,
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
            return Some(self.after(mutator, value, replaced, stack, Ok(unchanged())));
        }
        let in_place = in_place && (same(target, value.view()) || is_unique(target));
        match mutator.take_object_apart(target, in_place) {
            Ok(Apart::Parts(parts, kind)) => match inside.admit(target.raw().payload(), target.type_index()) {
                Ok(()) => {
                    inside.push(Inside { value, replaced, parts, kind });
                    None
                }
                Err(error) => {
                    let level = Inside { value, replaced, parts, kind };
                    Some(self.leave(mutator, level, stack, Err(error)))
                }
            },
            Ok(Apart::Done(answer)) => Some(self.after(mutator, value, replaced, stack, Ok(answer))),
            Err(error) => {
                let error = error_context::add(error, target);
                Some(self.after(mutator, value, replaced, stack, Err(error)))
            }
        }
    }

    /// Ends the mutation of a value of which nothing is left.
    fn leave<'a>(&self, mutator: &Mutator, level: Inside<'a>, stack: Limit, mutated: Result<()>) -> Mutated<'a> {
        let Inside { value, replaced, parts, kind } = level;
        parts.close(mutator.region());
        let target = target(value.view(), replaced.as_ref());
        let answer = mutated.map(|()| parts.put_together()).and_then(|answer| mutator.note(target, kind, answer));
        let answer = answer.map_err(|error| error_context::add(error, target));
        self.after(mutator, value, replaced, stack, answer)
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

    fn after<'a>(
        &self,
        mutator: &Mutator,
        value: Held<'a>,
        replaced: Option<Any>,
        stack: Limit,
        answer: Result<Any>,
    ) -> Mutated<'a> {
        let answer = answer.and_then(|answer| match (self.role, replaced) {
            (Role::MapBefore, Some(replaced)) if is_unchanged(&answer) => Ok(replaced),
            (Role::MapAfter, _) => self.map_after(mutator, value.view(), stack, answer),
            _ => Ok(answer),
        });
        (value, answer)
    }

    /// Shows what a value has become to the callbacks.
    fn map_after(&self, mutator: &Mutator, value: &AnyView<'_>, stack: Limit, answer: Any) -> Result<Any> {
        let view = if is_unchanged(&answer) { value } else { answer.view() };
        let Some(callback) = matching(&self.callbacks, view.type_index()) else { return Ok(answer) };
        match mapped(callback, mutator, view, stack) {
            Ok(replaced) if is_unchanged(&replaced) => Ok(answer),
            Ok(replaced) => Ok(replaced),
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
