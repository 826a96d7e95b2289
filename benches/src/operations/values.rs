//! Values: owned ones made of views, for each kind of value, and big integers.

use std::{ffi::CStr, hint::black_box};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::view;

use super::operation::Area;
use crate::{
    library::{Library, handle},
    task::Task,
};

const LONG: &CStr = c"a string that is put on the heap";

pub fn area() -> Area {
    let mut area = Area::new("values");
    let (float32, cpu) = (TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002), TVMFFIAny::new(kTVMFFIDevice, 1));
    for (name, view, shown) in [
        ("None", TVMFFIAny::NONE, "None"),
        ("boolean", view::bool(true), "true"),
        ("integer", view::int(7), "7"),
        ("float", view::float(0.5), "0.5"),
        ("pointer", TVMFFIAny::new(kTVMFFIOpaquePtr, 0x10), "0x10 of type 4"),
        ("data type", float32, "0x12002 of type 5"),
        ("device", cpu, "0x1 of type 6"),
        ("short C string", view::c_str(c"seven_b"), "seven_b"),
        ("C string", view::c_str(LONG), "a string that is put on the heap"),
    ] {
        area.one(format!("view to owned: {name}"), move |lib| to_owned(lib, view, shown));
    }
    area.one("view to owned: short byte array", |lib| byte_array_to_owned(lib, b"seven_b"));
    area.one("view to owned: byte array", |lib| byte_array_to_owned(lib, LONG.to_bytes()));
    area.one("view to owned: short String", |lib| to_owned(lib, lib.string(b"seven_b"), "seven_b"));
    area.one("view to owned: String", |lib| object_to_owned(lib, lib.string(LONG.to_bytes())));
    area.one("view to owned: Array", |lib| object_to_owned(lib, lib.call_global("ffi.Array", &[view::int(1)])));
    area.one("view to owned: moved object", moved_to_owned);
    area.one("big integer of 2 words", |lib| big_integer(lib, 2));
    area.one("big integer of 64 words", |lib| big_integer(lib, 64));
    area.one("big integer that fits in 64 bits", |lib| {
        let words = TVMFFIByteArray::new(&[7, 0, 0, 0, 0, 0, 0, 0]);
        let lib_of = *lib;
        Task::making(lib, "7", move || from_words(&lib_of, &words))
    });
    area.one("words of a big integer", words_of_big_integer);
    area
}

fn to_owned(lib: &Library, view: TVMFFIAny, shown: &str) -> Task {
    let lib = *lib;
    Task::making(&lib, shown, move || owned(&lib, &view))
}

#[inline(always)]
fn owned(lib: &Library, view: &TVMFFIAny) -> TVMFFIAny {
    let mut out = TVMFFIAny::NONE;
    lib.ok(lib.TVMFFIAnyViewToOwnedAny(black_box(view), &mut out));
    out
}

fn byte_array_to_owned(lib: &Library, bytes: &'static [u8]) -> Task {
    let array = Box::leak(Box::new(TVMFFIByteArray::new(bytes)));
    to_owned(lib, view::byte_array(array), &String::from_utf8_lossy(bytes))
}

fn object_to_owned(lib: &Library, object: TVMFFIAny) -> Task {
    let lib = *lib;
    let object = lib.own(object);
    let shown = lib.shown(&object.any());
    Task::making(&lib, &shown, move || owned(&lib, &object.any()))
}

/// With the reference that is moved taken before, as somebody has to.
fn moved_to_owned(lib: &Library) -> Task {
    let lib = *lib;
    let object = lib.own(lib.string(LONG.to_bytes()));
    let shown = lib.shown(&object.any());
    Task::making(&lib, &shown, move || {
        let mut slot = object.handle();
        lib.TVMFFIObjectIncRef(slot);
        owned(&lib, &TVMFFIAny::new(kTVMFFIObjectRValueRef, &raw mut slot as u64))
    })
}

#[inline(always)]
fn from_words(lib: &Library, words: &TVMFFIByteArray) -> TVMFFIAny {
    let mut out = TVMFFIAny::NONE;
    lib.ok(lib.TVMFFIBigIntFromByteArray(black_box(words), &mut out));
    out
}

fn big_integer(lib: &Library, words: usize) -> Task {
    let lib = *lib;
    let bytes = vec![0x5A; words * 8];
    Task::making(&lib, "ffi.BigInt", move || from_words(&lib, &TVMFFIByteArray::new(&bytes)))
}

fn words_of_big_integer(lib: &Library) -> Task {
    let lib = *lib;
    let integer = lib.own(from_words(&lib, &TVMFFIByteArray::new(&[0x5A; 16])));
    let words = lib.TVMFFIBigIntGetContentByteArray(&integer.any());
    assert_eq!((words.size, handle(&integer.any()).is_null()), (16, false), "size of the integer in bytes");
    Task::new("16 bytes", move || {
        black_box(lib.TVMFFIBigIntGetContentByteArray(black_box(&integer.any())));
    })
}
