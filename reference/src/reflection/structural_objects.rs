//! Objects that structural algorithms hand around: the algorithms are elsewhere, this is how their objects lie in memory.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::{list, sequence::List},
    object::{self, ObjectRef, Payload, typed_refs},
    reflection::{
        field_types::{AnyField, Field, Int64, ListOfObjects, OptionalObject},
        object_def::{Empty, FieldDef, ObjectDef},
    },
    types::builtin_indices::{STRUCTURAL_KEY, STRUCTURAL_MUTATOR, STRUCTURAL_VISITOR, VISIT_ERROR_CONTEXT},
    value::any::Any,
};

typed_refs! {
    /// The context that errors get while a visit unwinds.
    ErrorContext: ObjectRef = VISIT_ERROR_CONTEXT;
    /// A key that is compared by structure.
    KeyObject: ObjectRef = STRUCTURAL_KEY;
}

impl ErrorContext {
    /// A List of the objects that were being visited, innermost first.
    pub fn reverse_visit_pattern(&self) -> Option<List> {
        // SAFETY: it is such a context; the copy is independent of what others write to the object.
        unsafe { self.data::<VisitErrorContext>() }.reverse_visit_pattern.clone()
    }
}

impl KeyObject {
    /// The value and its hash.
    pub fn content(&self) -> StructuralKey {
        // SAFETY: it is such a key; the copy is independent of what others write to the object.
        unsafe { self.data::<StructuralKey>() }.clone()
    }
}

/// What lies behind the header of the answer that ends a visit.
#[repr(C)]
#[derive(Clone)]
pub struct VisitInterrupt {
    /// What the visit ends with.
    pub value: Any,
}

/// What lies behind the header of a visitor. Engines have more behind it.
#[repr(C)]
#[derive(Clone)]
pub struct StructuralVisitor {
    /// The functions of the engine; their order is part of the ABI.
    pub vtable: *const VisitorVTable,
    /// A `TVMFFIDefRegionKind`.
    pub def_region_kind: i32,
}

/// What lies behind the header of a mutator. Engines have more behind it.
#[repr(C)]
#[derive(Clone)]
pub struct StructuralMutator {
    /// The functions of the engine; their order is part of the ABI.
    pub vtable: *const MutatorVTable,
    /// A `TVMFFIDefRegionKind`.
    pub def_region_kind: i32,
}

/// A function of a visitor or mutator: takes it and a borrowed value, answers a value or an Error object, both owned.
pub type StructuralFn = unsafe extern "C" fn(engine: *mut c_void, value: TVMFFIAny) -> TVMFFIAny;
/// As [`StructuralFn`], with two values.
pub type StructuralPairFn = unsafe extern "C" fn(engine: *mut c_void, first: TVMFFIAny, second: TVMFFIAny) -> TVMFFIAny;

/// The functions of a visitor.
#[repr(C)]
pub struct VisitorVTable {
    /// Answers None to go on, or a VisitInterrupt.
    pub visit: StructuralFn,
}

/// The functions of a mutator.
#[repr(C)]
pub struct MutatorVTable {
    /// Answers a replacement or Unchanged.
    pub mutate: StructuralFn,
    /// As `mutate`, where the value may be changed in place.
    pub maybe_inplace_mutate: StructuralFn,
    /// Answers what a variable has been replaced by, or None.
    pub var_remap_get: StructuralFn,
    /// Notes what a variable is replaced by.
    pub var_remap_set: StructuralPairFn,
}

/// What lies behind the header of the context that errors get while a visit unwinds.
#[repr(C)]
#[derive(Clone)]
pub struct VisitErrorContext {
    /// A List of the objects that were being visited, innermost first.
    pub reverse_visit_pattern: Option<List>,
    /// The context that the error had before.
    pub prev_error_context: Option<ObjectRef>,
}

/// What lies behind the header of a key that is compared by structure.
#[repr(C)]
#[derive(Clone)]
pub struct StructuralKey {
    /// The value.
    pub key: Any,
    /// Its structural hash.
    pub hash: i64,
}

// SAFETY: `repr(C)`, with the fields of the type.
unsafe impl Payload for VisitInterrupt {
    const TYPE_INDEX: i32 = kTVMFFIVisitInterrupt;
}

// SAFETY: as above.
unsafe impl Payload for StructuralVisitor {
    const TYPE_INDEX: i32 = STRUCTURAL_VISITOR;
}

// SAFETY: as above.
unsafe impl Payload for StructuralMutator {
    const TYPE_INDEX: i32 = STRUCTURAL_MUTATOR;
}

// SAFETY: as above.
unsafe impl Payload for VisitErrorContext {
    const TYPE_INDEX: i32 = VISIT_ERROR_CONTEXT;
}

// SAFETY: as above.
unsafe impl Payload for StructuralKey {
    const TYPE_INDEX: i32 = STRUCTURAL_KEY;
}

impl Empty for VisitInterrupt {
    fn empty() -> Result<Self> {
        Ok(Self { value: Any::NONE })
    }
}

impl Empty for VisitErrorContext {
    fn empty() -> Result<Self> {
        Ok(Self { reverse_visit_pattern: Some(list::empty()?), prev_error_context: None })
    }
}

impl Empty for StructuralKey {
    fn empty() -> Result<Self> {
        Ok(Self { key: Any::NONE, hash: 0 })
    }
}

/// The types of this file.
pub const OBJECTS: &[ObjectDef] = &[
    ObjectDef::of::<VisitInterrupt>().creatable::<VisitInterrupt>().with_final(true).with_fields(&[FieldDef::new(
        "value",
        std::mem::offset_of!(VisitInterrupt, value),
        AnyField::DECLARED,
    )
    .with_flags(kTVMFFIFieldFlagBitMaskHasDefault)]),
    ObjectDef::of::<StructuralVisitor>().with_final(false),
    ObjectDef::of::<VisitErrorContext>().creatable::<VisitErrorContext>().with_final(true).with_fields(&[
        FieldDef::new(
            "reverse_visit_pattern",
            std::mem::offset_of!(VisitErrorContext, reverse_visit_pattern),
            ListOfObjects::DECLARED,
        ),
        FieldDef::new(
            "prev_error_context",
            std::mem::offset_of!(VisitErrorContext, prev_error_context),
            OptionalObject::DECLARED,
        ),
    ]),
    ObjectDef::of::<StructuralMutator>().with_final(false),
    ObjectDef::of::<StructuralKey>().creatable::<StructuralKey>().with_final(true).with_fields(&[
        FieldDef::new("key", std::mem::offset_of!(StructuralKey, key), AnyField::DECLARED),
        FieldDef::new("hash_i64", std::mem::offset_of!(StructuralKey, hash), Int64::DECLARED),
    ]),
];

/// An answer that ends a visit.
pub fn visit_interrupt(value: Any) -> Result<ObjectRef> {
    Ok(object::try_new(|| VisitInterrupt { value })?)
}

/// A key with the structural hash of its value.
pub fn structural_key(key: Any, hash: i64) -> Result<KeyObject> {
    Ok(KeyObject(object::try_new(|| StructuralKey { key, hash })?))
}

/// The context of an error.
pub fn visit_error_context(pattern: List, previous: Option<ObjectRef>) -> Result<ErrorContext> {
    let context = || VisitErrorContext { reverse_visit_pattern: Some(pattern), prev_error_context: previous };
    Ok(ErrorContext(object::try_new(context)?))
}
