//! Exporting tensors: what others are handed.

use proptest::{collection::vec, prelude::any, sample::select};
use tvm_ffi_spec::{clause::id, *};

use super::kit::{Export, FORMS, Form, Producer, extents, imported_if_taken, returned, view_of, with_every_kind};
use crate::{
    checks::check,
    client::{
        Owned, Verdict, memory,
        tensors::{ACCELERATORS, DTYPES, Described, host_plus, marked},
    },
    trial::Trial,
};

/// TVMFFITensorToDLPack hands out a DLManagedTensor with every field of the Tensor.
#[check(TEN_0020)]
fn export_keeps_fields(t: &Trial) -> Verdict {
    export_of_form_keeps_fields(t, Form::Plain)
}

/// TVMFFITensorToDLPackVersioned hands out a DLManagedTensorVersioned with every field of the Tensor.
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
        with_every_kind(|producer| {
            let tensor = producer.import(t, imported)?;
            let export = Export::of(t, form, &tensor)?;
            drop(tensor);
            producer.compare(t, "the export", &export.reread(t)?)?;
            producer.compare_tensor(t, "the Tensor made of the export", &export.import(t)?)
        })?;
    }
    Ok(())
}

/// The export of a tensor that was imported without strides has row-major strides.
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

/// An export keeps the tensor alive when every other reference is gone.
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

/// An export of a Tensor of any making says all of it when the Tensor was let go of and memory has been used again since.
#[check(TEN_0022, patient = 2)]
fn export_needs_no_other(t: &Trial) -> Verdict {
    for (form, dimensions) in
        FORMS.into_iter().flat_map(|form| [1, 2, 3, 5, 9, 33].map(|dimensions| (form, dimensions)))
    {
        let shape = |first: i64| (0..dimensions).map(|at| if at < 3 { first + at } else { 1 }).collect::<Vec<_>>();
        let before = returned(0);
        let made = MAKINGS.into_iter().map(|(making, make)| {
            // A managed tensor stays where it was handed over.
            let mut producers = Box::new([0x10, 0x20, 0x30].map(|first| Producer {
                shape: shape(first),
                strides: Some(shape(first + 8)),
                ..Producer::contiguous()
            }));
            let (tensor, described_by) = make(t, &mut producers)?;
            Ok((making, Export::of(t, form, &tensor)?, producers, described_by))
        });
        let made = made.collect::<Verdict<Vec<_>>>()?;
        memory::use_again();
        t.eq(
            format_args!("calls of the producers' deleters before {form:?} exports are given back"),
            returned(0),
            before,
        )?;
        for (given_back, (making, export, producers, described_by)) in made.into_iter().enumerate() {
            let (what, before) = (format!("the {form:?} export of {making}"), before + given_back);
            producers[described_by].compare(t, &what, &export.reread(t)?)?;
            export.give_back(t);
            t.eq(format_args!("calls of the producer's deleter after {what} was given back"), returned(0), before + 1)?;
        }
    }
    Ok(())
}

/// Makes a Tensor of producers, and answers which of them describes it.
type Making = fn(&Trial, &mut [Producer; 3]) -> Verdict<(Owned, usize)>;

/// How a Tensor comes into being.
const MAKINGS: [(&str, Making); 6] = [
    ("an import", |t, producers| Ok((producers[0].import(t, Form::Plain)?, 0))),
    ("a versioned import", |t, producers| Ok((producers[0].import(t, Form::Versioned)?, 0))),
    ("a view", |t, [source, of, _]| Ok((view_of(t, &source.import(t, Form::Plain)?, of)?, 1))),
    ("a view of a view", |t, [source, outer, inner]| {
        let outer = view_of(t, &source.import(t, Form::Versioned)?, outer)?;
        Ok((view_of(t, &outer, inner)?, 2))
    }),
    ("an import of an export", |t, producers| {
        let tensor = producers[0].import(t, Form::Plain)?;
        Ok((Export::of(t, Form::Versioned, &tensor)?.import(t)?, 0))
    }),
    ("an import of an export of a view", |t, [source, of, _]| {
        let view = view_of(t, &source.import(t, Form::Plain)?, of)?;
        Ok((Export::of(t, Form::Plain, &view)?.import(t)?, 1))
    }),
];

/// Several exports of one Tensor are given back in any order, and the Tensor ends with the last one.
#[check(TEN_0022)]
fn exports_are_independent(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Versioned)?;
    let mut left: Vec<Export> =
        FORMS.repeat(3).into_iter().map(|form| Export::of(t, form, &tensor)).collect::<Verdict<_>>()?;
    drop(tensor);
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

/// A tensor that is exported and imported again six times keeps its fields and is given back once.
#[check(TEN_0020, TEN_0021, TEN_0022)]
fn export_round_trip(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let mut tensor = producer.import(t, Form::Plain)?;
    for round in 0..6 {
        let form = Form::from(round % 2 == 1);
        t.clause(if round % 2 == 1 { id::TEN_0021 } else { id::TEN_0020 });
        let export = Export::of(t, form, &tensor)?;
        tensor = export.import(t)?;
        producer.compare_tensor(t, "the Tensor made of an export", &tensor)?;
    }
    t.clause(id::TEN_0022);
    t.eq("calls of the producer's deleter before the release", returned(0), 0)?;
    drop(tensor);
    t.eq("calls of the producer's deleter after the release", returned(0), 1)
}

/// A Tensor made of an export has what the export says when it is handed over, also where whoever had it has changed that since it
/// was made.
#[check(TEN_0002, TEN_0003)]
fn export_that_was_changed(t: &Trial) -> Verdict {
    for form in FORMS {
        t.clause(if form == Form::Plain { id::TEN_0002 } else { id::TEN_0003 });
        let mut producer = Producer::contiguous();
        let tensor = producer.import(t, form)?;
        let part = Described { shape: vec![2], strides: Some(vec![1]), byte_offset: 8, ..Described::six_floats() };
        let mut part = Producer::of(Described { data: producer.data, ..part });
        part.fill();
        let export = Export::of(t, form, &tensor)?;
        export.change(part.plain.dl_tensor);
        let imported = export.import(t)?;
        part.compare_tensor(t, format!("a Tensor made of a {form:?} export that was changed"), &imported)?;
        producer.compare_tensor(t, "the Tensor that was exported", &tensor)?;
    }
    Ok(())
}

/// A tensor with random fields is the same after import, export and another import.
#[check(TEN_0002, TEN_0003, TEN_0020, TEN_0021)]
fn any_tensor_round_trips(t: &Trial) -> Verdict {
    let dimensions = vec((0_i64..1 << 20, -(1_i64 << 40)..1 << 40), 0..8);
    let dtype = (select(&DTYPES[..]), 1..=u16::MAX);
    let place = (select(&ACCELERATORS[..]), 0..i32::MAX, 0_u64..1 << 50);
    let forms = (any::<bool>(), any::<bool>());
    t.property((dimensions, dtype, place, forms), |fields| round_trips(t, fields))
}

/// A random tensor: extents with strides; code, bits and lanes; device type and id, and byte offset; and whether the
/// first import is versioned, and whether the export and the second import are.
type Fields = (Vec<(i64, i64)>, ((u8, u8), u16), (i32, i32, u64), (bool, bool));

fn round_trips(t: &Trial, (dimensions, dtype, place, forms): &Fields) -> Verdict {
    let (shape, strides): (Vec<i64>, Vec<i64>) = dimensions.iter().copied().unzip();
    let mut producer = Producer {
        shape,
        strides: Some(strides),
        dtype: DLDataType { code: dtype.0.0, bits: dtype.0.1, lanes: dtype.1 },
        device: DLDevice { device_type: place.0, device_id: place.1 },
        byte_offset: place.2,
        ..Producer::new()
    };
    let (one, other) = (Form::from(forms.0), Form::from(forms.1));
    t.clause(if forms.0 { id::TEN_0003 } else { id::TEN_0002 });
    let tensor = producer.import(t, one)?;
    producer.compare_tensor(t, "the Tensor", &tensor)?;
    t.clause(if forms.1 { id::TEN_0021 } else { id::TEN_0020 });
    let export = Export::of(t, other, &tensor)?;
    producer.compare(t, "the export", &export.tensor)?;
    t.clause(if forms.1 { id::TEN_0003 } else { id::TEN_0002 });
    let again = export.import(t)?;
    producer.compare_tensor(t, "the Tensor made of the export", &again)
}

/// The data of an export without elements are NULL, whatever the tensor that was imported had there.
#[check(TEN_0049)]
fn no_data_without_elements(t: &Trial) -> Verdict {
    let shapes = [vec![0], vec![2, 0], vec![0, 3], vec![1, 0, 4]];
    for (form, shape) in FORMS.into_iter().flat_map(|form| shapes.clone().map(|shape| (form, shape))) {
        for data in [host_plus(0), host_plus(4), std::ptr::null_mut()] {
            let mut producer = Producer { shape: shape.clone(), data, ..Producer::contiguous() };
            let tensor = producer.import(t, form)?;
            for form in FORMS {
                let export = Export::of(t, form, &tensor)?;
                let data = export.tensor.data;
                export.give_back(t);
                t.eq(format_args!("data of an export of the shape {shape:?}"), data, std::ptr::null_mut())?;
            }
        }
    }
    Ok(())
}

/// A versioned export names major version 1 of DLPack.
#[check(TEN_0023)]
fn export_version(t: &Trial) -> Verdict {
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Versioned)?;
    let export = Export::of(t, Form::Versioned, &tensor)?;
    t.eq("major version of the export", export.versioned(t)?.version.major, 1)?;
    export.give_back(t);
    Ok(())
}

/// A versioned export names minor version 2 of DLPack or a later one.
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

/// A versioned export of a tensor that was imported without flags sets no flag.
#[check(TEN_0025)]
fn export_flags(t: &Trial) -> Verdict {
    for form in FORMS {
        with_every_kind(|producer| {
            let tensor = producer.import(t, form)?;
            t.eq("flags of the export", flags_of_export(t, &tensor)?, 0)
        })?;
    }
    Ok(())
}

/// A versioned export is never marked as a copy, and as read-only only if the tensor was imported so.
#[check(TEN_0025)]
fn export_is_no_copy(t: &Trial) -> Verdict {
    for described in marked() {
        let mut producer = Producer::of(described.clone());
        let Some(tensor) = imported_if_taken(t, &mut producer)? else { continue };
        let (what, flags) = (described.name, flags_of_export(t, &tensor)?);
        t.eq(format_args!("the flag for copies in the export of a tensor that is {what}"), flags & COPIED, 0)?;
        let added = flags & READ_ONLY & !described.flags;
        t.eq(format_args!("the flag for read-only data in the export of a tensor that is {what}"), added, 0)?;
    }
    Ok(())
}

/// A versioned export of a Tensor of any kind that was imported as read-only is marked as read-only, also after a round trip.
#[check(TEN_0042)]
fn export_of_read_only(t: &Trial) -> Verdict {
    with_every_kind(|producer| {
        for others in [0, COPIED] {
            producer.flags = READ_ONLY | others;
            let Some(mut tensor) = imported_if_taken(t, producer)? else { continue };
            for round in 0..3 {
                let export = Export::of(t, Form::Versioned, &tensor)?;
                let what = format!(
                    "the flag for read-only data in export {round} of a tensor with the flags {:#x}",
                    producer.flags
                );
                t.eq(what, export.versioned(t)?.flags & READ_ONLY, READ_ONLY)?;
                tensor = export.import(t)?;
            }
        }
        Ok(())
    })
}

/// A tensor with a flag that nobody knows is refused, or its versioned exports have the flag too.
#[check(TEN_0046)]
fn unknown_flag(t: &Trial) -> Verdict {
    for flag in [1 << 3, 1 << 20, 1 << 63] {
        let version = DLPackVersion { major: 1, minor: 9 };
        let mut producer = Producer { version, flags: flag, ..Producer::contiguous() };
        if let Some(tensor) = imported_if_taken(t, &mut producer)? {
            t.eq("the flag in the export", flags_of_export(t, &tensor)? & flag, flag)?;
        }
    }
    Ok(())
}

const READ_ONLY: u64 = DLPACK_FLAG_BITMASK_READ_ONLY;
const COPIED: u64 = DLPACK_FLAG_BITMASK_IS_COPIED;

/// The flags of a versioned export, which is given back.
fn flags_of_export(t: &Trial, tensor: &Owned) -> Verdict<u64> {
    let export = Export::of(t, Form::Versioned, tensor)?;
    let flags = export.versioned(t)?.flags;
    export.give_back(t);
    Ok(flags)
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
