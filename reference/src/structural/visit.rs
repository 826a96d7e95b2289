//! Visitors: engines that are shown a value and whatever it consists of.
//!
//! A visitor has a function to visit a value, which C++ clients call, and provide. How a type is taken apart is said by
//! its `__s_visit__` hook, or else by its reflected fields; the hooks of containers are here.

use std::{cell::Cell, ffi::c_void, iter};

use tvm_ffi_spec::*;

use super::{
    call_back,
    fields::{self, Fields, entered},
    is_container, is_hook,
};
use crate::{
    border::error::{Error, Result},
    container::{
        copies::Copies,
        held::Held,
        map::{self, Mapping},
        sequence::{self, Array, Sequence},
    },
    function::{
        self, Function,
        arguments::Arguments,
        row::{Row, row},
    },
    object::{ObjectRef, typed_refs},
    reflection::{
        field,
        native::answer,
        object_def::Hook,
        structural_objects::{self, StructuralFn, StructuralVisitor, VisitorVTable},
    },
    types::{
        attribute,
        builtin_indices::STRUCTURAL_VISITOR,
        lineage,
        schema::{Need, Type},
        type_table,
    },
    value::any::{Any, AnyView},
    walk::stack_guard,
};

/// How a visit goes on: with nothing, or with the VisitInterrupt that ends it.
pub type Flow = Option<ObjectRef>;

typed_refs! {
    /// A visitor, ours or a client's.
    Visitor: ObjectRef = type_index if lineage::is_instance(type_index, STRUCTURAL_VISITOR);
}

impl Visitor {
    /// The visitor behind a handle.
    ///
    /// # Safety
    /// The handle is NULL or a live object.
    pub(super) unsafe fn from_handle(visitor: *mut c_void) -> Result<Self> {
        // SAFETY: the caller vouches for the handle.
        let object = unsafe { ObjectRef::from_borrowed(visitor) }.ok_or_else(super::null_object)?;
        object.cast().ok_or_else(|| Error::new("TypeError", "The object is no visitor"))
    }

    /// The functions of the visitor.
    pub(super) fn vtable(&self) -> *const VisitorVTable {
        // SAFETY: every visitor begins with these fields, and the functions of one never change.
        unsafe { (*self.0.data_ptr::<StructuralVisitor>()).vtable }
    }

    /// The kind of the definition region that the visit is in.
    pub fn region(&self) -> &Cell<i32> {
        // SAFETY: every visitor begins with these fields; it is used by one thread at a time, which reads and writes this
        // one through cells and, in clients, through pointers.
        unsafe { &*(&raw mut (*self.0.data_ptr::<StructuralVisitor>()).def_region_kind).cast() }
    }

    /// Runs `body` in a definition region of this kind.
    pub fn with_region<T>(&self, kind: i32, body: impl FnOnce() -> T) -> T {
        let outer = self.region().get();
        self.region().set(entered(outer, kind));
        let result = body();
        self.region().set(outer);
        result
    }

    /// Shows the visitor a value.
    pub fn visit(&self, value: &AnyView<'_>) -> Result<Flow> {
        stack_guard::check()?;
        // SAFETY: a visitor has its functions for as long as it lives, and takes any value that lives during the call.
        flow_of(unsafe {
            let vtable = self.vtable().as_ref().ok_or_else(no_functions)?;
            (vtable.visit)(self.0.handle(), value.raw())
        })
    }

    /// Shows the visitor what a value consists of, as the type of the value says.
    pub fn default_visit(&self, value: &AnyView<'_>) -> Result<Flow> {
        match self.take_apart(value)? {
            Apart::Done(flow) => Ok(flow),
            Apart::Parts(parts) => self.visit_parts(value, parts),
        }
    }

    fn visit_parts(&self, value: &AnyView<'_>, mut parts: Parts) -> Result<Flow> {
        // SAFETY: the value is the caller's during the visit. It is kept, as others could change it otherwise.
        let value = unsafe { Held::kept(value) };
        let flow = loop {
            // SAFETY: the parts are those of the value.
            match unsafe { parts.next(self, value.view()) } {
                Ok(Some(part)) => match self.visit(part.view()) {
                    Ok(None) => {}
                    flow => break flow,
                },
                Ok(None) => break Ok(None),
                Err(error) => break Err(error),
            }
        };
        parts.close(self);
        flow
    }

    /// Whether nothing is to be visited of values of a type: it has no hook, and no fields.
    #[inline]
    pub(super) fn is_leaf(type_index: i32) -> bool {
        !is_container(type_index)
            && attribute::S_VISIT.of(type_index).is_none()
            && (type_index < kTVMFFIStaticObjectBegin || fields::are_none(type_index))
    }

    /// Whether values of a type are containers whose elements or values are visited: their hook is one of this file.
    #[inline]
    pub(super) fn is_plain_container(type_index: i32) -> bool {
        let hook = match type_index {
            kTVMFFIArray | kTVMFFIList => visit_sequence,
            kTVMFFIMap | kTVMFFIDict => visit_map as StructuralFn,
            _ => return false,
        };
        attribute::S_VISIT.of(type_index).is_some_and(|found| is_hook(&found, hook))
    }

    /// What is to be visited of a value, which is held for as long; a hook of a client visits it right away.
    pub(super) fn take_apart(&self, value: &AnyView<'_>) -> Result<Apart> {
        if Self::is_plain_container(value.type_index()) {
            return Parts::of_container(value).map(Apart::Parts);
        }
        match attribute::S_VISIT.of(value.type_index()) {
            Some(hook) => self.visit_by(&hook, value).map(Apart::Done),
            // Texts, for one, are objects in which nothing is.
            None if value.cast_ref::<ObjectRef>().is_none() || !field::has_any(value.type_index())? => {
                Ok(Apart::Done(None))
            }
            None => Parts::fields(value.type_index(), self).map(Apart::Parts),
        }
    }

    /// Visits a value by the hook of its type.
    pub(super) fn visit_by(&self, hook: &AnyView<'_>, value: &AnyView<'_>) -> Result<Flow> {
        if let Some(hook) = hook.cast() {
            return flow_of_call(call_back(&hook, &[AnyView::of(self), *value])?);
        }
        let native = hook
            .as_opaque_ptr()
            .filter(|native| !native.is_null())
            .ok_or_else(|| Error::new("TypeError", "__s_visit__ must be an opaque function pointer or ffi.Function"))?;
        stack_guard::check()?;
        // SAFETY: a pointer in this column is a function of this type; it takes values that live during the call.
        let answer = unsafe { std::mem::transmute::<*mut c_void, StructuralFn>(native)(self.0.handle(), value.raw()) };
        flow_of(answer)
    }
}

/// A value on its way through a visitor.
pub(super) enum Apart {
    /// It has been visited.
    Done(Flow),
    /// This is to be visited of it.
    Parts(Parts),
}

/// What is left to be visited of a value that somebody holds.
pub(super) enum Parts {
    /// Elements from an index on, looked up one by one, since the sequence may change.
    Sequence { at: usize },
    /// Values of a Map, which nobody changes, behind their keys.
    Map(map::Entries<'static>),
    /// Values that a Dict had.
    Dict(Box<Copies<Any>>),
    /// Fields of an object.
    Object { fields: Fields },
}

impl Parts {
    fn fields(type_index: i32, visitor: &Visitor) -> Result<Self> {
        Fields::of_any(type_index, visitor.region()).map(|fields| Self::Object { fields })
    }

    /// The parts of a container; none of other values.
    #[inline]
    pub fn of_container(value: &AnyView<'_>) -> Result<Self> {
        let Some(map) = value.cast_ref::<Mapping>() else { return Ok(Self::Sequence { at: 0 }) };
        // SAFETY: nobody changes a Map that is held, as the value is while its parts are used.
        let entries = |map: *const Mapping| unsafe { map::iter(&*map) };
        Ok(match map.type_index() {
            kTVMFFIMap => Self::Map(entries(map)),
            _ => {
                let mut values = Box::default();
                map::copy_values(map, &mut values)?;
                Self::Dict(values)
            }
        })
    }

    /// The elements that are left of an Array, which nobody changes while it is held; each counts as visited when it comes.
    ///
    /// # Safety
    /// They are the parts of the value, which is held for as long as they are used.
    #[inline]
    pub unsafe fn elements<'v>(&mut self, value: &'v AnyView<'_>) -> Option<impl Iterator<Item = &'v Any>> {
        match (self, value.cast_ref::<Array>()) {
            (Self::Sequence { at }, Some(array)) => {
                // SAFETY: nobody changes an Array that is held.
                let elements = unsafe { sequence::borrow(array) };
                Some(elements.get(*at..).unwrap_or_default().iter().inspect(|_| *at += 1))
            }
            _ => None,
        }
    }

    /// The values that are left of a Map, which nobody changes while it is held.
    #[inline]
    pub fn values(&mut self) -> Option<impl Iterator<Item = &'static Any>> {
        match self {
            Self::Map(entries) => Some(entries.map(|(_, value)| value)),
            _ => None,
        }
    }

    /// The elements that are left of a List, which may change meanwhile, but for what is passed over.
    #[inline]
    pub fn items(&mut self, value: &AnyView<'_>, passes: impl Fn(i32) -> bool) -> Option<impl Iterator<Item = Any>> {
        match (self, value.cast_ref()) {
            (Self::Sequence { at }, Some(sequence)) => Some(items(sequence, at, passes)),
            _ => None,
        }
    }

    /// The next part.
    ///
    /// # Safety
    /// They are the parts of the value, which is held for as long as they are used.
    #[inline(always)]
    pub unsafe fn next(&mut self, visitor: &Visitor, value: &AnyView<'_>) -> Result<Option<Held>> {
        let Some(object) = value.cast_ref::<ObjectRef>() else { return Ok(None) };
        match self {
            Self::Sequence { at } => {
                *at += 1;
                let is_fixed = object.type_index() == kTVMFFIArray;
                // SAFETY: the element is cloned at once, or lent by an Array that is held.
                Ok(unsafe { sequence::borrow_in(object).get(*at - 1).map(|element| Held::part(element, is_fixed)) })
            }
            _ => self.next_other(visitor, object),
        }
    }

    fn next_other(&mut self, visitor: &Visitor, object: &ObjectRef) -> Result<Option<Held>> {
        match self {
            Self::Sequence { .. } => Ok(None),
            // SAFETY: the Map is held for as long as its values are.
            Self::Map(entries) => Ok(entries.next().map(|(_, value)| unsafe { Held::lent(value.view()) })),
            Self::Dict(values) => Ok(values.next().map(Held::ours)),
            Self::Object { fields } => {
                // SAFETY: the fields are those of the object's type.
                fields.next(visitor.region()).map(|field| unsafe { field.held(object) }).transpose()
            }
        }
    }

    /// Back to the region in which the value itself was met.
    pub fn close(&self, visitor: &Visitor) {
        if let Self::Object { fields } = self {
            fields.close(visitor.region());
        }
    }
}

/// The elements of a List from an index on, each as it is when it comes, without objects that are passed over: nobody need
/// hold these.
#[inline]
pub(super) fn items(list: &Sequence, at: &mut usize, passes: impl Fn(i32) -> bool) -> impl Iterator<Item = Any> {
    iter::from_fn(move || {
        loop {
            // SAFETY: the element is cloned at once.
            let element = unsafe { sequence::borrow(list) }.get(*at)?;
            *at += 1;
            let type_index = element.view().type_index();
            if type_index < kTVMFFIStaticObjectBegin || !passes(type_index) {
                return Some(element.clone());
            }
        }
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Hooks of containers
// ---------------------------------------------------------------------------------------------------------------------

/// The `__s_visit__` of Array and List: the elements in order.
///
/// # Safety
/// A live visitor, and a value that lives during the call.
pub unsafe extern "C" fn visit_sequence(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { visit_by(visitor, value, |value| value.cast_ref::<Sequence>().is_some()) }
}

/// The `__s_visit__` of Map and Dict: the values in order.
///
/// # Safety
/// A live visitor, and a value that lives during the call.
pub unsafe extern "C" fn visit_map(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    // SAFETY: the caller vouches for both.
    unsafe { visit_by(visitor, value, |value| value.cast_ref::<Mapping>().is_some()) }
}

/// # Safety
/// A live visitor, and a value that lives during the call.
unsafe fn visit_by(visitor: *mut c_void, value: TVMFFIAny, is_ours: impl FnOnce(&AnyView<'_>) -> bool) -> TVMFFIAny {
    answer(|| {
        // SAFETY: the caller vouches for both.
        let (visitor, value) = unsafe { (Visitor::from_handle(visitor)?, AnyView::from_raw(&raw const value)) };
        if !is_ours(&value) {
            return Err(wrong_container(&value));
        }
        visitor.visit_parts(&value, Parts::of_container(&value)?).map(|flow| Any::from(flow).into_raw())
    })
}

#[cold]
pub(super) fn wrong_container(value: &AnyView<'_>) -> Error {
    let key = type_table::key_of(value.type_index());
    Error::new("TypeError", format!("The hook of another type was called with a `{key}`"))
}

#[cold]
pub(super) fn no_functions() -> Error {
    Error::new("RuntimeError", "The visitor or mutator has no functions")
}

#[cold]
pub(super) fn no_engine() -> Error {
    Error::new("RuntimeError", "A copy of a visitor or mutator has nothing of the callbacks that the original runs")
}

/// The native hooks of containers.
pub const HOOKS: &[Hook] = &[
    hook(kTVMFFIArray, visit_sequence),
    hook(kTVMFFIList, visit_sequence),
    hook(kTVMFFIMap, visit_map),
    hook(kTVMFFIDict, visit_map),
];

const fn hook(type_index: i32, function: StructuralFn) -> Hook {
    Hook { attribute: "__s_visit__", type_index, function: function as *const () }
}

// ---------------------------------------------------------------------------------------------------------------------
// Answers
// ---------------------------------------------------------------------------------------------------------------------

/// What a native function answers: a value, or the error that it failed with.
pub(super) fn value_of(answer: TVMFFIAny) -> Result<Any> {
    // SAFETY: such functions give up what they answer with.
    let value = unsafe { Any::from_raw(answer) };
    match value.view().cast() {
        Some(error) => Err(Error::object(error)),
        None => Ok(value),
    }
}

/// What a function object answers: errors may also be returned as values.
#[inline]
pub(super) fn value_of_call(value: Any) -> Result<Any> {
    // The value stays where it is: to be looked at elsewhere, it would have to lie in memory.
    match value.view().type_index() {
        kTVMFFIError => error_of_call(*value.view()).map_or(Ok(value), Err),
        _ => Ok(value),
    }
}

#[cold]
#[inline(never)]
fn error_of_call(value: AnyView<'_>) -> Option<Error> {
    value.cast().map(Error::object)
}

fn flow_of(answer: TVMFFIAny) -> Result<Flow> {
    value_of(answer).map(|value| value.view().as_object())
}

/// How a visit goes on after a function that may answer None or a VisitInterrupt.
#[inline]
pub(super) fn flow_of_call(value: Any) -> Result<Flow> {
    if value.view().is_none() { Ok(None) } else { interrupted_by(value).map(Some) }
}

fn interrupted_by(value: Any) -> Result<ObjectRef> {
    let value = value_of_call(value)?;
    value.view().as_object_of(kTVMFFIVisitInterrupt).ok_or_else(|| {
        let interrupt = Type::object("ffi.VisitInterrupt");
        unexpected_answer(&Type::Optional(interrupt.into()), value.view())
    })
}

#[cold]
pub(super) fn unexpected_answer(expected: &Type, value: &AnyView<'_>) -> Error {
    expected.refuse_for(Need::Answer, value)
}

// ---------------------------------------------------------------------------------------------------------------------
// Global functions
// ---------------------------------------------------------------------------------------------------------------------

/// The global functions about visitors.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.VisitInterrupt(0: Any) -> ffi.VisitInterrupt", |args| {
        Ok(structural_objects::visit_interrupt(args.any(0).to_owned()?)?.into())
    }),
    row("ffi.StructuralVisitorVisit(0: ffi.StructuralVisitor, 1: AnyView) -> Optional<ffi.VisitInterrupt>", |args| {
        let value = &mut Any::default();
        let value = args.keepable(1, value)?;
        Ok(visitor(args)?.visit(value)?.into())
    }),
    row(
        "ffi.StructuralVisitorDefaultVisit(0: ffi.StructuralVisitor, 1: AnyView) -> Optional<ffi.VisitInterrupt>",
        |args| {
            let value = &mut Any::default();
            let value = args.keepable(1, value)?;
            Ok(visitor(args)?.default_visit(value)?.into())
        },
    ),
    row("ffi.StructuralVisitorDefRegionKind(0: ffi.StructuralVisitor) -> int", |args| {
        Ok(i64::from(visitor(args)?.region().get()).into())
    }),
    row("ffi.StructuralVisitorWithDefRegionKind(0: ffi.StructuralVisitor, 1: int, 2: ffi.Function) -> Any", |args| {
        // Arguments are converted from the last to the first.
        let (body, kind) = (args.borrow::<Function>(2)?, args.int(1)? as i32);
        let visitor = visitor(args)?;
        visitor.with_region(kind, || function::call(body, &[]))
    }),
];

fn visitor(args: &Arguments<'_>) -> Result<Visitor> {
    let object = args.object_ref(0, STRUCTURAL_VISITOR)?;
    object.cast().ok_or_else(|| Error::new("TypeError", "The object is no visitor"))
}
