//! Where the tensors in a container lie, and tensors that are lent to one.

use std::ptr::{dangling_mut, null_mut};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Failure, Owned, Verdict,
        containers::numbers::{flattened, up_to},
        homemade::Homemade,
        samples::Place,
        tensors::{ACCELERATORS, HOSTS, of_every_kind},
        view,
    },
    trial::Trial,
};

const DEVICE: &str = "ffi.ContainerFindFirstNonCPUDevice";

/// A tensor of no dimensions on a device.
fn tensor(device_type: i32, device_id: i32) -> Homemade<DLTensor> {
    let (device, dtype) = (DLDevice { device_type, device_id }, DLDataType { code: 2, bits: 32, lanes: 1 });
    let (data, shape, strides) = (null_mut(), null_mut(), null_mut());
    Homemade::new(kTVMFFITensor, DLTensor { data, device, ndim: 0, dtype, shape, strides, byte_offset: 0 })
}

/// Expects that device to be found in a container.
fn device_is(t: &Trial, container: &Owned, device_type: i32, device_id: i32) -> Verdict {
    let found = t.call_global(DEVICE, &[container.any()])?;
    let expected = TVMFFIAny::new(kTVMFFIDevice, u64::from(device_id as u32) << 32 | u64::from(device_type as u32));
    t.any_eq("the device", &found.any(), &expected)
}

/// `ffi.ContainerFindFirstNonCPUDevice` answers device 0 of the CPU if every Tensor in a container is on the CPU.
#[check(CNT_0004)]
fn no_device(t: &Trial) -> Verdict {
    let cpu = tensor(1, 0);
    let plain = [view::int(2), TVMFFIAny::NONE, view::c_str(c"cuda:1"), TVMFFIAny::new(kTVMFFIDevice, 2), cpu.view()];
    for name in ["ffi.Array", "ffi.List"] {
        device_is(t, &t.call_global(name, &[])?, 1, 0)?;
        device_is(t, &t.call_global(name, &plain)?, 1, 0)?;
    }
    for name in ["ffi.Map", "ffi.Dict"] {
        device_is(t, &t.call_global(name, &[])?, 1, 0)?;
        device_is(t, &t.call_global(name, &[view::int(1), cpu.view()])?, 1, 0)?;
    }
    Ok(())
}

/// How many values may stand before a Tensor.
const OTHERS: [i64; 9] = [0, 1, 9, 16, 17, 33, 64, 100, 257];

/// `ffi.ContainerFindFirstNonCPUDevice` answers the device of the first Tensor elsewhere in an Array or a List.
#[check(CNT_0004)]
fn first_device(t: &Trial) -> Verdict {
    let (cpu, cuda, other) = (tensor(1, 0), tensor(2, 5), tensor(7, 1));
    let inner = t.call_global("ffi.List", &[cpu.view(), other.view()])?;
    for name in ["ffi.Array", "ffi.List"] {
        device_is(t, &t.call_global(name, &[cpu.view(), cuda.view(), other.view()])?, 2, 5)?;
        device_is(t, &t.call_global(name, &[cpu.view(), inner.any(), cuda.view()])?, 7, 1)?;
        device_is(t, &t.call_global(name, &[view::int(0), cuda.view(), inner.any()])?, 2, 5)?;
        for others in OTHERS {
            let behind: Vec<_> = (0..others).map(view::int).chain([cuda.view(), inner.any()]).collect();
            device_is(t, &t.call_global(name, &behind)?, 2, 5)?;
        }
    }
    Ok(())
}

/// `ffi.ContainerFindFirstNonCPUDevice` goes on behind whatever has no device of its own, at every place: empty containers and such as hold
/// nothing but Tensors on the CPU, None, and values of any kind.
#[check(CNT_0004)]
fn device_behind_anything(t: &Trial) -> Verdict {
    let (cpu, cuda, other) = (tensor(1, 0), tensor(2, 5), tensor(7, 1));
    let kinds = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    let samples = t.samples()?;
    // One of each type: which value it is does not matter.
    let mut of_each = samples.iter().collect::<Vec<_>>();
    of_each.dedup_by_key(|sample| sample.any().type_index);
    let mut before: Vec<_> = of_each.iter().map(|sample| (sample.name.clone(), sample.any())).collect();
    let mut held = Vec::new();
    for (kind, of_cpu) in kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let args = [cpu.view(), cpu.view()];
        let inner = t.call_global(kind, if of_cpu { &args } else { &[] })?;
        let outer = t.call_global("ffi.Array", &[inner.any()])?;
        let what = if of_cpu { format!("{kind} of Tensors on the CPU") } else { format!("an empty {kind}") };
        before.extend([(what.clone(), inner.any()), (format!("{what} in an Array"), outer.any())]);
        held.extend([inner, outer]);
    }
    for (what, value) in &before {
        for kind in kinds {
            let values = [*value, cuda.view(), other.view()];
            let keyed = values.iter().zip(0..).flat_map(|(value, key)| [view::int(key), *value]);
            let args = if kind == "ffi.Map" || kind == "ffi.Dict" { keyed.collect() } else { values.to_vec() };
            let container = t.call_global(kind, &args)?;
            let note = |failure: Box<Failure>| failure.noting(format!("behind {what} in {kind}"));
            device_is(t, &container, 2, 5).map_err(note)?;
            device_is(t, &t.call_global("ffi.List", &[*value, container.any()])?, 2, 5).map_err(note)?;
        }
    }
    Ok(())
}

/// `ffi.ContainerFindFirstNonCPUDevice` finds a Tensor behind more than a thousand containers, each of which stands in two places.
#[check(CNT_0004)]
fn device_behind_many_containers(t: &Trial) -> Verdict {
    let within = |value| t.call_global("ffi.Array", &[t.call_global("ffi.Array", &[value])?.any()]);
    let all = (0..1200).map(view::int).chain([tensor(2, 5).view()]).map(within).collect::<Verdict<Vec<_>>>()?;
    device_is(t, &t.call_global("ffi.List", &all.iter().flat_map(|one| [one.any(); 2]).collect::<Vec<_>>())?, 2, 5)
}

/// `ffi.ContainerFindFirstNonCPUDevice` looks among the values of Maps and Dicts.
#[check(CNT_0004)]
fn device_in_map(t: &Trial) -> Verdict {
    let (cpu, cuda, other) = (tensor(1, 0), tensor(2, 5), tensor(7, 1));
    for name in ["ffi.Map", "ffi.Dict"] {
        for others in OTHERS {
            let mut args = vec![view::int(-1), cpu.view()];
            args.extend(flattened(&up_to(others)));
            args.extend([view::int(-2), cuda.view(), view::int(-3), other.view()]);
            let map = t.call_global(name, &args)?;
            device_is(t, &map, 2, 5)?;
            device_is(t, &t.call_global("ffi.Array", &[map.any()])?, 2, 5)?;
        }
    }
    Ok(())
}

/// `ffi.ContainerFindFirstNonCPUDevice` does not look among the keys of Maps and Dicts.
#[check(CNT_0004)]
fn keys_have_no_device(t: &Trial) -> Verdict {
    let (cuda, other) = (tensor(2, 5), tensor(7, 1));
    for name in ["ffi.Map", "ffi.Dict"] {
        let of_keys = t.call_global(name, &[cuda.view(), view::int(1), other.view(), view::int(2)])?;
        device_is(t, &of_keys, 1, 0)?;
        device_is(t, &t.call_global("ffi.Array", &[of_keys.any(), other.view()])?, 7, 1)?;
        device_is(t, &t.call_global(name, &[cuda.view(), other.view()])?, 7, 1)?;
    }
    Ok(())
}

/// `ffi.ContainerFindFirstNonCPUDevice` answers the device of a Tensor on any device but the CPU, wherever the Tensor stands.
#[check(CNT_0004, patient = 2)]
fn every_device(t: &Trial) -> Verdict {
    let places = [Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    for (kind, described) in of_every_kind().into_iter().enumerate() {
        let DLDevice { device_type, device_id } = described.device;
        let tensor = tensor(device_type, device_id);
        for (number, place) in places.into_iter().enumerate() {
            let holder = place.put_before(t, &tensor.view(), 9)?;
            device_is(t, &holder, device_type, device_id)?;
            // There are many more kinds than places: each is met within each other one, with some of the kinds.
            for outer in [0, 1].map(|more| places[(kind + number + more) % places.len()]) {
                device_is(t, &outer.put(t, &holder.any())?, device_type, device_id)?;
            }
        }
    }
    Ok(())
}

/// `ffi.ContainerFindFirstNonCPUDevice` tells the CPU from other devices by their types alone: it passes over a Tensor on a CPU of any number, and
/// answers a device of another type whatever its number is.
#[check(CNT_0004)]
fn devices_of_any_number(t: &Trial) -> Verdict {
    let places = [Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    let (first, cuda) = (tensor(kDLCPU, 0), tensor(kDLCUDA, 3));
    for number in [1, 2, 63, 255, i32::MAX] {
        let cpu = tensor(kDLCPU, number);
        for (place, others) in places.into_iter().flat_map(|place| [(place, 0), (place, 9)]) {
            let holder = place.put_before(t, &cpu.view(), others)?;
            device_is(t, &holder, kDLCPU, 0)?;
            for outer in places {
                device_is(t, &outer.put(t, &holder.any())?, kDLCPU, 0)?;
            }
            let before = t.call_global("ffi.Array", &[first.view(), holder.any(), cuda.view()])?;
            device_is(t, &before, kDLCUDA, 3)?;
        }
        for name in ["ffi.Array", "ffi.List"] {
            device_is(t, &t.call_global(name, &[cpu.view(), cuda.view()])?, kDLCUDA, 3)?;
        }
        for name in ["ffi.Map", "ffi.Dict"] {
            let args = [view::int(1), cpu.view(), view::int(2), cuda.view()];
            device_is(t, &t.call_global(name, &args)?, kDLCUDA, 3)?;
        }
        for device_type in HOSTS.into_iter().chain(ACCELERATORS).filter(|device_type| *device_type != kDLCPU) {
            for other in [0, number] {
                let elsewhere = tensor(device_type, other);
                let both = t.call_global("ffi.Array", &[cpu.view(), elsewhere.view(), cuda.view()])?;
                device_is(t, &both, device_type, other)?;
            }
        }
    }
    Ok(())
}

/// `ffi.ContainerFindFirstNonCPUDevice` leaves the reference counts of all that it looks at as they were.
#[check(CNT_0005)]
fn device_lent(t: &Trial) -> Verdict {
    let cuda = tensor(2, 5);
    let inner = t.call_global("ffi.Array", &[cuda.view()])?;
    let outer = t.call_global("ffi.List", &[inner.any()])?;
    device_is(t, &outer, 2, 5)?;
    let counts = (cuda.counts(), t.counts(inner.handle())?, t.counts(outer.handle())?);
    t.eq("counts of tensor, Array and List", counts, ((2, 1), (2, 1), (1, 1)))?;
    let places = [Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    let pairs = places.into_iter().flat_map(|inner| places.map(|outer| (inner, outer)));
    for ((inner, outer), others) in pairs.flat_map(|pair| [0, 2, 9].map(|others| (pair, others))) {
        let cuda = tensor(2, 5);
        let holder = inner.put_before(t, &cuda.view(), others)?;
        let around = outer.put_before(t, &holder.any(), others)?;
        // What is found is for other checks to judge.
        for container in [&holder, &around] {
            drop(t.call_global(DEVICE, &[container.any()])?);
        }
        let counts = (cuda.counts(), t.counts(holder.handle())?, t.counts(around.handle())?);
        let what = format!("counts of tensor and holders, {inner:?}, {outer:?}, before {others}");
        t.eq(what, counts, ((2, 1), (2, 1), (1, 1)))?;
    }
    Ok(())
}

/// `ffi.ContainerFindFirstNonCPUDevice` answers or fails, but ends, for a List or a Dict that contains itself.
#[check(CNT_0006)]
fn device_in_circle(t: &Trial) -> Verdict {
    t.each_cycle(|value, _| t.returns(DEVICE, &[*value]))
}

/// The pointer to a tensor that somebody lends is kept as it is by a container of any size, as an element, a value or a key, and answered so.
#[check(ARR_0008, LST_0001, MAP_0022, DCT_0019)]
fn borrowed_tensor(t: &Trial) -> Verdict {
    let (device, dtype) = (DLDevice { device_type: kDLCPU, device_id: 0 }, DLDataType { code: 2, bits: 32, lanes: 1 });
    let (data, shape, strides) = (null_mut(), null_mut(), null_mut());
    let tensor = DLTensor { data, device, ndim: 0, dtype, shape, strides, byte_offset: 0 };
    let lent = view::dl_tensor(&tensor);
    // What its owned value is, is for another clause to say.
    let mut owned = TVMFFIAny::NONE;
    if t.api.TVMFFIAnyViewToOwnedAny(&lent, &mut owned) != 0 {
        t.api.release_raised();
        return Ok(());
    }
    if t.own(owned).any().to_bytes() != lent.to_bytes() {
        return Ok(());
    }
    for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
        let (clause, get, key) = match place {
            Place::InList => (id::LST_0001, "ffi.ListGetItem", view::int(0)),
            Place::MapKey => (id::MAP_0022, "ffi.MapGetItem", lent),
            Place::MapValue => (id::MAP_0022, "ffi.MapGetItem", TVMFFIAny::NONE),
            Place::DictKey => (id::DCT_0019, "ffi.DictGetItem", lent),
            Place::DictValue => (id::DCT_0019, "ffi.DictGetItem", TVMFFIAny::NONE),
            _ => (id::ARR_0008, "ffi.ArrayGetItem", view::int(0)),
        };
        t.clause(clause);
        // What stands beside the key in `Place`.
        let expected = if matches!(place, Place::MapKey | Place::DictKey) { view::int(1) } else { lent };
        for others in [0, 1, 3, 9] {
            let holder = place.put_before(t, &lent, others)?;
            let what = format!("{place:?}, in front of {others} others");
            t.any_eq(format_args!("the pointer {what}"), &place.look(t, &holder.any())?, &lent)?;
            let answer = t.call_global(get, &[holder.any(), key])?;
            t.any_eq(format_args!("the answer of {get} for the pointer {what}"), &answer.any(), &expected)?;
        }
        // Put in the place of another value.
        if place == Place::DictValue || place == Place::InList {
            let (make, set) = match place {
                Place::InList => ("ffi.List", "ffi.ListSetItem"),
                _ => ("ffi.Dict", "ffi.DictSetItem"),
            };
            let holder = t.call_global(make, &[view::int(0), view::int(0)])?;
            t.call_void(set, &[holder.any(), view::int(0), lent])?;
            let answer = t.call_global(get, &[holder.any(), view::int(0)])?;
            t.any_eq(
                format_args!("the answer of {get} for the pointer that {set} has put there"),
                &answer.any(),
                &lent,
            )?;
        }
        if place == Place::InArray || place == Place::InList {
            let make = if place == Place::InArray { "ffi.Array" } else { "ffi.List" };
            // It is the last, after values of other types.
            for before in 1..6 {
                let others = [lent, view::int(1), view::float(0.5), view::pointer(dangling_mut()), view::bool(true)];
                let args = [&others[..before], &[lent]].concat();
                let holder = t.call_global(make, &args)?;
                let last = t.element(holder.handle(), before)?;
                t.any_eq(format_args!("the pointer behind {before} others in {make}"), &last, &lent)?;
            }
        }
    }
    Ok(())
}
