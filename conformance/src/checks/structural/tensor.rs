//! Tensors: when they are equal and how they hash, by shape, data type and what lies where they say that it lies.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        tensor::{FLOAT32, INT32},
        view,
    },
    trial::Trial,
};

/// Tensors are structurally equal if they have the same shape, data type and content.
#[check(SEQ_0034)]
fn equal_tensors(t: &Trial) -> Verdict {
    let one = t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?;
    tensors_equal(t, &one, &one, false, true)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?, false, true)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 5])?, false, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?, false, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[4, 1], [1, 2, 3, 4])?, false, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(FLOAT32, &[2, 2], [1, 2, 3, 4])?, false, false)
}

/// The structural hash of a Tensor depends on shape, data type and, unless it is skipped, content.
#[check(SEQ_0034, SEQ_0035)]
fn tensor_hash(t: &Trial) -> Verdict {
    let hash = |dtype, shape: &[i64], content, skip| -> Verdict<u64> {
        let tensor = t.tensor_of_four(dtype, shape, content)?;
        let args = [tensor.any(), view::bool(false), view::bool(skip)];
        Ok(t.call_global("ffi.StructuralHash", &args)?.any().payload())
    };
    let of_one = hash(INT32, &[2, 2], [1, 2, 3, 4], false)?;
    t.eq("the hash of an equal tensor", hash(INT32, &[2, 2], [1, 2, 3, 4], false)?, of_one)?;
    t.ne("the hash of a tensor with other content", hash(INT32, &[2, 2], [1, 2, 3, 5], false)?, of_one)?;
    t.ne("the hash of a tensor of another shape", hash(INT32, &[4], [1, 2, 3, 4], false)?, of_one)?;
    t.ne("the hash of a tensor of another data type", hash(FLOAT32, &[2, 2], [1, 2, 3, 4], false)?, of_one)?;
    let without = hash(INT32, &[2, 2], [1, 2, 3, 4], true)?;
    t.clause(id::SEQ_0035);
    t.eq("the hash without content", hash(INT32, &[2, 2], [5, 6, 7, 8], true)?, without)
}

/// With `skip_tensor_content`, Tensors of one shape and data type are structurally equal whatever they contain.
#[check(SEQ_0035)]
fn tensors_without_content(t: &Trial) -> Verdict {
    let one = t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[2, 2], [5, 6, 7, 8])?, true, true)?;
    tensors_equal(t, &one, &t.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?, true, false)?;
    tensors_equal(t, &one, &t.tensor_of_four(FLOAT32, &[2, 2], [1, 2, 3, 4])?, true, false)
}

fn tensors_equal(t: &Trial, lhs: &Owned, rhs: &Owned, skip_content: bool, expected: bool) -> Verdict {
    let args = [lhs.any(), rhs.any(), view::bool(false), view::bool(skip_content)];
    let answer = t.call_global("ffi.StructuralEqual", &args)?;
    t.any_eq("whether the tensors are structurally equal", &answer.any(), &view::bool(expected))
}

/// The content of a Tensor begins at `byte_offset` behind `data`, for structural equality and for the hash.
#[check(SEQ_0034)]
fn content_at_offset(t: &Trial) -> Verdict {
    let content = [9, 1, 2, 3, 4, 5];
    let (first, second) = (part(&content, 4), part(&content, 8));
    let plain = part(&[1, 2, 3, 4], 0);
    let equal =
        |lhs: &Homemade<DLTensor>, rhs: &Homemade<DLTensor>| t.structural_equal(&lhs.view(), &rhs.view(), false);
    let hash = |tensor: &Homemade<DLTensor>| t.structural_hash(&tensor.view(), false);
    t.eq("whether equal parts of unlike memory are equal", equal(&first, &plain)?, true)?;
    t.eq("whether they are, the other way round", equal(&plain, &first)?, true)?;
    t.eq("whether unlike parts of one memory are equal", equal(&first, &second)?, false)?;
    t.eq("the hash of an equal part", hash(&first)?, hash(&plain)?)?;
    t.ne("the hash of an unlike part", hash(&second)?, hash(&first)?)
}

/// As many bytes of a Tensor count as its extents, bits and lanes tell, and none behind them is read.
#[check(SEQ_0041)]
fn bytes_that_count(t: &Trial) -> Verdict {
    let dtype = |code, bits, lanes| DLDataType { code, bits, lanes };
    let cases = [
        (dtype(kDLInt, 4, 1), 4, 2),
        (dtype(kDLUInt, 1, 1), 24, 3),
        (dtype(kDLInt, 8, 1), 3, 3),
        (dtype(kDLFloat, 32, 4), 2, 32),
        (dtype(kDLInt, 4, 2), 3, 3),
    ];
    for (dtype, extent, bytes) in cases {
        let content = vec![0x5A; bytes];
        let mut other = content.clone();
        other[bytes - 1] ^= 0x10;
        // Nothing can be read behind the content.
        let guarded = [t.guarded(&content)?, t.guarded(&content)?, t.guarded(&other)?];
        let tensors = guarded.each_ref().map(|memory| over(memory.array(), dtype, extent));
        let equal = |other: &Homemade<DLTensor>| t.structural_equal(&tensors[0].view(), &other.view(), false);
        t.eq(format!("whether tensors of {extent} {dtype:?} with one content are equal"), equal(&tensors[1])?, true)?;
        t.eq(format!("whether tensors of {extent} {dtype:?} that differ are"), equal(&tensors[2])?, false)?;
        let hash = |tensor: &Homemade<DLTensor>| t.structural_hash(&tensor.view(), false);
        t.eq(format!("the hash of tensors of {extent} {dtype:?}"), hash(&tensors[1])?, hash(&tensors[0])?)?;
    }
    Ok(())
}

/// A tensor of one dimension over that memory.
fn over(memory: TVMFFIByteArray, dtype: DLDataType, extent: i64) -> Homemade<DLTensor> {
    let tensor = DLTensor {
        data: memory.data.cast_mut().cast(),
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 1,
        dtype,
        shape: vec![extent].leak().as_mut_ptr(),
        strides: vec![1].leak().as_mut_ptr(),
        byte_offset: 0,
    };
    Homemade::new(kTVMFFITensor, tensor)
}

/// A tensor of four integers that begin so many bytes behind the first of these; it is kept for the life of the process.
fn part(content: &[i32], byte_offset: u64) -> Homemade<DLTensor> {
    let tensor = DLTensor {
        data: content.to_vec().leak().as_mut_ptr().cast(),
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 1,
        dtype: INT32,
        shape: vec![4].leak().as_mut_ptr(),
        strides: vec![1].leak().as_mut_ptr(),
        byte_offset,
    };
    Homemade::new(kTVMFFITensor, tensor)
}
