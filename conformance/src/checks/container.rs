//! Shapes, and what concerns containers of every kind.

use std::{
    ffi::c_void,
    ptr::{dangling_mut, null_mut},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Failure, Owned, Verdict,
        callback::{keep_self, return_none},
        containers::numbers::{flattened, up_to},
        homemade::{self, Homemade},
        reentry::use_library,
        samples::Place,
        tensor::FLOAT32,
        tensors::{ACCELERATORS, HOSTS, of_every_kind},
        view,
    },
    trial::Trial,
};

// ---- shapes ----------------------------------------------------------------------------------------------------------

/// `ffi.Shape` makes a Shape of any integers, with their address and their number behind the header.
#[check(CNT_0001)]
fn shape(t: &Trial) -> Verdict {
    let extents = [3, 0, -1, i64::MAX, i64::MIN, (1 << 53) + 1, -(1 << 53) - 1, 1 << 31, -(1 << 31) - 1, 7];
    for len in 1..=extents.len() {
        is_shape(t, &extents[..len])?;
    }
    Ok(())
}

/// The address and the number of a Shape's extents lie behind its header.
#[check(CNT_0001, lays = TVMFFIShapeCell)]
fn shape_cell(t: &Trial) -> Verdict {
    is_shape(t, &[2, 3, 5])
}

/// `ffi.Shape` makes a Shape of no dimensions.
#[check(CNT_0001)]
fn shape_empty(t: &Trial) -> Verdict {
    is_shape(t, &[])
}

/// `ffi.Shape` makes a Shape of a thousand dimensions.
#[check(CNT_0001)]
fn shape_long(t: &Trial) -> Verdict {
    is_shape(t, &(0..1000).collect::<Vec<_>>())
}

/// Expects `ffi.Shape` to make a Shape of these extents.
fn is_shape(t: &Trial, extents: &[i64]) -> Verdict {
    let shape = t.call_global("ffi.Shape", &extents.iter().map(|extent| view::int(*extent)).collect::<Vec<_>>())?;
    t.type_index_eq("type_index of the result", shape.any().type_index, kTVMFFIShape)?;
    // All that have no extents may be one object.
    if !extents.is_empty() {
        t.eq("counts of a new Shape", t.counts(shape.handle())?, (1, 1))?;
    }
    let cell: TVMFFIShapeCell = t.cell("cell", shape.handle())?;
    t.eq("number of extents", cell.size, extents.len())?;
    let bytes = t.read_bytes("extents", cell.data.cast(), size_of_val(extents))?;
    let got: Vec<_> = bytes.chunks(8).map(|extent| i64::from_ne_bytes(extent.try_into().unwrap_or_default())).collect();
    t.eq("extents", got, extents.to_vec())
}

/// `ffi.Shape` fails for an argument that is neither an integer nor a boolean, and holds none of its arguments.
#[check(CNT_0002)]
fn shape_of_others(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for other in [TVMFFIAny::NONE, view::float(1.0), view::c_str(c"1"), object.view()] {
        t.refuses("ffi.Shape", &[view::int(1), other], &[])?;
    }
    t.eq("strong count of what was refused", object.counts().0, 1)
}

/// Shapes that have ended leave no memory behind.
#[check(CNT_0003, patient = 2)]
fn shape_no_growth(t: &Trial) -> Verdict {
    let make = t.global("ffi.Shape")?;
    t.no_growth("memory of Shapes", || {
        t.call(&make, &[1, 2, 3].map(view::int))?;
        t.call(&make, &[view::int(1); 100]).map(drop)
    })
}

// ---- devices ---------------------------------------------------------------------------------------------------------

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

// ---- borrowed tensors ------------------------------------------------------------------------------------------------

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

// ---- ends that use the library ---------------------------------------------------------------------------------------

/// How often an element has used the library at its end.
static USES: AtomicUsize = AtomicUsize::new(0);

/// The end of an element, which uses the library on its thread and on another.
unsafe extern "C" fn end_with_use(_: *mut c_void) {
    use_library();
    USES.fetch_add(1, Ordering::AcqRel);
}

/// An element whose end uses the library.
fn user(t: &Trial) -> Verdict<Owned> {
    t.serve_reentry()?;
    t.opaque(dangling_mut(), end_with_use)
}

/// Expects so many ends to have used the library, each without trouble.
fn uses(t: &Trial, what: &str, expected: usize) -> Verdict {
    t.eq(format_args!("ends that have used the library, {what}"), USES.load(Ordering::Acquire), expected)?;
    t.library_was_usable(&format!("at an end, {what}"))
}

/// An element whose own end makes and ends containers may end with an Array or a Map.
#[check(CNT_0007)]
fn end_calls_back(t: &Trial) -> Verdict {
    let (first, second) = (user(t)?, user(t)?);
    let array = t.call_global("ffi.Array", &[first.any(), view::int(1), second.any()])?;
    let map = t.call_global("ffi.Map", &[view::int(1), first.any(), array.any(), second.any()])?;
    drop((first, second, array));
    uses(t, "while a Map holds the elements", 0)?;
    drop(map);
    uses(t, "after the Map", 2)
}

/// An element whose own end makes and ends containers may end with a List or a Dict, as its key too.
#[check(CNT_0008)]
fn end_with_container(t: &Trial) -> Verdict {
    for (number, others) in [0, 9].into_iter().enumerate() {
        for (place, make) in [Place::InList, Place::DictKey, Place::DictValue].into_iter().zip(1..) {
            let element = user(t)?;
            let holder = place.put_before(t, &element.any(), others)?;
            drop(element);
            drop(holder);
            uses(t, &format!("{place:?} of {others}"), 3 * number + make)?;
        }
    }
    Ok(())
}

/// An element whose own end makes and ends containers may be taken out of a List or a Dict.
#[check(CNT_0008)]
fn end_in_operation(t: &Trial) -> Verdict {
    t.short_backtraces();
    let mut expected = 0;
    end_in_list_operation(t, &mut expected)?;
    for others in [0, 9] {
        end_in_dict_operation(t, others, &mut expected)?;
    }
    Ok(())
}

fn end_in_list_operation(t: &Trial, expected: &mut usize) -> Verdict {
    let (list, slice) = (t.call_global("ffi.List", &[view::int(0)])?, t.call_global("ffi.List", &[view::int(5)])?);
    for (change, args) in [
        ("ffi.ListSetItem", vec![view::int(1), view::int(5)]),
        ("ffi.ListErase", vec![view::int(1)]),
        ("ffi.ListPop", vec![view::int(1)]),
        ("ffi.ListEraseRange", vec![view::int(0), view::int(2)]),
        ("ffi.ListReplaceSlice", vec![view::int(0), view::int(2), slice.any()]),
        ("ffi.ListClear", vec![]),
    ] {
        t.call_void("ffi.ListClear", &[list.any()])?;
        t.call_void("ffi.ListAppend", &[list.any(), view::int(0)])?;
        let element = user(t)?;
        t.call_void("ffi.ListAppend", &[list.any(), element.any()])?;
        drop(element);
        drop(t.call_global(change, &[vec![list.any()], args].concat())?);
        *expected += 1;
        uses(t, change, *expected)?;
        t.sequence(list.handle())?;
    }
    Ok(())
}

fn end_in_dict_operation(t: &Trial, others: i64, expected: &mut usize) -> Verdict {
    let dict = t.map_of_ints("ffi.Dict", &up_to(others))?;
    for (change, args) in [
        ("ffi.DictSetItem", vec![view::int(-1), view::int(5)]),
        ("ffi.DictErase", vec![view::int(-1)]),
        ("ffi.DictClear", vec![]),
    ] {
        let value = user(t)?;
        t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-1), value.any()])?;
        drop(value);
        t.call_void(change, &[vec![dict.any()], args].concat())?;
        *expected += 1;
        uses(t, change, *expected)?;
        t.map(dict.handle())?;
    }
    for (change, others) in [("ffi.DictErase", 1), ("ffi.DictClear", 0)] {
        let key = user(t)?;
        let handle = key.any();
        t.call_void("ffi.DictSetItem", &[dict.any(), handle, view::int(1)])?;
        drop(key);
        t.call_void(change, &[dict.any(), handle][..1 + others])?;
        *expected += 1;
        uses(t, &format!("{change} of a key"), *expected)?;
    }
    Ok(())
}

// ---- containers of containers ----------------------------------------------------------------------------------------

/// Containers of every kind hold one another and release all that is in them.
#[check(CNT_0009)]
fn of_each_other(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut inner = t.call_global("ffi.Array", &[object.view()])?;
    for _ in 0..3 {
        let list = t.call_global("ffi.List", &[inner.any(), inner.any()])?;
        let map = t.call_global("ffi.Map", &[view::int(1), list.any(), list.any(), inner.any()])?;
        let dict = t.call_global("ffi.Dict", &[map.any(), list.any(), view::c_str(c"key"), map.any()])?;
        t.sequence(list.handle())?;
        t.map(map.handle())?;
        t.map(dict.handle())?;
        inner = t.call_global("ffi.Array", &[dict.any(), map.any(), list.any()])?;
    }
    t.eq("strong count of the innermost element", object.counts().0, 2)?;
    drop(inner);
    t.eq("strong count after the outermost container", object.counts().0, 1)
}

/// A Map and a Dict hold each key and each value once, of whatever kind these are, from the first entry until the map has long been dense, by
/// whichever function the entries come; they hold nothing that was replaced, erased or cleared, and nothing when they have ended.
#[check(CNT_0009, patient = 2)]
fn entries_are_held_once(t: &Trial) -> Verdict {
    let (keys, values) = (one_of_each_kind(t, 1)?, one_of_each_kind(t, 2)?);
    let count = keys.len();
    let all: Vec<_> = keys.iter().map(|key| ("key", key)).chain(values.iter().map(|value| ("value", value))).collect();
    let before = all.iter().map(|(_, (_, object))| t.counts(object.handle())).collect::<Verdict<Vec<_>>>()?;
    // Expects those to be held whose places among all are given.
    let held = |places: &[usize], when: &str| -> Verdict {
        for (place, (role, (kind, object))) in all.iter().enumerate() {
            let (strong, weak) = before[place];
            let expected = (strong + u32::from(places.contains(&place)), weak);
            t.eq(format_args!("counts of {kind}, a {role}, {when}"), t.counts(object.handle())?, expected)?;
        }
        Ok(())
    };
    let any = |place: usize| all[place].1.1.any();
    let [set, erase, clear] = t.globals(["ffi.DictSetItem", "ffi.DictErase", "ffi.DictClear"])?;
    for first in (0..count).step_by(3) {
        // The places of keys, each with that of its value.
        let entries: Vec<_> =
            (0..count).map(|number| ((first + number) % count, count + (first + 5 * number) % count)).collect();
        let args: Vec<_> = entries.iter().flat_map(|&(key, value)| [any(key), any(value)]).collect();
        let upto = |len: usize| entries[..len].iter().flat_map(|&(key, value)| [key, value]).collect::<Vec<_>>();
        for len in 0..=count {
            let map = t.call_global("ffi.Map", &args[..2 * len])?;
            held(&upto(len), &format!("in a Map of {len}"))?;
            drop(map);
            held(&[], &format!("after a Map of {len}"))?;
        }
        for made in [0, 2, 4, 5] {
            let dict = t.call_global("ffi.Dict", &args[..2 * made])?;
            held(&upto(made), &format!("in a Dict made of {made}"))?;
            for (number, entry) in args.chunks(2).enumerate().skip(made) {
                t.call(&set, &[dict.any(), entry[0], entry[1]])?;
                held(&upto(number + 1), &format!("in a Dict of {made} that has {} now", number + 1))?;
            }
            let mut places = upto(count);
            for (number, &(key, value)) in entries.iter().enumerate().take(count - 1) {
                if number % 3 == 0 {
                    t.call(&set, &[dict.any(), any(key), view::int(7)])?;
                } else {
                    t.call(&erase, &[dict.any(), any(key)])?;
                    places.retain(|&place| place != key);
                }
                places.retain(|&place| place != value);
                held(&places, &format!("in a Dict, {} entries of which were replaced or erased", number + 1))?;
            }
            t.call(&clear, &[dict.any()])?;
            held(&[], "in a Dict that was cleared")?;
            for entry in args.chunks(2) {
                t.call(&set, &[dict.any(), entry[0], entry[1]])?;
            }
            held(&upto(count), "in a Dict that was filled again")?;
            drop(dict);
            held(&[], "after a Dict")?;
        }
    }
    Ok(())
}

/// An object of each kind that a container may hold. What cannot change holds the number, for two that are alike may be one.
fn one_of_each_kind(t: &Trial, number: i64) -> Verdict<Vec<(&'static str, Owned)>> {
    let mut made = Vec::new();
    for kind in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Shape"] {
        made.push((kind, t.call_global(kind, &[view::int(number), view::int(3)])?));
    }
    made.push(("a String", t.string(format!("text {number}, which is not short").as_bytes())?));
    made.push(("Bytes", t.bytes(format!("bytes {number}, which are not short").as_bytes())?));
    made.extend(t.big_int(i128::from(number) << 70)?.map(|integer| ("an integer beyond 64 bits", integer)));
    made.push(("an Error", t.new_error("ValueError", "a message", "")?));
    made.push(("a Function", t.function(dangling_mut(), return_none, Some(keep_self))?));
    made.push(("a Tensor", t.tensor_of_four(FLOAT32, &[4], [0; 4])?));
    made.push(("an opaque object", t.opaque(dangling_mut(), keep_self)?));
    Ok(made)
}

/// A container may end on another thread than the one that made it.
#[check(CNT_0010)]
fn ended_elsewhere(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let containers = [
        t.call_global("ffi.Array", &[object.view()])?,
        t.call_global("ffi.List", &[object.view()])?,
        t.call_global("ffi.Map", &[view::int(1), object.view()])?,
        t.call_global("ffi.Dict", &(0..9).flat_map(|key| [view::int(key), object.view()]).collect::<Vec<_>>())?,
    ];
    t.eq("strong count of an element of all", object.counts().0, 13)?;
    let handles = containers.map(|container| container.into_any().payload() as usize);
    t.threads(handles.len(), |t, number| {
        t.api.note("a thread releases a container");
        homemade::release(handles[number] as TVMFFIObjectHandle);
        Ok(())
    })?;
    t.eq("strong count of the element in the end", object.counts().0, 1)
}
