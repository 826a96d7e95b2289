//! Functions: made, called with few and many arguments, and through others.

use std::{hint::black_box, ptr::null_mut};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::view;

use super::{
    kit::{forwarding, function, sum},
    operation::Area,
};
use crate::{
    library::{Library, handle},
    task::Task,
};

pub fn area() -> Area {
    let mut area = Area::new("functions");
    area.one("function made and ended", |lib| {
        let lib = *lib;
        Task::making(&lib, "ffi.Function", move || {
            let mut out = null_mut();
            lib.ok(lib.TVMFFIFunctionCreate(null_mut(), Some(sum), None, &mut out));
            TVMFFIAny::new(kTVMFFIFunction, out as u64)
        })
    });
    for count in [0, 3, 4, 16] {
        area.one(format!("call with {count} arguments"), move |lib| call(lib, count));
    }
    area.one("call with a String, which is answered", |lib| {
        let (lib, text) = (*lib, lib.own(lib.string(b"a string that is put on the heap")));
        let echo = lib.function("ffi.String");
        Task::making(&lib, "a string that is put on the heap", move || lib.call(echo, &[text.any()]))
    });
    area.one("call through the global of its name", |lib| {
        let (lib, name) = (*lib, TVMFFIByteArray::new(b"bench.sum"));
        lib.ok(lib.TVMFFIFunctionSetGlobal(&name, handle(&function(&lib)), 1));
        let args: [_; 4] = std::array::from_fn(|at| view::int(at as i64));
        Task::making(&lib, "6", move || {
            let mut global = null_mut();
            lib.ok(lib.TVMFFIFunctionGetGlobal(black_box(&name), &mut global));
            let answer = lib.call(global, &args);
            lib.TVMFFIObjectDecRef(global);
            answer
        })
    });
    area.one("call through 3 functions", |lib| {
        let lib = *lib;
        let outer = forwarding(&lib, forwarding(&lib, function(&lib)));
        let args: [_; 4] = std::array::from_fn(|at| view::int(at as i64));
        Task::making(&lib, "6", move || lib.call(handle(&outer), &args))
    });
    area
}

fn call(lib: &Library, count: usize) -> Task {
    let lib = *lib;
    let function = function(&lib);
    let args: Vec<_> = (0..count as i64).map(view::int).collect();
    let expected = (0..count).sum::<usize>().to_string();
    Task::making(&lib, &expected, move || lib.call(handle(&function), &args))
}
