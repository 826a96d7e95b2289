//! Shapes: immutable lists of extents that follow the object's header in the same allocation.

use tvm_ffi_spec::{TVMFFIShapeCell, kTVMFFIShape};

use crate::{
    border::error::{Error, Result},
    function::row::{Row, row},
    object::{self, ObjectRef, Payload, typed_refs},
};

typed_refs! {
    /// A Shape.
    Shape: ObjectRef = kTVMFFIShape;
}

/// What lies behind the header of a shape.
#[repr(C)]
struct Extents(TVMFFIShapeCell);

// SAFETY: the type is repr(C) and is the cell that shapes begin with.
unsafe impl Payload for Extents {
    const TYPE_INDEX: i32 = kTVMFFIShape;
}

/// The extents of a shape.
pub fn extents(shape: &Shape) -> &[i64] {
    // SAFETY: every shape begins with this cell, whoever made it, and it never changes.
    unsafe {
        let TVMFFIShapeCell { data, size } = *shape.data::<TVMFFIShapeCell>();
        if size == 0 { &[] } else { std::slice::from_raw_parts(data, size) }
    }
}

/// Makes a shape of these extents.
pub fn new(extents: &[i64]) -> Result<Shape> {
    of_extents(extents.iter().copied())
}

#[inline]
fn of_extents(extents: impl ExactSizeIterator<Item = i64>) -> Result<Shape> {
    let size = extents.len();
    object::new_with_tail(size * size_of::<i64>(), |tail| {
        let data = tail.cast::<i64>();
        for (at, extent) in (0..size).zip(extents) {
            // SAFETY: the tail has room for the extents and is fresh memory, aligned behind a cell of words.
            unsafe { data.add(at).write(extent) };
        }
        Extents(TVMFFIShapeCell { data, size })
    })
    .map(Shape)
    .map_err(Error::from)
}

/// The global function about shapes.
pub(crate) const GLOBALS: &[Row] = &[row("ffi.Shape", |args| {
    // All arguments are read once, whatever they are, into a shape that is given up if one of them is no integer.
    let mut all_are_ints = true;
    let shape = of_extents(args.all().iter().map(|value| {
        all_are_ints &= value.as_int().is_some();
        value.raw().payload() as i64
    }))?;
    if !all_are_ints {
        return Err(Error::new("ValueError", "Expect shape to take list of int arguments"));
    }
    Ok(shape.into())
})];
