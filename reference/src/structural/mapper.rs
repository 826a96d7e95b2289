//! Mutators that run callbacks: a map, which replaces every value by what they answer, and a mutation, whose callbacks
//! say themselves what of a value is to be mutated.

use std::{cell::RefCell, ffi::c_void};

use tvm_ffi_spec::*;

use super::{
    callbacks::{Callbacks, Form},
    error_context,
    map_engine::{Engine, Role},
    mutate::{Mutator, resolved},
    outcome::is_unique,
    visit::{no_engine, value_of_call},
};
use crate::{
    border::error::Result,
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    object,
    reflection::{
        native::answer,
        structural_objects::{MutatorVTable, StructuralMutator},
    },
    value::any::{Any, AnyView},
    walk::stack_guard::Limit,
};

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
    unsafe {
        with_engine(mutator, |mutator, engine| {
            engine.run(mutator, &AnyView::from_raw(&raw const value), false, Limit::of_thread())
        })
    }
}

/// # Safety
/// As [`mutate`]; nobody else refers to the value.
unsafe extern "C" fn mutate_in_place(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe {
        with_engine(mutator, |mutator, engine| {
            engine.run(mutator, &AnyView::from_raw(&raw const value), true, Limit::of_thread())
        })
    }
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

/// The global functions that run callbacks over a value and replace it.
pub(crate) const GLOBALS: &[Row] = &[
    row(
        "ffi.StructuralMap(0: Any, 1: Array<Tuple<int, ffi.Function>>, 2: Array<Tuple<int, ffi.Function>>, \
         3: int) -> Any",
        |args| {
            // Arguments are converted from the last to the first.
            let role = if args.int(3)? as i32 == 0 { Role::MapBefore } else { Role::MapAfter };
            let mut informed = Callbacks::default();
            informed.read(args, 2, Form::Informed)?;
            mutate_with(args, role, Form::Plain, informed)
        },
    ),
    row("ffi.StructuralMutate(0: Any, 1: Array<Tuple<int, ffi.Function, bool>>) -> Any", |args| {
        mutate_with(args, Role::Mutate, Form::Marked, Callbacks::default())
    }),
];

/// Mutates a value with the callbacks that are the second argument, and others behind them.
fn mutate_with(args: &Arguments<'_>, role: Role, form: Form, informed: Callbacks) -> Result<Any> {
    let mutator = StructuralMutator { vtable: &raw const VTABLE, def_region_kind: kTVMFFIDefRegionKindNone };
    let engine = object::try_new(|| Engine {
        mutator,
        role,
        callbacks: Callbacks::default(),
        replacements: RefCell::default(),
    })?;
    // SAFETY: nobody else knows the engine yet.
    let callbacks = unsafe { &mut (*engine.data_ptr::<Engine>()).callbacks };
    callbacks.read(args, 1, form)?;
    callbacks.append(informed)?;
    let root = args.any(0).to_owned()?;
    // SAFETY: an engine has the type index of mutators.
    let mutator: Mutator = unsafe { engine.cast_unchecked() };
    let in_place = is_unique(root.view());
    let stack = Limit::of_thread();
    stack.check()?;
    // SAFETY: as above.
    let answer = unsafe { mutator.data::<Engine>() }.run(&mutator, root.view(), in_place, stack);
    let answer = answer.inspect_err(|_| error_context::close())?;
    resolved(value_of_call(answer)?, root.view())
}
