//! Mutators: engines that replace values in whatever a value consists of.
//!
//! A mutator has functions that C++ clients call, and provide: to mutate a value, and to keep what variables have been
//! replaced by. They answer with a replacement, or with [`unchanged`]. How a type is taken apart and put together is said
//! by its `__s_mutate__` hook, or else by its reflected fields; the hooks of containers, strings and bytes are here.
//!
//! Values are replaced by changed copies. Only what nobody else refers to, from the root down, is changed in place; while
//! such a part is at the mutator, it is taken out of its container, so that nobody else can end it there.

use std::{cell::Cell, ffi::c_void};

use tvm_ffi_spec::*;

use super::{
    call_back, error_context,
    fields::entered,
    identity_kind, is_container, is_hook,
    mutated_parts::{Content, Parts, Source},
    outcome::{is_unchanged, is_unique, unchanged},
    visit::{no_functions, value_of, value_of_call, wrong_container},
};
use crate::{
    border::error::{Error, Result},
    container::{map::Mapping, sequence::Sequence},
    function::{
        self, Function,
        arguments::Arguments,
        row::{Row, row},
    },
    object::{ObjectRef, TypedRef, typed_refs},
    reflection::{
        native::answer,
        object_def::Hook,
        structural_objects::{MutatorVTable, StructuralFn, StructuralMutator},
    },
    types::{attribute, builtin_indices::STRUCTURAL_MUTATOR, lineage},
    value::any::{Any, AnyView},
    walk::stack_guard,
};

/// What a value is after an answer.
pub(super) fn resolved(answer: Any, value: &AnyView<'_>) -> Result<Any> {
    if is_unchanged(&answer) { value.to_owned() } else { Ok(answer) }
}

typed_refs! {
    /// A mutator, ours or a client's.
    Mutator: ObjectRef = type_index if lineage::is_instance(type_index, STRUCTURAL_MUTATOR);
}

impl Mutator {
    /// The mutator behind a handle.
    ///
    /// # Safety
    /// The handle is NULL or a live object.
    pub(super) unsafe fn from_handle(mutator: *mut c_void) -> Result<Self> {
        // SAFETY: the caller vouches for the handle.
        let object = unsafe { ObjectRef::from_borrowed(mutator) }.ok_or_else(super::null_object)?;
        object.cast().ok_or_else(|| Error::new("TypeError", "The object is no mutator"))
    }

    /// The kind of the definition region that the mutation is in.
    pub fn region(&self) -> &Cell<i32> {
        // SAFETY: every mutator begins with these fields; it is used by one thread at a time, which reads and writes this
        // one through cells and, in clients, through pointers.
        unsafe { &*(&raw mut (*self.0.data_ptr::<StructuralMutator>()).def_region_kind).cast() }
    }

    /// Runs `body` in a definition region of this kind.
    pub fn with_region<T>(&self, kind: i32, body: impl FnOnce() -> T) -> T {
        let outer = self.region().get();
        self.region().set(entered(outer, kind));
        let result = body();
        self.region().set(outer);
        result
    }

    fn functions(&self) -> Result<&MutatorVTable> {
        // SAFETY: every mutator begins with these fields; its functions never change and outlive it.
        unsafe { (*self.0.data_ptr::<StructuralMutator>()).vtable.as_ref() }.ok_or_else(no_functions)
    }

    /// Gives the mutator a value: in place if that is allowed, and the value holds the only reference to an object.
    pub fn mutate(&self, value: &AnyView<'_>, in_place: bool) -> Result<Any> {
        stack_guard::check()?;
        let functions = self.functions()?;
        let mutate = if in_place && is_unique(value) { functions.maybe_inplace_mutate } else { functions.mutate };
        // SAFETY: the functions take the mutator and any value that lives during the call.
        value_of(unsafe { mutate(self.0.handle(), value.raw()) })
    }

    /// What a variable has been replaced by; None if it has not.
    pub fn replacement_of(&self, variable: &AnyView<'_>) -> Result<Any> {
        // SAFETY: as for `mutate`.
        value_of(unsafe { (self.functions()?.var_remap_get)(self.0.handle(), variable.raw()) })
    }

    /// Notes what a variable is replaced by.
    pub fn replace(&self, variable: &AnyView<'_>, replacement: &AnyView<'_>) -> Result<()> {
        let functions = self.functions()?;
        // SAFETY: as for `mutate`.
        let answer = unsafe { (functions.var_remap_set)(self.0.handle(), variable.raw(), replacement.raw()) };
        value_of(answer).map(drop)
    }

    /// Mutates what a value consists of, as the type of the value says. `in_place` tells that the value holds the only
    /// reference to an object, which may be changed.
    pub fn default_mutate(&self, value: &AnyView<'_>, in_place: bool) -> Result<Any> {
        // SAFETY: the value is the caller's during the mutation, and is kept.
        let result = unsafe {
            self.take_apart(value, in_place).and_then(|apart| {
                let content = match apart {
                    Apart::Done(answer) => return Ok(Some(answer)),
                    Apart::Content(content) => content,
                };
                let parts = Parts::of(value, content, self.region())?;
                self.note(value, content.kind(), self.mutate_parts(value, parts)?)
            })
        };
        result.map(|changed| changed.unwrap_or_else(unchanged)).map_err(|error| error_context::add(error, value))
    }

    /// Mutates the parts of a value.
    fn mutate_parts(&self, value: &AnyView<'_>, mut parts: Parts) -> Result<Option<Any>> {
        // Nobody changes an Array or a Map that there is another reference to.
        let _kept = value.as_object();
        let mutated = loop {
            // SAFETY: the part is not used after the parts.
            match unsafe { parts.next(self.region(), |_| false) } {
                Ok(Some((part, in_place))) => match self.mutate(part.view(), in_place) {
                    Ok(answer) => match parts.accept(part, answer) {
                        Ok(()) => {}
                        Err(error) => break Err(error),
                    },
                    Err(error) => {
                        parts.put_back(part);
                        break Err(error);
                    }
                },
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        parts.close(self.region());
        mutated.map(|()| parts.put_together())
    }

    /// How a value goes on; a hook of a client mutates it right away.
    fn take_apart(&self, value: &AnyView<'_>, in_place: bool) -> Result<Apart> {
        if is_leaf(value.type_index()) {
            let stays = value.type_index() < kTVMFFIStaticObjectBegin;
            return if stays { value.to_owned() } else { Ok(unchanged()) }.map(Apart::Done);
        }
        self.take_object_apart(value, in_place)
    }

    /// As [`take_apart`](Self::take_apart), of what most often is no leaf.
    pub(super) fn take_object_apart(&self, value: &AnyView<'_>, in_place: bool) -> Result<Apart> {
        let type_index = value.type_index();
        if in_place
            && let Some(hook) = attribute::S_MAYBE_INPLACE_MUTATE.of(type_index)
            && let Some(apart) = self.by_hook(&hook, value)?
        {
            return Ok(apart);
        }
        if let Some(hook) = attribute::S_MUTATE.of(type_index) {
            return self
                .by_hook(&hook, value)?
                .ok_or_else(|| Error::new("TypeError", "__s_mutate__ must be a direct hook pointer or ffi.Function"));
        }
        if type_index < kTVMFFIStaticObjectBegin {
            return value.to_owned().map(Apart::Done);
        }
        let kind = identity_kind(type_index)?;
        if matches!(kind, kTVMFFISEqHashKindFreeVar | kTVMFFISEqHashKindDAGNode) {
            let replacement = self.replacement_of(value)?;
            if !replacement.view().is_none() {
                return Ok(Apart::Done(replacement));
            }
        }
        // A variable that is used, and whose definition has not been replaced.
        if kind == kTVMFFISEqHashKindFreeVar && self.region().get() == kTVMFFIDefRegionKindNone {
            return Ok(Apart::Done(unchanged()));
        }
        Ok(Apart::Content(Content::Fields { kind }))
    }

    /// As [`take_apart`](Self::take_apart), by a hook that is a native function or a function object; none by another one.
    fn by_hook(&self, hook: &AnyView<'_>, value: &AnyView<'_>) -> Result<Option<Apart>> {
        if let Some(function) = hook.cast::<Function>() {
            return value_of_call(call_back(&function, &[AnyView::of(self), *value])?)
                .map(|answer| Some(Apart::Done(answer)));
        }
        let Some(native) = hook.as_opaque_ptr().filter(|native| !native.is_null()) else { return Ok(None) };
        if let Some(apart) = Apart::of_hook(native, value) {
            return Ok(Some(apart));
        }
        stack_guard::check()?;
        // SAFETY: a pointer in these columns is a function of this type; it takes values that live during the call.
        let answer = unsafe { std::mem::transmute::<*mut c_void, StructuralFn>(native)(self.0.handle(), value.raw()) };
        value_of(answer).map(|answer| Some(Apart::Done(answer)))
    }

    /// Notes what became of a variable or a node of a graph, for when it is met again. That an ordinary definition stays
    /// needs no note.
    #[inline]
    pub(super) fn note(&self, value: &AnyView<'_>, kind: i32, changed: Option<Any>) -> Result<Option<Any>> {
        let in_pattern = self.region().get() == kTVMFFIDefRegionKindPattern;
        if kind == kTVMFFISEqHashKindDAGNode || kind == kTVMFFISEqHashKindFreeVar && (in_pattern || changed.is_some()) {
            self.replace(value, changed.as_ref().unwrap_or(&unchanged()).view())?;
        }
        Ok(changed)
    }
}

/// Whether values of a type stay as they are, unless a callback replaces them: nothing is inside of them.
#[inline]
pub(super) fn is_leaf(type_index: i32) -> bool {
    let of_leaf = |hook: &AnyView<'_>| is_hook(hook, mutate_leaf);
    !is_container(type_index)
        && attribute::S_MUTATE.of(type_index).map_or(type_index < kTVMFFIStaticObjectBegin, |hook| of_leaf(&hook))
        && attribute::S_MAYBE_INPLACE_MUTATE.of(type_index).is_none_or(|hook| of_leaf(&hook))
}

/// Whether values of a type are containers whose elements or values are mutated: their hooks are those of this file.
#[inline]
pub(super) fn is_plain_container(type_index: i32) -> bool {
    let (hook, in_place): (StructuralFn, StructuralFn) = match type_index {
        kTVMFFIArray | kTVMFFIList => (mutate_sequence, mutate_sequence_in_place),
        kTVMFFIMap | kTVMFFIDict => (mutate_map, mutate_map_in_place),
        _ => return false,
    };
    attribute::S_MUTATE.of(type_index).is_some_and(|found| is_hook(&found, hook))
        && attribute::S_MAYBE_INPLACE_MUTATE.of(type_index).is_some_and(|found| is_hook(&found, in_place))
}

/// A value on its way through a mutator.
pub(super) enum Apart {
    /// It has been mutated.
    Done(Any),
    /// This is to be mutated of it.
    Content(Content),
}

impl Apart {
    /// What the native hook would do, if it is one of this file.
    fn of_hook(native: *mut c_void, value: &AnyView<'_>) -> Option<Self> {
        let is = |hook: StructuralFn| native.addr() == (hook as *const c_void).addr();
        let (hook, in_place): (StructuralFn, StructuralFn) = match value.type_index() {
            kTVMFFIStr | kTVMFFIBytes | kTVMFFIBigInt if is(mutate_leaf) => return Some(Self::Done(unchanged())),
            kTVMFFIArray | kTVMFFIList => (mutate_sequence, mutate_sequence_in_place),
            kTVMFFIMap | kTVMFFIDict => (mutate_map, mutate_map_in_place),
            _ => return None,
        };
        let in_place = is(in_place);
        (in_place || is(hook)).then_some(Self::Content(Content::Container { in_place }))
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Hooks of containers, strings and bytes
// ---------------------------------------------------------------------------------------------------------------------

/// The `__s_mutate__` and `__s_maybe_inplace_mutate__` of String, Bytes and BigInt.
///
/// # Safety
/// Reads neither argument.
pub unsafe extern "C" fn mutate_leaf(_mutator: *mut c_void, _value: TVMFFIAny) -> TVMFFIAny {
    unchanged().into_raw()
}

/// The `__s_mutate__` of Array and List.
///
/// # Safety
/// A live mutator, and a value that lives during the call.
pub unsafe extern "C" fn mutate_sequence(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { mutate_by::<Sequence>(mutator, value, false) }
}

/// The `__s_maybe_inplace_mutate__` of Array and List.
///
/// # Safety
/// A live mutator, and a value that lives during the call and that nobody else refers to.
pub unsafe extern "C" fn mutate_sequence_in_place(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { mutate_by::<Sequence>(mutator, value, true) }
}

/// The `__s_mutate__` of Map and Dict: keys stay.
///
/// # Safety
/// A live mutator, and a value that lives during the call.
pub unsafe extern "C" fn mutate_map(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { mutate_by::<Mapping>(mutator, value, false) }
}

/// The `__s_maybe_inplace_mutate__` of Map and Dict: keys stay.
///
/// # Safety
/// A live mutator, and a value that lives during the call and that nobody else refers to.
pub unsafe extern "C" fn mutate_map_in_place(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { mutate_by::<Mapping>(mutator, value, true) }
}

/// # Safety
/// A live mutator, and a value that lives during the call.
unsafe fn mutate_by<T: TypedRef>(mutator: *mut c_void, value: TVMFFIAny, in_place: bool) -> TVMFFIAny {
    answer(|| {
        // SAFETY: the caller vouches for both.
        let (mutator, value) = unsafe { (Mutator::from_handle(mutator)?, AnyView::from_raw(&raw const value)) };
        let is_ours = value.cast_ref::<T>().is_some();
        // SAFETY: the value is the caller's during the mutation, and is kept.
        let parts = if is_ours { unsafe { Parts::of_container(&value, in_place)? } } else { None };
        let changed = mutator.mutate_parts(&value, parts.ok_or_else(|| wrong_container(&value))?)?;
        Ok(changed.unwrap_or_else(unchanged).into_raw())
    })
}

/// The native hooks of containers, strings and bytes.
pub const HOOKS: &[Hook] = &[
    hook("__s_mutate__", kTVMFFIBigInt, mutate_leaf),
    hook("__s_mutate__", kTVMFFIStr, mutate_leaf),
    hook("__s_mutate__", kTVMFFIBytes, mutate_leaf),
    hook("__s_mutate__", kTVMFFIArray, mutate_sequence),
    hook("__s_mutate__", kTVMFFIList, mutate_sequence),
    hook("__s_mutate__", kTVMFFIMap, mutate_map),
    hook("__s_mutate__", kTVMFFIDict, mutate_map),
    hook("__s_maybe_inplace_mutate__", kTVMFFIBigInt, mutate_leaf),
    hook("__s_maybe_inplace_mutate__", kTVMFFIStr, mutate_leaf),
    hook("__s_maybe_inplace_mutate__", kTVMFFIBytes, mutate_leaf),
    hook("__s_maybe_inplace_mutate__", kTVMFFIArray, mutate_sequence_in_place),
    hook("__s_maybe_inplace_mutate__", kTVMFFIList, mutate_sequence_in_place),
    hook("__s_maybe_inplace_mutate__", kTVMFFIMap, mutate_map_in_place),
    hook("__s_maybe_inplace_mutate__", kTVMFFIDict, mutate_map_in_place),
];

const fn hook(attribute: &'static str, type_index: i32, function: StructuralFn) -> Hook {
    Hook { attribute, type_index, function: function as *const () }
}

// ---------------------------------------------------------------------------------------------------------------------
// Global functions
// ---------------------------------------------------------------------------------------------------------------------

/// The global functions about mutators.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.StructuralMutatorMutate(0: ffi.StructuralMutator, 1: AnyView) -> Any", |args| {
        let value = &mut Any::default();
        let value = args.keepable(1, value)?;
        resolved(mutator(args)?.mutate(value, false)?, value)
    }),
    row("ffi.StructuralMutatorDefaultMutate(0: ffi.StructuralMutator, 1: AnyView) -> Any", |args| {
        let value = &mut Any::default();
        let value = args.keepable(1, value)?;
        resolved(mutator(args)?.default_mutate(value, false)?, value)
    }),
    row("ffi.StructuralMutatorVarRemapGet(0: ffi.StructuralMutator, 1: AnyView) -> Any", |args| {
        let variable = &mut Any::default();
        let variable = args.keepable(1, variable)?;
        mutator(args)?.replacement_of(variable)
    }),
    row("ffi.StructuralMutatorVarRemapSet(0: ffi.StructuralMutator, 1: AnyView, 2: AnyView) -> void", |args| {
        let (variable, replacement) = (&mut Any::default(), &mut Any::default());
        let replacement = args.keepable(2, replacement)?;
        let variable = args.keepable(1, variable)?;
        mutator(args)?.replace(variable, replacement)?;
        Ok(Any::NONE)
    }),
    row("ffi.StructuralMutatorDefRegionKind(0: ffi.StructuralMutator) -> int", |args| {
        Ok(i64::from(mutator(args)?.region().get()).into())
    }),
    row("ffi.StructuralMutatorWithDefRegionKind(0: ffi.StructuralMutator, 1: int, 2: ffi.Function) -> Any", |args| {
        // Arguments are converted from the last to the first.
        let (body, kind) = (args.borrow::<Function>(2)?, args.int(1)? as i32);
        let mutator = mutator(args)?;
        mutator.with_region(kind, || function::call(body, &[]))
    }),
];

fn mutator(args: &Arguments<'_>) -> Result<Mutator> {
    let object = args.object_ref(0, STRUCTURAL_MUTATOR)?;
    object.cast().ok_or_else(|| Error::new("TypeError", "The object is no mutator"))
}
