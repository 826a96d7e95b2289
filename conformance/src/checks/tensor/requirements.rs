//! Alignment and contiguity, which an import may require.

use proptest::{collection::vec, option, prelude::any};
use tvm_ffi_spec::{clause::id, *};

use super::kit::{FORMS, Form, Producer, follow_each_other, tensor_of, with_every_kind};
use crate::{
    checks::check,
    client::{
        Failure, Verdict,
        tensors::{HOSTS, host_plus, row_major},
    },
    trial::Trial,
};

/// A host tensor is refused exactly when its data does not begin at a multiple of the alignment asked for.
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

/// The alignment of a host tensor is that of its data plus its byte offset.
#[check(TEN_0009)]
fn alignment_counts_byte_offset(t: &Trial) -> Verdict {
    let far = 5 << 32;
    let cases = [
        (0, 8, 64, false),
        (8, 56, 64, true),
        (64, 64, 64, true),
        (0, 4, 8, false),
        (4, 4, 8, true),
        (0, far, 64, true),
        (0, far + 8, 64, false),
        (8, far + 56, 64, true),
    ];
    for form in FORMS {
        for (data, byte_offset, alignment, aligned) in cases {
            alignment_case(t, form, data, byte_offset, alignment, aligned)?;
        }
    }
    Ok(())
}

/// An alignment of zero asks for none: a tensor at any address is imported.
#[check(TEN_0010)]
fn alignment_zero(t: &Trial) -> Verdict {
    for form in FORMS {
        for (data, byte_offset) in [(1, 0), (0, 3), (7, 6)] {
            alignment_case(t, form, data, byte_offset, 0, true)?;
        }
    }
    Ok(())
}

fn alignment_case(t: &Trial, form: Form, data: usize, byte_offset: u64, alignment: i32, aligned: bool) -> Verdict {
    let data = host_plus(data);
    for device_type in HOSTS {
        let device = DLDevice { device_type, device_id: 0 };
        let mut producer = Producer { data, device, byte_offset, ..Producer::contiguous() };
        let what =
            format!("import of data at {data:p} plus {byte_offset} on {device:?} with an alignment of {alignment}");
        if aligned {
            let tensor = producer.import_with(t, form, alignment, false).map_err(|failure| failure.noting(what))?;
            t.eq("data", tensor_of(t, &tensor)?.data, data)?;
        } else {
            producer.refuse(t, form, alignment, false).map_err(|failure| failure.noting(what))?;
        }
    }
    Ok(())
}

/// The alignment of a tensor whose data is a handle, as on OpenCL, is judged by the byte offset alone.
#[check(TEN_0011)]
fn alignment_of_handles(t: &Trial) -> Verdict {
    for (form, device_type) in FORMS.into_iter().flat_map(|form| HANDLES.map(|device_type| (form, device_type))) {
        let with_handle = || Producer {
            device: DLDevice { device_type, device_id: 0 },
            data: std::ptr::without_provenance_mut(0x1001),
            ..Producer::contiguous()
        };
        let what = |failure: Box<Failure>| failure.noting(format!("on a device of type {device_type}"));
        let mut at_start = Producer { byte_offset: 128, ..with_handle() };
        at_start.import_with(t, form, 64, false).map_err(what)?;
        Producer { byte_offset: 8, ..with_handle() }.refuse(t, form, 64, false).map_err(what)?;
    }
    Ok(())
}

/// Devices whose data pointer is a handle.
const HANDLES: [i32; 4] = [kDLOpenCL, kDLVulkan, kDLMetal, kDLWebGPU];

/// A tensor that is transposed, broadcast, reversed or has gaps is refused when contiguity is required.
#[check(TEN_0012)]
fn contiguity_required(t: &Trial) -> Verdict {
    // Shape, strides, and whether the elements follow each other.
    type Case = (&'static [i64], Option<&'static [i64]>, bool);
    let cases: [Case; 15] = [
        (&[2, 3], Some(&[3, 1]), true),
        (&[2, 3], None, true),
        (&[6], Some(&[1]), true),
        (&[2, 3], Some(&[1, 2]), false),
        (&[2, 3], Some(&[4, 1]), false),
        (&[6], Some(&[2]), false),
        (&[2, 3], Some(&[0, 1]), false),
        (&[3], Some(&[-1]), false),
        (&[2, 3, 4], Some(&[12, 4, 2]), false),
        (&[2, 3 << 31], Some(&[3 << 31, 1]), true),
        (&[3 << 31, 2], None, true),
        (&[1 << 20, 1 << 20], Some(&[1 << 20, 1]), true),
        (&[2, 3 << 31], Some(&[1 << 31, 1]), false),
        (&[2, (1 << 32) + 3], Some(&[3, 1]), false),
        (&[(1 << 32) + 1, 3], Some(&[1, 1]), false),
    ];
    for form in FORMS {
        for (shape, strides, contiguous) in cases {
            contiguity_case(t, form, shape, strides, contiguous)?;
        }
    }
    Ok(())
}

/// A tensor of any kind is refused exactly when it does not keep what is required of it.
#[check(TEN_0008, TEN_0012)]
fn requirements_of_every_kind(t: &Trial) -> Verdict {
    for form in FORMS {
        with_every_kind(|producer| {
            // What is required of a tensor without elements is for other clauses to say.
            if producer.shape.contains(&0) {
                return Ok(());
            }
            t.clause(id::TEN_0012);
            if is_contiguous(&producer.shape, producer.strides.as_deref()) {
                let tensor = producer.import_with(t, form, 0, true)?;
                producer.compare_tensor(t, "the Tensor", &tensor)?;
            } else {
                producer.refuse(t, form, 0, true)?;
            }
            t.clause(id::TEN_0008);
            // As is what an alignment means for an extension or a handle.
            if !HOSTS.contains(&producer.device.device_type) {
                return Ok(());
            }
            for alignment in [1, 2, 4, 8, 64, 256] {
                match (producer.data as u64).wrapping_add(producer.byte_offset) % alignment {
                    0 => drop(producer.import_with(t, form, alignment as i32, false)?),
                    _ => producer.refuse(t, form, alignment as i32, false)?,
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Whether the elements follow each other in row-major order: the rule of the dimensions, which asks no element.
fn is_contiguous(shape: &[i64], strides: Option<&[i64]>) -> bool {
    let Some(strides) = strides else { return true };
    let mut expected = 1;
    shape.iter().zip(strides).rev().all(|(&extent, &stride)| {
        let fits = extent == 1 || stride == expected;
        expected *= extent;
        fits
    })
}

/// Any number but 0 for require_contiguous requires it.
#[check(TEN_0012)]
fn contiguity_required_by_any_number(t: &Trial) -> Verdict {
    for require_contiguous in [1, 2, -1, 256, i32::MIN] {
        let mut producer = Producer { shape: vec![2, 3], strides: Some(vec![1, 2]), ..Producer::contiguous() };
        producer.fill();
        let mut out = std::ptr::null_mut();
        let plain = t.api.TVMFFITensorFromDLPack(&mut producer.plain, 0, require_contiguous, &mut out);
        t.raises(plain, &[])?;
        let versioned = t.api.TVMFFITensorFromDLPackVersioned(&mut producer.versioned, 0, require_contiguous, &mut out);
        t.raises(versioned, &[])?;
    }
    Ok(())
}

/// A tensor with random strides is contiguous exactly when its elements follow each other in row-major order.
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

/// A tensor with an extent of zero is contiguous whatever its strides are.
#[check(TEN_0015)]
fn contiguity_of_empty(t: &Trial) -> Verdict {
    let cases: [(&[i64], &[i64]); 6] = [
        (&[0], &[5]),
        (&[3, 0], &[7, 7]),
        (&[0, 3], &[1, 1]),
        (&[2, 0, 3], &[3, 3, 1]),
        (&[1 << 40, 1 << 40, 0], &[0, 0, 0]),
        (&[0, 1 << 40, 1 << 40], &[-1, 1, 7]),
    ];
    for form in FORMS {
        for (shape, strides) in cases {
            contiguity_case(t, form, shape, Some(strides), true)?;
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

/// A tensor that is transposed, broadcast, reversed or has gaps is imported when contiguity is not required.
#[check(TEN_0013)]
fn contiguity_not_required(t: &Trial) -> Verdict {
    let cases: [(&[i64], &[i64]); 5] =
        [(&[2, 3], &[1, 2]), (&[2, 3], &[100, 7]), (&[4, 5], &[0, 1]), (&[5], &[-1]), (&[2, 2, 2], &[1, 4, 2])];
    for form in FORMS {
        for (shape, strides) in cases {
            let mut producer = Producer { shape: shape.to_vec(), strides: Some(strides.to_vec()), ..Producer::new() };
            let tensor = producer.import_with(t, form, 0, false)?;
            producer.compare_tensor(t, "the Tensor", &tensor)?;
        }
    }
    Ok(())
}
