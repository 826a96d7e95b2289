//! What an allocator makes that is not what it was asked for.

use tvm_ffi_spec::{clause::id, *};

use super::{
    allocation::{prototype, tensor_of, words},
    kit::{DATA, Described, OWN, as_described, deleted, describe_next, set_allocator},
};
use crate::{
    checks::check,
    client::{
        Verdict,
        tensors::{row_major, scalar},
    },
    trial::Trial,
};

/// Strides for extents, or none.
type Strides = fn(&[i64]) -> Option<Vec<i64>>;

/// Where an allocator makes other extents, another number of them, another data type, device, strides or byte offset than it was asked for, the Tensor
/// has what it made, with strides of the extents that it made where it gives none, or TVMFFIEnvTensorAlloc fails with an error and gives that back.
#[check(ENV_0017, ENV_0018, ENV_0025)]
fn tensor_is_what_was_made_and_not_what_was_asked_for(t: &Trial) -> Verdict {
    set_allocator(t, Some(as_described), OWN)?;
    let asked: [&[i64]; 5] = [&[4, 5], &[2, 3, 4], &[], &[7], &[1, 2, 3, 4, 5, 6]];
    let extents: [&[i64]; 9] =
        [&[4, 8], &[8, 5], &[4, 5], &[5, 4], &[3], &[2, 3, 4], &[], &[1, 7], &[2, 1, 2, 3, 1, 2, 2, 3, 2]];
    let strides: [Strides; 4] = [
        |_| None,
        |extents| Some(row_major(extents)),
        // With a gap behind each element, and the other way round.
        |extents| Some(row_major(extents).into_iter().map(|stride| stride * 2).collect()),
        |extents| Some((0..extents.len()).map(|place| extents[..place].iter().product()).collect()),
    ];
    let dtypes = [scalar(kDLFloat, 32), scalar(kDLFloat, 64), DLDataType { code: kDLInt, bits: 8, lanes: 4 }];
    let devices = [(kDLCPU, 0), (kDLCUDA, 3), (kDLCPU, 1)];
    let all = asked.into_iter().flat_map(|asked| extents.map(|extents| (asked, extents)));
    let all = all.flat_map(|(asked, extents)| strides.map(|strides| (asked, extents, strides(extents))));
    for (number, (asked, extents, strides)) in all.enumerate() {
        let (device_type, device_id) = devices[number % 5 % 3];
        // Until DLPack 1.2 strides may be left out.
        let minor = if strides.is_some() { [0, 1, 2, 3][number % 4] } else { [0, 1][number % 2] };
        let described = Described {
            minor,
            device: DLDevice { device_type, device_id },
            dtype: dtypes[number % 7 % 3],
            extents: extents.to_vec(),
            strides,
            byte_offset: [0, 8, 16][number % 3],
        };
        is_as_described(t, asked, &described)
            .map_err(|failure| failure.noting(format!("asked for {asked:?}, the allocator makes: {described:?}")))?;
    }
    Ok(())
}

/// Expects what the allocator makes, or an error.
fn is_as_described(t: &Trial, asked: &[i64], described: &Described) -> Verdict {
    describe_next(described);
    let (mut asked, mut out, before) = (asked.to_vec(), std::ptr::null_mut(), deleted());
    t.clause(id::ENV_0017);
    match t.api.TVMFFIEnvTensorAlloc(&mut prototype(&mut asked), &mut out) {
        0 => {
            let tensor = t.own_object("the tensor", out)?;
            let cell = tensor_of(t, &tensor)?;
            t.eq("extents", words(t, "extents", cell.shape, cell.ndim)?, described.extents.clone())?;
            t.eq("data", cell.data as usize, DATA.as_ptr() as usize)?;
            t.eq("device", cell.device, described.device)?;
            t.eq("dtype", cell.dtype, described.dtype)?;
            t.eq("byte_offset", cell.byte_offset, described.byte_offset)?;
            let strides = words(t, "strides", cell.strides, cell.ndim)?;
            match &described.strides {
                Some(expected) => t.eq("strides", strides, expected.clone())?,
                None => {
                    t.clause(id::ENV_0018);
                    t.eq("strides that were left out", strides, row_major(&described.extents))?;
                }
            }
        }
        code => t.raises(code, &[]).map(drop)?,
    }
    t.clause(id::ENV_0025);
    t.eq("times that the deleter of what was made ran", deleted() - before, 1)
}
