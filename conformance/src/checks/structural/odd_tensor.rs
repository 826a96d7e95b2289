//! Tensors without elements, and tensors whose elements do not follow each other.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        samples::Place,
        tensor::{FLOAT32, INT32},
        tensors::row_major,
        view,
    },
    trial::Trial,
};

/// Tensors without elements are structurally equal and have one hash if they have the same shape and data type, with data or without.
#[check(SEQ_0034, SEQ_0035)]
fn tensors_without_elements(t: &Trial) -> Verdict {
    let shapes: [&[i64]; 5] = [&[0], &[0, 2], &[2, 0], &[1, 0, 3], &[0, 0]];
    let all: Vec<_> = shapes.iter().flat_map(|shape| [INT32, FLOAT32].map(|dtype| (*shape, dtype))).collect();
    let data = Box::leak(Box::new([7_i32; 4])).as_mut_ptr().cast();
    let datas = [std::ptr::null_mut(), data];
    for (at, (shape, dtype)) in all.iter().enumerate() {
        for (beside, (other_shape, other_dtype)) in all.iter().enumerate() {
            for skip in [false, true] {
                t.clause(if skip { id::SEQ_0035 } else { id::SEQ_0034 });
                let one = tensor(t, datas[0], *dtype, shape, &row_major(shape))?;
                let other = tensor(t, datas[beside % 2], *other_dtype, other_shape, &row_major(other_shape))?;
                let what = format!("tensors of {shape:?} and {other_shape:?}, the second with {other_dtype:?}");
                let args = [one.any(), other.any(), view::bool(false), view::bool(skip)];
                let equal = t.call_global("ffi.StructuralEqual", &args)?;
                t.any_eq(format_args!("whether {what} are equal"), &equal.any(), &view::bool(at == beside))?;
                let hash = |value: &Owned| -> Verdict<u64> {
                    let args = [value.any(), view::bool(false), view::bool(skip)];
                    Ok(t.call_global("ffi.StructuralHash", &args)?.any().payload())
                };
                if at == beside {
                    t.eq(format_args!("the hash of {what}"), hash(&other)?, hash(&one)?)?;
                }
            }
        }
    }
    Ok(())
}

/// Asked about Tensors whose elements do not follow each other, `ffi.GetFirstStructuralMismatch` answers None just where `ffi.StructuralEqual`
/// answers true, or both fail, and without the content shape and data type decide.
#[check(SEQ_0043, SEQ_0035, patient = 2)]
fn tensors_with_gaps(t: &Trial) -> Verdict {
    let functions = t.globals(["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"])?;
    let places: Vec<_> =
        Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)).collect();
    let data = |content: [i32; 16]| Box::leak(Box::new(content)).as_mut_ptr().cast();
    let (first, same, other) = (data([1; 16]), data([1; 16]), data([2; 16]));
    let strides: [&[i64]; 4] = [&[1, 2], &[4, 1], &[4, 2], &[0, 1]];
    for (strides, place) in strides.iter().flat_map(|strides| places.iter().map(move |place| (*strides, place))) {
        let within = |data, dtype, shape: &[i64]| place.put(t, &tensor(t, data, dtype, shape, strides)?.any());
        let one = within(first, INT32, &[2, 2])?;
        for (name, is_alike, other) in [
            ("the same content", true, within(same, INT32, &[2, 2])?),
            ("other content", true, within(other, INT32, &[2, 2])?),
            ("another shape", false, within(same, INT32, &[2, 3])?),
            ("another data type", false, within(same, FLOAT32, &[2, 2])?),
        ] {
            let what = format!("tensors of strides {strides:?} with {name}, {place:?}");
            for skip in [false, true] {
                let args = [one.any(), other.any(), view::bool(false), view::bool(skip)];
                let [equal, mismatch] = functions.each_ref().map(|function| t.answer_of(function.handle(), &args));
                let equal = equal?.map(|answer| answer.any().payload() != 0).ok();
                let is_none = mismatch?.map(|answer| answer.any().type_index == kTVMFFINone).ok();
                if skip {
                    t.clause(id::SEQ_0035);
                    t.eq(format_args!("whether {what} are equal without it"), equal, Some(is_alike))?;
                }
                t.clause(id::SEQ_0043);
                t.eq(format_args!("whether {what} have no mismatch, without content: {skip}"), is_none, equal)?;
            }
        }
    }
    Ok(())
}

/// A tensor on the CPU. What it is described by is kept for the life of the process.
fn tensor(t: &Trial, data: *mut std::ffi::c_void, dtype: DLDataType, shape: &[i64], strides: &[i64]) -> Verdict<Owned> {
    let dl_tensor = DLTensor {
        data,
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: shape.len() as i32,
        dtype,
        shape: shape.to_vec().leak().as_mut_ptr(),
        strides: strides.to_vec().leak().as_mut_ptr(),
        byte_offset: 0,
    };
    let managed = DLManagedTensor { dl_tensor, manager_ctx: std::ptr::null_mut(), deleter: None };
    let mut tensor = std::ptr::null_mut();
    t.ok(t.api.TVMFFITensorFromDLPack(Box::leak(Box::new(managed)), 0, 0, &mut tensor))?;
    t.own_object("the tensor", tensor)
}
