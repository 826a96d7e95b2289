//! Using the library from within one of its calls, as the end of an object or a function that it calls back may.

use std::{
    sync::{OnceLock, PoisonError, RwLock},
    thread,
};

use tvm_ffi_spec::*;

use crate::client::{
    callback::{api, call},
    connection::Client,
    globals, homemade,
    value::view,
    verdict::Verdict,
};

/// The functions that [`use_library`] calls; those that the target lacks are left out.
const NAMES: &[&str] = &[
    "ffi.Array",
    "ffi.ArrayGetItem",
    "ffi.Map",
    "ffi.ArraySize",
    "ffi.MapGetItem",
    "ffi.MapSize",
    "ffi.MapCount",
    "ffi.MapForwardIterFunctor",
    "ffi.StructuralEqual",
    "ffi.StructuralHash",
    "ffi.RecursiveHash",
    "ffi.ReprPrint",
    "ffi.DeepCopy",
    "ffi.ToJSONGraphString",
    "ffi.json.Stringify",
    "ffi.List",
    "ffi.ListSize",
    "ffi.ListGetItem",
    "ffi.ListAppend",
    "ffi.ListInsert",
    "ffi.ListSetItem",
    "ffi.ListPop",
    "ffi.ListErase",
    "ffi.ListEraseRange",
    "ffi.ListReplaceSlice",
    "ffi.ListReverse",
    "ffi.ListClear",
    "ffi.Dict",
    "ffi.DictSize",
    "ffi.DictCount",
    "ffi.DictGetItem",
    "ffi.DictSetItem",
    "ffi.DictErase",
    "ffi.DictClear",
    "ffi.DictForwardIterFunctor",
];

/// The addresses of their function objects. Elements may end as late as the process, so these references are kept.
static FUNCTIONS: OnceLock<Vec<(&'static str, usize)>> = OnceLock::new();
/// The objects that end at this time.
static ENDING: RwLock<Vec<usize>> = RwLock::new(Vec::new());
/// The first call that has not come to what it should.
static WRONG: RwLock<Option<&'static str>> = RwLock::new(None);

impl Client {
    /// Lets [`use_library`] find what it calls from now on.
    pub fn serve_reentry(&self) -> Verdict {
        self.serve_callbacks();
        // Who makes many objects that use the library says so for each of them.
        if FUNCTIONS.get().is_some() {
            return Ok(());
        }
        let mut functions = Vec::new();
        for name in NAMES {
            if let Some(function) = globals::find(self, name)? {
                functions.push((*name, function.into_any().payload() as usize));
            }
        }
        FUNCTIONS.get_or_init(|| functions);
        Ok(())
    }

    /// Expects every call that [`use_library`] has made so far to have come to what it should.
    pub fn library_was_usable(&self, what: &str) -> Verdict {
        let wrong = *WRONG.read().unwrap_or_else(PoisonError::into_inner);
        self.eq(format_args!("the call that went wrong {what}"), wrong, None)
    }
}

/// Makes, reads, changes, compares, prints and ends containers on this thread, and then on another that this one waits for.
pub fn use_library() {
    use_on_this_thread();
    // What a panic there left undone is told by `WRONG`, which it poisons.
    thread::spawn(use_on_this_thread).join().unwrap_or(());
}

fn use_on_this_thread() {
    let (one, two, no) = (view::int(1), view::int(2), view::bool(false));
    let array = made("ffi.Array", &[one, two]);
    let map = made("ffi.Map", &[one, array.0, two, view::int(22)]);
    answers("ffi.ArrayGetItem", &[array.0, one], &two);
    answers("ffi.MapGetItem", &[map.0, two], &view::int(22));
    fails("ffi.MapGetItem", &[map.0, view::int(3)]);
    answers("ffi.StructuralEqual", &[array.0, array.0, no, no], &view::bool(true));
    for (name, args) in [
        ("ffi.StructuralHash", &[map.0, no, no][..]),
        ("ffi.RecursiveHash", &[map.0]),
        ("ffi.ReprPrint", &[map.0]),
        ("ffi.DeepCopy", &[map.0]),
        ("ffi.ToJSONGraphString", &[map.0, TVMFFIAny::NONE]),
        ("ffi.json.Stringify", &[array.0, TVMFFIAny::NONE]),
    ] {
        drop(made(name, args));
    }
    let (list, other) = (made("ffi.List", &[one, two]), made("ffi.List", &[two, two, two]));
    for (name, args) in [
        ("ffi.ListAppend", &[list.0, array.0][..]),
        ("ffi.ListInsert", &[list.0, one, map.0]),
        ("ffi.ListSetItem", &[list.0, one, other.0]),
        ("ffi.ListReplaceSlice", &[list.0, one, two, other.0]),
        ("ffi.ListEraseRange", &[list.0, one, two]),
        ("ffi.ListErase", &[list.0, one]),
        ("ffi.ListReverse", &[list.0]),
        ("ffi.ListClear", &[list.0]),
    ] {
        answers(name, args, &TVMFFIAny::NONE);
    }
    fails("ffi.ListPop", &[list.0, one]);
    let dict = made("ffi.Dict", &[one, array.0, two, map.0]);
    for (name, args) in [
        ("ffi.DictSetItem", &[dict.0, one, other.0][..]),
        ("ffi.DictErase", &[dict.0, two]),
        ("ffi.DictClear", &[dict.0]),
    ] {
        answers(name, args, &TVMFFIAny::NONE);
    }
}

/// The keys that [`read_container`] asks a map for.
pub const KEYS: std::ops::Range<i64> = -3..12;

/// Reads all of a container, of a map by integers of [`KEYS`] and by a walk through what it has: each object in it lives.
pub fn read_container(container: &TVMFFIAny) {
    let (size, get, of_map) = match container.type_index {
        kTVMFFIArray => ("ffi.ArraySize", "ffi.ArrayGetItem", None),
        kTVMFFIList => ("ffi.ListSize", "ffi.ListGetItem", None),
        kTVMFFIMap => ("ffi.MapSize", "ffi.MapGetItem", Some(("ffi.MapCount", "ffi.MapForwardIterFunctor"))),
        kTVMFFIDict => ("ffi.DictSize", "ffi.DictGetItem", Some(("ffi.DictCount", "ffi.DictForwardIterFunctor"))),
        _ => return,
    };
    let size = made(size, &[*container]).0.payload() as i64;
    let keys = if of_map.is_some() { KEYS } else { 0..size };
    for key in keys.map(view::int) {
        if of_map.is_none_or(|(count, _)| made(count, &[*container, key]).0.payload() != 0) {
            lives(&made(get, &[*container, key]), get);
        }
    }
    if let Some((_, walk)) = of_map.filter(|(_, walk)| size > 0 && is_there(walk)) {
        let next = made(walk, &[*container]);
        let ask = |what| {
            let answer = call(api()?, next.0.payload() as TVMFFIObjectHandle, &[view::int(what)]).map(Made);
            if answer.is_none() {
                went_wrong(walk);
            }
            answer
        };
        // Its key, its value, and whether there is one more.
        for _ in 0..size {
            [0, 1].into_iter().filter_map(ask).for_each(|part| lives(&part, walk));
            if ask(2).is_none_or(|more| more.0.payload() == 0) {
                break;
            }
        }
    }
}

/// If it is an object, the container holds it besides this reader, and it has not ended.
fn lives(item: &Made, met_by: &'static str) {
    if item.0.type_index >= kTVMFFIStaticObjectBegin {
        let object = item.0.payload();
        let ends = ENDING.read().unwrap_or_else(PoisonError::into_inner).contains(&(object as usize));
        if ends || homemade::strong_count(object as TVMFFIObjectHandle) < 2 {
            went_wrong(met_by);
        }
    }
}

/// What an object does at its end: none of the readers may meet it meanwhile.
pub fn at_the_end_of(object: TVMFFIObjectHandle, work: impl FnOnce()) {
    let ending = || ENDING.write().unwrap_or_else(PoisonError::into_inner);
    ending().push(object as usize);
    work();
    ending().retain(|other| *other != object as usize);
}

/// In how many ways [`change_container`] changes a container.
pub const CHANGES: usize = 6;

/// Changes a List or a Dict in one of several ways, and puts a value into it.
pub fn change_container(container: &TVMFFIAny, way: usize, value: TVMFFIAny) {
    let (own, int) = (*container, view::int);
    if own.type_index == kTVMFFIList {
        let size = made("ffi.ListSize", &[own]).0.payload() as i64;
        match way {
            0 => done("ffi.ListAppend", &[own, value]),
            1 => done("ffi.ListInsert", &[own, int(0), value]),
            2 if size > 0 => done("ffi.ListSetItem", &[own, int(size - 1), value]),
            3 if size > 0 => done("ffi.ListErase", &[own, int(0)]),
            4 => done("ffi.ListClear", &[own]),
            5 => (0..40).for_each(|_| done("ffi.ListAppend", &[own, value])),
            _ => {}
        }
    } else {
        match way {
            0 => done("ffi.DictSetItem", &[own, int(11), value]),
            1 => done("ffi.DictSetItem", &[own, int(-1), value]),
            2 => done("ffi.DictSetItem", &[own, int(0), value]),
            3 => (0..4).for_each(|key| done("ffi.DictErase", &[own, int(key)])),
            4 => done("ffi.DictClear", &[own]),
            _ => (20..60).for_each(|key| done("ffi.DictSetItem", &[own, int(key), value])),
        }
    }
}

/// A call that should succeed.
fn done(name: &'static str, args: &[TVMFFIAny]) {
    drop(made(name, args));
}

/// A value that is released in the end.
pub struct Made(TVMFFIAny);

impl Made {
    /// The value, as a view.
    pub fn any(&self) -> TVMFFIAny {
        self.0
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if self.0.type_index >= kTVMFFIStaticObjectBegin {
            homemade::release(self.0.payload() as TVMFFIObjectHandle);
        }
    }
}

/// What one of the functions that were [looked up](Client::serve_reentry) answers; `None` if it fails. A function that the target lacks
/// answers None.
pub fn answer(name: &str, args: &[TVMFFIAny]) -> Option<Made> {
    let function = FUNCTIONS.get()?.iter().find(|(known, _)| *known == name).map(|(_, address)| *address);
    match function {
        Some(address) => call(api()?, address as TVMFFIObjectHandle, args).map(Made),
        None => Some(Made(TVMFFIAny::NONE)),
    }
}

/// What a function answers, which should not fail.
fn made(name: &'static str, args: &[TVMFFIAny]) -> Made {
    // The container of a function that the target lacks is None, and so are the functions that take it lacking.
    answer(name, args).unwrap_or_else(|| {
        went_wrong(name);
        Made(TVMFFIAny::NONE)
    })
}

/// A call that should answer this.
fn answers(name: &'static str, args: &[TVMFFIAny], expected: &TVMFFIAny) {
    if is_there(name) && made(name, args).0.to_bytes() != expected.to_bytes() {
        went_wrong(name);
    }
}

/// A call that should fail, and raise an error on this thread.
fn fails(name: &'static str, args: &[TVMFFIAny]) {
    if !is_there(name) {
        return;
    }
    let failed = answer(name, args).is_none();
    let error = api().map_or(std::ptr::null_mut(), |api| api.take_raised());
    if !failed || error.is_null() {
        return went_wrong(name);
    }
    homemade::release(error);
}

fn is_there(name: &str) -> bool {
    FUNCTIONS.get().is_some_and(|functions| functions.iter().any(|(known, _)| *known == name))
}

fn went_wrong(name: &'static str) {
    WRONG.write().unwrap_or_else(PoisonError::into_inner).get_or_insert(name);
}
