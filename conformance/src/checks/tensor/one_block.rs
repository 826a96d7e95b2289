//! Tensors that a client makes in one block of memory, one after the other.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{Export, FORMS, Form};
use crate::{
    checks::check,
    client::{
        Verdict, homemade::remember_end, one_block::OneBlock, one_memory::pairs, tensor::FLOAT32, tensors::without_gaps,
    },
    trial::Trial,
};

/// A Tensor that a client makes where another of its Tensors lay, which has ended, is exported with the fields that it has then.
#[check(TEN_0020, TEN_0021)]
fn exports_of_one_block(t: &Trial) -> Verdict {
    // Two of one shape, one of other extents, one of fewer dimensions, and one of another data type and device.
    let dtype = |code, bits| DLDataType { code, bits, lanes: 1 };
    let all: [DLTensor; 5] = [
        described(0x1000, FLOAT32, &[2, 3], kDLCPU),
        described(0x2000, FLOAT32, &[2, 3], kDLCPU),
        described(0x1000, FLOAT32, &[3, 2], kDLCPU),
        described(0x1000, FLOAT32, &[6], kDLCPU),
        described(0x1000, dtype(kDLInt, 8), &[2, 3], kDLCUDA),
    ];
    let block = OneBlock::new();
    for form in FORMS {
        t.clause(match form {
            Form::Plain => id::TEN_0020,
            Form::Versioned => id::TEN_0021,
        });
        for (turn, at) in pairs(all.len()).flatten().enumerate() {
            let (expected, deleter) = (all[at], (turn % 2 == 0).then_some(remember_end as TVMFFIObjectDeleter));
            let tensor = t.own(block.put(kTVMFFITensor, expected, deleter));
            let export = Export::of(t, form, &tensor)?;
            let (found, what) = (export.tensor, format!("an export, {form:?}, of tensor {at} where another lay"));
            if expected.ndim == found.ndim {
                let numbers = |array: *const i64| (0..found.ndim as usize).map(move |at| array.wrapping_add(at));
                for (name, found, expected) in
                    [("shape", found.shape, expected.shape), ("strides", found.strides, expected.strides)]
                {
                    for (found, expected) in numbers(found).zip(numbers(expected)) {
                        let found = t.read(name, found)?;
                        t.eq(format_args!("{name} of {what}"), found, t.read(name, expected)?)?;
                    }
                }
            }
            let fields = |it: &DLTensor| (it.data, it.device.device_type, it.ndim, it.dtype, it.byte_offset);
            t.eq(
                format_args!("data, device, dimensions, data type and offset of {what}"),
                fields(&found),
                fields(&expected),
            )?;
            export.give_back(t);
            t.eq("counts of a Tensor whose export was given back", block.counts(), (1, 1))?;
        }
    }
    Ok(())
}

/// What describes a tensor at that address.
fn described(data: usize, dtype: DLDataType, shape: &[i64], device_type: i32) -> DLTensor {
    let device = DLDevice { device_type, device_id: 0 };
    DLTensor { device, ..without_gaps(std::ptr::without_provenance_mut(data), dtype, shape) }
}
