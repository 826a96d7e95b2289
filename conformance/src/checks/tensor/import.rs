//! Importing tensors: what a Tensor has of the managed tensor that it is made of.

use std::{mem::offset_of, sync::atomic::Ordering};

use proptest::{collection::vec, prelude::any};
use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    Export, FORMS, Form, Producer, STRAY, compare, extents, follow_each_other, returned, tensor_of, with_every_kind,
};
use crate::{
    checks::check,
    client::{
        Verdict,
        tensors::{ACCELERATORS, marked, nowhere, of_every_dtype, row_major, scalar},
        written,
    },
    trial::Trial,
};

/// The fields of the DLTensor behind a Tensor's header lie where DLPack has them.
#[check(TEN_0001, lays = DLTensor)]
fn cell(t: &Trial) -> Verdict {
    let mut seen = Vec::new();
    let mut producers = FORMS.map(|form| (form, Producer::new()));
    for (form, producer) in &mut producers {
        let tensor = producer.import(t, *form)?;
        let tensor: DLTensor = t.cell("DLTensor behind the header", tensor.handle())?;
        seen.push((tensor.data, tensor.device, tensor.ndim, tensor.dtype, tensor.byte_offset));
    }
    let (_, Producer { data, device, dtype, shape, byte_offset, .. }) = &producers[0];
    let given = (*data, *device, shape.len() as i32, *dtype, *byte_offset);
    t.looks_at::<DLTensor>();
    // A tensor of one form or the other may have another value; where both have, the value lies elsewhere.
    let lie_there = seen.contains(&given);
    t.that("data, device, ndim, dtype and byte_offset", lie_there, written(&given), written(&seen))
}

/// A Tensor is an object of type index 70 with a DLTensor behind its header.
#[check(TEN_0001)]
fn layout(t: &Trial) -> Verdict {
    for form in FORMS {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        t.type_index_eq("type_index of the header", t.header(tensor.handle())?.type_index, kTVMFFITensor)?;
        let seen: DLTensor = t.cell("DLTensor behind the header", tensor.handle())?;
        t.eq("data", seen.data, producer.data)?;
        t.eq("device", seen.device, producer.device)?;
        t.eq("ndim", seen.ndim, producer.shape.len() as i32)?;
        t.eq("dtype", seen.dtype, producer.dtype)?;
    }
    Ok(())
}

/// A Tensor made by TVMFFITensorFromDLPack has every field of the DLTensor that was imported.
#[check(TEN_0002)]
fn import_keeps_fields(t: &Trial) -> Verdict {
    import_of_form_keeps_fields(t, Form::Plain)
}

/// A Tensor made by TVMFFITensorFromDLPackVersioned has every field of the DLTensor that was imported.
#[check(TEN_0003)]
fn versioned_import_keeps_fields(t: &Trial) -> Verdict {
    import_of_form_keeps_fields(t, Form::Versioned)
}

fn import_of_form_keeps_fields(t: &Trial, form: Form) -> Verdict {
    let mut distinct = Producer::new();
    let tensor = distinct.import(t, form)?;
    distinct.compare_tensor(t, "the Tensor", &tensor)?;
    with_every_kind(|producer| {
        let tensor = producer.import(t, form)?;
        producer.compare_tensor(t, "the Tensor", &tensor)
    })
}

/// The data type of a tensor is kept by import and export, whichever of DLPack's it is.
#[check(TEN_0004)]
fn dtype_is_kept(t: &Trial) -> Verdict {
    for form in FORMS {
        for described in of_every_dtype() {
            let dtype = described.dtype;
            let mut producer = Producer::of(described);
            let tensor = producer.import(t, form)?;
            t.eq("dtype of the Tensor", tensor_of(t, &tensor)?.dtype, dtype)?;
            let export = Export::of(t, form, &tensor)?;
            t.eq("dtype of the export", export.tensor.dtype, dtype)?;
            export.give_back(t);
        }
    }
    Ok(())
}

/// A tensor that is imported without strides gets row-major strides.
#[check(TEN_0005)]
fn missing_strides_are_row_major(t: &Trial) -> Verdict {
    let cases: [(&[i64], &[i64]); 7] = [
        (&[2, 1 << 33, 3], &[3 << 33, 3, 1]),
        (&[2, 1 << 20, 1 << 20], &[1 << 40, 1 << 20, 1]),
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
            t.eq(format_args!("strides of the Tensor of shape {shape:?}"), strides.as_slice(), expected)?;
            let shape = extents(t, "shape of the Tensor", seen.shape, shape.len())?;
            t.eq("shape of the Tensor", shape, producer.shape.clone())?;
        }
    }
    Ok(())
}

/// A tensor of random shape that is imported without strides gets strides that follow row-major order.
#[check(TEN_0005)]
fn missing_strides_of_any_shape(t: &Trial) -> Verdict {
    t.property((vec(1_i64..6, 1..5), any::<bool>()), |(shape, versioned)| {
        let mut producer = Producer { shape: shape.clone(), strides: None, ..Producer::new() };
        let tensor = producer.import(t, Form::from(*versioned))?;
        let seen = tensor_of(t, &tensor)?;
        let strides = extents(t, "strides of the Tensor", seen.strides, shape.len())?;
        t.that(
            format_args!("strides of the Tensor of shape {shape:?}"),
            follow_each_other(shape, &strides),
            "those of row-major order",
            written(&strides),
        )
    })
}

/// A tensor without dimensions is imported and exported, with or without pointers to a shape and strides.
#[check(TEN_0006)]
fn no_dimensions(t: &Trial) -> Verdict {
    for form in FORMS {
        for strides in [None, Some(Vec::new())] {
            for with_shape in [false, true] {
                let mut producer = Producer { shape: Vec::new(), strides: strides.clone(), ..Producer::new() };
                producer.fill();
                if with_shape {
                    let mut behind_nothing = 0;
                    producer.plain.dl_tensor.shape = &mut behind_nothing;
                    producer.versioned.dl_tensor.shape = &mut behind_nothing;
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

/// A tensor with an extent of zero and no data is imported when alignment and contiguity are required.
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

/// A tensor of any number of dimensions up to 64 is imported and exported with all its extents and strides.
#[check(TEN_0030)]
fn many_dimensions(t: &Trial) -> Verdict {
    for (form, count) in (1..=64).flat_map(|count| FORMS.map(|form| (form, count))) {
        let shape: Vec<i64> = (0..count).map(|dimension| 1 + dimension % 3 * (dimension % 2)).collect();
        for strides in [None, Some((0..count).map(|dimension| 0x101 * dimension).collect())] {
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

/// A tensor of any device with memory of its own is imported, exported and released, though the host cannot read it.
#[check(TEN_0029)]
fn data_is_not_touched(t: &Trial) -> Verdict {
    for form in FORMS {
        for (device_type, strides) in ACCELERATORS.into_iter().flat_map(|device| [(device, true), (device, false)]) {
            let strides = strides.then(|| row_major(&Producer::contiguous().shape));
            let device = DLDevice { device_type, device_id: 3 };
            let data = nowhere();
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

/// A versioned tensor of a later minor version is imported and given back.
#[check(TEN_0027)]
fn later_minor_version(t: &Trial) -> Verdict {
    minor_versions(t, &[4, 77, u32::MAX])
}

/// A versioned tensor of an earlier minor version is imported and given back.
#[check(TEN_0027)]
fn earlier_minor_version(t: &Trial) -> Verdict {
    minor_versions(t, &[0, 1, 2, 3])
}

fn minor_versions(t: &Trial, minors: &[u32]) -> Verdict {
    for (round, &minor) in minors.iter().enumerate() {
        let mut producer = Producer { version: DLPackVersion { major: 1, minor }, ..Producer::new() };
        let tensor = producer.import(t, Form::Versioned)?;
        producer.compare_tensor(t, "the Tensor", &tensor)?;
        drop(tensor);
        t.eq("calls of the deleter", returned(0), round + 1)?;
    }
    Ok(())
}

/// A tensor of a major version other than 1 is refused, and nothing behind its flags is read.
#[check(TEN_0043, TEN_0016)]
fn other_major_version(t: &Trial) -> Verdict {
    for major in [2, 0, 3, u32::MAX] {
        let mut producer = Producer { version: DLPackVersion { major, minor: 0 }, ..Producer::contiguous() };
        producer.fill();
        // Only what all versions share can be read: version, context, deleter and flags.
        let start = (&raw const producer.versioned).cast();
        let shared = t.read_bytes("a managed tensor", start, offset_of!(DLManagedTensorVersioned, dl_tensor))?;
        let managed = t.guarded(&shared)?;
        let mut out = std::ptr::null_mut();
        let managed = managed.array().data.cast_mut().cast();
        t.clause(id::TEN_0043);
        t.raises(t.api.TVMFFITensorFromDLPackVersioned(managed, 0, 0, &mut out), &[])?;
        // DLPack has the consumer call the deleter: that is the caller, as after any other refusal.
        t.clause(id::TEN_0016);
        t.eq("calls of the deleter after the import was refused", STRAY.load(Ordering::SeqCst), 0)?;
    }
    Ok(())
}

/// A tensor that is marked as read-only or as a copy is imported with every field.
#[check(TEN_0028)]
fn read_only_and_copied(t: &Trial) -> Verdict {
    for described in marked() {
        let mut producer = Producer::of(described);
        let tensor = producer.import(t, Form::Versioned)?;
        producer.compare_tensor(t, "the Tensor", &tensor)?;
    }
    Ok(())
}

/// A tensor of padded elements is refused and stays its producer's, or it is exported as padded.
#[check(TEN_0026, TEN_0016)]
fn padded_elements_are_refused(t: &Trial) -> Verdict {
    for (code, bits) in [(kDLFloat4_e2m1fn, 4), (kDLFloat6_e2m3fn, 6), (kDLInt, 4), (kDLUInt, 1)] {
        t.clause(id::TEN_0026);
        let flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
        let mut producer = Producer { dtype: scalar(code, bits), flags, ..Producer::contiguous() };
        producer.fill();
        let mut out = std::ptr::null_mut();
        match producer.try_import(t, Form::Versioned, 0, false, &mut out) {
            0 => {
                let tensor = t.own_object("the new Tensor", out)?;
                let export = Export::of(t, Form::Versioned, &tensor)?;
                let kept = export.versioned(t)?.flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
                t.eq("the flag for padded elements in the export", kept, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)?;
                export.give_back(t);
                return Ok(());
            }
            code => t.raises(code, &[])?,
        };
        t.clause(id::TEN_0016);
        t.eq("calls of the deleter after the import was refused", returned(0), 0)?;
    }
    Ok(())
}

/// A tensor of six-bit or four-bit floats is refused when its data type names another number of bits.
#[check(TEN_0044)]
fn odd_bits_are_refused(t: &Trial) -> Verdict {
    for form in FORMS {
        for (code, bits) in [(kDLFloat4_e2m1fn, 8), (kDLFloat4_e2m1fn, 6), (kDLFloat6_e2m3fn, 8), (kDLFloat6_e3m2fn, 4)]
        {
            let mut producer = Producer { dtype: scalar(code, bits), ..Producer::contiguous() };
            producer
                .refuse(t, form, 0, false)
                .map_err(|failure| failure.noting(format!("the data type has code {code} and {bits} bits")))?;
        }
    }
    Ok(())
}

/// An import of NULL fails with an error.
#[check(TEN_0039)]
fn import_of_null(t: &Trial) -> Verdict {
    let mut out = std::ptr::null_mut();
    t.raises(t.api.TVMFFITensorFromDLPack(std::ptr::null_mut(), 0, 0, &mut out), &[])?;
    t.raises(t.api.TVMFFITensorFromDLPackVersioned(std::ptr::null_mut(), 0, 0, &mut out), &[])?;
    Ok(())
}
