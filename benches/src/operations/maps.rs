//! Maps and Dicts, with integer and with text keys, small ones and large ones.

use std::hint::black_box;

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Owned, view};

use super::{kit::next, operation::Area};
use crate::{
    library::{Library, OwnedAll},
    task::Task,
};

const SIZES: [usize; 5] = [4, 8, 100, 10_000, 1_000_000];

pub fn area() -> Area {
    let mut area = Area::new("maps");
    for kind in ["Map", "Dict"] {
        for keys in [Keys::Integer, Keys::Text] {
            let of = |what| format!("{kind} {what}, {} keys", keys.name());
            area.through(of("build"), &SIZES, move |lib, size| build(lib, kind, keys, size));
            area.among(of("get"), &SIZES, move |lib, size| get(lib, kind, keys, size));
            area.among(of("miss"), &SIZES, move |lib, size| miss(lib, kind, keys, size));
            area.through(of("iterate"), &SIZES, move |lib, size| iterate(lib, kind, keys, size));
        }
    }
    for keys in [Keys::Integer, Keys::Text] {
        let of = |what| format!("Dict {what}, {} keys", keys.name());
        area.among(of("overwrite"), &SIZES, move |lib, size| overwrite(lib, keys, size));
        area.among(of("erase and set"), &SIZES, move |lib, size| erase_and_set(lib, keys, size));
    }
    area
}

/// What keys are.
#[derive(Clone, Copy)]
enum Keys {
    Integer,
    Text,
}

impl Keys {
    fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Text => "text",
        }
    }

    /// So many keys, from the one of that number on.
    fn make(self, lib: &Library, from: usize, count: usize) -> OwnedAll {
        let key = |number: usize| match self {
            Self::Integer => view::int(number as i64),
            Self::Text => lib.string(format!("key number {number}").as_bytes()),
        };
        lib.own_all((from..from + count).map(key).collect())
    }
}

/// Keys and the numbers of their places, as the functions take them that make maps.
fn entries(keys: &[TVMFFIAny]) -> Vec<TVMFFIAny> {
    keys.iter().enumerate().flat_map(|(at, key)| [*key, view::int(at as i64)]).collect()
}

/// A map of numbers.
fn map(lib: &Library, kind: &str, keys: Keys, size: usize) -> (Owned, OwnedAll) {
    let keys = keys.make(lib, 0, size);
    (lib.own(lib.call_global(&format!("ffi.{kind}"), &entries(&keys))), keys)
}

fn build(lib: &Library, kind: &str, keys: Keys, size: usize) -> Task {
    let (lib, make) = (*lib, lib.function(&format!("ffi.{kind}")));
    let keys = keys.make(&lib, 0, size);
    let args = entries(&keys);
    let made = lib.own(lib.call(make, &args));
    assert_eq!(lib.call_global(&format!("ffi.{kind}Size"), &[made.any()]).payload(), size as u64, "size of the {kind}");
    let did = lib.shown(&made.any());
    Task::new(did, move || lib.end(black_box(lib.call(make, &args)))).keeping(keys)
}

fn get(lib: &Library, kind: &str, keys: Keys, size: usize) -> Task {
    let (lib, get, mut at) = (*lib, lib.function(&format!("ffi.{kind}GetItem")), 0);
    let (map, keys) = map(&lib, kind, keys, size);
    Task::making(&lib, &next(0, size).to_string(), move || {
        at = next(at, size);
        lib.call(get, &[map.any(), keys[at]])
    })
}

fn miss(lib: &Library, kind: &str, keys: Keys, size: usize) -> Task {
    let (lib, count, mut at) = (*lib, lib.function(&format!("ffi.{kind}Count")), 0);
    let (absent, (map, kept)) = (keys.make(&lib, size, size.min(1024)), map(&lib, kind, keys, size));
    Task::making(&lib, "0", move || {
        at = next(at, absent.len());
        lib.call(count, &[map.any(), absent[at]])
    })
    .keeping(kept)
}

fn iterate(lib: &Library, kind: &str, keys: Keys, size: usize) -> Task {
    let (lib, iterator) = (*lib, lib.function(&format!("ffi.{kind}ForwardIterFunctor")));
    let (map, kept) = map(&lib, kind, keys, size);
    let sum = move || {
        let (next, mut sum) = (lib.own(lib.call(iterator, &[map.any()])), 0);
        loop {
            lib.end(lib.call(next.handle(), &[view::int(0)]));
            sum += lib.call(next.handle(), &[view::int(1)]).payload();
            if lib.call(next.handle(), &[view::int(2)]).payload() == 0 {
                return sum;
            }
        }
    };
    assert_eq!(sum(), (0..size as u64).sum::<u64>(), "sum of the values");
    let step = move || {
        black_box(sum());
    };
    Task::new("the sum", step).keeping(kept)
}

fn overwrite(lib: &Library, keys: Keys, size: usize) -> Task {
    let (lib, set, mut at) = (*lib, lib.function("ffi.DictSetItem"), 0);
    let (dict, keys) = map(&lib, "Dict", keys, size);
    Task::making(&lib, "None", move || {
        at = next(at, size);
        lib.call(set, &[dict.any(), keys[at], view::int(7)])
    })
}

/// So that the Dict stays as large as it is.
fn erase_and_set(lib: &Library, keys: Keys, size: usize) -> Task {
    let (lib, erase, set, mut at) = (*lib, lib.function("ffi.DictErase"), lib.function("ffi.DictSetItem"), 0);
    let (dict, keys) = map(&lib, "Dict", keys, size);
    Task::making(&lib, "None", move || {
        at = next(at, size);
        lib.end(lib.call(erase, &[dict.any(), keys[at]]));
        lib.call(set, &[dict.any(), keys[at], view::int(7)])
    })
}
