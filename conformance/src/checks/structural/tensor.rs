//! Tensors: when they are equal and how they hash, by shape, data type and what lies where they say that it lies.

use tvm_ffi_spec::{clause::id, *};

use super::asked::Asked;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        node::{node, node_type},
        samples::Place,
        tensor::{FLOAT32, INT32},
        tensors::{DTYPES, row_major, without_gaps},
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

/// With `skip_tensor_content`, each part of a data type counts: its code, its bits and its lanes.
#[check(SEQ_0035)]
fn data_type_without_content(t: &Trial) -> Verdict {
    let of = |code, bits, lanes| t.tensor_of_four(DLDataType { code, bits, lanes }, &[2, 2], [1, 2, 3, 4]);
    let all = [of(kDLInt, 16, 1)?, of(kDLUInt, 16, 1)?, of(kDLInt, 8, 1)?, of(kDLInt, 16, 2)?];
    for (at, one) in all.iter().enumerate() {
        for (place, other) in all.iter().enumerate() {
            tensors_equal(t, one, other, true, at == place)?;
        }
    }
    Ok(())
}

/// With `skip_tensor_content`, the content of a Tensor counts for nobody wherever it stands, but shape and data type do.
#[check(SEQ_0035, patient = 2)]
fn content_skipped_everywhere(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.structural.Holder", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let places: Vec<_> =
        Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)).collect();
    let tensors = [
        t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?,
        t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 5])?,
        t.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?,
        t.tensor_of_four(FLOAT32, &[2, 2], [1, 2, 3, 4])?,
    ];
    for (outer, inner) in places.iter().flat_map(|outer| places.iter().map(move |inner| (outer, inner))) {
        for (in_field, others, map_free) in [(false, 0, false), (true, 0, false), (false, 9, true), (true, 9, true)] {
            let within = |tensor: &Owned| -> Verdict<Owned> {
                let node = node(kind, view::int(1), tensor.any());
                let held = inner.put_before(t, &if in_field { node.view() } else { tensor.any() }, others)?;
                outer.put_before(t, &held.any(), others)
            };
            let [one, other, shaped, typed] = tensors.each_ref().map(within);
            let (one, what) = (one?, format!("tensors {inner:?}, {outer:?}, in a field: {in_field}, before {others}"));
            let ask = |name: &str, value: &[TVMFFIAny]| {
                let flags = [view::bool(map_free), view::bool(true)];
                t.call_global(&format!("ffi.{name}"), &[value, &flags].concat())
            };
            let hash = |value: &Owned| -> Verdict<u64> { Ok(ask("StructuralHash", &[value.any()])?.any().payload()) };
            for (value, differs, expected) in
                [(other?, "content", true), (shaped?, "shape", false), (typed?, "data type", false)]
            {
                let what = format_args!("{what} that differ in their {differs}");
                let equal = ask("StructuralEqual", &[one.any(), value.any()])?;
                t.any_eq(format_args!("whether {what} are equal"), &equal.any(), &view::bool(expected))?;
                let mismatch = ask("GetFirstStructuralMismatch", &[one.any(), value.any()])?;
                let is_none = mismatch.any().type_index == kTVMFFINone;
                t.eq(format_args!("whether {what} have no mismatch"), is_none, expected)?;
                t.eq(format_args!("whether {what} have one hash"), hash(&one)? == hash(&value)?, expected)?;
            }
        }
    }
    Ok(())
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
    t.eq("whether unlike parts of like memory are equal", equal(&first, &second)?, false)?;
    let memory = [1, 2, 3, 4, 1, 2, 3, 4, 5].to_vec().leak();
    let [first_of_it, second_of_it, alike] = [0, 4, 16].map(|byte_offset| part_of(memory, byte_offset));
    t.eq("whether unlike parts of one memory are equal", equal(&first_of_it, &second_of_it)?, false)?;
    t.eq("whether equal parts of one memory are equal", equal(&first_of_it, &alike)?, true)?;
    t.eq("the hash of an equal part", hash(&first)?, hash(&plain)?)?;
    t.ne("the hash of an unlike part", hash(&second)?, hash(&first)?)
}

/// The content of a Tensor begins at `byte_offset` wherever the Tensor stands and whoever asks.
#[check(SEQ_0034)]
fn content_at_offset_everywhere(t: &Trial) -> Verdict {
    let places = Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey));
    for (place, others) in places.flat_map(|place| [(place, 0), (place, 9)]) {
        // What lies in front of the content is another thing at each offset, and none of it counts.
        let tensor = |content: [i32; 4], before: i32| {
            let memory: Vec<_> = (0..before).map(|at| 1000 * before + at).chain(content).collect();
            place.put_before(t, &part(&memory, 4 * before as u64).view(), others)
        };
        for (first, second) in [(8, 8), (4, 12), (0, 4), (16, 0)] {
            let one = tensor([1, 2, 3, 4], first)?;
            for (content, expected) in [([1, 2, 3, 4], true), ([0, 2, 3, 4], false), ([1, 2, 3, 5], false)] {
                let other = tensor(content, second)?;
                let what =
                    format_args!("tensors {first} and {second} elements behind their data, {place:?} before {others}");
                let equal = t.structural_equal(&one.any(), &other.any(), false)?;
                t.eq(format_args!("whether {what} are equal"), equal, expected)?;
                let is_none = t.has_no_mismatch(&one.any(), &other.any())?;
                t.eq(format_args!("whether {what} have no mismatch"), is_none, expected)?;
                let hash = |value: &Owned| t.structural_hash(&value.any(), false);
                t.eq(format_args!("whether {what} have one hash"), hash(&one)? == hash(&other)?, expected)?;
                let key = |value: &Owned| t.call_global("ffi.StructuralKey", &[value.any()]);
                let equal = t.call_global("ffi.StructuralKeyEqual", &[key(&one)?.any(), key(&other)?.any()])?;
                t.any_eq(format_args!("whether keys of {what} are equal"), &equal.any(), &view::bool(expected))?;
            }
        }
    }
    Ok(())
}

/// The content of a Tensor begins at `byte_offset` whatever its data type is, be its elements parts of a byte or many bytes, and be it one of no
/// dimension.
#[check(SEQ_0034)]
fn content_at_offset_of_every_type(t: &Trial) -> Verdict {
    let lanes = |lanes| move |&(code, bits): &(u8, u8)| DLDataType { code, bits, lanes };
    let narrow = [(kDLInt, 1), (kDLUInt, 2), (kDLInt, 4), (kDLFloat4_e2m1fn, 4), (kDLFloat6_e2m3fn, 6)];
    let plain = DTYPES.iter().filter(|(code, bits)| *code != kDLOpaqueHandle && bits % 8 == 0);
    let dtypes = narrow.iter().chain(plain).map(lanes(1)).chain(narrow.iter().chain(&DTYPES[..4]).map(lanes(3)));
    let ways: [(Place, &[i64]); 3] = [(Place::Alone, &[8]), (Place::InList, &[8]), (Place::Alone, &[])];
    for (dtype, (place, shape)) in dtypes.flat_map(|dtype| ways.map(|way| (dtype, way))) {
        let elements = shape.iter().product::<i64>() as usize;
        let bytes = (elements * usize::from(dtype.bits) * usize::from(dtype.lanes)).div_ceil(8);
        // What lies in front of the content is as long, and another thing each time; of booleans, too, all are 0 or 1.
        let tensor = |offset: usize, before: u8, changed: Option<usize>| {
            let content = (0..bytes).map(|at| (at as u8 & 1) ^ u8::from(changed == Some(at)));
            let memory: Vec<u8> = std::iter::repeat_n(before, offset).chain(content).collect();
            let described = without_gaps(memory.leak().as_mut_ptr().cast(), dtype, shape);
            let tensor = DLTensor { byte_offset: offset as u64, ..described };
            place.put(t, &Homemade::new(kTVMFFITensor, tensor).view())
        };
        for offset in [bytes, 2 * bytes, 256] {
            let one = tensor(offset, 0, None)?;
            for (other, expected) in [
                (tensor(offset, 1, None)?, true),
                (tensor(0, 1, None)?, true),
                (tensor(offset, 0, Some(0))?, false),
                (tensor(offset, 0, Some(bytes - 1))?, false),
            ] {
                let what = format_args!("tensors {shape:?} of {dtype:?}, {offset} bytes behind their data, {place:?}");
                let equal = t.structural_equal(&one.any(), &other.any(), false)?;
                t.eq(format_args!("whether {what} are equal"), equal, expected)?;
                if expected {
                    let hash = t.structural_hash(&one.any(), false)?;
                    t.eq(format_args!("the hash of {what}"), t.structural_hash(&other.any(), false)?, hash)?;
                }
            }
        }
    }
    Ok(())
}

/// Strides that lead nowhere, those of dimensions with one element, count neither for structural equality nor for the hash.
#[check(SEQ_0034, SEQ_0007, SEQ_0010, patient = 2)]
fn strides_that_lead_nowhere(t: &Trial) -> Verdict {
    let shapes: [&[i64]; 6] = [&[1], &[1, 4], &[4, 1], &[2, 1, 3], &[1, 2, 1, 2, 1], &[1; 5]];
    let places = Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey));
    for (place, shape) in places.flat_map(|place| shapes.map(|shape| (place, shape))) {
        let elements = shape.iter().product::<i64>() as usize;
        let tensor = |odd: Option<i64>| {
            let content: &[u8] = (0..4 * elements).map(|at| at as u8).collect::<Vec<_>>().leak();
            let strides = row_major(shape).into_iter().zip(shape);
            let strides: Vec<_> =
                strides.map(|(stride, &extent)| odd.filter(|_| extent == 1).unwrap_or(stride)).collect();
            let described = without_gaps(content.as_ptr().cast_mut().cast(), INT32, shape);
            let tensor = DLTensor { strides: strides.leak().as_mut_ptr(), ..described };
            place.put(t, &Homemade::new(kTVMFFITensor, tensor).view())
        };
        let plain = tensor(None)?;
        for odd in [0, 1, 7, -1, 1 << 40] {
            let other = tensor(Some(odd))?;
            let what =
                format_args!("tensors of the shape {shape:?}, one with strides of {odd} that lead nowhere, {place:?}");
            t.clause(id::SEQ_0034);
            t.eq(
                format_args!("whether {what} are equal"),
                t.structural_equal(&plain.any(), &other.any(), false)?,
                true,
            )?;
            t.clause(id::SEQ_0007);
            let hash = t.structural_hash(&other.any(), false)?;
            t.eq(format_args!("the hash of {what}"), hash, t.structural_hash(&plain.any(), false)?)?;
            t.clause(id::SEQ_0010);
            t.eq(
                format_args!("whether {what} have no mismatch"),
                t.has_no_mismatch(&plain.any(), &other.any())?,
                true,
            )?;
        }
    }
    Ok(())
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
        // The last byte is used in part.
        (dtype(kDLInt, 4, 1), 3, 2),
        (dtype(kDLUInt, 1, 1), 10, 2),
        (dtype(kDLUInt, 1, 1), 1, 1),
    ];
    for (dtype, extent, bytes) in cases {
        let content = vec![0x5A; bytes];
        let mut other = content.clone();
        other[bytes - 1] ^= 0xFF;
        // Nothing can be read behind the content.
        let guarded = [t.guarded(&content)?, t.guarded(&content)?, t.guarded(&other)?];
        let tensors = guarded.each_ref().map(|memory| over(memory.array(), dtype, extent));
        let equal = |other: &Homemade<DLTensor>| t.structural_equal(&tensors[0].view(), &other.view(), false);
        t.eq(
            format_args!("whether tensors of {extent} {dtype:?} with one content are equal"),
            equal(&tensors[1])?,
            true,
        )?;
        t.eq(format_args!("whether tensors of {extent} {dtype:?} that differ are"), equal(&tensors[2])?, false)?;
        let hash = |tensor: &Homemade<DLTensor>| t.structural_hash(&tensor.view(), false);
        t.eq(format_args!("the hash of tensors of {extent} {dtype:?}"), hash(&tensors[1])?, hash(&tensors[0])?)?;
    }
    Ok(())
}

/// The content of a Tensor counts whatever its dimensions and its data type are, wherever it stands and whoever asks.
#[check(SEQ_0034, SEQ_0010, SEQ_0028, patient = 2)]
fn content_of_every_shape(t: &Trial) -> Verdict {
    let shapes: [&[i64]; 9] = [&[], &[1], &[5], &[2, 3], &[1, 4], &[4, 1], &[2, 1, 3], &[1; 8], &[7, 2, 5]];
    let dtypes = [(kDLInt, 8), (kDLUInt, 16), (kDLFloat, 32), (kDLFloat, 64), (kDLBool, 8), (kDLComplex, 128)];
    let (asked, [make_key, keys_equal]) = (Asked::new(t)?, t.globals(["ffi.StructuralKey", "ffi.StructuralKeyEqual"])?);
    let places = Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey));
    for (column, (place, (code, bits))) in places.flat_map(|place| dtypes.map(|dtype| (place, dtype))).enumerate() {
        // Every other shape, and the others at the next place and of the next type, so that all come with each of all else.
        let first = (column + column / dtypes.len()) % 2;
        for shape in shapes.into_iter().skip(first).step_by(2) {
            let dtype = DLDataType { code, bits, lanes: 1 };
            let bytes = usize::from(bits / 8) * shape.iter().product::<i64>() as usize;
            let tensor = |changed: Option<usize>| {
                // Zeros and ones, which are booleans too.
                let content =
                    (0..bytes).map(|at| (at as u8 & 1) ^ u8::from(changed == Some(at))).collect::<Vec<_>>().leak();
                place.put(t, &shaped(TVMFFIByteArray::new(content), dtype, shape).view())
            };
            let (one, equal) = (tensor(None)?, tensor(None)?);
            let key = t.call(&make_key, &[one.any()])?;
            let what = format_args!("tensors of {dtype:?} and the shape {shape:?}, {place:?}");
            for (other, expected) in [(equal, true), (tensor(Some(0))?, false), (tensor(Some(bytes - 1))?, false)] {
                t.clause(id::SEQ_0034);
                t.eq(format_args!("whether {what} are equal"), asked.are_equal(t, &one, &other, false)?, expected)?;
                if expected {
                    let hashes = (asked.hash(t, &one, false)?, asked.hash(t, &other, false)?);
                    t.eq(format_args!("the hash of {what}"), hashes.1, hashes.0)?;
                }
                t.clause(id::SEQ_0010);
                let is_none = asked.have_no_mismatch(t, &one, &other, false)?;
                t.eq(format_args!("whether {what} have no mismatch"), is_none, expected)?;
                t.clause(id::SEQ_0028);
                let other = t.call(&make_key, &[other.any()])?;
                let answer = t.call(&keys_equal, &[key.any(), other.any()])?;
                t.any_eq(format_args!("whether keys of {what} are equal"), &answer.any(), &view::bool(expected))?;
            }
        }
    }
    Ok(())
}

/// A Tensor with elements that are no number equals itself and one of the same content, wherever it stands and whoever asks.
#[check(SEQ_0037, SEQ_0034, SEQ_0010, SEQ_0028, patient = 2)]
fn elements_that_are_no_number(t: &Trial) -> Verdict {
    let places: Vec<_> =
        Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)).collect();
    let (asked, [make_key, keys_equal]) = (Asked::new(t)?, t.globals(["ffi.StructuralKey", "ffi.StructuralKeyEqual"])?);
    for (column, (dtype, element)) in no_numbers().into_iter().enumerate() {
        // One element among others that are zero, and nothing else.
        let mixed = [vec![0; element.len()], element.clone(), vec![0; element.len()]].concat();
        let all = [element, mixed];
        let all = all.iter().flat_map(|content| places.iter().map(move |place| (content, place)));
        // Every other place, and the others with the other content, so that each element comes with each place.
        for (_, (content, place)) in all.enumerate().filter(|(at, _)| (at + column) % 2 == 0) {
            let bytes = content.clone().leak();
            let extent = (bytes.len() * 8 / (usize::from(dtype.bits) * usize::from(dtype.lanes))) as i64;
            let tensor = |memory: &[u8]| over(TVMFFIByteArray::new(memory), dtype, extent);
            let (one, twin) = (tensor(bytes), tensor(bytes.to_vec().leak()));
            let [one, again, twin] = [&one, &one, &twin].map(|tensor| place.put(t, &tensor.view()));
            let (one, again, twin) = (one?, again?, twin?);
            let (hash, key) = (asked.hash(t, &one, false)?, t.call(&make_key, &[one.any()])?);
            for (clause, other) in [(id::SEQ_0037, &one), (id::SEQ_0037, &again), (id::SEQ_0034, &twin)] {
                let what = format_args!("tensors of {dtype:?} with the bytes {content:02x?}, {place:?}");
                t.clause(clause);
                t.eq(format_args!("whether {what} are equal"), asked.are_equal(t, &one, other, false)?, true)?;
                t.clause(id::SEQ_0034);
                t.eq(format_args!("the hash of {what}"), asked.hash(t, other, false)?, hash)?;
                t.clause(id::SEQ_0010);
                let is_none = asked.have_no_mismatch(t, &one, other, false)?;
                t.eq(format_args!("whether {what} have no mismatch"), is_none, true)?;
                t.clause(id::SEQ_0028);
                let same = t.call(&make_key, &[other.any()])?;
                let answer = t.call(&keys_equal, &[key.any(), same.any()])?;
                t.any_eq(format_args!("whether keys of {what} are equal"), &answer.any(), &view::bool(true))?;
            }
        }
    }
    Ok(())
}

/// Data types with the bytes of an element that is no number, or that is easily taken for another.
fn no_numbers() -> Vec<(DLDataType, Vec<u8>)> {
    let dtype = |code, bits, lanes| DLDataType { code, bits, lanes };
    let mut all: Vec<_> = DTYPES
        .iter()
        .filter(|(code, bits)| !matches!(*code, kDLInt | kDLUInt | kDLOpaqueHandle | kDLBool) && bits % 8 == 0)
        .map(|&(code, bits)| (dtype(code, bits, 1), vec![0xFF; usize::from(bits / 8)]))
        .collect();
    for bits in [0x7FC0_0000_u32, 0xFFC0_0000, 0x7F80_0001, 0x7FFF_FFFF, 0x8000_0000, 1] {
        all.push((FLOAT32, bits.to_ne_bytes().to_vec()));
        all.push((dtype(kDLFloat, 32, 2), [bits, 0].map(u32::to_ne_bytes).concat()));
        all.push((dtype(kDLComplex, 64, 1), [0, bits].map(u32::to_ne_bytes).concat()));
        all.push((dtype(kDLFloat, 64, 1), (u64::from(bits) << 32).to_ne_bytes().to_vec()));
        all.push((dtype(kDLBfloat, 16, 1), ((bits >> 16) as u16 | 1).to_ne_bytes().to_vec()));
    }
    for half in [0x7E00_u16, 0xFE00, 0x7C01, 0x8000] {
        all.push((dtype(kDLFloat, 16, 1), half.to_ne_bytes().to_vec()));
    }
    all
}

/// A tensor of one dimension over that memory.
fn over(memory: TVMFFIByteArray, dtype: DLDataType, extent: i64) -> Homemade<DLTensor> {
    shaped(memory, dtype, &[extent])
}

/// A tensor without gaps over that memory.
fn shaped(memory: TVMFFIByteArray, dtype: DLDataType, shape: &[i64]) -> Homemade<DLTensor> {
    Homemade::new(kTVMFFITensor, without_gaps(memory.data.cast_mut().cast(), dtype, shape))
}

/// A tensor of four integers that begin so many bytes behind the first of these; it is kept for the life of the process.
fn part(content: &[i32], byte_offset: u64) -> Homemade<DLTensor> {
    part_of(content.to_vec().leak(), byte_offset)
}

/// The same in that memory.
fn part_of(memory: &mut [i32], byte_offset: u64) -> Homemade<DLTensor> {
    let tensor = DLTensor {
        data: memory.as_mut_ptr().cast(),
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: 1,
        dtype: INT32,
        shape: vec![4].leak().as_mut_ptr(),
        strides: vec![1].leak().as_mut_ptr(),
        byte_offset,
    };
    Homemade::new(kTVMFFITensor, tensor)
}
