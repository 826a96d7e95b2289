//! The type table: records, keys and columns, among few and many types.

use std::hint::black_box;

use tvm_ffi_spec::*;

use super::{
    kit::{next, register_type},
    operation::Area,
};
use crate::{library::Library, task::Task};

/// Registered for good, so that each of these finds the types of the one before, and later ones find all. No more than these: the
/// release searches all types for the place of a new one, so that a million of them would take it an hour.
const COUNTS: [usize; 4] = [10, 100, 1_000, 10_000];

pub fn area() -> Area {
    let mut area = Area::new("types");
    area.one("record of a type", |lib| {
        let lib = *lib;
        assert!(!lib.TVMFFIGetTypeInfo(kTVMFFIArray).is_null(), "the type is registered");
        Task::new("a record", move || {
            black_box(lib.TVMFFIGetTypeInfo(black_box(kTVMFFIArray)));
        })
    });
    area.one("key to index", |lib| {
        let (lib, key) = (*lib, TVMFFIByteArray::new(b"ffi.reflection.AccessStep"));
        Task::new("an index", move || {
            black_box(index_of(&lib, &key));
        })
    });
    area.one("column by name", |lib| {
        let (lib, name) = (*lib, TVMFFIByteArray::new(b"__ffi_repr__"));
        let did = if lib.TVMFFIGetTypeAttrColumn(&name).is_null() { "no column" } else { "a column" };
        Task::new(did, move || {
            black_box(lib.TVMFFIGetTypeAttrColumn(black_box(&name)));
        })
    });
    area.among("record among", &COUNTS, |lib, count| {
        let (lib, types, mut at) = (*lib, Types::register(lib, count), 0);
        Task::new("a record", move || {
            at = next(at, types.indices.len());
            black_box(lib.TVMFFIGetTypeInfo(black_box(types.indices[at])));
        })
    });
    area.among("key to index among", &COUNTS, |lib, count| {
        let (lib, types, mut at) = (*lib, Types::register(lib, count), 0);
        assert_eq!(index_of(&lib, &array(&types.keys[0])), types.indices[0], "index of the first key");
        Task::new("an index", move || {
            at = next(at, types.keys.len());
            black_box(index_of(&lib, &array(&types.keys[at])));
        })
    });
    area.among("index of a registered type allocated again among", &COUNTS, |lib, count| {
        let (lib, types, mut at) = (*lib, Types::register(lib, count), 0);
        assert_eq!(register_type(&lib, &types.keys[0]), types.indices[0], "index of the first key");
        Task::new("an index", move || {
            at = next(at, types.keys.len());
            black_box(register_type(&lib, &types.keys[at]));
        })
    });
    area
}

#[inline(always)]
fn index_of(lib: &Library, key: &TVMFFIByteArray) -> i32 {
    let mut index = -1;
    lib.ok(lib.TVMFFITypeKeyToIndex(black_box(key), &mut index));
    index
}

#[inline(always)]
fn array(key: &str) -> TVMFFIByteArray {
    TVMFFIByteArray::new(key.as_bytes())
}

struct Types {
    keys: Vec<String>,
    indices: Vec<i32>,
}

impl Types {
    fn register(lib: &Library, count: usize) -> Self {
        let keys: Vec<_> = (0..count).map(|number| format!("bench.Type_{number}")).collect();
        let indices: Vec<_> = keys.iter().map(|key| register_type(lib, key)).collect();
        assert!(indices.iter().all(|index| *index >= kTVMFFIDynObjectBegin), "a type has an index");
        Self { keys, indices }
    }
}
