//! Tensors of elements that are narrower than a byte, which fill the last byte or do not.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use tvm_ffi_spec::{clause::id, *};

use super::asked::Asked;
use crate::{
    checks::check,
    client::{Verdict, homemade::Homemade, samples::Place, tensors::without_gaps, view},
    trial::Trial,
};

/// Elements narrower than a byte, alone and in lanes.
const DTYPES: [(u8, u8, u16); 11] = [
    (kDLUInt, 1, 1),
    (kDLInt, 2, 1),
    (kDLInt, 4, 1),
    (kDLUInt, 4, 1),
    (kDLFloat4_e2m1fn, 4, 1),
    (kDLFloat6_e2m3fn, 6, 1),
    (kDLUInt, 1, 3),
    (kDLUInt, 2, 3),
    (kDLInt, 4, 3),
    (kDLFloat4_e2m1fn, 4, 2),
    (kDLFloat6_e3m2fn, 6, 3),
];

const SHAPES: [&[i64]; 12] = [&[], &[1], &[2], &[3], &[4], &[5], &[7], &[9], &[3, 3], &[1, 5, 1], &[2, 2, 3], &[17]];

/// A Tensor of elements narrower than a byte differs from one that has another last byte, or another first, though the elements do not fill the last
/// one: by whichever function that is asked, and wherever the Tensors stand.
#[check(SEQ_0041, SEQ_0043, SEQ_0034, SEQ_0035, SEQ_0028, patient = 2)]
fn bytes_that_are_filled_in_part(t: &Trial) -> Verdict {
    let places: Vec<_> =
        Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)).collect();
    let asked = Asked::new(t)?;
    let [structural_equal, make_key, keys_equal] =
        t.globals(["ffi.StructuralEqual", "ffi.StructuralKey", "ffi.StructuralKeyEqual"])?;
    let all = DTYPES.iter().flat_map(|dtype| SHAPES.map(|shape| (*dtype, shape)));
    for (number, ((code, bits, lanes), shape)) in all.enumerate() {
        let dtype = DLDataType { code, bits, lanes };
        let elements = shape.iter().product::<i64>() as usize;
        let bytes = (elements * usize::from(bits) * usize::from(lanes)).div_ceil(8);
        let tensor = |changed: Option<usize>| {
            let mut content: Vec<u8> = (0..bytes).map(|at| 0x21 + at as u8).collect();
            // Whichever bits of it belong to an element, they are others.
            changed.into_iter().for_each(|at| content[at] ^= 0xFF);
            // What lies behind it is never the same.
            content.extend([BEHIND.fetch_add(1, Relaxed); 64]);
            over(content, dtype, shape)
        };
        // By itself, or at one of the other places.
        let is_alone = (number + number / SHAPES.len()).is_multiple_of(2);
        let place = if is_alone { places[0] } else { places[number / 2 % places.len()] };
        let put = |tensor: &Homemade<DLTensor>| place.put(t, &tensor.view());
        let (one, twin) = (put(&tensor(None))?, put(&tensor(None))?);
        let key = t.call(&make_key, &[one.any()])?;
        let what = format!("tensors of {dtype:?} and the shape {shape:?}, {place:?}");
        let hash = asked.hash(t, &one, false)?;
        for (which, other) in [
            ("the same content", twin),
            ("another last byte", put(&tensor(Some(bytes - 1)))?),
            ("another first byte", put(&tensor(Some(0)))?),
        ] {
            let is_same = which == "the same content";
            let with = format!("{what}, of which the second has {which}");
            t.clause(id::SEQ_0041);
            t.eq(format_args!("whether {with}, are equal"), asked.are_equal(t, &one, &other, false)?, is_same)?;
            t.eq(
                format_args!("whether {with}, are equal the other way round"),
                asked.are_equal(t, &other, &one, false)?,
                is_same,
            )?;
            if is_same {
                t.eq(format_args!("the hash of {with}"), asked.hash(t, &other, false)?, hash)?;
            }
            t.clause(id::SEQ_0043);
            for (left, right) in [(&one, &other), (&other, &one)] {
                let is_none = asked.have_no_mismatch(t, left, right, false)?;
                t.eq(format_args!("whether {with}, have no mismatch"), is_none, is_same)?;
            }
            t.clause(id::SEQ_0035);
            let args = [one.any(), other.any(), view::bool(false), view::bool(true)];
            let equal = t.call(&structural_equal, &args)?;
            t.any_eq(format_args!("whether {with}, are equal without it"), &equal.any(), &view::bool(true))?;
            t.clause(id::SEQ_0028);
            let other = t.call(&make_key, &[other.any()])?;
            let answer = t.call(&keys_equal, &[key.any(), other.any()])?;
            t.any_eq(format_args!("whether keys of {with}, are equal"), &answer.any(), &view::bool(is_same))?;
        }
    }
    Ok(())
}

/// What lies behind the content of the next tensor.
static BEHIND: AtomicU8 = AtomicU8::new(0);

/// A tensor over that memory, which is kept for the life of the process.
fn over(content: Vec<u8>, dtype: DLDataType, shape: &[i64]) -> Homemade<DLTensor> {
    Homemade::new(kTVMFFITensor, without_gaps(content.leak().as_mut_ptr().cast(), dtype, shape))
}
