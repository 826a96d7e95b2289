//! Fields of objects that hold floats, written and read.

use std::{
    ffi::{c_int, c_void},
    mem::offset_of,
    sync::atomic::{AtomicI32, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{READ, WRITE};
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::Homemade,
        memory,
        node::{get_any, set_any},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// An object with fields that hold a float comes back from its JSON graph with that very float wherever the object stands: an infinity, what
/// is no number, -0, and numbers below the normal ones, too.
#[check(GRF_0014, GRF_0027)]
fn floats_in_fields(t: &Trial) -> Verdict {
    let kind = floats_type(t)?;
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    let floats = [
        1.5,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::MIN_POSITIVE / 2.0,
        f64::from_bits(1),
    ];
    let places = Place::all(t)?;
    for (float, place) in floats.iter().flat_map(|float| places.iter().map(move |place| (*float, *place))) {
        let object = Homemade::new(kind, Floats { declared: float, any: view::float(float) });
        let holder = place.put(t, &object.view())?;
        for (clause, write, read) in [(id::GRF_0014, &to_graph, &from_graph), (id::GRF_0027, &write, &read)] {
            t.clause(clause);
            let graph = t.call(write, &[holder.any(), TVMFFIAny::NONE])?;
            let back = t.call(read, &[graph.any()])?;
            let found = place.look(t, &back.any())?;
            let what = format!("an object with {float:?}, {place:?}");
            t.type_index_eq(format_args!("the type of {what}"), found.type_index, kind)?;
            let floats: Floats = t.cell("the object that came back", found.payload() as TVMFFIObjectHandle)?;
            is_float(t, format_args!("the field that is declared as a float of {what}"), floats.declared, float)?;
            t.type_index_eq(format_args!("the type of the field of {what}"), floats.any.type_index, kTVMFFIFloat)?;
            is_float(t, format_args!("the field of any type of {what}"), f64::from_bits(floats.any.payload()), float)?;
        }
    }
    Ok(())
}

/// An object with fields that hold a boolean, an integer, a data type and a device comes back from its JSON graph with those wherever it stands.
#[check(GRF_0014)]
fn plain_fields(t: &Trial) -> Verdict {
    let kind = plain_type(t)?;
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    let integers = [0, 1, -1, 1 << 40, (1 << 53) + 1, i64::MAX, i64::MIN];
    // Those that every release has a name for.
    let ints = [8, 32, 64].map(|bits| (kDLInt, bits, 1));
    let unsigned = [1, 8, 16].map(|bits| (kDLUInt, bits, 1));
    let floats = [(kDLFloat, 16, 1), (kDLFloat, 64, 1), (kDLFloat, 32, 4), (kDLBfloat, 16, 1)];
    let dtypes = ints.into_iter().chain(unsigned).chain(floats).chain([(kDLOpaqueHandle, 64, 1)]);
    let dtypes = dtypes.map(|(code, bits, lanes)| DLDataType { code, bits, lanes });
    let places = Place::all(t)?;
    for (at, dtype) in dtypes.enumerate() {
        let device = DLDevice { device_type: if at % 2 == 0 { kDLCPU } else { kDLCUDA }, device_id: at as i32 };
        let plain = Plain { boolean: at as u8 % 2, integer: integers[at % integers.len()], dtype, device };
        let object = Homemade::new(kind, plain);
        let both = [(&write, &read), (&to_graph, &from_graph)];
        // By itself, and at one place or another.
        let turns =
            [places[0], places[at % places.len()]].into_iter().flat_map(|place| both.map(|doors| (place, doors)));
        for (place, (write, read)) in turns {
            let holder = place.put(t, &object.view())?;
            let graph = t.call(write, &[holder.any(), TVMFFIAny::NONE])?;
            let back = t.call(read, &[graph.any()])?;
            let found = place.look(t, &back.any())?;
            let what = format!("an object with {dtype:?}, {place:?}");
            t.type_index_eq(format_args!("the type of {what}"), found.type_index, kind)?;
            let came: Plain = t.cell("the object that came back", found.payload() as TVMFFIObjectHandle)?;
            t.eq(format_args!("the boolean of {what}"), came.boolean, plain.boolean)?;
            t.eq(format_args!("the integer of {what}"), came.integer, plain.integer)?;
            let dtype = |dtype: DLDataType| (dtype.code, dtype.bits, dtype.lanes);
            t.eq(format_args!("the data type of {what}"), dtype(came.dtype), dtype(plain.dtype))?;
            let device = |device: DLDevice| (device.device_type, device.device_id);
            t.eq(format_args!("the device of {what}"), device(came.device), device(plain.device))?;
        }
    }
    Ok(())
}

/// A graph with an integer that a field of a client's has no room for is refused, or read with what the client's setter makes of it.
#[check(GRF_0018)]
fn integers_beyond_a_field(t: &Trial) -> Verdict {
    unsafe extern "C" fn set_low_bits(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
        let Some(value) = memory::read(value) else { return -1 };
        // SAFETY: the target passes the address of the field of an object that is its own.
        unsafe { field.cast::<i8>().write(value.payload() as i8) };
        0
    }
    unsafe extern "C" fn get_low_bits(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the target passes the address of the field, and where to write its value.
        unsafe { result.write(view::int((*field.cast::<i8>()).into())) };
        0
    }
    let kind = types::new(t, "verify.Narrow");
    KIND.store(kind, Ordering::Release);
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Floats>()) as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(kind, &TVMFFITypeMetadata { creator: Some(make), ..metadata }))?;
    register(t, kind, &[(b"narrow", kTVMFFIInt, 1, offset_of!(Floats, declared), (get_low_bits, set_low_bits))])?;
    for number in [1, -128, 127, 128, 256, -129, 1 << 40, i64::MAX] {
        let text = format!(r#"{{"root_index":0,"nodes":[{{"type":"verify.Narrow","data":{{"narrow":{number}}}}}]}}"#);
        let fits = i8::try_from(number).is_ok();
        match t.answer(READ, &[t.string(text.as_bytes())?.any()])? {
            Ok(read) => {
                t.type_index_eq(format_args!("the type of what {text} reads as"), read.any().type_index, kind)?;
                let narrow: i8 = t.cell("the object", read.handle())?;
                t.eq(format_args!("the field of what {text} reads as"), narrow, number as i8)?;
            }
            Err(raised) => t.that(format_args!("what {text} reads as"), !fits, "an object", raised.kind)?,
        }
    }
    Ok(())
}

/// Expects a float to be another to the bit, or no number either.
fn is_float(t: &Trial, what: impl std::fmt::Display, got: f64, expected: f64) -> Verdict {
    let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
    t.that(what, same, format_args!("{expected:?}"), format_args!("{got:?}"))
}

/// What an object has behind its header: one field that is declared as a float, and one of any type.
#[repr(C)]
#[derive(Clone, Copy)]
struct Floats {
    declared: f64,
    any: TVMFFIAny,
}

/// The type of such objects, which can be made again.
fn floats_type(t: &Trial) -> Verdict<i32> {
    let index = types::new(t, "verify.Floats");
    KIND.store(index, Ordering::Release);
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Floats>()) as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { creator: Some(make), ..metadata }))?;
    let fields: [Declared; 2] = [
        (b"declared", kTVMFFIFloat, size_of::<f64>(), offset_of!(Floats, declared), (get_declared, set_declared)),
        (b"any", kTVMFFIAny, size_of::<TVMFFIAny>(), offset_of!(Floats, any), (get_any, set_any)),
    ];
    register(t, index, &fields)?;
    Ok(index)
}

/// A field: its name, the type that it is declared with, its size, where it lies behind the header, and its getter and setter.
type Declared = (&'static [u8], i32, usize, usize, (TVMFFIFieldGetter, TVMFFIFieldSetter));

fn register(t: &Trial, index: i32, fields: &[Declared]) -> Verdict {
    fields.iter().try_for_each(|(name, declared, size, offset, (getter, setter))| {
        let field = types::field(name, *declared, *size as i64, (size_of::<TVMFFIObject>() + offset) as i64);
        let (flags, setter) = (kTVMFFIFieldFlagBitMaskWritable, *setter as *mut c_void);
        t.ok(t.api.TVMFFITypeRegisterField(index, &TVMFFIFieldInfo { flags, getter: Some(*getter), setter, ..field }))
    })
}

/// The type of the objects that [`make`] makes.
static KIND: AtomicI32 = AtomicI32::new(0);

/// The creator: an object with zeros in it.
unsafe extern "C" fn make(result: *mut TVMFFIObjectHandle) -> c_int {
    let made = Homemade::new(KIND.load(Ordering::Acquire), Floats { declared: 0.0, any: TVMFFIAny::NONE });
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(made.handle()) };
    0
}

unsafe extern "C" fn get_declared(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of the field, and where to write its value.
    unsafe { result.write(view::float(*field.cast())) };
    0
}

unsafe extern "C" fn set_declared(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    let number = match memory::read(value) {
        Some(value) if value.type_index == kTVMFFIFloat => f64::from_bits(value.payload()),
        // A setter of floats takes integers, too.
        Some(value) if value.type_index == kTVMFFIInt => (value.payload() as i64) as f64,
        _ => return -1,
    };
    // SAFETY: the target passes the address of the field of an object that is its own.
    unsafe { field.cast::<f64>().write(number) };
    0
}

/// What an object has behind its header: fields that are declared as plain values.
#[repr(C)]
#[derive(Clone, Copy)]
struct Plain {
    boolean: u8,
    integer: i64,
    dtype: DLDataType,
    device: DLDevice,
}

/// The type of such objects, which can be made again.
fn plain_type(t: &Trial) -> Verdict<i32> {
    let index = types::new(t, "verify.Plain");
    PLAIN_KIND.store(index, Ordering::Release);
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Plain>()) as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { creator: Some(make_plain), ..metadata }))?;
    let fields: [Declared; 4] = [
        (b"boolean", kTVMFFIBool, 1, offset_of!(Plain, boolean), (get::<kTVMFFIBool, 1>, set::<kTVMFFIBool, 1>)),
        (b"integer", kTVMFFIInt, 8, offset_of!(Plain, integer), (get::<kTVMFFIInt, 8>, set::<kTVMFFIInt, 8>)),
        (
            b"dtype",
            kTVMFFIDataType,
            4,
            offset_of!(Plain, dtype),
            (get::<kTVMFFIDataType, 4>, set::<kTVMFFIDataType, 4>),
        ),
        (b"device", kTVMFFIDevice, 8, offset_of!(Plain, device), (get::<kTVMFFIDevice, 8>, set::<kTVMFFIDevice, 8>)),
    ];
    register(t, index, &fields)?;
    Ok(index)
}

/// The type of the objects that [`make_plain`] makes.
static PLAIN_KIND: AtomicI32 = AtomicI32::new(0);

/// The creator: an object with zeros in it.
unsafe extern "C" fn make_plain(result: *mut TVMFFIObjectHandle) -> c_int {
    let dtype = DLDataType { code: kDLInt, bits: 0, lanes: 0 };
    let device = DLDevice { device_type: kDLCPU, device_id: 0 };
    let plain = Plain { boolean: 0, integer: 0, dtype, device };
    let made = Homemade::new(PLAIN_KIND.load(Ordering::Acquire), plain);
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(made.handle()) };
    0
}

/// The getter of a field of a plain type, of so many bytes.
unsafe extern "C" fn get<const TYPE: i32, const SIZE: usize>(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    let mut payload = [0; 8];
    // SAFETY: the target passes the address of a field of that size, and where to write its value.
    unsafe {
        field.cast::<u8>().copy_to_nonoverlapping(payload.as_mut_ptr(), SIZE);
        result.write(TVMFFIAny::new(TYPE, u64::from_ne_bytes(payload)));
    }
    0
}

/// Its setter.
unsafe extern "C" fn set<const TYPE: i32, const SIZE: usize>(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    match memory::read(value) {
        Some(value) if value.type_index == TYPE => {
            let payload = value.payload().to_ne_bytes();
            // SAFETY: the target passes the address of a field of that size, of an object that is its own.
            unsafe { field.cast::<u8>().copy_from_nonoverlapping(payload.as_ptr(), SIZE) };
            0
        }
        _ => -1,
    }
}
