//! Importing tensors: what a Tensor has of the managed tensor that it is made of.

use proptest::{collection::vec, prelude::any};
use tvm_ffi_spec::{clause::id, *};

use super::kit::{Export, FORMS, Form, Producer, compare, extents, follow_each_other, returned, row_major, tensor_of};
use crate::{checks::check, client::Verdict, trial::Trial};

/// A Tensor is an object of type index 70 with a DLTensor behind its header.
#[check(TEN_0001)]
fn layout(t: &Trial) -> Verdict {
    for form in FORMS {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        t.type_index_eq("type_index of the header", t.header(tensor.handle())?.type_index, kTVMFFITensor)?;
        t.eq("__padding of the header", t.header(tensor.handle())?.__padding, 0)?;
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
    let mut producer = Producer::new();
    let tensor = producer.import(t, form)?;
    producer.compare_tensor(t, "the Tensor", &tensor)
}

/// The data type of a tensor is kept by import and export, whatever its code, bits and lanes.
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

/// A tensor that is imported without strides gets row-major strides.
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

/// A tensor of random shape that is imported without strides gets strides that follow row-major order.
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

/// A tensor without dimensions is imported and exported, with or without pointers to a shape and strides.
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

/// A tensor of 32 dimensions is imported and exported with all its extents and strides.
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

/// A tensor of any device with data at an unreadable address is imported, exported and released.
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

/// A versioned tensor of a later minor version is imported and given back.
#[check(TEN_0027)]
fn later_minor_version(t: &Trial) -> Verdict {
    let mut producer = Producer { version: DLPackVersion { major: 1, minor: 77 }, ..Producer::new() };
    let tensor = producer.import(t, Form::Versioned)?;
    producer.compare_tensor(t, "the Tensor", &tensor)?;
    drop(tensor);
    t.eq("calls of the deleter", returned(0), 1)
}

/// A tensor that is marked as read-only or as a copy is imported with every field.
#[check(TEN_0028)]
fn read_only_and_copied(t: &Trial) -> Verdict {
    for flags in [DLPACK_FLAG_BITMASK_READ_ONLY, DLPACK_FLAG_BITMASK_IS_COPIED] {
        let mut producer = Producer { flags, ..Producer::new() };
        let tensor = producer.import(t, Form::Versioned)?;
        producer.compare_tensor(t, "the Tensor", &tensor)?;
    }
    Ok(())
}

/// A tensor with the flag for padded elements is refused and stays its producer's.
#[check(TEN_0026, TEN_0016)]
fn padded_elements_are_refused(t: &Trial) -> Verdict {
    let dtype = DLDataType { code: kDLFloat4_e2m1fn, bits: 4, lanes: 1 };
    let mut producer = Producer { dtype, flags: DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, ..Producer::contiguous() };
    producer.refuse(t, Form::Versioned, 0, false)?;
    t.clause(id::TEN_0016);
    t.eq("calls of the deleter after the import was refused", returned(0), 0)
}

/// An import of NULL fails with an error.
#[check(TEN_0039)]
fn import_of_null(t: &Trial) -> Verdict {
    let mut out = std::ptr::null_mut();
    t.raises(t.api.TVMFFITensorFromDLPack(std::ptr::null_mut(), 0, 0, &mut out), &[])?;
    t.raises(t.api.TVMFFITensorFromDLPackVersioned(std::ptr::null_mut(), 0, 0, &mut out), &[])?;
    Ok(())
}
