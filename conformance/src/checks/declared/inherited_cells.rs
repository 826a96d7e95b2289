//! Classes of Python below a class of C++, whose fields lie in cells of every size that C++ has for them.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use super::frontend_class::{getter, setter};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::{Homemade, release, retain},
        types, view,
    },
    trial::Trial,
};

/// The shallow copy of an instance of a class of Python has the plain values of fields that a class of C++ declares, whichever size these have, and
/// nothing of one in the other.
#[check(DCL_0025)]
fn copy_of_plain_cells(t: &Trial) -> Verdict {
    // From each of the cells on, so that each is the first and the last in turn.
    for first in 0..CELLS.len() {
        let (mut fields, mut end) = (Vec::new(), size_of::<TVMFFIObject>());
        for at in 0..CELLS.len() {
            let Cell { name, type_index, size, getter, setter } = CELLS[(first + at) % CELLS.len()];
            let offset = end.next_multiple_of(size);
            let alignment = if type_index == kTVMFFIDataType { 2 } else { size as i64 };
            let field = types::field(name, type_index, size as i64, offset as i64);
            fields.push(TVMFFIFieldInfo { alignment, getter: Some(getter), setter: setter as *mut c_void, ..field });
            end = offset + size;
        }
        let index = class_below(t, &format!("verify.Plain{first}"), &fields, end.next_multiple_of(8))?;
        let instance = t.call(&types::function_in(t, "__ffi_new__", index)?, &[])?;
        let (mut expected, begin) = (vec![0; end], size_of::<TVMFFIObject>());
        for (number, field) in (1_u8..).zip(&fields) {
            let (offset, size) = (field.offset as usize, field.size as usize);
            for (at, byte) in expected.iter_mut().enumerate().skip(offset).take(size) {
                // A bool is 1, and no other byte is like its neighbours'.
                *byte = if field.field_static_type_index == kTVMFFIBool { 1 } else { 16 * number + at as u8 % 16 };
                write(instance.handle(), at, *byte);
            }
        }
        let copy = t.call(&types::function_in(t, "__ffi_shallow_copy__", index)?, &[instance.any()])?;
        t.type_index_eq("type_index of the copy", copy.any().type_index, index)?;
        for field in &fields {
            let (offset, size) = (field.offset as usize, field.size as usize);
            let place = copy.handle().wrapping_byte_add(offset);
            let found = t.read_bytes("a field of the copy", place.cast_const().cast(), size)?;
            let what =
                format_args!("the {size} bytes at {offset} of the copy, of type {}", field.field_static_type_index);
            t.eq(what, &found[..], &expected[offset..offset + size])?;
        }
        t.eq("what follows the header of what was copied", bytes_of(t, &instance, end)?, expected[begin..].to_vec())?;
    }
    Ok(())
}

/// A field of C++ that is no object.
struct Cell {
    name: &'static [u8],
    type_index: i32,
    size: usize,
    getter: TVMFFIFieldGetter,
    setter: TVMFFIFieldSetter,
}

/// A bool, integers of 8 to 64 bits, floats of 32 and 64, a data type, a device and a pointer.
const CELLS: [Cell; 10] = [
    cell::<kTVMFFIBool, 1>(b"flag"),
    cell::<kTVMFFIInt, 1>(b"tiny"),
    cell::<kTVMFFIInt, 2>(b"small"),
    cell::<kTVMFFIDataType, 4>(b"dtype"),
    cell::<kTVMFFIInt, 4>(b"int"),
    cell::<kTVMFFIFloat, 4>(b"float"),
    cell::<kTVMFFIInt, 8>(b"long"),
    cell::<kTVMFFIFloat, 8>(b"double"),
    cell::<kTVMFFIDevice, 8>(b"device"),
    cell::<kTVMFFIOpaquePtr, 8>(b"pointer"),
];

const fn cell<const TYPE: i32, const SIZE: usize>(name: &'static [u8]) -> Cell {
    Cell { name, type_index: TYPE, size: SIZE, getter: get_cell::<TYPE, SIZE>, setter: set_cell::<TYPE, SIZE> }
}

/// The getter of such a field, as C++ has it.
unsafe extern "C" fn get_cell<const TYPE: i32, const SIZE: usize>(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    let mut bytes = [0; 8];
    // SAFETY: the caller gives the field of an instance, which has this size.
    unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(field.cast(), SIZE) };
    let (raw, unused) = (u64::from_ne_bytes(bytes), 64 - 8 * SIZE);
    let payload = match TYPE {
        kTVMFFIInt => ((raw << unused) as i64 >> unused) as u64,
        kTVMFFIFloat if SIZE == 4 => f64::from(f32::from_bits(raw as u32)).to_bits(),
        _ => raw,
    };
    // SAFETY: the caller gives a place for the value.
    unsafe { result.write(TVMFFIAny::new(TYPE, payload)) };
    0
}

/// The setter of such a field, as C++ has it.
unsafe extern "C" fn set_cell<const TYPE: i32, const SIZE: usize>(
    field: *mut c_void,
    value: *const TVMFFIAny,
) -> c_int {
    // SAFETY: the caller gives a value.
    let payload = unsafe { (*value).payload() };
    let raw = match TYPE {
        kTVMFFIFloat if SIZE == 4 => u64::from((f64::from_bits(payload) as f32).to_bits()),
        _ => payload,
    };
    // SAFETY: the caller gives the field of an instance, which has this size.
    unsafe { field.cast::<u8>().copy_from_nonoverlapping(raw.to_ne_bytes().as_ptr(), SIZE) };
    0
}

fn bytes_of(t: &Trial, instance: &Owned, end: usize) -> Verdict<Vec<u8>> {
    let begin = size_of::<TVMFFIObject>();
    let place = instance.handle().wrapping_byte_add(begin);
    Ok(t.read_bytes("an instance", place.cast_const().cast(), end - begin)?.to_vec())
}

/// The shallow copy of an instance of a class of Python shares the object in each field that a class of C++ declares as an optional object: one
/// that is registered for values of any type, in a cell of one pointer. An empty one stays empty.
#[check(DCL_0025)]
fn copy_of_optional_objects(t: &Trial) -> Verdict {
    let index = class_of_optionals(t)?;
    for filled in FILLED {
        let objects = [(); 3].map(|()| Homemade::new(kTVMFFIError, ()));
        let instance = filled_with(t, index, filled, &objects)?;
        let before = t.cell::<[usize; 3]>("the fields", instance.handle())?;
        let copy = t.call(&types::function_in(t, "__ffi_shallow_copy__", index)?, &[instance.any()])?;
        t.eq("the fields of the copy", t.cell::<[usize; 3]>("the fields", copy.handle())?, before)?;
        for (object, is_there) in objects.iter().zip(filled) {
            let expected = (if is_there { 3 } else { 1 }, 1);
            t.eq(format_args!("counts of an object that both share, filled {filled:?}"), object.counts(), expected)?;
        }
        drop(instance);
        for (object, is_there) in objects.iter().zip(filled) {
            let expected = (if is_there { 2 } else { 1 }, 1);
            t.eq(format_args!("counts of an object of the copy, filled {filled:?}"), object.counts(), expected)?;
        }
    }
    Ok(())
}

/// An instance of a class of Python gives up at its end the object in each field that a class of C++ declares as an optional object: one that is
/// registered for values of any type, in a cell of one pointer.
#[check(DCL_0024)]
fn end_of_optional_objects(t: &Trial) -> Verdict {
    let index = class_of_optionals(t)?;
    for filled in FILLED {
        let objects = [(); 3].map(|()| Homemade::new(kTVMFFIError, ()));
        drop(filled_with(t, index, filled, &objects)?);
        for object in &objects {
            t.eq(format_args!("counts of an object that was held, filled {filled:?}"), object.counts(), (1, 1))?;
        }
    }
    Ok(())
}

/// Which of the fields hold an object: each, and some of them. A library that takes the first for a value of sixteen bytes finds an object
/// behind it in the first case, so that it is wrong in the same way each time.
const FILLED: [[bool; 3]; 5] =
    [[true, true, true], [true, false, true], [false, true, true], [false, false, true], [false, false, false]];

/// The fields: two optional objects, and an object.
const OPTIONALS: [(&[u8], i32); 3] = [(b"one", kTVMFFIAny), (b"other", kTVMFFIAny), (b"object", kTVMFFIObject)];

/// A class of Python below one of C++ with these fields.
fn class_of_optionals(t: &Trial) -> Verdict<i32> {
    let fields = (0..).zip(OPTIONALS).map(|(at, (name, type_index))| {
        let field = types::field(name, type_index, 8, place_of(at) as i64);
        TVMFFIFieldInfo { getter: Some(get_object), setter: set_object as *mut c_void, ..field }
    });
    class_below(t, "verify.Optional", &fields.collect::<Vec<_>>(), place_of(OPTIONALS.len()))
}

fn place_of(field: usize) -> usize {
    size_of::<TVMFFIObject>() + field * size_of::<TVMFFIObjectHandle>()
}

/// An instance that holds these of the objects.
fn filled_with(t: &Trial, index: i32, filled: [bool; 3], objects: &[Homemade; 3]) -> Verdict<Owned> {
    let instance = t.call(&types::function_in(t, "__ffi_new__", index)?, &[])?;
    for (at, (object, _)) in objects.iter().zip(filled).enumerate().filter(|(_, (_, is_there))| *is_there) {
        // As C++ writes a field: by itself.
        retain(object.handle());
        write(instance.handle(), place_of(at), object.handle());
    }
    Ok(instance)
}

/// Writes into a new instance.
fn write<T>(instance: TVMFFIObjectHandle, offset: usize, value: T) {
    let place: *mut T = instance.wrapping_byte_add(offset).cast();
    // SAFETY: a new instance has the size that it was registered with, and nobody else knows of it.
    unsafe { place.write_unaligned(value) };
}

/// A class of Python with a value of its own below a class of C++ that has these fields and that size.
fn class_below(t: &Trial, key: &str, fields: &[TVMFFIFieldInfo], size: usize) -> Verdict<i32> {
    let parent = types::new(t, &format!("{key}.Cxx"));
    fields.iter().try_for_each(|field| t.ok(t.api.TVMFFITypeRegisterField(parent, field)))?;
    t.ok(t.api.TVMFFITypeRegisterMetadata(parent, &types::metadata(size as i32)))?;
    let child = types::new_child(t, &format!("{key}.Python"), parent)?;
    let value = TVMFFIFieldInfo {
        flags: kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskWritable,
        getter: Some(getter(t, kTVMFFIAny)?),
        // The field keeps its setter for the life of the process.
        setter: setter(t, kTVMFFIAny)?.into_any().payload() as *mut c_void,
        ..types::field(b"value", kTVMFFIAny, 16, size as i64)
    };
    t.ok(t.api.TVMFFITypeRegisterField(child, &value))?;
    let total = size + size_of::<TVMFFIAny>();
    t.ok(t.api.TVMFFITypeRegisterMetadata(child, &types::metadata(total as i32)))?;
    let args = [view::int(child.into()), view::int(total as i64)];
    t.call_global("ffi._PyClassRegisterTypeAttrColumns", &args)?;
    Ok(child)
}

/// The getter of an optional object, as C++ has it.
unsafe extern "C" fn get_object(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of an instance, and a place for its value.
    unsafe {
        let handle = *field.cast::<TVMFFIObjectHandle>();
        if handle.is_null() {
            result.write(TVMFFIAny::NONE);
        } else {
            retain(handle);
            // All objects of these checks are of this type.
            result.write(TVMFFIAny::new(kTVMFFIError, handle as u64));
        }
    }
    0
}

/// The setter of an optional object, as C++ has it.
unsafe extern "C" fn set_object(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of an instance, and a value.
    unsafe {
        let new = if (*value).type_index >= kTVMFFIStaticObjectBegin { (*value).payload() } else { 0 };
        if new != 0 {
            retain(new as TVMFFIObjectHandle);
        }
        let old = field.cast::<TVMFFIObjectHandle>().replace(new as TVMFFIObjectHandle);
        if !old.is_null() {
            release(old);
        }
    }
    0
}
