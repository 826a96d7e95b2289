//! Tensors and DLPack.
//!
//! The producer of every tensor here is a [`Producer`] on the check's own stack; its deleters only count. What a Tensor
//! says of itself is compared field by field with what its producer said, with values that tell the fields apart.

use std::{
    ffi::{c_int, c_void},
    fmt::Display,
    sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering},
};

use proptest::{
    collection::vec,
    option,
    prelude::{Just, any, prop_oneof},
    sample::Index,
};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, memory, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

/// A Tensor is an object of type index 70 with a DLTensor behind its header.
#[check(TEN_0001)]
fn layout(t: &Trial) -> Verdict {
    for form in FORMS {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        t.eq("type_index of the header", t.header(tensor.handle())?.type_index, kTVMFFITensor)?;
        t.eq("__padding of the header", t.header(tensor.handle())?.__padding, 0)?;
        let seen: DLTensor = t.cell("DLTensor behind the header", tensor.handle())?;
        t.eq("data", seen.data, producer.data)?;
        t.eq("device", seen.device, producer.device)?;
        t.eq("ndim", seen.ndim, producer.shape.len() as i32)?;
        t.eq("dtype", seen.dtype, producer.dtype)?;
    }
    Ok(())
}

/// An imported tensor has every field of the DLManagedTensor.
#[check(TEN_0002)]
fn import_keeps_fields(t: &Trial) -> Verdict {
    import_of_form_keeps_fields(t, Form::Plain)
}

/// An imported tensor has every field of the DLManagedTensorVersioned.
#[check(TEN_0003)]
fn versioned_import_keeps_fields(t: &Trial) -> Verdict {
    import_of_form_keeps_fields(t, Form::Versioned)
}

fn import_of_form_keeps_fields(t: &Trial, form: Form) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, form)?;
    producer.compare(t, "the Tensor", &tensor_of(t, &tensor)?)
}

/// A data type is carried over whatever its code, bits and lanes.
#[check(TEN_0004)]
fn dtype_is_kept(t: &Trial) -> Verdict {
    let dtype = |code: u8, bits, lanes| DLDataType { code, bits, lanes };
    let scalable_by_four = -4_i16 as u16;
    let cases = [
        dtype(kDLFloat4_e2m1fn, 4, 1),
        dtype(kDLFloat4_e2m1fn, 4, 2),
        dtype(kDLFloat6_e3m2fn, 6, 1),
        dtype(kDLUInt, 1, 1),
        dtype(kDLBool, 8, 1),
        dtype(kDLBfloat, 16, 8),
        dtype(kDLComplex, 128, 1),
        dtype(kDLOpaqueHandle, 64, 1),
        dtype(kDLFloat, 32, scalable_by_four),
        dtype(200, 255, 0x1234),
    ];
    for form in FORMS {
        for dtype in cases {
            let mut producer = Producer { dtype, ..Producer::new() };
            let tensor = producer.import(t, form)?;
            t.eq("dtype of the Tensor", tensor_of(t, &tensor)?.dtype, dtype)?;
            let export = Export::of(t, form, &tensor)?;
            t.eq("dtype of the export", export.tensor.dtype, dtype)?;
            export.give_back(t);
        }
    }
    Ok(())
}

/// Strides that the producer left out are filled in row-major.
#[check(TEN_0005)]
fn missing_strides_are_row_major(t: &Trial) -> Verdict {
    let cases: [(&[i64], &[i64]); 5] = [
        (&[7], &[1]),
        (&[2, 3], &[3, 1]),
        (&[2, 3, 4], &[12, 4, 1]),
        (&[5, 1, 3], &[3, 3, 1]),
        (&[1 << 20, 1 << 20, 3], &[3 << 20, 3, 1]),
    ];
    for form in FORMS {
        for (shape, expected) in cases {
            let mut producer = Producer { shape: shape.to_vec(), strides: None, ..Producer::new() };
            let tensor = producer.import(t, form)?;
            let seen = tensor_of(t, &tensor)?;
            let strides = extents(t, "strides of the Tensor", seen.strides, shape.len())?;
            t.eq(format!("strides of the Tensor of shape {shape:?}"), strides.as_slice(), expected)?;
            let shape = extents(t, "shape of the Tensor", seen.shape, shape.len())?;
            t.eq("shape of the Tensor", shape, producer.shape.clone())?;
        }
    }
    Ok(())
}

/// Strides that the producer left out enumerate the elements of any shape in order.
#[check(TEN_0005)]
fn missing_strides_of_any_shape(t: &Trial) -> Verdict {
    t.property((vec(1_i64..6, 1..5), any::<bool>()), |(shape, versioned)| {
        let mut producer = Producer { shape: shape.clone(), strides: None, ..Producer::new() };
        let tensor = producer.import(t, Form::from(*versioned))?;
        let seen = tensor_of(t, &tensor)?;
        let strides = extents(t, "strides of the Tensor", seen.strides, shape.len())?;
        t.that(
            format!("strides of the Tensor of shape {shape:?}"),
            follow_each_other(shape, &strides),
            "those of row-major order",
            format!("{strides:?}"),
        )
    })
}

/// A tensor without dimensions is imported.
#[check(TEN_0006)]
fn no_dimensions(t: &Trial) -> Verdict {
    for form in FORMS {
        for strides in [None, Some(Vec::new())] {
            for with_shape in [false, true] {
                let mut producer = Producer { shape: Vec::new(), strides: strides.clone(), ..Producer::new() };
                producer.fill();
                if !with_shape {
                    producer.plain.dl_tensor.shape = std::ptr::null_mut();
                    producer.versioned.dl_tensor.shape = std::ptr::null_mut();
                }
                let tensor = producer.import_filled(t, form, 0, true)?;
                let seen = tensor_of(t, &tensor)?;
                t.eq("ndim", seen.ndim, 0)?;
                t.eq("data", seen.data, producer.data)?;
                t.eq("byte_offset", seen.byte_offset, producer.byte_offset)?;
                Export::of(t, form, &tensor)?.give_back(t);
            }
        }
    }
    Ok(())
}

/// A tensor with an extent of zero is imported.
#[check(TEN_0007)]
fn zero_extent(t: &Trial) -> Verdict {
    let cases: [(&[i64], Option<&[i64]>); 4] =
        [(&[0], None), (&[0], Some(&[1])), (&[2, 0, 3], None), (&[0, 4], Some(&[4, 1]))];
    for form in FORMS {
        for (shape, strides) in cases {
            let mut producer = Producer {
                shape: shape.to_vec(),
                strides: strides.map(<[i64]>::to_vec),
                data: std::ptr::null_mut(),
                byte_offset: 0,
                ..Producer::new()
            };
            let tensor = producer.import_with(t, form, 64, true)?;
            let seen = tensor_of(t, &tensor)?;
            t.eq("data", seen.data, std::ptr::null_mut())?;
            t.eq("ndim", seen.ndim, shape.len() as i32)?;
            let kept = extents(t, "shape of the Tensor", seen.shape, shape.len())?;
            t.eq("shape of the Tensor", kept.as_slice(), shape)?;
            t.that("strides of the Tensor", !seen.strides.is_null(), "an address", "NULL")?;
        }
    }
    Ok(())
}

/// Data that does not begin at a multiple of the alignment is refused.
#[check(TEN_0008)]
fn alignment(t: &Trial) -> Verdict {
    // Data behind an address that is a multiple of 256, the alignment asked for, and whether it is there.
    let cases =
        [(0, 64, true), (0, 256, true), (64, 64, true), (8, 64, false), (32, 64, false), (4, 8, false), (1, 1, true)];
    for form in FORMS {
        for (data, alignment, aligned) in cases {
            alignment_case(t, form, data, 0, alignment, aligned)?;
        }
    }
    Ok(())
}

/// The alignment is that of the data plus the byte offset.
#[check(TEN_0009)]
fn alignment_counts_byte_offset(t: &Trial) -> Verdict {
    let cases = [(0, 8, 64, false), (8, 56, 64, true), (64, 64, 64, true), (0, 4, 8, false), (4, 4, 8, true)];
    for form in FORMS {
        for (data, byte_offset, alignment, aligned) in cases {
            alignment_case(t, form, data, byte_offset, alignment, aligned)?;
        }
    }
    Ok(())
}

fn alignment_case(t: &Trial, form: Form, data: usize, byte_offset: u64, alignment: i32, aligned: bool) -> Verdict {
    let data = ALIGNED.0.as_ptr().wrapping_add(data).cast_mut().cast();
    let mut producer = Producer { data, byte_offset, ..Producer::contiguous() };
    let what = format!("import of data at {data:p} plus {byte_offset} with an alignment of {alignment}");
    if aligned {
        let tensor = producer.import_with(t, form, alignment, false).map_err(|failure| failure.noting(what))?;
        t.eq("data", tensor_of(t, &tensor)?.data, data)
    } else {
        producer.refuse(t, form, alignment, false).map_err(|failure| failure.noting(what))
    }
}

/// An alignment of zero asks for none.
#[check(TEN_0010)]
fn alignment_zero(t: &Trial) -> Verdict {
    for form in FORMS {
        for (data, byte_offset) in [(1, 0), (0, 3), (7, 6)] {
            alignment_case(t, form, data, byte_offset, 0, true)?;
        }
    }
    Ok(())
}

/// Where data is a handle, the alignment is that of the byte offset.
#[check(TEN_0011)]
fn alignment_of_handles(t: &Trial) -> Verdict {
    for form in FORMS {
        let opencl = || Producer {
            device: DLDevice { device_type: kDLOpenCL, device_id: 0 },
            data: std::ptr::without_provenance_mut(0x1001),
            ..Producer::contiguous()
        };
        let mut at_start = Producer { byte_offset: 128, ..opencl() };
        at_start.import_with(t, form, 64, false)?;
        Producer { byte_offset: 8, ..opencl() }.refuse(t, form, 64, false)?;
    }
    Ok(())
}

/// A tensor that is not contiguous is refused when contiguity is required.
#[check(TEN_0012)]
fn contiguity_required(t: &Trial) -> Verdict {
    // Shape, strides, and whether the elements follow each other.
    type Case = (&'static [i64], Option<&'static [i64]>, bool);
    let cases: [Case; 9] = [
        (&[2, 3], Some(&[3, 1]), true),
        (&[2, 3], None, true),
        (&[6], Some(&[1]), true),
        (&[2, 3], Some(&[1, 2]), false),
        (&[2, 3], Some(&[4, 1]), false),
        (&[6], Some(&[2]), false),
        (&[2, 3], Some(&[0, 1]), false),
        (&[3], Some(&[-1]), false),
        (&[2, 3, 4], Some(&[12, 4, 2]), false),
    ];
    for form in FORMS {
        for (shape, strides, contiguous) in cases {
            contiguity_case(t, form, shape, strides, contiguous)?;
        }
    }
    Ok(())
}

fn contiguity_case(t: &Trial, form: Form, shape: &[i64], strides: Option<&[i64]>, contiguous: bool) -> Verdict {
    let strides = strides.map(<[i64]>::to_vec);
    let what = format!("contiguous import of shape {shape:?} with strides {strides:?}");
    let mut producer = Producer { shape: shape.to_vec(), strides, ..Producer::new() };
    if contiguous {
        producer.import_with(t, form, 0, true).map(drop).map_err(|failure| failure.noting(what))
    } else {
        producer.refuse(t, form, 0, true).map_err(|failure| failure.noting(what))
    }
}

/// A tensor is contiguous exactly when its elements follow each other in row-major order.
#[check(TEN_0012)]
fn contiguity_of_any_strides(t: &Trial) -> Verdict {
    // Each dimension with its extent and, now and then, a stride that is not the row-major one.
    let dimension = (1_i64..5, option::weighted(0.2, -2_i64..20));
    t.property((vec(dimension, 0..5), any::<bool>()), |(dimensions, versioned)| {
        let shape: Vec<i64> = dimensions.iter().map(|(extent, _)| *extent).collect();
        let mut strides = row_major(&shape);
        for (stride, (_, other)) in strides.iter_mut().zip(dimensions) {
            *stride = other.unwrap_or(*stride);
        }
        let contiguous = follow_each_other(&shape, &strides);
        contiguity_case(t, Form::from(*versioned), &shape, Some(&strides), contiguous)
    })
}

/// A tensor with any strides is imported when contiguity is not required.
#[check(TEN_0013)]
fn contiguity_not_required(t: &Trial) -> Verdict {
    let cases: [(&[i64], &[i64]); 5] =
        [(&[2, 3], &[1, 2]), (&[2, 3], &[100, 7]), (&[4, 5], &[0, 1]), (&[5], &[-1]), (&[2, 2, 2], &[1, 4, 2])];
    for form in FORMS {
        for (shape, strides) in cases {
            let mut producer = Producer { shape: shape.to_vec(), strides: Some(strides.to_vec()), ..Producer::new() };
            let tensor = producer.import_with(t, form, 0, false)?;
            producer.compare(t, "the Tensor", &tensor_of(t, &tensor)?)?;
        }
    }
    Ok(())
}

/// The stride of a dimension with one element does not matter for contiguity.
#[check(TEN_0014)]
fn contiguity_ignores_extent_one(t: &Trial) -> Verdict {
    let cases: [(&[i64], &[i64]); 5] =
        [(&[1], &[77]), (&[1, 3], &[77, 1]), (&[3, 1], &[1, 77]), (&[2, 1, 3], &[3, -5, 1]), (&[1, 1], &[0, 0])];
    for form in FORMS {
        for (shape, strides) in cases {
            contiguity_case(t, form, shape, Some(strides), true)?;
        }
    }
    Ok(())
}

/// A tensor without elements is contiguous whatever its strides.
#[check(TEN_0015)]
fn contiguity_of_empty(t: &Trial) -> Verdict {
    let cases: [(&[i64], &[i64]); 4] = [(&[0], &[5]), (&[3, 0], &[7, 7]), (&[0, 3], &[1, 1]), (&[2, 0, 3], &[3, 3, 1])];
    for form in FORMS {
        for (shape, strides) in cases {
            contiguity_case(t, form, shape, Some(strides), true)?;
        }
    }
    Ok(())
}

/// An import that fails does not call the deleter.
#[check(TEN_0016)]
fn failed_import_keeps_ownership(t: &Trial) -> Verdict {
    for form in FORMS {
        let data = ALIGNED.0.as_ptr().wrapping_add(4).cast_mut().cast();
        Producer { data, ..Producer::contiguous() }.refuse(t, form, 64, false)?;
        t.eq("calls of the deleter after an import without alignment", returned(0), 0)?;
        Producer { shape: vec![2, 3], strides: Some(vec![1, 2]), ..Producer::new() }.refuse(t, form, 0, true)?;
        t.eq("calls of the deleter after an import without contiguity", returned(0), 0)?;
    }
    Ok(())
}

/// A managed tensor that was refused can be imported with other requirements.
#[check(TEN_0016, TEN_0017)]
fn failed_import_can_be_repeated(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer { shape: vec![2, 3], strides: Some(vec![1, 2]), ..Producer::new() };
        producer.refuse(t, form, 0, true)?;
        t.eq("calls of the deleter after the import was refused", returned(0), round)?;
        t.clause(id::TEN_0017);
        let tensor = producer.import_with(t, form, 0, false)?;
        producer.compare(t, "the Tensor", &tensor_of(t, &tensor)?)?;
        drop(tensor);
        t.eq("calls of the deleter", returned(0), round + 1)?;
        t.clause(id::TEN_0016);
    }
    Ok(())
}

/// The deleter is called once, with its managed tensor, when the last reference goes.
#[check(TEN_0017)]
fn deleter_runs_once(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        t.eq("calls of the deleter before the release", returned(0), round)?;
        drop(tensor);
        t.eq("calls of the deleter after the release", returned(0), round + 1)?;
        t.eq("argument of the deleter", LAST.load(Ordering::SeqCst), producer.address(form))?;
        t.eq("calls of a deleter with something else", STRAY.load(Ordering::SeqCst), 0)?;
    }
    Ok(())
}

/// The deleter waits for the last of many references.
#[check(TEN_0017)]
fn deleter_waits_for_last_reference(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        let others: Vec<Owned> = (0..9).map(|_| retained(t, &tensor)).collect::<Verdict<_>>()?;
        drop(tensor);
        for (released, other) in others.into_iter().enumerate() {
            t.eq(format!("calls of the deleter after {} of 10 releases", released + 1), returned(0), round)?;
            producer.compare(t, "the Tensor", &tensor_of(t, &other)?)?;
        }
        t.eq("calls of the deleter after the last release", returned(0), round + 1)?;
    }
    Ok(())
}

/// The last reference may be given up on another thread than the import's.
#[check(TEN_0017)]
fn released_on_another_thread(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let handle = Shared(producer.import(t, form)?.into_any().payload());
        t.threads(1, |t, _| {
            producer.compare(t, "the Tensor on another thread", &t.cell("DLTensor", handle.get())?)?;
            t.ok(t.api.TVMFFIObjectDecRef(handle.get()))
        })?;
        t.eq("calls of the deleter", returned(0), round + 1)?;
    }
    Ok(())
}

/// A managed tensor without a deleter is imported and released.
#[check(TEN_0018)]
fn no_deleter(t: &Trial) -> Verdict {
    for form in FORMS {
        let mut producer = Producer::new();
        producer.fill();
        producer.plain.deleter = None;
        producer.versioned.deleter = None;
        let tensor = producer.import_filled(t, form, 0, false)?;
        producer.compare(t, "the Tensor", &tensor_of(t, &tensor)?)?;
        let export = Export::of(t, form, &tensor)?;
        drop(tensor);
        export.give_back(t);
    }
    t.eq("calls of a deleter", returned(0), 0)
}

/// Weak references keep the header but not the memory.
#[check(TEN_0019)]
fn weak_references(t: &Trial) -> Verdict {
    const WEAK: u64 = 1 << 32;
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        let handle = tensor.handle();
        let deleter = t.header(handle)?.deleter;
        // SAFETY: the header was just read; clients count weak references in place, atomically.
        let count = unsafe { AtomicU64::from_ptr(handle.cast()) };
        count.fetch_add(WEAK, Ordering::Relaxed);
        t.eq("strong and weak count with a weak reference", t.counts(handle)?, (1, 2))?;
        drop(tensor);
        t.eq("calls of the producer's deleter with a weak reference left", returned(0), round + 1)?;
        t.eq("strong and weak count of the ended tensor", t.counts(handle)?, (0, 1))?;
        t.eq("type_index of the ended tensor", t.header(handle)?.type_index, kTVMFFITensor)?;
        if count.fetch_sub(WEAK, Ordering::AcqRel) == WEAK
            && let Some(deleter) = deleter
        {
            // SAFETY: the target's own deleter, asked to free the memory by whoever gave up the last weak reference.
            t.api.noted("the tensor's deleter(flags = 2)", || unsafe { deleter(handle, 2) });
        }
        t.eq("calls of the producer's deleter at last", returned(0), round + 1)?;
    }
    Ok(())
}

/// A DLManagedTensor made of a Tensor has its fields.
#[check(TEN_0020)]
fn export_keeps_fields(t: &Trial) -> Verdict {
    export_of_form_keeps_fields(t, Form::Plain)
}

/// A DLManagedTensorVersioned made of a Tensor has its fields.
#[check(TEN_0021)]
fn versioned_export_keeps_fields(t: &Trial) -> Verdict {
    export_of_form_keeps_fields(t, Form::Versioned)
}

fn export_of_form_keeps_fields(t: &Trial, form: Form) -> Verdict {
    for imported in FORMS {
        let mut producer = Producer::new();
        let tensor = producer.import(t, imported)?;
        let export = Export::of(t, form, &tensor)?;
        producer.compare(t, "the export", &export.tensor)?;
        export.give_back(t);
    }
    Ok(())
}

/// An export has the strides that the producer left out.
#[check(TEN_0020, TEN_0021)]
fn export_of_missing_strides(t: &Trial) -> Verdict {
    for (form, clause) in FORMS.into_iter().zip([id::TEN_0020, id::TEN_0021]) {
        t.clause(clause);
        let mut producer = Producer { shape: vec![4, 5, 6], strides: None, ..Producer::new() };
        let tensor = producer.import(t, form)?;
        let export = Export::of(t, form, &tensor)?;
        t.eq("ndim of the export", export.tensor.ndim, 3)?;
        t.eq("strides of the export", extents(t, "strides", export.tensor.strides, 3)?, vec![30, 6, 1])?;
        export.give_back(t);
    }
    Ok(())
}

/// An export keeps the tensor alive when its handle is gone.
#[check(TEN_0022)]
fn export_outlives_handle(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        let export = Export::of(t, form, &tensor)?;
        drop(tensor);
        t.eq("calls of the producer's deleter while an export is left", returned(0), round)?;
        producer.compare(t, "the export", &export.reread(t)?)?;
        export.give_back(t);
        t.eq("calls of the producer's deleter after the export was given back", returned(0), round + 1)?;
    }
    Ok(())
}

/// Several exports of one tensor are given back in any order.
#[check(TEN_0022)]
fn exports_are_independent(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Versioned)?;
    let exports: Vec<Export> =
        FORMS.repeat(3).into_iter().map(|form| Export::of(t, form, &tensor)).collect::<Verdict<_>>()?;
    for (index, export) in exports.iter().enumerate() {
        let twice = exports[..index].iter().any(|other| other.managed == export.managed);
        t.that("address of an export", !twice, "one of its own", "that of another export that is still in use")?;
    }
    drop(tensor);
    let mut left = exports;
    for at in [3, 0, 3, 1, 0] {
        left.remove(at).give_back(t);
        t.eq("calls of the producer's deleter while exports are left", returned(0), 0)?;
        for export in &left {
            producer.compare(t, "an export that is left", &export.reread(t)?)?;
        }
    }
    left.remove(0).give_back(t);
    t.eq("calls of the producer's deleter after the last export", returned(0), 1)
}

/// An export can be imported again, as often as one likes.
#[check(TEN_0020, TEN_0021, TEN_0022)]
fn export_round_trip(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let mut tensor = producer.import(t, Form::Plain)?;
    for round in 0..6 {
        let form = Form::from(round % 2 == 1);
        t.clause(if round % 2 == 1 { id::TEN_0021 } else { id::TEN_0020 });
        let export = Export::of(t, form, &tensor)?;
        let mut again = std::ptr::null_mut();
        t.ok(export.import(t, &mut again))?;
        tensor = t.own_object("the Tensor made of an export", again)?;
        producer.compare(t, "the Tensor made of an export", &tensor_of(t, &tensor)?)?;
    }
    t.clause(id::TEN_0022);
    t.eq("calls of the producer's deleter before the release", returned(0), 0)?;
    drop(tensor);
    t.eq("calls of the producer's deleter after the release", returned(0), 1)
}

/// A versioned export is of major version 1.
#[check(TEN_0023)]
fn export_version(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Versioned)?;
    let export = Export::of(t, Form::Versioned, &tensor)?;
    t.eq("major version of the export", export.versioned(t)?.version.major, 1)?;
    export.give_back(t);
    Ok(())
}

/// A versioned export is of minor version 2 or later.
#[check(TEN_0024)]
fn export_minor_version(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Versioned)?;
    let export = Export::of(t, Form::Versioned, &tensor)?;
    let minor = export.versioned(t)?.version.minor;
    t.that("minor version of the export", (2..1000).contains(&minor), "2 or later", minor)?;
    export.give_back(t);
    Ok(())
}

/// A versioned export of an ordinary tensor has no flags.
#[check(TEN_0025)]
fn export_flags(t: &Trial) -> Verdict {
    for form in FORMS {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        let export = Export::of(t, Form::Versioned, &tensor)?;
        t.eq("flags of the export", export.versioned(t)?.flags, 0)?;
        export.give_back(t);
    }
    Ok(())
}

/// A tensor with padded elements is refused and stays its caller's.
#[check(TEN_0026, TEN_0016)]
fn padded_elements_are_refused(t: &Trial) -> Verdict {
    let dtype = DLDataType { code: kDLFloat4_e2m1fn, bits: 4, lanes: 1 };
    let mut producer = Producer { dtype, flags: DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, ..Producer::contiguous() };
    producer.refuse(t, Form::Versioned, 0, false)?;
    t.clause(id::TEN_0016);
    t.eq("calls of the deleter after the import was refused", returned(0), 0)
}

/// A versioned tensor of a later minor version is imported.
#[check(TEN_0027)]
fn later_minor_version(t: &Trial) -> Verdict {
    let mut producer = Producer { version: DLPackVersion { major: 1, minor: 77 }, ..Producer::new() };
    let tensor = producer.import(t, Form::Versioned)?;
    producer.compare(t, "the Tensor", &tensor_of(t, &tensor)?)?;
    drop(tensor);
    t.eq("calls of the deleter", returned(0), 1)
}

/// A tensor marked as read-only or copied is imported.
#[check(TEN_0028)]
fn read_only_and_copied(t: &Trial) -> Verdict {
    for flags in [DLPACK_FLAG_BITMASK_READ_ONLY, DLPACK_FLAG_BITMASK_IS_COPIED] {
        let mut producer = Producer { flags, ..Producer::new() };
        let tensor = producer.import(t, Form::Versioned)?;
        producer.compare(t, "the Tensor", &tensor_of(t, &tensor)?)?;
    }
    Ok(())
}

/// The data of a tensor need not be readable.
#[check(TEN_0029)]
fn data_is_not_touched(t: &Trial) -> Verdict {
    let devices = [kDLCPU, kDLCUDA, kDLCUDAHost, kDLOpenCL, kDLMetal, kDLROCM, kDLExtDev, kDLCUDAManaged, kDLHexagon];
    for form in FORMS {
        for (device_type, strides) in devices.into_iter().flat_map(|device| [(device, true), (device, false)]) {
            let strides = strides.then(|| row_major(&Producer::contiguous().shape));
            let device = DLDevice { device_type, device_id: 3 };
            // An address that no process has: not even canonical.
            let data = std::ptr::without_provenance_mut(0x7ead_0000_0000_0000);
            let mut producer = Producer { device, data, strides, byte_offset: 0, ..Producer::contiguous() };
            let tensor = producer.import_with(t, form, 16, true)?;
            t.eq("device of the Tensor", tensor_of(t, &tensor)?.device, device)?;
            let export = Export::of(t, form, &tensor)?;
            drop(tensor);
            t.eq("data of the export", export.reread(t)?.data, data)?;
            t.eq("device of the export", export.reread(t)?.device, device)?;
            export.give_back(t);
        }
    }
    Ok(())
}

/// 32 dimensions are carried over.
#[check(TEN_0030)]
fn many_dimensions(t: &Trial) -> Verdict {
    for form in FORMS {
        let shape: Vec<i64> = (0..32).map(|dimension| 1 + dimension % 3 * (dimension % 2)).collect();
        for strides in [None, Some((0..32).map(|dimension| 0x101 * dimension).collect())] {
            let mut producer = Producer { shape: shape.clone(), strides, ..Producer::new() };
            let tensor = producer.import(t, form)?;
            let expected = producer.expected();
            compare(t, "the Tensor", &tensor_of(t, &tensor)?, &expected)?;
            let export = Export::of(t, form, &tensor)?;
            compare(t, "the export", &export.tensor, &expected)?;
            export.give_back(t);
        }
    }
    Ok(())
}

/// Any tensor is the same after import, export and import.
#[check(TEN_0002, TEN_0003, TEN_0020, TEN_0021)]
fn any_tensor_round_trips(t: &Trial) -> Verdict {
    let dimensions = vec((0_i64..1 << 20, any::<i64>()), 0..8);
    let dtype = (any::<u8>(), any::<u8>(), any::<u16>());
    let place = (1_i32..18, any::<i32>(), any::<u64>());
    let forms = (any::<bool>(), any::<bool>());
    t.property((dimensions, dtype, place, forms), |(dimensions, dtype, place, forms)| {
        let (shape, strides): (Vec<i64>, Vec<i64>) = dimensions.iter().copied().unzip();
        let mut producer = Producer {
            shape,
            strides: Some(strides),
            dtype: DLDataType { code: dtype.0, bits: dtype.1, lanes: dtype.2 },
            device: DLDevice { device_type: place.0, device_id: place.1 },
            byte_offset: place.2,
            ..Producer::new()
        };
        let (one, other) = (Form::from(forms.0), Form::from(forms.1));
        t.clause(if forms.0 { id::TEN_0003 } else { id::TEN_0002 });
        let tensor = producer.import(t, one)?;
        producer.compare(t, "the Tensor", &tensor_of(t, &tensor)?)?;
        t.clause(if forms.1 { id::TEN_0021 } else { id::TEN_0020 });
        let export = Export::of(t, other, &tensor)?;
        producer.compare(t, "the export", &export.tensor)?;
        let mut again = std::ptr::null_mut();
        t.clause(if forms.1 { id::TEN_0003 } else { id::TEN_0002 });
        t.ok(export.import(t, &mut again))?;
        let again = t.own_object("the Tensor made of the export", again)?;
        producer.compare(t, "the Tensor made of the export", &tensor_of(t, &again)?)
    })
}

/// A view has the fields of the prototype and leaves its source alone.
#[check(TEN_0031)]
fn view_has_prototype_fields(t: &Trial) -> Verdict {
    for form in FORMS {
        let mut producer = Producer::new();
        let source = producer.import(t, form)?;
        let mut prototype = Producer {
            data: producer.data.wrapping_byte_add(0x20),
            device: DLDevice { device_type: kDLCUDAHost, device_id: 0x51 },
            dtype: DLDataType { code: kDLUInt, bits: 0x10, lanes: 0x0605 },
            shape: vec![0x71, 0x72],
            strides: Some(vec![0x8182, 0x83]),
            byte_offset: 0x9192,
            ..Producer::new()
        };
        let view = view_of(t, &source, &mut prototype)?;
        t.eq("type_index of the view", t.header(view.handle())?.type_index, kTVMFFITensor)?;
        t.ne("handle of the view", view.handle(), source.handle())?;
        prototype.compare(t, "the view", &tensor_of(t, &view)?)?;
        producer.compare(t, "the source", &tensor_of(t, &source)?)?;
        drop(source);
        prototype.compare(t, "the view without its source's handle", &tensor_of(t, &view)?)?;
    }
    Ok(())
}

/// A view does not need its prototype any more.
#[check(TEN_0032)]
fn view_copies_shape_and_strides(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Plain)?;
    let mut prototype = Producer { shape: vec![3, 5], strides: Some(vec![0x55, 0x66]), ..Producer::contiguous() };
    let view = view_of(t, &source, &mut prototype)?;
    let expected = prototype.expected();
    prototype.shape.fill(-1);
    prototype.strides.iter_mut().for_each(|strides| strides.fill(-1));
    compare(t, "the view after the prototype was overwritten", &tensor_of(t, &view)?, &expected)
}

/// A view keeps its source alive and gives it up once.
#[check(TEN_0033)]
fn view_keeps_source(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::contiguous();
        let source = producer.import(t, form)?;
        let one = view_of(t, &source, &mut Producer::contiguous())?;
        let other = view_of(t, &source, &mut Producer::contiguous())?;
        drop(one);
        t.eq("calls of the producer's deleter after the first view ended", returned(0), round)?;
        drop(source);
        t.eq("calls of the producer's deleter while a view is left", returned(0), round)?;
        drop(other);
        t.eq("calls of the producer's deleter after the last view ended", returned(0), round + 1)?;
    }
    Ok(())
}

/// A view of a view, and its export, keep the first source alive.
#[check(TEN_0033, TEN_0022)]
fn view_of_view(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Versioned)?;
    let mut prototypes =
        [3, 2, 1].map(|extent| Producer { shape: vec![extent], strides: Some(vec![1]), ..Producer::contiguous() });
    let mut newest = source;
    for prototype in &mut prototypes {
        let view = view_of(t, &newest, prototype)?;
        newest = view;
        t.eq("calls of the producer's deleter while a view of a view is left", returned(0), 0)?;
    }
    t.clause(id::TEN_0022);
    let export = Export::of(t, Form::Versioned, &newest)?;
    drop(newest);
    t.eq("calls of the producer's deleter while an export of a view is left", returned(0), 0)?;
    prototypes[2].compare(t, "the export of the view", &export.reread(t)?)?;
    export.give_back(t);
    t.eq("calls of the producer's deleter at last", returned(0), 1)
}

/// A Tensor argument reaches the function as the same object, borrowed.
#[check(TEN_0034)]
fn as_argument(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Plain)?;
    let function = t.function(std::ptr::null_mut(), look, None)?;
    t.call(&function, &[tensor.any()])?;
    t.eq("type index that the function saw", SEEN_INDEX.load(Ordering::SeqCst), kTVMFFITensor)?;
    t.eq("object that the function saw", SEEN_PAYLOAD.load(Ordering::SeqCst), tensor.any().payload())?;
    t.eq("strong and weak count after the call", t.counts(tensor.handle())?, (1, 1))?;
    t.eq("calls of the producer's deleter after the call", returned(0), 0)
}

/// A DLTensor pointer reaches the function as the same address.
#[check(TEN_0035)]
fn pointer_as_argument(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    producer.fill();
    let function = t.function(std::ptr::null_mut(), look, None)?;
    let tensor = producer.plain.dl_tensor;
    t.call(&function, &[view::dl_tensor(&tensor)])?;
    t.eq("type index that the function saw", SEEN_INDEX.load(Ordering::SeqCst), kTVMFFIDLTensorPtr)?;
    t.eq("address that the function saw", SEEN_PAYLOAD.load(Ordering::SeqCst), (&raw const tensor) as u64)
}

/// A function may return a Tensor, which its caller ends.
#[check(TEN_0036)]
fn as_result(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Plain)?;
    let payload = tensor.into_any().payload();
    let function = t.function(payload as *mut c_void, hand_over, None)?;
    let result = t.call(&function, &[])?;
    t.any_eq("result", &result.any(), &TVMFFIAny::new(kTVMFFITensor, payload))?;
    t.eq("strong and weak count of the result", t.counts(result.handle())?, (1, 1))?;
    producer.compare(t, "the result", &tensor_of(t, &result)?)?;
    t.eq("calls of the producer's deleter while the result is owned", returned(0), 0)?;
    drop(result);
    t.eq("calls of the producer's deleter after the result was released", returned(0), 1)
}

/// Tensors that are released leave nothing behind.
#[check(TEN_0037, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    for form in FORMS {
        t.no_growth("memory for tensors that are imported, exported and released", || {
            let mut producer = Producer { strides: None, ..Producer::new() };
            let tensor = producer.import(t, form)?;
            Export::of(t, form, &tensor)?.give_back(t);
            Ok(())
        })?;
    }
    Ok(())
}

/// Tensors that are refused leave nothing behind.
#[check(TEN_0037, patient = 2)]
fn refused_no_growth(t: &Trial) -> Verdict {
    t.no_growth("memory for tensors that are refused", || {
        Producer { strides: Some(vec![1, 1, 1]), ..Producer::new() }.refuse(t, Form::Plain, 0, true)
    })
}

/// Views that are released leave nothing behind.
#[check(TEN_0041, patient = 2)]
fn view_no_growth(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Plain)?;
    t.no_growth("memory for views", || view_of(t, &source, &mut Producer::contiguous()).map(drop))
}

/// Threads retain, export and release one tensor at once, and it ends once.
#[check(TEN_0038, patient = 2)]
fn threads(t: &Trial) -> Verdict {
    const ROUNDS: usize = 500;
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Plain)?;
    let handle = Shared(tensor.into_any().payload());
    // Each thread has a reference of its own from the start; the check gives up its own before they are done.
    const THREADS: usize = 4;
    for _ in 0..THREADS {
        t.ok(t.api.TVMFFIObjectIncRef(handle.get()))?;
    }
    t.threads(THREADS, |t, number| {
        let table = t.api.table();
        let (Some(inc), Some(dec), Some(export)) =
            (table.TVMFFIObjectIncRef, table.TVMFFIObjectDecRef, table.TVMFFITensorToDLPack)
        else {
            return Err(t.failure("functions", "TVMFFIObjectIncRef, TVMFFIObjectDecRef, TVMFFITensorToDLPack", "none"));
        };
        t.api.note("TVMFFIObjectIncRef, TVMFFITensorToDLPack, TVMFFIObjectDecRef and deleters in a loop");
        for _ in 0..ROUNDS {
            let mut managed = std::ptr::null_mut();
            // SAFETY: this thread owns a reference, so the tensor lives; the export is given back once.
            let code = unsafe {
                inc(handle.get());
                let code = export(handle.get(), &mut managed);
                dec(handle.get());
                if code == 0
                    && let Some(deleter) = memory::read(managed).and_then(|managed| managed.deleter)
                {
                    deleter(managed);
                }
                code
            };
            t.eq("return value of TVMFFITensorToDLPack", code, 0)?;
        }
        if number == 0 {
            t.ok(t.api.TVMFFIObjectDecRef(handle.get()))?;
        }
        t.ok(t.api.TVMFFIObjectDecRef(handle.get()))
    })?;
    t.eq("calls of the producer's deleter", returned(0), 1)
}

/// After any sequence of imports, references, exports and releases each memory is given back once, and in time.
#[check(TEN_0017, TEN_0022)]
fn ownership_model(t: &Trial) -> Verdict {
    let step = (
        prop_oneof![
            1 => Just(Step::Import),
            1 => Just(Step::Retain),
            1 => Just(Step::Export),
            1 => Just(Step::ImportExport),
            2 => Just(Step::Release)
        ],
        any::<Index>(),
        any::<bool>(),
    );
    t.property(vec(step, 1..40), |steps| {
        let mut model = Model::new();
        for (step, index, versioned) in steps {
            model.take(t, *step, *index, Form::from(*versioned))?;
            model.compare(t)?;
        }
        model.end(t)
    })
}

/// An import of NULL fails with an error.
#[check(TEN_0039)]
fn import_of_null(t: &Trial) -> Verdict {
    let mut out = std::ptr::null_mut();
    t.raises(t.api.TVMFFITensorFromDLPack(std::ptr::null_mut(), 0, 0, &mut out), &[])?;
    t.raises(t.api.TVMFFITensorFromDLPackVersioned(std::ptr::null_mut(), 0, 0, &mut out), &[])?;
    Ok(())
}

/// The export of an object that is not a Tensor fails with an error.
#[check(TEN_0040)]
fn export_of_other_objects(t: &Trial) -> Verdict {
    let text = t.string(b"a string that is long enough for a tensor's fields to be read from it, were it one")?;
    let mut plain = std::ptr::null_mut();
    t.raises(t.api.TVMFFITensorToDLPack(text.handle(), &mut plain), &[])?;
    let mut versioned = std::ptr::null_mut();
    t.raises(t.api.TVMFFITensorToDLPackVersioned(text.handle(), &mut versioned), &[])?;
    Ok(())
}

/// The two structs in which DLPack hands tensors over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    Versioned,
}

const FORMS: [Form; 2] = [Form::Plain, Form::Versioned];

impl From<bool> for Form {
    fn from(versioned: bool) -> Self {
        FORMS[usize::from(versioned)]
    }
}

/// Memory at a known alignment.
#[repr(align(256))]
struct Aligned([u8; 512]);

static ALIGNED: Aligned = Aligned([0; 512]);

/// Whoever made a tensor, with the two managed tensors that it can hand over. It must outlive what is made of them.
struct Producer {
    number: usize,
    data: *mut c_void,
    device: DLDevice,
    dtype: DLDataType,
    shape: Vec<i64>,
    strides: Option<Vec<i64>>,
    byte_offset: u64,
    version: DLPackVersion,
    flags: u64,
    plain: DLManagedTensor,
    versioned: DLManagedTensorVersioned,
}

// SAFETY: nothing in it changes once its tensor is handed over; threads only read it.
unsafe impl Sync for Producer {}

impl Producer {
    /// One whose fields all differ, so that none is taken for another.
    fn new() -> Self {
        let dl_tensor = DLTensor {
            data: std::ptr::null_mut(),
            device: DLDevice::default(),
            ndim: 0,
            dtype: DLDataType::default(),
            shape: std::ptr::null_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        };
        let manager_ctx = std::ptr::null_mut();
        let version = DLPackVersion { major: 1, minor: 1 };
        Self {
            number: 0,
            data: ALIGNED.0.as_ptr().cast_mut().cast(),
            device: DLDevice { device_type: kDLCPU, device_id: 0x21 },
            dtype: DLDataType { code: kDLBfloat, bits: 0x10, lanes: 0x0403 },
            shape: vec![0x11, 0x12, 0x13],
            strides: Some(vec![0x3132, 0x334, 0x35]),
            byte_offset: 0x4142,
            version,
            flags: 0,
            plain: DLManagedTensor { dl_tensor, manager_ctx, deleter: None },
            versioned: DLManagedTensorVersioned { version, manager_ctx, deleter: None, flags: 0, dl_tensor },
        }
    }

    /// One of six floats that follow each other.
    fn contiguous() -> Self {
        Self {
            dtype: DLDataType { code: kDLFloat, bits: 32, lanes: 1 },
            shape: vec![2, 3],
            strides: Some(vec![3, 1]),
            byte_offset: 0,
            ..Self::new()
        }
    }

    /// Fills the managed tensors in.
    fn fill(&mut self) {
        let dl_tensor = DLTensor {
            data: self.data,
            device: self.device,
            ndim: self.shape.len() as i32,
            dtype: self.dtype,
            shape: self.shape.as_mut_ptr(),
            strides: self.strides.as_mut().map_or(std::ptr::null_mut(), |strides| strides.as_mut_ptr()),
            byte_offset: self.byte_offset,
        };
        let manager_ctx = std::ptr::without_provenance_mut(CONTEXT + self.number);
        self.plain = DLManagedTensor { dl_tensor, manager_ctx, deleter: Some(give_back) };
        self.versioned = DLManagedTensorVersioned {
            version: self.version,
            manager_ctx,
            deleter: Some(give_back_versioned),
            flags: self.flags,
            dl_tensor,
        };
    }

    /// Imports it without requirements, which is expected to succeed.
    fn import(&mut self, t: &Trial, form: Form) -> Verdict<Owned> {
        self.import_with(t, form, 0, false)
    }

    /// Imports it, which is expected to succeed.
    fn import_with(&mut self, t: &Trial, form: Form, alignment: i32, contiguous: bool) -> Verdict<Owned> {
        self.fill();
        self.import_filled(t, form, alignment, contiguous)
    }

    /// Imports the managed tensors as they are, which is expected to succeed.
    fn import_filled(&mut self, t: &Trial, form: Form, alignment: i32, contiguous: bool) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        t.ok(self.try_import(t, form, alignment, contiguous, &mut out))?;
        t.own_object("the new Tensor", out)
    }

    /// Imports it, which is expected to fail.
    fn refuse(&mut self, t: &Trial, form: Form, alignment: i32, contiguous: bool) -> Verdict {
        self.fill();
        let mut out = std::ptr::null_mut();
        t.raises(self.try_import(t, form, alignment, contiguous, &mut out), &[])?;
        Ok(())
    }

    fn try_import(
        &mut self,
        t: &Trial,
        form: Form,
        alignment: i32,
        contiguous: bool,
        out: &mut TVMFFIObjectHandle,
    ) -> c_int {
        let contiguous = contiguous.into();
        match form {
            Form::Plain => t.api.TVMFFITensorFromDLPack(&mut self.plain, alignment, contiguous, out),
            Form::Versioned => t.api.TVMFFITensorFromDLPackVersioned(&mut self.versioned, alignment, contiguous, out),
        }
    }

    /// The address of the managed tensor.
    fn address(&self, form: Form) -> usize {
        match form {
            Form::Plain => (&raw const self.plain).addr(),
            Form::Versioned => (&raw const self.versioned).addr(),
        }
    }

    /// What every Tensor made of it says of itself.
    fn expected(&self) -> Expected {
        Expected {
            data: self.data,
            device: self.device,
            dtype: self.dtype,
            shape: self.shape.clone(),
            strides: self.strides.clone().unwrap_or_else(|| row_major(&self.shape)),
            byte_offset: self.byte_offset,
        }
    }

    /// Expects a tensor to say what this producer said.
    fn compare(&self, t: &Trial, what: impl Display, seen: &DLTensor) -> Verdict {
        compare(t, what, seen, &self.expected())
    }
}

/// What a tensor ought to say of itself.
struct Expected {
    data: *mut c_void,
    device: DLDevice,
    dtype: DLDataType,
    shape: Vec<i64>,
    strides: Vec<i64>,
    byte_offset: u64,
}

fn compare(t: &Trial, what: impl Display, seen: &DLTensor, expected: &Expected) -> Verdict {
    let ndim = expected.shape.len();
    t.eq(format!("data of {what}"), seen.data, expected.data)?;
    t.eq(format!("device of {what}"), seen.device, expected.device)?;
    t.eq(format!("ndim of {what}"), seen.ndim, ndim as i32)?;
    t.eq(format!("dtype of {what}"), seen.dtype, expected.dtype)?;
    let shape = extents(t, format!("shape of {what}"), seen.shape, ndim)?;
    t.eq(format!("shape of {what}"), &shape, &expected.shape)?;
    let strides = extents(t, format!("strides of {what}"), seen.strides, ndim)?;
    t.eq(format!("strides of {what}"), &strides, &expected.strides)?;
    t.eq(format!("byte_offset of {what}"), seen.byte_offset, expected.byte_offset)
}

/// The `DLTensor` behind a Tensor's header.
fn tensor_of(t: &Trial, tensor: &Owned) -> Verdict<DLTensor> {
    t.cell("DLTensor behind the header", tensor.handle())
}

/// As many extents or strides as there are dimensions.
fn extents(t: &Trial, what: impl Display, address: *const i64, ndim: usize) -> Verdict<Vec<i64>> {
    (0..ndim).map(|dimension| t.read(&what, address.wrapping_add(dimension))).collect()
}

/// One more strong reference.
fn retained(t: &Trial, tensor: &Owned) -> Verdict<Owned> {
    t.ok(t.api.TVMFFIObjectIncRef(tensor.handle()))?;
    Ok(t.own(tensor.any()))
}

/// A view of `source` with the fields of `prototype`, expected to succeed.
fn view_of(t: &Trial, source: &Owned, prototype: &mut Producer) -> Verdict<Owned> {
    prototype.fill();
    let mut out = std::ptr::null_mut();
    t.ok(t.api.TVMFFITensorCreateUnsafeView(source.handle(), &prototype.plain.dl_tensor, &mut out))?;
    t.own_object("the view", out)
}

fn row_major(shape: &[i64]) -> Vec<i64> {
    (0..shape.len()).map(|dimension| shape[dimension + 1..].iter().product()).collect()
}

/// Whether the elements, in row-major order, lie at 0, 1, 2 and so on. Tries every one of them.
fn follow_each_other(shape: &[i64], strides: &[i64]) -> bool {
    let count: i64 = shape.iter().product();
    (0..count).all(|element| {
        let place =
            |(rest, sum): (i64, i64), (extent, stride): (&i64, &i64)| (rest / extent, sum + rest % extent * stride);
        shape.iter().zip(strides).rev().fold((element, 0), place).1 == element
    })
}

/// Something that keeps a tensor alive.
enum Held {
    Handle(Box<Owned>),
    Export(Export),
}

/// What may be done to the tensors of a [`Model`].
#[derive(Clone, Copy, Debug)]
enum Step {
    Import,
    Retain,
    Export,
    ImportExport,
    Release,
}

/// Producers, everything that keeps the tensor of each alive, and how often each deleter ran before.
struct Model {
    producers: Vec<Producer>,
    held: Vec<(usize, Held)>,
    before: [usize; PRODUCERS],
}

impl Model {
    fn new() -> Self {
        // Producers do not move once their tensors are handed over.
        let producers = Vec::with_capacity(PRODUCERS);
        Self { producers, held: Vec::new(), before: std::array::from_fn(returned) }
    }

    /// Takes a step, if it makes sense for what `index` chooses.
    fn take(&mut self, t: &Trial, step: Step, index: Index, form: Form) -> Verdict {
        if let Step::Import = step {
            return self.import(t, form);
        }
        if self.held.is_empty() {
            return Ok(());
        }
        let at = index.index(self.held.len());
        match (step, &self.held[at]) {
            (Step::Retain, (number, Held::Handle(tensor))) => {
                let new = retained(t, tensor)?;
                self.held.push((*number, Held::Handle(Box::new(new))));
            }
            (Step::Export, (number, Held::Handle(tensor))) => {
                let new = Export::of(t, form, tensor)?;
                self.held.push((*number, Held::Export(new)));
            }
            (Step::ImportExport, (_, Held::Export(_))) => {
                if let (number, Held::Export(export)) = self.held.swap_remove(at) {
                    let mut out = std::ptr::null_mut();
                    t.ok(export.import(t, &mut out))?;
                    let tensor = t.own_object("the Tensor made of an export", out)?;
                    self.held.push((number, Held::Handle(Box::new(tensor))));
                }
            }
            (Step::Release, _) => match self.held.swap_remove(at).1 {
                Held::Handle(tensor) => drop(tensor),
                Held::Export(export) => export.give_back(t),
            },
            _ => {}
        }
        Ok(())
    }

    /// Imports the tensor of one more producer.
    fn import(&mut self, t: &Trial, form: Form) -> Verdict {
        let number = self.producers.len();
        if number < PRODUCERS {
            self.producers.push(Producer { number, ..Producer::new() });
            let tensor = self.producers[number].import(t, form)?;
            self.held.push((number, Held::Handle(Box::new(tensor))));
        }
        Ok(())
    }

    /// Expects that the deleters of those ran, once, whose tensors nothing keeps alive.
    fn compare(&self, t: &Trial) -> Verdict {
        for producer in &self.producers {
            let number = producer.number;
            let held: Vec<&Held> = self.held.iter().filter(|(of, _)| *of == number).map(|(_, held)| held).collect();
            let exported = held.iter().any(|held| matches!(held, Held::Export(_)));
            t.clause(if exported { id::TEN_0022 } else { id::TEN_0017 });
            let what = format!("calls of deleter {number} with {} references and exports left", held.len());
            t.eq(what, returned(number) - self.before[number], usize::from(held.is_empty()))?;
        }
        Ok(())
    }

    /// Looks at what is left, and lets it go.
    fn end(mut self, t: &Trial) -> Verdict {
        while let Some((number, held)) = self.held.pop() {
            let producer = &self.producers[number];
            match held {
                Held::Handle(tensor) => producer.compare(t, "a Tensor that is left", &tensor_of(t, &tensor)?)?,
                Held::Export(export) => {
                    producer.compare(t, "an export that is left", &export.reread(t)?)?;
                    export.give_back(t);
                }
            }
            self.compare(t)?;
        }
        Ok(())
    }
}

/// A managed tensor that the target made.
struct Export {
    form: Form,
    managed: *mut c_void,
    tensor: DLTensor,
}

impl Export {
    /// Exports a Tensor, which is expected to succeed.
    fn of(t: &Trial, form: Form, tensor: &Owned) -> Verdict<Self> {
        let managed: *mut c_void = match form {
            Form::Plain => {
                let mut managed = std::ptr::null_mut();
                t.ok(t.api.TVMFFITensorToDLPack(tensor.handle(), &mut managed))?;
                managed.cast()
            }
            Form::Versioned => {
                let mut managed = std::ptr::null_mut();
                t.ok(t.api.TVMFFITensorToDLPackVersioned(tensor.handle(), &mut managed))?;
                managed.cast()
            }
        };
        let tensor = Self::read(t, form, managed)?;
        let has_deleter = match form {
            Form::Plain => t.read("the export", managed.cast::<DLManagedTensor>())?.deleter.is_some(),
            Form::Versioned => t.read("the export", managed.cast::<DLManagedTensorVersioned>())?.deleter.is_some(),
        };
        t.that("deleter of the export", has_deleter, "a function", "NULL")?;
        Ok(Self { form, managed, tensor })
    }

    fn read(t: &Trial, form: Form, managed: *mut c_void) -> Verdict<DLTensor> {
        Ok(match form {
            Form::Plain => t.read("the export", managed.cast::<DLManagedTensor>())?.dl_tensor,
            Form::Versioned => t.read("the export", managed.cast::<DLManagedTensorVersioned>())?.dl_tensor,
        })
    }

    /// What it says by now.
    fn reread(&self, t: &Trial) -> Verdict<DLTensor> {
        Self::read(t, self.form, self.managed)
    }

    /// The whole struct of a versioned export.
    fn versioned(&self, t: &Trial) -> Verdict<DLManagedTensorVersioned> {
        t.read("the export", self.managed.cast())
    }

    /// Imports it again; it belongs to the new Tensor if that succeeds.
    fn import(self, t: &Trial, out: &mut TVMFFIObjectHandle) -> c_int {
        match self.form {
            Form::Plain => t.api.TVMFFITensorFromDLPack(self.managed.cast(), 0, 0, out),
            Form::Versioned => t.api.TVMFFITensorFromDLPackVersioned(self.managed.cast(), 0, 0, out),
        }
    }

    /// Calls its deleter.
    fn give_back(self, t: &Trial) {
        match self.form {
            Form::Plain => {
                let managed: *mut DLManagedTensor = self.managed.cast();
                if let Some(deleter) = memory::read(managed).and_then(|managed| managed.deleter) {
                    // SAFETY: the target's own deleter, called once, with what it belongs to.
                    t.api.noted("deleter of an exported DLManagedTensor", || unsafe { deleter(managed) });
                }
            }
            Form::Versioned => {
                let managed: *mut DLManagedTensorVersioned = self.managed.cast();
                if let Some(deleter) = memory::read(managed).and_then(|managed| managed.deleter) {
                    // SAFETY: as above.
                    t.api.noted("deleter of an exported DLManagedTensorVersioned", || unsafe { deleter(managed) });
                }
            }
        }
    }
}

/// A handle that threads share.
struct Shared(u64);

impl Shared {
    fn get(&self) -> TVMFFIObjectHandle {
        self.0 as TVMFFIObjectHandle
    }
}

/// How many producers a check may have at once.
const PRODUCERS: usize = 8;
/// What the context of producer 0 looks like; that of producer n is n more.
const CONTEXT: usize = 0x7a00;

/// How often each producer's tensor was given back.
static RETURNED: [AtomicUsize; PRODUCERS] = [const { AtomicUsize::new(0) }; PRODUCERS];
/// How often a deleter was called with something that is no producer's.
static STRAY: AtomicUsize = AtomicUsize::new(0);
/// What a deleter was called with last.
static LAST: AtomicUsize = AtomicUsize::new(0);

fn returned(number: usize) -> usize {
    RETURNED[number].load(Ordering::SeqCst)
}

unsafe extern "C" fn give_back(managed: *mut DLManagedTensor) {
    count_return(managed.addr(), memory::read(managed).map(|managed| managed.manager_ctx));
}

unsafe extern "C" fn give_back_versioned(managed: *mut DLManagedTensorVersioned) {
    count_return(managed.addr(), memory::read(managed).map(|managed| managed.manager_ctx));
}

fn count_return(managed: usize, context: Option<*mut c_void>) {
    LAST.store(managed, Ordering::SeqCst);
    let number = context.and_then(|context| context.addr().checked_sub(CONTEXT));
    number.and_then(|number| RETURNED.get(number)).unwrap_or(&STRAY).fetch_add(1, Ordering::SeqCst);
}

static SEEN_INDEX: AtomicI32 = AtomicI32::new(-1);
static SEEN_PAYLOAD: AtomicU64 = AtomicU64::new(0);

/// A function that notes its first argument.
unsafe extern "C" fn look(_: *mut c_void, args: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    let seen = memory::read(args).unwrap_or(TVMFFIAny::NONE);
    SEEN_INDEX.store(seen.type_index, Ordering::SeqCst);
    SEEN_PAYLOAD.store(seen.payload(), Ordering::SeqCst);
    0
}

/// A function that returns the Tensor it was created with.
unsafe extern "C" fn hand_over(this: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(TVMFFIAny::new(kTVMFFITensor, this as u64)) };
    0
}
