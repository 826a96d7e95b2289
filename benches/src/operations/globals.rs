//! Global functions: looked up, missed and set among few and many names.

use std::{hint::black_box, ptr::null_mut};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::view;

use super::{
    kit::{function, next},
    operation::Area,
};
use crate::{
    library::{Library, handle},
    task::Task,
};

pub fn area() -> Area {
    let mut area = Area::new("globals");
    area.one("hit", |lib| look_up(lib, one_name()));
    area.one("hit, 2 threads", |lib| {
        let mut steps = [one_name(), one_name()].map(|name| looking_up(lib, vec![name]));
        steps.iter_mut().for_each(|step| step());
        Task::on_threads("two found", steps.into())
    });
    area.one("miss", miss);
    area.one("hit and inlined call", |lib| {
        let (lib, name) = (*lib, TVMFFIByteArray::new(b"ffi.ArraySize"));
        let array = lib.own(lib.call_global("ffi.Array", &[view::int(1)]));
        Task::making(&lib, "1", move || {
            let mut found = null_mut();
            lib.ok(lib.TVMFFIFunctionGetGlobal(black_box(&name), &mut found));
            let answer = lib.call(found, &[array.any()]);
            lib.TVMFFIObjectDecRef(found);
            answer
        })
    });
    area.among("hit among", &[10, 100, 1_000, 10_000, 100_000, 1_000_000], |lib, count| {
        let names = Names::register(lib, count);
        let mut step = looking_up(lib, names.arrays());
        step();
        Task::new("found", step).keeping(names)
    });
    area.among("miss among", &[10, 1_000, 100_000], |lib, count| {
        let (names, task) = (Names::register(lib, count), miss(lib));
        task.keeping(names)
    });
    area.among("set again among", &[10, 1_000, 100_000], |lib, count| {
        let (lib, names) = (*lib, Names::register(lib, count));
        let (function, arrays, mut at) = (function(&lib), names.arrays(), 0);
        let step = move || {
            at = next(at, arrays.len());
            lib.ok(lib.TVMFFIFunctionSetGlobal(black_box(&arrays[at]), handle(&function), 1));
        };
        Task::changing("set", step, || "set".to_owned()).keeping(names)
    });
    area.one("set and removed", |lib| {
        let (lib, function) = (*lib, function(lib));
        let (text, remove) = ("bench.a name that comes and goes", lib.function("ffi.FunctionRemoveGlobal"));
        let (name, argument) = (TVMFFIByteArray::new(text.as_bytes()), lib.own(lib.string(text.as_bytes())));
        Task::making(&lib, "true", move || {
            lib.ok(lib.TVMFFIFunctionSetGlobal(black_box(&name), handle(&function), 0));
            lib.call(remove, &[argument.any()])
        })
    });
    area
}

/// A name that every library has.
fn one_name() -> TVMFFIByteArray {
    TVMFFIByteArray::new(b"ffi.FunctionRemoveGlobal")
}

fn look_up(lib: &Library, name: TVMFFIByteArray) -> Task {
    let mut step = looking_up(lib, vec![name]);
    step();
    Task::new("found", step)
}

/// Looks names up in turn, all of which are there.
fn looking_up(lib: &Library, names: Vec<TVMFFIByteArray>) -> impl FnMut() + Send + use<> {
    let (lib, mut at) = (*lib, 0);
    move || {
        at = next(at, names.len());
        let mut found = null_mut();
        lib.ok(lib.TVMFFIFunctionGetGlobal(black_box(&names[at]), &mut found));
        assert!(!found.is_null(), "the name is registered");
        lib.TVMFFIObjectDecRef(found);
    }
}

fn miss(lib: &Library) -> Task {
    let (lib, name) = (*lib, TVMFFIByteArray::new(b"bench.a name that is not registered"));
    let mut found = null_mut();
    lib.ok(lib.TVMFFIFunctionGetGlobal(&name, &mut found));
    assert!(found.is_null(), "the name is not registered");
    Task::new("missed", move || {
        lib.ok(lib.TVMFFIFunctionGetGlobal(black_box(&name), &mut found));
        black_box(found);
    })
}

/// Names that are registered until they are dropped.
struct Names {
    lib: Library,
    names: Vec<String>,
}

impl Names {
    fn register(lib: &Library, count: usize) -> Self {
        let (lib, function) = (*lib, function(lib));
        let names: Vec<_> = (0..count).map(|number| format!("bench.name_{number}")).collect();
        for name in &names {
            lib.ok(lib.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), handle(&function), 1));
        }
        Self { lib, names }
    }

    /// The names; valid as long as `self`.
    fn arrays(&self) -> Vec<TVMFFIByteArray> {
        self.names.iter().map(|name| TVMFFIByteArray::new(name.as_bytes())).collect()
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        let remove = self.lib.function("ffi.FunctionRemoveGlobal");
        for name in &self.names {
            let name = self.lib.own(self.lib.string(name.as_bytes()));
            self.lib.call(remove, &[name.any()]);
        }
    }
}
