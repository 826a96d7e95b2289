//! Views: Tensors on the memory of another.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    Export, FORMS, Form, Producer, compare, imported_if_taken, returned, tensor_of, view_of, with_every_kind,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, tensors::row_major},
    trial::Trial,
};

/// A view is a Tensor of its own with every field of the prototype, and its source stays as it was.
#[check(TEN_0031)]
fn view_has_prototype_fields(t: &Trial) -> Verdict {
    for form in FORMS {
        // Pinned memory of the host, which the view looks at as plain memory of the host.
        let device = DLDevice { device_type: kDLCUDAHost, device_id: 0 };
        let mut producer = Producer { device, byte_offset: 0x42, ..Producer::new() };
        let source = producer.import(t, form)?;
        let mut prototype = Producer {
            data: producer.data.wrapping_byte_add(0x20),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            dtype: DLDataType { code: kDLUInt, bits: 0x10, lanes: 0x0605 },
            shape: vec![0x71, 0x72],
            strides: Some(vec![0x8182, 0x83]),
            byte_offset: 0x91,
            ..Producer::new()
        };
        let view = view_of(t, &source, &mut prototype)?;
        t.type_index_eq("type_index of the view", t.header(view.handle())?.type_index, kTVMFFITensor)?;
        t.ne("handle of the view", view.handle(), source.handle())?;
        prototype.compare_tensor(t, "the view", &view)?;
        producer.compare_tensor(t, "the source", &source)?;
        drop(source);
        prototype.compare_tensor(t, "the view without its source's handle", &view)?;
    }
    Ok(())
}

/// A view of a tensor of any kind has every field of the prototype, as has an export of the view.
#[check(TEN_0031)]
fn view_of_every_kind(t: &Trial) -> Verdict {
    with_every_kind(|producer| {
        let source = producer.import(t, Form::Plain)?;
        // The prototype is of the newest DLPack, in which strides are never left out.
        let strides = producer.strides.clone().unwrap_or_else(|| vec![1; producer.shape.len()]);
        let mut prototype = Producer {
            data: producer.data,
            device: producer.device,
            dtype: producer.dtype,
            shape: producer.shape.clone(),
            strides: Some(strides),
            byte_offset: producer.byte_offset,
            ..Producer::new()
        };
        let view = view_of(t, &source, &mut prototype)?;
        drop(source);
        prototype.compare_tensor(t, "the view", &view)?;
        let export = Export::of(t, Form::Versioned, &view)?;
        prototype.compare(t, "the export of the view", &export.tensor)?;
        export.give_back(t);
        Ok(())
    })
}

/// A view by a prototype without dimensions needs no strides, as there are none.
#[check(TEN_0031)]
fn view_without_dimensions(t: &Trial) -> Verdict {
    for (form, strides) in FORMS.into_iter().flat_map(|form| [None, Some(vec![])].map(|strides| (form, strides))) {
        let scalar = || Producer { shape: vec![], strides: strides.clone(), ..Producer::new() };
        let source = scalar().import(t, form)?;
        let mut prototype = scalar();
        let view = view_of(t, &source, &mut prototype)?;
        drop(source);
        prototype.compare_tensor(t, "a view without dimensions", &view)?;
    }
    Ok(())
}

/// A versioned export of a view of a read-only Tensor of any kind is marked as read-only, as is one of a view of that view.
#[check(TEN_0042, TEN_0031)]
fn view_of_read_only(t: &Trial) -> Verdict {
    let mut kind = 0;
    with_every_kind(|producer| {
        kind += 1;
        producer.flags = READ_ONLY;
        let Some(source) = imported_if_taken(t, producer)? else { return Ok(()) };
        let shapes: [&[i64]; 6] = [&[], &[0], &[1], &[6], &[2, 3], &[1, 1, 0, 1]];
        for (place, outer) in shapes.into_iter().enumerate() {
            let view = view_of(t, &source, &mut like(producer, outer))?;
            is_read_only(t, "a view", &view)?;
            // There are many more kinds than shapes: each shape is met within each other one, with some of the kinds.
            for inner in [0, 3].map(|more| shapes[(place + kind + more) % shapes.len()]) {
                is_read_only(t, "a view of a view", &view_of(t, &view, &mut like(producer, inner))?)?;
            }
        }
        Ok(())
    })
}

/// A prototype on the memory of a producer, of another shape.
fn like(producer: &Producer, shape: &[i64]) -> Producer {
    let (data, device, dtype) = (producer.data, producer.device, producer.dtype);
    Producer { data, device, dtype, shape: shape.to_vec(), strides: Some(row_major(shape)), ..Producer::contiguous() }
}

/// Expects the versioned export of a Tensor to be marked as read-only.
fn is_read_only(t: &Trial, what: &str, tensor: &Owned) -> Verdict {
    let export = Export::of(t, Form::Versioned, tensor)?;
    let kept = export.versioned(t)?.flags & READ_ONLY;
    let what = format!("the flag for read-only data in the export of {what} of {} dimensions", export.tensor.ndim);
    export.give_back(t);
    t.eq(what, kept, READ_ONLY)
}

const READ_ONLY: u64 = DLPACK_FLAG_BITMASK_READ_ONLY;

/// A view of any number of dimensions keeps its shape and strides when those of the prototype are overwritten.
#[check(TEN_0032)]
fn view_copies_shape_and_strides(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Plain)?;
    for count in 1..=64 {
        let shape = (0..count).map(|dimension| 1 + dimension % 2).collect();
        let strides = Some((0..count).map(|dimension| 0x55 + 0x11 * dimension).collect());
        let mut prototype = Producer { shape, strides, ..Producer::contiguous() };
        let view = view_of(t, &source, &mut prototype)?;
        let expected = prototype.expected();
        prototype.shape.fill(-1);
        prototype.strides.iter_mut().for_each(|strides| strides.fill(-1));
        compare(t, "the view after the prototype was overwritten", &tensor_of(t, &view)?, &expected)?;
        let export = Export::of(t, Form::Plain, &view)?;
        compare(t, "an export of that view", &export.tensor, &expected)?;
        export.give_back(t);
    }
    Ok(())
}

/// A view keeps its source's memory, which is given back once, when the last of source and views is gone.
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

/// A view of a view, and an export of that view, keep the memory of the first source.
#[check(TEN_0033, TEN_0022)]
fn view_of_view(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Versioned)?;
    let mut prototypes =
        [3, 2, 1].map(|extent| Producer { shape: vec![extent], strides: Some(vec![1]), ..Producer::contiguous() });
    let mut newest = source;
    for prototype in &mut prototypes {
        newest = view_of(t, &newest, prototype)?;
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

/// A view of something else than a Tensor, without a prototype or without a place for it fails with an error.
#[check(TEN_0045)]
fn view_of_nothing(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Plain)?;
    let text = t.string(b"a string that is long enough for a tensor's fields to be read from it, were it one")?;
    let (prototype, mut out) = (producer.plain.dl_tensor, std::ptr::null_mut());
    t.raises(t.api.TVMFFITensorCreateUnsafeView(text.handle(), &prototype, &mut out), &[])?;
    t.raises(t.api.TVMFFITensorCreateUnsafeView(std::ptr::null_mut(), &prototype, &mut out), &[])?;
    t.raises(t.api.TVMFFITensorCreateUnsafeView(source.handle(), std::ptr::null(), &mut out), &[])?;
    t.raises(t.api.TVMFFITensorCreateUnsafeView(source.handle(), &prototype, std::ptr::null_mut()), &[]).map(drop)
}

/// A view by a prototype with dimensions and without strides has row-major strides, or is refused.
#[check(TEN_0048)]
fn view_without_strides(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Plain)?;
    for shape in [&mut [6_i64][..], &mut [2, 3], &mut [3, 1, 2], &mut [2, 0]] {
        let expected = row_major(shape);
        let (ndim, shape) = (shape.len() as i32, shape.as_mut_ptr());
        let prototype = DLTensor { shape, ndim, strides: std::ptr::null_mut(), ..producer.plain.dl_tensor };
        let mut out = std::ptr::null_mut();
        let code = t.api.TVMFFITensorCreateUnsafeView(source.handle(), &prototype, &mut out);
        if code != 0 {
            t.raises(code, &[])?;
            continue;
        }
        let view = t.own(TVMFFIAny::new(kTVMFFITensor, out as u64));
        let tensor: DLTensor = t.cell("tensor", view.handle())?;
        let strides: Vec<_> = (0..expected.len())
            .map(|at| t.read(format_args!("stride {at} of the view"), tensor.strides.wrapping_add(at)))
            .collect::<Verdict<_>>()?;
        // Of a tensor without elements no stride is used.
        if has_elements(t, &tensor)? {
            t.eq("strides of the view", strides, expected)?;
        }
    }
    Ok(())
}

fn has_elements(t: &Trial, tensor: &DLTensor) -> Verdict<bool> {
    let extents = (0..tensor.ndim as usize).map(|at| t.read("an extent of the view", tensor.shape.wrapping_add(at)));
    Ok(extents.collect::<Verdict<Vec<_>>>()?.iter().all(|extent| *extent > 0))
}

/// Views that are released leave no memory behind.
#[check(TEN_0041, patient = 2)]
fn view_no_growth(t: &Trial) -> Verdict {
    let mut producer = Producer::contiguous();
    let source = producer.import(t, Form::Plain)?;
    t.no_growth("memory for views", || view_of(t, &source, &mut Producer::contiguous()).map(drop))
}
