//! Objects: their strong and weak counts, on one thread and on two, and their ends.

use std::{hint::black_box, ptr::null_mut};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{callback::keep_self, homemade};

use super::operation::Area;
use crate::{
    library::{Library, handle},
    task::Task,
};

const TEXT: &[u8] = b"a string that is put on the heap";

pub fn area() -> Area {
    let mut area = Area::new("objects");
    area.one("strong count up and down", |lib| {
        let object = object(lib);
        let lib = *lib;
        Task::changing(ONE_EACH, up_and_down(&lib, object), move || counts(&lib, object))
    });
    area.one("strong count up and down, one object, 2 threads", |lib| {
        let object = object(lib);
        up_and_down(lib, object)();
        Task::on_threads(counts(lib, object), vec![up_and_down(lib, object), up_and_down(lib, object)])
    });
    area.one("strong count up and down, two objects, 2 threads", |lib| {
        let objects = [object(lib), object(lib)];
        let mut steps = objects.map(|object| up_and_down(lib, object));
        steps.iter_mut().for_each(|step| step());
        Task::on_threads(counts(lib, objects[1]), steps.into())
    });
    area.one("weak count up and down, inlined", |lib| {
        let (lib, object) = (*lib, object(lib));
        Task::changing(ONE_EACH, weak_up_and_down(object), move || counts(&lib, object))
    });
    area.one("weak count up and down, inlined, one object, 2 threads", |lib| {
        let object = object(lib);
        weak_up_and_down(object)();
        Task::on_threads(counts(lib, object), vec![weak_up_and_down(object), weak_up_and_down(object)])
    });
    area.one("String made and ended, with a weak reference at its end", |lib| {
        let lib = *lib;
        let step = move || {
            let object = handle(&lib.string(TEXT));
            homemade::retain_weak(object);
            lib.TVMFFIObjectDecRef(object);
            homemade::release_weak(black_box(object));
        };
        Task::changing("ended", step, || "ended".to_owned())
    });
    area.one("opaque object made and ended", |lib| {
        let lib = *lib;
        Task::making(&lib, "ffi.OpaquePyObject", move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFIObjectCreateOpaque(null_mut(), kTVMFFIOpaquePyObject, Some(keep_self), &mut out));
            TVMFFIAny::new(kTVMFFIOpaquePyObject, out as u64)
        })
    });
    area
}

const ONE_EACH: &str = "1 strong and 1 weak reference";

/// An object that is kept for the life of the process.
fn object(lib: &Library) -> TVMFFIAny {
    lib.string(TEXT)
}

fn counts(lib: &Library, object: TVMFFIAny) -> String {
    let (strong, weak) = lib.client.counts(handle(&object)).expect("an object can be read");
    format!("{strong} strong and {weak} weak reference")
}

fn up_and_down(lib: &Library, object: TVMFFIAny) -> impl FnMut() + Send + use<> {
    let lib = *lib;
    move || {
        lib.TVMFFIObjectIncRef(black_box(handle(&object)));
        lib.TVMFFIObjectDecRef(black_box(handle(&object)));
    }
}

/// As clients count, without a call into the library.
fn weak_up_and_down(object: TVMFFIAny) -> impl FnMut() + Send {
    move || {
        homemade::retain_weak(black_box(handle(&object)));
        homemade::release_weak(black_box(handle(&object)));
    }
}
