//! Shapes: their extents, and what is left of them.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Verdict, homemade::Homemade, view},
    trial::Trial,
};

/// `ffi.Shape` makes a Shape of any integers, with their address and their number behind the header.
#[check(CNT_0001)]
fn shape(t: &Trial) -> Verdict {
    let extents = [3, 0, -1, i64::MAX, i64::MIN, (1 << 53) + 1, -(1 << 53) - 1, 1 << 31, -(1 << 31) - 1, 7];
    for len in 1..=extents.len() {
        is_shape(t, &extents[..len])?;
    }
    Ok(())
}

/// The address and the number of a Shape's extents lie behind its header.
#[check(CNT_0001, lays = TVMFFIShapeCell)]
fn shape_cell(t: &Trial) -> Verdict {
    is_shape(t, &[2, 3, 5])
}

/// `ffi.Shape` makes a Shape of no dimensions.
#[check(CNT_0001)]
fn shape_empty(t: &Trial) -> Verdict {
    is_shape(t, &[])
}

/// `ffi.Shape` makes a Shape of a thousand dimensions.
#[check(CNT_0001)]
fn shape_long(t: &Trial) -> Verdict {
    is_shape(t, &(0..1000).collect::<Vec<_>>())
}

/// Expects `ffi.Shape` to make a Shape of these extents.
fn is_shape(t: &Trial, extents: &[i64]) -> Verdict {
    let shape = t.call_global("ffi.Shape", &extents.iter().map(|extent| view::int(*extent)).collect::<Vec<_>>())?;
    t.type_index_eq("type_index of the result", shape.any().type_index, kTVMFFIShape)?;
    // All that have no extents may be one object.
    if !extents.is_empty() {
        t.eq("counts of a new Shape", t.counts(shape.handle())?, (1, 1))?;
    }
    let cell: TVMFFIShapeCell = t.cell("cell", shape.handle())?;
    t.eq("number of extents", cell.size, extents.len())?;
    let bytes = t.read_bytes("extents", cell.data.cast(), size_of_val(extents))?;
    let got: Vec<_> = bytes.chunks(8).map(|extent| i64::from_ne_bytes(extent.try_into().unwrap_or_default())).collect();
    t.eq("extents", got, extents.to_vec())
}

/// `ffi.Shape` fails for an argument that is neither an integer nor a boolean, and holds none of its arguments.
#[check(CNT_0002)]
fn shape_of_others(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for other in [TVMFFIAny::NONE, view::float(1.0), view::c_str(c"1"), object.view()] {
        t.refuses("ffi.Shape", &[view::int(1), other], &[])?;
    }
    t.eq("strong count of what was refused", object.counts().0, 1)
}

/// Shapes that have ended leave no memory behind.
#[check(CNT_0003, patient = 2)]
fn shape_no_growth(t: &Trial) -> Verdict {
    let make = t.global("ffi.Shape")?;
    t.no_growth("memory of Shapes", || {
        t.call(&make, &[1, 2, 3].map(view::int))?;
        t.call(&make, &[view::int(1); 100]).map(drop)
    })
}
