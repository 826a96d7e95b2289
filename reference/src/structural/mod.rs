//! Structural algorithms: they take values apart by their containers and reflected fields.
//!
//! [`equal`] and [`hash`] see two values as one if they are built alike, up to the names of the variables that they
//! define. [`visit`] and [`mutate`] walk a value with engines whose functions C++ clients call, and provide themselves;
//! [`walk`] and [`mapper`] are the engines that run callbacks. [`error_context`] tells where in a value an error arose.
//!
//! Below a few nested calls walks keep an explicit `Descent`, so that no value is nested too deeply for the stack, and one that contains itself
//! gives an error. Through hooks and engines of clients they recurse, as far as the thread's stack goes.

mod callbacks;
mod compared_pair;
mod descent;
mod entries;
pub mod equal;
pub mod error_context;
mod fields;
mod findings;
#[cfg(test)]
mod fixtures;
pub mod hash;
mod hashed_part;
pub mod key;
mod leaf_hash;
mod leaves;
mod map_engine;
mod map_keys;
pub mod mapper;
pub mod mutate;
mod mutated_parts;
mod outcome;
#[cfg(test)]
mod tests;
mod thread_bound;
pub mod visit;
pub mod walk;

use std::{cell::OnceCell, ffi::c_void};

use tvm_ffi_spec::*;

use self::descent::{Descent, Level};

use crate::{
    border::error::{Error, Result},
    container::{map, sequence},
    function::{self, Function},
    object::ObjectRef,
    reflection::{bigint::BigInt, structural_objects::StructuralFn},
    system::stack,
    tensor::Description,
    types::{
        lineage::{self, Lineage},
        type_table,
    },
    value::any::{Any, AnyView},
    walk::stack_guard::{self, Limit},
};

/// How objects of a type take part in structural comparison: a `TVMFFISEqHashKind`.
fn identity_kind(type_index: i32) -> Result<i32> {
    lineage::metadata(type_index).map(kind_in)
}

/// What the metadata of a type, if there is any, says of that.
#[inline]
fn kind_in(metadata: Option<&TVMFFITypeMetadata>) -> i32 {
    metadata.map_or(kTVMFFISEqHashKindUnsupported, |metadata| metadata.structural_eq_hash_kind)
}

/// Whether an object may be equal to another one that stands in its place wherever it is met.
fn may_correspond(object: &ObjectRef) -> Result<bool> {
    Ok(matches!(identity_kind(object.type_index())?, kTVMFFISEqHashKindFreeVar | kTVMFFISEqHashKindDAGNode))
}

/// As [`identity_kind`], of a type that is to be compared, and the type.
///
/// # Errors
/// `TypeError` if the type says nothing of it.
#[inline]
fn comparison_kind(type_index: i32) -> Result<(Lineage, i32)> {
    let types = lineage::types(type_index)?;
    let metadata = types.metadata();
    match kind_in(metadata) {
        kTVMFFISEqHashKindUnsupported => Err(unsupported(type_index, metadata.is_some())),
        kind => Ok((types, kind)),
    }
}

#[cold]
fn unsupported(type_index: i32, has_metadata: bool) -> Error {
    let what = if has_metadata { "_type_s_eq_hash_kind" } else { "Type metadata" };
    let key = type_table::key_of(type_index);
    let text = format!("{what} is not set for type `{key}`, so StructuralHash is not supported for this type");
    Error::new("TypeError", text)
}

/// What hooks are given to go on with, made when the first of them needs it.
fn made_once(callback: &OnceCell<Function>, make: impl FnOnce() -> Result<Function>) -> Result<Any> {
    let made = match callback.get() {
        Some(made) => made,
        None => {
            let made = make()?;
            callback.get_or_init(|| made)
        }
    };
    Ok(made.clone().into())
}

/// Calls a function of a client that may lead back here.
fn call_back(function: &Function, args: &[AnyView<'_>]) -> Result<Any> {
    stack_guard::check()?;
    function::call(function, args)
}

/// Whether two values are the same sixteen bytes, which for objects means the same object.
#[inline]
fn same(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> bool {
    // Compared as arrays they would be loaded in one piece, for which those would wait that were stored in parts a moment ago.
    let ([lhs, lhs_rest], [rhs, rhs_rest]) = (lhs.words(), rhs.words());
    (lhs ^ rhs) | (lhs_rest ^ rhs_rest) == 0
}

/// How deep calls are nested that walk maps and objects with fields; what is below is walked with a [`Descent`].
const NESTED: u32 = 32;

/// How deep calls are nested that walk sequences in one another, which takes little of the stack and half the time.
const NESTED_SEQUENCES: u32 = 128;

/// Where calls are not nested any deeper.
const DEEPEST: u32 = NESTED_SEQUENCES;

/// As [`NESTED`] and [`NESTED_SEQUENCES`], where less of the stack than this is left for the others.
const NESTED_ON_SMALL_STACK: u32 = 4;
const STACK_FOR_OTHERS: usize = 512 << 10;

/// How many nested calls a walk that leads to callbacks begins with: a small stack is left to these.
fn nested_at_first(limit: Limit) -> u32 {
    if limit.leaves(STACK_FOR_OTHERS) { 0 } else { DEEPEST }
}

/// Whether a value of a type is walked by a further nested call.
#[inline]
fn is_nested(type_index: i32, nested: u32) -> bool {
    let deepest = match type_index {
        kTVMFFIArray | kTVMFFIList => NESTED_SEQUENCES,
        kTVMFFIMap | kTVMFFIDict | kTVMFFIStaticObjectEnd.. => NESTED,
        _ => return false,
    };
    nested < deepest && has_stack_for_others(nested)
}

/// Whether calls may be nested deeper, as far as the stack goes.
#[inline]
fn has_stack_for_others(nested: u32) -> bool {
    nested != NESTED_ON_SMALL_STACK || stack::has(STACK_FOR_OTHERS)
}

/// Whether all that walks see of a container, elements or values, is of types that they pass over. `false` for other
/// objects. Values of one type often follow one another.
#[inline]
fn all_pass(container: &AnyView<'_>, passes: impl Fn(i32) -> bool) -> bool {
    if let Some(sequence) = container.cast_ref() {
        // SAFETY: nothing foreign runs while the elements are looked at.
        let mut left = unsafe { sequence::borrow(sequence) };
        while let Some(first) = left.first() {
            let type_index = first.view().type_index();
            if !passes(type_index) {
                return false;
            }
            left = behind_all_of(type_index, left);
        }
        true
    } else {
        let Some(map) = container.cast_ref() else { return false };
        // This is a type that none has.
        let mut passed = kTVMFFIAny;
        let pass = |(_, value): (_, &Any)| {
            let type_index = value.view().type_index();
            if type_index != passed && !passes(type_index) {
                return false;
            }
            passed = type_index;
            true
        };
        // SAFETY: as above.
        unsafe { map::iter(map) }.all(pass)
    }
}

/// What is left of values behind those that come first and are of a type, which are gone by four at a time.
#[inline]
fn behind_all_of(type_index: i32, mut values: &[Any]) -> &[Any] {
    let is_of_type = |value: &Any| value.view().type_index() == type_index;
    while let Some(([a, b, c, d], rest)) = values.split_first_chunk()
        && is_of_type(a) & is_of_type(b) & is_of_type(c) & is_of_type(d)
    {
        values = rest;
    }
    while let Some((value, rest)) = values.split_first()
        && is_of_type(value)
    {
        values = rest;
    }
    values
}

/// Whether values of a type are containers, which always have hooks: so they are told from leaves without looking for one.
#[inline]
fn is_container(type_index: i32) -> bool {
    matches!(type_index, kTVMFFIArray | kTVMFFIList | kTVMFFIMap | kTVMFFIDict)
}

/// Whether an attribute of a type is this function.
#[inline]
fn is_hook(attribute: &AnyView<'_>, function: StructuralFn) -> bool {
    attribute.type_index() == kTVMFFIOpaquePtr && attribute.raw().payload() == (function as *const c_void).addr() as u64
}

/// The identity of an object.
fn address(object: &ObjectRef) -> usize {
    object.handle().addr()
}

/// The words of a BigInt.
fn integer_words<'a>(value: &'a AnyView<'_>) -> Option<&'a [u8]> {
    value.cast_ref().map(BigInt::bytes)
}

/// That the content of a tensor can be read here.
fn check_on_cpu(tensor: &Description<'_>, name: &str, purpose: &str) -> Result<()> {
    let device = tensor.device_type();
    if device == kDLCPU {
        return Ok(());
    }
    let text = format!("Check failed: {name}.device().device_type == kDLCPU ({device} vs. {kDLCPU}) : {purpose}");
    Err(Error::new("InternalError", text))
}

/// That the content of a tensor is in one piece.
fn check_contiguous(tensor: &Description<'_>, name: &str, purpose: &str) -> Result<()> {
    if tensor.is_contiguous() {
        return Ok(());
    }
    Err(Error::new("InternalError", format!("Check failed: ({name}.IsContiguous()) is false: {purpose}")))
}

#[cold]
fn null_object() -> Error {
    Error::new("ValueError", "A value claims to hold an object but holds NULL")
}
